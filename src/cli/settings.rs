//! Reads the environment, and resolves the settings that follow from it and from the arguments.
//!
//! Invariants: no other file of the library reads environment variables or inspects the standard streams. They are read
//! once, so that everything else can be tested with tables.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::args::{CiChoice, DisplayArgs, PlanModeChoice, When};
use crate::dialect::DialectChoice;
use crate::model::plan::PlanMode;
use crate::term::CiSystem;

/// The width of texts without a terminal, in columns, as in the tools.
pub const DEFAULT_WIDTH: usize = 78;

/// The value of `--schemas` that turns stored schemas off.
const NO_SCHEMAS: &str = "none";

/// The settings of a subcommand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The files with schemas.
    pub schemas: Vec<PathBuf>,
    /// The dialect, of which the document decides what is left open.
    pub dialect: DialectChoice,
    /// Whether stored schemas are used.
    pub cached_schemas: bool,
    /// Whether the tool converts saved plans.
    pub via_tool: bool,
    /// The mode of the plan, if it is given.
    pub plan_mode: Option<PlanMode>,
    /// Whether sensitive values are shown.
    pub show_sensitive: bool,
    /// Whether output has colours.
    pub colour: bool,
    /// The width of texts, in columns.
    pub width: usize,
    /// Whether long lines are wrapped.
    pub wraps: bool,
    /// The CI system, whether it was given or recognized.
    pub ci: Option<CiSystem>,
    /// The CI system, only if `--ci` requests it: by default, the tool's own text has no folds and annotations.
    pub requested_ci: Option<CiSystem>,
    /// Whether the tool runs in automation, so that its text has no hints.
    pub automation: bool,
}

impl Settings {
    /// Resolves the settings from the arguments and the environment.
    pub fn resolve(args: &DisplayArgs, environment: &Environment, terminal: Terminal) -> Self {
        let ci = ci(args.ci.unwrap_or_default(), environment);
        let mut schemas = args.schemas.clone();
        schemas.extend_from_slice(&environment.schemas);
        let named = schemas.len();
        schemas.retain(|file| file.as_os_str() != NO_SCHEMAS);
        let cached_schemas = schemas.len() == named;
        Self {
            schemas,
            cached_schemas,
            dialect: args.dialect,
            via_tool: args.via_tool,
            plan_mode: match args.plan_mode {
                PlanModeChoice::Auto => None,
                PlanModeChoice::Normal => Some(PlanMode::Normal),
                PlanModeChoice::Destroy => Some(PlanMode::Destroy),
                PlanModeChoice::RefreshOnly => Some(PlanMode::RefreshOnly),
            },
            show_sensitive: args.show_sensitive,
            colour: colour(args, environment, terminal, ci),
            width: width(args, environment, terminal),
            wraps: terminal.stdout || args.style.width.is_some(),
            ci,
            requested_ci: ci.filter(|_| args.ci.is_some()),
            automation: environment.automation,
        }
    }
}

/// Whether output has colours. In order of precedence, this is decided by the options, `NO_COLOR`, `CLICOLOR_FORCE` or
/// `FORCE_COLOR`, `CLICOLOR=0` or `TERM=dumb`, and the terminal or the CI system, whose log may show colours without
/// being a terminal.
fn colour(
    args: &DisplayArgs,
    environment: &Environment,
    terminal: Terminal,
    ci: Option<CiSystem>,
) -> bool {
    match args.style.color {
        _ if args.style.no_color => false,
        When::Always => true,
        When::Never => false,
        When::Auto if environment.no_color => false,
        When::Auto if environment.force_color => true,
        When::Auto if environment.plain_display => false,
        When::Auto => {
            terminal.stdout || (ci.is_some_and(CiSystem::shows_ansi) && !terminal.stdout_is_file)
        }
    }
}

/// Returns the width of texts, in columns. `COLUMNS` applies only to a terminal, because files and pipes must not
/// depend on the window.
fn width(args: &DisplayArgs, environment: &Environment, terminal: Terminal) -> usize {
    let flag = args
        .style
        .width
        .and_then(|width| usize::try_from(width).ok());
    let screen = if terminal.stdout {
        environment.columns.or(terminal.columns)
    } else {
        None
    };
    flag.or(screen).unwrap_or(DEFAULT_WIDTH)
}

