//! Every answer in which the tools and their releases differ.
//!
//! Renderers and the differ never compare tools or versions: they ask a [`Dialect`] a question that is
//! named after what differs, so that a release is added in this module alone.

mod choice;
mod release;

pub use choice::DialectChoice;
pub use release::Release;

/// Which program wrote a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tool {
    /// HashiCorp Terraform.
    #[default]
    Terraform,
    /// OpenTofu.
    OpenTofu,
}

impl Tool {
    /// The tool that wrote a plan or state, by the host in a provider's address.
    fn of_provider(provider_name: &str) -> Option<Self> {
        match provider_name.split('/').next() {
            Some("registry.opentofu.org") => Some(Self::OpenTofu),
            Some("registry.terraform.io") => Some(Self::Terraform),
            _ => None,
        }
    }

    /// The tool that wrote a document with these providers, by the first one whose registry names it.
    pub fn of_providers<'p>(mut providers: impl Iterator<Item = &'p str>) -> Option<Self> {
        providers.find_map(Self::of_provider)
    }
}

/// A tool in one of its releases.
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
        match self.tool {
            Tool::Terraform => "Terraform",
            Tool::OpenTofu => "OpenTofu",
        }
    }

    /// The command's name.
    pub fn command(self) -> &'static str {
        match self.tool {
            Tool::Terraform => "terraform",
            Tool::OpenTofu => "tofu",
        }
    }

    /// Whether the release is this one or a later one.
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

    /// Whose empty strings count as null.
    pub fn empty_strings(self) -> EmptyStrings {
        match self.tool {
            Tool::Terraform if self.is_since(1, 8) => EmptyStrings::NullUnlessModern,
            Tool::OpenTofu | Tool::Terraform => EmptyStrings::NullInBlocks,
        }
    }

    /// Whether numbers pass through floating point, in the document and in strings of JSON.
    pub fn reads_numbers_as_floats(self) -> bool {
        !self.is_since(1, 7)
    }

    /// Whether a string counts as JSON when something follows its first JSON value.
    pub fn json_may_have_trailing_text(self) -> bool {
        match self.tool {
            Tool::Terraform => false,
            Tool::OpenTofu => self.is_since(1, 7),
        }
    }

    /// How nested blocks are shown that will be known after apply but exist already.
    pub fn unknown_blocks(self) -> UnknownBlocks {
        match self.tool {
            Tool::Terraform if self.is_since(1, 9) => UnknownBlocks::BesideDeleted,
            Tool::OpenTofu if self.is_since(1, 9) => UnknownBlocks::AsParentAttributes,
            Tool::Terraform | Tool::OpenTofu => UnknownBlocks::NotShown,
        }
    }

    /// Whether `# forces replacement` stands behind the old value of an unknown one as well.
    pub fn repeats_replacement_of_unknown(self) -> bool {
        match self.tool {
            Tool::Terraform => !self.is_since(1, 9),
            Tool::OpenTofu => true,
        }
    }

    /// Whether write-only attributes are shown as such. To earlier releases they are attributes that are
    /// always null.
    pub fn knows_write_only(self) -> bool {
        self.is_since(1, 11)
    }

    /// What an update of a block says of its write-only attributes.
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
    /// Along the longest common subsequence; objects are paired while elements are removed.
    ByCommonSubsequence,
    /// Along the longest common subsequence; objects, and strings that share a line, are paired
    /// wherever both sides have elements left.
    ByCommonSubsequenceAndLine,
    /// By index if both sides are equally long and not just reordered; otherwise along the longest
    /// common subsequence, where objects are paired while elements are removed.
    ByIndexFirst,
}

/// Whose empty strings count as null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmptyStrings {
    /// Those of attributes directly in a block.
    NullInBlocks,
    /// All that have the type string, unless the schema uses what the legacy SDK could not have.
    NullUnlessModern,
}

/// How nested blocks are shown that will be known after apply but exist already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownBlocks {
    /// `b (known after apply)` with the symbol of the block around it, then each existing block as
    /// deleted.
    BesideDeleted,
    /// Not at all: existing blocks are deleted.
    NotShown,
    /// One block with every attribute of the *parent* as unknown (an upstream fault, kept for equality).
    AsParentAttributes,
}

/// What an update of a block says of its write-only attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOnly {
    /// They are unchanged.
    Unchanged,
    /// They have the action of the block's other attributes.
    AsSiblings,
}
