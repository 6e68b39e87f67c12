use super::*;

#[test]
fn the_display_goes_by_where_it_is() {
    for (is_terminal, can_move, is_ci, expected) in [
        (true, true, false, ProgressDisplay::Live),
        (true, true, true, ProgressDisplay::Log),
        (true, false, false, ProgressDisplay::Log),
        (false, true, false, ProgressDisplay::Log),
        (false, false, true, ProgressDisplay::Log),
    ] {
        assert_eq!(choose_display(is_terminal, can_move, is_ci), expected);
    }
}
