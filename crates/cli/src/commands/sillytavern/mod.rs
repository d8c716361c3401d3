//! `storeyline sillytavern install | uninstall | doctor`
//!
//! The plugin goes into `plugins/storeyline` with a copy of this binary, the extension into the
//! folder of extensions for all users. Stories stay in the data folder, whatever happens here.

mod config_file;
mod doctor;
mod install;

use std::path::PathBuf;

use crate::args::{HostArgs, HostFolder};
use crate::failure::Failure;
use crate::out::Context;

pub(crate) fn run(context: &Context, args: &HostArgs) -> Result<(), Failure> {
    match args {
        HostArgs::Install(folder) => install::install(context, &Host::find(folder)?),
        HostArgs::Uninstall(folder) => install::uninstall(context, &Host::find(folder)?),
        HostArgs::Doctor(folder) => doctor::run(context, &Host::find(folder)?),
    }
}

/// Our paths in a SillyTavern folder.
struct Host {
    config: PathBuf,
    plugin: PathBuf,
    /// A second plugin, for the routes of ST-VarSystem. The host loads plugins in the order of their names and
    /// refuses an id that is taken: it has to come after ST-VarSystem's own plugin, whatever that is called.
    second: PathBuf,
    extension: PathBuf,
}

impl Host {
    fn find(args: &HostFolder) -> Result<Host, Failure> {
        // Windows returns a form of path that its own programs do not show.
        let whole = if cfg!(windows) { std::path::absolute(&args.folder) } else { std::fs::canonicalize(&args.folder) };
        let folder = whole.unwrap_or_else(|_| args.folder.clone());
        let extensions = folder.join("public/scripts/extensions");
        if !folder.join("server.js").is_file() || !extensions.is_dir() {
            return Err(Failure::NotAHost(args.folder.clone()));
        }
        Ok(Host {
            config: args.config.clone().unwrap_or_else(|| folder.join("config.yaml")),
            plugin: folder.join("plugins/storeyline"),
            second: folder.join("plugins/zz-storeyline-var-manager.mjs"),
            extension: extensions.join("third-party/storeyline"),
        })
    }

    /// The copy of this binary that the plugin starts.
    fn binary(&self) -> PathBuf {
        self.plugin.join(BINARY)
    }
}

#[cfg(windows)]
const BINARY: &str = "bin/storeyline.exe";
#[cfg(not(windows))]
const BINARY: &str = "bin/storeyline";
