//! Credentials in plain text: by their known forms, and by the names of their values.
//!
//! Invariants: no finding has a credential in its text; what is marked sensitive, or was there before, is no
//! finding, but texts show neither; each string is read once.

use std::collections::HashSet;
use std::sync::Arc;

use super::copies::{Copies, SENSITIVE};
use super::pattern::{
    Documents, ElementStep, PathStep, Side, member_text, path_of_edit, path_text,
};
use super::scan::{Cover, Hit, scan};
use super::short;
use crate::access::glob_matches;
use crate::diff::edits::{Element, Path, Step};
use crate::diff::value::{Builder, Content, MarkedValue, Redactor};
use crate::review::entry::{Effect, Entry, Finding, FindingKind, Level, RuleOrigin};
use crate::review::masks::SiblingNames;
use crate::review::names;

/// The maximum number of credentials in one object that have a finding each.
const MAX_FOUND: usize = 20;

/// The maximum depth of values and documents that are read.
const MAX_DEPTH: usize = 64;

/// The credentials of an object or another value, for texts.
#[derive(Clone, Debug, Default)]
pub(in crate::review) struct Found {
    /// The name and the text of each, in their order.
    pub secrets: Vec<(&'static str, String)>,
    pub siblings: SiblingNames,
    /// A text that is sensitive in the object is elsewhere in it, too.
    pub has_copies: bool,
}

impl Found {
    pub(in crate::review) fn of(name: Option<&str>, value: MarkedValue<'_>) -> Self {
        let (arena, hasher) = (bumpalo::Bump::new(), foldhash::fast::RandomState::default());
        let build = Builder::new(&arena, &hasher);
        Credentials::find(name, [build.null(), value], &Documents::new(build), None).texts
    }

    pub(in crate::review) fn is_empty(&self) -> bool {
        self.secrets.is_empty() && !self.has_copies
    }
}

#[derive(Default)]
pub(in crate::review) struct Credentials<'w> {
    known: HashSet<String>,
    found: Vec<(Vec<PathStep<'w>>, &'static str, String)>,
    pub(in crate::review) texts: Found,
}

impl<'w> Credentials<'w> {
    /// Finds the credentials of both sides of a change, and whether `copies` occur in it.
    pub(in crate::review) fn find(
        name: Option<&str>,
        values: [MarkedValue<'w>; 2],
        documents: &Documents<'w>,
        copies: Option<&Copies>,
    ) -> Self {
        let mut walk = Walk {
            documents,
            copies,
            path: Vec::new(),
            side: Side::Before,
            found: Self::default(),
        };
        let [before, after] = values;
        walk.value(before, name, false, None);
        walk.side = Side::After;
        walk.value(after, name, false, Some(before));
        walk.found
    }

    /// `resource_type` is empty for outputs.
    pub(in crate::review) fn findings<'a>(
        &self,
        resource_type: &str,
        after: MarkedValue<'w>,
        redactor: Redactor<'a>,
    ) -> Vec<Finding<'a>> {
        let is_meant = !self.found.is_empty() && is_holder(resource_type, after);
        let level = if is_meant {
            Level::Notice
        } else {
            Level::Critical
        };
        let mut known: HashSet<&str> = self.known.iter().map(String::as_str).collect();
        let new = self.found.iter().filter(|(.., text)| known.insert(text));
        let finding = |(path, name, _): &(Vec<PathStep<'w>>, &str, String)| {
            let place = path_text(path);
            let text = match &*place {
                "" => format!("{name} in plain text"),
                place => format!("{}: {name} in plain text", short(place)),
            };
            Finding {
                kind: FindingKind::Secret,
                path: path_of_edit(path, Side::After, redactor),
                text,
                level,
                weight: u8::from(name.contains("private key")),
                rule: Arc::from("secret"),
                effect: Effect::Means {
                    words: format!("{name} in plain text"),
                },
                is_expected: false,
                is_undone: false,
                origin: RuleOrigin::BuiltIn,
            }
        };
        new.take(MAX_FOUND).map(finding).collect()
    }
}

/// What was sensitive before and is no longer: an output that everybody sees from now on.
pub(in crate::review) fn uncovered<'a>(
    before: MarkedValue<'_>,
    after: MarkedValue<'_>,
) -> Option<Finding<'a>> {
    let is_uncovered = before.has_marks && !after.has_marks && !after.is_null();
    is_uncovered.then(|| Finding {
        kind: FindingKind::Secret,
        path: Path::ROOT,
        text: "no longer sensitive: its value is shown from now on".to_owned(),
        level: Level::Warning,
        weight: 0,
        rule: Arc::from("secret"),
        effect: Effect::Other,
        is_expected: false,
        is_undone: false,
        origin: RuleOrigin::BuiltIn,
    })
}

/// A secret that a reference of the configuration puts where it is stored in plain text, and that is known after apply
/// only. The result has the index of each entry.
pub(in crate::review) fn references<'a>(
    entries: &[Entry<'a>],
    redactor: Redactor<'a>,
) -> Vec<(usize, Finding<'a>)> {
    let mut found = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let after = match entry.edits {
            [edit] if edit.path.is_empty() => edit.after,
            _ => None,
        };
        let is_encrypted = entry.resource_type == "aws_ssm_parameter"
            && after.and_then(|object| member_text(object, "type")) != Some("String");
        if is_encrypted {
            continue;
        }
        for given in &entry.given {
            let place = format!("{}.{}", entry.resource_type, given.attribute);
            let is_plain = names::PLAIN_STORES
                .iter()
                .any(|glob| glob_matches(glob, &place));
            let source = given
                .sources
                .iter()
                .find_map(|source| Some((source, secret_source(source)?)));
            let Some((source, what)) = source.filter(|_| is_plain) else {
                continue;
            };
            let path = [PathStep::Name(given.attribute)];
            found.push((
                index,
                Finding {
                    kind: FindingKind::Secret,
                    path: path_of_edit(&path, Side::After, redactor),
                    text: short(&format!(
                        "{}: {what} from {source} in plain text",
                        given.attribute
                    )),
                    level: Level::Warning,
                    weight: 0,
                    rule: Arc::from("secret"),
                    effect: Effect::Other,
                    is_expected: false,
                    is_undone: false,
                    origin: RuleOrigin::BuiltIn,
                },
            ));
        }
    }
    found
}

