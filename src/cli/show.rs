//! `tfview show`: reads a document, finds out what it is, and shows it.
//!
//! Invariant: the whole document has been read, and checked, before the first byte is written.

use std::io;
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use bumpalo::Bump;

use super::args::{PlanModeChoice, ShowArgs};
use super::input::{self, Document, Source};
use super::kind::{self, Kind, Look};
use super::output::with_output;
use super::settings::{Pager, Settings};
use super::stack::with_stack;
use super::{Edge, Outcome, ci, schemas};
use crate::json;
use crate::model::Dialect;
use crate::model::plan::Plan;
use crate::model::state::{Module, StateDocument};
use crate::schema::Schemas;
use crate::show::{self, Options, PlanMode, Shown};
use crate::term::{Out, Role, Untrusted};

/// Runs the subcommand.
pub(super) fn run(args: &ShowArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    with_stack(|| show(args, edge))
}

/// Refuses a document that is no plan.
pub(super) fn require_plan(document: &Document, text: &str) -> anyhow::Result<()> {
    let look = kind::look(text).map_err(|error| document.fault("reading", &error))?;
    if look.kind == Kind::State {
        bail!("{} is a state: `tfview show` shows it, a review is of plans", document.source());
    }
    if look.kind == Kind::Plan { Ok(()) } else { Err(refusal(document, look.kind)) }
}

fn show(args: &ShowArgs, edge: &Edge) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.display, &edge.environment, edge.terminal);
    let sources = input::sources(&args.files, edge)?;
    let several = sources.len() > 1;
    let mut outcome = Outcome::Fine;
    let documents: Vec<Document> =
        sources.into_iter().map(|source| input::read(source, edge)).collect::<anyhow::Result<_>>()?;
    for document in &documents {
        let heading = several.then(|| document.source().to_string());
        if show_one(args, document, heading.as_deref(), &settings, edge)? == Outcome::Changes {
            outcome = Outcome::Changes;
        }
    }
    Ok(outcome)
}

fn show_one(
    args: &ShowArgs,
    document: &Document,
    heading: Option<&str>,
    settings: &Settings,
    edge: &Edge,
) -> anyhow::Result<Outcome> {
    let pager = Pager::resolve(args.pager, &edge.environment, edge.terminal);
    let (shown, dialect) = show_document(document, heading, settings, pager.as_ref(), edge)?;
    if !shown.inferred.is_empty() {
        edge.note(&inferred(&shown.inferred, dialect));
    }
    if !shown.unlisted.is_empty() {
        edge.note(&unlisted(&shown.unlisted, dialect));
    }
    if shown.bounded {
        edge.note(
            "a value has too many changes to be aligned exactly in reasonable time: what is shown of it is correct, \
             but may not be the smallest difference",
        );
    }
    Ok(if args.detailed_exitcode && shown.has_changes { Outcome::Changes } else { Outcome::Fine })
}

fn show_document(
    document: &Document,
    heading: Option<&str>,
    settings: &Settings,
    pager: Option<&Pager>,
    edge: &Edge,
) -> anyhow::Result<(Shown, Dialect)> {
    let look = kind::look(document.text()).map_err(|error| document.fault("reading", &error))?;
    let (doing, is_plan) = match look.kind {
        Kind::Plan => ("reading the plan", true),
        Kind::State => ("reading the state", false),
        Kind::ProviderSchemas
        | Kind::CodeSpecification
        | Kind::Validation
        | Kind::Messages
        | Kind::Outputs
        | Kind::StateFile
        | Kind::Configuration
        | Kind::Version
        | Kind::Functions
        | Kind::Empty
        | Kind::Other => return Err(refusal(document, look.kind)),
    };
    let files = schemas::read(&settings.schemas, edge)?;
    let mut schemas = Schemas::new();
    schemas::add(&mut schemas, &files)?;
    let arena = Bump::new();
    let log = ci::log(settings.asked_ci, edge);
    let fault = |error| check_version(&look, document).err().unwrap_or_else(|| document.fault(doing, &error));
    if is_plan {
        let plan = schemas::plan(document.text(), &files).map_err(fault)?;
        refuse_unsupported(&plan.format_version, document)?;
        if plan.provider_schemas.is_some() {
            add_own(&mut schemas, document)?;
        }
        let options = options(settings, dialect_of_plan(&plan));
        let shown = with_output(pager, edge, |sink| {
            let mut out = Out::new(sink, settings.colour).for_ci(log);
            write_heading(heading, &mut out)?;
            let shown = show::plan(&plan, &schemas, &options, &mut out, &arena);
            finish(shown, &mut out, doing, document)
        })?;
        if let Some(log) = log {
            let annotations = ci::of_plan(log.system, &document.source().to_string(), &plan);
            ci::annotate(&annotations, &mut io::stderr())?;
        }
        return Ok((shown, options.dialect));
    }
    let state: StateDocument<'_> = json::from_str(document.text()).map_err(fault)?;
    refuse_unsupported(&state.format_version, document)?;
    if state.provider_schemas.is_some() {
        add_own(&mut schemas, document)?;
    }
    let options = options(settings, dialect_of_state(&state));
    let shown = with_output(pager, edge, |sink| {
        let mut out = Out::new(sink, settings.colour).for_ci(log);
        write_heading(heading, &mut out)?;
        let shown = show::state(&state, &schemas, &options, &mut out, &arena);
        finish(shown, &mut out, doing, document)
    })?;
    Ok((shown, options.dialect))
}

/// Writes which of several documents comes now.
fn write_heading(heading: Option<&str>, out: &mut Out<'_>) -> anyhow::Result<()> {
    if let Some(name) = heading {
        out.role_data(Role::Strong, Untrusted(&format!("==> {name} <==")))?;
        out.lit("\n")?;
    }
    Ok(())
}

