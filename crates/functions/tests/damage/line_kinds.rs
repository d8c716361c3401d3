//! The kinds of damage that models do to lines such as `_.set('角色.金币', 5);//买药`.

use crate::random::Random;
use crate::story;

/// One line in pieces.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) path: String,
    pub(crate) values: Vec<Argument>,
    pub(crate) reason: Option<&'static str>,
    quote: char,
}

#[derive(Debug, Clone)]
pub(crate) enum Argument {
    Text(String),
    Literal(String),
    /// A list or an object.
    Json(String),
}

type Damage = fn(&mut Random, &Line) -> Option<String>;

/// Lines of which one is damaged.
pub(crate) struct DamagedLines {
    pub(crate) before: String,
    pub(crate) message: String,
    /// Without the damaged line: the expected result if the damage destroyed it.
    pub(crate) others: String,
}

impl Line {
    fn quoted(&self, says: &str) -> String {
        let escaped = says.replace('\\', "\\\\").replace(self.quote, &format!("\\{}", self.quote));
        format!("{0}{escaped}{0}", self.quote)
    }

    fn written(&self, argument: &Argument) -> String {
        match argument {
            Argument::Text(says) => self.quoted(says),
            Argument::Literal(written) | Argument::Json(written) => written.clone(),
        }
    }

    fn arguments(&self) -> Vec<String> {
        let values = self.values.iter().map(|argument| self.written(argument));
        std::iter::once(self.quoted(&self.path)).chain(values).collect()
    }

    fn tail(&self) -> String {
        self.reason.map(|reason| format!("//{reason}")).unwrap_or_default()
    }

    pub(crate) fn usual(&self) -> String {
        format!("_.{}({});{}", self.name, self.arguments().join(", "), self.tail())
    }

    fn with_arguments(&self, arguments: &[String]) -> String {
        format!("_.{}({});{}", self.name, arguments.join(", "), self.tail())
    }

    fn last_text(&self) -> Option<&str> {
        match self.values.last()? {
            Argument::Text(says) if !says.is_empty() => Some(says),
            _ => None,
        }
    }

    /// Returns the line with another form of its last text.
    fn with_last(&self, written: impl Fn(&str) -> String) -> Option<String> {
        let mut arguments = self.arguments();
        *arguments.last_mut()? = written(self.last_text()?);
        Some(self.with_arguments(&arguments))
    }

    fn with_path(&self, written: String) -> Option<String> {
        let mut arguments = self.arguments();
        arguments[0] = written;
        Some(self.with_arguments(&arguments))
    }

    fn last_json(&self) -> Option<&str> {
        match self.values.last()? {
            Argument::Json(json) => Some(json),
            _ => None,
        }
    }

    fn with_json(&self, written: String) -> Option<String> {
        let mut arguments = self.arguments();
        *arguments.last_mut()? = written;
        Some(self.with_arguments(&arguments))
    }
}

pub(crate) fn line(random: &mut Random) -> Line {
    let quote = *random.pick(&['\'', '"']);
    let reason =
        random.chance(50).then_some(*random.pick(&["下雨了", "because she left", "交易：-5", "it's \"done\""]));
    let text = |says: String| Argument::Text(says);
    let (name, path, values): (&'static str, Vec<&str>, Vec<Argument>) = match random.below(8) {
        0 => (
            "add",
            random.pick(story::NUMBER_PATHS).to_vec(),
            vec![Argument::Literal((1 + random.below(50)).to_string())],
        ),
        1 => ("insert", vec!["角色", "背包"], vec![text(story::plain_text(random))]),
        2 => (
            "set",
            random.pick(story::NUMBER_PATHS).to_vec(),
            vec![Argument::Literal("1".into()), Argument::Literal(story::number(random))],
        ),
        3 => (
            "set",
            vec!["角色", "装备"],
            vec![Argument::Json(format!(
                "{{\"武器\": \"{}\", \"数量\": {}}}",
                story::plain_text(random),
                random.below(9)
            ))],
        ),
        4 => (
            "set",
            vec!["log"],
            vec![Argument::Json(format!("[\"{}\", \"{}\"]", story::plain_text(random), story::plain_text(random)))],
        ),
        5 => ("set", random.pick(story::TEXT_PATHS).to_vec(), vec![text("旧的".into()), text(story::text(random))]),
        _ => {
            let says = if random.chance(20) { (*random.pick(story::QUOTED)).to_owned() } else { story::text(random) };
            ("set", random.pick(story::TEXT_PATHS).to_vec(), vec![text(says)])
        }
    };
    Line { name, path: path.join("."), values, reason, quote }
}

