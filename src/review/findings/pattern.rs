//! The paths of rules: patterns that find values in an object, also in documents in strings.
//!
//! ```text
//! ingress[*].cidr_blocks[*]     each element of each block
//! policy.**.Effect              at any depth, also in the document in the string `policy`
//! ['tags.Name']                 a name with a dot
//! ```

use std::collections::HashSet;

use crate::access::{known, string};
use crate::diff::value::{Content, MarkedValue};
use crate::knowledge::fragment_paths;
use crate::meaning::Documents;
use crate::review::names;
use crate::review::value_path::{ElementStep, PathStep, member_text};

/// The maximum length of a name of an element that a text shows, in characters.
const MAX_NAME_LEN: usize = 40;

/// The maximum number of documents nested in each other.
const MAX_DOCUMENTS: usize = 6;

/// A pattern: alternative sequences of steps. A fragment has several, any other path has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern<'r>(Vec<Vec<PatternStep<'r>>>);

/// A step of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternStep<'r> {
    /// The member with this name.
    Name(&'r str),
    /// The members with this name, compared without case and `_`.
    Loose(&'r str),
    /// Each element of a list, or each member of a map.
    Each,
    /// Any number of steps, including none.
    Any,
    /// The value of a line `KEY=VALUE` of a text.
    Line(&'r str),
    /// An object with a path in `name`, and its `value`, as charts have it.
    Assigned,
}

/// A value that a pattern finds.
pub(super) struct MatchedValue<'p, 'w> {
    /// The steps from the root of the object to the value.
    pub path: &'p [PathStep<'w>],
    /// The path as text, with the names of elements instead of their indices where possible, so that it is the same on
    /// both sides.
    pub identity: &'p str,
    /// The object or list that contains the value.
    pub holder: MarkedValue<'w>,
    /// The objects around the holder, the outermost first.
    pub around: &'p [MarkedValue<'w>],
    /// The value itself, which is never hidden.
    pub value: MarkedValue<'w>,
}

impl<'r> Pattern<'r> {
    /// Parses a path: names joined by dots, `[*]` for each element, `['…']` for a name with dots, `**` for any depth.
    /// It may begin with a fragment.
    ///
    /// # Errors
    /// If the text has another form, or more than one `**`. The error is a text for the user.
    pub(super) fn parse(text: &'r str) -> Result<Self, String> {
        let alternatives = match fragment_paths(text) {
            Some(paths) => paths
                .map(|(path, rest)| {
                    let mut all = steps(path)?;
                    let loose = |step| {
                        if let PatternStep::Name(name) = step {
                            PatternStep::Loose(name)
                        } else {
                            step
                        }
                    };
                    all.extend(steps(rest)?.into_iter().map(loose));
                    Some(all)
                })
                .collect::<Option<Vec<_>>>(),
            None => steps(text).map(|steps| vec![steps]),
        };
        // Each further `**` would multiply the work.
        let goes_once = |steps: &Vec<PatternStep<'_>>| {
            steps
                .iter()
                .filter(|step| **step == PatternStep::Any)
                .count()
                <= 1
        };
        let alternatives = alternatives.filter(|all| all.iter().all(goes_once));
        alternatives.map(Self).ok_or_else(|| {
            format!("'{text}' is not a path: expected names joined by dots, with [*] for each element and at most one **")
        })
    }

    /// Returns the names of the pattern, joined by dots.
    pub(super) fn label(&self) -> String {
        self.names().collect::<Vec<_>>().join(".")
    }

    /// Whether the pattern may lead to a value below one of these attributes of the object.
    pub(super) fn may_begin_with(&self, attributes: &HashSet<&str>) -> bool {
        self.0.iter().any(|steps| match steps.first() {
            Some(PatternStep::Name(name)) => attributes.contains(name),
            Some(_) | None => true,
        })
    }

    /// Returns the first name, which is that of an attribute.
    pub(super) fn first_name(&self) -> &'r str {
        self.names().next().unwrap_or_default()
    }

    /// Returns the identities of the values that contain, or may contain, the last step of the pattern.
    pub(super) fn holders<'w>(
        &self,
        root: MarkedValue<'w>,
        documents: &Documents<'w>,
    ) -> HashSet<String> {
        let mut identities = HashSet::new();
        let holder = |steps: &Vec<PatternStep<'r>>| {
            steps
                .split_last()
                .map_or(Vec::new(), |(_, steps)| steps.to_vec())
        };
        let holders = Self(self.0.iter().map(holder).collect());
        holders.visit(root, documents, &mut |matched| {
            _ = identities.insert(matched.identity.to_owned());
        });
        identities
    }

    /// Returns the names of the first alternative. All alternatives end with the same names.
    fn names(&self) -> impl Iterator<Item = &'r str> {
        self.0
            .first()
            .into_iter()
            .flatten()
            .filter_map(|step| match step {
                PatternStep::Name(name) | PatternStep::Loose(name) | PatternStep::Line(name) => {
                    Some(*name)
                }
                PatternStep::Each | PatternStep::Any | PatternStep::Assigned => None,
            })
    }

    /// Whether the pattern is one name, so that it leads to an attribute of the resource.
    pub(super) fn is_one_name(&self) -> bool {
        matches!(self.0.as_slice(), [steps] if matches!(steps.as_slice(), [PatternStep::Name(_)]))
    }

    /// Whether the last name is this one.
    pub(super) fn ends_with(&self, name: &str) -> bool {
        self.names().last() == Some(name)
    }

    /// Whether the pattern leads to the elements of a list.
    pub(super) fn names_elements(&self) -> bool {
        self.0
            .iter()
            .any(|steps| steps.last() == Some(&PatternStep::Each))
    }

    /// Calls `visit` for each value that the pattern finds, except null values and what is below a sensitive value.
    ///
    /// Values are not collected, because a list may have very many. Returns the identities of unknown values and of
    /// damaged documents on the way, below which any value may be.
    pub(super) fn visit<'w>(
        &self,
        root: MarkedValue<'w>,
        documents: &Documents<'w>,
        visit: &mut dyn FnMut(&MatchedValue<'_, 'w>),
    ) -> Unread {
        let (path, identity, around, unread) =
            (Vec::new(), String::new(), Vec::new(), Unread::default());
        let mut walk = PatternWalk {
            path,
            identity,
            around,
            documents,
            unread,
            visit,
        };
        self.0.iter().for_each(|steps| walk.step(steps, root, root));
        walk.unread
    }
}

