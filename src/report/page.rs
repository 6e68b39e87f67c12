//! The HTML page of a document: the verdict, the findings and an index first, then a section for each module.
//!
//! The page is complete without script and style. Every change is a `<details>` element with the lines of the review
//! and, below a switch, the text of `show`. Changes are in chunks, so that a browser lays out only the visible ones.
//!
//! Invariant: a large page is not held in memory, because each chunk is written before the next one is made.

use std::convert::Infallible;
use std::io::{self, Write};

use super::{
    Check, Level, Line, MADE_BY, Mark, OtherResults, Outputs, Part, Report, ReportEntry, Section,
    Sign, Tone, Units, UpstreamText, page_head as head,
};
use crate::page::{self, Attribute, Html, Id, Page, WebAddress, class};
use crate::term::{StyledText, Untrusted};
use crate::text::{count, filled_lines, one_line};

/// The number of changes in a chunk, which a browser lays out together.
const CHUNK: usize = 50;

/// The options of a page that are not part of the document.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// The title of the page, if it is not that of the document.
    pub title: Option<String>,
    /// Whether the page shows sensitive values. Then it has a warning.
    pub shows_sensitive: bool,
    /// The text of a comparison with the approved plan, which precedes the document.
    pub since: Option<String>,
}

/// Writes a document as a page.
///
/// # Errors
/// If writing to `sink` fails.
pub fn page(report: &Report<'_>, options: &PageOptions, sink: &mut dyn Write) -> io::Result<()> {
    let title = one_line(options.title.as_ref().unwrap_or(&report.title));
    let page = Page {
        title: &title,
        skip: "Skip to the changes",
        shows_sensitive: options.shows_sensitive,
    };
    let header = |html: &mut Html| {
        if let Some(total) = &report.total {
            head::total(html, total, &report.number_of_units());
        }
        report
            .units
            .iter()
            .for_each(|units| self::units(html, units));
        report
            .remark
            .iter()
            .for_each(|text| html.paragraph(class::MUTED, text));
        run(html, report);
    };
    let content = |html: &mut Html, sink: &mut dyn Write| {
        if let Some(since) = &options.since {
            html.words("h2", "Since the approved plan");
            html.words("pre", since);
        }
        if report.total.is_some() {
            head::table(html, report);
        }
        let mut sections = 0;
        for (index, part) in report.shown_parts() {
            let mut write = |html: &mut Html| {
                self::part(html, part, &mut sections, &mut |html| html.write_out(sink))
            };
            if report.total.is_some() {
                let attributes = [Attribute::Id(Id::Part(index)), Attribute::Class("part")];
                html.element("section", &attributes, write)?;
            } else {
                write(html)?;
            }
            html.write_out(sink)?;
        }
        run(html, report);
        Ok(())
    };
    let footer = |html: &mut Html| {
        let rest = "prints the same on a terminal, and --format json all of it.";
        let text = format!("Made by {MADE_BY}. {} {rest}", report.command());
        html.tag("footer", |html| html.paragraph(class::MUTED, &text));
    };
    page::write(page, sink, header, content, footer)
}

/// Writes a link to the run in the CI system.
fn run(html: &mut Html, report: &Report<'_>) {
    if let Some(url) = report.run_url.clone().and_then(WebAddress::new) {
        html.tag("p", |html| {
            html.link(Some(Attribute::File(&url)), |html| html.text("Run"));
        });
    }
}

/// Writes the states of units, the units without a plan, and those without changes.
fn units(html: &mut Html, units: &Units<'_>) {
    html.paragraph(class::MUTED, &units.states());
    html.list("findings", &units.rows, |html, row| {
        let (class, sign) = if row.is_failure {
            ("finding", "✗")
        } else {
            ("warning", "-")
        };
        html.strong(class, sign);
        html.text(" ");
        html.code(&one_line(&row.name));
        html.data(Untrusted(&format!(" {}", one_line(&row.sentence))));
    });
    if !units.unchanged.is_empty() {
        let text = format!("{} unchanged", count(units.unchanged.len(), "unit"));
        let names = |html: &mut Html| {
            html.list("notes", &units.unchanged, |html, name| {
                html.data(Untrusted(&one_line(name)));
            });
        };
        html.details(&[], |html| html.data(Untrusted(&text)), names);
    }
}

