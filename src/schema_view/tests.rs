use super::views::first_sentence;
use super::wrapped;

#[test]
fn the_first_sentence_ends_where_it_ends() {
    for (text, first) in [
        ("One. Two.", "One."),
        ("Use e.g. this one. Two.", "Use e.g. this one."),
        ("A\nline. B", "A line."),
        ("No end", "No end"),
        ("Para\n\nNext", "Para"),
        ("Version 1.2 is", "Version 1.2 is"),
    ] {
        assert_eq!(first_sentence(text), first);
    }
}

#[test]
fn paragraphs_are_wrapped_and_lists_keep_their_lines() {
    let lines = wrapped("one two\nthree\n\n- a\n- b", 20);
    assert_eq!(lines, ["one two three", "- a", "- b"]);
}
