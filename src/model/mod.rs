//! The models of the documents (plan, state, messages, diagnostics), and the enumerations in them.
//!
//! A single `#[serde(borrow)]` in a struct lets all of its fields borrow from the input. Plans and states also derive
//! `Serialize`: `saved` creates them from saved plans and raw states, and writes them with absent members as null or
//! empty.

pub mod address;
pub mod configuration;
pub mod diagnostic;
pub mod message;
pub mod plan;
pub mod selection;
pub mod state;
pub mod variables;

use std::borrow::Cow;
use std::ops::Deref;

use serde::de::{Deserialize, Deserializer};
use serde::{Serialize, Serializer};
use strum::IntoStaticStr;

use crate::json::Str;
pub use configuration::{Configuration, ModuleId};
use plan::{Plan, PriorState};
use state::Module;

/// The action on an object, as a plan's list of action words means it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Nothing is done.
    NoOp,
    /// A new object is created.
    Create,
    /// A data source is read during the apply.
    Read,
    /// The object is changed in place.
    Update,
    /// The object is destroyed.
    Delete,
    /// The object is destroyed, and then a new one is created.
    DeleteThenCreate,
    /// A new object is created before the old one is destroyed.
    CreateThenDelete,
    /// The object is removed from the state and not destroyed.
    Forget,
    /// The object is removed from the state, and a new one is created. Only OpenTofu plans this.
    ForgetThenCreate,
    /// A new object is created, and the old one is removed from the state. Only Terraform plans this.
    CreateThenForget,
    /// An ephemeral resource is opened during the run.
    Open,
    /// Any other list of words, joined by commas. It is empty if there is no list.
    Unknown(String),
}

/// A change without a list of actions may do anything, so gates must not treat it as a no-op.
impl Default for Action {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl Action {
    /// All known actions, with their words joined by commas.
    const KNOWN: [(Self, &'static str); 11] = [
        (Self::NoOp, "no-op"),
        (Self::Create, "create"),
        (Self::Read, "read"),
        (Self::Update, "update"),
        (Self::Delete, "delete"),
        (Self::DeleteThenCreate, "delete,create"),
        (Self::CreateThenDelete, "create,delete"),
        (Self::Forget, "forget"),
        (Self::ForgetThenCreate, "forget,create"),
        (Self::CreateThenForget, "create,forget"),
        (Self::Open, "open"),
    ];

    /// Returns the action of a list of words.
    pub fn from_words(words: &[&str]) -> Self {
        let mut known = Self::KNOWN.into_iter();
        let is_it = |(_, known): &(Self, &str)| known.split(',').eq(words.iter().copied());
        known
            .find(is_it)
            .map_or_else(|| Self::Unknown(words.join(",")), |(action, _)| action)
    }

    /// Returns the words of the action, joined by commas.
    pub fn words(&self) -> &str {
        if let Self::Unknown(words) = self {
            return words;
        }
        Self::KNOWN
            .iter()
            .find(|(known, _)| known == self)
            .map_or("", |(_, words)| words)
    }

    /// Returns the action in the words of the tools' legend. A list of words that the tools do not plan, such as the
    /// actions of a run, is written as steps: `create, then update in-place`.
    pub fn in_words(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            Self::NoOp => "nothing",
            Self::Create => "create",
            Self::Read => "read",
            Self::Update => "update in-place",
            Self::Delete => "destroy",
            Self::DeleteThenCreate => "destroy and then create replacement",
            Self::CreateThenDelete => "create replacement and then destroy",
            Self::Forget => "forget",
            Self::ForgetThenCreate => "forget and then create replacement",
            Self::CreateThenForget => "create replacement and then forget",
            Self::Open => "open",
            Self::Unknown(words) => {
                let in_words = |word: &str| {
                    let known = Self::KNOWN.iter().find(|(_, known)| *known == word);
                    known.map_or_else(
                        || word.to_owned(),
                        |(action, _)| action.in_words().into_owned(),
                    )
                };
                let steps = words.split(',').map(in_words);
                return Cow::Owned(steps.collect::<Vec<_>>().join(", then "));
            }
        })
    }

    /// Returns the action itself, or the gravest action that an unknown one may mean: a destroy, unless all of its
    /// words are known not to destroy.
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

    /// Whether the object is destroyed and another one is created instead.
    pub fn is_replace(&self) -> bool {
        matches!(self, Self::DeleteThenCreate | Self::CreateThenDelete)
    }

