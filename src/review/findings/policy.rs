//! New grants in JSON policies, in words.
//!
//! A grant is one action of one statement. It is new if no old statement allows that action to the same
//! principals, on the same resources, under the same conditions.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::condition::Told;
use super::exposure::grade;
use crate::access::{Class, Field, Grants, Policies, Statement, Term, Word, glob_matches, grants};
use crate::review::entry::Level;
use crate::text::first_of;

/// The maximum number of new grants with a line of their own.
const MAX_LINES: usize = 5;

/// The new grants of an IAM policy. For a new policy, or one whose old text is no policy, only grants to
/// everybody and grants of everything.
pub(super) fn iam<'w>(
    old: Option<&'w str>,
    new: &'w str,
    is_created: bool,
    policies: &Policies<'w>,
) -> Vec<Told> {
    let after = policies.read(new);
    if after.is_none() && !new.is_empty() {
        return Vec::new();
    }
    let before = old.and_then(|text| policies.read(text));
    let [before, after] =
        [&before, &after].map(|policy| policy.as_ref().map_or(&[][..], |policy| &policy.statements));
    new_grants(before, after, is_created)
}

/// What statements grant that those before did not.
pub(super) fn new_grants(old: &[Statement<'_>], new: &[Statement<'_>], is_created: bool) -> Vec<Told> {
    let Grants { added, removed, is_complete } = grants(old, new);
    let mut by_sid = HashMap::new();
    for statement in old {
        by_sid.entry(statement.sid).or_insert(statement);
    }
    let added = added.iter().filter_map(|(at, actions)| {
        let statement = new.get(*at)?;
        let actions = actions_at(statement, actions);
        let is_told = !is_created && !old.is_empty() || grade_of(statement, &actions).is_some();
        is_told.then_some((statement, actions, true))
    });
    let removed = removed.iter().filter_map(|(at, actions)| {
        let statement = old.get(*at)?;
        Some((statement, actions_at(statement, actions), false))
    });
    let mut found: Vec<_> = added.chain(removed).collect();
    crate::sort::by_key(&mut found, |(statement, actions, _)| Reverse(grade_of(statement, actions)));
    let more = found.len().saturating_sub(MAX_LINES);
    let line = |(statement, actions, is_added): (&Statement<'_>, Vec<&str>, bool)| {
        let was = statement.sid.filter(|sid| !sid.text().is_empty()).and_then(|sid| by_sid.get(&Some(sid)));
        let was = was.filter(|was| has_lost(was, statement));
        let text = in_words(statement, &actions);
        if !is_added {
            return Told::from(match narrowed(new, &actions, &text) {
                Some(now) => format!("{text} is narrowed (now {now})"),
                None => format!("{text} is removed"),
            });
        }
        let was = was.map(|was| format!(" (was {})", in_words(was, &was.actions().collect::<Vec<_>>())));
        let text = match was {
            Some(was) => text + &was,
            None => in_words(&newly_named(old, statement), &actions),
        };
        Told { text, grade: grade_of(statement, &actions) }
    };
    let mut lines: Vec<Told> = found.into_iter().take(MAX_LINES).map(line).collect();
    lines.extend((more > 0).then(|| format!("and {more} more grants").into()));
    if !is_complete {
        lines.push("the policy is too large to compare all of its grants".to_owned().into());
    }
    lines
}

/// Whether an old statement has another effect, or names or leaves out something that the new one does not.
fn has_lost(old: &Statement<'_>, new: &Statement<'_>) -> bool {
    let mut fields = Field::ALL.into_iter();
    old.is_allow() != new.is_allow()
        || fields.any(|field| {
            let (old, new) = (old.field(field), new.field(field));
            let now: HashSet<&Term<'_>> = new.named.iter().collect();
            old.excluded != new.excluded || !old.named.iter().all(|name| now.contains(name))
        })
}

