//! Opens a file in the user's editor, which `$VISUAL` or `$EDITOR` names.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};

use crate::browse::SourceFile;
use crate::cli::Host;
use crate::cli::processes::Purpose;

/// Opens a file at a line in the editor, and waits until the editor ends.
///
/// # Errors
/// If no editor is set, it cannot be started, or it ends with another exit code than 0.
pub(super) fn open(source: &SourceFile, host: &Host) -> anyhow::Result<()> {
    let Some(editor) = &host.environment.editor else {
        bail!(
            "set VISUAL or EDITOR to the editor to open {}",
            source.path.display()
        );
    };
    let mut words = editor.split_whitespace().map(OsString::from);
    let name = words.next().context("VISUAL or EDITOR is empty")?;
    let program = host
        .environment
        .find_program(&name)
        .with_context(|| format!("the editor {} is not in PATH", name.display()))?;
    let mut command = Command::new(program);
    command.args(words).args(arguments(&name, source));
    if !host.terminal.stdin {
        // Standard input is not a terminal: the plan came from it.
        let terminal = std::fs::File::open("/dev/tty").context("opening the terminal")?;
        command.stdin(Stdio::from(terminal));
    }
    let (mut child, process) = host.processes.start(&mut command, Purpose::Shown)?;
    let code = process
        .wait(&mut child, || process.suspend())
        .context("waiting for the editor")?;
    ensure!(code == 0, "the editor ended with exit code {code}");
    Ok(())
}

/// Returns a path that no editor takes for an option or a command: a relative one begins with `./`. Files of a repository
/// may have any names, such as `-c!command`.
fn as_operand(path: &Path) -> PathBuf {
    match path.is_relative() && !path.starts_with(".") && !path.starts_with("..") {
        true => Path::new(".").join(path),
        false => path.to_owned(),
    }
}

/// Returns the arguments that open a file at a line. Most editors read `+12`.
fn arguments(editor: &OsString, source: &SourceFile) -> Vec<OsString> {
    let SourceFile { path, line } = source;
    let path = as_operand(path);
    let name = Path::new(editor).file_stem().unwrap_or_default();
    let with_line = |separator: &str| {
        let mut argument = path.clone().into_os_string();
        argument.push(format!("{separator}{line}"));
        argument
    };
    match name.to_str().unwrap_or_default() {
        "code" | "codium" | "cursor" => vec!["--goto".into(), with_line(":")],
        "hx" | "helix" | "subl" | "zed" => vec![with_line(":")],
        _ => vec![format!("+{line}").into(), path.clone().into_os_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_are_told_the_line() {
        let source = SourceFile {
            path: "/x/main.tf".into(),
            line: 12,
        };
        let of = |editor: &str| arguments(&editor.into(), &source);
        assert_eq!(of("/usr/bin/vim"), ["+12", "/x/main.tf"]);
        assert_eq!(of("code"), ["--goto", "/x/main.tf:12"]);
        assert_eq!(of("hx"), ["/x/main.tf:12"]);
    }

    #[test]
    fn no_name_of_a_file_is_an_option_of_an_editor() {
        for name in ["-c!touch pwned.tf", "+!sh.tf", "main.tf", "-/x.tf"] {
            let source = SourceFile {
                path: name.into(),
                line: 1,
            };
            for editor in ["vim", "nano", "code", "hx", "emacs"] {
                for argument in arguments(&editor.into(), &source) {
                    let argument = argument.to_string_lossy();
                    let is_ours = argument == "+1" || argument == "--goto";
                    assert!(is_ours || argument.starts_with("./"), "{editor} {argument}");
                }
            }
        }
    }
}
