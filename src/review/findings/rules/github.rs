//! Rules for GitHub.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("github_repository", "repository").show("name|archive_on_destroy"),
    lost("github_*_secret", "secret")
        .show("secret_name")
        .level(Warning),
    lost("github_team", "team").show("name").level(Warning),
    lost("github_branch", "branch")
        .show("repository|branch")
        .level(Warning),
    lost("github_release", "release")
        .show("repository|tag_name")
        .level(Warning),
    // Who may reach or do more.
    exposure(
        "github_repository",
        "visibility",
        order("public|internal|private"),
    )
    .serves(Class::Data)
    .levels(&[("internal", Warning)]),
    exposure("github_repository", "private", Off)
        .serves(Class::Data)
        .unless_created(),
    exposure("github_repository_deploy_key", "read_only", is("false")),
    exposure("github_membership", "username", role("role", "admin")).serves(Class::Administration),
    exposure(
        "github_repository_collaborator",
        "username",
        role("permission", "admin|maintain"),
    )
    .serves(Class::Other),
    exposure(
        "github_team_repository",
        "team_id",
        role("permission", "admin|maintain"),
    )
    .serves(Class::Other),
    exposure(
        "github_team_membership",
        "username",
        role("role", "maintainer"),
    )
    .serves(Class::Other),
    exposure(
        "github_repository_collaborators",
        "user[*].username",
        role("user[*].permission", "admin|maintain"),
    )
    .serves(Class::Other),
    exposure(
        "github_repository_collaborators",
        "team[*].team_id",
        role("team[*].permission", "admin|maintain"),
    )
    .serves(Class::Other),
    exposure(
        "github_organization_settings",
        "default_repository_permission",
        is("admin|write"),
    )
    .levels(&[("admin", Critical)]),
    exposure(
        "github_organization_settings",
        "members_can_create_public_repositories",
        order("true|false"),
    )
    .unless_created(),
    exposure(
        "github_organization_settings",
        "members_can_fork_private_repositories",
        On,
    )
    .unless_created(),
    exposure(
        "github_*_organization_secret",
        "visibility",
        order("all|private|selected"),
    )
    .unless_created(),
    exposure(
        "github_actions_organization_permissions|github_actions_repository_permissions|\
         github_enterprise_actions_permissions",
        "allowed_actions",
        order("all|selected|local_only"),
    )
    .unless_created(),
    exposure(
        "github_actions_organization_workflow_permissions|\
         github_workflow_repository_permissions|\
         github_enterprise_actions_workflow_permissions",
        "default_workflow_permissions",
        order("write|read"),
    )
    .unless_created(),
    exposure(
        "github_actions_organization_workflow_permissions|\
         github_workflow_repository_permissions|\
         github_enterprise_actions_workflow_permissions",
        "can_approve_pull_request_reviews",
        On,
    )
    .unless_created(),
    exposure(
        "github_actions_repository_access_level",
        "access_level",
        order("enterprise|organization|user|none"),
    )
    .unless_created(),
    exposure(
        "github_actions_runner_group|github_enterprise_actions_runner_group",
        "allows_public_repositories",
        On,
    ),
    // Who is let in by what is created.
    exposure("github_app_installation_repository", "repository", There)
        .what("an app may read it")
        .level(Notice),
    exposure("github_repository_pages", "public", On).unless_created(),
    exposure(
        "github_organization_settings",
        "members_can_create_public_pages",
        order("true|false"),
    )
    .level(Notice)
    .unless_created(),
    // What guards, records or backs up.
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "enforce_admins",
        Off,
    ),
    protection("github_branch_protection", "allows_force_pushes", On),
    protection("github_branch_protection", "allows_deletions", On),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "require_signed_commits",
        Off,
    ),
    protection("github_branch_protection", "required_linear_history", Off).level(Notice),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "required_pull_request_reviews[*]",
        Gone,
    ),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "required_pull_request_reviews[*].required_approving_review_count",
        Lower,
    ),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "required_pull_request_reviews[*].require_code_owner_reviews",
        Off,
    ),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "required_pull_request_reviews[*].dismiss_stale_reviews",
        Off,
    ),
    protection(
        "github_branch_protection",
        "required_pull_request_reviews[*].pull_request_bypassers[*]",
        There,
    )
    .what("an exception"),
    protection("github_branch_protection", "force_push_bypassers[*]", There).what("an exception"),
    protection("github_branch_protection", "restrict_pushes", Gone),
    protection("github_branch_protection_v3", "restrictions", Gone),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "required_status_checks[*]",
        Gone,
    ),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "required_status_checks[*].contexts[*]",
        Fewer,
    ),
    protection(
        "github_*_ruleset",
        "enforcement",
        order("disabled|evaluate|active"),
    ),
    protection("github_*_ruleset", "bypass_actors[*]", There).what("an exception"),
    protection("github_*_ruleset", "rules[*].deletion", Off),
    protection("github_*_ruleset", "rules[*].non_fast_forward", Off),
    protection("github_*_ruleset", "rules[*].required_signatures", Off),
    protection("github_*_ruleset", "rules[*].pull_request", Gone),
    protection(
        "github_*_ruleset",
        "rules[*].pull_request[*].required_approving_review_count",
        Lower,
    ),
    protection(
        "github_*_ruleset",
        "rules[*].pull_request[*].require_code_owner_review",
        Off,
    ),
    protection("github_*_ruleset", "rules[*].required_status_checks", Gone),
    protection("github_repository", "vulnerability_alerts", Off),
    protection(
        "github_repository",
        "security_and_analysis[*].secret_scanning[*].status",
        order("disabled|enabled"),
    ),
    protection(
        "github_repository",
        "security_and_analysis[*].secret_scanning_push_protection[*].status",
        order("disabled|enabled"),
    ),
    protection(
        "github_repository",
        "security_and_analysis[*].advanced_security[*].status",
        order("disabled|enabled"),
    ),
    protection("github_repository", "web_commit_signoff_required", Off).level(Notice),
    protection("github_repository", "archive_on_destroy", Off),
    protection(
        "github_repository_dependabot_security_updates|github_repository_vulnerability_alerts",
        "enabled",
        Off,
    ),
    protection("github_repository_environment", "reviewers", Gone),
    protection("github_repository_environment", "prevent_self_review", Off),
    protection(
        "github_repository_environment",
        "can_admins_bypass",
        order("true|false"),
    ),
    protection(
        "github_repository_environment",
        "deployment_branch_policy",
        Gone,
    ),
    protection("github_repository_environment", "wait_timer", Lower).level(Notice),
    protection(
        "github_repository_webhook|github_organization_webhook",
        "configuration[*].insecure_ssl",
        On,
    )
    .when_created(),
    protection(
        "github_organization_settings",
        "secret_scanning_enabled_for_new_repositories",
        Off,
    ),
    protection(
        "github_organization_settings",
        "secret_scanning_push_protection_enabled_for_new_repositories",
        Off,
    ),
    protection(
        "github_organization_settings",
        "dependabot_alerts_enabled_for_new_repositories",
        Off,
    ),
    protection(
        "github_organization_settings",
        "advanced_security_enabled_for_new_repositories",
        Off,
    ),
    protection(
        "github_organization_settings",
        "web_commit_signoff_required",
        Off,
    )
    .level(Notice),
    protection("github_enterprise_ip_allow_list_entry", "is_active", Off),
    protection(
        "github_actions_runner_group|github_enterprise_actions_runner_group",
        "restricted_to_workflows",
        Off,
    ),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded("github_branch_protection").guards(&[("repository_id", "github_repository.node_id")]),
    unguarded("github_branch_protection_v3").guards(&[("repository", "github_repository")]),
    unguarded("github_repository_ruleset").guards(&[("repository", "github_repository")]),
    unguarded("github_repository_environment")
        .guards(&[("repository", "github_repository")])
        .only_if(&[Unless("reviewers", "")]),
    unguarded("github_organization_ruleset"),
    unguarded(
        "github_repository_environment_deployment_policy|\
         github_repository_deployment_branch_policy|\
         github_repository_dependabot_security_updates|github_repository_vulnerability_alerts",
    )
    .guards(&[("repository", "github_repository")]),
    unguarded(
        "github_enterprise_ip_allow_list_entry|github_enterprise_security_analysis_settings|\
         github_actions_organization_permissions",
    ),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "require_conversation_resolution",
        Off,
    )
    .level(Notice),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "required_pull_request_reviews[*].require_last_push_approval",
        Off,
    ),
    protection(
        "github_branch_protection",
        "required_pull_request_reviews[*].restrict_dismissals",
        Off,
    ),
    protection(
        "github_branch_protection|github_branch_protection_v3",
        "required_status_checks[*].strict",
        Off,
    )
    .level(Notice),
    protection("github_branch_protection", "lock_branch", Off),
    protection(
        "github_branch_protection",
        "restrict_pushes[*].blocks_creations",
        Off,
    )
    .level(Notice),
    protection(
        "github_repository_ruleset|github_organization_ruleset",
        "rules[*].creation",
        Off,
    )
    .level(Notice),
    protection(
        "github_repository_ruleset|github_organization_ruleset",
        "rules[*].update",
        Off,
    )
    .level(Notice),
    protection(
        "github_repository_ruleset|github_organization_ruleset",
        "rules[*].required_linear_history",
        Off,
    )
    .level(Notice),
    protection(
        "github_repository_ruleset|github_organization_ruleset",
        "rules[*].pull_request[*].dismiss_stale_reviews_on_push",
        Off,
    ),
    protection(
        "github_repository_ruleset|github_organization_ruleset",
        "rules[*].pull_request[*].require_last_push_approval",
        Off,
    ),
    protection(
        "github_repository_ruleset|github_organization_ruleset",
        "rules[*].pull_request[*].required_review_thread_resolution",
        Off,
    ),
    protection(
        "github_repository_ruleset|github_organization_ruleset",
        "rules[*].required_status_checks[*].strict_required_status_checks_policy",
        Off,
    )
    .level(Notice),
    protection("github_repository_pages", "https_enforced", Off),
    protection(
        "github_actions_organization_permissions|github_actions_repository_permissions",
        "sha_pinning_required",
        Off,
    ),
    protection(
        "github_organization_settings",
        "dependabot_security_updates_enabled_for_new_repositories",
        Off,
    )
    .level(Notice),
    protection(
        "github_organization_settings",
        "dependency_graph_enabled_for_new_repositories",
        Off,
    )
    .level(Notice),
    protection(
        "github_enterprise_security_analysis_settings",
        "secret_scanning_enabled_for_new_repositories",
        Off,
    ),
    protection(
        "github_enterprise_security_analysis_settings",
        "secret_scanning_push_protection_enabled_for_new_repositories",
        Off,
    ),
    protection(
        "github_enterprise_security_analysis_settings",
        "advanced_security_enabled_for_new_repositories",
        Off,
    ),
    protection(
        "github_organization_webhook|github_repository_webhook",
        "active",
        Off,
    )
    .level(Notice),
    // What serves requests.
    interrupted("github_repository_pages"),
    // Actions: what invoking one does.
    downtime("github_repository", "archived", On)
        .what("it becomes read-only")
        .level(Warning),
    // What decides, and is known only after apply.
    unknown("github_branch_protection", "required_pull_request_reviews"),
    unknown("github_repository", "visibility"),
];
