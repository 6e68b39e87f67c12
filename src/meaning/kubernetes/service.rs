//! Services and ingresses: from where something may be reached, and under which names.
//!
//! ```text
//! type: ClusterIP -> LoadBalancer      wider: from outside of the cluster
//! rules: + host admin.example.com      wider: one more name is served
//! ```

use std::collections::BTreeSet;

use super::growth::Growth;
use super::part::Part;
use super::remark::{Gravity, Remark};
use super::view::View;
use crate::direction::Direction;

/// From where a service may be reached, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Nothing serves, or only the cluster may reach it.
    Cluster,
    /// Whoever reaches a node of the cluster.
    Nodes,
    /// Whoever reaches the network of the load balancer.
    Internal,
    /// Whoever reaches the internet.
    Internet,
}

/// The annotations that keep a load balancer inside of a network, and their values.
const INTERNAL: [(&str, &str); 7] = [
    ("service.beta.kubernetes.io/aws-load-balancer-internal", ""),
    (
        "service.beta.kubernetes.io/aws-load-balancer-scheme",
        "internal",
    ),
    (
        "service.beta.kubernetes.io/azure-load-balancer-internal",
        "",
    ),
    ("networking.gke.io/load-balancer-type", "Internal"),
    ("cloud.google.com/load-balancer-type", "Internal"),
    (
        "service.beta.kubernetes.io/openstack-internal-load-balancer",
        "",
    ),
    ("service.beta.kubernetes.io/oci-load-balancer-internal", ""),
];

/// Returns whether a load balancer stays inside, by its annotations.
fn is_internal(annotations: View<'_>) -> bool {
    INTERNAL.iter().any(|(key, wanted)| {
        annotations.key(key).text().is_some_and(|value| {
            if wanted.is_empty() {
                value == "true" || value == "0.0.0.0/0"
            } else {
                value.eq_ignore_ascii_case(wanted)
            }
        })
    })
}

/// Returns from where a service may be reached; `None` if its type is not known.
fn reach(object: View<'_>) -> Option<Reach> {
    let annotations = object.get("metadata").named("annotations");
    let is_internal = annotations.is_some_and(|(_, annotations)| is_internal(annotations));
    match object.at("spec.type").text().unwrap_or("ClusterIP") {
        "ClusterIP" | "ExternalName" => Some(Reach::Cluster),
        "NodePort" => Some(Reach::Nodes),
        "LoadBalancer" if is_internal => Some(Reach::Internal),
        "LoadBalancer" => Some(Reach::Internet),
        _ => None,
    }
}

/// Judges a Service. What comes or goes as a whole counts by what may be reached from outside.
pub(super) fn service<'w>(object: &Part<'w>) -> Vec<Remark<'w>> {
    let mut remarks = Vec::new();
    let is_update = object.before.is_present() && object.after.is_present();
    let side = |view: View<'_>| {
        if view.is_present() {
            reach(view)
        } else {
            Some(Reach::Cluster)
        }
    };
    let (before, after) = (side(object.before), side(object.after));
    let growth = before.zip(after).map(|(before, after)| Growth {
        grew: after > before,
        shrank: after < before,
    });
    let said = |part: Part<'w>| {
        let mut remark = part.grows(growth, Direction::Wider);
        if after == Some(Reach::Internal) {
            remark.gravity = Gravity::Untold;
        }
        remark
    };
    if let Some(service_type) = object.at("spec.type").filter(|part| !part.is_same())
        && (is_update || growth.is_some_and(|growth| growth != Growth::default()))
    {
        remarks.push(said(service_type));
    }
    if !is_update {
        return remarks;
    }
    let annotations = object
        .at("metadata")
        .and_then(|metadata| metadata.list("annotations"));
    for annotation in annotations.map(|part| part.entries()).unwrap_or_default() {
        let key = annotation.place.last().copied().unwrap_or_default();
        if INTERNAL.iter().any(|(own, _)| *own == key) && !annotation.is_same() {
            remarks.push(said(annotation));
        }
    }
    if let Some(ports) = object
        .at("spec")
        .and_then(|spec| spec.list("ports"))
        .filter(|ports| !ports.is_same())
    {
        let numbers = |view: View<'w>| -> BTreeSet<_> {
            let port = |port: View<'w>| {
                let protocol = port.get("protocol").text().unwrap_or("TCP");
                Some((protocol, port.get("port").text()?))
            };
            view.items().filter_map(port).collect()
        };
        let (was, is) = (numbers(ports.before), numbers(ports.after));
        remarks.push(if was == is {
            ports.means(Direction::Another)
        } else {
            let growth = Growth {
                grew: !is.is_subset(&was),
                shrank: !was.is_subset(&is),
            };
            ports.grows(Some(growth), Direction::Wider)
        });
    }
    remarks
}

/// Judges an Ingress: the names and paths that it serves.
pub(super) fn ingress<'w>(object: &Part<'w>) -> Vec<Remark<'w>> {
    let Some(rules) = object
        .at("spec")
        .and_then(|spec| spec.list("rules"))
        .filter(|rules| !rules.is_same())
    else {
        return Vec::new();
    };
    let (was, is) = (routes(rules.before), routes(rules.after));
    vec![if was == is {
        rules.means(Direction::Another)
    } else {
        let growth = Growth {
            grew: is.iter().any(|route| !covers(&was, *route)),
            shrank: was.iter().any(|route| !covers(&is, *route)),
        };
        rules.grows(Some(growth), Direction::Wider)
    }]
}

/// Returns the names of hosts and the paths that rules serve. No host is every one.
fn routes<'w>(rules: View<'w>) -> BTreeSet<(&'w str, &'w str)> {
    let mut routes = BTreeSet::new();
    for rule in rules.items() {
        let host = rule.get("host").text().unwrap_or("*");
        for path in rule.get("http").list("paths") {
            routes.insert((host, path.get("path").text().unwrap_or("/")));
        }
    }
    routes
}

/// Whether routes serve a route: its own, or every host at its path.
fn covers(routes: &BTreeSet<(&str, &str)>, (host, path): (&str, &str)) -> bool {
    routes.contains(&(host, path)) || routes.contains(&("*", path))
}
