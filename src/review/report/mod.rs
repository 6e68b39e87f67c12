//! Builds the document that the text formats write: its order, its groups, its counts, and what it leaves out.
//!
//! ```text
//! PlanReview { changes, findings, groups, … }
//!
//! Report { parts: [Part { headline, findings, sections: [Section { title, entries: [ReportEntry { … }] }] }], … }
//! ```
//!
//! Invariant: each edit of each entry is recorded in the [`Coverage`] as shown, named or counted.

mod actions;
mod compose;
mod composed;
mod computed;
mod entries;
mod finding_lines;
mod groups;
mod head;
mod in_state;
mod nesting;
mod others;
mod rename_pairs;
mod renames;
mod tables;
mod title_width;
mod units;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use self::computed::Computed;
use self::groups::{EntryGroup, Selection};
use super::entry::{FindingKind, Level, PlanFinding};
use super::plan::PlanReview;
use super::text::cause_tree;
use super::{ChangeKind, Options, Problem, Verdict, count, one_line, shape};
use crate::render::PlanTexts;
use crate::report::{
    self, Check, Coverage, Marker, Part, Report, Row, Section, SectionKind, Title,
};
use crate::text::{first_of, nonzero};

/// The maximum number of findings in the head of a text.
const MAX_FINDINGS: usize = 12;
/// The maximum number of results of other tools for an entry.
const MAX_OF_ENTRY: usize = 10;
/// The maximum number of results of other tools that are about no entry.
const MAX_APART: usize = 50;
/// The maximum number of findings and of results on a page, where the limits of texts do not apply.
const MAX_ON_PAGE: usize = 1_000;
/// The maximum number of results of other tools for all entries of a page together, unless each entry has few. The
/// results about a block are repeated for each of its instances.
const MAX_OF_ENTRIES: usize = 50_000;

/// The maximum number of keys in a row of a table.
const MAX_ROW_KEYS: usize = 6;
/// The maximum number of resources for which a page has the lines of all entries. With more, entries without findings
/// have only the tool's text.
const MAX_WITH_LINES: usize = 5_000;
/// The `order` of all entries that are not about resources, which are shortened first.
const AFTER_RESOURCES: usize = usize::MAX;

/// Builds the document of reviews. With `texts`, it is for a page, on which a group contains the entries of its
/// objects.
pub(super) fn report<'r>(
    reviews: &'r [PlanReview<'_>],
    texts: Option<&'r [PlanTexts]>,
    options: &Options,
) -> Report<'r> {
    let is_one = reviews.len() == 1 && options.absent.is_empty();
    let has_found = reviews
        .iter()
        .any(|review| review.findings.iter().any(PlanFinding::is_found));
    let config = options.config.as_ref().map(|name| {
        let effect = if has_found {
            " (its findings do not change the level)"
        } else {
            ""
        };
        one_line(&format!("configuration {name}{effect}"))
    });
    let mut numbers = 0;
    let mut parts = Vec::with_capacity(reviews.len());
    for (index, review) in reviews.iter().enumerate() {
        let edits = |kind| {
            review
                .changes
                .list(kind)
                .iter()
                .map(|entry| entry.shown_edits.len())
                .collect()
        };
        let mut builder = PartBuilder {
            review,
            texts: texts.and_then(|texts| texts.get(index)),
            options,
            coverage: Coverage::new(SectionKind::ALL.map(edits)),
            numbers,
            by_address: HashMap::new(),
            is_one,
            computed: Computed::default(),
            created_values: 0,
        };
        let own_config = config.clone().filter(|_| is_one && texts.is_none());
        let part = builder.part((!is_one).then(|| review.title().to_owned()), own_config);
        numbers = builder.numbers;
        parts.push(Part {
            coverage: builder.coverage,
            ..part
        });
    }
    let units = (!is_one).then(|| units::units(&mut parts, reviews, options, texts.is_some()));
    let (title, name) = match reviews {
        [only] if is_one => (format!("Review of {}", only.name), &*only.name),
        _ => {
            let number = reviews.len() + options.absent.len();
            (format!("Review of {}", count(number, "unit")), "")
        }
    };
    Report {
        title,
        marker: Some(Marker {
            name: name.to_owned(),
            identity: options.identity.clone(),
        }),
        preface: options.preface.clone(),
        total: (!is_one).then(|| Verdict::total(reviews).headline_of_units(&options.absent)),
        units,
        remark: first_remark(config, reviews, is_one),
        run_url: options.run_url.clone(),
        parts,
        worst_first: worst_first(reviews),
        is_list: options.list,
    }
}

