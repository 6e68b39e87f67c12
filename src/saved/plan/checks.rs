//! The results of checks.

use serde_json::{Value, json};

use super::super::address::{Address, Key};
use super::names::{check_kind, status};
use super::{Error, message};

/// The results of checks, sorted by address, as JSON.
pub(super) fn checks(found: &[message::CheckResult]) -> Result<Value, Error> {
    let mut found: Vec<_> = found.iter().collect();
    crate::sort::by_key(&mut found, |check| &check.config_addr);
    found.into_iter().map(check).collect()
}

fn check(found: &message::CheckResult) -> Result<Value, Error> {
    let at = |error: Error| error.at(&found.config_addr);
    let address = Address::parse(&found.config_addr)?;
    let is_resource = found.kind == 1;
    let mut objects: Vec<_> = found.objects.iter().collect();
    crate::sort::by_key(&mut objects, |object| &object.object_addr);
    let instances = objects.into_iter().map(|object| {
        let own = Address::parse(&object.object_addr)?;
        let mut messages = object.failure_messages.clone();
        messages.sort();
        let problems: Vec<Value> =
            messages.into_iter().map(|message| json!({ "message": message })).collect();
        let key = match own.key {
            Key::Index(index) if is_resource => json!(index),
            Key::Text(text) if is_resource => json!(text),
            Key::None { .. } | Key::Index(_) | Key::Text(_) => Value::Null,
        };
        let address = json!({ "to_display": object.object_addr, "module": own.module, "instance_key": key });
        Ok(json!({ "address": address, "status": status(object.status).map_err(at)?, "problems": problems }))
    });
    let instances = instances.collect::<Result<Vec<Value>, Error>>()?;
    let (mode, kind) = if is_resource { (address.mode, address.kind) } else { ("", "") };
    let address = json!({
        "kind": check_kind(found.kind).map_err(at)?,
        "mode": mode,
        "module": address.module,
        "name": address.name,
        "to_display": found.config_addr,
        "type": kind,
    });
    let status = status(found.status).map_err(at)?;
    Ok(without_empty(json!({ "address": address, "status": status, "instances": instances })))
}

/// A value without the members that the tools leave out: nulls, and empty texts and lists.
fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, member)| (name, without_empty(member)));
            members.filter(|(_, member)| *member != "" && *member != json!([]) && !member.is_null()).collect()
        }
        Value::Array(items) => items.into_iter().map(without_empty).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}
