//! The title and reasons of an action that is invoked, in this plan or a later one.

use super::units::Header;
use crate::review::entry::Invocation;
use crate::review::{List, one_line, reasons};

/// The invocation of an action, with its index in its list of the review.
#[derive(Clone, Copy, Debug)]
pub(super) struct InvocationUnit<'r, 'a> {
    pub(super) at: usize,
    pub(super) invocation: &'r Invocation<'a>,
}

impl InvocationUnit<'_, '_> {
    /// The list that it is in.
    pub(super) fn list(&self) -> List {
        match self.invocation.deferred_reason {
            None => List::Invocations,
            Some(_) => List::DeferredInvocations,
        }
    }

    pub(super) fn header(&self) -> Header {
        let (symbol, phrase) = match self.invocation.deferred_reason {
            None => ("!", "is invoked"),
            Some(_) => ("…", "is invoked in a later plan"),
        };
        let address = one_line(self.invocation.address);
        Header { symbol, address, phrase: phrase.to_owned(), others: Vec::new() }
    }

    /// Why it is deferred, and what invokes it.
    pub(super) fn reasons(&self) -> Vec<String> {
        let deferred = self.invocation.deferred_reason.map(reasons::deferred);
        let trigger = reasons::invoked(self.invocation);
        deferred.into_iter().chain([trigger]).map(|reason| one_line(&reason)).collect()
    }
}
