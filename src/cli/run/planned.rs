//! Runs commands that are planned first: the plan is saved and shown, and then applied if it is approved.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};

use anyhow::{Context, ensure};

use super::ask::{self, Question};
use super::{browses, can_answer, show, show_as_given, untouched};
use crate::cli::Host;
use crate::cli::args::RunArgs;
#[cfg(feature = "browse")]
use crate::cli::browse;
use crate::cli::documents::{Facts, Files, PlanView, SavedPlan};
use crate::cli::processes::TemporaryFile;
use crate::cli::settings::{Settings, stdout};
use crate::cli::stream::{Part, Refusal};
use crate::cli::tool_command::{Flags, Invocation, Obstacle, Planned, SchemaSource, ToolCommand};
use crate::model::plan::PlanMode;
use crate::stream::Timeline;
use crate::term::Out;

/// Runs a command that is planned first, and returns its exit code. Returns `None` if the command makes no plan, or if
/// that plan is given. The command runs untouched if the backend makes plans elsewhere, or if its options are not
/// understood.
pub(super) fn run_planned(
    invocation: &Invocation,
    args: &RunArgs,
    host: &Host,
) -> anyhow::Result<Option<u8>> {
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
    let flags = match invocation.flags_of_planned(command, host) {
        Ok(flags) => flags,
        Err(Obstacle::Unclear(why) | Obstacle::Refused { why, .. }) => {
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

fn print_review(facts: &Facts) -> anyhow::Result<()> {
    stdout()
        .write_all(&facts.review)
        .context("writing the review")
}

/// A command that is planned first, with everything that its steps share.
struct PlannedRun<'r> {
    /// The command.
    invocation: &'r Invocation,
    /// The options of the command and of variables.
    flags: Flags,
    /// The arguments of `tfview run`.
    args: &'r RunArgs,
    /// The input and output of the program.
    host: &'r Host,
    /// The mode of the plan; `None` with Terraform's `-invoke`.
    mode: Option<PlanMode>,
    /// A temporary file that only the user can read, for the plan that is applied.
    private: TemporaryFile,
    /// The file that the tool saves the plan to.
    file: OsString,
    /// The documents of the display.
    documents: Files<'r>,
    /// Whether the command applies the plan.
    applies: bool,
    /// Whether the command itself approves the plan.
    is_approved: bool,
    /// The warnings of the planning, which are shown after the apply.
    warnings: Vec<String>,
}

impl PlannedRun<'_> {
    /// Plans, shows the plan, and applies it if it is approved. Returns the exit code.
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
                self.host.error(
                    "the plan could not be shown; applying it anyway, because of -auto-approve",
                );
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

    /// Returns the exit code if a signal has asked tfview to end; otherwise `None`.
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

    /// Makes the command that plans and saves the plan.
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

    /// Plans without `-json`, because only then does the tool ask for variables; then shows the plan and goes on as
    /// usual.
    fn run_asking(mut self) -> anyhow::Result<u8> {
        let tool = self.plan(false);
        let mut command = tool.command(self.host)?;
        // Without this variable, the tool would explain how to apply the temporary plan.
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

    /// Shows the review of a plan that is not applied in the browser, if that is requested, and prints it afterward.
    /// Returns the exit code.
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

    /// Whether the review is printed only after the browser has shown it.
    fn prints_review_later(&self) -> bool {
        browses(self.args) && !self.is_approved
    }

    /// Shows the plan in the browser, and returns whether the reader approves it there. The review is printed
    /// afterward, so that what was answered stays on the screen.
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

    /// Whether the tool succeeded. With `-detailed-exitcode`, 2 means that there are changes.
    fn is_success(&self, code: u8) -> bool {
        code == 0 || (code == 2 && self.flags.is_set("detailed-exitcode"))
    }

    /// Returns the facts about the saved plan, if it was read. Prints its review, if there is one and the browser does
    /// not show it first.
    fn facts(&mut self) -> anyhow::Result<Option<Facts>> {
        let facts = self
            .documents
            .saved
            .as_mut()
            .and_then(|saved| saved.facts.take());
        // Until the question is answered, the browser has the review on the screen.
        if let Some(facts) = facts.as_ref().filter(|_| !self.prints_review_later()) {
            print_review(facts)?;
        }
        Ok(facts)
    }

    /// Asks whether the plan is applied, unless the command approves it, and applies it. Returns the exit code.
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

    /// Asks in the browser or as the tool does, and returns whether the answer is yes.
    fn is_answered_with_yes(&self, facts: &Facts, question: Question<'_>) -> anyhow::Result<bool> {
        #[cfg(feature = "browse")]
        if browses(self.args) {
            return self.ask_in_browser(facts, question);
        }
        #[cfg(not(feature = "browse"))]
        let _ = facts;
        ask::ask(question, &self.documents.settings, self.host)
    }

    /// Applies the saved plan, and continues the timeline of the planning. Returns the exit code.
    ///
    /// # Errors
    /// If the tool has saved no plan, or cannot be started.
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
