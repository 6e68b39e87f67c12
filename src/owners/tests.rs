use super::pattern::Part;
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
    let mut below = random(7);
    for _ in 0..2_000 {
        let mut text = String::new();
        for _ in 0..20 {
            text.push_str(pieces[below(pieces.len())]);
        }
        for platform in [Platform::GitHub, Platform::GitLab] {
            Owners::parse(&text, platform).of("a/é/b.tf");
        }
    }
}

/// Tries a pattern on a path, name by name: the plainest matcher.
fn matches(pattern: &Pattern, parts: &[Part], names: &[&str]) -> bool {
    match parts.split_first() {
        None => pattern.is_exact && names.is_empty() || pattern.covers && !names.is_empty(),
        Some((Part::Any, rest)) => {
            (0..=names.len()).any(|skipped| matches(pattern, rest, &names[skipped..]))
        }
        Some((Part::Name(part), rest)) => names.split_first().is_some_and(|(name, after)| {
            let name: Vec<char> = name.chars().collect();
            part.matches(&name) && matches(pattern, rest, after)
        }),
    }
}

/// Compares a name with a pattern of `*` and `?`: the plainest matcher, which takes exponential time.
fn name_matches(pattern: &[char], name: &[char]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some(('*', rest)) => (0..=name.len()).any(|skipped| name_matches(rest, &name[skipped..])),
        Some((c, rest)) => name
            .split_first()
            .is_some_and(|(first, after)| (c == first || *c == '?') && name_matches(rest, after)),
    }
}

/// A random number below another one, the same ones in each run.
fn random(mut state: u64) -> impl FnMut(usize) -> usize {
    move |number| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % number
    }
}

#[test]
fn the_index_of_rules_finds_what_trying_each_finds() {
    let mut below = random(11);
    let parts = [
        "a", "b", "*", "**", "a*", "*b", "?", "*a*", "ab", "a*b*", "**a", "[ab]", "[^a]*",
    ];
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
            for section in &owners.sections {
                let expected = section
                    .rules
                    .iter()
                    .rposition(|rule| matches(&rule.pattern, &rule.pattern.parts, &path));
                assert_eq!(
                    section.index.matches(&path).last,
                    expected,
                    "{path:?} in\n{text}"
                );
            }
        }
    }
}

/// Of several `*` in one name, only some were compared as the platforms compare them.
#[test]
fn names_with_several_wildcards_match_as_trying_everything_does() {
    let mut below = random(13);
    let mut owned_count = 0;
    for _ in 0..20_000 {
        let pattern: String = (0..=below(7))
            .map(|_| ["a", "b", "é", "*", "*", "?"][below(6)])
            .collect();
        let name: String = (0..=below(7)).map(|_| ["a", "b", "é"][below(3)]).collect();
        let chars = |text: &str| text.chars().collect::<Vec<char>>();
        let expected = name_matches(&chars(&pattern), &chars(&name));
        // In front of the name, `x` keeps `**` from being any number of folders.
        let text = format!("/x{pattern} @o\n");
        for platform in [Platform::GitHub, Platform::GitLab] {
            let is_refused = platform == Platform::GitHub && pattern.contains("***");
            let owners = of(&text, platform, &format!("x{name}"));
            let is_owned = expected && !is_refused;
            assert_eq!(
                owners,
                ["", "@o"][usize::from(is_owned)],
                "{pattern} {name}"
            );
            owned_count += usize::from(is_owned);
        }
    }
    assert!(owned_count > 1_000, "{owned_count}");
}

