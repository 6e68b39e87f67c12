//! The document that is made from reviews and comparisons: what is said, in which order, and what is left
//! out.
//!
//! Invariants: a writer (`terminal`, `markdown`, `page`) chooses the layout and nothing else: it does
//! not compare, sort, group or filter; all texts are untrusted, and each writer escapes them for its reader;
//! each entry says how it shows the edits of its change ([`Coverage`]).

mod blocks;
mod entry;
mod markdown;
mod marker;
mod page;
mod page_head;
mod parts;
mod rows;
mod terminal;
mod within;

use crate::text::{count, first_of, one_line};

pub use blocks::Budget;
pub use entry::{
    EntryPlaces, EntrySign, OtherResults, Outputs, Priority, ReportEntry, ResultLine, Section,
    Source, Title, UpstreamText,
};
pub use markdown::{markdown, markdown_title};
pub use marker::Marker;
pub use page::{PageOptions, page, page_part};
pub use parts::{Coverage, EntryAccount, Level, Line, Mark, SectionKind, Shown, Sign, Span, Tone};
pub use rows::RowWriter;
pub use terminal::{Layout, styled_terminal, terminal};
pub use within::terminal_within;

/// A text has no more findings.
pub const VISIBLE_FINDINGS: usize = 40;
/// The maximum number of units that are named where they are not needed.
const NAMED: usize = 20;
pub const MADE_BY: &str = concat!("tfview ", env!("CARGO_PKG_VERSION"));

#[derive(Clone, Debug, Default)]
pub struct Report<'r> {
    pub title: String,
    /// A comparison has none.
    pub marker: Option<Marker>,
    /// Markdown that comes first.
    pub preface: String,
    pub total: Option<Headline>,
    pub units: Option<Units<'r>>,
    pub remark: Option<String>,
    pub run_url: Option<String>,
    pub parts: Vec<Part<'r>>,
    pub worst_first: Vec<usize>,
    /// In a text about a comparison, each line of an entry is on one line.
    pub is_list: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Part<'r> {
    pub name: Option<String>,
    pub headline: Headline,
    /// What the plan does, in words.
    pub sentence: Option<String>,
    /// Nothing in the part is not said of all units.
    pub is_left_out: bool,
    pub row: Row,
    pub origin: Origin,
    pub details: Vec<String>,
    /// The configuration file that was read; what other tools and owners say about the plan, and the cost.
    pub others: Vec<String>,
    pub findings: Findings,
    pub causes: Option<Causes>,
    pub checks: Vec<Check>,
    pub counts: Vec<Count>,
    /// Each module is before those that it calls.
    pub modules: Vec<ModuleRow>,
    pub sections: Vec<Section<'r>>,
    pub outputs: Option<Outputs<'r>>,
    pub apart: Option<OtherResults>,
    pub notes: Vec<String>,
    pub coverage: Coverage,
}

#[derive(Clone, Debug, Default)]
pub struct Headline {
    pub level: Level,
    /// Begins with the level as a word, as reviews do; otherwise with its sign.
    pub names_level: bool,
    pub errored: bool,
    /// Empty where the name of the plan is the title.
    pub failed: Vec<String>,
    pub changes: String,
    pub additions: Option<String>,
}

impl Headline {
    /// `name` writes the names of plans.
    pub fn lead(&self, name: impl Fn(&str) -> String) -> String {
        const NAMED: usize = 5;
        if !self.errored {
            return format!("{}.", self.changes);
        }
        let names = first_of(self.failed.iter().map(|plan| name(plan)), NAMED);
        let colon = if names.is_empty() { "" } else { ": " };
        format!("PLANNING FAILED{colon}{names}. So far: {}.", self.changes)
    }

    pub fn sentence(&self) -> String {
        let lead = self.lead(one_line);
        match &self.additions {
            Some(additions) => format!("{lead} {additions}"),
            None => lead,
        }
    }
}

/// How many objects of a unit a plan destroys, and so on.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitNumbers {
    pub destroyed: usize,
    pub replaced: usize,
    pub forgotten: usize,
    pub changed: usize,
    pub created: usize,
}

impl UnitNumbers {
    /// In the order of the columns of a table.
    pub(crate) fn in_order(self) -> [usize; 5] {
        let Self {
            destroyed,
            replaced,
            forgotten,
            changed,
            created,
        } = self;
        [destroyed, replaced, forgotten, changed, created]
    }
}

/// The row of a unit in the table of units.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub name: String,
    pub numbers: UnitNumbers,
    pub findings: String,
    pub cost: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Count {
    pub number: usize,
    pub text: &'static str,
    pub word: &'static str,
    pub is_level: bool,
}

#[derive(Clone, Debug)]
pub struct ModuleRow {
    pub depth: usize,
    /// The last part of the address.
    pub name: String,
    pub section: Option<usize>,
    pub counts: String,
}

#[derive(Clone, Debug, Default)]
pub struct Origin {
    pub tool: Option<String>,
    pub time: Option<String>,
    pub fingerprint: String,
}

impl Origin {
    /// `data` writes what is from the plan.
    fn words(&self, with_fingerprint: bool, data: impl Fn(&str) -> String) -> Vec<String> {
        let mut words: Vec<String> = self
            .tool
            .iter()
            .chain(&self.time)
            .map(|word| data(word))
            .collect();
        if with_fingerprint && !self.fingerprint.is_empty() {
            words.push(format!("fingerprint {}", data(&self.fingerprint)));
        }
        words
    }
}

