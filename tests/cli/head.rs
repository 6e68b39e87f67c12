//! The header of a review shows the tool, the age of the plan, requested replacements and variables. Values
//! of variables are shown only on request.

use super::harness::{tfview, without_identity};

fn plan(rest: &str) -> String {
    format!(
        r#"{{"format_version":"1.2","terraform_version":"1.12.0","timestamp":"2026-11-21T10:00:00Z",{rest}
        "variables":{{"region":{{"value":"eu-1\u001b[2J"}},"size":{{"value":3}},"password":{{"value":"planted-secret"}},"ghost":{{"value":"planted-ghost"}},"unset":{{}}}},
        "configuration":{{"root_module":{{"variables":{{"region":{{"default":"us-1"}},"size":{{"default":3}},"password":{{"sensitive":true}},"unset":{{}}}}}}}},
        "resource_changes":[{{"address":"t_x.a","mode":"managed","type":"t_x","name":"a","provider_name":"registry.opentofu.org/a/t","action_reason":"replace_by_request","change":{{"actions":["delete","create"],"before":{{"n":1}},"after":{{"n":1}},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#
    )
}

#[test]
fn header_shows_age_requests_and_variables() {
    let text = plan(r#""complete":false,"#);
    let plain = tfview("review").stdin(&text).output();
    insta::assert_snapshot!(plain);
    let markdown = tfview("review --format markdown --variables")
        .stdin(&text)
        .output();
    insta::assert_snapshot!(without_identity(&markdown.to_string()));
}

#[test]
fn values_of_variables_need_an_option_and_sensitive_ones_need_two() {
    let text = plan("");
    for format in ["terminal", "markdown", "html", "json"] {
        for (options, value, secret) in [
            ("", false, false),
            ("--variables", true, false),
            ("--show-sensitive", false, false),
            ("--variables --show-sensitive", true, true),
        ] {
            let output = tfview(&format!("review --format {format} {options}"))
                .stdin(&text)
                .output();
            let shown = format!("{output}");
            assert_eq!(
                shown.contains("eu-1"),
                value,
                "{format} {options}: {output}"
            );
            assert_eq!(
                shown.contains("planted-secret"),
                secret,
                "{format} {options}: {output}"
            );
            assert_eq!(
                shown.contains("planted-ghost"),
                secret,
                "{format} {options}: {output}"
            );
            assert!(!shown.contains('\u{1b}'), "{format} {options}: {output}");
        }
    }
}

#[test]
fn json_and_html_do_not_depend_on_the_clock() {
    for format in ["json", "html"] {
        let run = |now| {
            tfview("review --format")
                .argument(format)
                .variable("SOURCE_DATE_EPOCH", now)
                .stdin(plan(""))
                .output()
        };
        assert_eq!(run("1800000000").stdout, run("1900000000").stdout);
    }
    let json = tfview("review --format json").stdin(plan("")).output();
    crate::json_schema::validate("review", &json.stdout, "a plan with variables");
}

#[cfg(unix)]
#[test]
fn remarks_are_wrapped_on_terminals_only() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let plan = "fixtures/review/shop/plan.json";
    let piped = tfview(&format!("review --width 60 {plan}"))
        .folder(root)
        .output();
    assert!(
        piped.stdout.lines().all(|line| line.chars().count() <= 60),
        "{piped}"
    );
    let arguments = [
        "review", "--width", "60", "--color", "never", "--pager", "never", plan,
    ];
    let mut terminal = crate::pty::OnTerminal::start(&arguments, root, &[]);
    terminal.wait_for(
        "CRITICAL  database shop-orders is replaced, and the data of\r\n          the old one is lost;",
    );
}
