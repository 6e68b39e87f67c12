//! The arguments of `tfview browse`.

use std::path::PathBuf;

use super::plans::{ConfigArgs, SelectionArgs};
use super::{DisplayArgs, INPUT};
use crate::cli::values::NamedFile;

pub(super) const BROWSE_EXAMPLES: &str = "\
Examples:
  tfview browse plan.json
  tfview browse plans/                  the plans of several units
  tfview browse approved.json now.json  what changed since the approval
  tfview browse state.json
Without a terminal, `tfview review` prints the same.";

/// `tfview browse`
#[derive(Debug, clap::Args)]
pub struct BrowseArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// The configuration file of the project.
    #[command(flatten)]
    pub config: ConfigArgs,

    /// Configuration directory, to open the lines of resources
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub source: Option<PathBuf>,

    /// Which changes are shown.
    #[command(flatten)]
    pub selection: SelectionArgs,

    /// Call the plan in FILE by this name (repeatable)
    #[arg(long = "unit", value_name = "NAME=FILE", value_parser = NamedFile::parse, hide_short_help = true, help_heading = INPUT)]
    pub units: Vec<NamedFile>,

    /// Report of a Terragrunt run, with units that failed or were excluded (repeatable)
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = INPUT)]
    pub report: Vec<PathBuf>,

    /// A plan, a saved plan, a state or a directory of plans, or - for stdin; or an approved plan and the new one
    #[arg(num_args = 0..=2, value_names = ["FILE", "NOW"])]
    pub files: Vec<PathBuf>,
}
