//! Rules for Okta.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("okta_group", "group").show("name").level(Warning),
    lost("okta_user", "user").show("login").level(Warning),
    // Who may reach or do more.
    exposure(
        "okta_user_admin_roles",
        "user_id",
        role("admin_roles[*]", "SUPER_ADMIN|ORG_ADMIN"),
    )
    .serves(Class::Administration),
    exposure(
        "okta_group_role",
        "group_id",
        role("role_type", "SUPER_ADMIN|ORG_ADMIN"),
    )
    .serves(Class::Administration),
    exposure(
        "okta_user_admin_roles",
        "user_id",
        role(
            "admin_roles[*]",
            "APP_ADMIN|USER_ADMIN|API_ACCESS_MANAGEMENT_ADMIN|GROUP_MEMBERSHIP_ADMIN|\
         HELP_DESK_ADMIN|MOBILE_ADMIN",
        ),
    )
    .named("okta_user_admin_roles.more"),
    exposure(
        "okta_group_role",
        "group_id",
        role(
            "role_type",
            "APP_ADMIN|USER_ADMIN|API_ACCESS_MANAGEMENT_ADMIN|GROUP_MEMBERSHIP_ADMIN|\
         HELP_DESK_ADMIN|MOBILE_ADMIN",
        ),
    )
    .named("okta_group_role.more"),
    exposure(
        "okta_admin_role_custom",
        "permissions[*]",
        is(
            "okta.users.manage|okta.users.credentials.*|okta.groups.manage|okta.apps.manage|\
         okta.roles.manage",
        ),
    ),
    exposure("okta_group_memberships", "users[*]", There)
        .what("a member of a group")
        .level(Notice)
        .unless_created(),
    exposure("okta_app_oauth", "grant_types[*]", is("implicit|password")).unless_created(),
    exposure("okta_app_oauth", "redirect_uris[*]", is("http://*")).unless_created(),
    protection("okta_app_oauth", "token_endpoint_auth_method", is("none")),
    exposure(
        "okta_app_oauth_api_scope",
        "scopes[*]",
        is(
            "okta.users.manage|okta.apps.manage|okta.groups.manage|okta.roles.manage|\
         okta.policies.manage",
        ),
    ),
    exposure("okta_trusted_origin", "origin", There).what("scripts of another site may call it"),
    exposure(
        "okta_policy_rule_signon|okta_app_signon_policy_rule",
        "access",
        order("ALLOW|CHALLENGE|DENY"),
    )
    .unless_created(),
    // What guards, records or backs up.
    protection(
        "okta_policy_*|okta_app_signon_policy*",
        "status",
        order("INACTIVE|ACTIVE"),
    ),
    protection("okta_policy_rule_signon", "mfa_required", Off),
    protection(
        "okta_app_signon_policy_rule",
        "factor_mode",
        order("1FA|2FA"),
    ),
    protection("okta_policy_password", "password_min_length", Lower),
    protection("okta_policy_password", "password_history_count", Lower).level(Notice),
    protection(
        "okta_policy_password",
        "password_max_lockout_attempts",
        Higher,
    ),
    protection("okta_policy_rule_signon", "session_lifetime", Higher).level(Notice),
    protection(
        "okta_threat_insight_settings",
        "action",
        order("none|audit|block"),
    ),
    unguarded("okta_policy_rule_*|okta_threat_insight_settings|okta_log_stream|okta_event_hook")
        .level(Notice),
    protection(
        "okta_log_stream|okta_event_hook",
        "status",
        order("INACTIVE|ACTIVE"),
    ),
    // What serves requests.
    downtime("okta_app_*", "status", order("INACTIVE|ACTIVE")).named("okta_app_*.status off"),
    downtime(
        "okta_user",
        "status",
        order("DEPROVISIONED|SUSPENDED|ACTIVE"),
    ),
    interrupted(
        "okta_app_oauth|okta_app_saml|okta_app_bookmark|okta_idp_*|okta_auth_server|\
         okta_app_group_assignment*",
    )
    .named("okta_*.login"),
];
