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

use std::collections::HashMap;

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
        self.judged_below(edits, &Way::default(), arena)
    }

    /// Judges the edits of a value to which these names lead.
    fn judged_below<'a>(
        &self,
        edits: &[Edit<'a>],
        around: &Way<'a>,
        arena: &'a Bump,
    ) -> &'a [Edit<'a>] {
        let judged = edits.iter().map(|edit| {
            let way = around.continued(edit.path);
            let inside = edit.inside.map(|inside| {
                &*arena.alloc(Inside {
                    format: inside.format,
                    edits: self.judged_below(inside.edits, &way, arena),
                })
            });
            let mut meaning = self.meaning(edit, &way, inside);
            let holds_credential = self
                .credentials
                .iter()
                .any(|place| begins_with(place, &way.names) || begins_with(&way.names, place));
            if holds_credential && edit.after.is_some() {
                meaning.directions.insert(Direction::Wider);
            }
            Edit {
                inside,
                meaning,
                ..*edit
            }
        });
        let mut judged: Vec<Edit<'a>> = judged.collect();
        share_within_sets(&mut judged);
        arena.alloc_slice_copy(&judged)
    }

    /// Returns the meaning of one edit. `way` leads to it, `inside` has the edits of its document with their meanings.
    fn meaning(&self, edit: &Edit<'_>, way: &Way<'_>, inside: Option<&Inside<'_>>) -> Meaning {
        let path: &[&str] = &way.names;
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
        if let Some(directions) = at(self.models, way) {
            return self.with_the_rest(directions, edit, way, inside);
        }
        let of_rows = of_rows(self.rows, &way.steps);
        // A row that knows of no order says less than names do.
        if let Some(meaning) = of_rows.filter(|known| *known != Direction::Another.into()) {
            let version = path.last().and_then(|name| version_of(edit, name));
            return version.map_or(meaning, |version| version.with(meaning));
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
            .or(of_rows)
            .unwrap_or_else(|| Direction::Unjudged.into())
    }

    /// Returns what models say of an edit, with what its parts mean that no model is about: where models know only
    /// places below it, the rest of it is not judged by them.
    fn with_the_rest(
        &self,
        directions: Directions,
        edit: &Edit<'_>,
        way: &Way<'_>,
        inside: Option<&Inside<'_>>,
    ) -> Meaning {
        let mut meaning = Meaning::from(directions);
        if longest_above(self.models, way).is_some() {
            return meaning;
        }
        if let Some(inside) = inside {
            let inner = inside.edits.iter().map(|edit| edit.meaning);
            return inner.fold(meaning, Meaning::with);
        }
        if edit.before.is_none() || edit.after.is_none() {
            let rest = names::meaning(&way.names, None, edit.before, edit.after);
            meaning = meaning.with(rest.unwrap_or_else(|| Direction::Unjudged.into()));
        }
        meaning
    }
}

