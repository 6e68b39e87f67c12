//! Policies in JSON, as lines.

use std::rc::Rc;

use super::statement::{Shown, words};
use super::{AccessChange, AccessLine, Part, Title, bare};
use crate::access::{Field, Policies, Policy, Statement};
use crate::diff::edits::Edit;
use crate::diff::value::{MarkedValue, Redactor};
use crate::report::Sign;
use crate::review::pairs::Pairs;

/// The maximum length of a policy, in bytes. Longer ones are compared like any other JSON.
const MAX_LEN: usize = 256 << 10;
/// The maximum number of comparisons between statements of one policy that have no Sid in common.
const COMPARISONS: usize = 10_000;

/// The lines for an edit of a policy; `None` if it is not a policy, or if a statement has parts that a line
/// cannot show.
pub(super) fn lines<'w, 'a: 'w>(edit: &Edit<'a>, policies: &Policies<'w>) -> Option<Vec<AccessLine>> {
    let sides = [text(edit.before)?, text(edit.after)?];
    if !sides.iter().flatten().any(|text| may_be_policy(text)) {
        return None;
    }
    let read = |text: Option<&'a str>| match text {
        None => Some(None),
        Some(text) => whole(text, policies).map(Some),
    };
    let [before, after] = sides;
    let (before, after) = (read(before)?, read(after)?);
    let has_statements = [&before, &after].into_iter().flatten().any(|policy| policy.has_statements);
    compared(before.as_deref(), after.as_deref()).filter(|_| has_statements)
}

/// The policy of a text, unless it has parts that a line cannot show.
fn whole<'w, 'a: 'w>(text: &'a str, policies: &Policies<'w>) -> Option<Rc<Policy<'w>>> {
    policies.read(text).filter(|policy| policy.is_whole && !policy.has_empty_condition)
}

/// The text of a side, `Some(None)` if it is absent, or `None` if it is not a readable string.
fn text(side: Option<MarkedValue<'_>>) -> Option<Option<&str>> {
    match side {
        None => Some(None),
        Some(value) if value.has_marks => None,
        Some(value) => value.as_str().filter(|text| text.len() <= MAX_LEN).map(Some),
    }
}

/// A quick check that avoids parsing most other strings.
fn may_be_policy(text: &str) -> bool {
    text.len() <= MAX_LEN && text.contains("\"Statement\"")
}

/// The policies of an object that is created or destroyed.
pub(super) fn of_object<'w, 'a: 'w>(
    object: MarkedValue<'a>,
    sign: Sign,
    redactor: Redactor<'a>,
    policies: &Policies<'w>,
) -> Vec<AccessChange<'a>> {
    let members = object.as_object().unwrap_or_default().iter();
    let found = members.filter(|(_, value)| !value.has_marks).filter_map(|(name, value)| {
        let text = value.as_str().filter(|text| may_be_policy(text))?;
        let policy = policies.read(text).filter(|policy| policy.is_whole && policy.has_statements)?;
        let line = |statement| AccessLine::new(0, sign, Shown::new(statement).parts(|_| true));
        let lines: Vec<AccessLine> = policy.statements.iter().map(line).collect();
        AccessChange::new(vec![redactor.text(name)], Vec::new(), Title::Attributes, lines)
    });
    found.collect()
}

