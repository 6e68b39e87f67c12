//! Policies in JSON, as statements.

use bumpalo::Bump;

use super::pairs::Pairs;
use super::statement::{Field, Statement};
use super::{AccessChange, AccessLine, Part, Title, bare};
use crate::diff::edits::{Edit, Slot};
use crate::diff::value::{MarkedValue, Redactor};
use crate::json::{self, Value};
use crate::report::Sign;

/// The maximum length of a policy, in bytes. Longer ones are compared like any other JSON.
const MAX_LEN: usize = 256 << 10;
/// The maximum number of comparisons between statements of one policy that have no Sid in common.
const COMPARISONS: usize = 10_000;

/// A policy.
struct Policy {
    /// `Version` and `Id`.
    head: [String; 2],
    statements: Vec<Statement>,
    has_statements: bool,
    /// Each statement in canonical form, to find those that differ only in how they are written.
    written: Vec<String>,
}

const HEAD: [&str; 2] = ["Version", "Id"];

impl Policy {
    fn parse(text: &str, arena: &Bump) -> Option<Self> {
        let document = json::parse(arena.alloc_str(text), arena).ok()?;
        let mut policy = Self {
            head: [String::new(), String::new()],
            statements: Vec::new(),
            has_statements: false,
            written: Vec::new(),
        };
        let members = document.as_object()?.members();
        for (at, (name, value)) in members.iter().enumerate() {
            if members.iter().skip(at + 1).any(|(other, _)| other == name) {
                return None;
            }
            let head = HEAD.iter().position(|word| word == name);
            if let Some(place) = head.and_then(|place| policy.head.get_mut(place)) {
                *place = bare(value.as_str()?);
            } else if *name == "Statement" {
                policy.has_statements = true;
                let one = [*value];
                for statement in value.as_array().unwrap_or(&one) {
                    policy.statements.push(Statement::parse(*statement)?);
                    policy.written.push(written(*statement));
                }
            } else {
                return None;
            }
        }
        Some(policy)
    }
}

/// The canonical form of a value: equal values have equal texts.
fn written(value: Value<'_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(text) => text.to_owned(),
        Value::String(text) => format!("{text:?}"),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| written(*item)).collect::<Vec<_>>().join(","))
        }
        Value::Object(object) => {
            let members = object.members().iter();
            let mut members: Vec<String> =
                members.map(|(name, value)| format!("{name:?}:{}", written(*value))).collect();
            members.sort_unstable();
            format!("{{{}}}", members.join(","))
        }
    }
}

/// The lines for an edit of a policy; `None` if it is not a policy, or if a statement has parts that a line
/// cannot show.
pub(super) fn lines(edit: &Edit<'_>) -> Option<Vec<AccessLine>> {
    let sides = [text(edit.before)?, text(edit.after)?];
    if !sides.iter().flatten().any(|text| may_be_policy(text)) {
        return None;
    }
    let arena = Bump::new();
    let read = |text: Option<&str>| match text {
        None => Some(None),
        Some(text) => Policy::parse(text, &arena).map(Some),
    };
    let [before, after] = sides;
    let (before, after) = (read(before)?, read(after)?);
    if ![&before, &after].into_iter().flatten().any(|policy| policy.has_statements) {
        return None;
    }
    let lines = match (before, after) {
        (Some(before), Some(after)) => compared(&before, &after)?,
        (Some(only), None) => all(&only, Sign::Remove),
        (None, Some(only)) => all(&only, Sign::Add),
        (None, None) => return None,
    };
    (!lines.is_empty()).then_some(lines)
}

/// The text of a side, `Some(None)` if it is absent, or `None` if it is not a readable string.
fn text(slot: Slot<'_>) -> Option<Option<&str>> {
    match slot {
        Slot::Absent => Some(None),
        Slot::Value(value) if value.has_marks => None,
        Slot::Value(value) => value.as_str().filter(|text| text.len() <= MAX_LEN).map(Some),
    }
}

/// A quick check that avoids parsing most other strings.
fn may_be_policy(text: &str) -> bool {
    text.len() <= MAX_LEN && text.contains("\"Statement\"")
}

/// The policies of an object that is created.
pub(super) fn created<'a>(object: MarkedValue<'a>, redactor: Redactor<'a>) -> Vec<AccessChange<'a>> {
    let arena = Bump::new();
    let members = object.as_object().unwrap_or_default().iter();
    let policies = members.filter(|(_, value)| !value.has_marks).filter_map(|(name, value)| {
        let text = value.as_str().filter(|text| may_be_policy(text))?;
        let policy = Policy::parse(text, &arena).filter(|policy| policy.has_statements)?;
        let lines = all(&policy, Sign::Add);
        let attributes = vec![redactor.text(name)];
        (!lines.is_empty()).then_some(AccessChange {
            attributes,
            edits: Vec::new(),
            title: Title::Attributes,
            lines,
        })
    });
    policies.collect()
}

/// All statements of a policy that is added or removed.
fn all(policy: &Policy, sign: Sign) -> Vec<AccessLine> {
    let line = |statement: &Statement| AccessLine::new(0, sign, statement.parts(|_| true));
    policy.statements.iter().map(line).collect()
}

