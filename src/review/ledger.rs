//! The account of a format: how it tells of each edit.
//!
//! A format records how it tells of each edit while it writes. What nobody recorded is counted at the
//! end, so that a change can never be left out in silence.

use super::entry::PlanReview;

/// How a format tells of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Its place and its values are shown, as far as they may be and fit.
    Shown,
    /// Its place is named.
    Named,
    /// It is part of a number that is printed.
    Counted,
}

/// The lists of a review that have edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List {
    /// What will be done.
    Resources,
    /// What changed outside of the tool.
    Drift,
    /// What is put off to a later plan.
    Deferred,
    /// Actions that are invoked.
    Invocations,
    /// Outputs that change.
    Outputs,
}

impl List {
    /// All lists, in the order in which they are written.
    pub const ALL: [Self; 5] =
        [Self::Resources, Self::Drift, Self::Deferred, Self::Invocations, Self::Outputs];
}

/// How one entry and its edits are told of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryAccount {
    /// How the entry itself is told of.
    pub entry: Option<Telling>,
    /// How each of its edits is told of.
    pub edits: Vec<Option<Telling>>,
}

/// How a format tells of the changes of one plan.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    lists: [Vec<EntryAccount>; 5],
}

impl Ledger {
    /// An account in which nothing has been told yet.
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
                accounts(&mut review.outputs.iter().map(|output| output.edits.len())),
            ],
        }
    }

    /// Records how an entry and its edits are told of.
    pub(super) fn record(&mut self, list: List, at: usize, tellings: &[Option<Telling>]) {
        if let Some(account) = self.account_mut(list, at) {
            account.entry = Some(Telling::Shown);
            for (edit, telling) in account.edits.iter_mut().zip(tellings) {
                *edit = *telling;
            }
        }
    }

    /// Records an entry of which all edits are told of in the same way.
    pub(super) fn record_all(&mut self, list: List, at: usize, entry: Telling, edits: Telling) {
        if let Some(account) = self.account_mut(list, at) {
            account.entry = Some(entry);
            account.edits.iter_mut().for_each(|edit| *edit = Some(edits));
        }
    }

    /// The accounts of a list, in the order of its entries.
    pub fn accounts(&self, list: List) -> &[EntryAccount] {
        self.lists.get(list as usize).map_or(&[], Vec::as_slice)
    }

    /// How many changes are not told of: entries, and edits of entries that are.
    pub fn untold(&self) -> usize {
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

/// What is said of changes that were not told of.
pub(super) fn untold_sentence(number: usize) -> Option<String> {
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
        assert_eq!(ledger.untold(), 0);
        let account = EntryAccount { entry: None, edits: vec![None, None] };
        ledger.lists[0] = vec![account.clone(), account];
        assert_eq!(ledger.untold(), 4);
        ledger.record(List::Resources, 0, &[Some(Telling::Shown), None]);
        ledger.record_all(List::Resources, 1, Telling::Counted, Telling::Counted);
        assert_eq!(ledger.untold(), 1);
        assert!(untold_sentence(1).is_some_and(|text| text.starts_with("! 1 change could not be shown")));
        assert_eq!(untold_sentence(0), None);
    }
}
