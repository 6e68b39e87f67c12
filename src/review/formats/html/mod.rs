//! HTML: the verdict, the facts and an index first, then a section for each module.
//!
//! The page is complete without script and style. Every change is a `<details>` element with the text of
//! `show`; those that destroy something are open. Changes are grouped in chunks, so that a browser lays out
//! only the visible ones.

mod body;
mod entry;

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{self, Write};

pub use body::{Body, BodyWriter, OUTPUT_SIGNS, RESOURCE_SIGNS};

use super::head::{config, head};
use super::problem;
use super::units::{Unit, Units, by_type};
use crate::page::{self, Attribute, Class, Data, Element, Html, Id};
use crate::review::entry::{Fact, Invocation, PlanReview, RuleOrigin};
use crate::review::ledger::untold_sentence;
use crate::review::text::{invocation_text, outputs_text};
use crate::review::{ChangeKind, Ledger, List, Mention, Options, Verdict, count, one_line, reasons};
use crate::term::Untrusted;

/// The number of changes that are laid out together.
const CHUNK: usize = 50;
/// The number of facts that are always shown; more are in a collapsible part.
const FACTS: usize = 40;

/// The texts of a plan's changes, in the order of the review's lists.
#[derive(Debug, Default)]
pub struct PlanBodies {
    /// The planned changes.
    pub resources: Vec<Body>,
    /// The drift.
    pub drift: Vec<Body>,
    /// The deferred changes.
    pub deferred: Vec<Body>,
    /// The actions to invoke.
    pub invocations: Vec<Body>,
    /// All outputs.
    pub outputs: Body,
}

/// The settings of a page.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// The title; by default it has the names of the plans.
    pub title: Option<String>,
    /// Whether the page contains sensitive values, which it then states.
    pub shows_sensitive: bool,
    /// The difference from the approved plan, if one is given.
    pub since: Option<String>,
}

