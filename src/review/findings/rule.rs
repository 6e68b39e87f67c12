//! Rules: a resource type, a path in it, and a condition for a finding.
//!
//! A rule is made of a [`Definition`] of the program or of a [`RuleLine`](super::line::RuleLine) of a configuration, and
//! borrows their texts. Both are the same afterwards: one evaluator reads them.
//!
//! ```text
//! protection("aws_db_instance", "backup_retention_period", Lower)
//!
//! Rule { kind: Protection, level: Warning, trigger: Values(ValueTest { condition: Lower, … }), … }
//! ```

use std::sync::Arc;

use super::FindingText;
use super::condition::{Condition, List, is_glob, is_text};
use super::definition::{Definition, Event, Only};
use super::grade::grade;
use super::guards::Guards;
use super::pattern::Pattern;
use crate::access::{Class, known, member, readable, scalar};
use crate::diff::edits::Path;
use crate::diff::value::{Content, MarkedValue};
use crate::review::entry::{Finding, FindingKind, Level, RuleOrigin};

/// A rule that is ready to be applied.
#[derive(Debug)]
pub(in crate::review) struct Rule<'r> {
    /// The kind of its findings.
    pub(super) kind: FindingKind,
    /// The level of its findings, unless values have their own.
    pub(super) level: Level,
    /// Orders findings of one level; higher is graver.
    pub(super) weight: u8,
    /// Who wrote the rule.
    pub(super) origin: RuleOrigin,
    /// Resource types, globs or fragments for them, with `|` between them.
    pub(super) types: &'r str,
    /// Empty if type and path name the rule.
    name: &'r str,
    /// What must happen.
    pub(super) trigger: Trigger<'r>,
    /// Apply to the object before, if the rule is about it as a whole; to the configuration of an action; and at each
    /// place of a pattern.
    pub(super) only_if: Vec<Requirement<'r>>,
}

/// What a rule is about.
#[derive(Debug)]
pub(super) enum Trigger<'r> {
    /// The object is destroyed, replaced or forgotten.
    Lost { what: &'r str, show: List<'r> },
    /// The object that it guards is not destroyed.
    Unguarded(Guards<'r>),
    /// Destroyed before its replacement is created or, if so stated, without one.
    Interrupted { if_destroyed: bool },
    /// An action is invoked.
    Invoked { what: &'r str },
    /// Values at a path are tested.
    Values(ValueTest<'r>),
}

/// The test of a rule on values.
#[derive(Debug)]
pub(super) struct ValueTest<'r> {
    /// The pattern as it was written.
    pub path: &'r str,
    /// The places of the values.
    pub pattern: Pattern<'r>,
    /// What must happen to a value.
    pub condition: Condition<'r>,
    /// Whether values of created objects count, or only changes.
    pub is_for_created: bool,
    /// Only for objects that are changed in place.
    pub is_in_place: bool,
    /// Shown instead of the path.
    pub what: Option<&'r str>,
    /// Levels for single values.
    pub levels: Vec<LevelOf<'r>>,
    /// Names for the IDs of roles.
    pub role_names: Vec<RoleName<'r>>,
    /// What an exposure opens, if the rule states it.
    pub serves: Option<Class>,
    /// A member beside the value that must be missing, empty, or unknown without a configured value.
    pub absent: Option<&'r str>,
    /// The rule states how grave its findings are, so that ports say nothing.
    pub has_grade: bool,
}

/// The level of a finding about one value.
#[derive(Debug)]
pub(super) struct LevelOf<'r> {
    /// A value, or a glob for values.
    pub value: &'r str,
    pub level: Level,
}

/// The name of a role whose last part is an ID.
#[derive(Debug)]
pub(super) struct RoleName<'r> {
    pub id: &'r str,
    pub name: &'r str,
}

/// What another member must be for a rule to apply.
#[derive(Debug)]
pub(super) struct Requirement<'r> {
    /// May begin with one or two dots: see `applies`.
    pub(super) name: &'r str,
    pub(super) expected: List<'r>,
    pub(super) mode: MatchPolicy,
}

/// Whether a member that is missing or unknown fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchPolicy {
    /// `where`: true for a missing or unknown value.
    Lax,
    /// `needs`: false for a missing or unknown value.
    Strict,
    /// `unless`: false for these values, true for others.
    Inverted,
}

