//! Rules for providers with few rules.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("docker_volume", "volume").show("name|driver"),
    lost("aiven_kafka", "message broker").show("service_name|plan|termination_protection"),
    lost("aiven_kafka_topic", "topic").show("topic_name|partitions|termination_protection"),
    lost("aiven_pg", "database").show("service_name|plan|termination_protection"),
    lost("aiven_mysql", "database").show("service_name|plan|termination_protection"),
    lost("aiven_opensearch", "search domain").show("service_name|plan|termination_protection"),
    lost("azuredevops_git_repository", "repository").show("name"),
    lost("azuredevops_project", "project").show("name"),
    lost("postgresql_database", "database").show("name"),
    lost("mysql_database", "database").show("name"),
    lost("tls_private_key", "key")
        .show("algorithm")
        .level(Warning),
    lost("openstack_blockstorage_volume_v*", "volume").show("name|size"),
    lost("openstack_objectstorage_container_v1", "bucket").show("name"),
    lost("ovh_cloud_project_database", "database").show("engine|version"),
    lost("vsphere_virtual_machine", "machine with its disks").show("name"),
    lost("proxmox_vm_qemu", "machine with its disks").show("name"),
    lost("proxmox_virtual_environment_vm", "machine with its disks").show("name"),
    lost("libvirt_volume", "volume").show("name"),
    lost("ec_deployment", "search domain").show("name|version"),
    lost("elasticstack_elasticsearch_index", "search index").show("name|deletion_protection"),
    lost("elasticsearch_index", "search index").show("name"),
    lost("aiven_clickhouse", "database").show("service_name|plan|termination_protection"),
    lost("aiven_valkey", "cache")
        .show("service_name|plan|termination_protection")
        .level(Warning),
    lost("neon_project", "database").show("name"),
    lost("planetscale_database", "database").show("name"),
    lost("clickhouse_service", "database").show("name"),
    lost("cockroach_cluster", "database cluster").show("name|delete_protection"),
    lost("couchbase-capella_cluster", "database cluster").show("name"),
    lost("influxdb*_bucket", "database").show("name"),
    lost("rabbitmq_queue", "queue").show("name").level(Warning),
    lost("minio_s3_bucket", "bucket").show("bucket|force_destroy"),
    lost("keycloak_realm", "user directory").show("realm"),
    lost("gitlab_project", "repository").show("name|archive_on_destroy"),
    lost("gitlab_group", "group").show("name"),
    lost("bitbucket_repository", "repository").show("name"),
    lost("spacelift_stack", "stack with its state")
        .show("name")
        .level(Warning),
    lost("postgresql_schema", "database schema").show("name|database"),
    lost("supabase_project", "database").show("name"),
    lost(
        "rediscloud_subscription|rediscloud_*_subscription|rediscloud_*database",
        "database",
    )
    .show("name")
    .named("rediscloud_*"),
    lost("upstash_redis_database|upstash_kafka_topic", "database")
        .show("database_name|topic_name")
        .named("upstash_*"),
    lost("heroku_addon", "data store")
        .show("name|plan")
        .only_if(&[Needs(
            "plan",
            "heroku-postgresql:*|heroku-redis:*|heroku-kafka:*",
        )]),
    lost("consul_keys|consul_key_prefix", "keys")
        .show("path_prefix|datacenter")
        .named("consul_keys")
        .level(Warning),
    // Parts of what holds data.
    data_loss("vsphere_virtual_machine", "disk[*].label", Fewer)
        .what("disk {} is deleted")
        .in_place()
        .only_if(&[
            Unless("attach", "true"),
            Unless("keep_on_remove", "true"),
            Unless("label", "<deleted>"),
        ]),
    // Who may reach or do more.
    exposure("docker_container", "privileged", On),
    exposure("docker_container", "network_mode", is("host")).unless_created(),
    exposure(
        "openstack_networking_secgroup_rule_v2",
        "remote_ip_prefix",
        AnySource,
    )
    .only_if(&[Needs("direction", "ingress")]),
    exposure(
        "gitlab_project|gitlab_group",
        "visibility_level",
        is("public"),
    )
    .serves(Class::Data),
    exposure("ovh_cloud_project_database_ip_restriction", "ip", AnySource).serves(Class::Database),
    exposure("vultr_firewall_rule", "subnet", AnySource),
    exposure("exoscale_security_group_rule", "cidr", AnySource)
        .only_if(&[Needs("type", "INGRESS")]),
    exposure("civo_firewall", "ingress_rule[*].cidr[*]", AnySource),
    exposure(
        "postgresql_grant",
        "privileges[*]",
        is("ALL|DELETE|INSERT|TRUNCATE|UPDATE"),
    )
    .only_if(&[Needs("role", "public")])
    .level(Critical)
    .named("postgresql_grant.public"),
    exposure(
        "postgresql_grant",
        "privileges[*]",
        is("ALL|DELETE|TRUNCATE|UPDATE"),
    )
    .unless_created(),
    exposure("postgresql_role", "superuser", On).serves(Class::Administration),
    exposure("postgresql_role", "create_role", On),
    exposure("postgresql_role", "bypass_row_level_security", On),
    exposure(
        "gitlab_project_membership|gitlab_group_membership",
        "user_id",
        role("access_level", "maintainer|owner"),
    )
    .serves(Class::Other)
    .named("gitlab_membership"),
    exposure(
        "gitlab_project_share_group",
        "group_id",
        role("group_access", "maintainer|owner"),
    ),
    exposure(
        "gitlab_group_share_group",
        "share_group_id",
        role("group_access", "maintainer|owner"),
    ),
    // What guards, records or backs up.
    protection(
        "newrelic_nrql_alert_condition|newrelic_alert_condition|\
         newrelic_synthetics_alert_condition",
        "enabled",
        Off,
    ),
    protection("newrelic_alert_muting_rule", "enabled", On).when_created(),
    protection("gitlab_branch_protection", "allow_force_push", On),
    protection(
        "gitlab_branch_protection",
        "code_owner_approval_required",
        Off,
    ),
    protection(
        "gitlab_branch_protection",
        "push_access_level",
        order("developer|maintainer|admin|no one"),
    ),
    protection(
        "gitlab_branch_protection",
        "merge_access_level",
        order("developer|maintainer|admin|no one"),
    ),
    protection("vultr_instance", "backups", order("disabled|enabled")).level(Critical),
    // What serves requests.
    interrupted("docker_container|docker_service"),
    downtime("docker_service", "mode[*].replicated[*].replicas", Zero).level(Critical),
    // Machines that stop for another size or configuration.
    downtime("openstack_compute_instance_v2", "flavor_name", Changed)
        .what("the machine restarts, now")
        .in_place(),
    downtime("openstack_compute_instance_v2", "flavor_id", Changed)
        .what("the machine restarts, now")
        .in_place(),
    downtime("vsphere_virtual_machine", "num_cpus", Changed)
        .what("the machine restarts, now")
        .in_place()
        .only_if(&[Needs("cpu_hot_add_enabled", "false")]),
    downtime("vsphere_virtual_machine", "memory", Changed)
        .what("the machine restarts, now")
        .in_place()
        .only_if(&[Needs("memory_hot_add_enabled", "false")]),
];
