//! Builds the document that the text formats write: its order, its groups, its counts, and what it leaves out.

mod compose;
mod groups;
mod head;
mod others;
mod renames;
mod tables;
mod units;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use unicode_width::UnicodeWidthStr;

use self::compose::{Composed, Computed, elsewhere, nest, told};
use self::groups::{EntryGroup, Selection};
use super::build::reasons;
use super::entry::{Entry, FindingKind, Level, PlanFinding, SubjectItem};
use super::masks::Hiding;
use super::plan::PlanReview;
use super::text::{
    beside_tool, cause_tree, fitting_subject, invocation_text, outputs_text, subject,
};
use super::{ChangeKind, Options, Problem, Verdict, count, one_line, shape};
use crate::render::PlanTexts;
use crate::report::{
    self, Check, Coverage, Mark, Marker, Outputs, Part, Priority, Report, Row, Section,
    SectionKind, Shown, Sign, Source, Title, Tone,
};
use crate::term::StyledText;
use crate::text::{first_of, nonzero};

/// For the head of a text, an entry (of findings, and of results of other tools), and results about no entry.
const MAX_FINDINGS: usize = 12;
const MAX_OF_ENTRY: usize = 10;
const MAX_APART: usize = 50;
/// The maximum number of each on a page.
const MAX_ON_PAGE: usize = 1_000;
/// The number of results that all entries of a page have together, unless each has few: those about a block are
/// repeated for each of its instances.
const MAX_OF_ENTRIES: usize = 50_000;

/// With more resources, a page shows only the tool's text of those without findings.
const MAX_WITH_LINES: usize = 5_000;
/// The order of everything but resources.
const BESIDE_RESOURCES: usize = usize::MAX;

/// With `texts`, it is for a page: a group contains the entries of its objects.
pub(super) fn report<'r>(
    reviews: &'r [PlanReview<'_>],
    texts: Option<&'r [PlanTexts]>,
    options: &Options,
) -> Report<'r> {
    let is_one = reviews.len() == 1 && options.absent.is_empty();
    let config = options
        .config
        .as_ref()
        .map(|name| one_line(&format!("configuration {name}")));
    let mut numbers = 0;
    let mut parts = Vec::with_capacity(reviews.len());
    for (at, review) in reviews.iter().enumerate() {
        let edits = |kind| {
            review
                .changes
                .list(kind)
                .iter()
                .map(|entry| entry.edits.len())
                .collect()
        };
        let mut builder = PartBuilder {
            review,
            texts: texts.and_then(|texts| texts.get(at)),
            options,
            coverage: Coverage::new(SectionKind::ALL.map(edits)),
            numbers,
            by_address: HashMap::new(),
            is_one,
            computed: Computed::default(),
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
        total: (!is_one).then(|| Verdict::total(reviews).headline()),
        units,
        remark: first_remark(config, reviews, is_one),
        run_url: options.run_url.clone(),
        parts,
        worst_first: worst_first(reviews),
        is_list: options.list,
    }
}

