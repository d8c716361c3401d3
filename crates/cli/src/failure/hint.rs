//! Hints what to do next, in both languages.

use std::io;

use storeyline_compat::ChatFileError;
use storeyline_compat::card::CardError;
use storeyline_compat::file_kind::FileKind;
use storeyline_compat::world_book::WorldBookError;
use storeyline_engine::{DiskTrouble, EditError, EngineError, RefKind, StoreError};
use storeyline_server::ServeError;

use super::Failure;

/// A sentence in Chinese and in English.
pub(crate) type Hint = (&'static str, &'static str);

/// What to do with a damaged database.
pub(crate) const DAMAGED: Hint = (
    "先复制一份数据文件夹，再用 `storeyline restore` 恢复备份，或试 `storeyline verify --repair`。",
    "Copy the data folder first; then bring a backup back with `storeyline restore`, or try `storeyline verify --repair`.",
);

pub(super) fn of(failure: &Failure) -> Option<Hint> {
    Some(match failure {
        Failure::Import { source: EngineError::ChatElsewhere { .. }, .. } => (
            "这个聊天已经属于另一个故事。不带 `--into` 再试；没有写入任何东西。",
            "The chat belongs to another story already. Try again without `--into`; nothing was written.",
        ),
        Failure::Import { source: EngineError::Foreign(_), .. } => (
            "请用 `--varsystem-db` 给出插件的 SQLite 文件；没有写入任何东西。",
            "Give the plugin's SQLite file with `--varsystem-db`; nothing was written.",
        ),
        Failure::Import { source: EngineError::History(_), .. } => (
            "请给出聊天文件（.jsonl）或聊天历史（JSON，含 `branches`）；没有写入任何东西。",
            "Give a chat file (.jsonl) or a chat history (JSON with `branches`); nothing was written.",
        ),
        Failure::NoChats(_) => (
            "请给出一个角色或群组的聊天文件夹，里面有 .jsonl 文件，例如 data/default-user/chats/角色名。",
            "Give the chat folder of one character or group, with .jsonl files in it, such as data/default-user/chats/NAME.",
        ),
        Failure::BrokenFiles(_) => (
            "其余文件已经导入。请从酒馆的 backups 文件夹取回这些文件，然后再导入一次。",
            "The others are stored. Take these from the host's backups folder, and import once more.",
        ),
        Failure::Import { source: EngineError::ChatFile(ChatFileError::Line { .. }), .. }
        | Failure::Engine(EngineError::ChatFile(ChatFileError::Line { .. })) => (
            "文件可能没有写完。请从酒馆的 backups 文件夹取一份备份再试；没有写入任何东西。",
            "The file may have been cut off. Take a copy from the host's backups folder and try again; nothing was written.",
        ),
        Failure::Import { source: EngineError::ChatFile(_), .. } | Failure::Engine(EngineError::ChatFile(_)) => (
            "请给出酒馆的聊天文件（.jsonl）；没有写入任何东西。",
            "Give a SillyTavern chat file (.jsonl); nothing was written.",
        ),
        Failure::Incomplete(_)
        | Failure::Import { source: EngineError::Store(StoreError::Incomplete(_)), .. }
        | Failure::Engine(EngineError::Store(StoreError::Incomplete(_))) => (
            "有函数没有在限时内算完，没有写入任何东西。请重试；如果总是这样，请停用该函数。",
            "A function did not end in time; nothing was written. Try again; if it always happens, switch that function off.",
        ),
        Failure::Engine(EngineError::Store(error)) | Failure::Import { source: EngineError::Store(error), .. } => {
            return Some(of_store(error));
        }
        Failure::Engine(error) | Failure::Import { source: error, .. } => return of_engine(error),
        Failure::Serve(ServeError::Port { .. }) => ("用 `--port 0` 取一个空闲端口。", "`--port 0` takes a free port."),
        Failure::Serve(ServeError::Data { .. }) => {
            ("用 `--data` 指定一个可写的文件夹。", "Give a folder that can be written with `--data`.")
        }
        Failure::Card { source: CardError::NotACard { kind: FileKind::WorldBook }, .. } => {
            ("世界书请用 `--world-book` 给出。", "Give a world book with `--world-book`.")
        }
        Failure::WorldBook { source: WorldBookError::NotAWorldBook { kind: FileKind::Card }, .. } => (
            "角色卡请用 `--card` 给出，它里面的世界书会一起读取。",
            "Give a card with `--card`; the world book inside it is read too.",
        ),
        Failure::WorldBook { source: WorldBookError::Json(_), .. } => (
            "文件可能没有写完，请在酒馆里重新导出世界书。",
            "The file may have been cut off. Export the world book from the host again.",
        ),
        Failure::WorldBook { .. } => (
            "请给出酒馆导出的世界书（JSON）；NovelAI、Agnai 和 Risu 的也可以。",
            "Give a world book as SillyTavern exports it (JSON); those of NovelAI, Agnai and Risu are read too.",
        ),
        Failure::Card { .. } => ("请给出 PNG 或 JSON 角色卡。", "Give a character card as PNG or JSON."),
        Failure::Json { .. } => ("请给出 JSON 文件。", "Give a JSON file."),
        Failure::NoProfile(_) => (
            "可用的有：native、mvu、sam-3.5、sam-4.0、sam-4.2、sam-5、sam-6、varsystem。",
            "There are: native, mvu, sam-3.5, sam-4.0, sam-4.2, sam-5, sam-6, varsystem.",
        ),
        Failure::Case { .. } => (
            "每行应是一个案例：id、peer 或 dialect、template、message。",
            "Each line is one case: id, peer or dialect, template, message.",
        ),
        Failure::NoFunction(_) => ("用 `storeyline functions list` 查看。", "`storeyline functions list` shows them."),
        Failure::Schema { .. } => (
            "可用的词：type、default、enum、minimum、maximum、readOnly、properties、items、additionalProperties。",
            "Known words: type, default, enum, minimum, maximum, readOnly, properties, items, additionalProperties.",
        ),
        Failure::NoStory(_) | Failure::ManyStories(_) | Failure::NoBranch(_) => {
            ("用 `storeyline stories` 查看故事和分支。", "`storeyline stories` lists stories and branches.")
        }
        Failure::ManyBranches(_) => (
            "用 `storeyline branch list` 查看 id，用 id 的开头代替名称。",
            "`storeyline branch list` shows the ids; give the beginning of one instead of the name.",
        ),
        Failure::NotNamed(_) => (
            "写成 `故事@分支`；用 `storeyline log` 查看分支。",
            "Write `STORY@BRANCH`; `storeyline log` shows the branches.",
        ),
        Failure::OtherKind(_, RefKind::Tag) => {
            ("标签用 `storeyline tag delete` 删除。", "`storeyline tag delete` takes a tag away.")
        }
        Failure::OtherKind(_, RefKind::Branch) => {
            ("分支用 `storeyline branch delete` 删除。", "`storeyline branch delete` takes a branch away.")
        }
        Failure::NotInTrash(_) => {
            ("用 `storeyline log --trash` 查看回收站。", "`storeyline log --trash` shows the trash.")
        }
        Failure::NoPage(_) => (
            "用 `storeyline show` 查看一层的各页；页可以用 id 的开头（至少四位）来写。",
            "`storeyline show` lists the pages of a floor; the first four characters of an id will do.",
        ),
        Failure::ManyPages(_) => ("请多写几位 id。", "Give more characters of the id."),
        Failure::NoName(_) => ("用 `--name` 给出名字。", "Give a name with `--name`."),
        Failure::Path { .. } => (
            "路径写作 `角色.金币`、`背包[0]`；用 `storeyline show` 查看状态。",
            "A path is written `角色.金币`, `背包[0]`; `storeyline show` shows the state.",
        ),
        Failure::OtherStory => (
            "第二个位置可以只写 `@分支` 或 `:楼层`，即与第一个同一故事。",
            "The second place may be `@BRANCH` or `:FLOOR` alone: then it is of the same story.",
        ),
        Failure::Conflicts(_) => (
            "用 `--prefer ours` 保留本分支的值，或用 `--prefer theirs` 取对方的值。",
            "`--prefer ours` keeps the values of this branch, `--prefer theirs` takes those of the other.",
        ),
        Failure::NothingToSet => (
            "给出要更改的规则，例如 `--profile mvu` 或 `--library functions.json`。",
            "Give what is to be changed, for example `--profile mvu` or `--library functions.json`.",
        ),
        Failure::Condition(_) => (
            "条件写作 `< 0`、`<= 0`、`> 5`、`>= 5`、`= 旅馆`、`!= null`，请加引号。",
            "A condition is written `< 0`, `<= 0`, `> 5`, `>= 5`, `= 旅馆`, `!= null`; put it in quotes.",
        ),
        Failure::Days { .. } => (
            "0 表示现在就可以清除；没有写入任何东西。",
            "0 means that nothing is kept any longer; nothing was written.",
        ),
        Failure::InUse(_) => (
            "请先停止它（关闭酒馆，或在运行 `storeyline serve` 的终端按 Ctrl-C），再试一次。没有改动任何东西。",
            "Stop it first (close SillyTavern, or press Ctrl-C where `storeyline serve` runs) and try again. Nothing was changed.",
        ),
        Failure::Exists(_) => ("请给出一个还不存在的文件名。", "Give the name of a file that is not there yet."),
        Failure::NotACopy(_) => (
            "请给出 `storeyline backup` 写的文件；没有改动任何东西。",
            "Give a file that `storeyline backup` wrote. Nothing was changed.",
        ),
        Failure::NoWords => (
            "例如 `storeyline search 酒馆`；用 `storeyline search -- on` 搜索“on”这个词。",
            "For example `storeyline search 酒馆`; `storeyline search -- on` searches for the word `on`.",
        ),
        Failure::NoSnapshot(_) => ("用 `storeyline snapshot list` 查看。", "`storeyline snapshot list` shows them."),
        Failure::ManySnapshots(_) => (
            "用 `storeyline snapshot list` 查看 id，用 id 的开头代替名称。",
            "`storeyline snapshot list` shows the ids; give the beginning of one instead of the name.",
        ),
        Failure::NotAnObject(_) => (
            "初始状态是一个 JSON 对象，例如 {\"金币\": 10}。",
            "A first state is a JSON object, for example {\"gold\": 10}.",
        ),
        Failure::NoTemplate(_) => (
            "用 `storeyline template set` 或 `storeyline snapshot to-template` 设一个。",
            "`storeyline template set` or `storeyline snapshot to-template` makes one.",
        ),
        Failure::Wrong(_) => ("每一项下面写着该怎么做。", "Below each of them stands what to do."),
        Failure::DataFolder { .. } => {
            ("用 `--data` 指定一个可写的文件夹。", "Give a folder that can be written with `--data`.")
        }
        Failure::File { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            ("请检查路径是否写对。", "Check that the path is right.")
        }
        Failure::File { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
            ("请检查文件的权限。", "Check the permissions of the file.")
        }
        Failure::NotAHost(_) => {
            ("请给出含有 server.js 的酒馆文件夹。", "Give the SillyTavern folder that has server.js in it.")
        }
        Failure::NotBuilt => ("请用 `cargo xtask run` 构建。", "Build it with `cargo xtask run`."),
        _ => return None,
    })
}

