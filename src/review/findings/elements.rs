//! Tests rules about lists: values and elements that are added or removed, and roles that somebody gets.
//!
//! A list is compared as a set of values: an element that only moves is neither added nor removed.
//!
//! ```text
//! enabled_cluster_log_types: ["api", "audit"] -> ["api"]     Fewer     enabled_cluster_log_types[1] = audit
//! ```

use std::collections::{BTreeSet, HashMap, HashSet};

use super::places::{MAX_OLD, RuleTest};
use super::rule::{RoleName, ValueTest};
use crate::access::{known, readable, string};
use crate::diff::value::{Content, MarkedValue};
use crate::glob;
use crate::knowledge::List;
use crate::meaning::Documents;
use crate::review::finding::Effect;
use crate::review::findings::pattern::{MatchedValue, Pattern};
use crate::review::findings::{Add, FindingText, ObjectOutcome, short};
use crate::review::pairs::Pairs;
use crate::review::value_path::{PathStep, Side, path_text};
use crate::text::first_of;

/// The maximum number of privileged roles that a finding names for somebody.
const MAX_ROLES: usize = 5;

/// The maximum number of privileged roles of one object that are compared, for each of those who get them.
const MAX_COMPARED: usize = 100;

/// The part of a rule that says which roles it looks for, and where.
struct RoleTest<'r> {
    /// The path of the role.
    role: Pattern<'r>,
    /// Whether the role is in the element that names somebody. Its path is then relative to that element.
    is_in_same_element: bool,
    /// The roles that count besides those in `names`.
    any_of: List<'r>,
    /// The names of roles that are IDs in the plan.
    names: &'r [RoleName<'r>],
}

