//! Grades how grave a grant of a policy is, and puts it into words.
//!
//! ```text
//! Allow s3:* on * for everybody                      critical
//! Allow s3:GetObject on arn:aws:s3:::logs/*          no finding of its own
//! ```

use std::collections::HashSet;

use super::grade::grade;
use crate::access::{Class, Grant, Part, Term};
use crate::glob;
use crate::review::entry::Level;
use crate::text::first_of;

/// The actions that let whoever has them on everything take other rights, run something as somebody else, or read
/// secrets.
pub(super) const POWERFUL: [&str; 24] = [
    "iam:passrole",
    "iam:createpolicyversion",
    "iam:setdefaultpolicyversion",
    "iam:attachrolepolicy",
    "iam:attachuserpolicy",
    "iam:attachgrouppolicy",
    "iam:putrolepolicy",
    "iam:putuserpolicy",
    "iam:putgrouppolicy",
    "iam:createaccesskey",
    "iam:createloginprofile",
    "iam:updateloginprofile",
    "iam:updateassumerolepolicy",
    "iam:addusertogroup",
    "iam:deleterolepermissionsboundary",
    "iam:putrolepermissionsboundary",
    "sts:assumerole",
    "ssm:sendcommand",
    "ssm:startsession",
    "secretsmanager:getsecretvalue",
    "lambda:updatefunctioncode",
    "kms:putkeypolicy",
    "s3:putbucketpolicy",
    "cloudtrail:stoplogging",
];

/// The services whose rights as a whole reach neither data nor other rights.
pub(super) const HARMLESS: [&str; 14] = [
    "application-autoscaling",
    "autoscaling-plans",
    "ce",
    "cloudwatch",
    "cloudwatchwarnings",
    "evidently",
    "health",
    "logs",
    "oam",
    "pi",
    "resource-groups",
    "rum",
    "support",
    "xray",
];

/// Whether an action matters wherever it is given on everything: it is one of `POWERFUL`, or all of a service that is
/// not harmless.
pub(super) fn is_powerful(action: &str) -> bool {
    let action = action.to_ascii_lowercase();
    let all_of_service = action.strip_suffix(":*");
    all_of_service.is_some_and(|service| !HARMLESS.contains(&service))
        || POWERFUL
            .iter()
            .any(|pattern| glob::matches(&action, pattern))
}

/// Whether an action only tells which objects there are.
pub(super) fn only_lists(action: &str) -> bool {
    let verb = action.split_once(':').map_or("", |(_, verb)| verb);
    ["Describe", "List"]
        .iter()
        .any(|start| verb.starts_with(start))
}

/// Whether a statement has only named actions on named objects, for whoever has the policy. This is what a workload
/// needs for itself.
pub(super) fn is_for_one_workload(statement: &Grant<'_>, actions: &[&str]) -> bool {
    let is_named = |resource: &Term<'_>| {
        // Everything below a name may be meant, such as all objects of a bucket.
        let object = resource.name.splitn(6, ':').nth(5).unwrap_or_default();
        let name = object.strip_suffix('*').unwrap_or(object);
        let is_below = name.len() == object.len() || name.ends_with(['/', ':']);
        let name = name.trim_end_matches(['/', ':']);
        !name.is_empty() && !name.contains(['*', '?']) && is_below
    };
    let resources = statement.named(Part::Resource);
    let principals = &statement.principals;
    !principals.are_excluded
        && principals.list.is_empty()
        && !resources.is_empty()
        && resources.iter().all(is_named)
        && actions
            .iter()
            .all(|action| !action.contains(['*', '?']) && !is_powerful(action))
}

