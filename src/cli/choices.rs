//! The values of options that accept a few words.

use clap::ValueEnum;

/// Parses a width in columns.
pub(super) fn columns(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|columns| *columns > 0).ok_or_else(|| "expected a number of columns".to_owned())
}

/// The value `all` of `--context`.
pub(super) const ALL_CONTEXT: usize = usize::MAX;

/// Parses a value of `--context`: a number of lines, or `all`.
pub(super) fn context(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(ALL_CONTEXT),
        _ => text.parse().map_err(|_| "expected a number of lines, or all".to_owned()),
    }
}

/// When to use colours, or a pager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// When the output is a terminal, and the environment does not say otherwise
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The mode of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlanModeChoice {
    /// Infer the mode from the plan
    #[default]
    Auto,
    /// `plan` without one of the options below
    Normal,
    /// `plan -destroy`
    Destroy,
    /// `plan -refresh-only`
    RefreshOnly,
}

/// A CI system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CiChoice {
    /// Detect the system from the environment
    #[default]
    Auto,
    /// No CI system
    None,
    /// GitHub Actions
    Github,
    /// GitLab CI
    Gitlab,
    /// Azure Pipelines
    Azure,
}

/// How to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressChoice {
    /// live on a terminal, log elsewhere
    #[default]
    Auto,
    /// A region of the terminal that is redrawn
    Live,
    /// Lines of text
    Log,
    /// No progress
    None,
}

/// A format of `tfview review`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    /// Text for a terminal
    #[default]
    Terminal,
    /// Markdown for pull requests
    #[value(alias = "md")]
    Markdown,
    /// A page that can be kept and opened anywhere
    Html,
    /// JSON for scripts
    Json,
    /// GitLab's Terraform report, for the counts in a merge request
    GitlabReport,
    /// Findings for code scanning
    Sarif,
}

/// A format that a run can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// A page that can be kept and opened anywhere
    Html,
}

/// Which changes outside of the tool are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DriftChoice {
    /// Those that the plan depends on; the others are listed in one line
    #[default]
    Relevant,
    /// All of them
    All,
}
