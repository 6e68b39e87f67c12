//! The interface for other programs: parse a plan, compare it, write it.
//!
//! Invariants: callers need no arena, large stack or terminal. Sensitive values are omitted from every format
//! and from serialized trees unless an option requests them.
//!
//! A document borrows its text and is parsed once. What is made of it is computed on a thread with a large stack,
//! because documents may be deeply nested.

mod diff;
mod document;
mod error;
mod review;
mod worker;

pub use diff::{PlanDiff, ResourceDiff, TextOptions};
pub use document::{Plan, Schemas, State};
pub use error::Error;
pub use review::{Finding, Format, Review, ReviewEntry, ReviewOptions};
