//! `packaging/comment.sh` against a local server that takes the place of the API of each system: the comment is
//! created, or that of the same author and plan is updated, or nothing is posted and an error says why.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Arc, Mutex};

use super::{run, scratch, text};

const MARKER: &str = "<!-- tfview:review plan.json -->";
const BODY: &str = "<!-- tfview:review plan.json -->\n\n**1 to destroy.** \"quoted\" $(id) `x`\n";
const TOKEN: &str = "token-of-the-test";

/// A request that the server received.
#[derive(Clone, Debug)]
struct Request {
    method: String,
    path: String,
    is_authorized: bool,
    body: String,
}

/// An answer: the method, a part of the path, the status with more headers, and the body.
type Answer = (&'static str, &'static str, &'static str, String);

/// A server that gives the first answer that fits, and 404 for everything else. It runs until the test ends.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    fn new(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<Request>>> = Arc::default();
        let received = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &answers, &received);
            }
        });
        Self { address, requests }
    }

    fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The requests that change something.
    fn written(&self) -> Vec<Request> {
        self.requests()
            .into_iter()
            .filter(|request| request.method != "GET")
            .collect()
    }
}

fn answer(stream: TcpStream, answers: &[Answer], received: &Mutex<Vec<Request>>) {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 || line == "\r\n" {
            break;
        }
        lines.push(line.trim_end().to_owned());
    }
    let Some(first) = lines.first() else { return };
    let words: Vec<&str> = first.split(' ').collect();
    let header = |name: &str| {
        lines.iter().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    };
    let length: usize = header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let request = Request {
        method: words[0].to_owned(),
        path: words[1].to_owned(),
        is_authorized: header("authorization") == Some(&format!("Bearer {TOKEN}")),
        body: String::from_utf8(body).unwrap(),
    };
    let matching = answers
        .iter()
        .find(|(method, path, _, _)| *method == request.method && request.path.contains(path));
    let (status, body) = matching.map_or(("404 Not Found", "{}"), |(_, _, status, body)| {
        (*status, body)
    });
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    received.lock().unwrap().push(request);
    // A client that has seen enough may have closed the connection.
    let _ = reader.get_mut().write_all((head + body).as_bytes());
}

/// Posts `body` to a system at this address.
fn post(name: &str, system: &str, server: &Server, body: &str) -> Output {
    let dir: PathBuf = scratch(name);
    let file = dir.join("comment.md");
    fs::write(&file, body).unwrap();
    let address = Path::new(&server.address);
    let environment: &[(&str, &Path)] = match system {
        "github" => &[
            ("GITHUB_TOKEN", Path::new(TOKEN)),
            ("GITHUB_API_URL", address),
            ("GITHUB_REPOSITORY", Path::new("acme/shop")),
            ("TFVIEW_PULL_REQUEST", Path::new("7")),
        ],
        "gitlab" => &[
            ("GITLAB_TOKEN", Path::new(TOKEN)),
            ("CI_API_V4_URL", address),
            ("CI_PROJECT_ID", Path::new("42")),
            ("CI_MERGE_REQUEST_IID", Path::new("7")),
        ],
        _ => &[
            ("SYSTEM_ACCESSTOKEN", Path::new(TOKEN)),
            ("SYSTEM_COLLECTIONURI", address),
            ("SYSTEM_TEAMPROJECT", Path::new("The Shop")),
            ("BUILD_REPOSITORY_ID", Path::new("r1")),
            ("SYSTEM_PULLREQUEST_PULLREQUESTID", Path::new("7")),
        ],
    };
    run(
        &dir,
        "packaging/comment.sh",
        &[system, file.to_str().unwrap()],
        environment,
    )
}

