//! Recognizes drift that the tool itself made: an object shows rules, routes and policies that are resources of their
//! own in the same state. When the object is refreshed, the plan lists them as changes outside of the tool.
//!
//! ```text
//! drift of aws_security_group.web   + ingress: tcp/443        made by aws_security_group_rule.https of the same state
//!
//! no drift: only shows what other resources of this state make
//! ```

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::{Related, attribute_of};
use crate::diff::Error;
use crate::diff::edits::{Path, Step};
use crate::json::Value;
use crate::model::Action;
use crate::model::plan::ResourceChange;
use crate::report::SectionKind;
use crate::review::entry::{Entry, is_empty_on_both_sides};
use crate::review::finding::EntryFindings;

/// A relation between types: attributes of some types show objects of other types, their parts, and an attribute of the
/// parts names the object.
struct PartsShownBy {
    /// The types that show parts.
    types: &'static [&'static str],
    /// The attributes that show them.
    attributes: &'static [&'static str],
    /// The types of the parts.
    parts: &'static [&'static str],
    /// The attribute of a part that names the object.
    reference: &'static str,
}

/// Writes a list of `PartsShownBy`, one per row.
macro_rules! shown {
    ($($types:expr, $attributes:expr, $parts:expr, $reference:expr;)*) => {
        &[$(PartsShownBy { types: &$types, attributes: &$attributes, parts: &$parts, reference: $reference }),*]
    };
}

