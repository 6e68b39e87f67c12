//! Mentions findings on lines: a mark in the margin, and after the line what its values do not say.
//!
//! ```text
//! !!     ingress: tcp/22 from 10.0.0.0/8 -> 0.0.0.0/0                   exposure
//! ```

use crate::diff::edits::Step;
use crate::report::{Line, Mark, Span, Tone};

/// A finding that is mentioned at the edit that proves it.
#[derive(Clone, Debug)]
pub(crate) struct FindingAt<'f> {
    /// The ID of the finding, which is its index in the list of the caller.
    pub(crate) id: usize,
    /// The mark in the margin of the line.
    pub(crate) mark: Mark,
    /// The remarks that its edit does not say, such as that the plan undoes it.
    pub(crate) remarks: Vec<&'f str>,
    /// The meaning of the finding in words, if these are shorter than a value with many members and say more.
    pub(crate) words: Option<&'f str>,
    /// The rest of its path, below the value whose edits are written.
    pub(crate) steps: Vec<Step<'f>>,
}

/// Adds findings to a line: their marks and remarks. `proven` are positions in `findings`. Returns the IDs of the
/// findings.
pub(super) fn say(line: &mut Line, proven: &[usize], findings: &[FindingAt<'_>]) -> Vec<usize> {
    line.add_mark(&mark_of(proven, findings));
    line.spans.extend(remarks(proven, findings));
    proven.iter().map(|index| findings[*index].id).collect()
}

/// Returns the mark of a line about the findings at these positions.
pub(super) fn mark_of(proven: &[usize], findings: &[FindingAt<'_>]) -> Mark {
    let mut mark = Mark::default();
    for index in proven {
        mark.add(&findings[*index].mark);
    }
    mark
}

/// Returns the remarks of findings, each once: `(any site may call it; this plan undoes it)`. `None` if there are none.
fn remarks(proven: &[usize], findings: &[FindingAt<'_>]) -> Option<Span> {
    let mut words: Vec<&str> = Vec::new();
    for remark in proven.iter().flat_map(|index| &findings[*index].remarks) {
        if !words.contains(remark) {
            words.push(remark);
        }
    }
    (!words.is_empty()).then(|| Span::new(format!(" ({})", words.join("; ")), Tone::Muted))
}
