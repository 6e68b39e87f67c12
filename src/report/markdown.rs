//! The Markdown of a document for pull requests, within a size limit.
//!
//! Invariants:
//! - A code fence is longer than any run of backticks inside of it, and is never truncated.
//! - Outside of fences, data of the plan is written by [`text`], so that it creates no links, mentions or images.
//! - The text has at most [`Budget::bytes`] bytes. If it would have more, lines are omitted: those of entries without
//!   findings first, then those with findings, then grave ones. After that, entries are counted in the same order.
//!   Grave ones fold into one line for each kind and type; the head says how many objects it does not name.
//! - The first line is a comment by which a bot finds its previous text.
//! - Nothing is said twice: a finding is in the row of its entry, and below the table are only lines for which the row
//!   has no space.

mod table;
mod text;

use self::table::{circle, line_words, mark_words};
use self::text::{code, html, paragraph, sentence};
use super::blocks::{Budget, EntryRef, MIN_LINES, Shortened, SizedBlock, SizedWriter, fit};
use super::entry::AFTER_RESOURCES;
use super::{
    Headline, Level, Line, Marker, OtherResults, Outputs, Part, Priority, Report, ResultLine,
    SectionKind, SharedPlaces, Sign, SourceLink, Title, Units,
};
use crate::page::WebAddress;
use crate::term::ci::on_one_line;
use crate::text::{count, fenced};

/// The maximum number of outputs with a line of their own. More are in a part that can be opened.
const MAX_OUTPUTS: usize = 8;

/// Returns a document as Markdown. The coverage of the report is corrected for what the size limit cuts.
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
        let name = report.number_of_units();
        text.push_str(&heading("##", name.trim_end_matches(": "), total, None));
        text.push_str(&run);
        if let Some(line) = &report.remark {
            table.push_str(&format!("- {}\n\n", sentence(line)));
        }
        if let Some(units) = &report.units {
            text.push_str(&rows(units, budget.bytes / 4));
        }
        table.push_str(&plans(report, budget.bytes / 4));
    }
    // The changes that units share come first, then the units, the gravest first.
    let common = report.units.as_ref().map(|units| common(units, budget));
    let common = common.filter(|common| !common.blocks.is_empty());
    let above = if report.total.is_none() { &*run } else { "" };
    let parts = report
        .shown_parts()
        .map(|(index, part)| shortened(index, part, budget, above));
    let mut sections: Vec<Shortened> = common.into_iter().chain(parts).collect();
    let size = (text.len() + table.len(), budget.bytes);
    let body = fit(
        report,
        &mut sections,
        size,
        &MarkdownWriter { command, budget },
    );
    with_single_gaps(&(text + &table + &body + &foot))
}

/// Reduces each run of empty lines to one, because a part of the text does not know what is next to it. Fences are not
/// affected: they have no empty lines.
fn with_single_gaps(text: &str) -> String {
    let mut single = String::with_capacity(text.len());
    let mut breaks = 0;
    for line in text.split_inclusive('\n') {
        breaks = if line == "\n" { breaks + 1 } else { 0 };
        if breaks < 2 {
            single.push_str(line);
        }
    }
    single
}

/// Returns the title of a comment in Markdown, for its preface. It distinguishes the comments of several jobs.
pub fn markdown_title(title: &str) -> String {
    format!("<b>{}</b>\n\n", html(title))
}

/// The writer of the parts of a comment.
struct MarkdownWriter {
    /// The command that prints the whole document.
    command: &'static str,
    budget: Budget,
}

impl SizedWriter for MarkdownWriter {
    fn alert(&self, sentence: &str) -> String {
        format!("**{sentence}**\n\n")
    }

    fn remark(&self, sentence: &str) -> String {
        format!("\n_{sentence} `{}` prints all._\n\n", self.command)
    }

    /// Returns the text of all blocks. Consecutive blocks with rows become a table.
    fn body(&self, section: &Shortened, part: Option<&Part<'_>>) -> String {
        let has_costs = part.is_some_and(|part| table::has_costs(&part.sections));
        let mut body = String::new();
        for same in section
            .blocks
            .chunk_by(|one, other| one.is_row() == other.is_row())
        {
            match same {
                [first, ..] if first.is_row() => {
                    if !body.is_empty() && !body.ends_with("\n\n") {
                        body.push('\n');
                    }
                    body.push_str(&table::table(same, has_costs, self.budget));
                }
                others => body.extend(others.iter().map(SizedBlock::text)),
            }
        }
        body
    }
}

