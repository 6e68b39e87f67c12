//! The arguments of `tfview review`.

use std::path::PathBuf;

use crate::cli::args::{CI, ConfigArgs, DISPLAY, DisplayArgs, FILTERS, INPUT, When};
use crate::cli::choices::{DriftChoice, FormatChoice, context};
use crate::cli::units::NamedFile;
use crate::cli::values::{GateWord, OutFile, budget, gate, kind};
use crate::report::Budget;
use crate::review::ChangeKind;
use crate::with::web_address;

/// Examples for the help.
pub(crate) const EXAMPLES: &str = "\
Examples:
  tfview review plan.json
  tfview review --format markdown --max-bytes github plan.json > comment.md
  tfview review --fail-on destroy,replace plan.json";

/// `tfview review`
#[derive(Debug, clap::Args)]
pub struct ReviewArgs {
    /// How to read and display.
    #[command(flatten)]
    pub display: DisplayArgs,

    /// Format to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, help_heading = DISPLAY)]
    pub format: FormatChoice,

    /// Also write this format to a file (repeatable)
    ///
    /// For example `--out markdown=comment.md --out json=review.json`.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = OutFile::<FormatChoice>::parse, help_heading = CI)]
    pub out: Vec<OutFile<FormatChoice>>,

    /// The configuration file of the project.
    #[command(flatten)]
    pub config: ConfigArgs,

    /// Configuration directory, to show the lines of resources
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub source: Option<PathBuf>,

    /// Results of another tool about the plan (repeatable)
    ///
    /// SARIF or JSON of scanners, policies and Infracost.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub with: Vec<PathBuf>,

    /// Base URL of the files, for links in Markdown and HTML
    #[arg(long, value_name = "URL", requires = "source", value_parser = web_url, hide_short_help = true, help_heading = DISPLAY)]
    pub source_url: Option<String>,

    /// URL of the run, for a link in head and foot
    #[arg(long, value_name = "URL", value_parser = web_url, hide_short_help = true, help_heading = CI)]
    pub run_url: Option<String>,

    /// Title of the page
    #[arg(long, value_name = "TEXT", hide_short_help = true, help_heading = DISPLAY)]
    pub title: Option<String>,

    /// Keep Markdown and text within N bytes
    ///
    /// Instead of a number, name a system for its limit: github, gitlab, azure or bitbucket. JSON becomes an extract.
    #[arg(long, value_name = "N", value_parser = budget, help_heading = CI)]
    pub max_bytes: Option<Budget>,

    /// Show only these actions, such as destroy,replace
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',', value_parser = kind(), hide_possible_values = true, help_heading = FILTERS)]
    pub only: Vec<ChangeKind>,

    /// Show only changes with findings
    #[arg(long, help_heading = FILTERS)]
    pub only_findings: bool,

    /// Show this resource or module in full (repeatable)
    ///
    /// All values are shown, unless they are sensitive. --fail-on looks at the whole plan.
    #[arg(long, value_name = "ADDRESS", help_heading = FILTERS)]
    pub address: Vec<String>,

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

    /// Count changes of attributes that match instead of showing them (repeatable)
    #[arg(long, value_name = "GLOB", hide_short_help = true, help_heading = FILTERS)]
    pub ignore_attr: Vec<String>,

    /// First show the differences from this approved plan
    #[arg(long, value_name = "PLAN", help_heading = DISPLAY)]
    pub since: Option<PathBuf>,

    /// Show N levels of values, and count what is deeper
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = FILTERS)]
    pub depth: Option<usize>,

    /// Unchanged lines around changed text, or all
    ///
    /// The default is 2. `all` also shows unchanged values, and all values of created and destroyed objects.
    #[arg(long, value_name = "N", value_parser = context, help_heading = DISPLAY)]
    pub context: Option<usize>,

    /// Changes outside of the tool to show
    ///
    /// relevant (the default) shows those that the plan depends on, and lists the others in one line.
    #[arg(long, value_enum, value_name = "WHICH", help_heading = FILTERS)]
    pub drift: Option<DriftChoice>,

    /// Print input variables with values, unless sensitive
    #[arg(long, hide_short_help = true, help_heading = DISPLAY)]
    pub variables: bool,

    /// Print the fingerprint of the plan
    ///
    /// It is in --format json, and at the end of Markdown and pages, without this.
    #[arg(long, hide_short_help = true, help_heading = DISPLAY)]
    pub fingerprint: bool,

    /// Print one line per resource
    #[arg(long, help_heading = DISPLAY)]
    pub list: bool,

    /// Group resources by module
    #[arg(long, help_heading = DISPLAY)]
    pub tree: bool,

    /// Exit with 3 if a plan has one of these changes
    ///
    /// The list is separated by commas: destroy (replacements too), delete, replace, replace-forget, forget,
    /// other, update, create, read, import, move, drift, warning, error, deferred, output, action, any,
    /// finding:KIND (data-loss, exposure, protection, downtime, unknown, secret), and level:LEVEL (critical,
    /// warning, notice, each with the graver ones), with:error, with:warning and with:note. Filters do not affect it.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = gate(), hide_possible_values = true, help_heading = CI)]
    pub fail_on: Vec<GateWord>,

    /// Exit with 2 if a plan has changes
    #[arg(long, help_heading = CI)]
    pub detailed_exitcode: bool,

    /// When to use a pager
    ///
    /// The pager is TFVIEW_PAGER, PAGER, or `less -FRX`.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = DISPLAY)]
    pub pager: When,

    /// Call the plan in FILE by this name (repeatable)
    ///
    /// By default, plans found in a directory are called by their directory below it.
    #[arg(long = "unit", value_name = "NAME=FILE", value_parser = NamedFile::parse, hide_short_help = true, help_heading = INPUT)]
    pub units: Vec<NamedFile>,

    /// Report of a Terragrunt run, with units that failed or were excluded (repeatable)
    ///
    /// It is what `terragrunt run --all --report-file FILE` writes, as JSON or CSV.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = INPUT)]
    pub report: Vec<PathBuf>,

    /// Plans (JSON or saved plans), directories that are searched for them, or - for stdin
    pub files: Vec<PathBuf>,
}

/// Parses a URL, which must not contain characters that could end a link.
fn web_url(text: &str) -> Result<String, String> {
    web_address(text).map(str::to_owned).ok_or_else(|| "expected an http or https URL".to_owned())
}
