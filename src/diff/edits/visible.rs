//! Paths of a plan, cut where they enter a sensitive value.
//!
//! A plan names parts of values by paths (`replace_paths`). The keys on a path below a value that is hidden as a whole
//! are part of that value: they must not be printed, compared or hashed.

use bumpalo::Bump;

use super::Sides;
use crate::diff::value::MarkedValue;
use crate::json::Value;
use crate::schema::Position;

/// The paths, each up to the first step whose value is hidden in one of `sides`; without duplicates.
pub(crate) fn visible_paths<'p>(paths: Value<'p>, sides: &[Sides<'_>], arena: &'p Bump) -> Value<'p> {
    let Some(all) = paths.as_array() else { return Value::Null };
    let mut kept: Vec<&[Value<'p>]> = Vec::with_capacity(all.len());
    let mut is_cut = false;
    for path in all {
        let Some(steps) = path.as_array() else {
            is_cut = true;
            continue;
        };
        let visible = visible(steps, sides);
        is_cut |= visible.len() < steps.len();
        kept.push(visible);
    }
    if !is_cut {
        return paths;
    }
    let mut seen = std::collections::HashSet::new();
    kept.retain(|path| seen.insert(format!("{path:?}")));
    Value::Array(arena.alloc_slice_fill_iter(kept.into_iter().map(Value::Array)))
}

fn visible<'s, 'p>(steps: &'s [Value<'p>], sides: &[Sides<'_>]) -> &'s [Value<'p>] {
    let mut places: Vec<Place<'_>> = sides.iter().flat_map(Place::roots).collect();
    for (at, step) in steps.iter().enumerate() {
        // A step that is neither a name nor an index is a value: the element of a set.
        let is_value = !matches!(step, Value::String(_) | Value::Number(_));
        if is_value || places.iter().any(Place::is_hidden) {
            return steps.get(..at).unwrap_or_default();
        }
        places.iter_mut().for_each(|place| place.step(*step));
    }
    steps
}

/// One side of a change at a step of a path.
#[derive(Clone, Copy)]
struct Place<'w> {
    /// Absent where the side has no such value, or where it was not read.
    value: Option<MarkedValue<'w>>,
    /// The mark of the plan, which a null value does not carry.
    mark: Value<'w>,
    position: Position<'w>,
}

impl<'w> Place<'w> {
    fn roots(sides: &Sides<'w>) -> [Self; 2] {
        let [before, after] = sides.marks;
        let root = |value, mark| Self { value: Some(value), mark, position: sides.position };
        [root(sides.before, before), root(sides.after, after)]
    }

    fn is_hidden(&self) -> bool {
        self.value.is_some_and(|value| value.is_hidden)
            || matches!(self.mark, Value::Bool(true) | Value::Number(_) | Value::String(_))
            || self.position.is_sensitive()
    }

    fn step(&mut self, step: Value<'_>) {
        let (Value::String(text) | Value::Number(text)) = step else { return };
        let items = self.value.and_then(MarkedValue::as_array);
        // Older formats write the index of an element as a string.
        let index: Option<usize> = text.parse().ok();
        let is_element = matches!(step, Value::Number(_)) || (items.is_some() && index.is_some());
        let place = index.unwrap_or(usize::MAX);
        self.mark = match (self.mark, is_element) {
            (Value::Array(marks), true) => {
                marks.get(place).copied().unwrap_or_else(|| whole_if_any(self.mark))
            }
            (Value::Object(marks), false) => marks.get(text).unwrap_or_default(),
            // The mark does not have the shape that the path says.
            (mark, _) => whole_if_any(mark),
        };
        if is_element {
            self.value = items.and_then(|items| items.get(place).copied());
            self.position = self.position.element(place);
        } else {
            self.value = self.value.and_then(|value| value.get(text));
            self.position = self.position.member(text);
        }
    }
}

fn whole_if_any(mark: Value<'_>) -> Value<'_> {
    Value::Bool(crate::diff::Mark::new(mark).is_any())
}
