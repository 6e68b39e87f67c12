//! Common ways to type a command work: a file alone, a pipe alone, the spellings of the tools. Other commands
//! get a tip that works.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::harness::{PLAN, SUMMARY, folder, tfview};

const MESSAGES: &str = "{\"@level\":\"info\",\"@message\":\"Apply complete!\",\"changes\":{\"add\":0,\"operation\":\"apply\"},\"type\":\"change_summary\"}\n";

const SCHEMAS: &str = r#"{"format_version":"1.0","provider_schemas":{"example.com/acme/shop":{"resource_schemas":{"shop_order":{"version":0,"block":{"attributes":{"id":{"type":"string","computed":true}}}}}}}}"#;

#[test]
fn document_decides_the_subcommand() {
    let folder = folder(
        "cli-typing",
        &[
            ("plan.json", PLAN.as_bytes()),
            ("run.jsonl", MESSAGES.as_bytes()),
            ("schemas.json", SCHEMAS.as_bytes()),
        ],
    );
    for (args, input, shown) in [
        ("plan.json", "", SUMMARY),
        ("--color never plan.json", "", SUMMARY),
        ("-no-color plan.json", "", SUMMARY),
        ("run.jsonl", "", "Apply complete!\n"),
        ("", PLAN, SUMMARY),
        ("-", PLAN, SUMMARY),
        ("", MESSAGES, "Apply complete!\n"),
        ("stream -json run.jsonl", "", "Apply complete!\n"),
        ("show --dialect tf plan.json", "", SUMMARY),
        ("show --dialect tofu plan.json", "", SUMMARY),
    ] {
        let output = tfview(args).folder(&folder).stdin(input).output();
        assert_eq!(output.code, Some(0), "{args}: {output}");
        assert!(output.stdout.ends_with(shown), "{args}: {output}");
    }
    for (args, input) in [
        ("schemas.json", ""),
        ("", SCHEMAS),
        ("--no-color -", SCHEMAS),
    ] {
        let output = tfview(args).folder(&folder).stdin(input).output();
        assert_eq!(output.code, Some(0), "{args}: {output}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(output.stdout, @r"
            example.com/acme/shop
              shop_order  resource

            1 resource
            ");
        }
    }
    let output = tfview("review --format md plan.json")
        .folder(&folder)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
}

