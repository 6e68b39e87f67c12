//! The form in which the built-in rules are written: a constant for each rule, checked when the program is built.
//!
//! A rule begins with what it is about (`lost`, `exposure`, …), and is refined by the methods of [`Definition`]:
//!
//! ```ignore
//! protection("aws_rds_cluster", "backup_retention_period", Lower).level(Critical),
//! ```
//!
//! Lists are texts with `|` between their items. Invariant: a path that cannot be read, and a rule without a type, do not
//! compile.

use super::condition::{Condition, List};
use crate::access::Class;
use crate::review::entry::{FindingKind, Level};

/// What the files of rules need.
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

/// A built-in rule. Members that a rule does not give are empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    /// The kind of its findings.
    pub kind: FindingKind,
    /// Resource types, or globs or fragments (`@pod`) for them.
    pub types: &'static str,
    /// One resource type, not several and no glob.
    pub is_one_type: bool,
    /// What must happen: an object is lost, an action is invoked, a value changes.
    pub event: Event,
    /// The name in JSON and SARIF; empty if type and path name the rule.
    pub name: &'static str,
    /// In a finding, the words for what is lost or invoked, or instead of the path.
    pub what: &'static str,
    /// The level of its findings; `None` for the default of the kind.
    pub level: Option<Level>,
    /// What an exposure opens.
    pub serves: Option<Class>,
    /// Whether it applies to created objects; `None` for the default of the kind.
    pub is_for_created: Option<bool>,
    /// What a created object must belong to: something that the plan does not create. For each attribute that names it,
    /// the types of it.
    pub parents: &'static [(&'static str, &'static str)],
    /// Only for objects that are changed in place.
    pub is_in_place: bool,
    /// A member beside the value that must be missing.
    pub absent: &'static str,
    /// Levels for single values, such as `critical` for `0.0.0.0/0`.
    pub levels: &'static [(&'static str, Level)],
    /// Names of roles by the last parts of their IDs.
    pub role_names: &'static [(&'static str, &'static str)],
    /// Requirements on other members. All must be met.
    pub only_if: &'static [Only],
}

/// What a rule is about: an event of the object as a whole, or values at a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// The object is destroyed or replaced.
    Lost { show: List<'static> },
    /// The object is destroyed, and what it guards is not. For each attribute that names what it guards, the types of it.
    Unguarded {
        guards: &'static [(&'static str, &'static str)],
        /// The attribute with a policy, if only a policy that denies something guards.
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

/// A requirement of a rule, with the values that meet it: see [`Requirement`](super::rule::Requirement).
#[derive(Clone, Copy, Debug)]
pub(super) enum Only {
    Where(&'static str, &'static str),
    Needs(&'static str, &'static str),
    Unless(&'static str, &'static str),
}

/// Begins a definition, and checks at compile time that the rule has a type and a path that can be
/// read.
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

/// Data is lost together with the objects.
pub(super) const fn lost(types: &'static str, what: &'static str) -> Definition {
    let show = List::Joined("");
    define(FindingKind::DataLoss, types, Event::Lost { show }).what(what)
}

/// The objects guard others.
pub(super) const fn unguarded(types: &'static str) -> Definition {
    let event = Event::Unguarded {
        guards: &[],
        denies: "",
    };
    define(FindingKind::Protection, types, event)
}

/// The objects serve requests.
pub(super) const fn interrupted(types: &'static str) -> Definition {
    define(FindingKind::Downtime, types, Event::Interrupted)
}

/// The types are those of actions.
pub(super) const fn invoked(
    kind: FindingKind,
    types: &'static str,
    what: &'static str,
) -> Definition {
    define(kind, types, Event::Invoked).what(what)
}

const fn values(
    kind: FindingKind,
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    define(kind, types, Event::Values { path, condition })
}

/// Data is lost in objects that stay.
pub(super) const fn data_loss(
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    values(FindingKind::DataLoss, types, path, condition)
}

pub(super) const fn exposure(
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    values(FindingKind::Exposure, types, path, condition)
}

pub(super) const fn protection(
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    values(FindingKind::Protection, types, path, condition)
}

pub(super) const fn downtime(
    types: &'static str,
    path: &'static str,
    condition: Condition<'static>,
) -> Definition {
    values(FindingKind::Downtime, types, path, condition)
}

/// Begins a rule about a value that decides access or loss, and becomes known only after apply.
pub(super) const fn unknown(types: &'static str, path: &'static str) -> Definition {
    values(FindingKind::Unknown, types, path, Condition::Unknown)
}

/// A value of the list is there that was not there before.
pub(super) const fn is(values: &'static str) -> Condition<'static> {
    assert!(!values.is_empty(), "a condition needs values");
    Condition::Is(List::Joined(values))
}

/// A value comes before its old one in the list, which begins with the weakest.
pub(super) const fn order(values: &'static str) -> Condition<'static> {
    Condition::Order(List::Joined(values))
}

/// The path leads to whom a role is given, `role` to the role, which must be one of `any_of`.
pub(super) const fn role(role: &'static str, any_of: &'static str) -> Condition<'static> {
    role_for(role, any_of, "")
}

/// Like [`role`], but given to one of `to`.
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
    /// Names the rule, where its type and path do not suffice.
    pub(super) const fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Replaces the path in the text of the finding. A `{}` is replaced by the value.
    pub(super) const fn what(self, what: &'static str) -> Self {
        Self { what, ..self }
    }

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

    pub(super) const fn serves(self, class: Class) -> Self {
        Self {
            serves: Some(class),
            ..self
        }
    }

    /// Applies the rule to created objects, too.
    pub(super) const fn when_created(self) -> Self {
        Self {
            is_for_created: Some(true),
            ..self
        }
    }

    /// Applies the rule to created objects too, but for those that belong to an object that the plan creates as well: a
    /// new bucket has nothing that could expire.
    pub(super) const fn when_created_for_existing(
        self,
        parents: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self {
            parents,
            ..self.when_created()
        }
    }

    /// Leaves created objects out.
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

    /// Requires that a member beside the value is missing, empty, or unknown without a configured value.
    pub(super) const fn without(self, absent: &'static str) -> Self {
        Self { absent, ..self }
    }

    pub(super) const fn only_if(self, only_if: &'static [Only]) -> Self {
        Self { only_if, ..self }
    }

    pub(super) const fn role_names(
        self,
        role_names: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { role_names, ..self }
    }

    /// Lists the attributes that describe what is lost.
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

    /// Says what is guarded: the attributes that name it, each with the types of it.
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

    /// Requires that the policy in an attribute denies something.
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
