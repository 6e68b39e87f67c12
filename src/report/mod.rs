//! The document that is made from reviews and comparisons: what is said, in which order, and what is left out.
//!
//! Invariants:
//! - A writer (`terminal`, `markdown`, `page`) chooses the layout and nothing else: it does not compare, sort, group or
//!   filter.
//! - All texts are untrusted, and each writer escapes them for its reader.
//! - Each entry says how it shows the edits of its change ([`Coverage`]).

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

/// The maximum number of findings that the head of a text shows.
pub const VISIBLE_FINDINGS: usize = 40;
/// The maximum number of units that are named where their names are not essential.
const NAMED: usize = 20;
/// The program and its version, which pages and texts name as their origin: `tfview 1.2.3`.
pub const MADE_BY: &str = concat!("tfview ", env!("CARGO_PKG_VERSION"));

/// A document about one or several plans.
#[derive(Clone, Debug, Default)]
pub struct Report<'r> {
    /// The title of a page and the first heading of Markdown.
    pub title: String,
    /// The mark by which a bot finds the text; a comparison has none.
    pub marker: Option<Marker>,
    /// The Markdown that precedes the document.
    pub preface: String,
    /// The verdict about all plans together; `None` for a document about one plan.
    pub total: Option<Headline>,
    /// The part about all units together; `None` for a document about one plan.
    pub units: Option<Units<'r>>,
    /// A remark about the whole document: the configuration that was read, and what no rule looks at.
    pub remark: Option<String>,
    /// The address of the run in the CI system.
    pub run_url: Option<String>,
    /// A part for each plan, in the order in which they were given.
    pub parts: Vec<Part<'r>>,
    /// The indices of `parts`, beginning with the part that needs the most attention.
    pub worst_first: Vec<usize>,
    /// Whether the text is a list, as of a comparison, in which each difference has a line with the address.
    pub is_list: bool,
}

/// The part of a document about one plan.
#[derive(Clone, Debug, Default)]
pub struct Part<'r> {
    /// The name of the unit; `None` if the document is about this plan alone.
    pub name: Option<String>,
    /// The counts and the level.
    pub headline: Headline,
    /// A sentence about what the plan does.
    pub sentence: Option<String>,
    /// Whether the part is left out, because everything in it is said about all units together.
    pub is_left_out: bool,
    /// The row of the plan in the table of units.
    pub row: Row,
    /// The origin of the plan: the tool, the age and the fingerprint.
    pub origin: Origin,
    /// The sentences that a reviewer must know about the plan as a whole.
    pub details: Vec<String>,
    /// The change of the monthly cost of all objects: `cost: + 241 $/month (108 → 348)`. It contains only words of
    /// tfview and numbers, so every format writes it as it is.
    pub cost: Option<String>,
    /// The configuration file that was read, and what other tools and owners say about the plan, a sentence each.
    pub others: Vec<String>,
    /// The gravest findings.
    pub findings: Findings,
    /// The causes of replacements, as a tree.
    pub causes: Option<Causes>,
    /// The checks that did not pass.
    pub checks: Vec<Check>,
    /// The numbers of entries by kind and by level, for the filters of a page.
    pub counts: Vec<Count>,
    /// The modules with changes, each before those that it calls.
    pub modules: Vec<ModuleRow>,
    /// The changes, in sections.
    pub sections: Vec<Section<'r>>,
    /// The outputs that change.
    pub outputs: Option<Outputs<'r>>,
    /// The results of other tools that fit no resource of the plan.
    pub apart: Option<OtherResults>,
    /// The remarks about what was left out, and why.
    pub notes: Vec<String>,
    /// The record of how each edit of the plan is shown.
    pub coverage: Coverage,
}

/// The counts of one or several plans in words, with what makes them grave.
#[derive(Clone, Debug, Default)]
pub struct Headline {
    /// The gravest level of all findings and changes.
    pub level: Level,
    /// Whether the headline begins with the level as a word, as in reviews. Otherwise it begins with the sign of the
    /// level.
    pub names_level: bool,
    /// Whether planning failed, so that there may be more changes than these.
    pub errored: bool,
    /// The names of the plans that failed; empty if the name of the plan is the title.
    pub failed: Vec<String>,
    /// The number of units that are missing because they cannot be read or failed elsewhere, so that there may be more
    /// changes than these.
    pub unread: usize,
    /// The numbers of changes: `1 to destroy, 2 to change`.
    pub changes: String,
    /// The sentences that follow, such as the number of outputs.
    pub additions: Option<String>,
}

