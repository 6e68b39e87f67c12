//! Signals, process groups and the terminal on Unix.
//!
//! Invariants: a program has its own process group, so that signals reach all processes that it started and
//! no others. On a terminal, the group of the user's command is in the foreground, as with a shell, and this
//! process takes the terminal back when the group ends or stops, or when a program is captured.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use nix::sys::signal::{SigSet, SigmaskHow, Signal as Blocked};
use rustix::process::{
    Pid, Signal, WaitOptions, getpgrp, getppid, getsid, kill_process_group, test_kill_process_group, waitpid,
};
use rustix::termios::{tcgetpgrp, tcsetpgrp};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::low_level::emulate_default_handler;

use super::{Processes, Purpose, State, interrupted};

/// The signals that ask a program to end, and those for a display that is redrawn.
const SIGNALS: [i32; 4] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT];
const SCREEN: [i32; 2] = [SIGTSTP, SIGWINCH];

/// The time for a captured program to end after a signal.
const TO_END: Duration = Duration::from_secs(1);

/// The time for a display to end after a signal if its program has already ended.
const TO_SHOW: Duration = Duration::from_secs(5);

/// The source of signals.
pub(super) type Signals = signal_hook::iterator::Handle;

/// A program that runs.
#[derive(Debug)]
pub(super) struct Running {
    id: usize,
    group: Pid,
    purpose: Purpose,
    /// Whether its group was moved to the foreground of the terminal.
    has_terminal: bool,
}

impl Processes {
    /// Watches signals from now on.
    pub(super) fn watch(&self) -> anyhow::Result<()> {
        let mut state = self.lock();
        if state.signals.is_some() {
            return Ok(());
        }
        let mut signals =
            signal_hook::iterator::Signals::new(SIGNALS).context("preparing to receive signals")?;
        state.signals = Some(signals.handle());
        let processes = self.clone();
        thread::spawn(move || signals.forever().for_each(|signal| processes.on_signal(signal)));
        Ok(())
    }

    pub(super) fn watch_screen(&self) -> anyhow::Result<()> {
        let state = self.lock();
        let Some(signals) = &state.signals else { return Ok(()) };
        SCREEN
            .into_iter()
            .try_for_each(|signal| signals.add_signal(signal))
            .context("preparing to receive signals")
    }

    /// Leaves interrupts to a pager. An interrupt on the terminal reaches all processes of the job. A pager
    /// only cancels its current operation; if tfview ended, the shell would take the terminal back while the
    /// pager is still using it.
    pub(in crate::cli) fn leave_interrupts_to_the_pager(&self) {
        // If signals cannot be watched, an interrupt ends this process, which is acceptable.
        if self.watch().is_ok() {
            self.lock().has_pager = true;
        }
    }

    fn on_signal(&self, signal: i32) {
        let mut state = self.lock();
        match signal {
            SIGTSTP if !state.listeners.iter().any(|listener| listener.is_live) => {
                drop(state);
                // It can only fail for signals that do not exist.
                let _: io::Result<()> = emulate_default_handler(SIGTSTP);
            }
            SIGTSTP | SIGWINCH => state.tell_live(signal),
            SIGINT | SIGQUIT if state.has_pager => {}
            _ => self.end_all(&mut state, signal),
        }
    }

    /// Passes on a signal that asks to end.
    fn end_all(&self, state: &mut State, signal: i32) {
        state.received.get_or_insert(signal);
        let mut is_received = false;
        for running in &state.running {
            is_received |= send(running.group, signal);
            if running.purpose == Purpose::Captured {
                let (processes, id) = (self.clone(), running.id);
                after(TO_END, move || {
                    let state = processes.lock();
                    state.running.iter().filter(|running| running.id == id).for_each(Running::kill);
                });
            }
        }
        state.tell(signal);
        if is_received {
            return;
        }
        if state.running.is_empty() {
            if state.listeners.is_empty() {
                state.end(signal);
            }
            return;
        }
        // The programs have ended, and so does their display, unless nobody reads what it writes.
        if std::mem::replace(&mut state.is_ending, true) {
            state.end(signal);
        }
        let processes = self.clone();
        after(TO_SHOW, move || processes.lock().end(signal));
    }

    /// Starts a program. The user's command gets the terminal if this process has it.
    pub(in crate::cli) fn start(
        &self,
        command: &mut Command,
        purpose: Purpose,
    ) -> anyhow::Result<(Child, Process)> {
        self.watch()?;
        command.process_group(0);
        // No signal arrives between the start and the note of it.
        let mut state = self.lock();
        if state.received.is_some() {
            return Err(interrupted().into());
        }
        if purpose == Purpose::Captured {
            state.borrow_terminal();
        }
        let child = command.spawn().inspect_err(|_| state.return_terminal())?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("the tool has no id")?;
        let id = state.next_id();
        state.running.push(Running { id, group, purpose, has_terminal: false });
        if purpose == Purpose::Shown {
            state.hand_over(id);
        }
        drop(state);
        Ok((child, Process { processes: self.clone(), id, group }))
    }
}

impl State {
    fn tell_live(&self, signal: i32) {
        for listener in self.listeners.iter().filter(|listener| listener.is_live) {
            // A listener that no longer receives is about to be dropped.
            let _ = listener.sender.send(signal);
        }
    }

    /// Ends this process by `signal`, and captured programs with it.
    fn end(&mut self, signal: i32) {
        self.running.iter().filter(|running| running.purpose == Purpose::Captured).for_each(Running::kill);
        self.remove_files();
        // It can only fail for signals that do not exist.
        let _: io::Result<()> = emulate_default_handler(signal);
    }

