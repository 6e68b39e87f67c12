//! Statements of IAM and resource policies, from JSON and from `statement` blocks of
//! `aws_iam_policy_document`.

use super::{Part, UNKNOWN, bare};
use crate::diff::value::{Content, MarkedValue};
use crate::json::Value;

/// The maximum number of statements shown of a document that is read during apply.
const MAX_EXPECTED: usize = 5;
/// The maximum number of items of a list in a text on one line.
const MAX_ITEMS: usize = 4;

/// The parts of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Action,
    Resource,
    Principal,
    Condition,
}

impl Field {
    pub(super) const ALL: [Self; 4] = [Self::Action, Self::Resource, Self::Principal, Self::Condition];

    /// The name in the policy language, in lowercase.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Resource => "resource",
            Self::Principal => "principal",
            Self::Condition => "condition",
        }
    }

    /// The words in front of the items in a sentence.
    fn preposition(self, is_inverted: bool) -> &'static str {
        match (self, is_inverted) {
            (Self::Action, false) => "",
            (Self::Action, true) => "all but ",
            (Self::Resource, false) => "on ",
            (Self::Resource, true) => "on all but ",
            (Self::Principal, false) => "for ",
            (Self::Principal, true) => "for all but ",
            (Self::Condition, _) => "if ",
        }
    }
}

/// One part of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Items {
    /// `NotAction`, `NotResource` or `NotPrincipal`.
    pub(super) is_inverted: bool,
    /// Sorted and unique, because their order is insignificant.
    pub(super) texts: Vec<String>,
}

impl Items {
    fn new(is_inverted: bool, mut texts: Vec<String>) -> Self {
        texts.sort_unstable();
        texts.dedup();
        Self { is_inverted, texts }
    }
}

/// A statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Statement {
    pub(super) sid: String,
    pub(super) effect: String,
    pub(super) fields: [Items; 4],
}

impl Statement {
    /// Parses a statement of a policy; `None` if it has parts that a line cannot show.
    pub(super) fn parse(value: Value<'_>) -> Option<Self> {
        let mut statement = Self::default();
        let members = value.as_object()?.members();
        for (at, (name, value)) in members.iter().enumerate() {
            if members.iter().skip(at + 1).any(|(other, _)| other == name) {
                return None;
            }
            let (field, is_inverted) = match *name {
                "Sid" => {
                    statement.sid = value.as_str()?.to_owned();
                    continue;
                }
                "Effect" => {
                    statement.effect = bare(value.as_str()?);
                    continue;
                }
                "Action" => (Field::Action, false),
                "NotAction" => (Field::Action, true),
                "Resource" => (Field::Resource, false),
                "NotResource" => (Field::Resource, true),
                "Principal" => (Field::Principal, false),
                "NotPrincipal" => (Field::Principal, true),
                "Condition" => (Field::Condition, false),
                _ => return None,
            };
            let texts = match field {
                Field::Action | Field::Resource => texts(*value).filter(|texts| !texts.is_empty())?,
                Field::Principal => principals(*value)?,
                Field::Condition => conditions(*value)?,
            };
            let place = statement.fields.get_mut(field as usize)?;
            if *place != Items::default() {
                return None;
            }
            *place = Items::new(is_inverted, texts);
        }
        Some(statement)
    }

    /// The known parts of a `statement` block of `aws_iam_policy_document`.
    fn from_block(block: MarkedValue<'_>) -> Option<Self> {
        let text = |name: &str| block.get(name).and_then(|value| known_text(value));
        let list = |name: &str| block.get(name).map(known_texts).unwrap_or_default();
        let either = |name: &str, inverted: &str| match list(inverted) {
            texts if texts.is_empty() => Items::new(false, list(name)),
            texts => Items::new(true, texts),
        };
        let blocks = |name: &str| block.get(name).and_then(MarkedValue::as_array).unwrap_or_default();
        let principals = |name: &str| -> Vec<String> {
            let of = |block: &MarkedValue<'_>| {
                let kind = block.get("type").and_then(known_text).unwrap_or_default();
                let names = block.get("identifiers").map(known_texts).unwrap_or_default();
                names.into_iter().map(move |name| principal(&kind, &name)).collect::<Vec<_>>()
            };
            blocks(name).iter().flat_map(of).collect()
        };
        let condition = |block: &MarkedValue<'_>| {
            let test = block.get("test").and_then(known_text).unwrap_or_default();
            let variable = block.get("variable").and_then(known_text).unwrap_or_default();
            let values = block.get("values").map(known_texts).unwrap_or_default();
            values.into_iter().map(move |value| format!("{test} {variable} = {value}")).collect::<Vec<_>>()
        };
        block.as_object()?;
        let principal = match principals("not_principals") {
            texts if texts.is_empty() => Items::new(false, principals("principals")),
            texts => Items::new(true, texts),
        };
        Some(Self {
            sid: text("sid").unwrap_or_default(),
            effect: text("effect").unwrap_or_else(|| "Allow".to_owned()),
            fields: [
                either("actions", "not_actions"),
                either("resources", "not_resources"),
                principal,
                Items::new(false, blocks("condition").iter().flat_map(condition).collect()),
            ],
        })
    }

    pub(super) fn field(&self, field: Field) -> &Items {
        let [action, resource, principal, condition] = &self.fields;
        match field {
            Field::Action => action,
            Field::Resource => resource,
            Field::Principal => principal,
            Field::Condition => condition,
        }
    }

    /// The text `Read: Allow s3:GetObject on b/* for AWS 1`, with only the parts for which `has` is true.
    pub(super) fn parts(&self, has: impl Fn(Field) -> bool) -> Vec<Part> {
        let sid = if self.sid.is_empty() { String::new() } else { format!("{}: ", bare(&self.sid)) };
        let mut parts = vec![Part::Text(format!("{sid}{}", self.effect))];
        for field in Field::ALL.into_iter().filter(|field| has(*field)) {
            let items = self.field(field);
            if !items.texts.is_empty() {
                parts.push(Part::Text(format!(" {}", field.preposition(items.is_inverted))));
                parts.push(Part::Items(items.texts.clone()));
            }
        }
        parts
    }
}

