//! What a review keeps of each part of a plan.

use std::collections::BTreeSet;

use crate::access::Policies;
use crate::diff::Error;
use crate::diff::edits::{Comparer, PlanPart, Sides, ValueEdits};
use crate::json::Raw;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::report::SectionKind;
use crate::review::access;
use crate::review::entry::{Entry, Finding, Importing, Invocation, Level, Output, OwnFindings, Trigger};
use crate::review::findings::{self, Documents, Fate, Finder, secrets};
use crate::review::summary::{Subject, summary};
use crate::review::text::root_name;

/// A reviewed part of a plan.
pub(super) enum Reviewed<'a> {
    // Entries are much larger than the others, of which there may be very many.
    Planned(Box<Entry<'a>>, Vec<Finding<'a>>),
    Drift(Box<Entry<'a>>, Vec<Finding<'a>>),
    Deferred(Box<Entry<'a>>, Vec<Finding<'a>>),
    Output(Output<'a>, Vec<Finding<'a>>),
    Invocation(Invocation<'a>, Vec<Finding<'a>>),
    DeferredInvocation(Invocation<'a>, Vec<Finding<'a>>),
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
        let policies = &Policies::new(comparer.build.arena());
        Ok(match part {
            PlanPart::Planned(change) => {
                let findings = self.findings(SectionKind::Resources, change, found.sides, policies, comparer);
                Reviewed::Planned(Box::new(self.entry(change, found, policies, comparer)?), findings)
            }
            PlanPart::Drift(change) => {
                let findings = self.findings(SectionKind::Drift, change, found.sides, policies, comparer);
                Reviewed::Drift(Box::new(self.entry(change, found, policies, comparer)?), findings)
            }
            PlanPart::Deferred(deferred) => {
                let change = &deferred.resource_change;
                let findings = self.findings(SectionKind::Deferred, change, found.sides, policies, comparer);
                let entry = self.entry(change, found, policies, comparer)?;
                let deferred_reason = Some(redactor.text(&deferred.reason));
                Reviewed::Deferred(Box::new(Entry { deferred_reason, ..entry }), findings)
            }
            PlanPart::Output(name, change) => {
                let (build, sides) = (comparer.build, found.sides);
                let of = |_| secrets("", sides.before, sides.after, &Documents::new(build), redactor);
                let findings = self.findings.map(of).unwrap_or_default();
                let output = Output {
                    name: redactor.text(name),
                    action: change.actions.clone(),
                    edits: found.edits,
                    findings: OwnFindings::default(),
                };
                Reviewed::Output(output, findings)
            }
            PlanPart::Invocation(action) => {
                let findings = self.action_findings(action, found.sides);
                Reviewed::Invocation(invocation(action, found, comparer), findings)
            }
            PlanPart::DeferredInvocation(deferred) => {
                let action = &deferred.action_invocation;
                let findings = self.action_findings(action, found.sides);
                let invocation = invocation(action, found, comparer);
                let deferred_reason = Some(redactor.text(&deferred.reason));
                Reviewed::DeferredInvocation(Invocation { deferred_reason, ..invocation }, findings)
            }
        })
    }

    fn action_findings<'a>(self, action: &ActionInvocation<'_>, sides: Sides<'_>) -> Vec<Finding<'a>> {
        let rules = self.findings.and_then(|finder| finder.rules.get(&*action.action_type));
        rules.map(|rules| findings::of_action(sides.after, rules)).unwrap_or_default()
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
            relevant: None,
            deferred_reason: None,
            edits: found.edits,
            unchanged: found.unchanged,
            reasons: Vec::new(),
            findings: OwnFindings::default(),
            flagged: Vec::new(),
            finding_kinds: BTreeSet::new(),
            level: Level::None,
            causes: Vec::new(),
            given: Vec::new(),
            schema: found.schema,
            access: access::find(&change.resource_type, found.edits, (before, after), policies, redactor),
            group: None,
            alike: None,
            hidden: false,
            owners: Vec::new(),
            source: None,
            whole: self
                .keep_whole
                .then(|| (comparer.keep_beside(before, after), comparer.keep_beside(after, before))),
        })
    }
}

fn invocation<'w, 'a: 'w>(
    action: &ActionInvocation<'a>,
    found: ValueEdits<'w, 'a>,
    comparer: &Comparer<'w, 'a>,
) -> Invocation<'a> {
    let redactor = comparer.redactor;
    let trigger = action.lifecycle_action_trigger.as_ref().map(|trigger| Trigger {
        address: redactor.text(&trigger.triggering_resource_address),
        event: redactor.text(&trigger.action_trigger_event),
    });
    let caller = action.invoke_action_trigger.as_ref();
    Invocation {
        address: redactor.text(&action.address),
        action_type: redactor.text(&action.action_type),
        trigger,
        caller: redactor.text(caller.map_or("", |caller| &caller.calling_resource_address)),
        deferred_reason: None,
        edits: found.edits,
        findings: OwnFindings::default(),
    }
}
