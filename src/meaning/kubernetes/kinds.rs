//! What the values of each kind of object are, by their paths.
//!
//! A path has the names of the API with `.` between them; `name[]` are the elements of a list, paired by their names or
//! by the members in the brackets; `*` are all keys of a map. Each row is from the reference of the API of its kind.

use super::fact::Absent::{Everything, Nothing};
use super::fact::Fact::{self, *};
use crate::direction::Direction::{
    self, Another, Loses, More, Narrower, Stops, Stronger, Weaker, Wider,
};

/// What the values at a path of objects of some kinds are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// The kinds in lower case with `|` between them, each with the group of its API after `@` where several groups
    /// have such a kind. `*@GROUP` are all kinds of a group.
    pub(super) kinds: &'static str,
    pub(super) path: &'static str,
    pub(super) fact: Fact,
}

/// Makes a row.
const fn row(kinds: &'static str, path: &'static str, fact: Fact) -> Row {
    Row { kinds, path, fact }
}

/// A switch that is off by default.
const fn on(direction: Direction) -> Fact {
    Switch {
        absent: false,
        on: direction,
    }
}

/// A switch that is on by default.
const fn default_on(direction: Direction) -> Fact {
    Switch {
        absent: true,
        on: direction,
    }
}

/// Words from the weakest to the strongest, of which the first given is the default.
const fn guard(absent: &'static str, words: &'static str) -> Fact {
    Steps {
        words,
        absent,
        up: Stronger,
    }
}

/// A list of what is let in; none is nothing.
const fn lets(absent: super::fact::Absent) -> Fact {
    Set {
        absent,
        larger: Wider,
    }
}

/// A list of what a guard covers.
const fn covers(absent: super::fact::Absent) -> Fact {
    Set {
        absent,
        larger: Stronger,
    }
}

/// A list of what a guard leaves out.
const LEAVES_OUT: Fact = Set {
    absent: Nothing,
    larger: Weaker,
};

/// A list of which each element guards something.
const GUARDS: Fact = Elements {
    identity: &["name"],
    comes: Stronger,
};

/// Elements without a name, of which each makes a guard cover more.
const BY_POSITION: Fact = Elements {
    identity: &[],
    comes: Stronger,
};

/// A selector of what a guard covers; without one it is everything.
const COVERED: Fact = Selects {
    absent: Everything,
    larger: Stronger,
};

/// A value without an order.
const OTHER: Fact = Plain(Another);

/// The workloads that run pods.
const WORKLOADS: &str = "deployment|statefulset|daemonset|replicaset|replicationcontroller|rollout";

