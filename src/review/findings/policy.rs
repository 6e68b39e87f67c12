//! New grants in IAM policies, also in those that are known only after apply, and in policies of Vault, which are HCL or
//! JSON.
//!
//! A grant of IAM is one action of one statement. It is new if no old statement allows that action to the same
//! principals, on the same resources, under the same conditions.
//!
//! ```text
//! {"Effect": "Allow", "Action": "s3:Get*", …} -> {"Effect": "Allow", "Action": ["s3:Get*", "iam:*"], …}
//!
//! exposure, critical: Allow "iam:*" on "*"
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use foldhash::fast::RandomState;

use super::condition::{Condition, PolicyLanguage};
use super::grade::grade;
use super::rule::{Trigger, ValueTest};
use crate::access::{Class, Grants, Part, Statement, Term, grants};
use crate::diff::edits::Step;
use crate::diff::value::{Builder, MarkedValue, Redactor};
use crate::glob;
use crate::model::Action;
use crate::model::plan::Plan;
use crate::review::causes::{Causes, policy_documents};
use crate::review::documents::Documents;
use crate::review::entry::{Entry, Finding, Level};
use crate::review::findings::{FindingText, RuleFinder, StatementPlace, short};
use crate::review::value_path::{PathStep, Side, path_of_edit};
use crate::text::first_of;

/// The maximum number of new grants with a line of their own.
const MAX_LINES: usize = 5;

/// Returns the new grants of an IAM policy. If the old one is missing or is no policy, only grants
/// to everybody and grants of everything count.
pub(super) fn iam<'w>(
    old: &'w str,
    new: &'w str,
    is_created: bool,
    documents: &Documents<'w>,
) -> Vec<FindingText> {
    let after = documents.policy(new);
    if after.is_none() && !new.is_empty() {
        return Vec::new();
    }
    let before = documents.policy(old);
    let [before, after] = [&before, &after]
        .map(|policy| policy.as_ref().map_or(&[][..], |policy| &policy.statements));
    new_grants(before, after, is_created)
}

/// Returns what statements grant that those before did not.
fn new_grants(old: &[Statement<'_>], new: &[Statement<'_>], is_created: bool) -> Vec<FindingText> {
    let Grants {
        added,
        removed,
        is_complete,
    } = grants(old, new);
    let added = added
        .iter()
        .filter_map(|(offset, actions)| Some((new.get(*offset)?, actions, true)));
    let removed = removed
        .iter()
        .filter_map(|(offset, actions)| Some((old.get(*offset)?, actions, false)));
    let graded = added.chain(removed).map(|(statement, indices, is_added)| {
        let all: Vec<&str> = statement.actions().collect();
        let actions: Vec<&str> = indices
            .iter()
            .filter_map(|offset| all.get(*offset).copied())
            .collect();
        let is_minor = is_added && is_minor(statement, &actions) && !was_bound(old, &actions);
        let minor = is_minor.then_some((Level::Notice, 0));
        let grade = grade_of(statement, &actions);
        (grade.or(minor), statement, actions, is_added)
    });
    let is_told = !is_created && !old.is_empty();
    let mut found: Vec<_> = graded
        .filter(|(grade, .., is_added)| {
            let is_grave = grade.is_some_and(|(level, _)| level > Level::Notice);
            is_told || !is_added || is_grave
        })
        .collect();
    // Without a grade, it has that of the rule.
    found.sort_by_key(|(grade, ..)| Reverse(grade.unwrap_or((Level::Warning, 0))));
    let more = found.len().saturating_sub(MAX_LINES);
    let line = |(grade, statement, actions, is_added): (_, &Statement<'_>, Vec<&str>, bool)| {
        let text = in_words(statement, &actions);
        let was = old
            .iter()
            .find(|was| !was.sid.is_empty() && was.sid == statement.sid);
        let text = match (is_added, was.filter(|was| has_lost(was, statement))) {
            (true, Some(was)) => {
                format!(
                    "{text} (was {})",
                    in_words(was, &was.actions().collect::<Vec<_>>())
                )
            }
            (true, None) => in_words(&newly_named(old, statement), &actions),
            (false, _) => match counterpart(new, statement) {
                None if let Some(now) = remainder(new, statement) => format!(
                    "{text} is narrowed to {}",
                    in_words(now, &now.actions().collect::<Vec<_>>())
                ),
                Some(now) => format!(
                    "{} lets through: {}",
                    name_of(statement),
                    weakened(statement, now)
                ),
                None => format!("{text} is removed"),
            },
        };
        let (side, len) = match is_added {
            true => (Side::After, new.len()),
            false => (Side::Before, old.len()),
        };
        let place = |index| StatementPlace { side, index, len };
        FindingText {
            grade,
            statement: statement.index.map(place),
            ..FindingText::new(text)
        }
    };
    let mut lines: Vec<FindingText> = found.into_iter().take(MAX_LINES).map(line).collect();
    lines.extend((more > 0).then(|| FindingText::new(format!("and {more} more grants"))));
    if !is_complete {
        lines.push(FindingText::new(
            "the policy is too large to compare all of its grants",
        ));
    }
    lines
}

