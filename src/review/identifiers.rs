//! Replaces identifiers of providers by names in texts: `aws_subnet.private_a` for `subnet-0a17c09d5be3f8842`.
//!
//! Three sources of names are known: the addresses of objects that the plan changes; the names that the user gives
//! (`--names`); and, if everything in the plan is in one account of AWS, a short form of the ARNs of this account:
//! `sns:oncall`.
//!
//! Invariants: an identifier is replaced only where it is the whole value, and only by a name that belongs to one
//! object. The JSON, comparisons, gates and findings keep the identifier.
//!
//! ```text
//! subnet_id: "subnet-0a17…" -> "subnet-0b22…"            subnet_id aws_subnet.a -> aws_subnet.b
//! "arn:aws:sns:eu-central-1:111111111111:oncall"          sns:oncall
//! ```

use std::collections::{BTreeSet, HashMap};

use foldhash::{HashMap as FastMap, HashMapExt as _};

use super::changes::Changes;
use super::one_line;
use crate::diff::value::MarkedValue;

/// The attributes whose values identify an object in other places than its own resource type.
const ATTRIBUTES: [&str; 3] = ["id", "arn", "self_link"];

/// The prefixes of identifiers that are not made of hexadecimal digits.
const BEGINNINGS: [&str; 5] = [
    "arn:",
    "/subscriptions/",
    "projects/",
    "https://www.googleapis.com/",
    "ocid1.",
];

/// The minimum number of hexadecimal digits in an identifier such as `sg-0f27b3c1`; shorter ones may be words.
const MIN_DIGITS: usize = 8;

/// The length in bytes of a UUID such as `7c2d6e0a-1f4b-4a53-9d0e-5b1f6f6f7a11`.
const UUID_LEN: usize = 36;

/// The names that the user gives, by identifier.
pub type GivenNames = HashMap<String, String>;

/// The reason why a list of names cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamesError {
    /// A line has an identifier without a name.
    #[error("line {line}: {identifier} has no name")]
    NoName {
        /// The line of the list, from 1.
        line: usize,
        /// The identifier on it.
        identifier: String,
    },
    /// An identifier occurs twice, with different names.
    #[error("line {line}: {identifier} has another name on line {first}")]
    SecondName {
        /// The later line, from 1.
        line: usize,
        /// The line of the first name, from 1.
        first: usize,
        /// The identifier on both.
        identifier: String,
    },
}

/// Parses a list of names. Each line has an identifier, white space, and its name. Empty lines and those that begin
/// with `#` are ignored.
///
/// # Errors
/// If an identifier has no name, or two different ones.
pub fn parse_names(text: &str) -> Result<GivenNames, NamesError> {
    let mut lines_by_identifier: HashMap<&str, usize> = HashMap::new();
    let mut names = GivenNames::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = index + 1;
        let Some((identifier, name)) = line.split_once(char::is_whitespace) else {
            return Err(NamesError::NoName {
                line: number,
                identifier: one_line(line),
            });
        };
        let name = one_line(name.trim());
        let first = *lines_by_identifier.entry(identifier).or_insert(number);
        let known = names.entry(identifier.to_owned()).or_insert(name.clone());
        if *known != name {
            return Err(NamesError::SecondName {
                line: number,
                first,
                identifier: one_line(identifier),
            });
        }
    }
    Ok(names)
}

/// Returns the identifiers of an object. Values that are only names, such as the `id` of an IAM role, are left out,
/// because the same text elsewhere may mean something else; so is an `arn` that is of another object.
pub(super) fn of_object<'a>(resource_type: &str, object: MarkedValue<'a>) -> Vec<&'a str> {
    let text = |name: &str| object.get(name)?.as_str();
    ATTRIBUTES
        .iter()
        .filter_map(|name| Some((*name, text(name)?)))
        .filter(|(name, value)| {
            is_identifier(value) && (*name != "arn" || is_arn_of(value, resource_type, text))
        })
        .map(|(_, value)| value)
        .collect()
}

