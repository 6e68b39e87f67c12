//! Every command, link and YAML snippet in the documentation is valid.

use std::fs;
use std::path::Path;

use bumpalo::Bump;
use clap::Parser;
use foldhash::fast::RandomState;
use tfview::internals::cli::args::Args;
use tfview::internals::diff::embedded;
use tfview::internals::diff::value::{Builder, MarkedValue};

/// Every document of the repository, by its path from the root.
fn documents() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "",
        "docs",
        "packaging",
        "benches",
        "fixtures",
        "fixtures/versions",
        "src/schema/builtin",
        ".github",
    ];
    let mut documents = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "md") {
                documents.push(
                    path.strip_prefix(root)
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .replace('\\', "/"),
                );
            }
        }
    }
    documents.sort();
    assert!(documents.len() >= 15, "{documents:?}");
    documents
}

const SUBCOMMANDS: [&str; 10] = [
    "browse",
    "show",
    "stream",
    "run",
    "review",
    "diff",
    "schema",
    "completions",
    "man",
    "version",
];

/// The lines of a document's blocks of code, fenced or indented.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            return false;
        }
        fenced || line.starts_with("    ")
    })
}

/// The commands in the inline code of a document. Code with `…` or `[…]` is abbreviated, so it is skipped.
fn inline_commands(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    let lines = text.lines().filter(move |line| {
        fenced ^= line.trim_start().starts_with("```");
        !fenced && !line.starts_with("    ")
    });
    // Every second piece between backticks is code.
    let spans = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    spans
        .filter(|span| !span.contains(['…', '[', '|']))
        .flat_map(commands)
}

/// The commands on a line, each up to a comment or a shell operator.
fn commands(line: &str) -> impl Iterator<Item = &str> {
    let ends = |rest: &str| {
        [" | ", " && ", " > ", "  ", " #", " 2>", "; "]
            .iter()
            .filter_map(|end| rest.find(end))
            .min()
            .unwrap_or(rest.len())
    };
    let starts = line
        .match_indices("tfview ")
        .map(|(start, _)| &line[start..]);
    let typed = starts.filter(|rest| {
        rest.split_whitespace()
            .nth(1)
            .is_some_and(|word| SUBCOMMANDS.contains(&word))
    });
    typed.map(move |rest| &rest[..ends(rest)])
}

/// Whether a command is incomplete but otherwise valid: a text may mention a subcommand or an option alone.
fn is_incomplete(error: &clap::Error) -> bool {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    let is_missing = matches!(
        error.kind(),
        ErrorKind::MissingRequiredArgument
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            | ErrorKind::TooFewValues
            | ErrorKind::WrongNumberOfValues
    );
    // clap reports a missing value of an option as an empty one.
    let value = error.get(ContextKind::InvalidValue);
    is_missing || matches!(value, Some(ContextValue::String(value)) if value.is_empty())
}

#[test]
fn every_command_in_the_documents_is_valid() {
    let mut checked = 0;
    for name in documents() {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&name)).unwrap();
        let lines = code(&text)
            .flat_map(commands)
            .map(|command| (command, false));
        for (command, is_mention) in
            lines.chain(inline_commands(&text).map(|command| (command, true)))
        {
            let words = command
                .split_whitespace()
                .map(|word| word.trim_matches(['"', '\'']));
            if let Err(error) = Args::try_parse_from(words)
                && !(is_mention && is_incomplete(&error))
            {
                panic!("{name}: {command}\n{error}");
            }
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked}");
}

#[test]
fn commands_are_extracted_from_text() {
    let line = "    - tofu plan | tfview stream --ci auto > log   # tfview show x; tfview is good";
    assert_eq!(
        commands(line).collect::<Vec<_>>(),
        ["tfview stream --ci auto", "tfview show x"]
    );
    assert_eq!(commands("tfview is good").count(), 0);
    let text = "run `tfview show a.json` or `tfview good`\n    `tfview show b`\n```\n`tfview show c`\n```\n`tfview review …`";
    assert_eq!(
        inline_commands(text).collect::<Vec<_>>(),
        ["tfview show a.json"]
    );
    assert_eq!(
        code("a\n```\nb\n```\nc\n    d\n").collect::<Vec<_>>(),
        ["b", "    d"]
    );
}

/// The commands of the tools on a line that cannot work: `apply -json` cannot ask for approval, so it needs a
/// saved plan or `-auto-approve`.
fn invalid_tool_commands(line: &str) -> Vec<&str> {
    let ends = |rest: &str| {
        [" | ", " && ", "`", "  ", " #"]
            .iter()
            .filter_map(|end| rest.find(end))
            .min()
    };
    let matched = ["tofu ", "terraform "]
        .iter()
        .flat_map(|tool| line.match_indices(tool));
    let commands = matched
        .map(|(start, _)| &line[start..start + ends(&line[start..]).unwrap_or(line.len() - start)]);
    let needs_answer = |command: &&str| {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let applies = matches!(words.first(), Some(&"apply" | &"destroy"));
        let has_plan = words.iter().skip(1).any(|word| !word.starts_with('-'));
        applies && words.contains(&"-json") && !words.contains(&"-auto-approve") && !has_plan
    };
    commands.filter(needs_answer).collect()
}

