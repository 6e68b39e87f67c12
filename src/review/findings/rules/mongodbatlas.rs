//! Rules for MongoDB Atlas.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("mongodbatlas_cluster", "database cluster")
        .show("name|mongo_db_major_version|disk_size_gb|termination_protection_enabled"),
    lost("mongodbatlas_advanced_cluster", "database cluster")
        .show("name|mongo_db_major_version|termination_protection_enabled"),
    lost("mongodbatlas_serverless_instance", "database").show("name"),
    lost("mongodbatlas_project", "project").show("name"),
    lost("mongodbatlas_flex_cluster", "database cluster")
        .show("name|termination_protection_enabled"),
    lost(
        "mongodbatlas_cloud_backup_snapshot|mongodbatlas_federated_database_instance|\
         mongodbatlas_online_archive",
        "snapshot",
    )
    .show("description"),
    // Who may reach or do more.
    exposure(
        "mongodbatlas_project_ip_access_list",
        "cidr_block",
        is("0.0.0.0/0"),
    )
    .serves(Class::Database),
    exposure(
        "mongodbatlas_database_user",
        "username",
        role(
            "roles[*].role_name",
            "atlasAdmin|readWriteAnyDatabase|dbAdminAnyDatabase|readAnyDatabase|clusterMonitor|\
         backup",
        ),
    ),
    exposure("mongodbatlas_access_list_api_key", "cidr_block", AnySource)
        .serves(Class::Administration),
    exposure(
        "mongodbatlas_project_ip_access_list",
        "cidr_block",
        AnySource,
    )
    .named("mongodbatlas_project_ip_access_list.network")
    .serves(Class::Database)
    .only_if(&[Unless("cidr_block", "0.0.0.0/0")]),
    exposure(
        "mongodbatlas_project_api_key",
        "project_assignment[*].role_names[*]",
        is("GROUP_OWNER"),
    )
    .serves(Class::Administration),
    exposure(
        "mongodbatlas_api_key",
        "role_names[*]",
        is("ORG_OWNER|ORG_GROUP_CREATOR"),
    )
    .serves(Class::Administration),
    exposure(
        "mongodbatlas_project",
        "teams[*].role_names[*]",
        is("GROUP_OWNER|GROUP_DATA_ACCESS_ADMIN|GROUP_CLUSTER_MANAGER"),
    ),
    exposure(
        "mongodbatlas_project_invitation|mongodbatlas_org_invitation|\
         mongodbatlas_cloud_user_project_assignment|mongodbatlas_cloud_user_org_assignment",
        "roles[*]",
        is("GROUP_OWNER|ORG_OWNER"),
    )
    .serves(Class::Administration),
    // What guards, records or backs up.
    protection(
        "mongodbatlas_cluster|mongodbatlas_advanced_cluster",
        "backup_enabled",
        Off,
    )
    .level(Critical),
    protection("mongodbatlas_cluster", "cloud_backup", Off).level(Critical),
    protection("mongodbatlas_cluster", "provider_backup_enabled", Off).level(Critical),
    protection(
        "mongodbatlas_cluster|mongodbatlas_advanced_cluster",
        "pit_enabled",
        Off,
    ),
    protection(
        "mongodbatlas_cluster|mongodbatlas_advanced_cluster",
        "encryption_at_rest_provider",
        order("NONE|AWS"),
    )
    .level(Critical),
    protection(
        "mongodbatlas_advanced_cluster",
        "advanced_configuration[*].minimum_enabled_tls_protocol",
        order("TLS1_0|TLS1_1|TLS1_2"),
    ),
    protection("mongodbatlas_auditing", "enabled", Off).level(Critical),
    protection(
        "mongodbatlas_cloud_backup_schedule",
        "policy_item_hourly[*].retention_value",
        Lower,
    ),
    protection(
        "mongodbatlas_cloud_backup_schedule",
        "policy_item_daily[*].retention_value",
        Lower,
    ),
    protection(
        "mongodbatlas_cloud_backup_schedule",
        "policy_item_weekly[*].retention_value",
        Lower,
    ),
    protection(
        "mongodbatlas_cloud_backup_schedule",
        "policy_item_monthly[*].retention_value",
        Lower,
    ),
    protection(
        "mongodbatlas_cloud_backup_schedule",
        "restore_window_days",
        Lower,
    ),
    unguarded("mongodbatlas_cloud_backup_schedule")
        .guards(&[(
            "cluster_name",
            "mongodbatlas_cluster|mongodbatlas_advanced_cluster",
        )])
        .level(Critical),
    unguarded(
        "mongodbatlas_auditing|mongodbatlas_encryption_at_rest|\
         mongodbatlas_alert_configuration|mongodbatlas_maintenance_window|\
         mongodbatlas_backup_compliance_policy",
    ),
    protection("mongodbatlas_alert_configuration", "enabled", Off),
    // What serves requests.
    // Versions that go back.
    downtime(
        "mongodbatlas_cluster|mongodbatlas_advanced_cluster",
        "mongo_db_major_version",
        Downgrade,
    )
    .in_place(),
    downtime(
        "mongodbatlas_cluster|mongodbatlas_advanced_cluster",
        "paused",
        On,
    )
    .level(Critical),
    downtime(
        "mongodbatlas_cluster|mongodbatlas_advanced_cluster",
        "mongo_db_major_version",
        Major,
    )
    .named("mongodbatlas_*.mongo_db_major_version up")
    .level(Notice),
    interrupted(
        "mongodbatlas_database_user|mongodbatlas_privatelink_endpoint*|\
         mongodbatlas_network_peering|mongodbatlas_project_ip_access_list",
    )
    .named("mongodbatlas_*.access"),
];