fn has_lost(old: &Statement<'_>, new: &Statement<'_>) -> bool {
    old.is_allow() != new.is_allow()
        || Part::ALL.into_iter().any(|part| {
            let now: HashSet<&Term<'_>> = new.named(part).iter().collect();
            old.excluded(part) != new.excluded(part)
                || !old.named(part).iter().all(|term| now.contains(term))
        })
}

/// Leaves out the principals and resources for which old statements granted the same.
fn newly_named<'a>(old: &[Statement<'a>], statement: &Statement<'a>) -> Statement<'a> {
    /// The maximum number of names that are looked up one by one.
    const MAX_NAMES: usize = 50;
    let mut new = statement.clone();
    for part in [Part::Principal, Part::Resource] {
        let names = statement.named(part);
        if !(2..=MAX_NAMES).contains(&names.len()) || old.is_empty() {
            continue;
        }
        let is_new = |name: &&Term<'a>| {
            let mut only = new.clone();
            only.parts[part as usize].1 = vec![**name];
            !grants(old, &[only]).added.is_empty()
        };
        let kept: Vec<Term<'a>> = names.iter().filter(is_new).copied().collect();
        if !kept.is_empty() {
            new.parts[part as usize].1 = kept;
        }
    }
    new
}

/// The statement that a Deny becomes: of the same name, or with the same actions on the same resources.
fn counterpart<'n, 'a>(new: &'n [Statement<'a>], was: &Statement<'a>) -> Option<&'n Statement<'a>> {
    let mut denies = new.iter().filter(|statement| !statement.is_allow());
    let same = |now: &&Statement<'_>, part: Part| {
        let [was, now] = [was, *now].map(|statement| {
            let (is_excluded, terms) = &statement.parts[part as usize];
            let names: BTreeSet<&str> = terms.iter().map(|term| term.name).collect();
            (*is_excluded, names)
        });
        was == now
    };
    let of_name = denies
        .clone()
        .find(|now| !was.sid.is_empty() && now.sid == was.sid);
    of_name.or_else(|| denies.find(|now| same(now, Part::Action) && same(now, Part::Resource)))
}

/// The statement that denies some of the actions of a Deny, and no others, on the same resources.
fn remainder<'n, 'a>(new: &'n [Statement<'a>], was: &Statement<'a>) -> Option<&'n Statement<'a>> {
    let is_of = |action: &str| was.actions().any(|own| glob::matches(own, action));
    let resources = |statement: &Statement<'a>| statement.parts[Part::Resource as usize].clone();
    new.iter().find(|now| {
        !now.is_allow()
            && [was, *now]
                .iter()
                .all(|one| one.excluded(Part::Action).is_none())
            && now.actions().all(is_of)
            && resources(now) == resources(was)
    })
}

/// The name of a statement, or else what it does to what.
fn name_of(statement: &Statement<'_>) -> String {
    if statement.sid.is_empty() {
        in_words(statement, &statement.actions().collect::<Vec<_>>())
    } else {
        format!("Deny {}", statement.sid)
    }
}

