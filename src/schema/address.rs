//! The parts of provider addresses and of resource types that say which provider is meant.
//!
//! ```text
//! registry.terraform.io/hashicorp/aws    namespace hashicorp, type aws
//! aws_s3_bucket                          type prefix aws
//! ```

/// Returns the part of a resource type that names its provider by default: the word before the first `_`. A
/// configuration can use another provider for the type.
pub(super) fn type_prefix(resource_type: &str) -> &str {
    resource_type.split('_').next().unwrap_or_default()
}

/// Returns the last part of a provider address, which is the whole of a name without registry and namespace.
pub(super) fn provider_type(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or(address)
}

/// Returns the namespace of a provider address. Terraform 0.12 writes `-` for none.
pub(super) fn namespace(address: &str) -> Option<&str> {
    address
        .rsplit('/')
        .nth(1)
        .filter(|namespace| *namespace != "-")
}
