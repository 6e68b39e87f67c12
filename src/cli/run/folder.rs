//! The working directory of the tool: its backend, its workspace.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use super::invocation::Invocation;
use crate::cli::Host;

/// The working directory of the tool.
#[derive(Debug)]
pub(super) struct Folder {
    /// The tool's data directory.
    data: PathBuf,
    /// `TF_WORKSPACE`.
    workspace: Option<String>,
}

impl Folder {
    /// The directory in which the tool works: this one, or that of `-chdir`.
    pub(super) fn new(invocation: &Invocation, host: &Host) -> Self {
        let variables = &host.environment.tools;
        let data =
            Self::path(invocation).join(variables.data_dir.clone().unwrap_or_else(|| ".terraform".into()));
        Self { data, workspace: variables.workspace.clone() }
    }

    /// Its path.
    pub(super) fn path(invocation: &Invocation) -> PathBuf {
        invocation.chdir().map_or_else(|| ".".into(), PathBuf::from)
    }

    /// The type of the backend with which the directory was initialised, if plans are made elsewhere with it.
    pub(super) fn remote_backend(&self) -> Option<String> {
        #[derive(Deserialize)]
        struct Initialised {
            backend: Backend,
        }
        #[derive(Deserialize)]
        struct Backend {
            r#type: String,
        }
        let text = fs::read_to_string(self.data.join("terraform.tfstate")).ok()?;
        let Initialised { backend } = serde_json::from_str(&text).ok()?;
        matches!(&*backend.r#type, "remote" | "cloud").then_some(backend.r#type)
    }

    /// The selected workspace.
    pub(super) fn workspace(&self) -> String {
        let selected = || {
            let text = fs::read_to_string(self.data.join("environment")).ok()?;
            Some(text.trim().to_owned()).filter(|name| !name.is_empty())
        };
        self.workspace.clone().or_else(selected).unwrap_or_else(|| "default".to_owned())
    }
}