impl ValueTest<'_> {
    /// The level that the rule states for a value: for this one exactly, or the gravest of the patterns that fit it.
    pub(super) fn level_of(&self, value: &str) -> Option<Level> {
        let of_glob = || {
            let globs = self.levels.iter().filter(|of| is_glob(of.value));
            globs
                .filter(|of| is_text(value, of.value))
                .map(|of| of.level)
                .max()
        };
        let exact = self.levels.iter().find(|of| of.value == value);
        exact.map(|of| of.level).or_else(of_glob)
    }
}

impl<'r> Rule<'r> {
    /// Returns a rule without a name or requirements. Its level is the given one, that of what it
    /// opens, or the default of its kind.
    pub(super) fn new(
        kind: FindingKind,
        types: &'r str,
        trigger: Trigger<'r>,
        level: Option<Level>,
    ) -> Self {
        let grade = match &trigger {
            Trigger::Values(values) => values.serves.map(|class| grade(class, true)),
            Trigger::Lost { .. }
            | Trigger::Unguarded(_)
            | Trigger::Interrupted { .. }
            | Trigger::Invoked { .. } => None,
        };
        let level = match (level, grade) {
            (Some(level), _) | (None, Some((level, _))) => level,
            (None, None) if kind == FindingKind::DataLoss => Level::Critical,
            (None, None) => Level::Warning,
        };
        Self {
            kind,
            level,
            weight: grade.map_or(0, |(_, weight)| weight),
            origin: RuleOrigin::BuiltIn,
            types,
            name: "",
            trigger,
            only_if: Vec::new(),
        }
    }

    pub(super) fn with(
        self,
        name: &'r str,
        origin: RuleOrigin,
        only_if: Vec<Requirement<'r>>,
    ) -> Self {
        Self {
            name,
            origin,
            only_if,
            ..self
        }
    }

    /// `None` for a path that cannot be read; a test reads all.
    pub(super) fn built_in(definition: &Definition) -> Option<Rule<'static>> {
        let some = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        let trigger = match definition.event {
            Event::Lost { show } => Trigger::Lost {
                what: definition.what,
                show,
            },
            Event::Interrupted => Trigger::Interrupted { if_destroyed: true },
            Event::Invoked => Trigger::Invoked {
                what: definition.what,
            },
            Event::Unguarded { guards, denies } => {
                let guards = guards
                    .iter()
                    .map(|(path, types)| (*path, List::Joined(types)));
                Trigger::Unguarded(Guards::new(guards, some(denies)).ok()?)
            }
            Event::Values { path, condition } => {
                let levels = definition.levels.iter();
                let names = definition.role_names.iter();
                let is_for_created = definition.is_for_created;
                Trigger::Values(ValueTest {
                    path,
                    pattern: Pattern::parse(path).ok()?,
                    condition,
                    is_for_created: is_for_created
                        .unwrap_or(definition.kind == FindingKind::Exposure),
                    is_in_place: definition.is_in_place,
                    what: some(definition.what),
                    levels: levels
                        .map(|(value, level)| LevelOf {
                            value,
                            level: *level,
                        })
                        .collect(),
                    role_names: names.map(|(id, name)| RoleName { id, name }).collect(),
                    serves: definition.serves,
                    absent: some(definition.absent),
                    has_grade: definition.level.is_some() || definition.serves.is_some(),
                })
            }
        };
        let only_if = definition.only_if.iter().map(|only| {
            let (name, expected, mode) = match *only {
                Only::Where(name, expected) => (name, expected, MatchPolicy::Lax),
                Only::Needs(name, expected) => (name, expected, MatchPolicy::Strict),
                Only::Unless(name, expected) => (name, expected, MatchPolicy::Inverted),
            };
            Requirement {
                name,
                expected: List::Joined(expected),
                mode,
            }
        });
        let rule = Rule::new(definition.kind, definition.types, trigger, definition.level);
        Some(rule.with(definition.name, RuleOrigin::BuiltIn, only_if.collect()))
    }

    /// The name in the JSON. Several types have that of their provider.
    pub(super) fn name(&self) -> Arc<str> {
        let types = match self.types.split_once('|') {
            None => self.types.to_owned(),
            Some((first, _)) => first.split('_').next().unwrap_or(first).to_owned() + "_*",
        };
        let name = match &self.trigger {
            _ if !self.name.is_empty() => self.name.to_owned(),
            Trigger::Values(ValueTest { path, .. }) => {
                let rest = path.split_once('.').filter(|_| path.starts_with('@'));
                format!("{types}.{}", rest.map_or(*path, |(_, rest)| rest))
            }
            Trigger::Lost { .. }
            | Trigger::Unguarded(_)
            | Trigger::Interrupted { .. }
            | Trigger::Invoked { .. } => types,
        };
        match self.origin {
            RuleOrigin::BuiltIn => name.into(),
            RuleOrigin::Given | RuleOrigin::Found => format!("project:{name}").into(),
        }
    }

    pub(super) fn attribute(&self) -> Option<&str> {
        if let Trigger::Values(values) = &self.trigger {
            Some(values.pattern.first_name())
        } else {
            None
        }
    }

    /// Whether the rule looks at objects of a type that has it, or at an attribute that one of the objects has.
    ///
    /// A rule of a configuration file that was found does not count: it may belong to the change under review.
    pub(in crate::review) fn judges(&self, objects: [MarkedValue<'_>; 2]) -> bool {
        match &self.trigger {
            _ if self.origin == RuleOrigin::Found => false,
            Trigger::Invoked { .. } => false,
            Trigger::Lost { .. } | Trigger::Unguarded(_) | Trigger::Interrupted { .. } => true,
            Trigger::Values(values) => {
                let name = values.pattern.first_name();
                !self.is_of_any_type() || objects.iter().any(|object| object.get(name).is_some())
            }
        }
    }

    /// Returns whether the rule is for all types, or for all of a provider.
    fn is_of_any_type(&self) -> bool {
        let is_any = |name: &str| {
            let family = name.strip_suffix('*');
            family.is_some_and(|family| {
                family.is_empty() || family.find('_') == Some(family.len() - 1)
            })
        };
        self.types.split('|').all(is_any)
    }

    pub(super) fn finding<'a>(&self, path: Path<'a>, finding_text: FindingText) -> Finding<'a> {
        let (level, weight) = finding_text.grade.unwrap_or((self.level, self.weight));
        Finding {
            kind: self.kind,
            path,
            text: finding_text.text,
            level,
            weight,
            rule: self.name(),
            effect: finding_text.effect,
            is_expected: false,
            is_undone: false,
            origin: self.origin,
        }
    }
}