/// Returns the CI system that the option chooses, or that was recognized.
fn ci(choice: CiChoice, environment: &Environment) -> Option<CiSystem> {
    match choice {
        CiChoice::Auto => environment.ci,
        CiChoice::None => None,
        CiChoice::Github => Some(CiSystem::GitHub),
        CiChoice::Gitlab => Some(CiSystem::GitLab),
        CiChoice::Azure => Some(CiSystem::Azure),
    }
}

/// A pager for text on a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pager {
    /// The command line, for a shell.
    pub command: String,
    /// Whether the pager gets options for `less` in the variable `LESS`, which the user has not set.
    pub less_options: bool,
}

/// The command of the pager if the user names no other one.
const DEFAULT_PAGER: &str = "less -FRX";

impl Pager {
    /// Whether this is the pager that is used if the user names no other one.
    pub fn is_default(&self) -> bool {
        self.command == DEFAULT_PAGER
    }

    /// Decides which pager is used; `None` if there is none.
    pub fn resolve(choice: When, environment: &Environment, terminal: Terminal) -> Option<Self> {
        let page = match choice {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal.stdout && !environment.dumb_terminal,
        };
        let command = match environment.pager.as_deref() {
            None => DEFAULT_PAGER.to_owned(),
            Some("" | "cat") => return None,
            Some(command) => command.to_owned(),
        };
        page.then_some(Self {
            command,
            less_options: !environment.less,
        })
    }
}

/// The environment variables that are used, in the form in which they are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Whether `NO_COLOR` is set.
    pub no_color: bool,
    /// Whether `CLICOLOR_FORCE` or `FORCE_COLOR` requests colours.
    pub force_color: bool,
    /// Whether the display has no colours, according to `TERM` or `CLICOLOR`.
    pub plain_display: bool,
    /// Whether the display cannot move its cursor, according to `TERM`.
    pub dumb_terminal: bool,
    /// The number in `COLUMNS`.
    pub columns: Option<usize>,
    /// The CI system, according to its variables.
    pub ci: Option<CiSystem>,
    /// The pager of the user; empty means none.
    pub pager: Option<String>,
    /// Whether `LESS` is set.
    pub less: bool,
    /// The files that `TFVIEW_SCHEMAS` lists.
    pub schemas: Vec<PathBuf>,
    /// The user's directory of data, in which schemas are stored.
    pub data_home: Option<PathBuf>,
    /// The user's directory of state, in which marks are stored.
    pub state_home: Option<PathBuf>,
    /// The command line of the user's editor.
    pub editor: Option<String>,
    /// `TFVIEW_TOOL`: the tool that reads saved plans.
    pub tool: Option<OsString>,
    /// The directories of programs, from `PATH`.
    pub path: Option<OsString>,
    /// Whether `TF_IN_AUTOMATION` is set.
    pub automation: bool,
    /// The file of the step summary on GitHub Actions.
    pub step_summary: Option<PathBuf>,
    /// The time in `SOURCE_DATE_EPOCH`, in seconds since 1970.
    pub source_date_epoch: Option<u64>,
    /// The variables that the tools read.
    pub tools: ToolVariables,
    /// A text at which the display fails, in test builds only.
    pub test_fault: Option<String>,
}

/// The environment variables that the tools read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolVariables {
    /// The arguments in `TF_CLI_ARGS`.
    pub args: Option<String>,
    /// The arguments in variables such as `TF_CLI_ARGS_plan`, by subcommand.
    pub args_of: BTreeMap<&'static str, String>,
    /// Whether Terragrunt runs more than one unit.
    pub several_units: bool,
    /// The name in `TF_WORKSPACE`.
    pub workspace: Option<String>,
    /// The directory in `TF_DATA_DIR`.
    pub data_dir: Option<PathBuf>,
    /// Whether `TF_INPUT` turns questions off.
    pub input_disabled: bool,
}

