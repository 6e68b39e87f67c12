//! Compares the members of two plans that nothing else compares.
//!
//! The same is proven by exclusion: every member of a document is a row of a table, which says by what it is compared or
//! why it cannot matter to an apply. A member that no row names may decide anything, so that a difference in it is
//! unproven. What only saved plans have is compared as well: the backend with its workspace, the targets, the mode, and
//! the dependency lock file.
//!
//! ```text
//! {"resource_changes": [{"address": …, "retries": 3}]}      resource_changes[].retries: no row names it
//! ```

use std::collections::BTreeMap;

use bumpalo::Bump;

use super::apply;
use super::canon::{Digest, unordered_digest};
use super::side::Side;
use super::{Class, Difference, DifferenceKind, Property, Subject};
use crate::diff::Error;
use crate::json::{self, Reader};
use crate::model::plan::{Backend, LockedProvider, SavedPlan};

/// What is done with a member.
#[derive(Clone, Copy)]
#[allow(
    dead_code,
    reason = "the texts are for readers of the table, and a test checks that there are some"
)]
enum Treatment {
    /// It is compared, by what the text says.
    Compared(&'static str),
    /// It cannot change what an apply does, because of what the text says.
    CannotMatter(&'static str),
    /// It is an object whose members have rows.
    Object(Table),
    /// It is an array of objects whose members have rows.
    List(Table),
    /// It is an object whose members have any names, and are objects whose members have rows.
    Map(Table),
    /// It is an array of what the sources of a module have and no other member has. Each part names what it is of.
    Rest,
}

use Treatment::{CannotMatter, Compared, List, Map, Object};

/// A kind of object in the document of a plan.
#[derive(Clone, Copy)]
enum Table {
    Plan,
    ResourceChange,
    Change,
    Deferred,
    Invocation,
    DeferredInvocation,
    Configuration,
    ProviderConfig,
    Module,
    Output,
    Resource,
    Call,
    Variable,
}

/// A row of a table: the name of a member, and what is done with it.
type Row = (&'static str, Treatment);

/// The part that compares what the apply does besides its changes.
const PARTS: &str = "apply::parts";
/// The part that compares changes.
const ITEMS: &str = "plans::items";

impl Table {
    /// Returns the rows of the members that this kind of object may have. Together they are the only place that says
    /// what of a document cannot matter.
    fn rows(self) -> &'static [Row] {
        match self {
            Self::Plan => &[
                (
                    "format_version",
                    CannotMatter("it is the form of the document"),
                ),
                (
                    "plan_format_version",
                    CannotMatter("it is the form of the document"),
                ),
                (
                    "provider_format_version",
                    CannotMatter("it is the form of the schemas"),
                ),
                (
                    "terraform_version",
                    CannotMatter("an apply refuses the plan of another release"),
                ),
                (
                    "timestamp",
                    CannotMatter(
                        "it is another one in each plan; values that are made of it are compared",
                    ),
                ),
                ("resource_changes", List(Self::ResourceChange)),
                ("resource_drift", List(Self::ResourceChange)),
                ("deferred_changes", List(Self::Deferred)),
                ("action_invocations", List(Self::Invocation)),
                (
                    "deferred_action_invocations",
                    List(Self::DeferredInvocation),
                ),
                ("output_changes", Map(Self::Change)),
                ("variables", Compared("plans::variable_tasks")),
                ("errored", Compared("plans::flags")),
                ("complete", Compared("plans::flags")),
                ("applyable", Compared("plans::flags")),
                (
                    "relevant_attributes",
                    CannotMatter("they say which drift is shown"),
                ),
                (
                    "planned_values",
                    CannotMatter("they repeat the values of the changes"),
                ),
                (
                    "proposed_unknown",
                    CannotMatter("it repeats the marks of the changes"),
                ),
                (
                    "prior_state",
                    Compared(
                        "apply::objects, as far as an apply uses it; all else was read by planning",
                    ),
                ),
                ("checks", CannotMatter("they warn, or stop an apply")),
                (
                    "provider_schemas",
                    CannotMatter("they say how values are read; the lock file has the versions"),
                ),
                ("configuration", Object(Self::Configuration)),
                ("saved_plan", Compared("members::saved")),
            ],
            Self::ResourceChange => &[
                ("address", Compared(ITEMS)),
                ("previous_address", Compared(ITEMS)),
                (
                    "module_address",
                    CannotMatter("it is a part of the address"),
                ),
                ("mode", Compared(ITEMS)),
                ("type", Compared(ITEMS)),
                ("name", CannotMatter("it is a part of the address")),
                ("index", CannotMatter("it is a part of the address")),
                ("index_unknown", CannotMatter("it is a part of the address")),
                ("provider_name", Compared(ITEMS)),
                ("deposed", Compared(ITEMS)),
                ("change", Object(Self::Change)),
                ("action_reason", Compared(ITEMS)),
            ],
            Self::Change => &[
                ("actions", Compared(ITEMS)),
                ("before", Compared(ITEMS)),
                ("after", Compared(ITEMS)),
                ("after_unknown", Compared(ITEMS)),
                ("before_sensitive", Compared(ITEMS)),
                ("after_sensitive", Compared(ITEMS)),
                ("replace_paths", Compared(ITEMS)),
                ("before_identity", Compared(ITEMS)),
                ("after_identity", Compared(ITEMS)),
                ("importing", Compared(ITEMS)),
                ("generated_config", Compared(ITEMS)),
            ],
            Self::Deferred => &[
                ("reason", Compared(ITEMS)),
                ("resource_change", Object(Self::ResourceChange)),
            ],
            Self::Invocation => &[
                ("address", Compared(ITEMS)),
                ("type", CannotMatter("it is a part of the address")),
                ("name", CannotMatter("it is a part of the address")),
                ("config_values", Compared(ITEMS)),
                ("config_sensitive", Compared(ITEMS)),
                ("config_unknown", Compared(ITEMS)),
                ("provider_name", Compared(ITEMS)),
                ("lifecycle_action_trigger", Compared(ITEMS)),
                ("invoke_action_trigger", Compared(ITEMS)),
            ],
            Self::DeferredInvocation => &[
                ("reason", Compared(ITEMS)),
                ("action_invocation", Object(Self::Invocation)),
            ],
            Self::Configuration => &[
                ("provider_config", Map(Self::ProviderConfig)),
                ("root_module", Object(Self::Module)),
            ],
            Self::ProviderConfig => &[
                ("name", CannotMatter("it is a part of the key")),
                ("alias", CannotMatter("it is a part of the key")),
                ("full_name", CannotMatter("each change names its provider")),
                (
                    "version_constraint",
                    CannotMatter("planning has chosen the version"),
                ),
                ("module_address", CannotMatter("it is a part of the key")),
                ("expressions", Compared(PARTS)),
            ],
            Self::Module => &[
                ("outputs", Map(Self::Output)),
                ("resources", List(Self::Resource)),
                ("actions", List(Self::Resource)),
                ("module_calls", Map(Self::Call)),
                ("variables", Map(Self::Variable)),
                (
                    "locals",
                    Compared("apply::expressions, where they are referred to"),
                ),
                ("rest", Treatment::Rest),
            ],
            Self::Output => &[
                (
                    "expression",
                    Compared("the value in output_changes, or apply::parts"),
                ),
                ("sensitive", Compared("the marks in output_changes")),
                (
                    "ephemeral",
                    CannotMatter("only modules have ephemeral outputs"),
                ),
                ("deprecated", CannotMatter("it is for people")),
                ("description", CannotMatter("it is for people")),
                (
                    "depends_on",
                    CannotMatter("an output does nothing to an object"),
                ),
            ],
            Self::Resource => &[
                ("address", CannotMatter("mode, type and name say it")),
                ("mode", Compared(PARTS)),
                ("type", Compared(PARTS)),
                ("name", Compared(PARTS)),
                ("provider_config_key", Compared(PARTS)),
                (
                    "provisioners",
                    Compared("apply::parts, of objects that are made or destroyed"),
                ),
                (
                    "expressions",
                    Compared("the values of the change; apply::parts for what these do not show"),
                ),
                ("argument_texts", Compared("as expressions")),
                (
                    "schema_version",
                    CannotMatter("it is the form of the state"),
                ),
                (
                    "for_each_expression",
                    Compared("the instances among the changes, apply::expressions"),
                ),
                (
                    "count_expression",
                    Compared("the instances among the changes, apply::expressions"),
                ),
            ],
            Self::Call => &[
                (
                    "source",
                    CannotMatter("the content of the module is compared"),
                ),
                (
                    "version_constraint",
                    CannotMatter("the content of the module is compared"),
                ),
                (
                    "expressions",
                    Compared("apply::expressions, where the module refers to them"),
                ),
                (
                    "for_each_expression",
                    Compared("the instances among the changes, apply::expressions"),
                ),
                (
                    "count_expression",
                    Compared("the instances among the changes, apply::expressions"),
                ),
                ("module", Object(Self::Module)),
            ],
            Self::Variable => &[
                (
                    "default",
                    Compared("apply::expressions, the variables of the plan"),
                ),
                ("description", CannotMatter("it is for people")),
                ("deprecated", CannotMatter("it is for people")),
                (
                    "sensitive",
                    CannotMatter("the marks of values are compared"),
                ),
                (
                    "ephemeral",
                    CannotMatter("values that are in no plan are compared by what they refer to"),
                ),
                (
                    "type",
                    CannotMatter("the values that it shapes are compared"),
                ),
                (
                    "nullable",
                    CannotMatter("the values that it shapes are compared"),
                ),
            ],
        }
    }

    /// Returns what is done with a member; `None` if no row names it.
    fn treatment(self, name: &str) -> Option<Treatment> {
        let row = self.rows().iter().find(|(row, _)| *row == name)?;
        Some(row.1)
    }
}

/// The hashes of the members that no row names, by path. Elements of arrays have no place in a path, so that several
/// members may have one path.
type Unnamed = BTreeMap<String, Vec<Digest>>;

/// Collects the members of a document that no row names.
struct Collector<'d> {
    reader: Reader<'d>,
    /// The path to the object that is being read, such as `resource_changes[].change`.
    path: String,
    unnamed: Unnamed,
}

impl Collector<'_> {
    /// Reads an object whose members have the rows of a table. Anything else than an object is a value that no row
    /// names.
    fn object(&mut self, table: Table) -> Result<(), json::Error> {
        if self.reader.peek() != Some(b'{') {
            return self.value();
        }
        let mut is_first = true;
        while self.reader.next_part(&mut is_first, b'}')? {
            let name = self.reader.key()?.resolved();
            let length = self.path.len();
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(&name);
            match table.treatment(&name) {
                Some(Compared(_) | CannotMatter(_)) => {
                    self.reader.skip()?;
                }
                Some(Object(table)) => self.object(table)?,
                Some(List(table)) => self.list(table)?,
                Some(Map(table)) => self.map(table)?,
                Some(Treatment::Rest) => self.rest()?,
                None => self.value()?,
            }
            self.path.truncate(length);
        }
        Ok(())
    }