/// The known relations between types.
const SHOWN: &[PartsShownBy] = shown! {
    ["aws_security_group", "aws_default_security_group"], ["ingress", "egress"],
        ["aws_security_group_rule", "aws_vpc_security_group_ingress_rule", "aws_vpc_security_group_egress_rule"],
        "security_group_id";
    ["aws_route_table", "aws_default_route_table"], ["route"], ["aws_route"], "route_table_id";
    ["aws_route_table", "aws_default_route_table"], ["propagating_vgws"],
        ["aws_vpn_gateway_route_propagation"], "route_table_id";
    ["aws_network_acl", "aws_default_network_acl"], ["ingress", "egress"], ["aws_network_acl_rule"], "network_acl_id";
    ["aws_network_acl", "aws_default_network_acl"], ["subnet_ids"], ["aws_network_acl_association"], "network_acl_id";
    ["aws_vpc"], ["main_route_table_id"], ["aws_main_route_table_association"], "vpc_id";
    ["aws_vpc"], ["dhcp_options_id"], ["aws_vpc_dhcp_options_association"], "vpc_id";
    ["aws_internet_gateway"], ["vpc_id"], ["aws_internet_gateway_attachment"], "internet_gateway_id";
    ["aws_vpn_gateway"], ["vpc_id"], ["aws_vpn_gateway_attachment"], "vpn_gateway_id";
    ["aws_vpc_endpoint"], ["policy"], ["aws_vpc_endpoint_policy"], "vpc_endpoint_id";
    ["aws_vpc_endpoint"], ["route_table_ids"], ["aws_vpc_endpoint_route_table_association"], "vpc_endpoint_id";
    ["aws_vpc_endpoint"], ["subnet_ids"], ["aws_vpc_endpoint_subnet_association"], "vpc_endpoint_id";
    ["aws_vpc_endpoint"], ["security_group_ids"], ["aws_vpc_endpoint_security_group_association"], "vpc_endpoint_id";
    ["aws_ec2_managed_prefix_list"], ["entry"], ["aws_ec2_managed_prefix_list_entry"], "prefix_list_id";
    ["aws_route53_zone"], ["vpc"], ["aws_route53_zone_association"], "zone_id";
    ["aws_instance"], ["ebs_block_device"], ["aws_volume_attachment"], "instance_id";
    ["aws_instance"], ["network_interface", "secondary_network_interface"],
        ["aws_network_interface_attachment"], "instance_id";
    ["aws_instance"], ["public_ip"], ["aws_eip_association"], "instance_id";
    ["aws_instance"], ["public_ip"], ["aws_eip"], "instance";
    ["aws_network_interface"], ["attachment"], ["aws_network_interface_attachment"], "network_interface_id";
    ["aws_network_interface"], ["security_groups"], ["aws_network_interface_sg_attachment"], "network_interface_id";
    ["aws_eip"], ["instance", "network_interface", "private_ip"], ["aws_eip_association"], "allocation_id";
    ["aws_elb"], ["instances"], ["aws_elb_attachment"], "elb";
    ["aws_autoscaling_group"], ["load_balancers", "target_group_arns"],
        ["aws_autoscaling_attachment"], "autoscaling_group_name";
    ["aws_autoscaling_group"], ["traffic_source"],
        ["aws_autoscaling_traffic_source_attachment"], "autoscaling_group_name";
    ["aws_autoscaling_group"], ["tag"], ["aws_autoscaling_group_tag"], "autoscaling_group_name";
    ["aws_ecs_cluster"], ["capacity_providers", "default_capacity_provider_strategy"],
        ["aws_ecs_cluster_capacity_providers"], "cluster_name";
    ["aws_rds_cluster"], ["iam_roles"], ["aws_rds_cluster_role_association"], "db_cluster_identifier";
    ["aws_rds_cluster", "aws_docdb_cluster", "aws_neptune_cluster"], ["cluster_members"],
        ["aws_rds_cluster_instance", "aws_docdb_cluster_instance", "aws_neptune_cluster_instance"],
        "cluster_identifier";
    ["aws_rds_global_cluster"], ["global_cluster_members"], ["aws_rds_cluster"], "global_cluster_identifier";
    ["aws_db_instance"], ["replicas"], ["aws_db_instance"], "replicate_source_db";
    ["aws_redshift_cluster"], ["iam_roles", "default_iam_role_arn"],
        ["aws_redshift_cluster_iam_roles"], "cluster_identifier";
    ["aws_redshift_cluster"], ["logging"], ["aws_redshift_logging"], "cluster_identifier";
    ["aws_dynamodb_table"], ["replica"], ["aws_dynamodb_table_replica"], "global_table_arn";
    ["aws_s3_bucket"], ["policy"], ["aws_s3_bucket_policy"], "bucket";
    ["aws_s3_bucket"], ["acl", "grant"], ["aws_s3_bucket_acl"], "bucket";
    ["aws_s3_bucket"], ["versioning"], ["aws_s3_bucket_versioning"], "bucket";
    ["aws_s3_bucket"], ["server_side_encryption_configuration"],
        ["aws_s3_bucket_server_side_encryption_configuration"], "bucket";
    ["aws_s3_bucket"], ["lifecycle_rule"], ["aws_s3_bucket_lifecycle_configuration"], "bucket";
    ["aws_s3_bucket"], ["logging"], ["aws_s3_bucket_logging"], "bucket";
    ["aws_s3_bucket"], ["website", "website_domain", "website_endpoint"],
        ["aws_s3_bucket_website_configuration"], "bucket";
    ["aws_s3_bucket"], ["cors_rule"], ["aws_s3_bucket_cors_configuration"], "bucket";
    ["aws_s3_bucket"], ["replication_configuration"], ["aws_s3_bucket_replication_configuration"], "bucket";
    ["aws_s3_bucket"], ["object_lock_configuration"], ["aws_s3_bucket_object_lock_configuration"], "bucket";
    ["aws_s3_bucket"], ["acceleration_status"], ["aws_s3_bucket_accelerate_configuration"], "bucket";
    ["aws_s3_bucket"], ["request_payer"], ["aws_s3_bucket_request_payment_configuration"], "bucket";
    ["aws_iam_role"], ["inline_policy"], ["aws_iam_role_policy"], "role";
    ["aws_iam_role"], ["managed_policy_arns"], ["aws_iam_role_policy_attachment"], "role";
    ["aws_iam_role"], ["managed_policy_arns"], ["aws_iam_policy_attachment"], "roles";
    ["aws_iam_role"], ["managed_policy_arns"], ["aws_iam_role_policy_attachments_exclusive"], "role_name";
    ["aws_sqs_queue"], ["policy"], ["aws_sqs_queue_policy"], "queue_url";
    ["aws_sqs_queue"], ["redrive_policy"], ["aws_sqs_queue_redrive_policy"], "queue_url";
    ["aws_sqs_queue"], ["redrive_allow_policy"], ["aws_sqs_queue_redrive_allow_policy"], "queue_url";
    ["aws_sns_topic"], ["policy"], ["aws_sns_topic_policy"], "arn";
    ["aws_kms_key"], ["policy"], ["aws_kms_key_policy"], "key_id";
    ["aws_secretsmanager_secret"], ["policy"], ["aws_secretsmanager_secret_policy"], "secret_arn";
    ["aws_opensearch_domain"], ["access_policies"], ["aws_opensearch_domain_policy"], "domain_name";
    ["aws_elasticsearch_domain"], ["access_policies"], ["aws_elasticsearch_domain_policy"], "domain_name";
    ["aws_api_gateway_rest_api"], ["policy"], ["aws_api_gateway_rest_api_policy"], "rest_api_id";
    ["azurerm_network_security_group"], ["security_rule"], ["azurerm_network_security_rule"],
        "network_security_group_name";
    ["azurerm_route_table"], ["route"], ["azurerm_route"], "route_table_name";
    ["azurerm_route_table"], ["subnets"], ["azurerm_subnet_route_table_association"], "route_table_id";
    ["azurerm_virtual_network"], ["subnet"], ["azurerm_subnet"], "virtual_network_name";
    ["azurerm_virtual_network"], ["dns_servers"], ["azurerm_virtual_network_dns_servers"], "virtual_network_id";
    ["azurerm_nat_gateway"], ["public_ip_address_ids"],
        ["azurerm_nat_gateway_public_ip_association"], "nat_gateway_id";
    ["azurerm_nat_gateway"], ["public_ip_prefix_ids"],
        ["azurerm_nat_gateway_public_ip_prefix_association"], "nat_gateway_id";
    ["azurerm_virtual_machine"], ["storage_data_disk"],
        ["azurerm_virtual_machine_data_disk_attachment"], "virtual_machine_id";
    ["azurerm_firewall_policy"], ["rule_collection_groups"],
        ["azurerm_firewall_policy_rule_collection_group"], "firewall_policy_id";
    ["azurerm_key_vault"], ["access_policy"], ["azurerm_key_vault_access_policy"], "key_vault_id";
    ["azurerm_key_vault"], ["contact"], ["azurerm_key_vault_certificate_contacts"], "key_vault_id";
    ["azurerm_storage_account"], ["network_rules"], ["azurerm_storage_account_network_rules"], "storage_account_id";
    ["azurerm_storage_account"], ["queue_properties"], ["azurerm_storage_account_queue_properties"], "storage_account_id";
    ["azurerm_storage_account"], ["static_website"], ["azurerm_storage_account_static_website"], "storage_account_id";
    ["azuread_group"], ["members"], ["azuread_group_member"], "group_object_id";
    ["azuread_application"], ["owners"], ["azuread_application_owner"], "application_id";
    ["azuread_application"], ["identifier_uris"], ["azuread_application_identifier_uri"], "application_id";
    ["azuread_application"], ["app_role", "app_role_ids"], ["azuread_application_app_role"], "application_id";
    ["azuread_application"], ["password"], ["azuread_application_password"], "application_id";
    ["google_bigquery_dataset"], ["access"], ["google_bigquery_dataset_access"], "dataset_id";
    ["google_compute_security_policy"], ["rule"], ["google_compute_security_policy_rule"], "security_policy";
    ["google_compute_instance"], ["attached_disk"], ["google_compute_attached_disk"], "instance";
    ["google_compute_instance_group"], ["instances"], ["google_compute_instance_group_membership"], "instance_group";
    ["google_compute_disk"], ["resource_policies"], ["google_compute_disk_resource_policy_attachment"], "disk";
    ["google_compute_project_metadata"], ["metadata"], ["google_compute_project_metadata_item"], "project";
    ["github_repository"], ["default_branch"], ["github_branch_default"], "repository";
    ["github_repository"], ["topics"], ["github_repository_topics"], "repository";
    ["hcloud_firewall"], ["apply_to"], ["hcloud_firewall_attachment"], "firewall_id";
    ["hcloud_server"], ["firewall_ids"], ["hcloud_firewall_attachment"], "server_ids";
    ["hcloud_server"], ["network"], ["hcloud_server_network"], "server_id";
    ["hcloud_load_balancer"], ["target"], ["hcloud_load_balancer_target"], "load_balancer_id";
    ["cloudflare_list"], ["item"], ["cloudflare_list_item"], "list_id";
    ["ibm_is_security_group"], ["rules"], ["ibm_is_security_group_rule"], "group";
    ["scaleway_instance_security_group"], ["inbound_rule", "outbound_rule"],
        ["scaleway_instance_security_group_rules"], "security_group_id";
    ["yandex_vpc_security_group"], ["ingress", "egress"],
        ["yandex_vpc_security_group_rule"], "security_group_binding";
};

