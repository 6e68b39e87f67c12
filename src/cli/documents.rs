//! The documents for a stream: the plan given with it, those in its messages, and the schemas for both.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use bumpalo::Bump;

use crate::dialect::Dialect;
use crate::diff::Differ;
use crate::diff::parallel::Storage;
use crate::diff::{self, Paths};
use crate::json::Raw;
use crate::model::plan::{Change, Plan};
use crate::model::state::StateDocument;
use crate::page::Fragment;
use crate::render;
use crate::schema::Schemas;
use crate::show::{self, Options};
use crate::stream::{Documents, Expected};
use crate::term::{Out, capture};

use super::cache::Cached;
use super::input::{Document, Reader, Source};
use super::message::chain;
use super::page::{self, RunPlan};
use super::run::SavedPlan;
use super::settings::Settings;
use super::{Host, private, schemas};

/// The number of file names that are tried to save a state.
const NAMES: u32 = 100;

/// Documents from files.
#[derive(Debug)]
pub(super) struct Files<'e> {
    pub(super) settings: Settings,
    pub(super) host: &'e Host,
    schemas: Vec<Document>,
    plan: Option<Document>,
    /// The plan that the tool has saved, instead of a file.
    pub(super) saved: Option<SavedPlan>,
    /// The notes about cached schemas that have been written.
    noted: RefCell<BTreeSet<String>>,
}

impl<'e> Files<'e> {
    /// Reads the schemas, and the plan if there is one. Files that cannot be read are reported and left out,
    /// because the viewer must not make a run fail.
    pub(super) fn read(settings: &Settings, plan: Option<&Path>, host: &'e Host) -> Self {
        let schemas = schemas::read(&settings.schemas, host).unwrap_or_else(|error| {
            host.warning(&format!("the run is shown without schemas: {}", chain(&error)));
            Vec::new()
        });
        let plan = plan.and_then(|path| {
            match (Reader { schema_files: &schemas, settings, host }).read(Source::File(path.to_owned())) {
                Ok(document) => Some(document),
                Err(error) => {
                    host.warning(&format!("the run is shown without its plan: {}", chain(&error)));
                    None
                }
            }
        });
        Self { settings: settings.clone(), host, schemas, plan, saved: None, noted: RefCell::default() }
    }

    /// The changes of the given plan.
    pub(super) fn expected(&mut self) -> Option<Expected> {
        let document = self.plan.as_ref()?;
        match Plan::parse(document.text()) {
            Ok(plan) => Some(Expected::new(&plan)),
            Err(error) => {
                let error = document.fault(&error);
                self.host.warning(&format!("the run is shown without its plan: {}", chain(&error)));
                self.plan = None;
                None
            }
        }
    }

    fn options(&self, dialect: Dialect) -> Options {
        super::show::options(&self.settings, dialect)
    }

    /// The given schemas, the stored ones, and those embedded in a document.
    pub(super) fn schemas<'s>(
        &'s self,
        own: Option<Raw<'s>>,
        cached: &'s Cached,
    ) -> anyhow::Result<Schemas<'s>> {
        let mut schemas = Schemas::new();
        schemas::add(&mut schemas, &self.schemas)?;
        cached.add_to(&mut schemas);
        if let Some(own) = own {
            let added = schemas.add_provider_schemas(own);
            added.map_err(|error| anyhow!("cannot read the document's schemas: {error}"))?;
        }
        Ok(schemas)
    }

    fn note(&self, cached: &Cached) {
        for note in &cached.notes {
            if self.noted.borrow_mut().insert(note.clone()) {
                self.host.note(note);
            }
        }
    }

    fn show_plan(&self, text: &str, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        let arena = Bump::new();
        let plan = Plan::parse(text).map_err(|error| anyhow!("{error}"))?;
        let cached = Cached::for_plan(&plan, &self.settings, self.host);
        self.note(&cached);
        let schemas = self.schemas(plan.provider_schemas, &cached)?;
        show::plan(&plan, &schemas, &self.options(dialect), out, &arena)?;
        Ok(())
    }

    /// The review of the run's plan, as a part of a page; `None` without a plan.
    pub(super) fn plan_review(&self) -> anyhow::Result<Option<Fragment>> {
        if let Some(saved) = &self.saved {
            return Ok(saved.page_review.clone());
        }
        let Some(document) = &self.plan else { return Ok(None) };
        let (arena, mut storage) = (Bump::new(), Storage::default());
        let text = document.text();
        let plan = Plan::parse(text).map_err(|error| document.fault(&error))?;
        let cached = Cached::for_plan(&plan, &self.settings, self.host);
        self.note(&cached);
        let schemas = self.schemas(plan.provider_schemas, &cached)?;
        let name = document.source().to_string();
        let plan = RunPlan { name: &name, text, plan: &plan, schemas: &schemas };
        page::review(&plan, &self.settings, &arena, &mut storage).map(Some)
    }
}

impl Documents for Files<'_> {
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        if let Some(saved) = &self.saved {
            return if saved.is_shown() { self.show_saved_plan(Some(dialect), out) } else { Ok(()) };
        }
        let document = self.plan.as_ref().context("there is none")?;
        self.show_plan(document.text(), dialect, out)
    }

    fn plan(&mut self, plan: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        self.show_plan(plan.text(), dialect, out)
    }

    fn state(&mut self, state: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        let arena = Bump::new();
        let document: StateDocument<'_> = state.read().map_err(|error| anyhow!("{error}"))?;
        let cached = Cached::for_state(&document, &self.settings, self.host);
        self.note(&cached);
        let schemas = self.schemas(document.provider_schemas, &cached)?;
        show::state(&document, None, &schemas, &self.options(dialect), out, &arena)?;
        Ok(())
    }

    fn difference(&mut self, change: &Change<'_>, dialect: Dialect, colour: bool) -> anyhow::Result<String> {
        let arena = Bump::new();
        let cursor = diff::Cursor::new(change, Paths::Always, &arena)?.checked(change.size())?;
        let diff = Differ::new(&arena, dialect).output(cursor);
        let context =
            render::Context { show_sensitive: self.settings.show_sensitive, ..render::Context::default() };
        Ok(capture(colour, |out| render::diff(out, &diff, context))?)
    }

    /// Saves the state in the working directory, as the tools do with a state that they cannot save. The
    /// file is readable only by its owner, and existing files are never overwritten.
    fn rescue(&mut self, state: &str) -> anyhow::Result<String> {
        for number in 0..NAMES {
            let name = match number {
                0 => "errored.tfview.tfstate".to_owned(),
                _ => format!("errored.tfview.{number}.tfstate"),
            };
            match private::new_file(Path::new(&name)) {
                Ok(mut file) => {
                    file.write_all(state.as_bytes()).and_then(|()| file.sync_all()).context(name.clone())?;
                    return Ok(name);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(anyhow!(error).context(name)),
            }
        }
        self.host.note("this folder already has many states that could not be saved");
        Err(anyhow!("no unused file name"))
    }
}
