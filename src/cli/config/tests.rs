use super::*;
use crate::cli::messages::chain;

fn parse(text: &str) -> anyhow::Result<Config> {
    Config::parse(
        text,
        ".tfview.toml".to_owned(),
        Path::new(".tfview.toml"),
        RuleOrigin::Found,
        &mut Rules::default(),
    )
}

#[test]
fn a_broken_file_names_its_line() {
    for (text, line, part) in [
        (
            "fail-on = [\n  \"destroy\",\n  \"destory\",\n]",
            3,
            "there is no condition `destory`",
        ),
        (
            "\n[text]\ncontext = \"some\"",
            3,
            "context: expected a number of lines, or all",
        ),
        ("[text]\nmax-bytes = 10", 2, "max-bytes"),
        (
            "[text]\ndrift = \"none\"",
            2,
            "unknown word `none`\n  tip: possible words: relevant, all",
        ),
        ("[text]\nonly = \"destroy\"", 2, "unknown field `only`"),
        ("allow = true", 1, "unknown field `allow`"),
        (
            "[[rules]]\nfinding = \"data-loss\"\ntype = \"x\"\nwhat = \"y\"\n\n[[rules]]\nfinding = \"exposure\"\ntype = \"x\"",
            6,
            "`path`",
        ),
        (
            "[[rules]]\nfinding = \"data-loss\"\ntypo = \"x\"",
            3,
            "unknown field `typo`",
        ),
        ("fail-on = [", 1, ""),
    ] {
        let error = chain(&parse(text).unwrap_err());
        let begin = format!("cannot read the configuration .tfview.toml, line {line}: ");
        assert!(
            error.starts_with(&begin) && error.contains(part),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_file_says_gates_rules_and_the_layout_of_texts() {
    let config =
        parse("fail-on = [\"finding:data-loss\"]\n[text]\ncontext = 7\nmax-bytes = \"github\"\ntree = true")
            .unwrap();
    assert_eq!(config.gates.len(), 1);
    assert_eq!(config.text.context, Some(7));
    assert_eq!(config.text.budget.map(|budget| budget.bytes), Some(65_536));
    assert!(config.text.tree && config.text.drift.is_none());
}

/// A file with each kind of value; each line is one that can be replaced.
const WHOLE: &str = r#"fail-on = ["destroy"]
ignore = ["tags"]
[text]
context = 7
max-bytes = "github"
drift = "all"
tree = true
[[rules]]
finding = "exposure"
type = "x"
path = "a"
is = ["é"]
what = "y"
in_place = true
created = true
to = ["z"]
where = { a = "b" }
names = { a = "b" }
levels = { a = "warning" }
level = "critical"
[[rules]]
finding = "protection"
type = "x"
path = "a"
below = 1.5
[[accept]]
finding = "exposure"
address = "a"
path = "b"
reason = "c"
until = "2027-01-31"
"#;

/// The words of a library were shown: `invalid type: integer `1`, expected a sequence`.
#[test]
fn errors_of_types_were_in_the_words_of_a_library() {
    let others = [
        "1",
        "1.5",
        "true",
        "\"q\"",
        "[1]",
        "[[]]",
        "{ a = 1 }",
        "2027-01-31",
    ];
    assert!(parse(WHOLE).is_ok());
    let mut errors = Vec::new();
    let mut with_line = |changed_index: usize, line: &str| {
        let lines = WHOLE.lines().enumerate();
        let text: Vec<&str> = lines
            .map(|(index, old)| if index == changed_index { line } else { old })
            .collect();
        if let Err(error) = parse(&text.join("\n")) {
            let error = chain(&error);
            let error = error.strip_prefix("cannot read the configuration .tfview.toml, ");
            let error = error.unwrap_or_else(|| panic!("{line} has no line"));
            errors.push(format!("{line}\n    {}", error.replace('\n', "\n    ")));
        }
    };
    for (index, line) in WHOLE.lines().enumerate() {
        let Some((key, value)) = line.split_once(" = ") else {
            continue;
        };
        for other in others {
            with_line(index, &format!("{key} = {other}"));
        }
        with_line(index, &format!("{key}s = {value}"));
    }
    for (index, line) in WHOLE.lines().enumerate() {
        if line.starts_with("reason") || line.starts_with("[text]") {
            with_line(index, "");
            with_line(index, "text = 1");
        }
    }
    let errors = errors.join("\n");
    insta::assert_snapshot!(errors);
    for word in [
        "invalid", "sequence", "struct", "variant", "map", "untagged", "f64", "wanted",
    ] {
        let word_of = |line: &&str| line.split([' ', ',', '.']).any(|part| part == word);
        let leaked = errors.lines().find(word_of);
        assert_eq!(leaked, None, "{word}");
    }
}