/// Writes the part about one plan into a page that has other content, too. It is not flushed.
pub fn page_part(html: &mut Html, part: &Part<'_>) {
    let Ok(()) = self::part::<Infallible>(html, part, &mut 0, &mut |_| Ok(()));
}

/// The function that writes the HTML so far to its sink, so that a large page is not held in memory.
type Flush<'f, E> = &'f mut dyn FnMut(&mut Html) -> Result<(), E>;

/// Writes the part about a plan. `sections` is the number of sections that have an ID so far, which this increases.
fn part<E>(
    html: &mut Html,
    part: &Part<'_>,
    sections: &mut usize,
    flush: Flush<'_, E>,
) -> Result<(), E> {
    head::band(html, part);
    head::findings(html, &part.findings);
    checks(html, &part.checks);
    for text in part.details.iter().chain(&part.cost).chain(&part.others) {
        html.paragraph(class::MUTED, text);
    }
    if let Some(causes) = &part.causes {
        html.words("h3", &causes.title);
        lines(html, &causes.lines);
    }
    head::index(html, part, *sections);
    let mut next = || {
        *sections += 1;
        Attribute::Id(Id::Section(*sections - 1))
    };
    // A single section has the same counts as the head.
    let is_only = part.sections.len() == 1;
    for section in &part.sections {
        self::section(html, section, is_only, next(), flush)?;
    }
    if let Some(apart) = &part.apart {
        html.element("section", &[next()], |html| {
            html.words("h3", OtherResults::TITLE);
            html.element("ul", &[Attribute::Class("reasons")], |html| {
                results(html, apart);
            });
        });
    }
    if let Some(list) = &part.outputs {
        html.element("section", &[next()], |html| {
            html.words("h3", "Outputs");
            outputs(html, list);
        });
    }
    html.list("notes", &part.notes, |html, note| {
        html.data(Untrusted(&one_line(note)));
    });
    part.unreported()
        .iter()
        .for_each(|sentence| html.paragraph("banner", sentence));
    let words = part.origin.words(true, str::to_owned);
    if !words.is_empty() {
        html.tag("footer", |html| {
            html.paragraph(class::MUTED, &words.join(" · "));
        });
    }
    Ok(())
}

/// Writes a section, and flushes the HTML after each chunk of entries. A single section has no counts.
fn section<E>(
    html: &mut Html,
    section: &Section<'_>,
    is_only: bool,
    id: Attribute<'_>,
    flush: Flush<'_, E>,
) -> Result<(), E> {
    html.element("section", &[id], |html| {
        html.tag("h3", |html| {
            html.data(Untrusted(&one_line(section.title.text())));
            if !is_only {
                html.remark(class::MUTED, &section.counts);
            }
        });
        for chunk in section.entries.chunks(CHUNK) {
            html.element("div", &[Attribute::Class("chunk")], |html| {
                chunk.iter().for_each(|shown| entry(html, shown));
            });
            flush(html)?;
        }
        Ok(())
    })
}

/// Writes the checks that did not pass.
fn checks(html: &mut Html, checks: &[Check]) {
    if !checks.is_empty() {
        html.words("h3", "Checks");
    }
    html.list("findings", checks, |html, check| {
        if check.is_failure {
            html.strong("finding", "check");
            html.text(" ");
        }
        paragraph(html, &check.text);
    });
}

/// Writes a text of several lines, each below the one before.
fn paragraph(html: &mut Html, text: &str) {
    for (index, line) in filled_lines(text).enumerate() {
        match index {
            0 => html.data(Untrusted(line)),
            _ => html.words("div", line),
        }
    }
}

