//! Compares two versions of schemas and classifies the changes by their effect on configurations and
//! states.
//!
//! A change is breaking if it can make a valid configuration or a reference invalid: a removed member, a
//! changed type, a newly required member, a tighter limit. It is perhaps breaking if that depends on the
//! use. Descriptions are not compared.
//!
//! Invariant: every difference in what a configuration may contain is reported; an added or removed part is
//! reported once, not together with its members.

mod members;

use std::collections::HashMap;

use bumpalo::Bump;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::Error;
use super::catalog::{Body, Entry, Function, SchemaKind};

/// The effect of a change on users of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Valid configurations may become invalid.
    Breaking,
    /// Whether configurations become invalid depends on the use.
    Perhaps,
    /// No action is needed.
    #[cfg_attr(feature = "cli", value(name = "any"))]
    Fine,
}

impl Severity {
    /// All severities, the most severe first.
    pub const ALL: [Self; 3] = [Self::Breaking, Self::Perhaps, Self::Fine];

    /// The name of the severity.
    pub fn word(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Perhaps => "perhaps",
            Self::Fine => "fine",
        }
    }
}

/// A difference. Its texts contain names from the files: print them as untrusted data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Change {
    /// The effect of the change.
    pub severity: Severity,
    /// The provider, by its name in the new file if it is there.
    pub provider: String,
    /// The kind of the schema.
    pub kind: SchemaKind,
    /// The name of the schema.
    pub name: String,
    /// The path in the schema; empty for the schema itself.
    #[serde(serialize_with = "written")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub path: String,
    /// The description of the change.
    #[serde(rename = "change")]
    pub what: String,
}

/// Serializes a text; null if it is empty.
pub(super) fn written<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(text).filter(|text| !text.is_empty()).serialize(serializer)
}

/// The differences between the schemas of two files, sorted by severity, then by name.
///
/// # Errors
/// If a schema that differs does not conform to its format.
pub fn compare<'a>(old: &[Entry<'a>], new: &[Entry<'a>], arena: &'a Bump) -> Result<Vec<Change>, Error> {
    let mut changes = Vec::new();
    for sides in paired(old, new) {
        let (entry, severity, what) = match sides {
            (Some(old), Some(new)) => {
                if old.text() != new.text() {
                    Comparison { entry: new, changes: &mut changes }.schemas(old, new, arena)?;
                }
                continue;
            }
            (Some(entry), None) => (entry, Severity::Breaking, "removed"),
            (None, Some(entry)) => (entry, Severity::Fine, "added"),
            (None, None) => continue,
        };
        Comparison { entry, changes: &mut changes }.add(severity, "", what.to_owned());
    }
    crate::sort::by(&mut changes, |a, b| {
        let order = a.severity.cmp(&b.severity).then_with(|| a.provider.cmp(&b.provider));
        order.then_with(|| (a.kind, &a.name, &a.path).cmp(&(b.kind, &b.name, &b.path)))
    });
    Ok(changes)
}

/// The providers of the old file by their names in the new one. Old files name a provider only by its
/// type, and registries differ, so names with the same last part match if there is only one on each side.
fn new_names(old: &[Entry<'_>], new: &[Entry<'_>]) -> HashMap<String, String> {
    let (old, new) = (providers(old), providers(new));
    if let ([before], [after]) = (old.as_slice(), new.as_slice()) {
        return HashMap::from([(before.clone(), after.clone())]);
    }
    let (by_last_old, by_last_new) = (by_last(&old), by_last(&new));
    let only = by_last_old.into_iter().filter_map(|(last, names)| {
        match (names.as_slice(), by_last_new.get(last).map(Vec::as_slice)) {
            ([before], Some([after])) => Some(((*before).clone(), (*after).clone())),
            _ => None,
        }
    });
    only.collect()
}

fn providers(entries: &[Entry<'_>]) -> Vec<String> {
    let mut names: Vec<String> = entries.iter().map(|entry| entry.provider.to_string()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names grouped by their last part.
fn by_last(names: &[String]) -> HashMap<&str, Vec<&String>> {
    let mut found: HashMap<&str, Vec<&String>> = HashMap::new();
    for name in names {
        found.entry(name.rsplit('/').next().unwrap_or_default()).or_default().push(name);
    }
    found
}

/// A schema on both sides; `None` where it is not.
type Sides<'e, 'a> = (Option<&'e Entry<'a>>, Option<&'e Entry<'a>>);

fn paired<'e, 'a>(old: &'e [Entry<'a>], new: &'e [Entry<'a>]) -> Vec<Sides<'e, 'a>> {
    let names = new_names(old, new);
    // The schema of a provider's configuration is named after the provider, whose name may differ.
    let name = |entry: &Entry<'_>| {
        if entry.kind == SchemaKind::Provider { String::new() } else { entry.name.to_string() }
    };
    let mut by_key = HashMap::new();
    for entry in new {
        by_key.insert((entry.provider.to_string(), entry.kind, name(entry)), entry);
    }
    let mut sides = Vec::new();
    for entry in old {
        let provider = names.get(&*entry.provider).map_or(&*entry.provider, String::as_str).to_owned();
        sides.push((Some(entry), by_key.remove(&(provider, entry.kind, name(entry)))));
    }
    for entry in new {
        if by_key.contains_key(&(entry.provider.to_string(), entry.kind, name(entry))) {
            sides.push((None, Some(entry)));
        }
    }
    sides
}

