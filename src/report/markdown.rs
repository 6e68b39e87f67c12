//! Markdown for pull requests, within a size limit.
//!
//! Invariants: a code fence is longer than any run of backticks inside of it, and is never truncated; outside
//! of fences, data of the plan is in code spans, so that it creates no links, mentions or images; the text
//! has at most [`Budget::bytes`] bytes. If it would have more, diffs are omitted: those of entries without
//! findings first, then those with findings, then those of destroyed objects. After that, entries are counted
//! in the same order, and the text says how many; its head says how many destroyed objects it does not name.
//! The first line is a comment by which a bot finds its previous text.

mod blocks;
mod code;

pub use blocks::Budget;
use blocks::{Block, Detail, RESERVE, Shortened, shrink, summary};
use code::{action_words, cell, code, details, details_html, escape_html, fence, html};

use super::{
    Causes, Entry, Head, Headline, Mood, Outputs, Part, Priority, Report, SectionKind, Source, Title,
};
use crate::text::count;

/// The minimum number of lines to keep of a shortened diff; a shorter one is omitted.
const MIN_LINES: usize = 15;
/// The maximum length of a plan's name in the marker, in characters.
const MAX_MARKER_LEN: usize = 120;
/// The order of everything but resources, which is shortened before them.
const BESIDE_RESOURCES: usize = usize::MAX;
/// The bytes reserved for the sentence about destroyed objects that are not named.
const UNNAMED_LEN: usize = 120;

/// Writes a document as Markdown, and corrects its coverage by what is shortened.
pub fn markdown(report: &mut Report<'_>, budget: Budget) -> String {
    let mut text = marker(&report.marker);
    let mut table = String::new();
    if let Some(total) = &report.total {
        text.push_str(&format!("**{} plans: {}**\n\n", report.parts.len(), sentence(total)));
        if let Some(line) = &report.remark {
            table.push_str(&format!("- {}\n\n", code(line)));
        }
        table.push_str(&plans(report, budget.bytes / 4));
    }
    let order = report.worst_first.clone();
    let parts = order.iter().filter_map(|at| report.parts.get(*at));
    let mut sections: Vec<Shortened> = parts.map(|part| shortened(part, budget)).collect();
    let head = text.len() + table.len();
    shrink(&mut sections, head, budget.bytes);
    if !unnamed(&sections).is_empty() {
        shrink(&mut sections, head + UNNAMED_LEN, budget.bytes);
    }
    let mut body = String::new();
    let mut shown = 0;
    for (at, (section, place)) in sections.iter_mut().zip(&order).enumerate() {
        // If not even the verdicts of all plans fit, the remaining plans are counted.
        let fits = at == 0 || head + body.len() + section.size() + RESERVE <= budget.bytes;
        let Some(part) = report.parts.get_mut(*place) else { continue };
        if at > shown || !fits {
            section.blocks.iter_mut().for_each(|block| block.level = Detail::Counted);
        }
        for block in section.blocks.iter().filter(|block| block.is_smaller()) {
            block.entries.iter().for_each(|(kind, at)| part.coverage.count(*kind, *at));
        }
        if at > shown || !fits {
            continue;
        }
        shown += 1;
        body.push_str(&section.title);
        section.blocks.iter().for_each(|block| body.push_str(block.text()));
        body.push_str(&summary(&section.blocks));
        if let Some(sentence) = part.unreported() {
            body.push_str(&format!("\n**{sentence}**\n"));
        }
    }
    if shown < sections.len() {
        let hidden: usize =
            sections.iter().skip(shown).flat_map(|left| &left.blocks).map(Block::counts).sum();
        let (plans, hidden) = (count(sections.len() - shown, "more plan"), count(hidden, "entry"));
        body.push_str(&format!(
            "\n_{plans} with {hidden} not shown for the size; run `tfview review` on them._\n"
        ));
    }
    let unnamed = unnamed(&sections);
    match (&report.total, sections.first()) {
        (None, Some(only)) => body.insert_str(only.title.len(), &unnamed),
        (Some(_), _) | (None, None) => text.push_str(&unnamed),
    }
    text + &table + &body
}

/// The sentence about destroyed objects that are not named.
fn unnamed(sections: &[Shortened]) -> String {
    let blocks = sections.iter().flat_map(|section| &section.blocks);
    let number: usize =
        blocks.filter(|block| block.level == Detail::Counted).map(|block| block.destroyed).sum();
    match number {
        0 => String::new(),
        1 => "**1 destroyed object is not named here for the size.**\n\n".to_owned(),
        number => format!("**{number} destroyed objects are not named here for the size.**\n\n"),
    }
}

