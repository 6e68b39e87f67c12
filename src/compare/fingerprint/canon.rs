//! The canonical form of changes and values, and its hash.

use std::collections::BTreeSet;

use bumpalo::Bump;
use sha2::{Digest as _, Sha256};

use super::Digest;
use crate::compare::json_text;
use crate::compare::pairs::provider_path;
use crate::compare::tasks::invocation_key;
use crate::diff::Error;
use crate::diff::edits::{PlanPart, Sides, visible_paths};
use crate::diff::value::{Builder, Content, MarkedValue, union};
use crate::json::Raw;
use crate::model::plan::{ActionInvocation, Importing};
use crate::schema::Position;

/// The hash of a part of a plan.
pub(super) fn part_digest(
    part: PlanPart<'_, '_>,
    position: Position<'_>,
    build: Builder<'_, '_>,
    with_sensitive: bool,
) -> Result<Digest, Error> {
    let sides = Sides::read(&part.change(), position, build)?.hiding_each_other(build);
    let invocation = |kind: &str, action: &ActionInvocation<'_>, reason: Option<&str>| {
        let key = invocation_key(action);
        let mut words = vec![&*key, provider_path(&action.provider_name)];
        words.extend(reason);
        words.extend(Some(action.on_failure()).filter(|word| !word.is_empty()));
        Ok(named_digest(kind, &words, sides, with_sensitive))
    };
    // The list distinguishes planned from deferred changes.
    let (list, reason, change) = match part {
        PlanPart::Planned(change) | PlanPart::Drift(change) => ("change", "", change),
        PlanPart::Deferred(deferred) => ("deferred", &*deferred.reason, &deferred.resource_change),
        PlanPart::Output(name, change) => {
            let words = [name, change.actions.words()];
            return Ok(named_digest("output", &words, sides, with_sensitive));
        }
        PlanPart::Invocation(action) => return invocation("action", action, None),
        PlanPart::DeferredInvocation(deferred) => {
            return invocation("deferred action", &deferred.action_invocation, Some(&deferred.reason));
        }
    };
    let mut canon = Canon::new(with_sensitive);
    for text in [list, reason, &change.address, &change.mode, &change.resource_type, &change.deposed] {
        canon.text(text);
    }
    canon.text(if change.is_moved() { &change.previous_address } else { "" });
    canon.text(provider_path(&change.provider_name));
    canon.text(change.change.actions.words());
    canon.importing(change.change.importing.as_ref())?;
    canon.replace_paths(part.change().replace_paths, sides)?;
    canon.sides(sides);
    Ok(canon.finish())
}

/// The hash of an output, action or variable: its kind, name and two sides.
pub(super) fn named_digest(kind: &str, words: &[&str], sides: Sides<'_>, with_sensitive: bool) -> Digest {
    let mut canon = Canon::new(with_sensitive);
    canon.text(kind);
    canon.number(words.len() as u64);
    words.iter().for_each(|word| canon.text(word));
    canon.sides(sides);
    canon.finish()
}

/// The hash of some bytes, each with its length.
pub(super) fn parts_digest(parts: &[&[u8]]) -> Digest {
    let mut canon = Canon::new(false);
    parts.iter().for_each(|part| canon.bytes(part));
    canon.finish()
}

/// Writes the canonical form into a hash.
pub(in crate::compare) struct Canon {
    pub(super) hasher: Sha256,
    pub(in crate::compare) with_sensitive: bool,
    /// Whether a hidden value was added.
    has_hidden: bool,
}

impl Canon {
    pub(in crate::compare) fn new(with_sensitive: bool) -> Self {
        Self { hasher: Sha256::new(), with_sensitive, has_hidden: false }
    }

    pub(in crate::compare) fn finish(self) -> Digest {
        self.hasher.finalize().into()
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.hasher.update(bytes);
    }

    pub(in crate::compare) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(in crate::compare) fn number(&mut self, number: u64) {
        self.hasher.update(number.to_le_bytes());
    }