/// The rows of all kinds. Rows of pods and containers are in [`POD`] and [`CONTAINER`].
pub(super) const ROWS: &[Row] = &[
    // Workloads.
    row(
        "deployment|statefulset|replicaset|replicationcontroller|rollout",
        "spec.replicas",
        Serves { absent: "1" },
    ),
    row(
        "deployment",
        "spec.strategy.type",
        Steps {
            words: "RollingUpdate|Recreate",
            absent: "RollingUpdate",
            up: Stops,
        },
    ),
    row(
        "deployment",
        "spec.strategy.rollingUpdate.maxUnavailable",
        Quantity(Weaker),
    ),
    row(
        "daemonset",
        "spec.updateStrategy.rollingUpdate.maxUnavailable",
        Quantity(Weaker),
    ),
    row("deployment", "spec.strategy.rollingUpdate.maxSurge", OTHER),
    row(WORKLOADS, "spec.updateStrategy.type", OTHER),
    row(WORKLOADS, "spec.minReadySeconds", Quantity(Stronger)),
    row(WORKLOADS, "spec.revisionHistoryLimit", Quantity(Stronger)),
    row(WORKLOADS, "spec.progressDeadlineSeconds", OTHER),
    row(WORKLOADS, "spec.selector", OTHER),
    row(WORKLOADS, "spec.paused", OTHER),
    row("statefulset", "spec.serviceName", OTHER),
    row("statefulset", "spec.podManagementPolicy", OTHER),
    row(
        "statefulset",
        "spec.persistentVolumeClaimRetentionPolicy.whenDeleted",
        Steps {
            words: "Retain|Delete",
            absent: "Retain",
            up: Loses,
        },
    ),
    row(
        "statefulset",
        "spec.persistentVolumeClaimRetentionPolicy.whenScaled",
        Steps {
            words: "Retain|Delete",
            absent: "Retain",
            up: Loses,
        },
    ),
    row("cronjob", "spec.suspend", on(Stops)),
    row("cronjob", "spec.schedule", OTHER),
    row("cronjob", "spec.concurrencyPolicy", OTHER),
    row("job", "spec.suspend", on(Stops)),
    row("job", "spec.parallelism", Serves { absent: "1" }),
    row(
        "podautoscaler|horizontalpodautoscaler",
        "spec.minReplicas",
        Serves { absent: "1" },
    ),
    row(
        "podautoscaler|horizontalpodautoscaler",
        "spec.maxReplicas",
        Serves { absent: "1" },
    ),
    row(
        "podautoscaler|horizontalpodautoscaler",
        "spec.scaleTargetRef",
        OTHER,
    ),
    row(
        "podautoscaler|horizontalpodautoscaler",
        "spec.metrics",
        OTHER,
    ),
    row(
        "podautoscaler|horizontalpodautoscaler",
        "spec.behavior",
        OTHER,
    ),
    row(
        "scaledobject",
        "spec.minReplicaCount",
        Serves { absent: "0" },
    ),
    row(
        "scaledobject",
        "spec.maxReplicaCount",
        Serves { absent: "100" },
    ),
    row("scaledobject", "spec.triggers", OTHER),
    row(
        "poddisruptionbudget",
        "spec.minAvailable",
        Quantity(Stronger),
    ),
    row(
        "poddisruptionbudget",
        "spec.maxUnavailable",
        Quantity(Weaker),
    ),
    row(
        "poddisruptionbudget",
        "spec.selector",
        Selects {
            absent: Nothing,
            larger: Stronger,
        },
    ),
    // Storage.
    row(
        "persistentvolumeclaim",
        "spec.resources.requests.storage",
        Quantity(More),
    ),
    row("persistentvolumeclaim", "spec.storageClassName", OTHER),
    row("persistentvolumeclaim", "spec.accessModes", OTHER),
    row("persistentvolume", "spec.capacity.storage", Quantity(More)),
    row(
        "persistentvolume",
        "spec.persistentVolumeReclaimPolicy",
        guard("Retain", "Recycle|Delete|Retain"),
    ),
    row(
        "storageclass",
        "reclaimPolicy",
        guard("Delete", "Delete|Retain"),
    ),
    row(
        "volumesnapshotclass|volumegroupsnapshotclass",
        "deletionPolicy",
        guard("Delete", "Delete|Retain"),
    ),
    row(
        "volumesnapshotcontent",
        "spec.deletionPolicy",
        guard("Delete", "Delete|Retain"),
    ),
    row("storageclass", "provisioner", OTHER),
    row("storageclass", "parameters", OTHER),
    // Quotas and limits of a namespace.
    row("resourcequota", "spec.hard.*", Limit),
    row("limitrange", "spec.limits", GUARDS_OF_TYPES),
    row("limitrange", "spec.limits[type].max.*", Limit),
    row("limitrange", "spec.limits[type].min.*", OTHER),
    row("limitrange", "spec.limits[type].default.*", Limit),
    row("limitrange", "spec.limits[type].defaultRequest.*", OTHER),
    // Services and routes.
    row("service", "spec.externalIPs", lets(Nothing)),
    row("service", "spec.loadBalancerSourceRanges", Networks),
    row("service", "spec.selector", OTHER),
    row("service", "spec.externalName", OTHER),
    row("service", "spec.externalTrafficPolicy", OTHER),
    row("service", "spec.sessionAffinity", OTHER),
    row("service", "spec.clusterIP", OTHER),
    row("ingress", "spec.tls", Present(Stronger)),
    row("ingress", "spec.ingressClassName", OTHER),
    row("ingress", "spec.defaultBackend", OTHER),
    row(
        "httproute|grpcroute|tlsroute|tcproute|udproute",
        "spec.hostnames",
        lets(Everything),
    ),
    row(
        "httproute|grpcroute|tlsroute|tcproute|udproute",
        "spec.parentRefs",
        OTHER,
    ),
    row(
        "httproute|grpcroute|tlsroute|tcproute|udproute",
        "spec.rules",
        OTHER,
    ),
    row(
        "gateway@gateway.networking.k8s.io",
        "spec.listeners",
        Elements {
            identity: &["name"],
            comes: Wider,
        },
    ),
    row(
        "gateway@gateway.networking.k8s.io",
        "spec.listeners[].hostname",
        OTHER,
    ),
    row(
        "gateway@gateway.networking.k8s.io",
        "spec.listeners[].port",
        OTHER,
    ),
    row(
        "gateway@gateway.networking.k8s.io",
        "spec.listeners[].protocol",
        OTHER,
    ),
    row(
        "gateway@gateway.networking.k8s.io",
        "spec.listeners[].tls",
        Present(Stronger),
    ),
    row(
        "gateway@gateway.networking.k8s.io",
        "spec.listeners[].allowedRoutes.namespaces.from",
        Steps {
            words: "None|Same|Selector|All",
            absent: "Same",
            up: Wider,
        },
    ),
    row(
        "referencegrant@gateway.networking.k8s.io",
        "spec.from",
        lets_objects(),
    ),
    row(
        "referencegrant@gateway.networking.k8s.io",
        "spec.to",
        lets_objects(),
    ),
    // Istio.
    row(
        "peerauthentication",
        "spec.mtls.mode",
        guard("PERMISSIVE", "DISABLE|PERMISSIVE|STRICT"),
    ),
    row(
        "peerauthentication",
        "spec.portLevelMtls.*.mode",
        guard("PERMISSIVE", "DISABLE|PERMISSIVE|STRICT"),
    ),
    row("peerauthentication", "spec.selector", OTHER),
    row(
        "requestauthentication",
        "spec.jwtRules",
        Elements {
            identity: &["issuer"],
            comes: Stronger,
        },
    ),
    row(
        "requestauthentication",
        "spec.jwtRules[issuer].audiences",
        lets(Everything),
    ),
    row("requestauthentication", "spec.selector", OTHER),
    row(
        "destinationrule",
        "spec.trafficPolicy.tls.mode",
        guard("DISABLE", "DISABLE|SIMPLE|MUTUAL|ISTIO_MUTUAL"),
    ),
    row("destinationrule", "spec.host", OTHER),
    row("destinationrule", "spec.subsets", OTHER),
    row(
        "gateway@networking.istio.io",
        "spec.servers[port.name].hosts",
        lets(Nothing),
    ),
    row(
        "gateway@networking.istio.io",
        "spec.servers[port.name].tls.mode",
        guard(
            "PASSTHROUGH",
            "PASSTHROUGH|SIMPLE|OPTIONAL_MUTUAL|MUTUAL|ISTIO_MUTUAL",
        ),
    ),
    row(
        "gateway@networking.istio.io",
        "spec.servers[port.name].tls.httpsRedirect",
        on(Stronger),
    ),
    row(
        "gateway@networking.istio.io",
        "spec.servers[port.name].tls.minProtocolVersion",
        guard("TLS_AUTO", "TLSV1_0|TLSV1_1|TLS_AUTO|TLSV1_2|TLSV1_3"),
    ),
    row(
        "gateway@networking.istio.io",
        "spec.servers",
        Elements {
            identity: &["port.name"],
            comes: Wider,
        },
    ),
    row("gateway@networking.istio.io", "spec.selector", OTHER),
    row("virtualservice", "spec.hosts", lets(Nothing)),
    row("virtualservice", "spec.gateways", lets(Nothing)),
    row("virtualservice", "spec.exportTo", lets(Everything)),
    row("virtualservice", "spec.http", OTHER),
    row("virtualservice", "spec.tls", OTHER),
    row("virtualservice", "spec.tcp", OTHER),
    row("serviceentry", "spec.hosts", lets(Nothing)),
    row("serviceentry", "spec.addresses", lets(Nothing)),
    row("serviceentry", "spec.endpoints", OTHER),
    row("sidecar", "spec.egress[].hosts", lets(Nothing)),
    row(
        "sidecar",
        "spec.outboundTrafficPolicy.mode",
        Steps {
            words: "REGISTRY_ONLY|ALLOW_ANY",
            absent: "ALLOW_ANY",
            up: Wider,
        },
    ),
    // What admits objects.
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks",
        GUARDS,
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].failurePolicy",
        guard("Fail", "Ignore|Fail"),
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].namespaceSelector",
        COVERED,
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].objectSelector",
        COVERED,
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].matchConditions",
        Elements {
            identity: &["name"],
            comes: Weaker,
        },
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].rules",
        BY_POSITION,
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].rules[*].operations",
        covers(Nothing),
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].rules[*].resources",
        covers(Nothing),
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].rules[*].apiGroups",
        covers(Nothing),
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].clientConfig",
        OTHER,
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].timeoutSeconds",
        OTHER,
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].matchPolicy",
        guard("Equivalent", "Exact|Equivalent"),
    ),
    row(
        "validatingwebhookconfiguration|mutatingwebhookconfiguration",
        "webhooks[].sideEffects",
        OTHER,
    ),
    row(
        "validatingadmissionpolicy|mutatingadmissionpolicy",
        "spec.failurePolicy",
        guard("Fail", "Ignore|Fail"),
    ),
    row(
        "validatingadmissionpolicy",
        "spec.validations",
        Elements {
            identity: &["expression"],
            comes: Stronger,
        },
    ),
    row(
        "validatingadmissionpolicy",
        "spec.matchConditions",
        Elements {
            identity: &["name"],
            comes: Weaker,
        },
    ),
    row(
        "validatingadmissionpolicybinding",
        "spec.validationActions",
        ACTIONS,
    ),
    row(
        "validatingadmissionpolicybinding",
        "spec.matchResources.namespaceSelector",
        COVERED,
    ),
    row(
        "validatingadmissionpolicybinding",
        "spec.matchResources.objectSelector",
        COVERED,
    ),
    row("validatingadmissionpolicybinding", "spec.policyName", OTHER),
    row("apiservice", "spec.insecureSkipTLSVerify", on(Weaker)),
    row("apiservice", "spec.service", OTHER),
    // Kyverno.
    row(
        KYVERNO,
        "spec.validationFailureAction",
        guard("Audit", "Audit|Enforce"),
    ),
    row(KYVERNO, "spec.failurePolicy", guard("Fail", "Ignore|Fail")),
    row(KYVERNO, "spec.background", default_on(Stronger)),
    row(KYVERNO, "spec.admission", default_on(Stronger)),
    row(KYVERNO, "spec.rules", GUARDS),
    row(
        KYVERNO,
        "spec.rules[].validate.failureAction",
        guard("Audit", "Audit|Enforce"),
    ),
    row(KYVERNO, "spec.rules[].exclude", Present(Weaker)),
    row(KYVERNO, "spec.rules[].validate.pattern", OTHER),
    row(KYVERNO, "spec.rules[].validate.anyPattern", OTHER),
    row(KYVERNO, "spec.rules[].validate.deny", OTHER),
    row(KYVERNO, "spec.rules[].match", OTHER),
    row(KYVERNO, "spec.rules[].mutate", OTHER),
    row(KYVERNO, "spec.rules[].generate", OTHER),
    row(
        "policyexception",
        "spec.exceptions",
        Elements {
            identity: &["policyName"],
            comes: Weaker,
        },
    ),
    row(
        "policyexception",
        "spec.exceptions[policyName].ruleNames",
        LEAVES_OUT,
    ),
    row("policyexception", "spec.match", OTHER),
    // Gatekeeper.
    row(
        GATEKEEPER,
        "spec.enforcementAction",
        guard("deny", "dryrun|warn|deny"),
    ),
    row(GATEKEEPER, "spec.match.excludedNamespaces", LEAVES_OUT),
    row(GATEKEEPER, "spec.match.namespaces", covers(Everything)),
    row(GATEKEEPER, "spec.match.namespaceSelector", COVERED),
    row(GATEKEEPER, "spec.match.labelSelector", COVERED),
    row(GATEKEEPER, "spec.match.kinds", BY_POSITION),
    // A list of kinds leaves out all others.
    row(GATEKEEPER, "spec.match.kinds", Present(Weaker)),
    row(GATEKEEPER, "spec.match.kinds[*].kinds", covers(Everything)),
    row(
        GATEKEEPER,
        "spec.match.kinds[*].apiGroups",
        covers(Everything),
    ),
    row(GATEKEEPER, "spec.parameters", OTHER),
    row("constrainttemplate", "spec.targets", OTHER),
    row("config@config.gatekeeper.sh", "spec.match", Present(Weaker)),
    // Certificates and secrets.
    row("certificate@cert-manager.io", "spec.isCA", on(Wider)),
    row(
        "certificate@cert-manager.io",
        "spec.privateKey.size",
        Quantity(Stronger),
    ),
    row(
        "certificate@cert-manager.io",
        "spec.privateKey.rotationPolicy",
        guard("Never", "Never|Always"),
    ),
    row(
        "certificate@cert-manager.io",
        "spec.renewBefore",
        Duration(Stronger),
    ),
    row(
        "certificate@cert-manager.io",
        "spec.duration",
        Duration(Weaker),
    ),
    row("certificate@cert-manager.io", "spec.dnsNames", OTHER),
    row("certificate@cert-manager.io", "spec.issuerRef", OTHER),
    row("certificate@cert-manager.io", "spec.secretName", OTHER),
    row("issuer|clusterissuer", "spec.acme", OTHER),
    row("issuer|clusterissuer", "spec.ca", OTHER),
    row("issuer|clusterissuer", "spec.vault", OTHER),
    row(
        "externalsecret|clusterexternalsecret",
        "spec.refreshInterval",
        OTHER,
    ),
    row("externalsecret", "spec.data", OTHER),
    row("externalsecret", "spec.dataFrom", OTHER),
    row("externalsecret", "spec.secretStoreRef", OTHER),
    row(
        "externalsecret",
        "spec.target.deletionPolicy",
        Steps {
            words: "Retain|Merge|Delete",
            absent: "Retain",
            up: Loses,
        },
    ),
    row("externalsecret", "spec.target.creationPolicy", OTHER),
    row("secretstore|clustersecretstore", "spec.provider", OTHER),
    row("clustersecretstore", "spec.conditions", Present(Narrower)),
    // Deployment from a repository.
    row(
        "application@argoproj.io|applicationset@argoproj.io",
        "spec.syncPolicy.automated",
        Present(Weaker),
    ),
    row(
        "application@argoproj.io",
        "spec.syncPolicy.automated.prune",
        on(Weaker),
    ),
    row(
        "application@argoproj.io",
        "spec.syncPolicy.automated.selfHeal",
        on(Stronger),
    ),
    row(
        "application@argoproj.io",
        "spec.syncPolicy.automated.allowEmpty",
        on(Weaker),
    ),
    row(
        "application@argoproj.io",
        "spec.syncPolicy.syncOptions",
        OTHER,
    ),
    row("application@argoproj.io", "spec.source", OTHER),
    row("application@argoproj.io", "spec.sources", OTHER),
    row("application@argoproj.io", "spec.destination", OTHER),
    row("application@argoproj.io", "spec.project", OTHER),
    row("application@argoproj.io", "spec.ignoreDifferences", OTHER),
    row("appproject", "spec.sourceRepos", lets(Nothing)),
    row("appproject", "spec.sourceNamespaces", lets(Nothing)),
    row("appproject", "spec.destinations", lets_destinations()),
    row("appproject", "spec.clusterResourceWhitelist", lets_kinds()),
    row(
        "appproject",
        "spec.namespaceResourceBlacklist",
        refuses_kinds(),
    ),
    row(
        "appproject",
        "spec.clusterResourceBlacklist",
        refuses_kinds(),
    ),
    row("appproject", "spec.syncWindows", OTHER),
    row("appproject", "spec.roles", OTHER),
    row(FLUX, "spec.suspend", on(Stops)),
    row(
        "kustomization@kustomize.toolkit.fluxcd.io",
        "spec.prune",
        on(Weaker),
    ),
    row(
        "kustomization@kustomize.toolkit.fluxcd.io",
        "spec.path",
        OTHER,
    ),
    row(FLUX, "spec.sourceRef", OTHER),
    row(FLUX, "spec.interval", OTHER),
    row(FLUX, "spec.ref", OTHER),
    row(FLUX, "spec.url", OTHER),
    row(FLUX, "spec.verify", Present(Stronger)),
    row(FLUX, "spec.chart", OTHER),
    row(FLUX, "spec.serviceAccountName", OTHER),
    // What watches.
    row(
        "prometheusrule",
        "spec.groups",
        Elements {
            identity: &["name"],
            comes: Stronger,
        },
    ),
    row(
        "prometheusrule",
        "spec.groups[].rules",
        Elements {
            identity: &["alert", "record"],
            comes: Stronger,
        },
    ),
    row(
        "prometheusrule",
        "spec.groups[].rules[alert|record].expr",
        OTHER,
    ),
    row(
        "prometheusrule",
        "spec.groups[].rules[alert|record].for",
        Duration(Weaker),
    ),
    row(
        "prometheusrule",
        "spec.groups[].rules[alert|record].labels",
        OTHER,
    ),
    row(
        "servicemonitor",
        "spec.endpoints",
        Elements {
            identity: &["port"],
            comes: Stronger,
        },
    ),
    row(
        "podmonitor",
        "spec.podMetricsEndpoints",
        Elements {
            identity: &["port"],
            comes: Stronger,
        },
    ),
    row(
        "servicemonitor|podmonitor",
        "spec.selector",
        Selects {
            absent: Everything,
            larger: Stronger,
        },
    ),
    row(
        "servicemonitor",
        "spec.endpoints[port].interval",
        Duration(Weaker),
    ),
    row(
        "podmonitor",
        "spec.podMetricsEndpoints[port].interval",
        Duration(Weaker),
    ),
    row("alertmanagerconfig", "spec.receivers", GUARDS),
    row("alertmanagerconfig", "spec.route", OTHER),
    row("alertmanagerconfig", "spec.inhibitRules", OTHER),
    // Backups.
    row("schedule@velero.io", "spec.paused", on(Weaker)),
    row("schedule@velero.io", "spec.schedule", OTHER),
    row(
        "schedule@velero.io",
        "spec.template.ttl",
        Duration(Stronger),
    ),
    row(
        "schedule@velero.io",
        "spec.template.includedNamespaces",
        covers(Everything),
    ),
    row(
        "schedule@velero.io",
        "spec.template.excludedNamespaces",
        LEAVES_OUT,
    ),
    row(
        "schedule@velero.io",
        "spec.template.snapshotVolumes",
        default_on(Stronger),
    ),
    row(
        "backupstoragelocation@velero.io",
        "spec.objectStorage",
        OTHER,
    ),
    // What the API serves.
    row(
        "customresourcedefinition",
        "spec.versions",
        Elements {
            identity: &["name"],
            comes: Direction::Starts,
        },
    ),
    row(
        "customresourcedefinition",
        "spec.versions[].served",
        default_on(Direction::Starts),
    ),
    row("customresourcedefinition", "spec.versions[].storage", OTHER),
    row("customresourcedefinition", "spec.versions[].schema", OTHER),
    row("customresourcedefinition", "spec.conversion", OTHER),
    // Values.
    row("configmap|secret", "immutable", on(Stronger)),
    row("configmap|secret", "binaryData", OTHER),
    row("secret", "data", OTHER),
    row("secret", "stringData", OTHER),
    row("secret", "type", OTHER),
    row(
        "serviceaccount",
        "automountServiceAccountToken",
        default_on(Wider),
    ),
    row("serviceaccount", "imagePullSecrets", OTHER),
    row("priorityclass", "value", OTHER),
    row("runtimeclass", "handler", OTHER),
    row("ingressclass", "spec.controller", OTHER),
    row("namespace", "metadata.name", OTHER),
];

