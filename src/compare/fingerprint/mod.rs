//! The fingerprint of a plan: a hash of its changes, to keep instead of the approved plan.
//!
//! The canonical form, version 2: every change is hashed separately, and the sorted hashes are hashed
//! again, so that their order does not matter. Objects are hashed with their members sorted by key, without
//! null members; sets, if a schema proves them, with their elements sorted by hash; strings and keys with
//! their lengths; numbers as written. Of an object that stays, only the changed attributes count, because
//! other changes to it since then are not part of the plan. Provisioners that will run and the configuration of
//! providers that are used count too (`running`).
//!
//! Invariant: sensitive values are omitted unless the user requests them, because the hash of a weak secret
//! can be guessed. Their presence, and whether they change, is included.

pub(super) mod canon;

use std::fmt;
use std::str::FromStr;

use bumpalo::Bump;
use foldhash::fast::RandomState;
use sha2::Digest as _;

pub(super) use self::canon::Canon;
use self::canon::{named_digest, part_digest, parts_digest};
use super::running;
use crate::diff::Error;
use crate::diff::edits::{self, PlanPart, Positions, Sides};
use crate::diff::parallel;
use crate::diff::value::Builder;
use crate::json::{Raw, Value};
use crate::model::plan::Plan;
use crate::schema::{Position, Schemas};

/// The version of the canonical form.
const VERSION: u32 = 2;

/// The hash of a part of a plan.
pub type Digest = [u8; 32];

/// The fingerprint of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// The data it includes.
    pub basis: Basis,
    hash: Digest,
}

/// The data that a fingerprint includes. Only fingerprints with the same basis are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Basis {
    /// Whether provider schemas were given, so that more values are known to be sets or sensitive.
    pub schemas: bool,
    /// Whether sensitive values are included.
    pub sensitive: bool,
}

impl Fingerprint {
    /// Computes the fingerprint of a plan. `schemas` must only be given schemas and those in the plan,
    /// because the cache of a machine must not affect the result.
    ///
    /// # Errors
    /// If a value or a schema is malformed.
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
        let flags = [flag("errored", Some(plan.errored)), flag("complete", plan.complete)];
        let mut parts = flags.to_vec();
        let hasher = RandomState::default();
        let mut changes = edits::parts(plan, &positions)?;
        // What changed outside of the tool is no part of what is approved.
        changes.retain(|(part, _)| !matches!(part, PlanPart::Drift(_)));
        let digests = parallel::map_in_order(
            &changes,
            |(part, _)| part.change().size(),
            |(part, position), scratch| {
                part_digest(*part, *position, Builder::new(scratch, &hasher), basis.sensitive)
            },
        )?;
        parts.extend(digests);
        let has_changes = parts.len() > flags.len();
        // The changes of most plans say the same.
        if plan.applyable.is_some_and(|applyable| applyable != has_changes) {
            parts.push(flag("applyable", plan.applyable));
        }
        for variable in plan.input_variables()? {
            let scratch = Bump::new();
            let build = Builder::new(&scratch, &hasher);
            let mark = Value::Bool(variable.is_sensitive());
            let text = variable.value.map(Raw::text);
            let after = build.build(text, Value::Null, mark, Position::Unspecified)?;
            let position = Position::Unspecified;
            let sides = Sides { before: build.null(), after, position, marks: [Value::Null, mark] };
            parts.push(named_digest("variable", &[&variable.name], sides, basis.sensitive));
        }
        for (part, digest) in running::digests(plan, plan, schemas, basis.sensitive, arena)? {
            parts.push(parts_digest(&[part.kind().as_bytes(), part.address.as_bytes(), &digest]));
        }
        Ok(Self::from_parts(basis, parts))
    }

    /// The fingerprint of a plan with these parts.
    fn from_parts(basis: Basis, mut parts: Vec<Digest>) -> Self {
        parts.sort_unstable();
        let mut canon = Canon::new(basis.sensitive);
        canon.bytes(b"tfview plan");
        canon.number(u64::from(VERSION));
        canon.number(parts.len() as u64);
        parts.iter().for_each(|part| canon.hasher.update(part));
        Self { basis, hash: canon.finish() }
    }
}

/// `tfview-2-HASH`, with letters for the basis after the version: `p` with provider schemas, `s` with
/// sensitive values.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schemas = if self.basis.schemas { "p" } else { "" };
        let sensitive = if self.basis.sensitive { "s" } else { "" };
        write!(f, "tfview-{VERSION}{schemas}{sensitive}-")?;
        self.hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    /// # Errors
    /// The reason why a text is not a comparable fingerprint.
    fn from_str(text: &str) -> Result<Self, String> {
        let malformed = || "it is not a fingerprint, which looks like tfview-2-0123…".to_owned();
        let (head, hash) = text
            .trim()
            .strip_prefix("tfview-")
            .and_then(|rest| rest.split_once('-'))
            .ok_or_else(malformed)?;
        let letters = head.trim_start_matches(|c: char| c.is_ascii_digit());
        let version = head.get(..head.len() - letters.len()).unwrap_or_default();
        if version.is_empty() {
            return Err(malformed());
        }
        if version != VERSION.to_string() {
            return Err(format!(
                "it is of another version of tfview, which made fingerprints differently; this one makes tfview-{VERSION}-…"
            ));
        }
        let (schemas, sensitive) = (letters.starts_with('p'), letters.ends_with('s'));
        if !matches!(letters, "" | "p" | "s" | "ps") {
            return Err(malformed());
        }
        let mut bytes = Digest::default();
        let is_hex = hash.len() == 2 * bytes.len() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return Err(malformed());
        }
        for (at, byte) in bytes.iter_mut().enumerate() {
            let pair = hash.get(2 * at..2 * at + 2).ok_or_else(malformed)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| malformed())?;
        }
        Ok(Self { basis: Basis { schemas, sensitive }, hash: bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_read_as_it_is_written() {
        for basis in [Basis::default(), Basis { schemas: true, sensitive: true }] {
            let fingerprint = Fingerprint::from_parts(basis, vec![[1; 32], [2; 32]]);
            assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        }
        let hash = "0".repeat(64);
        for (text, error) in [
            (format!("tfview-1-{hash}"), "it is of another version"),
            (format!("tfview-2x-{hash}"), "it is not a fingerprint"),
            (format!("tfview-2-{}", &hash[1..]), "it is not a fingerprint"),
            (format!("tfview--{hash}"), "it is not a fingerprint"),
            (hash, "it is not a fingerprint"),
            (String::new(), "it is not a fingerprint"),
        ] {
            let problem = text.parse::<Fingerprint>().unwrap_err();
            assert!(problem.starts_with(error), "{text}: {problem}");
        }
    }
}
