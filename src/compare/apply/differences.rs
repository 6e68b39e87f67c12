//! Compares what decides the applies of two plans, apart from the changes themselves, and classifies the differences.

use std::collections::BTreeSet;

use bumpalo::Bump;

use super::effects::{Applied, effects_by_block};
use super::parts::{configuration, parts_of};
use super::{Content, Part, PartKind};
use crate::compare::canon;
use crate::compare::side::Side;
use crate::compare::{Class, Difference, DifferenceKind, Property, Subject};
use crate::diff::Error;

/// Returns the differences between the parts that decide the applies of two plans. The content of what runs is not
/// shown.
///
/// # Errors
/// If a value or a schema is malformed.
pub(in crate::compare) fn differences<'a>(
    approved: &Side<'_, 'a>,
    now: &Side<'_, 'a>,
    arena: &'a Bump,
) -> Result<Vec<Difference<'a>>, Error> {
    let (old_plan, new_plan) = (approved.plan, now.plan);
    if approved.text == now.text {
        return Ok(Vec::new());
    }
    let marks = Bump::new();
    let mut applied = Applied::new(new_plan, &marks)?;
    if applied.is_nothing() {
        return Ok(Vec::new());
    }
    if old_plan.configuration.is_some() != new_plan.configuration.is_some() {
        let why = "only one of the plans has a configuration: what its apply runs, and with which \
                   providers, is unknown";
        return Ok(vec![unproven(
            Subject::Plan,
            "",
            Property::Configuration,
            why,
        )]);
    }
    applied.add_unknown(old_plan, &marks)?;
    let parts = |configuration, Side { plan, schemas, .. }: &Side<'_, 'a>| {
        parts_of((*plan, configuration), &applied, schemas, true, arena)
    };
    let old_configuration = configuration(old_plan)?;
    let mut old = parts(&old_configuration, approved)?;
    // Mostly, both plans have the same configuration. It is long, so it is not read again.
    let new = if old_plan.configuration == new_plan.configuration {
        parts(&old_configuration, now)?
    } else {
        parts(&*configuration(new_plan)?, now)?
    };
    let blocks = effects_by_block(old_plan).into_keys();
    let outputs = old_plan.output_changes.keys().map(ToString::to_string);
    let known: BTreeSet<String> = blocks.map(|key| key.address()).chain(outputs).collect();
    let mut is_same_planning = None;
    let mut differences = Vec::new();
    for (part, content) in new {
        let before = old.remove(&part);
        // A part that belongs to a change whose address is only in the new plan. That change is itself a difference, so
        // the part need not be one too.
        let is_of_change = match part.kind {
            PartKind::ProviderOfResource
            | PartKind::UnknownArguments
            | PartKind::UnknownConfiguration
            | PartKind::UnknownOutput => true,
            PartKind::Provider | PartKind::Provisioners | PartKind::Ephemeral => false,
        };
        let is_new = is_of_change && !known.contains(&part.address);
        let is_same = before
            .as_ref()
            .is_some_and(|before| before.hashed.digest == content.hashed.digest);
        if !is_same {
            if !is_new {
                differences.push(other_part(
                    class_of(part.kind),
                    &part,
                    before,
                    Some(content),
                    arena,
                ));
            }
            continue;
        }
        let add_unproven = before.and_then(|before| before.hashed.unproven);
        let Some(missing) = content.hashed.unproven.or(add_unproven) else {
            continue;
        };
        // What the documents do not hold is proven only if both documents are of the same planning.
        let is_same_planning = *is_same_planning.get_or_insert_with(|| {
            canon::is_same_planning([old_plan, new_plan], [approved.text, now.text])
        });
        if !is_same_planning {
            let (subject, property) = subject_of(part.kind);
            let why = format!("the plan does not hold {missing}");
            differences.push(unproven(
                subject,
                arena.alloc_str(&part.address),
                property,
                &why,
            ));
        }
    }
    for (part, content) in old {
        // If a provider has neither arguments nor a block any more, its configuration comes from elsewhere, such as the
        // environment.
        let class = match part.kind {
            PartKind::Provisioners => Class::Reduced,
            other @ (PartKind::Provider
            | PartKind::ProviderOfResource
            | PartKind::UnknownArguments
            | PartKind::UnknownConfiguration
            | PartKind::Ephemeral
            | PartKind::UnknownOutput) => class_of(other),
        };
        differences.push(other_part(class, &part, Some(content), None, arena));
    }
    Ok(differences)
}

/// Returns the class of a part that is not the same as in the approved plan. An output does nothing to an object, so
/// its difference is only one of values.
fn class_of(kind: PartKind) -> Class {
    match kind {
        PartKind::UnknownOutput => Class::Value,
        PartKind::Provider
        | PartKind::ProviderOfResource
        | PartKind::Provisioners
        | PartKind::UnknownArguments
        | PartKind::UnknownConfiguration
        | PartKind::Ephemeral => Class::Action,
    }
}

/// Returns the subject and the property of a difference of a part.
fn subject_of(kind: PartKind) -> (Subject, Property) {
    match kind {
        PartKind::Provider => (Subject::ProviderConfiguration, Property::Arguments),
        PartKind::ProviderOfResource => (Subject::Resource, Property::ProviderConfiguration),
        PartKind::Provisioners => (Subject::Resource, Property::Provisioners),
        PartKind::UnknownArguments | PartKind::Ephemeral => {
            (Subject::Resource, Property::Arguments)
        }
        PartKind::UnknownConfiguration => (Subject::Invocation, Property::Arguments),
        PartKind::UnknownOutput => (Subject::Output, Property::Expression),
    }
}

/// Makes the difference of a part that only one of the plans has, or whose contents differ.
fn other_part<'a>(
    class: Class,
    part: &Part,
    approved: Option<Content>,
    now: Option<Content>,
    arena: &'a Bump,
) -> Difference<'a> {
    let (subject, property) = subject_of(part.kind);
    let keys = |content: Option<Content>| {
        content
            .map(|content| content.keys)
            .filter(|keys| !keys.is_empty())
    };
    let what = DifferenceKind::Property {
        property,
        approved: keys(approved),
        now: keys(now),
    };
    Difference {
        class,
        subject,
        address: arena.alloc_str(&part.address),
        deposed: "",
        what,
    }
}

/// Makes the difference of a part that cannot be proven to be the same, because a document does not hold it; `why` says
/// what is missing.
fn unproven<'a>(
    subject: Subject,
    address: &'a str,
    property: Property,
    why: &str,
) -> Difference<'a> {
    Difference {
        class: Class::Unproven,
        subject,
        address,
        deposed: "",
        what: DifferenceKind::Unproven {
            property,
            why: why.to_owned(),
        },
    }
}
