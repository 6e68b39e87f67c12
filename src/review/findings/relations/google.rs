//! Compares who has which role of Google Cloud in all bindings, members and policies of a plan together.
//!
//! A grant that only moves between them is not new, a grant that none of them gives any more is taken away, and a
//! service account of another project is a stranger.
//!
//! ```text
//! - google_project_iam_member.a   roles/editor, user:ci@example.com
//! + google_project_iam_binding.b  roles/editor, [user:ci@example.com]       no finding: the grant only moves
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};

use bumpalo::Bump;

use super::{Related, finding};
use crate::diff::Error;
use crate::diff::edits::{Element, Format, Path, Step};
use crate::json::{self, Value};
use crate::meaning::RoleOfMember;
use crate::model::Action;
use crate::model::plan::ResourceChange;
use crate::report::SectionKind;
use crate::review::entry::{Effect, Finding, FindingKind, Level};
use crate::review::finding::EntryFindings;
use crate::text::first_of;

/// The maximum number of members that a text names.
const MAX_NAMED: usize = 5;

/// Members of the resources that do not say what the access is to.
const NO_SCOPE: [&str; 9] = [
    "role",
    "member",
    "members",
    "etag",
    "id",
    "condition",
    "policy_data",
    "timeouts",
    "version",
];

/// The domains in which anybody can have an account.
const ANYBODY: [&str; 4] = [
    "@gmail.com",
    "@googlemail.com",
    "@outlook.com",
    "@hotmail.com",
];

/// A grant: a role that a member has on something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Grant<'a> {
    /// The object of the grant: the family of the resource type, and the members that name its object.
    scope: String,
    /// The role.
    role: &'a str,
    /// The member who has it.
    member: &'a str,
    /// The expression of its condition; empty if it has none.
    condition: &'a str,
}

/// The maximum number of grants of one scope that are compared with each other. Of more, only equal ones are found.
const MAX_ALIKE: usize = 256;

/// Grants, to be searched for those that include another.
#[derive(Default)]
struct GrantSet<'a> {
    /// All of them.
    all: HashSet<Grant<'a>>,
    /// Those of each scope.
    by_scope: HashMap<String, Vec<Grant<'a>>>,
}

impl<'a> GrantSet<'a> {
    /// Adds grants.
    fn extend(&mut self, grants: Vec<Grant<'a>>) {
        for grant in grants {
            if self.all.insert(grant.clone()) {
                let alike = self.by_scope.entry(grant.scope.clone()).or_default();
                alike.push(grant);
            }
        }
    }

    /// Whether one of the grants includes another: the same or a wider role, for the same or more members, under the
    /// same condition or a weaker one.
    fn includes(&self, grant: &Grant<'a>) -> bool {
        if self.all.contains(grant) {
            return true;
        }
        let alike = self.by_scope.get(&grant.scope).map(Vec::as_slice);
        let mut alike = alike
            .unwrap_or_default()
            .iter()
            .filter(|_| alike.is_some_and(|alike| alike.len() <= MAX_ALIKE));
        alike.any(|wide| wide.of_member().covers(grant.of_member()))
    }
}

impl<'a> Grant<'a> {
    /// Returns the grant as the model of grants knows it, without its scope.
    fn of_member(&self) -> RoleOfMember<'a> {
        RoleOfMember {
            role: self.role,
            member: self.member,
            condition: self.condition,
        }
    }
}