    /// Reads an array of objects.
    fn list(&mut self, table: Table) -> Result<(), json::Error> {
        if self.reader.peek() != Some(b'[') {
            return self.value();
        }
        let length = self.path.len();
        self.path.push_str("[]");
        let mut is_first = true;
        while self.reader.next_part(&mut is_first, b']')? {
            self.object(table)?;
        }
        self.path.truncate(length);
        Ok(())
    }

    /// Reads an object of objects, whose names mean something to the plan.
    fn map(&mut self, table: Table) -> Result<(), json::Error> {
        if self.reader.peek() != Some(b'{') {
            return self.value();
        }
        let mut is_first = true;
        while self.reader.next_part(&mut is_first, b'}')? {
            let name = self.reader.key()?.resolved();
            let length = self.path.len();
            self.path.push('.');
            self.path.push_str(&name);
            self.object(table)?;
            self.path.truncate(length);
        }
        Ok(())
    }

    /// Reads what only the sources have: an array of objects with `of`, which says what they are of.
    fn rest(&mut self) -> Result<(), json::Error> {
        if self.reader.peek() != Some(b'[') {
            return self.value();
        }
        let mut is_first = true;
        while self.reader.next_part(&mut is_first, b']')? {
            let text = self.reader.skip()?;
            let arena = Bump::new();
            let value = json::parse(text, &arena)?;
            let of = value.get("of").and_then(json::Value::as_str);
            let path = format!("{}.{}", self.path, of.unwrap_or_default());
            let digest = unordered_digest(value);
            self.unnamed.entry(path).or_default().push(digest);
        }
        Ok(())
    }

