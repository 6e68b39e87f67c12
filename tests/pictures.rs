//! The pictures of README.md show what the program prints now, and fit on a screen.

#[path = "../xtask/picture/scenes.rs"]
mod scenes;
#[path = "../xtask/picture/svg.rs"]
mod svg;

use std::fs;
use std::path::Path;

use scenes::PICTURES;

#[test]
fn pictures_match_the_output_of_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for picture in &PICTURES {
        let drawn = picture
            .draw(Path::new(env!("CARGO_BIN_EXE_tfview")), root)
            .unwrap();
        let stored = fs::read_to_string(root.join(picture.file)).unwrap();
        assert!(
            drawn == stored,
            "{} is not what the program prints now: cargo build && cargo run --example picture",
            picture.file
        );
    }
}

#[test]
fn pictures_fit_on_a_screen_and_contain_no_mock_names() {
    for picture in &PICTURES {
        let text =
            fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(picture.file)).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        let side = |name| {
            document
                .root_element()
                .attribute(name)
                .unwrap()
                .parse::<u32>()
                .unwrap()
        };
        assert!(
            side("height") <= 760 && side("width") <= 1400,
            "{}",
            picture.file
        );
        assert!(!text.contains("mock"), "{}", picture.file);
        assert!(
            document
                .descendants()
                .filter(|node| node.has_tag_name("text"))
                .count()
                > 20
        );
    }
}
