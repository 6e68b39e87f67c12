//! Text for the terminal within a size limit, for programs that read only so much.
//!
//! What is shortened first, and what is counted, are decided as for Markdown.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::{Layout, TextWriter};
use crate::report::blocks::{
    self, BESIDE_RESOURCES, Block, Detail, MIN_LINES, RESERVE, Shortened, UNNAMED_LEN, shrink, summary,
};
use crate::report::wrap::muted;
use crate::report::{Entry, Head, Line, Part, Priority, Report, Section, Title};
use crate::term::{Out, Role, capture};
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
    super::terminal(report, layout, colour, None, &mut whole)?;
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
    let run = match &report.run_url {
        Some(url) => piece.write(|writer| writer.text(|out| muted(out, &format!("run: {url}"), layout)))?,
        None => String::new(),
    };
    let order: Vec<usize> = report.shown_parts().map(|(at, _)| at).collect();
    let parts = report.shown_parts();
    let mut sections = parts.map(|(_, part)| piece.part(part)).collect::<io::Result<Vec<Shortened>>>()?;
    let head = total.len() + run.len() + UNNAMED_LEN + RESERVE;
    shrink(&mut sections, head, bytes);
    let mut text = total + &run;
    if let Some(sentence) = blocks::unnamed(&sections) {
        text.push_str(&piece.alert(&sentence)?);
    }
    let mut left: Vec<&mut Shortened> = Vec::new();
    for (section, place) in sections.iter_mut().zip(&order) {
        let Some(part) = report.parts.get_mut(*place) else { continue };
        let fits = left.is_empty() && text.len() + section.size() + RESERVE <= bytes;
        // The verdict of the first plan is always there.
        let fits = fits || (left.is_empty() && *place == order.first().copied().unwrap_or_default());
        if !fits {
            section.blocks.iter_mut().for_each(|block| block.level = Detail::Counted);
        }
        for block in section.blocks.iter().filter(|block| block.is_smaller()) {
            block.entries.iter().for_each(|(kind, at)| part.coverage.count(*kind, *at));
        }
        if !fits {
            left.push(section);
            continue;
        }
        text.push_str(&section.title);
        text.push_str(&section.folded());
        section.blocks.iter().for_each(|block| text.push_str(block.text()));
        if let Some(words) = summary(&section.blocks) {
            text.push_str(&piece.alert(&format!("({words} Without --max-bytes, all is printed)"))?);
        }
        if let Some(sentence) = part.unreported() {
            text.push_str(&piece.alert(&sentence)?);
        }
    }
    if !left.is_empty() {
        let hidden: usize = left.iter().flat_map(|section| &section.blocks).map(Block::counts).sum();
        let (plans, hidden) = (count(left.len(), "more plan"), count(hidden, "entry"));
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
        capture(colour, |out: &mut Out<'_>| {
            let mut bytes = Vec::new();
            let inner = Out::new(&mut bytes, colour).escaping_commands();
            let mut writer = TextWriter { layout, is_list, out: inner, blank: true };
            write(&mut writer)?;
            writer.out.flush()?;
            drop(writer);
            out.lit(&String::from_utf8_lossy(&bytes))
        })
    }

    fn alert(self, text: &str) -> io::Result<String> {
        self.write(|writer| {
            writer.text(|out| {
                out.role(Role::StrongWarning, text)?;
                out.lit("\n")
            })
        })
    }

    /// The text about one plan, in blocks that can be shortened.
    fn part(self, part: &Part<'_>) -> io::Result<Shortened> {
        let layout = self.layout;
        let title = self.write(|writer| writer.title(part))?;
        let title = if part.name.is_some() { format!("\n{title}") } else { title };
        let mut blocks = Vec::new();
        for head in &part.head {
            let text = self.write(|writer| writer.head(head))?;
            let priority = match head {
                Head::Details(_) | Head::Origin(_) => Priority::Plain,
                Head::Others(_) | Head::Findings(_) | Head::Causes(_) | Head::Checks(_) => Priority::Flagged,
            };
            blocks.push(Block::fixed(text, priority));
        }
        for section in &part.sections {
            self.section(section, &mut blocks)?;
        }
        let others = [
            self.write(|writer| writer.apart(part))?,
            self.write(|writer| writer.outputs(part))?,
            self.write(|writer| writer.notes(&part.notes))?,
        ];
        for (at, text) in others.into_iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let lines = text.lines().count();
            let begin: String = text.split_inclusive('\n').take(MIN_LINES).collect();
            let short = match lines.saturating_sub(MIN_LINES) {
                0 => text.clone(),
                more => {
                    begin
                        + &self.write(|writer| {
                            writer.text(|out| muted(out, &format!("… {}", count(more, "more line")), layout))
                        })?
                }
            };
            let mut block =
                Block::new([format!("\n{text}"), format!("\n{short}"), String::new()], Priority::Plain);
            block.order = BESIDE_RESOURCES;
            if at == 1 {
                let number = part.outputs.as_ref().map_or(0, |outputs| outputs.number);
                block.entries = (0..number).map(|at| (crate::report::SectionKind::Outputs, at)).collect();
            }
            blocks.push(block);
        }
        Ok(Shortened { title, blocks, folds: BTreeMap::new() })
    }

    fn section(self, section: &Section<'_>, blocks: &mut Vec<Block>) -> io::Result<()> {
        let heading = match &section.title {
            Title::Action { is_state_only: false, .. } => "",
            Title::Action { is_state_only: true, .. } => "State only: nothing is done to the objects",
            title @ (Title::Module(_) | Title::Text(_)) => title.text(),
        };
        let text =
            if heading.is_empty() { String::new() } else { self.write(|writer| writer.heading(heading))? };
        blocks.push(Block::heading(text.trim(), section.order()));
        let depth = usize::from(matches!(section.title, Title::Module(_)));
        for entry in &section.entries {
            let begin: Vec<Line> = entry.lines.iter().take(MIN_LINES).cloned().collect();
            let more = entry.lines.len() - begin.len();
            let rest = (more > 0).then(|| Line::note(0, format!("… {}", count(more, "more line"))));
            let begin = Entry { lines: begin.into_iter().chain(rest).collect(), ..header(entry, true) };
            let levels = [
                self.write(|writer| writer.entry(entry, depth))?,
                self.write(|writer| writer.entry(&begin, depth))?,
                self.write(|writer| writer.entry(&header(entry, false), depth))?,
            ];
            let fold = |what: &str| crate::term::visible(&format!("{what} {}", entry.object_type));
            blocks.push(Block::of_entry(entry, levels, fold));
        }
        Ok(())
    }
}

/// An entry without the lines of its edits; without everything but its title and what it destroys, too.
fn header<'r>(entry: &Entry<'r>, with_reasons: bool) -> Entry<'r> {
    let short = Entry {
        number: entry.number,
        sign: entry.sign,
        address: entry.address.clone(),
        phrase: entry.phrase.clone(),
        kind: entry.kind,
        object_type: entry.object_type,
        level: entry.level,
        finding_kinds: entry.finding_kinds.clone(),
        is_destroyed: entry.is_destroyed,
        cost: entry.cost.clone(),
        others: if with_reasons || entry.is_destroyed { entry.others.clone() } else { Vec::new() },
        ..Entry::default()
    };
    if !with_reasons {
        return short;
    }
    Entry {
        findings: entry.findings.clone(),
        results: entry.results.clone(),
        source: entry.source.clone(),
        reasons: entry.reasons.clone(),
        needs: entry.needs.clone(),
        ..short
    }
}
