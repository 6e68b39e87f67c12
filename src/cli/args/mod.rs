//! The arguments of every subcommand.
//!
//! The first paragraph of an option's documentation is its line in `-h`, so it is short; `--help` and the
//! manual add the others. Rare options are left out of `-h` (`hide_short_help`). Nothing here reads the
//! environment.

#[cfg(feature = "browse")]
mod browse;
mod plans;
mod schema;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

use super::values::NamedFile;
use super::values::OutFile;
pub use super::values::{CiChoice, FormatChoice, PlanModeChoice, ProgressChoice, RunFormat, When};
use crate::dialect::DialectChoice;
use crate::stream::Timestamps;

#[cfg(feature = "browse")]
pub use browse::BrowseArgs;
pub use plans::{ConfigArgs, DiffArgs, ReviewArgs};
pub use schema::{
    AddArgs, CheckArgs, ListArgs, SchemaCommand, SchemaDiffArgs, SearchArgs, ShowSchemaArgs,
    ViewArgs,
};

/// The version that the program prints. The build of a release sets TFVIEW_VERSION, which also names its commit.
const VERSION: &str = match option_env!("TFVIEW_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// Show plans, states and runs of Terraform and OpenTofu, from the JSON that they write
#[derive(Debug, Parser)]
#[command(
    name = "tfview",
    version = VERSION,
    after_help = EXIT_CODES,
    max_term_width = 80
)]
pub struct Args {
    /// Change to this directory first
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true, help_heading = INPUT)]
    pub chdir: Option<PathBuf>,

    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
}

pub(super) const INPUT: &str = "Input";
pub(super) const DISPLAY: &str = "Display";
pub(super) const FILTERS: &str = "Filters";
pub(super) const CI: &str = "CI";

const EXIT_CODES: &str = "\
A file without a subcommand is shown: `tfview plan.json`, `tfview apply.jsonl`.
`tfview help findings` describes what a review finds.

Exit codes:
  0  success
  1  an error, or a failed run
  2  the plan has changes (--detailed-exitcode)
  3  a --fail-on condition is met";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print a plan or a state as `tofu show` or `terraform show` does
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
    /// Print the messages of a `-json` run as text
    #[command(after_help = STREAM_EXAMPLES)]
    Stream(StreamArgs),
    /// Run tofu or terraform, and show its plan and progress
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Review a plan: the verdict first, then each change
    #[command(after_help = plans::REVIEW_EXAMPLES, mut_arg("plan_mode", |arg| arg.hide(true)))]
    Review(Box<ReviewArgs>),
    /// Compare a plan with the one that was approved
    #[command(after_help = plans::DIFF_EXAMPLES, mut_arg("plan_mode", |arg| arg.hide(true)))]
    Diff(DiffArgs),
    /// Walk through a plan in the terminal: fold, search, filter
    #[cfg(feature = "browse")]
    #[command(after_help = browse::BROWSE_EXAMPLES, mut_arg("plan_mode", |arg| arg.hide(true)), mut_arg("ci", |arg| arg.hide(true)))]
    Browse(Box<BrowseArgs>),
    /// List what a review finds in objects of a resource type
    #[command(after_help = FINDINGS_EXAMPLES)]
    Findings(FindingsArgs),
    /// List, show, search, check, compare and store provider schemas
    #[command(subcommand)]
    Schema(SchemaCommand),
    /// Print shell completions
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// Shell to complete for
        shell: Shell,
    },
    /// Print a manual page, or write all pages to a directory
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Subcommand whose page to print, such as `review`, or a directory to write all pages to
        page: Option<PathBuf>,
    },
    /// Print the version
    Version,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  terraform show -json tfplan | tfview show
  tfview show --schemas schemas.json plan.json
  tfview show tfplan                   a saved plan, without the tool";

const STREAM_EXAMPLES: &str = "\
Examples:
  tofu apply -json -auto-approve | tfview stream
  tfview stream --plan plan.json apply.jsonl
  tfview stream --follow apply.jsonl   a run that has not ended yet";

