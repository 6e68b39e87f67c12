//! The lists of names, and weights.

use super::*;

#[test]
fn each_name_is_in_one_list_of_its_kind() {
    let summaries =
        lists().filter(|(title, _)| title.split(' ').count() == 2 && !title.ends_with(" words"));
    let mut names: Vec<_> = summaries.flat_map(|(_, names)| names).collect();
    assert!(names.len() > 200, "{}", names.len());
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    for title in ["light", "heavy words", "secret words", "harmless"] {
        assert!(!words(title).is_empty(), "{title}");
    }
}

#[test]
fn the_types_are_sorted_and_may_end_with_any_characters() {
    assert!(replaceable().is_sorted());
    for name in [
        "random_password",
        "time_static",
        "aws_ecs_task_definition",
        "null_resource",
    ] {
        assert!(is_made_to_be_replaced(name), "{name}");
    }
    for name in [
        "aws_ecs_service",
        "randomized_thing",
        "aws_instance",
        "aws_launch_template_x",
    ] {
        assert!(!is_made_to_be_replaced(name), "{name}");
    }
}

#[test]
fn who_gets_in_weighs_more_than_tags() {
    for (name, weight) in [
        ("publicly_accessible", Weight::Heavy),
        ("deletion_protection", Weight::Heavy),
        ("cidr_blocks", Weight::Heavy),
        ("allocated_storage", Weight::Descriptive),
        ("vpc_id", Weight::Identifier),
        ("tags_all", Weight::Light),
        ("frobnicate", Weight::Plain),
    ] {
        assert_eq!(Weight::from_name(name), weight, "{name}");
    }
}
