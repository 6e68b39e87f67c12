//! What the objects of a rule guard: attributes that name other objects, with the types of these.
//!
//! ```text
//! guards = { bucket = ["aws_s3_bucket.bucket"] }
//!
//! Reference { path: bucket, types: [ObjectType { name: "aws_s3_bucket", attribute: Some("bucket") }] }
//! ```

use std::collections::HashSet;

use super::condition::List;
use super::pattern::Pattern;
use crate::diff::value::MarkedValue;
use crate::json::Value;
use crate::review::documents::Documents;
use crate::review::value_path::member_text;

/// The attributes by which objects are named.
const IDENTIFIERS: [&str; 4] = ["id", "arn", "name", "self_link"];

/// A type of objects that are named.
#[derive(Debug)]
pub(super) struct ObjectType<'r> {
    pub(super) name: &'r str,
    /// The attribute that names the object, if it is none of [`IDENTIFIERS`].
    pub(super) attribute: Option<&'r str>,
}

/// What an object names at one of its attributes: what it guards, or belongs to.
#[derive(Debug)]
pub(super) struct Reference<'r> {
    pub(super) path: Pattern<'r>,
    pub(super) types: Vec<ObjectType<'r>>,
}

/// Reads the paths of attributes that name objects, each with their types: `aws_s3_bucket`, or `aws_s3_bucket.bucket`
/// where an attribute of it is named.
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

/// Returns the texts by which other objects may name an object: those of its identifiers and of `more` attributes.
pub(super) fn names_of<'n>(
    object: Value<'n>,
    more: &HashSet<&str>,
) -> impl Iterator<Item = &'n str> {
    let attributes = IDENTIFIERS.into_iter().chain(more.iter().copied());
    let texts = attributes.filter_map(move |name| object.get(name)?.as_str());
    texts.filter(|text| !text.is_empty())
}

/// What the objects of a rule guard, and by which attributes they name it.
#[derive(Debug)]
pub(super) struct Guards<'r> {
    pub(super) objects: Vec<Reference<'r>>,
    /// The attribute with a policy, if only a policy that denies something protects.
    denies: Option<&'r str>,
}

impl<'r> Guards<'r> {
    /// `objects` are what is guarded, as for [`references`].
    pub(super) fn new(
        objects: impl Iterator<Item = (&'r str, List<'r>)>,
        denies: Option<&'r str>,
    ) -> Result<Self, String> {
        let objects = references(objects)?;
        Ok(Self { objects, denies })
    }

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
