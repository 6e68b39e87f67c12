//! Options, variables, help.

use super::harness::{NO_CHANGES, PLAN, tfview};

#[test]
fn colour_goes_by_flag_then_variables() {
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
        let ended = tfview(args).variable(variable.0, variable.1).stdin(PLAN).end();
        assert_eq!(ended.stdout.contains('\u{1b}'), coloured, "{args} {variable:?}\n{ended}");
    }
}

#[test]
fn a_regular_file_gets_no_colour_from_a_ci_system() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-colour.txt");
    let mut command = tfview("show -").variable("GITHUB_ACTIONS", "true").command();
    let mut child = command.stdout(std::fs::File::create(&path).unwrap()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), PLAN.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains("Plan: 1 to add") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn the_exit_code_tells_changes_when_it_is_asked_to() {
    for (args, plan, code) in [
        ("show", PLAN, 0),
        ("show --detailed-exitcode", PLAN, 2),
        ("show -detailed-exitcode", PLAN, 2),
        ("show -detailed-exitcode", NO_CHANGES, 0),
    ] {
        let ended = tfview(args).stdin(plan).end();
        assert_eq!(ended.code, Some(code), "{args}: {ended}");
    }
}

#[test]
fn the_dialect_follows_the_registry_unless_it_is_named() {
    let tofu = PLAN.replace("terraform.io/builtin/terraform", "registry.opentofu.org/a/b");
    for (args, plan, product) in [
        ("show", PLAN, "Terraform"),
        ("show", &*tofu, "OpenTofu"),
        ("show --dialect terraform", &*tofu, "Terraform"),
        ("show -dialect=opentofu", PLAN, "OpenTofu"),
        ("show --dialect tofu", PLAN, "OpenTofu"),
    ] {
        let ended = tfview(args).stdin(plan).end();
        let will = format!("{product} will perform the following actions:");
        assert!(ended.stdout.contains(&will), "{args}: {ended}");
    }
}

#[test]
fn the_plan_mode_can_be_named() {
    let none = |args: &str| tfview(args).stdin(NO_CHANGES).end().stdout;
    assert_ne!(none("show --plan-mode destroy"), none("show --plan-mode normal"));
    assert_ne!(none("show --plan-mode refresh-only"), none("show --plan-mode normal"));
}

#[test]
fn what_was_inferred_is_said_once() {
    let plan = PLAN
        .replace("terraform.io/builtin/terraform", "registry.terraform.io/x/y")
        .replace("terraform_data", "y_z");
    let ended = tfview("show").stdin(plan).end();
    assert_eq!(ended.stderr.matches("inferred").count(), 1, "{ended}");
    assert!(
        ended.stderr.contains("y_z") && ended.stderr.contains("terraform providers schema -json"),
        "{ended}"
    );
}

#[test]
fn wrong_usage_exits_with_one() {
    for args in
        ["", "nope", "show --nope", "show -nope", "show a b", "show --width 0", "show --color blue", "run"]
    {
        let ended = tfview(args).end();
        assert_eq!((ended.code, &*ended.stdout), (Some(1), ""), "{args}: {ended}");
        assert!(!ended.stderr.is_empty());
    }
}

#[test]
fn help_is_for_people() {
    for args in
        ["--help", "show --help", "stream --help", "run --help", "review --help", "completions --help"]
    {
        let ended = tfview(args).end();
        assert_eq!((ended.code, &*ended.stderr), (Some(0), ""), "{args}");
        insta::assert_snapshot!(format!("help-{}", args.replace("--help", "").trim()), ended.stdout);
    }
    assert_eq!(tfview("show -help").end().stdout, tfview("show --help").end().stdout);
    assert_eq!(tfview("-version").end().stdout, format!("tfview {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_and_manual_know_every_subcommand() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ended = tfview(&format!("completions {shell}")).end();
        assert_eq!(ended.code, Some(0));
        assert!(ended.stdout.contains("TFVIEW_COMPLETE"), "{shell}: it asks tfview itself");
    }
    let man = tfview("man").end();
    assert_eq!(man.code, Some(0));
    for name in [".TH tfview", "tfview show", "tfview stream", "tfview run", "tfview review", "fail\\-on"] {
        assert!(man.stdout.contains(name), "{name}");
    }
}
