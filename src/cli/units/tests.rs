use super::*;

#[test]
fn reports_of_all_versions_are_read() {
    let json = r#"[{"Name":"live/db","Started":"2026-01-02T03:04:05Z","Ended":"x","Result":"succeeded","Cmd":"plan","Args":["plan"]},
        {"Name":"live/app","Result":"early exit","Reason":"ancestor error","Cause":"queue"}]"#;
    let found = report_rows(json).unwrap();
    assert_eq!(found[0].absence(), None);
    let expected = (Absence::EarlyExit, "ancestor error: queue".to_owned());
    assert_eq!(found[1].absence(), Some(expected));
    let old = "Name,Started,Ended,Result,Reason,Cause\r\nlive\\db,a,b,failed,run error,\"exit\n\"\"1\"\"\"\r\n";
    let found = report_rows(old).unwrap();
    assert_eq!((found.len(), &*found[0].key()), (1, "live/db"));
    let expected = (Absence::Failed, "run error: exit \"1\"".to_owned());
    assert_eq!(found[0].absence(), Some(expected));
    let new = "Name,Started,Ended,Result,Reason,Cause,Ref,Cmd,Args\nx,a,b,new word,,,,plan,plan|-no-color\n";
    assert!(matches!(
        report_rows(new).unwrap()[0].absence(),
        Some((Absence::Failed, _))
    ));
    for broken in [
        "",
        "a,b\n1,2",
        "Name,Result\n\"x,failed",
        "Name,Result\n,failed",
    ] {
        assert!(report_rows(broken).is_err(), "{broken}");
    }
    assert!(report_rows("[{\"Name\":\"x\"}]").is_err());
}

#[test]
fn a_unit_is_found_by_the_end_of_its_path() {
    let folders = ["prod/vpc", "dev/vpc", "dev/db"].map(str::to_owned);
    for (key, expected) in [
        ("live/prod/vpc", Some(0)),
        ("/repo/live/dev/db", Some(2)),
        ("vpc", None),
        ("db", Some(2)),
        ("b", None),
    ] {
        assert_eq!(similar(key, &folders), expected, "{key}");
    }
    assert_eq!(similar("network", &[String::new()]), Some(0));
}
