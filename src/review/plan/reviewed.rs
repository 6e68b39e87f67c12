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
use crate::review::findings::{self, Credentials, Documents, Fate, Finder};
use crate::review::masks::Masks;
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

/// The values of a part, and what is found in them.
#[derive(Clone, Copy)]
struct Values<'o, 'w, 'a> {
    found: ValueEdits<'w, 'a>,
    credentials: &'o Credentials<'w>,
    policies: &'o Policies<'w>,
    documents: &'o Documents<'w>,
}

impl<'w, 'a: 'w> Values<'_, 'w, 'a> {
    /// The values and edits as texts show them.
    fn masked(self, comparer: &Comparer<'w, 'a>) -> ValueEdits<'w, 'a> {
        self.credentials.masks.hide(self.found, (comparer.build.arena(), comparer.redactor.arena))
    }
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
    /// Reviews a part of a plan. Returns with it what texts show instead of the credentials in it.
    pub(super) fn review<'w, 'a: 'w>(
        self,
        part: PlanPart<'_, 'a>,
        found: ValueEdits<'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> Result<(Reviewed<'a>, Masks), Error> {
        let redactor = comparer.redactor;
        let (policies, documents) = (&Policies::new(comparer.build.arena()), &Documents::new(comparer.build));
        let Sides { before, after, .. } = found.sides;
        let mut credentials = match self.findings {
            Some(_) => Credentials::find(before, after, documents),
            None => Credentials::default(),
        };
        if redactor.show_sensitive {
            credentials.masks = Masks::default();
        }
        let values = Values { found, credentials: &credentials, policies, documents };
        let reviewed = match part {
            PlanPart::Planned(change) => {
                let findings = self.findings(SectionKind::Resources, change, values, comparer);
                Reviewed::Planned(Box::new(self.entry(change, values, comparer)?), findings)
            }
            PlanPart::Drift(change) => {
                let findings = self.findings(SectionKind::Drift, change, values, comparer);
                Reviewed::Drift(Box::new(self.entry(change, values, comparer)?), findings)
            }
            PlanPart::Deferred(deferred) => {
                let change = &deferred.resource_change;
                let findings = self.findings(SectionKind::Deferred, change, values, comparer);
                let entry = self.entry(change, values, comparer)?;
                let deferred_reason = Some(redactor.text(&deferred.reason));
                Reviewed::Deferred(Box::new(Entry { deferred_reason, ..entry }), findings)
            }
            PlanPart::Output(name, change) => {
                let output = Output {
                    name: redactor.text(name),
                    action: change.actions.clone(),
                    edits: values.masked(comparer).edits,
                    exact_edits: found.edits,
                    findings: OwnFindings::default(),
                };
                Reviewed::Output(output, credentials.findings("", after, redactor))
            }
            PlanPart::Invocation(action) => {
                let findings = self.action_findings(action, values, comparer);
                Reviewed::Invocation(invocation(action, values, comparer), findings)
            }
            PlanPart::DeferredInvocation(deferred) => {
                let action = &deferred.action_invocation;
                let findings = self.action_findings(action, values, comparer);
                let invocation = invocation(action, values, comparer);
                let deferred_reason = Some(redactor.text(&deferred.reason));
                Reviewed::DeferredInvocation(Invocation { deferred_reason, ..invocation }, findings)
            }
        };
        Ok((reviewed, credentials.masks))
    }

    fn action_findings<'w, 'a>(
        self,
        action: &ActionInvocation<'_>,
        values: Values<'_, 'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> Vec<Finding<'a>> {
        let (after, action_type) = (values.found.sides.after, &*action.action_type);
        let mut findings = values.credentials.findings(action_type, after, comparer.redactor);
        if let Some(rules) = self.findings.and_then(|finder| finder.rules.get(action_type)) {
            findings.extend(findings::of_action(after, rules));
        }
        findings
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
        let Values { found, credentials, policies, documents } = values;
        let after = found.sides.after;
        // A finding may show a value before that the change hides because its counterpart is sensitive.
        let before = comparer.build.hiding_beside(found.sides.before, after);
        let (guarded, resource_type) = (finder.guarded(list, change), &*change.resource_type);
        let subject =
            findings::Subject { fate, resource_type, before, after, guarded, documents, credentials };
        findings::find(&subject, rules, policies, comparer.redactor)
    }

    fn entry<'w, 'a: 'w>(
        self,
        change: &ResourceChange<'a>,
        values: Values<'_, 'w, 'a>,
        comparer: &Comparer<'w, 'a>,
    ) -> Result<Entry<'a>, Error> {
        let redactor = comparer.redactor;
        let found = values.masked(comparer);
        let value = |raw| Raw::value_or_null(raw, redactor.arena);
        let (before, after) = (found.sides.before, found.sides.after);
        let importing = change.change.importing.as_ref().map(|importing| {
            Ok::<_, Error>(Importing {
                id: redactor.text(&importing.id),
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
            exact_edits: values.found.edits,
            unchanged: found.unchanged,
            reasons: Vec::new(),
            findings: OwnFindings::default(),
            flagged: Vec::new(),
            finding_kinds: BTreeSet::new(),
            level: Level::None,
            causes: Vec::new(),
            given: Vec::new(),
            schema: found.schema,
            access: access::find(
                &change.resource_type,
                found.edits,
                (before, after),
                values.policies,
                redactor,
            ),
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
    values: Values<'_, 'w, 'a>,
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
        edits: values.masked(comparer).edits,
        exact_edits: values.found.edits,
        findings: OwnFindings::default(),
    }
}
