//! Reviews a plan: makes an entry for each change, in the order of the plan.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bumpalo::Bump;

use super::accepted::Acceptance;
use super::entry::{Entry, Finding, FindingKind, Importing, PlanReview, Reason, Trigger};
use super::finding::FoundIn;
use super::findings::{
    self, Copies, Credentials, Documents, Fate, Finder, Found, Rules, expected, is_like_a_secret,
};
use super::masks::{self, SiblingNames};
use super::new_texts;
use super::summary::{Elsewhere, summary};
use super::text::root_name;
use super::{
    ChangeKind, Verdict, access, causes, finding, groups, inputs, one_line, reasons, renames, runs,
    shifts,
};
use crate::dialect::Tool;
use crate::diff::Error;
use crate::diff::edits::{self, Comparer, PlanPart, Settings, Sides, ValueEdits};
use crate::diff::parallel::Storage;
use crate::diff::value::{MarkedValue, Redactor};
use crate::json::Raw;
use crate::model::Action;
use crate::model::plan::{ActionInvocation, Plan, PlanMode, ResourceChange, says_more};
use crate::report::SectionKind;
use crate::schema::Schemas;
use crate::term::StyledText;

#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'r> {
    /// Without rules, neither findings nor causes are searched.
    pub rules: Option<&'r Rules>,
    pub unit: Option<&'r str>,
    pub show_sensitive: bool,
    /// Keeps unchanged values in [`Entry::whole`](super::entry::Entry::whole).
    pub keep_whole: bool,
    /// Values of sensitive variables need `show_sensitive`, too.
    pub keep_variables: bool,
    /// Findings that violate no gate on findings.
    pub accepted: &'r [Arc<Acceptance>],
}

/// Bytes of texts that are compressed in strings, in addition to four times the size of the plan.
const MAX_DECODED: usize = 12 << 20;

impl<'a> PlanReview<'a> {
    /// The text of a change as texts of a review show it: without credentials, and without copies of what is
    /// sensitive. It is for readers that may not see them.
    pub fn masked(&self, kind: SectionKind, at: usize, text: &StyledText) -> StyledText {
        let entry = self.list(kind).get(at);
        let hiding = entry
            .and_then(|entry| entry.secrets.as_ref())
            .map(|secrets| secrets.hiding())
            .unwrap_or_default();
        self.masks.styled(text, hiding).into_owned()
    }

    pub(crate) fn list(&self, kind: SectionKind) -> &[Entry<'a>] {
        match kind {
            SectionKind::Resources => &self.resources,
            SectionKind::Drift => &self.drift,
            SectionKind::Deferred => &self.deferred,
            SectionKind::Invocations => &self.invocations,
            SectionKind::DeferredInvocations => &self.deferred_invocations,
            SectionKind::Outputs => &self.outputs,
        }
    }

