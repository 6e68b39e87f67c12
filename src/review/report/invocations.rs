//! The actions that are invoked, in this plan or a later one.

use std::cmp::Reverse;

use super::{BESIDE_RESOURCES, MAX_ENTRY_FINDINGS, PartBuilder, findings};
use crate::report::{self, Priority, Section, SectionKind, Shown, Title, Tone};
use crate::review::entry::Level;
use crate::review::text::{EntryText, invocation_text};
use crate::review::{one_line, reasons};

impl<'r> PartBuilder<'r, '_, '_> {
    /// Adds the actions to the sections of the changes. Those with findings come where replacements do.
    pub(super) fn invocations(
        &mut self,
        now: Vec<usize>,
        deferred: Vec<usize>,
        sections: &mut Vec<Section<'r>>,
    ) {
        let all = &self.review.invocations;
        let has_findings = |at: &usize| all.get(*at).is_some_and(|one| !one.findings.is_empty());
        let (grave, others): (Vec<usize>, Vec<usize>) = now.into_iter().partition(has_findings);
        let is_graver = |section: &Section<'_>| {
            matches!(section.title, Title::Action { .. })
                && section.entries.iter().any(|entry| entry.is_destroyed)
        };
        let place = sections.iter().take_while(|section| is_graver(section)).count();
        let others_title = if grave.is_empty() { "Actions to invoke" } else { "Other actions to invoke" };
        for (place, title, kind, places) in [
            (Some(place), "Actions to invoke", SectionKind::Invocations, grave),
            (None, others_title, SectionKind::Invocations, others),
            (None, "Actions put off to a later plan", SectionKind::DeferredInvocations, deferred),
        ] {
            let mut entries: Vec<report::Entry<'r>> =
                places.iter().filter_map(|at| self.invocation(kind, *at)).collect();
            if entries.is_empty() {
                continue;
            }
            crate::sort::by_key(&mut entries, |entry| Reverse(entry.level));
            let section = self.section(kind, Title::Text(title), entries);
            sections.insert(place.unwrap_or(sections.len()), section);
        }
    }

    fn invocation(&mut self, kind: SectionKind, at: usize) -> Option<report::Entry<'r>> {
        let (review, options) = (self.review, self.options);
        let invocation = review.list(kind).get(at)?;
        // The text of a change has the actions that this plan invokes before and after it.
        let trigger = invocation.trigger.as_ref().filter(|trigger| {
            kind == SectionKind::Invocations
                && (trigger.event.starts_with("Before") || trigger.event.starts_with("After"))
        });
        let trigger = trigger.filter(|_| self.texts.is_some() && !options.list);
        let text = match trigger.and_then(|trigger| self.by_address.get(trigger.address)) {
            Some(number) => report::EntryText::In(*number),
            None => self.own_text(self.text(kind, at)),
        };
        let edits = invocation.edits.len();
        let lines = match text {
            report::EntryText::None if options.list && self.texts.is_none() => {
                EntryText::elsewhere(edits, Shown::Counted)
            }
            report::EntryText::None => invocation_text(invocation, options),
            report::EntryText::Own(_) | report::EntryText::In(_) => {
                EntryText::elsewhere(edits, Shown::InFull)
            }
        };
        self.coverage.record(kind, at, &lines.shown);
        let (sign, phrase) = match invocation.deferred_reason {
            None => ("!", "is invoked"),
            Some(_) => ("…", "is invoked in a later plan"),
        };
        let deferred = invocation.deferred_reason.map(reasons::deferred);
        let found = findings::of_entry(review, &invocation.findings, MAX_ENTRY_FINDINGS);
        let reasons = deferred.into_iter().chain([reasons::invoked(invocation)]);
        Some(report::Entry {
            number: self.number(),
            sign: (sign, Tone::Changed),
            address: one_line(invocation.address),
            phrase: phrase.to_owned(),
            kind: "invoke",
            object_type: invocation.resource_type,
            reasons: reasons.map(|reason| one_line(&reason)).collect(),
            lines: lines.lines,
            text,
            priority: match found.level {
                Level::Critical => Priority::Grave,
                Level::Warning | Level::Notice => Priority::Flagged,
                Level::None => Priority::Plain,
            },
            order: BESIDE_RESOURCES,
            places: (kind, vec![at]),
            ..found
        })
    }
}
