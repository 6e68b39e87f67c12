//! Gives the browser details about the objects of plans, which are read when they are requested.

use std::cell::OnceCell;
use std::path::PathBuf;

use anyhow::bail;
use bumpalo::Bump;

use super::viewed;
use crate::browse::{Details, ObjectDetails, ObjectId, ShownValues, SourceFile};
use crate::cli::{Host, messages};
use crate::compare::fingerprint::{Basis, Fingerprint};
use crate::document::PlanDocument;
use crate::report::{Marker, SectionKind};
use crate::review::entry::Entry;
use crate::review::plan::PlanReview;
use crate::review::references::References;
use crate::schema::Schemas;
use crate::show::{self, ChangeTexts};
use crate::term::StyledText;

/// The details about the objects of all plans in the browser.
pub(in crate::cli) struct PlanDetails<'d, 'i> {
    /// The plans, in the order of the document.
    pub(in crate::cli) parts: Vec<PartDetails<'d, 'i>>,
    /// Whether the places of objects are lines of files that can be opened.
    pub(in crate::cli) has_source: bool,
    /// Whether sensitive values are shown.
    pub(in crate::cli) shows_sensitive: bool,
    /// The arena that holds what is read.
    pub(in crate::cli) arena: &'i Bump,
    /// The input and output of the program.
    pub(in crate::cli) host: &'d Host,
}

/// A plan and its review, with what is needed to read more.
pub(in crate::cli) struct PartInput<'d, 'i> {
    /// The plan.
    pub(in crate::cli) document: &'d PlanDocument<'i>,
    /// The review of the plan.
    pub(in crate::cli) review: &'d PlanReview<'d>,
    /// The options with which the tool's text is made.
    pub(in crate::cli) options: show::Options,
    /// A function that returns the schemas of the plan, which are read when they are needed first.
    pub(in crate::cli) schemas: Box<dyn Fn() -> anyhow::Result<&'d Schemas<'i>> + 'd>,
}

/// The details of one plan, each of which is read when it is requested first.
pub(in crate::cli) struct PartDetails<'d, 'i> {
    /// The plan.
    input: PartInput<'d, 'i>,
    /// The tool's texts of the changes.
    texts: OnceCell<ChangeTexts<'d, 'i>>,
    /// The references in its configuration.
    references: OnceCell<References>,
    /// The hash under which marks of this plan are kept.
    identity: OnceCell<String>,
}

impl<'d, 'i> PartDetails<'d, 'i> {
    pub(in crate::cli) fn new(input: PartInput<'d, 'i>) -> Self {
        Self {
            input,
            texts: OnceCell::new(),
            references: OnceCell::new(),
            identity: OnceCell::new(),
        }
    }

    /// Returns the tool's texts of the changes.
    ///
    /// # Errors
    /// If a schema or a value cannot be read.
    fn texts(&self, arena: &'i Bump) -> anyhow::Result<&ChangeTexts<'d, 'i>> {
        if let Some(known) = self.texts.get() {
            return Ok(known);
        }
        let PartInput {
            document, options, ..
        } = &self.input;
        let schemas = (self.input.schemas)()?;
        let made = ChangeTexts::new(&document.plan, schemas, options, arena)?;
        Ok(self.texts.get_or_init(|| made))
    }

    /// Returns the hash under which marks of this plan are kept. It is that of a fingerprint if one can be made, so
    /// that marks stay as long as the plan changes the same; otherwise that of the text.
    fn identity(&self) -> &str {
        self.identity.get_or_init(|| {
            let basis = Basis {
                schemas: false,
                sensitive: false,
            };
            let PlanDocument { plan, text } = self.input.document;
            let made = if plan.saved_plan.is_some() {
                None
            } else {
                Fingerprint::new(plan, &Schemas::new(), basis, &Bump::new()).ok()
            };
            let name = made.map_or_else(|| (*text).to_owned(), |made| made.to_string());
            Marker::identity([name])
        })
    }
}

impl<'d, 'i> PlanDetails<'d, 'i> {
    /// Returns the details of a plan.
    ///
    /// # Errors
    /// If the unit has none, in the words of the browser.
    fn part(&self, part: usize) -> Result<&PartDetails<'d, 'i>, String> {
        self.parts
            .get(part)
            .ok_or_else(|| "there is no plan of this unit".to_owned())
    }

