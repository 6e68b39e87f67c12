//! Lists of objects that were attributes before a major version of their provider, and are blocks since then.
//!
//! Source: the upgrade guides of the providers. The legacy SDK can declare a block as an attribute
//! (`SchemaConfigModeAttr`, "attributes as blocks"), so that a configuration can set an empty list. The
//! values of both forms are equal, so only the version of the provider can decide between them, unless the
//! configuration has the name. No document contains that version. These limit it:
//! - The version constraints of the configuration.
//! - The time of planning: a plan cannot use a version that was released later.
//! - The release of the tool. Users of releases that write no time of planning may have a newer provider, but
//!   rarely do, so their documents count as written before the first release that writes it.
//!
//! A document without these counts as one of the built-in version.

use std::sync::OnceLock;

use bumpalo::Bump;

use super::known;
use crate::json::Str;
use crate::model::plan::Plan;
use crate::model::state::StateDocument;
use crate::schema::provider_name::{last, prefix};
use crate::schema::{Attribute, AttributeKind, Block, NestedBlock, Nesting, Type};

/// The major version of a provider since which attributes are blocks.
struct Conversion {
    /// The provider type.
    provider: &'static str,
    major: u64,
    /// The day on which it was released.
    released: &'static str,
    /// Resource types, and the paths to their attributes, each separated by spaces.
    attributes: &'static [(&'static str, &'static str)],
}

const CONVERSIONS: &[Conversion] = &[
    Conversion {
        provider: "google",
        major: 6,
        released: "2024-08-26",
        attributes: &[
            ("google_compute_instance", "guest_accelerator"),
            (
                "google_compute_instance_from_machine_image google_compute_instance_from_template",
                "attached_disk guest_accelerator network_interface.access_config \
                 network_interface.alias_ip_range scratch_disk service_account",
            ),
            ("google_compute_subnetwork", "secondary_ip_range"),
            (
                "google_container_cluster google_container_node_pool",
                "node_config.guest_accelerator node_config.taint",
            ),
            (
                "google_container_cluster",
                "node_pool.node_config.guest_accelerator node_pool.node_config.taint",
            ),
        ],
    },
    Conversion {
        provider: "azurerm",
        major: 4,
        released: "2024-08-22",
        attributes: &[(
            "azurerm_app_service azurerm_app_service_slot azurerm_function_app azurerm_function_app_slot \
             azurerm_linux_function_app azurerm_linux_function_app_slot azurerm_linux_web_app \
             azurerm_linux_web_app_slot azurerm_logic_app_standard azurerm_windows_function_app \
             azurerm_windows_function_app_slot azurerm_windows_web_app azurerm_windows_web_app_slot",
            "site_config.ip_restriction site_config.scm_ip_restriction",
        )],
    },
];

/// What a document proves of the versions of its providers.
#[derive(Debug)]
pub(super) struct Limits<'p, 's> {
    /// The plan with the version constraints.
    plan: Option<&'p Plan<'s>>,
    /// The constraints, read on first use.
    constraints: OnceLock<Vec<(Str<'s>, Str<'s>)>>,
    /// The latest time or day on which it was written; empty if that is not known.
    written: &'p str,
}

/// The release of Terraform 1.5, the first one that writes version 1.2 of the format, with the time of
/// planning. All releases of OpenTofu are later.
const FIRST_TIMESTAMP: &str = "2023-06-12";

impl<'p, 's> Limits<'p, 's> {
    pub(super) fn of_plan(plan: &'p Plan<'s>) -> Self {
        let written = match version(&plan.format_version) {
            Some(format) if format < (1, 2) => FIRST_TIMESTAMP,
            // A time before that is not the time of planning.
            _ => Some(&*plan.timestamp).filter(|time| *time >= FIRST_TIMESTAMP).unwrap_or_default(),
        };
        Self { plan: Some(plan), constraints: OnceLock::new(), written }
    }

    pub(super) fn of_state(state: &StateDocument<'_>) -> Self {
        let is_old = version(&state.terraform_version).is_some_and(|release| release < (1, 5));
        let written = if is_old { FIRST_TIMESTAMP } else { "" };
        Self { plan: None, constraints: OnceLock::new(), written }
    }

    /// Whether the document was written with a version of the provider before `major`, which was released on
    /// a day.
    fn are_before(&self, provider: &str, major: u64, released: &str) -> bool {
        let read = || self.plan.map(|plan| plan.configuration().version_constraints());
        let constraints = self.constraints.get_or_init(|| read().unwrap_or_default());
        let of_provider = constraints.iter().filter(|(name, _)| self::provider(name) == provider);
        let bounds = || of_provider.clone().flat_map(|(_, all)| all.split(',')).filter_map(bound);
        if bounds().any(|bound| bound.below.is_some_and(|below| below <= major)) {
            return true;
        }
        let is_since = bounds().any(|bound| bound.from.is_some_and(|from| from >= major));
        !is_since && !self.written.is_empty() && self.written < released
    }
}

/// The provider type of a name. The beta of a provider has its versions.
fn provider(name: &str) -> &str {
    let last = last(name);
    last.strip_suffix("-beta").unwrap_or(last)
}

