use super::*;

#[test]
fn kinds_have_the_names_that_people_use() {
    for (word, expected) in [
        ("resource", Some(SchemaKind::Resource)),
        ("Resources", Some(SchemaKind::Resource)),
        ("data", Some(SchemaKind::DataSource)),
        ("data-sources", Some(SchemaKind::DataSource)),
        ("identities", Some(SchemaKind::Identity)),
        ("list", Some(SchemaKind::ListResource)),
        ("aws_s3_*", None),
        ("", None),
    ] {
        assert_eq!(kind(word), expected, "{word}");
    }
}

#[test]
fn types_and_paths_are_told_apart() {
    for (text, kind, name, path) in [
        ("aws_instance", None, "aws_instance", ""),
        (
            "aws_instance.root_block_device[0].size",
            None,
            "aws_instance",
            "root_block_device.size",
        ),
        ("aws_instance.ebs.0.size", None, "aws_instance", "ebs.size"),
        (
            "data.aws_ami.filter",
            Some(SchemaKind::DataSource),
            "aws_ami",
            "filter",
        ),
        ("provider.aws", Some(SchemaKind::Provider), "aws", ""),
        (
            "provider::aws::arn_parse",
            Some(SchemaKind::Function),
            "arn_parse",
            "",
        ),
        ("list", None, "list", ""),
    ] {
        let selection = Selection::parse(text).unwrap();
        assert_eq!(
            (selection.kind, &*selection.name, &*selection.path.join(".")),
            (kind, name, path),
            "{text}"
        );
    }
}
