//! A pseudo-terminal for the binary, with nothing but Rust: this test program starts itself once more,
//! makes the terminal its own, and becomes the binary.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// How long nothing may happen before a test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// The variable that holds the arguments, separated.
const ARGUMENTS: &str = "TFVIEW_PTY_ARGUMENTS";
const SEPARATOR: &str = "\u{1f}";

/// What the part of a test that becomes the binary says before it does.
const READY: &str = "pty-ready\r\n";

/// The binary on a terminal of its own.
pub(crate) struct OnTerminal {
    child: Child,
    terminal: File,
    output: Receiver<Vec<u8>>,
    seen: String,
    looked_at: usize,
}

impl OnTerminal {
    /// Starts the binary with these arguments, in `folder`, with these variables.
    pub(crate) fn start(arguments: &[&str], folder: &Path, variables: &[(&str, OsString)]) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let side = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let size = rustix::termios::Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
        rustix::termios::tcsetwinsize(&side, size).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "pty::becomes_the_binary", "--ignored", "--nocapture", "--test-threads=1"])
            .env_clear()
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .env("TERM", "xterm")
            .env(ARGUMENTS, arguments.join(SEPARATOR))
            .current_dir(folder)
            .stdin(Stdio::from(side.try_clone().unwrap()))
            .stdout(Stdio::from(side.try_clone().unwrap()))
            .stderr(Stdio::from(side));
        let child = command.spawn().unwrap();
        drop(command);
        let terminal = File::from(terminal);
        let mut reader = terminal.try_clone().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The terminal reports an error when nobody has it open any more.
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut started = Self { child, terminal, output, seen: String::new(), looked_at: 0 };
        started.wait_for(READY);
        // The binary may have written something already.
        started.seen.drain(..started.looked_at);
        started.looked_at = 0;
        started
    }

    /// Waits until the screen has shown `text` after what was waited for last.
    #[expect(clippy::panic, reason = "a test that waits for nothing has failed")]
    pub(crate) fn wait_for(&mut self, text: &str) {
        loop {
            if let Some(at) = self.seen[self.looked_at..].find(text) {
                self.looked_at += at + text.len();
                return;
            }
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(error) => {
                    let _: std::io::Result<()> = self.child.kill();
                    panic!("{error}: waiting for {text:?} in {:?}", self.seen);
                }
            }
        }
    }

    /// Types `text`.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
    }

    /// The process.
    pub(crate) fn child(&self) -> &Child {
        &self.child
    }

    /// Waits for the end. Gives the exit code, and all that was on the screen.
    #[expect(clippy::panic, reason = "a test that waits for nothing has failed")]
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let _: std::io::Result<()> = self.child.kill();
                    panic!("it does not end: {:?}", self.seen);
                }
            }
        }
        (self.child.wait().unwrap().code(), self.seen.replace("\r\n", "\n"))
    }
}

/// No test, but the other half of [`OnTerminal::start`].
#[test]
#[ignore = "it is started by other tests, on a terminal"]
#[expect(clippy::disallowed_methods, reason = "its arguments come in a variable")]
fn becomes_the_binary() {
    let Some(arguments) = std::env::var_os(ARGUMENTS) else { return };
    rustix::process::setsid().unwrap();
    rustix::process::ioctl_tiocsctty(std::io::stdin()).unwrap();
    println!("pty-ready");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
    command.args(arguments.to_str().unwrap().split(SEPARATOR)).env_remove(ARGUMENTS);
    panic!("{}", command.exec());
}
