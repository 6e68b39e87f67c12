//! Hashes values in a canonical form.
//!
//! Objects are hashed with their members sorted by key, and without null members; sets, if a schema proves that they
//! are sets, with their elements sorted by hash; strings and keys with their lengths; numbers as they are written.
//!
//! Invariant: without `with_sensitive`, sensitive values are left out, because the hash of a weak secret can be
//! guessed. Their presence is included, and whether they change.

use std::collections::BTreeMap;

use bumpalo::Bump;
use sha2::{Digest as _, Sha256};

use crate::diff::value::{Content, MarkedValue, union};
use crate::json::{self, Members, Object, Raw, Value};
use crate::model::plan::Plan;
use crate::schema::Position;

/// A SHA-256 hash.
pub(super) type Digest = [u8; 32];

/// A hash that is being made of texts, numbers and values in the canonical form.
pub(super) struct Canon {
    hasher: Sha256,
    /// Whether sensitive values are included.
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

    /// Adds bytes with their length, so that two texts one after the other cannot have the same hash as one.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.hasher.update(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn number(&mut self, number: u64) {
        self.hasher.update(number.to_le_bytes());
    }

    /// Adds a byte that tells apart what follows.
    pub(super) fn tag(&mut self, tag: u8) {
        self.hasher.update([tag]);
    }

    pub(super) fn tagged(&mut self, tag: u8, text: &str) {
        self.tag(tag);
        self.text(text);
    }

    pub(super) fn digests(&mut self, digests: &[Digest]) {
        self.number(digests.len() as u64);
        digests.iter().for_each(|digest| self.hasher.update(digest));
    }

    /// Adds a kind and a list of words, each with its length.
    pub(super) fn words(&mut self, kind: &str, words: &[&str]) {
        self.text(kind);
        self.number(words.len() as u64);
        words.iter().for_each(|word| self.text(word));
    }

    /// Adds a finished hash, whose length is fixed.
    pub(super) fn digest(&mut self, digest: &Digest) {
        self.hasher.update(digest);
    }

    /// Adds a value that has no parts.
    pub(super) fn scalar(&mut self, scalar: Scalar<'_>) {
        match scalar {
            Scalar::Null => self.tag(b'N'),
            Scalar::Bool(true) => self.tag(b'T'),
            Scalar::Bool(false) => self.tag(b'F'),
            Scalar::Number(text) => self.tagged(b'#', text),
            Scalar::String(text) => self.tagged(b'"', text),
        }
    }

    /// Adds a value without marks. All its parts are included, in their order.
    pub(super) fn plain(&mut self, value: Value<'_>) {
        match Form::of(value) {
            Form::Scalar(scalar) => self.scalar(scalar),
            Form::Array(items) => {
                self.tag(b'[');
                self.number(items.len() as u64);
                items.iter().for_each(|item| self.plain(*item));
            }
            Form::Object(object) => {
                self.tag(b'(');
                for (name, member) in object.members() {
                    self.tagged(b',', name);
                    self.plain(*member);
                }
                self.tag(b')');
            }
        }
    }

    /// Adds a value with its marks. The position in a schema says where the order of elements is insignificant.
    pub(super) fn value(&mut self, value: MarkedValue<'_>, position: Position<'_>) {
        if value.is_sensitive {
            self.tag(b'm');
        }
        match value.content {
            Content::Null => self.scalar(Scalar::Null),
            Content::Unknown => self.tag(b'U'),
            _ if value.is_hidden && !self.with_sensitive => self.tag(b'S'),
            Content::Redacted => self.tag(b'S'),
            Content::Bool(value) => self.scalar(Scalar::Bool(value)),
            Content::Number(text) => self.scalar(Scalar::Number(text)),
            Content::String(text) => self.scalar(Scalar::String(text)),
            Content::Array(items) if position.is_set() => {
                let mut digests = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let mut canon = Self::new(self.with_sensitive);
                    canon.value(*item, position.element(index));
                    digests.push(canon.finish());
                }
                digests.sort_unstable();
                self.tag(b'{');
                self.digests(&digests);
            }
            Content::Array(items) => {
                self.tag(b'[');
                self.number(items.len() as u64);
                for (index, item) in items.iter().enumerate() {
                    self.value(*item, position.element(index));
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

/// A value without parts.
#[derive(Clone, Copy)]
pub(super) enum Scalar<'v> {
    Null,
    Bool(bool),
    /// The digits, as they are written.
    Number(&'v str),
    String(&'v str),
}

/// A value, classified by whether it has parts.
pub(super) enum Form<'v> {
    Scalar(Scalar<'v>),
    Array(&'v [Value<'v>]),
    Object(Object<'v>),
}

impl<'v> Form<'v> {
    pub(super) fn of(value: Value<'v>) -> Self {
        match value {
            Value::Null => Self::Scalar(Scalar::Null),
            Value::Bool(value) => Self::Scalar(Scalar::Bool(value)),
            Value::Number(text) => Self::Scalar(Scalar::Number(text)),
            Value::String(text) => Self::Scalar(Scalar::String(text)),
            Value::Array(items) => Self::Array(items),
            Value::Object(object) => Self::Object(object),
        }
    }
}

/// Returns the hash of everything in a plan that shows whether two documents come from the same planning, regardless of
/// the order of their parts. Returns `None` if the plan has no time.
///
/// Without sensitive values, only the time is included: the other parts may hold sensitive values.
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
            // A part that cannot be read is not proven to be equal to anything.
            let value = Raw::value_or_null(raw, &arena).ok()?;
            canon.digest(&unordered_digest(value));
        }
    }
    Some(canon.finish())
}

/// Whether two documents are of the same planning, wherever their members and elements stand: they have the same time
/// and say the same, but for the changes, whose differences are found by themselves. Two plans may be made in the same
/// second, so that the time alone proves nothing: documents without the planned values must have the same changes.
pub(super) fn is_same_planning(plans: [&Plan<'_>; 2], texts: [&str; 2]) -> bool {
    if plans.iter().any(|plan| plan.timestamp.is_empty()) {
        return false;
    }
    let is_whole = plans.iter().all(|plan| plan.planned_values.is_some());
    let [old, new] = texts.map(|text| document_digests(text, is_whole));
    old.is_some() && old == new
}

/// Returns the hash of each member of a document, by name, with or without the changes; `None` if it cannot be read. One
/// member is parsed at a time.
fn document_digests(text: &str, leaves_changes_out: bool) -> Option<BTreeMap<String, Digest>> {
    let mut digests = BTreeMap::new();
    let mut members = Members::new(text);
    while let Some(name) = members.next_key().ok()? {
        if leaves_changes_out && matches!(&*name, "resource_changes" | "output_changes") {
            continue;
        }
        let name = name.into_owned();
        let arena = Bump::new();
        let value = json::parse(members.value().ok()?, &arena).ok()?;
        digests.insert(name, unordered_digest(value));
    }
    Some(digests)
}

/// Hashes a value so that the order of elements does not matter anywhere in it.
pub(super) fn unordered_digest(value: Value<'_>) -> Digest {
    let mut canon = Canon::new(true);
    match Form::of(value) {
        Form::Scalar(scalar) => canon.scalar(scalar),
        Form::Array(items) => {
            let mut digests: Vec<Digest> = items.iter().copied().map(unordered_digest).collect();
            digests.sort_unstable();
            canon.tag(b'{');
            canon.digests(&digests);
        }
        Form::Object(object) => {
            canon.tag(b'(');
            for (name, member) in object.members() {
                canon.tagged(b',', name);
                canon.digest(&unordered_digest(*member));
            }
        }
    }
    canon.finish()
}

/// Returns the hash of what a change makes of a value, which may have been absent. Returns `None` if both sides differ
/// at most in the order of a set or in null members.
///
/// Of an object, only the members are included that the change sets to another value; if there was no object before,
/// these are all members.
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
    let is_hidden = after.is_hidden || before.is_some_and(|before| before.is_hidden);
    match after.content {
        Content::Object(members) if !is_hidden => {
            changed_members_digest(before, after, members, position, with_sensitive)
        }
        Content::Object(_)
        | Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_)
        | Content::Array(_) => changed_whole_digest(before, after, position, with_sensitive),
    }
}

