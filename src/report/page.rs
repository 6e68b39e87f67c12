//! HTML: the verdict, the findings and an index first, then a section for each module.
//!
//! The page is complete without script and style. Every change is a `<details>` element with the lines of the review
//! and, below a switch, the text of `show`; those that destroy something or have grave findings are open. Changes are
//! in chunks, so that a browser lays out only the visible ones.

mod head;

use std::convert::Infallible;
use std::io::{self, Write};

use super::results;
use super::{Check, Entry, EntryFindings, EntryText, Head, Line, Outputs, Part, Report, Units};
use super::{Section, SectionKind, Sign, Tone};
use crate::page::{self, Attribute, Class, Data, Element, Html, Id, Page, WebAddress};
use crate::term::{StyledText, Untrusted};
use crate::text::{count, one_line};

/// The number of changes that are laid out together.
const CHUNK: usize = 50;

/// The settings of a page.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// The title; by default it has the names of the plans.
    pub title: Option<String>,
    /// Whether the page contains sensitive values, which it then states.
    pub shows_sensitive: bool,
    /// The difference from the approved plan, if one is given.
    pub since: Option<String>,
}

/// Writes a document as a page.
///
/// # Errors
/// If writing to `sink` fails.
pub fn page(report: &Report<'_>, options: &PageOptions, sink: &mut dyn Write) -> io::Result<()> {
    let title = one_line(options.title.as_ref().unwrap_or(&report.title));
    let page = Page { title: &title, skip: "Skip to the changes", shows_sensitive: options.shows_sensitive };
    page::write(
        page,
        sink,
        |html| {
            if let Some(total) = &report.total {
                head::total(html, total, &report.number_of_units());
            }
            report.units.iter().for_each(|units| self::units(html, units));
            report.remark.iter().for_each(|text| html.paragraph(Class::MUTED, text));
            run(html, report);
        },
        |html, sink| {
            if let Some(since) = &options.since {
                html.element(Element::H2, &[], |html| html.text("Since the approved plan"));
                html.element(Element::PRE, &[], |html| html.data(Untrusted(since)));
            }
            if report.total.is_some() {
                head::table(html, report);
            }
            let mut sections = 0;
            for (at, part) in report.shown_parts() {
                let mut write =
                    |html: &mut Html| self::part(html, part, &mut sections, &mut |html| html.write_out(sink));
                if report.total.is_some() {
                    let attributes = [Attribute::Id(Id::Part(at)), Attribute::Class(Class::PART)];
                    html.element(Element::SECTION, &attributes, write)?;
                } else {
                    write(html)?;
                }
                html.write_out(sink)?;
            }
            run(html, report);
            Ok(())
        },
        |html| foot(html, report.command()),
    )
}

/// Writes the program that made the page.
fn foot(html: &mut Html, command: &str) {
    html.element(Element::FOOTER, &[], |html| {
        html.element(Element::P, &[Attribute::Class(Class::MUTED)], |html| {
            let rest = "prints the same on a terminal, and --format json all of it.";
            html.data(Untrusted(&format!("Made by {}. {command} {rest}", super::MADE_BY)));
        });
    });
}

/// Writes a link to the run.
fn run(html: &mut Html, report: &Report<'_>) {
    if let Some(url) = report.run_url.clone().and_then(WebAddress::new) {
        html.element(Element::P, &[], |html| {
            html.element(Element::A, &[Attribute::File(&url)], |html| html.text("Run"));
        });
    }
}

/// Writes the units without a plan, and the names of unchanged ones.
fn units(html: &mut Html, units: &Units<'_>) {
    html.paragraph(Class::MUTED, &units.states());
    html.list(Class::FINDINGS, &units.rows, |html, row| {
        let class = if row.is_failure { Class::FINDING } else { Class::WARNING };
        html.strong(class, if row.is_failure { "✗" } else { "-" });
        html.text(" ");
        html.code(&one_line(&row.name));
        html.data(Untrusted(&format!(" {}", one_line(&row.sentence))));
    });
    if !units.unchanged.is_empty() {
        html.element(Element::DETAILS, &[], |html| {
            let text = format!("{} unchanged", count(units.unchanged.len(), "unit"));
            html.element(Element::SUMMARY, &[], |html| html.data(Untrusted(&text)));
            html.list(Class::NOTES, &units.unchanged, |html, name| html.data(Untrusted(&one_line(name))));
        });
    }
}

