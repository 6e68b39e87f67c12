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
//! let plan = Plan::parse(text)?;
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
//! The modules, from `json` to `cli`, are the parts of the program. They are documented for its developers
//! and may change in any release.

#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod dialect;
pub mod diff;
pub mod embed;
pub mod json;
pub mod model;
pub mod page;
pub mod render;
pub mod report;
pub mod review;
pub mod schema;
pub mod schema_view;
pub mod show;
pub mod stream;
pub mod term;
pub mod text;

// The program in the document is one of the tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod library_document {}

pub use diff::tree;
pub use embed::{
    Error, Format, Plan, PlanDiff, ResourceDiff, Review, ReviewOptions, Schemas, State, TextOptions,
};
pub use review::Verdict;
