//! Starts programs, receives signals, and manages temporary files.
//!
//! Invariants: a signal that asks tfview to end reaches every program that runs. If none runs and nothing else handles
//! the signal, it ends tfview. However tfview ends, its temporary files are removed first, except after SIGKILL. After
//! a signal, no program is started.
//!
//! Each program has its own process group, so that signals reach all processes that it started and no others. On a
//! terminal, the group of the user's command is in the foreground, as in a shell. This process takes the terminal back
//! when the group ends or stops, or when another program is captured.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};

#[cfg(not(unix))]
use other as platform;
use platform::Group;
#[cfg(unix)]
use unix as platform;

pub(super) use platform::{replace, stop};

/// The time that a captured program has to end after a signal.
const TO_END: Duration = Duration::from_secs(1);

/// The time that a display has to end after a signal if its program has already ended.
const TO_SHOW: Duration = Duration::from_secs(5);

/// The programs that run and the signals that were received, shared by all threads.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes(Arc<Mutex<State>>);

/// The state of programs and signals.
#[derive(Debug, Default)]
struct State {
    /// The watch of signals, after it was started.
    signals: Option<platform::Signals>,
    /// The number of the first signal that asked tfview to end.
    received: Option<i32>,
    /// The programs that run.
    running: Vec<Running>,
    /// The receivers of signals.
    listeners: Vec<Weak<Listener>>,
    /// The temporary folders, which are removed at the end.
    folders: Vec<PathBuf>,
    /// The number of programs that were started, from which they get their numbers.
    count: usize,
    /// Whether there is a pager, which handles interrupts itself.
    has_pager: bool,
    /// Whether tfview ends as soon as its display has ended.
    is_ending: bool,
}

/// A program that runs.
#[derive(Debug)]
struct Running {
    /// The number of the program, in the order in which programs were started.
    id: usize,
    /// The process group of the program.
    group: Group,
    /// The purpose for which it was started.
    purpose: Purpose,
    /// Whether the program has the terminal, so that it receives interrupts from there.
    has_terminal: bool,
}

/// The purpose of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The user sees the program, and only the user's command decides how it ends.
    Shown,
    /// The output of the program is read, and it changes nothing. After a signal, it has little time to end.
    Captured,
}

/// A signal, as far as tfview distinguishes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "other platforms have fewer signals")
)]
pub(super) enum Signal {
    /// A request to end that usually reaches all processes of a job.
    Interrupt,
    /// A request to end that usually reaches one process.
    Terminate,
    Stop,
    Resize,
}

/// A subscription to signals. They are delivered until it is dropped, and in the meantime, they do not end tfview by
/// themselves.
pub(super) type Listening = Arc<Listener>;

/// The receiver of signals.
#[derive(Debug)]
pub(super) struct Listener {
    sender: Sender<Signal>,
    is_live: bool,
}

impl Processes {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the first signal that asked tfview to end.
    pub(super) fn received(&self) -> Option<i32> {
        self.lock().received
    }

    /// Starts the watch of signals, if there is none yet.
    fn watch(&self) -> anyhow::Result<()> {
        let mut state = self.lock();
        if state.signals.is_none() {
            state.signals =
                Some(platform::watch(self.clone()).context("preparing to receive signals")?);
        }
        Ok(())
    }

    /// Delivers signals to a function from now on, until it returns false or the result is dropped. Signals that
    /// concern the screen are only delivered if `is_live`.
    ///
    /// # Errors
    /// If signals cannot be watched.
    pub(super) fn listen(
        &self,
        is_live: bool,
        deliver: impl Fn(Signal) -> bool + Send + 'static,
    ) -> anyhow::Result<Listening> {
        self.watch()?;
        let mut state = self.lock();
        if is_live && let Some(signals) = &state.signals {
            platform::watch_screen(signals).context("preparing to receive signals")?;
        }
        let (sender, receiver) = channel();
        thread::spawn(move || receiver.iter().all(deliver));
        let listening = Arc::new(Listener { sender, is_live });
        state.listeners.push(Arc::downgrade(&listening));
        Ok(listening)
    }

    /// Leaves interrupts to the pager. An interrupt on the terminal reaches all processes of the job, and a pager only
    /// cancels its current operation. If tfview ended, the shell would take the terminal back while the pager still
    /// uses it.
    pub(super) fn leave_interrupts_to_the_pager(&self) {
        // If signals cannot be watched, an interrupt ends this process, which is acceptable.
        if cfg!(unix) && self.watch().is_ok() {
            self.lock().has_pager = true;
        }
    }

