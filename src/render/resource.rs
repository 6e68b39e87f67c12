//! A resource instance: its comment, its header, its block; deferred ones; and actions.

use std::io;

use super::comment::{Cause, comment, write_marked};
use super::node::diff;
use super::{Context, resource_symbol};
use crate::diff::tree::Diff;
use crate::json::Value;
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::model::{Action, Dialect};
use crate::term::{Out, Role, Untrusted};

/// Writes a resource instance, without a line end behind it. `identity` is the imported identity.
pub fn resource(
    out: &mut Out<'_>,
    change: &ResourceChange<'_>,
    diff: &Diff<'_>,
    cause: Cause,
    dialect: Dialect,
    identity: Option<Value<'_>>,
    show_sensitive: bool,
) -> io::Result<()> {
    write_marked(out, &comment(change, cause, dialect, identity))?;
    resource_symbol(out, &change.change.actions, dialect)?;
    out.lit(" ")?;
    header(out, &change.mode, &change.kind, &change.name)?;
    let forgets = change.change.actions == Action::Forget && dialect.shows_forgotten_values();
    let cx = Context { show_unchanged: change.is_imported(), ..Context::resource(show_sensitive) };
    let cx = Context { hide_symbols: forgets, hide_null_suffix: forgets, ..cx };
    self::diff(out, diff, cx)
}

/// Writes `resource "TYPE" "NAME" `. Names are not escaped, upstream does not either.
pub fn header(out: &mut Out<'_>, mode: &str, kind: &str, name: &str) -> io::Result<()> {
    out.lit(if matches!(mode, "managed" | "") { "resource" } else { "data" })?;
    labels(out, kind, name)
}

/// Writes ` "KIND" "NAME" `.
pub(super) fn labels(out: &mut Out<'_>, kind: &str, name: &str) -> io::Result<()> {
    out.lit(" \"")?;
    out.data(Untrusted(kind))?;
    out.lit("\" \"")?;
    out.data(Untrusted(name))?;
    out.lit("\" ")
}

/// Writes a deferred change (Terraform), without a line end behind it.
pub fn deferred(
    out: &mut Out<'_>,
    reason: &str,
    change: &ResourceChange<'_>,
    diff: &Diff<'_>,
    dialect: Dialect,
    show_sensitive: bool,
) -> io::Result<()> {
    let because = match reason {
        "instance_count_unknown" => "because the number of resource instances is unknown",
        "resource_config_unknown" => "because the resource configuration is unknown",
        "provider_config_unknown" => "because the provider configuration is unknown",
        "deferred_prereq" => "because a prerequisite for this resource is deferred",
        "absent_prereq" => "because a prerequisite for this resource has not yet been created",
        _ => "for an unknown reason",
    };
    write_marked(
        out,
        &format!("[bold]  # {}[reset] was deferred\n[reset]  # ({because})\n", change.address),
    )?;
    resource_symbol(out, &change.change.actions, dialect)?;
    out.lit(" ")?;
    header(out, &change.mode, &change.kind, &change.name)?;
    self::diff(out, diff, Context::resource(show_sensitive))
}

/// Writes an action's block, with its configuration and a line end. `shift` is how
/// far it stands to the right, in spaces.
pub fn action_invocation(
    out: &mut Out<'_>,
    action: &ActionInvocation<'_>,
    config: &Diff<'_>,
    shift: usize,
    show_sensitive: bool,
) -> io::Result<()> {
    out.spaces(shift)?;
    out.lit("action")?;
    labels(out, &action.kind, &action.name)?;
    out.lit("{\n")?;
    // Values stand as unchanged ones do, with the columns of a symbol.
    out.spaces(shift + 4)?;
    out.lit("config ")?;
    let indent = shift / 4;
    diff(out, config, Context { indent, show_unchanged: true, ..Context::resource(show_sensitive) })?;
    out.lit("\n")?;
    out.spaces(shift)?;
    out.lit("}\n")
}

/// Writes the line that names an action: `# ADDRESS` after `shift` spaces.
pub fn action_address(out: &mut Out<'_>, action: &ActionInvocation<'_>, shift: usize) -> io::Result<()> {
    out.spaces(shift)?;
    out.lit("# ")?;
    out.data(Untrusted(&action.address))?;
    out.lit("\n")
}

/// Writes the line that tells who invokes an action.
pub fn action_invoked(out: &mut Out<'_>, action: &ActionInvocation<'_>) -> io::Result<()> {
    out.role_data(Role::Strong, Untrusted(&format!("  # {}", action.address)))?;
    out.lit(" will be invoked")?;
    let caller =
        action.invoke_action_trigger.as_ref().map_or("", |trigger| &*trigger.calling_resource_address);
    if !caller.is_empty() {
        out.lit(" (called from ")?;
        out.data(Untrusted(caller))?;
        out.lit(")")?;
    }
    out.lit("\n")
}
