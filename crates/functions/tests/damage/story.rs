//! A state, and ops and values for it.

use storeyline_state::{Value, json};

use crate::random::Random;

pub(crate) fn state() -> Value {
    json::read(
        r#"{"角色":{"名字":"林舟","金币":120,"生命":80,"状态":"平静","背包":["绳索","灯"],
            "装备":{"武器":"短刀","防具":{"头":"皮帽","身":"布衣"}}},
            "世界":{"天气":"晴","时间":"清晨","地点":"码头","门开":false,"备注":null},
            "relation":{"Alice":{"affection":10,"mood":"calm"}},"log":["start"]}"#,
    )
    .unwrap()
}

pub(crate) const TEXT_PATHS: &[&[&str]] = &[
    &["角色", "名字"],
    &["角色", "状态"],
    &["世界", "天气"],
    &["世界", "地点"],
    &["relation", "Alice", "mood"],
    &["角色", "装备", "武器"],
    &["角色", "装备", "防具", "头"],
];
pub(crate) const NUMBER_PATHS: &[&[&str]] =
    &[&["角色", "金币"], &["角色", "生命"], &["relation", "Alice", "affection"]];
pub(crate) const OTHER_PATHS: &[&[&str]] =
    &[&["世界", "门开"], &["世界", "备注"], &["角色", "装备"], &["角色", "背包"]];

/// Texts as models write them: punctuation of both widths, quotes, balanced brackets.
const TEXTS: &[&str] = &[
    "重伤",
    "暴雨",
    "旧港的灯塔",
    "她点了点头，没有说话。",
    "焦急, 但还算镇定",
    "slightly annoyed",
    "He left; nobody followed.",
    "等级：3（临时）",
    "it's over",
    "第3天 20:15",
    "路线: 码头 -> 灯塔",
    "笑 (微笑)",
    "【完】",
    "A/B",
    "100%",
    "",
];

/// Texts with quotes inside.
pub(crate) const QUOTED: &[&str] = &[
    "他说\"走吧\"就离开了",
    "刻着\"静\"字的木牌",
    "she said \"no\" and left",
    "写着“回来”的\"信\"",
    "代号\"夜莺\"，身份不明",
    "\"终点\"站",
];

pub(crate) fn text(random: &mut Random) -> String {
    (*random.pick(TEXTS)).to_owned()
}

/// Returns a text without any marks.
pub(crate) fn plain_text(random: &mut Random) -> String {
    (*random.pick(&["重伤", "暴雨", "旧港的灯塔", "slightly annoyed", "兴奋", "【完】", "tired"])).to_owned()
}

pub(crate) fn number(random: &mut Random) -> String {
    match random.below(4) {
        0 => format!("-{}", 1 + random.below(40)),
        1 => format!("{}.5", random.below(90)),
        _ => random.below(3000).to_string(),
    }
}
