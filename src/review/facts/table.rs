//! The TOML form of rules: one inline table for each.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use toml::Value;

use crate::review::entry::FactKind;

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

/// The maximum length of `what` in a user's rule, so that its text does not crowd out other facts.
const MAX_WHAT_LEN: usize = 100;

/// The maximum number of items of a list in a user's rule, because each may be looked up in each change.
const MAX_ITEMS: usize = 100;

/// A rule of a user's file: a line of the built-in table that also names the kind of its facts.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct UserRule(Line);

impl UserRule {
    /// The kind of the rule's facts, and the rule.
    pub(super) fn into_parts(self) -> Result<(FactKind, Line), String> {
        let names = || FactKind::ALL.map(FactKind::name).join(", ");
        let Some(name) = &self.0.fact else { return Err(format!("a rule needs a `fact`: {}", names())) };
        let kind = FactKind::ALL.into_iter().find(|kind| kind.name() == name);
        if self.0.what.as_ref().is_some_and(|what| what.chars().count() > MAX_WHAT_LEN) {
            return Err(format!("`what` is longer than {MAX_WHAT_LEN} characters"));
        }
        let items = self.0.guards.values().map(Vec::len).chain([self.0.guards.len()]);
        let lists = [self.0.show.len(), self.0.only_where.len(), self.0.order.as_ref().map_or(0, Vec::len)];
        if items.chain(lists).any(|length| length > MAX_ITEMS) {
            return Err(format!("a rule has a list with more than {MAX_ITEMS} items"));
        }
        let kind = kind.ok_or_else(|| format!("there is no fact `{name}`: expected one of {}", names()))?;
        Ok((kind, self.0))
    }
}

/// One rule.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Line {
    /// The kind of the facts. In the built-in table, it is the name of the list instead.
    pub fact: Option<String>,
    #[serde(rename = "type")]
    pub resource_type: String,
    pub what: Option<String>,
    pub show: Vec<String>,
    pub path: Option<String>,
    pub world: bool,
    pub is: Option<Vec<Value>>,
    pub on: bool,
    pub off: bool,
    pub lower: bool,
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
    #[serde(rename = "where")]
    pub only_where: BTreeMap<String, Value>,
    /// Example values before and after, for which a test runs the rule.
    pub example: Option<(Value, Value)>,
}