/// The grants of all objects in a plan, before and after.
#[derive(Default)]
struct Grants<'a> {
    /// The grants before the plan is applied.
    before: GrantSet<'a>,
    /// The grants after the plan is applied.
    after: GrantSet<'a>,
    /// The scopes and roles that somebody has before.
    known: HashSet<(String, &'a str)>,
    /// The scopes and roles with members that are known only after apply.
    unknown: HashSet<(String, &'a str)>,
}

impl<'a> Related<'_, 'a> {
    /// Judges all role bindings of the plan together, so that a grant that moves from one object to another is no
    /// finding.
    pub(super) fn google(&self, entries: &mut [EntryFindings<'a>]) -> Result<(), Error> {
        let is_meant = |change: &ResourceChange<'_>| {
            let ends = ["_iam_member", "_iam_binding", "_iam_policy"];
            change.resource_type.starts_with("google_")
                && ends.iter().any(|end| change.resource_type.ends_with(end))
        };
        let mut grants = Grants::default();
        if !self.plan.resource_changes.iter().any(is_meant) {
            return Ok(());
        }
        for change in self
            .plan
            .resource_changes
            .iter()
            .filter(|change| is_meant(change))
        {
            let (before, after) = (
                self.value(change.change.before)?,
                self.value(change.change.after)?,
            );
            grants.before.extend(self.grants_of(change, before)?);
            grants.after.extend(self.grants_of(change, after)?);
            let unknown = self.value(change.change.after_unknown)?;
            let is_unknown = ["member", "members", "policy_data", "role"]
                .iter()
                .any(|name| unknown.get(name).is_some_and(Value::has_true));
            if is_unknown {
                let role = after
                    .get("role")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                grants.unknown.insert((scope_of(change, after), role));
            }
        }
        grants.known = grants
            .before
            .all
            .iter()
            .map(|grant| (grant.scope.clone(), grant.role))
            .collect();
        for EntryFindings {
            list,
            index,
            findings,
        } in entries
        {
            let Some(change) = self
                .change_of(*list, *index)
                .filter(|change| is_meant(change))
            else {
                continue;
            };
            if *list == SectionKind::Resources {
                self.assess(change, &grants, findings)?;
            }
        }
        Ok(())
    }

    /// Removes findings about grants that existed before, and adds those about strangers, lost roles, and bindings that
    /// overwrite others.
    fn assess(
        &self,
        change: &ResourceChange<'a>,
        grants: &Grants<'a>,
        findings: &mut Vec<Finding<'a>>,
    ) -> Result<(), Error> {
        let (before, after) = (
            self.value(change.change.before)?,
            self.value(change.change.after)?,
        );
        let [had, has]: [Vec<Grant<'a>>; 2] = [
            self.grants_of(change, before)?,
            self.grants_of(change, after)?,
        ];
        // A grant that another object of the plan gave before is not new.
        let new: BTreeMap<&str, &Grant<'a>> = has
            .iter()
            .filter(|grant| !grants.before.includes(grant))
            .map(|grant| (grant.member, grant))
            .collect();
        findings.retain(|finding| {
            finding.kind != FindingKind::Exposure
                || match member_of(finding, after) {
                    Some(member) => new.contains_key(member),
                    // The role, the condition or a whole policy: it opens nothing if each grant existed before.
                    None => !new.is_empty(),
                }
        });
        let reported: HashSet<&str> = findings
            .iter()
            .filter(|finding| finding.kind == FindingKind::Exposure)
            .filter_map(|finding| member_of(finding, after))
            .collect();
        let strangers = new
            .values()
            .filter(|grant| !reported.contains(grant.member));
        findings.extend(strangers.filter_map(|grant| self.stranger(grant, after)));
        let lost = had.iter().filter(|grant| {
            let may_stay = grants.unknown.contains(&(grant.scope.clone(), grant.role));
            !grants.after.includes(grant) && !may_stay
        });
        let lost = lost.collect::<Vec<_>>();
        let is_update = change.change.actions == Action::Update;
        let places = is_update.then(|| MemberPositions::new([before, after], self.arena));
        for (mut finding, grant) in taken(change, &lost) {
            if let Some(places) = &places {
                finding.path = places.path(grant);
            }
            findings.push(finding);
        }
        findings.extend(authoritative(change, grants, &has));
        Ok(())
    }

    /// Returns the grants of an object, as far as they are known.
    fn grants_of(
        &self,
        change: &ResourceChange<'a>,
        object: Value<'a>,
    ) -> Result<Vec<Grant<'a>>, Error> {
        let scope = scope_of(change, object);
        let mut grants = Vec::new();
        let mut add = |binding: Value<'a>| {
            let role = binding
                .get("role")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let members = binding.get("members").and_then(Value::as_array);
            let one = binding.get("member");
            let members = members.unwrap_or_default().iter().copied().chain(one);
            // In a resource the condition is a block, in a policy an object.
            let condition = binding.get("condition");
            let block = condition.and_then(|blocks| blocks.as_array()?.first().copied());
            let expression = block
                .or(condition)
                .and_then(|block| block.get("expression"));
            let condition = expression.and_then(Value::as_str).unwrap_or_default();
            grants.extend(members.filter_map(Value::as_str).map(|member| Grant {
                scope: scope.clone(),
                role,
                member,
                condition,
            }));
        };
        add(object);
        if let Some(text) = object.get("policy_data").and_then(Value::as_str) {
            // A text that is not a policy gives nothing that can be read.
            let policy = json::parse(text, self.arena).unwrap_or_default();
            let bindings = policy.get("bindings").and_then(Value::as_array);
            bindings
                .unwrap_or_default()
                .iter()
                .for_each(|binding| add(*binding));
        }
        Ok(grants)
    }

    /// Returns the finding about a grant to a service account of another project, or to an account that anybody can
    /// have.
    fn stranger(&self, grant: &Grant<'a>, object: Value<'a>) -> Option<Finding<'a>> {
        let (kind, account) = grant.member.split_once(':')?;
        let project = object.get("project").and_then(Value::as_str);
        let whose = match kind {
            "serviceAccount" => {
                let (_, host) = account.split_once('@')?;
                let other = host.strip_suffix(".iam.gserviceaccount.com")?;
                // Service agents belong to Google.
                let is_agent = other.starts_with("gcp-") || other.contains("-sa-");
                let is_other = project.is_some_and(|own_project| own_project != other) && !is_agent;
                is_other.then(|| format!("of project {other}"))?
            }
            "user" => {
                let is_anybody = ANYBODY.iter().any(|domain| account.ends_with(domain));
                is_anybody.then(|| "a private account".to_owned())?
            }
            _ => return None,
        };
        let level = if is_powerful(grant.role) {
            Level::Warning
        } else {
            Level::Notice
        };
        let attribute = ["member", "members", "policy_data"]
            .into_iter()
            .find(|name| object.get(name).is_some_and(|value| !value.is_null()))?;
        let path = Path::ROOT.child(Step::Name(self.redactor.text(attribute)), self.arena);
        let text = format!("{} for {}, {whose}", grant.role, grant.member);
        Some(Finding {
            effect: Effect::Means {
                words: self.redactor.text(&whose).to_owned(),
            },
            ..finding(
                FindingKind::Exposure,
                level,
                "google_*_iam.stranger",
                path,
                self.redactor.text(&text).to_owned(),
            )
        })
    }
}

