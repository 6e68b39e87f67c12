//! Finds `CODEOWNERS` in the repository of the configuration.
//!
//! The repository is the nearest directory above that has `.git`; without one, it is the directory of the configuration.
//! Nothing else outside of that directory is read.

use std::path::{Path, PathBuf};

use super::{SourceTree, read_text, slashed};
use crate::owners::{MAX_LEN, Owners, Platform};
use crate::review::entry::SourcePlace;
use crate::term::CiSystem;

/// The owners of the files of a configuration.
#[derive(Debug)]
pub(in crate::cli) struct SourceOwners {
    owners: Owners,
    /// The directory as given, and as it is called from the root of the repository.
    named: String,
    below: String,
}

impl SourceOwners {
    /// The owners in the repository of a configuration. `None` if it has no `CODEOWNERS`.
    pub(in crate::cli) fn find(tree: &SourceTree<'_>) -> Option<Self> {
        let root = tree.root.ancestors().find(|above| above.join(".git").exists()).unwrap_or(&tree.root);
        let platform = match tree.host.environment.ci {
            Some(CiSystem::GitLab) => Platform::GitLab,
            Some(CiSystem::GitHub) => Platform::GitHub,
            Some(_) | None => guessed(root),
        };
        let paths = platform.folders().map(|folder| root.join(folder).join("CODEOWNERS"));
        let path: &PathBuf = paths.iter().find(|path| path.is_file())?;
        let owners = Owners::parse(&read_text(path, path, MAX_LEN, tree.host)?, platform);
        let below = slashed(tree.root.strip_prefix(root).unwrap_or(Path::new("")));
        Some(Self { owners, named: tree.named.clone(), below })
    }

    /// The owners of the file of a resource, or of the call of its module.
    pub(in crate::cli) fn of(&mut self, place: &SourcePlace) -> Vec<Vec<String>> {
        let Some((file, _)) = &place.own else { return Vec::new() };
        let file = file.strip_prefix(&*self.named).unwrap_or(file).trim_start_matches('/');
        self.owners.of(&format!("{}/{file}", self.below))
    }
}

/// The platform of a repository outside of its CI system.
fn guessed(root: &Path) -> Platform {
    let has = |name: &str| root.join(name).exists();
    let is_gitlab = has(".gitlab-ci.yml") || has(".gitlab/CODEOWNERS");
    if is_gitlab && !has(".github") { Platform::GitLab } else { Platform::GitHub }
}