/// The attributes by which the ARN of an object names it.
const NAMES_IN_ARNS: [&str; 12] = [
    "id",
    "name",
    "bucket",
    "identifier",
    "cluster_identifier",
    "function_name",
    "key_id",
    "domain_name",
    "repository_name",
    "table_name",
    "alias",
    "account_id",
];

/// The types whose `arn` is that of another object.
const OTHER_ARNS: [&str; 4] = [
    "aws_cloudwatch_event_target",
    "aws_sns_topic_policy",
    "aws_sns_topic_data_protection_policy",
    "aws_pinpoint_event_stream",
];

/// Whether an ARN is that of the object itself, and not of one that it refers to (as the `arn` of an event target is):
/// it is of the service of the object's type, or it is the `id`, or ends with a name of the object. `text` returns the
/// text of an attribute.
pub(super) fn is_arn_of<'t>(
    arn: &str,
    resource_type: &str,
    text: impl Fn(&str) -> Option<&'t str>,
) -> bool {
    if OTHER_ARNS.contains(&resource_type) {
        return false;
    }
    let service = Arn::parse(arn).map_or("", |arn| arn.service);
    if !service.is_empty() && resource_type.split('_').nth(1) == Some(service) {
        return true;
    }
    NAMES_IN_ARNS.iter().any(|attribute| {
        let Some(name) = text(attribute).filter(|name| !name.is_empty()) else {
            return false;
        };
        let rest = arn.strip_suffix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', ':']))
    })
}

/// Whether a text has the form of an identifier: a known prefix, `KIND-HEXDIGITS`, or a UUID.
fn is_identifier(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_numbered = || {
        text.split_once('-').is_some_and(|(kind, number)| {
            !kind.is_empty()
                && kind.bytes().all(|byte| byte.is_ascii_lowercase())
                && number.len() >= MIN_DIGITS
                && number.bytes().all(is_digit)
        })
    };
    let is_uuid =
        || text.len() == UUID_LEN && text.bytes().all(|byte| byte == b'-' || is_digit(byte));
    BEGINNINGS.iter().any(|begin| text.starts_with(begin)) || is_numbered() || is_uuid()
}

/// The length of the number of an account of AWS.
const ACCOUNT_LEN: usize = 12;
/// The minimum length of an identifier that has only capital letters and digits, such as that of a zone.
const MIN_CAPITALS: usize = 10;

/// Whether a name that the user gives may stand for a text: only for the identifier of one object or account. Ranges,
/// wildcards, principals such as `allUsers`, switches, and policies and roles that a cloud defines decide who may do
/// what, so that nothing hides them. The list of names may be in the repository that is reviewed.
fn may_be_named(text: &str) -> bool {
    let is_account = text.len() == ACCOUNT_LEN && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_capitals = text.len() >= MIN_CAPITALS
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    let is_of_cloud = Arn::parse(text).is_some_and(|arn| arn.account == "aws")
        || text.to_ascii_lowercase().contains("/roledefinitions/");
    (is_identifier(text) || is_account || is_capitals) && !text.contains(['*', '?']) && !is_of_cloud
}

/// The names that texts of one plan write instead of identifiers.
pub(super) struct Names<'r, 'a> {
    /// The names that the user gives.
    given: Option<&'r GivenNames>,
    /// The address of the object with each identifier; empty for identifiers that several objects have.
    addresses: FastMap<&'a str, &'a str>,
    /// The account of which ARNs are shortened.
    account: Option<OwnAccount<'a>>,
}

/// The account of AWS that all objects of a plan are in, and the region if there is only one.
struct OwnAccount<'a> {
    partition: &'a str,
    account: &'a str,
    region: Option<&'a str>,
}

impl<'r, 'a> Names<'r, 'a> {
    /// Collects the identifiers of the changed objects. An identifier that two objects have names neither of them.
    pub(super) fn new(changes: &Changes<'a>, given: Option<&'r GivenNames>) -> Self {
        let mut addresses: FastMap<&str, &str> = FastMap::new();
        for (_, entry) in changes.objects() {
            for identifier in &entry.identifiers {
                let address = addresses.entry(identifier).or_insert(entry.address);
                if *address != entry.address {
                    *address = "";
                }
            }
        }
        Self {
            given,
            account: OwnAccount::new(addresses.keys().filter_map(|text| Arn::parse(text))),
            addresses,
        }
    }

