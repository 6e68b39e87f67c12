//! Lists of names of attributes and types, and of words in them, that mean something to a reviewer.
//!
//! A list is a text with a blank between its words, which becomes an array at compile time. An unused list is a compile
//! error.
//!
//! ```text
//! words!("access acl admin")    &["access", "acl", "admin"]
//! ```

/// Splits a text at its blanks, in a constant.
macro_rules! words {
    ($text:literal) => {{
        const WORDS: [&str; count($text)] = split($text);
        &WORDS
    }};
}

/// Returns the number of words in a text with one blank between words.
const fn count(text: &str) -> usize {
    let (bytes, mut count, mut index) = (text.as_bytes(), 1, 0);
    while index < bytes.len() {
        if bytes[index] == b' ' {
            count += 1;
        }
        index += 1;
    }
    count
}

/// Splits a text into `COUNT` words, at single blanks. Panics at compile time if there are fewer words, or if a word is
/// empty.
const fn split<const COUNT: usize>(text: &'static str) -> [&'static str; COUNT] {
    let (mut words, mut index, mut rest) = ([""; COUNT], 0, text);
    while index < COUNT {
        let (bytes, mut end) = (rest.as_bytes(), 0);
        while end < bytes.len() && bytes[end] != b' ' {
            end += 1;
        }
        assert!(end > 0, "a list has an empty word");
        (words[index], rest) = rest.split_at(end);
        if !rest.is_empty() {
            rest = rest.split_at(1).1;
        }
        index += 1;
    }
    words
}

/// The aspect of an object that an attribute describes. Summaries are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aspect {
    Identity,
    Role,
    Engine,
    Image,
    Size,
    Storage,
    Count,
    Version,
    Place,
    Encryption,
    Exposure,
    Protection,
    Other,
}

/// The form in which a summary writes the value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttributeForm {
    /// `postgres`
    Bare,
    /// `port = 5432`
    Named,
    /// `multi_az` if it is true; otherwise as `Named`
    Flag,
    /// `encrypted` or `not encrypted`
    Encrypted,
    /// `200 GB`
    Gigabytes,
    /// `512 MB`
    Megabytes,
    /// `on SCOPE`
    On,
    /// `for MEMBER`
    For,
}

/// Attributes that describe the same aspect of an object, and whose values are written in the same form.
pub(crate) struct Attributes {
    /// The aspect that they describe.
    pub aspect: Aspect,
    /// The form in which their values are written.
    pub form: AttributeForm,
    /// Their names, the most important first.
    pub names: &'static [&'static str],
}

