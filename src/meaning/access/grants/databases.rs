//! Grants of databases, warehouses and message brokers.

use super::form::{
    Absent, Form, Part, another, closes, denies, grants, guards, limit, on, opens, same, steps,
    what, who,
};
use super::grant::Purpose::{Filters, Grants, Guards};
use super::order::{Ladder, Order};

/// The privileges of PostgreSQL. <https://www.postgresql.org/docs/current/sql-grant.html>
const POSTGRES: Order = Order::Table(&[("all", &["*"]), ("all privileges", &["*"])]);

/// The roles of PostgreSQL: `PUBLIC` is every role.
const POSTGRES_ROLE: Order = Order::Table(&[("public", &["*"])]);

/// The privileges of MySQL; the name of each is part of the statement.
const MYSQL: Order = Order::Table(&[("all", &["*"]), ("all privileges", &["*"])]);

/// The hosts of MySQL: `%` stands for any.
const MYSQL_HOST: Order = Order::Table(&[("%", &["*"])]);

/// The privileges of Snowflake.
const SNOWFLAKE: Order = Order::Table(&[
    ("all", &["*"]),
    ("all privileges", &["*"]),
    ("ownership", &["*"]),
]);

/// The system roles of Snowflake. <https://docs.snowflake.com/en/user-guide/security-access-control-overview>
const SNOWFLAKE_ROLE: Order = Order::Table(&[
    (
        "accountadmin",
        &["securityadmin", "useradmin", "sysadmin", "public"],
    ),
    (
        "\"accountadmin\"",
        &[
            "\"securityadmin\"",
            "\"useradmin\"",
            "\"sysadmin\"",
            "\"public\"",
        ],
    ),
    ("securityadmin", &["useradmin", "public"]),
    ("\"securityadmin\"", &["\"useradmin\"", "\"public\""]),
]);

/// The operations of Kafka; some imply that one may describe.
/// <https://kafka.apache.org/documentation/#operations_in_kafka>
const KAFKA: Order = Order::Table(&[
    ("all", &["*"]),
    ("read", &["describe"]),
    ("write", &["describe"]),
    ("delete", &["describe"]),
    ("alter", &["describe"]),
    ("alterconfigs", &["describeconfigs"]),
    ("alter_configs", &["describe_configs"]),
]);

/// The principals of Kafka: `User:*` is everybody.
const KAFKA_PRINCIPAL: Order = Order::Table(&[("user:*", &["*"])]);

/// The steps of a literal and a prefixed name of Kafka.
const KAFKA_PATTERN: Ladder = &["literal", "prefixed", "match", "any"];

/// What a user of MongoDB Atlas may do in one database.
const ATLAS_ROLE: &[Part] = &[
    what("role_name", ATLAS),
    on("database_name", Order::Exact),
    on("collection_name", Order::Exact),
];

/// The built-in roles of MongoDB. <https://www.mongodb.com/docs/manual/reference/built-in-roles/>
const ATLAS: Order = Order::Table(&[
    ("atlasadmin", &["*"]),
    ("root", &["*"]),
    (
        "readwriteanydatabase",
        &["readanydatabase", "readwrite", "read"],
    ),
    ("readanydatabase", &["read"]),
    ("readwrite", &["read"]),
    ("dbowner", &["dbadmin", "useradmin", "readwrite", "read"]),
]);

/// The roles of organizations and projects of MongoDB Atlas.
const ATLAS_MEMBER: Order = Order::Table(&[
    ("org_owner", &["*"]),
    (
        "group_owner",
        &[
            "group_read_only",
            "group_cluster_manager",
            "group_data_access_admin",
            "group_data_access_read_write",
            "group_data_access_read_only",
        ],
    ),
    (
        "group_data_access_admin",
        &[
            "group_data_access_read_write",
            "group_data_access_read_only",
        ],
    ),
    (
        "group_data_access_read_write",
        &["group_data_access_read_only"],
    ),
]);

