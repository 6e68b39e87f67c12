//! States: each is read once, and written as the tools write it.
//!
//! A state owns its text and the results of parsing it. A clone shares both.

use std::fmt;
use std::io::{Read, Write};
use std::sync::Arc;

use bumpalo::Bump;
use self_cell::self_cell;

use super::schemas::contained;
use super::text::{Format, StyledText};
use super::text_options::TextOptions;
use super::tool_text::ToolText;
use super::{Error, Schemas, check, decode, with_stack};
use crate::input::kind::DocumentKind;
use crate::json;
use crate::model::state::{Module, StateDocument};
use crate::schema::SchemaIndex;
use crate::show;
use crate::term::Out;

self_cell!(
    struct StateCell {
        owner: StateOwner,
        #[covariant]
        dependent: ParsedState,
    }
);

/// The data that a parsed state borrows from.
struct StateOwner {
    text: String,
    schemas: Schemas,
    depth: usize,
}

/// A parsed state, with the schemas that its document contains.
struct ParsedState<'a> {
    document: StateDocument<'a>,
    /// The schemas in the document.
    contained: SchemaIndex<'a>,
}

/// A state, with the schemas that are used for it.
///
/// It owns its text, is parsed once, and can be sent to and shared by threads. A clone is cheap.
///
/// ```
/// # fn main() -> Result<(), tfview::Error> {
/// use tfview::{Format, Schemas, State, TextOptions};
///
/// let state = State::parse(r#"{"format_version":"1.0","values":{"outputs":{
///     "region":{"sensitive":false,"value":"eu-west-1","type":"string"}}}}"#, &Schemas::new())?;
/// let mut text = Vec::new();
/// state.write_text(Format::Text, &TextOptions::default(), &mut text)?;
/// assert!(String::from_utf8_lossy(&text).contains("region = \"eu-west-1\""));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct State(Arc<StateCell>);

impl fmt::Debug for State {
    /// Writes the type and the size without values, which may be sensitive.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("bytes", &self.json().len())
            .finish_non_exhaustive()
    }
}

/// A resource instance object in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateObject {
    /// The address of the resource instance.
    pub address: String,
    /// The mode: `managed`, `data` or another one.
    pub mode: String,
    /// The resource type.
    pub resource_type: String,
    /// The name of the resource in its module.
    pub name: String,
    /// The source address of the provider.
    pub provider: String,
    /// The key of a deposed object; `None` for the current object.
    pub deposed: Option<String>,
    /// Whether the next apply replaces the object.
    pub is_tainted: bool,
}

impl State {
    /// Parses the output of `terraform show -json` or `tofu show -json`, or a raw state (`terraform.tfstate`,
    /// `state pull`, feature `saved`).
    ///
    /// The facts that a raw state lacks come from `schemas`. A value of a type without a schema then counts as
    /// sensitive.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, not a state, or has a newer major version of the format.
    pub fn parse(text: impl Into<String>, schemas: &Schemas) -> Result<Self, Error> {
        let text = text.into();
        #[cfg(feature = "saved")]
        if let Some(converted) = super::saved::state(&text, schemas)? {
            return Self::new(converted, schemas);
        }
        let state = Self::new(text, schemas)?;
        let version = &state.document().format_version;
        check(state.json(), version, DocumentKind::State)?;
        Ok(state)
    }

    /// Parses a state in a message. Its version is not checked, because it is that of the messages.
    pub(super) fn of_message(text: &str, schemas: &Schemas) -> Result<Self, Error> {
        Self::new(text.to_owned(), schemas)
    }

    /// Reads a state from bytes: UTF-8 or UTF-16, possibly compressed by gzip.
    ///
    /// # Errors
    /// Returns the errors of [`parse`](Self::parse), and an error if the bytes are not text.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>, schemas: &Schemas) -> Result<Self, Error> {
        Self::parse(decode(bytes.into())?, schemas)
    }

    /// Reads a state like [`from_bytes`](Self::from_bytes), from a file or another reader, which is read to its end.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes), and an error if reading fails.
    pub fn from_reader(mut reader: impl Read, schemas: &Schemas) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        Self::from_bytes(bytes, schemas)
    }

    /// Parses a state on a stack that suffices for its depth.
    fn new(text: String, schemas: &Schemas) -> Result<Self, Error> {
        let depth = json::depth(&text).max(schemas.depth());
        let owner = StateOwner {
            text,
            schemas: schemas.clone(),
            depth,
        };
        let cell = with_stack(depth, || {
            StateCell::try_new(owner, |owner| {
                let document: StateDocument<'_> = json::from_str(&owner.text)?;
                let contained = contained(document.provider_schemas)?;
                Ok::<_, Error>(ParsedState {
                    document,
                    contained,
                })
            })
        })?;
        Ok(Self(Arc::new(cell)))
    }

    /// Returns the text of the JSON. For a raw state, it is what `show -json` writes, as far as the file contains it.
    pub fn json(&self) -> &str {
        &self.0.borrow_owner().text
    }

    /// Returns the version of the tool that wrote the state; empty if the state does not contain it.
    pub fn tool_version(&self) -> &str {
        &self.document().terraform_version
    }

    /// Returns the resource instance objects, those of a module before those of the modules that it calls.
    pub fn objects(&self) -> Vec<StateObject> {
        let mut objects = Vec::new();
        let mut modules: Vec<&Module<'_>> = self.document().root().into_iter().collect();
        while let Some(module) = modules.pop() {
            objects.extend(module.resources.iter().map(|resource| StateObject {
                address: resource.address.to_string(),
                mode: resource.mode.to_string(),
                resource_type: resource.resource_type.to_string(),
                name: resource.name.to_string(),
                provider: resource.provider_name.to_string(),
                deposed: Some(resource.deposed_key.to_string()).filter(|key| !key.is_empty()),
                is_tainted: resource.tainted,
            }));
            modules.extend(module.child_modules.iter().rev());
        }
        objects
    }

    /// Returns the text that `terraform show` and `tofu show` print, as styled spans.
    ///
    /// # Errors
    /// Returns an error if a value or a schema is malformed.
    pub fn text(&self, options: &TextOptions) -> Result<StyledText, Error> {
        self.styled_text(options)
    }

    /// Writes the text that `terraform show` and `tofu show` print, in the same way as
    /// [`Plan::write_text`](super::Plan::write_text).
    ///
    /// # Errors
    /// Returns an error if a value or a schema is malformed, or writing fails.
    pub fn write_text(
        &self,
        format: Format,
        options: &TextOptions,
        out: impl Write,
    ) -> Result<(), Error> {
        self.write_tool_text(format, options, out)
    }

    fn document(&self) -> &StateDocument<'_> {
        &self.0.borrow_dependent().document
    }
}

impl ToolText for State {
    fn depth(&self) -> usize {
        self.0.borrow_owner().depth
    }

    fn text_options(&self, options: &TextOptions) -> show::Options {
        let dialect = show::state_dialect(self.document(), options.dialect(), || None);
        options.for_dialect(dialect)
    }

    fn show(&self, options: &show::Options, out: &mut Out<'_>) -> Result<(), Error> {
        let arena = Bump::new();
        let contained = &self.0.borrow_dependent().contained;
        let schemas = self.0.borrow_owner().schemas.with(contained);
        show::state(self.document(), None, &schemas, options, out, &arena)?;
        Ok(())
    }
}
