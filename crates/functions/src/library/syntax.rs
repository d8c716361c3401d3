//! How a model should write a call of a function whose author gave no `syntax`.
//!
//! In: the function. Out: a sample call, derived from its pattern, its parameters, or the arguments that its
//! code uses. Nothing is run; a pattern that is too complex for a sample gives none.

use storeyline_state::Value;

use crate::library::function::{Executor, FunctionKind, VarFunction};

/// Maximum number of arguments in a sample.
const MAX_ARGS: usize = 12;

/// Returns a sample call. `None` if nothing tells what the arguments are.
pub fn sample(function: &VarFunction) -> Option<String> {
    let from_code = || from_code(&function.executor).map(|names| call(&function.name, &names));
    let has_pattern = matches!(function.kind, FunctionKind::Active { pattern: Some(_) });
    // What a pattern matches need not look like a call by name.
    declared(function).or_else(|| if has_pattern { None } else { from_code() })
}

/// Returns the sample call that the author declared: as `syntax`, by a pattern, or by parameters.
pub fn declared(function: &VarFunction) -> Option<String> {
    let notes = &function.notes;
    let names = parameters(notes.parameters.as_ref());
    notes.syntax.clone().filter(|syntax| !syntax.trim().is_empty()).or_else(|| match &function.kind {
        FunctionKind::Active { pattern: Some(pattern) } => from_pattern(pattern, &names),
        _ if !names.is_empty() => Some(call(&function.name, &names)),
        _ => None,
    })
}

/// Writes a call by name.
pub fn call(name: &str, args: &[String]) -> String {
    format!("@.{name}({});", args.join(", "))
}

/// Returns the parameters as they stand in a call: texts in quotes.
fn parameters(declared: Option<&Value>) -> Vec<String> {
    let list = declared.and_then(Value::as_list).unwrap_or_default();
    let argument = |parameter: &Value| {
        let name = parameter.as_text().or_else(|| parameter.get("name")?.as_text())?;
        let is_text = parameter.get("type").and_then(Value::as_text).is_some_and(|kind| kind == "string");
        Some(if is_text { format!("\"{name}\"") } else { name.to_owned() })
    };
    list.iter().take(MAX_ARGS).filter_map(argument).collect()
}

/// Turns a regular expression into a text that it matches, with names in place of its groups.
fn from_pattern(pattern: &str, names: &[String]) -> Option<String> {
    let source = pattern.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')).map_or(pattern, |(source, _)| source);
    let mut reader = PatternReader { rest: source, sample: String::new(), groups: 0, names };
    reader.read()?;
    Some(reader.sample.trim().to_owned()).filter(|sample| !sample.is_empty())
}

struct PatternReader<'a> {
    rest: &'a str,
    sample: String,
    groups: usize,
    names: &'a [String],
}

impl PatternReader<'_> {
    fn read(&mut self) -> Option<()> {
        while let Some(mark) = self.next() {
            let piece = match mark {
                '^' | '$' => continue,
                '\\' => match self.next()? {
                    's' if self.sample.ends_with(',') => Some(" ".to_owned()),
                    's' | 'b' | 'B' => Some(String::new()),
                    'd' => Some("1".to_owned()),
                    'w' | 'S' | 'D' | 'W' | 'p' | 'P' | 'k' | 'u' | 'x' | '0'..='9' => return None,
                    'n' | 'r' | 't' => Some(" ".to_owned()),
                    literal => Some(literal.to_string()),
                },
                '(' => self.group()?,
                '.' | '[' | '|' | ')' | '{' | '*' | '+' | '?' => return None,
                literal => Some(literal.to_string()),
            };
            self.skip_quantifier();
            self.sample.push_str(&piece.unwrap_or_default());
        }
        Some(())
    }

    fn next(&mut self) -> Option<char> {
        let mark = self.rest.chars().next()?;
        self.rest = &self.rest[mark.len_utf8()..];
        Some(mark)
    }

    /// Reads to the end of a group. A capturing one stands for an argument.
    fn group(&mut self) -> Option<Option<String>> {
        let inner_start = self.rest;
        let mut depth = 1;
        let mut in_class = false;
        while depth > 0 {
            match self.next()? {
                '\\' => drop(self.next()?),
                '[' => in_class = true,
                ']' => in_class = false,
                '(' if !in_class => depth += 1,
                ')' if !in_class => depth -= 1,
                _ => {}
            }
        }
        if let Some(special) = inner_start.strip_prefix('?') {
            let named = special.starts_with('<') && !special.starts_with("<=") && !special.starts_with("<!");
            // Look-around and alternatives without a capture cannot be shown simply.
            return if named { Some(Some(self.argument())) } else { None };
        }
        Some(Some(self.argument()))
    }

    fn argument(&mut self) -> String {
        self.groups += 1;
        let name = self.names.get(self.groups - 1).map(|name| name.trim_matches('"').to_owned());
        name.unwrap_or_else(|| format!("arg{}", self.groups))
    }

    fn skip_quantifier(&mut self) {
        if let Some(counted) = self.rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            self.rest = counted.1;
        }
        self.rest = self.rest.trim_start_matches(['*', '+', '?']);
    }
}