impl Headline {
    /// Returns the first sentence: the numbers of changes, and whether there may be more. `name` writes the name of a
    /// plan.
    pub fn lead(&self, name: impl Fn(&str) -> String) -> String {
        /// The maximum number of failed plans that are named.
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

    /// Returns the sentence of the verdict with the additions to it.
    pub fn sentence(&self) -> String {
        let lead = self.lead(one_line);
        match &self.additions {
            Some(additions) => format!("{lead} {additions}"),
            None => lead,
        }
    }
}

/// The numbers of objects of a unit, by what the plan does to them.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitNumbers {
    /// Objects that are destroyed and not created again.
    pub destroyed: usize,
    /// Objects that are destroyed and created again.
    pub replaced: usize,
    /// Objects that are removed from state, but not destroyed.
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
    /// The change of the monthly cost.
    pub cost: Option<String>,
}

/// A number of entries by which a page can be filtered.
#[derive(Clone, Debug)]
pub struct Count {
    /// The number of entries.
    pub number: usize,
    /// The kind or level in words: `to destroy`.
    pub text: &'static str,
    /// The word of the kind or level, which the entries have as an attribute.
    pub word: &'static str,
    /// Whether it counts findings of a level rather than changes of a kind.
    pub is_level: bool,
}

/// A row about a module in the index of a page.
#[derive(Clone, Debug)]
pub struct ModuleRow {
    /// The number of modules around it.
    pub depth: usize,
    /// The last part of the address.
    pub name: String,
    /// The index of its section; `None` for a module that has no changes itself, only in modules in it.
    pub section: Option<usize>,
    /// The numbers of its changes, with those of the modules in it.
    pub counts: String,
}

/// The origin of a plan.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The tool and its version.
    pub tool: Option<String>,
    /// The age of the plan.
    pub time: Option<String>,
    /// The fingerprint of what is to be approved; empty if it was not computed.
    pub fingerprint: String,
}

impl Origin {
    /// Returns the parts of the origin that are known. `data` writes those that come from the plan.
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
    /// The findings that are shown, at least one of each kind and level.
    pub shown: Vec<FindingLine>,
    /// The number of further findings of each level and kind, the gravest first.
    pub more: Vec<FindingCount>,
}

/// The number of findings of one level and kind that are not shown.
#[derive(Clone, Copy, Debug)]
pub struct FindingCount {
    /// The level of these findings.
    pub level: Level,
    /// The kind of these findings: `exposure`.
    pub kind: &'static str,
    /// The number of findings.
    pub number: usize,
}

impl Findings {
    /// Returns the text about the findings that are not shown: `12 more findings: critical 4 exposure; warning 8
    /// unknown`. `None` if all are shown.
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
    /// The level of the finding.
    pub level: Level,
    /// The kind of finding, as a word.
    pub kind: &'static str,
    /// The name of the unit; empty unless the document is about several units.
    pub unit: String,
    /// The addresses of the objects that have it, in short form.
    pub address: String,
    /// The number of the entry to which the finding links; `None` if no entry shows it.
    pub entry: Option<usize>,
    /// The numbers of the entries of all objects that have it.
    pub entries: Vec<usize>,
    /// The number of objects that have it.
    pub number: usize,
    /// The text of the finding, without the objects.
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

    /// Whether the plan is complete, and nothing changes.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.level == Level::None && !self.is_incomplete()
    }

    /// Returns the level as a word: `CRITICAL`. It is `FAILED` if there are no changes so far, but some may be missing.
    pub(crate) fn word(&self) -> &'static str {
        if self.is_incomplete() && self.level == Level::None {
            "FAILED"
        } else {
            self.level.word()
        }
    }

    /// Returns the sign of the level, or that of a failure.
    fn sign(&self) -> &'static str {
        if self.is_incomplete() {
            "✗"
        } else {
            self.level.sign()
        }
    }
}

