//! A hash of what a plan does, for those who keep only a hash of the plan that was approved.
//!
//! The canonical form, version 1: every change of the plan is hashed by itself, and the sorted hashes are hashed
//! again, so that the order of the document does not count. Objects are hashed with their members sorted by key,
//! without null ones; sets, where a schema proves them, with their elements sorted by hash; strings and keys with
//! their lengths; numbers as they are written. Of an object that stays, only the attributes that change count: what
//! else changed in the world meanwhile is not part of what is done.
//!
//! Invariant: sensitive values are left out unless the user asks for them, because the hash of a weak secret can be
//! guessed; that one is there, and that it changes, counts.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use bumpalo::Bump;
use foldhash::fast::RandomState;
use sha2::{Digest as _, Sha256};

use super::change::{Sides, sides};
use super::json_text;
use super::pairs::Item;
use super::plans::invocation_key;
use super::variables;
use crate::diff::Error;
use crate::diff::parallel;
use crate::diff::value::{Builder, Content, MarkedValue, union};
use crate::json::{Raw, Value};
use crate::model::Action;
use crate::model::plan::{Importing, Plan, ResourceChange};
use crate::review::plan::Positions;
use crate::schema::{Position, Schemas};

/// The version of the canonical form.
const VERSION: u32 = 1;

/// The hash of a part of a plan.
pub type Digest = [u8; 32];

/// The fingerprint of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// What it is made from.
    pub basis: Basis,
    hash: Digest,
}

/// What a fingerprint is made from. Fingerprints are compared only if they are made from the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Basis {
    /// Provider schemas were given, so that more values are known to be sets or sensitive.
    pub schemas: bool,
    /// Sensitive values are part of it.
    pub sensitive: bool,
}

impl Fingerprint {
    /// The fingerprint of a plan. `schemas` are those that were given and those that the plan brings with it: what a
    /// machine happens to have in a cache must not count.
    ///
    /// # Errors
    /// A value or a schema cannot be read.
    pub fn new<'a>(
        plan: &Plan<'a>,
        schemas: &Schemas<'a>,
        basis: Basis,
        arena: &'a Bump,
    ) -> Result<Self, Error> {
        let mut positions = Positions::new(schemas, arena);
        let mut parts = vec![of_flag("errored", Some(plan.errored)), of_flag("complete", plan.complete)];
        let mut tasks = Vec::new();
        for change in plan.resource_changes.iter().filter(|change| !change.is_silent()) {
            tasks.push(Task { list: "change", reason: "", change, position: positions.of_change(change)? });
        }
        for deferred in &plan.deferred_changes {
            let (change, reason) = (&deferred.resource_change, &*deferred.reason);
            tasks.push(Task { list: "deferred", reason, change, position: positions.of_change(change)? });
        }
        let hasher = RandomState::default();
        parts.extend(parallel::map_in_order(
            &tasks,
            |task| task.change.size(),
            |task, scratch| task.digest(Builder::new(scratch, &hasher), basis.sensitive),
        )?);
        let build = Builder::new(arena, &hasher);
        let value = |raw: Option<Raw<'a>>| raw.map_or(Ok(Value::Null), |raw| raw.value(arena));
        for (name, change) in plan.output_changes.iter().filter(|(_, change)| change.actions != Action::NoOp)
        {
            let sides = sides(change, Position::Unspecified, build)?;
            parts.push(of_named("output", &[name, change.actions.words()], sides, basis.sensitive));
        }
        for variable in variables::read(plan)? {
            let mark = Value::Bool(variable.is_sensitive);
            let after = build.build(value(variable.value)?, Value::Null, mark, Position::Unspecified);
            let sides = Sides { before: build.null(), after, position: Position::Unspecified };
            parts.push(of_named("variable", &[&variable.name], sides, basis.sensitive));
        }
        for action in &plan.action_invocations {
            let block = schemas.action(&action.provider_name, &action.action_type, arena)?;
            let position = block.map_or(Position::Unspecified, Position::Block);
            let (values, unknown) = (value(action.config_values)?, value(action.config_unknown)?);
            let after = build.build(values, unknown, value(action.config_sensitive)?, position);
            let sides = Sides { before: build.null(), after, position };
            let words = [&*invocation_key(action), provider_path(&action.provider_name)];
            parts.push(of_named("action", &words, sides, basis.sensitive));
        }
        Ok(Self::of_parts(basis, parts))
    }

    /// The fingerprint of a plan with these parts.
    fn of_parts(basis: Basis, mut parts: Vec<Digest>) -> Self {
        parts.sort_unstable();
        let mut canon = Canon::new(basis.sensitive);
        canon.bytes(b"tfview plan");
        canon.number(u64::from(VERSION));
        canon.number(parts.len() as u64);
        parts.iter().for_each(|part| canon.hasher.update(part));
        Self { basis, hash: canon.finish() }
    }
}

