//! Pairs of objects with their directions.

use bumpalo::Bump;
use foldhash::fast::RandomState;

use super::judge;
use crate::diff::value::Builder;
use crate::direction::Directions;
use crate::meaning::{Documents, ObjectChange};

/// Returns all judgements of a change, as `place: directions` in lines.
fn judged(resource_type: &str, before: &str, after: &str) -> Vec<String> {
    let arena = Bump::new();
    let build = Builder::new(&arena, arena.alloc(RandomState::default()));
    let change = ObjectChange {
        resource_type,
        before: build.parse(before).unwrap(),
        after: build.parse(after).unwrap(),
        documents: &Documents::new(build),
    };
    let mut lines: Vec<_> = judge(&change)
        .unwrap_or_default()
        .iter()
        .map(|judgement| {
            format!(
                "{}: {}",
                judgement.place.join("."),
                words(judgement.directions)
            )
        })
        .collect();
    lines.sort();
    lines.dedup();
    lines
}

fn words(directions: Directions) -> String {
    let words: Vec<_> = directions
        .iter()
        .map(|direction| direction.word())
        .collect();
    words.join(" ")
}

#[test]
fn a_rule_of_a_role_is_the_product_of_its_lists() {
    let role = |rules: &str| format!(r#"{{"metadata": [{{"name": "x"}}], "rule": {rules}}}"#);
    let apart = role(
        r#"[{"api_groups": [""], "resources": ["pods"], "verbs": ["get"]},
            {"api_groups": [""], "resources": ["secrets"], "verbs": ["list"]}]"#,
    );
    let joined = role(
        r#"[{"api_groups": [""], "resources": ["pods", "secrets"], "verbs": ["get", "list"]}]"#,
    );
    assert_eq!(
        judged("kubernetes_role_v1", &apart, &joined),
        ["rule: wider"]
    );
    assert_eq!(
        judged("kubernetes_role_v1", &joined, &apart),
        ["rule: narrower"]
    );
}

#[test]
fn all_forms_of_a_network_policy_have_the_same_direction() {
    let yaml = |ingress: &str| {
        let text = format!(
            "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: a\nspec:\n  podSelector: {{}}\n  policyTypes: [Ingress]\n  ingress: {ingress}\n"
        );
        format!(r#"{{"yaml_body": {}}}"#, serde_json::Value::from(text))
    };
    assert_eq!(
        judged("kubectl_manifest", &yaml("[]"), &yaml("[{}]")),
        ["yaml_body.spec.ingress: wider"]
    );
    let typed = |ingress: &str| {
        format!(
            r#"{{"metadata": [{{"name": "a"}}], "spec": [{{"pod_selector": [{{"match_labels": null}}], "policy_types": ["Ingress"], "ingress": {ingress}, "egress": []}}]}}"#
        )
    };
    assert_eq!(
        judged(
            "kubernetes_network_policy_v1",
            &typed("[]"),
            &typed(r#"[{"from": [], "ports": []}]"#)
        ),
        ["spec.ingress: wider"]
    );
}

/// A small generator of numbers, so that each run tries the same cases.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn some<'s>(&mut self, values: &[&'s str]) -> Vec<&'s str> {
        let first = self.below(values.len());
        let count = 1 + self.below(2);
        (0..count)
            .filter_map(|index| values.get((first + index) % values.len()).copied())
            .collect()
    }
}

/// A rule of a role: groups, resources, names and verbs.
type RoleRule = [Vec<&'static str>; 4];

fn role_rule(random: &mut Random) -> RoleRule {
    let names = if random.below(3) == 0 {
        random.some(&["a", "b"])
    } else {
        Vec::new()
    };
    [
        random.some(&["", "apps", "*"]),
        random.some(&["pods", "pods/exec", "things/scale", "*/scale", "*"]),
        names,
        random.some(&["get", "list", "*"]),
    ]
}

/// Whether a rule allows a request: the plainest reading of the documentation.
fn rule_allows(rule: &RoleRule, [group, resource, name, verb]: [&str; 4]) -> bool {
    let [groups, resources, names, verbs] = rule;
    let part = resource
        .split_once('/')
        .map(|(_, part)| format!("*/{part}"));
    (groups.contains(&"*") || groups.contains(&group))
        && (verbs.contains(&"*") || verbs.contains(&verb))
        && (names.is_empty() || names.contains(&name))
        && resources
            .iter()
            .any(|own| *own == "*" || *own == resource || Some((*own).to_owned()) == part)
}

fn role_of(rules: &[RoleRule]) -> String {
    let rules: Vec<_> = rules
        .iter()
        .map(|[groups, resources, names, verbs]| {
            serde_json::json!({"apiGroups": groups, "resources": resources, "resourceNames": names, "verbs": verbs})
        })
        .collect();
    let object = serde_json::json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "x"}, "rules": rules});
    serde_json::json!({"manifest": object}).to_string()
}

