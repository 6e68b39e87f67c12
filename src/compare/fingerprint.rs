//! The fingerprint of a plan: a hash of its changes, to keep instead of the approved plan.
//!
//! The canonical form, version 3: every change is hashed separately, and the sorted hashes are hashed again,
//! so that their order does not matter. Objects are hashed with their members sorted by key, without null
//! members; sets, if a schema proves them, with their elements sorted by hash; strings and keys with their
//! lengths; numbers as written. Of an object that is created, every value counts; of one that stays, only the
//! values that the change sets, because other changes to it are not part of the plan, and all of them where there was
//! no object before; of one that is changed,
//! destroyed or forgotten, its identity. What decides the apply counts too (`running`).
//!
//! Invariant: sensitive values are omitted unless the user requests them, because the hash of a weak secret
//! can be guessed. Their presence, and whether they change, is included.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use bumpalo::Bump;
use foldhash::fast::RandomState;
use sha2::{Digest as _, Sha256};

use super::plans::{invocation_key, provider_path};
use super::{json_text, running};
use crate::diff::edits::{PlanPart, Positions, Sides, parts, visible_paths};
use crate::diff::value::{Builder, Content, MarkedValue, union};
use crate::diff::{Error, parallel};
use crate::json::{Raw, Value};
use crate::model::plan::{ActionInvocation, Change, Importing, Plan, ResourceChange};
use crate::schema::{Position, Schemas};

/// The version of the canonical form.
const VERSION: u32 = 3;

pub type Digest = [u8; 32];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fingerprint {
    pub basis: Basis,
    hash: Digest,
}

/// Only fingerprints with the same basis are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Basis {
    pub schemas: bool,
    pub sensitive: bool,
}

impl Fingerprint {
    /// Reads what an apply runs and with which variables, without making a fingerprint.
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
        running::parts(plan, schemas, basis.sensitive, arena).map(drop)
    }

    /// `schemas` must only be given schemas and those in the plan, because the cache of a machine must not
    /// affect the result.
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
        // What changed outside of the tool is no part of what is approved.
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
        // The changes of most plans say the same.
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
        let mut is_proven = true;
        for (part, content) in running::parts(plan, schemas, basis.sensitive, arena)? {
            is_proven &= content.hashed.unproven.is_none();
            digests.push(parts_digest(&[
                part.kind.name().as_bytes(),
                part.address.as_bytes(),
                &content.hashed.digest,
            ]));
        }
        if !is_proven {
            // Another planning may do something else that its document does not show.
            let planning = planning_digest(plan, basis.sensitive).unwrap_or_default();
            digests.push(parts_digest(&[b"planning", &planning]));
        }
        Ok(Self::from_digests(basis, digests))
    }

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

/// `tfview-3-HASH`, with letters for the basis after the version: `p` with provider schemas, `s` with
/// sensitive values.
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
        for (at, byte) in hash.iter_mut().enumerate() {
            let pair = digits.get(2 * at..2 * at + 2).unwrap_or_default();
            *byte = u8::from_str_radix(pair, 16).map_err(|_| malformed())?;
        }
        let basis = Basis {
            schemas: letters.starts_with('p'),
            sensitive: letters.ends_with('s'),
        };
        Ok(Self { basis, hash })
    }
}

/// A part of a plan, with what its schemas say of it.
struct Placed<'p, 'a> {
    part: PlanPart<'p, 'a>,
    position: Position<'a>,
    identity: Vec<&'a str>,
}

