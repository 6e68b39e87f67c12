//! Other platforms, where the console sends interrupts to all of its processes.

use std::io;
use std::process::{Child, Command, ExitStatus};

#[cfg(windows)]
use anyhow::Context;

use super::{Processes, Purpose, State, interrupted};

/// The source of signals.
#[derive(Debug)]
pub(super) struct Signals;

/// A program that runs.
#[derive(Debug)]
pub(super) struct Running {
    id: usize,
}

impl Processes {
    /// Watches Ctrl-C from now on. The console sends it to all of its processes: a tool ends in its own way,
    /// and its display must not end before it.
    pub(super) fn watch(&self) -> anyhow::Result<()> {
        if self.lock().signals.is_some() {
            return Ok(());
        }
        #[cfg(windows)]
        {
            let processes = self.clone();
            ctrlc::set_handler(move || processes.lock().interrupt())
                .context("preparing to receive Ctrl-C")?;
        }
        self.lock().signals = Some(Signals);
        Ok(())
    }

    pub(super) fn watch_screen(&self) -> anyhow::Result<()> {
        Ok(())
    }

    /// The pager would inherit the handler.
    pub(in crate::cli) fn leave_interrupts_to_the_pager(&self) {}

    /// Starts a program.
    pub(in crate::cli) fn start(
        &self,
        command: &mut Command,
        _: Purpose,
    ) -> anyhow::Result<(Child, Process)> {
        self.watch()?;
        let mut state = self.lock();
        if state.received.is_some() {
            return Err(interrupted().into());
        }
        let child = command.spawn()?;
        let id = state.next_id();
        state.running.push(Running { id });
        drop(state);
        Ok((child, Process { processes: self.clone(), id }))
    }
}

impl State {
    #[cfg(windows)]
    #[expect(clippy::exit, reason = "nothing runs that could end the program in another way")]
    fn interrupt(&mut self) {
        /// The signal that Ctrl-C is on other systems.
        const INTERRUPT: i32 = 2;
        if self.has_pager {
            return;
        }
        self.received.get_or_insert(INTERRUPT);
        self.tell(INTERRUPT);
        if self.running.is_empty() && self.listeners.is_empty() {
            self.remove_files();
            std::process::exit(128 + INTERRUPT);
        }
    }
}

/// A program that was started. It counts as running until this is dropped.
#[derive(Debug)]
pub(in crate::cli) struct Process {
    processes: Processes,
    id: usize,
}

/// An event of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Event {
    /// It ended with this exit code.
    Ended(u8),
}

impl Process {
    /// Waits for the end of the program.
    pub(in crate::cli) fn waiter(&self) -> impl Fn(&mut Child) -> io::Result<Event> + Send + use<> {
        |child: &mut Child| Ok(Event::Ended(code(child.wait()?)))
    }

    /// Nothing is known about the processes that the program started.
    pub(in crate::cli) fn lingers(&self) -> bool {
        false
    }

    /// Programs are not stopped.
    pub(in crate::cli) fn suspend(&self) {}
}

impl Drop for Process {
    fn drop(&mut self) {
        self.processes.lock().running.retain(|running| running.id != self.id);
    }
}

/// The exit code.
pub(in crate::cli) fn code(status: ExitStatus) -> u8 {
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Runs the command instead of this process. Returns its exit code.
pub(in crate::cli) fn replace(command: &mut Command) -> anyhow::Result<u8> {
    Ok(code(command.status()?))
}
