use super::*;

#[test]
fn durations_are_those_of_go() {
    for (seconds, expected) in [(0, "0s"), (59, "59s"), (70, "1m10s"), (3605, "1h0m5s")] {
        assert_eq!(duration(seconds), expected);
    }
    let mut text = String::new();
    push_elapsed(&mut text, 3670, Dialect::TERRAFORM);
    assert_eq!(text, "61m10s elapsed");
}

#[test]
fn long_ids_lose_their_middle() {
    let id: String = ('a'..='z').cycle().take(81).collect();
    let short = shortened(&id);
    assert_eq!(short.chars().count(), 80);
    assert!(id.starts_with(&short[..39]) && id.ends_with(&short[42..]));
    assert_eq!(shortened(&id[..80]), id[..80]);
}

#[test]
fn provider_lines_are_those_that_people_know() {
    for (text, expected) in [
        (
            "Finding matching versions for provider: a/b, version_constraint: \"~> 2.0\"",
            "- Finding a/b versions matching \"~> 2.0\"...",
        ),
        (
            "a/b: Finding latest version...",
            "- Finding latest version of a/b...",
        ),
        (
            "a/b: Reusing version 1.2 from the dependency lock file",
            "- Reusing version 1.2 of a/b from the dependency lock file",
        ),
        (
            "a/b v1: Using previously-installed provider version",
            "- Using previously-installed a/b v1",
        ),
        (
            "Installed provider version: a/b v1 (self-signedkey_id: 34365D)",
            "- Installed a/b v1 (self-signed, key ID 34365D)",
        ),
    ] {
        assert_eq!(provider_line(text).as_deref(), Some(expected));
    }
}
