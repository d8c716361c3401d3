//! Descriptions of operations: what was done, and where.

use storeyline_state::Value;
use storeyline_wire::OperationKind;
use storeyline_wire::operation::Operation;

use crate::commands::shape::short;
use crate::out::Context;

/// Returns what was done, and where.
pub(crate) fn words(context: &Context, logged: &Operation) -> String {
    let what = kind_words(context, logged.kind);
    let location = location(context, logged);
    match (context.chinese(), location.is_empty()) {
        (_, true) => what,
        (true, _) => format!("{what}（{location}）"),
        (false, _) => format!("{what} ({location})"),
    }
}

/// Returns what was done.
pub(crate) fn kind_words(context: &Context, kind: OperationKind) -> String {
    let zh = match kind {
        OperationKind::Sync => "酒馆同步",
        OperationKind::Import => "导入",
        OperationKind::Select => "换页",
        OperationKind::Edit => "修改文本",
        OperationKind::Append => "追加",
        OperationKind::AddPage => "新增一页",
        OperationKind::Delete => "删除楼层",
        OperationKind::DeletePage => "删除一页",
        OperationKind::KeepOnly => "只留一页",
        OperationKind::Move => "移动",
        OperationKind::Hide => "隐藏或显示",
        OperationKind::Insert => "插入",
        OperationKind::Graft => "嫁接",
        OperationKind::Override => "手动改正",
        OperationKind::Reprocess => "重新处理",
        OperationKind::Merge => "合并状态",
        OperationKind::Swipe => "滑动换页",
        OperationKind::CreateBranch => "新建分支",
        OperationKind::Change => "改名或备注",
        OperationKind::Trash => "移入回收站",
        OperationKind::Restore => "移出回收站",
        OperationKind::CreateTag => "新建标签",
        OperationKind::Rules => "更改规则",
        OperationKind::Switch => "切换分支",
        OperationKind::Undo => "撤销",
        OperationKind::Redo => "重做",
        OperationKind::Reset => "重置",
        OperationKind::Settings => "更改设置",
        OperationKind::Rename => "更改标题",
        OperationKind::TrashStory => "删除故事",
        OperationKind::RestoreStory => "恢复故事",
        OperationKind::Validity => "标为无效或有效",
    };
    if context.chinese() { zh.to_owned() } else { kind.as_str().replace('_', " ") }
}

/// Returns where it was done: floor and page, names, or the operation that was undone.
pub(crate) fn location(context: &Context, logged: &Operation) -> String {
    let Operation { kind, detail, undoes, .. } = logged;
    let number = |key: &str| detail.get(key).and_then(Value::as_number).and_then(|number| number.as_i64());
    if let Some(other) = *undoes {
        return format!("{} {other}", context.words("操作", "operation"));
    }
    if let (OperationKind::Change, Some(before), Some(after)) = (kind, detail.get("before"), detail.get("after")) {
        let changed = ["name", "note", "colour"].into_iter().find(|key| before.get(key) != after.get(key));
        let word = |value: &Value| changed.and_then(|key| value.get(key)?.as_text()).unwrap_or_default().to_owned();
        return format!("{} → {}", word(before), word(after));
    }
    if let (Some(from), Some(to)) = (number("from"), number("to")) {
        return format!("#{from}–#{}", to - 1);
    }
    let floor = number("floor").map(|floor| format!("#{floor}"));
    let page = detail.get("page").and_then(Value::as_text).map(short);
    floor.into_iter().chain(page).collect::<Vec<_>>().join(" ")
}
