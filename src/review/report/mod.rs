//! Builds the document that the text formats write: its order, its groups, its counts, and what it leaves out.

mod groups;
mod head;

use std::collections::HashMap;

use self::groups::{EntryGroup, Selection};
use self::head::FirstFindings;
use super::entry::{Entry, Invocation, PlanReview, RuleOrigin, SourcePlace};
use super::text::{EntryText, beside, beside_outputs, cause_tree, entry_text, invocation_text, outputs_text};
use super::{ChangeKind, Options, Problem, Verdict, count, one_line, reasons};
use crate::render::PlanTexts;
use crate::report::{self, Causes, Check, Coverage, Head, Outputs, Part, Priority, Report};
use crate::report::{Row, Section, SectionKind, Source, Title, Tone};
use crate::term::StyledText;

/// The maximum number of findings in the head of a text, and of a page.
const MAX_FINDINGS: usize = 20;
const MAX_PAGE_FINDINGS: usize = 1_000;
/// The maximum number of findings that a page shows with their entry.
const MAX_ENTRY_FINDINGS: usize = 1_000;
/// The order of everything but resources.
const BESIDE_RESOURCES: usize = usize::MAX;

/// The document about reviews. With the tools' texts of the changes, it is for a page: each object has an entry
/// of its own.
pub(super) fn report<'r>(
    reviews: &'r [PlanReview<'_>],
    texts: Option<&'r [PlanTexts]>,
    options: &Options,
) -> Report<'r> {
    let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
    let is_one = reviews.len() == 1;
    let total = (!is_one).then(|| Verdict::total(verdicts.iter()).headline());
    let config = options.config.as_ref().map(|name| one_line(&format!("configuration {name}")));
    let mut numbers = 0;
    let mut parts = Vec::with_capacity(reviews.len());
    for (at, (review, verdict)) in reviews.iter().zip(&verdicts).enumerate() {
        let texts = texts.map(|texts| texts.get(at));
        let mut builder = PartBuilder {
            review,
            texts,
            options,
            coverage: coverage(review),
            findings: FirstFindings::default(),
            numbers,
            by_address: HashMap::new(),
        };
        let mut part = builder.part(verdict, (!is_one).then(|| review.name.clone()));
        if let (true, None, Some(config)) = (is_one, texts, &config) {
            let details = part.head.iter().take_while(|head| matches!(head, Head::Details(_))).count();
            part.head.insert(details, Head::Config(config.clone()));
        }
        numbers = builder.numbers;
        part.coverage = builder.coverage;
        parts.push(part);
    }
    let (title, marker) = match reviews {
        [only] => (format!("Review of {}", only.name), only.name.clone()),
        _ => (format!("Review of {}", count(reviews.len(), "plan")), String::new()),
    };
    let worst_first = worst_first(reviews, &verdicts);
    Report { title, marker, total, remark: config, parts, worst_first, is_list: options.list }
}

