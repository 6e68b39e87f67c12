//! Blocks of a text with a size limit, which are shortened until all of them fit.
//!
//! ```text
//! whole     ~ aws_instance.web  [55 lines]
//! begin     ~ aws_instance.web  [15 lines, … 40 more lines]
//! header    ~ aws_instance.web
//! counted   1 entry not listed
//! ```
//!
//! Invariant: blocks are shortened in the order of their priority, and never lengthened again, so
//! the result depends on the document and the limit alone.

use std::collections::BTreeMap;

use super::entry::EntryPlaces;
use super::{Level, Part, Priority, Report, ReportEntry, SectionKind};
use crate::text::count;

/// How much a text may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum length of the text, in bytes.
    pub bytes: usize,
    /// Parts can be opened and closed, and cells have line breaks.
    pub details: bool,
}

impl Budget {
    /// The platforms whose limits for a comment or a description are known.
    pub const PLATFORMS: [&str; 4] = ["github", "gitlab", "azure", "bitbucket"];

    /// Reads a platform, or a number of bytes; `None` if the word is neither.
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

/// The minimum number of lines to keep of a shortened diff; a shorter one is omitted.
pub(super) const MIN_LINES: usize = 15;
/// The bytes reserved for the sentence about grave objects that are not named.
const UNNAMED_LEN: usize = 180;
/// Bytes reserved for the summary of what a section leaves out.
const RESERVE: usize = 200;

/// Bytes reserved for what is around the rows of the table.
const TABLE: usize = 110;
/// The number of rows of the table that are shown unopened.
pub(super) const ROWS: usize = 60;

/// How much of a block is shown, from all of it to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// All of it.
    #[default]
    Whole,
    /// The first lines.
    Begin,
    /// The title alone.
    Header,
    /// Nothing; a sentence counts it.
    Counted,
}

/// An entry of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryRef {
    /// The index of the plan; `None` for the plan of the section.
    pub(super) part: Option<usize>,
    pub(super) list: SectionKind,
    /// The index in the list.
    pub(super) index: usize,
}

/// A part of the text that is shortened on its own, mostly an entry.
#[derive(Default)]
pub(super) struct SizedBlock {
    /// Its text at each level of detail above `Counted`, from whole to the header alone.
    pub(super) levels: [String; 3],
    /// Its row in a table; empty if it is not in one.
    pub(super) row: String,
    /// The row once the block is shortened to it, if that is another one.
    pub(super) short_row: Option<String>,
    /// What stays longest: those with a higher priority are shortened later.
    pub(super) priority: Priority,
    /// Among blocks of the same priority, those with the highest number are shortened first, and of these the
    /// last.
    pub(super) order: usize,
    /// A heading does not count as an entry.
    pub(super) is_heading: bool,
    /// How much of it is shown now.
    pub(super) level: Detail,
    /// The line that counts a grave entry where it is not shown.
    pub(super) fold: Option<String>,
    /// The number of objects that it destroys.
    pub(super) destroyed: usize,
    /// The entries that the block shows.
    pub(super) entries: Vec<EntryRef>,
}

impl SizedBlock {
    pub(super) fn new(levels: [String; 3], priority: Priority) -> Self {
        Self {
            levels,
            priority,
            ..Self::default()
        }
    }

    pub(super) fn fixed(text: String, priority: Priority) -> Self {
        Self::new([text.clone(), text.clone(), text], priority)
    }

    /// `fold` writes the line that counts the entry.
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

    /// A heading is removed after the blocks below it, which have the same order.
    pub(super) fn heading(text: &str, order: usize) -> Self {
        Self {
            is_heading: true,
            order,
            ..Self::fixed(format!("\n{text}\n\n"), Priority::Plain)
        }
    }

    fn size(&self) -> usize {
        self.row().len() + self.text().len()
    }

    /// Whether it belongs to a table.
    pub(super) fn is_row(&self) -> bool {
        !self.row.is_empty()
    }

    pub(super) fn row(&self) -> &str {
        match self.level {
            Detail::Whole | Detail::Begin => &self.row,
            Detail::Header => self.short_row.as_ref().unwrap_or(&self.row),
            Detail::Counted => "",
        }
    }

    pub(super) fn text(&self) -> &str {
        self.levels
            .get(self.level as usize)
            .map_or("", String::as_str)
    }

    fn counts(&self) -> usize {
        self.entries
            .iter()
            .filter(|entry| entry.list != SectionKind::Outputs)
            .count()
    }

    fn is_smaller(&self) -> bool {
        self.levels
            .first()
            .map(|whole| whole.len() + self.row.len())
            > Some(self.size())
    }
}

/// About one plan, or about what several units have in common.
#[derive(Default)]
pub(super) struct Shortened {
    /// The index of the plan; `None` for what units have in common.
    pub(super) part: Option<usize>,
    /// The heading of the plan, which always stays.
    pub(super) title: String,
    /// The blocks in the order of the document.
    pub(super) blocks: Vec<SizedBlock>,
    /// The lines that count grave entries which are not shown, with the numbers of their objects.
    pub(super) folds: BTreeMap<String, usize>,
}

impl Shortened {
    /// Returns an upper bound of its length in bytes, with what is reserved for tables, folds and
    /// the summary.
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

/// Writes the parts of a text with a size limit, in Markdown or for a terminal.
pub(super) trait SizedWriter {
    fn alert(&self, sentence: &str) -> String;
    fn remark(&self, sentence: &str) -> String;
    fn body(&self, section: &Shortened, part: Option<&Part<'_>>) -> String;
}

/// Shortens sections until they fit into `bytes` after `head` bytes, and corrects the coverage of the report.
/// If not even the titles of all fit, the others are only counted; that of the first plan is always there.
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

fn fold_size(line: &str) -> usize {
    const AROUND: usize = 30;
    line.len() + AROUND
}

/// Returns the sentence that counts what was shortened or left out; `None` if nothing was.
fn summary(blocks: &[SizedBlock]) -> Option<String> {
    let of_level = |level: Detail| blocks.iter().filter(move |block| block.level == level);
    // A short block may be the same at a lower level of detail.
    let count_of = |level: Detail| {
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
        (count_of(Detail::Begin), "entry", "shortened"),
        (count_of(Detail::Header), "entry", "without details"),
        (count_of(Detail::Counted), "entry", "not listed"),
        (shortened, "section", "shortened"),
        (others, "other line", "not shown"),
    ];
    let said = said.into_iter().filter(|(number, ..)| *number > 0);
    let said: Vec<String> = said
        .map(|(number, of, how)| format!("{} {how}", count(number, of)))
        .collect();
    (!said.is_empty()).then(|| format!("Cut for the size: {}.", said.join(", ")))
}

/// Returns the sentence that counts destroyed objects and those with critical findings that are not
/// named; `None` if all are.
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

/// The last section is shortened first, so that the gravest stays whole, and in each the index first, then
/// the others by increasing priority. What is grave is shortened after the rest of all sections.
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
    // The head says how many objects are not named, so that the lines which count them may go as well.
    for (section, mut folds) in sections.iter_mut().zip(folds).rev() {
        while now > budget
            && let Some((line, _)) = folds.pop_last()
        {
            now -= fold_size(&line);
        }
        section.folds = folds;
    }
}
