//! Finds the plan inside of another document: the input of a policy engine, the payload of a platform, or a JSON
//! string.
//!
//! A plan is read if it is the only one in the document, and all members around it have names that say so ([`NAMES`]).
//!
//! Invariants: if there are several plans, none is read, because it is not clear which one is meant. A plan below any
//! other member is an error that names the member. The time is linear in the length of the text.
//!
//! ```text
//! {"input": {"plan": {"format_version": "1.2", …}}}      input.plan
//! {"tfplan": {…}, "tfrun": {…}}                          tfplan
//! "{\"format_version\":\"1.2\",…}"                       a JSON string
//! ```

use std::ops::Range;

use crate::cli::kind::{self, DocumentKind};
use crate::json::{self, Members, Raw, Reader, Str};
use crate::text::quote;

/// The maximum number of members and elements around a plan. Plans that are nested deeper are not found.
const MAX_DEPTH: usize = 4;
/// The maximum number of strings inside each other that have the text of a plan.
const MAX_STRINGS: usize = 3;

/// The names of members below which policy engines and platforms put a plan.
const NAMES: [&str; 11] = [
    "input",
    "plan",
    "tfplan",
    "tf_plan",
    "terraform",
    "terraform_plan",
    "plan_json",
    "json_plan",
    "plan_output",
    "data",
    "payload",
];

/// The only plan in a document, and the path to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nested {
    /// The path, such as `input.plan`; empty for the document itself, which is a string then.
    pub(super) path: String,
    /// The text of the plan.
    pub(super) text: NestedText,
}

/// The text of a plan inside of another document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NestedText {
    /// A part of the document, without white space around it, in bytes.
    Part(Range<usize>),
    /// The content of a string.
    Decoded(String),
}

/// The reason why a document with plans in it is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    #[error("a plan is at {}: it is not clear which one is meant", listed(.0))]
    Several(Vec<String>),
    #[error("the plan is not at its top, but at {0}")]
    Elsewhere(String),
}

/// Lists the first of several paths, and counts the others.
fn listed(paths: &[String]) -> String {
    /// The maximum number of paths that are listed.
    const SHOWN: usize = 3;
    let more = paths.len().saturating_sub(SHOWN);
    let shown = paths.get(..SHOWN).unwrap_or(paths).join(" and at ");
    if more > 0 {
        format!("{shown} and at {more} other places")
    } else {
        shown
    }
}

/// Returns the only plan in a JSON document that is not itself a plan; `None` if there is no plan in it.
///
/// # Errors
/// If there are several plans, or the only one is below a member whose name does not say so.
pub(super) fn find(document: &str) -> Result<Option<Nested>, Fault> {
    let document = document.trim();
    let mut reader = Reader::new(document);
    if reader.skip().is_err() || reader.pos() < document.len() {
        return Ok(None);
    }
    let mut search = Search {
        document,
        path: Vec::new(),
        candidates: Vec::new(),
    };
    search.value(document);
    let mut candidates = search.candidates;
    match (candidates.pop(), candidates.is_empty()) {
        (None, _) => Ok(None),
        (Some(only), true) if only.is_named => Ok(Some(only.nested)),
        (Some(only), true) => Err(Fault::Elsewhere(quote(&only.nested.path))),
        (Some(last), false) => {
            candidates.push(last);
            let paths = candidates
                .iter()
                .map(|candidates| quote(&candidates.nested.path));
            Err(Fault::Several(paths.collect()))
        }
    }
}

/// A plan that the search has found.
struct Candidate {
    nested: Nested,
    /// Whether all members around the plan have one of [`NAMES`].
    is_named: bool,
}

/// A member or element on the way to a value.
struct Step<'t> {
    text: Str<'t>,
    is_named: bool,
}

/// The search for plans in one document.
struct Search<'t> {
    document: &'t str,
    path: Vec<Step<'t>>,
    candidates: Vec<Candidate>,
}

impl<'t> Search<'t> {
    /// Searches a value: the document itself, or a value in it.
    fn value(&mut self, value: &'t str) {
        match value.as_bytes().first() {
            Some(b'"') => {
                if let Some(text) = decoded(value) {
                    self.add(NestedText::Decoded(text));
                }
            }
            Some(b'{') => match kind::detect(value) {
                Ok(DocumentKind::Plan) => {
                    let start = value.as_ptr() as usize - self.document.as_ptr() as usize;
                    self.add(NestedText::Part(start..start + value.len()));
                }
                Ok(_) if self.path.len() < MAX_DEPTH => self.members(value),
                Ok(_) | Err(_) => {}
            },
            Some(b'[') if self.path.len() < MAX_DEPTH => self.elements(value),
            Some(_) | None => {}
        }
    }

    /// Searches the members of an object.
    fn members(&mut self, object: &'t str) {
        let mut members = Members::new(object);
        while let Ok(Some(name)) = members.next_key() {
            let Ok(value) = members.value() else { return };
            self.path.push(Step {
                is_named: NAMES.contains(&&*name),
                text: Str(name),
            });
            self.value(value);
            self.path.pop();
        }
    }

    /// Searches the elements of an array.
    fn elements(&mut self, list: &'t str) {
        let values: Vec<Raw<'t>> = json::from_str(list).unwrap_or_default();
        for (index, value) in values.into_iter().enumerate() {
            self.path.push(Step {
                is_named: false,
                text: Str(format!("[{index}]").into()),
            });
            self.value(value.text());
            self.path.pop();
        }
    }

    /// Adds a plan at the current path.
    fn add(&mut self, text: NestedText) {
        let names: Vec<&str> = self.path.iter().map(|step| &*step.text).collect();
        self.candidates.push(Candidate {
            nested: Nested {
                path: names.join(".").replace(".[", "["),
                text,
            },
            is_named: self.path.iter().all(|step| step.is_named),
        });
    }
}

/// Returns the plan in a JSON string, which may be within further strings.
fn decoded(string: &str) -> Option<String> {
    let mut text = string.to_owned();
    for _ in 0..MAX_STRINGS {
        text = json::from_str::<Str<'_>>(&text).ok()?.0.into_owned();
        let inner = text.trim();
        if inner.starts_with('{') {
            return (kind::detect(inner) == Ok(DocumentKind::Plan)).then_some(text);
        }
        if !inner.starts_with('"') {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests;
