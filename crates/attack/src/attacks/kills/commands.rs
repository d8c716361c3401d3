//! Kills each writing command: what it changes is there as a whole or not at all, and there if the command said so.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::fingerprint::{self, Fingerprint};
use super::{Seen, Share};
use crate::attacks::maintenance::{Random, is_sound, verify};
use crate::{Done, Target};

/// A command that writes. `{…}` in arguments is a file: `{out}` is one that the command writes, the others are there.
pub(super) struct Writer {
    name: &'static str,
    /// What is done before, without a kill.
    before: &'static [&'static [&'static str]],
    args: &'static [&'static str],
    leaves: Leaves,
}

/// What a kill may leave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// Everything before the command, or everything after it.
    Whole,
    /// Some of the parts: several chats, or rows that nobody needs. Running it again does the rest.
    Parts,
}

const fn writer(name: &'static str, args: &'static [&'static str]) -> Writer {
    Writer { name, before: &[], args, leaves: Leaves::Whole }
}

const fn after(
    name: &'static str,
    before: &'static [&'static [&'static str]],
    args: &'static [&'static str],
) -> Writer {
    Writer { name, before, args, leaves: Leaves::Whole }
}

const fn in_parts(name: &'static str, args: &'static [&'static str]) -> Writer {
    Writer { name, before: &[], args, leaves: Leaves::Parts }
}

pub(super) static ALL: &[Writer] = &[
    writer("append", &["append", "s", "--role", "assistant", "--text", "x @.ADD(\"n\", 1);"]),
    writer("import-chat", &["import", "{chat}"]),
    writer("edit", &["edit", "s", "--floor", "2", "--text", "another @.SET(\"n\", 40);"]),
    writer("insert", &["append", "s", "--role", "user", "--name", "U", "--text", "y", "--at", "2"]),
    writer("alternative", &["alternative", "s", "--floor", "3", "--text", "z @.SET(\"n\", 9);"]),
    writer("swipe", &["swipe", "s", "--floor", "0", "--number", "2"]),
    writer("delete", &["delete", "s", "--floor", "1"]),
    writer("delete-below", &["delete", "s", "--floor", "2", "--and-below"]),
    writer("move", &["move", "s", "3", "1"]),
    writer("hide", &["hide", "s", "1"]),
    writer("set", &["set", "s", "n", "5", "--floor", "1"]),
    writer("override", &["override", "s", "--floor", "2", "--state", "{state}"]),
    after(
        "override-clear",
        &[&["override", "s", "--floor", "2", "--state", "{state}"]],
        &["override", "s", "--floor", "2", "--clear"],
    ),
    writer("branch-create", &["branch", "create", "s", "--floor", "1", "--name", "new", "--switch"]),
    writer("branch-switch", &["branch", "switch", "s@side"]),
    writer("branch-rename", &["branch", "rename", "s@side", "other", "--note", "n", "--colour", "red"]),
    writer("branch-delete", &["branch", "delete", "s@side"]),
    after("branch-restore", &[&["branch", "delete", "s@side"]], &["branch", "restore", "s@side"]),
    writer("branch-graft", &["branch", "graft", "s", "side", "2", "1", "1"]),
    writer("branch-merge", &["branch", "merge", "s", "side", "--prefer", "theirs"]),
    writer("tag-create", &["tag", "create", "s", "new", "--note", "n"]),
    writer("tag-delete", &["tag", "delete", "s@mark"]),
    writer("undo", &["undo", "s"]),
    after("redo", &[&["undo", "s"]], &["redo", "s"]),
    after("reprocess", &[&["rules", "s", "set", "--template", "{state}"]], &["reprocess", "s", "--from", "0"]),
    writer("settings", &["settings", "s", "--edit-policy", "manual"]),
    writer("rules", &["rules", "s", "set", "--user-calls", "on"]),
    writer("template-set", &["template", "set", "A", "{state}"]),
    writer("snapshot-save", &["snapshot", "save", "s", "--name", "new"]),
    writer("snapshot-delete", &["snapshot", "delete", "kept"]),
    writer("snapshot-to-template", &["snapshot", "to-template", "kept", "A"]),
    in_parts("import-folder", &["import", "{chats}"]),
    writer("import-archive", &["import", "{archive}"]),
    writer("import-copy", &["import", "{own-archive}", "--copy"]),
    writer("export", &["export", "s", "{out}"]),
    writer("archive", &["archive", "s", "{out}"]),
    writer("backup", &["backup", "{out}"]),
    writer("restore", &["restore", "{backup}"]),
    in_parts("gc", &["gc", "--undo-days", "0", "--trash-days", "0"]),
    writer("verify-repair", &["verify", "--repair"]),
    writer("search-on", &["search", "on"]),
    after("search-off", &[&["search", "on"]], &["search", "off"]),
    writer("functions-import", &["functions", "import", "{library}"]),
    after("functions-enable", &[&["functions", "import", "{library}"]], &["functions", "enable", "HEAL"]),
    after("functions-export", &[&["functions", "import", "{library}"]], &["functions", "export", "{out}"]),
];

const CHAT: &str = r#"{"user_name":"U","character_name":"A","create_date":"2026-01-01","chat_metadata":{}}
{"name":"A","is_user":false,"mes":"NAME @.SET(\"n\", 0);","swipes":["NAME @.SET(\"n\", 0);","b @.SET(\"n\", 7);"],"swipe_id":0}
{"name":"U","is_user":true,"mes":"NAME: hi"}
{"name":"A","is_user":false,"mes":"x @.ADD(\"n\", 1);"}
{"name":"A","is_user":false,"mes":"y @.SET(\"m\", [1, 2]);"}
"#;

const LIBRARY: &str =
    r#"{"version":"1.0","functions":[{"name":"HEAL","type":"active","enabled":true,"executor":"vars.n = 1"}]}"#;

/// A story with two branches, a tag, things to undo and things in the trash.
const BASE: &[&[&str]] = &[
    &["import", "{s}"],
    &["branch", "create", "s", "--floor", "1", "--name", "side"],
    &["append", "s@side", "--role", "assistant", "--text", "side @.SET(\"n\", 70);"],
    &["tag", "create", "s", "mark"],
    &["branch", "create", "s", "--name", "old"],
    &["branch", "delete", "s@old"],
    &["snapshot", "save", "s", "--name", "kept"],
    &["template", "set", "A", "{state}"],
    &["backup", "{backup}"],
    &["set", "s", "k", "4"],
    &["archive", "s", "{own-archive}"],
];

/// The program and the files of all runs.
struct Runs<'a> {
    program: &'a Path,
    folder: PathBuf,
}

/// A command with all that must be known before it is killed.
struct Known<'a> {
    writer: &'a Writer,
    data: PathBuf,
    before: Fingerprint,
    after: Fingerprint,
    /// What it writes, where that is the same every time.
    written: Option<Vec<u8>>,
    time: Duration,
}