#[test]
fn document_after_other_lines_is_found() {
    let log = format!("Initializing...\n{MESSAGES}");
    let output = tfview("").stdin(log).output();
    insta::assert_snapshot!(output.stdout, @r"
    Initializing...

    Apply complete!
    ");
    let output = tfview("")
        .stdin(format!("[command]tofu show\n{PLAN}"))
        .output();
    insta::assert_snapshot!(output.stdout);
}

#[test]
fn chdir_works_as_in_the_tools() {
    let folder = folder("cli-chdir", &[]);
    fs::create_dir(folder.join("run")).unwrap();
    fs::write(folder.join("run/plan.json"), PLAN).unwrap();
    for args in [
        "-chdir=run plan.json",
        "-chdir=run show plan.json",
        "--chdir run show plan.json",
    ] {
        let output = tfview(args).folder(&folder).output();
        assert!(
            output.code == Some(0) && output.stdout.ends_with(SUMMARY),
            "{args}: {output}"
        );
    }
    let output = tfview("-chdir=nowhere plan.json").folder(&folder).output();
    assert_eq!(output.code, Some(1), "{output}");
}

#[test]
fn several_files_and_directories_are_shown() {
    let files: [(&str, &[u8]); 3] = [
        ("a.json", PLAN.as_bytes()),
        ("b.json", PLAN.as_bytes()),
        ("notes.txt", b"x"),
    ];
    let folder = folder("cli-several", &files);
    for args in [
        "show a.json b.json",
        "show .",
        "show *.json",
        "a.json b.json",
    ] {
        let output = tfview(args).folder(&folder).output();
        assert_eq!(output.code, Some(0), "{args}: {output}");
        assert_eq!(
            output.stdout.matches(SUMMARY).count(),
            2,
            "{args}: {output}"
        );
        assert_eq!(output.stdout.matches("==> ").count(), 2, "{args}: {output}");
    }
}

#[test]
fn wrong_commands_get_a_tip_that_works() {
    let mut said = String::new();
    for args in [
        "apply -var x=1",
        "plan",
        "tofu apply",
        "terraform plan -out=x",
        "shwo plan.json",
    ] {
        let output = tfview(args).output();
        assert_eq!(output.code, Some(1), "{args}: {output}");
        said += &format!("$ tfview {args}\n{}\n", output.stderr);
    }
    insta::assert_snapshot!(said);
}

#[test]
fn version_is_printed_for_every_spelling() {
    let versions: Vec<String> = ["version", "-version", "--version", "-V"]
        .map(|args| tfview(args).output().stdout)
        .into();
    assert!(versions[0].starts_with("tfview "), "{versions:?}");
    assert!(
        versions.iter().all(|text| *text == versions[0]),
        "{versions:?}"
    );
}

#[test]
fn manual_lists_every_environment_variable() {
    let manual = tfview("man").output().stdout;
    for section in [
        "\"EXIT STATUS\"",
        "ENVIRONMENT",
        "FILES",
        "\"SEE ALSO\"",
        "\"tfview run\"",
    ] {
        assert!(manual.contains(&format!(".SH {section}")), "{section}");
    }
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/settings.rs");
    let source = fs::read_to_string(source).unwrap();
    let code = source.split("#[cfg(test)]").next().unwrap();
    let mut variables = 0;
    for word in code.split('"').skip(1).step_by(2) {
        let is_variable = word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.len() > 1
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !matches!(word, "False" | "FALSE" | "TFVIEW_TEST_FAULT");
        if is_variable {
            assert!(manual.contains(word), "{word} is not in the manual");
            variables += 1;
        }
    }
    assert!(variables > 20, "{variables}");
}

#[test]
fn every_page_that_the_manual_names_exists() {
    let folder = folder("cli-man", &[]);
    let output = tfview("man ./pages").folder(&folder).output();
    assert_eq!(output.code, Some(0), "{output}");
    let pages: Vec<String> = fs::read_dir(folder.join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        pages.contains(&"tfview.1".to_owned()) && pages.contains(&"tfview-run.1".to_owned()),
        "{pages:?}"
    );
    for page in &pages {
        let text = fs::read_to_string(folder.join("pages").join(page))
            .unwrap()
            .replace("\\-", "-");
        for (offset, _) in text.match_indices("(1)") {
            let before = text[..offset].trim_end().trim_end_matches("\\fR");
            let name = before
                .rsplit(|c: char| !c.is_alphanumeric() && c != '-')
                .next()
                .unwrap();
            assert!(
                name == "less" || pages.contains(&format!("{name}.1")),
                "{page} names {name}(1)"
            );
        }
    }
}

#[test]
fn completions_offer_values_and_the_addresses_of_a_plan() {
    let saved = fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/saved/big-1-opentofu/plan.tfplan"
    ))
    .unwrap();
    let folder = folder(
        "cli-completions",
        &[("plan.json", PLAN.as_bytes()), ("tfplan", &saved)],
    );
    for (words, offered) in [
        (
            &["tfview", "review", "--format", ""][..],
            &["terminal", "markdown", "json"][..],
        ),
        (&["tfview", "review", "--fail-on", "des"], &["destroy"]),
        (
            &["tfview", "review", "--fail-on", "destroy,rep"],
            &["destroy,replace"],
        ),
        (
            &["tfview", "review", "--fail-on", "finding:d"],
            &["finding:data-loss"],
        ),
        (&["tfview", "diff", "--fail-on", "w"], &["wider"]),
        (&["tfview", "review", "--only", "cr"], &["create"]),
        (&["tfview", "review", "--out", "mark"], &["markdown="]),
        (
            &["tfview", "review", "--out", "html=pl"],
            &["html=plan.json"],
        ),
        (
            &["tfview", "review", "plan.json", "--include", "terraform"],
            &["terraform_data.a"],
        ),
        (
            &["tfview", "review", "plan.json", "--type", ""],
            &["terraform_data"],
        ),
        (
            &["tfview", "review", "plan.json", "--address", "terr"],
            &["terraform_data.a"],
        ),
        (
            &["tfview", "show", "plan.json", "--address", ""],
            &["terraform_data.a"],
        ),
        (
            &["tfview", "show", "tfplan", "--address", "module.a[0]."],
            &["module.a[0].terraform_data.fe"],
        ),
        (&["tfview", "sh"], &["show"]),
        (&["tfview", "plan.js"], &["plan.json"]),
        (&["tfview", "show", "plan.js"], &["plan.json"]),
        (&["tfview", "run", ""], &["tofu", "terraform"]),
        (&["tfview", "run", "tofu", ""], &["apply", "plan"]),
        (&["tfview", "run", "tofu", "ap"], &["apply"]),
        (&["tfview", "run", "tofu", "apply", "pla"], &["plan.json"]),
    ] {
        let index = (words.len() - 1).to_string();
        let output = tfview(&format!("-- {}", words[..words.len() - 1].join(" ")))
            .argument(words[words.len() - 1])
            .folder(&folder)
            .variable("TFVIEW_COMPLETE", "bash")
            .variable("_CLAP_COMPLETE_INDEX", index)
            .variable("_CLAP_IFS", "\n")
            .variable("_CLAP_COMPLETE_COMP_TYPE", "9")
            .variable("_CLAP_COMPLETE_SPACE", "true")
            .output();
        for word in offered {
            assert!(
                output.stdout.lines().any(|line| line.trim() == *word),
                "{words:?}: {word}: {output}"
            );
        }
    }
    let hostile = PLAN.replace("terraform_data.a", "terraform_data.$(touch x)");
    assert_ne!(hostile, PLAN);
    fs::write(folder.join("plan.json"), hostile).unwrap();
    let output = tfview("-- tfview review plan.json --address")
        .argument("")
        .folder(&folder)
        .variable("TFVIEW_COMPLETE", "bash")
        .variable("_CLAP_COMPLETE_INDEX", "4")
        .variable("_CLAP_IFS", "\n")
        .output();
    assert!(!output.stdout.contains("touch"), "{output}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = tfview(&format!("completions {shell}")).output();
        assert!(
            output.code == Some(0) && output.stdout.contains("TFVIEW_COMPLETE"),
            "{shell}: {output}"
        );
    }
}