/// The identities of values in which a pattern could not be followed, because they are unknown or damaged.
#[derive(Debug, Default)]
pub(super) struct Unread(HashSet<String>);

impl Unread {
    /// Adds an identity.
    pub(super) fn add(&mut self, identity: &str) {
        self.0.insert(identity.to_owned());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a value with this identity may exist, because it is one of these values or below one.
    pub(super) fn may_have(&self, identity: &str) -> bool {
        let ends = || {
            identity
                .char_indices()
                .filter(|(_, c)| matches!(c, '.' | '['))
                .map(|(end, _)| end)
        };
        !self.is_empty()
            && ends().chain([identity.len()]).any(|end| {
                identity
                    .get(..end)
                    .is_some_and(|start| self.0.contains(start))
            })
    }
}

/// Parses one alternative of a pattern. Returns `None` if it is not a path.
fn steps(text: &str) -> Option<Vec<PatternStep<'_>>> {
    let (mut steps, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let step;
        (step, rest) = if let Some(quoted) = rest.strip_prefix("['") {
            let (name, after) = quoted.split_once("']")?;
            let step = match name.strip_prefix('=') {
                Some(key) => PatternStep::Line(key),
                None => PatternStep::Name(name),
            };
            (step, after)
        } else if let (Some(after), [_, ..]) = (rest.strip_prefix("[*]"), &*steps) {
            (PatternStep::Each, after)
        } else {
            let name = if steps.is_empty() {
                rest
            } else {
                rest.strip_prefix('.')?
            };
            let (name, after) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
            let step = match name {
                "" => return None,
                "**" => PatternStep::Any,
                "=" => PatternStep::Assigned,
                _ if name.contains(']') => return None,
                _ => PatternStep::Name(name),
            };
            (step, after)
        };
        steps.push(step);
    }
    (!steps.is_empty()).then_some(steps)
}

/// The state of following one pattern in one value.
struct PatternWalk<'v, 'w> {
    /// The steps from the root to the current value.
    path: Vec<PathStep<'w>>,
    /// The same path as text, with names instead of indices where elements have one.
    identity: String,
    /// The values on that path, the outermost first.
    around: Vec<MarkedValue<'w>>,
    /// The documents in strings, which are decoded only once.
    documents: &'v Documents<'w>,
    /// The values on the way that could not be read.
    unread: Unread,
    /// The function that is called for each value that the pattern finds.
    visit: &'v mut dyn FnMut(&MatchedValue<'_, 'w>),
}