/// Writes what is still buffered, or says what failed.
fn finish(
    shown: Result<Shown, show::Error>,
    out: &mut Out<'_>,
    doing: &str,
    document: &Document,
) -> anyhow::Result<Shown> {
    let shown = shown.map_err(|error| match error {
        show::Error::Write(error) => anyhow!(error).context("writing the text"),
        show::Error::Value(_) | show::Error::Schema(_) => {
            anyhow!("{doing} {}: {error}", document.source())
        }
    })?;
    out.flush().context("writing the text")?;
    Ok(shown)
}

/// Redacted documents of remote runs bring their schemas with them.
fn add_own<'s>(schemas: &mut Schemas<'s>, document: &'s Document) -> anyhow::Result<()> {
    schemas
        .add(document.text())
        .map_err(|error| anyhow!("reading the schemas that {} brings with it: {error}", document.source()))
}

/// What the text depends on; `told` is the dialect that the document tells.
pub(super) fn options(settings: &Settings, told: Option<Dialect>) -> Options {
    Options {
        dialect: settings.dialect.or(told).unwrap_or_default(),
        plan_mode: match settings.plan_mode {
            PlanModeChoice::Auto => None,
            PlanModeChoice::Normal => Some(PlanMode::Normal),
            PlanModeChoice::Destroy => Some(PlanMode::Destroy),
            PlanModeChoice::RefreshOnly => Some(PlanMode::RefreshOnly),
        },
        show_sensitive: settings.show_sensitive,
        width: settings.width,
        automation: settings.automation,
    }
}

/// Whoever made a plan, by the first provider whose registry tells it.
pub(super) fn dialect_of_plan(plan: &Plan<'_>) -> Option<Dialect> {
    let changes = plan.resource_changes.iter().chain(&plan.resource_drift);
    let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
    changes
        .chain(deferred)
        .map(|change| &change.provider_name)
        .chain(plan.action_invocations.iter().map(|action| &action.provider_name))
        .find_map(|provider| Dialect::of_provider(provider))
}

fn dialect_of_state(state: &StateDocument<'_>) -> Option<Dialect> {
    let root = state.values.as_ref().map(|values| &values.root_module).or(state.root_module.as_ref());
    root.and_then(dialect_of_module)
}

fn dialect_of_module(module: &Module<'_>) -> Option<Dialect> {
    let own = module.resources.iter().find_map(|resource| Dialect::of_provider(&resource.provider_name));
    own.or_else(|| module.child_modules.iter().find_map(dialect_of_module))
}

fn check_version(look: &Look, document: &Document) -> anyhow::Result<()> {
    refuse_unsupported(look.format_version.as_deref().unwrap_or_default(), document)
}

pub(super) fn refuse_unsupported(format_version: &str, document: &Document) -> anyhow::Result<()> {
    if kind::is_supported(format_version) {
        return Ok(());
    }
    bail!(
        "reading {}: its format version {format_version} is not supported, {} are: is there a newer tfview?",
        document.source(),
        kind::SUPPORTED
    )
}

/// What to do with a document that is neither plan nor state.
fn refusal(document: &Document, kind: Kind) -> anyhow::Error {
    let source = document.source();
    let file = match source {
        Source::File(path) => path.clone(),
        Source::Stdin => PathBuf::from("-"),
    };
    let file = file.display();
    let (what, advice) = match kind {
        Kind::Messages => ("the messages of a run", format!("`tfview stream {file}` shows them")),
        Kind::Validation => ("the output of `validate -json`", format!("`tfview stream {file}` shows it")),
        Kind::ProviderSchemas => {
            ("the output of `providers schema -json`", format!("give it to a plan: `--schemas {file}`"))
        }
        Kind::CodeSpecification => {
            ("a Provider Code Specification", format!("give it to a plan: `--schemas {file}`"))
        }
        Kind::StateFile => (
            "a state as the tools store it",
            "show the output of `terraform show -json` (or `tofu show -json`) in its folder".to_owned(),
        ),
        Kind::Outputs => {
            ("the output of `output -json`", "show the output of `terraform show -json` for them".to_owned())
        }
        Kind::Configuration => ("a configuration", "only plans and states are shown".to_owned()),
        Kind::Version => ("the output of `version -json`", "only plans and states are shown".to_owned()),
        Kind::Functions => {
            ("the output of `metadata functions -json`", "only plans and states are shown".to_owned())
        }
        Kind::Empty => ("an empty object", "did the command that wrote it fail?".to_owned()),
        Kind::Plan | Kind::State | Kind::Other => (
            "JSON, but neither a plan nor a state",
            "show the output of `terraform show -json` (or `tofu show -json`)".to_owned(),
        ),
    };
    anyhow!("reading {source}: it is {what}: {advice}")
}

/// The first few names, and how many more there are.
fn some_of(names: &[String]) -> String {
    const NAMED: usize = 3;
    let mut text = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > NAMED {
        text.push_str(&format!(" and {} more", names.len() - NAMED));
    }
    text
}

/// What the schema at hand does not know, and how to see it.
fn unlisted(names: &[String], dialect: Dialect) -> String {
    let (names, command) = (some_of(names), dialect.command());
    format!(
        "{names}: not in the schema at hand, nor in what is built in, so left out of the text, as the tool would; \
         take the schema of the provider's version that made the plan: `{command} providers schema -json`"
    )
}

/// What was inferred, and how to have it exact.
fn inferred(types: &[String], dialect: Dialect) -> String {
    let names = some_of(types);
    let command = dialect.command();
    format!(
        "without a schema, the layout of {names} is inferred; for the exact text: `{command} providers schema -json \
         > schemas.json`, then --schemas schemas.json"
    )
}
