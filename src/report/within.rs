//! Text for the terminal within a size limit, for programs that read only so much.
//!
//! What is shortened first, and what is counted, are decided as for Markdown.

use std::io::{self, Write};

use super::blocks::{
    self, BESIDE_RESOURCES, Block, MIN_LINES, RESERVE, Shortened, UNNAMED_LEN, shrink, summary,
};
use super::terminal::{Layout, TextWriter, terminal};
use super::{Entry, EntryFindings, Line, OtherResults, Part, Priority, Report, Section, SectionKind};
use crate::term::{Out, Role, visible};
use crate::text::count;

/// Writes a document as text with at most `bytes` bytes, and corrects its coverage by what is shortened.
///
/// # Errors
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
    let piece = Piece { layout, colour, is_list: report.is_list };
    let total = piece.write(|writer| writer.total(report))?;
    let units = match &report.units {
        Some(units) => cut(&piece.write(|writer| writer.units(units))?, bytes / 3),
        None => String::new(),
    };
    let total = total + &units;
    let run = piece.write(|writer| writer.run(report))?;
    let parts = report.shown_parts().map(|(at, part)| piece.part(at, part));
    let mut sections = parts.collect::<io::Result<Vec<Shortened>>>()?;
    let head = total.len() + run.len() + UNNAMED_LEN + RESERVE;
    shrink(&mut sections, head, bytes);
    let mut text = total + &run;
    if let Some(sentence) = blocks::unnamed(&sections) {
        text.push_str(&piece.alert(&sentence)?);
    }
    // The verdict of the first plan is always there.
    let (left, hidden) = blocks::append(&mut text, &mut sections, report, bytes, |text, section, part| {
        section.blocks.iter().for_each(|block| text.push_str(block.text()));
        if let Some(words) = summary(&section.blocks) {
            text.push_str(&piece.alert(&format!("({words} Without --max-bytes, all is printed)"))?);
        }
        if let Some(sentence) = part.and_then(Part::unreported) {
            text.push_str(&piece.alert(&sentence)?);
        }
        Ok::<(), io::Error>(())
    })?;
    if left > 0 {
        let (plans, hidden) = (count(left, "more plan"), count(hidden, "entry"));
        text.push_str(&piece.alert(&format!("({plans} with {hidden} not shown for the size)"))?);
    }
    sink.write_all(text.as_bytes())
}

/// The first lines of a text, with the number of the others.
fn cut(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        if kept.len() + line.len() > bytes {
            break;
        }
        kept.push_str(line);
    }
    let more = text.lines().count() - kept.lines().count();
    format!("{kept}  … {}\n", count(more, "more line"))
}

/// Writes pieces of a text.
#[derive(Clone, Copy)]
struct Piece {
    layout: Layout,
    colour: bool,
    is_list: bool,
}

impl Piece {
    fn write(self, write: impl FnOnce(&mut TextWriter<'_>) -> io::Result<()>) -> io::Result<String> {
        let Self { layout, colour, is_list } = self;
        let mut bytes = Vec::new();
        let out = Out::new(&mut bytes, colour).escaping_commands();
        let mut writer = TextWriter::new(out, layout, is_list);
        write(&mut writer)?;
        writer.out.flush()?;
        drop(writer);
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn alert(self, text: &str) -> io::Result<String> {
        self.write(|writer| writer.line(Role::StrongWarning, text))
    }

    /// The text about one plan, in blocks that can be shortened.
    fn part(self, place: usize, part: &Part<'_>) -> io::Result<Shortened> {
        let title = self.write(|writer| writer.title(part))?;
        let title = if part.name.is_some() { format!("\n{title}") } else { title };
        let head = [
            (self.write(|writer| writer.about(part))?, Priority::Plain),
            (self.write(|writer| writer.others(part))?, Priority::Flagged),
            (self.write(|writer| writer.findings(&part.findings))?, Priority::Flagged),
            (self.write(|writer| writer.causes(part))?, Priority::Flagged),
            (self.write(|writer| writer.checks(part))?, Priority::Flagged),
        ];
        let head = head.into_iter().filter(|(text, _)| !text.is_empty());
        let mut blocks: Vec<Block> = head.map(|(text, priority)| Block::fixed(text, priority)).collect();
        for section in &part.sections {
            self.section(section, &mut blocks)?;
        }
        let others = [
            self.write(|writer| writer.apart(part))?,
            self.write(|writer| writer.outputs(part))?,
            self.write(|writer| writer.notes(&part.notes))?,
        ];
        for (at, text) in others.into_iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let mut short: String = text.split_inclusive('\n').take(MIN_LINES).collect();
            let more = text.lines().count().saturating_sub(MIN_LINES);
            if more > 0 {
                let more = format!("… {}", count(more, "more line"));
                short.push_str(&self.write(|writer| writer.muted(&more))?);
            }
            let mut block =
                Block::new([format!("\n{text}"), format!("\n{short}"), String::new()], Priority::Plain);
            block.order = BESIDE_RESOURCES;
            if at == 1 {
                let number = part.outputs.as_ref().map_or(0, |outputs| outputs.number);
                block.entries = (0..number).map(|at| (None, SectionKind::Outputs, at)).collect();
            }
            blocks.push(block);
        }
        Ok(Shortened { place: Some(place), title, blocks, ..Shortened::default() })
    }

    fn section(self, section: &Section<'_>, blocks: &mut Vec<Block>) -> io::Result<()> {
        let (heading, depth) = (section.heading(), section.depth());
        let text =
            if heading.is_empty() { String::new() } else { self.write(|writer| writer.heading(heading))? };
        blocks.push(Block::heading(text.trim(), section.order()));
        for entry in &section.entries {
            let more = entry.lines.len().saturating_sub(MIN_LINES);
            let rest = (more > 0).then(|| Line::note(0, format!("… {}", count(more, "more line"))));
            let begin = entry.lines.iter().take(MIN_LINES).cloned().chain(rest);
            let begin = Entry {
                lines: begin.collect(),
                summary: String::new(),
                preview: String::new(),
                ..entry.clone()
            };
            // Only the title, and what is destroyed.
            let short = Entry {
                lines: Vec::new(),
                others: if entry.is_destroyed { entry.others.clone() } else { Vec::new() },
                findings: EntryFindings::default(),
                results: OtherResults::default(),
                source: None,
                needs: None,
                reasons: Vec::new(),
                ..begin.clone()
            };
            let levels = [
                self.write(|writer| writer.entry(entry, depth))?,
                self.write(|writer| writer.entry(&begin, depth))?,
                self.write(|writer| writer.entry(&short, depth))?,
            ];
            let fold = |what: &str| visible(&format!("{what} {}", entry.object_type));
            blocks.push(Block::of_entry(entry, levels, fold));
        }
        Ok(())
    }
}
