//! `tfview run tofu apply …`: runs the tool, with `-json` if the command supports it, and shows the run.
//!
//! Invariants: the tool inherits standard input, and its exit code is returned even if the display fails;
//! commands without messages run unchanged; nothing is applied without being shown in full and approved,
//! unless the command itself says so.
//!
//! The tools reject `apply -json` without `-auto-approve`, and their messages contain no values. `plan` and
//! `apply` therefore use a temporary saved plan. If the tool cannot save a plan, or asks for variables, the
//! command runs without `-json`.

mod ask;
mod invocation;
mod options;
mod program;
mod schemas;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{fs, thread};

use anyhow::{Context, anyhow, ensure};

use super::args::{ProgressChoice, RunArgs};
#[cfg(feature = "browse")]
use super::browse;
use super::documents::{Facts, Files, PlanView, SavedPlan};
use super::output::check_overwrites;
use super::processes::{self, Process, Purpose, TemporaryFile};
use super::settings::{Settings, stdout};
use super::source::configuration_files;
use super::stream::{DriverReport, Input, Part, Refusal, RunDriver, outputs};
use super::{Host, Outcome, typed};
use crate::dialect::Tool;
use crate::model::plan::PlanMode;
use crate::stream::Timeline;
use crate::term::Out;
use ask::Question;
use invocation::Invocation;
use options::{Flags, Obstacle, Planned, split};
pub(super) use schemas::SchemaSource;

pub(super) fn run(args: &RunArgs, host: &Host) -> anyhow::Result<Outcome> {
    let link = |program: &OsStr| {
        let path = host.environment.find_program(program)?;
        let target = fs::canonicalize(path).ok()?;
        target.file_name().map(OsStr::to_owned)
    };
    let invocation = Invocation::parse(&args.command, link);
    if let Some(why) = refused(&invocation, host) {
        return Err(why);
    }
    if !invocation.is_streamed() {
        if !invocation.is_known() {
            note_unknown(&invocation, host);
        }
        return run_untouched(&invocation, args, host).map(Outcome::Tool);
    }
    #[cfg(feature = "browse")]
    if args.browse {
        browse::require_terminal_to_answer(host)?;
    }
    check_outputs(args, &invocation, host)?;
    let args = &with_options_of_tool(args, &invocation, host);
    let code = if is_asking_init(&invocation, args, host) {
        run_untouched(&invocation, args, host)?
    } else if let Some(code) = run_planned(&invocation, args, host)? {
        code
    } else {
        if browses(args) {
            host.note("the command asks about no plan, so there is none to walk through");
        }
        show_as_given(&invocation, args, host)?
    };
    Ok(Outcome::Tool(code))
}

/// Fails if a file beside the text of the run is one that the tool reads or writes, too: a plan, a configuration,
/// variables, a state.
fn check_outputs(args: &RunArgs, invocation: &Invocation, host: &Host) -> anyhow::Result<()> {
    let outputs = outputs(&args.run);
    if outputs.is_empty() {
        return Ok(());
    }
    let folder = invocation.folder();
    let mut inputs = configuration_files(folder);
    let (plan, schemas) = (&args.run.plan, &args.display.schemas);
    inputs.extend(
        plan.iter()
            .chain(schemas)
            .chain(&host.environment.schemas)
            .cloned(),
    );
    let mut saved = Vec::new();
    for word in invocation.words() {
        // A file is an argument, or the value of an option.
        match word.to_string_lossy().split_once('=') {
            Some(("-out" | "--out", file)) => saved.push(folder.join(file)),
            Some((_, file)) => inputs.push(folder.join(file)),
            None => inputs.push(folder.join(word)),
        }
    }
    let inputs: Vec<&Path> = inputs.iter().map(|path| &**path).collect();
    let saved = saved.iter().map(|path| ("-out", &**path));
    check_overwrites(&saved.chain(outputs).collect::<Vec<_>>(), &inputs, false)
}

