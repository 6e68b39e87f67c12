//! Rules for Yandex Cloud.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("yandex_mdb_*_cluster", "database cluster").show("name|deletion_protection"),
    lost("yandex_compute_disk", "volume").show("name|size"),
    lost("yandex_storage_bucket", "bucket").show("bucket|force_destroy"),
    lost("yandex_kms_symmetric_key", "key").show("name|deletion_protection"),
    lost("yandex_lockbox_secret", "secret").show("name|deletion_protection"),
    lost("yandex_compute_snapshot|yandex_compute_image", "snapshot").show("name"),
    lost("yandex_compute_filesystem", "file system").show("name|size"),
    lost("yandex_ydb_database_*", "database").show("name|deletion_protection"),
    lost("yandex_mdb_*_database", "database").show("name"),
    lost("yandex_container_registry", "registry").show("name"),
    lost("yandex_dns_zone", "DNS zone").show("zone"),
    // Who may reach or do more.
    exposure(
        "yandex_vpc_security_group|yandex_vpc_default_security_group",
        "ingress[*].v4_cidr_blocks[*]",
        AnySource,
    ),
    exposure(
        "yandex_vpc_security_group|yandex_vpc_default_security_group",
        "ingress[*].v6_cidr_blocks[*]",
        AnySource,
    ),
    exposure(
        "yandex_vpc_security_group_rule",
        "v4_cidr_blocks[*]",
        AnySource,
    )
    .only_if(&[Needs("direction", "ingress")]),
    exposure(
        "yandex_vpc_security_group_rule",
        "v6_cidr_blocks[*]",
        AnySource,
    )
    .only_if(&[Needs("direction", "ingress")]),
    exposure(
        "yandex_*_iam_member",
        "member",
        role(
            "role",
            "admin|editor|*.admin|*.editor|owner|organization-manager.*",
        ),
    ),
    exposure(
        "yandex_*_iam_binding",
        "members[*]",
        role(
            "role",
            "admin|editor|*.admin|*.editor|owner|organization-manager.*",
        ),
    ),
    exposure(
        "yandex_*_iam_member",
        "member",
        is("system:allUsers|system:allAuthenticatedUsers"),
    )
    .named("yandex_*_iam_member.everybody")
    .serves(Class::Data),
    exposure(
        "yandex_*_iam_binding",
        "members[*]",
        is("system:allUsers|system:allAuthenticatedUsers"),
    )
    .named("yandex_*_iam_binding.everybody")
    .serves(Class::Data),
    exposure(
        "yandex_storage_bucket",
        "acl",
        is("public-read|public-read-write|authenticated-read"),
    )
    .serves(Class::Data),
    exposure(
        "yandex_storage_bucket",
        "anonymous_access_flags[*].read",
        On,
    )
    .serves(Class::Data),
    exposure(
        "yandex_storage_bucket",
        "anonymous_access_flags[*].list",
        On,
    ),
    exposure(
        "yandex_storage_bucket",
        "policy",
        Policy(PolicyLanguage::Iam),
    ),
    exposure("yandex_mdb_*_cluster*", "host[*].assign_public_ip", On).serves(Class::Database),
    exposure("yandex_mdb_*_cluster*", "hosts[*].assign_public_ip", On).serves(Class::Database),
    exposure("yandex_kubernetes_cluster", "master[*].public_ip", On).serves(Class::Administration),
    exposure("yandex_compute_instance", "network_interface[*].nat", On).level(Notice),
    // What guards, records or backs up.
    protection(
        "yandex_mdb_*_cluster*",
        "config[*].backup_retain_period_days",
        Lower,
    ),
    protection("yandex_mdb_*_cluster*", "backup_retain_period_days", Lower),
    protection("yandex_storage_bucket", "versioning[*].enabled", Off).level(Critical),
    protection(
        "yandex_storage_bucket",
        "server_side_encryption_configuration",
        Gone,
    ),
    unguarded(
        "yandex_compute_snapshot_schedule|yandex_backup_policy_bindings|\
         yandex_audit_trails_trail",
    ),
    // What serves requests.
    // Machines that stop for another size or configuration.
    downtime("yandex_compute_instance", "resources[*].cores", Changed)
        .what("the machine stops and starts, now")
        .in_place(),
    downtime("yandex_compute_instance", "resources[*].memory", Changed)
        .what("the machine stops and starts, now")
        .in_place(),
    interrupted(
        "yandex_compute_instance_group|yandex_kubernetes_node_group|\
         yandex_lb_network_load_balancer|yandex_alb_load_balancer|\
         yandex_serverless_container|yandex_function|yandex_dns_recordset|yandex_vpc_gateway",
    )
    .named("yandex_*.service"),
    downtime(
        "yandex_compute_instance_group",
        "scale_policy[*].fixed_scale[*].size",
        Zero,
    )
    .level(Critical),
];
