//! The HTML page of a run: its verdict, its failures, a timeline of its operations, and its warnings.
//!
//! Invariants: the page is complete without script and style, and the same messages give the same bytes. What is left
//! out to keep it small is counted.
//!
//! ```text
//! a.b: apply_start at 0 s, apply_complete at 3 s
//!
//! a row "a.b  create  3s" with a bar from 0 to 3 on the axis of the run
//! ```

use std::io::{self, Write};

use super::Ending;
use super::timeline::{Problem, Row, Task, TaskOutcome, Timeline};
use crate::page::{self, Attribute, Fragment, Html, Id, Length, Page, RunPart, class};
use crate::stream::state::Planned;
use crate::term::Untrusted;
use crate::text::stream::{Operation, duration, planned, reason};
use crate::text::{count, one_line};

/// The maximum number of operations in the tables.
const MAX_OPERATIONS: usize = 10_000;
/// The maximum number of failed operations in the tables besides the first `MAX_OPERATIONS` operations.
const MAX_FAILED: usize = 1_000;
/// The maximum number of planned changes in the list.
const MAX_PLANNED: usize = 10_000;

/// The content of the page.
#[derive(Debug)]
pub struct RunPage<'p> {
    /// The timeline; `None` if the display of the run failed.
    pub timeline: Option<&'p Timeline>,
    /// The runs, if there were several.
    pub runs: &'p [Ending],
    /// The review of the plan, as HTML.
    pub review: Option<&'p Fragment>,
    /// The notes of the command, which are shown as banners.
    pub notes: &'p [String],
    /// Whether sensitive values were shown, so that the page states that it may contain some.
    pub shows_sensitive: bool,
}

/// Writes the page to `sink`. Of several runs, failed ones come first.
///
/// # Errors
/// Returns the error of the first write that failed.
pub fn page(run: &RunPage<'_>, sink: &mut dyn Write) -> io::Result<()> {
    let no_timeline = Timeline::failed();
    let only = run
        .runs
        .is_empty()
        .then(|| run.timeline.unwrap_or(&no_timeline));
    let (failed, fine): (Vec<&Ending>, Vec<&Ending>) = run.runs.iter().partition(|one| one.failed);
    let title = match (only, failed.len()) {
        (Some(timeline), _) if timeline.tool.is_empty() => "A run".to_owned(),
        (Some(timeline), _) => format!("A run of {}", timeline.tool),
        (None, 0) => format!("{}, all succeeded", count(run.runs.len(), "run")),
        (None, failed) => format!("{}, {failed} failed", count(run.runs.len(), "run")),
    };
    let header = |html: &mut Html| {
        let other_plan = only.and_then(|timeline| timeline.other_plan.as_ref());
        run.notes
            .iter()
            .chain(other_plan)
            .for_each(|note| html.paragraph("banner", note));
        if let Some(timeline) = only {
            verdict(timeline.failed, "", timeline, html);
        }
    };
    let content = |html: &mut Html, sink: &mut dyn Write| {
        if let Some(timeline) = only {
            sections(run, timeline, html, sink)?;
        }
        failed.into_iter().chain(fine).try_for_each(|one| {
            let timeline = one.timeline.as_ref().unwrap_or(&no_timeline);
            let name = if one.name.is_empty() {
                "(no unit)"
            } else {
                &*one.name
            };
            verdict(one.failed, &format!("{}: ", one_line(name)), timeline, html);
            sections(run, timeline, html, sink)
        })
    };
    let page = Page {
        title: &title,
        skip: "Skip to the content",
        shows_sensitive: run.shows_sensitive,
    };
    page::write(page, sink, header, content, |_| {})
}

/// Writes the verdict, the headline, the time when the run began, and its duration.
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

