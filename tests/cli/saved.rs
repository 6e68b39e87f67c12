//! Saved plans are read with the right tool (here a stand-in), whose output is untrusted.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::harness::{PLAN, SUMMARY, folder, tfview};
use crate::random::some_fixtures;

const ZIP: &[u8] = b"PK\x03\x04 a plan";

/// Installs a stand-in for the tool, which prints [`PLAN`] for a file that contains [`ZIP`], and its own
/// arguments on standard error.
fn with_tool(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let script = format!(
        "#!/bin/sh\necho \"called: $0 $1 $2 $3 $4\" >&2\nread -r line < \"$4\"\n[ \"$line\" = \"$(printf 'PK\\003\\004 a plan')\" ] || exit 7\ncat <<'END'\n{PLAN}\nEND\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn zip() -> Vec<u8> {
    [ZIP, b"\n"].concat()
}

/// Replaces the folder of a test.
fn without_folder(text: &str, folder: &Path) -> String {
    text.replace(folder.to_str().unwrap(), "[folder]")
}

#[test]
fn named_tool_is_used() {
    let folder = folder("cli-saved-named", &[("tfplan", &zip())]);
    let tool = with_tool(&folder, "my-tool");
    let output = tfview("show --via-tool tfplan")
        .folder(&folder)
        .variable("PATH", "/bin:/usr/bin")
        .variable("TFVIEW_TOOL", &tool)
        .output();
    assert_eq!(output.code, Some(0), "{output}");
    insta::assert_snapshot!(output.stdout);
    insta::assert_snapshot!(without_folder(&output.stderr, &folder), @"called: [folder]/my-tool show -json -no-color ./tfplan");
}

#[test]
fn the_lock_file_chooses_the_tool() {
    let mut called = String::new();
    for registry in ["registry.terraform.io", "registry.opentofu.org"] {
        let lock = format!("provider \"{registry}/hashicorp/null\" {{\n}}\n");
        // The stand-in reads only the first line.
        let plan = [&zip()[..], &archive(&lock)].concat();
        let folder = folder(&format!("cli-saved-{registry}"), &[("tfplan", &plan)]);
        for tool in ["terraform", "tofu"] {
            with_tool(&folder, tool);
        }
        let path = format!("{}:/bin:/usr/bin", folder.display());
        let output = tfview("show --via-tool tfplan")
            .folder(&folder)
            .variable("PATH", path)
            .output();
        assert!(output.stdout.ends_with(SUMMARY), "{output}");
        called += &format!("{registry}:\n{}", without_folder(&output.stderr, &folder));
    }
    insta::assert_snapshot!(called, @r"
    registry.terraform.io:
    called: [folder]/terraform show -json -no-color ./tfplan
    registry.opentofu.org:
    called: [folder]/tofu show -json -no-color ./tfplan
    ");
}

/// A ZIP archive that contains only a lock file, to be appended to [`zip`].
fn archive(lock: &str) -> Vec<u8> {
    const NAME: &str = ".terraform.lock.hcl";
    let start = u32::try_from(zip().len()).unwrap();
    let length = u32::try_from(lock.len()).unwrap().to_le_bytes();
    let name_length = u16::try_from(NAME.len()).unwrap().to_le_bytes();
    let mut sum = flate2::Crc::new();
    sum.update(lock.as_bytes());
    let sum = sum.sum().to_le_bytes();
    let common = [
        &[20, 0, 0, 0, 0, 0][..],
        &[0; 4],
        &sum,
        &length,
        &length,
        &name_length,
    ]
    .concat();
    let local = [
        &b"PK\x03\x04"[..],
        &common,
        &[0, 0],
        NAME.as_bytes(),
        lock.as_bytes(),
    ]
    .concat();
    let entry = [
        &b"PK\x01\x02\x14\0"[..],
        &common,
        &[0; 12],
        &start.to_le_bytes(),
        NAME.as_bytes(),
    ]
    .concat();
    let directory = (start + u32::try_from(local.len()).unwrap()).to_le_bytes();
    let size = u32::try_from(entry.len()).unwrap().to_le_bytes();
    [
        &local[..],
        &entry,
        b"PK\x05\x06\0\0\0\0\x01\0\x01\0",
        &size,
        &directory,
        &[0, 0],
    ]
    .concat()
}

#[test]
fn standard_error_of_the_tool_is_escaped() {
    let folder = folder("cli-saved-forged", &[("tfplan", &zip())]);
    let tool = folder.join("forger");
    fs::write(
        &tool,
        format!(
            "#!/bin/sh\nprintf '\\033[31m::error::x\\n::error::forged\\n' >&2\ncat <<'END'\n{PLAN}\nEND\n"
        ),
    )
    .unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let output = tfview("show --via-tool tfplan")
        .folder(&folder)
        .variable("TFVIEW_TOOL", &tool)
        .variable("PATH", "/bin:/usr/bin")
        .variable("GITHUB_ACTIONS", "true")
        .output();
    insta::assert_snapshot!(output.stdout);
    assert!(!output.stderr.contains('\u{1b}'), "{output}");
    assert!(
        !output
            .stderr
            .lines()
            .any(|line| line.starts_with("::error::")),
        "{output}"
    );
}

#[test]
fn tofu_is_preferred_to_terraform() {
    let mut called = String::new();
    for (name, tools) in [
        ("cli-saved-both", &["terraform", "tofu"][..]),
        ("cli-saved-one", &["terraform"]),
    ] {
        let folder = folder(name, &[("tfplan", &zip())]);
        for tool in tools {
            with_tool(&folder, tool);
        }
        let path = format!("{}:/bin:/usr/bin", folder.display());
        let output = tfview("show --via-tool tfplan")
            .folder(&folder)
            .variable("PATH", path)
            .output();
        assert!(output.stdout.ends_with(SUMMARY), "{output}");
        called += &format!("{tools:?}:\n{}", without_folder(&output.stderr, &folder));
    }
    insta::assert_snapshot!(called, @r#"
    ["terraform", "tofu"]:
    called: [folder]/tofu show -json -no-color ./tfplan
    ["terraform"]:
    called: [folder]/terraform show -json -no-color ./tfplan
    "#);
}

#[test]
fn copy_of_standard_input_is_removed() {
    let folder = folder("cli-saved-stdin", &[]);
    let tool = with_tool(&folder, "my-tool");
    let temporary = folder.join("tmp");
    fs::create_dir(&temporary).unwrap();
    let output = tfview("show --via-tool")
        .stdin(zip())
        .variable("PATH", "/bin:/usr/bin")
        .variable("TFVIEW_TOOL", &tool)
        .variable("TMPDIR", &temporary)
        .output();
    insta::assert_snapshot!(output.stdout);
    assert_eq!(fs::read_dir(temporary).unwrap().count(), 0);
}

#[test]
fn failing_or_missing_tool_is_an_error() {
    let folder = folder("cli-saved-bad", &[("tfplan", b"PK\x03\x04 another")]);
    let tool = with_tool(&folder, "my-tool");
    let mut errors = String::new();
    for tool in [tool.to_str().unwrap(), "/nonexistent/tool", ""] {
        let output = tfview("show --via-tool tfplan")
            .folder(&folder)
            .variable("TFVIEW_TOOL", tool)
            .variable("PATH", "/nonexistent")
            .output();
        errors += &without_folder(&output.stderr, &folder);
        assert_eq!((output.code, &*output.stdout), (Some(1), ""));
    }
    insta::assert_snapshot!(errors, @r"
    called: [folder]/my-tool show -json -no-color ./tfplan
    error: running `[folder]/my-tool show -json` for the saved plan tfplan: it failed (exit status: 7)
      tip: is this the folder of its configuration, and `[folder]/my-tool` the tool that wrote the plan?
    error: running `/nonexistent/tool show -json` for the saved plan tfplan: No such file or directory
    error: cannot read tfplan: a saved plan, which only the tool that wrote it can read: neither tofu nor terraform is in PATH: install it, name it in TFVIEW_TOOL, or pass the output of its `show -json`
    ");
}

/// The causes of each change in a review.
fn causes(review: &str) -> Vec<String> {
    let review: serde_json::Value = serde_json::from_str(review).unwrap();
    let resources = review["plans"][0]["resources"].as_array().unwrap();
    let cause =
        |resource: &serde_json::Value| format!("{} {}", resource["address"], resource["causes"]);
    resources.iter().map(cause).collect()
}

#[test]
fn a_saved_plan_has_the_causes_of_its_json_and_the_lines_of_its_configuration() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/saved");
    let mut compared = 0;
    let name_of = |case: &Path| case.file_name().unwrap().to_string_lossy().into_owned();
    let mut cases: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|case| case.join("plan.tfplan").exists())
        .filter(|case| {
            let name = name_of(case);
            name.contains("-3-") || name.contains("-4-")
        })
        .collect();
    cases.sort();
    for case in some_fixtures(cases, 0) {
        let name = name_of(&case);
        let review = |file: &str| {
            let schemas = case
                .join("schema.json")
                .exists()
                .then_some("--schemas=schema.json");
            let mut run = tfview("review --format json").argument(file).folder(&case);
            if let Some(schemas) = schemas {
                run = run.argument(schemas);
            }
            run.output().stdout
        };
        let (saved, json) = (review("plan.tfplan"), review("plan.json"));
        assert_eq!(causes(&saved), causes(&json), "{name}");
        compared += causes(&saved)
            .iter()
            .filter(|text| !text.ends_with(" []") && !text.ends_with(" null"))
            .count();
        assert!(!json.contains("\"main.tf\""), "{json}");
        assert!(!saved.contains("\"tfview-3-"), "{saved}");
        if causes(&saved).iter().any(|text| text.contains("update")) {
            assert!(saved.contains("\"main.tf\""), "{saved}");
        }
    }
    assert!(compared > 2, "{compared} causes");
}
