//! The arguments of `tfview diff`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::args::{CI, DISPLAY, DisplayArgs, FILTERS, When};
use crate::cli::values::{OutFile, budget, comparison_gate};
use crate::compare::Gate;
use crate::report::Budget;

/// Examples for the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  tfview diff approved.json now.json
  tfview diff --fail-on wider approved.json now.json
  tfview diff plan.json apply.jsonl        was it done? (or state.json)
  tfview diff old.tfstate new.tfstate      what changed between two states
  tfview diff --fingerprint approved.json  a hash to keep instead of the plan
  tfview diff --approved tfview-2-… now.json";

/// `tfview diff`
#[derive(Debug, clap::Args)]
pub struct DiffArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// Format to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, help_heading = DISPLAY)]
    pub format: DiffFormat,

    /// Also write this format to a file (repeatable)
    ///
    /// For example `--out markdown=comment.md --out html=page.html`.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = OutFile::<DiffFormat>::parse, help_heading = CI)]
    pub out: Vec<OutFile<DiffFormat>>,

    /// Keep Markdown within N bytes
    ///
    /// Instead of a number, name a system for its limit: github, gitlab, azure or bitbucket.
    #[arg(long, value_name = "N", value_parser = budget, help_heading = CI)]
    pub max_bytes: Option<Budget>,

    /// Count differences at these paths instead of listing them (repeatable)
    ///
    /// The path is a glob: `tags.*`, or with the address, `aws_instance.app.tags.*`. Actions are never ignored.
    #[arg(long, value_name = "PATH", help_heading = FILTERS)]
    pub ignore: Vec<String>,

    /// Exit with 3 if one of these holds: wider, any, destroy
    ///
    /// wider: more than was approved, or something else; any: something differs, or was not done; destroy: a destroy
    /// or replacement that was not approved.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = comparison_gate(), hide_possible_values = true, help_heading = CI)]
    pub fail_on: Vec<Gate>,

    /// Exit with 2 if something differs
    #[arg(long, help_heading = CI)]
    pub detailed_exitcode: bool,

    /// Print a hash of the plan's changes, for --approved
    #[arg(long, conflicts_with_all = ["approved", "fail_on", "detailed_exitcode", "ignore", "out", "max_bytes"])]
    pub fingerprint: bool,

    /// Include sensitive values in the fingerprint
    ///
    /// Anyone with the fingerprint can then test guesses of weak secrets.
    #[arg(long, requires = "fingerprint")]
    pub include_sensitive: bool,

    /// Compare the plan with this fingerprint: `same`, or `differs` (exit code 3)
    #[arg(long, value_name = "FINGERPRINT", conflicts_with_all = ["fail_on", "detailed_exitcode", "ignore", "out", "max_bytes"])]
    pub approved: Option<String>,

    /// When to use a pager
    ///
    /// The pager is TFVIEW_PAGER, PAGER, or `less -FRX`.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = DISPLAY)]
    pub pager: When,

    /// The approved plan, and the new one; a plan and its result; two states; or two directories of plans
    ///
    /// The plans in two directories are compared unit by unit, by name.
    ///
    /// A result is the messages of the run (`apply -json`), or the state after it (`show -json`, or the state
    /// file). - is standard input. With --fingerprint or --approved, there is one plan.
    #[arg(required = true, num_args = 1..=2, value_names = ["APPROVED", "NOW"])]
    pub files: Vec<PathBuf>,
}

/// A format of `tfview diff`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// Text
    #[default]
    Terminal,
    /// Markdown for pull requests
    Markdown,
    /// A page that can be kept and opened anywhere
    Html,
    /// A document for programs
    Json,
}
