//! Rules for types of several providers, and of any.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    invoked(
        DataLoss,
        "*_delete_*",
        "deletes something: its name says so",
    ),
    invoked(DataLoss, "*_delete", "deletes something: its name says so"),
    invoked(
        DataLoss,
        "*_terminate*",
        "ends something for good: its name says so",
    ),
    lost(
        "digitalocean_kubernetes_cluster|linode_lke_cluster|oci_containerengine_cluster|\
         alicloud_cs_managed_kubernetes|yandex_kubernetes_cluster|scaleway_k8s_cluster|\
         ovh_cloud_project_kube|civo_kubernetes_cluster|vultr_kubernetes|\
         exoscale_sks_cluster|openstack_containerinfra_cluster_v1|rancher2_cluster",
        "cluster",
    )
    .show("name")
    .named("clusters of other clouds"),
    // Actions: what invoking one does.
    lost(
        "hcloud_primary_ip|hcloud_floating_ip|digitalocean_reserved_ip|\
         digitalocean_floating_ip",
        "address",
    )
    .show("ip_address")
    .level(Warning),
    lost(
        "openstack_networking_floatingip_v2|oci_core_public_ip|scaleway_instance_ip|\
         scaleway_lb_ip|yandex_vpc_address|ibm_is_floating_ip|linode_instance_ip",
        "address",
    )
    .show("address|ip_address")
    .named("addresses")
    .level(Warning),
    // Parts of what holds data.
    data_loss(
        "snowflake_table|databricks_sql_table",
        "column[*].name",
        Fewer,
    )
    .what("column {} is dropped with its data")
    .in_place(),
    // Who may reach or do more.
    // Who is let in by what is created.
    exposure(
        "cloudflare_api_token|cloudflare_account_token|datadog_api_key|\
         datadog_application_key",
        "name",
        There,
    )
    .what("a permanent credential")
    .level(Notice),
    // What guards, records or backs up.
    protection("*", "deletion_protection", Off).level(Critical),
    protection("*", "deletion_protection_enabled", Off).level(Critical),
    protection("*", "delete_protection", Off),
    protection("*", "termination_protection", Off).level(Critical),
    protection("*", "termination_protection_enabled", Off).level(Critical),
    protection("*", "purge_protection_enabled", Off).level(Critical),
    protection("*", "storage_encrypted", Off).level(Critical),
    protection("*", "storage_encrypted", Off)
        .named("*.storage_encrypted = false")
        .when_created(),
    protection("*", "multi_az", Off),
    protection("*", "multi_az_enabled", Off),
    protection("*", "automatic_failover_enabled", Off),
    protection("*", "at_rest_encryption_enabled", Off).level(Critical),
    protection("*", "at_rest_encryption_enabled", Off)
        .named("*.at_rest_encryption_enabled = false")
        .when_created(),
    protection("*", "transit_encryption_enabled", Off).when_created(),
    protection("*", "backup_retention_period", Zero)
        .named("*.backup_retention_period = 0")
        .level(Critical),
    protection("*", "backup_retention_period", Lower),
    protection("*", "automated_snapshot_retention_period", Zero)
        .named("*.automated_snapshot_retention_period = 0")
        .level(Critical),
    protection("*", "automated_snapshot_retention_period", Lower),
    protection("*", "automatic_backup_retention_days", Zero)
        .named("*.automatic_backup_retention_days = 0")
        .level(Critical),
    protection("*", "automatic_backup_retention_days", Lower),
    protection("*", "snapshot_retention_limit", Lower),
    protection("*", "backup_retention_days", Lower),
    protection("*", "soft_delete_retention_days", Lower),
    protection("*", "soft_delete_enabled", Off).level(Critical),
    protection("*", "retention_in_days", Shorter),
    protection("*", "deletion_window_in_days", Shorter),
    protection("*", "recovery_window_in_days", Zero).named("*.recovery_window_in_days = 0"),
    protection("*", "recovery_window_in_days", Below(30.0)).named("*.recovery_window_in_days < 30"),
    protection("*", "force_destroy", On),
    protection(
        "aws_ecr_repository|aws_lightsail_bucket|google_backup_dr_backup_vault|tfe_workspace",
        "force_delete",
        On,
    ),
    protection("*", "skip_final_snapshot", On),
    protection("*", "skip_final_backup", On),
    protection("*", "delete_contents_on_destroy", On),
    protection("*", "delete_automated_backups", order("true|false")),
    protection("*", "kms_key_id", Gone),
    protection("*", "kms_key_name", Gone),
    protection(
        "*",
        "min_tls_version",
        order("Disabled|1.0|TLS1_0|1.1|TLS1_1|1.2|TLS1_2|1.3|TLS1_3"),
    ),
    protection(
        "*",
        "minimum_tls_version",
        order("Disabled|1.0|TLS1_0|1.1|TLS1_1|1.2|TLS1_2|1.3|TLS1_3"),
    ),
    protection(
        "azurerm_role_management_policy|azuread_group_role_management_policy",
        "activation_rules[*].require_multifactor_authentication",
        Off,
    ),
    protection(
        "azurerm_role_management_policy|azuread_group_role_management_policy",
        "activation_rules[*].require_approval",
        Off,
    ),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded(
        "hcloud_firewall|hcloud_firewall_attachment|digitalocean_firewall|\
         digitalocean_monitor_alert|digitalocean_uptime_alert",
    ),
    unguarded(
        "pagerduty_service|pagerduty_escalation_policy|pagerduty_schedule|\
         pagerduty_service_integration|pagerduty_event_orchestration*|opsgenie_*|\
         grafana_rule_group|grafana_contact_point|grafana_notification_policy|\
         newrelic_alert_policy|newrelic_nrql_alert_condition|newrelic_alert_condition|\
         newrelic_notification_*|newrelic_workflow|newrelic_synthetics_*monitor|statuscake_*|\
         betteruptime_*|sentry_issue_alert|honeycombio_trigger|splunk_*detector|\
         signalfx_detector",
    ),
    unguarded(
        "okta_policy_mfa|okta_policy_signon|okta_policy_password|okta_app_signon_policy|\
         okta_network_zone|auth0_attack_protection|auth0_guardian",
    ),
    unguarded(
        "gitlab_branch_protection|bitbucket_branch_restriction|azuredevops_branch_policy_*|\
         tfe_policy*|tfe_sentinel_policy",
    ),
    unguarded(
        "openstack_networking_secgroup_v2|openstack_fw_*|exoscale_security_group|\
         vultr_firewall_group|civo_firewall|ovh_cloud_project_database_ip_restriction",
    )
    .level(Notice),
    // What serves requests.
    interrupted(
        "linode_instance|linode_lke_cluster|linode_nodebalancer|\
         openstack_compute_instance_v2|openstack_lb_loadbalancer_v2|oci_core_instance|\
         oci_load_balancer_load_balancer|oci_containerengine_cluster|alicloud_instance|\
         alicloud_slb*|alicloud_cs_managed_kubernetes|yandex_compute_instance|\
         yandex_kubernetes_cluster|scaleway_instance_server|scaleway_k8s_cluster|scaleway_lb|\
         vsphere_virtual_machine|proxmox_*vm*|libvirt_domain|nomad_job|fastly_service_vcl|\
         heroku_app|vercel_project|netlify_site",
    )
    .named("machines and clusters"),
    interrupted(
        "confluent_kafka_cluster|mongodbatlas_cluster|mongodbatlas_advanced_cluster|\
         aiven_kafka|aiven_pg|aiven_mysql|aiven_opensearch|aiven_valkey|ec_deployment",
    )
    .named("managed databases"),
    // Actions: what invoking one does.
    invoked(Downtime, "*_stop_*", "stops something: its name says so"),
    invoked(Downtime, "*_stop", "stops something: its name says so"),
    invoked(Downtime, "*_reboot*", "reboots something: its name says so"),
    invoked(
        Downtime,
        "*_restart*",
        "restarts something: its name says so",
    ),
    invoked(Downtime, "*_failover*", "fails over: its name says so"),
    invoked(
        Downtime,
        "*_power_off*",
        "stops something: its name says so",
    ),
    // Machines that stop for another size or configuration.
    downtime(
        "scaleway_instance_server|linode_instance|exoscale_compute_instance",
        "type",
        Changed,
    )
    .what("the machine stops and starts, now")
    .named("machines.type")
    .in_place(),
    downtime("vultr_instance|upcloud_server", "plan", Changed)
        .what("the machine restarts, now")
        .named("machines.plan")
        .in_place(),
    // Versions that go back.
    downtime(
        "aws_eks_cluster|aws_eks_node_group|digitalocean_kubernetes_cluster|\
         scaleway_k8s_cluster",
        "version",
        Downgrade,
    )
    .named("clusters.version")
    .in_place(),
    // Capacity that somebody or something else has set since.
    downtime(
        "digitalocean_kubernetes_node_pool|linode_lke_node_pool|scaleway_k8s_pool",
        "node_count",
        Reverts,
    )
    .named("pools.node_count"),
    downtime(
        "nomad_job|docker_service",
        "mode[*].replicated[*].replicas",
        Reverts,
    )
    .named("docker_service.replicas undone"),
    // What decides, and is known only after apply.
    unknown("*", "assume_role_policy").when_created(),
    unknown("*", "deletion_protection"),
    unknown("*", "policy"),
    unknown("*", "access_policies"),
];
