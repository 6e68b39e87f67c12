//! Gives every subcommand its input and output.
//!
//! Invariant: each note and each warning is written once.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Cursor, Read};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::messages::{chain, first_names, message};
use super::processes::Processes;
use super::settings::{Environment, Terminal};
use crate::term::ci::harmless;
use crate::term::{Out, Untrusted};

/// The parts of the machine that subcommands use: the environment, the streams and the processes.
#[derive(Debug)]
pub struct Host {
    /// The environment variables, read once.
    pub environment: Environment,
    /// The kinds of the standard streams, read once.
    pub terminal: Terminal,
    /// The bytes of standard input that were peeked at and not consumed.
    begun: Mutex<Vec<u8>>,
    /// The notes, warnings and errors that were written.
    noted: Mutex<BTreeSet<String>>,
    /// The programs that run, and the signals that were received.
    pub(super) processes: Processes,
}

impl Host {
    /// Reads the environment and the terminal.
    pub fn read() -> Self {
        // This asks the console to show styles. There is no other way to ask it, and an old one that cannot show them
        // shows their codes.
        #[cfg(windows)]
        let _ = anstyle_query::windows::enable_ansi_colors();
        Self {
            environment: Environment::read(),
            terminal: Terminal::read(),
            begun: Mutex::default(),
            noted: Mutex::default(),
            processes: Processes::default(),
        }
    }

    /// Returns standard input from its beginning: the bytes that were peeked at come first.
    pub fn stdin(&self) -> Box<dyn Read + Send> {
        let begun = std::mem::take(&mut *self.begun.lock().unwrap_or_else(PoisonError::into_inner));
        if begun.is_empty() {
            Box::new(io::stdin())
        } else {
            Box::new(Cursor::new(begun).chain(io::stdin()))
        }
    }

    /// Reads standard input until `decide` returns a result, or up to `limit` bytes. [`Host::stdin`] returns these
    /// bytes again.
    pub(super) fn peek<T>(
        &self,
        limit: usize,
        decide: impl Fn(&[u8]) -> Option<T>,
    ) -> io::Result<Option<T>> {
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

    /// Writes a line to standard error. An error of writing is ignored, because there is no other place to report it.
    pub fn say(&self, text: &str) {
        let mut stderr = io::stderr().lock();
        let mut out = Out::new(&mut stderr, false);
        // Messages contain file names and parts of the input, so that all of a message is untrusted, for CI systems
        // too.
        let text = harmless(text);
        let _: io::Result<()> = out
            .data(Untrusted(&text))
            .and_then(|()| out.lit("\n"))
            .and_then(|()| out.flush());
    }

    /// Returns the seconds since 1970 by the clock of the machine.
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line reads the clock, for the folds of CI systems"
    )]
    pub fn seconds(&self) -> u64 {
        // A clock that is set to a time before 1970 counts as 0.
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs())
    }

    /// Returns the time that outputs use, in seconds since 1970: `SOURCE_DATE_EPOCH`, or else that
    /// of the clock.
    pub fn now(&self) -> u64 {
        self.environment
            .source_date_epoch
            .unwrap_or_else(|| self.seconds())
    }

    /// Reports an error with its causes.
    pub fn report(&self, error: &anyhow::Error) {
        self.error(&chain(error));
    }

    /// Reports an error, once: a file that cannot be written is one fault, however often writing is tried.
    pub fn error(&self, text: &str) {
        let text = message("error", text, self.terminal.stderr_columns);
        if self.is_new(&text) {
            self.say(&text);
        }
    }

    /// Reports a warning, once.
    pub fn warning(&self, text: &str) {
        self.say_once(message("warning", text, self.terminal.stderr_columns));
    }

    /// Reports a note, once.
    pub fn note(&self, text: &str) {
        self.say_once(message("note", text, self.terminal.stderr_columns));
    }

    /// Notes the types whose values are hidden in a document because no schema says what is sensitive. The notes of
    /// parallel work become one.
    pub(super) fn note_hidden(&self, document: &str, types: BTreeSet<String>) {
        if types.is_empty() {
            return;
        }
        let hidden = vec![(document.to_owned(), types)];
        if let Some(hidden) = hold(hidden, |held, hidden| held.hidden.extend(hidden)) {
            self.write_hidden(&hidden);
        }
    }

    /// Writes one note about the hidden values of all documents.
    fn write_hidden(&self, hidden: &[(String, BTreeSet<String>)]) {
        let types: BTreeSet<&String> = hidden.iter().flat_map(|(_, types)| types).collect();
        let types: Vec<String> = types.into_iter().cloned().collect();
        let files = match hidden {
            [] => return,
            [(only, _)] => only.clone(),
            several => format!("{} files", several.len()),
        };
        self.note(&format!(
            "values of {} in {files} are hidden, because no schema says what is sensitive: --show-sensitive shows them",
            first_names(&types)
        ));
    }

    /// Writes a note or warning unless it was written before. On a thread that holds notes, it is kept for later.
    fn say_once(&self, text: String) {
        if let Some(text) = hold(text, |held, text| held.notes.push(text))
            && self.is_new(&text)
        {
            self.say(&text);
        }
    }

    /// Whether a message has not been written before.
    fn is_new(&self, text: &str) -> bool {
        let mut said = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        said.insert(text.to_owned())
    }

    /// Does `work`, and returns the notes that this thread would have written meanwhile.
    pub(super) fn hold_notes<T>(&self, work: impl FnOnce() -> T) -> (T, HeldNotes) {
        HELD.set(Some(HeldNotes::default()));
        (work(), HELD.take().unwrap_or_default())
    }

    /// Writes held notes, in the order of the list.
    pub(super) fn write_held(&self, held: Vec<HeldNotes>) {
        let mut hidden = Vec::new();
        for held in held {
            held.notes.into_iter().for_each(|note| self.say_once(note));
            hidden.extend(held.hidden);
        }
        self.write_hidden(&hidden);
    }
}

/// The notes of a piece of parallel work. Without holding them, they would be written in no order, and several times.
#[derive(Debug, Default)]
pub(super) struct HeldNotes {
    notes: Vec<String>,
    hidden: Vec<(String, BTreeSet<String>)>,
}

thread_local! {
    /// The notes that this thread holds; `None` if it writes notes at once.
    static HELD: RefCell<Option<HeldNotes>> = const { RefCell::new(None) };
}

/// Holds a note if this thread holds notes; otherwise returns it.
fn hold<N>(note: N, push: impl FnOnce(&mut HeldNotes, N)) -> Option<N> {
    HELD.with_borrow_mut(|held| match held {
        Some(held) => {
            push(held, note);
            None
        }
        None => Some(note),
    })
}

/// The outcome of a subcommand, which decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Code 0: nothing went wrong.
    Fine,
    /// Code 1: a run or a check failed, or units could not be read. Errors of tfview have the same code.
    Failed,
    /// Code 2: there are changes or differences, and the user asked for `--detailed-exitcode`.
    Changes,
    /// Code 3: a gate (`--fail-on`) is violated.
    Gate,
    /// The exit code of the tool that `run` started.
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
