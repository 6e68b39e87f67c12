//! Reads the documents that the display of a run needs besides its messages, and the schemas for all of them.

use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use bumpalo::Bump;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Host;
#[cfg(feature = "browse")]
use super::browse::{self, Ending, PartDetails, PartInput, PlanDetails};
use super::input::{Document, Source};
use super::messages::chain;
use super::processes::private_file;
use super::reader::Reader;
use super::schemas::{self, StoredSchemas};
use super::settings::Settings;
use super::show::{options, plan_options};
use super::tool_command::{SchemaSource, ToolCommand};
#[cfg(feature = "browse")]
use crate::dialect::Dialect;
use crate::diff::parallel::Storage;
use crate::document::{PlanDocument, ReviewArena};
use crate::json::{Raw, Str};
use crate::model::plan::{Change, Plan};
use crate::model::state::StateDocument;
use crate::page::Fragment;
use crate::review::build::{ReadOptions, ReviewInputs};
use crate::review::findings::Rules;
use crate::review::plan::PlanReview;
use crate::review::{self, formats};
use crate::schema::Schemas;
use crate::show;
use crate::stream::{DocumentError, Documents, Expected};
use crate::term::Out;

/// The view of a plan during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanView {
    Text,
    Review,
    Nothing,
}

/// The plan that the tool saves in a command of `run`.
#[derive(Debug)]
pub(super) struct SavedPlan {
    /// The command that prints it as JSON.
    pub(super) show: ToolCommand,
    /// The source of schemas that tfview does not have.
    pub(super) schemas: SchemaSource,
    /// The view in which the plan is shown.
    pub(super) view: PlanView,
    /// Whether the command is `apply` or `destroy`.
    pub(super) applies: bool,
    /// The JSON of the plan, after it was read.
    pub(super) text: Option<String>,
    /// The facts about the plan, after it was read.
    pub(super) facts: Option<Facts>,
}

/// The facts about a saved plan that decide how it is applied.
#[derive(Debug)]
pub(super) struct Facts {
    /// Whether an apply would do anything.
    pub(super) is_applyable: bool,
    /// Whether the plan has ephemeral variables, whose values a saved plan does not keep.
    pub(super) has_ephemeral_variables: bool,
    /// The tool that made the plan, with its release.
    pub(super) dialect: Dialect,
    /// Whether its text or its review was shown.
    pub(super) is_shown: bool,
    /// The text of the review, ready to be printed.
    pub(super) review: Vec<u8>,
}

/// The documents that a display reads besides its input.
#[derive(Debug)]
pub(super) struct Files<'e> {
    /// The settings with which they are shown.
    pub(super) settings: Settings,
    /// The input and output of the program.
    pub(super) host: &'e Host,
    /// The files of `--schemas`.
    schemas: Vec<Document>,
    /// The file of `--plan`.
    plan: Option<Document>,
    /// The plan that the tool saves.
    pub(super) saved: Option<SavedPlan>,
}

/// A parsed plan with its schemas.
struct OpenPlan<'r, 'a> {
    /// The name of the plan, for messages.
    name: &'r str,
    /// The plan.
    document: &'r PlanDocument<'a>,
    /// The schemas that are given, stored, and obtained from the tool.
    schemas: &'r Schemas<'a>,
    /// The arena that holds what is read of the plan.
    arena: &'a Bump,
    /// The memory for comparisons.
    storage: &'a mut Storage,
}

impl<'a> OpenPlan<'_, 'a> {
    /// Reviews the plan with the built-in rules.
    ///
    /// # Errors
    /// If a value or a schema cannot be read.
    fn review(self, settings: &Settings) -> anyhow::Result<PlanReview<'a>> {
        let Self {
            name,
            document,
            schemas,
            arena,
            storage,
        } = self;
        let rules = Rules::built_in();
        let show_sensitive = settings.show_sensitive;
        let options = ReadOptions {
            rules: Some(&rules),
            show_sensitive,
            ..ReadOptions::default()
        };
        let reviewed = document
            .context(schemas, false, false, arena)
            .and_then(|context| {
                let inputs = ReviewInputs {
                    options,
                    context,
                    ..ReviewInputs::new(name, document.text, &document.plan, schemas)
                };
                PlanReview::new(inputs, arena, storage)
            });
        reviewed.map_err(|error| anyhow!("cannot read {name}: {error}"))
    }
}

