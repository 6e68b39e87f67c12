//! Runs `tfview diff`.
//!
//! Invariants: documents that cannot be compared cause an error. Units are paired by name. A unit without an approved
//! plan is compared with nothing, so that all of its changes go beyond what was approved.

mod fingerprint;
mod units;

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;

use super::{Input, Printed, Requested, annotations, check_outputs, deliver, outcome};
use crate::cli::args::DiffArgs;
use crate::cli::input::{Document, Source};
use crate::cli::kind::{self, DocumentKind};
use crate::cli::messages::ErrorWithTip;
use crate::cli::output::WriteFailures;
use crate::cli::reader::Reader;
use crate::cli::refusal::refuse_unsupported;
use crate::cli::schemas::{self, StoredSchemas};
use crate::cli::settings::Settings;
use crate::cli::values::DiffFormat;
use crate::cli::{Host, Outcome, ci};
use crate::compare::formats::{self, GateResult};
use crate::compare::{
    Comparison, Options, ResultError, Run, RunSide, StateSide, Verdict, compare_run, compare_state,
    compare_states,
};
use crate::diff::parallel::Storage;
use crate::document::{self, ComparedPlan, PlanDocument};
use crate::json;
use crate::model::state::StateDocument;
use crate::report::{self, Budget, Layout, PageOptions, Report};
use crate::review::AbsentUnit;
use crate::schema::Schemas;
use crate::term::ci::CiLog;

pub(in crate::cli) fn run(args: &DiffArgs, host: &Host) -> anyhow::Result<Outcome> {
    compare_files(args, View::Text, host)
}

/// Compares the files of the arguments, and shows the result in a view.
///
/// # Errors
/// If a file cannot be read, the files cannot be compared with each other, or the result cannot be written.
pub(super) fn compare_files(args: &DiffArgs, view: View, host: &Host) -> anyhow::Result<Outcome> {
    let settings = super::settings(&args.display, host)?;
    let inputs: Vec<&Path> = args
        .files
        .iter()
        .chain(&settings.schemas)
        .map(|path| &**path)
        .collect();
    check_outputs(&args.out, &inputs)?;
    let schema_files = schemas::read(&settings.schemas, host)?;
    schemas::add(&mut Schemas::new(), &schema_files)?;
    let reader = Reader {
        schema_files: &schema_files,
        settings: &settings,
        host,
    };
    let options = Options {
        show_sensitive: settings.show_sensitive,
        lists_known: args.list_known,
        ignored: args.ignore.clone(),
    };
    let command = DiffCommand {
        args,
        view,
        reader,
        options,
    };
    if args.fingerprint || args.approved.is_some() {
        return command.by_fingerprint();
    }
    let [approved, now] = &*args.files else {
        bail!(ErrorWithTip::new(
            "expected two files: the approved plan, and a new plan, the messages of a run, or a state",
            "`tfview diff --fingerprint PLAN` makes a hash of one plan"
        ));
    };
    ensure!(
        approved != now || approved.as_os_str() != "-",
        ErrorWithTip::new(
            "only one of the two files can be standard input",
            "write the other one to a file"
        )
    );
    if approved.is_dir() || now.is_dir() {
        return command.units(approved, now);
    }
    let [old, new] = [read(approved, reader)?, read(now, reader)?];
    let kind = |document: &Document| kind::detect(document.text()).unwrap_or(DocumentKind::Other);
    let is_later = |what| {
        let text = format!("{} is {what}, and the plan comes first", old.source());
        let tip = format!("`tfview diff PLAN {}`", old.source());
        anyhow::Error::new(ErrorWithTip::new(text, tip))
    };
    match (kind(&old), kind(&new)) {
        (DocumentKind::State, DocumentKind::State) => command.states(&old, &new),
        (DocumentKind::State, _) => Err(is_later("a state")),
        (DocumentKind::Messages, _) => Err(is_later("the messages of a run")),
        (_, kind @ (DocumentKind::State | DocumentKind::Messages)) => {
            command.result(&old, &new, kind)
        }
        _ => {
            let [old, new] = [Input::only(&old, reader)?, Input::only(&new, reader)?];
            require_comparable(&old, &new)?;
            [&old, &new]
                .iter()
                .for_each(|input| input.stored_schemas.note(host));
            with_comparison(&old, &new, reader, &command.options, |comparison| {
                command.conclude(comparison)
            })
        }
    }
}