fn coverage(review: &PlanReview<'_>) -> Coverage {
    let entries = |entries: &[Entry<'_>]| entries.iter().map(|entry| entry.edits.len()).collect();
    let invocations = |all: &[Invocation<'_>]| all.iter().map(|invocation| invocation.edits.len()).collect();
    Coverage::new([
        entries(&review.resources),
        entries(&review.drift),
        entries(&review.deferred),
        invocations(&review.invocations),
        invocations(&review.deferred_invocations),
        review.outputs.iter().map(|output| output.edits.len()).collect(),
    ])
}

/// The indices of the plans, ordered by their most severe change.
fn worst_first(reviews: &[PlanReview<'_>], verdicts: &[Verdict]) -> Vec<usize> {
    let mut plans: Vec<(usize, &PlanReview<'_>, &Verdict)> = reviews
        .iter()
        .zip(verdicts)
        .enumerate()
        .map(|(at, (review, verdict))| (at, review, verdict))
        .collect();
    plans.sort_by_cached_key(|(_, review, verdict)| {
        let facts = |kind| {
            let is_of_kind = |entry: &&Entry<'_>| {
                entry.facts.iter().any(|fact| fact.kind == kind && fact.origin != RuleOrigin::Found)
            };
            review.resources.iter().filter(is_of_kind).count()
        };
        let counts = [
            verdict.destroyed(),
            verdict.count(ChangeKind::ReplaceForget),
            verdict.count(ChangeKind::Forget),
            verdict.count(ChangeKind::Update),
            verdict.resources(),
        ];
        std::cmp::Reverse((verdict.errored, super::entry::FactKind::ALL.map(facts), counts))
    });
    plans.into_iter().map(|(at, ..)| at).collect()
}

/// Builds the part about one plan.
struct PartBuilder<'r, 'a, 'o> {
    review: &'r PlanReview<'a>,
    /// For a page: the tool's texts, if there are any for this plan.
    texts: Option<Option<&'r PlanTexts>>,
    options: &'o Options,
    coverage: Coverage,
    findings: FirstFindings,
    /// The number of entries so far.
    numbers: usize,
    /// The numbers of the entries of resources, by address.
    by_address: HashMap<&'r str, usize>,
}

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    fn part(&mut self, verdict: &Verdict, name: Option<String>) -> Part<'r> {
        let (review, options) = (self.review, self.options);
        let selection = Selection::new(review, options, self.texts.is_some(), &mut self.coverage);
        let by_type = head::by_type(&selection.resources);
        if self.texts.is_none() {
            let groups = selection.resources.iter().filter(|group| !group.entry.facts.is_empty());
            groups.for_each(|group| {
                self.findings.add(&group.entry.facts, &group.header().address, 0, MAX_FINDINGS);
            });
        }
        let mut sections = self.resources(selection.resources);
        for (title, kind, groups) in [
            ("Changed outside of the tool", SectionKind::Drift, selection.drift),
            ("Put off to a later plan", SectionKind::Deferred, selection.deferred),
        ] {
            if !groups.is_empty() {
                let entries = groups.iter().map(|group| self.entry(group)).collect();
                sections.push(self.section(kind, Title::Text(title), entries));
            }
        }
        for (title, kind, places) in [
            ("Actions to invoke", SectionKind::Invocations, selection.invocations),
            (
                "Actions put off to a later plan",
                SectionKind::DeferredInvocations,
                selection.deferred_invocations,
            ),
        ] {
            if !places.is_empty() {
                let entries = places.iter().filter_map(|at| self.invocation(kind, *at)).collect();
                sections.push(self.section(kind, Title::Text(title), entries));
            }
        }
        let outputs = (selection.shows_outputs && !review.outputs.is_empty()).then(|| self.outputs());
        let mut details = by_type;
        // A page may be read later, so it does not contain the age of the plan.
        let now = options.now.filter(|_| self.texts.is_none());
        details.extend(head::lines(review, now));
        let max = if self.texts.is_some() { MAX_PAGE_FINDINGS } else { MAX_FINDINGS };
        let mut head = vec![
            Head::Details(details),
            Head::Findings(std::mem::take(&mut self.findings).into_findings(max)),
        ];
        let tree = cause_tree(review, options).filter(|_| options.shows_whole_plan());
        head.extend(tree.map(|tree| Head::Causes(Causes { title: tree.title, lines: tree.lines })));
        if !review.checks.is_empty() {
            head.push(Head::Checks(review.checks.iter().map(check).collect()));
        }
        Part {
            name,
            headline: verdict.headline(),
            row: row(review, verdict),
            head,
            sections,
            outputs,
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
        let counts = ChangeKind::ALL
            .into_iter()
            .map(|of| (entries.iter().filter(|entry| entry.kind == of.word()).count(), of));
        let words = counts.filter(|(number, _)| *number > 0).map(|(number, of)| match kind {
            SectionKind::Resources => format!("{number} {}", of.verdict()),
            SectionKind::Drift
            | SectionKind::Deferred
            | SectionKind::Invocations
            | SectionKind::DeferredInvocations
            | SectionKind::Outputs => format!("{number} {}", of.word()),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// The resources below titles: by module on a page and with `--tree`, otherwise by action.
    fn resources(&mut self, mut groups: Vec<EntryGroup<'r, 'a>>) -> Vec<Section<'r>> {
        let by_module = self.texts.is_some() || self.options.tree;
        // On a page, the module with the most severe change is first.
        if self.texts.is_none() && self.options.tree {
            groups.sort_by_key(|group| group.entry.module_address);
        }
        let mut parts: Vec<Vec<EntryGroup<'r, 'a>>> = Vec::new();
        let mut places: HashMap<(&str, Option<&str>), usize> = HashMap::new();
        for group in groups {
            let module = group.entry.module_address;
            let key = if by_module { (module, None) } else { ("", Some(group.kind().word())) };
            let at = *places.entry(key).or_insert(parts.len());
            match parts.get_mut(at) {
                Some(part) => part.push(group),
                None => parts.push(vec![group]),
            }
        }
        let section = |part: Vec<EntryGroup<'r, 'a>>| {
            let first = part.first()?;
            let number: usize = part.iter().map(|group| group.places.len()).sum();
            let title = if by_module {
                Title::Module(first.entry.module_address.to_owned())
            } else {
                Title::Action {
                    text: format!("{number} {}", first.kind().verdict()),
                    is_state_only: matches!(first.kind(), ChangeKind::Import | ChangeKind::Move),
                }
            };
            let entries = part.iter().map(|group| self.entry(group)).collect();
            Some(self.section(SectionKind::Resources, title, entries))
        };
        parts.into_iter().filter_map(section).collect()
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

    fn entry(&mut self, group: &EntryGroup<'r, 'a>) -> report::Entry<'r> {
        let (entry, options) = (group.entry, self.options);
        let kind = group.kind();
        let text = group.places.first().and_then(|at| self.text(group.list, *at));
        let EntryText { lines, shown } = match text {
            _ if options.list => EntryText::counted(entry.edits.len()),
            Some(text) => beside(entry, text, options),
            None => entry_text(entry, options),
        };
        group.places.iter().for_each(|at| self.coverage.record(group.list, *at, &shown));
        let header = group.header();
        let is_destroyed = group.list == SectionKind::Resources && kind.is_irreversible();
        let priority = if is_destroyed {
            Priority::Destroyed
        } else if entry.fact_rank() == super::entry::FactRank::Proven
            || matches!(kind, ChangeKind::ReplaceForget | ChangeKind::Forget)
        {
            Priority::Flagged
        } else {
            Priority::Plain
        };
        let reasons = if self.texts.is_some() {
            entry.reasons.iter().map(|reason| reason.text.clone()).collect()
        } else {
            group.reasons(options)
        };
        // In texts, the findings of an entry are in the head.
        let facts = if self.texts.is_some() { &*entry.facts } else { &[] };
        let findings = facts.iter().take(MAX_ENTRY_FINDINGS);
        let number = self.number();
        if let (Some(_), SectionKind::Resources) = (self.texts, group.list) {
            self.findings.add(&entry.facts, &header.address, number, MAX_PAGE_FINDINGS);
            self.by_address.insert(entry.address, number);
        }
        report::Entry {
            number,
            sign: (header.symbol, kind.tone()),
            address: header.address,
            others: header.others,
            phrase: header.phrase,
            kind: kind.word(),
            object_type: entry.resource_type,
            changed: text.map_or(&[], StyledText::changed),
            preview: group.preview(),
            same: group.same_count,
            finding_kinds: entry.fact_kinds().into_iter().map(|kind| kind.name()).collect(),
            findings: (
                findings.map(|fact| (fact.kind.name(), fact.text.clone())).collect(),
                facts.len().saturating_sub(MAX_ENTRY_FINDINGS),
            ),
            source: entry.source.as_ref().map(|place| self.source(place, &group.other_sources)),
            reasons,
            lines,
            text: text.filter(|_| !options.list).map_or(report::EntryText::None, report::EntryText::Own),
            priority,
            order: if group.list == SectionKind::Resources { 1 + kind as usize } else { BESIDE_RESOURCES },
            places: (group.list, group.places.clone()),
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

    fn invocation(&mut self, kind: SectionKind, at: usize) -> Option<report::Entry<'r>> {
        let (review, options) = (self.review, self.options);
        let list =
            if kind == SectionKind::Invocations { &review.invocations } else { &review.deferred_invocations };
        let invocation = list.get(at)?;
        // The text of a change has the actions that this plan invokes before and after it.
        let trigger = invocation.trigger.as_ref().filter(|trigger| {
            kind == SectionKind::Invocations
                && (trigger.event.starts_with("Before") || trigger.event.starts_with("After"))
        });
        let trigger = trigger.filter(|_| self.texts.is_some() && !options.list);
        let text = match trigger.and_then(|trigger| self.by_address.get(trigger.address)) {
            Some(number) => report::EntryText::In(*number),
            None => {
                let text = self.text(kind, at).filter(|_| !options.list);
                text.map_or(report::EntryText::None, report::EntryText::Own)
            }
        };
        let found = match text {
            report::EntryText::None if options.list && self.texts.is_none() => {
                EntryText::counted(invocation.edits.len())
            }
            report::EntryText::None => invocation_text(invocation, options),
            report::EntryText::Own(_) | report::EntryText::In(_) => {
                EntryText::in_full(invocation.edits.len())
            }
        };
        self.coverage.record(kind, at, &found.shown);
        let (sign, phrase) = match invocation.deferred_reason {
            None => ("!", "is invoked"),
            Some(_) => ("…", "is invoked in a later plan"),
        };
        let deferred = invocation.deferred_reason.map(reasons::deferred);
        let reasons = deferred.into_iter().chain([reasons::invoked(invocation)]);
        Some(report::Entry {
            number: self.number(),
            sign: (sign, Tone::Changed),
            address: one_line(invocation.address),
            phrase: phrase.to_owned(),
            kind: "invoke",
            object_type: invocation.action_type,
            reasons: reasons.map(|reason| one_line(&reason)).collect(),
            lines: found.lines,
            text,
            order: BESIDE_RESOURCES,
            places: (kind, vec![at]),
            ..report::Entry::default()
        })
    }

    fn outputs(&mut self) -> Outputs<'r> {
        let (outputs, options) = (&self.review.outputs, self.options);
        let text = self.texts.flatten().map(|texts| &texts.outputs);
        let (lines, shown) = match text {
            Some(text) => beside_outputs(outputs, text, options),
            None => {
                let all = outputs_text(outputs, options);
                (vec![all.lines], all.shown)
            }
        };
        for (at, shown) in shown.iter().enumerate() {
            self.coverage.record(SectionKind::Outputs, at, shown);
        }
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
    let message = if problem.message.is_empty() { String::new() } else { format!(": {}", problem.message) };
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
    let found: std::collections::BTreeSet<_> = review.resources.iter().flat_map(Entry::fact_kinds).collect();
    Row {
        name: review.name.clone(),
        numbers: kinds.map(|kind| verdict.count(kind)),
        findings: found.into_iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", "),
    }
}