impl Placed<'_, '_> {
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

/// The hash of everything in a plan that shows that two documents are of one planning, whatever the order of
/// their parts; `None` if the plan has no time. Without sensitive values only the time counts.
pub(super) fn planning_digest(plan: &Plan<'_>, with_sensitive: bool) -> Option<Digest> {
    if plan.timestamp.is_empty() {
        return None;
    }
    let mut canon = Canon::new(with_sensitive);
    canon.text(&plan.timestamp);
    if with_sensitive {
        let raws = [
            plan.configuration,
            plan.planned_values,
            plan.prior_state,
            plan.checks,
        ];
        for raw in raws {
            let arena = Bump::new();
            // What cannot be read is not proven to be equal to anything.
            let value = Raw::value_or_null(raw, &arena).ok()?;
            canon.digest(&unordered_digest(value));
        }
    }
    Some(canon.finish())
}

fn unordered_digest(value: Value<'_>) -> Digest {
    let mut canon = Canon::new(true);
    match value {
        Value::Null => canon.tag(b'N'),
        Value::Bool(value) => canon.tag(if value { b'T' } else { b'F' }),
        Value::Number(text) => canon.tagged(b'#', text),
        Value::String(text) => canon.tagged(b'"', text),
        Value::Array(items) => {
            let mut digests: Vec<Digest> = items.iter().copied().map(unordered_digest).collect();
            digests.sort_unstable();
            canon.tag(b'{');
            canon.digests(&digests);
        }
        Value::Object(object) => {
            canon.tag(b'(');
            for (name, member) in object.members() {
                canon.tagged(b',', name);
                canon.digest(&unordered_digest(*member));
            }
        }
    }
    canon.finish()
}

/// The hash of what a change makes of a value, which may have been absent; `None` if both sides differ at most in the
/// order of a set or in a null member. Of an object only the members count that are set otherwise than before: all of
/// them if it was no object.
pub(super) fn changed_digest(
    before: Option<MarkedValue<'_>>,
    after: MarkedValue<'_>,
    position: Position<'_>,
    with_sensitive: bool,
) -> Option<Digest> {
    let before = before.filter(|before| !before.is_null());
    if before.map_or(after.is_null(), |before| before == after) {
        return None;
    }
    let digest = |value: MarkedValue<'_>, with_sensitive: bool| {
        let mut canon = Canon::new(with_sensitive);
        canon.value(value, position);
        canon.finish()
    };
    let is_hidden = after.is_hidden || before.is_some_and(|before| before.is_hidden);
    let (Content::Object(new), false) = (after.content, is_hidden) else {
        let exact = digest(after, true);
        if before
            .is_some_and(|before| may_say_the_same(before, after) && digest(before, true) == exact)
        {
            return None;
        }
        let says_all = with_sensitive || !after.has_marks;
        return Some(if says_all {
            exact
        } else {
            digest(after, false)
        });
    };
    let old = before.and_then(MarkedValue::as_object);
    let was_sensitive = before.is_some_and(|before| before.is_sensitive);
    let mut canon = Canon::new(with_sensitive);
    let mut has_changes = old.is_none() || was_sensitive != after.is_sensitive;
    canon.tag(if after.is_sensitive { b'm' } else { b'(' });
    for (name, old, new) in union(old.unwrap_or_default(), new) {
        let changed = match (old, new) {
            (Some(old), None) => (!old.is_null()).then(digest_of_null),
            (_, Some(new)) => changed_digest(old, new, position.member(name), with_sensitive),
            (None, None) => None,
        };
        if let Some(changed) = changed {
            has_changes = true;
            canon.text(name);
            canon.digest(&changed);
        }
    }
    has_changes.then(|| canon.finish())
}

/// Whether two values that differ may have the same hash, which takes long to make: only containers may.
fn may_say_the_same(before: MarkedValue<'_>, after: MarkedValue<'_>) -> bool {
    match (before.content, after.content) {
        (Content::Array(before), Content::Array(after)) => before.len() == after.len(),
        (Content::Object(_), Content::Object(_)) => true,
        _ => false,
    }
}

fn digest_of_null() -> Digest {
    let mut canon = Canon::new(false);
    canon.tag(b'N');
    canon.finish()
}

fn parts_digest(parts: &[&[u8]]) -> Digest {
    let mut canon = Canon::new(false);
    parts.iter().for_each(|part| canon.bytes(part));
    canon.finish()
}

pub(super) struct Canon {
    hasher: Sha256,
    pub(super) with_sensitive: bool,
}

