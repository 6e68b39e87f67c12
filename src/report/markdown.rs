//! Markdown for pull requests, within a size limit.
//!
//! Invariants: a code fence is longer than any run of backticks inside of it, and is never truncated; outside
//! of fences, data of the plan is in code spans, so that it creates no links, mentions or images; the text
//! has at most [`Budget::bytes`] bytes. If it would have more, diffs are omitted: those of entries without
//! findings first, then those with findings, then grave ones. After that, entries are counted in the same
//! order. Grave ones fold into one line for each kind and type; the head says how many objects it does not
//! name. The first line is a comment by which a bot finds its previous text. The details do not repeat the
//! table.

use super::blocks::{BESIDE_RESOURCES, Block, Budget, MIN_LINES, Shortened, SizedWriter, fit};
use super::table::{changes, has_costs, in_table};
use super::{
    Causes, Entry, EntryFindings, Findings, Headline, Level, Line, Marker, OtherResults, Outputs,
    Part, Priority, Report, SectionKind, Sign, Source, Title, Units,
};
use crate::page::WebAddress;
use crate::term::ci::on_one_line;
use crate::text::{code_span, fenced};
use crate::text::{count, cut};

/// The maximum length of addresses and reasons, in characters.
const MAX_LEN: usize = 200;

/// The coverage is corrected by what is shortened.
pub fn markdown(report: &mut Report<'_>, budget: Budget) -> String {
    let run = report
        .run_url
        .as_ref()
        .map(|url| format!("[Run]({url})\n\n"))
        .unwrap_or_default();
    let mut text = report
        .marker
        .as_ref()
        .map(Marker::comment)
        .unwrap_or_default();
    text.push_str(&report.preface);
    let (command, foot) = (report.command(), foot(report, budget));
    let budget = Budget {
        bytes: budget.bytes.saturating_sub(2 * run.len() + foot.len()),
        ..budget
    };
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
    let parts = report
        .shown_parts()
        .map(|(at, part)| shortened(at, part, budget, above));
    let mut sections: Vec<Shortened> = common.into_iter().chain(parts).collect();
    let size = (text.len() + table.len(), budget.bytes);
    let body = fit(report, &mut sections, size, &Writer { command, budget });
    text + &table + &body + &foot
}

struct Writer {
    command: &'static str,
    budget: Budget,
}

impl SizedWriter for Writer {
    fn alert(&self, sentence: &str) -> String {
        format!("**{sentence}**\n\n")
    }

    fn remark(&self, sentence: &str) -> String {
        format!("\n_{sentence} `{}` prints all._\n\n", self.command)
    }

    fn body(&self, section: &Shortened, part: Option<&Part<'_>>) -> String {
        let (before, after): (Vec<&Block>, Vec<&Block>) = section
            .blocks
            .iter()
            .partition(|block| block.is_before_table);
        let mut body: String = before.into_iter().map(Block::text).collect();
        let table = changes(section, part.is_some_and(has_costs), self.budget);
        if !table.is_empty() && !body.is_empty() && !body.ends_with("\n\n") {
            body.push('\n');
        }
        body.push_str(&table);
        body.extend(after.into_iter().map(Block::text));
        body
    }
}

