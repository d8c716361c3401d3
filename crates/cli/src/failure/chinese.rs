//! Messages in Chinese; where there is none here the English message is shown.

use storeyline_engine::{DiskTrouble, EditError, EngineError, RefKind, StoreError};

use super::Failure;

pub(super) fn of(failure: &Failure) -> Option<String> {
    Some(match failure {
        Failure::Engine(error) => return of_engine(error),
        Failure::Import { path, source } => format!("{}：{}", path.display(), of_engine(source)?),
        Failure::NoChats(folder) => format!("{} 里没有聊天文件", folder.display()),
        Failure::BrokenFiles(count) => format!("有 {count} 个文件读不了"),
        Failure::DataFolder { path, source } => format!("数据文件夹 {} 不能使用：{source}", path.display()),
        Failure::NoFunction(name) => format!("函数库里没有函数“{name}”"),
        Failure::NoProfile(name) => format!("没有名为“{name}”的配置"),
        Failure::NoStory(text) => format!("没有叫“{text}”的故事"),
        Failure::ManyStories(text) => format!("“{text}”可能是好几个故事"),
        Failure::NoBranch(name) => format!("这个故事没有分支“{name}”"),
        Failure::ManyBranches(name) => format!("“{name}”可能是好几条分支"),
        Failure::NotNamed(title) => format!("没有写明是“{title}”的哪条分支"),
        Failure::OtherKind(name, RefKind::Tag) => format!("“{name}”是标签"),
        Failure::OtherKind(name, RefKind::Branch) => format!("“{name}”是分支"),
        Failure::NotInTrash(name) => format!("“{name}”不在回收站里"),
        Failure::NoPage(text) => format!("“{text}”不是这条分支上的页"),
        Failure::ManyPages(text) => format!("“{text}”可能是好几页"),
        Failure::NoName(role) => format!("这条分支上还没有角色为“{role}”的人"),
        Failure::Path { path, problem } => format!("“{path}”：{problem}"),
        Failure::OtherStory => "两个位置不在同一个故事里".into(),
        Failure::Conflicts(count) => format!("有 {count} 处两条分支都改过；没有写入任何东西"),
        Failure::NothingToSet => "规则已经是这样了".into(),
        Failure::Condition(text) => format!("“{text}”不是条件"),
        Failure::Days { option, days, most } => format!("“{option} {days}”不是 0 到 {most} 之间的天数"),
        Failure::InUse(by) => format!("数据文件夹正被占用：{by}"),
        Failure::Exists(path) => format!("{} 已经存在", path.display()),
        Failure::NotACopy(path) => format!("{} 不是 Storeyline 数据库的备份", path.display()),
        Failure::NoWords => "没有给出要搜索的内容".into(),
        Failure::NoSnapshot(text) => format!("没有快照“{text}”"),
        Failure::ManySnapshots(text) => format!("“{text}”可能是好几个快照"),
        Failure::NotAnObject(path) => format!("{} 不是 JSON 对象", path.display()),
        Failure::NoTemplate(card) => format!("“{card}”没有模板"),
        Failure::Wrong(count) => format!("有 {count} 项不正常"),
        Failure::Problems(count) => format!("发现 {count} 个问题"),
        _ => return None,
    })
}

fn of_engine(error: &EngineError) -> Option<String> {
    Some(match error {
        EngineError::Store(error) => return of_store(error),
        EngineError::UnknownStory(id) => format!("没有故事 {id}"),
        EngineError::UnknownRef(id) => format!("这个故事没有分支 {id}"),
        EngineError::InTrash(id) => format!("分支 {id} 在回收站里"),
        EngineError::LastBranch => "不能删除故事的最后一条分支".into(),
        EngineError::IsTag(id) => format!("{id} 是标签，标签不会变动"),
        EngineError::UnknownOperation(number) => format!("这条分支上没有操作 {number}"),
        EngineError::NothingToUndo => "没有可以撤销的操作".into(),
        EngineError::NothingToRedo => "没有可以重做的操作".into(),
        EngineError::UndoConflict { operation, later, .. } => {
            format!("操作 {operation} 无法撤销：后来的操作 {later} 改了同一处")
        }
        EngineError::NoFloor { floor, floors } => format!("这条分支有 {floors} 层，没有第 {floor} 层"),
        EngineError::EmptyPath => "一层都没有了".into(),
        EngineError::RefMoved => "这条分支刚被改动".into(),
        EngineError::OtherStory => "两条分支不属于同一个故事".into(),
        EngineError::BadPath { path, .. } => format!("“{path}”不是路径"),
        EngineError::Archive(error) => error.words().zh,
        EngineError::Edit(EditError::NoFloor(floor)) => format!("这条分支没有第 {floor} 层"),
        EngineError::Edit(EditError::NoPage(page)) => format!("这条分支上没有页 {page}"),
        EngineError::Edit(EditError::PageTwice(page)) => format!("页 {page} 已经在这条分支上"),
        _ => return None,
    })
}

fn of_store(error: &StoreError) -> Option<String> {
    Some(match error {
        StoreError::TooNew { path, found, known } => {
            format!("{} 由更新版本的 Storeyline 写成（格式 {found}，本程序只认识到 {known}）", path.display())
        }
        StoreError::NotOurs { path } => format!("{} 不是 Storeyline 的数据库", path.display()),
        StoreError::Disk { path, reason } => {
            let reason = match reason {
                DiskTrouble::Full => "磁盘已满",
                DiskTrouble::ReadOnly => "不能写入",
                DiskTrouble::Busy => "另一个程序一直在写它",
                DiskTrouble::CannotOpen => "打不开",
                DiskTrouble::Refused => "系统无法读写它",
                DiskTrouble::Damaged => "文件已损坏",
            };
            format!("{}：{reason}", path.display())
        }
        StoreError::Held { by } => {
            let work = by.work.iter().map(String::to_owned);
            let words: Vec<String> = work.chain(by.processes.iter().map(|process| format!("进程 {process}"))).collect();
            let words = if words.is_empty() { "另一个程序".to_owned() } else { words.join("，") };
            format!("数据文件夹正被占用：{words}")
        }
        StoreError::Missing { kind, id } => format!("数据库里缺少 {kind} {id}"),
        StoreError::Damaged { kind, id } => format!("数据库里的 {kind} {id} 已损坏"),
        _ => return None,
    })
}
