//! Links the debug program without position-independent code, because the tests start it thousands of times. The package
//! does not contain this file.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "build scripts read variables, and print what Cargo should do"
)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|set| set == value);
    // An unoptimized program has more than 100,000 relocations if it is position-independent. To apply them takes half of
    // the time of a short run. Releases stay position-independent.
    if is("PROFILE", "debug")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
