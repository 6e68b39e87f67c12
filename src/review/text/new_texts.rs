//! Shows the first lines of a text that a change sets.
//!
//! ```text
//!    + aws_instance.web  ami-1, t3.large
//! !!     user_data (base64, 12 lines):  (password in plain text)     secret
//!        + #!/bin/bash
//!        + export DB_PASSWORD=(password)
//!        … 10 more lines; --context all shows all
//! ```

use super::finding::{FindingAt, say};
use crate::diff::edits::{Format, Step};
use crate::report::{Line, Sign, Tone};
use crate::review::entry::NewText;
use crate::review::inline::MAX_LEN;
use crate::review::paths::path_text;
use crate::review::text::{EntryText, more};
use crate::review::{Options, count};
use crate::text::cut;

/// The maximum number of lines of a text; further ones are counted.
const MAX_LINES: usize = 8;

/// Returns the first lines of a text, below a line that names the text and mentions the findings `about_it`, which are
/// positions in `findings`.
pub(super) fn text(
    new: &NewText<'_>,
    sign: Sign,
    (findings, about_it): (&[FindingAt<'_>], &[usize]),
    depth: usize,
    options: &Options,
) -> EntryText {
    let all: Vec<&str> = new.text.trim_end().lines().collect();
    let encoding = match new.format {
        Some(Format::Base64) => "base64, ",
        Some(Format::Gzip) => "base64, gzip, ",
        Some(Format::Json | Format::Yaml | Format::Lines) | None => "",
    };
    let name = path_text("", new.path);
    let number = count(all.len(), "line");
    let title = format!("{name} ({encoding}{number}):");
    let mut title = Line::new(depth, sign, title, Tone::Plain);
    let said = say(&mut title, about_it, findings);
    let mut lines = vec![title];
    let limit = options.limit(MAX_LINES);
    for line in all.iter().take(limit) {
        let text = cut(line, MAX_LEN);
        lines.push(Line::new(depth + 1, Sign::Add, text, Tone::Added));
    }
    let left_out = all.len().saturating_sub(limit);
    lines.extend(more(depth + 1, left_out, "more line"));
    EntryText {
        lines,
        said,
        ..EntryText::default()
    }
}

/// Returns the findings about a text or a part of it, as positions in `findings`.
pub(super) fn findings_about(new: &NewText<'_>, findings: &[FindingAt<'_>]) -> Vec<usize> {
    let steps = new.path.steps();
    let is_same = |(one, other): (&Step<'_>, &Step<'_>)| match (one, other) {
        (Step::Name(one), Step::Name(other)) => one == other,
        (Step::Element(one), Step::Element(other)) => one.after == other.after,
        _ => false,
    };
    let is_about = |finding: &FindingAt<'_>| {
        finding.steps.len() >= steps.len() && finding.steps.iter().zip(&steps).all(is_same)
    };
    let all = findings.iter().enumerate();
    all.filter(|(_, finding)| is_about(finding))
        .map(|(index, _)| index)
        .collect()
}