impl Report<'_> {
    /// Returns the command that prints the whole document.
    fn command(&self) -> &'static str {
        if self.marker.is_some() {
            "tfview review"
        } else {
            "tfview diff"
        }
    }

    /// Returns the number of units in words, for the beginning of a headline: `3 units: `.
    fn number_of_units(&self) -> String {
        let number = self
            .units
            .as_ref()
            .map_or(self.parts.len(), |units| units.number);
        format!("{}: ", count(number, "unit"))
    }

    /// Returns the parts with something of their own to say, with their indices. The part that needs the most attention
    /// comes first.
    fn shown_parts(&self) -> impl Iterator<Item = (usize, &Part<'_>)> {
        let parts = self
            .worst_first
            .iter()
            .filter_map(|index| Some((*index, self.parts.get(*index)?)));
        parts.filter(|(_, part)| !part.is_left_out)
    }
}

impl Part<'_> {
    /// Returns the sentence about changes that the entries neither show, name nor count; `None` if there are none.
    pub fn unreported(&self) -> Option<String> {
        let number = self.coverage.unreported();
        let what = count(number, "change");
        (number > 0)
            .then(|| format!("! {what} could not be shown: `--format json` has all of them"))
    }
}

/// The part of a document about all units together.
#[derive(Clone, Debug, Default)]
pub struct Units<'r> {
    /// The number of units.
    pub number: usize,
    /// The units without a plan, and those whose planning failed.
    pub rows: Vec<UnitRow>,
    /// The names of the units without changes.
    pub unchanged: Vec<String>,
    /// Whether the units without changes are named rather than counted.
    pub names_unchanged: bool,
    /// The gravest findings of all units.
    pub findings: Findings,
    /// The changes that several units have.
    pub shared: Vec<SharedEntry<'r>>,
    /// The number of units that have no other changes.
    pub elsewhere: usize,
}

/// A unit without a plan, or with an incomplete one.
#[derive(Clone, Debug)]
pub struct UnitRow {
    /// The name of the unit.
    pub name: String,
    /// The reason in a phrase by which units are counted: `failed to plan`.
    pub state: &'static str,
    /// The reason with details.
    pub sentence: String,
    /// Whether something failed; otherwise the unit was left out on purpose.
    pub is_failure: bool,
}

/// A change that several units share.
#[derive(Clone, Debug)]
pub struct SharedEntry<'r> {
    /// The entry of the change, for all units.
    pub entry: ReportEntry<'r>,
    /// The objects with the change, by the part that has them.
    pub places: Vec<SharedPlaces>,
}

/// The objects of one part that have a shared change.
#[derive(Clone, Debug)]
pub struct SharedPlaces {
    /// The index of the part.
    pub part: usize,
    /// The indices of the objects among the changed resources of its plan.
    pub indices: Vec<usize>,
}

impl Units<'_> {
    /// Returns the number of units in each state: `1 failed to plan, 2 have no plan, 14 unchanged`. Empty if there are
    /// no such units.
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

    /// Returns the names of the units without changes; `None` if there are none, or if they are only counted.
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

    /// The heading of the changes that several units share.
    pub const SHARED: &'static str = "The same change in several units";

    /// Returns the sentence about the units that have only shared changes; `None` if there are none.
    pub fn elsewhere_sentence(&self) -> Option<String> {
        let have = if self.elsewhere == 1 { "has" } else { "have" };
        (self.elsewhere > 0)
            .then(|| format!("{} {have} no other changes", count(self.elsewhere, "unit")))
    }
}

/// Returns a number with a state, whose verb agrees with the number.
fn plural(number: usize, state: &str) -> String {
    match state.split_once(' ') {
        Some(("was", rest)) if number > 1 => format!("{number} were {rest}"),
        Some(("has", rest)) if number > 1 => format!("{number} have {rest}"),
        Some(_) | None => format!("{number} {state}"),
    }
}

/// Returns the names of units, separated by commas: all of them if what is said about them is grave, otherwise the
/// first 20.
pub fn unit_names(names: &[&str], is_grave: bool) -> String {
    first_of(
        names.iter().map(|name| one_line(name)),
        if is_grave { names.len() } else { NAMED },
    )
}

#[cfg(test)]
mod tests;
