//! `tfview review`.

use super::args::ReviewArgs;
use super::{Edge, Outcome};

/// Runs the subcommand.
pub(super) fn run(_args: &ReviewArgs, _edge: &Edge) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no `tfview review` yet")
}
