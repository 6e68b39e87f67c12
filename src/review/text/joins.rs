//! Joins members of one value that change on one line: `tags.Owner web -> ci, + Stage = prod`.
//!
//! Invariant: a line with a finding is never joined, so that its mark is about one edit.
//!
//! ```text
//! [tags.Owner web -> ci] [tags.Stage = prod, added]       tags.Owner web -> ci, + Stage = prod
//! ```

use crate::diff::edits::{Edit, Step};
use crate::diff::value::MarkedValue;
use crate::report::{Line, Sign, Span, Tone};
use crate::review::paths::{name, path_text};

/// The maximum length of a line with several members, in characters.
const MAX_JOINED_LEN: usize = 100;
/// The number of columns before an edit.
const MARGIN_OF_EDITS: usize = 7;

/// The subject of a line that others may join.
pub(super) struct Joins {
    /// The path of the value whose members are on the line.
    parent: String,
    /// The name of the member that was added last.
    last_member: String,
    /// Whether the line has no other member.
    pub(super) is_alone: bool,
}

impl Joins {
    /// Returns the subject of a line about an edit. `None` if the edit is not about a member that may be on a line with
    /// others.
    pub(super) fn new(edit: &Edit<'_>) -> Option<Self> {
        let (Some(parent), Some(Step::Name(last_member))) = (edit.path.parent(), edit.path.last())
        else {
            return None;
        };
        is_member(edit).then(|| Self {
            parent: path_text("", parent),
            last_member: name(last_member),
            is_alone: true,
        })
    }

    /// Returns the line of this member joined with the line before, if both are of one value and fit into `width`
    /// columns.
    ///
    /// On a line about members that change, a member that is added or removed has its sign.
    pub(super) fn joined(
        &self,
        (before, last): (&Self, &Line),
        line: &Line,
        width: usize,
    ) -> Option<Line> {
        if before.parent != self.parent || !last.mark().is_empty() {
            return None;
        }
        let (first, second, name_of_second) = match (last.sign, line.sign) {
            (sign, other) if sign == other => (last, line, &self.last_member),
            (Sign::Change, Sign::Add | Sign::Remove)
            | (Sign::Add, Sign::Remove)
            | (Sign::Remove, Sign::Add) => (last, line, &self.last_member),
            (Sign::Add | Sign::Remove, Sign::Change) if before.is_alone => {
                (line, last, &before.last_member)
            }
            (_, _) => return None,
        };
        let sign = match second.sign {
            _ if second.sign == first.sign => None,
            Sign::Add => Some(Span::new("+ ", Tone::Added)),
            Sign::Remove => Some(Span::new("- ", Tone::Removed)),
            Sign::Change | Sign::Same | Sign::Note => None,
        };
        let rest = second.spans.get(1..).unwrap_or_default();
        let between = 2 + sign.as_ref().map_or(0, |_| 2) + name_of_second.chars().count();
        let columns = columns(&first.spans) + between + columns(rest);
        if MARGIN_OF_EDITS + 2 * first.depth + columns > width.min(MAX_JOINED_LEN) {
            return None;
        }
        // There may be very many of these lines, and a page keeps all of them in memory.
        let mut spans = Vec::with_capacity(first.spans.len() + 2 + second.spans.len());
        spans.extend_from_slice(&first.spans);
        match sign {
            Some(sign) => {
                spans.extend([Span::new(", ", Tone::Plain), sign]);
                spans.push(Span::new(name_of_second, Tone::Plain));
            }
            None => spans.push(Span::new(format!(", {name_of_second}"), Tone::Plain)),
        }
        spans.extend_from_slice(rest);
        spans.shrink_to_fit();
        Some(Line::of(first.depth, first.sign, spans))
    }
}

/// Returns the length of spans, in characters.
fn columns(spans: &[Span]) -> usize {
    spans.iter().map(|span| span.text.chars().count()).sum()
}

/// Whether an edit is about a scalar member that may be on a line with others. Texts with commas may not, because they
/// could be mistaken for several members.
fn is_member(edit: &Edit<'_>) -> bool {
    let has_comma = |value: MarkedValue<'_>| value.as_str().is_some_and(|text| text.contains(','));
    let is_scalar = |side: Option<MarkedValue<'_>>| {
        side.is_none_or(|value| !value.is_container() && !has_comma(value))
    };
    matches!(edit.path.last(), Some(Step::Name(_)))
        && edit.inside.is_none()
        && edit.labels.is_empty()
        && edit.notes.is_empty()
        && !edit.replaces
        && is_scalar(edit.before)
        && is_scalar(edit.after)
}