pub(super) fn worst_first(reviews: &[PlanReview<'_>]) -> Vec<usize> {
    use ChangeKind::{Destroy, Forget, Replace, ReplaceForget, Update};
    let mut plans: Vec<usize> = (0..reviews.len()).collect();
    plans.sort_by_cached_key(|at| {
        let verdict = reviews[*at].verdict();
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

/// The types that no rule looks at. If values are hidden, rules could not look at them.
fn unjudged(types: &BTreeSet<&str>, has_hidden: bool) -> Option<String> {
    /// The types that are named; more are counted.
    const MAX_TYPES: usize = 10;
    let hidden = if has_hidden {
        " (or their values are hidden)"
    } else {
        ""
    };
    let names = first_of(types, MAX_TYPES);
    (!types.is_empty()).then(|| one_line(&format!("no rules for: {names}{hidden}")))
}

/// Whether values of an object are hidden because no schema at hand has its type.
fn has_hidden(review: &PlanReview<'_>) -> bool {
    let mut findings = review.findings.iter();
    findings.any(|listed| listed.finding.is_of_no_schema())
}

/// What is said of several plans together: the configuration that was read, and what no rule looks at.
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

struct PartBuilder<'r, 'a, 'o> {
    review: &'r PlanReview<'a>,
    texts: Option<&'r PlanTexts>,
    options: &'o Options,
    coverage: Coverage,
    numbers: usize,
    by_address: HashMap<&'r str, usize>,
    is_one: bool,
    /// What the provider computes because anything changes.
    computed: Computed,
}

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    fn is_page(&self) -> bool {
        self.texts.is_some()
    }

    fn at_most(&self, max: usize) -> usize {
        if self.is_page() { MAX_ON_PAGE } else { max }
    }

    fn results_of_entry(&self) -> usize {
        let fair = MAX_OF_ENTRIES / self.review.changes.resources.len().max(1);
        self.at_most(MAX_OF_ENTRY).min(fair.max(MAX_OF_ENTRY))
    }

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
        // On a page, the module with the most severe change is first.
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
        let shows_outputs = options.shows_whole_plan() && !review.changes.outputs.is_empty();
        let outputs = shows_outputs.then(|| self.outputs());
        // A page may be read later, so it does not contain the age of the plan.
        let time = options.now.filter(|_| !self.is_page());
        let findings = head::findings(review, &sections, shows_outputs, self.at_most(MAX_FINDINGS));
        let mut headline = review.verdict().headline();
        // The name of the plan is the title, or there is only one.
        headline.failed.clear();
        Part {
            name,
            headline,
            sentence: shape::sentence(review).map(|text| one_line(&text)),
            is_left_out: false,
            row: row(review),
            origin: head::origin(review, time),
            details: head::lines(review),
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

    /// For the index of a page: `1 to destroy, 3 to change`.
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

    /// By module on a page and with `--tree`, otherwise by what their findings say.
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
            composed = nest(composed, &causes(self.review));
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

    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers - 1
    }

    fn text(&self, kind: SectionKind, at: usize) -> Option<&'r StyledText> {
        let texts = self.texts?;
        match kind {
            SectionKind::Resources => texts.resources.get(at),
            SectionKind::Drift => texts.drift.get(at),
            SectionKind::Deferred => texts.deferred.get(at),
            SectionKind::Invocations => texts.invocations.get(at),
            // The tools print no text of deferred ones, and all outputs have one.
            SectionKind::DeferredInvocations | SectionKind::Outputs => None,
        }
    }

    fn own_text(
        &self,
        entry: &Entry<'_>,
        text: Option<&'r StyledText>,
    ) -> report::UpstreamText<'r> {
        match text.filter(|_| !self.options.list) {
            Some(text) => report::UpstreamText::Own(match &entry.secrets {
                Some(secrets) => self.review.masks.styled(text, secrets.hiding()),
                None => Cow::Borrowed(text),
            }),
            None => report::UpstreamText::None,
        }
    }

    /// The entry of a list, and its members on a page.
    fn listed(&mut self, group: &EntryGroup<'r, 'a>) -> report::ReportEntry<'r> {
        let number = self.number();
        for place in &group.places {
            let written = elsewhere(group.entry, Shown::Counted);
            self.coverage.record(group.list, *place, &written.shown);
        }
        let remark = Some(self.remark(group)).filter(|remark| !remark.is_empty());
        let composed = Composed {
            subject: subject(group.entry, &[], self.options),
            ..Composed::of_title(group.clone())
        };
        let mut entry = report::ReportEntry {
            number,
            reasons: remark.into_iter().collect(),
            ..self.entry_of(composed)
        };
        if self.is_page() && group.places.len() > 1 {
            entry.others.clear();
            entry.members = group.singles().map(|one| self.member(&one)).collect();
        }
        entry
    }

    /// The entry of a text or a page. On a page, it has the tool's text, or contains entries with it for each object.
    fn whole(&mut self, composed: Composed<'r, 'a>) -> report::ReportEntry<'r> {
        let number = self.number();
        let group = composed.group.clone();
        let mut entry = report::ReportEntry {
            number,
            ..self.entry_of(composed)
        };
        if !self.is_page() {
            return entry;
        }
        if let [only] = *group.places {
            self.add_tool(&mut entry, &group, only);
        } else {
            entry.others.clear();
            entry.members = group.singles().map(|one| self.member(&one)).collect();
        }
        entry
    }

    /// An object of a group on a page, whose lines are those of the group.
    fn member(&mut self, group: &EntryGroup<'r, 'a>) -> report::ReportEntry<'r> {
        let number = self.number();
        let mut entry = report::ReportEntry {
            number,
            is_open: false,
            ..self.entry_of(Composed::of_title(group.clone()))
        };
        if let [only] = *group.places {
            self.add_tool(&mut entry, group, only);
        }
        entry
    }

    /// Adds the tool's text of an object, and what that leaves out.
    fn add_tool(
        &mut self,
        entry: &mut report::ReportEntry<'r>,
        group: &EntryGroup<'r, 'a>,
        place: usize,
    ) {
        if group.list == SectionKind::Resources {
            self.by_address.insert(group.entry.address, entry.number);
        }
        let Some(text) = self.text(group.list, place).filter(|_| !self.options.list) else {
            return;
        };
        entry.beside = beside_tool(group.entry, text, self.options);
        entry.text = self.own_text(group.entry, Some(text));
    }

    fn entry_of(&mut self, composed: Composed<'r, 'a>) -> report::ReportEntry<'r> {
        let Composed {
            group,
            title,
            lines,
            subject,
            mut remark,
            because,
            mark,
            like,
            depth,
            ..
        } = composed;
        let (entry, kind) = (group.entry, group.kind());
        let is_destroyed = group.is_destroyed();
        let is_forgotten = matches!(kind, ChangeKind::ReplaceForget | ChangeKind::Forget);
        let least = match (is_destroyed, is_forgotten) {
            (true, _) => Priority::Grave,
            (false, true) => Priority::Flagged,
            (false, false) => Priority::Plain,
        };
        let found = head::with_findings(self.review, &entry.findings);
        let like = like.map(|number| format!("and as the {number} below"));
        let because = Some(because).filter(|because| !because.is_empty());
        for words in like.into_iter().chain(because) {
            let separator = if remark.is_empty() { "" } else { "; " };
            remark.push_str(&format!("{separator}{words}"));
        }
        let preview = group.preview();
        let width = TitleWidth::new(self.options, depth, &remark, &mark, &group);
        let (address, others) = match title {
            Some(title) => (title, Vec::new()),
            None => group.names(width.of_address(&subject, &lines)),
        };
        let summary = if self.options.unchanged {
            fitting_subject(&subject, usize::MAX)
        } else {
            fitting_subject(&subject, width.of_subject(&address, &subject, &lines))
        };
        let is_open = is_destroyed || found.level >= Level::Warning;
        report::ReportEntry {
            depth,
            sign: report::EntrySign {
                symbol: group.symbol(),
                tone: group.tone(),
            },
            mark,
            times: Some(group.places.len()).filter(|number| *number > 1),
            address,
            others,
            phrase: group.words(),
            remark,
            kind: kind.word(),
            object_type: entry.resource_type,
            preview: if preview.is_empty() {
                summary.clone()
            } else {
                preview
            },
            summary,
            results: others::of_group(&group, &self.review.results, self.results_of_entry()),
            needs: others::needs(entry),
            cost: others::cost(&group, &self.review.results),
            source: self.source(&group),
            lines,
            is_destroyed,
            is_open,
            priority: priority(entry.level).max(least),
            order: if group.list == SectionKind::Resources {
                1 + kind as usize
            } else {
                BESIDE_RESOURCES
            },
            places: report::EntryPlaces {
                list: group.list,
                indices: group.places.clone(),
            },
            ..found
        }
    }

    fn source(&self, group: &EntryGroup<'r, 'a>) -> Option<Source> {
        let place = group.entry.source.as_ref()?;
        let all = group
            .entries
            .iter()
            .filter_map(|entry| entry.source.as_ref());
        let all: HashSet<(&str, u64)> = all.map(|place| (&*place.file, place.line)).collect();
        let rest = match all.len() {
            1 => String::new(),
            number => format!(" and {}", count(number - 1, "other place")),
        };
        let url = self
            .options
            .source_url
            .as_ref()
            .map(|prefix| place.url(prefix));
        Some(Source {
            text: one_line(&place.text()),
            uri: place.uri.clone(),
            url,
            rest,
        })
    }

    fn outputs(&mut self) -> Outputs<'r> {
        let outputs = &self.review.changes.outputs;
        let text = self.texts.map(|texts| &texts.outputs);
        let findings = |at: usize| match outputs.get(at) {
            Some(output) => self.findings_at(output),
            None => Vec::new(),
        };
        let (lines, shown) = outputs_text(outputs, &findings, text, self.options);
        for (at, shown) in shown.iter().enumerate() {
            self.coverage.record(SectionKind::Outputs, at, shown);
        }
        let has_secrets = outputs.iter().any(|output| output.secrets.is_some());
        let text = text.map(|text| match has_secrets {
            true => self.review.masks.styled(text, Hiding::default()),
            false => Cow::Borrowed(text),
        });
        Outputs {
            number: outputs.len(),
            text,
            lines,
        }
    }

    /// Adds the sections of actions, now and deferred ones: behind the resources, or before those that are not grave if an
    /// action has a finding.
    fn invocations(&mut self, now: &[usize], deferred: &[usize], sections: &mut Vec<Section<'r>>) {
        let all = &self.review.changes.invocations;
        let is_grave = now
            .iter()
            .any(|at| all.get(*at).is_some_and(|one| !one.findings.is_empty()));
        let is_graver = |section: &Section<'_>| {
            section.kind == SectionKind::Resources
                && section.entries.iter().any(|entry| entry.is_destroyed)
        };
        let place = sections
            .iter()
            .take_while(|section| is_graver(section))
            .count();
        for (place, title, kind, places) in [
            (
                is_grave.then_some(place),
                "Actions to invoke",
                SectionKind::Invocations,
                now,
            ),
            (
                None,
                "Actions deferred to a later plan",
                SectionKind::DeferredInvocations,
                deferred,
            ),
        ] {
            let mut entries: Vec<report::ReportEntry<'r>> = places
                .iter()
                .filter_map(|at| self.invocation(kind, *at))
                .collect();
            if !entries.is_empty() {
                entries.sort_by_key(|entry| Reverse(entry.level));
                let section = self.section(kind, Title::Text(title), entries);
                sections.insert(place.unwrap_or(sections.len()), section);
            }
        }
    }

    fn invocation(&mut self, kind: SectionKind, at: usize) -> Option<report::ReportEntry<'r>> {
        let (review, options) = (self.review, self.options);
        let invocation = review.changes.list(kind).get(at)?;
        // The text of a change has the actions that this plan invokes before and after it.
        let event = invocation.trigger.event;
        let is_beside = kind == SectionKind::Invocations
            && (event.starts_with("Before") || event.starts_with("After"))
            && self.is_page()
            && !options.list;
        let text = match self
            .by_address
            .get(invocation.trigger.address)
            .filter(|_| is_beside)
        {
            Some(number) => report::UpstreamText::In(*number),
            None => self.own_text(invocation, self.text(kind, at)),
        };
        let findings = self.findings_at(invocation);
        let written = match text {
            report::UpstreamText::None if options.list && !self.is_page() => {
                elsewhere(invocation, Shown::Counted)
            }
            report::UpstreamText::None => invocation_text(invocation, &findings, options),
            report::UpstreamText::Own(_) | report::UpstreamText::In(_) => {
                elsewhere(invocation, Shown::InFull)
            }
        };
        self.coverage.record(kind, at, &written.shown);
        let unsaid = self.unsaid(&findings, &written.said);
        let mut lines = told(invocation, &unsaid).lines;
        lines.extend(written.lines);
        let (sign, phrase) = match invocation.deferred_reason {
            None => ("!", "is invoked"),
            Some(_) => ("…", "is invoked in a later plan"),
        };
        let deferred = invocation.deferred_reason.map(reasons::deferred);
        let found = head::with_findings(review, &invocation.findings);
        let reasons = deferred
            .into_iter()
            .chain([reasons::invoked(invocation.trigger)]);
        Some(report::ReportEntry {
            number: self.number(),
            sign: report::EntrySign {
                symbol: sign,
                tone: Tone::Changed,
            },
            address: one_line(invocation.address),
            phrase: phrase.to_owned(),
            remark: phrase.to_owned(),
            kind: "invoke",
            object_type: invocation.resource_type,
            reasons: reasons.map(|reason| one_line(&reason)).collect(),
            lines,
            text,
            priority: priority(found.level),
            order: BESIDE_RESOURCES,
            places: report::EntryPlaces {
                list: kind,
                indices: vec![at],
            },
            ..found
        })
    }
}

