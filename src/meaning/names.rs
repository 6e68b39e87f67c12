//! What names mean, whatever the type: the floor under types and attributes that no model and no row knows.
//!
//! The order of the questions is the order of gravity: a limit that goes is one, also if the value has a number in it.
//! What a name says is never proof that something is harmless, except for texts that only people read, for what
//! providers compute, and for the better side of a scale.
//!
//! ```text
//! allowed_audiences: ["a"] -> ["a", "b"]     wider
//! audit_logging_enabled: true -> false       weaker
//! description: "a" -> "b"                    words
//! widget_color: "red" -> "blue"              nothing is known
//! ```

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::diff::edits::Element;
use crate::diff::value::{Content, MarkedValue};
use crate::direction::{Direction, Directions, Meaning};

use super::{size, version};

/// The names of attributes that only people read, in every type.
const WORDS: &[&str] = &[
    "description",
    "comment",
    "comments",
    "display_name",
    "friendly_name",
    "alarm_description",
    "homepage",
    "homepage_url",
    "note",
    "notes",
    "runbook_url",
    "sid",
    "summary",
    "title",
    "topics",
    "contact_notes",
];

/// The names of maps and lists with marks for people and for bills, which selectors may read.
const TAGS: &[&str] = &[
    "tags",
    "tags_all",
    "tag",
    "labels",
    "user_labels",
    "resource_labels",
    "effective_labels",
    "terraform_labels",
    "default_tags",
    "freeform_tags",
    "defined_tags",
];

/// The names of attributes that providers fill in, and that tell what happened rather than what is wanted.
const COMPUTED: &[&str] = &[
    "arn",
    "created_at",
    "created_on",
    "create_time",
    "creation_date",
    "creation_timestamp",
    "etag",
    "fingerprint",
    "generation",
    "id",
    "last_modified",
    "last_updated",
    "metadata_fingerprint",
    "modified_on",
    "modified_at",
    "qualified_arn",
    "resource_version",
    "revision",
    "self_link",
    "source_code_size",
    "tags_fingerprint",
    "uid",
    "unique_id",
    "updated_at",
    "update_time",
    "version_id",
];

/// Values that let in everybody, or stand for everything.
const EVERYTHING: &[&str] = &[
    "*",
    "0.0.0.0/0",
    "::/0",
    "0.0.0.0",
    "any",
    "anyone",
    "anonymous",
    "everyone",
    "everybody",
    "internet",
    "public",
    "allusers",
    "allauthenticatedusers",
];

/// States of guards and switches, from the weaker to the stronger. A value of one list is weaker than one that comes
/// later in the same list.
const STATES: &[&[&str]] = &[
    &["disabled", "enabled"],
    &["disable", "enable"],
    &["inactive", "active"],
    &["off", "on"],
    &["false", "true"],
    &["suspended", "enabled"],
    &["disabled", "suspended"],
    &["not_signing", "signing"],
    &["audit", "deny"],
    &["auditifnotexists", "deny"],
    &["audit", "enforce"],
    &["audit", "block"],
    &["count", "block"],
    &["log", "block"],
    &["log", "deny"],
    &["log", "drop"],
    &["allow", "block"],
    &["allow", "deny"],
    &["allow", "drop"],
    &["monitor", "block"],
    &["monitor", "enforce"],
    &["detect", "prevent"],
    &["detection", "prevention"],
    &["evaluate", "active"],
    &["evaluate", "enforce"],
    &["evaluate", "enabled"],
    &["dryrun", "warn", "deny"],
    &["ignore", "fail"],
    &["disable", "permissive", "strict"],
    &["permissive", "strict"],
    &["permissive", "enforcing"],
    &["passthrough", "active"],
    &["none", "optional", "required"],
    &["optional", "required", "require"],
    &["none", "warn", "restricted"],
    &["privileged", "baseline", "restricted"],
    &["allow_any", "disallow_any"],
];

/// Returns whether a path leads to a text that only people read, by its last name.
pub(crate) fn is_words(names: &[&str]) -> bool {
    names
        .last()
        .is_some_and(|name| WORDS.contains(&&*snake_case(name)))
}

