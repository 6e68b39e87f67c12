//! Renders resource instances (comment, header, block), deferred changes, and actions.

use std::io;

use super::comment::{Cause, comment, write_marked};
use super::node::diff;
use super::{Context, resource_symbol};
use crate::dialect::Dialect;
use crate::diff::tree::Diff;
use crate::json::Value;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::model::{Action, ResourceMode};
use crate::term::TextPart::{Data, Lit, Spaces};
use crate::term::{Out, Role, Untrusted};

/// Writes a resource instance, without a line break at the end. `identity` is the imported identity;
/// `context` determines whether sensitive values and unchanged parts are shown.
pub fn resource(
    out: &mut Out<'_>,
    change: &ResourceChange<'_>,
    diff: &Diff<'_>,
    cause: Cause,
    dialect: Dialect,
    identity: Option<Value<'_>>,
    context: Context,
) -> io::Result<()> {
    write_marked(out, &comment(change, cause, dialect, identity))?;
    let forgets = change.change.actions == Action::Forget && dialect.shows_forgotten_values();
    block(out, change, diff, dialect, Context { hide_symbols: forgets, hide_null_suffix: forgets, ..context })
}

/// Writes the block of a resource instance, below its comment.
fn block(
    out: &mut Out<'_>,
    change: &ResourceChange<'_>,
    diff: &Diff<'_>,
    dialect: Dialect,
    context: Context,
) -> io::Result<()> {
    resource_symbol(out, &change.change.actions, dialect)?;
    out.lit(" ")?;
    header(out, &change.mode, &change.resource_type, &change.name)?;
    let cx = Context {
        show_unchanged: context.show_unchanged || change.is_imported(),
        repeat_replacement: dialect.repeats_replacement_of_unknown(),
        ..context
    };
    self::diff(out, diff, cx)
}

/// Writes `resource "TYPE" "NAME" `. As in upstream, names are not escaped.
pub fn header(out: &mut Out<'_>, mode: &ResourceMode<'_>, kind: &str, name: &str) -> io::Result<()> {
    match mode {
        ResourceMode::Managed => out.lit("resource")?,
        // Upstream's word for all modes but `managed`.
        ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::List => out.lit("data")?,
        ResourceMode::Unknown(name) => out.data(Untrusted(name))?,
    }
    labels(out, kind, name)
}

/// Writes ` "KIND" "NAME" `.
pub(super) fn labels(out: &mut Out<'_>, kind: &str, name: &str) -> io::Result<()> {
    out.parts(&[Lit(" \""), Data(kind), Lit("\" \""), Data(name), Lit("\" ")])
}

/// Writes a deferred change (Terraform), without a line break at the end.
pub fn deferred(
    out: &mut Out<'_>,
    reason: &str,
    change: &ResourceChange<'_>,
    diff: &Diff<'_>,
    dialect: Dialect,
    context: Context,
) -> io::Result<()> {
    let because = match reason {
        "instance_count_unknown" => "because the number of resource instances is unknown",
        "resource_config_unknown" => "because the resource configuration is unknown",
        "provider_config_unknown" => "because the provider configuration is unknown",
        "deferred_prereq" => "because a prerequisite for this resource is deferred",
        "absent_prereq" => "because a prerequisite for this resource has not yet been created",
        _ => "for an unknown reason",
    };
    let comment = format!("[bold]  # {}[reset] was deferred\n[reset]  # ({because})\n", change.address);
    write_marked(out, &comment)?;
    block(out, change, diff, dialect, context)
}

/// Writes the block of an action with its configuration, and a line break. `shift` is the indentation, in
/// spaces.
pub fn action_invocation(
    out: &mut Out<'_>,
    action: &ActionInvocation<'_>,
    config: &Diff<'_>,
    shift: usize,
    show_sensitive: bool,
) -> io::Result<()> {
    out.parts(&[Spaces(shift), Lit("action")])?;
    labels(out, &action.action_type, &action.name)?;
    out.parts(&[Lit("{\n"), Spaces(shift + 4), Lit("config ")])?;
    // As in a state, without symbols, even for unknown values.
    let context = Context::state(show_sensitive);
    diff(out, config, Context { indent: shift / 4 + 1, empty_line: shift + 4, ..context })?;
    out.parts(&[Lit("\n"), Spaces(shift), Lit("}\n")])
}

/// Writes `# ADDRESS` after `shift` spaces, in releases that print the address of an action.
pub fn action_address(
    out: &mut Out<'_>,
    action: &ActionInvocation<'_>,
    shift: usize,
    dialect: Dialect,
) -> io::Result<()> {
    if !dialect.names_invoked_actions() {
        return Ok(());
    }
    out.parts(&[Spaces(shift), Lit("# "), Data(&action.address), Lit("\n")])
}

/// Writes the line about the invocation of an action and its caller.
pub fn action_invoked(out: &mut Out<'_>, action: &ActionInvocation<'_>) -> io::Result<()> {
    out.role_data(Role::Strong, Untrusted(&format!("  # {}", action.address)))?;
    out.lit(" will be invoked")?;
    let caller =
        action.invoke_action_trigger.as_ref().map_or("", |trigger| &*trigger.calling_resource_address);
    if !caller.is_empty() {
        out.parts(&[Lit(" (called from "), Data(caller), Lit(")")])?;
    }
    out.lit("\n")
}
