//! Implements processes and signals on systems other than Unix. There, the console sends interrupts to all of its
//! processes: a tool ends in its own way, and its display must not end before it.

use std::io;
use std::process::{Child, Command};

use super::Processes;

/// The number of an interrupt, as on Unix.
#[cfg(windows)]
const INTERRUPT: i32 = 2;

/// The watch of signals, which needs no data here.
pub(super) type Signals = ();

/// The process group of a program, which does not exist here.
pub(super) type Group = ();

#[cfg_attr(
    not(windows),
    expect(clippy::needless_pass_by_value, reason = "there are no signals")
)]
pub(super) fn watch(processes: Processes) -> io::Result<Signals> {
    #[cfg(windows)]
    ctrlc::set_handler(move || {
        processes.on_end(processes.lock(), INTERRUPT, super::Signal::Interrupt)
    })
    .map_err(io::Error::other)?;
    #[cfg(not(windows))]
    let _ = processes;
    Ok(())
}

#[expect(
    clippy::exit,
    reason = "nothing runs that could end the program in another way"
)]
pub(super) fn end(number: i32) {
    std::process::exit(128 + number);
}

/// Returns true: the console has already sent the signal to the program.
pub(super) fn send(_: Group, _: i32) -> bool {
    true
}

pub(super) fn group(_: &Child) -> Option<Group> {
    Some(())
}

pub(super) fn wait(_: Group, child: &mut Child) -> io::Result<Option<u8>> {
    let code = child
        .wait()?
        .code()
        .and_then(|code| u8::try_from(code).ok());
    Ok(Some(code.unwrap_or(1)))
}

pub(in crate::cli) fn replace(command: &mut Command) -> anyhow::Result<u8> {
    let code = command
        .status()?
        .code()
        .and_then(|code| u8::try_from(code).ok());
    Ok(code.unwrap_or(1))
}

pub(super) fn watch_screen((): &Signals) -> io::Result<()> {
    Ok(())
}

pub(super) fn is_running(_: Group) -> bool {
    false
}

pub(super) fn is_foreground() -> bool {
    false
}

pub(in crate::cli) fn stop() {}
pub(super) fn set_own_group(_: &mut Command) {}
pub(super) fn kill(_: Group) {}
pub(super) fn resume(_: Group) {}
pub(super) fn suspend() {}
pub(super) fn take_foreground() {}
pub(super) fn set_foreground(_: Group) {}