/// The roles of Confluent.
const CONFLUENT: Order = Order::Table(&[
    ("organizationadmin", &["*"]),
    (
        "environmentadmin",
        &[
            "cloudclusteradmin",
            "operator",
            "metricsviewer",
            "developerread",
            "developerwrite",
        ],
    ),
    (
        "cloudclusteradmin",
        &[
            "operator",
            "developerread",
            "developerwrite",
            "developermanage",
        ],
    ),
    (
        "resourceowner",
        &["developerread", "developerwrite", "developermanage"],
    ),
]);

/// The forms of databases.
pub(super) const FORMS: &[Form] = &[
    Form::new(
        &["postgresql_grant", "postgresql_default_privileges"],
        Grants,
        &[
            who("role", POSTGRES_ROLE),
            what("privileges", POSTGRES),
            on("database", Order::Exact),
            on("schema", Order::Exact),
            on("object_type", Order::Exact),
            on("objects", Order::Exact),
            on("columns", Order::Exact),
            opens("with_grant_option"),
            on("owner", Order::Exact),
        ],
    ),
    Form::new(
        &["postgresql_grant_role"],
        Grants,
        &[
            who("role", POSTGRES_ROLE),
            what("grant_role", Order::Exact),
            opens("with_admin_option"),
        ],
    ),
    Form::new(
        &["postgresql_role", "redshift_user", "cockroach_sql_user"],
        Grants,
        &[
            who("name", Order::Exact),
            opens("superuser"),
            opens("create_database"),
            opens("create_role"),
            opens("replication"),
            opens("bypass_row_level_security"),
            opens("login"),
            what("roles", Order::Exact),
            limit("valid_until", VALID_UNTIL),
            steps(
                "syslog_access",
                &["restricted", "unrestricted"],
                "restricted",
            ),
            opens("inherit").absent(Absent::Is("true")),
        ],
    ),
    Form::new(
        &["postgresql_security_label"],
        Guards,
        &[what("label", Order::Text)],
    ),
    Form::new(
        &["mysql_grant"],
        Grants,
        &[
            who("user", Order::Exact),
            who("role", Order::Exact),
            who("host", MYSQL_HOST).absent(Absent::Is("localhost")),
            on("database", MYSQL_NAME),
            on("table", MYSQL_NAME),
            what("privileges", MYSQL),
            what("roles", Order::Exact),
            opens("grant"),
            TLS,
        ],
    ),
    Form::new(
        &["mysql_user", "mysql_default_roles"],
        Grants,
        &[
            who("user", Order::Exact),
            who("host", MYSQL_HOST).absent(Absent::Is("localhost")),
            what("roles", Order::Exact),
            TLS,
        ],
    ),
    Form::new(
        &[
            "snowflake_grant_privileges_to_*role",
            "snowflake_grant_ownership",
            "snowflake_*_grant",
            "snowflake_grant_privileges_to_share",
        ],
        Grants,
        &[
            who("account_role_name", SNOWFLAKE_ROLE),
            who("database_role_name", Order::NoCase),
            who("role_name", SNOWFLAKE_ROLE),
            who("roles", SNOWFLAKE_ROLE),
            who("shares", Order::NoCase),
            who("to_share", Order::NoCase),
            what("privileges", SNOWFLAKE),
            what("privilege", SNOWFLAKE),
            opens("all_privileges"),
            opens("with_grant_option"),
            opens("on_account"),
            opens("always_apply"),
            on("on_account_object", Order::Exact),
            on("on_schema", Order::Exact),
            on("on_schema_object", Order::Exact),
            on("on", Order::Exact),
            on("database_name", Order::NoCase),
            on("schema_name", Order::NoCase),
        ],
    ),
    Form::new(
        &[
            "snowflake_grant_account_role",
            "snowflake_grant_database_role",
            "snowflake_grant_application_role",
            "snowflake_role_grants",
        ],
        Grants,
        &[
            what("role_name", SNOWFLAKE_ROLE),
            what("database_role_name", Order::NoCase),
            what("application_role_name", Order::NoCase),
            who("user_name", Order::NoCase),
            who("parent_role_name", Order::NoCase),
            who("parent_account_role_name", Order::NoCase),
            who("share_name", Order::NoCase),
            who("users", Order::NoCase),
            who("roles", Order::NoCase),
        ],
    ),
    Form::new(
        &["snowflake_network_policy"],
        Filters,
        &[
            what("allowed_ip_list", Order::Network),
            denies("blocked_ip_list", Order::Network),
            what("allowed_network_rule_list", Order::Exact),
            denies("blocked_network_rule_list", Order::Exact),
        ],
    ),
    Form::new(
        &["snowflake_network_rule"],
        Filters,
        &[
            what("value_list", Order::Network),
            another("mode"),
            another("type"),
        ],
    ),
    Form::new(
        &["snowflake_network_policy_attachment"],
        Filters,
        &[on("users", Order::NoCase), another("network_policy_name")],
    ),
    Form::of_object(
        &[
            "snowflake_user",
            "snowflake_service_user",
            "snowflake_legacy_service_user",
        ],
        &[
            what("default_role", SNOWFLAKE_ROLE),
            closes("disabled"),
            another("network_policy"),
        ],
    ),
    Form::of_object(&["snowflake_share"], &[who("accounts", Order::NoCase)]),
    Form::new(
        &["mongodbatlas_database_user"],
        Grants,
        &[
            who("username", Order::Exact),
            who("auth_database_name", Order::Exact),
            grants("roles", ATLAS_ROLE),
            limit("scopes", Order::Exact),
            on("project_id", Order::Exact),
            another("x509_type"),
        ],
    ),
    Form::new(
        &["mongodbatlas_custom_db_role"],
        Grants,
        &[
            grants(
                "actions",
                &[what("action", Order::Exact), on("resources", Order::Exact)],
            ),
            what("inherited_roles", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "mongodbatlas_project_invitation",
            "mongodbatlas_org_invitation",
            "mongodbatlas_cloud_user_*_assignment",
            "mongodbatlas_team_project_assignment",
            "mongodbatlas_project_api_key",
            "mongodbatlas_api_key",
            "mongodbatlas_api_key_project_assignment",
        ],
        Grants,
        &[
            who("username", Order::NoCase),
            who("team_id", Order::Exact),
            who("api_key_id", Order::Exact),
            what("roles", ATLAS_MEMBER),
            what("role_names", ATLAS_MEMBER),
            grants(
                "project_assignment",
                &[
                    on("project_id", Order::Exact),
                    what("role_names", ATLAS_MEMBER),
                ],
            ),
            on("project_id", Order::Exact),
            on("org_id", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "mongodbatlas_project_ip_access_list",
            "mongodbatlas_access_list_api_key",
        ],
        Grants,
        &[
            who("cidr_block", Order::Network),
            who("ip_address", Order::Network),
            who("aws_security_group", Order::Exact),
            on("project_id", Order::Exact),
            on("api_key_id", Order::Exact),
        ],
    ),
    Form::new(
        &["mongodbatlas_teams"],
        Grants,
        &[who("usernames", Order::NoCase)],
    ),
    Form::new(
        &[
            "clickhouse_grant_privilege",
            "clickhousedbops_grant_privilege",
        ],
        Grants,
        &[
            who("grantee_user_name", Order::Exact),
            who("grantee_role_name", Order::Exact),
            what("privilege_name", POSTGRES),
            on("database_name", Order::Exact),
            on("table_name", Order::Exact),
            on("column_name", Order::Exact),
            opens("grant_option"),
        ],
    ),
    Form::new(
        &["clickhouse_grant_role", "clickhousedbops_grant_role"],
        Grants,
        &[
            what("role_name", Order::Exact),
            who("grantee_user_name", Order::Exact),
            who("grantee_role_name", Order::Exact),
            opens("admin_option"),
        ],
    ),
    Form::new(
        &["redshift_grant", "redshift_default_privileges"],
        Grants,
        &[
            who("user", Order::Exact),
            who("group", POSTGRES_ROLE),
            who("role", Order::Exact),
            what("privileges", POSTGRES),
            on("schema", Order::Exact),
            on("object_type", Order::Exact),
            on("objects", Order::Exact),
            on("owner", Order::Exact),
        ],
    ),
    Form::new(
        &["redshift_group"],
        Grants,
        &[who("users", Order::Exact), another("name")],
    ),
    Form::new(
        &["kafka_acl"],
        Grants,
        &[
            who("acl_principal", KAFKA_PRINCIPAL),
            what("acl_operation", KAFKA),
            who("acl_host", Order::Table(&[("*", &["*"])])),
            on("resource_type", Order::NoCase),
            on("resource_name", Order::Pattern),
            on("resource_pattern_type_filter", Order::Steps(KAFKA_PATTERN))
                .absent(Absent::Is("literal")),
        ],
    )
    .denies_if("acl_permission_type", "deny"),
    Form::new(
        &["confluent_kafka_acl"],
        Grants,
        &[
            who("principal", KAFKA_PRINCIPAL),
            what("operation", KAFKA),
            who("host", Order::Table(&[("*", &["*"])])),
            on("resource_type", Order::NoCase),
            on("resource_name", Order::Pattern),
            on("pattern_type", Order::Steps(KAFKA_PATTERN)).absent(Absent::Is("literal")),
            on("kafka_cluster", Order::Exact),
        ],
    )
    .denies_if("permission", "deny"),
    Form::new(
        &["confluent_role_binding"],
        Grants,
        &[
            who("principal", Order::Exact),
            what("role_name", CONFLUENT),
            on("crn_pattern", Order::Path),
        ],
    ),
    Form::new(
        &[
            "confluent_api_key",
            "confluent_certificate_pool",
            "confluent_identity_pool",
        ],
        Grants,
        &[
            who("owner", Order::Exact),
            on("managed_resource", Order::Exact),
            limit("filter", Order::Cel),
            another("identity_claim"),
        ],
    ),
    Form::new(
        &["confluent_invitation"],
        Grants,
        &[who("email", Order::NoCase)],
    ),
    Form::new(
        &["aiven_kafka_acl", "aiven_opensearch_acl_rule"],
        Grants,
        &[
            who("username", Order::Pattern),
            what(
                "permission",
                Order::Table(&[("admin", &["*"]), ("readwrite", &["read", "write"])]),
            ),
            on("topic", Order::Pattern),
            on("index", Order::Pattern),
            on("service_name", Order::Exact),
        ],
    ),
    Form::new(
        &["aiven_kafka_native_acl"],
        Grants,
        &[
            who("principal", KAFKA_PRINCIPAL),
            what("operation", KAFKA),
            who("host", Order::Table(&[("*", &["*"])])).absent(Absent::Everything),
            on("resource_type", Order::NoCase),
            on("resource_name", Order::Pattern),
            on("pattern_type", Order::Steps(KAFKA_PATTERN)).absent(Absent::Is("literal")),
        ],
    )
    .denies_if("permission_type", "deny"),
    Form::new(
        &["databricks_permissions"],
        Grants,
        &[grants(
            "access_control",
            &[
                who("user_name", Order::NoCase),
                who("group_name", DATABRICKS_GROUP),
                who("service_principal_name", Order::Exact),
                what("permission_level", DATABRICKS),
            ],
        )],
    )
    .rest_is_where(),
    Form::new(
        &["databricks_grants"],
        Grants,
        &[grants(
            "grant",
            &[
                who("principal", DATABRICKS_GROUP),
                what("privileges", SNOWFLAKE),
            ],
        )],
    )
    .rest_is_where(),
    Form::new(
        &["databricks_grant"],
        Grants,
        &[
            who("principal", DATABRICKS_GROUP),
            what("privileges", SNOWFLAKE),
        ],
    )
    .rest_is_where(),
    Form::new(
        &[
            "databricks_group_member",
            "databricks_user_role",
            "databricks_group_role",
            "databricks_service_principal_role",
            "databricks_mws_permission_assignment",
            "databricks_permission_assignment",
            "databricks_secret_acl",
        ],
        Grants,
        &[
            who("member_id", Order::Exact),
            who("user_id", Order::Exact),
            who("principal_id", Order::Exact),
            who("principal", DATABRICKS_GROUP),
            who("service_principal_id", Order::Exact),
            on("group_id", Order::Exact),
            on("scope", Order::Exact),
            on("workspace_id", Order::Exact),
            what("role", Order::Exact),
            what("permissions", Order::Steps(&["user", "admin"])),
            what("permission", Order::Steps(&["read", "write", "manage"])),
        ],
    ),
    Form::of_object(
        &[
            "databricks_user",
            "databricks_group",
            "databricks_service_principal",
        ],
        &[
            opens("allow_cluster_create"),
            opens("allow_instance_pool_create"),
            opens("databricks_sql_access"),
            opens("workspace_access"),
            steps("active", &["false", "true"], "true"),
        ],
    ),
    Form::new(
        &["databricks_ip_access_list"],
        Grants,
        &[
            who("ip_addresses", Order::Network),
            opens("enabled").absent(Absent::Is("true")),
        ],
    )
    .denies_if("list_type", "block"),
    Form::new(
        &[
            "elasticstack_elasticsearch_security_role",
            "opensearch_role",
        ],
        Grants,
        &[
            what("cluster", POSTGRES),
            what("cluster_permissions", POSTGRES),
            what("run_as", Order::Pattern),
            grants(
                "indices",
                &[
                    on("names", Order::Pattern),
                    what("privileges", POSTGRES),
                    limit("query", Order::Text),
                    opens("allow_restricted_indices"),
                ],
            ),
            grants(
                "index_permissions",
                &[
                    on("index_patterns", Order::Pattern),
                    what("allowed_actions", POSTGRES),
                    limit("document_level_security", Order::Text),
                ],
            ),
        ],
    ),
    Form::new(
        &[
            "elasticstack_elasticsearch_security_role_mapping",
            "opensearch_roles_mapping",
        ],
        Grants,
        &[
            what("roles", Order::Exact),
            who("users", Order::Pattern),
            who("backend_roles", Order::Pattern),
            who("hosts", Order::Pattern),
            limit("rules", Order::Text),
            opens("enabled").absent(Absent::Is("true")),
            same("metadata"),
        ],
    ),
    Form::new(
        &["rabbitmq_permissions", "rabbitmq_topic_permissions"],
        Grants,
        &[
            who("user", Order::Exact),
            on("vhost", Order::Exact),
            what("permissions.configure", REGEX),
            what("permissions.write", REGEX),
            what("permissions.read", REGEX),
        ],
    ),
    Form::new(
        &["rabbitmq_user"],
        Grants,
        &[
            who("name", Order::Exact),
            what(
                "tags",
                Order::Table(&[
                    (
                        "administrator",
                        &["policymaker", "monitoring", "management"],
                    ),
                    ("policymaker", &["management"]),
                    ("monitoring", &["management"]),
                ]),
            ),
        ],
    ),
    Form::new(
        &[
            "couchbase-capella_user",
            "couchbase-capella_database_credential",
        ],
        Grants,
        &[
            who("email", Order::NoCase),
            who("name", Order::Exact),
            what("organization_roles", Order::Exact),
            what("access", Order::Exact),
            what("resources", Order::Exact),
            guards("expiry", Order::AtLeast),
        ],
    ),
];

/// Names of databases and tables of MySQL, where `*` is all.
const MYSQL_NAME: Order = Order::Table(&[("*", &["*"])]);

/// Regular expressions of RabbitMQ: `.*` is all, and no expression nothing.
const REGEX: Order = Order::Table(&[(".*", &["*"])]);

/// Times until which a role may sign in: `infinity` is for ever.
const VALID_UNTIL: Order = Order::Table(&[("infinity", &["*"])]);

/// The groups of Databricks: `users` is everybody.
const DATABRICKS_GROUP: Order = Order::Table(&[("users", &["*"]), ("account users", &["*"])]);

/// The permission levels of Databricks.
/// <https://docs.databricks.com/security/auth/access-control/>
const DATABRICKS: Order = Order::Steps(&[
    "can_view",
    "can_read",
    "can_attach_to",
    "can_run",
    "can_restart",
    "can_edit",
    "can_manage",
    "is_owner",
]);

/// How connections must be encrypted, from the strictest to not at all.
const TLS: Part = steps("tls_option", &["x509", "ssl", "none"], "none");