/// The first two numbers of a version.
fn version(text: &str) -> Option<(u64, u64)> {
    let mut numbers = text.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The major versions that one part of a version constraint admits.
struct Bound {
    from: Option<u64>,
    below: Option<u64>,
}

fn bound(part: &str) -> Option<Bound> {
    let part = part.trim();
    let at = part.find(|c: char| !"=<>!~ ".contains(c))?;
    let (operator, version) = part.split_at_checked(at)?;
    let (major, rest) = version.split_once('.').unwrap_or((version, ""));
    let major: u64 = major.parse().ok()?;
    let is_first = rest.split('.').all(|number| number.parse().unwrap_or(0) == 0);
    let next = major.saturating_add(1);
    let (from, below) = match operator.trim() {
        "" | "=" => (Some(major), Some(next)),
        // `~>` allows the last number that it has to grow.
        "~>" => (Some(major), (!rest.is_empty()).then_some(next)),
        ">" | ">=" => (Some(major), None),
        "<" => (None, Some(if is_first { major } else { next })),
        "<=" => (None, Some(next)),
        _ => (None, None),
    };
    Some(Bound { from, below })
}

/// `block`, the shape of a resource type, with the attributes of the versions that the document can be written
/// with. Those that the block does not have are added: a built-in schema may lack them.
pub(super) fn with_attributes<'s>(
    block: Block<'s>,
    limits: &Limits<'_, '_>,
    (mode, provider_name, type_name): (&str, &str, &str),
    arena: &'s Bump,
) -> Block<'s> {
    let provider = if provider_name.is_empty() { prefix(type_name) } else { provider(provider_name) };
    let has_type = |(types, _): &&(&str, &str)| types.split(' ').any(|known| known == type_name);
    let applies = |known: &&Conversion| {
        matches!(mode, "" | "managed")
            && known.provider == provider
            && known.attributes.iter().any(|of_types| has_type(&of_types))
            && limits.are_before(provider, known.major, known.released)
    };
    let attributes = CONVERSIONS.iter().filter(applies).flat_map(|known| known.attributes);
    let paths = attributes.filter(has_type).flat_map(|(_, paths)| paths.split(' '));
    paths.fold(block, |block, path| with_attribute(block, path, arena))
}

fn with_attribute<'s>(block: Block<'s>, path: &'static str, arena: &'s Bump) -> Block<'s> {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    if block.attributes.iter().any(|(known, _)| *known == name) {
        return block;
    }
    let mut blocks = block.blocks.to_vec();
    let at = blocks.binary_search_by(|(known, _)| (*known).cmp(name));
    if !rest.is_empty() {
        let none = NestedBlock { nesting: Nesting::List, block: Block::default() };
        let at = at.unwrap_or_else(|at| {
            blocks.insert(at, (name, none));
            at
        });
        if let Some((_, nested)) = blocks.get_mut(at) {
            nested.block = with_attribute(nested.block, rest, arena);
        }
        return Block::new(block.attributes, arena.alloc_slice_copy(&blocks), arena);
    }
    let objects = AttributeKind::Type(Type::List(&Type::Object(&[])));
    let mut attribute = Attribute { kind: objects, sensitive: false, write_only: false, required: false };
    if let Ok(at) = at {
        let (_, nested) = blocks.remove(at);
        let Some(converted) = known::as_attribute(nested, arena) else { return block };
        attribute = converted;
    }
    let mut attributes = block.attributes.to_vec();
    let at = attributes.partition_point(|(known, _)| *known < name);
    attributes.insert(at, (name, attribute));
    Block::new(arena.alloc_slice_copy(&attributes), arena.alloc_slice_copy(&blocks), arena)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_constraints_limit_the_major_version() {
        let is_before = |constraint: &str| {
            let text = format!(
                r#"{{"configuration":{{"provider_config":{{"any-beta":{{"name":"any-beta",
                    "full_name":"registry.example/acme/any-beta","version_constraint":"{constraint}"}}}}}}}}"#
            );
            let plan: Plan<'_> = crate::json::from_str(&text).unwrap();
            // With and without an early time, which decides where the constraint does not.
            let before = |written| {
                Limits { plan: Some(&plan), constraints: OnceLock::new(), written }.are_before(
                    "any",
                    6,
                    "2024-08-26",
                )
            };
            (before(""), before("2024-08-25T10:00:00Z"))
        };
        for constraint in ["6.0.0", "~> 6.1", ">= 6", "> 7.1, < 9", "~> 7"] {
            assert_eq!(is_before(constraint), (false, false), "{constraint}");
        }
        for constraint in [">= 3.0", "< 6.1", "<= 6.0", "~> 5", "!= 5.1", "", "latest", "{{x}}"] {
            assert_eq!(is_before(constraint), (false, true), "{constraint}");
        }
    }

    #[test]
    fn the_time_of_planning_limits_the_version() {
        let is_before = |members: &str| {
            let plan: Plan<'_> = crate::json::from_str(members).unwrap();
            Limits::of_plan(&plan).are_before("any", 6, "2024-08-26")
        };
        assert!(is_before(r#"{"format_version":"1.2","timestamp":"2024-08-25T23:59:59Z"}"#));
        assert!(!is_before(r#"{"format_version":"1.2","timestamp":"2024-08-26T08:00:00Z"}"#));
        assert!(!is_before(r#"{"format_version":"1.2","timestamp":"0001-01-01T00:00:00Z"}"#), "no time");
        assert!(!is_before(r#"{"format_version":"1.2"}"#) && !is_before("{}"));
        assert!(is_before(r#"{"format_version":"1.1"}"#) && is_before(r#"{"format_version":"0.1"}"#));
        let of_state = |release: &str| {
            let text = format!(r#"{{"format_version":"1.0","terraform_version":"{release}"}}"#);
            let state: StateDocument<'_> = crate::json::from_str(&text).unwrap();
            Limits::of_state(&state).are_before("any", 6, "2024-08-26")
        };
        assert!(of_state("1.4.6") && of_state("0.14.3") && !of_state("1.5.0") && !of_state("1.12.1"));
    }
}
