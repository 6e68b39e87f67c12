//! The edge: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    tfview::cli::main(std::env::args_os())
}
