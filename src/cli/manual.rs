//! `tfview man`: the manual, generated from the types that parse the command line.
//!
//! Invariant: the manual only refers to pages that exist: subcommands are sections of the single page, or
//! pages of their own in a directory.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use clap::{Command, CommandFactory};

use super::Outcome;
use super::args::Args;
use super::completions::print;

/// The meaning of each variable, for the manual and the documentation.
pub(super) const ENVIRONMENT: [(&str, &str); 23] = [
    ("TFVIEW_SCHEMAS", "Files with schemas, separated as in PATH; as with --schemas."),
    (
        "TFVIEW_TOOL",
        "The command that reads saved plans, instead of the tool that wrote them, looked for in PATH.",
    ),
    (
        "TFVIEW_PAGER, PAGER",
        "The pager; empty or cat for none. Without either: less -FRX, if there is a less.",
    ),
    ("LESS", "Options of less, which are then not set."),
    ("NO_COLOR", "No colours, if it holds anything."),
    ("CLICOLOR_FORCE, FORCE_COLOR", "Colours everywhere."),
    ("CLICOLOR", "0 means no colours."),
    ("TERM", "dumb means no colours and no live region."),
    ("COLUMNS", "The width of the terminal."),
    (
        "PATH",
        "Where tofu, terraform and the pager are looked for. Directories that are not absolute are left out for the tools.",
    ),
    ("TMPDIR", "Where a saved plan is kept while it is asked for, readable by its owner alone."),
    ("TF_IN_AUTOMATION", "No hints on what to type next."),
    ("SOURCE_DATE_EPOCH", "Seconds since 1970 that count as now, for the age of a plan."),
    (
        "TF_CLI_ARGS, TF_CLI_ARGS_plan, TF_CLI_ARGS_apply, TF_CLI_ARGS_destroy",
        "Options of the tool; `run` gives them to the command that they are for.",
    ),
    (
        "TF_WORKSPACE, TF_DATA_DIR",
        "The workspace that the question of `run tofu apply` names, and where the tool keeps it.",
    ),
    ("TF_INPUT", "A false value: the tool asks for no variables."),
    ("GITHUB_ACTIONS, GITLAB_CI, TF_BUILD", "The CI system, as with --ci."),
    (
        "BITBUCKET_BUILD_NUMBER, BUILDKITE, CIRCLECI, DRONE, TRAVIS, APPVEYOR, CIRRUS_CI, TEAMCITY_VERSION",
        "CI systems whose logs show colours.",
    ),
    ("CI", "Another CI system."),
    ("GITHUB_STEP_SUMMARY", "The file that a review or the end of a run is added to."),
    ("TFVIEW_COMPLETE", "Set by the scripts of `tfview completions`."),
    ("XDG_DATA_HOME, HOME, LOCALAPPDATA", "Where `tfview schema add` keeps schemas."),
    ("TFVIEW_CASES", "How many cases the test suite makes; no concern of its users."),
];

const EXIT_STATUS: &str = r#".SH "EXIT STATUS"
.TP
\fB0\fR
Fine.
.TP
\fB1\fR
An error, wrong usage included; \fBstream\fR: the run failed.
.TP
\fB2\fR
With \fB\-\-detailed\-exitcode\fR: there are changes.
.TP
\fB3\fR
\fBreview \-\-fail\-on\fR: one of the named things is in the plan.
.PP
\fBrun\fR ends with the exit code of the tool; 128 and the number of the signal if one ended it.
"#;

const FILES: &str = r#".SH FILES
.TP
\fI$TMPDIR/tfview\-PID\-N/tfplan\fR
The saved plan of \fBrun tofu apply\fR while it is asked for. Only its owner can read it; it is removed however the run ends.
.TP
\fIerrored.tfview.tfstate\fR
A state that the tool could not save, in the working directory, readable by its owner alone.
.TP
\fI.terraform/environment\fR, \fI.terraform/terraform.tfstate\fR
Read by \fBrun\fR for the workspace and the type of the backend.
"#;

const SEE_ALSO: &str = r#".SH "SEE ALSO"
.BR less (1)
.PP
The documents of the tools: https://opentofu.org/docs/cli/commands/, https://developer.hashicorp.com/terraform/cli/commands
"#;

