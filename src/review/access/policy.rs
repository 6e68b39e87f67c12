//! Writes policies as lines, one for each statement.
//!
//! ```text
//! before  {"Statement":[{"Sid":"Read","Effect":"Allow","Action":"s3:GetObject","Resource":"*"}]}
//! after   {"Statement":[{"Sid":"Read","Effect":"Allow","Action":["s3:GetObject","s3:PutObject"],"Resource":"*"}]}
//!
//!   Read: Allow
//!   + action s3:PutObject
//! ```

use std::cmp::Reverse;

use super::{AccessChange, AccessLine, ElementPlace, Part, bare, fits, policy_texts};
use crate::access::{self, Grant, Policy, SENSITIVE, UNKNOWN};
use crate::diff::edits::{Edit, Label};
use crate::diff::value::{MarkedValue, Redactor};
use crate::meaning::Documents;
use crate::report::{Sign, Tone};
use crate::review::count;
use crate::review::pairs::Pairs;
use crate::text::first_of;

/// The maximum number of actions of one service that are joined.
const MAX_OF_SERVICE: usize = 4;
/// The maximum number of comparisons between statements of two policies without a common Sid.
const COMPARISONS: usize = 10_000;
/// The maximum number of statements of a document that is read during apply.
const MAX_EXPECTED: usize = 5;
/// The maximum number of items of a list in a text on one line.
const MAX_ITEMS: usize = 4;

/// Returns the change of a policy as lines. `None` if the edit is not one of a policy, or if a statement has parts that
/// a line cannot show.
pub(super) fn change<'w, 'a: 'w>(
    edit_index: usize,
    edit: &Edit<'a>,
    documents: &Documents<'w>,
) -> Option<AccessChange<'a>> {
    // The lines show the letters that differ in case.
    if !fits(edit, &[Label::Case]) {
        return None;
    }
    let read = |text: Option<&'a str>| match text {
        None => Some(None),
        Some(text) => documents
            .policy(text)
            .filter(|policy| policy.is_whole)
            .map(Some),
    };
    let [before, after] = policy_texts(edit, Policy::STATEMENTS)?;
    let lines = compared(read(before)?.as_ref(), read(after)?.as_ref())?;
    AccessChange::of_text(edit_index, edit, Policy::STATEMENTS, lines)
}

/// Returns the lines of the policies in an object that is created or destroyed.
pub(super) fn of_object<'w, 'a: 'w>(
    object: MarkedValue<'a>,
    sign: Sign,
    redactor: Redactor<'a>,
    documents: &Documents<'w>,
) -> Vec<AccessChange<'a>> {
    let line = |statement: &Grant<'_>| {
        let line = AccessLine::new(0, sign, Shown::new(statement).parts(|_| true));
        line.about(ElementPlace::on_side(sign, statement.index))
    };
    AccessChange::of_texts(object, redactor, Policy::STATEMENTS, |text| {
        let policy = documents.policy(text).filter(|policy| policy.is_whole)?;
        Some(policy.statements.iter().map(line).collect())
    })
}

/// Returns the known statements of an `aws_iam_policy_document` that is read during apply, in words.
pub(in crate::review) fn expected(document: MarkedValue<'_>) -> Vec<String> {
    let blocks = document
        .get("statement")
        .and_then(MarkedValue::as_array)
        .unwrap_or_default();
    let statements = blocks.iter().filter_map(|block| Grant::from_block(*block));
    let text = |statement: Grant<'_>| -> String {
        let parts = Shown::new(&statement).parts(|_| true);
        parts
            .iter()
            .map(|part| first_of(&part.items, MAX_ITEMS))
            .collect()
    };
    let mut texts: Vec<String> = statements.map(text).collect();
    let more = texts.len().saturating_sub(MAX_EXPECTED);
    texts.truncate(MAX_EXPECTED);
    if more > 0 {
        texts.push(format!("and {}", count(more, "more statement")));
    }
    texts
}

/// Returns the name of a part of a statement, and the word before it in a line.
fn words(part: access::Part) -> (&'static str, &'static str) {
    match part {
        access::Part::Action => ("action", ""),
        access::Part::Resource => ("resource", "on "),
        access::Part::Principal => ("principal", "for "),
        access::Part::Condition => ("condition", "if "),
    }
}

/// A statement as the texts of a line, by which statements are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Shown {
    /// The Sid; empty if the statement has none.
    sid: String,
    effect: String,
    /// The texts of each part, in the order of `access::Part`.
    fields: [Items; 4],
}

/// The texts of one part of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Items {
    /// Whether everything except these is meant (`NotAction` and so on).
    is_excluded: bool,
    /// The texts, sorted and unique, because their order is insignificant.
    texts: Vec<String>,
}

