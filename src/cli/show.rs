//! `tfview show`.

use super::args::ShowArgs;
use super::{Edge, Outcome};

/// Runs the subcommand.
pub(super) fn run(_args: &ShowArgs, _edge: &Edge) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no `tfview show` yet")
}