impl<'w> RuleTest<'_, 'w> {
    /// Finds values of a list that no place had before.
    pub(super) fn is(&self, values: List<'_>, add: Add<'_, 'w>) {
        let mut old = HashSet::new();
        let unread = self.visit(Side::Before, &mut |matched| {
            old.extend(readable(matched.value));
        });
        if !unread.is_empty() {
            return;
        }
        // A value that was there before counts, whatever else the rule requires of the members next to it.
        let mut before: HashMap<String, &str> = HashMap::new();
        self.visit_all(Side::Before, &mut |matched| {
            before
                .extend(readable(matched.value).map(|value| (matched.identity.to_owned(), value)));
        });
        let (new, _) = self.all(Side::After);
        let only = before
            .values()
            .next()
            .copied()
            .filter(|_| before.len() == 1 && new.len() == 1);
        let is_list = self.values.pattern.names_elements();
        for element in &new {
            let Some(value) = readable(element.value) else {
                continue;
            };
            if !values.has(value) || old.contains(value) {
                continue;
            }
            let (label, shown) = (path_text(&element.path), short(value));
            let text = match before.get(&element.identity).copied().or(only) {
                Some(old) if !is_list => format!("{label}: {} -> {shown}", short(old)),
                Some(_) | None if !before.is_empty() => format!("{label}: adds {shown}"),
                Some(_) | None => format!("{label}: {shown}"),
            };
            add(&element.path, Side::After, self.describe(text, Some(value)));
        }
    }

    /// Finds elements that only this side has. Elements that are gone count only if the list stays or becomes empty. An
    /// element whose value the other side has too has only moved.
    pub(super) fn elements(&self, side: Side, add: Add<'_, 'w>) {
        let other = if side == Side::Before {
            Side::After
        } else {
            Side::Before
        };
        let ((own_elements, _), (others, unread)) = (self.all(side), self.all(other));
        let proves_nothing =
            side == Side::Before && others.iter().any(|element| element.value.has_unknown());
        if !unread.is_empty() || proves_nothing {
            return;
        }
        let is_named = |identity: &str| identity.ends_with("\"]");
        // The index of an element that is gone may now be that of another element.
        let key = |identity: &'_ str| {
            (side == Side::After || is_named(identity)).then(|| identity.to_owned())
        };
        let mut pairs = Pairs::new(own_elements.len(), others.len());
        pairs.join(
            |index| key(&own_elements[index].identity),
            |index| key(&others[index].identity),
        );
        pairs.join(
            |index| Some(own_elements[index].value.hash_value()),
            |index| Some(others[index].value.hash_value()),
        );
        for index in pairs.alone().0 {
            let element = &own_elements[index];
            let value = readable(element.value).filter(|text| !text.is_empty());
            let (label, path) = (self.values.pattern.label(), path_text(&element.path));
            let text = match (side, value.map(short)) {
                (Side::After, _)
                    if element.value.is_unknown() && !self.is_reached(&element.path) =>
                {
                    continue;
                }
                (Side::After, Some(value)) if self.subject.outcome == ObjectOutcome::Created => {
                    format!("{label}: {value}")
                }
                (Side::After, Some(value)) => format!("{label} adds {value}"),
                (Side::After, None) => format!("{path} is added"),
                (Side::Before, Some(value)) => format!("{label} loses {value}"),
                (Side::Before, None) if is_named(&element.identity) => {
                    format!("{} is removed", element.identity)
                }
                (Side::Before, None) => format!("{path} is removed"),
            };
            add(&element.path, side, self.describe(text, value));
        }
    }

    /// Finds names with `@`, such as people in the text of an alert, that no text has after the change.
    pub(super) fn mentions(&self, add: Add<'_, 'w>) {
        let names = |text: &'w str| {
            let words = text.split(|c: char| !c.is_alphanumeric() && !"@._-".contains(c));
            words
                .map(|word| word.trim_end_matches(['.', '-']))
                .filter(|word| word.len() > 1 && word.starts_with('@'))
        };
        let (mut left, mut is_known) = (HashSet::new(), false);
        self.visit(Side::After, &mut |matched| {
            is_known |= known(Some(matched.value)).is_some();
            left.extend(string(matched.value).into_iter().flat_map(names));
        });
        self.visit(Side::Before, &mut |matched| {
            let lost = string(matched.value)
                .into_iter()
                .flat_map(names)
                .filter(|name| !left.contains(name));
            let lost: Vec<&str> = lost.take(MAX_OLD).collect();
            if is_known && !lost.is_empty() {
                let text = format!("{} loses {}", self.values.pattern.label(), lost.join(", "));
                add(matched.path, Side::Before, self.describe(text, None));
            }
        });
    }

    /// Finds privileged roles that somebody gets who did not have them. If `to` is empty, everybody counts.
    pub(super) fn role(&self, role: &str, any_of: List<'_>, to: List<'_>, add: Add<'_, 'w>) {
        let Some(test) = RoleTest::new(role, any_of, self.values) else {
            return;
        };
        let documents = self.subject.documents;
        let of_all = test.given(self.subject.before, documents);
        let mut had: HashMap<&str, BTreeSet<(&str, Option<u64>)>> = HashMap::new();
        self.visit(Side::Before, &mut |matched| {
            if let Some(member) = readable(matched.value) {
                let condition = condition_of(matched.holder);
                let roles = test.given_at(matched, &of_all, documents).into_iter();
                let roles = roles.map(|role| (role, condition));
                had.entry(member).or_default().extend(roles);
            }
        });
        let all = test.given(self.subject.after, documents);
        self.visit(Side::After, &mut |matched| {
            let member = readable(matched.value);
            if member == Some("") {
                return;
            }
            let counts = |member: &str| to.iter().any(|one| glob::matches(one, member));
            if !to.is_empty() && !member.is_some_and(counts) {
                return;
            }
            let condition = condition_of(matched.holder);
            let old = member.and_then(|member| had.get(member));
            // A role under a condition is less than the same role under another condition, or without one.
            let had_role = |role: &&str| match member {
                // A member that is known only after apply may be one that had it.
                None => of_all.contains(role),
                Some(_) => old.is_some_and(|old| {
                    old.contains(&(*role, None)) || old.contains(&(*role, condition))
                }),
            };
            let mut new = test.given_at(matched, &all, documents);
            new.retain(|role| !had_role(role));
            let Some(gravest) = new.iter().max_by_key(|role| self.values.level_of(role)) else {
                return;
            };
            let shown = new
                .iter()
                .map(|role| role.rsplit_once(":policy/").map_or(*role, |(_, name)| name));
            let to = member.map_or("somebody known only after apply".to_owned(), short);
            let text = format!("{} for {to}", first_of(shown, MAX_ROLES));
            let finding_text = self.describe(text, Some(gravest));
            // Somebody who was there before gets another role: the edit is that of the role, which does not say for
            // whom.
            let has_other_role =
                old.is_some_and(|old| !old.iter().any(|(role, _)| new.contains(role)));
            let of_role =
                has_other_role.then(|| test.first_place(&new, self.subject.after, documents));
            match of_role.flatten() {
                Some(path) => {
                    let effect = Effect::Means {
                        words: format!("for {to}"),
                    };
                    add(
                        &path,
                        Side::After,
                        FindingText {
                            effect,
                            ..finding_text
                        },
                    );
                }
                None => add(matched.path, Side::After, finding_text),
            }
        });
    }
}

