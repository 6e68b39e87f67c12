//! The temporary saved plan of a run: its content, and its text where the tool prints it.
//!
//! Invariant: a plan that cannot be shown in full does not count as shown.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::cli::Host;
use crate::cli::cache::Cached;
use crate::cli::documents::Files;
use crate::cli::message::chain;
use crate::cli::page::{self, RunDocuments, RunPlan};
use crate::cli::settings::Settings;
use crate::dialect::{Dialect, Tool};
use crate::diff::parallel::Storage;
use crate::json::Raw;
use crate::model::plan::{Change, Plan};
use crate::page::Fragment;
use crate::review;
use crate::review::entry::PlanReview;
use crate::review::plan::ReadOptions;
use crate::schema::Schemas;
use crate::show;
use crate::stream::Documents;
use crate::term::Out;

use super::asked::SchemaSource;
use super::process;

/// How a plan is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanText {
    /// The text that `show` prints.
    Text,
    /// The review.
    Review,
    /// Not at all, because it has already been shown.
    Nothing,
}

/// Facts about a plan that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// Whether there is something to apply.
    pub(super) is_applyable: bool,
    /// Whether it has variables whose values are not in it.
    pub(super) has_ephemeral_variables: bool,
    /// The dialect.
    pub(super) dialect: Dialect,
    /// Whether it was shown in full, as text or review.
    pub(super) is_shown: bool,
    /// The review, to be printed after the end of the tool.
    pub(super) review: Vec<u8>,
    /// The review as a part of a page, if one is made.
    pub(super) page_review: Option<Fragment>,
}

/// The documents of a run with a saved plan.
pub(super) struct PlannedRun<'e> {
    files: Files<'e>,
    settings: Settings,
    host: &'e Host,
    /// The command that prints the plan as JSON.
    show: Vec<OsString>,
    /// The tool, to be asked for schemas that are not known.
    schemas: Option<SchemaSource>,
    view: PlanText,
    /// Whether a page of the run is written, which contains the review of the plan.
    has_page: bool,
    page_review: Option<Fragment>,
    /// The facts; empty until the plan has been read.
    pub(super) facts: Rc<RefCell<Option<Facts>>>,
}

impl<'e> PlannedRun<'e> {
    /// The documents of a run whose plan is printed by the command `show`.
    pub(super) fn new(settings: &Settings, host: &'e Host, show: Vec<OsString>, view: PlanText) -> Self {
        let files = Files::read(settings, None, host);
        Self {
            files,
            settings: settings.clone(),
            host,
            show,
            schemas: None,
            view,
            has_page: false,
            page_review: None,
            facts: Rc::default(),
        }
    }

    /// Sets the tool to be asked for schemas that are not known.
    pub(super) fn asking(self, schemas: SchemaSource) -> Self {
        Self { schemas: Some(schemas), ..self }
    }

    /// Sets whether a page of the run is written.
    pub(super) fn for_page(self, has_page: bool) -> Self {
        Self { has_page, ..self }
    }

    /// Sets the review of the plan, made when it was shown.
    pub(super) fn reviewed(self, page_review: Option<Fragment>) -> Self {
        Self { page_review, ..self }
    }

    /// Converts the plan to JSON, using the tool.
    fn json(&self) -> anyhow::Result<String> {
        let mut command = process::command(&self.show, self.host)?;
        command.env_remove("TF_CLI_ARGS").env_remove("TF_CLI_ARGS_show");
        let output = self.host.processes.capture(&mut command).context("running the tool's `show -json`")?;
        if !output.status.success() {
            self.host.say(String::from_utf8_lossy(&output.stderr).trim_end());
            bail!("the tool's `show -json` failed ({})", output.status);
        }
        let text =
            String::from_utf8(output.stdout).context("cannot read the output of the tool's `show -json`")?;
        let start = text.find('{').context("the tool's `show -json` printed no JSON")?;
        Ok(text.get(start..).unwrap_or_default().trim_end().to_owned())
    }

