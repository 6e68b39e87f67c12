//! tfview shows people what Terraform and OpenTofu wrote as JSON.
//!
//! Data goes one way:
//!
//! ```text
//! bytes ─▶ json ─▶ model ─▶ change ─▶ differ ─▶ computed ─▶ render ─▶ term
//! ```

pub mod change;
pub mod cli;
pub mod computed;
pub mod dialect;
pub mod differ;
pub mod json;
pub mod model;
pub mod render;
pub mod review;
pub mod schema;
pub mod schema_view;
pub mod show;
pub mod stream;
pub mod term;
pub mod text;
