//! Matches provider names: source addresses, or shorter names in old plans and in specifications.

/// The precision of a match between two provider names, the most precise first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ProviderMatch {
    Exact,
    /// The same namespace and type in another registry.
    OtherHost,
    /// The same type, where one of the names has no namespace.
    Type,
}

/// Matches the provider of a plan with that of a source. If the plan names no provider, the prefix of the
/// type name is used, as the tools do.
pub(super) fn provider_match(wanted: &str, type_name: &str, known: &str) -> Option<ProviderMatch> {
    if wanted.is_empty() {
        return (last(known) == prefix(type_name)).then_some(ProviderMatch::Type);
    }
    if wanted == known {
        return Some(ProviderMatch::Exact);
    }
    if last(wanted) != last(known) {
        return None;
    }
    match (namespace(wanted), namespace(known)) {
        (Some(a), Some(b)) => (a == b).then_some(ProviderMatch::OtherHost),
        _ => Some(ProviderMatch::Type),
    }
}

/// The provider type that a type name begins with.
pub(super) fn prefix(type_name: &str) -> &str {
    type_name.split('_').next().unwrap_or_default()
}

/// The provider type at the end of a source address.
pub(super) fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// The namespace of a source address. Terraform 0.12 writes `-` for none.
fn namespace(name: &str) -> Option<&str> {
    name.rsplit('/').nth(1).filter(|namespace| *namespace != "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_match_by_address_then_by_namespace_then_by_type() {
        let aws = "registry.terraform.io/hashicorp/aws";
        for (wanted, known, expected) in [
            (aws, aws, Some(ProviderMatch::Exact)),
            ("registry.opentofu.org/hashicorp/aws", aws, Some(ProviderMatch::OtherHost)),
            ("hashicorp/aws", aws, Some(ProviderMatch::OtherHost)),
            ("aws", aws, Some(ProviderMatch::Type)),
            ("registry.terraform.io/-/aws", aws, Some(ProviderMatch::Type)),
            (aws, "aws", Some(ProviderMatch::Type)),
            ("", aws, Some(ProviderMatch::Type)),
            ("registry.terraform.io/other/aws", aws, None),
            ("google", aws, None),
        ] {
            assert_eq!(provider_match(wanted, "aws_vpc", known), expected, "{wanted} for {known}");
        }
    }
}
