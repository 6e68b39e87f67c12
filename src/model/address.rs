//! Selects resources by address: of a module, a resource, a resource instance or an action.
//!
//! Source: the resource address syntax of the tools. Invariant: addresses are compared step by step, so
//! `aws_s3_bucket.log` does not select `aws_s3_bucket.logs`.

use std::collections::BTreeSet;

use super::plan::{Plan, ResourceChange};

/// The maximum length of addresses in tips, in bytes. Comparing longer ones takes too long, and users do not
/// type them.
const MAX_TIP_LEN: usize = 256;

/// Two addresses are similar if at most one in this many characters differs.
const SIMILAR: usize = 3;

/// Selects an instance, a resource with all its instances, or a module with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressSelector {
    text: String,
    is_module: bool,
}

impl AddressSelector {
    /// The selector for an address as typed.
    pub fn new(text: &str) -> Self {
        let text = text.trim().to_owned();
        let names: Vec<&str> = Steps(&text).map(|step| step.name).collect();
        let is_module =
            names.len().is_multiple_of(2) && names.iter().step_by(2).all(|name| *name == "module");
        Self { text, is_module }
    }

    /// The address as typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether `address` is selected. A step without an instance key selects all instances.
    pub fn matches(&self, address: &str) -> bool {
        let mut theirs = Steps(address);
        let mut mine = Steps(&self.text);
        let is_begin = mine.all(|step| {
            theirs
                .next()
                .is_some_and(|other| step.name == other.name && (step.key.is_none() || step.key == other.key))
        });
        is_begin && !self.text.is_empty() && (self.is_module || theirs.next().is_none())
    }

    /// Whether a change is selected, by its address or the previous one.
    pub fn matches_change(&self, change: &ResourceChange<'_>) -> bool {
        self.matches(&change.address) || (change.is_moved() && self.matches(&change.previous_address))
    }

    /// Whether anything in a plan is selected, changed or not.
    pub fn is_in(&self, plan: &Plan<'_>) -> bool {
        let mut changes = plan.changes();
        changes.any(|change| self.matches_change(change))
            || plan.actions().any(|action| self.matches(&action.address))
    }
}

/// The address in a plan most similar to `typed`, if one is similar enough: of a module, resource, instance
/// or action.
pub fn similar_address(typed: &str, plan: &Plan<'_>) -> Option<String> {
    let typed = typed.trim();
    if typed.is_empty() || typed.len() > MAX_TIP_LEN {
        return None;
    }
    let known = known_addresses(plan);
    let distance = |known: &str| {
        if known.len().abs_diff(typed.len()) > known.len().max(typed.len()) / SIMILAR {
            return None;
        }
        // Shells remove the quotes of `["key"]`, so an address that is equal without quotes is the best
        // match.
        let distance = if known.replace('"', "") == typed { 0 } else { strsim::osa_distance(known, typed) };
        (distance <= known.len().max(typed.len()) / SIMILAR).then_some(distance)
    };
    let near = known.into_iter().filter_map(|known| distance(known).map(|distance| (distance, known)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known.to_owned())
}

/// All addresses that a selector can name: of modules, resources, instances and actions.
pub fn known_addresses<'p>(plan: &'p Plan<'_>) -> BTreeSet<&'p str> {
    let actions = plan.actions().map(|action| &*action.address);
    plan.changes().map(|change| &*change.address).chain(actions).flat_map(with_parents).collect()
}

/// The address of a resource instance. `key` is the instance key without brackets.
pub(crate) fn instance_address(
    module: &str,
    mode: &str,
    kind: &str,
    name: &str,
    key: Option<&str>,
) -> String {
    let mut address = if module.is_empty() { String::new() } else { format!("{module}.") };
    if mode != "managed" {
        address.extend([mode, "."]);
    }
    address.extend([kind, ".", name]);
    address.extend(key.into_iter().flat_map(|key| ["[", key, "]"]));
    address
}

/// The address of the block of a resource: an address without any instance keys.
pub fn block_address(address: &str) -> String {
    Steps(address).map(|step| step.name).collect::<Vec<_>>().join(".")
}

/// The address of a resource in one instance of its module: an address without its own instance key.
pub fn resource_address(address: &str) -> &str {
    let key = Steps(address).last().and_then(|step| step.key).map_or(0, str::len);
    address.get(..address.len() - key).unwrap_or(address)
}

/// The address of the module instance that has a resource; empty for the root module.
pub fn module_of(address: &str) -> &str {
    let mut steps = Steps(address);
    let mut end = 0;
    loop {
        let is_module = steps.next().is_some_and(|step| step.name == "module") && steps.next().is_some();
        if !is_module || steps.0.is_empty() {
            return address.get(..end).unwrap_or_default();
        }
        end = address.len() - steps.0.len() - 1;
    }
}

/// An address, the address of its resource, and those of the modules around it.
fn with_parents(address: &str) -> impl Iterator<Item = &str> {
    let modules = Steps(module_of(address)).count();
    let (mut steps, mut ends, mut number) = (Steps(address), Vec::new(), 0_usize);
    while let Some(step) = steps.next() {
        number += 1;
        let is_last = steps.0.is_empty();
        let end = address.len() - steps.0.len() - usize::from(!is_last);
        if is_last || (number <= modules && number.is_multiple_of(2)) {
            ends.extend(step.key.map(|key| end - key.len()));
            ends.push(end);
        }
    }
    ends.into_iter().filter_map(|end| address.get(..end))
}

/// The calls in the address of a module: `module.a["k"]`, `module.b`. The last one has what is deeper than `most`.
pub fn module_calls(module: &str, most: usize) -> Vec<&str> {
    let mut calls = Vec::new();
    let mut steps = Steps(module);
    let mut start = module;
    while calls.len() + 1 < most && steps.next().is_some() && steps.next().is_some() && !steps.0.is_empty() {
        let end = start.len() - steps.0.len() - 1;
        calls.extend(start.get(..end));
        start = steps.0;
    }
    calls.extend((!start.is_empty()).then_some(start));
    calls
}

/// The steps of an address: `module`, `a["k"]`, `aws_vpc`, `b`.
pub(crate) struct Steps<'a>(pub(crate) &'a str);

