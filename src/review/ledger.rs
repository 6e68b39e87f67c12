//! The ledger of a format: how it reports each edit.
//!
//! A format records how it reports each edit while it writes. Edits without a record are counted at the
//! end, so that no change is omitted silently.

use super::entry::PlanReview;

/// How a format reports an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// Its path and values are shown, as far as they are not sensitive and fit.
    Shown,
    /// Its path is named.
    Named,
    /// It is included in a printed count.
    Counted,
}

/// The lists of a review with edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List {
    /// Planned changes.
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

impl List {
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
    pub entry: Option<Mention>,
    /// How each of its edits is reported.
    pub edits: Vec<Option<Mention>>,
}

/// How a format reports the changes of one plan.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    lists: [Vec<EntryAccount>; 6],
}

impl Ledger {
    /// A ledger without records.
    pub fn new(review: &PlanReview<'_>) -> Self {
        let accounts = |edits: &mut dyn Iterator<Item = usize>| {
            edits.map(|count| EntryAccount { entry: None, edits: vec![None; count] }).collect()
        };
        Self {
            lists: [
                accounts(&mut review.resources.iter().map(|entry| entry.edits.len())),
                accounts(&mut review.drift.iter().map(|entry| entry.edits.len())),
                accounts(&mut review.deferred.iter().map(|entry| entry.edits.len())),
                accounts(&mut review.invocations.iter().map(|invocation| invocation.edits.len())),
                accounts(&mut review.deferred_invocations.iter().map(|invocation| invocation.edits.len())),
                accounts(&mut review.outputs.iter().map(|output| output.edits.len())),
            ],
        }
    }

    /// Records how an entry and its edits are reported.
    pub(super) fn record(&mut self, list: List, at: usize, mentions: &[Option<Mention>]) {
        if let Some(account) = self.account_mut(list, at) {
            account.entry = Some(Mention::Shown);
            for (edit, mention) in account.edits.iter_mut().zip(mentions) {
                *edit = *mention;
            }
        }
    }

    /// Records an entry whose edits are all reported in the same way.
    pub(super) fn record_all(&mut self, list: List, at: usize, entry: Mention, edits: Mention) {
        if let Some(account) = self.account_mut(list, at) {
            account.entry = Some(entry);
            account.edits.iter_mut().for_each(|edit| *edit = Some(edits));
        }
    }

    /// The records of a list, in the order of its entries.
    pub fn accounts(&self, list: List) -> &[EntryAccount] {
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

    fn account_mut(&mut self, list: List, at: usize) -> Option<&mut EntryAccount> {
        self.lists.get_mut(list as usize)?.get_mut(at)
    }
}

/// The sentence about unreported changes.
pub(super) fn unreported_sentence(number: usize) -> Option<String> {
    let what = super::count(number, "change");
    (number > 0).then(|| format!("! {what} could not be shown: `--format json` has all of them"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::entry::PlanReview;

    #[test]
    fn what_is_not_recorded_is_counted() {
        let mut ledger = Ledger::new(&PlanReview::default());
        assert_eq!(ledger.unreported(), 0);
        let account = EntryAccount { entry: None, edits: vec![None, None] };
        ledger.lists[0] = vec![account.clone(), account];
        assert_eq!(ledger.unreported(), 4);
        ledger.record(List::Resources, 0, &[Some(Mention::Shown), None]);
        ledger.record_all(List::Resources, 1, Mention::Counted, Mention::Counted);
        assert_eq!(ledger.unreported(), 1);
        assert!(unreported_sentence(1).is_some_and(|text| text.starts_with("! 1 change could not be shown")));
        assert_eq!(unreported_sentence(0), None);
    }
}