/// Returns names of the arguments that a script uses: `const [a, b] = args`, `args[1]`, or the parameters of
/// `(snapshot, a, b) => …`.
fn from_code(executor: &Executor) -> Option<Vec<String>> {
    let Executor::Script(source) = executor else { return Some(Vec::new()) };
    from_destructuring(source).or_else(|| from_function_head(source)).or_else(|| from_indices(source))
}

fn from_destructuring(source: &str) -> Option<Vec<String>> {
    let end = ["] = args", "]=args", "] =args", "]= args"].iter().filter_map(|ending| source.find(ending)).min()?;
    let start = source[..end].rfind('[')?;
    identifiers(&source[start + 1..end])
}

fn from_function_head(source: &str) -> Option<Vec<String>> {
    let head = source.trim_start();
    let head = head.strip_prefix("function").unwrap_or(head).trim_start();
    let head = head.strip_prefix('(')?;
    let list = &head[..head.find(')')?];
    let rest = list.trim_start().strip_prefix("snapshot")?.trim_start();
    match rest.strip_prefix(',') {
        Some(list) => identifiers(list),
        None => rest.is_empty().then(Vec::new),
    }
}

fn from_indices(source: &str) -> Option<Vec<String>> {
    let after = source.match_indices("args[").filter_map(|(at, mark)| source[at + mark.len()..].split(']').next());
    let count = after.filter_map(|index| index.trim().parse::<usize>().ok()).max().map_or(0, |most| most + 1);
    if count > MAX_ARGS || (count == 0 && source.contains("args")) {
        return None;
    }
    Some((1..=count).map(|number| format!("arg{number}")).collect())
}

/// Reads names separated by commas; a default value behind a name is left out.
fn identifiers(list: &str) -> Option<Vec<String>> {
    let name = |piece: &str| {
        let name = piece.split('=').next().unwrap_or_default().trim();
        let plain = !name.is_empty() && name.chars().all(|mark| mark.is_alphanumeric() || mark == '_' || mark == '$');
        plain.then(|| name.to_owned())
    };
    let names: Vec<String> =
        list.split(',').filter(|piece| !piece.trim().is_empty()).map(name).collect::<Option<_>>()?;
    Some(names).filter(|names| names.len() <= MAX_ARGS)
}

#[cfg(test)]
mod tests {
    use storeyline_state::json;

    use super::*;
    use crate::library::function::Scope;

    fn sample_of(definition: &str) -> Option<String> {
        sample(&VarFunction::from_value(&json::read(definition).unwrap(), Scope::Global).unwrap())
    }

    #[test]
    fn a_sample_comes_from_syntax_pattern_parameters_or_code() {
        for (definition, wanted) in [
            (r#"{"name":"A","syntax":"@.A(1);","pattern":"x","executor":""}"#, Some("@.A(1);")),
            (
                r#"{"name":"SET","pattern":"@\\.SET\\(\"([^\"]+)\",\\s*(.+?)\\);?","executor":""}"#,
                Some("@.SET(\"arg1\", arg2);"),
            ),
            (
                r#"{"name":"L","pattern":"/@\\.LEVELUP\\(\"([^\"]+)\", (\\d+)\\)/g","parameters":["who","n"],"executor":""}"#,
                Some("@.LEVELUP(\"who\", n)"),
            ),
            (r#"{"name":"H","pattern":"<heal (?<who>[a-z]+)/>","executor":""}"#, Some("<heal arg1/>")),
            (r#"{"name":"X","pattern":"a|b","executor":""}"#, None),
            (r#"{"name":"X","pattern":"(?:a|b)c","executor":""}"#, None),
            (r#"{"name":"X","pattern":"(unclosed","executor":""}"#, None),
            (
                r#"{"name":"P","parameters":[{"name":"path","type":"string"},{"name":"value"}],"executor":""}"#,
                Some("@.P(\"path\", value);"),
            ),
            (r#"{"name":"D","executor":"const [who, n = 1] = args;"}"#, Some("@.D(who, n);")),
            (r#"{"name":"F","executor":"(snapshot, path, value) => snapshot"}"#, Some("@.F(path, value);")),
            (r#"{"name":"I","executor":"snapshot.a = args[1] + args[0]"}"#, Some("@.I(arg1, arg2);")),
            (r#"{"name":"N","executor":"snapshot.a = 1"}"#, Some("@.N();")),
            (r#"{"name":"S","executor":"use(...args)"}"#, None),
            (r#"{"name":"C","implementation":{"steps":[]}}"#, Some("@.C();")),
        ] {
            assert_eq!(sample_of(definition).as_deref(), wanted, "{definition}");
        }
    }
}
