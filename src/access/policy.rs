//! Statements of IAM and resource policies, from JSON and from `statement` blocks of
//! `aws_iam_policy_document`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use bumpalo::Bump;

use crate::diff::value::{Content, MarkedValue};
use crate::json::{self, Value};

/// A text of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Word<'a> {
    /// A string, or the text of a number or bool.
    Text(&'a str),
    /// Known only after apply.
    Unknown,
    /// Left out because it is sensitive.
    Sensitive,
}

impl<'a> Word<'a> {
    /// The text; empty if it is unknown or sensitive.
    pub(crate) fn text(self) -> &'a str {
        if let Self::Text(text) = self { text } else { "" }
    }

    /// The text, or words in its place.
    pub(crate) fn shown(self) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Unknown => "(known after apply)",
            Self::Sensitive => "(sensitive value)",
        }
    }

    fn from_value(value: Value<'a>) -> Option<Self> {
        match value {
            Value::String(text) | Value::Number(text) => Some(Self::Text(text)),
            Value::Bool(flag) => Some(Self::Text(if flag { "true" } else { "false" })),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    fn from_marked(value: MarkedValue<'a>) -> Option<Self> {
        match value.content {
            Content::String(text) | Content::Number(text) => Some(Self::Text(text)),
            Content::Bool(flag) => Some(Self::Text(if flag { "true" } else { "false" })),
            Content::Unknown => Some(Self::Unknown),
            Content::Redacted => Some(Self::Sensitive),
            Content::Null | Content::Array(_) | Content::Object(_) => None,
        }
    }

    fn list(value: MarkedValue<'a>) -> Vec<Self> {
        match value.as_array() {
            Some(items) => items.iter().filter_map(|item| Self::from_marked(*item)).collect(),
            None => Self::from_marked(value).into_iter().collect(),
        }
    }
}

/// An item of a part of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Term<'a> {
    /// An action, a resource, or a principal without a kind.
    Plain(Word<'a>),
    /// A principal of a kind such as `AWS`.
    Principal(Word<'a>, Word<'a>),
    /// A value of a condition: the test, the key, and the value.
    Condition(Option<Word<'a>>, Option<Word<'a>>, Word<'a>),
}

/// The parts of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Action,
    Resource,
    Principal,
    Condition,
}

impl Field {
    pub(crate) const ALL: [Self; 4] = [Self::Action, Self::Resource, Self::Principal, Self::Condition];
}

/// One part of a statement, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Terms<'a> {
    /// `Action`, `Resource` or `Principal`.
    pub(crate) named: Vec<Term<'a>>,
    /// `NotAction`, `NotResource` or `NotPrincipal`.
    pub(crate) excluded: Option<Vec<Term<'a>>>,
}

/// A statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement<'a> {
    pub(crate) sid: Option<Word<'a>>,
    pub(crate) effect: Option<Word<'a>>,
    fields: [Terms<'a>; 4],
    /// The condition as JSON; null if it is missing or empty.
    pub(crate) condition: Value<'a>,
    /// The statement as JSON; null if it is a block.
    pub(crate) json: Value<'a>,
    /// Whether the parts say everything that the statement says.
    pub(crate) is_whole: bool,
    /// Whether it has a condition without conditions, which says nothing.
    has_empty_condition: bool,
}

/// A policy.
#[derive(Debug)]
pub(crate) struct Policy<'a> {
    /// `Version` and `Id`.
    pub(crate) head: [Option<&'a str>; 2],
    pub(crate) statements: Vec<Statement<'a>>,
    pub(crate) has_statements: bool,
    /// Whether the head and the statements say everything that the policy says.
    pub(crate) is_whole: bool,
    /// Whether a statement has a condition without conditions, so that policies may differ that say the same.
    pub(crate) has_empty_condition: bool,
}

/// The policies of one change, each read once.
#[derive(Debug)]
pub(crate) struct Policies<'w> {
    arena: &'w Bump,
    read: RefCell<HashMap<&'w str, Option<Rc<Policy<'w>>>>>,
}

impl<'w> Policies<'w> {
    /// No policies. They are read into `arena`.
    pub(crate) fn new(arena: &'w Bump) -> Self {
        Self { arena, read: RefCell::default() }
    }

