//! Text for terminals: the verdict first, then a line for each difference.

use std::io::{self, Write};

use super::lines::Line;
use crate::compare::{Class, Comparison, Verdict};
use crate::term::ci::CiLog;
use crate::term::{Out, Role, Untrusted};

/// Writes a comparison as text.
///
/// # Errors
/// If writing to `sink` fails.
pub fn terminal(
    comparison: &Comparison<'_>,
    colour: bool,
    ci: Option<CiLog>,
    sink: &mut dyn Write,
) -> io::Result<()> {
    let mut out = Out::new(sink, colour).for_ci(ci).escaping_commands();
    let role = match comparison.verdict() {
        Verdict::Same => Role::StrongSuccess,
        Verdict::Within => Role::StrongNote,
        Verdict::Wider => Role::StrongDelete,
    };
    out.role(role, &comparison.sentence())?;
    out.lit("\n")?;
    if !comparison.differences.is_empty() {
        out.lit("\n")?;
    }
    for difference in &comparison.differences {
        let line = Line::new(difference);
        out.lit("  ")?;
        out.role(role_of(line.class), line.class.symbol())?;
        out.lit(" ")?;
        out.data(Untrusted(&line.text))?;
        out.lit("\n")?;
        for inside in &line.inside {
            out.lit("      ")?;
            out.role_data(Role::Muted, Untrusted(inside))?;
            out.lit("\n")?;
        }
    }
    if !comparison.notes.is_empty() {
        out.lit("\n")?;
    }
    for note in &comparison.notes {
        out.role_data(Role::Muted, Untrusted(&format!("Note: {note}")))?;
        out.lit("\n")?;
    }
    out.flush()
}

fn role_of(class: Class) -> Role {
    match class {
        Class::Destroy => Role::StrongDelete,
        Class::Action | Class::Unproven | Class::Failed => Role::Delete,
        Class::Value | Class::Unknown => Role::Update,
        Class::Less | Class::Known | Class::Text | Class::World => Role::Muted,
    }
}
