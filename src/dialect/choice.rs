//! The dialect that the user asked for.

use std::str::FromStr;

use super::{Dialect, Release, Tool};

/// The value of `--dialect`. What it leaves open is taken from the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DialectChoice {
    /// The tool; `None` to take it from the document.
    pub tool: Option<Tool>,
    /// The release; `None` to take it from the document.
    pub release: Option<Release>,
}

impl DialectChoice {
    /// The dialect of a document written by `tool`, if it names one, in `version`, which may be empty.
    pub fn for_document(self, tool: Option<Tool>, version: &str) -> Dialect {
        Dialect {
            tool: self.tool.or(tool).unwrap_or_default(),
            release: self.release.unwrap_or_else(|| Release::parse(version)),
        }
    }
}

impl From<Dialect> for DialectChoice {
    fn from(dialect: Dialect) -> Self {
        Self { tool: Some(dialect.tool), release: Some(dialect.release) }
    }
}

/// Parses `auto`, `TOOL` or `TOOL@VERSION`.
impl FromStr for DialectChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (tool, version) = match text.split_once('@') {
            Some((tool, version)) => (tool, Some(version)),
            None => (text, None),
        };
        let release = version.map(Release::parse);
        match tool.to_ascii_lowercase().as_str() {
            "auto" if version.is_none() => Ok(Self::default()),
            "terraform" | "tf" => Ok(Self { tool: Some(Tool::Terraform), release }),
            "opentofu" | "tofu" => Ok(Self { tool: Some(Tool::OpenTofu), release }),
            _ => Err("it is auto, terraform or opentofu, or one of these tools with a version: \
                      terraform@1.5, opentofu@1.8.2"
                .to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_version_overrides_the_release_of_the_document() {
        let of = |choice: &str, tool, version| {
            choice.parse::<DialectChoice>().map(|choice| choice.for_document(tool, version)).unwrap()
        };
        let old = Dialect { tool: Tool::OpenTofu, release: Release::new(1, 6) };
        assert_eq!(of("auto", Some(Tool::OpenTofu), "1.6.3"), old);
        assert_eq!(of("opentofu", Some(Tool::Terraform), "1.6.3"), old);
        assert_eq!(of("opentofu@1.6", Some(Tool::Terraform), "1.12.0"), old);
        assert_eq!(of("opentofu@latest", None, "1.6.3"), Dialect::OPENTOFU);
        assert_eq!(of("auto", None, ""), Dialect::TERRAFORM);
        for wrong in ["", "pulumi", "auto@1.5", "@1.5"] {
            assert!(wrong.parse::<DialectChoice>().is_err(), "{wrong}");
        }
    }
}
