//! Rules for Vault.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("vault_mount", "secrets").show("path|type"),
    lost("vault_generic_secret", "secret")
        .show("path")
        .level(Warning),
    lost("vault_kv_secret*", "secret")
        .show("path|name")
        .level(Warning),
    lost("vault_transit_secret_backend_key", "key").show("name|deletion_allowed"),
    lost("vault_namespace", "secrets").show("path"),
    lost(
        "vault_pki_secret_backend_root_cert",
        "certificate authority",
    )
    .show("common_name"),
    lost("vault_database_secrets_mount", "secrets")
        .show("path")
        .level(Warning),
    // Who may reach or do more.
    exposure("vault_policy", "policy", Policy(PolicyLanguage::Vault)),
    exposure("vault_pki_secret_backend_role", "allow_any_name", On),
    exposure("vault_ssh_secret_backend_role", "allowed_users", is("*")),
    exposure(
        "vault_kubernetes_auth_backend_role",
        "bound_service_account_names[*]",
        is("*"),
    ),
    exposure(
        "vault_kubernetes_auth_backend_role",
        "bound_service_account_namespaces[*]",
        is("*"),
    ),
    exposure("vault_okta_auth_backend", "bypass_okta_mfa", On),
    // What guards, records or backs up.
    protection("vault_transit_secret_backend_key", "deletion_allowed", On),
    protection(
        "vault_egp_policy|vault_rgp_policy",
        "enforcement_level",
        order("advisory|soft-mandatory|hard-mandatory"),
    ),
    protection(
        "vault_ldap_auth_backend|vault_ldap_secret_backend",
        "insecure_tls",
        On,
    ),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded("vault_audit").level(Critical),
    unguarded(
        "vault_quota_rate_limit|vault_egp_policy|vault_rgp_policy|\
         vault_raft_snapshot_agent_config|vault_identity_mfa_login_enforcement",
    ),
    // What serves requests.
    interrupted(
        "vault_auth_backend|vault_*_auth_backend|vault_database_secret_backend_connection|\
         vault_*_auth_backend_role",
    )
    .named("vault_*.login"),
];