/// Whether planning failed before there was any change.
fn has_failed_with_nothing(plan: &Plan<'_>) -> bool {
    plan.errored && plan.resource_changes.is_empty() && plan.output_changes.is_empty()
}

impl<'e> Files<'e> {
    /// Reads the files of `--schemas` and `--plan`. A file that cannot be read is reported and left out, because the
    /// viewer must not make a run fail.
    pub(super) fn read(settings: Settings, plan: Option<&Path>, host: &'e Host) -> Self {
        let schemas = schemas::read(&settings.schemas, host).unwrap_or_else(|error| {
            host.warning(&format!(
                "the run is shown without schemas: {}",
                chain(&error)
            ));
            Vec::new()
        });
        let reader = Reader {
            schema_files: &schemas,
            settings: &settings,
            host,
        };
        let plan = plan.map(|path| reader.read(Source::File(path.to_owned())));
        let plan = plan.transpose().unwrap_or_else(|error| {
            note_missing_plan(&error, host);
            None
        });
        Self {
            settings,
            host,
            schemas,
            plan,
            saved: None,
        }
    }

    /// Returns what the file of `--plan` lets one expect of the run; `None` without a plan that can be read.
    pub(super) fn expected(&mut self) -> Option<Expected> {
        let document = self.plan.as_ref()?;
        match Plan::parse(document.text()) {
            Ok(plan) => Some(Expected::new(&plan)),
            Err(error) => {
                note_missing_plan(&document.fault(&error), self.host);
                self.plan = None;
                None
            }
        }
    }

    /// Parses a plan, collects its schemas, and passes both to `then`.
    ///
    /// # Errors
    /// If the plan or a schema cannot be read, or `then` fails.
    fn open<T>(
        &self,
        name: &str,
        text: &str,
        then: impl for<'a> FnOnce(OpenPlan<'_, 'a>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let ReviewArena { arena, mut storage } = ReviewArena::default();
        let document =
            PlanDocument::parse(text).map_err(|error| anyhow!("cannot read {name}: {error}"))?;
        let plan = &document.plan;
        let stored_schemas = StoredSchemas::for_plan(plan, &self.settings, self.host);
        stored_schemas.note(self.host);
        let mut schemas = schemas::available_schemas(
            &self.schemas,
            plan.provider_schemas,
            Some(&stored_schemas),
            name,
        )?;
        let ask = |saved: &SavedPlan| {
            saved
                .schemas
                .schemas(plan, (&schemas, &arena), &self.settings, self.host)
        };
        let asked = self.saved.as_ref().map_or_else(Vec::new, ask);
        for asked in &asked {
            schemas
                .add(asked)
                .map_err(|error| anyhow!("cannot read the schemas of the tool: {error}"))?;
        }
        let storage = &mut storage;
        then(OpenPlan {
            name,
            document: &document,
            schemas: &schemas,
            arena: &arena,
            storage,
        })
    }

    /// Writes the text of a plan as the tool does.
    fn show_plan(&self, text: &str, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        self.open(
            "the plan",
            text,
            |OpenPlan {
                 document,
                 schemas,
                 arena,
                 ..
             }| {
                show::plan(
                    &document.plan,
                    schemas,
                    &options(&self.settings, dialect),
                    out,
                    arena,
                )?;
                Ok(())
            },
        )
    }