/// Writes reviews as a page. Returns how the edits of each plan are reported.
///
/// # Errors
/// If writing to `sink` fails.
pub fn html(
    reviews: &[PlanReview<'_>],
    bodies: &[PlanBodies],
    options: &Options,
    page: &PageOptions,
    sink: &mut dyn Write,
) -> io::Result<Vec<Ledger>> {
    let title = page.title.clone().unwrap_or_else(|| default_title(reviews));
    let title = one_line(&title);
    page::write(Untrusted(&title), sink, |html, sink| {
        html.element(Element::A, &[Attribute::Class(Class::Skip), Attribute::Link(Id::Content)], |html| {
            html.text("Skip to the changes");
        });
        let verdicts: Vec<Verdict> = reviews.iter().map(Verdict::new).collect();
        html.element(Element::Header, &[], |html| {
            html.element(Element::H1, &[], |html| html.data(Untrusted(&title)));
            if page.shows_sensitive {
                page::sensitive_banner(html);
            }
            if reviews.len() > 1 {
                let total = Verdict::total(verdicts.iter());
                html.element(Element::P, &[Attribute::Class(Class::Verdict)], |html| {
                    let sentence = format!("{} plans: {}", reviews.len(), total.sentence());
                    html.data(Untrusted(&sentence));
                });
            }
            if let Some(line) = config(options) {
                html.element(Element::P, &[Attribute::Class(Class::Muted)], |html| {
                    html.data(Untrusted(&line));
                });
            }
        });
        html.element(Element::Main, &[Attribute::Id(Id::Content)], |html| {
            if let Some(since) = &page.since {
                html.element(Element::H2, &[], |html| html.text("Since the approved plan"));
                html.element(Element::Pre, &[], |html| html.data(Untrusted(since)));
            }
            let mut view = View { options, html, ids: 0, sections: 0 };
            let mut ledgers = Vec::with_capacity(reviews.len());
            let no_bodies = PlanBodies::default();
            for (at, (review, verdict)) in reviews.iter().zip(&verdicts).enumerate() {
                let bodies = bodies.get(at).unwrap_or(&no_bodies);
                let mut flush = |html: &mut Html| html.write_out(sink);
                ledgers.push(view.review(review, verdict, bodies, reviews.len() > 1, &mut flush)?);
                view.html.write_out(sink)?;
            }
            Ok(ledgers)
        })
    })
}

/// Writes a review as a part of another page. Returns how its edits are reported.
pub fn html_part(html: &mut Html, review: &PlanReview<'_>, bodies: &PlanBodies, options: &Options) -> Ledger {
    let verdict = Verdict::new(review);
    let mut view = View { options, html, ids: 0, sections: 0 };
    let Ok(ledger) = view.review::<Infallible>(review, &verdict, bodies, false, &mut |_| Ok(()));
    ledger
}

fn default_title(reviews: &[PlanReview<'_>]) -> String {
    match reviews {
        [review] => format!("Review of {}", review.name),
        reviews => format!("Review of {}", count(reviews.len(), "plan")),
    }
}

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

/// Receives the output so far, so that a large page is not kept in memory.
type Flush<'f, E> = &'f mut dyn FnMut(&mut Html) -> Result<(), E>;

struct View<'v> {
    options: &'v Options,
    html: &'v mut Html,
    /// The number of changes with an ID on the page.
    ids: usize,
    /// The number of sections with an ID.
    sections: usize,
}

/// The changes of a module, or another part of the review.
struct Part<'r, 'a> {
    title: String,
    section: usize,
    list: List,
    /// The changes, each with its ID on the page and the number of changes with the same edits.
    changes: Vec<(Unit<'r, 'a>, usize, usize)>,
}

impl Part<'_, '_> {
    /// A summary such as `1 to destroy, 3 to change`.
    fn counts(&self) -> String {
        let number = |kind: ChangeKind| self.changes.iter().filter(|(unit, ..)| unit.kind() == kind).count();
        let numbers =
            ChangeKind::ALL.into_iter().map(|kind| (number(kind), kind)).filter(|(number, _)| *number > 0);
        let words = numbers.map(|(number, kind)| match self.list {
            List::Resources => format!("{number} {}", kind.verdict()),
            List::Drift | List::Deferred | List::Invocations | List::Outputs => {
                format!("{number} {}", kind.word())
            }
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

impl View<'_> {
    /// Writes a review. `flush` may take the output at some points.
    fn review<E>(
        &mut self,
        review: &PlanReview<'_>,
        verdict: &Verdict,
        bodies: &PlanBodies,
        named: bool,
        flush: Flush<'_, E>,
    ) -> Result<Ledger, E> {
        let mut ledger = Ledger::new(review);
        let units = Units::new(review, self.options, &mut ledger);
        let parts = self.parts(review, &units);
        self.verdict(verdict, named.then_some(review.name.as_str()));
        // A page may be read later, so it does not contain the age of the plan.
        let lines = head(review, &Options { now: None, ..self.options.clone() });
        for line in by_type(&units.resources).iter().chain(&lines) {
            self.html
                .element(Element::P, &[Attribute::Class(Class::Muted)], |html| html.data(Untrusted(line)));
        }
        self.facts(&parts);
        self.checks(review);
        self.notes(&units.notes);
        let has_outputs = units.shows_outputs && !review.outputs.is_empty();
        let others = [(!units.invocations.is_empty(), "Actions to invoke"), (has_outputs, "Outputs")];
        self.index(&parts, &others);
        for part in &parts {
            self.part(part, bodies, &mut ledger, flush)?;
        }
        if !units.invocations.is_empty() {
            let shown: HashMap<&str, usize> = parts
                .iter()
                .filter(|part| part.list == List::Resources)
                .flat_map(|part| part.changes.iter().map(|(unit, id, _)| (unit.entry.address, *id)))
                .collect();
            self.section("Actions to invoke", |view| {
                for (at, invocation) in &units.invocations {
                    let body = bodies.invocations.get(*at);
                    view.invocation(*at, invocation, body, &shown, &mut ledger);
                }
            });
        }
        if has_outputs {
            self.section("Outputs", |view| view.outputs(review, &bodies.outputs, &mut ledger));
        }
        if let Some(sentence) = untold_sentence(ledger.untold()) {
            self.html.element(Element::P, &[Attribute::Class(Class::Banner)], |html| {
                html.data(Untrusted(&sentence));
            });
        }
        Ok(ledger)
    }

    /// The changes by module, the most severe first, followed by those that the plan does not make.
    fn parts<'r, 'a>(&mut self, review: &'r PlanReview<'a>, units: &Units<'r, 'a>) -> Vec<Part<'r, 'a>> {
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

    fn verdict(&mut self, verdict: &Verdict, name: Option<&str>) {
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
    fn facts(&mut self, parts: &[Part<'_, '_>]) {
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

    fn checks(&mut self, review: &PlanReview<'_>) {
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

    fn notes(&mut self, notes: &[String]) {
        if notes.is_empty() {
            return;
        }
        self.html.element(Element::Ul, &[Attribute::Class(Class::Notes)], |html| {
            for note in notes {
                html.element(Element::Li, &[], |html| html.data(Untrusted(&one_line(note))));
            }
        });
    }

    fn index(&mut self, parts: &[Part<'_, '_>], others: &[(bool, &'static str)]) {
        let count = parts.len() + others.iter().filter(|(is_there, _)| *is_there).count();
        if count < 2 {
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
                for (_, title) in others.iter().filter(|(is_there, _)| *is_there) {
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

    fn part<E>(
        &mut self,
        part: &Part<'_, '_>,
        bodies: &PlanBodies,
        ledger: &mut Ledger,
        flush: Flush<'_, E>,
    ) -> Result<(), E> {
        let bodies = match part.list {
            List::Drift => &bodies.drift,
            List::Deferred => &bodies.deferred,
            List::Resources | List::Invocations | List::Outputs => &bodies.resources,
        };
        let attributes = [Attribute::Id(Id::Section(part.section))];
        let options = self.options;
        let no_body = Body::default();
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
                        let body = bodies.get(place).unwrap_or(&no_body);
                        let mentions = entry::entry(html, unit, *id, body, *same, options);
                        ledger.record(unit.list, place, &mentions);
                    }
                });
                flush(html)?;
            }
            Ok(())
        })
    }

    fn section(&mut self, title: &'static str, write: impl FnOnce(&mut View<'_>)) {
        let (options, ids, sections) = (self.options, self.ids, self.sections + 1);
        let attributes = [Attribute::Id(Id::Section(self.sections))];
        (self.ids, self.sections) = self.html.element(Element::Section, &attributes, |html| {
            html.element(Element::H3, &[], |html| html.text(title));
            let mut view = View { options, html, ids, sections };
            write(&mut view);
            (view.ids, view.sections)
        });
    }

    fn invocation(
        &mut self,
        at: usize,
        invocation: &Invocation<'_>,
        body: Option<&Body>,
        shown: &HashMap<&str, usize>,
        ledger: &mut Ledger,
    ) {
        let trigger = invocation.trigger.as_ref().and_then(|trigger| shown.get(trigger.address));
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
                html.element(Element::Span, &[Attribute::Class(Class::Sign)], |html| html.text("!"));
                html.text(" ");
                html.element(Element::Code, &[], |html| {
                    html.data(Untrusted(&one_line(invocation.address)));
                });
                html.data(Untrusted(&one_line(&format!(" is invoked: {}", reasons::invoked(invocation)))));
            });
            let is_shown_there = trigger.filter(|_| !options.list);
            match (is_shown_there, body.filter(|_| !options.list)) {
                (Some(id), _) => html.element(Element::P, &[], |html| {
                    html.text("Its configuration is in the text of ");
                    html.element(Element::A, &[Attribute::Link(Id::Change(*id))], |html| {
                        html.text("the change that invokes it");
                    });
                    html.text(".");
                }),
                (None, Some(body)) => entry::text(html, body),
                (None, None) => entry::lines(html, &invocation_text(invocation, options).lines),
            }
        });
        ledger.record_all(List::Invocations, at, Mention::Shown, Mention::Shown);
    }

    fn outputs(&mut self, review: &PlanReview<'_>, body: &Body, ledger: &mut Ledger) {
        if !body.changed().is_empty() {
            entry::text(self.html, body);
        }
        for (at, output) in review.outputs.iter().enumerate() {
            if body.shows_change_of(output.name) {
                ledger.record_all(List::Outputs, at, Mention::Shown, Mention::Shown);
                continue;
            }
            let text = outputs_text(std::slice::from_ref(output), self.options);
            entry::lines(self.html, &text.lines);
            if let Some(mentions) = text.mentions.first() {
                ledger.record(List::Outputs, at, mentions);
            }
        }
    }
}
