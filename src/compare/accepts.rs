//! Checks whether a value is an earlier value whose unknown parts have become known.

use crate::diff::value::{Content, MarkedValue, union};
use crate::schema::Position;

/// The maximum number of pairs of set elements that are compared. Values that need more are not accepted.
const MAX_COUNT: usize = 1 << 16;

/// Whether `now` is `approved` with its unknown parts filled in or, with `is_result`, a possible result of it: then a list
/// that may be a set counts as a set if it has unknown parts, because elements of sets, unlike those of lists, are
/// reordered when they become known.
pub(super) fn accepts(
    approved: MarkedValue<'_>,
    now: MarkedValue<'_>,
    position: Position<'_>,
    is_result: bool,
) -> bool {
    Search { left: MAX_COUNT, is_result }.accepts(approved, now, position)
}

struct Search {
    left: usize,
    is_result: bool,
}

impl Search {
    fn accepts(&mut self, approved: MarkedValue<'_>, now: MarkedValue<'_>, position: Position<'_>) -> bool {
        if approved == now {
            return true;
        }
        // A sensitive value must not lose its mark by becoming known.
        if approved.is_sensitive && !now.is_sensitive && !now.is_null() {
            return false;
        }
        match (approved.content, now.content) {
            (Content::Unknown, _) => true,
            (Content::Array(old), Content::Array(now))
                if position.is_set() || self.may_be_set(approved, position) =>
            {
                self.accepts_set(old, now, position)
            }
            (Content::Array(approved), Content::Array(now)) => {
                approved.len() == now.len()
                    && approved
                        .iter()
                        .zip(now)
                        .enumerate()
                        .all(|(at, (approved, now))| self.accepts(*approved, *now, position.element(at)))
            }
            (Content::Object(approved), Content::Object(now)) => {
                union(approved, now).all(|(name, approved, now)| match (approved, now) {
                    (Some(approved), Some(now)) => self.accepts(approved, now, position.member(name)),
                    (Some(approved), None) => approved.is_null() || approved.is_unknown(),
                    (None, now) => now.is_none_or(MarkedValue::is_null),
                })
            }
            _ => false,
        }
    }

    fn may_be_set(&self, planned: MarkedValue<'_>, position: Position<'_>) -> bool {
        let is_unproven = matches!(position, Position::Unspecified | Position::Inferred | Position::Missing);
        self.is_result && is_unproven && planned.has_unknown()
    }

    /// Compares sets. Elements of a set may become equal when they become known.
    fn accepts_set(
        &mut self,
        approved: &[MarkedValue<'_>],
        now: &[MarkedValue<'_>],
        position: Position<'_>,
    ) -> bool {
        let Some(left) = self.left.checked_sub(approved.len().saturating_mul(now.len())) else {
            return false;
        };
        self.left = left;
        if now.len() > approved.len() {
            return false;
        }
        let position = position.element(0);
        let every_new = now.iter().all(|now| approved.iter().any(|old| self.accepts(*old, *now, position)));
        every_new && approved.iter().all(|old| now.iter().any(|now| self.accepts(*old, *now, position)))
    }
}
