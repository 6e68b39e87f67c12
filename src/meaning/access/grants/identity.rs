//! Grants of identity providers and of access in front of applications: Okta, Auth0, Cloudflare Access, Tailscale.

use super::form::{
    Absent, Form, Part, another, closes, grants, guard, guards, limit, limits, on, opens, same,
    steps, what, who,
};
use super::grant::Purpose::{Filters, Grants, Guards, Trusts};
use super::order::Order;

/// What a rule of sign-on asks for.
const SIGN_ON: &[Part] = &[
    guards("factor_mode", Order::Steps(&["1fa", "2fa"])),
    guards("mfa_required", Order::Steps(&["false", "true"])).absent(Absent::Is("false")),
    guards("access", Order::Steps(&["allow", "challenge", "deny"])),
    guards("type", Order::Text),
    guards("re_authentication_frequency", Order::AtLeast),
    guards("inactivity_period", Order::AtLeast),
    guards("session_lifetime", Order::AtLeast),
    guards("session_idle", Order::AtLeast),
    guards("mfa_lifetime", Order::AtLeast),
    guards("mfa_prompt", Order::Steps(&["device", "session", "always"])),
    closes("mfa_remember_device"),
    closes("session_persistent"),
    guards("constraints", Order::Text),
    guards("status", Order::Steps(&["inactive", "active"])).absent(Absent::Is("active")),
    another("network_connection"),
    another("network_includes"),
    another("network_excludes"),
    another("platform_include"),
    another("risk_score"),
    another("custom_expression"),
    limits("groups_excluded", Order::Exact),
    limits("users_excluded", Order::Exact),
    guards("groups_included", Order::Exact).absent(Absent::Everything),
    guards("users_included", Order::Exact).absent(Absent::Everything),
];

/// What Cloudflare Access decides, from the strictest on.
/// <https://developers.cloudflare.com/cloudflare-one/policies/access/#actions>
const DECISION: Part = steps(
    "decision",
    &["deny", "allow", "non_identity", "bypass"],
    "deny",
);

