//! `run.json`: what a running engine writes about itself into the data folder.

use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

/// An engine that runs, or that was killed.
#[derive(Deserialize)]
pub(crate) struct RunFile {
    pub(crate) url: String,
    #[serde(rename = "pid")]
    pub(crate) process: u32,
}

impl RunFile {
    /// Reads the file; `None` if there is none, or if it is invalid.
    pub(crate) fn read(data: &Path) -> Option<RunFile> {
        serde_json::from_str(&std::fs::read_to_string(data.join("run.json")).ok()?).ok()
    }

    /// Tells whether something accepts connections at the address.
    pub(crate) fn answers(&self) -> bool {
        let address = self.url.strip_prefix("http://").and_then(|address| address.parse::<SocketAddr>().ok());
        address.is_some_and(|address| TcpStream::connect_timeout(&address, Duration::from_millis(500)).is_ok())
    }
}
