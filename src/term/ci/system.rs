//! CI systems and the capabilities of their logs.

/// A continuous integration system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiSystem {
    /// GitHub Actions, and the compatible Gitea and Forgejo Actions.
    GitHub,
    /// GitLab CI.
    GitLab,
    /// Azure Pipelines.
    Azure,
    /// Another system whose log shows colours.
    Colourful,
    /// Another system (`CI` is set). Its log may show escape sequences literally.
    Other,
}

impl CiSystem {
    /// Whether the log shows colours.
    pub fn shows_ansi(self) -> bool {
        self != Self::Other
    }

    /// Whether the log supports folds.
    pub fn folds(self) -> bool {
        matches!(self, Self::GitHub | Self::GitLab | Self::Azure)
    }
}