impl<'w> PatternWalk<'_, 'w> {
    /// Calls `visit` for the current value.
    fn visit_value(&mut self, holder: MarkedValue<'w>, value: MarkedValue<'w>) {
        let Self {
            path,
            identity,
            around,
            ..
        } = self;
        (self.visit)(&MatchedValue {
            path,
            identity,
            holder,
            around,
            value,
        });
    }

    /// Visits the values that the remaining steps find in `value`.
    fn step(&mut self, steps: &[PatternStep<'_>], holder: MarkedValue<'w>, value: MarkedValue<'w>) {
        let Some((step, rest)) = steps.split_first() else {
            if !value.is_null() {
                self.visit_value(holder, value);
            }
            return;
        };
        if value.is_unknown() {
            return match step {
                PatternStep::Any | PatternStep::Assigned => self.cannot_read(),
                PatternStep::Name(_)
                | PatternStep::Loose(_)
                | PatternStep::Line(_)
                | PatternStep::Each => self.visit_value(holder, value),
            };
        }
        let Some(content) = known(Some(value)) else {
            return;
        };
        match (step, content) {
            (PatternStep::Line(key), Content::String(text)) => self.line(key, holder, text),
            (_, Content::String(text)) => self.document(steps, text),
            (PatternStep::Any, _) => {
                self.step(rest, holder, value);
                let members = value.as_object().unwrap_or_default().iter();
                for (name, member) in members.filter(|(_, member)| is_container(*member)) {
                    self.named(name, |walk| walk.step(steps, value, *member));
                }
                let items = value.as_array().unwrap_or_default();
                for (index, item) in items
                    .iter()
                    .enumerate()
                    .filter(|(_, item)| is_container(**item))
                {
                    self.element((index, items.len()), Some(*item), |walk| {
                        walk.step(steps, holder, *item);
                    });
                }
            }
            (PatternStep::Name(name), Content::Object(members)) => {
                let Ok(index) = members.binary_search_by(|(key, _)| (*key).cmp(name)) else {
                    return;
                };
                if let Some((name, member)) = members.get(index) {
                    self.around.push(holder);
                    self.named(name, |walk| walk.step(rest, value, *member));
                    self.around.pop();
                }
            }
            (PatternStep::Loose(name), Content::Object(members)) => {
                for (key, member) in members
                    .iter()
                    .filter(|(key, _)| is_loosely(key, name, rest.is_empty()))
                {
                    self.named(key, |walk| walk.step(rest, value, *member));
                }
            }
            // A block that may occur only once is a list with one element.
            (PatternStep::Name(_) | PatternStep::Loose(_), Content::Array([only])) => {
                self.element((0, 1), Some(*only), |walk| walk.step(steps, holder, *only));
            }
            (PatternStep::Each, Content::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    // A document in a string does not name its element.
                    let named =
                        Some(*item).filter(|item| rest.is_empty() || item.as_str().is_none());
                    self.element((index, items.len()), named, |walk| {
                        walk.step(rest, holder, *item);
                    });
                }
            }
            (PatternStep::Each, Content::Object(members)) => match rest.first() {
                // Some provider versions have single nesting instead of a block.
                Some(PatternStep::Name(name)) if value.get(name).is_some() => {
                    self.step(rest, holder, value);
                }
                Some(_) | None => {
                    for (name, member) in members {
                        self.named(name, |walk| walk.step(rest, holder, *member));
                    }
                }
            },
            (PatternStep::Assigned, Content::Object(_)) => self.assigned(rest, value),
            (
                PatternStep::Name(_)
                | PatternStep::Loose(_)
                | PatternStep::Line(_)
                | PatternStep::Each
                | PatternStep::Assigned,
                _,
            ) => {}
        }
    }

    /// Continues the pattern in the document that a string contains. A text that looks like a document and cannot be
    /// read is recorded as unread.
    fn document(&mut self, steps: &[PatternStep<'_>], text: &'w str) {
        let documents = self
            .path
            .iter()
            .filter(|step| matches!(step, PathStep::Document(_)))
            .count();
        match (documents < MAX_DOCUMENTS)
            .then(|| self.documents.read(text))
            .flatten()
        {
            Some((format, value)) => {
                self.below(
                    PathStep::Document(format),
                    |_| {},
                    |walk| walk.step(steps, value, value),
                );
            }
            // A text on one line, such as an element of a list, is not a document.
            None if text.contains('\n') || text.trim_start().starts_with(['{', '[']) => {
                self.cannot_read();
            }
            None => {}
        }
    }

    /// Continues the pattern in a line `KEY=VALUE` of a text. If several lines have the key, the last one counts.
    fn line(&mut self, key: &str, holder: MarkedValue<'w>, text: &'w str) {
        let assignment = |line: &'w str| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == key).then_some((name.trim(), value.trim()))
        };
        let lines = text.lines().enumerate();
        let of_key = lines.filter_map(|(index, line)| Some((index, assignment(line)?)));
        let Some((index, (name, value))) = of_key.last() else {
            return;
        };
        let step = ElementStep {
            index,
            len: text.lines().count(),
            name: Some(name),
        };
        let value = self.documents.build.known(Content::String(value));
        self.below(
            PathStep::Line(step),
            |identity| identity.extend([".", name]),
            |walk| walk.visit_value(holder, value),
        );
    }

    /// Records that the current value could not be read.
    fn cannot_read(&mut self) {
        self.unread.0.insert(self.identity.clone());
    }

    /// Continues the pattern in an assignment, which is an object with `name` and `value` such as
    /// `{name = "controller.kind", value = "x"}`, if the name ends with the rest of the pattern.
    fn assigned(&mut self, rest: &[PatternStep<'_>], object: MarkedValue<'w>) {
        let Some(path) = member_text(object, "name") else {
            return;
        };
        let mut names = path.rsplit('.');
        let is_end = rest
            .iter()
            .rev()
            .enumerate()
            .all(|(index, step)| match step {
                PatternStep::Name(name) | PatternStep::Loose(name) => names
                    .next()
                    .is_some_and(|given| is_loosely(given, name, index == 0)),
                PatternStep::Line(_)
                | PatternStep::Each
                | PatternStep::Any
                | PatternStep::Assigned => false,
            });
        if let Some(value) = object
            .get("value")
            .filter(|value| is_end && !value.is_null() && !value.is_hidden)
        {
            self.below(
                PathStep::Value(path),
                |identity| identity.push_str(".value"),
                |walk| walk.visit_value(object, value),
            );
        }
    }

    /// Descends into a member of an object.
    fn named(&mut self, name: &'w str, below: impl FnOnce(&mut Self)) {
        self.below(
            PathStep::Name(name),
            |identity| identity.extend([".", name]),
            below,
        );
    }

    /// Descends into an element of a list. Its identity has the name of the element if there is one, otherwise the
    /// index.
    fn element(
        &mut self,
        (index, len): (usize, usize),
        value: Option<MarkedValue<'w>>,
        below: impl FnOnce(&mut Self),
    ) {
        let named = value.and_then(name_of);
        let name = |identity: &mut String| match named {
            Some(name) => identity.push_str(&format!("[{name:?}]")),
            None => identity.push_str(&format!("[{index}]")),
        };
        // A remark tells elements apart for readers, but several elements may have the same one.
        let is_short = |name: &&str| name.chars().count() <= MAX_NAME_LEN;
        let shown = value
            .filter(|value| value.as_str().is_none())
            .and_then(|value| {
                let remark = || member_text(value, "description").filter(is_short);
                named.filter(is_short).or_else(remark)
            });
        let step = ElementStep {
            index,
            len,
            name: shown,
        };
        self.below(PathStep::Element(step), name, below);
    }

    /// Descends by one step, and returns to the current value afterwards. `name` appends the step to the identity.
    fn below(
        &mut self,
        step: PathStep<'w>,
        name: impl FnOnce(&mut String),
        below: impl FnOnce(&mut Self),
    ) {
        let length = self.identity.len();
        self.path.push(step);
        name(&mut self.identity);
        below(self);
        self.identity.truncate(length);
        self.path.pop();
    }
}

/// Whether a value may have values below it.
fn is_container(value: MarkedValue<'_>) -> bool {
    value.is_unknown() || matches!(value.content, Content::Array(_) | Content::Object(_))
}

/// Whether a name is the wanted one, compared without case and `_`. Unless it is the last name of a path, it need only
/// end with the wanted one, because charts have `containerSecurityContext` and `podSecurityContext`.
pub(super) fn is_loosely(name: &str, wanted: &str, is_last: bool) -> bool {
    let is_letter = |byte: &u8| *byte != b'_';
    let mut letters = name.bytes().rev().filter(is_letter);
    let mut wanted = wanted.bytes().rev().filter(is_letter);
    wanted.all(|byte| {
        letters
            .next()
            .is_some_and(|letter| letter.eq_ignore_ascii_case(&byte))
    }) && (!is_last || letters.next().is_none())
}

/// Returns the text that names an element: the element itself, or one of its members.
fn name_of(element: MarkedValue<'_>) -> Option<&str> {
    let names = || names::NAMES_OF_ELEMENTS.iter();
    string(element).or_else(|| names().find_map(|name| member_text(element, name)))
}
