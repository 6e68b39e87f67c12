//! Markdown for pull requests, within a size limit.
//!
//! Invariants: a code fence is longer than any run of backticks inside of it, and is never truncated; outside
//! of fences, data of the plan is in code spans, so that it creates no links, mentions or images; the text
//! has at most [`Budget::bytes`] bytes. If it would have more, diffs are omitted: those of low-risk resources
//! first, then those of destroyed or replaced ones, then those with facts. After that, resources are counted
//! in the same order, and the text says how many. The first line is a comment by which a bot finds its
//! previous text.

mod code;
mod pieces;
mod plans;

use code::{action_words, cell, code, details, details_html, escape_html, fence, html};
pub use pieces::Budget;
use pieces::{Detail, Keep, Piece, RESERVE, Section, shrink, summary};

use super::head::{config, head};
use super::invocation::InvocationUnit;
use super::problem;
use super::units::{Header, Unit, Units, by_type, facts};
use crate::review::entry::{FactRank, PlanReview, SourcePlace};
use crate::review::ledger::unreported_sentence;
use crate::review::lines::Line;
use crate::review::text::{cause_tree, entry_text, invocation_text, outputs_text};
use crate::review::{ChangeKind, Ledger, List, Mention, Options, Verdict, count};

/// The minimum number of lines to keep of a shortened diff; a shorter one is omitted.
const MIN_LINES: usize = 15;