/// The subcommands whose messages `run` shows, each with the variable for its arguments.
const ARGUMENTS: [(&str, &str); 8] = [
    ("apply", "TF_CLI_ARGS_apply"),
    ("destroy", "TF_CLI_ARGS_destroy"),
    ("init", "TF_CLI_ARGS_init"),
    ("plan", "TF_CLI_ARGS_plan"),
    ("query", "TF_CLI_ARGS_query"),
    ("refresh", "TF_CLI_ARGS_refresh"),
    ("test", "TF_CLI_ARGS_test"),
    ("validate", "TF_CLI_ARGS_validate"),
];

/// The variables with which Terragrunt runs more than one unit.
const SEVERAL_UNITS: [&str; 3] = ["TG_ALL", "TG_GRAPH", "TG_RUN_ALL"];

impl ToolVariables {
    /// Returns the variables with arguments for a subcommand, as names and values, in the order in which the tools read
    /// them.
    pub fn arguments_of(&self, command: &str) -> Vec<(String, &str)> {
        let for_command = self.args_of.get(command);
        let for_command = for_command.map(|text| (format!("TF_CLI_ARGS_{command}"), text.as_str()));
        let all = self.args.as_deref();
        for_command
            .into_iter()
            .chain(all.map(|text| ("TF_CLI_ARGS".to_owned(), text)))
            .collect()
    }
}

impl Environment {
    /// Reads the environment of the process.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the environment"
    )]
    pub fn read() -> Self {
        Self::new(|name| std::env::var_os(name))
    }

    /// Makes the environment from the variables that `variable` returns.
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
            columns: text("COLUMNS")
                .and_then(|value| value.parse().ok())
                .filter(|columns| *columns > 0),
            ci: CI_SYSTEMS
                .into_iter()
                .find(|(name, _)| yes(name))
                .map(|(_, system)| system),
            pager: text("TFVIEW_PAGER").or_else(|| text("PAGER")),
            less: variable("LESS").is_some(),
            schemas: some("TFVIEW_SCHEMAS")
                .map(|list| {
                    std::env::split_paths(&list)
                        .filter(|path| !path.as_os_str().is_empty())
                        .collect()
                })
                .unwrap_or_default(),
            data_home: home_of("XDG_DATA_HOME", ".local/share", &some),
            state_home: home_of("XDG_STATE_HOME", ".local/state", &some),
            editor: ["VISUAL", "EDITOR"]
                .into_iter()
                .filter_map(&text)
                .find(|editor| !editor.trim().is_empty()),
            tool: some("TFVIEW_TOOL"),
            path: some("PATH"),
            automation: some("TF_IN_AUTOMATION").is_some(),
            step_summary: some("GITHUB_STEP_SUMMARY").map(PathBuf::from),
            source_date_epoch: text("SOURCE_DATE_EPOCH").and_then(|value| value.parse().ok()),
            test_fault: if cfg!(debug_assertions) {
                text("TFVIEW_TEST_FAULT")
            } else {
                None
            },
            tools: ToolVariables {
                args: text("TF_CLI_ARGS"),
                args_of: ARGUMENTS
                    .into_iter()
                    .filter_map(|(command, name)| Some((command, text(name)?)))
                    .collect(),
                several_units: SEVERAL_UNITS.into_iter().any(yes),
                workspace: text("TF_WORKSPACE").filter(|value| !value.is_empty()),
                data_dir: some("TF_DATA_DIR").map(PathBuf::from),
                input_disabled: text("TF_INPUT").is_some_and(|value| {
                    matches!(&*value, "0" | "f" | "F" | "false" | "False" | "FALSE")
                }),
            },
        }
    }

    /// Returns the path of a program. A plain name is searched only in the absolute directories of `PATH`: an empty or
    /// relative entry would find a program in the current directory, which may be part of the change under review.
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