    /// Whether there are no names, so that nothing can be replaced.
    pub(super) fn is_empty(&self) -> bool {
        self.given.is_none_or(HashMap::is_empty) && self.addresses.is_empty()
    }

    /// Returns what texts of the object at `address` write instead of a value; `None` for the value
    /// itself.
    pub(super) fn name(&self, text: &str, address: &str) -> Option<String> {
        match self.object_name(text, address) {
            Some(name) => Some(name.to_owned()),
            None => self.account.as_ref()?.shortened(text),
        }
    }

    /// Whether both texts are ARNs that no object name replaces. A comparison of two such texts leaves out what they
    /// have in common, which is shorter than both texts without their account.
    pub(super) fn are_only_arns(&self, texts: [&str; 2], address: &str) -> bool {
        texts
            .iter()
            .all(|text| text.starts_with("arn:") && self.object_name(text, address).is_none())
    }

    /// Returns the name of the object with this identifier: the given one, or the address. An object at `address` has
    /// no name for its own identifier.
    fn object_name(&self, text: &str, address: &str) -> Option<&str> {
        if let Some(name) = self.given.and_then(|given| given.get(text))
            && may_be_named(text)
        {
            return Some(name);
        }
        let known = self.addresses.get(text).copied()?;
        // An object does not refer to itself by its address.
        (!known.is_empty() && known != address).then_some(known)
    }
}

impl<'a> OwnAccount<'a> {
    /// Returns the account that all ARNs with an account are in; `None` if there is no such ARN, or if there are
    /// several accounts.
    fn new(arns: impl Iterator<Item = Arn<'a>>) -> Option<Self> {
        let (mut accounts, mut regions) = (BTreeSet::new(), BTreeSet::new());
        for arn in arns.filter(|arn| !arn.account.is_empty()) {
            accounts.insert((arn.partition, arn.account));
            regions.extend(Some(arn.region).filter(|region| !region.is_empty()));
        }
        let mut accounts = accounts.into_iter();
        let (Some((partition, account)), None) = (accounts.next(), accounts.next()) else {
            return None;
        };
        let mut regions = regions.into_iter();
        let region = regions.next().filter(|_| regions.next().is_none());
        Some(Self {
            partition,
            account,
            region,
        })
    }

    /// Returns the short form of an ARN of the account: `dynamodb:table/customers`. In another region, the region
    /// follows the service. `None` for other texts.
    fn shortened(&self, text: &str) -> Option<String> {
        let arn = Arn::parse(text)?;
        let is_own = arn.partition == self.partition && arn.account == self.account;
        let is_here = arn.region.is_empty() || Some(arn.region) == self.region;
        let Arn {
            service, region, ..
        } = arn;
        let resource = arn.resource?;
        match (is_own, is_here) {
            (true, true) => Some(format!("{service}:{resource}")),
            (true, false) => Some(format!("{service}:{region}:{resource}")),
            (false, _) => None,
        }
    }
}

/// The parts of an ARN: `arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE`. The region and the account may be empty.
pub(super) struct Arn<'a> {
    /// The partition: `aws`, `aws-cn`, `aws-us-gov`.
    partition: &'a str,
    /// The service, for example `sns`.
    service: &'a str,
    /// The region; empty for global services.
    region: &'a str,
    /// The number of the account; empty for objects of AWS itself and for buckets.
    pub(super) account: &'a str,
    /// The resource; `None` in a text that ends with the account.
    resource: Option<&'a str>,
}