/// The forms of identity providers.
pub(super) const FORMS: &[Form] = &[
    Form::new(
        &[
            "okta_app_signon_policy_rule",
            "okta_policy_rule_signon",
            "okta_policy_rule_mfa",
            "okta_policy_rule_idp_discovery",
        ],
        Guards,
        SIGN_ON,
    ),
    Form::new(
        &[
            "okta_app_user",
            "okta_app_group_assignment",
            "okta_app_group_assignments",
            "okta_group_memberships",
            "okta_user_group_memberships",
            "okta_app_access_policy_assignment",
        ],
        Grants,
        &[
            who("user_id", Order::Exact),
            who("group_id", Order::Exact),
            who("users", Order::Exact),
            what("groups", Order::Exact),
            who("group", Order::Exact),
            on("app_id", Order::Exact),
            another("priority"),
            another("profile"),
        ],
    ),
    Form::new(
        &[
            "okta_user_admin_roles",
            "okta_group_role",
            "okta_admin_role_custom_assignments",
            "okta_admin_role_custom",
            "okta_app_oauth_role_assignment",
            "okta_resource_set",
            "okta_role_subscription",
        ],
        Grants,
        &[
            who("user_id", Order::Exact),
            who("group_id", Order::Exact),
            who("client_id", Order::Exact),
            who("members", Order::Exact),
            what("admin_roles", OKTA_ADMIN),
            what("role_type", OKTA_ADMIN),
            what("type", OKTA_ADMIN),
            what("custom_role_id", Order::Exact),
            what("permissions", Order::Exact),
            what("resources", Order::Exact),
            on("target_app_list", Order::Exact),
            on("target_group_list", Order::Exact),
            on("resource_set_id", Order::Exact),
        ],
    ),
    Form::of_object(
        &["okta_user"],
        &[
            what("admin_roles", OKTA_ADMIN),
            what("group_memberships", Order::Exact),
        ],
    ),
    Form::of_object(
        &["okta_app_oauth"],
        &[
            what("grant_types", Order::Exact),
            what("redirect_uris", Order::Exact),
            what("post_logout_redirect_uris", Order::Exact),
            what("response_types", Order::Exact),
            closes("pkce_required"),
            steps(
                "token_endpoint_auth_method",
                &[
                    "private_key_jwt",
                    "client_secret_jwt",
                    "client_secret_post",
                    "client_secret_basic",
                    "none",
                ],
                "client_secret_basic",
            ),
            opens("wildcard_redirect").absent(Absent::Is("disabled")),
            opens("implicit_assignment"),
            steps("consent_method", &["required", "trusted"], "trusted"),
        ],
    ),
    Form::new(
        &["okta_app_oauth_api_scope", "okta_auth_server_scope"],
        Grants,
        &[
            what("scopes", Order::Exact),
            what("name", Order::Exact),
            on("app_id", Order::Exact),
            on("auth_server_id", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "okta_app_oauth_redirect_uri",
            "okta_app_oauth_post_logout_redirect_uri",
        ],
        Grants,
        &[what("uri", Order::Exact), on("app_id", Order::Exact)],
    ),
    Form::new(
        &["okta_auth_server_policy", "okta_auth_server_policy_rule"],
        Grants,
        &[
            who("client_whitelist", Order::Table(&[("all_clients", &["*"])])),
            what("scope_whitelist", Order::Table(&[("*", &["*"])])),
            what("grant_type_whitelist", Order::Exact),
            who("group_whitelist", Order::Table(&[("everyone", &["*"])])),
            who("user_whitelist", Order::Exact),
            limits("group_blacklist", Order::Exact),
            limits("user_blacklist", Order::Exact),
            limit("access_token_lifetime_minutes", Order::AtMost),
            limit("refresh_token_lifetime_minutes", Order::AtMost),
            limit("refresh_token_window_minutes", Order::AtMost),
            opens_status("status"),
        ],
    ),
    Form::new(
        &["okta_policy_password*"],
        Guards,
        &[
            number("password_min_length"),
            number("password_history_count"),
            number("password_min_age_minutes"),
            guards("password_max_age_days", Order::AtLeast),
            guards("password_max_lockout_attempts", Order::AtLeast),
            number("password_auto_unlock_minutes"),
            number("password_min_lowercase"),
            number("password_min_uppercase"),
            number("password_min_number"),
            number("password_min_symbol"),
            guard("password_exclude_username"),
            guard("password_dictionary_lookup"),
            guards("status", Order::Steps(&["inactive", "active"])).absent(Absent::Is("active")),
        ],
    ),
    Form::new(
        &["okta_network_zone"],
        Grants,
        &[
            who("gateways", Order::Network),
            who("proxies", Order::Network),
            who("dynamic_locations", Order::Exact),
            who("asns", Order::Exact),
            another("usage"),
            opens_status("status"),
        ],
    ),
    Form::new(
        &["okta_trusted_origin"],
        Trusts,
        &[
            who("origin", Order::Exact),
            what("scopes", Order::NoCase),
            opens("active").absent(Absent::Is("true")),
            same("name"),
        ],
    ),
    Form::new(
        &["okta_threat_insight_settings"],
        Guards,
        &[
            guards("action", Order::Steps(&["none", "audit", "block"])),
            limits("network_excludes", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "auth0_user_roles",
            "auth0_user_role",
            "auth0_user_permission",
            "auth0_user_permissions",
            "auth0_role_permission",
            "auth0_role_permissions",
            "auth0_client_grant",
            "auth0_organization_member*",
            "auth0_organization_connection*",
            "auth0_connection_client*",
        ],
        Grants,
        &[
            who("user_id", Order::Exact),
            who("client_id", Order::Exact),
            who("members", Order::Exact),
            who("enabled_clients", Order::Exact),
            what("roles", Order::Exact),
            what("role_id", Order::Exact),
            what("permission", Order::Exact),
            what("permissions", Order::Exact),
            what("scopes", Order::Exact),
            what("scope", Order::Exact),
            on("audience", Order::Exact),
            on("resource_server_identifier", Order::Exact),
            on("organization_id", Order::Exact),
            on("connection_id", Order::Exact),
        ],
    ),
    Form::of_object(
        &["auth0_client"],
        &[
            what("callbacks", Order::Pattern),
            what("allowed_logout_urls", Order::Pattern),
            what("allowed_origins", Order::Pattern),
            what("web_origins", Order::Pattern),
            what("grant_types", Order::Exact),
            opens("cross_origin_auth"),
            closes("oidc_conformant"),
        ],
    ),
    Form::of_object(
        &["auth0_resource_server"],
        &[
            opens("allow_offline_access"),
            closes("enforce_policies"),
            opens("skip_consent_for_verifiable_first_party_clients"),
            limit("token_lifetime", Order::AtMost),
            limit("token_lifetime_for_web", Order::AtMost),
        ],
    ),
    Form::new(
        &[
            "cloudflare_zero_trust_access_policy",
            "cloudflare_access_policy",
        ],
        Grants,
        &[
            DECISION,
            who("include", Order::AccessRule),
            limits("require", Order::AccessRule),
            limits("exclude", Order::Exact),
            closes("approval_required"),
            closes("isolation_required"),
            closes("purpose_justification_required"),
            limit("session_duration", Order::AtMost),
            another("precedence"),
            another("approval_groups"),
            on("application_id", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "cloudflare_zero_trust_access_group",
            "cloudflare_access_group",
        ],
        Grants,
        &[
            who("include", Order::AccessRule),
            limits("require", Order::AccessRule),
            limits("exclude", Order::Exact),
            opens("is_default"),
        ],
    ),
    Form::of_object(
        &[
            "cloudflare_zero_trust_access_application",
            "cloudflare_access_application",
        ],
        &[
            limit("allowed_idps", Order::Exact),
            limit("session_duration", Order::AtMost),
            opens("options_preflight_bypass"),
            opens("allow_authenticate_via_warp"),
            opens("skip_interstitial"),
            guard("http_only_cookie_attribute"),
            guard("enable_binding_cookie"),
            what("cors_headers.allowed_origins", Order::Pattern),
            opens("cors_headers.allow_all_origins"),
            opens("cors_headers.allow_all_methods"),
            opens("cors_headers.allow_all_headers"),
            opens("cors_headers.allow_credentials"),
            guards("self_hosted_domains", Order::Pattern),
            grants(
                "policies",
                &[
                    DECISION,
                    who("include", Order::AccessRule),
                    limits("require", Order::AccessRule),
                    limits("exclude", Order::Exact),
                    on("id", Order::Exact),
                ],
            ),
        ],
    ),
    Form::new(
        &[
            "cloudflare_zero_trust_access_service_token",
            "cloudflare_access_service_token",
            "cloudflare_access_ca_certificate",
        ],
        Grants,
        &[limit("duration", Order::AtMost), same("name")],
    ),
    Form::new(
        &["cloudflare_account_member"],
        Grants,
        &[
            who("email", Order::NoCase),
            who("email_address", Order::NoCase),
            what("roles", Order::Exact),
            what("role_ids", Order::Exact),
            what("policies", Order::Exact),
            another("status"),
        ],
    ),
    Form::new(
        &["cloudflare_api_token", "cloudflare_account_token"],
        Grants,
        &[
            grants(
                "policies",
                &[
                    what("permission_groups", Order::Exact),
                    on("resources", Order::Exact),
                    another("effect"),
                ],
            ),
            grants(
                "policy",
                &[
                    what("permission_groups", Order::Exact),
                    on("resources", Order::Exact),
                ],
            ),
            limit("condition.request_ip.in", Order::Network),
            limits("condition.request_ip.not_in", Order::Network),
            limit("expires_on", Order::Text),
            limit("not_before", Order::Text),
            steps("status", &["expired", "disabled", "active"], "active"),
        ],
    )
    .key(),
    Form::new(
        &["tailscale_acl"],
        Grants,
        &[
            grants(
                "acl.acls",
                &[
                    who("src", TAILSCALE),
                    on("dst", TAILSCALE_TARGET),
                    what("proto", Order::Exact).absent(Absent::Everything),
                    limits("srcPosture", Order::Exact),
                ],
            ),
            grants(
                "acl.grants",
                &[
                    who("src", TAILSCALE),
                    on("dst", TAILSCALE_TARGET),
                    what("ip", TAILSCALE),
                    what("app", Order::Text),
                    limits("srcPosture", Order::Exact),
                ],
            ),
            grants(
                "acl.ssh",
                &[
                    steps("action", &["check", "accept"], "accept"),
                    who("src", TAILSCALE),
                    on("dst", TAILSCALE_TARGET),
                    what("users", Order::Exact),
                    limit("checkPeriod", Order::AtMost),
                ],
            ),
            another("acl.groups"),
            another("acl.hosts"),
            another("acl.tagOwners"),
            another("acl.autoApprovers"),
            another("acl.nodeAttrs"),
            another("acl.postures"),
            same("acl.tests"),
            same("acl.sshTests"),
        ],
    ),
    Form::new(
        &["tailscale_tailnet_key"],
        Grants,
        &[
            opens("reusable"),
            opens("ephemeral"),
            opens("preauthorized"),
            limit("expiry", Order::AtMost),
            limit("tags", Order::Exact),
        ],
    )
    .key(),
    Form::new(
        &["tailscale_device_authorization"],
        Grants,
        &[who("device_id", Order::Exact), opens("authorized")],
    ),
    Form::new(
        &["tailscale_device_subnet_routes"],
        Grants,
        &[
            on("routes", Order::Network).absent(Absent::Nothing),
            who("device_id", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "keycloak_user_roles",
            "keycloak_group_roles",
            "keycloak_user_groups",
            "keycloak_group_memberships",
        ],
        Grants,
        &[
            who("user_id", Order::Exact),
            who("members", Order::Exact),
            on("group_id", Order::Exact),
            what("role_ids", Order::Exact),
            what("group_ids", Order::Exact),
            on("realm_id", Order::Exact),
        ],
    ),
    Form::of_object(
        &["keycloak_openid_client"],
        &[
            what("valid_redirect_uris", Order::Pattern),
            what("web_origins", Order::Pattern),
            steps(
                "access_type",
                &["bearer-only", "confidential", "public"],
                "confidential",
            ),
            opens("implicit_flow_enabled"),
            opens("direct_access_grants_enabled"),
            opens("service_accounts_enabled"),
            opens("full_scope_allowed").absent(Absent::Is("true")),
        ],
    ),
    Form::new(
        &["teleport_role", "boundary_role", "boundary_managed_group"],
        Grants,
        &[
            what("grant_strings", Order::Text),
            who("principal_ids", Order::Exact),
            on("grant_scope_ids", Order::Exact),
            limit("filter", Order::Text),
            limit("spec.allow", Order::Text),
            limit("spec.deny", Order::Text),
            limit("spec.options", Order::Text),
        ],
    ),
    Form::new(
        &[
            "okta_app_signon_policy",
            "okta_policy_signon",
            "okta_policy_mfa*",
        ],
        Filters,
        &[
            another("groups_included"),
            guards("status", Order::Steps(&["inactive", "active"])).absent(Absent::Is("active")),
        ],
    ),
];

/// The standard administrator roles of Okta.
const OKTA_ADMIN: Order = Order::Table(&[("super_admin", &["*"])]);

/// Who and what a rule of Tailscale is for: `*` is all.
const TAILSCALE: Order = Order::Table(&[("*", &["*"])]);

/// The targets of a rule of Tailscale.
const TAILSCALE_TARGET: Order = Order::Table(&[("*:*", &["*"]), ("*", &["*"])]);

/// A status that lets something happen while it is active.
const fn opens_status(place: &'static str) -> Part {
    steps(place, &["inactive", "active"], "active")
}

/// A number of a guard: more is stronger.
const fn number(place: &'static str) -> Part {
    guards(place, Order::AtMost)
}