const RUN_EXAMPLES: &str = "\
Examples:
  tfview run tofu apply                plan, show, ask, apply
  tfview run --review terraform plan
  tfview run --browse tofu apply       walk through the plan before the answer
  tfview run --ci auto tofu apply -auto-approve";

const COMPLETIONS_EXAMPLES: &str = "\
Example:
  tfview completions bash > ~/.local/share/bash-completion/completions/tfview";

const FINDINGS_EXAMPLES: &str = "\
Examples:
  tfview findings aws_db_instance
  tfview findings aws_s3_bucket azurerm_key_vault
docs/findings.md has the rules of all types.";

const MAN_EXAMPLES: &str = "\
Examples:
  tfview man | man -l -
  tfview man review | man -l -
  tfview man ~/.local/share/man/man1   writes all pages";

/// Options on colours and width.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct StyleArgs {
    /// When to use colours
    ///
    /// `auto` follows NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, CLICOLOR, TERM, the terminal and the CI system.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, overrides_with = "no_color", help_heading = DISPLAY)]
    pub color: When,

    /// Same as --color never
    #[arg(long, overrides_with = "color", hide_short_help = true, help_heading = DISPLAY)]
    pub no_color: bool,

    /// Width to wrap text to [default: the terminal's, or 78]
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u32).range(1..), hide_short_help = true, help_heading = DISPLAY)]
    pub width: Option<u32>,
}

/// `tfview findings`
#[derive(Debug, clap::Args)]
pub struct FindingsArgs {
    /// Colours and width.
    #[command(flatten)]
    pub style: StyleArgs,

    /// The configuration file, which may have rules of the project.
    #[command(flatten)]
    pub config: ConfigArgs,

    /// Resource types, such as aws_db_instance
    #[arg(required = true, value_name = "TYPE")]
    pub types: Vec<String>,
}

/// Options on how documents are read and displayed.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DisplayArgs {
    /// Provider schemas, for the exact layout (repeatable)
    ///
    /// The output of `providers schema -json`, or a Provider Code Specification. By default the files of
    /// TFVIEW_SCHEMAS (separated as in PATH), otherwise the schemas stored by `tfview schema add`. `none` infers
    /// the layout.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub schemas: Vec<PathBuf>,

    /// Let the tool read saved plans, as TFVIEW_TOOL names it
    #[arg(long, hide_short_help = true, help_heading = INPUT)]
    pub via_tool: bool,

    /// Tool and release whose text to print, such as terraform@1.5
    ///
    /// auto, terraform or opentofu, with an optional version. `auto` takes both from the document.
    #[arg(long, value_name = "TOOL", default_value = "auto", hide_short_help = true, help_heading = DISPLAY)]
    pub dialect: DialectChoice,

    /// Mode that the plan was made in
    ///
    /// It is not in the JSON, so `auto` infers it.
    #[arg(long, value_enum, value_name = "MODE", default_value_t, hide_short_help = true, help_heading = INPUT)]
    pub plan_mode: PlanModeChoice,

    /// Show sensitive values
    #[arg(long, help_heading = DISPLAY)]
    pub show_sensitive: bool,

    /// Colours and width.
    #[command(flatten)]
    pub style: StyleArgs,

    /// CI system
    ///
    /// Folds and annotations are written for it. `auto` detects it, which is the default of `review` and `diff`; by
    /// default, the others print only the tool's own text.
    #[arg(long, value_enum, value_name = "SYSTEM", help_heading = CI)]
    pub ci: Option<CiChoice>,
}

/// `tfview show`
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// When to use a pager
    ///
    /// The pager is TFVIEW_PAGER, PAGER, or `less -FRX`.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = DISPLAY)]
    pub pager: When,

    /// Exit with 2 if the plan has changes
    #[arg(long, help_heading = CI)]
    pub detailed_exitcode: bool,

    /// Show this resource or module in full (repeatable)
    ///
    /// All values are shown, unless they are sensitive. --detailed-exitcode looks at the whole plan.
    #[arg(long, value_name = "ADDRESS", help_heading = FILTERS)]
    pub address: Vec<String>,

    /// Plan of the same configuration, to infer the layout of a state
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub plan: Option<PathBuf>,

    /// Not supported: the error says what writes JSON
    #[arg(long, hide = true)]
    pub json: bool,

    /// Plans and states (JSON or saved plans), directories of them, or - for stdin
    pub files: Vec<PathBuf>,
}

