//! Renders resource instances (comment, header, block), deferred changes, and actions.
//!
//! The comment is built with the tools' in-band markup, because the tools parse the markup after they have inserted the
//! address.

use std::io;

use super::{Context, diff, resource_symbol};
use crate::dialect::{Dialect, LEFT_OVER};
use crate::diff::tree::Diff;
use crate::json::{Raw, Value};
use crate::model::plan::{ActionInvocation, ResourceChange};
use crate::model::{Action, ResourceMode};
use crate::term::TextPart::{Data, Lit, Spaces};
use crate::term::{Out, Role, Untrusted};
use crate::text::markup::{self, Codes};

/// Writes the text of a resource's change, without a line break at its end. `identity` is the identity by which the
/// object is imported, if there is one.
pub fn resource(
    out: &mut Out<'_>,
    change: &ResourceChange<'_>,
    diff: &Diff<'_>,
    cause: Cause,
    identity: Option<Value<'_>>,
    cx: Context,
) -> io::Result<()> {
    write_marked(out, &comment(change, cause, cx.dialect, identity))?;
    let forgets = change.change.actions == Action::Forget && cx.dialect.shows_forgotten_values();
    block(
        out,
        change,
        diff,
        Context {
            hide_symbols: forgets,
            hide_null_suffix: forgets,
            ..cx
        },
    )
}

/// Writes the header and the block of a resource. For imported objects, unchanged values are shown, too.
fn block(
    out: &mut Out<'_>,
    change: &ResourceChange<'_>,
    diff: &Diff<'_>,
    cx: Context,
) -> io::Result<()> {
    resource_symbol(out, &change.change.actions, cx.dialect)?;
    out.lit(" ")?;
    header(out, &change.mode, &change.resource_type, &change.name)?;
    self::diff(
        out,
        diff,
        Context {
            show_unchanged: cx.show_unchanged || change.is_imported(),
            ..cx
        },
    )
}

/// Writes the header `resource "TYPE" "NAME" `. As in upstream, names are not escaped.
pub fn header(
    out: &mut Out<'_>,
    mode: &ResourceMode<'_>,
    kind: &str,
    name: &str,
) -> io::Result<()> {
    match mode {
        ResourceMode::Managed => out.lit("resource")?,
        // Upstream uses this word for all modes except `managed`.
        ResourceMode::Data | ResourceMode::Ephemeral | ResourceMode::List => out.lit("data")?,
        ResourceMode::Unknown(name) => out.data(Untrusted(name))?,
    }
    labels(out, kind, name)
}

/// Writes the type and the name, in quotes.
fn labels(out: &mut Out<'_>, kind: &str, name: &str) -> io::Result<()> {
    out.parts(&[Lit(" \""), Data(kind), Lit("\" \""), Data(name), Lit("\" ")])
}

/// Writes a deferred change, without a line break at its end. Only Terraform has such changes.
pub fn deferred(
    out: &mut Out<'_>,
    reason: &str,
    change: &ResourceChange<'_>,
    diff: &Diff<'_>,
    cx: Context,
) -> io::Result<()> {
    let because = match reason {
        "instance_count_unknown" => "because the number of resource instances is unknown",
        "resource_config_unknown" => "because the resource configuration is unknown",
        "provider_config_unknown" => "because the provider configuration is unknown",
        "deferred_prereq" => "because a prerequisite for this resource is deferred",
        "absent_prereq" => "because a prerequisite for this resource has not yet been created",
        _ => "for an unknown reason",
    };
    let comment = format!(
        "[bold]  # {}[reset] was deferred\n[reset]  # ({because})\n",
        change.address
    );
    write_marked(out, &comment)?;
    block(out, change, diff, cx)
}

