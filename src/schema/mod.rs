//! Where a block's shape comes from: provider schemas, a Provider Code Specification, or inference.
//!
//! The types here are what the differ is directed by. They live in an arena and are `Copy`.

mod build;
mod error;
mod provider;
mod shape;
mod specification;

pub use error::Error;
pub use provider::Schemas;
pub use shape::{Attribute, AttributeKind, Block, NestedBlock, NestedType, Nesting, Type};
