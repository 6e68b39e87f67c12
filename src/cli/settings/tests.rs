//! What options, variables and a terminal decide about colour, width and display.

use super::*;
use crate::cli::args::StyleArgs;

const NOTHING: Terminal = Terminal {
    stdin: false,
    stdout: false,
    stderr: false,
    stdout_is_file: false,
    columns: None,
    stderr_columns: None,
};
const SCREEN: Terminal = Terminal {
    stdin: true,
    stdout: true,
    stderr: true,
    stdout_is_file: false,
    columns: Some(132),
    stderr_columns: Some(132),
};
const FILE: Terminal = Terminal {
    stdout_is_file: true,
    ..NOTHING
};

fn environment(text: &str) -> Environment {
    let set: Vec<(&str, &str)> = text
        .split_whitespace()
        .filter_map(|pair| pair.split_once('='))
        .collect();
    Environment::new(|name| {
        set.iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.into())
    })
}

#[test]
fn colour_goes_by_flag_then_variables_then_display() {
    let flag = |color| DisplayArgs {
        style: StyleArgs {
            color,
            ..StyleArgs::default()
        },
        ..DisplayArgs::default()
    };
    let no_color = DisplayArgs {
        style: StyleArgs {
            no_color: true,
            ..StyleArgs::default()
        },
        ..DisplayArgs::default()
    };
    for (args, variables, terminal, colour) in [
        (flag(When::Auto), "", SCREEN, true),
        (flag(When::Auto), "", NOTHING, false),
        (flag(When::Auto), "", FILE, false),
        (flag(When::Always), "NO_COLOR=1", FILE, true),
        (flag(When::Never), "FORCE_COLOR=1", SCREEN, false),
        (no_color, "FORCE_COLOR=1", SCREEN, false),
        (flag(When::Auto), "NO_COLOR=1 FORCE_COLOR=1", SCREEN, false),
        (flag(When::Auto), "FORCE_COLOR=1 TERM=dumb", FILE, true),
        (
            flag(When::Auto),
            "CLICOLOR_FORCE=1 CLICOLOR=0",
            NOTHING,
            true,
        ),
        (flag(When::Auto), "CLICOLOR=0", SCREEN, false),
        (flag(When::Auto), "TERM=dumb", SCREEN, false),
        (flag(When::Auto), "GITHUB_ACTIONS=true", NOTHING, true),
        (flag(When::Auto), "GITHUB_ACTIONS=true", FILE, false),
        (
            flag(When::Auto),
            "GITLAB_CI=true NO_COLOR=1",
            NOTHING,
            false,
        ),
        (flag(When::Auto), "TF_BUILD=True TERM=dumb", NOTHING, false),
        (flag(When::Auto), "CI=true", NOTHING, false),
    ] {
        let settings = Settings::resolve(&args, &environment(variables), terminal);
        assert_eq!(settings.colour, colour, "{args:?} {variables} {terminal:?}");
    }
}

#[test]
fn a_ci_system_can_be_named_or_denied() {
    for (choice, ci, asked) in [
        (None, Some(CiSystem::GitLab), None),
        (
            Some(CiChoice::Auto),
            Some(CiSystem::GitLab),
            Some(CiSystem::GitLab),
        ),
        (Some(CiChoice::None), None, None),
        (
            Some(CiChoice::Github),
            Some(CiSystem::GitHub),
            Some(CiSystem::GitHub),
        ),
        (
            Some(CiChoice::Gitlab),
            Some(CiSystem::GitLab),
            Some(CiSystem::GitLab),
        ),
        (
            Some(CiChoice::Azure),
            Some(CiSystem::Azure),
            Some(CiSystem::Azure),
        ),
    ] {
        let args = DisplayArgs {
            ci: choice,
            ..DisplayArgs::default()
        };
        let settings = Settings::resolve(&args, &environment("GITLAB_CI=true"), NOTHING);
        assert_eq!(
            (settings.ci, settings.requested_ci, settings.colour),
            (ci, asked, ci.is_some()),
            "{choice:?}"
        );
    }
}

