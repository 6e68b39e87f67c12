//! Markdown for pull requests: the answer, and the differences in a fence.
//!
//! Invariants: what comes from a plan is inside of a fence that is longer than any run of backticks in it, so that
//! it links, mentions and embeds nothing; the text has at most the bytes that are asked for, and says how many
//! differences it leaves out.

use super::lines::Line;
use crate::compare::Comparison;
use crate::review::count;
use crate::term;
use crate::text::markdown::fenced;

/// Room for the fence, and for the line that says what is left out.
const RESERVE: usize = 400;

/// A comparison of at most `most` bytes.
pub fn markdown(comparison: &Comparison<'_>, most: usize) -> String {
    let mut text = format!("**{}**\n", comparison.sentence());
    let notes: String = comparison
        .notes
        .iter()
        .map(|note| format!("{}\n", term::visible(&format!("Note: {note}"))))
        .collect();
    let mut lines = String::new();
    let mut left_out = 0;
    let room = most.saturating_sub(text.len() + notes.len() + RESERVE);
    for difference in &comparison.differences {
        let line = Line::new(difference);
        let mut piece = term::visible(&format!("{} {}", line.class.symbol(), line.text));
        piece.push('\n');
        for inside in &line.inside {
            piece.push_str(&term::visible(&format!("    {inside}")));
            piece.push('\n');
        }
        // A fence has to be longer than what is in it: backticks count twice, and once more at the end.
        let backticks = piece.matches('`').count();
        if left_out > 0 || lines.len() + piece.len() + 2 * backticks > room {
            left_out += 1;
        } else {
            lines.push_str(&piece);
        }
    }
    if left_out > 0 {
        lines.push_str(&format!("… {}\n", count(left_out, "more difference")));
    }
    lines.push_str(&notes);
    if !lines.is_empty() {
        text.push('\n');
        text.push_str(&fenced("", &lines));
    }
    text
}