/// Writes the parts of the page about one run. They have IDs and an index only if the page has no other run.
fn sections(
    run: &RunPage<'_>,
    timeline: &Timeline,
    html: &mut Html,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let is_one = run.runs.is_empty();
    let is_failed = |row: &Row| row.outcome == TaskOutcome::Failed;
    let rows = timeline.operations.iter().enumerate();
    let rows = rows
        .filter(|(index, row)| *index < MAX_OPERATIONS || is_failed(row))
        .map(|(_, row)| row);
    let rows: Vec<&Row> = rows.take(MAX_OPERATIONS + MAX_FAILED).collect();
    let left_out = timeline.operations.len() - rows.len();
    let failed: Vec<&Row> = rows.iter().copied().filter(|row| is_failed(row)).collect();
    let (changes, reads): (Vec<&Row>, Vec<&Row>) = rows
        .into_iter()
        .partition(|row| is_change(&row.task) || is_failed(row));
    let (errors, warnings): (Vec<&Problem>, Vec<&Problem>) = timeline
        .problems
        .iter()
        .partition(|problem| problem.is_error);
    // A change that succeeds in fewer steps than announced is complete, so nothing of a successful apply is listed.
    let shows_planned = timeline.failed || !timeline.is_applying;
    let planned = if shows_planned {
        timeline.not_started()
    } else {
        Vec::new()
    };
    let planned_title = if timeline.is_applying {
        "Never started"
    } else {
        "Planned"
    };
    let sections = [
        (
            RunPart::Failures,
            "What failed",
            failed.len().max(errors.len()),
        ),
        (RunPart::NotStarted, planned_title, planned.len()),
        (
            RunPart::Review,
            "Review of the plan",
            usize::from(run.review.is_some()),
        ),
        (RunPart::Timeline, "Timeline", changes.len()),
        (RunPart::Reads, "Reads", reads.len()),
        (RunPart::Warnings, "Warnings", warnings.len()),
    ];
    if is_one {
        index(&sections, html);
    }
    for (part, title, number) in sections {
        if number == 0 {
            continue;
        }
        let id = [Attribute::Id(Id::Run(part))];
        let (id, heading) = if is_one {
            (&id[..], "h2")
        } else {
            (&[][..], "h3")
        };
        html.element("section", id, |html| {
            html.element(heading, &[], |html| html.text(title));
            match part {
                RunPart::Failures => {
                    failures(&failed, &errors, html);
                    cut(timeline.left_out[1], "more error", html);
                }
                RunPart::NotStarted => planned_changes(&planned, timeline.is_applying, html),
                RunPart::Review => run
                    .review
                    .into_iter()
                    .for_each(|review| html.fragment(review)),
                RunPart::Timeline => {
                    table(&changes, timeline, html);
                    cut(left_out, "more operation", html);
                }
                RunPart::Reads => html.element("details", &[], |html| {
                    html.element("summary", &[], |html| {
                        html.data(Untrusted(&count(reads.len(), "operation")));
                        html.text(
                            " that changed nothing: data sources, refreshes, ephemeral resources",
                        );
                    });
                    table(&reads, timeline, html);
                }),
                RunPart::Warnings => {
                    warnings.iter().for_each(|problem| text(problem, html));
                    cut(timeline.left_out[0], "more warning", html);
                }
            }
        });
        html.write_out(sink)?;
    }
    if changes.is_empty() {
        cut(left_out, "more operation", html);
    }
    Ok(())
}

