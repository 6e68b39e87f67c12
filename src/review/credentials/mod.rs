//! Credentials in values: by their known forms, and by the names of their values; and copies of what is sensitive.
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
use super::documents::Documents;
use super::value_path::{ElementStep, PathStep, Side};
use crate::diff::edits::{Element, Step};
use crate::diff::value::{Builder, Content, MarkedValue};

/// The credentials in one object that only a value beside them gives away: the `value` of an element whose `name` is
/// `DB_PASSWORD`.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiblingNames {
    /// By the place of the value, before and after.
    pub(super) before: HashMap<String, String>,
    pub(super) after: HashMap<String, String>,
    /// The values.
    pub(super) values: HashSet<String>,
}

/// What texts must not show of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets {
    /// Names beside values, such as `name = "DB_PASSWORD"` next to `value`, that make the values
    /// credentials.
    pub(super) siblings: SiblingNames,
    /// Its sensitive texts, if one is elsewhere in it, too.
    pub(super) copies: Option<Arc<Copies>>,
    /// Those of them that hardly are anything else, for objects of which nobody knows what the author wrote.
    pub(super) likely_copies: Option<Arc<Copies>>,
    /// The attributes that the author wrote, in which a copy is not hidden; `None` until the last
    /// step of the review, and if the configuration of the object is not known.
    pub(super) configured: Option<HashSet<String>>,
}

/// The maximum depth of values and documents that are read.
const MAX_DEPTH: usize = 64;

/// The credentials of an object or another value, for texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The name and the text of each, in their order.
    pub secrets: Vec<(&'static str, String)>,
    pub siblings: SiblingNames,
    /// A text that is sensitive in the object is elsewhere in it, too.
    pub has_copies: bool,
}

impl Found {
    /// Finds the credentials in one value.
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
    /// The texts of those before the change.
    pub(super) known: HashSet<String>,
    /// Those after the change: the place, the name and the text of each.
    pub(super) after: Vec<(Vec<PathStep<'w>>, &'static str, String)>,
    pub(super) texts: Found,
}

impl<'w> Credentials<'w> {
    /// Finds the credentials of both sides of a change, and whether `copies` occur in it.
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

/// The name of a member's value: its own, but in an element of a list of variables that of the variable, which is
/// beside the value.
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

/// Writes a place, so that those of values and of edits can be compared. `index` is that of an element on one side.
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

/// Searches the strings of one side.
struct CredentialSearch<'v, 'w> {
    /// Decodes documents in strings.
    documents: &'v Documents<'w>,
    /// The sensitive texts whose copies are searched.
    copies: Option<&'v Copies>,
    /// The steps from the root to the current value.
    path: Vec<PathStep<'w>>,
    /// Which side of the change is searched.
    side: Side,
    /// The credentials found so far.
    credentials: Credentials<'w>,
}

impl<'w> CredentialSearch<'_, 'w> {
    /// `has_sibling_name` is true if a sibling of the value has its name. `before` is what has the same name on the side that was read
    /// before.
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
        // If the other side holds no credential, neither does what is the same on this side, which is most of it.
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
                    // The names at the top are those of attributes.
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

    /// Searches one string, with the name of its value, and the document in it, if there is one.
    /// What the document contains is recorded with its path, not once more for the whole string.
    fn text(&mut self, text: &'w str, name: Option<&str>, has_sibling_name: bool) {
        let hits = scan(text, name, self.copies);
        if hits.is_empty() {
            return;
        }
        if has_sibling_name && let Some(name) = name {
            self.remember(text, name);
        }
        // A path into the document says where it is.
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

    /// Whether only the name beside it says that a text is a credential.
    fn remember(&mut self, text: &str, name: &str) {
        let siblings = &mut self.credentials.texts.siblings;
        let names = match self.side {
            Side::Before => &mut siblings.before,
            Side::After => &mut siblings.after,
        };
        names.insert(place_of_path(&self.path), name.to_owned());
        siblings.values.insert(text.to_owned());
    }

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

impl Found {
    fn add(&mut self, name: &'static str, secret: &str) {
        if name == SENSITIVE {
            self.has_copies = true;
        } else {
            self.secrets.push((name, secret.to_owned()));
        }
    }
}
