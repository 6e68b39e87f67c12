//! The inputs of a display: threads that read the messages and the standard error of the tool, signals, and the messages
//! that are withheld at the beginning of a run.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde::Deserialize;

use crate::cli::processes::{Listening, Processes, Signal};

/// The size of a read, in bytes, which grows while reads are filled, and the maximum number of pending reads.
const CHUNK: usize = 64 * 1024;
const MAX_CHUNK: usize = 256 * 1024;
const WAITING: usize = 4;

/// An input of the display.
#[derive(Debug)]
pub(in crate::cli) enum Input {
    /// The messages of another unit begin.
    Unit(String),
    /// Messages.
    Bytes(Vec<u8>),
    /// The messages, or those of the current unit, cannot be read to their end.
    Unreadable(io::Error),
    /// Output of the tool's standard error.
    Stderr(Vec<u8>),
    /// The messages have ended, or the standard error of the tool.
    Ended,
    /// The tool has exited.
    Exited,
    /// The tool was stopped, by Ctrl-Z say.
    Stopped,
    /// tfview received a signal.
    Signal(Signal),
}

/// Opens the messages of a unit.
pub(super) type NamedInput = Box<dyn FnOnce() -> io::Result<Box<dyn Read + Send>> + Send>;

/// Sends inputs to the loop that shows the run.
#[derive(Clone, Debug)]
pub(in crate::cli) struct InputSender(SyncSender<Input>);

/// A bounded channel of inputs.
pub(super) fn channel() -> (InputSender, Receiver<Input>) {
    let (sender, receiver) = sync_channel(WAITING);
    (InputSender(sender), receiver)
}

impl InputSender {
    /// Sends an input; false once the receiver is gone.
    pub(in crate::cli) fn send(&self, input: Input) -> bool {
        self.0.send(input).is_ok()
    }

    /// Reads messages to their end, in a thread.
    pub(in crate::cli) fn read_messages(&self, source: impl Read + Send + 'static) {
        self.read(|sender| {
            if let Err(error) = sender.copy(source, Input::Bytes) {
                sender.send(Input::Unreadable(error));
            }
        });
    }

    /// Reads the messages of several units, one after the other, in a thread.
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

    /// Reads what the tool writes on its standard error, in a thread.
    pub(in crate::cli) fn read_stderr(&self, source: impl Read + Send + 'static) {
        self.read(|sender| {
            // Standard error that cannot be read is not shown; the outcome follows from the messages.
            let _: io::Result<()> = sender.copy(source, Input::Stderr);
        });
    }

    fn read(&self, work: impl FnOnce(&Self) + Send + 'static) {
        let sender = self.clone();
        thread::spawn(move || {
            work(&sender);
            sender.send(Input::Ended);
        });
    }

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

    /// Sends the signals that this process receives.
    pub(super) fn watch_signals(&self, processes: &Processes, is_live: bool) -> anyhow::Result<Listening> {
        let sender = self.clone();
        processes.listen(is_live, move |signal| sender.send(Input::Signal(signal)))
    }
}

/// The reason of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Refusal {
    /// A required variable has no value.
    Variable,
    /// The backend cannot save a plan to a file.
    SavedPlan,
}

/// The summaries of both tools for these.
const VARIABLE: &str = "No value for required variable";
const SAVED_PLAN: &str = "Saving a generated plan is currently not supported";

/// The members of a message that are read here.
#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow, default, rename = "type")]
    kind: Cow<'m, str>,
    diagnostic: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Diagnostic {
    summary: String,
}

/// Withholds diagnostics until the tool begins to work. A refusal at the beginning of a run is not shown: the run is then
/// repeated in another way, because the tool asks for variables only without `-json`, or because its backend cannot save a
/// plan.
///
/// All other messages are shown immediately, so that the user sees what the tool is waiting for. Only the summary of the
/// first diagnostic is a refusal, because other texts may come from anywhere.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    /// The lines that may be a part of a refusal.
    kept: Vec<u8>,
    /// The beginning of an incomplete line.
    begun: Vec<u8>,
    /// Whether the tool has begun to work.
    released: bool,
}

impl Withheld {
    /// Adds messages and returns those that can be shown.
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
            match message.as_ref().map_or("diagnostic", |message| &message.kind) {
                "diagnostic" => self.kept.extend_from_slice(line),
                // These precede the work, such as the wait for a lock.
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

    /// The reason of the refusal, if the tool did nothing else. `can_ask` is whether somebody could answer if the tool
    /// asked for variables.
    pub(super) fn refusal(&self, can_ask: bool) -> Option<Refusal> {
        let mut lines = self.kept.split(|byte| *byte == b'\n');
        let first = lines.find(|line| line.trim_ascii_start().starts_with(b"{"))?;
        match &*serde_json::from_slice::<Message<'_>>(first).ok()?.diagnostic?.summary {
            SAVED_PLAN => Some(Refusal::SavedPlan),
            VARIABLE if can_ask => Some(Refusal::Variable),
            _ => None,
        }
    }

    /// The messages that have not been returned.
    pub(super) fn into_rest(self) -> Vec<u8> {
        [self.kept, self.begun].concat()
    }
}

#[cfg(test)]
mod tests;