/// The answers of each system: who the token belongs to, and a list of comments as `comments` gives them
/// for (ID, author, text).
fn answers(system: &str, comments: &[(u32, &str, &str)]) -> Vec<Answer> {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let list = |item: &dyn Fn(&(u32, &str, &str)) -> String| {
        comments.iter().map(item).collect::<Vec<_>>().join(",")
    };
    match system {
        "github" => vec![
            (
                "GET",
                "/user",
                "403 Forbidden",
                r#"{"message":"Resource not accessible by integration"}"#.to_owned(),
            ),
            (
                "GET",
                "/repos/acme/shop/issues/7/comments",
                "200 OK",
                format!(
                    "[{}]",
                    list(&|(id, author, text)| {
                        format!(
                            r#"{{"id":{id},"user":{{"login":{}}},"body":{}}}"#,
                            quoted(author),
                            quoted(text)
                        )
                    })
                ),
            ),
            (
                "POST",
                "/repos/acme/shop/issues/7/comments",
                "201 Created",
                "{}".to_owned(),
            ),
            (
                "PATCH",
                "/repos/acme/shop/issues/comments/",
                "200 OK",
                "{}".to_owned(),
            ),
        ],
        "gitlab" => vec![
            ("GET", "/user", "200 OK", r#"{"id":5}"#.to_owned()),
            (
                "GET",
                "/projects/42/merge_requests/7/notes",
                "200 OK",
                format!(
                    "[{}]",
                    list(&|(id, author, text)| {
                        let author = if *author == "github-actions[bot]" {
                            5
                        } else {
                            6
                        };
                        format!(
                            r#"{{"id":{id},"author":{{"id":{author}}},"system":false,"body":{}}}"#,
                            quoted(text)
                        )
                    })
                ),
            ),
            ("POST", "/notes", "201 Created", "{}".to_owned()),
            ("PUT", "/notes/", "200 OK", "{}".to_owned()),
        ],
        _ => vec![
            (
                "GET",
                "/connectionData",
                "200 OK",
                r#"{"authenticatedUser":{"id":"u5"}}"#.to_owned(),
            ),
            (
                "GET",
                "/The%20Shop/_apis/git/repositories/r1/pullRequests/7/threads",
                "200 OK",
                format!(
                    r#"{{"value":[{}]}}"#,
                    list(&|(id, author, text)| {
                        let author = if *author == "github-actions[bot]" {
                            "u5"
                        } else {
                            "u6"
                        };
                        format!(
                            r#"{{"id":{id},"comments":[{{"id":1,"author":{{"id":"{author}"}},"content":{}}}]}}"#,
                            quoted(text)
                        )
                    })
                ),
            ),
            ("POST", "/threads?", "200 OK", "{}".to_owned()),
            ("PATCH", "/threads/", "200 OK", "{}".to_owned()),
        ],
    }
}

const SYSTEMS: [&str; 3] = ["github", "gitlab", "azure"];

#[test]
fn a_comment_is_created_where_there_is_none_of_the_same_author_and_plan() {
    let others = [
        (1, "mallory", BODY),
        (
            2,
            "github-actions[bot]",
            "> <!-- tfview:review plan.json -->\nquoted",
        ),
        (
            3,
            "github-actions[bot]",
            "<!-- tfview:review other.json -->\n",
        ),
    ];
    for system in SYSTEMS {
        let server = Server::new(answers(system, &others));
        let output = post(&format!("comment-create-{system}"), system, &server, BODY);
        assert!(
            output.status.success(),
            "{system}: {}",
            text(&output.stderr)
        );
        assert_eq!(text(&output.stdout), "the comment was created\n");
        assert!(
            server
                .requests()
                .iter()
                .all(|request| request.is_authorized)
        );
        let [written] = &server.written()[..] else {
            panic!("{system}: {:?}", server.written())
        };
        let sent: serde_json::Value = serde_json::from_str(&written.body).unwrap();
        let body = if system == "azure" {
            &sent["comments"][0]["content"]
        } else {
            &sent["body"]
        };
        assert_eq!(
            (written.method.as_str(), body.as_str()),
            ("POST", Some(BODY)),
            "{system}"
        );
    }
}

#[test]
fn the_comment_of_an_earlier_run_is_updated() {
    let earlier = format!("{MARKER}\n\nold");
    for (system, method, path) in [
        ("github", "PATCH", "/repos/acme/shop/issues/comments/9"),
        ("gitlab", "PUT", "/projects/42/merge_requests/7/notes/9"),
        ("azure", "PATCH", "/threads/9/comments/1?api-version=7.1"),
    ] {
        let comments = [
            (8, "mallory", &*earlier),
            (9, "github-actions[bot]", &*earlier),
        ];
        let server = Server::new(answers(system, &comments));
        let output = post(&format!("comment-update-{system}"), system, &server, BODY);
        assert!(
            output.status.success(),
            "{system}: {}",
            text(&output.stderr)
        );
        let [written] = &server.written()[..] else {
            panic!("{system}: {:?}", server.written())
        };
        assert_eq!(written.method, method, "{system}");
        assert!(written.path.ends_with(path), "{system}: {}", written.path);
    }
}

#[test]
fn a_comment_that_is_too_long_or_no_review_is_not_posted() {
    let mut errors = BTreeSet::new();
    for (name, body) in [
        ("long", format!("{BODY}{}", "x".repeat(1_000_000))),
        ("foreign", "no marker\n".to_owned()),
        ("empty", String::new()),
    ] {
        for system in SYSTEMS {
            let server = Server::new(answers(system, &[]));
            let output = post(&format!("comment-{name}-{system}"), system, &server, &body);
            assert_eq!(output.status.code(), Some(1));
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packaging");
            let stderr = text(&output.stderr).replace(folder.to_str().unwrap(), "[folder]");
            errors.insert(format!("{name} {system}: {stderr}"));
            assert!(server.requests().is_empty());
        }
    }
    let errors: String = errors.into_iter().collect();
    insta::assert_snapshot!(errors, @r"
    empty azure: error: the comment was not posted: [folder]/comment-empty-azure/comment.md is missing or empty
    empty github: error: the comment was not posted: [folder]/comment-empty-github/comment.md is missing or empty
    empty gitlab: error: the comment was not posted: [folder]/comment-empty-gitlab/comment.md is missing or empty
    foreign azure: error: the comment was not posted: [folder]/comment-foreign-azure/comment.md does not begin with the marker of a review
      tip: write it with `tfview review --format markdown`
    foreign github: error: the comment was not posted: [folder]/comment-foreign-github/comment.md does not begin with the marker of a review
      tip: write it with `tfview review --format markdown`
    foreign gitlab: error: the comment was not posted: [folder]/comment-foreign-gitlab/comment.md does not begin with the marker of a review
      tip: write it with `tfview review --format markdown`
    long azure: error: the comment was not posted: it has 1000071 bytes, azure takes 149000
      tip: write it with `--max-bytes azure`
    long github: error: the comment was not posted: it has 1000071 bytes, github takes 65000
      tip: write it with `--max-bytes github`
    long gitlab: error: the comment was not posted: it has 1000071 bytes, gitlab takes 999000
      tip: write it with `--max-bytes gitlab`
    ");
}

#[test]
fn a_refusal_is_an_error_that_says_what_is_missing() {
    let mut errors = String::new();
    for system in SYSTEMS {
        let mut refusing = answers(system, &[]);
        let why = "{\"message\":\"no\\n::error::right\"}";
        refusing.insert(0, ("POST", "/", "403 Forbidden", why.to_owned()));
        let server = Server::new(refusing);
        let output = post(&format!("comment-refused-{system}"), system, &server, BODY);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{system}");
        errors += &format!("{system}: {stderr}");
        assert!(
            !stderr.contains("\n::") && !stderr.contains(TOKEN),
            "{system}: {stderr}"
        );
        assert_eq!(server.written().len(), 1);
    }
    insta::assert_snapshot!(errors, @r#"
    github: error: the comment was not posted: github answers 403: no ::error::right
      tip: the job needs `permissions: pull-requests: write`
    gitlab: error: the comment was not posted: gitlab answers 403: no ::error::right
      tip: the token needs the scope `api`; the job token cannot write notes
    azure: error: the comment was not posted: azure answers 403: no ::error::right
      tip: the build service needs the permission "Contribute to pull requests"
    "#);
}

#[test]
fn a_limit_of_the_rate_is_waited_for_and_then_an_error() {
    let mut errors = String::new();
    for system in SYSTEMS {
        let mut limited = answers(system, &[]);
        limited.insert(
            0,
            (
                "POST",
                "/",
                "429 Too Many Requests\r\nRetry-After: 0",
                "{}".to_owned(),
            ),
        );
        let server = Server::new(limited);
        let output = post(&format!("comment-limited-{system}"), system, &server, BODY);
        assert_eq!(output.status.code(), Some(1), "{system}");
        errors += &format!("{system}: {}", text(&output.stderr));
        assert_eq!(server.written().len(), 4, "{system}");
    }
    insta::assert_snapshot!(errors, @r"
    github: error: the comment was not posted: github limits the rate of requests (429)
      tip: run the job again later
    gitlab: error: the comment was not posted: gitlab limits the rate of requests (429)
      tip: run the job again later
    azure: error: the comment was not posted: azure limits the rate of requests (429)
      tip: run the job again later
    ");
}
