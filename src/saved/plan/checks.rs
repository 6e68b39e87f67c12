//! The results of checks.

use super::super::address::Address;
use super::names::{check_kind, status};
use super::{Error, json, key_json, message};

/// The result of a check.
pub(super) fn check(found: &message::CheckResult) -> Result<json::Check, Error> {
    let at = |error: Error| error.at(&found.config_addr);
    let address = Address::parse(&found.config_addr)?;
    let is_resource = found.kind == 1;
    let mut instances = Vec::with_capacity(found.objects.len());
    for object in &found.objects {
        let own = Address::parse(&object.object_addr)?;
        let mut messages = object.failure_messages.clone();
        messages.sort();
        instances.push(json::CheckInstance {
            address: json::CheckInstanceAddress {
                to_display: object.object_addr.clone(),
                module: own.module.to_owned(),
                instance_key: if is_resource { key_json(&own.key)? } else { None },
            },
            status: status(object.status).map_err(at)?,
            problems: messages.into_iter().map(|message| json::Problem { message }).collect(),
        });
    }
    instances.sort_by(|one, other| one.address.to_display.cmp(&other.address.to_display));
    let of_resource = |text: &str| if is_resource { text.to_owned() } else { String::new() };
    Ok(json::Check {
        address: json::CheckAddress {
            kind: check_kind(found.kind).map_err(at)?,
            mode: of_resource(address.mode),
            module: address.module.to_owned(),
            name: address.name.to_owned(),
            to_display: found.config_addr.clone(),
            resource_type: of_resource(address.kind),
        },
        status: status(found.status).map_err(at)?,
        instances,
    })
}