/// Returns the indices of the plans, the one that needs the most attention first.
pub(super) fn worst_first(reviews: &[PlanReview<'_>]) -> Vec<usize> {
    use ChangeKind::{Destroy, Forget, Replace, ReplaceForget, Update};
    let mut plans: Vec<usize> = (0..reviews.len()).collect();
    plans.sort_by_cached_key(|index| {
        let verdict = reviews[*index].verdict();
        let levels = [Level::Critical, Level::Warning, Level::Notice];
        let levels = levels.map(|level| verdict.findings.by_level[level.name()]);
        let kinds = FindingKind::ALL.map(|kind| verdict.findings.by_kind[kind.name()]);
        let destroyed = verdict.count(Destroy) + verdict.count(Replace);
        let counts = [ReplaceForget, Forget, Update].map(|kind| verdict.count(kind));
        Reverse((
            verdict.errored,
            verdict.level,
            levels,
            kinds,
            destroyed,
            counts,
            verdict.resources,
        ))
    });
    plans
}

/// Returns a sentence that names the types for which there are no rules; `None` if there are none. With `has_hidden`,
/// it says that values may be hidden from the rules.
fn unjudged(types: &BTreeSet<&str>, has_hidden: bool) -> Option<String> {
    /// The maximum number of types that are named; further ones are counted.
    const MAX_TYPES: usize = 10;
    let hidden = if has_hidden {
        " (or their values are hidden)"
    } else {
        ""
    };
    let names = first_of(types, MAX_TYPES);
    (!types.is_empty()).then(|| one_line(&format!("no rules for: {names}{hidden}")))
}

/// Whether values of an object are hidden because no available schema has its type.
fn has_hidden(review: &PlanReview<'_>) -> bool {
    let mut findings = review.findings.iter();
    findings.any(|listed| listed.finding.is_of_no_schema())
}

/// Returns the remark about all plans together: the configuration that was read, and the types without rules. For a
/// single plan, it has only the configuration.
fn first_remark(
    config: Option<String>,
    reviews: &[PlanReview<'_>],
    is_one: bool,
) -> Option<String> {
    if is_one {
        return config;
    }
    let types = reviews.iter().flat_map(|review| &review.unjudged).copied();
    let words: Vec<String> = config
        .into_iter()
        .chain(unjudged(&types.collect(), reviews.iter().any(has_hidden)))
        .collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// The builder of the part of a report about one plan.
struct PartBuilder<'r, 'a, 'o> {
    /// The review of the plan.
    review: &'r PlanReview<'a>,
    /// The tool's own texts of the changes, for a page; `None` for other formats.
    texts: Option<&'r PlanTexts>,
    /// The options of the review.
    options: &'o Options,
    /// The record of how each edit is shown.
    coverage: Coverage,
    /// The number of entries that were built for all plans so far, which is the number of the next entry.
    numbers: usize,
    /// The number of the entry of each object, for actions that are in the tool's text of the object.
    by_address: HashMap<&'r str, usize>,
    /// Whether the report is about this plan alone.
    is_one: bool,
    /// The attributes that providers compute because something else changes.
    computed: Computed,
    /// The number of known values of created objects that no text shows.
    created_values: usize,
}

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    /// Whether the document is for a page.
    fn is_page(&self) -> bool {
        self.texts.is_some()
    }

    /// Returns the limit for the format: `max`, or that of a page.
    fn at_most(&self, max: usize) -> usize {
        if self.is_page() { MAX_ON_PAGE } else { max }
    }

    /// Returns the maximum number of results of other tools for an entry. The entries of a page share a total number.
    fn results_of_entry(&self) -> usize {
        let fair = MAX_OF_ENTRIES / self.review.changes.resources.len().max(1);
        self.at_most(MAX_OF_ENTRY).min(fair.max(MAX_OF_ENTRY))
    }

    /// Builds the part of the report about one plan: its head, its sections in their order, and its notes.
    fn part(&mut self, name: Option<String>, config: Option<String>) -> Part<'r> {
        let (review, options) = (self.review, self.options);
        let Selection {
            mut resources,
            drift,
            deferred,
            invocations: now,
            deferred_invocations: later,
            mut notes,
        } = self.selection();
        // On a page, the module with the most severe change is first, so it is not sorted by address.
        if options.tree && !self.is_page() {
            resources.sort_by_key(|group| group.entry.module_address);
        }
        let renames = self.renames();
        let modules = if self.is_page() {
            resources.clone()
        } else {
            Vec::new()
        };
        let mut sections = self.resources(resources);
        sections.splice(0..0, renames);
        for (title, kind, groups) in [
            ("Changed outside of the tool", SectionKind::Drift, drift),
            ("Deferred to a later plan", SectionKind::Deferred, deferred),
        ] {
            if !groups.is_empty() {
                let entries = if self.options.list {
                    groups.iter().map(|group| self.listed(group)).collect()
                } else {
                    let composed = self.composed(groups);
                    composed.into_iter().map(|one| self.whole(one)).collect()
                };
                sections.push(self.section(kind, Title::Text(title), entries));
            }
        }
        self.invocations(&now, &later, &mut sections);
        notes.extend(std::mem::take(&mut self.computed).note(options));
        // A page has the text of the tool, with all values.
        if self.created_values > 0 && !self.is_page() && options.shows_whole_plan() {
            let values = count(self.created_values, "other value");
            notes.push(format!(
                "{values} of created objects; --context all shows them"
            ));
        }
        let shows_outputs = options.shows_whole_plan() && !review.changes.outputs.is_empty();
        let outputs = shows_outputs.then(|| self.outputs());
        // A page may be read later, so it does not contain the age of the plan.
        let time = options.now.filter(|_| !self.is_page());
        let findings = head::findings(review, &sections, shows_outputs, self.at_most(MAX_FINDINGS));
        let mut headline = review.verdict().headline();
        // The failed plan is not named, because its name is the title, or there is no other plan.
        headline.failed.clear();
        Part {
            name,
            headline,
            sentence: shape::sentence(review).map(|text| one_line(&text)),
            is_left_out: false,
            row: row(review),
            origin: head::origin(review, time),
            details: head::lines(review),
            cost: (review.results.costs.as_ref()).and_then(|costs| costs.sentence()),
            others: config.into_iter().chain(others::head(review)).collect(),
            findings,
            causes: cause_tree(review, options).filter(|_| options.shows_whole_plan()),
            checks: review.checks.iter().map(check).collect(),
            counts: head::counts(&sections),
            modules: head::modules(&modules, &sections),
            sections,
            outputs,
            apart: others::apart(review, self.at_most(MAX_APART)),
            notes,
            coverage: Coverage::default(),
        }
    }

    /// Makes a section of entries, and counts these for a page.
    fn section(
        &self,
        kind: SectionKind,
        title: Title,
        entries: Vec<report::ReportEntry<'r>>,
    ) -> Section<'r> {
        Section {
            kind,
            title,
            counts: self.counts(kind, &entries),
            entries,
        }
    }

    /// Returns the counts of a section for the index of a page: `1 to destroy, 3 to change`.
    fn counts(&self, kind: SectionKind, entries: &[report::ReportEntry<'r>]) -> String {
        if !self.is_page()
            || matches!(
                kind,
                SectionKind::Invocations | SectionKind::DeferredInvocations
            )
        {
            return String::new();
        }
        let objects = |entry: &report::ReportEntry<'_>| entry.members.len().max(1);
        let counts = ChangeKind::ALL.into_iter().map(|of| {
            (
                entries
                    .iter()
                    .filter(|entry| entry.kind == of.word())
                    .map(objects)
                    .sum::<usize>(),
                of,
            )
        });
        let name = |of: ChangeKind| {
            if kind == SectionKind::Resources {
                of.verdict()
            } else {
                of.word()
            }
        };
        nonzero(counts.map(|(number, of)| (number, name(of)))).join(", ")
    }

    /// Sorts the planned changes into sections: by module on a page and with `--tree`, otherwise a single one in which
    /// replacements are below their causes.
    fn resources(&mut self, groups: Vec<EntryGroup<'r, 'a>>) -> Vec<Section<'r>> {
        let is_by_module = self.options.tree || self.is_page();
        if self.options.list {
            let keyed = groups.into_iter().map(|group| {
                let module = group.module().filter(|_| is_by_module);
                (module, group)
            });
            let parts = crate::grouping::groups(keyed.collect::<Vec<_>>());
            let sections = parts.into_iter().map(|part| {
                let title = title_of(part.first(), is_by_module);
                let entries = part.iter().map(|group| self.listed(group)).collect();
                self.section(SectionKind::Resources, title, entries)
            });
            return sections.collect();
        }
        let mut composed = self.composed(groups);
        if !is_by_module {
            composed = nesting::nest(composed, &causes(self.review));
        }
        let keyed = composed.into_iter().map(|one| {
            let module = one.group.module().filter(|_| is_by_module);
            (module, one)
        });
        let parts = crate::grouping::groups(keyed.collect::<Vec<_>>());
        let sections = parts.into_iter().map(|part| {
            let title = title_of(part.first().map(|one| &one.group), is_by_module);
            let entries = part.into_iter().map(|one| self.whole(one)).collect();
            self.section(SectionKind::Resources, title, entries)
        });
        sections.collect()
    }
}