/// A table of the plans with at most `bytes` bytes. Plans without a row are counted.
fn plans(report: &Report<'_>, bytes: usize) -> String {
    let has_costs = report.parts.iter().any(|part| part.row.cost.is_some());
    let [cost, line] = if has_costs {
        [" cost |", "--:|"]
    } else {
        ["", ""]
    };
    let mut table = format!(
        "| unit | | destroy | replace | forget | change | create | findings |{cost}\n\
         |---|---|--:|--:|--:|--:|--:|---|{line}\n"
    );
    let mut rows = 0;
    for (_, part) in report.shown_parts() {
        let failed = if part.headline.errored {
            " planning failed"
        } else {
            ""
        };
        let mut row = format!(
            "| {} | {}{failed} |",
            cell(&part.row.name),
            sign(&part.headline)
        );
        for number in part.row.numbers {
            row.push_str(&if number > 0 {
                format!(" {number} |")
            } else {
                " |".to_owned()
            });
        }
        let cost = if has_costs {
            format!(" {} |", part.row.cost.as_deref().unwrap_or(""))
        } else {
            String::new()
        };
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
    if let Some(names) = units
        .unchanged_names()
        .filter(|names| text.len() + names.len() < bytes)
    {
        text.push_str(&format!("- {}\n", code(&names)));
    }
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text
}

fn common(units: &Units<'_>, budget: Budget) -> Shortened {
    let mut blocks = findings(&units.findings, budget);
    blocks
        .iter_mut()
        .for_each(|block| block.is_before_table = true);
    if !units.shared.is_empty() {
        let order = units
            .shared
            .iter()
            .map(|shared| shared.entry.order)
            .min()
            .unwrap_or(BESIDE_RESOURCES);
        blocks.push(Block::heading(&format!("### {}", Units::SHARED), order));
        for shared in &units.shared {
            let mut block = entry(&shared.entry, budget);
            let places = shared
                .places
                .iter()
                .flat_map(|(part, at)| at.iter().map(|at| (Some(*part), *at)));
            block.entries = places
                .map(|(part, at)| (part, SectionKind::Resources, at))
                .collect();
            block.destroyed = if shared.entry.is_destroyed {
                block.entries.len()
            } else {
                0
            };
            blocks.push(block);
        }
        blocks.extend(
            units
                .elsewhere_sentence()
                .map(|text| note(&text, Priority::Plain)),
        );
    }
    Shortened {
        blocks,
        ..Shortened::default()
    }
}

fn findings(findings: &Findings, budget: Budget) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (level, alert, name, priority) in [
        (Level::Critical, "[!CAUTION]", "Critical", Priority::Grave),
        (Level::Warning, "[!WARNING]", "Warnings", Priority::Flagged),
        (Level::Notice, "[!NOTE]", "Notices", Priority::Flagged),
    ] {
        let of_level = findings
            .shown
            .iter()
            .filter(|finding| finding.level == level);
        for (at, finding) in of_level.enumerate() {
            // The first one has the title, because it is shortened last.
            let title = match (at, budget.alerts) {
                (0, true) => format!("\n> {alert}\n"),
                (0, false) => format!("\n> **{name}**\n>\n"),
                (_, _) => String::new(),
            };
            let unit = if finding.unit.is_empty() {
                String::new()
            } else {
                format!("{} ", code(&finding.unit))
            };
            let (address, text) = (code(&finding.address), code(&finding.text));
            let line = format!("{title}> - **{}** {unit}{address} {text}\n", finding.kind);
            blocks.push(Block::fixed(line, priority));
        }
    }
    blocks.extend(
        findings
            .rest()
            .map(|rest| Block::fixed(format!("\n{rest}\n"), Priority::Flagged)),
    );
    blocks
}

/// The text about one plan, in blocks that can be shortened.
fn shortened(place: usize, part: &Part<'_>, budget: Budget, run: &str) -> Shortened {
    let mut title = match &part.name {
        Some(name) => format!(
            "\n{}",
            heading("###", &format!("{}: ", code(name)), &part.headline)
        ),
        None => heading("##", "", &part.headline),
    };
    title.push_str(run);
    let mut blocks = findings(&part.findings, budget);
    let about = part.types.iter().chain(&part.details);
    blocks.extend(about.map(|text| note(&code(text), Priority::Plain)));
    blocks.extend(
        part.others
            .iter()
            .map(|text| note(&code(text), Priority::Flagged)),
    );
    blocks.extend(part.checks.iter().map(|check| {
        let sign = if check.is_failure { "⚠️" } else { "❔" };
        note(&format!("{sign} {}", code(&check.text)), Priority::Flagged)
    }));
    blocks
        .iter_mut()
        .for_each(|block| block.is_before_table = true);
    blocks.extend(part.causes.iter().map(causes));
    let has_costs = has_costs(part);
    for section in &part.sections {
        let heading = match &section.title {
            // The table says what is done.
            Title::Changes | Title::Counted(_) if section.kind == SectionKind::Resources => None,
            Title::Module(address) if !address.is_empty() => {
                Some(format!("#### {}", code(address)))
            }
            title @ (Title::Changes | Title::Counted(_) | Title::Module(_) | Title::Text(_)) => {
                Some(format!("#### {}", title.text()))
            }
        };
        blocks.extend(heading.map(|heading| Block::heading(&heading, section.order())));
        let is_in_table = section.kind == SectionKind::Resources;
        blocks.extend(section.entries.iter().map(|entry| match is_in_table {
            true => in_table(entry, part.findings.more.is_empty(), has_costs, budget),
            false => self::entry(entry, budget),
        }));
    }
    if let Some(apart) = &part.apart {
        blocks.push(Block::heading(
            &format!("#### {}", OtherResults::TITLE),
            BESIDE_RESOURCES,
        ));
        let item = |item| Block {
            order: BESIDE_RESOURCES,
            ..Block::fixed(item, Priority::Plain)
        };
        blocks.extend(results(apart).into_iter().map(item));
    }
    blocks.extend(part.outputs.iter().map(|found| outputs(found, budget)));
    let remark = |text: &String| Block {
        order: BESIDE_RESOURCES,
        ..note(&code(text), Priority::Plain)
    };
    blocks.extend(part.notes.iter().map(remark));
    Shortened {
        place: Some(place),
        title,
        blocks,
        ..Shortened::default()
    }
}

