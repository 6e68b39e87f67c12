use super::*;

struct Full(usize, io::ErrorKind);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(self.1.into());
        }
        let written = bytes.len().min(self.0);
        self.0 -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_is_gone_is_no_error_and_a_full_disk_is_one() {
    for (kind, is_error) in [
        (io::ErrorKind::BrokenPipe, false),
        (io::ErrorKind::StorageFull, true),
    ] {
        let mut sink = Draining::new(Full(3, kind));
        sink.write_all(b"abcdef").unwrap();
        sink.write_all(b"ghi").unwrap();
        sink.flush().unwrap();
        assert_eq!(sink.into_error().is_some(), is_error);
    }
}
