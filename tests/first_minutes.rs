//! docs/first-minutes.txt shows what a new user types and sees, word by word.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use super::cli::harness::folder;

const VERSION: &str = r#"{"@level":"info","@message":"Terraform 1.15.0","@module":"terraform.ui","@timestamp":"2026-01-01T00:00:00Z","type":"version","terraform":"1.15.0","ui":"1.2"}"#;
const STATE: &str =
    r#"{"format_version":"1.0","terraform_version":"1.15.0","values":{"root_module":{}}}"#;
const TEXT: &str =
    "Terraform will perform the following actions:\n\n  # aws_db_instance.main will be created\n";
const BOOKMARK: &str =
    r#"{"remote_plan_format":1,"run_id":"run-CZcmD7eagjhyX0vN","hostname":"app.terraform.io"}"#;

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a variable asks to renew the document"
)]
fn the_first_minutes_are_as_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read(root.join(path)).unwrap();
    let folder = folder(
        "first-minutes",
        &[
            ("plan.json", &read("fixtures/review/shop/plan.json")),
            (
                "tfplan",
                &read("fixtures/saved/nested-1-opentofu-1.13/plan.tfplan"),
            ),
            (
                "terraform.tfstate",
                &read("fixtures/saved/checks-state-opentofu/terraform.tfstate"),
            ),
            ("plan.txt", TEXT.as_bytes()),
            ("state.json", STATE.as_bytes()),
            ("messages.jsonl", VERSION.as_bytes()),
            ("main.tf", b"resource \"aws_db_instance\" \"main\" {\n}\n"),
            ("values.yaml", b"replicas: 2\nimage: shop\n"),
            ("picture.png", b"\x89PNG\r\n\x1a\n"),
            ("cloudplan", BOOKMARK.as_bytes()),
            ("empty", b""),
        ],
    );
    fs::create_dir(folder.join("home")).unwrap();
    fs::create_dir(folder.join("bin")).unwrap();
    symlink(env!("CARGO_BIN_EXE_tfview"), folder.join("bin/tfview")).unwrap();
    // Terraform may be in the directories of these.
    for program in ["bash", "cat", "cp", "head", "tail"] {
        let of_system = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(program));
        symlink(
            of_system.iter().find(|path| path.exists()).unwrap(),
            folder.join("bin").join(program),
        )
        .unwrap();
    }
    let document = root.join("docs/first-minutes.txt");
    let documented = fs::read_to_string(&document).unwrap();
    let mut renewed = String::new();
    let mut commands = 0;
    for line in documented.lines() {
        if line.starts_with(";;") {
            renewed.extend([line, "\n"]);
        }
        let Some(command) = line.strip_prefix("$ ") else {
            continue;
        };
        commands += 1;
        let output = Command::new(folder.join("bin/bash"))
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(&folder)
            .env_clear()
            .env("PATH", folder.join("bin"))
            .env("HOME", folder.join("home"))
            .env("COLUMNS", "80")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        renewed.extend([
            "$ ",
            command,
            "\n",
            &String::from_utf8(output.stdout).unwrap(),
            "\n",
        ]);
    }
    if std::env::var_os("TFVIEW_BLESS").is_some() {
        fs::write(&document, &renewed).unwrap();
    }
    assert!(commands > 20);
    let differs = documented
        .lines()
        .zip(renewed.lines())
        .find(|(old, new)| old != new);
    assert!(
        documented == renewed,
        "TFVIEW_BLESS=1 renews it: {differs:?}"
    );
}
