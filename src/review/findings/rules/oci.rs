//! Rules for Oracle Cloud.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("oci_core_volume", "volume").show("display_name|size_in_gbs"),
    lost("oci_database_*_database", "database").show("display_name"),
    lost("oci_objectstorage_bucket", "bucket").show("name"),
    lost("oci_kms_key", "key").show("display_name"),
    lost("oci_core_boot_volume|oci_core_volume_group", "volume").show("display_name|size_in_gbs"),
    lost(
        "oci_core_volume_backup|oci_core_boot_volume_backup|oci_core_volume_group_backup",
        "snapshot",
    )
    .show("display_name"),
    lost("oci_file_storage_file_system", "file system").show("display_name"),
    lost(
        "oci_database_db_system|oci_mysql_mysql_db_system|oci_psql_db_system|\
         oci_database_cloud_vm_cluster|oci_database_autonomous_container_database",
        "database server",
    )
    .show("display_name|shape"),
    lost("oci_nosql_table", "table").show("name"),
    lost("oci_streaming_stream", "stream").show("name|retention_in_hours"),
    lost("oci_kms_vault|oci_vault_secret", "secret").show("display_name|secret_name"),
    lost("oci_dns_zone", "DNS zone").show("name"),
    lost("oci_opensearch_opensearch_cluster", "search domain").show("display_name"),
    // Who may reach or do more.
    exposure(
        "oci_core_security_list|oci_core_default_security_list",
        "ingress_security_rules[*].source",
        AnySource,
    ),
    exposure(
        "oci_core_network_security_group_security_rule",
        "source",
        AnySource,
    )
    .only_if(&[Needs("direction", "INGRESS")]),
    exposure(
        "oci_objectstorage_bucket",
        "access_type",
        is("ObjectRead|ObjectReadWithoutList"),
    )
    .serves(Class::Data),
    exposure("oci_objectstorage_preauthrequest", "access_type", There)
        .what("a link for whoever has it"),
    exposure("oci_identity_policy", "statements[*]", There).levels(&[
        ("*any-group*", Critical),
        ("*any-user*", Critical),
        ("*inspect *", Notice),
        ("*manage all-resources in tenancy*", Critical),
        ("*read *", Notice),
    ]),
    exposure(
        "oci_core_instance",
        "create_vnic_details[*].assign_public_ip",
        On,
    ),
    exposure("oci_core_subnet", "prohibit_public_ip_on_vnic", Off).unless_created(),
    exposure("oci_core_subnet", "prohibit_internet_ingress", Off).unless_created(),
    exposure(
        "oci_core_route_table|oci_core_default_route_table",
        "route_rules[*].destination",
        is("0.0.0.0/0|::/0"),
    )
    .what("a route to the internet")
    .only_if(&[Needs("network_entity_id", "*internetgateway*")]),
    exposure(
        "oci_database_autonomous_database",
        "whitelisted_ips[*]",
        AnySource,
    )
    .serves(Class::Database),
    exposure(
        "oci_database_autonomous_database",
        "whitelisted_ips",
        Emptied,
    )
    .what("the list of allowed addresses")
    .serves(Class::Database)
    .unless_created(),
    exposure(
        "oci_database_autonomous_database",
        "is_mtls_connection_required",
        Off,
    )
    .unless_created(),
    exposure(
        "oci_containerengine_cluster",
        "endpoint_config[*].is_public_ip_enabled",
        On,
    )
    .serves(Class::Administration),
    exposure(
        "oci_load_balancer_load_balancer|oci_network_load_balancer_network_load_balancer",
        "is_private",
        Off,
    )
    .level(Notice),
    exposure(
        "oci_bastion_bastion",
        "client_cidr_block_allow_list[*]",
        AnySource,
    )
    .serves(Class::Shell),
    exposure("oci_identity_user_group_membership", "user_id", There)
        .what("a member of a group")
        .level(Notice),
    // What guards, records or backs up.
    protection(
        "oci_objectstorage_bucket",
        "versioning",
        order("Disabled|Suspended|Enabled"),
    )
    .level(Critical),
    protection(
        "oci_objectstorage_bucket|oci_core_volume|oci_core_boot_volume|\
         oci_file_storage_file_system",
        "kms_key_id",
        Gone,
    )
    .named("oci_*.kms_key_id gone"),
    protection(
        "oci_mysql_mysql_db_system",
        "backup_policy[*].is_enabled",
        Off,
    )
    .level(Critical),
    protection(
        "oci_mysql_mysql_db_system",
        "backup_policy[*].retention_in_days",
        Lower,
    ),
    protection(
        "oci_mysql_mysql_db_system",
        "deletion_policy[*].is_delete_protected",
        Off,
    )
    .level(Critical),
    protection("oci_mysql_mysql_db_system", "is_highly_available", Off),
    protection(
        "oci_database_autonomous_database",
        "backup_retention_period_in_days",
        Lower,
    ),
    protection(
        "oci_database_autonomous_database",
        "is_local_data_guard_enabled",
        Off,
    ),
    protection(
        "oci_database_database|oci_database_db_system",
        "database[*].db_backup_config[*].auto_backup_enabled",
        Off,
    )
    .level(Critical),
    protection(
        "oci_psql_db_system",
        "management_policy[*].backup_policy[*].kind",
        order("NONE|MONTHLY|WEEKLY|DAILY"),
    )
    .level(Critical),
    protection(
        "oci_core_instance",
        "is_pv_encryption_in_transit_enabled",
        Off,
    ),
    protection("oci_logging_log", "is_enabled", Off),
    protection(
        "oci_cloud_guard_cloud_guard_configuration",
        "status",
        order("DISABLED|ENABLED"),
    )
    .level(Critical),
    unguarded(
        "oci_cloud_guard_target|oci_audit_configuration|\
         oci_core_volume_backup_policy_assignment|oci_waf_web_app_firewall|oci_logging_log|\
         oci_network_firewall_network_firewall",
    ),
    protection("oci_audit_configuration", "retention_period_days", Lower),
    protection("oci_monitoring_alarm", "is_enabled", Off),
    unguarded("oci_monitoring_alarm"),
    // What serves requests.
    // Machines that stop for another size or configuration.
    downtime("oci_core_instance", "shape", Changed)
        .what("the machine restarts, now")
        .in_place(),
    downtime("oci_core_instance", "shape_config[*].ocpus", Changed)
        .what("the machine restarts, now")
        .in_place(),
    downtime(
        "oci_core_instance",
        "shape_config[*].memory_in_gbs",
        Changed,
    )
    .what("the machine restarts, now")
    .in_place(),
    downtime("oci_core_instance", "state", is("STOPPED")).level(Critical),
    interrupted(
        "oci_core_nat_gateway|oci_core_internet_gateway|oci_core_drg|oci_core_ipsec|\
         oci_functions_function|oci_apigateway_gateway|oci_apigateway_deployment|\
         oci_network_load_balancer_network_load_balancer|oci_load_balancer_listener|\
         oci_load_balancer_backend_set|oci_load_balancer_backend|\
         oci_containerengine_node_pool|oci_container_instances_container_instance|\
         oci_dns_rrset",
    )
    .named("oci_*.service"),
    downtime(
        "oci_containerengine_node_pool",
        "node_config_details[*].size",
        Zero,
    )
    .level(Critical),
];
