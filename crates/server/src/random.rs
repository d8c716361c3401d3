//! Generates texts that nobody can guess: access tokens, codes in links that sign a browser in, ids of requests.

/// Returns 128 random bits as 32 hexadecimal digits.
pub(crate) fn random_hex() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
