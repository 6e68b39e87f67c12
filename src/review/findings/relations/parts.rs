//! Recognizes drift that the tool itself made: an object shows rules, routes and policies that are resources of their
//! own in the same state. When the object is refreshed, the plan lists them as changes outside of the tool.
//!
//! Invariant: a part explains a value only if it has the same value, at an attribute of the same name, or at one of a
//! name that the object does not have (`cidr_blocks`, `cidr_ipv4`). A document such as a policy must be the same
//! document, a number the same number, and no value of the object may contradict the part.
//!
//! ```text
//! drift of aws_security_group.web   + ingress: tcp/443        made by aws_security_group_rule.https of the same state
//!
//! no drift: only shows what other resources of this state make
//! ```

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use bumpalo::Bump;

use super::{Related, attribute_of};
use crate::diff::Error;
use crate::diff::edits::{Path, Step};
use crate::json::{self, Value};
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
const REMARKS: [&str; 5] = ["description", "name", "id", "sid", "tags"];

/// Names that parts use for attributes of objects, where both would be taken for different attributes.
const OTHER_NAMES: [(&str, &str); 3] = [
    ("status", "enabled"),
    ("noncurrent_days", "days"),
    ("permission", "permissions"),
];

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

/// The values of an object or a part, flattened: the texts of each attribute, by its name. Values of nested objects
/// are under their innermost names.
#[derive(Clone, Default)]
struct Texts(HashMap<String, HashSet<String>>);

impl Texts {
    /// Adds all texts of a value, which is that of the attribute `name`. An attribute without a value is there without a
    /// text.
    fn add(&mut self, name: &str, value: Value<'_>) {
        match value {
            Value::Array(items) => {
                self.of(name);
                items.iter().for_each(|item| self.add(name, *item));
            }
            Value::Object(members) => {
                for (name, member) in members.members() {
                    self.add(name, *member);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                let text = comparable(value);
                let texts = self.of(name);
                if !text.is_empty() {
                    texts.insert(text);
                }
            }
        }
    }

    /// Returns the texts of an attribute, for which there is a place from now on.
    fn of(&mut self, name: &str) -> &mut HashSet<String> {
        let known = OTHER_NAMES.iter().find(|(other, _)| *other == name);
        let name = known.map_or(name, |(_, known)| known);
        self.0.entry(name.to_owned()).or_default()
    }

    /// Returns all texts that say something.
    fn all(&self) -> impl Iterator<Item = &String> {
        self.0.values().flatten().filter(|text| !is_void(text))
    }
}

/// Whether a text says no more than a missing value: a port or a code that does not apply is 0 or -1 in one place and
/// missing in another, and so is a switch that is off.
fn is_void(text: &str) -> bool {
    matches!(text, "" | "0" | "-1" | "false")
}

/// A part: an object that another one shows.
struct ListedPart {
    /// The values of the part, without the attributes that name objects it is a part of.
    texts: Texts,
    /// Whether the part is about outgoing traffic; `None` if it is not about one direction.
    is_egress: Option<bool>,
}

impl ListedPart {
    /// Collects the texts of a part, and its direction.
    fn new(resource_type: &str, object: Value<'_>) -> Self {
        let mut texts = Texts::default();
        texts.add("", object);
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

    /// Whether the part says all of these values, and nothing that contradicts them.
    fn says(&self, needed: &Texts) -> bool {
        needed
            .0
            .iter()
            .all(|(name, texts)| match self.texts.0.get(name) {
                Some(own) => {
                    let is_unset = own.iter().all(|text| is_void(text));
                    let has = |text: &String| own.contains(text) || (is_void(text) && is_unset);
                    match texts.is_empty() {
                        // The object shows no value where the part has one.
                        true => is_unset,
                        false => texts.iter().all(has),
                    }
                }
                None => texts
                    .iter()
                    .all(|text| is_void(text) || self.has_elsewhere(text, needed)),
            })
    }

    /// Whether the part has a text at an attribute whose name the object does not use.
    fn has_elsewhere(&self, text: &str, needed: &Texts) -> bool {
        let mut others = self
            .texts
            .0
            .iter()
            .filter(|(name, _)| !needed.0.contains_key(*name));
        others.any(|(name, texts)| !REMARKS.contains(&&**name) && texts.contains(text))
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
            let texts: HashSet<&String> = part.texts.all().collect();
            for text in texts {
                by_text.entry(text).or_default().push(index);
            }
        }
        let names = names.into_iter().map(str::to_owned).collect();
        ObjectParts {
            parts,
            by_text,
            names,
        }
    }
}

/// The parts of one object, with an index of their texts. Invariant: parts are found by a text that few of them have,
/// rather than by looking at all.
struct ObjectParts<'p> {
    /// The parts.
    parts: Vec<&'p ListedPart>,
    /// The indices of the parts that have a text.
    by_text: HashMap<&'p str, Vec<usize>>,
    /// The texts by which other objects name the object.
    names: HashSet<String>,
}

