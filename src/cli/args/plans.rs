//! The arguments of `tfview review` and `tfview diff`.

use std::path::PathBuf;

use super::{CI, DISPLAY, DisplayArgs, FILTERS, INPUT};
use crate::cli::values::NamedFile;
use crate::cli::values::{
    DiffFormat, DriftChoice, FormatChoice, GateWord, OutFile, When, budget, comparison_gate,
    context, gate, kind, web_url,
};
use crate::compare::Gate;
use crate::report::Budget;
use crate::review::allow::Allow;
use crate::review::{ChangeKind, Filter};

pub(super) const REVIEW_EXAMPLES: &str = "\
Examples:
  tfview review plan.json
  tfview review --format markdown --max-bytes github plan.json > comment.md
  tfview review --fail-on destroy,replace plan.json";

/// Which changes of plans are shown. Gates look at all of them.
#[derive(Debug, Default, clap::Args)]
pub struct SelectionArgs {
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
}

impl SelectionArgs {
    /// Returns the filter for these changes.
    pub(in crate::cli) fn filter(&self) -> Filter {
        Filter {
            only: self.only.clone(),
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            types: self.types.clone(),
            modules: self.module.clone(),
            only_findings: self.only_findings,
            ..Filter::default()
        }
    }
}

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
    #[arg(long, value_name = "FORMAT=FILE", help_heading = CI)]
    pub out: Vec<OutFile<FormatChoice>>,

    /// The configuration file of the project.
    #[command(flatten)]
    pub config: ConfigArgs,

    /// Configuration directory, to show the lines of resources
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub source: Option<PathBuf>,

    /// Names to show instead of identifiers
    ///
    /// A line for each, such as `subnet-0a17c09d private-a`.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = INPUT)]
    pub names: Option<PathBuf>,

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

    /// Title of the page and of the comment
    #[arg(long, value_name = "TEXT", hide_short_help = true, help_heading = DISPLAY)]
    pub title: Option<String>,

    /// Keep Markdown and text within N bytes
    ///
    /// Instead of a number, name a system for its limit: github, gitlab, azure or bitbucket. JSON is never cut.
    #[arg(long, value_name = "N", value_parser = budget, help_heading = CI)]
    pub max_bytes: Option<Budget>,

    /// Which changes are shown.
    #[command(flatten)]
    pub selection: SelectionArgs,

    /// Show this resource or module in full (repeatable)
    ///
    /// All values are shown, unless they are sensitive. --fail-on looks at the whole plan.
    #[arg(long, value_name = "ADDRESS", help_heading = FILTERS)]
    pub address: Vec<String>,

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

    /// Exit with 3 unless everything in a plan has one of these directions
    ///
    /// The list is separated by commas: harmless (narrower, stronger, more, keeps, starts, words, same and moved),
    /// any direction of docs/meaning.md, newer:STEP (major, minor, patch, build), and `*` for all of them; `-stops`
    /// takes one out. Hidden values, left drift, failed checks, failed and partial plans and forgotten objects are
    /// allowed only by name: hidden, drift, checks, errored, partial, forgotten. Filters do not affect it.
    #[arg(long, value_name = "DIRECTIONS", value_parser = Allow::parse, allow_hyphen_values = true, help_heading = CI)]
    pub allow: Option<Allow>,

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
    /// It is what `terragrunt run --all --report-file FILE.json` writes.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = INPUT)]
    pub report: Vec<PathBuf>,

    /// Plans (JSON or saved plans), directories that are searched for them, or - for stdin
    pub files: Vec<PathBuf>,
}

/// Options on the configuration file.
#[derive(Debug, Default, clap::Args)]
pub struct ConfigArgs {
    /// Configuration file [default: the nearest .tfview.toml]
    ///
    /// It is searched in the working directory and its parents. It does not change the JSON.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", hide_short_help = true, help_heading = INPUT)]
    pub config: Option<PathBuf>,

    /// Read no configuration file
    #[arg(long, hide_short_help = true, help_heading = INPUT)]
    pub no_config: bool,
}

pub(super) const DIFF_EXAMPLES: &str = "\
Examples:
  tfview diff approved.json now.json
  tfview diff --fail-on wider approved.json now.json
  tfview diff plan.json apply.jsonl        was it done? (or state.json)
  tfview diff old.tfstate new.tfstate      what changed between two states
  tfview diff --fingerprint approved.json  a hash to keep instead of the plan
  tfview diff --approved tfview-3-… now.json";

/// `tfview diff`
#[derive(Debug, Default, clap::Args)]
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
    #[arg(long, value_name = "FORMAT=FILE", help_heading = CI)]
    pub out: Vec<OutFile<DiffFormat>>,

    /// Keep Markdown within N bytes
    ///
    /// Instead of a number, name a system for its limit: github, gitlab, azure or bitbucket.
    #[arg(long, value_name = "N", value_parser = budget, help_heading = CI)]
    pub max_bytes: Option<Budget>,

    /// List values that became known or were computed, instead of only counting them
    ///
    /// This is about a plan and its result.
    #[arg(long, help_heading = FILTERS)]
    pub list_known: bool,

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
