//! What can be typed after `tfview schema`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use crate::cli::args::{CiChoice, DisplayArgs, When};

/// `tfview schema`
#[derive(Debug, clap::Args)]
pub struct SchemaArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: SchemaCommand,
}

/// The subcommands of `tfview schema`.
#[derive(Debug, Subcommand)]
pub enum SchemaCommand {
    /// List resources, data sources, functions and everything else that has a schema
    #[command(after_help = LIST_EXAMPLES)]
    List(ListArgs),
    /// Print the schema of a type, or of a part of it
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowSchemaArgs),
    /// Find names and descriptions that contain a word
    #[command(after_help = SEARCH_EXAMPLES)]
    Search(SearchArgs),
    /// Check Provider Code Specifications (version 0.1)
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Compare two versions of schemas: what breaks configurations, what may, what is fine
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(DiffArgs),
    /// Keep schemas for later: `show`, `stream` and `review` use them by themselves
    #[command(after_help = ADD_EXAMPLES)]
    Add(AddArgs),
}

const LIST_EXAMPLES: &str = "\
Examples:
  tfview schema list --schemas schemas.json
  tfview schema list data 'aws_s3_*'
  tofu providers schema -json | tfview schema list --schemas - function";

const SHOW_EXAMPLES: &str = "\
Examples:
  tfview schema show aws_instance
  tfview schema show aws_instance.root_block_device
  tfview schema show data.aws_ami --format markdown";

const SEARCH_EXAMPLES: &str = "\
Example:
  tfview schema search kms key";

const CHECK_EXAMPLES: &str = "\
Examples:
  tfview schema check provider_code_spec.json
  tfview schema check --ci github spec/*.json

Exit codes: 0 no errors; 1 errors, or warnings with --strict.";

const DIFF_EXAMPLES: &str = "\
Example:
  tfview schema diff --fail-on breaking old.json new.json

Exit codes: 0 fine; 1 an error; 3 a --fail-on condition holds.";

const ADD_EXAMPLES: &str = "\
Examples:
  tfview schema add schemas.json
  tfview schema add                   in a folder with a configuration, after `tofu init`";

/// Options on how the text is displayed.
#[derive(Debug, Default, clap::Args)]
pub struct ViewArgs {
    /// The format to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: SchemaFormat,

    /// When to use colours; auto follows NO_COLOR, CLICOLOR_FORCE, CLICOLOR, the terminal and the CI system
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, overrides_with = "no_color")]
    pub color: When,

    /// The same as --color never
    #[arg(long, overrides_with = "color")]
    pub no_color: bool,

    /// The width to wrap to; by default the terminal's, or 78
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u32).range(1..))]
    pub width: Option<u32>,

    /// When to send the text through a pager (TFVIEW_PAGER, PAGER, or less -FRX)
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub pager: When,
}

impl ViewArgs {
    /// The same as options of the other subcommands, from which settings are made.
    pub(super) fn display(&self, schemas: &[PathBuf], ci: Option<CiChoice>) -> DisplayArgs {
        DisplayArgs {
            schemas: schemas.to_vec(),
            color: self.color,
            no_color: self.no_color,
            width: self.width,
            ci,
            ..DisplayArgs::default()
        }
    }
}

/// A format of `tfview schema`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// Text for a terminal
    #[default]
    Text,
    /// Markdown
    Markdown,
    /// A document for programs
    Json,
}

/// `tfview schema list`
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// How to display.
    #[command(flatten)]
    pub view: ViewArgs,

    /// Where the schemas are: output of `providers schema -json`, or a Provider Code Specification
    /// (repeatable; - for standard input); by default those kept by `schema add`
    #[arg(long, value_name = "FILE")]
    pub schemas: Vec<PathBuf>,

    /// A kind (resource, data, ephemeral, list, action, function, identity, provider) and a glob over names;
    /// either can be left out
    #[arg(value_names = ["KIND", "GLOB"], num_args = 0..=2)]
    pub filter: Vec<String>,
}

/// `tfview schema show`
#[derive(Debug, clap::Args)]
pub struct ShowSchemaArgs {
    /// How to display.
    #[command(flatten)]
    pub view: ViewArgs,

    /// Where the schemas are: output of `providers schema -json`, or a Provider Code Specification
    /// (repeatable; - for standard input); by default those kept by `schema add`
    #[arg(long, value_name = "FILE")]
    pub schemas: Vec<PathBuf>,

    /// A type, and the path of a part of it: aws_instance, aws_instance.root_block_device, data.aws_ami,
    /// function.arn_parse, provider.aws
    #[arg(value_name = "TYPE[.PATH]", required = true)]
    pub names: Vec<String>,
}

/// `tfview schema search`
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    /// How to display.
    #[command(flatten)]
    pub view: ViewArgs,

    /// Where the schemas are: output of `providers schema -json`, or a Provider Code Specification
    /// (repeatable; - for standard input); by default those kept by `schema add`
    #[arg(long, value_name = "FILE")]
    pub schemas: Vec<PathBuf>,

    /// Search names only, not descriptions
    #[arg(long)]
    pub names: bool,

    /// The words, all of which must occur; case does not matter
    #[arg(value_name = "WORD", required = true)]
    pub words: Vec<String>,
}

/// `tfview schema check`
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// How to display.
    #[command(flatten)]
    pub view: ViewArgs,

    /// Write annotations for this CI system, to standard error
    #[arg(long, value_enum, value_name = "SYSTEM")]
    pub ci: Option<CiChoice>,

    /// Exit with 1 for warnings too
    #[arg(long)]
    pub strict: bool,

    /// The specifications; - for standard input
    #[arg(value_name = "SPEC", required = true)]
    pub files: Vec<PathBuf>,
}

/// `tfview schema diff`
#[derive(Debug, clap::Args)]
pub struct DiffArgs {
    /// How to display.
    #[command(flatten)]
    pub view: ViewArgs,

    /// Exit with 3 if there is a change of this severity, or a worse one
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<SeverityChoice>,

    /// The old schemas
    pub old: PathBuf,

    /// The new schemas
    pub new: PathBuf,
}

/// A severity that `--fail-on` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeverityChoice {
    /// Valid configurations may become invalid
    Breaking,
    /// Breaking, or perhaps breaking
    Perhaps,
    /// Any change
    Any,
}

/// `tfview schema add`
#[derive(Debug, clap::Args)]
pub struct AddArgs {
    /// The schemas; - for standard input; without any, those of the configuration in this folder
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
