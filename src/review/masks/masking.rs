//! Replaces texts in values and edits: by masks, by names, or by nothing.
//!
//! ```text
//! token ghp_A… -> ghp_Z…   Masked   token "(token 1)" -> "(token 2)"
//!                          LeftOut  both sides as sensitive values are
//! ```
//!
//! Invariant: a value without anything to replace is not copied.

use bumpalo::Bump;

use super::{Hiding, MASK_OF_COPY, Masks};
use crate::diff::edits::{Edit, Element, ElementKey, Format, Inside, Path, Step};
use crate::diff::value::{Content, MarkedValue};
use crate::review::credentials::scan::is_whole_credential;
use crate::review::credentials::{Copies, Known, Named, path_of_steps};
use crate::review::identifiers::Names;

/// The kind of text that replaces another one.
#[derive(Clone, Copy)]
pub(super) enum Replacement<'m, 'a> {
    /// Each credential and copy is replaced by its mask.
    Masked,
    /// A text with a copy is left out as a whole, as a sensitive value is. Credentials stay.
    LeftOut,
    /// An identifier is replaced by the name of its object, in texts of the object at `address`.
    Named {
        names: &'m Names<'m, 'a>,
        address: &'m str,
    },
}

impl Replacement<'_, '_> {
    /// Whether texts are left out as a whole.
    fn leaves_out(self) -> bool {
        match self {
            Self::LeftOut => true,
            Self::Masked | Self::Named { .. } => false,
        }
    }
}

/// The place of edits.
#[derive(Clone, Copy)]
pub(super) enum Around<'p> {
    /// In the object itself. The attribute of an edit decides which copies are looked for.
    Object,
    /// In a document in a string.
    Document {
        /// The path of the document on both sides.
        places: [&'p str; 2],
        /// The texts to look for.
        copies: Option<&'p Copies>,
    },
}

/// Replaces texts in the values and edits of one object.
pub(super) struct Masking<'m, 'a> {
    /// The kind of replacement.
    way: Replacement<'m, 'a>,
    /// The numbers of the credentials.
    masks: &'m Masks,
    /// The name of a value that is not an object, such as that of an output.
    root_name: Option<&'m str>,
    /// The texts to hide because they are sensitive elsewhere in the object.
    pub(super) hiding: Hiding<'m>,
    /// The arena that receives the new values.
    arena: &'a Bump,
}

impl<'m, 'a> Masking<'m, 'a> {
    /// Creates a masking that replaces each credential and copy by its mask.
    pub(super) fn masked(
        masks: &'m Masks,
        root_name: Option<&'m str>,
        hiding: Hiding<'m>,
        arena: &'a Bump,
    ) -> Self {
        Self {
            way: Replacement::Masked,
            masks,
            root_name,
            hiding,
            arena,
        }
    }

    /// Returns the same masking with another kind of replacement.
    pub(super) fn by(self, way: Replacement<'m, 'a>) -> Self {
        Self { way, ..self }
    }
}

