//! Checks an installation; each result comes with what to do.

use std::fs;
use std::path::Path;
use std::process::Command;

use storeyline_engine::private;
use storeyline_server::assets;

use super::{Host, config_file};
use crate::commands::disk;
use crate::failure::Failure;
use crate::out::Context;

/// The result of one check.
struct Check {
    good: bool,
    what: (&'static str, &'static str),
    /// What to do if it failed.
    then: (&'static str, &'static str),
}

const AGAIN: (&str, &str) = ("请再运行一次 install。", "Run install again.");

pub(super) fn run(context: &Context, host: &Host) -> Result<(), Failure> {
    let checks = [
        Check {
            good: same_files(&host.extension, assets::EXTENSION),
            what: ("扩展已安装且是这个版本", "the extension is installed and of this version"),
            then: AGAIN,
        },
        Check {
            good: same_files(&host.plugin, assets::PLUGIN),
            what: ("插件已安装且是这个版本", "the plugin is installed and of this version"),
            then: AGAIN,
        },
        Check {
            good: runs(&host.binary()), what: ("引擎程序可以运行", "the engine's program runs"), then: AGAIN
        },
        Check {
            good: fs::read_to_string(&host.config).is_ok_and(|text| config_file::plugins_on(&text)),
            what: ("酒馆的服务器插件已打开", "the host's server plugins are on"),
            then: ("请再运行一次 install，然后重新启动酒馆。", "Run install again, then restart SillyTavern."),
        },
        Check {
            good: private::create_folder(&context.data()).and_then(|()| disk::probe(&context.data())).is_ok(),
            what: ("数据文件夹可以写入", "the data folder can be written"),
            then: ("用 `--data` 指定另一个文件夹。", "Give another folder with `--data`."),
        },
    ];
    if context.json {
        let rows: Vec<_> =
            checks.iter().map(|check| serde_json::json!({ "good": check.good, "what": check.what.1 })).collect();
        context.line(&serde_json::json!({ "checks": rows }).to_string());
    } else {
        for check in &checks {
            context.line(&format!(
                "{} {}",
                if check.good { "✓" } else { "✕" },
                context.words(check.what.0, check.what.1)
            ));
            if !check.good {
                context.line(&format!("    {}", context.words(check.then.0, check.then.1)));
            }
        }
    }
    match checks.iter().filter(|check| !check.good).count() {
        0 => Ok(()),
        count => Err(Failure::Problems(count)),
    }
}

fn same_files(folder: &Path, files: &[(&str, &[u8])]) -> bool {
    !files.is_empty()
        && files.iter().all(|(name, bytes)| fs::read(folder.join(name)).is_ok_and(|found| found == *bytes))
}

fn runs(binary: &Path) -> bool {
    Command::new(binary).arg("--version").output().is_ok_and(|output| output.status.success())
}
