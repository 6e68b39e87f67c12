//! Describes rules in words, for `tfview findings` and `docs/findings.md`.
//!
//! ```text
//! backup_retention_period = { guard = "days" }
//!     warning  protection  backup_retention_period  is lowered or removed
//! ```

use std::cmp::Reverse;

use super::rule::{Rule, Trigger, ValueTest};
use super::table::Rules;
use crate::knowledge::{Condition, List, MatchPolicy, Requirement};
use crate::review::entry::{FindingKind, Level, RuleOrigin};
use crate::text::first_of;

/// The maximum number of values of a list that are named.
const MAX_VALUES: usize = 4;

/// The description of what a rule finds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleText {
    /// Whether it is a rule for objects of all types.
    pub is_for_any_type: bool,
    /// The level of its findings, unless single values have their own.
    pub level: Level,
    /// The kind of its findings.
    pub kind: FindingKind,
    /// The path of the value; empty if the rule is about the object as a whole.
    pub attribute: String,
    /// The event of the value or the object, as a predicate: `is lowered or removed`.
    pub when: String,
    /// Whether it is a rule of the project's configuration file.
    pub is_of_project: bool,
}

impl Rules {
    /// Describes what the rules find in objects of a type, the gravest first; then what those for any type find.
    pub fn texts(&self, resource_type: &str) -> Vec<RuleText> {
        let rules = self.for_type(resource_type);
        let told = rules.iter().filter(|rule| rule.level != Level::None);
        let mut texts: Vec<RuleText> = told.map(RuleText::from_rule).collect();
        texts.sort_by(|one, other| one.rank().cmp(&other.rank()));
        texts.dedup();
        texts
    }
}

impl RuleText {
    /// Returns the key that orders a list of descriptions.
    fn rank(&self) -> impl Ord + '_ {
        let kind = (self.is_for_any_type, Reverse(self.level), self.kind);
        (kind, &self.attribute, &self.when)
    }

    /// Describes a rule: its attribute, the event, and the requirements.
    pub(in crate::review) fn from_rule(rule: &Rule<'_>) -> Self {
        let (attribute, event) = match &rule.trigger {
            Trigger::Lost { what, .. } => {
                (String::new(), format!("is destroyed or replaced: {what}"))
            }
            Trigger::Unguarded(_) => (
                String::new(),
                "is destroyed while what it guards stays".to_owned(),
            ),
            Trigger::Interrupted { if_destroyed: true } => (
                String::new(),
                "is destroyed, or destroyed before its replacement is created".to_owned(),
            ),
            Trigger::Interrupted {
                if_destroyed: false,
            } => (
                String::new(),
                "is destroyed before its replacement is created".to_owned(),
            ),
            Trigger::Granted => (String::new(), "is a grant".to_owned()),
            Trigger::Invoked { what } => (String::new(), format!("is invoked: the action {what}")),
            Trigger::Values(values) => (attribute(values.path), values_words(values)),
        };
        let mut when = event;
        for requirement in &rule.only_if {
            when.push_str(&requirement_words(requirement));
        }
        Self {
            is_for_any_type: rule.types.iter().eq(["*"]),
            level: rule.level,
            kind: rule.kind,
            attribute,
            when,
            is_of_project: rule.origin != RuleOrigin::BuiltIn,
        }
    }
}

/// Returns a path as reviews write it: without fragments and without the marks for any element.
fn attribute(path: &str) -> String {
    let path = path
        .trim_start_matches("@pod.")
        .trim_start_matches("@manifest.")
        .trim_start_matches("@chart.")
        .trim_start_matches("**.");
    path.replace("[*]", "")
}

/// Describes the event of a value, with the levels of single values.
fn values_words(values: &ValueTest<'_>) -> String {
    let condition = condition_words(values.condition);
    let mut words = match values.what {
        Some(what) => format!("{condition}: {what}"),
        None => condition,
    };
    let graver: Vec<String> = values
        .levels
        .iter()
        .map(|of| format!("{} for {}", of.level.name(), of.value))
        .collect();
    if !graver.is_empty() {
        words.push_str(&format!("; {}", first_of(graver, MAX_VALUES)));
    }
    if values.is_in_place {
        words.push_str("; only in place");
    }
    if !values.parents.is_empty() {
        words.push_str("; of a created object only if what it belongs to exists");
    }
    if let Some(absent) = values.absent {
        words.push_str(&format!("; only without `{absent}`"));
    }
    words
}

