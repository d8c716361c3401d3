//! `cargo xtask attack [NAME…]`: tries attacks on the program and prints what each wanted and whether it got it.

use std::process::ExitCode;

use storeyline_attack::attacks::ALL;
use storeyline_attack::{Attack, Outcome};

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = names.iter().find(|name| !ALL.iter().any(|attack| attack.name == **name)) {
        let known: Vec<&str> = ALL.iter().map(|attack| attack.name).collect();
        eprintln!("there is no attack `{unknown}`; attacks are: {}", known.join(" "));
        return ExitCode::FAILURE;
    }
    let chosen = ALL.iter().filter(|attack| names.is_empty() || names.iter().any(|name| attack.name == *name));
    let failed = chosen.filter(|attack| !attempt(attack)).count();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tries one attack beside the program that was built with this one; tells whether it held.
fn attempt(attack: &Attack) -> bool {
    let program = std::env::current_exe()
        .unwrap_or_default()
        .with_file_name(format!("storeyline{}", std::env::consts::EXE_SUFFIX));
    println!("{}: wants {}", attack.name, attack.wants);
    match attack.attempt(&program) {
        Ok(outcome) => {
            println!("    {outcome}");
            matches!(outcome, Outcome::Held(_))
        }
        Err(error) => {
            println!("    could not be tried: {error}");
            false
        }
    }
}
