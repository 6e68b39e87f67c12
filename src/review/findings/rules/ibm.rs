//! Rules for IBM Cloud.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("ibm_database|ibm_cloudant", "database").show("name|plan|service"),
    lost("ibm_cos_bucket", "bucket").show("bucket_name|force_delete"),
    lost("ibm_is_volume|ibm_is_share", "volume").show("name|capacity|size"),
    lost("ibm_is_snapshot", "snapshot").show("name"),
    lost("ibm_kms_key|ibm_kms_key_rings|ibm_hpcs_managed_key", "key").show("key_name|force_delete"),
    lost("ibm_container_cluster|ibm_container_vpc_cluster", "cluster").show("name"),
    lost("ibm_resource_instance", "service")
        .show("name|service|plan")
        .level(Warning),
    lost("ibm_sm_arbitrary_secret|ibm_sm_kv_secret", "secret").show("name"),
    // Who may reach or do more.
    exposure("ibm_is_security_group_rule", "remote", AnySource)
        .only_if(&[Needs("direction", "inbound")]),
    exposure("ibm_is_network_acl", "rules[*].source", AnySource)
        .level(Warning)
        .only_if(&[Needs("action", "allow"), Needs("direction", "inbound")]),
    exposure("ibm_is_network_acl_rule", "source", AnySource)
        .level(Warning)
        .only_if(&[Needs("action", "allow"), Needs("direction", "inbound")]),
    exposure("ibm_database", "allowlist[*].address", AnySource).serves(Class::Database),
    exposure(
        "ibm_database",
        "service_endpoints",
        order("public|public-and-private|private"),
    )
    .unless_created(),
    exposure(
        "ibm_container_vpc_cluster",
        "disable_public_service_endpoint",
        Off,
    )
    .unless_created(),
    exposure("ibm_container_cluster", "public_service_endpoint", On).unless_created(),
    exposure(
        "ibm_iam_access_group_policy|ibm_iam_user_policy|ibm_iam_service_policy|\
         ibm_iam_trusted_profile_policy|ibm_iam_authorization_policy",
        "roles[*]",
        There,
    )
    .levels(&[
        ("Administrator", Warning),
        ("Editor", Warning),
        ("Manager", Warning),
        ("Operator", Notice),
        ("Reader", Notice),
        ("Viewer", Notice),
        ("Writer", Warning),
    ]),
    exposure("ibm_iam_access_group_members", "ibm_ids[*]", There)
        .what("a member of a group")
        .level(Notice),
    exposure("ibm_iam_access_group_members", "iam_service_ids[*]", There)
        .what("a member of a group")
        .level(Notice),
    // What guards, records or backs up.
    protection("ibm_cos_bucket", "object_versioning[*].enable", Off).level(Critical),
    protection("ibm_cos_bucket", "activity_tracking[*]", Gone),
    protection("ibm_cos_bucket|ibm_kms_key", "force_delete", On),
    protection(
        "ibm_database|ibm_cos_bucket|ibm_is_volume",
        "key_protect_key",
        Gone,
    ),
    protection("ibm_is_flow_log", "active", Off),
    unguarded(
        "ibm_is_flow_log|ibm_atracker_target|ibm_atracker_route|ibm_is_backup_policy|\
         ibm_is_backup_policy_plan",
    ),
    protection(
        "ibm_iam_account_settings",
        "mfa",
        order("NONE|NONE_NO_ROPC|TOTP|TOTP4ALL|LEVEL1|LEVEL2|LEVEL3"),
    ),
    // What serves requests.
    // Machines that stop for another size or configuration.
    downtime("ibm_is_instance", "profile", Changed)
        .what("the machine stops and starts, now")
        .in_place(),
    interrupted(
        "ibm_is_instance|ibm_is_lb|ibm_is_lb_listener|ibm_is_lb_pool|ibm_is_public_gateway|\
         ibm_is_vpn_gateway|ibm_container_vpc_worker_pool|ibm_code_engine_app|\
         ibm_cis_dns_record|ibm_dns_resource_record",
    )
    .named("ibm_*.service"),
];
