//! The relevant attributes of a plan: only their drift may have affected it.

use std::collections::HashMap;

use bumpalo::Bump;

use super::Paths;
use crate::json::{Error, Raw, Value};
use crate::model::plan::Plan;

/// The paths of relevant attributes, by resource address.
#[derive(Debug)]
pub struct RelevantPaths<'p, 'a>(HashMap<&'p str, Paths<'a>>);

impl<'p, 'a> RelevantPaths<'p, 'a> {
    /// The relevant attributes of `plan`.
    ///
    /// # Errors
    /// If a path is malformed.
    pub fn new(plan: &'p Plan<'a>, arena: &'a Bump) -> Result<Self, Error> {
        let mut paths: HashMap<&str, Vec<&'a [Value<'a>]>> = HashMap::new();
        for attribute in &plan.relevant_attributes {
            let path = Raw::value_or_null(attribute.attribute, arena)?;
            paths.entry(&*attribute.resource).or_default().push(path.as_array().unwrap_or_default());
        }
        let inherited = |(resource, paths): (_, Vec<_>)| (resource, Paths::inherited(&paths, arena));
        Ok(Self(paths.into_iter().map(inherited).collect()))
    }

    /// The relevant paths of the object with this address. Those without an address apply to all objects.
    pub fn at(&self, address: &str) -> Paths<'a> {
        let paths = |address: &str| self.0.get(address).copied().unwrap_or(Paths::Never);
        paths("").or(paths(address))
    }
}
