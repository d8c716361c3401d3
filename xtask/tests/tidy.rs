//! Tests the structure of the code: which crate may use which, that every file is in a module, and
//! that lock files work on every machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A new dependency is a design decision: change this table and say why in `docs/design/`.
const ARROWS: &[(&str, &[&str])] = &[
    ("state", &[]),
    ("calls", &["state"]),
    ("functions", &["state", "calls"]),
    ("script", &["state", "functions"]),
    ("history", &["state", "calls", "functions"]),
    ("compat", &["state", "calls", "functions", "history"]),
    ("store", &["state", "history"]),
    ("wire", &["state"]),
    ("engine", &["state", "calls", "functions", "script", "history", "compat", "store", "wire"]),
    ("server", &["engine", "state", "wire"]),
    ("cli", &["engine", "server", "state", "compat", "wire"]),
    // Measure and attack the others, and do not ship: no other row may name them.
    ("bench", &["engine", "state", "functions", "compat", "wire"]),
    ("attack", &["bench", "engine", "state", "wire"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

/// Returns our own crates in the `[dependencies]` of a manifest.
fn uses(manifest: &str) -> BTreeSet<String> {
    let sections = manifest.split("\n[").find(|section| section.starts_with("dependencies]"));
    let lines = sections.unwrap_or_default().lines();
    lines
        .filter_map(|line| line.strip_prefix("storeyline-")?.split(['.', ' ', '=']).next().map(str::to_owned))
        .collect()
}

#[test]
fn arrows_between_crates_are_those_of_the_table() {
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let allowed = ARROWS.iter().find(|(own, _)| *own == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("crate `{name}` is not in the table"));
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap();
        for used in uses(&manifest) {
            assert!(allowed.contains(&used.as_str()), "`{name}` must not use `{used}`");
        }
        seen.insert(name);
    }
    assert_eq!(seen.len(), ARROWS.len(), "every crate of the table exists");
}

#[test]
fn the_reader_of_manifests_sees_dependencies() {
    let manifest = "[package]\nname = \"x\"\n\n[dependencies]\nstoreyline-state.workspace = true\nstoreyline-calls = { path = \"\" }\n\n[dev-dependencies]\nstoreyline-server.workspace = true\n";
    assert_eq!(uses(manifest).into_iter().collect::<Vec<_>>(), ["calls", "state"]);
}

/// Returns the names of the schemas in a file of `wire`: of types that derive them, and written by hand.
fn schema_names(text: &str) -> Vec<String> {
    let derived = text.split("ToSchema)]").skip(1).filter_map(|after| {
        let head = after.split('{').next().unwrap_or_default();
        let renamed = head.split("#[schema(as = ").nth(1).and_then(|rest| rest.split(')').next());
        let own = ["struct ", "enum "].iter().find_map(|word| head.split(word).nth(1));
        renamed.or(own).map(|name| name.trim().to_owned())
    });
    let by_hand = text.split("fn name() -> Cow<'static, str> {").skip(1).filter_map(|after| after.split('"').nth(1));
    derived.chain(by_hand.map(str::to_owned)).collect()
}

/// Of two types with one name, the API description has only one.
#[test]
fn every_schema_has_a_name_of_its_own() {
    let mut seen = BTreeSet::new();
    for path in rust_files(&root().join("crates/wire/src")) {
        for name in schema_names(&fs::read_to_string(&path).unwrap()) {
            assert!(seen.insert(name.clone()), "{}: there are two schemas `{name}`", path.display());
        }
    }
    assert!(seen.contains("StatePath") && seen.contains("Path") && seen.contains("SyncKeep"), "{seen:?}");
}

#[test]
fn every_file_is_in_a_module() {
    for krate in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let source = krate.path().join("src");
        for file in rust_files(&source) {
            let stem = file.file_stem().unwrap().to_str().unwrap();
            let folder = file.parent().unwrap();
            if folder == source && ["lib", "main"].contains(&stem) {
                continue;
            }
            let (name, home) = if stem == "mod" {
                (folder.file_name().unwrap().to_str().unwrap(), folder.parent().unwrap())
            } else {
                (stem, folder)
            };
            let parents = ["lib.rs", "main.rs", "mod.rs"].map(|parent| home.join(parent));
            let parents = parents.into_iter().chain([home.with_extension("rs")]);
            let declared = parents
                .filter_map(|parent| fs::read_to_string(parent).ok())
                .any(|text| text.contains(&format!("mod {name};")));
            assert!(declared, "{} is in no module", file.display());
        }
    }
}

#[test]
fn every_file_opens_with_what_it_is_for() {
    for file in rust_files(&root().join("crates")).into_iter().chain(rust_files(&root().join("xtask"))) {
        if file.components().any(|part| part.as_os_str() == "target") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//!"), "{} does not say what it is for", file.display());
    }
}

#[test]
fn pure_crates_read_no_clock_and_do_no_io() {
    for name in ["state", "calls", "functions", "history"] {
        for file in rust_files(&root().join("crates").join(name).join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            for word in ["std::fs", "std::net", "std::process", "std::env", "SystemTime", "Instant", "getrandom"] {
                assert!(!text.contains(word), "{} uses {word}", file.display());
            }
        }
    }
}

/// Returns the keys of every `optionalDependencies` in a lock file: builds for other platforms.
fn optional_packages(lock: &str) -> impl Iterator<Item = &str> {
    let blocks = lock.split("\"optionalDependencies\": {").skip(1);
    blocks.flat_map(|block| block.split('}').next().unwrap_or_default().split('"').skip(1).step_by(4))
}

#[test]
fn lock_files_fit_every_registry_and_platform() {
    for file in ["package-lock.json", "e2e/host/package-lock.json"] {
        let lock = fs::read_to_string(root().join(file)).unwrap();
        assert!(!lock.contains("\"resolved\": \"http"), "{file} names a registry");
        for name in optional_packages(&lock) {
            assert!(lock.contains(&format!("node_modules/{name}\": {{")), "{file} lacks `{name}`");
        }
    }
}

#[test]
fn the_reader_of_lock_files_sees_optional_packages() {
    let lock = r#""a": { "optionalDependencies": { "b": "1", "@c/d": "2" } }, "e": {}"#;
    assert_eq!(optional_packages(lock).collect::<Vec<_>>(), ["b", "@c/d"]);
}
