//! The blocks of a text with a size limit, which are shortened until all of them fit.
//!
//! ```text
//! whole     ~ aws_instance.web  [55 lines]
//! begin     ~ aws_instance.web  [15 lines, … 40 more lines]
//! header    ~ aws_instance.web
//! counted   1 entry not listed
//! ```
//!
//! Invariant: blocks are shortened in the order of their priority, and never lengthened again, so the result depends on
//! the document and the limit alone.

use std::collections::BTreeMap;

use super::entry::EntryPlaces;
use super::{Level, Part, Priority, Report, ReportEntry, SectionKind};
use crate::text::count;

/// The limit of a text, and the markup that its reader supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum length of the text, in bytes.
    pub bytes: usize,
    /// Whether parts can be opened and closed, and cells can have line breaks.
    pub details: bool,
}

impl Budget {
    /// The words for the platforms whose limits for a comment or a description are known.
    pub const PLATFORMS: [&str; 4] = ["github", "gitlab", "azure", "bitbucket"];

    /// Returns the limit of a platform, or of a number of bytes; `None` if the word is neither.
    pub fn from_word(word: &str) -> Option<Self> {
        let details = word != "bitbucket";
        let bytes = match word {
            "github" => 65_536,
            "gitlab" => 1_000_000,
            "azure" => 150_000,
            "bitbucket" => 32_768,
            number => number.parse().ok()?,
        };
        Some(Self { bytes, details })
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            bytes: usize::MAX,
            details: true,
        }
    }
}

/// The minimum number of lines that a shortened diff keeps. With less space, it is omitted.
pub(super) const MIN_LINES: usize = 15;
/// The number of bytes that are reserved for the sentence about grave objects that are not named.
const UNNAMED_LEN: usize = 180;
/// The number of bytes that are reserved for the summary of what a section leaves out.
const RESERVE: usize = 200;

/// The number of bytes that are reserved for the markup around the rows of a table.
const TABLE: usize = 110;
/// The maximum number of rows that a table shows before it is opened.
pub(super) const ROWS: usize = 60;

/// The level of detail at which a block is shown. Later variants are shorter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// The whole block.
    #[default]
    Whole,
    /// The first lines.
    Begin,
    /// The title only.
    Header,
    /// Nothing; a sentence counts the block.
    Counted,
}

/// An object or an output of a plan that a block shows. If the block is shortened, the coverage records it as counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryRef {
    /// The index of the plan; `None` for the plan of the section.
    pub(super) part: Option<usize>,
    /// The list of the plan that contains it.
    pub(super) list: SectionKind,
    /// The index in the list.
    pub(super) index: usize,
}

/// A part of the text that is shortened as a unit, mostly an entry.
#[derive(Default)]
pub(super) struct SizedBlock {
    /// The text of the block at each level of detail above `Counted`, from the whole text to the header only.
    pub(super) levels: [String; 3],
    /// The row of the block in a table; empty if it is not in one.
    pub(super) row: String,
    /// The row for the level `Header`, if it differs from `row`.
    pub(super) short_row: Option<String>,
    /// The priority. Blocks with a higher priority are shortened later.
    pub(super) priority: Priority,
    /// The order among blocks of the same priority: those with the highest number are shortened first, and of these the
    /// last.
    pub(super) order: usize,
    /// Whether the block is a heading, which does not count as an entry.
    pub(super) is_heading: bool,
    /// The level of detail at which the block is shown now.
    pub(super) level: Detail,
    /// The line that counts a grave entry if it is not shown; `None` for other blocks.
    pub(super) fold: Option<String>,
    /// The number of objects that the entry destroys.
    pub(super) destroyed: usize,
    /// The objects that the block shows.
    pub(super) entries: Vec<EntryRef>,
}

impl SizedBlock {
    /// Makes a block of its text at each level of detail above `Counted`.
    pub(super) fn new(levels: [String; 3], priority: Priority) -> Self {
        Self {
            levels,
            priority,
            ..Self::default()
        }
    }

    /// Makes a block that is shown as a whole or not at all.
    pub(super) fn fixed(text: String, priority: Priority) -> Self {
        Self::new([text.clone(), text.clone(), text], priority)
    }

