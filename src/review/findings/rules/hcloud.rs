//! Rules for Hetzner Cloud.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("hcloud_volume", "volume").show("name|size|delete_protection"),
    lost("hcloud_snapshot", "snapshot").show("description"),
    lost("hcloud_zone", "DNS zone").show("name|delete_protection"),
    lost("hcloud_storage_box", "file system").show("storage_box_type|delete_protection"),
    lost("hcloud_storage_box_snapshot", "snapshot").show("description"),
    lost("hcloud_server", "machine with its disk")
        .show("name|server_type|delete_protection")
        .level(Warning),
    // Who may reach or do more.
    exposure("hcloud_firewall", "rule[*].source_ips[*]", AnySource)
        .only_if(&[Needs("direction", "in")]),
    exposure("hcloud_server", "firewall_ids[*]", Fewer)
        .what("without a firewall")
        .unless_created(),
    exposure("hcloud_firewall_attachment", "server_ids[*]", Fewer)
        .what("without a firewall")
        .unless_created(),
    exposure("hcloud_server", "public_net[*].ipv4_enabled", On).unless_created(),
    exposure(
        "hcloud_load_balancer_network",
        "enable_public_interface",
        On,
    )
    .unless_created(),
    // What guards, records or backs up.
    protection(
        "hcloud_volume|hcloud_storage_box|hcloud_zone",
        "delete_protection",
        Off,
    )
    .level(Critical),
    protection("hcloud_server", "backups", Off).level(Critical),
    protection("hcloud_server", "rebuild_protection", Off),
    // What serves requests.
    interrupted(
        "hcloud_server|hcloud_load_balancer|hcloud_load_balancer_service|\
         hcloud_load_balancer_target|hcloud_zone_rrset|hcloud_zone_record",
    )
    .named("hcloud_*.service"),
    // Machines that stop for another size or configuration.
    downtime("hcloud_server", "server_type", Changed)
        .what("the machine stops and starts, now")
        .in_place(),
];
