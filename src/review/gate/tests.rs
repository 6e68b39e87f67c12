//! Tests filters by attribute and by module.

use super::*;

#[test]
fn an_ignored_attribute_covers_what_is_below() {
    let filter = Filter {
        ignored: vec!["tags*".to_owned(), "*.etag".to_owned()],
        ..Filter::default()
    };
    for (path, expected) in [
        ("tags.Name", true),
        ("tags_all", true),
        ("a.etag", true),
        ("etag", false),
        ("name.tags", false),
    ] {
        assert_eq!(filter.ignores(path), expected, "{path}");
    }
}

#[test]
fn a_module_holds_its_instances_and_modules() {
    for (module, address, expected) in [
        ("a", "module.a", true),
        ("module.a", "module.a[0].module.b", true),
        ("a", "module.ab", false),
        ("a", "", false),
    ] {
        assert_eq!(
            is_in_module(module, address),
            expected,
            "{module} {address}"
        );
    }
}