/// Returns the key of a tag or label, if the path leads to one, or to all of them; the key of all of them is empty.
pub(crate) fn tag_key<'n>(resource_type: &str, names: &[&'n str]) -> Option<&'n str> {
    let [first, rest @ ..] = names else {
        return None;
    };
    // The network tags of a machine of Google are what its firewall rules select.
    let are_selected = resource_type.starts_with("google_compute_") && *first == "tags";
    let is_tag = TAGS.contains(first) && !are_selected;
    is_tag.then(|| rest.first().copied().unwrap_or_default())
}

/// Whether a path leads to something that providers fill in, by its last name.
pub(crate) fn is_computed(names: &[&str]) -> bool {
    names.last().is_some_and(|name| {
        let name = snake_case(name);
        COMPUTED.contains(&&*name) || name.ends_with("_fingerprint") || name.ends_with("_etag")
    })
}

/// Returns what the change of a value means by the names that lead to it; `None` if they say nothing. `element` is the
/// last step, if the value is an element of a list or set.
pub(crate) fn meaning(
    names: &[&str],
    element: Option<Element<'_>>,
    before: Option<MarkedValue<'_>>,
    after: Option<MarkedValue<'_>>,
) -> Option<Meaning> {
    let named = names.last().map(|name| snake_case(name));
    let name = named.as_deref().unwrap_or_default();
    let change = Change {
        name,
        element,
        before,
        after,
    };
    let decided = change
        .of_everything()
        .or_else(|| change.of_limit())
        .or_else(|| change.of_opening())
        .or_else(|| change.of_guard())
        .or_else(|| change.of_state());
    if let Some(direction) = decided {
        return Some(direction.into());
    }
    if let Some(meaning) = change.of_version() {
        return Some(meaning);
    }
    change
        .of_scale()
        .or_else(|| change.without_order(names))
        .map(Meaning::from)
        .or_else(|| change.of_members(names))
}

/// The change of a value with a name.
#[derive(Clone, Copy)]
struct Change<'n, 'v> {
    /// The last name of the path, in snake case.
    name: &'n str,
    /// The place of the value in its list, if it is an element.
    element: Option<Element<'n>>,
    before: Option<MarkedValue<'v>>,
    after: Option<MarkedValue<'v>>,
}

impl Change<'_, '_> {
    /// Whether the value is set on the first side, and not on the second.
    fn goes(self) -> bool {
        !is_set(self.after) && is_set(self.before)
    }

    /// Whether the value is not set on the first side, and set on the second.
    fn comes(self) -> bool {
        is_set(self.after) && !is_set(self.before)
    }

    /// Returns the direction if the value is there on one side alone: the first one if it goes, its reverse if it comes.
    fn if_it_goes(self, direction: Direction) -> Option<Direction> {
        if self.goes() {
            Some(direction)
        } else if self.comes() {
            Some(direction.reverse())
        } else {
            None
        }
    }

    /// Returns the direction of a switch: the first one if it is turned off, its reverse if it is turned on.
    fn if_turned_off(self, direction: Direction) -> Option<Direction> {
        match (switch(self.before), switch(self.after)) {
            (Some(true), Some(false)) => Some(direction),
            (Some(true), None) if !is_set(self.after) => Some(direction),
            (Some(false), Some(true)) => Some(direction.reverse()),
            (None, Some(true)) if !is_set(self.before) => Some(direction.reverse()),
            // A switch that was not set, and is off now, or the other way round, stays off for all that is known.
            (Some(_), Some(_) | None) | (None, Some(_) | None) => None,
        }
    }

    /// A value that lets in everybody comes or goes.
    fn of_everything(self) -> Option<Direction> {
        let names_nobody = self.name.starts_with("deny")
            || self.name.starts_with("block")
            || self.name.starts_with("except")
            || self.name.starts_with("exclude")
            || self.name.starts_with("restricted");
        let direction = match (holds_everything(self.before), holds_everything(self.after)) {
            (false, true) => Direction::Wider,
            (true, false) => Direction::Narrower,
            (true, true) | (false, false) => return None,
        };
        Some(if names_nobody {
            direction.reverse()
        } else {
            direction
        })
    }

