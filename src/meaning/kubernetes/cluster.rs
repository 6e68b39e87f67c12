//! Who may enter a cluster: the map of identities of EKS, and its access entries.
//!
//! ```text
//! mapRoles: + arn:aws:iam::…:role/ops in system:masters       wider
//! ```

use std::collections::BTreeSet;

use super::growth::Growth;
use super::part::Part;
use super::remark::Remark;
use super::view::{Form, View};
use crate::direction::Direction;
use crate::meaning::{Documents, ObjectChange};

/// Judges the data of a ConfigMap; those of `aws-auth` say who may enter.
pub(super) fn config_map<'w>(object: &Part<'w>, documents: &Documents<'w>) -> Vec<Remark<'w>> {
    let mut remarks = Vec::new();
    let Some(data) = object.list("data") else {
        return remarks;
    };
    let is_auth = |view: View<'_>| view.at("metadata.name").text() == Some("aws-auth");
    let is_auth = is_auth(object.before) || is_auth(object.after);
    for value in data.entries().into_iter().filter(|value| !value.is_same()) {
        let key = value.place.last().copied().unwrap_or_default();
        let identity = match key {
            "mapRoles" if is_auth => "rolearn",
            "mapUsers" if is_auth => "userarn",
            "mapAccounts" if is_auth => "",
            _ => {
                remarks.push(value.means(if value.is_open() {
                    Direction::Unknown
                } else {
                    Direction::Another
                }));
                continue;
            }
        };
        let growth = entries(value.before, identity, documents)
            .zip(entries(value.after, identity, documents))
            .map(|(before, after)| Growth {
                grew: !after.is_subset(&before),
                shrank: !before.is_subset(&after),
            });
        remarks.push(value.grows(growth, Direction::Wider));
    }
    remarks
}

/// Returns the pairs of identities and groups of a map; `None` if its text cannot be read.
fn entries<'w>(
    text: View<'w>,
    identity: &str,
    documents: &Documents<'w>,
) -> Option<BTreeSet<(String, &'w str)>> {
    let mut pairs = BTreeSet::new();
    let Some(text) = text
        .text()
        .filter(|text| !matches!(text.trim(), "[]" | "|" | "null"))
    else {
        return Some(pairs);
    };
    let (_, document) = documents.read(text)?;
    for entry in View::new(document, Form::Manifest).items() {
        let who = if identity.is_empty() {
            entry.text()
        } else {
            entry.get(identity).text()
        };
        let name = entry.get("username").text().unwrap_or("");
        // Each entry is somebody, also without a group.
        pairs.insert((who?.to_owned(), ""));
        pairs.insert((format!("{} as {name}", who?), ""));
        for group in entry.texts("groups") {
            pairs.insert((who?.to_owned(), group));
        }
    }
    Some(pairs)
}

/// Judges an access entry of EKS; `None` for other types.
pub(super) fn access_entry<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Remark<'w>>> {
    let part = Part {
        place: Vec::new(),
        before: View::new(change.before, Form::Blocks),
        after: View::new(change.after, Form::Blocks),
    };
    let is_update = part.before.is_present() && part.after.is_present();
    let mut remarks = Vec::new();
    match change.resource_type {
        "aws_eks_access_entry" => {
            if let Some(groups) = part.list("kubernetesGroups").filter(|part| !part.is_same()) {
                let texts =
                    |view: View<'w>| view.items().filter_map(View::text).collect::<BTreeSet<_>>();
                let (before, after) = (texts(groups.before), texts(groups.after));
                let growth = Growth {
                    grew: !after.is_subset(&before),
                    shrank: !before.is_subset(&after),
                };
                remarks.push(groups.grows(Some(growth), Direction::Wider));
            }
        }
        "aws_eks_access_policy_association" => {
            if let Some(policy) = part
                .at("policyArn")
                .filter(|part| is_update && !part.is_same())
            {
                remarks.push(policy.means(other_policy(policy.before, policy.after)));
            }
            if let Some(scope) = part
                .at("accessScope")
                .filter(|part| is_update && !part.is_same())
            {
                let reach = |view: View<'w>| {
                    let is_all = view.get("type").text() == Some("cluster");
                    (
                        is_all,
                        view.texts("namespaces")
                            .into_iter()
                            .collect::<BTreeSet<_>>(),
                    )
                };
                let ((all_before, before), (all_after, after)) =
                    (reach(scope.before), reach(scope.after));
                let growth = Growth {
                    grew: !all_before && (all_after || !after.is_subset(&before)),
                    shrank: !all_after && (all_before || !before.is_subset(&after)),
                };
                remarks.push(scope.grows(Some(growth), Direction::Wider));
            }
        }
        _ => return None,
    }
    if !is_update {
        let comes = part.after.is_present();
        let grants = if comes {
            Direction::Wider
        } else {
            Direction::Narrower
        };
        remarks.push(part.means_as_whole(grants));
    } else if let Some(principal) = part.at("principalArn").filter(|part| !part.is_same()) {
        remarks.push(principal.grows(
            Some(Growth {
                grew: true,
                shrank: true,
            }),
            Direction::Wider,
        ));
    }
    Some(remarks)
}

/// The policies of EKS, each of which includes those behind it ("Review access policy permissions", EKS user guide).
const LADDER: [&str; 5] = [
    "AmazonEKSClusterAdminPolicy",
    "AmazonEKSAdminPolicy",
    "AmazonEKSEditPolicy",
    "AmazonEKSViewPolicy",
    "",
];

/// Returns the direction of another policy.
fn other_policy(before: View<'_>, after: View<'_>) -> Direction {
    let rank = |view: View<'_>| {
        let name = view.text()?.rsplit('/').next()?;
        LADDER.iter().position(|policy| *policy == name)
    };
    match rank(before).zip(rank(after)) {
        Some((before, after)) if after < before => Direction::Wider,
        Some((before, after)) if after > before => Direction::Narrower,
        Some(_) => Direction::Same,
        None => Direction::Another,
    }
}
