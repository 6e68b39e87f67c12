use super::*;

#[test]
fn results_come_in_order_and_no_further_ahead_than_the_window() {
    let items: Vec<u64> = (0..500).collect();
    let mut received = Vec::new();
    let uneven = |_: &mut (), item: u64| {
        (0..(item * 7919) % 2000).fold(item, |sum, _| std::hint::black_box(sum))
    };
    let result: Result<(), ()> = in_order(
        items.clone(),
        || (),
        uneven,
        |item| {
            received.push(item);
            Ok(())
        },
    );
    assert_eq!((result, received), (Ok(()), items));
}

#[test]
fn an_error_ends_the_work() {
    let items: Vec<usize> = (0..10_000).collect();
    let worked = AtomicUsize::new(0);
    let count = |_: &mut (), item: usize| {
        worked.fetch_add(1, Ordering::Relaxed);
        item
    };
    let result = in_order(
        items,
        || (),
        count,
        |item| if item == 10 { Err(item) } else { Ok(()) },
    );
    assert_eq!(result, Err(10));
    assert!(worked.into_inner() < 200);
}

#[test]
fn a_panic_is_handed_on() {
    let items: Vec<usize> = (0..100).collect();
    let work = |_: &mut (), item: usize| assert!(item != 50, "the fault");
    let caught = std::panic::catch_unwind(|| in_order(items, || (), work, |()| Ok::<(), ()>(())));
    assert!(caught.is_err());
}

#[test]
fn nothing_to_do_is_no_work() {
    assert_eq!(
        in_order(Vec::<u8>::new(), || (), |(), _| (), |()| Err(())),
        Ok(())
    );
}
