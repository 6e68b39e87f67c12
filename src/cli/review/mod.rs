//! `tfview review`: the verdict on one or several plans, in the requested formats.
//!
//! Invariants: all plans have been read, the gates are decided and the files of `--out` are written before
//! the first byte is written to standard output; every format comes from one reading.

pub(super) mod args;
mod request;
mod units;
mod with;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, bail};
use bumpalo::Bump;

use super::choices::FormatChoice;
use super::config::Config;
use super::diff::{self, Since};
use super::input::{Reader, Source};
use super::output::{WriteFailures, check_overwrites, with_output};
use super::settings::{Pager, Settings};
use super::show::require_addresses;
use super::source::{SourceOwners, SourceTree};
use super::values::out_paths;
use super::{Host, Outcome, advice, ci, schemas};
use crate::dialect::Tool;
use crate::model::address::AddressSelector;
use crate::model::plan::{Plan, ResourceChange};
use crate::render::PlanTexts;
use crate::report::{Budget, PageOptions};
use crate::review::AbsentUnit;
use crate::review::entry::{PlanReview, RuleOrigin};
use crate::review::findings::Rules;
use crate::review::formats::{self, Extract, GateResult};
use crate::review::plan::ReadOptions;
use crate::review::{Options, Verdict};
use crate::term::CiSystem;
use crate::term::ci::{Annotations, CiLog};
use args::ReviewArgs;
use units::{Input, Room};

/// The size limit of GitHub for the summary of a step.
const STEP_SUMMARY: Budget = Budget { bytes: 1_000_000, details: true, alerts: true };

/// The width for values in Markdown, in columns.
const MARKDOWN_WIDTH: usize = 100;

