//! Tests how many addresses are written in short.

use super::compact;

#[test]
fn keys_in_a_row_are_a_range() {
    for (addresses, expected) in [
        (
            &["a.b[0]", "a.b[1]", "a.b[2]", "a.b[5]"][..],
            &["a.b[0…2, 5]"][..],
        ),
        (&["a.b[0]", "a.b[1]"], &["a.b[0, 1]"]),
        (
            &["a.b[\"x\"]", "c.d", "a.b[\"y z\"]"],
            &["a.b[\"x\", \"y z\"]", "c.d"],
        ),
        (
            &["module.m[0].a.b", "module.m[1].a.b", "module.m[2].a.b"],
            &["module.m[0…2].a.b"],
        ),
        (&["a.b[\"x[z]\"]", "a.b[1]"], &["a.b[1, \"x[z]\"]"]),
        (
            &[
                "a.b[\"p-08\"]",
                "a.b[\"p-09\"]",
                "a.b[\"p-10\"]",
                "a.b[\"p-12\"]",
            ],
            &["a.b[\"p-08\" … \"p-10\", \"p-12\"]"],
        ),
        (
            &["a.b[\"8\"]", "a.b[\"10\"]", "a.b[\"9\"]"],
            &["a.b[\"8\" … \"10\"]"],
        ),
        (
            &["a.b[\"08\"]", "a.b[\"9\"]", "a.b[\"10\"]"],
            &["a.b[\"08\", \"9\", \"10\"]"],
        ),
        (
            &[
                "module.m[\"a\"].t.n[0]",
                "module.m[\"b\"].t.n[0]",
                "module.m[\"b\"].t.n[1]",
            ],
            &["module.m[\"a\"].t.n[0]", "module.m[\"b\"].t.n[0, 1]"],
        ),
        (
            &["a.b", "a.b", "a.b[", "a.b[\"x"],
            &["a.b", "a.b", "a.b[", "a.b[\"x"],
        ),
    ] {
        assert_eq!(compact(addresses), expected);
    }
}
