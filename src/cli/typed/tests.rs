use super::*;

fn spelled(typed: &str) -> Spelled {
    let typed: Vec<_> = typed.split(' ').map(OsString::from).collect();
    Spelled::new(&typed, &Args::command())
}

fn split_word(typed: &str) -> (String, Option<OsString>, bool) {
    let spelled = spelled(typed);
    let words: Vec<_> = spelled
        .args
        .iter()
        .filter_map(|word| word.to_str())
        .collect();
    let file = spelled
        .files
        .first()
        .map(|index| spelled.args[*index].clone());
    (words.join(" "), file, spelled.is_complete)
}

#[test]
fn a_dash_and_a_word_are_a_long_option() {
    for (typed, expected) in [
        ("tfview show -no-color x", "tfview show --no-color x"),
        ("tfview show -color=never -", "tfview show --color=never -"),
        (
            "tfview show -width 80 -help",
            "tfview show --width 80 --help",
        ),
        (
            "tfview show -h -V -1 --width",
            "tfview show -h -V -1 --width",
        ),
        (
            "tfview run -concise -- tofu apply -no-color",
            "tfview run --concise -- tofu apply -no-color",
        ),
        (
            "tfview run -plan -p tofu -chdir=x apply",
            "tfview run --plan -p tofu -chdir=x apply",
        ),
        (
            "tfview -chdir=run run tofu -chdir=x apply",
            "tfview --chdir=run run tofu -chdir=x apply",
        ),
        ("tfview -version", "tfview --version"),
    ] {
        assert_eq!(split_word(typed).0, expected);
    }
}

#[test]
fn schemas_alone_are_listed() {
    for (typed, expected) in [
        (
            "tfview --no-color a.json b.json",
            "tfview schema list --no-color --schemas=a.json --schemas=b.json",
        ),
        ("tfview -- -x.json", "tfview schema list --schemas=-x.json"),
        ("tfview", "tfview schema list --schemas=-"),
    ] {
        let args = spelled(typed).with_subcommand(DocumentKind::ProviderSchemas);
        assert_eq!(args.join(OsStr::new(" ")), expected, "{typed}");
    }
}

#[test]
fn a_file_is_told_from_a_subcommand() {
    for (typed, file, is_complete) in [
        ("tfview plan.json", Some("plan.json"), false),
        ("tfview --schemas show x", Some("x"), false),
        ("tfview -chdir show plan.json", Some("plan.json"), false),
        ("tfview show plan.json", None, true),
        ("tfview --help", None, true),
        ("tfview help show", None, true),
        ("tfview", None, false),
        ("tfview -", Some("-"), false),
        ("tfview -- -x.json", Some("-x.json"), false),
    ] {
        let (_, file_word, complete) = split_word(typed);
        assert_eq!(
            (file_word.as_deref(), complete),
            (file.map(OsStr::new), is_complete),
            "{typed}"
        );
    }
}

#[test]
fn documents_are_told_by_their_beginning() {
    for (text, expected) in [
        (
            "{\"format_version\":\"1.2\",\"terraform_version\":\"1.9\",\"planned_values\":{",
            Some(DocumentKind::Plan),
        ),
        (
            "{\"@level\":\"info\",\"@message\":\"x\"}\n",
            Some(DocumentKind::Messages),
        ),
        (
            "{\"format_version\":\"1.0\",\"provider_schemas\":{",
            Some(DocumentKind::ProviderSchemas),
        ),
        (
            "{\"datasources\":[{\"name\":\"x\"",
            Some(DocumentKind::CodeSpecification),
        ),
        ("{\"resources\":", Some(DocumentKind::CodeSpecification)),
        (
            "Initializing...\n{\"@level\":\"info\"",
            Some(DocumentKind::Messages),
        ),
        ("\u{feff}{\"values\":", Some(DocumentKind::State)),
        ("{\n  \"valid\": true", Some(DocumentKind::Validation)),
        ("[command]terraform show\n", None),
        ("{\"format_version\":\"1", None),
    ] {
        assert_eq!(kind_of_beginning(text.as_bytes()), expected, "{text}");
    }
    let utf16: Vec<u8> = "{\"@level\":1"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(kind_of_beginning(&utf16), Some(DocumentKind::Messages));
}
