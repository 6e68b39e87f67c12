//! Grants of other services: HCP Terraform, Datadog, PagerDuty, Grafana, Vault's identities, Sentry, New Relic.

use super::form::{
    Absent, Form, another, closes, grants, limit, on, opens, same, steps, what, who,
};
use super::grant::Purpose::Grants;
use super::order::Order;

/// The access of a team to a workspace.
/// <https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/permissions>
const TFE_ACCESS: Order = Order::Steps(&["read", "plan", "write", "admin"]);

/// The access of a team to a project.
const TFE_PROJECT: Order = Order::Steps(&["read", "write", "maintain", "admin"]);

/// The permissions of Grafana.
const GRAFANA: Order = Order::Steps(&["none", "view", "viewer", "edit", "editor", "admin"]);

/// The roles of PagerDuty. <https://support.pagerduty.com/main/docs/user-roles>
const PAGERDUTY: Order = Order::Steps(&[
    "restricted_access",
    "read_only_user",
    "read_only_limited_user",
    "observer",
    "limited_user",
    "responder",
    "user",
    "manager",
    "admin",
    "owner",
]);

/// The forms of other services.
pub(super) const FORMS: &[Form] = &[
    Form::new(
        &["tfe_team_access"],
        Grants,
        &[
            who("team_id", Order::Exact),
            on("workspace_id", Order::Exact),
            what("access", TFE_ACCESS),
            steps("permissions.runs", &["read", "plan", "apply"], "read"),
            steps("permissions.variables", &["none", "read", "write"], "none"),
            steps(
                "permissions.state_versions",
                &["none", "read-outputs", "read", "write"],
                "none",
            ),
            steps("permissions.sentinel_mocks", &["none", "read"], "none"),
            opens("permissions.workspace_locking"),
            opens("permissions.run_tasks"),
        ],
    ),
    Form::new(
        &["tfe_team_project_access"],
        Grants,
        &[
            who("team_id", Order::Exact),
            on("project_id", Order::Exact),
            what("access", TFE_PROJECT),
            steps(
                "project_access.settings",
                &["read", "update", "delete"],
                "read",
            ),
            steps("project_access.teams", &["none", "read", "manage"], "none"),
            steps("workspace_access.runs", &["read", "plan", "apply"], "read"),
            steps(
                "workspace_access.variables",
                &["none", "read", "write"],
                "none",
            ),
            steps(
                "workspace_access.state_versions",
                &["none", "read-outputs", "read", "write"],
                "none",
            ),
            steps("workspace_access.sentinel_mocks", &["none", "read"], "none"),
            opens("workspace_access.create"),
            opens("workspace_access.delete"),
            opens("workspace_access.move"),
            opens("workspace_access.locking"),
            opens("workspace_access.run_tasks"),
        ],
    ),
    Form::new(
        &[
            "tfe_team_member",
            "tfe_team_members",
            "tfe_team_organization_member*",
            "tfe_organization_membership",
        ],
        Grants,
        &[
            who("username", Order::NoCase),
            who("usernames", Order::NoCase),
            who("organization_membership_id", Order::Exact),
            who("organization_membership_ids", Order::Exact),
            who("email", Order::NoCase),
            on("team_id", Order::Exact),
            on("organization", Order::Exact),
        ],
    ),
    Form::of_object(
        &["tfe_team"],
        &[
            opens("organization_access.manage_policies"),
            opens("organization_access.manage_policy_overrides"),
            opens("organization_access.manage_workspaces"),
            opens("organization_access.manage_vcs_settings"),
            opens("organization_access.manage_providers"),
            opens("organization_access.manage_modules"),
            opens("organization_access.manage_run_tasks"),
            opens("organization_access.manage_projects"),
            opens("organization_access.read_projects"),
            opens("organization_access.read_workspaces"),
            opens("organization_access.manage_membership"),
            opens("organization_access.manage_teams"),
            opens("organization_access.manage_organization_access"),
            opens("organization_access.access_secret_teams"),
            opens("allow_member_token_management"),
            steps("visibility", &["secret", "organization"], "secret"),
        ],
    ),
    Form::new(
        &[
            "tfe_team_token",
            "tfe_organization_token",
            "tfe_agent_token",
            "tfe_audit_trail_token",
        ],
        Grants,
        &[
            who("team_id", Order::Exact),
            who("organization", Order::Exact),
            who("agent_pool_id", Order::Exact),
            limit("expired_at", Order::Text),
        ],
    )
    .key(),
    Form::new(
        &["tfe_workspace_settings"],
        Grants,
        &[
            opens("global_remote_state"),
            who("remote_state_consumer_ids", Order::Exact),
            opens("auto_apply"),
            another("execution_mode"),
            another("agent_pool_id"),
        ],
    ),
    Form::new(
        &["datadog_role"],
        Grants,
        &[grants("permission", &[what("id", Order::Exact)])],
    ),
    Form::new(
        &["datadog_user_role", "datadog_team_membership"],
        Grants,
        &[
            who("user_id", Order::Exact),
            what("role_id", Order::Exact),
            on("team_id", Order::Exact),
            steps("role", &["member", "admin"], "member"),
        ],
    ),
    Form::of_object(
        &["datadog_user", "datadog_service_account"],
        &[what("roles", Order::Exact), closes("disabled")],
    ),
    Form::new(
        &["datadog_restriction_policy"],
        Grants,
        &[
            on("resource_id", Order::Exact),
            grants(
                "bindings",
                &[
                    who("principals", Order::Exact),
                    what("relation", Order::Steps(&["viewer", "processor", "editor"])),
                ],
            ),
        ],
    ),
    Form::new(
        &["datadog_team_permission_setting"],
        Grants,
        &[
            steps(
                "value",
                &["admins", "members", "organization", "user_access_manage"],
                "members",
            ),
            on("action", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "datadog_api_key",
            "datadog_application_key",
            "datadog_service_account_application_key",
        ],
        Grants,
        &[
            what("scopes", Order::Exact).absent(Absent::Everything),
            same("name"),
        ],
    ),
    Form::new(
        &["datadog_ip_allowlist"],
        Grants,
        &[who("entry", Order::Network), closes("enabled")],
    ),
    Form::of_object(
        &["pagerduty_user"],
        &[what("role", PAGERDUTY).absent(Absent::Is("user"))],
    ),
    Form::new(
        &["pagerduty_team_membership"],
        Grants,
        &[
            who("user_id", Order::Exact),
            on("team_id", Order::Exact),
            what("role", PAGERDUTY).absent(Absent::Is("manager")),
        ],
    ),
    Form::new(
        &[
            "grafana_folder_permission",
            "grafana_dashboard_permission",
            "grafana_data_source_permission",
            "grafana_service_account_permission",
        ],
        Grants,
        &[grants(
            "permissions",
            &[
                who("role", GRAFANA),
                who("team_id", Order::Exact),
                who("user_id", Order::Exact),
                what("permission", GRAFANA),
            ],
        )],
    )
    .rest_is_where(),
    Form::new(
        &["grafana_*_permission_item"],
        Grants,
        &[
            who("role", GRAFANA),
            who("team", Order::Exact),
            who("user", Order::Exact),
            what("permission", GRAFANA),
        ],
    )
    .rest_is_where(),
    Form::new(
        &["grafana_role"],
        Grants,
        &[grants(
            "permissions",
            &[what("action", Order::Pattern), on("scope", Order::Pattern)],
        )],
    ),
    Form::new(
        &["grafana_role_assignment", "grafana_role_assignment_item"],
        Grants,
        &[
            who("users", Order::Exact),
            who("teams", Order::Exact),
            who("service_accounts", Order::Exact),
            who("user_id", Order::Exact),
            who("team_id", Order::Exact),
            who("service_account_id", Order::Exact),
            what("role_uid", Order::Exact),
        ],
    ),
    Form::new(
        &["grafana_organization", "grafana_team"],
        Grants,
        &[
            who("admins", Order::NoCase),
            who("editors", Order::NoCase),
            who("viewers", Order::NoCase),
            who("members", Order::NoCase),
        ],
    ),
    Form::new(
        &["grafana_service_account"],
        Grants,
        &[what("role", GRAFANA), closes("is_disabled")],
    ),
    Form::new(
        &[
            "grafana_service_account_token",
            "grafana_api_key",
            "grafana_cloud_access_policy_token",
        ],
        Grants,
        &[
            who("service_account_id", Order::Exact),
            what("role", GRAFANA),
            limit("seconds_to_live", Order::AtMost),
            limit("expires_at", Order::Text),
        ],
    )
    .key(),
    Form::new(
        &["grafana_cloud_access_policy"],
        Grants,
        &[
            what("scopes", Order::Exact),
            grants(
                "realm",
                &[
                    on("identifier", Order::Exact),
                    limit("label_policy", Order::Text),
                ],
            ),
            limit("conditions.allowed_subnets", Order::Network),
        ],
    ),
    Form::new(
        &[
            "vault_identity_group_member_*",
            "vault_identity_group_policies",
            "vault_identity_entity_policies",
        ],
        Grants,
        &[
            who("member_entity_ids", Order::Exact),
            who("member_group_ids", Order::Exact),
            what("policies", Order::Exact),
            on("group_id", Order::Exact),
            on("entity_id", Order::Exact),
        ],
    ),
    Form::of_object(
        &["vault_identity_group", "vault_identity_entity"],
        &[
            what("policies", Order::Exact),
            who("member_entity_ids", Order::Exact),
            who("member_group_ids", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "vault_kubernetes_auth_backend_role",
            "vault_jwt_auth_backend_role",
            "vault_aws_auth_backend_role",
            "vault_gcp_auth_backend_role",
            "vault_azure_auth_backend_role",
            "vault_approle_auth_backend_role",
            "vault_cert_auth_backend_role",
            "vault_token_auth_backend_role",
            "vault_ldap_auth_backend_group",
            "vault_ldap_auth_backend_user",
            "vault_github_team",
            "vault_github_user",
            "vault_okta_auth_backend_group",
            "vault_okta_auth_backend_user",
        ],
        Grants,
        &[
            what("token_policies", Order::Exact),
            what("policies", Order::Exact),
            what("allowed_policies", Order::Exact),
            what("allowed_policies_glob", Order::Pattern),
            opens("orphan"),
            limit("bound_service_account_names", Order::Pattern),
            limit("bound_service_account_namespaces", Order::Pattern),
            limit("bound_audiences", Order::Exact),
            limit("bound_subject", Order::Exact),
            limit("bound_claims", Order::Text),
            limit("bound_cidr_list", Order::Network),
            limit("token_bound_cidrs", Order::Network),
            limit("secret_id_bound_cidrs", Order::Network),
            closes("bind_secret_id").absent(Absent::Is("true")),
            limit("bound_account_ids", Order::Exact),
            limit("bound_ami_ids", Order::Exact),
            limit("bound_iam_principal_arns", Order::Pattern),
            limit("bound_iam_role_arns", Order::Pattern),
            limit("bound_projects", Order::Exact),
            limit("bound_service_accounts", Order::Exact),
            limit("bound_subscription_ids", Order::Exact),
            limit("bound_resource_groups", Order::Exact),
            limit("allowed_common_names", Order::Pattern),
            limit("allowed_organizational_units", Order::Pattern),
            limit("token_ttl", Order::AtMost),
            limit("token_max_ttl", Order::AtMost),
            limit("token_explicit_max_ttl", Order::AtMost),
            limit("token_num_uses", Order::AtMost),
            limit("secret_id_num_uses", Order::AtMost),
            limit("secret_id_ttl", Order::AtMost),
            another("token_period"),
            another("token_type"),
            another("user_claim"),
            another("groups_claim"),
        ],
    ),
    Form::new(
        &[
            "consul_acl_binding_rule",
            "consul_acl_token*",
            "consul_acl_role*",
            "nomad_acl_*",
        ],
        Grants,
        &[
            what("policies", Order::Exact),
            what("policy", Order::Exact),
            what("roles", Order::Exact),
            what("role", Order::Exact),
            what("bind_name", Order::Text),
            limit("selector", Order::Text),
            steps("type", &["client", "management"], "client"),
            opens("global"),
            limit("expiration_time", Order::Text),
            limit("expiration_ttl", Order::AtMost),
        ],
    ),
    Form::new(
        &["sentry_team_member", "sentry_organization_member"],
        Grants,
        &[
            who("member_id", Order::Exact),
            who("email", Order::NoCase),
            on("team", Order::Exact),
            what(
                "role",
                Order::Steps(&[
                    "billing",
                    "member",
                    "contributor",
                    "admin",
                    "manager",
                    "owner",
                ]),
            ),
        ],
    ),
    Form::new(
        &[
            "digitalocean_ssh_key",
            "hcloud_ssh_key",
            "linode_sshkey",
            "scaleway_iam_ssh_key",
        ],
        Grants,
        &[
            who("public_key", Order::Exact),
            who("ssh_key", Order::Exact),
            same("name"),
        ],
    ),
    Form::new(
        &["scaleway_iam_policy"],
        Grants,
        &[
            who("user_id", Order::Exact),
            who("group_id", Order::Exact),
            who("application_id", Order::Exact),
            opens("no_principal"),
            grants(
                "rule",
                &[
                    what(
                        "permission_set_names",
                        Order::Table(&[("allproductsfullaccess", &["*"])]),
                    ),
                    on("project_ids", Order::Exact),
                    on("organization_id", Order::Exact),
                    limit("condition", Order::Cel),
                ],
            ),
        ],
    ),
    Form::new(
        &["scaleway_iam_group_membership", "scaleway_iam_api_key"],
        Grants,
        &[
            who("user_id", Order::Exact),
            who("application_id", Order::Exact),
            on("group_id", Order::Exact),
            limit("expires_at", Order::Text),
        ],
    ),
    Form::new(
        &["yandex_*_iam_member", "yandex_*_iam_binding"],
        Grants,
        &[
            what(
                "role",
                Order::Table(&[
                    ("admin", &["editor", "viewer", "auditor"]),
                    ("editor", &["viewer", "auditor"]),
                    ("viewer", &["auditor"]),
                ]),
            ),
            who("member", YANDEX).label("members"),
            who("members", YANDEX),
            same("sleep_after"),
        ],
    )
    .family("yandex_iam")
    .rest_is_where(),
];

/// The members of Yandex Cloud.
const YANDEX: Order = Order::Table(&[
    ("system:allusers", &["*"]),
    ("system:allauthenticatedusers", &["*"]),
]);
