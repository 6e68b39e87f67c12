//! Where resource types have firewall rules, and how these are read.

use super::parties::Naming;
use super::read::{self, Dialect, Source, Way, is_unknown};
use super::sweep::Answer;
use crate::diff::value::MarkedValue;

/// How the rules of an object decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Each rule allows, and their order does not count. A list with a rule that refuses is read in its order.
    Adds,
    /// The first rule that fits decides: by their numbers if they have them, else in the order of the list.
    First,
    /// The object is one rule, or rules with one answer and number, beside others that the plan may not have.
    Alone,
}

/// What happens to traffic that no rule fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// It is refused, if the object has no policy that says otherwise.
    Refuse,
    /// The default rules of Azure decide.
    Azure,
    /// Traffic of this direction passes if no rule is for it; otherwise it is refused.
    Open(Way),
    /// Rules of other objects decide.
    Neighbours,
}

/// The rules of an object in one of its members.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// The member.
    pub(crate) place: &'static str,
    /// The direction of all of its rules; `None` if each says it.
    pub(crate) way: Option<Way>,
    /// The member with what happens to traffic of this direction that no rule fits.
    pub(crate) policy: Option<&'static str>,
    /// The member of the blocks that has the rules, if the blocks are collections.
    pub(crate) inner: Option<&'static str>,
}

impl List {
    /// A list whose rules say their direction.
    const fn new(place: &'static str) -> Self {
        Self {
            place,
            way: None,
            policy: None,
            inner: None,
        }
    }

    /// A list of rules for incoming traffic.
    const fn inbound(place: &'static str) -> Self {
        Self {
            way: Some(Way::In),
            ..Self::new(place)
        }
    }

    /// A list of rules for outgoing traffic.
    const fn outbound(place: &'static str) -> Self {
        Self {
            way: Some(Way::Out),
            ..Self::new(place)
        }
    }

    /// Names the member with the policy.
    const fn policy_in(self, policy: &'static str) -> Self {
        Self {
            policy: Some(policy),
            ..self
        }
    }

    /// Names the member of the blocks that has the rules.
    const fn within(self, inner: &'static str) -> Self {
        Self {
            inner: Some(inner),
            ..self
        }
    }

    /// Returns what happens to traffic that no rule fits; `None` if the object does not say it.
    pub(crate) fn policy(&self, object: MarkedValue<'_>) -> Option<Answer> {
        let value = object.get(self.policy?)?;
        read::answer_of(value.content.scalar_text()?)
    }
}

/// A type with firewall rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Firewall {
    /// The lists; none if the object is itself a rule.
    pub(crate) lists: &'static [List],
    /// The direction of the rule, if the type says it.
    pub(crate) way: Option<Way>,
    /// How rules decide.
    pub(crate) order: Order,
    /// How rules are read.
    pub(crate) dialect: Dialect,
    /// What happens where no rule fits.
    pub(crate) otherwise: Otherwise,
    /// The block in a rule that holds members of it.
    pub(crate) beside: Option<&'static str>,
    /// The block of the object that has the lists, if the object is more than a firewall.
    pub(crate) within: Option<&'static str>,
    /// Whether the provider fills in lists that nobody configured.
    pub(crate) is_computed: bool,
    /// Other members of the object that decide about all lists.
    pub(crate) decides: &'static [&'static str],
}

impl Firewall {
    /// Lists of rules that allow.
    const fn adds(lists: &'static [List]) -> Self {
        Self {
            lists,
            way: None,
            order: Order::Adds,
            dialect: Dialect {
                naming: Naming::Labels,
                is_open: false,
                has_limits: true,
                ignores_ports: false,
            },
            otherwise: Otherwise::Refuse,
            beside: None,
            within: None,
            is_computed: false,
            decides: &[],
        }
    }

    /// Lists in which the first rule that fits decides.
    const fn first(lists: &'static [List]) -> Self {
        Self {
            order: Order::First,
            ..Self::adds(lists)
        }
    }

    /// Objects that are a rule each. They have members that are no limits: where they belong, and what is logged.
    const fn rule() -> Self {
        let adds = Self::adds(&[]);
        Self {
            order: Order::Alone,
            dialect: Dialect {
                has_limits: false,
                ..adds.dialect
            },
            ..adds
        }
    }

    /// Rules of AWS.
    const fn aws(self) -> Self {
        Self {
            dialect: Dialect {
                naming: Naming::Apart,
                ignores_ports: true,
                ..self.dialect
            },
            ..self
        }
    }

    /// Rules of Azure.
    const fn azure(self) -> Self {
        Self {
            dialect: Dialect {
                naming: Naming::Azure,
                ..self.dialect
            },
            ..self
        }
    }

    /// Rules that fit everybody if they do not name the other side.
    const fn open(self) -> Self {
        Self {
            dialect: Dialect {
                is_open: true,
                ..self.dialect
            },
            ..self
        }
    }

    /// Rules for traffic of one direction.
    const fn way(self, way: Way) -> Self {
        Self {
            way: Some(way),
            ..self
        }
    }

