//! Judges what connects networks, and what puts a firewall before something.
//!
//! ```text
//! a peering is created                          wider
//! allow_forwarded_traffic: false -> true        wider
//! a network security group leaves a subnet      wider: nothing filters there any more
//! ```

use crate::diff::value::{Content, MarkedValue};
use crate::direction::Direction;
use crate::glob;
use crate::meaning::{Judgement, ObjectChange};

/// What an object does that connects or protects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It connects networks: more may be reached while it is there.
    Connects,
    /// It puts a firewall before something: less may be reached while it is there.
    Protects,
    /// It says which table of routes a network has.
    Routes,
}

/// The types that connect or protect, with `*` for any text.
const TYPES: &[(Kind, &str)] = &[
    (Kind::Connects, "aws_vpc_peering_connection"),
    (Kind::Connects, "aws_vpc_peering_connection_accepter"),
    (Kind::Connects, "aws_vpc_peering_connection_options"),
    (Kind::Connects, "aws_ec2_transit_gateway_*attachment"),
    (
        Kind::Connects,
        "aws_ec2_transit_gateway_*attachment_accepter",
    ),
    (
        Kind::Connects,
        "aws_ec2_transit_gateway_route_table_propagation",
    ),
    (
        Kind::Connects,
        "aws_ec2_transit_gateway_route_table_association",
    ),
    (Kind::Connects, "aws_ec2_client_vpn_authorization_rule"),
    (Kind::Connects, "aws_ec2_client_vpn_network_association"),
    (Kind::Connects, "aws_networkmanager_*attachment"),
    (Kind::Connects, "aws_network_interface_sg_attachment"),
    (Kind::Connects, "azurerm_virtual_network_peering"),
    (Kind::Connects, "azurerm_virtual_hub_connection"),
    (Kind::Connects, "google_compute_network_peering"),
    (
        Kind::Connects,
        "google_compute_network_peering_routes_config",
    ),
    (Kind::Connects, "google_service_networking_connection"),
    (Kind::Connects, "google_network_connectivity_spoke"),
    (Kind::Connects, "alicloud_vpc_peer_connection"),
    (Kind::Connects, "alicloud_cen_transit_router_*attachment"),
    (Kind::Connects, "digitalocean_vpc_peering"),
    (Kind::Connects, "hcloud_vswitch_*"),
    (Kind::Connects, "ibm_tg_connection"),
    (Kind::Connects, "mongodbatlas_network_peering"),
    (Kind::Connects, "oci_core_drg_attachment"),
    (Kind::Connects, "oci_core_local_peering_gateway"),
    (Kind::Connects, "scaleway_vpc_connector"),
    (
        Kind::Protects,
        "azurerm_subnet_network_security_group_association",
    ),
    (
        Kind::Protects,
        "azurerm_network_interface_security_group_association",
    ),
    (Kind::Protects, "aws_network_acl_association"),
    (
        Kind::Protects,
        "google_compute_*firewall_policy_association",
    ),
    (Kind::Routes, "aws_route_table_association"),
    (Kind::Routes, "aws_main_route_table_association"),
    (Kind::Routes, "azurerm_subnet_route_table_association"),
    (Kind::Routes, "oci_core_route_table_attachment"),
    (Kind::Routes, "alicloud_route_table_attachment"),
];

/// The switches that let more through a connection.
const OPENING: [&str; 12] = [
    "allow_forwarded_traffic",
    "allow_gateway_transit",
    "allow_virtual_network_access",
    "use_remote_gateways",
    "allow_remote_vpc_dns_resolution",
    "export_custom_routes",
    "import_custom_routes",
    "export_subnet_routes_with_public_ip",
    "import_subnet_routes_with_public_ip",
    "transit_gateway_default_route_table_propagation",
    "transit_gateway_default_route_table_association",
    "authorize_all_groups",
];

/// Judges a connection or what puts a firewall before something; `None` for other types.
pub(super) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    let mut types = TYPES.iter();
    let (kind, _) = types.find(|(_, types)| glob::matches(types, change.resource_type))?;
    let came = match kind {
        Kind::Connects => Direction::Wider,
        Kind::Protects => Direction::Narrower,
        Kind::Routes => Direction::Another,
    };
    match (change.before.is_null(), change.after.is_null()) {
        (true, _) => return Some(vec![Judgement::new(&[], came)]),
        (false, true) => return Some(vec![Judgement::new(&[], came.reverse())]),
        (false, false) => {}
    }
    let mut judgements = Vec::new();
    let names = change.after.as_object().unwrap_or_default().iter();
    for (name, after) in names {
        let before = change.before.get(name);
        if before.is_some_and(|before| before.hash_value() == after.hash_value()) {
            continue;
        }
        if OPENING.contains(name) {
            judgements.push(Judgement::new(&[name], opened(before, *after)));
        } else if is_end(name) && !after.is_unknown() {
            judgements.push(Judgement::new(&[name], Direction::Another));
        } else if let Some(inner) = first(*after) {
            // `accepter { allow_remote_vpc_dns_resolution = true }`.
            let old = before.and_then(first);
            let members = inner.as_object().unwrap_or_default().iter();
            for (inside, after) in members.filter(|(inside, _)| OPENING.contains(inside)) {
                let before = old.and_then(|old| old.get(inside));
                if before.map(MarkedValue::hash_value) != Some(after.hash_value()) {
                    judgements.push(Judgement::new(&[name, inside], opened(before, *after)));
                }
            }
        }
    }
    Some(judgements)
}

/// Returns the first block of a list of blocks.
fn first(value: MarkedValue<'_>) -> Option<MarkedValue<'_>> {
    value.as_array()?.first().copied()
}

/// Whether a member names an end of the connection.
fn is_end(name: &str) -> bool {
    let ends = ["_id", "_ids", "_arn", "network", "peer_region"];
    name != "id" && ends.iter().any(|end| name.ends_with(end))
}

/// Returns what the change of an opening switch means.
fn opened(before: Option<MarkedValue<'_>>, after: MarkedValue<'_>) -> Direction {
    let is_on = |value: MarkedValue<'_>| match value.content {
        Content::Bool(flag) => Some(flag),
        Content::String(text) => Some(matches!(text, "true" | "enable")),
        Content::Null => Some(false),
        Content::Unknown
        | Content::Redacted
        | Content::Number(_)
        | Content::Array(_)
        | Content::Object(_) => None,
    };
    match (before.map_or(Some(false), is_on), is_on(after)) {
        (Some(false), Some(true)) => Direction::Wider,
        (Some(true), Some(false)) => Direction::Narrower,
        (Some(_), Some(_)) => Direction::Same,
        (None, _) | (_, None) => Direction::Unknown,
    }
}
