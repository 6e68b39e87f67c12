//! The TOML form of rules, and the built-in table.
//!
//! Parsing all of the built-in table would take longer than the review of a small plan, so only the rules for the resource
//! types of the plan are parsed. Invariant: splitting finds the same rules as TOML does (a test compares both), because each
//! rule is on one line and begins with its type.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use toml::Value;
use toml::de::ValueDeserializer;

use super::rule::Rule;
use crate::access::{Class, glob_matches};
use crate::review::entry::{FindingKind, Level, RuleOrigin};
use crate::review::names::words;

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

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PolicyLanguage {
    Iam,
    Vault,
}

/// `rules.toml` and `docs/config.md` say what the members mean.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RuleLine {
    /// In the built-in table, it is the name of the list instead.
    pub(super) finding: Option<FindingKind>,
    #[serde(rename = "type")]
    pub(super) resource_type: String,
    pub(super) what: Option<String>,
    pub(super) action: Option<String>,
    pub(super) level: Option<Level>,
    pub(super) name: Option<String>,
    pub(super) show: Vec<String>,
    pub(super) path: Option<String>,
    pub(super) world: bool,
    pub(super) is: Option<Texts>,
    pub(super) on: bool,
    pub(super) off: bool,
    pub(super) lower: bool,
    pub(super) higher: bool,
    pub(super) below: Option<f64>,
    pub(super) above: Option<f64>,
    pub(super) changed: bool,
    pub(super) fewer: bool,
    pub(super) mentions: bool,
    pub(super) major: bool,
    /// Only for objects that are changed in place.
    pub(super) in_place: bool,
    pub(super) downgrade: bool,
    pub(super) reverts: bool,
    pub(super) routes: bool,
    pub(super) absent: Option<String>,
    pub(super) created: Option<bool>,
    pub(super) role: Option<String>,
    pub(super) names: BTreeMap<String, String>,
    pub(super) to: Vec<String>,
    pub(super) deny: bool,
    pub(super) serves: Option<Class>,
    pub(super) levels: BTreeMap<String, Level>,
    pub(super) zero_is_forever: bool,
    pub(super) gone: bool,
    pub(super) emptied: bool,
    pub(super) there: bool,
    pub(super) order: Option<Vec<String>>,
    pub(super) policy: Option<PolicyLanguage>,
    pub(super) zero: bool,
    pub(super) destroyed: bool,
    pub(super) guards: BTreeMap<String, Vec<String>>,
    pub(super) denies: Option<String>,
    #[serde(rename = "where")]
    pub(super) only_where: BTreeMap<String, Texts>,
    pub(super) needs: BTreeMap<String, Texts>,
    pub(super) unless: BTreeMap<String, Texts>,
}

/// The built-in rules: those of the large providers, and a file for each subject or family of providers that came later.
pub(super) const TABLES: [&str; 5] = [
    include_str!("rules.toml"),
    include_str!("rules/in_place.toml"),
    include_str!("rules/documents.toml"),
    include_str!("rules/clouds.toml"),
    include_str!("rules/platforms.toml"),
];

const BEGIN: &str = "{ type = \"";

/// Of the user's file: each may find something in each change.
const MAX_RULES: usize = 100;

/// So that the text of a user's rule does not crowd out other findings.
const MAX_WHAT_LEN: usize = 100;

/// Of a list in a user's rule: each may be looked up in each change.
const MAX_ITEMS: usize = 100;

