//! Which attributes say what an object is: what it is called, what it runs, how large, protected and exposed it is.
//!
//! One table for all providers, by the names of attributes. An attribute that is not in it may still be part of a
//! summary, if the configuration gives it.

/// What an attribute says about an object. Summaries are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Aspect {
    /// What it is called or where it is found.
    Identity,
    /// What it gives, to whom.
    Role,
    /// The software, and its version.
    Engine,
    /// The image that it runs.
    Image,
    /// The size of a machine.
    Size,
    /// The size and kind of its storage.
    Storage,
    /// How many there are.
    Count,
    /// Its version.
    Version,
    /// Its region, network or content.
    Place,
    /// Whether it is encrypted.
    Encryption,
    /// Who reaches it.
    Exposure,
    /// What protects it.
    Protection,
    /// Anything else.
    Other,
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The value alone: `postgres`.
    Bare,
    /// With its name: `port = 5432`.
    Named,
    /// A bool: its name if it is true.
    Flag,
    /// A bool: `encrypted` or `not encrypted`.
    Encrypted,
    /// A number of gigabytes.
    Gigabytes,
    /// A number of megabytes.
    Megabytes,
    /// After a word: `on SCOPE`.
    After(&'static str),
}

/// Attributes by name.
const NAMES: [(Aspect, Form, &[&str]); 22] = {
    use Aspect::{
        Count, Encryption, Engine, Exposure, Identity, Image, Place, Protection, Role, Size, Storage, Version,
    };
    use Form::{After, Bare, Encrypted, Flag, Gigabytes, Megabytes, Named};
    [
        (
            Identity,
            Bare,
            &[
                "name",
                "identifier",
                "cluster_identifier",
                "replication_group_id",
                "filename",
                "path",
                "bucket",
                "key",
                "family",
                "function_name",
                "repository",
                "domain_name",
                "domain",
                "hostname",
                "host",
                "fqdn",
                "title",
                "display_name",
                "account_id",
                "dataset_id",
                "table_id",
                "secret_id",
                "project_id",
                "service_name",
                "queue_name",
                "topic_name",
                "alias",
                "group_name",
                "user_name",
                "namespace",
                "name_prefix",
                "bucket_prefix",
                "identifier_prefix",
            ],
        ),
        (
            Role,
            Bare,
            &["role_definition_name", "managed_policy_name", "policy_name", "predefined_acl", "permission"],
        ),
        (Role, Named, &["role", "role_name", "role_id", "role_definition_id", "policy_arn", "kind"]),
        (Role, After("on"), &["scope"]),
        (
            Role,
            After("for"),
            &[
                "member",
                "members",
                "principal",
                "principals",
                "principal_id",
                "user",
                "users",
                "group",
                "groups",
            ],
        ),
        (
            Engine,
            Bare,
            &[
                "engine",
                "engine_version",
                "database_version",
                "runtime",
                "chart",
                "launch_type",
                "engine_mode",
                "billing_mode",
                "os_type",
                "load_balancer_type",
            ],
        ),
        (
            Image,
            Bare,
            &[
                "image",
                "image_id",
                "image_uri",
                "ami",
                "ami_id",
                "source_image",
                "source_image_id",
                "image_name",
                "image_tag",
            ],
        ),
        (
            Size,
            Bare,
            &[
                "instance_class",
                "instance_type",
                "instance_types",
                "machine_type",
                "node_machine_type",
                "vm_size",
                "node_type",
                "sku",
                "sku_name",
                "sku_tier",
                "tier",
                "instance_size",
                "flavor",
                "flavor_name",
                "plan",
                "size",
            ],
        ),
        (Size, Named, &["cpu", "memory", "vcpus", "cores"]),
        (Size, Megabytes, &["memory_size", "memory_mb"]),
        (
            Storage,
            Gigabytes,
            &[
                "allocated_storage",
                "max_allocated_storage",
                "volume_size",
                "disk_size",
                "disk_size_gb",
                "disk_size_gib",
                "size_gb",
                "size_in_gb",
                "size_in_gbs",
                "storage_gb",
                "boot_disk_size_gb",
                "os_disk_size_gb",
                "capacity_gb",
                "memory_size_gb",
            ],
        ),
        (
            Storage,
            Bare,
            &[
                "storage_type",
                "volume_type",
                "disk_type",
                "storage_account_type",
                "account_tier",
                "account_replication_type",
                "storage_class",
            ],
        ),
        (
            Count,
            Named,
            &[
                "desired_count",
                "desired_size",
                "desired_capacity",
                "replicas",
                "node_count",
                "initial_node_count",
                "num_nodes",
                "num_cache_clusters",
                "number_of_nodes",
                "instance_count",
                "instances",
                "min_size",
                "max_size",
                "min_capacity",
                "max_capacity",
                "min_count",
                "max_count",
                "target_size",
                "shard_count",
                "read_capacity",
                "write_capacity",
            ],
        ),
        (
            Version,
            Named,
            &[
                "version",
                "kubernetes_version",
                "cluster_version",
                "min_master_version",
                "minimum_tls_version",
                "min_tls_version",
                "ssl_policy",
                "addon_version",
                "orchestrator_version",
            ],
        ),
        (
            Place,
            Bare,
            &[
                "cidr_block",
                "ip_cidr_range",
                "address_prefix",
                "address_prefixes",
                "address_space",
                "location",
                "region",
                "zone",
                "availability_zone",
                "zones",
                "availability_zones",
            ],
        ),
        (
            Place,
            Named,
            &[
                "records",
                "rrdatas",
                "ttl",
                "port",
                "protocol",
                "from_port",
                "to_port",
                "target_type",
                "schedule_expression",
                "schedule",
                "comparison_operator",
                "threshold",
                "metric_name",
                "handler",
                "file_permission",
                "url",
                "endpoint",
                "destination_cidr_block",
                "hash_key",
                "range_key",
            ],
        ),
        (
            Encryption,
            Encrypted,
            &[
                "encrypted",
                "storage_encrypted",
                "at_rest_encryption_enabled",
                "encryption_at_host_enabled",
                "is_encrypted",
            ],
        ),
        (
            Encryption,
            Flag,
            &[
                "transit_encryption_enabled",
                "encrypt_at_rest",
                "enable_encryption",
                "https_only",
                "https_traffic_only_enabled",
            ],
        ),
        (
            Exposure,
            Flag,
            &[
                "publicly_accessible",
                "public",
                "public_network_access_enabled",
                "public_network_access",
                "assign_public_ip",
                "associate_public_ip_address",
                "map_public_ip_on_launch",
                "internal",
                "endpoint_public_access",
                "allow_nested_items_to_be_public",
                "allow_blob_public_access",
                "privileged",
                "host_network",
                "enable_execute_command",
                "enable_public_ip",
                "ipv4_enabled",
            ],
        ),
        (
            Exposure,
            Named,
            &[
                "cidr_blocks",
                "source_ranges",
                "source_address_prefix",
                "scheme",
                "acl",
                "authorization",
                "authorization_type",
                "visibility",
            ],
        ),
        (
            Protection,
            Flag,
            &[
                "multi_az",
                "deletion_protection",
                "deletion_protection_enabled",
                "force_destroy",
                "skip_final_snapshot",
                "automatic_failover_enabled",
                "multi_az_enabled",
                "prevent_destroy",
                "delete_protection",
                "zone_redundant",
            ],
        ),
        (
            Protection,
            Named,
            &[
                "backup_retention_period",
                "retention_in_days",
                "retention_period",
                "backup_retention_days",
                "message_retention_seconds",
                "deletion_window_in_days",
                "recovery_window_in_days",
                "priority",
            ],
        ),
    ]
};

