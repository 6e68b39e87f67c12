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
    SourceLink, Title, UpstreamText,
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
/// The program and its version, as pages and texts name their origin: `tfview 1.2.3`.
pub const MADE_BY: &str = concat!("tfview ", env!("CARGO_PKG_VERSION"));

/// A document about one or several plans.
#[derive(Clone, Debug, Default)]
pub struct Report<'r> {
    /// The title of a page and the first heading of Markdown.
    pub title: String,
    /// A comparison has none.
    pub marker: Option<Marker>,
    /// Markdown that comes first.
    pub preface: String,
    /// The sum of all plans; `None` for a document about one.
    pub total: Option<Headline>,
    /// What is said about all units together; `None` for a document about one plan.
    pub units: Option<Units<'r>>,
    /// The configuration that was read, and what no rule looks at.
    pub remark: Option<String>,
    /// The page of the run in the CI system.
    pub run_url: Option<String>,
    /// A part for each plan, in the order in which they were given.
    pub parts: Vec<Part<'r>>,
    /// The indices of `parts`, the one that needs the most attention first.
    pub worst_first: Vec<usize>,
    /// In a text about a comparison, each line of an entry is on one line.
    pub is_list: bool,
}

/// What a document says about one plan.
#[derive(Clone, Debug, Default)]
pub struct Part<'r> {
    /// The name of the unit; `None` if the document is about this plan alone.
    pub name: Option<String>,
    /// The counts and the level.
    pub headline: Headline,
    /// What the plan does, in words.
    pub sentence: Option<String>,
    /// Nothing in the part is not said of all units.
    pub is_left_out: bool,
    /// Its row in the table of units.
    pub row: Row,
    /// The tool, the age and the fingerprint.
    pub origin: Origin,
    /// What a reviewer has to know about the plan as a whole, a sentence each.
    pub details: Vec<String>,
    /// The change of what all objects cost in a month: `cost: + 241 $/month (108 → 348)`. It has only our own words and
    /// numbers, so that every format writes it as it is.
    pub cost: Option<String>,
    /// The configuration file that was read; what other tools and owners say about the plan.
    pub others: Vec<String>,
    /// The gravest findings.
    pub findings: Findings,
    /// What leads to replacements, as a tree.
    pub causes: Option<Causes>,
    /// The checks that did not pass.
    pub checks: Vec<Check>,
    /// The numbers of entries by kind and level, for the filters of a page.
    pub counts: Vec<Count>,
    /// Each module is before those that it calls.
    pub modules: Vec<ModuleRow>,
    /// The changes.
    pub sections: Vec<Section<'r>>,
    /// The outputs that change.
    pub outputs: Option<Outputs<'r>>,
    /// Results of other tools that fit no resource of the plan.
    pub apart: Option<OtherResults>,
    /// What was left out and why, a remark each.
    pub notes: Vec<String>,
    /// How each edit of the plan is shown.
    pub coverage: Coverage,
}

/// The counts of one or several plans in words, with what makes them grave.
#[derive(Clone, Debug, Default)]
pub struct Headline {
    /// The worst of all findings and changes.
    pub level: Level,
    /// Begins with the level as a word, as reviews do; otherwise with its sign.
    pub names_level: bool,
    /// Planning failed, so there may be more changes than these.
    pub errored: bool,
    /// Empty where the name of the plan is the title.
    pub failed: Vec<String>,
    /// The number of units that are missing because they cannot be read or failed elsewhere, so that there may be more
    /// changes than these.
    pub unread: usize,
    /// The numbers of changes: `1 to destroy, 2 to change`.
    pub changes: String,
    /// What follows them as a sentence, such as the number of outputs.
    pub additions: Option<String>,
}

impl Headline {
    /// `name` writes the names of plans.
    pub fn lead(&self, name: impl Fn(&str) -> String) -> String {
        const NAMED: usize = 5;
        if !self.errored {
            return match self.unread {
                0 => format!("{}.", self.changes),
                number => {
                    let units = count(number, "unit");
                    format!("{units} not reviewed. The others: {}.", self.changes)
                }
            };
        }
        let names = first_of(self.failed.iter().map(|plan| name(plan)), NAMED);
        let colon = if names.is_empty() { "" } else { ": " };
        format!("PLANNING FAILED{colon}{names}. So far: {}.", self.changes)
    }

    /// Returns the sentence of the verdict, with what is added to it.
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
    /// Objects that are destroyed and not created again.
    pub destroyed: usize,
    /// Objects that are destroyed and created again.
    pub replaced: usize,
    /// Objects that are removed from the state, and stay.
    pub forgotten: usize,
    /// Objects that change in place.
    pub changed: usize,
    /// Objects that are created, without replacements.
    pub created: usize,
}

impl UnitNumbers {
    /// Returns the numbers in the order of the columns of a table.
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
    /// The name of the unit.
    pub name: String,
    /// The numbers of objects by what happens to them.
    pub numbers: UnitNumbers,
    /// The kinds of its findings, separated by commas.
    pub findings: String,
    /// What it costs more or less in a month.
    pub cost: Option<String>,
}

/// A number of entries by which a page can be filtered.
#[derive(Clone, Debug)]
pub struct Count {
    /// How many entries there are.
    pub number: usize,
    /// What is counted, in words: `to destroy`.
    pub text: &'static str,
    /// The word of the kind or level, which entries have as an attribute.
    pub word: &'static str,
    /// Whether it counts findings of a level rather than changes of a kind.
    pub is_level: bool,
}

/// A module in the index of a page.
#[derive(Clone, Debug)]
pub struct ModuleRow {
    /// The number of modules around it.
    pub depth: usize,
    /// The last part of the address.
    pub name: String,
    /// The index of its section; `None` for one that only contains others.
    pub section: Option<usize>,
    /// The numbers of its changes, with those of the modules in it.
    pub counts: String,
}

