//! Refused requests, on every route: other host names (rebinding), other origins, no token or a
//! wrong one, and everything that a form on another page could send.

use super::schema::Random;
use super::seeded::Seeded;
use super::walk::{operations, request};

#[test]
fn strangers_are_refused_on_every_route() {
    let seeded = Seeded::new("local");
    let last = || seeded.ask("GET", "/api/v1/changes", None, "local").body;
    let before = last();
    let address = seeded.server.url.strip_prefix("http://").unwrap().to_owned();
    for operation in operations(&seeded.api) {
        let ask = request(&seeded, &operation, &seeded.known, &mut Random(3), "local");
        let about = format!("{} {}", operation.method, operation.path);
        let refused = |ask: &super::wire::Ask, status: u16, code: &str| {
            assert_eq!(seeded.send(ask).refusal(), (status, code.to_owned()), "{about}");
        };
        for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", ""] {
            refused(&ask.clone().with("Host", host), 403, "bad_host");
        }
        for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "file://"] {
            refused(&ask.clone().with("Origin", origin), 403, "bad_origin");
        }
        if operation.is_open() {
            continue;
        }
        refused(&ask.clone().without("Authorization"), 401, "no_token");
        for token in ["Bearer wrong", "Bearer ", "Basic eDp5", &format!("Bearer {}x", seeded.server.token)] {
            refused(&ask.clone().with("Authorization", token), 401, "no_token");
        }
        let cookie = format!("storeyline={}; token={}", seeded.server.token, seeded.server.token);
        refused(&ask.clone().without("Authorization").with("Cookie", &cookie), 401, "no_token");
        if operation.changes() {
            refused(&ask.clone().without("X-Storeyline"), 403, "no_header");
            for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""] {
                refused(&ask.clone().with("Content-Type", kind), 415, "not_json");
            }
            refused(&ask.clone().without("Content-Type"), 415, "not_json");
            // The page itself is allowed.
            let own = ask.clone().with("Origin", &format!("http://{address}")).without("Authorization");
            refused(&own, 401, "no_token");
        }
        let other = super::wire::Ask {
            method: "PATCH".into(),
            ..ask.with("X-Storeyline", "1").with("Content-Type", "application/json")
        };
        refused(&other, 405, "bad_method");
    }
    assert_eq!(last(), before, "nothing was changed by any of them");
}
