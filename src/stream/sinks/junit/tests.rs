use super::*;

#[test]
fn what_failed_has_a_failure_or_an_error() {
    let mut cut = Report::default();
    cut.file("f").update("starting", "", None);
    let nothing = Report::default;
    for (report, failed, wrong) in [(nothing(), true, 1), (nothing(), false, 0), (cut, true, 1)] {
        let xml = junit(&report, failed);
        assert_eq!(
            xml.matches("<error ").count() + xml.matches("<failure ").count(),
            wrong,
            "{xml}"
        );
    }
}

#[test]
fn texts_are_text_alone() {
    for (in_attribute, line_feed) in [(false, "\n"), (true, "&#10;")] {
        let xml = escape("a<b>&\"'\u{0}\u{1b}[31m\n]]>\u{ffff}é", in_attribute);
        assert_eq!(
            xml,
            format!("a&lt;b&gt;&amp;&quot;'␀␛[31m{line_feed}]]&gt;�é")
        );
    }
}
