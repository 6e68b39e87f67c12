//! tfview shows people what Terraform and OpenTofu wrote as JSON.
//!
//! The types at the root of the crate are the interface for other programs; `docs/library.md` introduces them. A
//! [`Plan`] or [`State`] is read with the [`Schemas`] of its providers, and written as the tools write it. A [`Review`]
//! contains the changes and the findings that an approver should check, a [`Comparison`] tells whether a plan does what
//! was approved, and a [`Run`] follows the messages of the tool.
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
//! (reviews and comparisons), `saved` (saved plans and raw states) and `built-in-schemas`; `cli` turns on the last
//! three.

// The tests of this repository see more than the interface (see `internals` in Cargo.toml). Only with that feature is
// it known which items are used.
#![cfg_attr(
    not(feature = "internals"),
    allow(
        dead_code,
        unreachable_pub,
        unused_imports,
        reason = "checked with all features"
    )
)]

#[cfg(feature = "review")]
mod access;
mod api;
#[cfg(feature = "browse")]
mod browse;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "review")]
mod compare;
mod dialect;
mod diff;
mod direction;
mod document;
#[cfg(feature = "review")]
mod glob;
mod grouping;
mod input;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod json;
#[cfg(feature = "review")]
mod knowledge;
#[cfg(feature = "review")]
mod meaning;
mod model;
#[cfg(feature = "cli")]
mod owners;
mod page;
mod render;
#[cfg(feature = "review")]
mod report;
#[cfg(feature = "review")]
mod review;
#[cfg(feature = "saved")]
mod saved;
mod schema;
#[cfg(feature = "cli")]
mod schema_view;
mod show;
mod stack;
mod stream;
mod suggestion;
mod term;
mod text;
#[cfg(feature = "review")]
mod with;

// The program in the document is compiled and run as a test.
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
