use super::*;

fn of(text: &str, platform: Platform, path: &str) -> String {
    let all = Owners::parse(text, platform).unwrap().of(path);
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
        ("db/a.tf", "@all and @db and @folder"),
        ("db/free.tf", "@all and @folder"),
        ("net/main.tf", "@all and @net"),
        ("a b/c", "@all and @space"),
        ("internal/x.tf", "@all and @dba or @@maintainer and @deep"),
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
            Owners::parse(&text, platform).unwrap().of("a/é/b.tf");
        }
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

/// All owners of a file were copied for each resource in it.
#[test]
fn of_very_many_owners_only_the_first_are_named() {
    let names: String = (0..5_000).map(|owner| format!(" @o{owner}")).collect();
    let sections: String = (0..200)
        .map(|section| format!("[S{section}]\n* @a{section} @b{section}\n"))
        .collect();
    for (text, platform) in [
        (format!("*{names}\n"), Platform::GitHub),
        (sections, Platform::GitLab),
    ] {
        let mut owners = Owners::parse(&text, platform).unwrap();
        let named = owners.of("a.tf").iter().map(Vec::len).sum::<usize>();
        assert_eq!((named, owners.leaves_out), (MAX_NAMED, true));
        assert!(Arc::ptr_eq(&owners.of("a.tf"), &owners.of("a.tf")));
    }
    let mut owners = Owners::parse("* @a @b\n", Platform::GitHub).unwrap();
    assert_eq!(*owners.of("a.tf"), [vec!["@a".to_owned(), "@b".to_owned()]]);
    assert!(!owners.leaves_out);
}
