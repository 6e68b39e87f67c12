//! How the program is linked for its tests, which start it thousands of times. It is not in the package.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "Cargo tells by variables, and is told by lines"
)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|set| set == value);
    // Code that is not optimized has 100,000 addresses to adjust at each start where it may be loaded anywhere: half of the
    // time of a short run. A release keeps its random addresses.
    if is("PROFILE", "debug")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
