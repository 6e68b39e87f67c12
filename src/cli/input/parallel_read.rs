//! Reads both halves of a large file in parallel. Most of the time is spent on copying and on page faults,
//! which are both work for the processor.

use std::fs::File;

/// Below this many bytes a second thread costs more than it saves.
pub(super) const WORTHWHILE: usize = 4 << 20;

/// Reads `length` bytes of a file; `None` if it cannot be read this way or does not have that length.
#[cfg(unix)]
pub(super) fn read(file: &File, length: usize) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    use std::thread;

    let mut bytes = vec![0; length];
    let (first, second) = bytes.split_at_mut(length / 2);
    let middle = first.len() as u64;
    let whole = thread::scope(|scope| {
        let helper =
            thread::Builder::new().spawn_scoped(scope, || file.read_exact_at(second, middle)).ok()?;
        file.read_exact_at(first, 0).ok()?;
        helper.join().ok()?.ok()
    });
    whole?;
    let at_end = file.read_at(&mut [0], length as u64).ok()? == 0;
    at_end.then_some(bytes)
}

/// Other platforms have no positioned reads that leave the file cursor unchanged.
#[cfg(not(unix))]
pub(super) fn read(_: &File, _: usize) -> Option<Vec<u8>> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let path = std::env::temp_dir().join(format!("tfview-parallel-read-{}", std::process::id()));
        let bytes: Vec<u8> = (0..100_001u32).map(|at| at.to_le_bytes()[1]).collect();
        std::fs::write(&path, &bytes).unwrap();
        let file = File::open(&path).unwrap();
        assert_eq!(read(&file, bytes.len()).as_deref(), Some(&*bytes));
        assert_eq!(read(&file, bytes.len() - 1), None, "it has grown");
        assert_eq!(read(&file, bytes.len() + 1), None, "it was cut");
        std::fs::remove_file(&path).unwrap();
    }
}
