//! The document that is made from reviews and comparisons: what is said, in which order, and what is left out.
//!
//! `review` and `compare` build a [`Report`]; [`terminal`], [`markdown`] and [`page`] write it. Invariants: a writer chooses
//! the layout and nothing else: it does not compare, sort, group or filter; all texts are untrusted, and each
//! writer escapes them for its reader; each entry says how it shows the edits of its change ([`Coverage`]).
//! Something new that all formats show is a member of the document.

mod blocks;
mod entry;
mod markdown;
mod page;
mod page_head;
mod parts;
mod table;
mod terminal;
mod within;

use crate::text::{count, first_of, one_line};

pub use blocks::Budget;
pub use entry::{
    Entry, EntryFinding, EntryFindings, EntryText, OtherResults, Outputs, Priority, ResultLine, Section,
    Source, Title,
};
pub use markdown::markdown;
pub use page::{PageOptions, page, page_part};
pub use parts::{Coverage, EntryAccount, Level, Line, SectionKind, Shown, Sign, Span, Tone};
pub use terminal::{Layout, terminal};
pub use within::terminal_within;

/// The number of findings that the head of a page shows unopened. A text has no more.
pub const VISIBLE_FINDINGS: usize = 40;
/// The maximum number of units that are named where they are not needed.
const NAMED: usize = 20;
/// The program and its release, for the end of a document.
pub const MADE_BY: &str = concat!("tfview ", env!("CARGO_PKG_VERSION"));

/// A document about one or several plans, or about a comparison.
#[derive(Clone, Debug, Default)]
pub struct Report<'r> {
    /// The title.
    pub title: String,
    /// The name of the plan by which a bot finds its previous text, empty for several plans; a comparison has none.
    pub marker: Option<String>,
    /// The verdict on all plans together, if there are several.
    pub total: Option<Headline>,
    /// What there is to say of all units, if there are several.
    pub units: Option<Units<'r>>,
    /// A remark about the whole document.
    pub remark: Option<String>,
    /// The web address of the run that makes the document.
    pub run_url: Option<String>,
    /// The plans, in the order given.
    pub parts: Vec<Part<'r>>,
    /// The indices of the plans, the most severe first.
    pub worst_first: Vec<usize>,
    /// Whether each entry is on one line, without the lines of its edits; in a text about a comparison, each of its lines.
    pub is_list: bool,
}

/// The part about one plan.
#[derive(Clone, Debug, Default)]
pub struct Part<'r> {
    /// The name of the plan, if there are several.
    pub name: Option<String>,
    /// The verdict.
    pub headline: Headline,
    /// Whether there is nothing in it that is not said of all units.
    pub is_left_out: bool,
    /// The numbers of the plan in a table of plans.
    pub row: Row,
    /// The numbers of objects by type.
    pub types: Vec<String>,
    /// The tool and the time of the plan.
    pub origin: Origin,
    /// What the plan is: how it was made, the variables.
    pub details: Vec<String>,
    /// The configuration file that was read; what other tools and owners say about the plan, and the cost.
    pub others: Vec<String>,
    /// What a reviewer should notice.
    pub findings: Findings,
    /// Why objects are replaced.
    pub causes: Option<Causes>,
    /// The results of checks.
    pub checks: Vec<Check>,
    /// The numbers of changes by action and of findings by level.
    pub counts: Vec<Count>,
    /// The modules, as a tree: each before those that it calls.
    pub modules: Vec<ModuleRow>,
    /// The entries, below titles.
    pub sections: Vec<Section<'r>>,
    /// The outputs, if any change and they are shown.
    pub outputs: Option<Outputs<'r>>,
    /// Results of other tools that are about no entry.
    pub apart: Option<OtherResults>,
    /// Remarks, and counts of what is not shown.
    pub notes: Vec<String>,
    /// How the edits of the plan are shown.
    pub coverage: Coverage,
}

/// A verdict in words.
#[derive(Clone, Debug, Default)]
pub struct Headline {
    /// How grave it is.
    pub level: Level,
    /// Whether planning failed.
    pub errored: bool,
    /// The names of plans whose planning failed; none where the name is the title.
    pub failed: Vec<String>,
    /// The numbers of changes to resources.
    pub changes: String,
    /// Everything else, as a sentence.
    pub additions: Option<String>,
}

