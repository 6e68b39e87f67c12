//! Resolves command-line arguments, environment and terminal to settings. Pure functions, tested by tables.

use super::args::{CiChoice, DisplayArgs, PlanModeChoice, When};
use super::environment::{Environment, Terminal};
use crate::dialect::DialectChoice;
use crate::model::plan::PlanMode;
use crate::term::CiSystem;
use std::path::PathBuf;

/// The width if there is no terminal, as in the tools.
pub const DEFAULT_WIDTH: usize = 78;

/// The value of `--schemas` for no schemas, not even cached ones.
const NO_SCHEMAS: &str = "none";

/// The settings for reading and displaying documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The schema files.
    pub schemas: Vec<PathBuf>,
    /// The value of `--dialect`. What it leaves open is taken from the document.
    pub dialect: DialectChoice,
    /// Whether cached schemas may be used. `--schemas none` turns this off.
    pub cached_schemas: bool,
    /// Whether the tool that wrote a saved plan reads it.
    pub via_tool: bool,
    /// The value of `--plan-mode`.
    pub plan_mode: Option<PlanMode>,
    /// Whether to show sensitive values.
    pub show_sensitive: bool,
    /// Whether standard output is coloured.
    pub colour: bool,
    /// The width for wrapping, in columns.
    pub width: usize,
    /// Whether standard output is a terminal, so that remarks of a review are wrapped.
    pub wraps: bool,
    /// The CI system whose log is written to.
    pub ci: Option<CiSystem>,
    /// The CI system if `--ci` requests it: by default, the tool's own text has no folds and annotations.
    pub requested_ci: Option<CiSystem>,
    /// Whether to omit hints on what to run next.
    pub automation: bool,
}

impl Settings {
    /// Resolves the settings.
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
            wraps: terminal.stdout,
            ci,
            requested_ci: ci.filter(|_| args.ci.is_some()),
            automation: environment.automation,
        }
    }
}

/// Whether to use colour. In order of precedence: the flag, `NO_COLOR`, `CLICOLOR_FORCE`/`FORCE_COLOR`,
/// `CLICOLOR=0`/`TERM=dumb`, the CI system, whose log may show colours without being a terminal, and the
/// terminal.
fn colour(args: &DisplayArgs, environment: &Environment, terminal: Terminal, ci: Option<CiSystem>) -> bool {
    match args.style.color {
        _ if args.style.no_color => false,
        When::Always => true,
        When::Never => false,
        When::Auto if environment.no_color => false,
        When::Auto if environment.force_color => true,
        When::Auto if environment.plain_display => false,
        When::Auto => terminal.stdout || (ci.is_some_and(CiSystem::shows_ansi) && !terminal.stdout_is_file),
    }
}

/// The width. In order of precedence: the flag; on a terminal, `COLUMNS` or its own width; the default.
/// `COLUMNS` applies only to a terminal, because files and pipes must not depend on the window.
fn width(args: &DisplayArgs, environment: &Environment, terminal: Terminal) -> usize {
    let flag = args.style.width.and_then(|width| usize::try_from(width).ok());
    let screen = if terminal.stdout { environment.columns.or(terminal.columns) } else { None };
    flag.or(screen).unwrap_or(DEFAULT_WIDTH)
}

fn ci(choice: CiChoice, environment: &Environment) -> Option<CiSystem> {
    match choice {
        CiChoice::Auto => environment.ci,
        CiChoice::None => None,
        CiChoice::Github => Some(CiSystem::GitHub),
        CiChoice::Gitlab => Some(CiSystem::GitLab),
        CiChoice::Azure => Some(CiSystem::Azure),
    }
}

/// The pager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pager {
    /// The command.
    pub command: String,
    /// Whether to pass default options to `less`: the command has none, and `LESS` is not set.
    pub less_options: bool,
}

/// The default pager.
const DEFAULT_PAGER: &str = "less -FRX";

impl Pager {
    /// Whether this is the default pager.
    pub fn is_default(&self) -> bool {
        self.command == DEFAULT_PAGER
    }

    /// The pager to use, if any.
    pub fn resolve(choice: When, environment: &Environment, terminal: Terminal) -> Option<Self> {
        let page = match choice {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal.stdout && !environment.dumb_terminal,
        };
        let command = match environment.pager.as_deref() {
            None => DEFAULT_PAGER.to_owned(),
            // No pager, as in git.
            Some("" | "cat") => return None,
            Some(command) => command.to_owned(),
        };
        page.then_some(Self { command, less_options: !environment.less })
    }
}

#[cfg(test)]
mod tests;
