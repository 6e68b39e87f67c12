//! Writes the parts of a document as rows of a screen, for a reader that opens and closes entries.
//!
//! The rows are those of the text for the terminal: the same words, marks and order. Each part is laid out on its own,
//! so that a screen lays out only what it shows. All characters of a row are safe to show.
//!
//! ```
//! use tfview::internals::report::{ReportEntry, Layout, RowWriter};
//!
//! let layout = Layout { width: 80, wraps: true, links: false, fingerprint: false };
//! let entry = ReportEntry { address: "aws_kms_key.data".into(), ..ReportEntry::default() };
//! let title = RowWriter::new(layout, false).title(&entry, 0);
//! assert!(title.text().contains("aws_kms_key.data"));
//! ```

use std::io;

use super::terminal::{Layout, MARGIN, TextWriter, cut, entry_indent, joined, level_role};
use super::{Headline, Line, Mark, Part, Report, ReportEntry};
use crate::term::{Role, StyledText};
use crate::text::one_line;

/// A writer that lays out the parts of a document as styled text. `depth` is always that of the section of an entry.
#[derive(Clone, Copy, Debug)]
pub struct RowWriter {
    layout: Layout,
    is_list: bool,
}

impl RowWriter {
    /// Makes a writer. `is_list` is that of the document (`Report::is_list`).
    pub fn new(layout: Layout, is_list: bool) -> Self {
        Self { layout, is_list }
    }

    /// Returns what `write` writes. Writing to memory does not fail.
    fn write(self, write: impl FnOnce(&mut TextWriter<'static>) -> io::Result<()>) -> StyledText {
        let written = StyledText::of_writer(|out| {
            let mut writer = TextWriter::new(out, self.layout, self.is_list);
            write(&mut writer)?;
            Ok(writer.out)
        });
        written.unwrap_or_default()
    }

    /// Writes the verdict about all units, and what is said about them together.
    pub fn head_of_units(self, report: &Report<'_>) -> StyledText {
        self.write(|writer| {
            writer.total(report)?;
            writer.run(report)?;
            report
                .units
                .iter()
                .try_for_each(|units| writer.about_units(units))
        })
    }

    /// Writes the verdict about a plan, what it does in words, and its checks.
    pub fn head(self, part: &Part<'_>) -> StyledText {
        self.write(|writer| {
            writer.title(part)?;
            writer.about(part)?;
            writer.others(part)?;
            if self.is_list {
                writer.causes(part)?;
            }
            writer.checks(part)
        })
    }

    /// Writes the parts after the changes of a plan: results of other tools, remarks, and what could not be shown.
    pub fn foot(self, part: &Part<'_>) -> StyledText {
        self.write(|writer| {
            writer.apart(part)?;
            writer.notes(&part.notes)?;
            part.unreported()
                .iter()
                .try_for_each(|sentence| writer.line(Role::StrongDelete, sentence))
        })
    }

    /// Writes the title of an entry, with its only line if both fit on a line.
    pub fn title(self, entry: &ReportEntry<'_>, depth: usize) -> StyledText {
        self.write(|writer| writer.entry_title(entry, depth))
    }

    /// Whether the title says everything about the entry, so that there is nothing to open.
    pub fn is_whole(self, entry: &ReportEntry<'_>, depth: usize) -> bool {
        match &*entry.lines {
            [] => entry.has_only_lines(),
            [_] => joined(entry, depth, self.layout).is_some(),
            _ => false,
        }
    }

    /// Writes the title of a closed entry on one line, with a preview and the findings of all of its lines.
    pub fn folded(self, entry: &ReportEntry<'_>, depth: usize) -> StyledText {
        self.write(|writer| writer.folded(entry, entry_indent(entry, depth)))
    }

    /// Writes where an entry is written, and who has to approve it.
    pub fn about(self, entry: &ReportEntry<'_>, depth: usize) -> StyledText {
        self.write(|writer| writer.about_entry(entry, entry_indent(entry, depth) + 4))
    }

    /// Writes what other tools say about an entry.
    pub fn results(self, entry: &ReportEntry<'_>, depth: usize) -> StyledText {
        self.write(|writer| writer.results(&entry.results, entry_indent(entry, depth) + 4))
    }

    /// Writes some lines of an entry.
    pub fn lines(self, entry: &ReportEntry<'_>, lines: &[Line], depth: usize) -> StyledText {
        self.write(|writer| writer.lines(lines, entry_indent(entry, depth) + 2))
    }

    /// Writes the lines of outputs.
    pub fn outputs(self, lines: &[Line]) -> StyledText {
        self.write(|writer| writer.lines(lines, MARGIN))
    }

    /// Writes a unit on one line: its level, its name, and what its plan does.
    pub fn unit(self, name: &str, headline: &Headline, sentence: &str) -> StyledText {
        let word = headline.word();
        let name = one_line(name);
        let pieces = [
            (level_role(headline.level), format!("{word:<10}")),
            (Role::Strong, name),
            (Role::Plain, format!("  {}", one_line(sentence))),
        ];
        let pieces = cut(&pieces, self.layout.width);
        self.write(|writer| writer.row(&Mark::default(), 0, 0, &pieces))
    }
}
