//! Runs the binary in an isolated environment.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A plan with one change.
pub(crate) const PLAN: &str = r#"{"format_version":"1.2","terraform_version":"1.15.0","planned_values":{},"resource_changes":[{"address":"terraform_data.a","mode":"managed","type":"terraform_data","name":"a","provider_name":"terraform.io/builtin/terraform","change":{"actions":["create"],"before":null,"after":{"input":"é"},"after_unknown":{"id":true},"before_sensitive":false,"after_sensitive":{}}}]}"#;

/// A plan without changes.
pub(crate) const NO_CHANGES: &str = r#"{"format_version":"1.2","terraform_version":"1.15.0","planned_values":{},"resource_changes":[]}"#;

/// The last line of the text of [`PLAN`].
pub(crate) const SUMMARY: &str = "Plan: 1 to add, 0 to change, 0 to destroy.\n";

/// A run of the binary that was not started yet.
pub(crate) struct Run {
    args: Vec<OsString>,
    stdin: Vec<u8>,
    variables: Vec<(&'static str, OsString)>,
    folder: PathBuf,
}

/// A run with these arguments, separated by whitespace, and with empty standard input.
pub(crate) fn tfview(args: &str) -> Run {
    Run {
        args: args.split_whitespace().map(OsString::from).collect(),
        stdin: Vec::new(),
        variables: Vec::new(),
        folder: env!("CARGO_TARGET_TMPDIR").into(),
    }
}

/// The exit code and the output of a run.
pub(crate) struct Output {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            stdout,
            stderr,
        } = self;
        write!(
            f,
            "exit {code:?}\n--- stdout\n{stdout}--- stderr\n{stderr}[EOF]"
        )
    }
}

impl Run {
    pub(crate) fn stdin(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.stdin = bytes.as_ref().to_vec();
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    pub(crate) fn argument(mut self, argument: &str) -> Self {
        self.args.push(argument.into());
        self
    }

    pub(crate) fn folder(mut self, folder: &Path) -> Self {
        self.folder = folder.to_owned();
        self
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tfview"));
        command
            .args(&self.args)
            .env_clear()
            // The age of a plan is computed with this time, so that it is the same in every run.
            .env("SOURCE_DATE_EPOCH", "1795284000")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the binary to its end.
    pub(crate) fn output(self) -> Output {
        let mut child = self.command().spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let bytes = self.stdin;
        // A run that rejects its arguments does not read its input.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Output {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Replaces what the marker of Markdown says of the place of a test, and the version, so that a release changes no
/// snapshot.
pub(crate) fn without_identity(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("<!-- tfview:review ") {
        Some(rest) if line.trim_end().ends_with("-->") => {
            let mut words: Vec<&str> = rest.split(' ').collect();
            let hash = words.len().saturating_sub(2);
            words[hash] = "[identity]";
            format!("<!-- tfview:review {}", words.join(" "))
        }
        Some(_) | None => line.to_owned(),
    };
    let text: String = text.split_inclusive('\n').map(line).collect();
    text.replace(
        concat!("tfview ", env!("CARGO_PKG_VERSION")),
        "tfview [version]",
    )
}

/// What is shown after the first `text`.
pub(crate) fn after<'a>(seen: &'a str, text: &str) -> &'a str {
    seen.split_once(text).map_or(seen, |(_, rest)| rest)
}

/// Creates a folder with only these files.
pub(crate) fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _: std::io::Result<()> = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for (file, bytes) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}
