//! Kubernetes: objects are judged by their kind, wherever they stand.
//!
//! One model judges all forms of an object: a typed resource, a manifest, a document in a string, an element of the
//! values of a chart. [`locate`] finds the objects of a resource, [`view`] reads all forms alike, and a model for each
//! family of kinds judges them.
//!
//! ```text
//! kubernetes_network_policy_v1.db: spec[0].ingress[0].from [{…}] -> []     ["spec", "ingress"]: wider
//! ```

mod amount;
mod bits;
mod charts;
mod cluster;
mod fact;
mod growth;
mod kinds;
mod locate;
mod network_policy;
mod part;
mod rbac;
mod remark;
mod rows;
mod selector;
mod service;
mod spans;
mod terms;
#[cfg(test)]
mod tests;
mod view;

use super::{Judgement, ObjectChange};
use crate::direction::Direction;
use locate::Object;
use part::Part;
pub(crate) use remark::{Gravity, Remark};
use view::View;

/// Returns what the models say of the Kubernetes objects of a resource; `None` if it holds none that they know.
pub(crate) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    let remarks = remarks(change);
    let judgements: Vec<_> = remarks.into_iter().map(|remark| remark.judgement).collect();
    (!judgements.is_empty()).then_some(judgements)
}

/// Returns what the models say of the Kubernetes objects of a resource, with what texts about it need.
pub(crate) fn remarks<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Remark<'w>> {
    let mut remarks = cluster::access_entry(change).unwrap_or_default();
    remarks.extend(charts::judge(change).unwrap_or_default());
    for object in locate::objects(change) {
        remarks.extend(remarks_of(&object, change));
    }
    remarks
}

/// Judges one object by its kind.
fn remarks_of<'w>(object: &Object<'w>, change: &ObjectChange<'_, 'w>) -> Vec<Remark<'w>> {
    let part = &object.part;
    let is_update = part.before.is_present() && part.after.is_present();
    let mut remarks = rows::judge(object);
    match &*object.kind.name {
        "service" => remarks.extend(service::service(part)),
        "role" | "clusterrole" if is_update => remarks.extend(rbac::role(part)),
        "rolebinding" | "clusterrolebinding" if is_update => remarks.extend(rbac::binding(part)),
        "networkpolicy" if is_update => remarks.extend(network_policy::judge(part)),
        "ingress" if is_update => remarks.extend(service::ingress(part)),
        "authorizationpolicy" if is_update => remarks.extend(terms::authorization(part)),
        "ciliumnetworkpolicy" | "ciliumclusterwidenetworkpolicy" if is_update => {
            remarks.extend(terms::cilium(part));
        }
        "configmap" if is_update => {
            remarks.extend(cluster::config_map(part, change.documents));
        }
        _ => {}
    }
    if !is_update && let Some(directions) = rows::whole(object) {
        remarks.push(if object.is_whole {
            part.means_as_whole(directions)
        } else {
            part.means(directions)
        });
    }
    // The parts of a document among several have no edits of their own, so what nobody judged must be said here.
    if object.is_opaque && is_update {
        let places: Vec<_> = remarks
            .iter()
            .filter_map(|remark| remark.judgement.place.get(part.place.len()..))
            .collect();
        if !is_covered(part.before, part.after, &mut Vec::new(), &places) {
            remarks.push(part.means(Direction::Unjudged));
        }
    } else if object.is_opaque && remarks.is_empty() {
        remarks.push(part.means(Direction::Unjudged));
    }
    remarks
}

/// Whether both sides differ only at or below the places.
fn is_covered<'w>(
    before: View<'w>,
    after: View<'w>,
    names: &mut Vec<&'w str>,
    places: &[&[&'w str]],
) -> bool {
    if before.is_same(after) || places.iter().any(|place| names.starts_with(place)) {
        return true;
    }
    let part = Part {
        place: names.clone(),
        before,
        after,
    };
    let members = part.entries();
    if !members.is_empty() {
        return members.iter().all(|member| {
            is_covered(
                member.before,
                member.after,
                &mut member.place.clone(),
                places,
            )
        });
    }
    let (before, after): (Vec<_>, Vec<_>) = (before.items().collect(), after.items().collect());
    let is_list = before.len().max(after.len()) > 1;
    is_list
        && before.len() == after.len()
        && before
            .iter()
            .zip(&after)
            .all(|(before, after)| is_covered(*before, *after, names, places))
}
