//! Grants of AWS that are not policies: permissions of functions, grants of keys, shares, access lists, memberships,
//! authorizers, Lake Formation.

use super::form::{
    Absent, Form, Part, another, closes, grants, guard, guards, limit, limits, on, opens, same,
    steps, what, who,
};
use super::grant::Purpose::{Filters, Grants, Guards, Trusts};
use super::order::{Ladder, Order};

/// The canned access lists of buckets. <https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html>
const CANNED: Order = Order::Table(&[
    (
        "public-read-write",
        &[
            "public-read",
            "authenticated-read",
            "private",
            "bucket-owner-read",
            "bucket-owner-full-control",
        ],
    ),
    (
        "public-read",
        &["authenticated-read", "private", "bucket-owner-read"],
    ),
    ("authenticated-read", &["private"]),
    ("aws-exec-read", &["private"]),
    ("log-delivery-write", &["private"]),
    ("bucket-owner-read", &["private"]),
    (
        "bucket-owner-full-control",
        &["bucket-owner-read", "private"],
    ),
]);

/// The permissions of an access list of a bucket.
const ACL_PERMISSION: Order =
    Order::Table(&[("full_control", &["read", "write", "read_acp", "write_acp"])]);

/// Who is meant in an access list of a bucket.
const ACL_GROUP: Order = Order::Table(&[
    ("http://acs.amazonaws.com/groups/global/allusers", &["*"]),
    (
        "http://acs.amazonaws.com/groups/global/authenticatedusers",
        &["http://acs.amazonaws.com/groups/s3/logdelivery"],
    ),
]);

/// What an entry of an access list says: its grantee is one of three, and one dimension.
const ACL: &[Part] = &[
    what("permission", ACL_PERMISSION),
    who("grantee.uri", ACL_GROUP),
    who("grantee.id", Order::Exact),
    who("grantee.email_address", Order::NoCase),
];

/// What an entry of an access list says that is part of a bucket.
const BUCKET_GRANT: &[Part] = &[
    what("permissions", ACL_PERMISSION),
    who("uri", ACL_GROUP),
    who("id", Order::Exact),
];

/// The permissions of Lake Formation and Redshift; `ALL` covers the others.
const ALL: Order = Order::Table(&[("all", &["*"]), ("super", &["*"])]);

/// The switches that keep a bucket from strangers.
const PUBLIC_ACCESS: &[Part] = &[
    closes("block_public_acls"),
    closes("block_public_policy"),
    closes("ignore_public_acls"),
    closes("restrict_public_buckets"),
    same("skip_destroy"),
];

