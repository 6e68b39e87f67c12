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
mod random;
pub(super) mod scan;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(super) use self::copies::{Copies, SENSITIVE, is_like_a_secret, is_shown_by};
pub(super) use self::forms::key_lines;
pub(super) use self::names::label_of_name;
use self::names::{DATA_OF_SECRET, OPTION_OF_COMMAND, is_named, named, names_several};
pub(super) use self::scan::Known;
pub(super) use self::scan::is_in as has_secret;
use self::scan::manifests::{DATA_MEMBERS, SECRET_KIND};
use self::scan::{Cover, Hit, scan};
use super::value_path::{ElementStep, PathStep, Side};
use crate::diff::edits::{Element, Path, Step};
use crate::diff::value::{Builder, Content, MarkedValue};
use crate::meaning::Documents;

/// The names that values have because of their surroundings, and the values that are credentials because of them: the
/// `name` beside a `value`, the data of a Secret, the option before an argument.
#[derive(Clone, Debug, Default)]
pub struct NamesOfValues {
    /// The names by the path of the value, before the change.
    pub(super) before: HashMap<String, String>,
    /// The names by the path of the value, after the change.
    pub(super) after: HashMap<String, String>,
    /// The values that are credentials only because of such a name.
    pub(super) values: HashMap<String, NamedValue>,
    /// The names, also those of attributes and variables, of which a value certainly is a credential. All values with
    /// such a name are credentials, on both sides of the change.
    pub(super) certain: HashSet<String>,
}

impl NamesOfValues {
    /// Finds the names of the values of both sides of a change; `None` if there are none.
    pub(crate) fn find<'w>(sides: [MarkedValue<'w>; 2], build: Builder<'w, 'w>) -> Option<Self> {
        let documents = Documents::new(build);
        let named = Credentials::find(None, sides, &documents, None).texts.named;
        let has_names = !named.before.is_empty() || !named.after.is_empty();
        (has_names || !named.certain.is_empty()).then_some(named)
    }

    /// Returns the name that the surroundings of the value at a path give it, on either side.
    pub(crate) fn name_of(&self, path: Path<'_>) -> Option<&str> {
        let steps = path.steps();
        let before = self
            .before
            .get(&path_of_steps(&steps, |element| element.before));
        let after = || {
            self.after
                .get(&path_of_steps(&steps, |element| element.after))
        };
        before.or_else(after).map(String::as_str)
    }
}

/// A value that is a credential because of its surroundings.
#[derive(Clone, Debug)]
pub(super) struct NamedValue {
    /// The name of the form, in texts.
    pub(super) form: &'static str,
    /// The names of the members that have the value.
    pub(super) members: HashSet<String>,
}

/// The secrets of an object, which texts must not show.
#[derive(Clone, Debug, Default)]
pub(super) struct Secrets {
    /// The names that make values credentials.
    pub(super) named: NamesOfValues,
    /// The sensitive texts of the object, if one of them occurs elsewhere in it.
    pub(super) copies: Option<Arc<Copies>>,
    /// The part of `copies` that is unlikely to be anything else, for objects for which nobody knows what the author
    /// wrote.
    pub(super) likely_copies: Option<Arc<Copies>>,
    /// The attributes that the author wrote, in which a copy is not hidden. `None` until the last step of the review,
    /// or if the configuration of the object is not known.
    pub(super) configured: Option<HashSet<String>>,
}

/// The maximum depth at which documents in strings are read part by part. Deeper ones are searched as text only, so that
/// documents inside each other need no large stack. Values are searched at any depth.
const DEEPEST_DOCUMENT: usize = 64;

