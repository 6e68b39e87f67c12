//! Decides how each edit is written, and in which order.

use std::collections::HashMap;

use crate::diff::edits::{Edit, Element, Label, Step};
use crate::diff::value::MarkedValue;
use crate::review::entry::AccessChange;
use crate::review::paths::{self, path_text, root_name};
use crate::review::text::proof::Proofs;
use crate::review::text::scope::Scope;
use crate::review::{names, risk};

/// The way in which an edit is written.
pub(super) enum EditPresentation<'o, 'a> {
    /// The edit has a line of its own, or joins that of the previous edit.
    Line,
    /// The edit is written with other elements that are added to or removed from the list.
    Element(Element<'a>),
    /// The edit is written as part of the rules or statements of a policy or firewall.
    Access(&'o AccessChange<'o>),
    /// The edit is counted, because `--ignore-attr` hides it.
    Ignored,
    /// The edit is counted with others of the value at this path, because `--depth` hides it.
    Below(String),
    /// The attribute is named, because the provider computes it.
    Computed,
    /// The attribute is named at the end, because only its form differs.
    Formatting,
    /// The edit is not written, because another attribute has the same edits.
    Repeats,
    /// The edit of a number is counted with others of this name that move by the same amount.
    Renumbered(String),
}

/// An edit, and how it is written.
pub(super) struct PresentedEdit<'e, 'o, 'a> {
    /// The index of the edit in the list of all.
    pub(super) index: usize,
    /// The edit.
    pub(super) edit: &'e Edit<'a>,
    /// The form in which it is written.
    pub(super) presentation: EditPresentation<'o, 'a>,
}

impl PresentedEdit<'_, '_, '_> {
    /// Whether two consecutive edits are written together.
    pub(super) fn is_written_with(&self, next: &Self) -> bool {
        match (&self.presentation, &next.presentation) {
            (EditPresentation::Element(_), EditPresentation::Element(_)) => {
                let lists = self.edit.path.parent().zip(next.edit.path.parent());
                lists.is_some_and(|(list, other)| list.is_same_node(other))
            }
            (EditPresentation::Below(path), EditPresentation::Below(other)) => path == other,
            (EditPresentation::Renumbered(words), EditPresentation::Renumbered(other)) => {
                words == other
            }
            (
                EditPresentation::Line
                | EditPresentation::Element(_)
                | EditPresentation::Access(_)
                | EditPresentation::Ignored
                | EditPresentation::Below(_)
                | EditPresentation::Computed
                | EditPresentation::Formatting
                | EditPresentation::Repeats
                | EditPresentation::Renumbered(_),
                _,
            ) => false,
        }
    }
}

impl<'a> EditPresentation<'_, 'a> {
    /// Decides how an edit is written. Edits with findings are never left out or summed up, unless an option hides
    /// them.
    pub(super) fn of(
        edit: &Edit<'a>,
        scope: Scope<'_>,
        repeats: &HashMap<&'a str, &'a str>,
        is_marked: bool,
    ) -> Self {
        let options = scope.options;
        let filter = &options.filter;
        if !filter.ignored.is_empty() && filter.ignores(&paths::names(scope.base, edit.path)) {
            return Self::Ignored;
        }
        if let Some(limit) = options.depth
            && edit.path.len() > limit
        {
            let mut shown = edit.path;
            while shown.len() > limit
                && let Some(parent) = shown.parent()
            {
                shown = parent;
            }
            return Self::Below(path_text(scope.base, shown));
        }
        let root = root_name(edit);
        if !is_marked {
            if repeats.contains_key(root) {
                return Self::Repeats;
            }
            if is_computed(edit, root, scope) {
                return Self::Computed;
            }
            let is_form_only = names::is_cosmetic(edit) || edit.labels.contains(Label::Empty);
            if is_form_only && !options.unchanged && !edit.path.is_empty() {
                return Self::Formatting;
            }
        }
        let Some(Step::Element(element)) = edit.path.last() else {
            return Self::Line;
        };
        let is_only_moved = edit.labels.contains(Label::Moved) && edit.before == edit.after;
        match edit.path.parent() {
            Some(_) if element.before.is_none() || element.after.is_none() => {
                Self::Element(element)
            }
            Some(_) if is_only_moved && !options.unchanged && element.key.is_some() => {
                let resource_type = scope.entry.map_or("", |entry| entry.resource_type);
                match names::order_decides(resource_type, edit) {
                    true => Self::Line,
                    false => Self::Formatting,
                }
            }
            Some(_) | None => Self::Line,
        }
    }
}

/// Whether a value becomes unknown only because something else changes, as nothing in the configuration sets it.
fn is_computed(edit: &Edit<'_>, root: &str, scope: Scope<'_>) -> bool {
    let Some(entry) = scope.entry else {
        return false;
    };
    let is_unknown = edit.after.is_some_and(MarkedValue::is_unknown);
    if !is_unknown || edit.replaces || edit.path.is_empty() || !scope.base.is_empty() {
        return false;
    }
    let is_whole = edit.path.len() == 1;
    let is_configured = entry
        .given
        .iter()
        .any(|given| given.attribute == root && (is_whole || !given.sources.is_empty()));
    !is_configured && !entry.causes.iter().any(|cause| cause.attribute == root)
}

/// Returns the order in which edits are written, as indices. Those with findings come first, in the order of their
/// findings; the others follow by their weight. The edits of an attribute stay together, and so do numbers that move by
/// the same amount.
pub(super) fn order(
    edits: &[Edit<'_>],
    proofs: &Proofs,
    renumbered: &HashMap<usize, String>,
) -> Vec<usize> {
    let mut by_root: HashMap<&str, usize> = HashMap::new();
    for (index, first) in proofs.first_of_each() {
        let known = by_root.entry(root_name(&edits[index])).or_insert(first);
        *known = first.min(*known);
    }
    let mut order = risk::order(edits, &[]);
    order.sort_by_cached_key(|index| {
        let root = by_root.get(root_name(&edits[*index])).copied();
        let finding = proofs.of(*index).first().copied();
        let is_renumbered = renumbered.contains_key(index);
        (
            root.unwrap_or(usize::MAX),
            finding.unwrap_or(usize::MAX),
            is_renumbered.then(|| renumbered.get(index)),
        )
    });
    order
}
