//! Finds policies of AWS that let in other accounts, or that lock out the administrators of their object.
//!
//! Invariants: an account counts as another one only if the plan says which accounts its own objects are in; a policy
//! locks its administrators out only if a statement says so by itself, or if the last statement that let them in is
//! gone.
//!
//! ```text
//! + "Principal": {"AWS": "arn:aws:iam::222222222222:root"}       all objects of the plan are in 111111111111
//!
//! Allow "s3:GetObject" on "*" for "222222222222", of another account
//! ```

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::RandomState;

use super::{Related, attribute_of, finding};
use crate::access::{Grant, Part, Policy, Term};
use crate::diff::Error;
use crate::diff::edits::{Path, Step};
use crate::diff::value::{Builder, MarkedValue};
use crate::glob;
use crate::json::Value;
use crate::meaning::Documents;
use crate::report::SectionKind;
use crate::review::access::ElementPlace;
use crate::review::changes::Changes;
use crate::review::entry::{Effect, Entry, Finding, FindingKind, Level};
use crate::review::finding::EntryFindings;
use crate::review::findings::StatementPlace;
use crate::review::findings::grant_grade::in_words;
use crate::review::identifiers::{Arn, is_arn_of};
use crate::review::value_path::{PathStep, Side, path_of_edit};

/// The attributes that have policies.
const POLICIES: [&str; 6] = [
    "policy",
    "assume_role_policy",
    "access_policies",
    "resource_policy",
    "policy_document",
    "access_policy",
];

/// The action that changes the policy of an object, by the beginning of its type.
const ADMINISTRATION: [(&str, &str); 10] = [
    ("aws_s3_bucket", "s3:putbucketpolicy"),
    ("aws_kms_key", "kms:putkeypolicy"),
    ("aws_sqs_queue", "sqs:setqueueattributes"),
    ("aws_sns_topic", "sns:settopicattributes"),
    (
        "aws_secretsmanager_secret",
        "secretsmanager:putresourcepolicy",
    ),
    ("aws_ecr_repository", "ecr:setrepositorypolicy"),
    (
        "aws_efs_file_system",
        "elasticfilesystem:putfilesystempolicy",
    ),
    ("aws_backup_vault", "backup:putbackupvaultaccesspolicy"),
    ("aws_dynamodb", "dynamodb:putresourcepolicy"),
    ("aws_ecrpublic_repository", "ecr-public:setrepositorypolicy"),
];

/// Keys of conditions about where a request comes from. Such a condition may also apply to administrators.
const KEYS_OF_PLACES: [&str; 4] = [
    "aws:sourceip",
    "aws:vpcsourceip",
    "aws:sourcevpc",
    "aws:sourcevpce",
];

/// The actions by which services of AWS write their logs, for which they have accounts of their own.
const WRITING_LOGS: [&str; 4] = [
    "s3:putobject",
    "s3:putobjectacl",
    "s3:getbucketacl",
    "s3:getbucketpolicy",
];

/// The data source that names the account of the provider.
const CALLER: &str = "aws_caller_identity";

/// The types of objects that nobody but their owner has in a state, so that `owner_id` is the account of the provider.
/// A subnet may be shared, for example.
const OWNED: [&str; 7] = [
    "aws_vpc",
    "aws_default_vpc",
    "aws_security_group",
    "aws_default_security_group",
    "aws_internet_gateway",
    "aws_network_acl",
    "aws_default_network_acl",
];

/// The maximum number of statements of a policy that is looked at.
const MAX_STATEMENTS: usize = 1_000;

