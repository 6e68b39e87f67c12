//! Firewall rules: their attributes, by resource type, and what these mean.

use crate::diff::value::MarkedValue;

/// The meaning of an attribute of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Number,
    Name,
    /// Allow or deny.
    Verdict,
    Direction,
    /// Whether the rule applies to outgoing traffic.
    IsEgress,
    Protocol,
    FromPort,
    ToPort,
    IcmpType,
    IcmpCode,
    Ports,
    /// A block with the smallest and the largest port.
    PortOptions,
    /// Blocks with a protocol and ports that are allowed.
    Allowed,
    /// Blocks with a protocol and ports that are denied.
    Denied,
    /// The peer: the source of incoming traffic, or the destination of outgoing traffic.
    Peer,
    /// Whether the peer is the security group itself.
    SelfReference,
    From,
    To,
    Targets,
    SourcePorts,
    Disabled,
    Note,
}

/// The attributes of rules by their meaning.
pub(crate) type Table = &'static [(Role, &'static [&'static str])];

/// The names of all attributes.
pub(crate) fn names(table: Table) -> impl Iterator<Item = &'static str> {
    table.iter().flat_map(|(_, names)| names.iter().copied())
}

/// Rules of security groups and network ACLs, inline and as resources of their own.
const AWS: Table = &[
    (Role::Number, &["rule_no", "rule_number"]),
    (Role::Verdict, &["action", "rule_action"]),
    (Role::Direction, &["type"]),
    (Role::IsEgress, &["egress"]),
    (Role::Protocol, &["protocol", "ip_protocol"]),
    (Role::FromPort, &["from_port"]),
    (Role::ToPort, &["to_port"]),
    (Role::IcmpType, &["icmp_type"]),
    (Role::IcmpCode, &["icmp_code"]),
    (Role::Peer, &["cidr_block", "cidr_blocks", "cidr_ipv4"]),
    (Role::Peer, &["ipv6_cidr_block", "ipv6_cidr_blocks", "cidr_ipv6", "prefix_list_id", "prefix_list_ids"]),
    (Role::Peer, &["security_groups", "source_security_group_id", "referenced_security_group_id"]),
    (Role::SelfReference, &["self"]),
    (Role::Note, &["description"]),
];

const GOOGLE: Table = &[
    (Role::Number, &["priority"]),
    (Role::Direction, &["direction"]),
    (Role::Allowed, &["allow"]),
    (Role::Denied, &["deny"]),
    (Role::From, &["source_ranges", "source_tags", "source_service_accounts"]),
    (Role::To, &["destination_ranges"]),
    (Role::Targets, &["target_tags", "target_service_accounts"]),
    (Role::Disabled, &["disabled"]),
    (Role::Note, &["description"]),
];

const AZURE: Table = &[
    (Role::Number, &["priority"]),
    (Role::Name, &["name"]),
    (Role::Verdict, &["access"]),
    (Role::Direction, &["direction"]),
    (Role::Protocol, &["protocol"]),
    (Role::Ports, &["destination_port_range", "destination_port_ranges"]),
    (Role::From, &["source_address_prefix", "source_address_prefixes"]),
    (Role::From, &["source_application_security_group_ids"]),
    (Role::To, &["destination_address_prefix", "destination_address_prefixes"]),
    (Role::To, &["destination_application_security_group_ids"]),
    (Role::SourcePorts, &["source_port_range", "source_port_ranges"]),
    (Role::Note, &["description"]),
];

/// The attributes that say which traffic a rule allows, in the words of all providers.
pub(super) const TRAFFIC: Table = &[
    (Role::Protocol, &["protocol", "ip_protocol", "protocols"]),
    (Role::FromPort, &["from_port"]),
    (Role::ToPort, &["to_port"]),
    (Role::Ports, &["destination_port_range", "port", "destination_port_ranges", "destination_ports"]),
    (Role::Ports, &["ports", "port_range"]),
    (Role::PortOptions, &["tcp_options", "udp_options"]),
    (Role::IcmpType, &["icmp_type"]),
    (Role::Allowed, &["allow"]),
];

/// The attributes of a firewall rule that have a value.
#[derive(Debug)]
pub(crate) struct RuleAttributes<'w>(pub(crate) Vec<(&'static str, Role, MarkedValue<'w>)>);

impl<'w> RuleAttributes<'w> {
    pub(crate) fn read(rule: MarkedValue<'w>, table: Table) -> Self {
        let value = |name: &str| rule.get(name).filter(|value| !value.is_null());
        let all = table.iter().flat_map(|(role, names)| names.iter().map(move |name| (*name, *role)));
        Self(all.filter_map(|(name, role)| Some((name, role, value(name)?))).collect())
    }

    /// The values of the attributes with this meaning.
    pub(super) fn of(&self, wanted: Role) -> impl Iterator<Item = MarkedValue<'w>> {
        self.0.iter().filter(move |(_, role, _)| *role == wanted).map(|(.., value)| *value)
    }
}

/// The location of the rules in a resource.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Lists of blocks with these names, each with whether they apply to outgoing traffic.
    Blocks(&'static [(&'static str, bool)], Table),
    /// The resource is one rule; with whether it applies to outgoing traffic, if the resource type determines
    /// it.
    Rule(Table, Option<bool>),
}

/// The location of the rules in resources of this type; `None` if it has none.
pub(crate) fn shape(resource_type: &str) -> Option<Shape> {
    const BOTH: &[(&str, bool)] = &[("ingress", false), ("egress", true)];
    Some(match resource_type {
        "aws_security_group"
        | "aws_default_security_group"
        | "aws_network_acl"
        | "aws_default_network_acl" => Shape::Blocks(BOTH, AWS),
        "azurerm_network_security_group" => Shape::Blocks(&[("security_rule", false)], AZURE),
        "aws_security_group_rule" | "aws_network_acl_rule" => Shape::Rule(AWS, None),
        "aws_vpc_security_group_ingress_rule" => Shape::Rule(AWS, Some(false)),
        "aws_vpc_security_group_egress_rule" => Shape::Rule(AWS, Some(true)),
        "azurerm_network_security_rule" => Shape::Rule(AZURE, None),
        "google_compute_firewall" => Shape::Rule(GOOGLE, None),
        _ => return None,
    })
}
