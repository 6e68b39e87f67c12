//! The arguments of `tfview schema`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{CI, DISPLAY, FILTERS, INPUT, StyleArgs};
use crate::cli::values::{CiChoice, SchemaFormat, When};
use crate::schema::compare::Severity;

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
    /// Compare two versions of schemas, breaking changes first
    #[command(after_help = DIFF_EXAMPLES)]
    Diff(SchemaDiffArgs),
    /// Store schemas for `show`, `stream`, `run` and `review`
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

Exit codes:
  0  no errors
  1  errors, or warnings with --strict";

const DIFF_EXAMPLES: &str = "\
Example:
  tfview schema diff --fail-on breaking old.json new.json

Exit codes:
  0  success
  1  an error
  3  a --fail-on condition is met";

const ADD_EXAMPLES: &str = "\
Examples:
  tfview schema add schemas.json
  tfview schema add             in an initialised configuration";

/// Options on how the text is displayed.
#[derive(Debug, Default, clap::Args)]
pub struct ViewArgs {
    /// Format to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t, help_heading = DISPLAY)]
    pub format: SchemaFormat,

    /// Colours and width.
    #[command(flatten)]
    pub style: StyleArgs,

    /// When to use a pager
    ///
    /// The pager is TFVIEW_PAGER, PAGER, or `less -FRX`.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = DISPLAY)]
    pub pager: When,
}

/// Options on where schemas come from.
#[derive(Debug, Default, clap::Args)]
pub struct SourceArgs {
    /// File with schemas, or - for stdin (repeatable)
    ///
    /// The output of `providers schema -json`, or a Provider Code Specification. By default the files of
    /// TFVIEW_SCHEMAS are read, or the schemas stored by `tfview schema add`.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub schemas: Vec<PathBuf>,
}

/// `tfview schema list`
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// How to display the output.
    #[command(flatten)]
    pub view: ViewArgs,

    /// The schemas to read.
    #[command(flatten)]
    pub source: SourceArgs,

    /// A kind, a glob of names, or both
    ///
    /// The kinds are resource, data, ephemeral, list, action, function, identity, provider and state_store.
    #[arg(value_names = ["KIND", "GLOB"], num_args = 0..=2)]
    pub filter: Vec<String>,
}

/// `tfview schema show`
#[derive(Debug, clap::Args)]
pub struct ShowSchemaArgs {
    /// How to display the output.
    #[command(flatten)]
    pub view: ViewArgs,

    /// The schemas to read.
    #[command(flatten)]
    pub source: SourceArgs,

    /// A type, or a part of one, such as aws_instance.root_block_device
    ///
    /// Put the kind before the name of anything but a resource: data.aws_ami, function.arn_parse, provider.aws.
    #[arg(value_name = "TYPE[.PATH]", required = true)]
    pub names: Vec<String>,
}

/// `tfview schema search`
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    /// How to display the output.
    #[command(flatten)]
    pub view: ViewArgs,

    /// The schemas to read.
    #[command(flatten)]
    pub source: SourceArgs,

    /// Search names only, not descriptions
    #[arg(long, help_heading = FILTERS)]
    pub names: bool,

    /// Words that must all occur, in any case
    #[arg(value_name = "WORD", required = true)]
    pub words: Vec<String>,
}

/// `tfview schema check`
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// How to display the output.
    #[command(flatten)]
    pub view: ViewArgs,

    /// CI system to write annotations for, on standard error
    #[arg(long, value_enum, value_name = "SYSTEM", help_heading = CI)]
    pub ci: Option<CiChoice>,

    /// Exit with 1 for warnings too
    #[arg(long, help_heading = CI)]
    pub strict: bool,

    /// Specifications, or - for stdin
    #[arg(value_name = "SPEC", required = true)]
    pub files: Vec<PathBuf>,
}

/// `tfview schema diff`
#[derive(Debug, clap::Args)]
pub struct SchemaDiffArgs {
    /// How to display the output.
    #[command(flatten)]
    pub view: ViewArgs,

    /// Exit with 3 on a change of this severity, or a worse one
    #[arg(long, value_enum, value_name = "SEVERITY", help_heading = CI)]
    pub fail_on: Option<Severity>,

    /// The old schemas
    pub old: PathBuf,

    /// The new schemas
    pub new: PathBuf,
}

/// `tfview schema add`
#[derive(Debug, clap::Args)]
pub struct AddArgs {
    /// Schemas, or - for stdin [default: those of the configuration in this directory]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