#[test]
fn roles_agree_with_a_plain_evaluator() {
    let mut random = Random(7);
    let mut requests = Vec::new();
    for group in ["", "apps", "other"] {
        for resource in [
            "pods",
            "pods/exec",
            "pods/scale",
            "things/scale",
            "other",
            "other/other",
        ] {
            for name in ["a", "b", "other"] {
                requests.extend(["get", "list", "other"].map(|verb| [group, resource, name, verb]));
            }
        }
    }
    for case in 0..2_000 {
        let before: Vec<_> = (0..1 + random.below(3))
            .map(|_| role_rule(&mut random))
            .collect();
        let mut after = before.clone();
        let index = random.below(after.len());
        if random.below(2) == 0 {
            after.push(role_rule(&mut random));
        } else {
            after[index] = role_rule(&mut random);
        }
        let sides = [&before, &after].map(|rules| {
            requests
                .iter()
                .map(|request| rules.iter().any(|rule| rule_allows(rule, *request)))
                .collect::<Vec<_>>()
        });
        let grew = sides[0].iter().zip(&sides[1]).any(|(was, is)| *is && !was);
        let shrank = sides[0].iter().zip(&sides[1]).any(|(was, is)| *was && !is);
        let expected = match (grew, shrank) {
            (true, true) => "manifest.rules: wider narrower",
            (true, false) => "manifest.rules: wider",
            (false, true) => "manifest.rules: narrower",
            (false, false) => "manifest.rules: same",
        };
        let (before, after) = (role_of(&before), role_of(&after));
        let judged = judged("kubernetes_manifest", &before, &after);
        if before != after {
            assert_eq!(judged, [expected], "case {case}: {before} -> {after}");
        }
    }
}

/// Judges a manifest in YAML before and after, as a document in a string.
fn in_yaml(before: &str, after: &str) -> Vec<String> {
    let body = |text: &str| serde_json::json!({"yaml_body": text}).to_string();
    judged("kubectl_manifest", &body(before), &body(after))
}

#[test]
fn a_pod_is_judged_in_each_workload_and_form() {
    let deployment = |container: &str| {
        format!(
            r#"{{"metadata": [{{"name": "a"}}], "spec": [{{"replicas": "3", "template": [{{"spec": [{{"container": [{container}]}}]}}]}}]}}"#
        )
    };
    let safe = r#"{"name": "c", "readiness_probe": [{"period_seconds": 5}], "security_context": [{"privileged": false}], "resources": [{"limits": {"cpu": "1"}}]}"#;
    let unsafe_ = r#"{"name": "c", "readiness_probe": [], "security_context": [{"privileged": true}], "resources": [{"limits": {"cpu": "2000m"}}]}"#;
    assert_eq!(
        judged(
            "kubernetes_deployment_v1",
            &deployment(safe),
            &deployment(unsafe_)
        ),
        [
            "spec.template.spec.container.readiness_probe: weaker",
            "spec.template.spec.container.resources.limits.cpu: more",
            "spec.template.spec.container.security_context.privileged: wider",
        ]
    );
    let cron = |privileged: &str| {
        format!(
            "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: a}}\nspec:\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          containers:\n          - name: c\n            securityContext: {{privileged: {privileged}}}\n"
        )
    };
    assert_eq!(
        in_yaml(&cron("true"), &cron("false")),
        [
            "yaml_body.spec.jobTemplate.spec.template.spec.containers.securityContext.privileged: narrower"
        ]
    );
}