/// Describes a condition as a predicate of the attribute: `becomes empty`, `is lowered or removed`.
fn condition_words(condition: Condition<'_>) -> String {
    let words = match condition {
        Condition::AnySource => "lets a network of the internet in",
        Condition::Is(list) => return format!("becomes {}", list_words(list)),
        Condition::On => "is switched on",
        Condition::Off => "is switched off",
        Condition::Lower => "is lowered or removed",
        Condition::Shorter => "becomes shorter (0 means forever)",
        Condition::Higher => "is raised",
        Condition::Below(limit) => return format!("falls below {limit}"),
        Condition::Above(limit) => return format!("rises above {limit}"),
        Condition::Changed => "changes",
        Condition::Fewer => "loses an element",
        Condition::Mentions => "no longer names somebody",
        Condition::Major => "becomes a later major version",
        Condition::Downgrade => "becomes an earlier version",
        Condition::Reverts => "is lowered, which undoes a change outside of the tool",
        Condition::Routes => "loses the authentication of a route",
        Condition::Role { any_of, .. } if any_of.is_empty() => "gets a role",
        Condition::Role { any_of, .. } => {
            return format!("gets the role {}", list_words(any_of));
        }
        Condition::Deny => "loses a rule that denies, or has it later",
        Condition::Gone => "is removed",
        Condition::Emptied => "becomes empty",
        Condition::There => "is added",
        Condition::Order(list) => {
            let order: Vec<&str> = list.iter().collect();
            return format!("becomes weaker: {}", order.join(" < "));
        }
        Condition::Policy(_) => "grants more",
        Condition::Zero => "becomes 0",
        Condition::Unknown => "is known only after apply",
        Condition::Smaller => "becomes a smaller size",
        Condition::Never => "changes",
    };
    words.to_owned()
}

/// Describes a requirement, to be appended to the event.
fn requirement_words(requirement: &Requirement<'_>) -> String {
    let name = requirement.name.trim_start_matches('.');
    let values = list_words(requirement.expected);
    match requirement.mode {
        MatchPolicy::Lax | MatchPolicy::Strict => format!("; only if {name} is {values}"),
        MatchPolicy::Inverted => format!("; not if {name} is {values}"),
    }
}

/// Returns a list in words: `a, b or c`.
fn list_words(list: List<'_>) -> String {
    let mut values: Vec<&str> = list.iter().collect();
    let left_out = values.len().saturating_sub(MAX_VALUES);
    values.truncate(MAX_VALUES);
    match left_out {
        0 => {}
        1 => return format!("{} or 1 other", values.join(", ")),
        several => return format!("{} or one of {several} others", values.join(", ")),
    }
    match values.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} or {last}", others.join(", "))
        }
        _ => values.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_a_type_are_told_in_words() {
        let rules = Rules::built_in();
        let texts = rules.texts("aws_db_instance");
        let has = |level, kind, attribute: &str, when: &str| {
            texts.iter().any(|text| {
                text.level == level
                    && text.kind == kind
                    && text.attribute == attribute
                    && text.when.starts_with(when)
            })
        };
        assert!(has(
            Level::Critical,
            FindingKind::DataLoss,
            "",
            "is destroyed or replaced"
        ));
        assert!(has(
            Level::Critical,
            FindingKind::Protection,
            "deletion_protection",
            "is switched off"
        ));
        let of_type = texts.iter().filter(|text| !text.is_for_any_type);
        let levels: Vec<Level> = of_type.map(|text| text.level).collect();
        assert!(levels.is_sorted_by(|one, next| one >= next), "{levels:?}");
        assert!(texts.is_sorted_by_key(|text| text.is_for_any_type));
        let others = rules.texts("example_thing_without_rules");
        assert!(others.iter().all(|text| text.is_for_any_type));
    }

    #[test]
    fn values_are_listed_in_words() {
        for (list, words) in [
            ("", ""),
            ("a", "a"),
            ("a\u{1f}b", "a or b"),
            ("a\u{1f}b\u{1f}c", "a, b or c"),
            (
                "a\u{1f}b\u{1f}c\u{1f}d\u{1f}e\u{1f}f",
                "a, b, c, d or one of 2 others",
            ),
        ] {
            assert_eq!(list_words(List(list)), words);
        }
    }
}
