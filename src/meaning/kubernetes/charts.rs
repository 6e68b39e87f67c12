//! Values of charts, which mean the same in the charts that everybody uses, by their last names.
//!
//! Values stand in documents (`values`), one by one (`set`), and in the configuration of an add-on. A name counts at any
//! depth, with the name before it where it alone says too little.
//!
//! ```text
//! master.persistence.enabled: true -> false       loses
//! grafana.service.type: ClusterIP -> LoadBalancer wider
//! ```

use super::fact::Absent::{Everything, Nothing};
use super::fact::Fact::{self, *};
use super::part::Part;
use super::remark::Remark;
use super::view::{Form, View};
use crate::diff::value::MarkedValue;
use crate::direction::Direction::{
    self, Another, Keeps, Loses, More, Stops, Stronger, Weaker, Wider,
};
use crate::meaning::{Documents, ObjectChange};

/// How deep values may stand in each other.
const DEEPEST: usize = 12;

/// A switch that is on by default, for its absence mostly means the default of the chart.
const fn switch(on: Direction) -> Fact {
    Switch { absent: true, on }
}

/// A switch that is off by default.
const fn off(on: Direction) -> Fact {
    Switch { absent: false, on }
}

/// What values are by the end of their path. The first row that fits counts.
const ROWS: &[(&str, Fact)] = &[
    ("persistence.enabled", switch(Keeps)),
    ("persistentVolume.enabled", switch(Keeps)),
    ("persistence.size", Quantity(More)),
    ("persistentVolume.size", Quantity(More)),
    ("persistence.storageClass", Plain(Another)),
    ("persistence.existingClaim", Plain(Another)),
    ("retention", Duration(Keeps)),
    ("retentionPeriod", Duration(Keeps)),
    ("retentionSize", Quantity(Keeps)),
    ("networkPolicy.enabled", off(Direction::Narrower)),
    ("networkPolicy.allowExternal", off(Wider)),
    ("enableNetworkPolicy", off(Stronger)),
    (
        "policyEnforcementMode",
        Steps {
            words: "never|default|always",
            absent: "default",
            up: Stronger,
        },
    ),
    (
        "service.type",
        Steps {
            words: "ClusterIP|NodePort|LoadBalancer",
            absent: "ClusterIP",
            up: Wider,
        },
    ),
    (
        "serviceType",
        Steps {
            words: "ClusterIP|NodePort|LoadBalancer",
            absent: "ClusterIP",
            up: Wider,
        },
    ),
    ("service.internal", off(Direction::Narrower)),
    ("loadBalancerSourceRanges", Networks),
    ("allowedCidrs", Networks),
    (
        "externalIPs",
        Set {
            absent: Nothing,
            larger: Wider,
        },
    ),
    ("ingress.enabled", off(Wider)),
    ("ingress.tls", Present(Stronger)),
    (
        "ingress.hosts",
        Set {
            absent: Nothing,
            larger: Wider,
        },
    ),
    ("gateway.enabled", off(Wider)),
    ("auth.enabled", switch(Direction::Narrower)),
    ("authentication.enabled", switch(Direction::Narrower)),
    ("auth.allowEmptyPassword", off(Wider)),
    ("auth.anonymous.enabled", off(Wider)),
    ("anonymous.enabled", off(Wider)),
    ("tls.enabled", off(Stronger)),
    ("mtls.enabled", off(Stronger)),
    (
        "mtls.mode",
        Steps {
            words: "DISABLE|PERMISSIVE|STRICT",
            absent: "PERMISSIVE",
            up: Stronger,
        },
    ),
    ("encryption.enabled", off(Stronger)),
    ("insecure", off(Weaker)),
    ("insecureSkipVerify", off(Weaker)),
    ("hostNetwork", off(Wider)),
    ("hostPID", off(Wider)),
    ("hostIPC", off(Wider)),
    ("privileged", off(Wider)),
    ("allowPrivilegeEscalation", switch(Wider)),
    ("runAsNonRoot", off(Stronger)),
    ("readOnlyRootFilesystem", off(Stronger)),
    ("runAsUser", User),
    (
        "capabilities.add",
        Set {
            absent: Nothing,
            larger: Wider,
        },
    ),
    (
        "capabilities.drop",
        Set {
            absent: Nothing,
            larger: Direction::Narrower,
        },
    ),
    ("automountServiceAccountToken", switch(Wider)),
    ("rbac.create", Plain(Another)),
    ("clusterAdminAccess", off(Wider)),
    ("replicaCount", Serves { absent: "1" }),
    ("replicas", Serves { absent: "1" }),
    ("minReplicas", Serves { absent: "1" }),
    ("maxReplicas", Serves { absent: "1" }),
    ("autoscaling.enabled", off(More)),
    (
        "architecture",
        Steps {
            words: "standalone|replication|replicaset",
            absent: "standalone",
            up: More,
        },
    ),
    ("pdb.create", off(Stronger)),
    ("pdb.enabled", off(Stronger)),
    ("podDisruptionBudget.enabled", off(Stronger)),
    ("pdb.minAvailable", Quantity(Stronger)),
    ("podDisruptionBudget.minAvailable", Quantity(Stronger)),
    ("podDisruptionBudget.maxUnavailable", Quantity(Weaker)),
    ("livenessProbe.enabled", switch(Stronger)),
    ("readinessProbe.enabled", switch(Stronger)),
    ("startupProbe.enabled", switch(Stronger)),
    ("limits.cpu", Limit),
    ("limits.memory", Limit),
    ("requests.cpu", Quantity(More)),
    ("requests.memory", Quantity(More)),
    ("metrics.enabled", off(Stronger)),
    ("serviceMonitor.enabled", off(Stronger)),
    ("prometheusRule.enabled", off(Stronger)),
    ("prometheusRules.enabled", off(Stronger)),
    ("defaultRules.create", switch(Stronger)),
    ("alertmanager.enabled", switch(Stronger)),
    ("backup.enabled", off(Stronger)),
    ("backups.enabled", off(Stronger)),
    ("backup.retentionPolicy", Duration(Stronger)),
    ("snapshotsEnabled", switch(Stronger)),
    ("audit.enabled", off(Stronger)),
    ("auditLog.enabled", off(Stronger)),
    (
        "failurePolicy",
        Steps {
            words: "Ignore|Fail",
            absent: "Fail",
            up: Stronger,
        },
    ),
    (
        "validationFailureAction",
        Steps {
            words: "Audit|Enforce",
            absent: "Audit",
            up: Stronger,
        },
    ),
    (
        "enforcementAction",
        Steps {
            words: "dryrun|warn|deny",
            absent: "deny",
            up: Stronger,
        },
    ),
    ("webhook.enabled", switch(Stronger)),
    ("deletionProtection", off(Stronger)),
    (
        "deletionPolicy",
        Steps {
            words: "Delete|Retain",
            absent: "Delete",
            up: Stronger,
        },
    ),
    (
        "reclaimPolicy",
        Steps {
            words: "Delete|Retain",
            absent: "Delete",
            up: Stronger,
        },
    ),
    ("prune", off(Weaker)),
    ("selfHeal", off(Stronger)),
    ("suspend", off(Stops)),
    (
        "domainFilters",
        Set {
            absent: Everything,
            larger: Wider,
        },
    ),
    (
        "watchNamespaces",
        Set {
            absent: Everything,
            larger: Wider,
        },
    ),
];

