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
}