    /// A limit goes or comes: a condition, a constraint, a source, a list of who is let in or kept out.
    fn of_limit(self) -> Option<Direction> {
        let name = self.name;
        let keeps_out = [
            "deny",
            "denied",
            "except",
            "restricted",
            "excluded",
            "blocked",
        ]
        .iter()
        .any(|word| name.starts_with(word));
        let lets_in = name.starts_with("allowed_") || name.starts_with("permitted_");
        let is_limit = keeps_out
            || lets_in
            || name == "condition"
            || name == "conditions"
            || name.starts_with("constraint")
            || name.starts_with("source_")
            || name.ends_with("_filter")
            || name.ends_with("_condition");
        if !is_limit {
            return None;
        }
        let is_one_of_several = self
            .element
            .is_some_and(|element| element.lengths.0 > 0 && element.lengths.1 > 0);
        let is_block = [self.before, self.after]
            .iter()
            .flatten()
            .any(|side| side.as_object().is_some());
        // A limit that is not there limits nothing: neither an empty allow-list, nor a condition that is removed.
        if !is_one_of_several || is_block && !lets_in {
            if let Some(direction) = self.if_it_goes(Direction::Wider) {
                return Some(direction);
            }
        } else if let Some(direction) = self.if_it_goes(Direction::Narrower) {
            return Some(if keeps_out {
                direction.reverse()
            } else {
                direction
            });
        }
        let (added, removed) = elements(self.before, self.after)?;
        let direction = match (added, removed) {
            (true, true) | (false, false) => return Some(Direction::Another),
            (true, false) => Direction::Wider,
            (false, true) => Direction::Narrower,
        };
        Some(if keeps_out {
            direction.reverse()
        } else {
            direction
        })
    }

    /// A switch or a value opens something.
    fn of_opening(self) -> Option<Direction> {
        let name = self.name;
        let opens = name.starts_with("allow_")
            || name.starts_with("public")
            || name.starts_with("insecure")
            || name.starts_with("anonymous")
            || name.contains("_public_")
            || name.ends_with("_public")
            || name.ends_with("publicly_accessible")
            || name.contains("plaintext")
            || name.contains("anonymous")
            || name.contains("privileged");
        if opens {
            return self.if_turned_off(Direction::Narrower);
        }
        None
    }

    /// A guard is switched off or on, goes or comes, or keeps for a shorter or longer time.
    fn of_guard(self) -> Option<Direction> {
        let name = self.name;
        let is_off_switch = name.starts_with("disable_")
            || name.starts_with("skip_")
            || name.ends_with("_disabled")
            || name == "disabled"
            || name.starts_with("force_destroy")
            || name.starts_with("force_delete");
        if is_off_switch {
            return self.if_turned_off(Direction::Stronger);
        }
        let is_guard = name.ends_with("_enabled")
            || name.starts_with("enable_")
            || [
                "protect", "encrypt", "audit", "logging", "backup", "mfa", "signing", "scanning",
            ]
            .iter()
            .any(|word| name.contains(word));
        if is_guard {
            if let Some(direction) = self.if_turned_off(Direction::Weaker) {
                return Some(direction);
            }
            let is_block = [self.before, self.after]
                .iter()
                .flatten()
                .any(|side| side.is_container());
            if is_block && let Some(direction) = self.if_it_goes(Direction::Weaker) {
                return Some(direction);
            }
        }
        if name == "enabled" || name == "active" {
            return self.if_turned_off(Direction::Stops);
        }
        if name.contains("retention") || name.contains("soft_delete") {
            let (before, after) = (number(self.before)?, number(self.after)?);
            // Zero means for ever in one product, and nothing at all in another.
            if before == 0.0 || after == 0.0 {
                return Some(Direction::Another);
            }
            return if after < before {
                Some(Direction::Weaker)
            } else {
                (after > before).then_some(Direction::Stronger)
            };
        }
        None
    }

