//! HTML: the verdict, the findings and an index first, then a section for each module.
//!
//! The page is complete without script and style. Every change is a `<details>` element with the text of
//! `show`; those that destroy something are open. Changes are grouped in chunks, so that a browser lays out
//! only the visible ones.

use std::convert::Infallible;
use std::io::{self, Write};

use super::{Check, Entry, EntryText, Finding, Findings, Head, Headline, Line, Mood, Outputs, Part, Report};
use super::{Section, SectionKind, Sign, Title, Tone};
use crate::page::{self, Attribute, Class, Data, Element, Html, Id, WebAddress};
use crate::term::{StyledText, Untrusted};
use crate::text::{count, one_line};

/// The number of changes that are laid out together.
pub(super) const CHUNK: usize = 50;
/// The maximum number of attribute names for the filter.
const MAX_NAMES: usize = 60;

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
    page::write(Untrusted(&title), sink, |html, sink| {
        html.skip_link("Skip to the changes");
        html.element(Element::Header, &[], |html| {
            html.element(Element::H1, &[], |html| html.data(Untrusted(&title)));
            if options.shows_sensitive {
                page::sensitive_banner(html);
            }
            if let Some(total) = &report.total {
                let sentence = format!("{} plans: {}", report.parts.len(), total.sentence());
                html.paragraph(Class::Verdict, &sentence);
            }
            report.remark.iter().for_each(|text| html.paragraph(Class::Muted, text));
        });
        html.element(Element::Main, &[Attribute::Id(Id::Content)], |html| {
            if let Some(since) = &options.since {
                html.element(Element::H2, &[], |html| html.text("Since the approved plan"));
                html.element(Element::Pre, &[], |html| html.data(Untrusted(since)));
            }
            let mut writer = PartWriter { html, sections: 0 };
            for part in &report.parts {
                writer.part(part, &mut |html| html.write_out(sink))?;
                writer.html.write_out(sink)?;
            }
            Ok(())
        })
    })
}

/// Writes the part about one plan into another page.
pub fn page_part(html: &mut Html, part: &Part<'_>) {
    let Ok(()) = PartWriter { html, sections: 0 }.part::<Infallible>(part, &mut |_| Ok(()));
}

/// Receives the output so far, so that a large page is not kept in memory.
type Flush<'f, E> = &'f mut dyn FnMut(&mut Html) -> Result<(), E>;

struct PartWriter<'v> {
    html: &'v mut Html,
    /// The number of sections with an ID.
    sections: usize,
}

impl PartWriter<'_> {
    fn part<E>(&mut self, part: &Part<'_>, flush: Flush<'_, E>) -> Result<(), E> {
        headline(self.html, part);
        for head in &part.head {
            match head {
                Head::Details(lines) => {
                    lines.iter().for_each(|text| self.html.paragraph(Class::Muted, text));
                }
                Head::Config(text) => self.html.paragraph(Class::Muted, text),
                Head::Findings(found) => findings(self.html, found),
                Head::Causes(causes) => {
                    self.html.element(Element::H3, &[], |html| html.data(Untrusted(&causes.title)));
                    lines(self.html, &causes.lines);
                }
                Head::Checks(found) => checks(self.html, found),
            }
        }
        if !part.notes.is_empty() {
            self.html.list(Class::Notes, &part.notes, |html, note| html.data(Untrusted(&one_line(note))));
        }
        self.index(part);
        for section in &part.sections {
            self.section(section, flush)?;
        }
        if let Some(found) = &part.outputs {
            let id = self.next_section();
            self.html.element(Element::Section, &[id], |html| {
                html.element(Element::H3, &[], |html| html.text("Outputs"));
                outputs(html, found);
            });
        }
        part.unreported().iter().for_each(|sentence| self.html.paragraph(Class::Banner, sentence));
        Ok(())
    }

    fn next_section(&mut self) -> Attribute<'static> {
        self.sections += 1;
        Attribute::Id(Id::Section(self.sections - 1))
    }

    fn index(&mut self, part: &Part<'_>) {
        let sections = part.sections.iter().map(|section| (title(&section.title), &*section.counts));
        let outputs = part.outputs.iter().map(|_| ("Outputs".to_owned(), ""));
        let links: Vec<(Id, String, &str)> = sections
            .chain(outputs)
            .enumerate()
            .map(|(at, (title, counts))| (Id::Section(self.sections + at), title, counts))
            .collect();
        if links.len() > 1 {
            self.html.index("Sections", &links);
        }
    }

    fn section<E>(&mut self, section: &Section<'_>, flush: Flush<'_, E>) -> Result<(), E> {
        let id = self.next_section();
        self.html.element(Element::Section, &[id], |html| {
            html.element(Element::H3, &[], |html| {
                html.data(Untrusted(&title(&section.title)));
                if !section.counts.is_empty() {
                    html.text(" ");
                    html.span(Class::Muted, &section.counts);
                }
            });
            if matches!(section.kind, SectionKind::Invocations | SectionKind::DeferredInvocations) {
                section.entries.iter().for_each(|found| invocation(html, found));
                return Ok(());
            }
            for chunk in section.entries.chunks(CHUNK) {
                html.element(Element::Div, &[Attribute::Class(Class::Chunk)], |html| {
                    chunk.iter().for_each(|found| entry(html, found));
                });
                flush(html)?;
            }
            Ok(())
        })
    }
}