    /// Says what happens to traffic that no rule fits.
    const fn otherwise(self, otherwise: Otherwise) -> Self {
        Self { otherwise, ..self }
    }

    /// Lists that the provider fills in.
    const fn computed(self) -> Self {
        Self {
            is_computed: true,
            ..self
        }
    }

    /// Collections that are objects with one answer and number each.
    const fn collection(self) -> Self {
        Self {
            order: Order::Alone,
            ..self
        }
        .decided_by(&["action", "priority"])
    }

    /// Names members that decide about all lists.
    const fn decided_by(self, decides: &'static [&'static str]) -> Self {
        Self { decides, ..self }
    }

    /// Names the block that has the lists.
    const fn in_block(self, block: &'static str) -> Self {
        Self {
            within: Some(block),
            ..self
        }
    }

    /// Names the block that holds members of the rule.
    const fn with_block(self, block: &'static str) -> Self {
        Self {
            beside: Some(block),
            ..self
        }
    }

    /// Returns the rules of an object: those of a list, or the object itself.
    pub(crate) fn sources<'w>(
        &self,
        list: Option<&List>,
        object: MarkedValue<'w>,
    ) -> Vec<Source<'w>> {
        let Some(list) = list else {
            return vec![Source::from(object).with(self.beside)];
        };
        let Some(value) = object.get(list.place) else {
            return Vec::new();
        };
        // A whole list that is not known yet is judged before it is read.
        let blocks = value.as_array().unwrap_or_default().iter();
        let Some(inner) = list.inner else {
            return blocks
                .map(|block| Source::from(*block).with(self.beside))
                .collect();
        };
        let mut sources = Vec::new();
        for block in blocks {
            let rules = block.get(inner).filter(|rules| !is_unknown(*rules));
            match rules.and_then(MarkedValue::as_array) {
                Some(rules) => sources.extend(rules.iter().map(|rule| Source {
                    rule: *rule,
                    beside: Some(*block),
                    instead: None,
                })),
                None => sources.push(Source::from(*block)),
            }
        }
        sources
    }
}

/// The lists of rules by their names, whatever the type.
const BY_NAME: &[List] = &[
    List::inbound("ingress"),
    List::outbound("egress"),
    List::inbound("inbound"),
    List::outbound("outbound"),
    List::inbound("ingress_rule"),
    List::outbound("egress_rule"),
    List::inbound("inbound_rule"),
    List::outbound("outbound_rule"),
    List::new("security_rule"),
    List::new("firewall_rule"),
];

/// Returns how rules of a type are read that nobody here knows. `is_open` says what a rule without another side is
/// taken for.
pub(crate) fn by_name(is_open: bool) -> Firewall {
    let adds = Firewall::adds(BY_NAME);
    if is_open { adds.open() } else { adds }
}

/// The direction of traffic that comes in.
const IN: Way = Way::In;
/// The direction of traffic that goes out.
const OUT: Way = Way::Out;

