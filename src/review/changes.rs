//! The changes of a plan as a review has them.
//!
//! Invariant: the lists have the order of the plan. Formats refer to an entry by its
//! [`SectionKind`] and index.
//!
//! ```text
//! {"resource_changes": [update, no-op, delete], "output_changes": {"url": update}}
//!
//! Changes { resources: [update, delete], outputs: [url], … }
//! ```

use super::entry::Entry;
use super::kind::unlisted;
use crate::report::SectionKind;

/// The changes of a plan, in the lists that plans have them in.
#[derive(Debug, Default)]
pub struct Changes<'a> {
    /// What will be done: all changes that are not no-ops, or that move or import an object; never grouped.
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

    /// Gives back the memory that no entry needs, which counts where there are many units.
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

    /// The entries of objects, each with its list.
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

    /// Returns what will be done, without what does not count as a change.
    pub(super) fn listed(&self) -> impl Iterator<Item = &Entry<'a>> {
        self.resources
            .iter()
            .filter(|entry| unlisted(entry.mode, &entry.action).is_none())
    }
}
