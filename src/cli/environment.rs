//! The environment: variables, and the kind of the standard streams. Read once.
//!
//! Invariant: no other file of the library reads environment variables or inspects the standard streams.
//! Everything else is given these two values, so it can be tested with tables.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::term::CiSystem;

/// The settings from environment variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `NO_COLOR` is set and not empty.
    pub no_color: bool,
    /// `CLICOLOR_FORCE` or `FORCE_COLOR` requests colour everywhere.
    pub force_color: bool,
    /// `CLICOLOR=0`, or `TERM=dumb`: the display has no colours.
    pub plain_display: bool,
    /// `TERM=dumb`: the display cannot move its cursor.
    pub dumb_terminal: bool,
    /// `COLUMNS`, if it is a number above zero.
    pub columns: Option<usize>,
    /// The CI system in which the program runs.
    pub ci: Option<CiSystem>,
    /// `TFVIEW_PAGER`, otherwise `PAGER`. Empty means no pager.
    pub pager: Option<String>,
    /// `LESS` is set, so less has its own options.
    pub less: bool,
    /// The files of `TFVIEW_SCHEMAS`.
    pub schemas: Vec<PathBuf>,
    /// The directory for user data: `XDG_DATA_HOME`, otherwise the one of the platform in `HOME`.
    pub data_home: Option<PathBuf>,
    /// `TFVIEW_TOOL`: the command for reading saved plans.
    pub tool: Option<OsString>,
    /// `PATH`.
    pub path: Option<OsString>,
    /// `TF_IN_AUTOMATION` is set and not empty: no hints on what to run next.
    pub automation: bool,
    /// `GITHUB_STEP_SUMMARY`: the file for the summary of a job.
    pub step_summary: Option<PathBuf>,
    /// `SOURCE_DATE_EPOCH`: the time that counts as now, in seconds since 1970.
    pub source_date_epoch: Option<u64>,
    /// The variables of Terraform and OpenTofu.
    pub tools: ToolVariables,
    /// `TFVIEW_TEST_FAULT`, only in test builds: the display fails at a line with this text.
    pub test_fault: Option<String>,
}

/// Variables of Terraform and OpenTofu that affect `run`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolVariables {
    /// `TF_CLI_ARGS`: arguments of every command.
    pub args: Option<String>,
    /// `TF_CLI_ARGS_plan`.
    pub plan_args: Option<String>,
    /// `TF_CLI_ARGS_apply`.
    pub apply_args: Option<String>,
    /// `TF_CLI_ARGS_destroy`.
    pub destroy_args: Option<String>,
    /// `TF_WORKSPACE`: the workspace, which overrides the selected one.
    pub workspace: Option<String>,
    /// `TF_DATA_DIR`: the directory used instead of `.terraform`.
    pub data_dir: Option<PathBuf>,
    /// `TF_INPUT` is false: the tool does not ask for input.
    pub input_disabled: bool,
}

impl Environment {
    /// Reads the environment of the process.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the environment")]
    pub fn read() -> Self {
        Self::new(|name| std::env::var_os(name))
    }

    /// The environment with the variables that `variable` returns.
    pub fn new(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let some = |name: &str| variable(name).filter(|value| !value.is_empty());
        let text = |name: &str| variable(name).and_then(|value| value.into_string().ok());
        let yes = |name: &str| text(name).is_some_and(|value| !is_no(&value));
        let dumb_terminal = text("TERM").as_deref() == Some("dumb");
        Self {
            no_color: some("NO_COLOR").is_some(),
            force_color: yes("CLICOLOR_FORCE") || yes("FORCE_COLOR"),
            plain_display: dumb_terminal || text("CLICOLOR").as_deref() == Some("0"),
            dumb_terminal,
            columns: text("COLUMNS").and_then(|value| value.parse().ok()).filter(|columns| *columns > 0),
            ci: ci_system(&yes),
            pager: text("TFVIEW_PAGER").or_else(|| text("PAGER")),
            less: variable("LESS").is_some(),
            schemas: some("TFVIEW_SCHEMAS")
                .map(|list| {
                    std::env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect()
                })
                .unwrap_or_default(),
            data_home: data_home(&some),
            tool: some("TFVIEW_TOOL"),
            path: some("PATH"),
            automation: some("TF_IN_AUTOMATION").is_some(),
            step_summary: some("GITHUB_STEP_SUMMARY").map(PathBuf::from),
            source_date_epoch: text("SOURCE_DATE_EPOCH").and_then(|value| value.parse().ok()),
            test_fault: if cfg!(debug_assertions) { text("TFVIEW_TEST_FAULT") } else { None },
            tools: ToolVariables {
                args: text("TF_CLI_ARGS"),
                plan_args: text("TF_CLI_ARGS_plan"),
                apply_args: text("TF_CLI_ARGS_apply"),
                destroy_args: text("TF_CLI_ARGS_destroy"),
                workspace: text("TF_WORKSPACE").filter(|value| !value.is_empty()),
                data_dir: some("TF_DATA_DIR").map(PathBuf::from),
                input_disabled: text("TF_INPUT")
                    .is_some_and(|value| matches!(&*value, "0" | "f" | "F" | "false" | "False" | "FALSE")),
            },
        }
    }

