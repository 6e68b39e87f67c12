//! Policies of AWS, and what attaches them.
//!
//! A document is a policy by what it is, whatever holds it: an object with a `Statement`. What a type adds is what it
//! means that there is none ([`Purpose`]), and whether the object is nothing but its policy.
//!
//! ```text
//! aws_sqs_queue.jobs: "Principal": "*" -> {"AWS": "111111111111"}         policy: narrower
//! aws_vpc_endpoint.s3: policy is removed                                  policy: wider
//! aws_iam_role_policy.app is created                                      the object: wider
//! aws_iam_role.app: permissions_boundary is removed                       permissions_boundary: wider
//! ```

mod attachments;
mod compare;
mod condition;
mod principals;
mod statement;
mod text;
mod values;

#[cfg(test)]
mod tests;

pub(crate) use compare::new_and_lost;

use compare::compare;
use statement::Statements;

use crate::access::Policy;
use crate::diff::value::{Content, MarkedValue};
use crate::direction::{Direction, Directions};
use crate::meaning::{Judgement, ObjectChange};

/// What a policy is for, which decides what it means that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// It grants. Where there is none, nothing is granted.
    Grants,
    /// It limits what others grant. Where there is none, everything passes.
    Limits,
}

/// The attributes whose policy limits what others grant, and the pages of the documentation that say what there is
/// without one.
const LIMITS: [(&str, &str); 9] = [
    // "Control access to VPC endpoints using endpoint policies": full access.
    ("aws_vpc_endpoint", "policy"),
    ("aws_vpc_endpoint_policy", "policy"),
    // "Service control policies", "Resource control policies": FullAWSAccess.
    ("aws_organizations_policy", "content"),
    // "Creating a session policy for an Amazon S3 bucket": the role as it is.
    ("aws_transfer_user", "policy"),
    ("aws_transfer_access", "policy"),
    ("aws_rolesanywhere_profile", "session_policy"),
    // "Using IAM to control file system access": full access for every client.
    ("aws_efs_file_system_policy", "policy"),
    // "How API Gateway resource policies affect authorization workflow": what the methods ask for.
    ("aws_api_gateway_rest_api", "policy"),
    ("aws_api_gateway_rest_api_policy", "policy"),
];

/// The kinds of policies of an organization that are written in the language of IAM.
const ORGANIZATION_KINDS: [&str; 2] = ["SERVICE_CONTROL_POLICY", "RESOURCE_CONTROL_POLICY"];

/// The attributes that say whose policy it is, or of what, in objects that are nothing but a policy.
const HOLDERS: [&str; 20] = [
    "bucket",
    "domain",
    "domain_name",
    "event_bus_name",
    "file_system_id",
    "group",
    "key_id",
    "permission_set_arn",
    "queue_url",
    "registry_name",
    "repository",
    "repository_name",
    "resource_arn",
    "rest_api_id",
    "role",
    "secret_arn",
    "table_bucket_arn",
    "user",
    "vault_name",
    "vpc_endpoint_id",
];

/// Judges the policies of an object, and what it attaches. Returns `None` if it has none that is known here.
pub(crate) fn judge<'w>(change: &ObjectChange<'_, 'w>) -> Option<Vec<Judgement<'w>>> {
    let is_aws = ["aws_", "awscc_"]
        .iter()
        .any(|start| change.resource_type.starts_with(start));
    let mut judgements = Vec::new();
    if is_aws {
        judgements.extend(attachments::judge(change));
    }
    if is_aws || change.resource_type.contains("policy") {
        policies(change, &mut judgements);
    }
    (!judgements.is_empty()).then_some(judgements)
}

/// What an attribute says about policies on one side.
enum Text<'w> {
    /// There is none.
    Absent,
    /// The statements of all policies in it.
    Read(Statements<'w>),
    /// It is known only after apply.
    Unknown,
    /// It is something else, or is hidden.
    Other,
}