impl<'a> Related<'_, 'a> {
    /// Judges the policies of all planned changes of AWS objects: marks findings about access for other accounts, and
    /// adds findings about strangers and about administrators that are locked out.
    pub(super) fn aws(
        &self,
        entries: &mut [EntryFindings<'a>],
        changes: &Changes<'a>,
    ) -> Result<(), Error> {
        let hasher = self.redactor.arena.alloc(RandomState::default());
        let documents = Documents::new(Builder::new(self.redactor.arena, hasher));
        let mut plan_accounts: Option<BTreeSet<&str>> = None;
        for EntryFindings {
            list,
            index,
            findings,
        } in entries
        {
            let entry = changes.list(*list).get(*index);
            let is_planned = *list == SectionKind::Resources;
            let Some(entry) = entry.filter(|entry| {
                is_planned && entry.mode == "managed" && entry.resource_type.starts_with("aws_")
            }) else {
                continue;
            };
            for (attribute, before, after) in sides(entry) {
                let read = |side: Option<MarkedValue<'a>>| {
                    let text = side.filter(|value| !value.has_marks)?.as_str()?;
                    documents.policy(text).filter(|policy| policy.is_whole)
                };
                let Some(after) =
                    read(after).filter(|policy| policy.statements.len() <= MAX_STATEMENTS)
                else {
                    continue;
                };
                let before = read(before);
                findings.extend(self.locked_out(entry, attribute, before.as_ref(), &after));
                let is_reported = |finding: &Finding<'_>| {
                    finding.kind == FindingKind::Exposure && attribute_of(finding) == attribute
                };
                let known: HashSet<&str> = before
                    .iter()
                    .flat_map(|policy| policy.statements.iter().flat_map(accounts))
                    .collect();
                let mut let_in = after.statements.iter().flat_map(accounts);
                if !let_in.any(|account| !known.contains(account)) {
                    continue;
                }
                let plan_accounts = match &mut plan_accounts {
                    Some(plan_accounts) => plan_accounts,
                    none => none.insert(self.own_accounts()?),
                };
                if before.is_some() || findings.iter().any(is_reported) {
                    let reported = findings.iter_mut().filter(|finding| is_reported(finding));
                    name_strangers(reported, &known, &after, plan_accounts);
                } else {
                    findings.extend(self.strangers(attribute, &after, plan_accounts));
                }
            }
        }
        Ok(())
    }

    /// Returns the accounts that the objects of the plan and of the state are in. Only what identifies an object that
    /// exists proves it: what a plan sets may name any account.
    fn own_accounts(&self) -> Result<BTreeSet<&'a str>, Error> {
        let mut accounts = BTreeSet::new();
        let mut add = |resource_type: &str, object: Value<'a>| {
            let text = |name: &str| object.get(name).and_then(Value::as_str);
            let arn = text("arn").filter(|arn| is_arn_of(arn, resource_type, text));
            let of_owner = OWNED.contains(&resource_type).then(|| text("owner_id"));
            let caller = (resource_type == CALLER).then(|| text("account_id"));
            for text in [arn, of_owner.flatten(), caller.flatten()] {
                accounts.extend(text.and_then(account_of));
            }
        };
        for change in &self.plan.resource_changes {
            if change.resource_type.starts_with("aws_") && change.is_managed() {
                add(&change.resource_type, self.value(change.change.before)?);
            }
        }
        for object in self.objects_of_state()? {
            let resource_type = object.resource_type;
            let is_own = object.is_managed || resource_type == CALLER;
            if is_own && resource_type.starts_with("aws_") {
                add(resource_type, object.values);
            }
        }
        Ok(accounts)
    }

    /// Returns the findings about principals of other accounts that a new policy lets in.
    fn strangers(
        &self,
        attribute: &'a str,
        policy: &Policy<'a>,
        plan_accounts: &BTreeSet<&str>,
    ) -> Vec<Finding<'a>> {
        if plan_accounts.is_empty() {
            return Vec::new();
        }
        let allowed = policy.statements.iter().filter(|one| one.is_allow());
        let strangers = allowed.filter_map(|statement| {
            let is_stranger = |term: &&Term<'_>| {
                let account = Some(term.name)
                    .filter(|_| term.kind == "AWS")
                    .and_then(account_of);
                account.is_some_and(|account| !plan_accounts.contains(account))
            };
            let principals = statement.named(Part::Principal);
            let strangers: Vec<Term<'a>> = principals.iter().filter(is_stranger).copied().collect();
            if strangers.is_empty() {
                return None;
            }
            let actions: Vec<&str> = statement.action_names().collect();
            let is_minor = statement.has_condition()
                || actions
                    .iter()
                    .all(|action| WRITING_LOGS.contains(&&*action.to_ascii_lowercase()));
            let level = if is_minor {
                Level::Notice
            } else {
                Level::Warning
            };
            let mut named = statement.clone();
            named.principals.list = strangers;
            let text = format!("{}, of another account", in_words(&named, &actions));
            let path = self.path(attribute, policy, Some(statement));
            let text = self.redactor.text(&text).to_owned();
            Some(Finding {
                effect: of_another_account(),
                ..finding(FindingKind::Exposure, level, "aws_*.stranger", path, text)
            })
        });
        strangers.collect()
    }

    /// Returns the finding about a policy that keeps those from changing it who could change it so far.
    fn locked_out(
        &self,
        entry: &Entry<'a>,
        attribute: &'a str,
        before: Option<&Policy<'a>>,
        after: &Policy<'a>,
    ) -> Option<Finding<'a>> {
        let of_type = |(start, _): &&(&str, &str)| entry.resource_type.starts_with(start);
        let (_, action) = ADMINISTRATION.iter().find(of_type)?;
        let known: HashSet<MarkedValue<'a>> = before
            .into_iter()
            .flat_map(|policy| policy.statements.iter().filter_map(|one| one.json))
            .collect();
        let is_new = |one: &&Grant<'a>| one.json.is_none_or(|json| !known.contains(&json));
        let denies = after
            .statements
            .iter()
            .filter(|one| !one.is_allow() && covers(one, action))
            .filter(is_new);
        let reported = |level: Level, meaning: &str, text: &str, statement| {
            let path = self.path(attribute, after, statement);
            let text = self.redactor.text(text).to_owned();
            Finding {
                effect: Effect::Means {
                    words: meaning.to_owned(),
                },
                ..finding(FindingKind::Downtime, level, "aws_*.lock_out", path, text)
            }
        };
        for statement in denies {
            let mut principals = statement.named(Part::Principal).iter();
            let conditions = statement.named(Part::Condition);
            let is_of_place =
                |term: &Term<'_>| KEYS_OF_PLACES.contains(&&*term.key.to_ascii_lowercase());
            let level = match (principals.any(|term| term.name == "*"), conditions) {
                (true, []) if !statement.has_condition() => Level::Critical,
                (true, [_, ..]) if conditions.iter().all(is_of_place) => Level::Notice,
                (_, _) => continue,
            };
            let actions: Vec<&str> = statement.action_names().collect();
            let words = in_words(statement, &actions);
            let meaning = "also holds for its administrators";
            let text = format!("{words} {meaning}");
            return Some(reported(level, meaning, &text, Some(statement)));
        }
        let lets = |policy: &Policy<'a>| {
            let mut allowed = policy.statements.iter().filter(|one| one.is_allow());
            allowed.any(|one| covers(one, action))
        };
        // Only a KMS key has no administrators besides those whom its own policy names.
        let is_key = entry.resource_type.starts_with("aws_kms_");
        let is_lost = is_key && before.is_some_and(lets) && !lets(after);
        let meaning = "nobody may change the policy of the key any more";
        is_lost.then(|| reported(Level::Critical, meaning, meaning, None))
    }

    /// Returns the path of a policy, or of a statement in its list.
    fn path(
        &self,
        attribute: &'a str,
        policy: &Policy<'_>,
        statement: Option<&Grant<'_>>,
    ) -> Path<'a> {
        let mut path = vec![PathStep::Name(attribute)];
        if let Some(index) = statement.and_then(|statement| statement.index) {
            let element = StatementPlace {
                side: Side::After,
                index,
                len: policy.statements.len(),
            };
            path.extend(element.steps());
        }
        path_of_edit(&path, Side::After, self.redactor)
    }
}

