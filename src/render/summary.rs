//! Renders the text around the resources: the legend, notes, the summary, and headlines.
//!
//! ```text
//! Plan: 2 to import, 1 to add, 0 to change, 3 to destroy.
//! ```

use std::collections::HashMap;
use std::io;

use super::resource_symbol;
use crate::dialect::{Dialect, KeptLegend};
use crate::model::Action;
use crate::term::TextPart::{Lit, Styled};
use crate::term::{Out, Role};
use crate::text::wrap;

/// The counts in the line that begins with `Plan:`, and for the legend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of each action. The flag is set for unknown actions, which are counted as the action that is their
    /// worst case, and not one by one, because a document may contain arbitrarily many different ones.
    counts: HashMap<(Action, bool), usize>,
    /// The number of objects that are imported.
    pub imports: usize,
    /// The number of actions that are invoked.
    pub invocations: usize,
}

impl Counts {
    /// Counts an action.
    pub fn add(&mut self, action: &Action) {
        let is_unknown = matches!(action, Action::Unknown(_));
        let action = if is_unknown {
            action.worst_case()
        } else {
            action
        };
        *self.counts.entry((action.clone(), is_unknown)).or_default() += 1;
    }

    /// Whether no action was counted. Imports and invocations are ignored.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the number of an action. `is_unknown` selects unknown actions with this worst case.
    fn number(&self, action: Action, is_unknown: bool) -> usize {
        self.counts
            .get(&(action, is_unknown))
            .copied()
            .unwrap_or_default()
    }
}

/// Writes the legend of the symbols that are used.
pub fn legend(
    out: &mut Out<'_>,
    counts: &Counts,
    dialect: Dialect,
    width: usize,
) -> io::Result<()> {
    let intro = format!(
        "\n{} used the selected providers to generate the following execution plan. Resource actions are indicated with the following symbols:\n",
        dialect.product()
    );
    out.lit(&wrap(&intro, width))?;
    let line = |out: &mut Out<'_>, action: Action, text: &str| -> io::Result<()> {
        if counts.number(action.clone(), false) == 0 {
            return Ok(());
        }
        resource_symbol(out, &action, dialect)?;
        out.parts(&[Lit(" "), Lit(text), Lit("\n")])
    };
    let line_of = |out: &mut Out<'_>, action: Action| line(out, action.clone(), &action.in_words());
    line_of(out, Action::Create)?;
    line(out, Action::Update, dialect.update_legend())?;
    line_of(out, Action::Delete)?;
    line_of(out, Action::DeleteThenCreate)?;
    line_of(out, Action::CreateThenDelete)?;
    let kept = dialect.kept_legend();
    if kept == KeptLegend::BeforeRead {
        legend_of_kept(out, counts)?;
    }
    line(out, Action::Read, "read (data resources)")?;
    if kept == KeptLegend::AfterRead {
        legend_of_kept(out, counts)?;
    }
    if dialect.explains_forget() {
        line(out, Action::Forget, "forget")?;
    }
    Ok(())
}

/// Writes the legend of replacements that keep the old object. Unlike above the resources, their symbols are not
/// indented.
fn legend_of_kept(out: &mut Out<'_>, counts: &Counts) -> io::Result<()> {
    let forget = (Role::Delete, ".");
    let create = (Role::Create, "+");
    for (action, symbols) in [
        (Action::ForgetThenCreate, [forget, create]),
        (Action::CreateThenForget, [create, forget]),
    ] {
        if counts.number(action.clone(), false) > 0 {
            let [(first, one), (second, two)] = symbols;
            out.parts(&[Styled(first, one), Lit("/"), Styled(second, two)])?;
            out.parts(&[Lit(" "), Lit(&action.in_words()), Lit("\n")])?;
        }
    }
    Ok(())
}

/// Writes the line that begins with `Plan:`.
pub fn plan_line(out: &mut Out<'_>, counts: &Counts, dialect: Dialect) -> io::Result<()> {
    let of = |action| counts.number(action, false);
    let unknown = |action| counts.number(action, true);
    let replaced = of(Action::DeleteThenCreate) + of(Action::CreateThenDelete);
    let left = of(Action::ForgetThenCreate);
    let kept = if dialect.counts_kept_as_added() {
        left + of(Action::CreateThenForget)
    } else {
        0
    };
    let forget = of(Action::Forget) + left + unknown(Action::Forget);
    let mut text = String::from(" ");
    if counts.imports > 0 {
        text.push_str(&format!("{} to import, ", counts.imports));
    }
    text.push_str(&format!(
        "{} to add, {} to change, {} to destroy",
        of(Action::Create) + replaced + kept,
        of(Action::Update) + unknown(Action::Update),
        of(Action::Delete) + replaced + unknown(Action::Delete)
    ));
    if dialect.counts_forgotten() && forget > 0 {
        text.push_str(&format!(", {forget} to forget"));
    }
    text.push('.');
    if counts.invocations > 0 {
        text.push_str(&format!(" Actions: {} to invoke.", counts.invocations));
    }
    out.parts(&[
        Lit("\n"),
        Styled(Role::Strong, "Plan:"),
        Lit(&text),
        Lit("\n"),
    ])
}

/// Writes a horizontal rule.
pub fn rule(out: &mut Out<'_>, width: usize) -> io::Result<()> {
    let line = "─".repeat(width.saturating_sub(1));
    out.parts(&[Lit("\n"), Styled(Role::Muted, &line), Lit("\n")])
}

/// Writes a note of the tool.
pub fn note(out: &mut Out<'_>, text: &str) -> io::Result<()> {
    let note = Styled(Role::StrongNote, "Note:");
    out.parts(&[
        Lit("\n"),
        note,
        Lit(" "),
        Styled(Role::Strong, text),
        Lit("\n"),
    ])
}

/// Writes a headline and an empty line. The first words have a role.
pub fn headline(out: &mut Out<'_>, role: Role, first: &str, rest: &str) -> io::Result<()> {
    headline_alone(out, role, first, rest)?;
    out.lit("\n")
}

/// Writes a headline without an empty line. The first words have a role.
pub fn headline_alone(out: &mut Out<'_>, role: Role, first: &str, rest: &str) -> io::Result<()> {
    out.parts(&[
        Lit("\n"),
        Styled(role, first),
        Styled(Role::Strong, rest),
        Lit("\n"),
    ])
}
