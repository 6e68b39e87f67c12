//! Plans: each is read once, and written as the tools write it.
//!
//! A plan owns its text and the results of parsing it. A clone shares both.

use std::fmt;
use std::io::{Read, Write};
use std::sync::Arc;

use bumpalo::Bump;
use self_cell::self_cell;

use super::diff::{self, ResourceDiff};
use super::schemas::contained;
use super::text::{Format, StyledText};
use super::text_options::TextOptions;
use super::tool_text::ToolText;
use super::{Error, Schemas, check, decode, with_stack};
use crate::dialect::Tool;
use crate::document::{PlanDocument, may_change};
use crate::input::kind::DocumentKind;
use crate::json;
use crate::model;
use crate::schema::{self, SchemaIndex};
use crate::show;
use crate::term::Out;

self_cell!(
    struct PlanCell {
        owner: PlanOwner,
        #[covariant]
        dependent: ParsedPlan,
    }
);

/// The data that a parsed plan borrows from.
struct PlanOwner {
    text: String,
    schemas: Schemas,
    /// The nesting of the text and the schemas.
    depth: usize,
}

/// A parsed plan, with the schemas that its document contains.
pub(super) struct ParsedPlan<'a> {
    document: PlanDocument<'a>,
    /// The schemas in the document.
    contained: SchemaIndex<'a>,
}

/// A plan, with the schemas that are used for it.
///
/// It owns its text, is parsed once, and can be sent to and shared by threads. A clone is cheap.
///
/// ```
/// # fn main() -> Result<(), tfview::Error> {
/// use tfview::{Plan, Schemas};
///
/// let plan = Plan::parse(r#"{"format_version":"1.2","resource_changes":[]}"#, &Schemas::new())?;
/// assert!(!plan.has_changes()?);
/// assert!(Plan::parse("{}", &Schemas::new()).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Plan(Arc<PlanCell>);

impl fmt::Debug for Plan {
    /// Writes the type and counts without values, which may be sensitive.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("bytes", &self.json().len())
            .field("changes", &self.plan().resource_changes.len())
            .finish_non_exhaustive()
    }
}

impl Plan {
    /// Parses the output of `terraform show -json PLAN` or `tofu show -json PLAN`.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, not a plan, or has a newer major version of the format.
    pub fn parse(text: impl Into<String>, schemas: &Schemas) -> Result<Self, Error> {
        Self::new(text.into(), schemas).and_then(Self::checked)
    }

    /// Parses a plan in a message. Its version is not checked, because it is that of the messages.
    pub(super) fn of_message(text: &str, schemas: &Schemas) -> Result<Self, Error> {
        Self::new(text.to_owned(), schemas)
    }

    /// Checks the kind and the version of the document.
    fn checked(self) -> Result<Self, Error> {
        let version = &self.plan().format_version;
        check(self.json(), version, DocumentKind::Plan)?;
        Ok(self)
    }

