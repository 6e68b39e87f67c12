//! The older TOML form of a project's rules, beside `[[row]]`: a person writes flags, which become a row with one
//! condition.
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

use crate::access::Class;
use crate::knowledge::grammar::check_path;
use crate::knowledge::packed::{Field, INVERTED, LAX, RowWriter, STRICT};
use crate::review::entry::{FindingKind, Level};

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

/// A language of policies.
#[derive(Clone, Copy, Debug, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
enum Language {
    Iam,
    Vault,
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
    policy: Option<Language>,
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

/// A condition of a line: its word in a packed row, and the list that values are compared with.
struct LineCondition {
    word: &'static str,
    list: Vec<String>,
}

impl RuleLine {
    /// Makes the packed row.
    ///
    /// # Errors
    /// The error is a text for the user about what is wrong with the line.
    pub(super) fn packed(&self) -> Result<String, String> {
        let kinds = || FindingKind::ALL.map(FindingKind::name).join(", ");
        let kind = self
            .finding
            .ok_or_else(|| format!("a rule needs a `finding`: {}", kinds()))?;
        self.check_limits()?;
        if self.types.is_empty() {
            return Err("a rule needs a `type`".to_owned());
        }
        let mut row = RowWriter::default();
        row.set_list(Field::Types, self.types.split('|'));
        let idea = match kind {
            FindingKind::DataLoss => "data",
            FindingKind::Exposure => "access",
            FindingKind::Protection => "guard",
            FindingKind::Downtime => "service",
            FindingKind::Unknown => "decides",
            FindingKind::Secret => {
                return Err(
                    "a rule cannot have the kind `secret`: the forms of credentials are built in"
                        .to_owned(),
                );
            }
        };
        row.set(Field::Idea, idea);
        row.set(Field::Name, self.name.as_deref().unwrap_or_default());
        row.set(Field::What, self.what.as_deref().unwrap_or_default());
        row.set(Field::Level, self.level.map_or("", Level::name));
        self.event(kind, &mut row)?;
        self.requirements(&mut row);
        Ok(row.packed())
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

    /// Writes what the rule is about. Errors name the member that is missing.
    fn event(&self, kind: FindingKind, row: &mut RowWriter) -> Result<(), String> {
        let is_about_object = self.path.is_none();
        if let Some(what) = &self.action {
            row.set(Field::Event, "invoked");
            row.set(Field::What, what);
        } else if kind == FindingKind::DataLoss && is_about_object {
            self.show.iter().try_for_each(|path| check_path(path))?;
            if self.what.is_none() {
                return Err("a rule of `data-loss` needs `what`".to_owned());
            }
            row.set(Field::Event, "holds");
            row.set_list(Field::Arguments, self.show.iter().map(String::as_str));
        } else if matches!(kind, FindingKind::Exposure | FindingKind::Protection) && self.destroyed
        {
            row.set(Field::Event, "guards");
            for (path, types) in &self.guards {
                row.add(Field::References, path, types.iter().map(String::as_str));
            }
            row.set(Field::Absent, self.denies.as_deref().unwrap_or_default());
        } else if kind == FindingKind::Downtime && is_about_object {
            let event = if self.destroyed {
                "serves"
            } else {
                "serves-replaced"
            };
            row.set(Field::Event, event);
        } else {
            self.values(kind, row)?;
        }
        Ok(())
    }

    /// Writes the test of a rule about values at a path.
    fn values(&self, kind: FindingKind, row: &mut RowWriter) -> Result<(), String> {
        let path = self.path.as_deref().ok_or("this rule needs a `path`")?;
        let condition = match kind {
            FindingKind::Unknown => LineCondition {
                word: "unknown",
                list: Vec::new(),
            },
            FindingKind::DataLoss
            | FindingKind::Exposure
            | FindingKind::Protection
            | FindingKind::Downtime
            | FindingKind::Secret => self.condition()?,
        };
        check_path(path)?;
        row.set(Field::Event, "value");
        row.set(Field::Path, path);
        row.set(Field::Test, condition.word);
        row.set_list(Field::Arguments, condition.list.iter().map(String::as_str));
        if let Some(role) = &self.role {
            check_path(role)?;
            row.set(Field::Role, role);
            row.set_list(Field::To, self.to.iter().map(String::as_str));
        }
        for (id, name) in &self.names {
            row.add(Field::RoleNames, id, [name.as_str()]);
        }
        for (value, level) in &self.levels {
            row.add(Field::Levels, value, [level.name()]);
        }
        if let Some(created) = self.created {
            row.set(Field::Created, if created { "true" } else { "false" });
        }
        if self.in_place {
            row.set(Field::InPlace, "true");
        }
        row.set(Field::Absent, self.absent.as_deref().unwrap_or_default());
        row.set(Field::Reach, self.serves.map_or("", Class::word));
        Ok(())
    }

    /// Returns the only condition of the rule. None or more than one is an error.
    fn condition(&self) -> Result<LineCondition, String> {
        let limit = |limit: Option<f64>| limit.map(|limit| limit.to_string());
        let [below, above] = [limit(self.below), limit(self.above)];
        let lower = match self.zero_is_forever {
            true => "shorter",
            false => "lower",
        };
        let flags = [
            ("any-source", self.any_source),
            ("higher", self.higher),
            ("changed", self.changed),
            ("fewer", self.fewer),
            ("mentions", self.mentions),
            ("major", self.major),
            ("downgrade", self.downgrade),
            ("reverts", self.reverts),
            ("routes", self.routes),
            ("deny", self.deny),
            ("on", self.on),
            ("off", self.off),
            (lower, self.lower),
            ("gone", self.gone),
            ("emptied", self.emptied),
            ("there", self.there),
            ("zero", self.zero),
        ];
        let mut conditions: Vec<LineCondition> = Vec::new();
        let mut add = |word, list| conditions.push(LineCondition { word, list });
        for (word, _) in flags.into_iter().filter(|(_, is_set)| *is_set) {
            add(word, Vec::new());
        }
        match (&self.role, &self.is) {
            (Some(_), is) => add("role", is.clone().unwrap_or_default().0),
            (None, Some(values)) => add("is", values.0.clone()),
            (None, None) => {}
        }
        for (word, limit) in [("below", below), ("above", above)] {
            if let Some(limit) = limit {
                add(word, vec![limit]);
            }
        }
        if let Some(order) = &self.order {
            add("order", order.clone());
        }
        if let Some(policy) = self.policy {
            let language: &str = policy.into();
            add("policy", vec![language.to_owned()]);
        }
        let mut conditions = conditions.into_iter();
        match (conditions.next(), conditions.next()) {
            (Some(condition), None) => Ok(condition),
            (None, _) => {
                Err("this rule needs a condition, such as `world = true` or `is = […]`".to_owned())
            }
            (Some(_), Some(_)) => Err("this rule has more than one condition".to_owned()),
        }
    }

    /// Writes `where`, `needs` and `unless` as requirements on other members.
    fn requirements(&self, row: &mut RowWriter) {
        let members = [
            (&self.only_where, LAX),
            (&self.needs, STRICT),
            (&self.unless, INVERTED),
        ];
        for (members, mark) in members {
            for (name, expected) in members {
                let name = format!("{mark}{name}");
                row.add(Field::OnlyIf, &name, expected.0.iter().map(String::as_str));
            }
        }
    }
}
