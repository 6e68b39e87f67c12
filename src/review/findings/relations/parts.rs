//! Drift that the tool itself made: an object shows rules, routes and policies that are resources of their own in the same
//! state. When it is refreshed, the plan lists them as changes outside of the tool.

use std::collections::{HashMap, HashSet};

use super::{Related, attribute_of};
use crate::diff::Error;
use crate::diff::edits::Step;
use crate::json::Value;
use crate::report::SectionKind;
use crate::review::entry::Finding;
use crate::review::finding::FoundIn;

/// Attributes of a type that show objects of other types, and the attribute of those that names the object.
struct Shown {
    types: &'static [&'static str],
    attributes: &'static [&'static str],
    parts: &'static [&'static str],
    reference: &'static str,
}

macro_rules! shown {
    ($($types:expr, $attributes:expr, $parts:expr, $reference:expr;)*) => {
        &[$(Shown { types: &$types, attributes: &$attributes, parts: &$parts, reference: $reference }),*]
    };
}

const SHOWN: &[Shown] = shown! {
    ["aws_security_group", "aws_default_security_group"], ["ingress", "egress"],
        ["aws_security_group_rule", "aws_vpc_security_group_ingress_rule", "aws_vpc_security_group_egress_rule"],
        "security_group_id";
    ["aws_route_table", "aws_default_route_table"], ["route"], ["aws_route"], "route_table_id";
    ["aws_network_acl", "aws_default_network_acl"], ["ingress", "egress"], ["aws_network_acl_rule"], "network_acl_id";
    ["aws_s3_bucket"], ["policy"], ["aws_s3_bucket_policy"], "bucket";
    ["aws_s3_bucket"], ["acl", "grant"], ["aws_s3_bucket_acl"], "bucket";
    ["aws_s3_bucket"], ["versioning"], ["aws_s3_bucket_versioning"], "bucket";
    ["aws_s3_bucket"], ["server_side_encryption_configuration"],
        ["aws_s3_bucket_server_side_encryption_configuration"], "bucket";
    ["aws_s3_bucket"], ["lifecycle_rule"], ["aws_s3_bucket_lifecycle_configuration"], "bucket";
    ["aws_s3_bucket"], ["logging"], ["aws_s3_bucket_logging"], "bucket";
    ["aws_s3_bucket"], ["website"], ["aws_s3_bucket_website_configuration"], "bucket";
    ["aws_s3_bucket"], ["cors_rule"], ["aws_s3_bucket_cors_configuration"], "bucket";
    ["aws_s3_bucket"], ["replication_configuration"], ["aws_s3_bucket_replication_configuration"], "bucket";
    ["aws_s3_bucket"], ["object_lock_configuration"], ["aws_s3_bucket_object_lock_configuration"], "bucket";
    ["aws_iam_role"], ["inline_policy"], ["aws_iam_role_policy"], "role";
    ["aws_iam_role"], ["managed_policy_arns", "name"], ["aws_iam_role_policy_attachment"], "role";
    ["aws_sqs_queue"], ["policy"], ["aws_sqs_queue_policy"], "queue_url";
    ["aws_sqs_queue"], ["redrive_policy"], ["aws_sqs_queue_redrive_policy"], "queue_url";
    ["aws_sns_topic"], ["policy"], ["aws_sns_topic_policy"], "arn";
    ["aws_kms_key"], ["policy"], ["aws_kms_key_policy"], "key_id";
    ["aws_secretsmanager_secret"], ["policy"], ["aws_secretsmanager_secret_policy"], "secret_arn";
    ["aws_opensearch_domain"], ["access_policies"], ["aws_opensearch_domain_policy"], "domain_name";
    ["aws_vpc_endpoint"], ["policy"], ["aws_vpc_endpoint_policy"], "vpc_endpoint_id";
    ["aws_api_gateway_rest_api"], ["policy"], ["aws_api_gateway_rest_api_policy"], "rest_api_id";
    ["azurerm_network_security_group"], ["security_rule"], ["azurerm_network_security_rule"],
        "network_security_group_name";
    ["azurerm_route_table"], ["route"], ["azurerm_route"], "route_table_name";
    ["azurerm_key_vault"], ["access_policy"], ["azurerm_key_vault_access_policy"], "key_vault_id";
    ["azurerm_storage_account"], ["network_rules"], ["azurerm_storage_account_network_rules"], "storage_account_id";
    ["google_bigquery_dataset"], ["access"], ["google_bigquery_dataset_access"], "dataset_id";
    ["google_compute_security_policy"], ["rule"], ["google_compute_security_policy_rule"], "security_policy";
};

/// What names an object in the attributes of its parts.
const NAMES: [&str; 7] = [
    "id",
    "arn",
    "name",
    "bucket",
    "key_id",
    "dataset_id",
    "domain_name",
];

/// Members of a rule that say nothing about what it does.
const REMARKS: [&str; 6] = ["description", "name", "id", "sid", "tags", "self"];

