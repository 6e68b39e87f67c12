//! Who may be meant by the principals of statements, as classes.
//!
//! An account stands for all of its principals, a role for its sessions, and `*` for everybody. Everybody has a class
//! of his own who is named, and each account that occurs has one for its other principals.
//!
//! ```text
//! {"AWS": "111111111111"}     its root, its other principals, and those of it that are named anywhere
//! ```
//!
//! See "AWS JSON policy elements: Principal" and "NotPrincipal" in the IAM User Guide.

use std::collections::{BTreeMap, BTreeSet};

use super::statement::Principals;
use crate::meaning::access::class_set::ClassSet;

/// The kind of accounts, users, roles and sessions.
const AWS: &str = "AWS";

/// What an identifier of the kind `AWS` says about its account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Account<'a> {
    /// All of an account.
    All(&'a str),
    /// Somebody in an account.
    In(&'a str),
    /// It does not say it, as the unique identifiers of users and roles.
    Unknown,
}

impl<'a> Account<'a> {
    /// Reads the number of an account, or the ARN of a principal.
    fn of(name: &'a str) -> Self {
        if name.len() == 12 && name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Self::All(name);
        }
        let mut parts = name.splitn(6, ':');
        let (arn, service, number, principal) =
            (parts.next(), parts.nth(1), parts.nth(1), parts.next());
        match (arn, service, number, principal) {
            (Some("arn"), Some("iam"), Some(number), Some("root")) => Self::All(number),
            (Some("arn"), Some("iam" | "sts"), Some(number), Some(_)) => Self::In(number),
            _ => Self::Unknown,
        }
    }

    /// Returns the number of the account, if it is known.
    fn number(self) -> Option<&'a str> {
        match self {
            Self::All(number) | Self::In(number) => Some(number),
            Self::Unknown => None,
        }
    }
}

/// Returns the account and the name of a role, given its ARN or that of one of its sessions. A session has no path.
fn role<'a>(name: &'a str, kind: &str) -> Option<(&'a str, &'a str)> {
    let (head, path) = name.split_once(kind)?;
    let account = head.strip_suffix(':')?.rsplit(':').next()?;
    let role = match kind {
        SESSION => path.split('/').next()?,
        _ => path.rsplit('/').next()?,
    };
    Some((account, role))
}

/// What the ARN of a role has behind the account.
const ROLE: &str = "role/";
/// What the ARN of a session of a role has behind the account.
const SESSION: &str = "assumed-role/";

/// The class of the principals of accounts that no statement names. The class before it is of everybody who is not in
/// an account, and is not named: also those who are not signed in.
const OTHER_ACCOUNTS: u32 = 1;

/// The classes that the principals of some statements tell apart.
#[derive(Debug, Default)]
pub(super) struct People<'a> {
    count: u32,
    /// Who is named himself.
    named: BTreeMap<(&'a str, &'a str), u32>,
    /// The root user of each account.
    roots: BTreeMap<&'a str, u32>,
    /// All classes of each account.
    accounts: BTreeMap<&'a str, Vec<u32>>,
    /// The sessions of each role that are named, by account and name of the role.
    sessions: BTreeMap<(&'a str, &'a str), Vec<u32>>,
    /// All classes of each kind, besides those that nobody names.
    kinds: BTreeMap<&'a str, Vec<u32>>,
}

impl<'a> People<'a> {
    /// Makes the classes for the principals of all statements.
    pub(super) fn new<'s>(all: impl Iterator<Item = &'s Principals<'a>>) -> Self
    where
        'a: 's,
    {
        let mut people = Self {
            count: OTHER_ACCOUNTS + 1,
            ..Self::default()
        };
        people.kinds.insert(AWS, vec![OTHER_ACCOUNTS]);
        let all: BTreeSet<(&'a str, &'a str)> = all
            .flat_map(|principals| principals.list.iter().copied())
            .collect();
        for (kind, name) in all {
            let account = match kind {
                AWS => Account::of(name),
                _ => Account::Unknown,
            };
            if let Some(number) = account.number()
                && !people.roots.contains_key(number)
            {
                let root = people.add(AWS, Some(number));
                people.roots.insert(number, root);
                // The other principals, whom nobody names.
                people.add(AWS, Some(number));
            }
            if name == "*" {
                // Those of a kind that nobody names.
                if kind != AWS {
                    people.add(kind, None);
                }
                continue;
            }
            if matches!(account, Account::All(_)) {
                continue;
            }
            let class = people.add(kind, account.number());
            people.named.insert((kind, name), class);
            if let Some(role) = role(name, SESSION).filter(|_| kind == AWS) {
                people.sessions.entry(role).or_default().push(class);
            }
        }
        people
    }

    /// Adds a class.
    fn add(&mut self, kind: &'a str, account: Option<&'a str>) -> u32 {
        let class = self.count;
        self.count += 1;
        self.kinds.entry(kind).or_default().push(class);
        if let Some(number) = account {
            self.accounts.entry(number).or_default().push(class);
        }
        class
    }

    /// Returns the number of classes.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// Returns the classes that principals mean. The principals are among those that the classes were made for.
    pub(super) fn set(&self, principals: &Principals<'a>, is_allow: bool) -> ClassSet {
        if !principals.are_excluded {
            return ClassSet::only(self.meant(principals));
        }
        let spared = match is_allow {
            true => self.meant(principals),
            false => self.spared(principals),
        };
        ClassSet::only(spared).complement()
    }

    /// Returns whom principals name, with those who belong to them.
    fn meant(&self, principals: &Principals<'a>) -> Vec<u32> {
        let mut classes = Vec::new();
        for (kind, name) in &principals.list {
            if *name == "*" {
                classes.extend(self.kinds.get(kind).into_iter().flatten());
                continue;
            }
            classes.extend(self.named.get(&(*kind, *name)));
            if *kind != AWS {
                continue;
            }
            if let Account::All(number) = Account::of(name) {
                classes.extend(self.accounts.get(number).into_iter().flatten());
            }
            let sessions = role(name, ROLE).and_then(|role| self.sessions.get(&role));
            classes.extend(sessions.into_iter().flatten());
        }
        classes
    }

    /// Returns whom a denial spares that excludes principals: a principal must be named with its account, and a session
    /// with its role, too.
    fn spared(&self, principals: &Principals<'a>) -> Vec<u32> {
        let names: BTreeSet<(&str, &str)> = principals.list.iter().copied().collect();
        let accounts: BTreeSet<&str> = principals
            .list
            .iter()
            .filter(|(kind, _)| *kind == AWS)
            .filter_map(|(_, name)| match Account::of(name) {
                Account::All(number) => Some(number),
                Account::In(_) | Account::Unknown => None,
            })
            .collect();
        let roles: BTreeSet<(&str, &str)> = principals
            .list
            .iter()
            .filter_map(|(_, name)| role(name, ROLE))
            .collect();
        let mut classes = Vec::new();
        for (kind, name) in &names {
            if *name == "*" {
                classes.extend(self.kinds.get(kind).into_iter().flatten());
                continue;
            }
            let account = match *kind {
                AWS => Account::of(name),
                _ => Account::Unknown,
            };
            let has_account = account
                .number()
                .is_none_or(|number| accounts.contains(number));
            let has_role = role(name, SESSION).is_none_or(|role| roles.contains(&role));
            if has_account && has_role {
                classes.extend(self.named.get(&(*kind, *name)));
            }
            if let Account::All(number) = account {
                // The root user is named with its account.
                classes.extend(self.roots.get(number));
            }
        }
        classes
    }
}
