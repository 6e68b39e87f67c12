//! `tfview run`.

use super::args::RunArgs;
use super::{Edge, Outcome};

/// Runs the subcommand.
pub(super) fn run(_args: &RunArgs, _edge: &Edge) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no `tfview run` yet")
}
