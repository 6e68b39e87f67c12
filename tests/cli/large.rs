//! Documents that are large enough for several threads print the same text as with one thread.

use std::fmt::Write as _;

use super::harness::tfview;

const RESOURCES: usize = 3_000;

fn head(index: usize) -> String {
    format!(
        r#""address":"any_x.r{index}","mode":"managed","type":"any_x","name":"r{index}","provider_name":"registry.example/acme/any""#
    )
}

fn values(index: usize, size: usize) -> String {
    let padding = "x".repeat(200);
    format!(
        r#"{{"name":"r{index}","note":"{padding}","part":[{{"size":{size}}},{{"size":{index}}}]}}"#
    )
}

fn list(of: impl Fn(usize) -> String) -> String {
    (0..RESOURCES).map(of).collect::<Vec<_>>().join(",")
}

/// The members of a plan in which every tenth resource changes, in the order in which the tools write them.
fn members() -> [String; 4] {
    let planned = list(|index| format!(r#"{{{},"values":{}}}"#, head(index), values(index, 2)));
    let prior = list(|index| format!(r#"{{{},"values":{}}}"#, head(index), values(index, 1)));
    let changes = list(|index| {
        let (action, size) = if index % 10 == 0 {
            ("update", 2)
        } else {
            ("no-op", 1)
        };
        let (before, after) = (values(index, 1), values(index, size));
        format!(
            r#"{{{},"change":{{"actions":["{action}"],"before":{before},"after":{after},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#,
            head(index)
        )
    });
    let written = list(|index| {
        let part = format!(
            r#"[{{"size":{{"constant_value":2}}}},{{"size":{{"constant_value":{index}}}}}]"#
        );
        format!(
            r#"{{{},"expressions":{{"name":{{"constant_value":"r{index}"}},"note":{{}},"part":{part}}}}}"#,
            head(index)
        )
    });
    [
        format!(r#""planned_values":{{"root_module":{{"resources":[{planned}]}}}}"#),
        format!(r#""resource_changes":[{changes}]"#),
        format!(r#""prior_state":{{"values":{{"root_module":{{"resources":[{prior}]}}}}}}"#),
        format!(r#""configuration":{{"root_module":{{"resources":[{written}]}}}}"#),
    ]
}

fn document(members: &[&String]) -> String {
    let mut text = r#"{"format_version":"1.2","terraform_version":"1.12.6""#.to_owned();
    for member in members {
        write!(text, ",{member}").unwrap();
    }
    text.push_str(r#","errored":false}"#);
    text
}

#[test]
fn order_of_members_does_not_change_the_output() {
    let [planned, changes, prior, configuration] = &members();
    let usual = tfview("show")
        .stdin(document(&[planned, changes, prior, configuration]))
        .output();
    assert_eq!(usual.code, Some(0), "{}", usual.stderr);
    let shown: Vec<&str> = usual
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("  # any_x.r"))
        .collect();
    let expected = (0..RESOURCES)
        .step_by(10)
        .map(|index| format!("{index} will be updated in-place"));
    assert_eq!(shown, expected.collect::<Vec<_>>());
    assert!(
        usual.stdout.contains("      ~ part {"),
        "the configuration was not read"
    );
    for members in [
        [changes, configuration, planned, prior],
        [configuration, prior, changes, planned],
        [prior, planned, configuration, changes],
    ] {
        let other = tfview("show").stdin(document(&members)).output();
        assert!(
            (other.code, &other.stdout, &other.stderr) == (Some(0), &usual.stdout, &usual.stderr)
        );
    }
}

#[test]
fn a_review_lists_changes_in_order_and_reads_the_configuration() {
    let [planned, changes, prior, configuration] = &members();
    let [usual, other] = [
        [planned, changes, prior, configuration],
        [configuration, prior, changes, planned],
    ]
    .map(|members| {
        tfview("review --format json")
            .stdin(document(&members))
            .output()
    });
    assert_eq!(usual.code, Some(0), "{}", usual.stderr);
    let review: serde_json::Value = serde_json::from_str(&usual.stdout).unwrap();
    let entries = review["plans"][0]["resources"].as_array().unwrap().iter();
    let listed: Vec<usize> = entries
        .map(|entry| {
            entry["address"]
                .as_str()
                .unwrap()
                .strip_prefix("any_x.r")
                .unwrap()
                .parse()
                .unwrap()
        })
        .collect();
    assert_eq!(
        listed,
        (0..RESOURCES).step_by(10).collect::<Vec<_>>(),
        "{}",
        usual.stdout
    );
    assert!((other.code, &other.stdout) == (Some(0), &usual.stdout));
}

#[test]
#[ignore = "takes 2^30 steps, a minute without optimization; .ci/run includes it"]
fn inexact_alignment_is_noted() {
    // Far more letters than can be aligned exactly within the limits.
    const LETTERS: usize = 300_000;
    let letters = |mut state: u64| {
        let draw = std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ["\"a\"", "\"b\"", "\"c\"", "\"d\"", "\"e\""][(state >> 33) as usize % 5]
        });
        draw.take(LETTERS).collect::<Vec<_>>().join(",")
    };
    let change = format!(
        r#"{{{},"change":{{"actions":["update"],"before":{{"l":[{}]}},"after":{{"l":[{}]}},"after_unknown":{{}},"before_sensitive":{{}},"after_sensitive":{{}}}}}}"#,
        head(0),
        letters(1),
        letters(2)
    );
    let plan = document(&[&format!(r#""resource_changes":[{change}]"#)]);
    let note = "too many changes to be aligned exactly";
    let shown = tfview("show").stdin(plan.clone()).output();
    assert!(
        shown.code == Some(0) && shown.stderr.contains(note),
        "{}",
        shown.stderr
    );
    let reviewed = tfview("review").stdin(plan).output();
    let note = "too many changes to find the smallest difference";
    assert!(
        reviewed.code == Some(0) && reviewed.stdout.contains(note),
        "{}",
        reviewed.stderr
    );
}

#[test]
fn syntax_error_anywhere_prints_no_text() {
    let members = members();
    let mut errors = String::new();
    for index in 0..members.len() {
        let mut broken = members.clone();
        let middle = broken[index].len() / 2
            + broken[index][broken[index].len() / 2..]
                .find("\"name\":")
                .unwrap();
        broken[index].insert(middle, '!');
        let [planned, changes, prior, configuration] = &broken;
        let output = tfview("show")
            .stdin(document(&[planned, changes, prior, configuration]))
            .output();
        assert_eq!(
            (output.code, &*output.stdout),
            (Some(1), ""),
            "{index}: {}",
            output.stderr
        );
        errors += &output.stderr;
    }
    insta::assert_snapshot!(errors, @r"
    error: cannot read standard input: not JSON at line 1, column 578539 (planned_values.root_module.resources[1506]): expected a member's name in quotes
    error: cannot read standard input: not JSON at line 1, column 2277095 (resource_changes[1504].change.after): expected a member's name in quotes
    error: cannot read standard input: not JSON at line 1, column 3975816 (prior_state.values): expected a member's name in quotes
    error: cannot read standard input: not JSON at line 1, column 4925344 (configuration.root_module.resources[1509]): expected a member's name in quotes
    ");
}

#[test]
fn a_state_is_shown_in_order() {
    let resources = list(|index| format!(r#"{{{},"values":{}}}"#, head(index), values(index, 1)));
    let child = format!(
        r#"{{"address":"module.m","resources":[{{"address":"module.m.any_x.y","mode":"managed","type":"any_x","name":"y","provider_name":"registry.example/acme/any","values":{}}}]}}"#,
        values(0, 1)
    );
    let state = format!(
        r#"{{"format_version":"1.0","terraform_version":"1.12.6","values":{{"root_module":{{"resources":[{resources}],"child_modules":[{child}]}}}}}}"#
    );
    let output = tfview("show").stdin(state).output();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let shown: Vec<&str> = output
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("# "))
        .collect();
    let mut expected: Vec<String> = (0..RESOURCES)
        .map(|index| format!("any_x.r{index}:"))
        .collect();
    expected.push("module.m.any_x.y:".to_owned());
    assert_eq!(shown, expected);
    assert!(
        output.stdout.starts_with("# any_x.r0:\n") && output.stdout.contains("}\n\n# any_x.r1:\n")
    );
    assert!(
        output.stdout.contains("}\n\n\n# module.m.any_x.y:\n"),
        "two empty lines before a module"
    );
}