    /// Handles a signal that asks tfview to end: passes it on to programs and listeners. Ends tfview unless one of them
    /// handles it.
    fn on_end(&self, mut state: MutexGuard<'_, State>, number: i32, signal: Signal) {
        state.received.get_or_insert(number);
        let mut is_received = false;
        for running in &state.running {
            is_received |= platform::send(running.group, number);
            if running.purpose == Purpose::Captured {
                let id = running.id;
                self.later(TO_END, move |state| {
                    state
                        .running
                        .iter()
                        .filter(|running| running.id == id)
                        .for_each(Running::kill);
                });
            }
        }
        // This is asked before the signal is delivered: a listener that has received it may be gone a moment later, and
        // the program then ends by itself.
        let is_answered = state.listeners().next().is_some();
        state.tell(signal);
        if is_received {
            return;
        }
        if state.running.is_empty() {
            if !is_answered {
                state.end(number);
            }
            return;
        }
        // The programs have ended, and their display ends too, unless nobody reads what it writes.
        if std::mem::replace(&mut state.is_ending, true) {
            state.end(number);
        }
        self.later(TO_SHOW, move |state| state.end(number));
    }

    /// Does `work` after a time, unless tfview has ended by then.
    fn later(&self, time: Duration, work: impl FnOnce(&mut State) + Send + 'static) {
        let processes = self.clone();
        thread::spawn(move || {
            thread::sleep(time);
            work(&mut processes.lock());
        });
    }

    /// Starts a program. A program that the user sees gets the terminal if this process has it.
    ///
    /// # Errors
    /// If the program cannot be started, or a signal has asked tfview to end.
    pub(super) fn start(
        &self,
        command: &mut Command,
        purpose: Purpose,
    ) -> anyhow::Result<(Child, Process)> {
        self.watch()?;
        platform::set_own_group(command);
        // No signal is handled between the start of the program and its entry in the list.
        let mut state = self.lock();
        if state.received.is_some() {
            return Err(
                io::Error::new(io::ErrorKind::Interrupted, "interrupted by a signal").into(),
            );
        }
        if purpose == Purpose::Captured && state.running.iter().any(|running| running.has_terminal)
        {
            // An interrupt that is typed while a program is captured must reach this process.
            platform::take_foreground();
        }
        let child = command.spawn().inspect_err(|_| state.return_terminal())?;
        let group = platform::group(&child).context("the tool has no id")?;
        state.count += 1;
        let id = state.count;
        state.running.push(Running {
            id,
            group,
            purpose,
            has_terminal: false,
        });
        if purpose == Purpose::Shown {
            state.hand_over(id);
        }
        drop(state);
        Ok((
            child,
            Process {
                processes: self.clone(),
                id,
                group,
            },
        ))
    }

    /// Runs a program without input, and returns its output.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub(super) fn capture(&self, command: &mut Command) -> anyhow::Result<Output> {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (child, _process) = self.start(command, Purpose::Captured)?;
        Ok(child.wait_with_output()?)
    }

    /// Creates a temporary file with this content, which only the user can read. The tools keep the mode of an existing
    /// file that they write to.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub(super) fn temporary_file(&self, content: &[u8]) -> anyhow::Result<TemporaryFile> {
        /// The maximum number of names that are tried for the directory.
        const NAMES: u32 = 100;
        self.watch()?;
        let temporary = std::env::temp_dir();
        for attempt in 0..NAMES {
            let folder = temporary.join(format!("tfview-{}-{attempt}", std::process::id()));
            // No signal ends the program between the creation of the folder and its entry in the list.
            let mut state = self.lock();
            match private_folder(&folder, false) {
                Ok(()) => state.folders.push(folder.clone()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => {
                    return Err(anyhow!(error).context("creating a directory for the plan"));
                }
            }
            drop(state);
            let file = TemporaryFile {
                folder,
                processes: self.clone(),
            };
            let mut opened = private_file(&file.path()).context("creating a file for the plan")?;
            opened
                .write_all(content)
                .context("writing the plan to a file")?;
            return Ok(file);
        }
        bail!(
            "creating a directory for the plan: {} has many of them already",
            temporary.display()
        );
    }
}

impl State {
    fn listeners(&self) -> impl Iterator<Item = Arc<Listener>> {
        self.listeners.iter().filter_map(Weak::upgrade)
    }

