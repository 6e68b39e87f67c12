//! tfview shows people what Terraform and OpenTofu wrote as JSON.
//!
//! The types at the root of the crate are the library's interface for other programs. [`Plan`], [`State`]
//! and [`Schemas`] parse documents, [`PlanDiff`] compares and prints like the tools, and [`Review`] reviews a
//! plan:
//!
//! ```
//! # fn main() -> Result<(), tfview::Error> {
//! # let text = r#"{"format_version":"1.2","resource_changes":[]}"#;
//! use tfview::{Format, Plan, Review, ReviewOptions, Schemas};
//!
//! let plan = Plan::parse(text)?; // borrows the text, and is parsed once
//! let schemas = Schemas::new();
//! let review = Review::new(&plan, &schemas, ReviewOptions::default())?;
//! println!("{}", review.sentence());
//! review.write(Format::Html, &mut std::io::sink())?;
//! # Ok(())
//! # }
//! ```
//!
//! Without the default feature `cli` the library is built without the command line: no argument parser,
//! signals, pager or terminal.
//!
//! The modules, from `json` to `cli`, are the parts of the program. They may change in any release, so they are
//! hidden here: `docs/architecture.md` describes them.

#[doc(hidden)]
pub mod access;
#[doc(hidden)]
pub mod api;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod compare;
#[doc(hidden)]
pub mod dialect;
#[doc(hidden)]
pub mod diff;
mod grouping;
#[doc(hidden)]
pub mod input;
#[doc(hidden)]
pub mod json;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod owners;
#[doc(hidden)]
pub mod page;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod review;
#[doc(hidden)]
pub mod saved;
#[doc(hidden)]
pub mod schema;
#[doc(hidden)]
pub mod schema_view;
#[doc(hidden)]
pub mod show;
#[doc(hidden)]
pub mod stream;
#[doc(hidden)]
pub mod term;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod with;

// The program in the document is one of the tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod library_document {}

pub use api::{
    Error, Finding, Format, Plan, PlanDiff, ResourceDiff, Review, ReviewEntry, ReviewOptions,
    Schemas, State, TextOptions,
};
pub use diff::tree;
pub use review::entry::{FindingKind, Level};
pub use review::{ChangeKind, Verdict};
