//! The overview of a review on a page: verdict, facts, checks, notes and index.

use super::ReviewWriter;
use super::sections::Part;
use crate::page::{Attribute, Class, Element, Html, Id};
use crate::review::entry::{Fact, PlanReview, RuleOrigin};
use crate::review::formats::problem;
use crate::review::{List, Verdict, count, one_line};
use crate::term::Untrusted;

/// The number of facts that are always shown; more are in a collapsible part.
const FACTS: usize = 40;

/// A fact and its change.
struct PlacedFact<'r> {
    fact: &'r Fact<'r>,
    address: &'r str,
    id: usize,
}

fn fact_list(html: &mut Html, facts: &[PlacedFact<'_>]) {
    if facts.is_empty() {
        return;
    }
    html.element(Element::Ul, &[Attribute::Class(Class::Facts)], |html| {
        for PlacedFact { fact, address, id } in facts {
            html.element(Element::Li, &[], |html| {
                html.element(Element::Strong, &[Attribute::Class(Class::Fact)], |html| {
                    html.text(fact.kind.name());
                });
                html.text(" ");
                html.element(Element::A, &[Attribute::Link(Id::Change(*id))], |html| {
                    html.element(Element::Code, &[], |html| html.data(Untrusted(&one_line(address))));
                });
                html.data(Untrusted(&format!(" {}", one_line(&fact.text))));
            });
        }
    });
}

impl ReviewWriter<'_> {
    pub(super) fn verdict(&mut self, verdict: &Verdict, name: Option<&str>) {
        let sign = match verdict {
            _ if verdict.errored => "✗ ",
            _ if verdict.destroyed() > 0 => "! ",
            _ if verdict.has_changes() => "~ ",
            _ => "✓ ",
        };
        self.html.element(Element::H2, &[Attribute::Class(Class::Verdict)], |html| {
            html.text(sign);
            if let Some(name) = name {
                html.data(Untrusted(&format!("{}: ", one_line(name))));
            }
            html.data(Untrusted(&verdict.lead()));
        });
        if let Some(additions) = verdict.additions() {
            self.html.element(Element::P, &[], |html| html.data(Untrusted(&additions)));
        }
    }

    /// Writes the facts.
    pub(super) fn facts(&mut self, parts: &[Part<'_, '_>]) {
        let changes = parts.iter().filter(|part| part.list == List::Resources).flat_map(|part| &part.changes);
        let mut facts: Vec<PlacedFact<'_>> = changes
            .flat_map(|(unit, id, _)| {
                let placed = |fact| PlacedFact { fact, address: unit.entry.address, id: *id };
                unit.entry.facts.iter().map(placed)
            })
            .collect();
        // Facts of a found configuration file come last, so that they do not displace others.
        facts.sort_by_key(|placed| (placed.fact.origin == RuleOrigin::Found, placed.fact.kind));
        let more = facts.split_off(facts.len().min(FACTS));
        facts.sort_by_key(|placed| placed.fact.kind);
        fact_list(self.html, &facts);
        if !more.is_empty() {
            self.html.element(Element::Details, &[], |html| {
                html.element(Element::Summary, &[], |html| {
                    html.data(Untrusted(&count(more.len(), "more fact")));
                });
                fact_list(html, &more);
            });
        }
    }

    pub(super) fn checks(&mut self, review: &PlanReview<'_>) {
        if review.checks.is_empty() {
            return;
        }
        self.html.element(Element::H3, &[], |html| html.text("Checks"));
        self.html.element(Element::Ul, &[Attribute::Class(Class::Facts)], |html| {
            for found in &review.checks {
                html.element(Element::Li, &[], |html| {
                    if found.is_failure() {
                        html.element(Element::Strong, &[Attribute::Class(Class::Fact)], |html| {
                            html.text("check");
                        });
                        html.text(" ");
                    }
                    html.data(Untrusted(&one_line(&problem(found))));
                });
            }
        });
    }

    pub(super) fn notes(&mut self, notes: &[String]) {
        if notes.is_empty() {
            return;
        }
        self.html.element(Element::Ul, &[Attribute::Class(Class::Notes)], |html| {
            for note in notes {
                html.element(Element::Li, &[], |html| html.data(Untrusted(&one_line(note))));
            }
        });
    }

    pub(super) fn index(&mut self, parts: &[Part<'_, '_>], others: &[&'static str]) {
        if parts.len() + others.len() < 2 {
            return;
        }
        let mut next = self.sections;
        self.html.element(Element::Nav, &[Attribute::Label("Sections")], |html| {
            html.element(Element::Ul, &[], |html| {
                for part in parts {
                    html.element(Element::Li, &[], |html| {
                        html.element(Element::A, &[Attribute::Link(Id::Section(part.section))], |html| {
                            html.data(Untrusted(&part.title));
                        });
                        html.data(Untrusted(&format!(" {}", part.counts())));
                    });
                }
                for title in others {
                    html.element(Element::Li, &[], |html| {
                        html.element(Element::A, &[Attribute::Link(Id::Section(next))], |html| {
                            html.text(title);
                        });
                    });
                    next += 1;
                }
            });
        });
    }
}
