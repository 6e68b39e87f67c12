//! What can be typed, for every subcommand. Nothing here knows the environment: see
//! [`super::settings`] for what becomes of it.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

pub use super::diff::args::DiffArgs;
pub use super::schema::args::SchemaArgs;
use crate::dialect::DialectChoice;

pub use super::choices::{
    CiChoice, ContextChoice, FormatChoice, PlanModeChoice, ProgressChoice, TimestampChoice, When,
};

/// Shows people what Terraform and OpenTofu wrote as JSON: plans, states and runs.
#[derive(Debug, Parser)]
#[command(
    name = "tfview",
    version,
    about,
    long_about = "Shows people what Terraform and OpenTofu wrote as JSON: plans, states and runs. Offline, \
                  without provider, state or credentials.",
    after_help = EXIT_CODES,
    max_term_width = 100
)]
pub struct Args {
    /// Work in this directory, as with the option of the tools
    #[arg(long, value_name = "DIR", global = true)]
    pub chdir: Option<PathBuf>,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 fine; 1 an error, or the run failed; 2 there are changes (--detailed-exitcode);
3 a --fail-on condition holds.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print a plan or a state as `tofu show` and `terraform show` print it
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
    /// Print a run (`apply -json`, `plan -json`, `test -json`, …) as the tool prints it without -json
    #[command(after_help = STREAM_EXAMPLES)]
    Stream(StreamArgs),
    /// Run the tool itself with -json, and show the run
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Print what a person who must approve a plan needs to know, the verdict first
    #[command(after_help = REVIEW_EXAMPLES)]
    Review(ReviewArgs),
    /// Compare a plan with the one that was approved
    #[command(after_help = super::diff::args::EXAMPLES)]
    Diff(DiffArgs),
    /// Show, search, check, compare and keep schemas of providers
    Schema(SchemaArgs),
    /// Print the completions of a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write one page for each subcommand to a directory
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// The directory
        directory: Option<PathBuf>,
    },
    /// Print the version
    Version,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  terraform show -json tfplan | tfview show
  tfview show --schemas schemas.json plan.json
  tfview show tfplan                  a saved plan, read by tofu or terraform from PATH";

const STREAM_EXAMPLES: &str = "\
Examples:
  tofu apply -json -auto-approve | tfview stream
  tfview stream --plan plan.json apply.jsonl
  tfview stream --follow apply.jsonl   a run that is still going on";

const RUN_EXAMPLES: &str = "\
Examples:
  tfview run tofu apply                plans, shows the plan, asks, applies
  tfview run --review terraform plan
  tfview run --ci auto tofu apply -auto-approve";

const REVIEW_EXAMPLES: &str = "\
Examples:
  tfview review plan.json
  tfview review --format markdown --max-bytes github plan.json > comment.md
  tfview review --fail-on destroy,replace plan.json";

const COMPLETIONS_EXAMPLES: &str = "\
Example:
  tfview completions bash > ~/.local/share/bash-completion/completions/tfview";

const MAN_EXAMPLES: &str = "\
Example:
  tfview man | man -l -
  tfview man ~/.local/share/man/man1";

/// Options on how documents are read and displayed.
#[derive(Debug, Default, clap::Args)]
pub struct DisplayArgs {
    /// Exact shapes: output of `providers schema -json`, or a Provider Code Specification (repeatable)
    ///
    /// Without any, shapes are inferred from the plan itself and from what is known of large providers.
    /// The variable TFVIEW_SCHEMAS holds a list of such files too, separated as in PATH. Without either, the
    /// schemas kept by `tfview schema add` are used; `--schemas none` turns that off.
    #[arg(long, value_name = "FILE")]
    pub schemas: Vec<PathBuf>,

    /// Whose text to print: auto, terraform or opentofu, with a release if wanted (terraform@1.5)
    ///
    /// auto takes the tool from the providers' registry. The release is the one that wrote the document,
    /// unless a version is given here.
    #[arg(long, value_name = "TOOL[@VERSION]", default_value = "auto")]
    pub dialect: DialectChoice,

    /// The mode that the plan was made in, which its JSON does not say
    #[arg(long, value_enum, value_name = "MODE", default_value_t)]
    pub plan_mode: PlanModeChoice,

    /// Show sensitive values
    #[arg(long)]
    pub show_sensitive: bool,

    /// When to use colours; auto follows NO_COLOR, CLICOLOR_FORCE, CLICOLOR, the terminal and the CI system
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, overrides_with = "no_color")]
    pub color: When,

    /// The same as --color never
    #[arg(long, overrides_with = "color")]
    pub no_color: bool,

    /// The width to wrap to; by default the terminal's, or 78
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub width: Option<u32>,

    /// The CI system to write for: its colours, folds and annotations; auto tells by the environment
    ///
    /// Without this option, `review` goes by the environment; the text of the other subcommands stays
    /// the tool's own, in the system's colours.
    #[arg(long, value_enum, value_name = "SYSTEM")]
    pub ci: Option<CiChoice>,
}

