//! Options and environment variables have their documented effect and precedence, and the help describes
//! them.

use super::harness::{NO_CHANGES, PLAN, folder, tfview};

#[test]
fn colour_is_decided_by_flags_then_variables() {
    for (args, variable, coloured) in [
        ("show", ("A", ""), false),
        ("show --color always", ("NO_COLOR", "1"), true),
        ("show -color=always", ("NO_COLOR", "1"), true),
        ("show", ("FORCE_COLOR", "1"), true),
        ("show --no-color", ("FORCE_COLOR", "1"), false),
        ("show -no-color", ("CLICOLOR_FORCE", "1"), false),
        ("show --color always --no-color", ("A", ""), false),
        ("show --no-color --color always", ("A", ""), true),
        ("show", ("GITHUB_ACTIONS", "true"), true),
        ("show --ci none", ("GITHUB_ACTIONS", "true"), false),
        ("show --ci gitlab", ("A", ""), true),
    ] {
        let output = tfview(args)
            .variable(variable.0, variable.1)
            .stdin(PLAN)
            .output();
        assert_eq!(
            output.stdout.contains('\u{1b}'),
            coloured,
            "{args} {variable:?}\n{output}"
        );
    }
}

#[test]
fn regular_file_gets_no_colour_in_a_ci_system() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-colour.txt");
    let mut command = tfview("show -")
        .variable("GITHUB_ACTIONS", "true")
        .command();
    let mut child = command
        .stdout(std::fs::File::create(&path).unwrap())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), PLAN.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    let text = std::fs::read_to_string(path).unwrap();
    insta::assert_snapshot!(text);
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn built_in_provider_of_the_tools_needs_no_schema() {
    let output = tfview("show").stdin(PLAN).output();
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (Some(0), ""),
        "{output}"
    );
}

#[test]
fn unknown_attributes_are_shown_without_a_note() {
    let plan = PLAN.replace(
        r#""after_unknown":{"id":true}"#,
        r#""after_unknown":{"id":true,"newer":true}"#,
    );
    let output = tfview("show").stdin(plan).output();
    insta::assert_snapshot!(output.stdout);
    assert_eq!(output.stderr, "");
}

