//! Rules for Snowflake.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("snowflake_database", "database").show("name"),
    lost("snowflake_table", "table").show("name"),
    lost("snowflake_schema", "database schema").show("name|database"),
    lost("snowflake_stage*", "stage with its files").show("name|database"),
    lost(
        "snowflake_dynamic_table|snowflake_external_table|snowflake_materialized_view",
        "table",
    )
    .show("name|database")
    .level(Warning),
    lost(
        "snowflake_shared_database|snowflake_secondary_database",
        "database",
    )
    .show("name")
    .level(Warning),
    lost("snowflake_user", "user").show("name").level(Warning),
    // Who may reach or do more.
    exposure(
        "snowflake_grant_account_role",
        "user_name",
        role("role_name", "ACCOUNTADMIN|SECURITYADMIN"),
    )
    .serves(Class::Administration),
    exposure(
        "snowflake_grant_account_role|snowflake_grant_database_role",
        "parent_role_name",
        is("PUBLIC|\"PUBLIC\""),
    )
    .what("everybody of the account ({}) gets the role")
    .level(Critical),
    exposure(
        "snowflake_grant_account_role",
        "parent_role_name",
        role(
            "role_name",
            "ACCOUNTADMIN|SECURITYADMIN|SYSADMIN|USERADMIN|ORGADMIN|\
             \"ACCOUNTADMIN\"|\"SECURITYADMIN\"|\"SYSADMIN\"|\"USERADMIN\"|\"ORGADMIN\"",
        ),
    )
    .named("snowflake_grant_account_role.administration")
    .serves(Class::Administration),
    exposure(
        "snowflake_grant_account_role",
        "user_name",
        role(
            "role_name",
            "SYSADMIN|USERADMIN|ORGADMIN|\"ACCOUNTADMIN\"|\"SECURITYADMIN\"|\
             \"SYSADMIN\"|\"USERADMIN\"|\"ORGADMIN\"",
        ),
    )
    .named("snowflake_grant_account_role.user")
    .serves(Class::Administration),
    exposure(
        "snowflake_grant_privileges_to_account_role",
        "account_role_name",
        is("PUBLIC|\"PUBLIC\""),
    )
    .what("everybody of the account gets the privileges")
    .level(Critical),
    exposure(
        "snowflake_grant_privileges_to_account_role|\
         snowflake_grant_privileges_to_database_role",
        "all_privileges",
        On,
    ),
    exposure(
        "snowflake_grant_privileges_to_account_role|\
         snowflake_grant_privileges_to_database_role",
        "with_grant_option",
        On,
    ),
    exposure(
        "snowflake_grant_privileges_to_account_role",
        "privileges[*]",
        is(
            "MANAGE GRANTS|CREATE USER|CREATE ROLE|CREATE ACCOUNT|IMPORTED PRIVILEGES|\
         EXECUTE TASK|OWNERSHIP|IMPORT SHARE|CREATE SHARE|CREATE INTEGRATION|ATTACH POLICY",
        ),
    ),
    exposure("snowflake_grant_ownership", "account_role_name", There).what("ownership goes to {}"),
    exposure("snowflake_grant_ownership", "database_role_name", There).what("ownership goes to {}"),
    exposure("snowflake_network_policy", "allowed_ip_list[*]", AnySource).serves(Class::Database),
    exposure("snowflake_network_rule", "value_list[*]", AnySource)
        .serves(Class::Database)
        .only_if(&[Needs("mode", "INGRESS")]),
    exposure("snowflake_share", "accounts[*]", There).what("data is shared with another account"),
    exposure(
        "snowflake_user|snowflake_service_user|snowflake_legacy_service_user",
        "network_policy",
        Gone,
    )
    .what("the list of allowed addresses")
    .unless_created(),
    // What guards, records or backs up.
    protection(
        "snowflake_database|snowflake_schema|snowflake_table",
        "data_retention_time_in_days",
        Lower,
    )
    .what("less Time Travel"),
    unguarded(
        "snowflake_masking_policy|snowflake_row_access_policy|\
         snowflake_table_column_masking_policy_application|snowflake_network_policy|\
         snowflake_network_policy_attachment|snowflake_password_policy|\
         snowflake_authentication_policy|snowflake_resource_monitor|\
         snowflake_alert",
    ),
    protection("snowflake_warehouse", "resource_monitor", Gone).level(Notice),
    protection("snowflake_account", "is_org_admin", On),
    // What serves requests.
    downtime("snowflake_user|snowflake_service_user", "disabled", On),
    interrupted("snowflake_warehouse|snowflake_task|snowflake_pipe|snowflake_stream*")
        .named("snowflake_*.service"),
    downtime("snowflake_task", "started", Off),
];
