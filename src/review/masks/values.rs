//! Masks the parts of entries and comparisons that texts show. `Masking` replaces the texts.
//!
//! ```text
//! "Server=db;Pwd=kX9…"    "Server=db;Pwd=(password)"
//! ```

use std::collections::HashSet;

use bumpalo::Bump;

use super::masking::{Around, Masking, Replacement, known_as};
use super::{Hiding, Masks};
use crate::diff::edits::{Edit, Step};
use crate::diff::value::{Builder, MarkedValue};
use crate::meaning::Documents;
use crate::report::SectionKind;
use crate::review::changes::Changes;
use crate::review::credentials::{
    Copies, Named, NamesOfValues, Secrets, is_like_a_secret, label_of_name, path_of_steps,
};
use crate::review::entry::{Entry, ExactEdits, ShownEdits};
use crate::review::identifiers::Names;

/// Masks the edits and values of each entry that has something to hide.
///
/// This is the last step of a review, so that everything before it compares and judges exact values. `configured`
/// returns the attributes that the author of an entry's object wrote.
pub(in crate::review) fn hide<'a>(
    masks: &Masks,
    changes: &mut Changes<'a>,
    configured: &dyn Fn(&Entry<'a>) -> Option<HashSet<String>>,
    arena: &'a Bump,
) {
    for kind in SectionKind::ALL {
        for entry in changes.list_mut(kind) {
            entry.shown_edits = ShownEdits::masked(entry.exact_edits.exact());
            let Some(mut secrets) = entry.secrets.take() else {
                continue;
            };
            if secrets.copies.is_some() {
                secrets.configured = configured(entry);
                if secrets.configured.is_none() {
                    secrets.copies = secrets.likely_copies.take();
                }
            }
            // The name of an output is that of its value.
            let name = Some(entry.address).filter(|_| kind == SectionKind::Outputs);
            masks.entry(entry, name, secrets.hiding(), arena);
            if secrets.copies.is_some() {
                let shown =
                    Masking::masked(masks, None, secrets.hiding(), arena).by(Replacement::LeftOut);
                if let Some(edits) = shown.edits(entry.exact_edits.exact()) {
                    entry.exact_edits = ExactEdits::new(edits);
                }
            }
            entry.secrets = Some(secrets);
        }
    }
}

/// Replaces identifiers by names in the parts of entries that texts show.
pub(in crate::review) fn name<'a>(
    names: &Names<'_, 'a>,
    changes: &mut Changes<'a>,
    arena: &'a Bump,
) {
    if names.is_empty() {
        return;
    }
    let masks = Masks::default();
    for kind in SectionKind::ALL {
        for entry in changes.list_mut(kind) {
            let address = entry.address;
            let shown = Masking::masked(&masks, None, Hiding::default(), arena)
                .by(Replacement::Named { names, address });
            if let Some(edits) = shown.edits(entry.shown_edits.list()) {
                entry.shown_edits = ShownEdits::masked(edits);
            }
            let items = entry
                .access
                .iter_mut()
                .flat_map(|change| &mut change.lines)
                .flat_map(|line| &mut line.parts)
                .flat_map(|part| &mut part.items);
            for item in items {
                if let Some(name) = names.name(item, address) {
                    *item = name;
                }
            }
            for item in &mut entry.replaced_with {
                if let Some(name) = names.name(&item.value, address) {
                    item.value = name;
                }
            }
        }
    }
}

/// Returns an edit of a comparison as texts show it, including the values that it changed from.
pub(crate) fn shown_edit<'a>(
    masks: &Masks,
    edit: &Edit<'a>,
    name: Option<&str>,
    named: Option<&NamesOfValues>,
    arena: &'a Bump,
) -> Edit<'a> {
    let hiding = Hiding {
        named,
        ..Hiding::default()
    };
    let shown = Masking::masked(masks, name, hiding, arena);
    shown.edit(edit, Around::Object).unwrap_or(*edit)
}