    pub(super) fn list_mut(&mut self, kind: SectionKind) -> &mut Vec<Entry<'a>> {
        match kind {
            SectionKind::Resources => &mut self.resources,
            SectionKind::Drift => &mut self.drift,
            SectionKind::Deferred => &mut self.deferred,
            SectionKind::Invocations => &mut self.invocations,
            SectionKind::DeferredInvocations => &mut self.deferred_invocations,
            SectionKind::Outputs => &mut self.outputs,
        }
    }

    pub(super) fn objects(&self) -> impl Iterator<Item = (SectionKind, &Entry<'a>)> {
        let lists = [
            SectionKind::Resources,
            SectionKind::Drift,
            SectionKind::Deferred,
        ]
        .into_iter();
        lists.flat_map(|kind| self.list(kind).iter().map(move |entry| (kind, entry)))
    }

    /// The name of its unit, if it is one of several.
    pub fn title(&self) -> &str {
        self.unit.as_deref().unwrap_or(&self.name)
    }

    /// The plan itself says that there is more to do than its changes show.
    pub fn says_more(&self) -> bool {
        says_more(self.errored, self.complete, self.applyable)
            || !self.deferred.is_empty()
            || !self.deferred_invocations.is_empty()
    }

    /// `text` is the document that the plan was read from. Values of the review are stored in `storage`.
    pub fn new(
        name: &str,
        text: &'a str,
        plan: &Plan<'a>,
        schemas: &Schemas<'a>,
        options: ReadOptions<'_>,
        arena: &'a Bump,
        storage: &'a mut Storage,
    ) -> Result<Self, Error> {
        let findings = options
            .rules
            .map(|rules| Finder::new(rules, plan, arena))
            .transpose()?;
        let texts = [text, "", ""];
        let show_sensitive = options.show_sensitive;
        let settings = Settings {
            texts,
            show_sensitive,
            decoded: MAX_DECODED,
        };
        let reviewed = edits::plan(
            plan,
            schemas,
            settings,
            arena,
            storage,
            |part, found, comparer| {
                review_part(part, found, comparer, findings.as_ref(), options.keep_whole)
            },
        )?;
        let redactor = Redactor {
            texts,
            arena,
            show_sensitive,
        };
        let mut review = Self {
            name: name.to_owned(),
            unit: options.unit.map(str::to_owned),
            tool: Tool::from_plan(plan),
            tool_version: redactor.text(&plan.terraform_version),
            format_version: redactor.text(&plan.format_version),
            timestamp: redactor.text(&plan.timestamp),
            errored: plan.errored,
            complete: plan.complete,
            applyable: plan.applyable,
            mode: if plan.errored {
                PlanMode::Normal
            } else {
                PlanMode::of(plan)
            },
            unchanged_objects: plan
                .resource_changes
                .iter()
                .filter(|change| change.is_silent() && &*change.mode == "managed")
                .count(),
            ..Self::default()
        };
        match inputs::variables(plan, redactor, options.keep_variables) {
            Ok(found) => review.variables = found,
            Err(error) if options.keep_variables => return Err(Error::from(error)),
            Err(error) => review
                .notes
                .push(one_line(&format!("the variables cannot be read: {error}"))),
        }
        let mut found: Vec<FoundIn<'a>> = Vec::new();
        for Reviewed {
            list,
            entry,
            findings,
            texts,
            is_judged,
        } in reviewed
        {
            if !is_judged {
                review.unjudged.insert(entry.resource_type);
            }
            review.masks.add(&texts);
            let entries = review.list_mut(list);
            found.push((list, entries.len(), findings));
            entries.push(entry);
        }
        for variable in review.variables.iter().filter(|_| !show_sensitive) {
            if let Some(value) = variable.value {
                review.masks.add_value(Some(variable.name), value);
            }
        }
        finding::mark_relevant(&mut review.drift, plan, arena)?;
        if let Some(finder) = &findings {
            causes::find_causes(&mut review.resources, plan, redactor);
            let mut unchanged = HashSet::new();
            let more = expected(&review.resources, finder, plan, redactor, &mut unchanged);
            for (at, more) in more {
                found[at].2.extend(more);
            }
            for (at, finding) in findings::references(&review.resources, redactor) {
                found[at].2.push(finding);
            }
            for at in findings::relate(&mut found, &review, &unchanged, plan, redactor)? {
                review.drift[at].reasons.push(Reason::of_own_parts());
            }
        }
        finding::mark_undone(&mut found, plan, arena)?;
        finding::list(found, options.accepted, &mut review);
        let checks = plan.checks.map(|all| inputs::checks(all, show_sensitive));
        review.checks = checks.unwrap_or_default();
        review.verdict = Verdict::new(&review);
        review.level = review.verdict.level;
        reasons::add(&mut review);
        runs::add(&mut review, plan, arena);
        shifts::add(&mut review);
        groups::find(&mut review);
        if options.rules.is_some() {
            renames::find(&mut review, plan);
        }
        hide(&mut review, plan, arena);
        Ok(review)
    }
}

/// Hides credentials and copies of what is sensitive in everything that texts show.
fn hide<'a>(review: &mut PlanReview<'a>, plan: &Plan<'a>, arena: &'a Bump) {
    let causes = LazyCell::new(|| causes::Causes::new(plan, arena));
    let changes = LazyCell::new(|| -> HashMap<&str, &ResourceChange<'a>> {
        let deferred = plan
            .deferred_changes
            .iter()
            .map(|deferred| &deferred.resource_change);
        let all = plan
            .resource_drift
            .iter()
            .chain(deferred)
            .chain(&plan.resource_changes);
        all.map(|change| (&*change.address, change)).collect()
    });
    let configured = |entry: &Entry<'a>| causes.configured(changes.get(entry.address)?);
    masks::hide(review, &configured, arena);
}