impl Headline {
    /// The first sentence, with names of plans as `name` writes them.
    pub fn lead(&self, name: impl Fn(&str) -> String) -> String {
        const NAMED: usize = 5;
        if !self.errored {
            return format!("{}.", self.changes);
        }
        let names = first_of(self.failed.iter().map(|plan| name(plan)), NAMED);
        let colon = if names.is_empty() { "" } else { ": " };
        format!("PLANNING FAILED{colon}{names}. So far: {}.", self.changes)
    }

    /// The verdict for `number` plans on one line.
    pub fn sentence(&self) -> String {
        let lead = self.lead(one_line);
        match &self.additions {
            Some(additions) => format!("{lead} {additions}"),
            None => lead,
        }
    }
}

/// The numbers of a plan, as a row of a table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The name of the plan.
    pub name: String,
    /// The numbers to destroy, replace, forget, change and create.
    pub numbers: [usize; 5],
    /// The kinds of its findings.
    pub findings: String,
    /// The difference of its cost.
    pub cost: Option<String>,
}

/// A number of changes or findings that have something in common.
#[derive(Clone, Debug)]
pub struct Count {
    /// The number.
    pub number: usize,
    /// What they have in common.
    pub text: &'static str,
    /// The action or the level in a word.
    pub word: &'static str,
    /// Whether they are findings, counted by level.
    pub is_level: bool,
}

/// A module in the index of a page.
#[derive(Clone, Debug)]
pub struct ModuleRow {
    /// The number of modules around it.
    pub depth: usize,
    /// Its call: the last part of its address.
    pub name: String,
    /// The index of the section of its changes, if it has one.
    pub section: Option<usize>,
    /// The numbers of changes in it and the modules that it calls.
    pub counts: String,
}

/// The tool that made a plan, and its time.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The tool and its release.
    pub tool: Option<String>,
    /// The time.
    pub time: Option<String>,
    /// The hash of the plan; may be empty.
    pub fingerprint: String,
}

impl Origin {
    /// The tool and the time, and perhaps the fingerprint, in words. `data` writes what is from the plan.
    fn words(&self, with_fingerprint: bool, data: impl Fn(&str) -> String) -> Vec<String> {
        let mut words: Vec<String> = self.tool.iter().chain(&self.time).map(|word| data(word)).collect();
        if with_fingerprint && !self.fingerprint.is_empty() {
            words.push(format!("fingerprint {}", data(&self.fingerprint)));
        }
        words
    }
}

/// The first findings in rank order, and the others in numbers.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The first ones, and at least one of each kind and level.
    pub shown: Vec<FindingLine>,
    /// The number of the others, by level and kind.
    pub more: Vec<(Level, &'static str, usize)>,
}

impl Findings {
    /// The words for the findings that are not shown: `12 more findings: critical 4 exposure; warning 8 unknown`.
    pub fn rest(&self) -> Option<String> {
        let number: usize = self.more.iter().map(|(.., number)| number).sum();
        let mut words = String::new();
        for group in self.more.chunk_by(|(level, ..), (other, ..)| level == other) {
            let kinds = group.iter().map(|(_, kind, number)| format!("{number} {kind}"));
            let level = group.first().map_or("", |(level, ..)| level.name());
            let separator = if words.is_empty() { "" } else { "; " };
            words.push_str(&format!("{separator}{level} {}", kinds.collect::<Vec<_>>().join(", ")));
        }
        (number > 0).then(|| format!("{}: {words}", count(number, "more finding")))
    }
}

/// A finding in the head.
#[derive(Clone, Debug)]
pub struct FindingLine {
    /// How grave it is.
    pub level: Level,
    /// The name of its kind.
    pub kind: &'static str,
    /// The unit or the number of units, in the head of a document about several; otherwise empty.
    pub unit: String,
    /// The address of the object, or the addresses of all objects in short.
    pub address: String,
    /// The number of the entry on a page, if it has one.
    pub entry: Option<usize>,
    /// The numbers of the entries of all its objects.
    pub entries: Vec<usize>,
    /// The number of its objects.
    pub number: usize,
    /// The finding in words.
    pub text: String,
}