    /// A state becomes one that is weaker or stronger.
    fn of_state(self) -> Option<Direction> {
        let before = self.before?.as_str()?.to_ascii_lowercase();
        let after = self.after?.as_str()?.to_ascii_lowercase();
        for states in STATES {
            let place = |value: &str| states.iter().position(|state| *state == value);
            let (Some(old), Some(new)) = (place(&before), place(&after)) else {
                continue;
            };
            return match new.cmp(&old) {
                Ordering::Less => Some(Direction::Weaker),
                Ordering::Greater => Some(Direction::Stronger),
                Ordering::Equal => None,
            };
        }
        None
    }

    /// A version becomes a later or earlier one.
    fn of_version(self) -> Option<Meaning> {
        let before = self.before?.content.scalar_text()?;
        let after = self.after?.content.scalar_text()?;
        let is_named = is_version(self.name);
        // A reference to an image or to a layer says its version, whatever the attribute is called.
        let is_reference = before.contains(['/', ':']) && before.contains(':');
        if !is_named && !is_reference {
            return None;
        }
        let meaning = version::meaning(before, after);
        meaning.or_else(|| is_named.then(|| Direction::Another.into()))
    }

    /// A number of something that serves becomes smaller or larger.
    fn of_scale(self) -> Option<Direction> {
        let name = self.name;
        let is_capacity = [
            "capacity",
            "replicas",
            "replica_count",
            "instance_count",
            "node_count",
            "num_",
            "number_of",
            "desired",
            "memory",
            "cpu",
            "vcpu",
            "iops",
            "throughput",
            "storage",
            "disk_size",
            "size_gb",
            "size_in_gb",
            "volume_size",
            "shard",
            "partitions",
            "max_size",
            "min_size",
            "min_count",
            "max_count",
            "concurrency",
            "min_instances",
            "max_instances",
            "max_replicas",
            "min_replicas",
            "workers",
            "scale",
            "read_units",
            "write_units",
        ]
        .iter()
        .any(|word| name.contains(word))
            || name == "count"
            || name == "size";
        let is_size = ["size", "class", "tier", "type", "sku"]
            .iter()
            .any(|word| name.contains(word));
        if !is_capacity && !is_size {
            return None;
        }
        let before = self.before?.content.scalar_text()?;
        let after = self.after?.content.scalar_text()?;
        match size::compare(before, after)? {
            Ordering::Less => Some(Direction::More),
            Ordering::Greater => Some(Direction::Less),
            Ordering::Equal => None,
        }
    }

    /// A value that says which of several things is meant: it has no order.
    fn without_order(self, names: &[&str]) -> Option<Direction> {
        let is_whole = names.len() == 1 && self.before.or(self.after)?.as_object().is_some();
        if is_whole {
            return None;
        }
        let name = self.name;
        let is_choice = [
            "_id",
            "_ids",
            "_arn",
            "_arns",
            "name",
            "names",
            "_url",
            "_uri",
            "_path",
            "_key",
            "_type",
            "_address",
            "_addresses",
            "_zone",
            "_zones",
            "_class",
            "_mode",
            "_group",
            "_groups",
            "_port",
            "_ref",
            "_link",
            "_email",
            "_cidr",
            "_period",
            "_seconds",
            "_minutes",
            "_hours",
            "_days",
            "_window",
            "_timeout",
            "_interval",
            "_threshold",
            "_limit",
            "_rate",
            "_expression",
            "_template",
            "_config",
            "_parameters",
            "_settings",
            "_options",
            "_domain",
            "_hash",
            "_base64",
            "_value",
            "_values",
            "_definition",
            "_definitions",
            "_data",
            "_script",
            "_policy",
            "_priority",
            "_schedule",
        ]
        .iter()
        .any(|end| name.ends_with(end));
        const CHOICES: &[&str] = &[
            "address_space",
            "address_prefixes",
            "apply_immediately",
            "cidr_block",
            "cidr_blocks",
            "family",
            "identifier",
            "action",
            "actions",
            "address",
            "algorithm",
            "args",
            "arguments",
            "availability_zone",
            "body",
            "bucket",
            "certificate",
            "chart",
            "command",
            "config",
            "content",
            "cron",
            "data",
            "database",
            "dimensions",
            "domain",
            "endpoint",
            "engine",
            "entrypoint",
            "env",
            "environment",
            "expression",
            "filter",
            "format",
            "function",
            "group",
            "handler",
            "headers",
            "host",
            "hostname",
            "image",
            "index",
            "input",
            "inputs",
            "instance",
            "interval",
            "key",
            "keys",
            "kind",
            "location",
            "match",
            "message",
            "method",
            "metric",
            "mode",
            "module",
            "namespace",
            "network",
            "order",
            "output",
            "outputs",
            "owner",
            "parameters",
            "path",
            "pattern",
            "period",
            "policy",
            "port",
            "ports",
            "priority",
            "profile",
            "project",
            "protocol",
            "provider",
            "query",
            "queue",
            "record",
            "records",
            "ref",
            "region",
            "repository",
            "resource",
            "resources",
            "role",
            "roles",
            "rule",
            "rules",
            "schedule",
            "schema",
            "script",
            "secret",
            "selector",
            "service",
            "settings",
            "sku",
            "source",
            "spec",
            "stage",
            "statement",
            "subnet",
            "subnets",
            "table",
            "target",
            "targets",
            "template",
            "threshold",
            "tier",
            "timeout",
            "timeouts",
            "timezone",
            "topic",
            "trigger",
            "triggers",
            "ttl",
            "type",
            "unit",
            "uri",
            "url",
            "user",
            "user_data",
            "users",
            "value",
            "values",
            "variables",
            "version",
            "vpc",
            "weight",
            "zone",
            "zones",
            "ingress",
            "egress",
            "members",
            "member",
            "principal",
            "subject",
            "triggers_replace",
            "keepers",
            "length",
            "special",
        ];
        (is_choice || CHOICES.contains(&name)).then_some(Direction::Another)
    }