/// Returns the effect of a finding about access for another account.
fn of_another_account() -> Effect {
    Effect::Means {
        words: "of another account".to_owned(),
    }
}

/// Sets the effect of findings about statements that let in another account, unless that account is among the `known`
/// ones, which the policy let in before.
fn name_strangers<'f, 'a: 'f>(
    findings: impl Iterator<Item = &'f mut Finding<'a>>,
    known: &HashSet<&str>,
    policy: &Policy<'_>,
    plan_accounts: &BTreeSet<&str>,
) {
    if plan_accounts.is_empty() {
        return;
    }
    for finding in findings.filter(|finding| finding.effect == Effect::Other) {
        let Some(index) = statement_index(finding.path) else {
            continue;
        };
        let mut statements = policy.statements.iter();
        let statement = statements.find(|statement| statement.index == Some(index));
        let is_stranger =
            |account: &str| !plan_accounts.contains(account) && !known.contains(account);
        if statement.is_some_and(|statement| accounts(statement).any(is_stranger)) {
            finding.effect = of_another_account();
        }
    }
}

/// Returns the index after the change of the statement that a path leads to.
fn statement_index(path: Path<'_>) -> Option<usize> {
    let element = ElementPlace::of_path(&path.steps(), Policy::STATEMENTS)?;
    usize::try_from(element.after?).ok()
}