struct Reviewed<'a> {
    list: SectionKind,
    entry: Entry<'a>,
    findings: Vec<Finding<'a>>,
    texts: Found,
    /// No rule looks at the type of a changed object.
    is_judged: bool,
}

/// What texts must not show of an object.
#[derive(Clone, Debug, Default)]
pub(in crate::review) struct Secrets {
    pub(in crate::review) siblings: SiblingNames,
    /// Its sensitive texts, if one is elsewhere in it, too.
    pub(in crate::review) copies: Option<Arc<Copies>>,
    /// Those of them that hardly are anything else, for objects of which nobody knows what the author wrote.
    pub(in crate::review) likely_copies: Option<Arc<Copies>>,
    pub(in crate::review) configured: Option<HashSet<String>>,
}

#[derive(Clone, Copy)]
struct Values<'o, 'w, 'a> {
    comparer: &'o Comparer<'w, 'a>,
    finder: Option<&'o Finder<'o, 'a>>,
    found: ValueEdits<'w, 'a>,
    credentials: &'o Credentials<'w>,
    documents: &'o Documents<'w>,
}

/// Reviews a part of a plan. Findings are searched if there is a finder. With `keep_whole`, unchanged values are kept
/// too.
fn review_part<'w, 'a: 'w>(
    part: PlanPart<'_, 'a>,
    found: ValueEdits<'w, 'a>,
    comparer: &Comparer<'w, 'a>,
    finder: Option<&Finder<'_, 'a>>,
    keep_whole: bool,
) -> Result<Reviewed<'a>, Error> {
    let redactor = comparer.redactor;
    let documents = &Documents::new(comparer.build);
    let Sides { before, after, .. } = found.sides;
    let name = if let PlanPart::Output(name, _) = part {
        Some(name)
    } else {
        None
    };
    let is_object = matches!(
        part,
        PlanPart::Planned(_) | PlanPart::Drift(_) | PlanPart::Deferred(_)
    );
    let copies_of = |is_copied: &dyn Fn(&str) -> bool| {
        let copies = Copies::of(&[before, after], documents, is_copied);
        copies
            .filter(|_| is_object && !redactor.show_sensitive)
            .map(Arc::new)
    };
    let copies = copies_of(&|_| true);
    // What one side hides is hidden on the other side too, with its keys, which are in the paths of findings.
    let shown_sides = [
        comparer.build.hiding_beside(before, after),
        comparer.build.hiding_beside(after, before),
    ];
    let mut credentials = match finder {
        Some(_) => Credentials::find(name, shown_sides, documents, copies.as_deref()),
        None => Credentials::default(),
    };
    if redactor.show_sensitive {
        credentials.texts = Found::default();
    }
    let secrets = (!credentials.texts.is_empty()).then(|| {
        let copies = copies.filter(|_| credentials.texts.has_copies);
        Box::new(Secrets {
            siblings: credentials.texts.siblings.clone(),
            likely_copies: copies.as_ref().and_then(|_| copies_of(&is_like_a_secret)),
            copies,
            configured: None,
        })
    });
    let values = Values {
        comparer,
        finder,
        found,
        credentials: &credentials,
        documents,
    };
    let object = |list, change, reason| {
        Ok::<_, Error>((
            list,
            reason,
            values.findings(list, change),
            values.object(change, keep_whole)?,
        ))
    };
    let action = |list, action, reason| {
        let (findings, entry) = values.action(action);
        (list, reason, findings, entry)
    };
    let object_change = match part {
        PlanPart::Planned(change) | PlanPart::Drift(change) => Some(change),
        PlanPart::Deferred(deferred) => Some(&deferred.resource_change),
        PlanPart::Output(..) | PlanPart::Invocation(_) | PlanPart::DeferredInvocation(_) => None,
    };
    let (list, deferred_reason, mut findings, entry) = match part {
        PlanPart::Planned(change) => object(SectionKind::Resources, change, None)?,
        PlanPart::Drift(change) => object(SectionKind::Drift, change, None)?,
        PlanPart::Deferred(deferred) => object(
            SectionKind::Deferred,
            &deferred.resource_change,
            Some(&deferred.reason),
        )?,
        PlanPart::Output(name, change) => {
            let (address, action) = (redactor.text(name), change.actions.clone());
            let mut findings = credentials.findings("", after, redactor);
            findings.extend(findings::uncovered(before, after));
            (
                SectionKind::Outputs,
                None,
                findings,
                Entry {
                    address,
                    action,
                    ..Entry::default()
                },
            )
        }
        PlanPart::Invocation(invocation) => action(SectionKind::Invocations, invocation, None),
        PlanPart::DeferredInvocation(deferred) => action(
            SectionKind::DeferredInvocations,
            &deferred.action_invocation,
            Some(&deferred.reason),
        ),
    };
    let deferred_reason = deferred_reason.map(|reason| redactor.text(reason));
    let is_new = entry.kind() == ChangeKind::Other
        || matches!(entry.action, Action::Open | Action::Unknown(_));
    let change = if is_new {
        redactor.text(entry.action.words())
    } else {
        entry.kind().word()
    };
    let entry = Entry {
        change,
        deferred_reason,
        new_texts: new_texts::find(found.edits, entry.kind(), redactor.arena),
        edits: found.edits,
        exact_edits: found.edits,
        secrets,
        ..entry
    };
    let is_hidden = !redactor.show_sensitive
        && object_change.is_some_and(|change| {
            change.is_managed() && change.change.hides_what_no_schema_knows()
        });
    if is_hidden && finder.is_some() {
        findings.push(finding::not_judged());
    }
    Ok(Reviewed {
        list,
        entry,
        findings,
        is_judged: !is_hidden && object_change.is_none_or(|change| values.is_judged(change)),
        texts: credentials.texts,
    })
}

