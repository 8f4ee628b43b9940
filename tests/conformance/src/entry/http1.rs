//! An HTTP/1.1 exchange over TCP that sends what it is given: no client normalises a path on the way.

use crate::Result;
use crate::exchange::{Reply, Request};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A server that says nothing for so long is taken for dead.
const PATIENCE: Duration = Duration::from_mins(1);

/// One exchange on a connection of its own.
pub(super) fn exchange(address: SocketAddr, request: &Request) -> Result<Reply> {
    let fail = |error: std::io::Error| format!("no answer: {error}");
    let mut stream = TcpStream::connect(address).map_err(fail)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(fail)?;
    stream.set_nodelay(true).map_err(fail)?;
    let sent = stream.write_all(&head(address, request)).and_then(|()| match &request.body {
        Some(body) => stream.write_all(body),
        None => Ok(()),
    });
    // A server may refuse a body that is too long before it has read it all: what counts is its answer.
    read(&mut BufReader::new(stream), &request.method).map_err(|error| match sent {
        Err(unsent) => format!("not sent ({unsent}), {error}"),
        Ok(()) => error,
    })
}

fn head(address: SocketAddr, request: &Request) -> Vec<u8> {
    let first = format!("{} {} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n", request.method, request.target);
    let length = request.body.as_ref().map(|body| format!("content-length: {}\r\n", body.len()));
    let headers = request.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
    let lines = std::iter::once(first).chain(headers).chain(length);
    lines.chain(std::iter::once("\r\n".to_owned())).collect::<String>().into_bytes()
}

fn read(stream: &mut impl BufRead, method: &str) -> Result<Reply> {
    let status_line = line(stream)?;
    let status = status_line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status: u16 = status.ok_or_else(|| format!("not an HTTP answer: {status_line:?}"))?;
    let mut headers = Vec::new();
    loop {
        let line = line(stream)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| format!("not a header: {line:?}"))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let value = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let body = if method == "HEAD" {
        rest(stream)?
    } else if value("transfer-encoding").is_some_and(|coding| coding == "chunked") {
        chunks(stream)?
    } else if let Some(length) = value("content-length") {
        exactly(stream, length.parse().map_err(|_| format!("Content-Length {length:?}"))?)?
    } else {
        rest(stream)?
    };
    Reply::new(status, headers, body)
}

fn line(stream: &mut impl BufRead) -> Result<String> {
    let mut line = Vec::new();
    stream.read_until(b'\n', &mut line).map_err(|error| format!("no answer: {error}"))?;
    if line.pop() != Some(b'\n') {
        return Err("the connection ended early".to_owned());
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

fn rest(stream: &mut impl Read) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    stream.read_to_end(&mut body).map_err(|error| format!("half an answer: {error}"))?;
    Ok(body)
}

fn exactly(stream: &mut impl Read, length: usize) -> Result<Vec<u8>> {
    let mut body = vec![0; length];
    stream.read_exact(&mut body).map_err(|error| format!("half an answer: {error}"))?;
    Ok(body)
}

fn chunks(stream: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(stream)?;
        let length = usize::from_str_radix(size.trim(), 16).map_err(|_| format!("not a chunk: {size:?}"))?;
        body.extend(exactly(stream, length)?);
        line(stream)?;
        if length == 0 {
            return Ok(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str) -> Result<Reply> {
        read(&mut text.as_bytes(), "GET")
    }

    #[test]
    fn bodies_by_length_and_in_chunks() {
        let by_length = answer("HTTP/1.1 404 Not Found\r\nA: b\r\nContent-Length: 2\r\n\r\nhi").unwrap();
        assert_eq!((by_length.status, by_length.text()), (404, "hi".to_owned()));
        assert_eq!(by_length.header("a"), ["b"]);
        let chunked =
            answer("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n").unwrap();
        assert_eq!(chunked.text(), "hi!");
        for broken in ["", "HTTP/1.1 200", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi"] {
            assert!(answer(broken).is_err(), "{broken}");
        }
    }
}
