//! Fragments: names for several resource types that have the same documents in different attributes, as in
//! `@pod.containers`.
//!
//! ```text
//! @pod.host_network      spec.**.host_network, manifest.**.hostNetwork, values[*].**.hostNetwork, …
//! ```

use super::condition::List;
use crate::glob;

/// A fragment: the types that `@pod` and so on include, and the paths of the documents in them.
///
/// Names below these paths are compared without case and `_`, because blocks have `host_network` where manifests have
/// `hostNetwork`.
struct Fragment {
    /// The name, with the `@`.
    name: &'static str,
    /// Globs for the types.
    types: &'static [&'static str],
    /// The paths, as in rules.
    paths: &'static [&'static str],
}

/// All fragments.
static FRAGMENTS: [Fragment; 3] = [
    Fragment {
        name: "@pod",
        types: &[
            "kubernetes_cron_job*",
            "kubernetes_daemon_set*",
            "kubernetes_daemonset",
            "kubernetes_deployment*",
            "kubernetes_job*",
            "kubernetes_manifest",
            "kubernetes_pod*",
            "kubernetes_replication_controller*",
            "kubernetes_stateful_set*",
            "kubectl_manifest",
            "helm_release",
        ],
        paths: &[
            "spec.**",
            "manifest.**",
            "yaml_body.**",
            "values[*].**",
            "set[*].=",
        ],
    },
    Fragment {
        name: "@manifest",
        types: &["kubernetes_manifest", "kubectl_manifest"],
        paths: &["manifest", "yaml_body"],
    },
    Fragment {
        name: "@chart",
        types: &["helm_release", "argocd_application", "aws_eks_addon"],
        paths: &[
            "values[*].**",
            "set[*].=",
            "set_list[*].=",
            "spec[*].source[*].helm[*].values.**",
            "spec[*].source[*].helm[*].parameter[*].=",
            "configuration_values.**",
        ],
    },
];

/// Returns the fragment with this name.
fn fragment(name: &str) -> Option<&'static Fragment> {
    FRAGMENTS.iter().find(|fragment| fragment.name == name)
}

/// Whether a list of types, globs and fragments includes a type.
pub(crate) fn is_for_type(types: List<'_>, resource_type: &str) -> bool {
    types.iter().any(|wanted| match fragment(wanted) {
        Some(fragment) => fragment
            .types
            .iter()
            .any(|glob| glob::matches(glob, resource_type)),
        None => glob::matches(wanted, resource_type),
    })
}

/// Returns the paths of the fragment that a pattern begins with, each with the rest of the pattern. `None` if it does
/// not begin with a fragment.
pub(crate) fn fragment_paths(pattern: &str) -> Option<impl Iterator<Item = (&'static str, &str)>> {
    let (name, rest) = pattern.split_once('.')?;
    let paths = fragment(name)?.paths;
    Some(paths.iter().map(move |path| (*path, rest)))
}
