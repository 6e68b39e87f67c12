//! A plan's `configuration`, by resource: the expressions that each was written with.
//!
//! Source: the JSON output format. Modules are walked once, by calls: what is written in a module is
//! the same for all of its instances.

use foldhash::HashMap;
use serde::{Deserialize, Deserializer};

use crate::json::{Pairs, Raw, Str};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Document<'s> {
    #[serde(borrow)]
    root_module: Module<'s>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Module<'s> {
    #[serde(borrow)]
    resources: Vec<Resource<'s>>,
    #[serde(borrow)]
    module_calls: Pairs<'s, Call<'s>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Call<'s> {
    #[serde(borrow)]
    module: Option<Box<Module<'s>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Resource<'s> {
    #[serde(borrow)]
    mode: Str<'s>,
    #[serde(borrow, rename = "type")]
    kind: Str<'s>,
    #[serde(borrow)]
    name: Str<'s>,
    #[serde(borrow)]
    expressions: Option<Raw<'s>>,
}

/// The expressions of all resources.
#[derive(Debug, Default)]
pub struct Configuration<'s> {
    types: HashMap<Type<'s>, Vec<Raw<'s>>>,
    resources: HashMap<Place<'s>, Raw<'s>>,
}

/// Mode and resource type.
type Type<'s> = (Str<'s>, Str<'s>);

/// What tells a resource from all others.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Place<'s> {
    kind: Type<'s>,
    /// The calls that lead to the module, joined by dots.
    module: Str<'s>,
    name: Str<'s>,
}

impl<'de: 's, 's> Deserialize<'de> for Configuration<'s> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        let mut found = Self::default();
        found.walk(document.root_module, &Str::default());
        Ok(found)
    }
}

impl<'s> Configuration<'s> {
    fn walk(&mut self, module: Module<'s>, path: &Str<'s>) {
        for Resource { mode, kind, name, expressions } in module.resources {
            let Some(expressions) = expressions else { continue };
            let kind = (mode, kind);
            self.types.entry(kind.clone()).or_default().push(expressions);
            let place = Place { kind, module: path.clone(), name };
            self.resources.entry(place).or_insert(expressions);
        }
        for (name, call) in module.module_calls.into_pairs() {
            if let Some(module) = call.module {
                let path = if path.is_empty() { name } else { Str(format!("{path}.{name}").into()) };
                self.walk(*module, &path);
            }
        }
    }

    /// The expressions of all resources of a type.
    pub fn of_type<'c>(&'c self, mode: &'c str, kind: &'c str) -> &'c [Raw<'s>] {
        let types: &HashMap<Type<'_>, _> = &self.types;
        types.get(&(mode.into(), kind.into())).map_or(&[], Vec::as_slice)
    }

    /// The expressions of the resource at a module's address.
    pub fn of_resource(&self, mode: &str, kind: &str, module_address: &str, name: &str) -> Option<Raw<'s>> {
        let module = Str(calls(module_address).into());
        let place = Place { kind: (mode.into(), kind.into()), module, name: name.into() };
        let resources: &HashMap<Place<'_>, _> = &self.resources;
        resources.get(&place).copied()
    }
}

/// The calls of a module's address, without instance keys: `module.a["x.y"].module.b[0]` is `a.b`.
fn calls(address: &str) -> String {
    let mut plain = String::with_capacity(address.len());
    let (mut in_key, mut quoted, mut escaped) = (false, false, false);
    for c in address.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if in_key => quoted = !quoted,
            '[' if !quoted => in_key = true,
            ']' if !quoted => in_key = false,
            c if !in_key => plain.push(c),
            _ => {}
        }
    }
    let names: Vec<&str> = plain.split('.').skip(1).step_by(2).collect();
    names.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instance_keys_are_no_part_of_a_call() {
        assert_eq!(calls(""), "");
        assert_eq!(calls("module.a"), "a");
        assert_eq!(calls(r#"module.a["x.y]\"."].module.b[0]"#), "a.b");
    }

    #[test]
    fn resources_are_found_by_type_and_by_place() {
        let text = r#"{"root_module": {
            "resources": [{"mode": "managed", "type": "t", "name": "x", "expressions": 1},
                          {"mode": "data", "type": "t", "name": "x", "expressions": 2}],
            "module_calls": {"a": {"module": {
                "resources": [{"mode": "managed", "type": "t", "name": "x", "expressions": 3}],
                "module_calls": {"b": {"module": {
                    "resources": [{"mode": "managed", "type": "t", "name": "x", "expressions": 4},
                                  {"mode": "managed", "type": "t", "name": "none"}]}}}}}}}}"#;
        let found: Configuration<'_> = crate::json::from_str(text).unwrap();
        let texts = |raws: &[Raw<'_>]| raws.iter().map(|raw| raw.text().to_owned()).collect::<Vec<_>>();
        assert_eq!(texts(found.of_type("managed", "t")), ["1", "3", "4"]);
        assert_eq!(texts(found.of_type("data", "t")), ["2"]);
        assert_eq!(found.of_type("managed", "other"), []);
        let place = |module, name| found.of_resource("managed", "t", module, name).map(Raw::text);
        assert_eq!(place("", "x"), Some("1"));
        assert_eq!(place("module.a[0]", "x"), Some("3"));
        assert_eq!(place(r#"module.a["k"].module.b"#, "x"), Some("4"));
        assert_eq!((place("module.b", "x"), place("module.a.module.b", "none")), (None, None));
    }

    #[test]
    fn what_is_no_configuration_is_not_read() {
        for text in ["1", "[]", r#"{"root_module": 1}"#, r#"{"root_module": {"resources": [{"mode": 1}]}}"#] {
            assert!(crate::json::from_str::<Configuration<'_>>(text).is_err(), "{text}");
        }
    }
}
