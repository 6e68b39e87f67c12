//! Changes without an effect that the plan could tell. They are labelled, never left out.

use std::collections::BTreeMap;

use super::Found;
use super::pairing::print;
use crate::computed::{Action, Diff, Slot};
use crate::json::Value;

/// Labels the part that was found last as cosmetic.
pub(super) fn label(found: &mut Found, why: &str) {
    if found.one_sided {
        return;
    }
    if let Some(part) = found.parts.last_mut() {
        part.notes.push(format!("cosmetic: {why}"));
        part.cosmetic = true;
    }
}

/// Whether the same elements stand in another order: as many of each go as come.
pub(super) fn is_order_only(items: &[Diff<'_>]) -> bool {
    let mut balance: BTreeMap<u64, i64> = BTreeMap::new();
    let mut moved = false;
    for item in items {
        let step = match item.action {
            Action::NoOp => continue,
            Action::Update => return false,
            Action::Create => 1,
            Action::Delete => -1,
        };
        let Some(print) = print(item) else { return false };
        moved = true;
        *balance.entry(print).or_default() += step;
    }
    moved && balance.values().all(|count| *count == 0)
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

/// What differs between two strings, where eyes do not see it.
pub(super) fn hidden_difference(before: &str, after: &str) -> Option<String> {
    let without = |text: &str, drop: fn(char) -> bool| text.chars().filter(|c| !drop(*c)).collect::<String>();
    if before.replace("\r\n", "\n") == after.replace("\r\n", "\n") {
        return Some("only line ends differ (CR LF against LF)".to_owned());
    }
    if before.trim() == after.trim() {
        return Some("only white space at the ends differs".to_owned());
    }
    if without(before, char::is_whitespace) == without(after, char::is_whitespace) {
        return Some("only white space differs".to_owned());
    }
    let hidden = |c: char| matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}');
    if without(before, hidden) == without(after, hidden) {
        let name = |text: &str| {
            text.chars().filter(|c| hidden(*c)).map(|c| format!("U+{:04X}", c as u32)).collect::<Vec<_>>()
        };
        let (old, new) = (name(before).join(" "), name(after).join(" "));
        let or_none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
        return Some(format!("only invisible characters differ ({} against {})", or_none(old), or_none(new)));
    }
    if before.to_lowercase() == after.to_lowercase() {
        return Some("only upper and lower case differ".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::hidden_difference;

    #[test]
    fn names_what_is_hard_to_see() {
        for (before, after, expected) in [
            ("a\r\nb", "a\nb", Some("only line ends differ (CR LF against LF)")),
            ("a ", "a", Some("only white space at the ends differs")),
            ("a\u{a0}b", "a b", Some("only white space differs")),
            ("a\u{200b}b", "ab", Some("only invisible characters differ (U+200B against none)")),
            ("Ab", "ab", Some("only upper and lower case differ")),
            ("a", "b", None),
        ] {
            assert_eq!(hidden_difference(before, after).as_deref(), expected);
        }
    }
}
