//! Rules for PagerDuty.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Who may reach or do more.
    exposure("pagerduty_user", "role", is("admin|owner")),
    // What guards, records or backs up.
    protection("pagerduty_escalation_policy", "rule[*].id", Fewer),
    protection(
        "pagerduty_escalation_policy",
        "rule[*].escalation_delay_in_minutes",
        Higher,
    )
    .what("the next one is called later"),
    protection("pagerduty_escalation_policy", "num_loops", Zero).what("nobody is called again"),
    protection("pagerduty_escalation_policy", "rule[*].target[*].id", Fewer)
        .what("{} is no longer called"),
    protection("pagerduty_schedule", "layer[*].users[*]", Fewer).what("{} is no longer called"),
    protection(
        "pagerduty_service",
        "incident_urgency_rule[*].urgency",
        order("low|high"),
    ),
    protection("pagerduty_service", "escalation_policy", Changed).level(Notice),
    protection("pagerduty_service", "auto_resolve_timeout", Changed).level(Notice),
    protection("pagerduty_maintenance_window", "services[*]", There)
        .what("nobody is called for a while")
        .when_created(),
    // What serves requests.
    downtime("pagerduty_service", "status", order("disabled|active")),
];
