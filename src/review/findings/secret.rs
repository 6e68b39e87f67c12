//! Finds credentials in plain text.
//!
//! Invariants: no finding has a credential in its text; a value that is marked sensitive, or that was there before, is
//! no finding.
//!
//! ```text
//! environment[0].variables.DB_PASSWORD = "kX9…"
//!
//! Finding { kind: Secret, text: "environment.variables.DB_PASSWORD: password in plain text", … }
//! ```

use std::collections::HashSet;
use std::sync::Arc;

use super::short;
use crate::diff::edits::Path;
use crate::diff::value::{MarkedValue, Redactor};
use crate::glob;
use crate::review::credentials::Credentials;
use crate::review::entry::{Effect, Entry, Finding, FindingKind, Level, RuleOrigin};
use crate::review::names;
use crate::review::value_path::{PathStep, Side, member_text, path_of_edit, path_text};

/// The maximum number of credentials in one object that have a finding of their own.
const MAX_FOUND: usize = 20;

/// Returns the findings about credentials of an object that were not there before. `resource_type` is empty for
/// outputs. In objects that are meant to hold secrets, they are only notices.
pub(in crate::review) fn of_credentials<'a, 'w>(
    credentials: &Credentials<'w>,
    resource_type: &str,
    after: MarkedValue<'w>,
    redactor: Redactor<'a>,
) -> Vec<Finding<'a>> {
    let is_meant = !credentials.after.is_empty() && is_holder(resource_type, after);
    let level = if is_meant {
        Level::Notice
    } else {
        Level::Critical
    };
    let mut known: HashSet<&str> = credentials.known.iter().map(String::as_str).collect();
    let new = credentials
        .after
        .iter()
        .filter(|(.., text)| known.insert(text));
    let finding = |(path, name, _): &(Vec<PathStep<'w>>, &str, String)| {
        let shown_path = path_text(path);
        let text = match &*shown_path {
            "" => format!("{name} in plain text"),
            shown_path => format!("{}: {name} in plain text", short(shown_path)),
        };
        Finding {
            kind: FindingKind::Secret,
            path: path_of_edit(path, Side::After, redactor),
            text,
            level,
            weight: u8::from(name.contains("private key")),
            rule: Arc::from("secret"),
            effect: Effect::Means {
                words: format!("{name} in plain text"),
            },
            is_expected: false,
            is_undone: false,
            origin: RuleOrigin::BuiltIn,
        }
    };
    new.take(MAX_FOUND).map(finding).collect()
}

/// Returns the finding about an output that was sensitive and no longer is, so that everybody sees its value from now
/// on.
pub(in crate::review) fn uncovered<'a>(
    before: MarkedValue<'_>,
    after: MarkedValue<'_>,
) -> Option<Finding<'a>> {
    let is_uncovered = before.has_marks && !after.has_marks && !after.is_null();
    is_uncovered.then(|| Finding {
        kind: FindingKind::Secret,
        path: Path::ROOT,
        text: "no longer sensitive: its value is shown from now on".to_owned(),
        level: Level::Warning,
        weight: 0,
        rule: Arc::from("secret"),
        effect: Effect::Other,
        is_expected: false,
        is_undone: false,
        origin: RuleOrigin::BuiltIn,
    })
}

/// Returns the findings about secrets that a reference in the configuration puts into an attribute that is stored in
/// plain text, each with the index of its entry. Such a value is known only after apply.
pub(in crate::review) fn references<'a>(
    entries: &[Entry<'a>],
    redactor: Redactor<'a>,
) -> Vec<(usize, Finding<'a>)> {
    let mut references = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let after = match entry.exact_edits.exact() {
            [edit] if edit.path.is_empty() => edit.after,
            _ => None,
        };
        let is_encrypted = entry.resource_type == "aws_ssm_parameter"
            && after.and_then(|object| member_text(object, "type")) != Some("String");
        if is_encrypted {
            continue;
        }
        for given in &entry.given {
            let attribute = format!("{}.{}", entry.resource_type, given.attribute);
            let is_plain = names::PLAIN_STORES
                .iter()
                .any(|glob| glob::matches(glob, &attribute));
            let source = given
                .sources
                .iter()
                .find_map(|source| Some((source, secret_source(source)?)));
            let Some((source, what)) = source.filter(|_| is_plain) else {
                continue;
            };
            let path = [PathStep::Name(given.attribute)];
            references.push((
                index,
                Finding {
                    kind: FindingKind::Secret,
                    path: path_of_edit(&path, Side::After, redactor),
                    text: short(&format!(
                        "{}: {what} from {source} in plain text",
                        given.attribute
                    )),
                    level: Level::Warning,
                    weight: 0,
                    rule: Arc::from("secret"),
                    effect: Effect::Other,
                    is_expected: false,
                    is_undone: false,
                    origin: RuleOrigin::BuiltIn,
                },
            ));
        }
    }
    references
}

/// Returns what an attribute of another resource is, if it is a secret.
fn secret_source(source: &str) -> Option<&'static str> {
    let (object, attribute) = source.rsplit_once('.')?;
    match attribute {
        "private_key_pem" | "private_key_pem_pkcs8" | "private_key_openssh" | "private_key" => {
            Some("private key")
        }
        "result" if object.contains("random_password.") => Some("password"),
        _ => None,
    }
}

/// Whether an object is meant to hold secrets.
fn is_holder(resource_type: &str, object: MarkedValue<'_>) -> bool {
    match resource_type {
        "" => false,
        "aws_ssm_parameter" => member_text(object, "type") == Some("SecureString"),
        "kubernetes_manifest" => {
            let kind = object
                .get("manifest")
                .and_then(|manifest| member_text(manifest, "kind"));
            kind == Some("Secret")
        }
        _ => names::TYPES_THAT_HOLD_SECRETS
            .iter()
            .any(|glob| glob::matches(glob, resource_type)),
    }
}
