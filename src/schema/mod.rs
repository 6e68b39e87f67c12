//! Where a block's shape comes from: provider schemas, a Provider Code Specification, the built-in schemas, or
//! inference.
//!
//! The types here are what the differ is directed by. They live in an arena and are `Copy`.

mod build;
mod builtin;
pub mod catalog;
pub mod check;
pub mod compare;
mod error;
pub mod infer;
mod position;
mod provider;
mod shape;
mod specification;

pub use builtin::{BuiltIn, is_of_the_tool, providers as built_in_providers};
pub use error::Error;
pub use position::Position;
pub use provider::Schemas;
pub use shape::{Attribute, AttributeKind, Block, Facts, NestedBlock, NestedType, Nesting, Type};

/// The type that a document gives a value of its own (an output of a state). What is no type, or is
/// missing as in older formats, is taken as dynamic: the value then tells its shape.
pub fn cty_type<'s>(value: crate::json::Value<'s>, arena: &'s bumpalo::Bump) -> Type<'s> {
    build::cty(value, arena).unwrap_or(Type::Dynamic)
}
