//! The HTML page of a run: its outcome, failures, changes that never started, the review of its plan, and the
//! timeline.
//!
//! Each operation is a table row with a bar for its time. The page is complete without script and style,
//! and the same messages give the same bytes.

use std::io::{self, Write};

use crate::page::{self, Attribute, Fragment, Html, Id, Length, Page, RunPart, class};
use crate::stream::Ending;
use crate::term::Untrusted;
use crate::text::stream::{Operation, duration, planned, reason};
use crate::text::{count, one_line};

use super::timeline::{Fate, PlannedRow, Problem, Row, Task, Timeline};

/// The content of a page of a run.
#[derive(Debug)]
pub struct RunPage<'p> {
    /// The timeline; `None` if the display of the run failed.
    pub timeline: Option<&'p Timeline>,
    /// The runs, if there are several.
    pub runs: &'p [Ending],
    /// The review of the plan of the run.
    pub review: Option<&'p Fragment>,
    /// Notes about the page itself.
    pub notes: &'p [String],
    /// Whether the page may contain sensitive values, which it then states.
    pub shows_sensitive: bool,
}

/// Writes the page of a run.
///
/// # Errors
/// If writing to `sink` fails.
pub fn page(run: &RunPage<'_>, sink: &mut dyn Write) -> io::Result<()> {
    if !run.runs.is_empty() {
        return pages(run, sink);
    }
    let no_timeline = Timeline::failed(NO_TIMELINE);
    let writer = RunPageWriter { run, timeline: run.timeline.unwrap_or(&no_timeline), is_one: true };
    let title = match &*writer.timeline.tool {
        "" => "A run".to_owned(),
        tool => format!("A run of {tool}"),
    };
    let header = |html: &mut Html| {
        banners(run.notes.iter().chain(&writer.timeline.other_plan), html);
        verdict(writer.timeline.failed, "", writer.timeline, html);
    };
    page::write(run.page(&title), sink, header, |html, sink| writer.content(html, sink), |_| {})
}

/// The headline of a run whose display failed.
const NO_TIMELINE: &str = "tfview failed while it showed this run, and does not know how it went.";

/// Writes one page of several runs, failed ones first.
fn pages(run: &RunPage<'_>, sink: &mut dyn Write) -> io::Result<()> {
    let failed = run.runs.iter().filter(|one| one.failed).count();
    let title = match failed {
        0 => format!("{}, all succeeded", count(run.runs.len(), "run")),
        failed => format!("{}, {failed} failed", count(run.runs.len(), "run")),
    };
    let (first, rest): (Vec<&Ending>, Vec<&Ending>) = run.runs.iter().partition(|one| one.failed);
    let content = |html: &mut Html, sink: &mut dyn Write| {
        for one in first.into_iter().chain(rest) {
            let no_timeline = Timeline::failed(NO_TIMELINE);
            let timeline = one.timeline.as_ref().unwrap_or(&no_timeline);
            let writer = RunPageWriter { run, timeline, is_one: false };
            let name = if one.name.is_empty() { "(no unit)" } else { &*one.name };
            verdict(one.failed, &format!("{}: ", one_line(name)), timeline, html);
            writer.content(html, sink)?;
        }
        Ok(())
    };
    page::write(run.page(&title), sink, |html| banners(run.notes.iter(), html), content, |_| {})
}

impl RunPage<'_> {
    fn page<'t>(&self, title: &'t str) -> Page<'t> {
        Page { title, skip: "Skip to the content", shows_sensitive: self.shows_sensitive }
    }
}

fn banners<'n>(notes: impl Iterator<Item = &'n String>, html: &mut Html) {
    notes.for_each(|note| html.paragraph("banner", note));
}