/// Where a plan comes from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The tool and its version.
    pub tool: Option<String>,
    /// The age of the plan.
    pub time: Option<String>,
    /// The fingerprint of what is to be approved; empty if none was computed.
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

/// The findings in the head of a document.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// There is at least one of each kind and level.
    pub shown: Vec<FindingLine>,
    /// How many more there are of each level and kind, the gravest first.
    pub more: Vec<FindingCount>,
}

/// How many findings of one level and kind are not shown.
#[derive(Clone, Copy, Debug)]
pub struct FindingCount {
    /// The level of these findings.
    pub level: Level,
    /// The kind of these findings: `exposure`.
    pub kind: &'static str,
    /// How many there are.
    pub number: usize,
}

impl Findings {
    /// `12 more findings: critical 4 exposure; warning 8 unknown`.
    pub fn rest(&self) -> Option<String> {
        let number: usize = self.more.iter().map(|count| count.number).sum();
        let mut words = String::new();
        for group in self.more.chunk_by(|one, other| one.level == other.level) {
            let kinds = group
                .iter()
                .map(|FindingCount { kind, number, .. }| format!("{number} {kind}"));
            let level = group.first().map_or("", |count| count.level.name());
            let separator = if words.is_empty() { "" } else { "; " };
            words.push_str(&format!(
                "{separator}{level} {}",
                kinds.collect::<Vec<_>>().join(", ")
            ));
        }
        (number > 0).then(|| format!("{}: {words}", count(number, "more finding")))
    }
}

/// A finding in the head of a document.
#[derive(Clone, Debug)]
pub struct FindingLine {
    /// How grave it is.
    pub level: Level,
    /// Its kind, as a word.
    pub kind: &'static str,
    /// Empty unless the document is about several units.
    pub unit: String,
    /// The objects that have it, in short.
    pub address: String,
    /// The number of the entry to which it links; `None` if no entry shows it.
    pub entry: Option<usize>,
    /// The numbers of the entries of all objects that have it.
    pub entries: Vec<usize>,
    /// How many objects have it.
    pub number: usize,
    /// What it says, without the objects.
    pub text: String,
}

/// The tree of causes of a plan.
#[derive(Clone, Debug)]
pub struct Causes {
    /// The numbers of replacements and causes: `3 replaced, 1 cause`.
    pub title: String,
    /// The tree, one cause or change on each line; the depth of a line is its depth in the tree.
    pub lines: Vec<Line>,
}

/// A check that did not pass.
#[derive(Clone, Debug)]
pub struct Check {
    /// Whether the check failed; otherwise its result is not known yet.
    pub is_failure: bool,
    /// The check, its status and its messages, which may have several lines.
    pub text: String,
}

impl Headline {
    /// Whether there may be more changes than are known.
    pub fn is_incomplete(&self) -> bool {
        self.errored || self.unread > 0
    }

    /// Whether nothing changes, as far as is known, and all is known.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.level == Level::None && !self.is_incomplete()
    }

    /// Returns the level as a word: `CRITICAL`; `FAILED` if something is missing from what is otherwise no change.
    pub(crate) fn word(&self) -> &'static str {
        if self.is_incomplete() && self.level == Level::None {
            "FAILED"
        } else {
            self.level.word()
        }
    }

    fn sign(&self) -> &'static str {
        if self.is_incomplete() {
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
            .filter_map(|index| Some((*index, self.parts.get(*index)?)));
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

/// What is said about all units together.
#[derive(Clone, Debug, Default)]
pub struct Units<'r> {
    /// How many units there are.
    pub number: usize,
    /// The units without a plan and those whose planning failed.
    pub rows: Vec<UnitRow>,
    /// The names of the units without changes.
    pub unchanged: Vec<String>,
    /// Whether they are named rather than counted.
    pub names_unchanged: bool,
    /// The gravest findings of all units.
    pub findings: Findings,
    /// The changes that several units have.
    pub shared: Vec<SharedEntry<'r>>,
    /// The number of units that have no other changes.
    pub elsewhere: usize,
}

/// A unit that has no plan, or an incomplete one.
#[derive(Clone, Debug)]
pub struct UnitRow {
    /// The name of the unit.
    pub name: String,
    /// Why, in a word by which units are counted: `failed to plan`.
    pub state: &'static str,
    /// Why, with details.
    pub sentence: String,
    /// Whether something failed; otherwise the unit was left out on purpose.
    pub is_failure: bool,
}

/// A change that several units have.
#[derive(Clone, Debug)]
pub struct SharedEntry<'r> {
    /// The change, as it is said for all units.
    pub entry: ReportEntry<'r>,
    /// Where its objects are, one for each part that has it.
    pub places: Vec<SharedPlaces>,
}

/// The objects of one part that have a shared change.
#[derive(Clone, Debug)]
pub struct SharedPlaces {
    /// The index of the part.
    pub part: usize,
    /// The indices of the objects in the changed resources of its plan.
    pub indices: Vec<usize>,
}

impl Units<'_> {
    /// Returns how many units have each state: `1 failed to plan, 2 have no plan, 14 unchanged`.
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

    /// Returns the names of the units without changes; `None` if there are none, or they are only counted.
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

    /// The heading of the changes that several units have.
    pub const SHARED: &'static str = "The same change in several units";

    /// Returns how many units have no changes but shared ones; `None` if there are none.
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

/// Returns the names of units, separated by commas: all if what is said of them is grave, otherwise the first 20.
pub fn unit_names(names: &[&str], is_grave: bool) -> String {
    first_of(
        names.iter().map(|name| one_line(name)),
        if is_grave { names.len() } else { NAMED },
    )
}

#[cfg(test)]
mod tests;
