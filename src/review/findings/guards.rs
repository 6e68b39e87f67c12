//! The objects that the rules of a table name by attributes of others: what a guard protects, and what something belongs
//! to.
//!
//! ```text
//! guards = { bucket = ["aws_s3_bucket.bucket"] }
//!
//! Reference { path: bucket, types: [ObjectType { name: "aws_s3_bucket", attribute: Some("bucket") }] }
//! ```

use std::collections::{HashMap, HashSet};

use super::pattern::Pattern;
use crate::diff::value::MarkedValue;
use crate::json::Value;
use crate::knowledge::List;
use crate::meaning::Documents;
use crate::review::value_path::member_text;

/// The attributes that usually name an object.
const IDENTIFIERS: [&str; 4] = ["id", "arn", "name", "self_link"];

/// A type of objects that are named.
#[derive(Debug)]
pub(super) struct ObjectType<'r> {
    /// The name of the type.
    pub(super) name: &'r str,
    /// The attribute that names the object, if it is none of [`IDENTIFIERS`].
    pub(super) attribute: Option<&'r str>,
}

/// The objects that an object names in one of its attributes: those that it guards, or belongs to.
#[derive(Debug)]
pub(super) struct Reference<'r> {
    /// The path of the attribute.
    pub(super) path: Pattern<'r>,
    /// The types of the objects.
    pub(super) types: Vec<ObjectType<'r>>,
}

/// Parses attributes that name objects, each with the types of these: `aws_s3_bucket`, or `aws_s3_bucket.bucket` if an
/// attribute of the type is named.
///
/// # Errors
/// If a path cannot be read.
pub(super) fn references<'r>(
    attributes: impl Iterator<Item = (&'r str, List<'r>)>,
) -> Result<Vec<Reference<'r>>, String> {
    let object_type = |text: &'r str| {
        let (name, attribute) = match text.split_once('.') {
            Some((name, attribute)) => (name, Some(attribute)),
            None => (text, None),
        };
        ObjectType { name, attribute }
    };
    let reference = |(path, types): (&'r str, List<'r>)| {
        Ok(Reference {
            path: Pattern::parse(path)?,
            types: types.iter().map(object_type).collect(),
        })
    };
    attributes.map(reference).collect()
}

/// Returns the texts that name an object: its identifiers, and the values of the attributes in `more`.
pub(super) fn names_of<'n>(
    object: Value<'n>,
    more: &HashSet<&str>,
) -> impl Iterator<Item = &'n str> {
    let attributes = IDENTIFIERS.into_iter().chain(more.iter().copied());
    let texts = attributes.filter_map(move |name| object.get(name)?.as_str());
    texts.filter(|text| !text.is_empty())
}

/// Returns the attributes that name objects besides the usual identifiers, by the types of the objects.
pub(super) fn name_attributes<'r>(
    references: impl Iterator<Item = &'r Reference<'r>>,
) -> HashMap<&'r str, HashSet<&'r str>> {
    let mut attributes: HashMap<&str, HashSet<&str>> = HashMap::new();
    for object_type in references.flat_map(|reference| &reference.types) {
        attributes
            .entry(object_type.name)
            .or_default()
            .extend(object_type.attribute);
    }
    attributes
}

/// The objects that the guards of a rule protect.
#[derive(Debug)]
pub(super) struct Guards<'r> {
    /// The objects, by the attribute that names them.
    pub(super) objects: Vec<Reference<'r>>,
    /// The attribute with a policy, if only a policy that denies something protects.
    denies: Option<&'r str>,
}

impl<'r> Guards<'r> {
    /// Parses what is guarded. `objects` are the attributes that name it, as for [`references`].
    ///
    /// # Errors
    /// If a path cannot be read.
    pub(super) fn new(
        objects: impl Iterator<Item = (&'r str, List<'r>)>,
        denies: Option<&'r str>,
    ) -> Result<Self, String> {
        let objects = references(objects)?;
        Ok(Self { objects, denies })
    }

    /// Whether an object is a guard: it is, unless only a policy that denies something guards and its policy denies
    /// nothing.
    pub(super) fn include<'w>(&self, object: MarkedValue<'w>, documents: &Documents<'w>) -> bool {
        let Some(attribute) = self.denies else {
            return true;
        };
        let policy = member_text(object, attribute).and_then(|text| documents.policy(text));
        policy.is_some_and(|policy| {
            policy
                .statements
                .iter()
                .any(|statement| !statement.is_allow())
        })
    }

    /// Returns the hashes of the values by which a guard names what it protects.
    pub(super) fn names_in<'w>(
        &self,
        guard: MarkedValue<'w>,
        documents: &Documents<'w>,
    ) -> Vec<u64> {
        let mut names = Vec::new();
        for guarded in &self.objects {
            guarded.path.visit(guard, documents, &mut |matched| {
                names.push(matched.value.hash_value());
            });
        }
        names
    }
}
