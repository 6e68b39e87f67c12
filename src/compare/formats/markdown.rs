//! Markdown for pull requests: the verdict, and the differences in a code fence.
//!
//! Invariants: all text from a plan is in a fence longer than any run of backticks in it, so that it creates
//! no links, mentions or images; the text stays within the requested size, and says how many differences are
//! omitted.

use super::lines::Line;
use crate::compare::Comparison;
use crate::review::count;
use crate::term::ci::log_safe;
use crate::text::markdown::fenced;

/// The bytes reserved for the fence, and for the line about left out differences.
const RESERVE: usize = 400;

/// A comparison in at most `max_bytes` bytes.
pub fn markdown(comparison: &Comparison<'_>, max_bytes: usize) -> String {
    let mut text = format!("**{}**\n", comparison.sentence());
    let notes: String =
        comparison.notes.iter().map(|note| format!("{}\n", log_safe(&format!("Note: {note}")))).collect();
    let mut lines = String::new();
    let mut left_out = 0;
    let room = max_bytes.saturating_sub(text.len() + notes.len() + RESERVE);
    for difference in &comparison.differences {
        let line = Line::new(difference);
        let mut piece = log_safe(&format!("{} {}", line.class.symbol(), line.text));
        piece.push('\n');
        for inside in &line.inside {
            piece.push_str(&log_safe(&format!("    {inside}")));
            piece.push('\n');
        }
        // Backticks count twice more, because they may lengthen the opening and the closing fence.
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
