//! Fragments of rules that many resources share, so that a rule about pods is written once.

use crate::access::glob_matches;
use crate::review::names::words;

/// A name for resource types, and for the places in them.
struct Fragment {
    name: &'static str,
    /// The title of the list of its types in `names.txt`.
    types: &'static str,
    paths: &'static [&'static str],
}

/// Manifests, as objects and as YAML; and pods: blocks of the Kubernetes provider, manifests, and the values of charts. Below, names are compared without
/// case and `_`, because blocks write `host_network` where manifests write `hostNetwork`.
const FRAGMENTS: &[Fragment] = &[
    Fragment {
        name: "@pod",
        types: "types of pods",
        paths: &["spec.**", "manifest.**", "yaml_body.**", "values[*].**", "set[*].="],
    },
    Fragment { name: "@manifest", types: "types of manifests", paths: &["manifest", "yaml_body"] },
];

fn fragment(name: &str) -> Option<&'static Fragment> {
    FRAGMENTS.iter().find(|fragment| fragment.name == name)
}

/// One of the types that a rule is for, which are separated by `|`.
#[derive(Clone, Copy, Debug)]
pub(super) enum TypePattern<'t> {
    Name(&'t str),
    /// A name with `*`.
    Glob(&'t str),
    /// The types of a fragment.
    OneOf(&'static [&'static str]),
}

impl<'t> TypePattern<'t> {
    pub(super) fn parse(types: &'t str) -> impl Iterator<Item = Self> {
        types.split('|').map(|wanted| match fragment(wanted) {
            Some(fragment) => Self::OneOf(words(fragment.types)),
            None if wanted.contains('*') => Self::Glob(wanted),
            None => Self::Name(wanted),
        })
    }

    pub(super) fn matches(self, resource_type: &str) -> bool {
        match self {
            Self::Name(name) => name == resource_type,
            Self::Glob(glob) => glob_matches(glob, resource_type),
            Self::OneOf(globs) => globs.iter().any(|glob| glob_matches(glob, resource_type)),
        }
    }
}

/// Whether a rule with these types is for resources of a type.
pub(super) fn is_for_type(types: &str, resource_type: &str) -> bool {
    TypePattern::parse(types).any(|wanted| wanted.matches(resource_type))
}

/// The paths of a pattern that begins with a fragment, each with the rest of the pattern.
pub(super) fn paths(pattern: &str) -> Option<impl Iterator<Item = (&'static str, &str)>> {
    let (name, rest) = pattern.split_once('.')?;
    Some(fragment(name)?.paths.iter().map(move |path| (*path, rest)))
}

/// Whether two names are the same without case and `_`.
pub(super) fn is_loosely(name: &str, other: &str) -> bool {
    plain(name).eq(plain(other))
}

/// Whether a name ends with another one in the same sense: charts have `containerSecurityContext` and
/// `podSecurityContext`.
pub(super) fn ends_loosely(name: &str, end: &str) -> bool {
    let mut letters = plain(name).rev();
    plain(end).rev().all(|byte| letters.next() == Some(byte))
}

fn plain(name: &str) -> impl DoubleEndedIterator<Item = u8> + '_ {
    name.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_may_be_a_fragment_or_one_of_several() {
        for (types, resource_type, expected) in [
            ("@pod", "kubernetes_deployment_v1", true),
            ("@pod", "helm_release", true),
            ("@pod", "kubernetes_service", false),
            ("aws_lb|aws_alb", "aws_alb", true),
            ("aws_lb|aws_*_alb", "aws_x_alb", true),
            ("aws_lb|aws_alb", "aws_elb", false),
        ] {
            assert_eq!(is_for_type(types, resource_type), expected, "{types} {resource_type}");
        }
        assert!(ends_loosely("containerSecurityContext", "security_context"));
        assert!(!ends_loosely("securityContext", "container_security_context"));
        assert!(is_loosely("host_network", "hostNetwork") && !is_loosely("host_network", "hostPID"));
    }
}