#[derive(Debug)]
pub(super) struct ToolCommand {
    words: Vec<OsString>,
    /// In variables such as `TF_CLI_ARGS_plan`, which are removed from the environment: their arguments are
    /// among the words, or are not meant for it.
    without_arguments_of: Option<&'static str>,
}

impl ToolCommand {
    fn new(words: &[OsString]) -> Self {
        Self {
            words: words.to_vec(),
            without_arguments_of: None,
        }
    }

    fn command(&self, host: &Host) -> anyhow::Result<Command> {
        let (tool, rest) = self
            .words
            .split_first()
            .context("there is no command to run")?;
        let program = host.environment.find_program(tool).with_context(|| {
            let is_tool = Tool::from_program(&tool.to_string_lossy()).is_some();
            let tip = if is_tool { None } else { typed::way_to_run(&self.words) };
            let tip = tip.map_or_else(String::new, |tip| format!("\n  tip: {tip}"));
            format!(
                "cannot start {}: it is not in PATH (directories that are not absolute are not searched){tip}",
                tool.display()
            )
        })?;
        let mut command = Command::new(program);
        command.args(rest);
        if let Some(name) = self.without_arguments_of {
            command
                .env_remove("TF_CLI_ARGS")
                .env_remove(format!("TF_CLI_ARGS_{name}"));
        }
        Ok(command)
    }

    fn start(&self, command: &mut Command, host: &Host) -> anyhow::Result<(Child, Process)> {
        host.processes
            .start(command, Purpose::Shown)
            .with_context(|| self.starting())
    }

    fn starting(&self) -> String {
        format!(
            "cannot start {}",
            self.words
                .first()
                .map(|word| word.display().to_string())
                .unwrap_or_default()
        )
    }

    fn run_inherited(&self, command: &mut Command, host: &Host) -> anyhow::Result<u8> {
        let (mut child, process) = self.start(command, host)?;
        process
            .wait(&mut child, || process.suspend())
            .context("waiting for the tool")
    }

