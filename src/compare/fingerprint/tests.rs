use super::*;

#[test]
fn a_fingerprint_is_read_as_it_is_written() {
    for basis in [
        Basis::default(),
        Basis {
            schemas: true,
            sensitive: true,
        },
    ] {
        let fingerprint = Fingerprint::from_digests(basis, vec![[1; 32], [2; 32]]);
        assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
    }
    let hash = "0".repeat(64);
    for (text, error) in [
        (format!("tfview-1-{hash}"), "it is of another version"),
        (format!("tfview-3x-{hash}"), "it is not a fingerprint"),
        (
            format!("tfview-3-{}", &hash[1..]),
            "it is not a fingerprint",
        ),
        (format!("tfview--{hash}"), "it is not a fingerprint"),
        (hash, "it is not a fingerprint"),
        (String::new(), "it is not a fingerprint"),
    ] {
        let problem = text.parse::<Fingerprint>().unwrap_err();
        assert!(problem.starts_with(error), "{text}: {problem}");
    }
}
