//! What a review keeps of each part of a plan.

use crate::access::Policies;
use crate::diff::Error;
use crate::diff::edits::{Comparer, PlanPart, Sides, ValueEdits};
use crate::json::Raw;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::report::SectionKind;
use crate::review::access;
use crate::review::entry::{
    Entry, Finding, FindingKind, Importing, Invocation, Output, OwnFindings, Trigger,
};
use crate::review::findings::{self, Credentials, Documents, Fate, Finder};
use crate::review::masks::Masks;
use crate::review::summary::{Subject, summary};
use crate::review::text::root_name;

/// A reviewed part of a plan, with its findings.
pub(super) struct Reviewed<'a> {
    pub(super) list: SectionKind,
    pub(super) item: Item<'a>,
    pub(super) findings: Vec<Finding<'a>>,
    /// What texts show instead of the credentials in it.
    pub(super) masks: Masks,
}

/// An item of a list of a plan.
pub(super) enum Item<'a> {
    // Entries are much larger than the others, of which there may be very many.
    Entry(Box<Entry<'a>>),
    Output(Output<'a>),
    Invocation(Invocation<'a>),
}

impl<'a> Item<'a> {
    /// The address or name, and the deposed key.
    pub(super) fn name(&self) -> (&'a str, &'a str) {
        match self {
            Self::Entry(entry) => (entry.address, entry.deposed),
            Self::Output(output) => (output.name, ""),
            Self::Invocation(invocation) => (invocation.address, ""),
        }
    }
}

/// The values of a part, and what is found in them.
#[derive(Clone, Copy)]
struct Values<'o, 'w, 'a> {
    found: ValueEdits<'w, 'a>,
    /// The same as texts show them.
    masked: ValueEdits<'w, 'a>,
    credentials: &'o Credentials<'w>,
    policies: &'o Policies<'w>,
    documents: &'o Documents<'w>,
}

/// Reviews the parts of a plan.
#[derive(Clone, Copy)]
pub(super) struct Reviewer<'f> {
    /// The rules of findings, if they are searched.
    pub(super) findings: Option<&'f Finder<'f>>,
    /// Whether to keep unchanged values too.
    pub(super) keep_whole: bool,
}

