//! Writes JSON texts into other documents unchanged, so that numbers keep all of their digits.
//!
//! Invariant: the text is written as it is, after a check that it is one JSON value.

use serde::ser::Error as _;
use serde::{Serialize as _, Serializer};
use serde_json::value::RawValue;

/// Serializes the text of one value. Fails if the text is not valid JSON.
pub(super) fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    // Most numbers are small integers, which are written as they are read: JSON allows no leading zeros and no `+`.
    if let Ok(number) = text.parse::<u64>() {
        return serializer.serialize_u64(number);
    }
    serde_json::from_str::<&RawValue>(text)
        .map_err(S::Error::custom)?
        .serialize(serializer)
}