/// The changes between two policies; one that is absent has no statements.
fn compared<'p>(before: Option<&Policy<'p>>, after: Option<&Policy<'p>>) -> Option<Vec<AccessLine>> {
    let [first, second] =
        [before, after].map(|policy| policy.map_or(&[][..], |policy| policy.statements.as_slice()));
    let [old, new] = [first, second].map(|all| all.iter().map(Shown::new).collect::<Vec<_>>());
    let pairs = pairs((first, &old), (second, &new))?;
    let (removed, added) = pairs.alone();
    let mut lines = Vec::new();
    let heads = before.zip(after).map(|(before, after)| before.head.into_iter().zip(after.head));
    for (name, (old, new)) in Policy::HEAD.iter().zip(heads.into_iter().flatten()) {
        if old != new {
            let [old, new] = [old, new].map(|text| text.map_or_else(|| "null".to_owned(), bare));
            lines.push(AccessLine::new(0, Sign::Change, replaced(name, &old, &new)));
        }
    }
    let all = |list: &[Shown], places: Vec<usize>, sign| -> Vec<AccessLine> {
        places.iter().map(|at| AccessLine::new(0, sign, list[*at].parts(|_| true))).collect()
    };
    lines.extend(all(&old, removed, Sign::Remove));
    for (at, to) in pairs.pairs().filter(|(at, to)| first[*at].json != second[*to].json) {
        lines.extend(changed(&old[at], &new[to]));
    }
    lines.extend(all(&new, added, Sign::Add));
    if pairs.is_reordered() && !lines.is_empty() {
        let remark = "the statements have another order, which is not significant".to_owned();
        lines.push(AccessLine::new(0, Sign::Note, vec![Part::Remark(remark)]));
    }
    Some(lines)
}

/// The parts `NAME OLD -> NEW`.
fn replaced(name: &str, old: &str, new: &str) -> Vec<Part> {
    vec![
        Part::Text(format!("{name} ")),
        Part::Removed(vec![old.to_owned()]),
        Part::Text(" -> ".to_owned()),
        Part::Added(vec![new.to_owned()]),
    ]
}

fn or_none(text: &str) -> String {
    if text.is_empty() { "null".to_owned() } else { text.to_owned() }
}

/// Pairs the statements: equal ones first, then those with the same Sid, then the most similar.
fn pairs(
    (before, old): (&[Statement<'_>], &[Shown]),
    (after, new): (&[Statement<'_>], &[Shown]),
) -> Option<Pairs> {
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(|at| Some(before[at].json), |at| Some(after[at].json));
    let sid = |list: &[Shown], at: usize| Some(list[at].sid.clone()).filter(|sid| !sid.is_empty());
    pairs.join(|at| sid(old, at), |at| sid(new, at));
    pairs.join(|at| old.get(at), |at| new.get(at));
    let (removed, added) = pairs.alone();
    if removed.len().saturating_mul(added.len()) > COMPARISONS {
        return None;
    }
    let mut scores: Vec<(usize, usize, usize)> = Vec::new();
    for at in removed {
        for to in &added {
            let score = similarity(&old[at], &new[*to]);
            if score >= 2 {
                scores.push((score, at, *to));
            }
        }
    }
    crate::sort::by_key(&mut scores, |(score, at, to)| (std::cmp::Reverse(*score), *at, *to));
    for (_, at, to) in scores {
        pairs.pair(at, to);
    }
    Some(pairs)
}

/// The similarity of two statements. From 2 on, they count as one statement that changes.
fn similarity(old: &Shown, new: &Shown) -> usize {
    let of = |field: Field| {
        let (old, new) = (old.field(field), new.field(field));
        let shares = || {
            let (less, more) = if old.texts.len() < new.texts.len() { (old, new) } else { (new, old) };
            less.texts.iter().any(|text| more.texts.binary_search(text).is_ok())
        };
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
fn changed(old: &Shown, new: &Shown) -> Vec<AccessLine> {
    let stays = |field: Field| old.field(field) == new.field(field);
    let mut below = Vec::new();
    for (word, old, new) in [("Sid", &old.sid, &new.sid), ("effect", &old.effect, &new.effect)] {
        if old != new {
            let parts = replaced(word, &or_none(old), &or_none(new));
            below.push(AccessLine::new(1, Sign::Change, parts));
        }
    }
    for field in Field::ALL.into_iter().filter(|field| !stays(*field)) {
        let (old, new) = (old.field(field), new.field(field));
        let word = |is_inverted: bool| match is_inverted {
            true => format!("all but this {} ", words(field).0),
            false => format!("{} ", words(field).0),
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
