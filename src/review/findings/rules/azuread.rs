//! Rules for Entra ID.

use super::prelude::*;

pub(super) static RULES: &[Definition] = &[
    // Data that is lost.
    lost("azuread_user", "user")
        .show("user_principal_name")
        .level(Warning),
    lost("azuread_group*", "group")
        .show("display_name")
        .level(Warning),
    lost("azuread_application", "application")
        .show("display_name")
        .level(Warning),
    // Who may reach or do more.
    exposure(
        "azuread_directory_role_assignment",
        "principal_object_id",
        role("role_id", ""),
    )
    .serves(Class::Administration)
    .role_names(&[
        (
            "158c047a-c907-4556-b7ef-446551a6b5f7",
            "Cloud Application Administrator",
        ),
        (
            "62e90394-69f5-4237-9190-012177145e10",
            "Global Administrator",
        ),
        (
            "7be44c8a-adaf-4e2a-84d6-ab2649e08a13",
            "Privileged Authentication Administrator",
        ),
        (
            "9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3",
            "Application Administrator",
        ),
        (
            "e8611ab8-c189-46e8-94e1-60213ab1f814",
            "Privileged Role Administrator",
        ),
    ]),
    exposure(
        "azuread_application",
        "sign_in_audience",
        is("AzureADMultipleOrgs|AzureADandPersonalMicrosoftAccount|PersonalMicrosoftAccount"),
    )
    .unless_created(),
    exposure(
        "azuread_service_principal",
        "app_role_assignment_required",
        Off,
    )
    .unless_created(),
    exposure(
        "azuread_application_federated_identity_credential",
        "subject",
        Changed,
    )
    .unless_created(),
    // Who is let in by what is created.
    exposure("azuread_application_password", "application_id", There)
        .what("a permanent credential")
        .level(Notice),
    exposure(
        "azuread_service_principal_password",
        "service_principal_id",
        There,
    )
    .what("a permanent credential")
    .level(Notice),
    exposure("azuread_group_member", "member_object_id", There)
        .what("a member of a group")
        .level(Notice),
    exposure(
        "azuread_app_role_assignment",
        "principal_object_id",
        role("app_role_id", ""),
    )
    .serves(Class::Administration)
    .role_names(&[
        (
            "06b708a9-e830-4db3-a914-8e69da51d44f",
            "AppRoleAssignment.ReadWrite.All",
        ),
        (
            "1bfefb4e-e0b5-418b-a88f-73c46d2cc8e9",
            "Application.ReadWrite.All",
        ),
        (
            "9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8",
            "RoleManagement.ReadWrite.Directory",
        ),
    ]),
    exposure(
        "azuread_app_role_assignment",
        "principal_object_id",
        role("app_role_id", ""),
    )
    .named("azuread_app_role_assignment.more")
    .role_names(&[
        (
            "01c0a623-fc9b-48e9-b794-0756f8e8f067",
            "Policy.ReadWrite.ConditionalAccess",
        ),
        (
            "19dbc75e-c2e2-444c-a770-ec69d8559fc7",
            "Directory.ReadWrite.All",
        ),
        (
            "62a82d76-70ea-41e2-9197-370581804d09",
            "Group.ReadWrite.All",
        ),
        ("741f803b-c850-494e-b5df-cde7c675a1ca", "User.ReadWrite.All"),
        (
            "75359482-378d-4052-8f01-80520e7db3cd",
            "Files.ReadWrite.All",
        ),
        ("810c84a8-4a9e-49e6-bf7d-12d183f40d01", "Mail.Read"),
        (
            "a82116e5-55eb-4c41-a434-62fe8a61c773",
            "Sites.FullControl.All",
        ),
        ("b633e1c5-b582-4048-a93e-9f11b44c7e96", "Mail.Send"),
        (
            "dbaae8cf-10b5-4b86-a4a1-f871c94c6695",
            "GroupMember.ReadWrite.All",
        ),
        ("e2a3a72e-5f79-4c64-b1b1-878b674786c9", "Mail.ReadWrite"),
    ]),
    exposure(
        "azuread_service_principal_delegated_permission_grant",
        "claim_values[*]",
        is("*.ReadWrite*|*.FullControl*|Mail.Send|RoleManagement.*"),
    ),
    exposure("azuread_group", "members[*]", There)
        .what("a member of a group")
        .level(Notice)
        .unless_created(),
    exposure(
        "azuread_group|azuread_application|azuread_service_principal",
        "owners[*]",
        There,
    )
    .what("an owner")
    .unless_created(),
    exposure("azuread_named_location", "ip[*].ip_ranges[*]", There).unless_created(),
    exposure(
        "azuread_directory_role_eligibility_schedule_request",
        "principal_id",
        role("role_definition_id", ""),
    )
    .serves(Class::Administration)
    .role_names(&[
        (
            "62e90394-69f5-4237-9190-012177145e10",
            "Global Administrator",
        ),
        (
            "7be44c8a-adaf-4e2a-84d6-ab2649e08a13",
            "Privileged Authentication Administrator",
        ),
        (
            "e8611ab8-c189-46e8-94e1-60213ab1f814",
            "Privileged Role Administrator",
        ),
    ]),
    // What guards, records or backs up.
    protection(
        "azuread_conditional_access_policy",
        "state",
        order("disabled|enabledForReportingButNotEnforced|enabled"),
    ),
    protection(
        "azuread_conditional_access_policy",
        "conditions[*].users[*].excluded_users[*]",
        There,
    )
    .what("an exception"),
    protection(
        "azuread_conditional_access_policy",
        "grant_controls[*].built_in_controls[*]",
        Fewer,
    ),
    protection("azuread_user", "disable_strong_password", On),
    // Guards: destroying one is a finding unless the object that it guards is destroyed too.
    unguarded("azuread_conditional_access_policy|azuread_authentication_strength_policy"),
    protection("azuread_group", "assignable_to_role", On).level(Notice),
    protection("azuread_named_location", "ip[*].trusted", On)
        .level(Notice)
        .when_created(),
    // What serves requests.
    interrupted(
        "azuread_application|azuread_service_principal|azuread_application_password|\
         azuread_app_role_assignment|azuread_application_federated_identity_credential",
    )
    .named("azuread_*.login"),
    downtime(
        "azuread_user|azuread_service_principal",
        "account_enabled",
        Off,
    ),
];