    /// Reads a plan from bytes: JSON in UTF-8 or UTF-16, possibly compressed by gzip; or a saved plan
    /// (`plan -out=FILE`, feature `saved`).
    ///
    /// The facts that a saved plan lacks come from `schemas`. A value of a type without a schema then counts as
    /// sensitive.
    ///
    /// # Errors
    /// Returns the errors of [`parse`](Self::parse), and an error if the bytes are not text, or are a saved plan that
    /// cannot be read.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>, schemas: &Schemas) -> Result<Self, Error> {
        let bytes = bytes.into();
        #[cfg(feature = "saved")]
        if crate::saved::is_archive(&bytes) {
            return Self::parse(super::saved::plan(&bytes, schemas)?, schemas);
        }
        Self::parse(decode(bytes)?, schemas)
    }

    /// Reads a plan like [`from_bytes`](Self::from_bytes), from a file or another reader, which is read to its end.
    ///
    /// # Errors
    /// Returns the errors of [`from_bytes`](Self::from_bytes), and an error if reading fails.
    pub fn from_reader(mut reader: impl Read, schemas: &Schemas) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        Self::from_bytes(bytes, schemas)
    }

    /// Parses a plan on a stack that suffices for its depth.
    fn new(text: String, schemas: &Schemas) -> Result<Self, Error> {
        let depth = json::depth(&text).max(schemas.depth());
        let owner = PlanOwner {
            text,
            schemas: schemas.clone(),
            depth,
        };
        let cell = with_stack(depth, || {
            PlanCell::try_new(owner, |owner| {
                let document = PlanDocument::parse(&owner.text)?;
                let contained = contained(document.plan.provider_schemas)?;
                Ok::<_, Error>(ParsedPlan {
                    document,
                    contained,
                })
            })
        })?;
        Ok(Self(Arc::new(cell)))
    }

    /// Returns the text of the JSON. For a saved plan, it is what `show -json` writes, as far as the file contains it.
    pub fn json(&self) -> &str {
        &self.0.borrow_owner().text
    }

    /// Returns the tool that wrote the plan, if it is known.
    pub fn tool(&self) -> Option<Tool> {
        Tool::from_plan(self.plan())
    }

    /// Returns the version of the tool; empty if the plan does not contain it.
    pub fn tool_version(&self) -> &str {
        &self.plan().terraform_version
    }

    /// Returns the time of planning, in RFC 3339; empty if the plan does not contain it.
    pub fn timestamp(&self) -> &str {
        &self.plan().timestamp
    }

    /// Whether planning failed, so that the plan is not complete.
    pub fn is_errored(&self) -> bool {
        self.plan().errored
    }

    /// Whether an apply has or may have something to do: changes of resources or outputs, or actions to invoke. A plan
    /// that failed, is not complete or defers changes does not prove that nothing changes.
    ///
    /// # Errors
    /// Returns an error if a value of the plan is malformed.
    pub fn has_changes(&self) -> Result<bool, Error> {
        with_stack(self.depth(), || {
            let options = self.text_options(&TextOptions::default());
            Ok(may_change(self.plan(), &options)?)
        })
    }

    /// Compares each planned change that the tools' text lists, in the order of the plan. Like the tools, this compares
    /// values by the layout of their schemas; the edits of a review are smaller.
    ///
    /// # Errors
    /// Returns an error if a value or a schema is malformed.
    pub fn resource_diffs(&self) -> Result<Vec<ResourceDiff>, Error> {
        with_stack(self.depth(), || {
            let dialect = self.text_options(&TextOptions::default()).dialect;
            let arena = Bump::new();
            diff::of_plan(self.plan(), &self.schemas(), dialect, &arena)
        })
    }

    /// Returns the text that `terraform show` and `tofu show` print, as styled spans.
    ///
    /// # Errors
    /// Returns an error if a value or a schema is malformed.
    pub fn text(&self, options: &TextOptions) -> Result<StyledText, Error> {
        self.styled_text(options)
    }

    /// Writes the text that `terraform show` and `tofu show` print. [`Format::Text`] and [`Format::StyledText`] are
    /// written while the text is made; the other formats are those of [`StyledText::write`].
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

    pub(super) fn document(&self) -> &PlanDocument<'_> {
        &self.0.borrow_dependent().document
    }

    pub(super) fn plan(&self) -> &model::plan::Plan<'_> {
        &self.document().plan
    }

    /// Returns the schemas for one use of the plan. The returned value caches the layouts that are looked up.
    pub(super) fn schemas(&self) -> schema::Schemas<'_> {
        self.0
            .borrow_owner()
            .schemas
            .with(&self.0.borrow_dependent().contained)
    }

    /// Whether schemas were given, besides those in the plan.
    pub(super) fn has_schemas(&self) -> bool {
        !self.0.borrow_owner().schemas.is_empty()
    }
}

impl ToolText for Plan {
    fn depth(&self) -> usize {
        self.0.borrow_owner().depth
    }

    fn text_options(&self, options: &TextOptions) -> show::Options {
        let dialect = show::plan_dialect(self.plan(), options.dialect(), || None);
        options.for_dialect(dialect)
    }

    fn show(&self, options: &show::Options, out: &mut Out<'_>) -> Result<(), Error> {
        let arena = Bump::new();
        show::plan(self.plan(), &self.schemas(), options, out, &arena)?;
        Ok(())
    }
}
