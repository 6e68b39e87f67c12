//! The temporary saved plan of a run: its content, and its text where the tool prints it.
//!
//! Invariant: a plan that cannot be shown in full does not count as shown.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, anyhow, bail};
use bumpalo::Bump;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::cli::Host;
use crate::cli::cache::Cached;
use crate::cli::documents::Files;
use crate::cli::message::chain;
use crate::cli::page::{self, RunPlan};
use crate::cli::settings::Settings;
use crate::dialect::{Dialect, Tool};
use crate::diff::parallel::Storage;
use crate::json::Raw;
use crate::model::Action;
use crate::model::plan::Plan;
use crate::page::Fragment;
use crate::review;
use crate::show;
use crate::term::Out;

use super::asked::SchemaSource;
use super::process;

/// How a plan is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PlanText {
    /// The text that `show` prints.
    Text,
    /// The review.
    Review,
    /// Not at all, because it has already been shown.
    #[default]
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

/// A plan that the tool has saved, or is about to save.
#[derive(Debug, Default)]
pub(in crate::cli) struct SavedPlan {
    /// The command that prints the plan as JSON.
    pub(super) show: Vec<OsString>,
    /// The tool, to be asked for schemas that are not known.
    pub(super) schemas: Option<SchemaSource>,
    pub(super) view: PlanText,
    /// Whether a page of the run is written, which contains the review of the plan.
    pub(super) has_page: bool,
    pub(in crate::cli) page_review: Option<Fragment>,
    /// The facts; empty until the plan has been read.
    pub(super) facts: Rc<RefCell<Option<Facts>>>,
}

impl SavedPlan {
    /// Whether the plan is shown, as text or review.
    pub(in crate::cli) fn is_shown(&self) -> bool {
        self.view != PlanText::Nothing
    }

    /// Converts the plan to JSON, using the tool.
    fn json(&self, host: &Host) -> anyhow::Result<String> {
        let mut command = process::command(&self.show, host)?;
        command.env_remove("TF_CLI_ARGS").env_remove("TF_CLI_ARGS_show");
        let output = host.processes.capture(&mut command).context("running the tool's `show -json`")?;
        if !output.status.success() {
            host.say(String::from_utf8_lossy(&output.stderr).trim_end());
            bail!("the tool's `show -json` failed ({})", output.status);
        }
        let text =
            String::from_utf8(output.stdout).context("cannot read the output of the tool's `show -json`")?;
        let start = text.find('{').context("the tool's `show -json` printed no JSON")?;
        Ok(text.get(start..).unwrap_or_default().trim_end().to_owned())
    }
}

impl Files<'_> {
    /// Writes the plan and records facts about it.
    pub(in crate::cli) fn show_saved_plan(
        &mut self,
        dialect: Option<Dialect>,
        out: &mut Out<'_>,
    ) -> anyhow::Result<()> {
        let saved = self.saved.as_ref().context("no plan was saved")?;
        let text = saved.json(self.host)?;
        let (mut storage, mut page_storage) = (Storage::default(), Storage::default());
        let arena = Bump::new();
        let plan = Plan::parse(&text).map_err(|error| anyhow!("cannot read the plan: {error}"))?;
        let cached = Cached::for_plan(&plan, &self.settings, self.host);
        let known = || self.schemas(plan.provider_schemas, &cached);
        let asked = match &saved.schemas {
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
                saved.show.iter().find_map(|word| Tool::from_program(&name(word)?))
            })
        });
        let options = crate::cli::show::options(&self.settings, dialect);
        let mut facts = facts(&plan)?;
        let run_plan = RunPlan { name: "the plan", text: &text, plan: &plan, schemas: &schemas };
        facts.dialect = options.dialect;
        match saved.view {
            PlanText::Text => {
                show::plan(&plan, &schemas, &options, out, &arena)?;
            }
            PlanText::Review => {
                facts.review = self.review(&run_plan, out, &arena, &mut storage)?;
            }
            PlanText::Nothing => {}
        }
        if saved.has_page {
            match page::review(&run_plan, &self.settings, &arena, &mut page_storage) {
                Ok(review) => facts.page_review = Some(review),
                Err(error) => {
                    self.host.note(&format!("the page of the run has no review: {}", chain(&error)));
                }
            }
        }
        facts.is_shown = saved.is_shown();
        if let Some(saved) = &mut self.saved {
            saved.page_review.clone_from(&facts.page_review);
            *saved.facts.borrow_mut() = Some(facts);
        }
        Ok(())
    }

    fn review<'a>(
        &self,
        plan: &RunPlan<'_, 'a>,
        out: &Out<'_>,
        arena: &'a Bump,
        storage: &'a mut Storage,
    ) -> anyhow::Result<Vec<u8>> {
        let review = page::read_review(plan, &self.settings, arena, storage)?;
        let Settings { width, wraps, .. } = self.settings;
        let options = review::Options { width, wraps, ..review::Options::default() };
        let mut text = Vec::new();
        review::formats::terminal(&[review], &options, self.settings.colour, out.mode().ci, None, &mut text)?;
        Ok(text)
    }
}

type Names = BTreeMap<String, IgnoredAny>;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Configuration {
    root_module: RootModule,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RootModule {
    variables: Names,
}

fn facts(plan: &Plan<'_>) -> anyhow::Result<Facts> {
    // For releases without `applyable`, the content decides. Asking once too often does no harm.
    let holds_something = || {
        plan.output_changes.iter().any(|(_, change)| change.actions != Action::NoOp)
            || !plan.resource_drift.is_empty()
            || plan.resource_changes.iter().any(|change| {
                change.change.actions != Action::NoOp || change.is_moved() || change.is_imported()
            })
    };
    let given: Names = read(plan.variables)?;
    let declared = read::<Configuration>(plan.configuration)?.root_module.variables;
    Ok(Facts {
        is_applyable: plan.applyable.unwrap_or_else(holds_something),
        has_ephemeral_variables: declared.keys().any(|name| !given.contains_key(name)),
        ..Facts::default()
    })
}

fn read<T: Default + DeserializeOwned>(raw: Option<Raw<'_>>) -> anyhow::Result<T> {
    let read = raw.map(|raw| serde_json::from_str(raw.text())).transpose();
    read.map(Option::unwrap_or_default).map_err(|_| anyhow!("cannot read the plan"))
}
