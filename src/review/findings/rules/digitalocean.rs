//! Rules for DigitalOcean.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("digitalocean_database_cluster", "database cluster").show("engine|version|size"),
    lost("digitalocean_spaces_bucket", "bucket").show("name|force_destroy"),
    lost("digitalocean_volume", "volume").show("name|size"),
    lost("digitalocean_domain", "DNS zone").show("name"),
    lost("digitalocean_database_db", "database").show("name"),
    lost("digitalocean_volume_snapshot", "snapshot").show("name"),
    lost("digitalocean_database_replica", "copy of a database")
        .show("name")
        .level(Warning),
    lost("digitalocean_droplet_snapshot", "snapshot").show("name"),
    lost("digitalocean_container_registry", "registry").show("name"),
    lost("digitalocean_droplet", "machine with its disk")
        .show("name|size|backups")
        .level(Warning),
    // Who may reach or do more.
    exposure(
        "digitalocean_firewall",
        "inbound_rule[*].source_addresses[*]",
        AnySource,
    ),
    exposure("digitalocean_spaces_bucket", "acl", is("public-read")).serves(Class::Data),
    exposure("digitalocean_database_firewall", "rule[*].value", AnySource).serves(Class::Database),
    exposure(
        "digitalocean_spaces_bucket_policy",
        "policy",
        Policy(PolicyLanguage::Iam),
    ),
    exposure(
        "digitalocean_spaces_bucket_object",
        "acl",
        is("public-read"),
    ),
    exposure(
        "digitalocean_kubernetes_cluster",
        "control_plane_firewall[*].enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "digitalocean_kubernetes_cluster",
        "control_plane_firewall[*].allowed_addresses[*]",
        AnySource,
    )
    .serves(Class::Administration),
    exposure("digitalocean_loadbalancer", "firewall[*].allow", Emptied)
        .what("the list of allowed addresses")
        .unless_created(),
    // What guards, records or backs up.
    protection("digitalocean_droplet", "backups", Off).level(Critical),
    unguarded("digitalocean_database_firewall")
        .guards(&[("cluster_id", "digitalocean_database_cluster")])
        .level(Critical),
    protection("digitalocean_database_cluster", "node_count", Lower)
        .what("fewer copies")
        .in_place(),
    protection("digitalocean_kubernetes_cluster", "ha", Off),
    protection("digitalocean_spaces_bucket", "versioning[*].enabled", Off).level(Critical),
    protection("digitalocean_loadbalancer", "redirect_http_to_https", Off),
    protection("digitalocean_monitor_alert", "enabled", Off),
    // What serves requests.
    interrupted(
        "digitalocean_droplet|digitalocean_loadbalancer|digitalocean_app|\
         digitalocean_kubernetes_cluster|digitalocean_kubernetes_node_pool|\
         digitalocean_database_cluster|digitalocean_record",
    )
    .named("digitalocean_*.service"),
    // Machines that stop for another size or configuration.
    downtime("digitalocean_droplet", "size", Changed)
        .what("the machine stops and starts, now")
        .in_place(),
    // Databases: now, or in the window.
    downtime("digitalocean_database_cluster", "size", Changed)
        .what("connections break off for a moment")
        .level(Notice)
        .in_place(),
    interrupted(
        "digitalocean_reserved_ip_assignment|digitalocean_cdn|\
         digitalocean_custom_image",
    )
    .named("digitalocean_*.more"),
    downtime(
        "digitalocean_app",
        "spec[*].service[*].instance_count",
        Zero,
    )
    .level(Critical),
    downtime(
        "digitalocean_kubernetes_cluster",
        "node_pool[*].node_count",
        Zero,
    )
    .level(Critical),
    downtime("digitalocean_kubernetes_node_pool", "node_count", Zero).level(Critical),
];
