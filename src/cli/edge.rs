//! What every subcommand is given, and what it gives back.

use std::io::{self, BufRead, Cursor, Read};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::environment::{Environment, Terminal};
use super::message::{self, Level};
use crate::term::ci::harmless;
use crate::term::{Out, Untrusted};

/// The surroundings of a subcommand.
#[derive(Debug)]
pub struct Edge {
    /// The variables.
    pub environment: Environment,
    /// The standard streams.
    pub terminal: Terminal,
    /// What has been read of standard input to find out what it is.
    begun: Mutex<Vec<u8>>,
}

impl Edge {
    /// The process's own.
    pub fn read() -> Self {
        Self { environment: Environment::read(), terminal: Terminal::read(), begun: Mutex::default() }
    }

    /// Standard input, from its beginning.
    pub fn stdin(&self) -> Box<dyn Read + Send> {
        let begun = std::mem::take(&mut *self.begun.lock().unwrap_or_else(PoisonError::into_inner));
        if begun.is_empty() { Box::new(io::stdin()) } else { Box::new(Cursor::new(begun).chain(io::stdin())) }
    }

    /// Reads standard input until `decide` knows what it is, or `limit` bytes have come. What was read is
    /// read again by [`Edge::stdin`].
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

    /// Writes a text on standard error: a message of our own, or what a tool wrote there.
    pub fn say(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        let mut out = Out::new(&mut stderr, false);
        // Messages contain file names and pieces of the input, so all of the text is untrusted, and a CI
        // system reads it. If standard error is closed, the note cannot be shown.
        let safe = self.environment.ci.map(|_| harmless(text));
        let text = safe.as_deref().unwrap_or(text);
        let _: io::Result<()> =
            out.data(Untrusted(text)).and_then(|()| out.lit("\n")).and_then(|()| out.flush());
    }

    /// The seconds since 1970.
    #[expect(clippy::disallowed_methods, reason = "the edge reads the clock, for the folds of CI systems")]
    pub fn seconds(&self) -> u64 {
        // A clock set before 1970 is not used.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    /// The time of a review, in seconds since 1970: the clock's, unless `SOURCE_DATE_EPOCH` says another one, for
    /// outputs that can be made again.
    pub fn now(&self) -> u64 {
        self.environment.source_date_epoch.unwrap_or_else(|| self.seconds())
    }

    /// Reports an error with its causes.
    pub fn report(&self, error: &anyhow::Error) {
        self.error(&message::chain(error));
    }

    /// Reports an error.
    pub fn error(&self, text: &str) {
        self.message(Level::Error, text);
    }

    /// Reports something that was asked for and is left out.
    pub fn warning(&self, text: &str) {
        self.message(Level::Warning, text);
    }

    /// Reports something to know.
    pub fn note(&self, text: &str) {
        self.message(Level::Note, text);
    }

    fn message(&self, level: Level, text: &str) {
        self.say(&message::message(level, text, self.terminal.stderr_columns));
    }
}

/// How a subcommand ended, when no error stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All is well.
    Fine,
    /// The run that was shown failed. (An error of ours is one too.)
    Failed,
    /// There are changes, and `--detailed-exitcode` asks for them to be told.
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
