//! Saved plans, with a script that stands in for the tool.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::harness::{PLAN, SUMMARY, folder, tfview};

const ZIP: &[u8] = b"PK\x03\x04 a plan";

/// A tool that prints [`PLAN`] for a file that holds [`ZIP`], and says how it was called.
fn with_tool(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let script = format!(
        "#!/bin/sh\necho \"called: $0 $1 $2 $3\" >&2\nread -r line < \"$3\"\n[ \"$line\" = \"$(printf 'PK\\003\\004 a plan')\" ] || exit 7\ncat <<'END'\n{PLAN}\nEND\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn zip() -> Vec<u8> {
    [ZIP, b"\n"].concat()
}

#[test]
fn the_named_tool_is_asked() {
    let folder = folder("cli-saved-named", &[("tfplan", &zip())]);
    let tool = with_tool(&folder, "my-tool");
    let ended = tfview("show tfplan")
        .folder(&folder)
        .variable("PATH", "/bin:/usr/bin")
        .variable("TFVIEW_TOOL", &tool)
        .end();
    assert_eq!(ended.code, Some(0), "{ended}");
    assert!(ended.stdout.ends_with(SUMMARY), "{ended}");
    assert!(ended.stderr.contains(&format!("called: {} show -json ./tfplan\n", tool.display())), "{ended}");
}

#[test]
fn tofu_goes_before_terraform() {
    for (name, tools, expected) in [
        ("cli-saved-both", &["terraform", "tofu"][..], "tofu show"),
        ("cli-saved-one", &["terraform"], "terraform show"),
    ] {
        let folder = folder(name, &[("tfplan", &zip())]);
        for tool in tools {
            with_tool(&folder, tool);
        }
        let path = format!("{}:/bin:/usr/bin", folder.display());
        let ended = tfview("show tfplan").folder(&folder).variable("PATH", path).end();
        assert!(ended.stdout.ends_with(SUMMARY), "{ended}");
        assert!(ended.stderr.contains(expected), "{ended}");
    }
}

#[test]
fn standard_input_is_copied_and_the_copy_goes() {
    let folder = folder("cli-saved-stdin", &[]);
    let tool = with_tool(&folder, "my-tool");
    let temporary = folder.join("tmp");
    fs::create_dir(&temporary).unwrap();
    let ended = tfview("show")
        .stdin(zip())
        .variable("PATH", "/bin:/usr/bin")
        .variable("TFVIEW_TOOL", &tool)
        .variable("TMPDIR", &temporary)
        .end();
    assert!(ended.stdout.ends_with(SUMMARY), "{ended}");
    assert_eq!(fs::read_dir(temporary).unwrap().count(), 0);
}

#[test]
fn a_tool_that_fails_or_is_missing_is_told() {
    let folder = folder("cli-saved-bad", &[("tfplan", b"PK\x03\x04 another")]);
    let tool = with_tool(&folder, "my-tool");
    for (tool, message) in [
        (tool.to_str().unwrap(), "it failed (exit status: 7)"),
        (
            "/nonexistent/tool",
            "running `/nonexistent/tool show -json` for the saved plan tfplan: No such file",
        ),
        ("", "neither tofu nor terraform is in PATH"),
    ] {
        let ended = tfview("show tfplan")
            .folder(&folder)
            .variable("TFVIEW_TOOL", tool)
            .variable("PATH", "/nonexistent")
            .end();
        assert!(ended.stderr.contains(message), "{ended}");
        assert_eq!((ended.code, &*ended.stdout), (Some(1), ""));
    }
}
