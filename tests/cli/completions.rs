//! What bash inserts for a TAB is one word with the value of the candidate: no part of a file's name runs, and none
//! ends the quote that is open.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::harness::{folder, tfview};

const NAMES: [&str; 14] = [
    "a$(touch PWN).json",
    "a`touch PWN`.json",
    "a;touch PWN;.json",
    "a'; touch PWN; '.json",
    "a\"; touch PWN; \".json",
    "a\\$(touch PWN).json",
    "a\\\"$(touch PWN).json",
    "a b.json",
    "a&touch PWN.json",
    "a>PWN.json",
    "a!x.json",
    "a#x.json",
    "a~x.json",
    "a=x:y.json",
];

#[expect(clippy::disallowed_methods, reason = "the shell is in PATH")]
fn path_with_binary() -> OsString {
    let folder = Path::new(env!("CARGO_BIN_EXE_tfview")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let folders = [folder.to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

/// A file with the script for bash, in a directory without files that could be completed.
fn completions_of_bash() -> PathBuf {
    let file = folder("cli-completions-bash", &[]).join("completions.bash");
    let output = tfview("completions bash").output();
    std::fs::write(&file, output.stdout).unwrap();
    file
}

/// A file's name ran where a quote was open.
#[test]
fn completion_runs_file_name() {
    let completions = completions_of_bash();
    for name in NAMES {
        let directory = folder("cli-completions-names", &[(name, b"x")]);
        for (quote, words) in [
            ("\"", r#"'"a'"#),
            ("'", r#""'a""#),
            ("", "a"),
            ("\"", r#"--with '"a'"#),
            ("\"", r#"--out '"html=a'"#),
            ("\"", r#"--out html = '"a'"#),
            ("'", r#"--out html = "'a""#),
            ("", "--out html = a"),
        ] {
            // The word as bash has it after the TAB and the closing quote is evaluated, as on Enter.
            let script = format!(
                "source {completions}; COMP_WORDS=(tfview review {words}); COMP_TYPE=9; \
                 COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _tfview tfview \"${{COMP_WORDS[COMP_CWORD]}}\"; \
                 for word in \"${{COMPREPLY[@]}}\"; do eval \"set -- {escaped}$word{escaped}\"; printf '%s\\n' \"$*\"; done",
                completions = completions.display(),
                escaped = if quote == "\"" { "\\\"" } else { quote }
            );
            let output = std::process::Command::new("bash")
                .args(["-c", &script])
                .current_dir(&directory)
                .env("PATH", path_with_binary())
                .output()
                .unwrap();
            let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(
                !directory.join("PWN").exists(),
                "{name} behind {words}: {stdout}"
            );
            for line in stdout.lines() {
                let line = line.strip_prefix("html=").unwrap_or(line);
                assert_eq!(line, name, "behind {words}");
            }
        }
    }
}

/// PowerShell inserts a candidate as it is.
#[test]
fn powershell_is_offered_plain_words_only() {
    let files: Vec<(&str, &[u8])> = NAMES.iter().map(|name| (*name, &b"x"[..])).collect();
    let mut files = files;
    files.push(("a-plain_1.json", b"x"));
    let directory = folder("cli-completions-powershell", &files);
    let output = std::process::Command::new(Path::new(env!("CARGO_BIN_EXE_tfview")))
        .args(["--", "tfview", "review", "a"])
        .env("TFVIEW_COMPLETE", "powershell")
        .current_dir(&directory)
        .output()
        .unwrap();
    let offered = String::from_utf8_lossy(&output.stdout).into_owned();
    insta::assert_snapshot!(offered, @r"
    a-plain_1.json
    a=x:y.json
    a~x.json
    ");
    assert!(
        !offered.contains("PWN") && !offered.contains('\''),
        "{offered}"
    );
}
