//! The table of rules as it is written: TOML, one rule a line.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use toml::{Spanned, Value};

/// A table that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    /// The line, from 1; 0 where it is not known.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TableError {}

/// The lists of a table.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Table {
    pub data: Vec<Spanned<Line>>,
    pub opens: Vec<Spanned<Line>>,
    pub unguards: Vec<Spanned<Line>>,
    pub guards: Vec<String>,
    pub unseen: Vec<Spanned<Line>>,
    pub down: Vec<Spanned<Line>>,
}

/// One rule.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Line {
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
    pub there: bool,
    pub order: Option<Vec<String>>,
    pub policy: Option<String>,
    pub zero: bool,
    pub destroyed: bool,
    #[serde(rename = "where")]
    pub only_where: BTreeMap<String, Value>,
    /// The value before and after; the tests of the table run it.
    pub example: Option<(Value, Value)>,
}

impl Table {
    /// The table that `text` writes.
    pub(super) fn parse(text: &str) -> Result<Self, TableError> {
        toml::from_str(text).map_err(|error| TableError {
            line: error.span().map_or(0, |span| line_of(text, span.start)),
            message: error.message().to_owned(),
        })
    }
}

/// The line of a byte, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}