/// The kinds of Kyverno's policies.
const KYVERNO: &str = "clusterpolicy@kyverno.io|policy@kyverno.io";
/// The constraints of Gatekeeper, whose kinds everybody may define.
const GATEKEEPER: &str = "*@constraints.gatekeeper.sh";
/// The kinds of Flux.
const FLUX: &str = "kustomization@kustomize.toolkit.fluxcd.io|helmrelease@helm.toolkit.fluxcd.io|\
                    gitrepository@source.toolkit.fluxcd.io|ocirepository@source.toolkit.fluxcd.io|\
                    helmrepository@source.toolkit.fluxcd.io|bucket@source.toolkit.fluxcd.io|\
                    helmchart@source.toolkit.fluxcd.io|imageupdateautomation@image.toolkit.fluxcd.io";

/// The limits of a LimitRange, one for each type of object.
const GUARDS_OF_TYPES: Fact = Elements {
    identity: &["type"],
    comes: Stronger,
};

/// What a failed validation does. `Deny` is what refuses an object.
const ACTIONS: Fact = Set {
    absent: Nothing,
    larger: Stronger,
};

/// Objects that are let in by their kind, namespace and name.
const fn lets_objects() -> Fact {
    Elements {
        identity: &["group", "kind", "namespace", "name"],
        comes: Wider,
    }
}

