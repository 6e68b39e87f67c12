//! tfview shows people what Terraform and OpenTofu wrote as JSON.
//!
//! The types at the root of the crate are the interface for other programs; `docs/library.md` introduces them. A
//! [`Plan`] or [`State`] is read with the [`Schemas`] of its providers, and written as the tools write it. A [`Review`]
//! says what changes and what deserves a look, a [`Comparison`] whether a plan does what was approved, and a [`Run`]
//! follows the messages of the tool.
//!
//! ```
//! # fn main() -> Result<(), tfview::Error> {
//! # let text = r#"{"format_version":"1.2","resource_changes":[]}"#;
//! use tfview::{Format, Plan, Review, ReviewOptions, Schemas};
//!
//! let plan = Plan::parse(text, &Schemas::new())?;
//! let review = Review::new(&plan, ReviewOptions::default())?; // the plan is compared once
//! println!("{}", review.verdict().sentence);
//! review.write(Format::Html, std::io::sink())?;
//! # Ok(())
//! # }
//! ```
//!
//! The features are `cli` (the program, the default), `browse` (its browser in the terminal, also a default), `review`
//! (reviews and comparisons), `saved` (saved plans and raw states) and `built-in-schemas`; `cli` turns on the last three.

// The tests of this repository see more than the interface (see `internals` in Cargo.toml). Only with them is it known
// what is used.
#![cfg_attr(
    not(feature = "internals"),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        reason = "checked with all features"
    )
)]

// Public for the tests, and private for everybody else. Each is declared twice, because a visibility cannot depend on a
// feature, and `cargo fmt` leaves out the files of modules that a macro declares.
#[cfg(all(feature = "review", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod access;
#[cfg(all(feature = "review", not(feature = "internals")))]
mod access;
mod api;
#[cfg(all(feature = "browse", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod browse;
#[cfg(all(feature = "browse", not(feature = "internals")))]
mod browse;
#[cfg(all(feature = "cli", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod cli;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod cli;
#[cfg(all(feature = "review", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod compare;
#[cfg(all(feature = "review", not(feature = "internals")))]
mod compare;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod dialect;
#[cfg(not(feature = "internals"))]
mod dialect;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod diff;
#[cfg(not(feature = "internals"))]
mod diff;
mod document;
#[cfg(feature = "review")]
mod glob;
mod grouping;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod input;
#[cfg(not(feature = "internals"))]
mod input;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod json;
#[cfg(not(feature = "internals"))]
mod json;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod model;
#[cfg(not(feature = "internals"))]
mod model;
#[cfg(all(feature = "cli", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod owners;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod owners;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod page;
#[cfg(not(feature = "internals"))]
mod page;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod render;
#[cfg(not(feature = "internals"))]
mod render;
#[cfg(all(feature = "review", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod report;
#[cfg(all(feature = "review", not(feature = "internals")))]
mod report;
#[cfg(all(feature = "review", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod review;
#[cfg(all(feature = "review", not(feature = "internals")))]
mod review;
#[cfg(all(feature = "saved", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod saved;
#[cfg(all(feature = "saved", not(feature = "internals")))]
mod saved;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod schema;
#[cfg(not(feature = "internals"))]
mod schema;
#[cfg(all(feature = "cli", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod schema_view;
#[cfg(all(feature = "cli", not(feature = "internals")))]
mod schema_view;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod show;
#[cfg(not(feature = "internals"))]
mod show;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod stack;
#[cfg(not(feature = "internals"))]
mod stack;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod stream;
#[cfg(not(feature = "internals"))]
mod stream;
mod suggestion;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod term;
#[cfg(not(feature = "internals"))]
mod term;
#[cfg(feature = "internals")]
#[cfg_attr(not(doc), doc(hidden))]
pub mod text;
#[cfg(not(feature = "internals"))]
mod text;
#[cfg(all(feature = "review", feature = "internals"))]
#[cfg_attr(not(doc), doc(hidden))]
pub mod with;
#[cfg(all(feature = "review", not(feature = "internals")))]
mod with;

// The program in the document is one of the tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod library_document {}

pub use api::{
    BlockDiff, Colour, Diff, DiffAction, DiffKind, Error, Format, LineDiff, Plan, ResourceDiff,
    Run, RunOptions, RunOutcome, RunUpdate, Schemas, Span, State, StateObject, Style, StyledText,
    TextOptions, Value,
};
#[cfg(feature = "review")]
pub use api::{
    Change, Comparison, ComparisonOptions, Difference, Edit, Finding, PathStep, Reason, Review,
    ReviewOptions, Verdict,
};
#[cfg(feature = "review")]
pub use compare::Verdict as ComparisonVerdict;
pub use dialect::Tool;
#[cfg(feature = "review")]
pub use report::Level;
#[cfg(feature = "review")]
pub use review::ChangeKind;
#[cfg(feature = "review")]
pub use review::entry::FindingKind;
pub use stream::{
    End as InputEnd, OperationProgress, RunEvent, RunEventKind, RunProgress, RunStage,
};

#[cfg(feature = "cli")]
pub use cli::main as program;
