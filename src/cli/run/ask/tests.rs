use super::*;

#[test]
fn questions_are_the_tools_own() {
    for (mode, dialect, workspace, query) in [
        (
            Some(PlanMode::Normal),
            Dialect::OPENTOFU,
            "default",
            "Do you want to perform these actions?",
        ),
        (
            Some(PlanMode::Normal),
            Dialect::TERRAFORM,
            "w",
            "Do you want to perform these actions in workspace \"w\"?",
        ),
        (
            Some(PlanMode::Destroy),
            Dialect::OPENTOFU,
            "default",
            "Do you really want to destroy all resources?",
        ),
        (
            Some(PlanMode::Destroy),
            Dialect::OPENTOFU,
            "w",
            "Do you really want to destroy all resources in workspace \"w\"?",
        ),
        (
            Some(PlanMode::RefreshOnly),
            Dialect::TERRAFORM,
            "default",
            "Would you like to update the Terraform state to reflect these detected changes?",
        ),
        (
            Some(PlanMode::RefreshOnly),
            Dialect::OPENTOFU,
            "w",
            "Would you like to update the OpenTofu state for \"w\" to reflect these detected changes?",
        ),
    ] {
        assert_eq!(
            Question {
                mode,
                dialect,
                workspace
            }
            .words()
            .0,
            query
        );
    }
}
