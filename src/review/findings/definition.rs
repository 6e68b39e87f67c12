//! The vocabulary for built-in rules: each rule is a constant, which is checked at compile time.
//!
//! A rule begins with a function that says what it is about (`lost`, `exposure`, …), and is refined by the methods of
//! `Definition`:
//!
//! ```ignore
//! protection("aws_rds_cluster", "backup_retention_period", Lower).level(Critical),
//! ```
//!
//! Lists are texts with `|` between their items. Invariant: a rule does not compile if it has no type, or a path that
//! cannot be read.

use super::condition::{Condition, List};
use crate::access::Class;
use crate::review::entry::{FindingKind, Level};

/// The names that the files of rules use.
pub(super) mod prelude {
    pub(in crate::review::findings) use super::super::condition::Condition::*;
    pub(in crate::review::findings) use super::super::condition::PolicyLanguage;
    pub(in crate::review::findings) use super::Only::*;
    pub(in crate::review::findings) use super::{
        Definition, Only, data_loss, downtime, exposure, interrupted, invoked, is, lost, order,
        protection, role, role_for, unguarded, unknown,
    };
    pub(in crate::review::findings) use crate::access::Class;
    pub(in crate::review::findings) use crate::report::Level::*;
    pub(in crate::review::findings) use crate::review::entry::FindingKind::*;
}

/// A built-in rule. Fields that a rule does not set are empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    /// The kind of its findings, which also decides the default level.
    pub kind: FindingKind,
    /// The resource types (or action types) of the rule, globs or fragments (`@pod`) for them, with `|` between them.
    pub types: &'static str,
    /// Whether `types` is one resource type, so that it is compared as a whole.
    pub is_one_type: bool,
    /// The event that the rule is about: an object is lost, an action is invoked, a value changes, and so on.
    pub event: Event,
    /// The name in JSON and SARIF; empty if the name is made of the type and the path.
    pub name: &'static str,
    /// The words of a finding for what is lost or invoked; for a value, the words instead of its path.
    pub what: &'static str,
    /// The level of its findings; `None` for the default of the kind: critical for data loss, otherwise warning.
    pub level: Option<Level>,
    /// The class of what an exposure opens, which decides its level.
    pub serves: Option<Class>,
    /// Whether the rule applies to created objects; `None` for the default of the kind: only exposures do.
    pub is_for_created: Option<bool>,
    /// The objects that a created object must belong to for the rule to apply: such that the plan does not create. For
    /// each attribute that names them, their types.
    pub parents: &'static [(&'static str, &'static str)],
    /// Whether the rule applies only to objects that are changed in place.
    pub is_in_place: bool,
    /// The name of a member next to the value that must be missing; empty if there is none.
    pub absent: &'static str,
    /// The levels for single values, such as critical for `0.0.0.0/0`.
    pub levels: &'static [(&'static str, Level)],
    /// The names of roles, by the last parts of their IDs.
    pub role_names: &'static [(&'static str, &'static str)],
    /// The requirements on other members, all of which must be met.
    pub only_if: &'static [Only],
}

/// The event that a rule is about: something happens to the object as a whole, or to values at a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// The object, which holds data, is destroyed or replaced. `show` are the attributes that describe it.
    Lost { show: List<'static> },
    /// The object, which guards others, is destroyed while what it guards stays.
    Unguarded {
        /// The attributes that name what is guarded, each with the types of it.
        guards: &'static [(&'static str, &'static str)],
        /// The attribute with a policy, if only a policy that denies something guards; otherwise empty.
        denies: &'static str,
    },
    /// The object is destroyed, or destroyed before its replacement is created.
    Interrupted,
    /// An action is invoked.
    Invoked,
    /// The values at the path meet the condition.
    Values {
        path: &'static str,
        condition: Condition<'static>,
    },
}

/// A requirement on another member: its name, and the values that meet it. See
/// [`Requirement`](super::rule::Requirement).
#[derive(Clone, Copy, Debug)]
pub(super) enum Only {
    /// The member has one of the values, or is missing or unknown.
    Where(&'static str, &'static str),
    /// The member has one of the values; a missing or unknown one does not.
    Needs(&'static str, &'static str),
    /// The member has none of the values.
    Unless(&'static str, &'static str),
}

/// Begins a rule. Fails at compile time if the rule has no type, or a path that cannot be read.
const fn define(kind: FindingKind, types: &'static str, event: Event) -> Definition {
    assert!(!types.is_empty(), "a rule needs a type");
    if let Event::Values { path, .. } = event {
        assert!(is_path(path), "the path of a rule cannot be read");
    }
    Definition {
        kind,
        types,
        is_one_type: is_one_type(types),
        event,
        name: "",
        what: "",
        level: None,
        serves: None,
        is_for_created: None,
        parents: &[],
        is_in_place: false,
        absent: "",
        levels: &[],
        role_names: &[],
        only_if: &[],
    }
}

