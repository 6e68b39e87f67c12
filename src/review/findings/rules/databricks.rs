//! Rules for Databricks.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("databricks_catalog", "data catalogue").show("name|force_destroy"),
    lost("databricks_schema", "database schema").show("name|catalog_name|force_destroy"),
    lost("databricks_sql_table", "table").show("name|catalog_name"),
    lost("databricks_volume", "volume").show("name"),
    lost(
        "databricks_metastore|databricks_mws_workspaces",
        "workspace",
    )
    .show("name|workspace_name|force_destroy"),
    lost(
        "databricks_notebook|databricks_repo|databricks_directory",
        "notebook",
    )
    .show("path")
    .level(Warning),
    lost("databricks_secret_scope", "secret").show("name"),
    // Who may reach or do more.
    exposure(
        "databricks_permissions",
        "access_control[*].group_name",
        role_for(
            "access_control[*].permission_level",
            "CAN_MANAGE|IS_OWNER|CAN_MANAGE_RUN|CAN_EDIT|CAN_ATTACH_TO|CAN_RESTART",
            "users|account users",
        ),
    ),
    exposure(
        "databricks_permissions",
        "access_control[*].group_name",
        role("access_control[*].permission_level", "CAN_MANAGE|IS_OWNER"),
    )
    .named("databricks_permissions.groups"),
    exposure(
        "databricks_permissions",
        "access_control[*].user_name",
        role("access_control[*].permission_level", "CAN_MANAGE|IS_OWNER"),
    ),
    exposure(
        "databricks_permissions",
        "access_control[*].service_principal_name",
        role("access_control[*].permission_level", "CAN_MANAGE|IS_OWNER"),
    ),
    exposure(
        "databricks_grants",
        "grant[*].principal",
        role(
            "grant[*].privileges[*]",
            "ALL_PRIVILEGES|ALL PRIVILEGES|MANAGE|CREATE_CATALOG|CREATE_STORAGE_CREDENTIAL",
        ),
    ),
    exposure(
        "databricks_grants",
        "grant[*].principal",
        is("account users|users"),
    )
    .what("everybody of the account")
    .named("databricks_grants.everybody"),
    exposure(
        "databricks_grant",
        "principal",
        role(
            "privileges[*]",
            "ALL_PRIVILEGES|ALL PRIVILEGES|MANAGE|CREATE_CATALOG|CREATE_STORAGE_CREDENTIAL",
        ),
    ),
    exposure("databricks_grant", "principal", is("account users|users"))
        .what("everybody of the account")
        .named("databricks_grant.everybody"),
    exposure(
        "databricks_mws_permission_assignment",
        "permissions[*]",
        is("ADMIN"),
    ),
    exposure("databricks_group_member", "group_id", There)
        .what("a member of a group")
        .level(Notice),
    exposure(
        "databricks_group_role|databricks_user_role|databricks_service_principal_role",
        "role",
        There,
    )
    .level(Notice),
    exposure(
        "databricks_group|databricks_user|databricks_service_principal",
        "allow_cluster_create",
        On,
    ),
    exposure("databricks_ip_access_list", "ip_addresses[*]", AnySource)
        .serves(Class::Data)
        .only_if(&[Needs("list_type", "ALLOW")]),
    exposure(
        "databricks_workspace_conf",
        "custom_config.enableIpAccessLists",
        Off,
    )
    .unless_created(),
    exposure(
        "databricks_external_location|databricks_storage_credential",
        "read_only",
        Off,
    )
    .unless_created(),
    exposure("databricks_recipient|databricks_share", "name", There)
        .what("data is shared with others"),
    exposure(
        "databricks_mws_private_access_settings",
        "public_access_enabled",
        On,
    )
    .unless_created(),
    // What guards, records or backs up.
    protection(
        "databricks_cluster_policy",
        "definition.data_security_mode.value",
        order("NONE|LEGACY_*|USER_ISOLATION"),
    ),
    protection(
        "databricks_cluster_policy",
        "definition.autotermination_minutes.value",
        Zero,
    )
    .level(Notice),
    protection(
        "databricks_cluster",
        "data_security_mode",
        order("NONE|LEGACY_*|USER_ISOLATION"),
    ),
    protection("databricks_cluster", "autotermination_minutes", Zero).level(Notice),
    protection("databricks_ip_access_list", "enabled", Off),
    unguarded("databricks_ip_access_list|databricks_cluster_policy|databricks_mws_log_delivery"),
    // What serves requests.
    interrupted(
        "databricks_sql_endpoint|databricks_cluster|databricks_job|databricks_pipeline|\
         databricks_model_serving",
    )
    .named("databricks_*.service"),
    downtime(
        "databricks_job",
        "schedule[*].pause_status",
        order("PAUSED|UNPAUSED"),
    ),
];
