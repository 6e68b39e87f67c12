//! `tfview stream`.

use super::args::StreamArgs;
use super::{Edge, Outcome};

/// Runs the subcommand.
pub(super) fn run(_args: &StreamArgs, _edge: &Edge) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no `tfview stream` yet")
}
