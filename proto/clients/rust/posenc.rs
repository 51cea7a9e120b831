// SPDX-License-Identifier: Apache-2.0
//! posenc.rs - a client of posencd to copy: tables, rotated vectors and pictures as Rust
//! vectors, by the standard library alone.
//!
//!     rustc posenc.rs && POSENC_URL=http://localhost:8080 ./posenc
//!     ./posenc '/v1/rope?dim=8&pos=0:4&out=cos'      prints the numbers of any such URL

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::Duration;
use std::{env, fs, process};

/// Sends GET, or POST where there is a body. An answer that is no success is an error with the
/// service's sentence. HTTP/1.0, so that the answer ends where the connection does.
fn ask(target: &str, kind: &str, body: &[u8]) -> Result<Vec<u8>> {
    let base = env::var("POSENC_URL").unwrap_or_else(|_| "http://localhost:8080".to_string());
    let host = base.trim_start_matches("http://").trim_end_matches('/');
    let method = if body.is_empty() { "GET" } else { "POST" };
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    write!(stream, "{method} {target} HTTP/1.0\r\nHost: {host}\r\n")?;
    if !body.is_empty() {
        write!(stream, "Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len())?;
    }
    stream.write_all(b"\r\n")?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let head_end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or(0) + 4;
    let content = answer.split_off(head_end.min(answer.len()));
    let head = String::from_utf8_lossy(&answer).to_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split('\r').next());
    if length.map_or(false, |text| text != content.len().to_string()) {
        return Err(Error::new(ErrorKind::UnexpectedEof, "the answer is not complete"));
    }
    if !head.starts_with("http/1.1 200") {
        return Err(Error::new(ErrorKind::Other, String::from_utf8_lossy(&content)));
    }
    Ok(content)
}

/// The text behind a mark in JSON, up to its quotation mark.
fn member<'a>(json: &'a str, mark: &str) -> &'a str {
    let begin = json.find(mark).map_or(0, |at| at + mark.len());
    json[begin..].split('"').next().unwrap_or(json)
}

/// A tensor of float32, which format=raw answers in little-endian bytes and C order.
fn numbers(target: &str, body: &[u8]) -> Result<Vec<f32>> {
    let target = format!("{target}&dtype=f32&format=raw");
    let content = ask(&target, "application/octet-stream", body)?;
    let number = |c: &[u8]| f32::from_le_bytes([c[0], c[1], c[2], c[3]]);
    Ok(content.chunks_exact(4).map(number).collect())
}

/// Rows of width dim, turned by their positions.
fn rotate(rows: &[f32], dim: usize) -> Result<Vec<f32>> {
    let body: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
    let count = rows.len() / dim;
    let query = format!("pos=0:{count}&shape={count},{dim}&in_dtype=f32");
    numbers(&format!("/v1/rope/apply?{query}"), &body)
}

fn show(name: &str, table: &[f32]) {
    let text: Vec<String> = table.iter().map(|number| number.to_string()).collect();
    println!("{name} {}", text.join(" "));
}

fn run() -> Result<()> {
    if let Some(target) = env::args().nth(1) {
        show("numbers", &numbers(&target, &[])?);
        return Ok(());
    }
    show("row", &numbers("/v1/sinusoidal?dim=8&pos=3", &[])?);
    show("table", &numbers("/v1/rope?dim=8&pos=0:4&out=cos", &[])?);
    show("q", &rotate(&[1., 2., 3., 4., 5., 6., 7., 8.], 4)?);
    show("k", &rotate(&[1., 0., 0., 1., 0., 1., 1., 0.], 4)?);
    fs::write("alibi.png", ask("/v1/alibi?heads=8&len=64&format=png", "", &[])?)?;
    let config = br#"{"model_type":"llama","head_dim":8,"rope_theta":500000}"#;
    let model = ask("/v1/models/resolve", "application/json", config)?;
    let model = String::from_utf8_lossy(&model).to_string();
    let url = member(&model, "\"urls\":[\"");
    show("config", &numbers(&format!("{url}&out=cos"), &[])?);
    Ok(())
}

fn main() {
    if let Err(why) = run() {
        eprintln!("posenc: {why}");
        process::exit(1);
    }
}
