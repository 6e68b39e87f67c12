//! Reads the plans of `tfview review`, `diff` and `browse`, and delivers what is made of them.
//!
//! Invariants: the gates are decided, and the files of `--out` are written, before the first byte is written to
//! standard output. If one of several units cannot be read, the others are still reviewed or compared.

#[cfg(feature = "browse")]
pub(super) mod browse;
pub(super) mod diff;
mod identity;
pub(super) mod review;
mod reviews;

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::args::{ConfigArgs, DisplayArgs, When};
use super::config::Config;
use super::input::Document;
use super::messages::ErrorWithTip;
use super::output::{WriteFailures, check_overwrites, with_output};
use super::reader::Reader;
use super::refusal::{refuse_unsupported, require_plan};
use super::schemas::{self, StoredSchemas};
use super::settings::{Pager, Settings};
use super::units::{self, SearchFor, Unit, Units};
use super::values::{NamedFile, OutFile, out_paths};
use super::{Host, Outcome, ci};
use crate::dialect::Tool;
use crate::document::PlanDocument;
use crate::json::{self, ErrorKind};
use crate::review::AbsentUnit;
use crate::review::build::ReadOptions;
use crate::review::findings::Rules;
use crate::saved::Snapshot;
use crate::term::CiSystem;
use crate::term::ci::{Annotations, CiLog};

/// Resolves the settings.
///
/// # Errors
/// If `--plan-mode` is given.
fn settings(display: &DisplayArgs, host: &Host) -> anyhow::Result<Settings> {
    let settings = Settings::resolve(display, &host.environment, host.terminal);
    ensure!(
        settings.plan_mode.is_none(),
        ErrorWithTip::new(
            "--plan-mode has no effect on this command",
            "it is an option of `tfview show`"
        )
    );
    Ok(settings)
}

/// The settings, rules and files that a command reads before it reads plans.
struct Setup<'h> {
    /// The settings.
    settings: Settings,
    /// The built-in rules and those of the project.
    rules: Rules,
    /// The configuration of the project, if there is one.
    config: Option<Config>,
    /// The documents of `--schemas`.
    schema_files: Vec<Document>,
    /// The input and output of the program.
    host: &'h Host,
}

impl<'h> Setup<'h> {
    /// Resolves the settings, and reads the configuration of the project and the schemas.
    fn read(display: &DisplayArgs, config: &ConfigArgs, host: &'h Host) -> anyhow::Result<Self> {
        let settings = settings(display, host)?;
        let mut rules = Rules::built_in();
        let config = Config::read(config, &mut rules, host)?;
        let schema_files = schemas::read(&settings.schemas, host)?;
        Ok(Self {
            settings,
            rules,
            config,
            schema_files,
            host,
        })
    }

    /// Finds the units: those of `--unit`, those of the arguments, and those in reports.
    fn find(
        &self,
        files: &[PathBuf],
        named: &[NamedFile],
        reports: &[PathBuf],
    ) -> anyhow::Result<Units> {
        units::find(files, named, reports, SearchFor::Plans, self.host)
    }

    fn reader(&self) -> Reader<'_> {
        Reader {
            schema_files: &self.schema_files,
            settings: &self.settings,
            host: self.host,
        }
    }

    /// Returns the options on what is read of plans, with the rules and acceptances of the project.
    fn read_options(&self) -> ReadOptions<'_> {
        let accepted = self.config.as_ref().map(|config| &*config.accepted);
        ReadOptions {
            rules: Some(&self.rules),
            show_sensitive: self.settings.show_sensitive,
            accepted: accepted.unwrap_or_default(),
            ..ReadOptions::default()
        }
    }
}

/// Checks that no file of `--out` would overwrite an input or another output.
///
/// # Errors
/// If one would.
fn check_outputs<F>(files: &[OutFile<F>], inputs: &[&Path]) -> anyhow::Result<()> {
    check_overwrites(&out_paths(files), inputs, inputs.contains(&Path::new("-")))
}

