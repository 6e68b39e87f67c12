//! Findings, as lines say them: a mark in the margin, and behind the line what its values do not say.
//!
//! ```text
//! !!     ingress: tcp/22 from 10.0.0.0/8 -> 0.0.0.0/0                   exposure
//! ```

use crate::diff::edits::Step;
use crate::report::{Line, Mark, Span, Tone};

/// A finding that is said at the edit that proves it.
#[derive(Clone, Debug)]
pub(crate) struct FindingAt<'f> {
    /// Its position in the list of the caller.
    pub(crate) id: usize,
    /// How the margin of the line shows it.
    pub(crate) mark: Mark,
    /// What its edit does not say, such as that the plan undoes it.
    pub(crate) remarks: Vec<&'f str>,
    /// What it means, if that is shorter than a value with many members and says more.
    pub(crate) words: Option<&'f str>,
    /// What is left of its path, below the value whose edits are written.
    pub(crate) steps: Vec<Step<'f>>,
}

/// Says the findings at these positions of the list in a line: their marks and remarks. Returns their ids.
pub(super) fn say(line: &mut Line, proven: &[usize], findings: &[FindingAt<'_>]) -> Vec<usize> {
    line.add_mark(&mark_of(proven, findings));
    line.spans.extend(remarks(proven, findings));
    proven.iter().map(|index| findings[*index].id).collect()
}

/// The mark of a line about these findings.
pub(super) fn mark_of(proven: &[usize], findings: &[FindingAt<'_>]) -> Mark {
    let mut mark = Mark::default();
    for index in proven {
        mark.add(&findings[*index].mark);
    }
    mark
}

/// `(any site may call it; this plan undoes it)`: what these findings say beyond their edit, each thing once.
fn remarks(proven: &[usize], findings: &[FindingAt<'_>]) -> Option<Span> {
    let mut words: Vec<&str> = Vec::new();
    for remark in proven.iter().flat_map(|index| &findings[*index].remarks) {
        if !words.contains(remark) {
            words.push(remark);
        }
    }
    (!words.is_empty()).then(|| Span::new(format!(" ({})", words.join("; ")), Tone::Muted))
}