/// Returns the table of the plans in at most `bytes` bytes, in addition to a sentence that counts plans without a row.
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
            text::cell(&part.row.name),
            sign(&part.headline)
        );
        for number in part.row.numbers.in_order() {
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

/// Returns the list of units without a plan or without changes in at most `bytes` bytes, in addition to a line that
/// counts the others.
fn rows(units: &Units<'_>, bytes: usize) -> String {
    let mut text = match &*units.states() {
        "" => String::new(),
        states => format!("{states}\n\n"),
    };
    let mut left = 0;
    for row in &units.rows {
        let sign = if row.is_failure { "❌" } else { "➖" };
        let line = format!("- {sign} {} {}\n", code(&row.name), sentence(&row.sentence));
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
        text.push_str(&format!("- {}\n", sentence(&names)));
    }
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text
}

/// Returns the section of the changes that several units share, with one entry for the objects of all units.
fn common(units: &Units<'_>, budget: Budget) -> Shortened {
    let mut blocks = Vec::new();
    if !units.shared.is_empty() {
        let order = units
            .shared
            .iter()
            .map(|shared| shared.entry.order)
            .min()
            .unwrap_or(AFTER_RESOURCES);
        blocks.push(SizedBlock::heading(
            &format!("### {}", Units::SHARED),
            order,
        ));
        for shared in &units.shared {
            let places = shared.places.iter();
            let entries: Vec<_> = places
                .flat_map(|SharedPlaces { part, indices }| {
                    indices.iter().map(|index| EntryRef {
                        part: Some(*part),
                        list: SectionKind::Resources,
                        index: *index,
                    })
                })
                .collect();
            let mut block = table::entry_of(&shared.entry, entries.len(), false, budget);
            block.entries = entries;
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

/// Returns the section about one plan, in blocks that can be shortened. `run` is the link to the run, which follows the
/// title.
fn shortened(index: usize, part: &Part<'_>, budget: Budget, run: &str) -> Shortened {
    let said = part.sentence.as_deref();
    let mut title = match &part.name {
        Some(name) => format!("\n{}", heading("###", &code(name), &part.headline, said)),
        None => heading("##", "", &part.headline, said),
    };
    title.push_str(run);
    let mut blocks: Vec<SizedBlock> = part
        .details
        .iter()
        .map(|text| note(&sentence(text), Priority::Plain))
        .collect();
    blocks.extend(part.cost.iter().map(|text| note(text, Priority::Flagged)));
    blocks.extend(
        part.others
            .iter()
            .map(|text| note(&sentence(text), Priority::Flagged)),
    );
    blocks.extend(part.checks.iter().map(|check| {
        let sign = if check.is_failure { "⚠️" } else { "❔" };
        note(
            &format!(
                "{sign} {}",
                paragraph(&check.text, line_break_in_item(budget))
            ),
            Priority::Flagged,
        )
    }));
    let has_costs = table::has_costs(&part.sections);
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
        blocks.extend(heading.map(|heading| SizedBlock::heading(&heading, section.order())));
        let entries = section.entries.iter();
        blocks.extend(entries.map(|entry| table::entry(entry, has_costs, budget)));
    }
    if let Some(apart) = &part.apart {
        blocks.push(SizedBlock::heading(
            &format!("#### {}", OtherResults::TITLE),
            AFTER_RESOURCES,
        ));
        let item = |item| SizedBlock {
            order: AFTER_RESOURCES,
            ..SizedBlock::fixed(item, Priority::Plain)
        };
        blocks.extend(results(apart, budget).into_iter().map(item));
    }
    // With another bullet, the remarks are a list of their own.
    blocks.extend(part.outputs.iter().map(|list| outputs(list, budget)));
    // With another bullet, they are a list of their own.
    let remark = |text: &String| SizedBlock {
        order: AFTER_RESOURCES,
        ..SizedBlock::fixed(format!("* {}\n", sentence(text)), Priority::Plain)
    };
    blocks.extend(part.notes.iter().map(remark));
    Shortened {
        part: Some(index),
        title,
        blocks,
        ..Shortened::default()
    }
}

/// Makes a list item that is shown as a whole or not at all.
fn note(text: &str, priority: Priority) -> SizedBlock {
    SizedBlock::fixed(format!("- {text}\n"), priority)
}

/// Returns the separator between the lines of a text in an item of a list.
fn line_break_in_item(budget: Budget) -> &'static str {
    if budget.details { "<br>" } else { "  \n  " }
}

/// Returns the results of other tools as list items.
fn results(results: &OtherResults, budget: Budget) -> Vec<String> {
    let items = results.shown.iter().map(|result| {
        let text = paragraph(&result.text(), line_break_in_item(budget));
        format!("- {} {text}\n", label(result))
    });
    items
        .chain(results.rest().map(|rest| format!("- {rest}\n")))
        .collect()
}

/// Returns the label of a result of another tool, with a link to the rule. The address of a link is only in its target,
/// never in its text.
fn label(result: &ResultLine) -> String {
    let label = code(&result.label);
    match &result.url {
        Some(url) if WebAddress::new(url.clone()).is_some() && !url.contains('|') => {
            format!("[{label}]({url})")
        }
        Some(_) | None => label,
    }
}

/// Returns the block of the outputs: a list of the first ones, and the others in a part that can be opened.
fn outputs(outputs: &Outputs<'_>, budget: Budget) -> SizedBlock {
    let title = format!("{} to change", count(outputs.number, "output"));
    let short = format!("- {title}\n");
    let (first, rest) = outputs.lines.split_at(outputs.lines.len().min(MAX_OUTPUTS));
    let item = |line: &Line| {
        let indent = "  ".repeat(line.depth);
        let sign = if line.sign == Sign::Change { "~" } else { "" };
        format!(
            "{indent}- {}{}\n",
            mark_words(line.mark()),
            line_words(line, sign)
        )
    };
    let items: String = first.iter().map(item).collect();
    let level = |most: usize| {
        let rest: Vec<&Line> = rest.iter().collect();
        let rest = match (rest.len(), budget.details) {
            (0, _) => String::new(),
            (number, true) => format!(
                "\n<details><summary>{}</summary>\n\n{}\n</details>\n\n",
                count(number, "more line"),
                fence(&rest, most)
            ),
            (_, false) => format!("\n{}\n", fence(&rest, most)),
        };
        format!("\n**{title}**\n\n{items}{rest}")
    };
    SizedBlock {
        order: AFTER_RESOURCES,
        entries: (0..outputs.number)
            .map(|index| EntryRef {
                part: None,
                list: SectionKind::Outputs,
                index,
            })
            .collect(),
        ..SizedBlock::new(
            [level(usize::MAX), level(MIN_LINES), short],
            Priority::Plain,
        )
    }
}

/// Returns the position of a resource, with a link if its address is known.
fn link(source: &SourceLink) -> String {
    let text = code(&source.text);
    match &source.url {
        None => text,
        Some(url) => format!("[{text}]({url})"),
    }
}

/// Returns the sign of the level of a plan.
fn sign(headline: &Headline) -> &'static str {
    if headline.is_incomplete() {
        "❌"
    } else {
        circle(headline.level)
    }
}

/// Returns the heading of a plan or of all plans: the sign, the name, the level as a word, and what the plan does.
/// Below it are the counts, if they are not the heading themselves.
fn heading(marks: &str, name: &str, headline: &Headline, said: Option<&str>) -> String {
    let mut title = format!("{marks} {}", sign(headline));
    if !name.is_empty() {
        title.push_str(&format!(" {name}"));
    }
    let counts = headline.lead(code);
    let has_level = !headline.is_unchanged();
    if headline.names_level && has_level {
        title.push_str(&format!(" {}", headline.word()));
    }
    let colon = if name.is_empty() && !(headline.names_level && has_level) {
        ""
    } else {
        ":"
    };
    let mut below = headline.additions.clone().unwrap_or_default();
    match said {
        Some(said) => {
            title.push_str(&format!("{colon} {}", sentence(said)));
            below = format!("{counts} {below}");
        }
        None => title.push_str(&format!("{colon} {}", counts.trim_end_matches('.'))),
    }
    match below.trim_end() {
        "" => format!("{title}\n\n"),
        below => format!("{title}\n\n{below}\n\n"),
    }
}

/// Returns the last lines: what made the document, from which plan, and which command prints all of it.
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

/// Returns the first `max_lines` lines as a diff in a code fence. Signs are in column 0, so that platforms color the
/// lines.
fn fence(lines: &[&Line], max_lines: usize) -> String {
    let mut body = String::new();
    for line in lines.iter().take(max_lines) {
        let sign = match line.sign {
            Sign::Add => '+',
            Sign::Remove => '-',
            Sign::Change => '!',
            Sign::Same => ' ',
            Sign::Note => '#',
        };
        let mark = match line.mark().level {
            Level::None => String::new(),
            level @ (Level::Notice | Level::Warning | Level::Critical) => {
                format!("  ({}: {})", level.name(), line.mark().words())
            }
        };
        body.push_str(&format!(
            "{sign} {}{}{mark}\n",
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