    /// Makes the block of an entry. `fold` writes the line that counts a grave entry, from the kind of its gravest
    /// finding if that is critical, otherwise from that of its change.
    pub(super) fn of_entry(
        entry: &ReportEntry<'_>,
        levels: [String; 3],
        fold: impl Fn(&str) -> String,
    ) -> Self {
        let what = match entry.finding_kinds.first() {
            Some(kind) if entry.level == Level::Critical => kind,
            Some(_) | None => entry.kind,
        };
        let EntryPlaces { list, indices } = &entry.places;
        Self {
            order: entry.order,
            fold: (entry.priority == Priority::Grave).then(|| fold(what)),
            destroyed: if entry.is_destroyed { indices.len() } else { 0 },
            entries: indices
                .iter()
                .map(|index| EntryRef {
                    part: None,
                    list: *list,
                    index: *index,
                })
                .collect(),
            ..Self::new(levels, entry.priority)
        }
    }

    /// Makes a heading. It is removed after the blocks below it if `order` is the lowest of theirs.
    pub(super) fn heading(text: &str, order: usize) -> Self {
        Self {
            is_heading: true,
            order,
            ..Self::fixed(format!("\n{text}\n\n"), Priority::Plain)
        }
    }

    /// Returns the number of bytes of the row and the text as they are shown now.
    fn size(&self) -> usize {
        self.row().len() + self.text().len()
    }

    /// Whether the block has a row of a table.
    pub(super) fn is_row(&self) -> bool {
        !self.row.is_empty()
    }

    /// Returns the row as it is shown now.
    pub(super) fn row(&self) -> &str {
        match self.level {
            Detail::Whole | Detail::Begin => &self.row,
            Detail::Header => self.short_row.as_ref().unwrap_or(&self.row),
            Detail::Counted => "",
        }
    }

    /// Returns the text as it is shown now.
    pub(super) fn text(&self) -> &str {
        self.levels
            .get(self.level as usize)
            .map_or("", String::as_str)
    }

    /// Returns the number of objects that the block shows. Outputs do not count.
    fn counts(&self) -> usize {
        self.entries
            .iter()
            .filter(|entry| entry.list != SectionKind::Outputs)
            .count()
    }

    /// Whether less of the block is shown than the whole.
    fn is_smaller(&self) -> bool {
        self.levels
            .first()
            .map(|whole| whole.len() + self.row.len())
            > Some(self.size())
    }
}

/// A section of the text, about one plan or about the changes that several units share.
#[derive(Default)]
pub(super) struct Shortened {
    /// The index of the plan; `None` for the changes that several units share.
    pub(super) part: Option<usize>,
    /// The heading of the plan, which is never shortened.
    pub(super) title: String,
    /// The blocks in the order of the document.
    pub(super) blocks: Vec<SizedBlock>,
    /// The lines that count grave entries which are not shown, with the numbers of objects.
    pub(super) folds: BTreeMap<String, usize>,
}

impl Shortened {
    /// Returns an upper bound of the length of the section in bytes, with what is reserved for tables, folds and the
    /// summary.
    fn size(&self) -> usize {
        let folds: usize = self.folds.keys().map(|line| fold_size(line)).sum();
        let rows = |blocks: &[SizedBlock]| {
            blocks
                .iter()
                .filter(|block| !block.row().is_empty())
                .count()
        };
        let tables = self
            .blocks
            .chunk_by(|one, other| one.is_row() == other.is_row())
            .map(|blocks| match rows(blocks) {
                0 => 0,
                1..=ROWS => TABLE,
                _ => 2 * TABLE,
            });
        self.title.len()
            + RESERVE
            + tables.sum::<usize>()
            + self.blocks.iter().map(SizedBlock::size).sum::<usize>()
            + folds
    }

