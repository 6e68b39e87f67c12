//! The table of rules: the built-in rows, and those of a project.
//!
//! ```text
//! for_type("aws_s3_bucket")    the rules of the rows for `aws_s3_bucket` or a glob for it, and those of the project
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

use super::line::RuleLine;
use super::rule::Rule;
use crate::knowledge::{Row, grammar, is_for_type, row_numbers, rows_of};
use crate::review::entry::RuleOrigin;

/// The maximum number of rules of a project, each of which may find something in each change.
const MAX_RULES: usize = 100;

/// The built-in rules and those of a project.
#[derive(Debug, Default)]
pub struct Rules {
    /// Whether the built-in rows are among them.
    is_built_in: bool,
    /// The rows of the project.
    added: Vec<AddedRow>,
}

/// A row of a configuration file, with the way by which that file was given.
#[derive(Debug)]
struct AddedRow {
    /// The row in its packed form.
    packed: String,
    origin: RuleOrigin,
}

/// The reason why a rule of a project cannot be added. The texts are for the user.
#[derive(Debug, Error)]
pub enum RuleError {
    /// The project has too many.
    #[error("there are more than {MAX_RULES} rules")]
    TooMany,
    /// The line of the rule is not valid.
    #[error("{0}")]
    Invalid(String),
}

impl RuleError {
    /// Returns what the user can try, if anything is known.
    pub fn tip(&self) -> Option<&'static str> {
        match self {
            Self::TooMany => Some("a `type` with `*` covers several resource types"),
            Self::Invalid(_) => None,
        }
    }
}

/// The rules for the types of a plan. Types with the same rows share their rules: a plan may have very many types, and
/// most of them have the same rows, those for any type.
#[derive(Debug)]
pub(in crate::review) struct RulesByType<'r>(HashMap<String, Arc<[Rule<'r>]>>);

/// Which rows are for a type.
#[derive(PartialEq, Eq, Hash)]
struct RowsOfType {
    /// The numbers of the built-in rows.
    built_in: Vec<u16>,
    /// For each row of the project whether it is for the type.
    added: Vec<bool>,
}

impl<'r> RulesByType<'r> {
    /// Selects the rules for these types.
    pub(super) fn new<'t>(rules: &'r Rules, types: impl Iterator<Item = &'t str>) -> Self {
        let mut by_type = HashMap::new();
        let mut by_rows: HashMap<RowsOfType, Arc<[Rule<'r>]>> = HashMap::new();
        for name in types {
            if !by_type.contains_key(name) {
                let shared = by_rows.entry(rules.rows_of_type(name));
                let shared = shared.or_insert_with(|| rules.for_type(name).into());
                by_type.insert(name.to_owned(), Arc::clone(shared));
            }
        }
        Self(by_type)
    }

    /// Returns the rules for a type; none if they were not selected.
    pub(in crate::review) fn of(&self, resource_type: &str) -> &[Rule<'r>] {
        match self.0.get(resource_type) {
            Some(rules) => rules,
            None => &[],
        }
    }
}

impl Rules {
    /// Creates the table with the built-in rules only.
    pub fn built_in() -> Self {
        Self {
            is_built_in: true,
            added: Vec::new(),
        }
    }

    /// Adds a rule of a project.
    ///
    /// # Errors
    /// If the rule is not valid, or there are too many.
    pub fn add(&mut self, line: &RuleLine, origin: RuleOrigin) -> Result<(), RuleError> {
        let packed = line.packed().map_err(RuleError::Invalid)?;
        self.add_packed(packed, origin)
    }

    /// Adds the facts of a `[[row]]` of a project, each of which counts as a rule.
    ///
    /// # Errors
    /// If the row is not in the grammar, or there are too many.
    pub fn add_row(&mut self, row: &toml::Table, origin: RuleOrigin) -> Result<(), RuleError> {
        for fact in grammar::project_rows(row).map_err(RuleError::Invalid)? {
            self.add_packed(fact.fields.packed(), origin)?;
        }
        Ok(())
    }

    /// Adds a packed row.
    fn add_packed(&mut self, packed: String, origin: RuleOrigin) -> Result<(), RuleError> {
        if self.added.len() >= MAX_RULES {
            return Err(RuleError::TooMany);
        }
        let row = Row::read(&packed)
            .ok_or_else(|| RuleError::Invalid("this rule cannot be read".to_owned()))?;
        Rule::of_row(&row, origin).map_err(RuleError::Invalid)?;
        self.added.push(AddedRow { packed, origin });
        Ok(())
    }

    /// Returns which rows are for a type.
    fn rows_of_type(&self, resource_type: &str) -> RowsOfType {
        let built_in = match self.is_built_in {
            true => row_numbers(resource_type),
            false => Vec::new(),
        };
        let is_for = |added: &AddedRow| {
            Row::read(&added.packed).is_some_and(|row| is_for_type(row.types, resource_type))
        };
        RowsOfType {
            built_in,
            added: self.added.iter().map(is_for).collect(),
        }
    }

    /// Returns the rules for a type. The built-in ones are ordered by kind, and within a kind those of the provider
    /// come first. Those of the project come last.
    pub(super) fn for_type(&self, resource_type: &str) -> Vec<Rule<'_>> {
        let built_in = if self.is_built_in {
            rows_of(resource_type)
        } else {
            Vec::new()
        };
        let mut rules: Vec<Rule<'_>> = built_in
            .iter()
            .filter_map(|row| Rule::of_row(row, RuleOrigin::BuiltIn).ok())
            .collect();
        rules.sort_by_key(|rule| rule.kind);
        for added in &self.added {
            if let Some(row) = Row::read(&added.packed)
                && is_for_type(row.types, resource_type)
                && let Ok(rule) = Rule::of_row(&row, added.origin)
            {
                rules.push(rule);
            }
        }
        rules
    }
}
