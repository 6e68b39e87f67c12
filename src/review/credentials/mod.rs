//! Finds credentials in values, by their known forms and by the names of the values; and copies of sensitive values.
//!
//! ```text
//! {"name": "DB_PASSWORD", "value": "kX9…"}  the value is a password, as the name beside it says
//! "Server=db;Pwd=kX9…"                      a password in a connection string
//! ```
//!
//! Invariant: each string is read once.

pub(super) mod copies;
pub(super) mod forms;
mod names;
pub(super) mod scan;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(super) use self::copies::{Copies, SENSITIVE, is_like_a_secret};
pub(super) use self::forms::key_lines;
pub(super) use self::scan::is_in as has_secret;
use self::scan::{Cover, Hit, scan};
use super::value_path::{ElementStep, PathStep, Side};
use crate::diff::edits::{Element, Step};
use crate::diff::value::{Builder, Content, MarkedValue};
use crate::meaning::Documents;

/// The names of siblings that make values credentials, such as `name = "DB_PASSWORD"` next to `value`, and these
/// values.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiblingNames {
    /// The names by the path of the value, before the change.
    pub(super) before: HashMap<String, String>,
    /// The names by the path of the value, after the change.
    pub(super) after: HashMap<String, String>,
    /// The values that are credentials only because of such a name.
    pub(super) values: HashSet<String>,
}

/// The secrets of an object, which texts must not show.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets {
    /// The names of siblings that make values credentials.
    pub(super) siblings: SiblingNames,
    /// The sensitive texts of the object, if one of them occurs elsewhere in it.
    pub(super) copies: Option<Arc<Copies>>,
    /// The part of `copies` that is unlikely to be anything else, for objects for which nobody knows what the author
    /// wrote.
    pub(super) likely_copies: Option<Arc<Copies>>,
    /// The attributes that the author wrote, in which a copy is not hidden. `None` until the last step of the review,
    /// or if the configuration of the object is not known.
    pub(super) configured: Option<HashSet<String>>,
}

/// The maximum depth of values and documents that are read; deeper parts are not searched.
const MAX_DEPTH: usize = 64;

/// The credentials of an object or of another value, as texts need them.
#[derive(Clone, Debug, Default)]
pub(super) struct CredentialTexts {
    /// The name of the form and the text of each credential, in the order of the values.
    pub secrets: Vec<(&'static str, String)>,
    /// The names of siblings that make values credentials.
    pub siblings: SiblingNames,
    /// Whether a text that is sensitive in the object occurs elsewhere in it.
    pub has_copies: bool,
}

impl CredentialTexts {
    /// Finds the credentials in one value. `name` is that of its attribute, member or variable.
    pub(super) fn of(name: Option<&str>, value: MarkedValue<'_>) -> Self {
        let (arena, hasher) = (bumpalo::Bump::new(), foldhash::fast::RandomState::default());
        let build = Builder::new(&arena, &hasher);
        Credentials::find(name, [build.null(), value], &Documents::new(build), None).texts
    }

    pub(super) fn is_empty(&self) -> bool {
        self.secrets.is_empty() && !self.has_copies
    }
}

/// The credentials on both sides of a change.
#[derive(Default)]
pub(super) struct Credentials<'w> {
    /// The texts of the credentials before the change.
    pub(super) known: HashSet<String>,
    /// The path, the name of the form and the text of each credential after the change.
    pub(super) after: Vec<(Vec<PathStep<'w>>, &'static str, String)>,
    /// The credentials of both sides, as texts need them.
    pub(super) texts: CredentialTexts,
}

impl<'w> Credentials<'w> {
    /// Finds the credentials of both sides of a change (before and after), and whether `copies` occur in them. `name`
    /// is that of a value that is not an object, such as that of an output.
    pub(super) fn find(
        name: Option<&str>,
        values: [MarkedValue<'w>; 2],
        documents: &Documents<'w>,
        copies: Option<&Copies>,
    ) -> Self {
        let mut walk = CredentialSearch {
            documents,
            copies,
            path: Vec::new(),
            side: Side::Before,
            credentials: Self::default(),
        };
        let [before, after] = values;
        walk.value(before, name, false, None);
        walk.side = Side::After;
        walk.value(after, name, false, Some(before));
        walk.credentials
    }
}

/// Returns the name of a member's value. This is the name of the member, except for the `value` in an element of a list
/// of variables: there it is the name of the variable, which is a sibling.
pub(super) fn name_of_value<'v>(object: MarkedValue<'v>, member: &'v str) -> &'v str {
    let sibling_name = || {
        ["name", "key"]
            .into_iter()
            .find_map(|name| object.get(name)?.as_str())
    };
    if member == "value" {
        sibling_name().unwrap_or(member)
    } else {
        member
    }
}

/// Returns a path as a text that is the same for values and for edits, so that both can be compared. `index` returns
/// the index of an element on one side.
pub(super) fn path_of_steps(
    steps: &[Step<'_>],
    index: impl Fn(&Element<'_>) -> Option<u32>,
) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Name(name) => text.extend([".", name, "\0"]),
            Step::Document(_) => text.push_str("@\0"),
            Step::Element(element) => match index(element) {
                Some(index) => text.push_str(&format!("#{index}\0")),
                None => text.push_str("#\0"),
            },
        }
    }
    text
}

