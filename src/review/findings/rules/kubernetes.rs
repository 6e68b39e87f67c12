//! Rules for Kubernetes, Helm and kubectl.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("kubernetes_namespace*", "namespace").show("metadata.name"),
    lost("kubernetes_persistent_volume*", "volume").show(
        "metadata.name|metadata.namespace|spec.resources.requests.storage|\
         spec.persistent_volume_reclaim_policy",
    ),
    lost("kubernetes_secret*", "secret")
        .show("metadata.name|metadata.namespace")
        .level(Warning),
    lost("kubernetes_manifest", "volume")
        .show("manifest.metadata.name|manifest.metadata.namespace")
        .only_if(&[Needs(
            ".manifest.kind",
            "PersistentVolumeClaim|PersistentVolume",
        )]),
    lost("kubectl_manifest", "volume")
        .show("name|namespace")
        .only_if(&[Needs(".kind", "PersistentVolumeClaim|PersistentVolume")]),
    lost("kubernetes_manifest", "namespace")
        .show("manifest.metadata.name")
        .named("kubernetes_manifest.namespace")
        .only_if(&[Needs(".manifest.kind", "Namespace")]),
    lost("kubectl_manifest", "namespace")
        .show("name")
        .named("kubectl_manifest.namespace")
        .only_if(&[Needs(".kind", "Namespace")]),
    lost("kubernetes_manifest", "definition with all its objects")
        .show("manifest.metadata.name")
        .named("kubernetes_manifest.definition")
        .only_if(&[Needs(".manifest.kind", "CustomResourceDefinition")]),
    lost("kubectl_manifest", "definition with all its objects")
        .show("name")
        .named("kubectl_manifest.definition")
        .only_if(&[Needs(".kind", "CustomResourceDefinition")]),
    // Who may reach or do more.
    exposure(
        "kubernetes_cluster_role_binding*|kubernetes_role_binding*",
        "subject[*].name",
        role("role_ref[*].name", "cluster-admin"),
    )
    .serves(Class::Administration),
    exposure(
        "kubernetes_cluster_role_binding*|kubernetes_role_binding*",
        "subject[*].name",
        role("role_ref[*].name", "admin|edit"),
    )
    .named("kubernetes_*.admin")
    .serves(Class::Other),
    exposure(
        "kubernetes_cluster_role_binding*|kubernetes_role_binding*",
        "subject[*].name",
        is("system:anonymous|system:unauthenticated|system:authenticated|system:serviceaccounts"),
    )
    .serves(Class::Administration),
    exposure(
        "kubernetes_cluster_role|kubernetes_cluster_role_v1",
        "rule[*].verbs[*]",
        is("*"),
    )
    .named("kubernetes_cluster_role.everything")
    .serves(Class::Administration)
    .only_if(&[Needs("resources", "*")]),
    exposure(
        "kubernetes_cluster_role|kubernetes_cluster_role_v1|kubernetes_role|\
         kubernetes_role_v1",
        "rule[*].verbs[*]",
        is("*|escalate|impersonate|bind"),
    ),
    exposure(
        "kubernetes_cluster_role|kubernetes_cluster_role_v1|kubernetes_role|\
         kubernetes_role_v1",
        "rule[*].resources[*]",
        is("*|secrets|pods/exec|nodes/proxy|serviceaccounts/token"),
    )
    .unless_created(),
    exposure("@manifest", "@manifest.rules[*].verbs[*]", is("*"))
        .named("kubernetes_manifest.everything")
        .serves(Class::Administration)
        .only_if(&[Needs("resources", "*")]),
    exposure(
        "@manifest",
        "@manifest.rules[*].verbs[*]",
        is("*|escalate|impersonate|bind"),
    ),
    exposure(
        "@manifest",
        "@manifest.rules[*].resources[*]",
        is("*|secrets|pods/exec|nodes/proxy|serviceaccounts/token"),
    )
    .unless_created(),
    exposure(
        "@manifest",
        "@manifest.subjects[*].name",
        is("system:anonymous|system:unauthenticated"),
    )
    .named("kubernetes_manifest.subjects")
    .serves(Class::Administration),
    exposure(
        "@manifest",
        "@manifest.subjects[*].name",
        role("@manifest.roleRef.name", "cluster-admin"),
    )
    .serves(Class::Administration),
    exposure(
        "@manifest",
        "@manifest.subjects[*].name",
        role("@manifest.roleRef.name", "admin|edit"),
    )
    .named("kubernetes_manifest.admin")
    .serves(Class::Other),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "spec[*].type",
        is("LoadBalancer|NodePort"),
    )
    .only_if(&[Unless(
        ".metadata.annotations",
        "*internal=true|*internal=0.0.0.0/0|*load-balancer-type=Internal|*scheme=internal",
    )]),
    exposure(
        "@manifest",
        "@manifest.spec.type",
        is("LoadBalancer|NodePort"),
    )
    .only_if(&[Unless(
        ".manifest.metadata.annotations",
        "*internal=true|*internal=0.0.0.0/0|*load-balancer-type=Internal|*scheme=internal",
    )]),
    exposure(
        "helm_release",
        "values[*].**.service.type",
        is("LoadBalancer|NodePort"),
    )
    .only_if(&[Unless(
        "annotations",
        "*internal=true|*internal=0.0.0.0/0|*load-balancer-type=Internal|*scheme=internal",
    )]),
    exposure("helm_release", "set[*].value", is("LoadBalancer|NodePort"))
        .named("helm_release.set.service.type")
        .only_if(&[Needs("name", "*service.type")]),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "spec[*].load_balancer_source_ranges[*]",
        AnySource,
    ),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "spec[*].load_balancer_source_ranges",
        Emptied,
    )
    .unless_created(),
    exposure(
        "kubernetes_network_policy*",
        "spec[*].ingress[*].from",
        Emptied,
    )
    .unless_created(),
    exposure("@manifest", "@manifest.spec.ingress[*].from", Emptied).unless_created(),
    exposure(
        "kubernetes_network_policy*",
        "spec[*].ingress[*].from[*].ip_block[*].cidr",
        AnySource,
    ),
    exposure("@pod", "@pod.security_context.privileged", On),
    exposure("@pod", "@pod.host_network", On),
    exposure("@pod", "@pod.host_pid", On),
    exposure("@pod", "@pod.host_ipc", On),
    exposure(
        "@pod",
        "@pod.allow_privilege_escalation",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "@pod",
        "@pod.capabilities.add[*]",
        is("ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|NET_ADMIN"),
    ),
    exposure(
        "@pod",
        "@pod.host_path.path",
        is("/|/etc|/var/run/docker.sock|/run/containerd/containerd.sock|/var/lib/kubelet|/root"),
    ),
    // Who is let in by what is created.
    exposure("@pod", "@pod.service_account_name", Changed)
        .level(Notice)
        .unless_created(),
    exposure(
        "kubernetes_service_account|kubernetes_service_account_v1",
        "automount_service_account_token",
        order("true|false"),
    )
    .level(Notice)
    .unless_created(),
    exposure(
        "kubernetes_ingress*",
        "metadata[*].annotations['alb.ingress.kubernetes.io/scheme']",
        is("internet-facing"),
    )
    .level(Warning)
    .unless_created(),
    exposure("@pod", "@pod.share_process_namespace", On)
        .level(Notice)
        .unless_created(),
    exposure("@pod", "@pod.host_process", On),
    exposure(
        "kubernetes_config_map*",
        "data.mapRoles[*].rolearn",
        role("data.mapRoles[*].groups[*]", "system:masters"),
    )
    .serves(Class::Administration),
    exposure(
        "kubernetes_config_map*",
        "data.mapUsers[*].userarn",
        role("data.mapUsers[*].groups[*]", "system:masters"),
    )
    .serves(Class::Administration),
    exposure(
        "@manifest",
        "@manifest.data.mapRoles[*].rolearn",
        role("@manifest.data.mapRoles[*].groups[*]", "system:masters"),
    )
    .serves(Class::Administration),
    // Annotations that decide who may come in.
    exposure(
        "kubernetes_ingress|kubernetes_ingress_v1",
        "metadata[*].annotations['nginx.ingress.kubernetes.io/whitelist-source-range']",
        Gone,
    )
    .what("the list of allowed addresses")
    .unless_created(),
    exposure(
        "kubernetes_ingress|kubernetes_ingress_v1",
        "metadata[*].annotations['nginx.ingress.kubernetes.io/allowlist-source-range']",
        Gone,
    )
    .what("the list of allowed addresses")
    .unless_created(),
    exposure(
        "kubernetes_ingress|kubernetes_ingress_v1",
        "metadata[*].annotations['alb.ingress.kubernetes.io/inbound-cidrs']",
        Gone,
    )
    .what("the list of allowed addresses")
    .unless_created(),
    exposure(
        "kubernetes_ingress|kubernetes_ingress_v1",
        "metadata[*].annotations['nginx.ingress.kubernetes.io/auth-url']",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure(
        "kubernetes_ingress|kubernetes_ingress_v1",
        "metadata[*].annotations['nginx.ingress.kubernetes.io/auth-type']",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure(
        "kubernetes_ingress|kubernetes_ingress_v1",
        "metadata[*].annotations['alb.ingress.kubernetes.io/auth-type']",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure(
        "kubernetes_ingress|kubernetes_ingress_v1",
        "metadata[*].annotations['alb.ingress.kubernetes.io/scheme']",
        is("internet-facing"),
    )
    .unless_created(),
    exposure(
        "@manifest",
        "@manifest.metadata.annotations['nginx.ingress.kubernetes.io/whitelist-source-range']",
        Gone,
    )
    .what("the list of allowed addresses")
    .unless_created(),
    exposure(
        "@manifest",
        "@manifest.metadata.annotations['nginx.ingress.kubernetes.io/allowlist-source-range']",
        Gone,
    )
    .what("the list of allowed addresses")
    .unless_created(),
    exposure(
        "@manifest",
        "@manifest.metadata.annotations['alb.ingress.kubernetes.io/inbound-cidrs']",
        Gone,
    )
    .what("the list of allowed addresses")
    .unless_created(),
    exposure(
        "@manifest",
        "@manifest.metadata.annotations['nginx.ingress.kubernetes.io/auth-url']",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure(
        "@manifest",
        "@manifest.metadata.annotations['alb.ingress.kubernetes.io/auth-type']",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure(
        "@manifest",
        "@manifest.metadata.annotations['alb.ingress.kubernetes.io/scheme']",
        is("internet-facing"),
    )
    .unless_created(),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "metadata[*].annotations['service.beta.kubernetes.io/aws-load-balancer-scheme']",
        is("internet-facing"),
    )
    .unless_created(),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "metadata[*].annotations['service.beta.kubernetes.io/aws-load-balancer-internal']",
        order("false|true"),
    )
    .unless_created(),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "metadata[*].annotations['service.beta.kubernetes.io/aws-load-balancer-internal']",
        Gone,
    )
    .named("kubernetes_*.aws-load-balancer-internal gone")
    .unless_created(),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "metadata[*].annotations['service.beta.kubernetes.io/azure-load-balancer-internal']",
        order("false|true"),
    )
    .unless_created(),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "metadata[*].annotations['service.beta.kubernetes.io/azure-load-balancer-internal']",
        Gone,
    )
    .named("kubernetes_*.azure-load-balancer-internal gone")
    .unless_created(),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "metadata[*].annotations['networking.gke.io/load-balancer-type']",
        Gone,
    )
    .unless_created(),
    exposure(
        "kubernetes_service|kubernetes_service_v1",
        "spec[*].load_balancer_source_ranges",
        Emptied,
    )
    .what("the list of allowed addresses")
    .unless_created(),
    // What guards, records or backs up.
    protection("@pod", "@pod.liveness_probe", Gone),
    protection("@pod", "@pod.readiness_probe", Gone),
    protection("@pod", "@pod.security_context.run_as_non_root", Off),
    protection(
        "@pod",
        "@pod.security_context.read_only_root_filesystem",
        Off,
    ),
    protection(
        "kubernetes_namespace|kubernetes_namespace_v1",
        "metadata[*].labels['pod-security.kubernetes.io/enforce']",
        order("privileged|baseline|restricted"),
    ),
    protection(
        "kubernetes_namespace|kubernetes_namespace_v1",
        "metadata[*].labels['pod-security.kubernetes.io/enforce']",
        Gone,
    )
    .named("kubernetes_namespace.pod-security"),
    protection(
        "kubernetes_labels",
        "labels['pod-security.kubernetes.io/enforce']",
        order("privileged|baseline|restricted"),
    ),
    protection(
        "kubernetes_ingress|kubernetes_ingress_v1",
        "spec[*].tls",
        Gone,
    ),
    protection(
        "kubernetes_validating_webhook_configuration*|\
         kubernetes_mutating_webhook_configuration*",
        "webhook[*].failure_policy",
        order("Ignore|Fail"),
    ),
    protection(
        "kubernetes_persistent_volume|kubernetes_persistent_volume_v1",
        "spec[*].persistent_volume_reclaim_policy",
        order("Delete|Recycle|Retain"),
    ),
    protection(
        "kubernetes_storage_class|kubernetes_storage_class_v1",
        "reclaim_policy",
        order("Delete|Retain"),
    ),
    protection("helm_release", "atomic", Off).level(Notice),
    protection("helm_release", "verify", Off),
    protection(
        "kubernetes_config_map|kubernetes_config_map_v1|kubernetes_config_map_v1_data",
        "data[*].**.tls.enabled",
        Off,
    ),
    protection("helm_release", "values[*].**.tls.enabled", Off),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded("kubernetes_network_policy|kubernetes_network_policy_v1").guards(&[(
        "metadata[*].namespace",
        "kubernetes_namespace|kubernetes_namespace_v1",
    )]),
    unguarded("kubernetes_pod_disruption_budget|kubernetes_pod_disruption_budget_v1").guards(&[(
        "metadata[*].namespace",
        "kubernetes_namespace|kubernetes_namespace_v1",
    )]),
    unguarded("kubernetes_limit_range|kubernetes_limit_range_v1").guards(&[(
        "metadata[*].namespace",
        "kubernetes_namespace|kubernetes_namespace_v1",
    )]),
    unguarded("kubernetes_resource_quota|kubernetes_resource_quota_v1").guards(&[(
        "metadata[*].namespace",
        "kubernetes_namespace|kubernetes_namespace_v1",
    )]),
    unguarded(
        "kubernetes_validating_webhook_configuration|\
         kubernetes_validating_webhook_configuration_v1|\
         kubernetes_mutating_webhook_configuration|\
         kubernetes_mutating_webhook_configuration_v1|\
         kubernetes_validating_admission_policy_v1",
    ),
    unguarded("kubernetes_manifest")
        .guards(&[(
            "manifest.metadata.namespace",
            "kubernetes_namespace|kubernetes_namespace_v1",
        )])
        .only_if(&[Needs(
            ".manifest.kind",
            "NetworkPolicy|PodDisruptionBudget|ResourceQuota|LimitRange|\
         ValidatingWebhookConfiguration|MutatingWebhookConfiguration|\
         ValidatingAdmissionPolicy|PrometheusRule|CiliumNetworkPolicy|PeerAuthentication|\
         AuthorizationPolicy",
        )]),
    unguarded("kubectl_manifest")
        .guards(&[("namespace", "kubernetes_namespace|kubernetes_namespace_v1")])
        .only_if(&[Needs(
            ".kind",
            "NetworkPolicy|PodDisruptionBudget|ResourceQuota|LimitRange|\
         ValidatingWebhookConfiguration|MutatingWebhookConfiguration|\
         ValidatingAdmissionPolicy|PrometheusRule|CiliumNetworkPolicy|PeerAuthentication|\
         AuthorizationPolicy",
        )]),
    protection("@pod", "@pod.security_context.run_as_user", is("0")),
    protection(
        "kubernetes_api_service|kubernetes_api_service_v1",
        "spec[*].insecure_skip_tls_verify",
        On,
    )
    .when_created(),
    protection(
        "kubernetes_secret|kubernetes_secret_v1|kubernetes_config_map|\
         kubernetes_config_map_v1",
        "immutable",
        Off,
    )
    .level(Notice),
    unguarded("helm_release").only_if(&[Needs(
        "chart",
        "*velero|*k8up|*kasten*|*k10|*stash*|*kyverno|*gatekeeper|*falco*|*tetragon|\
         *kubewarden*|*trivy-operator|*kube-prometheus-stack|*alertmanager|*network-policies",
    )]),
    // What serves requests.
    interrupted(
        "kubernetes_deployment|kubernetes_deployment_v1|kubernetes_stateful_set|\
         kubernetes_stateful_set_v1|kubernetes_daemon_set_v1|kubernetes_daemonset|\
         kubernetes_replication_controller*|kubernetes_service|kubernetes_service_v1|\
         kubernetes_ingress|kubernetes_ingress_v1|kubernetes_api_service*|\
         kubernetes_cron_job*",
    )
    .named("kubernetes_*.workload"),
    interrupted("kubernetes_manifest").only_if(&[Needs(
        ".manifest.kind",
        "Deployment|StatefulSet|DaemonSet|Service|Ingress|HTTPRoute|Gateway|VirtualService|\
         CronJob",
    )]),
    interrupted("kubectl_manifest").only_if(&[Needs(
        ".kind",
        "Deployment|StatefulSet|DaemonSet|Service|Ingress|HTTPRoute|Gateway|VirtualService|\
         CronJob",
    )]),
    downtime(
        "kubernetes_deployment|kubernetes_deployment_v1|kubernetes_stateful_set|\
         kubernetes_stateful_set_v1|kubernetes_replication_controller*",
        "spec[*].replicas",
        Zero,
    )
    .level(Critical),
    downtime("@manifest", "@manifest.spec.replicas", Zero).level(Critical),
    downtime(
        "kubernetes_horizontal_pod_autoscaler*",
        "spec[*].min_replicas",
        Zero,
    ),
    downtime(
        "kubernetes_cron_job|kubernetes_cron_job_v1",
        "spec[*].suspend",
        On,
    ),
    downtime("helm_release", "values[*].**.replicaCount", Zero).level(Critical),
    downtime("helm_release", "values[*].**.replicas", Zero).level(Critical),
    downtime("helm_release", "set[*].value", Zero)
        .named("helm_release.set.replicas")
        .level(Critical)
        .only_if(&[Needs(
            "name",
            "replicaCount|*.replicaCount|replicas|*.replicas",
        )]),
    interrupted("helm_release").only_if(&[Unless("chart", "*velero|*k8up|*kasten*|*k10|*stash*")]),
    // All at once.
    downtime(
        "kubernetes_deployment|kubernetes_deployment_v1",
        "spec[*].strategy[*].type",
        is("Recreate"),
    )
    .what("each update stops all pods first"),
    downtime(
        "kubernetes_deployment|kubernetes_deployment_v1",
        "spec[*].strategy[*].rolling_update[*].max_unavailable",
        is("100%"),
    )
    .what("all pods at once"),
    // What queries and callers use.
    downtime("@manifest", "@manifest.spec.versions[*].served", Off),
    // Versions that go back.
    downtime("helm_release", "version", Downgrade)
        .level(Notice)
        .in_place(),
    // Capacity that somebody or something else has set since.
    downtime(
        "kubernetes_deployment|kubernetes_deployment_v1|kubernetes_stateful_set|\
         kubernetes_stateful_set_v1|kubernetes_replication_controller*",
        "spec[*].replicas",
        Reverts,
    )
    .named("kubernetes_*.replicas undone"),
    downtime(
        "kubernetes_horizontal_pod_autoscaler*",
        "spec[*].max_replicas",
        Reverts,
    ),
    // What decides, and is known only after apply.
    unknown("kubernetes_cluster_role_binding*", "subject"),
    unknown("kubernetes_cluster_role*", "rule"),
    unknown("kubernetes_role_binding*", "subject"),
];