/// The attributes of an object whose values its parts refer to.
const NAMES: [&str; 10] = [
    "id",
    "arn",
    "name",
    "bucket",
    "key_id",
    "dataset_id",
    "domain_name",
    "object_id",
    "self_link",
    "project",
];

/// Members of a rule that do not change what it does.
const REMARKS: [&str; 6] = ["description", "name", "id", "sid", "tags", "self"];

impl<'a> Related<'_, 'a> {
    /// Removes findings of drift about what is a resource of the same state. Returns the drift that shows nothing else,
    /// as indices.
    pub(super) fn without_own_parts(
        &self,
        entries: &mut [EntryFindings<'a>],
        drift: &[Entry<'a>],
    ) -> Result<Vec<usize>, Error> {
        let may_have_parts = |change: &&ResourceChange<'_>| {
            SHOWN
                .iter()
                .any(|shown| shown.types.contains(&&*change.resource_type))
        };
        let mut own_parts = Vec::new();
        if !self
            .plan
            .resource_drift
            .iter()
            .any(|change| may_have_parts(&change))
        {
            return Ok(own_parts);
        }
        let parts = self.parts()?;
        for EntryFindings {
            index, findings, ..
        } in entries
            .iter_mut()
            .filter(|object| object.list == SectionKind::Drift)
        {
            let change = self.plan.resource_drift.get(*index).filter(may_have_parts);
            let Some((change, entry)) = change.zip(drift.get(*index)) else {
                continue;
            };
            let after = self.value(change.change.after)?;
            let shown = SHOWN
                .iter()
                .filter(|shown| shown.types.contains(&&*change.resource_type));
            let shown: Vec<(&PartsShownBy, ObjectParts<'_>)> =
                shown.map(|shown| (shown, parts.of(shown, after))).collect();
            let explained = |path: Path<'_>| {
                let steps = path.steps();
                let Some(Step::Name(attribute)) = steps.first() else {
                    return false;
                };
                let mut shown = shown
                    .iter()
                    .filter(|(shown, _)| shown.attributes.contains(attribute));
                shown.any(|(_, part)| part.explain(attribute, after, &steps))
            };
            // A finding about whom the policies of a role are for has the path of the role's name.
            let given = Path::ROOT.child(Step::Name("managed_policy_arns"), self.arena);
            findings.retain(|finding| {
                let names_role =
                    &*change.resource_type == "aws_iam_role" && attribute_of(finding) == "name";
                !explained(if names_role { given } else { finding.path })
            });
            let is_own = entry.action == Action::Update
                && findings.is_empty()
                && !entry.exact_edits.exact().is_empty()
                && entry
                    .exact_edits
                    .exact()
                    .iter()
                    .all(|edit| is_empty_on_both_sides(edit) || explained(edit.path));
            own_parts.extend(is_own.then_some(*index));
        }
        Ok(own_parts)
    }

    /// Returns the objects of the state that are parts of others.
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
        for object in self.objects_of_state()? {
            if object.is_managed {
                parts.add(object.resource_type, object.values);
            }
        }
        Ok(parts)
    }
}

