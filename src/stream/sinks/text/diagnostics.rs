//! Shows diagnostics, and the objects that a test left behind.

use std::io;

use crate::model::diagnostic::{Diagnostic, Severity};
use crate::render::diagnostic::{DiagnosticContext, compact, diagnostic};
use crate::stream::diagnostics::DiagnosticGroup;
use crate::stream::sinks::diagnostic::difference;
use crate::stream::sinks::leftovers::{leftovers_lead, leftovers_text};
use crate::term::Role;

use super::{Context, TextSink};

impl TextSink {
    pub(super) fn show_diagnostics(
        &mut self,
        group: &DiagnosticGroup<'_>,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let Context { state, output, .. } = &mut *context;
        let (dialect, width) = (state.dialect, self.settings.width);
        let has_errors = group.has(Severity::Error);
        if let Some(leftovers) = group.leftovers.filter(|_| has_errors) {
            output.line(Role::Plain, &leftovers_lead(leftovers, dialect, width))?;
        }
        if state.is_init && !group.all.is_empty() {
            self.separate_init_diagnostics(has_errors, output)?;
        }
        if !group.all.is_empty() && self.settings.compact_warnings && group.has_only_warnings() {
            compact(group.merged.iter().copied(), dialect, output.text()?)?;
        } else {
            for (shown, similar) in &group.merged {
                self.diagnostic(shown, *similar, context)?;
                if context.state.is_init && dialect.spaces_init_diagnostics() {
                    context.output.text()?.lit("\n")?;
                }
            }
        }
        let output = &mut context.output;
        if !group.test.run.is_empty() && group.has(Severity::Warning) && dialect.spaces_the_verdict() {
            output.text()?.lit("\n")?;
        }
        let leftovers = group.leftovers.and_then(|leftovers| leftovers_text(leftovers, dialect, width));
        leftovers.map_or(Ok(()), |text| output.line(Role::Plain, &text))
    }

    fn diagnostic(
        &self,
        shown: &Diagnostic<'_>,
        similar: usize,
        context: &mut Context<'_, '_>,
    ) -> io::Result<()> {
        let colour = context.output.has_colour();
        let difference = difference(shown, context, colour);
        let Context { state, output, .. } = context;
        if let Err(error) = &difference {
            output.note(&format!("the difference of an assertion cannot be shown: {error:#}"))?;
        }
        let difference = difference.unwrap_or_default();
        let (dialect, width) = (state.dialect, self.settings.width);
        let context = DiagnosticContext { dialect, width, similar, difference: difference.as_deref() };
        diagnostic(shown, &context, output.text()?)
    }
}
