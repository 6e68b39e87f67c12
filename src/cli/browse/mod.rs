//! `tfview browse`: the terminal, the editor and the files of the browser.
//!
//! What is browsed is read like for the other commands: plans in `plans/browse.rs`, states in `state.rs`.

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

/// The width to which values are fitted in the lines of a review, in columns. Rows are laid out to the width of the
/// terminal.
pub(super) const WIDTH: usize = 100;

/// Fails without a terminal, and names what prints the same.
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

/// Prints the document as lines, for a terminal that cannot move its cursor, such as that of an editor.
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

/// Fails without a terminal on which the question of `run` can be answered.
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

/// A signal ends the program as it would without a handler.
pub(super) fn outcome(ending: Ending) -> Outcome {
    match ending {
        Ending::Quit | Ending::Approved => Outcome::Fine,
        Ending::Signal(number) => Outcome::Tool(u8::try_from(128 + number).unwrap_or(1)),
    }
}