impl Canon {
    pub(super) fn new(with_sensitive: bool) -> Self {
        Self {
            hasher: Sha256::new(),
            with_sensitive,
        }
    }

    pub(super) fn finish(self) -> Digest {
        self.hasher.finalize().into()
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.hasher.update(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn number(&mut self, number: u64) {
        self.hasher.update(number.to_le_bytes());
    }

    pub(super) fn tag(&mut self, tag: u8) {
        self.hasher.update([tag]);
    }

    pub(super) fn tagged(&mut self, tag: u8, text: &str) {
        self.tag(tag);
        self.text(text);
    }

    fn digests(&mut self, digests: &[Digest]) {
        self.number(digests.len() as u64);
        digests.iter().for_each(|digest| self.hasher.update(digest));
    }

    fn words(&mut self, kind: &str, words: &[&str]) {
        self.text(kind);
        self.number(words.len() as u64);
        words.iter().for_each(|word| self.text(word));
    }

    fn invocation(&mut self, kind: &str, action: &ActionInvocation<'_>, reason: Option<&str>) {
        let key = invocation_key(action);
        let mut words = vec![&*key, provider_path(&action.provider_name)];
        words.extend(reason);
        words.extend(Some(action.on_failure()).filter(|word| !word.is_empty()));
        self.words(kind, &words);
    }

    /// The list distinguishes planned from deferred changes.
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

    fn replace_paths(&mut self, paths: Option<Raw<'_>>, sides: Sides<'_>) -> Result<(), Error> {
        let arena = Bump::new();
        let paths = visible_paths(Raw::value_or_null(paths, &arena)?, &[sides], &arena);
        let paths = paths.as_array().unwrap_or_default().iter();
        let paths: BTreeSet<String> = paths.map(|path| json_text(*path)).collect();
        self.number(paths.len() as u64);
        paths.iter().for_each(|path| self.text(path));
        Ok(())
    }

    pub(super) fn digest(&mut self, digest: &Digest) {
        self.hasher.update(digest);
    }

    /// Adds which object is acted on: what the document calls its identity, and the attributes that identify it.
    fn identity(
        &mut self,
        change: &Change<'_>,
        sides: Sides<'_>,
        names: &[&str],
    ) -> Result<(), Error> {
        self.tag(b'I');
        // Its attributes may be copies of sensitive ones.
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

    /// Adds what a change sets: of two objects the members that it changes, else the value after it.
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

    pub(super) fn value(&mut self, value: MarkedValue<'_>, position: Position<'_>) {
        if value.is_sensitive {
            self.tag(b'm');
        }
        match value.content {
            Content::Null => self.tag(b'N'),
            Content::Unknown => self.tag(b'U'),
            _ if value.is_hidden && !self.with_sensitive => self.tag(b'S'),
            Content::Redacted => self.tag(b'S'),
            Content::Bool(value) => self.tag(if value { b'T' } else { b'F' }),
            Content::Number(text) => self.tagged(b'#', text),
            Content::String(text) => self.tagged(b'"', text),
            Content::Array(items) if position.is_set() => {
                let mut digests = Vec::with_capacity(items.len());
                for (at, item) in items.iter().enumerate() {
                    let mut canon = Self::new(self.with_sensitive);
                    canon.value(*item, position.element(at));
                    digests.push(canon.finish());
                }
                digests.sort_unstable();
                self.tag(b'{');
                self.digests(&digests);
            }
            Content::Array(items) => {
                self.tag(b'[');
                self.number(items.len() as u64);
                for (at, item) in items.iter().enumerate() {
                    self.value(*item, position.element(at));
                }
            }
            Content::Object(members) => {
                let members = members.iter().filter(|(_, member)| !member.is_null());
                self.tag(b'(');
                for (name, member) in members {
                    self.tagged(b',', name);
                    self.value(*member, position.member(name));
                }
                self.tag(b')');
            }
        }
    }
}

#[cfg(test)]
mod tests;