    pub(super) fn json(&self, name: &str, host: &Host) -> anyhow::Result<String> {
        let output = host.processes.capture(&mut self.command(host)?);
        let output = output.with_context(|| format!("running the tool's `{name}`"))?;
        ensure!(
            output.status.success(),
            "the tool's `{name}` failed ({}): {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        let text = String::from_utf8(output.stdout);
        let text =
            text.with_context(|| format!("cannot read the output of the tool's `{name}`"))?;
        let start = text
            .find('{')
            .with_context(|| format!("the tool's `{name}` printed no JSON"))?;
        Ok(text.get(start..).unwrap_or_default().trim_end().to_owned())
    }

    pub(super) fn known_tool(&self) -> Option<Tool> {
        let name = |word| Some(Path::new(word).file_name()?.to_string_lossy());
        self.words
            .iter()
            .find_map(|word| Tool::from_program(&name(word)?))
    }
}

/// The error of a command with an option whose value the tool refuses, so that nothing is started.
fn refused(invocation: &Invocation, host: &Host) -> Option<anyhow::Error> {
    let command = Planned::from_subcommand(invocation.subcommand()?)?;
    if !invocation.is_known() || invocation.asks_for_help() {
        return None;
    }
    match effective_flags(invocation, command, host) {
        Err(Obstacle::Refused(why)) => Some(anyhow!(why)),
        Err(Obstacle::Unclear(_)) | Ok(_) => None,
    }
}

/// The arguments with the options of the tool that shape its text, which shape that of tfview in the same way.
fn with_options_of_tool(args: &RunArgs, invocation: &Invocation, host: &Host) -> RunArgs {
    let mut args = args.clone();
    let Ok(flags) = all_flags(invocation, host) else {
        return args;
    };
    if flags.is_set("no-color") {
        args.display.style.no_color = true;
        // A live region moves the cursor.
        if args.run.progress == ProgressChoice::Auto {
            args.run.progress = ProgressChoice::Log;
        }
    }
    args.display.show_sensitive |= flags.is_set("show-sensitive");
    args.run.compact_warnings |= flags.is_set("compact-warnings");
    args.run.concise |= flags.is_set("concise");
    args.run.separate_warnings = flags.is_unset("consolidate-warnings");
    args.run.consolidate_errors = flags.is_set("consolidate-errors");
    args
}

/// Whether `init` asks, which it does in its own words even with `-json`, or moves the state, for which it
/// refuses `-json`.
fn is_asking_init(invocation: &Invocation, args: &RunArgs, host: &Host) -> bool {
    if !invocation.is_known() || invocation.subcommand() != Some("init") {
        return false;
    }
    let Ok(flags) = all_flags(invocation, host) else {
        return true;
    };
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    flags.is_set("migrate-state")
        || flags.is_set("force-copy")
        || (can_answer(&flags, &settings, host) && !flags.has("json"))
}

/// Whether somebody can answer a question of the tool, and the tool may ask.
fn can_answer(flags: &Flags, settings: &Settings, host: &Host) -> bool {
    let is_off = flags.is_unset("input") || host.environment.tools.input_disabled;
    host.terminal.stdin && settings.ci.is_none() && !is_off
}

/// Says how the run of an unknown program can be shown.
fn note_unknown(invocation: &Invocation, host: &Host) {
    let is_there = invocation
        .words()
        .first()
        .is_some_and(|program| host.environment.find_program(program).is_some());
    if is_there {
        host.note(&format!(
            "`{}` is none of terraform, tofu and terragrunt, so its command runs untouched\n  tip: the messages of \
             a wrapper are shown if its command has -json",
            invocation.tool_name()
        ));
    }
}

fn run_untouched(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    for out in &args.run.out {
        host.note(&format!(
            "no page is written to {}: the command runs untouched",
            out.path.display()
        ));
    }
    let tool = ToolCommand::new(invocation.words());
    processes::replace(&mut tool.command(host)?).with_context(|| tool.starting())
}

fn show_as_given(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<u8> {
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    let mut documents = Files::read(settings, args.run.plan.as_deref(), host);
    let tool = ToolCommand::new(&invocation.with_json());
    show(&tool, &mut documents, Part::Whole, args).map(|(code, _)| code)
}

/// Runs the tool and shows its messages. Returns its exit code, and how the display ended.
fn show(
    tool: &ToolCommand,
    documents: &mut Files<'_>,
    part: Part,
    args: &RunArgs,
) -> anyhow::Result<(u8, DriverReport)> {
    let host = documents.host;
    let (driver, sender) = RunDriver::new(documents, part, &args.run);
    let mut command = tool.command(host)?;
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, process) = tool.start(&mut command, host)?;
    sender.read_messages(child.stdout.take().context("the tool has no output")?);
    sender.read_stderr(
        child
            .stderr
            .take()
            .context("the tool has no standard error")?,
    );
    let (code, shown) = thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let code = process.wait(&mut child, || {
                sender.send(Input::Stopped);
            });
            sender.send(Input::Exited);
            code
        });
        let shown = driver.run(Some(&process), false);
        (
            waiting
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("an internal error"))),
            shown,
        )
    });
    drop(process);
    let code = code.context("waiting for the tool")?;
    let shown = shown.unwrap_or_else(|error| DriverReport {
        failed: true,
        fault: Some(error),
        ..DriverReport::default()
    });
    if let Some(fault) = &shown.fault {
        host.report(fault);
    }
    Ok((code, shown))
}