fn compared(before: &Policy, after: &Policy) -> Option<Vec<AccessLine>> {
    let pairs = pairs(before, after)?;
    let (removed, added) = pairs.alone();
    let mut lines = Vec::new();
    for (name, (old, new)) in HEAD.iter().zip(before.head.iter().zip(&after.head)) {
        if old != new {
            let parts = vec![
                Part::Text(format!("{name} ")),
                Part::Removed(vec![or_none(old)]),
                Part::Text(" -> ".to_owned()),
                Part::Added(vec![or_none(new)]),
            ];
            lines.push(AccessLine::new(0, Sign::Change, parts));
        }
    }
    for statement in removed.iter().filter_map(|at| before.statements.get(*at)) {
        lines.push(AccessLine::new(0, Sign::Remove, statement.parts(|_| true)));
    }
    for (old, new) in pairs.pairs() {
        if before.written.get(old) != after.written.get(new) {
            lines.extend(changed(before.statements.get(old)?, after.statements.get(new)?));
        }
    }
    for statement in added.iter().filter_map(|at| after.statements.get(*at)) {
        lines.push(AccessLine::new(0, Sign::Add, statement.parts(|_| true)));
    }
    if pairs.is_reordered() && !lines.is_empty() {
        let remark = "the statements have another order, which means nothing".to_owned();
        lines.push(AccessLine::new(0, Sign::Note, vec![Part::Remark(remark)]));
    }
    Some(lines)
}

fn or_none(text: &str) -> String {
    if text.is_empty() { "null".to_owned() } else { text.to_owned() }
}

/// Pairs the statements: equal ones first, then those with the same Sid, then the most similar.
fn pairs(before: &Policy, after: &Policy) -> Option<Pairs> {
    let (old, new) = (&before.statements, &after.statements);
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(|at| before.written.get(at), |at| after.written.get(at));
    let sid = |list: &[Statement], at: usize| {
        list.get(at).map(|found| found.sid.clone()).filter(|sid| !sid.is_empty())
    };
    pairs.join(|at| sid(old, at), |at| sid(new, at));
    pairs.join(|at| old.get(at), |at| new.get(at));
    let (removed, added) = pairs.alone();
    if removed.len().saturating_mul(added.len()) > COMPARISONS {
        return None;
    }
    let mut scores: Vec<(usize, usize, usize)> = Vec::new();
    for at in removed {
        for to in &added {
            let score = old.get(at).zip(new.get(*to)).map_or(0, |(old, new)| similarity(old, new));
            if score >= 2 {
                scores.push((score, at, *to));
            }
        }
    }
    scores.sort_by_key(|(score, at, to)| (std::cmp::Reverse(*score), *at, *to));
    for (_, at, to) in scores {
        pairs.pair(at, to);
    }
    Some(pairs)
}

/// The similarity of two statements. From 2 on, they count as one statement that changes.
fn similarity(old: &Statement, new: &Statement) -> usize {
    let of = |field: Field| {
        let (old, new) = (old.field(field), new.field(field));
        let shares = || old.texts.iter().any(|text| new.texts.binary_search(text).is_ok());
        match old.texts.is_empty() && new.texts.is_empty() {
            true => 0,
            false if old == new => 2,
            false => usize::from(shares()),
        }
    };
    let is_everything = |items: &[String]| items == ["*"];
    // Many statements apply to all resources, so this suggests little.
    let resource = of(Field::Resource);
    let resource = if is_everything(&new.field(Field::Resource).texts) { resource.min(1) } else { resource };
    let same_effect = old.effect == new.effect;
    (of(Field::Action) + resource + of(Field::Principal)).saturating_sub(usize::from(!same_effect))
}

/// The lines of a changed statement: its unchanged parts on the first, each addition or removal below.
fn changed(old: &Statement, new: &Statement) -> Vec<AccessLine> {
    let stays = |field: Field| old.field(field) == new.field(field);
    let mut below = Vec::new();
    let pair = |word: &str, old: &str, new: &str| {
        let parts = vec![
            Part::Text(format!("{word} ")),
            Part::Removed(vec![old.to_owned()]),
            Part::Text(" -> ".to_owned()),
            Part::Added(vec![new.to_owned()]),
        ];
        AccessLine::new(1, Sign::Change, parts)
    };
    if old.sid != new.sid {
        let name = |sid: &str| if sid.is_empty() { "null".to_owned() } else { bare(sid) };
        below.push(pair("Sid", &name(&old.sid), &name(&new.sid)));
    }
    if old.effect != new.effect {
        below.push(pair("effect", &or_none(&old.effect), &or_none(&new.effect)));
    }
    for field in Field::ALL.into_iter().filter(|field| !stays(*field)) {
        let (old, new) = (old.field(field), new.field(field));
        let word = |is_inverted: bool| match is_inverted {
            true => format!("all but this {} ", field.word()),
            false => format!("{} ", field.word()),
        };
        let is_other = old.is_inverted != new.is_inverted;
        let missing = |from: &[String], other: &[String]| -> Vec<String> {
            from.iter().filter(|text| is_other || other.binary_search(text).is_err()).cloned().collect()
        };
        for (sign, items, is_inverted) in [
            (Sign::Remove, missing(&old.texts, &new.texts), old.is_inverted),
            (Sign::Add, missing(&new.texts, &old.texts), new.is_inverted),
        ] {
            if !items.is_empty() {
                let items = match sign {
                    Sign::Remove => Part::Removed(items),
                    Sign::Add | Sign::Change | Sign::Same | Sign::Note => Part::Added(items),
                };
                below.push(AccessLine::new(1, sign, vec![Part::Text(word(is_inverted)), items]));
            }
        }
    }
    let mut title = new.parts(stays);
    if below.is_empty() {
        title.push(Part::Remark(" (written differently, means the same)".to_owned()));
    }
    let mut lines = vec![AccessLine::new(0, Sign::Change, title)];
    lines.append(&mut below);
    lines
}
