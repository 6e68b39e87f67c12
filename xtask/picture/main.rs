//! Draws the pictures of README.md: `cargo build && cargo run --example picture`
//!
//! Each picture is what the program prints for a document of `fixtures/`, drawn as a terminal would show it. Those of
//! the browser are what is on its screen, which a pseudo-terminal shows.
//! A test (`tests/pictures.rs`) fails if a picture is outdated.

#[cfg(unix)]
#[path = "../../tests/support/open_terminal.rs"]
mod open_terminal;
mod scenes;
#[cfg(unix)]
mod screens;
mod svg;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use scenes::PICTURES;

/// Draws all pictures.
fn main() -> Result<(), Box<dyn Error>> {
    // Cargo puts examples into a folder beside the program.
    let example = env::current_exe()?;
    let built = example
        .parent()
        .and_then(Path::parent)
        .ok_or("the example is not where Cargo puts it")?;
    let tfview = built.join(format!("tfview{}", env::consts::EXE_SUFFIX));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for picture in &PICTURES {
        fs::write(root.join(picture.file), picture.draw(&tfview, root)?)?;
    }
    #[cfg(unix)]
    for screen in &screens::SCREENS {
        fs::write(root.join(screen.file), screen.draw(&tfview, root)?)?;
    }
    Ok(())
}