/// Untouched if the backend makes plans elsewhere; `None` if the command makes no plan, or that plan is
/// given.
fn run_planned(invocation: &Invocation, args: &RunArgs, host: &Host) -> anyhow::Result<Option<u8>> {
    let subcommand = invocation.subcommand().filter(|_| invocation.is_known());
    let Some(command) = subcommand.and_then(Planned::from_subcommand) else {
        return Ok(None);
    };
    if invocation.is_local()
        && let Some(backend) = invocation.remote_backend(host)
    {
        let why = format!("the backend `{backend}` runs plans elsewhere");
        return untouched(invocation, &why, args, host).map(Some);
    }
    let flags = match effective_flags(invocation, command, host) {
        Ok(flags) => flags,
        Err(Obstacle::Unclear(why) | Obstacle::Refused(why)) => {
            return untouched(invocation, &why, args, host).map(Some);
        }
    };
    if args.run.plan.is_some() || !flags.arguments.is_empty() {
        return Ok(None);
    }
    let applies = command != Planned::Plan;
    let is_approved = applies && flags.is_set("auto-approve");
    if !invocation.is_local() {
        if !applies || is_approved {
            return Ok(None);
        }
        let why = "the tool runs where a plan cannot be saved for it";
        return untouched(invocation, why, args, host).map(Some);
    }
    let mode = if command == Planned::Destroy || flags.is_set("destroy") {
        Some(PlanMode::Destroy)
    } else if flags.has("invoke") {
        None
    } else if flags.is_set("refresh-only") {
        Some(PlanMode::RefreshOnly)
    } else {
        Some(PlanMode::Normal)
    };
    let mut settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    settings.plan_mode = settings.plan_mode.or(mode);
    let private = host.processes.temporary_file(&[])?;
    let file = match flags.value("out") {
        Some(out) if !applies => out.into(),
        Some(_) | None => private.path().into_os_string(),
    };
    let mut documents = Files::read(settings, None, host);
    documents.saved = Some(SavedPlan {
        show: invocation.tool("show", ["-json".into(), file.clone()], Some("show")),
        schemas: SchemaSource::new(invocation, host),
        applies,
        view: if args.review || browses(args) {
            PlanView::Review
        } else {
            PlanView::Text
        },
        text: None,
        facts: None,
    });
    let run = PlannedRun {
        invocation,
        flags,
        args,
        host,
        mode,
        private,
        file,
        documents,
        applies,
        is_approved,
        warnings: Vec::new(),
    };
    run.run().map(Some)
}

/// Whether the plan is walked through.
fn browses(args: &RunArgs) -> bool {
    #[cfg(feature = "browse")]
    return args.browse;
    #[cfg(not(feature = "browse"))]
    {
        let _ = args;
        false
    }
}

fn untouched(
    invocation: &Invocation,
    why: &str,
    args: &RunArgs,
    host: &Host,
) -> anyhow::Result<u8> {
    host.note(&format!(
        "{why}, so `{}` runs untouched",
        invocation.tool_name()
    ));
    run_untouched(invocation, args, host)
}

/// The options of variables and of the command line, in the order in which the tools read them.
fn all_flags(invocation: &Invocation, host: &Host) -> Result<Flags, Obstacle> {
    let variables = &host.environment.tools;
    let mut words = Vec::new();
    for (name, text) in variables.arguments_of(invocation.subcommand().unwrap_or_default()) {
        let of_variable = split(text).ok_or_else(|| {
            Obstacle::Unclear(format!(
                "the value of {name} cannot be read as the tool reads it"
            ))
        })?;
        if !Flags::parse(&of_variable, false).arguments.is_empty() {
            return Err(Obstacle::Unclear(format!(
                "{name} has words that are no options"
            )));
        }
        words.extend(of_variable);
    }
    words.extend_from_slice(invocation.arguments());
    Ok(Flags::parse(&words, invocation.is_terragrunt()))
}

fn effective_flags(
    invocation: &Invocation,
    command: Planned,
    host: &Host,
) -> Result<Flags, Obstacle> {
    if invocation.is_terragrunt() && host.environment.tools.several_units {
        let why = "a variable lets Terragrunt run several units";
        return Err(Obstacle::Unclear(why.to_owned()));
    }
    let flags = all_flags(invocation, host)?;
    match flags.obstacle(command) {
        Some(obstacle) => Err(obstacle),
        None => Ok(flags),
    }
}

fn print_review(facts: &Facts) -> anyhow::Result<()> {
    stdout()
        .write_all(&facts.review)
        .context("writing the review")
}