/// Writes the links to the parts of the page that are not empty.
fn index(sections: &[(RunPart, &'static str, usize)], html: &mut Html) {
    let shown = sections.iter().filter(|(.., number)| *number > 0);
    let links: Vec<(Id, String, String)> = shown
        .map(|(part, title, number)| {
            let number = if *part == RunPart::Review {
                String::new()
            } else {
                number.to_string()
            };
            (Id::Run(*part), (*title).to_owned(), number)
        })
        .collect();
    if links.len() > 1 {
        html.index("Parts of the run", &links);
    }
}

/// Writes the failed operations with their errors, then the other errors.
fn failures(failed: &[&Row], errors: &[&Problem], html: &mut Html) {
    let mut others = errors.to_vec();
    for row in failed {
        html.element("h3", &[], |html| html.code(&row.address));
        html.element("p", &[], |html| {
            html.strong(class::ALERT, &format!("✗ {} failed", name(&row.task)));
            if let Some(length) = row.length {
                html.data(Untrusted(&format!(" after {}", time(length))));
            }
        });
        let (own, rest): (Vec<&Problem>, Vec<&Problem>) = others
            .into_iter()
            .partition(|error| error.address == row.address);
        own.iter().for_each(|error| text(error, html));
        others = rest;
    }
    if !others.is_empty() && !failed.is_empty() {
        html.element("h3", &[], |html| html.text("Other errors"));
    }
    others.iter().for_each(|error| text(error, html));
}

/// Writes the list of planned changes, or of those that an apply did not start or complete.
fn planned_changes(rows: &[&Planned], is_applying: bool, html: &mut Html) {
    let listed = &rows[..rows.len().min(MAX_PLANNED)];
    html.list("findings", listed, |html, row| {
        html.code(&row.address);
        html.data(Untrusted(&format!(" {}", planned(&row.action))));
        if !row.reason.is_empty() {
            html.data(Untrusted(&format!(" ({})", reason(&row.reason))));
        }
        if is_applying && row.has_started() {
            html.text("; only a part of it started");
        }
    });
    cut(rows.len() - listed.len(), "more change", html);
}

fn text(problem: &Problem, html: &mut Html) {
    html.element("pre", &[], |html| {
        html.data(Untrusted(problem.text.trim_matches('\n')));
    });
}

/// Writes how many items are left out, if any.
fn cut(number: usize, noun: &str, html: &mut Html) {
    if number > 0 {
        let number = count(number, noun);
        html.paragraph(
            "cut",
            &format!("… {number}, not listed to keep the page small; the output of the run has all of them."),
        );
    }
}

/// Writes the operations as a table, with bars on a common time scale.
fn table(rows: &[&Row], timeline: &Timeline, html: &mut Html) {
    let span = Span::new(rows, timeline.length());
    let (start, end) = (time(span.start), time(span.end));
    let words = match start == end {
        // Rounded to a tenth of a second, both may be equal.
        true => format!("{} from {start}", time(span.end - span.start)),
        false => format!("{start} to {end}"),
    };
    let number = [Attribute::Fixed("scope", "col"), Attribute::Class("number")];
    html.element("table", &[Attribute::Class("timeline")], |html| {
        html.element("thead", &[], |html| {
            html.element("tr", &[], |html| {
                for head in ["Result", "Operation", "Resource or test"] {
                    html.element("th", &[Attribute::Fixed("scope", "col")], |html| {
                        html.text(head);
                    });
                }
                for head in ["Start", "Duration"] {
                    html.element("th", &number, |html| html.text(head));
                }
                html.element("th", &[Attribute::Fixed("scope", "col")], |html| {
                    html.data(Untrusted(&words));
                });
            });
        });
        html.element("tbody", &[], |html| {
            rows.iter().for_each(|row| table_row(row, span, html));
        });
    });
}

/// Writes a row of the table: result, operation, address, start and duration, bar.
fn table_row(row: &Row, span: Span, html: &mut Html) {
    let (class, result) = match row.outcome {
        TaskOutcome::Done => (None, "✓ done"),
        TaskOutcome::Failed => (Some("failed"), "✗ failed"),
        TaskOutcome::Unfinished => (Some("unfinished"), "… not finished"),
        TaskOutcome::Skipped => (Some("unfinished"), "– skipped"),
    };
    let attributes: Vec<Attribute<'_>> = class.into_iter().map(Attribute::Class).collect();
    html.element("tr", &attributes, |html| {
        html.element("td", &[], |html| html.text(result));
        html.element("td", &[], |html| html.data(Untrusted(&name(&row.task))));
        html.element("td", &[], |html| html.code(&row.address));
        for value in [row.start, row.length] {
            let value = value.map_or_else(|| "–".to_owned(), time);
            html.element("td", &[Attribute::Class("number")], |html| {
                html.data(Untrusted(&value));
            });
        }
        html.element("td", &[Attribute::Class("bar")], |html| {
            bar(row, span, html);
        });
    });
}

/// The height of a bar.
const HEIGHT: Length = Length::Pixels(12);
/// The full width of the drawing, in hundredths of a percent.
const FULL_WIDTH: u64 = 10_000;
/// The minimum width of a bar, so that short operations are visible, in hundredths of a percent.
const MIN_WIDTH: u64 = 40;

/// The time span that a table shows, in milliseconds since the start of the run.
#[derive(Clone, Copy)]
struct Span {
    start: u64,
    end: u64,
}

impl Span {
    /// Returns the span of all operations. `whole` is the duration of the run, at which unfinished operations end.
    fn new(rows: &[&Row], whole: u64) -> Self {
        let start = rows
            .iter()
            .filter_map(|row| row.start)
            .min()
            .unwrap_or_default();
        let end = |row: &&Row| {
            row.start.map(|start| {
                row.length
                    .map_or(whole, |length| start.saturating_add(length))
            })
        };
        Self {
            start,
            end: rows
                .iter()
                .filter_map(end)
                .max()
                .unwrap_or(whole)
                .max(start.saturating_add(1)),
        }
    }

    /// Returns the position of a moment in the span, from 0 to [`FULL_WIDTH`].
    fn share(self, moment: u64) -> u64 {
        let since = moment.clamp(self.start, self.end) - self.start;
        since.saturating_mul(FULL_WIDTH) / (self.end - self.start)
    }
}

/// Draws the bar of an operation as SVG. An operation without a known start has none.
fn bar(row: &Row, span: Span, html: &mut Html) {
    let Some(start) = row.start else { return };
    let end = row
        .length
        .map_or(span.end, |length| start.saturating_add(length));
    let x = span.share(start).min(FULL_WIDTH - MIN_WIDTH);
    let width = (span.share(end) - x.min(span.share(end))).clamp(MIN_WIDTH, FULL_WIDTH - x);
    let part = |share: u64| Length::Share(u32::try_from(share).unwrap_or_default());
    let class = match &row.task {
        _ if row.outcome == TaskOutcome::Failed => class::ALERT,
        Task::Operation(Operation::Create) => class::ADDED,
        Task::Operation(Operation::Delete | Operation::Forget) => class::REMOVED,
        Task::Operation(Operation::Update | Operation::Replace) => class::CHANGED,
        Task::Operation(_) | Task::Provisioner(_) | Task::Action | Task::Test => class::MUTED,
    };
    // Without styles, these attributes alone determine the size of the drawing.
    let width_of_all = Attribute::Length("width", Length::Pixels(240));
    let drawing = [
        width_of_all,
        Attribute::Length("height", HEIGHT),
        Attribute::Fixed("aria-hidden", "true"),
    ];
    html.element("svg", &drawing, |html| {
        let (x, width) = (
            Attribute::Length("x", part(x)),
            Attribute::Length("width", part(width)),
        );
        let attributes = [
            Attribute::Class(class),
            x,
            width,
            Attribute::Length("height", HEIGHT),
        ];
        html.element("rect", &attributes, |_| {});
    });
}

/// Whether a task is shown in the timeline rather than among the reads.
fn is_change(task: &Task) -> bool {
    match task {
        Task::Operation(operation) => operation.is_change(),
        Task::Provisioner(_) | Task::Action | Task::Test => true,
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

/// Returns a duration as text, such as `40ms`, `12.0s` or `1m10s`.
fn time(millis: u64) -> String {
    if millis < 1_000 {
        format!("{millis}ms")
    } else if millis < 60_000 {
        format!("{}.{}s", millis / 1000, millis / 100 % 10)
    } else {
        duration(millis / 1000)
    }
}