    /// Reads the plan that the tool has saved, shows it in its view, and keeps facts about it.
    ///
    /// # Errors
    /// If the tool cannot print the plan, or the plan cannot be read.
    pub(super) fn show_saved_plan(
        &mut self,
        dialect: Option<Dialect>,
        out: &mut Out<'_>,
    ) -> anyhow::Result<()> {
        let saved = self.saved.as_ref().context("no plan was saved")?;
        let text = saved.show.json("show -json", self.host)?;
        let settings = &self.settings;
        let facts = self.open("the plan", &text, |open| {
            let plan = &open.document.plan;
            let dialect = dialect.unwrap_or_else(|| {
                show::plan_dialect(plan, settings.dialect, || saved.show.known_tool())
            });
            let options = options(settings, dialect);
            let mut facts = Facts::new(plan, &options, saved.view != PlanView::Nothing)?;
            match saved.view {
                // For `apply`, the tools print a plan whose planning failed only if it has changes.
                PlanView::Text if saved.applies && has_failed_with_nothing(plan) => {}
                PlanView::Text => {
                    show::plan(plan, open.schemas, &options, out, open.arena)?;
                }
                PlanView::Review => {
                    let Settings {
                        width,
                        wraps,
                        colour,
                        ..
                    } = *settings;
                    let options = review::Options {
                        width,
                        wraps,
                        ..review::Options::default()
                    };
                    let (reviews, ci) = ([open.review(settings)?], out.mode().ci);
                    formats::terminal(&reviews, &options, colour, ci, None, &mut facts.review)?;
                }
                PlanView::Nothing => {}
            }
            Ok(facts)
        })?;
        if let Some(saved) = &mut self.saved {
            (saved.text, saved.facts) = (Some(text), Some(facts));
        }
        Ok(())
    }

    /// Lets the reader browse the plan that the tool has saved. If `asks`, the reader also answers whether the plan is
    /// applied.
    #[cfg(feature = "browse")]
    pub(super) fn browse_saved_plan(&self, asks: bool) -> anyhow::Result<Ending> {
        let saved = self.saved.as_ref().context("no plan was saved")?;
        let text = saved.text.as_deref().context("the plan was not read")?;
        let (settings, host) = (&self.settings, self.host);
        self.open("the plan", text, |open| {
            let OpenPlan {
                document,
                schemas,
                arena,
                ..
            } = open;
            let tool = || saved.show.known_tool();
            let text_options = plan_options(&document.plan, settings, tool);
            let reviews = [open.review(settings)?];
            let options = review::Options {
                width: browse::WIDTH,
                wraps: true,
                ..review::Options::default()
            };
            let report = formats::document(&reviews, &options);
            let [review] = &reviews;
            let details = PlanDetails {
                parts: vec![PartDetails::new(PartInput {
                    document,
                    review,
                    options: text_options,
                    schemas: Box::new(|| Ok(schemas)),
                })],
                has_source: false,
                shows_sensitive: settings.show_sensitive,
                arena,
                host,
            };
            browse::walk(&report, &details, asks, settings, host)
        })
    }

    /// Leaves the saved plan out of what is shown from now on.
    pub(super) fn hide_saved_plan(&mut self) {
        if let Some(saved) = &mut self.saved {
            saved.view = PlanView::Nothing;
        }
    }

    /// Makes the review of the plan for the page of a run; `None` without a plan.
    pub(super) fn plan_review(&self) -> anyhow::Result<Option<Fragment>> {
        let (name, text) = match (&self.saved, &self.plan) {
            (Some(saved), _) => ("the plan".to_owned(), saved.text.as_deref()),
            (None, Some(document)) => (document.source().to_string(), Some(document.text())),
            (None, None) => return Ok(None),
        };
        let Some(text) = text else { return Ok(None) };
        let fragment = self.open(&name, text, |open| {
            let plan = &open.document.plan;
            let text_options = plan_options(plan, &self.settings, || None);
            let texts = show::plan_texts(plan, open.schemas, &text_options, false, open.arena)?;
            let options = review::Options {
                width: self.settings.width,
                ..review::Options::default()
            };
            let review = open.review(&self.settings)?;
            Ok(Fragment::new(|html| {
                formats::html_part(html, &review, &texts, &options);
            }))
        })?;
        Ok(Some(fragment))
    }
}

fn note_missing_plan(error: &anyhow::Error, host: &Host) {
    host.warning(&format!(
        "the run is shown without its plan: {}",
        chain(error)
    ));
}

