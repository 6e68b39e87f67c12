//! Grants of Google Cloud: bindings, members and policies, custom roles, organization policies, perimeters, pools of
//! identities, keys, audit logs.

use super::form::{
    Absent, Form, Part, another, closes, denies, grants, guards, limit, limits, on, opens, same,
    steps, what, who,
};
use super::grant::Purpose::{Denies, Filters, Grants, Guards, Trusts};
use super::order::{Ladder, Order};

/// The condition of a binding; its title and description mean nothing.
const CONDITION: [Part; 3] = [
    limit("condition.expression", Order::Cel),
    same("condition.title"),
    same("condition.description"),
];

/// What a binding of a policy says.
const BINDING: &[Part] = &[
    what("role", Order::GoogleRole),
    who("members", Order::GoogleMember),
    CONDITION[0],
];

/// What an audit configuration covers.
const AUDIT: &[Part] = &[
    what("log_type", Order::Exact),
    limits("exempted_members", Order::Exact),
];

/// The values of an organization policy that let more pass, from the narrowest on.
const ENFORCED: Ladder = &["true", "false"];

/// What an entry of the access list of a dataset says.
const DATASET: &[Part] = &[
    what("role", DATASET_ROLE),
    who("user_by_email", Order::NoCase),
    who("group_by_email", Order::NoCase),
    who("domain", Order::NoCase),
    who("special_group", DATASET_GROUP),
    who("iam_member", Order::GoogleMember),
    who("view", Order::Exact),
    who("dataset", Order::Exact),
    who("routine", Order::Exact),
    limit("condition.expression", Order::Cel),
];

/// The basic roles of datasets. <https://cloud.google.com/bigquery/docs/access-control-basic-roles>
const DATASET_ROLE: Order = Order::Table(&[
    (
        "owner",
        &[
            "writer",
            "reader",
            "roles/bigquery.dataeditor",
            "roles/bigquery.dataviewer",
        ],
    ),
    (
        "roles/bigquery.dataowner",
        &[
            "writer",
            "reader",
            "roles/bigquery.dataeditor",
            "roles/bigquery.dataviewer",
        ],
    ),
    ("writer", &["reader", "roles/bigquery.dataviewer"]),
    (
        "roles/bigquery.dataeditor",
        &["reader", "roles/bigquery.dataviewer"],
    ),
]);

/// The groups of datasets.
const DATASET_GROUP: Order = Order::Table(&[(
    "allauthenticatedusers",
    &["projectowners", "projectwriters", "projectreaders"],
)]);

/// The roles of the access lists of Cloud Storage.
const STORAGE_ROLE: Ladder = &["reader", "writer", "owner"];

/// The identities of a rule of a perimeter, of which the last covers the others.
const IDENTITY: Order = Order::Table(&[("any_identity", &["*"])]);

/// Who may come in through a perimeter, to what.
const INGRESS: &[Part] = &[
    who("ingress_from.identity_type", IDENTITY).label("type"),
    who("ingress_from.identities", Order::GoogleMember).label("identities"),
    on("ingress_from.sources", SOURCE).absent(Absent::Nothing),
    what("ingress_to.operations", OPERATION),
    on("ingress_to.resources", Order::Pattern).absent(Absent::Nothing),
];

/// Who may get out of a perimeter, to what.
const EGRESS: &[Part] = &[
    who("egress_from.identity_type", IDENTITY).label("type"),
    who("egress_from.identities", Order::GoogleMember).label("identities"),
    what("egress_to.operations", OPERATION),
    on("egress_to.resources", Order::Pattern).absent(Absent::Nothing),
    on("egress_to.external_resources", Order::Pattern).absent(Absent::Nothing),
];

/// The sources of a rule of a perimeter, spelled as words.
const SOURCE: Order = Order::Table(&[("access_level=*", &["*"])]);

/// The operations of a rule of a perimeter, spelled as words.
const OPERATION: Order = Order::Table(&[("service_name=*", &["*"])]);

