//! Grants of Azure: role assignments and definitions, access policies of vaults, Entra ID.

use super::form::{
    Absent, Form, Part, another, closes, denies, grants, guard, guards, limit, limits, on, opens,
    same, steps, what, who,
};
use super::grant::Purpose::{Grants, Guards, Trusts};
use super::order::{Ladder, Order};

/// The steps of a conditional access policy, from off to enforced.
const STATE: Ladder = &["disabled", "enabledforreportingbutnotenforced", "enabled"];

/// The permissions of a vault; `All` covers the others.
const VAULT: Order = Order::Table(&[("all", &["*"])]);

/// What an access policy of a vault says, inside of the vault.
const VAULT_POLICY: &[Part] = &[
    who("object_id", Order::NoCase),
    who("application_id", Order::NoCase).absent(Absent::Everything),
    on("tenant_id", Order::NoCase),
    what("certificate_permissions", VAULT),
    what("key_permissions", VAULT),
    what("secret_permissions", VAULT),
    what("storage_permissions", VAULT),
];

/// The forms of Azure.
pub(super) const FORMS: &[Form] = &[
    Form::new(
        &["azurerm_role_assignment"],
        Grants,
        &[
            who("principal_id", Order::NoCase),
            what("role_definition_name", Order::AzureRole)
                .twin("role_definition_id")
                .label("role"),
            what("role_definition_id", Order::AzureRole)
                .twin("role_definition_name")
                .label("role"),
            on("scope", Order::AzureScope),
            limit("condition", Order::Text),
            same("condition_version"),
            same("name"),
            same("skip_service_principal_aad_check"),
        ],
    )
    .family("azure_role"),
    Form::new(
        &[
            "azurerm_pim_eligible_role_assignment",
            "azurerm_pim_active_role_assignment",
        ],
        Grants,
        &[
            who("principal_id", Order::NoCase),
            what("role_definition_id", Order::AzureRole).label("role"),
            on("scope", Order::AzureScope),
            limit("condition", Order::Text),
            limit("schedule.expiration.duration_days", Order::AtMost),
            limit("schedule.expiration.duration_hours", Order::AtMost),
            limit("schedule.expiration.end_date_time", Order::Text),
        ],
    )
    .family("azure_role"),
    Form::new(
        &["azurerm_role_management_policy"],
        Guards,
        &[
            limit("activation_rules.maximum_duration", Order::AtMost).purpose(Grants),
            guard("activation_rules.require_approval"),
            guard("activation_rules.require_justification"),
            guard("activation_rules.require_multifactor_authentication"),
            guard("activation_rules.require_ticket_info"),
            guard("active_assignment_rules.require_multifactor_authentication"),
            guard("active_assignment_rules.require_justification"),
            guard("active_assignment_rules.expiration_required"),
            limit("active_assignment_rules.expire_after", Order::AtMost).purpose(Grants),
            guard("eligible_assignment_rules.expiration_required"),
            limit("eligible_assignment_rules.expire_after", Order::AtMost).purpose(Grants),
        ],
    ),
    Form::new(
        &["azurerm_role_definition"],
        Grants,
        &[
            what("permissions.actions", Order::PatternNoCase),
            what("permissions.data_actions", Order::PatternNoCase),
            denies("permissions.not_actions", Order::PatternNoCase),
            denies("permissions.not_data_actions", Order::PatternNoCase),
            on("assignable_scopes", Order::AzureScope),
        ],
    ),
    Form::new(
        &["azurerm_key_vault_access_policy"],
        Grants,
        &[
            who("object_id", Order::NoCase),
            who("application_id", Order::NoCase).absent(Absent::Everything),
            on("tenant_id", Order::NoCase),
            on("key_vault_id", Order::NoCase),
            what("certificate_permissions", VAULT),
            what("key_permissions", VAULT),
            what("secret_permissions", VAULT),
            what("storage_permissions", VAULT),
        ],
    )
    .family("azurerm_key_vault"),
    Form::of_object(
        &["azurerm_key_vault"],
        &[grants("access_policy", VAULT_POLICY)],
    ),
    Form::new(
        &[
            "azurerm_cosmosdb_sql_role_assignment",
            "azurerm_synapse_role_assignment",
            "azurerm_key_vault_managed_hardware_security_module_role_assignment",
            "azurerm_marketplace_role_assignment",
            "azurerm_redis_cache_access_policy_assignment",
            "azurerm_managed_redis_access_policy_assignment",
        ],
        Grants,
        &[
            who("principal_id", Order::NoCase),
            who("object_id", Order::NoCase),
            what("role_definition_id", Order::AzureRole),
            what("role_name", Order::NoCase),
            what("role_definition_name", Order::AzureRole),
            what("access_policy_name", Order::NoCase),
            on("scope", Order::Path),
            on("account_name", Order::NoCase),
        ],
    ),
    Form::new(
        &[
            "azurerm_cosmosdb_sql_role_definition",
            "azurerm_key_vault_managed_hardware_security_module_role_definition",
        ],
        Grants,
        &[
            what("permissions.data_actions", Order::PatternNoCase),
            what("permission.data_actions", Order::PatternNoCase),
            what("permission.actions", Order::PatternNoCase),
            denies("permission.not_actions", Order::PatternNoCase),
            denies("permission.not_data_actions", Order::PatternNoCase),
            on("assignable_scopes", Order::Path),
        ],
    ),
    Form::new(
        &["azurerm_federated_identity_credential"],
        Trusts,
        &[
            who("issuer", Order::Exact),
            who("subject", Order::Exact),
            what("audience", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "azuread_application_federated_identity_credential",
            "azuread_application_flexible_federated_identity_credential",
        ],
        Trusts,
        &[
            who("issuer", Order::Exact),
            who("subject", Order::Exact),
            what("audiences", Order::Exact),
            what("audience", Order::Exact),
            limit("claims_matching_expression", Order::Text),
            on("application_id", Order::NoCase),
        ],
    ),
    Form::new(
        &["azuread_group_member", "azuread_administrative_unit_member"],
        Grants,
        &[
            who("member_object_id", Order::NoCase),
            on("group_object_id", Order::NoCase),
            on("administrative_unit_object_id", Order::NoCase),
        ],
    ),
    Form::of_object(
        &["azuread_group"],
        &[
            who("members", Order::NoCase),
            who("owners", Order::NoCase),
            limit("dynamic_membership.rule", Order::Text).absent(Absent::Nothing),
            opens("assignable_to_role"),
            opens("external_senders_allowed"),
            steps(
                "visibility",
                &["hiddenmembership", "private", "public"],
                "private",
            ),
        ],
    ),
    Form::new(
        &["azuread_app_role_assignment"],
        Grants,
        &[
            who("principal_object_id", Order::NoCase),
            what("app_role_id", Order::NoCase),
            on("resource_object_id", Order::NoCase),
        ],
    ),
    Form::new(
        &[
            "azuread_directory_role_assignment",
            "azuread_directory_role_member",
            "azuread_directory_role_eligibility_schedule_request",
            "azuread_administrative_unit_role_member",
            "azuread_access_package_catalog_role_assignment",
        ],
        Grants,
        &[
            who("principal_object_id", Order::NoCase),
            who("principal_id", Order::NoCase),
            who("member_object_id", Order::NoCase),
            what("role_id", Order::NoCase),
            what("role_definition_id", Order::NoCase),
            what("role_object_id", Order::NoCase),
            on("directory_scope_id", Order::Path),
            on("app_scope_id", Order::Path),
        ],
    ),
    Form::new(
        &[
            "azuread_privileged_access_group_assignment_schedule",
            "azuread_privileged_access_group_eligibility_schedule",
        ],
        Grants,
        &[
            who("principal_id", Order::NoCase),
            on("group_id", Order::NoCase),
            steps("assignment_type", &["member", "owner"], "member"),
            limit("duration", Order::AtMost),
            opens("permanent_assignment"),
        ],
    ),
    Form::new(
        &["azuread_custom_directory_role"],
        Grants,
        &[
            what("permissions.allowed_resource_actions", Order::PatternNoCase),
            opens("enabled"),
        ],
    ),
    Form::new(
        &["azuread_service_principal_delegated_permission_grant"],
        Grants,
        &[
            what("claim_values", Order::NoCase),
            who("user_object_id", Order::NoCase).absent(Absent::Everything),
            who("service_principal_object_id", Order::NoCase),
            on("resource_service_principal_object_id", Order::NoCase),
        ],
    ),
    Form::new(
        &["azuread_application_pre_authorized"],
        Grants,
        &[
            who("authorized_client_id", Order::NoCase),
            what("permission_ids", Order::NoCase),
            on("application_id", Order::NoCase),
        ],
    ),
    Form::new(
        &["azuread_application_api_access"],
        Grants,
        &[
            what("role_ids", Order::NoCase),
            what("scope_ids", Order::NoCase),
            on("api_client_id", Order::NoCase),
        ],
    ),
    Form::new(
        &["azuread_application_owner"],
        Grants,
        &[
            who("owner_object_id", Order::NoCase),
            on("application_id", Order::NoCase),
        ],
    ),
    Form::new(
        &[
            "azuread_application_password",
            "azuread_service_principal_password",
            "azuread_application_certificate",
            "azuread_service_principal_certificate",
        ],
        Grants,
        &[
            on("application_id", Order::NoCase),
            on("service_principal_id", Order::NoCase),
            another("end_date"),
        ],
    )
    .key(),
    Form::of_object(
        &["azuread_application", "azuread_application_registration"],
        &[
            steps(
                "sign_in_audience",
                &[
                    "azureadmyorg",
                    "azureadmultipleorgs",
                    "azureadandpersonalmicrosoftaccount",
                ],
                "azureadmyorg",
            ),
            opens("fallback_public_client_enabled"),
            what("required_resource_access", Order::Exact),
            who("owners", Order::NoCase),
            what("web.redirect_uris", Order::Exact),
            what("single_page_application.redirect_uris", Order::Exact),
            what("public_client.redirect_uris", Order::Exact),
            opens("web.implicit_grant.access_token_issuance_enabled"),
            opens("web.implicit_grant.id_token_issuance_enabled"),
        ],
    ),
    Form::new(
        &["azuread_application_redirect_uris"],
        Grants,
        &[what("redirect_uris", Order::Exact)],
    ),
    Form::of_object(
        &["azuread_service_principal"],
        &[
            closes("app_role_assignment_required"),
            steps("account_enabled", &["false", "true"], "true"),
            who("owners", Order::NoCase),
        ],
    ),
    Form::new(
        &["azuread_conditional_access_policy"],
        Guards,
        &[
            what("state", Order::Steps(STATE)),
            guards(
                "conditions.users.included_users",
                Order::Table(&[("all", &["*"])]),
            ),
            guards("conditions.users.included_groups", Order::NoCase),
            guards("conditions.users.included_roles", Order::NoCase),
            limits("conditions.users.excluded_users", Order::NoCase),
            limits("conditions.users.excluded_groups", Order::NoCase),
            limits("conditions.users.excluded_roles", Order::NoCase),
            guards(
                "conditions.applications.included_applications",
                Order::Table(&[("all", &["*"])]),
            ),
            limits(
                "conditions.applications.excluded_applications",
                Order::NoCase,
            ),
            guards(
                "conditions.locations.included_locations",
                Order::Table(&[("all", &["*"])]),
            ),
            limits("conditions.locations.excluded_locations", Order::NoCase),
            guards(
                "conditions.platforms.included_platforms",
                Order::Table(&[("all", &["*"])]),
            ),
            limits("conditions.platforms.excluded_platforms", Order::NoCase),
            guards(
                "conditions.client_app_types",
                Order::Table(&[("all", &["*"])]),
            ),
            limit("conditions.sign_in_risk_levels", Order::NoCase),
            limit("conditions.user_risk_levels", Order::NoCase),
            guards(
                "grant_controls.built_in_controls",
                Order::Table(&[("block", &["*"])]),
            ),
            steps("grant_controls.operator", &["or", "and"], "or"),
            limit("session_controls.sign_in_frequency", Order::AtMost).purpose(Grants),
            another("grant_controls.authentication_strength_policy_id"),
        ],
    ),
    Form::new(
        &["azurerm_policy_exemption", "azurerm_*_policy_exemption"],
        Grants,
        &[
            on("policy_assignment_id", Order::Exact),
            what("policy_definition_reference_ids", Order::Exact).absent(Absent::Everything),
            limit("expires_on", Order::Text),
            another("exemption_category"),
        ],
    ),
    Form::new(
        &["azurerm_management_lock"],
        Guards,
        &[
            on("scope", Order::AzureScope),
            steps("lock_level", &["cannotdelete", "readonly"], "cannotdelete"),
        ],
    ),
    Form::new(
        &["azurerm_*_policy_assignment"],
        Guards,
        &[
            guard("enforce").absent(Absent::Is("true")),
            limits("not_scopes", Order::AzureScope),
            another("policy_definition_id"),
            another("parameters"),
        ],
    ),
    Form::new(
        &["azurerm_storage_account_local_user"],
        Grants,
        &[
            who("name", Order::Exact),
            grants(
                "permission_scope",
                &[
                    on("service", Order::Exact),
                    on("resource_name", Order::Exact),
                    what("permissions", Order::Exact),
                ],
            ),
            opens("ssh_password_enabled"),
        ],
    ),
];
