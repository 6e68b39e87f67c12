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
    rules: Vec<LazyRule>,
    /// The types of each rule, with its index, in the order of the rules. Most are names, which are only compared.
    types: Vec<(TypePattern<'static>, usize)>,
}

#[derive(Debug)]
struct LazyRule {
    kind: FindingKind,
    resource_type: &'static str,
    line: usize,
    text: &'static str,
    read: OnceLock<Rule>,
}

impl BuiltIn {
    pub(super) fn new() -> Result<Self, TableError> {
        let mut table = Self::default();
        let mut list = None;
        for (at, line) in TABLE.lines().enumerate() {
            let line_error = |message: &str| TableError { line: at + 1, message: message.to_owned() };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_suffix(" = [") {
                let kind = FindingKind::ALL.into_iter().find(|kind| kind.name() == name);
                list = Some(kind.ok_or_else(|| line_error("there is no such list"))?);
                continue;
            }
            match list {
                _ if line == "]" => list = None,
                None => return Err(line_error("this line is in no list")),
                Some(kind) => {
                    let mut rest = line;
                    while let Some(length) = rule_length(rest) {
                        let (text, later) = rest.split_at(length);
                        let name = text.strip_prefix(BEGIN).and_then(|text| Some(text.split_once('"')?.0));
                        let resource_type = name.ok_or_else(|| line_error("a rule begins with its type"))?;
                        table.rules.push(LazyRule {
                            kind,
                            resource_type,
                            line: at + 1,
                            text,
                            read: OnceLock::new(),
                        });
                        rest = later.trim_start_matches([',', ' ']);
                    }
                    if !rest.is_empty() {
                        return Err(line_error("the rule has no end"));
                    }
                }
            }
        }
        table.rules.sort_by_key(|rule| rule.kind);
        let types =
            |(at, rule): (usize, &LazyRule)| TypePattern::parse(rule.resource_type).map(move |one| (one, at));
        table.types = table.rules.iter().enumerate().flat_map(types).collect();
        Ok(table)
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

    #[cfg(test)]
    pub(super) fn for_all(&self) -> Result<Vec<&Rule>, TableError> {
        self.rules.iter().map(LazyRule::read).collect()
    }

    #[cfg(test)]
    pub(super) fn texts(&self) -> Vec<(FindingKind, &str)> {
        self.rules.iter().map(|rule| (rule.kind, rule.text)).collect()
    }
}

impl LazyRule {
    fn read(&self) -> Result<&Rule, TableError> {
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

/// The length of the inline table at the start of a line. Most lines are one rule, which needs no look at each byte.
fn rule_length(line: &str) -> Option<usize> {
    let table = line.trim_end_matches(',');
    if table.ends_with('}') && memchr::memmem::rfind(table.as_bytes(), BEGIN.as_bytes()) == Some(0) {
        return Some(table.len());
    }
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}
