//! What a review keeps of each part of a plan.

use crate::access::Policies;
use crate::diff::Error;
use crate::diff::edits::{Comparer, PlanPart, Sides, ValueEdits};
use crate::json::Raw;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::report::SectionKind;
use crate::review::access;
use crate::review::entry::{Entry, Finding, Importing, Invocation, Output, OwnFindings, Trigger};
use crate::review::findings::{self, Documents, Fate, Finder, secrets};
use crate::review::summary::{Subject, summary};
use crate::review::text::root_name;

/// A reviewed part of a plan, with its findings.
pub(super) struct Reviewed<'a> {
    pub(super) list: SectionKind,
    pub(super) item: Item<'a>,
    pub(super) findings: Vec<Finding<'a>>,
}

/// An item of a list of a plan.
pub(super) enum Item<'a> {
    // Entries are much larger than the others, of which there may be very many.
    Entry(Box<Entry<'a>>),
    Output(Output<'a>),
    Invocation(Invocation<'a>),
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
        let text = |text: &str| comparer.redactor.text(text);
        let (list, change, deferred_reason) = match part {
            PlanPart::Planned(change) => (SectionKind::Resources, change, None),
            PlanPart::Drift(change) => (SectionKind::Drift, change, None),
            PlanPart::Deferred(deferred) => {
                (SectionKind::Deferred, &deferred.resource_change, Some(text(&deferred.reason)))
            }
            PlanPart::Output(name, change) => {
                let (build, sides) = (comparer.build, found.sides);
                let documents = Documents::new(build);
                let of = |_| secrets("", sides.before, sides.after, &documents, comparer.redactor);
                let findings = self.findings.map(of).unwrap_or_default();
                let action = change.actions.clone();
                let output =
                    Output { name: text(name), action, edits: found.edits, findings: OwnFindings::default() };
                return Ok(Reviewed { list: SectionKind::Outputs, item: Item::Output(output), findings });
            }
            PlanPart::Invocation(action) => {
                return Ok(self.invocation(SectionKind::Invocations, action, None, found, comparer));
            }
            PlanPart::DeferredInvocation(deferred) => {
                let (action, reason) = (&deferred.action_invocation, Some(text(&deferred.reason)));
                return Ok(self.invocation(
                    SectionKind::DeferredInvocations,
                    action,
                    reason,
                    found,
                    comparer,
                ));
            }
        };
        let policies = &Policies::new(comparer.build.arena());
        let findings = self.findings(list, change, found.sides, policies, comparer);
        let entry = Entry { deferred_reason, ..self.entry(change, found, policies, comparer)? };
        Ok(Reviewed { list, item: Item::Entry(Box::new(entry)), findings })
    }

    fn invocation<'w, 'a: 'w>(
        self,
        list: SectionKind,
        action: &ActionInvocation<'a>,
        deferred_reason: Option<&'a str>,
        found: ValueEdits<'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> Reviewed<'a> {
        let rules = self.findings.and_then(|finder| finder.rules.get(&*action.action_type));
        let findings = rules.map(|rules| findings::of_action(found.sides.after, rules)).unwrap_or_default();
        let redactor = comparer.redactor;
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
            edits: found.edits,
            findings: OwnFindings::default(),
        };
        Reviewed { list, item: Item::Invocation(invocation), findings }
    }

    fn findings<'w, 'a: 'w>(
        self,
        list: SectionKind,
        change: &ResourceChange<'a>,
        sides: Sides<'w>,
        policies: &Policies<'w>,
        comparer: &Comparer<'w, 'a>,
    ) -> Vec<Finding<'a>> {
        let (Some(finder), Some(fate)) = (self.findings, Fate::from_action(&change.change.actions)) else {
            return Vec::new();
        };
        let Some(rules) = finder.rules.get(&*change.resource_type).filter(|_| &*change.mode != "data") else {
            return Vec::new();
        };
        // A finding may show a value before that the change hides because its counterpart is sensitive.
        let before = comparer.build.hiding_beside(sides.before, sides.after);
        let (guarded, documents) = (finder.guarded(list, change), &Documents::new(comparer.build));
        let resource_type = &*change.resource_type;
        let subject =
            findings::Subject { fate, resource_type, before, after: sides.after, guarded, documents };
        findings::find(&subject, rules, policies, comparer.redactor)
    }

    fn entry<'w, 'a: 'w>(
        self,
        change: &ResourceChange<'a>,
        found: ValueEdits<'w, 'a>,
        policies: &Policies<'w>,
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
