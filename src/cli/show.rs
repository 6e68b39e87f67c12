//! Runs `tfview show`.
//!
//! Invariant: the whole document is read and checked, and the exit code is decided, before the first byte is written.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;
use walkdir::{DirEntry, WalkDir};

use super::args::ShowArgs;
use super::discovery::expanded;
use super::input::{Document, Source};
use super::kind::{self, DocumentKind};
use super::messages::{ErrorWithTip, first_names, with_tip};
use super::output::{WriteFailures, with_output};
use super::reader::Reader;
use super::refusal::{refusal, refuse_unsupported, require_plan};
use super::schemas::{self, StoredSchemas};
use super::settings::{Pager, Settings};
use super::{Host, Outcome, ci};
use crate::dialect::{Dialect, Tool};
use crate::document::may_change;
use crate::json;
use crate::model::address::AddressSelector;
use crate::model::plan::Plan;
use crate::model::selection::similar_address;
use crate::model::state::StateDocument;
use crate::schema::Schemas;
use crate::show::{self, Options, ShowReport};
use crate::term::ci::CiLog;
use crate::term::{Out, Role, Untrusted};

/// Shows each document of the arguments as the tool does.
pub(super) fn run(args: &ShowArgs, host: &Host) -> anyhow::Result<Outcome> {
    ensure!(
        !args.json,
        ErrorWithTip::new(
            "`tfview show` prints text",
            "`terraform show -json` (or `tofu show -json`) writes the document, and `tfview review --format json` a \
             review of it"
        )
    );
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    let sources = sources(&args.files, host)?;
    let files = schemas::read(&settings.schemas, host)?;
    let reader = Reader {
        schema_files: &files,
        settings: &settings,
        host,
    };
    let documents: Vec<Document> = sources
        .into_iter()
        .map(|source| reader.read(source))
        .collect::<anyhow::Result<_>>()?;
    let plan_of_states = args
        .plan
        .as_ref()
        .map(|file| reader.read(Source::File(file.clone())))
        .transpose();
    let plan_of_states = plan_of_states.context("cannot read the plan of --plan")?;
    if let Some(plan_of_states) = &plan_of_states {
        require_plan(plan_of_states, plan_of_states.text(), host)?;
    }
    let view = View {
        args,
        plan_of_states,
        selectors: selectors(&args.address),
        files: &files,
        settings: &settings,
        pager: Pager::resolve(args.pager, &host.environment, host.terminal),
        log: ci::log(settings.requested_ci, host),
        host,
    };
    let mut outcome = Outcome::Fine;
    for document in &documents {
        let heading = (documents.len() > 1).then(|| document.source().to_string());
        let shown = view.show(document, heading.as_deref())?;
        if outcome == Outcome::Fine || !matches!(shown, Outcome::Fine | Outcome::Changes) {
            outcome = shown;
        }
    }
    Ok(outcome)
}

/// The ends of the names of documents in a folder.
const ENDINGS: [&str; 3] = [".json", ".json.gz", ".tfplan"];

/// Returns the inputs: standard input, files, and the documents in folders.
fn sources(files: &[PathBuf], host: &Host) -> anyhow::Result<Vec<Source>> {
    if files.is_empty() {
        return Ok(vec![Source::new(None, host)?]);
    }
    let mut sources = Vec::new();
    for file in files {
        for path in expanded(file)? {
            if path.is_dir() {
                sources.extend(in_folder(&path)?.into_iter().map(Source::File));
            } else {
                sources.push(Source::new(Some(&path), host)?);
            }
        }
    }
    Ok(sources)
}

