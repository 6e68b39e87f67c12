//! Implements processes, signals and the terminal on Unix.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::thread;

use anyhow::anyhow;
use nix::sys::signal::{self, SigSet, SigmaskHow, Signal as Number, killpg};
use nix::unistd::{Pid, getpgrp, getppid, getsid, tcgetpgrp, tcsetpgrp};
use rustix::io::Errno;
use rustix::process::{WaitOptions, waitpid};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGTSTP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ,
};
use signal_hook::low_level::emulate_default_handler;

use super::{Processes, Signal};

/// The watch of signals, to which further signals can be added.
pub(super) type Signals = signal_hook::iterator::Handle;

/// The process group of a program.
pub(super) type Group = Pid;

/// Starts to watch signals, on a thread that lives as long as the program.
pub(super) fn watch(processes: Processes) -> io::Result<Signals> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
    let handle = signals.handle();
    thread::spawn(move || {
        for number in &mut signals {
            let state = processes.lock();
            let is_live = state.listeners().any(|listener| listener.is_live);
            match number {
                SIGTSTP if is_live => state.tell(Signal::Stop),
                SIGTSTP => {
                    drop(state);
                    stop();
                }
                SIGWINCH => state.tell(Signal::Resize),
                SIGINT | SIGQUIT if state.has_pager => {}
                SIGTERM => processes.on_end(state, number, Signal::Terminate),
                _ => processes.on_end(state, number, Signal::Interrupt),
            }
        }
    });
    Ok(handle)
}

/// Watches the signals that concern the screen, too: a stop from the terminal, a change of its size, and each signal
/// that would end the program without restoring the terminal. Those of faults of the program itself (`SIGSEGV`, `SIGILL`,
/// `SIGFPE`) cannot be watched.
pub(super) fn watch_screen(signals: &Signals) -> io::Result<()> {
    const WATCHED: [i32; 14] = [
        SIGTSTP, SIGWINCH, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO,
        SIGABRT, SIGBUS, SIGTRAP, SIGSYS,
    ];
    WATCHED
        .into_iter()
        .try_for_each(|signal| signals.add_signal(signal))?;
    // Those of Linux without a name: a system that does not have one of them needs no handler for it.
    if cfg!(target_os = "linux") {
        for signal in [SIGSTKFLT, SIGPWR].into_iter().chain(REAL_TIME) {
            let _: io::Result<()> = signals.add_signal(signal);
        }
    }
    Ok(())
}

/// The numbers of two signals of Linux.
const SIGSTKFLT: i32 = 16;
const SIGPWR: i32 = 30;
/// The real-time signals of Linux that programs may use.
const REAL_TIME: std::ops::RangeInclusive<i32> = 34..=64;

/// Stops this process. Returns when the user continues it.
pub(in crate::cli) fn stop() {
    end(SIGTSTP);
}

/// Ends or stops the program as the signal does without a handler.
#[expect(
    clippy::exit,
    reason = "nothing can be returned to from here: the program was asked to end"
)]
pub(super) fn end(number: i32) {
    if emulate_default_handler(number).is_err() {
        // It has no default here, as real-time signals have none: end with the exit code that shells give it.
        std::process::exit(128 + number);
    }
}

pub(super) fn set_own_group(command: &mut Command) {
    command.process_group(0);
}

pub(super) fn group(child: &Child) -> Option<Group> {
    i32::try_from(child.id()).ok().map(Pid::from_raw)
}

/// Sends a signal to a process group. Returns false if the group has ended.
pub(super) fn send(group: Group, number: i32) -> bool {
    killpg(group, Number::try_from(number).unwrap_or(Number::SIGTERM)).is_ok()
}

pub(super) fn kill(group: Group) {
    send(group, Number::SIGKILL as i32);
}

pub(super) fn resume(group: Group) {
    send(group, Number::SIGCONT as i32);
}

pub(super) fn is_running(group: Group) -> bool {
    killpg(group, None).is_ok()
}

/// Waits until the program ends, and returns its exit code. If a signal n ended it, the code is 128 + n as in shells,
/// even for a signal without a name, such as a real-time signal. Returns `None` if the program was stopped.
pub(super) fn wait(group: Group, _: &mut Child) -> io::Result<Option<u8>> {
    let child = rustix::process::Pid::from_raw(group.as_raw());
    loop {
        let status = match waitpid(child, WaitOptions::UNTRACED) {
            Ok(Some((_, status))) => status,
            Ok(None) | Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        };
        if let Some(code) = status.exit_status() {
            return Ok(Some(u8::try_from(code).unwrap_or(1)));
        }
        if let Some(number) = status.terminating_signal() {
            return Ok(Some(u8::try_from(128 + number).unwrap_or(1)));
        }
        if status.stopped() {
            return Ok(None);
        }
    }
}

/// Suspends the whole job, as the terminal does. Does nothing if no shell could continue it.
pub(super) fn suspend() {
    let session = getsid(None).ok();
    // In a container, the parent may be outside and have the number 0, which would mean this process.
    let parent = Some(getppid()).filter(|parent| parent.as_raw() > 0);
    let parent = parent.and_then(|parent| getsid(Some(parent)).ok());
    if session.is_some() && session != Some(getpgrp()) && parent == session {
        let _ = signal::kill(Pid::from_raw(0), Number::SIGSTOP);
    }
}

pub(super) fn is_foreground() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
}

pub(super) fn take_foreground() {
    set_foreground(getpgrp());
}

/// Puts a process group into the foreground of the terminal.
pub(super) fn set_foreground(group: Group) {
    let mut blocked = SigSet::empty();
    blocked.add(Number::SIGTTOU);
    // Without blocking the signal, this call would stop a background process. It fails if the terminal is closed.
    let was_blocked = blocked.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let _ = tcsetpgrp(io::stdin(), group);
    if let Ok(mask) = was_blocked {
        let _ = mask.thread_set_mask();
    }
}

/// Replaces this process with a program. Returns only if that fails.
pub(in crate::cli) fn replace(command: &mut Command) -> anyhow::Result<u8> {
    Err(anyhow!(command.exec()))
}