    /// Reads a value that no row names. Null is the same as no member.
    fn value(&mut self) -> Result<(), json::Error> {
        let text = self.reader.skip()?;
        if text != "null" {
            let arena = Bump::new();
            let digest = unordered_digest(json::parse(text, &arena)?);
            self.unnamed
                .entry(self.path.clone())
                .or_default()
                .push(digest);
        }
        Ok(())
    }
}

/// Returns the members of a document that no row names.
///
/// # Errors
/// If the document is malformed.
fn unnamed(text: &str) -> Result<Unnamed, Error> {
    let mut collector = Collector {
        reader: Reader::new(text),
        path: String::new(),
        unnamed: Unnamed::new(),
    };
    collector
        .object(Table::Plan)
        .map_err(Error::Configuration)?;
    let mut unnamed = collector.unnamed;
    for digests in unnamed.values_mut() {
        digests.sort_unstable();
    }
    Ok(unnamed)
}

/// Returns the differences in the members that no row names, and in what only saved plans have. A plan whose apply does
/// nothing has none.
///
/// # Errors
/// If a document is malformed.
pub(super) fn differences<'a>(
    approved: &Side<'_, 'a>,
    now: &Side<'_, 'a>,
    arena: &'a Bump,
) -> Result<Vec<Difference<'a>>, Error> {
    let mut differences = Vec::new();
    if approved.text == now.text || apply::does_nothing(now.plan)? {
        return Ok(differences);
    }
    if let (Some(old), Some(new)) = (&approved.plan.saved_plan, &now.plan.saved_plan) {
        saved(old, new, arena, &mut differences);
    }
    let (old, mut new) = (unnamed(approved.text)?, unnamed(now.text)?);
    let mut other: Vec<String> = Vec::new();
    for (path, digests) in old {
        if new.remove(&path) != Some(digests) {
            other.push(path);
        }
    }
    other.extend(new.into_keys());
    for path in other {
        let why = format!("{path} is not the same, and may decide what the apply does");
        differences.push(plan_difference(
            Class::Unproven,
            DifferenceKind::Unproven {
                property: Property::Member,
                why,
            },
        ));
    }
    Ok(differences)
}