impl<'a> Related<'_, 'a> {
    /// Removes findings of drift about what is a resource of the same state.
    pub(super) fn without_own_parts(&self, found: &mut [FoundIn<'a>]) -> Result<(), Error> {
        let is_drift = |(list, _, findings): &&mut FoundIn<'a>| {
            *list == SectionKind::Drift && !findings.is_empty()
        };
        let mut drifted = found.iter_mut().filter(is_drift).peekable();
        if drifted.peek().is_none() {
            return Ok(());
        }
        let parts = self.parts()?;
        for (_, at, findings) in drifted {
            let Some(change) = self.plan.resource_drift.get(*at) else {
                continue;
            };
            let after = self.value(change.change.after)?;
            findings.retain(|finding| {
                let attribute = attribute_of(finding);
                let mut shown = SHOWN.iter().filter(|shown| {
                    shown.types.contains(&&*change.resource_type)
                        && shown.attributes.contains(&attribute)
                });
                !shown.any(|shown| parts.explain(shown, after, finding))
            });
        }
        Ok(())
    }

    /// The objects of the state that are parts of others.
    fn parts(&self) -> Result<Parts<'a>, Error> {
        let mut parts = Parts::default();
        for change in self
            .plan
            .resource_changes
            .iter()
            .filter(|change| change.is_managed())
        {
            parts.add(&change.resource_type, self.value(change.change.before)?);
        }
        let state = self.value(self.plan.prior_state)?;
        let mut modules: Vec<Value<'a>> = Vec::new();
        modules.extend(
            state
                .get("values")
                .and_then(|values| values.get("root_module")),
        );
        while let Some(module) = modules.pop() {
            let list = |name: &str| module.get(name).and_then(Value::as_array);
            modules.extend(list("child_modules").unwrap_or_default());
            for object in list("resources").unwrap_or_default() {
                let resource_type = object.get("type").and_then(Value::as_str);
                let is_managed = object.get("mode").and_then(Value::as_str) == Some("managed");
                if let (Some(resource_type), true) = (resource_type, is_managed) {
                    let values = object.get("values").unwrap_or_default();
                    parts.add(resource_type, values);
                }
            }
        }
        Ok(parts)
    }
}

/// By the type of the part and what it refers to.
#[derive(Default)]
struct Parts<'a>(HashMap<(&'static str, &'a str), Vec<HashSet<String>>>);

impl<'a> Parts<'a> {
    fn add(&mut self, resource_type: &str, object: Value<'a>) {
        for shown in SHOWN {
            let own = shown.parts.iter().find(|own| **own == resource_type);
            let of = object.get(shown.reference).and_then(Value::as_str);
            if let (Some(own), Some(of)) = (own, of) {
                let mut texts = HashSet::new();
                add_texts(object, &mut texts);
                self.0.entry((*own, of)).or_default().push(texts);
            }
        }
    }

    /// Whether one of the parts says what a finding is about.
    fn explain(&self, shown: &Shown, object: Value<'a>, finding: &Finding<'_>) -> bool {
        let names: HashSet<&str> = NAMES
            .iter()
            .filter_map(|name| object.get(name)?.as_str())
            .collect();
        let own = || {
            let keys = shown
                .parts
                .iter()
                .flat_map(|part| names.iter().map(move |name| (*part, *name)));
            keys.filter_map(|key| self.0.get(&key)).flatten()
        };
        let steps = finding.path.steps();
        let mut value = object;
        let mut element = None;
        for step in &steps {
            let next = match step {
                Step::Name(name) => value.get(name),
                Step::Element(one) => {
                    let index = one.after.map(|index| index as usize);
                    index.and_then(|index| value.as_array()?.get(index).copied())
                }
                Step::Document(_) => break,
            };
            let Some(next) = next else { return false };
            value = next;
            if matches!(step, Step::Element(_)) && element.is_none() {
                element = Some(next);
            }
        }
        let Some(element) = element else {
            // An attribute that has only one value, such as a policy.
            return own().next().is_some();
        };
        let mut needed = HashSet::new();
        for (name, member) in element.as_object().unwrap_or_default().members() {
            if !REMARKS.contains(name) && member.as_array().is_none() {
                add_texts(*member, &mut needed);
            }
        }
        add_texts(value, &mut needed);
        own().any(|texts| needed.is_subset(texts))
    }
}

/// The texts of all values, as rules compare them.
fn add_texts(value: Value<'_>, texts: &mut HashSet<String>) {
    match value {
        Value::Null | Value::Bool(_) => {}
        // A port that is not meant is 0 in one place and missing in the other.
        Value::Number("0" | "-1") => {}
        Value::Number(number) => _ = texts.insert(number.to_owned()),
        Value::String(text) => {
            let text = match text {
                "-1" | "all" => "",
                text => text,
            };
            if !text.is_empty() {
                texts.insert(text.to_ascii_lowercase());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| add_texts(*item, texts)),
        Value::Object(members) => members
            .members()
            .iter()
            .for_each(|(_, member)| add_texts(*member, texts)),
    }
}
