//! Reads the messages of a run: which operations it started, completed and failed at.
//!
//! Source: the machine-readable UI. An operation on an object has a message about its start, and one about its end or
//! an error. A successful run has a `change_summary`, and a failed one ends with diagnostics. Malformed lines that look
//! like messages are counted, because they may have been any message.

use std::collections::{BTreeSet, VecDeque};

use foldhash::HashMap;

use super::ResultError;
use crate::dialect::Tool;
use crate::json::{Pairs, Raw, Str};
use crate::model::diagnostic::{Diagnostic, Severity};
use crate::model::message::{ChangeSummary, Hook, Message, Output, WordOrAddress};
use crate::model::plan::ResourceChange;

/// The word for the invocation of an action as an operation. The words for other operations are those of the messages.
pub(super) const INVOKE: &str = "invoke";

/// The progress of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    Started,
    Done,
    Failed,
}

/// One operation of a run on one object, or one invocation of an action.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    /// The address of the resource instance or action.
    pub(super) address: Str<'a>,
    /// `create`, `update`, `delete`, `read` or `invoke`.
    pub(super) word: Str<'a>,
    /// The progress of the operation.
    pub(super) progress: Progress,
    /// The attribute that identifies the object before the operation, and its value, from the message about the start.
    pub(super) id_before: Option<(Str<'a>, Str<'a>)>,
    /// The attribute that identifies the object after the operation, and its value, from the message about the end.
    pub(super) id_after: Option<(Str<'a>, Str<'a>)>,
}

/// The end of the messages of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The tool printed the summary of the apply.
    Complete,
    /// The tool reported errors, which it does once nothing is running.
    Failed,
    /// The messages end before the run did, or the run applied nothing.
    Cut,
}

/// The content of the messages of a run: operations, outputs and errors.
#[derive(Debug, Default)]
pub struct Run<'a> {
    /// The operations, in the order in which they started.
    pub(super) operations: Vec<Operation<'a>>,
    /// The outputs after the apply; `None` if no message has them.
    pub(super) outputs: Option<Pairs<'a, Output<'a>>>,
    /// The tool that wrote the messages.
    pub(super) tool: Option<Tool>,
    /// The version of the tool.
    pub(super) tool_version: Str<'a>,
    /// The time of the first message.
    pub(super) timestamp: Str<'a>,
    /// The summaries of the errors that are about no object.
    pub(super) errors: Vec<Str<'a>>,
    /// The summary of the first error about each address.
    pub(super) errors_of: HashMap<String, Str<'a>>,
    /// The number of lines that look like messages and cannot be read.
    pub(super) unreadable: usize,
    /// The numbers of added, changed and removed objects in all summaries together.
    summed_up: [u64; 3],
    /// The number of imported objects in all summaries together.
    pub(super) imported: u64,
    /// Whether there was a summary after the start of the last operation.
    pub(super) is_summed_up: bool,
    /// Whether there was an error after the start of the last operation.
    has_failed: bool,
    /// The indices of the operations that have started and not ended, by address and word.
    open: HashMap<(Str<'a>, Str<'a>), VecDeque<usize>>,
}

impl<'a> Run<'a> {
    /// Parses the messages of a run, one per line. Text before a message on its line is ignored, as are lines without a
    /// message.
    ///
    /// # Errors
    /// If there is no message, or the messages are those of `test -json`.
    pub fn parse(text: &'a str) -> Result<Self, ResultError> {
        let mut run = Self::default();
        let mut messages = 0_usize;
        for line in text.lines() {
            let Some(line) = line
                .find('{')
                .and_then(|offset| line.get(offset..))
                .map(str::trim_end)
            else {
                continue;
            };
            match Message::parse(line) {
                Some(message) => {
                    messages += 1;
                    if message.message_type.starts_with("test_") {
                        return Err(ResultError::MessagesOfTests);
                    }
                    run.unreadable += usize::from(run.message(message).is_none());
                }
                None => run.unreadable += usize::from(seems_message(line)),
            }
        }
        if messages == 0 {
            return Err(ResultError::NoMessages);
        }
        Ok(run)
    }

    /// Returns how the messages end. An error after the last start counts more than a summary.
    pub(super) fn end(&self) -> End {
        match (self.is_summed_up, self.has_failed) {
            (_, true) => End::Failed,
            (true, false) => End::Complete,
            (false, false) => End::Cut,
        }
    }