#[test]
fn plan_option_identifies_blocks_of_a_state() {
    let change =
        r#""mode":"managed","type":"a_b","name":"c","provider_name":"registry.opentofu.org/a/b""#;
    let plan = format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"a_b.c",{change},"change":{{"actions":["no-op"]}}}}],
        "configuration":{{"root_module":{{"resources":[{{"mode":"managed","type":"a_b","name":"c","expressions":{{"one":{{"k":{{"constant_value":"v"}}}}}}}}]}}}}}}"#
    );
    let state = format!(
        r#"{{"format_version":"1.0","values":{{"root_module":{{"resources":[{{"address":"a_b.c",{change},"values":{{"one":{{"k":"v"}}}}}}]}}}}}}"#
    );
    let folder = folder(
        "cli-beside",
        &[
            ("plan.json", plan.as_bytes()),
            ("state.json", state.as_bytes()),
            ("text.json", b"[]"),
        ],
    );
    let text = |args: &str| tfview(args).folder(&folder).output();
    let output = text("show state.json --plan plan.json");
    insta::assert_snapshot!(output.stdout, @r#"
    # a_b.c:
    resource "a_b" "c" {
        one {
            k = "v"
        }
    }
    "#);
    assert!(!text("show state.json").stdout.contains("one {"));
    let mut errors = String::new();
    for args in [
        "show plan.json --plan plan.json",
        "show state.json --plan state.json",
        "show state.json --plan text.json",
        "show state.json --plan none.json",
    ] {
        let output = text(args);
        assert_eq!(
            (output.code, output.stdout.as_str()),
            (Some(1), ""),
            "{output}"
        );
        errors += &format!("{args}:\n{}", output.stderr);
    }
    insta::assert_snapshot!(errors, @r"
    show plan.json --plan plan.json:
    error: plan.json is a plan: --plan is used with a state
    show state.json --plan state.json:
    error: cannot read state.json: a state, not a plan
      tip: `tfview show state.json` shows it; for a plan: `terraform plan -out=tfplan && tfview review tfplan`
    show state.json --plan text.json:
    error: cannot read text.json: JSON, but neither a plan nor a state
      tip: show the output of `terraform show -json` (or `tofu show -json`)
    show state.json --plan none.json:
    error: cannot read the plan of --plan: cannot read none.json: No such file or directory
      tip: for a plan: `terraform plan -out=tfplan && tfview review tfplan`
    ");
}

#[test]
fn detailed_exitcode_reports_changes() {
    for (args, plan, code) in [
        ("show", PLAN, 0),
        ("show --detailed-exitcode", PLAN, 2),
        ("show -detailed-exitcode", PLAN, 2),
        ("show -detailed-exitcode", NO_CHANGES, 0),
    ] {
        let output = tfview(args).stdin(plan).output();
        assert_eq!(output.code, Some(code), "{args}: {output}");
    }
}

#[test]
fn dialect_follows_the_registry_by_default() {
    let tofu = PLAN.replace(
        "terraform.io/builtin/terraform",
        "registry.opentofu.org/a/b",
    );
    let mut outputs = String::new();
    for (args, plan) in [
        ("show", PLAN),
        ("show", &*tofu),
        ("show --dialect terraform", &*tofu),
        ("show -dialect=opentofu", PLAN),
        ("show --dialect tofu", PLAN),
    ] {
        let output = tfview(args).stdin(plan).output();
        let mut lines = output.stdout.lines();
        let line = lines.find(|line| line.ends_with("the following actions:"));
        outputs += &format!("{args}: {}\n", line.unwrap());
    }
    insta::assert_snapshot!(outputs, @r"
    show: Terraform will perform the following actions:
    show: OpenTofu will perform the following actions:
    show --dialect terraform: Terraform will perform the following actions:
    show -dialect=opentofu: OpenTofu will perform the following actions:
    show --dialect tofu: OpenTofu will perform the following actions:
    ");
}

#[test]
fn release_comes_from_the_document_by_default() {
    let plan = |version: &str| {
        format!(
            r#"{{"format_version":"1.0","terraform_version":"{version}","values":{{"outputs":{{"n":{{"value":1e21,"type":"number"}}}},"root_module":{{}}}}}}"#
        )
    };
    let old = "n = 1000000000000000000000\n";
    for (args, version, is_old) in [
        ("show", "1.5.7", true),
        ("show", "1.7.0", false),
        ("show", "1.17.0-dev", false),
        ("show", "nightly", false),
        ("show --dialect opentofu", "1.6.2", true),
        ("show --dialect terraform@1.17", "1.5.7", false),
        ("show --dialect tofu@1.6", "1.12.0", true),
        ("show --dialect tofu@latest", "1.6.2", false),
    ] {
        let output = tfview(args).stdin(plan(version)).output();
        assert_eq!(
            output.stdout.contains(old),
            is_old,
            "{args} of {version}: {output}"
        );
    }
    let output = tfview("show --dialect pulumi")
        .stdin(plan("1.5.7"))
        .output();
    assert_eq!(output.code, Some(1));
    insta::assert_snapshot!(output.stderr, @r"
    error: invalid value 'pulumi' for '--dialect <TOOL>': it is auto, terraform or opentofu, or one of these tools with a version: terraform@1.5, opentofu@1.8.2

    For more information, try '--help'.
    ");
}

#[test]
fn plan_mode_can_be_set() {
    let none = |args: &str| tfview(args).stdin(NO_CHANGES).output().stdout;
    assert_ne!(
        none("show --plan-mode destroy"),
        none("show --plan-mode normal")
    );
    assert_ne!(
        none("show --plan-mode refresh-only"),
        none("show --plan-mode normal")
    );
}

#[test]
fn inferred_types_are_noted_once() {
    let plan = PLAN
        .replace(
            "terraform.io/builtin/terraform",
            "registry.terraform.io/x/y",
        )
        .replace("terraform_data", "y_z");
    let output = tfview("show").stdin(&plan).output();
    assert_eq!(
        output.stderr.matches("its layout was inferred").count(),
        1,
        "{output}"
    );
    insta::assert_snapshot!(output.stderr, @r"
    note: no schema for 1 type (y_z): its layout was inferred
      tip: `terraform providers schema -json | tfview schema add -`, in the directory of the configuration
    ");
    // The tool's text on a page is an aside, and nothing else that a review prints has a layout.
    for format in ["terminal", "markdown", "html", "json"] {
        let output = tfview(&format!("review --format {format}"))
            .stdin(&plan)
            .output();
        assert!(output.stderr.is_empty(), "{format}: {output}");
    }
    // Those of the tool itself are known.
    for command in ["show", "review", "review --format html"] {
        let output = tfview(command).stdin(PLAN).output();
        assert!(output.stderr.is_empty(), "{command}: {output}");
    }
}

#[test]
fn a_type_whose_built_in_schema_has_all_values_is_no_guess() {
    let plan = |values: &str| {
        PLAN.replace(
            "terraform.io/builtin/terraform",
            "registry.terraform.io/hashicorp/random",
        )
        .replace("terraform_data", "random_pet")
        .replace(r#"{"input":"é"}"#, values)
    };
    let known = tfview("show")
        .stdin(plan(r#"{"length":2,"separator":"-"}"#))
        .output();
    assert!(known.stderr.is_empty(), "{known}");
    // A later version of the provider has more.
    let later = tfview("show")
        .stdin(plan(r#"{"length":2,"words":[{"a":"b"}]}"#))
        .output();
    insta::assert_snapshot!(later.stderr, @r"
    note: no schema for 1 type (random_pet): its layout was inferred
      tip: `terraform providers schema -json | tfview schema add -`, in the directory of the configuration
    ");
}

#[test]
fn what_azapi_passes_on_is_laid_out_as_objects() {
    let values = r#"{"type":"Microsoft.App/jobs@2024-03-01","name":"a",
        "body":{"properties":{"retries":{"limit":3},"steps":[{"name":"x"},{"name":"y"}]}},
        "output":{"properties":{"peer":{"mtls":{"enabled":false}},"domain":"x"}},"tags":{"a":"b"}}"#;
    let plan = format!(
        r#"{{"format_version":"1.2","terraform_version":"1.9.0","resource_changes":[{{"address":"azapi_resource.a",
        "mode":"managed","type":"azapi_resource","name":"a","provider_name":"registry.terraform.io/azure/azapi",
        "change":{{"actions":["update"],"before":{values},"after":{},"after_unknown":{{"output":true}},
        "before_sensitive":{{}},"after_sensitive":{{}}}}}}]}}"#,
        values.replace(r#""limit":3"#, r#""limit":5"#).replace(
            r#""output":{"properties":{"peer":{"mtls":{"enabled":false}},"domain":"x"}},"#,
            ""
        )
    );
    let schema = r#"{"format_version":"1.0","provider_schemas":{"registry.terraform.io/azure/azapi":{"resource_schemas":
        {"azapi_resource":{"version":0,"block":{"attributes":{"type":{"type":"string"},"name":{"type":"string"},
        "body":{"type":"dynamic"},"output":{"type":"dynamic","computed":true},"tags":{"type":["map","string"]}}}}}}}}"#;
    let folder = folder("azapi", &[("schema.json", schema.as_bytes())]);
    let with_schema = tfview("show --schemas schema.json")
        .folder(&folder)
        .stdin(&plan)
        .output();
    let without = tfview("show").stdin(&plan).output();
    insta::assert_snapshot!(with_schema.stdout);
    assert_eq!(without.stdout, with_schema.stdout);
}

#[test]
fn wrong_usage_exits_with_one() {
    for args in [
        "",
        "nope",
        "show --nope",
        "show -nope",
        "show a b",
        "show --width 0",
        "show --color blue",
        "run",
    ] {
        let output = tfview(args).output();
        assert_eq!(
            (output.code, &*output.stdout),
            (Some(1), ""),
            "{args}: {output}"
        );
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn help_fits_a_terminal() {
    let subcommands = [
        "",
        "show",
        "stream",
        "run",
        "review",
        "diff",
        "completions",
        "man",
        "schema",
    ];
    let of_schemas = [
        "schema list",
        "schema show",
        "schema search",
        "schema check",
        "schema diff",
        "schema add",
    ];
    for subcommand in subcommands.into_iter().chain(of_schemas) {
        for flag in ["-h", "--help"] {
            let output = tfview(&format!("{subcommand} {flag}"))
                .variable("COLUMNS", "80")
                .output();
            assert_eq!(output.code, Some(0), "{output}");
            let lines: Vec<&str> = output.stdout.lines().collect();
            let widest = lines.iter().map(|line| line.chars().count()).max();
            assert!(
                widest.is_some_and(|widest| widest <= 80),
                "{subcommand} {flag}\n{output}"
            );
        }
    }
}

#[test]
fn help_has_headings_and_short_lists_of_values() {
    let long = tfview("review --help").output().stdout;
    for heading in ["Arguments:", "Input:", "Display:", "Filters:", "CI:"] {
        assert!(
            long.lines().any(|line| line == heading),
            "{heading}\n{long}"
        );
    }
    let short = tfview("review -h").output().stdout;
    assert!(!short.contains("--width"), "{short}");
    assert_eq!(tfview("help review").output().stdout, long);
    assert_eq!(tfview("schema").output().code, Some(1));
}

#[test]
fn help_matches_its_snapshots() {
    for args in [
        "--help",
        "show --help",
        "stream --help",
        "run --help",
        "review --help",
        "completions --help",
    ] {
        let output = tfview(args).output();
        assert_eq!((output.code, &*output.stderr), (Some(0), ""), "{args}");
        insta::assert_snapshot!(
            format!("help-{}", args.replace("--help", "").trim()),
            output.stdout
        );
    }
    assert_eq!(
        tfview("show -help").output().stdout,
        tfview("show --help").output().stdout
    );
    assert_eq!(
        tfview("-version").output().stdout,
        format!("tfview {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn completions_and_manual_include_every_subcommand() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = tfview(&format!("completions {shell}")).output();
        assert_eq!(output.code, Some(0));
        assert!(
            output.stdout.contains("TFVIEW_COMPLETE"),
            "{shell}: completions are computed by tfview"
        );
    }
    let man = tfview("man").output();
    assert_eq!(man.code, Some(0));
    for name in [
        ".TH TFVIEW",
        "tfview show",
        "tfview stream",
        "tfview run",
        "tfview review",
        "fail\\-on",
    ] {
        assert!(man.stdout.contains(name), "{name}");
    }
}