impl Masks {
    /// Masks everything in an entry that texts show: edits, whole values, access, new texts, and the parts of a
    /// replaced object.
    fn entry<'a>(
        &self,
        entry: &mut Entry<'a>,
        name: Option<&'a str>,
        hiding: Hiding<'_>,
        arena: &'a Bump,
    ) {
        let shown = Masking::masked(self, name, hiding, arena);
        if let Some(edits) = shown.edits(entry.exact_edits.exact()) {
            entry.shown_edits = ShownEdits::masked(edits);
        }
        let object = |value: MarkedValue<'a>| shown.object(value).unwrap_or(value);
        entry.whole = entry
            .whole
            .map(|(before, after)| (object(before), object(after)));
        for change in &mut entry.access {
            // No copy is hidden in the attribute that a finding is about.
            let is_flagged = |attribute| entry.flagged.contains(attribute);
            let attributes = change.attributes.iter();
            let copies = match attributes.clone().any(is_flagged) {
                true => None,
                false => attributes
                    .map(|attribute| hiding.copies_in(attribute))
                    .reduce(Option::and)
                    .flatten(),
            };
            let lines = change.lines.iter_mut();
            let parts = lines.flat_map(|line| &mut line.parts);
            for item in parts.flat_map(|part| &mut part.items) {
                if let Some(text) = self.text(item, None, hiding.known(copies)) {
                    *item = text;
                }
            }
        }
        for new in &mut entry.new_texts {
            let copies = match new.path.steps().first() {
                Some(Step::Name(root)) => hiding.copies_in(root),
                Some(Step::Element(_) | Step::Document(_)) | None => hiding.copies,
            };
            let place = path_of_steps(&new.path.steps(), |element| element.after);
            let around = hiding.named.and_then(|named| named.after.get(&place));
            let name = around.map(String::as_str).or(known_as(new.path)).or(name);
            let known = hiding.known(copies);
            if new.format.is_some()
                && let Some(secret) = name.and_then(label_of_name)
            {
                // The encoded text is a credential by its name, whatever it looks like decoded.
                new.text = self.mask(secret, &new.text).into();
            } else if let Some(text) = self.text(&new.text, name, known) {
                new.text = text.into();
            }
        }
        for item in &mut entry.replaced_with {
            if let Some(text) = self.text(&item.value, None, hiding.known(hiding.copies)) {
                item.value = text;
            }
        }
    }

    /// Returns a value as texts show it. `name` is that of its attribute, member or variable.
    pub(crate) fn value<'v>(
        &self,
        value: MarkedValue<'v>,
        name: Option<&str>,
        arena: &'v Bump,
    ) -> MarkedValue<'v> {
        let shown = Masking::masked(self, None, Hiding::default(), arena);
        shown.value(value, Named::of(name), None).unwrap_or(value)
    }
}

/// The sensitive texts of an object, which are left out of the values that nobody configured.
pub(crate) struct ObjectCopies {
    copies: Copies,
    configured: Option<HashSet<String>>,
}

/// The attributes that the author of an object wrote.
#[derive(Clone, Debug)]
pub(crate) enum Authored {
    /// The names of the attributes.
    Names(HashSet<String>),
    /// The attributes are not known, so only texts that are unlikely to be names count as copies.
    Unknown,
}

impl ObjectCopies {
    /// Collects the sensitive texts of values. Returns `None` if there are none. `authored` is called only if there are
    /// some.
    pub(crate) fn find<'w>(
        values: &[MarkedValue<'w>],
        build: Builder<'w, 'w>,
        authored: &dyn Fn() -> Authored,
    ) -> Option<Self> {
        if !values.iter().any(|value| value.has_marks) {
            return None;
        }
        let documents = Documents::new(build);
        let (configured, is_copied): (_, fn(&str) -> bool) = match authored() {
            Authored::Names(names) => (Some(names), |_| true),
            Authored::Unknown => (None, is_like_a_secret),
        };
        Some(Self {
            copies: Copies::of(values, &documents, &is_copied)?,
            configured,
        })
    }

    /// Returns an edit of the object without copies of sensitive texts.
    pub(crate) fn without<'a>(&self, edit: &Edit<'a>, arena: &'a Bump) -> Edit<'a> {
        self.shown(&Masks::default(), arena)
            .edit(edit, Around::Object)
            .unwrap_or(*edit)
    }

    /// Returns the value of an attribute without copies of sensitive texts. `attribute` is `None` for the whole object.
    pub(crate) fn without_in_value<'a>(
        &self,
        attribute: Option<&str>,
        value: MarkedValue<'a>,
        arena: &'a Bump,
    ) -> MarkedValue<'a> {
        let masks = Masks::default();
        let shown = self.shown(&masks, arena);
        let masked = match attribute {
            Some(name) => shown.value(value, Named::default(), shown.hiding.copies_in(name)),
            None => shown.object(value),
        };
        masked.unwrap_or(value)
    }

    /// Creates the masking that leaves copies out.
    fn shown<'m, 'a>(&'m self, masks: &'m Masks, arena: &'a Bump) -> Masking<'m, 'a> {
        let hiding = Hiding {
            named: None,
            copies: Some(&self.copies),
            configured: self.configured.as_ref(),
        };
        Masking::masked(masks, None, hiding, arena).by(Replacement::LeftOut)
    }
}

impl Secrets {
    /// Returns what to hide in the object of the entry.
    pub(in crate::review) fn hiding(&self) -> Hiding<'_> {
        Hiding {
            named: Some(&self.named),
            copies: self.copies.as_deref(),
            configured: self.configured.as_ref(),
        }
    }
}