/// How a Deny holds for less than before: what it no longer names, or what it excepts now.
fn weakened(was: &Statement<'_>, now: &Statement<'_>) -> String {
    let mut changes = Vec::new();
    for (word, part) in [
        ("actions", Part::Action),
        ("resources", Part::Resource),
        ("principals", Part::Principal),
        ("condition", Part::Condition),
    ] {
        let [(was_excluded, old), (is_excluded, new)] =
            [was, now].map(|statement| &statement.parts[part as usize]);
        if was_excluded != is_excluded {
            changes.push(format!("{word} are named the other way round"));
            continue;
        }
        let [old_terms, new_terms]: [HashSet<&Term<'_>>; 2] =
            [old, new].map(|terms| terms.iter().collect());
        let words = |terms: &mut dyn Iterator<Item = &Term<'_>>| {
            let texts: Vec<String> = terms
                .map(|term| match term.key {
                    "" => format!("{:?}", term.name),
                    key => format!("{} {key} {:?}", term.kind, term.name),
                })
                .collect();
            (!texts.is_empty()).then(|| first_of(texts, MAX_LINES))
        };
        let lost = words(&mut old.iter().filter(|term| !new_terms.contains(term)));
        let gained = words(&mut new.iter().filter(|term| !old_terms.contains(term)));
        // An exception grows, and a condition is met by fewer with each that it names.
        let is_exception = *is_excluded || part == Part::Condition;
        if let Some(lost) = lost {
            let no_longer = if is_exception { "without" } else { "no longer" };
            changes.push(format!("{word} {no_longer} {lost}"));
        }
        if let Some(gained) = gained.filter(|_| is_exception) {
            changes.push(format!("{word} now with {gained}"));
        }
    }
    if changes.is_empty() {
        "its condition changes".to_owned()
    } else {
        changes.join(", ")
    }
}