    /// Writes the plan and records facts about it.
    pub(super) fn write(&mut self, dialect: Option<Dialect>, out: &mut Out<'_>) -> anyhow::Result<()> {
        let text = self.json()?;
        let (mut storage, mut page_storage) = (Storage::default(), Storage::default());
        let arena = Bump::new();
        let plan = Plan::parse(&text).map_err(|error| anyhow!("cannot read the plan: {error}"))?;
        let cached = Cached::for_plan(&plan, &self.settings, self.host);
        let known = || self.files.schemas(plan.provider_schemas, &cached);
        let asked = match &self.schemas {
            Some(tool) => tool.schemas(&plan, (&known()?, &arena), &self.settings, self.host),
            None => None,
        };
        let mut schemas = known()?;
        if let Some(asked) = &asked {
            schemas.add(asked).map_err(|error| anyhow!("cannot read the schemas of the tool: {error}"))?;
        }
        let dialect = dialect.unwrap_or_else(|| {
            show::plan_dialect(&plan, self.settings.dialect, || {
                let name = |word| Some(Path::new(word).file_name()?.to_string_lossy());
                self.show.iter().find_map(|word| Tool::from_program(&name(word)?))
            })
        });
        let options = crate::cli::show::options(&self.settings, dialect);
        let mut facts = facts(&plan, &text)?;
        facts.dialect = options.dialect;
        match self.view {
            PlanText::Text => {
                show::plan(&plan, &schemas, &options, out, &arena)?;
            }
            PlanText::Review => {
                facts.review = self.review((&text, &plan), &schemas, out, &arena, &mut storage)?;
            }
            PlanText::Nothing => {}
        }
        if self.has_page {
            let plan = RunPlan { name: "the plan", text: &text, plan: &plan, schemas: &schemas };
            match page::review(&plan, &self.settings, &arena, &mut page_storage) {
                Ok(review) => self.page_review = Some(review),
                Err(error) => {
                    self.host.note(&format!("the page of the run has no review: {}", chain(&error)));
                }
            }
            facts.page_review.clone_from(&self.page_review);
        }
        facts.is_shown = self.view != PlanText::Nothing;
        *self.facts.borrow_mut() = Some(facts);
        Ok(())
    }

    fn review<'a>(
        &self,
        (text, plan): (&'a str, &Plan<'a>),
        schemas: &Schemas<'a>,
        out: &Out<'_>,
        arena: &'a Bump,
        storage: &'a mut Storage,
    ) -> anyhow::Result<Vec<u8>> {
        let rules = crate::cli::review::findings_rules()?;
        let read = ReadOptions {
            rules: Some(&rules),
            show_sensitive: self.settings.show_sensitive,
            keep_whole: false,
        };
        let review = PlanReview::new("the plan", text, plan, schemas, read, arena, storage)
            .map_err(|error| anyhow!("cannot read the plan: {error}"))?;
        let Settings { width, wraps, .. } = self.settings;
        let options = review::Options { width, wraps, ..review::Options::default() };
        let mut text = Vec::new();
        review::formats::terminal(&[review], &options, self.settings.colour, out.mode().ci, None, &mut text)?;
        Ok(text)
    }
}

impl RunDocuments for PlannedRun<'_> {
    fn plan_review(&mut self) -> anyhow::Result<Option<Fragment>> {
        Ok(self.page_review.clone())
    }
}

impl Documents for PlannedRun<'_> {
    fn plan_file(&mut self, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        if self.view == PlanText::Nothing { Ok(()) } else { self.write(Some(dialect), out) }
    }

    fn plan(&mut self, plan: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        self.files.plan(plan, dialect, out)
    }

    fn state(&mut self, state: Raw<'_>, dialect: Dialect, out: &mut Out<'_>) -> anyhow::Result<()> {
        self.files.state(state, dialect, out)
    }

    fn difference(&mut self, change: &Change<'_>, dialect: Dialect, colour: bool) -> anyhow::Result<String> {
        self.files.difference(change, dialect, colour)
    }

    fn rescue(&mut self, state: &str) -> anyhow::Result<String> {
        self.files.rescue(state)
    }
}

/// The members of a plan that determine whether the tool asks.
#[derive(Deserialize)]
struct Document {
    applyable: Option<bool>,
    #[serde(default)]
    variables: Names,
    #[serde(default)]
    configuration: Configuration,
    #[serde(default)]
    output_changes: std::collections::BTreeMap<String, OutputChange>,
}

type Names = std::collections::BTreeMap<String, IgnoredAny>;

#[derive(Default, Deserialize)]
struct Configuration {
    #[serde(default)]
    root_module: RootModule,
}

#[derive(Default, Deserialize)]
struct RootModule {
    #[serde(default)]
    variables: Names,
}

#[derive(Deserialize)]
struct OutputChange {
    #[serde(default)]
    actions: Vec<String>,
}

fn facts(plan: &Plan<'_>, text: &str) -> anyhow::Result<Facts> {
    let document: Document = serde_json::from_str(text).map_err(|_| anyhow!("cannot read the plan"))?;
    let changes_outputs =
        document.output_changes.values().any(|change| change.actions.iter().any(|action| action != "no-op"));
    // For releases without `applyable`, the content decides. Asking once too often does no harm.
    let holds_something = || {
        changes_outputs
            || !plan.resource_drift.is_empty()
            || plan.resource_changes.iter().any(|change| {
                change.change.actions != crate::model::Action::NoOp
                    || change.is_moved()
                    || change.is_imported()
            })
    };
    let variables = &document.configuration.root_module.variables;
    Ok(Facts {
        is_applyable: document.applyable.unwrap_or_else(holds_something),
        has_ephemeral_variables: variables.keys().any(|name| !document.variables.contains_key(name)),
        ..Facts::default()
    })
}

/// Rejects a file that the tool did not write.
pub(super) fn ensure_written(path: &Path) -> anyhow::Result<()> {
    let length = fs::metadata(path).map(|data| data.len()).unwrap_or_default();
    ensure!(length > 0, "the tool has saved no plan");
    Ok(())
}
