//! A faster `Deserialize` for the models that occur in every message.

/// Defines a model, with the name of the member that each field is read from. Its `Deserialize` assigns each member
/// directly to its field. A member that occurs twice is an error, and `null` counts as absent.
///
/// The code that serde derives collects every field in an `Option` first and takes twice as long.
macro_rules! model {
    ($(#[$about:meta])* pub struct $model:ident<'a> {
        $($(#[$field_about:meta])* $name:literal => pub $field:ident: $type:ty,)+
    }) => {
        $(#[$about])*
        #[derive(Debug, Default)]
        pub struct $model<'a> {
            $($(#[$field_about])* pub $field: $type,)+
        }

        impl<'de: 'a, 'a> serde::Deserialize<'de> for $model<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let mut model = Self::default();
                Self::deserialize_in_place(deserializer, &mut model)?;
                Ok(model)
            }

            fn deserialize_in_place<D: serde::Deserializer<'de>>(
                deserializer: D,
                place: &mut Self,
            ) -> Result<(), D::Error> {
                struct Members<'m, 'a>(&'m mut $model<'a>);
                impl<'de: 'a, 'a> serde::de::Visitor<'de> for Members<'_, 'a> {
                    type Value = ();
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
                        #[allow(non_camel_case_types, reason = "the names of fields")]
                        enum At { $($field),+ }
                        let Self(model) = self;
                        let mut seen = 0_u64;
                        while let Some(name) = map.next_key::<$crate::json::Str<'de>>()? {
                            match &*name {
                                $($name => {
                                    let bit = 1_u64 << At::$field as u32;
                                    if seen & bit != 0 {
                                        return Err(serde::de::Error::duplicate_field($name));
                                    }
                                    seen |= bit;
                                    // The names are known here, so the reader need not look for them.
                                    model.$field = map.next_value::<Option<_>>()?.unwrap_or_default();
                                })+
                                _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
                            }
                        }
                        Ok(())
                    }
                }
                deserializer.deserialize_map(Members(place))
            }
        }
    };
}
