//! Runs `tfview review`.
//!
//! Invariant: every format comes from one reading of the plans.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use bumpalo::Bump;

use super::diff::{self, Since};
use super::identity::identity;
use super::reviews::{self, Request, places};
use super::{Input, Printed, Requested, Setup, annotations, check_outputs, deliver, outcome};
use crate::cli::args::ReviewArgs;
use crate::cli::config::Config;
use crate::cli::input::{self, Source};
use crate::cli::messages::ErrorWithTip;
use crate::cli::output::WriteFailures;
use crate::cli::reader::Reader;
use crate::cli::settings::Settings;
use crate::cli::show::{require_addresses, selectors};
use crate::cli::source::{SourceTree, configuration_files};
use crate::cli::units::Units;
use crate::cli::values::{ALL_CONTEXT, DriftChoice, FormatChoice, GateWord};
use crate::cli::{Host, Outcome, ci};
use crate::document::ReviewArena;
use crate::model::address::AddressSelector;
use crate::model::plan::{Plan, ResourceChange};
use crate::render::PlanTexts;
use crate::report::{Budget, PageOptions, markdown_title};
use crate::review::allow::Allow;
use crate::review::build::{PlanContext, ReadOptions};
use crate::review::entry::RuleOrigin;
use crate::review::formats::{self, GateResult};
use crate::review::identifiers::{GivenNames, parse_names};
use crate::review::plan::PlanReview;
use crate::review::{AbsentUnit, Filter, Options, Verdict};
use crate::term::CiSystem;
use crate::term::ci::Annotations;
use crate::text::count;

/// The size that GitHub allows for the summary of a step.
const STEP_SUMMARY: Budget = Budget {
    bytes: 1_000_000,
    details: true,
};

/// The width to which values are shortened in Markdown, in columns.
const MARKDOWN_WIDTH: usize = 100;

/// Reviews the plans of the arguments, decides the gates, and writes every format.
pub(in crate::cli) fn run(args: &ReviewArgs, host: &Host) -> anyhow::Result<Outcome> {
    let setup = Setup::read(&args.display, &args.config, host)?;
    let reader = setup.reader();
    let (settings, config) = (&setup.settings, setup.config.as_ref());
    let options = options(args, settings, config, host);
    let units = setup.find(&args.files, &args.units, &args.report)?;
    check_inputs(args, settings, config, &units)?;
    let (documents, mut absent) = super::read(units, reader)?;
    let are_several = absent.are_several;
    require_text_for_size(args)?;
    let with_files = read_results(&args.with, host)?;
    let names = match &args.names {
        Some(path) => Some(read_names(path, host)?),
        None => None,
    };
    let inputs = super::parse(&documents, &mut absent, reader)?;
    for input in &inputs {
        note_configuration(input, host);
    }
    let plans: Vec<&Plan<'_>> = inputs.iter().map(|input| &input.document.plan).collect();
    require_addresses(&options.filter.addresses, &plans)?;
    note_unchanged(&options.filter.addresses, &plans, host);
    let since = match &args.since {
        Some(approved) => Some(compare_since(
            approved,
            &inputs,
            absent.are_several,
            reader,
        )?),
        None => None,
    };
    for input in &inputs {
        input.stored_schemas.note(host);
    }
    let with_arena = Bump::new();
    let context = context(args, &inputs, &with_files, &with_arena, host)?;
    let mut formats = vec![args.format];
    formats.extend(args.out.iter().map(|out| out.format));
    let request = Request {
        read: ReadOptions {
            keep_whole: options.unchanged,
            keep_variables: args.variables,
            filter: Some(&options.filter),
            names: names.as_ref(),
            ..setup.read_options()
        },
        reader,
        makes_page: formats.contains(&FormatChoice::Html),
        makes_fingerprint: args.fingerprint
            || formats.iter().any(|format| has_fingerprint(*format)),
        shows_unchanged: !args.address.is_empty(),
        places_from_plan: args.source.is_none(),
    };
    let mut review_arenas: Vec<ReviewArena> =
        inputs.iter().map(|_| ReviewArena::default()).collect();
    let (reviews, texts) =
        reviews::review(&inputs, context, &mut review_arenas, &request, &mut absent)?;
    let options = Options {
        absent: sorted(absent.units),
        ..options.clone()
    };
    let (gates, violated) = decide_gates(args, config, &reviews, &options.absent);
    let decided = decide_outcome(args, &reviews, &options.absent, are_several, &violated);
    let writer = Writer {
        reviews: &reviews,
        texts: &texts,
        page: PageOptions {
            title: args.title.clone(),
            shows_sensitive: settings.show_sensitive,
            since: since
                .as_ref()
                .map(|since| since.text(false, None))
                .transpose()?,
        },
        options: &options,
        gates: &gates,
        budget: args
            .max_bytes
            .or(config.and_then(|config| config.text.budget))
            .unwrap_or_default(),
        bytes_of_text: args.max_bytes.map(|budget| budget.bytes),
        only_findings: args.selection.only_findings,
        since: since.as_ref(),
    };
    let mut failures = WriteFailures::default();
    failures.keep(ci::add_summary(settings.ci, host, || {
        writer.markdown(STEP_SUMMARY)
    }));
    let annotations = settings
        .ci
        .map(|system| all_annotations(system, &reviews, &options.absent, &violated));
    let requested = Requested {
        format: args.format,
        files: &args.out,
        pager: args.pager,
    };
    deliver(
        &requested,
        annotations,
        reader,
        &mut failures,
        |format, printed, sink| writer.write(format, printed, sink),
    )?;
    if let Some(config) = config
        && !names_configuration(args.format)
    {
        host.note(&format!("the configuration {} was read", config.name));
    }
    for why in &violated {
        host.error(why);
    }
    Ok(failures.conclude(decided, host))
}