/// The tree of the causes of replacements.
#[derive(Clone, Debug)]
pub struct Causes {
    /// The title.
    pub title: String,
    /// The trees.
    pub lines: Vec<Line>,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Check {
    /// Whether it failed, rather than being unknown until apply.
    pub is_failure: bool,
    /// The result in words.
    pub text: String,
}

impl Headline {
    /// The sign of the verdict.
    fn sign(&self) -> &'static str {
        if self.errored { "✗" } else { self.level.sign() }
    }
}

impl Report<'_> {
    /// The command that prints all of it.
    fn command(&self) -> &'static str {
        if self.marker.is_some() { "tfview review" } else { "tfview diff" }
    }

    /// The number of units, for the verdict on all of them: `3 units: `.
    fn number_of_units(&self) -> String {
        let number = self.units.as_ref().map_or(self.parts.len(), |units| units.number);
        format!("{}: ", count(number, "unit"))
    }

    /// The plans with something of their own to say, with their indices, the most severe first.
    fn shown_parts(&self) -> impl Iterator<Item = (usize, &Part<'_>)> {
        let parts = self.worst_first.iter().filter_map(|at| Some((*at, self.parts.get(*at)?)));
        parts.filter(|(_, part)| !part.is_left_out)
    }
}

impl Part<'_> {
    /// The sentence about changes that the entries do not show, name or count.
    pub fn unreported(&self) -> Option<String> {
        let number = self.coverage.unreported();
        let what = count(number, "change");
        (number > 0).then(|| format!("! {what} could not be shown: `--format json` has all of them"))
    }
}

/// What a document says of all units together.
#[derive(Clone, Debug, Default)]
pub struct Units<'r> {
    /// The number of units, with those that have no plan.
    pub number: usize,
    /// Units without a plan or whose planning failed, the gravest first.
    pub rows: Vec<UnitRow>,
    /// Units of which nothing changes.
    pub unchanged: Vec<String>,
    /// Whether these are named.
    pub names_unchanged: bool,
    /// The first findings of all units.
    pub findings: Findings,
    /// Changes that several units have.
    pub shared: Vec<SharedEntry<'r>>,
    /// The number of units that have no other changes.
    pub elsewhere: usize,
}

/// A unit without a plan.
#[derive(Clone, Debug)]
pub struct UnitRow {
    /// The name.
    pub name: String,
    /// What is the matter with it, in a word or two.
    pub state: &'static str,
    /// The same, with the reason.
    pub sentence: String,
    /// Whether it is a failure.
    pub is_failure: bool,
}

/// A change that several units have.
#[derive(Clone, Debug)]
pub struct SharedEntry<'r> {
    /// The change, as the first of them has it.
    pub entry: Entry<'r>,
    /// For each unit, the index of its part, and the places of the change in it.
    pub places: Vec<(usize, Vec<usize>)>,
}

impl Units<'_> {
    /// The numbers of units of each state, in words.
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
        words.map(|(number, state)| plural(number, state)).collect::<Vec<_>>().join(", ")
    }

    /// The names of unchanged units, if they are requested.
    pub fn unchanged_names(&self) -> Option<String> {
        let names = || self.unchanged.iter().map(|name| one_line(name)).collect::<Vec<_>>().join(", ");
        (self.names_unchanged && !self.unchanged.is_empty()).then(|| format!("unchanged: {}", names()))
    }

    /// The title of the changes that several units have.
    pub const SHARED: &'static str = "The same change in several units";

    /// The sentence about units without further changes.
    pub fn elsewhere_sentence(&self) -> Option<String> {
        let have = if self.elsewhere == 1 { "has" } else { "have" };
        (self.elsewhere > 0).then(|| format!("{} {have} no other changes", count(self.elsewhere, "unit")))
    }
}

/// A number of units with a state.
fn plural(number: usize, state: &str) -> String {
    match state.split_once(' ') {
        Some(("was", rest)) if number > 1 => format!("{number} were {rest}"),
        Some(("has", rest)) if number > 1 => format!("{number} have {rest}"),
        Some(_) | None => format!("{number} {state}"),
    }
}

/// The names of units, on one line; all of them if `is_grave`.
pub fn unit_names(names: &[&str], is_grave: bool) -> String {
    first_of(names.iter().map(|name| one_line(name)), if is_grave { names.len() } else { NAMED })
}

#[cfg(test)]
mod tests;