/// Returns whether all requirements are met. Each member must have a value that the rule requires,
/// or an element that has; of a map, a member must be `key=value`. For `where`, it may be unknown
/// or missing, because then it usually has the default of the provider. Names refer to the object
/// that contains the tested value; with a leading dot to the resource, and with two to the nearest
/// object around that has the name; the latter two may be joined by dots.
pub(super) fn applies(
    only_if: &[Requirement<'_>],
    holder: MarkedValue<'_>,
    around: &[MarkedValue<'_>],
    root: MarkedValue<'_>,
) -> bool {
    only_if.iter().all(
        |Requirement {
             name,
             expected,
             mode,
         }| {
            let content = match (name.strip_prefix(".."), name.strip_prefix('.')) {
                (Some(path), _) => {
                    let first = path.split_once('.').map_or(path, |(first, _)| first);
                    let nearest = around
                        .iter()
                        .rev()
                        .find(|object| object.get(first).is_some());
                    nearest.and_then(|object| member_at(*object, path))
                }
                (None, Some(path)) => member_at(root, path),
                (None, None) => member(holder, name),
            };
            let is = |text: &str| expected.iter().any(|expected| is_text(text, expected));
            let holds = match content {
                None | Some(Content::Null) => return *mode != MatchPolicy::Strict,
                Some(Content::Array(items)) if expected.is_empty() => items.is_empty(),
                Some(Content::Array(items)) => {
                    items.iter().filter_map(|item| readable(*item)).any(is)
                }
                Some(Content::Object(members)) => members.iter().any(|(key, value)| {
                    readable(*value).is_some_and(|text| is(&format!("{key}={text}")))
                }),
                Some(content) => scalar(content).is_some_and(is),
            };
            holds != (*mode == MatchPolicy::Inverted)
        },
    )
}

/// Looks through blocks that occur once.
fn member_at<'w>(root: MarkedValue<'w>, path: &str) -> Option<Content<'w>> {
    let mut value = root;
    for name in path.split('.') {
        while let Some(Content::Array([only])) = known(Some(value)) {
            value = *only;
        }
        // The content decides whether a hidden or unknown value is read.
        known(Some(value))?;
        match value.get(name) {
            Some(member) => value = member,
            None => return Some(Content::Null),
        }
    }
    known(Some(value))
}
