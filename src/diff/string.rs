//! Diffs of strings: single lines, multi-line strings, and strings that contain JSON.

use super::Differ;
use super::intern::numbers;
use crate::diff::tree::{Diff, DiffAction, Line, Node, Slot};
use crate::diff::{Cursor, Paths};
use crate::json::{Value, parse, parse_prefix};

/// The maximum nesting of JSON strings in JSON strings. Each level doubles the escapes, so real documents
/// have one or two; the limit bounds the recursion over hostile ones.
pub(super) const MAX_STRINGS: usize = 4;

/// The form in which a string is shown.
#[derive(Clone, Copy)]
enum Text<'a> {
    Null,
    OneLine,
    /// Several lines, without leading and trailing white space.
    Lines(&'a str),
    Json(Value<'a>),
}

impl<'a> Differ<'a> {
    /// The diff of strings. Other values, which a malformed document may contain, are compared as scalars.
    pub(super) fn string(self, change: Cursor<'a>) -> Diff<'a> {
        let action = change.action();
        let scalar = Node::Scalar { before: change.before, after: change.after, is_string: true };
        let node = if action == DiffAction::Update {
            match [self.text(change.before), self.text(change.after)] {
                [Text::Json(before), Text::Json(after)] => {
                    self.json(Slot::Value(before), Slot::Value(after), action)
                }
                [Text::Json(_), _] | [_, Text::Json(_)] => self.json_on_one_side(change),
                shown @ ([Text::Lines(_), _] | [_, Text::Lines(_)]) => self.heredoc(change, shown),
                [Text::Null | Text::OneLine, Text::Null | Text::OneLine] => scalar,
            }
        } else {
            // The other value is not shown, and not examined, because it may be a large document.
            let (is_gone, is_new) = (action == DiffAction::Delete, action == DiffAction::Create);
            match self.text(if is_gone { change.before } else { change.after }) {
                Text::Json(value) => {
                    let side = |is_absent| if is_absent { Slot::Absent } else { Slot::Value(value) };
                    self.json(side(is_new), side(is_gone), action)
                }
                Text::Lines(text) => {
                    let lines = text.split('\n');
                    let lines = lines.map(|text| Line { action: DiffAction::NoOp, text: Some(text) });
                    let lines = bumpalo::collections::Vec::from_iter_in(lines, self.arena);
                    Node::Heredoc { lines: lines.into_bump_slice() }
                }
                Text::Null | Text::OneLine => scalar,
            }
        };
        Self::leaf(change, node)
    }

    fn text(self, slot: Slot<'a>) -> Text<'a> {
        let text = match slot.value() {
            Value::String(text) => text,
            Value::Null => return Text::Null,
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => return Text::OneLine,
        };
        if may_be_json(text) && self.strings < MAX_STRINGS {
            let value = if self.dialect.json_may_have_trailing_text() {
                parse_prefix(text, self.arena)
            } else {
                parse(text, self.arena)
            };
            if let Ok(value) = value {
                return Text::Json(self.value_as_read(value));
            }
        }
        if memchr::memchr(b'\n', text.as_bytes()).is_some() {
            Text::Lines(text.trim())
        } else {
            Text::OneLine
        }
    }

    fn json(self, before: Slot<'a>, after: Slot<'a>, action: DiffAction) -> Node<'a> {
        let inside = Self { strings: self.strings + 1, ..self };
        let inner = inside.dynamic(Cursor::from_slots(before, after));
        let whitespace_only = inner.action == DiffAction::NoOp && action == DiffAction::Update;
        Node::Json { inner: self.arena.alloc(inner), whitespace_only }
    }

    /// A JSON string that changes to a string that is not JSON, or the reverse: shown as a type change.
    fn json_on_one_side(self, change: Cursor<'a>) -> Node<'a> {
        let side = |before, after| {
            let cursor = Cursor { replace: Paths::Never, ..Cursor::from_slots(before, after) };
            &*self.arena.alloc(self.string(cursor))
        };
        Node::TypeChange {
            before: side(change.before, Slot::Absent),
            after: side(Slot::Absent, change.after),
        }
    }

    fn heredoc(self, change: Cursor<'a>, [before, after]: [Text<'a>; 2]) -> Node<'a> {
        let (before, after) = (lines(change.before, before), lines(change.after, after));
        let (before_numbers, after_numbers) = numbers(&before, &after);
        let pairs = self.pair(&before_numbers, &after_numbers, |_, _| false);
        let most = before.len().max(after.len()) + 8;
        let mut lines = bumpalo::collections::Vec::with_capacity_in(most, self.arena);
        for (b, a) in pairs {
            let (b, a) = (b as usize, a as usize);
            // An index past the end stands for no line.
            match (before.get(b), after.get(a)) {
                (Some(text), Some(_)) if before_numbers[b] == after_numbers[a] => {
                    lines.push(Line { action: DiffAction::NoOp, text: *text });
                }
                (gone, come) => {
                    lines.extend(gone.map(|text| Line { action: DiffAction::Delete, text: *text }));
                    lines.extend(come.map(|text| Line { action: DiffAction::Create, text: *text }));
                }
            }
        }
        Node::Heredoc { lines: lines.into_bump_slice() }
    }
}

/// Whether a string is shown as JSON if it parses.
pub(super) fn may_be_json(text: &str) -> bool {
    text.starts_with(['{', '['])
}

/// The lines of one side of an update. A single line is not trimmed.
fn lines<'a>(slot: Slot<'a>, text: Text<'a>) -> Vec<Option<&'a str>> {
    match text {
        Text::Lines(text) => text.split('\n').map(Some).collect(),
        Text::OneLine | Text::Json(_) => vec![slot.value().as_str()],
        Text::Null => vec![None],
    }
}