/// Runs the subcommand.
pub(super) fn run(args: &ReviewArgs, host: &Host) -> anyhow::Result<Outcome> {
    let settings = Settings::resolve(&args.display, &host.environment, host.terminal);
    if settings.plan_mode.is_some() {
        bail!("--plan-mode changes nothing in a review\n  tip: it is an option of `tfview show`");
    }
    let config = Config::read(&args.config, host)?;
    let gates = request::gates(&args.fail_on, config.as_ref());
    let budget = request::budget(args, config.as_ref());
    let options = Options { now: Some(host.now()), ..request::options(args, &settings, config.as_ref()) };
    let schema_files = schemas::read(&settings.schemas, host)?;
    let reader = Reader { schema_files: &schema_files, settings: &settings, host };
    let (units, mut absent) = units::read(args, reader)?;
    let are_several = absent.are_several;
    keep_inputs(args, units.iter().map(|(_, document)| document.source()))?;
    let with_files = with::read(&args.with, host)?;
    let inputs = units::parse(&units, &settings, &mut absent, host)?;
    inputs.iter().for_each(|input| note_configuration(&input.name, &input.plan, host));
    let plans: Vec<&Plan<'_>> = inputs.iter().map(|input| &input.plan).collect();
    require_addresses(&options.filter.addresses, &plans)?;
    note_unchanged(&options.filter.addresses, &inputs, host);
    let since = match (&args.since, &*inputs, absent.are_several) {
        (None, _, _) => None,
        (Some(approved), [now], false) => {
            Some(diff::since(approved, (&now.name, now.text), &schema_files, &settings, host)?)
        }
        (Some(_), _, _) => {
            bail!(
                "--since compares one plan with the approved one\n  tip: `tfview diff` compares two folders of plans"
            )
        }
    };
    units::note_cached(&inputs, host);
    let makes_page =
        args.format == FormatChoice::Html || args.out.iter().any(|out| out.format == FormatChoice::Html);
    let mut rules = Rules::built_in();
    if let Some(config) = &config {
        config.add_rules(&mut rules)?;
    }
    let read = ReadOptions {
        rules: Some(&rules),
        show_sensitive: settings.show_sensitive,
        keep_whole: options.unchanged,
        keep_variables: args.variables,
        unit: None,
    };
    let mut tree = match (&args.source, &*inputs) {
        (Some(directory), _) => Some(SourceTree::open(directory, host)?),
        (None, [only]) => only.snapshot.map(|snapshot| SourceTree::of_saved_plan(snapshot, host)),
        (None, _) => None,
    };
    let with_arena = Bump::new();
    let tied = with::tie(with::results(&with_files, &with_arena)?, &inputs, tree.as_mut(), &with_arena);
    let request = units::Request {
        read,
        schema_files: &schema_files,
        settings: &settings,
        makes_page,
        shows_unchanged: !args.address.is_empty(),
    };
    let mut rooms: Vec<Room> = inputs.iter().map(|_| Room::default()).collect();
    let (mut reviews, texts, reviewed) = units::review(&inputs, &mut rooms, &request, &mut absent)?;
    with::give(tied, &mut reviews);
    let absent = absent.sorted();
    let options = Options { absent, ..options };
    reviews.iter_mut().for_each(|review| options.filter.apply(review));
    if let (Some(tree), Some(_)) = (&mut tree, &args.source) {
        let mut owners = SourceOwners::find(tree);
        reviews.iter_mut().for_each(|review| add_places(review, tree, owners.as_mut()));
    } else {
        for (review, at) in reviews.iter_mut().zip(&reviewed) {
            if let Some(snapshot) = inputs.get(*at).and_then(|input| input.snapshot) {
                add_places(review, &mut SourceTree::of_saved_plan(snapshot, host), None);
            }
        }
    }
    let whole = Verdict::total(&reviews);
    let results: Vec<(GateResult, String)> =
        gates.iter().map(|gate| gate.result(&reviews, &options.absent)).collect();
    let shut: Vec<String> =
        results.iter().filter(|(result, _)| result.violated).map(|(_, message)| message.clone()).collect();
    // The JSON does not depend on a found configuration file.
    let results = results.into_iter().zip(&gates).filter(|(_, gate)| gate.origin != RuleOrigin::Found);
    let results: Vec<GateResult> = results.map(|((result, _), _)| result).collect();
    // Planning that failed is readable input if it is the only one, and not if it is one of several.
    let has_failed =
        are_several && (whole.errored || options.absent.iter().any(|unit| unit.absence.is_failure()));
    let decided = if !shut.is_empty() {
        Outcome::Gate
    } else if has_failed {
        Outcome::Failed
    } else if args.detailed_exitcode && (whole.has_changes() || reviews.iter().any(PlanReview::says_more)) {
        Outcome::Changes
    } else {
        Outcome::Fine
    };
    let writer = Writer {
        reviews: &reviews,
        texts: &texts,
        page: PageOptions {
            title: args.title.clone(),
            shows_sensitive: settings.show_sensitive,
            since: since.as_ref().map(|since| String::from_utf8_lossy(&since.plain).into_owned()),
        },
        options: &options,
        gates: &results,
        budget,
        extract: Extract {
            max_bytes: args.max_bytes.map(|budget| budget.bytes),
            only_findings: args.only_findings,
        },
        since: since.as_ref(),
    };
    let mut failures = WriteFailures::default();
    failures.write_files(&args.out, |format| {
        let mut text = Vec::new();
        writer.write(format, None, &mut text)?;
        Ok(text)
    });
    let summary = || writer.markdown(STEP_SUMMARY);
    failures.keep(ci::add_summary(settings.ci, host, summary));
    if let Some(system) = settings.ci {
        failures
            .keep(ci::annotate(&annotations(system, &reviews, &options.absent, &shut), &mut io::stderr()));
    }
    writer.print(args, &settings, host, &mut failures)?;
    if let (Some(config), FormatChoice::Json | FormatChoice::GitlabReport | FormatChoice::Sarif) =
        (&config, args.format)
    {
        host.note(&format!("the configuration {} was read", config.name));
    }
    note_inferred(&reviews, host);
    shut.iter().for_each(|why| host.error(why));
    Ok(failures.conclude(decided, host))
}

