//! Privileged roles, and who gets them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::condition::{Add, short};
use super::path::Side;
use super::places::{Places, readable};
use super::side::{Pattern, Place, Root};
use crate::access::glob_matches;
use crate::text::first_of;

/// The maximum number of privileged roles that are named for somebody.
const MAX_ROLES: usize = 5;

/// The maximum number of privileged roles of one object that are compared, for each of those who get them.
const MAX_COMPARED: usize = 100;

/// A test for privileged roles that somebody gets.
#[derive(Debug)]
pub(super) struct RoleTest {
    pub role: Pattern,
    /// Whether the role is in the element that names somebody, where the pattern is relative to it.
    pub is_beside: bool,
    pub privileged: Vec<String>,
    /// The names of those that are listed by the last parts of their IDs.
    pub names: BTreeMap<String, String>,
    /// Those who count; without any, all.
    pub to: Vec<String>,
}

impl<'w> Places<'_, 'w> {
    /// Finds privileged roles that somebody gets who did not have them.
    pub(super) fn role<'r>(&self, test: &'r RoleTest, add: Add<'_, 'w>)
    where
        'w: 'r,
    {
        let roles_at = |shared: &BTreeSet<&'r str>, place: &Place<'_, 'w>| match test.is_beside {
            true => test.given(Root { value: place.holder, documents: Some(self.subject.documents) }),
            false => shared.clone(),
        };
        let of_all = test.given(self.root(Side::Before));
        let mut had: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        self.visit(Side::Before, &mut |place| {
            if let Some(member) = readable(place) {
                had.entry(member).or_default().extend(roles_at(&of_all, place));
            }
        });
        let all = test.given(self.root(Side::After));
        self.visit(Side::After, &mut |place| {
            let member = readable(place);
            let to = &test.to;
            if !to.is_empty() && !member.is_some_and(|member| to.iter().any(|one| glob_matches(one, member)))
            {
                return;
            }
            // A member that is known only after apply may be one that had it.
            let old = member.map_or(Some(&of_all), |member| had.get(member));
            let mut new = roles_at(&all, place);
            new.retain(|role| !old.is_some_and(|old| old.contains(role)));
            let Some(gravest) = new.iter().max_by_key(|role| self.at.levels.get(**role)) else { return };
            let shown = new.iter().map(|role| role.rsplit_once(":policy/").map_or(*role, |(_, name)| name));
            let to = member.map_or("somebody known only after apply".to_owned(), short);
            let text = format!("{} for {to}", first_of(shown, MAX_ROLES));
            add(place.path, Side::After, self.told(text, Some(gravest)));
        });
    }
}

/// Whether a role is one of a list: by its name, or by its last part where the list has no more (`/AdministratorAccess`).
fn role_matches(wanted: &str, role: &str) -> bool {
    glob_matches(wanted, role) || wanted.strip_prefix('/') == Some(last_part(role))
}

impl RoleTest {
    /// The privileged roles in a value, by their names.
    fn given<'r, 'w: 'r>(&'r self, root: Root<'_, 'w>) -> BTreeSet<&'r str> {
        let mut roles = BTreeSet::new();
        self.role.visit(root, &mut |place| {
            if roles.len() >= MAX_COMPARED {
                return;
            }
            let is_privileged = |role: &&str| self.privileged.iter().any(|wanted| role_matches(wanted, role));
            let role = readable(place).filter(is_privileged);
            roles.extend(role.map(|role| self.names.get(last_part(role)).map_or(role, String::as_str)));
        });
        roles
    }
}

fn last_part(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(_, last)| last)
}