fn of_engine(error: &EngineError) -> Option<Hint> {
    Some(match error {
        EngineError::NoFloor { .. } | EngineError::Edit(EditError::NoFloor(_)) => {
            ("用 `storeyline path` 查看楼层。", "`storeyline path` lists the floors.")
        }
        EngineError::NoPage(_) | EngineError::Edit(EditError::NoPage(_)) => {
            ("用 `storeyline path --json` 查看页的 id。", "`storeyline path --json` lists the ids of pages.")
        }
        EngineError::Edit(EditError::PageTwice(_)) => (
            "这些楼层已在本分支上。一页在一条分支上只出现一次；只接另一分支独有的楼层，`storeyline diff` 会列出它们。",
            "A page stands on a branch once. Take floors that only the other branch has: `storeyline diff` lists them.",
        ),
        EngineError::UnknownStory(_) | EngineError::UnknownRef(_) | EngineError::UnknownChat(_) => {
            ("用 `storeyline stories` 查看故事和分支。", "`storeyline stories` lists stories and branches.")
        }
        EngineError::InTrash(_) => {
            ("用 `storeyline branch restore` 把它取回来。", "`storeyline branch restore` takes it out of the trash.")
        }
        EngineError::LastBranch => {
            ("先用 `storeyline branch create` 建一条新分支。", "Make another branch first: `storeyline branch create`.")
        }
        EngineError::IsTag(_) => (
            "标签不会变动。用 `storeyline branch create --from 标签` 从它分出一条分支。",
            "Make a branch from it: `storeyline branch create --from TAG`.",
        ),
        EngineError::UnknownOperation(_) | EngineError::NothingToUndo | EngineError::NothingToRedo => (
            "用 `storeyline log --operations` 查看这条分支上的操作。",
            "`storeyline log --operations` lists what was done on this branch.",
        ),
        EngineError::UndoConflict { .. } => {
            ("先撤销后来的那个操作，再撤销这一个。", "Take the later operation back first, then this one.")
        }
        EngineError::Archive(error) => error.hint(),
        EngineError::RefMoved => (
            "另一个程序同时改了这条分支，没有写入任何东西。请再试一次。",
            "Another program changed the branch at the same time; nothing was written. Try again.",
        ),
        EngineError::EmptyPath => (
            "分支至少要有一层。要去掉整条分支，请用 `storeyline branch delete`。",
            "A branch has at least one floor. `storeyline branch delete` takes a whole branch away.",
        ),
        EngineError::OtherStory => {
            ("只能比较或合并同一故事的分支。", "Only branches of one story can be compared or merged.")
        }
        EngineError::BadPath { .. } => {
            ("路径写作 `角色.金币`、`背包[0]`。", "A path is written `角色.金币`, `背包[0]`.")
        }
        _ => return None,
    })
}

