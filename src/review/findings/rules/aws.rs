//! Rules for AWS.

use super::prelude::*;

/// An entry of a network ACL, which has no state, lets in the answers to connections that begin inside.
static ALLOWS_ANSWERS: &[Only] = &[
    Where("action", "allow"),
    Needs("from_port", "1024|32768|49152"),
    Needs("protocol", "tcp|udp|6|17"),
    Needs("to_port", "60999|61000|65535"),
];

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("aws_db_instance", "database").show(
        "engine|engine_version|allocated_storage|multi_az|deletion_protection|\
         skip_final_snapshot",
    ),
    lost("aws_rds_cluster", "database cluster")
        .show("engine|engine_version|allocated_storage|deletion_protection|skip_final_snapshot"),
    lost("aws_rds_global_cluster", "database cluster")
        .show("engine|engine_version|deletion_protection")
        .level(Warning),
    lost("aws_docdb_cluster", "database cluster")
        .show("engine|engine_version|deletion_protection|skip_final_snapshot"),
    lost("aws_neptune_cluster", "database cluster")
        .show("engine|engine_version|deletion_protection|skip_final_snapshot"),
    lost("aws_redshift_cluster", "data warehouse")
        .show("node_type|number_of_nodes|database_name|skip_final_snapshot"),
    lost("aws_redshiftserverless_namespace", "data warehouse").show("db_name"),
    lost("aws_dynamodb_table", "table").show(
        "billing_mode|table_class|deletion_protection_enabled|point_in_time_recovery.enabled",
    ),
    lost("aws_dynamodb_global_table", "table"),
    lost("aws_keyspaces_table", "table").show("keyspace_name"),
    lost("aws_keyspaces_keyspace", "keyspace"),
    lost("aws_timestreamwrite_table", "table").show("database_name"),
    lost("aws_timestreamwrite_database", "database"),
    lost("aws_qldb_ledger", "ledger").show("deletion_protection"),
    lost("aws_dax_cluster", "cache")
        .show("node_type")
        .level(Warning),
    lost("aws_elasticache_cluster", "cache")
        .show("engine|engine_version|node_type|num_cache_nodes|snapshot_retention_limit")
        .level(Warning),
    lost("aws_elasticache_replication_group", "cache")
        .show("engine|engine_version|node_type|num_cache_clusters|snapshot_retention_limit")
        .level(Warning),
    lost("aws_elasticache_serverless_cache", "cache")
        .show("engine|major_engine_version")
        .level(Warning),
    lost("aws_memorydb_cluster", "database").show("engine|engine_version|node_type|num_shards"),
    lost("aws_s3_bucket", "bucket").show("bucket|force_destroy"),
    lost("aws_s3_directory_bucket", "bucket").show("bucket|force_destroy"),
    lost("aws_s3_object", "object")
        .show("bucket|key")
        .level(Warning),
    lost("aws_s3_bucket_object", "object")
        .show("bucket|key")
        .level(Warning),
    lost("aws_s3tables_table", "table").show("name"),
    lost("aws_s3tables_table_bucket", "bucket").show("name"),
    lost("aws_ebs_volume", "volume").show("size|type|encrypted|final_snapshot"),
    lost("aws_ebs_snapshot", "snapshot").show("volume_size|description"),
    lost("aws_ebs_snapshot_copy", "snapshot").show("volume_size|description"),
    lost("aws_db_snapshot", "snapshot").show("engine|allocated_storage"),
    lost("aws_db_cluster_snapshot", "snapshot").show("engine|allocated_storage"),
    lost("aws_ami", "machine image").show("name").level(Warning),
    lost("aws_efs_file_system", "file system").show("performance_mode|encrypted"),
    lost("aws_fsx_lustre_file_system", "file system").show("storage_capacity|deployment_type"),
    lost("aws_fsx_ontap_file_system", "file system").show("storage_capacity|deployment_type"),
    lost("aws_fsx_ontap_volume", "volume").show("size_in_megabytes|skip_final_backup"),
    lost("aws_fsx_openzfs_file_system", "file system").show("storage_capacity|deployment_type"),
    lost("aws_fsx_openzfs_volume", "volume").show("name"),
    lost("aws_fsx_windows_file_system", "file system")
        .show("storage_capacity|deployment_type|skip_final_backup"),
    lost("aws_backup_vault", "backups").show("name|force_destroy"),
    lost("aws_glacier_vault", "archive").show("name"),
    lost("aws_kms_key", "key").show("description|key_usage|deletion_window_in_days"),
    lost("aws_kms_external_key", "key").show("description|deletion_window_in_days"),
    lost("aws_kms_replica_key", "key")
        .show("description|deletion_window_in_days")
        .level(Warning),
    lost("aws_cloudhsm_v2_cluster", "key store").show("hsm_type"),
    lost("aws_secretsmanager_secret", "secret").show("name|recovery_window_in_days"),
    lost("aws_secretsmanager_secret_version", "secret").level(Warning),
    lost("aws_ssm_parameter", "parameter")
        .show("name|type")
        .level(Warning),
    lost("aws_sqs_queue", "queue").show("name|fifo_queue|message_retention_seconds"),
    lost("aws_sns_topic", "topic")
        .show("name|fifo_topic")
        .level(Warning),
    lost("aws_kinesis_stream", "stream").show("name|shard_count|retention_period"),
    lost("aws_kinesis_video_stream", "stream").show("name"),
    lost("aws_msk_cluster", "message broker").show("kafka_version|number_of_broker_nodes"),
    lost("aws_msk_serverless_cluster", "message broker").show("cluster_name"),
    lost("aws_mq_broker", "message broker").show("engine_type|engine_version"),
    lost("aws_cloudwatch_log_group", "logs")
        .show("name|retention_in_days")
        .level(Warning),
    lost("aws_cloudtrail_event_data_store", "audit log")
        .show("name|retention_period|termination_protection_enabled"),
    lost("aws_opensearch_domain", "search domain").show("engine_version|domain_name"),
    lost("aws_elasticsearch_domain", "search domain").show("elasticsearch_version|domain_name"),
    lost("aws_opensearchserverless_collection", "search collection").show("name|type"),
    lost("aws_route53_zone", "DNS zone").show("name|force_destroy"),
    lost("aws_route53domains_domain", "domain").show("domain_name"),
    lost("aws_ecr_repository", "registry").show("name|force_delete"),
    lost("aws_ecrpublic_repository", "registry").show("repository_name|force_destroy"),
    lost("aws_codecommit_repository", "repository").show("repository_name"),
    lost("aws_cognito_user_pool", "user directory").show("name|deletion_protection"),
    lost("aws_directory_service_directory", "user directory").show("name|type|size"),
    lost("aws_identitystore_user", "user")
        .show("user_name")
        .level(Warning),
    lost("aws_eks_cluster", "cluster").show("name|version|deletion_protection"),
    lost("aws_emr_cluster", "cluster")
        .show("name|release_label|termination_protection")
        .level(Warning),
    lost("aws_glue_catalog_database", "data catalogue")
        .show("name")
        .level(Warning),
    lost("aws_glue_catalog_table", "data catalogue")
        .show("name|database_name")
        .level(Warning),
    lost("aws_athena_database", "database")
        .show("name|force_destroy")
        .level(Warning),
    lost("aws_lightsail_database", "database").show("blueprint_id|bundle_id|skip_final_snapshot"),
    lost("aws_lightsail_disk", "volume").show("size_in_gb"),
    lost("aws_organizations_account", "account").show("name|email|close_on_deletion"),
    lost("aws_workspaces_workspace", "desktop")
        .show("user_name")
        .level(Warning),
    lost("aws_transfer_server", "transfer server")
        .show("domain|identity_provider_type|force_destroy")
        .level(Warning),
    lost("aws_codeartifact_repository", "registry").show("repository"),
    lost("aws_dsql_cluster", "database cluster").show("deletion_protection_enabled"),
    lost("aws_docdb_global_cluster", "database cluster")
        .show("engine|engine_version|deletion_protection")
        .level(Warning),
    lost("aws_docdbelastic_cluster", "database cluster").show("shard_count|shard_capacity"),
    lost("aws_neptunegraph_graph", "database")
        .show("graph_name|provisioned_memory|deletion_protection"),
    lost("aws_timestreaminfluxdb_db_*", "database")
        .show("db_instance_type|allocated_storage|deployment_type"),
    lost("aws_rds_cluster_snapshot_copy", "snapshot").show("target_db_cluster_snapshot_identifier"),
    lost("aws_*cluster_snapshot", "snapshot").show("engine|db_cluster_identifier"),
    lost("aws_redshift_cluster_snapshot", "snapshot").show("cluster_identifier"),
    lost("aws_rds_custom_db_engine_version", "engine version")
        .show("engine|engine_version")
        .level(Warning),
    lost("aws_acmpca_certificate_authority", "certificate authority")
        .show("type|usage_mode|permanent_deletion_time_in_days"),
    lost("aws_memorydb_snapshot", "snapshot").show("name|cluster_name"),
    lost("aws_fsx_backup", "backups").show("type"),
    lost("aws_fsx_file_cache", "file system")
        .show("storage_capacity")
        .level(Warning),
    lost("aws_finspace_kx_*database", "database").show("name"),
    lost("aws_lightsail_bucket", "bucket").show("name|force_delete"),
    lost("aws_lightsail_container_service", "container service")
        .show("power|scale")
        .level(Warning),
    lost("aws_cognito_identity_pool", "user directory")
        .show("identity_pool_name")
        .level(Warning),
    lost("aws_kendra_index", "search index")
        .show("name|edition")
        .level(Warning),
    lost("aws_location_tracker", "tracker")
        .show("tracker_name")
        .level(Warning),
    lost("aws_iot_thing", "device").show("name").level(Warning),
    lost("aws_mskconnect_connector", "connector")
        .show("name")
        .level(Warning),
    lost("aws_prometheus_workspace", "metrics").show("alias"),
    lost("aws_sagemaker_domain", "workspace").show("domain_name"),
    lost("aws_sagemaker_feature_group", "feature store").show("feature_group_name"),
    lost("aws_storagegateway_gateway", "gateway")
        .show("gateway_name|gateway_type")
        .level(Warning),
    lost("aws_storagegateway_*_volume", "volume").show("volume_size_in_bytes"),
    lost("aws_s3control_bucket", "bucket").show("bucket"),
    lost("aws_s3vectors_*", "vectors")
        .show("name")
        .level(Warning),
    lost("aws_cloudformation_stack*", "stack")
        .show("name")
        .level(Warning),
    data_loss(
        "aws_s3_bucket_lifecycle_configuration|aws_s3control_bucket_lifecycle_configuration",
        "rule[*].expiration[*].days",
        Shorter,
    )
    .level(Critical)
    .only_if(&[Where("..status", "Enabled")]),
    data_loss(
        "aws_s3_bucket_lifecycle_configuration",
        "rule[*].noncurrent_version_expiration[*].noncurrent_days",
        Shorter,
    )
    .level(Critical)
    .only_if(&[Where("..status", "Enabled")]),
    data_loss(
        "aws_s3_bucket",
        "lifecycle_rule[*].expiration[*].days",
        Shorter,
    )
    .level(Critical)
    .only_if(&[Where("..enabled", "true")]),
    data_loss(
        "aws_s3_bucket",
        "lifecycle_rule[*].noncurrent_version_expiration[*].days",
        Shorter,
    )
    .level(Critical)
    .only_if(&[Where("..enabled", "true")]),
    data_loss(
        "aws_s3_bucket_lifecycle_configuration|aws_s3control_bucket_lifecycle_configuration",
        "rule[*].expiration[*].days",
        There,
    )
    .what("objects expire")
    .named("aws_s3_bucket.expiry")
    .level(Warning)
    .when_created_for_existing(&[("bucket", "aws_s3_bucket.bucket|aws_s3control_bucket.bucket")])
    .only_if(&[Where("..status", "Enabled")]),
    data_loss(
        "aws_ecr_lifecycle_policy",
        "policy.rules[*].selection.countNumber",
        Lower,
    )
    .what("images expire earlier")
    .level(Warning),
    data_loss(
        "aws_ecr_lifecycle_policy",
        "policy.rules[*].selection.countNumber",
        There,
    )
    .what("images expire")
    .named("aws_ecr_lifecycle_policy.expiry")
    .level(Warning)
    .when_created_for_existing(&[("repository", "aws_ecr_repository.name")]),
    data_loss(
        "aws_s3_bucket_lifecycle_configuration|aws_s3control_bucket_lifecycle_configuration",
        "rule[*].noncurrent_version_expiration[*].noncurrent_days",
        There,
    )
    .what("old versions expire")
    .named("aws_s3_bucket.expiry of versions")
    .level(Notice)
    .when_created_for_existing(&[("bucket", "aws_s3_bucket.bucket|aws_s3control_bucket.bucket")])
    .only_if(&[Where("..status", "Enabled")]),
    data_loss(
        "aws_s3_bucket",
        "lifecycle_rule[*].expiration[*].days",
        There,
    )
    .what("objects expire")
    .named("aws_s3_bucket.expiry")
    .level(Warning)
    .only_if(&[Where("..enabled", "true")]),
    data_loss("aws_organizations_account", "close_on_deletion", On).level(Warning),
    lost("aws_backup_logically_air_gapped_vault", "backups").show("name"),
    lost(
        "aws_cloudfront_key_value_store|aws_media_store_container|aws_connect_instance",
        "data store",
    )
    .show("name")
    .named("aws_*.store"),
    lost(
        "aws_dynamodb_table_item|aws_dynamodb_table_replica|aws_neptune_global_cluster|\
         aws_kms_replica_external_key|aws_datazone_domain",
        "copy of data",
    )
    .named("aws_*.copy")
    .level(Warning),
    lost(
        "aws_kms_custom_key_store|aws_paymentcryptography_key",
        "key store",
    )
    .named("aws_*.key"),
    lost(
        "aws_db_snapshot_copy|aws_ebs_snapshot_import|aws_fsx_openzfs_snapshot|\
         aws_redshiftserverless_snapshot",
        "snapshot",
    )
    .named("aws_*.snapshot"),
    lost(
        "aws_memorydb_multi_region_cluster|aws_finspace_kx_cluster",
        "database cluster",
    )
    .named("aws_*.cluster"),
    lost("aws_sagemaker_notebook_instance", "machine with its disks")
        .show("name")
        .level(Warning),
    // Actions: what invoking one does.
    data_loss("aws_dynamodb_table", "ttl[*].enabled", On)
        .what("items expire")
        .level(Warning),
    lost("aws_eip", "address").show("public_ip").level(Warning),
    // Parts of what holds data.
    data_loss(
        "aws_keyspaces_table",
        "schema_definition[*].column[*].name",
        Fewer,
    )
    .what("column {} is dropped with its data")
    .in_place(),
    data_loss(
        "aws_timestreamwrite_table",
        "retention_properties[*].magnetic_store_retention_period_in_days",
        Lower,
    )
    .what("records are deleted earlier")
    .level(Warning)
    .in_place(),
    // Who may reach or do more.
    // Networks: who may reach something.
    exposure(
        "aws_security_group|aws_default_security_group",
        "ingress[*].cidr_blocks[*]",
        AnySource,
    ),
    exposure(
        "aws_security_group|aws_default_security_group",
        "ingress[*].ipv6_cidr_blocks[*]",
        AnySource,
    ),
    exposure("aws_security_group_rule", "cidr_blocks[*]", AnySource)
        .only_if(&[Needs("type", "ingress")]),
    exposure("aws_security_group_rule", "ipv6_cidr_blocks[*]", AnySource)
        .only_if(&[Needs("type", "ingress")]),
    exposure(
        "aws_vpc_security_group_ingress_rule",
        "cidr_ipv4",
        AnySource,
    ),
    exposure(
        "aws_vpc_security_group_ingress_rule",
        "cidr_ipv6",
        AnySource,
    ),
    exposure("aws_ec2_managed_prefix_list", "entry[*].cidr", AnySource).level(Warning),
    exposure("aws_ec2_managed_prefix_list_entry", "cidr", AnySource).level(Warning),
    exposure("aws_network_acl", "ingress[*].cidr_block", AnySource)
        .named("aws_network_acl.answers")
        .level(Notice)
        .only_if(ALLOWS_ANSWERS),
    exposure(
        "aws_default_network_acl",
        "ingress[*].cidr_block",
        AnySource,
    )
    .named("aws_default_network_acl.answers")
    .level(Notice)
    .unless_created()
    .only_if(ALLOWS_ANSWERS),
    exposure("aws_network_acl", "ingress[*].cidr_block", AnySource)
        .level(Warning)
        .only_if(&[Where("action", "allow")]),
    exposure(
        "aws_default_network_acl",
        "ingress[*].cidr_block",
        AnySource,
    )
    .level(Warning)
    .unless_created()
    .only_if(&[Where("action", "allow")]),
    exposure("aws_network_acl", "ingress[*].ipv6_cidr_block", AnySource)
        .named("aws_network_acl.answers")
        .level(Notice)
        .only_if(ALLOWS_ANSWERS),
    exposure(
        "aws_default_network_acl",
        "ingress[*].ipv6_cidr_block",
        AnySource,
    )
    .named("aws_default_network_acl.answers")
    .level(Notice)
    .unless_created()
    .only_if(ALLOWS_ANSWERS),
    exposure("aws_network_acl", "ingress[*].ipv6_cidr_block", AnySource)
        .level(Warning)
        .only_if(&[Where("action", "allow")]),
    exposure(
        "aws_default_network_acl",
        "ingress[*].ipv6_cidr_block",
        AnySource,
    )
    .level(Warning)
    .unless_created()
    .only_if(&[Where("action", "allow")]),
    exposure("aws_network_acl_rule", "cidr_block", AnySource)
        .named("aws_network_acl.answers")
        .level(Notice)
        .only_if(&[
            Needs("egress", "false"),
            Needs("from_port", "1024|32768|49152"),
            Needs("protocol", "tcp|udp|6|17"),
            Needs("rule_action", "allow"),
            Needs("to_port", "60999|61000|65535"),
        ]),
    exposure("aws_network_acl_rule", "cidr_block", AnySource)
        .level(Warning)
        .only_if(&[Needs("egress", "false"), Needs("rule_action", "allow")]),
    exposure("aws_network_acl_rule", "ipv6_cidr_block", AnySource)
        .named("aws_network_acl.answers")
        .level(Notice)
        .only_if(&[
            Needs("egress", "false"),
            Needs("from_port", "1024|32768|49152"),
            Needs("protocol", "tcp|udp|6|17"),
            Needs("rule_action", "allow"),
            Needs("to_port", "60999|61000|65535"),
        ]),
    exposure("aws_network_acl_rule", "ipv6_cidr_block", AnySource)
        .level(Warning)
        .only_if(&[Needs("egress", "false"), Needs("rule_action", "allow")]),
    exposure(
        "aws_network_acl|aws_default_network_acl",
        "ingress[*].action",
        Deny,
    ),
    exposure("aws_network_acl_rule", "rule_action", Deny),
    exposure(
        "aws_db_security_group|aws_redshift_security_group",
        "ingress[*].cidr",
        AnySource,
    )
    .serves(Class::Database),
    exposure("aws_route", "destination_cidr_block", is("0.0.0.0/0"))
        .what("a route to the internet")
        .only_if(&[Needs("gateway_id", "igw-*")]),
    exposure("aws_route", "destination_ipv6_cidr_block", is("::/0"))
        .what("a route to the internet")
        .only_if(&[Needs("gateway_id", "igw-*")]),
    exposure(
        "aws_route_table|aws_default_route_table",
        "route[*].cidr_block",
        is("0.0.0.0/0"),
    )
    .what("a route to the internet")
    .only_if(&[Needs("gateway_id", "igw-*")]),
    exposure(
        "aws_route_table|aws_default_route_table",
        "route[*].ipv6_cidr_block",
        is("::/0"),
    )
    .what("a route to the internet")
    .only_if(&[Needs("gateway_id", "igw-*")]),
    exposure(
        "aws_subnet|aws_default_subnet",
        "map_public_ip_on_launch",
        On,
    )
    .unless_created(),
    exposure(
        "aws_subnet|aws_default_subnet",
        "assign_ipv6_address_on_creation",
        On,
    )
    .level(Notice)
    .unless_created(),
    exposure(
        "aws_instance|aws_spot_instance_request|aws_launch_configuration",
        "associate_public_ip_address",
        On,
    ),
    exposure(
        "aws_launch_template",
        "network_interfaces[*].associate_public_ip_address",
        is("true"),
    ),
    exposure(
        "aws_ecs_service|aws_ecs_task_set",
        "network_configuration[*].assign_public_ip",
        On,
    ),
    exposure(
        "aws_vpc_block_public_access_options",
        "internet_gateway_block_mode",
        order("off|block-ingress|block-bidirectional"),
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_eks_cluster",
        "vpc_config[*].public_access_cidrs[*]",
        AnySource,
    )
    .serves(Class::Administration)
    .only_if(&[Unless("endpoint_public_access", "false")]),
    exposure(
        "aws_eks_cluster",
        "vpc_config[*].endpoint_public_access",
        On,
    )
    .what("open to the world where no range is configured")
    .named("aws_eks_cluster.public by default")
    .level(Warning)
    .without("public_access_cidrs"),
    exposure(
        "aws_eks_cluster",
        "vpc_config[*].endpoint_public_access",
        order("true|false"),
    )
    .unless_created(),
    exposure("aws_*", "publicly_accessible", On).serves(Class::Database),
    exposure(
        "aws_lightsail_instance_public_ports",
        "port_info[*].cidrs[*]",
        AnySource,
    ),
    exposure(
        "aws_msk_cluster",
        "broker_node_group_info[*].connectivity_info[*].public_access[*].type",
        order("SERVICE_PROVIDED_EIPS|DISABLED"),
    )
    .serves(Class::Data)
    .unless_created(),
    exposure(
        "aws_msk_cluster",
        "client_authentication[*].unauthenticated",
        On,
    )
    .unless_created(),
    exposure("aws_neptunegraph_graph", "public_connectivity", On).serves(Class::Database),
    exposure("aws_lb|aws_alb|aws_elb", "internal", Off).unless_created(),
    exposure("aws_lb|aws_alb|aws_elb", "internal", Off)
        .named("aws_*.internal = false")
        .level(Notice),
    exposure(
        "aws_apprunner_service",
        "network_configuration[*].ingress_configuration[*].is_publicly_accessible",
        On,
    )
    .unless_created(),
    exposure(
        "aws_sagemaker_notebook_instance",
        "direct_internet_access",
        order("Enabled|Disabled"),
    )
    .unless_created(),
    exposure("aws_transfer_server", "endpoint_type", order("PUBLIC|VPC")).unless_created(),
    exposure("aws_vpc_endpoint_service", "acceptance_required", Off).unless_created(),
    exposure("aws_vpc_endpoint_service", "allowed_principals[*]", is("*")),
    exposure(
        "aws_vpc_endpoint_service_allowed_principal",
        "principal_arn",
        is("*"),
    ),
    exposure(
        "aws_networkfirewall_firewall_policy",
        "firewall_policy[*].stateless_default_actions[*]",
        is("aws:pass"),
    )
    .unless_created(),
    // Access to services and data.
    exposure(
        "aws_s3_bucket|aws_s3_bucket_acl",
        "acl",
        is("public-read|public-read-write|authenticated-read"),
    )
    .serves(Class::Data),
    exposure(
        "aws_s3_object|aws_s3_bucket_object|aws_s3_object_copy",
        "acl",
        is("public-read|public-read-write|authenticated-read"),
    ),
    exposure(
        "aws_s3_bucket_acl",
        "access_control_policy[*].grant[*].grantee[*].uri",
        is("http://acs.amazonaws.com/groups/global/AllUsers|\
         http://acs.amazonaws.com/groups/global/AuthenticatedUsers"),
    )
    .serves(Class::Data),
    exposure(
        "aws_s3_bucket",
        "grant[*].uri",
        is("http://acs.amazonaws.com/groups/global/AllUsers|\
         http://acs.amazonaws.com/groups/global/AuthenticatedUsers"),
    )
    .serves(Class::Data),
    exposure(
        "aws_s3_bucket_public_access_block|aws_s3_account_public_access_block",
        "block_public_acls",
        Off,
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_s3_bucket_public_access_block|aws_s3_account_public_access_block",
        "block_public_acls",
        Off,
    )
    .named("aws_s3_*.block_public_acls = false"),
    exposure(
        "aws_s3_bucket_public_access_block|aws_s3_account_public_access_block",
        "block_public_policy",
        Off,
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_s3_bucket_public_access_block|aws_s3_account_public_access_block",
        "block_public_policy",
        Off,
    )
    .named("aws_s3_*.block_public_policy = false"),
    exposure(
        "aws_s3_bucket_public_access_block|aws_s3_account_public_access_block",
        "ignore_public_acls",
        Off,
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_s3_bucket_public_access_block|aws_s3_account_public_access_block",
        "ignore_public_acls",
        Off,
    )
    .named("aws_s3_*.ignore_public_acls = false"),
    exposure(
        "aws_s3_bucket_public_access_block|aws_s3_account_public_access_block",
        "restrict_public_buckets",
        Off,
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_s3_bucket_public_access_block|aws_s3_account_public_access_block",
        "restrict_public_buckets",
        Off,
    )
    .named("aws_s3_*.restrict_public_buckets = false"),
    exposure(
        "aws_s3_access_point",
        "public_access_block_configuration[*].block_public_policy",
        is("false"),
    )
    .level(Critical),
    exposure(
        "aws_s3_access_point",
        "public_access_block_configuration[*].restrict_public_buckets",
        is("false"),
    )
    .level(Critical),
    exposure(
        "aws_emr_block_public_access_configuration",
        "block_public_security_group_rules",
        is("false"),
    ),
    exposure(
        "aws_ebs_snapshot_block_public_access",
        "state",
        order("unblocked|block-new-sharing|block-all-sharing"),
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_ec2_image_block_public_access",
        "state",
        order("unblocked|block-new-sharing"),
    )
    .unless_created(),
    exposure("aws_ami_launch_permission", "group", is("all")).serves(Class::Data),
    exposure(
        "aws_db_snapshot|aws_db_snapshot_copy|aws_db_cluster_snapshot|\
         aws_rds_cluster_snapshot_copy",
        "shared_accounts[*]",
        is("all"),
    )
    .serves(Class::Data),
    exposure("aws_ssm_document", "permissions.account_ids", is("All|all")),
    exposure("aws_lambda_function_url", "authorization_type", is("NONE")),
    exposure(
        "aws_lambda_permission|aws_lambda_layer_version_permission",
        "principal",
        is("*"),
    ),
    exposure("aws_cloudwatch_event_permission", "principal", is("*")),
    exposure("aws_api_gateway_method", "authorization", is("NONE"))
        .only_if(&[Where("http_method", "ANY|GET|HEAD|POST|PUT|PATCH|DELETE")]),
    exposure("aws_apigatewayv2_route", "authorization_type", is("NONE")),
    exposure(
        "aws_api_gateway_rest_api|aws_api_gateway_domain_name",
        "endpoint_configuration[*].types[*]",
        is("EDGE|REGIONAL"),
    )
    .unless_created(),
    exposure(
        "aws_appsync_graphql_api",
        "authentication_type",
        is("API_KEY"),
    )
    .unless_created(),
    exposure(
        "aws_cognito_user_pool",
        "admin_create_user_config[*].allow_admin_create_user_only",
        Off,
    )
    .unless_created(),
    exposure(
        "aws_cognito_identity_pool",
        "allow_unauthenticated_identities",
        On,
    ),
    exposure(
        "aws_cloudfront_distribution",
        "default_cache_behavior[*].trusted_key_groups",
        Gone,
    )
    .unless_created(),
    exposure(
        "aws_opensearch_domain",
        "advanced_security_options[*].anonymous_auth_enabled",
        On,
    )
    .serves(Class::Database),
    exposure(
        "aws_opensearch_domain|aws_elasticsearch_domain",
        "advanced_security_options[*].enabled",
        Off,
    )
    .unless_created(),
    exposure(
        "aws_ram_resource_share",
        "allow_external_principals",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "aws_lakeformation_permissions",
        "principal",
        is("IAM_ALLOWED_PRINCIPALS"),
    ),
    exposure(
        "aws_codebuild_project",
        "project_visibility",
        order("PUBLIC_READ|PRIVATE"),
    )
    .unless_created(),
    exposure(
        "aws_codebuild_project",
        "environment[*].privileged_mode",
        On,
    )
    .unless_created(),
    exposure("aws_ecs_service", "enable_execute_command", On).unless_created(),
    exposure(
        "aws_ecs_task_definition",
        "container_definitions[*].privileged",
        On,
    ),
    exposure(
        "aws_ecs_task_definition",
        "container_definitions[*].linuxParameters.capabilities.add[*]",
        is("ALL|SYS_ADMIN|SYS_MODULE|SYS_PTRACE|NET_ADMIN"),
    ),
    exposure("aws_ecs_task_definition", "network_mode", is("host")).unless_created(),
    exposure("aws_ecs_task_definition", "pid_mode", is("host")).unless_created(),
    // Policies and roles.
    exposure("aws_*", "policy", Policy(PolicyLanguage::Iam)),
    exposure("aws_*", "resource_policy", Policy(PolicyLanguage::Iam)),
    exposure(
        "aws_cloudwatch_log_resource_policy|aws_codeartifact_*_policy|\
         aws_cloudwatch_log_data_protection_policy|aws_prometheus_resource_policy|\
         aws_xray_resource_policy",
        "policy_document",
        Policy(PolicyLanguage::Iam),
    ),
    exposure(
        "aws_opensearch_domain*|aws_elasticsearch_domain*",
        "access_policies",
        Policy(PolicyLanguage::Iam),
    ),
    exposure(
        "aws_organizations_policy|aws_organizations_resource_policy",
        "content",
        Policy(PolicyLanguage::Iam),
    )
    .unless_created(),
    exposure(
        "aws_cloudwatch_log_destination_policy|aws_cloudsearch_domain_service_access_policy",
        "access_policy",
        Policy(PolicyLanguage::Iam),
    ),
    exposure(
        "aws_iam_role",
        "inline_policy[*].policy",
        Policy(PolicyLanguage::Iam),
    ),
    exposure(
        "aws_iam_role",
        "assume_role_policy",
        Policy(PolicyLanguage::Iam),
    ),
    exposure(
        "aws_ssoadmin_permission_set_inline_policy",
        "inline_policy",
        Policy(PolicyLanguage::Iam),
    ),
    exposure(
        "aws_iam_role_policy_attachment",
        "role",
        role(
            "policy_arn",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_user_policy_attachment",
        "user",
        role(
            "policy_arn",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_group_policy_attachment",
        "group",
        role(
            "policy_arn",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_policy_attachment",
        "roles[*]",
        role(
            "policy_arn",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_policy_attachment",
        "users[*]",
        role(
            "policy_arn",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_policy_attachment",
        "groups[*]",
        role(
            "policy_arn",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_role",
        "name",
        role(
            "managed_policy_arns[*]",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_role_policy_attachments_exclusive",
        "role_name",
        role(
            "policy_arns[*]",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_user_policy_attachments_exclusive",
        "user_name",
        role(
            "policy_arns[*]",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_iam_group_policy_attachments_exclusive",
        "group_name",
        role(
            "policy_arns[*]",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure(
        "aws_ssoadmin_managed_policy_attachment",
        "permission_set_arn",
        role(
            "managed_policy_arn",
            "/AdministratorAccess|/IAMFullAccess|/PowerUserAccess|/AWSOrganizationsFullAccess|\
         /SecretsManagerReadWrite|/AWSSSOMasterAccountAdministrator|/AmazonS3FullAccess|\
         /AmazonRDSFullAccess|/AmazonEC2FullAccess|/AWSLambda_FullAccess|\
         /AWSKeyManagementServicePowerUser",
        ),
    )
    .serves(Class::Other)
    .levels(&[
        ("arn:aws-cn:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws-cn:iam::aws:policy/IAMFullAccess", Critical),
        (
            "arn:aws-us-gov:iam::aws:policy/AdministratorAccess",
            Critical,
        ),
        ("arn:aws-us-gov:iam::aws:policy/IAMFullAccess", Critical),
        ("arn:aws:iam::aws:policy/AdministratorAccess", Critical),
        ("arn:aws:iam::aws:policy/IAMFullAccess", Critical),
    ]),
    exposure("aws_ssoadmin_account_assignment", "principal_id", There).what("access for {}"),
    exposure(
        "aws_eks_access_policy_association",
        "principal_arn",
        role(
            "policy_arn",
            "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy|\
         arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy",
        ),
    )
    .serves(Class::Administration),
    exposure(
        "aws_eks_access_entry",
        "principal_arn",
        role("kubernetes_groups[*]", "system:masters"),
    )
    .serves(Class::Administration),
    exposure(
        "aws_lb_listener|aws_alb_listener",
        "default_action[*].authenticate_oidc[*]",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure(
        "aws_lb_listener|aws_alb_listener",
        "default_action[*].authenticate_cognito[*]",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure(
        "aws_lb_listener_rule|aws_alb_listener_rule",
        "action[*].authenticate_oidc[*]",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure(
        "aws_lb_listener_rule|aws_alb_listener_rule",
        "action[*].authenticate_cognito[*]",
        Gone,
    )
    .what("without a login")
    .unless_created(),
    exposure("aws_elb", "listener[*].lb_protocol", is("http|HTTP"))
        .what("plain HTTP on a public balancer")
        .named("aws_elb.plain")
        .serves(Class::Web)
        .only_if(&[Needs(".internal", "false")]),
    // Who is let in by what is created.
    exposure(
        "aws_iam_access_key|aws_iam_user_login_profile",
        "user",
        There,
    )
    .what("a permanent credential")
    .level(Notice),
    exposure("aws_iam_openid_connect_provider", "url", There)
        .what("a provider of identities")
        .level(Warning),
    exposure("aws_iam_saml_provider", "saml_metadata_document", There)
        .what("a provider of identities")
        .level(Warning),
    exposure("aws_iam_saml_provider", "saml_metadata_document", Changed)
        .named("aws_iam_saml_provider.metadata")
        .level(Warning),
    exposure("aws_ram_principal_association", "principal", There)
        .what("shared")
        .level(Warning),
    exposure(
        "aws_ami_launch_permission|aws_snapshot_create_volume_permission",
        "account_id",
        There,
    )
    .what("shared")
    .level(Warning),
    exposure("aws_vpc_peering_connection", "peer_vpc_id", There)
        .what("a connection of networks")
        .level(Notice),
    exposure("aws_kms_grant", "grantee_principal", There)
        .what("use of a key")
        .level(Warning),
    exposure("aws_lambda_permission", "principal", There)
        .what("another account may invoke it")
        .named("aws_lambda_permission.account")
        .level(Warning)
        .only_if(&[Needs(
            "principal",
            "0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|arn:aws:iam::*",
        )]),
    exposure(
        "aws_s3_bucket_cors_configuration",
        "cors_rule[*].allowed_origins[*]",
        is("*"),
    )
    .level(Notice),
    exposure("aws_transfer_server", "protocols[*]", is("FTP")).level(Warning),
    exposure("aws_instance", "iam_instance_profile", Changed)
        .level(Notice)
        .unless_created(),
    exposure("aws_lambda_function", "role", Changed)
        .level(Notice)
        .unless_created(),
    exposure("aws_ecs_task_definition", "task_role_arn", Changed)
        .level(Notice)
        .unless_created(),
    exposure("aws_elasticache_user", "no_password_required", On),
    exposure(
        "aws_ec2_client_vpn_authorization_rule",
        "authorize_all_groups",
        On,
    ),
    exposure(
        "aws_batch_job_definition",
        "eks_properties[*].pod_properties[*].containers[*].security_context[*].privileged",
        On,
    ),
    exposure(
        "aws_cloudwatch_event_target",
        "ecs_target[*].network_configuration[*].assign_public_ip",
        On,
    ),
    exposure(
        "aws_scheduler_schedule",
        "target[*].ecs_parameters[*].network_configuration[*].assign_public_ip",
        On,
    ),
    exposure(
        "aws_amplify_app|aws_amplify_branch",
        "enable_basic_auth",
        Off,
    )
    .unless_created(),
    exposure(
        "aws_ssoadmin_application_assignment_configuration",
        "assignment_required",
        Off,
    )
    .unless_created(),
    exposure("aws_apigatewayv2_route", "api_key_required", Off).unless_created(),
    exposure(
        "aws_s3_access_point",
        "public_access_block_configuration[*].block_public_acls",
        Off,
    )
    .unless_created(),
    exposure(
        "aws_s3control_multi_region_access_point",
        "details[*].public_access_block[*].block_public_acls",
        Off,
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_s3control_multi_region_access_point",
        "details[*].public_access_block[*].block_public_policy",
        Off,
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_s3control_multi_region_access_point",
        "details[*].public_access_block[*].restrict_public_buckets",
        Off,
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_s3control_multi_region_access_point",
        "details[*].public_access_block[*].ignore_public_acls",
        Off,
    )
    .level(Critical)
    .unless_created(),
    exposure(
        "aws_secretsmanager_secret_policy",
        "block_public_policy",
        Off,
    )
    .unless_created(),
    exposure(
        "aws_ec2_serial_console_access",
        "enabled",
        order("true|false"),
    )
    .unless_created(),
    exposure("aws_quicksight_ip_restriction", "enabled", Off).unless_created(),
    exposure(
        "aws_wafv2_web_acl|aws_wafv2_rule_group",
        "rule[*].action[*].allow[*]",
        There,
    )
    .what("no later rule sees what it allows")
    .unless_created(),
    exposure(
        "aws_api_gateway_rest_api|aws_apigatewayv2_api",
        "body",
        Routes,
    )
    .what("security"),
    exposure(
        "aws_api_gateway_method_settings",
        "settings[*].data_trace_enabled",
        On,
    )
    .what("logs requests and answers")
    .level(Notice),
    exposure(
        "aws_apigatewayv2_api",
        "cors_configuration[*].allow_origins[*]",
        is("*"),
    )
    .what("any site may call it")
    .level(Notice),
    exposure(
        "aws_lambda_function_url",
        "cors[*].allow_origins[*]",
        is("*"),
    )
    .what("any site may call it")
    .level(Notice),
    // What guards, records or backs up.
    protection("aws_lb|aws_alb", "enable_deletion_protection", Off),
    protection("aws_emr_cluster", "termination_protection", Off),
    protection(
        "aws_ebs_volume|aws_efs_file_system|aws_ebs_snapshot_copy",
        "encrypted",
        Off,
    )
    .level(Critical),
    protection(
        "aws_ebs_volume|aws_efs_file_system|aws_ebs_snapshot_copy",
        "encrypted",
        Off,
    )
    .named("aws_*.encrypted = false")
    .when_created(),
    protection("aws_iam_user", "force_destroy", On).level(Notice),
    protection("aws_*", "iam_database_authentication_enabled", Off),
    protection(
        "aws_db_instance|aws_rds_cluster|aws_rds_cluster_instance",
        "performance_insights_enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_db_instance|aws_rds_cluster_instance",
        "monitoring_interval",
        Lower,
    )
    .level(Notice),
    protection(
        "aws_db_instance|aws_rds_cluster|aws_docdb_cluster",
        "enabled_cloudwatch_logs_exports[*]",
        Fewer,
    )
    .levels(&[("audit", Critical)]),
    protection(
        "aws_neptune_cluster",
        "enable_cloudwatch_logs_exports[*]",
        Fewer,
    )
    .levels(&[("audit", Critical)]),
    protection(
        "aws_db_parameter_group|aws_rds_cluster_parameter_group|\
         aws_docdb_cluster_parameter_group|aws_neptune_cluster_parameter_group|\
         aws_redshift_parameter_group",
        "parameter[*].value",
        order("0|OFF|off|disabled|false|none|1|ON|on|enabled|true|all|tls1.2+|tls1.3+|fips-140-3"),
    )
    .only_if(&[Needs(
        "name",
        "rds.force_ssl|require_secure_transport|require_ssl|tls|audit_logs|pgaudit.log|\
         log_connections|rds.force_admin_logging_level|enable_user_activity_logging|\
         server_audit_logging|neptune_enable_audit_log",
    )]),
    protection("aws_ssm_parameter", "type", order("String|SecureString"))
        .what("no longer encrypted"),
    protection("aws_db_proxy", "require_tls", Off),
    protection(
        "aws_instance|aws_spot_instance_request|aws_launch_template",
        "disable_api_termination",
        Off,
    ),
    protection("aws_instance|aws_launch_template", "disable_api_stop", Off),
    protection("aws_instance", "monitoring", Off).level(Notice),
    protection(
        "aws_instance|aws_launch_template|aws_launch_configuration|aws_spot_instance_request",
        "metadata_options[*].http_tokens",
        order("optional|required"),
    ),
    protection(
        "aws_ec2_instance_metadata_defaults",
        "http_tokens",
        order("optional|no-preference|required"),
    ),
    protection(
        "aws_instance|aws_launch_configuration|aws_spot_instance_request",
        "root_block_device[*].encrypted",
        Off,
    )
    .level(Critical),
    protection(
        "aws_instance|aws_launch_configuration|aws_spot_instance_request",
        "ebs_block_device[*].encrypted",
        Off,
    )
    .level(Critical),
    protection(
        "aws_launch_template",
        "block_device_mappings[*].ebs[*].encrypted",
        order("false|true"),
    )
    .level(Critical),
    protection("aws_ebs_encryption_by_default", "enabled", Off),
    protection("aws_s3_bucket", "versioning[*].enabled", Off),
    protection("aws_s3_bucket", "versioning[*].mfa_delete", Off),
    protection(
        "aws_s3_bucket",
        "server_side_encryption_configuration[*]",
        Gone,
    ),
    protection("aws_s3_bucket", "logging[*]", Gone),
    protection("aws_s3_bucket", "object_lock_configuration[*]", Gone),
    protection("aws_s3_bucket", "replication_configuration[*]", Gone),
    protection(
        "aws_s3_bucket_versioning",
        "versioning_configuration[*].status",
        order("Disabled|Suspended|Enabled"),
    ),
    protection(
        "aws_s3_bucket_versioning",
        "versioning_configuration[*].mfa_delete",
        order("Disabled|Enabled"),
    ),
    protection(
        "aws_s3_bucket_server_side_encryption_configuration",
        "rule[*].apply_server_side_encryption_by_default[*].sse_algorithm",
        order("AES256|aws:kms|aws:kms:dsse"),
    ),
    protection(
        "aws_s3_bucket_ownership_controls",
        "rule[*].object_ownership",
        order("ObjectWriter|BucketOwnerPreferred|BucketOwnerEnforced"),
    ),
    protection(
        "aws_s3_bucket_object_lock_configuration",
        "rule[*].default_retention[*].days",
        Lower,
    ),
    protection(
        "aws_s3_bucket_object_lock_configuration",
        "rule[*].default_retention[*].years",
        Lower,
    ),
    protection(
        "aws_s3_bucket_object_lock_configuration",
        "rule[*].default_retention[*].mode",
        order("GOVERNANCE|COMPLIANCE"),
    ),
    protection(
        "aws_dynamodb_table",
        "point_in_time_recovery[*].enabled",
        Off,
    )
    .level(Critical),
    protection(
        "aws_dynamodb_table|aws_dax_cluster|aws_kinesis_firehose_delivery_stream",
        "server_side_encryption[*].enabled",
        Off,
    ),
    protection("aws_kms_key", "enable_key_rotation", Off),
    protection("aws_kms_key", "is_enabled", Off),
    protection("aws_kms_replica_key|aws_kms_external_key", "enabled", Off),
    protection("aws_cloudtrail", "enable_logging", Off).level(Critical),
    protection("aws_cloudtrail", "enable_log_file_validation", Off),
    protection("aws_cloudtrail", "is_multi_region_trail", Off),
    protection("aws_cloudtrail", "is_organization_trail", Off),
    protection("aws_cloudtrail", "include_global_service_events", Off),
    protection("aws_cloudtrail", "cloud_watch_logs_group_arn", Gone),
    protection("aws_cloudtrail_event_data_store", "retention_period", Lower),
    protection("aws_guardduty_detector", "enable", Off),
    protection(
        "aws_guardduty_detector_feature",
        "status",
        order("DISABLED|ENABLED"),
    ),
    protection(
        "aws_config_configuration_recorder_status",
        "is_enabled",
        Off,
    ),
    protection("aws_macie2_account", "status", order("PAUSED|ENABLED")),
    protection("aws_eks_cluster", "enabled_cluster_log_types[*]", Fewer)
        .levels(&[("audit", Critical)]),
    protection("aws_eks_cluster", "encryption_config", Gone).level(Critical),
    protection("aws_lb|aws_alb|aws_elb", "access_logs[*].enabled", Off),
    protection("aws_lb|aws_alb", "connection_logs[*].enabled", Off),
    protection("aws_lb|aws_alb", "drop_invalid_header_fields", Off),
    protection(
        "aws_lb|aws_alb",
        "desync_mitigation_mode",
        order("monitor|defensive|strictest"),
    ),
    protection("aws_elb", "listener[*].lb_protocol", order("http|https")),
    protection("aws_elb", "listener[*].lb_protocol", order("HTTP|HTTPS")).named("aws_elb.upper"),
    protection("aws_elb", "listener[*].lb_protocol", order("tcp|ssl")).named("aws_elb.tls"),
    protection("aws_elb", "listener[*].ssl_certificate_id", Emptied),
    protection(
        "aws_lb_listener|aws_alb_listener",
        "protocol",
        order("HTTP|HTTPS"),
    ),
    protection(
        "aws_lb_listener|aws_alb_listener",
        "protocol",
        order("TCP|TLS"),
    )
    .named("aws_lb_listener.tls"),
    protection(
        "aws_lb_listener|aws_alb_listener",
        "ssl_policy",
        is("ELBSecurityPolicy-2016-08|ELBSecurityPolicy-2015-05|\
         ELBSecurityPolicy-TLS-1-0-2015-04|ELBSecurityPolicy-TLS-1-1-2017-01|\
         ELBSecurityPolicy-TLS13-1-0-2021-06|ELBSecurityPolicy-TLS13-1-1-2021-06"),
    ),
    protection(
        "aws_lb_target_group|aws_alb_target_group",
        "health_check[*].enabled",
        Off,
    ),
    protection(
        "aws_cloudfront_distribution",
        "viewer_certificate[*].minimum_protocol_version",
        order(
            "SSLv3|TLSv1|TLSv1_2016|TLSv1.1_2016|TLSv1.2_2018|TLSv1.2_2019|TLSv1.2_2021|\
         TLSv1.2_2025|TLSv1.3_2025",
        ),
    ),
    protection(
        "aws_cloudfront_distribution",
        "default_cache_behavior[*].viewer_protocol_policy",
        order("allow-all|redirect-to-https|https-only"),
    ),
    protection(
        "aws_cloudfront_distribution",
        "origin[*].custom_origin_config[*].origin_protocol_policy",
        order("http-only|match-viewer|https-only"),
    ),
    protection("aws_cloudfront_distribution", "logging_config", Gone),
    protection("aws_cloudfront_distribution", "web_acl_id", Gone),
    protection("aws_wafv2_web_acl", "default_action[*].block", Gone),
    protection(
        "aws_wafv2_web_acl|aws_wafv2_rule_group",
        "rule[*].action[*].block",
        Gone,
    ),
    protection(
        "aws_wafv2_web_acl",
        "rule[*].override_action[*].count[*]",
        There,
    )
    .what("only counts"),
    protection(
        "aws_wafv2_web_acl",
        "rule[*].statement[*].managed_rule_group_statement[*]",
        Gone,
    ),
    protection(
        "aws_networkfirewall_firewall",
        "firewall_policy_change_protection",
        Off,
    ),
    protection(
        "aws_api_gateway_domain_name",
        "security_policy",
        order("TLS_1_0|TLS_1_2"),
    ),
    protection(
        "aws_api_gateway_stage|aws_apigatewayv2_stage",
        "access_log_settings",
        Gone,
    ),
    protection(
        "aws_api_gateway_method_settings",
        "settings[*].logging_level",
        order("OFF|ERROR|INFO"),
    ),
    protection(
        "aws_api_gateway_method_settings",
        "settings[*].cache_data_encrypted",
        Off,
    ),
    protection("aws_api_gateway_method", "api_key_required", Off),
    protection(
        "aws_sfn_state_machine",
        "logging_configuration[*].level",
        order("OFF|FATAL|ERROR|ALL"),
    ),
    protection(
        "aws_globalaccelerator_accelerator",
        "attributes[*].flow_logs_enabled",
        Off,
    ),
    protection(
        "aws_elasticache_replication_group|aws_elasticache_cluster",
        "log_delivery_configuration",
        Gone,
    ),
    protection(
        "aws_ecr_repository",
        "image_tag_mutability",
        order("MUTABLE|IMMUTABLE"),
    ),
    protection(
        "aws_ecr_repository",
        "image_scanning_configuration[*].scan_on_push",
        Off,
    ),
    protection(
        "aws_ecr_registry_scanning_configuration",
        "scan_type",
        order("BASIC|ENHANCED"),
    ),
    protection(
        "aws_iam_account_password_policy",
        "minimum_password_length",
        Lower,
    ),
    protection(
        "aws_iam_account_password_policy",
        "password_reuse_prevention",
        Lower,
    ),
    protection("aws_iam_account_password_policy", "require_symbols", Off),
    protection("aws_iam_account_password_policy", "require_numbers", Off),
    protection(
        "aws_iam_account_password_policy",
        "require_uppercase_characters",
        Off,
    ),
    protection(
        "aws_iam_account_password_policy",
        "require_lowercase_characters",
        Off,
    ),
    protection("aws_iam_role|aws_iam_user", "permissions_boundary", Gone),
    protection(
        "aws_opensearch_domain|aws_elasticsearch_domain",
        "encrypt_at_rest[*].enabled",
        Off,
    )
    .level(Critical),
    protection(
        "aws_opensearch_domain|aws_elasticsearch_domain",
        "node_to_node_encryption[*].enabled",
        Off,
    ),
    protection(
        "aws_opensearch_domain|aws_elasticsearch_domain",
        "domain_endpoint_options[*].enforce_https",
        Off,
    ),
    protection(
        "aws_opensearch_domain|aws_elasticsearch_domain",
        "log_publishing_options[*].enabled",
        Off,
    ),
    protection("aws_redshift_cluster", "enhanced_vpc_routing", Off),
    protection("aws_redshift_cluster", "logging[*].enable", Off),
    protection("aws_redshift_cluster", "encrypted", Off).level(Critical),
    protection("aws_kinesis_stream", "retention_period", Lower),
    protection("aws_kinesis_stream", "encryption_type", order("NONE|KMS")),
    protection(
        "aws_msk_cluster",
        "encryption_info[*].encryption_in_transit[*].client_broker",
        order("PLAINTEXT|TLS_PLAINTEXT|TLS"),
    ),
    protection("aws_memorydb_cluster", "tls_enabled", Off),
    protection("aws_mq_broker", "logs[*].audit", Off),
    protection("aws_sqs_queue", "sqs_managed_sse_enabled", Off),
    protection("aws_sqs_queue|aws_sns_topic", "kms_master_key_id", Gone),
    protection("aws_sqs_queue", "message_retention_seconds", Lower),
    protection("aws_sqs_queue", "redrive_policy", Gone),
    protection(
        "aws_cognito_user_pool",
        "mfa_configuration",
        order("OFF|OPTIONAL|ON"),
    ),
    protection(
        "aws_cognito_user_pool",
        "deletion_protection",
        order("INACTIVE|ACTIVE"),
    )
    .level(Critical),
    protection(
        "aws_cognito_user_pool",
        "password_policy[*].minimum_length",
        Lower,
    ),
    protection(
        "aws_cognito_user_pool",
        "password_policy[*].require_symbols",
        Off,
    ),
    protection(
        "aws_cognito_user_pool",
        "password_policy[*].require_numbers",
        Off,
    ),
    protection(
        "aws_cognito_user_pool",
        "user_pool_add_ons[*].advanced_security_mode",
        order("OFF|AUDIT|ENFORCED"),
    ),
    protection("aws_cloudwatch_metric_alarm", "threshold", Higher)
        .only_if(&[Needs("comparison_operator", "GreaterThan*")]),
    protection("aws_cloudwatch_metric_alarm", "threshold", Lower)
        .named("aws_cloudwatch_metric_alarm.threshold, below")
        .only_if(&[Needs("comparison_operator", "LessThan*")]),
    protection("aws_cloudwatch_metric_alarm", "evaluation_periods", Higher).level(Notice),
    protection("aws_cloudwatch_metric_alarm", "datapoints_to_alarm", Higher).level(Notice),
    protection("aws_cloudwatch_metric_alarm", "period", Higher).level(Notice),
    protection(
        "aws_cloudwatch_metric_alarm|aws_cloudwatch_composite_alarm",
        "actions_enabled",
        Off,
    ),
    protection(
        "aws_cloudwatch_metric_alarm|aws_cloudwatch_composite_alarm",
        "alarm_actions[*]",
        Fewer,
    ),
    protection(
        "aws_cloudwatch_metric_alarm",
        "treat_missing_data",
        order("notBreaching|ignore|missing|breaching"),
    ),
    protection("aws_budgets_budget", "notification", Gone).what("nobody is notified"),
    protection("aws_budgets_budget", "limit_amount", Higher).level(Notice),
    protection(
        "aws_codebuild_project",
        "artifacts[*].encryption_disabled",
        On,
    ),
    protection(
        "aws_codebuild_project",
        "secondary_artifacts[*].encryption_disabled",
        On,
    ),
    protection(
        "aws_codebuild_project",
        "logs_config[*].s3_logs[*].encryption_disabled",
        On,
    ),
    protection(
        "aws_codebuild_project",
        "logs_config[*].cloudwatch_logs[*].status",
        order("DISABLED|ENABLED"),
    ),
    protection(
        "aws_codebuild_report_group",
        "export_config[*].s3_destination[*].encryption_disabled",
        On,
    ),
    protection(
        "aws_athena_workgroup",
        "configuration[*].enforce_workgroup_configuration",
        Off,
    ),
    protection("aws_lambda_function", "code_signing_config_arn", Gone),
    protection("aws_lambda_function", "dead_letter_config", Gone),
    protection(
        "aws_lambda_code_signing_config",
        "policies[*].untrusted_artifact_on_deployment",
        order("Warn|Enforce"),
    ),
    protection(
        "aws_backup_plan",
        "rule[*].lifecycle[*].delete_after",
        Shorter,
    ),
    protection("aws_backup_plan", "rule[*].enable_continuous_backup", Off),
    protection(
        "aws_backup_vault_lock_configuration",
        "min_retention_days",
        Lower,
    ),
    protection(
        "aws_dlm_lifecycle_policy",
        "state",
        order("DISABLED|ENABLED"),
    ),
    protection("aws_flow_log", "traffic_type", order("REJECT|ALL")),
    protection("aws_flow_log", "traffic_type", order("ACCEPT|ALL")).named("aws_flow_log.accepted"),
    protection(
        "aws_efs_backup_policy",
        "backup_policy[*].status",
        order("DISABLED|ENABLED"),
    )
    .level(Critical),
    protection("aws_lightsail_database", "backup_retention_enabled", Off).level(Critical),
    protection(
        "aws_route53domains_registered_domain|aws_route53domains_domain",
        "transfer_lock",
        Off,
    ),
    protection(
        "aws_route53domains_registered_domain|aws_route53domains_domain",
        "auto_renew",
        Off,
    ),
    protection(
        "aws_ecs_service",
        "deployment_circuit_breaker[*].enable",
        Off,
    )
    .level(Notice),
    protection(
        "aws_ecs_task_definition",
        "container_definitions[*].logConfiguration",
        Emptied,
    ),
    protection(
        "aws_codedeploy_deployment_group",
        "auto_rollback_configuration[*].enabled",
        Off,
    )
    .level(Notice),
    protection("aws_route53_health_check", "disabled", On),
    protection(
        "aws_route53_record",
        "records",
        order("*p=none*|*p=quarantine*|*p=reject*"),
    )
    .what("the policy for forged mail")
    .named("aws_route53_record.dmarc.policy")
    .only_if(&[Needs("name", "_dmarc*"), Needs("type", "TXT")]),
    protection(
        "aws_route53_record",
        "records",
        order("v=spf1*+all*|v=spf1*~all*|v=spf1*-all*"),
    )
    .what("who may send mail")
    .named("aws_route53_record.spf.policy")
    .only_if(&[Needs("type", "TXT")]),
    protection("aws_autoscaling_group", "protect_from_scale_in", Off).level(Notice),
    protection(
        "aws_workspaces_workspace",
        "root_volume_encryption_enabled",
        Off,
    ),
    protection(
        "aws_ecs_task_definition",
        "container_definitions[*].readonlyRootFilesystem",
        Off,
    ),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded("aws_s3_bucket_public_access_block")
        .guards(&[("bucket", "aws_s3_bucket.bucket")])
        .level(Critical),
    unguarded("aws_s3_account_public_access_block").level(Critical),
    unguarded("aws_s3_bucket_policy")
        .guards(&[("bucket", "aws_s3_bucket.bucket")])
        .if_denies("policy"),
    unguarded("aws_sqs_queue_policy")
        .guards(&[("queue_url", "aws_sqs_queue.url")])
        .if_denies("policy"),
    unguarded("aws_sns_topic_policy")
        .guards(&[("arn", "aws_sns_topic")])
        .if_denies("policy"),
    unguarded("aws_ecr_repository_policy")
        .guards(&[("repository", "aws_ecr_repository")])
        .if_denies("policy"),
    unguarded("aws_secretsmanager_secret_policy")
        .guards(&[("secret_arn", "aws_secretsmanager_secret")])
        .if_denies("policy"),
    unguarded("aws_kms_key_policy")
        .guards(&[("key_id", "aws_kms_key.key_id")])
        .if_denies("policy"),
    unguarded("aws_backup_vault_policy")
        .guards(&[("backup_vault_name", "aws_backup_vault")])
        .if_denies("policy"),
    unguarded("aws_efs_file_system_policy")
        .guards(&[("file_system_id", "aws_efs_file_system")])
        .if_denies("policy"),
    unguarded("aws_opensearch_domain_policy|aws_elasticsearch_domain_policy")
        .guards(&[(
            "domain_name",
            "aws_opensearch_domain.domain_name|aws_elasticsearch_domain.domain_name",
        )])
        .if_denies("access_policies"),
    unguarded("aws_cloudwatch_event_bus_policy")
        .guards(&[("event_bus_name", "aws_cloudwatch_event_bus")])
        .if_denies("policy"),
    unguarded("aws_api_gateway_rest_api_policy")
        .guards(&[("rest_api_id", "aws_api_gateway_rest_api")])
        .if_denies("policy"),
    unguarded("aws_s3control_access_point_policy")
        .guards(&[("access_point_arn", "aws_s3_access_point")])
        .if_denies("policy"),
    unguarded("aws_codeartifact_domain_permissions_policy")
        .guards(&[("domain", "aws_codeartifact_domain.domain")])
        .if_denies("policy_document"),
    unguarded("aws_codeartifact_repository_permissions_policy")
        .guards(&[("repository", "aws_codeartifact_repository.repository")])
        .if_denies("policy_document"),
    unguarded("aws_dynamodb_resource_policy")
        .guards(&[("resource_arn", "aws_dynamodb_table")])
        .if_denies("policy"),
    unguarded("aws_kinesis_resource_policy")
        .guards(&[("resource_arn", "aws_kinesis_stream")])
        .if_denies("policy"),
    unguarded("aws_iam_role_policy")
        .guards(&[("role", "aws_iam_role")])
        .if_denies("policy"),
    unguarded("aws_iam_user_policy")
        .guards(&[("user", "aws_iam_user")])
        .if_denies("policy"),
    unguarded("aws_iam_group_policy")
        .guards(&[("group", "aws_iam_group")])
        .if_denies("policy"),
    unguarded("aws_vpc_endpoint_policy")
        .guards(&[("vpc_endpoint_id", "aws_vpc_endpoint")])
        .if_denies("policy"),
    unguarded(
        "aws_acmpca_policy|aws_codebuild_resource_policy|aws_networkfirewall_resource_policy|\
         aws_redshift_resource_policy|aws_redshiftserverless_resource_policy|\
         aws_vpclattice_resource_policy",
    )
    .guards(&[(
        "resource_arn",
        "aws_acmpca_certificate_authority|aws_codebuild_project|aws_codebuild_report_group|\
         aws_networkfirewall_firewall_policy|aws_networkfirewall_rule_group|\
         aws_redshift_cluster.cluster_namespace_arn|aws_redshiftserverless_namespace|\
         aws_redshiftserverless_snapshot|aws_vpclattice_service|\
         aws_vpclattice_service_network",
    )])
    .if_denies("policy"),
    unguarded(
        "aws_ecrpublic_repository_policy|aws_glacier_vault_lock|aws_msk_cluster_policy|\
         aws_s3control_bucket_policy|aws_schemas_registry_policy|aws_ses_identity_policy|\
         aws_sesv2_email_identity_policy|aws_vpclattice_auth_policy|aws_oam_sink_policy|\
         aws_media_store_container_policy",
    )
    .guards(&[
        ("bucket", "aws_s3control_bucket"),
        ("cluster_arn", "aws_msk_cluster|aws_msk_serverless_cluster"),
        ("container_name", "aws_media_store_container"),
        ("email_identity", "aws_sesv2_email_identity.email_identity"),
        (
            "identity",
            "aws_ses_domain_identity.domain|aws_ses_email_identity.email",
        ),
        ("registry_name", "aws_schemas_registry"),
        (
            "repository_name",
            "aws_ecrpublic_repository.repository_name",
        ),
        (
            "resource_identifier",
            "aws_vpclattice_service|aws_vpclattice_service_network",
        ),
        ("sink_identifier", "aws_oam_sink"),
        ("vault_name", "aws_glacier_vault"),
    ])
    .if_denies("policy"),
    unguarded(
        "aws_s3tables_table_bucket_policy|aws_s3tables_table_policy|\
         aws_sagemaker_model_package_group_policy",
    )
    .guards(&[
        (
            "model_package_group_name",
            "aws_sagemaker_model_package_group.model_package_group_name",
        ),
        ("name", "aws_s3tables_table"),
        ("table_bucket_arn", "aws_s3tables_table_bucket"),
    ])
    .if_denies("resource_policy"),
    unguarded("aws_cloudwatch_log_destination_policy|aws_cloudsearch_domain_service_access_policy")
        .guards(&[
            ("destination_name", "aws_cloudwatch_log_destination"),
            ("domain_name", "aws_cloudsearch_domain"),
        ])
        .if_denies("access_policy"),
    unguarded("aws_ssoadmin_permission_set_inline_policy")
        .guards(&[("permission_set_arn", "aws_ssoadmin_permission_set")])
        .if_denies("inline_policy"),
    unguarded(
        "aws_prometheus_resource_policy|aws_cloudwatch_log_resource_policy|\
         aws_xray_resource_policy",
    )
    .guards(&[("workspace_id", "aws_prometheus_workspace")])
    .if_denies("policy_document"),
    unguarded(
        "aws_ecr_registry_policy|aws_glue_resource_policy|\
         aws_s3control_access_grants_instance_resource_policy",
    )
    .if_denies("policy"),
    unguarded("aws_organizations_resource_policy").if_denies("content"),
    unguarded("aws_s3_bucket_versioning").guards(&[("bucket", "aws_s3_bucket.bucket")]),
    unguarded("aws_s3_bucket_server_side_encryption_configuration")
        .guards(&[("bucket", "aws_s3_bucket.bucket")]),
    unguarded("aws_s3_bucket_logging").guards(&[("bucket", "aws_s3_bucket.bucket")]),
    unguarded("aws_s3_bucket_object_lock_configuration")
        .guards(&[("bucket", "aws_s3_bucket.bucket")]),
    unguarded("aws_cloudtrail").level(Critical),
    unguarded("aws_guardduty_detector"),
    unguarded("aws_config_configuration_recorder"),
    unguarded("aws_config_configuration_recorder_status"),
    unguarded("aws_securityhub_account"),
    unguarded("aws_flow_log").guards(&[
        ("eni_id", "aws_network_interface"),
        ("subnet_id", "aws_subnet"),
        (
            "transit_gateway_attachment_id",
            "aws_ec2_transit_gateway_vpc_attachment|aws_ec2_transit_gateway_peering_attachment",
        ),
        ("transit_gateway_id", "aws_ec2_transit_gateway"),
        ("vpc_id", "aws_vpc"),
    ]),
    unguarded("aws_backup_plan"),
    unguarded("aws_backup_selection").guards(&[(
        "resources",
        "aws_db_instance|aws_rds_cluster|aws_dynamodb_table|aws_efs_file_system|\
         aws_ebs_volume|aws_instance|aws_s3_bucket|aws_docdb_cluster|aws_neptune_cluster|\
         aws_redshift_cluster",
    )]),
    unguarded("aws_backup_vault_lock_configuration")
        .guards(&[("backup_vault_name", "aws_backup_vault")]),
    unguarded("aws_wafv2_web_acl_association").guards(&[(
        "resource_arn",
        "aws_lb|aws_alb|aws_api_gateway_stage|aws_appsync_graphql_api|aws_cognito_user_pool|\
         aws_apprunner_service|aws_verifiedaccess_instance",
    )]),
    unguarded("aws_shield_protection").guards(&[(
        "resource_arn",
        "aws_lb|aws_alb|aws_elb|aws_cloudfront_distribution|aws_route53_zone|\
         aws_globalaccelerator_accelerator|aws_eip",
    )]),
    unguarded("aws_iam_account_password_policy"),
    unguarded("aws_ebs_encryption_by_default"),
    unguarded("aws_cloudwatch_metric_alarm").guards(&[
        ("dimensions", ""),
        ("dimensions.AutoScalingGroupName", "aws_autoscaling_group"),
        ("dimensions.BucketName", "aws_s3_bucket.bucket"),
        (
            "dimensions.CacheClusterId",
            "aws_elasticache_cluster.cluster_id",
        ),
        (
            "dimensions.ClusterIdentifier",
            "aws_redshift_cluster.cluster_identifier",
        ),
        ("dimensions.ClusterName", "aws_ecs_cluster|aws_eks_cluster"),
        (
            "dimensions.DBClusterIdentifier",
            "aws_rds_cluster.cluster_identifier|aws_docdb_cluster.cluster_identifier|\
         aws_neptune_cluster.cluster_identifier",
        ),
        (
            "dimensions.DBInstanceIdentifier",
            "aws_db_instance.identifier|aws_rds_cluster_instance.identifier",
        ),
        ("dimensions.DistributionId", "aws_cloudfront_distribution"),
        (
            "dimensions.DomainName",
            "aws_opensearch_domain.domain_name|aws_elasticsearch_domain.domain_name",
        ),
        ("dimensions.FileSystemId", "aws_efs_file_system"),
        (
            "dimensions.FunctionName",
            "aws_lambda_function.function_name",
        ),
        ("dimensions.HealthCheckId", "aws_route53_health_check"),
        ("dimensions.InstanceId", "aws_instance"),
        (
            "dimensions.LoadBalancer",
            "aws_lb.arn_suffix|aws_alb.arn_suffix",
        ),
        ("dimensions.LoadBalancerName", "aws_elb"),
        ("dimensions.NatGatewayId", "aws_nat_gateway"),
        ("dimensions.QueueName", "aws_sqs_queue"),
        (
            "dimensions.ReplicationGroupId",
            "aws_elasticache_replication_group.replication_group_id",
        ),
        ("dimensions.StateMachineArn", "aws_sfn_state_machine"),
        ("dimensions.StreamName", "aws_kinesis_stream"),
        ("dimensions.TableName", "aws_dynamodb_table"),
        (
            "dimensions.TargetGroup",
            "aws_lb_target_group.arn_suffix|aws_alb_target_group.arn_suffix",
        ),
        ("dimensions.TopicName", "aws_sns_topic"),
        ("dimensions.VolumeId", "aws_ebs_volume"),
        ("dimensions.VpnId", "aws_vpn_connection"),
    ]),
    unguarded("aws_route53_health_check").guards(&[
        ("fqdn", "aws_lb.dns_name|aws_alb.dns_name|aws_elb.dns_name"),
        ("ip_address", "aws_eip.public_ip|aws_instance.public_ip"),
    ]),
    unguarded("aws_dynamodb_kinesis_streaming_destination")
        .guards(&[("table_name", "aws_dynamodb_table")]),
    unguarded("aws_wafv2_web_acl|aws_wafregional_web_acl|aws_waf_web_acl"),
    unguarded("aws_wafv2_web_acl_logging_configuration")
        .guards(&[("resource_arn", "aws_wafv2_web_acl")]),
    unguarded("aws_organizations_policy_attachment")
        .guards(&[
            ("policy_id", ""),
            (
                "target_id",
                "aws_organizations_account|aws_organizations_organizational_unit",
            ),
        ])
        .level(Critical),
    unguarded("aws_organizations_policy").level(Critical),
    unguarded("aws_ssoadmin_permissions_boundary_attachment")
        .guards(&[("permission_set_arn", "aws_ssoadmin_permission_set")]),
    unguarded("aws_s3_bucket_replication_configuration")
        .guards(&[("bucket", "aws_s3_bucket.bucket")]),
    unguarded("aws_s3_bucket_ownership_controls").guards(&[("bucket", "aws_s3_bucket.bucket")]),
    unguarded("aws_efs_backup_policy")
        .guards(&[("file_system_id", "aws_efs_file_system")])
        .level(Critical),
    unguarded("aws_efs_replication_configuration")
        .guards(&[("source_file_system_id", "aws_efs_file_system")]),
    unguarded("aws_db_instance_automated_backups_replication")
        .guards(&[("source_db_instance_arn", "aws_db_instance")]),
    unguarded("aws_redshift_snapshot_schedule_association").guards(&[(
        "cluster_identifier",
        "aws_redshift_cluster.cluster_identifier",
    )]),
    unguarded("aws_redshift_logging").guards(&[(
        "cluster_identifier",
        "aws_redshift_cluster.cluster_identifier",
    )]),
    unguarded("aws_dlm_lifecycle_policy"),
    unguarded("aws_secretsmanager_secret_rotation")
        .guards(&[("secret_id", "aws_secretsmanager_secret")]),
    unguarded("aws_cloudwatch_composite_alarm"),
    unguarded("aws_cloudwatch_log_metric_filter")
        .guards(&[("log_group_name", "aws_cloudwatch_log_group")]),
    unguarded("aws_cloudwatch_log_subscription_filter")
        .guards(&[("log_group_name", "aws_cloudwatch_log_group")]),
    unguarded("aws_route53_query_log").guards(&[("zone_id", "aws_route53_zone.zone_id")]),
    unguarded("aws_route53_hosted_zone_dnssec")
        .guards(&[("hosted_zone_id", "aws_route53_zone.zone_id")]),
    unguarded("aws_route53_record")
        .guards(&[("zone_id", "aws_route53_zone.zone_id")])
        .named("aws_route53_record.caa")
        .only_if(&[Needs("type", "CAA")]),
    unguarded("aws_route53_record")
        .guards(&[("zone_id", "aws_route53_zone.zone_id")])
        .named("aws_route53_record.dmarc")
        .only_if(&[Needs("name", "_dmarc.*"), Needs("type", "TXT")]),
    unguarded("aws_route53_record")
        .guards(&[("zone_id", "aws_route53_zone.zone_id")])
        .named("aws_route53_record.dkim")
        .only_if(&[Needs("name", "*._domainkey.*"), Needs("type", "TXT|CNAME")]),
    unguarded("aws_route53_record")
        .guards(&[("zone_id", "aws_route53_zone.zone_id")])
        .named("aws_route53_record.spf")
        .only_if(&[Needs("records", "v=spf1*"), Needs("type", "TXT|SPF")]),
    unguarded("aws_route53_resolver_query_log_config*"),
    unguarded("aws_networkfirewall_logging_configuration")
        .guards(&[("firewall_arn", "aws_networkfirewall_firewall")]),
    unguarded("aws_networkfirewall_firewall").guards(&[("vpc_id", "aws_vpc")]),
    unguarded(
        "aws_vpc_block_public_access_options|aws_ebs_snapshot_block_public_access|\
         aws_ec2_image_block_public_access|aws_emr_block_public_access_configuration",
    )
    .level(Critical),
    unguarded(
        "aws_inspector2_enabler|aws_macie2_account|aws_detective_graph|\
         aws_accessanalyzer_analyzer|aws_config_delivery_channel|aws_config_conformance_pack|\
         aws_securityhub_standards_subscription|aws_securityhub_organization_configuration|\
         aws_guardduty_organization_configuration",
    ),
    unguarded("aws_config_config_rule|aws_config_organization_managed_rule"),
    unguarded("aws_iam_virtual_mfa_device").guards(&[("user_name", "aws_iam_user")]),
    unguarded("aws_budgets_budget|aws_ce_anomaly_monitor|aws_ce_anomaly_subscription")
        .level(Notice),
    unguarded("aws_rds_cluster_activity_stream")
        .guards(&[("resource_arn", "aws_rds_cluster")])
        .level(Critical),
    protection(
        "aws_s3_bucket_replication_configuration",
        "rule[*].status",
        order("Disabled|Enabled"),
    ),
    protection(
        "aws_opensearch_domain|aws_elasticsearch_domain",
        "domain_endpoint_options[*].tls_security_policy",
        order(
            "Policy-Min-TLS-1-0-2019-07|Policy-Min-TLS-1-2-2019-07|Policy-Min-TLS-1-2-PFS-2023-10",
        ),
    ),
    protection(
        "aws_ecs_cluster",
        "setting[*].value",
        order("disabled|enabled|enhanced"),
    )
    .level(Notice)
    .only_if(&[Needs("name", "containerInsights")]),
    protection(
        "aws_cloudtrail_event_data_store",
        "multi_region_enabled",
        Off,
    ),
    protection(
        "aws_cloudtrail_event_data_store",
        "organization_enabled",
        Off,
    ),
    protection(
        "aws_guardduty_detector",
        "datasources[*].s3_logs[*].enable",
        Off,
    ),
    protection(
        "aws_guardduty_detector|aws_guardduty_organization_configuration",
        "datasources[*].kubernetes[*].audit_logs[*].enable",
        Off,
    ),
    protection(
        "aws_guardduty_detector",
        "datasources[*].malware_protection[*].scan_ec2_instance_with_findings[*].ebs_volumes[*].enable",
        Off,
    ),
    protection(
        "aws_detective_organization_configuration",
        "auto_enable",
        Off,
    ),
    protection("aws_lb|aws_alb", "enable_waf_fail_open", On),
    protection("aws_codebuild_project", "source[*].insecure_ssl", On).when_created(),
    protection(
        "aws_codebuild_project",
        "secondary_sources[*].insecure_ssl",
        On,
    )
    .when_created(),
    protection(
        "aws_api_gateway_integration",
        "tls_config[*].insecure_skip_verification",
        On,
    )
    .when_created(),
    protection(
        "aws_quicksight_data_source",
        "ssl_properties[*].disable_ssl",
        On,
    )
    .when_created(),
    protection("aws_iot_authorizer", "signing_disabled", On),
    protection(
        "aws_ec2_client_vpn_endpoint",
        "connection_log_options[*].enabled",
        Off,
    ),
    protection(
        "aws_msk_cluster",
        "logging_info[*].broker_logs[*].cloudwatch_logs[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_msk_cluster",
        "logging_info[*].broker_logs[*].firehose[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_msk_cluster",
        "logging_info[*].broker_logs[*].s3[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_verifiedaccess_instance_logging_configuration",
        "access_logs[*].cloudwatch_logs[*].enabled",
        Off,
    ),
    protection(
        "aws_verifiedaccess_instance_logging_configuration",
        "access_logs[*].kinesis_data_firehose[*].enabled",
        Off,
    ),
    protection(
        "aws_verifiedaccess_instance_logging_configuration",
        "access_logs[*].s3[*].enabled",
        Off,
    ),
    protection(
        "aws_mwaa_environment",
        "logging_configuration[*].dag_processing_logs[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_mwaa_environment",
        "logging_configuration[*].scheduler_logs[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_mwaa_environment",
        "logging_configuration[*].task_logs[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_mwaa_environment",
        "logging_configuration[*].webserver_logs[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_mwaa_environment",
        "logging_configuration[*].worker_logs[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_codedeploy_deployment_group",
        "alarm_configuration[*].enabled",
        Off,
    )
    .level(Notice),
    protection("aws_ecs_service", "alarms[*].enable", Off).level(Notice),
    protection(
        "aws_db_event_subscription|aws_docdb_event_subscription|\
         aws_neptune_event_subscription|aws_redshift_event_subscription|\
         aws_dms_event_subscription",
        "enabled",
        Off,
    ),
    protection(
        "aws_opensearch_domain|aws_elasticsearch_domain",
        "cluster_config[*].zone_awareness_enabled",
        Off,
    ),
    protection(
        "aws_opensearch_domain",
        "cluster_config[*].multi_az_with_standby_enabled",
        Off,
    ),
    protection(
        "aws_dynamodb_table",
        "replica[*].deletion_protection_enabled",
        Off,
    )
    .level(Critical),
    protection(
        "aws_cognito_user_pool",
        "password_policy[*].require_lowercase",
        Off,
    )
    .level(Notice),
    protection(
        "aws_cognito_user_pool",
        "password_policy[*].require_uppercase",
        Off,
    )
    .level(Notice),
    protection(
        "aws_cognito_user_pool",
        "software_token_mfa_configuration[*].enabled",
        Off,
    ),
    protection("aws_ses_receipt_rule", "scan_enabled", Off),
    protection(
        "aws_cloudsearch_domain",
        "endpoint_options[*].enforce_https",
        Off,
    ),
    protection("aws_*", "auto_minor_version_upgrade", Off).level(Notice),
    protection(
        "aws_instance",
        "root_block_device[*].delete_on_termination",
        order("true|false"),
    )
    .level(Notice),
    protection(
        "aws_instance",
        "ebs_block_device[*].delete_on_termination",
        order("true|false"),
    )
    .level(Notice),
    protection(
        "aws_acmpca_certificate_authority",
        "revocation_configuration[*].crl_configuration[*].enabled",
        Off,
    )
    .level(Notice),
    protection(
        "aws_acmpca_certificate_authority",
        "revocation_configuration[*].ocsp_configuration[*].enabled",
        Off,
    )
    .level(Notice),
    // Copies of data, and points of recovery.
    protection("aws_rds_cluster", "backtrack_window", Lower)
        .what("the way back in time is shorter")
        .in_place(),
    protection("aws_dynamodb_table", "replica[*].region_name", Fewer)
        .what("the replica in {} is deleted")
        .in_place(),
    protection("aws_secretsmanager_secret", "replica[*].region", Fewer)
        .what("the replica in {} is deleted")
        .in_place(),
    protection(
        "aws_elasticache_replication_group|aws_memorydb_cluster",
        "num_cache_clusters",
        Lower,
    )
    .what("fewer copies")
    .in_place(),
    protection("aws_memorydb_cluster", "num_replicas_per_shard", Lower)
        .what("fewer copies")
        .in_place(),
    protection(
        "aws_dynamodb_table",
        "point_in_time_recovery[*].recovery_period_in_days",
        Lower,
    )
    .what("the way back in time is shorter")
    .in_place(),
    protection("aws_backup_plan", "rule[*].rule_name", Fewer)
        .what("backups by rule {} end")
        .in_place(),
    protection(
        "aws_eks_addon",
        "configuration_values.**.enableNetworkPolicy",
        Off,
    )
    .what("network policies are no longer enforced"),
    // Lines of `key=value`.
    protection(
        "aws_msk_configuration",
        "server_properties['=unclean.leader.election.enable']",
        On,
    )
    .what("acknowledged messages may be lost")
    .when_created(),
    protection(
        "aws_msk_configuration",
        "server_properties['=min.insync.replicas']",
        Lower,
    )
    .what("acknowledged messages may be lost"),
    protection(
        "aws_msk_configuration",
        "server_properties['=default.replication.factor']",
        Lower,
    )
    .what("new topics have fewer copies"),
    protection(
        "aws_msk_configuration",
        "server_properties['=log.retention.hours']",
        Shorter,
    )
    .what("messages go earlier"),
    protection(
        "aws_msk_configuration",
        "server_properties['=log.retention.ms']",
        Shorter,
    )
    .what("messages go earlier"),
    protection(
        "aws_msk_configuration",
        "server_properties['=allow.everyone.if.no.acl.found']",
        On,
    )
    .what("everybody may read and write"),
    // Firewalls of applications: limits, and what comes before all other rules.
    protection(
        "aws_wafv2_web_acl|aws_wafv2_rule_group",
        "rule[*].statement[*].rate_based_statement[*].limit",
        Higher,
    ),
    protection(
        "aws_waf_rate_based_rule|aws_wafregional_rate_based_rule",
        "rate_limit",
        Higher,
    ),
    // What serves requests.
    interrupted(
        "aws_instance|aws_spot_instance_request|aws_lightsail_instance|\
         aws_lightsail_container_service|aws_autoscaling_group|aws_ecs_service|\
         aws_ecs_cluster|aws_eks_cluster|aws_eks_fargate_profile|aws_lambda_function|\
         aws_lambda_function_url|aws_lambda_alias|aws_lambda_event_source_mapping|\
         aws_apprunner_service|aws_elastic_beanstalk_environment|aws_emr_cluster|\
         aws_sfn_state_machine|aws_amplify_app|aws_sagemaker_endpoint|\
         aws_kinesis_firehose_delivery_stream|aws_dms_replication_instance|\
         aws_appstream_fleet|aws_storagegateway_*_file_share",
    )
    .named("aws_*.compute"),
    interrupted(
        "aws_db_instance|aws_rds_cluster|aws_rds_cluster_instance|aws_docdb_cluster|\
         aws_docdb_cluster_instance|aws_neptune_cluster|aws_neptune_cluster_instance|\
         aws_redshift_cluster|aws_elasticache_cluster|aws_elasticache_replication_group|\
         aws_elasticache_serverless_cache|aws_memorydb_cluster|aws_dax_cluster|\
         aws_opensearch_domain|aws_elasticsearch_domain|aws_msk_cluster|aws_mq_broker|\
         aws_db_proxy|aws_rds_cluster_endpoint",
    )
    .named("aws_*.database"),
    interrupted(
        "aws_lb|aws_alb|aws_elb|aws_lb_listener|aws_alb_listener|aws_lb_listener_rule|\
         aws_lb_target_group|aws_alb_target_group|aws_lb_target_group_attachment|\
         aws_cloudfront_distribution|aws_globalaccelerator_accelerator|\
         aws_api_gateway_rest_api|aws_api_gateway_stage|aws_api_gateway_domain_name|\
         aws_apigatewayv2_api|aws_apigatewayv2_stage|aws_apigatewayv2_domain_name|\
         aws_appsync_graphql_api|aws_transfer_server",
    )
    .named("aws_*.frontend"),
    interrupted(
        "aws_eip_association|aws_nat_gateway|aws_internet_gateway|\
         aws_egress_only_internet_gateway|aws_vpn_gateway|aws_vpn_connection|\
         aws_customer_gateway|aws_dx_connection|aws_dx_*_virtual_interface|\
         aws_ec2_transit_gateway|aws_ec2_transit_gateway_*_attachment|\
         aws_vpc_peering_connection|aws_vpc_endpoint|aws_route|aws_ec2_client_vpn_endpoint",
    )
    .named("aws_*.network"),
    interrupted("aws_route53_record").only_if(&[Where("type", "A|AAAA|CNAME|MX|SRV|NS|PTR")]),
    interrupted("aws_route53_zone_association|aws_service_discovery_service")
        .named("aws_*.discovery"),
    interrupted("aws_eks_node_group"),
    // Lists of who has something, whose rest loses it.
    downtime("aws_iam_group_membership", "users[*]", Fewer)
        .what("{} is no longer a member of the group")
        .level(Notice),
    downtime("aws_iam_policy_attachment", "roles[*]", Fewer)
        .what("the policy is taken from the role {}")
        .level(Notice),
    downtime("aws_iam_policy_attachment", "users[*]", Fewer)
        .what("the policy is taken from the user {}")
        .level(Notice),
    downtime("aws_iam_policy_attachment", "groups[*]", Fewer)
        .what("the policy is taken from the group {}")
        .level(Notice),
    downtime(
        "aws_iam_role_policy_attachments_exclusive|aws_iam_user_policy_attachments_exclusive|\
         aws_iam_group_policy_attachments_exclusive",
        "policy_arns[*]",
        Fewer,
    )
    .what("the policy {} is taken away")
    .level(Notice),
    downtime("aws_ecs_service", "desired_count", Zero).level(Critical),
    downtime(
        "aws_ecs_service",
        "deployment_minimum_healthy_percent",
        Zero,
    ),
    downtime("aws_autoscaling_group", "max_size", Zero).level(Critical),
    downtime("aws_autoscaling_group", "desired_capacity", Zero).level(Critical),
    downtime("aws_autoscaling_group", "min_size", Zero),
    downtime("aws_appautoscaling_target", "max_capacity", Zero).level(Critical),
    downtime("aws_appautoscaling_target", "min_capacity", Zero),
    downtime("aws_eks_node_group", "scaling_config[*].desired_size", Zero).level(Critical),
    downtime("aws_eks_node_group", "scaling_config[*].min_size", Zero),
    downtime(
        "aws_lambda_function",
        "reserved_concurrent_executions",
        Zero,
    )
    .level(Critical),
    downtime("aws_lambda_event_source_mapping", "enabled", Off),
    downtime(
        "aws_cloudwatch_event_rule|aws_scheduler_schedule",
        "state",
        order("DISABLED|ENABLED*"),
    ),
    downtime("aws_cloudwatch_event_rule", "is_enabled", Off),
    downtime(
        "aws_cloudfront_distribution|aws_globalaccelerator_accelerator",
        "enabled",
        Off,
    )
    .level(Critical),
    downtime(
        "aws_ec2_instance_state|aws_rds_instance_state",
        "state",
        is("stopped"),
    )
    .level(Critical),
    downtime(
        "aws_db_instance|aws_rds_cluster|aws_docdb_cluster|aws_neptune_cluster|\
         aws_elasticache_cluster|aws_elasticache_replication_group|aws_mq_broker",
        "engine_version",
        Major,
    )
    .only_if(&[Needs("apply_immediately", "true")]),
    downtime("aws_route53_record", "records[*]", Fewer)
        .what("the delegation loses a server")
        .named("aws_route53_record.delegation")
        .only_if(&[Needs("type", "NS")]),
    downtime("aws_route53_record", "records[*]", Fewer)
        .what("mail goes elsewhere")
        .only_if(&[Needs("type", "MX")]),
    // Actions: what invoking one does.
    invoked(Downtime, "aws_ec2_stop_instance", "stops a machine"),
    // Machines that stop for another size or configuration.
    downtime("aws_instance", "instance_type", Changed)
        .what("the machine stops and starts, now")
        .in_place(),
    downtime("aws_instance", "user_data", Changed)
        .what("the machine stops and starts, now")
        .in_place()
        .only_if(&[Unless("user_data_replace_on_change", "true")]),
    downtime("aws_instance", "user_data_base64", Changed)
        .what("the machine stops and starts, now")
        .in_place()
        .only_if(&[Unless("user_data_replace_on_change", "true")]),
    downtime("aws_instance", "ebs_optimized", Changed)
        .what("the machine stops and starts, now")
        .in_place(),
    // Databases: now, or in the window.
    downtime(
        "aws_db_instance|aws_rds_cluster_instance|aws_docdb_cluster_instance|\
         aws_neptune_cluster_instance",
        "instance_class",
        Changed,
    )
    .what("the database restarts, now")
    .in_place()
    .only_if(&[Needs("apply_immediately", "true")]),
    downtime(
        "aws_db_instance|aws_rds_cluster_instance|aws_docdb_cluster_instance|\
         aws_neptune_cluster_instance",
        "instance_class",
        Changed,
    )
    .what("the database restarts in the maintenance window")
    .named("aws_*.instance_class in the window")
    .level(Notice)
    .in_place()
    .only_if(&[Unless("apply_immediately", "true")]),
    downtime(
        "aws_db_instance|aws_rds_cluster|aws_docdb_cluster|aws_neptune_cluster",
        "port",
        Changed,
    )
    .what("the database restarts, now")
    .in_place()
    .only_if(&[Needs("apply_immediately", "true")]),
    downtime(
        "aws_db_instance|aws_rds_cluster|aws_docdb_cluster|aws_neptune_cluster|\
         aws_elasticache_cluster|aws_elasticache_replication_group|aws_mq_broker",
        "engine_version",
        Major,
    )
    .what("the engine changes in the maintenance window")
    .named("aws_*.engine_version in the window")
    .level(Notice)
    .in_place()
    .only_if(&[Unless("apply_immediately", "true")]),
    downtime("aws_mq_broker", "host_instance_type", Changed)
        .what("the broker restarts, now")
        .in_place()
        .only_if(&[Needs("apply_immediately", "true")]),
    downtime("aws_mq_broker", "host_instance_type", Changed)
        .what("the broker restarts in the maintenance window")
        .named("aws_mq_broker.host_instance_type in the window")
        .level(Notice)
        .in_place()
        .only_if(&[Unless("apply_immediately", "true")]),
    downtime("aws_redshift_cluster", "node_type", Changed)
        .what("the warehouse restarts, now")
        .in_place(),
    downtime(
        "aws_db_parameter_group|aws_rds_cluster_parameter_group|\
         aws_docdb_cluster_parameter_group|aws_neptune_parameter_group|\
         aws_neptune_cluster_parameter_group",
        "parameter[*].value",
        Changed,
    )
    .what("holds at the next restart")
    .named("aws_*.parameter at the next restart")
    .level(Notice)
    .in_place()
    .only_if(&[Needs("apply_method", "pending-reboot")]),
    // All at once.
    downtime(
        "aws_autoscaling_group",
        "instance_refresh[*].preferences[*].min_healthy_percentage",
        Zero,
    )
    .what("a refresh may replace all machines at once"),
    downtime(
        "aws_autoscaling_group",
        "launch_template[*].version",
        Changed,
    )
    .what("all machines are replaced at once")
    .in_place()
    .only_if(&[Needs(
        ".instance_refresh.preferences.min_healthy_percentage",
        "0",
    )]),
    downtime(
        "aws_eks_node_group",
        "update_config[*].max_unavailable_percentage",
        Above(99.0),
    )
    .what("all nodes at once"),
    downtime("aws_eks_node_group", "taint[*].effect", There)
        .what("running pods have to leave")
        .in_place()
        .only_if(&[Needs("effect", "NO_EXECUTE")]),
    // What queries and callers use.
    downtime(
        "aws_dynamodb_table",
        "global_secondary_index[*].name",
        Fewer,
    )
    .what("index {} is deleted")
    .in_place(),
    downtime(
        "aws_dynamodb_table",
        "global_secondary_index[*].projection_type",
        Changed,
    )
    .what("rebuilt")
    .in_place(),
    downtime(
        "aws_dynamodb_table",
        "global_secondary_index[*].hash_key",
        Changed,
    )
    .what("rebuilt")
    .in_place(),
    downtime(
        "aws_dynamodb_table",
        "global_secondary_index[*].range_key",
        Changed,
    )
    .what("rebuilt")
    .in_place(),
    downtime("aws_cloudfront_distribution", "aliases[*]", Fewer)
        .what("{} is no longer served")
        .in_place(),
    // Versions that go back.
    downtime(
        "aws_db_instance|aws_rds_cluster|aws_rds_cluster_instance|aws_docdb_cluster|\
         aws_neptune_cluster|aws_elasticache_cluster|aws_elasticache_replication_group|\
         aws_memorydb_cluster|aws_mq_broker|aws_opensearch_domain",
        "engine_version",
        Downgrade,
    )
    .named("aws_*.engine_version back")
    .in_place(),
    downtime("aws_msk_cluster", "kafka_version", Downgrade).in_place(),
    downtime(
        "aws_elasticsearch_domain",
        "elasticsearch_version",
        Downgrade,
    )
    .in_place(),
    downtime("aws_eks_addon", "addon_version", Downgrade)
        .level(Notice)
        .in_place(),
    downtime(
        "aws_lambda_function|aws_synthetics_canary",
        "runtime",
        Downgrade,
    )
    .level(Notice)
    .in_place(),
    // Capacity that somebody or something else has set since.
    downtime("aws_ecs_service", "desired_count", Reverts)
        .named("aws_ecs_service.desired_count undone"),
    downtime("aws_autoscaling_group", "desired_capacity", Reverts)
        .named("aws_autoscaling_group.desired_capacity undone"),
    downtime("aws_autoscaling_group", "min_size", Reverts)
        .named("aws_autoscaling_group.min_size undone"),
    downtime("aws_autoscaling_group", "max_size", Reverts)
        .named("aws_autoscaling_group.max_size undone"),
    downtime(
        "aws_eks_node_group",
        "scaling_config[*].desired_size",
        Reverts,
    )
    .named("aws_eks_node_group.desired_size undone"),
    downtime("aws_eks_node_group", "scaling_config[*].max_size", Reverts)
        .named("aws_eks_node_group.max_size undone"),
    downtime("aws_appautoscaling_target", "max_capacity", Reverts)
        .named("aws_appautoscaling_target.max_capacity undone"),
    downtime("aws_appautoscaling_target", "min_capacity", Reverts)
        .named("aws_appautoscaling_target.min_capacity undone"),
    downtime("aws_dynamodb_table", "read_capacity", Reverts),
    downtime("aws_dynamodb_table", "write_capacity", Reverts),
    downtime("aws_kinesis_stream", "shard_count", Reverts),
    downtime(
        "aws_lambda_provisioned_concurrency_config",
        "provisioned_concurrent_executions",
        Reverts,
    ),
    downtime(
        "aws_lambda_function",
        "reserved_concurrent_executions",
        Reverts,
    )
    .named("aws_lambda_function.reserved_concurrent_executions undone"),
    downtime(
        "aws_rds_cluster",
        "serverlessv2_scaling_configuration[*].max_capacity",
        Reverts,
    ),
    downtime(
        "aws_spot_fleet_request|aws_ec2_fleet",
        "target_capacity",
        Reverts,
    ),
    downtime("aws_emr_instance_group", "instance_count", Reverts),
    // What decides, and is known only after apply.
    unknown("aws_iam_policy|aws_*_policy", "policy").when_created(),
    unknown("aws_cloudwatch_log_resource_policy", "policy_document").when_created(),
    unknown("aws_organizations_policy", "content").when_created(),
    unknown("aws_vpc_security_group_ingress_rule", "cidr_ipv4").when_created(),
    unknown("aws_vpc_security_group_ingress_rule", "cidr_ipv6").when_created(),
    unknown("aws_security_group_rule", "cidr_blocks")
        .when_created()
        .only_if(&[Where("type", "ingress")]),
    unknown("aws_security_group_rule", "ipv6_cidr_blocks")
        .when_created()
        .only_if(&[Where("type", "ingress")]),
    unknown(
        "aws_security_group|aws_default_security_group",
        "ingress[*].cidr_blocks",
    )
    .when_created(),
    unknown(
        "aws_security_group|aws_default_security_group",
        "ingress[*].ipv6_cidr_blocks",
    )
    .when_created(),
    unknown("aws_network_acl", "ingress[*].cidr_block")
        .when_created()
        .only_if(&[Needs("action", "allow")]),
    unknown("aws_iam_*", "policy_arn"),
    unknown("aws_db_instance", "publicly_accessible"),
    unknown("aws_db_instance", "vpc_security_group_ids"),
    unknown("aws_instance", "vpc_security_group_ids"),
    unknown("aws_route53_record", "records"),
    unknown("aws_lambda_permission", "principal"),
    unknown("aws_iam_role", "inline_policy"),
    unknown("aws_eks_cluster", "vpc_config[*].public_access_cidrs"),
    unknown("aws_s3_bucket_public_access_block", "block_public_policy"),
    unknown("aws_iam_*_attachment", "role"),
];
