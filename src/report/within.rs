//! The text for the terminal within a size limit, for programs that read only a limited number of bytes.
//!
//! It is shortened in the same order as Markdown.

use std::io::{self, Write};

use super::blocks::{EntryRef, MIN_LINES, Shortened, SizedBlock, SizedWriter, fit};
use super::entry::AFTER_RESOURCES;
use super::terminal::{Layout, TextWriter, terminal};
use super::{Line, OtherResults, Part, Priority, Report, ReportEntry, Section, SectionKind};
use crate::term::{Out, Role, visible};
use crate::text::count;

/// The maximum size to which the results of other tools, the outputs and the notes are shortened, in bytes.
const SHORT: usize = 1_000;

/// Writes a document as text in at most about `bytes` bytes. The coverage of the report is corrected for what the size
/// limit cuts.
///
/// # Errors
///
/// If writing to `sink` fails.
pub fn terminal_within(
    report: &mut Report<'_>,
    layout: Layout,
    colour: bool,
    bytes: usize,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let mut whole = Vec::new();
    terminal(report, layout, colour, None, &mut whole)?;
    if whole.len() <= bytes {
        return sink.write_all(&whole);
    }
    let piece = Piece {
        layout,
        colour,
        is_list: report.is_list,
    };
    let mut head = piece.write(|writer| writer.total(report));
    if let Some(units) = &report.units {
        head.push_str(&cut(&piece.write(|writer| writer.units(units)), bytes / 3));
    }
    head.push_str(&piece.write(|writer| writer.run(report)));
    let parts = report
        .shown_parts()
        .map(|(index, part)| piece.part(index, part));
    let mut sections: Vec<Shortened> = parts.collect();
    let body = fit(report, &mut sections, (head.len(), bytes), &piece);
    sink.write_all((head + &body).as_bytes())
}

/// Cuts a text to `bytes` bytes after a whole line, and adds a line that counts the others.
fn cut(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(bytes);
    let (kept, rest) = text.split_at(text[..end].rfind('\n').map_or(0, |offset| offset + 1));
    format!("{kept}  … {}\n", count(rest.lines().count(), "more line"))
}

/// A writer that writes parts of a text on their own, so that their size is known.
#[derive(Clone, Copy)]
struct Piece {
    layout: Layout,
    colour: bool,
    is_list: bool,
}

impl SizedWriter for Piece {
    fn alert(&self, sentence: &str) -> String {
        self.write(|writer| writer.line(Role::StrongWarning, sentence))
    }

    fn remark(&self, sentence: &str) -> String {
        self.alert(&format!("({sentence} Without --max-bytes, all is printed)"))
    }

    fn body(&self, section: &Shortened, _: Option<&Part<'_>>) -> String {
        section.blocks.iter().map(SizedBlock::text).collect()
    }
}

impl Piece {
    /// Returns what `write` writes.
    fn write(self, write: impl FnOnce(&mut TextWriter<'_>) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        let out = Out::new(&mut bytes, self.colour).escaping_commands();
        let mut writer = TextWriter::new(out, self.layout, self.is_list);
        // Writing to memory does not fail.
        let written = write(&mut writer).and_then(|()| writer.out.flush());
        drop(writer);
        written.map_or_else(
            |_| String::new(),
            |()| String::from_utf8_lossy(&bytes).into_owned(),
        )
    }

    /// Returns the section about one plan, in blocks that can be shortened.
    fn part(self, index: usize, part: &Part<'_>) -> Shortened {
        let title = self.write(|writer| writer.title(part));
        let title = if part.name.is_some() {
            format!("\n{title}")
        } else {
            title
        };
        let head = [
            (self.write(|writer| writer.about(part)), Priority::Plain),
            (self.write(|writer| writer.others(part)), Priority::Flagged),
            (
                self.write(|writer| match self.is_list {
                    true => writer.causes(part),
                    false => Ok(()),
                }),
                Priority::Flagged,
            ),
            (self.write(|writer| writer.checks(part)), Priority::Flagged),
        ];
        let head = head.into_iter().filter(|(text, _)| !text.is_empty());
        let mut blocks: Vec<SizedBlock> = head
            .map(|(text, priority)| SizedBlock::fixed(text, priority))
            .collect();
        for section in &part.sections {
            self.section(section, &mut blocks);
        }
        let others = [
            self.write(|writer| writer.apart(part)),
            self.write(|writer| writer.outputs(part)),
            self.write(|writer| writer.notes(&part.notes)),
        ];
        for (position, text) in others
            .into_iter()
            .enumerate()
            .filter(|(_, text)| !text.is_empty())
        {
            let levels = [
                format!("\n{text}"),
                format!("\n{}", cut(&text, SHORT)),
                String::new(),
            ];
            let number = part
                .outputs
                .as_ref()
                .filter(|_| position == 1)
                .map_or(0, |outputs| outputs.number);
            let entries = (0..number)
                .map(|index| EntryRef {
                    part: None,
                    list: SectionKind::Outputs,
                    index,
                })
                .collect();
            let order = AFTER_RESOURCES;
            blocks.push(SizedBlock {
                order,
                entries,
                ..SizedBlock::new(levels, Priority::Plain)
            });
        }
        Shortened {
            part: Some(index),
            title,
            blocks,
            ..Shortened::default()
        }
    }

    /// Appends the blocks of a section: its heading, and each entry at three levels of detail.
    fn section(self, section: &Section<'_>, blocks: &mut Vec<SizedBlock>) {
        let (heading, depth) = (section.heading(), section.depth());
        let text = if heading.is_empty() {
            String::new()
        } else {
            self.write(|writer| writer.heading(heading))
        };
        blocks.push(SizedBlock::heading(text.trim(), section.order()));
        for entry in &section.entries {
            let more = entry.lines.len().saturating_sub(MIN_LINES);
            let rest = (more > 0).then(|| Line::note(0, format!("… {}", count(more, "more line"))));
            let begin = entry.lines.iter().take(MIN_LINES).cloned().chain(rest);
            let begin = ReportEntry {
                lines: begin.collect(),
                summary: String::new(),
                preview: String::new(),
                ..entry.clone()
            };
            // The header has only the title, and the addresses of destroyed objects.
            let short = ReportEntry {
                lines: Vec::new(),
                others: if entry.is_destroyed {
                    entry.others.clone()
                } else {
                    Vec::new()
                },
                results: OtherResults::default(),
                source: None,
                needs: None,
                reasons: Vec::new(),
                ..begin.clone()
            };
            let levels = [
                self.write(|writer| writer.entry(entry, depth)),
                self.write(|writer| writer.entry(&begin, depth)),
                self.write(|writer| writer.entry(&short, depth)),
            ];
            let fold = |what: &str| visible(&format!("{what} {}", entry.object_type));
            blocks.push(SizedBlock::of_entry(entry, levels, fold));
        }
    }
}