impl<'a> Arn<'a> {
    /// Splits an ARN; `None` if the text has another form.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let mut parts = text.strip_prefix("arn:")?.splitn(5, ':');
        Some(Self {
            partition: parts.next()?,
            service: parts.next()?,
            region: parts.next()?,
            account: parts.next()?,
            resource: parts.next(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_providers_are_told_from_names() {
        for (text, is) in [
            ("subnet-0a17c09d5be3f8842", true),
            ("sg-0f27b3c1", true),
            ("arn:aws:sns:eu-central-1:482013347711:oncall", true),
            ("7c2d6e0a-1f4b-4a53-9d0e-5b1f6f6f7a11", true),
            ("/subscriptions/1/resourceGroups/a", true),
            ("projects/a/zones/b/instances/c", true),
            ("main", false),
            ("app-deadline", false),
            ("my-0a17c09d-service", false),
            ("2024-01-01", false),
            ("", false),
        ] {
            assert_eq!(is_identifier(text), is, "{text}");
        }
    }

    #[test]
    fn a_given_name_hides_nothing_but_an_identifier() {
        for text in [
            "subnet-0a17c09d5be3f8842",
            "111111111111",
            "Z1D633PJN98FT9",
            "arn:aws:kms:eu-west-1:111111111111:key/1",
            "7c2d6e0a-1f4b-4a53-9d0e-5b1f6f6f7a11",
        ] {
            assert!(may_be_named(text), "{text}");
        }
        for text in [
            "0.0.0.0/0",
            "::/0",
            "*",
            "allUsers",
            "allAuthenticatedUsers",
            "user:eve@example.com",
            "roles/owner",
            "true",
            "false",
            "65535",
            "Allow",
            "arn:aws:iam::aws:policy/AdministratorAccess",
            "arn:aws:iam::111111111111:role/*",
            "/subscriptions/7c2d6e0a-1f4b-4a53-9d0e-5b1f6f6f7a11/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635",
        ] {
            assert!(!may_be_named(text), "{text}");
        }
    }

    #[test]
    fn names_are_read_from_lines() {
        let names = parse_names("# subnets\nsubnet-1  private a \n\nsg-2\tweb\n").unwrap();
        assert_eq!(names["subnet-1"], "private a");
        assert_eq!(names["sg-2"], "web");
        assert_eq!(names.len(), 2);
    }

    #[test]
    fn names_that_are_missing_or_differ_are_errors() {
        let message = |text| parse_names(text).unwrap_err().to_string();
        assert_eq!(message("a b\nsubnet-1\n"), "line 2: subnet-1 has no name");
        assert_eq!(
            message("sg-2 web\n\nsg-2 db\n"),
            "line 3: sg-2 has another name on line 1"
        );
    }

    fn account_of(arns: &[&'static str]) -> Option<OwnAccount<'static>> {
        OwnAccount::new(arns.iter().filter_map(|text| Arn::parse(text)))
    }

    #[test]
    fn arns_of_the_only_account_are_short() {
        let account = account_of(&[
            "arn:aws:sns:eu-central-1:482013347711:oncall",
            "arn:aws:iam::482013347711:role/app",
            "arn:aws:s3:::bucket",
        ]);
        let account = account.unwrap();
        for (text, expected) in [
            (
                "arn:aws:dynamodb:eu-central-1:482013347711:table/a",
                Some("dynamodb:table/a"),
            ),
            (
                "arn:aws:lambda:eu-central-1:482013347711:function:a:1",
                Some("lambda:function:a:1"),
            ),
            ("arn:aws:iam::482013347711:root", Some("iam:root")),
            (
                "arn:aws:sns:us-east-1:482013347711:a",
                Some("sns:us-east-1:a"),
            ),
            ("arn:aws:iam::991122334455:root", None),
            ("arn:aws-cn:iam::482013347711:root", None),
            ("arn:aws:s3:::bucket/*", None),
            ("arn:aws:iam", None),
        ] {
            assert_eq!(account.shortened(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn objects_in_two_accounts_prove_no_own_one() {
        assert!(
            account_of(&[
                "arn:aws:iam::482013347711:role/a",
                "arn:aws:iam::991122334455:role/a"
            ])
            .is_none()
        );
        assert!(account_of(&["arn:aws:s3:::bucket"]).is_none());
    }
}