/// Writes reviews as Markdown. Returns the text, and how the edits of each plan are reported.
pub fn markdown(reviews: &[PlanReview<'_>], options: &Options, budget: Budget) -> (String, Vec<Ledger>) {
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    let order = plans::worst_first(reviews, &verdicts);
    let mut text = plans::marker(reviews);
    if reviews.len() > 1 {
        let total = Verdict::total(verdicts.iter());
        text.push_str(&format!("**{} plans: {}**\n\n", reviews.len(), sentence(&total)));
        if let Some(line) = config(options) {
            text.push_str(&format!("- {}\n\n", code(&line)));
        }
        text.push_str(&plans::table(&order, budget.bytes / 4));
    }
    let mut sections: Vec<Section> = order
        .iter()
        .map(|plan| section(plan.review, plan.verdict, reviews.len() > 1, options, budget))
        .collect();
    shrink(&mut sections, text.len(), budget.bytes);
    let mut left_out = 0;
    for (at, section) in sections.iter_mut().enumerate() {
        // If not even the verdicts of all plans fit, the remaining plans are counted.
        let size = section.title.len() + section.pieces.iter().map(Piece::size).sum::<usize>() + RESERVE;
        if at > 0 && text.len() + size + RESERVE > budget.bytes {
            left_out = reviews.len() - at;
            break;
        }
        text.push_str(&section.title);
        for piece in &section.pieces {
            text.push_str(piece.text());
            piece.record(&mut section.ledger);
        }
        text.push_str(&summary(&section.pieces));
        if let Some(sentence) = unreported_sentence(section.ledger.unreported()) {
            text.push_str(&format!("\n**{sentence}**\n"));
        }
    }
    if left_out > 0 {
        let mut hidden = 0;
        for section in sections.iter_mut().rev().take(left_out) {
            for piece in &mut section.pieces {
                piece.level = Detail::Counted;
                piece.record(&mut section.ledger);
                hidden += piece.counts();
            }
        }
        let (plans, hidden) = (count(left_out, "more plan"), count(hidden, "entry"));
        text.push_str(&format!(
            "\n_{plans} with {hidden} not shown for the size; run `tfview review` on them._\n"
        ));
    }
    let mut ledgers: Vec<(usize, Ledger)> =
        order.iter().map(|plan| plan.place).zip(sections.into_iter().map(|section| section.ledger)).collect();
    ledgers.sort_by_key(|(place, _)| *place);
    (text, ledgers.into_iter().map(|(_, ledger)| ledger).collect())
}

fn section(
    review: &PlanReview<'_>,
    verdict: &Verdict,
    named: bool,
    options: &Options,
    budget: Budget,
) -> Section {
    let mut ledger = Ledger::new(review);
    let units = Units::new(review, options, &mut ledger);
    let mut title = String::new();
    if named {
        title.push_str(&format!("\n### {}\n\n", code(&review.name)));
    }
    title.push_str(&format!("**{}**\n\n", sentence(verdict)));
    let mut pieces = Vec::new();
    let (facts, more) = facts(&units.resources);
    for fact in &facts {
        let text = format!("**{}** {} {}", fact.kind.name(), code(&fact.address), code(fact.text));
        pieces.push(note(&text, Keep::Flagged));
    }
    if more > 0 {
        pieces.push(note(&format!("{} below", count(more, "more fact")), Keep::Flagged));
    }
    for found in &review.checks {
        let sign = if found.is_failure() { "⚠️" } else { "❔" };
        pieces.push(note(&format!("{sign} {}", code(&problem(found))), Keep::Flagged));
    }
    let types = by_type(&units.resources).into_iter().chain(head(review, options));
    pieces.extend(types.map(|line| note(&code(&line), Keep::Plain)));
    if !named {
        pieces.extend(config(options).map(|line| note(&code(&line), Keep::Grave)));
    }
    pieces.extend(causes(review, options));
    pieces.extend(index(&units.resources));
    resources(&units.resources, options, budget, &mut pieces);
    for (heading, units) in
        [("Changed outside of the tool", &units.drift), ("Put off to a later plan", &units.deferred)]
    {
        if !units.is_empty() {
            pieces.push(Piece::heading(&format!("#### {heading}"), BESIDE_RESOURCES));
            pieces.extend(units.iter().map(|unit| unit_piece(unit, options, budget)));
        }
    }
    for (heading, units) in &units.invocations {
        pieces.push(Piece::heading(&format!("#### {heading}"), BESIDE_RESOURCES));
        pieces.extend(units.iter().map(|unit| action_piece(unit, options, budget)));
    }
    pieces.extend(outputs(review, options, budget).filter(|_| units.shows_outputs));
    let notes = units.notes.iter().map(|text| note(&code(text), Keep::Plain));
    pieces.extend(notes.map(|piece| Piece { order: BESIDE_RESOURCES, ..piece }));
    Section { title, pieces, ledger }
}

/// The causes of the replacements, below the facts.
fn causes(review: &PlanReview<'_>, options: &Options) -> Option<Piece> {
    let tree = cause_tree(review, options).filter(|_| options.shows_whole_plan())?;
    let level = |most: usize| format!("\n**{}**\n\n{}\n", tree.title, fence(&tree.lines, most));
    Some(Piece::new([level(usize::MAX), level(MIN_LINES), format!("\n**{}**\n", tree.title)], Keep::Flagged))
}

/// The resources, below headings for the actions, or for the modules.
fn resources(units: &[Unit<'_, '_>], options: &Options, budget: Budget, pieces: &mut Vec<Piece>) {
    let mut sorted: Vec<&Unit<'_, '_>> = units.iter().collect();
    if options.tree {
        sorted.sort_by_key(|unit| unit.entry.module_address);
    }
    let is_same = |unit: &&Unit<'_, '_>, other: &&Unit<'_, '_>| match options.tree {
        true => unit.entry.module_address == other.entry.module_address,
        false => unit.kind() == other.kind(),
    };
    for part in sorted.chunk_by(is_same) {
        let Some(first) = part.first() else { continue };
        let number: usize = part.iter().map(|unit| unit.places.len()).sum();
        let heading = match (options.tree, first.entry.module_address) {
            (false, _) => format!("#### {number} {}", first.kind().verdict()),
            (true, "") => "#### root module".to_owned(),
            (true, module) => format!("#### {}", code(module)),
        };
        let order = part.iter().map(|unit| order_of(unit)).min().unwrap_or_default();
        pieces.push(Piece::heading(&heading, order));
        pieces.extend(part.iter().map(|unit| unit_piece(unit, options, budget)));
    }
}

/// The weight of everything but resources, which is shortened before them.
const BESIDE_RESOURCES: usize = usize::MAX;

/// The rank of a unit among those with the same weight, if space is limited.
fn order_of(unit: &Unit<'_, '_>) -> usize {
    match unit.list {
        List::Resources => 1 + unit.kind() as usize,
        List::Drift | List::Deferred | List::Invocations | List::DeferredInvocations | List::Outputs => {
            BESIDE_RESOURCES
        }
    }
}

/// A table of the resources and their actions, if there are several.
fn index(units: &[Unit<'_, '_>]) -> Option<Piece> {
    const MANY: usize = 3;
    const ROWS: usize = 60;
    if units.len() <= MANY {
        return None;
    }
    let table = |most: usize| {
        let mut text = "\n| action | resource | what changes | fact |\n|---|---|---|---|\n".to_owned();
        for unit in units.iter().take(most) {
            let header = unit.header();
            let preview = unit.preview();
            let what = if preview.is_empty() { action_words(&header.phrase) } else { cell(&preview) };
            let action = format!("{}\u{a0}{}", cell(header.symbol), unit.kind().word());
            let address = cell(&header.address);
            text.push_str(&format!("| {action} | {address} | {what} | {} |\n", unit.flags()));
        }
        if units.len() > most {
            text.push_str(&format!("\n{} below.\n", count(units.len() - most, "more change")));
        }
        text.push('\n');
        text
    };
    Some(Piece::new([table(ROWS), table(15), String::new()], Keep::Index))
}

/// A paragraph that is either kept or omitted.
fn note(text: &str, weight: Keep) -> Piece {
    let line = format!("- {text}\n");
    Piece::new([line.clone(), line.clone(), line], weight)
}

fn outputs(review: &PlanReview<'_>, options: &Options, budget: Budget) -> Option<Piece> {
    if review.outputs.is_empty() {
        return None;
    }
    let outputs = outputs_text(&review.outputs, options);
    let header = format!("{} to change", count(review.outputs.len(), "output"));
    let level = |most: usize| details(&header, &fence(&outputs.lines, most), budget);
    let mut piece = Piece::new([level(usize::MAX), level(MIN_LINES), format!("- {header}\n")], Keep::Plain);
    piece.order = BESIDE_RESOURCES;
    let mentions = outputs.mentions.into_iter().enumerate();
    piece.entries = mentions.map(|(at, mentions)| (List::Outputs, at, mentions)).collect();
    Some(piece)
}

fn unit_piece(unit: &Unit<'_, '_>, options: &Options, budget: Budget) -> Piece {
    let text = entry_text(unit.entry, options);
    let reasons = unit.reasons(options);
    let weight = if unit.entry.fact_rank() == FactRank::Proven {
        Keep::Flagged
    } else if unit.is_grave() || matches!(unit.kind(), ChangeKind::ReplaceForget | ChangeKind::Forget) {
        Keep::Grave
    } else {
        Keep::Plain
    };
    let lines = if options.list { &[][..] } else { &text.lines };
    let source = unit.source().map(|(source, rest)| source_link(source, options) + &rest);
    let item = Item {
        header: &unit.header(),
        preview: &unit.preview(),
        flags: &unit.flags(),
        source: source.as_deref().unwrap_or_default(),
        reasons: &reasons,
        lines,
    };
    let is_open = unit.is_grave() || !unit.entry.facts.is_empty();
    let mut piece = item.piece(weight, is_open, budget);
    piece.order = order_of(unit);
    let mentions = match options.list {
        true => vec![Some(Mention::Counted); unit.entry.edits.len()],
        false => text.mentions,
    };
    piece.entries = unit.places.iter().map(|at| (unit.list, *at, mentions.clone())).collect();
    piece
}

fn action_piece(unit: &InvocationUnit<'_, '_>, options: &Options, budget: Budget) -> Piece {
    let text = invocation_text(unit.invocation, options);
    let (header, reasons) = (unit.header(), unit.reasons());
    let reasons: Vec<&str> = reasons.iter().map(String::as_str).collect();
    let lines = if options.list { &[][..] } else { &text.lines };
    let item = Item { header: &header, preview: "", flags: "", source: "", reasons: &reasons, lines };
    let mut piece = item.piece(Keep::Plain, false, budget);
    piece.order = BESIDE_RESOURCES;
    piece.entries = vec![(unit.list(), unit.at, text.mentions)];
    piece
}

/// The parts of a collapsible item.
struct Item<'i> {
    header: &'i Header,
    /// The changed attributes, in short.
    preview: &'i str,
    /// The kinds of its facts.
    flags: &'i str,
    /// The place of the resource in the configuration, as Markdown; may be empty.
    source: &'i str,
    reasons: &'i [&'i str],
    lines: &'i [Line],
}

