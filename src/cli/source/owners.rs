//! Finds the `CODEOWNERS` of the repository that a directory of configuration is in.

use std::path::Path;

use super::files::{read_text, slashed};
use crate::cli::Host;
use crate::owners::{self, Owners, OwnersOfFile, Platform};
use crate::term::CiSystem;

/// The owners of the files below a directory.
#[derive(Debug)]
pub(super) struct CodeOwners {
    /// The rules of the repository.
    owners: Owners,
    /// The path of the directory in the repository.
    directory: String,
}

impl CodeOwners {
    /// Reads the `CODEOWNERS` of the repository that a directory is in. `None` if there is none, or it cannot be read.
    pub(super) fn find(directory: &Path, host: &Host) -> Option<Self> {
        let root = repository_of(directory).unwrap_or(directory);
        let platform = platform_of(root, host);
        let path = platform
            .folders()
            .map(|folder| root.join(folder).join("CODEOWNERS"))
            .into_iter()
            .find(|path| path.is_file())?;
        let text = read_text(&path, &path, owners::MAX_LEN, host)?;
        let owners = match Owners::parse(&text, platform) {
            Ok(owners) => owners,
            Err(error) => {
                host.note(&format!("no owners are named: {}: {error}", path.display()));
                return None;
            }
        };
        Some(Self {
            owners,
            directory: slashed(directory.strip_prefix(root).unwrap_or(Path::new(""))),
        })
    }

    /// Returns the owners of a file, given by its path below the directory. A note tells if some are left out.
    pub(super) fn of(&mut self, file: &str, host: &Host) -> OwnersOfFile {
        let was_noted = self.owners.leaves_out;
        let owners_of_file = self.owners.of(&format!("{}/{file}", self.directory));
        if self.owners.leaves_out && !was_noted {
            host.note(&format!(
                "{file} has more than {} owners; only the first are named",
                owners::MAX_NAMED
            ));
        }
        owners_of_file
    }
}

/// Returns the platform that hosts a repository: that of the CI system or, elsewhere, the one whose files it has.
fn platform_of(root: &Path, host: &Host) -> Platform {
    let has = |name: &str| root.join(name).exists();
    match host.environment.ci {
        Some(CiSystem::GitLab) => Platform::GitLab,
        Some(CiSystem::GitHub) => Platform::GitHub,
        Some(_) | None => {
            let is_gitlab = !has(".github") && (has(".gitlab-ci.yml") || has(".gitlab/CODEOWNERS"));
            if is_gitlab {
                Platform::GitLab
            } else {
                Platform::GitHub
            }
        }
    }
}

/// Returns the root of the repository that a directory is in: the nearest directory upwards that has `.git`.
pub(in crate::cli) fn repository_of(directory: &Path) -> Option<&Path> {
    directory
        .ancestors()
        .find(|above| above.join(".git").exists())
}
