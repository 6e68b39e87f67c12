//! What can be typed after `tfview diff`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::args::{DisplayArgs, When};

/// Examples for the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  tfview diff approved.json now.json
  tfview diff --fail-on wider --format markdown approved.json now.json > comment.md
  tfview diff plan.json apply.jsonl          was what was approved done? (or: diff plan.json state.json)
  tfview diff --fingerprint approved.json    a hash to keep in place of the plan
  tfview diff --approved tfview-1-… now.json";

/// `tfview diff`
#[derive(Debug, clap::Args)]
pub struct DiffArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// The format to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: DiffFormat,

    /// Write another format to a file as well (repeatable): markdown=comment.md
    #[arg(long, value_name = "FORMAT=FILE")]
    pub out: Vec<String>,

    /// Keep markdown below this size: bytes, or github, gitlab, azure, bitbucket
    #[arg(long, value_name = "N")]
    pub max_bytes: Option<String>,

    /// Count differences of values at paths that match this glob instead of listing them (repeatable):
    /// `tags.*`, or with the address, `aws_instance.app.tags.*`
    #[arg(long, value_name = "PATH")]
    pub ignore: Vec<String>,

    /// Exit with 3 if one of these holds: wider (more than was approved, or not what was approved), any (something
    /// differs, or was not done), destroy (a destroy or replacement that was not approved)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub fail_on: Vec<String>,

    /// Exit with 2 when something differs
    #[arg(long)]
    pub detailed_exitcode: bool,

    /// Print a hash of what the plan does, to be compared later by --approved
    #[arg(long, conflicts_with_all = ["approved", "fail_on", "detailed_exitcode", "ignore", "out", "max_bytes"])]
    pub fingerprint: bool,

    /// Make sensitive values part of the fingerprint: whoever has it can test guesses of weak secrets
    #[arg(long, requires = "fingerprint")]
    pub include_sensitive: bool,

    /// Compare the plan with this fingerprint: `same`, or `differs` (exit code 3)
    #[arg(long, value_name = "FINGERPRINT", conflicts_with_all = ["fail_on", "detailed_exitcode", "ignore", "out", "max_bytes"])]
    pub approved: Option<String>,

    /// When to send the text through a pager (TFVIEW_PAGER, PAGER, or less -FRX)
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub pager: When,

    /// The approved plan, and the new plan, the messages of the run that applied it (apply -json), or the state after
    /// it (show -json); - for standard input. With --fingerprint or --approved, one plan
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