/// Each pattern was read in one way for both platforms, and without escapes and classes of characters.
#[test]
fn patterns_are_read_as_each_platform_reads_them() {
    // The paths that a pattern matches on GitHub and on GitLab.
    let paths = [
        "a", "a/b", "a/b/c", "b/a", "b/a/c", "x*y", "xzy", "x[y", "a.tf", "d/b.tf", "d/#e", ".h/a",
    ];
    for (pattern, github, gitlab) in [
        ("*", "all", "all"),
        ("**", "all", "all"),
        ("/*", "a x*y xzy x[y a.tf", "a x*y xzy x[y a.tf"),
        ("/**", "all", "a x*y xzy x[y a.tf"),
        ("/", "", "all"),
        ("**/", "a/b a/b/c b/a b/a/c d/b.tf d/#e .h/a", "all"),
        ("a", "a a/b a/b/c b/a b/a/c .h/a", "a b/a .h/a"),
        ("/a", "a a/b a/b/c", "a"),
        ("a/", "a/b a/b/c b/a/c", "a/b a/b/c b/a/c"),
        ("/a/", "a/b a/b/c", "a/b a/b/c"),
        ("a/*", "a/b", "a/b b/a/c"),
        ("/a/*", "a/b", "a/b"),
        ("a/*/", "a/b/c", "a/b/c"),
        ("/a/**", "a/b a/b/c", "a/b"),
        ("/a/**/*", "a/b a/b/c", "a/b a/b/c"),
        ("/a/**/c", "a/b/c", "a/b/c"),
        ("a/**/b", "a/b a/b/c", "a/b"),
        ("**/a", "a a/b a/b/c b/a b/a/c .h/a", "a b/a .h/a"),
        ("*/a", "b/a b/a/c .h/a", "b/a .h/a"),
        ("?.tf", "a.tf d/b.tf", "a.tf d/b.tf"),
        ("/*.?f", "a.tf", "a.tf"),
        ("*.*f", "a.tf d/b.tf", "a.tf d/b.tf"),
        ("x*y", "x*y xzy x[y", "x*y xzy x[y"),
        ("x\\*y", "x*y", "x*y"),
        ("x\\[y", "", "x[y"),
        ("x[yz]y", "", "xzy"),
        ("x[^z]y", "", "x*y x[y"),
        ("x[!a-w]y", "", "x*y xzy x[y"),
        ("x[*[]y", "", "x*y x[y"),
        ("x[y", "", ""),
        ("x[]y", "", ""),
        ("/[ab].tf", "", "a.tf"),
        ("a//b", "", ""),
        ("//a", "", ""),
        ("a***", "", "a a.tf b/a .h/a"),
        ("d/\\#e", "d/#e", "d/#e"),
        ("\\#e", "", "d/#e"),
        ("{a,b}", "", ""),
        (".h/**", ".h/a", ".h/a"),
    ] {
        let text = format!("{pattern} @o\n");
        for (platform, expected) in [(Platform::GitHub, github), (Platform::GitLab, gitlab)] {
            let owned = paths
                .into_iter()
                .filter(|path| of(&text, platform, path) == "@o");
            let owned: Vec<&str> = owned.collect();
            let expected: Vec<&str> = match expected {
                "all" => paths.to_vec(),
                some => some.split_whitespace().collect(),
            };
            let sorted = |mut paths: Vec<&'static str>| {
                paths.sort_unstable();
                paths
            };
            assert_eq!(sorted(owned), sorted(expected), "{pattern} on {platform:?}");
        }
    }
}