/// Clusters and namespaces that may be written to.
const fn lets_destinations() -> Fact {
    Elements {
        identity: &["server", "name", "namespace"],
        comes: Wider,
    }
}

/// Kinds that may be written.
const fn lets_kinds() -> Fact {
    Elements {
        identity: &["group", "kind"],
        comes: Wider,
    }
}

/// Kinds that may not be written.
const fn refuses_kinds() -> Fact {
    Elements {
        identity: &["group", "kind"],
        comes: Narrower,
    }
}

/// What the values of a pod are; paths begin at its specification.
pub(super) const POD: &[(&str, Fact)] = &[
    ("hostNetwork", on(Wider)),
    ("hostPID", on(Wider)),
    ("hostIPC", on(Wider)),
    ("hostUsers", default_on(Wider)),
    ("shareProcessNamespace", on(Wider)),
    ("automountServiceAccountToken", default_on(Wider)),
    ("serviceAccountName", OTHER),
    ("securityContext.runAsNonRoot", on(Stronger)),
    ("securityContext.runAsUser", User),
    ("securityContext.runAsGroup", OTHER),
    ("securityContext.fsGroup", OTHER),
    ("securityContext.seccompProfile.type", SECCOMP),
    ("securityContext.supplementalGroups", OTHER),
    (
        "securityContext.sysctls",
        Elements {
            identity: &["name"],
            comes: Wider,
        },
    ),
    ("securityContext.windowsOptions.hostProcess", on(Wider)),
    ("volumes[].hostPath", Present(Wider)),
    ("volumes[].hostPath.path", OTHER),
    ("volumes[].hostPath.type", OTHER),
    ("volumes[].configMap", OTHER),
    ("volumes[].secret", OTHER),
    ("volumes[].emptyDir", OTHER),
    ("volumes[].persistentVolumeClaim", OTHER),
    ("volumes[].projected", OTHER),
    ("volumes[].csi", OTHER),
    ("volumes[].nfs", OTHER),
    (
        "volumes",
        Elements {
            identity: &["name"],
            comes: Another,
        },
    ),
    ("nodeSelector", OTHER),
    ("nodeName", OTHER),
    ("affinity", OTHER),
    ("tolerations", OTHER),
    ("topologySpreadConstraints", OTHER),
    ("terminationGracePeriodSeconds", OTHER),
    ("priorityClassName", OTHER),
    ("runtimeClassName", OTHER),
    ("restartPolicy", OTHER),
    ("dnsPolicy", OTHER),
    ("dnsConfig", OTHER),
    ("hostAliases", OTHER),
    ("hostname", OTHER),
    ("schedulerName", OTHER),
    ("imagePullSecrets", OTHER),
    ("activeDeadlineSeconds", OTHER),
];

