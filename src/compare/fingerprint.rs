//! Makes the fingerprint of a plan: a hash of its changes, which can be kept instead of the approved plan.
//!
//! In version 3 of the canonical form, every change is hashed separately, and the sorted hashes are hashed again, so
//! that their order does not matter. The form of values is that of `canon`. Of an object that is created, every value
//! is included. Of an object that stays, only the values that the change sets are, because other changes to it are not
//! part of the plan. Of an object that is changed, destroyed or removed from state, its identity is included. What else
//! decides the apply is included too (see `apply`).
//!
//! Invariant: sensitive values are left out unless the user requests them, because the hash of a weak secret can be
//! guessed. Their presence is included, and whether they change.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::apply;
use super::canon::{Canon, Digest, changed_digest, parts_digest, planning_digest};
use super::json_text;
use super::keys::{invocation_key, provider_path};
use crate::diff::edits::{PlanPart, Positions, Sides, parts, visible_paths};
use crate::diff::value::Builder;
use crate::diff::{Error, parallel};
use crate::json::{Raw, Value};
use crate::model::plan::{ActionInvocation, Change, Importing, Plan, ResourceChange, SavedPlan};
use crate::schema::{Position, Schemas};

/// The version of the canonical form, which is a part of every fingerprint. It must change if the fingerprint of another
/// plan could become that of an approved one. A form that only includes more keeps the version: plans without what it
/// includes keep their fingerprints, and any other approved fingerprint is no longer found equal.
const VERSION: u32 = 3;

/// A hash of what the apply of a plan does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// The basis of the fingerprint.
    pub basis: Basis,
    hash: Digest,
}

/// The basis of a fingerprint: what it was made with. Only fingerprints with the same basis are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Basis {
    /// Whether provider schemas were available.
    pub schemas: bool,
    /// Whether sensitive values are included in the hash.
    pub sensitive: bool,
}

impl Fingerprint {
    /// Checks that a fingerprint of the plan can be made, as far as that depends on what its apply runs and on its
    /// variables, without hashing the changes.
    ///
    /// # Errors
    /// Those of [`Self::new`] that are about the configuration, the variables and the schemas.
    pub fn check<'a>(
        plan: &Plan<'a>,
        schemas: &Schemas<'a>,
        basis: Basis,
        arena: &'a Bump,
    ) -> Result<(), Error> {
        plan.input_variables()?;
        apply::parts(plan, schemas, basis.sensitive, arena).map(drop)
    }

    /// Makes the fingerprint of a plan.
    ///
    /// `schemas` must have only schemas that were given explicitly and those in the plan, because the cache of a
    /// machine must not affect the result.
    ///
    /// # Errors
    /// If a value, the configuration, a variable or a schema is malformed.
    pub fn new<'a>(
        plan: &Plan<'a>,
        schemas: &Schemas<'a>,
        basis: Basis,
        arena: &'a Bump,
    ) -> Result<Self, Error> {
        let positions = Positions::new(schemas, arena);
        let flag = |name: &str, value: Option<bool>| {
            let value = value.map_or("", |value| if value { "true" } else { "false" });
            parts_digest(&[name.as_bytes(), value.as_bytes()])
        };
        let flags = [
            flag("errored", Some(plan.errored)),
            flag("complete", plan.complete),
        ];
        let mut digests = flags.to_vec();
        let hasher = RandomState::default();
        // Drift is not part of what is approved.
        let changes = parts(plan).filter(|part| !matches!(part, PlanPart::Drift(_)));
        let changes = changes.map(|part| {
            let identity = match part.object() {
                Some(object) => positions.identity_names(object)?,
                None => Vec::new(),
            };
            Ok(Placed {
                part,
                position: part.position(&positions)?,
                identity,
            })
        });
        let changes = changes.collect::<Result<Vec<_>, Error>>()?;
        digests.extend(parallel::map_in_order(
            &changes,
            |placed| placed.part.change().size(),
            |placed, scratch| placed.digest(Builder::new(scratch, &hasher), basis.sensitive),
        )?);
        let has_changes = digests.len() > flags.len();
        // In most plans, `applyable` follows from whether there are changes.
        if plan
            .applyable
            .is_some_and(|applyable| applyable != has_changes)
        {
            digests.push(flag("applyable", plan.applyable));
        }
        for variable in plan.input_variables()? {
            let scratch = Bump::new();
            let build = Builder::new(&scratch, &hasher);
            let mark = Value::Bool(variable.is_sensitive());
            let text = variable.value.map(Raw::text);
            let after = build.build(text, Value::Null, mark, Position::Unspecified)?;
            let mut canon = Canon::new(basis.sensitive);
            canon.words("variable", &[&variable.name]);
            canon.value(after, Position::Unspecified);
            digests.push(canon.finish());
        }
        digests.extend(plan.saved_plan.as_ref().map(saved_digest));
        let mut is_proven = true;
        for (part, content) in apply::parts(plan, schemas, basis.sensitive, arena)? {
            is_proven &= content.hashed.unproven.is_none();
            digests.push(parts_digest(&[
                part.kind.name().as_bytes(),
                part.address.as_bytes(),
                &content.hashed.digest,
            ]));
        }
        if !is_proven {
            // Another planning may do something else without its document showing it.
            let planning = planning_digest(plan, basis.sensitive).unwrap_or_default();
            digests.push(parts_digest(&[b"planning", &planning]));
        }
        Ok(Self::from_digests(basis, digests))
    }

    /// Combines the hashes of all parts, regardless of their order.
    fn from_digests(basis: Basis, mut digests: Vec<Digest>) -> Self {
        digests.sort_unstable();
        let mut canon = Canon::new(basis.sensitive);
        canon.bytes(b"tfview plan");
        canon.number(u64::from(VERSION));
        canon.digests(&digests);
        Self {
            basis,
            hash: canon.finish(),
        }
    }
}

