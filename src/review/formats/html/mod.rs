//! HTML: the verdict, the facts and an index first, then a section for each module.
//!
//! The page is complete without script and style. Every change is a `<details>` element with the text of
//! `show`; those that destroy something are open. Changes are grouped in chunks, so that a browser lays out
//! only the visible ones.

mod entry;
mod overview;
mod sections;

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{self, Write};

use super::head::{config, head};
use super::units::{Units, by_type};
use crate::page::{self, Attribute, Class, Element, Html, Id};
use crate::render::PlanTexts;
use crate::review::entry::PlanReview;
use crate::review::ledger::unreported_sentence;
use crate::review::{Ledger, List, Options, Verdict, count, one_line};
use crate::term::Untrusted;

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
    texts: &[PlanTexts],
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
            let mut writer = ReviewWriter { options, html, ids: 0, sections: 0 };
            let mut ledgers = Vec::with_capacity(reviews.len());
            let no_texts = PlanTexts::default();
            for (at, (review, verdict)) in reviews.iter().zip(&verdicts).enumerate() {
                let texts = texts.get(at).unwrap_or(&no_texts);
                let mut flush = |html: &mut Html| html.write_out(sink);
                ledgers.push(writer.review(review, verdict, texts, reviews.len() > 1, &mut flush)?);
                writer.html.write_out(sink)?;
            }
            Ok(ledgers)
        })
    })
}

/// Writes a review as a part of another page. Returns how its edits are reported.
pub fn html_part(html: &mut Html, review: &PlanReview<'_>, texts: &PlanTexts, options: &Options) -> Ledger {
    let verdict = Verdict::new(review);
    let mut writer = ReviewWriter { options, html, ids: 0, sections: 0 };
    let Ok(ledger) = writer.review::<Infallible>(review, &verdict, texts, false, &mut |_| Ok(()));
    ledger
}

fn default_title(reviews: &[PlanReview<'_>]) -> String {
    match reviews {
        [review] => format!("Review of {}", review.name),
        reviews => format!("Review of {}", count(reviews.len(), "plan")),
    }
}

/// Receives the output so far, so that a large page is not kept in memory.
type Flush<'f, E> = &'f mut dyn FnMut(&mut Html) -> Result<(), E>;

/// Writes reviews to a page.
struct ReviewWriter<'v> {
    options: &'v Options,
    html: &'v mut Html,
    /// The number of changes with an ID on the page.
    ids: usize,
    /// The number of sections with an ID.
    sections: usize,
}

impl ReviewWriter<'_> {
    /// Writes a review. `flush` may take the output at some points.
    fn review<E>(
        &mut self,
        review: &PlanReview<'_>,
        verdict: &Verdict,
        texts: &PlanTexts,
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
        let mut others: Vec<&str> = units.invocations.iter().map(|(heading, _)| *heading).collect();
        others.extend(has_outputs.then_some("Outputs"));
        self.index(&parts, &others);
        for part in &parts {
            self.part(part, texts, &mut ledger, flush)?;
        }
        if !units.invocations.is_empty() {
            let shown: HashMap<&str, usize> = parts
                .iter()
                .filter(|part| part.list == List::Resources)
                .flat_map(|part| part.changes.iter().map(|(unit, id, _)| (unit.entry.address, *id)))
                .collect();
            for (heading, units) in &units.invocations {
                self.section(heading, |writer| {
                    for unit in units {
                        // The tools print no text of deferred ones.
                        let is_printed = unit.invocation.deferred_reason.is_none();
                        let text = texts.invocations.get(unit.at).filter(|_| is_printed);
                        writer.invocation(unit, text, &shown, &mut ledger);
                    }
                });
            }
        }
        if has_outputs {
            self.section("Outputs", |writer| writer.outputs(review, &texts.outputs, &mut ledger));
        }
        if let Some(sentence) = unreported_sentence(ledger.unreported()) {
            self.html.element(Element::P, &[Attribute::Class(Class::Banner)], |html| {
                html.data(Untrusted(&sentence));
            });
        }
        Ok(ledger)
    }
}
