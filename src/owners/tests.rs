use super::*;

fn of(text: &str, platform: Platform, path: &str) -> String {
    let all = Owners::parse(text, platform).of(path);
    all.iter()
        .map(|any| any.join(" or "))
        .collect::<Vec<_>>()
        .join(" and ")
}

#[test]
fn the_last_rule_decides_on_github() {
    let text = "# all\n*  @all\n/infra/ @net @org/dba # inline\n*.tf @tf\n/infra/free/\n!x @no\n[ab].tf @no\nbad not-an-owner\n\
                docs/* docs@example.com\n**/logs @logs\napps/ @apps";
    for (path, expected) in [
        ("README", "@all"),
        ("infra/main.txt", "@net or @org/dba"),
        ("infra/deep/er/x", "@net or @org/dba"),
        ("infra/main.tf", "@tf"),
        ("infra/free/main.tf", ""),
        ("docs/a", "docs@example.com"),
        ("docs/a/b", "@all"),
        ("x/logs/y/z", "@logs"),
        ("x/apps/y", "@apps"),
        ("a.tf", "@tf"),
        ("bad", "@all"),
    ] {
        assert_eq!(of(text, Platform::GitHub, path), expected, "{path}");
    }
}

#[test]
fn sections_add_up_on_gitlab() {
    let text = "* @all\n[Databases][2] @dba @@maintainer\n*.tf\n/db/* @db\n!/db/free.tf\n^[Optional]\n* @opt\n\
                [databases]\nnet/main.tf @net\n[Net work]\n/a\\ b/ @space\ninternal/x.tf @deep\n/db @folder";
    for (path, expected) in [
        ("README", "@all"),
        ("main.tf", "@all and @dba or @@maintainer"),
        ("db/a.tf", "@all and @db"),
        ("db/free.tf", "@all"),
        ("x/net/main.tf", "@all and @net"),
        ("a b/c", "@all and @space"),
        (
            "x/y/internal/x.tf",
            "@all and @dba or @@maintainer and @deep",
        ),
    ] {
        assert_eq!(of(text, Platform::GitLab, path), expected, "{path}");
    }
}

#[test]
fn any_text_is_read() {
    let pieces = [
        "*", "**", "/", "a", "[", "]", "^", "!", "\\", " ", "@x", "#", "\n", "?", "é", "@@",
    ];
    let mut random = 7u64;
    for _ in 0..2_000 {
        let mut text = String::new();
        for _ in 0..20 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(random >> 33) as usize % pieces.len()]);
        }
        for platform in [Platform::GitHub, Platform::GitLab] {
            Owners::parse(&text, platform).of("a/é/b.tf");
        }
    }
}

/// Tries a pattern on a path, name by name: the plainest matcher.
fn matches(parts: &[String], covers: bool, names: &[&str]) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return names.is_empty() || covers;
    };
    if part == ANY {
        return (0..=names.len()).any(|skipped| {
            matches(
                rest,
                covers && (skipped > 0 || !rest.is_empty()),
                &names[skipped..],
            )
        });
    }
    names.split_first().is_some_and(|(name, after)| {
        crate::glob::matches(part, name) && matches(rest, covers, after)
    })
}

#[test]
fn the_index_of_rules_finds_what_trying_each_finds() {
    let mut random = 11u64;
    let mut below = |number: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % number
    };
    let parts = ["a", "b", "*", "**", "a*", "*b", "?", "*a*", "ab"];
    let names = ["a", "b", "ab", "ba", "aab"];
    for _ in 0..3_000 {
        let mut text = String::new();
        for number in 0..6 {
            let pattern: Vec<&str> = (0..=below(3)).map(|_| parts[below(parts.len())]).collect();
            let (first, last) = (["", "/"][below(2)], ["", "/"][below(2)]);
            text.push_str(&format!("{first}{}{last} @o{number}\n", pattern.join("/")));
        }
        let path: Vec<&str> = (0..=below(3)).map(|_| names[below(names.len())]).collect();
        for platform in [Platform::GitHub, Platform::GitLab] {
            let owners = Owners::parse(&text, platform);
            let section = &owners.sections[0];
            let expected = section
                .rules
                .iter()
                .rposition(|rule| matches(&rule.pattern.parts, rule.pattern.covers, &path));
            assert_eq!(
                section.index.matches(&path).last,
                expected,
                "{path:?} in\n{text}"
            );
        }
    }
}

#[test]
fn many_rules_and_sections_are_each_read_once() {
    let number = 20_000;
    let mut text = String::new();
    for rule in 0..number {
        text.push_str(&format!(
            "[Section {rule}] @s{rule}\n/d{rule}/ @o{rule}\n*.e{rule}\n"
        ));
    }
    let mut owners = Owners::parse(&text, Platform::GitLab);
    assert_eq!(
        *owners.of("d7/x.e9"),
        [vec!["@o7".to_owned()], vec!["@s9".to_owned()]]
    );
    let one: String = (0..number)
        .map(|rule| format!("/d{rule}/ @o{rule}\n*.e{rule} @e{rule}\n"))
        .collect();
    let mut owners = Owners::parse(&one, Platform::GitHub);
    for file in 0..number {
        assert_eq!(
            *owners.of(&format!("d{file}/x.tf")),
            [vec![format!("@o{file}")]]
        );
    }
}

/// All owners of a file were copied for each resource in it.
#[test]
fn of_very_many_owners_only_the_first_are_named() {
    let names: String = (0..5_000).map(|owner| format!(" @o{owner}")).collect();
    let sections: String = (0..5_000)
        .map(|section| format!("[S{section}]\n* @a{section} @b{section}\n"))
        .collect();
    for (text, platform) in [
        (format!("*{names}\n"), Platform::GitHub),
        (sections, Platform::GitLab),
    ] {
        let mut owners = Owners::parse(&text, platform);
        let named = owners.of("a.tf").iter().map(Vec::len).sum::<usize>();
        assert_eq!((named, owners.leaves_out), (MAX_NAMED, true));
        assert!(Arc::ptr_eq(&owners.of("a.tf"), &owners.of("a.tf")));
    }
    let mut owners = Owners::parse("* @a @b\n", Platform::GitHub);
    assert_eq!(*owners.of("a.tf"), [vec!["@a".to_owned(), "@b".to_owned()]]);
    assert!(!owners.leaves_out);
}