/// The units whose plans are not read, with the reasons.
#[derive(Debug)]
struct Absent {
    /// The units.
    units: Vec<AbsentUnit>,
    /// Whether there are several units, so that one that cannot be read is named instead of failing the command.
    are_several: bool,
}

impl Absent {
    /// Returns what was read of a unit; `None` if it cannot be read and is absent. If it is the only unit, its error is
    /// that of the command.
    fn keep<T>(&mut self, name: &str, read: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) if self.are_several => {
                self.units.push(units::unreadable(name, &error));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Reads the documents of all units, in parallel. If there are several, a unit that cannot be read is absent.
fn read(found: Units, reader: Reader<'_>) -> anyhow::Result<(Vec<(Unit, Document)>, Absent)> {
    let are_several = found.are_several();
    let mut absent = Absent {
        units: found.absent,
        are_several,
    };
    let read = units::each(&found.units, reader.host, |unit| {
        reader.read(unit.source.clone())
    });
    let mut documents = Vec::with_capacity(read.len());
    for (unit, document) in found.units.into_iter().zip(read) {
        let document = absent.keep(&unit.title(), document)?;
        documents.extend(document.map(|document| (unit, document)));
    }
    Ok((documents, absent))
}

/// Parses the plans of all units, in parallel. A document may have several plans, each of which becomes an input of its
/// own.
fn parse<'d>(
    documents: &'d [(Unit, Document)],
    absent: &mut Absent,
    reader: Reader<'_>,
) -> anyhow::Result<Vec<Input<'d>>> {
    let documents: Vec<&'d (Unit, Document)> = documents.iter().collect();
    let parsed = units::each(&documents, reader.host, |(unit, document)| {
        Input::all(document, unit.name.as_deref(), reader, PlanDocument::parse)
    });
    let mut inputs = Vec::with_capacity(documents.len());
    for ((unit, _), parsed) in documents.iter().zip(parsed) {
        inputs.extend(absent.keep(&unit.title(), parsed)?.into_iter().flatten());
    }
    absent.are_several |= inputs.len() > 1;
    Ok(inputs)
}

/// A parsed plan.
struct Input<'d> {
    /// The name of its file, for messages.
    name: String,
    /// The name of its unit.
    unit: Option<String>,
    /// The plan.
    document: PlanDocument<'d>,
    /// The stored schemas for the plan.
    stored_schemas: StoredSchemas,
    /// The tool that made the document, if its form says so.
    tool: Option<Tool>,
    /// The configuration in a saved plan, if it can be read.
    snapshot: Option<&'d Snapshot>,
}

