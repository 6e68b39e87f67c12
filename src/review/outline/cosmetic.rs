//! Changes without an effect that the plan could tell. They are labelled, never left out.

use super::Found;
use super::hidden::hidden_difference;
use crate::diff::tree::{Action, Slot};
use crate::json::Value;

/// Labels the part that was found last as cosmetic. What forces a replacement is not, whatever it is.
pub(super) fn label(found: &mut Found, why: &str) {
    if found.one_sided {
        return;
    }
    if let Some(part) = found.parts.last_mut() {
        part.cosmetic = !part.replace;
        part.notes.push(if part.cosmetic { format!("cosmetic: {why}") } else { why.to_owned() });
    }
}

/// Labels the scalar that was found last, and names what is hard to see in its change.
pub(super) fn label_scalar(found: &mut Found, action: Action, before: Slot<'_>, after: Slot<'_>) {
    let is_empty = |slot: Slot<'_>| slot.value() == Value::String("");
    let null_to_empty = (before.is_none() && is_empty(after)) || (is_empty(before) && after.is_none());
    if null_to_empty {
        return label(found, "null against the empty string");
    }
    if action != Action::Update {
        return;
    }
    match (before.value(), after.value()) {
        (Value::String(text), Value::Number(number)) | (Value::Number(number), Value::String(text))
            if text == number =>
        {
            label(found, "the same text as number and as string");
        }
        (Value::String(text), Value::Bool(value)) | (Value::Bool(value), Value::String(text))
            if text == value.to_string() =>
        {
            label(found, "the same text as bool and as string");
        }
        (Value::String(before), Value::String(after)) => {
            if let (Some(note), Some(part)) = (hidden_difference(before, after), found.parts.last_mut()) {
                part.notes.push(note);
            }
        }
        _ => {}
    }
}