    /// Finds a program. A name without a slash is searched only in the absolute directories of `PATH`: an empty or
    /// relative entry would run a program from the current directory, which may be part of the change under review.
    pub(super) fn find_program(&self, name: &OsStr) -> Option<PathBuf> {
        if Path::new(name).components().count() != 1 || is_path(name) {
            return Some(PathBuf::from(name));
        }
        let mut file = OsString::from(name);
        if !std::env::consts::EXE_SUFFIX.is_empty() && Path::new(name).extension().is_none() {
            file.push(std::env::consts::EXE_SUFFIX);
        }
        std::env::split_paths(self.path.as_deref()?)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(&file))
            .find(|path| is_program(path))
    }
}

/// The directory for user data. A relative `XDG_DATA_HOME` is ignored, as the XDG Base Directory
/// Specification requires.
fn data_home(some: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| some(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let below_home = |folder: &str| absolute("HOME").map(|home| home.join(folder));
    absolute("XDG_DATA_HOME").or_else(|| match std::env::consts::OS {
        "windows" => absolute("LOCALAPPDATA"),
        "macos" => below_home("Library/Application Support"),
        _ => below_home(".local/share"),
    })
}

/// Whether a value turns a switch off.
fn is_no(value: &str) -> bool {
    value.is_empty() || value == "0" || value.eq_ignore_ascii_case("false")
}

/// The kind of the standard streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Standard input is a terminal.
    pub stdin: bool,
    /// Standard output is a terminal.
    pub stdout: bool,
    /// Standard error is a terminal.
    pub stderr: bool,
    /// Standard output is a regular file.
    pub stdout_is_file: bool,
    /// The width of the terminal on standard output, in columns.
    pub columns: Option<usize>,
    /// The width of the terminal on standard error, in columns.
    pub stderr_columns: Option<usize>,
}

impl Terminal {
    /// Inspects the standard streams of the process.
    pub fn read() -> Self {
        let stdout = io::stdout().is_terminal();
        let stderr = io::stderr().is_terminal();
        let columns_of = |size: Option<(terminal_size::Width, terminal_size::Height)>| {
            size.map(|(width, _)| usize::from(width.0)).filter(|columns| *columns > 0)
        };
        Self {
            stdin: io::stdin().is_terminal(),
            stdout,
            stderr,
            stdout_is_file: !stdout
                && stdout_file().is_some_and(|file| file.metadata().is_ok_and(|data| data.is_file())),
            columns: columns_of(stdout.then(terminal_size::terminal_size).flatten()),
            stderr_columns: columns_of(
                stderr.then(|| terminal_size::terminal_size_of(io::stderr())).flatten(),
            ),
        }
    }
}

/// The current size of the terminal on standard output, in columns and rows.
pub(super) fn screen() -> Option<(usize, usize)> {
    let (columns, rows) = terminal_size::terminal_size()?;
    Some((usize::from(columns.0), usize::from(rows.0))).filter(|(columns, rows)| *columns > 0 && *rows > 0)
}

/// Standard output, without the buffer of the standard library where that is possible.
pub(in crate::cli) fn stdout() -> Box<dyn Write> {
    match stdout_file() {
        Some(file) => Box::new(file),
        None => Box::new(io::stdout()),
    }
}

/// Standard output as a file, without the line buffering of [`io::stdout`].
#[cfg(unix)]
fn stdout_file() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
}

/// On other platforms, [`io::stdout`] is needed to write to the console.
#[cfg(not(unix))]
fn stdout_file() -> Option<File> {
    None
}

/// The CI system that its variables name.
fn ci_system(set: &impl Fn(&str) -> bool) -> Option<CiSystem> {
    const COLOURFUL: [&str; 8] = [
        "BITBUCKET_BUILD_NUMBER",
        "BUILDKITE",
        "CIRCLECI",
        "DRONE",
        "TRAVIS",
        "APPVEYOR",
        "CIRRUS_CI",
        "TEAMCITY_VERSION",
    ];
    let known = [
        ("GITHUB_ACTIONS", CiSystem::GitHub),
        ("GITLAB_CI", CiSystem::GitLab),
        ("TF_BUILD", CiSystem::Azure),
    ];
    let colourful = COLOURFUL.map(|name| (name, CiSystem::Colourful));
    let mut all = known.into_iter().chain(colourful).chain([("CI", CiSystem::Other)]);
    all.find(|(name, _)| set(name)).map(|(_, system)| system)
}

/// Whether `name` is a path rather than a plain name.
fn is_path(name: &OsStr) -> bool {
    name.as_encoded_bytes().iter().any(|byte| std::path::is_separator(char::from(*byte)))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests;