/// The built-in rules are parsed on first use.
#[derive(Debug, Default)]
pub struct Rules {
    pub(super) built_in: Vec<LazyRule>,
    /// Compared one by one, which takes less time than making a map.
    types: Vec<(&'static str, usize)>,
    /// The same for patterns and fragments.
    patterns: Vec<(&'static str, usize)>,
    added: Vec<Rule>,
}

pub(in crate::review) type Applicable<'r> = Vec<&'r Rule>;

#[derive(Debug)]
pub(super) struct LazyRule {
    pub(super) kind: FindingKind,
    pub(super) text: &'static str,
    read: OnceLock<Option<Rule>>,
}

impl Rules {
    pub fn built_in() -> Self {
        let (mut rules, mut kind) = (Self::default(), None);
        for line in TABLES.iter().flat_map(|table| table.lines()).map(str::trim) {
            if let Some(name) = line.strip_suffix(" = [") {
                kind = FindingKind::ALL
                    .into_iter()
                    .find(|kind| kind.name() == name);
            } else if let (Some(kind), true) = (kind, line.starts_with(BEGIN)) {
                let text = line.trim_end_matches(',');
                rules.built_in.push(LazyRule {
                    kind,
                    text,
                    read: OnceLock::new(),
                });
            }
        }
        rules.built_in.sort_by_key(|rule| rule.kind);
        for (at, rule) in rules.built_in.iter().enumerate() {
            let types = rule
                .text
                .strip_prefix(BEGIN)
                .and_then(|text| Some(text.split_once('"')?.0));
            for name in types.into_iter().flat_map(|types| types.split('|')) {
                let is_pattern = memchr::memchr2(b'*', b'@', name.as_bytes()).is_some();
                if is_pattern {
                    &mut rules.patterns
                } else {
                    &mut rules.types
                }
                .push((name, at));
            }
        }
        rules
    }

    pub fn add(&mut self, line: RuleLine, origin: RuleOrigin) -> Result<(), String> {
        if self.added.len() >= MAX_RULES {
            return Err(format!(
                "there are more than {MAX_RULES} rules\n  tip: a `type` with `*` covers several resource types"
            ));
        }
        let kinds = || FindingKind::ALL.map(FindingKind::name).join(", ");
        let kind = line
            .finding
            .ok_or_else(|| format!("a rule needs a `finding`: {}", kinds()))?;
        if line
            .what
            .as_ref()
            .is_some_and(|what| what.chars().count() > MAX_WHAT_LEN)
        {
            return Err(format!("`what` is longer than {MAX_WHAT_LEN} characters"));
        }
        let RuleLine {
            show,
            order,
            levels,
            names,
            to,
            guards,
            ..
        } = &line;
        let others = [&line.only_where, &line.needs, &line.unless].map(BTreeMap::len);
        let order = order.as_ref().map_or(0, Vec::len);
        let lists = [
            show.len(),
            order,
            levels.len(),
            names.len(),
            to.len(),
            guards.len(),
        ];
        let mut lists = lists
            .into_iter()
            .chain(others)
            .chain(guards.values().map(Vec::len));
        if lists.any(|length| length > MAX_ITEMS) {
            return Err(format!(
                "a rule has a list with more than {MAX_ITEMS} items"
            ));
        }
        self.added.push(Rule::new(kind, line, origin)?);
        Ok(())
    }

    pub(super) fn for_type(&self, resource_type: &str) -> Applicable<'_> {
        let types = self
            .types
            .iter()
            .filter(|(wanted, _)| *wanted == resource_type);
        let patterns = self
            .patterns
            .iter()
            .filter(|(wanted, _)| is_for_type(wanted, resource_type));
        let mut fitting: Vec<usize> = types.chain(patterns).map(|(_, at)| *at).collect();
        fitting.sort_unstable();
        fitting.dedup();
        let built_in = fitting
            .into_iter()
            .filter_map(|at| self.built_in.get(at)?.read());
        let added = self
            .added
            .iter()
            .filter(|rule| is_for_type(&rule.resource_type, resource_type));
        built_in.chain(added).collect()
    }
}

impl LazyRule {
    pub(super) fn read(&self) -> Option<&Rule> {
        let read = || {
            let line = RuleLine::deserialize(ValueDeserializer::parse(self.text).ok()?).ok()?;
            Rule::new(self.kind, line, RuleOrigin::BuiltIn).ok()
        };
        self.read.get_or_init(read).as_ref()
    }
}

/// The title of the list of types in `names.txt`, and the places in these. Names below them are compared without case and
/// `_`, because blocks write `host_network` where manifests write `hostNetwork`.
fn fragment(name: &str) -> Option<(&'static str, &'static [&'static str])> {
    match name {
        "@pod" => Some((
            "types of pods",
            &[
                "spec.**",
                "manifest.**",
                "yaml_body.**",
                "values[*].**",
                "set[*].=",
            ],
        )),
        "@manifest" => Some(("types of manifests", &["manifest", "yaml_body"])),
        "@chart" => Some((
            "types of charts",
            &[
                "values[*].**",
                "set[*].=",
                "set_list[*].=",
                "spec[*].source[*].helm[*].values.**",
                "spec[*].source[*].helm[*].parameter[*].=",
                "configuration_values.**",
            ],
        )),
        _ => None,
    }
}

pub(super) fn is_for_type(types: &str, resource_type: &str) -> bool {
    types.split('|').any(|wanted| match fragment(wanted) {
        Some((types, _)) => words(types)
            .iter()
            .any(|glob| glob_matches(glob, resource_type)),
        None => glob_matches(wanted, resource_type),
    })
}

pub(super) fn fragment_paths(pattern: &str) -> Option<impl Iterator<Item = (&'static str, &str)>> {
    let (name, rest) = pattern.split_once('.')?;
    let (_, paths) = fragment(name)?;
    Some(paths.iter().map(move |path| (*path, rest)))
}
