//! The request for a review: the options, gates and limits of the command line and of a configuration file.

use super::args::ReviewArgs;
use crate::cli::choices::{ALL_CONTEXT, DriftChoice};
use crate::cli::config::Config;
use crate::cli::settings::Settings;
use crate::cli::show::selectors;
use crate::cli::values::GateWord;
use crate::report::Budget;
use crate::review::AbsentUnit;
use crate::review::entry::{PlanReview, RuleOrigin};
use crate::review::formats::GateResult;
use crate::review::{Filter, Options};
use crate::text::count;

/// A condition under which a review fails.
pub(super) struct RequestedGate {
    gate: GateWord,
    /// The option that requests it, for messages.
    requested_by: String,
    pub(super) origin: RuleOrigin,
}

impl RequestedGate {
    /// The result of the gate, and its message.
    ///
    /// A plan that is missing may hold what the gate is about.
    pub(super) fn result(&self, reviews: &[PlanReview<'_>], absent: &[AbsentUnit]) -> (GateResult, String) {
        let missing = absent.iter().filter(|unit| unit.absence.is_failure());
        let missing = missing.map(|unit| format!("{} ({})", unit.name, unit.absence.words()));
        let missing: Vec<String> = missing.collect();
        let in_unit = |review: &PlanReview<'_>, hit: String| match &review.unit {
            Some(unit) if *unit != hit && !hit.starts_with(&format!("{unit} (")) => format!("{unit}: {hit}"),
            Some(_) | None => hit,
        };
        let hits = |review| self.gate.gate.hits(review).into_iter().map(move |hit| in_unit(review, hit));
        let hits: Vec<String> = reviews.iter().flat_map(hits).collect();
        let message = match (&*hits, missing.len()) {
            ([], unknown) if unknown > 0 => {
                let units = missing.join(", ");
                format!("{}: not known of {}: {units}", self.requested_by, count(unknown, "unit"))
            }
            _ => self.gate.gate.message(&self.requested_by, &hits),
        };
        let by: Vec<String> = hits.into_iter().chain(missing).collect();
        (GateResult { name: self.gate.word.clone(), violated: !by.is_empty(), by }, message)
    }
}

/// The settings of the texts.
pub(super) fn options(args: &ReviewArgs, settings: &Settings, config: Option<&Config>) -> Options {
    let text = config.map(|config| config.text).unwrap_or_default();
    // The file cannot shorten what `--address` shows in full.
    let configured = if args.address.is_empty() { text.context } else { Some(ALL_CONTEXT) };
    let context = args.context.or(configured);
    let ignore = config.map_or(&[][..], |config| &config.ignore);
    let drift = args.drift.or(text.drift).unwrap_or_default();
    Options {
        filter: Filter {
            only: args.only.clone(),
            include: args.include.clone(),
            exclude: args.exclude.clone(),
            types: args.types.clone(),
            modules: args.module.clone(),
            addresses: selectors(&args.address),
            only_findings: args.only_findings,
            ignored: args.ignore_attr.iter().chain(ignore).cloned().collect(),
        },
        width: settings.width,
        wraps: settings.wraps,
        depth: args.depth,
        context,
        unchanged: context == Some(ALL_CONTEXT),
        folds_values: false,
        list: args.list,
        tree: args.tree || text.tree,
        all_drift: drift == DriftChoice::All || !args.address.is_empty(),
        config: config.map(|config| config.name.clone()),
        links: false,
        fingerprint: args.fingerprint,
        source_url: args.source_url.clone(),
        run_url: args.run_url.clone(),
        now: None,
        absent: Vec::new(),
    }
}

/// The gates of the command line, and those that a configuration file adds.
pub(super) fn gates(words: &[GateWord], config: Option<&Config>) -> Vec<RequestedGate> {
    let requested = |gate: &GateWord| {
        let requested_by = format!("--fail-on {}", gate.word);
        RequestedGate { gate: gate.clone(), requested_by, origin: RuleOrigin::Given }
    };
    let mut gates: Vec<RequestedGate> = words.iter().map(requested).collect();
    let Some(config) = config else { return gates };
    for gate in &config.gates {
        if gates.iter().any(|requested| requested.gate.gate == gate.gate) {
            continue;
        }
        let requested_by = format!("fail-on {} of {}", gate.word, config.name);
        gates.push(RequestedGate { gate: gate.clone(), requested_by, origin: config.origin });
    }
    gates
}

/// The maximum size of Markdown: from the command line, otherwise from the file.
pub(super) fn budget(args: &ReviewArgs, config: Option<&Config>) -> Budget {
    args.max_bytes.or(config.and_then(|config| config.text.budget)).unwrap_or_default()
}
