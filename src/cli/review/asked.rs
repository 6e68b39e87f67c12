//! What the command line and a configuration file ask of a review: options, gates, files.

use super::args::ReviewArgs;
use crate::cli::address;
use crate::cli::choices::{ContextChoice, DriftChoice};
use crate::cli::config::Config;
use crate::cli::settings::Settings;
use crate::cli::values::GateWord;
use crate::review::entry::{PlanReview, RuleOrigin};
use crate::review::formats::{Budget, GateResult};
use crate::review::gate::Gate;
use crate::review::{Filter, Options};

/// A condition under which a review fails.
pub(super) struct AskedGate {
    word: String,
    gate: Gate,
    /// What asks for it, as messages name it.
    asks: String,
    pub(super) origin: RuleOrigin,
}

impl AskedGate {
    /// What the gate found, and what is said of it.
    pub(super) fn result(&self, reviews: &[PlanReview<'_>]) -> (GateResult, String) {
        let by: Vec<String> = reviews.iter().flat_map(|review| self.gate.hits(review)).collect();
        let message = self.gate.message(&self.asks, &by);
        (GateResult { name: self.word.clone(), violated: !by.is_empty(), by }, message)
    }
}

/// What the texts depend on.
pub(super) fn options(args: &ReviewArgs, settings: &Settings, config: Option<&Config>) -> Options {
    let default = if args.address.is_empty() { ContextChoice::Lines(2) } else { ContextChoice::All };
    let text = config.map(|config| config.text).unwrap_or_default();
    // A file does not shorten what `--address` shows whole.
    let configured = text.context.filter(|_| args.address.is_empty());
    let context = args.context.or(configured).unwrap_or(default);
    let drift = args.drift.or(text.drift).unwrap_or_default();
    Options {
        filter: Filter {
            only: args.only.clone(),
            include: args.include.clone(),
            exclude: args.exclude.clone(),
            types: args.types.clone(),
            modules: args.module.clone(),
            addresses: address::selectors(&args.address),
            ignored: args.ignore_attr.clone(),
        },
        width: settings.width,
        depth: args.depth,
        context: context.lines(),
        unchanged: context == ContextChoice::All,
        list: args.list,
        tree: args.tree || text.tree,
        all_drift: drift == DriftChoice::All || !args.address.is_empty(),
        config: config.map(|config| config.name.clone()),
        links: false,
        source_url: args.source_url.clone(),
        now: None,
    }
}

/// The gates of the command line, and those that a configuration file adds.
pub(super) fn gates(words: &[GateWord], config: Option<&Config>) -> Vec<AskedGate> {
    let asked = |GateWord { word, gate }: &GateWord| {
        let asks = format!("--fail-on {word}");
        AskedGate { word: word.clone(), gate: *gate, asks, origin: RuleOrigin::Given }
    };
    let mut gates: Vec<AskedGate> = words.iter().map(asked).collect();
    let Some(config) = config else { return gates };
    for (word, gate) in &config.gates {
        if gates.iter().any(|asked| asked.gate == *gate) {
            continue;
        }
        let asks = format!("fail-on {word} of {}", config.name);
        gates.push(AskedGate { word: word.clone(), gate: *gate, asks, origin: config.origin });
    }
    gates
}

/// The most bytes of Markdown: those of the command line, else of the file.
pub(super) fn budget(args: &ReviewArgs, config: Option<&Config>) -> Budget {
    args.max_bytes.or(config.and_then(|config| config.text.budget)).unwrap_or_default()
}
