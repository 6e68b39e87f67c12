use super::*;

fn environment(set: &[(&str, &str)]) -> Environment {
    Environment::new(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)))
}

#[test]
fn switches_read_as_people_mean_them() {
    assert_eq!(environment(&[]), Environment::default());
    assert!(environment(&[("NO_COLOR", "0")]).no_color, "any value counts (no-color.org)");
    assert!(!environment(&[("NO_COLOR", "")]).no_color);
    assert!(environment(&[("FORCE_COLOR", "1")]).force_color);
    assert!(!environment(&[("CLICOLOR_FORCE", "0"), ("FORCE_COLOR", "false")]).force_color);
    assert!(environment(&[("CLICOLOR", "0")]).plain_display);
    assert!(!environment(&[("CLICOLOR", "1")]).plain_display);
    assert!(environment(&[("TERM", "dumb")]).plain_display);
    assert_eq!(environment(&[("COLUMNS", "0")]).columns, None);
    assert_eq!(environment(&[("COLUMNS", "wide")]).columns, None);
    assert_eq!(environment(&[("COLUMNS", "120")]).columns, Some(120));
    assert!(environment(&[("TF_IN_AUTOMATION", "false")]).automation, "as the tools read it");
}

#[test]
fn ci_systems_are_told_apart() {
    for (set, ci) in [
        (&[("GITHUB_ACTIONS", "true"), ("CI", "true")][..], Some(CiSystem::GitHub)),
        (&[("GITLAB_CI", "true")], Some(CiSystem::GitLab)),
        (&[("TF_BUILD", "True")], Some(CiSystem::Azure)),
        (&[("BUILDKITE", "true")], Some(CiSystem::Colourful)),
        (&[("CI", "1")], Some(CiSystem::Other)),
        (&[("CI", "false")], None),
    ] {
        assert_eq!(environment(set).ci, ci, "{set:?}");
    }
}

#[test]
fn the_programs_own_pager_goes_first() {
    assert_eq!(environment(&[("PAGER", "more"), ("TFVIEW_PAGER", "")]).pager.as_deref(), Some(""));
    assert_eq!(environment(&[("PAGER", "more")]).pager.as_deref(), Some("more"));
}

#[cfg(unix)]
#[test]
fn schemas_are_a_list_of_paths() {
    let schemas = environment(&[("TFVIEW_SCHEMAS", "a.json::b.json")]).schemas;
    assert_eq!(schemas, [PathBuf::from("a.json"), PathBuf::from("b.json")]);
}
