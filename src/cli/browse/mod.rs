//! Runs the browser of `tfview browse` and `tfview run --browse`: the terminal, the editor and the files.
//!
//! What is browsed is read as for the other commands: plans in `plans/browse.rs`, states in `state.rs`.

mod editor;
mod plan;
mod session;
mod state;
mod viewed;

use anyhow::{Context, ensure};

pub(super) use plan::{OnlyLines, PartDetails, PartInput, PlanDetails};
pub(super) use session::{Ending, restore, walk};
pub(super) use state::browse_state;

use super::messages::ErrorWithTip;
use super::settings::{Settings, stdout};
use super::{Host, Outcome};
use crate::report::{self, Layout, Report};

/// The width that values in the lines of a review are shortened to, in columns. The rows of the browser are laid out to
/// the width of the terminal.
pub(super) const WIDTH: usize = 100;

/// Checks that standard output is a terminal.
///
/// # Errors
/// If it is not. The error names the command that prints the same as text.
pub(super) fn require_terminal(host: &Host) -> anyhow::Result<()> {
    ensure!(
        host.terminal.stdout,
        ErrorWithTip::new(
            "`tfview browse` needs a terminal, and standard output is not one",
            "`tfview review` prints the same as text"
        )
    );
    Ok(())
}

/// Prints the document as lines, for a terminal that cannot move its cursor, such as that within an editor.
fn print(report: &Report<'_>, settings: &Settings) -> anyhow::Result<Ending> {
    let layout = Layout {
        width: settings.width,
        wraps: settings.wraps,
        links: false,
        fingerprint: false,
    };
    report::terminal(report, layout, settings.colour, None, &mut stdout())
        .context("writing to standard output")?;
    Ok(Ending::Quit)
}

/// Checks that the question of `run` can be answered on the terminal.
///
/// # Errors
/// If standard input or output is not a terminal, or the terminal cannot move its cursor.
pub(super) fn require_terminal_to_answer(host: &Host) -> anyhow::Result<()> {
    ensure!(
        host.terminal.stdin && host.terminal.stdout && !host.environment.dumb_terminal,
        ErrorWithTip::new(
            "`tfview run --browse` needs a terminal that can move its cursor",
            "`tfview run --review` prints a review, and asks as the tool does"
        )
    );
    Ok(())
}

/// Returns the outcome of the command. A session that a signal ended has the exit code with which a shell reports that
/// signal.
pub(super) fn outcome(ending: Ending) -> Outcome {
    match ending {
        Ending::Quit | Ending::Approved => Outcome::Fine,
        Ending::Signal(number) => Outcome::Tool(u8::try_from(128 + number).unwrap_or(1)),
    }
}
