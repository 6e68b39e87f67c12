//! The importance of attributes for a reviewer: heavy ones are written first, and light ones are omitted
//! first if space is limited.
//!
//! Weights are derived from words in names. They only determine the order, never the verdict.

use super::text::{is_same_name, root_name};
use crate::diff::edits::{Edit, Label, Note, Slot, Step};

/// Words in names of attributes about access, protection and content of an object.
const HEAVY: [&str; 47] = [
    "access",
    "accessible",
    "acl",
    "action",
    "actions",
    "admin",
    "allow",
    "allowed",
    "backup",
    "cidr",
    "classification",
    "condition",
    "deletion",
    "deny",
    "destroy",
    "disabled",
    "egress",
    "enabled",
    "encrypt",
    "encrypted",
    "encryption",
    "expose",
    "force",
    "iam",
    "ingress",
    "kms",
    "logging",
    "member",
    "members",
    "permission",
    "permissions",
    "policy",
    "port",
    "principal",
    "principals",
    "protect",
    "protection",
    "public",
    "retention",
    "role",
    "rule",
    "rules",
    "secret",
    "ssl",
    "tls",
    "versioning",
    "zone",
];

/// Words in names of attributes that describe an object: its size, kind and version.
const DESCRIPTIVE: [&str; 24] = [
    "address",
    "bucket",
    "capacity",
    "class",
    "count",
    "database",
    "description",
    "domain",
    "engine",
    "image",
    "instance",
    "location",
    "memory",
    "mode",
    "name",
    "nodes",
    "region",
    "replicas",
    "schedule",
    "size",
    "sku",
    "storage",
    "type",
    "version",
];

/// The maximum length of names that are examined, in bytes.
const MAX_LEN: usize = 100;

/// The number of steps of a path that are examined, counted from its end.
const STEPS: usize = 16;

/// Attributes for human readers, such as descriptions.
const LIGHT: [&str; 12] = [
    "annotations",
    "comment",
    "comments",
    "description",
    "etag",
    "effective_labels",
    "labels",
    "tags",
    "tags_all",
    "terraform_labels",
    "updated_at",
    "last_modified",
];

/// The weight of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Weight {
    /// An attribute for human readers, or a change that is proven to have no effect.
    Light,
    /// An identifier, which says nothing about the object itself.
    Identifier,
    /// Anything else.
    Plain,
    /// A description of the object, such as its size.
    Descriptive,
    /// Access to the object, its protection or its content.
    Heavy,
}

impl Weight {
    /// The weight of an attribute, by its name.
    pub(crate) fn from_name(name: &str) -> Self {
        // Longer names are keys of maps, not attributes.
        if name.len() > MAX_LEN {
            return Self::Plain;
        }
        if LIGHT.contains(&name) {
            return Self::Light;
        }
        let has = |words: &[&str]| name.split(['_', '-', '.']).any(|word| words.binary_search(&word).is_ok());
        if has(&HEAVY) {
            Self::Heavy
        } else if is_identifier(name) {
            Self::Identifier
        } else if has(&DESCRIPTIVE) {
            Self::Descriptive
        } else {
            Self::Plain
        }
    }

    /// The weight of an edit: the weight of the heaviest name on its path.
    pub(crate) fn from_edit(edit: &Edit<'_>) -> Self {
        if is_cosmetic(edit) || LIGHT.contains(&root_name(edit)) {
            return Self::Light;
        }
        let mut weight = Self::Plain;
        let mut path = edit.path;
        for _ in 0..STEPS {
            let Some(step) = path.last() else { break };
            if let Step::Name(name) = step {
                weight = weight.max(Self::from_name(name));
            }
            path = path.parent().unwrap_or_default();
        }
        if matches!((edit.before, edit.after), (Slot::Value(_), Slot::Value(after)) if after.is_unknown())
            && is_identifier(root_name(edit))
        {
            return Self::Identifier;
        }
        weight
    }
}

/// Whether the name is the name of an identifier, which says nothing about the object itself.
pub(crate) fn is_identifier(name: &str) -> bool {
    const NAMES: [&str; 9] =
        ["id", "arn", "self_link", "uid", "urn", "guid", "generation", "resource_id", "unique_id"];
    NAMES.contains(&name) || ["_id", "_ids", "_arn", "_arns", "_uid"].iter().any(|end| name.ends_with(end))
}

/// Whether the name is that of an attribute which a provider computes anew with any change: a version of the object, a
/// hash, a time, a state, or all of these (the `metadata` of a release).
pub(crate) fn is_follower(name: &str) -> bool {
    const NAMES: [&str; 20] = [
        "address",
        "checksum",
        "endpoint",
        "etag",
        "fingerprint",
        "hash",
        "last_modified",
        "last_modified_date",
        "latest_revision",
        "metadata",
        "metadata_fingerprint",
        "modified",
        "resource_version",
        "revision",
        "state",
        "status",
        "tags_fingerprint",
        "updated",
        "version",
        "version_number",
    ];
    const ENDS: [&str; 10] = [
        "_at",
        "_checksum",
        "_endpoint",
        "_etag",
        "_fingerprint",
        "_hash",
        "_md5",
        "_sha256",
        "_time",
        "_version",
    ];
    // Versions of what an object runs are of importance.
    const OTHERS: [&str; 5] = [
        "engine_version",
        "kubernetes_version",
        "cluster_version",
        "orchestrator_version",
        "database_version",
    ];
    let is_named = NAMES.binary_search(&name).is_ok() || ENDS.iter().any(|end| name.ends_with(end));
    is_named && !OTHERS.contains(&name)
}

/// Whether the change is proven to have no effect.
pub(crate) fn is_cosmetic(edit: &Edit<'_>) -> bool {
    const PROVEN: [Label; 3] = [Label::Order, Label::Format, Label::TypeOnly];
    let label = PROVEN.into_iter().any(|label| edit.labels.contains(label));
    label || edit.notes.iter().any(|note| matches!(note, Note::SameYaml | Note::SameDecoded))
}

/// The display order of edits: the attributes `flagged` by findings first, then by their heaviest edit, then in the
/// order of the plan. The edits of an attribute stay together.
pub(super) fn order(edits: &[Edit<'_>], flagged: &[&str]) -> Vec<usize> {
    let mut groups: Vec<((bool, Weight), std::ops::Range<usize>)> = Vec::new();
    let mut from = 0;
    for group in edits.chunk_by(|edit, other| is_same_name(root_name(edit), root_name(other))) {
        let weight = group.iter().map(Weight::from_edit).max().unwrap_or(Weight::Light);
        let is_flagged = group.first().is_some_and(|edit| flagged.contains(&root_name(edit)));
        groups.push(((is_flagged, weight), from..from + group.len()));
        from += group.len();
    }
    groups.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    groups.into_iter().flat_map(|(_, range)| range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_to_be_searched() {
        assert!(HEAVY.is_sorted() && DESCRIPTIVE.is_sorted());
        assert!(
            is_follower("last_modified") && is_follower("version_number") && is_follower("source_code_hash")
        );
        assert!(!is_follower("engine_version") && !is_follower("name"));
    }

    #[test]
    fn who_gets_in_weighs_more_than_tags() {
        for (name, weight) in [
            ("publicly_accessible", Weight::Heavy),
            ("deletion_protection", Weight::Heavy),
            ("cidr_blocks", Weight::Heavy),
            ("allocated_storage", Weight::Descriptive),
            ("vpc_id", Weight::Identifier),
            ("tags_all", Weight::Light),
            ("frobnicate", Weight::Plain),
        ] {
            assert_eq!(Weight::from_name(name), weight, "{name}");
        }
    }
}
