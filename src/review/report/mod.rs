//! Builds the document that the text formats write: its order, its groups, its counts, and what it leaves out.

mod findings;
mod groups;
mod head;
mod index;
mod invocations;
mod owners;
mod renames;
mod units;
mod with;

use std::cmp::Reverse;
use std::collections::HashMap;

use self::groups::EntryGroup;
use super::entry::{Level, PlanFinding, PlanReview, SourcePlace};
use super::text::{
    EntryText, cause_tree, entry_text, in_outputs, outlier_text, outputs_text, summary_text, with_tool,
};
use super::{ChangeKind, Options, Problem, Verdict, count, one_line};
use crate::render::PlanTexts;
use crate::report::{self, Check, Coverage, Outputs, Part, Priority, Report};
use crate::report::{Row, Section, SectionKind, Shown, Source, Title};
use crate::term::StyledText;
use crate::text::nonzero;

/// The maximum number of findings in the head of a text, and of a page.
const MAX_FINDINGS: usize = 12;
const MAX_PAGE_FINDINGS: usize = 1_000;
/// The maximum number of findings with an entry of a text, and of a page.
const MAX_ENTRY_FINDINGS: usize = 10;
const MAX_PAGE_ENTRY_FINDINGS: usize = 1_000;
/// The number of resources above which a page shows only the tool's text of those without findings.
const MAX_WITH_LINES: usize = 5_000;
/// The order of everything but resources.
const BESIDE_RESOURCES: usize = usize::MAX;

/// The document about reviews. With the tools' texts of the changes, it is for a page: a group contains the
/// entries of its objects.
pub(super) fn report<'r>(
    reviews: &'r [PlanReview<'_>],
    texts: Option<&'r [PlanTexts]>,
    options: &Options,
) -> Report<'r> {
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    let is_one = reviews.len() == 1 && options.absent.is_empty();
    let total = (!is_one).then(|| Verdict::total(verdicts.iter()).headline());
    let config = options.config.as_ref().map(|name| one_line(&format!("configuration {name}")));
    let mut numbers = 0;
    let mut parts = Vec::with_capacity(reviews.len());
    for (at, (review, verdict)) in reviews.iter().zip(&verdicts).enumerate() {
        let texts = texts.map(|texts| texts.get(at));
        let edits = |kind| review.list(kind).iter().map(|entry| entry.edits.len()).collect();
        let mut builder = PartBuilder {
            review,
            texts,
            options,
            coverage: Coverage::new(SectionKind::ALL.map(edits)),
            numbers,
            by_address: HashMap::new(),
        };
        let own_config = config.clone().filter(|_| is_one && texts.is_none());
        let mut part = builder.part(verdict, (!is_one).then(|| review.title().to_owned()), own_config);
        numbers = builder.numbers;
        part.coverage = builder.coverage;
        parts.push(part);
    }
    let units = (!is_one).then(|| units::units(&mut parts, reviews, &verdicts, options, texts.is_some()));
    let (title, marker) = match reviews {
        [only] if is_one => (format!("Review of {}", only.name), only.name.clone()),
        _ => {
            let number = reviews.len() + options.absent.len();
            (format!("Review of {}", count(number, "unit")), String::new())
        }
    };
    let worst_first = worst_first(reviews, &verdicts);
    let run_url = options.run_url.clone();
    let marker = Some(marker);
    Report { title, marker, total, units, remark: config, run_url, parts, worst_first, is_list: options.list }
}

