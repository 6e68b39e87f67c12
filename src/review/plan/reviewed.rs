//! What a review keeps of each part of a plan.

use crate::diff::Error;
use crate::diff::edits::{Comparer, PlanPart, Sides, ValueEdits};
use crate::json::Raw;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::report::SectionKind;
use crate::review::access;
use crate::review::entry::{Entry, Finding, FindingKind, Importing, Trigger};
use crate::review::findings::{self, Credentials, Documents, Fate, Finder};
use crate::review::masks::Masks;
use crate::review::summary::{Subject, summary};
use crate::review::text::root_name;

/// A reviewed part of a plan, with its findings.
pub(super) struct Reviewed<'a> {
    pub(super) list: SectionKind,
    pub(super) entry: Entry<'a>,
    pub(super) findings: Vec<Finding<'a>>,
    /// What texts show instead of the credentials in it.
    pub(super) masks: Masks,
}

/// The values of a part, and what is found in them.
#[derive(Clone, Copy)]
struct Values<'o, 'w, 'a> {
    comparer: &'o Comparer<'w, 'a>,
    /// The rules of findings, if they are searched.
    finder: Option<&'o Finder<'o>>,
    found: ValueEdits<'w, 'a>,
    /// The same as texts show them.
    masked: ValueEdits<'w, 'a>,
    credentials: &'o Credentials<'w>,
    documents: &'o Documents<'w>,
}

/// Reviews a part of a plan. Findings are searched if there is a finder. With `keep_whole`, unchanged values are kept
/// too.
pub(super) fn review<'w, 'a: 'w>(
    part: PlanPart<'_, 'a>,
    found: ValueEdits<'w, 'a>,
    comparer: &Comparer<'w, 'a>,
    finder: Option<&Finder<'_>>,
    keep_whole: bool,
) -> Result<Reviewed<'a>, Error> {
    let redactor = comparer.redactor;
    let documents = &Documents::new(comparer.build);
    let Sides { before, after, .. } = found.sides;
    let name = if let PlanPart::Output(name, _) = part { Some(name) } else { None };
    let mut credentials = match finder {
        Some(_) => Credentials::find(name, [before, after], documents),
        None => Credentials::default(),
    };
    if redactor.show_sensitive {
        credentials.masks = Masks::default();
    }
    let masked = credentials.masks.hide(found, (comparer.build.arena(), redactor.arena));
    let values = Values { comparer, finder, found, masked, credentials: &credentials, documents };
    let (list, deferred_reason) = match part {
        PlanPart::Planned(_) => (SectionKind::Resources, None),
        PlanPart::Drift(_) => (SectionKind::Drift, None),
        PlanPart::Deferred(deferred) => (SectionKind::Deferred, Some(&deferred.reason)),
        PlanPart::Output(..) => (SectionKind::Outputs, None),
        PlanPart::Invocation(_) => (SectionKind::Invocations, None),
        PlanPart::DeferredInvocation(deferred) => (SectionKind::DeferredInvocations, Some(&deferred.reason)),
    };
    let object = |change| Ok::<_, Error>((values.findings(list, change), values.object(change, keep_whole)?));
    let (findings, entry) = match part {
        PlanPart::Planned(change) | PlanPart::Drift(change) => object(change)?,
        PlanPart::Deferred(deferred) => object(&deferred.resource_change)?,
        PlanPart::Output(name, change) => {
            let (address, action) = (redactor.text(name), change.actions.clone());
            let findings = credentials.findings("", after, redactor);
            (findings, Entry { address, action, ..Entry::default() })
        }
        PlanPart::Invocation(action) => values.action(action),
        PlanPart::DeferredInvocation(deferred) => values.action(&deferred.action_invocation),
    };
    let deferred_reason = deferred_reason.map(|reason| redactor.text(reason));
    let entry = Entry { deferred_reason, edits: masked.edits, exact_edits: found.edits, ..entry };
    Ok(Reviewed { list, entry, findings, masks: credentials.masks })
}

impl<'w, 'a: 'w> Values<'_, 'w, 'a> {
    fn action(self, action: &ActionInvocation<'a>) -> (Vec<Finding<'a>>, Entry<'a>) {
        let (after, redactor) = (self.found.sides.after, self.comparer.redactor);
        let mut findings = self.credentials.findings(&action.action_type, after, redactor);
        if let Some(rules) = self.finder.and_then(|finder| finder.rules.get(&*action.action_type)) {
            findings.extend(findings::of_action(after, rules));
        }
        let trigger = action.lifecycle_action_trigger.as_ref().map(|trigger| Trigger {
            address: redactor.text(&trigger.triggering_resource_address),
            event: redactor.text(&trigger.action_trigger_event),
        });
        let caller = action.invoke_action_trigger.as_ref();
        let entry = Entry {
            address: redactor.text(&action.address),
            resource_type: redactor.text(&action.action_type),
            trigger,
            caller: redactor.text(caller.map_or("", |caller| &caller.calling_resource_address)),
            ..Entry::default()
        };
        (findings, entry)
    }

    fn findings(self, list: SectionKind, change: &ResourceChange<'a>) -> Vec<Finding<'a>> {
        let (Some(finder), Some(fate)) = (self.finder, Fate::from_action(&change.change.actions)) else {
            return Vec::new();
        };
        let Some(rules) = finder.rules.get(&*change.resource_type).filter(|_| &*change.mode != "data") else {
            return Vec::new();
        };
        let Values { comparer, found, credentials, documents, .. } = self;
        let after = found.sides.after;
        // A finding may show a value before that the change hides because its counterpart is sensitive.
        let before = comparer.build.hiding_beside(found.sides.before, after);
        let (excused, resource_type) = (finder.excused(list, change), &*change.resource_type);
        let subject =
            findings::Subject { fate, resource_type, before, after, excused, documents, credentials };
        let mut found = findings::find(&subject, rules, comparer.redactor);
        // What was replaced neither serves nor protects anything.
        let is_past =
            |finding: &Finding<'_>| matches!(finding.kind, FindingKind::Downtime | FindingKind::Protection);
        found.retain(|finding| change.deposed.is_empty() || !is_past(finding));
        found
    }

    fn object(self, change: &ResourceChange<'a>, keep_whole: bool) -> Result<Entry<'a>, Error> {
        let Values { comparer, masked: found, documents, .. } = self;
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
        let replaced_with = if change.change.actions.is_replace() {
            let is_changed = |name: &str| found.edits.iter().any(|edit| root_name(edit) == name);
            let subject = Subject {
                resource_type: &change.resource_type,
                known_as: &change.name,
                given: &[],
                schema: found.schema,
                is_brief: true,
            };
            redactor.text(&summary(after, subject, &is_changed).text)
        } else {
            ""
        };
        Ok(Entry {
            replaced_with,
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
            generated_config: redactor.text(&change.change.generated_config),
            replace_paths: found.replace_paths,
            unchanged: found.unchanged,
            schema: found.schema,
            access: access::find(&change.resource_type, found.edits, (before, after), documents, redactor),
            whole: keep_whole
                .then(|| (comparer.keep_beside(before, after), comparer.keep_beside(after, before))),
            ..Entry::default()
        })
    }
}
