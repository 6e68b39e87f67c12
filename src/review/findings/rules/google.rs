//! Rules for Google Cloud.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("google_sql_database_instance", "database server")
        .show("database_version|settings.tier|settings.disk_size|deletion_protection"),
    lost("google_sql_database", "database").show("name|instance|deletion_policy"),
    lost("google_spanner_instance", "database server")
        .show("config|num_nodes|processing_units|force_destroy"),
    lost("google_spanner_database", "database").show("name|database_dialect|deletion_protection"),
    lost("google_bigtable_instance", "database server").show("name|deletion_protection"),
    lost("google_bigtable_table", "table").show("name|deletion_protection"),
    lost("google_firestore_database", "database").show("name|type|delete_protection_state"),
    lost("google_firestore_document", "document")
        .show("collection")
        .level(Warning),
    lost("google_alloydb_cluster", "database cluster")
        .show("database_version|deletion_policy|deletion_protection"),
    lost("google_alloydb_instance", "database")
        .show("instance_type")
        .level(Warning),
    lost("google_redis_instance", "cache")
        .show("redis_version|tier|memory_size_gb")
        .level(Warning),
    lost("google_redis_cluster", "cache")
        .show("shard_count|replica_count|deletion_protection_enabled")
        .level(Warning),
    lost("google_memcache_instance", "cache")
        .show("memcache_version|node_count")
        .level(Warning),
    lost("google_bigquery_dataset", "dataset")
        .show("dataset_id|location|delete_contents_on_destroy"),
    lost("google_bigquery_table", "table").show("dataset_id|table_id|deletion_protection"),
    lost("google_storage_bucket", "bucket").show("name|storage_class|force_destroy"),
    lost("google_storage_bucket_object", "object")
        .show("bucket|name")
        .level(Warning),
    lost("google_compute_disk", "volume").show("size|type|create_snapshot_before_destroy"),
    lost("google_compute_region_disk", "volume").show("size|type|create_snapshot_before_destroy"),
    lost("google_compute_snapshot", "snapshot").show("disk_size_gb|source_disk"),
    lost("google_compute_image", "machine image")
        .show("name|disk_size_gb")
        .level(Warning),
    lost("google_filestore_instance", "file system").show("tier|deletion_protection_enabled"),
    lost("google_kms_crypto_key", "key").show("name|purpose|destroy_scheduled_duration"),
    lost("google_kms_crypto_key_version", "key"),
    lost("google_secret_manager_secret", "secret").show("secret_id|deletion_protection"),
    lost("google_secret_manager_secret_version", "secret")
        .show("deletion_policy")
        .level(Warning),
    lost("google_pubsub_topic", "topic")
        .show("name|message_retention_duration")
        .level(Warning),
    lost("google_pubsub_subscription", "queue").show("name|message_retention_duration"),
    lost("google_pubsub_lite_topic", "topic")
        .show("name")
        .level(Warning),
    lost("google_dns_managed_zone", "DNS zone").show("dns_name|visibility|force_destroy"),
    lost("google_container_registry", "registry").show("location"),
    lost("google_sourcerepo_repository", "repository").show("name"),
    lost("google_container_cluster", "cluster").show("name|min_master_version|deletion_protection"),
    lost("google_logging_project_bucket_config", "logs").show("bucket_id|retention_days"),
    lost("google_project", "project").show("project_id|deletion_policy"),
    lost("google_folder", "folder")
        .show("display_name|deletion_protection")
        .level(Warning),
    lost("google_healthcare_dataset", "dataset").show("name"),
    lost("google_dataproc_cluster", "cluster")
        .show("name")
        .level(Warning),
    lost("google_backup_dr_backup_vault", "backups").show("backup_vault_id|force_delete"),
    lost("google_alloydb_backup", "backups").show("backup_id|type"),
    lost("google_filestore_backup", "backups").show("source_instance"),
    lost("google_filestore_snapshot", "snapshot").show("instance"),
    lost("google_netapp_volume", "volume").show("capacity_gib|deletion_policy"),
    lost("google_netapp_volume_snapshot", "snapshot").show("volume_name"),
    lost("google_netapp_storage_pool", "volume pool").show("capacity_gib"),
    lost("google_netapp_backup*", "backups").show("name"),
    lost("google_parallelstore_instance", "file system").show("capacity_gib"),
    lost("google_lustre_instance", "file system").show("capacity_gib"),
    lost("google_compute_machine_image", "machine image")
        .show("name")
        .level(Warning),
    lost("google_compute_storage_pool", "volume pool").show("pool_provisioned_capacity_gb"),
    lost("google_secret_manager_regional_secret", "secret").show("secret_id|deletion_protection"),
    lost("google_secret_manager_regional_secret_version", "secret")
        .show("deletion_policy")
        .level(Warning),
    lost(
        "google_privateca_certificate_authority",
        "certificate authority",
    )
    .show("certificate_authority_id|type|deletion_protection"),
    lost("google_privateca_ca_pool", "certificate authority").show("name|tier"),
    lost("google_memorystore_instance", "cache")
        .show("shard_count|replica_count|deletion_protection_enabled")
        .level(Warning),
    lost("google_managed_kafka_cluster", "message broker").show("cluster_id"),
    lost("google_managed_kafka_topic", "topic").show("topic_id|partition_count"),
    lost("google_dataproc_metastore_service", "data catalogue")
        .show("service_id|deletion_protection"),
    lost("google_composer_environment", "environment")
        .show("name")
        .level(Warning),
    lost("google_workbench_instance", "machine with its disks")
        .show("machine_type")
        .level(Warning),
    lost("google_notebooks_instance", "machine with its disks")
        .show("machine_type")
        .level(Warning),
    lost("google_identity_platform_tenant", "user directory").show("display_name"),
    lost("google_apigee_organization", "organization").show("retention"),
    lost("google_healthcare_*_store", "data store").show("name"),
    lost("google_vertex_ai_featurestore", "feature store").show("name|force_destroy"),
    lost("google_vertex_ai_index", "search index")
        .show("display_name")
        .level(Warning),
    lost("google_artifact_registry_repository", "registry").show("repository_id|format"),
    lost("google_logging_folder_bucket_config", "logs").show("bucket_id|retention_days"),
    lost("google_logging_organization_bucket_config", "logs").show("bucket_id|retention_days"),
    lost("google_firebase_database_instance", "database").show("instance_id|type"),
    lost("google_oracle_database_autonomous_database", "database")
        .show("database|deletion_protection"),
    lost("google_storage_managed_folder", "folder")
        .show("name|force_destroy")
        .level(Warning),
    lost("google_discovery_engine_data_store", "data store")
        .show("data_store_id")
        .level(Warning),
    data_loss(
        "google_storage_bucket",
        "lifecycle_rule[*].condition[*].age",
        Shorter,
    )
    .level(Critical)
    .only_if(&[Needs("..action.type", "Delete")]),
    data_loss(
        "google_storage_bucket",
        "lifecycle_rule[*].condition[*].age",
        There,
    )
    .what("objects expire")
    .named("google_storage_bucket.expiry")
    .level(Warning)
    .only_if(&[Needs("..action.type", "Delete")]),
    data_loss(
        "google_kms_crypto_key_version",
        "state",
        is("DESTROYED|DESTROY_SCHEDULED"),
    ),
    data_loss(
        "google_secret_manager_secret|google_secret_manager_regional_secret",
        "expire_time",
        There,
    )
    .what("the secret expires")
    .level(Warning),
    data_loss("google_bigquery_table", "expiration_time", There)
        .what("the table expires")
        .level(Warning),
    data_loss(
        "google_secret_manager_secret_version|google_secret_manager_regional_secret_version",
        "enabled",
        Off,
    )
    .level(Warning),
    lost(
        "google_biglake_database|google_biglake_table|google_cloud_tasks_queue|\
         google_vertex_ai_feature_online_store",
        "derived data",
    )
    .show("name")
    .named("google_*.derived")
    .level(Warning),
    lost(
        "google_secure_source_manager_instance|google_secure_source_manager_repository",
        "repository",
    )
    .named("google_*.repository"),
    lost(
        "google_container_aws_cluster|google_container_azure_cluster|\
         google_container_attached_cluster|google_gkeonprem_*_cluster|\
         google_edgecontainer_cluster|google_vmwareengine_cluster",
        "cluster",
    )
    .show("name")
    .named("google_*.cluster"),
    lost(
        "google_looker_instance|google_spanner_instance_partition|\
         google_compute_instant_snapshot|google_oracle_database_cloud_vm_cluster",
        "data store",
    )
    .show("name")
    .named("google_*.store"),
    // Actions: what invoking one does.
    data_loss(
        "google_storage_bucket",
        "lifecycle_rule[*].action[*].type",
        is("Delete"),
    )
    .what("objects are deleted")
    .level(Warning),
    data_loss(
        "google_bigquery_dataset",
        "default_table_expiration_ms",
        There,
    )
    .what("tables expire")
    .level(Warning),
    lost(
        "google_compute_address|google_compute_global_address",
        "address",
    )
    .show("address")
    .level(Warning),
    // Parts of what holds data.
    data_loss("google_bigquery_table", "schema[*].name", Fewer)
        .what("column {} is dropped with its data")
        .in_place(),
    data_loss("google_bigtable_table", "column_family[*].family", Fewer)
        .what("column family {} is deleted with its data")
        .in_place(),
    data_loss(
        "google_spanner_database",
        "ddl[*]",
        is("DROP TABLE*|ALTER TABLE*DROP COLUMN*"),
    )
    .what("a statement drops data: {}")
    .in_place(),
    data_loss("google_redis_instance", "memory_size_gb", Changed)
        .what("the cache is emptied")
        .level(Warning)
        .in_place()
        .only_if(&[Needs("tier", "BASIC")]),
    data_loss("google_bigtable_gc_policy", "max_age[*].duration", Lower)
        .what("cells are deleted earlier")
        .level(Warning)
        .in_place(),
    data_loss("google_bigtable_gc_policy", "max_version[*].number", Lower)
        .what("fewer versions of cells stay")
        .level(Warning)
        .in_place(),
    // Who may reach or do more.
    exposure("google_compute_firewall", "source_ranges[*]", AnySource).only_if(&[
        Where(".deny", ""),
        Where(".direction", "INGRESS"),
        Where(".disabled", "false"),
    ]),
    exposure("google_compute_firewall", "deny", Deny),
    exposure("google_compute_firewall", "target_tags", Gone)
        .what("for all machines of the network")
        .unless_created()
        .only_if(&[
            Where(".deny", ""),
            Where(".direction", "INGRESS"),
            Where(".disabled", "false"),
        ]),
    exposure("google_compute_firewall", "target_service_accounts", Gone)
        .what("for all machines of the network")
        .unless_created()
        .only_if(&[
            Where(".deny", ""),
            Where(".direction", "INGRESS"),
            Where(".disabled", "false"),
        ]),
    exposure(
        "google_compute_firewall_policy_rule|google_compute_network_firewall_policy_rule|\
         google_compute_region_network_firewall_policy_rule",
        "match[*].src_ip_ranges[*]",
        AnySource,
    )
    .only_if(&[Needs(".action", "allow"), Needs(".direction", "INGRESS")]),
    exposure(
        "google_compute_firewall_policy_rule|google_compute_network_firewall_policy_rule|\
         google_compute_region_network_firewall_policy_rule",
        "action",
        Deny,
    ),
    exposure("google_app_engine_firewall_rule", "source_range", AnySource)
        .only_if(&[Needs(".action", "ALLOW")]),
    exposure("google_compute_route", "dest_range", is("0.0.0.0/0|::/0"))
        .what("a route to the internet")
        .only_if(&[Needs("next_hop_gateway", "*default-internet-gateway")]),
    exposure(
        "google_dns_managed_zone",
        "visibility",
        order("public|private"),
    )
    .what("the names of a private zone become public")
    .unless_created(),
    exposure(
        "google_compute_instance|google_compute_instance_template|\
         google_compute_region_instance_template|google_compute_instance_from_template",
        "network_interface[*].access_config[*]",
        There,
    )
    .what("a public address"),
    exposure(
        "google_compute_instance|google_compute_instance_template|\
         google_compute_region_instance_template",
        "network_interface[*].ipv6_access_config[*]",
        There,
    )
    .what("a public address"),
    exposure(
        "google_compute_instance",
        "metadata['serial-port-enable']",
        is("TRUE|true|1"),
    )
    .unless_created(),
    exposure(
        "google_sql_database_instance",
        "settings[*].ip_configuration[*].authorized_networks[*].value",
        AnySource,
    )
    .serves(Class::Database)
    .only_if(&[Unless("..ipv4_enabled", "false")]),
    exposure(
        "google_sql_database_instance",
        "settings[*].ip_configuration[*].ipv4_enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "google_alloydb_instance",
        "network_config[*].enable_public_ip",
        On,
    ),
    exposure(
        "google_alloydb_instance",
        "network_config[*].authorized_external_networks[*].cidr_range",
        AnySource,
    )
    .serves(Class::Database),
    exposure("google_looker_instance", "public_ip_enabled", On).unless_created(),
    exposure(
        "google_vertex_ai_index_endpoint",
        "public_endpoint_enabled",
        On,
    )
    .unless_created(),
    exposure("google_notebooks_instance", "no_public_ip", Off).unless_created(),
    exposure(
        "google_workbench_instance",
        "gce_setup[*].disable_public_ip",
        Off,
    )
    .unless_created(),
    exposure(
        "google_dataproc_cluster",
        "cluster_config[*].gce_cluster_config[*].internal_ip_only",
        Off,
    )
    .unless_created(),
    exposure(
        "google_container_cluster",
        "master_authorized_networks_config",
        Gone,
    )
    .serves(Class::Administration)
    .unless_created(),
    exposure(
        "google_container_cluster",
        "master_authorized_networks_config[*].cidr_blocks[*].cidr_block",
        AnySource,
    )
    .serves(Class::Administration),
    exposure(
        "google_container_cluster",
        "private_cluster_config[*].enable_private_endpoint",
        Off,
    )
    .unless_created(),
    exposure(
        "google_container_cluster",
        "private_cluster_config[*].enable_private_nodes",
        Off,
    )
    .unless_created(),
    exposure(
        "google_container_node_pool",
        "network_config[*].enable_private_nodes",
        Off,
    )
    .unless_created(),
    exposure(
        "google_container_cluster",
        "control_plane_endpoints_config[*].dns_endpoint_config[*].allow_external_traffic",
        On,
    )
    .unless_created(),
    exposure("google_container_cluster", "enable_legacy_abac", On).serves(Class::Administration),
    exposure(
        "google_container_cluster",
        "master_auth[*].client_certificate_config[*].issue_client_certificate",
        On,
    ),
    exposure(
        "google_storage_bucket",
        "public_access_prevention",
        order("inherited|enforced"),
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "google_storage_bucket_acl|google_storage_object_acl",
        "predefined_acl",
        is("publicRead|publicReadWrite|authenticatedRead"),
    )
    .serves(Class::Data),
    exposure(
        "google_storage_bucket_acl|google_storage_default_object_acl|\
         google_storage_object_acl",
        "role_entity[*]",
        is(
            "READER:allUsers|WRITER:allUsers|OWNER:allUsers|READER:allAuthenticatedUsers|\
         WRITER:allAuthenticatedUsers|OWNER:allAuthenticatedUsers",
        ),
    )
    .serves(Class::Data),
    exposure(
        "google_storage_*_access_control",
        "entity",
        is("allUsers|allAuthenticatedUsers"),
    )
    .serves(Class::Data),
    exposure(
        "google_bigquery_dataset",
        "access[*].special_group",
        is("allAuthenticatedUsers"),
    )
    .serves(Class::Data),
    exposure("google_bigquery_dataset", "access[*].domain", There)
        .serves(Class::Data)
        .unless_created(),
    exposure("google_bigquery_dataset_access", "domain", There).serves(Class::Data),
    exposure(
        "google_bigquery_dataset",
        "access[*].iam_member",
        is("allUsers|allAuthenticatedUsers|domain:*"),
    )
    .serves(Class::Data),
    exposure(
        "google_bigquery_dataset_access",
        "special_group",
        is("allAuthenticatedUsers"),
    )
    .serves(Class::Data),
    exposure(
        "google_bigquery_dataset_access",
        "iam_member",
        is("allUsers|allAuthenticatedUsers|domain:*"),
    )
    .serves(Class::Data),
    exposure(
        "google_cloud_run*_iam_binding|google_cloudfunctions*_iam_binding|\
         google_iap_*_iam_binding|google_endpoints_*_iam_binding",
        "members[*]",
        is("allUsers|allAuthenticatedUsers|domain:*"),
    ),
    exposure(
        "google_cloud_run*_iam_member|google_cloudfunctions*_iam_member|\
         google_iap_*_iam_member|google_endpoints_*_iam_member",
        "member",
        is("allUsers|allAuthenticatedUsers|domain:*"),
    ),
    exposure(
        "google_project_iam_binding|google_folder_iam_binding|\
         google_organization_iam_binding|google_storage*_iam_binding|\
         google_bigquery*_iam_binding|google_secret_manager*_iam_binding|\
         google_kms*_iam_binding|google_pubsub*_iam_binding|\
         google_service_account_iam_binding|google_compute*_iam_binding|\
         google_artifact_registry*_iam_binding|google_spanner*_iam_binding|\
         google_bigtable*_iam_binding|google_healthcare*_iam_binding|\
         google_sourcerepo*_iam_binding|google_data*_iam_binding|google_billing*_iam_binding",
        "members[*]",
        is("allUsers|allAuthenticatedUsers|domain:*"),
    )
    .serves(Class::Data),
    exposure(
        "google_project_iam_member|google_folder_iam_member|google_organization_iam_member|\
         google_storage*_iam_member|google_bigquery*_iam_member|\
         google_secret_manager*_iam_member|google_kms*_iam_member|google_pubsub*_iam_member|\
         google_service_account_iam_member|google_compute*_iam_member|\
         google_artifact_registry*_iam_member|google_spanner*_iam_member|\
         google_bigtable*_iam_member|google_healthcare*_iam_member|\
         google_sourcerepo*_iam_member|google_data*_iam_member|google_billing*_iam_member",
        "member",
        is("allUsers|allAuthenticatedUsers|domain:*"),
    )
    .serves(Class::Data),
    exposure(
        "google_project_iam_binding|google_folder_iam_binding|\
         google_organization_iam_binding|google_billing_account_iam_binding|\
         google_service_account_iam_binding",
        "members[*]",
        role(
            "role",
            "roles/owner|roles/editor|roles/iam.securityAdmin|\
         roles/iam.serviceAccountTokenCreator|roles/iam.serviceAccountKeyAdmin|\
         roles/iam.serviceAccountAdmin|roles/iam.organizationRoleAdmin|roles/iam.roleAdmin|\
         roles/iam.workloadIdentityPoolAdmin|roles/resourcemanager.organizationAdmin|\
         roles/resourcemanager.projectIamAdmin|roles/resourcemanager.folderAdmin|\
         roles/resourcemanager.folderIamAdmin|roles/orgpolicy.policyAdmin|\
         roles/billing.admin|roles/container.admin|roles/container.clusterAdmin|\
         roles/cloudkms.admin|roles/cloudsql.admin|roles/secretmanager.admin|\
         roles/storage.admin|roles/bigquery.admin|roles/compute.admin|\
         roles/compute.instanceAdmin.v1|roles/logging.admin|\
         roles/accesscontextmanager.policyAdmin",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("roles/editor", Critical),
        ("roles/iam.securityAdmin", Critical),
        ("roles/iam.serviceAccountTokenCreator", Critical),
        ("roles/owner", Critical),
        ("roles/resourcemanager.folderIamAdmin", Critical),
        ("roles/resourcemanager.organizationAdmin", Critical),
        ("roles/resourcemanager.projectIamAdmin", Critical),
    ]),
    exposure(
        "google_*_iam_binding",
        "members[*]",
        role(
            "role",
            "roles/owner|roles/editor|roles/iam.securityAdmin|\
         roles/iam.serviceAccountTokenCreator|roles/iam.serviceAccountKeyAdmin|\
         roles/iam.serviceAccountAdmin|roles/iam.organizationRoleAdmin|roles/iam.roleAdmin|\
         roles/iam.workloadIdentityPoolAdmin|roles/resourcemanager.organizationAdmin|\
         roles/resourcemanager.projectIamAdmin|roles/resourcemanager.folderAdmin|\
         roles/resourcemanager.folderIamAdmin|roles/orgpolicy.policyAdmin|\
         roles/billing.admin|roles/container.admin|roles/container.clusterAdmin|\
         roles/cloudkms.admin|roles/cloudsql.admin|roles/secretmanager.admin|\
         roles/storage.admin|roles/bigquery.admin|roles/compute.admin|\
         roles/compute.instanceAdmin.v1|roles/logging.admin|\
         roles/accesscontextmanager.policyAdmin",
        ),
    )
    .serves(Class::Other),
    exposure(
        "google_project_iam_member|google_folder_iam_member|google_organization_iam_member",
        "member",
        role(
            "role",
            "roles/iam.serviceAccountUser|roles/iam.serviceAccountOpenIdTokenCreator|\
         roles/cloudbuild.builds.editor|roles/deploymentmanager.editor|roles/compute.admin|\
         roles/compute.instanceAdmin|roles/compute.instanceAdmin.v1|\
         roles/compute.networkAdmin|roles/compute.securityAdmin|roles/container.admin|\
         roles/cloudfunctions.admin|roles/run.admin|roles/secretmanager.admin|\
         roles/secretmanager.secretAccessor|roles/storage.admin|roles/bigquery.admin|\
         roles/bigquery.dataOwner|roles/cloudsql.admin|roles/cloudkms.admin|\
         roles/logging.admin|roles/datastore.owner|roles/spanner.admin|roles/dns.admin",
        ),
    )
    .named("google_*_iam_member.project"),
    exposure(
        "google_project_iam_binding|google_folder_iam_binding|google_organization_iam_binding",
        "members[*]",
        role(
            "role",
            "roles/iam.serviceAccountUser|roles/iam.serviceAccountOpenIdTokenCreator|\
         roles/cloudbuild.builds.editor|roles/deploymentmanager.editor|roles/compute.admin|\
         roles/compute.instanceAdmin|roles/compute.instanceAdmin.v1|\
         roles/compute.networkAdmin|roles/compute.securityAdmin|roles/container.admin|\
         roles/cloudfunctions.admin|roles/run.admin|roles/secretmanager.admin|\
         roles/secretmanager.secretAccessor|roles/storage.admin|roles/bigquery.admin|\
         roles/bigquery.dataOwner|roles/cloudsql.admin|roles/cloudkms.admin|\
         roles/logging.admin|roles/datastore.owner|roles/spanner.admin|roles/dns.admin",
        ),
    )
    .named("google_*_iam_binding.project"),
    exposure(
        "google_project_iam_member|google_folder_iam_member|google_organization_iam_member|\
         google_billing_account_iam_member|google_service_account_iam_member",
        "member",
        role(
            "role",
            "roles/owner|roles/editor|roles/iam.securityAdmin|\
         roles/iam.serviceAccountTokenCreator|roles/iam.serviceAccountKeyAdmin|\
         roles/iam.serviceAccountAdmin|roles/iam.organizationRoleAdmin|roles/iam.roleAdmin|\
         roles/iam.workloadIdentityPoolAdmin|roles/resourcemanager.organizationAdmin|\
         roles/resourcemanager.projectIamAdmin|roles/resourcemanager.folderAdmin|\
         roles/resourcemanager.folderIamAdmin|roles/orgpolicy.policyAdmin|\
         roles/billing.admin|roles/container.admin|roles/container.clusterAdmin|\
         roles/cloudkms.admin|roles/cloudsql.admin|roles/secretmanager.admin|\
         roles/storage.admin|roles/bigquery.admin|roles/compute.admin|\
         roles/compute.instanceAdmin.v1|roles/logging.admin|\
         roles/accesscontextmanager.policyAdmin",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("roles/editor", Critical),
        ("roles/iam.securityAdmin", Critical),
        ("roles/iam.serviceAccountTokenCreator", Critical),
        ("roles/owner", Critical),
        ("roles/resourcemanager.folderIamAdmin", Critical),
        ("roles/resourcemanager.organizationAdmin", Critical),
        ("roles/resourcemanager.projectIamAdmin", Critical),
    ]),
    exposure(
        "google_*_iam_member",
        "member",
        role(
            "role",
            "roles/owner|roles/editor|roles/iam.securityAdmin|\
         roles/iam.serviceAccountTokenCreator|roles/iam.serviceAccountKeyAdmin|\
         roles/iam.serviceAccountAdmin|roles/iam.organizationRoleAdmin|roles/iam.roleAdmin|\
         roles/iam.workloadIdentityPoolAdmin|roles/resourcemanager.organizationAdmin|\
         roles/resourcemanager.projectIamAdmin|roles/resourcemanager.folderAdmin|\
         roles/resourcemanager.folderIamAdmin|roles/orgpolicy.policyAdmin|\
         roles/billing.admin|roles/container.admin|roles/container.clusterAdmin|\
         roles/cloudkms.admin|roles/cloudsql.admin|roles/secretmanager.admin|\
         roles/storage.admin|roles/bigquery.admin|roles/compute.admin|\
         roles/compute.instanceAdmin.v1|roles/logging.admin|\
         roles/accesscontextmanager.policyAdmin",
        ),
    )
    .serves(Class::Other),
    exposure(
        "google_cloud_run*_iam_policy|google_cloudfunctions*_iam_policy|\
         google_iap_*_iam_policy|google_endpoints_*_iam_policy",
        "policy_data.bindings[*].members[*]",
        role_for(
            "policy_data.bindings[*].role",
            "roles/*",
            "allUsers|allAuthenticatedUsers|domain:*",
        ),
    ),
    exposure(
        "google_*_iam_policy",
        "policy_data.bindings[*].members[*]",
        role_for(
            "policy_data.bindings[*].role",
            "roles/*",
            "allUsers|allAuthenticatedUsers|domain:*",
        ),
    )
    .named("google_*_iam_policy.everybody")
    .serves(Class::Data),
    exposure(
        "google_project_iam_policy|google_folder_iam_policy|google_organization_iam_policy|\
         google_billing_account_iam_policy|google_service_account_iam_policy",
        "policy_data.bindings[*].members[*]",
        role(
            "policy_data.bindings[*].role",
            "roles/owner|roles/editor|roles/iam.securityAdmin|\
         roles/iam.serviceAccountTokenCreator|roles/iam.serviceAccountKeyAdmin|\
         roles/iam.serviceAccountAdmin|roles/iam.organizationRoleAdmin|roles/iam.roleAdmin|\
         roles/iam.workloadIdentityPoolAdmin|roles/resourcemanager.organizationAdmin|\
         roles/resourcemanager.projectIamAdmin|roles/resourcemanager.folderAdmin|\
         roles/resourcemanager.folderIamAdmin|roles/orgpolicy.policyAdmin|\
         roles/billing.admin|roles/container.admin|roles/container.clusterAdmin|\
         roles/cloudkms.admin|roles/cloudsql.admin|roles/secretmanager.admin|\
         roles/storage.admin|roles/bigquery.admin|roles/compute.admin|\
         roles/compute.instanceAdmin.v1|roles/logging.admin|\
         roles/accesscontextmanager.policyAdmin",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("roles/editor", Critical),
        ("roles/iam.securityAdmin", Critical),
        ("roles/iam.serviceAccountTokenCreator", Critical),
        ("roles/owner", Critical),
        ("roles/resourcemanager.folderIamAdmin", Critical),
        ("roles/resourcemanager.organizationAdmin", Critical),
        ("roles/resourcemanager.projectIamAdmin", Critical),
    ]),
    exposure(
        "google_*_iam_policy",
        "policy_data.bindings[*].members[*]",
        role(
            "policy_data.bindings[*].role",
            "roles/owner|roles/editor|roles/iam.securityAdmin|\
         roles/iam.serviceAccountTokenCreator|roles/iam.serviceAccountKeyAdmin|\
         roles/iam.serviceAccountAdmin|roles/iam.organizationRoleAdmin|roles/iam.roleAdmin|\
         roles/iam.workloadIdentityPoolAdmin|roles/resourcemanager.organizationAdmin|\
         roles/resourcemanager.projectIamAdmin|roles/resourcemanager.folderAdmin|\
         roles/resourcemanager.folderIamAdmin|roles/orgpolicy.policyAdmin|\
         roles/billing.admin|roles/container.admin|roles/container.clusterAdmin|\
         roles/cloudkms.admin|roles/cloudsql.admin|roles/secretmanager.admin|\
         roles/storage.admin|roles/bigquery.admin|roles/compute.admin|\
         roles/compute.instanceAdmin.v1|roles/logging.admin|\
         roles/accesscontextmanager.policyAdmin",
        ),
    )
    .serves(Class::Other),
    exposure(
        "google_cloud_run_v2_service",
        "ingress",
        order(
            "INGRESS_TRAFFIC_ALL|INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER|\
         INGRESS_TRAFFIC_INTERNAL_ONLY",
        ),
    )
    .unless_created(),
    exposure("google_cloud_run_v2_service", "invoker_iam_disabled", On),
    exposure(
        "google_cloud_run_service",
        "metadata[*].annotations['run.googleapis.com/ingress']",
        order("all|internal-and-cloud-load-balancing|internal"),
    )
    .unless_created(),
    exposure(
        "google_cloudfunctions_function",
        "ingress_settings",
        order("ALLOW_ALL|ALLOW_INTERNAL_AND_GCLB|ALLOW_INTERNAL_ONLY"),
    )
    .unless_created(),
    exposure(
        "google_cloudfunctions2_function",
        "service_config[*].ingress_settings",
        order("ALLOW_ALL|ALLOW_INTERNAL_AND_GCLB|ALLOW_INTERNAL_ONLY"),
    )
    .unless_created(),
    exposure(
        "google_compute_backend_service|google_compute_region_backend_service",
        "iap[*].enabled",
        Off,
    )
    .unless_created(),
    // Who is let in by what is created.
    exposure(
        "google_compute_instance|google_compute_instance_template",
        "service_account[*].scopes[*]",
        is("cloud-platform|https://www.googleapis.com/auth/cloud-platform"),
    )
    .level(Notice)
    .unless_created(),
    exposure(
        "google_compute_instance|google_compute_instance_template",
        "service_account[*].email",
        Changed,
    )
    .level(Notice)
    .unless_created(),
    exposure("google_service_account_key", "service_account_id", There)
        .what("a permanent credential")
        .level(Notice),
    exposure(
        "google_compute_backend_service|google_compute_region_backend_service",
        "iap",
        Gone,
    )
    .level(Warning),
    exposure(
        "google_compute_backend_service|google_compute_region_backend_service",
        "iap[*].enabled",
        Off,
    )
    .level(Warning)
    .unless_created(),
    exposure("google_compute_firewall", "disabled", On)
        .what("a rule that denies")
        .level(Warning)
        .unless_created()
        .only_if(&[Needs("allow", "")]),
    exposure(
        "google_iam_workload_identity_pool_provider|google_iam_workforce_pool_provider",
        "attribute_condition",
        Gone,
    )
    .level(Critical),
    exposure(
        "google_project_iam_custom_role|google_organization_iam_custom_role",
        "permissions[*]",
        is(
            "resourcemanager.projects.setIamPolicy|resourcemanager.folders.setIamPolicy|\
         resourcemanager.organizations.setIamPolicy|iam.roles.update|\
         iam.serviceAccounts.actAs|iam.serviceAccounts.getAccessToken|\
         iam.serviceAccounts.setIamPolicy|iam.serviceAccountKeys.create|\
         deploymentmanager.deployments.create",
        ),
    )
    .serves(Class::Administration),
    exposure(
        "google_cloudbuild_worker_pool",
        "worker_config[*].no_external_ip",
        Off,
    )
    .unless_created(),
    exposure(
        "google_composer_environment",
        "config[*].private_environment_config[*].enable_private_endpoint",
        Off,
    )
    .unless_created(),
    exposure(
        "google_composer_environment",
        "config[*].enable_private_environment",
        Off,
    )
    .unless_created(),
    exposure(
        "google_composer_environment",
        "config[*].master_authorized_networks_config[*].enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "google_secure_source_manager_instance",
        "private_config[*].is_private",
        Off,
    )
    .unless_created(),
    exposure("google_app_engine_application", "iap[*].enabled", Off).unless_created(),
    exposure(
        "google_identity_platform_config",
        "sign_in[*].anonymous[*].enabled",
        On,
    )
    .unless_created(),
    exposure("google_container_cluster", "allow_net_admin", On),
    exposure(
        "google_compute_firewall_policy_rule|google_compute_network_firewall_policy_rule|\
         google_compute_region_network_firewall_policy_rule",
        "disabled",
        On,
    )
    .unless_created()
    .only_if(&[Needs("action", "deny")]),
    exposure("google_endpoints_service", "openapi_config", Routes).what("security"),
    exposure(
        "google_api_gateway_api_config",
        "openapi_documents[*].document[*].contents",
        Routes,
    )
    .what("security"),
    // What guards, records or backs up.
    protection("google_kms_crypto_key", "rotation_period", Higher),
    protection(
        "google_project",
        "deletion_policy",
        order("DELETE|ABANDON|PREVENT"),
    )
    .level(Critical),
    protection("google_spanner_database", "version_retention_period", Lower),
    protection(
        "google_compute_instance*|google_cloud_run_*|google_workflows_workflow|google_folder|\
         google_bigtable_*_view",
        "deletion_protection",
        Off,
    )
    .level(Warning),
    protection(
        "google_sql_database_instance",
        "settings[*].deletion_protection_enabled",
        Off,
    )
    .level(Critical),
    protection(
        "google_sql_database_instance",
        "settings[*].backup_configuration[*].enabled",
        Off,
    )
    .level(Critical),
    protection(
        "google_sql_database_instance",
        "settings[*].backup_configuration[*].point_in_time_recovery_enabled",
        Off,
    ),
    protection(
        "google_sql_database_instance",
        "settings[*].backup_configuration[*].binary_log_enabled",
        Off,
    ),
    protection(
        "google_sql_database_instance",
        "settings[*].backup_configuration[*].transaction_log_retention_days",
        Lower,
    ),
    protection(
        "google_sql_database_instance",
        "settings[*].backup_configuration[*].backup_retention_settings[*].retained_backups",
        Lower,
    ),
    protection(
        "google_sql_database_instance",
        "settings[*].availability_type",
        order("ZONAL|REGIONAL"),
    ),
    protection(
        "google_sql_database_instance",
        "settings[*].ip_configuration[*].require_ssl",
        Off,
    ),
    protection(
        "google_sql_database_instance",
        "settings[*].ip_configuration[*].ssl_mode",
        order("ALLOW_UNENCRYPTED_AND_ENCRYPTED|ENCRYPTED_ONLY|TRUSTED_CLIENT_CERTIFICATE_REQUIRED"),
    ),
    protection(
        "google_alloydb_cluster",
        "automated_backup_policy[*].enabled",
        Off,
    )
    .level(Critical),
    protection(
        "google_alloydb_cluster",
        "continuous_backup_config[*].enabled",
        Off,
    ),
    protection("google_storage_bucket", "versioning[*].enabled", Off),
    protection("google_storage_bucket", "uniform_bucket_level_access", Off),
    protection("google_storage_bucket", "retention_policy[*]", Gone),
    protection(
        "google_storage_bucket",
        "retention_policy[*].retention_period",
        Lower,
    ),
    protection(
        "google_storage_bucket",
        "retention_policy[*].is_locked",
        Off,
    ),
    protection("google_storage_bucket", "logging[*]", Gone),
    protection("google_storage_bucket", "encryption[*]", Gone),
    protection(
        "google_storage_bucket",
        "soft_delete_policy[*].retention_duration_seconds",
        Lower,
    ),
    protection(
        "google_compute_instance|google_compute_instance_template|\
         google_compute_instance_from_template",
        "shielded_instance_config[*].enable_secure_boot",
        Off,
    ),
    protection(
        "google_compute_instance|google_compute_instance_template|\
         google_compute_instance_from_template",
        "shielded_instance_config[*].enable_integrity_monitoring",
        Off,
    ),
    protection(
        "google_compute_instance|google_compute_project_metadata",
        "metadata['enable-oslogin']",
        order("FALSE|false|TRUE|true"),
    ),
    protection(
        "google_compute_subnetwork|google_compute_firewall",
        "log_config[*]",
        Gone,
    ),
    protection(
        "google_compute_security_policy|google_compute_region_security_policy",
        "rule[*].action",
        order("allow|deny*"),
    ),
    protection(
        "google_compute_security_policy_rule|google_compute_region_security_policy_rule",
        "action",
        order("allow|deny*"),
    ),
    protection(
        "google_compute_backend_service|google_compute_region_backend_service|\
         google_compute_router_nat",
        "log_config[*].enable",
        Off,
    ),
    protection(
        "google_compute_ssl_policy|google_compute_region_ssl_policy",
        "min_tls_version",
        order("TLS_1_0|TLS_1_1|TLS_1_2"),
    ),
    protection(
        "google_compute_ssl_policy|google_compute_region_ssl_policy",
        "profile",
        order("COMPATIBLE|MODERN|RESTRICTED"),
    ),
    protection("google_compute_backend_service", "security_policy", Gone),
    protection("google_compute_target_https_proxy", "ssl_policy", Gone),
    protection(
        "google_compute_security_policy",
        "adaptive_protection_config[*].layer_7_ddos_defense_config[*].enable",
        Off,
    ),
    protection(
        "google_container_cluster",
        "logging_service",
        order("none|logging.googleapis.com/kubernetes"),
    ),
    protection(
        "google_container_cluster",
        "monitoring_service",
        order("none|monitoring.googleapis.com/kubernetes"),
    ),
    protection(
        "google_container_cluster",
        "logging_config[*].enable_components[*]",
        Fewer,
    ),
    protection("google_container_cluster", "enable_shielded_nodes", Off),
    protection("google_container_cluster", "network_policy[*].enabled", Off),
    protection(
        "google_container_cluster",
        "binary_authorization[*].evaluation_mode",
        order("DISABLED|PROJECT_SINGLETON_POLICY_ENFORCE"),
    ),
    protection(
        "google_container_cluster",
        "database_encryption[*].state",
        order("DECRYPTED|ENCRYPTED"),
    ),
    protection("google_container_cluster", "workload_identity_config", Gone),
    protection(
        "google_container_cluster",
        "security_posture_config[*].mode",
        order("DISABLED|BASIC|ENTERPRISE"),
    ),
    protection(
        "google_container_node_pool",
        "management[*].auto_upgrade",
        Off,
    ),
    protection(
        "google_container_node_pool",
        "management[*].auto_repair",
        Off,
    ),
    protection(
        "google_container_node_pool",
        "node_config[*].shielded_instance_config[*].enable_secure_boot",
        Off,
    ),
    protection("google_kms_crypto_key", "rotation_period", Gone),
    protection(
        "google_kms_crypto_key_version",
        "state",
        order("DISABLED|ENABLED"),
    ),
    protection("google_redis_instance", "auth_enabled", Off),
    protection("google_redis_instance", "tier", order("BASIC|STANDARD_HA")),
    protection(
        "google_redis_instance",
        "transit_encryption_mode",
        order("DISABLED|SERVER_AUTHENTICATION"),
    ),
    protection(
        "google_redis_instance",
        "persistence_config[*].persistence_mode",
        order("DISABLED|RDB"),
    ),
    protection("google_spanner_database", "enable_drop_protection", Off).level(Critical),
    protection(
        "google_firestore_database",
        "delete_protection_state",
        order("DELETE_PROTECTION_DISABLED|DELETE_PROTECTION_ENABLED"),
    )
    .level(Critical),
    protection(
        "google_firestore_database",
        "point_in_time_recovery_enablement",
        order("POINT_IN_TIME_RECOVERY_DISABLED|POINT_IN_TIME_RECOVERY_ENABLED"),
    ),
    protection(
        "google_bigquery_dataset",
        "default_encryption_configuration",
        Gone,
    ),
    protection("google_logging_*_sink", "disabled", On),
    protection("google_logging_*_sink", "exclusions[*]", There).what("logs are left out"),
    protection(
        "google_logging_project_bucket_config|google_logging_folder_bucket_config|\
         google_logging_organization_bucket_config",
        "retention_days",
        Lower,
    ),
    protection("google_logging_*_exclusion", "filter", There)
        .what("logs are left out")
        .when_created(),
    protection(
        "google_*_iam_audit_config",
        "audit_log_config[*].log_type",
        Fewer,
    )
    .level(Critical),
    protection(
        "google_*_iam_audit_config",
        "audit_log_config[*].exempted_members[*]",
        There,
    ),
    protection(
        "google_monitoring_alert_policy",
        "conditions[*].condition_threshold[*].threshold_value",
        Higher,
    )
    .only_if(&[Needs("comparison", "COMPARISON_GT")]),
    protection(
        "google_monitoring_alert_policy",
        "conditions[*].condition_threshold[*].threshold_value",
        Lower,
    )
    .named("google_monitoring_alert_policy.threshold_value, below")
    .only_if(&[Needs("comparison", "COMPARISON_LT")]),
    protection("google_monitoring_alert_policy", "enabled", Off),
    protection(
        "google_monitoring_alert_policy",
        "notification_channels[*]",
        Fewer,
    ),
    protection("google_monitoring_notification_channel", "enabled", Off),
    protection(
        "google_dns_managed_zone",
        "dnssec_config[*].state",
        order("off|on"),
    ),
    protection(
        "google_cloudbuild_trigger",
        "approval_config[*].approval_required",
        Off,
    ),
    protection(
        "google_dns_record_set",
        "rrdatas",
        order("*p=none*|*p=quarantine*|*p=reject*"),
    )
    .what("the policy for forged mail")
    .named("google_dns_record_set.dmarc.policy")
    .only_if(&[Needs("name", "_dmarc*"), Needs("type", "TXT")]),
    protection(
        "google_org_policy_policy",
        "spec[*].rules[*].enforce",
        order("FALSE|TRUE"),
    ),
    protection(
        "google_organization_policy|google_folder_organization_policy|\
         google_project_organization_policy",
        "boolean_policy[*].enforced",
        Off,
    ),
    protection(
        "google_binary_authorization_policy",
        "default_admission_rule[*].evaluation_mode",
        order("ALWAYS_ALLOW|REQUIRE_ATTESTATION|ALWAYS_DENY"),
    ),
    protection(
        "google_artifact_registry_repository",
        "docker_config[*].immutable_tags",
        Off,
    ),
    protection(
        "google_identity_platform_config",
        "mfa[*].state",
        order("DISABLED|ENABLED|MANDATORY"),
    ),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded("google_compute_security_policy"),
    unguarded("google_logging_project_sink").guards(&[("project", "google_project.project_id")]),
    unguarded("google_logging_organization_sink"),
    unguarded("google_access_context_manager_service_perimeter"),
    unguarded("google_org_policy_policy").guards(&[("parent", "google_project|google_folder")]),
    unguarded("google_organization_policy"),
    unguarded("google_folder_organization_policy").guards(&[("folder", "google_folder.folder_id")]),
    unguarded("google_project_organization_policy")
        .guards(&[("project", "google_project.project_id")]),
    unguarded("google_logging_folder_sink|google_logging_billing_account_sink")
        .guards(&[("folder", "google_folder")]),
    unguarded("google_project_iam_audit_config")
        .guards(&[("project", "google_project.project_id")])
        .level(Critical),
    unguarded("google_folder_iam_audit_config")
        .guards(&[("folder", "google_folder")])
        .level(Critical),
    unguarded("google_organization_iam_audit_config").level(Critical),
    unguarded(
        "google_monitoring_alert_policy|google_monitoring_notification_channel|\
         google_monitoring_uptime_check_config|google_monitoring_slo|google_logging_metric",
    )
    .guards(&[("project", "google_project.project_id")]),
    unguarded("google_compute_resource_policy").level(Notice),
    unguarded(
        "google_compute_disk_resource_policy_attachment|\
         google_compute_region_disk_resource_policy_attachment",
    )
    .guards(&[("disk", "google_compute_disk|google_compute_region_disk")]),
    unguarded("google_gke_backup_backup_plan").guards(&[("cluster", "google_container_cluster")]),
    unguarded("google_spanner_backup_schedule").guards(&[
        ("database", "google_spanner_database"),
        ("instance", "google_spanner_instance"),
    ]),
    unguarded("google_firestore_backup_schedule")
        .guards(&[("database", "google_firestore_database")]),
    unguarded("google_binary_authorization_policy"),
    unguarded("google_scc_*notification_config|google_scc_mute_config").level(Notice),
    unguarded("google_dns_record_set")
        .guards(&[("managed_zone", "google_dns_managed_zone")])
        .named("google_dns_record_set.caa")
        .only_if(&[Needs("type", "CAA")]),
    unguarded("google_dns_record_set")
        .guards(&[("managed_zone", "google_dns_managed_zone")])
        .named("google_dns_record_set.dmarc")
        .only_if(&[Needs("name", "_dmarc.*"), Needs("type", "TXT")]),
    unguarded("google_dns_record_set")
        .guards(&[("managed_zone", "google_dns_managed_zone")])
        .named("google_dns_record_set.dkim")
        .only_if(&[Needs("name", "*._domainkey.*"), Needs("type", "TXT|CNAME")]),
    unguarded("google_dns_record_set")
        .guards(&[("managed_zone", "google_dns_managed_zone")])
        .named("google_dns_record_set.spf")
        .only_if(&[Needs("rrdatas", "*v=spf1*"), Needs("type", "TXT")]),
    protection(
        "google_access_context_manager_access_level",
        "basic[*].conditions[*].device_policy[*].require_corp_owned",
        Off,
    ),
    protection(
        "google_access_context_manager_access_level",
        "basic[*].conditions[*].device_policy[*].require_screen_lock",
        Off,
    ),
    protection(
        "google_access_context_manager_access_level",
        "basic[*].conditions[*].device_policy[*].require_admin_approval",
        Off,
    ),
    protection(
        "google_access_context_manager_service_perimeter",
        "status[*].vpc_accessible_services[*].enable_restriction",
        Off,
    ),
    protection(
        "google_organization_policy|google_folder_organization_policy|\
         google_project_organization_policy",
        "list_policy[*].deny[*].all",
        Off,
    ),
    protection(
        "google_compute_firewall_policy_rule|google_compute_network_firewall_policy_rule|\
         google_compute_region_network_firewall_policy_rule",
        "enable_logging",
        Off,
    )
    .level(Notice),
    protection(
        "google_compute_region_instance_template|google_notebooks_instance",
        "shielded_instance_config[*].enable_secure_boot",
        Off,
    )
    .level(Notice),
    protection(
        "google_compute_region_instance_template|google_notebooks_instance",
        "shielded_instance_config[*].enable_vtpm",
        Off,
    )
    .level(Notice),
    protection(
        "google_compute_region_instance_template|google_notebooks_instance",
        "shielded_instance_config[*].enable_integrity_monitoring",
        Off,
    )
    .level(Notice),
    protection(
        "google_compute_instance|google_compute_instance_template",
        "shielded_instance_config[*].enable_vtpm",
        Off,
    )
    .level(Notice),
    protection("google_clouddeploy_target", "require_approval", Off),
    protection(
        "google_secure_source_manager_branch_rule",
        "require_pull_request",
        Off,
    ),
    protection("google_secure_source_manager_branch_rule", "disabled", On),
    protection(
        "google_gke_backup_backup_plan",
        "backup_schedule[*].paused",
        On,
    ),
    protection(
        "google_gke_backup_backup_plan",
        "backup_config[*].include_secrets",
        Off,
    ),
    protection(
        "google_gke_backup_backup_plan",
        "backup_config[*].include_volume_data",
        Off,
    ),
    protection("google_netapp_backup_policy", "enabled", Off),
    protection("google_netapp_volume", "snapshot_policy[*].enabled", Off),
    protection(
        "google_netapp_volume",
        "backup_config[*].scheduled_backup_enabled",
        Off,
    ),
    protection(
        "google_dataproc_metastore_service",
        "scheduled_backup[*].enabled",
        Off,
    ),
    protection(
        "google_composer_environment",
        "config[*].recovery_config[*].scheduled_snapshots_config[*].enabled",
        Off,
    ),
    protection(
        "google_network_services_edge_cache_service",
        "require_tls",
        Off,
    ),
    protection(
        "google_monitoring_uptime_check_config",
        "http_check[*].use_ssl",
        Off,
    )
    .level(Notice),
    protection(
        "google_monitoring_uptime_check_config",
        "http_check[*].validate_ssl",
        Off,
    )
    .level(Notice),
    protection(
        "google_sql_database_instance",
        "settings[*].retain_backups_on_delete",
        Off,
    ),
    protection(
        "google_alloydb_instance",
        "client_connection_config[*].require_connectors",
        Off,
    )
    .level(Notice),
    protection(
        "google_compute_url_map|google_compute_region_url_map",
        "default_url_redirect[*].https_redirect",
        Off,
    ),
    protection(
        "google_gke_hub_feature_membership",
        "configmanagement[*].policy_controller[*].enabled",
        Off,
    ),
    protection(
        "google_gke_hub_feature_membership",
        "configmanagement[*].binauthz[*].enabled",
        Off,
    ),
    protection(
        "google_service_networking_vpc_service_controls",
        "enabled",
        Off,
    ),
    protection(
        "google_iap_settings",
        "access_settings[*].allowed_domains_settings[*].enable",
        Off,
    ),
    // Copies of data, and points of recovery.
    protection(
        "google_secret_manager_secret",
        "replication[*].user_managed[*].replicas[*].location",
        Fewer,
    )
    .what("the copy in {} is deleted")
    .in_place(),
    protection(
        "google_redis_cluster|google_redis_instance|google_memorystore_instance",
        "replica_count",
        Lower,
    )
    .what("fewer copies")
    .in_place(),
    protection(
        "google_pubsub_subscription|google_pubsub_topic",
        "message_retention_duration",
        Lower,
    )
    .what("messages go earlier")
    .in_place(),
    protection(
        "google_sql_database_instance",
        "settings[*].backup_configuration[*].transaction_log_retention_days",
        Lower,
    )
    .what("the way back in time is shorter")
    .in_place(),
    protection(
        "google_sql_database_instance",
        "settings[*].backup_configuration[*].backup_retention_settings[*].retained_backups",
        Lower,
    )
    .what("fewer backups stay")
    .in_place(),
    // Records of names: whose mail is genuine.
    protection(
        "google_dns_record_set",
        "rrdatas",
        order("*v=spf1*+all*|*v=spf1*~all*|*v=spf1*-all*"),
    )
    .what("mail of others passes more easily")
    .named("google_dns_record_set.spf")
    .only_if(&[Needs("type", "TXT")]),
    // Firewalls of applications: limits, and what comes before all other rules.
    protection(
        "google_compute_security_policy",
        "rule[*].rate_limit_options[*].rate_limit_threshold[*].count",
        Higher,
    ),
    // What serves requests.
    downtime("google_dns_record_set", "rrdatas[*]", Fewer)
        .what("mail goes elsewhere")
        .only_if(&[Needs("type", "MX")]),
    downtime("google_dns_record_set", "rrdatas[*]", Fewer)
        .what("the delegation loses a server")
        .named("google_dns_record_set.delegation")
        .only_if(&[Needs("type", "NS")]),
    interrupted("google_project_service").only_if(&[Needs("disable_on_destroy", "true")]),
    interrupted(
        "google_compute_instance|google_compute_instance_group_manager|\
         google_compute_region_instance_group_manager|google_container_cluster|\
         google_container_node_pool|google_cloud_run_service|google_cloud_run_v2_service|\
         google_cloudfunctions_function|google_cloudfunctions2_function|\
         google_app_engine_standard_app_version|google_app_engine_flexible_app_version|\
         google_dataproc_cluster|google_composer_environment|google_cloud_run_v2_worker_pool|\
         google_datastream_stream|google_compute_backend_bucket",
    )
    .named("google_*.compute"),
    interrupted(
        "google_sql_database_instance|google_alloydb_cluster|google_alloydb_instance|\
         google_redis_instance|google_redis_cluster|google_memcache_instance|\
         google_spanner_instance|google_bigtable_instance|google_memorystore_instance|\
         google_managed_kafka_cluster",
    )
    .named("google_*.database"),
    interrupted(
        "google_compute_forwarding_rule|google_compute_global_forwarding_rule|\
         google_compute_url_map|google_compute_backend_service|\
         google_compute_region_backend_service|google_compute_target_*_proxy|\
         google_compute_router_nat|google_compute_router|google_compute_vpn_tunnel|\
         google_compute_vpn_gateway|google_compute_ha_vpn_gateway|\
         google_compute_interconnect_attachment|google_compute_network_peering|\
         google_compute_service_attachment|google_vpc_access_connector|\
         google_compute_managed_ssl_certificate|google_service_networking_connection",
    )
    .named("google_*.network"),
    interrupted("google_dns_record_set").only_if(&[Where("type", "A|AAAA|CNAME|MX|SRV|NS|PTR")]),
    downtime("google_container_node_pool", "node_count", Zero).level(Critical),
    downtime(
        "google_container_node_pool",
        "autoscaling[*].max_node_count",
        Zero,
    )
    .level(Critical),
    downtime(
        "google_container_node_pool",
        "autoscaling[*].min_node_count",
        Zero,
    ),
    downtime(
        "google_compute_instance_group_manager|google_compute_region_instance_group_manager",
        "target_size",
        Zero,
    )
    .level(Critical),
    downtime(
        "google_compute_autoscaler|google_compute_region_autoscaler",
        "autoscaling_policy[*].min_replicas",
        Zero,
    ),
    downtime(
        "google_compute_instance",
        "desired_status",
        is("TERMINATED|SUSPENDED"),
    )
    .level(Critical),
    downtime(
        "google_cloud_run_v2_service",
        "template[*].scaling[*].max_instance_count",
        Zero,
    )
    .level(Critical),
    downtime(
        "google_sql_database_instance",
        "settings[*].activation_policy",
        order("NEVER|ALWAYS"),
    )
    .level(Critical),
    downtime("google_sql_database_instance", "database_version", Major),
    downtime("google_service_account", "disabled", On),
    downtime("google_cloud_scheduler_job", "paused", On),
    downtime(
        "google_bigquery_data_transfer_config|google_cloudbuild_trigger",
        "disabled",
        On,
    )
    .level(Notice),
    // Machines that stop for another size or configuration.
    downtime("google_compute_instance", "machine_type", Changed)
        .what("the machine stops and starts, now")
        .in_place()
        .only_if(&[Unless("desired_status", "TERMINATED|SUSPENDED")]),
    downtime("google_compute_instance", "min_cpu_platform", Changed)
        .what("the machine stops and starts, now")
        .in_place()
        .only_if(&[Unless("desired_status", "TERMINATED|SUSPENDED")]),
    downtime(
        "google_compute_instance",
        "service_account[*].email",
        Changed,
    )
    .what("the machine stops and starts, now")
    .in_place(),
    // Databases: now, or in the window.
    downtime("google_sql_database_instance", "settings[*].tier", Changed)
        .what("the database restarts, now")
        .in_place(),
    downtime(
        "google_sql_database_instance",
        "settings[*].edition",
        Changed,
    )
    .what("the database restarts, now")
    .in_place(),
    downtime(
        "google_sql_database_instance",
        "settings[*].ip_configuration[*].private_network",
        Changed,
    )
    .what("the database restarts, now")
    .in_place(),
    downtime(
        "google_alloydb_instance",
        "machine_config[*].cpu_count",
        Changed,
    )
    .what("the database restarts, now")
    .in_place(),
    // All at once.
    downtime(
        "google_compute_instance_group_manager|google_compute_region_instance_group_manager",
        "update_policy[*].max_unavailable_percent",
        Above(99.0),
    )
    .what("all machines at once"),
    downtime(
        "google_container_node_pool",
        "node_config[*].taint[*].effect",
        There,
    )
    .what("running pods have to leave")
    .in_place()
    .only_if(&[Needs("effect", "NO_EXECUTE")]),
    // What queries and callers use.
    downtime(
        "google_compute_managed_ssl_certificate",
        "managed[*].domains[*]",
        Fewer,
    )
    .what("{} is no longer served")
    .in_place(),
    // Versions that go back.
    downtime(
        "google_sql_database_instance",
        "database_version",
        Downgrade,
    )
    .named("google_sql_database_instance.database_version back")
    .in_place(),
    downtime(
        "google_redis_instance|google_memcache_instance",
        "redis_version",
        Downgrade,
    )
    .in_place(),
    downtime("google_container_cluster", "min_master_version", Downgrade).in_place(),
    downtime("google_container_node_pool", "version", Downgrade).in_place(),
    downtime("google_cloudfunctions_function", "runtime", Downgrade)
        .level(Notice)
        .in_place(),
    downtime(
        "google_cloudfunctions2_function",
        "build_config[*].runtime",
        Downgrade,
    )
    .level(Notice)
    .in_place(),
    // Capacity that somebody or something else has set since.
    downtime("google_container_node_pool", "node_count", Reverts)
        .named("google_container_node_pool.node_count undone"),
    downtime(
        "google_compute_instance_group_manager|google_compute_region_instance_group_manager",
        "target_size",
        Reverts,
    )
    .named("google_*.target_size undone"),
    downtime("google_spanner_instance", "num_nodes", Reverts),
    downtime("google_spanner_instance", "processing_units", Reverts),
    downtime("google_bigtable_instance", "cluster[*].num_nodes", Reverts),
    downtime(
        "google_cloud_run_v2_service",
        "template[*].scaling[*].max_instance_count",
        Reverts,
    )
    .named("google_cloud_run_v2_service.max_instance_count undone"),
    // What decides, and is known only after apply.
    unknown("google_*_iam_policy", "policy_data").when_created(),
    unknown("google_compute_firewall", "source_ranges"),
    unknown("google_*_iam_binding", "members"),
    unknown("google_*_iam_member", "member"),
    unknown("google_*_iam_*", "role"),
    unknown(
        "google_container_cluster",
        "master_authorized_networks_config",
    ),
    unknown(
        "google_sql_database_instance",
        "settings[*].ip_configuration",
    ),
];
