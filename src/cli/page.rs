//! The page of a run, written by `--out html=FILE`, with the review of the run's plan.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::{Context, anyhow};
use bumpalo::Bump;

use super::plans::review::findings_rules;
use super::settings::Settings;
use super::show::plan_options;
use super::values::{OutFile, RunFormat};
use crate::diff::parallel::Storage;
use crate::model::plan::Plan;
use crate::page::Fragment;
use crate::review::Options;
use crate::review::entry::PlanReview;
use crate::review::formats;
use crate::review::plan::ReadOptions;
use crate::schema::Schemas;
use crate::show;
use crate::stream::{self, RunPage};

/// The plan of a run, for its review.
pub(super) struct RunPlan<'r, 'a> {
    pub(super) name: &'r str,
    pub(super) text: &'a str,
    pub(super) plan: &'r Plan<'a>,
    pub(super) schemas: &'r Schemas<'a>,
}

/// The review of a plan, as a part of a page.
pub(super) fn review<'a>(
    plan: &RunPlan<'_, 'a>,
    settings: &Settings,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> anyhow::Result<Fragment> {
    let text_options = plan_options(plan.plan, settings, || None);
    let texts = show::plan_texts(plan.plan, plan.schemas, &text_options, false, arena)?;
    let review = read_review(plan, settings, arena, storage)?;
    let options = Options { width: settings.width, ..Options::default() };
    Ok(Fragment::new(|html| {
        formats::html_part(html, &review, &texts, &options);
    }))
}

/// Reviews a plan with the built-in rules.
pub(super) fn read_review<'a>(
    plan: &RunPlan<'_, 'a>,
    settings: &Settings,
    arena: &'a Bump,
    storage: &'a mut Storage,
) -> anyhow::Result<PlanReview<'a>> {
    let RunPlan { name, text, plan, schemas } = *plan;
    let rules = findings_rules()?;
    let read =
        ReadOptions { rules: Some(&rules), show_sensitive: settings.show_sensitive, keep_whole: false };
    PlanReview::new(name, text, plan, schemas, read, arena, storage)
        .map_err(|error| anyhow!("cannot read {name}: {error}"))
}

/// Writes the page of a run to a file.
pub(super) fn write(out: &OutFile<RunFormat>, page: &RunPage<'_>) -> anyhow::Result<()> {
    let path = &out.path;
    let write = || {
        let mut file = BufWriter::new(File::create(path)?);
        stream::page(page, &mut file)?;
        file.flush()
    };
    write().with_context(|| format!("writing the page of --out to {}", path.display()))
}
