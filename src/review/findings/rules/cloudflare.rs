//! Rules for Cloudflare.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("cloudflare_zone", "DNS zone").show("name|zone"),
    lost("cloudflare_r2_bucket", "bucket").show("name"),
    lost("cloudflare_d1_database", "database").show("name"),
    lost("cloudflare_workers_kv_namespace", "key-value store").show("title"),
    lost("cloudflare_workers_kv", "key-value pair")
        .show("key_name")
        .level(Warning),
    lost("cloudflare_queue", "queue").show("queue_name|name"),
    lost("cloudflare_account", "account").show("name"),
    lost("cloudflare_stream", "video"),
    lost("cloudflare_image", "image").level(Warning),
    lost("cloudflare_list", "list").show("name").level(Warning),
    lost("cloudflare_pages_project", "site")
        .show("name")
        .level(Warning),
    // Who may reach or do more.
    exposure(
        "cloudflare_access_policy|cloudflare_zero_trust_access_policy|\
         cloudflare_access_group|cloudflare_zero_trust_access_group",
        "include[*].everyone",
        There,
    )
    .what("everybody is let in"),
    exposure(
        "cloudflare_access_policy|cloudflare_zero_trust_access_policy",
        "decision",
        is("bypass"),
    ),
    exposure("cloudflare_r2_managed_domain", "enabled", On).serves(Class::Data),
    exposure(
        "cloudflare_account_member",
        "email",
        role("roles[*]", "33666b9c79b9a5273fc7344ff42f953d"),
    )
    .serves(Class::Administration),
    exposure(
        "cloudflare_zero_trust_tunnel_cloudflared_config",
        "config[*].origin_request[*].access[*].required",
        Off,
    )
    .unless_created(),
    exposure("cloudflare_image", "require_signed_urls", Off).unless_created(),
    exposure(
        "cloudflare_zero_trust_access_application",
        "cors_headers[*].allow_all_origins",
        On,
    )
    .unless_created(),
    exposure(
        "cloudflare_zero_trust_access_application",
        "options_preflight_bypass",
        On,
    )
    .unless_created(),
    // What guards, records or backs up.
    protection(
        "cloudflare_zone_settings_override",
        "settings[*].ssl",
        order("off|flexible|full|strict|origin_pull"),
    )
    .levels(&[("off", Critical)]),
    protection(
        "cloudflare_zone_settings_override",
        "settings[*].always_use_https",
        order("off|on"),
    ),
    protection(
        "cloudflare_zone_settings_override",
        "settings[*].waf",
        order("off|on"),
    ),
    protection(
        "cloudflare_zone_settings_override",
        "settings[*].min_tls_version",
        order("1.0|1.1|1.2|1.3"),
    ),
    protection(
        "cloudflare_zone_settings_override",
        "settings[*].automatic_https_rewrites",
        order("off|on"),
    )
    .level(Notice),
    protection(
        "cloudflare_zone_settings_override",
        "settings[*].browser_check",
        order("off|on"),
    ),
    protection(
        "cloudflare_zone_settings_override",
        "settings[*].security_level",
        order("off|essentially_off|low|medium|high|under_attack"),
    ),
    protection(
        "cloudflare_zone_settings_override",
        "settings[*].tls_client_auth",
        order("off|on"),
    ),
    protection(
        "cloudflare_zone_setting",
        "value",
        order("off|flexible|full|strict|origin_pull"),
    )
    .named("cloudflare_zone_setting.ssl")
    .only_if(&[Needs("setting_id", "ssl")])
    .levels(&[("off", Critical)]),
    protection("cloudflare_zone_setting", "value", order("off|on")).only_if(&[Needs(
        "setting_id",
        "always_use_https|waf|browser_check|tls_client_auth|automatic_https_rewrites|\
         opportunistic_encryption",
    )]),
    protection("cloudflare_zone_setting", "value", order("1.0|1.1|1.2|1.3"))
        .named("cloudflare_zone_setting.min_tls_version")
        .only_if(&[Needs("setting_id", "min_tls_version")]),
    protection(
        "cloudflare_zone_setting",
        "value",
        order("off|essentially_off|low|medium|high|under_attack"),
    )
    .named("cloudflare_zone_setting.security_level")
    .only_if(&[Needs("setting_id", "security_level")]),
    protection(
        "cloudflare_hostname_tls_setting",
        "value",
        order("1.0|1.1|1.2|1.3"),
    )
    .only_if(&[Needs("setting_id", "min_tls_version")]),
    protection("cloudflare_ruleset", "rules[*].action", Deny),
    protection("cloudflare_ruleset", "rules[*].action", is("skip"))
        .named("cloudflare_ruleset.skip"),
    protection("cloudflare_ruleset", "rules[*].enabled", Off).only_if(&[Needs(
        "action",
        "execute|challenge|js_challenge|managed_challenge|log",
    )]),
    protection(
        "cloudflare_firewall_rule|cloudflare_filter|cloudflare_zone_lockdown|\
         cloudflare_user_agent_blocking_rule",
        "paused",
        On,
    ),
    protection("cloudflare_rate_limit", "disabled", On),
    protection(
        "cloudflare_access_rule",
        "mode",
        order("whitelist|js_challenge|managed_challenge|challenge|block"),
    ),
    protection("cloudflare_zone", "paused", On),
    protection(
        "cloudflare_record|cloudflare_dns_record",
        "content",
        order("*p=none*|*p=quarantine*|*p=reject*"),
    )
    .what("the policy for forged mail")
    .named("cloudflare_dns_record.dmarc.policy")
    .only_if(&[Needs("name", "_dmarc*"), Needs("type", "TXT")]),
    protection("cloudflare_*record", "proxied", Off),
    protection("cloudflare_zone_dnssec", "status", order("disabled|active")),
    protection("cloudflare_bot_management", "fight_mode", Off),
    protection(
        "cloudflare_authenticated_origin_pulls_settings|cloudflare_leaked_credential_check|\
         cloudflare_logpush_job|cloudflare_notification_policy|\
         cloudflare_zero_trust_gateway_policy|cloudflare_total_tls",
        "enabled",
        Off,
    ),
    protection("cloudflare_logpull_retention", "flag", Off),
    protection(
        "cloudflare_access_policy|cloudflare_zero_trust_access_policy",
        "require[*]",
        Fewer,
    ),
    protection("cloudflare_zone_hold", "hold", Off),
    protection("cloudflare_registrar_domain", "locked", Off),
    protection("cloudflare_registrar_domain", "auto_renew", Off),
    protection("cloudflare_account", "enforce_twofactor", Off),
    protection("cloudflare_account", "settings.enforce_twofactor", Off),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded("cloudflare_ruleset").guards(&[("zone_id", "cloudflare_zone")]),
    unguarded("cloudflare_zone_dnssec").guards(&[("zone_id", "cloudflare_zone")]),
    unguarded("cloudflare_zero_trust_access_application|cloudflare_access_application")
        .guards(&[("zone_id", "cloudflare_zone")]),
    unguarded("cloudflare_zero_trust_access_policy|cloudflare_access_policy").guards(&[
        (
            "application_id",
            "cloudflare_access_application|cloudflare_zero_trust_access_application",
        ),
        ("zone_id", "cloudflare_zone"),
    ]),
    unguarded(
        "cloudflare_access_rule|cloudflare_firewall_rule|cloudflare_rate_limit|\
         cloudflare_zone_lockdown|cloudflare_page_shield_policy|cloudflare_bot_management|\
         cloudflare_leaked_credential_check|cloudflare_authenticated_origin_pulls|\
         cloudflare_zone_hold|cloudflare_user_agent_blocking_rule",
    )
    .guards(&[("zone_id", "cloudflare_zone")]),
    unguarded("cloudflare_logpush_job|cloudflare_notification_policy|cloudflare_healthcheck")
        .guards(&[("zone_id", "cloudflare_zone")]),
    unguarded(
        "cloudflare_zero_trust_gateway_policy|cloudflare_teams_rule|cloudflare_r2_bucket_lock",
    )
    .guards(&[("bucket_name", "cloudflare_r2_bucket")]),
    unguarded("cloudflare_record|cloudflare_dns_record")
        .guards(&[("zone_id", "cloudflare_zone")])
        .named("cloudflare_dns_record.caa")
        .only_if(&[Needs("type", "CAA")]),
    unguarded("cloudflare_record|cloudflare_dns_record")
        .guards(&[("zone_id", "cloudflare_zone")])
        .named("cloudflare_dns_record.dmarc")
        .only_if(&[Needs("name", "_dmarc*"), Needs("type", "TXT")]),
    unguarded("cloudflare_record|cloudflare_dns_record")
        .guards(&[("zone_id", "cloudflare_zone")])
        .named("cloudflare_dns_record.dkim")
        .only_if(&[Needs("name", "*._domainkey*"), Needs("type", "TXT|CNAME")]),
    unguarded("cloudflare_record|cloudflare_dns_record")
        .guards(&[("zone_id", "cloudflare_zone")])
        .named("cloudflare_dns_record.spf")
        .only_if(&[Needs("content", "*v=spf1*"), Needs("type", "TXT")]),
    protection("cloudflare_page_rule", "actions[*].disable_security", On),
    protection("cloudflare_page_rule", "actions[*].always_use_https", Off),
    protection(
        "cloudflare_zero_trust_tunnel_cloudflared_config",
        "config[*].origin_request[*].no_tls_verify",
        On,
    ),
    protection("cloudflare_healthcheck", "suspended", On),
    protection("cloudflare_registrar_domain", "privacy", Off).level(Notice),
    protection("cloudflare_load_balancer", "proxied", Off),
    protection(
        "cloudflare_zero_trust_access_policy",
        "approval_required",
        Off,
    ),
    protection(
        "cloudflare_zero_trust_access_policy",
        "purpose_justification_required",
        Off,
    )
    .level(Notice),
    protection(
        "cloudflare_zero_trust_access_policy",
        "isolation_required",
        Off,
    )
    .level(Notice),
    protection(
        "cloudflare_zero_trust_gateway_settings",
        "settings[*].antivirus[*].enabled_download_phase",
        Off,
    ),
    protection(
        "cloudflare_zero_trust_gateway_settings",
        "settings[*].antivirus[*].enabled_upload_phase",
        Off,
    ),
    protection(
        "cloudflare_zero_trust_gateway_settings",
        "settings[*].antivirus[*].fail_closed",
        Off,
    ),
    protection(
        "cloudflare_zero_trust_gateway_policy",
        "rule_settings[*].insecure_disable_dnssec_validation",
        On,
    ),
    protection(
        "cloudflare_zero_trust_access_application",
        "http_only_cookie_attribute",
        Off,
    )
    .level(Notice),
    // Records of names: whose mail is genuine.
    protection(
        "cloudflare_record|cloudflare_dns_record",
        "content",
        order("*v=spf1*+all*|*v=spf1*~all*|*v=spf1*-all*"),
    )
    .what("mail of others passes more easily")
    .named("cloudflare_*.spf")
    .only_if(&[Needs("type", "TXT")]),
    // Firewalls of applications: limits, and what comes before all other rules.
    protection(
        "cloudflare_ruleset",
        "rules[*].ratelimit[*].requests_per_period",
        Higher,
    ),
    protection("cloudflare_rate_limit", "threshold", Higher),
    // What serves requests.
    downtime(
        "cloudflare_record|cloudflare_dns_record",
        "content",
        Changed,
    )
    .what("mail goes elsewhere")
    .only_if(&[Needs("type", "MX")]),
    interrupted("cloudflare_record|cloudflare_dns_record")
        .only_if(&[Where("type", "A|AAAA|CNAME|MX|SRV|NS|PTR")]),
    interrupted(
        "cloudflare_workers_script|cloudflare_worker|cloudflare_workers_route|\
         cloudflare_worker_route|cloudflare_workers_custom_domain|cloudflare_pages_project|\
         cloudflare_pages_domain|cloudflare_load_balancer|cloudflare_load_balancer_pool|\
         cloudflare_spectrum_application|cloudflare_tunnel|\
         cloudflare_zero_trust_tunnel_cloudflared|\
         cloudflare_zero_trust_tunnel_cloudflared_config|cloudflare_custom_hostname|\
         cloudflare_custom_ssl|cloudflare_certificate_pack|cloudflare_email_routing_rule|\
         cloudflare_email_routing_settings",
    )
    .named("cloudflare_*.service"),
    downtime(
        "cloudflare_load_balancer|cloudflare_load_balancer_pool",
        "enabled",
        Off,
    )
    .level(Critical),
    downtime("cloudflare_universal_ssl_setting", "enabled", Off),
    // What decides, and is known only after apply.
    unknown("cloudflare_ruleset", "rules[*].expression"),
    unknown("cloudflare_ruleset", "rules[*].action"),
];
