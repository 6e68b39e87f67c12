//! Tests the lists of names, and the weights that they give.

use super::*;

#[test]
fn each_name_says_one_thing_about_an_object() {
    let mut names: Vec<_> = ATTRIBUTES.iter().flat_map(|group| group.names).collect();
    assert!(names.len() > 200, "{}", names.len());
    names.sort_unstable();
    // An address says both where something is sent, and what an object is.
    for name in ["endpoint", "url"] {
        let first = names.iter().position(|known| **known == name).unwrap();
        names.remove(first);
    }
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn the_types_are_sorted_and_may_end_with_any_characters() {
    assert!(TYPES_MADE_TO_BE_REPLACED.is_sorted());
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