fn read(file: &Path, reader: Reader<'_>) -> anyhow::Result<Document> {
    reader.read(Source::new(Some(file), reader.host)?)
}

fn state(document: &Document) -> anyhow::Result<StateDocument<'_>> {
    let state: StateDocument<'_> =
        json::from_str(document.text()).map_err(|error| document.fault(&error))?;
    refuse_unsupported(&state.format_version, document)?;
    Ok(state)
}

/// Checks that two plans have comparable forms.
///
/// # Errors
/// If only one is a saved plan, or the configuration in a saved plan cannot be read.
fn require_comparable(old: &Input<'_>, new: &Input<'_>) -> anyhow::Result<()> {
    let tip = "use the output of `show -json` for both, or `--via-tool`";
    old.document
        .require_comparable(&new.document, [&old.name, &new.name])
        .map_err(|error| ErrorWithTip::new(error.to_string(), tip).into())
}

impl<'d> Input<'d> {
    /// Parses the plan of a unit. A unit without a document has an empty plan.
    fn of_unit(document: Option<&'d Document>, reader: Reader<'_>) -> anyhow::Result<Self> {
        if let Some(document) = document {
            return Self::only(document, reader);
        }
        let text = r#"{"format_version":"1.2","resource_changes":[]}"#;
        let document = PlanDocument::parse(text).map_err(|error| anyhow!("{error}"))?;
        let (name, stored_schemas) = ("no plan".to_owned(), StoredSchemas::default());
        Ok(Self {
            name,
            unit: None,
            document,
            stored_schemas,
            tool: None,
            snapshot: None,
        })
    }

    /// Returns the schemas for the plan: given, embedded and stored ones.
    pub(super) fn schemas<'s>(
        &'s self,
        schema_files: &'s [Document],
    ) -> anyhow::Result<Schemas<'s>> {
        schemas::available_schemas(
            schema_files,
            self.document.plan.provider_schemas,
            Some(&self.stored_schemas),
            &self.name,
        )
    }

    fn compared<'s>(&'s self, reader: Reader<'s>) -> anyhow::Result<ComparedPlan<'s, 's>> {
        Ok(ComparedPlan {
            name: &self.name,
            document: &self.document,
            schemas: self.schemas(reader.schema_files)?,
        })
    }
}

