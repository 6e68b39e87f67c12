//! Views of `tfview schema check`: the findings in specifications.

use std::io;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::View;
use super::json::{self, ListJson};
use super::markdown::{self, cell, code_cell};
use super::text::one_line;
use crate::schema::check::{Finding, FindingLevel};
use crate::term::TextPart::{Data, Lit, Styled, StyledData};
use crate::term::{Out, Role};
use crate::text;

/// The findings in one file.
#[derive(Debug)]
pub struct Checked {
    /// The file, as named by the user.
    pub file: String,
    /// The findings, each with its line and column, from 1.
    pub findings: Vec<(Finding, u64, u64)>,
}

impl Checked {
    /// The findings in `text`, with lines and columns.
    pub fn new(file: String, text: &str, findings: Vec<Finding>) -> Self {
        let mut places = Vec::with_capacity(findings.len());
        // Findings are sorted by offset, so one pass over the text suffices.
        let (mut line, mut line_start, mut at) = (1, 0, 0);
        for finding in findings {
            let offset = text.floor_char_boundary(finding.offset);
            let passed = &text.as_bytes()[at..offset.max(at)];
            line += memchr::memchr_iter(b'\n', passed).count();
            if let Some(end) = memchr::memrchr(b'\n', passed) {
                line_start = at + end + 1;
            }
            at = offset.max(at);
            let column = text[line_start..at].chars().count() + 1;
            places.push((finding, line as u64, column as u64));
        }
        Self { file, findings: places }
    }
}

fn word(level: FindingLevel) -> (Role, &'static str) {
    match level {
        FindingLevel::Error => (Role::Delete, "error"),
        FindingLevel::Warning => (Role::Update, "warning"),
    }
}

fn count(all: &[Checked], level: FindingLevel) -> usize {
    all.iter().flat_map(|checked| &checked.findings).filter(|(finding, ..)| finding.level == level).count()
}

/// A summary such as `2 errors, 1 warning in 3 files`.
fn counts(all: &[Checked]) -> String {
    format!(
        "{}, {} in {}",
        text::count(count(all, FindingLevel::Error), "error"),
        text::count(count(all, FindingLevel::Warning), "warning"),
        text::count(all.len(), "file")
    )
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct FindingJson<'s> {
    file: &'s str,
    line: u64,
    column: u64,
    #[serde(flatten)]
    finding: &'s Finding,
}

impl View for [Checked] {
    fn text(&self, out: &mut Out<'_>, _: usize) -> io::Result<()> {
        for checked in self {
            for (finding, line, column) in &checked.findings {
                let place = one_line(&format!("{}:{line}:{column}", checked.file));
                out.parts(&[StyledData(Role::Strong, &place), Lit(" ")])?;
                let (role, _) = word(finding.level);
                if finding.level == FindingLevel::Warning {
                    out.role(role, "warning: ")?;
                }
                if !finding.path.is_empty() {
                    out.parts(&[StyledData(Role::Read, &one_line(&finding.path)), Lit(": ")])?;
                }
                let hint = if finding.hint.is_empty() { "" } else { "; " };
                let (problem, text) = (one_line(&finding.problem), one_line(&finding.hint));
                out.parts(&[StyledData(role, &problem), Lit(hint), Data(&text), Lit("\n")])?;
            }
        }
        out.parts(&[Styled(Role::Muted, &counts(self)), Lit("\n")])
    }

    fn markdown(&self) -> String {
        let mut text = format!("{}\n", counts(self));
        if self.iter().all(|checked| checked.findings.is_empty()) {
            return text;
        }
        text.push_str(&format!("\n{}", markdown::table(&["Place", "Level", "Path", "Problem"])));
        for checked in self {
            for (finding, line, column) in &checked.findings {
                let problem = match finding.hint.as_str() {
                    "" => finding.problem.clone(),
                    hint => format!("{}; {hint}", finding.problem),
                };
                text.push_str(&format!(
                    "| {} | {} | {} | {} |\n",
                    code_cell(&format!("{}:{line}:{column}", checked.file)),
                    word(finding.level).1,
                    code_cell(&finding.path),
                    cell(&problem)
                ));
            }
        }
        text
    }

    fn json(&self) -> io::Result<String> {
        let findings = self.iter().flat_map(|Checked { file, findings }| {
            findings.iter().map(move |(finding, line, column)| FindingJson {
                file,
                line: *line,
                column: *column,
                finding,
            })
        });
        json::document(ListJson::Findings(findings.collect()))
    }
}
