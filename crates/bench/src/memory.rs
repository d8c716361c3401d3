//! The memory of a process, where the system tells.

use std::fs;

/// Reads a field such as `VmRSS` of a process, in bytes, where the system tells.
pub fn memory(process: &str, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1_024)
}
