//! The TOML form of rules, one inline table for each, and the built-in table.
//!
//! Parsing all of the built-in table would take longer than the review of a small plan, so it is first split into rules, and
//! only the rules for the resource types of the plan are parsed. Invariant: splitting finds the same rules as TOML does
//! (a test compares both). This requires that every rule is on one line and begins with its type.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;
use toml::Value;
use toml::de::ValueDeserializer;

use super::rule::Rule;
use crate::access::{Class, glob_matches};
use crate::review::entry::{FindingKind, RuleOrigin};
use crate::review::names::words;

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

/// One value or several, as plans write them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(from = "Value")]
pub(super) struct Texts(pub Vec<String>);

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
    pub is: Option<Texts>,
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
    pub only_where: BTreeMap<String, Texts>,
    pub needs: BTreeMap<String, Texts>,
    pub unless: BTreeMap<String, Texts>,
}

/// The built-in table.
const TABLE: &str = include_str!("rules.toml");

/// The start of each rule.
const BEGIN: &str = "{ type = \"";

/// The rules of the table, each parsed on first use.
#[derive(Debug, Default)]
pub(super) struct BuiltIn {
    pub(super) rules: Vec<LazyRule>,
    /// The rules by type, by index.
    by_name: HashMap<&'static str, Vec<usize>>,
    /// The rules with other types: patterns and fragments.
    others: Vec<(&'static str, usize)>,
}

#[derive(Debug)]
pub(super) struct LazyRule {
    pub(super) kind: FindingKind,
    pub(super) text: &'static str,
    read: OnceLock<Option<Rule>>,
}

impl BuiltIn {
    pub(super) fn new() -> Self {
        let (mut rules, mut kind) = (Vec::new(), None);
        for line in TABLE.lines().map(str::trim) {
            if let Some(name) = line.strip_suffix(" = [") {
                kind = FindingKind::ALL.into_iter().find(|kind| kind.name() == name);
            } else if let (Some(kind), true) = (kind, line.starts_with(BEGIN)) {
                rules.push(LazyRule { kind, text: line.trim_end_matches(','), read: OnceLock::new() });
            }
        }
        crate::sort::by_key(&mut rules, |rule| rule.kind);
        let (mut by_name, mut others) = (HashMap::<_, Vec<usize>>::new(), Vec::new());
        for (at, rule) in rules.iter().enumerate() {
            let types = rule.text.strip_prefix(BEGIN).and_then(|text| Some(text.split_once('"')?.0));
            for name in types.into_iter().flat_map(|types| types.split('|')) {
                match name.contains(['*', '@']) {
                    true => others.push((name, at)),
                    false => by_name.entry(name).or_default().push(at),
                }
            }
        }
        Self { rules, by_name, others }
    }

    pub(super) fn for_type(&self, resource_type: &str) -> Vec<&Rule> {
        let others = self.others.iter().filter(|(wanted, _)| is_for_type(wanted, resource_type));
        let mut fitting: Vec<usize> = others.map(|(_, at)| *at).collect();
        fitting.extend(self.by_name.get(resource_type).into_iter().flatten());
        fitting.sort_unstable();
        fitting.dedup();
        fitting.into_iter().filter_map(|at| self.rules.get(at)?.read()).collect()
    }
}

impl LazyRule {
    /// The rule, if it has no mistake, of which a test makes sure.
    pub(super) fn read(&self) -> Option<&Rule> {
        let read = || {
            let line = Line::deserialize(ValueDeserializer::parse(self.text).ok()?).ok()?;
            Rule::new(self.kind, line, RuleOrigin::BuiltIn).ok()
        };
        self.read.get_or_init(read).as_ref()
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

/// Whether a rule with these types, which are separated by `|`, is for resources of a type.
pub(super) fn is_for_type(types: &str, resource_type: &str) -> bool {
    types.split('|').any(|wanted| match fragment(wanted) {
        Some((types, _)) => words(types).iter().any(|glob| glob_matches(glob, resource_type)),
        None => glob_matches(wanted, resource_type),
    })
}

/// The paths of a pattern that begins with a fragment, each with the rest of the pattern.
pub(super) fn fragment_paths(pattern: &str) -> Option<impl Iterator<Item = (&'static str, &str)>> {
    let (name, rest) = pattern.split_once('.')?;
    let (_, paths) = fragment(name)?;
    Some(paths.iter().map(move |path| (*path, rest)))
}