/// Writes an entry: an object, a group with its objects, or an object of a group, which has no lines of its own.
fn entry(html: &mut Html, entry: &ReportEntry<'_>) {
    let levels = entry
        .levels
        .iter()
        .map(|(level, number)| format!("{}:{number}", level.name()));
    let kinds = entry.finding_kinds.iter().map(|kind| (*kind).to_owned());
    let findings = levels.chain(kinds).collect::<Vec<_>>().join(" ");
    // An entry without objects of its own is not filtered, marked as viewed or counted.
    let mut attributes = if entry.places.indices.is_empty() {
        vec![Attribute::Class("card")]
    } else {
        vec![
            Attribute::Id(Id::Change(entry.number)),
            Attribute::Data("data-kind", Untrusted(entry.kind)),
            Attribute::Data("data-type", Untrusted(entry.object_type)),
        ]
    };
    let is_group = !entry.members.is_empty();
    attributes.extend(is_group.then_some(Attribute::Class("group")));
    attributes.extend(
        (!findings.is_empty()).then_some(Attribute::Data("data-findings", Untrusted(&findings))),
    );
    attributes.extend(entry.is_open.then_some(Attribute::Fixed("open", "")));
    let write = |html: &mut Html| {
        about(html, entry);
        let (with_findings, rest) = entry.lines_around_results();
        let has_marks = !with_findings.is_empty();
        lines_in_column(html, with_findings, has_marks);
        results_of(html, entry);
        lines_in_column(html, rest, has_marks);
        tool(html, entry);
        if is_group {
            html.element("div", &[Attribute::Class("members")], |html| {
                entry
                    .members
                    .iter()
                    .for_each(|member| self::entry(html, member));
            });
        }
    };
    html.details(&attributes, |html| summary(html, entry), write);
}

/// Writes the tool's text of an entry, or a link to the entry that contains it.
fn tool(html: &mut Html, entry: &ReportEntry<'_>) {
    match &entry.text {
        UpstreamText::None => {}
        UpstreamText::In(number) => html.tag("p", |html| {
            html.text("Its configuration is in the text of ");
            let target = Some(Attribute::Link(Id::Change(*number)));
            html.link(target, |html| html.text("the change that invokes it"));
            html.text(".");
        }),
        UpstreamText::Own(text) if text.lines().next().is_none() => {
            lines(html, &entry.omitted_by_tool);
        }
        UpstreamText::Own(text) => {
            tool_text(html, text, entry.lines.is_empty(), &entry.omitted_by_tool);
        }
    }
}

/// Writes the tool's text in an element that can be opened, and below it the lines about values that the text omits.
fn tool_text(html: &mut Html, text: &StyledText, is_open: bool, omitted: &[Line]) {
    let attributes = [Attribute::Class("tool"), Attribute::Fixed("open", "")];
    let write = |html: &mut Html| {
        html.tag("pre", |html| html.styled(text));
        if let Some((lines, bytes)) = text.left_out() {
            let (lines, bytes) = (count(lines, "line"), count(bytes, "byte"));
            let rest = "of this text are not on the page; tfview show prints all of it.";
            html.paragraph("cut", &format!("… {lines} and {bytes} {rest}"));
        }
        lines(html, omitted);
    };
    html.details(
        &attributes[..1 + usize::from(is_open)],
        |html| html.text("Text of the tool"),
        write,
    );
}

/// Writes the summary of an entry: the sign, the address and what the object is. What an open entry repeats is in an
/// element that is hidden then.
fn summary(html: &mut Html, entry: &ReportEntry<'_>) {
    html.span("sign", entry.sign.symbol);
    html.text(" ");
    html.code(&entry.address);
    if !entry.members.is_empty() {
        html.remark("times", &format!("× {}", entry.members.len()));
    }
    html.remark("subject", &one_line(&entry.summary));
    if !entry.remark.is_empty() {
        html.remark(class::MUTED, &format!("({})", one_line(&entry.remark)));
    }
    kinds(html, &entry.mark);
    let names = match (&*entry.summary, &*entry.preview) {
        // The remark may already say it.
        ("", "") if entry.remark == entry.phrase => "",
        ("", "") => &entry.phrase,
        ("", preview) => preview,
        (..) => "",
    };
    let others = entry.finding_kinds.iter();
    let others: Vec<&&str> = others
        .filter(|kind| !entry.mark.kinds.contains(kind))
        .collect();
    if !names.is_empty() || !others.is_empty() {
        html.text(" ");
        html.element("span", &[Attribute::Class("brief")], |html| {
            html.span(class::MUTED, &one_line(names));
            for kind in others {
                html.text(" ");
                html.strong(head::class_of(entry.level), kind);
            }
        });
    }
    html.remark("number", entry.cost.as_deref().unwrap_or_default());
}

/// Writes the kinds of findings in the color of their level.
fn kinds(html: &mut Html, mark: &Mark) {
    for kind in &mark.kinds {
        html.text(" ");
        html.strong(head::class_of(mark.level), kind);
    }
}

/// Writes what other tools say about the resource.
fn results_of(html: &mut Html, entry: &ReportEntry<'_>) {
    if !entry.results.is_empty() {
        html.element("ul", &[Attribute::Class("reasons")], |html| {
            results(html, &entry.results);
        });
    }
}