    /// Whether the action creates or reads a whole object, so that every value after it is a result of the action. An
    /// unknown action may do so.
    pub fn makes_whole_object(&self) -> bool {
        match self {
            Self::Create
            | Self::Read
            | Self::Open
            | Self::DeleteThenCreate
            | Self::CreateThenDelete
            | Self::ForgetThenCreate
            | Self::CreateThenForget
            | Self::Unknown(_) => true,
            Self::NoOp | Self::Update | Self::Delete | Self::Forget => false,
        }
    }

    /// Whether the action destroys the object before it. An unknown action may do so.
    pub fn may_destroy(&self) -> bool {
        match self {
            Self::Delete | Self::DeleteThenCreate | Self::CreateThenDelete | Self::Unknown(_) => {
                true
            }
            Self::NoOp
            | Self::Create
            | Self::Read
            | Self::Open
            | Self::Update
            | Self::Forget
            | Self::ForgetThenCreate
            | Self::CreateThenForget => false,
        }
    }

    /// Whether the object is kept, so that only the changed values are a result of the action.
    pub fn keeps_object(&self) -> bool {
        matches!(self, Self::Update | Self::NoOp)
    }
}

/// Returns the gravest action that an unknown list of words may mean. The words are joined by commas, and their case is
/// ignored.
fn worst_of(words: &str) -> &'static Action {
    let mut worst = &Action::Update;
    for word in words.split(',') {
        let is = |known: &str| word.trim().eq_ignore_ascii_case(known);
        if is("forget") {
            worst = &Action::Forget;
        } else if !["no-op", "create", "read", "update", "open"]
            .into_iter()
            .any(is)
        {
            // This is `delete` in an unknown list, or a word that no tool has written so far: `destroy`, `purge`, or
            // none.
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
        let words = Vec::<Str<'de>>::deserialize(deserializer)?;
        Ok(Self::from_words(
            &words.iter().map(|word| &**word).collect::<Vec<_>>(),
        ))
    }
}

/// The kind of a resource, as plans and states name it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResourceMode<'a> {
    /// A managed resource. This is also the default, because plans of other programs may lack the mode.
    #[default]
    Managed,
    /// A data source.
    Data,
    /// An ephemeral resource, which is opened during a run and never stored.
    Ephemeral,
    /// A list block of a query (Terraform 1.14 and later).
    List,
    /// Another mode, as it is written. It is never treated as a mode whose changes the tools do not list.
    Unknown(Str<'a>),
}

impl<'a> ResourceMode<'a> {
    /// Reads the name in the JSON formats.
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

/// Dereferences to the name in the JSON formats.
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

/// The mode in which a plan was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, IntoStaticStr, Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum PlanMode {
    /// The mode without the options below.
    #[default]
    Normal,
    /// The mode of `-destroy`.
    Destroy,
    /// The mode of `-refresh-only`: the plan only records changes that were made outside of the tool.
    RefreshOnly,
}

impl PlanMode {
    /// Returns the mode of a plan: the one in a saved plan, or the one that follows from the document.
    ///
    /// A normal plan lists every object, including unchanged ones. A plan that lists none was therefore made with
    /// `-refresh-only`, if there are any objects in the drift or in the state. The exception is a plan for a target
    /// that does not exist, which lacks the outputs, too.
    pub fn of(plan: &Plan<'_>) -> Self {
        if let Some(saved) = &plan.saved_plan {
            let mut modes = [Self::Destroy, Self::RefreshOnly].into_iter();
            return modes
                .find(|mode| mode.name() == &*saved.mode)
                .unwrap_or_default();
        }
        if !plan.resource_changes.is_empty() || plan.complete == Some(false) {
            return Self::Normal;
        }
        if !plan.errored
            && plan
                .resource_drift
                .iter()
                .any(|drift| drift.change.actions == Action::Update)
        {
            return Self::RefreshOnly;
        }
        let state = plan.prior_state.map(|state| state.read::<PriorState<'_>>());
        let Some(Ok(PriorState { values, .. })) = state else {
            return Self::Normal;
        };
        let targeted = plan.output_changes.is_empty() && !values.outputs.is_empty();
        if !targeted && has_managed(&values.root_module) {
            Self::RefreshOnly
        } else {
            Self::Normal
        }
    }

    /// Returns the name of the mode in the JSON formats.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Whether a module, or one that it calls, contains a managed object.
fn has_managed(module: &Module<'_>) -> bool {
    module
        .resources
        .iter()
        .any(|resource| resource.mode == ResourceMode::Managed)
        || module.child_modules.iter().any(has_managed)
}