fn of_store(error: &StoreError) -> Hint {
    match error {
        StoreError::TooNew { .. } => (
            "请使用更新版本的 Storeyline，或用 `--data` 指定另一个文件夹。文件没有被改动。",
            "Use a newer Storeyline, or give another folder with `--data`. The file was not touched.",
        ),
        StoreError::NotOurs { .. } => (
            "请用 `--data` 指定另一个文件夹。文件没有被改动。",
            "Give another folder with `--data`. The file was not touched.",
        ),
        StoreError::Disk { reason: DiskTrouble::Full, .. } => (
            "请在磁盘上腾出空间再试；已有的内容完好，没有写入一半的东西。",
            "Free some space and try again; what was stored is whole, and nothing was written by half.",
        ),
        StoreError::Disk { reason: DiskTrouble::ReadOnly, .. } => (
            "请检查文件和文件夹的写权限，或用 `--data` 指定一个可写的文件夹。",
            "Check that file and folder can be written, or give a folder that can with `--data`.",
        ),
        StoreError::Disk { reason: DiskTrouble::Busy, .. } | StoreError::Held { .. } => {
            ("等另一个程序结束，或停止它，再试一次。", "Wait for the other program to end, or stop it, and try again.")
        }
        StoreError::Disk { reason: DiskTrouble::CannotOpen, .. } => (
            "请检查文件夹是否存在、能否读取，或用 `--data` 指定另一个。",
            "Check that the folder exists and can be read, or give another one with `--data`.",
        ),
        StoreError::Disk { reason: DiskTrouble::Refused, .. } => (
            "请检查磁盘是否已满、文件是否过大或硬盘是否有故障，再试一次；已有的内容完好，没有写入一半的东西。",
            "Check whether the disk is full, the file may not grow, or the drive fails, and try again; what was stored is whole, and nothing was written by half.",
        ),
        StoreError::Disk { reason: DiskTrouble::Damaged, .. } => DAMAGED,
        StoreError::File { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
            ("请给出一个还不存在的文件名。", "Give the name of a file that is not there yet.")
        }
        StoreError::File { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            ("请检查路径是否写对。", "Check that the path is right.")
        }
        StoreError::Damaged { kind: "the copy", .. } => (
            "这份备份已损坏，请换另一份；没有改动任何东西。",
            "This copy is damaged; take another one. Nothing was changed.",
        ),
        StoreError::Missing { .. } | StoreError::Damaged { .. } => (
            "运行 `storeyline verify --repair`：能重新算出的都会修好。",
            "Run `storeyline verify --repair`: what can be computed is put right.",
        ),
        _ => (
            "用 `--data` 指定另一个文件夹，或运行 `storeyline verify`。",
            "Give another folder with `--data`, or run `storeyline verify`.",
        ),
    }
}