/// `tfview-1-HASH`; letters behind the version say what it is made from: `p` with provider schemas, `s` with
/// sensitive values.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schemas = if self.basis.schemas { "p" } else { "" };
        let sensitive = if self.basis.sensitive { "s" } else { "" };
        write!(f, "tfview-{VERSION}{schemas}{sensitive}-")?;
        self.hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Why a text is no fingerprint that can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// It is no fingerprint.
    Malformed,
    /// It is one of another version of the canonical form.
    Version,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("it is not a fingerprint, which looks like tfview-1-0123…"),
            Self::Version => write!(
                f,
                "it is of another version of tfview, which made fingerprints differently; this one makes tfview-{VERSION}-…"
            ),
        }
    }
}

impl std::error::Error for ParseError {}

impl FromStr for Fingerprint {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (head, hash) = text
            .trim()
            .strip_prefix("tfview-")
            .and_then(|rest| rest.split_once('-'))
            .ok_or(ParseError::Malformed)?;
        let letters = head.trim_start_matches(|c: char| c.is_ascii_digit());
        let version = head.get(..head.len() - letters.len()).unwrap_or_default();
        if version.is_empty() {
            return Err(ParseError::Malformed);
        }
        if version != VERSION.to_string() {
            return Err(ParseError::Version);
        }
        let (schemas, sensitive) = match letters {
            "" => (false, false),
            "p" => (true, false),
            "s" => (false, true),
            "ps" => (true, true),
            _ => return Err(ParseError::Malformed),
        };
        let mut bytes = Digest::default();
        let is_hex = hash.len() == 2 * bytes.len() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return Err(ParseError::Malformed);
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            let pair = hash.get(2 * at..2 * at + 2).ok_or(ParseError::Malformed)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| ParseError::Malformed)?;
        }
        Ok(Self { basis: Basis { schemas, sensitive }, hash: bytes })
    }
}

/// A change that is hashed by itself.
struct Task<'p, 'a> {
    /// Tells planned changes from deferred ones.
    list: &'static str,
    reason: &'p str,
    change: &'p ResourceChange<'a>,
    position: Position<'p>,
}

impl Task<'_, '_> {
    fn digest(&self, build: Builder<'_, '_>, with_sensitive: bool) -> Result<Digest, Error> {
        let Self { list, reason, change, position } = self;
        let mut canon = Canon::new(with_sensitive);
        let item = Item::new(change, reason);
        for text in [list, reason, &*item.address, &change.mode, &change.resource_type, &change.deposed] {
            canon.text(text);
        }
        canon.text(if change.is_moved() { &change.previous_address } else { "" });
        canon.text(provider_path(&change.provider_name));
        canon.text(change.change.actions.words());
        canon.importing(change.change.importing.as_ref())?;
        canon.replace_paths(change.change.replace_paths)?;
        canon.sides(sides(&change.change, *position, build)?);
        Ok(canon.finish())
    }
}

/// The hash of something with a kind, a name and two sides: an output, an action, a variable.
fn of_named(kind: &str, words: &[&str], sides: Sides<'_>, with_sensitive: bool) -> Digest {
    let mut canon = Canon::new(with_sensitive);
    canon.text(kind);
    canon.number(words.len() as u64);
    words.iter().for_each(|word| canon.text(word));
    canon.sides(sides);
    canon.finish()
}

