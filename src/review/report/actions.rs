//! Builds the sections of outputs, and of the actions that are invoked now or in a later plan.
//!
//! ```text
//! Entry { address: "action.aws_lambda_invoke.warm", trigger: After create of aws_lambda_function.api }
//!
//! Section { title: "Actions to invoke", entries: [ReportEntry { sign: "!", phrase: "is invoked", … }] }
//! ```

use std::borrow::Cow;
use std::cmp::Reverse;

use super::compose::elsewhere;
use super::finding_lines::finding_lines;
use super::{AFTER_RESOURCES, PartBuilder, head};
use crate::report::{self, Outputs, Priority, Section, SectionKind, Shown, Title, Tone};
use crate::review::text::{invocation_text, outputs_text};
use crate::review::{one_line, reasons};

impl<'r, 'a> PartBuilder<'r, 'a, '_> {
    /// Returns the outputs that change: lines for texts, and the tool's own text for a page.
    pub(super) fn outputs(&mut self) -> Outputs<'r> {
        let outputs = &self.review.changes.outputs;
        let text = self.texts.map(|texts| &texts.outputs);
        let findings = |index: usize| match outputs.get(index) {
            Some(output) => self.findings_at(output),
            None => Vec::new(),
        };
        let (lines, shown) = outputs_text(outputs, &findings, text, self.options);
        for (index, shown) in shown.iter().enumerate() {
            self.coverage.record(SectionKind::Outputs, index, shown);
        }
        // All outputs are one text, in which each output hides its own credentials.
        let secrets: Vec<_> = outputs
            .iter()
            .filter_map(|output| output.secrets.as_ref())
            .collect();
        let text = text.map(|text| {
            let mut shown = Cow::Borrowed(text);
            for secrets in secrets {
                if let Cow::Owned(hidden) = self.review.masks.styled(&shown, secrets.hiding()) {
                    shown = Cow::Owned(hidden);
                }
            }
            shown
        });
        Outputs {
            number: outputs.len(),
            text,
            lines,
        }
    }

    /// Adds the sections of the actions that this plan invokes and of those that a later plan invokes.
    ///
    /// They follow the resources. If an action of this plan has a finding, the section of these actions precedes all
    /// resources except the sections with a destroyed object. `now` and `deferred` are indices in the lists of
    /// invocations.
    pub(super) fn invocations(
        &mut self,
        now: &[usize],
        deferred: &[usize],
        sections: &mut Vec<Section<'r>>,
    ) {
        let all = &self.review.changes.invocations;
        let is_grave = now
            .iter()
            .any(|index| all.get(*index).is_some_and(|one| !one.findings.is_empty()));
        let is_graver = |section: &Section<'_>| {
            section.kind == SectionKind::Resources
                && section.entries.iter().any(|entry| entry.is_destroyed)
        };
        let after_graver = sections
            .iter()
            .take_while(|section| is_graver(section))
            .count();
        for (position, title, kind, places) in [
            (
                is_grave.then_some(after_graver),
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
                .filter_map(|index| self.invocation(kind, *index))
                .collect();
            if !entries.is_empty() {
                entries.sort_by_key(|entry| Reverse(entry.level));
                let section = self.section(kind, Title::Text(title), entries);
                sections.insert(position.unwrap_or(sections.len()), section);
            }
        }
    }

    /// Returns the entry of an action that is invoked, now or in a later plan. `None` if there is no action with this
    /// index.
    pub(super) fn invocation(
        &mut self,
        kind: SectionKind,
        index: usize,
    ) -> Option<report::ReportEntry<'r>> {
        let (review, options) = (self.review, self.options);
        let invocation = review.changes.list(kind).get(index)?;
        // The text of a change has the actions that this plan invokes before and after it.
        let event = invocation.trigger.event;
        let is_in_text_of_change = kind == SectionKind::Invocations
            && (event.starts_with("Before") || event.starts_with("After"))
            && self.is_page()
            && !options.list;
        let text = match self
            .by_address
            .get(invocation.trigger.address)
            .filter(|_| is_in_text_of_change)
        {
            Some(number) => report::UpstreamText::In(*number),
            None => self.masked_text(invocation, self.tool_text(kind, index)),
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
        self.coverage.record(kind, index, &written.shown);
        let unsaid = self.unsaid(&findings, &written.said);
        let mut lines = finding_lines(invocation, &unsaid).lines;
        lines.extend(written.lines);
        let (sign, phrase) = match invocation.deferred_reason {
            None => ("!", "is invoked"),
            Some(_) => ("…", "is invoked in a later plan"),
        };
        let deferred = invocation.deferred_reason.map(reasons::deferred);
        let with_findings = head::with_findings(review, &invocation.findings);
        let reasons = deferred
            .into_iter()
            .chain([reasons::invoked(invocation.trigger)]);
        Some(report::ReportEntry {
            number: self.next_number(),
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
            priority: Priority::of_level(with_findings.level),
            order: AFTER_RESOURCES,
            places: report::EntryPlaces {
                list: kind,
                indices: vec![index],
            },
            ..with_findings
        })
    }
}