/// Each kind of damage: its name, its function, and whether the line can still be understood.
pub(crate) const KINDS: &[(&str, Damage, bool)] = &[
    ("dots too many", |_, l| Some(l.usual().replacen("_.", "_..", 1)), true),
    ("$. for _.", |_, l| Some(l.usual().replacen("_.", "$.", 1)), true),
    ("line break before the bracket", |_, l| Some(l.usual().replacen('(', "\n(", 1)), true),
    ("semicolons between arguments", |_, l| Some(format!("_.{}({});", l.name, l.arguments().join("; "))), true),
    ("`]` for `)`", |_, l| Some(format!("_.{}({}];{}", l.name, l.arguments().join(", "), l.tail())), true),
    (
        "arguments in one object",
        |_, l| {
            (l.values.len() == 1)
                .then(|| format!("_.{}({{path: {}, value: {}}});", l.name, l.arguments()[0], l.arguments()[1]))
        },
        true,
    ),
    ("blanks in the path", |_, l| l.with_path(format!("'{}'", l.path.replace('.', " . "))), true),
    ("full-width dots in the path", |_, l| l.with_path(format!("'{}'", l.path.replace('.', "．"))), true),
    (
        "closing quote doubled",
        |_, l| {
            l.last_text()
                .filter(|says| says.ends_with(char::is_alphanumeric) && !says.contains(l.quote))
                .and_then(|_| l.with_last(|says| format!("{0}{says}{0}{0}", l.quote)))
        },
        true,
    ),
    (
        "name in other letters",
        |r, l| Some(l.usual().replacen(l.name, &if r.chance(50) { l.name.to_uppercase() } else { capital(l.name) }, 1)),
        true,
    ),
    ("lodash. for _.", |_, l| Some(l.usual().replacen("_.", "lodash.", 1)), true),
    ("no _. in front", |_, l| Some(l.usual().replacen("_.", "", 1)), true),
    ("_ without a dot", |_, l| Some(l.usual().replacen("_.", "_", 1)), true),
    ("blanks around the dot", |_, l| Some(l.usual().replacen("_.", "_ . ", 1)), true),
    ("underscore escaped", |_, l| Some(l.usual().replacen("_.", "\\_.", 1)), true),
    ("`)` missing", |_, l| Some(l.usual().replacen(");", ";", 1)), true),
    ("`);` missing", |_, l| Some(format!("_.{}({}", l.name, l.arguments().join(", "))), true),
    ("`(` missing", |_, l| Some(l.usual().replacen('(', " ", 1)), true),
    ("`(` doubled", |_, l| Some(l.usual().replacen('(', "((", 1)), true),
    ("`)` doubled", |_, l| Some(format!("_.{}({}));{}", l.name, l.arguments().join(", "), l.tail())), true),
    ("square brackets", |_, l| Some(format!("_.{}[{}];{}", l.name, l.arguments().join(", "), l.tail())), true),
    ("`;` missing", |_, l| Some(format!("_.{}({}){}", l.name, l.arguments().join(", "), l.tail())), true),
    ("full-width marks", |_, l| Some(format!("_.{}（{}）；", l.name, l.arguments().join("，"))), true),
    ("comma missing", |_, l| Some(format!("_.{}({});", l.name, l.arguments().join(" "))), true),
    ("comma doubled", |_, l| Some(format!("_.{}({});", l.name, l.arguments().join(",, "))), true),
    ("comma full-width", |_, l| Some(format!("_.{}({});", l.name, l.arguments().join("，"))), true),
    ("comma too many at the end", |_, l| Some(format!("_.{}({},);", l.name, l.arguments().join(", "))), true),
    (
        "colon behind the path",
        |_, l| Some(format!("_.{}({}: {});", l.name, l.arguments()[0], l.arguments()[1..].join(", "))),
        true,
    ),
    (
        "names of the arguments",
        |_, l| {
            (l.values.len() == 1)
                .then(|| format!("_.{}(path={}, value={});", l.name, l.arguments()[0], l.arguments()[1]))
        },
        true,
    ),
    (
        "-> between old and new",
        |_, l| {
            (l.values.len() == 2)
                .then(|| format!("_.{}({}, {});", l.name, l.arguments()[0], l.arguments()[1..].join(" -> ")))
        },
        true,
    ),
    (
        "HTML entities",
        |_, l| {
            Some(
                l.usual()
                    .replace('&', "&amp;")
                    .replace('"', "&quot;")
                    .replace('\'', "&#39;")
                    .replace('<', "&lt;")
                    .replace('>', "&gt;"),
            )
        },
        true,
    ),
    ("quotes escaped", |_, l| Some(l.usual().replace('\\', "\\\\").replace('"', "\\\"").replace('\'', "\\'")), true),
    (
        "quotes doubled inside",
        |_, l| {
            l.last_text()
                .filter(|says| says.contains(l.quote) && !says.ends_with(l.quote) && !says.starts_with(l.quote))
                .and_then(|_| {
                    l.with_last(|says| {
                        format!("{0}{1}{0}", l.quote, says.replace(l.quote, &l.quote.to_string().repeat(2)))
                    })
                })
        },
        true,
    ),
    (
        "quotes inside not escaped",
        |_, l| {
            l.last_text()
                .filter(|says| says.contains(l.quote))
                .and_then(|_| l.with_last(|says| format!("{0}{says}{0}", l.quote)))
        },
        true,
    ),
    ("closing quote of the path missing", |_, l| l.with_path(format!("{}{}", l.quote, l.path)), true),
    ("opening quote of the path missing", |_, l| l.with_path(format!("{}{}", l.path, l.quote)), true),
    ("no quotes around the path", |_, l| l.with_path(l.path.clone()), true),
    (
        "closing quote of a text missing",
        |_, l| {
            l.last_text()
                .filter(|says| !says.contains(l.quote))
                .and_then(|_| l.with_last(|says| format!("{}{says}", l.quote)))
        },
        true,
    ),
    (
        "opening quote of a text missing",
        |_, l| {
            l.last_text()
                .filter(|says| !says.contains(l.quote))
                .and_then(|_| l.with_last(|says| format!("{says}{}", l.quote)))
        },
        true,
    ),
    (
        "no quotes around a text",
        |_, l| {
            l.last_text()
                .filter(|says| says.chars().all(char::is_alphanumeric))
                .and_then(|_| l.with_last(str::to_owned))
        },
        true,
    ),
    (
        "closing quote of another kind",
        |_, l| {
            l.last_text()
                .filter(|says| !says.contains(['"', '\'']))
                .and_then(|_| l.with_last(|says| format!("\"{says}'")))
        },
        true,
    ),
    (
        "curly quotes",
        |_, l| {
            Some(format!(
                "_.{}({});",
                l.name,
                l.arguments().iter().map(|written| curly(written, '“', '”')).collect::<Vec<_>>().join(", ")
            ))
        },
        true,
    ),
    (
        "curly quotes, both closing",
        |_, l| {
            Some(format!(
                "_.{}({});",
                l.name,
                l.arguments().iter().map(|written| curly(written, '”', '”')).collect::<Vec<_>>().join(", ")
            ))
        },
        true,
    ),
    (
        "corner quotes",
        |_, l| {
            Some(format!(
                "_.{}({});",
                l.name,
                l.arguments().iter().map(|written| curly(written, '「', '」')).collect::<Vec<_>>().join(", ")
            ))
        },
        true,
    ),
    ("path with slashes", |_, l| l.with_path(format!("'/{}'", l.path.replace('.', "/"))), true),
    ("path behind stat_data", |_, l| l.with_path(format!("'stat_data.{}'", l.path)), true),
    (
        "quoted keys in the path",
        |_, l| {
            l.with_path(format!(
                "'{}'",
                l.path
                    .split('.')
                    .enumerate()
                    .map(|(index, key)| if index == 1 { format!("\"{key}\"") } else { key.to_owned() })
                    .collect::<Vec<_>>()
                    .join(".")
            ))
        },
        true,
    ),
    (
        "comment inside",
        |_, l| Some(format!("_.{}({}, /* 旧值 */ {});", l.name, l.arguments()[0], l.arguments()[1..].join(", "))),
        true,
    ),
    ("comment before the bracket", |_, l| Some(format!("_.{}({} /* 新 */);", l.name, l.arguments().join(", "))), true),
    ("reason before the bracket", |_, l| Some(format!("_.{}({}//下雨了);", l.name, l.arguments().join(", "))), true),
    (
        "line breaks inside",
        |_, l| Some(format!("_.{}(\n  {}\n);{}", l.name, l.arguments().join(",\n  "), l.tail())),
        true,
    ),
    ("in a list with bullets", |r, l| Some(format!("{} `{}`", r.pick(&["-", "*", "1."]), l.usual())), true),
    (
        "`}` or `]` of a value missing",
        |_, l| l.last_json().map(|json| json[..json.len() - 1].to_owned()).and_then(|json| l.with_json(json)),
        true,
    ),
    (
        "comma missing in a value",
        |_, l| l.last_json().map(|json| json.replacen(", ", " ", 1)).and_then(|json| l.with_json(json)),
        true,
    ),
    (
        "keys without quotes in a value",
        |_, l| {
            l.last_json()
                .filter(|json| json.contains("\"数量\""))
                .map(|json| json.replace("\"武器\"", "武器").replace("\"数量\"", "数量"))
                .and_then(|json| l.with_json(json))
        },
        true,
    ),
    (
        "cut off",
        |r, l| {
            let usual = format!("_.{}({}", l.name, l.arguments().join(", "));
            let cut = 6 + r.below(usual.len() - 6);
            Some(usual[..usual.floor_char_boundary(cut)].to_owned())
        },
        false,
    ),
];

