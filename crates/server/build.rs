//! Embeds the built web UI, the host extension and the host plugin, if they were built.
//!
//! A plain `cargo build` without Node works too: then the lists are empty and the page says so.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let mut code = String::new();
    embed(&mut code, "WEB", &root.join("web/dist"));
    embed(&mut code, "EXTENSION", &root.join("integrations/sillytavern/extension/dist"));
    embed(&mut code, "PLUGIN", &root.join("integrations/sillytavern/plugin"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("assets.rs");
    fs::write(out, code).expect("cargo's folder can be written");
}

fn embed(code: &mut String, name: &str, folder: &Path) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(folder, folder, &mut files);
    files.sort();
    writeln!(code, "/// Files of `{name}`.\npub const {name}: &[(&str, &[u8])] = &[").expect("a String takes all");
    for (relative, path) in files {
        println!("cargo:rerun-if-changed={}", path.display());
        writeln!(code, "    ({relative:?}, include_bytes!({:?})),", path.display().to_string())
            .expect("a String takes all");
    }
    code.push_str("];\n");
}

fn collect(base: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if name != "node_modules" && name != "tests" {
                collect(base, &path, files);
            }
        } else if !name.ends_with(".test.mjs") && !name.ends_with(".map") {
            let relative = path.strip_prefix(base).expect("it lies below").to_string_lossy().replace('\\', "/");
            files.push((relative, path.canonicalize().expect("it exists")));
        }
    }
}
