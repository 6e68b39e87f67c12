//! The process of the tool: its group, the terminal, signals, its end.
//!
//! Invariants: the tool has its own process group, so that signals reach all processes that it started and
//! no others. On a terminal, that group is in the foreground, as with a shell, and this process takes the
//! terminal back when the group ends or stops. The display ends with the tool; after a signal, it ends with
//! the whole group.

use std::ffi::OsString;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;

use anyhow::{Context, anyhow};

use crate::cli::choices::RunFormat;
use crate::cli::driver::{Control, OnSignal};
use crate::cli::values::OutFile;
use crate::cli::{Host, programs};

/// Builds the command for these words.
pub(super) fn command(words: &[OsString], host: &Host) -> anyhow::Result<Command> {
    let (tool, rest) = words.split_first().context("there is no command to run")?;
    let program = programs::find(tool, &host.environment).with_context(|| {
        format!(
            "starting {}: it is not in PATH (directories that are not absolute are not searched)",
            tool.display()
        )
    })?;
    let mut command = Command::new(program);
    command.args(rest);
    Ok(command)
}

/// Starts `command`.
pub(super) fn spawn(command: &mut Command, words: &[OsString]) -> anyhow::Result<Child> {
    let name = words.first().map(|word| word.display().to_string()).unwrap_or_default();
    command.spawn().with_context(|| format!("starting {name}"))
}

/// Replaces this process by the command, or waits for it on platforms without `exec`. Returns the exit code.
pub(super) fn run_untouched(
    words: &[OsString],
    outs: &[OutFile<RunFormat>],
    host: &Host,
) -> anyhow::Result<u8> {
    for out in outs {
        host.note(&format!("no page is written to {}: the command runs untouched", out.path.display()));
    }
    let mut command = command(words, host)?;
    #[cfg(unix)]
    {
        let error = std::os::unix::process::CommandExt::exec(&mut command);
        let name = words.first().map(|word| word.display().to_string()).unwrap_or_default();
        Err(anyhow!(error).context(format!("starting {name}")))
    }
    #[cfg(not(unix))]
    {
        let status = command.status().map_err(|error| anyhow!(error)).context("running the command")?;
        Ok(code(status))
    }
}

/// Runs the command with inherited standard streams. Returns the exit code.
#[cfg(unix)]
pub(super) fn run_inherited(command: &mut Command, words: &[OsString]) -> anyhow::Result<u8> {
    prepare(command);
    let mut signals = signal_hook::iterator::Signals::new(SIGNALS).context("preparing to receive signals")?;
    let mut child = spawn(command, words)?;
    let mut process = Process::new(&child)?;
    let handle = signals.handle();
    let mut forwarder = process.forwarder();
    let forwarding = std::thread::spawn(move || {
        for signal in signals.forever() {
            forwarder.on_signal(signal);
        }
    });
    let code = loop {
        match Process::wait(&mut child) {
            Ok(Event::Stopped) => process.suspend(),
            Ok(Event::Ended(code)) => break Ok(code),
            Err(error) => break Err(error),
        }
    };
    process.release();
    handle.close();
    // The thread has ended, or has panicked, which has been reported.
    let _ = forwarding.join();
    code.context("waiting for the tool")
}

/// Runs the command with inherited standard streams. Returns the exit code.
#[cfg(not(unix))]
pub(super) fn run_inherited(command: &mut Command, words: &[OsString]) -> anyhow::Result<u8> {
    let name = words.first().map(|word| word.display().to_string()).unwrap_or_default();
    let status = command.status().with_context(|| format!("starting {name}"))?;
    Ok(code(status))
}

/// The signals that ask a program to end.
#[cfg(unix)]
pub(super) const SIGNALS: [i32; 4] = [
    signal_hook::consts::SIGINT,
    signal_hook::consts::SIGTERM,
    signal_hook::consts::SIGHUP,
    signal_hook::consts::SIGQUIT,
];

/// Records signals that arrive while no tool is running.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending(Arc<AtomicBool>);

impl Pending {
    /// Installs handlers, so that termination signals do not end this process before it has cleaned up.
    pub(super) fn watch() -> anyhow::Result<Self> {
        let pending = Self::default();
        #[cfg(unix)]
        for signal in SIGNALS {
            signal_hook::flag::register(signal, Arc::clone(&pending.0))
                .context("preparing to receive signals")?;
        }
        Ok(pending)
    }

    /// Whether a signal has arrived.
    pub(super) fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The exit code. If a signal ended the process, it is the one that shells use.
pub(super) fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(1);
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// An event of the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// It ended with this exit code.
    Ended(u8),
    /// It was stopped.
    #[cfg(unix)]
    Stopped,
}