/// Returns the path of a value as a text, as `path_of_steps` does for edits.
fn place_of_path(path: &[PathStep<'_>]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Name(name) => text.extend([".", name, "\0"]),
            PathStep::Document(_) => text.push_str("@\0"),
            PathStep::Element(element) | PathStep::Line(element) => {
                text.push_str(&format!("#{}\0", element.index));
            }
            PathStep::Value(_) => text.push_str(".value\0"),
        }
    }
    text
}

/// A search for the credentials of both sides of a change.
struct CredentialSearch<'v, 'w> {
    /// The documents in strings, which are decoded only once.
    documents: &'v Documents<'w>,
    /// The sensitive texts whose copies are searched.
    copies: Option<&'v Copies>,
    /// The steps from the root to the current value.
    path: Vec<PathStep<'w>>,
    /// The side of the change that is being searched.
    side: Side,
    /// The credentials found so far.
    credentials: Credentials<'w>,
}

impl<'w> CredentialSearch<'_, 'w> {
    /// Searches a value. `has_sibling_name` is whether `name` is that of a sibling rather than its own. `before` is the
    /// value with the same name on the side that was searched first.
    fn value(
        &mut self,
        value: MarkedValue<'w>,
        name: Option<&str>,
        has_sibling_name: bool,
        before: Option<MarkedValue<'w>>,
    ) {
        if value.is_hidden || self.path.len() > MAX_DEPTH {
            return;
        }
        // If the other side has no credential, neither has a value that is equal on both sides, as most are.
        let is_read = before.is_some_and(|before| {
            before == value
                && !before.has_marks
                && !value.has_marks
                && self.credentials.texts.is_empty()
        });
        if is_read {
            return;
        }
        match value.content {
            Content::String(text) => self.text(text, name, has_sibling_name),
            Content::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.path.push(PathStep::Element(ElementStep {
                        index,
                        len: items.len(),
                        name: None,
                    }));
                    let before = before.and_then(|before| before.as_array()?.get(index).copied());
                    self.value(*item, name, has_sibling_name, before);
                    self.path.pop();
                }
            }
            Content::Object(members) => {
                for (member, inner) in members {
                    self.path.push(PathStep::Name(member));
                    for hit in scan(member, None, None) {
                        hit.each(&mut |name, secret| self.take(name, secret));
                    }
                    // The names at the top are those of attributes, which are not secret.
                    let is_key = self.path.len() > 1;
                    self.credentials.texts.has_copies |=
                        is_key && self.copies.is_some_and(|copies| copies.are_in(member));
                    let known_as = name_of_value(value, member);
                    let before = before
                        .filter(|before| name_of_value(*before, member) == known_as)
                        .and_then(|before| before.get(member));
                    self.value(*inner, Some(known_as), known_as != *member, before);
                    self.path.pop();
                }
            }
            Content::Number(digits) => {
                self.credentials.texts.has_copies |=
                    self.copies.is_some_and(|copies| copies.has(digits));
            }
            Content::Null | Content::Unknown | Content::Redacted | Content::Bool(_) => {}
        }
    }

    /// Searches one string, with the name of its value, and the document in it, if there is one. Credentials of the
    /// document are recorded with their paths in it, and not again for the whole string.
    fn text(&mut self, text: &'w str, name: Option<&str>, has_sibling_name: bool) {
        let hits = scan(text, name, self.copies);
        if hits.is_empty() {
            return;
        }
        if has_sibling_name && let Some(name) = name {
            self.remember(text, name);
        }
        // A path into the document says where the credential is.
        let number = self.credentials.texts.secrets.len();
        let is_whole = matches!(&*hits, [Hit { range, cover: Cover::Credential { .. } }] if *range == (0..text.len()));
        if !is_whole && let Some((format, value)) = self.documents.read(text) {
            self.path.push(PathStep::Document(format));
            self.value(value, None, false, None);
            self.path.pop();
        }
        let inside: HashSet<String> = self.credentials.texts.secrets[number..]
            .iter()
            .map(|(_, secret)| secret.clone())
            .collect();
        for hit in &hits {
            hit.each(&mut |name, secret| {
                if !inside.contains(secret) {
                    self.take(name, secret);
                }
            });
        }
    }

    /// Records that a text is a credential because of the name of a sibling.
    fn remember(&mut self, text: &str, name: &str) {
        let siblings = &mut self.credentials.texts.siblings;
        let names = match self.side {
            Side::Before => &mut siblings.before,
            Side::After => &mut siblings.after,
        };
        names.insert(place_of_path(&self.path), name.to_owned());
        siblings.values.insert(text.to_owned());
    }

    /// Records a credential or a copy.
    fn take(&mut self, name: &'static str, secret: &str) {
        self.credentials.texts.add(name, secret);
        if name == SENSITIVE {
            return;
        }
        match self.side {
            Side::Before => _ = self.credentials.known.insert(secret.to_owned()),
            Side::After => {
                let credential = (self.path.clone(), name, secret.to_owned());
                self.credentials.after.push(credential);
            }
        }
    }
}

impl CredentialTexts {
    /// Adds a credential or, for a copy, that there is one.
    fn add(&mut self, name: &'static str, secret: &str) {
        if name == SENSITIVE {
            self.has_copies = true;
        } else {
            self.secrets.push((name, secret.to_owned()));
        }
    }
}
