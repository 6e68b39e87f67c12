//! The table of rules: the built-in ones, by the files of their providers, and those of a project.
//!
//! Invariant: the file of a provider has only rules for its own types (a test ensures it), so the files of other
//! providers are not searched.
//!
//! ```text
//! for_type("aws_s3_bucket")    the rules of `aws.rs` whose type is `aws_s3_bucket` or a glob for it, and those of the project
//! ```

use std::collections::HashMap;

use thiserror::Error;

use super::definition::Definition;
use super::fragments::is_for_type;
use super::line::RuleLine;
use super::rule::Rule;
use super::rules::{FILES, File};
use crate::review::entry::RuleOrigin;

/// The maximum number of rules of a project, each of which may find something in each change.
const MAX_RULES: usize = 100;

/// The built-in rules and those of a project.
#[derive(Debug, Default)]
pub struct Rules {
    /// The files of the built-in rules.
    files: &'static [File],
    /// The rules of the project.
    added: Vec<AddedLine>,
}

/// A rule of a configuration file, with the way by which that file was given.
#[derive(Debug)]
struct AddedLine {
    line: RuleLine,
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

/// The rules for the types of a plan.
#[derive(Debug)]
pub(in crate::review) struct RulesByType<'r>(HashMap<String, Vec<Rule<'r>>>);

impl<'r> RulesByType<'r> {
    /// Selects the rules for these types.
    pub(super) fn new<'t>(rules: &'r Rules, types: impl Iterator<Item = &'t str>) -> Self {
        let mut by_type = HashMap::new();
        for name in types {
            if !by_type.contains_key(name) {
                by_type.insert(name.to_owned(), rules.for_type(name));
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
            files: FILES,
            added: Vec::new(),
        }
    }

    /// Adds a rule of a project.
    ///
    /// # Errors
    /// If the rule is not valid, or there are too many.
    pub fn add(&mut self, line: RuleLine, origin: RuleOrigin) -> Result<(), RuleError> {
        if self.added.len() >= MAX_RULES {
            return Err(RuleError::TooMany);
        }
        line.rule(origin).map_err(RuleError::Invalid)?;
        self.added.push(AddedLine { line, origin });
        Ok(())
    }

    /// Returns the rules for a type. The built-in ones are ordered by kind, and within a kind those of the provider
    /// come first. Those of the project come last.
    pub(super) fn for_type(&self, resource_type: &str) -> Vec<Rule<'_>> {
        let provider = resource_type.split('_').next().unwrap_or_default();
        let files = self.files.iter().filter(|file| file.may_have(provider));
        let fits = |definition: &&Definition| match definition.is_one_type {
            true => definition.types == resource_type,
            false => is_for_type(definition.types, resource_type),
        };
        let fitting = files.flat_map(|file| file.rules).filter(fits);
        let mut rules: Vec<_> = fitting.filter_map(Rule::built_in).collect();
        rules.sort_by_key(|rule| rule.kind);
        let added = self
            .added
            .iter()
            .filter_map(|added| added.line.rule(added.origin).ok());
        rules.extend(added.filter(|rule| is_for_type(rule.types, resource_type)));
        rules
    }
}
