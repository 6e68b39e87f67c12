//! The lines about findings that no line of an edit mentions.
//!
//! ```text
//! a finding about a destroyed volume, whose data is lost    a mark in the margin of the title
//! a finding that an edit proves                             a mark in the margin of the edit, not here
//! " ·     a connection of networks (peer_vpc_id: …)"        a line of its own, because no line mentions it
//! ```

use super::head;
use crate::report::{Line, Mark, Sign, Tone};
use crate::review::entry::{Effect, Entry, Finding, PlanFinding, SubjectItem};
use crate::review::{ChangeKind, one_line, summary};

/// Returns the remarks that follow the edit that proves a finding.
pub(super) fn remarks<'f>(finding: &'f Finding<'_>) -> Vec<&'f str> {
    let meaning = match &finding.effect {
        Effect::Means { words } => Some(words.as_str()),
        Effect::Lost { .. }
        | Effect::Opened
        | Effect::Destroyed
        | Effect::DestroyedFirst
        | Effect::Other => None,
    };
    let state = match (finding.is_undone, finding.is_expected) {
        (true, _) => Some("this plan undoes it"),
        (false, true) => Some("expected"),
        (false, false) => None,
    };
    meaning.into_iter().chain(state).collect()
}

/// The findings of an entry that no edit mentions: in its title, or on lines of their own.
pub(super) struct FindingLines {
    /// The findings that the title mentions.
    pub(super) mark: Mark,
    /// The lines about the other findings.
    pub(super) lines: Vec<Line>,
    /// The subject of the title, if it must say which data is lost.
    pub(super) subject: Option<Vec<SubjectItem>>,
}

/// Writes the findings about an object as a whole: in the title if the sign says as much, otherwise on lines of their
/// own.
pub(super) fn finding_lines(entry: &Entry<'_>, unsaid: &[&PlanFinding<'_>]) -> FindingLines {
    let kind = entry.kind();
    let mut finding_lines = FindingLines {
        mark: Mark::default(),
        lines: Vec::new(),
        subject: None,
    };
    for listed in unsaid {
        let finding = &listed.finding;
        let mark = Mark::new(finding.level, finding.kind.name());
        let text = match &finding.effect {
            Effect::Lost { details, .. } if kind == ChangeKind::Destroy => {
                let details = summary::details(entry.resource_type, details);
                finding_lines.subject.get_or_insert(details);
                None
            }
            Effect::Lost { details, .. } if kind.is_replacement() => {
                let words = details
                    .iter()
                    .filter(|detail| matches!(&*detail.value, "true" | "false"))
                    .map(|detail| format!("{} = {}", detail.name, detail.value));
                let words = words.collect::<Vec<_>>().join(", ");
                let separator = if words.is_empty() { "" } else { "; " };
                Some(format!("the old one is destroyed{separator}{words}"))
            }
            Effect::DestroyedFirst if kind.is_replacement() => None,
            Effect::Destroyed if kind == ChangeKind::Destroy => None,
            Effect::Lost { .. }
            | Effect::Destroyed
            | Effect::DestroyedFirst
            | Effect::Opened
            | Effect::Means { .. }
            | Effect::Other => Some(head::finding_text(listed, false)),
        };
        match text {
            Some(text) => {
                let line = Line::new(0, Sign::Same, one_line(&text), Tone::Plain);
                finding_lines.lines.push(line.marked(&mark));
            }
            None => finding_lines.mark.add(&mark),
        }
    }
    finding_lines
}