/// A name, and the instance key after it, with brackets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Step<'a> {
    pub(crate) name: &'a str,
    pub(crate) key: Option<&'a str>,
}

impl<'a> Iterator for Steps<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if self.0.is_empty() {
            return None;
        }
        let (mut key, mut quoted, mut escaped, mut end) = (None, false, false, self.0.len());
        for (at, byte) in self.0.bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'[' if !quoted && key.is_none() => key = Some(at),
                b'.' if !quoted && (key.is_none() || self.0[..at].ends_with(']')) => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        let step = &self.0[..end];
        self.0 = self.0.get(end + 1..).unwrap_or_default();
        let name_end = key.unwrap_or(step.len());
        Some(Step { name: &step[..name_end], key: key.map(|at| &step[at..]) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_selects_what_it_names_as_a_whole() {
        for (typed, address, expected) in [
            ("t.a", "t.a", true),
            ("t.a", "t.a[0]", true),
            ("t.a", r#"t.a["x.y"]"#, true),
            ("t.a", "t.ab", false),
            ("t.a[0]", "t.a[1]", false),
            ("t.a[0]", "t.a", false),
            (r#"t.a["x.y"]"#, r#"t.a["x.y"]"#, true),
            ("t", "t.a", false),
            ("data.t", "data.t.a", false),
            ("t.a", "data.t.a", false),
            ("t.a", "module.m.t.a", false),
            ("module.m", "module.m.t.a", true),
            ("module.m", r#"module.m["k"].module.n[0].t.a[1]"#, true),
            (r#"module.m["k"]"#, r#"module.m["l"].t.a"#, false),
            ("module.m.t.a", "module.m[0].t.a[1]", true),
            ("module.m", "module.mm.t.a", false),
            ("module", "module.m.t.a", false),
            ("", "t.a", false),
            (" t.a ", "t.a", true),
            (r#"t.a["\"]."]"#, r#"t.a["\"]."]"#, true),
        ] {
            assert_eq!(AddressSelector::new(typed).matches(address), expected, "{typed} {address}");
        }
    }

    #[test]
    fn an_address_has_a_module_a_resource_and_a_block() {
        for (address, module, resource, block) in [
            ("t.a", "", "t.a", "t.a"),
            ("data.t.a[0]", "", "data.t.a", "data.t.a"),
            (
                r#"module.m["x.y"].module.n.t.a["]."]"#,
                r#"module.m["x.y"].module.n"#,
                r#"module.m["x.y"].module.n.t.a"#,
                "module.m.module.n.t.a",
            ),
            ("module.m", "", "module.m", "module.m"),
            ("", "", "", ""),
            ("[0]", "", "", ""),
        ] {
            assert_eq!(
                (module_of(address), resource_address(address), &*block_address(address)),
                (module, resource, block)
            );
        }
    }

    #[test]
    fn a_module_is_called_step_by_step() {
        let module = r#"module.a["x.y"].module.b.module.c[0]"#;
        assert_eq!(module_calls("", 8), [""; 0]);
        assert_eq!(module_calls("module.a", 8), ["module.a"]);
        assert_eq!(module_calls(module, 8), [r#"module.a["x.y"]"#, "module.b", "module.c[0]"]);
        assert_eq!(module_calls(module, 2), [r#"module.a["x.y"]"#, "module.b.module.c[0]"]);
        assert_eq!(module_calls("nonsense", 8), ["nonsense"]);
    }

    #[test]
    fn the_nearest_address_is_offered() {
        let text = r#"{"resource_changes":[{"address":"module.net[0].aws_subnet.private[\"a.b\"]"},
            {"address":"aws_vpc.main"}], "resource_drift":[{"address":"aws_lb.front"}],
            "action_invocations":[{"address":"action.aws_lambda_invoke.notify"}]}"#;
        let plan: Plan<'_> = crate::json::from_str(text).unwrap();
        for (typed, expected) in [
            ("aws_vpc.mian", Some("aws_vpc.main")),
            ("aws_lb.frnt", Some("aws_lb.front")),
            ("module.nett", Some("module.net")),
            ("module.net[0].aws_subnet.private[a.b]", Some(r#"module.net[0].aws_subnet.private["a.b"]"#)),
            ("module.net[0].aws_subnet.privat", Some("module.net[0].aws_subnet.private")),
            ("action.aws_lambda_invoke.notfy", Some("action.aws_lambda_invoke.notify")),
            ("something_else.entirely", None),
            ("", None),
        ] {
            assert_eq!(similar_address(typed, &plan).as_deref(), expected, "{typed}");
        }
    }
}
