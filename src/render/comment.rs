//! The comment above a resource instance: its action and the reasons.
//!
//! Comments are built with the tools' in-band markup, because the tools parse the markup after inserting
//! the address.

use std::io;

use crate::dialect::{Dialect, Tool};
use crate::json::Value;
use crate::model::Action;
use crate::model::plan::ResourceChange;
use crate::term::{Out, Untrusted};
use crate::text::markup::{self, Piece};
use crate::text::plan::LEFT_OVER;

/// The cause of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Planned.
    Proposed,
    /// Made outside of the tool.
    Drift,
}

/// The comment, with markup. `identity` is the imported identity, if there is one.
pub(super) fn comment(
    change: &ResourceChange<'_>,
    cause: Cause,
    dialect: Dialect,
    identity: Option<Value<'_>>,
) -> String {
    let address = shown_address(change);
    let (mut text, first_line) = headline(change, &address, cause, dialect);
    if change.is_moved() && first_line != FirstLine::Move {
        text.push_str(&format!("\n  # [reset](moved from {})", change.previous_address));
    }
    if let Some(importing) = &change.change.importing
        && (first_line != FirstLine::Import || dialect.says_import_of_no_op())
    {
        text.push_str("\n  # [reset]");
        text.push_str(&match identity.filter(|_| dialect.prints_imported_identity()) {
            _ if !importing.id.is_empty() => format!("(imported from \"{}\")", importing.id),
            Some(identity) => format!("imported using resource identity: {}", pretty(identity)),
            None => "(will be imported first)".to_owned(),
        });
    }
    if change.is_imported() && change.change.actions.is_replace() {
        text.push_str("\n  # [reset][yellow]Warning: this will destroy the imported resource[reset]");
    }
    text.push('\n');
    text
}

/// The displayed address, including the key of a deposed object.
fn shown_address(change: &ResourceChange<'_>) -> String {
    if change.deposed.is_empty() {
        change.address.to_string()
    } else {
        format!("{} (deposed object {})", change.address, change.deposed)
    }
}

/// The information in the first line of a comment, which further lines need not repeat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FirstLine {
    /// The planned action.
    Action,
    /// The move of the instance.
    Move,
    /// The import.
    Import,
}

/// The first line, and the reasons below it.
fn headline(
    change: &ResourceChange<'_>,
    address: &str,
    cause: Cause,
    dialect: Dialect,
) -> (String, FirstLine) {
    let drift = cause == Cause::Drift;
    let subject = format!("[bold]  # {address}[reset]");
    let text = match &change.change.actions {
        Action::Create => format!("{subject} will be created"),
        Action::Read => {
            format!("{subject} will be read during apply{}", read_reason(&change.action_reason, dialect))
        }
        Action::Update if drift => format!("{subject} has changed"),
        Action::Update => format!("{subject} will be updated in-place"),
        Action::DeleteThenCreate | Action::CreateThenDelete => {
            format!("{subject} {}[reset]", replacement(change, dialect))
        }
        action @ (Action::ForgetThenCreate | Action::CreateThenForget) if dialect.replaces_with(action) => {
            match dialect.tool {
                Tool::OpenTofu => {
                    let left_over = if change.deposed.is_empty() { "" } else { LEFT_OVER };
                    format!(
                        "{subject} {}[reset] - [yellow]older instance will [bold]not[reset][yellow] be destroyed [reset]([bold]lifecycle.destroy = false[reset]){left_over}",
                        replacement(change, dialect)
                    )
                }
                Tool::Terraform => format!(
                    "[bold] # {address}[reset] must be replaced, but the existing object will not be destroyed\n # (destroy = false is set in the configuration)"
                ),
            }
        }
        Action::Delete if drift => format!("{subject} has been deleted{}", delete_notes(change, dialect)),
        Action::Delete => {
            format!("{subject} will be [bold][red]destroyed[reset]{}", delete_notes(change, dialect))
        }
        Action::Forget => dialect.forget_comment(address, &change.action_reason, !change.deposed.is_empty()),
        Action::NoOp if change.is_moved() => {
            return (
                format!("[bold]  # {}[reset] has moved to [bold]{address}[reset]", change.previous_address),
                FirstLine::Move,
            );
        }
        Action::NoOp if change.is_imported() => {
            let generated = if change.change.generated_config.is_empty() {
                ""
            } else {
                "\n  # (config will be generated)"
            };
            return (format!("{subject} will be imported{generated}"), FirstLine::Import);
        }
        // Upstream does not list this change, but `show --address` does.
        Action::NoOp if !drift => format!("{subject} will not change"),
        // Upstream's words for an action that it does not expect in a plan.
        Action::Open => format!("{address} has an action the plan renderer doesn't support (this is a bug)"),
        Action::NoOp | Action::ForgetThenCreate | Action::CreateThenForget | Action::Unknown(_) => {
            // Upstream has no words for these (or panics), so the action list itself is shown.
            format!(
                "{subject} has an action the plan renderer doesn't support: {}",
                change.change.actions.words()
            )
        }
    };
    (text, FirstLine::Action)
}

fn read_reason(reason: &str, dialect: Dialect) -> &'static str {
    match reason {
        "read_because_config_unknown" => "\n  # (config refers to values not yet known)",
        "read_because_dependency_pending" => "\n  # (depends on a resource or a module with changes pending)",
        "read_because_check_nested" if dialect.knows_checks() => {
            "\n  # (config will be reloaded to verify a check block)"
        }
        _ => "",
    }
}

fn replacement(change: &ResourceChange<'_>, dialect: Dialect) -> &'static str {
    match &*change.action_reason {
        "replace_because_tainted" => dialect.tainted(),
        "replace_by_request" => "will be [bold][red]replaced[reset], as requested",
        "replace_by_triggers" => "will be [bold][red]replaced[reset] due to changes in replace_triggered_by",
        _ => "must be [bold][red]replaced",
    }
}

/// The reason for a deletion, and the note for an object left behind by a failed replacement.
fn delete_notes(change: &ResourceChange<'_>, dialect: Dialect) -> String {
    let index = change.index.map_or("", crate::json::Raw::text);
    let because = match &*change.action_reason {
        "delete_because_no_resource_config" => {
            format!("{}.{} is not in configuration", change.resource_type, change.name)
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
    let because = if because.is_empty() { because } else { format!("\n  # (because {because})") };
    if change.deposed.is_empty() { because } else { because + LEFT_OVER }
}

/// Multi-line JSON, with the comment sign before each continuation line.
fn pretty(value: Value<'_>) -> String {
    // Values cannot fail.
    serde_json::to_string_pretty(&value).unwrap_or_default().replace('\n', "\n  # ")
}

/// Writes a text, interpreting the tools' markup.
pub(super) fn write_marked(out: &mut Out<'_>, text: &str) -> io::Result<()> {
    let mut codes = markup::Codes::default();
    for piece in markup::pieces(text) {
        match piece {
            Piece::Text(text) => out.prefixed_data(&codes.prefix(), codes.look(), Untrusted(text))?,
            Piece::Code(code) => codes.push(code),
        }
    }
    Ok(())
}
