use super::*;

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

fn parse(text: &str) -> Invocation {
    Invocation::parse(&words(text), |_| None)
}

#[test]
fn json_is_added_where_the_tool_expects_it() {
    for (typed, run) in [
        ("tofu apply -auto-approve", "tofu apply -json -auto-approve"),
        (
            "terraform -chdir=plan apply p",
            "terraform -chdir=plan apply -json p",
        ),
        ("/opt/tofu plan -out p", "/opt/tofu plan -json -out p"),
        ("tofu apply -json", "tofu apply -json"),
        ("tofu plan --json", "tofu plan --json"),
        ("terraform state list", "terraform state list"),
        (
            "terraform workspace select plan",
            "terraform workspace select plan",
        ),
        (
            "aws-vault exec plan -- terraform apply",
            "aws-vault exec plan -- terraform apply -json",
        ),
        ("./wrapper.sh apply prod", "./wrapper.sh apply prod"),
        ("make -C terraform plan", "make -C terraform plan"),
        ("./terraform1.9 apply", "./terraform1.9 apply -json"),
        ("tofu", "tofu"),
    ] {
        assert_eq!(parse(typed).with_json().join(OsStr::new(" ")), run);
    }
}

#[test]
fn commands_without_messages_are_told_from_those_with() {
    for (typed, streamed) in [
        ("tofu apply", true),
        ("tofu -chdir=x plan -out=p", true),
        ("tofu plan -var x=-help", true),
        ("tofu plan -json=false", false),
        ("tofu plan -json-into=f", false),
        ("tofu plan -help", false),
        ("tofu -help plan", false),
        ("tofu -version", false),
        ("tofu", false),
        ("terraform output", false),
        ("terraform workspace select plan", false),
        ("env A=b terraform login", false),
        ("tofu plan -json=no", false),
        ("tofu plan -json=1", true),
        ("tofu test -filter -json=0", true),
        ("tofu apply -var -help", false),
        ("tofu apply -- -help", true),
        ("terragrunt --working-dir prod apply", true),
        ("terragrunt --working-dir=prod apply", true),
        ("terragrunt --unknown plan apply", false),
        ("terragrunt run --all plan", false),
        ("./wrapper.sh", false),
        ("./wrapper.sh apply", false),
        ("./wrapper.sh apply -json", true),
        ("./wrapper.sh apply -json -json=false", false),
    ] {
        assert_eq!(parse(typed).is_streamed(), streamed, "{typed}");
    }
}