impl Shown {
    /// Reads the texts of a statement. They are sorted, so that equal statements have equal texts.
    fn new(statement: &Grant<'_>) -> Self {
        let word = |text: &str| match text {
            UNKNOWN | SENSITIVE => text.to_owned(),
            text => bare(text),
        };
        let or_none = |text: &str| {
            if text.is_empty() {
                String::new()
            } else {
                word(text)
            }
        };
        let fields = access::Part::ALL.map(|part| {
            let terms = statement.part(part);
            // `s3:GetObject`, `AWS 1234`, `StringEquals aws:SourceVpc = vpc-1`.
            let text = |term: &access::Term<'_>| match (part, term.kind) {
                (access::Part::Condition, test) => {
                    format!(
                        "{} {} = {}",
                        or_none(test),
                        or_none(term.key),
                        word(term.name)
                    )
                }
                (_, "") => word(term.name),
                (_, kind) => format!("{} {}", word(kind), word(term.name)),
            };
            let mut texts: Vec<String> = terms.list.iter().map(text).collect();
            texts.sort_unstable();
            texts.dedup();
            Items {
                is_excluded: terms.are_excluded,
                texts,
            }
        });
        Self {
            sid: or_none(statement.sid),
            effect: or_none(statement.effect),
            fields,
        }
    }

    /// Returns the texts of a part.
    fn field(&self, part: access::Part) -> &Items {
        &self.fields[part as usize]
    }

    /// Returns the line of the statement with the parts for which `has` is true:
    /// `Read: Allow s3:GetObject on b/* for AWS 1`.
    fn parts(&self, has: impl Fn(access::Part) -> bool) -> Vec<Part> {
        let sid = if self.sid.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.sid)
        };
        let mut parts = vec![Part::text(format!("{sid}{}", self.effect))];
        for part in access::Part::ALL.into_iter().filter(|part| has(*part)) {
            let items = self.field(part);
            if !items.texts.is_empty() {
                let others = if items.is_excluded { "all but " } else { "" };
                parts.push(Part::text(format!(" {}{others}", words(part).1)));
                parts.push(Part::of(Tone::Plain, shown(part, &items.texts)));
            }
        }
        parts
    }

    /// Returns the lines of a change to another statement: the unchanged parts on the first line, and each addition or
    /// removal below.
    fn changed(&self, new: &Self) -> Vec<AccessLine> {
        let stays = |part: access::Part| self.field(part) == new.field(part);
        let mut below = Vec::new();
        for (word, old, new) in [
            ("Sid", &self.sid, &new.sid),
            ("effect", &self.effect, &new.effect),
        ] {
            if old != new {
                let [old, new] = [old, new].map(|text| if text.is_empty() { "null" } else { text });
                below.push(AccessLine::new(1, Sign::Change, replaced(word, old, new)));
            }
        }
        for part in access::Part::ALL.into_iter().filter(|part| !stays(*part)) {
            let (old, new) = (self.field(part), new.field(part));
            let is_other = old.is_excluded != new.is_excluded;
            for (sign, tone, side, other) in [
                (Sign::Remove, Tone::Removed, old, new),
                (Sign::Add, Tone::Added, new, old),
            ] {
                let is_missing =
                    |text: &&String| is_other || other.texts.binary_search(text).is_err();
                let items: Vec<String> = side.texts.iter().filter(is_missing).cloned().collect();
                if !items.is_empty() {
                    let others = if side.is_excluded {
                        "all but this "
                    } else {
                        ""
                    };
                    let name = Part::text(format!("{others}{} ", words(part).0));
                    let items = Part::of(tone, shown(part, &items));
                    below.push(AccessLine::new(1, sign, vec![name, items]));
                }
            }
        }
        let mut title = new.parts(stays);
        if below.is_empty() {
            title.push(Part::of(
                Tone::Muted,
                vec![" (written differently, means the same)".to_owned()],
            ));
        }
        // One or two differences are written on the line of the statement.
        if let [_] | [_, _] = &*below {
            for line in below.drain(..) {
                let sign = match line.sign {
                    Sign::Add => "  + ",
                    Sign::Remove => "  - ",
                    Sign::Change | Sign::Same | Sign::Note => "  ",
                };
                title.push(Part::text(sign));
                title.extend(line.parts);
            }
        }
        below.insert(0, AccessLine::new(0, Sign::Change, title));
        below
    }

    /// Returns how similar two statements are, by their actions, resources and principals. From 2 on, they count as one
    /// statement that changes.
    fn similarity(&self, new: &Self) -> usize {
        let of = |part: access::Part| {
            let (old, new) = (self.field(part), new.field(part));
            let shares = || {
                let (less, more) = if old.texts.len() < new.texts.len() {
                    (old, new)
                } else {
                    (new, old)
                };
                less.texts
                    .iter()
                    .any(|text| more.texts.binary_search(text).is_ok())
            };
            match old.texts.is_empty() && new.texts.is_empty() {
                true => 0,
                false if old == new => 2,
                false => usize::from(shares()),
            }
        };
        // Many statements apply to all resources, so an equal resource says little.
        let is_everything = new.field(access::Part::Resource).texts == ["*"];
        let resource = of(access::Part::Resource).min(if is_everything { 1 } else { 2 });
        let has_other_effect = usize::from(self.effect != new.effect);
        (of(access::Part::Action) + resource + of(access::Part::Principal))
            .saturating_sub(has_other_effect)
    }
}