/// `tfview show`
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// When to send the text through a pager (TFVIEW_PAGER, PAGER, or less -FRX)
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub pager: When,

    /// Exit with 2 when the plan holds changes
    #[arg(long)]
    pub detailed_exitcode: bool,

    /// A plan of the same configuration: without a schema, the layout of a state is inferred from it too
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,

    /// Accepted because the tools need it; it changes nothing
    #[arg(long, hide = true)]
    pub json: bool,

    /// The plans and states, as JSON or as saved plans, or directories of them; - or nothing for standard input
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

    /// Accepted because the tools need it; it changes nothing
    #[arg(long, hide = true)]
    pub json: bool,

    /// Read a FILE that is still being written, from its beginning until its run ends
    #[arg(long, requires = "file")]
    pub follow: bool,

    /// The messages of the run; - or nothing for standard input
    pub file: Option<PathBuf>,
}

/// `tfview run`
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// How to display the run.
    #[command(flatten)]
    pub run: RunDisplayArgs,

    /// Accepted because the tools need it; it is added anyway
    #[arg(long, hide = true)]
    pub json: bool,

    /// Show the review of the plan instead of its text (`plan`, and `apply` that asks)
    #[arg(long)]
    pub review: bool,

    /// The tool and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "COMMAND")]
    pub command: Vec<std::ffi::OsString>,
}

/// Options on how a run is displayed.
#[derive(Debug, Default, clap::Args)]
pub struct RunDisplayArgs {
    /// The plan that is applied (JSON or saved); its whole text stands where the tool prints it
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,

    /// How to show progress: a live region, log lines, or not at all; auto tells by terminal and CI
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub progress: ProgressChoice,

    /// Put the time before each line
    #[arg(long, value_enum, value_name = "CLOCK", default_value_t)]
    pub timestamps: TimestampChoice,

    /// Show warnings by their summaries only, unless there are errors
    #[arg(long)]
    pub compact_warnings: bool,

    /// Leave out the lines for each object (Refreshing…, Creating…, complete): show the plan, errors, the
    /// summary and the outputs
    #[arg(long)]
    pub concise: bool,

    /// One heartbeat for all that is running instead of a line for each
    #[arg(long)]
    pub quiet_progress: bool,

    /// Name the N resources that took longest at the end
    #[arg(long, value_name = "N")]
    pub slowest: Option<usize>,

    /// Write a report of the tests (`test -json`) to FILE, as JUnit's XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write the messages to FILE as they came
    #[arg(long, value_name = "FILE")]
    pub tee: Option<PathBuf>,
}

/// Which changes outside of the tool are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum DriftChoice {
    /// Those that the plan's result depends on; the others are named in one line.
    #[default]
    Relevant,
    /// All.
    All,
}

/// `tfview review`
#[derive(Debug, clap::Args)]
pub struct ReviewArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// The format to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: FormatChoice,

    /// Write another format to a file as well (repeatable): markdown=comment.md
    #[arg(long, value_name = "FORMAT=FILE")]
    pub out: Vec<String>,

    /// Keep markdown below this size: bytes, or github, gitlab, azure, bitbucket
    #[arg(long, value_name = "N")]
    pub max_bytes: Option<String>,

    /// Show these actions only: create,update,replace,destroy,…
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Show addresses that match this glob only (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,

    /// Leave out addresses that match this glob (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Show resources of this type only (repeatable)
    #[arg(long = "type", value_name = "TYPE")]
    pub types: Vec<String>,

    /// Show resources of this module only (repeatable)
    #[arg(long, value_name = "MODULE")]
    pub module: Vec<String>,

    /// Count changes of attributes that match this glob instead of showing them (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub ignore_attr: Vec<String>,

    /// Print what differs from this plan, which was approved, before the review
    #[arg(long, value_name = "PLAN")]
    pub since: Option<PathBuf>,

    /// How many levels of values to show; what lies deeper is counted in one line
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,

    /// How many unchanged lines of a text to show around a change [default: 2]; `all` shows all values:
    /// what does not change, and whole objects that are created or destroyed
    #[arg(long, value_name = "N")]
    pub context: Option<ContextChoice>,

    /// What to show of changes outside of the tool: what the plan depends on, or all
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    pub drift: DriftChoice,

    /// One line for each resource
    #[arg(long)]
    pub list: bool,

    /// Group by module
    #[arg(long)]
    pub tree: bool,

    /// Exit with 3 if a plan does one of these: destroy (replacements too), delete, replace, replace-forget,
    /// forget, update, create, import, move, drift, warning, error, deferred, output, action, any; filters open no gate
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub fail_on: Vec<String>,

    /// Exit with 2 when a plan holds changes
    #[arg(long)]
    pub detailed_exitcode: bool,

    /// When to send the text through a pager (TFVIEW_PAGER, PAGER, or less -FRX)
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub pager: When,

    /// The plans; - or nothing for standard input
    pub files: Vec<PathBuf>,
}
