//! Rules: each has resource types, an event or a condition on values at a path, and the kind and level of its findings.
//!
//! A rule is made of a [`Definition`] of the program or of a [`RuleLine`](super::line::RuleLine) of a configuration
//! file, and borrows their texts. After that, both are the same for the code that applies them.
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
use super::guards::{Guards, Reference, references};
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
    /// The order of findings of one level; higher is graver.
    pub(super) weight: u8,
    /// The author of the rule.
    pub(super) origin: RuleOrigin,
    /// The resource types, globs or fragments for them, with `|` between them.
    pub(super) types: &'r str,
    /// The name; empty if it is made of the type and the path.
    name: &'r str,
    /// The event that the rule is about.
    pub(super) trigger: Trigger<'r>,
    /// The requirements on members. They apply to the object before if the rule is about it as a whole, to the
    /// configuration of an action, and otherwise at each place of a pattern.
    pub(super) only_if: Vec<Requirement<'r>>,
}

/// The event that makes a rule apply.
#[derive(Debug)]
pub(super) enum Trigger<'r> {
    /// The object, which holds data, is destroyed or replaced. `what` names what is lost, and `show` has the paths that
    /// describe it.
    Lost { what: &'r str, show: List<'r> },
    /// The object is destroyed, but what it guards is not.
    Unguarded(Guards<'r>),
    /// The object is destroyed before its replacement is created or, if `if_destroyed` is set, without a replacement.
    Interrupted { if_destroyed: bool },
    /// An action is invoked. `what` says what it does.
    Invoked { what: &'r str },
    /// Values at a path are tested.
    Values(ValueTest<'r>),
}

/// The test of a rule on values at a path.
#[derive(Debug)]
pub(super) struct ValueTest<'r> {
    /// The pattern as it was written.
    pub path: &'r str,
    /// The pattern of the path, which finds the values.
    pub pattern: Pattern<'r>,
    /// The condition that the values before and after must meet.
    pub condition: Condition<'r>,
    /// Whether values of created objects count, rather than only changes.
    pub is_for_created: bool,
    /// The objects that a created object must belong to for the rule to apply: such that the plan does not create.
    pub parents: Vec<Reference<'r>>,
    /// Whether the rule applies only to objects that are changed in place.
    pub is_in_place: bool,
    /// The words that a finding shows instead of the path.
    pub what: Option<&'r str>,
    /// The levels for single values.
    pub levels: Vec<LevelOf<'r>>,
    /// The names for the IDs of roles.
    pub role_names: Vec<RoleName<'r>>,
    /// The class of what an exposure opens, if the rule states it.
    pub serves: Option<Class>,
    /// The name of a member next to the value that must be missing, empty, or unknown without a configured value.
    pub absent: Option<&'r str>,
    /// Whether the rule states the level of its findings, so that ports do not decide it.
    pub has_grade: bool,
}

impl ValueTest<'_> {
    /// Whether the opposite change is one for the better. What a restart or an unknown value does has no opposite.
    pub(super) fn has_reverse(&self) -> bool {
        !matches!(
            self.condition,
            Condition::Changed | Condition::Reverts | Condition::Unknown
        )
    }

    /// Whether the condition is about the order of two versions.
    pub(super) fn is_about_versions(&self) -> bool {
        matches!(self.condition, Condition::Major | Condition::Downgrade)
    }
}

/// The level of a finding about one value.
#[derive(Debug)]
pub(super) struct LevelOf<'r> {
    /// The value, or a glob for values.
    pub value: &'r str,
    pub level: Level,
}

/// The name of a role whose ID has no meaning for readers.
#[derive(Debug)]
pub(super) struct RoleName<'r> {
    /// The last part of the ID.
    pub id: &'r str,
    pub name: &'r str,
}

/// A requirement of a rule on another member.
#[derive(Debug)]
pub(super) struct Requirement<'r> {
    /// The name of the member, which may begin with one or two dots: see `applies`.
    pub(super) name: &'r str,
    /// The values that meet the requirement, or do not, depending on the mode.
    pub(super) expected: List<'r>,
    pub(super) mode: MatchPolicy,
}

/// The mode of a requirement: whether the values fit, and whether a missing or unknown member does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchPolicy {
    /// `where`: the member must have one of the values, or be missing or unknown.
    Lax,
    /// `needs`: the member must have one of the values. A missing or unknown member does not fit.
    Strict,
    /// `unless`: the member must have none of the values. A missing or unknown member fits.
    Inverted,
}

impl ValueTest<'_> {
    /// Returns the level that the rule states for a value: for exactly this value, or the gravest of the globs that
    /// match it.
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
    /// Creates a rule without a name or requirements. Its level is the given one, or else that of the class that it
    /// opens, or else the default of its kind.
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

    /// Sets the name, the author and the requirements.
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

    /// Creates the rule of a definition. `None` for a path that cannot be read, which a test rules out for all
    /// definitions.
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
                Trigger::Unguarded(Guards::new(pairs(guards), some(denies)).ok()?)
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
                    parents: references(pairs(definition.parents)).ok()?,
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

    /// Returns the name in the JSON. If the rule has several types, it begins with the prefix of their provider.
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

    /// Returns the first name of the path; `None` for a rule about the object as a whole.
    pub(super) fn attribute(&self) -> Option<&str> {
        if let Trigger::Values(values) = &self.trigger {
            Some(values.pattern.first_name())
        } else {
            None
        }
    }

    /// Whether the rule is a judgment on these objects: because it is for their type, or because one of them has its
    /// attribute.
    ///
    /// A rule of a found configuration file does not count, because the file may be part of the change under review.
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

    /// Whether the rule is for all types, or for all of a provider.
    fn is_of_any_type(&self) -> bool {
        let is_any = |name: &str| {
            let family = name.strip_suffix('*');
            family.is_some_and(|family| {
                family.is_empty() || family.find('_') == Some(family.len() - 1)
            })
        };
        self.types.split('|').all(is_any)
    }

    /// Creates a finding of the rule.
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

/// Returns the attributes and types of a table, in the form in which those of a configuration file are given.
fn pairs(
    table: &'static [(&'static str, &'static str)],
) -> impl Iterator<Item = (&'static str, List<'static>)> {
    table
        .iter()
        .map(|(path, types)| (*path, List::Joined(types)))
}

/// Whether all requirements are met.
///
/// Each member must have a value that the rule requires, or an element that has; in a map, a member must be
/// `key=value`. For `where`, it may be unknown or missing, because then it usually has the default of the provider. A
/// name refers to a member of the object that contains the tested value (`holder`). With a leading dot it refers to the
/// resource (`root`), and with two dots to the nearest object around (in `around`, the outermost first) that has the
/// name. The latter two may be paths of names joined by dots.
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

/// Returns the content at a path of names, looking through blocks that occur once. Null for a missing member, and
/// `None` if a value on the way is hidden or unknown.
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