/// What `git check-ignore --no-index` says of each pattern and path, where GitHub's documentation names no difference.
/// `a/**/` matched the files of `a`.
#[test]
fn github_reads_patterns_as_git_does() {
    let paths = [
        "a", "a/b", "a/b/c", "a/b/a/b", "b/a", "b/c/a", "ab", "ab/c", "a.b", ".a/b", "b/.a",
        "c/ab/b/d", "a*", "a\\b",
    ];
    for (pattern, expected) in [
        ("a", "a a/b a/b/c a/b/a/b b/a b/c/a"),
        ("/a", "a a/b a/b/c a/b/a/b"),
        ("a/", "a/b a/b/c a/b/a/b"),
        ("/a/", "a/b a/b/c a/b/a/b"),
        ("b", "a/b a/b/c a/b/a/b b/a b/c/a .a/b b/.a c/ab/b/d"),
        ("a/b", "a/b a/b/c a/b/a/b"),
        ("/a/b", "a/b a/b/c a/b/a/b"),
        ("a/b/", "a/b/c a/b/a/b"),
        ("**/b", "a/b a/b/c a/b/a/b b/a b/c/a .a/b b/.a c/ab/b/d"),
        ("**/a/b", "a/b a/b/c a/b/a/b"),
        ("a/**", "a/b a/b/c a/b/a/b"),
        ("/a/**", "a/b a/b/c a/b/a/b"),
        ("a/**/", "a/b/c a/b/a/b"),
        ("/a/**/", "a/b/c a/b/a/b"),
        ("**/a/**", "a/b a/b/c a/b/a/b"),
        (
            "/**/",
            "a/b a/b/c a/b/a/b b/a b/c/a ab/c .a/b b/.a c/ab/b/d",
        ),
        ("**/b/", "a/b/c a/b/a/b b/a b/c/a b/.a c/ab/b/d"),
        ("a/**/b", "a/b a/b/c a/b/a/b"),
        ("a/**/**/b", "a/b a/b/c a/b/a/b"),
        ("a/**/c", "a/b/c"),
        ("*/a", "b/a"),
        ("*/*/a", "a/b/a/b b/c/a"),
        ("/*/a", "b/a"),
        ("**/*/a", "a/b/a/b b/a b/c/a"),
        ("a?", "ab ab/c c/ab/b/d a*"),
        ("?", "a a/b a/b/c a/b/a/b b/a b/c/a ab/c .a/b b/.a c/ab/b/d"),
        ("??", "ab ab/c .a/b b/.a c/ab/b/d a*"),
        ("/?b", "ab ab/c"),
        (
            "a*",
            "a a/b a/b/c a/b/a/b b/a b/c/a ab ab/c a.b c/ab/b/d a* a\\b",
        ),
        (
            "*b",
            "a/b a/b/c a/b/a/b b/a b/c/a ab ab/c a.b .a/b b/.a c/ab/b/d a\\b",
        ),
        ("*.b", "a.b"),
        (".*", ".a/b b/.a"),
        (".a", ".a/b b/.a"),
        (
            "*a*",
            "a a/b a/b/c a/b/a/b b/a b/c/a ab ab/c a.b .a/b b/.a c/ab/b/d a* a\\b",
        ),
        ("**a", "a a/b a/b/c a/b/a/b b/a b/c/a .a/b b/.a"),
        (
            "a**",
            "a a/b a/b/c a/b/a/b b/a b/c/a ab ab/c a.b c/ab/b/d a* a\\b",
        ),
        ("a**b", "ab ab/c a.b c/ab/b/d a\\b"),
        ("/a*/c", "ab/c"),
        ("a\\*", "a*"),
        ("a\\\\b", "a\\b"),
        ("\\a", "a a/b a/b/c a/b/a/b b/a b/c/a"),
        ("*/b/", "a/b/c a/b/a/b"),
        ("/*/b/", "a/b/c a/b/a/b"),
        ("*/**/b", "a/b a/b/c a/b/a/b .a/b c/ab/b/d"),
        ("c/**/d", "c/ab/b/d"),
        ("c/*/b/**", "c/ab/b/d"),
        ("**/**/b/*/**", "a/b/a/b b/c/a"),
    ] {
        let text = format!("{pattern} @o\n");
        let owned = paths
            .into_iter()
            .filter(|path| of(&text, Platform::GitHub, path) == "@o");
        assert_eq!(owned.collect::<Vec<_>>().join(" "), expected, "{pattern}");
    }
}

/// A matcher that tries everything takes exponential time for these.
#[test]
fn patterns_of_very_many_wildcards_take_little_time() {
    let name = "a".repeat(250);
    for part in ["*a", "*?", "a*", "?*a", "**a"] {
        let pattern = format!("{}b", part.repeat(50_000));
        let deep = format!("/{}x", "**/a/".repeat(500));
        let text = format!("{pattern} @o\n{deep} @o\n");
        for platform in [Platform::GitHub, Platform::GitLab] {
            let mut owners = Owners::parse(&text, platform);
            for file in 0..20 {
                let path = format!("{}{name}{file}", "a/".repeat(100));
                assert!(owners.of(&path).is_empty());
            }
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