/// The credentials of an object or of another value, as texts need them.
#[derive(Clone, Debug, Default)]
pub(super) struct CredentialTexts {
    /// The name of the form and the text of each credential, in the order of the values.
    pub secrets: Vec<(&'static str, String)>,
    /// The names that make values credentials.
    pub named: NamesOfValues,
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
        name: Option<&'w str>,
        values: [MarkedValue<'w>; 2],
        documents: &Documents<'w>,
        copies: Option<&Copies>,
    ) -> Self {
        let search = |certain: HashSet<String>| {
            let mut walk = CredentialSearch {
                documents,
                copies,
                certain,
                names: HashSet::new(),
                path: Vec::new(),
                side: Side::Before,
                credentials: Self::default(),
            };
            let [before, after] = values;
            walk.value(before, Named::of(name), None);
            walk.side = Side::After;
            walk.value(after, Named::of(name), Some(before));
            walk.credentials.texts.named.certain = walk.names;
            walk.credentials
        };
        let found = search(HashSet::new());
        if found.texts.named.certain.is_empty() {
            return found;
        }
        // What names one credential of the object names the others.
        search(found.texts.named.certain)
    }
}

/// The name of a value, as credentials know it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Named<'n> {
    /// The name; `None` if the value has none.
    pub(super) name: Option<&'n str>,
    /// Whether the name comes from the surroundings of the value, and not from its own place.
    pub(super) is_from_around: bool,
}

impl<'n> Named<'n> {
    /// Returns a name that the value has by its own place.
    pub(super) fn of(name: Option<&'n str>) -> Self {
        Self {
            name,
            is_from_around: false,
        }
    }

    /// Returns the name of a member's value in an object that has this name. It is the name of the member, except for
    /// the `value` in an element of a list of variables, which has the name of the variable, for the data of a
    /// Kubernetes Secret, and for what is below a name such as `passwords`.
    pub(super) fn of_member(self, object: MarkedValue<'n>, member: &'n str) -> Self {
        let around = |name| Self {
            name: Some(name),
            is_from_around: true,
        };
        let own = match is_value_of_sibling(member) {
            true => NAMES_OF_SIBLINGS
                .iter()
                .find_map(|name| object.get(name)?.as_str()),
            false => None,
        };
        let named_member = own.map_or(Self::of(Some(member)), around);
        let is_data = is_data_of_secret(object, member);
        let outer = match self.name {
            _ if is_data => DATA_OF_SECRET,
            Some(name) if names_several(name) => name,
            Some(_) | None => return named_member,
        };
        let own_name = named_member.name.unwrap_or(member);
        let is_credential = match object.get(member).and_then(MarkedValue::as_str) {
            Some(text) => named(own_name, text).is_some(),
            None => outer != DATA_OF_SECRET && is_named(own_name),
        };
        if is_credential {
            named_member
        } else {
            around(outer)
        }
    }

