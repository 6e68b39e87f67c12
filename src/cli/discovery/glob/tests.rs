use std::fs;

use super::*;

/// The files below a folder that a pattern finds there, without the folder.
fn found_files(root: &Path, pattern: &str) -> Vec<String> {
    let paths = expanded(&root.join(pattern)).unwrap_or_default();
    let name = |path: PathBuf| {
        let path = path.strip_prefix(root).unwrap_or(&path).to_owned();
        path.to_string_lossy().into_owned()
    };
    paths.into_iter().map(name).collect()
}

#[test]
fn patterns_find_names_and_folders_of_any_depth() {
    let root = std::env::temp_dir().join(format!("tfview-glob-{}", std::process::id()));
    for file in [
        "a/x.json",
        "a/b/x.json",
        "a/b/c/x.json",
        "[1]/x.json",
        "{a,b}/y.json",
        ".hidden/x.json",
        ".terraform/x.json",
        "a/.git/x.json",
        "x.json",
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    for (pattern, expected) in [
        ("*.json", &["x.json"][..]),
        ("*/x.json", &[".hidden/x.json", "[1]/x.json", "a/x.json"]),
        ("a/?/x.json", &["a/b/x.json"]),
        ("a/**/x.json", &["a/b/c/x.json", "a/b/x.json", "a/x.json"]),
        ("a/**/b/*.json", &["a/b/x.json"]),
        ("[1]/*", &["[1]/x.json"]),
        ("[?]/*", &["[1]/x.json"]),
        ("{a,*}/*", &["{a,b}/y.json"]),
        ("a/**", &["a"]),
        ("a/*/**", &["a/b"]),
        ("**/.git/*.json", &["a/.git/x.json"]),
        ("**/b/**/x.json", &["a/b/c/x.json", "a/b/x.json"]),
        ("**/b/x.json", &["a/b/x.json"]),
        ("**/c/**/b/*", &[]),
        ("none/*", &[]),
        ("x.json/*", &[]),
    ] {
        assert_eq!(found_files(&root, pattern), expected, "{pattern}");
    }
    fs::remove_dir_all(&root).unwrap();
}
