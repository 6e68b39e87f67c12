//! The programs that tfview starts, the signals that it receives, and its temporary files.
//!
//! Invariants: this is the only place that is told about signals. A signal that asks tfview to end reaches
//! every program that runs. If none runs and nothing else answers it, it ends tfview. However tfview ends,
//! its temporary files are removed first, except after SIGKILL. After a signal, no program is started.

#[cfg(not(unix))]
mod other;
mod temporary;
#[cfg(unix)]
mod unix;

use std::io;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(not(unix))]
use other as platform;
#[cfg(unix)]
use unix as platform;

pub(super) use platform::{Event, Process, replace};
pub(super) use temporary::TemporaryFile;

/// The processes of this program, shared by its threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes(Arc<Mutex<State>>);

#[derive(Debug, Default)]
#[cfg_attr(not(unix), allow(dead_code, reason = "other platforms have fewer signals"))]
struct State {
    /// The source of signals, once they are watched.
    signals: Option<platform::Signals>,
    /// The first signal that asked the program to end.
    received: Option<i32>,
    running: Vec<platform::Running>,
    listeners: Vec<Listener>,
    /// The directories of temporary files.
    folders: Vec<PathBuf>,
    /// The number of listeners and programs so far, from which they get their identifiers.
    count: usize,
    /// Whether a pager runs, which handles interrupts itself.
    has_pager: bool,
    /// Whether the program is about to end because of a signal that nobody answers.
    is_ending: bool,
}

#[derive(Debug)]
#[cfg_attr(not(unix), allow(dead_code, reason = "other platforms have fewer signals"))]
struct Listener {
    id: usize,
    sender: Sender<i32>,
    /// Whether it also handles stops and new sizes of the screen.
    is_live: bool,
}

/// Why a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It is the command of the user. Only it decides how it ends.
    Shown,
    /// Its output is read, and it changes nothing: after a signal, it gets little time to end.
    Captured,
}

/// Receives signals until it is dropped. The program does not end by itself in the meantime.
#[derive(Debug)]
pub(super) struct Listening {
    processes: Processes,
    id: usize,
    receiver: Option<Receiver<i32>>,
}

impl Listening {
    /// Receives signals until the end of the program, whose outcome is decided.
    pub(super) fn keep(self) {
        std::mem::forget(self);
    }

    /// The signals. They end when this value is dropped.
    pub(super) fn take(&mut self) -> Option<Receiver<i32>> {
        self.receiver.take()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.processes.lock().listeners.retain(|listener| listener.id != self.id);
    }
}

impl Processes {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first signal that asked the program to end.
    pub(super) fn received(&self) -> Option<i32> {
        self.lock().received
    }

    /// Receives signals from now on; those for the screen only if `is_live`.
    pub(super) fn listen(&self, is_live: bool) -> anyhow::Result<Listening> {
        self.watch()?;
        if is_live {
            self.watch_screen()?;
        }
        let (sender, receiver) = channel();
        let mut state = self.lock();
        let id = state.next_id();
        state.listeners.push(Listener { id, sender, is_live });
        Ok(Listening { processes: self.clone(), id, receiver: Some(receiver) })
    }

    /// Runs a program that only reads, without input, and returns what it wrote.
    pub(super) fn capture(&self, command: &mut Command) -> anyhow::Result<Output> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (child, process) = self.start(command, Purpose::Captured)?;
        let output = child.wait_with_output();
        drop(process);
        Ok(output?)
    }
}

impl State {
    fn next_id(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn tell(&self, signal: i32) {
        for listener in &self.listeners {
            // A listener that no longer receives is about to be dropped.
            let _ = listener.sender.send(signal);
        }
    }

    /// Removes all temporary files.
    #[cfg_attr(not(any(unix, windows)), allow(dead_code, reason = "there are no signals"))]
    fn remove_files(&mut self) {
        for folder in self.folders.drain(..) {
            temporary::remove(&folder);
        }
    }
}

/// The error for a program that is not started because of a signal.
fn interrupted() -> io::Error {
    io::Error::new(io::ErrorKind::Interrupted, "interrupted by a signal")
}
