//! What an apply runs besides the changes themselves: the provisioners of what it creates, replaces or
//! destroys, and the configuration of the providers that it uses.
//!
//! The `configuration` of a plan has no marks, so what its constants hold is never shown. In a hash that is
//! shown, constants are left out if the provider's schema calls them sensitive, or if their name suggests
//! that they are.

use std::collections::{BTreeMap, BTreeSet};

use bumpalo::Bump;

use super::fingerprint::{Canon, Digest};
use super::{Class, Difference, DifferenceKind, Property, Side, Subject};
use crate::diff::Error;
use crate::json::{Raw, Value};
use crate::model::plan::Plan;
use crate::model::{Action, configuration};
use crate::review::names::words;
use crate::schema::{Position, Schemas, infer};

/// `provider`, with the key of its configuration, or `provisioners`, with the address of the resource without
/// instance keys.
type Part = (&'static str, String);

const PROVIDER: &str = "provider";
const PROVISIONERS: &str = "provisioners";

/// The hashes of what runs when the changes of `changes` are applied with the configuration of `configured`.
///
/// # Errors
/// If a value or a schema is malformed.
pub(super) fn digests<'a>(
    configured: &Plan<'a>,
    changes: &Plan<'_>,
    schemas: &Schemas<'a>,
    with_sensitive: bool,
    arena: &'a Bump,
) -> Result<BTreeMap<Part, Digest>, Error> {
    let mut found = BTreeMap::new();
    let all = configured
        .checked_configuration()
        .map_err(Error::Configuration)?;
    // Whether an object is created, and whether one is destroyed.
    let mut runs: BTreeMap<(Vec<String>, &str, &str), [bool; 2]> = BTreeMap::new();
    let mut used: BTreeSet<&str> = changes
        .actions()
        .map(|action| &*action.provider_name)
        .collect();
    for change in changes
        .resource_changes
        .iter()
        .filter(|change| !change.is_silent())
    {
        used.insert(&change.provider_name);
        let Some(when) = when(&change.change.actions).filter(|_| all.has_provisioners()) else {
            continue;
        };
        let module = configuration::calls(&change.module_address);
        let known = runs
            .entry((module, &change.resource_type, &change.name))
            .or_default();
        known
            .iter_mut()
            .zip(when)
            .for_each(|(known, own)| *known |= own);
    }
    for ((module, resource_type, name), [creates, destroys]) in runs {
        let Some(place) = all.module_of(&module) else {
            continue;
        };
        let scratch = Bump::new();
        let mut canon = Canon::new(with_sensitive);
        let mut count = 0;
        for provisioner in all_of(all.provisioners(place, resource_type, name), &scratch)? {
            // The tools write no `when`: then it may run at any of these times.
            let runs = match provisioner.get("when") {
                Some(Value::String("destroy")) => destroys,
                Some(Value::String("create")) => creates,
                Some(_) | None => true,
            };
            if runs {
                count += 1;
                write(&mut canon, provisioner, Position::Inferred);
            }
        }
        if count > 0 {
            let address: String = module
                .iter()
                .map(|name| format!("module.{name}."))
                .collect();
            found.insert(
                (PROVISIONERS, format!("{address}{resource_type}.{name}")),
                canon.finish(),
            );
        }
    }
    for (key, config) in all.provider_configs().map_err(Error::Configuration)?.0 {
        let (Some(raw), true) = (config.expressions, is_used(&used, config.source())) else {
            continue;
        };
        let position = schemas.provider_configuration(config.source(), arena)?;
        let position = position.map_or(Position::Inferred, Position::BuiltIn);
        let scratch = Bump::new();
        let mut canon = Canon::new(with_sensitive);
        write(&mut canon, decisive(raw, &scratch)?, position);
        found.insert((PROVIDER, key.to_string()), canon.finish());
    }
    Ok(found)
}

/// It decides what runs, so a member that occurs twice is an error.
fn decisive<'s>(raw: Raw<'s>, scratch: &'s Bump) -> Result<Value<'s>, Error> {
    Raw::marks_or_null(Some(raw), scratch).map_err(Error::Configuration)
}

