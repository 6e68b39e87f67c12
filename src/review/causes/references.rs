//! The graph of references between resources, read from the configuration of a plan.
//!
//! Resources are named without instance keys, because all instances share a block. A reference through a variable, an
//! output or a module counts as one to the resource that the value comes from.
//!
//! ```text
//! resource "aws_subnet" "a" { vpc_id = aws_vpc.main.id }
//!
//! uses(aws_subnet.a) -> [vpc_id: aws_vpc.main]      used_by(aws_vpc.main) -> [vpc_id: aws_subnet.a]
//! ```

use std::collections::BTreeMap;

use bumpalo::Bump;

use super::trace::{self, Resource};
use crate::model::address::block_address;
use crate::model::plan::Plan;

/// A reference to or from a resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The index of the resource at the other end.
    pub resource: usize,
    /// The attribute that has the reference; empty if it is not known.
    pub attribute: String,
}

/// The resources of a configuration or a state, and the references between them.
///
/// ```
/// use tfview::internals::review::references::References;
///
/// let edges = [("aws_subnet.a", "vpc_id", "aws_vpc.main")];
/// let edges = edges.map(|(from, attribute, to)| (from.to_owned(), attribute.to_owned(), to.to_owned()));
/// let references = References::new(edges);
/// let vpc = references.find("aws_vpc.main").unwrap();
/// let user = &references.used_by(vpc)[0];
/// assert_eq!(references.address(user.resource), "aws_subnet.a");
/// assert_eq!(user.attribute, "vpc_id");
/// ```
#[derive(Clone, Debug, Default)]
pub struct References {
    /// The addresses of the resources without instance keys, in order of appearance. All other fields use indices in
    /// this list.
    addresses: Vec<String>,
    /// The index of each address.
    by_address: BTreeMap<String, usize>,
    /// The references of each resource to others.
    uses: Vec<Vec<Reference>>,
    /// The references of others to each resource.
    used_by: Vec<Vec<Reference>>,
}

impl References {
    /// Creates the graph of edges, each of which is the address of a resource, its attribute, and the address that the
    /// attribute refers to.
    pub fn new(edges: impl IntoIterator<Item = (String, String, String)>) -> Self {
        let mut references = Self::default();
        for (from, attribute, to) in edges {
            if from == to {
                continue;
            }
            let (from, to) = (references.add(from), references.add(to));
            let mut push = |of: fn(&mut Self) -> &mut Vec<Vec<Reference>>, index: usize, other| {
                if let Some(list) = of(&mut references).get_mut(index) {
                    list.push(Reference {
                        resource: other,
                        attribute: attribute.clone(),
                    });
                }
            };
            push(|all| &mut all.uses, from, to);
            push(|all| &mut all.used_by, to, from);
        }
        let lists = references.uses.iter_mut().chain(&mut references.used_by);
        for list in lists {
            list.sort_unstable();
            list.dedup();
        }
        references
    }

    /// Reads the references in the configuration of a plan. There are none if the plan has no configuration, or one
    /// that cannot be read.
    pub fn of_plan(plan: &Plan<'_>) -> Self {
        let arena = Bump::new();
        let configuration = plan.configuration();
        let name = |Resource {
                        module,
                        mode,
                        resource_type,
                        name,
                    }: Resource<'_>| {
            let mode = if mode == "managed" { "" } else { mode };
            let module = configuration.address(module);
            let steps = [&*module, mode, resource_type, name];
            let steps = steps.into_iter().filter(|step| !step.is_empty());
            steps.collect::<Vec<_>>().join(".")
        };
        let mut edges = Vec::new();
        for (module, mode, resource_type, resource_name) in configuration.resources() {
            let resource = Resource {
                module,
                mode,
                resource_type,
                name: resource_name,
            };
            let from = name(resource);
            for (attribute, origins) in trace::given(&configuration, resource, &arena) {
                for origin in origins.resources {
                    edges.push((from.clone(), (*attribute).to_owned(), name(origin.resource)));
                }
            }
        }
        edges.sort_unstable();
        Self::new(edges)
    }

    /// Returns the index of an address, which is added if it is new.
    fn add(&mut self, address: String) -> usize {
        if let Some(known) = self.by_address.get(&address) {
            return *known;
        }
        let index = self.addresses.len();
        self.addresses.push(address.clone());
        self.by_address.insert(address, index);
        self.uses.push(Vec::new());
        self.used_by.push(Vec::new());
        index
    }

    /// Whether no resources are known.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// Returns the index of the resource that an instance with this address belongs to.
    pub fn find(&self, address: &str) -> Option<usize> {
        self.by_address.get(&block_address(address)).copied()
    }

    /// Returns the address of a resource, without instance keys.
    pub fn address(&self, resource: usize) -> &str {
        self.addresses.get(resource).map_or("", String::as_str)
    }

    /// Returns the references of a resource to others.
    pub fn uses(&self, resource: usize) -> &[Reference] {
        self.uses.get(resource).map_or(&[], Vec::as_slice)
    }

    /// Returns the references of others to a resource.
    pub fn used_by(&self, resource: usize) -> &[Reference] {
        self.used_by.get(resource).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of resources that depend on one, directly or through others. Linear in the number of
    /// references.
    pub fn dependents(&self, resource: usize) -> usize {
        let mut is_known = vec![false; self.addresses.len()];
        let mut waiting = vec![resource];
        let mut number = 0;
        while let Some(index) = waiting.pop() {
            for Reference { resource: user, .. } in self.used_by(index) {
                if *user != resource
                    && let Some(known) = is_known.get_mut(*user)
                    && !std::mem::replace(known, true)
                {
                    number += 1;
                    waiting.push(*user);
                }
            }
        }
        number
    }
}