/// The known statements of an `aws_iam_policy_document` that is read during apply.
pub(in crate::review) fn expected(document: MarkedValue<'_>) -> Vec<String> {
    let blocks = document.get("statement").and_then(MarkedValue::as_array).unwrap_or_default();
    let statements = blocks.iter().filter_map(|block| Statement::from_block(*block));
    let mut told: Vec<String> = statements.map(|statement| text(&statement.parts(|_| true))).collect();
    let more = told.len().saturating_sub(MAX_EXPECTED);
    told.truncate(MAX_EXPECTED);
    if more > 0 {
        told.push(format!("and {}", crate::review::count(more, "more statement")));
    }
    told
}

fn text(parts: &[Part]) -> String {
    let some = |items: &[String]| {
        let mut text = items.iter().take(MAX_ITEMS).cloned().collect::<Vec<_>>().join(", ");
        if items.len() > MAX_ITEMS {
            text.push_str(&format!(" and {} more", items.len() - MAX_ITEMS));
        }
        text
    };
    let part = |part: &Part| match part {
        Part::Text(text) | Part::Remark(text) | Part::Alert(text) => text.clone(),
        Part::Items(items) | Part::Removed(items) | Part::Added(items) => some(items),
    };
    parts.iter().map(part).collect()
}

/// A string, or a list of strings.
fn texts(value: Value<'_>) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![bare(text)]),
        Value::Array(items) => items.iter().map(|item| item.as_str().map(bare)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn principal(kind: &str, name: &str) -> String {
    format!("{kind} {name}").trim().to_owned()
}

fn principals(value: Value<'_>) -> Option<Vec<String>> {
    let Value::Object(kinds) = value else {
        return value.as_str().map(|text| vec![bare(text)]);
    };
    let mut found = Vec::new();
    for (kind, names) in unique(kinds.members())? {
        let names = texts(*names).filter(|names| !names.is_empty())?;
        found.extend(names.iter().map(|name| principal(&bare(kind), name)));
    }
    Some(found)
}

/// Each condition as `StringEquals aws:SourceVpc = vpc-1`, one for each value.
fn conditions(value: Value<'_>) -> Option<Vec<String>> {
    let Value::Object(tests) = value else { return None };
    let mut found = Vec::new();
    for (test, keys) in unique(tests.members())? {
        for (key, values) in unique(keys.as_object()?.members())? {
            let one = [*values];
            let values = values.as_array().unwrap_or(&one);
            if values.is_empty() {
                return None;
            }
            for value in values {
                let value = match value {
                    Value::String(text) => bare(text),
                    Value::Number(text) => (*text).to_owned(),
                    Value::Bool(flag) => flag.to_string(),
                    Value::Null | Value::Array(_) | Value::Object(_) => return None,
                };
                found.push(format!("{} {} = {value}", bare(test), bare(key)));
            }
        }
    }
    Some(found)
}

/// The members; `None` if there are none, or if a name occurs twice.
fn unique<'v, 'a>(members: &'v [(&'a str, Value<'a>)]) -> Option<&'v [(&'a str, Value<'a>)]> {
    let names: std::collections::HashSet<&str> = members.iter().map(|(name, _)| *name).collect();
    (!members.is_empty() && names.len() == members.len()).then_some(members)
}

fn known_text(value: MarkedValue<'_>) -> Option<String> {
    match value.content {
        Content::String(text) => Some(bare(text)),
        Content::Number(text) => Some(text.to_owned()),
        Content::Bool(flag) => Some(flag.to_string()),
        Content::Unknown => Some(UNKNOWN.to_owned()),
        Content::Redacted => Some("(sensitive value)".to_owned()),
        Content::Null | Content::Array(_) | Content::Object(_) => None,
    }
}

fn known_texts(value: MarkedValue<'_>) -> Vec<String> {
    match value.as_array() {
        Some(items) => items.iter().filter_map(|item| known_text(*item)).collect(),
        None => known_text(value).into_iter().collect(),
    }
}