/// Writes where the resource is, and who has to approve.
fn about(html: &mut Html, entry: &ReportEntry<'_>) {
    let reasons: Vec<&String> = entry.needs.iter().chain(&entry.reasons).collect();
    if reasons.is_empty() && entry.source.is_none() {
        return;
    }
    html.element("ul", &[Attribute::Class("reasons")], |html| {
        if let Some(source) = &entry.source {
            let url = source.url.clone().and_then(WebAddress::new);
            html.tag("li", |html| {
                html.link(url.as_ref().map(Attribute::File), |html| {
                    html.code(&source.text);
                });
            });
        }
        reasons
            .iter()
            .for_each(|reason| html.words("li", &one_line(reason)));
    });
}

/// Writes the results of other tools as list items, with links to their rules.
fn results(html: &mut Html, results: &OtherResults) {
    for result in &results.shown {
        html.tag("li", |html| {
            let url = result.url.clone().and_then(WebAddress::new);
            let label = one_line(&result.label);
            html.link(url.as_ref().map(Attribute::File), |html| {
                match result.tone == Tone::Alert {
                    true => html.strong("finding", &label),
                    false => html.code(&label),
                }
            });
            html.text(" ");
            paragraph(html, &result.text());
        });
    }
    results
        .rest()
        .iter()
        .for_each(|rest| html.words("li", rest));
}

/// Writes the lines of outputs, and the tool's text of them.
fn outputs(html: &mut Html, outputs: &Outputs<'_>) {
    lines(html, &outputs.lines);
    if let Some(text) = outputs
        .text
        .as_deref()
        .filter(|text| !text.changed().is_empty())
    {
        tool_text(html, text, outputs.lines.is_empty(), &[]);
    }
}

/// Writes lines with their marks in a margin, as on a terminal.
fn lines(html: &mut Html, lines: &[Line]) {
    let has_marks = lines.iter().any(|line| !line.mark().is_empty());
    lines_in_column(html, lines, has_marks);
}

/// `has_marks` leaves a margin for marks, also if these lines have none.
fn lines_in_column(html: &mut Html, lines: &[Line], has_marks: bool) {
    if lines.is_empty() {
        return;
    }
    html.element("pre", &[Attribute::Class("lines")], |html| {
        for line in lines {
            let class = [Attribute::Class(class_of_line(line))];
            html.element("span", &class, |html| self::line(html, line, has_marks));
            html.text("\n");
        }
    });
}

/// Writes a line of an entry: the margin with its mark, its indentation, its sign and its spans.
fn line(html: &mut Html, line: &Line, has_marks: bool) {
    let mark = line.mark();
    if has_marks {
        html.text(mark.margin());
        html.text(" ");
    }
    html.data(Untrusted(&"  ".repeat(line.depth)));
    match line.sign {
        Sign::Add => html.text("+ "),
        Sign::Remove => html.text("- "),
        Sign::Change | Sign::Same | Sign::Note => {}
    }
    for span in &line.spans {
        let text = one_line(&span.text);
        let class = match span.tone {
            Tone::Plain => None,
            Tone::Muted => Some(class::MUTED),
            Tone::Removed | Tone::RemovedWord => Some(class::OLD),
            // The whole line is already in the color of an addition.
            Tone::Added if line.sign == Sign::Add => None,
            Tone::Added | Tone::AddedWord => Some(class::NEW),
            Tone::Changed => None,
            Tone::Alert if mark.is_empty() => Some(class::ALERT),
            Tone::Alert => Some(class::NEW),
        };
        match class {
            Some(class) => html.span(class, &text),
            None => html.data(Untrusted(&text)),
        }
    }
    if !mark.is_empty() {
        html.text(" ");
        kinds(html, mark);
    }
}

/// Returns the classes of a line, by its findings and its sign.
fn class_of_line(line: &Line) -> &'static str {
    match (line.mark().level, line.sign) {
        (Level::Critical, _) => "l critical",
        (Level::Warning, _) => "l serious",
        (Level::Notice, _) => "l slight",
        (Level::None, Sign::Add) => "l a",
        (Level::None, Sign::Remove) => "l d",
        (Level::None, Sign::Change | Sign::Same | Sign::Note) => "l",
    }
}
