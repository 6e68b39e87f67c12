//! What the command line and a configuration file ask of a review: options, gates, files.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::ValueEnum;

use crate::cli::address;
use crate::cli::args::{ContextChoice, DriftChoice, FormatChoice, ReviewArgs};
use crate::cli::config::Config;
use crate::cli::settings::Settings;
use crate::review::entry::{PlanReview, RuleOrigin};
use crate::review::formats::{Budget, GateResult};
use crate::review::gate::Gate;
use crate::review::{Filter, Kind, Options};

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
pub(super) fn options(
    args: &ReviewArgs,
    settings: &Settings,
    config: Option<&Config>,
) -> anyhow::Result<Options> {
    let only = args.only.iter().map(|word| {
        let kind = Kind::of_word(word.trim());
        kind.ok_or_else(|| {
            anyhow!(
                "--only {word}: there is no such kind\n  tip: possible kinds: {}",
                Kind::ALL.map(Kind::word).join(", ")
            )
        })
    });
    let default = if args.address.is_empty() { ContextChoice::Lines(2) } else { ContextChoice::All };
    let text = config.map(|config| config.text).unwrap_or_default();
    // A file does not shorten what `--address` shows whole.
    let configured = text.context.filter(|_| args.address.is_empty());
    let context = args.context.or(configured).unwrap_or(default);
    let drift = args.drift.or(text.drift).unwrap_or_default();
    Ok(Options {
        filter: Filter {
            only: only.collect::<anyhow::Result<_>>()?,
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
    })
}

/// The gates of the command line, and those that a configuration file adds.
pub(super) fn gates(words: &[String], config: Option<&Config>) -> anyhow::Result<Vec<AskedGate>> {
    let mut gates = Vec::new();
    for typed in words {
        let word = typed.trim().to_owned();
        let gate = Gate::of_word(&word);
        let gate = gate.ok_or_else(|| {
            anyhow!(
                "--fail-on {typed}: there is no such condition\n  tip: possible conditions: {}",
                Gate::words().collect::<Vec<_>>().join(", ")
            )
        })?;
        let asks = format!("--fail-on {word}");
        gates.push(AskedGate { word, gate, asks, origin: RuleOrigin::Given });
    }
    let Some(config) = config else { return Ok(gates) };
    for (word, gate) in &config.gates {
        if gates.iter().any(|asked| asked.gate == *gate) {
            continue;
        }
        let asks = format!("fail-on {word} of {}", config.name);
        gates.push(AskedGate { word: word.clone(), gate: *gate, asks, origin: config.origin });
    }
    Ok(gates)
}

/// The formats and files of `--out`.
pub(super) fn outs(words: &[String]) -> anyhow::Result<Vec<(FormatChoice, PathBuf)>> {
    let out = |word: &String| {
        let (format, path) = word.split_once('=')?;
        Some((FormatChoice::from_str(format, true).ok()?, PathBuf::from(path)))
    };
    words
        .iter()
        .map(|word| {
            out(word).ok_or_else(|| anyhow!("--out {word}: expected FORMAT=FILE, as in markdown=comment.md"))
        })
        .collect()
}

/// The most bytes of Markdown: those of the command line, else of the file.
pub(super) fn budget(args: &ReviewArgs, config: Option<&Config>) -> anyhow::Result<Budget> {
    let typed = args.max_bytes.as_deref();
    let typed = typed.map(|word| budget_of(word).map_err(|error| anyhow!("--max-bytes {word}: {error}")));
    let configured = config.and_then(|config| config.text.budget);
    Ok(typed.transpose()?.or(configured).unwrap_or_default())
}

/// The most bytes of a Markdown text, as they are written.
pub(in crate::cli) fn budget_of(word: &str) -> Result<Budget, &'static str> {
    let budget = Budget::of_word(word).filter(|budget| budget.bytes >= 2_048);
    budget.ok_or("expected a number from 2048, or github, gitlab, azure, bitbucket")
}
