//! A document that lists differences, and its writers.
//!
//! Invariants: as in [`super::Report`], writers choose the layout and nothing else. In Markdown, all data is in
//! a fence longer than any run of backticks in it; the text stays within the requested size, and says how many
//! differences are omitted.

use std::io::{self, Write};

use super::Tone;
use super::page::CHUNK;
use super::wrap::role;
use crate::page::{self, Attribute, Class, Data, Element, Html, Id, Page};
use crate::term::TextPart::{Data as Text, Lit, Styled, StyledData};
use crate::term::ci::{CiLog, log_safe};
use crate::term::{Out, Role, Untrusted};
use crate::text::{count, fenced};

/// The bytes of Markdown reserved for the fence, and for the line about left out differences.
const RESERVE: usize = 400;

/// A list of differences.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The title.
    pub title: String,
    /// The sign of the verdict, and its role.
    pub sign: (&'static str, Role),
    /// The verdict.
    pub sentence: String,
    /// What is compared.
    pub details: Vec<String>,
    /// The differences, below titles.
    pub sections: Vec<Differences>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// Differences of the same class.
#[derive(Clone, Debug)]
pub struct Differences {
    /// The title.
    pub title: String,
    /// The word for the class.
    pub class: &'static str,
    /// The sign of the class, and its role.
    pub sign: (&'static str, Tone),
    /// Whether they are to be seen at once.
    pub is_open: bool,
    /// The differences by object.
    pub objects: Vec<DifferingObject>,
}

/// The differences of an object.
#[derive(Clone, Debug)]
pub struct DifferingObject {
    /// Its name.
    pub name: String,
    /// Its differences.
    pub lines: Vec<DifferenceLine>,
}

/// A difference in words.
#[derive(Clone, Debug)]
pub struct DifferenceLine {
    /// With the name of the object.
    pub text: String,
    /// Below the name of the object.
    pub below_name: String,
    /// The differences in embedded documents.
    pub inside: Vec<String>,
}

impl Listing {
    /// All differences, each with the sign of its class.
    fn lines(&self) -> impl Iterator<Item = ((&'static str, Tone), &DifferenceLine)> {
        self.sections.iter().flat_map(|section| {
            let lines = section.objects.iter().flat_map(|object| &object.lines);
            lines.map(|line| (section.sign, line))
        })
    }

    /// Writes the list as text.
    ///
    /// # Errors
    /// If writing to `sink` fails.
    pub fn terminal(&self, colour: bool, ci: Option<CiLog>, sink: &mut dyn Write) -> io::Result<()> {
        let mut out = Out::new(sink, colour).for_ci(ci).escaping_commands();
        let end = if self.sections.is_empty() { "\n" } else { "\n\n" };
        out.parts(&[Styled(self.sign.1, &self.sentence), Lit(end)])?;
        for ((sign, tone), line) in self.lines() {
            out.parts(&[Lit("  "), Styled(role(tone), sign), Lit(" "), Text(&line.text), Lit("\n")])?;
            for inside in &line.inside {
                out.parts(&[Lit("      "), StyledData(Role::Muted, inside), Lit("\n")])?;
            }
        }
        out.lit(if self.notes.is_empty() { "" } else { "\n" })?;
        for note in &self.notes {
            out.parts(&[StyledData(Role::Muted, &format!("Note: {note}")), Lit("\n")])?;
        }
        out.flush()
    }

    /// Writes the list as Markdown in at most `max_bytes` bytes.
    pub fn markdown(&self, max_bytes: usize) -> String {
        let mut text = format!("**{}**\n", self.sentence);
        let notes = self.notes.iter().map(|note| log_safe(&format!("Note: {note}")) + "\n");
        let notes: String = notes.collect();
        let mut lines = String::new();
        let mut left_out = 0;
        let room = max_bytes.saturating_sub(text.len() + notes.len() + RESERVE);
        for ((sign, _), line) in self.lines() {
            let inside = line.inside.iter().map(|inside| format!("    {inside}"));
            let pieces = std::iter::once(format!("{sign} {}", line.text)).chain(inside);
            let piece: String = pieces.map(|line| log_safe(&line) + "\n").collect();
            // Backticks count twice more, because they may lengthen the opening and the closing fence.
            let backticks = piece.matches('`').count();
            if left_out > 0 || lines.len() + piece.len() + 2 * backticks > room {
                left_out += 1;
            } else {
                lines.push_str(&piece);
            }
        }
        if left_out > 0 {
            lines.push_str(&format!("… {}\n", count(left_out, "more difference")));
        }
        lines.push_str(&notes);
        if !lines.is_empty() {
            text.push('\n');
            text.push_str(&fenced("", &lines));
        }
        text
    }

    /// Writes the list as a page. If it `shows_sensitive` values, the page says so.
    ///
    /// # Errors
    /// If writing to `sink` fails.
    pub fn page(&self, shows_sensitive: bool, sink: &mut dyn Write) -> io::Result<()> {
        let page = Page { title: &self.title, skip: "Skip to the differences", shows_sensitive };
        let header = |html: &mut Html| {
            html.element(Element::H2, &[Attribute::Class(Class::VERDICT)], |html| {
                html.data(Untrusted(&format!("{} {}", self.sign.0, self.sentence)));
            });
            self.details.iter().for_each(|text| html.paragraph(Class::MUTED, text));
        };
        page::write(page, sink, header, |html, sink| self.content(html, sink), |_| {})
    }

    fn content(&self, html: &mut Html, sink: &mut dyn Write) -> io::Result<()> {
        html.list(Class::NOTES, &self.notes, |html, note| html.data(Untrusted(note)));
        let mut id = 0;
        for (at, section) in self.sections.iter().enumerate() {
            html.element(Element::SECTION, &[Attribute::Id(Id::Section(at))], |html| {
                html.element(Element::H3, &[], |html| html.data(Untrusted(&section.title)));
                for chunk in section.objects.chunks(CHUNK) {
                    html.element(Element::DIV, &[Attribute::Class(Class::CHUNK)], |html| {
                        for object in chunk {
                            section.object(html, object, id);
                            id += 1;
                        }
                    });
                }
            });
            html.write_out(sink)?;
        }
        Ok(())
    }
}

impl Differences {
    /// Writes the differences of an object to a page.
    fn object(&self, html: &mut Html, object: &DifferingObject, id: usize) {
        let (sign, tone) = self.sign;
        let class = match tone {
            Tone::Alert | Tone::Removed | Tone::RemovedWord => Class::REMOVED,
            Tone::Changed => Class::CHANGED,
            Tone::Added | Tone::AddedWord => Class::ADDED,
            Tone::Plain | Tone::Muted => Class::MUTED,
        };
        let attributes = [Attribute::Id(Id::Change(id)), Attribute::Data(Data::KIND, Untrusted(self.class))];
        let attributes = attributes.into_iter().chain(self.is_open.then_some(Attribute::Open));
        html.element(Element::DETAILS, &attributes.collect::<Vec<_>>(), |html| {
            html.element(Element::SUMMARY, &[], |html| {
                html.span(Class::SIGN, sign);
                html.text(" ");
                html.code(object.name.trim_end_matches(':'));
                if object.lines.len() > 1 {
                    html.remark(Class::NAMES, &count(object.lines.len(), "difference"));
                }
            });
            html.element(Element::PRE, &[], |html| {
                for line in &object.lines {
                    html.span(class, &format!("{sign} {}", line.below_name));
                    html.text("\n");
                    for inside in &line.inside {
                        html.data(Untrusted(&format!("    {inside}\n")));
                    }
                }
            });
        });
    }
}