/// Checks that `--max-bytes` limits something: JSON is never cut, because a program that reads it would miss the rest.
///
/// # Errors
/// If JSON is printed, and no text is written.
fn require_text_for_size(args: &ReviewArgs) -> anyhow::Result<()> {
    let is_limited =
        |format: FormatChoice| matches!(format, FormatChoice::Terminal | FormatChoice::Markdown);
    ensure!(
        args.max_bytes.is_none()
            || args.format != FormatChoice::Json
            || args.out.iter().any(|out| is_limited(out.format)),
        ErrorWithTip::new(
            "--max-bytes: JSON is not cut to a size, only texts are",
            "--only-findings leaves out what has no findings"
        )
    );
    Ok(())
}

/// Collects what is known about each plan besides its document: the places of its resources, and the results of other
/// tools.
fn context<'a>(
    args: &ReviewArgs,
    inputs: &[Input<'_>],
    with_files: &'a [(String, String)],
    arena: &'a Bump,
    host: &Host,
) -> anyhow::Result<Vec<PlanContext<'a>>> {
    let mut tree = match (&args.source, inputs) {
        (Some(directory), _) => Some(SourceTree::open(directory, host)?),
        (None, [only]) => only
            .snapshot
            .map(|snapshot| SourceTree::of_saved_plan(snapshot, host)),
        (None, _) => None,
    };
    let results = reviews::tied(with_files, inputs, tree.as_mut(), arena)?;
    let mut tree = tree.filter(|_| args.source.is_some());
    let context = inputs
        .iter()
        .zip(results)
        .map(|(input, results)| PlanContext {
            places: tree.as_mut().map(|tree| places(&input.document.plan, tree)),
            results,
            ..PlanContext::default()
        });
    Ok(context.collect())
}

/// Reads the results of other tools. Each has the name of its file.
fn read_results(paths: &[PathBuf], host: &Host) -> anyhow::Result<Vec<(String, String)>> {
    let mut results = Vec::new();
    for path in paths {
        results.push(input::read_text(&Source::new(Some(path), host)?, host)?);
    }
    Ok(results)
}

