use std::io;

use super::*;
use crate::term::{Colour, Out, Role, Untrusted};

fn styled(write: impl FnOnce(&mut Out<'_>) -> io::Result<()>) -> StyledText {
    StyledText::new(write).unwrap()
}

#[test]
fn parts_have_the_looks_of_their_roles() {
    let text = styled(|out| {
        out.lit("  ")?;
        out.role(Role::Create, "+")?;
        out.lit(" a = 1 ")?;
        out.role_data(Role::StrongDelete, Untrusted("x\n\u{1b}y"))?;
        out.lit("\n")
    });
    let colour = |colour| Look {
        colour: Some(colour),
        ..Look::default()
    };
    let alert = Look {
        bold: true,
        ..colour(Colour::Red)
    };
    let plain = Look::default();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines,
        [
            vec![
                (plain, "  "),
                (colour(Colour::Green), "+"),
                (plain, " a = 1 "),
                (alert, "x")
            ],
            vec![(alert, "␛y")],
        ]
    );
}

#[test]
fn what_is_left_out_is_counted() {
    let text = styled(|out| {
        for number in 0..10_000 {
            out.begin_change(&number.to_string());
            out.role_data(Role::Create, Untrusted("é234567\n"))?;
        }
        Ok(())
    });
    let shown = MAX_LEN.div_ceil(9);
    assert_eq!(text.left_out(), Some((10_000 - shown, 90_000 - MAX_LEN)));
    assert_eq!((text.lines().count(), text.changed().len()), (shown, shown));
    assert_eq!(styled(|out| out.lit("a\n")).left_out(), None);
}

#[test]
fn looks_keep_their_parts_when_places_are_replaced() {
    let text = styled(|out| {
        out.lit("a ")?;
        out.role_data(Role::StrongDelete, Untrusted("xx-secret-yy"))?;
        out.lit(" secret b")
    });
    let parts = |text: &StyledText| -> Vec<Vec<(bool, String)>> {
        let part = |(look, part): (Look, &str)| (look != Look::default(), part.to_owned());
        text.lines()
            .map(|line| line.into_iter().map(part).collect())
            .collect()
    };
    let replaced = text.replaced(&[(5..11, "(key)"), (15..21, "(k)")]);
    let expected = [(false, "a "), (true, "xx-(key)-yy"), (false, " (k) b")];
    assert_eq!(
        parts(&replaced),
        [expected.map(|(styled, part)| (styled, part.to_owned()))]
    );
}
