//! The input and output of every subcommand: environment, streams, messages, outcome.
//!
//! Messages are `error: …`, `warning: …` and `note: …` on standard error, followed by a line `  tip: …` if there is
//! something to try. Invariants: errors of the operating system are shown by their sentence, without the number; each
//! note and each warning is written once.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Cursor, Read};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::processes::Processes;
use super::schemas::some_of;
use super::settings::{Environment, Terminal};
use crate::term::ci::harmless;
use crate::term::{Out, Untrusted};
use crate::text::wrap;

/// The environment of a subcommand.
#[derive(Debug)]
pub struct Host {
    /// The environment variables.
    pub environment: Environment,
    /// The standard streams.
    pub terminal: Terminal,
    /// The beginning of standard input, read to detect its kind.
    begun: Mutex<Vec<u8>>,
    /// The notes and warnings so far.
    noted: Mutex<BTreeSet<String>>,
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
            noted: Mutex::default(),
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
        self.error(&chain(error));
    }

    /// Reports an error.
    pub fn error(&self, text: &str) {
        self.say(&message("error", text, self.terminal.stderr_columns));
    }

    /// Reports that something requested is left out.
    pub fn warning(&self, text: &str) {
        self.say_once(message("warning", text, self.terminal.stderr_columns));
    }

    /// Writes a note.
    pub fn note(&self, text: &str) {
        self.say_once(message("note", text, self.terminal.stderr_columns));
    }

    /// Notes that values of these types are hidden in a document, because no schema says what is sensitive.
    pub(super) fn note_hidden(&self, document: &str, types: BTreeSet<String>) {
        if types.is_empty() {
            return;
        }
        let hidden = vec![(document.to_owned(), types)];
        if let Some(hidden) = hold(hidden, |held, hidden| held.hidden.extend(hidden)) {
            self.write_hidden(&hidden);
        }
    }

    fn write_hidden(&self, hidden: &[(String, BTreeSet<String>)]) {
        let types: BTreeSet<&String> = hidden.iter().flat_map(|(_, types)| types).collect();
        let types: Vec<String> = types.into_iter().cloned().collect();
        let place = match hidden {
            [] => return,
            [(only, _)] => only.clone(),
            several => format!("{} files", several.len()),
        };
        self.note(&format!(
            "values of {} in {place} are hidden, because no schema says what is sensitive: --show-sensitive shows them",
            some_of(&types)
        ));
    }

    fn say_once(&self, text: String) {
        if let Some(text) = hold(text, |held, text| held.notes.push(text))
            && self.noted.lock().unwrap_or_else(PoisonError::into_inner).insert(text.clone())
        {
            self.say(&text);
        }
    }

    /// Calls `work`, and returns its notes instead of writing them.
    pub(super) fn hold_notes<T>(&self, work: impl FnOnce() -> T) -> (T, HeldNotes) {
        HELD.set(Some(HeldNotes::default()));
        (work(), HELD.take().unwrap_or_default())
    }

    /// Writes notes that were held back.
    pub(super) fn write_held(&self, held: Vec<HeldNotes>) {
        let mut hidden = Vec::new();
        for held in held {
            held.notes.into_iter().for_each(|note| self.say_once(note));
            hidden.extend(held.hidden);
        }
        self.write_hidden(&hidden);
    }
}

/// The notes and warnings of work that is done side by side, which would be written in no order, and several times.
#[derive(Debug, Default)]
pub(super) struct HeldNotes {
    notes: Vec<String>,
    /// The documents with hidden values, and the types of these.
    hidden: Vec<(String, BTreeSet<String>)>,
}

thread_local! {
    /// The notes of this thread, while they are held back.
    static HELD: RefCell<Option<HeldNotes>> = const { RefCell::new(None) };
}

/// Holds a note back. Returns it if it is to be written.
fn hold<N>(note: N, push: impl FnOnce(&mut HeldNotes, N)) -> Option<N> {
    HELD.with_borrow_mut(|held| match held {
        Some(held) => {
            push(held, note);
            None
        }
        None => Some(note),
    })
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

/// The separator between a message and its tip.
const TIP: &str = "\n  tip: ";

/// `text` with a tip below it.
pub(super) fn with_tip(text: &str, tip: &str) -> String {
    format!("{text}{TIP}{tip}")
}

/// The printed text of a message, without the final line break. `label` says how grave it is.
///
/// `columns` is the width of the terminal. Without a terminal, lines are not wrapped, so that they can be
/// searched.
fn message(label: &str, text: &str, columns: Option<usize>) -> String {
    let text = format!("{label}: {text}");
    match columns {
        Some(columns) => wrapped(&text, columns),
        None => text,
    }
}

/// The text of an error: its causes, the outermost first, then their tips.
pub(super) fn chain(error: &anyhow::Error) -> String {
    let (mut causes, mut tips) = (Vec::new(), String::new());
    for cause in error.chain() {
        let text = cause.downcast_ref::<io::Error>().map_or_else(|| cause.to_string(), io_text);
        let (text, tip) = text.split_once(TIP).map_or((&*text, None), |(text, tip)| (text, Some(tip)));
        causes.push(text.to_owned());
        tips.extend(tip.into_iter().flat_map(|tip| [TIP, tip]));
    }
    causes.join(": ") + &tips
}

/// The text of an operating system error, without its number.
pub(super) fn io_text(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error.raw_os_error().map(|code| format!(" (os error {code})"));
    number.as_deref().and_then(|number| text.strip_suffix(number)).unwrap_or(&text).to_owned()
}

/// Wraps long lines between words. Continuation lines of a tip are indented like the first.
fn wrapped(text: &str, columns: usize) -> String {
    let lines = text.split('\n').map(|line| match line.strip_prefix("  ") {
        Some(line) => {
            let line = wrap(line, columns.saturating_sub(2).max(1));
            format!("  {}", line.replace('\n', "\n  "))
        }
        None => wrap(line, columns),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
