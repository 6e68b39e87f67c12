//! Statements of policies in one form: whatever is written differently and means the same is equal here.
//!
//! ```text
//! "Action": ["S3:GetObject", "s3:getobject"]     actions: s3:getobject
//! "Principal": {"AWS": "*"}                      principals: all but none
//! "Resource": ["arn:aws:s3:::a", "*"]            resources: all but none
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::condition::Test;
use super::text::Text;
use crate::access::{Grant, Part, Policy, Term};
use crate::diff::value::MarkedValue;
use crate::meaning::access::patterns::Pattern;

/// The version of the language in which texts may have variables.
const WITH_VARIABLES: &str = "2012-10-17";

/// Names and patterns of actions or resources, or everything but these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Names<'a> {
    /// Whether the set is everything but the names.
    pub(super) are_excluded: bool,
    /// The names, sorted. Everything is what excludes none.
    pub(super) list: Vec<Cow<'a, str>>,
    /// Whether a name has variables.
    pub(super) has_variables: bool,
}

impl<'a> Names<'a> {
    /// Collects names. A list with `*` names everything.
    fn new(list: Vec<Cow<'a, str>>, are_excluded: bool, may_have_variables: bool) -> Self {
        let mut names = Self {
            are_excluded,
            has_variables: may_have_variables && list.iter().any(|name| name.contains("${")),
            list,
        };
        if names.list.iter().any(|name| name == "*") {
            names = Self {
                are_excluded: !are_excluded,
                list: Vec::new(),
                has_variables: false,
            };
        }
        names.list.sort_unstable();
        names.list.dedup();
        names
    }

    /// Whether the names are nothing at all.
    pub(super) fn is_nothing(&self) -> bool {
        !self.are_excluded && self.list.is_empty()
    }

    /// Returns the pattern of a name.
    pub(super) fn pattern<'n>(&self, name: &'n str) -> Pattern<'n> {
        Text {
            is_glob: true,
            folds_case: false,
            has_variables: self.has_variables,
        }
        .pattern(name)
    }
}

/// Who a statement is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Principals<'a> {
    /// Whether the set is everybody but the principals.
    pub(super) are_excluded: bool,
    /// The kinds and names, sorted: `("AWS", "111111111111")`. Everybody is who excludes nobody.
    pub(super) list: Vec<(&'a str, &'a str)>,
}

impl<'a> Principals<'a> {
    fn new(terms: &[Term<'a>], are_excluded: bool) -> Self {
        let kind = |term: &Term<'a>| {
            if term.kind.is_empty() {
                "AWS"
            } else {
                term.kind
            }
        };
        let mut list: Vec<_> = terms.iter().map(|term| (kind(term), term.name)).collect();
        list.sort_unstable();
        list.dedup();
        // `{"AWS": "*"}` is everybody. As an exception it is everybody who is signed in.
        if !are_excluded && list.contains(&("AWS", "*"))
            || terms
                .iter()
                .any(|term| term.kind.is_empty() && term.name == "*")
        {
            return Self {
                are_excluded: !are_excluded,
                list: Vec::new(),
            };
        }
        Self { are_excluded, list }
    }
}

/// A statement: who may do what, on what, if all tests hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Statement<'a> {
    /// Whether the statement allows; otherwise it denies.
    pub(super) is_allow: bool,
    /// Who it is about; everybody if the policy belongs to somebody.
    pub(super) principals: Principals<'a>,
    /// The actions, in lower case, because IAM ignores their case.
    pub(super) actions: Names<'a>,
    /// The resources; everything if the policy belongs to a resource and names none.
    pub(super) resources: Names<'a>,
    /// The tests of the condition, sorted. All of them must hold.
    pub(super) tests: Vec<Test<'a>>,
}

impl<'a> Statement<'a> {
    /// Reads a statement; `None` if it has parts that are not known, or not valid.
    pub(super) fn new(grant: &Grant<'a>, has_variables: bool) -> Option<Self> {
        let has_actions =
            grant.excluded(Part::Action).is_some() || !grant.named(Part::Action).is_empty();
        let has_effect = grant.is_allow() || grant.effect == Grant::DENY;
        if !grant.is_whole || !has_actions || !has_effect {
            return None;
        }
        // A part that is missing does not limit.
        let excludes = |part: Part| {
            let terms = grant.part(part);
            terms.are_excluded || terms.list.is_empty()
        };
        let names = |part: Part, has_case: bool| {
            let list = grant.part(part).list.iter().map(|term| {
                if has_case
                    || !term
                        .name
                        .contains(|letter: char| letter.is_ascii_uppercase())
                {
                    Cow::Borrowed(term.name)
                } else {
                    Cow::Owned(term.name.to_ascii_lowercase())
                }
            });
            Names::new(list.collect(), excludes(part), has_variables && has_case)
        };
        let mut values: BTreeMap<(&'a str, &'a str), Vec<&'a str>> = BTreeMap::new();
        for Term { kind, key, name } in grant.named(Part::Condition) {
            values.entry((kind, key)).or_default().push(name);
        }
        let tests = values
            .into_iter()
            .map(|((operator, key), values)| Test::new(operator, key, values, has_variables));
        let mut tests: Vec<Test<'a>> = tests.collect();
        tests.sort_unstable();
        tests.dedup();
        Some(Self {
            is_allow: grant.is_allow(),
            principals: Principals::new(
                &grant.part(Part::Principal).list,
                excludes(Part::Principal),
            ),
            actions: names(Part::Action, false),
            resources: names(Part::Resource, true),
            tests,
        })
    }

    /// Whether the statement can never hold, because a part of it is empty.
    pub(super) fn is_nothing(&self) -> bool {
        self.actions.is_nothing() || self.resources.is_nothing()
    }

    /// Makes the statement that allows everything.
    pub(super) fn everything() -> Self {
        let all = || Names::new(vec!["*".into()], false, false);
        Self {
            is_allow: true,
            principals: Principals::new(&[], true),
            actions: all(),
            resources: all(),
            tests: Vec::new(),
        }
    }
}

/// All statements of the policies that hold together, such as those of a role.
#[derive(Clone, Debug, Default)]
pub(super) struct Statements<'a> {
    /// The statements that can be compared.
    pub(super) list: Vec<Statement<'a>>,
    /// What has parts that are not known: statements, or whole policies.
    pub(super) unreadable: Vec<MarkedValue<'a>>,
    /// What only people read: the names of statements and policies, sorted.
    pub(super) labels: Vec<&'a str>,
}

impl<'a> Statements<'a> {
    /// Adds the statements of a policy, which was read of `document`.
    pub(super) fn add(&mut self, policy: &Policy<'a>, document: MarkedValue<'a>) {
        let [version, id] = policy.head;
        self.labels.extend(id);
        let are_whole = policy.statements.iter().all(|grant| grant.is_whole);
        if are_whole && !policy.is_whole {
            self.unreadable.push(document);
            return;
        }
        for grant in &policy.statements {
            self.labels
                .extend(Some(grant.sid).filter(|sid| !sid.is_empty()));
            match Statement::new(grant, version == Some(WITH_VARIABLES)) {
                Some(statement) => self.list.push(statement),
                None => self.unreadable.extend(grant.json),
            }
        }
        self.labels.sort_unstable();
    }

    /// Makes the one statement that allows everything.
    pub(super) fn everything() -> Self {
        Self {
            list: vec![Statement::everything()],
            ..Self::default()
        }
    }
}
