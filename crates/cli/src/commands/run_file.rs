//! `run.json`: what a running engine writes about itself into the data folder.

use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

/// An engine that runs, or that was killed.
pub(crate) struct RunFile {
    /// Its address.
    pub(crate) url: String,
    /// Its process id.
    pub(crate) process: u32,
}

impl RunFile {
    /// Reads the file; `None` if there is none, or if it is invalid.
    pub(crate) fn read(data: &Path) -> Option<RunFile> {
        let text = std::fs::read_to_string(data.join("run.json")).ok()?;
        let value: serde_json::Value = serde_json::from_str(&text).ok()?;
        let process = u32::try_from(value.get("pid")?.as_u64()?).ok()?;
        Some(RunFile { url: value.get("url")?.as_str()?.to_owned(), process })
    }

    /// Tells whether something accepts connections at the address.
    pub(crate) fn answers(&self) -> bool {
        let address = self.url.strip_prefix("http://").and_then(|address| address.parse::<SocketAddr>().ok());
        address.is_some_and(|address| TcpStream::connect_timeout(&address, Duration::from_millis(500)).is_ok())
    }
}
