//! Rules: a resource type, a path in it, and a condition for a finding.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::Told;
use super::elements::RoleTest;
use super::exposure::grade;
use super::guard::Guards;
use super::pattern::Pattern;
use super::table::{PolicyLanguage, RuleLine};
use crate::access::{Class, glob_matches, known, member, readable, scalar};
use crate::diff::edits::Path;
use crate::diff::value::{Content, MarkedValue};
use crate::review::entry::{Finding, FindingKind, Level, RuleOrigin};

#[derive(Debug)]
pub(in crate::review) struct Rule {
    pub(super) kind: FindingKind,
    pub(super) level: Level,
    pub(super) weight: u8,
    pub(super) name: Arc<str>,
    pub(super) origin: RuleOrigin,
    pub(super) resource_type: String,
    pub(super) condition: Condition,
    /// Applies to the object before, if the condition is about it as a whole; to the configuration of an action; and at each
    /// place of a pattern.
    pub(super) only_where: Vec<Requirement>,
}

#[derive(Debug)]
pub(super) enum Condition {
    /// The object is destroyed, replaced or forgotten.
    Lost { what: String, show: Vec<Pattern> },
    /// The object that it protects is not destroyed.
    Unprotected(Guards),
    /// Destroyed before its replacement is created or, if so stated, without one.
    Interrupted { if_destroyed: bool },
    /// An action is invoked.
    Invoked { what: String },
    /// Values at a path are tested.
    At(At),
}

#[derive(Debug)]
pub(super) struct At {
    pub pattern: Pattern,
    pub test: Test,
    pub is_for_created: bool,
    /// Only for objects that are changed in place.
    pub is_in_place: bool,
    /// Shown instead of the path.
    pub what: Option<String>,
    pub levels: BTreeMap<String, Level>,
    /// What an exposure opens, if the rule states it.
    pub serves: Option<Class>,
    /// A member beside the value that must be missing, empty, or unknown without a configured value.
    pub absent: Option<String>,
    /// The rule states how grave its findings are, so that ports say nothing.
    pub has_grade: bool,
}

#[derive(Debug)]
pub(super) struct Requirement {
    /// May begin with one or two dots: see `applies`.
    pub(super) name: String,
    pub(super) expected: Vec<String>,
    pub(super) mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// `where`: true for a missing or unknown value.
    Lax,
    /// `needs`: false for a missing or unknown value.
    Strict,
    /// `unless`: false for these values, true for others.
    Inverted,
}

#[derive(Debug)]
pub(super) enum Test {
    World,
    Is(Listed),
    On,
    Off,
    Lower {
        zero_is_forever: bool,
    },
    Higher,
    Below(f64),
    Above(f64),
    Changed,
    Fewer,
    /// Somebody whom a message named is gone.
    Mentions,
    Major,
    /// A version becomes an earlier one.
    Downgrade,
    /// A number becomes smaller because the plan sets back what changed outside of it.
    Reverts,
    /// A document in OpenAPI loses the authentication of a route.
    Routes,
    /// The pattern leads to whom the role is given.
    Role(RoleTest),
    Deny,
    Gone,
    Emptied,
    There,
    /// From the weakest to the strongest.
    Order(Vec<String>),
    Policy(PolicyLanguage),
    Zero,
    Unknown,
}

/// Values that a rule lists: most of them exact, some with `*` for any characters.
#[derive(Debug)]
pub(super) struct Listed {
    exact: HashSet<String>,
    globs: Vec<String>,
}

impl Listed {
    fn new(values: &[String]) -> Self {
        let (globs, exact): (Vec<String>, Vec<String>) =
            values.iter().cloned().partition(|value| is_glob(value));
        Self {
            exact: exact.into_iter().collect(),
            globs,
        }
    }

    pub(super) fn has(&self, value: &str) -> bool {
        self.exact.contains(value) || self.globs.iter().any(|glob| is_text(value, glob))
    }

    /// One of the values, without `*`.
    #[cfg(test)]
    pub(super) fn example(&self) -> String {
        let mut exact: Vec<&String> = self.exact.iter().collect();
        exact.sort();
        let first = exact.first().copied().or(self.globs.first());
        let plain = |value: &String| match is_glob(value) {
            true => value.replace('*', "x"),
            false => value.clone(),
        };
        first.map(plain).unwrap_or_default()
    }
}

impl At {
    /// The level that the rule states for a value: for this one exactly, or the gravest of the patterns that fit it.
    pub(super) fn level_of(&self, value: &str) -> Option<Level> {
        let of_glob = || {
            let globs = self.levels.iter().filter(|(glob, _)| is_glob(glob));
            globs
                .filter(|(glob, _)| is_text(value, glob))
                .map(|(_, level)| *level)
                .max()
        };
        self.levels.get(value).copied().or_else(of_glob)
    }
}