/// A statement without the principals and resources for which those before granted the same.
fn newly_named<'a>(old: &[Statement<'a>], statement: &Statement<'a>) -> Statement<'a> {
    /// The maximum number of names that are looked up one by one.
    const MAX_NAMES: usize = 50;
    let mut new = statement.clone();
    for field in [Field::Principal, Field::Resource] {
        let names = statement.field(field).named.clone();
        if !(2..=MAX_NAMES).contains(&names.len()) || old.is_empty() {
            continue;
        }
        let is_new = |name: &Term<'a>| {
            let mut only = new.clone();
            only.field_mut(field).named = vec![*name];
            !grants(old, &[only]).added.is_empty()
        };
        let kept: Vec<Term<'a>> = names.into_iter().filter(is_new).collect();
        if !kept.is_empty() {
            new.field_mut(field).named = kept;
        }
    }
    new
}

/// The statement that still denies some of these actions, in words.
fn narrowed(new: &[Statement<'_>], actions: &[&str], text: &str) -> Option<String> {
    let denies = |action: &str| actions.iter().any(|old| glob_matches(old, action));
    let denies = |statement: &&Statement<'_>| !statement.is_allow() && statement.actions().any(denies);
    let now = new
        .iter()
        .filter(denies)
        .map(|statement| in_words(statement, &statement.actions().collect::<Vec<_>>()));
    now.into_iter().find(|now| now != text)
}

/// The actions of a statement with these indices.
fn actions_at<'a>(statement: &Statement<'a>, indices: &[usize]) -> Vec<&'a str> {
    let all: Vec<&str> = statement.actions().collect();
    indices.iter().filter_map(|at| all.get(*at).copied()).collect()
}

/// The level and weight of a statement that grants something to everybody, or grants everything.
fn grade_of(statement: &Statement<'_>, actions: &[&str]) -> Option<(Level, u8)> {
    if !statement.is_allow() {
        return None;
    }
    let excludes = |field: Field| statement.field(field).excluded.is_some();
    let is_everybody = excludes(Field::Principal) || statement.principals().any(|(_, name)| name == "*");
    // Everybody with an account at the provider of identities.
    let is_federated = statement.principals().any(|(kind, _)| kind == "Federated");
    let is_shared = statement.principals().any(|(kind, name)| kind == "Federated" && is_shared_issuer(name));
    let is_met_by_all = !statement.has_condition() || is_open(statement);
    let is_on_all = excludes(Field::Resource) || statement.resources().any(|resource| resource == "*");
    let everything = !excludes_administration(statement)
        && statement.principals().next().is_none()
        && is_on_all
        && actions.iter().any(|action| gives_all_rights(action));
    let opens_data = is_met_by_all && is_everybody
        || is_federated && is_open(statement)
        || is_shared && names_nobody(statement);
    let opens_others = is_on_all && statement.principals().next().is_none() && allows_the_rest(statement);
    let classes =
        [(everything, Class::Administration), (opens_data, Class::Data), (opens_others, Class::Other)];
    let class = classes.into_iter().find_map(|(opens, class)| opens.then_some(class));
    class.map(|class| grade(class, true))
}

/// Whether `NotAction` leaves out some actions, so that all others are allowed.
fn allows_the_rest(statement: &Statement<'_>) -> bool {
    let is_part = |term: &Term<'_>| matches!(term, Term::Plain(Word::Text(name)) if *name != "*");
    statement.field(Field::Action).excluded.as_ref().is_some_and(|terms| terms.iter().all(is_part))
}

/// Whether an action, or what a pattern of actions covers, gives all others: by a policy for oneself.
fn gives_all_rights(action: &str) -> bool {
    let action = action.to_ascii_lowercase();
    let is_pattern = action.contains(['*', '?']);
    action == "*"
        || is_pattern
            && ["iam:attachrolepolicy", "iam:putrolepolicy"].iter().any(|own| glob_matches(&action, own))
}

/// Whether `NotAction` or `NotResource` leaves out what gives all other rights.
fn excludes_administration(statement: &Statement<'_>) -> bool {
    let excluded = [Field::Action, Field::Resource].map(|field| statement.field(field).excluded.as_deref());
    excluded.into_iter().flatten().flatten().any(|term| {
        let Term::Plain(Word::Text(name)) = term else { return true };
        let name = name.to_ascii_lowercase();
        name == "*" || name.starts_with("iam:") || name.contains(":iam:")
    })
}

