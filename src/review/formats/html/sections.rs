//! The sections of a review on a page: the changes of each module, drift, deferred changes, actions, outputs.

use std::collections::HashMap;

use super::{Flush, ReviewWriter, entry};
use crate::page::{Attribute, Class, Data, Element, Id};
use crate::render::PlanTexts;
use crate::review::entry::{PlanReview, Trigger};
use crate::review::formats::invocation::InvocationUnit;
use crate::review::formats::units::{Unit, Units};
use crate::review::text::{invocation_text, outputs_text};
use crate::review::{ChangeKind, Ledger, List, Mention, one_line};
use crate::term::{StyledText, Untrusted};

/// The number of changes that are laid out together.
const CHUNK: usize = 50;

/// The changes of a module, or another part of the review.
pub(super) struct Part<'r, 'a> {
    pub(super) title: String,
    pub(super) section: usize,
    pub(super) list: List,
    /// The changes, each with its ID on the page and the number of changes with the same edits.
    pub(super) changes: Vec<(Unit<'r, 'a>, usize, usize)>,
}

impl Part<'_, '_> {
    /// A summary such as `1 to destroy, 3 to change`.
    pub(super) fn counts(&self) -> String {
        let number = |kind: ChangeKind| self.changes.iter().filter(|(unit, ..)| unit.kind() == kind).count();
        let numbers =
            ChangeKind::ALL.into_iter().map(|kind| (number(kind), kind)).filter(|(number, _)| *number > 0);
        let words = numbers.map(|(number, kind)| match self.list {
            List::Resources => format!("{number} {}", kind.verdict()),
            List::Drift | List::Deferred | List::Invocations | List::DeferredInvocations | List::Outputs => {
                format!("{number} {}", kind.word())
            }
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

impl ReviewWriter<'_> {
    /// The changes by module, the most severe first, followed by those that the plan does not make.
    pub(super) fn parts<'r, 'a>(
        &mut self,
        review: &'r PlanReview<'a>,
        units: &Units<'r, 'a>,
    ) -> Vec<Part<'r, 'a>> {
        let mut parts: Vec<Part<'r, 'a>> = Vec::new();
        let mut modules: HashMap<&str, usize> = HashMap::new();
        for unit in &units.resources {
            for single in unit.singles(&review.resources) {
                let module = single.entry.module_address;
                let at = *modules.entry(module).or_insert(parts.len());
                if at == parts.len() {
                    let title = if module.is_empty() { "root module" } else { module };
                    parts.push(self.new_part(one_line(title), List::Resources));
                }
                if let Some(part) = parts.get_mut(at) {
                    part.changes.push((single, 0, unit.places.len()));
                }
            }
        }
        for (title, list, units, entries) in [
            ("Changed outside of the tool", List::Drift, &units.drift, &review.drift),
            ("Put off to a later plan", List::Deferred, &units.deferred, &review.deferred),
        ] {
            let changes: Vec<_> = units
                .iter()
                .flat_map(|unit| {
                    unit.singles(entries).into_iter().map(|single| (single, 0, unit.places.len()))
                })
                .collect();
            if !changes.is_empty() {
                parts.push(Part { changes, ..self.new_part(title.to_owned(), list) });
            }
        }
        for (_, id, _) in parts.iter_mut().flat_map(|part| &mut part.changes) {
            *id = self.ids;
            self.ids += 1;
        }
        parts
    }

    fn new_part<'r, 'a>(&mut self, title: String, list: List) -> Part<'r, 'a> {
        self.sections += 1;
        Part { title, section: self.sections - 1, list, changes: Vec::new() }
    }

    pub(super) fn part<E>(
        &mut self,
        part: &Part<'_, '_>,
        texts: &PlanTexts,
        ledger: &mut Ledger,
        flush: Flush<'_, E>,
    ) -> Result<(), E> {
        let texts = match part.list {
            List::Drift => &texts.drift,
            List::Deferred => &texts.deferred,
            List::Resources | List::Invocations | List::DeferredInvocations | List::Outputs => {
                &texts.resources
            }
        };
        let attributes = [Attribute::Id(Id::Section(part.section))];
        let options = self.options;
        let no_text = StyledText::default();
        self.html.element(Element::Section, &attributes, |html| {
            html.element(Element::H3, &[], |html| {
                html.data(Untrusted(&part.title));
                html.text(" ");
                html.element(Element::Span, &[Attribute::Class(Class::Muted)], |html| {
                    html.data(Untrusted(&part.counts()));
                });
            });
            for chunk in part.changes.chunks(CHUNK) {
                html.element(Element::Div, &[Attribute::Class(Class::Chunk)], |html| {
                    for (unit, id, same) in chunk {
                        let place = unit.places.first().copied().unwrap_or_default();
                        let text = texts.get(place).unwrap_or(&no_text);
                        let mentions = entry::entry(html, unit, *id, text, *same, options);
                        ledger.record(unit.list, place, &mentions);
                    }
                });
                flush(html)?;
            }
            Ok(())
        })
    }

    pub(super) fn section(&mut self, title: &'static str, write: impl FnOnce(&mut ReviewWriter<'_>)) {
        let (options, ids, sections) = (self.options, self.ids, self.sections + 1);
        let attributes = [Attribute::Id(Id::Section(self.sections))];
        (self.ids, self.sections) = self.html.element(Element::Section, &attributes, |html| {
            html.element(Element::H3, &[], |html| html.text(title));
            let mut writer = ReviewWriter { options, html, ids, sections };
            write(&mut writer);
            (writer.ids, writer.sections)
        });
    }

    pub(super) fn invocation(
        &mut self,
        unit: &InvocationUnit<'_, '_>,
        text: Option<&StyledText>,
        shown: &HashMap<&str, usize>,
        ledger: &mut Ledger,
    ) {
        let InvocationUnit { at, invocation } = *unit;
        let header = unit.header();
        // The text of a change has the actions that this plan invokes before and after it.
        let is_beside = |trigger: &&Trigger<'_>| {
            let is_known = trigger.event.starts_with("Before") || trigger.event.starts_with("After");
            is_known && invocation.deferred_reason.is_none()
        };
        let trigger = invocation.trigger.as_ref().filter(is_beside);
        let trigger = trigger.and_then(|trigger| shown.get(trigger.address));
        let id = self.ids;
        self.ids += 1;
        let attributes = [
            Attribute::Id(Id::Change(id)),
            Attribute::Data(Data::Kind, Untrusted("invoke")),
            Attribute::Data(Data::Type, Untrusted(invocation.action_type)),
        ];
        let options = self.options;
        self.html.element(Element::Details, &attributes, |html| {
            html.element(Element::Summary, &[], |html| {
                html.element(Element::Span, &[Attribute::Class(Class::Sign)], |html| {
                    html.text(header.symbol);
                });
                html.text(" ");
                html.element(Element::Code, &[], |html| {
                    html.data(Untrusted(&header.address));
                });
                html.data(Untrusted(&format!(" {}: {}", header.phrase, unit.reasons().join("; "))));
            });
            let is_shown_there = trigger.filter(|_| !options.list);
            match (is_shown_there, text.filter(|_| !options.list)) {
                (Some(id), _) => html.element(Element::P, &[], |html| {
                    html.text("Its configuration is in the text of ");
                    html.element(Element::A, &[Attribute::Link(Id::Change(*id))], |html| {
                        html.text("the change that invokes it");
                    });
                    html.text(".");
                }),
                (None, Some(text)) => entry::text(html, text),
                (None, None) => entry::lines(html, &invocation_text(invocation, options).lines),
            }
        });
        ledger.record_all(unit.list(), at, Mention::Shown, Mention::Shown);
    }

    pub(super) fn outputs(&mut self, review: &PlanReview<'_>, text: &StyledText, ledger: &mut Ledger) {
        if !text.changed().is_empty() {
            entry::text(self.html, text);
        }
        for (at, output) in review.outputs.iter().enumerate() {
            if entry::shows_change_of(text, output.name) {
                ledger.record_all(List::Outputs, at, Mention::Shown, Mention::Shown);
                continue;
            }
            let own = outputs_text(std::slice::from_ref(output), self.options);
            entry::lines(self.html, &own.lines);
            if let Some(mentions) = own.mentions.first() {
                ledger.record(List::Outputs, at, mentions);
            }
        }
    }
}
