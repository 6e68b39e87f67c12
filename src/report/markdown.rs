//! Markdown for pull requests, within a size limit.
//!
//! Invariants: a code fence is longer than any run of backticks inside of it, and is never truncated; outside
//! of fences, data of the plan is in code spans, so that it creates no links, mentions or images; the text
//! has at most [`Budget::bytes`] bytes. If it would have more, diffs are omitted: those of entries without
//! findings first, then those with findings, then grave ones: those of destroyed objects and with critical findings.
//! After that, entries are counted in the same order, and the text says how many. Grave ones fold into one line for
//! each kind and type; the head says how many objects it does not name.
//! The first line is a comment by which a bot finds its previous text, the second a heading with the verdict. Findings
//! are alerts, and changes rows of one table, which the details below do not repeat.

pub(super) mod code;
mod rows;

use std::convert::Infallible;

use code::{action_words, cell, code, details, escape_html, fence, html};
use rows::{changes, has_costs, in_table};

use super::blocks::{
    self, BESIDE_RESOURCES, Block, Budget, MIN_LINES, Shortened, UNNAMED_LEN, shrink, summary,
};
use super::{
    Causes, Entry, EntryFindings, Findings, Head, Headline, Level, Line, Outputs, Part, Priority, Report,
    SectionKind, Source, Title, Units, results,
};
use crate::text::count;

/// The maximum length of a plan's name in the marker, in characters.
const MAX_MARKER_LEN: usize = 120;

/// Writes a document as Markdown, and corrects its coverage by what is shortened.
pub fn markdown(report: &mut Report<'_>, budget: Budget) -> String {
    let run = report.run_url.as_ref().map(|url| format!("[Run]({url})\n\n")).unwrap_or_default();
    let mut text = report.marker.as_deref().map(marker).unwrap_or_default();
    let (command, foot) = (report.command(), foot(report, budget));
    let budget = Budget { bytes: budget.bytes.saturating_sub(2 * run.len() + foot.len()), ..budget };
    let mut table = String::new();
    if let Some(total) = &report.total {
        text.push_str(&heading("##", &report.number_of_units(), total));
        text.push_str(&run);
        if let Some(line) = &report.remark {
            table.push_str(&format!("- {}\n\n", code(line)));
        }
        if let Some(units) = &report.units {
            text.push_str(&rows(units, budget.bytes / 4));
        }
        table.push_str(&plans(report, budget.bytes / 4));
    }
    // What the units have in common comes first, then the units, the gravest first.
    let common = report.units.as_ref().map(|units| common(units, budget));
    let common = common.filter(|common| !common.blocks.is_empty());
    let above = if report.total.is_none() { &*run } else { "" };
    let parts = report.shown_parts().map(|(at, part)| shortened(at, part, budget, above));
    let mut sections: Vec<Shortened> = common.into_iter().chain(parts).collect();
    let head = text.len() + table.len();
    shrink(&mut sections, head, budget.bytes);
    if !unnamed(&sections).is_empty() {
        shrink(&mut sections, head + UNNAMED_LEN, budget.bytes);
    }
    let mut body = String::new();
    let bytes = budget.bytes.saturating_sub(head);
    let write = |body: &mut String, section: &Shortened, part: Option<&Part<'_>>| {
        for block in section.blocks.iter().filter(|block| block.is_before_table) {
            body.push_str(block.text());
        }
        let table = changes(section, part.is_some_and(has_costs), budget);
        if !table.is_empty() && !body.ends_with("\n\n") {
            body.push('\n');
        }
        body.push_str(&table);
        for block in section.blocks.iter().filter(|block| !block.is_before_table) {
            body.push_str(block.text());
        }
        if let Some(text) = summary(&section.blocks) {
            body.push_str(&format!("\n_{text} `{command}` prints all._\n\n"));
        }
        if let Some(sentence) = part.and_then(Part::unreported) {
            body.push_str(&format!("\n**{sentence}**\n"));
        }
        Ok::<(), Infallible>(())
    };
    let Ok((left, hidden)) = blocks::append(&mut body, &mut sections, report, bytes, write);
    if left > 0 {
        let (plans, hidden) = (count(left, "more unit"), count(hidden, "entry"));
        body.push_str(&format!(
            "\n_{plans} with {hidden} not shown for the size; run `tfview review` on them._\n"
        ));
    }
    let unnamed = unnamed(&sections);
    match (&report.total, sections.first()) {
        (None, Some(only)) => body.insert_str(only.title.len(), &unnamed),
        (Some(_), _) | (None, None) => text.push_str(&unnamed),
    }
    text + &table + &body + &foot
}

