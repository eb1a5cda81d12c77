//! Who may ask: the right host name, no foreign page, the token.
//!
//! A page in a browser can send requests to this machine. The name it believes to talk to (`Host`) and where it comes from
//! (`Origin`) give it away, so both are checked, with or without a token.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::{Http, Token};

/// The rules for one server.
#[derive(Debug)]
pub(super) struct Access {
    hosts: Vec<String>,
    token: Option<Token>,
}

impl Access {
    pub(super) fn new(http: &Http) -> Self {
        let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
        if !http.address.ip().is_unspecified() {
            hosts.push(http.address.ip().to_string());
        }
        hosts.extend(http.allowed_hosts.iter().map(|host| bare(host)));
        Self { hosts, token: http.token.clone() }
    }

    /// Why a request is refused; none when it is not.
    fn refuse(&self, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name: header::HeaderName| headers.get(name).map(HeaderValue::to_str);
        match text(header::HOST) {
            Some(Ok(host)) if self.hosts.contains(&bare(host)) => {}
            _ => return Some((StatusCode::FORBIDDEN, "This host name is not served here. See --allow-host.\n")),
        }
        match text(header::ORIGIN) {
            None => {}
            Some(Ok(origin)) if self.knows(origin) => {}
            Some(_) => return Some((StatusCode::FORBIDDEN, "Pages from elsewhere may not ask here.\n")),
        }
        let token = self.token.as_ref()?;
        let shown = text(header::AUTHORIZATION).and_then(Result::ok).is_some_and(|shown| token.is_shown_by(shown));
        (!shown).then_some((StatusCode::UNAUTHORIZED, "Send the token as `Authorization: Bearer TOKEN`.\n"))
    }

    /// Whether a page comes from a host that is served here.
    fn knows(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(|host| self.hosts.contains(&bare(host)))
    }
}

/// A host name without its port, in lower case; an IPv6 address without its brackets.
fn bare(host: &str) -> String {
    let host = host.trim().to_ascii_lowercase();
    if let Some((inside, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return inside.to_owned();
    }
    if host.parse::<IpAddr>().is_ok() {
        return host;
    }
    host.rsplit_once(':').map_or(host.clone(), |(name, _)| name.to_owned())
}

/// Lets a request through or answers why not.
pub(super) async fn check(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let Some((status, why)) = access.refuse(request.headers()) else { return next.run(request).await };
    let mut response = Response::new(Body::from(why));
    *response.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str, token: Option<&str>, allowed: &[&str]) -> Access {
        Access::new(&Http {
            address: address.parse().unwrap(),
            token: token.map(|token| Token::parse(token).unwrap()),
            allowed_hosts: allowed.iter().map(|host| (*host).to_owned()).collect(),
        })
    }

    fn status(access: &Access, headers: &[(&'static str, &str)]) -> u16 {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        access.refuse(&headers).map_or(200, |(status, _)| status.as_u16())
    }

    #[test]
    fn only_names_of_this_machine_and_allowed_ones_are_answered() {
        let access = access("127.0.0.1:7777", None, &["memory.example:443"]);
        for host in
            ["127.0.0.1:7777", "localhost", "LOCALHOST:1", "[::1]:7777", "memory.example", "Memory.Example:8443"]
        {
            assert_eq!(status(&access, &[("host", host)]), 200, "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "", "192.168.1.5:7777", "localhost.evil.example:7777"] {
            assert_eq!(status(&access, &[("host", host)]), 403, "{host}");
        }
        assert_eq!(status(&access, &[]), 403, "a request must say whom it means");
    }

    #[test]
    fn an_address_that_was_bound_is_answered_and_all_addresses_are_not() {
        assert_eq!(status(&access("192.168.1.5:7777", None, &[]), &[("host", "192.168.1.5:7777")]), 200);
        assert_eq!(status(&access("0.0.0.0:7777", None, &[]), &[("host", "0.0.0.0:7777")]), 403);
    }

    #[test]
    fn pages_from_elsewhere_are_refused() {
        let access = access("127.0.0.1:7777", None, &[]);
        for (origin, expected) in [
            ("http://localhost:3000", 200),
            ("http://127.0.0.1:7777", 200),
            ("https://evil.example", 403),
            ("http://localhost.evil.example", 403),
            ("null", 403),
            ("file://", 403),
        ] {
            assert_eq!(status(&access, &[("host", "localhost"), ("origin", origin)]), expected, "{origin}");
        }
    }

    #[test]
    fn with_a_token_only_who_shows_it_may_ask() {
        let access = access("127.0.0.1:7777", Some("0123456789abcdef"), &[]);
        let shown = |authorization| status(&access, &[("host", "localhost"), ("authorization", authorization)]);
        assert_eq!(status(&access, &[("host", "localhost")]), 401);
        assert_eq!(shown("Bearer wrong"), 401);
        assert_eq!(shown("Bearer 0123456789abcdef"), 200);
        let foreign = [("host", "evil.example"), ("authorization", "Bearer 0123456789abcdef")];
        assert_eq!(status(&access, &foreign), 403, "a token opens no foreign name");
    }
}