/// Returns the level and weight of a grant of these actions; `None` if it is neither wide nor powerful.
pub(super) fn grade_of(statement: &Grant<'_>, actions: &[&str]) -> Option<(Level, u8)> {
    if !statement.is_allow() {
        return None;
    }
    let principals = statement.named(Part::Principal);
    let is_everybody = statement.excluded(Part::Principal).is_some()
        || principals.iter().any(|principal| principal.name == "*");
    // Everybody who has an account at the provider of identities.
    let federated = || {
        principals
            .iter()
            .filter(|principal| principal.kind == "Federated")
    };
    let is_met_by_all =
        !statement.has_condition() || is_open(statement) || is_met_with_encryption(statement);
    let resources = statement.named(Part::Resource);
    let is_on_all = statement.excluded(Part::Resource).is_some()
        || resources.iter().any(|resource| resource.name == "*");
    // On all objects of the service that an action is of.
    let is_on_all_of = |action: &str| {
        let service = action.split_once(':').map_or("*", |(service, _)| service);
        is_on_all
            || resources
                .iter()
                .filter_map(|resource| service_of_all(resource.name))
                .any(|own| own == service || own == "*" || service == "*")
    };
    let is_on_all_of_iam = is_on_all
        || resources
            .iter()
            .any(|resource| matches!(service_of_all(resource.name), Some("iam" | "*")));
    let everything = !excludes_administration(statement)
        && principals.is_empty()
        && is_on_all_of_iam
        && actions.iter().any(|action| gives_all_rights(action));
    let opens_data = is_met_by_all && is_everybody
        || federated().next().is_some() && is_open(statement)
        || federated().any(|principal| is_shared_issuer(principal.name)) && names_nobody(statement);
    let allows_the_rest = statement
        .excluded(Part::Action)
        .is_some_and(|terms| terms.iter().all(|term| term.name != "*"));
    let opens_others = is_on_all && principals.is_empty() && allows_the_rest;
    let opens_power = principals.is_empty()
        && !statement.has_condition()
        && actions
            .iter()
            .any(|action| is_powerful(action) && is_on_all_of(action));
    let classes = [
        (everything, Class::Administration),
        (opens_data, Class::Data),
        (opens_others || opens_power, Class::Other),
    ];
    let class = classes
        .into_iter()
        .find_map(|(opens, class)| opens.then_some(class));
    // Whom a condition does not name, it does not leave out.
    let leaves_nobody_out = || is_everybody && says_nobody(statement);
    let grade = class.map(|class| grade(class, true));
    grade.or_else(|| leaves_nobody_out().then_some((Level::Warning, 0)))
}

/// Returns the service of a pattern that is all of its objects, in any account: `arn:aws:s3:::*`. All objects of IAM in
/// one account are all that there are for who has rights there.
fn service_of_all(resource: &str) -> Option<&str> {
    let mut parts = resource.splitn(6, ':').skip(2);
    let (service, _, account, object) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_all = object == "*" && (matches!(account, "" | "*") || service == "iam");
    is_all.then_some(service)
}

/// Whether a condition asks for nothing but an encrypted connection, which everybody can have.
fn is_met_with_encryption(statement: &Grant<'_>) -> bool {
    let terms = statement.named(Part::Condition);
    let is_met = |term: &Term<'_>| {
        term.key.eq_ignore_ascii_case("aws:SecureTransport") && term.name == "true"
    };
    !terms.is_empty() && terms.iter().all(is_met)
}

/// Whether no condition of a statement says who asks, for whom, or from where.
fn says_nobody(statement: &Grant<'_>) -> bool {
    /// What the names of keys have that say it, in lower case: those of principals, accounts, networks, and services
    /// that ask for somebody.
    const WORDS: [&str; 14] = [
        "principal",
        "source",
        "user",
        "account",
        "caller",
        "via",
        "vpc",
        "org",
        "sub",
        "referer",
        "arn",
        "owner",
        "group",
        "role",
    ];
    let says_who = |term: &Term<'_>| {
        let key = term.key.to_ascii_lowercase();
        WORDS.iter().any(|word| key.contains(word))
    };
    let terms = statement.named(Part::Condition);
    !terms.is_empty() && !terms.iter().any(says_who)
}

