use super::*;

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

fn tool_index(text: &str) -> Option<usize> {
    find(&words(text), |word| {
        (word == "tf").then(|| OsString::from("terraform"))
    })
    .map(|program| program.index)
}

#[test]
fn tools_are_known_by_other_names() {
    for command in [
        "terraform plan",
        "./terraform1.9 plan",
        "terraform-1.9.8 plan",
        "terraform_v1.5.7_linux_amd64 plan",
        "terraform-1.15.0-rc1 plan",
        "/opt/opentofu plan",
        "tofu.exe plan",
        "tofu-1.12 plan",
        "terragrunt_linux_arm64 plan",
        "tf plan",
    ] {
        assert_eq!(tool_index(command), Some(0), "{command}");
    }
    for (command, index) in [
        ("aws-vault exec plan -- terraform apply", 4),
        ("doppler run --project terraform -- terraform apply", 5),
        ("env A=b tofu plan", 2),
        ("sudo -E terraform1.9 plan", 2),
        ("unknown exec -- tofu plan", 3),
        ("docker run -it hashicorp/terraform:1.9 plan", 3),
        ("docker run ghcr.io/opentofu/opentofu:latest plan", 2),
    ] {
        assert_eq!(tool_index(command), Some(index), "{command}");
    }
}

/// `-json` was added to the words of any program.
#[test]
fn other_programs_are_no_tools() {
    for command in [
        "./wrapper.sh plan",
        "make -C terraform plan",
        "terraform-docs plan",
        "terraform-compliance plan",
        "terraformer plan",
        "terraform.sh plan",
        "tofuenv plan",
        "tofu-ls plan",
        "tfenv plan",
        "tfsec plan",
        "terragrunt-atlantis-config apply",
        "npm run terraform plan",
        "plan",
    ] {
        assert_eq!(tool_index(command), None, "{command}");
    }
}

#[test]
fn tools_on_another_file_system_are_not_local() {
    let is_local = |text: &str| find(&words(text), |_| None).is_some_and(|tool| tool.is_local);
    assert!(is_local("env A=docker tofu plan"));
    for command in [
        "docker run tofu plan",
        "sudo docker run tofu plan",
        "ssh host tofu plan",
        "docker-compose run tofu plan",
    ] {
        assert!(!is_local(command), "{command}");
    }
}
