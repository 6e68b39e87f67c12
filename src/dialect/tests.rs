use super::*;

fn tool(plan: &str) -> Option<Tool> {
    Tool::from_plan(&Plan::parse(plan).unwrap())
}

#[test]
fn each_piece_of_evidence_says_which_tool_wrote_a_plan() {
    const BUILT_IN: &str =
        r#""resource_changes":[{"provider_name":"terraform.io/builtin/terraform"}]"#;
    for (host, expected) in [
        ("registry.opentofu.org", Tool::OpenTofu),
        ("registry.terraform.io", Tool::Terraform),
    ] {
        let provider = format!("{host}/hashicorp/null");
        let module =
            format!(r#"{{"root_module":{{"resources":[{{"provider_name":"{provider}"}}]}}}}"#);
        for evidence in [
            format!(r#""resource_drift":[{{"provider_name":"{provider}"}}]"#),
            format!(
                r#""deferred_changes":[{{"resource_change":{{"provider_name":"{provider}"}}}}]"#
            ),
            format!(r#""action_invocations":[{{"provider_name":"{provider}"}}]"#),
            format!(
                r#""configuration":{{"root_module":{{}},"provider_config":{{"null":{{"full_name":"{provider}"}}}}}}"#
            ),
            format!(r#""prior_state":{{"values":{module}}}"#),
            format!(r#""planned_values":{module}"#),
            format!(
                r#""provider_schemas":{{"terraform.io/builtin/terraform":{{}},"{provider}":{{}}}}"#
            ),
        ] {
            assert_eq!(
                tool(&format!("{{{BUILT_IN},{evidence}}}")),
                Some(expected),
                "{evidence}"
            );
        }
        let schemas =
            format!(r#"{{"format_version":"1.0","provider_schemas":{{"{provider}":{{}}}}}}"#);
        assert_eq!(Tool::from_schemas(&schemas), Some(expected));
        let state = format!(r#"{{"values":{{}},"provider_schemas":{{"{provider}":{{}}}}}}"#);
        let state: StateDocument<'_> = crate::json::from_str(&state).unwrap();
        assert_eq!(Tool::from_state(&state), Some(expected));
    }
    for (members, expected) in [
        (r#""applyable":false"#, Some(Tool::Terraform)),
        (
            r#""complete":false,"timestamp":"x","terraform_version":"1.12.6""#,
            Some(Tool::Terraform),
        ),
        (
            r#""timestamp":"x","terraform_version":"1.12.6""#,
            Some(Tool::OpenTofu),
        ),
        // Reduced by a script, or by a release from before both members.
        (r#""terraform_version":"1.12.6""#, None),
        (r#""timestamp":"x","terraform_version":"1.7.5""#, None),
    ] {
        assert_eq!(
            tool(&format!("{{{BUILT_IN},{members}}}")),
            expected,
            "{members}"
        );
    }
}

#[test]
fn providers_of_both_registries_leave_it_to_the_other_evidence() {
    let both = r#""resource_changes":[{"provider_name":"registry.opentofu.org/a/b"},{"provider_name":"registry.terraform.io/a/b"}]"#;
    assert_eq!(
        tool(&format!(r#"{{{both},"applyable":true}}"#)),
        Some(Tool::Terraform)
    );
    assert_eq!(
        tool(&format!("{{{both}}}")),
        Some(Tool::OpenTofu),
        "the first one"
    );
}

#[test]
fn programs_are_told_apart_by_their_names() {
    for (name, expected) in [
        ("tofu", Some(Tool::OpenTofu)),
        ("tofu-1.12", Some(Tool::OpenTofu)),
        ("terraform.exe", Some(Tool::Terraform)),
        ("terragrunt", None),
    ] {
        assert_eq!(Tool::from_program(name), expected, "{name}");
    }
}

#[test]
fn only_a_version_overrides_the_release_of_the_document() {
    let of = |choice: &str, tool, version| {
        choice
            .parse::<DialectChoice>()
            .map(|choice| choice.for_document(tool, version))
            .unwrap()
    };
    let old = Dialect {
        tool: Tool::OpenTofu,
        release: Release::new(1, 6),
    };
    assert_eq!(of("auto", Some(Tool::OpenTofu), "1.6.3"), old);
    assert_eq!(of("opentofu", Some(Tool::Terraform), "1.6.3"), old);
    assert_eq!(of("opentofu@1.6", Some(Tool::Terraform), "1.12.0"), old);
    assert_eq!(of("opentofu@latest", None, "1.6.3"), Dialect::OPENTOFU);
    assert_eq!(of("auto", None, ""), Dialect::TERRAFORM);
    for wrong in ["", "pulumi", "auto@1.5", "@1.5"] {
        assert!(wrong.parse::<DialectChoice>().is_err(), "{wrong}");
    }
}

#[test]
fn versions_are_read_by_their_numbers() {
    for version in [
        "1.17.0-dev",
        "1.17",
        "v1.17.3",
        "1.17.0+build.5",
        " 1.17.2 ",
    ] {
        assert_eq!(Release::parse(version), Release::new(1, 17), "{version}");
    }
    assert!(Release::parse("1.9.8") < Release::parse("1.10.0"));
    assert!(Release::parse("0.15.5") < Release::parse("1.0.0"));
}

#[test]
fn what_is_no_version_means_the_newest() {
    for version in [
        "", "latest", "1", "1.x", "1.", "1.2.3.4", "1.2.x", "-1.2", "99999.1", "+1.2",
    ] {
        assert_eq!(Release::parse(version), Release::NEWEST, "{version}");
    }
    assert!(Release::parse("99.0.0") < Release::NEWEST);
}