/// Whether a condition of an old statement bound some of the actions. It may be gone now.
pub(super) fn was_bound(old: &[Grant<'_>], actions: &[&str]) -> bool {
    let actions: HashSet<&str> = actions.iter().copied().collect();
    let bound = old
        .iter()
        .filter(|was| was.is_allow() && was.has_condition());
    bound
        .flat_map(Grant::action_names)
        .any(|action| actions.contains(action))
}

/// Whether a new grant does not matter: it only lists objects, or is for a service or for one workload.
pub(super) fn is_minor(statement: &Grant<'_>, actions: &[&str]) -> bool {
    let only_lists = !actions.is_empty() && actions.iter().all(|action| only_lists(action));
    let principals = statement.named(Part::Principal);
    // A service of AWS acts for the account, not for others.
    let is_service = !principals.is_empty()
        && principals
            .iter()
            .all(|principal| principal.kind == "Service");
    let is_own = principals.is_empty() && (only_lists || is_for_one_workload(statement, actions));
    statement.is_allow() && statement.excluded(Part::Principal).is_none() && (is_service || is_own)
}

/// Whether an action gives all rights: `*`, and a pattern that covers attaching a policy to oneself.
pub(super) fn gives_all_rights(action: &str) -> bool {
    let action = action.to_ascii_lowercase();
    let is_pattern = action.contains(['*', '?']);
    action == "*"
        || is_pattern
            && ["iam:attachrolepolicy", "iam:putrolepolicy"]
                .iter()
                .any(|pattern| glob::matches(&action, pattern))
}

/// Whether a statement excludes everything or IAM from its actions or resources.
pub(super) fn excludes_administration(statement: &Grant<'_>) -> bool {
    let excluded = [Part::Action, Part::Resource].map(|part| statement.excluded(part));
    excluded.into_iter().flatten().flatten().any(|term| {
        let name = term.name.to_ascii_lowercase();
        name == "*" || name.starts_with("iam:") || name.contains(":iam:")
    })
}

/// Whether a provider of identities issues tokens for the repositories or projects of everybody at a service.
pub(super) fn is_shared_issuer(provider: &str) -> bool {
    /// The endings of the ARNs of such providers.
    const ISSUERS: [&str; 3] = [
        "/token.actions.githubusercontent.com",
        "/gitlab.com",
        "/app.terraform.io",
    ];
    ISSUERS.iter().any(|issuer| provider.ends_with(issuer))
}

/// Whether no condition of a statement names who may use it. Conditions on the audience do not count, because everybody
/// can write that a token is meant for us.
pub(super) fn names_nobody(statement: &Grant<'_>) -> bool {
    let is_known = statement.is_whole || statement.json_condition().is_none();
    is_known
        && statement
            .named(Part::Condition)
            .iter()
            .all(|term| term.key.ends_with(":aud"))
}

/// Whether all conditions of a statement are met by everybody.
pub(super) fn is_open(statement: &Grant<'_>) -> bool {
    let terms = statement.named(Part::Condition);
    let is_any = |term: &Term<'_>| match term.kind {
        "IpAddress" => matches!(term.name, "0.0.0.0/0" | "::/0"),
        test => test.contains("StringLike") && matches!(term.name, "*" | "repo:*"),
    };
    !terms.is_empty() && terms.iter().all(is_any)
}

/// Returns a statement with these actions in words: `Allow "s3:GetObject" on "*" for "*" if …`. Long lists are
/// shortened.
pub(super) fn in_words(statement: &Grant<'_>, actions: &[&str]) -> String {
    let some = |items: &[&str]| {
        let shown = if items.len() > 4 { 3 } else { items.len() };
        first_of(items.iter().map(|item| format!("{item:?}")), shown)
    };
    let mut words = if statement.is_allow() {
        "Allow "
    } else {
        "Deny "
    }
    .to_owned();
    for (before, part) in [
        ("", Part::Action),
        (" on ", Part::Resource),
        (" for ", Part::Principal),
    ] {
        let terms = statement.part(part);
        let names: Vec<&str> = terms.list.iter().map(|term| term.name).collect();
        if terms.are_excluded {
            words.push_str(&format!("{before}all but {}", some(&names)));
        } else if part == Part::Action {
            words.push_str(&some(actions));
        } else if !names.is_empty() {
            words.push_str(&format!("{before}{}", some(&names)));
        }
    }
    if statement.has_condition() {
        words.push_str(&format!(" if {}", conditions(statement)));
    }
    words
}

/// Returns the conditions of a statement in words: `StringLike sub = "repo:*" and …`.
pub(super) fn conditions(statement: &Grant<'_>) -> String {
    /// The maximum number of conditions, and of values of one, that are shown.
    const MAX_SHOWN: usize = 3;
    let terms = statement
        .named(Part::Condition)
        .iter()
        .map(|term| ((term.kind, term.key), term));
    let by_key = crate::grouping::groups(terms);
    let text = |terms: &Vec<&Term<'_>>| {
        let values = first_of(
            terms.iter().map(|term| format!("{:?}", term.name)),
            MAX_SHOWN,
        );
        terms
            .first()
            .map(|Term { kind, key, .. }| format!("{kind} {key} = {values}"))
    };
    let mut texts: Vec<String> = by_key.iter().take(MAX_SHOWN).filter_map(text).collect();
    if by_key.len() > MAX_SHOWN {
        texts.push(format!("{} more", by_key.len() - MAX_SHOWN));
    }
    if texts.is_empty() {
        "a condition holds".to_owned()
    } else {
        texts.join(" and ")
    }
}