fn note(text: &str, priority: Priority) -> Block {
    Block::fixed(format!("- {text}\n"), priority)
}

fn causes(tree: &Causes) -> Block {
    let level = |most: usize| format!("\n**{}**\n\n{}\n", tree.title, fence(&tree.lines, most));
    let title = format!("\n**{}**\n", tree.title);
    Block::new(
        [level(usize::MAX), level(MIN_LINES), title],
        Priority::Flagged,
    )
}

pub(super) fn why(entry: &Entry<'_>, with_findings: bool) -> String {
    let source = entry
        .source
        .as_ref()
        .map(|source| format!("- {}{}\n", link(source), source.rest));
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
    text.push_str(&results(&entry.results).concat());
    text.extend(
        entry
            .needs
            .iter()
            .chain(&entry.reasons)
            .map(|line| format!("- {}\n", code(line))),
    );
    text
}

fn results(results: &OtherResults) -> Vec<String> {
    let items = results.shown.iter().map(|result| {
        let label = code(&result.label);
        // An address of the web is only in the target of a link, never in its text.
        let label = match &result.url {
            Some(url) if WebAddress::new(url.clone()).is_some() => format!("[{label}]({url})"),
            Some(_) | None => label,
        };
        format!("- {label} {}\n", code(&result.text()))
    });
    items
        .chain(results.rest().map(|rest| format!("- {rest}\n")))
        .collect()
}

/// A collapsible item below `header`, or after `line` on platforms without these. `bare` is all of it if
/// there is nothing to open.
pub(super) fn item(
    entry: &Entry<'_>,
    lines: &[Line],
    (header, line, bare): (&str, &str, &str),
    (above, below): (&str, &str),
    budget: Budget,
) -> Block {
    let level = |most: usize| -> String {
        let diff = if lines.is_empty() {
            String::new()
        } else {
            fence(lines, most)
        };
        let parts: Vec<&str> = [above, &diff, below]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        if parts.is_empty() {
            return bare.to_owned();
        }
        details(header, line, &parts.join("\n"), entry.is_open, budget)
    };
    // What is destroyed is named as long as there is space.
    let names = entry.others.iter().filter(|_| entry.is_destroyed);
    let names = names
        .map(|address| code(address))
        .collect::<Vec<_>>()
        .join(", ");
    let short = if names.is_empty() {
        bare.to_owned()
    } else {
        format!("{} = {names}\n", line.trim_end())
    };
    let fold = |what: &str| format!("**{what}** {}", code(entry.object_type));
    Block::of_entry(entry, [level(usize::MAX), level(MIN_LINES), short], fold)
}

fn outputs(outputs: &Outputs<'_>, budget: Budget) -> Block {
    let header = format!("{} to change", count(outputs.number, "output"));
    let line = format!("- {header}\n");
    let level = |most: usize| details(&header, &line, &fence(&outputs.lines, most), false, budget);
    Block {
        order: BESIDE_RESOURCES,
        entries: (0..outputs.number)
            .map(|at| (None, SectionKind::Outputs, at))
            .collect(),
        ..Block::new(
            [level(usize::MAX), level(MIN_LINES), line.clone()],
            Priority::Plain,
        )
    }
}

fn entry(entry: &Entry<'_>, budget: Budget) -> Block {
    let reasons = why(entry, true);
    let others: String = entry
        .others
        .iter()
        .map(|text| format!("- {}\n", code(text)))
        .collect();
    let (preview, preview_html) = match &*entry.preview {
        "" => (String::new(), String::new()),
        preview => (
            format!(": {}", code(preview)),
            format!(": {}", html(preview)),
        ),
    };
    let kinds = format!("{}: {}", entry.level.name(), entry.finding_kinds.join(", "));
    let (flags, flags_html) = match &*entry.finding_kinds {
        [] => (String::new(), String::new()),
        [..] => (
            format!(" **! {kinds}**"),
            format!(" <strong>! {}</strong>", escape_html(&kinds)),
        ),
    };
    let (sign, address) = (entry.sign.0, &entry.address);
    let times = entry
        .times
        .map(|number| format!(" — same change × {number}"))
        .unwrap_or_default();
    let words = format!("{}{times}", action_words(&entry.phrase));
    let cost = entry
        .cost
        .as_ref()
        .map(|cost| format!(" {cost}"))
        .unwrap_or_default();
    let line = format!(
        "- {} {} {words}{cost}{preview}{flags}\n",
        code(sign),
        code(address)
    );
    let phrase = format!(
        "{}{times}{}",
        escape_html(&entry.phrase),
        escape_html(&cost)
    );
    let header = format!(
        "{} {} {phrase}{preview_html}{flags_html}",
        html(sign),
        html(address)
    );
    item(
        entry,
        &entry.lines,
        (&header, &line, &line),
        (&reasons, &others),
        budget,
    )
}

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