impl Item<'_> {
    fn piece(&self, weight: Keep, open: bool, budget: Budget) -> Piece {
        let Header { symbol, address, phrase, others } = self.header;
        let list = |texts: &mut dyn Iterator<Item = &str>| -> String {
            texts.map(|text| format!("- {}\n", code(text))).collect()
        };
        let reasons = list(&mut self.reasons.iter().copied());
        let source = if self.source.is_empty() { String::new() } else { format!("- {}\n", self.source) };
        let reasons = source + &reasons;
        let others = list(&mut others.iter().map(String::as_str));
        let (preview, preview_html) = match self.preview {
            "" => (String::new(), String::new()),
            preview => (format!(": {}", code(preview)), format!(": {}", html(preview))),
        };
        let (flags, flags_html) = match self.flags {
            "" => (String::new(), String::new()),
            flags => (format!(" **! {flags}**"), format!(" <strong>! {}</strong>", escape_html(flags))),
        };
        let line = format!("- {} {} {}{preview}{flags}\n", code(symbol), code(address), action_words(phrase));
        let header =
            format!("{} {} {}{preview_html}{flags_html}", html(symbol), html(address), escape_html(phrase));
        let level = |most: usize| -> String {
            if self.lines.is_empty() && reasons.is_empty() && others.is_empty() {
                return line.clone();
            }
            let diff = if self.lines.is_empty() { String::new() } else { fence(self.lines, most) };
            let parts: Vec<&str> =
                [&*reasons, &diff, &others].into_iter().filter(|part| !part.is_empty()).collect();
            details_html(&header, &line, &parts.join("\n"), open, budget)
        };
        Piece::new([level(usize::MAX), level(MIN_LINES), line.clone()], weight)
    }
}

/// A place in a configuration file: a link if the base URL of the files is known.
fn source_link(source: &SourcePlace, options: &Options) -> String {
    let text = code(&source.text());
    match &options.source_url {
        None => text,
        Some(prefix) => format!("[{text}]({})", source.url(prefix)),
    }
}

fn sign(verdict: &Verdict) -> &'static str {
    match verdict {
        _ if verdict.errored => "❌",
        _ if verdict.destroyed() > 0 => "🔴",
        _ if verdict.has_changes() => "🟡",
        _ => "🟢",
    }
}

fn sentence(verdict: &Verdict) -> String {
    const NAMED: usize = 5;
    let mut text = format!("{} ", sign(verdict));
    if verdict.errored {
        let names =
            verdict.failed_plans.iter().take(NAMED).map(|name| code(name)).collect::<Vec<_>>().join(", ");
        let more = verdict.failed_plans.len().saturating_sub(NAMED);
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        text.push_str(&format!("PLANNING FAILED: {names}{rest}. So far: "));
    }
    text.push_str(&format!("{}.", verdict.changes()));
    if let Some(additions) = verdict.additions() {
        text.push_str(&format!(" {additions}"));
    }
    text
}
