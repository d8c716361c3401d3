//! Installs plugin and extension into the host, and removes them.

use std::fs;
use std::path::Path;

use storeyline_server::assets;

use super::{BINARY, Host, config_file};
use crate::failure::Failure;
use crate::files::write_file;
use crate::out::Context;

pub(super) fn install(context: &Context, host: &Host) -> Result<(), Failure> {
    if assets::EXTENSION.is_empty() {
        return Err(Failure::NotBuilt);
    }
    copy_assets(&host.extension, assets::EXTENSION)?;
    copy_assets(&host.plugin, assets::PLUGIN)?;
    copy_binary(&host.binary())?;
    let data = context.asked_data.as_ref().map(|data| std::path::absolute(data).unwrap_or_else(|_| data.clone()));
    let config = serde_json::json!({ "binary": BINARY, "data": data });
    write_file(&host.plugin.join("config.json"), config.to_string().as_bytes())?;
    let switched = switch_plugins_on(&host.config)?;
    if context.json {
        let done = serde_json::json!({ "extension": host.extension, "plugin": host.plugin, "config": host.config, "config_changed": switched, "data": context.data() });
        context.line(&done.to_string());
        return Ok(());
    }
    let message =
        |zh: &str, en: &str, path: &Path| context.line(&format!("✓ {} {}", context.words(zh, en), path.display()));
    message("扩展：", "extension:", &host.extension);
    message("插件：", "plugin:", &host.plugin);
    if switched {
        message("已打开服务器插件：", "server plugins switched on in", &host.config);
    }
    message("故事保存在：", "stories are kept in", &context.data());
    context.line(context.words("现在重新启动酒馆并刷新页面。", "Now restart SillyTavern and reload its page."));
    Ok(())
}

pub(super) fn uninstall(context: &Context, host: &Host) -> Result<(), Failure> {
    let mut removed = Vec::new();
    for folder in [&host.extension, &host.plugin] {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|source| Failure::file(folder, source))?;
            removed.push(folder);
        }
    }
    if context.json {
        context.line(&serde_json::json!({ "removed": removed, "data": context.data() }).to_string());
        return Ok(());
    }
    for folder in &removed {
        context.line(&format!("✓ {} {}", context.words("已移除", "removed"), folder.display()));
    }
    if removed.is_empty() {
        context.line(context.words("这里没有安装 Storeyline。", "Storeyline is not installed here."));
    }
    context.line(&format!("{} {}", context.words("故事仍在", "Stories are still in"), context.data().display()));
    Ok(())
}

/// Replaces the folder, so that files of an older version are removed.
fn copy_assets(folder: &Path, files: &[(&str, &[u8])]) -> Result<(), Failure> {
    for old in ["src", "tests", "chunks"] {
        let _ = fs::remove_dir_all(folder.join(old));
    }
    for (name, bytes) in files {
        write_file(&folder.join(name), bytes)?;
    }
    Ok(())
}

/// Copies this program to a temporary file and renames it, so that a running copy does not prevent
/// it.
fn copy_binary(to: &Path) -> Result<(), Failure> {
    let from = std::env::current_exe().map_err(|source| Failure::file(to, source))?;
    if fs::canonicalize(&from).ok() == fs::canonicalize(to).ok() && to.exists() {
        return Ok(());
    }
    let failed = |source| Failure::file(to, source);
    let folder = to.parent().expect("it lies in the plugin's folder");
    fs::create_dir_all(folder).map_err(failed)?;
    let beside = to.with_extension("new");
    fs::copy(&from, &beside).map_err(failed)?;
    if cfg!(windows) && to.exists() {
        // On Windows a running program cannot be replaced, but it can be renamed.
        let _ = fs::remove_file(to.with_extension("old"));
        fs::rename(to, to.with_extension("old")).map_err(failed)?;
    }
    fs::rename(&beside, to).map_err(failed)
}

fn switch_plugins_on(config: &Path) -> Result<bool, Failure> {
    let before = match fs::read_to_string(config) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(Failure::file(config, source)),
    };
    if config_file::plugins_on(&before) {
        return Ok(false);
    }
    write_file(config, config_file::switch_on(&before).as_bytes())?;
    Ok(true)
}