/// Prints the manual or the page of a subcommand, or writes all pages to a directory.
pub(super) fn man(wanted: Option<&Path>) -> anyhow::Result<Outcome> {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let subcommand = wanted.and_then(Path::to_str).and_then(|name| {
        let name = name.strip_prefix("tfview-").unwrap_or(name);
        command.find_subcommand(name).cloned()
    });
    if let Some(subcommand) = subcommand {
        print(&subcommand_page(subcommand, "tfview")?).context("printing the manual page")?;
        return Ok(Outcome::Fine);
    }
    match wanted {
        None => print(&page(&command)?).context("writing the manual page")?,
        Some(directory) => {
            let is_name = directory.components().count() == 1 && !directory.is_dir();
            let typed = directory.as_os_str().as_encoded_bytes();
            ensure!(
                !is_name || typed.ends_with(b"/"),
                "there is no subcommand `{}`\n  tip: for a new directory, write `./{0}`",
                directory.display()
            );
            fs::create_dir_all(directory).with_context(|| format!("creating {}", directory.display()))?;
            let mut pages = vec![("tfview.1".to_owned(), page(&command)?)];
            add_pages(&command, "tfview", &mut pages)?;
            for (name, text) in pages {
                let path = directory.join(name);
                fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
            }
        }
    }
    Ok(Outcome::Fine)
}

/// Prints the version.
pub(super) fn version() -> anyhow::Result<Outcome> {
    print(Args::command().render_version().as_bytes()).context("writing the version")?;
    Ok(Outcome::Fine)
}

/// Adds a page for each subcommand of `command`, whose own page has the name `name`.
fn add_pages(command: &Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) -> anyhow::Result<()> {
    for subcommand in command.get_subcommands() {
        let own = format!("{name}-{}", subcommand.get_name());
        pages.push((format!("{own}.1"), subcommand_page(subcommand.clone(), name)?));
        add_pages(subcommand, &own, pages)?;
    }
    Ok(())
}

/// The page of a subcommand of the command `name`.
fn subcommand_page(subcommand: Command, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    clap_mangen::Man::new(subcommand).render(&mut text).context("making a manual page")?;
    text.extend_from_slice(format!(".SH \"SEE ALSO\"\n.BR {name} (1)\n").as_bytes());
    Ok(text)
}

/// The single page, with a section for each subcommand.
fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let man = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    man.render_title(&mut text)
        .and_then(|()| man.render_name_section(&mut text))
        .and_then(|()| man.render_synopsis_section(&mut text))
        .and_then(|()| man.render_description_section(&mut text))
        .and_then(|()| man.render_options_section(&mut text))
        .context("making the manual page")?;
    for subcommand in command.get_subcommands() {
        let man = clap_mangen::Man::new(subcommand.clone());
        let mut section = Vec::new();
        man.render_description_section(&mut section)
            .and_then(|()| man.render_options_section(&mut section))
            .and_then(|()| man.render_extra_section(&mut section))
            .context("making the manual page")?;
        text.extend_from_slice(&as_section(&section, subcommand.get_name()));
    }
    text.extend_from_slice(EXIT_STATUS.as_bytes());
    text.extend_from_slice(b".SH ENVIRONMENT\n");
    for (names, meaning) in ENVIRONMENT {
        let meaning = meaning.replace('-', "\\-");
        text.extend_from_slice(format!(".TP\n\\fB{names}\\fR\n{meaning}\n").as_bytes());
    }
    text.extend_from_slice(FILES.as_bytes());
    text.extend_from_slice(SEE_ALSO.as_bytes());
    man.render_version_section(&mut text).context("making the manual page")?;
    Ok(text)
}

/// The sections of a subcommand's page, as one section of the single page.
fn as_section(section: &[u8], name: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(section);
    let heading = format!(".SH \"tfview {name}\"");
    text.replace(".SH DESCRIPTION", &heading)
        .replace(".SH OPTIONS", ".SS Options")
        .replace(".SH EXTRA", ".SS Examples")
        .into_bytes()
}