/// `tfview stream`
#[derive(Debug, clap::Args)]
pub struct StreamArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// How to display the run.
    #[command(flatten)]
    pub run: RunDisplayArgs,

    /// Accepted for compatibility with the tools; it has no effect
    #[arg(long, hide = true)]
    pub json: bool,

    /// Keep reading FILE while it is written, until its run ends
    #[arg(long, requires = "files", help_heading = INPUT)]
    pub follow: bool,

    /// Call the run whose messages are in FILE by this name (repeatable)
    #[arg(long = "unit", value_name = "NAME=FILE", value_parser = NamedFile::parse, hide_short_help = true, help_heading = INPUT)]
    pub units: Vec<NamedFile>,

    /// Messages of runs, directories that are searched for them, or - for stdin
    pub files: Vec<PathBuf>,
}

/// `tfview run`
#[derive(Clone, Debug, clap::Args)]
pub struct RunArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// How to display the run.
    #[command(flatten)]
    pub run: RunDisplayArgs,

    /// Accepted for compatibility with the tools; `run` always adds it
    #[arg(long, hide = true)]
    pub json: bool,

    /// Show a review of the plan instead of its text
    ///
    /// This works with `plan`, and with `apply` where it asks for approval.
    #[arg(long, help_heading = DISPLAY)]
    pub review: bool,

    /// Walk through the plan before the answer: y applies exactly what was shown
    ///
    /// This works with `plan`, and with `apply` where it asks for approval. It needs a terminal.
    #[cfg(feature = "browse")]
    #[arg(long, conflicts_with = "review", help_heading = DISPLAY)]
    pub browse: bool,

    /// The command to run, such as `tofu apply`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true,
        value_name = "COMMAND"
    )]
    pub command: Vec<std::ffi::OsString>,
}

/// Options on how a run is displayed.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct RunDisplayArgs {
    /// Plan that is applied (JSON or saved), printed before the run
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub plan: Option<PathBuf>,

    /// How to show progress
    ///
    /// live redraws a region of the terminal, log prints lines; `auto` decides by terminal and CI system.
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = DISPLAY)]
    pub progress: ProgressChoice,

    /// Print the time before each line
    ///
    /// local is the time zone that the messages were written in, relative the time since the first message.
    #[arg(long, value_enum, value_name = "CLOCK", default_value_t, help_heading = DISPLAY)]
    pub timestamps: Timestamps,

    /// Print only summaries of warnings, unless there are errors
    #[arg(long, help_heading = DISPLAY)]
    pub compact_warnings: bool,

    /// Each warning is shown, however many are similar: OpenTofu's `-consolidate-warnings=false`.
    #[arg(skip)]
    pub separate_warnings: bool,

    /// Similar errors are shown as one: OpenTofu's `-consolidate-errors`.
    #[arg(skip)]
    pub consolidate_errors: bool,

    /// Leave out progress lines (Refreshing…, Creating…)
    ///
    /// The plan, errors, the summary and the outputs are still shown.
    #[arg(long, help_heading = DISPLAY)]
    pub concise: bool,

    /// Print one heartbeat line instead of one per resource
    #[arg(long, help_heading = DISPLAY)]
    pub quiet_progress: bool,

    /// List the N slowest resources at the end
    #[arg(long, value_name = "N", help_heading = DISPLAY)]
    pub slowest: Option<usize>,

    /// Write the results of `test -json` to FILE, as JUnit XML
    #[arg(long, value_name = "FILE", help_heading = CI)]
    pub junit: Option<PathBuf>,

    /// Write a page of the run to a file (repeatable): html=run.html
    ///
    /// It shows what failed, what never started, the review of the plan, and a timeline.
    #[arg(long, value_name = "html=FILE", help_heading = CI)]
    pub out: Vec<OutFile<RunFormat>>,

    /// Copy the messages to FILE, unchanged
    #[arg(long, value_name = "FILE", help_heading = CI)]
    pub tee: Option<PathBuf>,
}