/// A running tool.
#[derive(Debug)]
pub(super) struct Process {
    #[cfg(unix)]
    group: rustix::process::Pid,
    #[cfg(unix)]
    has_terminal: bool,
    signalled: bool,
}

#[cfg(unix)]
mod unix {
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    use nix::sys::signal::{SigSet, Signal as Blocked};
    use rustix::process::{Pid, Signal, WaitOptions, getpgrp, getppid, getsid, kill_process_group, waitpid};
    use rustix::termios::{tcgetpgrp, tcsetpgrp};

    use super::*;

    /// Gives the tool its own process group.
    pub(in crate::cli::run) fn prepare(command: &mut Command) {
        command.process_group(0);
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
        // This call stops background processes unless the signal is blocked. It fails if the terminal is
        // closed.
        let was_blocked = blocked.thread_swap_mask(nix::sys::signal::SigmaskHow::SIG_BLOCK);
        let _ = tcsetpgrp(io::stdin(), group);
        if let Ok(mask) = was_blocked {
            let _ = mask.thread_set_mask();
        }
    }

    impl Process {
        /// The process of `child`.
        pub(in crate::cli::run) fn new(child: &Child) -> anyhow::Result<Self> {
            let group =
                i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("the tool has no id")?;
            let mut process = Self { group, has_terminal: false, signalled: false };
            process.hand_over();
            Ok(process)
        }

        /// A handle that forwards signals to the same group, without the terminal.
        pub(super) fn forwarder(&self) -> Self {
            Self { group: self.group, has_terminal: false, signalled: false }
        }

        fn hand_over(&mut self) {
            self.has_terminal = is_foreground();
            if self.has_terminal {
                set_foreground(self.group);
            }
            // It may have tried to read before it had the terminal, or may have been stopped.
            let _ = kill_process_group(self.group, Signal::CONT);
        }

        /// Takes the terminal back.
        pub(in crate::cli::run) fn release(&mut self) {
            if std::mem::take(&mut self.has_terminal) {
                set_foreground(getpgrp());
            }
        }

        /// Waits for an event of the tool.
        pub(in crate::cli::run) fn wait(child: &mut Child) -> io::Result<Event> {
            let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            loop {
                let status = match waitpid(id, WaitOptions::UNTRACED) {
                    Ok(Some((_, status))) => status,
                    Ok(None) | Err(rustix::io::Errno::INTR) => continue,
                    Err(error) => return Err(error.into()),
                };
                if status.stopped() {
                    return Ok(Event::Stopped);
                }
                if !status.continued() {
                    return Ok(Event::Ended(code(ExitStatus::from_raw(status.as_raw()))));
                }
            }
        }
    }

    impl Control for Process {
        fn on_signal(&mut self, signal: i32) -> OnSignal {
            let signal = match signal {
                signal_hook::consts::SIGINT => Signal::INT,
                signal_hook::consts::SIGQUIT => Signal::QUIT,
                signal_hook::consts::SIGTERM => Signal::TERM,
                signal_hook::consts::SIGHUP => Signal::HUP,
                _ => return OnSignal::Ignore,
            };
            self.signalled = true;
            // If the group has just ended, the signal fails and is not needed.
            let _ = kill_process_group(self.group, signal);
            OnSignal::Ignore
        }

        fn lingers(&mut self) -> bool {
            self.signalled && rustix::process::test_kill_process_group(self.group).is_ok()
        }

        fn suspend(&mut self) {
            self.release();
            // The rest of this job stops as well, as it would without tfview.
            if !is_orphaned() {
                let _ = rustix::process::kill_current_process_group(Signal::STOP);
            }
            self.hand_over();
        }
    }
}

#[cfg(unix)]
pub(super) use unix::prepare;

/// On other platforms, the console sends interrupts to all of its processes.
#[cfg(not(unix))]
pub(super) fn prepare(_: &mut Command) {}

#[cfg(not(unix))]
impl Process {
    pub(super) fn new(_: &Child) -> anyhow::Result<Self> {
        Ok(Self { signalled: false })
    }

    pub(super) fn release(&mut self) {}

    pub(super) fn wait(child: &mut Child) -> io::Result<Event> {
        Ok(Event::Ended(code(child.wait()?)))
    }
}

#[cfg(not(unix))]
impl Control for Process {
    fn on_signal(&mut self, _: i32) -> OnSignal {
        self.signalled = true;
        OnSignal::Ignore
    }
}

/// Receives the exit code from the waiting thread.
pub(super) fn ended(code: &Receiver<io::Result<u8>>) -> anyhow::Result<u8> {
    code.recv()
        .map_err(|error| anyhow!(error))
        .context("waiting for the tool")?
        .context("waiting for the tool")
}