impl<'w, 'a: 'w> Values<'_, 'w, 'a> {
    fn action(self, action: &ActionInvocation<'a>) -> (Vec<Finding<'a>>, Entry<'a>) {
        let (after, redactor) = (self.found.sides.after, self.comparer.redactor);
        let mut findings = self
            .credentials
            .findings(&action.action_type, after, redactor);
        if let Some(rules) = self
            .finder
            .and_then(|finder| finder.rules.get(&*action.action_type))
        {
            findings.extend(findings::of_action(after, rules));
        }
        let trigger = match (
            &action.lifecycle_action_trigger,
            &action.invoke_action_trigger,
        ) {
            (Some(trigger), _) => Trigger {
                event: redactor.text(&trigger.action_trigger_event),
                address: redactor.text(&trigger.triggering_resource_address),
            },
            (None, Some(caller)) => Trigger {
                event: reasons::INVOKED,
                address: redactor.text(&caller.calling_resource_address),
            },
            (None, None) => Trigger {
                event: reasons::INVOKED,
                address: "",
            },
        };
        let entry = Entry {
            address: redactor.text(&action.address),
            resource_type: redactor.text(&action.action_type),
            trigger,
            ..Entry::default()
        };
        (findings, entry)
    }

    fn findings(self, list: SectionKind, change: &ResourceChange<'a>) -> Vec<Finding<'a>> {
        let (Some(finder), Some(fate)) = (self.finder, Fate::from_action(&change.change.actions))
        else {
            return Vec::new();
        };
        let Some(rules) = finder
            .rules
            .get(&*change.resource_type)
            .filter(|_| &*change.mode != "data")
        else {
            return Vec::new();
        };
        let Values {
            comparer,
            found,
            credentials,
            documents,
            ..
        } = self;
        let after = found.sides.after;
        // A finding may show a value before that the change hides because its counterpart is sensitive.
        let before = comparer.build.hiding_beside(found.sides.before, after);
        let (excused, resource_type) = (finder.excused(list, change), &*change.resource_type);
        let subject = findings::Subject {
            fate,
            resource_type,
            before,
            after,
            excused,
            documents,
            credentials,
            left: self.left(finder, list, change),
            configuration: finder.configuration,
        };
        let subject = findings::Subject {
            before: findings::described(&change.resource_type, subject.before, comparer.build),
            after: findings::described(&change.resource_type, subject.after, comparer.build),
            ..subject
        };
        let mut found = findings::find(&subject, rules, comparer.redactor);
        // What was replaced neither serves nor protects anything.
        let is_past = |finding: &Finding<'_>| {
            matches!(
                finding.kind,
                FindingKind::Downtime | FindingKind::Protection
            )
        };
        found.retain(|finding| change.deposed.is_empty() || !is_past(finding));
        found
    }

