//! Provider schemas, which documents share.
//!
//! Schemas are large, so they are parsed once, when they are added.

use std::io::Read;
use std::sync::Arc;

use self_cell::self_cell;

use super::{Error, decode, with_stack};
use crate::json;
use crate::schema::{self, SchemaIndex};

self_cell!(
    /// The text of schemas, with the index of their types.
    struct SchemaText {
        owner: String,
        #[covariant]
        dependent: SchemaIndex,
    }

    impl {Debug}
);

/// Provider schemas and Provider Code Specifications: the layout of resource types, and which attributes are
/// sensitive.
///
/// Types without a schema have the layout of the built-in schemas (feature `built-in-schemas`) or, for other
/// providers, one that is inferred from the plan. Reviews need no schemas; the tools' text is exact only with them.
/// A clone is cheap, and shares what was read.
///
/// ```
/// # fn main() -> Result<(), tfview::Error> {
/// let mut schemas = tfview::Schemas::new();
/// schemas.add(r#"{"format_version":"1.0","provider_schemas":{}}"#)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    /// The added schemas, in their order.
    sources: Vec<Arc<SchemaText>>,
    /// The nesting of the most deeply nested schemas.
    depth: usize,
}

impl Schemas {
    /// Returns schemas that contain only the built-in ones.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the output of `providers schema -json`, or a Provider Code Specification. If a type has several schemas,
    /// the first one is used.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, or is neither of the two.
    pub fn add(&mut self, text: impl Into<String>) -> Result<(), Error> {
        let text = text.into();
        let depth = json::depth(&text);
        let source = with_stack(depth, || {
            SchemaText::try_new(text, |text| {
                let mut schemas = schema::Schemas::new();
                schemas.add(text)?;
                Ok(schemas.into_index())
            })
        })?;
        self.sources.push(Arc::new(source));
        self.depth = self.depth.max(depth);
        Ok(())
    }

    /// Adds schemas like [`add`](Self::add), from the bytes of a file: UTF-8 or UTF-16, possibly compressed by gzip.
    ///
    /// # Errors
    /// Returns an error if reading fails, or the text is not JSON, or is neither of the two.
    pub fn add_from_reader(&mut self, mut reader: impl Read) -> Result<(), Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        self.add(decode(bytes)?)
    }

    /// Whether no schemas were added.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns the nesting of the most deeply nested schemas.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the schemas for a document: these, followed by those that the document contains.
    pub(super) fn with<'s>(&'s self, contained: &SchemaIndex<'s>) -> schema::Schemas<'s> {
        let mut schemas = schema::Schemas::new();
        for source in &self.sources {
            schemas.add_index(source.borrow_dependent());
        }
        schemas.add_index(contained);
        schemas
    }
}

/// Returns the index of the schemas that a document contains.
pub(super) fn contained(schemas: Option<json::Raw<'_>>) -> Result<SchemaIndex<'_>, Error> {
    let mut read = schema::Schemas::new();
    if let Some(schemas) = schemas {
        read.add_provider_schemas(schemas)?;
    }
    Ok(read.into_index())
}
