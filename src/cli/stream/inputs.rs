//! The inputs of a display, and the messages that are withheld at the beginning of a run.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde::Deserialize;

use crate::cli::processes::{Listening, Processes, Signal};

/// The size of a read, which grows while reads are filled, and the maximum number of pending reads.
const CHUNK: usize = 64 * 1024;
const MAX_CHUNK: usize = 256 * 1024;
const WAITING: usize = 4;

/// What a display receives.
#[derive(Debug)]
pub(in crate::cli) enum Input {
    Unit(String),
    Bytes(Vec<u8>),
    Unreadable(io::Error),
    Stderr(Vec<u8>),
    Ended,
    Exited,
    Stopped,
    Signal(Signal),
}

pub(super) type NamedInput = Box<dyn FnOnce() -> io::Result<Box<dyn Read + Send>> + Send>;

/// The end of the channel that inputs are sent to.
#[derive(Clone, Debug)]
pub(in crate::cli) struct InputSender(SyncSender<Input>);

pub(super) fn channel() -> (InputSender, Receiver<Input>) {
    let (sender, receiver) = sync_channel(WAITING);
    (InputSender(sender), receiver)
}

impl InputSender {
    /// False once the receiver is gone.
    pub(in crate::cli) fn send(&self, input: Input) -> bool {
        self.0.send(input).is_ok()
    }

    pub(in crate::cli) fn read_messages(&self, source: impl Read + Send + 'static) {
        self.read(|sender| {
            if let Err(error) = sender.copy(source, Input::Bytes) {
                sender.send(Input::Unreadable(error));
            }
        });
    }

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

    /// Sends what a source has until it ends, in larger parts if it is fast.
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

/// Why the tool refuses a command at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Refusal {
    Variable,
    SavedPlan,
}

const VARIABLE: &str = "No value for required variable";
const SAVED_PLAN: &str = "Saving a generated plan is currently not supported";

/// The part of a message that is read.
#[derive(Deserialize)]
struct Message<'m> {
    #[serde(borrow, default, rename = "type")]
    kind: Cow<'m, str>,
    diagnostic: Option<Diagnostic>,
}

/// The part of a diagnostic that is read.
#[derive(Deserialize)]
struct Diagnostic {
    summary: String,
}

/// Withholds diagnostics until the tool begins to work, because a run that is refused is repeated in another
/// way.
///
/// Other messages are shown immediately, so that the user sees what the tool is waiting for. Only the summary
/// of the first diagnostic is a refusal, because other texts may come from anywhere.
#[derive(Debug, Default)]
pub(super) struct Withheld {
    kept: Vec<u8>,
    begun: Vec<u8>,
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

    /// Returns why the tool refused; `None` if it did anything else. `can_ask`: somebody could
    /// answer if the tool asked for
    /// variables.
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

    pub(super) fn into_rest(self) -> Vec<u8> {
        [self.kept, self.begun].concat()
    }
}

#[cfg(test)]
mod tests;
