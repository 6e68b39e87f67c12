//! `tfview show`: reads a document, detects its kind, and shows it.
//!
//! Invariant: the whole document is read and checked, and the exit code is decided, before the first byte is
//! written.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, anyhow, bail, ensure};
use bumpalo::Bump;

use super::args::ShowArgs;
use super::cache::Cached;
use super::host::with_tip;
use super::input::{Document, Reader, Source};
use super::kind::{self, DocumentKind};
use super::output::{WriteFailures, with_output};
use super::refusal::{refusal, refuse_unsupported};
use super::settings::{Pager, Settings};
use super::units::expanded;
use super::{Host, Outcome, address, ci, schemas};
use crate::dialect::{Dialect, Tool};
use crate::json;
use crate::model::address::AddressSelector;
use crate::model::plan::Plan;
use crate::model::state::StateDocument;
use crate::schema::Schemas;
use crate::show::{self, Options, ShowReport};
use crate::term::ci::CiLog;
use crate::term::{Out, Role, Untrusted};

/// Runs the subcommand.
pub(super) fn run(args: &ShowArgs, host: &Host) -> anyhow::Result<Outcome> {
    ensure!(
        !args.json,
        "`tfview show` prints text\n  tip: `terraform show -json` (or `tofu show -json`) writes the document, and \
         `tfview review --format json` a review of it"
    );
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    let sources = sources(&args.files, host)?;
    let files = schemas::read(&settings.schemas, host)?;
    let reader = Reader { schema_files: &files, settings: &settings, host };
    let documents: Vec<Document> =
        sources.into_iter().map(|source| reader.read(source)).collect::<anyhow::Result<_>>()?;
    let beside = args.plan.as_ref().map(|file| read_plan_beside(file, reader)).transpose()?;
    let view = View {
        args,
        beside,
        selectors: address::selectors(&args.address),
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

/// The extensions of files that are read from a directory.
const ENDINGS: [&str; 3] = [".json", ".json.gz", ".tfplan"];

/// The sources to read: the files, or standard input if there are none.
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

/// The plans and states in a directory, sorted.
fn in_folder(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let context = || format!("looking for plans in {}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) && path.is_file() {
            found.push(path);
        }
    }
    crate::sort::by(&mut found, Ord::cmp);
    if found.is_empty() {
        bail!("{}: no file in it ends in {}", folder.display(), ENDINGS.join(", "));
    }
    Ok(found)
}

/// Reads the document of `--plan`, which must be a plan.
fn read_plan_beside(file: &Path, reader: Reader<'_>) -> anyhow::Result<Document> {
    let document = reader.read(Source::File(file.to_owned())).context("cannot read the plan of --plan")?;
    let kind = kind::detect(document.text()).map_err(|error| document.fault(&error))?;
    ensure!(
        kind == DocumentKind::Plan,
        "{} is not a plan\n  tip: --plan takes what `terraform show -json` (or `tofu show -json`) writes of a plan",
        document.source()
    );
    Ok(document)
}

/// How documents are shown.
struct View<'v> {
    args: &'v ShowArgs,
    /// The plan given with a state.
    beside: Option<Document>,
    /// The resources to show; empty for all.
    selectors: Vec<AddressSelector>,
    files: &'v [Document],
    settings: &'v Settings,
    pager: Option<Pager>,
    log: Option<CiLog>,
    host: &'v Host,
}

impl View<'_> {
    fn show(&self, document: &Document, heading: Option<&str>) -> anyhow::Result<Outcome> {
        let kind = kind::detect(document.text()).map_err(|error| document.fault(&error))?;
        let is_plan = kind == DocumentKind::Plan;
        if !is_plan && kind != DocumentKind::State {
            return Err(refusal(document, kind));
        }
        // Errors in schema files are reported before errors in the document.
        schemas::add(&mut Schemas::new(), self.files)?;
        if is_plan { self.plan(document, heading) } else { self.state(document, heading) }
    }

    fn plan(&self, document: &Document, heading: Option<&str>) -> anyhow::Result<Outcome> {
        let Self { selectors, files, settings, host, .. } = self;
        ensure!(self.beside.is_none(), "{} is a plan: --plan is used with a state", document.source());
        let (text, plan) = read_only(document, host, |text| {
            // Without schemas, shapes are inferred, also from the configuration.
            if files.is_empty() { Plan::parse_with_configuration(text) } else { Plan::parse(text) }
        })?;
        refuse_unsupported(&plan.format_version, document)?;
        address::require(selectors, &[&plan])?;
        note_deferred_actions(selectors, &plan, host);
        let cached = Cached::for_plan(&plan, settings, host);
        let schemas = self.schemas(&cached, plan.provider_schemas.map(|_| text), document)?;
        let options = plan_options(&plan, settings, || document.tool.or_else(|| schemas::tool(files)));
        let has_changes = self.args.detailed_exitcode && has_changes(&plan, &options, document)?;
        let mut failures = WriteFailures::default();
        if let Some(log) = self.log {
            let annotations = ci::plan_annotations(log.system, &document.source().to_string(), &plan);
            failures.keep(ci::annotate(&annotations, &mut io::stderr()));
        }
        let arena = Bump::new();
        self.write(document, heading, &mut failures, &cached, options.dialect, |out| match &**selectors {
            [] => show::plan(&plan, &schemas, &options, out, &arena),
            some => show::selected(&plan, some, &schemas, &options, out, &arena),
        })?;
        Ok(failures.conclude(if has_changes { Outcome::Changes } else { Outcome::Fine }, host))
    }

    fn state(&self, document: &Document, heading: Option<&str>) -> anyhow::Result<Outcome> {
        let Self { files, settings, host, .. } = self;
        ensure!(
            self.selectors.is_empty(),
            "{} is a state: --address selects changes of a plan",
            document.source()
        );
        let (text, state) = read_only(document, host, json::from_str::<StateDocument<'_>>)?;
        refuse_unsupported(&state.format_version, document)?;
        let cached = Cached::for_state(&state, settings, host);
        let mut schemas = self.schemas(&cached, state.provider_schemas.map(|_| text), document)?;
        let plan = self.beside.as_ref().map(|beside| read_beside(beside, &mut schemas)).transpose()?;
        let otherwise = || {
            let beside = plan.as_ref().and_then(Tool::from_plan);
            beside.or(document.tool).or_else(|| schemas::tool(files))
        };
        let options = options(settings, show::state_dialect(&state, settings.dialect, otherwise));
        let (arena, mut failures) = (Bump::new(), WriteFailures::default());
        self.write(document, heading, &mut failures, &cached, options.dialect, |out| {
            show::state(&state, plan.as_ref(), &schemas, &options, out, &arena)
        })?;
        Ok(failures.conclude(Outcome::Fine, host))
    }

    /// The given schemas, the stored ones, and those embedded in the document with this text.
    fn schemas<'s>(
        &'s self,
        cached: &'s Cached,
        embedded: Option<&'s str>,
        document: &Document,
    ) -> anyhow::Result<Schemas<'s>> {
        let mut schemas = Schemas::new();
        schemas::add(&mut schemas, self.files)?;
        cached.add_to(&mut schemas);
        if let Some(text) = embedded {
            add_embedded(&mut schemas, text, document)?;
        }
        Ok(schemas)
    }

    /// Writes a document, and the notes about its text.
    fn write(
        &self,
        document: &Document,
        heading: Option<&str>,
        failures: &mut WriteFailures,
        cached: &Cached,
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
        cached.note(self.host);
        if let Some(shown) = shown {
            note_shown(&shown, dialect, self.host);
        }
        Ok(())
    }
}

