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
        ("[text]\ndrift = \"none\"", 2, "unknown variant `none`"),
        ("[text]\nonly = \"destroy\"", 2, "unknown field `only`"),
        ("permit = true", 1, "unknown field `permit`"),
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
