//! The limit on the size of values that are compared part by part.
//!
//! A tree, or a list of edits, takes many times the memory of a dense text (`[1,1,1,…]`). Real values have some
//! thousand parts. A value of more than two million parts is compared as a whole in reviews, and `show` ends with an
//! error.
//!
//! ```text
//! {"list":[1,2]}       4 parts: the object, the list and two numbers; compared part by part
//! [1,1,1,… 3 million]  show: Error::TooLarge; review: one edit, of the whole value
//! ```

use super::string::may_be_json;
use super::value::MarkedValue;
use super::{Cursor, Error};
use crate::json::Value;

/// The largest number of parts of a value that is compared part by part. The value itself, its elements and members,
/// and theirs count.
pub(super) const MAX_PARTS: usize = 2_000_000;

/// The bytes of text for each part from which on a tree fits into the memory that a document may take.
const SPARSE: usize = 8;

impl Cursor<'_> {
    /// Fails with [`Error::TooLarge`] if a Diff tree of the change would take too much memory. `size` is the length of
    /// the change's text in bytes.
    pub fn checked(self, size: usize) -> Result<Self, Error> {
        // Each part takes a byte, and a comma or bracket.
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

/// Takes one part from what is left, and returns whether there was one.
fn take(left: &mut usize) -> bool {
    left.checked_sub(1).map(|rest| *left = rest).is_some()
}

/// Whether the value has at most `left` parts. A string with JSON fits if its own text has at most `most`.
fn fits(value: Value<'_>, most: usize, left: &mut usize) -> bool {
    take(left)
        && match value.as_str().filter(|text| may_be_json(text)) {
            // Each part is behind a comma or a bracket.
            Some(text) => memchr::memchr3_iter(b',', b'[', b'{', text.as_bytes()).count() <= most,
            None => value.children().all(|part| fits(part, most, left)),
        }
}

/// Whether a review compares the value part by part.
pub(super) fn is_small(value: MarkedValue<'_>) -> bool {
    fn fits(value: MarkedValue<'_>, left: &mut usize) -> bool {
        take(left) && value.children().all(|part| fits(part, left))
    }
    fits(value, &mut { MAX_PARTS })
}