/// Returns the files in a folder whose names end like those of documents, sorted.
///
/// # Errors
/// If there is none.
fn in_folder(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let walk = WalkDir::new(folder).min_depth(1).max_depth(1);
    let entries: Vec<DirEntry> = walk
        .into_iter()
        .collect::<Result<_, _>>()
        .with_context(|| format!("looking for plans in {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(DirEntry::into_path).collect();
    paths.retain(|path| {
        ENDINGS
            .iter()
            .any(|ending| path.to_string_lossy().ends_with(ending))
            && path.is_file()
    });
    paths.sort();
    ensure!(
        !paths.is_empty(),
        "{}: no file in it ends in {}",
        folder.display(),
        ENDINGS.join(", ")
    );
    Ok(paths)
}

/// The view of documents: the arguments and what follows from them.
struct View<'v> {
    /// The arguments.
    args: &'v ShowArgs,
    /// The plan of the same configuration as the states, if one is given.
    plan_of_states: Option<Document>,
    /// The selected addresses; empty if everything is shown.
    selectors: Vec<AddressSelector>,
    /// The files with schemas.
    files: &'v [Document],
    /// The settings.
    settings: &'v Settings,
    /// The pager.
    pager: Option<Pager>,
    /// The log of a CI system, if the text goes to one.
    log: Option<CiLog>,
    /// The input and output of the program.
    host: &'v Host,
}

impl View<'_> {
    /// Shows a document, which must be a plan or a state.
    fn show(&self, document: &Document, heading: Option<&str>) -> anyhow::Result<Outcome> {
        let kind = kind::detect(document.text()).map_err(|error| document.fault(&error))?;
        let is_plan = kind == DocumentKind::Plan;
        if !is_plan && kind != DocumentKind::State {
            return Err(refusal(document, kind).into());
        }
        schemas::add(&mut Schemas::new(), self.files)?;
        if is_plan {
            self.plan(document, heading)
        } else {
            self.state(document, heading)
        }
    }

    /// Shows a plan. Notes deferred actions and missing schemas.
    fn plan(&self, document: &Document, heading: Option<&str>) -> anyhow::Result<Outcome> {
        let Self {
            selectors,
            files,
            settings,
            host,
            ..
        } = self;
        ensure!(
            self.plan_of_states.is_none(),
            "{} is a plan: --plan is used with a state",
            document.source()
        );
        let plan = read_only(document, host, |text| {
            // Without schemas, shapes are inferred from values and from the configuration.
            if files.is_empty() {
                Plan::parse_with_configuration(text)
            } else {
                Plan::parse(text)
            }
        })?;
        refuse_unsupported(&plan.format_version, document)?;
        require_addresses(selectors, &[&plan])?;
        note_deferred_actions(selectors, &plan, host);
        let stored_schemas = StoredSchemas::for_plan(&plan, settings, host);
        let name = document.source().to_string();
        let schemas =
            schemas::available_schemas(files, plan.provider_schemas, Some(&stored_schemas), &name)?;
        let options = plan_options(&plan, settings, || {
            document.tool.or_else(|| schemas::tool(files))
        });
        let has_changes = self.args.detailed_exitcode && has_changes(&plan, &options, document)?;
        let mut failures = WriteFailures::default();
        if let Some(log) = self.log {
            let annotations = ci::plan_annotations(log.system, &name, &plan);
            failures.keep(ci::annotate(&annotations, &mut io::stderr()));
        }
        let arena = Bump::new();
        self.write(
            document,
            heading,
            &mut failures,
            &stored_schemas,
            options.dialect,
            |out| match &**selectors {
                [] => show::plan(&plan, &schemas, &options, out, &arena),
                some => show::selected(&plan, some, &schemas, &options, out, &arena),
            },
        )?;
        Ok(failures.conclude(
            if has_changes {
                Outcome::Changes
            } else {
                Outcome::Fine
            },
            host,
        ))
    }

    /// Shows a state.
    fn state(&self, document: &Document, heading: Option<&str>) -> anyhow::Result<Outcome> {
        let Self {
            files,
            settings,
            host,
            ..
        } = self;
        ensure!(
            self.selectors.is_empty(),
            "{} is a state: --address selects changes of a plan",
            document.source()
        );
        let state = read_only(document, host, json::from_str::<StateDocument<'_>>)?;
        refuse_unsupported(&state.format_version, document)?;
        let stored_schemas = StoredSchemas::for_state(&state, settings, host);
        let name = document.source().to_string();
        let mut schemas = schemas::available_schemas(
            files,
            state.provider_schemas,
            Some(&stored_schemas),
            &name,
        )?;
        let plan = self
            .plan_of_states
            .as_ref()
            .map(|plan_of_states| read_plan_of_states(plan_of_states, &mut schemas))
            .transpose()?;
        let otherwise = || {
            let plan_of_states = plan.as_ref().and_then(Tool::from_plan);
            plan_of_states
                .or(document.tool)
                .or_else(|| schemas::tool(files))
        };
        let options = options(
            settings,
            show::state_dialect(&state, settings.dialect, otherwise),
        );
        let (arena, mut failures) = (Bump::new(), WriteFailures::default());
        self.write(
            document,
            heading,
            &mut failures,
            &stored_schemas,
            options.dialect,
            |out| show::state(&state, plan.as_ref(), &schemas, &options, out, &arena),
        )?;
        Ok(failures.conclude(Outcome::Fine, host))
    }

    /// Writes the text of a document, below a heading if there are several documents. Notes what the text leaves out.
    fn write(
        &self,
        document: &Document,
        heading: Option<&str>,
        failures: &mut WriteFailures,
        stored_schemas: &StoredSchemas,
        dialect: Dialect,
        text: impl FnOnce(&mut Out<'_>) -> Result<ShowReport, show::Error>,
    ) -> anyhow::Result<()> {
        let shown = with_output(self.pager.as_ref(), self.host, failures, |sink| {
            let mut out = Out::new(sink, self.settings.colour).for_ci(self.log);
            if let Some(name) = heading {
                out.role_data(Role::Strong, Untrusted(&format!("==> {name} <==")))?;
                out.lit("\n")?;
            }
            let shown = text(&mut out).map_err(|error| match error {
                show::Error::Write(error) => anyhow!(error).context("cannot write the text"),
                show::Error::Read(error) => anyhow!("cannot read {}: {error}", document.source()),
            })?;
            out.flush().context("cannot write the text")?;
            Ok(shown)
        })?;
        stored_schemas.note(self.host);
        if let Some(shown) = shown {
            note_shown(&shown, dialect, self.host);
        }
        Ok(())
    }
}

/// Parses the only document of an input. Other text after it is skipped if it is clearly a log.
///
/// # Errors
/// If the document is malformed or of another version, or there are several.
fn read_only<'d, T>(
    document: &'d Document,
    host: &Host,
    parse: impl Fn(&'d str) -> Result<T, json::Error>,
) -> anyhow::Result<T> {
    let version = || refuse_unsupported(kind::format_version(document.text()), document).err();
    match parse(document.text()) {
        Ok(read) => return Ok(read),
        Err(error) if error.kind == json::ErrorKind::TrailingData => {}
        Err(error) => return Err(version().unwrap_or_else(|| document.fault(&error))),
    }
    let parts = document.split(host)?;
    let [part] = &*parts else {
        bail!(ErrorWithTip::new(
            format!(
                "cannot read {}: it holds {} documents",
                document.source(),
                parts.len()
            ),
            "`tfview show` shows one, `tfview review` takes several plans"
        ));
    };
    parse(document.part(part))
        .map_err(|error| version().unwrap_or_else(|| document.fault_in(part.clone(), &error)))
}

/// Whether a plan has changes, for `--detailed-exitcode`.
fn has_changes(plan: &Plan<'_>, options: &Options, document: &Document) -> anyhow::Result<bool> {
    may_change(plan, options).map_err(|error| anyhow!("cannot read {}: {error}", document.source()))
}

/// Notes which types had no schema, and what was left out or is only approximate.
fn note_shown(shown: &ShowReport, dialect: Dialect, host: &Host) {
    if !shown.inferred.is_empty() {
        host.note(&schemas::missing(&shown.inferred, dialect.command()));
    }
    if !shown.not_in_schema.is_empty() {
        host.note(&not_in_schema(&shown.not_in_schema, dialect));
    }
    if shown.is_approximate {
        host.note(
            "a value has too many changes to be aligned exactly in reasonable time: what is shown of it is correct, \
             but may not be the smallest difference",
        );
    }
}

/// Parses the plan of the same configuration as the states, and adds the schemas in it.
fn read_plan_of_states<'s>(
    document: &'s Document,
    schemas: &mut Schemas<'s>,
) -> anyhow::Result<Plan<'s>> {
    let plan = Plan::parse(document.text()).map_err(|error| document.fault(&error))?;
    refuse_unsupported(&plan.format_version, document)?;
    if let Some(brought) = plan.provider_schemas {
        let added = schemas.add_provider_schemas(brought);
        added.map_err(|error| {
            anyhow!(
                "cannot read the schemas embedded in {}: {error}",
                document.source()
            )
        })?;
    }
    Ok(plan)
}