fn title(title: &Title) -> String {
    match title {
        Title::Action { text, .. } => text.clone(),
        Title::Module(address) if address.is_empty() => "root module".to_owned(),
        Title::Module(address) => one_line(address),
        Title::Text(text) => (*text).to_owned(),
    }
}

fn headline(html: &mut Html, part: &Part<'_>) {
    let Headline { mood, additions, .. } = &part.headline;
    html.element(Element::H2, &[Attribute::Class(Class::Verdict)], |html| {
        html.text(match mood {
            Mood::Failed => "✗ ",
            Mood::Destroys => "! ",
            Mood::Changes => "~ ",
            Mood::Quiet => "✓ ",
        });
        if let Some(name) = &part.name {
            html.data(Untrusted(&format!("{}: ", one_line(name))));
        }
        html.data(Untrusted(&part.headline.lead(one_line)));
    });
    if let Some(additions) = additions {
        html.element(Element::P, &[], |html| html.data(Untrusted(additions)));
    }
}

fn findings(html: &mut Html, findings: &Findings) {
    let list = |html: &mut Html, found: &[Finding]| {
        html.list(Class::Facts, found, |html, finding| {
            html.strong(Class::Fact, finding.kind);
            html.text(" ");
            html.element(Element::A, &[Attribute::Link(Id::Change(finding.entry))], |html| {
                html.code(&one_line(&finding.address));
            });
            html.data(Untrusted(&format!(" {}", one_line(&finding.text))));
        });
    };
    let (first, rest) = findings.shown.split_at(findings.shown.len().min(super::VISIBLE_FINDINGS));
    list(html, first);
    let more = rest.len() + findings.more;
    if more > 0 {
        html.element(Element::Details, &[], |html| {
            html.element(Element::Summary, &[], |html| html.data(Untrusted(&count(more, "more fact"))));
            list(html, rest);
            if findings.more > 0 {
                html.paragraph(Class::Cut, &format!("… {} below", count(findings.more, "more fact")));
            }
        });
    }
}

fn checks(html: &mut Html, checks: &[Check]) {
    html.element(Element::H3, &[], |html| html.text("Checks"));
    html.list(Class::Facts, checks, |html, check| {
        if check.is_failure {
            html.strong(Class::Fact, "check");
            html.text(" ");
        }
        html.data(Untrusted(&one_line(&check.text)));
    });
}

fn entry(html: &mut Html, entry: &Entry<'_>) {
    let tool = match entry.text {
        EntryText::Own(text) => Some(text),
        EntryText::None | EntryText::In(_) => None,
    };
    let facts = entry.finding_kinds.join(" ");
    let names = entry.changed.iter().take(MAX_NAMES).map(|name| one_line(name)).collect::<Vec<_>>().join(" ");
    let mut attributes = vec![
        Attribute::Id(Id::Change(entry.number)),
        Attribute::Data(Data::Kind, Untrusted(entry.kind)),
        Attribute::Data(Data::Type, Untrusted(entry.object_type)),
    ];
    if !facts.is_empty() {
        attributes.push(Attribute::Data(Data::Facts, Untrusted(&facts)));
    }
    if !names.is_empty() {
        attributes.push(Attribute::Data(Data::Names, Untrusted(&names)));
    }
    if entry.is_destroyed() && tool.is_some() {
        attributes.push(Attribute::Open);
    }
    html.element(Element::Details, &attributes, |html| {
        summary(html, entry);
        why(html, entry);
        lines(html, &entry.lines);
        tool.iter().for_each(|text| styled(html, text));
    });
}