fn title_of(group: Option<&EntryGroup<'_, '_>>, is_by_module: bool) -> Title {
    match group.and_then(EntryGroup::module) {
        _ if !is_by_module => Title::Changes,
        Some(module) => Title::Module(module.to_owned()),
        None => Title::Text("In several modules"),
    }
}

/// How many columns of a title are left for its parts.
struct TitleWidth {
    /// What is left beside the sign, the number, the remark and the kinds of findings.
    left: usize,
    /// The subject may be left out: the object exists.
    is_optional: bool,
}

impl TitleWidth {
    /// Wider titles are hard to read.
    const MAX: usize = 100;
    /// The columns in front of a title, and of each cause above it.
    const MARGIN: usize = 3;
    const INDENT: usize = 2;
    /// An address, and what an object is, have at least so many columns, even if the title is wrapped then.
    const MIN: usize = 24;

    fn new(
        options: &Options,
        depth: usize,
        remark: &str,
        mark: &Mark,
        group: &EntryGroup<'_, '_>,
    ) -> Self {
        let spaced = |text: &str| match text.width() {
            0 => 0,
            width => width + 2,
        };
        let times = match group.places.len() {
            1 => 0,
            number => format!("{number} × ").width(),
        };
        let brackets = if remark.is_empty() { 0 } else { 2 };
        let used = Self::MARGIN
            + Self::INDENT * depth
            + group.symbol().len()
            + 1
            + times
            + spaced(remark)
            + brackets
            + spaced(&mark.words());
        Self {
            left: options.width.min(Self::MAX).saturating_sub(used),
            is_optional: group.kind() != ChangeKind::Create,
        }
    }

