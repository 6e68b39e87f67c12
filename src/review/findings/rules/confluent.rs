//! Rules for Confluent and Kafka.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("confluent_kafka_cluster", "message broker").show("display_name"),
    lost("confluent_kafka_topic", "topic").show("topic_name|partitions_count"),
    lost("kafka_topic", "topic").show("name|partitions"),
    // Parts of what holds data.
    data_loss(
        "kafka_topic|confluent_kafka_topic",
        "config['retention.ms']",
        Shorter,
    )
    .what("messages go earlier")
    .level(Warning)
    .in_place(),
    data_loss(
        "kafka_topic|confluent_kafka_topic",
        "config['retention.bytes']",
        Shorter,
    )
    .what("messages go earlier")
    .level(Warning)
    .in_place(),
    data_loss(
        "kafka_topic|confluent_kafka_topic",
        "config['cleanup.policy']",
        is("delete"),
    )
    .what("old messages are deleted")
    .level(Warning)
    .in_place(),
    // Who may reach or do more.
    exposure(
        "confluent_role_binding",
        "principal",
        role(
            "role_name",
            "OrganizationAdmin|EnvironmentAdmin|CloudClusterAdmin|AccountAdmin",
        ),
    ),
    exposure("confluent_kafka_acl|kafka_acl", "principal", is("User:*"))
        .what("everybody")
        .serves(Class::Data),
    exposure("kafka_acl", "acl_principal", is("User:*"))
        .what("everybody")
        .serves(Class::Data),
    // What guards, records or backs up.
    // Lines of `key=value`.
    protection(
        "kafka_topic|confluent_kafka_topic",
        "config['unclean.leader.election.enable']",
        On,
    )
    .what("acknowledged messages may be lost")
    .when_created(),
    protection(
        "kafka_topic|confluent_kafka_topic",
        "config['min.insync.replicas']",
        Lower,
    )
    .what("acknowledged messages may be lost"),
    protection(
        "confluent_kafka_cluster_config",
        "config['unclean.leader.election.enable']",
        On,
    )
    .what("acknowledged messages may be lost"),
    protection(
        "confluent_kafka_cluster",
        "availability",
        order("SINGLE_ZONE|LOW|MULTI_ZONE|HIGH"),
    ),
    // What serves requests.
    interrupted(
        "confluent_api_key|confluent_private_link_access|confluent_peering|\
         confluent_connector|confluent_flink_compute_pool",
    )
    .named("confluent_*.service"),
];