fn summary(html: &mut Html, entry: &Entry<'_>) {
    html.element(Element::Summary, &[], |html| {
        html.span(Class::Sign, entry.sign.0);
        html.text(" ");
        html.code(&entry.address);
        html.text(" ");
        let element = if entry.is_destroyed() { Element::Strong } else { Element::Span };
        html.element(element, &[], |html| html.data(Untrusted(&entry.phrase)));
        if !entry.preview.is_empty() || entry.same > 1 {
            html.text(" ");
            let same =
                if entry.same > 1 { format!(" (same change × {})", entry.same) } else { String::new() };
            html.span(Class::Names, &format!("{}{same}", one_line(&entry.preview)));
        }
        for kind in &entry.finding_kinds {
            html.text(" ");
            html.strong(Class::Fact, kind);
        }
    });
}

/// Writes the place of the resource in the configuration, its findings and its reasons.
fn why(html: &mut Html, entry: &Entry<'_>) {
    let (findings, more) = &entry.findings;
    if entry.reasons.is_empty() && findings.is_empty() && entry.source.is_none() {
        return;
    }
    html.element(Element::Ul, &[Attribute::Class(Class::Reasons)], |html| {
        if let Some(source) = &entry.source {
            let url = source.url.clone().and_then(WebAddress::new);
            html.element(Element::Li, &[], |html| match &url {
                Some(url) => {
                    html.element(Element::A, &[Attribute::File(url)], |html| html.code(&source.text));
                }
                None => html.code(&source.text),
            });
        }
        for (kind, text) in findings {
            html.element(Element::Li, &[], |html| {
                html.strong(Class::Fact, kind);
                html.data(Untrusted(&format!(" {}", one_line(text))));
            });
        }
        if *more > 0 {
            let text = format!("… {}", count(*more, "more fact"));
            html.element(Element::Li, &[], |html| html.data(Untrusted(&text)));
        }
        for reason in &entry.reasons {
            html.element(Element::Li, &[], |html| html.data(Untrusted(&one_line(reason))));
        }
    });
}

fn invocation(html: &mut Html, entry: &Entry<'_>) {
    let attributes = [
        Attribute::Id(Id::Change(entry.number)),
        Attribute::Data(Data::Kind, Untrusted(entry.kind)),
        Attribute::Data(Data::Type, Untrusted(entry.object_type)),
    ];
    html.element(Element::Details, &attributes, |html| {
        html.element(Element::Summary, &[], |html| {
            html.span(Class::Sign, entry.sign.0);
            html.text(" ");
            html.code(&entry.address);
            html.data(Untrusted(&format!(" {}: {}", entry.phrase, entry.reasons.join("; "))));
        });
        match entry.text {
            EntryText::In(number) => html.element(Element::P, &[], |html| {
                html.text("Its configuration is in the text of ");
                html.element(Element::A, &[Attribute::Link(Id::Change(number))], |html| {
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
    if let Some(text) = outputs.text.filter(|text| !text.changed().is_empty()) {
        styled(html, text);
    }
    outputs.lines.iter().for_each(|group| lines(html, group));
}

/// Writes the tool's text, and a note if it is truncated.
fn styled(html: &mut Html, text: &StyledText) {
    html.element(Element::Pre, &[], |html| html.styled(text));
    if let Some((lines, bytes)) = text.left_out() {
        let (lines, bytes) = (count(lines, "line"), count(bytes, "byte"));
        html.paragraph(
            Class::Cut,
            &format!("… {lines} and {bytes} of this text are not on the page; tfview show prints all of it."),
        );
    }
}

fn lines(html: &mut Html, lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    html.element(Element::Pre, &[Attribute::Class(Class::Notes)], |html| {
        for line in lines {
            let (sign, class) = match line.sign {
                Sign::Add => ("+ ", Some(Class::Added)),
                Sign::Remove => ("- ", Some(Class::Removed)),
                Sign::Change => ("~ ", Some(Class::Changed)),
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
                        Tone::Muted => html.span(Class::Muted, &text),
                        Tone::AddedWord | Tone::RemovedWord => html.span(Class::Bold, &text),
                        Tone::Alert => html.span(Class::Alert, &text),
                    }
                }
            };
            match class {
                Some(class) => html.element(Element::Span, &[Attribute::Class(class)], write),
                None => write(html),
            }
            html.text("\n");
        }
    });
}
