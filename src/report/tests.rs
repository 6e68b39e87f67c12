use super::{Coverage, SectionKind, Shown};

#[test]
fn what_is_not_recorded_is_counted() {
    assert_eq!(Coverage::default().unreported(), 0);
    let mut coverage = Coverage::new([vec![2, 2], vec![], vec![], vec![], vec![], vec![]]);
    assert_eq!(coverage.unreported(), 4);
    coverage.record(SectionKind::Resources, 0, &[Some(Shown::InFull), None]);
    coverage.count(SectionKind::Resources, 1);
    assert_eq!(coverage.unreported(), 1);
}