/// What values are in one chart.
const OF_CHART: &[(&str, &str, Fact)] = &[(
    "external-dns",
    "policy",
    Steps {
        words: "create-only|upsert-only|sync",
        absent: "upsert-only",
        up: Loses,
    },
)];

/// Parts of the names of charts that guard, back up or watch. When one of them goes, what it guards stays.
const GUARDS: [&str; 18] = [
    "velero",
    "k8up",
    "kasten",
    "k10",
    "stash",
    "kyverno",
    "gatekeeper",
    "falco",
    "tetragon",
    "kubewarden",
    "trivy-operator",
    "kube-prometheus-stack",
    "prometheus",
    "alertmanager",
    "network-policies",
    "cilium",
    "calico",
    "policy-controller",
];

/// Judges the values of a release, or of an add-on; `None` for other types.
pub(super) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Remark<'w>>> {
    let text = |value: MarkedValue<'w>, name: &str| value.get(name).and_then(MarkedValue::as_str);
    let mut walk = Walk {
        documents: change.documents,
        chart: text(change.after, "chart")
            .or(text(change.before, "chart"))
            .unwrap_or(""),
        remarks: Vec::new(),
    };
    let part = Part {
        place: Vec::new(),
        before: View::new(change.before, Form::Manifest),
        after: View::new(change.after, Form::Manifest),
    };
    let is_update = part.before.is_present() && part.after.is_present();
    match change.resource_type {
        "helm_release" => {
            if !is_update {
                let comes = if GUARDS.iter().any(|name| walk.chart.contains(name)) {
                    Stronger
                } else {
                    Direction::Starts
                };
                let is_new = part.after.is_present();
                let direction = if is_new { comes } else { comes.reverse() };
                return Some(vec![part.means_as_whole(direction)]);
            }
            if let Some(values) = part.list("values") {
                for document in values.elements(&[]) {
                    walk.document(&document);
                }
            }
            for name in ["set", "set_list"] {
                if let Some(set) = part.list(name) {
                    for value in set.elements(&["name"]) {
                        walk.set(&value);
                    }
                }
            }
        }
        "aws_eks_addon" => {
            if let Some(values) = part.at("configuration_values").filter(|_| is_update) {
                walk.document(&values);
            }
        }
        _ => return None,
    }
    Some(walk.remarks)
}

