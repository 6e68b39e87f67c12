//! tfview in another program: read a plan, compare it, write it.
//!
//! Invariants: nothing here needs an arena, a large stack or a terminal. Sensitive values are left out
//! unless an option asks for them, in every format and in what is serialized.
//!
//! The types own their texts. What is made of them is made by each call, on a thread of its own, because
//! documents may be nested deeply.

mod bodies;
mod diff;
mod document;
mod error;
mod review;
mod worker;

pub use bodies::plan_bodies;
pub use diff::{PlanDiff, ResourceDiff, TextOptions};
pub use document::{Plan, Schemas, State};
pub use error::Error;
pub use review::{Format, Review, ReviewOptions};