pub(super) fn kill(target: &Target, share: &Share, random: &mut Random, seen: &mut Seen) -> Done {
    let runs = Runs { program: &target.program, folder: target.folder.path().join("commands") };
    runs.prepare()?;
    for writer in share.commands {
        let known = runs.learn(writer)?;
        let (mut kills, mut number) = (0, 0);
        // A command may end before its moment; then its effect must be there.
        while kills < share.per_command && number < 10 * share.per_command {
            number += 1;
            let part = 200 + random.next(900) as u32;
            let is_done = runs.run_and_kill(&known, known.time * part / 1_000, seen)?;
            kills += usize::from(!is_done);
        }
    }
    Ok(())
}

impl Runs<'_> {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn command(&self, data: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.arg("--data").arg(data).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        for arg in args {
            match arg.strip_prefix('{').and_then(|arg| arg.strip_suffix('}')) {
                Some(name) => command.arg(self.file(name)),
                None => command.arg(arg),
            };
        }
        command
    }

    fn run(&self, data: &Path, args: &[&str]) -> Done {
        let output = self.command(data, args).output()?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!("{args:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }

    /// Writes all files, and the database that every run begins with.
    fn prepare(&self) -> Done {
        fs::create_dir_all(self.file("chats"))?;
        for number in 0..6 {
            let name = format!("chats/c{number}.jsonl");
            fs::write(self.file(&name), CHAT.replace("NAME", &name))?;
        }
        let many = r#"{"name":"A","is_user":false,"mes":"y @.ADD(\"n\", 1);"}"#.to_owned() + "\n";
        let files = [("s", CHAT.to_owned()), ("chat", CHAT.replace("NAME", "long") + &many.repeat(60))];
        for (name, text) in files.into_iter().chain([("state", r#"{"n":3}"#.into()), ("library", LIBRARY.into())]) {
            fs::write(self.file(name), text)?;
        }
        let elsewhere = self.file("elsewhere");
        self.run(&elsewhere, &["import", "{chat}"])?;
        self.run(&elsewhere, &["archive", "chat", "{archive}"])?;
        BASE.iter().try_for_each(|args| self.run(&self.file("base"), args))
    }

    /// Runs a command to its end.
    fn learn<'a>(&self, writer: &'a Writer) -> Done<Known<'a>> {
        let (data, ended) = (self.file("before"), self.file("ended"));
        copy(&self.file("base"), &data)?;
        writer.before.iter().try_for_each(|args| self.run(&data, args))?;
        copy(&data, &ended)?;
        let begun = Instant::now();
        self.run(&ended, writer.args)?;
        let time = begun.elapsed();
        let before = fingerprint::read(self.program, &data)?;
        let after = fingerprint::read(self.program, &ended)?;
        let written = self.take_out()?.filter(|_| writer.name != "backup");
        Ok(Known { writer, data, before, after, written, time })
    }

    /// Reads and deletes what a command wrote.
    fn take_out(&self) -> Done<Option<Vec<u8>>> {
        let out = self.file("out");
        let bytes = out.exists().then(|| fs::read(&out)).transpose()?;
        for entry in fs::read_dir(&self.folder)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with("out") {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(bytes)
    }

    /// Kills a command after a time, if it has not ended by then, and checks what is there; tells whether it ended.
    fn run_and_kill(&self, known: &Known<'_>, time: Duration, seen: &mut Seen) -> Done<bool> {
        let data = self.file("data");
        copy(&known.data, &data)?;
        let mut child = self.command(&data, known.writer.args).spawn()?;
        thread::sleep(time);
        child.kill()?;
        let is_done = child.wait()?.success();
        let name = known.writer.name;
        let count = seen.counts.entry(name).or_default();
        count.runs += 1;
        count.kills += usize::from(!is_done);
        count.acknowledged += usize::from(is_done);
        let words = self.check(known, &data, is_done);
        if let Err(words) = words {
            seen.wrong.push(format!("{name}, after {time:.1?}, acknowledged {is_done}: {words}"));
        }
        Ok(is_done)
    }

    fn check(&self, known: &Known<'_>, data: &Path, is_done: bool) -> Done {
        self.check_out(known, is_done)?;
        let problems = verify(self.program, data, false)?;
        let found = fingerprint::read(self.program, data)?;
        let Known { before, after, .. } = known;
        let is_right = match known.writer.leaves {
            _ if is_done => found == *after,
            Leaves::Whole => found == *before || found == *after,
            Leaves::Parts => {
                before.intersection(after).all(|item| found.contains(item))
                    && found.iter().all(|item| before.contains(item) || after.contains(item))
            }
        };
        if !problems.is_empty() || !is_right {
            return Err(format!("verify: {problems:?}; {}", odd_lines(&found, before, after)).into());
        }
        if known.writer.leaves == Leaves::Parts {
            self.run(data, known.writer.args)?;
            if fingerprint::read(self.program, data)? != *after {
                return Err("running it again does not complete it".into());
            }
        }
        Ok(())
    }

    /// What is written under its final name is whole.
    fn check_out(&self, known: &Known<'_>, is_done: bool) -> Done {
        let is_sound = !self.file("out").exists() || known.writer.name != "backup" || is_sound(&self.file("out"));
        let out = self.take_out()?;
        let is_missing = is_done && out.is_none() && known.writer.args.contains(&"{out}");
        let is_other = known.written.is_some() && out.is_some() && out != known.written;
        match is_sound && !is_missing && !is_other {
            true => Ok(()),
            false => Err("the file that it writes is missing or not whole".into()),
        }
    }
}

/// Returns lines that stand neither before nor after.
fn odd_lines(found: &Fingerprint, before: &Fingerprint, after: &Fingerprint) -> String {
    let known: BTreeSet<&str> = before.iter().chain(after).flat_map(|item| item.lines()).collect();
    let odd: Vec<&str> = found.iter().flat_map(|item| item.lines()).filter(|line| !known.contains(line)).collect();
    format!("neither before nor after: {}", odd.join("\n"))
}

/// Copies a data folder; what was there before goes.
fn copy(from: &Path, to: &Path) -> Done {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
