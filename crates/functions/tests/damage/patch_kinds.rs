//! The kinds of damage that models do to patch blocks.

use crate::random::Random;
use crate::story;
use crate::tokens::{Token, TokenKind, Tokens, concat, quoted};

/// The expected result of a damaged block.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Right {
    /// All ops, as without damage.
    All,
    /// The ops that are still complete: the damage destroyed the others.
    Whole(Vec<usize>),
}

/// A damaged message, and its expected result.
pub(crate) struct Damaged {
    pub(crate) message: String,
    pub(crate) right: Right,
    /// The block before the damage, if its texts had to be changed first.
    pub(crate) before: Option<String>,
}

type Damage = fn(&mut Random, Tokens) -> Option<Damaged>;

pub(crate) const KINDS: &[(&str, Damage)] = &[
    ("= for a colon", |r, t| change(r, t, is(TokenKind::Colon), |_, token| token.written = " =".into())),
    ("、 between members", |r, t| change(r, t, is(TokenKind::MemberComma), |_, token| token.written = "、".into())),
    ("closing quote doubled", |r, t| {
        change_one(
            r,
            t,
            |token| {
                token.kind == TokenKind::Text
                    && token.says.ends_with(char::is_alphanumeric)
                    && !token.says.contains('"')
            },
            |_, token| token.written.push('"'),
        )
    }),
    ("opening quote doubled", |r, t| {
        change_one(r, t, |token| token.kind == TokenKind::Path, |_, token| token.written.insert(0, '"'))
    }),
    ("keywords in capitals", |_, t| {
        all(
            t,
            |token| token.kind == TokenKind::Literal && token.written.starts_with(char::is_alphabetic),
            |token| token.written = token.written.to_uppercase(),
        )
    }),
    ("closing tag without its slash", |_, t| {
        Some(Damaged {
            message: format!("雨停了。\n<JSONPatch>\n{}\n<JSONPatch>\n好。", concat(&t)),
            right: Right::All,
            before: None,
        })
    }),
    ("slash at the end of paths", |_, t| {
        all(
            t,
            |token| token.kind == TokenKind::Path && !token.says.ends_with('-'),
            |token| token.written = quoted(&format!("{}/", token.says)),
        )
    }),
    ("paths as lists", |_, t| {
        all(t, is(TokenKind::Path), |token| {
            let keys: Vec<String> = token.says[1..].split('/').map(quoted).collect();
            token.written = format!("[{}]", keys.join(", "));
        })
    }),
    ("data for value", |_, t| all(t, |token| token.says == "value", |token| token.written = "\"data\"".into())),
    ("numbered ops in an object", |_, t| {
        let mut number = 0;
        let mut t = t;
        for token in &mut t {
            match token.kind {
                TokenKind::OpenList => token.written = "{".into(),
                TokenKind::CloseList => token.written = "}".into(),
                TokenKind::OpenOp => {
                    token.written = format!("\"{number}\": {{");
                    number += 1;
                }
                _ => {}
            }
        }
        whole(t)
    }),
    ("comma missing between ops", |r, t| change(r, t, is(TokenKind::OpComma), |_, token| token.written.clear())),
    ("comma missing between members", |r, t| {
        change(r, t, is(TokenKind::MemberComma), |_, token| token.written.clear())
    }),
    ("comma missing between items", |r, t| change(r, t, is(TokenKind::ItemComma), |_, token| token.written.clear())),
    ("comma doubled between ops", |r, t| change(r, t, is(TokenKind::OpComma), |_, token| token.written = ",,".into())),
    ("comma doubled between members", |r, t| {
        change(r, t, is(TokenKind::MemberComma), |_, token| token.written = ", ,".into())
    }),
    ("comma doubled between items", |r, t| {
        change(r, t, is(TokenKind::ItemComma), |_, token| token.written = ",,".into())
    }),
    ("comma full-width between ops", |r, t| {
        change(r, t, is(TokenKind::OpComma), |_, token| token.written = "，".into())
    }),
    ("comma full-width between members", |r, t| {
        change(r, t, is(TokenKind::MemberComma), |_, token| token.written = "，".into())
    }),
    ("comma full-width between items", |r, t| {
        change(r, t, is(TokenKind::ItemComma), |_, token| token.written = "，".into())
    }),
    ("semicolon between ops", |r, t| change(r, t, is(TokenKind::OpComma), |_, token| token.written = ";".into())),
    ("comma too many at an end", |r, t| {
        change(
            r,
            t,
            |token| matches!(token.kind, TokenKind::CloseOp | TokenKind::CloseList | TokenKind::Close(_)),
            |_, token| {
                token.written.insert(0, ',');
            },
        )
    }),
    ("colon full-width", |r, t| change(r, t, is(TokenKind::Colon), |_, token| token.written = "：".into())),
    ("colon missing", |r, t| change(r, t, is(TokenKind::Colon), |_, token| token.written.clear())),
    ("`[` of the block missing", |r, t| change(r, t, is(TokenKind::OpenList), |_, token| token.written.clear())),
    ("`]` of the block missing", |r, t| change(r, t, is(TokenKind::CloseList), |_, token| token.written.clear())),
    ("both brackets of the block missing", |_, mut t| {
        t.retain(|token| !matches!(token.kind, TokenKind::OpenList | TokenKind::CloseList));
        whole(t)
    }),
    ("`}` of an op missing", |r, t| change_one(r, t, is(TokenKind::CloseOp), |_, token| token.written.clear())),
    ("`{` of an op missing", |r, t| change_one(r, t, is(TokenKind::OpenOp), |_, token| token.written.clear())),
    ("`},{` between ops missing", |r, mut t| {
        let commas: Vec<usize> = places(&t, is(TokenKind::OpComma));
        let at = *r.pick(&commas);
        let open = (at..t.len()).find(|index| t[*index].kind == TokenKind::OpenOp)?;
        t[at - 1].written.clear();
        t[open].written.clear();
        whole(t)
    }),
    ("`}]` at the end missing", |_, mut t| {
        let last = places(&t, is(TokenKind::CloseOp)).pop()?;
        t[last].written.clear();
        t.pop();
        whole(t)
    }),
    ("`}` of a value missing", |r, t| {
        change_one(r, outermost(t, '}')?, is(TokenKind::Close('}')), |_, token| token.written.clear())
    }),
    ("`]` of a value missing", |r, t| {
        change_one(r, outermost(t, ']')?, is(TokenKind::Close(']')), |_, token| token.written.clear())
    }),
    ("`}` too many behind an op", |r, t| {
        change_one(r, t, is(TokenKind::CloseOp), |_, token| token.written = "}}".into())
    }),
    ("`]` too many at the end", |r, t| {
        change_one(r, t, is(TokenKind::CloseList), |_, token| token.written = "]]".into())
    }),
    ("`{` too many before an op", |r, t| {
        change_one(r, t, is(TokenKind::OpenOp), |_, token| token.written = "{{".into())
    }),
    ("`[` too many at the start", |r, t| {
        change_one(r, t, is(TokenKind::OpenList), |_, token| token.written = "[[".into())
    }),
    ("`}` too many in a value", |r, t| {
        change_one(r, t, is(TokenKind::Close('}')), |_, token| token.written = "}}".into())
    }),
    ("`]` too many in a value", |r, t| {
        change_one(r, t, is(TokenKind::Close(']')), |_, token| token.written = "]]".into())
    }),
    ("quotes in a text not escaped", |r, mut t| {
        for at in places(&t, is(TokenKind::Text)) {
            if t[at].says.chars().count() > 3 {
                t[at].says = (*r.pick(story::QUOTED)).to_owned();
                t[at].written = quoted(&t[at].says);
            }
        }
        let before = concat(&t);
        let has_quotes = |token: &Token| token.kind == TokenKind::Text && token.says.contains('"');
        let damaged = change(r, t, has_quotes, |_, token| token.written = format!("\"{}\"", token.says))?;
        Some(Damaged { before: Some(before), ..damaged })
    }),
    ("closing quote of a text missing", |r, t| {
        change_one(r, t, is(TokenKind::Text), |_, token| {
            token.written.pop();
        })
    }),
    ("opening quote of a text missing", |r, t| {
        change_one(r, t, says_something(TokenKind::Text), |_, token| {
            token.written.remove(0);
        })
    }),
    ("closing quote of a key missing", |r, t| {
        change_one(r, t, is(TokenKind::Key), |_, token| {
            token.written.pop();
        })
    }),
    ("opening quote of a key missing", |r, t| {
        change_one(r, t, is(TokenKind::Key), |_, token| {
            token.written.remove(0);
        })
    }),
    ("closing quote of a path missing", |r, t| {
        change_one(r, t, is(TokenKind::Path), |_, token| {
            token.written.pop();
        })
    }),
    ("opening quote of a path missing", |r, t| {
        change_one(r, t, is(TokenKind::Path), |_, token| {
            token.written.remove(0);
        })
    }),
    ("both quotes of a text missing", |r, t| {
        let plain = |token: &Token| {
            token.kind == TokenKind::Text && !token.says.is_empty() && token.says.chars().all(char::is_alphanumeric)
        };
        change(r, t, plain, |_, token| token.written = token.says.clone())
    }),
    ("keys without quotes", |_, t| all(t, is(TokenKind::Key), |token| token.written = token.says.clone())),
    ("curly quotes", |_, t| all(t, has_quotes, |token| token.written = format!("“{}”", inner(token)))),
    ("curly quotes at the end only", |_, t| all(t, has_quotes, |token| token.written = format!("\"{}”", inner(token)))),
    ("curly quotes, both closing", |_, t| all(t, has_quotes, |token| token.written = format!("”{}”", inner(token)))),
    ("corner quotes around texts", |_, t| {
        all(t, is(TokenKind::Text), |token| token.written = format!("「{}」", inner(token)))
    }),
    ("full-width quotes", |_, t| all(t, has_quotes, |token| token.written = format!("＂{}＂", inner(token)))),
    ("single quotes and Python's words", |_, mut t| {
        for token in t.iter_mut().filter(|token| has_quotes(token)) {
            token.written = format!("'{}'", token.says.replace('\'', "\\'"));
        }
        all(t, is(TokenKind::Literal), |token| {
            token.written = match token.written.as_str() {
                "true" => "True".into(),
                "false" => "False".into(),
                "null" => "None".into(),
                other => other.into(),
            }
        })
    }),
    ("closing quote of another kind", |r, t| {
        change_one(
            r,
            t,
            |token| token.kind == TokenKind::Text && !token.says.contains('\''),
            |_, token| {
                token.written.pop();
                token.written.push('\'');
            },
        )
    }),
    ("comments with //", |r, t| {
        change(r, t, is(TokenKind::OpComma), |_, token| token.written.push_str(" // 受伤, \"所以\" 变化\n"))
    }),
    ("comments with #", |r, t| {
        change(r, t, is(TokenKind::OpComma), |_, token| token.written.push_str(" # 因为{天气}\n"))
    }),
    ("comments in /* */", |r, t| {
        change(r, t, |token| matches!(token.kind, TokenKind::Gap), |_, token| token.written.push_str("/* 说明 */"))
    }),
    ("comments behind members", |r, t| {
        change_one(r, t, is(TokenKind::MemberComma), |_, token| token.written.push_str(" // 旧值 5\n"))
    }),
    ("prose before and behind", |_, t| {
        let text = concat(&t);
        Some(Damaged {
            message: block(&format!("以下是更新：\n{text}\n以上就是全部变化。")),
            right: Right::All,
            before: None,
        })
    }),
    ("prose between ops", |r, t| {
        change(r, t, is(TokenKind::OpComma), |_, token| token.written = ",\n接下来更新状态：\n".into())
    }),
    ("a remark behind a value", |r, t| {
        change_one(
            r,
            t,
            |token| matches!(token.kind, TokenKind::CloseOp),
            |_, token| token.written = " (因为下雨)}".into(),
        )
    }),
    ("... between ops", |r, t| change(r, t, is(TokenKind::OpComma), |_, token| token.written = ", ...,".into())),
    ("... in a list", |r, t| change_one(r, t, is(TokenKind::Close(']')), |_, token| token.written = ", ...]".into())),
    ("several lists in one block", |r, t| {
        change(r, t, is(TokenKind::OpComma), |_, token| token.written = "]\n[".into())
    }),
    ("one op a line, no list", |_, mut t| {
        t.retain(|token| !matches!(token.kind, TokenKind::OpenList | TokenKind::CloseList | TokenKind::Gap));
        all(t, is(TokenKind::OpComma), |token| token.written = "\n".into())
    }),
    ("raw line breaks in texts", |_, mut t| {
        for at in places(&t, says_something(TokenKind::Text)) {
            t[at].says.push_str("\n第二行");
            t[at].written = quoted(&t[at].says);
        }
        let before = concat(&t);
        let damaged =
            all(t, says_something(TokenKind::Text), |token| token.written = token.written.replace("\\n", "\n"))?;
        Some(Damaged { before: Some(before), ..damaged })
    }),
    ("cut off", |r, t| {
        let cut = 1 + r.below(t.len() - 2);
        let whole = (0..6)
            .filter(|op| t.iter().position(|x| x.op == *op && x.kind == TokenKind::CloseOp).is_some_and(|at| at < cut));
        let text = concat(&t[..cut]);
        Some(Damaged {
            message: format!("雨停了。\n<UpdateVariable>\n<JSONPatch>\n{text}"),
            right: Right::Whole(whole.collect()),
            before: None,
        })
    }),
    ("closing tags missing", |_, t| {
        Some(Damaged {
            message: format!("雨停了。\n<UpdateVariable>\n<JSONPatch>\n{}", concat(&t)),
            right: Right::All,
            before: None,
        })
    }),
    ("in a code fence", |_, t| {
        Some(Damaged { message: block(&format!("```json\n{}\n```", concat(&t))), right: Right::All, before: None })
    }),
    ("bare list in <UpdateVariable>", |r, t| {
        let fence = if r.chance(50) { ("```json\n", "\n```") } else { ("", "") };
        let text = format!(
            "<UpdateVariable>\n<Analysis>雨停了</Analysis>\n{}{}{}\n</UpdateVariable>",
            fence.0,
            concat(&t),
            fence.1
        );
        Some(Damaged { message: text, right: Right::All, before: None })
    }),
    ("wrapped in an object", |_, t| {
        Some(Damaged { message: block(&format!("{{\"patch\": {}}}", concat(&t))), right: Right::All, before: None })
    }),
    ("quotes escaped throughout", |_, t| {
        let text = concat(&t).replace('\\', "\\\\").replace('"', "\\\"");
        Some(Damaged { message: block(&text), right: Right::All, before: None })
    }),
    ("HTML entities", |_, t| {
        let text = concat(&t).replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
        Some(Damaged { message: block(&text), right: Right::All, before: None })
    }),
    ("texts joined by +", |r, t| {
        change(
            r,
            t,
            |token| token.kind == TokenKind::Text && token.says.chars().count() > 3 && !token.says.contains('"'),
            |_, token| {
                let middle = token.says.char_indices().nth(2).unwrap().0;
                token.written = format!("{} + {}", quoted(&token.says[..middle]), quoted(&token.says[middle..]));
            },
        )
    }),
    ("numbers with a plus", |r, t| {
        change(r, t, is_number, |_, token| {
            token.written.insert_str(0, if token.written.starts_with('-') { "" } else { "+" })
        })
    }),
    ("operations in upper case", |_, t| {
        all(t, is(TokenKind::Name), |token| token.written = token.written.to_uppercase())
    }),
    ("keys in upper case", |_, t| {
        let known =
            |token: &Token| token.kind == TokenKind::Key && matches!(token.says.as_str(), "op" | "path" | "value");
        all(t, known, |token| token.written = token.written.to_uppercase())
    }),
    ("set and update for replace", |_, t| {
        all(
            t,
            |token| token.says == "replace",
            |token| token.written = (if token.op % 2 == 0 { "\"set\"" } else { "\"update\"" }).into(),
        )
    }),
    ("new_value for value", |_, t| {
        all(t, |token| token.says == "value", |token| token.written = "\"new_value\"".into())
    }),
    ("paths with dots", |_, t| {
        all(t, is(TokenKind::Path), |token| token.written = quoted(&token.says[1..].replace('/', ".")))
    }),
    ("paths with %", |_, t| all(t, is(TokenKind::Path), |token| token.written = quoted(&percent(&token.says)))),
    ("paths without the first slash", |_, t| {
        all(t, is(TokenKind::Path), |token| token.written = quoted(&token.says[1..]))
    }),
    ("paths behind /stat_data", |_, t| {
        all(t, is(TokenKind::Path), |token| token.written = quoted(&format!("/stat_data{}", token.says)))
    }),
    ("paths behind status_current_variables", |_, t| {
        all(t, is(TokenKind::Path), |token| token.written = quoted(&format!("/status_current_variables{}", token.says)))
    }),
];

