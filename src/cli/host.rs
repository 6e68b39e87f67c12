//! The input and output of every subcommand: environment, streams, outcome.

use std::io::{self, BufRead, Cursor, Read};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::environment::{Environment, Terminal};
use super::message;
use super::processes::Processes;
use crate::term::ci::harmless;
use crate::term::{Out, Untrusted};

/// The environment of a subcommand.
#[derive(Debug)]
pub struct Host {
    /// The environment variables.
    pub environment: Environment,
    /// The standard streams.
    pub terminal: Terminal,
    /// The beginning of standard input, read to detect its kind.
    begun: Mutex<Vec<u8>>,
    /// The programs that are started.
    pub(super) processes: Processes,
}

impl Host {
    /// Reads the environment of the process.
    pub fn read() -> Self {
        // An old console that cannot show styles shows their codes; it has no other way to be asked.
        #[cfg(windows)]
        let _ = anstyle_query::windows::enable_ansi_colors();
        Self {
            environment: Environment::read(),
            terminal: Terminal::read(),
            begun: Mutex::default(),
            processes: Processes::default(),
        }
    }

    /// Standard input, from its beginning.
    pub fn stdin(&self) -> Box<dyn Read + Send> {
        let begun = std::mem::take(&mut *self.begun.lock().unwrap_or_else(PoisonError::into_inner));
        if begun.is_empty() { Box::new(io::stdin()) } else { Box::new(Cursor::new(begun).chain(io::stdin())) }
    }

    /// Reads standard input until `decide` returns a result, or up to `limit` bytes. [`Host::stdin`]
    /// returns these bytes again.
    pub(super) fn peek<T>(&self, limit: usize, decide: impl Fn(&[u8]) -> Option<T>) -> io::Result<Option<T>> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stdin = io::stdin().lock();
        while begun.len() < limit {
            let bytes = stdin.fill_buf()?;
            let length = bytes.len();
            if length == 0 {
                break;
            }
            begun.extend_from_slice(bytes);
            stdin.consume(length);
            if let Some(decided) = decide(&begun) {
                return Ok(Some(decided));
            }
        }
        Ok(None)
    }

    /// Writes a text to standard error: a message of tfview, or the standard error of a tool.
    pub fn say(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        let mut out = Out::new(&mut stderr, false);
        // Messages contain file names and parts of the input, so the whole text is untrusted, also for CI
        // systems, whose logs may be written in a container that does not know of them. If standard error is
        // closed, it cannot be shown.
        let text = harmless(text);
        let _: io::Result<()> =
            out.data(Untrusted(&text)).and_then(|()| out.lit("\n")).and_then(|()| out.flush());
    }

    /// The seconds since the Unix epoch.
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line reads the clock, for the folds of CI systems"
    )]
    pub fn seconds(&self) -> u64 {
        // A clock set before 1970 is not used.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    /// The time of a review, in seconds since the Unix epoch: `SOURCE_DATE_EPOCH`, for reproducible output,
    /// otherwise that of the clock.
    pub fn now(&self) -> u64 {
        self.environment.source_date_epoch.unwrap_or_else(|| self.seconds())
    }

    /// Reports an error with its causes.
    pub fn report(&self, error: &anyhow::Error) {
        self.error(&message::chain(error));
    }

    /// Reports an error.
    pub fn error(&self, text: &str) {
        self.message("error", text);
    }

    /// Reports that something requested is left out.
    pub fn warning(&self, text: &str) {
        self.message("warning", text);
    }

    /// Writes a note.
    pub fn note(&self, text: &str) {
        self.message("note", text);
    }

    fn message(&self, label: &str, text: &str) {
        self.say(&message::message(label, text, self.terminal.stderr_columns));
    }
}

/// The outcome of a subcommand, unless it ends with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Success.
    Fine,
    /// The run failed. (Errors of tfview have the same exit code.)
    Failed,
    /// There are changes, with `--detailed-exitcode`.
    Changes,
    /// A `--fail-on` condition holds.
    Gate,
    /// The tool that was run ended with this code.
    Tool(u8),
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Fine => Self::SUCCESS,
            Outcome::Failed => Self::from(1),
            Outcome::Changes => Self::from(2),
            Outcome::Gate => Self::from(3),
            Outcome::Tool(code) => Self::from(code),
        }
    }
}
