//! Rules for Linode.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("linode_volume", "volume").show("label|size"),
    lost("linode_instance", "machine with its disks")
        .show("label|type")
        .level(Warning),
    lost("linode_object_storage_bucket", "bucket").show("label"),
    lost("linode_database_*", "database cluster").show("label|type"),
    lost("linode_domain", "DNS zone").show("domain"),
    lost("linode_image", "machine image")
        .show("label")
        .level(Warning),
    // Who may reach or do more.
    exposure("linode_firewall", "inbound[*].ipv4[*]", AnySource)
        .only_if(&[Where(".disabled", "false"), Needs("action", "ACCEPT")]),
    exposure("linode_firewall", "inbound[*].ipv6[*]", AnySource)
        .only_if(&[Where(".disabled", "false"), Needs("action", "ACCEPT")]),
    exposure("linode_firewall", "inbound_policy", order("ACCEPT|DROP")).unless_created(),
    exposure("linode_database_*", "allow_list[*]", AnySource).serves(Class::Database),
    exposure(
        "linode_object_storage_bucket",
        "acl",
        is("public-read|public-read-write|authenticated-read"),
    )
    .serves(Class::Data),
    exposure("linode_lke_cluster", "control_plane[*].acl[*].enabled", Off).unless_created(),
    exposure(
        "linode_lke_cluster",
        "control_plane[*].acl[*].addresses[*].ipv4[*]",
        AnySource,
    )
    .serves(Class::Administration),
    exposure("linode_user", "restricted", Off).what("rights to everything"),
    // What guards, records or backs up.
    protection("linode_firewall", "disabled", On),
    unguarded("linode_firewall|linode_firewall_device").guards(&[
        ("entity_id", "linode_instance|linode_nodebalancer"),
        ("linodes", "linode_instance"),
    ]),
    protection("linode_instance", "backups_enabled", Off).level(Critical),
    protection("linode_object_storage_bucket", "versioning", Off).level(Critical),
    protection(
        "linode_lke_cluster",
        "control_plane[*].high_availability",
        Off,
    ),
    protection("linode_database_*", "cluster_size", Lower)
        .what("fewer copies")
        .in_place(),
    // What serves requests.
    // Versions that go back.
    downtime("linode_lke_cluster", "k8s_version", Downgrade).in_place(),
    interrupted(
        "linode_lke_node_pool|linode_nodebalancer_config|linode_nodebalancer_node|\
         linode_domain_record",
    )
    .named("linode_*.service"),
    downtime("linode_instance", "booted", Off).level(Critical),
];