/// What is not a list counts as one provisioner.
fn all_of<'s>(lists: &[Raw<'s>], scratch: &'s Bump) -> Result<Vec<Value<'s>>, Error> {
    let mut found = Vec::new();
    for raw in lists {
        let value = decisive(*raw, scratch)?;
        found.extend_from_slice(value.as_array().unwrap_or(&[value]));
    }
    Ok(found)
}

fn when(action: &Action) -> Option<[bool; 2]> {
    Some(match action {
        Action::NoOp | Action::Read | Action::Update | Action::Forget | Action::Open => {
            return None;
        }
        Action::Create | Action::CreateThenForget | Action::ForgetThenCreate => [true, false],
        Action::Delete => [false, true],
        Action::DeleteThenCreate | Action::CreateThenDelete | Action::Unknown(_) => [true, true],
    })
}

/// Old plans have only the local name of a provider.
fn is_used(used: &BTreeSet<&str>, source: &str) -> bool {
    used.contains(source)
        || (!source.contains('/')
            && used
                .iter()
                .any(|name| name.rsplit('/').next() == Some(source)))
        || used.contains("")
}

/// Adds an expression, or an object of expressions: constants, and the names of what is referred to.
fn write(canon: &mut Canon, value: Value<'_>, position: Position<'_>) {
    match value {
        Value::Null => canon.tag(b'N'),
        Value::Bool(value) => canon.tag(if value { b'T' } else { b'F' }),
        Value::Number(text) => canon.tagged(b'#', text),
        Value::String(text) => canon.tagged(b'"', text),
        Value::Array(items) => {
            canon.tag(b'[');
            canon.number(items.len() as u64);
            for (at, item) in items.iter().enumerate() {
                write(canon, *item, position.element(at));
            }
        }
        Value::Object(object) => {
            canon.tag(b'(');
            for (name, member) in object.members() {
                canon.tagged(b',', name);
                let below = position.member(name);
                let is_secret =
                    || position.is_sensitive() || below.is_sensitive() || may_be_secret(name);
                match *name {
                    "references" => write(canon, *member, Position::Unspecified),
                    "constant_value" if position.is_sensitive() && !canon.with_sensitive => {
                        canon.tag(b'S');
                    }
                    "constant_value" | "expressions" => write(canon, *member, position),
                    // Of a sensitive expression only what it refers to is added, unless sensitive values are included.
                    _ if is_secret() => match member.get("references") {
                        _ if canon.with_sensitive => write(canon, *member, Position::Unspecified),
                        Some(references) => write(canon, references, Position::Unspecified),
                        None => canon.tag(b'S'),
                    },
                    _ => write(canon, *member, below),
                }
            }
            canon.tag(b')');
        }
    }
}

/// Provisioners have no schema in a plan, and environments any names.
fn may_be_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    infer::is_sensitive_name(&name)
        || words("parts of secret arguments")
            .iter()
            .any(|part| name.contains(part))
}

/// Nothing of the content of what runs is shown.
pub(super) fn differences<'a>(
    approved: &Side<'_, 'a>,
    now: &Side<'_, 'a>,
    arena: &'a Bump,
) -> Result<Vec<Difference<'a>>, Error> {
    if approved.plan.configuration == now.plan.configuration {
        return Ok(Vec::new());
    }
    let mut old = digests(approved.plan, now.plan, approved.schemas, true, arena)?;
    let mut found = Vec::new();
    let mut add = |class, (kind, address): Part| {
        let (subject, property) = match kind {
            PROVIDER => (Subject::ProviderConfiguration, Property::Arguments),
            _ => (Subject::Resource, Property::Provisioners),
        };
        let what = DifferenceKind::Property {
            property,
            approved: None,
            now: None,
        };
        found.push(Difference {
            class,
            subject,
            address: arena.alloc_str(&address),
            deposed: "",
            what,
        });
    };
    for (part, digest) in digests(now.plan, now.plan, now.schemas, true, arena)? {
        if old.remove(&part) != Some(digest) {
            add(Class::Action, part);
        }
    }
    let is_known = now.plan.configuration.is_some();
    for (part, _) in old {
        // Without arguments, a provider takes them from its environment.
        add(
            if part.0 == PROVIDER || !is_known {
                Class::Action
            } else {
                Class::Less
            },
            part,
        );
    }
    Ok(found)
}
