//! CPU time of this process and of the child processes that it has waited for.

use std::time::Duration;

/// The CPU time used so far by all threads, or `None` where the system does not report it.
#[cfg(unix)]
pub fn time() -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};
    let of = |who| {
        let usage = getrusage(who).ok()?;
        let duration = |time: nix::sys::time::TimeVal| {
            let seconds = Duration::from_secs(u64::try_from(time.tv_sec()).ok()?);
            Some(seconds + Duration::from_micros(u64::try_from(time.tv_usec()).ok()?))
        };
        Some(duration(usage.user_time())? + duration(usage.system_time())?)
    };
    Some(of(UsageWho::RUSAGE_SELF)? + of(UsageWho::RUSAGE_CHILDREN)?)
}

/// The CPU time used so far by all threads, or `None` where the system does not report it.
#[cfg(not(unix))]
pub fn time() -> Option<Duration> {
    None
}
