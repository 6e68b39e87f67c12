//! The processor time of this process and of the processes that it has waited for.

use std::time::Duration;

/// The processor time so far, of all threads; `None` where it cannot be asked for.
#[cfg(unix)]
pub fn time() -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    let of = |who| {
        let usage = getrusage(who).ok()?;
        let microseconds = |time: nix::sys::time::TimeVal| {
            u64::try_from(time.tv_sec() * 1_000_000 + i64::from(time.tv_usec())).ok()
        };
        Some(Duration::from_micros(microseconds(usage.user_time())? + microseconds(usage.system_time())?))
    };
    Some(of(UsageWho::RUSAGE_SELF)? + of(UsageWho::RUSAGE_CHILDREN)?)
}

/// The processor time so far, of all threads; `None` where it cannot be asked for.
#[cfg(not(unix))]
pub fn time() -> Option<Duration> {
    None
}
