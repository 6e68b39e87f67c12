//! The inputs of a display: threads that read the messages and the standard error of the tool, and signals.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

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
pub(in crate::cli) type NamedInput = Box<dyn FnOnce() -> io::Result<Box<dyn Read + Send>> + Send>;

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
