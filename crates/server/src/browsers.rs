//! Access of browsers: one-time links, and the tokens that browsers get for them.
//!
//! Each link and each token is a small file in the data folder, named after the hash of its secret; the secret itself
//! is not stored. So a token is withdrawn by deleting a file, which works beside a running server, and no backup or
//! archive of the stories contains it. The time of the file is the time of the last use.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use storeyline_engine::{Owner, private};
use storeyline_state::text;
use storeyline_wire::access::Token;

use crate::random::random_hex;

/// A link can be opened for so long.
const LINK_LIFE: Duration = Duration::from_secs(60 * 60);

/// A token expires when it was not used for so long.
const TOKEN_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The time of the last use is only this precise, so that not every request writes.
const USE_PRECISION: Duration = Duration::from_secs(60 * 60);

/// Digits of the id of a token. They are the beginning of its hash, of which they reveal nothing useful.
const ID_LENGTH: usize = 12;

/// Length of the name of a file: a hash of 16 bytes.
const NAME_LENGTH: usize = 32;

/// Links and tokens in a data folder.
#[derive(Debug, Clone)]
pub struct Browsers {
    links: PathBuf,
    tokens: PathBuf,
}

/// The token of one browser, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserToken {
    pub id: String,
    pub owner: Owner,
    pub made: SystemTime,
    pub used: SystemTime,
}

impl BrowserToken {
    pub fn expires(&self) -> SystemTime {
        self.used + TOKEN_LIFE
    }

    /// Returns the token as clients see it; `current` is the id of the one that a request came with.
    pub fn shown(self, current: Option<&str>) -> Token {
        Token {
            owner: self.owner.name().to_owned(),
            made: milliseconds(self.made),
            used: milliseconds(self.used),
            expires: milliseconds(self.expires()),
            current: current == Some(&self.id),
            token: self.id,
        }
    }
}

pub(crate) fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |age| age.as_millis() as u64)
}

/// What a file contains.
#[derive(Serialize, Deserialize)]
struct Stored {
    owner: String,
    /// Milliseconds since 1970.
    made: u64,
}

impl Browsers {
    pub fn new(data: &Path) -> Browsers {
        Browsers { links: data.join("links"), tokens: data.join("browser-tokens") }
    }

    /// Makes a one-time link for an owner; returns its code and when it expires.
    pub fn make_link(&self, owner: &Owner, now: SystemTime) -> io::Result<(String, SystemTime)> {
        for (path, stored, _) in files(&self.links) {
            if is_over(now, stored.made(), LINK_LIFE) {
                let _ = fs::remove_file(path);
            }
        }
        let code = random_hex();
        store(&self.links, &code, owner, now)?;
        Ok((code, now + LINK_LIFE))
    }

    /// Exchanges the code of a link for a new token; `None` if the link was used, has expired or never existed.
    pub fn redeem(&self, code: &str, now: SystemTime) -> io::Result<Option<(String, BrowserToken)>> {
        let path = self.links.join(name_of(code));
        let Some((stored, _)) = read(&path) else { return Ok(None) };
        // Of several programs that redeem it at the same time only one can remove the file.
        if fs::remove_file(&path).is_err() || is_over(now, stored.made(), LINK_LIFE) {
            return Ok(None);
        }
        let secret = random_hex() + &random_hex();
        let owner = Owner::named(&stored.owner);
        store(&self.tokens, &secret, &owner, now)?;
        let id = name_of(&secret)[..ID_LENGTH].to_owned();
        Ok(Some((secret, BrowserToken { id, owner, made: now, used: now })))
    }

    /// Finds a valid token by its secret, and notes that it was used.
    pub fn find(&self, secret: &str, now: SystemTime) -> Option<BrowserToken> {
        let name = name_of(secret);
        let path = self.tokens.join(&name);
        let (stored, used) = read(&path)?;
        if is_over(now, used, TOKEN_LIFE) {
            let _ = fs::remove_file(path);
            return None;
        }
        if is_over(now, used, USE_PRECISION) {
            // A token that is withdrawn meanwhile stays withdrawn: no file is created.
            let _ = File::options().write(true).open(&path).and_then(|file| file.set_modified(now));
        }
        Some(stored.token(&name, used))
    }

    /// Lists the valid tokens, the one used last first.
    pub fn list(&self, now: SystemTime) -> Vec<BrowserToken> {
        let valid = files(&self.tokens).filter(|(_, _, used)| !is_over(now, *used, TOKEN_LIFE));
        let token =
            |(path, stored, used): (PathBuf, Stored, SystemTime)| Some(stored.token(path.file_name()?.to_str()?, used));
        let mut tokens: Vec<BrowserToken> = valid.filter_map(token).collect();
        tokens.sort_by(|one, other| (other.used, &one.id).cmp(&(one.used, &other.id)));
        tokens
    }

