//! The CI systems, and what their logs can show.

/// A system that runs jobs and keeps their logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CiSystem {
    /// GitHub Actions (and Gitea's and Forgejo's, which speak the same).
    GitHub,
    /// GitLab CI.
    GitLab,
    /// Azure Pipelines.
    Azure,
    /// Another one, whose log shows colours.
    Colourful,
    /// Another one (`CI` is set); its log may show escape codes as they are.
    Other,
}

impl CiSystem {
    /// Whether its log shows colours.
    pub fn shows_ansi(self) -> bool {
        match self {
            Self::GitHub | Self::GitLab | Self::Azure | Self::Colourful => true,
            Self::Other => false,
        }
    }

    /// Whether its log folds.
    pub fn folds(self) -> bool {
        match self {
            Self::GitHub | Self::GitLab | Self::Azure => true,
            Self::Colourful | Self::Other => false,
        }
    }
}