/// Gives the scalar elements of a list that come and go the directions of all of them together: of a list of networks
/// that loses the whole internet and gains an office, both edits are narrower.
fn share_within_sets(edits: &mut [Edit<'_>]) {
    let mut together: HashMap<Vec<String>, Meaning> = HashMap::new();
    for edit in edits.iter() {
        let is_known = edit.meaning.direction() != Direction::Unjudged;
        if is_known && let Some(list) = list_of_scalar(edit) {
            let meaning = together.entry(list).or_default();
            *meaning = meaning.with(edit.meaning);
        }
    }
    if together.is_empty() {
        return;
    }
    for edit in edits {
        if let Some(meaning) = list_of_scalar(edit).and_then(|list| together.get(&list)) {
            edit.meaning = *meaning;
        }
    }
}

/// Returns the steps to the list in which an edit adds, removes or replaces a scalar; `None` for other edits.
fn list_of_scalar(edit: &Edit<'_>) -> Option<Vec<String>> {
    let is_scalar = |side: Option<MarkedValue<'_>>| side.is_none_or(|value| !value.is_container());
    match edit.path.last()? {
        Step::Element(_) if is_scalar(edit.before) && is_scalar(edit.after) => {}
        Step::Element(_) | Step::Name(_) | Step::Document(_) => return None,
    }
    let steps = edit.path.parent()?.steps();
    let words = steps.iter().map(|step| match step {
        Step::Name(name) => (*name).to_owned(),
        Step::Element(element) => format!("{:?}/{:?}", element.before, element.after),
        Step::Document(format) => format.name().to_owned(),
    });
    Some(words.collect())
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

/// Returns what judgements say of a path: that of the longest place at or above it, and of all of the places below it.
/// `None` if there is neither.
fn at(judgements: &[Judgement<'_>], way: &Way<'_>) -> Option<Directions> {
    let longest = longest_above(judgements, way);
    judgements
        .iter()
        .filter(|judgement| {
            let place = Place::new(&judgement.place);
            let is_above = way.is_within(&place) && Some(judgement.place.len()) == longest;
            is_above || place.names.len() > way.names.len() && way.is_around(&place)
        })
        .filter(|_| !way.names.is_empty())
        .map(|judgement| judgement.directions)
        .reduce(Directions::union)
}

/// Returns what rows say of a place: all of them that are about it, a part of it, or what it is a part of. `None` if
/// none is.
fn of_rows(rows: &[RowJudgement<'_>], steps: &[Step<'_>]) -> Option<Meaning> {
    rows.iter()
        .filter(|row| leads_along(steps, &row.place))
        .map(|row| row.meaning)
        .reduce(Meaning::with)
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

/// Returns the length of the longest place at or above an edit; `None` if there is none but the object as a whole.
fn longest_above(judgements: &[Judgement<'_>], way: &Way<'_>) -> Option<usize> {
    judgements
        .iter()
        .filter(|judgement| {
            !judgement.place.is_empty() && way.is_within(&Place::new(&judgement.place))
        })
        .map(|judgement| judgement.place.len())
        .max()
}

/// What leads to an edit.
#[derive(Clone, Debug, Default)]
struct Way<'a> {
    /// All steps.
    steps: Vec<Step<'a>>,
    /// The names, without elements and documents.
    names: Vec<&'a str>,
    /// The keys of the elements on the way that have one.
    keys: Vec<&'a str>,
}

impl<'a> Way<'a> {
    /// Returns the way to an edit of the document or object to which this one leads.
    fn continued(&self, path: Path<'a>) -> Self {
        let mut way = self.clone();
        for step in path.steps() {
            way.steps.push(step);
            match step {
                Step::Name(name) => way.names.push(name),
                Step::Element(element) => way
                    .keys
                    .extend(element.key.and_then(|key| key.value.content.scalar_text())),
                Step::Document(_) => {}
            }
        }
        way
    }

    /// Whether the edit is at or below a place.
    fn is_within(&self, place: &Place<'_>) -> bool {
        begins_with(&self.names, &place.names) && self.may_have(place)
    }

    /// Whether the edit is at or above a place.
    fn is_around(&self, place: &Place<'_>) -> bool {
        begins_with(&place.names, &self.names) && self.may_have(place)
    }

    /// Whether the elements on the way may be those of a place: elements without a key may be any.
    fn may_have(&self, place: &Place<'_>) -> bool {
        self.keys.is_empty() || place.keys.iter().all(|key| self.keys.contains(key))
    }
}

/// A place of a judgement, taken apart.
struct Place<'p> {
    names: Vec<&'p str>,
    /// The keys of elements: those alone are meant.
    keys: Vec<&'p str>,
}

impl<'p> Place<'p> {
    fn new(place: &[&'p str]) -> Self {
        let (mut names, mut keys) = (Vec::new(), Vec::new());
        for name in place {
            match name.strip_prefix('[') {
                Some(key) => keys.push(key),
                None => names.push(*name),
            }
        }
        Self { names, keys }
    }
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
    path.steps()
        .iter()
        .filter_map(|step| match step {
            Step::Name(name) => Some(*name),
            Step::Element(_) | Step::Document(_) => None,
        })
        .collect()
}