/// Returns how the rules of a type are read; `None` for types without firewall rules that are listed here.
pub(crate) fn firewall(resource_type: &str) -> Option<Firewall> {
    const BOTH: &[List] = &[List::inbound("ingress"), List::outbound("egress")];
    const RULE: &[List] = &[List::new("rule")];
    const RULES: &[List] = &[List::new("rules")];
    const BLOCKS: &[List] = &[
        List::inbound("inbound_rule"),
        List::outbound("outbound_rule"),
    ];
    const INGRESS: &[List] = &[List::inbound("ingress")];
    const PORT_INFO: &[List] = &[List::inbound("port_info")];
    const SECURITY_RULE: &[List] = &[List::new("security_rule")];
    const NETWORK_RULE_COLLECTION: &[List] = &[
        List::new("network_rule_collection").within("rule"),
        List::new("application_rule_collection").within("rule"),
        List::new("nat_rule_collection").within("rule"),
    ];
    const INGRESS_SECURITY_RULES: &[List] = &[
        List::inbound("ingress_security_rules"),
        List::outbound("egress_security_rules"),
    ];
    const FIREWALL_RULE: &[List] = &[List::new("firewall_rule")];
    const INBOUND_RULE: &[List] = &[
        List::inbound("inbound_rule").policy_in("inbound_default_policy"),
        List::outbound("outbound_rule").policy_in("outbound_default_policy"),
    ];
    const INBOUND: &[List] = &[
        List::inbound("inbound").policy_in("inbound_policy"),
        List::outbound("outbound").policy_in("outbound_policy"),
    ];
    const INGRESS_RULE: &[List] = &[List::inbound("ingress_rule"), List::outbound("egress_rule")];
    const INGRESS_ACL_ENTRIES: &[List] = &[
        List::inbound("ingress_acl_entries"),
        List::outbound("egress_acl_entries"),
    ];
    const RESTRICTIONS: &[List] = &[
        List::inbound("ip_restriction").policy_in("ip_restriction_default_action"),
        List::inbound("scm_ip_restriction").policy_in("scm_ip_restriction_default_action"),
    ];
    Some(match resource_type {
        // "Security group rules", "Network ACL rules" (Amazon VPC User Guide).
        "aws_security_group" | "aws_default_security_group" => {
            Firewall::adds(BOTH).aws().computed()
        }
        "aws_db_security_group" | "aws_redshift_security_group" => Firewall::adds(INGRESS).aws(),
        "aws_lightsail_instance_public_ports" => Firewall::adds(PORT_INFO).aws().open(),
        "aws_security_group_rule" => Firewall::rule().aws(),
        "aws_vpc_security_group_ingress_rule" => Firewall::rule().aws().way(IN),
        "aws_vpc_security_group_egress_rule" => Firewall::rule().aws().way(OUT),
        "aws_network_acl" | "aws_default_network_acl" => Firewall::first(BOTH).aws().computed(),
        "aws_network_acl_rule" => Firewall::rule().aws(),
        // "How network security groups filter network traffic" (Microsoft Learn).
        "azurerm_network_security_group" => Firewall::first(SECURITY_RULE)
            .azure()
            .computed()
            .otherwise(Otherwise::Azure),
        "azurerm_network_security_rule" => Firewall::rule().azure(),
        "azurerm_firewall_network_rule_collection"
        | "azurerm_firewall_application_rule_collection"
        | "azurerm_firewall_nat_rule_collection" => Firewall::adds(RULE).open().collection(),
        "azurerm_firewall_policy_rule_collection_group" => Firewall::first(NETWORK_RULE_COLLECTION)
            .open()
            .otherwise(Otherwise::Neighbours),
        // "Azure App Service access restrictions" (Microsoft Learn): everybody comes in until there is a rule.
        "azurerm_linux_web_app"
        | "azurerm_linux_web_app_slot"
        | "azurerm_windows_web_app"
        | "azurerm_windows_web_app_slot"
        | "azurerm_linux_function_app"
        | "azurerm_linux_function_app_slot"
        | "azurerm_windows_function_app"
        | "azurerm_windows_function_app_slot"
        | "azurerm_app_service"
        | "azurerm_function_app"
        | "azurerm_logic_app_standard" => Firewall::first(RESTRICTIONS)
            .in_block("site_config")
            .otherwise(Otherwise::Open(IN)),
        // "VPC firewall rules", "Firewall policy rules" (Google Cloud).
        "google_compute_firewall" => Firewall::rule().open(),
        "google_compute_firewall_policy_rule"
        | "google_compute_network_firewall_policy_rule"
        | "google_compute_region_network_firewall_policy_rule"
        | "google_compute_organization_security_policy_rule" => {
            Firewall::rule().open().with_block("match")
        }
        "google_compute_network_firewall_policy_with_rules"
        | "google_compute_region_network_firewall_policy_with_rules"
        | "google_compute_firewall_policy_with_rules" => Firewall::first(RULE)
            .open()
            .with_block("match")
            .otherwise(Otherwise::Neighbours),
        "databricks_ip_access_list" => Firewall::rule(),
        "google_app_engine_firewall_rule" => Firewall::rule().open(),
        // "Firewalls" (Hetzner Cloud): what goes out passes until a rule is for it.
        "hcloud_firewall" => Firewall::adds(RULE).otherwise(Otherwise::Open(OUT)),
        "digitalocean_firewall" => Firewall::adds(BLOCKS),
        "oci_core_security_list" | "oci_core_default_security_list" => {
            Firewall::adds(INGRESS_SECURITY_RULES)
        }
        "oci_core_network_security_group_security_rule"
        | "openstack_networking_secgroup_rule_v2"
        | "opentelekomcloud_networking_secgroup_rule_v2"
        | "huaweicloud_networking_secgroup_rule"
        | "flexibleengine_networking_secgroup_rule_v2"
        | "stackit_security_group_rule"
        | "alicloud_security_group_rule"
        | "exoscale_security_group_rule"
        | "yandex_vpc_security_group_rule"
        | "vultr_firewall_rule"
        | "ibm_is_security_group_rule"
        | "ibm_is_network_acl_rule"
        | "ionoscloud_firewall"
        | "cloudstack_security_group_rule"
        | "ncloud_network_acl_rule" => Firewall::rule().open(),
        "openstack_compute_secgroup_v2" | "upcloud_firewall_rules" => {
            if resource_type == "upcloud_firewall_rules" {
                Firewall::first(FIREWALL_RULE).open()
            } else {
                Firewall::adds(RULE).open()
            }
        }
        "ibm_is_network_acl" => Firewall::first(RULES).open(),
        "scaleway_instance_security_group" => Firewall::first(INBOUND_RULE).open(),
        "scaleway_instance_security_group_rules" => Firewall::first(BLOCKS)
            .open()
            .otherwise(Otherwise::Neighbours),
        "linode_firewall" => Firewall::first(INBOUND),
        "yandex_vpc_security_group" | "yandex_vpc_default_security_group" => Firewall::adds(BOTH),
        "civo_firewall" => Firewall::first(INGRESS_RULE),
        "alicloud_network_acl" => Firewall::first(INGRESS_ACL_ENTRIES),
        _ => return None,
    })
}
