//! `plan` and `apply` with a temporary saved plan: the tool plans, the full plan is shown, the user is
//! asked, and the tool applies that plan.
//!
//! The tools reject `apply -json` without `-auto-approve`, and their messages contain no values. If they
//! cannot save a plan, or ask for variables, the command runs without `-json`.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;

use super::ask::{self, Answer, Mode, Question};
use super::invocation::{Flags, Invocation, split};
use super::planned::{Facts, PlanText, PlannedRun, PrivateFile, ensure_written};
use super::process::{self, Pending};
use super::{Part, Runner, Text, Tool};
use crate::cli::Host;
use crate::cli::args::{PlanModeChoice, RunArgs};
use crate::cli::driver::Refusal;
use crate::cli::environment::stdout_file;
use crate::cli::settings::Settings;
use crate::stream::Timeline;
use crate::term::Out;

/// The variables whose arguments are passed to the tool on its command line.
const OF_PLAN: [&str; 2] = ["TF_CLI_ARGS", "TF_CLI_ARGS_plan"];
const OF_APPLY: [&str; 2] = ["TF_CLI_ARGS", "TF_CLI_ARGS_apply"];

/// Runs the command if it is a plan, or an apply that asks. Returns the exit code; `None` if it is neither.
pub(super) fn run(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<Option<u8>> {
    let applies = match invocation.subcommand() {
        Some("plan") => false,
        Some("apply" | "destroy") => true,
        _ => return Ok(None),
    };
    if !invocation.is_known() {
        return Ok(None);
    }
    let Some(flags) = effective_flags(invocation, host) else {
        // The tool reports the malformed variable.
        return Ok(None);
    };
    if !flags.arguments.is_empty() || (applies && flags.is_set("auto-approve")) {
        return Ok(None);
    }
    if !invocation.is_local() {
        return if applies {
            host.note("the tool runs where a plan cannot be saved for it, so it runs untouched");
            process::run_untouched(invocation.words(), &args.run.out, host).map(Some)
        } else {
            Ok(None)
        };
    }
    let folder = invocation.chdir().map(Path::to_owned).unwrap_or_default();
    if let Some(backend) = backend(&folder, host).filter(|name| matches!(&**name, "remote" | "cloud")) {
        return untouched(invocation, &format!("the backend `{backend}` runs plans elsewhere"), args, host)
            .map(Some);
    }
    let mode = mode(invocation, &flags);
    let mut settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    if settings.plan_mode == PlanModeChoice::Auto {
        settings.plan_mode = match mode {
            Mode::Normal => PlanModeChoice::Normal,
            Mode::Destroy => PlanModeChoice::Destroy,
            Mode::RefreshOnly => PlanModeChoice::RefreshOnly,
            Mode::Invoke => PlanModeChoice::Auto,
        };
    }
    let pending = Pending::watch()?;
    let private = PrivateFile::new()?;
    let saved = Saved { pending, invocation, flags, args, host, settings, mode, folder, private, applies };
    saved.run().map(Some)
}

fn untouched(invocation: &Invocation, why: &str, args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    host.note(&format!("{why}, so `{}` runs untouched", invocation.tool_name()));
    process::run_untouched(invocation.words(), &args.run.out, host)
}

/// The options of the command: those from variables first, then those on the command line, as in the tools.
fn effective_flags(invocation: &Invocation, host: &Host) -> Option<Flags> {
    let variables = &host.environment.tools;
    let own = match invocation.subcommand() {
        Some("plan") => &variables.plan_args,
        Some("destroy") => &variables.destroy_args,
        _ => &variables.apply_args,
    };
    let mut words = split(own.as_deref().unwrap_or_default())?;
    words.extend(split(variables.args.as_deref().unwrap_or_default())?);
    words.extend_from_slice(invocation.arguments());
    Some(Flags::parse(&words))
}

fn mode(invocation: &Invocation, flags: &Flags) -> Mode {
    if invocation.subcommand() == Some("destroy") || flags.is_set("destroy") {
        Mode::Destroy
    } else if flags.has("invoke") {
        Mode::Invoke
    } else if flags.is_set("refresh-only") {
        Mode::RefreshOnly
    } else {
        Mode::Normal
    }
}

/// The tool's data directory of a working directory.
fn data_folder(folder: &Path, host: &Host) -> PathBuf {
    folder.join(host.environment.tools.data_dir.as_deref().unwrap_or(Path::new(".terraform")))
}

/// The type of the backend with which the working directory was initialised.
fn backend(folder: &Path, host: &Host) -> Option<String> {
    #[derive(Deserialize)]
    struct Initialised {
        backend: Backend,
    }
    #[derive(Deserialize)]
    struct Backend {
        r#type: String,
    }
    let text = fs::read_to_string(data_folder(folder, host).join("terraform.tfstate")).ok()?;
    serde_json::from_str(&text).ok().map(|initialised: Initialised| initialised.backend.r#type)
}

/// A run with a saved plan.
struct Saved<'s> {
    invocation: &'s Invocation,
    flags: Flags,
    args: &'s RunArgs,
    host: &'s Host,
    settings: Settings,
    mode: Mode,
    folder: PathBuf,
    private: PrivateFile,
    pending: Pending,
    applies: bool,
}

impl Saved<'_> {
    fn run(&self) -> anyhow::Result<u8> {
        let runner = Runner { args: self.args, host: self.host };
        let file = self.file();
        let show = self.invocation.with("show", ["-json".into(), file.clone()]);
        let view = if self.args.review { PlanText::Review } else { PlanText::Text };
        let documents =
            PlannedRun::new(&self.settings, self.host, show.clone(), view).for_page(self.has_page());
        let found = documents.facts.clone();
        let text = Text::Planned {
            documents: Box::new(documents),
            settings: self.settings.clone(),
            part: Part::Plan,
        };
        let ended = runner.show(&self.plan(&file, true), text)?;
        match ended.shown.refusal {
            Some(Refusal::SavedPlan) => {
                self.private.remove();
                return untouched(self.invocation, "the backend cannot save a plan", self.args, self.host);
            }
            Some(Refusal::Variable) => return self.run_asking(&file, &show),
            None => {}
        }
        let facts = found.take();
        if let Some(facts) = &facts {
            self.print(&facts.review)?;
        }
        // With -detailed-exitcode, 2 means that there are changes.
        let planned = ended.code == 0 || (ended.code == 2 && self.flags.is_set("detailed-exitcode"));
        if !self.applies || !planned {
            return Ok(ended.code);
        }
        match facts.filter(|facts| facts.is_shown && ended.shown.is_whole) {
            Some(facts) => self.approve(&facts, &runner, ended.shown.timeline),
            None => {
                self.host.error("the plan could not be shown, so it is not applied");
                Ok(1)
            }
        }
    }

    /// The file of the saved plan: the requested one, or a temporary one.
    fn file(&self) -> OsString {
        match self.flags.value("out").filter(|_| !self.applies) {
            Some(out) => out.into(),
            None => self.private.path().into(),
        }
    }

    /// The command for planning.
    fn plan(&self, file: &OsString, as_json: bool) -> Tool<'static> {
        let mut arguments: Vec<OsString> = Vec::new();
        if as_json {
            arguments.push("-json".into());
        }
        if self.applies || !self.flags.has("out") {
            let mut out = OsString::from("-out=");
            out.push(file);
            arguments.push(out);
        }
        if self.invocation.subcommand() == Some("destroy") {
            arguments.push("-destroy".into());
        }
        if self.applies {
            arguments.extend(self.flags.for_plan());
            return Tool { words: self.invocation.with("plan", arguments), removed: &OF_PLAN };
        }
        let typed =
            self.invocation.arguments().iter().filter(|word| {
                !matches!(word.to_str(), Some("-json" | "--json" | "-json=true" | "--json=true"))
            });
        arguments.extend(typed.cloned());
        Tool { words: self.invocation.with("plan", arguments), removed: &[] }
    }

    /// Plans without `-json`, because only then the tool asks for variables.
    fn run_asking(&self, file: &OsString, show: &[OsString]) -> anyhow::Result<u8> {
        let tool = self.plan(file, false);
        let mut command = process::command(&tool.words, self.host)?;
        for name in tool.removed {
            command.env_remove(name);
        }
        // Otherwise the tool would explain how to apply the temporary plan.
        if self.file() == self.private.path() {
            command.env("TF_IN_AUTOMATION", "1");
        }
        let code = process::run_inherited(&mut command, &tool.words)?;
        let planned = code == 0 || (code == 2 && self.flags.is_set("detailed-exitcode"));
        if !planned || (!self.applies && !self.args.review) {
            return Ok(code);
        }
        let view = if self.args.review { PlanText::Review } else { PlanText::Nothing };
        let mut documents =
            PlannedRun::new(&self.settings, self.host, show.to_vec(), view).for_page(self.has_page());
        documents.write(None, &mut Out::new(&mut std::io::sink(), false))?;
        let facts = documents.facts.take().context("the plan was not read")?;
        self.print(&facts.review)?;
        if !self.applies {
            return Ok(code);
        }
        self.approve(&facts, &Runner { args: self.args, host: self.host }, None)
    }

    /// Whether a page of the run was requested.
    fn has_page(&self) -> bool {
        !self.args.run.out.is_empty()
    }

    fn print(&self, text: &[u8]) -> anyhow::Result<()> {
        match stdout_file() {
            Some(mut file) => file.write_all(text),
            None => std::io::stdout().write_all(text),
        }
        .context("writing the review")
    }

    /// Asks for approval and applies the plan.
    fn approve(
        &self,
        facts: &Facts,
        runner: &Runner<'_>,
        timeline: Option<Box<Timeline>>,
    ) -> anyhow::Result<u8> {
        ensure_written(&self.private.path())?;
        if self.pending.has_come() {
            self.host.error("interrupted before the plan was approved, so it is not applied");
            return Ok(1);
        }
        if facts.is_applyable {
            let workspace = self.workspace();
            let question = Question { mode: self.mode, dialect: facts.dialect, workspace: &workspace };
            match ask::ask(question, &self.settings, self.host)? {
                Answer::Yes => {}
                Answer::No | Answer::EndOfInput | Answer::Interrupted => return Ok(1),
            }
        }
        let mut arguments: Vec<OsString> = vec!["-json".into()];
        arguments.extend(self.flags.for_saved_plan(facts.has_ephemeral_variables));
        arguments.push(self.private.path().into());
        let words = self.invocation.with("apply", arguments);
        let documents = PlannedRun::new(&self.settings, self.host, Vec::new(), PlanText::Nothing)
            .reviewed(facts.page_review.clone());
        let text = Text::Planned {
            documents: Box::new(documents),
            settings: self.settings.clone(),
            part: match self.invocation.subcommand() {
                Some("destroy") => Part::Destroy(timeline),
                _ => Part::Apply(timeline),
            },
        };
        Ok(runner.show(&Tool { words, removed: &OF_APPLY }, text)?.code)
    }

    /// The selected workspace.
    fn workspace(&self) -> String {
        let selected = || {
            let file = data_folder(&self.folder, self.host).join("environment");
            let text = fs::read_to_string(file).ok()?;
            Some(text.trim().to_owned()).filter(|name| !name.is_empty())
        };
        let variable = self.host.environment.tools.workspace.clone();
        variable.or_else(selected).unwrap_or_else(|| "default".to_owned())
    }
}