/// A part: an object that another one shows.
struct ListedPart {
    /// All texts in the values of the part, as `add_texts` writes them.
    texts: HashSet<String>,
    /// Whether the part is about outgoing traffic; `None` if it is not about one direction.
    is_egress: Option<bool>,
}

impl ListedPart {
    /// Collects the texts of a part, and its direction.
    fn new(resource_type: &str, object: Value<'_>) -> Self {
        let mut texts = HashSet::new();
        add_texts(object, &mut texts);
        let is_egress = match (object.get("type"), object.get("egress")) {
            (_, Some(Value::Bool(is_egress))) => Some(is_egress),
            (Some(Value::String("egress")), _) => Some(true),
            (Some(Value::String("ingress")), _) => Some(false),
            _ if resource_type.ends_with("_egress_rule") => Some(true),
            _ if resource_type.ends_with("_ingress_rule") => Some(false),
            _ => None,
        };
        Self { texts, is_egress }
    }

    /// Whether the part may be shown in an attribute, by its direction.
    fn has_way_of(&self, attribute: &str) -> bool {
        match (attribute, self.is_egress) {
            ("ingress", Some(is_egress)) => !is_egress,
            ("egress", Some(is_egress)) => is_egress,
            (_, _) => true,
        }
    }
}

/// The parts, by their type and the text that they refer to.
#[derive(Default)]
struct Parts<'a>(HashMap<(&'static str, &'a str), Vec<Rc<ListedPart>>>);

impl<'a> Parts<'a> {
    /// Records an object as a part of every object that its reference names.
    fn add(&mut self, resource_type: &str, object: Value<'a>) {
        let mut part = None;
        for shown in SHOWN {
            let Some(part_type) = shown
                .parts
                .iter()
                .find(|part_type| **part_type == resource_type)
            else {
                continue;
            };
            let of = object.get(shown.reference).unwrap_or_default();
            let one = name_text(of);
            let several = of.as_array().unwrap_or_default().iter();
            for of in several.copied().filter_map(name_text).chain(one) {
                let part =
                    part.get_or_insert_with(|| Rc::new(ListedPart::new(resource_type, object)));
                let known = self.0.entry((*part_type, of)).or_default();
                // The same part may have several references, but is added at once, so that it can only be the last.
                if !known.last().is_some_and(|last| Rc::ptr_eq(last, part)) {
                    known.push(Rc::clone(part));
                }
            }
        }
    }

