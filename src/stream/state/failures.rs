//! The failures of a run: failed operations and errors.
//!
//! Invariant: the number of names is limited; all failures are counted.

use crate::model::diagnostic::{Diagnostic, Severity};
use crate::stream::event::Target;
use crate::text::stream::Operation;

/// The maximum number of failed operations, and of errors, that are named.
const MAX_NAMED: usize = 20;

/// An operation that failed.
#[derive(Debug)]
pub(in crate::stream) struct Failure {
    pub(in crate::stream) address: String,
    pub(in crate::stream) operation: Operation,
    pub(in crate::stream) seconds: u64,
    pub(in crate::stream) reason: Option<String>,
    /// Whether the object was created but its provisioner failed, so that the tools mark it as tainted.
    pub(in crate::stream) exists: bool,
}

/// The failures of a run.
#[derive(Debug, Default)]
pub(in crate::stream) struct Failures {
    /// The failed operations that are kept.
    pub(in crate::stream) operations: Vec<Failure>,
    /// The number of all failed operations.
    pub(in crate::stream) operation_count: usize,
    /// The errors that are kept and belong to no failed operation, each with its number of occurrences.
    pub(in crate::stream) errors: Vec<(String, usize)>,
    /// The number of all errors.
    pub(in crate::stream) error_count: usize,
    /// The number of objects that were created but whose provisioners failed.
    pub(super) tainted: usize,
    /// Whether there is a failure that no diagnostic explains.
    pub(super) has_unexplained: bool,
}

impl Failures {
    /// Adds a failed operation. `exists` is whether its object was created nevertheless.
    pub(super) fn add_operation(&mut self, target: &Target<'_>, exists: bool) {
        self.operation_count += 1;
        self.tainted += usize::from(exists);
        if self.operations.len() < MAX_NAMED {
            self.operations.push(Failure {
                address: target.address.to_owned(),
                operation: target.operation,
                seconds: target.seconds(),
                reason: None,
                exists,
            });
        }
    }

    /// Adds an error, as the reason of a failed operation if there is one.
    pub(super) fn add_error(&mut self, diagnostic: &Diagnostic<'_>) {
        match diagnostic.severity() {
            // A word that neither tool uses may mean an error, so the run must not pass.
            Severity::Error | Severity::Other => {}
            Severity::Warning => return,
        }
        self.error_count += 1;
        let reason = || diagnostic.summary.lines().next().unwrap_or_default().to_owned();
        let explained = self
            .operations
            .iter_mut()
            .find(|failure| failure.reason.is_none() && failure.address == *diagnostic.address);
        if let Some(failure) = explained {
            failure.reason = Some(reason());
            return;
        }
        let place =
            diagnostic.range.as_ref().map(|range| format!(" ({} line {})", range.filename, range.start.line));
        let address = match &*diagnostic.address {
            "" => String::new(),
            address => format!("{address}: "),
        };
        let error = format!("{address}{}{}", reason(), place.unwrap_or_default());
        if let Some((_, times)) = self.errors.iter_mut().find(|(known, _)| *known == error) {
            *times += 1;
        } else if self.errors.len() < MAX_NAMED {
            self.errors.push((error, 1));
        }
    }

    /// Whether there is any failure.
    pub(in crate::stream) fn has_any(&self) -> bool {
        self.error_count > 0 || self.operation_count > 0 || self.has_unexplained
    }
}
