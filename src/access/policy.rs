//! Reads policies of AWS IAM and of resources, from JSON and from blocks of `aws_iam_policy_document`. Each statement
//! becomes a [`Grant`].

use super::grant::{Grant, Part, Term, Terms};
use super::scalar;
use crate::diff::value::{Content, MarkedValue};

/// The name of a term whose value is unknown.
pub(crate) const UNKNOWN: &str = "(known after apply)";
/// The name of a term whose value is sensitive.
pub(crate) const SENSITIVE: &str = "(sensitive value)";

/// A policy of IAM or of a resource, such as a bucket.
#[derive(Debug)]
pub(crate) struct Policy<'a> {
    /// The values of `Version` and `Id`.
    pub(crate) head: [Option<&'a str>; 2],
    /// The statements.
    pub(crate) statements: Vec<Grant<'a>>,
    /// Whether the head and the statements express everything in the document.
    pub(crate) is_whole: bool,
}

impl<'a> Policy<'a> {
    /// The names of the members of the head.
    pub(crate) const HEAD: [&'static str; 2] = ["Version", "Id"];
    /// The name of the member with the statements.
    pub(crate) const STATEMENTS: &'static str = "Statement";

    /// Reads a policy of IAM. Returns `None` if the document is not an object.
    pub(crate) fn new(document: MarkedValue<'a>) -> Option<Self> {
        let mut policy = Self {
            head: [None; 2],
            statements: Vec::new(),
            is_whole: true,
        };
        for (name, value) in document.as_object()? {
            if let Some((_, head)) = Self::HEAD
                .iter()
                .zip(&mut policy.head)
                .find(|(word, _)| *word == name)
            {
                *head = value.as_str();
                policy.is_whole &= head.is_some();
            } else if *name == Self::STATEMENTS {
                let one = [*value];
                let list = value.as_array();
                for (index, statement) in list.unwrap_or(&one).iter().enumerate() {
                    let statement = Grant::from_json(*statement);
                    policy.is_whole &= statement
                        .as_ref()
                        .is_some_and(|statement| statement.is_whole);
                    policy.statements.extend(statement.map(|statement| Grant {
                        index: list.map(|_| index),
                        ..statement
                    }));
                }
            } else {
                policy.is_whole = false;
            }
        }
        Some(policy)
    }
}

impl<'a> Grant<'a> {
    /// Reads a statement of a policy; `None` if it is not an object.
    fn from_json(json: MarkedValue<'a>) -> Option<Self> {
        let mut statement = Self {
            json: Some(json),
            is_whole: true,
            ..Self::default()
        };
        for (name, value) in json.as_object()? {
            let (part, levels) = match *name {
                "Sid" | "Effect" => {
                    let place = if *name == "Sid" {
                        &mut statement.sid
                    } else {
                        &mut statement.effect
                    };
                    *place = value.as_str().unwrap_or_default();
                    statement.is_whole &= value.as_str().is_some();
                    continue;
                }
                "Action" | "NotAction" => (Part::Action, 0),
                "Resource" | "NotResource" => (Part::Resource, 0),
                // The text `*` has no kind.
                "Principal" | "NotPrincipal" => {
                    (Part::Principal, usize::from(value.as_str().is_none()))
                }
                "Condition" if matches!(value.content, Content::Object([])) => continue,
                "Condition" if value.as_object().is_some() => (Part::Condition, 2),
                _ => {
                    statement.is_whole = false;
                    continue;
                }
            };
            let mut terms = Vec::new();
            let is_whole = read(*value, Term::default(), levels, &mut terms);
            // A statement with both `Action` and `NotAction` is not valid.
            let is_first = statement.part(part).list.is_empty();
            statement.is_whole &= is_whole && is_first;
            *statement.part_mut(part) = Terms {
                are_excluded: name.starts_with("Not"),
                list: terms,
            };
        }
        Some(statement)
    }

    /// Reads a `statement` block of `aws_iam_policy_document`; `None` if it is not an object.
    pub(crate) fn from_block(block: MarkedValue<'a>) -> Option<Self> {
        block.as_object()?;
        let text = |block: MarkedValue<'a>, name: &str| block.get(name).and_then(text);
        let terms = |block: MarkedValue<'a>, names: &str, term: Term<'a>| {
            let mut terms = Vec::new();
            block
                .get(names)
                .map(|value| read(value, term, 0, &mut terms));
            terms
        };
        let blocks = |name: &str, [kind, key, names]: [&str; 3]| {
            let blocks = block
                .get(name)
                .and_then(MarkedValue::as_array)
                .unwrap_or_default();
            let of = |block: &MarkedValue<'a>| {
                let [kind, key] = [kind, key].map(|name| text(*block, name).unwrap_or_default());
                terms(
                    *block,
                    names,
                    Term {
                        kind,
                        key,
                        name: "",
                    },
                )
            };
            blocks.iter().flat_map(of).collect::<Vec<_>>()
        };
        let part = |named: Vec<Term<'a>>, excluded: Vec<Term<'a>>| {
            if excluded.is_empty() {
                return Terms::of(named);
            }
            Terms {
                are_excluded: true,
                list: excluded,
            }
        };
        let plain = |names: &str| terms(block, names, Term::default());
        let principals = |name: &str| blocks(name, ["type", "", "identifiers"]);
        Some(Self {
            index: None,
            sid: text(block, "sid").unwrap_or_default(),
            effect: text(block, "effect").unwrap_or(Grant::ALLOW),
            actions: part(plain("actions"), plain("not_actions")),
            resources: part(plain("resources"), plain("not_resources")),
            principals: part(principals("principals"), principals("not_principals")),
            conditions: Terms::of(blocks("condition", ["test", "variable", "values"])),
            json: None,
            is_whole: true,
        })
    }
}

/// Adds the terms of a value, which is an object of `levels` levels (kinds of principals, or tests with keys) with one
/// name or a list of names. Returns whether the terms express everything in the value.
fn read<'a>(
    value: MarkedValue<'a>,
    term: Term<'a>,
    levels: usize,
    terms: &mut Vec<Term<'a>>,
) -> bool {
    if let (Some(members), 1..) = (value.as_object(), levels) {
        return members
            .iter()
            .fold(!members.is_empty(), |is_whole, (name, value)| {
                let is_kind = term.kind.is_empty();
                let term = if is_kind {
                    Term { kind: name, ..term }
                } else {
                    Term { key: name, ..term }
                };
                read(*value, term, levels - 1, terms) && is_whole
            });
    }
    let (one, before) = ([value], terms.len());
    let items = value.as_array().unwrap_or(&one);
    terms.extend(items.iter().filter_map(|item| {
        Some(Term {
            name: text(*item)?,
            ..term
        })
    }));
    levels == 0 && !items.is_empty() && terms.len() - before == items.len()
}

/// Returns the text of a value; for an unknown or a sensitive one, words that say so.
fn text(value: MarkedValue<'_>) -> Option<&str> {
    match value.content {
        Content::Unknown => Some(UNKNOWN),
        Content::Redacted => Some(SENSITIVE),
        Content::Null | Content::Array(_) | Content::Object(_) => None,
        Content::Bool(_) | Content::Number(_) | Content::String(_) => scalar(value.content),
    }
}
