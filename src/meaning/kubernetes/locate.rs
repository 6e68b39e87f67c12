//! Finds the Kubernetes objects of a resource, in whichever form it holds them.
//!
//! An object is what has an `apiVersion` and a `kind`, wherever it stands: as a value, as a document in a string, as
//! one of several documents in a string, as an element of a list of a chart's values. The typed resources of the
//! provider are objects by their type.
//!
//! ```text
//! kubernetes_role_v1.a                  Role, at []
//! kubernetes_manifest.a                 its kind, at ["manifest"], and again at ["object"]
//! kubectl_manifest.a                    its kind, at ["yaml_body"]
//! helm_release.a                        objects among the values, at ["values", "extraObjects"]
//! ```

use std::collections::HashMap;

use super::part::Part;
use super::view::{Form, View};
use crate::diff::value::{Content, MarkedValue};
use crate::meaning::ObjectChange;

/// How deep objects may stand in the values of a resource: a list of a section of a chart's values, in a string.
const DEEPEST: usize = 8;

/// The most documents of one text, or objects of one side. Beyond it, a text counts as no document.
const MOST: usize = 500;

/// What an object is: its kind as one word in lower case, and the group of its API.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind<'w> {
    /// The kind in lower case, without separators: `networkpolicy`.
    pub(super) name: String,
    /// The group of the API, without the version; empty for the core group, and for typed resources.
    pub(super) group: &'w str,
}

/// An object of a resource on both sides of its change.
#[derive(Clone, Debug)]
pub(super) struct Object<'w> {
    pub(super) kind: Kind<'w>,
    pub(super) part: Part<'w>,
    /// Whether the resource is this object, so that what happens to one happens to the other.
    pub(super) is_whole: bool,
    /// Whether it is one of several documents of a text, whose parts have no edits of their own.
    pub(super) is_opaque: bool,
}

/// An object of one side.
#[derive(Clone, Debug)]
struct Found<'w> {
    kind: Kind<'w>,
    place: Vec<&'w str>,
    view: View<'w>,
    is_opaque: bool,
}

/// Returns the objects of a resource; none if it holds none.
pub(super) fn objects<'w>(change: &ObjectChange<'_, 'w>) -> Vec<Object<'w>> {
    if let Some(name) = typed_kind(change.resource_type) {
        let kind = Kind { name, group: "" };
        return vec![Object {
            kind,
            part: Part {
                place: Vec::new(),
                before: View::new(change.before, Form::Blocks),
                after: View::new(change.after, Form::Blocks),
            },
            is_whole: true,
            is_opaque: false,
        }];
    }
    let mut finder = Finder {
        change,
        place: Vec::new(),
        found: Vec::new(),
    };
    finder.visit(change.before, false);
    let before = std::mem::take(&mut finder.found);
    finder.visit(change.after, false);
    let after = finder.found;
    paired(&before, &after, is_whole(change.resource_type))
}

/// Whether resources of a type are one object each.
fn is_whole(resource_type: &str) -> bool {
    matches!(
        resource_type,
        "kubernetes_manifest"
            | "kubectl_manifest"
            | "kustomization_resource"
            | "k8s_manifest"
            | "k8sconnect_object"
    )
}