/// Adds the lines of the configuration to the entries.
fn add_places(review: &mut PlanReview<'_>, tree: &mut SourceTree<'_>, mut owners: Option<&mut SourceOwners>) {
    let PlanReview { resources, drift, deferred, .. } = review;
    for entry in resources.iter_mut().chain(drift).chain(deferred) {
        entry.source = tree.place(entry);
        if let (Some(owners), Some(place)) = (&mut owners, &entry.source) {
            entry.owners = owners.of(place);
        }
    }
}

/// Writes a note if the configuration in a saved plan cannot be read.
fn note_configuration(name: &str, plan: &Plan<'_>, host: &Host) {
    let problem = plan.saved_plan.as_ref().map(|saved| &*saved.configuration_problem);
    if let Some(problem) = problem.filter(|problem| !problem.is_empty()) {
        host.note(&format!(
            "the configuration in {name} cannot be read, so causes and lines are missing: {problem}"
        ));
    }
}

/// Rejects files of `--out` that are also read, or written twice.
fn keep_inputs<'s>(args: &ReviewArgs, sources: impl Iterator<Item = &'s Source>) -> anyhow::Result<()> {
    let sources: Vec<&Source> = sources.collect();
    let read = sources.iter().filter_map(|source| source.path());
    let inputs: Vec<&Path> = read
        .chain(args.since.as_deref())
        .chain(args.display.schemas.iter().chain(&args.with).map(|path| &**path))
        .collect();
    let reads_stdin = sources.iter().any(|source| source.path().is_none());
    check_overwrites(&out_paths(&args.out), &inputs, reads_stdin)
}

/// Writes the reviews in the requested formats.
struct Writer<'w, 'a> {
    reviews: &'w [PlanReview<'a>],
    /// The texts of all changes, for a page.
    texts: &'w [PlanTexts],
    page: PageOptions,
    options: &'w Options,
    gates: &'w [GateResult],
    budget: Budget,
    /// What texts and JSON on standard output keep.
    extract: Extract,
    /// The comparison with the approved plan.
    since: Option<&'w Since>,
}

impl Writer<'_, '_> {
    /// Writes a format to a file; to standard output with what `printed` says of it: the options, colours and the log.
    fn write(
        &self,
        format: FormatChoice,
        printed: Option<(&Options, bool, Option<CiLog>)>,
        sink: &mut dyn Write,
    ) -> io::Result<()> {
        let Self { reviews, texts, options, gates, extract, since, .. } = *self;
        match format {
            FormatChoice::Terminal => {
                // The comparison with the approved plan comes first.
                let styled = since.map_or(&[][..], |since| &since.styled);
                let plain = since.map_or(&[][..], |since| &since.plain);
                sink.write_all(if printed.is_some() { styled } else { plain })?;
                let bytes = extract.max_bytes.map(|bytes| bytes.saturating_sub(styled.len()));
                let (options, colour, log) = printed.unwrap_or((options, false, None));
                formats::terminal(reviews, options, colour, log, bytes, sink).map(drop)
            }
            FormatChoice::Markdown => sink.write_all(self.markdown(self.budget).as_bytes()),
            FormatChoice::Html => formats::html(reviews, texts, options, &self.page, sink).map(drop),
            FormatChoice::Json if printed.is_some() && extract.is_asked() => {
                formats::extract(reviews, &options.absent, gates, extract, sink)
            }
            FormatChoice::Json => {
                let since = since.map(|since| &*since.json);
                formats::json(reviews, &options.absent, gates, since, sink)
            }
            FormatChoice::GitlabReport => sink.write_all(formats::gitlab_report(reviews).as_bytes()),
            FormatChoice::Sarif => formats::sarif(reviews, &options.absent, sink),
        }
    }

