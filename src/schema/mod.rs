//! The shapes of blocks, from provider schemas, a Provider Code Specification, the built-in schemas, or
//! inference.
//!
//! These types direct the differ. They live in an arena and are `Copy`.

mod build;
mod builtin;
pub mod catalog;
pub mod check;
pub mod compare;
mod document;
mod error;
pub mod infer;
mod position;
mod provider;
mod provider_name;
mod sensitive;
mod shape;
mod specification;

pub use builtin::{
    BuiltIn, document as built_in_document, has_type as has_built_in, providers as built_in_providers,
};
pub use error::Error;
pub use position::Position;
pub use provider::{Known, Schemas};
pub(crate) use shape::find;
pub use shape::{Attribute, AttributeKind, Block, Facts, NestedBlock, NestedType, Nesting, Type};

/// The mark of a value of which no schema at hand says whether it is sensitive. Readers take every mark that is not a
/// bool for a sensitive one.
pub const NO_SCHEMA: &str = "no schema";

/// Parses the type that a document states for a value (an output of a state). A malformed type, or none as
/// in older formats, counts as dynamic: the value is then compared by its own shape.
pub fn cty_type<'s>(value: crate::json::Value<'s>, arena: &'s bumpalo::Bump) -> Type<'s> {
    build::cty(value, arena).unwrap_or(Type::Dynamic)
}