/// The indices of the plans, ordered by their most severe change.
pub(super) fn worst_first(reviews: &[PlanReview<'_>], verdicts: &[Verdict]) -> Vec<usize> {
    let mut plans: Vec<usize> = (0..reviews.len()).collect();
    plans.sort_by_cached_key(|at| {
        let (review, verdict) = (&reviews[*at], &verdicts[*at]);
        let counts = [
            verdict.destroyed(),
            verdict.count(ChangeKind::ReplaceForget),
            verdict.count(ChangeKind::Forget),
            verdict.count(ChangeKind::Update),
            verdict.resources(),
        ];
        let mut findings = verdict.finding_levels;
        findings.reverse();
        Reverse((verdict.errored, review.level, findings, verdict.finding_kinds, counts))
    });
    plans
}

/// Builds the part about one plan.
struct PartBuilder<'r, 'a, 'o> {
    review: &'r PlanReview<'a>,
    /// For a page: the tool's texts, if there are any for this plan.
    texts: Option<Option<&'r PlanTexts>>,
    options: &'o Options,
    coverage: Coverage,
    /// The number of entries so far.
    numbers: usize,
    /// The numbers of the entries of resources, by address.
    by_address: HashMap<&'r str, usize>,
}

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    fn part(&mut self, verdict: &Verdict, name: Option<String>, config: Option<String>) -> Part<'r> {
        let (review, options) = (self.review, self.options);
        let selection = self.selection();
        let by_type = head::by_type(&selection.resources);
        let modules = self.modules(&selection.resources);
        let renames = self.renames();
        let mut sections = self.resources(selection.resources);
        sections.splice(0..0, renames);
        for (title, kind, groups) in [
            ("Changed outside of the tool", SectionKind::Drift, selection.drift),
            ("Put off to a later plan", SectionKind::Deferred, selection.deferred),
        ] {
            if !groups.is_empty() {
                let entries = groups.iter().map(|group| self.entry(group)).collect();
                sections.push(self.section(kind, Title::Text(title), entries));
            }
        }
        self.invocations(selection.invocations, selection.deferred_invocations, &mut sections);
        let outputs = (selection.shows_outputs && !review.outputs.is_empty()).then(|| self.outputs());
        // A page may be read later, so it does not contain the age of the plan.
        let now = options.now.filter(|_| self.texts.is_none());
        let details = head::lines(review);
        let origin = head::origin(review, now);
        let max = if self.texts.is_some() { MAX_PAGE_FINDINGS } else { MAX_FINDINGS };
        let found = findings::head(review, &sections, selection.shows_outputs, max);
        let mut others: Vec<String> = config.into_iter().chain(with::head(review)).collect();
        others.extend(owners::head(review).map(|line| one_line(&line)));
        let mut headline = verdict.headline();
        if name.is_some() {
            headline.failed.clear();
        }
        Part {
            name,
            headline,
            is_left_out: false,
            row: row(review, verdict),
            types: by_type,
            origin,
            details,
            others,
            findings: found,
            causes: cause_tree(review, options).filter(|_| options.shows_whole_plan()),
            checks: review.checks.iter().map(check).collect(),
            counts: index::counts(&sections),
            modules: index::modules(&modules, &sections),
            sections,
            outputs,
            apart: with::apart(review, self.texts.is_some()),
            notes: selection.notes,
            coverage: Coverage::default(),
        }
    }

    fn section(&self, kind: SectionKind, title: Title, entries: Vec<report::Entry<'r>>) -> Section<'r> {
        Section { kind, title, counts: self.counts(kind, &entries), entries }
    }

    /// A summary for the index of a page, such as `1 to destroy, 3 to change`.
    fn counts(&self, kind: SectionKind, entries: &[report::Entry<'r>]) -> String {
        if self.texts.is_none() || matches!(kind, SectionKind::Invocations | SectionKind::DeferredInvocations)
        {
            return String::new();
        }
        let objects = |entry: &report::Entry<'_>| entry.members.len().max(1);
        let counts = ChangeKind::ALL.into_iter().map(|of| {
            (entries.iter().filter(|entry| entry.kind == of.word()).map(objects).sum::<usize>(), of)
        });
        let name = |of: ChangeKind| if kind == SectionKind::Resources { of.verdict() } else { of.word() };
        nonzero(counts.map(|(number, of)| (number, name(of)))).join(", ")
    }

    /// The resources below titles: by module on a page and with `--tree`, otherwise by action.
    fn resources(&mut self, mut groups: Vec<EntryGroup<'r, 'a>>) -> Vec<Section<'r>> {
        let by_module = self.texts.is_some() || self.options.tree;
        // On a page, the module with the most severe change is first.
        if self.texts.is_none() && self.options.tree {
            crate::sort::by_key(&mut groups, |group| group.entry.module_address);
        }
        let keyed = groups.into_iter().map(|group| match group.module() {
            _ if !by_module => (("", Some(group.kind())), group),
            Some(module) => ((module, None), group),
            // A group may span several modules.
            None => (("", Some(ChangeKind::Other)), group),
        });
        let section = |part: Vec<EntryGroup<'r, 'a>>| {
            let first = part.first()?;
            let number: usize = part.iter().map(|group| group.places.len()).sum();
            let title = if by_module {
                match first.module() {
                    Some(module) => Title::Module(module.to_owned()),
                    None => Title::Text("In several modules"),
                }
            } else {
                Title::Action {
                    text: format!("{number} {}", first.kind().verdict()),
                    is_state_only: matches!(first.kind(), ChangeKind::Import | ChangeKind::Move),
                }
            };
            let entries = part.iter().map(|group| self.entry(group)).collect();
            Some(self.section(SectionKind::Resources, title, entries))
        };
        crate::sort::grouped(keyed).into_iter().filter_map(section).collect()
    }

    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers - 1
    }

    /// The tool's text of a change.
    fn text(&self, kind: SectionKind, at: usize) -> Option<&'r StyledText> {
        let texts = self.texts.flatten()?;
        match kind {
            SectionKind::Resources => texts.resources.get(at),
            SectionKind::Drift => texts.drift.get(at),
            SectionKind::Deferred => texts.deferred.get(at),
            SectionKind::Invocations => texts.invocations.get(at),
            // The tools print no text of deferred ones, and all outputs have one.
            SectionKind::DeferredInvocations | SectionKind::Outputs => None,
        }
    }

    /// The tool's text of a change as the page shows it.
    fn own_text(&self, text: Option<&'r StyledText>) -> report::EntryText<'r> {
        match text.filter(|_| !self.options.list) {
            Some(text) => report::EntryText::Own(self.review.masks.styled(text)),
            None => report::EntryText::None,
        }
    }

    /// The entry of a group. On a page, it contains those of its objects.
    fn entry(&mut self, group: &EntryGroup<'r, 'a>) -> report::Entry<'r> {
        let mut entry = self.one(group, false);
        let is_group = self.texts.is_some() && group.places.len() > 1;
        if is_group {
            entry.others.clear();
            entry.members = group.singles().map(|one| self.one(&one, true)).collect();
        }
        if let (Some(_), SectionKind::Resources) = (self.texts, group.list) {
            match &*entry.members {
                [] => {
                    self.by_address.insert(group.entry.address, entry.number);
                }
                members => {
                    let numbers = members.iter().map(|member| member.number);
                    self.by_address.extend(group.addresses().into_iter().zip(numbers));
                }
            }
        }
        entry
    }

    /// The module and the action of each object, for the index of a page.
    fn modules(&self, groups: &[EntryGroup<'r, 'a>]) -> Vec<(&'r str, ChangeKind)> {
        let groups = groups.iter().filter(|_| self.texts.is_some());
        let of = |group: &EntryGroup<'r, 'a>| {
            let kind = group.kind();
            group.entries.iter().map(|entry| (entry.module_address, kind)).collect::<Vec<_>>()
        };
        groups.flat_map(of).collect()
    }

    /// The entry of an object, of a group, or of an object in a group, whose lines are those of its group.
    fn one(&mut self, group: &EntryGroup<'r, 'a>, is_member: bool) -> report::Entry<'r> {
        let (entry, options) = (group.entry, self.options);
        let kind = group.kind();
        let text = group.places.first().filter(|_| group.places.len() == 1);
        let text = text.and_then(|at| self.text(group.list, *at));
        // On a large page, the tool's text is enough for what has no findings.
        let is_large = self.review.resources.len() > MAX_WITH_LINES;
        let mut beside = Vec::new();
        let EntryText { mut lines, shown } = match text {
            _ if options.list => EntryText::elsewhere(entry.edits.len(), Shown::Counted),
            Some(text) => {
                let (mut text, missing, is_in_tool) = with_tool(entry, text, options);
                beside = missing;
                if is_large && is_in_tool && entry.findings.is_empty() {
                    text.lines.clear();
                }
                text
            }
            None if group.like.is_some() && self.texts.is_none() => outlier_text(entry, options),
            None => entry_text(entry, options),
        };
        if is_member {
            lines.clear();
        }
        group.places.iter().for_each(|at| self.coverage.record(group.list, *at, &shown));
        let is_destroyed = group.is_destroyed();
        let priority = if is_destroyed || entry.level == Level::Critical {
            Priority::Grave
        } else if entry.level != Level::None || matches!(kind, ChangeKind::ReplaceForget | ChangeKind::Forget)
        {
            Priority::Flagged
        } else {
            Priority::Plain
        };
        let reasons = if is_member { Vec::new() } else { group.reasons(options) };
        let max = if self.texts.is_some() { MAX_PAGE_ENTRY_FINDINGS } else { MAX_ENTRY_FINDINGS };
        let found = findings::of_entry(self.review, &entry.findings, if is_member { 0 } else { max });
        let (preview, summary) = (group.preview(), one_line(&summary_text(entry, options)));
        let number = self.number();
        report::Entry {
            number,
            kind: kind.word(),
            object_type: entry.resource_type,
            preview: if preview.is_empty() { summary.clone() } else { preview },
            summary,
            beside,
            results: with::of_group(group, &self.review.with, self.texts.is_some()),
            needs: owners::of_entry(entry),
            cost: with::cost(group, &self.review.with),
            source: entry.source.as_ref().map(|place| self.source(place, &group.other_sources)),
            reasons,
            lines,
            text: self.own_text(text),
            is_destroyed,
            is_open: !is_member && (is_destroyed || found.level >= Level::Warning),
            priority,
            order: if group.list == SectionKind::Resources { 1 + kind as usize } else { BESIDE_RESOURCES },
            places: (group.list, group.places.clone()),
            ..group.header(self.texts.is_some(), found)
        }
    }

    fn source(&self, place: &SourcePlace, others: &[&SourcePlace]) -> Source {
        let rest = match others.len() {
            0 => String::new(),
            number => format!(" and {}", count(number, "other place")),
        };
        Source {
            text: one_line(&place.text()),
            uri: place.uri.clone(),
            url: self.options.source_url.as_ref().map(|prefix| place.url(prefix)),
            rest,
        }
    }

    fn outputs(&mut self) -> Outputs<'r> {
        let (outputs, options) = (&self.review.outputs, self.options);
        let text = self.texts.flatten().map(|texts| &texts.outputs);
        let (lines, mut shown) = outputs_text(outputs, options);
        if let Some(text) = text {
            in_outputs(outputs, text, &mut shown);
        }
        for (at, shown) in shown.iter().enumerate() {
            self.coverage.record(SectionKind::Outputs, at, shown);
        }
        let text = text.map(|text| self.review.masks.styled(text));
        Outputs { number: outputs.len(), text, lines }
    }
}

/// The result of a check in words.
fn check(problem: &Problem) -> Check {
    let status = match problem.status.as_str() {
        "fail" => "failed",
        "error" => "could not be evaluated",
        "unknown" => "is known after apply",
        other => other,
    };
    let message: String = problem.messages.iter().map(|message| format!(": {message}")).collect();
    Check { is_failure: problem.is_failure(), text: format!("{} {status}{message}", problem.address) }
}

/// The row of a plan in a table of plans.
fn row(review: &PlanReview<'_>, verdict: &Verdict) -> Row {
    let kinds = [
        ChangeKind::Destroy,
        ChangeKind::Replace,
        ChangeKind::Forget,
        ChangeKind::Update,
        ChangeKind::Create,
    ];
    let found = crate::sort::set(review.findings.iter().map(|PlanFinding { finding, .. }| finding.kind));
    Row {
        name: review.title().to_owned(),
        numbers: kinds.map(|kind| verdict.count(kind)),
        cost: review.with.costs.as_ref().and_then(|costs| costs.difference(&costs.total)),
        findings: found.into_iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", "),
    }
}