/// The lists of containers of a pod.
pub(super) const CONTAINERS: [&str; 3] = ["containers", "initContainers", "ephemeralContainers"];

/// What the kernel refuses a container.
const SECCOMP: Fact = Steps {
    words: "Unconfined|Localhost|RuntimeDefault",
    absent: "Unconfined",
    up: Stronger,
};

/// What the values of a container are; paths begin at it.
pub(super) const CONTAINER: &[(&str, Fact)] = &[
    ("securityContext.privileged", on(Wider)),
    (
        "securityContext.allowPrivilegeEscalation",
        default_on(Wider),
    ),
    ("securityContext.runAsNonRoot", on(Stronger)),
    ("securityContext.runAsUser", User),
    ("securityContext.runAsGroup", OTHER),
    ("securityContext.readOnlyRootFilesystem", on(Stronger)),
    ("securityContext.capabilities.add", lets(Nothing)),
    (
        "securityContext.capabilities.drop",
        Set {
            absent: Nothing,
            larger: Narrower,
        },
    ),
    ("securityContext.seccompProfile.type", SECCOMP),
    (
        "securityContext.procMount",
        Steps {
            words: "Default|Unmasked",
            absent: "Default",
            up: Wider,
        },
    ),
    ("securityContext.windowsOptions.hostProcess", on(Wider)),
    ("livenessProbe", Present(Stronger)),
    ("readinessProbe", Present(Stronger)),
    ("startupProbe", Present(Stronger)),
    ("livenessProbe.failureThreshold", Quantity(Weaker)),
    ("readinessProbe.failureThreshold", Quantity(Weaker)),
    ("livenessProbe.periodSeconds", Quantity(Weaker)),
    ("readinessProbe.periodSeconds", Quantity(Weaker)),
    ("livenessProbe.timeoutSeconds", Quantity(Weaker)),
    ("readinessProbe.timeoutSeconds", Quantity(Weaker)),
    ("livenessProbe.initialDelaySeconds", OTHER),
    ("readinessProbe.initialDelaySeconds", OTHER),
    ("livenessProbe.httpGet", OTHER),
    ("readinessProbe.httpGet", OTHER),
    ("startupProbe.httpGet", OTHER),
    ("livenessProbe.tcpSocket", OTHER),
    ("readinessProbe.tcpSocket", OTHER),
    ("livenessProbe.exec", OTHER),
    ("readinessProbe.exec", OTHER),
    ("startupProbe.failureThreshold", OTHER),
    ("startupProbe.periodSeconds", OTHER),
    ("resources.limits.*", Limit),
    ("resources.requests.*", Quantity(More)),
    ("lifecycle.preStop", Present(Stronger)),
    ("lifecycle.postStart", OTHER),
    ("command", OTHER),
    ("args", OTHER),
    ("workingDir", OTHER),
    ("env", OTHER),
    ("envFrom", OTHER),
    ("ports", OTHER),
    ("volumeMounts", OTHER),
    ("imagePullPolicy", OTHER),
    ("tty", OTHER),
    ("stdin", OTHER),
];