/// What an attribute of another resource is, if it is a secret.
fn secret_source(source: &str) -> Option<&'static str> {
    let (object, attribute) = source.rsplit_once('.')?;
    match attribute {
        "private_key_pem" | "private_key_pem_pkcs8" | "private_key_openssh" | "private_key" => {
            Some("private key")
        }
        "result" if object.contains("random_password.") => Some("password"),
        _ => None,
    }
}

fn is_holder(resource_type: &str, object: MarkedValue<'_>) -> bool {
    match resource_type {
        "" => false,
        "aws_ssm_parameter" => member_text(object, "type") == Some("SecureString"),
        "kubernetes_manifest" => {
            let kind = object
                .get("manifest")
                .and_then(|manifest| member_text(manifest, "kind"));
            kind == Some("Secret")
        }
        _ => names::TYPES_THAT_HOLD_SECRETS
            .iter()
            .any(|glob| glob_matches(glob, resource_type)),
    }
}

/// The name of a member's value: its own, but in an element of a list of variables that of the variable, which is
/// beside the value.
pub(in crate::review) fn name_of_value<'v>(object: MarkedValue<'v>, member: &'v str) -> &'v str {
    let beside = || {
        ["name", "key"]
            .into_iter()
            .find_map(|name| object.get(name)?.as_str())
    };
    if member == "value" {
        beside().unwrap_or(member)
    } else {
        member
    }
}

/// Writes a place, so that those of values and of edits can be compared. `index` is that of an element on one side.
pub(in crate::review) fn place(
    steps: &[Step<'_>],
    index: impl Fn(&Element<'_>) -> Option<u32>,
) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Name(name) => text.extend([".", name, "\0"]),
            Step::Document(_) => text.push_str("@\0"),
            Step::Element(element) => match index(element) {
                Some(at) => text.push_str(&format!("#{at}\0")),
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

struct Walk<'v, 'w> {
    documents: &'v Documents<'w>,
    copies: Option<&'v Copies>,
    path: Vec<PathStep<'w>>,
    side: Side,
    found: Credentials<'w>,
}

impl<'w> Walk<'_, 'w> {
    /// `is_beside` is true if the name is beside the value. `before` is what has the same name on the side that was read
    /// before.
    fn value(
        &mut self,
        value: MarkedValue<'w>,
        name: Option<&str>,
        is_beside: bool,
        before: Option<MarkedValue<'w>>,
    ) {
        if value.is_hidden || self.path.len() > MAX_DEPTH {
            return;
        }
        // If the other side holds no credential, neither does what is the same on this side, which is most of it.
        let is_read = before.is_some_and(|before| {
            before == value && !before.has_marks && !value.has_marks && self.found.texts.is_empty()
        });
        if is_read {
            return;
        }
        match value.content {
            Content::String(text) => self.text(text, name, is_beside),
            Content::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.path.push(PathStep::Element(ElementStep {
                        index,
                        len: items.len(),
                        name: None,
                    }));
                    let before = before.and_then(|before| before.as_array()?.get(index).copied());
                    self.value(*item, name, is_beside, before);
                    self.path.pop();
                }
            }
            Content::Object(members) => {
                for (member, inner) in members {
                    self.path.push(PathStep::Name(member));
                    for hit in scan(member, None, None) {
                        hit.each(&mut |name, secret| self.take(name, secret));
                    }
                    let known_as = name_of_value(value, member);
                    let before = before
                        .filter(|before| name_of_value(*before, member) == known_as)
                        .and_then(|before| before.get(member));
                    self.value(*inner, Some(known_as), known_as != *member, before);
                    self.path.pop();
                }
            }
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_) => {}
        }
    }

    fn text(&mut self, text: &'w str, name: Option<&str>, is_beside: bool) {
        let hits = scan(text, name, self.copies);
        if hits.is_empty() {
            return;
        }
        if is_beside && let Some(name) = name {
            self.remember(text, name);
        }
        // A path into the document says where it is.
        let number = self.found.texts.secrets.len();
        let is_whole = matches!(&*hits, [Hit { range, cover: Cover::Credential { .. } }] if *range == (0..text.len()));
        if !is_whole && let Some((format, value)) = self.documents.read(text) {
            self.path.push(PathStep::Document(format));
            self.value(value, None, false, None);
            self.path.pop();
        }
        let inside: HashSet<String> = self.found.texts.secrets[number..]
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
        let siblings = &mut self.found.texts.siblings;
        let names = match self.side {
            Side::Before => &mut siblings.before,
            Side::After => &mut siblings.after,
        };
        names.insert(place_of_path(&self.path), name.to_owned());
        siblings.values.insert(text.to_owned());
    }

    fn take(&mut self, name: &'static str, secret: &str) {
        self.found.texts.add(name, secret);
        if name == SENSITIVE {
            return;
        }
        match self.side {
            Side::Before => _ = self.found.known.insert(secret.to_owned()),
            Side::After => {
                let found = (self.path.clone(), name, secret.to_owned());
                self.found.found.push(found);
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