#[test]
fn commands_of_the_tools_are_valid() {
    use clap::CommandFactory;
    let mut texts: Vec<(String, String)> = documents()
        .into_iter()
        .map(|name| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    for command in Args::command().get_subcommands_mut() {
        texts.push((
            command.get_name().to_owned(),
            command.render_long_help().to_string(),
        ));
    }
    for (name, text) in &texts {
        for line in text.lines() {
            assert_eq!(invalid_tool_commands(line), Vec::<&str>::new(), "{name}");
        }
    }
    assert_eq!(
        invalid_tool_commands("tofu apply -json | tfview stream"),
        ["tofu apply -json"]
    );
    assert_eq!(
        invalid_tool_commands("tofu apply -json tfplan | x").len(),
        0
    );
}

#[test]
fn every_example_of_the_help_is_valid() {
    use clap::CommandFactory;
    let mut examples = 0;
    for command in Args::command().get_subcommands() {
        let help = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        for typed in help.lines().flat_map(commands) {
            let words = typed
                .split_whitespace()
                .map(|word| word.trim_matches(['"', '\'']));
            if let Err(error) = Args::try_parse_from(words) {
                panic!("{typed}\n{error}");
            }
            examples += 1;
        }
    }
    assert!(examples >= 8, "{examples}");
}

/// The targets of the links and pictures of a Markdown document.
fn links(text: &str) -> impl Iterator<Item = &str> {
    [
        ("](", ')'),
        ("src=\"", '"'),
        ("srcset=\"", '"'),
        ("href=\"", '"'),
    ]
    .into_iter()
    .flat_map(move |(start, end)| {
        let rests = text
            .match_indices(start)
            .map(|(offset, _)| &text[offset + start.len()..]);
        rests
            .filter_map(move |rest| rest.split_once(end))
            .map(|(target, _)| target)
    })
}

/// The anchor that GitHub and GitLab give a heading.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(kept)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn has_anchor(text: &str, wanted: &str) -> bool {
    text.lines()
        .filter_map(|line| line.strip_prefix('#'))
        .any(|line| {
            let heading = line.trim_start_matches('#');
            anchor(heading) == wanted
        })
}

#[test]
fn every_link_in_the_documents_has_a_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut checked = 0;
    for name in documents() {
        let text = fs::read_to_string(root.join(&name)).unwrap();
        for target in links(&text).filter(|target| !target.starts_with("http")) {
            let (file, wanted) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() {
                root.join(&name)
            } else {
                root.join(&name).parent().unwrap().join(file)
            };
            assert!(path.exists(), "{name}: {target}");
            if !wanted.is_empty() {
                assert!(
                    has_anchor(&fs::read_to_string(path).unwrap(), wanted),
                    "{name}: {target}"
                );
            }
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked}");
    assert!(
        has_anchor("## What is exact\n", "what-is-exact")
            && !has_anchor("What is exact\n", "what-is-exact")
    );
    let text = "[a](b.md#c) (d) [e](f) <img src=\"g.png\">";
    assert_eq!(links(text).collect::<Vec<_>>(), ["b.md#c", "f", "g.png"]);
}

#[test]
fn every_path_in_the_documents_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = 0;
    for name in documents()
        .into_iter()
        .filter(|name| name != "CHANGELOG.md")
    {
        let text = fs::read_to_string(root.join(&name)).unwrap();
        for path in text
            .split('`')
            .filter(|code| !code.contains([' ', '*', '…', '{', '\n']))
        {
            let folder = path.split_once('/').map_or("", |(folder, _)| folder);
            // What the example of a new format would add.
            if ["src", "tests", "xtask", "benches"].contains(&folder) && path != "src/report/csv.rs"
            {
                assert!(root.join(path).exists(), "{name}: {path}");
                paths += 1;
            }
        }
    }
    assert!(paths >= 100, "{paths}");
}

/// The syntax error of a YAML text, if it has one.
fn yaml_error(text: &str) -> Option<String> {
    saphyr_parser::Parser::new_from_str(text)
        .find_map(Result::err)
        .map(|error| error.to_string())
}

