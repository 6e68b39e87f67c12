//! Signals, process groups and the terminal on Unix.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::thread;

use anyhow::anyhow;
use nix::sys::signal::{SigSet, SigmaskHow, Signal as Blocked};
use rustix::process::{
    Pid, Signal as Number, WaitOptions, getpgrp, getppid, getsid, kill_current_process_group,
    kill_process_group, test_kill_process_group, waitpid,
};
use rustix::termios::{tcgetpgrp, tcsetpgrp};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::low_level::emulate_default_handler;

use super::{Processes, Signal};

pub(super) type Signals = signal_hook::iterator::Handle;

pub(super) type Group = Pid;

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

pub(super) fn watch_screen(signals: &Signals) -> io::Result<()> {
    [SIGTSTP, SIGWINCH]
        .into_iter()
        .try_for_each(|signal| signals.add_signal(signal))
}

/// Returns when the user continues this process.
pub(in crate::cli) fn stop() {
    end(SIGTSTP);
}

/// Does what the signal does without a handler.
pub(super) fn end(number: i32) {
    let _: io::Result<()> = emulate_default_handler(number);
}

pub(super) fn set_own_group(command: &mut Command) {
    command.process_group(0);
}

pub(super) fn group(child: &Child) -> Option<Group> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// False if the group has ended.
pub(super) fn send(group: Group, number: i32) -> bool {
    kill_process_group(
        group,
        Number::from_named_raw(number).unwrap_or(Number::TERM),
    )
    .is_ok()
}

pub(super) fn kill(group: Group) {
    send(group, Number::KILL.as_raw());
}

pub(super) fn resume(group: Group) {
    send(group, Number::CONT.as_raw());
}

pub(super) fn is_running(group: Group) -> bool {
    test_kill_process_group(group).is_ok()
}

/// `None` if the program was stopped.
pub(super) fn wait(group: Group, _: &mut Child) -> io::Result<Option<u8>> {
    loop {
        match waitpid(Some(group), WaitOptions::UNTRACED) {
            Ok(Some((_, status))) if status.stopped() => return Ok(None),
            Ok(Some((_, status))) if !status.continued() => {
                let status = ExitStatus::from_raw(status.as_raw());
                // If a signal ended the process, the code is the one that shells use.
                let code = status
                    .signal()
                    .map_or(status.code(), |signal| Some(128 + signal));
                return Ok(Some(
                    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
                ));
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Does nothing if there is no shell that could continue the job.
pub(super) fn suspend() {
    let session = getsid(None).ok();
    let parent = getppid().and_then(|parent| getsid(Some(parent)).ok());
    if session.is_some() && session != Some(getpgrp()) && parent == session {
        let _ = kill_current_process_group(Number::STOP);
    }
}

pub(super) fn is_foreground() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp())
}

pub(super) fn take_foreground() {
    set_foreground(getpgrp());
}

pub(super) fn set_foreground(group: Group) {
    let mut blocked = SigSet::empty();
    blocked.add(Blocked::SIGTTOU);
    // This call stops background processes unless the signal is blocked. It fails if the terminal is closed.
    let was_blocked = blocked.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let _ = tcsetpgrp(io::stdin(), group);
    if let Ok(mask) = was_blocked {
        let _ = mask.thread_set_mask();
    }
}

/// Returns only if that fails.
pub(in crate::cli) fn replace(command: &mut Command) -> anyhow::Result<u8> {
    Err(anyhow!(command.exec()))
}
