//! Generates random secrets: tokens, link codes, request ids.

/// Returns 128 random bits as text.
pub(crate) fn random_word() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