impl ObjectParts<'_> {
    /// Whether the parts explain the value that a path of the object leads to.
    fn explain(&self, attribute: &str, object: Value<'_>, steps: &[Step<'_>]) -> bool {
        let mut value = object;
        let mut element = None;
        let mut name = attribute;
        for step in steps {
            let next = match step {
                Step::Name(member) => {
                    name = *member;
                    value.get(member)
                }
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
        match (element, value) {
            (Some(element), value) => self.say(attribute, name, element, value),
            (None, Value::Array(elements)) => {
                let mut elements = elements.iter();
                elements.len() > 0 && elements.all(|one| self.say(attribute, attribute, *one, *one))
            }
            (None, Value::Null) => false,
            // A member of a map is a part with the key and the value.
            (None, Value::String(_) | Value::Bool(_) | Value::Number(_)) => {
                let mut needed = Texts::default();
                needed.add(name, value);
                if name != attribute {
                    needed.add("", Value::String(name));
                }
                self.has(attribute, &needed)
            }
            (None, Value::Object(_)) => self.say(attribute, attribute, value, value),
        }
    }

    /// Whether the parts explain a value in an element, or the whole element. Several rules may be shown as one, with all
    /// their ranges. `name` is the name of the value.
    fn say(&self, attribute: &str, name: &str, element: Value<'_>, value: Value<'_>) -> bool {
        let mut needed = Texts::default();
        let mut ranges: Vec<(&str, Value<'_>)> = Vec::new();
        let mut is_of_itself = false;
        for (name, member) in element.as_object().unwrap_or_default().members() {
            match member {
                // If a value in the element is meant, the other items of the element do not matter.
                Value::Array(items) => {
                    let whole = items.iter().filter(|_| value == element);
                    ranges.extend(whole.map(|item| (*name, *item)));
                }
                Value::Bool(is_on) if *name == "self" => is_of_itself = *is_on,
                Value::Null
                | Value::Bool(_)
                | Value::Number(_)
                | Value::String(_)
                | Value::Object(_) => {
                    if !REMARKS.contains(name) {
                        needed.add(name, *member);
                    }
                }
            }
        }
        if value != element || element.as_object().is_none() {
            ranges.push((name, value));
        }
        if is_of_itself && !self.let_in_itself(attribute, &needed) {
            return false;
        }
        let says = |name: &str, range: Value<'_>| {
            let mut needed = needed.clone();
            needed.0.remove(name);
            needed.add(name, range);
            self.has(attribute, &needed)
        };
        match ranges.as_slice() {
            [] => is_of_itself || self.has(attribute, &needed),
            all => all.iter().all(|(name, range)| says(name, *range)),
        }
    }

    /// Whether one of the parts lets in the members of the object itself, under these conditions.
    fn let_in_itself(&self, attribute: &str, needed: &Texts) -> bool {
        let is_it = |part: &ListedPart| {
            let of_itself = part
                .texts
                .0
                .get("self")
                .is_some_and(|texts| texts.contains("true"));
            let by_name = ["source_security_group_id", "referenced_security_group_id"]
                .iter()
                .filter_map(|name| part.texts.0.get(*name))
                .any(|texts| texts.iter().any(|text| self.names.contains(text)));
            (of_itself || by_name) && part.has_way_of(attribute) && part.says(needed)
        };
        self.parts.iter().any(|part| is_it(part))
    }

    /// Whether one of the parts says all of these values.
    fn has(&self, attribute: &str, needed: &Texts) -> bool {
        let with = |text: &String| self.by_text.get(&**text).map_or(&[][..], Vec::as_slice);
        let is_it = |part: &ListedPart| part.has_way_of(attribute) && part.says(needed);
        match needed.all().map(with).min_by_key(|few| few.len()) {
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

/// Returns a value without parts as a text in which equal rules are equal; empty for null.
fn comparable(value: Value<'_>) -> String {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_owned(),
        Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
            // A service may write a document in another way.
            let arena = Bump::new();
            match json::parse(text, &arena) {
                Ok(document) => canonical(document),
                Err(_) => text.to_owned(),
            }
        }
        Value::String(text) => match text.to_ascii_lowercase() {
            text if text == "-1" => "all".to_owned(),
            text if text == "enabled" => "true".to_owned(),
            text if matches!(&*text, "disabled" | "suspended") => "false".to_owned(),
            text => text,
        },
    }
}

/// Returns a document as a text that does not depend on the order of lists, nor on whether a list of one is a list, as
/// services write policies.
fn canonical(value: Value<'_>) -> String {
    match value {
        Value::Array([only]) => canonical(*only),
        Value::Array(items) => {
            let mut items: Vec<String> = items.iter().map(|item| canonical(*item)).collect();
            items.sort_unstable();
            format!("[{}]", items.join(","))
        }
        Value::Object(object) => {
            let members = object.members().iter();
            let members = members.map(|(name, member)| format!("{name:?}:{}", canonical(*member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_owned(),
        Value::String(text) => format!("{text:?}"),
    }
}