/// Compares two plans, and passes the comparison to `then`.
///
/// # Errors
/// If they cannot be compared, or `then` fails.
fn with_comparison<T>(
    old: &Input<'_>,
    new: &Input<'_>,
    reader: Reader<'_>,
    options: &Options,
    then: impl FnOnce(&Comparison<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let (arena, mut storage) = (Bump::new(), Storage::default());
    let comparison = document::compare(
        old.compared(reader)?,
        new.compared(reader)?,
        options,
        &arena,
        &mut storage,
    )
    .map_err(|error| anyhow!("cannot compare {} with {}: {error}", old.name, new.name))?;
    then(&comparison)
}

/// The view of a comparison.
#[derive(Clone, Copy)]
pub(super) enum View {
    /// In the formats that the arguments ask for.
    Text,
    /// In a browser, which this function runs.
    #[cfg(feature = "browse")]
    Browser(fn(&Report<'_>, &Settings, &Host) -> anyhow::Result<Outcome>),
}

/// The command `tfview diff`, with what all kinds of comparisons need.
struct DiffCommand<'a> {
    /// The arguments.
    args: &'a DiffArgs,
    /// The view in which it is shown.
    view: View,
    /// The reader of the documents.
    reader: Reader<'a>,
    /// The options of the comparison.
    options: Options,
}

impl DiffCommand<'_> {
    /// Compares two states.
    fn states(&self, before: &Document, now: &Document) -> anyhow::Result<Outcome> {
        let Reader {
            schema_files,
            settings,
            host,
        } = self.reader;
        let names = [before, now].map(|document| document.source().to_string());
        let states = [state(before)?, state(now)?];
        let stored_schemas = states
            .each_ref()
            .map(|state| StoredSchemas::for_state(state, settings, host));
        let mut schemas = Schemas::new();
        schemas::add(&mut schemas, schema_files)?;
        for (state, name) in states.iter().zip(&names) {
            schemas::add_embedded(&mut schemas, state.provider_schemas, name)?;
        }
        for stored_schemas in &stored_schemas {
            stored_schemas.note(host);
            stored_schemas.add_to(&mut schemas);
        }
        let old = StateSide {
            name: &names[0],
            text: before.text(),
            state: &states[0],
        };
        let new = StateSide {
            name: &names[1],
            text: now.text(),
            state: &states[1],
        };
        let (arena, mut storage) = (Bump::new(), Storage::default());
        let comparison = compare_states(old, new, &schemas, &self.options, &arena, &mut storage)
            .map_err(|error| fault(&format!("comparing {} with {}", names[0], names[1]), &error))?;
        self.conclude(&comparison)
    }

    /// Compares a plan with its result: the messages of a run, or the state after it.
    fn result(
        &self,
        plan: &Document,
        result: &Document,
        kind: DocumentKind,
    ) -> anyhow::Result<Outcome> {
        let input = Input::only(plan, self.reader)?;
        input.stored_schemas.note(self.reader.host);
        let compared = input.compared(self.reader)?;
        let (name, text) = (result.source().to_string(), result.text());
        let fault = |error| fault(&format!("comparing {} with {name}", input.name), &error);
        let (arena, mut storage) = (Bump::new(), Storage::default());
        let side = compared.side();
        let comparison = if kind == DocumentKind::State {
            let state = state(result)?;
            let state = StateSide {
                name: &name,
                text,
                state: &state,
            };
            compare_state(side, state, &self.options, &arena, &mut storage).map_err(fault)?
        } else {
            let run = Run::parse(text)
                .map_err(|error| self::fault(&format!("cannot read {name}"), &error))?;
            let run = RunSide {
                name: &name,
                text,
                run: &run,
            };
            compare_run(side, run, &self.options, &arena, &mut storage).map_err(fault)?
        };
        self.conclude(&comparison)
    }

    /// Decides the gates of a comparison, and shows it.
    fn conclude(&self, comparison: &Comparison<'_>) -> anyhow::Result<Outcome> {
        let gates = self
            .args
            .fail_on
            .iter()
            .map(|gate| GateResult::new(*gate, gate.hits(comparison)));
        let gates: Vec<GateResult> = gates.collect();
        self.write(&Conclusion {
            gates: &gates,
            sentence: comparison.sentence(),
            verdict: comparison.verdict(),
            absent: &[],
            report: &|| formats::report(comparison),
            json: &|sink| formats::json(comparison, &gates, sink),
        })
    }

    /// Shows a comparison in the requested formats. Returns the outcome, which is decided before anything is written.
    fn write(&self, conclusion: &Conclusion<'_>) -> anyhow::Result<Outcome> {
        let (
            Self {
                args,
                reader: Reader { settings, host, .. },
                ..
            },
            Conclusion {
                verdict, absent, ..
            },
        ) = (self, conclusion);
        #[cfg(feature = "browse")]
        if let View::Browser(show) = self.view {
            return show(&(conclusion.report)(), settings, host);
        }
        let message = |result: &GateResult| {
            let what = crate::review::count(result.hits, "difference");
            format!("--fail-on {}: {what}: {}", result.name, conclusion.sentence)
        };
        let violated: Vec<String> = conclusion
            .gates
            .iter()
            .filter(|result| result.violated)
            .map(message)
            .collect();
        let has_changes = args.detailed_exitcode && *verdict != Verdict::Same;
        let decided = outcome(&violated, !absent.is_empty(), has_changes);
        let annotations = settings.ci.map(|system| {
            let mut all = annotations(system, absent);
            violated
                .iter()
                .for_each(|why| all.add(ci::error("tfview diff", why)));
            all
        });
        let mut failures = WriteFailures::default();
        let requested = Requested {
            format: args.format,
            files: &args.out,
            pager: args.pager,
        };
        deliver(
            &requested,
            annotations,
            self.reader,
            &mut failures,
            |format, printed, sink| match format {
                DiffFormat::Terminal => {
                    let Printed { colour, log, .. } = printed.unwrap_or_default();
                    report::terminal(&(conclusion.report)(), layout(settings), colour, log, sink)
                }
                DiffFormat::Markdown => {
                    let budget = args.max_bytes.unwrap_or_default();
                    sink.write_all(report::markdown(&mut (conclusion.report)(), budget).as_bytes())
                }
                DiffFormat::Html => {
                    let shows_sensitive = settings.show_sensitive;
                    let options = PageOptions {
                        shows_sensitive,
                        ..PageOptions::default()
                    };
                    report::page(&(conclusion.report)(), &options, sink)
                }
                DiffFormat::Json => (conclusion.json)(sink),
            },
        )?;
        violated.iter().for_each(|why| host.error(why));
        Ok(failures.conclude(decided, host))
    }
}

/// A comparison, ready to be shown in any format.
struct Conclusion<'c> {
    /// The gates, and whether they hold.
    gates: &'c [GateResult],
    /// The verdict in words.
    sentence: String,
    /// The verdict.
    verdict: Verdict,
    /// The units whose plans are not compared.
    absent: &'c [AbsentUnit],
    /// A function that makes the document for texts and pages.
    report: &'c dyn Fn() -> Report<'static>,
    /// A function that writes the JSON.
    json: &'c dyn Fn(&mut dyn Write) -> io::Result<()>,
}

