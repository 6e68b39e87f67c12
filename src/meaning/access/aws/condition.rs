//! Tests of conditions, and the classes into which the tests of one key part all requests.
//!
//! Each key may be missing in a request. It may have several values if a test counts them (`ForAllValues`). Its values
//! are texts, numbers, dates or addresses, as the tests read them; a key whose tests differ in that has a value of each.
//!
//! ```text
//! Bool           missing: false     true: true     false: false
//! BoolIfExists   missing: true      true: true     false: false
//! ```
//!
//! The operators are those of "IAM JSON policy elements: Condition operators" and "Multivalued context keys" in the
//! IAM User Guide.

use std::collections::{BTreeMap, BTreeSet};

use super::text::Text;
use super::values::{Order, Range, address, date, number, signatures};
use crate::meaning::access::class_set::ClassSet;
use crate::meaning::access::patterns::{Work, classes};

/// Which of the values of a key must pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Quantifier {
    /// The only one.
    One,
    /// All of them, also if there are none.
    All,
    /// At least one.
    Any,
}

/// What a value of a key is compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind<'a> {
    /// The same text.
    Exact,
    /// The same text in either case.
    Fold,
    /// A pattern.
    Glob,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number(Order),
    /// A date.
    Date(Order),
    /// A network that the address is in.
    Address,
    /// Whether the key is missing.
    Null,
    /// An operator, or values of one, that nobody here knows.
    Unknown(&'a str),
}

/// What the values of a key are read as. Values of different families are compared on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Family {
    Text,
    Number,
    Date,
    Address,
    Unknown,
}

/// The values that pass a test: of which kind, and which ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Passing<'a> {
    kind: Kind<'a>,
    /// The values, sorted.
    values: Vec<&'a str>,
    has_variables: bool,
}

impl Passing<'_> {
    /// Returns what the values are read as.
    fn family(&self) -> Family {
        match self.kind {
            Kind::Exact | Kind::Fold | Kind::Glob | Kind::Bool => Family::Text,
            Kind::Number(_) => Family::Number,
            Kind::Date(_) => Family::Date,
            Kind::Address => Family::Address,
            Kind::Null | Kind::Unknown(_) => Family::Unknown,
        }
    }

    /// Returns the ranges of numbers, dates or addresses that pass; `None` if a value cannot be read.
    fn ranges(&self) -> Option<Vec<Range>> {
        self.values
            .iter()
            .map(|value| match self.kind {
                Kind::Number(order) => number(value, order),
                Kind::Date(order) => date(value, order),
                Kind::Address => address(value),
                Kind::Exact
                | Kind::Fold
                | Kind::Glob
                | Kind::Bool
                | Kind::Null
                | Kind::Unknown(_) => None,
            })
            .collect()
    }
}

/// One test of a condition: an operator, a key and its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Test<'a> {
    /// The key, in lower case, because keys have no case.
    pub(super) key: String,
    passing: Passing<'a>,
    quantifier: Quantifier,
    /// Whether the values must not pass.
    is_negated: bool,
    /// Whether the test holds where the key is missing (`IfExists`).
    is_lenient: bool,
}