/// Writes the part about one plan into another page.
pub fn page_part(html: &mut Html, part: &Part<'_>) {
    let Ok(()) = self::part::<Infallible>(html, part, &mut 0, &mut |_| Ok(()));
}

/// Receives the output so far, so that a large page is not kept in memory.
type Flush<'f, E> = &'f mut dyn FnMut(&mut Html) -> Result<(), E>;

/// Writes the part about a plan. `sections` is the number of sections with an ID so far.
fn part<E>(html: &mut Html, part: &Part<'_>, sections: &mut usize, flush: Flush<'_, E>) -> Result<(), E> {
    head::band(html, part);
    // What a reviewer has to know comes first.
    for head in &part.head {
        match head {
            Head::Findings(found) => head::findings(html, found),
            Head::Checks(found) => checks(html, found),
            Head::Details(_) | Head::Origin(_) | Head::Others(_) | Head::Causes(_) => {}
        }
    }
    for head in &part.head {
        match head {
            Head::Details(texts) | Head::Others(texts) => {
                texts.iter().for_each(|text| html.paragraph(Class::MUTED, text));
            }
            Head::Causes(causes) => {
                html.element(Element::H3, &[], |html| html.data(Untrusted(&causes.title)));
                lines(html, &causes.lines);
            }
            Head::Findings(_) | Head::Checks(_) | Head::Origin(_) => {}
        }
    }
    html.list(Class::NOTES, &part.notes, |html, note| html.data(Untrusted(&one_line(note))));
    head::index(html, part, *sections);
    for section in &part.sections {
        self::section(html, section, next(sections), flush)?;
    }
    if let Some(apart) = &part.apart {
        html.element(Element::SECTION, &[next(sections)], |html| {
            html.element(Element::H3, &[], |html| html.text(results::TITLE));
            html.element(Element::UL, &[Attribute::Class(Class::REASONS)], |html| {
                results::html(html, apart);
            });
        });
    }
    if let Some(found) = &part.outputs {
        html.element(Element::SECTION, &[next(sections)], |html| {
            html.element(Element::H3, &[], |html| html.text("Outputs"));
            outputs(html, found);
        });
    }
    part.unreported().iter().for_each(|sentence| html.paragraph(Class::BANNER, sentence));
    head::origin(html, part);
    Ok(())
}

fn next(sections: &mut usize) -> Attribute<'static> {
    *sections += 1;
    Attribute::Id(Id::Section(*sections - 1))
}

fn section<E>(
    html: &mut Html,
    section: &Section<'_>,
    id: Attribute<'_>,
    flush: Flush<'_, E>,
) -> Result<(), E> {
    html.element(Element::SECTION, &[id], |html| {
        html.element(Element::H3, &[], |html| {
            html.data(Untrusted(&one_line(section.title.text())));
            html.remark(Class::MUTED, &section.counts);
        });
        if matches!(section.kind, SectionKind::Invocations | SectionKind::DeferredInvocations) {
            section.entries.iter().for_each(|found| invocation(html, found));
            return Ok(());
        }
        for chunk in section.entries.chunks(CHUNK) {
            html.element(Element::DIV, &[Attribute::Class(Class::CHUNK)], |html| {
                chunk.iter().for_each(|found| entry(html, found));
            });
            flush(html)?;
        }
        Ok(())
    })
}

fn checks(html: &mut Html, checks: &[Check]) {
    html.element(Element::H3, &[], |html| html.text("Checks"));
    html.list(Class::FINDINGS, checks, |html, check| {
        if check.is_failure {
            html.strong(Class::FINDING, "check");
            html.text(" ");
        }
        html.data(Untrusted(&one_line(&check.text)));
    });
}