    /// The policy of a text; `None` if the text is not a JSON object.
    pub(crate) fn read(&self, text: &'w str) -> Option<Rc<Policy<'w>>> {
        if let Some(policy) = self.read.borrow().get(text) {
            return policy.clone();
        }
        let policy = json::parse(text, self.arena).ok().and_then(Policy::new).map(Rc::new);
        self.read.borrow_mut().insert(text, policy.clone());
        policy
    }
}

impl<'a> Policy<'a> {
    pub(crate) const HEAD: [&'static str; 2] = ["Version", "Id"];

    fn new(document: Value<'a>) -> Option<Self> {
        let mut policy = Self {
            head: [None; 2],
            statements: Vec::new(),
            has_statements: false,
            is_whole: true,
            has_empty_condition: false,
        };
        for (name, value) in document.as_object()?.members() {
            let place = Self::HEAD.iter().position(|word| word == name);
            if let Some(place) = place.and_then(|place| policy.head.get_mut(place)) {
                *place = value.as_str();
                policy.is_whole &= place.is_some();
            } else if *name == "Statement" {
                policy.has_statements = true;
                let one = [*value];
                for statement in value.as_array().unwrap_or(&one) {
                    let statement = Statement::from_json(*statement);
                    policy.is_whole &= statement.as_ref().is_some_and(|statement| statement.is_whole);
                    policy.has_empty_condition |=
                        statement.as_ref().is_some_and(|statement| statement.has_empty_condition);
                    policy.statements.extend(statement);
                }
            } else {
                policy.is_whole = false;
            }
        }
        Some(policy)
    }
}

impl<'a> Statement<'a> {
    /// The statement of a policy; `None` if it is not an object.
    fn from_json(json: Value<'a>) -> Option<Self> {
        let mut statement = Self { json, is_whole: true, ..Self::default() };
        for (name, value) in json.as_object()?.members() {
            let (field, is_inverted) = match *name {
                "Sid" | "Effect" => {
                    let place = if *name == "Sid" { &mut statement.sid } else { &mut statement.effect };
                    *place = value.as_str().map(Word::Text);
                    statement.is_whole &= value.as_str().is_some();
                    continue;
                }
                "Action" => (Field::Action, false),
                "NotAction" => (Field::Action, true),
                "Resource" => (Field::Resource, false),
                "NotResource" => (Field::Resource, true),
                "Principal" => (Field::Principal, false),
                "NotPrincipal" => (Field::Principal, true),
                "Condition" => {
                    let number = value.as_object().map(|object| object.members().len());
                    if number == Some(0) {
                        statement.has_empty_condition = true;
                        continue;
                    }
                    statement.condition = if number.is_some() { *value } else { Value::Null };
                    (Field::Condition, false)
                }
                _ => {
                    statement.is_whole = false;
                    continue;
                }
            };
            let mut is_whole = true;
            let terms = match field {
                Field::Action | Field::Resource => plain(*value, &mut is_whole),
                Field::Principal => principals(*value, &mut is_whole),
                Field::Condition => conditions(*value, &mut is_whole),
            };
            let place = statement.field_mut(field);
            // `Action` and `NotAction` exclude each other.
            is_whole &= *place == Terms::default() && !terms.is_empty();
            if is_inverted {
                place.excluded = Some(terms);
            } else {
                place.named = terms;
            }
            statement.is_whole &= is_whole;
        }
        Some(statement)
    }

    /// The known parts of a `statement` block of `aws_iam_policy_document`.
    pub(crate) fn from_block(block: MarkedValue<'a>) -> Option<Self> {
        block.as_object()?;
        let word = |block: MarkedValue<'a>, name: &str| block.get(name).and_then(Word::from_marked);
        let words = |block: MarkedValue<'a>, name: &str| block.get(name).map(Word::list).unwrap_or_default();
        let plain = |name: &str| words(block, name).into_iter().map(Term::Plain).collect::<Vec<_>>();
        let blocks = |name: &str| block.get(name).and_then(MarkedValue::as_array).unwrap_or_default();
        let principals = |name: &str| {
            let of = |block: &MarkedValue<'a>| {
                let kind = word(*block, "type");
                let names = words(*block, "identifiers").into_iter();
                names.map(move |name| kind.map_or(Term::Plain(name), |kind| Term::Principal(kind, name)))
            };
            blocks(name).iter().flat_map(of).collect::<Vec<_>>()
        };
        let condition = |block: &MarkedValue<'a>| {
            let (test, key) = (word(*block, "test"), word(*block, "variable"));
            words(*block, "values").into_iter().map(move |value| Term::Condition(test, key, value))
        };
        let terms = |named: Vec<Term<'a>>, excluded: Vec<Term<'a>>| Terms {
            named,
            excluded: (!excluded.is_empty()).then_some(excluded),
        };
        Some(Self {
            sid: word(block, "sid"),
            effect: Some(word(block, "effect").unwrap_or(Word::Text("Allow"))),
            fields: [
                terms(plain("actions"), plain("not_actions")),
                terms(plain("resources"), plain("not_resources")),
                terms(principals("principals"), principals("not_principals")),
                terms(blocks("condition").iter().flat_map(condition).collect(), Vec::new()),
            ],
            ..Self::default()
        })
    }