    /// Whether a rule looks at the type of a changed object, or at one of its attributes.
    fn is_judged(self, change: &ResourceChange<'a>) -> bool {
        let is_changed = Fate::from_action(&change.change.actions).is_some();
        let (Some(finder), true) = (self.finder, is_changed && &*change.mode != "data") else {
            return true;
        };
        let sides = [self.found.sides.before, self.found.sides.after];
        let rules = finder.rules.get(&*change.resource_type);
        rules.is_some_and(|rules| rules.iter().any(|rule| rule.judges(sides)))
    }

    /// The object as the last apply left it, if a planned change is one to what changed outside of the tool since.
    fn left(
        self,
        finder: &Finder<'_, 'a>,
        list: SectionKind,
        change: &ResourceChange<'a>,
    ) -> Option<MarkedValue<'w>> {
        let left = match list {
            SectionKind::Resources | SectionKind::Deferred => finder.left(change)?,
            SectionKind::Drift
            | SectionKind::Invocations
            | SectionKind::DeferredInvocations
            | SectionKind::Outputs => return None,
        };
        let value = self.comparer.build.parse(left.text()).ok()?;
        // What is sensitive now was sensitive then.
        Some(
            self.comparer
                .build
                .hiding_beside(value, self.found.sides.before),
        )
    }

    fn object(self, change: &ResourceChange<'a>, keep_whole: bool) -> Result<Entry<'a>, Error> {
        let Values {
            comparer,
            found,
            documents,
            ..
        } = self;
        let redactor = comparer.redactor;
        let value = |raw| Raw::value_or_null(raw, redactor.arena);
        let (before, after) = (found.sides.before, found.sides.after);
        let importing = change.change.importing.as_ref().map(|importing| {
            Ok::<_, Error>(Importing {
                id: Some(redactor.text(&importing.id)).filter(|id| !id.is_empty()),
                unknown: importing.unknown,
                identity: value(importing.identity)?,
            })
        });
        let mut entry = Entry {
            address: redactor.text(&change.address),
            previous_address: redactor.text(&change.previous_address),
            module_address: redactor.text(&change.module_address),
            mode: redactor.text(&change.mode),
            resource_type: redactor.text(&change.resource_type),
            name: redactor.text(&change.name),
            index: value(change.index)?,
            deposed: redactor.text(&change.deposed),
            provider_name: redactor.text(&change.provider_name),
            action: change.change.actions.clone(),
            action_reason: redactor.text(&change.action_reason),
            importing: importing.transpose()?,
            is_generated: !change.change.generated_config.is_empty(),
            replace_paths: found.replace_paths,
            unchanged: found.unchanged,
            schema: found.schema,
            access: access::find(
                &change.resource_type,
                found.edits,
                (before, after),
                documents,
                redactor,
            ),
            whole: keep_whole.then(|| {
                // An equal element may be at another place before, and hidden there.
                let after = comparer.build.hiding_beside(after, before);
                (
                    comparer.keep_beside(before, after),
                    comparer.keep_beside(after, before),
                )
            }),
            ..Entry::default()
        };
        if change.change.actions.is_replace() {
            let is_changed = |name: &str| found.edits.iter().any(|edit| root_name(edit) == name);
            // Rules are lines: their members say nothing of what the object is.
            let is_shown =
                |name: &str| is_changed(name) || access::is_rule(&change.resource_type, name);
            let elsewhere = Elsewhere {
                shows: &is_shown,
                says: &|_| false,
            };
            entry.replaced_with = summary(after, &entry, true, &elsewhere);
        }
        Ok(entry)
    }
}
