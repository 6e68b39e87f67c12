//! Rules for Scaleway.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("scaleway_rdb_instance", "database").show("engine|node_type"),
    lost("scaleway_object_bucket", "bucket").show("name|force_destroy"),
    lost("scaleway_block_volume|scaleway_instance_volume", "volume").show("name|size_in_gb"),
    lost(
        "scaleway_block_snapshot|scaleway_instance_snapshot|scaleway_rdb_database_backup",
        "snapshot",
    )
    .show("name"),
    lost(
        "scaleway_rdb_database|scaleway_mongodb_instance|scaleway_sdb_sql_database",
        "database",
    )
    .show("name"),
    lost("scaleway_secret|scaleway_key_manager_key", "secret").show("name"),
    lost("scaleway_redis_cluster", "cache")
        .show("name|node_type")
        .level(Warning),
    lost("scaleway_registry_namespace", "registry").show("name"),
    // Who may reach or do more.
    exposure(
        "scaleway_instance_security_group|scaleway_instance_security_group_rules",
        "inbound_rule[*].ip_range",
        AnySource,
    )
    .only_if(&[Needs("action", "accept")]),
    exposure(
        "scaleway_instance_security_group",
        "inbound_default_policy",
        order("accept|drop"),
    )
    .unless_created(),
    exposure(
        "scaleway_rdb_acl|scaleway_redis_cluster",
        "acl_rules[*].ip",
        AnySource,
    )
    .serves(Class::Database),
    exposure("scaleway_redis_cluster", "acl[*].ip", AnySource).serves(Class::Database),
    exposure("scaleway_k8s_acl", "acl_rules[*].ip", AnySource).serves(Class::Administration),
    exposure(
        "scaleway_object_bucket|scaleway_object_bucket_acl",
        "acl",
        is("public-read|public-read-write|authenticated-read"),
    )
    .serves(Class::Data),
    exposure(
        "scaleway_object_bucket_policy",
        "policy",
        Policy(PolicyLanguage::Iam),
    ),
    exposure(
        "scaleway_iam_policy",
        "rule[*].permission_set_names[*]",
        is("*FullAccess|OrganizationManager|IAMManager"),
    ),
    exposure(
        "scaleway_container|scaleway_function",
        "privacy",
        order("public|private"),
    )
    .unless_created(),
    exposure("scaleway_registry_namespace", "is_public", On),
    // What guards, records or backs up.
    protection("scaleway_rdb_instance", "is_ha_cluster", Off),
    protection("scaleway_rdb_instance", "disable_backup", On).level(Critical),
    protection("scaleway_rdb_instance", "backup_schedule_retention", Lower),
    protection("scaleway_rdb_instance", "encryption_at_rest", Off).level(Critical),
    protection("scaleway_object_bucket", "versioning[*].enabled", Off).level(Critical),
    protection("scaleway_instance_server", "protected", Off),
    protection("scaleway_secret", "protected", Off).level(Critical),
    unguarded("scaleway_rdb_acl|scaleway_k8s_acl").guards(&[
        ("cluster_id", "scaleway_k8s_cluster"),
        ("instance_id", "scaleway_rdb_instance"),
    ]),
    protection("scaleway_redis_cluster", "tls_enabled", Off),
    // What serves requests.
    // Databases: now, or in the window.
    downtime("scaleway_rdb_instance", "node_type", Changed)
        .what("the database restarts, now")
        .in_place(),
    interrupted(
        "scaleway_lb_frontend|scaleway_lb_backend|scaleway_k8s_pool|scaleway_container|\
         scaleway_function|scaleway_domain_record|scaleway_vpc_public_gateway",
    )
    .named("scaleway_*.service"),
    downtime("scaleway_container|scaleway_function", "max_scale", Zero).level(Critical),
    downtime("scaleway_k8s_pool", "size", Zero).level(Critical),
    downtime("scaleway_instance_server", "state", is("stopped|standby")).level(Critical),
];