    /// Withdraws the token with this id if it belongs to `owner` (`None`: to anyone); tells whether there was one.
    pub fn withdraw(&self, id: &str, owner: Option<&Owner>) -> bool {
        let is_meant = |path: &Path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().get(..ID_LENGTH).is_some_and(|own| own == id))
        };
        files(&self.tokens)
            .filter(|(path, stored, _)| {
                is_meant(path) && owner.is_none_or(|owner| owner.name() == stored.owner.as_str())
            })
            .any(|(path, _, _)| fs::remove_file(path).is_ok())
    }
}

impl Stored {
    fn made(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.made)
    }

    fn token(&self, name: &str, used: SystemTime) -> BrowserToken {
        let id = name.get(..ID_LENGTH).unwrap_or(name).to_owned();
        BrowserToken { id, owner: Owner::named(&self.owner), made: self.made(), used }
    }
}

/// A clock that was set back does not prolong anything: a time in the future counts as now.
fn is_over(now: SystemTime, since: SystemTime, life: Duration) -> bool {
    now.duration_since(since).is_ok_and(|age| age >= life)
}

/// The name of a secret's file. Finding it by name takes the same time whatever the secret is.
fn name_of(secret: &str) -> String {
    text::hash(secret).as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn store(folder: &Path, secret: &str, owner: &Owner, now: SystemTime) -> io::Result<()> {
    private::create_folder(folder)?;
    let made = now.duration_since(UNIX_EPOCH).map_or(0, |age| age.as_millis() as u64);
    let stored = Stored { owner: owner.name().to_owned(), made };
    let path = folder.join(name_of(secret));
    private::write_file(&path, &serde_json::to_string(&stored)?)?;
    File::options().write(true).open(&path)?.set_modified(now)
}

/// Reads a file and the time of its last use; `None` if it is missing or invalid.
fn read(path: &Path) -> Option<(Stored, SystemTime)> {
    let used = fs::metadata(path).ok()?.modified().ok()?;
    Some((serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?, used))
}

fn files(folder: &Path) -> impl Iterator<Item = (PathBuf, Stored, SystemTime)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    // A file that is just being written has a longer name.
    let entries = entries.filter(|entry| entry.file_name().len() == NAME_LENGTH).map(|entry| entry.path());
    entries.filter_map(|path| read(&path).map(|(stored, used)| (path, stored, used)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn start() -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_800_000_000)
    }

    fn signed_in(browsers: &Browsers, owner: &str) -> (String, BrowserToken) {
        let (code, _) = browsers.make_link(&Owner::named(owner), start()).unwrap();
        browsers.redeem(&code, start()).unwrap().unwrap()
    }

    #[test]
    fn a_link_gives_one_token_for_the_owner_it_was_made_for() {
        let folder = tempfile::tempdir().unwrap();
        let browsers = Browsers::new(folder.path());
        let (code, _) = browsers.make_link(&Owner::named("anna"), start()).unwrap();
        let (secret, token) = browsers.redeem(&code, start()).unwrap().unwrap();
        assert_eq!(token.owner, Owner::named("anna"));
        assert_eq!(browsers.redeem(&code, start()).unwrap(), None, "it is used up");
        assert_eq!(browsers.find(&secret, start()), Some(token));
        assert_eq!(browsers.find(&code, start()), None, "the code is not a token");
    }

    #[test]
    fn links_and_tokens_expire_and_use_prolongs_a_token() {
        let folder = tempfile::tempdir().unwrap();
        let browsers = Browsers::new(folder.path());
        let (code, expires) = browsers.make_link(&Owner::local(), start()).unwrap();
        assert_eq!(browsers.redeem(&code, expires).unwrap(), None);
        let (secret, token) = signed_in(&browsers, "local");
        assert!(browsers.find(&secret, start() + 20 * DAY).is_some());
        assert!(browsers.find(&secret, token.expires()).is_some(), "it was used meanwhile");
        assert_eq!(browsers.list(start() + 100 * DAY), []);
        assert_eq!(browsers.find(&secret, start() + 100 * DAY), None);
    }

    #[test]
    fn a_withdrawn_token_opens_nothing_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let browsers = Browsers::new(folder.path());
        let (first, token) = signed_in(&browsers, "anna");
        let (second, _) = signed_in(&browsers, "anna");
        assert_eq!(browsers.list(start()).len(), 2);
        assert!(!browsers.withdraw(&token.id, Some(&Owner::named("bert"))), "it is not his");
        for odd in ["", "..", "../../token", &token.id[..5]] {
            assert!(!browsers.withdraw(odd, None), "{odd}");
        }
        assert!(browsers.withdraw(&token.id, Some(&Owner::named("anna"))));
        assert_eq!(browsers.find(&first, start()), None);
        assert!(browsers.find(&second, start()).is_some());
    }

    #[test]
    fn no_secret_is_stored() {
        let folder = tempfile::tempdir().unwrap();
        let browsers = Browsers::new(folder.path());
        let (waiting, _) = browsers.make_link(&Owner::local(), start()).unwrap();
        let (secret, _) = signed_in(&browsers, "local");
        for (path, _, _) in files(&browsers.links).chain(files(&browsers.tokens)) {
            let all = path.display().to_string() + &fs::read_to_string(&path).unwrap();
            assert!(!all.contains(&secret) && !all.contains(&waiting), "{all}");
        }
    }
}
