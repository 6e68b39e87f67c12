//! What a review keeps of each part of a plan.

use crate::access::Policies;
use crate::diff::Error;
use crate::diff::edits::{Comparer, PlanPart, Sides, ValueEdits};
use crate::json::Raw;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::review::access;
use crate::review::entry::{Entry, Fact, Importing, Invocation, Output, Trigger};
use crate::review::facts::{self, FactFinder, Fate, Subject};

/// A reviewed part of a plan.
pub(super) enum Reviewed<'a> {
    // Entries are much larger than the others, of which there may be very many.
    Planned(Box<Entry<'a>>),
    Drift(Box<Entry<'a>>),
    Deferred(Box<Entry<'a>>),
    Output(Output<'a>),
    Invocation(Invocation<'a>),
    DeferredInvocation(Invocation<'a>),
}

/// Reviews the parts of a plan.
#[derive(Clone, Copy)]
pub(super) struct Reviewer<'f> {
    /// The rules of facts, if they are searched.
    pub(super) facts: Option<&'f FactFinder<'f>>,
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
                let facts = self.facts(change, found.sides, policies, comparer);
                let entry = self.entry(change, found, policies, comparer)?;
                Reviewed::Planned(Box::new(Entry { facts, ..entry }))
            }
            PlanPart::Drift(change) => {
                Reviewed::Drift(Box::new(self.entry(change, found, policies, comparer)?))
            }
            PlanPart::Deferred(deferred) => {
                let entry = self.entry(&deferred.resource_change, found, policies, comparer)?;
                let deferred_reason = Some(redactor.text(&deferred.reason));
                Reviewed::Deferred(Box::new(Entry { deferred_reason, ..entry }))
            }
            PlanPart::Output(name, change) => Reviewed::Output(Output {
                name: redactor.text(name),
                action: change.actions.clone(),
                edits: found.edits,
            }),
            PlanPart::Invocation(action) => Reviewed::Invocation(invocation(action, found, comparer)),
            PlanPart::DeferredInvocation(deferred) => {
                let invocation = invocation(&deferred.action_invocation, found, comparer);
                let deferred_reason = Some(redactor.text(&deferred.reason));
                Reviewed::DeferredInvocation(Invocation { deferred_reason, ..invocation })
            }
        })
    }

    fn facts<'w, 'a: 'w>(
        self,
        change: &ResourceChange<'a>,
        sides: Sides<'w>,
        policies: &Policies<'w>,
        comparer: &Comparer<'w, 'a>,
    ) -> Vec<Fact<'a>> {
        let (Some(finder), Some(fate)) = (self.facts, Fate::from_action(&change.change.actions)) else {
            return Vec::new();
        };
        let Some(rules) = finder.rules.get(&*change.resource_type).filter(|_| &*change.mode != "data") else {
            return Vec::new();
        };
        // A fact may show a value before that the change hides because its counterpart is sensitive.
        let before = comparer.build.hiding_beside(sides.before, sides.after);
        let subject = Subject { fate, before, after: sides.after, guarded: finder.objects.of(change) };
        facts::find(&subject, rules, policies, comparer.redactor)
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
                id: redactor.text(&importing.id),
                unknown: importing.unknown,
                identity: value(importing.identity)?,
            })
        });
        Ok(Entry {
            address: if change.address.is_empty() {
                redactor.text(&change.built_address())
            } else {
                redactor.text(&change.address)
            },
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
            facts: Vec::new(),
            causes: Vec::new(),
            access: access::find(&change.resource_type, found.edits, (before, after), policies, redactor),
            group: None,
            hidden: false,
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
    }
}