/// Writes the header and the configuration of an action. Only some releases print the address above them.
pub fn action_invocation(
    out: &mut Out<'_>,
    action: &ActionInvocation<'_>,
    config: &Diff<'_>,
    cx: Context,
) -> io::Result<()> {
    /// The indentation, in columns.
    const SHIFT: usize = 4;
    out.spaces(SHIFT)?;
    if cx.dialect.names_invoked_actions() {
        out.parts(&[Lit("# "), Data(&action.address), Lit("\n"), Spaces(SHIFT)])?;
    }
    out.lit("action")?;
    labels(out, &action.action_type, &action.name)?;
    out.parts(&[Lit("{\n"), Spaces(SHIFT + 4), Lit("config ")])?;
    // As in a state, there are no symbols, not even for unknown values.
    let state = Context::state(cx.dialect, cx.show_sensitive);
    diff(
        out,
        config,
        Context {
            indent: SHIFT / 4 + 1,
            empty_line: SHIFT + 4,
            ..state
        },
    )?;
    out.parts(&[Lit("\n"), Spaces(SHIFT), Lit("}\n")])
}

/// Writes the comment above an action that the command line invokes.
pub fn action_invoked(out: &mut Out<'_>, action: &ActionInvocation<'_>) -> io::Result<()> {
    out.role_data(Role::Strong, Untrusted(&format!("  # {}", action.address)))?;
    out.lit(" will be invoked")?;
    let caller = action
        .invoke_action_trigger
        .as_ref()
        .map_or("", |trigger| &*trigger.calling_resource_address);
    if !caller.is_empty() {
        out.parts(&[Lit(" (called from "), Data(caller), Lit(")")])?;
    }
    out.lit("\n")
}

/// The reason why a change is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The plan contains the change.
    Proposed,
    /// The change was made outside of the tool.
    Drift,
}

/// Returns the comment above a resource, in the tools' markup. `identity` is the identity by which the object is
/// imported, if there is one.
fn comment(
    change: &ResourceChange<'_>,
    cause: Cause,
    dialect: Dialect,
    identity: Option<Value<'_>>,
) -> String {
    let address = shown_address(change);
    let mut text = headline(change, &address, cause, dialect);
    // The first line of an unchanged object is about its move, or else about its import.
    let is_unchanged = change.change.actions == Action::NoOp;
    if change.is_moved() && !is_unchanged {
        text.push_str(&format!(
            "\n  # [reset](moved from {})",
            change.previous_address
        ));
    }
    if let Some(importing) = &change.change.importing
        && (!is_unchanged || change.is_moved() || dialect.says_import_of_no_op())
    {
        text.push_str("\n  # [reset]");
        text.push_str(
            &match identity.filter(|_| dialect.prints_imported_identity()) {
                _ if !importing.id.is_empty() => format!("(imported from \"{}\")", importing.id),
                Some(identity) => format!("imported using resource identity: {}", pretty(identity)),
                None => "(will be imported first)".to_owned(),
            },
        );
    }
    if change.is_imported() && change.change.actions.is_replace() {
        text.push_str(
            "\n  # [reset][yellow]Warning: this will destroy the imported resource[reset]",
        );
    }
    text.push('\n');
    text
}

/// Returns the address, with the key of a deposed object.
fn shown_address(change: &ResourceChange<'_>) -> String {
    if change.deposed.is_empty() {
        change.address.to_string()
    } else {
        format!("{} (deposed object {})", change.address, change.deposed)
    }
}