    /// A block or map comes or goes as a whole: what its members mean together.
    fn of_members(self, names: &[&str]) -> Option<Meaning> {
        /// More members than this are not looked at: a map of thousands is data, not settings.
        const MAX_MEMBERS: usize = 64;
        /// Settings are not nested deeper.
        const MAX_DEPTH: usize = 8;
        if names.len() > MAX_DEPTH {
            return None;
        }
        let (block, is_new) = match (self.before, self.after) {
            (None, Some(block)) => (block, true),
            (Some(block), None) => (block, false),
            (None, None) | (Some(_), Some(_)) => return None,
        };
        let mut all: Option<Meaning> = None;
        let mut add = |inner: &[&str], member: MarkedValue<'_>| {
            let sides = if is_new {
                (None, Some(member))
            } else {
                (Some(member), None)
            };
            let member = if is_words(inner) || is_computed(inner) || !is_set(Some(member)) {
                None
            } else {
                meaning(inner, None, sides.0, sides.1)
            };
            all = match (all, member) {
                (Some(all), Some(member)) => Some(all.with(member)),
                (all, member) => all.or(member),
            };
        };
        for (name, member) in block
            .as_object()
            .unwrap_or_default()
            .iter()
            .take(MAX_MEMBERS)
        {
            let inner: Vec<&str> = names.iter().copied().chain([*name]).collect();
            add(&inner, *member);
        }
        for item in block
            .as_array()
            .unwrap_or_default()
            .iter()
            .take(MAX_MEMBERS)
        {
            if item.is_container() {
                add(names, *item);
            }
        }
        all
    }
}

/// Whether an attribute is a version by its name.
pub(crate) fn is_version(name: &str) -> bool {
    let words = ["version", "image", "runtime", "release", "tag", "revision"];
    words.iter().any(|word| name.contains(word)) || name == "chart"
}

/// Whether there is a value: not null, and neither empty nor false.
fn is_set(side: Option<MarkedValue<'_>>) -> bool {
    side.is_some_and(|value| !value.is_null() && !value.is_empty())
}

/// Returns the state of a switch: a bool, or a text that says one; `None` for other values.
fn switch(side: Option<MarkedValue<'_>>) -> Option<bool> {
    match side?.content {
        Content::Bool(value) => Some(value),
        Content::String(text) => {
            let text = text.to_ascii_lowercase();
            match &*text {
                "true" | "enabled" | "enable" | "on" | "yes" | "active" => Some(true),
                "false" | "disabled" | "disable" | "off" | "no" | "inactive" | "suspended" => {
                    Some(false)
                }
                _ => None,
            }
        }
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Number(_)
        | Content::Array(_)
        | Content::Object(_) => None,
    }
}

