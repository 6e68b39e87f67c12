//! The addresses of providers.

/// A provider's address without the host of the two public registries: the tools have one each.
pub(super) fn provider_path(provider_name: &str) -> &str {
    ["registry.terraform.io/", "registry.opentofu.org/"]
        .into_iter()
        .find_map(|host| provider_name.strip_prefix(host))
        .unwrap_or(provider_name)
}