#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// There is at least one of each kind and level.
    pub shown: Vec<FindingLine>,
    pub more: Vec<(Level, &'static str, usize)>,
}

impl Findings {
    /// `12 more findings: critical 4 exposure; warning 8 unknown`.
    pub fn rest(&self) -> Option<String> {
        let number: usize = self.more.iter().map(|(.., number)| number).sum();
        let mut words = String::new();
        for group in self
            .more
            .chunk_by(|(level, ..), (other, ..)| level == other)
        {
            let kinds = group
                .iter()
                .map(|(_, kind, number)| format!("{number} {kind}"));
            let level = group.first().map_or("", |(level, ..)| level.name());
            let separator = if words.is_empty() { "" } else { "; " };
            words.push_str(&format!(
                "{separator}{level} {}",
                kinds.collect::<Vec<_>>().join(", ")
            ));
        }
        (number > 0).then(|| format!("{}: {words}", count(number, "more finding")))
    }
}

#[derive(Clone, Debug)]
pub struct FindingLine {
    pub level: Level,
    pub kind: &'static str,
    /// Empty unless the document is about several units.
    pub unit: String,
    pub address: String,
    pub entry: Option<usize>,
    pub entries: Vec<usize>,
    pub number: usize,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Causes {
    pub title: String,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug)]
pub struct Check {
    pub is_failure: bool,
    pub text: String,
}

impl Headline {
    /// The level as a word.
    fn word(&self) -> &'static str {
        if self.errored && self.level == Level::None {
            "FAILED"
        } else {
            self.level.word()
        }
    }

    fn sign(&self) -> &'static str {
        if self.errored {
            "✗"
        } else {
            self.level.sign()
        }
    }
}

impl Report<'_> {
    fn command(&self) -> &'static str {
        if self.marker.is_some() {
            "tfview review"
        } else {
            "tfview diff"
        }
    }

    /// `3 units: `.
    fn number_of_units(&self) -> String {
        let number = self
            .units
            .as_ref()
            .map_or(self.parts.len(), |units| units.number);
        format!("{}: ", count(number, "unit"))
    }

    /// Plans with something of their own to say, the most severe first.
    fn shown_parts(&self) -> impl Iterator<Item = (usize, &Part<'_>)> {
        let parts = self
            .worst_first
            .iter()
            .filter_map(|at| Some((*at, self.parts.get(*at)?)));
        parts.filter(|(_, part)| !part.is_left_out)
    }
}

impl Part<'_> {
    /// The sentence is about changes that the entries do not show, name or count.
    pub fn unreported(&self) -> Option<String> {
        let number = self.coverage.unreported();
        let what = count(number, "change");
        (number > 0)
            .then(|| format!("! {what} could not be shown: `--format json` has all of them"))
    }
}

#[derive(Clone, Debug, Default)]
pub struct Units<'r> {
    pub number: usize,
    pub rows: Vec<UnitRow>,
    pub unchanged: Vec<String>,
    pub names_unchanged: bool,
    pub findings: Findings,
    pub shared: Vec<SharedEntry<'r>>,
    /// The number of units that have no other changes.
    pub elsewhere: usize,
}

#[derive(Clone, Debug)]
pub struct UnitRow {
    pub name: String,
    pub state: &'static str,
    pub sentence: String,
    pub is_failure: bool,
}

#[derive(Clone, Debug)]
pub struct SharedEntry<'r> {
    pub entry: ReportEntry<'r>,
    pub places: Vec<(usize, Vec<usize>)>,
}

impl Units<'_> {
    pub fn states(&self) -> String {
        let mut states: Vec<(usize, &str)> = Vec::new();
        for row in &self.rows {
            match states.iter_mut().find(|(_, state)| *state == row.state) {
                Some((number, _)) => *number += 1,
                None => states.push((1, row.state)),
            }
        }
        states.push((self.unchanged.len(), "unchanged"));
        let words = states.into_iter().filter(|(number, _)| *number > 0);
        words
            .map(|(number, state)| plural(number, state))
            .collect::<Vec<_>>()
            .join(", ")
    }

    pub fn unchanged_names(&self) -> Option<String> {
        let names = || {
            self.unchanged
                .iter()
                .map(|name| one_line(name))
                .collect::<Vec<_>>()
                .join(", ")
        };
        (self.names_unchanged && !self.unchanged.is_empty())
            .then(|| format!("unchanged: {}", names()))
    }

    pub const SHARED: &'static str = "The same change in several units";

    pub fn elsewhere_sentence(&self) -> Option<String> {
        let have = if self.elsewhere == 1 { "has" } else { "have" };
        (self.elsewhere > 0)
            .then(|| format!("{} {have} no other changes", count(self.elsewhere, "unit")))
    }
}

fn plural(number: usize, state: &str) -> String {
    match state.split_once(' ') {
        Some(("was", rest)) if number > 1 => format!("{number} were {rest}"),
        Some(("has", rest)) if number > 1 => format!("{number} have {rest}"),
        Some(_) | None => format!("{number} {state}"),
    }
}

pub fn unit_names(names: &[&str], is_grave: bool) -> String {
    first_of(
        names.iter().map(|name| one_line(name)),
        if is_grave { names.len() } else { NAMED },
    )
}

#[cfg(test)]
mod tests;
