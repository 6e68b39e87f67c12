//! The TOML form of rules: one inline table for each.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use toml::Value;

use crate::review::entry::FindingKind;

/// A table of rules with an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    /// The line number, starting at 1.
    pub line: usize,
    /// The error.
    pub message: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TableError {}

/// The maximum length of `what` in a user's rule, so that its text does not crowd out other findings.
const MAX_WHAT_LEN: usize = 100;

/// The maximum number of items of a list in a user's rule, because each may be looked up in each change.
const MAX_ITEMS: usize = 100;

/// A rule of a user's file: a line of the built-in table that also names the kind of its findings.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct UserRule(Line);

impl UserRule {
    /// The kind of the rule's findings, and the rule.
    pub(super) fn into_parts(self) -> Result<(FindingKind, Line), String> {
        let kinds = || FindingKind::ALL.map(FindingKind::name).join(", ");
        let Some(name) = &self.0.finding else {
            return Err(format!("a rule needs a `finding`: {}", kinds()));
        };
        let kind = FindingKind::ALL.into_iter().find(|kind| kind.name() == name);
        if self.0.what.as_ref().is_some_and(|what| what.chars().count() > MAX_WHAT_LEN) {
            return Err(format!("`what` is longer than {MAX_WHAT_LEN} characters"));
        }
        let items = self.0.guards.values().map(Vec::len).chain([self.0.guards.len()]);
        let Line { show, only_where, needs, unless, levels, names, to, .. } = &self.0;
        let lists =
            [show.len(), only_where.len(), needs.len(), unless.len(), levels.len(), names.len(), to.len()];
        let lists = lists.into_iter().chain([self.0.order.as_ref().map_or(0, Vec::len)]);
        if items.chain(lists).any(|length| length > MAX_ITEMS) {
            return Err(format!("a rule has a list with more than {MAX_ITEMS} items"));
        }
        let kind =
            kind.ok_or_else(|| format!("there is no finding `{name}`: expected one of {}", kinds()))?;
        Ok((kind, self.0))
    }
}

/// One rule.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Line {
    /// The kind of the findings. In the built-in table, it is the name of the list instead.
    pub finding: Option<String>,
    #[serde(rename = "type")]
    pub resource_type: String,
    pub what: Option<String>,
    /// For the type of an action: what invoking it does.
    pub action: Option<String>,
    /// The level of the findings; without it, that of the kind.
    pub level: Option<String>,
    /// The name of the rule; without it, the type and the path.
    pub name: Option<String>,
    /// The rank among findings of the same level and kind.
    pub weight: u8,
    pub show: Vec<String>,
    pub path: Option<String>,
    pub world: bool,
    pub is: Option<Vec<Value>>,
    pub on: bool,
    pub off: bool,
    pub lower: bool,
    pub higher: bool,
    /// A limit: the number is smaller, and was not.
    pub below: Option<f64>,
    /// A limit: the number is larger, and was not.
    pub above: Option<f64>,
    pub changed: bool,
    pub fewer: bool,
    pub mentions: bool,
    pub major: bool,
    /// Whether it also holds for what is created; without it, if it is an exposure.
    pub created: Option<bool>,
    /// The path of the role that is given to those at `path`; `is` lists the privileged ones.
    pub role: Option<String>,
    /// The privileged ones by the last parts of their IDs, with their names.
    pub names: BTreeMap<String, String>,
    /// Those for whom a role counts; without any, all.
    pub to: Vec<String>,
    /// A network rule that denies: removing it, or moving it behind others, opens what it denies.
    pub deny: bool,
    /// What is behind the door that an exposure opens.
    pub serves: Option<String>,
    /// The levels for single values.
    pub levels: BTreeMap<String, String>,
    pub zero_is_forever: bool,
    pub gone: bool,
    pub emptied: bool,
    pub there: bool,
    pub order: Option<Vec<String>>,
    pub policy: Option<String>,
    pub zero: bool,
    pub destroyed: bool,
    /// The attributes that name the object that a guard protects, with the types of the object.
    pub guards: BTreeMap<String, Vec<String>>,
    /// The attribute of a guard with the policy that must deny something.
    pub denies: Option<String>,
    #[serde(rename = "where")]
    pub only_where: BTreeMap<String, Value>,
    /// As `where`, but a missing or unknown value does not hold.
    pub needs: BTreeMap<String, Value>,
    /// The opposite of `needs`.
    pub unless: BTreeMap<String, Value>,
    /// Example values before and after, for which a test runs the rule.
    pub example: Option<(Value, Value)>,
}
