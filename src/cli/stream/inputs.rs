//! Defines the inputs of a display, reads them on threads, and withholds messages at the beginning of a run.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde::Deserialize;

use crate::cli::processes::{Listening, Processes, Signal};

/// The number of bytes of a first read. Reads grow while they are filled.
const CHUNK: usize = 64 * 1024;
/// The maximum number of bytes of a read.
const MAX_CHUNK: usize = 256 * 1024;
/// The maximum number of inputs that wait in the channel.
const WAITING: usize = 4;

/// An input of a display.
#[derive(Debug)]
pub(in crate::cli) enum Input {
    /// The messages of the unit with this name follow.
    Unit(String),
    /// Bytes of messages.
    Bytes(Vec<u8>),
    /// The messages cannot be read any further.
    Unreadable(io::Error),
    /// Bytes of the tool's standard error.
    Stderr(Vec<u8>),
    /// A source has ended.
    Ended,
    /// The tool has ended.
    Exited,
    /// The tool was stopped.
    Stopped,
    /// A signal was received.
    Signal(Signal),
}

/// A function that opens the messages of a unit.
pub(super) type NamedInput = Box<dyn FnOnce() -> io::Result<Box<dyn Read + Send>> + Send>;

/// The sending end of the channel for inputs.
#[derive(Clone, Debug)]
pub(in crate::cli) struct InputSender(SyncSender<Input>);

pub(super) fn channel() -> (InputSender, Receiver<Input>) {
    let (sender, receiver) = sync_channel(WAITING);
    (InputSender(sender), receiver)
}

impl InputSender {
    /// Sends an input. Returns false if the receiver is gone.
    pub(in crate::cli) fn send(&self, input: Input) -> bool {
        self.0.send(input).is_ok()
    }

    /// Reads the messages of a run, on a thread.
    pub(in crate::cli) fn read_messages(&self, source: impl Read + Send + 'static) {
        self.read(|sender| {
            if let Err(error) = sender.copy(source, Input::Bytes) {
                sender.send(Input::Unreadable(error));
            }
        });
    }

    /// Reads the messages of several runs one after the other, on one thread.
    pub(in crate::cli) fn read_all(&self, inputs: Vec<(String, NamedInput)>) {
        self.read(|sender| {
            for (name, open) in inputs {
                sender.send(Input::Unit(name));
                if let Err(error) = open().and_then(|source| sender.copy(source, Input::Bytes)) {
                    sender.send(Input::Unreadable(error));
                }
            }
        });
    }

    /// Reads the standard error of the tool, on a thread.
    pub(in crate::cli) fn read_stderr(&self, source: impl Read + Send + 'static) {
        self.read(|sender| {
            // Standard error that cannot be read is not shown; the outcome follows from the messages.
            let _: io::Result<()> = sender.copy(source, Input::Stderr);
        });
    }

    /// Does `work` on a thread, and then sends that the source has ended.
    fn read(&self, work: impl FnOnce(&Self) + Send + 'static) {
        let sender = self.clone();
        thread::spawn(move || {
            work(&sender);
            sender.send(Input::Ended);
        });
    }

    /// Sends the content of a source until it ends, in larger parts if it is fast.
    fn copy(&self, mut source: impl Read, wrap: fn(Vec<u8>) -> Input) -> io::Result<()> {
        let mut size = CHUNK;
        loop {
            let mut chunk = vec![0; size];
            match source.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(length) => {
                    if length == size {
                        size = (size * 2).min(MAX_CHUNK);
                    }
                    chunk.truncate(length);
                    if !self.send(wrap(chunk)) {
                        return Ok(());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn watch_signals(
        &self,
        processes: &Processes,
        is_live: bool,
    ) -> anyhow::Result<Listening> {
        let sender = self.clone();
        processes.listen(is_live, move |signal| sender.send(Input::Signal(signal)))
    }
}

/// The reason why the tool refuses a command at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Refusal {
    /// A variable has no value, and the tool does not ask for it.
    Variable,
    /// The backend cannot save a plan.
    SavedPlan,
}

/// The summary of the tools' error about a variable without a value.
const VARIABLE: &str = "No value for required variable";
/// The summary of the tools' error about a backend that cannot save a plan.
const SAVED_PLAN: &str = "Saving a generated plan is currently not supported";

/// The part of a message that is read here.
#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow, default, rename = "type")]
    kind: Cow<'m, str>,
    diagnostic: Option<Diagnostic>,
}

/// The part of a diagnostic that is read here.
#[derive(Deserialize)]
struct Diagnostic {
    summary: String,
}

/// The diagnostics that are withheld until the tool begins to work, because a run that is refused is repeated in
/// another way.
///
/// Other messages are shown at once, so that the user sees what the tool is waiting for. Only the summary of the first
/// diagnostic can be a refusal, because other texts may come from anywhere.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// The lines that are withheld.
    kept: Vec<u8>,
    /// The beginning of an incomplete line.
    begun: Vec<u8>,
    /// Whether the tool has begun to work, so that nothing is withheld any more.
    released: bool,
}

impl Withheld {
    /// Takes bytes of the tool, and returns those that are shown now.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        let lines = [&*std::mem::take(&mut self.begun), bytes].concat();
        let mut shown = Vec::new();
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            if self.released {
                shown.extend_from_slice(line);
                continue;
            }
            if !line.ends_with(b"\n") {
                self.begun = line.to_vec();
                break;
            }
            let message = serde_json::from_slice::<Message<'_>>(line);
            match message
                .as_ref()
                .map_or("diagnostic", |message| &message.kind)
            {
                "diagnostic" => self.kept.extend_from_slice(line),
                // These precede the work of the tool, such as the wait for a lock.
                "" | "version" | "log" | "state_lock_acquire" | "state_lock_release" => {
                    shown.extend_from_slice(line);
                }
                _ => {
                    self.released = true;
                    shown.append(&mut self.kept);
                    shown.extend_from_slice(line);
                }
            }
        }
        shown
    }

    /// Returns why the tool refused the command; `None` if it did anything else. `can_ask` is whether somebody could
    /// answer if the tool asked for variables.
    pub(super) fn refusal(&self, can_ask: bool) -> Option<Refusal> {
        let mut lines = self.kept.split(|byte| *byte == b'\n');
        let first = lines.find(|line| line.trim_ascii_start().starts_with(b"{"))?;
        match &*serde_json::from_slice::<Message<'_>>(first)
            .ok()?
            .diagnostic?
            .summary
        {
            SAVED_PLAN => Some(Refusal::SavedPlan),
            VARIABLE if can_ask => Some(Refusal::Variable),
            _ => None,
        }
    }

    /// Returns the bytes that are still withheld.
    pub(super) fn into_rest(self) -> Vec<u8> {
        [self.kept, self.begun].concat()
    }
}

#[cfg(test)]
mod tests;