    /// Delivers a signal to all listeners that it concerns.
    fn tell(&self, signal: Signal) {
        let is_for_screen = matches!(signal, Signal::Stop | Signal::Resize);
        for listener in self
            .listeners()
            .filter(|listener| listener.is_live || !is_for_screen)
        {
            // A listener that no longer receives is about to be dropped.
            let _ = listener.sender.send(signal);
        }
    }

    /// Ends tfview by a signal. Captured programs are killed and temporary folders are removed before.
    fn end(&mut self, number: i32) {
        self.running
            .iter()
            .filter(|running| running.purpose == Purpose::Captured)
            .for_each(Running::kill);
        for folder in self.folders.drain(..) {
            remove(&folder);
        }
        platform::end(number);
    }

    /// Gives the terminal to a program, if this process has it, and lets the program continue.
    fn hand_over(&mut self, id: usize) {
        let Some(running) = self.running.iter_mut().find(|running| running.id == id) else {
            return;
        };
        running.has_terminal = platform::is_foreground();
        if running.has_terminal {
            platform::set_foreground(running.group);
        }
        // The program may have tried to read before it had the terminal, or may have been stopped.
        platform::resume(running.group);
    }

    /// Gives the terminal back to the user's program, after another one was captured.
    fn return_terminal(&self) {
        let shown = self.running.iter().find(|running| running.has_terminal);
        if let Some(shown) = shown.filter(|shown| platform::is_running(shown.group)) {
            platform::set_foreground(shown.group);
        }
    }

    /// Takes the terminal from a program, if the program has it.
    fn take_back(&mut self, id: usize) {
        let running = self.running.iter_mut().find(|running| running.id == id);
        if running.is_some_and(|running| std::mem::take(&mut running.has_terminal)) {
            platform::take_foreground();
        }
    }
}

impl Running {
    fn kill(&self) {
        platform::kill(self.group);
    }
}

/// A program that was started. It counts as running until this is dropped.
#[derive(Debug)]
pub(super) struct Process {
    processes: Processes,
    id: usize,
    group: Group,
}

impl Process {
    /// Waits until the program ends, and returns its exit code. Each time it is stopped, `on_stop` is called, which
    /// must let it continue.
    pub(super) fn wait(&self, child: &mut Child, on_stop: impl Fn()) -> io::Result<u8> {
        loop {
            if let Some(code) = platform::wait(self.group, child)? {
                self.processes.lock().take_back(self.id);
                return Ok(code);
            }
            on_stop();
        }
    }

    /// Whether processes that the program started still run after a signal.
    pub(super) fn lingers(&self) -> bool {
        self.processes.received().is_some() && platform::is_running(self.group)
    }

    /// Stops this process after the program was stopped, until the user continues the job; then continues the program.
    pub(super) fn suspend(&self) {
        self.processes.lock().take_back(self.id);
        platform::suspend();
        self.processes.lock().hand_over(self.id);
    }
}

impl Drop for Process {
    /// Ends a captured program that nobody waits for any more. One that the user sees continues.
    fn drop(&mut self) {
        let mut state = self.processes.lock();
        state.take_back(self.id);
        let Some(index) = state
            .running
            .iter()
            .position(|running| running.id == self.id)
        else {
            return;
        };
        let ended = state.running.swap_remove(index);
        if ended.purpose == Purpose::Shown {
            return;
        }
        if let Some(number) = state.received {
            // Processes that the program started may ignore the signal.
            ended.kill();
            if state.running.is_empty() && state.listeners().next().is_none() {
                state.end(number);
            }
        }
        state.return_terminal();
    }
}

/// A temporary file in a directory of its own, which only the user can read. Both are removed when this is dropped, and
/// when a signal ends tfview.
#[derive(Debug)]
pub(super) struct TemporaryFile {
    folder: PathBuf,
    processes: Processes,
}

impl TemporaryFile {
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join("tfplan")
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let mut state = self.processes.lock();
        remove(&self.folder);
        state.folders.retain(|folder| *folder != self.folder);
    }
}

fn remove(folder: &Path) {
    // A failure to remove it must not hide the outcome.
    let _: io::Result<()> = fs::remove_dir_all(folder);
}

/// Creates a file that only the user can read and write.
///
/// # Errors
/// If there is already a file, or it cannot be created.
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates a folder that only the user can read and write. If `recursive`, its parents are created too, and it may
/// exist already.
///
/// # Errors
/// If it cannot be created.
pub(super) fn private_folder(path: &Path, recursive: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(recursive);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
