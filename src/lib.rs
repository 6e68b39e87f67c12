//! tfview shows people what Terraform and OpenTofu wrote as JSON.
//!
//! Data goes one way:
//!
//! ```text
//! bytes ─▶ json ─▶ model ─▶ diff ─▶ render ─▶ term
//! ```

pub mod cli;
pub mod compare;
pub mod dialect;
pub mod diff;
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
