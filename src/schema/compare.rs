//! Compares two versions of schemas and classifies the changes by their effect on configurations and states.
//!
//! A change is breaking if it can make a valid configuration or a reference invalid, and possibly breaking if
//! that depends on the use. Descriptions are not compared.
//!
//! Invariant: every difference in what a configuration may contain is reported; an added or removed part is
//! reported once, not together with its members.

use std::collections::{BTreeSet, HashMap};

use bumpalo::Bump;
use serde::Serialize;

use super::Error;
use super::address::provider_type;
use super::catalog::{Body, Entry, Form, Function, Member, Usage};
use super::check::{joined, written};
use super::kind::SchemaKind;

/// The effect of a change on users of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Valid configurations may become invalid.
    Breaking,
    /// Whether configurations become invalid depends on the use.
    Possible,
    /// No action is needed.
    #[cfg_attr(feature = "cli", value(name = "any"))]
    Fine,
}

impl Severity {
    /// All severities, from the gravest to the least grave.
    pub const ALL: [Self; 3] = [Self::Breaking, Self::Possible, Self::Fine];

    /// Returns the word for it in texts, JSON and `--fail-on`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Possible => "possible",
            Self::Fine => "fine",
        }
    }
}

/// A difference. Its texts contain names from the files: print them as untrusted data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    pub path: String,
    /// The description of the change.
    #[serde(rename = "change")]
    pub what: String,
}

/// Compares two lists of schemas, and returns the changes sorted by severity, then by provider, kind, name and path.
///
/// Schemas with equal texts are not parsed.
///
/// # Errors
///
/// If a schema that differs is not as the format has it.
pub fn compare<'a>(
    old: &[Entry<'a>],
    new: &[Entry<'a>],
    arena: &'a Bump,
) -> Result<Vec<Change>, Error> {
    let mut changes = Vec::new();
    let names = new_names(old, new);
    // The schema of a provider's configuration is named after the provider, whose name may differ.
    let key = |entry: &Entry<'a>, provider: &str| {
        let name = if entry.kind == SchemaKind::Provider {
            ""
        } else {
            &*entry.name
        };
        (provider.to_owned(), entry.kind, name.to_owned())
    };
    let mut added: HashMap<_, _> = new
        .iter()
        .map(|entry| (key(entry, &entry.provider), entry))
        .collect();
    for entry in old {
        let provider = names
            .get(&*entry.provider)
            .copied()
            .unwrap_or(&entry.provider);
        match added.remove(&key(entry, provider)) {
            Some(new) if entry.text() == new.text() => {}
            Some(new) => Comparison {
                entry: new,
                changes: &mut changes,
            }
            .schemas(entry, new, arena)?,
            None => Comparison {
                entry,
                changes: &mut changes,
            }
            .add(Severity::Breaking, "", "removed"),
        }
    }
    for entry in added.into_values() {
        Comparison {
            entry,
            changes: &mut changes,
        }
        .add(Severity::Fine, "", "added");
    }
    changes.sort_by(|a, b| {
        let order = a
            .severity
            .cmp(&b.severity)
            .then_with(|| a.provider.cmp(&b.provider));
        order.then_with(|| (a.kind, &a.name, &a.path).cmp(&(b.kind, &b.name, &b.path)))
    });
    Ok(changes)
}

/// Maps the names of old providers to their names in the new file.
///
/// Old files name a provider only by its type, and registries differ. So if each file has one provider, these match.
/// Otherwise, names with the same last part match if there is only one of them on each side.
fn new_names<'e>(old: &'e [Entry<'_>], new: &'e [Entry<'_>]) -> HashMap<&'e str, &'e str> {
    let names = |entries: &'e [Entry<'_>]| {
        entries
            .iter()
            .map(|entry| &*entry.provider)
            .collect::<BTreeSet<_>>()
    };
    let (old, new) = (names(old), names(new));
    if let (Some(before), Some(after), 1, 1) = (old.first(), new.first(), old.len(), new.len()) {
        return HashMap::from([(*before, *after)]);
    }
    let count = |names: &BTreeSet<&'e str>| {
        crate::grouping::counts(names.iter().map(|name| provider_type(name)))
    };
    let (of_old, of_new) = (count(&old), count(&new));
    let by_last: HashMap<&str, &str> = new
        .iter()
        .map(|name| (provider_type(name), *name))
        .collect();
    let is_only = |part: &str| of_old.get(part) == Some(&1) && of_new.get(part) == Some(&1);
    let only = old.into_iter().filter(|name| is_only(provider_type(name)));
    only.filter_map(|name| Some((name, *by_last.get(provider_type(name))?)))
        .collect()
}