/// Begins a rule about objects that hold data: destroying or replacing one is a critical finding of data loss. `what`
/// names what is lost, such as `database`.
pub(super) const fn lost(types: &'static str, what: &'static str) -> Definition {
    let show = List::Joined("");
    define(FindingKind::DataLoss, types, Event::Lost { show }).what(what)
}

/// Begins a rule about objects that guard others: destroying one is a finding of protection, unless what it guards is
/// destroyed too or a guard as strong is created. `Definition::guards` says what it guards.
pub(super) const fn unguarded(types: &'static str) -> Definition {
    let event = Event::Unguarded {
        guards: &[],
        denies: "",
    };
    define(FindingKind::Protection, types, event)
}

/// Begins a rule about objects that serve requests: destroying one without a replacement, or before its replacement is
/// created, is a finding of downtime.
pub(super) const fn interrupted(types: &'static str) -> Definition {
    define(FindingKind::Downtime, types, Event::Interrupted)
}

/// Begins a rule about actions: invoking one is a finding of this kind. `types` are action types, and `what` says what
/// the action does.
pub(super) const fn invoked(
    kind: FindingKind,
    types: &'static str,
    what: &'static str,
) -> Definition {
    define(kind, types, Event::Invoked).what(what)
}

/// Begins a rule about values at a path: those that meet the condition are findings of this kind.
const fn values(
    kind: FindingKind,
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    define(kind, types, Event::Values { path, condition })
}

/// Begins a rule about values by which data is lost in objects that stay: those that meet the condition are critical.
pub(super) const fn data_loss(
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    values(FindingKind::DataLoss, types, path, condition)
}

/// Begins a rule about values that let more people or machines reach or do something. It also applies to created
/// objects.
pub(super) const fn exposure(
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    values(FindingKind::Exposure, types, path, condition)
}

/// Begins a rule about values that protect something: those that meet the condition remove or lower the protection.
pub(super) const fn protection(
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    values(FindingKind::Protection, types, path, condition)
}

/// Begins a rule about values that interrupt a service if they meet the condition.
pub(super) const fn downtime(
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    values(FindingKind::Downtime, types, path, condition)
}

/// Begins a rule about a value that decides access or loss: it is a finding if it becomes known only after apply.
pub(super) const fn unknown(types: &'static str, path: &'static str) -> Definition {
    values(FindingKind::Unknown, types, path, Condition::Unknown)
}

/// Returns the condition that a value of the list is set that was not set before. Items may be globs.
pub(super) const fn is(values: &'static str) -> Condition<'static> {
    assert!(!values.is_empty(), "a condition needs values");
    Condition::Is(List::Joined(values))
}

/// Returns the condition that a value comes earlier in the list than its old one. The list begins with the weakest
/// value.
pub(super) const fn order(values: &'static str) -> Condition<'static> {
    Condition::Order(List::Joined(values))
}

/// Returns the condition that somebody gets a role of `any_of`. The path of the rule leads to those who get it, and
/// `role` is the path of the role.
pub(super) const fn role(role: &'static str, any_of: &'static str) -> Condition<'static> {
    role_for(role, any_of, "")
}

/// Returns the condition that somebody who matches `to` gets a role of `any_of`. See [`role`].
pub(super) const fn role_for(
    role: &'static str,
    any_of: &'static str,
    to: &'static str,
) -> Condition<'static> {
    assert!(is_path(role), "the path of a role cannot be read");
    Condition::Role {
        role,
        any_of: List::Joined(any_of),
        to: List::Joined(to),
    }
}

impl Definition {
    /// Sets the name of the rule, if the one that is made of its type and path is not unique or clear.
    pub(super) const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Sets the words of the finding, which replace the path in its text. A `{}` in them is replaced by the value.
    pub(super) const fn what(self, what: &'static str) -> Self {
        Self { what, ..self }
    }

    /// Sets the level of the findings, instead of the default of the kind.
    pub(super) const fn level(self, level: Level) -> Self {
        Self {
            level: Some(level),
            ..self
        }
    }