/// The attributes that say what an object is, for all providers.
pub(crate) const ATTRIBUTES: &[Attributes] = &[
    Attributes {
        aspect: Aspect::Identity,
        form: AttributeForm::Bare,
        names: words!(
            "name identifier cluster_identifier replication_group_id filename path bucket key \
             family function_name repository domain_name domain hostname host fqdn title \
             display_name account_id dataset_id table_id secret_id project_id service_name \
             queue_name topic_name alias group_name user_name namespace name_prefix bucket_prefix \
             identifier_prefix"
        ),
    },
    Attributes {
        aspect: Aspect::Role,
        form: AttributeForm::Bare,
        names: words!(
            "role_definition_name managed_policy_name policy_name predefined_acl permission"
        ),
    },
    Attributes {
        aspect: Aspect::Role,
        form: AttributeForm::Named,
        names: words!("role role_name role_id role_definition_id policy_arn kind"),
    },
    Attributes {
        aspect: Aspect::Role,
        form: AttributeForm::On,
        names: words!("scope"),
    },
    Attributes {
        aspect: Aspect::Role,
        form: AttributeForm::Named,
        names: words!("source_arn url webhook_url endpoint target_url push_endpoint"),
    },
    Attributes {
        aspect: Aspect::Engine,
        form: AttributeForm::Named,
        names: words!("command commands entrypoint entry_point script inline settings"),
    },
    Attributes {
        aspect: Aspect::Role,
        form: AttributeForm::For,
        names: words!("member members principal principals principal_id user users group groups"),
    },
    Attributes {
        aspect: Aspect::Engine,
        form: AttributeForm::Bare,
        names: words!(
            "engine engine_version database_version runtime chart launch_type engine_mode \
             billing_mode os_type load_balancer_type"
        ),
    },
    Attributes {
        aspect: Aspect::Image,
        form: AttributeForm::Bare,
        names: words!(
            "image image_id image_uri ami ami_id source_image source_image_id image_name \
             image_tag"
        ),
    },
    Attributes {
        aspect: Aspect::Size,
        form: AttributeForm::Bare,
        names: words!(
            "instance_class instance_type instance_types machine_type node_machine_type vm_size \
             node_type sku sku_name sku_tier tier instance_size flavor flavor_name plan size"
        ),
    },
    Attributes {
        aspect: Aspect::Size,
        form: AttributeForm::Named,
        names: words!("cpu memory vcpus cores"),
    },
    Attributes {
        aspect: Aspect::Size,
        form: AttributeForm::Megabytes,
        names: words!("memory_size memory_mb"),
    },
    Attributes {
        aspect: Aspect::Storage,
        form: AttributeForm::Gigabytes,
        names: words!(
            "allocated_storage max_allocated_storage volume_size disk_size disk_size_gb \
             disk_size_gib size_gb size_in_gb size_in_gbs storage_gb boot_disk_size_gb \
             os_disk_size_gb capacity_gb memory_size_gb"
        ),
    },
    Attributes {
        aspect: Aspect::Storage,
        form: AttributeForm::Bare,
        names: words!(
            "storage_type volume_type disk_type storage_account_type account_tier \
             account_replication_type storage_class"
        ),
    },
    Attributes {
        aspect: Aspect::Count,
        form: AttributeForm::Named,
        names: words!(
            "desired_count desired_size desired_capacity replicas node_count initial_node_count \
             num_nodes num_cache_clusters number_of_nodes instance_count instances min_size \
             max_size min_capacity max_capacity min_count max_count target_size shard_count \
             read_capacity write_capacity"
        ),
    },
    Attributes {
        aspect: Aspect::Version,
        form: AttributeForm::Named,
        names: words!(
            "version kubernetes_version cluster_version min_master_version minimum_tls_version \
             min_tls_version ssl_policy addon_version orchestrator_version"
        ),
    },
    Attributes {
        aspect: Aspect::Place,
        form: AttributeForm::Bare,
        names: words!(
            "cidr_block ip_cidr_range address_prefix address_prefixes address_space zone \
             availability_zone zones availability_zones"
        ),
    },
    Attributes {
        aspect: Aspect::Place,
        form: AttributeForm::Named,
        names: words!(
            "records rrdatas ttl port protocol from_port to_port target_type schedule_expression \
             schedule comparison_operator threshold metric_name handler file_permission url \
             endpoint destination_cidr_block hash_key range_key"
        ),
    },
    Attributes {
        aspect: Aspect::Encryption,
        form: AttributeForm::Encrypted,
        names: words!(
            "encrypted storage_encrypted at_rest_encryption_enabled encryption_at_host_enabled \
             is_encrypted"
        ),
    },
    Attributes {
        aspect: Aspect::Encryption,
        form: AttributeForm::Flag,
        names: words!(
            "transit_encryption_enabled encrypt_at_rest enable_encryption https_only \
             https_traffic_only_enabled"
        ),
    },
    Attributes {
        aspect: Aspect::Exposure,
        form: AttributeForm::Flag,
        names: words!(
            "publicly_accessible public public_network_access_enabled public_network_access \
             assign_public_ip associate_public_ip_address map_public_ip_on_launch internal \
             endpoint_public_access allow_nested_items_to_be_public allow_blob_public_access \
             privileged host_network enable_execute_command enable_public_ip ipv4_enabled"
        ),
    },
    Attributes {
        aspect: Aspect::Exposure,
        form: AttributeForm::Named,
        names: words!(
            "cidr_blocks source_ranges source_address_prefix scheme acl authorization \
             authorization_type visibility"
        ),
    },
    Attributes {
        aspect: Aspect::Protection,
        form: AttributeForm::Flag,
        names: words!(
            "multi_az deletion_protection deletion_protection_enabled force_destroy \
             skip_final_snapshot automatic_failover_enabled multi_az_enabled prevent_destroy \
             delete_protection zone_redundant"
        ),
    },
    Attributes {
        aspect: Aspect::Protection,
        form: AttributeForm::Named,
        names: words!(
            "backup_retention_period retention_in_days retention_period backup_retention_days \
             message_retention_seconds deletion_window_in_days recovery_window_in_days priority"
        ),
    },
];