#[test]
fn width_is_that_of_the_screen_only_on_a_screen() {
    for (flag, variables, terminal, width) in [
        (None, "", NOTHING, 78),
        (None, "COLUMNS=50", NOTHING, 78),
        (None, "", SCREEN, 132),
        (None, "COLUMNS=50", SCREEN, 50),
        (Some(20), "COLUMNS=50", SCREEN, 20),
        (Some(200), "", FILE, 200),
    ] {
        let args = DisplayArgs {
            style: StyleArgs {
                width: flag,
                ..StyleArgs::default()
            },
            ..DisplayArgs::default()
        };
        assert_eq!(
            Settings::resolve(&args, &environment(variables), terminal).width,
            width
        );
    }
}

#[test]
fn a_pager_needs_a_screen_or_to_be_asked_for() {
    for (choice, variables, terminal, pager) in [
        (When::Auto, "", SCREEN, Some("less -FRX")),
        (When::Auto, "PAGER=more", SCREEN, Some("more")),
        (
            When::Auto,
            "PAGER=more TFVIEW_PAGER=most",
            SCREEN,
            Some("most"),
        ),
        (When::Auto, "PAGER=more TFVIEW_PAGER=", SCREEN, None),
        (When::Auto, "PAGER=cat", SCREEN, None),
        (When::Auto, "TERM=dumb", SCREEN, None),
        (When::Auto, "", NOTHING, None),
        (When::Always, "", NOTHING, Some("less -FRX")),
        (When::Never, "PAGER=more", SCREEN, None),
    ] {
        let resolved = Pager::resolve(choice, &environment(variables), terminal);
        assert_eq!(
            resolved.map(|pager| pager.command).as_deref(),
            pager,
            "{choice:?} {variables}"
        );
    }
}

#[test]
fn schemas_of_the_command_line_stand_before_those_of_the_environment() {
    let args = DisplayArgs {
        schemas: vec!["a.json".into()],
        ..DisplayArgs::default()
    };
    let settings = Settings::resolve(&args, &environment("TFVIEW_SCHEMAS=b.json"), NOTHING);
    assert_eq!(
        settings.schemas,
        [PathBuf::from("a.json"), PathBuf::from("b.json")]
    );
}

fn variables(set: &[(&str, &str)]) -> Environment {
    Environment::new(|name| {
        set.iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn switches_read_as_people_mean_them() {
    assert_eq!(variables(&[]), Environment::default());
    assert!(
        variables(&[("NO_COLOR", "0")]).no_color,
        "any value counts (no-color.org)"
    );
    assert!(!variables(&[("NO_COLOR", "")]).no_color);
    assert!(variables(&[("FORCE_COLOR", "1")]).force_color);
    assert!(!variables(&[("CLICOLOR_FORCE", "0"), ("FORCE_COLOR", "false")]).force_color);
    assert!(variables(&[("CLICOLOR", "0")]).plain_display);
    assert!(!variables(&[("CLICOLOR", "1")]).plain_display);
    assert!(variables(&[("TERM", "dumb")]).plain_display);
    assert_eq!(variables(&[("COLUMNS", "0")]).columns, None);
    assert_eq!(variables(&[("COLUMNS", "wide")]).columns, None);
    assert_eq!(variables(&[("COLUMNS", "120")]).columns, Some(120));
    assert!(
        variables(&[("TF_IN_AUTOMATION", "false")]).automation,
        "as the tools read it"
    );
}

#[test]
fn ci_systems_are_told_apart() {
    for (set, ci) in [
        (
            &[("GITHUB_ACTIONS", "true"), ("CI", "true")][..],
            Some(CiSystem::GitHub),
        ),
        (&[("GITLAB_CI", "true")], Some(CiSystem::GitLab)),
        (&[("TF_BUILD", "True")], Some(CiSystem::Azure)),
        (&[("BUILDKITE", "true")], Some(CiSystem::Colourful)),
        (&[("CI", "1")], Some(CiSystem::Other)),
        (&[("CI", "false")], None),
    ] {
        assert_eq!(variables(set).ci, ci, "{set:?}");
    }
}

#[test]
fn the_programs_own_pager_goes_first() {
    assert_eq!(
        variables(&[("PAGER", "more"), ("TFVIEW_PAGER", "")])
            .pager
            .as_deref(),
        Some("")
    );
    assert_eq!(
        variables(&[("PAGER", "more")]).pager.as_deref(),
        Some("more")
    );
}

#[cfg(unix)]
#[test]
fn schemas_are_a_list_of_paths() {
    let schemas = variables(&[("TFVIEW_SCHEMAS", "a.json::b.json")]).schemas;
    assert_eq!(schemas, [PathBuf::from("a.json"), PathBuf::from("b.json")]);
}