fn heading(marks: &str, name: &str, headline: &Headline) -> String {
    let level = match headline.level {
        Level::None => String::new(),
        Level::Notice | Level::Warning | Level::Critical => format!("{}: ", headline.level.name()),
    };
    let lead = headline.lead(code);
    let mut text = format!(
        "{marks} {} {name}{level}{}\n\n",
        sign(headline),
        lead.trim_end_matches('.')
    );
    text.extend(
        headline
            .additions
            .iter()
            .map(|additions| format!("{additions}\n\n")),
    );
    text
}

/// What made the document, from which plan, and how to see all of it.
fn foot(report: &Report<'_>, budget: Budget) -> String {
    let data = |text: &str| {
        if budget.details {
            html(text)
        } else {
            code(text)
        }
    };
    let mut words = vec![super::MADE_BY.to_owned()];
    if let [part] = &*report.parts {
        words.extend(part.origin.words(true, data));
    }
    words.push(data(report.command()) + " prints all of it");
    words.extend(report.run_url.as_ref().map(|url| format!("[Run]({url})")));
    let words = words.join(" · ");
    if budget.details {
        format!("\n<sub>{words}</sub>\n")
    } else {
        format!("\n{words}\n")
    }
}

/// `open` is for severe changes. Platforms without collapsible parts get plain text.
fn details(header: &str, line: &str, body: &str, open: bool, budget: Budget) -> String {
    if budget.details {
        let open = if open { " open" } else { "" };
        format!("<details{open}><summary>{header}</summary>\n\n{body}\n</details>\n\n")
    } else {
        // The empty line ends a preceding list.
        format!("\n{}\n{body}\n", line.trim_start_matches("- "))
    }
}

/// The signs are in column 0, so that lines are coloured.
fn fence(lines: &[Line], max_lines: usize) -> String {
    let mut body = String::new();
    for line in lines.iter().take(max_lines) {
        let sign = match line.sign {
            Sign::Add => '+',
            Sign::Remove => '-',
            Sign::Change => '!',
            Sign::Same => ' ',
            Sign::Note => '#',
        };
        body.push_str(&format!(
            "{sign} {}{}\n",
            "  ".repeat(line.depth),
            on_one_line(&line.text())
        ));
    }
    let more = lines.len().saturating_sub(max_lines);
    if more > 0 {
        body.push_str(&format!("# … {} more\n", count(more, "line")));
    }
    fenced("diff", &body)
}

pub(super) fn code(text: &str) -> String {
    let text = cut(&on_one_line(text), MAX_LEN);
    if text.trim().is_empty() {
        return "` `".to_owned();
    }
    code_span(&text)
}

/// The name of an unknown action is data of the plan.
pub(super) fn action_words(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " —×;:,()-".contains(c);
    on_one_line(text)
        .chars()
        .map(|c| if plain(c) { c } else { '·' })
        .collect()
}

pub(super) fn html(text: &str) -> String {
    format!(
        "<code>{}</code>",
        escape_html(&cut(&on_one_line(text), MAX_LEN))
    )
}

/// A text in HTML that is part of a document in Markdown: inside of elements, Markdown is read too, so what could begin
/// a link, an image, code, a formula or a table's cell becomes a character reference.
fn escape_html(text: &str) -> String {
    let text = on_one_line(text);
    let mut out = String::with_capacity(text.len());
    // Emphasis begins with a `_` that no letter precedes.
    let mut parts = text.split('_');
    parts.next_back();
    let has_emphasis = parts.any(|part| !part.ends_with(char::is_alphanumeric));
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let rest = &text[at + c.len_utf8()..];
        let next = rest.chars().next().unwrap_or(' ');
        let is_active = match c {
            '&' | '<' | '>' | '"' | '\'' | '@' | '!' | '`' | '*' | '~' | '\\' | '|' | '$' => true,
            ']' => matches!(next, '(' | '[' | ':'),
            ':' => rest.starts_with("//"),
            '.' => begins_address(&text[..at]),
            '_' => has_emphasis && !(before.is_alphanumeric() && next.is_alphanumeric()),
            _ => false,
        };
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if is_active => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// `www.` alone makes a link.
fn begins_address(before: &str) -> bool {
    let start = before.len().checked_sub(3).and_then(|at| before.get(at..));
    start.is_some_and(|start| start.eq_ignore_ascii_case("www"))
}

/// In a table, a bar would end the cell.
pub(super) fn cell(text: &str) -> String {
    code(&text.replace('|', "¦"))
}