/// Actions that let whoever has them on everything take other rights, run something as somebody else, or read secrets.
const POWERFUL: [&str; 24] = [
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

/// Services whose rights as a whole reach neither data nor other rights.
const HARMLESS: [&str; 14] = [
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

/// Whether an action is a right that matters wherever it is given on everything.
fn is_powerful(action: &str) -> bool {
    let action = action.to_ascii_lowercase();
    let all_of_service = action.strip_suffix(":*");
    all_of_service.is_some_and(|service| !HARMLESS.contains(&service))
        || POWERFUL.iter().any(|own| glob::matches(&action, own))
}

/// Actions that only tell what there is.
fn only_lists(action: &str) -> bool {
    let verb = action.split_once(':').map_or("", |(_, verb)| verb);
    ["Describe", "List"]
        .iter()
        .any(|start| verb.starts_with(start))
}

/// Named actions on named objects, for whoever has the policy: what a workload of one's own needs.
fn is_for_one_workload(statement: &Statement<'_>, actions: &[&str]) -> bool {
    let is_named = |resource: &Term<'_>| {
        // Below a name everything may be meant, such as the objects of a bucket.
        let object = resource.name.splitn(6, ':').nth(5).unwrap_or_default();
        let name = object.strip_suffix('*').unwrap_or(object);
        let is_below = name.len() == object.len() || name.ends_with(['/', ':']);
        let name = name.trim_end_matches(['/', ':']);
        !name.is_empty() && !name.contains(['*', '?']) && is_below
    };
    let resources = statement.named(Part::Resource);
    let (is_excluded, principals) = &statement.parts[Part::Principal as usize];
    !is_excluded
        && principals.is_empty()
        && !resources.is_empty()
        && resources.iter().all(is_named)
        && actions
            .iter()
            .all(|action| !action.contains(['*', '?']) && !is_powerful(action))
}

/// Returns how grave a grant is; `None` for one that is neither wide nor powerful.
fn grade_of(statement: &Statement<'_>, actions: &[&str]) -> Option<(Level, u8)> {
    if !statement.is_allow() {
        return None;
    }
    let principals = statement.named(Part::Principal);
    let is_everybody = statement.excluded(Part::Principal).is_some()
        || principals.iter().any(|principal| principal.name == "*");
    // Everybody with an account at the provider of identities.
    let federated = || {
        principals
            .iter()
            .filter(|principal| principal.kind == "Federated")
    };
    let is_met_by_all = !statement.has_condition() || is_open(statement);
    let is_on_all = statement.excluded(Part::Resource).is_some()
        || statement
            .named(Part::Resource)
            .iter()
            .any(|resource| resource.name == "*");
    let everything = !excludes_administration(statement)
        && principals.is_empty()
        && is_on_all
        && actions.iter().any(|action| gives_all_rights(action));
    let opens_data = is_met_by_all && is_everybody
        || federated().next().is_some() && is_open(statement)
        || federated().any(|principal| is_shared_issuer(principal.name)) && names_nobody(statement);
    let allows_the_rest = statement
        .excluded(Part::Action)
        .is_some_and(|terms| terms.iter().all(|term| term.name != "*"));
    let opens_others = is_on_all && principals.is_empty() && allows_the_rest;
    let opens_power = is_on_all
        && principals.is_empty()
        && !statement.has_condition()
        && actions.iter().any(|action| is_powerful(action));
    let classes = [
        (everything, Class::Administration),
        (opens_data, Class::Data),
        (opens_others || opens_power, Class::Other),
    ];
    let class = classes
        .into_iter()
        .find_map(|(opens, class)| opens.then_some(class));
    class.map(|class| grade(class, true))
}

/// Whether a condition bound some of the actions before, which may be gone now.
fn was_bound(old: &[Statement<'_>], actions: &[&str]) -> bool {
    let actions: HashSet<&str> = actions.iter().copied().collect();
    let bound = old
        .iter()
        .filter(|was| was.is_allow() && was.has_condition());
    bound
        .flat_map(Statement::actions)
        .any(|action| actions.contains(action))
}

/// A grant that is new, but does not matter.
fn is_minor(statement: &Statement<'_>, actions: &[&str]) -> bool {
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

/// Returns whether an action gives all rights. True for `*`, and for a pattern that covers giving
/// oneself a policy.
fn gives_all_rights(action: &str) -> bool {
    let action = action.to_ascii_lowercase();
    let is_pattern = action.contains(['*', '?']);
    action == "*"
        || is_pattern
            && ["iam:attachrolepolicy", "iam:putrolepolicy"]
                .iter()
                .any(|own| glob::matches(&action, own))
}

fn excludes_administration(statement: &Statement<'_>) -> bool {
    let excluded = [Part::Action, Part::Resource].map(|part| statement.excluded(part));
    excluded.into_iter().flatten().flatten().any(|term| {
        let name = term.name.to_ascii_lowercase();
        name == "*" || name.starts_with("iam:") || name.contains(":iam:")
    })
}

/// An issuer with the accounts of all repositories or projects of a service.
fn is_shared_issuer(provider: &str) -> bool {
    const ISSUERS: [&str; 3] = [
        "/token.actions.githubusercontent.com",
        "/gitlab.com",
        "/app.terraform.io",
    ];
    ISSUERS.iter().any(|issuer| provider.ends_with(issuer))
}

/// Everybody can write that a token is meant for us, so that condition does not count.
fn names_nobody(statement: &Statement<'_>) -> bool {
    let is_known = statement.is_whole || statement.json_condition().is_none();
    is_known
        && statement
            .named(Part::Condition)
            .iter()
            .all(|term| term.key.ends_with(":aud"))
}

fn is_open(statement: &Statement<'_>) -> bool {
    let terms = statement.named(Part::Condition);
    let is_any = |term: &Term<'_>| match term.kind {
        "IpAddress" => matches!(term.name, "0.0.0.0/0" | "::/0"),
        test => test.contains("StringLike") && matches!(term.name, "*" | "repo:*"),
    };
    !terms.is_empty() && terms.iter().all(is_any)
}

/// Describes a statement: `Allow "s3:GetObject" on "*" for "*" if …`. Long lists are shortened.
pub(super) fn in_words(statement: &Statement<'_>, actions: &[&str]) -> String {
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
        let (is_excluded, terms) = &statement.parts[part as usize];
        let names: Vec<&str> = terms.iter().map(|term| term.name).collect();
        if *is_excluded {
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

/// `StringLike sub = "repo:*" and …`.
fn conditions(statement: &Statement<'_>) -> String {
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

/// The index of an entry, and its attribute with a policy that is expected to stay as it is.
pub(in crate::review) type Unchanged<'a> = (usize, &'a str);

/// Returns what policies grant that are known only after apply, by the index of the entry: their
/// document is a data source that is read during apply, and the configuration has its statements.
/// Adds the policies that stay as they are to `unchanged`. Invariant: only statements that are known
/// as a whole count, and only if nothing may override them.
pub(in crate::review) fn expected<'a>(
    entries: &[Entry<'a>],
    finder: &RuleFinder<'_, '_>,
    plan: &Plan<'a>,
    redactor: Redactor<'a>,
    unchanged: &mut HashSet<Unchanged<'a>>,
) -> Vec<(usize, Vec<Finding<'a>>)> {
    let mut found = Vec::new();
    let documents = documents(entries);
    if documents.is_empty() {
        return found;
    }
    let causes = Causes::new(plan, redactor.arena);
    let hasher = redactor.arena.alloc(RandomState::default());
    let policies = Documents::new(Builder::new(redactor.arena, hasher));
    let listed = plan
        .resource_changes
        .iter()
        .enumerate()
        .filter(|(_, change)| !change.has_no_effect());
    for (index, (entry, (at, _))) in entries.iter().zip(listed).enumerate() {
        let rules = finder
            .rules
            .get(entry.resource_type)
            .filter(|_| entry.mode != "data");
        let mut findings = Vec::new();
        for rule in rules.into_iter().flatten() {
            let Trigger::Values(ValueTest {
                condition: Condition::Policy(PolicyLanguage::Iam),
                pattern,
                ..
            }) = &rule.trigger
            else {
                continue;
            };
            let attribute = pattern.first_name();
            let Some(old) = old_policy(entry, attribute).filter(|_| pattern.is_one_name()) else {
                continue;
            };
            let is_created = entry.action == Action::Create;
            let causes = if is_created {
                causes.find(at, &[attribute])
            } else {
                entry.causes.clone()
            };
            let own = causes.iter().filter(|cause| cause.attribute == attribute);
            // Of several documents, the expression may choose or combine.
            let [document] = own
                .filter_map(|cause| documents.get(cause.address))
                .collect::<Vec<_>>()[..]
            else {
                continue;
            };
            let blocks = document
                .get("statement")
                .and_then(MarkedValue::as_array)
                .unwrap_or_default();
            let known = blocks
                .iter()
                .filter(|block| !block.has_unknown() && !block.has_marks);
            let new: Vec<_> = known
                .filter_map(|block| Statement::from_block(*block))
                .collect();
            let old = policies.policy(old);
            let old = old.iter().flat_map(|policy| &policy.statements);
            let is_whole = new.len() == blocks.len() && is_alone(*document);
            let all: Vec<_> = old.clone().cloned().collect();
            if is_whole && !all.is_empty() && are_equal(&all, &new) {
                unchanged.insert((index, redactor.text(attribute)));
                continue;
            }
            // A Deny of the old policy may be in a part of the new one that is unknown.
            let old: Vec<_> = old
                .filter(|statement| statement.is_allow())
                .cloned()
                .collect();
            for finding_text in new_grants(&old, &new, is_created) {
                let path = path_of_edit(&[PathStep::Name(attribute)], Side::After, redactor);
                findings.push(Finding {
                    is_expected: true,
                    ..rule.finding(path, finding_text)
                });
            }
        }
        found.push((index, findings));
    }
    found
}

/// Whether the statements of a document are all that its policy has.
fn is_alone(document: MarkedValue<'_>) -> bool {
    let others = ["source_policy_documents", "source_json"];
    others.iter().all(|name| {
        let other = document.get(name);
        other.is_none_or(|other| other.is_null() || other.is_empty())
    })
}

/// Whether two policies allow and deny the same.
fn are_equal(old: &[Statement<'_>], new: &[Statement<'_>]) -> bool {
    [grants(old, new), grants(new, old)]
        .iter()
        .all(|found| found.is_complete && found.added.is_empty() && found.removed.is_empty())
}

fn documents<'a>(entries: &[Entry<'a>]) -> HashMap<&'a str, MarkedValue<'a>> {
    let overrides = |document: MarkedValue<'a>| {
        let own = |name| {
            document
                .get(name)
                .is_some_and(|own| !own.is_null() && !own.is_empty())
        };
        own("override_policy_documents") || own("override_json")
    };
    policy_documents(entries)
        .filter(|(address, document)| !address.is_empty() && !overrides(*document))
        .collect()
}

/// `None` unless the attribute becomes unknown; empty if there was no policy.
fn old_policy<'a>(entry: &Entry<'a>, attribute: &str) -> Option<&'a str> {
    entry.edits.iter().find_map(|edit| {
        let sides = [edit.before, edit.after];
        let [before, after] = match edit.path.steps().as_slice() {
            [] => sides.map(|side| side?.get(attribute)),
            [Step::Name(name)] if *name == attribute => sides,
            _ => return None,
        };
        after.filter(|value| value.is_unknown())?;
        // What is hidden proves nothing.
        before
            .filter(|value| !value.is_null())
            .map_or(Some(""), MarkedValue::as_str)
    })
}