/// Reads the only document of the input. Other text after it is skipped if it is clearly a log.
fn read_only<'d, T>(
    document: &'d Document,
    host: &Host,
    parse: impl Fn(&'d str) -> Result<T, json::Error>,
) -> anyhow::Result<(&'d str, T)> {
    let text = document.text();
    let version = || refuse_unsupported(kind::format_version(text), document).err();
    match parse(text) {
        Ok(read) => return Ok((text, read)),
        Err(error) if error.kind == json::ErrorKind::TrailingData => {}
        Err(error) => return Err(version().unwrap_or_else(|| document.fault(&error))),
    }
    let parts = document.split(host)?;
    let [part] = &*parts else {
        bail!(
            "cannot read {}: it holds {} documents\n  tip: `tfview show` shows one, `tfview review` takes several plans",
            document.source(),
            parts.len()
        );
    };
    let text = document.part(part);
    let read = parse(text);
    let read = read.map_err(|error| version().unwrap_or_else(|| document.fault_in(part.clone(), &error)))?;
    Ok((text, read))
}

/// Whether the plan has something to apply, for `--detailed-exitcode`; decided before anything is written.
fn has_changes(plan: &Plan<'_>, options: &Options, document: &Document) -> anyhow::Result<bool> {
    // A plan that is not complete does not prove that there are no changes.
    if plan.says_more() {
        return Ok(true);
    }
    show::has_changes(plan, options).map_err(|error| anyhow!("cannot read {}: {error}", document.source()))
}

/// Writes the notes about a completely written text.
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

/// Reads a plan given with a state, and the schemas in it.
fn read_beside<'s>(document: &'s Document, schemas: &mut Schemas<'s>) -> anyhow::Result<Plan<'s>> {
    let plan = Plan::parse(document.text()).map_err(|error| document.fault(&error))?;
    refuse_unsupported(&plan.format_version, document)?;
    if plan.provider_schemas.is_some() {
        add_embedded(schemas, document.text(), document)?;
    }
    Ok(plan)
}

/// Adds the schemas in redacted documents of remote runs.
fn add_embedded<'s>(schemas: &mut Schemas<'s>, text: &'s str, document: &Document) -> anyhow::Result<()> {
    schemas
        .add(text)
        .map_err(|error| anyhow!("cannot read the schemas embedded in {}: {error}", document.source()))
}

/// The settings of the text of a plan. `otherwise` is asked if the plan does not say which tool wrote it.
pub(super) fn plan_options(
    plan: &Plan<'_>,
    settings: &Settings,
    otherwise: impl FnOnce() -> Option<Tool>,
) -> Options {
    options(settings, show::plan_dialect(plan, settings.dialect, otherwise))
}

/// The settings of the text.
pub(super) fn options(settings: &Settings, dialect: Dialect) -> Options {
    Options {
        dialect,
        plan_mode: settings.plan_mode,
        show_sensitive: settings.show_sensitive,
        width: settings.width,
        automation: settings.automation,
    }
}

/// The note about attributes that are not in the given schemas, with a tip.
fn not_in_schema(names: &[String], dialect: Dialect) -> String {
    let (names, command) = (schemas::some_of(names), dialect.command());
    with_tip(
        &format!("{names}: not in the schema given, so left out of the text, as the tool would"),
        &format!(
            "use the schema of the provider version that made the plan: `{command} providers schema -json`"
        ),
    )
}

/// Notes the selected actions that are deferred to a later plan, because the tools print nothing for them.
fn note_deferred_actions(selectors: &[AddressSelector], plan: &Plan<'_>, host: &Host) {
    for deferred in &plan.deferred_action_invocations {
        let address = &*deferred.action_invocation.address;
        if selectors.iter().any(|selector| selector.matches(address)) {
            host.note(&format!("{address} is put off to a later plan; `tfview review --address` shows it"));
        }
    }
}
