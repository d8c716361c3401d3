//! What the server itself refuses, with the words for people. Errors of other crates bring their own.

/// Words in Chinese and English.
type Pair = (&'static str, &'static str);

pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) words: Pair,
    /// What to do next.
    pub(crate) hint: Pair,
}

const fn refusal(code: &'static str, words: Pair, hint: Pair) -> Refusal {
    Refusal { code, words, hint }
}

pub(crate) const BAD_OWNER: Refusal = refusal(
    "bad_owner",
    ("请求头 X-Storeyline-Owner 不是账号名。", "The header X-Storeyline-Owner is not the name of an account."),
    (
        "账号名由 1 到 64 个字母、数字、`.`、`_`、`-`、`@` 组成。",
        "A name has 1 to 64 letters, digits, `.`, `_`, `-` or `@`.",
    ),
);

pub(crate) const NEEDS_TOKEN: Refusal = refusal(
    "needs_token",
    (
        "网页的令牌只能打开它自己账号的故事。",
        "The token of a web page opens the stories of its own account and nothing else.",
    ),
    (
        "选择账号和生成链接需要数据文件夹里 `token` 文件的内容。",
        "Choosing an account and making links need what is in the file `token` of the data folder.",
    ),
);

pub(crate) const BAD_LINK: Refusal = refusal(
    "bad_link",
    ("这个链接已经用过，或者过期了。", "This link was used already, or it has expired."),
    ("请运行 `storeyline link`，打开它打印的新链接。", "Run `storeyline link` and open the new link that it prints."),
);

pub(crate) const NOT_LOCAL: Refusal = refusal(
    "not_local",
    ("这会影响所有账号。", "This would concern all accounts."),
    ("只有运行引擎的人可以这样做。", "Only the one who runs the engine may do it."),
);

pub(crate) const BAD_METHOD: Refusal = refusal(
    "bad_method",
    ("这个地址不接受这种请求。", "This address does not take such a request."),
    ("可用的请求见 /docs。", "See /docs for the requests it takes."),
);

pub(crate) const TOO_MANY: Refusal = refusal(
    "too_many",
    ("这个账号同时打开的连接太多。", "This account has too many connections at the same time."),
    ("请关掉几个页面。", "Close some pages."),
);

pub(crate) const NO_TOKEN: Refusal = refusal(
    "no_token",
    ("没有访问令牌，或令牌不对。", "The access token is missing or wrong."),
    (
        "请打开 `storeyline link` 打印的链接，或带上数据文件夹里 `token` 文件的内容。",
        "Open the link that `storeyline link` prints, or send what is in the file `token` of the data folder.",
    ),
);

pub(crate) const BAD_HOST: Refusal = refusal(
    "bad_host",
    ("不接受这个主机名。", "This host name is not accepted."),
    ("请使用 127.0.0.1 或 localhost。", "Use 127.0.0.1 or localhost."),
);

pub(crate) const BAD_ORIGIN: Refusal = refusal(
    "bad_origin",
    ("请求来自别的网页。", "The request comes from another web page."),
    ("请从 Storeyline 自己的页面操作。", "Use Storeyline's own page."),
);

pub(crate) const NO_HEADER: Refusal = refusal(
    "no_header",
    ("缺少请求头 X-Storeyline。", "The header X-Storeyline is missing."),
    ("修改请求要带上 `X-Storeyline: 1`。", "Send `X-Storeyline: 1` with every request that changes something."),
);

pub(crate) const NOT_JSON: Refusal = refusal(
    "not_json",
    ("请求不是 JSON。", "The request is not JSON."),
    ("请带上 `Content-Type: application/json`。", "Send `Content-Type: application/json`."),
);

pub(crate) const TOO_LARGE: Refusal =
    refusal("too_large", ("请求太大。", "The request is too large."), ("请分几次发送。", "Send it in parts."));

pub(crate) const TOO_SLOW: Refusal = refusal(
    "too_slow",
    ("请求的内容来得太慢。", "The body of the request comes too slowly."),
    ("请检查网络后重试。没有写入任何东西。", "Check the network and try again. Nothing was written."),
);

pub(crate) const NOT_FOUND: Refusal = refusal(
    "not_found",
    ("没有这个地址。", "There is no such address."),
    ("可用的地址见 /docs。", "See /docs for the addresses."),
);

pub(crate) const INTERNAL: Refusal = refusal(
    "internal",
    ("引擎内部出错。", "Something went wrong inside the engine."),
    ("没有写入任何东西，请重试。", "Nothing was written; try again."),
);
