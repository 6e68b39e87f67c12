//! The built-in table of rules.
//!
//! The table is TOML. Parsing all of it would take longer than the review of a small plan, so it is first
//! split into rules, and only the rules for the resource types of the plan are parsed. Invariant: splitting
//! finds the same rules as TOML does (a test compares both). This requires that every rule is on one line and
//! begins with its type.

use std::sync::OnceLock;

use serde::Deserialize;
use toml::de::ValueDeserializer;

use super::fragment::TypePattern;
use super::rule::Rule;
use super::table::{Line, TableError};
use crate::review::entry::{FindingKind, RuleOrigin};

/// The built-in table.
const TABLE: &str = include_str!("rules.toml");

/// The start of each rule.
const BEGIN: &str = "{ type = \"";

/// The rules of the table, each parsed on first use.
#[derive(Debug, Default)]
pub(super) struct BuiltIn {
    pub(super) rules: Vec<LazyRule>,
    /// The types of each rule, with its index, in the order of the rules. Most are names, which are only compared.
    types: Vec<(TypePattern<'static>, usize)>,
}

#[derive(Debug)]
pub(super) struct LazyRule {
    pub(super) kind: FindingKind,
    resource_type: &'static str,
    line: usize,
    pub(super) text: &'static str,
    read: OnceLock<Rule>,
}

impl BuiltIn {
    pub(super) fn new() -> Result<Self, TableError> {
        let (mut rules, mut list) = (Vec::new(), None);
        let lines = TABLE.lines().map(str::trim).enumerate();
        for (at, line) in lines.filter(|(_, line)| !matches!(*line, "" | "]") && !line.starts_with('#')) {
            if let Some(name) = line.strip_suffix(" = [") {
                list = FindingKind::ALL.into_iter().find(|kind| kind.name() == name);
                continue;
            }
            let resource_type = line.strip_prefix(BEGIN).and_then(|text| Some(text.split_once('"')?.0));
            let (Some(kind), Some(resource_type)) = (list, resource_type) else {
                let message = "neither the name of a list nor a rule in one".to_owned();
                return Err(TableError { line: at + 1, message });
            };
            let text = line.trim_end_matches(',');
            rules.push(LazyRule { kind, resource_type, line: at + 1, text, read: OnceLock::new() });
        }
        crate::sort::by_key(&mut rules, |rule| rule.kind);
        let types =
            |(at, rule): (usize, &LazyRule)| TypePattern::parse(rule.resource_type).map(move |one| (one, at));
        let types = rules.iter().enumerate().flat_map(types).collect();
        Ok(Self { rules, types })
    }

    pub(super) fn for_type(&self, resource_type: &str) -> Result<Vec<&Rule>, TableError> {
        let mut fitting: Vec<usize> = self
            .types
            .iter()
            .filter(|(wanted, _)| wanted.matches(resource_type))
            .map(|(_, at)| *at)
            .collect();
        fitting.dedup();
        fitting.into_iter().filter_map(|at| self.rules.get(at)).map(LazyRule::read).collect()
    }
}

impl LazyRule {
    pub(super) fn read(&self) -> Result<&Rule, TableError> {
        if let Some(rule) = self.read.get() {
            return Ok(rule);
        }
        let error = |message: String| TableError { line: self.line, message };
        let line = ValueDeserializer::parse(self.text).and_then(Line::deserialize);
        let line = line.map_err(|failed| error(failed.message().to_owned()))?;
        let rule = Rule::new(self.kind, line, RuleOrigin::BuiltIn).map_err(error)?;
        Ok(self.read.get_or_init(|| rule))
    }
}
