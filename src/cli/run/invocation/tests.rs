use super::*;

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
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
        ("./wrapper.sh apply prod", "./wrapper.sh apply -json prod"),
        ("tofu", "tofu"),
    ] {
        assert_eq!(
            Invocation::parse(&words(typed))
                .with_json()
                .join(OsStr::new(" ")),
            run
        );
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
        ("./wrapper.sh", true),
    ] {
        assert_eq!(
            Invocation::parse(&words(typed)).is_streamed(),
            streamed,
            "{typed}"
        );
    }
}

#[test]
fn options_are_read_as_the_tools_read_them() {
    let flags = Flags::parse(&words(
        "-var a=1 --target=x -lock=false -auto-approve -parallelism 3 p -destroy",
    ));
    assert!(flags.is_set("auto-approve") && flags.is_unset("lock") && !flags.has("destroy"));
    assert_eq!(
        (flags.value("var"), flags.value("target")),
        (Some("a=1"), Some("x"))
    );
    assert_eq!(flags.arguments, words("p -destroy"));
    assert_eq!(
        flags.for_plan(),
        words("-var a=1 --target=x -lock=false -parallelism 3")
    );
    assert_eq!(
        flags.for_saved_plan(false),
        words("-lock=false -parallelism 3")
    );
    assert_eq!(
        flags.for_saved_plan(true),
        words("-var a=1 -lock=false -parallelism 3")
    );
}

#[test]
fn words_of_variables_are_split_as_by_a_shell() {
    assert_eq!(
        split(r#"-var 'a=b c'  -target="x[\"k\"]" d\ e"#).unwrap(),
        ["-var", "a=b c", "-target=x[\"k\"]", "d e"]
    );
    assert_eq!(split(" ").unwrap(), Vec::<OsString>::new());
    assert_eq!(split("-var 'a"), None);
}