    fn markdown(&self, budget: Budget) -> String {
        // The comparison comes first. If the review is shortened for it, its text says so.
        let since = |since: &Since| since.markdown(Budget { bytes: budget.bytes / 2, ..budget });
        let since = self.since.map(since).unwrap_or_default();
        let budget = Budget { bytes: budget.bytes.saturating_sub(since.len()), ..budget };
        // It is not shown in this terminal, so that its width does not matter.
        let options = Options { width: MARKDOWN_WIDTH, ..self.options.clone() };
        since + &formats::markdown(self.reviews, &options, budget).0
    }

    fn print(
        &self,
        args: &ReviewArgs,
        settings: &Settings,
        host: &Host,
        failures: &mut WriteFailures,
    ) -> anyhow::Result<()> {
        let is_text = args.format == FormatChoice::Terminal;
        let pager = if is_text { Pager::resolve(args.pager, &host.environment, host.terminal) } else { None };
        with_output(pager.as_ref(), host, failures, |sink| {
            let links = links(settings, pager.as_ref(), host);
            let options = Options { links, ..self.options.clone() };
            // JSON may be many times as long as the plan.
            let mut sink = BufWriter::new(sink);
            let printed = (&options, settings.colour, ci::log(settings.ci, host));
            self.write(args.format, Some(printed), &mut sink)?;
            Ok(sink.flush()?)
        })
        .context("writing the review")?;
        Ok(())
    }
}

/// Whether to write links: the terminal must support styles, and more than the basic ones. `less` passes
/// links on.
fn links(settings: &Settings, pager: Option<&Pager>, host: &Host) -> bool {
    let is_terminal = host.terminal.stdout && !host.environment.dumb_terminal;
    is_terminal && settings.colour && settings.ci.is_none() && pager.is_none_or(Pager::is_default)
}

fn annotations(
    system: CiSystem,
    reviews: &[PlanReview<'_>],
    absent: &[AbsentUnit],
    shut: &[String],
) -> Annotations {
    let mut all = Annotations::new(system);
    for unit in absent.iter().filter(|unit| unit.absence.is_failure()) {
        all.add(ci::error(&unit.name, &unit.sentence()));
    }
    for review in reviews {
        ci::add_plan(&mut all, review.title(), review.errored, &review.checks);
    }
    ci::add_places(&mut all, reviews);
    shut.iter().for_each(|why| all.add(ci::error("tfview review", why)));
    all
}

/// Writes the note about types without a schema, once for all plans.
fn note_inferred(reviews: &[PlanReview<'_>], host: &Host) {
    let types = crate::sort::set(reviews.iter().flat_map(|review| &review.inferred));
    let types: Vec<String> = types.into_iter().cloned().collect();
    let tool = reviews
        .iter()
        .find_map(|review| review.tool)
        .map_or_else(|| advice::tool_in_path(host), Tool::command);
    if !types.is_empty() {
        host.note(&schemas::missing(&types, tool));
    }
}

/// Writes a note about the selected addresses without a change that a review could show.
fn note_unchanged(selectors: &[AddressSelector], inputs: &[Input<'_>], host: &Host) {
    for selector in selectors {
        let is_selected = |change: &&ResourceChange<'_>| selector.matches_change(change);
        let is_changed = inputs.iter().any(|Input { plan, .. }| {
            let deferred = plan.deferred_changes.iter().map(|deferred| &deferred.resource_change);
            let planned = plan.resource_changes.iter().filter(|change| !change.is_silent());
            planned.chain(&plan.resource_drift).chain(deferred).any(|change| is_selected(&change))
                || plan.actions().any(|action| selector.matches(&action.address))
        });
        if !is_changed {
            let text = &*selector.text;
            host.note(&format!("{text} does not change; `tfview show --address` prints its values"));
        }
    }
}
