//! The changes of a plan, as the lists of entries that a review has.
//!
//! Invariant: each list has the order of the plan. Formats refer to an entry by its [`SectionKind`] and its index in
//! that list.
//!
//! ```text
//! {"resource_changes": [update, no-op, delete], "output_changes": {"url": update}}
//!
//! Changes { resources: [update, delete], outputs: [url], … }
//! ```

use super::entry::Entry;
use super::kind::unlisted;
use crate::report::SectionKind;

/// The changes of a plan, in the same lists as in the plan.
#[derive(Debug, Default)]
pub struct Changes<'a> {
    /// The changes to apply: all that are not no-ops, or that move or import an object. This list is never grouped.
    pub resources: Vec<Entry<'a>>,
    /// The objects that changed outside of the tool.
    pub drift: Vec<Entry<'a>>,
    /// The changes that are deferred to a later plan.
    pub deferred: Vec<Entry<'a>>,
    /// The actions to invoke.
    pub invocations: Vec<Entry<'a>>,
    /// The actions whose invocation is deferred to a later plan.
    pub deferred_invocations: Vec<Entry<'a>>,
    /// The outputs that change.
    pub outputs: Vec<Entry<'a>>,
}

impl<'a> Changes<'a> {
    /// Returns the list of entries of this kind.
    pub(crate) fn list(&self, kind: SectionKind) -> &[Entry<'a>] {
        match kind {
            SectionKind::Resources => &self.resources,
            SectionKind::Drift => &self.drift,
            SectionKind::Deferred => &self.deferred,
            SectionKind::Invocations => &self.invocations,
            SectionKind::DeferredInvocations => &self.deferred_invocations,
            SectionKind::Outputs => &self.outputs,
        }
    }

    /// Returns the list of entries of this kind, to be changed.
    pub(super) fn list_mut(&mut self, kind: SectionKind) -> &mut Vec<Entry<'a>> {
        match kind {
            SectionKind::Resources => &mut self.resources,
            SectionKind::Drift => &mut self.drift,
            SectionKind::Deferred => &mut self.deferred,
            SectionKind::Invocations => &mut self.invocations,
            SectionKind::DeferredInvocations => &mut self.deferred_invocations,
            SectionKind::Outputs => &mut self.outputs,
        }
    }

    /// Frees the memory that the lists reserved but do not use, which counts where there are many units.
    pub(super) fn shrink(&mut self) {
        for list in [
            &mut self.resources,
            &mut self.drift,
            &mut self.deferred,
            &mut self.invocations,
            &mut self.deferred_invocations,
            &mut self.outputs,
        ] {
            list.shrink_to_fit();
        }
    }

    /// Returns the entries of objects (changes, drift and deferred changes), each with the kind of its list.
    pub(super) fn objects(&self) -> impl Iterator<Item = (SectionKind, &Entry<'a>)> {
        let lists = [
            SectionKind::Resources,
            SectionKind::Drift,
            SectionKind::Deferred,
        ];
        lists
            .into_iter()
            .flat_map(|kind| self.list(kind).iter().map(move |entry| (kind, entry)))
    }

    /// Returns the changes to apply, without those that do not count as changes (`unlisted`).
    pub(super) fn listed(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.resources
            .iter()
            .filter(|entry| unlisted(entry.mode, &entry.action).is_none())
    }
}