    /// Whether the summaries count more changes than there are messages about.
    pub(super) fn lacks_messages(&self) -> bool {
        let done = |word: &str| {
            let is_done = |operation: &&Operation<'_>| {
                *operation.word == *word && operation.progress == Progress::Done
            };
            self.operations.iter().filter(is_done).count() as u64
        };
        self.summed_up
            .iter()
            .zip(["create", "update", "delete"])
            .any(|(counted, word)| *counted > done(word))
    }

    /// Whether the run changes objects, but none of those in `changes`.
    pub(super) fn is_foreign(&self, changes: &[ResourceChange<'_>]) -> bool {
        let is_change = |operation: &&Operation<'_>| !matches!(&*operation.word, "read" | INVOKE);
        let mut acted = self.operations.iter().filter(is_change).peekable();
        if acted.peek().is_none() || changes.is_empty() {
            return false;
        }
        let known: BTreeSet<&str> = changes.iter().map(|change| &*change.address).collect();
        acted.all(|operation| !known.contains(&*operation.address))
    }

    /// Records an error about an address, or about no object if the address is empty.
    fn error(&mut self, address: &str, summary: Str<'a>) {
        if address.is_empty() {
            self.errors.push(summary);
        } else {
            self.errors_of.entry(address.to_owned()).or_insert(summary);
        }
    }

    /// Records a message. Returns `None` if the message lacks a member that it must have.
    fn message(&mut self, message: Message<'a>) -> Option<()> {
        if self.timestamp.is_empty() {
            self.timestamp = message.timestamp.clone();
        }
        match &*message.message_type {
            "apply_start" | "action_start" => self.hook(*message.hook?, Progress::Started)?,
            "apply_complete" | "action_complete" => self.hook(*message.hook?, Progress::Done)?,
            "apply_errored" | "action_errored" => self.hook(*message.hook?, Progress::Failed)?,
            "change_summary" => self.change_summary(&*message.changes?),
            "outputs" => self.outputs(message.outputs?)?,
            "diagnostic" => self.diagnostic(message.diagnostic?.read().ok()?),
            "version" => {
                let versions = [
                    (Tool::Terraform, message.terraform),
                    (Tool::OpenTofu, message.tofu),
                ];
                for (tool, version) in versions {
                    if let Some(version) = version {
                        (self.tool, self.tool_version) = (Some(tool), version);
                    }
                }
            }
            // Other messages do not report operations, but may report an error.
            _ if message.is_error() => {
                self.has_failed = true;
                let summary = Str(message.text().into_owned().into());
                self.error("", summary);
            }
            _ => {}
        }
        Some(())
    }

    /// Records the start or the end of an operation or of the invocation of an action. Returns `None` if the message
    /// does not say what it is about.
    fn hook(&mut self, hook: Hook<'a>, progress: Progress) -> Option<()> {
        let Hook {
            resource,
            action,
            id_key,
            id_value,
            error,
            ..
        } = hook;
        let is_action = matches!(action, Some(WordOrAddress::Address(_)));
        let (address, word) = match action? {
            WordOrAddress::Word(word) => (resource?.addr, word),
            WordOrAddress::Address(address) => (address.addr, Str::from(INVOKE)),
        };
        let id = (!id_key.is_empty() && !id_value.is_empty()).then_some((id_key, id_value));
        let key = (address.clone(), word.clone());
        // The error of an operation on an object is in a diagnostic instead.
        let failed = (is_action && progress == Progress::Failed).then(|| address.clone());
        if progress == Progress::Started {
            // Summaries and errors before this start were not the end of the run.
            (self.is_summed_up, self.has_failed) = (false, false);
            self.open
                .entry(key)
                .or_default()
                .push_back(self.operations.len());
            self.operations.push(Operation {
                address,
                word,
                progress,
                id_before: id,
                id_after: None,
            });
        } else {
            let started = self.open.get_mut(&key).and_then(VecDeque::pop_front);
            match started.and_then(|index| self.operations.get_mut(index)) {
                Some(operation) => (operation.progress, operation.id_after) = (progress, id),
                // There is no message about the start of the operation.
                None => {
                    self.operations.push(Operation {
                        address,
                        word,
                        progress,
                        id_before: None,
                        id_after: id,
                    });
                }
            }
        }
        if let Some(address) = failed {
            self.error(&address, error);
        }
        Some(())
    }

    /// Adds a summary of what was applied. Those of plans are ignored.
    fn change_summary(&mut self, changes: &ChangeSummary<'a>) {
        if matches!(&*changes.operation, "apply" | "destroy") {
            self.is_summed_up = true;
            self.imported = self.imported.saturating_add(changes.import);
            let counts = [changes.add, changes.change, changes.remove];
            for (sum, count) in self.summed_up.iter_mut().zip(counts) {
                *sum = sum.saturating_add(count);
            }
        }
    }

    /// Records the outputs, unless they are planned: planned outputs have an action, applied ones do not. Returns
    /// `None` if they are malformed.
    fn outputs(&mut self, outputs: Raw<'a>) -> Option<()> {
        let outputs = outputs.read::<Pairs<'a, Output<'a>>>().ok()?;
        if outputs.iter().all(|(_, output)| output.action.is_none()) {
            self.outputs = Some(outputs);
        }
        Some(())
    }

    /// Records an error. Warnings are ignored.
    fn diagnostic(&mut self, diagnostic: Diagnostic<'a>) {
        match diagnostic.severity() {
            Severity::Error | Severity::Other => {
                self.has_failed = true;
                self.error(&diagnostic.address, diagnostic.summary);
            }
            Severity::Warning => {}
        }
    }
}

/// Whether a line that is not a message may be a part of one.
fn seems_message(line: &str) -> bool {
    ["\"@level\"", "\"@message\"", "\"hook\"", "\"type\":\""]
        .iter()
        .any(|name| line.contains(name))
}
