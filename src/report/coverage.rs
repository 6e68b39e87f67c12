//! How a document shows each edit.
//!
//! It is recorded while the document is built, and corrected when a writer shortens an entry. Edits without a
//! record are counted at the end, so that no change is omitted silently.

/// How a document shows an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Its path and values are shown, as far as they are not sensitive and fit.
    InFull,
    /// Its path is named.
    Named,
    /// It is included in a printed count.
    Counted,
}

/// The lists of changes of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SectionKind {
    /// Planned changes.
    #[default]
    Resources,
    /// Drift.
    Drift,
    /// Deferred changes.
    Deferred,
    /// Actions to invoke.
    Invocations,
    /// Deferred invocations of actions.
    DeferredInvocations,
    /// Outputs that change.
    Outputs,
}

impl SectionKind {
    /// All lists, in display order.
    pub const ALL: [Self; 6] = [
        Self::Resources,
        Self::Drift,
        Self::Deferred,
        Self::Invocations,
        Self::DeferredInvocations,
        Self::Outputs,
    ];
}

/// How one entry and its edits are reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryAccount {
    /// How the entry itself is reported.
    pub entry: Option<Shown>,
    /// How each of its edits is reported.
    pub edits: Vec<Option<Shown>>,
}

/// How a document shows the changes of one plan.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    lists: [Vec<EntryAccount>; 6],
}

impl Coverage {
    /// A coverage without records, from the number of edits of each change of each list.
    pub fn new(edits: [Vec<usize>; 6]) -> Self {
        let account = |count| EntryAccount { entry: None, edits: vec![None; count] };
        Self { lists: edits.map(|list| list.into_iter().map(account).collect()) }
    }

    /// Records how an entry and its edits are reported.
    pub(crate) fn record(&mut self, list: SectionKind, at: usize, shown: &[Option<Shown>]) {
        if let Some(account) = self.account_mut(list, at) {
            account.entry = Some(Shown::InFull);
            for (edit, how) in account.edits.iter_mut().zip(shown) {
                *edit = *how;
            }
        }
    }

    /// Records that a change and its edits are only counted.
    pub(crate) fn count(&mut self, list: SectionKind, at: usize) {
        if let Some(account) = self.account_mut(list, at) {
            account.entry = Some(Shown::Counted);
            account.edits.iter_mut().for_each(|edit| *edit = Some(Shown::Counted));
        }
    }

    /// The records of a list, in the order of its entries.
    pub fn accounts(&self, list: SectionKind) -> &[EntryAccount] {
        self.lists.get(list as usize).map_or(&[], Vec::as_slice)
    }

    /// The number of unreported changes: entries, and edits of reported entries.
    pub fn unreported(&self) -> usize {
        let of = |account: &EntryAccount| match account.entry {
            None => account.edits.len().max(1),
            Some(_) => account.edits.iter().filter(|edit| edit.is_none()).count(),
        };
        self.lists.iter().flatten().map(of).sum()
    }

    fn account_mut(&mut self, list: SectionKind, at: usize) -> Option<&mut EntryAccount> {
        self.lists.get_mut(list as usize)?.get_mut(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_recorded_is_counted() {
        assert_eq!(Coverage::default().unreported(), 0);
        let mut coverage = Coverage::new([vec![2, 2], vec![], vec![], vec![], vec![], vec![]]);
        assert_eq!(coverage.unreported(), 4);
        coverage.record(SectionKind::Resources, 0, &[Some(Shown::InFull), None]);
        coverage.count(SectionKind::Resources, 1);
        assert_eq!(coverage.unreported(), 1);
    }
}