/// Reads the values of both sides.
struct Walk<'d, 'w> {
    documents: &'d Documents<'w>,
    /// The name of the chart; empty if there is none.
    chart: &'w str,
    remarks: Vec<Remark<'w>>,
}

impl<'w> Walk<'_, 'w> {
    /// Judges the values of a document in a string, or of an object.
    fn document(&mut self, part: &Part<'w>) {
        let side = |view: View<'w>| {
            let document = view.text().and_then(|text| self.documents.read(text));
            document.map_or(view, |(_, document)| View::new(document, Form::Manifest))
        };
        let part = Part {
            place: part.place.clone(),
            before: side(part.before),
            after: side(part.after),
        };
        self.values(&part, part.place.len());
    }

    /// Judges values below a part, whose names begin at `start` in its place.
    fn values(&mut self, part: &Part<'w>, start: usize) {
        if part.is_same() || part.place.len() > DEEPEST {
            return;
        }
        let names = part.place.get(start..).unwrap_or_default().join(".");
        if let Some(fact) = self.fact(&names) {
            self.remarks.extend(fact.says(part));
        }
        // Objects of Kubernetes among the values are judged by their kinds.
        let is_object =
            |view: View<'_>| view.get("apiVersion").is_present() && view.get("kind").is_present();
        if is_object(part.before) || is_object(part.after) {
            return;
        }
        for member in part.entries() {
            self.values(&member, start);
        }
    }

    /// Judges a value that is set by its name.
    fn set(&mut self, part: &Part<'w>) {
        let name = part
            .after
            .get("name")
            .text()
            .or(part.before.get("name").text());
        let Some(fact) = name.and_then(|name| self.fact(name)) else {
            return;
        };
        let mut value = part.clone();
        // Only the element with this name is meant.
        if let Some(name) = name {
            let key = self.documents.build.arena().alloc_str(&format!("[{name}"));
            value.place.push(key);
        }
        value.place.push("value");
        value.before = part.before.get("value");
        value.after = part.after.get("value");
        self.remarks.extend(fact.says(&value));
    }

    /// Returns what a value is by its names with `.` between them.
    fn fact(&self, names: &str) -> Option<Fact> {
        let of_chart = OF_CHART
            .iter()
            .find(|(chart, name, _)| self.chart.ends_with(chart) && *name == names);
        if let Some((_, _, fact)) = of_chart {
            return Some(*fact);
        }
        ROWS.iter()
            .find(|(end, _)| {
                names
                    .strip_suffix(end)
                    .is_some_and(|start| start.is_empty() || start.ends_with('.'))
            })
            .map(|(_, fact)| *fact)
    }
}