impl Rule {
    pub(super) fn new(
        kind: FindingKind,
        line: RuleLine,
        origin: RuleOrigin,
    ) -> Result<Self, String> {
        if line.resource_type.is_empty() {
            return Err("a rule needs a `type`".to_owned());
        }
        let resource_type = line.resource_type.clone();
        let grade = line.serves.map(|class| grade(class, true));
        let level = match (line.level, grade) {
            (Some(level), _) | (None, Some((level, _))) => level,
            (None, None) if kind == FindingKind::DataLoss => Level::Critical,
            (None, None) => Level::Warning,
        };
        let weight = grade.map_or(0, |(_, weight)| weight);
        let has_grade = line.level.is_some() || line.serves.is_some();
        // Several types have the name of their provider.
        let types = resource_type.split_once('|').map_or_else(
            || resource_type.clone(),
            |(first, _)| first.split('_').next().unwrap_or(first).to_owned() + "_*",
        );
        let name = line.name.clone().unwrap_or_else(|| match &line.path {
            Some(path) => format!(
                "{types}.{}",
                path.split_once('.')
                    .filter(|_| path.starts_with('@'))
                    .map_or(&**path, |(_, rest)| rest)
            ),
            None => types,
        });
        let name = match origin {
            RuleOrigin::BuiltIn => name.into(),
            RuleOrigin::Given | RuleOrigin::Found => format!("project:{name}").into(),
        };
        let condition = match kind {
            _ if let Some(what) = line.action => Condition::Invoked { what },
            FindingKind::DataLoss if line.path.is_none() => {
                let show = line
                    .show
                    .iter()
                    .map(|path| Pattern::parse(path))
                    .collect::<Result<_, _>>()?;
                Condition::Lost {
                    what: line.what.ok_or("a rule of `data-loss` needs `what`")?,
                    show,
                }
            }
            FindingKind::Exposure | FindingKind::Protection if line.destroyed => {
                Condition::Unprotected(Guards::new(line.guards, line.denies)?)
            }
            FindingKind::Downtime if line.path.is_none() => Condition::Interrupted {
                if_destroyed: line.destroyed,
            },
            FindingKind::Secret => {
                return Err("rules find no secrets: their forms are built in".to_owned());
            }
            FindingKind::DataLoss
            | FindingKind::Exposure
            | FindingKind::Protection
            | FindingKind::Downtime
            | FindingKind::Unknown => {
                let pattern =
                    Pattern::parse(line.path.as_deref().ok_or("this rule needs a `path`")?)?;
                let test = if kind == FindingKind::Unknown {
                    Test::Unknown
                } else {
                    Test::new(&line)?
                };
                let is_for_created = line.created.unwrap_or(kind == FindingKind::Exposure);
                Condition::At(At {
                    pattern,
                    test,
                    is_for_created,
                    is_in_place: line.in_place,
                    what: line.what,
                    levels: line.levels,
                    serves: line.serves,
                    absent: line.absent,
                    has_grade,
                })
            }
        };
        let members = [
            (line.only_where, Mode::Lax),
            (line.needs, Mode::Strict),
            (line.unless, Mode::Inverted),
        ];
        let requirements = members.into_iter().flat_map(|(members, mode)| {
            members
                .into_iter()
                .map(move |(name, expected)| Requirement {
                    name,
                    expected: expected.0,
                    mode,
                })
        });
        Ok(Self {
            kind,
            level,
            weight,
            name,
            origin,
            resource_type,
            condition,
            only_where: requirements.collect(),
        })
    }

    pub(super) fn attribute(&self) -> Option<&str> {
        if let Condition::At(at) = &self.condition {
            Some(at.pattern.first_name())
        } else {
            None
        }
    }

    /// Whether the rule looks at objects of a type that has it, or at an attribute that one of the objects has.
    ///
    /// A rule of a configuration file that was found does not count: it may belong to the change under review.
    pub(in crate::review) fn judges(&self, objects: [MarkedValue<'_>; 2]) -> bool {
        match &self.condition {
            _ if self.origin == RuleOrigin::Found => false,
            Condition::Invoked { .. } => false,
            Condition::Lost { .. } | Condition::Unprotected(_) | Condition::Interrupted { .. } => {
                true
            }
            Condition::At(at) => {
                let name = at.pattern.first_name();
                !self.is_of_any_type() || objects.iter().any(|object| object.get(name).is_some())
            }
        }
    }

    /// It is for all types, or for all of a provider.
    fn is_of_any_type(&self) -> bool {
        let is_any = |name: &str| {
            let family = name.strip_suffix('*');
            family.is_some_and(|family| {
                family.is_empty() || family.find('_') == Some(family.len() - 1)
            })
        };
        self.resource_type.split('|').all(is_any)
    }

    pub(super) fn finding<'a>(&self, path: Path<'a>, told: Told) -> Finding<'a> {
        let (level, weight) = told.grade.unwrap_or((self.level, self.weight));
        Finding {
            kind: self.kind,
            path,
            text: told.text,
            level,
            weight,
            rule: Arc::clone(&self.name),
            is_expected: false,
            is_undone: false,
            origin: self.origin,
        }
    }
}

