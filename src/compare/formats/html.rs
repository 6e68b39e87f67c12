//! HTML: the verdict first, then the differences by class, the most severe first.
//!
//! The page is complete without script and style. It shows every difference, in the words of the other
//! formats.

use std::io::{self, Write};

use super::lines::{Line, subject};
use crate::compare::{self, Comparison, Difference, Origin, Verdict};
use crate::page::{self, Attribute, Class, Data, Element, Html, Id};
use crate::review::{count, one_line};
use crate::term::Untrusted;

/// The number of objects that are laid out together.
const CHUNK: usize = 50;

/// Writes a comparison as a page. If it `shows_sensitive` values, the page says so.
///
/// # Errors
/// If writing to `sink` fails.
pub fn html(comparison: &Comparison<'_>, shows_sensitive: bool, sink: &mut dyn Write) -> io::Result<()> {
    let title = one_line(&format!("Comparison of {} with {}", comparison.now.name, comparison.approved.name));
    page::write(Untrusted(&title), sink, |html, sink| {
        html.element(Element::A, &[Attribute::Class(Class::Skip), Attribute::Link(Id::Content)], |html| {
            html.text("Skip to the differences");
        });
        html.element(Element::Header, &[], |html| {
            html.element(Element::H1, &[], |html| html.data(Untrusted(&title)));
            if shows_sensitive {
                page::sensitive_banner(html);
            }
            html.element(Element::H2, &[Attribute::Class(Class::Verdict)], |html| {
                html.text(match comparison.verdict() {
                    Verdict::Same => "✓ ",
                    Verdict::Within => "~ ",
                    Verdict::Wider => "! ",
                });
                html.data(Untrusted(&comparison.sentence()));
            });
            let now = if comparison.against.is_result() { "Result" } else { "Now" };
            for (name, of) in [("Approved", &comparison.approved), (now, &comparison.now)] {
                html.element(Element::P, &[Attribute::Class(Class::Muted)], |html| {
                    html.data(Untrusted(&format!("{name}: {}", origin(of))));
                });
            }
        });
        html.element(Element::Main, &[Attribute::Id(Id::Content)], |html| {
            if !comparison.notes.is_empty() {
                html.element(Element::Ul, &[Attribute::Class(Class::Notes)], |html| {
                    for note in &comparison.notes {
                        html.element(Element::Li, &[], |html| html.data(Untrusted(&one_line(note))));
                    }
                });
            }
            let classes = comparison.differences.chunk_by(|one, other| one.class == other.class);
            let mut id = 0;
            for (section, differences) in classes.enumerate() {
                let Some(first) = differences.first() else { continue };
                html.element(Element::Section, &[Attribute::Id(Id::Section(section))], |html| {
                    html.element(Element::H3, &[], |html| {
                        html.data(Untrusted(&first.class.counted(differences.len(), comparison.against)));
                    });
                    let objects: Vec<_> = differences.chunk_by(is_same_object).collect();
                    for chunk in objects.chunks(CHUNK) {
                        html.element(Element::Div, &[Attribute::Class(Class::Chunk)], |html| {
                            for differences in chunk {
                                object(html, differences, id);
                                id += 1;
                            }
                        });
                    }
                });
                html.write_out(sink)?;
            }
            Ok(())
        })
    })
}

/// The file, the tool and the time of a plan.
fn origin(origin: &Origin) -> String {
    let mut text = origin.name.clone();
    if let Some(tool) = origin.tool {
        text.push_str(&format!(", {} {}", tool.product(), origin.tool_version));
    }
    if !origin.timestamp.is_empty() {
        text.push_str(&format!(", planned at {}", origin.timestamp));
    }
    one_line(&text)
}

fn is_same_object(one: &Difference<'_>, other: &Difference<'_>) -> bool {
    (one.subject, one.address, one.deposed) == (other.subject, other.address, other.deposed)
}

/// Writes the differences of one object.
fn object(html: &mut Html, differences: &[Difference<'_>], id: usize) {
    let Some(first) = differences.first() else { return };
    let name = one_line(&subject(first));
    let class = first.class;
    let attributes = [Attribute::Id(Id::Change(id)), Attribute::Data(Data::Kind, Untrusted(class.name()))];
    let attributes = attributes.into_iter().chain(class.is_wider().then_some(Attribute::Open));
    html.element(Element::Details, &attributes.collect::<Vec<_>>(), |html| {
        html.element(Element::Summary, &[], |html| {
            html.element(Element::Span, &[Attribute::Class(Class::Sign)], |html| html.text(class.symbol()));
            html.text(" ");
            html.element(Element::Code, &[], |html| html.data(Untrusted(name.trim_end_matches(':'))));
            if differences.len() > 1 {
                html.text(" ");
                html.element(Element::Span, &[Attribute::Class(Class::Names)], |html| {
                    html.data(Untrusted(&count(differences.len(), "difference")));
                });
            }
        });
        html.element(Element::Pre, &[], |html| {
            for difference in differences {
                let line = Line::new(difference);
                let text = line.text.strip_prefix(&name).unwrap_or(&line.text).trim_start_matches([' ', ':']);
                html.element(Element::Span, &[Attribute::Class(mark(line.class))], |html| {
                    html.text(line.class.symbol());
                    html.text(" ");
                    html.data(Untrusted(text));
                });
                html.text("\n");
                for inside in &line.inside {
                    html.data(Untrusted(&format!("    {inside}\n")));
                }
            }
        });
    });
}

/// The style class of a line.
fn mark(class: compare::Class) -> Class {
    match class {
        compare::Class::Destroy | compare::Class::Failed => Class::Removed,
        compare::Class::Action
        | compare::Class::Value
        | compare::Class::Unknown
        | compare::Class::Unproven => Class::Changed,
        compare::Class::Less | compare::Class::Known | compare::Class::Text | compare::Class::World => {
            Class::Muted
        }
    }
}
