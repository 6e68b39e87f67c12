//! What the scopes of grants cover.

use super::answer::Answer;

/// Whether a scope of Azure covers another: a management group its subscriptions, a subscription its resource groups, a
/// resource group its resources. Case does not count.
///
/// Which subscriptions a management group has is not in a plan.
/// <https://learn.microsoft.com/azure/role-based-access-control/scope-overview>
pub(super) fn azure(wide: &str, narrow: &str) -> Answer {
    let [wide, narrow] =
        [wide, narrow].map(|scope| scope.trim_end_matches('/').to_ascii_lowercase());
    if wide.is_empty() || wide == narrow {
        return Answer::Yes;
    }
    let is_group = |scope: &str| scope.starts_with("/providers/microsoft.management/");
    if narrow
        .strip_prefix(&*wide)
        .is_some_and(|rest| rest.starts_with('/'))
    {
        return Answer::Yes;
    }
    if is_group(&wide) && !narrow.is_empty() {
        return Answer::Unclear;
    }
    Answer::No
}