    pub(crate) fn field(&self, field: Field) -> &Terms<'a> {
        &self.fields[field as usize]
    }

    pub(crate) fn field_mut(&mut self, field: Field) -> &mut Terms<'a> {
        &mut self.fields[field as usize]
    }

    /// Whether there is a condition.
    pub(crate) fn has_condition(&self) -> bool {
        !self.condition.is_null() || !self.field(Field::Condition).named.is_empty()
    }

    pub(crate) fn is_allow(&self) -> bool {
        self.effect == Some(Word::Text("Allow"))
    }

    /// The actions, in their order. `NotAction` counts as `*`.
    pub(crate) fn actions(&self) -> impl Iterator<Item = &'a str> {
        let all = self.field(Field::Action).excluded.is_some().then_some("*");
        self.names(Field::Action).map(|(_, name)| name).chain(all)
    }

    pub(crate) fn resources(&self) -> impl Iterator<Item = &'a str> {
        self.names(Field::Resource).map(|(_, name)| name)
    }

    /// The kinds and names of the principals. A principal without a kind is one of `AWS`.
    pub(crate) fn principals(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.names(Field::Principal)
    }

    fn names(&self, field: Field) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.field(field).named.iter().map(|term| match term {
            Term::Plain(name) => ("AWS", name.text()),
            Term::Principal(kind, name) => (kind.text(), name.text()),
            Term::Condition(_, key, value) => (key.map_or("", Word::text), value.text()),
        })
    }
}

/// A string, or a list of strings.
fn words<'a>(value: Value<'a>, is_whole: &mut bool) -> Vec<Word<'a>> {
    let one = [value];
    let items = value.as_array().unwrap_or(&one);
    let words: Vec<_> = items.iter().filter_map(|item| item.as_str()).map(Word::Text).collect();
    *is_whole &= words.len() == items.len();
    words
}

fn plain<'a>(value: Value<'a>, is_whole: &mut bool) -> Vec<Term<'a>> {
    words(value, is_whole).into_iter().map(Term::Plain).collect()
}

fn principals<'a>(value: Value<'a>, is_whole: &mut bool) -> Vec<Term<'a>> {
    let Value::Object(kinds) = value else {
        *is_whole &= value.as_str().is_some();
        return plain(value, is_whole);
    };
    let mut found = Vec::new();
    for (kind, names) in kinds.members() {
        let names = words(*names, is_whole);
        *is_whole &= !names.is_empty();
        found.extend(names.into_iter().map(|name| Term::Principal(Word::Text(kind), name)));
    }
    found
}

/// Each condition, such as `StringEquals` of `aws:SourceVpc`, once for each value.
fn conditions<'a>(value: Value<'a>, is_whole: &mut bool) -> Vec<Term<'a>> {
    let mut found = Vec::new();
    let members = |value: Value<'a>, is_whole: &mut bool| {
        let members = value.as_object().map(json::Object::members).unwrap_or_default();
        *is_whole &= !members.is_empty();
        members
    };
    for (test, keys) in members(value, is_whole) {
        for (key, values) in members(*keys, is_whole) {
            let one = [*values];
            let values = values.as_array().unwrap_or(&one);
            let words: Vec<_> = values.iter().filter_map(|value| Word::from_value(*value)).collect();
            *is_whole &= words.len() == values.len() && !words.is_empty();
            let term = |value| Term::Condition(Some(Word::Text(test)), Some(Word::Text(key)), value);
            found.extend(words.into_iter().map(term));
        }
    }
    found
}
