//! The words are those of the tool that wrote the document, also where its changes name no registry.

use super::harness::{folder, tfview};

const REFRESHED: &str = r#"{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"configuration":{"root_module":{}},"timestamp":"2026-11-22T17:54:23Z","errored":false}"#;

/// Plans of OpenTofu whose changes name no registry were shown in the words of Terraform.
#[test]
fn a_plan_without_a_registry_in_its_changes_is_shown_as_its_tool_does() {
    let opentofu = "OpenTofu has compared";
    let configured = r#""configuration":{"provider_config":{"null":{"name":"null","full_name":"registry.HOST/hashicorp/null"}},"root_module":{}}"#;
    let configured = |host: &str| {
        REFRESHED
            .replace(
                r#""configuration":{"root_module":{}}"#,
                &configured.replace("HOST", host),
            )
            .replace(r#""timestamp":"2026-11-22T17:54:23Z","#, "")
    };
    for (plan, is_opentofu) in [
        (REFRESHED.to_owned(), true),
        (
            REFRESHED.replace(
                r#""errored""#,
                r#""applyable":false,"complete":true,"errored""#,
            ),
            false,
        ),
        (REFRESHED.replace("1.12.6", "1.7.5"), false),
        (configured("opentofu.org"), true),
        (configured("terraform.io"), false),
    ] {
        let output = tfview("show").stdin(&plan).output();
        assert_eq!(output.code, Some(0), "{output}");
        assert_eq!(
            output.stdout.contains(opentofu),
            is_opentofu,
            "{plan}: {output}"
        );
        let output = tfview("show --dialect terraform").stdin(&plan).output();
        assert!(!output.stdout.contains(opentofu), "{plan}: {output}");
    }
}

#[test]
fn schemas_beside_a_plan_say_whose_it_is() {
    let schemas = r#"{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/hashicorp/null":{}}}"#;
    let folder = folder("dialect-schemas", &[("schemas.json", schemas.as_bytes())]);
    let plan = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[]}"#;
    let output = tfview("show").stdin(plan).output();
    insta::assert_snapshot!(output.stdout, @r"

    No changes. Your infrastructure matches the configuration.

    Terraform has compared your real infrastructure against your configuration
    and found no differences, so no changes are needed.
    ");
    let output = tfview("show --schemas schemas.json")
        .folder(&folder)
        .stdin(plan)
        .output();
    insta::assert_snapshot!(output.stdout, @r"

    No changes. Your infrastructure matches the configuration.

    OpenTofu has compared your real infrastructure against your configuration and
    found no differences, so no changes are needed.
    ");
}

/// A saved plan is shown in the words of the tool that was started to read it.
#[cfg(unix)]
#[test]
fn the_tool_that_was_started_decides_where_the_document_does_not() {
    use std::os::unix::fs::PermissionsExt;
    let plan = r#"{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[]}"#;
    let mut outputs = String::new();
    for name in ["tofu", "terraform"] {
        let folder = folder(
            &format!("dialect-{name}"),
            &[("tfplan", b"PK\x03\x04 a plan\n")],
        );
        let tool = folder.join(name);
        std::fs::write(&tool, format!("#!/bin/sh\necho '{plan}'\n")).unwrap();
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        let output = tfview("show --via-tool tfplan")
            .folder(&folder)
            .variable("PATH", "/bin:/usr/bin")
            .variable("TFVIEW_TOOL", &tool)
            .output();
        outputs += &format!("{name}:\n{}", output.stdout);
    }
    insta::assert_snapshot!(outputs, @r"
    tofu:

    No changes. Your infrastructure matches the configuration.

    OpenTofu has compared your real infrastructure against your configuration and
    found no differences, so no changes are needed.
    terraform:

    No changes. Your infrastructure matches the configuration.

    Terraform has compared your real infrastructure against your configuration
    and found no differences, so no changes are needed.
    ");
}