/// The forms of Google Cloud.
pub(super) const FORMS: &[Form] = &[
    Form::new(
        &["google_*_iam_member"],
        Grants,
        &[
            what("role", Order::GoogleRole),
            who("member", Order::GoogleMember).label("members"),
            CONDITION[0],
            CONDITION[1],
            CONDITION[2],
            same("etag"),
        ],
    )
    .family("google_iam")
    .rest_is_where(),
    Form::new(
        &["google_*_iam_binding"],
        Grants,
        &[
            what("role", Order::GoogleRole),
            who("members", Order::GoogleMember),
            CONDITION[0],
            CONDITION[1],
            CONDITION[2],
            same("etag"),
        ],
    )
    .family("google_iam")
    .rest_is_where(),
    Form::new(
        &["google_*_iam_policy"],
        Grants,
        &[
            grants("policy_data.bindings", BINDING),
            grants("policy_data.auditConfigs", AUDIT).purpose(Guards),
            same("etag"),
        ],
    )
    .family("google_iam")
    .rest_is_where(),
    Form::new(
        &["google_*_iam_audit_config"],
        Guards,
        &[
            what("service", Order::Table(&[("allservices", &["*"])])),
            grants("audit_log_config", AUDIT),
            same("etag"),
        ],
    )
    .rest_is_where(),
    Form::new(
        &["google_iam_deny_policy"],
        Denies,
        &[
            on("parent", Order::Exact),
            grants(
                "rules",
                &[
                    who("deny_rule.denied_principals", Order::GoogleMember),
                    what("deny_rule.denied_permissions", Order::Pattern),
                    limits("deny_rule.exception_principals", Order::Exact),
                    limits("deny_rule.exception_permissions", Order::Exact),
                    limit("deny_rule.denial_condition.expression", Order::Cel),
                ],
            ),
        ],
    ),
    Form::new(
        &["google_org_policy_policy"],
        Filters,
        &[
            steps("spec.rules.enforce", ENFORCED, "false"),
            opens("spec.rules.allow_all"),
            closes("spec.rules.deny_all"),
            what("spec.rules.values.allowed_values", Order::Exact).absent(Absent::Everything),
            denies("spec.rules.values.denied_values", Order::Exact),
            another("spec.rules.condition"),
            another("spec.rules.parameters"),
            another("spec.inherit_from_parent"),
            another("spec.reset"),
            another("dry_run_spec"),
        ],
    ),
    Form::new(
        &[
            "google_project_organization_policy",
            "google_folder_organization_policy",
            "google_organization_policy",
        ],
        Filters,
        &[
            steps("boolean_policy.enforced", ENFORCED, "false"),
            opens("list_policy.allow.all"),
            what("list_policy.allow.values", Order::Exact).absent(Absent::Everything),
            closes("list_policy.deny.all"),
            denies("list_policy.deny.values", Order::Exact),
            another("list_policy.inherit_from_parent"),
            another("restore_policy"),
        ],
    ),
    Form::new(
        &["google_access_context_manager_service_perimeter*"],
        Filters,
        &[
            denies("status.restricted_services", Order::Table(&[("*", &["*"])])),
            denies("status.resources", Order::Exact),
            what("status.access_levels", Order::Exact),
            grants("status.ingress_policies", INGRESS),
            grants("status.egress_policies", EGRESS),
            closes("status.vpc_accessible_services.enable_restriction"),
            what(
                "status.vpc_accessible_services.allowed_services",
                Order::Exact,
            )
            .absent(Absent::Everything),
            another("spec"),
            another("use_explicit_dry_run_spec"),
        ],
    ),
    Form::new(
        &["google_access_context_manager_access_level"],
        Grants,
        &[
            grants(
                "basic.conditions",
                &[
                    limit("ip_subnetworks", Order::Network),
                    limit("members", Order::GoogleMember),
                    limit("regions", Order::Exact),
                    limits("required_access_levels", Order::Exact),
                    limit("device_policy", Order::Text),
                    limit("vpc_network_sources", Order::Text),
                    limit("negate", Order::Text),
                ],
            ),
            steps("basic.combining_function", &["and", "or"], "and"),
            limit("custom.expr.expression", Order::Cel),
        ],
    ),
    Form::new(
        &[
            "google_iam_workload_identity_pool_provider",
            "google_iam_workforce_pool_provider",
        ],
        Trusts,
        &[
            limit("attribute_condition", Order::Cel),
            another("attribute_mapping"),
            closes("disabled"),
            who("oidc.issuer_uri", Order::Exact),
            limit("oidc.allowed_audiences", Order::Exact),
            who("aws.account_id", Order::Exact),
            another("saml.idp_metadata_xml"),
            another("oidc.jwks_json"),
            another("x509"),
        ],
    ),
    Form::new(
        &[
            "google_iam_workload_identity_pool",
            "google_iam_workforce_pool",
        ],
        Trusts,
        &[closes("disabled")],
    ),
    Form::new(
        &["google_service_account_key", "google_storage_hmac_key"],
        Grants,
        &[
            who("service_account_id", Order::Exact),
            who("service_account_email", Order::Exact),
            steps("state", &["inactive", "active"], "active"),
        ],
    )
    .key(),
    Form::new(
        &[
            "google_project_iam_custom_role",
            "google_organization_iam_custom_role",
        ],
        Grants,
        &[
            what("permissions", Order::Exact),
            steps(
                "stage",
                &["disabled", "deprecated", "eap", "alpha", "beta", "ga"],
                "ga",
            ),
        ],
    ),
    Form::new(
        &["google_bigquery_dataset_access"],
        Grants,
        &[
            what("role", DATASET_ROLE),
            who("user_by_email", Order::NoCase),
            who("group_by_email", Order::NoCase),
            who("domain", Order::NoCase),
            who("special_group", DATASET_GROUP),
            who("iam_member", Order::GoogleMember),
            who("view", Order::Exact),
            who("dataset", Order::Exact),
            who("routine", Order::Exact),
            limit("condition.expression", Order::Cel),
            on("dataset_id", Order::Exact),
        ],
    )
    .family("google_bigquery_dataset"),
    Form::of_object(&["google_bigquery_dataset"], &[grants("access", DATASET)]),
    Form::new(
        &[
            "google_storage_bucket_access_control",
            "google_storage_default_object_access_control",
            "google_storage_object_access_control",
        ],
        Grants,
        &[
            on("bucket", Order::Exact),
            on("object", Order::Exact),
            who("entity", Order::GoogleMember),
            what("role", Order::Steps(STORAGE_ROLE)),
        ],
    ),
    Form::new(
        &[
            "google_storage_bucket_acl",
            "google_storage_default_object_acl",
            "google_storage_object_acl",
        ],
        Grants,
        &[
            on("bucket", Order::Exact),
            what("role_entity", Order::Exact),
            steps(
                "predefined_acl",
                &[
                    "private",
                    "projectprivate",
                    "authenticatedread",
                    "publicread",
                    "publicreadwrite",
                ],
                "private",
            ),
        ],
    ),
    Form::new(
        &["google_privileged_access_manager_entitlement"],
        Grants,
        &[
            who("eligible_users.principals", Order::GoogleMember),
            what(
                "privileged_access.gcp_iam_access.role_bindings",
                Order::Exact,
            ),
            on("privileged_access.gcp_iam_access.resource", Order::Exact),
            limit("max_request_duration", Order::AtMost),
            guards("approval_workflow.manual_approvals.steps", Order::Exact),
        ],
    ),
    Form::new(
        &["google_sql_user", "google_alloydb_user"],
        Grants,
        &[
            who("name", Order::Exact),
            what("database_roles", Order::Exact),
            who("host", Order::Pattern).absent(Absent::Everything),
            another("type"),
            another("user_type"),
        ],
    ),
];