/// Writes the outcome, in a band of its colour.
fn verdict(failed: bool, name: &str, timeline: &Timeline, html: &mut Html) {
    let has_warnings = timeline.problems.iter().any(|problem| !problem.is_error);
    let band = match (failed, has_warnings) {
        (true, _) => "band critical",
        (false, true) => "band slight",
        (false, false) => "band calm",
    };
    html.element("div", &[Attribute::Class(band)], |html| {
        html.element("h2", &[Attribute::Class("verdict")], |html| {
            let sign = if failed { "✗" } else { "✓" };
            html.data(Untrusted(&format!("{sign} {name}{}", timeline.headline)));
        });
        if let Some(began) = timeline.began() {
            let length = time(timeline.length());
            html.paragraph(class::MUTED, &format!("Started {began}, took {length}."));
        }
    });
}

struct RunPageWriter<'v> {
    run: &'v RunPage<'v>,
    timeline: &'v Timeline,
    /// Whether the page has no other run, so that its parts have IDs.
    is_one: bool,
}

impl RunPageWriter<'_> {
    fn content(&self, html: &mut Html, sink: &mut dyn Write) -> io::Result<()> {
        let (changes, reads): (Vec<&Row>, Vec<&Row>) =
            self.timeline.operations.iter().partition(|row| row.task.is_change() || row.fate == Fate::Failed);
        let failed: Vec<&Row> =
            self.timeline.operations.iter().filter(|row| row.fate == Fate::Failed).collect();
        let (errors, warnings): (Vec<&Problem>, Vec<&Problem>) =
            self.timeline.problems.iter().partition(|problem| problem.is_error);
        let planned = if self.timeline.failed || !self.timeline.is_applying {
            self.timeline.not_started()
        } else {
            // A change that succeeds in fewer steps than announced is complete.
            Vec::new()
        };
        let failures = failed.len().max(errors.len());
        let planned_title = if self.timeline.is_applying { "Never started" } else { "Planned" };
        let sections = [
            (RunPart::Failures, "What failed", failures),
            (RunPart::NotStarted, planned_title, planned.len() + self.unnamed(&planned)),
            (RunPart::Review, "Review of the plan", usize::from(self.run.review.is_some())),
            (RunPart::Timeline, "Timeline", changes.len()),
            (RunPart::Reads, "Reads", reads.len()),
            (RunPart::Warnings, "Warnings", warnings.len()),
        ];
        if self.is_one {
            index(&sections, html);
        }
        for (part, title, number) in sections {
            if number == 0 {
                continue;
            }
            let id = [Attribute::Id(Id::Run(part))];
            let (id, heading) = if self.is_one { (&id[..], "h2") } else { (&[][..], "h3") };
            html.element("section", id, |html| {
                html.element(heading, &[], |html| html.text(title));
                match part {
                    RunPart::Failures => self.failures(&failed, &errors, html),
                    RunPart::NotStarted => self.planned(&planned, html),
                    RunPart::Review => {
                        if let Some(review) = self.run.review {
                            html.place(review);
                        }
                    }
                    RunPart::Timeline => {
                        self.table(&changes, html);
                        self.cut_operations(html);
                    }
                    RunPart::Reads => html.element("details", &[], |html| {
                        html.element("summary", &[], |html| {
                            html.data(Untrusted(&count(reads.len(), "operation")));
                            html.text(" that changed nothing: data sources, refreshes, ephemeral resources");
                        });
                        self.table(&reads, html);
                    }),
                    RunPart::Warnings => {
                        warnings.iter().for_each(|problem| text(problem, html));
                        cut(self.timeline.left_out.warnings, "more warning", html);
                    }
                }
            });
            html.write_out(sink)?;
        }
        if changes.is_empty() {
            self.cut_operations(html);
        }
        Ok(())
    }

    /// The number of planned changes that are only counted, if any are listed.
    fn unnamed(&self, listed: &[&PlannedRow]) -> usize {
        if self.timeline.failed || !listed.is_empty() { self.timeline.unnamed() } else { 0 }
    }

    /// Writes each failed operation with its diagnostics, then the other errors.
    fn failures(&self, failed: &[&Row], errors: &[&Problem], html: &mut Html) {
        let mut others = errors.to_vec();
        for row in failed {
            html.element("h3", &[], |html| html.code(&row.address));
            html.element("p", &[], |html| {
                html.strong(class::ALERT, &format!("✗ {} failed", name(&row.task)));
                if let Some(length) = row.length {
                    html.data(Untrusted(&format!(" after {}", time(length))));
                }
            });
            let (own, rest): (Vec<&Problem>, Vec<&Problem>) =
                others.into_iter().partition(|error| error.address == row.address);
            own.iter().for_each(|error| text(error, html));
            others = rest;
        }
        if !others.is_empty() && !failed.is_empty() {
            html.element("h3", &[], |html| html.text("Other errors"));
        }
        others.iter().for_each(|error| text(error, html));
        cut(self.timeline.left_out.errors, "more error", html);
    }

    fn planned(&self, rows: &[&PlannedRow], html: &mut Html) {
        html.list("findings", rows, |html, row| {
            html.code(&row.address);
            html.text(" ");
            match planned(&row.action) {
                Some(words) => html.text(words),
                // An unknown action is shown as written.
                None => html.data(Untrusted(&format!("planned: {}", row.action))),
            }
            if !row.reason.is_empty() {
                html.data(Untrusted(&format!(" ({})", reason(&row.reason))));
            }
            if self.timeline.is_applying && row.is_partly_started() {
                html.text("; only a part of it started");
            }
        });
        cut(self.unnamed(rows), "more change", html);
    }

    fn table(&self, rows: &[&Row], html: &mut Html) {
        let span = Span::new(rows, self.timeline.length());
        let number = [Attribute::Fixed("scope", "col"), Attribute::Class("number")];
        html.element("table", &[Attribute::Class("timeline")], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for head in ["Result", "Operation", "Resource or test"] {
                        html.element("th", &[Attribute::Fixed("scope", "col")], |html| html.text(head));
                    }
                    for head in ["Start", "Duration"] {
                        html.element("th", &number, |html| html.text(head));
                    }
                    html.element("th", &[Attribute::Fixed("scope", "col")], |html| {
                        html.data(Untrusted(&span.words()));
                    });
                });
            });
            html.element("tbody", &[], |html| {
                for row in rows {
                    table_row(row, span, html);
                }
            });
        });
    }

    fn cut_operations(&self, html: &mut Html) {
        cut(self.timeline.left_out.operations, "more operation", html);
    }
}

