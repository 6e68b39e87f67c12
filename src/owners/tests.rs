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
