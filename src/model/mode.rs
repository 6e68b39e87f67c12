//! The mode of a resource: the kind of block that declares it.

use std::fmt;
use std::ops::Deref;

use serde::de::{Deserialize, Deserializer};
use serde::{Serialize, Serializer};

use crate::json::Str;

/// The mode of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResourceMode<'a> {
    /// `managed`, or no mode: plans written by other programs may omit it.
    #[default]
    Managed,
    /// `data`
    Data,
    /// `ephemeral`: opened during a run, never stored.
    Ephemeral,
    /// `list`: a query (Terraform 1.14 and later).
    List,
    /// Anything else, as written. Never treated as a mode whose changes the tools omit.
    Unknown(Str<'a>),
}

impl<'a> ResourceMode<'a> {
    /// The mode with this name.
    pub fn new(name: Str<'a>) -> Self {
        match &*name {
            "managed" | "" => Self::Managed,
            "data" => Self::Data,
            "ephemeral" => Self::Ephemeral,
            "list" => Self::List,
            _ => Self::Unknown(name),
        }
    }
}

/// The name of the mode in the JSON formats.
impl Deref for ResourceMode<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Managed => "managed",
            Self::Data => "data",
            Self::Ephemeral => "ephemeral",
            Self::List => "list",
            Self::Unknown(name) => name,
        }
    }
}

impl fmt::Display for ResourceMode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Serialize for ResourceMode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for ResourceMode<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Str::deserialize(deserializer).map(Self::new)
    }
}
