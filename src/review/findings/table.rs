//! The TOML form of rules, one inline table for each, and the built-in table.
//!
//! Parsing all of the built-in table would take longer than the review of a small plan, so it is first split into rules, and
//! only the rules for the resource types of the plan are parsed. Invariant: splitting finds the same rules as TOML does
//! (a test compares both). This requires that every rule is on one line and begins with its type.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use serde::Deserialize;
use toml::Value;
use toml::de::ValueDeserializer;

use super::rule::Rule;
use crate::access::{Class, glob_matches};
use crate::review::entry::{FindingKind, RuleOrigin};
use crate::review::names::words;

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
        let line = self.0;
        let kinds = FindingKind::ALL.map(FindingKind::name).join(", ");
        let Some(name) = &line.finding else { return Err(format!("a rule needs a `finding`: {kinds}")) };
        let Some(kind) = FindingKind::ALL.into_iter().find(|kind| kind.name() == name) else {
            return Err(format!("there is no finding `{name}`: expected one of {kinds}"));
        };
        if line.what.as_ref().is_some_and(|what| what.chars().count() > MAX_WHAT_LEN) {
            return Err(format!("`what` is longer than {MAX_WHAT_LEN} characters"));
        }
        let Line { show, order, levels, names, to, guards, .. } = &line;
        let others = [&line.only_where, &line.needs, &line.unless].map(BTreeMap::len);
        let order = order.as_ref().map_or(0, Vec::len);
        let lists = [show.len(), order, levels.len(), names.len(), to.len(), guards.len()];
        let lists = lists.into_iter().chain(others).chain(guards.values().map(Vec::len));
        if lists.into_iter().any(|length| length > MAX_ITEMS) {
            return Err(format!("a rule has a list with more than {MAX_ITEMS} items"));
        }
        Ok((kind, line))
    }
}

/// The language of a policy.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PolicyLanguage {
    Iam,
    Vault,
}

/// One rule. `rules.toml` and `docs/config.md` say what its members mean.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Line {
    /// The kind of the findings. In the built-in table, it is the name of the list instead.
    pub finding: Option<String>,
    #[serde(rename = "type")]
    pub resource_type: String,
    pub what: Option<String>,
    pub action: Option<String>,
    pub level: Option<String>,
    pub name: Option<String>,
    pub weight: u8,
    pub show: Vec<String>,
    pub path: Option<String>,
    pub world: bool,
    pub is: Option<Vec<Value>>,
    pub on: bool,
    pub off: bool,
    pub lower: bool,
    pub higher: bool,
    pub below: Option<f64>,
    pub above: Option<f64>,
    pub changed: bool,
    pub fewer: bool,
    pub mentions: bool,
    pub major: bool,
    pub created: Option<bool>,
    pub role: Option<String>,
    pub names: BTreeMap<String, String>,
    pub to: Vec<String>,
    pub deny: bool,
    pub serves: Option<Class>,
    pub levels: BTreeMap<String, String>,
    pub zero_is_forever: bool,
    pub gone: bool,
    pub emptied: bool,
    pub there: bool,
    pub order: Option<Vec<String>>,
    pub policy: Option<PolicyLanguage>,
    pub zero: bool,
    pub destroyed: bool,
    pub guards: BTreeMap<String, Vec<String>>,
    pub denies: Option<String>,
    #[serde(rename = "where")]
    pub only_where: BTreeMap<String, Value>,
    pub needs: BTreeMap<String, Value>,
    pub unless: BTreeMap<String, Value>,
}

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

/// What many rules share, by name: the title of the list of its types in `names.txt`, and the places in these. Manifests
/// are objects or YAML; pods are in blocks of the Kubernetes provider, in manifests, and in the values of charts. Below,
/// names are compared without case and `_`, because blocks write `host_network` where manifests write `hostNetwork`.
fn fragment(name: &str) -> Option<(&'static str, &'static [&'static str])> {
    match name {
        "@pod" => {
            Some(("types of pods", &["spec.**", "manifest.**", "yaml_body.**", "values[*].**", "set[*].="]))
        }
        "@manifest" => Some(("types of manifests", &["manifest", "yaml_body"])),
        _ => None,
    }
}

/// One of the types that a rule is for, which are separated by `|`.
#[derive(Clone, Copy, Debug)]
pub(super) enum TypePattern<'t> {
    Name(&'t str),
    /// A name with `*`.
    Glob(&'t str),
    /// The types of a fragment.
    OneOf(&'static [&'static str]),
}

impl<'t> TypePattern<'t> {
    pub(super) fn parse(types: &'t str) -> impl Iterator<Item = Self> {
        types.split('|').map(|wanted| match fragment(wanted) {
            Some((types, _)) => Self::OneOf(words(types)),
            None if wanted.contains('*') => Self::Glob(wanted),
            None => Self::Name(wanted),
        })
    }

    pub(super) fn matches(self, resource_type: &str) -> bool {
        match self {
            Self::Name(name) => name == resource_type,
            Self::Glob(glob) => glob_matches(glob, resource_type),
            Self::OneOf(globs) => globs.iter().any(|glob| glob_matches(glob, resource_type)),
        }
    }
}

/// Whether a rule with these types is for resources of a type.
pub(super) fn is_for_type(types: &str, resource_type: &str) -> bool {
    TypePattern::parse(types).any(|wanted| wanted.matches(resource_type))
}

/// The paths of a pattern that begins with a fragment, each with the rest of the pattern.
pub(super) fn fragment_paths(pattern: &str) -> Option<impl Iterator<Item = (&'static str, &str)>> {
    let (name, rest) = pattern.split_once('.')?;
    let (_, paths) = fragment(name)?;
    Some(paths.iter().map(move |path| (*path, rest)))
}

/// Whether two names are the same without case and `_`.
pub(super) fn is_loosely(name: &str, other: &str) -> bool {
    plain(name).eq(plain(other))
}

/// Whether a name ends with another one in the same sense: charts have `containerSecurityContext` and
/// `podSecurityContext`.
pub(super) fn ends_loosely(name: &str, end: &str) -> bool {
    let mut letters = plain(name).rev();
    plain(end).rev().all(|byte| letters.next() == Some(byte))
}

fn plain(name: &str) -> impl DoubleEndedIterator<Item = u8> + '_ {
    name.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase())
}