    pub(in crate::compare) fn tag(&mut self, tag: u8) {
        self.hasher.update([tag]);
    }

    fn importing(&mut self, importing: Option<&Importing<'_>>) -> Result<(), Error> {
        let Some(importing) = importing else {
            self.tag(b'-');
            return Ok(());
        };
        self.tag(if importing.unknown { b'?' } else { b'=' });
        self.text(&importing.id);
        let arena = Bump::new();
        let identity = Raw::value_or_null(importing.identity, &arena)?;
        self.text(&json_text(identity));
        Ok(())
    }

    /// Adds the replace paths, as a set.
    fn replace_paths(&mut self, paths: Option<Raw<'_>>, sides: Sides<'_>) -> Result<(), Error> {
        let arena = Bump::new();
        let paths = visible_paths(Raw::value_or_null(paths, &arena)?, &[sides], &arena);
        let paths = paths.as_array().unwrap_or_default().iter();
        let paths: BTreeSet<String> = paths.map(|path| json_text(*path)).collect();
        self.number(paths.len() as u64);
        paths.iter().for_each(|path| self.text(path));
        Ok(())
    }

    /// Adds the two sides of a change. Of two objects only the changed members are added.
    fn sides(&mut self, sides: Sides<'_>) {
        let Sides { before, after, position, .. } = sides;
        let (Content::Object(old), Content::Object(new), false) =
            (before.content, after.content, before.is_hidden || after.is_hidden)
        else {
            self.tag(b'W');
            self.value(before, position);
            self.value(after, position);
            return;
        };
        self.tag(b'M');
        for (name, old, new) in union(old, new) {
            if old == new {
                continue;
            }
            let member = position.member(name);
            let digest = |value: Option<MarkedValue<'_>>, with_sensitive: bool| {
                let mut canon = Self::new(with_sensitive);
                match value {
                    Some(value) => canon.value(value, member),
                    None => canon.tag(b'N'),
                }
                (canon.has_hidden, canon.finish())
            };
            let [(hides_old, old_digest), (hides_new, new_digest)] =
                [old, new].map(|value| digest(value, true));
            // They differ only in the order of a set, or in a null member.
            if old_digest == new_digest {
                continue;
            }
            self.text(name);
            for (value, hides, whole) in [(old, hides_old, old_digest), (new, hides_new, new_digest)] {
                let is_whole = self.with_sensitive || !hides;
                self.hasher.update(if is_whole { whole } else { digest(value, false).1 });
            }
        }
    }

    fn value(&mut self, value: MarkedValue<'_>, position: Position<'_>) {
        if value.is_sensitive {
            self.tag(b'm');
        }
        self.has_hidden |= value.is_hidden;
        match value.content {
            Content::Null => self.tag(b'N'),
            Content::Unknown => self.tag(b'U'),
            _ if value.is_hidden && !self.with_sensitive => self.tag(b'S'),
            Content::Redacted => self.tag(b'S'),
            Content::Bool(value) => self.tag(if value { b'T' } else { b'F' }),
            Content::Number(text) => {
                self.tag(b'#');
                self.text(text);
            }
            Content::String(text) => {
                self.tag(b'"');
                self.text(text);
            }
            Content::Array(items) if position.is_set() => {
                let mut digests = Vec::with_capacity(items.len());
                for (at, item) in items.iter().enumerate() {
                    let mut canon = Self::new(self.with_sensitive);
                    canon.value(*item, position.element(at));
                    self.has_hidden |= canon.has_hidden;
                    digests.push(canon.finish());
                }
                digests.sort_unstable();
                self.tag(b'{');
                self.number(digests.len() as u64);
                digests.iter().for_each(|digest| self.hasher.update(digest));
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
                    self.tag(b',');
                    self.text(name);
                    self.value(*member, position.member(name));
                }
                self.tag(b')');
            }
        }
    }
}