/// Returns the sorted items of a part, with the actions of one service joined: `kms:{Decrypt, Encrypt}`.
fn shown(part: access::Part, items: &[String]) -> Vec<String> {
    if part != access::Part::Action {
        return items.to_vec();
    }
    fn service(item: &str) -> Option<(&str, &str)> {
        item.split_once(':')
            .filter(|(_, action)| !action.contains([':', ' ', '"']))
    }
    let is_same = |one: &String, other: &String| match (service(one), service(other)) {
        (Some((one, _)), Some((other, _))) => one == other,
        _ => false,
    };
    let mut shown = Vec::new();
    for group in items.chunk_by(is_same) {
        for actions in group.chunks(MAX_OF_SERVICE) {
            match (actions, service(&actions[0])) {
                ([_, _, ..], Some((service, _))) => {
                    let names = actions.iter().map(|item| &item[service.len() + 1..]);
                    let names: Vec<&str> = names.collect();
                    shown.push(format!("{service}:{{{}}}", names.join(", ")));
                }
                _ => shown.extend_from_slice(actions),
            }
        }
    }
    shown
}

/// Returns the changes between two policies as lines. An absent policy has no statements. `None` if there are too many
/// statements to pair.
fn compared(before: Option<&Policy<'_>>, after: Option<&Policy<'_>>) -> Option<Vec<AccessLine>> {
    let [first, second] =
        [before, after].map(|policy| policy.map_or(&[][..], |policy| policy.statements.as_slice()));
    let [old, new] = [first, second].map(|all| all.iter().map(Shown::new).collect::<Vec<_>>());
    let pairs = pairs((first, &old), (second, &new))?;
    let (removed, added) = pairs.alone();
    let mut lines = Vec::new();
    let heads = before
        .zip(after)
        .map(|(before, after)| before.head.into_iter().zip(after.head));
    for (name, (old, new)) in Policy::HEAD.iter().zip(heads.into_iter().flatten()) {
        if old != new {
            let [old, new] = [old, new].map(|text| text.map_or_else(|| "null".to_owned(), bare));
            lines.push(AccessLine::new(0, Sign::Change, replaced(name, &old, &new)));
        }
    }
    let all = |statements: &[Grant<'_>], list: &[Shown], places: Vec<usize>, sign| {
        let line = |statement_index: &usize| {
            let line = AccessLine::new(0, sign, list[*statement_index].parts(|_| true));
            line.about(ElementPlace::on_side(
                sign,
                statements[*statement_index].index,
            ))
        };
        places.iter().map(line).collect::<Vec<_>>()
    };
    lines.extend(all(first, &old, removed, Sign::Remove));
    for (statement_index, to) in pairs
        .pairs()
        .filter(|(statement_index, to)| first[*statement_index].json != second[*to].json)
    {
        let changed = old[statement_index].changed(&new[to]).into_iter();
        let element = ElementPlace::new(first[statement_index].index, second[to].index);
        lines.extend(changed.map(|line| line.about(element)));
    }
    lines.extend(all(second, &new, added, Sign::Add));
    if pairs.is_reordered() && !lines.is_empty() {
        lines.push(AccessLine::note(
            "the statements have another order, which is not significant",
            Tone::Muted,
        ));
    }
    Some(lines)
}

/// Returns the parts of a text that is replaced: `NAME OLD -> NEW`.
pub(super) fn replaced(name: &str, old: &str, new: &str) -> Vec<Part> {
    let [old, new] = [(Tone::Removed, old), (Tone::Added, new)]
        .map(|(tone, text)| Part::of(tone, vec![text.to_owned()]));
    vec![Part::text(format!("{name} ")), old, Part::text(" -> "), new]
}

/// Pairs statements: equal ones first, then those with the same Sid, then the most similar. `None` if this needs more
/// than `COMPARISONS` comparisons.
fn pairs(
    (before, old): (&[Grant<'_>], &[Shown]),
    (after, new): (&[Grant<'_>], &[Shown]),
) -> Option<Pairs> {
    let mut pairs = Pairs::new(old.len(), new.len());
    pairs.join(|index| before[index].json, |index| after[index].json);
    let sid =
        |list: &[Shown], index: usize| Some(list[index].sid.clone()).filter(|sid| !sid.is_empty());
    pairs.join(|index| sid(old, index), |index| sid(new, index));
    pairs.join(|index| old.get(index), |index| new.get(index));
    let (removed, added) = pairs.alone();
    if removed.len().saturating_mul(added.len()) > COMPARISONS {
        return None;
    }
    let mut scores: Vec<(usize, usize, usize)> = Vec::new();
    for index in removed {
        for to in &added {
            let score = old[index].similarity(&new[*to]);
            if score >= 2 {
                scores.push((score, index, *to));
            }
        }
    }
    scores.sort_by_key(|(score, index, to)| (Reverse(*score), *index, *to));
    for (_, index, to) in scores {
        pairs.pair(index, to);
    }
    Some(pairs)
}