fn layout(settings: &Settings) -> Layout {
    Layout {
        width: settings.width,
        wraps: settings.wraps,
        links: false,
        fingerprint: false,
    }
}

/// A comparison that is shown before a review.
pub(super) struct Since {
    report: Report<'static>,
    layout: Layout,
    pub(super) json: String,
}

impl Since {
    pub(super) fn text(&self, colour: bool, log: Option<CiLog>) -> io::Result<String> {
        let mut text = Vec::new();
        report::terminal(&self.report, self.layout, colour, log, &mut text)?;
        text.push(b'\n');
        String::from_utf8(text).map_err(io::Error::other)
    }

    pub(super) fn markdown(&self, budget: Budget) -> String {
        report::markdown(&mut self.report.clone(), budget) + "\n"
    }
}

/// Compares a plan with the approved one, for `tfview review --since`.
pub(super) fn since(approved: &Path, now: &Input<'_>, reader: Reader<'_>) -> anyhow::Result<Since> {
    let document = read(approved, reader)?;
    let old = Input::only(&document, reader)?;
    require_comparable(&old, now)?;
    let options = Options {
        show_sensitive: reader.settings.show_sensitive,
        lists_known: false,
        ignored: Vec::new(),
    };
    with_comparison(&old, now, reader, &options, |comparison| {
        let mut json = Vec::new();
        formats::json(comparison, &[], &mut json)?;
        let json = String::from_utf8(json).context("cannot write the comparison")?;
        Ok(Since {
            report: formats::report(comparison),
            layout: layout(reader.settings),
            json,
        })
    })
}

/// Makes the error of a comparison with a result.
fn fault(doing: &str, error: &ResultError) -> anyhow::Error {
    ErrorWithTip::with(format!("{doing}: {error}"), error.tip()).into()
}
