//! Rules for HCP Terraform and Terraform Enterprise.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("tfe_workspace", "workspace with its state").show("name|force_delete"),
    lost("tfe_organization|tfe_project", "organization").show("name"),
    // Who may reach or do more.
    exposure(
        "tfe_workspace|tfe_workspace_settings",
        "global_remote_state",
        On,
    )
    .what("every workspace reads its state"),
    exposure("tfe_workspace", "auto_apply", On)
        .what("plans are applied without being approved")
        .unless_created(),
    exposure("tfe_workspace", "auto_apply_run_trigger", On)
        .what("plans are applied without being approved")
        .unless_created(),
    exposure("tfe_team_access", "access", There).levels(&[("plan", Notice), ("read", Notice)]),
    exposure("tfe_team_project_access", "access", There).levels(&[("read", Notice)]),
    exposure("tfe_team", "organization_access[*].manage_policies", On),
    exposure("tfe_team", "organization_access[*].manage_workspaces", On),
    exposure("tfe_team", "organization_access[*].manage_teams", On),
    exposure("tfe_team", "organization_access[*].manage_membership", On),
    exposure("tfe_team", "organization_access[*].manage_vcs_settings", On),
    exposure(
        "tfe_team",
        "organization_access[*].manage_policy_overrides",
        On,
    ),
    exposure(
        "tfe_team_organization_member|tfe_team_member",
        "team_id",
        There,
    )
    .what("a member of a team")
    .level(Notice),
    exposure("tfe_agent_pool", "organization_scoped", On).unless_created(),
    exposure("tfe_variable_set", "global", On).unless_created(),
    // What guards, records or backs up.
    protection(
        "tfe_policy|tfe_sentinel_policy",
        "enforce_mode",
        order("advisory|soft-mandatory|hard-mandatory|mandatory"),
    ),
    protection("tfe_policy_set", "workspace_ids[*]", Fewer)
        .what("a workspace is no longer checked"),
    protection("tfe_policy_set", "global", Off),
    protection("tfe_workspace_policy_set_exclusion", "workspace_id", There)
        .what("a workspace is no longer checked")
        .when_created(),
    protection(
        "tfe_workspace_run_task|tfe_organization_run_task_global_settings",
        "enforcement_level",
        order("advisory|mandatory"),
    ),
    unguarded(
        "tfe_workspace_run_task|tfe_workspace_policy_set|tfe_project_policy_set|\
         tfe_notification_configuration|tfe_audit_trail_token",
    ),
    protection("tfe_variable", "sensitive", Off),
    protection(
        "tfe_organization",
        "collaborator_auth_policy",
        order("password|two_factor_mandatory"),
    ),
    protection("tfe_organization", "allow_force_delete_workspaces", On),
    protection("tfe_notification_configuration", "enabled", Off),
    // What serves requests.
    interrupted(
        "tfe_agent_pool|tfe_oauth_client|tfe_team_access|tfe_team_token|\
         tfe_organization_token",
    )
    .named("tfe_*.service")
    .level(Notice),
];
