//! The tool whose words are used, as one value that answers named questions.

/// OpenTofu or Terraform.
///
/// Renderers and the differ do not compare dialects: they ask a question that is named after what
/// differs, so that an older release's answers can be added in this file alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// HashiCorp Terraform (1.15 to 1.17).
    #[default]
    Terraform,
    /// OpenTofu (1.12).
    OpenTofu,
}

impl Dialect {
    /// The product's name in running text.
    pub fn product(self) -> &'static str {
        match self {
            Self::Terraform => "Terraform",
            Self::OpenTofu => "OpenTofu",
        }
    }

    /// The command's name.
    pub fn command(self) -> &'static str {
        match self {
            Self::Terraform => "terraform",
            Self::OpenTofu => "tofu",
        }
    }

    /// The dialect of whoever wrote a plan or state, by the host in a provider's address.
    pub fn of_provider(provider_name: &str) -> Option<Self> {
        match provider_name.split('/').next() {
            Some("registry.opentofu.org") => Some(Self::OpenTofu),
            Some("registry.terraform.io") => Some(Self::Terraform),
            _ => None,
        }
    }

    /// How the elements of a list are paired when it changes.
    pub fn list_pairing(self) -> ListPairing {
        match self {
            Self::Terraform => ListPairing::ByIndexFirst,
            Self::OpenTofu => ListPairing::ByCommonSubsequence,
        }
    }

    /// Whose empty strings count as null.
    pub fn empty_strings(self) -> EmptyStrings {
        match self {
            Self::Terraform => EmptyStrings::NullUnlessModern,
            Self::OpenTofu => EmptyStrings::NullInBlocks,
        }
    }

    /// Whether a string counts as JSON when something follows its first JSON value.
    pub fn json_may_have_trailing_text(self) -> bool {
        match self {
            Self::Terraform => false,
            Self::OpenTofu => true,
        }
    }

    /// How nested blocks are shown that will be known after apply but exist already.
    pub fn unknown_blocks(self) -> UnknownBlocks {
        match self {
            Self::Terraform => UnknownBlocks::ThenDeleted,
            Self::OpenTofu => UnknownBlocks::AsParentAttributes,
        }
    }

    /// Whether `# forces replacement` stands behind the old value of an unknown one as well.
    pub fn repeats_replacement_of_unknown(self) -> bool {
        match self {
            Self::Terraform => false,
            Self::OpenTofu => true,
        }
    }

    /// What an update of a block says of its write-only attributes.
    pub fn write_only(self) -> WriteOnly {
        match self {
            Self::Terraform => WriteOnly::Unchanged,
            Self::OpenTofu => WriteOnly::AsSiblings,
        }
    }
}

/// How the elements of a list are paired when it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListPairing {
    /// Along the longest common subsequence; objects, and strings that share a line, are paired
    /// wherever both sides have elements left.
    ByCommonSubsequence,
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
    /// `~ b (known after apply)`, then each existing block as deleted.
    ThenDeleted,
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