    /// Returns the parts of an object, for one relation.
    fn of(&self, shown: &PartsShownBy, object: Value<'a>) -> ObjectParts<'_> {
        let names: HashSet<&str> = NAMES
            .iter()
            .filter_map(|name| name_text(object.get(name)?))
            .collect();
        let keys = shown
            .parts
            .iter()
            .flat_map(|part| names.iter().map(move |name| (*part, *name)));
        let parts: Vec<&ListedPart> = keys
            .filter_map(|key| self.0.get(&key))
            .flatten()
            .map(|part| &**part)
            .collect();
        let mut by_text: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, part) in parts.iter().enumerate() {
            for text in &part.texts {
                by_text.entry(text).or_default().push(index);
            }
        }
        ObjectParts { parts, by_text }
    }
}

/// The parts of one object, with an index of their texts. Invariant: parts are found by a text that few of them have,
/// rather than by looking at all.
struct ObjectParts<'p> {
    /// The parts.
    parts: Vec<&'p ListedPart>,
    /// The indices of the parts that have a text.
    by_text: HashMap<&'p str, Vec<usize>>,
}

impl ObjectParts<'_> {
    /// Whether the parts explain the value that a path of the object leads to.
    fn explain(&self, attribute: &str, object: Value<'_>, steps: &[Step<'_>]) -> bool {
        let mut value = object;
        let mut element = None;
        for step in steps {
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
        let has_any = || self.parts.iter().any(|part| part.has_way_of(attribute));
        match (element, value) {
            (Some(element), value) => self.say(attribute, element, value),
            (None, Value::Array(elements)) => {
                let mut elements = elements.iter();
                elements.len() > 0 && elements.all(|one| self.say(attribute, *one, *one))
            }
            // A document such as a policy may be written in another way by the service.
            (None, Value::String(text)) if text.trim_start().starts_with('{') => has_any(),
            (None, Value::String(text)) => self.by_text.contains_key(&*text.to_ascii_lowercase()),
            (None, Value::Null) => false,
            (None, Value::Bool(_) | Value::Number(_) | Value::Object(_)) => has_any(),
        }
    }

    /// Whether the parts explain a value in an element, or the whole element. Several rules may be shown as one, with all
    /// their ranges.
    fn say(&self, attribute: &str, element: Value<'_>, value: Value<'_>) -> bool {
        let mut needed = HashSet::new();
        let mut ranges: Vec<Value<'_>> = Vec::new();
        for (name, member) in element.as_object().unwrap_or_default().members() {
            if let Some(items) = member.as_array() {
                // If a value in the element is meant, the other items of the element do not matter.
                ranges.extend(items.iter().filter(|_| value == element));
            } else if !REMARKS.contains(name) {
                add_texts(*member, &mut needed);
            }
        }
        if value != element || element.as_object().is_none() {
            ranges.push(value);
        }
        let says = |range: Value<'_>| {
            let mut needed = needed.clone();
            add_texts(range, &mut needed);
            self.has(attribute, &needed)
        };
        match ranges.as_slice() {
            [] => says(Value::Null),
            all => all.iter().all(|range| says(*range)),
        }
    }

    /// Whether one of the parts has all of the texts.
    fn has(&self, attribute: &str, needed: &HashSet<String>) -> bool {
        let with = |text: &String| self.by_text.get(&**text).map_or(&[][..], Vec::as_slice);
        let is_it = |part: &ListedPart| part.has_way_of(attribute) && needed.is_subset(&part.texts);
        match needed.iter().map(with).min_by_key(|few| few.len()) {
            Some(few) => few.iter().any(|index| is_it(self.parts[*index])),
            None => self.parts.iter().any(|part| is_it(part)),
        }
    }
}

/// Returns a text by which an object may be named.
fn name_text(value: Value<'_>) -> Option<&str> {
    match value {
        Value::String(text) | Value::Number(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Adds the texts of all values, in a form in which rules can be compared.
fn add_texts(value: Value<'_>, texts: &mut HashSet<String>) {
    match value {
        Value::Null | Value::Bool(_) => {}
        // A port that does not apply is 0 in one place and missing in another.
        Value::Number("0" | "-1") => {}
        Value::Number(number) => _ = texts.insert(number.to_owned()),
        Value::String(text) => {
            let text = match text {
                "-1" => "all",
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