impl Reviewer<'_> {
    pub(super) fn review<'w, 'a: 'w>(
        self,
        part: PlanPart<'_, 'a>,
        found: ValueEdits<'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> Result<Reviewed<'a>, Error> {
        let redactor = comparer.redactor;
        let (policies, documents) = (&Policies::new(comparer.build.arena()), &Documents::new(comparer.build));
        let Sides { before, after, .. } = found.sides;
        let name = if let PlanPart::Output(name, _) = part { Some(name) } else { None };
        let mut credentials = match self.findings {
            Some(_) => Credentials::find(name, [before, after], documents),
            None => Credentials::default(),
        };
        if redactor.show_sensitive {
            credentials.masks = Masks::default();
        }
        let masked = credentials.masks.hide(found, (comparer.build.arena(), redactor.arena));
        let values = Values { found, masked, credentials: &credentials, policies, documents };
        let (list, item, findings) = match part {
            PlanPart::Planned(change) => {
                self.change(SectionKind::Resources, change, None, values, comparer)?
            }
            PlanPart::Drift(change) => self.change(SectionKind::Drift, change, None, values, comparer)?,
            PlanPart::Deferred(deferred) => {
                let (change, reason) = (&deferred.resource_change, redactor.text(&deferred.reason));
                self.change(SectionKind::Deferred, change, Some(reason), values, comparer)?
            }
            PlanPart::Output(name, change) => {
                let output = Output {
                    name: redactor.text(name),
                    action: change.actions.clone(),
                    edits: masked.edits,
                    exact_edits: found.edits,
                    findings: OwnFindings::default(),
                };
                let findings = credentials.findings("", after, redactor);
                (SectionKind::Outputs, Item::Output(output), findings)
            }
            PlanPart::Invocation(action) => {
                self.invocation(SectionKind::Invocations, action, None, values, comparer)
            }
            PlanPart::DeferredInvocation(deferred) => {
                let (action, reason) = (&deferred.action_invocation, redactor.text(&deferred.reason));
                self.invocation(SectionKind::DeferredInvocations, action, Some(reason), values, comparer)
            }
        };
        Ok(Reviewed { list, item, findings, masks: credentials.masks })
    }

    fn change<'w, 'a: 'w>(
        self,
        list: SectionKind,
        change: &ResourceChange<'a>,
        deferred_reason: Option<&'a str>,
        values: Values<'_, 'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> Result<(SectionKind, Item<'a>, Vec<Finding<'a>>), Error> {
        let findings = self.findings(list, change, values, comparer);
        let entry = Entry { deferred_reason, ..self.entry(change, values, comparer)? };
        Ok((list, Item::Entry(Box::new(entry)), findings))
    }

    fn invocation<'w, 'a: 'w>(
        self,
        list: SectionKind,
        action: &ActionInvocation<'a>,
        deferred_reason: Option<&'a str>,
        values: Values<'_, 'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> (SectionKind, Item<'a>, Vec<Finding<'a>>) {
        let (after, redactor) = (values.found.sides.after, comparer.redactor);
        let mut findings = values.credentials.findings(&action.action_type, after, redactor);
        if let Some(rules) = self.findings.and_then(|finder| finder.rules.get(&*action.action_type)) {
            findings.extend(findings::of_action(after, rules));
        }
        let trigger = action.lifecycle_action_trigger.as_ref().map(|trigger| Trigger {
            address: redactor.text(&trigger.triggering_resource_address),
            event: redactor.text(&trigger.action_trigger_event),
        });
        let caller = action.invoke_action_trigger.as_ref();
        let invocation = Invocation {
            address: redactor.text(&action.address),
            action_type: redactor.text(&action.action_type),
            trigger,
            caller: redactor.text(caller.map_or("", |caller| &caller.calling_resource_address)),
            deferred_reason,
            edits: values.masked.edits,
            exact_edits: values.found.edits,
            findings: OwnFindings::default(),
        };
        (list, Item::Invocation(invocation), findings)
    }

    fn findings<'w, 'a: 'w>(
        self,
        list: SectionKind,
        change: &ResourceChange<'a>,
        values: Values<'_, 'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> Vec<Finding<'a>> {
        let (Some(finder), Some(fate)) = (self.findings, Fate::from_action(&change.change.actions)) else {
            return Vec::new();
        };
        let Some(rules) = finder.rules.get(&*change.resource_type).filter(|_| &*change.mode != "data") else {
            return Vec::new();
        };
        let Values { found, credentials, policies, documents, .. } = values;
        let after = found.sides.after;
        // A finding may show a value before that the change hides because its counterpart is sensitive.
        let before = comparer.build.hiding_beside(found.sides.before, after);
        let (guarded, resource_type) = (finder.guarded(list, change), &*change.resource_type);
        let subject =
            findings::Subject { fate, resource_type, before, after, guarded, documents, credentials };
        let mut found = findings::find(&subject, rules, policies, comparer.redactor);
        // What was replaced neither serves nor protects anything.
        let is_past =
            |finding: &Finding<'_>| matches!(finding.kind, FindingKind::Downtime | FindingKind::Protection);
        found.retain(|finding| change.deposed.is_empty() || !is_past(finding));
        found
    }

    fn entry<'w, 'a: 'w>(
        self,
        change: &ResourceChange<'a>,
        Values { found: exact, masked: found, policies, .. }: Values<'_, 'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> Result<Entry<'a>, Error> {
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
            edits: found.edits,
            exact_edits: exact.edits,
            unchanged: found.unchanged,
            schema: found.schema,
            access: access::find(&change.resource_type, found.edits, (before, after), policies, redactor),
            whole: self
                .keep_whole
                .then(|| (comparer.keep_beside(before, after), comparer.keep_beside(after, before))),
            ..Entry::default()
        })
    }
}