/// The sentence about grave objects that are not named.
fn unnamed(sections: &[Shortened]) -> String {
    blocks::unnamed(sections).map(|text| format!("**{text}**\n\n")).unwrap_or_default()
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
    let has_costs = report.parts.iter().any(|part| part.row.cost.is_some());
    let [cost, line] = if has_costs { [" cost |", "--:|"] } else { ["", ""] };
    let mut table = format!(
        "| unit | | destroy | replace | forget | change | create | findings |{cost}\n\
         |---|---|--:|--:|--:|--:|--:|---|{line}\n"
    );
    let mut rows = 0;
    for (_, part) in report.shown_parts() {
        let failed = if part.headline.errored { " planning failed" } else { "" };
        let mut row = format!("| {} | {}{failed} |", cell(&part.row.name), sign(&part.headline));
        for number in part.row.numbers {
            row.push_str(&if number > 0 { format!(" {number} |") } else { " |".to_owned() });
        }
        let cost =
            if has_costs { format!(" {} |", part.row.cost.as_deref().unwrap_or("")) } else { String::new() };
        row.push_str(&format!(" {} |{cost}\n", part.row.findings));
        if table.len() + row.len() > bytes {
            break;
        }
        table.push_str(&row);
        rows += 1;
    }
    if rows == 0 {
        return String::new();
    }
    let more = report.shown_parts().count().saturating_sub(rows);
    if more > 0 {
        table.push_str(&format!("\n{} below.\n", count(more, "more unit")));
    }
    table.push('\n');
    table
}

/// The units without a plan, in at most about `bytes` bytes, and the numbers of the others.
fn rows(units: &Units<'_>, bytes: usize) -> String {
    let mut text = match &*units.states() {
        "" => String::new(),
        states => format!("{states}\n\n"),
    };
    let mut left = 0;
    for row in &units.rows {
        let sign = if row.is_failure { "❌" } else { "➖" };
        let line = format!("- {sign} {} {}\n", code(&row.name), code(&row.sentence));
        if text.len() + line.len() > bytes {
            left += 1;
        } else {
            text.push_str(&line);
        }
    }
    if left > 0 {
        text.push_str(&format!("- {} without a plan\n", count(left, "more unit")));
    }
    if let Some(names) = units.unchanged_names().filter(|names| text.len() + names.len() < bytes) {
        text.push_str(&format!("- {}\n", code(&names)));
    }
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text
}

/// What several units have in common: the first findings, and equal changes.
fn common(units: &Units<'_>, budget: Budget) -> Shortened {
    let mut blocks = findings(&units.findings, budget);
    blocks.iter_mut().for_each(|block| block.is_before_table = true);
    if !units.shared.is_empty() {
        let order = units.shared.iter().map(|shared| shared.entry.order).min().unwrap_or(BESIDE_RESOURCES);
        blocks.push(Block::heading(&format!("### {}", Units::SHARED), order));
        for shared in &units.shared {
            let mut block = entry(&shared.entry, budget);
            let places = shared.places.iter().flat_map(|(part, at)| at.iter().map(|at| (Some(*part), *at)));
            block.entries = places.map(|(part, at)| (part, SectionKind::Resources, at)).collect();
            block.destroyed = if shared.entry.is_destroyed { block.entries.len() } else { 0 };
            blocks.push(block);
        }
        blocks.extend(units.elsewhere_sentence().map(|text| note(&text, Priority::Plain)));
    }
    Shortened { blocks, ..Shortened::default() }
}

/// The findings in a head: critical ones and warnings as alerts, then the notices.
fn findings(findings: &Findings, budget: Budget) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (level, alert, name, priority) in [
        (Level::Critical, "[!CAUTION]", "Critical", Priority::Grave),
        (Level::Warning, "[!WARNING]", "Warnings", Priority::Flagged),
        (Level::Notice, "[!NOTE]", "Notices", Priority::Flagged),
    ] {
        let of_level = findings.shown.iter().filter(|finding| finding.level == level);
        for (at, finding) in of_level.enumerate() {
            // The first one has the title, because it is shortened last.
            let title = match (at, budget.alerts) {
                (0, true) => format!("\n> {alert}\n"),
                (0, false) => format!("\n> **{name}**\n>\n"),
                (_, _) => String::new(),
            };
            let unit =
                if finding.unit.is_empty() { String::new() } else { format!("{} ", code(&finding.unit)) };
            let (address, text) = (code(&finding.address), code(&finding.text));
            let line = format!("{title}> - **{}** {unit}{address} {text}\n", finding.kind);
            blocks.push(Block::fixed(line, priority));
        }
    }
    blocks.extend(findings.rest().map(|rest| Block::fixed(format!("\n{rest}\n"), Priority::Flagged)));
    blocks
}