/// Names of attributes that are for human readers, or that change with every update.
pub(crate) const LIGHT: &[&str] = words!(
    "annotations comment comments description etag effective_labels labels tags tags_all \
     terraform_labels updated_at last_modified"
);

/// Words in the names of attributes about the access, protection or content of an object.
pub(crate) const HEAVY_WORDS: &[&str] = words!(
    "access accessible acl action actions admin allow allowed backup cidr classification \
     condition deletion deny destroy disabled egress enabled encrypt encrypted encryption expose \
     force iam ingress kms logging member members permission permissions policy port principal \
     principals protect protection public retention role rule rules secret ssl tls versioning \
     zone"
);

/// Words in the names of attributes about the size, kind or version of an object.
pub(crate) const DESCRIPTIVE_WORDS: &[&str] = words!(
    "address bucket capacity class count database description domain engine image instance \
     location memory mode name nodes region replicas schedule size sku storage type version"
);

/// Names of attributes that a provider computes anew with any change.
pub(crate) const FOLLOWERS: &[&str] = words!(
    "address checksum endpoint etag fingerprint hash last_modified last_modified_date \
     latest_revision metadata metadata_fingerprint modified resource_version revision state \
     status tags_fingerprint updated version version_number"
);

/// Names of members of blocks that a provider computes.
pub(crate) const COMPUTED_MEMBERS: &[&str] =
    words!("id ref arn uid self_link last_updated version_id generation");

/// Words in the names of attributes whose values are or may be secrets.
pub(crate) const SECRET_WORDS: &[&str] = words!(
    "auth connection credential credentials passphrase passwd password passwords pat private pwd \
     secret secrets token tokens apikey"
);

/// Parts of the names of attributes whose values are or may be secrets.
pub(crate) const PARTS_OF_SECRETS: &[&str] =
    words!("access_key api_key account_key primary_key secondary_key");

/// Names of attributes that only look like those of secrets.
pub(crate) const HARMLESS: &[&str] = words!("secret_id secret_name private_ip");

/// Names of attributes that say what runs, who gets something, and where something goes. A summary that has no room
/// leaves other attributes out, and never these.
pub(crate) const ESSENTIAL: &[&str] = words!(
    "command commands entrypoint entry_point script inline settings member members principal \
     principals principal_id user users group groups policy_arn role_definition_name source_arn \
     url webhook_url endpoint target_url push_endpoint"
);

/// Types whose objects are made to be replaced. A `*` at the end matches any rest.
pub(crate) const TYPES_MADE_TO_BE_REPLACED: &[&str] = words!(
    "acme_certificate ansible_playbook archive_file aws_acm_certificate_validation \
     aws_api_gateway_deployment aws_apigatewayv2_deployment aws_appconfig_deployment \
     aws_appconfig_hosted_configuration_version aws_batch_job_definition aws_ecs_task_definition \
     aws_imagebuilder_component aws_imagebuilder_container_recipe aws_imagebuilder_image_recipe \
     aws_kms_ciphertext aws_lambda_invocation aws_lambda_layer_version aws_launch_configuration \
     aws_launch_template aws_sagemaker_endpoint_configuration aws_sagemaker_model \
     azurerm_api_management_api_release azurerm_resource_deployment_script_* \
     azurerm_virtual_machine_run_command cloudflare_worker_version cloudflare_workers_deployment \
     docker_image docker_registry_image google_api_gateway_api_config \
     google_compute_instance_template google_compute_region_instance_template kubernetes_job \
     kubernetes_job_v1 kubernetes_token_request_v1 local_file local_sensitive_file null_resource \
     random_* template_dir template_file terraform_data time_* tls_cert_request \
     tls_locally_signed_cert tls_self_signed_cert vault_approle_auth_backend_role_secret_id"
);

