//! A web server that turns an uploaded plan or state into a page.
//!
//! `cargo run --example upload -- 127.0.0.1:8080`, then `curl --data-binary @tfplan http://127.0.0.1:8080`
//!
//! It speaks just enough HTTP to be tried: `respond` is what the handler of a web framework would call.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use tfview::{Format, Plan, Review, ReviewOptions, Schemas, State, TextOptions};

/// The largest upload, in bytes.
const MAX_LEN: u64 = 64 << 20;

/// Returns the page of a plan (JSON or saved), or the text of a state.
pub(crate) fn respond(upload: Vec<u8>, schemas: &Schemas) -> Result<Vec<u8>, tfview::Error> {
    let mut page = Vec::new();
    match Plan::from_bytes(upload.clone(), schemas) {
        Ok(plan) => Review::new(&plan, ReviewOptions::default())?.write(Format::Html, &mut page)?,
        Err(error) => {
            let state = State::from_bytes(upload, schemas).map_err(|_| error)?;
            state.write_text(Format::Html, &TextOptions::default(), &mut page)?;
        }
    }
    Ok(page)
}

/// Reads a request and writes the response.
pub(crate) fn handle(
    request: impl Read,
    mut response: impl Write,
    schemas: &Schemas,
) -> Result<(), Box<dyn Error>> {
    let mut request = BufReader::new(request);
    let mut length = 0;
    loop {
        let mut line = String::new();
        request.by_ref().take(8 << 10).read_line(&mut line)?;
        match line.trim_end().to_ascii_lowercase().split_once(": ") {
            Some(("content-length", value)) => length = value.parse::<u64>()?.min(MAX_LEN),
            Some(_) => {}
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let mut upload = Vec::new();
    request.take(length).read_to_end(&mut upload)?;
    let (status, kind, body) = match respond(upload, schemas) {
        Ok(page) => ("200 OK", "text/html", page),
        // The error may quote names from the upload: as plain text, a browser runs nothing in it.
        Err(error) => (
            "400 Bad Request",
            "text/plain",
            error.to_string().into_bytes(),
        ),
    };
    write!(
        response,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}; charset=utf-8\r\nx-content-type-options: nosniff\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    )?;
    Ok(response.write_all(&body)?)
}

/// Answers each connection, one after the other.
fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).ok_or("usage: upload ADDRESS")?;
    let listener = TcpListener::bind(address)?;
    writeln!(
        io::stdout(),
        "listening on http://{}",
        listener.local_addr()?
    )?;
    let schemas = Schemas::new(); // read once, and shared by all requests
    for connection in listener.incoming() {
        let connection = connection?;
        if let Err(error) = handle(&connection, &connection, &schemas) {
            writeln!(io::stderr(), "{error}")?;
        }
    }
    Ok(())
}
