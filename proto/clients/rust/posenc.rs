// SPDX-License-Identifier: Apache-2.0
//! posenc.rs - a client of posencd to copy: tables, rotated vectors and pictures as Rust
//! vectors, by the standard library alone.
//!
//!     rustc posenc.rs && POSENC_URL=http://localhost:8080 ./posenc
//!     ./posenc '/v1/rope?dim=8&pos=0:4&out=cos'      prints the numbers of any such URL

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;
use std::{env, fs, process};

const ATTEMPTS: usize = 4;
const PATIENCE: Duration = Duration::from_secs(30);

/// Sends GET, or POST where there is a body; returns the head in lower case and the content.
/// HTTP/1.0, so that the answer ends where the connection does; https needs a crate.
fn send(target: &str, kind: &str, body: &[u8]) -> Result<(String, Vec<u8>)> {
    let base = env::var("POSENC_URL").unwrap_or_else(|_| "http://localhost:8080".to_string());
    let host = base.trim_start_matches("http://").trim_end_matches('/');
    let method = if body.is_empty() { "GET" } else { "POST" };
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "{method} {target} HTTP/1.0\r\nHost: {host}\r\n")?;
    if !body.is_empty() {
        write!(stream, "Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len())?;
    }
    stream.write_all(&[b"\r\n", body].concat())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let head_end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or(0) + 4;
    let content = answer.split_off(head_end.min(answer.len()));
    Ok((String::from_utf8_lossy(&answer).to_lowercase(), content))
}

/// The content of an answer of status 200, for which an overloaded service is asked again after
/// the time that it asks for. Another answer is an error with the service's problem.
fn ask(target: &str, kind: &str, body: &[u8]) -> Result<Vec<u8>> {
    for left in (0..ATTEMPTS).rev() {
        let (head, content) = send(target, kind, body)?;
        let field = |name| head.split(name).nth(1)?.split('\r').next()?.trim().parse().ok();
        let wait = Duration::from_secs(field("\nretry-after:").unwrap_or(0));
        if head.starts_with("http/1.1 503") && left > 0 && wait <= PATIENCE {
            sleep(wait);
        } else if field("\ncontent-length:").map_or(false, |len| len != content.len() as u64) {
            return Err(Error::new(ErrorKind::UnexpectedEof, "the answer is not complete"));
        } else if head.starts_with("http/1.1 200") {
            return Ok(content);
        } else {
            return Err(Error::new(ErrorKind::Other, String::from_utf8_lossy(&content)));
        }
    }
    unreachable!("the last attempt returns")
}

/// A tensor of float32, which format=raw answers in little-endian bytes and C order.
fn numbers(target: &str, body: &[u8]) -> Result<Vec<f32>> {
    let target = format!("{target}&dtype=f32&format=raw");
    let content = ask(&target, "application/octet-stream", body)?;
    Ok(content.chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

/// Rows of width dim, turned by their positions.
fn rotate(rows: &[f32], dim: usize) -> Result<Vec<f32>> {
    let body: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
    let count = rows.len() / dim;
    let query = format!("pos=0:{count}&shape={count},{dim}&in_dtype=f32");
    numbers(&format!("/v1/rope/apply?{query}"), &body)
}

fn show(name: &str, table: &[f32]) {
    println!("{name} {}", table.iter().map(f32::to_string).collect::<Vec<_>>().join(" "));
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
    let model = String::from_utf8_lossy(&model); // the first URL of its first use:
    let url = model.split('"').find(|text| text.starts_with("/v1/")).unwrap_or_default();
    show("config", &numbers(&format!("{url}&out=cos"), &[])?);
    Ok(())
}

fn main() {
    run().unwrap_or_else(|why| {
        eprintln!("posenc: {why}");
        process::exit(1)
    });
}