/// Writes `tfview-3-HASH`, with letters for the basis after the version: `p` with provider schemas, `s` with sensitive
/// values.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schemas = if self.basis.schemas { "p" } else { "" };
        let sensitive = if self.basis.sensitive { "s" } else { "" };
        write!(f, "tfview-{VERSION}{schemas}{sensitive}-")?;
        self.hash
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    /// Parses a fingerprint in the form in which it is written: `tfview-`, the version, the letters of the basis, `-`,
    /// and the digits of the hash.
    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || "it is not a fingerprint, which looks like tfview-3-0123…".to_owned();
        let parts = text
            .trim()
            .strip_prefix("tfview-")
            .and_then(|rest| rest.split_once('-'));
        let (head, digits) = parts.ok_or_else(malformed)?;
        let letters = head.trim_start_matches(|c: char| c.is_ascii_digit());
        let version = head.strip_suffix(letters).unwrap_or_default();
        if !version.is_empty() && version != VERSION.to_string() {
            return Err(format!(
                "it is of another version of tfview, which made fingerprints differently; this one makes tfview-{VERSION}-…"
            ));
        }
        let mut hash = Digest::default();
        let is_whole =
            digits.len() == 2 * hash.len() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if version.is_empty() || !matches!(letters, "" | "p" | "s" | "ps") || !is_whole {
            return Err(malformed());
        }
        for (index, byte) in hash.iter_mut().enumerate() {
            let pair = digits.get(2 * index..2 * index + 2).unwrap_or_default();
            *byte = u8::from_str_radix(pair, 16).map_err(|_| malformed())?;
        }
        let basis = Basis {
            schemas: letters.starts_with('p'),
            sensitive: letters.ends_with('s'),
        };
        Ok(Self { basis, hash })
    }
}

/// Hashes what only a saved plan has and what decides its apply: the mode, the targets, the place of the state, and the
/// versions of the providers. Credentials among the arguments of the backend are left out.
fn saved_digest(saved: &SavedPlan<'_>) -> Digest {
    let mut canon = Canon::new(false);
    canon.words("saved", &[&saved.mode]);
    for list in [&saved.targets, &saved.excluded] {
        canon.number(list.len() as u64);
        list.iter().for_each(|address| canon.text(address));
    }
    if let Some(backend) = &saved.backend {
        canon.words("backend", &[&backend.kind, &backend.workspace]);
        for (name, hash) in backend.arguments.iter() {
            if !apply::may_be_secret(name) {
                canon.text(name);
                canon.text(hash);
            }
        }
    }
    for (name, locked) in saved.locked.iter() {
        canon.words("locked", &[name, &locked.version]);
    }
    canon.finish()
}

/// A part of a plan, with what the schema says about it.
struct Placed<'p, 'a> {
    /// The part.
    part: PlanPart<'p, 'a>,
    /// The position of its values in the schema.
    position: Position<'a>,
    /// The attributes that identify the object, if it is one.
    identity: Vec<&'a str>,
}