/// Compares the plan with the approved one.
///
/// # Errors
/// If there are several plans, or they cannot be compared.
fn compare_since(
    approved: &Path,
    inputs: &[Input<'_>],
    are_several: bool,
    reader: Reader<'_>,
) -> anyhow::Result<Since> {
    match inputs {
        [now] if !are_several => diff::since(approved, now, reader),
        _ => bail!(ErrorWithTip::new(
            "--since compares one plan with the approved one",
            "`tfview diff` compares two folders of plans"
        )),
    }
}

/// Sorts units without a plan by why it is absent, then by name.
fn sorted(mut absent: Vec<AbsentUnit>) -> Vec<AbsentUnit> {
    absent.sort_by(|a, b| (a.absence, &a.name).cmp(&(b.absence, &b.name)));
    absent
}

/// Decides how the command ends, from the violated gates, the plans and what is absent.
fn decide_outcome(
    args: &ReviewArgs,
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    are_several: bool,
    violated: &[String],
) -> Outcome {
    let whole = Verdict::total(reviews);
    // Failed planning does not make the command fail if the plan is the only one, but does if it is one of several.
    let has_failed =
        are_several && (whole.errored || absent.iter().any(|unit| unit.absence.is_failure()));
    let has_changes = whole.has_changes() || reviews.iter().any(PlanReview::has_unlisted_changes);
    outcome(violated, has_failed, args.detailed_exitcode && has_changes)
}

/// Whether a format says which configuration of the project was read.
fn names_configuration(format: FormatChoice) -> bool {
    match format {
        FormatChoice::Terminal
        | FormatChoice::Markdown
        | FormatChoice::Html
        | FormatChoice::TextSummary => true,
        FormatChoice::Json | FormatChoice::GitlabReport | FormatChoice::Sarif => false,
    }
}

/// Whether a format contains the fingerprint of the plan.
fn has_fingerprint(format: FormatChoice) -> bool {
    match format {
        FormatChoice::Markdown | FormatChoice::Html | FormatChoice::Json => true,
        FormatChoice::Terminal
        | FormatChoice::GitlabReport
        | FormatChoice::Sarif
        | FormatChoice::TextSummary => false,
    }
}

/// Makes the annotations of all plans: absent units, failed checks, lines with findings, and violated gates.
fn all_annotations(
    system: CiSystem,
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    violated: &[String],
) -> Annotations {
    let mut all = annotations(system, absent);
    for review in reviews {
        ci::add_plan(&mut all, review.title(), review.errored, &review.checks);
    }
    ci::add_places(&mut all, reviews);
    for why in violated {
        all.add(ci::error("tfview review", why));
    }
    all
}

fn read_names(path: &Path, host: &Host) -> anyhow::Result<GivenNames> {
    let (name, text) = input::read_text(&Source::new(Some(path), host)?, host)?;
    parse_names(&text).with_context(|| format!("cannot read {name} for --names"))
}

/// Checks that no file of `--out` would overwrite a file that the review reads: a plan (even if it is left out because
/// of another one), a report, a result, schemas, a configuration file, or a file of `--source`.
///
/// # Errors
/// If one would.
fn check_inputs(
    args: &ReviewArgs,
    settings: &Settings,
    config: Option<&Config>,
    units: &Units,
) -> anyhow::Result<()> {
    if args.out.is_empty() {
        return Ok(());
    }
    let source = args.source.as_deref().map(configuration_files);
    let source = source.unwrap_or_default();
    let others = args
        .since
        .iter()
        .chain(&settings.schemas)
        .chain(&args.with)
        .chain(&args.names)
        .chain(&args.report)
        .chain(config.map(|config| &config.path))
        .chain(&source)
        .map(PathBuf::as_path);
    let read: Vec<&Path> = units.paths().chain(others).collect();
    check_outputs(&args.out, &read)
}

/// Makes the options of the review from the arguments and the configuration of the project.
fn options(
    args: &ReviewArgs,
    settings: &Settings,
    config: Option<&Config>,
    host: &Host,
) -> Options {
    let shows_all = !args.address.is_empty();
    let text = config.map(|config| config.text).unwrap_or_default();
    // The configuration file cannot shorten what `--address` shows in full.
    let configured = if shows_all {
        Some(ALL_CONTEXT)
    } else {
        text.context
    };
    let context = args.context.or(configured);
    let ignore = config.map_or(&[][..], |config| &config.ignore);
    let drift = args.drift.or(text.drift).unwrap_or_default();
    Options {
        filter: Filter {
            addresses: selectors(&args.address),
            ignored: args.ignore_attr.iter().chain(ignore).cloned().collect(),
            ..args.selection.filter()
        },
        width: settings.width,
        wraps: settings.wraps,
        depth: args.depth,
        context,
        unchanged: context == Some(ALL_CONTEXT),
        list: args.list,
        tree: args.tree || text.tree,
        all_drift: drift == DriftChoice::All || shows_all,
        config: config.map(|config| config.name.clone()),
        fingerprint: args.fingerprint,
        source_url: args.source_url.clone(),
        run_url: args.run_url.clone(),
        identity: identity(args),
        now: Some(host.now()),
        ..Options::default()
    }
}

/// Decides the gates of the arguments and of the configuration. Returns the results for the JSON, and the messages
/// about violated gates.
///
/// The results for the JSON do not include gates of a configuration file that was found.
fn decide_gates(
    args: &ReviewArgs,
    config: Option<&Config>,
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
) -> (Vec<GateResult>, Vec<String>) {
    let given = |gate: &GateWord| format!("--fail-on {}", gate.word);
    let mut gates: Vec<(&GateWord, RuleOrigin, String)> = args
        .fail_on
        .iter()
        .map(|gate| (gate, RuleOrigin::Given, given(gate)))
        .collect();
    if let Some(Config {
        name,
        origin,
        gates: added,
        ..
    }) = config
    {
        for gate in added {
            if gates.iter().all(|(known, ..)| known.gate != gate.gate) {
                gates.push((gate, *origin, format!("fail-on {} of {name}", gate.word)));
            }
        }
    }
    let missing = absent.iter().filter(|unit| unit.absence.is_failure());
    let missing: Vec<String> = missing
        .map(|unit| format!("{} ({})", unit.name, unit.absence.words()))
        .collect();
    let in_unit = |review: &PlanReview<'_>, hit: String| match &review.unit {
        Some(unit) if *unit != hit && !hit.starts_with(&format!("{unit} (")) => {
            format!("{unit}: {hit}")
        }
        Some(_) | None => hit,
    };
    let (mut results, mut messages) = (Vec::new(), Vec::new());
    for (GateWord { word, gate }, origin, requested_by) in gates {
        let hits = |review| {
            gate.hits(review)
                .into_iter()
                .map(move |hit| in_unit(review, hit))
        };
        let mut by: Vec<String> = reviews.iter().flat_map(hits).collect();
        // A missing plan may have what the gate is about.
        let message = if by.is_empty() && !missing.is_empty() {
            let units = count(missing.len(), "unit");
            format!(
                "{requested_by}: not known of {units}: {}",
                missing.join(", ")
            )
        } else {
            gate.message(&requested_by, &by)
        };
        by.extend_from_slice(&missing);
        if !by.is_empty() {
            messages.push(message);
        }
        if origin != RuleOrigin::Found {
            results.push(GateResult {
                name: word.clone(),
                violated: !by.is_empty(),
                by,
            });
        }
    }
    let allowed = args.allow.iter().map(|allow| {
        let option = format!("--allow {}", allow.text());
        (allow, RuleOrigin::Given, option)
    });
    let of_project = config.iter().flat_map(|config| {
        let option = |allow: &Allow| format!("allow {} of {}", allow.text(), config.name);
        let allow = config.allow.iter();
        allow.map(move |allow| (allow, config.origin, option(allow)))
    });
    for (allow, origin, requested_by) in allowed.chain(of_project) {
        let mut by = Vec::new();
        for review in reviews {
            let result = allow.check(review);
            if !result.is_allowed() {
                messages.push(format!(
                    "{requested_by}: {}",
                    in_unit(review, result.message())
                ));
            }
            let mut known = HashSet::new();
            let names = result.not_allowed.into_iter().map(|part| part.name);
            let names = names.filter(|name| known.insert(name.clone()));
            by.extend(names.map(|name| in_unit(review, name)));
        }
        if !missing.is_empty() {
            let units = count(missing.len(), "unit");
            messages.push(format!(
                "{requested_by}: not known of {units}: {}",
                missing.join(", ")
            ));
        }
        by.extend_from_slice(&missing);
        if origin != RuleOrigin::Found {
            results.push(GateResult {
                name: format!("allow:{}", allow.text()),
                violated: !by.is_empty(),
                by,
            });
        }
    }
    (results, messages)
}