/// Returns the options for the text of a plan. `otherwise` returns the tool if the plan does not say which one wrote
/// it.
pub(super) fn plan_options(
    plan: &Plan<'_>,
    settings: &Settings,
    otherwise: impl FnOnce() -> Option<Tool>,
) -> Options {
    options(
        settings,
        show::plan_dialect(plan, settings.dialect, otherwise),
    )
}

/// Returns the options for the text of a document in a dialect.
pub(super) fn options(settings: &Settings, dialect: Dialect) -> Options {
    Options {
        dialect,
        plan_mode: settings.plan_mode,
        show_sensitive: settings.show_sensitive,
        width: settings.width,
        automation: settings.automation,
    }
}

/// Returns the note about attributes that the given schema does not have.
fn not_in_schema(names: &[String], dialect: Dialect) -> String {
    let (names, command) = (first_names(names), dialect.command());
    with_tip(
        &format!("{names}: not in the schema given, so left out of the text, as the tool would"),
        &format!(
            "use the schema of the provider version that made the plan: `{command} providers schema -json`"
        ),
    )
}

/// Notes selected actions that are deferred to a later plan, for which the tools print nothing.
fn note_deferred_actions(selectors: &[AddressSelector], plan: &Plan<'_>, host: &Host) {
    for deferred in &plan.deferred_action_invocations {
        let address = &*deferred.action_invocation.address;
        if selectors.iter().any(|selector| selector.matches(address)) {
            host.note(&format!(
                "{address} is deferred to a later plan; `tfview review --address` shows it"
            ));
        }
    }
}