fn table_row(row: &Row, span: Span, html: &mut Html) {
    let (class, result) = match row.fate {
        Fate::Done => (None, "✓ done"),
        Fate::Failed => (Some("failed"), "✗ failed"),
        Fate::Unfinished => (Some("unfinished"), "… not finished"),
        Fate::Skipped => (Some("unfinished"), "– skipped"),
    };
    let attributes: Vec<Attribute<'_>> = class.into_iter().map(Attribute::Class).collect();
    let number = [Attribute::Class("number")];
    html.element("tr", &attributes, |html| {
        html.element("td", &[], |html| html.text(result));
        html.element("td", &[], |html| html.data(Untrusted(&name(&row.task))));
        html.element("td", &[], |html| html.code(&row.address));
        for value in [row.start, row.length] {
            html.element("td", &number, |html| match value {
                Some(value) => html.data(Untrusted(&time(value))),
                None => html.text("–"),
            });
        }
        html.element("td", &[Attribute::Class("bar")], |html| bar(row, span, html));
    });
}

/// The height of a bar.
const HEIGHT: Length = Length::Pixels(12);
/// The full width of the drawing, and the minimum visible width.
const FULL_WIDTH: u64 = 10_000;
const MIN_WIDTH: u64 = 40;

/// The time span of the bars in a table, in milliseconds since the first message.
#[derive(Clone, Copy)]
struct Span {
    start: u64,
    end: u64,
}

impl Span {
    /// The span from the start of the first operation to the end of the last one. `whole` is the duration of
    /// the run.
    fn new(rows: &[&Row], whole: u64) -> Self {
        let start = rows.iter().filter_map(|row| row.start).min().unwrap_or_default();
        let end = |row: &&Row| {
            row.start.map(|start| row.length.map_or(whole, |length| start.saturating_add(length)))
        };
        Self { start, end: rows.iter().filter_map(end).max().unwrap_or(whole).max(start.saturating_add(1)) }
    }