/// What the labels of objects are that the API server or a controller reads, by kind and key.
pub(super) const LABELS: &[(&str, &str, Fact)] = &[
    (
        "namespace",
        "pod-security.kubernetes.io/enforce",
        POD_SECURITY,
    ),
    (
        "namespace",
        "pod-security.kubernetes.io/audit",
        POD_SECURITY,
    ),
    ("namespace", "pod-security.kubernetes.io/warn", POD_SECURITY),
    (
        "namespace",
        "pod-security.kubernetes.io/enforce-version",
        OTHER,
    ),
    (
        "namespace",
        "istio-injection",
        Steps {
            words: "disabled|enabled",
            absent: "disabled",
            up: Stronger,
        },
    ),
    ("namespace", "istio.io/rev", Present(Stronger)),
    ("namespace", "linkerd.io/inject", Present(Stronger)),
];

/// The standard for the pods of a namespace. Without one, everything is allowed.
const POD_SECURITY: Fact = Steps {
    words: "privileged|baseline|restricted",
    absent: "privileged",
    up: Stronger,
};

/// What annotations are that controllers read, by their keys.
pub(super) const ANNOTATIONS: &[(&str, Fact)] = &[
    (
        "nginx.ingress.kubernetes.io/whitelist-source-range",
        Networks,
    ),
    (
        "nginx.ingress.kubernetes.io/allowlist-source-range",
        Networks,
    ),
    (
        "nginx.ingress.kubernetes.io/denylist-source-range",
        Set {
            absent: Nothing,
            larger: Narrower,
        },
    ),
    ("alb.ingress.kubernetes.io/inbound-cidrs", Networks),
    ("nginx.ingress.kubernetes.io/auth-url", Present(Narrower)),
    ("nginx.ingress.kubernetes.io/auth-type", Present(Narrower)),
    ("nginx.ingress.kubernetes.io/auth-secret", OTHER),
    (
        "nginx.ingress.kubernetes.io/auth-tls-secret",
        Present(Narrower),
    ),
    (
        "nginx.ingress.kubernetes.io/auth-tls-verify-client",
        guard("on", "off|optional_no_ca|optional|on"),
    ),
    (
        "nginx.ingress.kubernetes.io/ssl-redirect",
        default_on(Stronger),
    ),
    (
        "nginx.ingress.kubernetes.io/force-ssl-redirect",
        on(Stronger),
    ),
    (
        "nginx.ingress.kubernetes.io/enable-modsecurity",
        on(Stronger),
    ),
    ("nginx.ingress.kubernetes.io/limit-rps", Present(Stronger)),
    (
        "nginx.ingress.kubernetes.io/limit-connections",
        Present(Stronger),
    ),
    (
        "nginx.ingress.kubernetes.io/proxy-body-size",
        Quantity(More),
    ),
    ("nginx.ingress.kubernetes.io/rewrite-target", OTHER),
    ("nginx.ingress.kubernetes.io/backend-protocol", OTHER),
    ("nginx.ingress.kubernetes.io/configuration-snippet", OTHER),
    ("nginx.ingress.kubernetes.io/server-snippet", OTHER),
    ("nginx.ingress.kubernetes.io/enable-cors", on(Wider)),
    (
        "nginx.ingress.kubernetes.io/cors-allow-origin",
        lets(Everything),
    ),
    ("alb.ingress.kubernetes.io/auth-type", Present(Narrower)),
    ("alb.ingress.kubernetes.io/wafv2-acl-arn", Present(Stronger)),
    (
        "alb.ingress.kubernetes.io/certificate-arn",
        Present(Stronger),
    ),
    ("alb.ingress.kubernetes.io/ssl-redirect", Present(Stronger)),
    ("alb.ingress.kubernetes.io/ssl-policy", OTHER),
    (
        "alb.ingress.kubernetes.io/scheme",
        Steps {
            words: "internal|internet-facing",
            absent: "internal",
            up: Wider,
        },
    ),
    ("traefik.ingress.kubernetes.io/router.tls", on(Stronger)),
    ("cert-manager.io/cluster-issuer", OTHER),
    ("cert-manager.io/issuer", OTHER),
    ("kubernetes.io/ingress.class", OTHER),
    ("kubernetes.io/ingress.allow-http", default_on(Weaker)),
    ("external-dns.alpha.kubernetes.io/hostname", OTHER),
    ("eks.amazonaws.com/role-arn", OTHER),
    ("iam.gke.io/gcp-service-account", OTHER),
    ("azure.workload.identity/client-id", OTHER),
    ("prometheus.io/scrape", on(Stronger)),
    ("prometheus.io/path", OTHER),
    ("prometheus.io/port", OTHER),
    ("sidecar.istio.io/inject", default_on(Stronger)),
    ("linkerd.io/inject", Present(Stronger)),
    ("helm.sh/resource-policy", Present(Stronger)),
    ("argocd.argoproj.io/sync-options", OTHER),
    ("storageclass.kubernetes.io/is-default-class", OTHER),
    (
        "cluster-autoscaler.kubernetes.io/safe-to-evict",
        default_on(Weaker),
    ),
    ("karpenter.sh/do-not-disrupt", on(Stronger)),
    ("autoscaling.keda.sh/paused", on(Stops)),
    ("autoscaling.keda.sh/paused-replicas", OTHER),
    ("container.apparmor.security.beta.kubernetes.io/app", OTHER),
    ("seccomp.security.alpha.kubernetes.io/pod", OTHER),
    (
        "service.beta.kubernetes.io/aws-load-balancer-ssl-cert",
        Present(Stronger),
    ),
    ("service.beta.kubernetes.io/aws-load-balancer-type", OTHER),
    (
        "service.beta.kubernetes.io/aws-load-balancer-ssl-negotiation-policy",
        OTHER,
    ),
    (
        "service.beta.kubernetes.io/load-balancer-source-ranges",
        Networks,
    ),
];

