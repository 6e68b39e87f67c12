//! Rules for Auth0.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("auth0_connection", "user directory").show("name|strategy"),
    lost("auth0_user", "user").show("user_id").level(Warning),
    lost("auth0_organization", "organization")
        .show("name")
        .level(Warning),
    // Who may reach or do more.
    exposure(
        "auth0_client",
        "grant_types[*]",
        is("implicit|password|http://auth0.com/oauth/grant-type/password-realm"),
    )
    .unless_created(),
    exposure("auth0_client", "callbacks[*]", is("http://*")).unless_created(),
    exposure(
        "auth0_client_credentials",
        "authentication_method",
        is("none"),
    ),
    exposure("auth0_client_grant", "scopes[*]", There).unless_created(),
    exposure(
        "auth0_role_permissions|auth0_user_permissions",
        "permissions[*].name",
        There,
    )
    .unless_created(),
    exposure("auth0_user_roles", "roles[*]", There),
    exposure("auth0_connection", "options[*].disable_signup", Off).unless_created(),
    exposure("auth0_resource_server", "enforce_policies", Off).unless_created(),
    // What guards, records or backs up.
    protection(
        "auth0_attack_protection",
        "brute_force_protection[*].enabled",
        Off,
    ),
    protection(
        "auth0_guardian",
        "policy",
        order("never|confidence-score|all-applications"),
    ),
    protection(
        "auth0_attack_protection",
        "breached_password_detection[*].enabled",
        Off,
    ),
    protection(
        "auth0_attack_protection",
        "suspicious_ip_throttling[*].enabled",
        Off,
    ),
    protection(
        "auth0_connection",
        "options[*].password_policy",
        order("none|low|fair|good|excellent"),
    ),
    protection("auth0_connection", "options[*].brute_force_protection", Off),
    protection(
        "auth0_connection",
        "options[*].password_history[*].enable",
        Off,
    )
    .level(Notice),
    protection("auth0_tenant", "session_lifetime", Higher).level(Notice),
    protection("auth0_log_stream", "status", order("paused|active")),
    unguarded("auth0_log_stream|auth0_trigger_actions|auth0_trigger_action"),
    // What serves requests.
    interrupted(
        "auth0_client|auth0_resource_server|auth0_custom_domain|auth0_client_grant|\
         auth0_connection_clients|auth0_connection_client|auth0_action",
    )
    .named("auth0_*.login"),
];