    fn entry(&self, id: ObjectId) -> Option<&'d Entry<'d>> {
        let review: &'d PlanReview<'d> = self.parts.get(id.part)?.input.review;
        review.changes.list(id.list).get(id.index)
    }
}

impl Details for PlanDetails<'_, '_> {
    fn object(&self, id: ObjectId) -> Option<ObjectDetails<'_>> {
        self.entry(id).map(|entry| ObjectDetails {
            address: entry.address,
            module: entry.module_address,
            object_type: entry.resource_type,
            causes: &entry.causes,
        })
    }

    /// Returns the tool's text of one object. Credentials in it are masked unless sensitive values are shown.
    fn text(&self, id: ObjectId, values: ShownValues) -> Result<StyledText, String> {
        let part = self.part(id.part)?;
        let read = || {
            let texts = part.texts(self.arena)?;
            let shows_unchanged = values == ShownValues::All;
            let text = match id.list {
                SectionKind::Resources => texts.resource(id.index, shows_unchanged),
                SectionKind::Drift => texts.drift(id.index, shows_unchanged),
                SectionKind::Deferred => texts.deferred(id.index, shows_unchanged),
                SectionKind::Invocations => texts.invocation(id.index),
                SectionKind::Outputs => texts.outputs(),
                SectionKind::DeferredInvocations => {
                    bail!("the tools print no text of actions that are deferred")
                }
            };
            Ok(text?)
        };
        let text = read().map_err(|error| messages::chain(&error))?;
        Ok(if self.shows_sensitive {
            text
        } else {
            part.input.review.masked(id.list, id.index, &text)
        })
    }

    fn outputs(&self, part: usize) -> Result<StyledText, String> {
        let part = self.part(part)?;
        let texts = part
            .texts(self.arena)
            .and_then(|texts| Ok(texts.outputs()?));
        let text = texts.map_err(|error| messages::chain(&error))?;
        Ok(if self.shows_sensitive {
            text
        } else {
            part.input
                .review
                .masked(SectionKind::Outputs, usize::MAX, &text)
        })
    }

    fn source(&self, id: ObjectId) -> Result<SourceFile, String> {
        let place = self.entry(id).and_then(|entry| entry.source.as_ref());
        match place {
            Some(place) if self.has_source => Ok(SourceFile {
                path: PathBuf::from(&*place.file),
                line: place.line,
            }),
            Some(place) => Err(format!(
                "{} of the saved plan: --source DIR finds it in the files",
                place.text()
            )),
            None if self.has_source => Err("it is not in the files of --source".to_owned()),
            None => Err("--source DIR finds where it is written".to_owned()),
        }
    }

    fn references(&self, part: usize) -> Result<&References, String> {
        let part = self.part(part)?;
        let read = || References::of_plan(&part.input.document.plan);
        Ok(part.references.get_or_init(read))
    }

    fn viewed(&self, part: usize) -> Vec<String> {
        // Only if there are any marks is the plan hashed to find its own.
        let has_marks = viewed::folder(self.host).is_some_and(|folder| folder.is_dir());
        match self.part(part) {
            Ok(part) if has_marks => viewed::read(part.identity(), self.host),
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    fn keep_viewed(&self, part: usize, entries: &[String]) -> Result<(), String> {
        let identity = self.part(part)?.identity();
        viewed::keep(identity, entries, self.host).map_err(|error| messages::chain(&error))
    }
}

/// The details of a comparison, which has none beyond its lines.
pub(in crate::cli) struct OnlyLines;

/// The answer to any question about details of a comparison.
const NO_MORE: &str = "a comparison has no more about this";

impl Details for OnlyLines {
    fn object(&self, _: ObjectId) -> Option<ObjectDetails<'_>> {
        None
    }

    fn text(&self, _: ObjectId, _: ShownValues) -> Result<StyledText, String> {
        Err(NO_MORE.to_owned())
    }

    fn outputs(&self, _: usize) -> Result<StyledText, String> {
        Err(NO_MORE.to_owned())
    }

    fn source(&self, _: ObjectId) -> Result<SourceFile, String> {
        Err(NO_MORE.to_owned())
    }

    fn references(&self, _: usize) -> Result<&References, String> {
        Err(NO_MORE.to_owned())
    }

    fn viewed(&self, _: usize) -> Vec<String> {
        Vec::new()
    }

    fn keep_viewed(&self, _: usize, _: &[String]) -> Result<(), String> {
        Err("marks are kept for plans, not for comparisons".to_owned())
    }
}