/// The comment by which a bot finds its previous text. Equal plans have equal markers.
fn marker(name: &str) -> String {
    // Without characters that end a comment, or that are invisible.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/".contains(c);
    let name: String = name.chars().take(MAX_MARKER_LEN).map(|c| if is_plain(c) { c } else { '_' }).collect();
    match name.as_str() {
        "" => "<!-- tfview:review -->\n\n".to_owned(),
        name => format!("<!-- tfview:review {name} -->\n\n"),
    }
}

/// A table of the plans with at most `bytes` bytes. Plans without a row are counted.
fn plans(report: &Report<'_>, bytes: usize) -> String {
    let mut table = "| plan | | destroy | replace | forget | change | create | facts |\n\
                     |---|---|--:|--:|--:|--:|--:|---|\n"
        .to_owned();
    let mut rows = 0;
    for part in report.worst_first.iter().filter_map(|at| report.parts.get(*at)) {
        let state = match part.headline.mood {
            Mood::Failed => "❌ planning failed",
            mood @ (Mood::Destroys | Mood::Changes | Mood::Quiet) => sign(mood),
        };
        let mut row = format!("| {} | {state} |", cell(&part.row.name));
        for number in part.row.numbers {
            row.push_str(&if number > 0 { format!(" {number} |") } else { " |".to_owned() });
        }
        row.push_str(&format!(" {} |\n", part.row.findings));
        if table.len() + row.len() > bytes {
            break;
        }
        table.push_str(&row);
        rows += 1;
    }
    if rows == 0 {
        return String::new();
    }
    if rows < report.parts.len() {
        table.push_str(&format!("\n{} below.\n", count(report.parts.len() - rows, "more plan")));
    }
    table.push('\n');
    table
}

/// The text about one plan, in blocks that can be shortened.
fn shortened(part: &Part<'_>, budget: Budget) -> Shortened {
    let mut title = String::new();
    if let Some(name) = &part.name {
        title.push_str(&format!("\n### {}\n\n", code(name)));
    }
    title.push_str(&format!("**{}**\n\n", sentence(&part.headline)));
    let mut blocks = Vec::new();
    for head in &part.head {
        match head {
            Head::Details(lines) => {
                blocks.extend(lines.iter().map(|text| note(&code(text), Priority::Plain)));
            }
            Head::Config(text) => blocks.push(note(&code(text), Priority::Flagged)),
            Head::Findings(findings) => {
                for finding in &findings.shown {
                    let (address, text) = (code(&finding.address), code(&finding.text));
                    blocks.push(note(&format!("**{}** {address} {text}", finding.kind), Priority::Flagged));
                }
                if findings.more > 0 {
                    let text = format!("{} below", count(findings.more, "more fact"));
                    blocks.push(note(&text, Priority::Flagged));
                }
            }
            Head::Causes(tree) => blocks.push(causes(tree)),
            Head::Checks(checks) => blocks.extend(checks.iter().map(|check| {
                let sign = if check.is_failure { "⚠️" } else { "❔" };
                note(&format!("{sign} {}", code(&check.text)), Priority::Flagged)
            })),
        }
    }
    blocks.extend(index(part));
    for section in &part.sections {
        let heading = match &section.title {
            Title::Action { text, .. } => format!("#### {text}"),
            Title::Module(address) if address.is_empty() => "#### root module".to_owned(),
            Title::Module(address) => format!("#### {}", code(address)),
            Title::Text(text) => format!("#### {text}"),
        };
        let order = section.entries.iter().map(|entry| entry.order).min().unwrap_or(BESIDE_RESOURCES);
        blocks.push(Block::heading(&heading, order));
        blocks.extend(section.entries.iter().map(|entry| self::entry(entry, budget)));
    }
    blocks.extend(part.outputs.iter().map(|found| outputs(found, budget)));
    for text in &part.notes {
        let mut block = note(&code(text), Priority::Plain);
        block.order = BESIDE_RESOURCES;
        blocks.push(block);
    }
    Shortened { title, blocks }
}

/// A paragraph that is either kept or omitted.
fn note(text: &str, priority: Priority) -> Block {
    let line = format!("- {text}\n");
    Block::new([line.clone(), line.clone(), line], priority)
}

fn causes(tree: &Causes) -> Block {
    let level = |most: usize| format!("\n**{}**\n\n{}\n", tree.title, fence(tree.lines.iter(), most));
    let title = format!("\n**{}**\n", tree.title);
    Block::new([level(usize::MAX), level(MIN_LINES), title], Priority::Flagged)
}

