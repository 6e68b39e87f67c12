//! Writes what CI systems show besides the text: annotations and step summaries.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::Context;

use crate::model::plan::Plan;
use crate::review::plan::PlanReview;
use crate::review::{self, Problem};
use crate::stream::Ending;
use crate::term::ci::{Annotation, Annotations, CiLog, Level, Place};
use crate::term::{CiSystem, visible};
use crate::text::fenced;

use super::Host;

/// Returns the log of a CI system to write to, with the time for its folds.
pub(super) fn log(system: Option<CiSystem>, host: &Host) -> Option<CiLog> {
    system.map(|system| CiLog {
        system,
        time: host.seconds(),
    })
}

/// Writes annotations to standard error, which CI systems read too, so that redirected output stays clean.
pub(super) fn annotate(annotations: &Annotations, stderr: &mut dyn Write) -> anyhow::Result<()> {
    stderr
        .write_all(annotations.lines().as_bytes())
        .context("writing annotations")
}

pub(super) fn error(title: &str, message: &str) -> Annotation {
    Annotation {
        level: Level::Error,
        title: title.to_owned(),
        message: message.to_owned(),
        place: None,
    }
}

/// Adds the annotations of a plan: that planning failed, and which checks failed.
pub(super) fn add_plan(
    annotations: &mut Annotations,
    name: &str,
    errored: bool,
    problems: &[Problem],
) {
    if errored {
        annotations.add(error(name, "planning failed"));
    }
    for problem in problems.iter().filter(|problem| problem.is_failure()) {
        annotations.add(Annotation {
            level: Level::Warning,
            title: format!("check {}: {}", problem.status, problem.address),
            message: problem.messages.concat(),
            place: None,
        });
    }
}

/// Adds annotations at the lines of resources that have findings, or whose change cannot be undone, the gravest first.
pub(super) fn add_places(annotations: &mut Annotations, reviews: &[PlanReview<'_>]) {
    let entries = reviews.iter().flat_map(|review| {
        review
            .changes
            .resources
            .iter()
            .map(move |entry| (review, entry))
    });
    let mut placed: Vec<_> = entries
        .filter(|(_, entry)| !entry.hidden)
        .filter(|(_, entry)| !entry.findings.is_empty() || entry.kind().is_irreversible())
        .filter_map(|(review, entry)| Some((review, entry, entry.source.as_ref()?.own.as_ref()?)))
        .collect();
    placed.sort_by_key(|(_, entry, _)| entry.risk());
    for (review, entry, (file, line)) in placed {
        let findings = entry
            .findings
            .iter()
            .filter_map(|index| Some(&review.findings.get(*index)?.finding));
        let findings = findings.map(|finding| {
            format!(
                "{} {}: {}",
                finding.level.name(),
                finding.kind.name(),
                finding.text
            )
        });
        let reasons = entry.reasons.iter().map(|reason| reason.text.clone());
        let lines: Vec<String> = findings.chain(reasons).collect();
        let phrase = entry.kind().phrase();
        annotations.add(Annotation {
            level: Level::Warning,
            title: format!("{} {phrase}", entry.address),
            message: if lines.is_empty() {
                phrase.to_owned()
            } else {
                lines.join("\n")
            },
            place: Some(Place {
                file: file.to_string(),
                line: *line,
                column: 1,
            }),
        });
    }
}

/// Makes the annotations of a plan, with its checks read from the document.
pub(super) fn plan_annotations(system: CiSystem, name: &str, plan: &Plan<'_>) -> Annotations {
    let mut annotations = Annotations::new(system);
    let problems = plan
        .checks
        .map(|all| review::read_checks(all, false))
        .unwrap_or_default();
    add_plan(&mut annotations, name, plan.errored, &problems);
    annotations
}

/// Appends Markdown to the step summary if the CI system has one, which is only GitHub Actions.
pub(super) fn add_summary(
    system: Option<CiSystem>,
    host: &Host,
    markdown: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    match (&host.environment.step_summary, system) {
        (Some(path), Some(CiSystem::GitHub)) => append(path, &markdown()),
        (Some(_) | None, _) => Ok(()),
    }
}

fn append(path: &Path, markdown: &str) -> anyhow::Result<()> {
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.and_then(|mut file| file.write_all(markdown.as_bytes()))
        .with_context(|| format!("writing the step summary to {}", path.display()))
}

/// Returns the step summary of a run as Markdown: the verdict, the tool's summary and the recap.
pub(super) fn run_summary(ending: &Ending) -> String {
    let verdict = if ending.failed {
        "🔴 The run failed."
    } else {
        "🟢 The run succeeded."
    };
    let summary = ending.tool_summary.as_deref().unwrap_or_default();
    let text = visible(&format!("{}\n{}", summary.trim(), ending.recap.trim()));
    let text = text.trim();
    if text.is_empty() {
        return format!("**{verdict}**\n");
    }
    format!("**{verdict}**\n\n{}", fenced("text", &format!("{text}\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_the_fence_of_a_summary() {
        let ending = Ending {
            failed: true,
            tool_summary: Some("a\n````\n<b>".to_owned()),
            recap: "The run failed.\n".to_owned(),
            ..Ending::default()
        };
        assert_eq!(
            run_summary(&ending),
            "**🔴 The run failed.**\n\n`````text\na\n````\n<b>\nThe run failed.\n`````\n"
        );
        assert_eq!(
            run_summary(&Ending::default()),
            "**🟢 The run succeeded.**\n"
        );
    }
}
