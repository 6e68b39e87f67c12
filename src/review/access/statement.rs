//! Statements of IAM and resource policies as lines.

use super::{Part, bare};
use crate::access::{Field, Statement, Term, Terms, Word};
use crate::diff::value::MarkedValue;
use crate::text::first_of;

/// The maximum number of statements shown of a document that is read during apply.
const MAX_EXPECTED: usize = 5;
/// The maximum number of items of a list in a text on one line.
const MAX_ITEMS: usize = 4;

/// The name of a part in the policy language, in lowercase, and the word in front of its items in a sentence.
pub(super) fn words(field: Field) -> (&'static str, &'static str) {
    match field {
        Field::Action => ("action", ""),
        Field::Resource => ("resource", "on "),
        Field::Principal => ("principal", "for "),
        Field::Condition => ("condition", "if "),
    }
}

/// One part of a statement, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Items {
    /// `NotAction`, `NotResource` or `NotPrincipal`.
    pub(super) is_inverted: bool,
    /// Sorted and unique, because their order is insignificant.
    pub(super) texts: Vec<String>,
}

impl Items {
    fn new(terms: &Terms<'_>) -> Self {
        let items = terms.excluded.as_ref().unwrap_or(&terms.named);
        let mut texts: Vec<String> = items.iter().map(|term| term_text(*term)).collect();
        texts.sort_unstable();
        texts.dedup();
        Self { is_inverted: terms.excluded.is_some(), texts }
    }
}

/// A statement in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Shown {
    pub(super) sid: String,
    pub(super) effect: String,
    fields: [Items; 4],
}

impl Shown {
    pub(super) fn new(statement: &Statement<'_>) -> Self {
        let sid = statement.sid.filter(|sid| *sid != Word::Text("")).map(word_text);
        Self {
            sid: sid.unwrap_or_default(),
            effect: statement.effect.map(word_text).unwrap_or_default(),
            fields: Field::ALL.map(|field| Items::new(statement.field(field))),
        }
    }

    pub(super) fn field(&self, field: Field) -> &Items {
        &self.fields[field as usize]
    }

    /// The text `Read: Allow s3:GetObject on b/* for AWS 1`, with only the parts for which `has` is true.
    pub(super) fn parts(&self, has: impl Fn(Field) -> bool) -> Vec<Part> {
        let sid = if self.sid.is_empty() { String::new() } else { format!("{}: ", self.sid) };
        let mut parts = vec![Part::Text(format!("{sid}{}", self.effect))];
        for field in Field::ALL.into_iter().filter(|field| has(*field)) {
            let items = self.field(field);
            if !items.texts.is_empty() {
                let others = if items.is_inverted { "all but " } else { "" };
                parts.push(Part::Text(format!(" {}{others}", words(field).1)));
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
    let mut told: Vec<String> =
        statements.map(|statement| text(&Shown::new(&statement).parts(|_| true))).collect();
    let more = told.len().saturating_sub(MAX_EXPECTED);
    told.truncate(MAX_EXPECTED);
    if more > 0 {
        told.push(format!("and {}", crate::review::count(more, "more statement")));
    }
    told
}

fn text(parts: &[Part]) -> String {
    let some = |items: &[String]| first_of(items, MAX_ITEMS);
    let part = |part: &Part| match part {
        Part::Text(text) | Part::Remark(text) | Part::Alert(text) => text.clone(),
        Part::Items(items) | Part::Removed(items) | Part::Added(items) => some(items),
    };
    parts.iter().map(part).collect()
}

fn word_text(word: Word<'_>) -> String {
    if let Word::Text(text) = word { bare(text) } else { word.shown().to_owned() }
}

/// The text of an item: `s3:GetObject`, `AWS 1234`, `StringEquals aws:SourceVpc = vpc-1`.
fn term_text(term: Term<'_>) -> String {
    let or_none = |word: Option<Word<'_>>| word.map(word_text).unwrap_or_default();
    match term {
        Term::Plain(word) => word_text(word),
        Term::Principal(kind, name) => format!("{} {}", word_text(kind), word_text(name)),
        Term::Condition(test, key, value) => {
            format!("{} {} = {}", or_none(test), or_none(key), word_text(value))
        }
    }
}