/// The maximum number of paths with a finding of their own, and of old patterns that are compared with each new path.
const MAX_PATHS: usize = 100;

/// What a Vault policy allows on each path.
type Capabilities<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Returns the new grants of a Vault policy. If it is new, only rights to everything, to all
/// secrets, and on Vault itself count.
pub(super) fn vault(old: &str, new: &str, is_created: bool) -> Vec<FindingText> {
    let (old, new) = (capabilities(old), capabilities(new));
    let globs: Vec<_> = old
        .iter()
        .filter(|(path, _)| path.contains('*'))
        .take(MAX_PATHS)
        .collect();
    let mut found = Vec::new();
    for (path, capabilities) in &new {
        let is_had = |capability: &&&str| {
            old.get(path).is_some_and(|had| had.contains(**capability))
                || globs
                    .iter()
                    .any(|(glob, had)| had.contains(**capability) && glob::matches(glob, path))
        };
        let added: Vec<&str> = capabilities
            .iter()
            .filter(|name| **name != "deny" && !is_had(name))
            .copied()
            .collect();
        let class = class_of(path, &added);
        if !added.is_empty() && !capabilities.contains("deny") && (!is_created || class.is_some()) {
            let text = format!("{} on {:?}", added.join(", "), short(path));
            found.push(FindingText {
                grade: class.map(|class| grade(class, *path == "*")),
                ..FindingText::new(text)
            });
        }
    }
    let denies =
        |all: &Capabilities<'_>, path: &str| all.get(path).is_some_and(|all| all.contains("deny"));
    let removed = old
        .keys()
        .filter(|path| denies(&old, path) && !denies(&new, path));
    found.extend(
        removed.map(|path| FindingText::new(format!("deny on {:?} is removed", short(path)))),
    );
    found.truncate(MAX_PATHS);
    found
}