/// What an attribute says, and how it is written. `path` has the names of the blocks that it is in, and its own.
/// The position is that among attributes of the same aspect.
pub(super) fn aspect(resource_type: &str, path: &[&str]) -> Option<(Aspect, Form, usize)> {
    let (name, blocks) = path.split_last()?;
    let is_in = |block: &str| blocks.contains(&block);
    // Names of something else: of a parameter, a container or a rule, not of the object.
    let names_the_object = blocks.is_empty() || matches!(blocks, ["metadata"]);
    let has_type_word = |words: &[&str]| resource_type.split('_').any(|word| words.contains(&word));
    match *name {
        "type" if blocks.is_empty() => {
            let is_storage = has_type_word(&["volume", "disk", "ebs"]);
            return Some(if is_storage {
                (Aspect::Storage, Form::Bare, 1)
            } else {
                (Aspect::Engine, Form::Bare, 20)
            });
        }
        // In gigabytes wherever it is a disk's.
        "size"
            if has_type_word(&["volume", "disk", "ebs"]) || is_in("initialize_params") || is_in("disk") =>
        {
            return Some((Aspect::Storage, Form::Gigabytes, 0));
        }
        "name" if is_in("role_ref") || is_in("subject") => return Some((Aspect::Role, Form::Named, 0)),
        "publisher" | "offer" | "sku" | "version" if is_in("source_image_reference") => {
            return Some((Aspect::Image, Form::Bare, 0));
        }
        // A path inside the object, such as the `key` of a tag or the `path` of a rule.
        _ if is_in("tags") || is_in("labels") || is_in("annotations") => return None,
        _ => {}
    }
    NAMES.iter().find_map(|(aspect, form, names)| {
        let at = names.iter().position(|known| known == name)?;
        (*aspect != Aspect::Identity || names_the_object).then_some((*aspect, *form, at))
    })
}

/// Words in the names of attributes whose values are secrets, or may be: they are never part of a summary.
pub(super) fn may_be_secret(name: &str) -> bool {
    const WORDS: [&str; 16] = [
        "auth",
        "connection",
        "credential",
        "credentials",
        "passphrase",
        "passwd",
        "password",
        "passwords",
        "pat",
        "private",
        "pwd",
        "secret",
        "secrets",
        "token",
        "tokens",
        "apikey",
    ];
    const NAMES: [&str; 5] = ["access_key", "api_key", "account_key", "primary_key", "secondary_key"];
    const HARMLESS: [&str; 3] = ["secret_id", "secret_name", "private_ip"];
    !HARMLESS.contains(&name)
        && (name.split(['_', '-', '.']).any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
            || NAMES.iter().any(|known| name.contains(known)))
}