/// Notes that the configuration in a saved plan cannot be read.
pub(super) fn note_configuration(Input { name, document, .. }: &Input<'_>, host: &Host) {
    let problem = document
        .plan
        .saved_plan
        .as_ref()
        .map(|saved| &*saved.configuration_problem);
    if let Some(problem) = problem.filter(|problem| !problem.is_empty()) {
        host.note(&format!(
            "the configuration in {name} cannot be read, so causes and lines are missing: {problem}"
        ));
    }
}

/// The data that every format is made from.
struct Writer<'w, 'a> {
    /// The reviews.
    reviews: &'w [PlanReview<'a>],
    /// The tool's texts, which a page has.
    texts: &'w [PlanTexts],
    /// The options of a page.
    page: PageOptions,
    /// The options.
    options: &'w Options,
    /// The gates, and whether they hold.
    gates: &'w [GateResult],
    /// The maximum size of Markdown.
    budget: Budget,
    /// The maximum size of the text, in bytes; `None` for no limit.
    bytes_of_text: Option<usize>,
    /// Whether JSON on standard output leaves out what has no findings.
    only_findings: bool,
    /// The comparison with the approved plan, if one is requested.
    since: Option<&'w Since>,
}

impl Writer<'_, '_> {
    /// Writes one format. `printed` is how text on standard output is styled; `None` for a file.
    fn write(
        &self,
        format: FormatChoice,
        printed: Option<Printed>,
        sink: &mut dyn Write,
    ) -> io::Result<()> {
        let Self {
            reviews,
            texts,
            options,
            gates,
            bytes_of_text,
            only_findings,
            since,
            ..
        } = *self;
        match format {
            FormatChoice::Terminal => {
                let Printed { colour, log, links } = printed.unwrap_or_default();
                let first = since
                    .map(|since| since.text(colour, log))
                    .transpose()?
                    .unwrap_or_default();
                sink.write_all(first.as_bytes())?;
                let bytes = bytes_of_text.map(|bytes| bytes.saturating_sub(first.len()));
                let options = Options {
                    links,
                    ..options.clone()
                };
                formats::terminal(reviews, &options, colour, log, bytes, sink).map(drop)
            }
            FormatChoice::Markdown => sink.write_all(self.markdown(self.budget).as_bytes()),
            FormatChoice::Html => {
                formats::html(reviews, texts, options, &self.page, sink).map(drop)
            }
            FormatChoice::Json if printed.is_some() && only_findings => {
                formats::extract(reviews, &options.absent, gates, sink)
            }
            FormatChoice::Json => {
                let since = since.map(|since| &*since.json);
                formats::json(reviews, &options.absent, gates, since, sink)
            }
            FormatChoice::GitlabReport => {
                sink.write_all(formats::gitlab_report(reviews).as_bytes())
            }
            FormatChoice::Sarif => formats::sarif(reviews, &options.absent, sink),
            FormatChoice::TextSummary => {
                let text = formats::text_summary(reviews, &options.absent, options);
                sink.write_all(text.as_bytes())
            }
        }
    }

