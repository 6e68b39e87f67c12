//! References of expressions, as in the plan's `configuration`: `aws_vpc.main.id`, `module.m["k"].out`,
//! `data.t.n[0].a`, `var.x`, `local.y`.

use crate::model::ModulePlace;

/// A resource block of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Resource {
    pub module: ModulePlace,
    pub is_data: bool,
    pub resource_type: String,
    pub name: String,
}

/// An attribute of a resource that provides a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Origin {
    pub resource: Resource,
    /// The instance key as JSON, if the reference has one.
    pub key: Option<String>,
    /// The attribute; empty for the whole object.
    pub attribute: String,
}

/// The object of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    Resource {
        is_data: bool,
        resource_type: String,
        name: String,
        key: Option<String>,
        attribute: String,
    },
    Output {
        call: String,
        output: String,
    },
    Variable(String),
    Local,
    /// `each.value`, `count.index`, `path.module` and similar.
    Other,
}

impl Reference {
    pub(super) fn parse(text: &str) -> Self {
        let steps = steps(text);
        let name = |at: usize| match steps.get(at) {
            Some(Step::Name(name)) => name.clone(),
            Some(Step::Key(_)) | None => String::new(),
        };
        match name(0).as_str() {
            "var" => Self::Variable(name(1)),
            "local" => Self::Local,
            "each" | "count" | "path" | "self" | "terraform" | "tofu" | "" => Self::Other,
            "module" => {
                let at = if matches!(steps.get(2), Some(Step::Key(_))) { 3 } else { 2 };
                Self::Output { call: name(1), output: name(at) }
            }
            first => {
                let is_data = first == "data";
                let start = usize::from(is_data || first == "resource");
                let (key, at) = match steps.get(start + 2) {
                    Some(Step::Key(key)) => (Some(key.clone()), start + 3),
                    Some(Step::Name(_)) | None => (None, start + 2),
                };
                Self::Resource {
                    is_data,
                    resource_type: name(start),
                    name: name(start + 1),
                    key,
                    attribute: name(at),
                }
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    /// An instance key as written: a number or a quoted string.
    Key(String),
}

/// The steps of a reference. Quoted keys may contain dots and brackets.
fn steps(text: &str) -> Vec<Step> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let end = end_of_key(inside);
            found.push(Step::Key(inside.get(..end).unwrap_or(inside).to_owned()));
            rest = inside.get(end + 1..).unwrap_or_default();
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name.find(['.', '[']).unwrap_or(name.len());
            found.push(Step::Name(name[..end].to_owned()));
            rest = &name[end..];
        }
    }
    found
}

fn end_of_key(text: &str) -> usize {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ']' if !quoted => return at,
            _ => {}
        }
    }
    text.len()
}

/// Whether the module instances `one` and `other` may refer to each other: where both paths go through the
/// same module call, they have the same key.
pub(super) fn are_compatible(one: &str, other: &str) -> bool {
    let (one, other) = (steps(one), steps(other));
    let (mut a, mut b) = (one.iter().peekable(), other.iter().peekable());
    while let (Some(x), Some(y)) = (a.next(), b.next()) {
        if x == y {
            continue;
        }
        // Instances of different calls are unrelated, so their keys need not agree.
        return !matches!((x, y), (Step::Key(_), Step::Key(_)));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(
        is_data: bool,
        resource_type: &str,
        name: &str,
        key: Option<&str>,
        attribute: &str,
    ) -> Reference {
        let [resource_type, name, attribute] = [resource_type, name, attribute].map(str::to_owned);
        Reference::Resource { is_data, resource_type, name, key: key.map(str::to_owned), attribute }
    }

    #[test]
    fn references_are_read_as_the_configuration_writes_them() {
        for (text, expected) in [
            ("aws_vpc.main.id", resource(false, "aws_vpc", "main", None, "id")),
            ("aws_vpc.main", resource(false, "aws_vpc", "main", None, "")),
            (r#"data.t.n["a.b]"].x.y"#, resource(true, "t", "n", Some(r#""a.b]""#), "x")),
            ("aws_subnet.a[0].id", resource(false, "aws_subnet", "a", Some("0"), "id")),
            ("var.cidr.x", Reference::Variable("cidr".to_owned())),
            ("local.names", Reference::Local),
            ("each.value.x", Reference::Other),
            ("module.m.out.id", Reference::Output { call: "m".to_owned(), output: "out".to_owned() }),
            (r#"module.m["k"].out"#, Reference::Output { call: "m".to_owned(), output: "out".to_owned() }),
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