impl Placed<'_, '_> {
    /// Hashes the part with its values.
    fn digest(&self, build: Builder<'_, '_>, with_sensitive: bool) -> Result<Digest, Error> {
        let mut canon = Canon::new(with_sensitive);
        let change = self.part.change();
        let sides = Sides::read(&change, self.position, build)?.hiding_each_other(build);
        match self.part {
            PlanPart::Planned(object) | PlanPart::Drift(object) => {
                canon.object("change", "", object, sides)?;
            }
            PlanPart::Deferred(of) => {
                canon.object("deferred", &of.reason, &of.resource_change, sides)?;
            }
            PlanPart::Output(name, change) => {
                canon.words("output", &[name, change.actions.words()]);
            }
            PlanPart::Invocation(action) => canon.invocation("action", action, None),
            PlanPart::DeferredInvocation(of) => {
                canon.invocation("deferred action", &of.action_invocation, Some(&of.reason));
            }
        }
        canon.identity(&change, sides, &self.identity)?;
        if self.part.object().is_some() && !change.actions.keeps_object() {
            canon.value(sides.after, self.position);
        } else {
            canon.changed(sides);
        }
        Ok(canon.finish())
    }
}

/// The hashes of the parts of a change.
impl Canon {
    /// Adds the invocation of an action, which may be deferred for a reason.
    fn invocation(&mut self, kind: &str, action: &ActionInvocation<'_>, reason: Option<&str>) {
        let key = invocation_key(action);
        let mut words = vec![&*key, provider_path(&action.provider_name)];
        words.extend(reason);
        words.extend(Some(action.on_failure()).filter(|word| !word.is_empty()));
        self.words(kind, &words);
    }

    /// Adds everything about a change but its values. `list` distinguishes planned from deferred changes.
    fn object(
        &mut self,
        list: &str,
        reason: &str,
        object: &ResourceChange<'_>,
        sides: Sides<'_>,
    ) -> Result<(), Error> {
        let ResourceChange {
            address,
            mode,
            resource_type,
            deposed,
            change,
            ..
        } = object;
        let previous = if object.is_moved() {
            &*object.previous_address
        } else {
            ""
        };
        let (provider, actions) = (provider_path(&object.provider_name), change.actions.words());
        for text in [
            list,
            reason,
            address,
            mode,
            resource_type,
            deposed,
            previous,
            provider,
            actions,
        ] {
            self.text(text);
        }
        self.importing(change.importing.as_ref())?;
        self.replace_paths(change.replace_paths, sides)
    }

    /// Adds the import of an object.
    fn importing(&mut self, importing: Option<&Importing<'_>>) -> Result<(), Error> {
        let Some(importing) = importing else {
            self.tag(b'-');
            return Ok(());
        };
        self.tagged(if importing.unknown { b'?' } else { b'=' }, &importing.id);
        let arena = Bump::new();
        let identity = Raw::value_or_null(importing.identity, &arena)?;
        self.text(&json_text(identity));
        Ok(())
    }

    /// Adds the paths that force replacement, regardless of their order. Hidden parts of them are left out.
    fn replace_paths(&mut self, paths: Option<Raw<'_>>, sides: Sides<'_>) -> Result<(), Error> {
        let arena = Bump::new();
        let paths = visible_paths(Raw::value_or_null(paths, &arena)?, &[sides], &arena);
        let paths = paths.as_array().unwrap_or_default().iter();
        let paths: BTreeSet<String> = paths.map(|path| json_text(*path)).collect();
        self.number(paths.len() as u64);
        paths.iter().for_each(|path| self.text(path));
        Ok(())
    }

    /// Adds what identifies the object that is acted on: the identity in the document, and the identifying attributes
    /// before the change.
    fn identity(
        &mut self,
        change: &Change<'_>,
        sides: Sides<'_>,
        names: &[&str],
    ) -> Result<(), Error> {
        self.tag(b'I');
        // The attributes of an identity may be copies of sensitive ones.
        if self.with_sensitive || !sides.has_hidden() {
            let arena = Bump::new();
            for identity in [change.before_identity, change.after_identity] {
                self.text(&json_text(Raw::value_or_null(identity, &arena)?));
            }
        }
        for name in names {
            match sides.before.get(name) {
                Some(value) if !value.is_null() => {
                    self.text(name);
                    self.value(value, sides.position.member(name));
                }
                Some(_) | None => {}
            }
        }
        if sides.before.is_hidden {
            self.value(sides.before, sides.position);
        }
        Ok(())
    }

    /// Adds what a change sets: the members that it changes if both values are objects, otherwise the value after it.
    fn changed(&mut self, sides: Sides<'_>) {
        match changed_digest(
            Some(sides.before),
            sides.after,
            sides.position,
            self.with_sensitive,
        ) {
            Some(digest) => {
                self.tag(b'M');
                self.digest(&digest);
            }
            None => self.tag(b'-'),
        }
    }
}

#[cfg(test)]
mod tests;