// Each function returns `None` if there is nothing to replace, so that no copy is needed.
impl<'a> Masking<'_, 'a> {
    /// Returns a whole object with replaced texts. Its members are attributes.
    pub(super) fn object(&self, value: MarkedValue<'a>) -> Option<MarkedValue<'a>> {
        self.members(value, Named::default(), None, &|name| {
            self.hiding.copies_in(name)
        })
    }

    /// Returns a value with replaced texts. `named` is the name of its attribute, member or variable, and `copies` has
    /// the texts to look for.
    pub(super) fn value(
        &self,
        value: MarkedValue<'a>,
        named: Named<'_>,
        copies: Option<&Copies>,
    ) -> Option<MarkedValue<'a>> {
        match value.content {
            Content::String(text) => self.string(value, text, named.name, copies),
            Content::Array(items) => {
                let shown: Vec<_> = items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.value(*item, named.of_element(items, index), copies))
                    .collect();
                if shown.iter().all(Option::is_none) {
                    return None;
                }
                let items = items
                    .iter()
                    .zip(shown)
                    .map(|(item, shown)| shown.unwrap_or(*item));
                let items = self.arena.alloc_slice_fill_iter(items.collect::<Vec<_>>());
                Some(value.with_content(Content::Array(items)))
            }
            Content::Object(_) => self.members(value, named, copies, &|_| copies),
            Content::Number(digits) => copies
                .filter(|copies| copies.has(digits))
                .map(|_| self.number(value)),
            Content::Null | Content::Unknown | Content::Redacted | Content::Bool(_) => None,
        }
    }

    /// Returns the replacement of a number that is a copy.
    fn number(&self, value: MarkedValue<'a>) -> MarkedValue<'a> {
        match self.way {
            Replacement::Masked => value.with_content(Content::String(MASK_OF_COPY)),
            Replacement::LeftOut | Replacement::Named { .. } => value.left_out(),
        }
    }

    /// Returns a string with replaced texts.
    fn string(
        &self,
        value: MarkedValue<'a>,
        text: &str,
        name: Option<&str>,
        copies: Option<&Copies>,
    ) -> Option<MarkedValue<'a>> {
        let shown = match self.way {
            Replacement::Masked => self.masks.text(text, name, self.hiding.known(copies))?,
            Replacement::LeftOut => {
                return copies
                    .is_some_and(|copies| copies.are_in(text))
                    .then(|| value.left_out());
            }
            Replacement::Named { names, address } => names.name(text, address)?,
        };
        Some(value.with_content(Content::String(self.arena.alloc_str(&shown))))
    }

    /// Returns an object with replaced texts. The name of a member decides which copies are looked for, and whether its
    /// value may be a password. `in_names` has the copies to look for in the names themselves.
    fn members<'c>(
        &self,
        value: MarkedValue<'a>,
        named: Named<'_>,
        in_names: Option<&Copies>,
        copies: &dyn Fn(&str) -> Option<&'c Copies>,
    ) -> Option<MarkedValue<'a>> {
        let Content::Object(members) = value.content else {
            return self.value(value, named, None);
        };
        let mut is_changed = false;
        let mut all = Vec::with_capacity(members.len());
        for (name, member) in members {
            let shown = self.value(*member, named.of_member(value, name), copies(name));
            let shown_name = self.name(name, in_names);
            is_changed |= shown.is_some() || shown_name.is_some();
            all.push((shown_name.unwrap_or(name), shown.unwrap_or(*member)));
        }
        is_changed.then(|| value.with_content(Content::Object(self.arena.alloc_slice_copy(&all))))
    }

    /// Returns the replacement of the name of a member.
    fn name(&self, name: &str, copies: Option<&Copies>) -> Option<&'a str> {
        match self.way {
            Replacement::Masked => {
                let shown = self.masks.text(name, None, Known::of_copies(copies))?;
                Some(self.arena.alloc_str(&shown))
            }
            Replacement::LeftOut => copies?.are_in(name).then_some(MASK_OF_COPY),
            Replacement::Named { .. } => None,
        }
    }

    /// Returns the edits of the object with replaced texts.
    pub(super) fn edits(&self, edits: &'a [Edit<'a>]) -> Option<&'a [Edit<'a>]> {
        self.edits_in(edits, Around::Object)
    }

    /// Returns edits with replaced texts.
    fn edits_in(&self, edits: &'a [Edit<'a>], around: Around<'_>) -> Option<&'a [Edit<'a>]> {
        let shown: Vec<_> = edits.iter().map(|edit| self.edit(edit, around)).collect();
        if shown.iter().all(Option::is_none) {
            return None;
        }
        let edits = edits
            .iter()
            .zip(shown)
            .map(|(edit, shown)| shown.unwrap_or(*edit));
        let edits: Vec<_> = edits.collect();
        Some(self.arena.alloc_slice_copy(&edits))
    }

    /// Returns an edit with replaced texts.
    pub(super) fn edit(&self, edit: &Edit<'a>, around: Around<'_>) -> Option<Edit<'a>> {
        let steps = edit.path.steps();
        let root = steps.first().and_then(|step| match step {
            Step::Name(name) => Some(*name),
            Step::Element(_) | Step::Document(_) => None,
        });
        let (outer, copies, is_in_document) = match around {
            Around::Object => (
                [""; 2],
                root.and_then(|name| self.hiding.copies_in(name)),
                false,
            ),
            Around::Document { places, copies } => (places, copies, true),
        };
        let own_name = known_as(edit.path).or(self.root_name);
        // The path is needed only to look up the names that surroundings give.
        let places = [true, false].map(|is_before| {
            let outer = outer[usize::from(!is_before)];
            match self.hiding.named {
                Some(_) => format!("{outer}{}", place_of_edit(&steps, is_before)),
                None => outer.to_owned(),
            }
        });
        let named_sides = [true, false].map(|is_before| {
            let around = self.hiding.named.and_then(|named| {
                let names = if is_before {
                    &named.before
                } else {
                    &named.after
                };
                names.get(&places[usize::from(!is_before)])
            });
            Named::of(around.map(String::as_str).or(own_name))
        });
        let [named_before, named_after] = named_sides;
        let side = |value: Option<MarkedValue<'a>>, is_before: bool| {
            let value = value?;
            if steps.is_empty() && !is_in_document && value.is_container() {
                return self.object(value);
            }
            let named = if is_before { named_before } else { named_after };
            self.value(value, named, copies)
        };
        // What is a credential as a whole is not shown decoded, or line by line.
        let is_secret = |value: Option<MarkedValue<'a>>, named: Named<'_>| {
            value.and_then(MarkedValue::as_str).is_some_and(|text| {
                is_whole_credential(text, named.name, self.hiding.known(copies))
            })
        };
        let is_whole = edit.inside.is_some()
            && matches!(self.way, Replacement::Masked)
            && (is_secret(edit.before, named_before) || is_secret(edit.after, named_after));
        let (before, after) = (side(edit.before, true), side(edit.after, false));
        let (before, after) = match self.way {
            // Both identifiers belong to one object: a name would hide the change.
            Replacement::Named { .. } if are_equal_texts(before, after) => (None, None),
            Replacement::Named { names, address } if are_only_arns(names, edit, address) => {
                (None, None)
            }
            Replacement::Masked | Replacement::LeftOut | Replacement::Named { .. } => {
                (before, after)
            }
        };
        let is_left_out =
            is_whole || self.way.leaves_out() && (before.is_some() || after.is_some());
        let inside = edit
            .inside
            .filter(|_| !is_left_out)
            .and_then(|inside| self.inside(inside, (before, after), &places, copies));
        let path = self.path(&steps, !is_in_document, copies);
        if before.is_none() && after.is_none() && inside.is_none() && path.is_none() {
            return None;
        }
        Some(Edit {
            path: path.unwrap_or(edit.path),
            before: before.or(edit.before),
            after: after.or(edit.after),
            inside: inside.or(edit.inside.filter(|_| !is_left_out)),
            ..*edit
        })
    }

    /// Returns the edits within a string with replaced texts. `before` and `after` are the sides of the string as they
    /// are shown. The lines of a text are taken from them, because a key has several lines.
    fn inside(
        &self,
        inside: &Inside<'a>,
        (before, after): (Option<MarkedValue<'a>>, Option<MarkedValue<'a>>),
        places: &[String; 2],
        copies: Option<&Copies>,
    ) -> Option<&'a Inside<'a>> {
        let is_of_lines = inside.format == Format::Lines;
        let edits = if is_of_lines && matches!(self.way, Replacement::Named { .. }) {
            // No line is a whole value.
            return None;
        } else if is_of_lines {
            let lines = |side: Option<MarkedValue<'a>>| -> Vec<&'a str> {
                side.and_then(MarkedValue::as_str)
                    .unwrap_or_default()
                    .split('\n')
                    .collect()
            };
            let (old, new) = (lines(before), lines(after));
            let edits: Vec<_> = inside
                .edits
                .iter()
                .map(|edit| line_edit(edit, &old, &new))
                .collect();
            &*self.arena.alloc_slice_copy(&edits)
        } else {
            let step = path_of_steps(&[Step::Document(inside.format)], |_| None);
            let places = places.each_ref().map(|place| format!("{place}{step}"));
            let places = places.each_ref().map(String::as_str);
            self.edits_in(inside.edits, Around::Document { places, copies })?
        };
        Some(self.arena.alloc(Inside { edits, ..*inside }))
    }

    /// Returns a path with replaced texts. The first name of a path in an object is that of an attribute, not a value,
    /// and stays.
    fn path(
        &self,
        steps: &[Step<'a>],
        begins_at_attribute: bool,
        copies: Option<&Copies>,
    ) -> Option<Path<'a>> {
        let shown: Vec<_> = steps
            .iter()
            .enumerate()
            .map(|(index, step)| {
                let is_attribute = begins_at_attribute && index == 0;
                self.step(step, copies.filter(|_| !is_attribute))
            })
            .collect();
        if shown.iter().all(Option::is_none) {
            return None;
        }
        let steps = steps
            .iter()
            .zip(shown)
            .map(|(step, shown)| shown.unwrap_or(*step));
        Some(steps.fold(Path::ROOT, |path, step| path.child(step, self.arena)))
    }

    /// Returns a step of a path with replaced texts.
    fn step(&self, step: &Step<'a>, copies: Option<&Copies>) -> Option<Step<'a>> {
        match step {
            Step::Name(name) => self.name(name, copies).map(Step::Name),
            Step::Element(element) => self.element(element, copies).map(Step::Element),
            Step::Document(_) => None,
        }
    }

    /// Returns an element of a path with the value of its key replaced.
    fn element(&self, element: &Element<'a>, copies: Option<&Copies>) -> Option<Element<'a>> {
        let key = element.key?;
        let value = self.value(key.value, Named::of(Some(key.name)), copies)?;
        let key = Some(&*self.arena.alloc(ElementKey { value, ..*key }));
        Some(Element { key, ..*element })
    }
}

/// Whether both sides are strings, and equal.
fn are_equal_texts(before: Option<MarkedValue<'_>>, after: Option<MarkedValue<'_>>) -> bool {
    let texts = before
        .and_then(MarkedValue::as_str)
        .zip(after.and_then(MarkedValue::as_str));
    texts.is_some_and(|(before, after)| before == after)
}

/// Whether both sides of an edit are ARNs that no object name replaces.
fn are_only_arns(names: &Names<'_, '_>, edit: &Edit<'_>, address: &str) -> bool {
    let before = edit.before.and_then(MarkedValue::as_str);
    let after = edit.after.and_then(MarkedValue::as_str);
    before
        .zip(after)
        .is_some_and(|(before, after)| names.are_only_arns([before, after], address))
}

/// Returns the edit of a line of a text, with both sides taken from the texts as they are shown.
fn line_edit<'a>(edit: &Edit<'a>, old: &[&'a str], new: &[&'a str]) -> Edit<'a> {
    let Some(Step::Element(element)) = edit.path.last() else {
        return *edit;
    };
    let shown = |value: Option<MarkedValue<'a>>, index: Option<u32>, lines: &[&'a str]| {
        let line = index.and_then(|index| lines.get(index as usize));
        match (value, line) {
            (Some(value), Some(line)) => Some(value.with_content(Content::String(line))),
            (value, _) => value,
        }
    };
    Edit {
        before: shown(edit.before, element.before, old),
        after: shown(edit.after, element.after, new),
        ..*edit
    }
}

/// Returns the path of an edit on one side, as [`path_of_steps`] writes it.
fn place_of_edit(steps: &[Step<'_>], is_before: bool) -> String {
    path_of_steps(steps, |element| {
        if is_before {
            element.before
        } else {
            element.after
        }
    })
}

/// Returns the name of the value at a path. For the `value` of an element with a key, such as a variable, this is the
/// key.
pub(crate) fn known_as(path: Path<'_>) -> Option<&str> {
    let parent = path.parent()?;
    match (parent.last(), path.last()?) {
        (Some(Step::Element(Element { key: Some(key), .. })), Step::Name("value")) => {
            key.value.as_str()
        }
        (_, Step::Name(name)) => Some(name),
        (_, Step::Element(_) | Step::Document(_)) => known_as(parent),
    }
}