    /// Returns the lines that count grave entries as a Markdown list, with an empty line after it.
    fn folded(&self) -> String {
        let lines = self
            .folds
            .iter()
            .map(|(line, number)| format!("- {line} × {number}\n"));
        let mut text: String = lines.collect();
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// Notes in the coverage of the report that shortened entries are only counted.
    fn count(&self, report: &mut Report<'_>) {
        let smaller = self.blocks.iter().filter(|block| block.is_smaller());
        for entry in smaller.flat_map(|block| &block.entries) {
            if let Some(part) = entry
                .part
                .or(self.part)
                .and_then(|part| report.parts.get_mut(part))
            {
                part.coverage.count(entry.list, entry.index);
            }
        }
    }
}

/// A writer of the parts of a text with a size limit, in Markdown or for a terminal.
pub(super) trait SizedWriter {
    /// Returns a sentence that must not be missed.
    fn alert(&self, sentence: &str) -> String;
    /// Returns a sentence about what was shortened.
    fn remark(&self, sentence: &str) -> String;
    /// Returns the blocks of a section as they are shown now.
    fn body(&self, section: &Shortened, part: Option<&Part<'_>>) -> String;
}

/// Shortens sections until they fit into `bytes` together with `head` bytes before them, and returns their text. The
/// coverage of the report is corrected.
///
/// If not even the titles of all sections fit, the last sections are only counted. The title of the first one is always
/// in the text.
pub(super) fn fit(
    report: &mut Report<'_>,
    sections: &mut [Shortened],
    (head, bytes): (usize, usize),
    writer: &dyn SizedWriter,
) -> String {
    shrink(sections, head, bytes);
    if unnamed(sections).is_some() {
        shrink(sections, head + UNNAMED_LEN, bytes);
    }
    let mut unnamed = unnamed(sections)
        .map(|sentence| writer.alert(&sentence))
        .unwrap_or_default();
    let mut text = if report.total.is_some() {
        std::mem::take(&mut unnamed)
    } else {
        String::new()
    };
    let (mut left, mut entries) = (0, 0);
    for (index, section) in sections.iter_mut().enumerate() {
        let fits =
            index == 0 || (left == 0 && head + text.len() + section.size() + RESERVE <= bytes);
        if !fits {
            section
                .blocks
                .iter_mut()
                .for_each(|block| block.level = Detail::Counted);
            left += 1;
            entries += section.blocks.iter().map(SizedBlock::counts).sum::<usize>();
        }
        section.count(report);
        if fits {
            let part = section.part.and_then(|part| report.parts.get(part));
            text.push_str(&section.title);
            text.push_str(&std::mem::take(&mut unnamed));
            text.push_str(&section.folded());
            text.push_str(&writer.body(section, part));
            text.extend(summary(&section.blocks).map(|sentence| writer.remark(&sentence)));
            text.extend(
                part.and_then(Part::unreported)
                    .map(|sentence| writer.alert(&sentence)),
            );
        }
    }
    if left > 0 {
        let (units, entries) = (count(left, "more unit"), count(entries, "entry"));
        text.push_str(&writer.remark(&format!("{units} with {entries} not shown for the size.")));
    }
    text
}

/// Returns an upper bound of the length of a line that counts grave entries, in bytes.
fn fold_size(line: &str) -> usize {
    /// The number of bytes that are reserved for the markup and the number around the line.
    const AROUND: usize = 30;
    line.len() + AROUND
}

/// Returns the sentence that counts what was shortened or left out; `None` if nothing was.
fn summary(blocks: &[SizedBlock]) -> Option<String> {
    let of_level = |level: Detail| blocks.iter().filter(move |block| block.level == level);
    // A short block may have the same text at a lower level of detail.
    let of = |level: Detail| {
        of_level(level)
            .filter(|block| block.is_smaller())
            .map(SizedBlock::counts)
            .sum::<usize>()
    };
    let no_entry = |block: &&SizedBlock| {
        block.counts() == 0 && !block.is_heading && block.priority != Priority::Index
    };
    let others = of_level(Detail::Counted).filter(no_entry).count();
    let shortened = blocks
        .iter()
        .filter(no_entry)
        .filter(|block| block.is_smaller() && block.size() > 0)
        .count();
    let said = [
        (of(Detail::Begin), "entry", "shortened"),
        (of(Detail::Header), "entry", "without details"),
        (of(Detail::Counted), "entry", "not listed"),
        (shortened, "section", "shortened"),
        (others, "other line", "not shown"),
    ];
    let said = said.into_iter().filter(|(number, ..)| *number > 0);
    let said: Vec<String> = said
        .map(|(number, of, how)| format!("{} {how}", count(number, of)))
        .collect();
    (!said.is_empty()).then(|| format!("Cut for the size: {}.", said.join(", ")))
}

/// Returns the sentence that counts the destroyed objects, and those with critical findings, that are not named; `None`
/// if all are named.
fn unnamed(sections: &[Shortened]) -> Option<String> {
    let blocks = sections.iter().flat_map(|section| &section.blocks);
    let unnamed = blocks.filter(|block| block.level == Detail::Counted && block.fold.is_some());
    let (mut destroyed, mut critical) = (0, 0);
    for block in unnamed {
        destroyed += block.destroyed;
        critical += block.entries.len() - block.destroyed;
    }
    let what = match (destroyed, critical) {
        (0, 0) => return None,
        (_, 0) => count(destroyed, "destroyed object"),
        (0, _) => format!("{} with critical findings", count(critical, "object")),
        (_, _) => {
            let others = count(critical, "other");
            format!(
                "{} and {others} with critical findings",
                count(destroyed, "destroyed object")
            )
        }
    };
    let verb = if destroyed + critical == 1 {
        "is"
    } else {
        "are"
    };
    Some(format!("{what} {verb} not named here for the size."))
}

/// Shortens blocks until the sections fit into `budget` bytes, together with `head` bytes before them.
///
/// In each round, the last section is shortened first, so that the gravest stays whole. In a section, the index is
/// shortened first, then other blocks by increasing priority. Grave blocks are shortened after all others of all
/// sections.
fn shrink(sections: &mut [Shortened], head: usize, budget: usize) {
    use Detail::{Begin, Counted, Header};
    use Priority::{Flagged, Grave, Index, Plain};
    let mut now = head + sections.iter().map(Shortened::size).sum::<usize>();
    let rounds: [&[(Priority, Detail)]; 4] = [
        &[
            (Index, Begin),
            (Plain, Begin),
            (Index, Header),
            (Plain, Header),
            (Flagged, Begin),
            (Flagged, Header),
        ],
        &[(Grave, Begin), (Grave, Header)],
        &[(Index, Counted), (Plain, Counted), (Flagged, Counted)],
        &[(Grave, Counted)],
    ];
    let steps = rounds.iter().flat_map(|round| {
        (0..sections.len()).rev().flat_map(|index| {
            round
                .iter()
                .map(move |(priority, level)| (index, *priority, *level))
        })
    });
    let steps: Vec<(usize, Priority, Detail)> = steps.collect();
    let mut folds: Vec<BTreeMap<String, usize>> = sections
        .iter_mut()
        .map(|section| std::mem::take(&mut section.folds))
        .collect();
    for (section, priority, level) in steps {
        if now <= budget {
            break;
        }
        let Some(section_blocks) = sections.get_mut(section) else {
            continue;
        };
        let mut blocks: Vec<(usize, &mut SizedBlock)> = section_blocks
            .blocks
            .iter_mut()
            .enumerate()
            .filter(|(_, block)| block.priority == priority && block.level < level)
            .collect();
        blocks.sort_by_key(|(index, block)| std::cmp::Reverse((block.order, *index)));
        for (_, block) in blocks {
            if now <= budget {
                break;
            }
            now -= block.size();
            block.level = level;
            now += block.size();
            if let (Counted, Some(line), Some(folds)) = (level, &block.fold, folds.get_mut(section))
            {
                now += if folds.contains_key(line) {
                    0
                } else {
                    fold_size(line)
                };
                *folds.entry(line.clone()).or_default() += block.entries.len();
            }
        }
    }
    // The head says how many objects are not named, so the lines that count them can be removed as well.
    for (section, mut folds) in sections.iter_mut().zip(folds).rev() {
        while now > budget
            && let Some((line, _)) = folds.pop_last()
        {
            now -= fold_size(&line);
        }
        section.folds = folds;
    }
}
