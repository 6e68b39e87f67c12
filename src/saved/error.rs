//! What is wrong with a saved plan or a raw state.

use std::fmt;

/// The reason why a file cannot be read. Its text is a sentence fragment that follows "cannot read FILE: ".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The archive, or an entry of it, is damaged or truncated.
    Archive(String),
    /// A ZIP archive that neither is a saved plan nor holds exactly one plan.
    OtherArchive {
        /// The names of the first files.
        names: Vec<String>,
        /// How many more files there are.
        more: usize,
        /// The names of the plans, if there are several.
        plans: Vec<String>,
    },
    /// An entry is larger, when decompressed, than the archive can hold.
    TooLarge {
        /// The name of the entry.
        entry: String,
        /// The largest accepted size, in bytes.
        limit: u64,
    },
    /// A message of protocol buffers or a value of MessagePack is malformed.
    Malformed {
        /// Where: an address, or a member of the plan.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// The plan or state has a version that is not supported.
    Version {
        /// What has it: `saved plan` or `state`.
        what: &'static str,
        /// The version in the file.
        version: u64,
        /// The supported version.
        supported: u64,
    },
    /// The plan or state is encrypted.
    Encrypted,
    /// A bookmark of a plan that is kept by a remote system.
    Bookmark {
        /// The host of that system.
        host: String,
        /// The ID of the run.
        run: String,
    },
    /// The state has attributes in the form of releases before 0.12.
    FlatAttributes(String),
}

impl Error {
    /// A malformed message or value.
    pub(super) fn malformed(place: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self::Malformed { place: place.into(), problem: problem.to_string() }
    }

    /// The same error at a place, if it does not name one yet.
    pub(super) fn at(mut self, place: &str) -> Self {
        if let Self::Malformed { place: inner, .. } = &mut self
            && inner.is_empty()
        {
            place.clone_into(inner);
        }
        self
    }

    /// What to try.
    pub fn tip(&self) -> String {
        match self {
            Self::Archive(_) | Self::TooLarge { .. } | Self::Malformed { .. } => {
                "is the file complete? The tool that wrote it may still read it: `--via-tool`".to_owned()
            }
            Self::OtherArchive { plans, .. } if plans.is_empty() => {
                "a saved plan is the file that `plan -out=FILE` writes".to_owned()
            }
            Self::OtherArchive { .. } => "take the plan to read out of the archive".to_owned(),
            Self::Version { .. } | Self::FlatAttributes(_) => {
                "use the output of `terraform show -json` (or `tofu show -json`) of a release that reads it"
                    .to_owned()
            }
            Self::Encrypted => "use the output of `tofu show -json`, in a folder with the key".to_owned(),
            Self::Bookmark { .. } => {
                "use the output of `terraform show -json`, with the right to read that run".to_owned()
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Archive(problem) => write!(f, "damaged ZIP archive: {problem}"),
            Self::OtherArchive { names, more, plans } if plans.is_empty() => {
                write!(f, "a ZIP archive without a plan; it holds {}", names.join(", "))?;
                if *more > 0 { write!(f, " and {more} more") } else { Ok(()) }
            }
            Self::OtherArchive { plans, .. } => {
                write!(f, "a ZIP archive with several plans: {}", plans.join(", "))
            }
            Self::TooLarge { entry, limit } => {
                write!(f, "`{entry}` in the saved plan is larger than {limit} bytes when decompressed")
            }
            Self::Malformed { place, problem } if place.is_empty() => f.write_str(problem),
            Self::Malformed { place, problem } => write!(f, "{place}: {problem}"),
            Self::Version { what, version, supported } => {
                write!(f, "a {what} of version {version}; only version {supported} is supported")
            }
            Self::Encrypted => f.write_str("encrypted"),
            Self::Bookmark { host, run } => {
                write!(f, "a bookmark of the run {run} on {host}, which keeps the plan itself")
            }
            Self::FlatAttributes(address) => {
                write!(f, "{address} has the flat attributes of a release before 0.12")
            }
        }
    }
}

impl std::error::Error for Error {}