/// Returns a number, also one that is written as a text.
fn number(side: Option<MarkedValue<'_>>) -> Option<f64> {
    match side?.content {
        Content::Number(text) | Content::String(text) => text.trim().parse().ok(),
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Array(_)
        | Content::Object(_) => None,
    }
}

/// Whether a value, or an element of it, stands for everybody or everything.
fn holds_everything(side: Option<MarkedValue<'_>>) -> bool {
    let Some(side) = side else {
        return false;
    };
    let stands_for_everything = |value: &MarkedValue<'_>| {
        value.as_str().is_some_and(|text| {
            let text = text.to_ascii_lowercase();
            EVERYTHING.contains(&&*text) || text.starts_with("any_")
        })
    };
    match side.as_array() {
        Some(items) => items.iter().any(stands_for_everything),
        None => stands_for_everything(&side),
    }
}

/// Returns whether elements are added to a list, and whether some are removed; `None` if both sides are not lists. An
/// element of a list that comes or goes alone is the list with one more or one less.
fn elements(
    before: Option<MarkedValue<'_>>,
    after: Option<MarkedValue<'_>>,
) -> Option<(bool, bool)> {
    let (before, after) = (before?, after?);
    let (Some(old), Some(new)) = (before.as_array(), after.as_array()) else {
        return Some((true, true));
    };
    let (old, new): (HashSet<_>, HashSet<_>) = (old.iter().collect(), new.iter().collect());
    let added = new.iter().any(|item| !old.contains(*item));
    let removed = old.iter().any(|item| !new.contains(*item));
    Some((added, removed))
}

/// Returns a name in snake case: `publicAccess` and `public-access` as `public_access`.
fn snake_case(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            if was_lower {
                text.push('_');
            }
            text.push(c.to_ascii_lowercase());
            was_lower = false;
        } else if matches!(c, '-' | ' ' | '.') {
            text.push('_');
            was_lower = false;
        } else {
            text.push(c);
            was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        }
    }
    text
}

/// Returns what the destruction of an object means by the name of its type; `None` if the name says nothing.
pub(crate) fn of_destroyed(resource_type: &str) -> Option<Directions> {
    /// The last words of types whose objects hold data.
    const HOLD_DATA: &[&str] = &[
        "database",
        "db",
        "bucket",
        "volume",
        "table",
        "disk",
        "cluster",
        "snapshot",
        "filesystem",
        "file_system",
        "storage",
        "vault",
        "backup",
        "archive",
        "keyspace",
        "collection",
        "dataset",
        "topic",
        "queue",
        "stream",
        "index",
        "share",
        "repository",
        "registry",
        "store",
        "schema",
        "container",
        "blob",
        "warehouse",
        "ledger",
    ];
    /// The last words of types whose objects serve requests or do work.
    const SERVE: &[&str] = &[
        "instance",
        "server",
        "service",
        "function",
        "load_balancer",
        "deployment",
        "app",
        "application",
        "worker",
        "job",
        "gateway",
        "listener",
        "node_pool",
        "nodepool",
        "droplet",
        "vm",
        "virtual_machine",
        "distribution",
        "proxy",
        "endpoint",
    ];
    /// The last words of types whose objects guard others.
    const GUARD: &[&str] = &[
        "alarm",
        "alert",
        "monitor",
        "detector",
        "trail",
        "lock",
        "backup_plan",
        "backup_policy",
        "health_check",
        "audit_log",
        "log_sink",
        "firewall",
        "waf",
        "ruleset",
        "quota",
        "flow_log",
    ];
    let has_end = |ends: &[&str]| {
        ends.iter().any(|end| {
            resource_type
                .strip_suffix(end)
                .is_some_and(|rest| rest.ends_with('_'))
        })
    };
    if has_end(GUARD) {
        Some(Direction::Weaker.into())
    } else if has_end(HOLD_DATA) {
        Some(Direction::Loses.into())
    } else if has_end(SERVE) {
        Some(Direction::Stops.into())
    } else {
        None
    }
}
