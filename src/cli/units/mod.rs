//! Units: the root modules whose plans one run made. Finds their plans in folders, and names them.
//!
//! Invariants: a unit that is known to exist is either reviewed or named with the reason why it is not; no two
//! units have the same name; the order does not depend on the file system.

mod discovery;
mod names;
mod report_file;
mod walk;

use std::convert::Infallible;
use std::path::PathBuf;

use super::Host;
use super::input::Source;
use super::message::chain;
use crate::diff::parallel::map_in_order;
use crate::review::units::{Absence, AbsentUnit};
use crate::text::{count, cut};

pub(super) use discovery::{Wanted, beginning};
pub(super) use walk::expanded;

/// A value of `--unit`: the name of a unit, and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    name: String,
    path: PathBuf,
}

impl NamedFile {
    /// Parses `NAME=FILE`.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, path)) if !name.trim().is_empty() && !path.is_empty() => {
                Ok(Self { name: name.trim().to_owned(), path: path.into() })
            }
            Some(_) | None => Err("expected NAME=FILE, such as prod/vpc=out/vpc.json".to_owned()),
        }
    }
}

/// A unit, and where its document is.
#[derive(Debug)]
pub(super) struct Unit {
    /// The name; `None` for the only document of a command line, which its file names.
    pub(super) name: Option<String>,
    /// The folder below the argument, by which a report names it.
    folder: String,
    /// The document.
    pub(super) source: Source,
}

impl Unit {
    /// The name, or the file.
    pub(super) fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.source.to_string())
    }
}

/// Applies `work` to all items side by side, and returns the results in the order of the items.
pub(super) fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let Ok(done) = map_in_order(items, |_| usize::MAX, |item, _| Ok::<R, Infallible>(work(item)));
    done
}

/// The maximum length of the reason why a unit is absent, in characters: it may be the whole output of a tool.
const MAX_REASON: usize = 300;

/// A unit that cannot be read.
pub(super) fn unreadable(name: &str, error: &anyhow::Error) -> AbsentUnit {
    let text = chain(error);
    let text = text.split("\n  tip: ").next().unwrap_or_default();
    // The row has the name, and says that it cannot be read.
    let why = text.strip_prefix("cannot read ").and_then(|text| text.split_once(": "));
    let reason = reason(why.map_or(text, |(_, why)| why));
    AbsentUnit { name: name.to_owned(), absence: Absence::Unreadable, reason }
}

/// A text on one line, as long as a reason may be.
fn reason(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), MAX_REASON)
}

/// The units of a command line.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// Those with a document.
    pub(super) units: Vec<Unit>,
    /// Those without a plan that can be reviewed.
    pub(super) absent: Vec<AbsentUnit>,
}

impl Units {
    /// Whether there are several units, so that one that fails is a row of the review.
    pub(super) fn are_several(&self) -> bool {
        self.units.len() + self.absent.len() > 1
    }
}

/// Finds the units: those of `--unit`, and those of the arguments, which are files, patterns, and folders that are
/// searched at every depth; standard input if there is none of them.
pub(super) fn find(
    arguments: &[PathBuf],
    named: &[NamedFile],
    reports: &[PathBuf],
    wanted: Wanted,
    host: &Host,
) -> anyhow::Result<Units> {
    let mut found = discovery::Discovery::new(wanted);
    for NamedFile { name, path } in named {
        found.named(name, path)?;
    }
    if arguments.is_empty() && named.is_empty() {
        let source = Source::new(None, host)?;
        let only = Unit { name: None, folder: String::new(), source };
        return Ok(Units { units: vec![only], absent: Vec::new() });
    }
    for argument in arguments {
        found.argument(argument, host)?;
    }
    note_passed_over(&found, wanted, host);
    let discovery::Discovery { candidates, unreadable, .. } = found;
    let unreadable = unreadable.into_iter().map(|(name, reason)| AbsentUnit {
        name,
        absence: Absence::Unreadable,
        reason,
    });
    let mut units = Units { absent: unreadable.collect(), units: names::named(candidates) };
    for path in reports {
        report_file::apply(path, &mut units, host)?;
    }
    crate::sort::by(&mut units.absent, |a, b| (a.absence, &a.name).cmp(&(b.absence, &b.name)));
    Ok(units)
}

fn note_passed_over(found: &discovery::Discovery, wanted: Wanted, host: &Host) {
    let mut notes = Vec::new();
    if found.others > 0 {
        let what = match (found.others, wanted) {
            (1, Wanted::Plans) => "is not a plan",
            (_, Wanted::Plans) => "are not plans",
            (1, Wanted::Runs) => "holds no messages",
            (_, Wanted::Runs) => "hold no messages",
        };
        notes.push(format!("{} that {what}", count(found.others, "JSON file")));
    }
    if found.links > 0 {
        notes.push(format!("{}, which are not followed", count(found.links, "symbolic link")));
    }
    if found.older > 0 {
        notes.push(format!("{} with a newer saved plan beside it", count(found.older, "JSON plan")));
    }
    if !notes.is_empty() {
        host.note(&format!("passed over {}", notes.join(", and ")));
    }
}
