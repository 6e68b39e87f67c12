//! What an option can be set to, where that is one of a few words.

use clap::ValueEnum;

/// How much of what does not change is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextChoice {
    /// So many lines of a text around a change.
    Lines(usize),
    /// All, values too.
    All,
}

impl ContextChoice {
    /// The lines of a text.
    pub fn lines(self) -> usize {
        match self {
            Self::Lines(lines) => lines,
            Self::All => usize::MAX,
        }
    }
}

impl std::str::FromStr for ContextChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::Lines).map_err(|_| "it is a number of lines, or all".to_owned()),
        }
    }
}

/// Yes, no, or as the surroundings have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// As the surroundings have it
    #[default]
    Auto,
    /// Yes
    Always,
    /// No
    Never,
}

/// Which plan mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PlanModeChoice {
    /// Inferred from the plan
    #[default]
    Auto,
    /// Neither of the others
    Normal,
    /// `plan -destroy`
    Destroy,
    /// `plan -refresh-only`
    RefreshOnly,
}

/// Which CI system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CiChoice {
    /// By the environment
    #[default]
    Auto,
    /// None
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
    /// By terminal and CI system
    #[default]
    Auto,
    /// A region that is redrawn
    Live,
    /// Lines
    Log,
    /// Not at all
    None,
}

/// Which clock to put before lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TimestampChoice {
    /// None
    #[default]
    None,
    /// Coordinated Universal Time
    Utc,
    /// The time zone that the messages were written in
    Local,
    /// Time since the first message
    Relative,
}

/// A format of `tfview review`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    /// Text
    #[default]
    Terminal,
    /// Markdown for pull requests
    #[value(alias = "md")]
    Markdown,
    /// A page that needs nothing else
    Html,
    /// A document for programs
    Json,
    /// GitLab's terraform report: the counts that a merge request shows
    GitlabReport,
}
