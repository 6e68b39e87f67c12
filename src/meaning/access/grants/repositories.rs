//! Grants of GitHub and GitLab: collaborators, teams, visibility, deploy keys, actions; protections of branches and
//! environments.

use super::form::{
    Absent, Form, Part, another, block, closes, grants, guard, guards, limit, limits, on, opens,
    same, steps, what, who,
};
use super::grant::Purpose::{Filters, Grants, Guards};
use super::order::{Ladder, Order};

/// The roles of repositories of GitHub, with their two spellings.
/// <https://docs.github.com/organizations/managing-user-access-to-your-organizations-repositories>
const GITHUB_ROLE: Order = Order::Table(&[
    (
        "admin",
        &[
            "maintain", "push", "write", "triage", "pull", "read", "none",
        ],
    ),
    (
        "maintain",
        &["push", "write", "triage", "pull", "read", "none"],
    ),
    ("push", &["write", "triage", "pull", "read", "none"]),
    ("write", &["push", "triage", "pull", "read", "none"]),
    ("triage", &["pull", "read", "none"]),
    ("pull", &["read", "none"]),
    ("read", &["pull", "none"]),
]);

/// Who sees a repository.
const VISIBILITY: Ladder = &["private", "internal", "public"];

/// What an entry of the collaborators says.
const COLLABORATOR: &[Part] = &[
    who("username", Order::NoCase),
    who("team_id", Order::NoCase),
    what("permission", GITHUB_ROLE).absent(Absent::Is("push")),
];

/// Which repositories or actions are allowed, from none to all.
const SELECTION: Ladder = &["none", "local_only", "selected", "private", "all"];

/// The access levels of GitLab. <https://docs.gitlab.com/user/permissions/>
const GITLAB_ROLE: Ladder = &[
    "no one",
    "minimal",
    "guest",
    "planner",
    "reporter",
    "security_manager",
    "developer",
    "maintainer",
    "owner",
    "admin",
];