/// Returns the first line of the comment above a resource, in the tools' markup.
fn headline(change: &ResourceChange<'_>, address: &str, cause: Cause, dialect: Dialect) -> String {
    let drift = cause == Cause::Drift;
    let subject = format!("[bold]  # {address}[reset]");
    match &change.change.actions {
        Action::Create => format!("{subject} will be created"),
        Action::Read => {
            format!(
                "{subject} will be read during apply{}",
                read_reason(&change.action_reason, dialect)
            )
        }
        Action::Update if drift => format!("{subject} has changed"),
        Action::Update => format!("{subject} will be updated in-place"),
        Action::DeleteThenCreate | Action::CreateThenDelete => {
            format!("{subject} {}[reset]", replacement(change, dialect))
        }
        action @ (Action::ForgetThenCreate | Action::CreateThenForget)
            if dialect.replaces_with(action) =>
        {
            let is_deposed = !change.deposed.is_empty();
            dialect.kept_comment(address, replacement(change, dialect), is_deposed)
        }
        Action::Delete if drift => format!(
            "{subject} has been deleted{}",
            delete_notes(change, dialect)
        ),
        Action::Delete => {
            format!(
                "{subject} will be [bold][red]destroyed[reset]{}",
                delete_notes(change, dialect)
            )
        }
        Action::Forget => {
            dialect.forget_comment(address, &change.action_reason, !change.deposed.is_empty())
        }
        Action::NoOp if change.is_moved() => {
            format!(
                "[bold]  # {}[reset] has moved to [bold]{address}[reset]",
                change.previous_address
            )
        }
        Action::NoOp if change.is_imported() => {
            let generated = if change.change.generated_config.is_empty() {
                ""
            } else {
                "\n  # (config will be generated)"
            };
            format!("{subject} will be imported{generated}")
        }
        // Upstream does not list such a change, but `show --address` does.
        Action::NoOp if !drift => format!("{subject} will not change"),
        // These are upstream's words for an action that it does not expect in a plan.
        Action::Open => {
            format!("{address} has an action the plan renderer doesn't support (this is a bug)")
        }
        Action::NoOp | Action::ForgetThenCreate | Action::CreateThenForget | Action::Unknown(_) => {
            // Upstream has no words for these, or panics, so the list of actions itself is shown.
            format!(
                "{subject} has an action the plan renderer doesn't support: {}",
                change.change.actions.words()
            )
        }
    }
}

/// Returns the line of the comment about the reason of a read, if it is known.
fn read_reason(reason: &str, dialect: Dialect) -> &'static str {
    match reason {
        "read_because_config_unknown" => "\n  # (config refers to values not yet known)",
        "read_because_dependency_pending" => {
            "\n  # (depends on a resource or a module with changes pending)"
        }
        "read_because_check_nested" if dialect.knows_checks() => {
            "\n  # (config will be reloaded to verify a check block)"
        }
        _ => "",
    }
}

/// Returns the words for a replacement, with its reason.
fn replacement(change: &ResourceChange<'_>, dialect: Dialect) -> &'static str {
    match &*change.action_reason {
        "replace_because_tainted" => dialect.tainted(),
        "replace_by_request" => "will be [bold][red]replaced[reset], as requested",
        "replace_by_triggers" => {
            "will be [bold][red]replaced[reset] due to changes in replace_triggered_by"
        }
        _ => "must be [bold][red]replaced",
    }
}

/// Returns the lines of the comment about the reason why an object is destroyed.
fn delete_notes(change: &ResourceChange<'_>, dialect: Dialect) -> String {
    let index = change.index.map_or("", Raw::text);
    let because = match &*change.action_reason {
        "delete_because_no_resource_config" => {
            format!(
                "{}.{} is not in configuration",
                change.resource_type, change.name
            )
        }
        "delete_because_no_move_target" => {
            format!(
                "{} was moved to {}, which is not in configuration",
                change.previous_address, change.address
            )
        }
        "delete_because_no_module" => format!("{} is not in configuration", change.module_address),
        "delete_because_wrong_repetition" => match index.as_bytes().first() {
            None => "resource uses count or for_each".to_owned(),
            Some(b'"') => "resource does not use for_each".to_owned(),
            Some(_) => "resource does not use count".to_owned(),
        },
        "delete_because_count_index" => format!("index [{index}] is out of range for count"),
        "delete_because_each_key" => format!("key [{index}] is not in for_each map"),
        "delete_because_enabled_false" if dialect.knows_enabled() => "enabled is false".to_owned(),
        _ => String::new(),
    };
    let because = if because.is_empty() {
        because
    } else {
        format!("\n  # (because {because})")
    };
    if change.deposed.is_empty() {
        because
    } else {
        because + LEFT_OVER
    }
}

/// Returns a value as indented JSON, whose further lines are commented out.
fn pretty(value: Value<'_>) -> String {
    // Values cannot fail to be serialized.
    serde_json::to_string_pretty(&value)
        .unwrap_or_default()
        .replace('\n', "\n  # ")
}

/// Writes a text whose markup is interpreted.
fn write_marked(out: &mut Out<'_>, text: &str) -> io::Result<()> {
    let parts = markup::parts(text, &mut Codes::default());
    parts
        .iter()
        .try_for_each(|(prefix, look, part)| out.prefixed_data(prefix, *look, Untrusted(part)))
}
