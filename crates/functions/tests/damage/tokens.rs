//! A patch block as tokens, so that a token of one kind can be damaged.

use crate::random::Random;
use crate::story;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    OpenList,
    CloseList,
    OpenOp,
    CloseOp,
    /// A bracket inside a value.
    Open(char),
    Close(char),
    OpComma,
    MemberComma,
    ItemComma,
    Colon,
    Key,
    Path,
    /// The name of an operation.
    Name,
    /// A text in a value.
    Text,
    Literal,
    Gap,
}

#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) written: String,
    /// The decoded text of a quoted token.
    pub(crate) says: String,
    pub(crate) op: usize,
}

pub(crate) type Tokens = Vec<Token>;

struct Writer<'a> {
    tokens: Tokens,
    op: usize,
    random: &'a mut Random,
    pretty: bool,
}

pub(crate) fn quoted(says: &str) -> String {
    let mut out = String::from("\"");
    for next in says.chars() {
        match next {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            other => out.push(other),
        }
    }
    out + "\""
}

pub(crate) fn concat(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.written.as_str()).collect()
}

/// Returns a well-formed block of some of the ops.
pub(crate) fn only(tokens: &[Token], ops: &[usize]) -> String {
    let between =
        |token: &&Token| matches!(token.kind, TokenKind::OpenList | TokenKind::CloseList | TokenKind::OpComma);
    let op = |op: &usize| {
        let of_op = tokens.iter().filter(|token| token.op == *op && !between(token));
        of_op.map(|token| token.written.as_str()).collect::<String>()
    };
    format!("[{}]", ops.iter().map(op).collect::<Vec<_>>().join(","))
}

/// Returns a random well-formed block.
pub(crate) fn block(random: &mut Random) -> Tokens {
    let pretty = random.chance(60);
    let ops = 2 + random.below(4);
    let mut writer = Writer { tokens: Vec::new(), op: 0, random, pretty };
    writer.mark(TokenKind::OpenList, "[");
    for op in 0..ops {
        writer.op = op;
        writer.line("  ");
        writer.op();
        if op + 1 < ops {
            writer.mark(TokenKind::OpComma, ",");
        }
    }
    writer.line("");
    writer.mark(TokenKind::CloseList, "]");
    writer.tokens
}

impl Writer<'_> {
    fn push(&mut self, kind: TokenKind, written: String, says: &str) {
        self.tokens.push(Token { kind, written, says: says.to_owned(), op: self.op });
    }

    fn mark(&mut self, kind: TokenKind, mark: &str) {
        self.push(kind, mark.to_owned(), "");
    }

    fn line(&mut self, indent: &str) {
        let gap = if self.pretty { format!("\n{indent}") } else { " ".to_owned() };
        self.mark(TokenKind::Gap, &gap);
    }

    fn key(&mut self, key: &str) {
        self.push(TokenKind::Key, quoted(key), key);
        self.mark(TokenKind::Colon, ":");
        self.mark(TokenKind::Gap, " ");
    }

    fn next(&mut self) {
        self.mark(TokenKind::MemberComma, ",");
        self.mark(TokenKind::Gap, " ");
    }

    fn text(&mut self, kind: TokenKind, says: &str) {
        self.push(kind, quoted(says), says);
    }

    fn path(&mut self, keys: &[&str]) {
        self.text(TokenKind::Path, &format!("/{}", keys.join("/")));
    }

    fn op(&mut self) {
        self.mark(TokenKind::OpenOp, "{");
        let choice = self.random.below(10);
        let name =
            ["replace", "replace", "replace", "delta", "insert", "replace", "remove", "replace", "add", "replace"]
                [choice];
        self.key("op");
        self.text(TokenKind::Name, name);
        self.next();
        self.key("path");
        match choice {
            3 => {
                let path = *self.random.pick(story::NUMBER_PATHS);
                self.path(path);
                self.next();
                self.key("value");
                let number = format!("{}", 1 + self.random.below(60));
                self.push(TokenKind::Literal, number, "");
            }
            4 => {
                self.path(&["角色", "背包", "-"]);
                self.value(0);
            }
            6 => {
                let path = *self.random.pick(&[&["世界", "备注"][..], &["log"], &["角色", "装备", "武器"]]);
                self.path(path);
            }
            8 => {
                let key = *self.random.pick(&["新线索", "note", "同伴"]);
                self.path(&["世界", key]);
                self.value(2);
            }
            5 | 7 => {
                let path = *self.random.pick(story::OTHER_PATHS);
                self.path(path);
                self.value(2);
            }
            9 => {
                let path = *self.random.pick(story::NUMBER_PATHS);
                self.path(path);
                self.next();
                self.key("value");
                let number = story::number(self.random);
                self.push(TokenKind::Literal, number, "");
            }
            _ => {
                let path = *self.random.pick(story::TEXT_PATHS);
                self.path(path);
                self.value(0);
            }
        }
        self.mark(TokenKind::CloseOp, "}");
    }

    fn value(&mut self, depth: usize) {
        self.next();
        self.key("value");
        self.any(depth);
    }

    fn any(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 2 } else { 6 }) {
            0 => {
                let says = match self.random.chance(20) {
                    true => (*self.random.pick(story::QUOTED)).to_owned(),
                    false => story::text(self.random),
                };
                self.text(TokenKind::Text, &says);
            }
            1 => {
                let says = story::plain_text(self.random);
                self.text(TokenKind::Text, &says);
            }
            2 => {
                let literal = *self.random.pick(&["true", "false", "null", "7"]);
                self.mark(TokenKind::Literal, literal);
            }
            3 | 4 => self.object(depth),
            _ => self.list(depth),
        }
    }

    fn inner(&mut self, depth: usize) {
        let deeper = self.random.chance(30);
        self.any(if deeper { depth - 1 } else { 0 });
    }

    fn object(&mut self, depth: usize) {
        self.mark(TokenKind::Open('{'), "{");
        for (index, key) in ["名称", "数量", "kind"].into_iter().take(1 + self.random.below(3)).enumerate() {
            if index > 0 {
                self.next();
            }
            self.key(key);
            match key {
                "数量" => {
                    let number = story::number(self.random);
                    self.push(TokenKind::Literal, number, "");
                }
                _ => self.inner(depth),
            }
        }
        self.mark(TokenKind::Close('}'), "}");
    }

    fn list(&mut self, depth: usize) {
        self.mark(TokenKind::Open('['), "[");
        for index in 0..1 + self.random.below(3) {
            if index > 0 {
                self.mark(TokenKind::ItemComma, ",");
                self.mark(TokenKind::Gap, " ");
            }
            self.inner(depth);
        }
        self.mark(TokenKind::Close(']'), "]");
    }
}
