//! `plan` and `apply` with a temporary saved plan: the tool plans, the full plan is shown, the user is asked
//! unless the command has `-auto-approve`, and the tool applies that plan.
//!
//! The tools reject `apply -json` without `-auto-approve`, and their messages contain no values. If they
//! cannot save a plan, or ask for variables, the command runs without `-json`.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::rc::Rc;

use anyhow::{Context, ensure};

use super::ask::{self, Mode, Question};
use super::asked::SchemaSource;
use super::folder::Folder;
use super::invocation::{Flags, Invocation, is_json, split};
use super::planned::{Facts, PlanText, SavedPlan};
use super::process;
use super::{Tool, show, show_as_given};
use crate::cli::Host;
use crate::cli::args::{PlanModeChoice, RunArgs};
use crate::cli::documents::Files;
use crate::cli::driver::{Part, Refusal, ShownRun};
use crate::cli::environment::stdout;
use crate::cli::processes::TemporaryFile;
use crate::cli::settings::Settings;
use crate::stream::Timeline;
use crate::term::Out;

/// The variables whose arguments are passed to the tool on its command line.
const OF_PLAN: [&str; 2] = ["TF_CLI_ARGS", "TF_CLI_ARGS_plan"];
const OF_APPLY: [&str; 2] = ["TF_CLI_ARGS", "TF_CLI_ARGS_apply"];

/// The options of the command if it makes a plan. `None` also if a variable is malformed, which the tool
/// reports.
fn planning(invocation: &Invocation, host: &Host) -> Option<Flags> {
    if !invocation.is_known() || !matches!(invocation.subcommand(), Some("plan" | "apply" | "destroy")) {
        return None;
    }
    effective_flags(invocation, host).filter(|flags| flags.arguments.is_empty())
}