/// Judges the attributes that hold policies, and those that say whose they are.
fn policies<'w>(change: &ObjectChange<'_, 'w>, judgements: &mut Vec<Judgement<'w>>) {
    if change.resource_type == "aws_organizations_policy" {
        let kind = [change.after, change.before]
            .iter()
            .find_map(|side| side.get("type").and_then(MarkedValue::as_str));
        if kind.is_some_and(|kind| !ORGANIZATION_KINDS.contains(&kind)) {
            return;
        }
    }
    let is_whole = change.before.is_null() || change.after.is_null();
    // An object that is nothing but a policy, such as aws_s3_bucket_policy.
    let is_policy = change.resource_type.contains("_policy");
    for (name, old, new) in members(change.before, change.after) {
        let Some(directions) = attribute(change, name, [old, new]) else {
            continue;
        };
        let is_limit = LIMITS.contains(&(change.resource_type, name));
        let is_none = directions == Direction::Same.into();
        if is_whole && !is_policy && (is_limit || is_none) {
            // What it limits comes and goes with it.
            continue;
        }
        if !is_policy || !is_whole {
            judgements.push(Judgement {
                place: vec![name],
                directions,
            });
            continue;
        }
        // What allows everything, or nothing, changes nothing by coming or going.
        let directions = match (
            directions == Direction::Same.into(),
            change.before.is_null(),
        ) {
            (false, _) => directions,
            (true, true) => Direction::New.into(),
            (true, false) => Direction::Gone.into(),
        };
        judgements.push(Judgement {
            place: Vec::new(),
            directions,
        });
    }
    if is_policy && !is_whole {
        judgements.extend(moved_to_another(change));
    }
}

/// Returns the members of both sides of an object that differ, with null for those that a side does not have. Both are
/// sorted by name.
fn members<'w>(
    old: MarkedValue<'w>,
    new: MarkedValue<'w>,
) -> Vec<(&'w str, Option<MarkedValue<'w>>, Option<MarkedValue<'w>>)> {
    let [mut old, mut new] = [old, new].map(|side| {
        let members = side.as_object().unwrap_or_default();
        members
            .iter()
            .filter(|(_, value)| !value.is_null())
            .peekable()
    });
    let mut members = Vec::new();
    loop {
        let name = match (old.peek(), new.peek()) {
            (Some((own, _)), Some((other, _))) => *own.min(other),
            (Some((name, _)), None) | (None, Some((name, _))) => *name,
            (None, None) => return members,
        };
        let [old, new] = [&mut old, &mut new].map(|side| {
            side.next_if(|(own, _)| *own == name)
                .map(|(_, value)| *value)
        });
        if old != new {
            members.push((name, old, new));
        }
    }
}

/// Returns what the change of an attribute means; `None` if it holds no policy.
fn attribute<'w>(
    change: &ObjectChange<'_, 'w>,
    name: &str,
    sides: [Option<MarkedValue<'w>>; 2],
) -> Option<Directions> {
    let texts = sides.map(|side| read(change, side));
    let is_read = texts.iter().any(|text| matches!(text, Text::Read(_)));
    let is_of_policies = is_read || is_policy_attribute(change.resource_type, name);
    let purpose = match LIMITS.contains(&(change.resource_type, name)) {
        true => Purpose::Limits,
        false => Purpose::Grants,
    };
    match texts {
        [_, Text::Unknown] | [Text::Unknown, _] if is_of_policies => {
            Some(Direction::Unknown.into())
        }
        [_, Text::Other] | [Text::Other, _] if is_read => Some(Direction::Another.into()),
        [Text::Absent, Text::Absent] if is_of_policies => Some(Direction::Same.into()),
        [old, new] if is_read => {
            let [old, new] = [old, new].map(|text| match (text, purpose) {
                (Text::Read(statements), _) => statements,
                (Text::Absent | Text::Unknown | Text::Other, Purpose::Limits) => {
                    Statements::everything()
                }
                (Text::Absent | Text::Unknown | Text::Other, Purpose::Grants) => {
                    Statements::default()
                }
            });
            let directions = compare(&old, &new, service(change, name)).directions();
            let is_renamed = directions == Direction::Same.into() && old.labels != new.labels;
            Some(if is_renamed {
                Direction::Words.into()
            } else {
                directions
            })
        }
        _ => None,
    }
}

