//! Actions: what a plan does to a resource instance or an output.

use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

use crate::json::Str;

/// The action of a change, as encoded by its `actions` list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `["no-op"]`
    NoOp,
    /// `["create"]`
    Create,
    /// `["read"]`
    Read,
    /// `["update"]`
    Update,
    /// `["delete"]`
    Delete,
    /// `["delete","create"]`
    DeleteThenCreate,
    /// `["create","delete"]`
    CreateThenDelete,
    /// `["forget"]`
    Forget,
    /// `["forget","create"]` (OpenTofu)
    ForgetThenCreate,
    /// `["create","forget"]` (Terraform)
    CreateThenForget,
    /// `["open"]` (ephemeral resources)
    Open,
    /// Any other list: its words joined by commas. Empty if there is no list.
    Unknown(String),
}

/// A change without a list of actions may do anything, so gates must not take it for a no-op.
impl Default for Action {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl Action {
    /// The action that an `actions` list encodes.
    pub fn from_words(words: &[Str<'_>]) -> Self {
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        match words[..] {
            ["no-op"] => Self::NoOp,
            ["create"] => Self::Create,
            ["read"] => Self::Read,
            ["update"] => Self::Update,
            ["delete"] => Self::Delete,
            ["delete", "create"] => Self::DeleteThenCreate,
            ["create", "delete"] => Self::CreateThenDelete,
            ["forget"] => Self::Forget,
            ["forget", "create"] => Self::ForgetThenCreate,
            ["create", "forget"] => Self::CreateThenForget,
            ["open"] => Self::Open,
            _ => Self::Unknown(words.join(",")),
        }
    }

    /// The words of the `actions` list, joined by commas.
    pub fn words(&self) -> &str {
        match self {
            Self::NoOp => "no-op",
            Self::Create => "create",
            Self::Read => "read",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::DeleteThenCreate => "delete,create",
            Self::CreateThenDelete => "create,delete",
            Self::Forget => "forget",
            Self::ForgetThenCreate => "forget,create",
            Self::CreateThenForget => "create,forget",
            Self::Open => "open",
            Self::Unknown(words) => words,
        }
    }

    /// The action that gates, counts, facts and classes use. An unknown action list counts as the gravest
    /// action that it may stand for: only a list of words of which none destroys is less than a destroy.
    pub fn worst_case(&self) -> &Self {
        match self {
            Self::Unknown(words) => worst_of(words),
            Self::Open => &Self::Update,
            Self::NoOp
            | Self::Create
            | Self::Read
            | Self::Update
            | Self::Delete
            | Self::DeleteThenCreate
            | Self::CreateThenDelete
            | Self::Forget
            | Self::ForgetThenCreate
            | Self::CreateThenForget => self,
        }
    }

    /// Whether the remote object is destroyed and a new one created.
    pub fn is_replace(&self) -> bool {
        matches!(self, Self::DeleteThenCreate | Self::CreateThenDelete)
    }
}

/// The gravest action that a list of these words, joined by commas, may stand for. Their case is ignored.
fn worst_of(words: &str) -> &'static Action {
    let mut worst = &Action::Update;
    for word in words.split(',') {
        let is = |known: &str| word.trim().eq_ignore_ascii_case(known);
        if is("forget") {
            worst = &Action::Forget;
        } else if !["no-op", "create", "read", "update", "open"].into_iter().any(is) {
            // `delete` in an unknown list, and words that no tool writes so far: `destroy`, `purge`, or none.
            return &Action::Delete;
        }
    }
    worst
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.words().split(','))
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = Action;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of actions")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Action, A::Error> {
                let mut words: Vec<Str<'de>> = Vec::new();
                while let Some(word) = seq.next_element()? {
                    words.push(word);
                }
                Ok(Action::from_words(&words))
            }
        }
        deserializer.deserialize_seq(Words)
    }
}
