//! The TOML form of a project's rules. A person writes flags, which become a [`Rule`] with one condition.
//!
//! ```toml
//! [[rules]]
//! finding = "protection"
//! type = "aws_db_instance"
//! path = "backup_retention_period"
//! lower = true
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Value;

use super::condition::{Condition, List, PolicyLanguage};
use super::guards::Guards;
use super::pattern::Pattern;
use super::rule::{LevelOf, MatchPolicy, Requirement, RoleName, Rule, Trigger, ValueTest};
use crate::access::Class;
use crate::review::entry::{FindingKind, Level, RuleOrigin};

/// The maximum length of `what`, in characters, so that the text of a user's rule does not crowd out other findings.
const MAX_WHAT_LEN: usize = 100;

/// The maximum number of items of a list in a user's rule, each of which may be looked up in each change.
const MAX_ITEMS: usize = 100;

/// One text, or a list of texts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Value")]
struct Texts(Vec<String>);

/// A number or a flag counts as the text that JSON has for it.
impl From<Value> for Texts {
    fn from(value: Value) -> Self {
        let text = |value: Value| match value {
            Value::String(text) => text,
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(flag) => flag.to_string(),
            Value::Datetime(_) | Value::Array(_) | Value::Table(_) => String::new(),
        };
        Self(if let Value::Array(all) = value {
            all.into_iter().map(text).collect()
        } else {
            vec![text(value)]
        })
    }
}

/// A rule of a configuration file. `docs/config.md` says what the members mean.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RuleLine {
    /// The kind of its findings. Required unless the rule is about an `action`.
    finding: Option<FindingKind>,
    /// Resource types, globs or fragments for them, with `|` between them.
    #[serde(rename = "type")]
    types: String,
    /// The words of the finding, instead of the path.
    what: Option<String>,
    /// The words for what invoking an action of the type does, instead of a path.
    action: Option<String>,
    /// The level of its findings. The default depends on the kind.
    level: Option<Level>,
    /// The name in SARIF and JSON. By default, it is made of the type and the path.
    name: Option<String>,
    /// For `data-loss`: the attributes that describe the object.
    show: Vec<String>,
    /// The path of the value that the rule is about.
    path: Option<String>,
    /// Condition: the value lets in everybody, or a large part of the internet.
    #[serde(rename = "world")]
    any_source: bool,
    /// Condition: the value becomes one of these. With `role`, the roles that count.
    is: Option<Texts>,
    /// Condition: the value becomes true.
    on: bool,
    /// Condition: the value was true, and is no longer.
    off: bool,
    /// Condition: the value becomes a smaller number, or is removed.
    lower: bool,
    /// Condition: the value becomes a larger number.
    higher: bool,
    /// Condition: the value falls below this number.
    below: Option<f64>,
    /// Condition: the value rises above this number.
    above: Option<f64>,
    /// Condition: the value was set, and is another one now, or none.
    changed: bool,
    /// Condition: an element of a list is removed.
    fewer: bool,
    /// Condition: a message no longer names somebody with `@name`.
    mentions: bool,
    /// Condition: a version becomes a later major one.
    major: bool,
    /// Whether the rule applies only to objects that are changed in place.
    in_place: bool,
    /// Condition: a version becomes an earlier one.
    downgrade: bool,
    /// Condition: a number becomes smaller because the plan undoes a change outside of the tool.
    reverts: bool,
    /// Condition: a route of an OpenAPI document loses its authentication.
    routes: bool,
    /// The name of a member next to the value that must be missing or empty.
    absent: Option<String>,
    /// Whether values of created objects count. By default, they do only for `exposure`.
    created: Option<bool>,
    /// Condition: somebody gets a role. The value is the path of the role.
    role: Option<String>,
    /// With `role`: the names of roles that are IDs in the plan.
    names: BTreeMap<String, String>,
    /// With `role`: globs of those who count. By default, everybody does.
    to: Vec<String>,
    /// Condition: a network rule that denies is removed or comes later.
    deny: bool,
    /// The class of what an exposure opens, if ports do not say it.
    serves: Option<Class>,
    /// The levels for single values.
    levels: BTreeMap<String, Level>,
    /// With `lower`: whether 0 counts as more than any number.
    zero_is_forever: bool,
    /// Condition: the value is removed.
    gone: bool,
    /// Condition: the value becomes empty in an element or block that stays.
    emptied: bool,
    /// Condition: the value is added.
    there: bool,
    /// Condition: the value moves towards the first of these, from the weakest to the strongest.
    order: Option<Vec<String>>,
    /// Condition: a policy in this language grants more.
    policy: Option<PolicyLanguage>,
    /// Condition: the value was another number, and becomes 0.
    zero: bool,
    /// Whether the object itself is a protection or a service, and the rule is about its destruction.
    destroyed: bool,
    /// With `destroyed`: the types of what the object protects, by the attribute that names it.
    guards: BTreeMap<String, Vec<String>>,
    /// With `guards`: the attribute with a policy that must deny something.
    denies: Option<String>,
    /// Values that other members must have. A missing or unknown member fits.
    #[serde(rename = "where")]
    only_where: BTreeMap<String, Texts>,
    /// Values that other members must have. A missing or unknown member does not fit.
    needs: BTreeMap<String, Texts>,
    /// Values that other members must not have.
    unless: BTreeMap<String, Texts>,
}