    fn words(self) -> String {
        let (start, end) = (time(self.start), time(self.end));
        // Rounded to a tenth of a second, both may be equal.
        if start == end {
            format!("{} from {start}", time(self.end - self.start))
        } else {
            format!("{start} to {end}")
        }
    }

    /// The position of a point in time, in units of [`FULL_WIDTH`].
    fn share(self, moment: u64) -> u64 {
        let since = moment.clamp(self.start, self.end) - self.start;
        (u128::from(since) * u128::from(FULL_WIDTH) / u128::from(self.end - self.start)) as u64
    }
}

fn bar(row: &Row, span: Span, html: &mut Html) {
    let Some(start) = row.start else { return };
    let end = row.length.map_or(span.end, |length| start.saturating_add(length));
    let x = span.share(start).min(FULL_WIDTH - MIN_WIDTH);
    let width = (span.share(end) - x.min(span.share(end))).clamp(MIN_WIDTH, FULL_WIDTH - x);
    let part = |share: u64| Length::Share(u32::try_from(share).unwrap_or_default());
    let class = match (&row.task, row.fate) {
        (_, Fate::Failed) => class::ALERT,
        (Task::Operation(Operation::Create), _) => class::ADDED,
        (Task::Operation(Operation::Delete | Operation::Forget), _) => class::REMOVED,
        (Task::Operation(Operation::Update | Operation::Replace), _) => class::CHANGED,
        (
            Task::Operation(
                Operation::Read | Operation::Open | Operation::Renew | Operation::Close | Operation::Refresh,
            )
            | Task::Provisioner(_)
            | Task::Action
            | Task::Test,
            _,
        ) => class::MUTED,
    };
    let drawing = [
        // Without styles, these attributes alone determine the size.
        Attribute::Length("width", Length::Pixels(240)),
        Attribute::Length("height", HEIGHT),
        Attribute::Fixed("aria-hidden", "true"),
    ];
    html.element("svg", &drawing, |html| {
        let attributes = [
            Attribute::Class(class),
            Attribute::Length("x", part(x)),
            Attribute::Length("width", part(width)),
            Attribute::Length("height", HEIGHT),
        ];
        html.element("rect", &attributes, |_| {});
    });
}

fn index(sections: &[(RunPart, &'static str, usize)], html: &mut Html) {
    let shown = sections.iter().filter(|(.., number)| *number > 0);
    let links: Vec<(Id, String, String)> = shown
        .map(|(part, title, number)| {
            let number = if *part == RunPart::Review { String::new() } else { number.to_string() };
            (Id::Run(*part), (*title).to_owned(), number)
        })
        .collect();
    if links.len() > 1 {
        html.index("Parts of the run", &links);
    }
}

/// Writes the text of an error or warning.
fn text(problem: &Problem, html: &mut Html) {
    html.element("pre", &[], |html| html.data(Untrusted(problem.text.trim_matches('\n'))));
    if problem.cut > 0 {
        let cut = count(problem.cut, "byte");
        html.paragraph("cut", &format!("… {cut} of this text are not on the page."));
    }
}

/// Writes the number of entries that are left out.
fn cut(number: usize, noun: &str, html: &mut Html) {
    if number > 0 {
        let number = count(number, noun);
        html.paragraph(
            "cut",
            &format!("… {number}, not listed to keep the page small; the output of the run has all of them."),
        );
    }
}

fn name(task: &Task) -> String {
    match task {
        Task::Operation(operation) => operation.noun().to_owned(),
        Task::Provisioner(name) => format!("Provisioner {name}"),
        Task::Action => "Action".to_owned(),
        Task::Test => "Test".to_owned(),
    }
}

/// A duration such as `40ms`, `12.0s` or `1m10s`.
fn time(millis: u64) -> String {
    if millis < 1_000 {
        format!("{millis}ms")
    } else if millis < 60_000 {
        format!("{}.{}s", millis / 1000, millis / 100 % 10)
    } else {
        duration(millis / 1000)
    }
}