/// The forms of repositories.
pub(super) const FORMS: &[Form] = &[
    Form::of_object(
        &["github_repository"],
        &[
            steps("visibility", VISIBILITY, "public").twin("private"),
            steps("private", &["true", "false"], "false").twin("visibility"),
            opens("allow_forking"),
            opens("is_template"),
            guard("vulnerability_alerts"),
            guard("web_commit_signoff_required"),
            status("security_and_analysis.advanced_security.status"),
            status("security_and_analysis.code_security.status"),
            status("security_and_analysis.secret_scanning.status"),
            status("security_and_analysis.secret_scanning_push_protection.status"),
            status("security_and_analysis.secret_scanning_ai_detection.status"),
            status("security_and_analysis.secret_scanning_non_provider_patterns.status"),
        ],
    ),
    Form::new(
        &["github_repository_collaborator", "github_team_repository"],
        Grants,
        &[
            who("username", Order::NoCase),
            who("team_id", Order::NoCase),
            on("repository", Order::NoCase),
            what("permission", GITHUB_ROLE).absent(Absent::Is("push")),
        ],
    ),
    Form::new(
        &["github_repository_collaborators"],
        Grants,
        &[
            on("repository", Order::NoCase),
            grants("user", COLLABORATOR),
            grants("team", COLLABORATOR),
        ],
    ),
    Form::new(
        &["github_repository_deploy_key"],
        Grants,
        &[
            who("key", Order::Exact),
            on("repository", Order::NoCase),
            steps("read_only", &["true", "false"], "true"),
        ],
    ),
    Form::new(
        &["github_team_membership", "github_team_members"],
        Grants,
        &[
            who("username", Order::NoCase),
            on("team_id", Order::NoCase),
            steps("role", &["member", "maintainer"], "member"),
            grants(
                "members",
                &[
                    who("username", Order::NoCase),
                    steps("role", &["member", "maintainer"], "member"),
                ],
            ),
        ],
    ),
    Form::new(
        &["github_membership"],
        Grants,
        &[
            who("username", Order::NoCase),
            steps("role", &["member", "admin"], "member"),
        ],
    ),
    Form::new(
        &[
            "github_organization_role_team",
            "github_organization_role_team_assignment",
            "github_organization_role_user",
            "github_organization_security_manager",
            "github_team_sync_group_mapping",
            "github_emu_group_mapping",
            "github_app_installation_repository",
            "github_app_installation_repositories",
        ],
        Grants,
        &[
            who("team_slug", Order::NoCase),
            who("login", Order::NoCase),
            who("group", Order::Exact),
            who("group_id", Order::Exact),
            who("installation_id", Order::Exact),
            what("role_id", Order::Exact),
            on("repository", Order::NoCase).absent(Absent::Everything),
            on("selected_repositories", Order::NoCase),
        ],
    ),
    Form::new(
        &[
            "github_organization_role",
            "github_organization_custom_role",
            "github_organization_repository_role",
        ],
        Grants,
        &[
            what("permissions", Order::NoCase),
            what("base_role", GITHUB_ROLE),
        ],
    ),
    Form::new(
        &["github_organization_settings"],
        Grants,
        &[
            steps(
                "default_repository_permission",
                &["none", "read", "write", "admin"],
                "read",
            ),
            opens("members_can_create_internal_repositories").absent(Absent::Is("true")),
            opens("members_can_create_pages").absent(Absent::Is("true")),
            opens("members_can_create_private_pages").absent(Absent::Is("true")),
            opens("members_can_create_private_repositories").absent(Absent::Is("true")),
            opens("members_can_create_public_pages").absent(Absent::Is("true")),
            opens("members_can_create_public_repositories").absent(Absent::Is("true")),
            opens("members_can_create_repositories").absent(Absent::Is("true")),
            opens("members_can_fork_private_repositories"),
            guard("advanced_security_enabled_for_new_repositories"),
            guard("dependabot_alerts_enabled_for_new_repositories"),
            guard("dependabot_security_updates_enabled_for_new_repositories"),
            guard("dependency_graph_enabled_for_new_repositories"),
            guard("secret_scanning_enabled_for_new_repositories"),
            guard("secret_scanning_push_protection_enabled_for_new_repositories"),
            guard("web_commit_signoff_required"),
        ],
    ),
    Form::new(
        &["github_branch_protection"],
        Guards,
        &[
            guards("pattern", Order::Pattern),
            closes("allows_deletions").absent(Absent::Is("false")),
            closes("allows_force_pushes"),
            guard("enforce_admins"),
            limits("force_push_bypassers", Order::NoCase),
            guard("lock_branch"),
            guard("require_conversation_resolution"),
            guard("require_signed_commits"),
            guard("required_linear_history"),
            block("required_pull_request_reviews"),
            guard("required_pull_request_reviews.dismiss_stale_reviews"),
            guard("required_pull_request_reviews.require_code_owner_reviews"),
            guard("required_pull_request_reviews.require_last_push_approval"),
            guard("required_pull_request_reviews.restrict_dismissals"),
            count("required_pull_request_reviews.required_approving_review_count"),
            limits(
                "required_pull_request_reviews.dismissal_restrictions",
                Order::NoCase,
            ),
            limits(
                "required_pull_request_reviews.pull_request_bypassers",
                Order::NoCase,
            ),
            block("required_status_checks"),
            guard("required_status_checks.strict"),
            guards("required_status_checks.contexts", Order::Exact),
            block("restrict_pushes"),
            guard("restrict_pushes.blocks_creations"),
            limits("restrict_pushes.push_allowances", Order::NoCase),
        ],
    ),
    Form::new(
        &["github_branch_protection_v3"],
        Guards,
        &[
            guards("branch", Order::Pattern),
            guard("enforce_admins"),
            guard("require_conversation_resolution"),
            guard("require_signed_commits"),
            block("required_pull_request_reviews"),
            guard("required_pull_request_reviews.dismiss_stale_reviews"),
            guard("required_pull_request_reviews.require_code_owner_reviews"),
            guard("required_pull_request_reviews.require_last_push_approval"),
            count("required_pull_request_reviews.required_approving_review_count"),
            limits(
                "required_pull_request_reviews.dismissal_users",
                Order::NoCase,
            ),
            limits(
                "required_pull_request_reviews.dismissal_teams",
                Order::NoCase,
            ),
            limits(
                "required_pull_request_reviews.dismissal_apps",
                Order::NoCase,
            ),
            limits(
                "required_pull_request_reviews.bypass_pull_request_allowances.users",
                Order::NoCase,
            ),
            limits(
                "required_pull_request_reviews.bypass_pull_request_allowances.teams",
                Order::NoCase,
            ),
            limits(
                "required_pull_request_reviews.bypass_pull_request_allowances.apps",
                Order::NoCase,
            ),
            block("required_status_checks"),
            guard("required_status_checks.strict"),
            guards("required_status_checks.contexts", Order::Exact),
            guards("required_status_checks.checks", Order::Exact),
            block("restrictions"),
            limits("restrictions.users", Order::NoCase),
            limits("restrictions.teams", Order::NoCase),
            limits("restrictions.apps", Order::NoCase),
        ],
    ),
    Form::new(
        &["github_repository_ruleset", "github_organization_ruleset"],
        Guards,
        &[
            guards(
                "enforcement",
                Order::Steps(&["disabled", "evaluate", "active"]),
            ),
            limits("bypass_actors", Order::Exact),
            guards(
                "conditions.ref_name.include",
                Order::Table(&[("~all", &["*"])]),
            ),
            limits("conditions.ref_name.exclude", Order::Exact),
            guards(
                "conditions.repository_name.include",
                Order::Table(&[("~all", &["*"])]),
            ),
            limits("conditions.repository_name.exclude", Order::Exact),
            guard("rules.creation"),
            guard("rules.deletion"),
            guard("rules.update"),
            guard("rules.non_fast_forward"),
            guard("rules.required_linear_history"),
            guard("rules.required_signatures"),
            block("rules.pull_request"),
            block("rules.required_status_checks"),
            guard("rules.pull_request.dismiss_stale_reviews_on_push"),
            guard("rules.pull_request.require_code_owner_review"),
            guard("rules.pull_request.require_last_push_approval"),
            guard("rules.pull_request.required_review_thread_resolution"),
            count("rules.pull_request.required_approving_review_count"),
            limits("rules.pull_request.allowed_merge_methods", Order::Exact),
            guards("rules.required_status_checks.required_check", Order::Exact),
            guard("rules.required_status_checks.strict_required_status_checks_policy"),
            closes("rules.required_status_checks.do_not_enforce_on_create"),
            guards("rules.required_deployments", Order::Exact),
            guards("rules.required_code_scanning", Order::Exact),
            guards(
                "rules.file_extension_restriction.restricted_file_extensions",
                Order::Exact,
            ),
            guards(
                "rules.file_path_restriction.restricted_file_paths",
                Order::Exact,
            ),
        ],
    ),
    Form::new(
        &["github_repository_environment"],
        Guards,
        &[
            closes("can_admins_bypass").absent(Absent::Is("true")),
            guard("prevent_self_review"),
            count("wait_timer"),
            reviewers("reviewers.teams"),
            reviewers("reviewers.users"),
            guards("deployment_branch_policy", Order::Text),
        ],
    ),
    Form::new(
        &[
            "github_repository_environment_deployment_policy",
            "github_repository_deployment_branch_policy",
        ],
        Grants,
        &[
            what("branch_pattern", Order::Pattern),
            what("tag_pattern", Order::Pattern),
            what("name", Order::Pattern),
            on("environment", Order::Exact),
            on("environment_name", Order::Exact),
            on("repository", Order::NoCase),
        ],
    ),
    Form::new(
        &[
            "github_actions_organization_permissions",
            "github_actions_repository_permissions",
            "github_enterprise_actions_permissions",
        ],
        Filters,
        &[
            steps("allowed_actions", SELECTION, "all"),
            steps("enabled_repositories", SELECTION, "all"),
            steps("enabled_organizations", SELECTION, "all"),
            steps("enabled", &["false", "true"], "true"),
            opens("allowed_actions_config.github_owned_allowed"),
            opens("allowed_actions_config.verified_allowed"),
            what("allowed_actions_config.patterns_allowed", Order::Pattern),
            what("enabled_repositories_config.repository_ids", Order::Exact),
            guard("sha_pinning_required"),
        ],
    ),
    Form::new(
        &[
            "github_workflow_repository_permissions",
            "github_actions_organization_workflow_permissions",
            "github_enterprise_actions_workflow_permissions",
        ],
        Grants,
        &[
            steps("default_workflow_permissions", &["read", "write"], "read"),
            opens("can_approve_pull_request_reviews"),
        ],
    ),
    Form::new(
        &["github_actions_repository_access_level"],
        Grants,
        &[steps(
            "access_level",
            &["none", "user", "organization", "enterprise"],
            "none",
        )],
    ),
    Form::new(
        &[
            "github_actions_runner_group",
            "github_enterprise_actions_runner_group",
        ],
        Grants,
        &[
            steps("visibility", &["selected", "private", "all"], "all"),
            opens("allows_public_repositories"),
            what("selected_repository_ids", Order::Exact),
            closes("restricted_to_workflows"),
            limit("selected_workflows", Order::Exact),
        ],
    ),
    Form::of_object(
        &[
            "github_actions_organization_secret",
            "github_dependabot_organization_secret",
            "github_codespaces_organization_secret",
            "github_actions_organization_variable",
        ],
        &[
            steps("visibility", &["selected", "private", "all"], "private"),
            what("selected_repository_ids", Order::Exact),
        ],
    ),
    Form::new(
        &["github_*_organization_secret_repositor*"],
        Grants,
        &[
            what("selected_repository_ids", Order::Exact),
            what("repository_id", Order::Exact),
            on("secret_name", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "github_actions_organization_oidc_subject_claim_customization_template",
            "github_actions_repository_oidc_subject_claim_customization_template",
        ],
        Grants,
        &[
            limits("include_claim_keys", Order::Exact),
            another("use_default"),
        ],
    ),
    Form::new(
        &["github_enterprise_ip_allow_list_entry"],
        Grants,
        &[
            who("ip", Order::Network),
            opens("is_active").absent(Absent::Is("true")),
        ],
    ),
    Form::new(
        &["github_user_ssh_key", "github_user_gpg_key"],
        Grants,
        &[
            who("key", Order::Exact),
            who("armored_public_key", Order::Exact),
        ],
    ),
    Form::of_object(
        &["gitlab_project", "gitlab_group"],
        &[
            steps("visibility_level", VISIBILITY, "private"),
            opens("request_access_enabled"),
            opens("public_jobs"),
            opens("public_builds"),
            closes("only_allow_merge_if_pipeline_succeeds").purpose(Grants),
            closes("only_allow_merge_if_all_discussions_are_resolved"),
            closes("share_with_group_lock"),
            closes("require_two_factor_authentication"),
            closes("prevent_forking_outside_group"),
            closes("membership_lock"),
            limit("ip_restriction_ranges", Order::Network),
        ],
    ),
    Form::new(
        &[
            "gitlab_project_membership",
            "gitlab_group_membership",
            "gitlab_project_share_group",
            "gitlab_group_share_group",
        ],
        Grants,
        &[
            who("user_id", Order::Exact),
            who("share_group_id", Order::Exact),
            on("project", Order::Exact),
            on("project_id", Order::Exact),
            on("group_id", Order::Exact),
            what("access_level", Order::Steps(GITLAB_ROLE)),
            what("group_access", Order::Steps(GITLAB_ROLE)),
            limit("expires_at", Order::Text),
        ],
    ),
    Form::new(
        &["gitlab_deploy_key"],
        Grants,
        &[
            who("key", Order::Exact),
            on("project", Order::Exact),
            opens("can_push"),
        ],
    ),
    Form::new(
        &[
            "gitlab_deploy_token",
            "gitlab_project_access_token",
            "gitlab_group_access_token",
            "gitlab_personal_access_token",
        ],
        Grants,
        &[
            what("scopes", Order::Exact),
            what("access_level", Order::Steps(GITLAB_ROLE)),
            on("project", Order::Exact),
            on("group", Order::Exact),
            limit("expires_at", Order::Text),
        ],
    )
    .key(),
    Form::new(
        &["gitlab_branch_protection", "gitlab_tag_protection"],
        Guards,
        &[
            allowed("push_access_level"),
            allowed("merge_access_level"),
            allowed("unprotect_access_level"),
            allowed("create_access_level"),
            closes("allow_force_push"),
            guard("code_owner_approval_required"),
            limits("allowed_to_push", Order::Exact),
            limits("allowed_to_merge", Order::Exact),
            limits("allowed_to_unprotect", Order::Exact),
            guards("branch", Order::Pattern),
            guards("tag", Order::Pattern),
        ],
    ),
    Form::new(
        &[
            "gitlab_project_protected_environment",
            "gitlab_group_protected_environment",
        ],
        Guards,
        &[
            limits("deploy_access_levels", Order::Exact),
            count("required_approval_count"),
            guards("approval_rules", Order::Exact),
            guards("environment", Order::Exact),
        ],
    ),
    Form::new(
        &[
            "gitlab_project_approval_rule",
            "gitlab_project_level_mr_approvals",
        ],
        Guards,
        &[
            count("approvals_required"),
            guards("protected_branch_ids", Order::Exact),
            guard("applies_to_all_protected_branches"),
            guard("reset_approvals_on_push"),
            guard("disable_overriding_approvers_per_merge_request"),
            closes("merge_requests_author_approval"),
            guard("merge_requests_disable_committers_approval"),
            guard("require_password_to_approve"),
        ],
    ),
    Form::new(
        &["gitlab_project_push_rules"],
        Guards,
        &[
            guard("commit_committer_check"),
            guard("deny_delete_tag"),
            guard("member_check"),
            guard("prevent_secrets"),
            guard("reject_unsigned_commits"),
        ],
    ),
    Form::new(
        &[
            "gitlab_project_job_token_scopes",
            "gitlab_project_job_token_scope",
        ],
        Grants,
        &[
            who("target_project_ids", Order::Exact),
            who("target_group_ids", Order::Exact),
            who("target_project_id", Order::Exact),
            who("target_group_id", Order::Exact),
            closes("enabled").absent(Absent::Is("true")),
            on("project", Order::Exact),
        ],
    ),
    Form::of_object(
        &[
            "gitlab_project_variable",
            "gitlab_group_variable",
            "gitlab_instance_variable",
        ],
        &[
            closes("protected"),
            closes("masked"),
            closes("hidden"),
            what("environment_scope", Order::Pattern).absent(Absent::Is("*")),
            same("description"),
        ],
    ),
    Form::of_object(
        &["bitbucket_repository"],
        &[steps("is_private", &["true", "false"], "true")],
    ),
];

/// The status of a check of code.
const fn status(place: &'static str) -> Part {
    steps(place, &["disabled", "enabled"], "disabled").purpose(Guards)
}

/// A number of a guard: more is stronger.
const fn count(place: &'static str) -> Part {
    guards(place, Order::AtMost).absent(Absent::Is("0"))
}

/// Who must agree: one of them is enough, and without any nobody must.
const fn reviewers(place: &'static str) -> Part {
    guards(place, Order::Exact)
}

/// The lowest access level that a protection lets through, from nobody on.
const LOWEST: Ladder = &["no one", "admin", "maintainer", "developer"];

/// Who may do what a protection limits: whoever has this access level, or a higher one.
const fn allowed(place: &'static str) -> Part {
    steps(place, LOWEST, "maintainer").purpose(Grants)
}
