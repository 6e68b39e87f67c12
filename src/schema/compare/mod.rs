//! What changed between two versions of schemas, and what that means for configurations and states.
//!
//! Breaking is what can make a valid configuration invalid or a reference dangle: something removed
//! or of another type, something newly required, tighter limits. Perhaps breaking is what depends on
//! how it is used. Descriptions are not compared.
//!
//! Invariant: every difference in what a configuration may say is reported; a new or removed part is
//! reported once, not with everything inside it.

mod members;

use bumpalo::Bump;

use super::Error;
use super::catalog::{Body, Entry, Function, Kind};

/// What a change means for those who use the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Valid configurations may become invalid.
    Breaking,
    /// It depends on how it is used.
    Perhaps,
    /// Nobody has to do anything.
    Fine,
}

impl Severity {
    /// All, the worst first.
    pub const ALL: [Self; 3] = [Self::Breaking, Self::Perhaps, Self::Fine];

    /// The severity's name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Perhaps => "perhaps",
            Self::Fine => "fine",
        }
    }
}

/// A difference. Its texts hold names of the files: print them as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it means.
    pub severity: Severity,
    /// The provider, as the new file calls it if it has it.
    pub provider: String,
    /// What kind of schema it is in.
    pub kind: Kind,
    /// The schema's name.
    pub name: String,
    /// Where in the schema; empty for the schema itself.
    pub path: String,
    /// What changed.
    pub what: String,
}

/// A schema on which side.
enum Side<'e, 'a> {
    Old(&'e Entry<'a>),
    New(&'e Entry<'a>),
    Both(&'e Entry<'a>, &'e Entry<'a>),
}

/// The differences between the schemas of two files, by severity, then by name.
///
/// # Errors
/// A schema that differs is not what its format says.
pub fn compare<'a>(old: &[Entry<'a>], new: &[Entry<'a>], arena: &'a Bump) -> Result<Vec<Change>, Error> {
    let names = Names::of(old, new);
    let mut changes = Vec::new();
    for side in paired(old, new, &names) {
        let (entry, severity, what) = match side {
            Side::Both(old, new) => {
                if old.text() != new.text() {
                    Comparison { entry: new, changes: &mut changes }.schemas(old, new, arena)?;
                }
                continue;
            }
            Side::Old(entry) => (entry, Severity::Breaking, "removed"),
            Side::New(entry) => (entry, Severity::Fine, "added"),
        };
        Comparison { entry, changes: &mut changes }.add(severity, "", what.to_owned());
    }
    changes.sort_by(|a, b| {
        let key = |change: &Change| (change.severity, change.provider.clone(), change.kind);
        (key(a), &a.name, &a.path).cmp(&(key(b), &b.name, &b.path))
    });
    Ok(changes)
}

/// Which providers of the two files are the same one. Old files call a provider by its type alone,
/// and registries differ: a name that ends alike is the same provider where only one does.
struct Names {
    pairs: Vec<(String, String)>,
}

impl Names {
    fn of(old: &[Entry<'_>], new: &[Entry<'_>]) -> Self {
        let (old, new) = (providers(old), providers(new));
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let mut pairs = Vec::new();
        for name in &old {
            if new.contains(name) {
                continue;
            }
            let alike = |all: &[String]| all.iter().filter(|other| last(other) == last(name)).count();
            let only = (old.len(), new.len()) == (1, 1);
            let found = new.iter().find(|other| only || last(other) == last(name));
            if let Some(found) = found.filter(|found| !old.contains(found))
                && (only || (alike(&old), alike(&new)) == (1, 1))
            {
                pairs.push((name.clone(), found.clone()));
            }
        }
        Self { pairs }
    }

    /// The name in the new file of a provider of the old one.
    fn new_name<'n>(&'n self, old: &'n str) -> &'n str {
        self.pairs.iter().find(|(name, _)| name == old).map_or(old, |(_, new)| new)
    }
}

fn providers(entries: &[Entry<'_>]) -> Vec<String> {
    let mut names: Vec<String> = entries.iter().map(|entry| entry.provider.to_string()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn paired<'e, 'a>(old: &'e [Entry<'a>], new: &'e [Entry<'a>], names: &Names) -> Vec<Side<'e, 'a>> {
    let mut by_key = std::collections::HashMap::new();
    for entry in new {
        by_key.insert((entry.provider.to_string(), entry.kind, entry.name.to_string()), entry);
    }
    let mut sides = Vec::new();
    for entry in old {
        let provider = names.new_name(&entry.provider).to_owned();
        // A provider's own schema is called by its last name, which may differ with the address.
        let found = by_key.remove(&(provider.clone(), entry.kind, entry.name.to_string())).or_else(|| {
            let new = new.iter().find(|new| *new.provider == *provider && new.kind == Kind::Provider);
            let new = new.filter(|_| entry.kind == Kind::Provider)?;
            by_key.remove(&(provider, Kind::Provider, new.name.to_string()))
        });
        sides.push(found.map_or(Side::Old(entry), |new| Side::Both(entry, new)));
    }
    for entry in new {
        if by_key.contains_key(&(entry.provider.to_string(), entry.kind, entry.name.to_string())) {
            sides.push(Side::New(entry));
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
            // A state of a newer schema cannot be read any more.
            if after < before {
                self.add(Severity::Breaking, "", format!("schema version {before} -> {after}: states cannot go back"));
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
        if old.result != new.result {
            self.add(Severity::Breaking, "", format!("result {} -> {}", old.result, new.result));
        }
        for (at, parameter) in old.parameters.iter().enumerate() {
            let Some(now) = new.parameters.get(at) else {
                self.add(Severity::Breaking, parameter.name, "parameter removed");
                continue;
            };
            if parameter.kind != now.kind {
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
            (Some(old), Some(new)) if old.kind != new.kind => {
                self.add(Severity::Breaking, new.name, format!("type {} -> {}", old.kind, new.kind));
            }
            (Some(old), None) => self.add(Severity::Breaking, old.name, "variadic parameter removed"),
            (None, Some(new)) => self.add(Severity::Fine, new.name, "variadic parameter added"),
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
}