/// The positions of the members of an object, on both sides.
struct MemberPositions<'a> {
    /// The object before and after.
    objects: [Value<'a>; 2],
    /// The bindings of a policy on each side; empty for other objects.
    bindings: [&'a [Value<'a>]; 2],
    /// The index of the binding of each role, on each side.
    roles: [HashMap<&'a str, usize>; 2],
    /// The arena that receives the paths.
    arena: &'a Bump,
}

impl<'a> MemberPositions<'a> {
    /// Reads the bindings of a policy on both sides. An object that is not a policy has none.
    fn new(objects: [Value<'a>; 2], arena: &'a Bump) -> Self {
        let bindings = objects.map(|object| {
            let text = object.get("policy_data").and_then(Value::as_str);
            // A text that is not a policy has no bindings.
            let policy = text.and_then(|text| json::parse(text, arena).ok());
            let bindings = policy.and_then(|policy| policy.get("bindings")?.as_array());
            bindings.unwrap_or_default()
        });
        let roles = bindings.map(|bindings| {
            let role = |(index, binding): (usize, &Value<'a>)| {
                Some((binding.get("role")?.as_str()?, index))
            };
            bindings.iter().enumerate().filter_map(role).collect()
        });
        Self {
            objects,
            bindings,
            roles,
            arena,
        }
    }

    /// Returns the path of the member that loses a role.
    fn path(&self, grant: &Grant<'a>) -> Path<'a> {
        let [before, _] = self.objects;
        let steps = if before.get("policy_data").is_some() {
            let roles =
                [&self.roles[0], &self.roles[1]].map(|roles| roles.get(grant.role).copied());
            let members = [0, 1].map(|side: usize| {
                let binding = roles[side].and_then(|index| self.bindings[side].get(index));
                members_of(binding.and_then(|binding| binding.get("members")))
            });
            vec![
                Step::Name("policy_data"),
                Step::Document(Format::Json),
                Step::Name("bindings"),
                element(roles, self.bindings),
                Step::Name("members"),
                member(grant, members),
            ]
        } else if before.get("members").is_some() {
            let members = self.objects.map(|object| members_of(object.get("members")));
            vec![Step::Name("members"), member(grant, members)]
        } else {
            vec![Step::Name("member")]
        };
        let steps = steps.into_iter();
        steps.fold(Path::ROOT, |path, step| path.child(step, self.arena))
    }
}

/// Returns the items of a list of members; empty if it is not a list.
fn members_of(list: Option<Value<'_>>) -> &[Value<'_>] {
    list.and_then(Value::as_array).unwrap_or_default()
}

/// Returns the step to the member of a grant in the lists of both sides.
fn member<'a>(grant: &Grant<'a>, lists: [&[Value<'a>]; 2]) -> Step<'a> {
    let is_it = |value: &Value<'a>| value.as_str() == Some(grant.member);
    element(lists.map(|list| list.iter().position(is_it)), lists)
}

/// Returns the step to an element with these indices in the lists of both sides.
fn element<'a>(places: [Option<usize>; 2], lists: [&[Value<'a>]; 2]) -> Step<'a> {
    Step::Element(Element::new(places, lists.map(<[Value<'_>]>::len)))
}

/// Whether a role changes or reads the object that it is for, by the words in its name.
fn is_powerful(role: &str) -> bool {
    let name = role
        .rsplit_once('/')
        .map_or(role, |(_, name)| name)
        .to_ascii_lowercase();
    let words = [
        "admin",
        "owner",
        "editor",
        "writer",
        "developer",
        "user",
        "creator",
        "accessor",
        "deploy",
    ];
    words.iter().any(|word| name.contains(word))
}

/// Returns the member that a finding is about; `None` if its path does not lead to one.
fn member_of<'a>(finding: &Finding<'_>, object: Value<'a>) -> Option<&'a str> {
    let mut value = object;
    let steps = finding.path.steps();
    if !matches!(steps.first(), Some(Step::Name("member" | "members"))) {
        return None;
    }
    for step in steps {
        value = match step {
            Step::Name(name) => value.get(name)?,
            Step::Element(element) => {
                let index = element.after? as usize;
                value.as_array()?.get(index).copied()?
            }
            Step::Document(_) => return None,
        };
    }
    value.as_str()
}

/// Returns the scope of an object: the family of its type, and the members that name its object.
fn scope_of(change: &ResourceChange<'_>, object: Value<'_>) -> String {
    let family = change
        .resource_type
        .split("_iam_")
        .next()
        .unwrap_or_default();
    let mut scope = family.to_owned();
    for (name, value) in object.as_object().unwrap_or_default().members() {
        if let (Some(text), false) = (value.as_str(), NO_SCOPE.contains(name)) {
            scope.push_str(&format!(" {name}={text}"));
        }
    }
    scope
}

/// Returns the findings about roles that a change takes from somebody and that no other object of the plan gives, each
/// with its first grant.
fn taken<'a, 'g>(
    change: &ResourceChange<'a>,
    lost: &[&'g Grant<'a>],
) -> Vec<(Finding<'a>, &'g Grant<'a>)> {
    let is_gone = change.change.actions == Action::Delete;
    let is_binding = change.resource_type.ends_with("_iam_binding");
    let level = if is_gone && (is_binding || change.resource_type.ends_with("_iam_policy")) {
        Level::Warning
    } else {
        Level::Notice
    };
    // What a person loses is told by the direction of the edit: nothing serves by it.
    let may_serve = |grant: &&&'g Grant<'a>| {
        let people = ["user:", "group:", "domain:"];
        level > Level::Notice || !people.iter().any(|start| grant.member.starts_with(start))
    };
    let mut by_role: BTreeMap<&str, BTreeMap<&str, &'g Grant<'a>>> = BTreeMap::new();
    for grant in lost.iter().filter(may_serve) {
        let members = by_role.entry(grant.role).or_default();
        members.insert(grant.member, grant);
    }
    let taken = |(role, members): (&str, BTreeMap<&str, &'g Grant<'a>>)| {
        let first = members.values().next().copied()?;
        let names = first_of(members.into_keys(), MAX_NAMED);
        let downtime = finding(
            FindingKind::Downtime,
            level,
            "google_*_iam.taken",
            Path::ROOT,
            format!("{role} is taken from {names}"),
        );
        Some((downtime, first))
    };
    by_role.into_iter().filter_map(taken).collect()
}

/// Returns the finding about a new binding, which takes its role from everybody whom it does not name.
fn authoritative<'a>(
    change: &ResourceChange<'a>,
    grants: &Grants<'a>,
    has: &[Grant<'a>],
) -> Option<Finding<'a>> {
    let first = has.first()?;
    // Nobody else has a role on an object that is only created now, so only bindings on lasting objects count.
    const LASTING: [&str; 4] = [
        "google_project_iam_binding",
        "google_folder_iam_binding",
        "google_organization_iam_binding",
        "google_billing_account_iam_binding",
    ];
    let is_new = change.change.actions == Action::Create
        && LASTING.contains(&&*change.resource_type)
        && !change.is_imported();
    let was_known = grants.known.contains(&(first.scope.clone(), first.role));
    (is_new && !was_known).then(|| {
        finding(
            FindingKind::Unknown,
            Level::Notice,
            "google_*_iam_binding.authoritative",
            Path::ROOT,
            format!(
                "whoever else has {} loses it: the binding is authoritative",
                first.role
            ),
        )
    })
}