/// Returns the kind of a typed resource of the Kubernetes provider; `None` for other types.
fn typed_kind(resource_type: &str) -> Option<String> {
    let name = resource_type.strip_prefix("kubernetes_")?;
    if matches!(
        name,
        "manifest" | "labels" | "annotations" | "env" | "node_taint"
    ) {
        return None;
    }
    let name = name.strip_suffix("_data").unwrap_or(name);
    let name = match name.rsplit_once("_v") {
        Some((start, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => start,
        _ => name,
    };
    let name = name.strip_prefix("default_").unwrap_or(name);
    Some(name.split('_').collect())
}

/// Whether a text is the version of an API of Kubernetes: `v1`, `apps/v1`, `x.io/v1alpha1`.
fn is_version(text: &str) -> bool {
    let version = text.rsplit_once('/').map_or(text, |(_, version)| version);
    version
        .strip_prefix('v')
        .is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// Looks for objects in the values of one side.
struct Finder<'c, 'o, 'w> {
    change: &'c ObjectChange<'o, 'w>,
    place: Vec<&'w str>,
    found: Vec<Found<'w>>,
}

impl<'w> Finder<'_, '_, 'w> {
    /// Looks at a value and its parts. `is_opaque`: it is one of several documents of a text.
    fn visit(&mut self, value: MarkedValue<'w>, is_opaque: bool) {
        if self.place.len() > DEEPEST || self.found.len() > MOST {
            return;
        }
        match value.content {
            Content::Object(members) => {
                if let Some(kind) = kind_of(value) {
                    if kind.name == "list" {
                        self.member("items", value, is_opaque);
                    } else {
                        self.found.push(Found {
                            kind,
                            place: self.place.clone(),
                            view: View::new(value, Form::Manifest),
                            is_opaque,
                        });
                    }
                    return;
                }
                for (name, member) in members {
                    self.place.push(name);
                    self.visit(*member, is_opaque);
                    self.place.pop();
                }
            }
            Content::Array(items) => {
                for item in items {
                    self.visit(*item, is_opaque);
                }
            }
            Content::String(text) => self.text(text, is_opaque),
            Content::Null
            | Content::Unknown
            | Content::Redacted
            | Content::Bool(_)
            | Content::Number(_) => {}
        }
    }

    /// Looks at a member of an object.
    fn member(&mut self, name: &'static str, value: MarkedValue<'w>, is_opaque: bool) {
        if let Some(member) = value.get(name) {
            self.place.push(name);
            self.visit(member, is_opaque);
            self.place.pop();
        }
    }

    /// Looks at the documents in a text.
    fn text(&mut self, text: &'w str, is_opaque: bool) {
        if !text.contains("apiVersion") || !text.contains("kind") {
            return;
        }
        if let Some((_, document)) = self.change.documents.read(text)
            && document.is_container()
        {
            self.visit(document, is_opaque);
            return;
        }
        let documents = documents(text);
        if documents.len() < 2 || documents.len() > MOST {
            return;
        }
        for document in documents {
            if let Some((_, document)) = self.change.documents.read(document)
                && document.is_container()
            {
                self.visit(document, true);
            }
        }
    }
}

/// Returns what an object is; `None` if it is no object of the API.
fn kind_of(value: MarkedValue<'_>) -> Option<Kind<'_>> {
    let version = value
        .get("apiVersion")?
        .as_str()
        .filter(|text| is_version(text))?;
    let kind = value
        .get("kind")?
        .as_str()
        .filter(|kind| !kind.is_empty())?;
    Some(Kind {
        name: kind.to_ascii_lowercase(),
        group: version.rsplit_once('/').map_or("", |(group, _)| group),
    })
}

/// Returns the documents of a text in YAML, which are separated by lines of `---`.
fn documents(text: &str) -> Vec<&str> {
    let mut documents = Vec::new();
    let (mut start, mut offset) = (0, 0);
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "---" {
            documents.extend(text.get(start..offset));
            start = offset + line.len();
        }
        offset += line.len();
    }
    documents.extend(text.get(start..));
    documents.retain(|document| !document.trim().is_empty());
    documents
}

/// Pairs the objects of both sides: at one place by kind and name, and those that are alone with their kind.
fn paired<'w>(before: &[Found<'w>], after: &[Found<'w>], is_whole: bool) -> Vec<Object<'w>> {
    let identity = |found: &Found<'w>| {
        let name = found.view.at("metadata.name").text();
        let namespace = found.view.at("metadata.namespace").text();
        (found.place.clone(), found.kind.clone(), namespace, name)
    };
    let mut rest: HashMap<_, Vec<usize>> = HashMap::new();
    for (index, found) in after.iter().enumerate().rev() {
        rest.entry(identity(found)).or_default().push(index);
    }
    let mut partners: Vec<Option<usize>> = before
        .iter()
        .map(|found| rest.get_mut(&identity(found)).and_then(Vec::pop))
        .collect();
    // What is left is one object under another name where its place has only one of its kind.
    let mut alone: HashMap<_, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for (index, found) in before.iter().enumerate() {
        if partners.get(index).is_some_and(Option::is_none) {
            let key = (found.place.clone(), found.kind.clone());
            alone.entry(key).or_default().0.push(index);
        }
    }
    for index in rest.into_values().flatten() {
        if let Some(found) = after.get(index) {
            let key = (found.place.clone(), found.kind.clone());
            alone.entry(key).or_default().1.push(index);
        }
    }
    for (was, is) in alone.values() {
        if let ([was], [is]) = (&**was, &**is)
            && let Some(partner) = partners.get_mut(*was)
        {
            *partner = Some(*is);
        }
    }
    let mut objects = Vec::new();
    let mut taken = vec![false; after.len()];
    for (found, partner) in before.iter().zip(&partners) {
        let other = partner.and_then(|index| after.get(index));
        if let Some(is_taken) = partner.and_then(|index| taken.get_mut(index)) {
            *is_taken = true;
        }
        let after = other.map_or(found.view.nothing(), |other| other.view);
        objects.push(object(found, found.view, after, is_whole));
    }
    for (found, _) in after.iter().zip(&taken).filter(|(_, is_taken)| !**is_taken) {
        objects.push(object(found, found.view.nothing(), found.view, is_whole));
    }
    objects
}

/// Makes an object of what was found on a side.
fn object<'w>(found: &Found<'w>, before: View<'w>, after: View<'w>, is_whole: bool) -> Object<'w> {
    Object {
        kind: found.kind.clone(),
        part: Part {
            place: found.place.clone(),
            before,
            after,
        },
        is_whole,
        is_opaque: found.is_opaque,
    }
}