/// The hash of a flag of the plan.
fn of_flag(name: &str, value: Option<bool>) -> Digest {
    let mut canon = Canon::new(false);
    canon.text(name);
    canon.text(match value {
        Some(true) => "true",
        Some(false) => "false",
        None => "",
    });
    canon.finish()
}

/// A provider's address without the host of the two public registries: the tools have one each.
pub(crate) fn provider_path(provider_name: &str) -> &str {
    ["registry.terraform.io/", "registry.opentofu.org/"]
        .into_iter()
        .find_map(|host| provider_name.strip_prefix(host))
        .unwrap_or(provider_name)
}

/// Writes the canonical form into a hash.
struct Canon {
    hasher: Sha256,
    with_sensitive: bool,
}

impl Canon {
    fn new(with_sensitive: bool) -> Self {
        Self { hasher: Sha256::new(), with_sensitive }
    }

    fn finish(self) -> Digest {
        self.hasher.finalize().into()
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.hasher.update(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn number(&mut self, number: u64) {
        self.hasher.update(number.to_le_bytes());
    }

    fn tag(&mut self, tag: u8) {
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
        let identity = importing.identity.map_or(Ok(Value::Null), |raw| raw.value(&arena))?;
        self.text(&json_text(identity));
        Ok(())
    }

    /// They are a set.
    fn replace_paths(&mut self, paths: Option<Raw<'_>>) -> Result<(), Error> {
        let arena = Bump::new();
        let paths = paths.map_or(Ok(Value::Null), |raw| raw.value(&arena))?;
        let paths = paths.as_array().unwrap_or_default().iter();
        let paths: BTreeSet<String> = paths.map(|path| json_text(*path)).collect();
        self.number(paths.len() as u64);
        paths.iter().for_each(|path| self.text(path));
        Ok(())
    }

    /// Two objects count by the members that change; anything else as a whole.
    fn sides(&mut self, sides: Sides<'_>) {
        let Sides { before, after, position } = sides;
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
                canon.finish()
            };
            // Only the order of a set differs, or a null member is missing.
            if digest(old, true) == digest(new, true) {
                continue;
            }
            self.text(name);
            self.hasher.update(digest(old, self.with_sensitive));
            self.hasher.update(digest(new, self.with_sensitive));
        }
    }

    fn value(&mut self, value: MarkedValue<'_>, position: Position<'_>) {
        if value.is_sensitive {
            self.tag(b'm');
        }
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
                let digest = |(at, item): (usize, &MarkedValue<'_>)| {
                    let mut canon = Self::new(self.with_sensitive);
                    canon.value(*item, position.element(at));
                    canon.finish()
                };
                let mut digests: Vec<Digest> = items.iter().enumerate().map(digest).collect();
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

/// A value as JSON with sorted keys: for paths and identities, which are small.
pub(crate) fn write_json(text: &mut String, value: Value<'_>) {
    // Writing to a `String` cannot fail.
    let _: fmt::Result = match value {
        Value::Null => text.write_str("null"),
        Value::Bool(value) => write!(text, "{value}"),
        Value::Number(number) => text.write_str(number),
        Value::String(string) => write!(text, "{}", serde_json::Value::from(string)),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write_json(text, *item);
            }
            text.write_char(']')
        }
        Value::Object(object) => {
            text.push('{');
            for (at, (name, member)) in object.members().iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                let _: fmt::Result = write!(text, "{}:", serde_json::Value::from(*name));
                write_json(text, *member);
            }
            text.write_char('}')
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_as_it_is_written() {
        for basis in [Basis::default(), Basis { schemas: true, sensitive: true }] {
            let fingerprint = Fingerprint::of_parts(basis, vec![[1; 32], [2; 32]]);
            assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        }
        let hash = "0".repeat(64);
        for (text, error) in [
            (format!("tfview-2-{hash}"), ParseError::Version),
            (format!("tfview-1x-{hash}"), ParseError::Malformed),
            (format!("tfview-1-{}", &hash[1..]), ParseError::Malformed),
            (format!("tfview--{hash}"), ParseError::Malformed),
            (hash, ParseError::Malformed),
            (String::new(), ParseError::Malformed),
        ] {
            assert_eq!(text.parse::<Fingerprint>(), Err(error), "{text}");
        }
    }
}
