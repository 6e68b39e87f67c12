//! Blocks of the Markdown text, which are shortened until all of them fit.

use crate::report::{Priority, SectionKind};
use crate::text::count;

/// The size limit of the text, and the features of the platform that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum size, in bytes.
    pub bytes: usize,
    /// Whether the platform supports `<details>`.
    pub details: bool,
}

impl Budget {
    /// The names of platforms.
    pub const PLATFORMS: [&str; 4] = ["github", "gitlab", "azure", "bitbucket"];

    /// Parses the name of a platform, or a number of bytes.
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
        Self { bytes: usize::MAX, details: true }
    }
}

/// Bytes reserved for the summary of what a section leaves out.
pub(super) const RESERVE: usize = 200;

/// How much of a block is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    Whole,
    Begin,
    Header,
    Counted,
}

/// A part of the text that can be shortened.
pub(super) struct Block {
    levels: [String; 3],
    priority: Priority,
    /// The order among blocks of the same priority: those with the highest number are shortened first, and of
    /// these the last.
    pub(super) order: usize,
    /// Whether it is a heading, which does not count as an entry.
    is_heading: bool,
    pub(super) level: Detail,
    /// The number of destroyed objects that it names.
    pub(super) destroyed: usize,
    /// The changes that it shows.
    pub(super) entries: Vec<(SectionKind, usize)>,
}

impl Block {
    pub(super) fn new(levels: [String; 3], priority: Priority) -> Self {
        let (order, is_heading, level) = (0, false, Detail::Whole);
        Self { levels, priority, order, is_heading, level, destroyed: 0, entries: Vec::new() }
    }

    /// A heading. It is removed after the blocks below it, which have the same order.
    pub(super) fn heading(text: &str, order: usize) -> Self {
        let line = format!("\n{text}\n\n");
        Self { is_heading: true, order, ..Self::new([line.clone(), line.clone(), line], Priority::Plain) }
    }

    fn size(&self) -> usize {
        self.text().len()
    }

    pub(super) fn text(&self) -> &str {
        self.levels.get(self.level as usize).map_or("", String::as_str)
    }

    /// The number of its entries. All outputs together count as one.
    pub(super) fn counts(&self) -> usize {
        self.entries.iter().filter(|(kind, _)| *kind != SectionKind::Outputs).count()
    }

    /// Whether it is shortened.
    pub(super) fn is_smaller(&self) -> bool {
        self.levels.first().map(String::len) > Some(self.size())
    }
}

/// The text about one plan.
pub(super) struct Shortened {
    pub(super) title: String,
    pub(super) blocks: Vec<Block>,
}

impl Shortened {
    /// The length of the text as it is shortened, with space for the sentence about that.
    pub(super) fn size(&self) -> usize {
        self.title.len() + RESERVE + self.blocks.iter().map(Block::size).sum::<usize>()
    }
}

/// The sentence about shortened blocks.
pub(super) fn summary(blocks: &[Block]) -> String {
    let at = |level: Detail| blocks.iter().filter(move |block| block.level == level);
    // A short block may be the same at a lower level of detail.
    let of = |level: Detail| at(level).filter(|block| block.is_smaller()).map(Block::counts).sum::<usize>();
    let no_entry =
        |block: &&Block| block.counts() == 0 && !block.is_heading && block.priority != Priority::Index;
    let others = at(Detail::Counted).filter(no_entry).count();
    let shortened =
        blocks.iter().filter(no_entry).filter(|block| block.is_smaller() && block.size() > 0).count();
    let mut said: Vec<String> = [
        (of(Detail::Begin), "shortened"),
        (of(Detail::Header), "without details"),
        (of(Detail::Counted), "not listed"),
    ]
    .iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, what)| format!("{} {what}", count(*number, "entry")))
    .collect();
    if shortened > 0 {
        said.push(format!("{} shortened", count(shortened, "section")));
    }
    if others > 0 {
        said.push(format!("{} not shown", count(others, "other line")));
    }
    if said.is_empty() {
        return String::new();
    }
    format!("\n_Cut for the size: {}. `tfview review` prints all._\n\n", said.join(", "))
}

/// Shortens blocks until all of them fit: at each level of detail the index first, then the others by
/// increasing priority.
pub(super) fn shrink(sections: &mut [Shortened], head: usize, budget: usize) {
    let mut now = head + sections.iter().map(Shortened::size).sum::<usize>();
    let steps = [
        (Priority::Index, Detail::Begin),
        (Priority::Plain, Detail::Begin),
        (Priority::Index, Detail::Header),
        (Priority::Plain, Detail::Header),
        (Priority::Flagged, Detail::Begin),
        (Priority::Flagged, Detail::Header),
        (Priority::Destroyed, Detail::Begin),
        (Priority::Destroyed, Detail::Header),
        (Priority::Index, Detail::Counted),
        (Priority::Plain, Detail::Counted),
        (Priority::Flagged, Detail::Counted),
        (Priority::Destroyed, Detail::Counted),
    ];
    for (priority, level) in steps {
        if now <= budget {
            return;
        }
        let blocks = sections.iter_mut().flat_map(|section| &mut section.blocks).enumerate();
        let mut blocks: Vec<(usize, &mut Block)> =
            blocks.filter(|(_, block)| block.priority == priority && block.level < level).collect();
        blocks.sort_by_key(|(at, block)| std::cmp::Reverse((block.order, *at)));
        for (_, block) in blocks {
            if now <= budget {
                return;
            }
            now -= block.size();
            block.level = level;
            now += block.size();
        }
    }
}
