//! Types of resources that are made to be replaced: destroying one of their objects loses nothing.

/// The types, sorted. A `*` at the end stands for any rest.
const TYPES: &[&str] = &[
    "acme_certificate",
    "ansible_playbook",
    "archive_file",
    "aws_acm_certificate_validation",
    "aws_api_gateway_deployment",
    "aws_apigatewayv2_deployment",
    "aws_appconfig_deployment",
    "aws_appconfig_hosted_configuration_version",
    "aws_batch_job_definition",
    "aws_ecs_task_definition",
    "aws_imagebuilder_component",
    "aws_imagebuilder_container_recipe",
    "aws_imagebuilder_image_recipe",
    "aws_kms_ciphertext",
    "aws_lambda_invocation",
    "aws_lambda_layer_version",
    "aws_launch_configuration",
    "aws_launch_template",
    "aws_sagemaker_endpoint_configuration",
    "aws_sagemaker_model",
    "azurerm_api_management_api_release",
    "azurerm_resource_deployment_script_*",
    "azurerm_virtual_machine_run_command",
    "cloudflare_worker_version",
    "cloudflare_workers_deployment",
    "docker_image",
    "docker_registry_image",
    "google_api_gateway_api_config",
    "google_compute_instance_template",
    "google_compute_region_instance_template",
    "kubernetes_job",
    "kubernetes_job_v1",
    "kubernetes_token_request_v1",
    "local_file",
    "local_sensitive_file",
    "null_resource",
    "random_*",
    "template_dir",
    "template_file",
    "terraform_data",
    "time_*",
    "tls_cert_request",
    "tls_locally_signed_cert",
    "tls_self_signed_cert",
    "vault_approle_auth_backend_role_secret_id",
];

/// Whether objects of a type are made to be replaced.
pub fn is_made_to_be_replaced(resource_type: &str) -> bool {
    TYPES.iter().any(|name| match name.strip_suffix('*') {
        Some(start) => resource_type.starts_with(start),
        None => *name == resource_type,
    })
}

#[cfg(test)]
pub(super) fn types() -> &'static [&'static str] {
    TYPES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_are_sorted_and_may_end_with_any_characters() {
        assert!(TYPES.is_sorted());
        for name in ["random_password", "time_static", "aws_ecs_task_definition", "null_resource"] {
            assert!(is_made_to_be_replaced(name), "{name}");
        }
        for name in ["aws_ecs_service", "randomized_thing", "aws_instance", "aws_launch_template_x"] {
            assert!(!is_made_to_be_replaced(name), "{name}");
        }
    }
}
