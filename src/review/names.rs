//! Names of attributes and types, and words in them, that mean something to a reviewer: the lists of `names.txt`.

use std::sync::LazyLock;

use foldhash::HashMap;

static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists = HashMap::<_, Vec<_>>::default();
    let mut title = "";
    for line in include_str!("names.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.strip_suffix(':') {
            Some(own) => title = own,
            None => lists.entry(title).or_default().extend(line.split_whitespace()),
        }
    }
    lists
});

/// All lists, each with its title.
pub(super) fn lists() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    LISTS.iter().map(|(title, words)| (*title, words.as_slice()))
}

/// The words of a list.
pub(crate) fn words(title: &str) -> &'static [&'static str] {
    LISTS.get(title).map_or(&[], Vec::as_slice)
}

/// The types whose objects are made to be replaced, so that destroying one loses nothing.
pub(super) fn replaceable() -> &'static [&'static str] {
    words("types made to be replaced")
}

/// Whether objects of a type are made to be replaced.
pub(super) fn is_made_to_be_replaced(resource_type: &str) -> bool {
    replaceable().iter().any(|name| match name.strip_suffix('*') {
        Some(start) => resource_type.starts_with(start),
        None => *name == resource_type,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_in_one_list_of_its_kind() {
        let summaries =
            lists().filter(|(title, _)| title.split(' ').count() == 2 && !title.ends_with(" words"));
        let mut names: Vec<_> = summaries.flat_map(|(_, names)| names).collect();
        assert!(names.len() > 200, "{}", names.len());
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        for title in ["light", "heavy words", "followers", "ends of followers", "secret words", "harmless"] {
            assert!(!words(title).is_empty(), "{title}");
        }
    }

    #[test]
    fn the_types_are_sorted_and_may_end_with_any_characters() {
        assert!(replaceable().is_sorted());
        for name in ["random_password", "time_static", "aws_ecs_task_definition", "null_resource"] {
            assert!(is_made_to_be_replaced(name), "{name}");
        }
        for name in ["aws_ecs_service", "randomized_thing", "aws_instance", "aws_launch_template_x"] {
            assert!(!is_made_to_be_replaced(name), "{name}");
        }
    }
}