/// Parses the addresses of `--address`.
pub(super) fn selectors(typed: &[String]) -> Vec<AddressSelector> {
    typed
        .iter()
        .map(|text| AddressSelector::new(text))
        .collect()
}

/// Checks that each selected address is in a plan.
///
/// # Errors
/// If one is not; a tip names a similar address.
pub(super) fn require_addresses(
    selectors: &[AddressSelector],
    plans: &[&Plan<'_>],
) -> anyhow::Result<()> {
    for selector in selectors {
        if plans.iter().any(|plan| selector.is_in(plan)) {
            continue;
        }
        let text = &*selector.text;
        let tip = match plans.iter().find_map(|plan| similar_address(text, plan)) {
            Some(similar) => format!(
                "a similar address exists: --address {}",
                quoted_for_shell(&similar)
            ),
            None => "`tfview review --list` prints the addresses of what changes".to_owned(),
        };
        let fault =
            format!("--address {text}: the plan has no module, resource or action of this address");
        return Err(ErrorWithTip::new(fault, tip).into());
    }
    Ok(())
}

/// Returns a word in quotes for a shell, if it needs them. Most instance keys do, because of their own quotes and
/// brackets.
fn quoted_for_shell(word: &str) -> String {
    let is_plain = word
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    if is_plain {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests;
