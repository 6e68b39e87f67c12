//! Views of `tfview schema diff`: the changes between two versions.

use std::io;

use super::View;
use super::document::typed_name;
use super::json::{self, ListJson};
use super::markdown::{self, cell, code_cell};
use super::text::{one_line, width};
use crate::schema::compare::{Change, Severity};
use crate::term::TextPart::{Data, Lit, Spaces, Styled, StyledData};
use crate::term::{Out, Role};

fn heading(severity: Severity) -> (Role, &'static str) {
    match severity {
        Severity::Breaking => (Role::Delete, "Breaking"),
        Severity::Perhaps => (Role::Update, "Perhaps breaking"),
        Severity::Fine => (Role::Create, "Fine"),
    }
}

/// The name for `schema show` of the changed part.
fn place(change: &Change) -> String {
    let name = typed_name(change.kind, &change.name);
    if change.path.is_empty() { name } else { format!("{name}.{}", change.path) }
}

/// A summary such as `2 breaking, 1 perhaps breaking, 5 fine`.
fn counts(changes: &[Change]) -> String {
    let counted = Severity::ALL.into_iter().map(|severity| {
        let count = changes.iter().filter(|change| change.severity == severity).count();
        format!("{count} {}", heading(severity).1.to_lowercase())
    });
    counted.collect::<Vec<_>>().join(", ")
}

impl View for [Change] {
    fn text(&self, out: &mut Out<'_>, total: usize) -> io::Result<()> {
        if self.is_empty() {
            return out.lit("No changes. The schemas allow the same configurations.\n");
        }
        let several = self.iter().any(|change| change.provider != self[0].provider);
        // They are sorted by severity.
        for of in self.chunk_by(|one, next| one.severity == next.severity) {
            let severity = of[0].severity;
            let (role, title) = heading(severity);
            out.parts(&[Styled(role, &format!("{title} ({})", of.len())), Lit("\n")])?;
            let column = of.iter().map(|change| width(&place(change))).max().unwrap_or_default();
            let column = column.min(total.saturating_sub(30).max(40));
            let mut provider = None;
            for change in of {
                if several && provider != Some(&change.provider) {
                    out.parts(&[Lit("  "), StyledData(Role::Muted, &one_line(&change.provider)), Lit("\n")])?;
                    provider = Some(&change.provider);
                }
                let place = place(change);
                let gap = column.saturating_sub(width(&place)) + 2;
                out.parts(&[Lit("  "), Data(&one_line(&place)), Spaces(gap)])?;
                out.parts(&[StyledData(Role::Muted, &one_line(&change.what)), Lit("\n")])?;
            }
            out.lit("\n")?;
        }
        out.parts(&[Lit(&counts(self)), Lit("\n")])
    }

    fn markdown(&self) -> String {
        if self.is_empty() {
            return "No changes. The schemas allow the same configurations.\n".to_owned();
        }
        let mut text = format!("{}\n", counts(self));
        // They are sorted by severity.
        for of in self.chunk_by(|one, next| one.severity == next.severity) {
            let severity = of[0].severity;
            let table = markdown::table(&["Schema", "Change"]);
            text.push_str(&format!("\n### {} ({})\n\n{table}", heading(severity).1, of.len()));
            for change in of {
                text.push_str(&format!("| {} | {} |\n", code_cell(&place(change)), cell(&change.what)));
            }
        }
        text
    }

    fn json(&self) -> io::Result<String> {
        json::document(ListJson::Changes(self))
    }
}
