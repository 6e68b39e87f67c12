//! A faster `Deserialize` for the models that occur in every message.

/// Implements `Deserialize` by assigning each member directly to its field. Of equal members the last
/// one wins, as in Go.
///
/// The code that serde derives collects every field in an `Option` first and takes twice as long.
macro_rules! members_of {
    ($model:ident { $($name:literal => $field:ident),+ $(,)? }) => {
        impl<'de: 'a, 'a> serde::Deserialize<'de> for $model<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members;
                impl<'de> serde::de::Visitor<'de> for Members {
                    type Value = $model<'de>;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                        let mut model = $model::default();
                        while let Some(name) = map.next_key::<$crate::json::Str<'de>>()? {
                            match &*name {
                                $($name => model.$field = map.next_value()?,)+
                                _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
                            }
                        }
                        Ok(model)
                    }
                }
                deserializer.deserialize_struct(stringify!($model), &[$($name),+], Members)
            }
        }
    };
}