    fn hand_over(&mut self, id: usize) {
        let Some(running) = self.running.iter_mut().find(|running| running.id == id) else { return };
        running.has_terminal = is_foreground();
        if running.has_terminal {
            set_foreground(running.group);
        }
        // It may have tried to read before it had the terminal, or may have been stopped.
        send_signal(running.group, Signal::CONT);
    }

    /// Takes the terminal while a program is captured: an interrupt that is typed then must reach this process.
    fn borrow_terminal(&self) {
        if self.running.iter().any(|running| running.has_terminal) {
            set_foreground(getpgrp());
        }
    }

    fn return_terminal(&self) {
        let shown = self.running.iter().find(|running| running.has_terminal);
        if let Some(shown) = shown.filter(|shown| test_kill_process_group(shown.group).is_ok()) {
            set_foreground(shown.group);
        }
    }

    fn take_back(&mut self, id: usize) {
        let running = self.running.iter_mut().find(|running| running.id == id);
        if running.is_some_and(|running| std::mem::take(&mut running.has_terminal)) {
            set_foreground(getpgrp());
        }
    }
}

impl Running {
    fn kill(&self) {
        send_signal(self.group, Signal::KILL);
    }
}

/// A program that was started. It counts as running until this is dropped.
#[derive(Debug)]
pub(in crate::cli) struct Process {
    processes: Processes,
    id: usize,
    group: Pid,
}

/// An event of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Event {
    /// It ended with this exit code.
    Ended(u8),
    /// It was stopped.
    Stopped,
}

impl Process {
    /// Waits for an event of the program. The terminal is taken back when it ends, so that an interrupt
    /// which is typed later reaches this process.
    pub(in crate::cli) fn waiter(&self) -> impl Fn(&mut Child) -> io::Result<Event> + Send + use<> {
        let (processes, id, group) = (self.processes.clone(), self.id, self.group);
        move |_| {
            loop {
                let status = match waitpid(Some(group), WaitOptions::UNTRACED) {
                    Ok(Some((_, status))) => status,
                    Ok(None) | Err(rustix::io::Errno::INTR) => continue,
                    Err(error) => return Err(error.into()),
                };
                if status.stopped() {
                    return Ok(Event::Stopped);
                }
                if !status.continued() {
                    processes.lock().take_back(id);
                    return Ok(Event::Ended(code(ExitStatus::from_raw(status.as_raw()))));
                }
            }
        }
    }

    /// Whether processes that the program started are still ending after a signal.
    pub(in crate::cli) fn lingers(&self) -> bool {
        self.processes.received().is_some() && test_kill_process_group(self.group).is_ok()
    }

    /// Stops this process too, after the program was stopped, until the user continues both.
    pub(in crate::cli) fn suspend(&self) {
        self.processes.lock().take_back(self.id);
        // The rest of this job stops as well, as it would without tfview.
        if !is_orphaned() {
            let _ = rustix::process::kill_current_process_group(Signal::STOP);
        }
        self.processes.lock().hand_over(self.id);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut state = self.processes.lock();
        state.take_back(self.id);
        let Some(at) = state.running.iter().position(|running| running.id == self.id) else { return };
        let ended = state.running.swap_remove(at);
        if ended.purpose == Purpose::Shown {
            return;
        }
        if let Some(signal) = state.received {
            // Its own processes may ignore the signal.
            ended.kill();
            if state.running.is_empty() && state.listeners.is_empty() {
                state.end(signal);
            }
        }
        state.return_terminal();
    }
}

/// The exit code. If a signal ended the process, it is the one that shells use.
pub(in crate::cli) fn code(status: ExitStatus) -> u8 {
    if let Some(signal) = status.signal() {
        return u8::try_from(128 + signal).unwrap_or(1);
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Sends a signal to a group; false if it has ended.
fn send(group: Pid, signal: i32) -> bool {
    let signal = match signal {
        SIGINT => Signal::INT,
        SIGQUIT => Signal::QUIT,
        SIGHUP => Signal::HUP,
        _ => Signal::TERM,
    };
    kill_process_group(group, signal).is_ok()
}

fn send_signal(group: Pid, signal: Signal) {
    // If the group has just ended, the signal fails and is not needed.
    let _ = kill_process_group(group, signal);
}

/// Runs `work` later, unless the program has ended by then.
fn after(time: Duration, work: impl FnOnce() + Send + 'static) {
    thread::spawn(move || {
        thread::sleep(time);
        work();
    });
}

/// Whether this process is in the foreground of the terminal on standard input.
fn is_foreground() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
}

/// Whether there is no shell that could continue this job.
fn is_orphaned() -> bool {
    let Ok(session) = getsid(None) else { return true };
    let parent = getppid().and_then(|parent| getsid(Some(parent)).ok());
    session == getpgrp() || parent != Some(session)
}

/// Moves `group` to the foreground of the terminal.
fn set_foreground(group: Pid) {
    let mut blocked = SigSet::empty();
    blocked.add(Blocked::SIGTTOU);
    // This call stops background processes unless the signal is blocked. It fails if the terminal is closed.
    let was_blocked = blocked.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let _ = tcsetpgrp(io::stdin(), group);
    if let Ok(mask) = was_blocked {
        let _ = mask.thread_set_mask();
    }
}

/// Replaces this process by the command. Returns only if that fails.
pub(in crate::cli) fn replace(command: &mut Command) -> anyhow::Result<u8> {
    Err(anyhow!(command.exec()))
}