/// Runs the command if it makes a plan, untouched if its backend makes plans elsewhere. Returns the exit code; `None`
/// if it makes no plan, or that plan is given.
pub(super) fn run(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<Option<u8>> {
    let Some(flags) = planning(invocation, host) else { return Ok(None) };
    if invocation.is_local()
        && let Some(backend) = Folder::new(invocation, host).remote_backend()
    {
        let why = format!("the backend `{backend}` runs plans elsewhere");
        return untouched(invocation, &why, args, host).map(Some);
    }
    if args.run.plan.is_some() {
        return Ok(None);
    }
    let applies = invocation.subcommand() != Some("plan");
    let is_approved = applies && flags.is_set("auto-approve");
    if !invocation.is_local() {
        return if applies && !is_approved {
            host.note("the tool runs where a plan cannot be saved for it, so it runs untouched");
            process::run_untouched(invocation.words(), &args.run.out, host).map(Some)
        } else {
            Ok(None)
        };
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
    let private = host.processes.temporary_file(&[])?;
    let facts = Rc::default();
    let saved = Saved { invocation, flags, args, host, settings, mode, private, facts, applies, is_approved };
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

/// A run with a saved plan.
struct Saved<'s> {
    invocation: &'s Invocation,
    flags: Flags,
    args: &'s RunArgs,
    host: &'s Host,
    settings: Settings,
    mode: Mode,
    private: TemporaryFile,
    /// The facts about the plan, once it has been read.
    facts: Rc<RefCell<Option<Facts>>>,
    applies: bool,
    /// Whether the command approves the plan in advance.
    is_approved: bool,
}

impl Saved<'_> {
    fn run(self) -> anyhow::Result<u8> {
        let file = self.file();
        let show_plan = self.invocation.with("show", ["-json".into(), file.clone()]);
        let documents = self.documents(show_plan.clone(), PlanText::Text);
        let part = Part::Plan { can_ask: self.can_ask() };
        let run = ShownRun::planned(documents, part);
        let (code, shown) = show(&self.plan(&file, true), run, self.args, self.host)?;
        if let Some(code) = self.interrupted(code) {
            return Ok(code);
        }
        match shown.refusal {
            Some(Refusal::SavedPlan) => {
                let why = "the backend cannot save a plan";
                drop(self.private);
                if self.is_approved {
                    self.host.note(&format!("{why}, so it is not shown before it is applied"));
                    return show_as_given(self.invocation, self.args, self.host);
                }
                return untouched(self.invocation, why, self.args, self.host);
            }
            Some(Refusal::Variable) => return self.run_asking(&file, &show_plan),
            None => {}
        }
        let facts = self.facts.take();
        if let Some(facts) = &facts {
            self.print(&facts.review)?;
        }
        if !self.applies || !self.is_success(code) {
            return Ok(code);
        }
        match facts.filter(|facts| facts.is_shown && shown.is_whole) {
            Some(facts) => self.approve(&facts, shown.timeline),
            None if self.is_approved => {
                self.host.error("the plan could not be shown; it is applied, because of -auto-approve");
                self.apply(&Facts::default(), shown.timeline)
            }
            None => {
                self.host.error("the plan could not be shown, so it is not applied");
                Ok(1)
            }
        }
    }

    /// Whether somebody can answer if the tool asks for variables.
    fn can_ask(&self) -> bool {
        let is_off = self.flags.is_unset("input") || self.host.environment.tools.input_disabled;
        self.host.terminal.stdin && self.settings.ci.is_none() && !is_off
    }

    /// The exit code if a signal came while the tool planned, or while its plan was shown.
    fn interrupted(&self, code: u8) -> Option<u8> {
        let signal = self.host.processes.received()?;
        if self.applies {
            self.host.error("interrupted before the plan was applied");
        }
        Some(if self.is_success(code) { u8::try_from(128 + signal).unwrap_or(1) } else { code })
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
        let typed = self.invocation.arguments().iter().filter(|word| !is_json(word));
        arguments.extend(typed.cloned());
        Tool { words: self.invocation.with("plan", arguments), removed: &[] }
    }

    /// Plans without `-json`, because only then the tool asks for variables.
    fn run_asking(&self, file: &OsString, show: &[OsString]) -> anyhow::Result<u8> {
        let tool = self.plan(file, false);
        let mut command = tool.command(self.host)?;
        // Otherwise the tool would explain how to apply the temporary plan.
        if self.file() == self.private.path() {
            command.env("TF_IN_AUTOMATION", "1");
        }
        let code = process::run_inherited(&mut command, &tool.words, self.host)?;
        if let Some(code) = self.interrupted(code) {
            return Ok(code);
        }
        if !self.is_success(code) || (!self.applies && !self.args.review) {
            return Ok(code);
        }
        let mut documents = self.documents(show.to_vec(), PlanText::Nothing);
        documents.show_saved_plan(None, &mut Out::new(&mut std::io::sink(), false))?;
        let facts = self.facts.take().context("the plan was not read")?;
        self.print(&facts.review)?;
        if !self.applies {
            return Ok(code);
        }
        self.approve(&facts, None)
    }

    /// The documents of the planning, whose plan the command `show` prints: a review if it was requested.
    fn documents(&self, show: Vec<OsString>, otherwise: PlanText) -> Files<'_> {
        self.files(SavedPlan {
            show,
            view: if self.args.review { PlanText::Review } else { otherwise },
            has_page: !self.args.run.out.is_empty(),
            schemas: Some(SchemaSource::new(self.invocation, self.host)),
            facts: Rc::clone(&self.facts),
            ..SavedPlan::default()
        })
    }

    fn files(&self, saved: SavedPlan) -> Files<'_> {
        let mut files = Files::read(&self.settings, None, self.host);
        files.saved = Some(saved);
        files
    }

    /// Whether the tool made the plan. With -detailed-exitcode, 2 means that there are changes.
    fn is_success(&self, code: u8) -> bool {
        code == 0 || (code == 2 && self.flags.is_set("detailed-exitcode"))
    }

    fn print(&self, text: &[u8]) -> anyhow::Result<()> {
        stdout().write_all(text).context("writing the review")
    }

    /// Asks for approval and applies the plan.
    fn approve(&self, facts: &Facts, timeline: Option<Box<Timeline>>) -> anyhow::Result<u8> {
        if facts.is_applyable && !self.is_approved {
            let workspace = Folder::new(self.invocation, self.host).workspace();
            let question = Question { mode: self.mode, dialect: facts.dialect, workspace: &workspace };
            if !ask::ask(question, &self.settings, self.host)? {
                return Ok(1);
            }
        }
        self.apply(facts, timeline)
    }

    /// Applies the plan.
    fn apply(&self, facts: &Facts, timeline: Option<Box<Timeline>>) -> anyhow::Result<u8> {
        let length = fs::metadata(self.private.path()).map_or(0, |data| data.len());
        ensure!(length > 0, "the tool has saved no plan");
        let mut arguments: Vec<OsString> = vec!["-json".into()];
        arguments.extend(self.flags.for_saved_plan(facts.has_ephemeral_variables));
        arguments.push(self.private.path().into());
        let words = self.invocation.with("apply", arguments);
        let documents =
            self.files(SavedPlan { page_review: facts.page_review.clone(), ..SavedPlan::default() });
        let part = Part::Apply { timeline, is_destroy: self.invocation.subcommand() == Some("destroy") };
        let run = ShownRun::planned(documents, part);
        show(&Tool { words, removed: &OF_APPLY }, run, self.args, self.host).map(|(code, _)| code)
    }
}
