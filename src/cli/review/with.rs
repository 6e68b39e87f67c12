//! `--with`: reads the files of other tools, and ties their results to the reviewed plans.

use std::path::PathBuf;

use anyhow::anyhow;
use bumpalo::Bump;

use super::units::Input;
use crate::cli::Host;
use crate::cli::input::{self, Source};
use crate::cli::source::{BlockName, SourceLines, SourceTree};
use crate::model::plan::{Plan, PriorState, ResourceChange};
use crate::review::entry::PlanReview;
use crate::with::tie::{self, Known, PlanToTie, Tied};
use crate::with::{self, Results};

/// Reads the files: their names and their texts.
pub(super) fn read(paths: &[PathBuf], host: &Host) -> anyhow::Result<Vec<(String, String)>> {
    paths.iter().map(|path| input::read_text(&Source::new(Some(path), host)?, host)).collect()
}

/// The results in the files.
pub(super) fn results<'a>(
    files: &'a [(String, String)],
    arena: &'a Bump,
) -> anyhow::Result<Vec<Results<'a>>> {
    const KINDS: &str = "SARIF, and the JSON of Checkov, Trivy, tfsec, Terrascan, conftest, Infracost and Terraform's policies";
    let mut kept = 0;
    let mut all = Vec::with_capacity(files.len());
    for (name, text) in files {
        let read = with::read(text, name, kept, arena).map_err(|error| {
            let tip = match error {
                Some(_) if text.trim().is_empty() => "the file is empty: did the tool fail?".to_owned(),
                Some(_) => "is the file complete?".to_owned(),
                None => format!("--with reads {KINDS}"),
            };
            let error = error.map_or_else(
                || "not the output of a tool that `--with` can read".to_owned(),
                |error| format!("{error} at byte {}", error.offset),
            );
            anyhow!("cannot read {name} for --with: {error}\n  tip: {tip}")
        })?;
        kept += read.results.len();
        all.push(read);
    }
    Ok(all)
}

/// Ties the results to the plans. Lines of files are looked up in `tree`.
pub(super) fn tie<'a, 'n>(
    files: Vec<Results<'a>>,
    inputs: &'n [Input<'_>],
    tree: Option<&mut SourceTree<'_>>,
    arena: &'a Bump,
) -> Vec<(String, Tied<'a>)> {
    if files.is_empty() {
        return Vec::new();
    }
    // What cannot be read here is an error of the review.
    let priors: Vec<PriorState<'_>> = inputs
        .iter()
        .map(|input| input.plan.prior_state.and_then(|raw| raw.read().ok()).unwrap_or_default())
        .collect();
    let all = || inputs.iter().zip(&priors);
    let to_tie = |(input, prior): (&'n Input<'_>, &PriorState<'_>)| {
        let blocks = blocks(&input.plan, prior).map(|block| (block.address, block.resource_type, block.name));
        PlanToTie::new(&input.name, input.text, Known::new(blocks, arena))
    };
    let mut plans: Vec<PlanToTie<'a, 'n>> = all().map(to_tie).collect();
    match tree {
        Some(tree) => {
            let blocks = all().flat_map(|(input, prior)| blocks(&input.plan, prior));
            let mut lines = SourceLines::new(tree, blocks);
            tie::tie(files, &mut plans, &mut |file, line| lines.blocks_at(file, line).to_vec());
        }
        None => tie::tie(files, &mut plans, &mut |_, _| Vec::new()),
    }
    plans.into_iter().map(|plan| (plan.name.to_owned(), plan.tied)).collect()
}

/// Gives the results of plans to their reviews. A plan that could not be reviewed has none.
pub(super) fn give<'a>(tied: Vec<(String, Tied<'a>)>, reviews: &mut [PlanReview<'a>]) {
    let mut reviews = reviews.iter_mut().peekable();
    for (name, tied) in tied {
        if let Some(review) = reviews.next_if(|review| review.name == name) {
            review.with = tied;
        }
    }
}

/// The resources of a plan, changed or not, and the data sources that were read for it.
fn blocks<'p>(plan: &'p Plan<'_>, prior: &'p PriorState<'_>) -> impl Iterator<Item = BlockName<'p>> {
    let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
    let all = plan.resource_changes.iter().chain(&plan.resource_drift).chain(deferred);
    let changes = all.map(|change: &ResourceChange<'_>| BlockName {
        address: &change.address,
        module_address: &change.module_address,
        mode: &change.mode,
        resource_type: &change.resource_type,
        name: &change.name,
    });
    let mut read = Vec::new();
    let mut modules = vec![&prior.values.root_module];
    while let Some(module) = modules.pop() {
        read.extend(module.resources.iter().filter(|resource| &*resource.mode == "data").map(|resource| {
            BlockName {
                address: &resource.address,
                module_address: &module.address,
                mode: &resource.mode,
                resource_type: &resource.resource_type,
                name: &resource.name,
            }
        }));
        modules.extend(&module.child_modules);
    }
    changes.chain(read)
}