#[test]
fn every_yaml_snippet_and_file_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut snippets = 0;
    for name in documents() {
        let text = fs::read_to_string(root.join(&name)).unwrap();
        for block in text.split("```yaml\n").skip(1) {
            let block = block.split("```").next().unwrap();
            assert_eq!(yaml_error(block), None, "{name}:\n{block}");
            snippets += 1;
        }
    }
    assert!(snippets >= 5, "{snippets}");
    let mut files = vec![root.join("action.yml"), root.join(".pre-commit-hooks.yaml")];
    for folder in [".github/workflows", ".github/ISSUE_TEMPLATE"] {
        files.extend(
            fs::read_dir(root.join(folder))
                .unwrap()
                .map(|entry| entry.unwrap().path()),
        );
    }
    assert!(files.len() >= 7, "{files:?}");
    for file in files {
        assert_eq!(
            yaml_error(&fs::read_to_string(&file).unwrap()),
            None,
            "{}",
            file.display()
        );
    }
    assert!(yaml_error("a: [b").is_some());
}

/// The faults of an object: a member that is missing, empty or not known. `known` has the members that it may
/// have; those with `!` are required.
fn member_faults(what: &str, value: Option<MarkedValue<'_>>, known: &str) -> Vec<String> {
    let Some(object) = value.and_then(MarkedValue::as_object) else {
        return vec![format!("{what} is no object")];
    };
    let names: Vec<&str> = known
        .split(' ')
        .map(|name| name.trim_end_matches('!'))
        .collect();
    let required = known.split(' ').filter_map(|name| name.strip_suffix('!'));
    let missing = required.filter(|required| !object.iter().any(|(name, _)| name == required));
    let mut faults: Vec<String> = missing
        .map(|name| format!("{what} has no {name}"))
        .collect();
    for (name, value) in object {
        if !names.contains(name) || value.is_null() {
            faults.push(format!("{what} has `{name}`: {:?}", value.content));
        }
    }
    faults
}

/// What GitHub would reject in an issue form. Source: "Syntax for GitHub's form schema".
fn form_faults(text: &str) -> Vec<String> {
    let (arena, hasher) = (Bump::new(), RandomState::default());
    let Some(form) = embedded::yaml(text, Builder::new(&arena, &hasher)) else {
        return vec!["not YAML".to_owned()];
    };
    if form.get("blank_issues_enabled").is_some() {
        return member_faults(
            "the configuration",
            Some(form),
            "blank_issues_enabled! contact_links",
        );
    }
    let known = "name! description! body! title labels assignees projects type";
    let mut faults = member_faults("the form", Some(form), known);
    let Some(body) = form.get("body").and_then(MarkedValue::as_array) else {
        return faults;
    };
    for (index, field) in body.iter().enumerate() {
        let what = format!("field {index}");
        faults.extend(member_faults(
            &what,
            Some(*field),
            "type! attributes! id validations",
        ));
        let attributes = match field.get("type").and_then(MarkedValue::as_str) {
            Some("markdown") => "value!",
            Some("input") => "label! description placeholder value",
            Some("textarea") => "label! description placeholder value render",
            Some("dropdown") => "label! options! description multiple default",
            Some("checkboxes") => "label! options! description",
            other => {
                faults.push(format!("{what} has the type {other:?}"));
                continue;
            }
        };
        faults.extend(member_faults(&what, field.get("attributes"), attributes));
        if let Some(validations) = field.get("validations") {
            faults.extend(member_faults(&what, Some(validations), "required!"));
        }
    }
    faults
}

#[test]
fn every_issue_form_has_the_shape_that_github_reads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/ISSUE_TEMPLATE");
    let files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let faults = form_faults(&fs::read_to_string(&file).unwrap());
        assert!(faults.is_empty(), "{}: {faults:?}", file.display());
    }
}

#[test]
fn label_with_a_comma_is_not_read_as_two_members() {
    let form = |attributes: &str| {
        format!(
            "name: A\ndescription: B\nbody:\n  - type: textarea\n    attributes: {attributes}\n"
        )
    };
    assert_eq!(
        form_faults(&form("{ label: \"One, and two\", render: text }")),
        Vec::<String>::new()
    );
    assert_eq!(
        form_faults(&form("{ label: One, and two, render: text }")),
        ["field 0 has `and two`: Null"]
    );
    assert_eq!(
        form_faults(&form("{ label: }")),
        ["field 0 has `label`: Null"]
    );
    assert_eq!(form_faults(&form("{ label: \"One }")), ["not YAML"]);
    assert_eq!(
        form_faults("name: A\ndescription: B\n"),
        ["the form has no body"]
    );
}

#[test]
fn index_lists_every_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let index = fs::read_to_string(root.join("docs/README.md")).unwrap();
    for name in documents() {
        if let Some(file) = name
            .strip_prefix("docs/")
            .filter(|file| *file != "README.md")
        {
            assert!(
                index.contains(&format!("]({file})")),
                "docs/README.md does not name {file}"
            );
        }
    }
}