/// The text about one plan, in blocks that can be shortened.
fn shortened(place: usize, part: &Part<'_>, budget: Budget, run: &str) -> Shortened {
    let mut title = match &part.name {
        Some(name) => format!("\n{}", heading("###", &format!("{}: ", code(name)), &part.headline)),
        None => heading("##", "", &part.headline),
    };
    title.push_str(run);
    let (mut blocks, mut below) = (Vec::new(), Vec::new());
    let mut says_all_findings = true;
    for head in &part.head {
        match head {
            Head::Findings(found) => {
                blocks.splice(0..0, findings(found, budget));
                says_all_findings = found.more.is_empty();
            }
            Head::Details(lines) => {
                blocks.extend(lines.iter().map(|text| note(&code(text), Priority::Plain)));
            }
            Head::Others(lines) => {
                blocks.extend(lines.iter().map(|text| note(&code(text), Priority::Flagged)));
            }
            Head::Checks(checks) => blocks.extend(checks.iter().map(|check| {
                let sign = if check.is_failure { "⚠️" } else { "❔" };
                note(&format!("{sign} {}", code(&check.text)), Priority::Flagged)
            })),
            Head::Causes(tree) => below.push(causes(tree)),
            // It is in the footer.
            Head::Origin(_) => {}
        }
    }
    blocks.iter_mut().for_each(|block| block.is_before_table = true);
    blocks.append(&mut below);
    let has_costs = has_costs(part);
    for section in &part.sections {
        let heading = match &section.title {
            // The table says what is done.
            Title::Action { .. } if section.kind == SectionKind::Resources => None,
            Title::Module(address) if !address.is_empty() => Some(format!("#### {}", code(address))),
            title @ (Title::Action { .. } | Title::Module(_) | Title::Text(_)) => {
                Some(format!("#### {}", title.text()))
            }
        };
        blocks.extend(heading.map(|heading| Block::heading(&heading, section.order())));
        blocks.extend(section.entries.iter().map(|entry| match section.kind {
            SectionKind::Resources => in_table(entry, says_all_findings, has_costs, budget),
            SectionKind::Drift
            | SectionKind::Deferred
            | SectionKind::Invocations
            | SectionKind::DeferredInvocations
            | SectionKind::Outputs => self::entry(entry, budget),
        }));
    }
    if let Some(apart) = &part.apart {
        blocks.push(Block::heading(&format!("#### {}", results::TITLE), BESIDE_RESOURCES));
        let item = |item| Block { order: BESIDE_RESOURCES, ..Block::fixed(item, Priority::Plain) };
        blocks.extend(results::items(apart).into_iter().map(item));
    }
    blocks.extend(part.outputs.iter().map(|found| outputs(found, budget)));
    let remark = |text: &String| Block { order: BESIDE_RESOURCES, ..note(&code(text), Priority::Plain) };
    blocks.extend(part.notes.iter().map(remark));
    Shortened { place: Some(place), title, blocks, ..Shortened::default() }
}

/// A paragraph that is either kept or omitted.
fn note(text: &str, priority: Priority) -> Block {
    Block::fixed(format!("- {text}\n"), priority)
}

fn causes(tree: &Causes) -> Block {
    let level = |most: usize| format!("\n**{}**\n\n{}\n", tree.title, fence(&tree.lines, most));
    let title = format!("\n**{}**\n", tree.title);
    Block::new([level(usize::MAX), level(MIN_LINES), title], Priority::Flagged)
}

/// The place of an entry, its findings if they are wanted, and why it changes, as a list.
fn why(entry: &Entry<'_>, with_findings: bool) -> String {
    let source = entry.source.as_ref().map(|source| format!("- {}{}\n", link(source), source.rest));
    let mut text = source.unwrap_or_default();
    if with_findings {
        let EntryFindings { shown, more } = &entry.findings;
        for finding in shown {
            let name = format!("{} {}", finding.level.name(), finding.kind);
            text.push_str(&format!("- **{name}** {}\n", code(&finding.text)));
        }
        if *more > 0 {
            text.push_str(&format!("- {}\n", count(*more, "more finding")));
        }
    }
    text.push_str(&results::items(&entry.results).concat());
    text.extend(entry.needs.iter().chain(&entry.reasons).map(|line| format!("- {}\n", code(line))));
    text
}

