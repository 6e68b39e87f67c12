//! The pictures of README.md show what the program prints now, and fit on a screen.

#[path = "../xtask/picture/scenes.rs"]
mod scenes;
#[cfg(unix)]
#[path = "../xtask/picture/screens.rs"]
mod screens;
#[path = "../xtask/picture/svg.rs"]
mod svg;

use std::fs;
use std::path::Path;

#[cfg(unix)]
use super::open_terminal;
use scenes::PICTURES;

#[test]
fn pictures_match_the_output_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tfview = Path::new(env!("CARGO_BIN_EXE_tfview"));
    for picture in &PICTURES {
        assert_is_stored(picture.file, &picture.draw(tfview, root).unwrap());
    }
    #[cfg(unix)]
    for screen in &screens::SCREENS {
        assert_is_stored(screen.file, &screen.draw(tfview, root).unwrap());
    }
}

fn assert_is_stored(file: &str, drawn: &str) {
    let stored = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    assert!(
        drawn == stored,
        "{file} is not what the program shows now: cargo build && cargo run --example picture"
    );
}

/// The files of all pictures.
fn files() -> Vec<&'static str> {
    let mut files: Vec<&str> = PICTURES.iter().map(|picture| picture.file).collect();
    #[cfg(unix)]
    files.extend(screens::SCREENS.iter().map(|screen| screen.file));
    files
}

#[test]
fn pictures_fit_on_a_screen_and_contain_no_mock_names() {
    for file in files() {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let side = |name| {
            document
                .root_element()
                .attribute(name)
                .unwrap()
                .parse::<u32>()
                .unwrap()
        };
        assert!(side("height") <= 760 && side("width") <= 1400, "{file}");
        assert!(!text.contains("mock"), "{file}");
        assert!(
            document
                .descendants()
                .filter(|node| node.has_tag_name("text"))
                .count()
                > 20
        );
    }
}