fn percent(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'/' | b'-' | b'a'..=b'z' | b'A'..=b'Z' => (byte as char).to_string(),
            other => format!("%{other:02X}"),
        })
        .collect()
}

fn is(kind: TokenKind) -> impl Fn(&Token) -> bool {
    move |token| token.kind == kind
}

fn says_something(kind: TokenKind) -> impl Fn(&Token) -> bool {
    move |token| token.kind == kind && !token.says.is_empty()
}

fn is_number(token: &Token) -> bool {
    token.kind == TokenKind::Literal && token.written.starts_with(|next: char| next == '-' || next.is_ascii_digit())
}

fn has_quotes(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Key | TokenKind::Path | TokenKind::Name | TokenKind::Text)
}

fn inner(token: &Token) -> &str {
    &token.written[1..token.written.len() - 1]
}

/// Returns a message with a block.
pub(crate) fn block(text: &str) -> String {
    format!(
        "雨停了。她收起伞。\n<UpdateVariable>\n<Analysis>雨停了</Analysis>\n<JSONPatch>\n{text}\n</JSONPatch>\n</UpdateVariable>"
    )
}

fn whole(tokens: Tokens) -> Option<Damaged> {
    Some(Damaged { message: block(&concat(&tokens)), right: Right::All, before: None })
}