fn class_of(path: &str, capabilities: &[&str]) -> Option<Class> {
    let changes = capabilities
        .iter()
        .any(|name| !matches!(*name, "read" | "list" | "subscribe" | "recover"));
    let is_own = ["sys/", "auth/", "identity/"]
        .iter()
        .any(|own| path.starts_with(own))
        && path.ends_with('*');
    match (path, changes) {
        ("*", true) => Some(Class::Administration),
        ("*", false) => Some(Class::Data),
        (_, true) if is_own || capabilities.contains(&"sudo") => Some(Class::Administration),
        (_, true | false) => None,
    }
}

/// `path "secret/*" { capabilities = ["read"] }`, or JSON, where the names are one or two objects deeper, and end with `:`.
/// Read once, without recursion, because the text is untrusted.
fn capabilities(text: &str) -> Capabilities<'_> {
    let mut found = Capabilities::new();
    let (mut rest, mut depth, mut word, mut path) = (text, 0usize, "", "");
    while let Some(first) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        let end = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => {
                let inside = rest.get(1..).unwrap_or_default();
                let length = inside.find('"').unwrap_or(inside.len());
                let name = inside.get(..length).unwrap_or_default();
                let after = inside.get(length + 1..).unwrap_or_default().trim_start();
                match (depth, word, after.starts_with(':')) {
                    (0, "path", false) | (2, _, true) => path = name,
                    (3, _, true) => word = name,
                    (1 | 3, "capabilities" | "policy", false) => {
                        found.entry(path).or_default().insert(name);
                    }
                    _ => {}
                }
                (length + 2).min(rest.len())
            }
            _ if first.is_alphabetic() => {
                let end = rest
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(rest.len());
                word = rest.get(..end).unwrap_or_default();
                end
            }
            '{' | '}' => {
                (depth, word) = (
                    if first == '{' {
                        depth + 1
                    } else {
                        depth.saturating_sub(1)
                    },
                    "",
                );
                1
            }
            ']' => {
                word = "";
                1
            }
            _ => first.len_utf8(),
        };
        rest = rest.get(end..).unwrap_or_default();
    }
    found
}
