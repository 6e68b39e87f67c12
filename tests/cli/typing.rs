//! Common ways to type a command work: a file alone, a pipe alone, the spellings of the tools. Other commands
//! get a tip that works.

use std::fs;

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
        ("show -json plan.json", "", SUMMARY),
        ("stream -json run.jsonl", "", "Apply complete!\n"),
        ("show --dialect tf plan.json", "", SUMMARY),
        ("show --dialect tofu plan.json", "", SUMMARY),
    ] {
        let ended = tfview(args).folder(&folder).stdin(input).end();
        assert_eq!(ended.code, Some(0), "{args}: {ended}");
        assert!(ended.stdout.ends_with(shown), "{args}: {ended}");
    }
    for (args, input) in [("schemas.json", ""), ("", SCHEMAS), ("--no-color -", SCHEMAS)] {
        let ended = tfview(args).folder(&folder).stdin(input).end();
        assert_eq!(ended.code, Some(0), "{args}: {ended}");
        assert!(ended.stdout.contains("shop_order"), "{args}: {ended}");
    }
    let ended = tfview("review --format md plan.json").folder(&folder).end();
    assert_eq!(ended.code, Some(0), "{ended}");
}

#[test]
fn document_after_other_lines_is_found() {
    let log = format!("Initializing...\n{MESSAGES}");
    let ended = tfview("").stdin(log).end();
    assert!(
        ended.stdout.contains("Initializing...") && ended.stdout.ends_with("Apply complete!\n"),
        "{ended}"
    );
    let ended = tfview("").stdin(format!("[command]tofu show\n{PLAN}")).end();
    assert!(ended.stdout.ends_with(SUMMARY), "{ended}");
}

#[test]
fn chdir_works_as_in_the_tools() {
    let folder = folder("cli-chdir", &[]);
    fs::create_dir(folder.join("run")).unwrap();
    fs::write(folder.join("run/plan.json"), PLAN).unwrap();
    for args in ["-chdir=run plan.json", "-chdir=run show plan.json", "--chdir run show plan.json"] {
        let ended = tfview(args).folder(&folder).end();
        assert!(ended.code == Some(0) && ended.stdout.ends_with(SUMMARY), "{args}: {ended}");
    }
    let ended = tfview("-chdir=nowhere plan.json").folder(&folder).end();
    assert_eq!(ended.code, Some(1), "{ended}");
}

#[test]
fn several_files_and_directories_are_shown() {
    let files: [(&str, &[u8]); 3] =
        [("a.json", PLAN.as_bytes()), ("b.json", PLAN.as_bytes()), ("notes.txt", b"x")];
    let folder = folder("cli-several", &files);
    for args in ["show a.json b.json", "show .", "show *.json", "a.json b.json"] {
        let ended = tfview(args).folder(&folder).end();
        assert_eq!(ended.code, Some(0), "{args}: {ended}");
        assert_eq!(ended.stdout.matches(SUMMARY).count(), 2, "{args}: {ended}");
        assert_eq!(ended.stdout.matches("==> ").count(), 2, "{args}: {ended}");
    }
}

#[test]
fn wrong_commands_get_a_tip_that_works() {
    for (args, tip) in [
        ("apply -var x=1", "`tfview run tofu apply -var x=1` runs it"),
        ("plan", "`tfview run tofu plan` runs it"),
        ("tofu apply", "`tfview run tofu apply` runs it"),
        ("terraform plan -out=x", "`tfview run terraform plan -out=x` runs it"),
        ("shwo plan.json", "'show'"),
    ] {
        let ended = tfview(args).end();
        assert_eq!(ended.code, Some(1), "{args}: {ended}");
        assert!(ended.stderr.contains(tip), "{args}: {ended}");
    }
}