/// Returns the hash of the condition under which a role is given; `None` without one.
fn condition_of(binding: MarkedValue<'_>) -> Option<u64> {
    let condition = binding.get("condition")?;
    let is_empty = matches!(condition.content, Content::Null | Content::Array([]));
    (!is_empty).then(|| condition.hash_value())
}

impl<'r> RoleTest<'r> {
    /// Creates the test. `None` for a path that cannot be read, which neither a built-in rule nor one of a project has.
    fn new(role: &'r str, any_of: List<'r>, values: &'r ValueTest<'r>) -> Option<Self> {
        let element = values.path.rsplit_once("[*].").map(|(element, _)| element);
        let within_element =
            element.and_then(|element| role.strip_prefix(element)?.strip_prefix("[*]."));
        Some(Self {
            role: Pattern::parse(within_element.unwrap_or(role)).ok()?,
            is_in_same_element: within_element.is_some(),
            any_of,
            names: &values.role_names,
        })
    }

    /// Returns the roles that are given to a member. `shared` are those of the whole object.
    fn given_at<'s, 'w: 's>(
        &'s self,
        matched: &MatchedValue<'_, 'w>,
        shared: &BTreeSet<&'s str>,
        documents: &Documents<'w>,
    ) -> BTreeSet<&'s str> {
        match self.is_in_same_element {
            true => self.given(matched.holder, documents),
            false => shared.clone(),
        }
    }

    /// Returns the first path in an object that gives one of these roles; `None` if roles are next to members.
    fn first_place<'w>(
        &self,
        roles: &BTreeSet<&str>,
        object: MarkedValue<'w>,
        documents: &Documents<'w>,
    ) -> Option<Vec<PathStep<'w>>> {
        let mut first = None;
        if !self.is_in_same_element {
            self.role.visit(object, documents, &mut |matched| {
                let role = readable(matched.value).and_then(|role| self.listed(role));
                if first.is_none() && role.is_some_and(|role| roles.contains(role)) {
                    first = Some(matched.path.to_vec());
                }
            });
        }
        first
    }

    /// Returns the name of a role, if it counts.
    fn listed<'s>(&'s self, role: &'s str) -> Option<&'s str> {
        let id = role.rsplit_once('/').map_or(role, |(_, id)| id);
        let name = self.names.iter().find(|named| named.id == id);
        // An item such as `/AdministratorAccess` is the last part of an ID.
        let is_listed =
            |wanted: &str| glob::matches(wanted, role) || wanted.strip_prefix('/') == Some(id);
        let counts = name.is_some() || self.any_of.iter().any(is_listed);
        counts.then(|| name.map_or(role, |named| named.name))
    }

    /// Returns the roles that count in a value, up to `MAX_COMPARED`.
    fn given<'s, 'w: 's>(
        &'s self,
        root: MarkedValue<'w>,
        documents: &Documents<'w>,
    ) -> BTreeSet<&'s str> {
        let mut roles = BTreeSet::new();
        self.role.visit(root, documents, &mut |matched| {
            let role = readable(matched.value).filter(|_| roles.len() < MAX_COMPARED);
            roles.extend(role.and_then(|role| self.listed(role)));
        });
        roles
    }
}