/// An entry as a collapsible item below `header`, or after `line` on platforms without these: its diff, and what is
/// said above and below that. `bare` is all of it if there is nothing to open.
fn item(
    entry: &Entry<'_>,
    lines: &[Line],
    (header, line, bare): (&str, &str, &str),
    (above, below): (&str, &str),
    budget: Budget,
) -> Block {
    let level = |most: usize| -> String {
        let diff = if lines.is_empty() { String::new() } else { fence(lines, most) };
        let parts: Vec<&str> = [above, &diff, below].into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() {
            return bare.to_owned();
        }
        details(header, line, &parts.join("\n"), entry.is_open, budget)
    };
    // What is destroyed is named as long as there is space.
    let names = entry.others.iter().filter(|_| entry.is_destroyed);
    let names = names.map(|address| code(address)).collect::<Vec<_>>().join(", ");
    let short = if names.is_empty() { bare.to_owned() } else { format!("{} = {names}\n", line.trim_end()) };
    let fold = |what: &str| format!("**{what}** {}", code(entry.object_type));
    Block::of_entry(entry, [level(usize::MAX), level(MIN_LINES), short], fold)
}

fn outputs(outputs: &Outputs<'_>, budget: Budget) -> Block {
    let header = format!("{} to change", count(outputs.number, "output"));
    let line = format!("- {header}\n");
    let level = |most: usize| details(&header, &line, &fence(&outputs.lines, most), false, budget);
    Block {
        order: BESIDE_RESOURCES,
        entries: (0..outputs.number).map(|at| (None, SectionKind::Outputs, at)).collect(),
        ..Block::new([level(usize::MAX), level(MIN_LINES), line.clone()], Priority::Plain)
    }
}

/// An entry without a row, as a collapsible item.
fn entry(entry: &Entry<'_>, budget: Budget) -> Block {
    let reasons = why(entry, true);
    let others: String = entry.others.iter().map(|text| format!("- {}\n", code(text))).collect();
    let (preview, preview_html) = match &*entry.preview {
        "" => (String::new(), String::new()),
        preview => (format!(": {}", code(preview)), format!(": {}", html(preview))),
    };
    let kinds = format!("{}: {}", entry.level.name(), entry.finding_kinds.join(", "));
    let (flags, flags_html) = match &*entry.finding_kinds {
        [] => (String::new(), String::new()),
        [..] => (format!(" **! {kinds}**"), format!(" <strong>! {}</strong>", escape_html(&kinds))),
    };
    let (sign, address) = (entry.sign.0, &entry.address);
    let words = action_words(&entry.phrase);
    let cost = entry.cost.as_ref().map(|cost| format!(" {cost}")).unwrap_or_default();
    let line = format!("- {} {} {words}{cost}{preview}{flags}\n", code(sign), code(address));
    let phrase = format!("{}{}", escape_html(&entry.phrase), escape_html(&cost));
    let header = format!("{} {} {phrase}{preview_html}{flags_html}", html(sign), html(address));
    item(entry, &entry.lines, (&header, &line, &line), (&reasons, &others), budget)
}

/// A place in a configuration file: a link if the base URL of the files is known.
fn link(source: &Source) -> String {
    let text = code(&source.text);
    match &source.url {
        None => text,
        Some(url) => format!("[{text}]({url})"),
    }
}

fn sign(headline: &Headline) -> &'static str {
    match headline.level {
        _ if headline.errored => "❌",
        Level::Critical => "🔴",
        Level::Warning => "🟡",
        Level::Notice => "🔵",
        Level::None => "🟢",
    }
}

/// A heading with the verdict, and the rest of it.
fn heading(marks: &str, name: &str, headline: &Headline) -> String {
    let level = match headline.level {
        Level::None => String::new(),
        Level::Notice | Level::Warning | Level::Critical => format!("{}: ", headline.level.name()),
    };
    let lead = headline.lead(code);
    let mut text = format!("{marks} {} {name}{level}{}\n\n", sign(headline), lead.trim_end_matches('.'));
    text.extend(headline.additions.iter().map(|additions| format!("{additions}\n\n")));
    text
}

/// The end: what made the document, from which plan, and how to see all of it.
fn foot(report: &Report<'_>, budget: Budget) -> String {
    let data = |text: &str| if budget.details { html(text) } else { code(text) };
    let mut words = vec![super::MADE_BY.to_owned()];
    if let [part] = &*report.parts {
        for head in &part.head {
            let Head::Origin(origin) = head else { continue };
            words.extend(origin.words(true, data));
        }
    }
    words.push(data(report.command()) + " prints all of it");
    words.extend(report.run_url.as_ref().map(|url| format!("[Run]({url})")));
    let words = words.join(" · ");
    if budget.details { format!("\n<sub>{words}</sub>\n") } else { format!("\n{words}\n") }
}