/// The comparison of the two versions of one schema.
struct Comparison<'c, 'e, 'a> {
    entry: &'e Entry<'a>,
    changes: &'c mut Vec<Change>,
}

impl<'a> Comparison<'_, '_, 'a> {
    /// Adds a change of the schema.
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

    /// Compares two versions of a schema, down to each member.
    fn schemas(&mut self, old: &Entry<'a>, new: &Entry<'a>, arena: &'a Bump) -> Result<(), Error> {
        let (old, new) = (old.schema(arena)?, new.schema(arena)?);
        let version =
            |version: Option<&str>| version.and_then(|version| version.parse::<u64>().ok());
        if let (Some(before), Some(after)) = (version(old.version), version(new.version)) {
            // States written with the newer schema version can no longer be read.
            if after < before {
                self.add(
                    Severity::Breaking,
                    "",
                    format!("schema version {before} -> {after}: states cannot go back"),
                );
            } else if after > before {
                self.add(
                    Severity::Fine,
                    "",
                    format!("schema version {before} -> {after}"),
                );
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

    /// Compares whether a part is deprecated. A changed message is not reported.
    fn deprecation(&mut self, old: Option<&str>, new: Option<&str>, path: &str) {
        match (old, new) {
            (None, Some("")) => self.add(Severity::Possible, path, "deprecated"),
            (None, Some(message)) => {
                let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
                self.add(Severity::Possible, path, format!("deprecated: {line}"));
            }
            (Some(_), None) => self.add(Severity::Fine, path, "no longer deprecated"),
            (None, None) | (Some(_), Some(_)) => {}
        }
    }

    /// Compares the results and the parameters of a function. Calls have their arguments by position, so parameters are
    /// paired by position.
    fn function(&mut self, old: &Function<'_>, new: &Function<'_>) {
        if old.result.to_string() != new.result.to_string() {
            self.add(
                Severity::Breaking,
                "",
                format!("result {} -> {}", old.result, new.result),
            );
        }
        for (index, parameter) in old.parameters.iter().enumerate() {
            let Some(now) = new.parameters.get(index) else {
                self.add(Severity::Breaking, parameter.name, "parameter removed");
                continue;
            };
            if parameter.kind.to_string() != now.kind.to_string() {
                let what = format!("type {} -> {}", parameter.kind, now.kind);
                self.add(Severity::Breaking, now.name, what);
            } else if parameter.name != now.name {
                self.add(
                    Severity::Fine,
                    now.name,
                    format!("parameter renamed from {}", parameter.name),
                );
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
                self.add(
                    Severity::Breaking,
                    new.name,
                    format!("type {} -> {}", old.kind, new.kind),
                );
            }
            (Some(old), None) => {
                self.add(Severity::Breaking, old.name, "variadic parameter removed");
            }
            (None, Some(new)) => self.add(Severity::Fine, new.name, "variadic parameter added"),
            (Some(_), Some(_)) | (None, None) => {}
        }
    }

    /// Compares two lists of members, which are sorted by name, pairing them by name. `settable` says whether a
    /// configuration may set them.
    fn members(&mut self, old: &[Member<'_>], new: &[Member<'_>], path: &str, settable: bool) {
        for member in old {
            let below = joined(path, member.name);
            match find(new, member) {
                Some(now) => self.member(member, now, &below, settable),
                None => self.add(
                    Severity::Breaking,
                    &below,
                    format!("{} removed", noun(member)),
                ),
            }
        }
        for member in new {
            if find(old, member).is_some() {
                continue;
            }
            let usage = usage(member, settable);
            let severity = if settable && usage == Usage::Required {
                Severity::Breaking
            } else {
                Severity::Fine
            };
            let words = usage.words();
            let what = if words.is_empty() {
                "added".to_owned()
            } else {
                format!("added, {words}")
            };
            self.add(
                severity,
                &joined(path, member.name),
                format!("{} {what}", noun(member)),
            );
        }
    }

    /// Compares two members of the same name. If their types differ, only this and the deprecation are reported.
    fn member(&mut self, old: &Member<'_>, new: &Member<'_>, path: &str, settable: bool) {
        self.deprecation(old.about.deprecated, new.about.deprecated, path);
        let (before, after) = (shape(old), shape(new));
        if before != after {
            self.add(
                Severity::Breaking,
                path,
                format!("type {before} -> {after}"),
            );
            return;
        }
        let usages = (usage(old, settable), usage(new, settable));
        let bounds = old.is_block() && new.is_block();
        if settable && !bounds {
            self.usage(usages, path);
        }
        if settable {
            self.limits(old, new, path);
        }
        self.flags(old, new, path);
        let settable =
            settable && (new.is_block() || usages.1.is_settable() || usages.0.is_settable());
        self.members(&old.members, &new.members, path, settable);
    }

    /// Compares how a configuration may use a member.
    fn usage(&mut self, (old, new): (Usage, Usage), path: &str) {
        let severity = match (old, new) {
            _ if old == new => return,
            (_, Usage::Required) => Severity::Breaking,
            (
                Usage::Required | Usage::Optional | Usage::OptionalComputed,
                Usage::Computed | Usage::Unstated,
            ) => Severity::Breaking,
            // A value that the provider used to set is now null unless the user sets it.
            (Usage::OptionalComputed | Usage::Computed, Usage::Optional) => Severity::Possible,
            (
                Usage::Required
                | Usage::Optional
                | Usage::Computed
                | Usage::Unstated
                | Usage::OptionalComputed,
                Usage::Optional | Usage::OptionalComputed,
            )
            | (Usage::Computed | Usage::Unstated, Usage::Computed | Usage::Unstated) => {
                Severity::Fine
            }
        };
        let word = |usage: Usage| {
            if usage.words().is_empty() {
                "unstated"
            } else {
                usage.words()
            }
        };
        self.add(severity, path, format!("{} -> {}", word(old), word(new)));
    }

    /// Compares how many blocks or objects there may be.
    fn limits(&mut self, old: &Member<'_>, new: &Member<'_>, path: &str) {
        let min = |member: &Member<'_>| member.min_items.unwrap_or(0);
        let (before, after) = (min(old), min(new));
        if after > before {
            self.add(
                Severity::Breaking,
                path,
                format!("min_items {before} -> {after}"),
            );
        } else if after < before {
            self.add(
                Severity::Fine,
                path,
                format!("min_items {before} -> {after}"),
            );
        }
        // A maximum of zero means that there is no limit.
        let max = |member: &Member<'_>| member.max_items.filter(|max| *max > 0);
        let word = |max: Option<u64>| max.map_or_else(|| "none".to_owned(), |max| max.to_string());
        let (before, after) = (max(old), max(new));
        if before != after {
            let tighter = match (before, after) {
                (None, Some(_)) => true,
                (Some(before), Some(after)) => after < before,
                (Some(_) | None, None) => false,
            };
            let severity = if tighter {
                Severity::Breaking
            } else {
                Severity::Fine
            };
            self.add(
                severity,
                path,
                format!("max_items {} -> {}", word(before), word(after)),
            );
        }
    }

    /// Compares whether a member is sensitive or write-only, and its default.
    fn flags(&mut self, old: &Member<'_>, new: &Member<'_>, path: &str) {
        match (old.sensitive, new.sensitive) {
            // Outputs that use the value must now be marked as sensitive.
            (false, true) => self.add(Severity::Possible, path, "sensitive"),
            (true, false) => self.add(
                Severity::Possible,
                path,
                "no longer sensitive: its value is shown",
            ),
            (true, true) | (false, false) => {}
        }
        match (old.write_only, new.write_only) {
            (false, true) => self.add(
                Severity::Breaking,
                path,
                "write-only: its value cannot be read",
            ),
            (true, false) => self.add(
                Severity::Possible,
                path,
                "no longer write-only: its value is stored",
            ),
            (true, true) | (false, false) => {}
        }
        if old.default != new.default {
            let word = |default: Option<&str>| default.unwrap_or("none").to_owned();
            let what = format!("default {} -> {}", word(old.default), word(new.default));
            self.add(Severity::Possible, path, what);
        }
    }
}

/// Finds the member of the same name. `members` must be sorted by name.
fn find<'m, 'a>(members: &'m [Member<'a>], wanted: &Member<'_>) -> Option<&'m Member<'a>> {
    let index = members
        .binary_search_by(|member| member.name.cmp(wanted.name))
        .ok()?;
    members.get(index)
}

fn noun(member: &Member<'_>) -> &'static str {
    match member.form {
        Form::Attribute | Form::NestedAttribute(_) | Form::ObjectAttribute => "attribute",
        Form::Block(_) => "block",
    }
}

/// Returns the type of a member in words, without the limits of a block.
fn shape(member: &Member<'_>) -> String {
    let words = member.type_words();
    if member.is_block() {
        words.split(',').next().unwrap_or_default().to_owned()
    } else {
        words
    }
}

/// Returns how a configuration may use a member. The attributes of an object type must be set wherever the object is,
/// unless they are optional; if the object cannot be set, they are computed.
fn usage(member: &Member<'_>, settable: bool) -> Usage {
    match (member.form, member.usage) {
        (Form::ObjectAttribute, Usage::Unstated) if settable => Usage::Required,
        (Form::ObjectAttribute, Usage::Unstated) => Usage::Computed,
        (_, usage) => usage,
    }
}