impl<'a> Test<'a> {
    /// Reads a test.
    pub(super) fn new(
        operator: &'a str,
        key: &str,
        mut values: Vec<&'a str>,
        may_have_variables: bool,
    ) -> Self {
        let (quantifier, name) = match operator.split_once(':') {
            Some(("ForAllValues", name)) => (Quantifier::All, name),
            Some(("ForAnyValue", name)) => (Quantifier::Any, name),
            Some(_) | None => (Quantifier::One, operator),
        };
        let (name, is_lenient) = match name.strip_suffix("IfExists") {
            Some(name) => (name, true),
            None => (name, false),
        };
        use Order::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
        let (kind, is_negated) = match name {
            "StringEquals" | "BinaryEquals" => (Kind::Exact, false),
            "StringNotEquals" => (Kind::Exact, true),
            "StringEqualsIgnoreCase" => (Kind::Fold, false),
            "StringNotEqualsIgnoreCase" => (Kind::Fold, true),
            "StringLike" | "ArnLike" | "ArnEquals" => (Kind::Glob, false),
            "StringNotLike" | "ArnNotLike" | "ArnNotEquals" => (Kind::Glob, true),
            "Bool" => (Kind::Bool, false),
            "NumericEquals" => (Kind::Number(Equal), false),
            "NumericNotEquals" => (Kind::Number(Equal), true),
            "NumericLessThan" => (Kind::Number(Less), false),
            "NumericLessThanEquals" => (Kind::Number(LessOrEqual), false),
            "NumericGreaterThan" => (Kind::Number(Greater), false),
            "NumericGreaterThanEquals" => (Kind::Number(GreaterOrEqual), false),
            "DateEquals" => (Kind::Date(Equal), false),
            "DateNotEquals" => (Kind::Date(Equal), true),
            "DateLessThan" => (Kind::Date(Less), false),
            "DateLessThanEquals" => (Kind::Date(LessOrEqual), false),
            "DateGreaterThan" => (Kind::Date(Greater), false),
            "DateGreaterThanEquals" => (Kind::Date(GreaterOrEqual), false),
            "IpAddress" => (Kind::Address, false),
            "NotIpAddress" => (Kind::Address, true),
            "Null" if !is_lenient && quantifier == Quantifier::One => (Kind::Null, false),
            _ => (Kind::Unknown(operator), false),
        };
        values.sort_unstable();
        values.dedup();
        let is_flag = |value: &&str| {
            ["true", "false"]
                .iter()
                .any(|flag| value.eq_ignore_ascii_case(flag))
        };
        let is_valid = kind != Kind::Null || values.len() == 1 && values.iter().all(is_flag);
        let kind = if is_valid {
            kind
        } else {
            Kind::Unknown(operator)
        };
        let has_variables = may_have_variables && values.iter().any(|value| value.contains("${"));
        let passing = Passing {
            kind,
            values,
            has_variables,
        };
        let is_read = match passing.family() {
            Family::Text | Family::Unknown => true,
            Family::Number | Family::Date | Family::Address => passing.ranges().is_some(),
        };
        Self {
            key: key.to_ascii_lowercase(),
            passing: Passing {
                kind: if is_read {
                    kind
                } else {
                    Kind::Unknown(operator)
                },
                ..passing
            },
            quantifier,
            is_negated,
            is_lenient,
        }
    }
}

/// The largest number of different lists of values that the tests of one key may have.
const MAX_PASSING: usize = 128;

/// A set of lists of values, by their numbers: those that a value passes.
type Passed = u128;

/// What a request has of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Presence {
    Missing,
    /// A key of several values that has none.
    Empty,
    Present,
}

/// A class of requests, by what they have of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    presence: Presence,
    /// What the first value passes, which is the only one for tests that do not count.
    first: Passed,
    /// What at least one value passes.
    any: Passed,
    /// What all values pass.
    all: Passed,
}

/// The classes of requests that the tests of one key tell apart.
#[derive(Debug)]
pub(super) struct Key<'s, 'a> {
    passing: BTreeMap<&'s Passing<'a>, u32>,
    classes: Vec<Class>,
}

