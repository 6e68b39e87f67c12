//! References of expressions, as in the plan's `configuration`: `aws_vpc.main.id`, `module.m["k"].out`,
//! `data.t.n[0].a`, `var.x`, `local.y`.

use crate::model::ModulePlace;
use crate::model::address::{Step, Steps};

/// A resource block of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Resource<'t> {
    pub module: ModulePlace,
    pub mode: &'t str,
    pub resource_type: &'t str,
    pub name: &'t str,
}

/// An attribute of a resource that provides a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin<'t> {
    pub resource: Resource<'t>,
    /// The instance key as JSON, if the reference has one.
    pub key: Option<&'t str>,
    /// The attribute; empty for the whole object.
    pub attribute: &'t str,
}

/// The object of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference<'t> {
    Resource {
        is_data: bool,
        resource_type: &'t str,
        name: &'t str,
        key: Option<&'t str>,
        attribute: &'t str,
    },
    Output {
        call: &'t str,
        output: &'t str,
    },
    Variable(&'t str),
    Local,
    /// `each.value`, `count.index`, `path.module` and similar.
    Other,
}

impl<'t> Reference<'t> {
    pub(super) fn parse(text: &'t str) -> Self {
        let steps: Vec<Step<'t>> = Steps(text).take(5).collect();
        let name = |at: usize| steps.get(at).map_or("", |step| step.name);
        match name(0) {
            "var" => Self::Variable(name(1)),
            "local" => Self::Local,
            "each" | "count" | "path" | "self" | "terraform" | "tofu" | "" => Self::Other,
            "module" => Self::Output { call: name(1), output: name(2) },
            first => {
                let is_data = first == "data";
                let start = usize::from(is_data || first == "resource");
                let key = steps.get(start + 1).and_then(|step| step.key);
                Self::Resource {
                    is_data,
                    resource_type: name(start),
                    name: name(start + 1),
                    key: key.and_then(|key| key.strip_prefix('[')?.strip_suffix(']')),
                    attribute: name(start + 2),
                }
            }
        }
    }
}

/// Whether the module instances `one` and `other` may refer to each other: where both paths go through the
/// same module call, they have the same key.
pub(super) fn are_compatible(one: &str, other: &str) -> bool {
    let differing = Steps(one).zip(Steps(other)).find(|(one, other)| one != other);
    // Instances of different calls are unrelated, so their keys need not agree.
    differing.is_none_or(|(one, other)| one.name != other.name || one.key.is_none() || other.key.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource<'t>(
        is_data: bool,
        resource_type: &'t str,
        name: &'t str,
        key: Option<&'t str>,
        attribute: &'t str,
    ) -> Reference<'t> {
        Reference::Resource { is_data, resource_type, name, key, attribute }
    }

    #[test]
    fn references_are_read_as_the_configuration_writes_them() {
        for (text, expected) in [
            ("aws_vpc.main.id", resource(false, "aws_vpc", "main", None, "id")),
            ("aws_vpc.main", resource(false, "aws_vpc", "main", None, "")),
            (r#"data.t.n["a.b]"].x.y"#, resource(true, "t", "n", Some(r#""a.b]""#), "x")),
            ("aws_subnet.a[0].id", resource(false, "aws_subnet", "a", Some("0"), "id")),
            ("var.cidr.x", Reference::Variable("cidr")),
            ("local.names", Reference::Local),
            ("each.value.x", Reference::Other),
            ("module.m.out.id", Reference::Output { call: "m", output: "out" }),
            (r#"module.m["k"].out"#, Reference::Output { call: "m", output: "out" }),
            ("", Reference::Other),
            ("[", Reference::Other),
        ] {
            assert_eq!(Reference::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn instances_of_one_module_do_not_refer_to_each_other() {
        for (one, other, expected) in [
            ("", "module.a[0]", true),
            ("module.a[0]", "module.a[0].module.b", true),
            ("module.a[0]", "module.a[1]", false),
            ("module.a[0]", "module.b[1]", true),
            (r#"module.a["x"].module.c"#, r#"module.a["y"].module.d"#, false),
        ] {
            assert_eq!(are_compatible(one, other), expected, "{one} {other}");
        }
    }
}