/// The forms of AWS.
pub(super) const FORMS: &[Form] = &[
    Form::new(
        &["aws_lambda_permission"],
        Grants,
        &[
            who("principal", Order::AwsPrincipal),
            what("action", Order::PatternNoCase),
            on("function_name", Order::Exact),
            on("qualifier", Order::Exact),
            limit("source_arn", Order::Pattern),
            limit("source_account", Order::Exact),
            limit("principal_org_id", Order::Exact),
            limit("event_source_token", Order::Exact),
            steps("function_url_auth_type", &["aws_iam", "none"], "aws_iam"),
            limit("invoked_via_function_url", Order::Exact),
            same("statement_id"),
            same("statement_id_prefix"),
        ],
    ),
    Form::new(
        &["aws_lambda_layer_version_permission"],
        Grants,
        &[
            who("principal", Order::AwsPrincipal),
            what("action", Order::PatternNoCase),
            on("layer_name", Order::Exact),
            on("version_number", Order::Exact),
            limit("organization_id", Order::Exact),
            same("statement_id"),
        ],
    ),
    Form::new(
        &["aws_lambda_function_url"],
        Grants,
        &[
            steps("authorization_type", &["aws_iam", "none"], "aws_iam"),
            on("function_name", Order::Exact),
            on("qualifier", Order::Exact),
            what("cors.allow_origins", Order::Pattern),
            what("cors.allow_methods", Order::Pattern),
            what("cors.allow_headers", Order::Pattern),
            opens("cors.allow_credentials"),
        ],
    ),
    Form::new(
        &["aws_kms_grant"],
        Grants,
        &[
            who("grantee_principal", Order::AwsPrincipal),
            what("operations", Order::NoCase),
            on("key_id", Order::Exact),
            limit("constraints.encryption_context_equals", Order::Text),
            limit("constraints.encryption_context_subset", Order::Text),
            who("retiring_principal", Order::AwsPrincipal),
            same("grant_creation_tokens"),
        ],
    ),
    Form::new(
        &[
            "aws_ram_principal_association",
            "aws_ram_resource_association",
        ],
        Grants,
        &[
            who("principal", Order::AwsPrincipal),
            on("resource_share_arn", Order::Exact),
            what("resource_arn", Order::Exact),
        ],
    ),
    Form::of_object(
        &["aws_ram_resource_share"],
        &[
            opens("allow_external_principals"),
            what("permission_arns", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "aws_ami_launch_permission",
            "aws_snapshot_create_volume_permission",
        ],
        Grants,
        &[
            who("account_id", Order::AwsPrincipal),
            who("group", Order::AwsPrincipal),
            who("organization_arn", Order::Exact),
            who("organizational_unit_arn", Order::Exact),
            on("image_id", Order::Exact),
            on("snapshot_id", Order::Exact),
        ],
    ),
    Form::of_object(
        &[
            "aws_db_snapshot",
            "aws_db_snapshot_copy",
            "aws_db_cluster_snapshot",
            "aws_rds_cluster_snapshot_copy",
            "aws_neptune_cluster_snapshot",
            "aws_docdb_cluster_snapshot",
        ],
        &[who("shared_accounts", Order::AwsPrincipal)],
    ),
    Form::of_object(
        &["aws_ssm_document"],
        &[who("permissions.account_ids", Order::AwsPrincipal)],
    ),
    Form::new(
        &["aws_s3_bucket_acl", "aws_s3_object_copy_acl"],
        Grants,
        &[
            what("acl", CANNED),
            grants("access_control_policy.grant", ACL),
            on("bucket", Order::Exact),
            another("access_control_policy.owner"),
        ],
    ),
    Form::of_object(
        &["aws_s3_bucket"],
        &[ACL_OF_OBJECT, grants("grant", BUCKET_GRANT)],
    ),
    Form::of_object(
        &[
            "aws_s3_object",
            "aws_s3_bucket_object",
            "aws_s3_object_copy",
        ],
        &[ACL_OF_OBJECT],
    ),
    Form::new(
        &[
            "aws_s3_bucket_public_access_block",
            "aws_s3_account_public_access_block",
        ],
        Filters,
        PUBLIC_ACCESS,
    ),
    Form::new(
        &["aws_s3_bucket_ownership_controls"],
        Filters,
        &[steps(
            "rule.object_ownership",
            &[
                "bucketownerenforced",
                "bucketownerpreferred",
                "objectwriter",
            ],
            "bucketownerenforced",
        )],
    ),
    Form::new(
        &[
            "aws_ec2_image_block_public_access",
            "aws_ebs_snapshot_block_public_access",
        ],
        Filters,
        &[steps(
            "state",
            &["block-all-sharing", "block-new-sharing", "unblocked"],
            "unblocked",
        )],
    ),
    Form::new(
        &["aws_emr_block_public_access_configuration"],
        Filters,
        &[
            closes("block_public_security_group_rules"),
            what("permitted_public_security_group_rule_range", Order::Exact),
        ],
    ),
    Form::new(
        &["aws_iam_group_membership"],
        Grants,
        &[
            who("users", Order::Exact),
            on("group", Order::Exact),
            same("name"),
        ],
    ),
    Form::new(
        &["aws_iam_user_group_membership"],
        Grants,
        &[who("user", Order::Exact), what("groups", Order::Exact)],
    ),
    Form::new(
        &[
            "aws_identitystore_group_membership",
            "aws_quicksight_group_membership",
        ],
        Grants,
        &[
            who("member_id", Order::Exact),
            who("member_name", Order::Exact),
            on("group_id", Order::Exact),
            on("group_name", Order::Exact),
        ],
    ),
    Form::new(
        &["aws_ssoadmin_account_assignment"],
        Grants,
        &[
            who("principal_id", Order::Exact),
            what("permission_set_arn", Order::Exact),
            on("target_id", Order::Exact),
            on("instance_arn", Order::Exact),
        ],
    ),
    Form::new(
        &["aws_ssoadmin_application_assignment"],
        Grants,
        &[
            who("principal_id", Order::Exact),
            on("application_arn", Order::Exact),
        ],
    ),
    Form::new(
        &["aws_iam_access_key", "aws_iam_service_specific_credential"],
        Grants,
        &[
            who("user", Order::Exact),
            who("user_name", Order::Exact),
            steps("status", &["inactive", "active"], "active"),
        ],
    )
    .key(),
    Form::new(
        &["aws_iam_user_login_profile", "aws_iam_user_ssh_key"],
        Grants,
        &[
            who("user", Order::Exact),
            who("username", Order::Exact),
            closes("password_reset_required"),
            steps("status", &["inactive", "active"], "active"),
        ],
    ),
    Form::new(
        &["aws_iam_openid_connect_provider"],
        Trusts,
        &[
            who("url", Order::Exact),
            what("client_id_list", Order::Exact),
            who("thumbprint_list", Order::NoCase).absent(Absent::Everything),
        ],
    ),
    Form::new(
        &["aws_iam_saml_provider"],
        Trusts,
        &[another("saml_metadata_document"), another("name")],
    ),
    Form::new(
        &[
            "aws_rolesanywhere_profile",
            "aws_rolesanywhere_trust_anchor",
        ],
        Trusts,
        &[
            what("role_arns", Order::Exact),
            what("managed_policy_arns", Order::Exact).absent(Absent::Everything),
            limit("session_policy", Order::Text),
            limit("duration_seconds", Order::AtMost),
            closes("require_instance_properties"),
            opens("accept_role_session_name"),
            opens("enabled"),
            another("source"),
        ],
    ),
    Form::new(
        &["aws_eks_pod_identity_association"],
        Trusts,
        &[
            who("service_account", Order::Exact),
            who("namespace", Order::Exact),
            on("cluster_name", Order::Exact),
            what("role_arn", Order::Exact),
            what("target_role_arn", Order::Exact),
            opens("disable_session_tags"),
        ],
    ),
    Form::new(
        &["aws_apigatewayv2_authorizer", "aws_api_gateway_authorizer"],
        Filters,
        &[
            what("jwt_configuration.audience", Order::Exact).absent(Absent::Everything),
            who("jwt_configuration.issuer", Order::Exact),
            who("provider_arns", Order::Exact),
            limit("identity_validation_expression", Order::Text),
            limits("identity_sources", Order::Exact),
            another("identity_source"),
            another("authorizer_uri"),
            another("authorizer_credentials"),
            another("authorizer_credentials_arn"),
            another("authorizer_type"),
            another("type"),
            another("authorizer_result_ttl_in_seconds"),
        ],
    ),
    Form::of_object(
        &["aws_api_gateway_method", "aws_apigatewayv2_route"],
        &[
            steps("authorization", AUTHORIZATION, "none"),
            steps("authorization_type", AUTHORIZATION, "none"),
            limit("authorization_scopes", Order::Exact),
            closes("api_key_required"),
            another("authorizer_id"),
        ],
    ),
    Form::new(
        &["aws_lakeformation_permissions", "aws_lakeformation_opt_in"],
        Grants,
        &[
            who("principal", LAKE_PRINCIPAL),
            what("permissions", ALL),
            what("permissions_with_grant_option", ALL),
            opens("catalog_resource"),
            on("database.name", Order::Exact),
            on("table.database_name", Order::Exact),
            on("table.name", Order::Exact),
            opens("table.wildcard"),
            on("table_with_columns.database_name", Order::Exact),
            on("table_with_columns.name", Order::Exact),
            on("table_with_columns.column_names", Order::Exact),
            limits("table_with_columns.excluded_column_names", Order::Exact),
            opens("table_with_columns.wildcard"),
            on("data_location.arn", Order::Exact),
            on("data_cells_filter", Order::Exact),
            on("lf_tag", Order::Exact),
            on("lf_tag_policy.expression", Order::Text),
            on("lf_tag_policy.resource_type", Order::Exact),
            on("catalog_id", Order::Exact),
        ],
    ),
    Form::new(
        &["aws_lakeformation_data_lake_settings"],
        Grants,
        &[
            who("admins", Order::Exact),
            who("read_only_admins", Order::Exact),
            who("trusted_resource_owners", Order::Exact),
            who("external_data_filtering_allow_list", Order::Exact),
            opens("allow_external_data_filtering"),
            opens("allow_full_table_external_data_access"),
            grants(
                "create_database_default_permissions",
                &[who("principal", LAKE_PRINCIPAL), what("permissions", ALL)],
            ),
            grants(
                "create_table_default_permissions",
                &[who("principal", LAKE_PRINCIPAL), what("permissions", ALL)],
            ),
        ],
    ),
    Form::of_object(
        &["aws_vpc_endpoint_service"],
        &[
            who("allowed_principals", Order::AwsPrincipal),
            closes("acceptance_required"),
        ],
    ),
    Form::new(
        &["aws_vpc_endpoint_service_allowed_principal"],
        Grants,
        &[
            who("principal_arn", Order::AwsPrincipal),
            on("vpc_endpoint_service_id", Order::Exact),
        ],
    ),
    Form::new(
        &["aws_ec2_client_vpn_authorization_rule"],
        Grants,
        &[
            on("target_network_cidr", Order::Network),
            who("access_group_id", Order::Exact).absent(Absent::Everything),
            opens("authorize_all_groups"),
            on("client_vpn_endpoint_id", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "aws_redshift_data_share_authorization",
            "aws_redshift_endpoint_authorization",
            "aws_servicecatalog_principal_portfolio_association",
            "aws_servicecatalog_portfolio_share",
            "aws_s3control_access_grant",
            "aws_grafana_role_association",
            "aws_codestarnotifications_principal",
        ],
        Grants,
        &[
            who("consumer_identifier", Order::AwsPrincipal),
            who("account", Order::AwsPrincipal),
            who("principal_arn", Order::Pattern),
            who("principal_id", Order::Exact),
            who("grantee.grantee_identifier", Order::Exact),
            who("user_ids", Order::Exact),
            who("group_ids", Order::Exact),
            what(
                "permission",
                Order::Table(&[("readwrite", &["read", "write"])]),
            ),
            what("role", Order::Steps(&["viewer", "editor", "admin"])),
            opens("allow_writes"),
            limit("vpc_ids", Order::Exact),
            on("data_share_arn", Order::Exact),
            on("cluster_identifier", Order::Exact),
            on("portfolio_id", Order::Exact),
            on("workspace_id", Order::Exact),
            on("access_grants_location_id", Order::Exact),
            on(
                "access_grants_location_configuration.s3_sub_prefix",
                Order::Pattern,
            ),
        ],
    ),
    Form::of_object(
        &["aws_cognito_user_pool_client"],
        &[
            what("allowed_oauth_flows", Order::Exact),
            what("allowed_oauth_scopes", Order::Exact),
            what("callback_urls", Order::Exact),
            what("logout_urls", Order::Exact),
            what("explicit_auth_flows", Order::Exact),
            what("supported_identity_providers", Order::Exact),
            what("read_attributes", Order::Exact),
            what("write_attributes", Order::Exact),
            opens("allowed_oauth_flows_user_pool_client"),
            guard("enable_token_revocation"),
        ],
    ),
    Form::new(
        &["aws_iam_account_password_policy"],
        Guards,
        &[
            at_least("minimum_password_length"),
            at_least("password_reuse_prevention"),
            at_most("max_password_age"),
            guard("require_lowercase_characters"),
            guard("require_uppercase_characters"),
            guard("require_numbers"),
            guard("require_symbols"),
            guard("hard_expiry"),
        ],
    ),
];

/// How requests are signed in, from the strictest to none.
const AUTHORIZATION: Ladder = &["aws_iam", "custom", "jwt", "cognito_user_pools", "none"];

/// Who has a permission of Lake Formation.
const LAKE_PRINCIPAL: Order = Order::Table(&[("iam_allowed_principals", &["*"])]);

/// The canned access list of a bucket or an object.
const ACL_OF_OBJECT: Part = what("acl", CANNED).absent(Absent::Is("private"));

/// A number of a guard: more is stronger.
const fn at_least(place: &'static str) -> Part {
    guards(place, Order::AtMost)
}

/// A number of a guard: less is stronger.
const fn at_most(place: &'static str) -> Part {
    guards(place, Order::AtLeast)
}
