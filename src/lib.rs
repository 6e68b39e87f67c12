//! tfview shows people what Terraform and OpenTofu wrote as JSON.
//!
//! The program is one use of this library; the types at the root of the crate are for others. [`Plan`],
//! [`State`] and [`Schemas`] read documents, [`PlanDiff`] compares and prints as the tools do, [`Review`]
//! reviews:
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
//! The modules are the parts that the program is made of, from `json` to [`cli`]. They are documented for
//! those who change it, and may change in any release.

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