#[test]
fn version_is_printed_for_every_spelling() {
    let versions: Vec<String> =
        ["version", "-version", "--version", "-V"].map(|args| tfview(args).end().stdout).into();
    assert!(versions[0].starts_with("tfview "), "{versions:?}");
    assert!(versions.iter().all(|text| *text == versions[0]), "{versions:?}");
}

#[test]
fn manual_lists_every_environment_variable() {
    let manual = tfview("man").end().stdout;
    for section in ["\"EXIT STATUS\"", "ENVIRONMENT", "FILES", "\"SEE ALSO\"", "\"tfview run\""] {
        assert!(manual.contains(&format!(".SH {section}")), "{section}");
    }
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/environment.rs");
    let source = fs::read_to_string(source).unwrap();
    let code = source.split("#[cfg(test)]").next().unwrap();
    let mut seen = 0;
    for word in code.split('"').skip(1).step_by(2) {
        let is_variable = word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.len() > 1
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !matches!(word, "False" | "FALSE" | "TFVIEW_TEST_FAULT");
        if is_variable {
            assert!(manual.contains(word), "{word} is not in the manual");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn every_page_that_the_manual_names_exists() {
    let folder = folder("cli-man", &[]);
    let ended = tfview("man pages").folder(&folder).end();
    assert_eq!(ended.code, Some(0), "{ended}");
    let pages: Vec<String> = fs::read_dir(folder.join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        pages.contains(&"tfview.1".to_owned()) && pages.contains(&"tfview-run.1".to_owned()),
        "{pages:?}"
    );
    for page in &pages {
        let text = fs::read_to_string(folder.join("pages").join(page)).unwrap().replace("\\-", "-");
        for (at, _) in text.match_indices("(1)") {
            let before = text[..at].trim_end().trim_end_matches("\\fR");
            let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap();
            assert!(name == "less" || pages.contains(&format!("{name}.1")), "{page} names {name}(1)");
        }
    }
}

#[test]
fn completions_offer_values_and_the_addresses_of_a_plan() {
    let folder = folder("cli-completions", &[("plan.json", PLAN.as_bytes())]);
    for (words, offered) in [
        (&["tfview", "review", "--format", ""][..], &["terminal", "markdown", "json"][..]),
        (&["tfview", "review", "--fail-on", "des"], &["destroy"]),
        (&["tfview", "review", "--fail-on", "destroy,rep"], &["destroy,replace"]),
        (&["tfview", "review", "--fail-on", "fact:d"], &["fact:data"]),
        (&["tfview", "diff", "--fail-on", "w"], &["wider"]),
        (&["tfview", "review", "--only", "cr"], &["create"]),
        (&["tfview", "review", "--out", "mark"], &["markdown="]),
        (&["tfview", "review", "plan.json", "--include", "terraform"], &["terraform_data.a"]),
        (&["tfview", "review", "plan.json", "--type", ""], &["terraform_data"]),
        (&["tfview", "review", "plan.json", "--address", "terr"], &["terraform_data.a"]),
        (&["tfview", "show", "plan.json", "--address", ""], &["terraform_data.a"]),
        (&["tfview", "sh"], &["show"]),
    ] {
        let index = (words.len() - 1).to_string();
        let ended = tfview(&format!("-- {}", words[..words.len() - 1].join(" ")))
            .argument(words[words.len() - 1])
            .folder(&folder)
            .variable("TFVIEW_COMPLETE", "bash")
            .variable("_CLAP_COMPLETE_INDEX", index)
            .variable("_CLAP_IFS", "\n")
            .variable("_CLAP_COMPLETE_COMP_TYPE", "9")
            .variable("_CLAP_COMPLETE_SPACE", "true")
            .end();
        for word in offered {
            assert!(ended.stdout.lines().any(|line| line.trim() == *word), "{words:?}: {word}: {ended}");
        }
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = tfview(&format!("completions {shell}")).end();
        assert!(ended.code == Some(0) && ended.stdout.contains("TFVIEW_COMPLETE"), "{shell}: {ended}");
    }
}
