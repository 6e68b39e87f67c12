//! Gives each edit of an object its meaning: that of the first model that knows its place.
//!
//! The models are asked in this order: what the comparison itself proves to be the same, what only people read, what
//! providers compute, the models of access and of Kubernetes, rows of knowledge, the edits inside of a document, and
//! names that mean the same for every type. What none of them knows is `unjudged`.
//!
//! ```text
//! edits        deletion_protection: true -> false    tags.owner: "a" -> "b"    color: "red" -> "blue"
//! judgements   ["deletion_protection"] weaker
//! meanings     weaker                                words                     unjudged
//! ```

use bumpalo::Bump;

use super::{Judgement, PlaceStep, RowJudgement, names, version};
use crate::diff::edits::{Edit, Inside, Label, Note, Path, Step};
use crate::diff::value::MarkedValue;
use crate::direction::{Direction, Directions, Meaning};

/// What models say of the places of one object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgements<'j, 'w> {
    /// The type of the object; empty for outputs.
    pub(crate) resource_type: &'j str,
    /// The judgements of models that compare sets: access, networks, Kubernetes.
    pub(crate) models: &'j [Judgement<'w>],
    /// What rows of knowledge say of single attributes.
    pub(crate) rows: &'j [RowJudgement<'w>],
    /// The places of credentials in plain text, which is wider whatever the edit means otherwise.
    pub(crate) credentials: &'j [Vec<&'w str>],
    /// What the object as a whole means if it is created or destroyed.
    pub(crate) whole: Meaning,
}

impl Judgements<'_, '_> {
    /// Returns the edits with their meanings, and those of the documents in them.
    pub(crate) fn judged<'a>(&self, edits: &[Edit<'a>], arena: &'a Bump) -> &'a [Edit<'a>] {
        self.judged_below(edits, &[], arena)
    }

    /// Judges the edits of a value to which these names lead.
    fn judged_below<'a>(
        &self,
        edits: &[Edit<'a>],
        around: &[Step<'a>],
        arena: &'a Bump,
    ) -> &'a [Edit<'a>] {
        let judged = edits.iter().map(|edit| {
            let mut steps: Vec<Step<'a>> = around.to_vec();
            steps.extend(edit.path.steps());
            let path = names_in(&steps);
            let inside = edit.inside.map(|inside| {
                &*arena.alloc(Inside {
                    format: inside.format,
                    edits: self.judged_below(inside.edits, &steps, arena),
                })
            });
            let mut meaning = self.meaning(edit, &steps, &path, inside);
            let holds_credential = self
                .credentials
                .iter()
                .any(|place| begins_with(place, &path) || begins_with(&path, place));
            if holds_credential && edit.after.is_some() {
                meaning.directions.insert(Direction::Wider);
            }
            Edit {
                inside,
                meaning,
                ..*edit
            }
        });
        let judged: Vec<Edit<'a>> = judged.collect();
        arena.alloc_slice_copy(&judged)
    }

    /// Returns the meaning of one edit. `steps` lead to it, `path` has their names, and `inside` has the edits of its
    /// document with their meanings.
    fn meaning(
        &self,
        edit: &Edit<'_>,
        steps: &[Step<'_>],
        path: &[&str],
        inside: Option<&Inside<'_>>,
    ) -> Meaning {
        if path.is_empty() && (edit.before.is_none() || edit.after.is_none()) {
            return self.whole;
        }
        if let Some(direction) = proven(edit, path, inside) {
            return direction.into();
        }
        if names::is_words(path) {
            return Direction::Words.into();
        }
        let is_computed = names::is_computed(path);
        if is_computed && path.len() == 1 && edit.before.is_some() {
            return Direction::Same.into();
        }
        let place = at(self.models, path);
        if let Some(directions) = place {
            return directions.into();
        }
        let of_rows = of_rows(self.rows, steps);
        // A row that knows of no order says less than names do.
        if let Some(directions) = of_rows.filter(|known| *known != Direction::Another.into()) {
            let version = path.last().and_then(|name| version_of(edit, name));
            return version.map_or_else(
                || directions.into(),
                |version| version.with(directions.into()),
            );
        }
        if names::tag_key(self.resource_type, path).is_some() {
            return Direction::Words.into();
        }
        if let Some(directions) = whole(self.models) {
            return directions.into();
        }
        // What will be known only after apply is decided when the whole plan has been read.
        if edit.after.is_some_and(MarkedValue::is_unknown) {
            return Direction::Unknown.into();
        }
        if let Some(inside) = inside.filter(|inside| !inside.edits.is_empty()) {
            let all = inside.edits.iter().map(|edit| edit.meaning);
            return all.reduce(Meaning::with).unwrap_or_default();
        }
        let element = match edit.path.last() {
            Some(Step::Element(element)) => Some(element),
            Some(Step::Name(_) | Step::Document(_)) | None => None,
        };
        names::meaning(path, element, edit.before, edit.after)
            .or(of_rows.map(Meaning::from))
            .unwrap_or_else(|| Direction::Unjudged.into())
    }
}

