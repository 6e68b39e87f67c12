//! Rules: each has resource types, an event or a condition on values at a path, and the kind and level of its findings.
//!
//! A rule is made of a [`Row`] of the program or of a configuration file, and borrows its text: its paths are read, and its
//! level is decided.
//!
//! ```text
//! backup_retention_period = { guard = "days" }      for aws_db_instance
//!
//! Rule { kind: Protection, level: Warning, trigger: Values(ValueTest { condition: Lower, … }), … }
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use super::FindingText;
use super::grade::grade;
use super::guards::{Guards, Reference, references};
use super::pattern::Pattern;
use crate::access::{Class, known, member, readable, scalar};
use crate::diff::edits::Path;
use crate::diff::value::{Content, MarkedValue};
use crate::direction::{Direction, Directions, Meaning, When};
use crate::knowledge::condition::{is_glob, is_text};
use crate::knowledge::{Condition, Event, Idea, List, MatchPolicy, Requirement, Row};
use crate::review::entry::{Finding, FindingKind, Level, RuleOrigin};

/// A rule that is ready to be applied.
#[derive(Debug)]
pub(in crate::review) struct Rule<'r> {
    /// The kind of its findings.
    pub(super) kind: FindingKind,
    /// The level of its findings, unless values have their own. None if it only gives directions.
    pub(super) level: Level,
    /// The order of findings of one level; higher is graver.
    pub(super) weight: u8,
    /// The author of the rule.
    pub(super) origin: RuleOrigin,
    /// The resource types, globs or fragments for them.
    pub(super) types: List<'r>,
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
    /// The object is a grant. What it grants is for models to say; the rule itself finds nothing.
    Granted,
    /// An action is invoked. `what` says what it does.
    Invoked { what: &'r str },
    /// Values at a path are tested.
    Values(ValueTest<'r>),
}

/// The test of a rule on values at a path.
#[derive(Debug)]
pub(super) struct ValueTest<'r> {
    /// What the values are for others.
    pub idea: Idea,
    /// The direction of a change that meets the condition.
    pub direction: Direction,
    /// When the service stops, if the rule says it.
    pub when: Option<When>,
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
            Condition::Changed | Condition::Reverts | Condition::Unknown | Condition::Never
        )
    }

    /// Whether the condition is about the order of two versions.
    pub(super) fn is_about_versions(&self) -> bool {
        matches!(self.condition, Condition::Major | Condition::Downgrade)
    }

    /// Returns what a change that meets the condition means.
    pub(super) fn meaning(&self) -> Meaning {
        let direction = self.direction;
        let directions: Directions = match (self.condition, self.idea) {
            (Condition::Reverts, _) => Direction::Less.into(),
            // Whoever was let in before no longer is; what was guarded before no longer is.
            (Condition::Changed, Idea::Access | Idea::Guard) => {
                [direction, direction.reverse()].into_iter().collect()
            }
            (_, _) => direction.into(),
        };
        Meaning {
            when: self.when,
            ..directions.into()
        }
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
    /// Makes the rule of a row. Its level is the given one, or else that of the class that it opens, or else the default of
    /// its kind.
    ///
    /// # Errors
    /// If a path cannot be read, which a test rules out for all built-in rows.
    pub(super) fn of_row(row: &Row<'r>, origin: RuleOrigin) -> Result<Self, String> {
        let kind = kind(row.idea);
        let some = |text: &'r str| Some(text).filter(|text| !text.is_empty());
        let named = || row.references.iter();
        let trigger = match row.event {
            Event::Holds { show } => Trigger::Lost {
                what: row.what,
                show,
            },
            Event::Serves { if_destroyed } => Trigger::Interrupted { if_destroyed },
            Event::Invoked => Trigger::Invoked { what: row.what },
            Event::Grants => Trigger::Granted,
            Event::Guards => Trigger::Unguarded(Guards::new(named(), some(row.absent))?),
            Event::Values { path, condition } => {
                let names = row.role_names.iter();
                if let Condition::Role { role, .. } = condition {
                    Pattern::parse(role)?;
                }
                Trigger::Values(ValueTest {
                    idea: row.idea,
                    direction: row.direction.unwrap_or_else(|| row.idea.direction()),
                    when: row.when,
                    path,
                    pattern: Pattern::parse(path)?,
                    condition,
                    is_for_created: row.is_for_created.unwrap_or(kind == FindingKind::Exposure),
                    parents: references(named())?,
                    is_in_place: row.is_in_place,
                    what: some(row.what),
                    levels: row
                        .levels()
                        .map(|(value, level)| LevelOf { value, level })
                        .collect(),
                    role_names: names
                        .map(|(id, name)| RoleName { id, name: name.0 })
                        .collect(),
                    serves: row.reach,
                    absent: some(row.absent),
                    has_grade: row.level.is_some() || row.reach.is_some(),
                })
            }
        };
        let grade = match row.event {
            Event::Values { .. } => row.reach.map(|class| grade(class, true)),
            Event::Holds { .. }
            | Event::Guards
            | Event::Serves { .. }
            | Event::Grants
            | Event::Invoked => None,
        };
        let level = match (row.level, grade) {
            _ if row.event == Event::Grants => Level::None,
            (None, _) if is_quiet(row.idea) => Level::None,
            (Some(level), _) | (None, Some((level, _))) => level,
            (None, None) if kind == FindingKind::DataLoss => Level::Critical,
            (None, None) => Level::Warning,
        };
        Ok(Self {
            kind,
            level,
            weight: grade.map_or(0, |(_, weight)| weight),
            origin,
            types: row.types,
            name: row.name,
            trigger,
            only_if: row.requirements().collect(),
        })
    }

    /// Returns the name in the JSON. If the rule has several types, it begins with the prefix of their provider.
    pub(super) fn name(&self) -> Arc<str> {
        let mut types = self.types.iter();
        let types = match (types.next().unwrap_or_default(), types.next()) {
            (only, None) => only.to_owned(),
            (first, Some(_)) => first.split('_').next().unwrap_or(first).to_owned() + "_*",
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
            | Trigger::Granted
            | Trigger::Invoked { .. } => types,
        };
        match self.origin {
            RuleOrigin::BuiltIn => name.into(),
            RuleOrigin::Given | RuleOrigin::Found => format!("project:{name}").into(),
        }
    }

    /// Whether the rule asks about one of these attributes: in its path, in the role that somebody gets, or in its
    /// requirements.
    pub(super) fn asks_about(&self, attributes: &HashSet<&str>) -> bool {
        let Trigger::Values(values) = &self.trigger else {
            return false;
        };
        let role = if let Condition::Role { role, .. } = values.condition {
            role
        } else {
            ""
        };
        let required = self.only_if.iter().map(|requirement| requirement.name);
        let mut named = required
            .chain([role])
            .filter_map(|path| path.trim_start_matches('.').split(['.', '[']).next());
        values.pattern.may_begin_with(attributes) || named.any(|name| attributes.contains(name))
    }

    /// Whether the rule asks what is configured of an object.
    pub(super) fn asks_configuration(&self) -> bool {
        matches!(&self.trigger, Trigger::Values(values) if values.absent.is_some())
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
            // What is never a finding judges nothing that a gate could rely on.
            _ if self.level == Level::None => false,
            Trigger::Invoked { .. } => false,
            Trigger::Lost { .. }
            | Trigger::Unguarded(_)
            | Trigger::Granted
            | Trigger::Interrupted { .. } => true,
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
        self.types.iter().all(is_any)
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

/// Returns the kind of the findings of a row. Rows about scales, versions and words have none: their level is none.
fn kind(idea: Idea) -> FindingKind {
    match idea {
        Idea::Data => FindingKind::DataLoss,
        Idea::Access => FindingKind::Exposure,
        Idea::Guard => FindingKind::Protection,
        Idea::Service | Idea::Scale | Idea::Version => FindingKind::Downtime,
        Idea::Decides | Idea::Words | Idea::Same | Idea::Another => FindingKind::Unknown,
    }
}

/// Whether an idea is a finding only if its row says so.
fn is_quiet(idea: Idea) -> bool {
    match idea {
        Idea::Scale | Idea::Version | Idea::Words | Idea::Same | Idea::Another => true,
        Idea::Data | Idea::Access | Idea::Guard | Idea::Service | Idea::Decides => false,
    }
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