/// A table of the resources and their actions, if there are several.
fn index(part: &Part<'_>) -> Option<Block> {
    const MANY: usize = 3;
    const ROWS: usize = 60;
    let sections = part.sections.iter().filter(|section| section.kind == SectionKind::Resources);
    let entries: Vec<&Entry<'_>> = sections.flat_map(|section| &section.entries).collect();
    if entries.len() <= MANY {
        return None;
    }
    let table = |most: usize| {
        let mut text = "\n| action | resource | what changes | fact |\n|---|---|---|---|\n".to_owned();
        for entry in entries.iter().take(most) {
            let preview = &entry.preview;
            let what = if preview.is_empty() { action_words(&entry.phrase) } else { cell(preview) };
            let action = format!("{}\u{a0}{}", cell(entry.sign.0), entry.kind);
            let address = cell(&entry.address);
            text.push_str(&format!(
                "| {action} | {address} | {what} | {} |\n",
                entry.finding_kinds.join(", ")
            ));
        }
        if entries.len() > most {
            text.push_str(&format!("\n{} below.\n", count(entries.len() - most, "more change")));
        }
        text.push('\n');
        text
    };
    Some(Block::new([table(ROWS), table(15), String::new()], Priority::Index))
}

fn outputs(outputs: &Outputs<'_>, budget: Budget) -> Block {
    let header = format!("{} to change", count(outputs.number, "output"));
    let level = |most: usize| details(&header, &fence(outputs.lines.iter().flatten(), most), budget);
    let mut block =
        Block::new([level(usize::MAX), level(MIN_LINES), format!("- {header}\n")], Priority::Plain);
    block.order = BESIDE_RESOURCES;
    block.entries = (0..outputs.number).map(|at| (SectionKind::Outputs, at)).collect();
    block
}

/// An entry as a collapsible item.
fn entry(entry: &Entry<'_>, budget: Budget) -> Block {
    let list =
        |texts: &[String]| -> String { texts.iter().map(|text| format!("- {}\n", code(text))).collect() };
    let source = entry.source.as_ref().map(|source| format!("- {}{}\n", link(source), source.rest));
    let reasons = source.unwrap_or_default() + &list(&entry.reasons);
    let others = list(&entry.others);
    let (preview, preview_html) = match &*entry.preview {
        "" => (String::new(), String::new()),
        preview => (format!(": {}", code(preview)), format!(": {}", html(preview))),
    };
    let (flags, flags_html) = match &*entry.finding_kinds {
        [] => (String::new(), String::new()),
        kinds => {
            let kinds = kinds.join(", ");
            (format!(" **! {kinds}**"), format!(" <strong>! {}</strong>", escape_html(&kinds)))
        }
    };
    let (sign, address) = (entry.sign.0, &entry.address);
    let words = action_words(&entry.phrase);
    let line = format!("- {} {} {words}{preview}{flags}\n", code(sign), code(address));
    let phrase = escape_html(&entry.phrase);
    let header = format!("{} {} {phrase}{preview_html}{flags_html}", html(sign), html(address));
    let is_open = entry.is_destroyed() || !entry.finding_kinds.is_empty();
    let level = |most: usize| -> String {
        if entry.lines.is_empty() && reasons.is_empty() && others.is_empty() {
            return line.clone();
        }
        let diff = if entry.lines.is_empty() { String::new() } else { fence(entry.lines.iter(), most) };
        let parts: Vec<&str> =
            [&*reasons, &diff, &others].into_iter().filter(|part| !part.is_empty()).collect();
        details_html(&header, &line, &parts.join("\n"), is_open, budget)
    };
    // What is destroyed is named as long as there is space.
    let names = entry.others.iter().filter(|_| entry.is_destroyed());
    let names = names.map(|address| code(address)).collect::<Vec<_>>().join(", ");
    let short = if names.is_empty() { line.clone() } else { format!("{} = {names}\n", line.trim_end()) };
    let mut block = Block::new([level(usize::MAX), level(MIN_LINES), short], entry.priority);
    let (kind, places) = &entry.places;
    block.order = entry.order;
    block.destroyed = if entry.is_destroyed() { places.len() } else { 0 };
    block.entries = places.iter().map(|at| (*kind, *at)).collect();
    block
}

/// A place in a configuration file: a link if the base URL of the files is known.
fn link(source: &Source) -> String {
    let text = code(&source.text);
    match &source.url {
        None => text,
        Some(url) => format!("[{text}]({url})"),
    }
}

fn sign(mood: Mood) -> &'static str {
    match mood {
        Mood::Failed => "❌",
        Mood::Destroys => "🔴",
        Mood::Changes => "🟡",
        Mood::Quiet => "🟢",
    }
}

fn sentence(headline: &Headline) -> String {
    let text = format!("{} {}", sign(headline.mood), headline.lead(code));
    match &headline.additions {
        Some(additions) => format!("{text} {additions}"),
        None => text,
    }
}
