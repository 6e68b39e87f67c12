//! Converts the results of checks in a saved plan into the member `checks`.
//!
//! ```json
//! {"address": {"kind": "resource", "mode": "managed", "name": "main", "to_display": "aws_vpc.main", "type": "aws_vpc"},
//!  "status": "fail", "instances": [{"address": {"to_display": "aws_vpc.main"}, "problems": [{"message": "…"}], "status": "fail"}]}
//! ```

use std::borrow::Cow;
use std::collections::BTreeMap;

use prost::bytes::Bytes;
use serde::Serialize;

use crate::saved::Error;
use crate::saved::address::{Address, Key};
use crate::saved::message::{CheckKind, CheckResults, CheckStatus, CheckedObject, decode, name_of};

/// The results of one block in the form of the tools, which leave out empty members.
#[derive(Serialize)]
struct Check {
    address: CheckAddress,
    status: Cow<'static, str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    instances: Vec<Instance>,
}

/// The address of the block that has the conditions. Members that do not apply are left out.
#[derive(Serialize)]
struct CheckAddress {
    /// The kind: `resource`, `output_value`, `check` or `var`.
    #[serde(skip_serializing_if = "str::is_empty")]
    kind: Cow<'static, str>,
    /// The mode of a resource, `managed` or `data`; empty for anything else.
    #[serde(skip_serializing_if = "String::is_empty")]
    mode: String,
    /// The address of the module without instance keys; empty for the root module.
    #[serde(skip_serializing_if = "String::is_empty")]
    module: String,
    /// The name of the block.
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    /// The whole address, without instance keys.
    to_display: String,
    /// The resource type; empty for anything but a resource.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    resource_type: String,
}

/// The result for one instance.
#[derive(Serialize)]
struct Instance {
    address: InstanceAddress,
    status: Cow<'static, str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
}

/// The address of an instance that was checked.
#[derive(Serialize)]
struct InstanceAddress {
    to_display: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    module: String,
    /// The instance key of a resource; nothing else has one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    instance_key: Option<Key>,
}

/// The message of a condition that did not hold.
#[derive(Serialize)]
struct Problem {
    message: String,
}

/// Returns the JSON of the results, sorted by address.
///
/// # Errors
/// If a message or an address is malformed; the error says which.
pub(super) fn checks(results: &[Bytes]) -> Result<String, Error> {
    let mut checks = BTreeMap::new();
    for bytes in results {
        let results: CheckResults = decode(bytes.clone(), "the results of checks")?;
        let address = results.config_addr.clone();
        let check = check(results).map_err(|error| error.with_subject(&address))?;
        checks.insert(address, check);
    }
    let checks: Vec<Check> = checks.into_values().collect();
    crate::saved::json(&checks)
}

/// Converts the results of one block. Its instances are sorted by address.
fn check(results: CheckResults) -> Result<Check, Error> {
    let is_resource = results.kind == i32::from(CheckKind::Resource);
    let mut instances = BTreeMap::new();
    for object in results.objects {
        let address = object.object_addr.clone();
        instances.insert(address, instance(object, is_resource)?);
    }
    let address = Address::parse(&results.config_addr)?;
    let of_resource = |text: &str| {
        if is_resource {
            text.to_owned()
        } else {
            String::new()
        }
    };
    Ok(Check {
        address: CheckAddress {
            kind: name_of::<CheckKind>(results.kind, "kind"),
            mode: of_resource(address.mode),
            module: address.module.to_owned(),
            name: address.name.to_owned(),
            resource_type: of_resource(address.kind),
            to_display: results.config_addr,
        },
        status: status(results.status),
        instances: instances.into_values().collect(),
    })
}

/// Converts the results of one instance. Its messages are sorted.
fn instance(object: CheckedObject, is_resource: bool) -> Result<Instance, Error> {
    let address = Address::parse(&object.object_addr)?;
    let mut messages = object.failure_messages;
    messages.sort_unstable();
    let problem = |message| Problem { message };
    Ok(Instance {
        status: status(object.status),
        problems: messages.into_iter().map(problem).collect(),
        address: InstanceAddress {
            module: address.module.to_owned(),
            instance_key: address.key.filter(|_| is_resource),
            to_display: object.object_addr,
        },
    })
}

fn status(number: i32) -> Cow<'static, str> {
    name_of::<CheckStatus>(number, "status")
}
