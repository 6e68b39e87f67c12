//! Pieces of the Markdown text, which are shortened until all of them fit.

use crate::review::{Ledger, List, Mention, count};

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

/// How much of a piece is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    Whole,
    Begin,
    Header,
    Counted,
}

/// A piece of the text that can be shortened.
pub(super) struct Piece {
    pub(super) levels: [String; 3],
    pub(super) weight: Keep,
    /// The order among pieces of the same weight: those with the highest number are shortened first, and of
    /// these the last.
    pub(super) order: usize,
    /// Whether the piece is a heading, which does not count as an entry.
    pub(super) is_heading: bool,
    pub(super) level: Detail,
    /// The entries of the piece, and how it reports their edits if it is complete.
    pub(super) entries: Vec<(List, usize, Vec<Option<Mention>>)>,
}

/// The weight of a piece: the lowest are shortened first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Keep {
    /// The index, which only repeats what follows.
    Index,
    Plain,
    /// An existing object is destroyed.
    Grave,
    /// There are facts.
    Flagged,
}

impl Piece {
    pub(super) fn new(levels: [String; 3], weight: Keep) -> Self {
        Self { levels, weight, order: 0, is_heading: false, level: Detail::Whole, entries: Vec::new() }
    }

    /// A heading. It is removed after the pieces below it, which have the same order.
    pub(super) fn heading(text: &str, order: usize) -> Self {
        let line = format!("\n{text}\n\n");
        Self { is_heading: true, order, ..Self::new([line.clone(), line.clone(), line], Keep::Plain) }
    }

    pub(super) fn size(&self) -> usize {
        self.levels.get(self.level as usize).map_or(0, String::len)
    }

    pub(super) fn text(&self) -> &str {
        self.levels.get(self.level as usize).map_or("", String::as_str)
    }

    /// The number of its entries. All outputs together count as one.
    pub(super) fn counts(&self) -> usize {
        self.entries.iter().filter(|(list, ..)| *list != List::Outputs).count()
    }

    /// Whether the piece is shortened.
    pub(super) fn is_smaller(&self) -> bool {
        self.levels.first().map(String::len) > Some(self.size())
    }

    /// Records how the piece reports its edits: as counted, if it is shortened.
    pub(super) fn record(&self, ledger: &mut Ledger) {
        for (list, at, mentions) in &self.entries {
            if self.is_smaller() {
                ledger.record_all(*list, *at, Mention::Counted, Mention::Counted);
            } else {
                ledger.record(*list, *at, mentions);
            }
        }
    }
}

/// The part of the text about one plan.
pub(super) struct Section {
    pub(super) title: String,
    pub(super) pieces: Vec<Piece>,
    pub(super) ledger: Ledger,
}

/// The sentence about shortened pieces.
pub(super) fn summary(pieces: &[Piece]) -> String {
    let at = |level: Detail| pieces.iter().filter(move |piece| piece.level == level);
    // A short piece may be the same at a lower level of detail.
    let of = |level: Detail| at(level).filter(|piece| piece.is_smaller()).map(Piece::counts).sum::<usize>();
    let no_entry = |piece: &&Piece| piece.counts() == 0 && !piece.is_heading && piece.weight != Keep::Index;
    let others = at(Detail::Counted).filter(no_entry).count();
    let shortened =
        pieces.iter().filter(no_entry).filter(|piece| piece.is_smaller() && piece.size() > 0).count();
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

/// Shortens pieces until all of them fit: at each level of detail the index first, then the others by
/// increasing weight.
pub(super) fn shrink(sections: &mut [Section], head: usize, budget: usize) {
    let size = |section: &Section| {
        section.title.len() + RESERVE + section.pieces.iter().map(Piece::size).sum::<usize>()
    };
    let mut now = head + sections.iter().map(size).sum::<usize>();
    let steps = [
        (Keep::Index, Detail::Begin),
        (Keep::Plain, Detail::Begin),
        (Keep::Index, Detail::Header),
        (Keep::Plain, Detail::Header),
        (Keep::Grave, Detail::Begin),
        (Keep::Grave, Detail::Header),
        (Keep::Flagged, Detail::Begin),
        (Keep::Flagged, Detail::Header),
        (Keep::Index, Detail::Counted),
        (Keep::Plain, Detail::Counted),
        (Keep::Grave, Detail::Counted),
        (Keep::Flagged, Detail::Counted),
    ];
    for (weight, level) in steps {
        if now <= budget {
            return;
        }
        let pieces = sections.iter_mut().flat_map(|section| &mut section.pieces).enumerate();
        let mut pieces: Vec<(usize, &mut Piece)> =
            pieces.filter(|(_, piece)| piece.weight == weight).collect();
        pieces.sort_by_key(|(at, piece)| std::cmp::Reverse((piece.order, *at)));
        for (_, piece) in pieces {
            if now <= budget {
                return;
            }
            now -= piece.size();
            piece.level = level;
            now += piece.size();
        }
    }
}