/// Writes an entry: an object, a group with its objects, or an object of a group, whose lines are those of the group.
fn entry(html: &mut Html, entry: &Entry<'_>) {
    let levels = entry.levels.iter().map(|(level, number)| format!("{}:{number}", level.name()));
    let kinds = entry.finding_kinds.iter().map(|kind| (*kind).to_owned());
    let findings = levels.chain(kinds).collect::<Vec<_>>().join(" ");
    // What is said beside the entries of its objects is nothing to filter, to mark as viewed or to count.
    let is_beside = entry.places.1.is_empty();
    let mut attributes = if is_beside { vec![Attribute::Class(Class::CARD)] } else { change(entry).to_vec() };
    let is_group = !entry.members.is_empty();
    attributes.extend(is_group.then_some(Attribute::Class(Class::GROUP)));
    if !findings.is_empty() {
        attributes.push(Attribute::Data(Data::FINDINGS, Untrusted(&findings)));
    }
    if entry.is_open {
        attributes.push(Attribute::Open);
    }
    html.element(Element::DETAILS, &attributes, |html| {
        summary(html, entry);
        why(html, entry);
        lines(html, &entry.lines);
        tool(html, entry);
        if is_group {
            html.element(Element::DIV, &[Attribute::Class(Class::MEMBERS)], |html| {
                entry.members.iter().for_each(|member| self::entry(html, member));
            });
        }
    });
}

/// The attributes of what is filtered, marked as viewed and counted.
fn change<'e>(entry: &'e Entry<'_>) -> [Attribute<'e>; 3] {
    [
        Attribute::Id(Id::Change(entry.number)),
        Attribute::Data(Data::KIND, Untrusted(entry.kind)),
        Attribute::Data(Data::TYPE, Untrusted(entry.object_type)),
    ]
}

/// Writes the tool's text of an entry, and the lines of what it does not show.
fn tool(html: &mut Html, entry: &Entry<'_>) {
    let EntryText::Own(text) = &entry.text else { return };
    if text.lines().next().is_none() {
        return lines(html, &entry.beside);
    }
    tool_text(html, text, entry.lines.is_empty(), &entry.beside);
}

/// Writes the tool's text below a switch. It is open where it is all that there is.
fn tool_text(html: &mut Html, text: &StyledText, is_open: bool, beside: &[Line]) {
    let attributes = [Attribute::Class(Class::TOOL), Attribute::Open];
    html.element(Element::DETAILS, &attributes[..if is_open { 2 } else { 1 }], |html| {
        html.element(Element::SUMMARY, &[], |html| html.text("Text of the tool"));
        styled(html, text);
        lines(html, beside);
    });
}

fn summary(html: &mut Html, entry: &Entry<'_>) {
    html.element(Element::SUMMARY, &[], |html| {
        html.span(Class::SIGN, entry.sign.0);
        html.text(" ");
        html.code(&entry.address);
        if !entry.members.is_empty() {
            html.remark(Class::TIMES, &format!("× {}", entry.members.len()));
        }
        html.text(" ");
        let element = if entry.is_destroyed { Element::STRONG } else { Element::SPAN };
        html.element(element, &[], |html| html.data(Untrusted(&entry.phrase)));
        html.remark(Class::NAMES, &one_line(&entry.preview));
        for kind in &entry.finding_kinds {
            html.text(" ");
            html.strong(head::class(entry.level), kind);
        }
        html.remark(Class::NUMBER, entry.cost.as_deref().unwrap_or_default());
    });
}

