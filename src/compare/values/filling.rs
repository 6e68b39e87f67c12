//! Decides whether a value is another one with its unknown parts filled in.
//!
//! ```text
//! approved {"id": unknown, "name": "a"}    now {"id": 7, "name": "a"}    it is
//! ```

use crate::diff::value::{Content, MarkedValue, union};
use crate::schema::Position;

/// Whether `now` is `approved` with its unknown parts filled in. `names` is the path from `root` to both values.
///
/// With `is_result`, `now` is the result of an apply. A list that may be a set then counts as a set if it has unknown
/// parts, because elements of sets, unlike those of lists, are reordered when they become known.
pub(super) fn is_filled(
    approved: MarkedValue<'_>,
    now: MarkedValue<'_>,
    root: Position<'_>,
    names: &[&str],
    is_result: bool,
) -> bool {
    let position = names.iter().fold(root, |index, name| index.member(name));
    Filling {
        left: MAX_COUNT,
        is_result,
    }
    .accepts(approved, now, position)
}

/// The maximum number of comparisons of elements of sets. Values that need more are not accepted.
const MAX_COUNT: usize = 1 << 16;

/// A comparison that accepts unknown values becoming known, within a limit of work.
struct Filling {
    /// The number of comparisons of elements of sets that are left.
    left: usize,
    is_result: bool,
}

impl Filling {
    /// Whether `now` is `approved` with unknown parts filled in. An element of a set may match any other element.
    fn accepts(
        &mut self,
        approved: MarkedValue<'_>,
        now: MarkedValue<'_>,
        position: Position<'_>,
    ) -> bool {
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
                self.accepts_set(old, now, position.element(0))
            }
            (Content::Array(old), Content::Array(now)) => {
                let mut pairs = old.iter().zip(now).enumerate();
                old.len() == now.len()
                    && pairs.all(|(index, (old, now))| {
                        self.accepts(*old, *now, position.element(index))
                    })
            }
            (Content::Object(old), Content::Object(now)) => {
                union(old, now).all(|(name, old, now)| match (old, now) {
                    (Some(old), Some(now)) => self.accepts(old, now, position.member(name)),
                    (Some(old), None) => old.is_null() || old.is_unknown(),
                    (None, now) => now.is_none_or(MarkedValue::is_null),
                })
            }
            _ => false,
        }
    }

    /// Whether a planned list may be a set: no schema says that it is a list.
    fn may_be_set(&self, planned: MarkedValue<'_>, position: Position<'_>) -> bool {
        let is_unproven = matches!(
            position,
            Position::Unspecified | Position::Inferred | Position::Missing
        );
        self.is_result && is_unproven && planned.has_unknown()
    }

    /// Whether each element of each set matches one of the other set. Elements may become equal when they become known,
    /// so the new set may be smaller. Takes quadratic time, which counts toward the limit.
    fn accepts_set(
        &mut self,
        old: &[MarkedValue<'_>],
        now: &[MarkedValue<'_>],
        of: Position<'_>,
    ) -> bool {
        let left = self.left.checked_sub(old.len().saturating_mul(now.len()));
        let Some(left) = left.filter(|_| now.len() <= old.len()) else {
            return false;
        };
        self.left = left;
        now.iter()
            .all(|now| old.iter().any(|old| self.accepts(*old, *now, of)))
            && old
                .iter()
                .all(|old| now.iter().any(|now| self.accepts(*old, *now, of)))
    }
}
