//! The interface for other programs: they read documents, compare and write them, and follow runs.
//!
//! Invariants: callers need no arena, large stack or terminal. Every type that can be named or reached is a type of
//! this module, or re-exported at the root of the crate. Sensitive values are left out of everything, unless an option
//! requests them.
//!
//! A document owns its text, and is parsed once. Everything else is computed on the calling thread, or on a thread with
//! a large stack if the document is deeply nested ([`stack`](mod@crate::stack)).

#[cfg(feature = "review")]
mod change;
#[cfg(feature = "review")]
mod comparison;
mod diff;
mod error;
mod plan;
#[cfg(feature = "review")]
mod review;
mod run;
#[cfg(feature = "saved")]
mod saved;
mod schemas;
mod state;
mod text;
mod text_options;
mod tool_text;
mod value;

use std::io::Write;
use std::panic::resume_unwind;

use crate::input;
use crate::input::kind::{self, DocumentKind};
use crate::stack;

pub use diff::{BlockDiff, Diff, DiffAction, DiffKind, LineDiff, ResourceDiff};
pub use error::Error;
pub use plan::Plan;
pub use run::{Run, RunOptions, RunOutcome, RunUpdate};
pub use schemas::Schemas;
pub use state::{State, StateObject};
pub use text::{Colour, Format, Span, Style, StyledText};
pub use text_options::TextOptions;
pub use value::Value;

#[cfg(feature = "review")]
pub use change::{Change, Edit, Finding, PathStep, Reason};
#[cfg(feature = "review")]
pub use comparison::{Comparison, ComparisonOptions, Difference};
#[cfg(feature = "review")]
pub use review::{Review, ReviewOptions, Verdict};

/// Decodes the text of a document: UTF-8 or UTF-16, with or without a byte order mark, possibly compressed by gzip.
fn decode(bytes: Vec<u8>) -> Result<String, Error> {
    match input::decode(bytes) {
        Ok(decoded) => Ok(decoded.text),
        Err(error) => Err(Error::Encoding(error.problem)),
    }
}

/// Checks that a document has the expected kind and, if it has a format version, that it is supported.
fn check(text: &str, version: &str, expected: DocumentKind) -> Result<(), Error> {
    if !kind::is_supported(version) {
        return Err(Error::Version(version.to_owned()));
    }
    let kind = kind::detect(text)?;
    if kind == expected {
        return Ok(());
    }
    Err(Error::WrongKind {
        expected: expected.description(),
        actual: kind.description(),
    })
}

/// Runs `work` for a document of this depth: on the calling thread if the document is shallow, otherwise on one with a
/// large stack. A panic of `work` is passed on.
fn with_stack<T: Send>(
    depth: usize,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    if depth <= stack::SHALLOW {
        return stack::shallow(work);
    }
    stack::large(work)?.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Lets `write` write the result for a document of this depth. Output from another thread is kept until it is complete,
/// because writers need not be [`Send`].
fn write_with_stack(
    depth: usize,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    if depth <= stack::SHALLOW {
        return stack::shallow(|| write(out));
    }
    let text = with_stack(depth, || {
        let mut text = Vec::new();
        write(&mut text).map(|()| text)
    })?;
    Ok(out.write_all(&text)?)
}