/// The comparison of one schema.
struct Comparison<'c, 'e, 'a> {
    entry: &'e Entry<'a>,
    changes: &'c mut Vec<Change>,
}

impl<'a> Comparison<'_, '_, 'a> {
    fn add(&mut self, severity: Severity, path: &str, what: impl Into<String>) {
        self.changes.push(Change {
            severity,
            provider: self.entry.provider.to_string(),
            kind: self.entry.kind,
            name: self.entry.name.to_string(),
            path: path.to_owned(),
            what: what.into(),
        });
    }

    fn schemas(&mut self, old: &Entry<'a>, new: &Entry<'a>, arena: &'a Bump) -> Result<(), Error> {
        let (old, new) = (old.schema(arena)?, new.schema(arena)?);
        let version = |version: Option<&str>| version.and_then(|version| version.parse::<u64>().ok());
        if let (Some(before), Some(after)) = (version(old.version), version(new.version)) {
            // States written with the newer schema version can no longer be read.
            if after < before {
                self.add(
                    Severity::Breaking,
                    "",
                    format!("schema version {before} -> {after}: states cannot go back"),
                );
            } else if after > before {
                self.add(Severity::Fine, "", format!("schema version {before} -> {after}"));
            }
        }
        self.deprecation(old.about.deprecated, new.about.deprecated, "");
        match (&old.body, &new.body) {
            (Body::Members(old), Body::Members(new)) => self.members(old, new, "", true),
            (Body::Function(old), Body::Function(new)) => self.function(old, new),
            (Body::Members(_), Body::Function(_)) | (Body::Function(_), Body::Members(_)) => {
                self.add(Severity::Breaking, "", "something else");
            }
        }
        Ok(())
    }

    fn deprecation(&mut self, old: Option<&str>, new: Option<&str>, path: &str) {
        match (old, new) {
            (None, Some("")) => self.add(Severity::Perhaps, path, "deprecated"),
            (None, Some(message)) => {
                let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
                self.add(Severity::Perhaps, path, format!("deprecated: {line}"));
            }
            (Some(_), None) => self.add(Severity::Fine, path, "no longer deprecated"),
            (None, None) | (Some(_), Some(_)) => {}
        }
    }

    fn function(&mut self, old: &Function<'_>, new: &Function<'_>) {
        if old.result.to_string() != new.result.to_string() {
            self.add(Severity::Breaking, "", format!("result {} -> {}", old.result, new.result));
        }
        for (at, parameter) in old.parameters.iter().enumerate() {
            let Some(now) = new.parameters.get(at) else {
                self.add(Severity::Breaking, parameter.name, "parameter removed");
                continue;
            };
            if parameter.kind.to_string() != now.kind.to_string() {
                let what = format!("type {} -> {}", parameter.kind, now.kind);
                self.add(Severity::Breaking, now.name, what);
            } else if parameter.name != now.name {
                self.add(Severity::Fine, now.name, format!("parameter renamed from {}", parameter.name));
            }
            match (parameter.nullable, now.nullable) {
                (true, false) => self.add(Severity::Breaking, now.name, "no longer takes null"),
                (false, true) => self.add(Severity::Fine, now.name, "takes null"),
                (true, true) | (false, false) => {}
            }
        }
        for parameter in new.parameters.iter().skip(old.parameters.len()) {
            self.add(Severity::Breaking, parameter.name, "parameter added");
        }
        match (&old.variadic, &new.variadic) {
            (Some(old), Some(new)) if old.kind.to_string() != new.kind.to_string() => {
                self.add(Severity::Breaking, new.name, format!("type {} -> {}", old.kind, new.kind));
            }
            (Some(old), None) => self.add(Severity::Breaking, old.name, "variadic parameter removed"),
            (None, Some(new)) => self.add(Severity::Fine, new.name, "variadic parameter added"),
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
}
