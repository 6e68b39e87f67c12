//! The formats of a comparison. The text formats are written from one [document](crate::report).

mod json;
mod units;
mod words;

pub use json::{FORMAT_VERSION, GateResult, fingerprint_json, json};
pub use units::{Presence, UnitComparison, UnitsComparison};
pub use words::listing;
