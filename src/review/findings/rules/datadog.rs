//! Rules for Datadog.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("datadog_child_organization", "account").show("name"),
    // Who may reach or do more.
    exposure("datadog_role", "permission[*].id", There)
        .level(Notice)
        .unless_created(),
    exposure("datadog_ip_allowlist", "entry[*].cidr_block", AnySource),
    exposure(
        "datadog_organization_settings",
        "settings[*].private_widget_share",
        On,
    )
    .unless_created(),
    // What guards, records or backs up.
    protection("datadog_monitor", "notify_no_data", Off),
    protection("datadog_monitor", "silenced[*]", There).what("muted"),
    protection("datadog_monitor", "monitor_thresholds[*].critical", Higher)
        .only_if(&[Needs(".query", "*>*")]),
    protection("datadog_monitor", "monitor_thresholds[*].critical", Shorter)
        .named("datadog_monitor.critical, below")
        .only_if(&[Needs(".query", "*<*")]),
    protection("datadog_monitor", "message", Mentions).named("datadog_monitor.recipients"),
    protection("datadog_downtime", "scope[*]", There)
        .what("mutes monitors")
        .when_created(),
    protection("datadog_downtime_schedule", "scope", is("*")).what("mutes all monitors"),
    protection("datadog_downtime_schedule", "scope", There)
        .what("mutes monitors")
        .when_created(),
    protection("datadog_synthetics_test", "status", order("paused|live")),
    protection("datadog_logs_index", "retention_days", Lower),
    protection("datadog_logs_index", "exclusion_filter[*]", There).what("logs are left out"),
    protection("datadog_logs_index", "daily_limit", Lower),
    protection(
        "datadog_security_monitoring_rule|datadog_security_monitoring_default_rule|\
         datadog_cloud_configuration_rule|datadog_csm_threats_agent_rule|\
         datadog_cloud_workload_security_agent_rule|datadog_csm_threats_policy|\
         datadog_ip_allowlist|datadog_domain_allowlist",
        "enabled",
        Off,
    ),
    protection(
        "datadog_sensitive_data_scanner_group|datadog_sensitive_data_scanner_rule",
        "is_enabled",
        Off,
    ),
    protection("datadog_security_monitoring_suppression", "enabled", On).when_created(),
    protection(
        "datadog_organization_settings",
        "settings[*].saml_strict_mode[*].enabled",
        Off,
    ),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded(
        "datadog_monitor|datadog_monitor_json|datadog_service_level_objective|\
         datadog_synthetics_test|datadog_security_monitoring_rule|\
         datadog_security_monitoring_rule_json|datadog_cloud_configuration_rule|\
         datadog_csm_threats_agent_rule|datadog_sensitive_data_scanner_group|\
         datadog_sensitive_data_scanner_rule|datadog_logs_archive|datadog_logs_index|\
         datadog_integration_aws|datadog_integration_aws_account|datadog_integration_gcp|\
         datadog_integration_gcp_sts|datadog_integration_azure|datadog_integration_pagerduty|\
         datadog_integration_pagerduty_service_object|\
         datadog_integration_opsgenie_service_object|datadog_integration_slack_channel|\
         datadog_monitor_notification_rule|datadog_security_notification_rule|\
         datadog_on_call_*|datadog_ip_allowlist|datadog_domain_allowlist",
    ),
    protection(
        "datadog_service_level_objective",
        "thresholds[*].target",
        Lower,
    )
    .level(Notice),
    protection(
        "datadog_synthetics_test",
        "options_list[*].allow_insecure",
        On,
    )
    .level(Notice),
    protection(
        "datadog_synthetics_test",
        "options_list[*].accept_self_signed",
        On,
    )
    .level(Notice),
    protection(
        "datadog_integration_azure|datadog_integration_gcp|datadog_integration_gcp_sts",
        "automute",
        On,
    )
    .level(Notice),
    protection(
        "datadog_integration_aws_account",
        "resources_config[*].cloud_security_posture_management_collection",
        Off,
    ),
    protection("datadog_integration_azure", "cspm_enabled", Off),
    protection("datadog_integration_gcp_sts", "is_cspm_enabled", Off),
    protection("datadog_appsec_waf_custom_rule", "enabled", Off),
    protection("datadog_appsec_waf_custom_rule", "blocking", Off),
    protection("datadog_appsec_waf_exclusion_filter", "enabled", On),
    protection("datadog_logs_custom_pipeline", "is_enabled", Off).level(Notice),
    protection("datadog_synthetics_global_variable", "secure", Off),
    protection("datadog_webhook_custom_variable", "is_secret", Off),
];