    /// Returns Markdown within a size, with the comparison before the review.
    fn markdown(&self, budget: Budget) -> String {
        // If the review is shortened in favor of the comparison, its text says so.
        let since = |since: &Since| {
            since.markdown(Budget {
                bytes: budget.bytes / 2,
                ..budget
            })
        };
        let title = self.page.title.as_deref().map(markdown_title);
        let options = Options {
            width: MARKDOWN_WIDTH,
            preface: title.unwrap_or_default() + &self.since.map(since).unwrap_or_default(),
            ..self.options.clone()
        };
        formats::markdown(self.reviews, &options, budget).0
    }
}

/// Notes which of the selected addresses do not change.
fn note_unchanged(selectors: &[AddressSelector], plans: &[&Plan<'_>], host: &Host) {
    for selector in selectors {
        let is_selected = |change: &&ResourceChange<'_>| selector.matches_change(change);
        let is_changed = plans.iter().any(|plan| {
            let planned = plan
                .resource_changes
                .iter()
                .filter(|change| !change.has_no_effect());
            planned
                .chain(&plan.resource_drift)
                .chain(plan.deferred_resource_changes())
                .any(|change| is_selected(&change))
                || plan
                    .actions()
                    .any(|action| selector.matches(&action.address))
        });
        if !is_changed {
            let text = &*selector.text;
            host.note(&format!(
                "{text} does not change; `tfview show --address` prints its values"
            ));
        }
    }
}
