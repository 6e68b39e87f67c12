//! What attaches policies to users, roles, groups and accounts.
//!
//! An attachment is a link: who has what. Its attributes are the two sides, each of which may be a set. More links are
//! wider, and fewer are narrower; for a policy that limits, it is the other way round.
//!
//! ```text
//! aws_iam_role_policy_attachment: policy_arn PowerUserAccess -> AdministratorAccess     wider
//! aws_organizations_policy_attachment is destroyed                                      wider
//! ```

use crate::access::readable;
use crate::diff::value::MarkedValue;
use crate::direction::Direction;
use crate::meaning::access::names::{Names, lets_everything, of_names};
use crate::meaning::{Judgement, ObjectChange};

/// A type of object that links who to what.
struct Link {
    resource_type: &'static str,
    /// The attributes that say who: names, or sets of names.
    who: &'static [&'static str],
    /// The attributes that say what: names, sets of names, or blocks.
    what: &'static [&'static str],
    /// Whether what is attached limits who has it.
    limits: bool,
}

impl Link {
    const fn new(
        resource_type: &'static str,
        who: &'static [&'static str],
        what: &'static [&'static str],
    ) -> Self {
        Self {
            resource_type,
            who,
            what,
            limits: false,
        }
    }

    const fn that_limits(self) -> Self {
        Self {
            limits: true,
            ..self
        }
    }
}

/// The types of objects that are links.
const LINKS: [Link; 12] = [
    Link::new("aws_iam_role_policy_attachment", &["role"], &["policy_arn"]),
    Link::new("aws_iam_user_policy_attachment", &["user"], &["policy_arn"]),
    Link::new(
        "aws_iam_group_policy_attachment",
        &["group"],
        &["policy_arn"],
    ),
    Link::new(
        "aws_iam_policy_attachment",
        &["users", "roles", "groups"],
        &["policy_arn"],
    ),
    Link::new(
        "aws_iam_role_policy_attachments_exclusive",
        &["role_name"],
        &["policy_arns"],
    ),
    Link::new(
        "aws_iam_user_policy_attachments_exclusive",
        &["user_name"],
        &["policy_arns"],
    ),
    Link::new(
        "aws_iam_group_policy_attachments_exclusive",
        &["group_name"],
        &["policy_arns"],
    ),
    Link::new("aws_iot_policy_attachment", &["target"], &["policy"]),
    Link::new(
        "aws_ssoadmin_managed_policy_attachment",
        &["permission_set_arn"],
        &["managed_policy_arn"],
    ),
    Link::new(
        "aws_ssoadmin_customer_managed_policy_attachment",
        &["permission_set_arn"],
        &["customer_managed_policy_reference"],
    ),
    Link::new(
        "aws_ssoadmin_permissions_boundary_attachment",
        &["permission_set_arn"],
        &["permissions_boundary"],
    )
    .that_limits(),
    Link::new(
        "aws_organizations_policy_attachment",
        &["target_id"],
        &["policy_id"],
    )
    .that_limits(),
];

/// Judges a link, or the attributes of a role or user that attach policies.
pub(super) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    match LINKS
        .iter()
        .find(|link| link.resource_type == change.resource_type)
    {
        Some(link) => of_link(link, change),
        None if matches!(change.resource_type, "aws_iam_role" | "aws_iam_user") => {
            of_holder(change)
        }
        None => Vec::new(),
    }
}

/// Judges a link.
fn of_link<'w>(link: &Link, change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    let is_everything = |side: MarkedValue<'_>| {
        let names = link.what.iter().filter_map(|name| side.get(name));
        names.filter_map(readable).any(lets_everything)
    };
    let whole = [
        (change.before, Direction::Wider),
        (change.after, Direction::Narrower),
    ];
    for (missing, direction) in whole {
        if missing.is_null() {
            let side = if change.before.is_null() {
                change.after
            } else {
                change.before
            };
            // A policy that lets everything pass allows what others at the same place do not.
            let is_turned = link.limits && !is_everything(side);
            let direction = if is_turned {
                direction.reverse()
            } else {
                direction
            };
            return vec![Judgement::new(&[], direction)];
        }
    }
    let who = link.who.iter().map(|name| (*name, Names::Plain));
    let what = link.what.iter().map(|name| (*name, Names::AwsPolicies));
    who.chain(what)
        .filter_map(|(name, kind)| {
            let sides = [change.before, change.after].map(|side| side.get(name));
            let directions = of_names(sides, kind)?;
            let directions = if link.limits {
                directions.reverse()
            } else {
                directions
            };
            Some(Judgement {
                place: vec![name],
                directions,
            })
        })
        .collect()
}

/// Judges the boundary and the managed policies of a role or user.
fn of_holder<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Judgement<'w>> {
    let mut judgements = Vec::new();
    let sides = |name: &str| [change.before, change.after].map(|side| side.get(name));
    let is_whole = change.before.is_null() || change.after.is_null();
    let place = "permissions_boundary";
    let [old, new] = sides(place).map(|side| {
        let boundary = side.filter(|value| !value.is_null() && !value.is_empty());
        // A boundary that lets everything pass is none.
        boundary.filter(|value| !readable(*value).is_some_and(lets_everything))
    });
    // A boundary comes and goes with whom it bounds.
    if old != new && !is_whole {
        let direction = match (old, new) {
            (_, Some(new)) if new.is_unknown() => Direction::Unknown,
            (Some(old), _) if old.is_unknown() => Direction::Unknown,
            (None, _) => Direction::Narrower,
            (_, None) => Direction::Wider,
            (Some(_), Some(_)) => Direction::Another,
        };
        judgements.push(Judgement::new(&[place], direction));
    }
    let place = "managed_policy_arns";
    let own = sides(place);
    // Where nobody says which policies are attached, they are what other objects attach.
    let is_said = own.iter().flatten().all(|value| !value.is_unknown());
    let directions = of_names(own, Names::AwsPolicies);
    let is_none = directions == Some(Direction::Same.into());
    if let Some(directions) = directions.filter(|_| is_said && !(is_none && is_whole)) {
        judgements.push(Judgement {
            place: vec![place],
            directions,
        });
    }
    judgements
}