fn capital(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

fn curly(written: &str, open: char, close: char) -> String {
    match written.starts_with(['"', '\'']) {
        true => format!("{open}{}{close}", &written[1..written.len() - 1]),
        false => written.to_owned(),
    }
}

/// Returns some lines of which one is damaged.
pub(crate) fn damaged(random: &mut Random, damage: Damage, can_be_meant: bool) -> Option<DamagedLines> {
    let lines: Vec<Line> = (0..1 + random.below(4)).map(|_| line(random)).collect();
    let at = if can_be_meant { random.below(lines.len()) } else { lines.len() - 1 };
    let broken = damage(random, &lines[at])?;
    let usual: Vec<String> = lines.iter().map(Line::usual).collect();
    let with = |one: Option<&str>| -> Vec<String> {
        let mut all = usual.clone();
        match one {
            Some(line) => all[at] = line.to_owned(),
            None => drop(all.remove(at)),
        }
        all
    };
    let message =
        |lines: &[String]| format!("雨停了。她收起伞。\n<UpdateVariable>\n{}\n</UpdateVariable>", lines.join("\n"));
    let damaged = match can_be_meant {
        true => message(&with(Some(&broken))),
        false => format!("雨停了。她收起伞。\n<UpdateVariable>\n{}", with(Some(&broken)).join("\n")),
    };
    Some(DamagedLines { before: message(&usual), message: damaged, others: message(&with(None)) })
}

pub(crate) fn lines(random: &mut Random) -> String {
    let lines: Vec<String> = (0..2 + random.below(3)).map(|_| line(random).usual()).collect();
    format!("雨停了。她收起伞。\n<UpdateVariable>\n{}\n</UpdateVariable>", lines.join("\n"))
}