/// Returns the direction that the comparison itself proves; `None` if the values really differ.
fn proven(edit: &Edit<'_>, path: &[&str], inside: Option<&Inside<'_>>) -> Option<Direction> {
    let labels = edit.labels;
    if labels.contains(Label::Sensitivity) {
        let was_marked = edit.before.is_some_and(|value| value.has_marks);
        let is_marked = edit.after.is_some_and(|value| value.has_marks);
        return Some(match (was_marked, is_marked) {
            (true, false) => Direction::Wider,
            (false, true) => Direction::Narrower,
            (true, true) | (false, false) => Direction::Another,
        });
    }
    let is_same_document = inside.is_some_and(|inside| inside.edits.is_empty());
    let is_same_notation = edit.notes.contains(&Note::SameYaml) && !begins_with_marker(edit);
    let is_same = labels.contains(Label::Format)
        || labels.contains(Label::Order)
        || labels.contains(Label::TypeOnly)
        // In a document, an empty selector is not a missing one.
        || labels.contains(Label::Empty) && path.len() == edit.path.len()
        || is_same_notation
        || edit.notes.contains(&Note::SameDecoded)
        || is_same_document && !edit.notes.contains(&Note::SameYaml);
    is_same.then_some(Direction::Same)
}

/// Whether the first line of one side is a comment that the other side does not have: cloud-init reads it to know what
/// the text is (`#cloud-config`, `#cloud-boothook`).
fn begins_with_marker(edit: &Edit<'_>) -> bool {
    let first_line = |side: Option<MarkedValue<'_>>| {
        let text = side.and_then(MarkedValue::as_str).unwrap_or_default();
        text.lines()
            .next()
            .unwrap_or_default()
            .trim_end()
            .to_owned()
    };
    let (before, after) = (first_line(edit.before), first_line(edit.after));
    before != after && (before.starts_with('#') || after.starts_with('#'))
}

/// Returns what the step between two versions means, if an edit changes one.
fn version_of(edit: &Edit<'_>, name: &str) -> Option<Meaning> {
    if !names::is_version(name) {
        return None;
    }
    let before = edit.before?.content.scalar_text()?;
    let after = edit.after?.content.scalar_text()?;
    version::meaning(before, after)
}

/// Returns what judgements say of a path: that of the longest place at or above it, or all of the places below it
/// together. `None` if there is neither.
fn at(judgements: &[Judgement<'_>], path: &[&str]) -> Option<Directions> {
    let above = judgements
        .iter()
        .filter(|judgement| !judgement.place.is_empty() && begins_with(path, &judgement.place));
    let longest = above.clone().map(|judgement| judgement.place.len()).max();
    if let Some(longest) = longest {
        return above
            .filter(|judgement| judgement.place.len() == longest)
            .map(|judgement| judgement.directions)
            .reduce(Directions::union);
    }
    judgements
        .iter()
        .filter(|judgement| begins_with(&judgement.place, path) && !path.is_empty())
        .map(|judgement| judgement.directions)
        .reduce(Directions::union)
}

/// Returns what rows say of a place: all of them that are about it, a part of it, or what it is a part of. `None` if
/// none is.
fn of_rows(rows: &[RowJudgement<'_>], steps: &[Step<'_>]) -> Option<Directions> {
    rows.iter()
        .filter(|row| leads_along(steps, &row.place))
        .map(|row| row.directions)
        .reduce(Directions::union)
}

/// Whether one of two places is the other one, or leads to it.
fn leads_along(steps: &[Step<'_>], place: &[PlaceStep<'_>]) -> bool {
    let steps = steps
        .iter()
        .filter(|step| !matches!(step, Step::Document(_)));
    let mut names = 0;
    for (step, place) in steps.zip(place) {
        let is_same = match (step, place) {
            (Step::Name(name), PlaceStep::Name(other)) => {
                names += 1;
                name == other
            }
            (Step::Element(element), PlaceStep::Before(index)) => element
                .before
                .is_some_and(|before| before as usize == *index),
            (Step::Element(element), PlaceStep::After(index)) => {
                element.after.is_some_and(|after| after as usize == *index)
            }
            (Step::Name(_), PlaceStep::Before(_) | PlaceStep::After(_))
            | (Step::Element(_), PlaceStep::Name(_))
            | (Step::Document(_), _) => false,
        };
        if !is_same {
            return false;
        }
    }
    names > 0
}

/// Returns what judgements say of the object as a whole.
fn whole(judgements: &[Judgement<'_>]) -> Option<Directions> {
    judgements
        .iter()
        .filter(|judgement| judgement.place.is_empty())
        .map(|judgement| judgement.directions)
        .reduce(Directions::union)
}

fn begins_with(path: &[&str], start: &[&str]) -> bool {
    path.len() >= start.len() && path.iter().zip(start).all(|(name, other)| name == other)
}

/// Returns everything that judgements say of an object that is created or destroyed.
pub(crate) fn all(judgements: &[Judgement<'_>]) -> Option<Directions> {
    judgements
        .iter()
        .map(|judgement| judgement.directions)
        .reduce(Directions::union)
}

/// Returns the names that lead to a place, without elements and documents.
pub(crate) fn names_of<'a>(path: Path<'a>) -> Vec<&'a str> {
    names_in(&path.steps())
}

fn names_in<'a>(steps: &[Step<'a>]) -> Vec<&'a str> {
    steps
        .iter()
        .filter_map(|step| match step {
            Step::Name(name) => Some(*name),
            Step::Element(_) | Step::Document(_) => None,
        })
        .collect()
}
