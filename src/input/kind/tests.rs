use super::*;

#[test]
fn tells_documents_apart() {
    for (text, kind) in [
        (
            r#"{"format_version":"1.2","terraform_version":"1.9","planned_values":{"#,
            DocumentKind::Plan,
        ),
        (r#"{"resource_changes":[]}"#, DocumentKind::Plan),
        (
            r#"{"configuration":{},"errored":false,"format_version":"1.2"}"#,
            DocumentKind::Plan,
        ),
        (
            r#"{"plan_format_version":"1.1","provider_schemas":{}}"#,
            DocumentKind::Plan,
        ),
        (
            r#"{"provider_schemas":{},"resource_changes":[]}"#,
            DocumentKind::Plan,
        ),
        (
            r#"{"saved_plan":{},"provider_schemas":{},"errored":false}"#,
            DocumentKind::Plan,
        ),
        (
            r#"{"format_version":"1.0","terraform_version":"1.9","values":{}}"#,
            DocumentKind::State,
        ),
        (r#"{"format_version":"1.0"}"#, DocumentKind::State),
        (r#"{"outputs":{},"root_module":{}}"#, DocumentKind::State),
        (
            r#"{"format_version":"1.0","resource":{},"diagnostics":[]}"#,
            DocumentKind::State,
        ),
        (
            r#"{"format_version":"1.0","terraform_version":"1.9","checks":[{}]}"#,
            DocumentKind::State,
        ),
        (
            r#"{"format_version":"1.0","provider_schemas":{"a":{}}}"#,
            DocumentKind::ProviderSchemas,
        ),
        (
            r#"{"version":"0.1","provider":{"name":"x"},"resources":[]}"#,
            DocumentKind::CodeSpecification,
        ),
        (
            r#"{"provider":{"name":"x"}}"#,
            DocumentKind::CodeSpecification,
        ),
        (
            r#"{"format_version":"1.0","valid":true,"error_count":0}"#,
            DocumentKind::Validation,
        ),
        (
            "{\"@level\":\"info\",\"@message\":\"x\"}\n{\"@level\"",
            DocumentKind::Messages,
        ),
        (
            r#"{"a":{"sensitive":false,"type":"string","value":"b"}}"#,
            DocumentKind::Outputs,
        ),
        (
            r#"{"version":4,"terraform_version":"1.9","serial":3,"lineage":"x"}"#,
            DocumentKind::StateFile,
        ),
        (
            r#"{"serial":1,"lineage":"x","meta":{},"encrypted_data":"x"}"#,
            DocumentKind::StateFile,
        ),
        (
            r#"{"meta":{},"encrypted_data":"x","encryption_version":"v0"}"#,
            DocumentKind::Encrypted,
        ),
        (
            r#"{"remote_plan_format":1,"run_id":"run-1","hostname":"h"}"#,
            DocumentKind::Bookmark,
        ),
        (
            r#"{"format_version":"1.0","root_module":{"resources":[]}}"#,
            DocumentKind::Configuration,
        ),
        (
            r#"{"terraform_version":"1.9","platform":"x","provider_selections":{}}"#,
            DocumentKind::Version,
        ),
        (
            r#"{"format_version":"1.0","function_signatures":{}}"#,
            DocumentKind::Functions,
        ),
        (
            r#"{"format_version":"1.0","modules":[{"key":"app"}]}"#,
            DocumentKind::Modules,
        ),
        (
            r#"{"format_version":"1.0","modules":[]}"#,
            DocumentKind::Modules,
        ),
        (
            r#"{"format_version":"1.0","workspaces":["default"]}"#,
            DocumentKind::Other,
        ),
        (
            r#"{"format_version":"1.0","diagnostics":[{"severity":"error"}]}"#,
            DocumentKind::Other,
        ),
        ("[]", DocumentKind::Other),
        ("{}", DocumentKind::Empty),
        (r#"{"name":"x"}"#, DocumentKind::Other),
    ] {
        assert_eq!(detect(text).unwrap(), kind, "{text}");
    }
}

#[test]
fn newer_minors_are_read_and_newer_majors_are_not() {
    for version in ["", "0.1", "0.2", "1.0", "1.2", "1.99", "test"] {
        assert!(is_supported(version), "{version}");
    }
    for version in ["2.0", "10.1"] {
        assert!(!is_supported(version), "{version}");
    }
}