/// Returns the hash of what a change makes of a value whose parts are not told apart: of one that is hidden, or no
/// object. Returns `None` if both sides have the same hash.
fn changed_whole_digest(
    before: Option<MarkedValue<'_>>,
    after: MarkedValue<'_>,
    position: Position<'_>,
    with_sensitive: bool,
) -> Option<Digest> {
    let exact = value_digest(after, position, true);
    if let Some(before) = before
        && may_say_the_same(before, after)
        && value_digest(before, position, true) == exact
    {
        return None;
    }
    let says_all = with_sensitive || !after.has_marks;
    Some(if says_all {
        exact
    } else {
        value_digest(after, position, false)
    })
}

/// Returns the hash of what a change makes of an object, whose members after the change are `members`. Returns `None`
/// if it sets no member to another value.
fn changed_members_digest(
    before: Option<MarkedValue<'_>>,
    after: MarkedValue<'_>,
    members: &[(&str, MarkedValue<'_>)],
    position: Position<'_>,
    with_sensitive: bool,
) -> Option<Digest> {
    let old_members = before.and_then(MarkedValue::as_object);
    let was_sensitive = before.is_some_and(|before| before.is_sensitive);
    let mut canon = Canon::new(with_sensitive);
    let mut has_changes = old_members.is_none() || was_sensitive != after.is_sensitive;
    canon.tag(if after.is_sensitive { b'm' } else { b'(' });
    for (name, old, new) in union(old_members.unwrap_or_default(), members) {
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

/// Returns the hash of a value with its marks.
fn value_digest(value: MarkedValue<'_>, position: Position<'_>, with_sensitive: bool) -> Digest {
    let mut canon = Canon::new(with_sensitive);
    canon.value(value, position);
    canon.finish()
}

/// Whether two values that differ may still have the same hash, so that it must be computed, which takes long. Only
/// containers may.
fn may_say_the_same(before: MarkedValue<'_>, after: MarkedValue<'_>) -> bool {
    match (before.content, after.content) {
        (Content::Array(before), Content::Array(after)) => before.len() == after.len(),
        (Content::Object(_), Content::Object(_)) => true,
        _ => false,
    }
}

/// Returns the hash of a member that a change removes.
fn digest_of_null() -> Digest {
    let mut canon = Canon::new(false);
    canon.tag(b'N');
    canon.finish()
}

/// Returns the hash of a list of texts, each with its length.
pub(super) fn parts_digest(parts: &[&[u8]]) -> Digest {
    let mut canon = Canon::new(false);
    parts.iter().for_each(|part| canon.bytes(part));
    canon.finish()
}
