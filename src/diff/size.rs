//! The limit on the size of values that are compared part by part.
//!
//! A tree, or a list of edits, takes many times the memory of a dense text (`[1,1,1,…]`). Real values have some
//! thousand parts. A value of more than two million parts is compared as a whole in reviews, and an error for `show`,
//! unless its text is long in relation to its parts.
//!
//! ```text
//! {"list":[1,2]}       4 parts: the object, the list and two numbers; compared part by part
//! [1,1,1,… 3 million]  show: Error::TooLarge; review: one edit, of the whole value
//! ```

use super::string::may_be_json;
use super::value::MarkedValue;
use super::{Cursor, Error};
use crate::json::Value;

/// The maximum number of parts of a value that is compared part by part. The parts are the value itself, its elements
/// and members, and theirs.
pub(super) const MAX_PARTS: usize = 2_000_000;

/// The number of bytes of text for each part above which a tree fits into the memory that a document may take.
const SPARSE: usize = 8;

impl Cursor<'_> {
    /// Checks that a Diff tree of the change does not take too much memory. `size` is the length of the change's text
    /// in bytes.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if it would.
    pub fn checked(self, size: usize) -> Result<Self, Error> {
        // Each part takes at least a byte, and a comma or bracket.
        if size < 2 * MAX_PARTS {
            return Ok(self);
        }
        let most = MAX_PARTS.max(size / SPARSE);
        let is_too_large = |value| !fits(value, most, &mut { most });
        let sides = [self.before.value(), self.after.value()];
        if sides.into_iter().any(is_too_large) {
            Err(Error::TooLarge)
        } else {
            Ok(self)
        }
    }
}

/// Subtracts one part from `left`, and returns whether there was one.
fn take(left: &mut usize) -> bool {
    left.checked_sub(1).map(|rest| *left = rest).is_some()
}

/// Whether a value has at most `left` parts. A string with JSON fits if the text in it has at most `most` parts.
fn fits(value: Value<'_>, most: usize, left: &mut usize) -> bool {
    take(left)
        && match value.as_str().filter(|text| may_be_json(text)) {
            // Each part comes after a comma or a bracket.
            Some(text) => memchr::memchr3_iter(b',', b'[', b'{', text.as_bytes()).count() <= most,
            None => value.children().all(|part| fits(part, most, left)),
        }
}

/// Whether a value is small enough that a review compares it part by part.
pub(super) fn is_small(value: MarkedValue<'_>) -> bool {
    fn fits(value: MarkedValue<'_>, left: &mut usize) -> bool {
        take(left) && value.children().all(|part| fits(part, left))
    }
    fits(value, &mut { MAX_PARTS })
}