/// Writes the place of the resource in the configuration, its findings and its reasons.
fn why(html: &mut Html, entry: &Entry<'_>) {
    let (EntryFindings { shown, more }, results) = (&entry.findings, &entry.results);
    let is_empty = entry.reasons.is_empty()
        && entry.needs.is_none()
        && shown.is_empty()
        && results.shown.is_empty()
        && results.more == 0;
    if is_empty && entry.source.is_none() {
        return;
    }
    html.element(Element::UL, &[Attribute::Class(Class::REASONS)], |html| {
        if let Some(source) = &entry.source {
            let url = source.url.clone().and_then(WebAddress::new);
            html.element(Element::LI, &[], |html| match &url {
                Some(url) => {
                    html.element(Element::A, &[Attribute::File(url)], |html| html.code(&source.text));
                }
                None => html.code(&source.text),
            });
        }
        for finding in shown {
            html.element(Element::LI, &[], |html| {
                head::finding_name(html, finding.level, finding.kind);
                html.data(Untrusted(&format!(" {}", one_line(&finding.text))));
            });
        }
        if *more > 0 {
            let text = format!("… {}", count(*more, "more finding"));
            html.element(Element::LI, &[], |html| html.data(Untrusted(&text)));
        }
        results::html(html, results);
        for reason in entry.needs.iter().chain(&entry.reasons) {
            html.element(Element::LI, &[], |html| html.data(Untrusted(&one_line(reason))));
        }
    });
}

fn invocation(html: &mut Html, entry: &Entry<'_>) {
    html.element(Element::DETAILS, &change(entry), |html| {
        html.element(Element::SUMMARY, &[], |html| {
            html.span(Class::SIGN, entry.sign.0);
            html.text(" ");
            html.code(&entry.address);
            html.data(Untrusted(&format!(" {}: {}", entry.phrase, entry.reasons.join("; "))));
        });
        why(html, &Entry { reasons: Vec::new(), findings: entry.findings.clone(), ..Entry::default() });
        match &entry.text {
            EntryText::In(number) => html.element(Element::P, &[], |html| {
                html.text("Its configuration is in the text of ");
                html.element(Element::A, &[Attribute::Link(Id::Change(*number))], |html| {
                    html.text("the change that invokes it");
                });
                html.text(".");
            }),
            EntryText::Own(text) => styled(html, text),
            EntryText::None => lines(html, &entry.lines),
        }
    });
}

fn outputs(html: &mut Html, outputs: &Outputs<'_>) {
    lines(html, &outputs.lines);
    if let Some(text) = outputs.text.as_deref().filter(|text| !text.changed().is_empty()) {
        tool_text(html, text, outputs.lines.is_empty(), &[]);
    }
}

/// Writes the tool's text, and a note if it is truncated.
fn styled(html: &mut Html, text: &StyledText) {
    html.element(Element::PRE, &[], |html| html.styled(text));
    if let Some((lines, bytes)) = text.left_out() {
        let (lines, bytes) = (count(lines, "line"), count(bytes, "byte"));
        html.paragraph(
            Class::CUT,
            &format!("… {lines} and {bytes} of this text are not on the page; tfview show prints all of it."),
        );
    }
}

fn lines(html: &mut Html, lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    html.element(Element::PRE, &[Attribute::Class(Class::LINES)], |html| {
        for line in lines {
            let (sign, class) = match line.sign {
                Sign::Add => ("+ ", Some(Class::ADDED)),
                Sign::Remove => ("- ", Some(Class::REMOVED)),
                Sign::Change => ("~ ", Some(Class::CHANGED)),
                Sign::Same | Sign::Note => ("  ", None),
            };
            let write = |html: &mut Html| {
                html.data(Untrusted(&"  ".repeat(line.depth)));
                html.text(sign);
                for span in &line.spans {
                    let text = one_line(&span.text);
                    match span.tone {
                        Tone::Plain | Tone::Added | Tone::Removed | Tone::Changed => {
                            html.data(Untrusted(&text));
                        }
                        Tone::Muted => html.span(Class::MUTED, &text),
                        Tone::AddedWord | Tone::RemovedWord => html.span(Class::BOLD, &text),
                        Tone::Alert => html.span(Class::ALERT, &text),
                    }
                }
            };
            match class {
                Some(class) => html.element(Element::SPAN, &[Attribute::Class(class)], write),
                None => write(html),
            }
            html.text("\n");
        }
    });
}