impl<'d> Input<'d> {
    /// Parses all plans of a document.
    fn all(
        document: &'d Document,
        unit: Option<&str>,
        reader: Reader<'_>,
        parse: impl Fn(&'d str) -> Result<PlanDocument<'d>, json::Error>,
    ) -> anyhow::Result<Vec<Self>> {
        let text = document.text();
        match parse(text) {
            Ok(plan) => return Ok(vec![Self::new(document, unit, plan, reader)?]),
            // There is only one document, unless other text follows it.
            Err(error) if error.kind == ErrorKind::TrailingData => {}
            Err(error) => return Err(document.fault(&error)),
        }
        let parts = document.split(reader.host)?;
        let count = parts.len();
        let read = |(index, part): (usize, Range<usize>)| {
            let text = document.part(&part);
            require_plan(document, text, reader.host)?;
            let plan = parse(text).map_err(|error| {
                let error = document.fault_in(part, &error);
                if count > 1 {
                    error.context(format!("plan {} of {count}", index + 1))
                } else {
                    error
                }
            })?;
            let mut input = Self::new(document, unit, plan, reader)?;
            if count > 1 {
                for name in [&mut input.name].into_iter().chain(&mut input.unit) {
                    name.push_str(&format!(":{}", index + 1));
                }
            }
            Ok(input)
        };
        parts.into_iter().enumerate().map(read).collect()
    }

    /// Parses the plan of a document that must have exactly one.
    fn only(document: &'d Document, reader: Reader<'_>) -> anyhow::Result<Self> {
        // A comparison reads the configuration only where it differs, but the inference of shapes reads it for each
        // type.
        let parse = if reader.schema_files.is_empty() {
            PlanDocument::parse
        } else {
            PlanDocument::parse_lazily
        };
        let [only] =
            <[Self; 1]>::try_from(Self::all(document, None, reader, parse)?).map_err(|all| {
                ErrorWithTip::new(
                    format!(
                        "cannot read {}: it has {} plans, but one is expected",
                        document.source(),
                        all.len()
                    ),
                    "write each plan to its own file",
                )
            })?;
        Ok(only)
    }

    /// Checks that a parsed document is a plan that this version can read, and finds its stored schemas.
    fn new(
        file: &'d Document,
        unit: Option<&str>,
        document: PlanDocument<'d>,
        Reader { settings, host, .. }: Reader<'_>,
    ) -> anyhow::Result<Self> {
        refuse_unsupported(&document.plan.format_version, file)?;
        require_plan(file, document.text, host)?;
        Ok(Self {
            name: file.source().to_string(),
            unit: unit.map(str::to_owned),
            stored_schemas: StoredSchemas::for_plan(&document.plan, settings, host),
            document,
            tool: file.tool,
            snapshot: file.configuration.as_ref(),
        })
    }
}

/// Returns the outcome of a command. A violated gate counts more than a failure, and that more than changes.
fn outcome(violated: &[String], has_failed: bool, has_changes: bool) -> Outcome {
    if !violated.is_empty() {
        Outcome::Gate
    } else if has_failed {
        Outcome::Failed
    } else if has_changes {
        Outcome::Changes
    } else {
        Outcome::Fine
    }
}

/// Makes the annotations about units that cannot be read.
fn annotations(system: CiSystem, absent: &[AbsentUnit]) -> Annotations {
    let mut annotations = Annotations::new(system);
    for unit in absent.iter().filter(|unit| unit.absence.is_failure()) {
        annotations.add(ci::error(&unit.name, &unit.sentence()));
    }
    annotations
}

/// The style of text on standard output.
#[derive(Clone, Copy, Default)]
struct Printed {
    colour: bool,
    log: Option<CiLog>,
    /// Whether text has links. The terminal must support more than the basic styles; `less` passes links on.
    links: bool,
}

/// The outputs that are requested.
struct Requested<'a, F> {
    /// The format of standard output.
    format: F,
    /// The files of `--out`.
    files: &'a [OutFile<F>],
    /// Whether text goes to a pager.
    pager: When,
}

/// Writes the files of `--out`, then the requested format to standard output or, if it is text, to a pager. `write`
/// receives a format and, only for standard output, how it is styled.
fn deliver<F: Copy + Default + PartialEq>(
    requested: &Requested<'_, F>,
    annotations: Option<Annotations>,
    Reader { settings, host, .. }: Reader<'_>,
    failures: &mut WriteFailures,
    write: impl Fn(F, Option<Printed>, &mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let Requested {
        format,
        files,
        pager,
    } = *requested;
    failures.write_files(files, |format| {
        let mut text = Vec::new();
        write(format, None, &mut text)?;
        Ok(text)
    });
    if let Some(annotations) = annotations {
        failures.keep(ci::annotate(&annotations, &mut io::stderr()));
    }
    let is_text = format == F::default();
    let pager = if is_text {
        Pager::resolve(pager, &host.environment, host.terminal)
    } else {
        None
    };
    let (colour, log) = (settings.colour, ci::log(settings.ci, host));
    let is_terminal = host.terminal.stdout && !host.environment.dumb_terminal;
    let links =
        is_terminal && colour && log.is_none() && pager.as_ref().is_none_or(Pager::is_default);
    with_output(pager.as_ref(), host, failures, |sink| {
        // The JSON may be many times as long as the plan, so it is written as it is made.
        let mut sink = io::BufWriter::new(sink);
        write(format, Some(Printed { colour, log, links }), &mut sink)?;
        Ok(sink.flush()?)
    })
    .context("writing to standard output")?;
    Ok(())
}
