//! Fragments: sets of resource types that hold the same documents at several places, as in `@pod.containers`.
//!
//! ```text
//! @pod.host_network      spec.**.host_network, manifest.**.hostNetwork, values[*].**.hostNetwork, …
//! ```

use crate::glob;
use crate::review::names;

/// The types of a fragment, as in `@pod`, and the places in these. Names below them are compared without case and `_`,
/// because blocks write `host_network` where manifests write `hostNetwork`.
struct Fragment {
    name: &'static str,
    types: &'static [&'static str],
    paths: &'static [&'static str],
}

static FRAGMENTS: [Fragment; 3] = [
    Fragment {
        name: "@pod",
        types: names::TYPES_OF_PODS,
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
        types: names::TYPES_OF_MANIFESTS,
        paths: &["manifest", "yaml_body"],
    },
    Fragment {
        name: "@chart",
        types: names::TYPES_OF_CHARTS,
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

fn fragment(name: &str) -> Option<&'static Fragment> {
    FRAGMENTS.iter().find(|fragment| fragment.name == name)
}

pub(super) fn is_for_type(types: &str, resource_type: &str) -> bool {
    types.split('|').any(|wanted| match fragment(wanted) {
        Some(fragment) => fragment
            .types
            .iter()
            .any(|glob| glob::matches(glob, resource_type)),
        None => glob::matches(wanted, resource_type),
    })
}

pub(super) fn fragment_paths(pattern: &str) -> Option<impl Iterator<Item = (&'static str, &str)>> {
    let (name, rest) = pattern.split_once('.')?;
    let paths = fragment(name)?.paths;
    Some(paths.iter().map(move |path| (*path, rest)))
}
