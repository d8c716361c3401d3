//! One connection that stays open, for measuring: no more of HTTP than our server answers with.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

/// An open connection to an engine.
pub struct Connection {
    stream: BufReader<TcpStream>,
    head: String,
}

impl Connection {
    /// Connects to `http://…`, with a token, as an owner.
    pub fn open(url: &str, token: &str, owner: &str) -> io::Result<Connection> {
        let address = url.trim_start_matches("http://");
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let head = format!(
            "Host: {address}\r\nAuthorization: Bearer {token}\r\nX-Storeyline-Owner: {owner}\r\nX-Storeyline: 1\r\nContent-Type: application/json\r\n"
        );
        Ok(Connection { stream: BufReader::new(stream), head })
    }

    /// Asks and returns status and body.
    pub fn ask(&mut self, method: &str, path: &str, body: &str) -> io::Result<(u16, String)> {
        let request = format!("{method} {path} HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n{body}", self.head, body.len());
        self.stream.get_mut().write_all(request.as_bytes())?;
        let odd = || io::Error::from(io::ErrorKind::InvalidData);
        let (mut status, mut length) = (None, 0);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
            match line.trim_end().split_once(": ") {
                _ if status.is_none() => status = line.split(' ').nth(1).and_then(|status| status.parse().ok()),
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.parse().map_err(|_| odd())?;
                }
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((status.ok_or_else(odd)?, String::from_utf8(body).map_err(|_| odd())?))
    }
}

/// Returns the body of an answer that is no refusal.
pub fn expect((status, body): (u16, String)) -> io::Result<String> {
    if status == 200 { Ok(body) } else { Err(io::Error::other(body)) }
}
