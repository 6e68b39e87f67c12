use super::*;

#[test]
fn lines_fit_whatever_they_hold() {
    let line = || {
        vec![
            (Role::Strong, "module.日本.a[\"x\"]".to_owned()),
            (Role::Plain, " creating 10s".to_owned()),
        ]
    };
    for columns in 0..40 {
        let line = clipped(line(), columns);
        let total: usize = line
            .iter()
            .flat_map(|(_, text)| text.chars())
            .map(width)
            .sum();
        assert!(total <= columns, "{columns}: {line:?}");
    }
    let line = clipped(line(), 24);
    assert_eq!(line[0].1, "modu…a[\"x\"]");
    assert_eq!(line[1].1, " creating 10s");
}