#[test]
fn guards_are_weaker_when_they_are_lower_and_stronger_when_they_are_higher() {
    let istio = |mode: &str| {
        format!(
            "apiVersion: security.istio.io/v1\nkind: PeerAuthentication\nmetadata: {{name: a}}\nspec:\n  mtls: {{mode: {mode}}}\n"
        )
    };
    assert_eq!(
        in_yaml(&istio("STRICT"), &istio("PERMISSIVE")),
        ["yaml_body.spec.mtls.mode: weaker"]
    );
    assert_eq!(
        in_yaml(&istio("DISABLE"), &istio("STRICT")),
        ["yaml_body.spec.mtls.mode: stronger"]
    );
    let constraint = |action: &str| {
        format!(
            "apiVersion: constraints.gatekeeper.sh/v1beta1\nkind: K8sPSPPrivileged\nmetadata: {{name: a}}\nspec:\n  enforcementAction: {action}\n"
        )
    };
    assert_eq!(
        in_yaml(&constraint("deny"), &constraint("dryrun")),
        ["yaml_body.spec.enforcementAction: weaker"]
    );
    let namespace =
        |labels: &str| format!(r#"{{"metadata": [{{"name": "a", "labels": {labels}}}]}}"#);
    assert_eq!(
        judged(
            "kubernetes_namespace_v1",
            &namespace(r#"{"pod-security.kubernetes.io/enforce": "restricted", "owner": "a"}"#),
            &namespace(r#"{"owner": "b"}"#)
        ),
        [
            "metadata.labels.owner: words",
            "metadata.labels.pod-security.kubernetes.io/enforce: weaker",
        ]
    );
}

#[test]
fn objects_that_go_as_a_whole_do_the_reverse_of_what_they_do_when_they_come() {
    let network_policy = r#"{"metadata": [{"name": "a"}], "spec": [{"pod_selector": [{}], "policy_types": ["Ingress"]}]}"#;
    assert_eq!(
        judged("kubernetes_network_policy_v1", network_policy, "null"),
        [": wider"]
    );
    assert_eq!(
        judged("kubernetes_network_policy_v1", "null", network_policy),
        [": narrower"]
    );
    assert_eq!(
        judged("kubernetes_persistent_volume_claim", "{}", "null"),
        [": loses"]
    );
    let service = r#"{"metadata": [{"name": "a"}], "spec": [{"type": "LoadBalancer"}]}"#;
    assert_eq!(
        judged("kubernetes_service_v1", "null", service),
        [": starts", "spec.type: wider"]
    );
    assert_eq!(
        judged("kubernetes_service_v1", service, "null"),
        [": stops", "spec.type: narrower"]
    );
}

#[test]
fn documents_among_others_are_paired_by_name_and_nothing_of_them_is_left_unsaid() {
    let both = |verbs: &str, data: &str| {
        format!(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {{name: a}}\nrules:\n- {{apiGroups: [\"\"], resources: [pods], verbs: {verbs}}}\n---\napiVersion: x.io/v1\nkind: Other\nmetadata: {{name: b}}\nspec: {{a: {data}}}\n"
        )
    };
    assert_eq!(
        in_yaml(&both("[get]", "1"), &both("[get, list]", "1")),
        ["yaml_body.rules: wider"]
    );
    assert_eq!(
        in_yaml(&both("[get]", "1"), &both("[get]", "2")),
        ["yaml_body: unjudged"]
    );
}

#[test]
fn values_of_charts_are_judged_by_their_last_names() {
    let release = |values: &str, set: &str| {
        serde_json::json!({"chart": "redis", "values": [values], "set": [{"name": "grafana.service.type", "value": set}]}).to_string()
    };
    assert_eq!(
        judged(
            "helm_release",
            &release(
                "master:\n  persistence:\n    enabled: true\nreplica:\n  replicaCount: 3\n",
                "ClusterIP"
            ),
            &release(
                "master:\n  persistence:\n    enabled: false\nreplica:\n  replicaCount: 0\n",
                "LoadBalancer"
            ),
        ),
        [
            "set.[grafana.service.type.value: wider",
            "values.master.persistence.enabled: loses",
            "values.replica.replicaCount: stops less",
        ]
    );
    let addon = |enabled: &str| {
        serde_json::json!({"configuration_values": format!("{{\"enableNetworkPolicy\":\"{enabled}\"}}")}).to_string()
    };
    assert_eq!(
        judged("aws_eks_addon", &addon("true"), &addon("false")),
        ["configuration_values.enableNetworkPolicy: weaker"]
    );
}
