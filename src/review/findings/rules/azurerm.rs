//! Rules for Azure.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    invoked(
        DataLoss,
        "azurerm_managed_redis_databases_flush",
        "deletes all data of a database",
    ),
    lost("azurerm_mssql_server", "database server").show("version"),
    lost("azurerm_mssql_database", "database").show("sku_name|max_size_gb"),
    lost("azurerm_mssql_managed_instance", "database server").show("sku_name|storage_size_in_gb"),
    lost("azurerm_mssql_managed_database", "database").show("name"),
    lost("azurerm_sql_server", "database server").show("version"),
    lost("azurerm_sql_database", "database").show("edition|max_size_gb"),
    lost("azurerm_postgresql_server", "database server").show("version|sku_name|storage_mb"),
    lost("azurerm_postgresql_database", "database").show("name"),
    lost("azurerm_postgresql_flexible_server", "database server")
        .show("version|sku_name|storage_mb"),
    lost("azurerm_postgresql_flexible_server_database", "database").show("name"),
    lost("azurerm_mysql_server", "database server").show("version|sku_name|storage_mb"),
    lost("azurerm_mysql_flexible_server", "database server").show("version|sku_name"),
    lost("azurerm_mysql_flexible_database", "database").show("name"),
    lost("azurerm_mariadb_server", "database server").show("version|sku_name|storage_mb"),
    lost("azurerm_kusto_cluster", "data warehouse").show("sku.name|sku.capacity"),
    lost("azurerm_kusto_database", "database").show("name"),
    lost("azurerm_synapse_workspace", "data warehouse").show("name"),
    lost("azurerm_synapse_sql_pool", "data warehouse").show("sku_name"),
    lost("azurerm_storage_account", "storage").show("name|account_kind|account_replication_type"),
    lost("azurerm_storage_container", "storage container").show("name"),
    lost("azurerm_storage_blob", "object")
        .show("name|size")
        .level(Warning),
    lost("azurerm_storage_share", "file share").show("name|quota"),
    lost("azurerm_storage_queue", "queue").show("name"),
    lost("azurerm_storage_table", "table").show("name"),
    lost("azurerm_storage_data_lake_gen2_filesystem", "file system").show("name"),
    lost("azurerm_managed_disk", "volume").show("disk_size_gb|storage_account_type"),
    lost("azurerm_snapshot", "snapshot").show("disk_size_gb"),
    lost("azurerm_image", "machine image")
        .show("name")
        .level(Warning),
    lost("azurerm_netapp_volume", "volume").show("storage_quota_in_gb"),
    lost("azurerm_netapp_pool", "volume pool").show("size_in_tb"),
    lost("azurerm_key_vault", "key vault")
        .show("name|purge_protection_enabled|soft_delete_retention_days"),
    lost("azurerm_key_vault_key", "key").show("name|key_type"),
    lost("azurerm_key_vault_secret", "secret")
        .show("name")
        .level(Warning),
    lost("azurerm_key_vault_certificate", "certificate").show("name"),
    lost(
        "azurerm_key_vault_managed_hardware_security_module",
        "key store",
    )
    .show("name|purge_protection_enabled"),
    lost("azurerm_servicebus_namespace", "message broker").show("sku|capacity"),
    lost("azurerm_servicebus_queue", "queue").show("name"),
    lost("azurerm_servicebus_topic", "topic").show("name"),
    lost("azurerm_eventhub_namespace", "message broker").show("sku|capacity"),
    lost("azurerm_eventhub", "stream").show("name|partition_count|message_retention"),
    lost("azurerm_dns_zone", "DNS zone").show("name"),
    lost("azurerm_private_dns_zone", "DNS zone").show("name"),
    lost("azurerm_container_registry", "registry").show("name|sku"),
    lost("azurerm_kubernetes_cluster", "cluster").show("name|kubernetes_version"),
    lost("azurerm_recovery_services_vault", "backups").show("name|soft_delete_enabled"),
    lost("azurerm_data_protection_backup_vault", "backups").show("name|redundancy|soft_delete"),
    lost("azurerm_log_analytics_workspace", "logs").show("sku|retention_in_days"),
    lost("azurerm_application_insights", "logs")
        .show("application_type|retention_in_days")
        .level(Warning),
    lost("azurerm_search_service", "search service")
        .show("sku")
        .level(Warning),
    lost("azurerm_resource_group", "resource group")
        .show("name")
        .level(Warning),
    lost("azurerm_subscription", "subscription").show("subscription_name"),
    lost("azurerm_cosmosdb_account", "database account").show("kind|offer_type"),
    lost("azurerm_cosmosdb_sql_database", "database").show("name|throughput"),
    lost("azurerm_cosmosdb_sql_container", "container").show("name|database_name|throughput"),
    lost("azurerm_cosmosdb_mongo_database", "database").show("name|throughput"),
    lost("azurerm_cosmosdb_mongo_collection", "collection").show("name|database_name"),
    lost("azurerm_cosmosdb_cassandra_*", "database").show("name"),
    lost("azurerm_cosmosdb_gremlin_*", "database").show("name"),
    lost("azurerm_cosmosdb_table", "table").show("name"),
    lost("azurerm_cosmosdb_postgresql_cluster", "database cluster").show("name|node_count"),
    lost("azurerm_mongo_cluster", "database cluster").show("version|storage_size_in_gb"),
    lost("azurerm_redis_cache", "cache")
        .show("sku_name|capacity|family")
        .level(Warning),
    lost("azurerm_redis_enterprise_*", "cache")
        .show("sku_name")
        .level(Warning),
    lost("azurerm_managed_redis", "cache")
        .show("sku_name")
        .level(Warning),
    lost("azurerm_shared_image*", "machine image")
        .show("name")
        .level(Warning),
    lost("azurerm_app_configuration", "settings").show("name|sku|purge_protection_enabled"),
    lost("azurerm_storage_share_file", "file")
        .show("name")
        .level(Warning),
    lost("azurerm_storage_share_directory", "folder")
        .show("name")
        .level(Warning),
    lost("azurerm_netapp_snapshot", "snapshot").show("name"),
    lost("azurerm_netapp_backup_vault", "backups").show("name"),
    lost("azurerm_elastic_san*", "volume").show("name"),
    lost("azurerm_postgresql_flexible_server_backup", "backups").show("name"),
    lost("azurerm_oracle_autonomous_database", "database").show("name"),
    lost("azurerm_servicebus_subscription", "queue").show("name"),
    lost("azurerm_databricks_workspace", "workspace").show("name|sku"),
    lost("azurerm_healthcare_*_service", "data store").show("name"),
    lost("azurerm_machine_learning_workspace", "workspace")
        .show("name")
        .level(Warning),
    lost("azurerm_digital_twins_instance", "data store").show("name"),
    lost("azurerm_data_factory", "data factory")
        .show("name")
        .level(Warning),
    lost("azurerm_iothub", "device registry").show("name"),
    lost("azurerm_virtual_machine", "machine")
        .show("vm_size|delete_os_disk_on_termination|delete_data_disks_on_termination")
        .level(Warning),
    data_loss(
        "azurerm_storage_management_policy",
        "rule[*].actions[*].base_blob[*].delete_after_days_since_modification_greater_than",
        Shorter,
    )
    .level(Critical)
    .only_if(&[Where("..enabled", "true")]),
    data_loss(
        "azurerm_storage_management_policy",
        "rule[*].actions[*].version[*].delete_after_days_since_creation",
        Shorter,
    )
    .level(Critical)
    .only_if(&[Where("..enabled", "true")]),
    data_loss(
        "azurerm_storage_management_policy",
        "rule[*].actions[*].snapshot[*].delete_after_days_since_creation_greater_than",
        Shorter,
    )
    .level(Critical)
    .only_if(&[Where("..enabled", "true")]),
    data_loss(
        "azurerm_storage_management_policy",
        "rule[*].actions[*].base_blob[*].delete_after_days_since_modification_greater_than",
        There,
    )
    .what("objects expire")
    .named("azurerm_storage.expiry")
    .level(Warning)
    .when_created_for_existing(&[("storage_account_id", "azurerm_storage_account")])
    .only_if(&[Where("..enabled", "true")]),
    lost(
        "azurerm_analysis_services_server|azurerm_managed_lustre_file_system|\
         azurerm_qumulo_file_system|azurerm_netapp_volume_group_*|\
         azurerm_log_analytics_cluster|azurerm_oracle_autonomous_database_*|\
         azurerm_hdinsight_*_cluster",
        "data store",
    )
    .show("name")
    .named("azurerm_*.store"),
    lost(
        "azurerm_kubernetes_automatic_cluster|azurerm_redhat_openshift_cluster|\
         azurerm_service_fabric_cluster|azurerm_service_fabric_managed_cluster|\
         azurerm_vmware_cluster|azurerm_arc_kubernetes_provisioned_cluster",
        "cluster",
    )
    .show("name")
    .named("azurerm_*.cluster"),
    lost(
        "azurerm_key_vault_managed_hardware_security_module_key",
        "key",
    )
    .show("name"),
    lost(
        "azurerm_storage_table_entity|azurerm_log_analytics_workspace_table*|\
         azurerm_machine_learning_compute_instance",
        "part of a data store",
    )
    .show("name")
    .named("azurerm_*.part")
    .level(Warning),
    // Actions: what invoking one does.
    lost("azurerm_public_ip", "address")
        .show("ip_address")
        .level(Warning),
    lost("azurerm_public_ip_prefix", "address")
        .show("ip_prefix")
        .level(Warning),
    // Parts of what holds data.
    data_loss("azurerm_data_explorer_table", "column[*].name", Fewer)
        .what("column {} is dropped with its data")
        .in_place(),
    // Who may reach or do more.
    // Networks: who may reach something.
    exposure("azurerm_kubernetes_cluster", "private_cluster_enabled", Off)
        .what("open to the world where no range is configured")
        .named("azurerm_kubernetes_cluster.public by default")
        .level(Warning)
        .without("api_server_access_profile"),
    exposure(
        "azurerm_network_security_group",
        "security_rule[*].source_address_prefix",
        AnySource,
    )
    .only_if(&[Needs("access", "Allow"), Needs("direction", "Inbound")]),
    exposure(
        "azurerm_network_security_group",
        "security_rule[*].source_address_prefixes[*]",
        AnySource,
    )
    .only_if(&[Needs("access", "Allow"), Needs("direction", "Inbound")]),
    exposure(
        "azurerm_network_security_group",
        "security_rule[*].access",
        Deny,
    )
    .only_if(&[Needs("direction", "Inbound")]),
    exposure(
        "azurerm_network_security_rule",
        "source_address_prefix",
        AnySource,
    )
    .only_if(&[Needs("access", "Allow"), Needs("direction", "Inbound")]),
    exposure(
        "azurerm_network_security_rule",
        "source_address_prefixes[*]",
        AnySource,
    )
    .only_if(&[Needs("access", "Allow"), Needs("direction", "Inbound")]),
    exposure("azurerm_network_security_rule", "access", Deny)
        .only_if(&[Needs("direction", "Inbound")]),
    exposure(
        "azurerm_firewall_network_rule_collection",
        "rule[*].source_addresses[*]",
        AnySource,
    )
    .only_if(&[Where(".action", "Allow")]),
    exposure(
        "azurerm_firewall_nat_rule_collection",
        "rule[*].source_addresses[*]",
        AnySource,
    ),
    exposure("azurerm_route", "address_prefix", is("0.0.0.0/0"))
        .what("a route to the internet")
        .only_if(&[Needs("next_hop_type", "Internet")]),
    exposure(
        "azurerm_route_table",
        "route[*].address_prefix",
        is("0.0.0.0/0"),
    )
    .what("a route to the internet")
    .only_if(&[Needs("next_hop_type", "Internet")]),
    exposure(
        "azurerm_network_interface",
        "ip_configuration[*].public_ip_address_id",
        There,
    )
    .what("a public address"),
    exposure(
        "azurerm_*_virtual_machine_scale_set",
        "network_interface[*].ip_configuration[*].public_ip_address[*]",
        There,
    )
    .what("a public address"),
    exposure(
        "azurerm_kubernetes_cluster_node_pool",
        "node_public_ip_enabled",
        On,
    ),
    exposure(
        "azurerm_kubernetes_cluster",
        "default_node_pool[*].node_public_ip_enabled",
        On,
    ),
    exposure(
        "azurerm_storage_account|azurerm_key_vault|azurerm_mssql_server|\
         azurerm_postgresql_*server|azurerm_mysql_server|azurerm_mariadb_server|\
         azurerm_cosmosdb_account|azurerm_redis_cache|\
         azurerm_key_vault_managed_hardware_security_module|azurerm_synapse_workspace|\
         azurerm_kusto_cluster",
        "public_network_access_enabled",
        order("true|false"),
    )
    .serves(Class::Database)
    .unless_created(),
    exposure(
        "azurerm_mysql_flexible_server|azurerm_mongo_cluster|azurerm_managed_redis",
        "public_network_access",
        order("Enabled|Disabled"),
    )
    .serves(Class::Database)
    .unless_created(),
    exposure(
        "azurerm_*",
        "public_network_access_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "azurerm_mssql_managed_instance",
        "public_data_endpoint_enabled",
        On,
    )
    .serves(Class::Database),
    exposure(
        "azurerm_cosmosdb_postgresql_cluster",
        "coordinator_public_ip_access_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "azurerm_storage_account",
        "allow_nested_items_to_be_public",
        order("true|false"),
    )
    .level(Critical)
    .unless_created(),
    exposure("azurerm_storage_account", "allow_blob_public_access", On)
        .level(Critical)
        .unless_created(),
    exposure(
        "azurerm_storage_account",
        "shared_access_key_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "azurerm_storage_account",
        "cross_tenant_replication_enabled",
        On,
    )
    .unless_created(),
    exposure("azurerm_storage_account", "network_rules", Emptied)
        .serves(Class::Data)
        .unless_created(),
    exposure(
        "azurerm_storage_account",
        "network_rules[*].default_action",
        order("Allow|Deny"),
    )
    .serves(Class::Data)
    .unless_created(),
    exposure(
        "azurerm_storage_account",
        "network_rules[*].ip_rules[*]",
        AnySource,
    )
    .serves(Class::Data),
    exposure(
        "azurerm_storage_account_network_rules",
        "default_action",
        order("Allow|Deny"),
    )
    .serves(Class::Data)
    .unless_created(),
    exposure(
        "azurerm_storage_container",
        "container_access_type",
        order("container|blob|private"),
    )
    .serves(Class::Data)
    .unless_created(),
    exposure(
        "azurerm_storage_container",
        "container_access_type",
        is("container|blob"),
    )
    .named("azurerm_storage_container.public")
    .serves(Class::Data),
    exposure(
        "azurerm_key_vault",
        "network_acls[*].default_action",
        order("Allow|Deny"),
    )
    .serves(Class::Data)
    .unless_created(),
    exposure("azurerm_container_registry", "anonymous_pull_enabled", On).serves(Class::Data),
    exposure("azurerm_container_registry", "admin_enabled", On),
    exposure("azurerm_kubernetes_cluster", "private_cluster_enabled", Off).unless_created(),
    exposure("azurerm_kubernetes_cluster", "local_account_disabled", Off).unless_created(),
    exposure(
        "azurerm_kubernetes_cluster",
        "api_server_access_profile[*].authorized_ip_ranges[*]",
        AnySource,
    )
    .serves(Class::Administration),
    exposure(
        "azurerm_kubernetes_cluster",
        "api_server_access_profile[*].authorized_ip_ranges",
        Gone,
    )
    .serves(Class::Administration)
    .unless_created(),
    exposure(
        "azurerm_kubernetes_cluster",
        "api_server_authorized_ip_ranges",
        Gone,
    )
    .serves(Class::Administration)
    .unless_created(),
    exposure("azurerm_*_firewall_rule", "start_ip_address", AnySource)
        .what("database")
        .serves(Class::Database),
    exposure(
        "azurerm_redis_firewall_rule",
        "end_ip",
        is("255.255.255.255"),
    )
    .serves(Class::Database),
    exposure(
        "azurerm_cosmosdb_account",
        "is_virtual_network_filter_enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_cosmosdb_account",
        "ip_range_filter[*]",
        is("0.0.0.0/0"),
    )
    .serves(Class::Database),
    exposure("azurerm_cosmosdb_account", "ip_range_filter", Gone)
        .what("open to all networks")
        .serves(Class::Database)
        .unless_created()
        .only_if(&[
            Where("public_network_access_enabled", "true"),
            Unless("is_virtual_network_filter_enabled", "true"),
        ]),
    exposure(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot",
        "site_config[*].ip_restriction_default_action",
        order("Allow|Deny"),
    )
    .unless_created(),
    exposure(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_app_service|azurerm_function_app",
        "site_config[*].ip_restriction",
        Emptied,
    )
    .unless_created(),
    exposure(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot",
        "site_config[*].remote_debugging_enabled",
        On,
    ),
    exposure(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot",
        "auth_settings_v2[*].require_authentication",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot",
        "auth_settings[*].enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_*",
        "ftp_publish_basic_authentication_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure("azurerm_*", "local_auth_enabled", order("true|false")).unless_created(),
    exposure(
        "azurerm_*",
        "local_authentication_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure("azurerm_container_app", "ingress[*].external_enabled", On).unless_created(),
    exposure(
        "azurerm_container_group",
        "ip_address_type",
        order("Public|Private"),
    )
    .unless_created(),
    exposure(
        "azurerm_container_group",
        "container[*].security[*].privilege_enabled",
        On,
    ),
    exposure(
        "azurerm_web_pubsub_hub",
        "anonymous_connections_enabled",
        On,
    )
    .unless_created(),
    exposure(
        "azurerm_role_assignment",
        "principal_id",
        role(
            "role_definition_name",
            "Owner|Contributor|User Access Administrator|Role Based Access Control Administrator|\
         Key Vault Administrator|Key Vault Secrets Officer|Storage Blob Data Owner|\
         Azure Kubernetes Service RBAC Cluster Admin|\
         Azure Kubernetes Service Cluster Admin Role|Virtual Machine Administrator Login|\
         Storage Account Contributor",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("Owner", Critical),
        ("Role Based Access Control Administrator", Critical),
        ("User Access Administrator", Critical),
    ]),
    exposure(
        "azurerm_role_assignment",
        "principal_id",
        role("role_definition_id", ""),
    )
    .named("azurerm_role_assignment.role_definition_id")
    .serves(Class::Other)
    .levels(&[
        ("Owner", Critical),
        ("Role Based Access Control Administrator", Critical),
        ("User Access Administrator", Critical),
    ])
    .role_names(&[
        (
            "00482a5a-887f-4fb3-b363-3b7fe8e74483",
            "Key Vault Administrator",
        ),
        (
            "0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8",
            "Azure Kubernetes Service Cluster Admin Role",
        ),
        (
            "17d1049b-9a84-46fb-8f53-869881c3d3ab",
            "Storage Account Contributor",
        ),
        (
            "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
            "User Access Administrator",
        ),
        (
            "1c0163c0-47e6-4577-8991-ea5c82e286e4",
            "Virtual Machine Administrator Login",
        ),
        ("8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "Owner"),
        (
            "b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b",
            "Azure Kubernetes Service RBAC Cluster Admin",
        ),
        ("b24988ac-6180-42a0-ab88-20f7382dd24c", "Contributor"),
        (
            "b7e6dc6d-f1e8-4753-8033-0f276bb0955b",
            "Storage Blob Data Owner",
        ),
        (
            "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
            "Key Vault Secrets Officer",
        ),
        (
            "f58310d9-a9f6-439a-9e8d-f62e7b41a168",
            "Role Based Access Control Administrator",
        ),
    ]),
    exposure(
        "azurerm_pim_eligible_role_assignment|azurerm_pim_active_role_assignment",
        "principal_id",
        role("role_definition_id", ""),
    )
    .named("azurerm_pim.role_definition_id")
    .serves(Class::Other)
    .levels(&[
        ("Owner", Critical),
        ("Role Based Access Control Administrator", Critical),
        ("User Access Administrator", Critical),
    ])
    .role_names(&[
        (
            "00482a5a-887f-4fb3-b363-3b7fe8e74483",
            "Key Vault Administrator",
        ),
        (
            "0ab0b1a8-8aac-4efd-b8c2-3ee1fb270be8",
            "Azure Kubernetes Service Cluster Admin Role",
        ),
        (
            "17d1049b-9a84-46fb-8f53-869881c3d3ab",
            "Storage Account Contributor",
        ),
        (
            "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9",
            "User Access Administrator",
        ),
        (
            "1c0163c0-47e6-4577-8991-ea5c82e286e4",
            "Virtual Machine Administrator Login",
        ),
        ("8e3af657-a8ff-443c-a75c-2fe8c4bcb635", "Owner"),
        (
            "b1ff04bb-8a4e-4dc4-8eb5-8693973ce19b",
            "Azure Kubernetes Service RBAC Cluster Admin",
        ),
        ("b24988ac-6180-42a0-ab88-20f7382dd24c", "Contributor"),
        (
            "b7e6dc6d-f1e8-4753-8033-0f276bb0955b",
            "Storage Blob Data Owner",
        ),
        (
            "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
            "Key Vault Secrets Officer",
        ),
        (
            "f58310d9-a9f6-439a-9e8d-f62e7b41a168",
            "Role Based Access Control Administrator",
        ),
    ]),
    exposure(
        "azurerm_key_vault_access_policy",
        "object_id",
        role(
            "secret_permissions[*]",
            "Purge|Delete|Set|Backup|Restore|Recover",
        ),
    )
    .what("rights on secrets")
    .serves(Class::Other),
    exposure(
        "azurerm_key_vault_access_policy",
        "object_id",
        role("key_permissions[*]", "Purge|Delete|Backup|Restore|Recover"),
    )
    .what("rights on keys")
    .serves(Class::Other),
    exposure(
        "azurerm_key_vault_access_policy",
        "object_id",
        role(
            "certificate_permissions[*]",
            "Purge|Delete|Backup|Restore|Recover|ManageIssuers|SetIssuers",
        ),
    )
    .what("rights on certificates")
    .serves(Class::Other),
    exposure(
        "azurerm_key_vault",
        "access_policy[*].object_id",
        role(
            "access_policy[*].secret_permissions[*]",
            "Purge|Delete|Set|Backup|Restore|Recover",
        ),
    )
    .what("rights on secrets")
    .serves(Class::Other),
    exposure(
        "azurerm_key_vault",
        "access_policy[*].object_id",
        role(
            "access_policy[*].key_permissions[*]",
            "Purge|Delete|Backup|Restore|Recover",
        ),
    )
    .what("rights on keys")
    .serves(Class::Other),
    exposure(
        "azurerm_key_vault",
        "access_policy[*].object_id",
        role(
            "access_policy[*].certificate_permissions[*]",
            "Purge|Delete|Backup|Restore|Recover|ManageIssuers|SetIssuers",
        ),
    )
    .what("rights on certificates")
    .serves(Class::Other),
    exposure(
        "azurerm_role_definition",
        "permissions[*].actions[*]",
        is("*|*/write|Microsoft.Authorization/*"),
    )
    .serves(Class::Administration),
    exposure(
        "azurerm_role_definition",
        "permissions[*].not_actions",
        Gone,
    )
    .unless_created()
    .only_if(&[Needs("actions", "*")]),
    exposure(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot|azurerm_function_app_flex_consumption",
        "auth_settings_v2[*].auth_enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_function_app_flex_consumption",
        "auth_settings_v2[*].require_authentication",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_function_app_flex_consumption",
        "auth_settings[*].enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot|azurerm_function_app_flex_consumption",
        "webdeploy_publish_basic_authentication_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "azurerm_redis_cache",
        "redis_configuration[*].authentication_enabled",
        Off,
    )
    .serves(Class::Database)
    .unless_created(),
    exposure(
        "azurerm_redis_cache",
        "access_keys_authentication_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "azurerm_managed_redis",
        "default_database[*].access_keys_authentication_enabled",
        On,
    )
    .unless_created(),
    exposure(
        "azurerm_api_management_product|azurerm_api_management_api",
        "subscription_required",
        Off,
    )
    .unless_created(),
    exposure("azurerm_api_management_product", "approval_required", Off).unless_created(),
    exposure("azurerm_bastion_host", "shareable_link_enabled", On).unless_created(),
    exposure("azurerm_storage_account", "sftp_enabled", On).unless_created(),
    exposure(
        "azurerm_storage_account_local_user",
        "ssh_password_enabled",
        On,
    )
    .unless_created(),
    exposure(
        "azurerm_machine_learning_compute_cluster",
        "ssh_public_access_enabled",
        On,
    ),
    exposure(
        "azurerm_active_directory_domain_service",
        "secure_ldap[*].external_access_enabled",
        On,
    ),
    exposure(
        "azurerm_synapse_workspace",
        "data_exfiltration_protection_enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_container_registry",
        "export_policy_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "azurerm_databricks_workspace",
        "default_storage_firewall_enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_relay_hybrid_connection",
        "requires_client_authorization",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_container_app_environment",
        "internal_load_balancer_enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "azurerm_application_insights",
        "internet_query_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "azurerm_api_management_api",
        "import[*].content_value",
        Routes,
    )
    .what("security"),
    exposure(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_app_service",
        "site_config[*].cors[*].allowed_origins[*]",
        is("*"),
    )
    .what("any site may call it"),
    // What guards, records or backs up.
    protection("azurerm_*", "https_only", Off),
    protection("azurerm_storage_account", "https_traffic_only_enabled", Off),
    protection("azurerm_storage_account", "enable_https_traffic_only", Off),
    protection(
        "azurerm_storage_account",
        "infrastructure_encryption_enabled",
        Off,
    ),
    protection(
        "azurerm_storage_account",
        "blob_properties[*].versioning_enabled",
        Off,
    ),
    protection(
        "azurerm_storage_account",
        "blob_properties[*].delete_retention_policy[*].days",
        Lower,
    ),
    protection(
        "azurerm_storage_account",
        "blob_properties[*].container_delete_retention_policy[*].days",
        Lower,
    ),
    protection(
        "azurerm_storage_account",
        "account_replication_type",
        order("LRS|ZRS|GRS|RAGRS|GZRS|RAGZRS"),
    ),
    protection(
        "azurerm_storage_container_immutability_policy",
        "immutability_period_in_days",
        Lower,
    ),
    protection(
        "azurerm_mssql_database",
        "transparent_data_encryption_enabled",
        Off,
    )
    .level(Critical),
    protection(
        "azurerm_mssql_database|azurerm_mssql_elasticpool",
        "zone_redundant",
        Off,
    ),
    protection(
        "azurerm_mssql_database",
        "threat_detection_policy[*].state",
        order("Disabled|Enabled"),
    ),
    protection(
        "azurerm_mssql_database",
        "short_term_retention_policy[*].retention_days",
        Lower,
    ),
    protection("azurerm_mssql_database", "long_term_retention_policy", Gone),
    protection(
        "azurerm_mssql_*_security_alert_policy",
        "state",
        order("Disabled|Enabled"),
    ),
    protection("azurerm_mssql_*_extended_auditing_policy", "enabled", Off).level(Critical),
    protection(
        "azurerm_mssql_server",
        "azuread_administrator[*].azuread_authentication_only",
        Off,
    ),
    protection(
        "azurerm_postgresql_server|azurerm_mysql_server|azurerm_mariadb_server",
        "ssl_enforcement_enabled",
        Off,
    ),
    protection(
        "azurerm_postgresql_*server|azurerm_mysql_*server|azurerm_mariadb_server",
        "geo_redundant_backup_enabled",
        Off,
    ),
    protection(
        "azurerm_postgresql_flexible_server|azurerm_mysql_flexible_server",
        "high_availability[*]",
        Gone,
    ),
    protection(
        "azurerm_postgresql_*configuration|azurerm_mysql_*configuration",
        "value",
        order("off|OFF|none|on|ON|all"),
    )
    .only_if(&[Needs(
        "name",
        "require_secure_transport|log_connections|log_disconnections|\
         connection_throttle.enable|audit_log_enabled|pgaudit.log",
    )]),
    protection("azurerm_redis_cache", "non_ssl_port_enabled", On),
    protection("azurerm_redis_cache", "enable_non_ssl_port", On),
    protection(
        "azurerm_cosmosdb_account",
        "backup[*].type",
        order("Periodic|Continuous"),
    ),
    protection(
        "azurerm_cosmosdb_account",
        "backup[*].retention_in_hours",
        Lower,
    ),
    protection("azurerm_key_vault", "enable_rbac_authorization", Off),
    protection("azurerm_key_vault", "rbac_authorization_enabled", Off),
    protection("azurerm_key_vault_key", "rotation_policy", Gone),
    protection(
        "azurerm_recovery_services_vault|azurerm_data_protection_backup_vault",
        "immutability",
        order("Disabled|Unlocked|Locked"),
    ),
    protection(
        "azurerm_recovery_services_vault",
        "storage_mode_type",
        order("LocallyRedundant|ZoneRedundant|GeoRedundant"),
    ),
    protection(
        "azurerm_data_protection_backup_vault",
        "soft_delete",
        order("Off|On|AlwaysOn"),
    )
    .level(Critical),
    protection(
        "azurerm_backup_policy_vm|azurerm_backup_policy_file_share",
        "retention_daily[*].count",
        Lower,
    ),
    protection(
        "azurerm_backup_policy_vm|azurerm_backup_policy_file_share",
        "retention_weekly[*].count",
        Lower,
    ),
    protection(
        "azurerm_backup_policy_vm|azurerm_backup_policy_file_share",
        "retention_monthly[*].count",
        Lower,
    ),
    protection(
        "azurerm_kubernetes_cluster",
        "role_based_access_control_enabled",
        Off,
    ),
    protection("azurerm_kubernetes_cluster", "azure_policy_enabled", Off),
    protection("azurerm_kubernetes_cluster", "oms_agent", Gone),
    protection("azurerm_kubernetes_cluster", "microsoft_defender", Gone),
    protection(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot",
        "site_config[*].minimum_tls_version",
        order("1.0|1.1|1.2|1.3"),
    ),
    protection(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot|azurerm_app_service",
        "site_config[*].ftps_state",
        order("AllAllowed|FtpsOnly|Disabled"),
    ),
    protection(
        "azurerm_*_web_app|azurerm_*_function_app",
        "client_certificate_enabled",
        Off,
    ),
    protection(
        "azurerm_*_web_app|azurerm_*_function_app",
        "backup[*].enabled",
        Off,
    ),
    protection(
        "azurerm_container_app",
        "ingress[*].allow_insecure_connections",
        On,
    ),
    protection(
        "azurerm_container_registry",
        "quarantine_policy_enabled",
        Off,
    ),
    protection("azurerm_container_registry", "trust_policy_enabled", Off),
    protection(
        "azurerm_linux_virtual_machine*",
        "disable_password_authentication",
        Off,
    ),
    protection(
        "azurerm_*_virtual_machine|azurerm_*_virtual_machine_scale_set",
        "encryption_at_host_enabled",
        Off,
    )
    .level(Critical),
    protection(
        "azurerm_*_virtual_machine|azurerm_*_virtual_machine_scale_set",
        "secure_boot_enabled",
        Off,
    ),
    protection(
        "azurerm_virtual_network",
        "ddos_protection_plan[*].enable",
        Off,
    ),
    protection(
        "azurerm_firewall_policy",
        "threat_intelligence_mode",
        order("Off|Alert|Deny"),
    ),
    protection(
        "azurerm_firewall",
        "threat_intel_mode",
        order("Off|Alert|Deny"),
    ),
    protection(
        "azurerm_firewall_policy",
        "intrusion_detection[*].mode",
        order("Off|Alert|Deny"),
    ),
    protection(
        "azurerm_web_application_firewall_policy",
        "policy_settings[*].enabled",
        Off,
    ),
    protection(
        "azurerm_web_application_firewall_policy",
        "policy_settings[*].mode",
        order("Detection|Prevention"),
    ),
    protection(
        "azurerm_application_gateway",
        "waf_configuration[*].enabled",
        Off,
    ),
    protection(
        "azurerm_application_gateway",
        "waf_configuration[*].firewall_mode",
        order("Detection|Prevention"),
    ),
    protection("azurerm_application_gateway", "firewall_policy_id", Gone),
    protection(
        "azurerm_cdn_frontdoor_firewall_policy|azurerm_frontdoor_firewall_policy",
        "enabled",
        Off,
    ),
    protection(
        "azurerm_cdn_frontdoor_firewall_policy|azurerm_frontdoor_firewall_policy",
        "mode",
        order("Detection|Prevention"),
    ),
    protection("azurerm_cdn_frontdoor_route", "https_redirect_enabled", Off),
    protection(
        "azurerm_monitor_metric_alert|azurerm_monitor_activity_log_alert|\
         azurerm_monitor_scheduled_query_rules_alert*|\
         azurerm_monitor_smart_detector_alert_rule|azurerm_monitor_action_group|\
         azurerm_application_insights_*web_test|azurerm_sentinel_alert_rule_*|\
         azurerm_network_watcher_flow_log",
        "enabled",
        Off,
    ),
    protection(
        "azurerm_monitor_metric_alert|azurerm_monitor_scheduled_query_rules_alert_v2",
        "criteria[*].threshold",
        Higher,
    )
    .only_if(&[Needs("operator", "GreaterThan*")]),
    protection(
        "azurerm_monitor_metric_alert|azurerm_monitor_scheduled_query_rules_alert_v2",
        "criteria[*].threshold",
        Lower,
    )
    .named("azurerm_monitor_*.threshold, below")
    .only_if(&[Needs("operator", "LessThan*")]),
    protection(
        "azurerm_monitor_metric_alert|azurerm_monitor_activity_log_alert",
        "action[*].action_group_id",
        Fewer,
    ),
    protection(
        "azurerm_monitor_scheduled_query_rules_alert_v2",
        "action[*].action_groups[*]",
        Fewer,
    ),
    protection(
        "azurerm_monitor_diagnostic_setting",
        "enabled_log[*].category",
        Fewer,
    ),
    protection("azurerm_monitor_diagnostic_setting", "log[*].enabled", Off),
    protection(
        "azurerm_security_center_subscription_pricing",
        "tier",
        order("Free|Standard"),
    ),
    protection(
        "azurerm_security_center_auto_provisioning",
        "auto_provision",
        order("Off|On"),
    ),
    protection("azurerm_security_center_setting", "enabled", Off),
    protection(
        "azurerm_security_center_contact",
        "alert_notifications",
        Off,
    ),
    protection("azurerm_*policy_assignment", "enforce", Off),
    protection("azurerm_*_policy_exemption", "policy_assignment_id", There)
        .what("an exception from a policy")
        .when_created(),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded("azurerm_management_lock").guards(&[(
        "scope",
        "azurerm_resource_group|azurerm_storage_account|azurerm_key_vault|\
         azurerm_mssql_server|azurerm_mssql_database|azurerm_postgresql_flexible_server|\
         azurerm_mysql_flexible_server|azurerm_cosmosdb_account|azurerm_redis_cache|\
         azurerm_virtual_network|azurerm_subnet|azurerm_network_security_group|\
         azurerm_public_ip|azurerm_application_gateway|azurerm_firewall|azurerm_lb|\
         azurerm_kubernetes_cluster|azurerm_linux_virtual_machine|\
         azurerm_windows_virtual_machine|azurerm_virtual_machine|azurerm_managed_disk|\
         azurerm_recovery_services_vault|azurerm_container_registry|azurerm_dns_zone|\
         azurerm_private_dns_zone|azurerm_log_analytics_workspace|\
         azurerm_servicebus_namespace|azurerm_eventhub_namespace|\
         azurerm_virtual_network_gateway|azurerm_linux_web_app|azurerm_windows_web_app",
    )]),
    unguarded("azurerm_monitor_diagnostic_setting").guards(&[(
        "target_resource_id",
        "azurerm_resource_group|azurerm_storage_account|azurerm_key_vault|\
         azurerm_mssql_server|azurerm_mssql_database|azurerm_postgresql_flexible_server|\
         azurerm_mysql_flexible_server|azurerm_cosmosdb_account|azurerm_redis_cache|\
         azurerm_virtual_network|azurerm_subnet|azurerm_network_security_group|\
         azurerm_public_ip|azurerm_application_gateway|azurerm_firewall|azurerm_lb|\
         azurerm_kubernetes_cluster|azurerm_linux_virtual_machine|\
         azurerm_windows_virtual_machine|azurerm_virtual_machine|azurerm_managed_disk|\
         azurerm_recovery_services_vault|azurerm_container_registry|azurerm_dns_zone|\
         azurerm_private_dns_zone|azurerm_log_analytics_workspace|\
         azurerm_servicebus_namespace|azurerm_eventhub_namespace|\
         azurerm_virtual_network_gateway|azurerm_linux_web_app|azurerm_windows_web_app",
    )]),
    unguarded("azurerm_security_center_subscription_pricing"),
    unguarded("azurerm_backup_protected_vm").guards(&[(
        "source_vm_id",
        "azurerm_linux_virtual_machine|azurerm_windows_virtual_machine|\
         azurerm_virtual_machine",
    )]),
    unguarded("azurerm_backup_policy_vm"),
    unguarded("azurerm_network_watcher_flow_log").guards(&[
        (
            "network_security_group_id",
            "azurerm_network_security_group",
        ),
        (
            "target_resource_id",
            "azurerm_virtual_network|azurerm_subnet|azurerm_network_interface|\
         azurerm_network_security_group",
        ),
    ]),
    unguarded("azurerm_mssql_database_extended_auditing_policy")
        .guards(&[("database_id", "azurerm_mssql_database")])
        .level(Critical),
    unguarded("azurerm_mssql_server_extended_auditing_policy")
        .guards(&[("server_id", "azurerm_mssql_server")])
        .level(Critical),
    unguarded("azurerm_web_application_firewall_policy"),
    unguarded("azurerm_storage_account_network_rules")
        .guards(&[("storage_account_id", "azurerm_storage_account")]),
    unguarded("azurerm_subnet_network_security_group_association")
        .guards(&[("subnet_id", "azurerm_subnet")]),
    unguarded("azurerm_network_interface_security_group_association")
        .guards(&[("network_interface_id", "azurerm_network_interface")]),
    unguarded("azurerm_policy_assignment").guards(&[("scope", "azurerm_resource_group")]),
    unguarded("azurerm_resource_group_policy_assignment")
        .guards(&[("resource_group_id", "azurerm_resource_group")]),
    unguarded("azurerm_subscription_policy_assignment")
        .guards(&[("subscription_id", "azurerm_subscription.subscription_id")]),
    unguarded(
        "azurerm_monitor_metric_alert|azurerm_monitor_scheduled_query_rules_alert|\
         azurerm_monitor_scheduled_query_rules_alert_v2|azurerm_monitor_activity_log_alert",
    )
    .guards(&[(
        "scopes",
        "azurerm_resource_group|azurerm_storage_account|azurerm_key_vault|\
         azurerm_mssql_server|azurerm_mssql_database|azurerm_postgresql_flexible_server|\
         azurerm_mysql_flexible_server|azurerm_cosmosdb_account|azurerm_redis_cache|\
         azurerm_virtual_network|azurerm_subnet|azurerm_network_security_group|\
         azurerm_public_ip|azurerm_application_gateway|azurerm_firewall|azurerm_lb|\
         azurerm_kubernetes_cluster|azurerm_linux_virtual_machine|\
         azurerm_windows_virtual_machine|azurerm_virtual_machine|azurerm_managed_disk|\
         azurerm_recovery_services_vault|azurerm_container_registry|azurerm_dns_zone|\
         azurerm_private_dns_zone|azurerm_log_analytics_workspace|\
         azurerm_servicebus_namespace|azurerm_eventhub_namespace|\
         azurerm_virtual_network_gateway|azurerm_linux_web_app|azurerm_windows_web_app",
    )]),
    unguarded(
        "azurerm_monitor_action_group|azurerm_monitor_smart_detector_alert_rule|\
         azurerm_sentinel_alert_rule_*|azurerm_application_insights_*web_test|\
         azurerm_security_center_contact|azurerm_security_center_auto_provisioning|\
         azurerm_network_watcher|azurerm_network_ddos_protection_plan|\
         azurerm_cdn_frontdoor_firewall_policy|azurerm_frontdoor_firewall_policy|\
         azurerm_cdn_frontdoor_security_policy",
    ),
    unguarded("azurerm_mssql_*_security_alert_policy|azurerm_mssql_*_vulnerability_assessment")
        .guards(&[
            ("managed_instance_name", "azurerm_mssql_managed_instance"),
            ("server_name", "azurerm_mssql_server"),
        ]),
    unguarded("azurerm_mssql_server_transparent_data_encryption")
        .guards(&[("server_id", "azurerm_mssql_server")]),
    unguarded("azurerm_management_group_policy_assignment|azurerm_resource_policy_assignment")
        .guards(&[(
            "resource_id",
            "azurerm_resource_group|azurerm_storage_account|azurerm_key_vault|\
         azurerm_mssql_server|azurerm_mssql_database|azurerm_postgresql_flexible_server|\
         azurerm_mysql_flexible_server|azurerm_cosmosdb_account|azurerm_redis_cache|\
         azurerm_virtual_network|azurerm_subnet|azurerm_network_security_group|\
         azurerm_public_ip|azurerm_application_gateway|azurerm_firewall|azurerm_lb|\
         azurerm_kubernetes_cluster|azurerm_linux_virtual_machine|\
         azurerm_windows_virtual_machine|azurerm_virtual_machine|azurerm_managed_disk|\
         azurerm_recovery_services_vault|azurerm_container_registry|azurerm_dns_zone|\
         azurerm_private_dns_zone|azurerm_log_analytics_workspace|\
         azurerm_servicebus_namespace|azurerm_eventhub_namespace|\
         azurerm_virtual_network_gateway|azurerm_linux_web_app|azurerm_windows_web_app",
        )]),
    unguarded("azurerm_backup_protected_file_share")
        .guards(&[("source_storage_account_id", "azurerm_storage_account")]),
    unguarded("azurerm_backup_policy_file_share"),
    unguarded("azurerm_data_protection_backup_instance_*").guards(&[
        ("disk_id", "azurerm_managed_disk"),
        ("kubernetes_cluster_id", "azurerm_kubernetes_cluster"),
        (
            "server_id",
            "azurerm_postgresql_flexible_server|azurerm_mysql_flexible_server",
        ),
        ("storage_account_id", "azurerm_storage_account"),
    ]),
    unguarded("azurerm_storage_container_immutability_policy").guards(&[(
        "storage_container_resource_manager_id",
        "azurerm_storage_container",
    )]),
    unguarded("azurerm_dns_caa_record").guards(&[("zone_name", "azurerm_dns_zone")]),
    unguarded("azurerm_dns_txt_record")
        .guards(&[("zone_name", "azurerm_dns_zone")])
        .only_if(&[Needs("name", "_dmarc*")]),
    protection(
        "azurerm_network_watcher_flow_log",
        "retention_policy[*].days",
        Lower,
    ),
    protection(
        "azurerm_kubernetes_cluster",
        "network_profile[*].network_policy",
        Emptied,
    ),
    protection(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_*_web_app_slot|\
         azurerm_*_function_app_slot|azurerm_function_app_flex_consumption",
        "auth_settings_v2[*].require_https",
        Off,
    ),
    protection(
        "azurerm_role_management_policy",
        "activation_rules[*].require_multifactor_authentication",
        Off,
    ),
    protection(
        "azurerm_role_management_policy",
        "activation_rules[*].require_approval",
        Off,
    ),
    protection(
        "azurerm_role_management_policy",
        "active_assignment_rules[*].expiration_required",
        Off,
    ),
    protection(
        "azurerm_role_management_policy",
        "activation_rules[*].require_justification",
        Off,
    )
    .level(Notice),
    protection(
        "azurerm_api_management",
        "security[*].backend_ssl30_enabled",
        On,
    ),
    protection(
        "azurerm_api_management",
        "security[*].backend_tls10_enabled",
        On,
    ),
    protection(
        "azurerm_api_management",
        "security[*].backend_tls11_enabled",
        On,
    ),
    protection(
        "azurerm_api_management",
        "security[*].frontend_ssl30_enabled",
        On,
    ),
    protection(
        "azurerm_api_management",
        "security[*].frontend_tls10_enabled",
        On,
    ),
    protection(
        "azurerm_api_management",
        "security[*].frontend_tls11_enabled",
        On,
    ),
    protection(
        "azurerm_api_management",
        "security[*].triple_des_ciphers_enabled",
        On,
    ),
    protection(
        "azurerm_active_directory_domain_service",
        "security[*].tls_v1_enabled",
        On,
    ),
    protection(
        "azurerm_api_management_backend",
        "tls[*].validate_certificate_chain",
        Off,
    ),
    protection(
        "azurerm_api_management_backend",
        "tls[*].validate_certificate_name",
        Off,
    ),
    protection(
        "azurerm_cdn_frontdoor_origin",
        "certificate_name_check_enabled",
        Off,
    ),
    protection("azurerm_kusto_cluster", "disk_encryption_enabled", Off),
    protection("azurerm_synapse_sql_pool", "data_encrypted", Off).level(Critical),
    protection("azurerm_synapse_sql_pool", "geo_backup_policy_enabled", Off),
    protection("azurerm_mssql_database", "geo_backup_enabled", Off),
    protection("azurerm_cosmosdb_postgresql_cluster", "ha_enabled", Off),
    protection("azurerm_managed_redis", "high_availability_enabled", Off),
    protection(
        "azurerm_linux_virtual_machine|azurerm_windows_virtual_machine|\
         azurerm_linux_virtual_machine_scale_set|azurerm_windows_virtual_machine_scale_set",
        "vtpm_enabled",
        Off,
    )
    .level(Notice),
    protection(
        "azurerm_web_application_firewall_policy",
        "policy_settings[*].request_body_enforcement",
        Off,
    ),
    protection(
        "azurerm_cdn_frontdoor_firewall_policy",
        "request_body_check_enabled",
        Off,
    ),
    protection(
        "azurerm_application_gateway",
        "waf_configuration[*].request_body_check",
        Off,
    ),
    protection(
        "azurerm_nginx_deployment",
        "web_application_firewall[*].activation_state_enabled",
        Off,
    ),
    protection(
        "azurerm_monitor_alert_prometheus_rule_group",
        "rule_group_enabled",
        Off,
    ),
    protection(
        "azurerm_recovery_services_vault",
        "monitoring[*].alerts_for_critical_operation_failures_enabled",
        Off,
    )
    .level(Notice),
    protection(
        "azurerm_recovery_services_vault",
        "monitoring[*].alerts_for_all_job_failures_enabled",
        Off,
    )
    .level(Notice),
    protection("azurerm_security_center_contact", "alerts_to_admins", Off),
    protection(
        "azurerm_sentinel_alert_rule_nrt|azurerm_sentinel_alert_rule_scheduled",
        "suppression_enabled",
        On,
    )
    .level(Notice),
    protection("azurerm_bastion_host", "session_recording_enabled", Off),
    protection(
        "azurerm_disk_encryption_set",
        "auto_key_rotation_enabled",
        Off,
    ),
    protection("azurerm_virtual_wan", "disable_vpn_encryption", On),
    protection(
        "azurerm_virtual_machine",
        "delete_os_disk_on_termination",
        On,
    )
    .level(Notice),
    protection(
        "azurerm_virtual_machine",
        "delete_data_disks_on_termination",
        On,
    )
    .level(Notice),
    // Copies of data, and points of recovery.
    protection(
        "azurerm_cosmosdb_account",
        "geo_location[*].location",
        Fewer,
    )
    .what("the copy in {} is deleted")
    .in_place(),
    protection(
        "azurerm_container_registry",
        "georeplications[*].location",
        Fewer,
    )
    .what("the copy in {} is deleted")
    .in_place(),
    protection("azurerm_eventhub", "message_retention", Lower)
        .what("messages go earlier")
        .in_place(),
    // What serves requests.
    downtime("azurerm_dns_mx_record", "record[*].exchange", Changed).what("mail goes elsewhere"),
    downtime("azurerm_dns_ns_record", "records[*]", Fewer).what("the delegation loses a server"),
    interrupted(
        "azurerm_linux_virtual_machine|azurerm_windows_virtual_machine|\
         azurerm_virtual_machine|azurerm_*_virtual_machine_scale_set|\
         azurerm_kubernetes_cluster|azurerm_kubernetes_cluster_node_pool|\
         azurerm_linux_web_app|azurerm_windows_web_app|azurerm_app_service|\
         azurerm_linux_function_app|azurerm_windows_function_app|azurerm_function_app|\
         azurerm_function_app_flex_consumption|azurerm_logic_app_standard|\
         azurerm_service_plan|azurerm_container_app|azurerm_container_app_environment|\
         azurerm_container_group|azurerm_static_web_app|azurerm_spring_cloud_app|\
         azurerm_redhat_openshift_cluster|azurerm_service_fabric_cluster|\
         azurerm_eventgrid_topic|azurerm_mssql_elasticpool|azurerm_route_server",
    )
    .named("azurerm_*.compute"),
    interrupted(
        "azurerm_mssql_server|azurerm_mssql_database|azurerm_mssql_managed_instance|\
         azurerm_postgresql_server|azurerm_postgresql_flexible_server|azurerm_mysql_server|\
         azurerm_mysql_flexible_server|azurerm_cosmosdb_account|azurerm_redis_cache|\
         azurerm_managed_redis|azurerm_search_service|azurerm_servicebus_namespace|\
         azurerm_eventhub_namespace",
    )
    .named("azurerm_*.database"),
    interrupted(
        "azurerm_lb|azurerm_lb_rule|azurerm_application_gateway|azurerm_firewall|\
         azurerm_nat_gateway|azurerm_bastion_host|azurerm_virtual_network_gateway|\
         azurerm_virtual_network_gateway_connection|azurerm_virtual_network_peering|\
         azurerm_express_route_circuit|azurerm_express_route_gateway|azurerm_vpn_gateway|\
         azurerm_private_endpoint|azurerm_private_dns_zone_virtual_network_link|\
         azurerm_traffic_manager_profile|azurerm_cdn_frontdoor_profile|\
         azurerm_cdn_frontdoor_endpoint|azurerm_cdn_frontdoor_route|azurerm_frontdoor|\
         azurerm_cdn_endpoint|azurerm_api_management|azurerm_api_management_api",
    )
    .named("azurerm_*.network"),
    interrupted(
        "azurerm_dns_a_record|azurerm_dns_aaaa_record|azurerm_dns_cname_record|\
         azurerm_dns_mx_record|azurerm_dns_ns_record|azurerm_dns_srv_record|\
         azurerm_private_dns_a_record|azurerm_private_dns_cname_record|\
         azurerm_private_dns_srv_record",
    )
    .named("azurerm_*.dns"),
    downtime("azurerm_*_virtual_machine_scale_set", "instances", Zero).level(Critical),
    downtime("azurerm_kubernetes_cluster_node_pool", "node_count", Zero).level(Critical),
    downtime("azurerm_kubernetes_cluster_node_pool", "min_count", Zero),
    downtime("azurerm_service_plan", "worker_count", Zero).level(Critical),
    downtime("azurerm_container_app", "template[*].max_replicas", Zero).level(Critical),
    downtime(
        "azurerm_*_web_app|azurerm_*_function_app|azurerm_app_service",
        "enabled",
        Off,
    )
    .level(Critical),
    downtime(
        "azurerm_postgresql_flexible_server|azurerm_mysql_flexible_server",
        "version",
        Major,
    ),
    // Actions: what invoking one does.
    invoked(Downtime, "azurerm_virtual_machine_power", "stops a machine")
        .only_if(&[Needs("power_action", "power_off")]),
    invoked(
        Downtime,
        "azurerm_virtual_machine_power",
        "restarts a machine",
    )
    .only_if(&[Needs("power_action", "restart")]),
    // Machines that stop for another size or configuration.
    downtime(
        "azurerm_linux_virtual_machine|azurerm_windows_virtual_machine",
        "size",
        Changed,
    )
    .what("the machine restarts, now")
    .in_place(),
    downtime("azurerm_virtual_machine", "vm_size", Changed)
        .what("the machine restarts, now")
        .in_place(),
    // Databases: now, or in the window.
    downtime(
        "azurerm_postgresql_flexible_server|azurerm_mysql_flexible_server",
        "sku_name",
        Changed,
    )
    .what("the database restarts, now")
    .in_place(),
    downtime(
        "azurerm_service_plan|azurerm_mssql_database|azurerm_mssql_managed_instance|\
         azurerm_redis_cache",
        "sku_name",
        Changed,
    )
    .what("connections break off for a moment")
    .level(Notice)
    .in_place(),
    // All at once.
    downtime(
        "azurerm_kubernetes_cluster",
        "default_node_pool[*].vm_size",
        Changed,
    )
    .what("all nodes of the pool are replaced")
    .in_place(),
    // What queries and callers use.
    downtime(
        "azurerm_cdn_frontdoor_route",
        "cdn_frontdoor_custom_domain_ids[*]",
        Fewer,
    )
    .what("a host is no longer served")
    .in_place(),
    // Versions that go back.
    downtime(
        "azurerm_postgresql_flexible_server|azurerm_mysql_flexible_server|\
         azurerm_mssql_server",
        "version",
        Downgrade,
    )
    .named("azurerm_*.version back")
    .in_place(),
    downtime(
        "azurerm_kubernetes_cluster",
        "kubernetes_version",
        Downgrade,
    )
    .in_place(),
    downtime(
        "azurerm_kubernetes_cluster_node_pool",
        "orchestrator_version",
        Downgrade,
    )
    .in_place(),
    downtime(
        "azurerm_linux_web_app|azurerm_windows_web_app|azurerm_linux_function_app|\
         azurerm_windows_function_app",
        "site_config[*].application_stack[*].dotnet_version",
        Downgrade,
    )
    .level(Notice)
    .in_place(),
    downtime(
        "azurerm_linux_web_app|azurerm_windows_web_app|azurerm_linux_function_app|\
         azurerm_windows_function_app",
        "site_config[*].application_stack[*].node_version",
        Downgrade,
    )
    .level(Notice)
    .in_place(),
    downtime(
        "azurerm_linux_web_app|azurerm_linux_function_app",
        "site_config[*].application_stack[*].python_version",
        Downgrade,
    )
    .level(Notice)
    .in_place(),
    // Capacity that somebody or something else has set since.
    downtime(
        "azurerm_kubernetes_cluster_node_pool",
        "node_count",
        Reverts,
    )
    .named("azurerm_kubernetes_cluster_node_pool.node_count undone"),
    downtime(
        "azurerm_kubernetes_cluster",
        "default_node_pool[*].node_count",
        Reverts,
    ),
    downtime("azurerm_*_virtual_machine_scale_set", "instances", Reverts)
        .named("azurerm_*.instances undone"),
    downtime("azurerm_service_plan", "worker_count", Reverts)
        .named("azurerm_service_plan.worker_count undone"),
    downtime(
        "azurerm_eventhub_namespace|azurerm_servicebus_namespace",
        "capacity",
        Reverts,
    ),
    // What decides, and is known only after apply.
    unknown("azurerm_network_security_rule", "source_address_prefix")
        .when_created()
        .only_if(&[Where("access", "Allow"), Where("direction", "Inbound")]),
    unknown(
        "azurerm_network_security_group",
        "security_rule[*].source_address_prefix",
    )
    .when_created()
    .only_if(&[Where("access", "Allow"), Where("direction", "Inbound")]),
    unknown("azurerm_role_assignment", "principal_id"),
    unknown("azurerm_role_assignment", "role_definition_id"),
    unknown("azurerm_key_vault", "access_policy"),
    unknown("azurerm_*_firewall_rule", "end_ip_address"),
    unknown("azurerm_kubernetes_cluster", "api_server_access_profile"),
];
