//! Finds what an apply runs besides its providers: the provisioners of objects that are created, replaced or destroyed,
//! and the programs of `external` data sources.
//!
//! Each is a reason of its entry: `runs local-exec: make install`. If the configuration gives the command as a
//! constant, it is shown; otherwise the references that it is made of are named.
//!
//! ```text
//! "provisioners": [{"type": "local-exec", "expressions": {"command": {"constant_value": "make install"}}}]
//!
//! Reason { code: "runs", text: "runs local-exec: make install" }
//! ```

use bumpalo::Bump;

use crate::json::Value;
use crate::model::plan::Plan;
use crate::model::{Action, Configuration};
use crate::review::credentials::Known;
use crate::review::entry::{Entry, Reason, reason_codes};
use crate::review::masks::Masks;
use crate::review::one_line;
use crate::text::{count, first_of};

/// The maximum number of provisioners of an entry that are named, and of references of a command.
const MAX_NAMED: usize = 3;

/// The maximum length of a command that is shown, in characters.
const MAX_LEN: usize = 200;

/// Adds a reason to each entry whose apply runs a provisioner or a program.
pub(super) fn add<'a>(resources: &mut [Entry<'a>], plan: &Plan<'a>, arena: &'a Bump) {
    let has_external = |entry: &Entry<'_>| entry.resource_type == "external";
    let configuration = plan.configuration();
    if !configuration.has_provisioners() && !resources.iter().any(has_external) {
        return;
    }
    for entry in resources {
        let words = words(entry, &configuration, arena);
        for text in words {
            // A command may have a credential in it.
            let shown = Masks::default()
                .text(&text, None, Known::default())
                .unwrap_or(text);
            entry.reasons.push(Reason {
                code: reason_codes::RUNS.to_owned(),
                text: one_line(&shown),
            });
        }
    }
}

/// Returns what applying an entry runs: one phrase for each provisioner, up to `MAX_NAMED`, and one for the others.
fn words<'a>(entry: &Entry<'a>, configuration: &Configuration<'a>, arena: &'a Bump) -> Vec<String> {
    let is_data = entry.mode == "data";
    if is_data && !(entry.resource_type == "external" && entry.action == Action::Read) {
        return Vec::new();
    }
    let Some(module) = configuration.module(entry.module_address) else {
        return Vec::new();
    };
    if is_data {
        let arguments = configuration.resource(module, "data", "external", entry.name);
        let arguments = arguments.and_then(|raw| raw.value(arena).ok());
        let program = arguments.and_then(|all| all.get("program"));
        return vec![format!("runs a program{}", written(program))];
    }
    let verb = match &entry.action {
        Action::Create | Action::CreateThenForget | Action::ForgetThenCreate => "runs",
        Action::DeleteThenCreate | Action::CreateThenDelete => "runs",
        // Plans do not say whether a provisioner is for the creation or for the end of an object.
        Action::Delete | Action::Unknown(_) => "may run",
        Action::NoOp | Action::Read | Action::Open | Action::Update | Action::Forget => {
            return Vec::new();
        }
    };
    let blocks = configuration
        .blocks(module, entry.resource_type, entry.name)
        .iter();
    let lists = blocks.filter_map(|block| block.provisioners?.value(arena).ok());
    let all: Vec<Value<'a>> = lists
        .flat_map(|list| list.as_array().unwrap_or_default().to_vec())
        .collect();
    let mut words: Vec<String> = all
        .iter()
        .take(MAX_NAMED)
        .map(|provisioner| format!("{verb} {}", provisioner_words(*provisioner)))
        .collect();
    if all.len() > MAX_NAMED {
        words.push(format!(
            "{verb} {}",
            count(all.len() - MAX_NAMED, "more provisioner")
        ));
    }
    words
}

/// Returns the name of a provisioner with its command.
fn provisioner_words(provisioner: Value<'_>) -> String {
    let name = provisioner.get("type").and_then(|name| name.as_str());
    let arguments = provisioner.get("expressions");
    let command = ["command", "inline", "script", "scripts", "source"]
        .into_iter()
        .find_map(|name| arguments?.get(name));
    format!("{}{}", name.unwrap_or("a provisioner"), written(command))
}

/// Returns an expression in words, to follow the name of what runs: a constant after a colon, or the references that it
/// is made of. Empty if neither is known.
fn written(expression: Option<Value<'_>>) -> String {
    let Some(expression) = expression else {
        return String::new();
    };
    let constant = match expression.get("constant_value") {
        Some(Value::String(text)) => Some(text.to_owned()),
        Some(Value::Array(items)) => {
            let texts: Option<Vec<&str>> = items.iter().map(|item| item.as_str()).collect();
            texts.map(|texts| texts.join(" "))
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => None,
    };
    if let Some(text) = constant {
        let text = text.trim();
        return match text.char_indices().nth(MAX_LEN) {
            Some((end, _)) => format!(": {}…", &text[..end]),
            None => format!(": {text}"),
        };
    }
    let references = expression
        .get("references")
        .and_then(|list| list.as_array().map(<[_]>::to_vec));
    let names: Vec<&str> = references
        .iter()
        .flatten()
        .filter_map(|one| one.as_str())
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!(", made from {}", first_of(names, MAX_NAMED)),
    }
}