/// Names of members that name an element of a list, the most usual first.
pub(crate) const NAMES_OF_ELEMENTS: &[&str] =
    words!("name device_name display_name rule_name metric_name origin_id key id ref expression");

/// Globs for types that are meant to hold secrets.
pub(crate) const TYPES_THAT_HOLD_SECRETS: &[&str] = words!(
    "*_access_key *_api_key *_certificate* *_credential* *_password *_private_key \
     *_service_account_key *_token *secret* acme_* random_* tls_* vault_*"
);

/// Globs for attributes whose values are stored in plain text, so that anyone who may read the object reads them.
pub(crate) const PLAIN_STORES: &[&str] = words!(
    "aws_ssm_parameter.value aws_ssm_parameter.insecure_value kubernetes_config_map.* \
     kubernetes_config_map_v1.* aws_s3_object.content* aws_s3_bucket_object.content* \
     google_storage_bucket_object.content azurerm_storage_blob.source_content \
     azurerm_app_configuration_key.value consul_key*.* local_file.content* \
     aws_instance.user_data* aws_launch_template.user_data google_compute_instance.metadata* \
     github_actions_variable.value"
);

/// Texts that are written instead of a password, for example in documentation.
pub(crate) const PLACEHOLDERS_OF_PASSWORDS: &[&str] = words!(
    "password passwd pass pwd secret changeme change-me example placeholder redacted token dummy \
     test none"
);

/// Endings of the names of passwords, in lower case and without `_` and `-`.
pub(crate) const ENDINGS_OF_PASSWORD_NAMES: &[&str] =
    words!("password passwd passphrase passcode pswd pwd storepass keypass sshpass");

/// Endings of the names of keys, in lower case and without `_` and `-`.
pub(crate) const ENDINGS_OF_KEY_NAMES: &[&str] =
    words!("apikey accesskey accountkey secretkey privatekey");

/// Words before `key` in the names of credentials.
pub(crate) const WORDS_BEFORE_KEY: &[&str] = words!(
    "api access account secret private shared encryption signing signature license master hmac jwt \
     session cookie crypto cipher auth authentication authorization webhook subscription functions \
     app application admin primary secondary integration write"
);

/// Words before `key` in names that are not those of a credential.
pub(crate) const WORDS_OF_OTHER_KEYS: &[&str] = words!(
    "public partition sort hash range primary foreign object s3 kms ssh cache lookup idempotency \
     index row group state tag label config parameter ssm bucket route routing sort \
     instrumentation storage backend"
);

/// Words before `token` in names that are not those of a credential: such tokens are public, or name a request.
pub(crate) const WORDS_OF_OTHER_TOKENS: &[&str] = words!(
    "dkim creation idempotency request page next continuation \
     pagination"
);

/// Words at the end of the name of a credential, without which it is still the name of one.
pub(crate) const SUFFIXES_OF_CREDENTIAL_NAMES: &[&str] = words!(
    "old new prod production staging dev test value text plain plaintext string base64 b64 \
     primary secondary base raw main encoded"
);

/// Texts that follow the name of a password and describe it, so that they are not the password.
pub(crate) const WORDS_THAT_ARE_NO_PASSWORDS: &[&str] = words!(
    "true false null required optional enabled disabled never always default auto automatic \
     random generated expired sha256 sha512 bcrypt scram md5 plain plaintext string manual \
     managed"
);

/// Parts of the names of arguments that hold secrets, for types without a schema.
pub(crate) const PARTS_OF_SECRET_ARGUMENTS: &[&str] = words!(
    "password passwd passphrase secret token private_key credential api_key access_key \
     certificate"
);

/// Names of lists of rules that may be tried in their order.
pub(crate) const ORDERED_LISTS: &[&str] = words!("rule rules");
/// Words in the names of types whose rules are tried in their order.
pub(crate) const WORDS_OF_ORDERED_TYPES: &[&str] =
    words!("firewall waf wafv2 acl ruleset security policy listener router filter nat");
/// Words in the names of types whose rules have no order, even if another word says so.
pub(crate) const WORDS_OF_UNORDERED_TYPES: &[&str] = words!("group lifecycle cors replication");
