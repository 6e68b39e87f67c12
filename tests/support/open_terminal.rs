//! Opens pseudo-terminals, for tests and for the pictures of the browser.

use std::fs::File;
use std::io;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A new terminal of this size, in columns and rows: the side of the person, and that of programs.
pub(crate) fn open(size: (u16, u16)) -> io::Result<(File, File)> {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&terminal)?;
    unlockpt(&terminal)?;
    let name = ptsname(&terminal, Vec::new())?;
    let name = name.to_str().map_err(io::Error::other)?;
    let side = File::options().read(true).write(true).open(name)?;
    tcsetwinsize(&side, winsize(size))?;
    Ok((File::from(terminal), side))
}

/// A size in columns and rows, as the system takes it.
pub(crate) fn winsize((columns, rows): (u16, u16)) -> Winsize {
    Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}