impl Test {
    fn new(line: &RuleLine) -> Result<Self, String> {
        let role = match &line.role {
            None => None,
            Some(path) => {
                let ids = line.names.keys().map(|id| format!("/{id}"));
                let is = line.is.as_ref().map_or(&[][..], |is| &is.0);
                let privileged = is.iter().cloned().chain(ids).collect();
                let element = line
                    .path
                    .as_deref()
                    .and_then(|path| Some(path.rsplit_once("[*].")?.0));
                let beside =
                    element.and_then(|element| path.strip_prefix(element)?.strip_prefix("[*]."));
                let role = Pattern::parse(beside.unwrap_or(path))?;
                let (names, to) = (line.names.clone(), line.to.clone());
                Some(Self::Role(RoleTest {
                    role,
                    is_beside: beside.is_some(),
                    privileged,
                    names,
                    to,
                }))
            }
        };
        let is = line.is.as_ref().filter(|_| role.is_none());
        let tests = [
            role,
            line.world.then_some(Self::World),
            is.map(|is| Self::Is(Listed::new(&is.0))),
            line.higher.then_some(Self::Higher),
            line.below.map(Self::Below),
            line.above.map(Self::Above),
            line.changed.then_some(Self::Changed),
            line.fewer.then_some(Self::Fewer),
            line.mentions.then_some(Self::Mentions),
            line.major.then_some(Self::Major),
            line.downgrade.then_some(Self::Downgrade),
            line.reverts.then_some(Self::Reverts),
            line.routes.then_some(Self::Routes),
            line.deny.then_some(Self::Deny),
            line.on.then_some(Self::On),
            line.off.then_some(Self::Off),
            line.lower.then_some(Self::Lower {
                zero_is_forever: line.zero_is_forever,
            }),
            line.gone.then_some(Self::Gone),
            line.emptied.then_some(Self::Emptied),
            line.there.then_some(Self::There),
            line.order.clone().map(Self::Order),
            line.policy.map(Self::Policy),
            line.zero.then_some(Self::Zero),
        ];
        let mut tests = tests.into_iter().flatten();
        match (tests.next(), tests.next()) {
            (Some(test), None) => Ok(test),
            (None, _) => {
                Err("this rule needs a condition, such as `world = true` or `is = […]`".to_owned())
            }
            (Some(_), Some(_)) => Err("this rule has more than one condition".to_owned()),
        }
    }
}

/// Each member must have a value that the rule requires, or an element that has; of a map, a member must be `key=value`.
/// For `where`, it may be unknown or missing, because then it usually has the default of the provider. Names refer to the
/// object that contains the tested value; with a leading dot to the resource, and with two to the nearest object around that
/// has the name; the latter two may be joined by dots.
pub(super) fn applies(
    only_where: &[Requirement],
    holder: MarkedValue<'_>,
    around: &[MarkedValue<'_>],
    root: MarkedValue<'_>,
) -> bool {
    only_where.iter().all(
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
                None | Some(Content::Null) => return *mode != Mode::Strict,
                Some(Content::Array(items)) if expected.is_empty() => items.is_empty(),
                Some(Content::Array(items)) => {
                    items.iter().filter_map(|item| readable(*item)).any(is)
                }
                Some(Content::Object(members)) => members.iter().any(|(key, value)| {
                    readable(*value).is_some_and(|text| is(&format!("{key}={text}")))
                }),
                Some(content) => scalar(content).is_some_and(is),
            };
            holds != (*mode == Mode::Inverted)
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
            Some(found) => value = found,
            None => return Some(Content::Null),
        }
    }
    known(Some(value))
}

/// A lone `*` means itself, as in a policy.
fn is_glob(expected: &str) -> bool {
    expected.len() > 1 && expected.contains('*')
}

/// A `*` stands for any characters.
fn is_text(text: &str, expected: &str) -> bool {
    match is_glob(expected) {
        true => glob_matches(&expected.to_ascii_lowercase(), &text.to_ascii_lowercase()),
        false => text.eq_ignore_ascii_case(expected),
    }
}