/// Returns the directory that a variable of the XDG Base Directory Specification names, or else its default below the
/// home directory. A relative path is ignored, as the specification requires.
fn home_of(
    variable: &str,
    default: &str,
    some: &impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    let absolute = |name: &str| {
        some(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let below_home = |folder: &str| absolute("HOME").map(|home| home.join(folder));
    absolute(variable).or_else(|| match std::env::consts::OS {
        "windows" => absolute("LOCALAPPDATA"),
        "macos" => below_home("Library/Application Support"),
        _ => below_home(default),
    })
}

/// Whether a value of a variable turns something off.
fn is_no(value: &str) -> bool {
    value.is_empty() || value == "0" || value.eq_ignore_ascii_case("false")
}

/// The kinds of the standard streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Whether standard input is a terminal.
    pub stdin: bool,
    /// Whether standard output is a terminal.
    pub stdout: bool,
    /// Whether standard error is a terminal.
    pub stderr: bool,
    /// Whether standard output is a file, so that nobody waits for parts of it.
    pub stdout_is_file: bool,
    /// The width of the terminal on standard output, in columns.
    pub columns: Option<usize>,
    /// The width of the terminal on standard error, in columns.
    pub stderr_columns: Option<usize>,
}

impl Terminal {
    /// Inspects the standard streams.
    pub fn read() -> Self {
        let stdout = io::stdout().is_terminal();
        let stderr = io::stderr().is_terminal();
        let columns_of = |size: Option<(terminal_size::Width, terminal_size::Height)>| {
            size.map(|(width, _)| usize::from(width.0))
                .filter(|columns| *columns > 0)
        };
        Self {
            stdin: io::stdin().is_terminal(),
            stdout,
            stderr,
            stdout_is_file: !stdout
                && stdout_file()
                    .is_some_and(|file| file.metadata().is_ok_and(|data| data.is_file())),
            columns: columns_of(stdout.then(terminal_size::terminal_size).flatten()),
            stderr_columns: columns_of(
                stderr
                    .then(|| terminal_size::terminal_size_of(io::stderr()))
                    .flatten(),
            ),
        }
    }
}

/// Returns the current size of the terminal on standard output, in columns and rows.
pub(super) fn screen() -> Option<(usize, usize)> {
    let (columns, rows) = terminal_size::terminal_size()?;
    Some((usize::from(columns.0), usize::from(rows.0)))
        .filter(|(columns, rows)| *columns > 0 && *rows > 0)
}

/// Returns standard output, without line buffering where possible.
pub(in crate::cli) fn stdout() -> Box<dyn Write> {
    match stdout_file() {
        Some(file) => Box::new(file),
        None => Box::new(io::stdout()),
    }
}

/// Opens standard output without the line buffering of [`io::stdout`].
#[cfg(unix)]
fn stdout_file() -> Option<File> {
    std::os::fd::AsFd::as_fd(&io::stdout())
        .try_clone_to_owned()
        .ok()
        .map(File::from)
}

#[cfg(unix)]
pub(super) fn stdin_file() -> Option<File> {
    std::os::fd::AsFd::as_fd(&io::stdin())
        .try_clone_to_owned()
        .ok()
        .map(File::from)
}

/// Returns `None`: on other platforms, [`io::stdout`] is needed to write to the console.
#[cfg(not(unix))]
fn stdout_file() -> Option<File> {
    None
}

#[cfg(not(unix))]
pub(super) fn stdin_file() -> Option<File> {
    None
}

/// The variables that CI systems set. The first one that is set decides.
const CI_SYSTEMS: [(&str, CiSystem); 12] = [
    ("GITHUB_ACTIONS", CiSystem::GitHub),
    ("GITLAB_CI", CiSystem::GitLab),
    ("TF_BUILD", CiSystem::Azure),
    ("BITBUCKET_BUILD_NUMBER", CiSystem::Colourful),
    ("BUILDKITE", CiSystem::Colourful),
    ("CIRCLECI", CiSystem::Colourful),
    ("DRONE", CiSystem::Colourful),
    ("TRAVIS", CiSystem::Colourful),
    ("APPVEYOR", CiSystem::Colourful),
    ("CIRRUS_CI", CiSystem::Colourful),
    ("TEAMCITY_VERSION", CiSystem::Colourful),
    ("CI", CiSystem::Other),
];

/// Whether a name has a separator of paths.
fn is_path(name: &OsStr) -> bool {
    name.as_encoded_bytes()
        .iter()
        .any(|byte| std::path::is_separator(char::from(*byte)))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests;