fn places(tokens: &Tokens, wanted: impl Fn(&Token) -> bool) -> Vec<usize> {
    (0..tokens.len()).filter(|at| wanted(&tokens[*at])).collect()
}

/// Damages one piece of a kind, sometimes all of them.
fn change(
    random: &mut Random,
    mut tokens: Tokens,
    wanted: impl Fn(&Token) -> bool,
    damage: impl Fn(&mut Random, &mut Token),
) -> Option<Damaged> {
    let mut found = places(&tokens, wanted);
    if found.is_empty() {
        return None;
    }
    if random.chance(65) {
        found = vec![*random.pick(&found)];
    }
    for at in found {
        damage(random, &mut tokens[at]);
    }
    whole(tokens)
}

fn change_one(
    random: &mut Random,
    mut tokens: Tokens,
    wanted: impl Fn(&Token) -> bool,
    damage: impl Fn(&mut Random, &mut Token),
) -> Option<Damaged> {
    let found = places(&tokens, wanted);
    if found.is_empty() {
        return None;
    }
    let at = *random.pick(&found);
    damage(random, &mut tokens[at]);
    whole(tokens)
}

fn all(mut tokens: Tokens, wanted: impl Fn(&Token) -> bool, damage: impl Fn(&mut Token)) -> Option<Damaged> {
    let found = places(&tokens, wanted);
    found.iter().for_each(|at| damage(&mut tokens[*at]));
    (!found.is_empty()).then(|| whole(tokens))?
}

/// Marks the inner brackets of a value as gaps, so that they are not damaged. Only the outermost
/// bracket can be restored: it is unknown which of several inner ones is missing.
fn outermost(mut tokens: Tokens, close: char) -> Option<Tokens> {
    let mut depth = 0usize;
    for token in &mut tokens {
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(mark) => {
                depth -= 1;
                if depth > 0 || mark != close {
                    token.kind = TokenKind::Gap;
                }
            }
            _ => {}
        }
    }
    Some(tokens)
}