/// Whether a provider of identities has everybody's accounts: those of all repositories or projects of a service.
fn is_shared_issuer(provider: &str) -> bool {
    const ISSUERS: [&str; 3] = ["/token.actions.githubusercontent.com", "/gitlab.com", "/app.terraform.io"];
    ISSUERS.iter().any(|issuer| provider.ends_with(issuer))
}

/// Whether no condition requires more of who asks than that it is meant for us, which everybody can write.
fn names_nobody(statement: &Statement<'_>) -> bool {
    let terms = &statement.field(Field::Condition).named;
    let is_audience =
        |term: &Term<'_>| matches!(term, Term::Condition(_, Some(key), _) if key.text().ends_with(":aud"));
    (statement.is_whole || statement.condition.is_null()) && terms.iter().all(is_audience)
}

/// Whether a condition requires nothing of who asks, because all of its values are patterns for everything.
fn is_open(statement: &Statement<'_>) -> bool {
    let terms = &statement.field(Field::Condition).named;
    let is_any = |term: &Term<'_>| {
        let Term::Condition(test, _, value) = term else { return false };
        match test.map_or("", Word::text) {
            "IpAddress" => matches!(value.text(), "0.0.0.0/0" | "::/0"),
            test => test.contains("StringLike") && matches!(value.text(), "*" | "repo:*"),
        }
    };
    !terms.is_empty() && terms.iter().all(is_any)
}

/// The text `Allow "s3:GetObject" on "b/*" for "1234"`.
fn in_words(statement: &Statement<'_>, actions: &[&str]) -> String {
    let some = |items: &[&str]| {
        let shown = if items.len() > 4 { 3 } else { items.len() };
        first_of(items.iter().map(|item| format!("{item:?}")), shown)
    };
    let excluded = |field: Field| {
        let terms = statement.field(field).excluded.as_deref()?;
        let names = terms.iter().map(|term| match *term {
            Term::Plain(name) | Term::Principal(_, name) | Term::Condition(_, _, name) => name.shown(),
        });
        Some(format!("all but {}", some(&names.collect::<Vec<_>>())))
    };
    let effect = if statement.is_allow() { "Allow" } else { "Deny" };
    let resources: Vec<&str> = statement.resources().collect();
    let principals: Vec<&str> = statement.principals().map(|(_, name)| name).collect();
    let mut words = format!("{effect} {}", excluded(Field::Action).unwrap_or_else(|| some(actions)));
    for (before, field, names) in [("on", Field::Resource, resources), ("for", Field::Principal, principals)]
    {
        match excluded(field) {
            Some(others) => words.push_str(&format!(" {before} {others}")),
            None if names.is_empty() => {}
            None => words.push_str(&format!(" {before} {}", some(&names))),
        }
    }
    if statement.has_condition() {
        words.push_str(&format!(" if {}", conditions(statement)));
    }
    words
}

/// The text `StringLike sub = "repo:*" and …`.
fn conditions(statement: &Statement<'_>) -> String {
    const MAX_SHOWN: usize = 3;
    let mut by_key: Vec<((&str, &str), Vec<&str>)> = Vec::new();
    for term in &statement.field(Field::Condition).named {
        if let Term::Condition(test, key, value) = term {
            let key = (test.map_or("", Word::text), key.map_or("", Word::text));
            match by_key.last_mut().filter(|(last, _)| *last == key) {
                Some((_, values)) => values.push(value.text()),
                None => by_key.push((key, vec![value.text()])),
            }
        }
    }
    if by_key.is_empty() {
        return "a condition holds".to_owned();
    }
    let more = by_key.len().saturating_sub(MAX_SHOWN);
    let text = |((test, key), values): &((&str, &str), Vec<&str>)| {
        let shown = first_of(values.iter().map(|value| format!("{value:?}")), MAX_SHOWN);
        format!("{test} {key} = {shown}")
    };
    let mut texts: Vec<String> = by_key.iter().take(MAX_SHOWN).map(text).collect();
    if more > 0 {
        texts.push(format!("{more} more"));
    }
    texts.join(" and ")
}