impl RuleLine {
    /// Makes the rule.
    ///
    /// # Errors
    /// The error is a text for the user about what is wrong with the line.
    pub(super) fn rule(&self, origin: RuleOrigin) -> Result<Rule<'_>, String> {
        let kinds = || FindingKind::ALL.map(FindingKind::name).join(", ");
        let kind = self
            .finding
            .ok_or_else(|| format!("a rule needs a `finding`: {}", kinds()))?;
        self.check_limits()?;
        if self.types.is_empty() {
            return Err("a rule needs a `type`".to_owned());
        }
        let rule = Rule::new(kind, &self.types, self.trigger(kind)?, self.level);
        let name = self.name.as_deref().unwrap_or_default();
        Ok(rule.with(name, origin, self.requirements()))
    }

    /// Rejects rules whose lists or words are so long that each object would cost too much.
    fn check_limits(&self) -> Result<(), String> {
        let what = self.what.as_deref().unwrap_or_default();
        if what.chars().count() > MAX_WHAT_LEN {
            return Err(format!("`what` is longer than {MAX_WHAT_LEN} characters"));
        }
        let requirements = [&self.only_where, &self.needs, &self.unless].map(BTreeMap::len);
        let lists = [
            self.show.len(),
            self.order.as_ref().map_or(0, Vec::len),
            self.levels.len(),
            self.names.len(),
            self.to.len(),
            self.guards.len(),
        ];
        let guards = self.guards.values().map(Vec::len);
        let mut lengths = lists.into_iter().chain(requirements).chain(guards);
        if lengths.any(|length| length > MAX_ITEMS) {
            return Err(format!(
                "a rule has a list with more than {MAX_ITEMS} items"
            ));
        }
        Ok(())
    }

    /// Returns the event that makes the rule apply. Errors name the member that is missing.
    fn trigger(&self, kind: FindingKind) -> Result<Trigger<'_>, String> {
        Ok(match kind {
            _ if let Some(what) = &self.action => Trigger::Invoked { what },
            FindingKind::DataLoss if self.path.is_none() => {
                for path in &self.show {
                    Pattern::parse(path)?;
                }
                let what = self.what.as_deref();
                Trigger::Lost {
                    what: what.ok_or("a rule of `data-loss` needs `what`")?,
                    show: List::Items(&self.show),
                }
            }
            FindingKind::Exposure | FindingKind::Protection if self.destroyed => {
                let guards = self.guards.iter();
                let guards = guards.map(|(path, types)| (&**path, List::Items(types)));
                Trigger::Unguarded(Guards::new(guards, self.denies.as_deref())?)
            }
            FindingKind::Downtime if self.path.is_none() => Trigger::Interrupted {
                if_destroyed: self.destroyed,
            },
            FindingKind::Secret => {
                return Err(
                    "a rule cannot have the kind `secret`: the forms of credentials are built in"
                        .to_owned(),
                );
            }
            FindingKind::DataLoss
            | FindingKind::Exposure
            | FindingKind::Protection
            | FindingKind::Downtime
            | FindingKind::Unknown => Trigger::Values(self.values(kind)?),
        })
    }

    /// Returns the test of a rule about values at a path.
    fn values(&self, kind: FindingKind) -> Result<ValueTest<'_>, String> {
        let path = self.path.as_deref().ok_or("this rule needs a `path`")?;
        let condition = match kind {
            FindingKind::Unknown => Condition::Unknown,
            FindingKind::DataLoss
            | FindingKind::Exposure
            | FindingKind::Protection
            | FindingKind::Downtime
            | FindingKind::Secret => self.condition()?,
        };
        if let Condition::Role { role, .. } = condition {
            Pattern::parse(role)?;
        }
        let levels = self.levels.iter();
        let names = self.names.iter();
        Ok(ValueTest {
            path,
            pattern: Pattern::parse(path)?,
            condition,
            is_for_created: self.created.unwrap_or(kind == FindingKind::Exposure),
            parents: Vec::new(),
            is_in_place: self.in_place,
            what: self.what.as_deref(),
            levels: levels
                .map(|(value, level)| LevelOf {
                    value,
                    level: *level,
                })
                .collect(),
            role_names: names.map(|(id, name)| RoleName { id, name }).collect(),
            serves: self.serves,
            absent: self.absent.as_deref(),
            has_grade: self.level.is_some() || self.serves.is_some(),
        })
    }

    /// Returns the only condition of the rule. None or more than one is an error.
    fn condition(&self) -> Result<Condition<'_>, String> {
        let is = self.is.as_ref().map(|is| List::Items(&is.0));
        let role = self.role.as_deref().map(|role| Condition::Role {
            role,
            any_of: is.unwrap_or(List::Items(&[])),
            to: List::Items(&self.to),
        });
        let lower = match self.zero_is_forever {
            true => Condition::Shorter,
            false => Condition::Lower,
        };
        let conditions = [
            is.filter(|_| role.is_none()).map(Condition::Is),
            role,
            self.any_source.then_some(Condition::AnySource),
            self.higher.then_some(Condition::Higher),
            self.below.map(Condition::Below),
            self.above.map(Condition::Above),
            self.changed.then_some(Condition::Changed),
            self.fewer.then_some(Condition::Fewer),
            self.mentions.then_some(Condition::Mentions),
            self.major.then_some(Condition::Major),
            self.downgrade.then_some(Condition::Downgrade),
            self.reverts.then_some(Condition::Reverts),
            self.routes.then_some(Condition::Routes),
            self.deny.then_some(Condition::Deny),
            self.on.then_some(Condition::On),
            self.off.then_some(Condition::Off),
            self.lower.then_some(lower),
            self.gone.then_some(Condition::Gone),
            self.emptied.then_some(Condition::Emptied),
            self.there.then_some(Condition::There),
            self.order.as_deref().map(List::Items).map(Condition::Order),
            self.policy.map(Condition::Policy),
            self.zero.then_some(Condition::Zero),
        ];
        let mut conditions = conditions.into_iter().flatten();
        match (conditions.next(), conditions.next()) {
            (Some(condition), None) => Ok(condition),
            (None, _) => {
                Err("this rule needs a condition, such as `world = true` or `is = […]`".to_owned())
            }
            (Some(_), Some(_)) => Err("this rule has more than one condition".to_owned()),
        }
    }

    /// Collects `where`, `needs` and `unless` as requirements on other members.
    fn requirements(&self) -> Vec<Requirement<'_>> {
        let members = [
            (&self.only_where, MatchPolicy::Lax),
            (&self.needs, MatchPolicy::Strict),
            (&self.unless, MatchPolicy::Inverted),
        ];
        let requirements = members.into_iter().flat_map(|(members, mode)| {
            let members = members.iter();
            members.map(move |(name, expected)| Requirement {
                name,
                expected: List::Items(&expected.0),
                mode,
            })
        });
        requirements.collect()
    }
}
