//! Rules: a resource type, a path in it, and a condition under which there is a fact.

use std::collections::HashSet;

use super::built_in::BuiltIn;
use super::guard::Guards;
use super::side::Pattern;
use super::table::{Line, TableError, UserRule};
use crate::access::{glob_matches, member, scalar};
use crate::diff::value::{Content, MarkedValue};
use crate::review::entry::{FactKind, RuleOrigin};

/// The maximum number of rules of the user's file. Each of them may find something in each change.
const MAX_RULES: usize = 100;

/// The rules: those of the built-in table, parsed on first use, and those of the user.
#[derive(Debug, Default)]
pub struct Rules {
    built_in: BuiltIn,
    added: Vec<Rule>,
}

/// The rules that apply to one resource type.
#[derive(Clone, Debug, Default)]
pub struct Applicable<'r>(Vec<&'r Rule>);

impl<'r> Applicable<'r> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &'r Rule> + '_ {
        self.0.iter().copied()
    }

    /// What the rules state about guards.
    pub(super) fn guards(&self) -> impl Iterator<Item = &'r Guards> + '_ {
        self.iter().filter_map(|rule| match &rule.condition {
            Condition::Unprotected(guards) => Some(guards),
            Condition::Lost { .. } | Condition::Interrupted | Condition::At { .. } => None,
        })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One rule.
#[derive(Debug)]
pub(super) struct Rule {
    pub kind: FactKind,
    pub origin: RuleOrigin,
    pub resource_type: String,
    pub condition: Condition,
    #[cfg(test)]
    pub example: Option<(toml::Value, toml::Value)>,
}

/// The condition of a rule.
#[derive(Debug)]
pub(super) enum Condition {
    /// The object is destroyed, replaced or forgotten.
    Lost { what: String, show: Vec<Pattern> },
    /// The object is destroyed, but the object that it protects is not.
    Unprotected(Guards),
    /// The object is destroyed before its replacement is created.
    Interrupted,
    /// A test on the values at a path.
    At { pattern: Pattern, test: Test, only_where: Vec<(String, toml::Value)> },
}

/// A test on values.
#[derive(Debug)]
pub(super) enum Test {
    World,
    Is(HashSet<String>),
    On,
    Off,
    Lower {
        zero_is_forever: bool,
    },
    Gone,
    /// The value is removed while the object that contains it remains.
    Emptied,
    There,
    /// From the weakest to the strongest.
    Order(Vec<String>),
    IamPolicy,
    GooglePolicy,
    Zero,
    Unknown,
}

impl Rules {
    /// The built-in rules.
    ///
    /// # Errors
    /// If the built-in table is malformed.
    pub fn built_in() -> Result<Self, TableError> {
        Ok(Self { built_in: BuiltIn::new()?, added: Vec::new() })
    }

    /// Adds a rule of the user's file.
    ///
    /// # Errors
    /// If a member of the rule is missing or does not fit the others, or if there are too many rules.
    pub fn add(&mut self, rule: UserRule, origin: RuleOrigin) -> Result<(), String> {
        if self.added.len() >= MAX_RULES {
            return Err(format!(
                "there are more than {MAX_RULES} rules\n  tip: a `type` with `*` covers several resource types"
            ));
        }
        let (kind, line) = rule.into_parts()?;
        self.added.push(Rule::new(kind, line, origin)?);
        Ok(())
    }

    /// The rules for a resource type.
    ///
    /// # Errors
    /// If a line of the built-in table is not a rule.
    pub fn for_type(&self, resource_type: &str) -> Result<Applicable<'_>, TableError> {
        let mut found = self.built_in.for_type(resource_type)?;
        let fits = |rule: &&Rule| glob_matches(&rule.resource_type, resource_type);
        found.extend(self.added.iter().filter(fits));
        Ok(Applicable(found))
    }

    #[cfg(test)]
    pub(super) fn all(&self) -> Vec<&Rule> {
        self.built_in.for_all().unwrap()
    }
}

impl Rule {
    pub(super) fn new(kind: FactKind, line: Line, origin: RuleOrigin) -> Result<Self, String> {
        if line.resource_type.is_empty() {
            return Err("a rule needs a `type`".to_owned());
        }
        #[cfg(test)]
        let example = line.example.clone();
        let resource_type = line.resource_type.clone();
        let condition = match kind {
            FactKind::Data => {
                let show = line.show.iter().map(|path| Pattern::parse(path)).collect::<Result<_, _>>()?;
                Condition::Lost { what: line.what.ok_or("a rule of `data` needs `what`")?, show }
            }
            FactKind::Opens | FactKind::Unguards if line.destroyed => {
                Condition::Unprotected(Guards::new(line.guards)?)
            }
            FactKind::Down if line.path.is_none() => Condition::Interrupted,
            FactKind::Opens | FactKind::Unguards | FactKind::Down | FactKind::Unseen => {
                let pattern = Pattern::parse(line.path.as_deref().ok_or("this rule needs a `path`")?)?;
                let test = if kind == FactKind::Unseen { Test::Unknown } else { Test::new(&line)? };
                Condition::At { pattern, test, only_where: line.only_where.into_iter().collect() }
            }
        };
        Ok(Self {
            kind,
            origin,
            resource_type,
            condition,
            #[cfg(test)]
            example,
        })
    }
}

impl Test {
    fn new(line: &Line) -> Result<Self, String> {
        let policy = match line.policy.as_deref() {
            None => None,
            Some("iam") => Some(Self::IamPolicy),
            Some("google") => Some(Self::GooglePolicy),
            Some(other) => return Err(format!("unknown policy '{other}': expected \"iam\" or \"google\"")),
        };
        let words = |values: &Vec<toml::Value>| values.iter().map(toml_text).collect();
        let tests = [
            line.world.then_some(Self::World),
            line.is.as_ref().map(|values| Self::Is(words(values))),
            line.on.then_some(Self::On),
            line.off.then_some(Self::Off),
            line.lower.then_some(Self::Lower { zero_is_forever: line.zero_is_forever }),
            line.gone.then_some(Self::Gone),
            line.emptied.then_some(Self::Emptied),
            line.there.then_some(Self::There),
            line.order.clone().map(Self::Order),
            policy,
            line.zero.then_some(Self::Zero),
        ];
        let mut tests = tests.into_iter().flatten();
        match (tests.next(), tests.next()) {
            (Some(test), None) => Ok(test),
            (None, _) => Err("this rule needs a condition, such as `world = true` or `is = […]`".to_owned()),
            (Some(_), Some(_)) => Err("this rule has more than one condition".to_owned()),
        }
    }
}

/// The text of a scalar in TOML, as plans write it.
fn toml_text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(flag) => flag.to_string(),
        toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => String::new(),
    }
}

/// Whether the conditions of a rule's `where` hold. Each member must have the value that the rule requires,
/// unless it is unknown or missing, because then it usually has the default of the provider. Names refer to
/// the object that contains the tested value or, with a leading dot, to the resource.
pub(super) fn applies(
    only_where: &[(String, toml::Value)],
    holder: MarkedValue<'_>,
    root: MarkedValue<'_>,
) -> bool {
    only_where.iter().all(|(name, expected)| {
        let content = match name.strip_prefix('.') {
            Some(name) => member(root, name),
            None => member(holder, name),
        };
        match (content, expected) {
            (None | Some(Content::Null), _) => true,
            (Some(Content::Array(items)), toml::Value::Array(expected)) => {
                items.is_empty() == expected.is_empty()
            }
            (Some(content), expected) => {
                scalar(content).is_some_and(|text| text.eq_ignore_ascii_case(&toml_text(expected)))
            }
        }
    })
}
