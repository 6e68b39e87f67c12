//! Writes the sections of a plan around its resources.

use std::io;

use super::{Options, PlanMode};
use crate::dialect::Dialect;
use crate::render::summary::{headline, headline_alone, rule};
use crate::term::{Out, Role};
use crate::text::wrap;

/// The facts that determine the text of a plan without changes.
pub(super) struct NoChanges {
    pub(super) mode: PlanMode,
    pub(super) errored: bool,
    pub(super) drift_shown: bool,
    pub(super) deferred: bool,
    pub(super) applyable: bool,
}

impl Options {
    /// Wraps running text like the tools, which leave the last column free.
    pub(super) fn wrap(&self, text: &str) -> String {
        wrap(text, self.width.saturating_sub(1))
    }
}

/// Writes the text of a plan without listed changes.
pub(super) fn no_changes(out: &mut Out<'_>, facts: &NoChanges, options: &Options) -> io::Result<()> {
    let product = options.dialect.product();
    let rule = |out: &mut Out<'_>| if facts.drift_shown { rule(out, options.width) } else { Ok(()) };
    if facts.errored {
        rule(out)?;
        let rest = format!(" {product} encountered an error while generating this plan.");
        headline(out, Role::StrongDelete, "Planning failed.", &rest)?;
        return rule(out);
    }
    if facts.deferred {
        let rest = " This plan requires another plan to be applied first.";
        headline(out, Role::StrongSuccess, "No current changes.", rest)?;
        return rule(out);
    }
    let success = |out: &mut Out<'_>, rest| headline(out, Role::StrongSuccess, "No changes.", rest);
    match facts.mode {
        PlanMode::RefreshOnly if facts.drift_shown => Ok(()),
        PlanMode::RefreshOnly => {
            success(out, " Your infrastructure still matches the configuration.")?;
            let text = format!(
                "{product} has checked that the real remote objects still match the result of your most recent changes, and found no differences."
            );
            explain(out, options, &text)
        }
        PlanMode::Destroy => {
            rule(out)?;
            success(out, " No objects need to be destroyed.")?;
            let text = format!(
                "Either you have not created any objects yet or the existing objects were already deleted outside of {product}."
            );
            explain(out, options, &text)?;
            rule(out)
        }
        PlanMode::Normal => {
            rule(out)?;
            let rest = " Your infrastructure matches the configuration.";
            if !facts.drift_shown && !options.dialect.explains_no_changes() {
                return headline_alone(out, Role::StrongSuccess, "No changes.", rest);
            }
            success(out, rest)?;
            explain(out, options, &normal_explanation(facts, options))
        }
    }
}

/// Writes the text of a plan without changes, drift and deferred changes.
pub fn nothing_planned(out: &mut Out<'_>, mode: PlanMode, dialect: Dialect, width: usize) -> io::Result<()> {
    let facts = NoChanges { mode, errored: false, drift_shown: false, deferred: false, applyable: false };
    let options = Options { dialect, plan_mode: Some(mode), show_sensitive: false, width, automation: false };
    no_changes(out, &facts, &options)
}

fn normal_explanation(facts: &NoChanges, options: &Options) -> String {
    let (product, command) = (options.dialect.product(), options.dialect.command());
    match (facts.drift_shown, facts.applyable) {
        (false, _) => format!("{product} has compared your real infrastructure against your configuration and found no differences, so no changes are needed."),
        (true, true) => "Your configuration already matches the changes detected above, so applying this plan will only update the state to include the changes detected above and won't change any real infrastructure.".to_owned(),
        (true, false) => {
            let hint = if options.automation { ".".to_owned() } else { format!(":\n  {command} apply -refresh-only") };
            format!("Your configuration already matches the changes detected above. If you'd like to update the {product} state to match, create and apply a refresh-only plan{hint}")
        }
    }
}

fn explain(out: &mut Out<'_>, options: &Options, text: &str) -> io::Result<()> {
    out.lit(&options.wrap(text))?;
    out.lit("\n")
}

/// Writes the text above the drifted resources.
pub(super) fn drift_intro(out: &mut Out<'_>, options: &Options) -> io::Result<()> {
    let (product, command) = (options.dialect.product(), options.dialect.command());
    crate::render::summary::note(out, &format!("Objects have changed outside of {product}"))?;
    out.lit("\n")?;
    out.lit(&options.wrap(&format!("{product} detected the following changes made outside of {product} since the last \"{command} apply\" which may have affected this plan:\n")))
}

/// Writes the text below the drifted resources.
pub(super) fn drift_outro(out: &mut Out<'_>, options: &Options, mode: PlanMode) -> io::Result<()> {
    let product = options.dialect.product();
    let text = match mode {
        PlanMode::RefreshOnly => format!("This is a refresh-only plan, so {product} will not take any actions to undo these. If you were expecting these changes then you can apply this plan to record the updated values in the {product} state without changing any remote objects."),
        PlanMode::Normal | PlanMode::Destroy => "Unless you have made equivalent changes to your configuration, or ignored the relevant attributes using ignore_changes, the following plan may include actions to undo or respond to these changes.".to_owned(),
    };
    out.lit("\n\n")?;
    explain(out, options, &text)
}

/// Writes the explanation of a plan in which only outputs change.
pub(super) fn only_outputs(out: &mut Out<'_>, options: &Options) -> io::Result<()> {
    let product = options.dialect.product();
    let text = format!(
        "\nYou can apply this plan to save these new output values to the {product} state, without changing any real infrastructure."
    );
    explain(out, options, &text)
}