/// Returns the title of the section of a group.
fn title_of(group: Option<&EntryGroup<'_, '_>>, is_by_module: bool) -> Title {
    match group.and_then(EntryGroup::module) {
        _ if !is_by_module => Title::Changes,
        Some(module) => Title::Module(module.to_owned()),
        None => Title::Text("In several modules"),
    }
}

/// Returns the first cause of each replacement that is a replacement itself, by the address of the caused one.
fn causes<'r>(review: &'r PlanReview<'_>) -> HashMap<&'r str, &'r str> {
    let changing = review
        .changes
        .resources
        .iter()
        .filter(|entry| entry.kind().is_replacement() && entry.deposed.is_empty());
    let replaced: HashSet<&str> = changing.clone().map(|entry| entry.address).collect();
    let mut causes = HashMap::new();
    for entry in changing {
        let mut origins = entry
            .causes
            .iter()
            .map(|cause| cause.address)
            .filter(|address| *address != entry.address && replaced.contains(address));
        if let Some(cause) = origins.next() {
            causes.insert(entry.address, cause);
        }
    }
    causes
}

/// Describes a check that did not pass, with its messages.
fn check(problem: &Problem) -> Check {
    let status = match problem.status.as_str() {
        "fail" => "failed",
        "error" => "could not be evaluated",
        "unknown" => "is known after apply",
        other => other,
    };
    let message: String = problem
        .messages
        .iter()
        .map(|message| format!(": {message}"))
        .collect();
    Check {
        is_failure: problem.is_failure(),
        text: format!("{} {status}{message}", problem.address),
    }
}

/// Returns the row of the plan in the table of units.
fn row(review: &PlanReview<'_>) -> Row {
    use ChangeKind::{Create, Destroy, Forget, Replace, Update};
    let kinds: BTreeSet<_> = review
        .findings
        .iter()
        .map(|PlanFinding { finding, .. }| finding.kind)
        .collect();
    let verdict = review.verdict();
    Row {
        name: review.title().to_owned(),
        numbers: report::UnitNumbers {
            destroyed: verdict.count(Destroy),
            replaced: verdict.count(Replace),
            forgotten: verdict.count(Forget),
            changed: verdict.count(Update),
            created: verdict.count(Create),
        },
        cost: review
            .results
            .costs
            .as_ref()
            .and_then(|costs| costs.difference(&costs.total)),
        findings: kinds
            .into_iter()
            .map(FindingKind::name)
            .collect::<Vec<_>>()
            .join(", "),
    }
}