    /// Returns the name of an element of a list that has this name. An argument after an option that announces a
    /// credential is one.
    pub(super) fn of_element(self, items: &[MarkedValue<'n>], index: usize) -> Self {
        if is_argument(items, index) {
            return Self {
                name: Some(OPTION_OF_COMMAND),
                is_from_around: true,
            };
        }
        self
    }
}

/// Whether a member of an object is the data of a Kubernetes Secret.
pub(super) fn is_data_of_secret(object: MarkedValue<'_>, member: &str) -> bool {
    DATA_MEMBERS.contains(&member)
        && object.get("kind").and_then(MarkedValue::as_str) == Some(SECRET_KIND)
}

/// Whether an element of a list is the credential that the arguments before it announce: `["docker", "login", "-p",
/// "kX9…"]`.
fn is_argument(items: &[MarkedValue<'_>], index: usize) -> bool {
    /// The number of arguments before one that are read, besides the command.
    const BEFORE: usize = 6;
    let text = |index: usize| items.get(index).and_then(|item| item.as_str());
    let (Some(own), Some(option)) = (text(index), index.checked_sub(1).and_then(text)) else {
        return false;
    };
    let is_option = option.starts_with('-') && !option.contains([' ', '\n']);
    if !is_option || own.is_empty() || own.contains(['\n', '"']) {
        return false;
    }
    let command: Vec<&str> = std::iter::once(0)
        .chain(index.saturating_sub(BEFORE)..index)
        .filter_map(text)
        .filter(|argument| !argument.contains('\n'))
        .collect();
    let line = format!("{} \"{own}\"", command.join(" "));
    let start = line.len() - own.len() - 1;
    let mut is_found = false;
    forms::credentials(&line, &mut |credential| {
        let offset = credential.secret.as_ptr() as usize - line.as_ptr() as usize;
        is_found |= offset >= start;
    });
    is_found
}

/// The names of members that name the value beside them, the most usual first.
const NAMES_OF_SIBLINGS: [&str; 14] = [
    "name",
    "key",
    "Name",
    "Key",
    "ParameterKey",
    "parameter_key",
    "parameter_name",
    "parameterName",
    "option_name",
    "OptionName",
    "header",
    "header_name",
    "variable",
    "setting",
];

/// Whether a member names the value beside it.
fn is_name_of_sibling(member: &str) -> bool {
    NAMES_OF_SIBLINGS
        .iter()
        .any(|name| member.eq_ignore_ascii_case(name))
}

/// Whether a member has the value that another member names.
fn is_value_of_sibling(member: &str) -> bool {
    const VALUES: [&str; 8] = [
        "value",
        "ParameterValue",
        "parameter_value",
        "header_value",
        "string_value",
        "stringValue",
        "default_value",
        "plaintext_value",
    ];
    VALUES
        .iter()
        .any(|value| member.eq_ignore_ascii_case(value))
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
    /// The names of values that certainly are credentials, as an earlier search found.
    certain: HashSet<String>,
    /// The same, as this search finds.
    names: HashSet<String>,
    /// The steps from the root to the current value.
    path: Vec<PathStep<'w>>,
    /// The side of the change that is being searched.
    side: Side,
    /// The credentials found so far.
    credentials: Credentials<'w>,
}

impl<'w> CredentialSearch<'_, 'w> {
    /// Searches a value. `before` is the value with the same name on the side that was searched first.
    fn value(&mut self, value: MarkedValue<'w>, named: Named<'w>, before: Option<MarkedValue<'w>>) {
        if value.is_hidden {
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
            Content::String(text) => self.text(text, named),
            Content::Array(items) => {
                self.remember_container(named);
                for (index, item) in items.iter().enumerate() {
                    self.path.push(PathStep::Element(ElementStep {
                        index,
                        len: items.len(),
                        name: None,
                    }));
                    let before = before.and_then(|before| before.as_array()?.get(index).copied());
                    self.value(*item, named.of_element(items, index), before);
                    self.path.pop();
                }
            }
            Content::Object(members) => {
                self.remember_container(named);
                for (member, inner) in members {
                    self.path.push(PathStep::Name(member));
                    for hit in scan(member, None, Known::default()) {
                        hit.each(&mut |name, secret| self.take(name, secret));
                    }
                    // The names at the top are those of attributes, which are not secret.
                    let is_key = self.path.len() > 1;
                    self.credentials.texts.has_copies |=
                        is_key && self.copies.is_some_and(|copies| copies.are_in(member));
                    let known_as = named.of_member(value, member);
                    let before = before
                        .filter(|before| named.of_member(*before, member).name == known_as.name)
                        .and_then(|before| before.get(member));
                    self.value(*inner, known_as, before);
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
    fn text(&mut self, text: &'w str, named: Named<'w>) {
        let known = Known {
            copies: self.copies,
            names: Some(&self.certain),
        };
        let hits = scan(text, named.name, known);
        if hits.is_empty() {
            return;
        }
        for hit in &hits {
            hit.add_names(&mut self.names);
        }
        let form = match &*hits {
            [
                Hit {
                    range,
                    cover: Cover::Credential { name, .. },
                },
            ] if *range == (0..text.len()) => Some(*name),
            _ => None,
        };
        if named.is_from_around
            && let (Some(name), Some(form)) = (named.name, form)
        {
            self.remember(text, name, form);
            if let Some((_, value)) = self.documents.read(text) {
                self.remember_parts(value, form);
            }
        }
        if text.contains('\n') {
            self.remember_lines(&hits);
        }
        // A path into the document says where the credential is.
        let number = self.credentials.texts.secrets.len();
        if form.is_none()
            && self.path.len() <= DEEPEST_DOCUMENT
            && let Some((format, value)) = self.documents.read(text)
        {
            self.path.push(PathStep::Document(format));
            let around = named.name.filter(|name| names_several(name));
            self.value(value, Named::of(around), None);
            self.path.pop();
        }
        let inside: HashSet<String> = self.credentials.texts.secrets[number..]
            .iter()
            .map(|(_, secret)| secret.clone())
            .collect();
        for hit in &hits {
            hit.each(&mut |name, secret| {
                // By its form, a credential may be a part of the value that its name hides.
                if !inside.iter().any(|known| known.contains(secret)) {
                    self.take(name, secret);
                }
            });
        }
    }

    /// Records the name that the surroundings of a list or an object give to all values in it.
    fn remember_container(&mut self, named: Named<'w>) {
        if let Some(name) = named.name.filter(|_| named.is_from_around) {
            let place = place_of_path(&self.path);
            self.names_of_side().insert(place, name.to_owned());
        }
    }

    /// Returns the names by the path of the value, on the current side.
    fn names_of_side(&mut self) -> &mut HashMap<String, String> {
        let named = &mut self.credentials.texts.named;
        match self.side {
            Side::Before => &mut named.before,
            Side::After => &mut named.after,
        }
    }

    /// Records that a text is a credential because of the name that its surroundings give it.
    fn remember(&mut self, text: &str, name: &str, form: &'static str) {
        let place = place_of_path(&self.path);
        self.names_of_side().insert(place, name.to_owned());
        let member = match self.path.last() {
            Some(PathStep::Name(member)) => Some(*member),
            Some(
                PathStep::Element(_)
                | PathStep::Line(_)
                | PathStep::Document(_)
                | PathStep::Value(_),
            )
            | None => None,
        };
        self.remember_value(text, member, form);
    }

    /// Records the parts of a document that is a credential as a whole, because the tool shows them one by one.
    fn remember_parts(&mut self, document: MarkedValue<'w>, form: &'static str) {
        let mut values = vec![(document, None)];
        while let Some((value, member)) = values.pop() {
            match value.content {
                Content::String(text) | Content::Number(text) => {
                    self.remember_value(text, member, form);
                }
                Content::Array(items) => values.extend(items.iter().map(|item| (*item, member))),
                Content::Object(members) => {
                    values.extend(members.iter().map(|(name, inner)| (*inner, Some(*name))));
                }
                Content::Null | Content::Unknown | Content::Redacted | Content::Bool(_) => {}
            }
        }
    }

    /// Records the credentials of a text of several lines. The tool shows such a text line by line, with signs of a
    /// difference that hide the surroundings.
    fn remember_lines(&mut self, hits: &[Hit]) {
        for hit in hits {
            hit.each(&mut |form, secret| {
                if form != SENSITIVE {
                    self.remember_value(secret, None, form);
                }
            });
        }
    }

    /// Records a value that is a credential because of its surroundings, with the member that has it.
    fn remember_value(&mut self, text: &str, member: Option<&str>, form: &'static str) {
        let value = self.credentials.texts.named.values.entry(text.to_owned());
        let value = value.or_insert_with(|| NamedValue {
            form,
            members: HashSet::new(),
        });
        value.members.extend(member.map(str::to_owned));
    }

    /// Records a credential or a copy.
    fn take(&mut self, name: &'static str, secret: &str) {
        self.credentials.texts.add(name, secret);
        // The data of a Secret is hidden, but it is where it belongs.
        if name == SENSITIVE || name == names::LABEL_OF_DATA {
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
