//! The results of other tools in a document, and how each writer writes them.

use super::Tone;
use super::markdown::code::code;
use crate::page::{Attribute, Class, Element, Html, WebAddress};
use crate::term::Untrusted;
use crate::text::{count, one_line};

/// A result of another tool.
#[derive(Clone, Debug)]
pub struct ResultLine {
    /// The tool, its severity and its rule.
    pub label: String,
    /// How grave it is.
    pub tone: Tone,
    /// The address or the place that it is about; empty if it is written with its entry.
    pub subject: String,
    /// The message.
    pub text: String,
    /// A page about the rule.
    pub url: Option<String>,
}

/// The results of other tools about an entry, or about no entry.
#[derive(Clone, Debug, Default)]
pub struct OtherResults {
    /// The first ones.
    pub shown: Vec<ResultLine>,
    /// The number of the others.
    pub more: usize,
}

/// The title of the results that are about no entry.
pub(super) const TITLE: &str = "Results of other tools about nothing that changes";

impl ResultLine {
    pub(super) fn text(&self) -> String {
        let subject = if self.subject.is_empty() { String::new() } else { format!("{} ", self.subject) };
        one_line(&format!("{subject}{}", self.text))
    }
}

/// The number of results that are not shown, in words.
fn more(number: usize) -> String {
    format!("… {}", count(number, "more result"))
}

/// The results as items of a list in Markdown.
pub(super) fn items(results: &OtherResults) -> Vec<String> {
    let item = |result: &ResultLine| {
        let label = code(&result.label);
        // An address of the web is only in the target of a link, never in its text.
        let label = match result.url.clone().and_then(WebAddress::new) {
            Some(_) => format!("[{label}]({})", result.url.as_deref().unwrap_or_default()),
            None => label,
        };
        format!("- {label} {}\n", code(&result.text()))
    };
    let rest = (results.more > 0).then(|| format!("- {}\n", more(results.more)));
    results.shown.iter().map(item).chain(rest).collect()
}

/// Writes results as items of a list on a page.
pub(super) fn html(html: &mut Html, results: &OtherResults) {
    for result in &results.shown {
        html.element(Element::LI, &[], |html| {
            let label = |html: &mut Html| match result.tone {
                Tone::Alert => html.strong(Class::FINDING, &one_line(&result.label)),
                Tone::Plain
                | Tone::Muted
                | Tone::Added
                | Tone::Removed
                | Tone::Changed
                | Tone::AddedWord
                | Tone::RemovedWord => html.code(&one_line(&result.label)),
            };
            match result.url.clone().and_then(WebAddress::new) {
                Some(url) => html.element(Element::A, &[Attribute::File(&url)], label),
                None => label(html),
            }
            html.data(Untrusted(&format!(" {}", result.text())));
        });
    }
    if results.more > 0 {
        html.element(Element::LI, &[], |html| html.data(Untrusted(&more(results.more))));
    }
}