/// Returns the policies of an object with their attributes, before and after, as far as the edits have them.
fn sides<'a>(
    entry: &Entry<'a>,
) -> impl Iterator<Item = (&'a str, Option<MarkedValue<'a>>, Option<MarkedValue<'a>>)> {
    entry.exact_edits.exact().iter().flat_map(|edit| {
        let of_object = POLICIES.into_iter().filter_map(move |name| {
            let is_whole = edit.path.is_empty();
            let member = |side: Option<MarkedValue<'a>>| side.filter(|_| is_whole)?.get(name);
            let (before, after) = (member(edit.before), member(edit.after));
            (before.is_some() || after.is_some()).then_some((name, before, after))
        });
        let name = match (edit.path.len(), edit.path.last()) {
            (1, Some(Step::Name(name))) if POLICIES.contains(&name) => Some(name),
            (_, _) => None,
        };
        of_object.chain(name.map(|name| (name, edit.before, edit.after)))
    })
}

/// Whether a statement applies to an action on the object itself.
fn covers(statement: &Grant<'_>, action: &str) -> bool {
    let excluded = statement.excluded(Part::Action).unwrap_or_default();
    let is_excluded = excluded
        .iter()
        .any(|term| glob::matches(&term.name.to_ascii_lowercase(), action));
    let covers = |pattern: &str| glob::matches(&pattern.to_ascii_lowercase(), action);
    // The policy is that of the bucket, not of the objects in it.
    let is_of_object = |term: &Term<'_>| action.starts_with("s3:") && term.name.contains('/');
    let resources = statement.named(Part::Resource);
    let is_below = !resources.is_empty() && resources.iter().all(is_of_object);
    !is_excluded && !is_below && statement.action_names().any(covers)
}

/// Returns the accounts of the principals that a statement lets in.
fn accounts<'a>(statement: &Grant<'a>) -> impl Iterator<Item = &'a str> {
    let principals = statement.named(Part::Principal).iter();
    principals
        .filter(|term| statement.is_allow() && term.kind == "AWS")
        .filter_map(|term| account_of(term.name))
}

/// Returns the account in an ARN, or in a text that is only an account.
fn account_of(text: &str) -> Option<&str> {
    let account = match text.starts_with("arn:") {
        true => Arn::parse(text)?.account,
        false => text,
    };
    let is_account = account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit());
    is_account.then_some(account)
}
