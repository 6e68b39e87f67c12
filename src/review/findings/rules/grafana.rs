//! Rules for Grafana.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("grafana_folder", "folder")
        .show("title")
        .level(Warning),
    lost("grafana_dashboard|grafana_library_panel", "dashboard")
        .show("title")
        .level(Notice),
    lost("grafana_organization|grafana_cloud_stack", "organization").show("name|slug"),
    // Who may reach or do more.
    exposure(
        "grafana_folder_permission|grafana_dashboard_permission|\
         grafana_data_source_permission",
        "permissions[*].permission",
        There,
    )
    .unless_created()
    .levels(&[("Query", Notice), ("View", Notice)]),
    exposure("grafana_user", "is_admin", On),
    exposure("grafana_organization", "admins[*]", There).unless_created(),
    exposure("grafana_service_account", "role", is("Admin")),
    exposure("grafana_dashboard_public", "is_enabled", On),
    exposure(
        "grafana_cloud_access_policy",
        "scopes[*]",
        is("*:write|*:delete|accesspolicies:*"),
    ),
    // What guards, records or backs up.
    protection("grafana_rule_group", "rule[*].is_paused", On),
    protection("grafana_rule_group", "rule[*].name", Fewer).what("alert {} is removed"),
    protection("grafana_notification_policy", "contact_point", Changed).level(Notice),
    protection(
        "grafana_notification_policy",
        "policy[*].mute_timings[*]",
        There,
    )
    .what("nobody is called for a while"),
    unguarded(
        "grafana_slo|grafana_synthetic_monitoring_check|grafana_oncall_*|\
         grafana_machine_learning_alert",
    ),
    protection("grafana_synthetic_monitoring_check", "enabled", Off),
    protection(
        "grafana_oncall_escalation|grafana_oncall_schedule",
        "position",
        Changed,
    )
    .level(Notice),
    // What serves requests.
    interrupted("grafana_data_source|grafana_cloud_stack").named("grafana_*.service"),
];
