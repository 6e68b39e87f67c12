//! Rules for Alibaba Cloud.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("alicloud_db_instance", "database").show("engine|engine_version|instance_storage"),
    lost("alicloud_oss_bucket", "bucket").show("bucket|force_destroy"),
    lost("alicloud_polardb_cluster", "database cluster").show("db_type|db_version"),
    // Who may reach or do more.
    exposure("alicloud_security_group_rule", "cidr_ip", AnySource)
        .only_if(&[Needs("type", "ingress")]),
    exposure("alicloud_security_group_rule", "cidr_ip", AnySource)
        .only_if(&[Where("policy", "accept"), Needs("type", "ingress")]),
    exposure(
        "alicloud_oss_bucket|alicloud_oss_bucket_acl",
        "acl",
        is("public-read|public-read-write"),
    )
    .serves(Class::Data),
    exposure(
        "alicloud_db_instance|alicloud_kvstore_instance|alicloud_polardb_cluster",
        "security_ips[*]",
        AnySource,
    )
    .serves(Class::Database),
    // What guards, records or backs up.
    protection(
        "alicloud_oss_bucket|alicloud_oss_bucket_versioning",
        "versioning[*].status",
        order("Suspended|Enabled"),
    ),
    protection("alicloud_db_instance", "ssl_action", order("Close|Open")),
    // What serves requests.
    // Machines that stop for another size or configuration.
    downtime("alicloud_instance", "instance_type", Changed)
        .what("the machine stops and starts")
        .in_place(),
];