    /// Sets the levels of single values, or of globs for them.
    pub(super) const fn levels(self, levels: &'static [(&'static str, Level)]) -> Self {
        Self { levels, ..self }
    }

    /// Sets the class of what an exposure opens, if ports do not say it. The level follows from the class.
    pub(super) const fn serves(self, class: Class) -> Self {
        Self {
            serves: Some(class),
            ..self
        }
    }

    /// Applies the rule to created objects too.
    pub(super) const fn when_created(self) -> Self {
        Self {
            is_for_created: Some(true),
            ..self
        }
    }

    /// Applies the rule to created objects too, except for those that belong to an object which the plan creates as well:
    /// a new bucket has nothing that could expire.
    pub(super) const fn when_created_for_existing(
        self,
        parents: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self {
            parents,
            ..self.when_created()
        }
    }

    /// Leaves created objects out, to which rules about exposures apply by default.
    pub(super) const fn unless_created(self) -> Self {
        Self {
            is_for_created: Some(false),
            ..self
        }
    }

    /// Applies the rule only to objects that are changed in place.
    pub(super) const fn in_place(self) -> Self {
        Self {
            is_in_place: true,
            ..self
        }
    }

    /// Requires that a member next to the value is missing, empty, or unknown without a configured value.
    pub(super) const fn without(self, absent: &'static str) -> Self {
        Self { absent, ..self }
    }

    /// Sets requirements on other members, all of which must be met. See `Only`.
    pub(super) const fn only_if(self, only_if: &'static [Only]) -> Self {
        Self { only_if, ..self }
    }

    /// Sets names for roles that are IDs in plans: each is the last part of an ID, and the name. Such roles count in
    /// addition to those of the condition.
    pub(super) const fn role_names(
        self,
        role_names: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { role_names, ..self }
    }

    /// Sets the attributes that describe what is lost, which the finding shows.
    ///
    /// # Panics
    /// At compile time, if the rule is not one of `lost`.
    pub(super) const fn show(self, attributes: &'static str) -> Self {
        assert!(
            matches!(self.event, Event::Lost { .. }),
            "only what is lost is described"
        );
        let show = List::Joined(attributes);
        Self {
            event: Event::Lost { show },
            ..self
        }
    }

    /// Sets what is guarded: the attributes that name it, each with the types of it.
    ///
    /// # Panics
    /// At compile time, if the rule is not one of `unguarded`.
    #[expect(
        clippy::panic,
        reason = "a table that is wrong does not compile: the rules are constants"
    )]
    pub(super) const fn guards(self, guards: &'static [(&'static str, &'static str)]) -> Self {
        let Event::Unguarded { denies, .. } = self.event else {
            panic!("only a rule about a guard says what it guards");
        };
        Self {
            event: Event::Unguarded { guards, denies },
            ..self
        }
    }

    /// Requires that the policy in an attribute denies something, because only then the object guards anything.
    ///
    /// # Panics
    /// At compile time, if the rule is not one of `unguarded`.
    #[expect(
        clippy::panic,
        reason = "a table that is wrong does not compile: the rules are constants"
    )]
    pub(super) const fn if_denies(self, denies: &'static str) -> Self {
        let Event::Unguarded { guards, .. } = self.event else {
            panic!("only a rule about a guard may require a policy that denies");
        };
        Self {
            event: Event::Unguarded { guards, denies },
            ..self
        }
    }
}

/// Whether a text is one type: not several, no glob and no fragment.
const fn is_one_type(types: &str) -> bool {
    let bytes = types.as_bytes();
    let mut offset = 0;
    while offset < bytes.len() {
        if matches!(bytes[offset], b'|' | b'*' | b'@') {
            return false;
        }
        offset += 1;
    }
    true
}

/// Whether the text has the form that [`Pattern::parse`](super::pattern::Pattern::parse) reads.
const fn is_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut offset, mut any) = (0, 0);
    while offset < bytes.len() {
        if begins(bytes, offset, b"['") {
            offset += 2;
            while offset < bytes.len() && !begins(bytes, offset, b"']") {
                offset += 1;
            }
            if offset == bytes.len() {
                return false;
            }
            offset += 2;
        } else if offset > 0 && begins(bytes, offset, b"[*]") {
            offset += 3;
        } else {
            if offset > 0 {
                if bytes[offset] != b'.' {
                    return false;
                }
                offset += 1;
            }
            let start = offset;
            while offset < bytes.len() && bytes[offset] != b'.' && bytes[offset] != b'[' {
                if bytes[offset] == b']' {
                    return false;
                }
                offset += 1;
            }
            if offset == start {
                return false;
            }
            if offset - start == 2 && begins(bytes, start, b"**") {
                any += 1;
            }
        }
    }
    offset > 0 && any <= 1
}

/// Whether the bytes from `index` on begin with `with`.
const fn begins(bytes: &[u8], index: usize, with: &[u8]) -> bool {
    let mut offset = 0;
    while offset < with.len() {
        if index + offset >= bytes.len() || bytes[index + offset] != with[offset] {
            return false;
        }
        offset += 1;
    }
    true
}
