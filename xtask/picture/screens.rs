//! The pictures of the browser: what is on the screen of a terminal after some keys.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::open_terminal::open;
use super::svg;

/// A picture of the screen of the browser.
pub(crate) struct Screen {
    /// The file, from the root of the repository.
    pub(crate) file: &'static str,
    /// The text alternative of the picture.
    title: &'static str,
    /// The arguments of the program.
    arguments: &'static [&'static str],
    /// The columns and rows of the terminal.
    size: (u16, u16),
    /// What is typed, each time when the text before it is on the screen.
    steps: &'static [(&'static str, &'static str)],
    /// A text of the last line, after which the screen is complete.
    until: &'static str,
}

pub(crate) const SCREENS: [Screen; 2] = [
    Screen {
        file: "docs/browse.svg",
        title: "tfview browse: modules at the left, then each change, folded to a line or open with what is grave",
        arguments: &["browse", "fixtures/review/shop/plan.json"],
        size: (130, 34),
        steps: &[],
        until: "q quit",
    },
    Screen {
        file: "docs/browse-search.svg",
        title: "tfview browse: a search has found a change, which is open with the text of the tool",
        arguments: &["browse", "fixtures/review/shop/plan.json"],
        size: (110, 26),
        steps: &[
            ("q quit", "/replicaCount\rt"),
            ("with the text of the tool", "\x1b[6~"),
        ],
        until: "q quit",
    },
];

/// The browser on a terminal. Dropping it ends it.
struct Browser {
    child: Child,
    terminal: File,
    screen: vt100::Parser,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _: io::Result<()> = self.child.kill();
        let _: io::Result<std::process::ExitStatus> = self.child.wait();
    }
}

impl Browser {
    /// Starts the program on a terminal of the picture's size.
    fn start(screen: &Screen, tfview: &Path, root: &Path) -> io::Result<Self> {
        let (columns, rows) = screen.size;
        let (terminal, side) = open(screen.size)?;
        // Without the settings, the marks and the schemas of this machine.
        let child = Command::new(tfview)
            .env_clear()
            .env("TERM", "xterm")
            .current_dir(root)
            .args(screen.arguments)
            .stdin(Stdio::from(side.try_clone()?))
            .stdout(Stdio::from(side.try_clone()?))
            .stderr(Stdio::from(side))
            .spawn()?;
        Ok(Self {
            child,
            terminal,
            screen: vt100::Parser::new(rows, columns, 0),
        })
    }

    /// Reads until the screen has a text.
    fn wait_for(&mut self, text: &str) -> io::Result<()> {
        let mut bytes = [0; 4096];
        while !self.screen.screen().contents().contains(text) {
            let length = self.terminal.read(&mut bytes)?;
            self.screen.process(bytes.get(..length).unwrap_or_default());
        }
        Ok(())
    }

    /// The lines of the screen, with codes before each text of one style.
    fn lines(&self) -> Vec<String> {
        let screen = self.screen.screen();
        let (rows, columns) = screen.size();
        let lines = (0..rows).map(|row| {
            let mut line = String::new();
            let mut style = String::new();
            for cell in (0..columns).filter_map(|column| screen.cell(row, column)) {
                let codes = codes(cell);
                if codes != style {
                    line.push_str(&format!("\x1b[{codes}m"));
                    style = codes;
                }
                line.push_str(if cell.has_contents() {
                    cell.contents()
                } else {
                    " "
                });
            }
            line
        });
        lines.collect()
    }
}

/// The codes of a cell's style.
fn codes(cell: &vt100::Cell) -> String {
    let mut codes = "0".to_owned();
    for (is_on, code) in [
        (cell.bold(), ";1"),
        (cell.underline(), ";4"),
        (cell.inverse(), ";7"),
    ] {
        if is_on {
            codes.push_str(code);
        }
    }
    match cell.fgcolor() {
        vt100::Color::Idx(colour @ 0..8) => codes.push_str(&format!(";{}", 30 + colour)),
        vt100::Color::Idx(colour @ 8..16) => codes.push_str(&format!(";{}", 82 + colour)),
        vt100::Color::Idx(_) | vt100::Color::Default | vt100::Color::Rgb(..) => {}
    }
    codes
}

impl Screen {
    /// Runs the browser in the root of the repository, and draws its screen.
    pub(crate) fn draw(&self, tfview: &Path, root: &Path) -> io::Result<String> {
        let mut browser = Browser::start(self, tfview, root)?;
        for (text, keys) in self.steps {
            browser.wait_for(text)?;
            browser.terminal.write_all(keys.as_bytes())?;
        }
        browser.wait_for(self.until)?;
        let lines = browser.lines();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        Ok(svg::screen(self.title, &lines))
    }
}