/// Makes a difference of the plan as a whole.
fn plan_difference<'a>(class: Class, what: DifferenceKind<'a>) -> Difference<'a> {
    Difference {
        class,
        subject: Subject::Plan,
        address: "",
        deposed: "",
        what,
    }
}

/// Adds the differences in what only saved plans have.
fn saved<'a>(
    approved: &SavedPlan<'_>,
    now: &SavedPlan<'_>,
    arena: &'a Bump,
    differences: &mut Vec<Difference<'a>>,
) {
    let list = |texts: &[json::Str<'_>]| {
        texts
            .iter()
            .map(|text| text.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let texts = [
        (
            Property::Mode,
            approved.mode.to_string(),
            now.mode.to_string(),
        ),
        (
            Property::Targets,
            list(&approved.targets),
            list(&now.targets),
        ),
        (
            Property::Excluded,
            list(&approved.excluded),
            list(&now.excluded),
        ),
    ];
    for (property, old, new) in texts {
        if let Some(what) = property.differs(&old, &new) {
            differences.push(plan_difference(Class::Action, what));
        }
    }
    if let Some(what) = backend(approved.backend.as_ref(), now.backend.as_ref()) {
        differences.push(plan_difference(Class::Action, what));
    }
    let mut names: Vec<&str> = approved
        .locked
        .keys()
        .chain(now.locked.keys())
        .map(|name| &**name)
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let (old, new) = (approved.locked.get(name), now.locked.get(name));
        if is_same_provider(old, new) {
            continue;
        }
        let version = |locked: Option<&LockedProvider<'_>>| {
            locked.map_or(String::new(), |locked| locked.version.to_string())
        };
        // Equal versions of other packages are named by their hashes, which say nothing to a reader.
        let what = Property::LockedVersion
            .differs(&version(old), &version(new))
            .unwrap_or(DifferenceKind::Property {
                property: Property::LockedVersion,
                approved: None,
                now: None,
            });
        differences.push(Difference {
            subject: Subject::ProviderConfiguration,
            address: arena.alloc_str(name),
            ..plan_difference(Class::Action, what)
        });
    }
}

/// Whether two entries of lock files choose the same package. The hashes are of packages for several platforms, and may
/// be completed later, so that one common hash is enough.
fn is_same_provider(old: Option<&LockedProvider<'_>>, new: Option<&LockedProvider<'_>>) -> bool {
    let (Some(old), Some(new)) = (old, new) else {
        return false;
    };
    let is_known = old.hashes.is_empty()
        || new.hashes.is_empty()
        || old
            .hashes
            .iter()
            .any(|hash| new.hashes.binary_search(hash).is_ok());
    old.version == new.version && is_known
}

/// Returns the difference between the places of the state of two plans; `None` if they are the same.
fn backend<'a>(
    approved: Option<&Backend<'_>>,
    now: Option<&Backend<'_>>,
) -> Option<DifferenceKind<'a>> {
    let text = |backend: Option<&Backend<'_>>| {
        backend.map_or(String::new(), |backend| {
            format!("{}, workspace {}", backend.kind, backend.workspace)
        })
    };
    let none = Backend::default();
    let (old, new) = (approved.unwrap_or(&none), now.unwrap_or(&none));
    let mut others: Vec<&str> = Vec::new();
    for name in old.arguments.keys().chain(new.arguments.keys()) {
        // A credential says who reads the state, and not which. It is another one in each run of some pipelines.
        if old.arguments.get(name) != new.arguments.get(name) && !apply::may_be_secret(name) {
            others.push(name);
        }
    }
    others.sort_unstable();
    others.dedup();
    let (before, mut after) = (text(approved), text(now));
    if !others.is_empty() {
        after.push_str(&format!(", another {}", others.join(", ")));
    }
    Property::Backend.differs(&before, &after)
}

#[cfg(test)]
mod tests;
