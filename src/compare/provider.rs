//! The addresses of providers.

/// The source address of a provider without the host of either tool's public registry.
pub(super) fn provider_path(provider_name: &str) -> &str {
    ["registry.terraform.io/", "registry.opentofu.org/"]
        .into_iter()
        .find_map(|host| provider_name.strip_prefix(host))
        .unwrap_or(provider_name)
}