impl<'s, 'a> Key<'s, 'a> {
    /// Finds the classes for all tests of a key; `None` if that takes too much work.
    pub(super) fn new(tests: &[&'s Test<'a>], work: &mut Work) -> Option<Self> {
        let mut passing: BTreeMap<&'s Passing<'a>, u32> = BTreeMap::new();
        for test in tests {
            let next = u32::try_from(passing.len()).ok()?;
            if test.passing.kind != Kind::Null {
                passing.entry(&test.passing).or_insert(next);
            }
        }
        if passing.len() > MAX_PASSING {
            return None;
        }
        let mut values: BTreeSet<Passed> = BTreeSet::from([0]);
        let mut without = BTreeSet::from([0]);
        for family in [
            Family::Text,
            Family::Number,
            Family::Date,
            Family::Address,
            Family::Unknown,
        ] {
            let members: Vec<(&Passing<'a>, u32)> = passing
                .iter()
                .filter(|(passing, _)| passing.family() == family)
                .map(|(passing, number)| (*passing, *number))
                .collect();
            if members.is_empty() {
                continue;
            }
            let own = match family {
                Family::Text => of_texts(&members, work)?,
                Family::Number | Family::Date | Family::Address => {
                    let ranges: Option<Vec<(u32, Vec<Range>)>> = members
                        .iter()
                        .map(|(passing, number)| Some((*number, passing.ranges()?)))
                        .collect();
                    signatures(&ranges?, family == Family::Address, work)?
                }
                Family::Unknown => {
                    let own = combinations(&members, work)?;
                    without = own.clone();
                    own
                }
            };
            work.spend(values.len().saturating_mul(own.len()))?;
            values = values
                .iter()
                .flat_map(|one| own.iter().map(move |other| one | other))
                .collect();
        }
        let counts = tests.iter().any(|test| test.quantifier != Quantifier::One);
        let mut classes: BTreeSet<Class> = BTreeSet::new();
        for passed in without {
            let class = Class {
                presence: Presence::Missing,
                first: passed,
                any: 0,
                all: 0,
            };
            classes.insert(class);
            if counts {
                classes.insert(Class {
                    presence: Presence::Empty,
                    all: Passed::MAX,
                    ..class
                });
            }
        }
        let mut open: Vec<Class> = values
            .iter()
            .map(|passed| Class {
                presence: Presence::Present,
                first: *passed,
                any: *passed,
                all: *passed,
            })
            .collect();
        while let Some(class) = open.pop() {
            if !classes.insert(class) || !counts {
                continue;
            }
            work.spend(values.len())?;
            open.extend(values.iter().map(|passed| Class {
                any: class.any | passed,
                all: class.all & passed,
                ..class
            }));
        }
        Some(Self {
            passing,
            classes: classes.into_iter().collect(),
        })
    }

    /// Returns the number of classes.
    pub(super) fn count(&self) -> usize {
        self.classes.len()
    }

    /// Returns the classes for which all tests hold, which are among those that the classes were made for.
    pub(super) fn set(&self, tests: &[&Test<'a>], work: &mut Work) -> Option<ClassSet> {
        work.spend(self.classes.len().saturating_mul(tests.len()))?;
        let holds = |class: &Class| tests.iter().all(|test| self.holds(test, class));
        let held = (0..).zip(&self.classes).filter(|(_, class)| holds(class));
        Some(ClassSet::Only(held.map(|(number, _)| number).collect()))
    }

    /// Whether a test holds for a class of requests.
    fn holds(&self, test: &Test<'a>, class: &Class) -> bool {
        let passes = |passed: Passed| {
            let number = self.passing.get(&test.passing);
            number.is_some_and(|number| passed & (1 << number) != 0)
        };
        match test.passing.kind {
            Kind::Null => {
                let must_miss = test
                    .passing
                    .values
                    .iter()
                    .any(|value| value.eq_ignore_ascii_case("true"));
                return (class.presence == Presence::Missing) == must_miss;
            }
            Kind::Unknown(_) => return passes(class.first),
            Kind::Exact
            | Kind::Fold
            | Kind::Glob
            | Kind::Bool
            | Kind::Number(_)
            | Kind::Date(_)
            | Kind::Address => {}
        }
        let is_missing = match class.presence {
            Presence::Missing => true,
            Presence::Empty => test.quantifier == Quantifier::One,
            Presence::Present => false,
        };
        match test.quantifier {
            Quantifier::One | Quantifier::Any | Quantifier::All
                if is_missing && test.is_lenient =>
            {
                true
            }
            // A negated test holds where the key is missing.
            Quantifier::One if is_missing => test.is_negated,
            Quantifier::All if is_missing => true,
            Quantifier::Any if is_missing => false,
            Quantifier::One => passes(class.first) != test.is_negated,
            Quantifier::All if test.is_negated => !passes(class.any),
            Quantifier::All => passes(class.all),
            Quantifier::Any if class.presence == Presence::Empty => false,
            Quantifier::Any if test.is_negated => !passes(class.all),
            Quantifier::Any => passes(class.any),
        }
    }
}

/// Returns what texts pass together; `None` if that takes too much work.
fn of_texts(members: &[(&Passing<'_>, u32)], work: &mut Work) -> Option<BTreeSet<Passed>> {
    let mut patterns = Vec::new();
    let mut numbers = Vec::new();
    for (passing, number) in members {
        let text = Text {
            is_glob: passing.kind == Kind::Glob,
            folds_case: matches!(passing.kind, Kind::Fold | Kind::Bool),
            has_variables: passing.has_variables,
        };
        for value in &passing.values {
            patterns.push(text.pattern(value));
            numbers.push(*number);
        }
    }
    let mut passed: BTreeSet<Passed> = classes(&patterns, work)?
        .iter()
        .map(|class| {
            let numbers = class
                .iter()
                .filter_map(|pattern| numbers.get(*pattern as usize));
            numbers.fold(0, |passed, number| passed | 1 << number)
        })
        .collect();
    // There is no third value of a flag.
    let is_tested = |flag: &str| {
        members.iter().any(|(passing, _)| {
            passing
                .values
                .iter()
                .any(|value| value.eq_ignore_ascii_case(flag))
        })
    };
    let are_flags = members
        .iter()
        .all(|(passing, _)| passing.kind == Kind::Bool);
    if are_flags && is_tested("true") && is_tested("false") {
        passed.remove(&0);
    }
    Some(passed)
}

/// Returns all combinations of tests of which nothing is known.
fn combinations(members: &[(&Passing<'_>, u32)], work: &mut Work) -> Option<BTreeSet<Passed>> {
    let mut all = BTreeSet::from([0]);
    for (_, number) in members {
        work.spend(all.len())?;
        let with: Vec<Passed> = all.iter().map(|passed| passed | 1 << number).collect();
        all.extend(with);
    }
    Some(all)
}
