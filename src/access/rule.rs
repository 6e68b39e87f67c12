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

pub(crate) type Table = &'static [(&'static str, Role)];

/// Rules of security groups and network ACLs, inline and as resources of their own.
const AWS: Table = &[
    ("rule_no", Role::Number),
    ("rule_number", Role::Number),
    ("action", Role::Verdict),
    ("rule_action", Role::Verdict),
    ("type", Role::Direction),
    ("egress", Role::IsEgress),
    ("protocol", Role::Protocol),
    ("ip_protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("icmp_type", Role::IcmpType),
    ("icmp_code", Role::IcmpCode),
    ("cidr_block", Role::Peer),
    ("cidr_blocks", Role::Peer),
    ("cidr_ipv4", Role::Peer),
    ("ipv6_cidr_block", Role::Peer),
    ("ipv6_cidr_blocks", Role::Peer),
    ("cidr_ipv6", Role::Peer),
    ("prefix_list_id", Role::Peer),
    ("prefix_list_ids", Role::Peer),
    ("security_groups", Role::Peer),
    ("source_security_group_id", Role::Peer),
    ("referenced_security_group_id", Role::Peer),
    ("self", Role::SelfReference),
    ("description", Role::Note),
];

const GOOGLE: Table = &[
    ("priority", Role::Number),
    ("direction", Role::Direction),
    ("allow", Role::Allowed),
    ("deny", Role::Denied),
    ("source_ranges", Role::From),
    ("source_tags", Role::From),
    ("source_service_accounts", Role::From),
    ("destination_ranges", Role::To),
    ("target_tags", Role::Targets),
    ("target_service_accounts", Role::Targets),
    ("disabled", Role::Disabled),
    ("description", Role::Note),
];

const AZURE: Table = &[
    ("priority", Role::Number),
    ("name", Role::Name),
    ("access", Role::Verdict),
    ("direction", Role::Direction),
    ("protocol", Role::Protocol),
    ("destination_port_range", Role::Ports),
    ("destination_port_ranges", Role::Ports),
    ("source_address_prefix", Role::From),
    ("source_address_prefixes", Role::From),
    ("source_application_security_group_ids", Role::From),
    ("destination_address_prefix", Role::To),
    ("destination_address_prefixes", Role::To),
    ("destination_application_security_group_ids", Role::To),
    ("source_port_range", Role::SourcePorts),
    ("source_port_ranges", Role::SourcePorts),
    ("description", Role::Note),
];

/// The attributes that say which traffic a rule allows, in the words of all providers.
pub(super) const TRAFFIC: Table = &[
    ("protocol", Role::Protocol),
    ("ip_protocol", Role::Protocol),
    ("protocols", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("destination_port_range", Role::Ports),
    ("port", Role::Ports),
    ("destination_port_ranges", Role::Ports),
    ("destination_ports", Role::Ports),
    ("ports", Role::Ports),
    ("port_range", Role::Ports),
    ("tcp_options", Role::PortOptions),
    ("udp_options", Role::PortOptions),
    ("icmp_type", Role::IcmpType),
    ("allow", Role::Allowed),
];

/// The attributes of a firewall rule that have a value.
#[derive(Debug)]
pub(crate) struct RuleAttributes<'w>(pub(crate) Vec<(&'static str, Role, MarkedValue<'w>)>);

impl<'w> RuleAttributes<'w> {
    pub(crate) fn read(rule: MarkedValue<'w>, table: Table) -> Self {
        let value = |name: &str| rule.get(name).filter(|value| !value.is_null());
        Self(table.iter().filter_map(|(name, role)| Some((*name, *role, value(name)?))).collect())
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
