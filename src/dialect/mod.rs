//! The differences between the tools and their releases.
//!
//! Renderers and the differ never compare tools or versions. They call a method of [`Dialect`] named
//! after the behaviour that differs, so that adding a release changes only this module and `text`.

mod choice;
mod evidence;
mod release;

use serde::Serialize;

pub use choice::DialectChoice;
pub use release::Release;

/// The program that wrote a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tool {
    /// HashiCorp Terraform.
    #[default]
    Terraform,
    /// OpenTofu.
    OpenTofu,
}

impl Tool {
    /// The tool whose registry is the host of a provider's source address.
    fn from_provider(provider_name: &str) -> Option<Self> {
        match provider_name.split('/').next() {
            Some("registry.opentofu.org") => Some(Self::OpenTofu),
            Some("registry.terraform.io") => Some(Self::Terraform),
            _ => None,
        }
    }

    /// The name of the tool in documents: `terraform` or `opentofu`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Terraform => "terraform",
            Self::OpenTofu => "opentofu",
        }
    }

    /// The tool with this name: `terraform` or `opentofu`.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Terraform, Self::OpenTofu].into_iter().find(|tool| tool.name() == name)
    }

    /// The command's name.
    pub fn command(self) -> &'static str {
        match self {
            Self::Terraform => "terraform",
            Self::OpenTofu => "tofu",
        }
    }

    /// The product's name in running text.
    pub fn product(self) -> &'static str {
        match self {
            Self::Terraform => "Terraform",
            Self::OpenTofu => "OpenTofu",
        }
    }

    /// The tool that wrote a document with these providers, according to the first provider from the
    /// registry of either tool.
    pub fn from_providers<'p>(mut providers: impl Iterator<Item = &'p str>) -> Option<Self> {
        providers.find_map(Self::from_provider)
    }
}

/// A tool and its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The tool.
    pub tool: Tool,
    /// Its release.
    pub release: Release,
}

impl Default for Dialect {
    fn default() -> Self {
        Self::TERRAFORM
    }
}

impl Dialect {
    /// The newest Terraform.
    pub const TERRAFORM: Self = Self { tool: Tool::Terraform, release: Release::NEWEST };
    /// The newest OpenTofu.
    pub const OPENTOFU: Self = Self { tool: Tool::OpenTofu, release: Release::NEWEST };

    /// The same tool in its newest release.
    pub fn newest(self) -> Self {
        Self { release: Release::NEWEST, ..self }
    }

    /// The product's name in running text.
    pub fn product(self) -> &'static str {
        self.tool.product()
    }

    /// The command's name.
    pub fn command(self) -> &'static str {
        self.tool.command()
    }

    /// Whether the release is `major.minor` or later.
    pub(crate) fn is_since(self, major: u16, minor: u16) -> bool {
        self.release >= Release::new(major, minor)
    }

    /// How the elements of a list are paired when it changes.
    pub fn list_pairing(self) -> ListPairing {
        match self.tool {
            Tool::Terraform if self.is_since(1, 8) => ListPairing::ByIndexFirst,
            Tool::OpenTofu if self.is_since(1, 11) => ListPairing::ByCommonSubsequenceAndLine,
            Tool::Terraform | Tool::OpenTofu => ListPairing::ByCommonSubsequence,
        }
    }

    /// Which empty strings count as null.
    pub fn empty_strings(self) -> EmptyStrings {
        match self.tool {
            Tool::Terraform if self.is_since(1, 8) => EmptyStrings::NullUnlessModern,
            Tool::OpenTofu | Tool::Terraform => EmptyStrings::NullInBlocks,
        }
    }

    /// Whether the tool reads numbers as floating point, in the document and in JSON strings.
    pub fn reads_numbers_as_floats(self) -> bool {
        !self.is_since(1, 7)
    }

    /// Whether a string counts as JSON if there is more text after its first JSON value.
    pub fn json_may_have_trailing_text(self) -> bool {
        match self.tool {
            Tool::Terraform => self.is_since(1, 7) && !self.is_since(1, 8),
            Tool::OpenTofu => self.is_since(1, 7),
        }
    }

    /// How existing nested blocks are shown if they are known after apply.
    pub fn unknown_blocks(self) -> UnknownBlocks {
        match self.tool {
            Tool::Terraform if self.is_since(1, 9) => UnknownBlocks::BesideDeleted,
            Tool::OpenTofu if self.is_since(1, 13) => UnknownBlocks::AsOwnAttributes,
            Tool::OpenTofu if self.is_since(1, 9) => UnknownBlocks::AsParentAttributes,
            Tool::Terraform | Tool::OpenTofu => UnknownBlocks::NotShown,
        }
    }

    /// Whether `# forces replacement` also follows the old value of an attribute known after apply.
    pub fn repeats_replacement_of_unknown(self) -> bool {
        match self.tool {
            Tool::Terraform => !self.is_since(1, 9),
            Tool::OpenTofu => true,
        }
    }

    /// Whether write-only attributes are shown as such. Earlier releases treat them as attributes that are
    /// always null.
    pub fn knows_write_only(self) -> bool {
        self.is_since(1, 11)
    }

    /// Whether a plan without changes and drift explains what was compared.
    pub fn explains_no_changes(self) -> bool {
        match self.tool {
            Tool::Terraform => true,
            Tool::OpenTofu => !self.is_since(1, 13),
        }
    }

    /// How the write-only attributes of an updated block are shown.
    pub fn write_only(self) -> WriteOnly {
        match self.tool {
            Tool::Terraform => WriteOnly::Unchanged,
            Tool::OpenTofu => WriteOnly::AsSiblings,
        }
    }
}

/// How the elements of a list are paired when it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListPairing {
    /// By longest common subsequence. Objects are paired where elements are removed.
    ByCommonSubsequence,
    /// By longest common subsequence. Objects, and strings that share a line, are paired wherever both
    /// sides have unmatched elements.
    ByCommonSubsequenceAndLine,
    /// By index if both sides have the same length and are not merely reordered; otherwise as
    /// [`ListPairing::ByCommonSubsequence`].
    ByIndexFirst,
}

/// Which empty strings count as null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyStrings {
    /// Those of attributes that are directly in a block.
    NullInBlocks,
    /// Those of all attributes of type string, unless the schema uses a feature that the legacy SDK does
    /// not have.
    NullUnlessModern,
}

/// How existing nested blocks are shown if they are known after apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownBlocks {
    /// As `b (known after apply)` with the symbol of the enclosing block, followed by each existing block
    /// as deleted.
    BesideDeleted,
    /// Not at all: existing blocks are shown as deleted.
    NotShown,
    /// As one block with every attribute of the *parent* unknown (an upstream bug, reproduced).
    AsParentAttributes,
    /// As one block with every attribute unknown.
    AsOwnAttributes,
}

/// How the write-only attributes of an updated block are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOnly {
    /// As unchanged.
    Unchanged,
    /// With the action of the block's other attributes.
    AsSiblings,
}
