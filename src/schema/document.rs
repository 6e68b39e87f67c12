//! Recognises documents with schemas, and those that users mistake for them.

use serde::Deserialize;

use super::Error;
use crate::json::Raw;

/// The members by which a document is recognised.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Document<'s> {
    #[serde(borrow)]
    pub(super) format_version: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) provider_format_version: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) provider_schemas: Option<Raw<'s>>,
    // The members of a Provider Code Specification:
    #[serde(borrow)]
    pub(super) provider: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) version: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) resources: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) datasources: Option<Raw<'s>>,
    // The members of documents that users mistake for schemas:
    #[serde(borrow)]
    pub(super) resource_changes: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) planned_values: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) values: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) root_module: Option<Raw<'s>>,
    #[serde(borrow)]
    pub(super) terraform_version: Option<Raw<'s>>,
    #[serde(borrow, rename = "@level")]
    pub(super) level: Option<Raw<'s>>,
}

impl Document<'_> {
    /// Whether this is a Provider Code Specification: the only document with a provider and a version or
    /// types, but no `format_version`.
    pub(super) fn is_specification(&self) -> bool {
        self.format_version.is_none()
            && (self.version.is_some() || self.resources.is_some() || self.datasources.is_some())
    }

    /// The likely kind of a document without schemas.
    pub(super) fn likely_kind(&self) -> Option<&'static str> {
        if self.resource_changes.is_some() || self.planned_values.is_some() {
            Some("a plan without provider schemas")
        } else if self.values.is_some() || self.root_module.is_some() {
            Some("a state without provider schemas")
        } else if self.terraform_version.is_some() && self.version.is_some() {
            Some("a raw state file")
        } else if self.terraform_version.is_some() {
            Some("a plan or state without provider schemas")
        } else if self.level.is_some() {
            Some("a log of messages")
        } else {
            None
        }
    }
}

/// Rejects newer major versions. Newer minor versions are backward compatible.
pub(super) fn check_version(version: Option<Raw<'_>>) -> Result<(), Error> {
    let Some(version) = version else { return Ok(()) };
    let text = version.text().trim_matches('"');
    match text.split('.').next().and_then(|major| major.parse::<u64>().ok()) {
        Some(0 | 1) | None => Ok(()),
        Some(_) => Err(Error::Version(text.to_owned())),
    }
}