/// Returns the prefix of the actions that a policy can be about, if these are of one service: a policy of a resource is
/// asked for actions on this resource only, and one of trust for those of the Security Token Service.
fn service(change: &ObjectChange<'_, '_>, attribute: &str) -> Option<&'static str> {
    if attribute == "assume_role_policy" {
        return Some("sts:");
    }
    match change.resource_type {
        "aws_s3_bucket"
        | "aws_s3_bucket_policy"
        | "aws_s3_access_point"
        | "aws_s3control_access_point_policy" => Some("s3:"),
        "aws_sqs_queue" | "aws_sqs_queue_policy" => Some("sqs:"),
        "aws_sns_topic" | "aws_sns_topic_policy" => Some("sns:"),
        "aws_kms_key" | "aws_kms_key_policy" => Some("kms:"),
        "aws_secretsmanager_secret" | "aws_secretsmanager_secret_policy" => Some("secretsmanager:"),
        "aws_ecr_repository_policy" => Some("ecr:"),
        "aws_dynamodb_resource_policy" => Some("dynamodb:"),
        "aws_vpc_endpoint" => {
            let [old, new] = [change.before, change.after].map(|side| {
                let name = side.get("service_name").and_then(MarkedValue::as_str);
                name.and_then(|name| name.rsplit('.').next())
            });
            match old
                .filter(|old| new.is_none_or(|new| new == *old))
                .or(new)?
            {
                "s3" => Some("s3:"),
                "dynamodb" => Some("dynamodb:"),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether an attribute of this name holds a policy where it is not known.
fn is_policy_attribute(resource_type: &str, name: &str) -> bool {
    /// The names that only policies have in the provider `aws`.
    const NAMES: [&str; 8] = [
        "access_policies",
        "access_policy",
        "assume_role_policy",
        "inline_policy",
        "policy_document",
        "resource_policy",
        "session_policy",
        "delivery_destination_policy",
    ];
    /// The types whose `policy` is something else: rules for what is kept, the names of policies, or texts.
    const NOT_POLICIES: [&str; 6] = [
        "aws_ecr_lifecycle_policy",
        "aws_iot_policy_attachment",
        "aws_opensearchserverless_access_policy",
        "aws_opensearchserverless_lifecycle_policy",
        "aws_opensearchserverless_security_policy",
        "aws_ses_receipt_filter",
    ];
    resource_type.starts_with("aws_")
        && (NAMES.contains(&name)
            || LIMITS.contains(&(resource_type, name))
            || name == "policy" && !NOT_POLICIES.contains(&resource_type))
}

/// Reads the policies of an attribute: a text, or blocks with texts.
fn read<'w>(change: &ObjectChange<'_, 'w>, value: Option<MarkedValue<'w>>) -> Text<'w> {
    let Some(value) = value else {
        return Text::Absent;
    };
    match value.content {
        Content::Unknown => Text::Unknown,
        Content::Null => Text::Absent,
        Content::String(text) if is_no_policy(text) => Text::Absent,
        Content::String(text) => {
            let mut statements = Statements::default();
            match add(change, text, &mut statements) {
                true => Text::Read(statements),
                false => Text::Other,
            }
        }
        Content::Array([]) => Text::Absent,
        Content::Array(blocks) => {
            let mut statements = Statements::default();
            let mut has_policy = false;
            for (name, value) in blocks
                .iter()
                .filter_map(|block| block.as_object())
                .flatten()
            {
                if value.is_unknown() && *name == "policy" {
                    return Text::Unknown;
                }
                let text = value.as_str().filter(|text| !is_no_policy(text));
                has_policy |= text.is_some_and(|text| add(change, text, &mut statements));
            }
            match has_policy {
                true => Text::Read(statements),
                false => Text::Other,
            }
        }
        Content::Redacted | Content::Bool(_) | Content::Number(_) | Content::Object(_) => {
            Text::Other
        }
    }
}

/// Whether a text stands for no policy at all.
fn is_no_policy(text: &str) -> bool {
    matches!(text.trim(), "" | "{}" | "null")
}

/// Adds the statements of the policy in a text. Returns whether the text is one.
fn add<'w>(change: &ObjectChange<'_, 'w>, text: &'w str, statements: &mut Statements<'w>) -> bool {
    if !text.contains("Statement") {
        return false;
    }
    let Some(document) = change.documents.json(text) else {
        return false;
    };
    let list = document.get(Policy::STATEMENTS);
    let is_policy = list.is_some_and(|list| match list.content {
        Content::Array(statements) => statements
            .iter()
            .all(|statement| statement.get("Effect").is_some()),
        Content::Object(_) => list.get("Effect").is_some(),
        Content::Null
        | Content::Unknown
        | Content::Redacted
        | Content::Bool(_)
        | Content::Number(_)
        | Content::String(_) => false,
    });
    if let Some(policy) = Policy::new(document).filter(|_| is_policy) {
        statements.add(&policy, document);
    }
    is_policy
}

/// Judges that a policy belongs to somebody else after the change, or to another object: one gains what it gives, and
/// the other one loses it.
fn moved_to_another<'w>(change: &ObjectChange<'_, 'w>) -> Option<Judgement<'w>> {
    let holder = HOLDERS.iter().copied().find(|holder| {
        let [old, new] = [change.before, change.after]
            .map(|side| side.get(holder).and_then(MarkedValue::as_str));
        old.is_some() && new.is_some() && old != new
    })?;
    let mut directions = Directions::default();
    for (name, _) in change.after.as_object()? {
        let [old, new] = [change.before, change.after].map(|side| side.get(name));
        for half in [[None, new], [old, None]] {
            directions = directions.union(attribute(change, name, half).unwrap_or_default());
        }
    }
    let place = vec![holder];
    (!directions.is_empty()).then_some(Judgement { place, directions })
}
