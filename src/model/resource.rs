//! Completes resource changes with missing members, from documents reduced by scripts, written by hand,
//! or written by old or development releases. Missing parts of the name are derived from the others, so
//! that nothing is shown without a name.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor, value::MapAccessDeserializer};

use super::address::{Steps, instance_address};
use super::plan::{Importing, ResourceChange};
use crate::json::{Raw, Str};

/// Deserializes a list of changes and completes each.
pub(super) fn changes<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<ResourceChange<'a>>, D::Error> {
    let mut changes = Vec::<ResourceChange<'a>>::deserialize(deserializer)?;
    changes.iter_mut().for_each(complete);
    Ok(changes)
}

/// Deserializes a change and completes it.
pub(super) fn change<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<ResourceChange<'a>, D::Error> {
    let mut change = ResourceChange::deserialize(deserializer)?;
    complete(&mut change);
    Ok(change)
}

fn complete(change: &mut ResourceChange<'_>) {
    if change.address.is_empty() {
        // Terraform before 1.1 wrote no address for drift.
        let key = change.index.map(Raw::text);
        let (module, kind) = (&change.module_address, &change.resource_type);
        change.address = Str::from(instance_address(module, &change.mode, kind, &change.name, key));
    } else if change.resource_type.is_empty() || change.name.is_empty() {
        let address = change.address.to_string();
        if let Some((kind, name)) = type_and_name(&address) {
            change.resource_type = Str::from(kind.to_owned());
            change.name = Str::from(name.to_owned());
        }
    }
}

/// The type and name that an address ends with, before its instance key.
fn type_and_name(address: &str) -> Option<(&str, &str)> {
    let names: Vec<&str> = Steps(address).map(|step| step.name).collect();
    let [.., kind, name] = names[..] else { return None };
    (!kind.is_empty() && !name.is_empty()).then_some((kind, name))
}

/// Deserializes a deposed key. Development builds of 2022 wrote `true` for a deposed object, without its
/// key.
pub(super) fn deposed<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Str<'a>, D::Error> {
    struct Key;
    impl<'de> Visitor<'de> for Key {
        type Value = Str<'de>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }
        fn visit_bool<E: Error>(self, deposed: bool) -> Result<Str<'de>, E> {
            Ok(Str::from(if deposed { "of unknown key" } else { "" }))
        }
        fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Str<'de>, E> {
            Ok(Str::from(text))
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<Str<'de>, E> {
            Ok(Str::from(text.to_owned()))
        }
    }
    deserializer.deserialize_any(Key)
}

/// Deserializes where an object is imported from. Development builds of 2022 wrote `true`.
pub(super) fn importing<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Importing<'a>>, D::Error> {
    struct From;
    impl<'de> Visitor<'de> for From {
        type Value = Option<Importing<'de>>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_bool<E: Error>(self, importing: bool) -> Result<Self::Value, E> {
            Ok(importing.then(Importing::default))
        }
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            Importing::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }
    deserializer.deserialize_any(From)
}

#[cfg(test)]
mod tests {
    use crate::model::plan::Plan;

    fn changed(change: &str) -> (String, String, String) {
        let text = format!(r#"{{"resource_changes":[{change}],"resource_drift":[{change}]}}"#);
        let plan: Plan<'_> = crate::json::from_str(&text).unwrap();
        let [change, drift] = [&plan.resource_changes[0], &plan.resource_drift[0]];
        assert_eq!(change.address, drift.address);
        (change.address.to_string(), change.resource_type.to_string(), change.name.to_string())
    }

    #[test]
    fn what_a_change_does_not_say_is_built_from_its_parts() {
        for (change, address, kind, name) in [
            (r#"{"type":"t_a","name":"n"}"#, "t_a.n", "t_a", "n"),
            (r#"{"type":"t_a","name":"n","index":3}"#, "t_a.n[3]", "t_a", "n"),
            (
                r#"{"type":"t_a","name":"n","index":"k.x","module_address":"module.m"}"#,
                r#"module.m.t_a.n["k.x"]"#,
                "t_a",
                "n",
            ),
            (r#"{"type":"t_a","name":"n","mode":"data"}"#, "data.t_a.n", "t_a", "n"),
            (r#"{"type":"t_a","name":"n","mode":"odd"}"#, "odd.t_a.n", "t_a", "n"),
            (r#"{"address":"t_a.n"}"#, "t_a.n", "t_a", "n"),
            (
                r#"{"address":"module.m[\"a.b\"].data.t_a.n[\"x.[y\"]"}"#,
                r#"module.m["a.b"].data.t_a.n["x.[y"]"#,
                "t_a",
                "n",
            ),
            (r#"{"address":"module.m[\"a.b\"].t_a.n"}"#, r#"module.m["a.b"].t_a.n"#, "t_a", "n"),
            (r#"{"address":"n"}"#, "n", "", ""),
        ] {
            let found = changed(change);
            assert_eq!((&*found.0, &*found.1, &*found.2), (address, kind, name), "{change}");
        }
    }

    #[test]
    fn flags_where_the_format_has_a_key_or_an_object_are_read() {
        for (flag, deposed, imported) in
            [("true", "of unknown key", true), ("false", "", false), ("null", "", false)]
        {
            let text = format!(
                r#"{{"resource_changes":[{{"deposed":{flag},"change":{{"actions":["delete"],"importing":{flag}}}}}]}}"#
            );
            let plan: Plan<'_> = crate::json::from_str(&text).unwrap();
            let change = &plan.resource_changes[0];
            assert_eq!((&*change.deposed, change.is_imported()), (deposed, imported), "{flag}");
        }
        let text = r#"{"resource_changes":[{"deposed":"ab\u0063","change":{"importing":{"id":"i"}}}]}"#;
        let plan: Plan<'_> = crate::json::from_str(text).unwrap();
        let change = &plan.resource_changes[0];
        assert_eq!(&*change.deposed, "abc");
        assert_eq!(change.change.importing.as_ref().map(|importing| &*importing.id), Some("i"));
    }
}
