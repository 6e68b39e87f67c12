use super::*;

#[test]
fn providers_match_by_address_then_by_namespace_then_by_type() {
    let aws = "registry.terraform.io/hashicorp/aws";
    for (wanted, known, expected) in [
        (aws, aws, Some(ProviderMatch::Exact)),
        (
            "registry.opentofu.org/hashicorp/aws",
            aws,
            Some(ProviderMatch::OtherHost),
        ),
        ("hashicorp/aws", aws, Some(ProviderMatch::OtherHost)),
        ("aws", aws, Some(ProviderMatch::Type)),
        (
            "registry.terraform.io/-/aws",
            aws,
            Some(ProviderMatch::Type),
        ),
        (aws, "aws", Some(ProviderMatch::Type)),
        ("", aws, Some(ProviderMatch::Type)),
        ("registry.terraform.io/other/aws", aws, None),
        ("google", aws, None),
    ] {
        assert_eq!(
            provider_match(wanted, "aws_vpc", known),
            expected,
            "{wanted} for {known}"
        );
    }
}
