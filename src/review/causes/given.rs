//! What the configuration gives an object: its attributes, and where the values of those come from that are known
//! only after apply.

use std::rc::Rc;

use super::reference::Origin;
use super::trace::Origins;
use super::{Causes, resource, trace};
use crate::model::plan::ResourceChange;

/// The attributes and blocks of a resource, with the origins of their values.
pub(super) type Attributes<'a> = Vec<(&'a str, Origins)>;

/// The maximum number of origins of one attribute.
const MAX_COUNT: usize = 8;

/// An attribute or block that the configuration of an object gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::review) struct Given<'a> {
    /// Its name.
    pub(in crate::review) attribute: &'a str,
    /// The addresses of the attributes that its value comes from: `aws_vpc.main.id`.
    pub(in crate::review) sources: Vec<String>,
}

impl<'a> Causes<'_, 'a> {
    /// What the configuration gives the object of the change with index `at`. `needs_sources` says for which
    /// attributes the sources are needed.
    pub(in crate::review) fn given(&self, at: usize, needs_sources: impl Fn(&str) -> bool) -> Vec<Given<'a>> {
        let Some(change) = self.plan.resource_changes.get(at) else { return Vec::new() };
        let Some(block) = resource(&self.configuration, change) else { return Vec::new() };
        let found = self.given.borrow().get(&block).cloned();
        let attributes = found.unwrap_or_else(|| {
            let read = Rc::new(trace::given(&self.configuration, change, self.arena));
            self.given.borrow_mut().insert(block, Rc::clone(&read));
            read
        });
        let given = attributes.iter().map(|(attribute, origins)| {
            let origins = if needs_sources(attribute) { origins.resources.as_slice() } else { &[] };
            let mut sources: Vec<String> =
                origins.iter().take(MAX_COUNT).map(|origin| self.source(origin, change)).collect();
            sources.dedup();
            Given { attribute, sources }
        });
        given.collect()
    }

    /// The address of an attribute of another object.
    fn source(&self, origin: &Origin, effect: &ResourceChange<'_>) -> String {
        let changes = self.changes_of(origin, effect);
        let only = match *changes {
            [only] => self.plan.resource_changes.get(only),
            _ => None,
        };
        let mut text = match only {
            Some(change) if !change.address.is_empty() => change.address.to_string(),
            Some(_) | None => {
                let mut text = self.configuration.address(origin.resource.module);
                if !text.is_empty() {
                    text.push('.');
                }
                if origin.resource.is_data {
                    text.push_str("data.");
                }
                text.push_str(&format!("{}.{}", origin.resource.resource_type, origin.resource.name));
                if let Some(key) = &origin.key {
                    text.push_str(&format!("[{key}]"));
                }
                text
            }
        };
        if !origin.attribute.is_empty() {
            text.push('.');
            text.push_str(&origin.attribute);
        }
        text
    }
}
