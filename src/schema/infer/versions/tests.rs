use super::*;

#[test]
fn version_constraints_limit_the_major_version() {
    // With and without an early release, which decides if the constraint does not.
    let before = |constraint: &str| {
        let constraints = [("registry.example/acme/any-beta".into(), constraint.into())];
        [false, true].map(|is_old| is_before("any", 6, &constraints, is_old))
    };
    for constraint in ["6.0.0", "~> 6.1", ">= 6", "> 7.1, < 9", "~> 7"] {
        assert_eq!(before(constraint), [false, false], "{constraint}");
    }
    for constraint in [
        ">= 3.0", "< 6.1", "<= 6.0", "~> 5", "!= 5.1", "", "latest", "{{x}}",
    ] {
        assert_eq!(before(constraint), [false, true], "{constraint}");
    }
    for constraint in ["5.1.0", "~> 5.1", ">= 3, < 6", "< 6.0", "<= 5.9"] {
        assert_eq!(before(constraint), [true, true], "{constraint}");
    }
}

#[test]
fn releases_limit_the_version() {
    assert!(
        is_old_format("1.1") && is_old_format("0.1") && !is_old_format("1.2") && !is_old_format("")
    );
    assert!(is_old_release("1.4.6") && is_old_release("0.14.3"));
    assert!(!is_old_release("1.5.0") && !is_old_release("1.12.1"));
}

#[test]
fn blocks_with_secrets_stay_sensitive_as_an_attribute() {
    let arena = Bump::new();
    let text = "{o %l{s !s\n}\n}";
    let block = crate::schema::builtin::block(text, &arena).unwrap();
    let (_, attribute) = with_attribute(block, &["o"], &arena).attributes[0];
    assert!(attribute.sensitive, "{attribute:?}");
}
