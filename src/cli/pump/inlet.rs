//! Where the inputs of a display come from: threads that read the tool's output, and signals.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

#[cfg(unix)]
use anyhow::Context;

/// How many bytes are read at once, and how many such reads may wait.
const CHUNK: usize = 64 * 1024;
const WAITING: usize = 4;

/// What comes in.
#[derive(Debug)]
pub(in crate::cli) enum Input {
    /// Messages.
    Bytes(Vec<u8>),
    /// What the tool writes on its standard error.
    Aside(Vec<u8>),
    /// That has ended.
    AsidesEnded,
    /// The messages have ended.
    Ended(io::Result<()>),
    /// The tool has.
    Exited,
    /// The tool was stopped, by Ctrl-Z say.
    Stopped,
    /// We were sent a signal.
    Signal(i32),
}

/// Where inputs are sent to.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Inlet(SyncSender<Input>);

/// A place for inputs to be sent to, and where they come out.
pub(super) fn inlet() -> (Inlet, Receiver<Input>) {
    let (sender, outlet) = sync_channel(WAITING);
    (Inlet(sender), outlet)
}

impl Inlet {
    /// Sends an input; false if nobody waits for it any more.
    pub(in crate::cli) fn send(&self, input: Input) -> bool {
        self.0.send(input).is_ok()
    }

    /// Reads messages to their end, in a thread.
    pub(in crate::cli) fn read_messages(&self, source: impl Read + Send + 'static) {
        let inlet = self.clone();
        thread::spawn(move || {
            let result = inlet.copy(source, Input::Bytes);
            inlet.send(Input::Ended(result));
        });
    }

    /// Reads what the tool writes on its standard error, in a thread.
    pub(in crate::cli) fn read_asides(&self, source: impl Read + Send + 'static) {
        let inlet = self.clone();
        thread::spawn(move || {
            // What cannot be read of it cannot be shown; the messages say how the run goes.
            let _: io::Result<()> = inlet.copy(source, Input::Aside);
            inlet.send(Input::AsidesEnded);
        });
    }

    fn copy(&self, mut source: impl Read, wrap: fn(Vec<u8>) -> Input) -> io::Result<()> {
        loop {
            let mut chunk = vec![0; CHUNK];
            match source.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(length) => {
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

    /// Sends the signals that ask a program to end.
    #[cfg(unix)]
    pub(super) fn watch_signals(&self, is_live: bool) -> anyhow::Result<()> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
            .context("preparing to receive signals")?;
        if is_live {
            for signal in [SIGTSTP, SIGWINCH] {
                signals.add_signal(signal).context("preparing to receive signals")?;
            }
        }
        let inlet = self.clone();
        thread::spawn(move || signals.forever().all(|signal| inlet.send(Input::Signal(signal))));
        Ok(())
    }

    /// Other systems end the whole group of processes.
    #[cfg(not(unix))]
    pub(super) fn watch_signals(&self, _: bool) -> anyhow::Result<()> {
        Ok(())
    }
}