impl Facts {
    /// Reads the facts from a plan.
    fn new(plan: &Plan<'_>, options: &show::Options, is_shown: bool) -> anyhow::Result<Self> {
        /// The names of variables; their values are not read.
        type Names<'a> = HashMap<Str<'a>, IgnoredAny>;
        /// The part of a configuration that is read.
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Configuration<'a> {
            #[serde(borrow)]
            root_module: RootModule<'a>,
        }
        /// The part of the root module that is read.
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct RootModule<'a> {
            #[serde(borrow)]
            variables: Names<'a>,
        }
        let given: Option<Names<'_>> = plan.variables.map(|raw| raw.read()).transpose()?;
        let given = given.unwrap_or_default();
        let declared: Option<Configuration<'_>> =
            plan.configuration.map(|raw| raw.read()).transpose()?;
        let declared = declared.unwrap_or_default().root_module.variables;
        Ok(Self {
            // Not all tools and releases write `applyable`.
            is_applyable: plan
                .applyable
                .map_or_else(|| show::has_changes(plan, options), Ok)?,
            has_ephemeral_variables: declared.keys().any(|name| !given.contains_key(name)),
            dialect: options.dialect,
            is_shown,
            review: Vec::new(),
        })
    }
}

impl Documents for Files<'_> {
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> Result<(), DocumentError> {
        match &self.saved {
            Some(saved) if saved.view == PlanView::Nothing => Ok(()),
            Some(_) => Ok(self.show_saved_plan(Some(dialect), out)?),
            None => {
                let document = self.plan.as_ref().context("there is none")?;
                Ok(self.show_plan(document.text(), dialect, out)?)
            }
        }
    }

    fn plan(
        &mut self,
        plan: Raw<'_>,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError> {
        Ok(self.show_plan(plan.text(), dialect, out)?)
    }

    /// Writes the text of a state as the tool does.
    fn state(
        &mut self,
        state: Raw<'_>,
        dialect: Dialect,
        out: &mut Out<'_>,
    ) -> Result<(), DocumentError> {
        let arena = Bump::new();
        let document: StateDocument<'_> = state.read().map_err(|error| anyhow!("{error}"))?;
        let stored_schemas = StoredSchemas::for_state(&document, &self.settings, self.host);
        stored_schemas.note(self.host);
        let own = document.provider_schemas;
        let schemas =
            schemas::available_schemas(&self.schemas, own, Some(&stored_schemas), "the state")?;
        show::state(
            &document,
            None,
            &schemas,
            &options(&self.settings, dialect),
            out,
            &arena,
        )?;
        Ok(())
    }

    fn difference(
        &mut self,
        change: &Change<'_>,
        dialect: Dialect,
        colour: bool,
    ) -> Result<String, DocumentError> {
        let show_sensitive = self.settings.show_sensitive;
        Ok(show::difference(change, dialect, show_sensitive, colour)?)
    }

    fn rescue(&mut self, state: &str) -> Result<String, DocumentError> {
        Ok(self.save_state(state)?)
    }
}

impl Files<'_> {
    /// Saves a state that the tool could not save, and returns the name of the file. Only the user can read the file,
    /// and no existing file is overwritten.
    ///
    /// # Errors
    /// If the file cannot be written, or all names are in use.
    fn save_state(&self, state: &str) -> anyhow::Result<String> {
        /// The maximum number of file names that are tried.
        const NAMES: u32 = 100;
        for number in 0..NAMES {
            let name = match number {
                0 => "errored.tfview.tfstate".to_owned(),
                _ => format!("errored.tfview.{number}.tfstate"),
            };
            match private_file(Path::new(&name)) {
                Ok(mut file) => {
                    file.write_all(state.as_bytes())
                        .and_then(|()| file.sync_all())
                        .context(name.clone())?;
                    return Ok(name);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(anyhow!(error).context(name)),
            }
        }
        self.host
            .note("this folder already has many states that could not be saved");
        Err(anyhow!("no unused file name"))
    }
}
