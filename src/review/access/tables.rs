//! Which attributes of which resource types make a rule of a firewall, and what each means.

/// What an attribute of a rule means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Number,
    Name,
    /// Allow or deny.
    Verdict,
    Direction,
    /// `true` for rules of what leaves.
    IsEgress,
    Protocol,
    FromPort,
    ToPort,
    IcmpType,
    IcmpCode,
    Ports,
    /// Blocks of a protocol and ports, which are allowed.
    Allowed,
    /// The same, denied.
    Denied,
    /// The other side: where it comes from, or goes to if the rule is about what leaves.
    Peer,
    /// The other side is the group itself.
    ItSelf,
    From,
    To,
    Targets,
    SourcePorts,
    Disabled,
    Note,
}

pub(super) type Table = &'static [(&'static str, Role)];

const GROUP: Table = &[
    ("protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("cidr_blocks", Role::Peer),
    ("ipv6_cidr_blocks", Role::Peer),
    ("prefix_list_ids", Role::Peer),
    ("security_groups", Role::Peer),
    ("self", Role::ItSelf),
    ("description", Role::Note),
];

const GROUP_RULE: Table = &[
    ("type", Role::Direction),
    ("protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("cidr_blocks", Role::Peer),
    ("ipv6_cidr_blocks", Role::Peer),
    ("prefix_list_ids", Role::Peer),
    ("source_security_group_id", Role::Peer),
    ("self", Role::ItSelf),
    ("description", Role::Note),
];

const VPC_GROUP_RULE: Table = &[
    ("ip_protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("cidr_ipv4", Role::Peer),
    ("cidr_ipv6", Role::Peer),
    ("prefix_list_id", Role::Peer),
    ("referenced_security_group_id", Role::Peer),
    ("description", Role::Note),
];

const ACL: Table = &[
    ("rule_no", Role::Number),
    ("action", Role::Verdict),
    ("protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("icmp_type", Role::IcmpType),
    ("icmp_code", Role::IcmpCode),
    ("cidr_block", Role::Peer),
    ("ipv6_cidr_block", Role::Peer),
];

const ACL_RULE: Table = &[
    ("rule_number", Role::Number),
    ("rule_action", Role::Verdict),
    ("egress", Role::IsEgress),
    ("protocol", Role::Protocol),
    ("from_port", Role::FromPort),
    ("to_port", Role::ToPort),
    ("icmp_type", Role::IcmpType),
    ("icmp_code", Role::IcmpCode),
    ("cidr_block", Role::Peer),
    ("ipv6_cidr_block", Role::Peer),
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

/// Where the rules of a resource type are.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// In lists of blocks with these names; whether they are about what leaves.
    Blocks(&'static [(&'static str, bool)], Table),
    /// The resource is a rule; whether of what leaves, where its type says so.
    Rule(Table, Option<bool>),
}

/// Where the rules of a resource type are; none if it has none.
pub(super) fn shape(resource_type: &str) -> Option<Shape> {
    const BOTH: &[(&str, bool)] = &[("ingress", false), ("egress", true)];
    Some(match resource_type {
        "aws_security_group" | "aws_default_security_group" => Shape::Blocks(BOTH, GROUP),
        "aws_network_acl" | "aws_default_network_acl" => Shape::Blocks(BOTH, ACL),
        "azurerm_network_security_group" => Shape::Blocks(&[("security_rule", false)], AZURE),
        "aws_security_group_rule" => Shape::Rule(GROUP_RULE, None),
        "aws_vpc_security_group_ingress_rule" => Shape::Rule(VPC_GROUP_RULE, Some(false)),
        "aws_vpc_security_group_egress_rule" => Shape::Rule(VPC_GROUP_RULE, Some(true)),
        "aws_network_acl_rule" => Shape::Rule(ACL_RULE, None),
        "azurerm_network_security_rule" => Shape::Rule(AZURE, None),
        "google_compute_firewall" => Shape::Rule(GOOGLE, None),
        _ => return None,
    })
}