struct PlannedRun<'r> {
    invocation: &'r Invocation,
    flags: Flags,
    args: &'r RunArgs,
    host: &'r Host,
    /// `None` with Terraform's `-invoke`.
    mode: Option<PlanMode>,
    private: TemporaryFile,
    file: OsString,
    documents: Files<'r>,
    applies: bool,
    is_approved: bool,
    /// Warnings of the planning that are shown after the apply.
    warnings: Vec<String>,
}

impl PlannedRun<'_> {
    fn run(mut self) -> anyhow::Result<u8> {
        let tool = self.plan(true);
        let can_ask = can_answer(&self.flags, &self.documents.settings, self.host);
        let (code, shown) = show(
            &tool,
            &mut self.documents,
            Part::Plan {
                can_ask,
                holds_warnings: self.is_approved,
            },
            self.args,
        )?;
        if let Some(code) = self.interrupted(code) {
            return Ok(code);
        }
        match shown.refusal {
            Some(Refusal::SavedPlan) => {
                let why = "the backend cannot save a plan";
                drop(self.private);
                if self.is_approved {
                    self.host
                        .note(&format!("{why}, so it is not shown before it is applied"));
                    return show_as_given(self.invocation, self.args, self.host);
                }
                return untouched(self.invocation, why, self.args, self.host);
            }
            Some(Refusal::Variable) => return self.run_asking(),
            None => {}
        }
        let facts = self.facts()?;
        if !self.applies || !self.is_success(code) {
            return self.walk_through(facts.as_ref(), code);
        }
        match facts.filter(|facts| facts.is_shown && shown.is_whole) {
            Some(facts) => {
                self.warnings = shown.held_warnings;
                self.approve(&facts, shown.timeline)
            }
            None if self.is_approved => {
                self.host
                    .error("the plan could not be shown; it is applied, because of -auto-approve");
                self.warnings = shown.held_warnings;
                self.apply(false, shown.timeline)
            }
            None => {
                self.host
                    .error("the plan could not be shown, so it is not applied");
                Ok(1)
            }
        }
    }

    fn interrupted(&self, code: u8) -> Option<u8> {
        let signal = self.host.processes.received()?;
        if self.applies {
            self.host.error("interrupted before the plan was applied");
        }
        Some(if self.is_success(code) {
            u8::try_from(128 + signal).unwrap_or(1)
        } else {
            code
        })
    }

    fn plan(&self, as_json: bool) -> ToolCommand {
        let mut arguments: Vec<OsString> = Vec::new();
        if as_json {
            arguments.push("-json".into());
        }
        if self.applies || !self.flags.has("out") {
            let mut out = OsString::from("-out=");
            out.push(&self.file);
            arguments.push(out);
        }
        if self.invocation.subcommand() == Some("destroy") {
            arguments.push("-destroy".into());
        }
        if self.applies {
            arguments.extend(self.flags.for_plan());
            return self.invocation.tool("plan", arguments, Some("plan"));
        }
        arguments.extend(self.invocation.flags().for_plan());
        self.invocation.tool("plan", arguments, None)
    }

    /// Plans without `-json`, because only then the tool asks for variables.
    fn run_asking(mut self) -> anyhow::Result<u8> {
        let tool = self.plan(false);
        let mut command = tool.command(self.host)?;
        // Otherwise the tool would explain how to apply the temporary plan.
        if *self.file == *self.private.path() {
            command.env("TF_IN_AUTOMATION", "1");
        }
        let code = tool.run_inherited(&mut command, self.host)?;
        if let Some(code) = self.interrupted(code) {
            return Ok(code);
        }
        if !self.is_success(code) || (!self.applies && !self.args.review && !browses(self.args)) {
            return Ok(code);
        }
        if !self.args.review && !browses(self.args) {
            self.documents.hide_saved_plan();
        }
        self.documents
            .show_saved_plan(None, &mut Out::new(&mut io::sink(), false))?;
        let facts = self.facts()?.context("the plan was not read")?;
        if self.applies {
            self.approve(&facts, None)
        } else {
            self.walk_through(Some(&facts), code)
        }
    }

    /// Shows a plan that is not applied to a reader who wants to walk through it. Returns the exit code.
    fn walk_through(&self, facts: Option<&Facts>, code: u8) -> anyhow::Result<u8> {
        let Some(facts) = facts.filter(|_| self.prints_review_later()) else {
            return Ok(code);
        };
        #[cfg(feature = "browse")]
        if !self.applies {
            let ending = self.documents.browse_saved_plan(false)?;
            print_review(facts)?;
            return Ok(match ending {
                browse::Ending::Signal(number) => u8::try_from(128 + number).unwrap_or(1),
                browse::Ending::Quit | browse::Ending::Approved => code,
            });
        }
        print_review(facts)?;
        Ok(code)
    }

    /// Whether the review is printed after the browser has shown it.
    fn prints_review_later(&self) -> bool {
        browses(self.args) && !self.is_approved
    }

    /// Lets the reader walk through the plan, and takes the answer. Afterwards, the review is printed, so that what was
    /// answered stays on the screen.
    #[cfg(feature = "browse")]
    fn ask_in_browser(&self, facts: &Facts, question: Question<'_>) -> anyhow::Result<bool> {
        let ending = self.documents.browse_saved_plan(true)?;
        print_review(facts)?;
        let is_approved = ending == browse::Ending::Approved;
        if !is_approved {
            let mut out = stdout();
            write!(out, "\n{}", question.cancelled()).context("writing the answer")?;
            out.flush().context("writing the answer")?;
        }
        Ok(is_approved)
    }

    /// With -detailed-exitcode, 2 means that there are changes.
    fn is_success(&self, code: u8) -> bool {
        code == 0 || (code == 2 && self.flags.is_set("detailed-exitcode"))
    }

    /// Prints the review, if it was requested.
    fn facts(&mut self) -> anyhow::Result<Option<Facts>> {
        let facts = self
            .documents
            .saved
            .as_mut()
            .and_then(|saved| saved.facts.take());
        // Before it is answered, it is on the screen of the browser.
        if let Some(facts) = facts.as_ref().filter(|_| !self.prints_review_later()) {
            print_review(facts)?;
        }
        Ok(facts)
    }

    fn approve(self, facts: &Facts, timeline: Option<Box<Timeline>>) -> anyhow::Result<u8> {
        if facts.is_applyable && !self.is_approved {
            let workspace = self.invocation.workspace(self.host);
            let question = Question {
                mode: self.mode,
                dialect: facts.dialect,
                workspace: &workspace,
            };
            if !self.is_answered_with_yes(facts, question)? {
                return Ok(1);
            }
        } else if self.prints_review_later() {
            print_review(facts)?;
        }
        self.apply(facts.has_ephemeral_variables, timeline)
    }

    fn is_answered_with_yes(&self, facts: &Facts, question: Question<'_>) -> anyhow::Result<bool> {
        #[cfg(feature = "browse")]
        if browses(self.args) {
            return self.ask_in_browser(facts, question);
        }
        #[cfg(not(feature = "browse"))]
        let _ = facts;
        ask::ask(question, &self.documents.settings, self.host)
    }

    fn apply(
        mut self,
        with_variables: bool,
        timeline: Option<Box<Timeline>>,
    ) -> anyhow::Result<u8> {
        let length = fs::metadata(self.private.path()).map_or(0, |data| data.len());
        ensure!(length > 0, "the tool has saved no plan");
        let mut arguments: Vec<OsString> = vec!["-json".into()];
        arguments.extend(self.flags.for_saved_plan(with_variables));
        arguments.push(self.private.path().into());
        let tool = self.invocation.tool("apply", arguments, Some("apply"));
        self.documents.hide_saved_plan();
        let part = Part::Apply {
            timeline,
            warnings: self.warnings,
            is_destroy: self.invocation.subcommand() == Some("destroy"),
        };
        show(&tool, &mut self.documents, part, self.args).map(|(code, _)| code)
    }
}
