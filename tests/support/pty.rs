//! Runs the binary on a pseudo-terminal, without other programs: this test program starts itself again, makes
//! the terminal its controlling terminal, and executes the binary.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::open_terminal::{open, winsize};

/// The time without output after which a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// The variable with the arguments, joined by [`SEPARATOR`].
const ARGUMENTS: &str = "TFVIEW_PTY_ARGUMENTS";
/// The variable with the program, if it is not the one of the tests.
pub(crate) const PROGRAM: &str = "TFVIEW_PTY_PROGRAM";
const SEPARATOR: &str = "\u{1f}";

/// The text that the restarted test program prints just before it executes the binary.
const READY: &str = "pty-ready\r\n";

/// The columns and rows of a terminal at its start.
pub(crate) const SIZE: (u16, u16) = (120, 40);

/// The binary on a terminal of its own.
pub(crate) struct OnTerminal {
    /// The process.
    child: Child,
    /// The side of the terminal that the test has.
    terminal: File,
    /// What the program writes, read on a thread.
    output: Receiver<Vec<u8>>,
    /// The output so far.
    output_text: String,
    /// The offset of what no test has looked at.
    position: usize,
}

impl OnTerminal {
    /// Starts the binary with these arguments, in `folder`, with these variables.
    pub(crate) fn start(arguments: &[&str], folder: &Path, variables: &[(&str, OsString)]) -> Self {
        let (terminal, side) = open(SIZE).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                "pty::run_binary_on_terminal",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env_clear()
            .env("TERM", "xterm")
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .env(ARGUMENTS, arguments.join(SEPARATOR))
            .current_dir(folder)
            .stdin(Stdio::from(side.try_clone().unwrap()))
            .stdout(Stdio::from(side.try_clone().unwrap()))
            .stderr(Stdio::from(side));
        let child = command.spawn().unwrap();
        drop(command);
        let mut reader = terminal.try_clone().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when no process has the terminal open any more.
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut started = Self {
            child,
            terminal,
            output,
            output_text: String::new(),
            position: 0,
        };
        started.wait_for(READY);
        // The binary may have written something already.
        started.output_text.drain(..started.position);
        started.position = 0;
        started
    }

    /// Waits until `text` is printed after the text of the previous wait.
    #[expect(clippy::panic, reason = "a timeout fails the test")]
    pub(crate) fn wait_for(&mut self, text: &str) {
        loop {
            if let Some(offset) = self.output_text[self.position..].find(text) {
                self.position += offset + text.len();
                return;
            }
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.output_text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(error) => {
                    let _: std::io::Result<()> = self.child.kill();
                    panic!("{error}: waiting for {text:?} in {:?}", self.output_text);
                }
            }
        }
    }

    /// Types `text`.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
    }

    /// Changes the size of the terminal, in columns and rows.
    pub(crate) fn resize(&mut self, size: (u16, u16)) {
        rustix::termios::tcsetwinsize(&self.terminal, winsize(size)).unwrap();
    }

    /// What was printed since the last call, after waiting for it; `None` after the end of the process.
    #[expect(clippy::panic, reason = "a timeout fails the test")]
    pub(crate) fn printed(&mut self) -> Option<Vec<u8>> {
        if self.position < self.output_text.len() {
            let printed = self.output_text.as_bytes()[self.position..].to_vec();
            self.position = self.output_text.len();
            return Some(printed);
        }
        match self.output.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                self.output_text.push_str(&String::from_utf8_lossy(&bytes));
                self.position = self.output_text.len();
                Some(bytes)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => {
                let _: std::io::Result<()> = self.child.kill();
                panic!("nothing is printed any more: {:?}", self.output_text);
            }
        }
    }

    /// Whether something is printed within `wait`.
    #[allow(dead_code, reason = "only measurements wait for the end of an answer")]
    pub(crate) fn prints_within(&mut self, wait: Duration) -> bool {
        let printed = self.output.recv_timeout(wait);
        if let Ok(bytes) = &printed {
            self.output_text.push_str(&String::from_utf8_lossy(bytes));
            self.position = self.output_text.len();
        }
        printed.is_ok()
    }

    /// Whether the terminal shows what is typed and reads lines, as shells and most programs expect.
    pub(crate) fn is_as_shells_expect(&self) -> bool {
        use rustix::termios::LocalModes;
        let modes = rustix::termios::tcgetattr(&self.terminal)
            .unwrap()
            .local_modes;
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// The process.
    pub(crate) fn child(&self) -> &Child {
        &self.child
    }

    /// Waits for the end of the process. Returns the exit code, and everything it printed.
    #[expect(clippy::panic, reason = "a timeout fails the test")]
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.output_text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let _: std::io::Result<()> = self.child.kill();
                    panic!("the process does not end: {:?}", self.output_text);
                }
            }
        }
        (
            self.child.wait().unwrap().code(),
            self.output_text.replace("\r\n", "\n"),
        )
    }
}

/// Executes the binary on a new terminal. Not a test, but the second half of [`OnTerminal::start`].
#[test]
#[ignore = "started by other tests on a terminal"]
#[expect(clippy::disallowed_methods, reason = "its arguments are in a variable")]
fn run_binary_on_terminal() {
    let Some(arguments) = std::env::var_os(ARGUMENTS) else {
        return;
    };
    rustix::process::setsid().unwrap();
    rustix::process::ioctl_tiocsctty(std::io::stdin()).unwrap();
    println!("pty-ready");
    let built = || env!("CARGO_BIN_EXE_tfview").into();
    let mut command = Command::new(std::env::var_os(PROGRAM).unwrap_or_else(built));
    command
        .env_remove(PROGRAM)
        .args(arguments.to_str().unwrap().split(SEPARATOR))
        .env_remove(ARGUMENTS);
    panic!("{}", command.exec());
}