    /// The columns of a line that may be written behind the title, as it is the only one.
    fn of_line(lines: &[report::Line]) -> Option<usize> {
        let [only] = lines else { return None };
        let sign = match only.sign {
            Sign::Add | Sign::Remove => 2,
            Sign::Change | Sign::Same | Sign::Note => 0,
        };
        let kinds = match only.mark().words().width() {
            0 => 0,
            width => width + 2,
        };
        (only.depth == 0).then(|| 2 + sign + only.text().width() + kinds)
    }

    fn of_address(&self, subject: &[SubjectItem], lines: &[report::Line]) -> usize {
        let first = match self.is_optional {
            true => 0,
            false => subject.first().map_or(0, |item| item.text().width() + 2),
        };
        let line = Self::of_line(lines).unwrap_or_default();
        let left = self.left.saturating_sub(first);
        match left.checked_sub(line) {
            Some(left) if left >= Self::MIN => left,
            Some(_) | None => left.max(Self::MIN),
        }
    }

    /// What is left behind the address. A line that fits there is worth more than the rest of the subject.
    fn of_subject(&self, address: &str, subject: &[SubjectItem], lines: &[report::Line]) -> usize {
        let first = subject.first().map_or(0, |item| item.text().width());
        let left = self.left.saturating_sub(address.width() + 2);
        let line = Self::of_line(lines).unwrap_or_default();
        match left.checked_sub(line) {
            Some(beside) if beside >= first || self.is_optional => beside,
            // Of what is created, at least a part says what it is.
            Some(_) | None if !self.is_optional => left.max(first),
            Some(_) | None => left,
        }
    }
}

/// The change that makes another one necessary, by the addresses of the replacements in which it is one.
fn causes<'r>(review: &'r PlanReview<'_>) -> HashMap<&'r str, &'r str> {
    let changing = review
        .changes
        .resources
        .iter()
        .filter(|entry| entry.kind().is_replacement() && entry.deposed.is_empty());
    let replaced: HashSet<&str> = changing.clone().map(|entry| entry.address).collect();
    let mut causes = HashMap::new();
    for entry in changing {
        let mut found = entry
            .causes
            .iter()
            .map(|cause| cause.address)
            .filter(|address| *address != entry.address && replaced.contains(address));
        if let Some(cause) = found.next() {
            causes.insert(entry.address, cause);
        }
    }
    causes
}

fn priority(level: Level) -> Priority {
    match level {
        Level::Critical => Priority::Grave,
        Level::Warning | Level::Notice => Priority::Flagged,
        Level::None => Priority::Plain,
    }
}

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

fn row(review: &PlanReview<'_>) -> Row {
    use ChangeKind::{Create, Destroy, Forget, Replace, Update};
    let found: BTreeSet<_> = review
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
        findings: found
            .into_iter()
            .map(FindingKind::name)
            .collect::<Vec<_>>()
            .join(", "),
    }
}
