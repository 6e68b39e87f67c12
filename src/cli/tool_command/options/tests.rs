use super::*;

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

#[test]
fn options_are_read_as_the_tools_read_them() {
    let flags = Flags::parse(
        &words("-var a=1 --target=x -lock=false -auto-approve -parallelism 3 p -destroy"),
        false,
    );
    assert!(flags.is_set("auto-approve") && flags.is_unset("lock") && !flags.has("destroy"));
    assert_eq!(
        (flags.value("var"), flags.value("target")),
        (Some("a=1"), Some("x"))
    );
    assert_eq!(flags.arguments, words("p -destroy"));
    assert_eq!(
        flags.for_plan(),
        words("-var a=1 --target=x -lock=false -parallelism 3")
    );
    assert_eq!(
        flags.for_saved_plan(false),
        words("-lock=false -parallelism 3")
    );
    assert_eq!(
        flags.for_saved_plan(true),
        words("-var a=1 -lock=false -parallelism 3")
    );
}

#[test]
fn words_of_variables_are_split_as_by_a_shell() {
    assert_eq!(
        split(r#"-var 'a=b c'  -target="x[\"k\"]" d\ e"#).unwrap(),
        ["-var", "a=b c", "-target=x[\"k\"]", "d e"]
    );
    assert_eq!(split(" ").unwrap(), Vec::<OsString>::new());
    assert_eq!(split("-var 'a"), None);
}

#[test]
fn characters_with_another_meaning_in_variables_are_not_interpreted() {
    for text in [
        "-a; -b",
        "-a & -b",
        "-var x=$Y",
        "-a `b`",
        "-a $(b)",
        "-a > b",
    ] {
        assert_eq!(split(text), None, "{text}");
    }
    assert_eq!(split("-var 'x=$Y;'").unwrap(), ["-var", "x=$Y;"]);
}

/// Each option is known to the commands that accept it, and to no other.
#[test]
fn options_that_a_command_refuses_are_an_obstacle() {
    for (command, text, is_known) in [
        (Planned::Plan, "-out p -detailed-exitcode", true),
        (Planned::Apply, "-out p", false),
        (Planned::Apply, "-detailed-exitcode", false),
        (Planned::Plan, "-auto-approve", false),
        (Planned::Destroy, "-auto-approve", true),
        (Planned::Apply, "-destroy", true),
        (Planned::Destroy, "-refresh-only", false),
        (Planned::Apply, "--working-dir=prod", false),
        (Planned::Apply, "--all", false),
        (Planned::Apply, "-chdir=prod", false),
        (Planned::Apply, "---lock=false", false),
        (Planned::Apply, "-parallelism", false),
        (Planned::Apply, "-help", false),
        (Planned::Apply, "-json-into=f", false),
    ] {
        let flags = Flags::parse(&words(text), false);
        assert_eq!(flags.obstacle(command).is_none(), is_known, "{text}");
    }
    let is_known = |text| {
        let flags = Flags::parse(&words(text), true);
        flags.obstacle(Planned::Apply).is_none()
    };
    assert!(is_known(
        "--working-dir prod --terragrunt-config=x --non-interactive -lock=false"
    ));
    assert!(!is_known("--all") && !is_known("--queue-include-dir=x") && !is_known("--graph"));
}

#[test]
fn terragrunt_s_options_are_for_every_command() {
    let flags = Flags::parse(
        &words("--working-dir prod -var a=1 --terragrunt-config=x -parallelism=3"),
        true,
    );
    assert_eq!(
        flags.for_every_command(),
        words("--working-dir prod --terragrunt-config=x")
    );
    assert_eq!(flags.for_plan(), words("-var a=1 -parallelism=3"));
    assert_eq!(flags.for_saved_plan(false), words("-parallelism=3"));
}

/// The rule of Go's `strconv.ParseBool`, for every switch and many spellings.
#[test]
fn a_switch_that_the_tool_refuses_is_never_true() {
    const TRUE: [&str; 6] = ["1", "t", "T", "true", "True", "TRUE"];
    const FALSE: [&str; 6] = ["0", "f", "F", "false", "False", "FALSE"];
    let mut spellings: Vec<String> = [TRUE, FALSE]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect();
    let words = [
        "yes", "no", "on", "off", "y", "n", "", "null", "tRUE", "FALSe", "2", "-1", "00",
    ];
    spellings.extend(words.map(str::to_owned));
    for text in TRUE.into_iter().chain(FALSE) {
        for other in [
            " ", "\t", "\u{a0}", "\u{0}", "\"", "'", "=", "=true", "\u{ff54}",
        ] {
            spellings.extend([format!("{text}{other}"), format!("{other}{text}")]);
        }
    }
    let switches = OF_TOOLS.iter().filter(|known| known.kind == Kind::Switch);
    for switch in switches {
        let command = [Planned::Plan, Planned::Apply]
            .into_iter()
            .find(|command| command.accepts(switch.reach))
            .unwrap();
        for text in &spellings {
            for dashes in ["-", "--"] {
                let word = OsString::from(format!("{dashes}{}={text}", switch.name));
                let flags = Flags::parse(&[word], false);
                let is_true = TRUE.contains(&&**text);
                let is_value = is_true || FALSE.contains(&&**text);
                assert_eq!(flags.is_set(switch.name), is_true, "{text:?}");
                assert_eq!(flags.obstacle(command).is_none(), is_value, "{text:?}");
            }
        }
    }
}