/// What an object does that comes as a whole, by kind. What goes does the reverse.
pub(super) const WHOLE: &[(&str, Direction)] = &[
    ("role|clusterrole|rolebinding|clusterrolebinding", Wider),
    (
        "networkpolicy|ciliumnetworkpolicy|ciliumclusterwidenetworkpolicy|globalnetworkpolicy|\
         adminnetworkpolicy|baselineadminnetworkpolicy|authorizationpolicy",
        Narrower,
    ),
    (
        "poddisruptionbudget|resourcequota|limitrange|validatingwebhookconfiguration|\
         mutatingwebhookconfiguration|validatingadmissionpolicy|validatingadmissionpolicybinding|\
         mutatingadmissionpolicy|podsecuritypolicy|requestauthentication|constrainttemplate|\
         *@constraints.gatekeeper.sh|clusterpolicy@kyverno.io|policy@kyverno.io|\
         clustercleanuppolicy@kyverno.io|clusteradmissionpolicy|admissionpolicy|\
         prometheusrule|servicemonitor|podmonitor|probe@monitoring.coreos.com|\
         alertmanagerconfig|schedule@velero.io|backup@velero.io|backupstoragelocation|\
         tracingpolicy|scheduledbackup|certificate@cert-manager.io|clusterissuer|issuer|\
         backendtlspolicy|vmrule|vmservicescrape",
        Stronger,
    ),
    ("policyexception", Weaker),
    (
        "persistentvolumeclaim|persistentvolume|namespace|customresourcedefinition|secret|\
         volumesnapshot|volumesnapshotcontent|postgresql|cluster@postgresql.cnpg.io|kafka|\
         kafkatopic|elasticsearch|mongodbcommunity|perconaxtradbcluster|perconaservermongodb|\
         rabbitmqcluster|cassandradatacenter|innodbcluster|redisfailover|objectbucketclaim|\
         database@postgresql.cnpg.io|perconapgcluster|opensearchcluster|clickhouseinstallation",
        Direction::Keeps,
    ),
    (
        "deployment|statefulset|daemonset|replicaset|replicationcontroller|pod|service|ingress|\
         httproute|grpcroute|tlsroute|tcproute|udproute|gateway|virtualservice|cronjob|rollout|\
         application@argoproj.io|applicationset@argoproj.io|helmrelease|\
         kustomization@kustomize.toolkit.fluxcd.io|apiservice|externalsecret|secretstore|\
         clustersecretstore|gitrepository|ocirepository|ingressroute|endpoints",
        Direction::Starts,
    ),
    ("horizontalpodautoscaler|scaledobject|podautoscaler", More),
    (
        "configmap|serviceaccount|storageclass|priorityclass|ingressclass|runtimeclass|job|\
         volumesnapshotclass|lease|serviceentry|destinationrule|appproject|helmrepository",
        Direction::New,
    ),
];
