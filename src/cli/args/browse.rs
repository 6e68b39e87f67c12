//! The arguments of `tfview browse`.

use std::path::PathBuf;

use super::plans::ConfigArgs;
use super::{DisplayArgs, FILTERS, INPUT};
use crate::cli::units::NamedFile;
use crate::cli::values::kind;
use crate::review::ChangeKind;

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

    /// Show only these actions, such as destroy,replace
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',', value_parser = kind(), hide_possible_values = true, help_heading = FILTERS)]
    pub only: Vec<ChangeKind>,

    /// Show only changes with findings
    #[arg(long, help_heading = FILTERS)]
    pub only_findings: bool,

    /// Show only addresses that match (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = FILTERS)]
    pub include: Vec<String>,

    /// Leave out addresses that match (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = FILTERS)]
    pub exclude: Vec<String>,

    /// Show only resources of this type (repeatable)
    #[arg(long = "type", value_name = "TYPE", hide_short_help = true, help_heading = FILTERS)]
    pub types: Vec<String>,

    /// Show only resources of this module (repeatable)
    #[arg(long, value_name = "MODULE", hide_short_help = true, help_heading = FILTERS)]
    pub module: Vec<String>,

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