/// A plan below `fixtures`.
const SHOP: &str = "review/shop/plan.json";

/// bash splits words at `:` and `=`, and inserts candidates as they are.
#[cfg_attr(windows, ignore = "needs bash")]
#[test]
fn completions_of_values_with_signs_work_in_bash() {
    let group = "--address aws_cloudwatch_log_group.service[";
    let quoted = "--address '\"aws_cloudwatch_log_group.service['";
    for (words, candidate) in [
        ("tfview review --fail-on finding : ex", "exposure"),
        ("tfview review --out html = REA", "README.md"),
        (
            &format!("tfview review {SHOP} {group}"),
            r#"aws_cloudwatch_log_group.service\[\"api\"\]"#,
        ),
        (
            &format!("tfview review {SHOP} {quoted}"),
            r#"aws_cloudwatch_log_group.service[\"api\"]"#,
        ),
    ] {
        let script = format!(
            "source <(tfview completions bash); COMP_WORDS=({words}) COMP_TYPE=9; COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _tfview tfview \"${{COMP_WORDS[COMP_CWORD]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        assert_offers("bash", &script, candidate);
    }
}

/// fish neither splits words at signs nor changes candidates.
#[ignore = "needs fish, which few machines have: `cargo test --test suite in_fish -- --ignored`"]
#[test]
fn completions_of_values_with_signs_work_in_fish() {
    for (line, candidate) in [
        ("tfview review --fail-on finding:ex", "finding:exposure"),
        ("tfview review --out html=REA", "html=README.md"),
        (
            &format!("tfview review {SHOP} --address aws_db"),
            "aws_db_instance.orders",
        ),
    ] {
        let script = format!("tfview completions fish | source; complete -C '{line}'");
        assert_offers("fish", &script, candidate);
    }
}

/// A script of a shell, with `tfview` in PATH, prints a line with this candidate.
#[expect(clippy::disallowed_methods, reason = "the shells are in PATH")]
fn assert_offers(shell: &str, script: &str, candidate: &str) {
    let program = Path::new(env!("CARGO_BIN_EXE_tfview"));
    let folder = program.parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap();
    let path = std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&others)));
    let mut command = Command::new(shell);
    command
        .args(["-c", script])
        .env("PATH", path.unwrap())
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"));
    let output = command.output().expect("the shell is installed");
    let offered = String::from_utf8_lossy(&output.stdout);
    assert!(
        offered.lines().any(|line| line == candidate),
        "{script}\n{offered}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_missing_file_and_an_option_of_another_subcommand_get_a_tip() {
    let folder = folder("cli-missing", &[("plan.json", PLAN.as_bytes())]);
    let mut said = String::new();
    for args in [
        "review plan.jsn",
        "plan.jsno",
        "review nothing-like-it",
        "plan.json --tree",
        "show --fail-on destroy plan.json",
    ] {
        let output = tfview(args).folder(&folder).output();
        assert_eq!(output.code, Some(1), "{args}: {output}");
        said += &format!("$ tfview {args}\n{}\n", output.stderr);
    }
    insta::assert_snapshot!(said);
}

/// The pages had no date, a trailing space after the name, and no text for options that `-h` leaves out.
#[test]
fn manual_pages_are_complete_and_well_formed() {
    let folder = folder("cli-man-form", &[]);
    let output = tfview("man ./pages").folder(&folder).output();
    assert_eq!(output.code, Some(0), "{output}");
    let changes = concat!(env!("CARGO_MANIFEST_DIR"), "/CHANGELOG.md");
    let changes = fs::read_to_string(changes).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let heading = format!("## {version} - ");
    let date = changes.lines().find_map(|line| line.strip_prefix(&heading));
    let date = date.unwrap();
    for entry in fs::read_dir(folder.join("pages")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let page = fs::read_to_string(&path).unwrap();
        let upper = name.to_uppercase();
        let title = format!(".TH {upper} 1 {date} \"tfview {version}\" tfview");
        let title_line = page.lines().find(|line| line.starts_with(".TH ")).unwrap();
        assert_eq!(title_line, title, "{name}");
        let mut lines = page.lines().peekable();
        while let Some(line) = lines.next() {
            assert_eq!(line, line.trim_end(), "{name}");
            let next = lines.peek().copied().unwrap_or_default();
            let is_option = line.starts_with("\\fB\\-");
            assert!(!is_option || !next.is_empty(), "{name}: {line} has no text");
            assert!(
                line != ".br" || !next.is_empty(),
                "{name}: a break before an empty line"
            );
        }
        assert!(page.contains(".SH \"SEE ALSO\""), "{name}");
        let shown = tfview(&format!("man {name}")).output();
        assert!(
            name == "tfview" || name.matches('-').count() > 1 || shown.stdout == page,
            "{name}"
        );
    }
}
