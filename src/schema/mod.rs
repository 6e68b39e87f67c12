//! The shapes of blocks, from provider schemas, a Provider Code Specification, the built-in schemas, or inference.
//!
//! Shapes live in an arena and are `Copy`. Invariant: what any source calls sensitive is sensitive, whichever source
//! has the layout.

mod address;
mod builtin;
pub mod catalog;
pub mod check;
pub mod compare;
mod error;
pub mod infer;
mod kind;
mod position;
mod provider;
mod read;
mod sensitive;
mod shape;
mod source;
mod specification;

pub use builtin::{
    BuiltIn, document as built_in_document, has_type as has_built_in,
    providers as built_in_providers,
};
pub use error::Error;
pub use kind::SchemaKind;
pub use position::Position;
pub use provider::{Known, SchemaIndex, Schemas};
pub(crate) use shape::find;
pub use shape::{Attribute, AttributeKind, Block, Facts, NestedBlock, Nesting, Type};

use crate::json;
use error::Inside;

/// Reads the JSON of a cty type.
///
/// A malformed type counts as dynamic, as does null, which older formats have instead of a type: the value is then
/// compared by its own shape.
pub fn cty_type<'s>(value: json::Value<'s>, arena: &'s bumpalo::Bump) -> Type<'s> {
    read::cty(value, arena).unwrap_or(Type::Dynamic)
}
