//! Access control: host name, origin and access token.
//!
//! A web page can send requests to local servers. The `Host` and `Origin` headers reveal it, so
//! both are checked, with or without a token.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::problem::Problem;
use super::{AccessTokens, HttpOptions};
use crate::caller::{FORBIDDEN, Rights};

/// The access rules of a server.
#[derive(Debug)]
pub(super) struct Access {
    hosts: Vec<String>,
    tokens: Option<AccessTokens>,
}

/// The identity of a client for rate limiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Client {
    /// The client with the token of this index.
    Token(usize),
    /// The client at this address.
    Address(IpAddr),
    /// An unknown client.
    Unknown,
}

impl Access {
    pub(super) fn new(http: &HttpOptions) -> Self {
        let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
        if !http.address.ip().is_unspecified() {
            hosts.push(http.address.ip().to_string());
        }
        hosts.extend(http.allowed_hosts.iter().map(|host| bare(host)));
        Self { hosts, tokens: http.tokens.clone() }
    }

    /// Returns the client and its permissions, or the reason for rejection.
    fn admit(&self, headers: &HeaderMap, peer: Option<SocketAddr>) -> Result<(Client, Rights), Problem> {
        let text = |name: &str| headers.get(name).map(HeaderValue::to_str);
        match text("host") {
            Some(Ok(host)) if self.hosts.contains(&bare(host)) => {}
            _ => {
                return Err(foreign(
                    "This host name is not served here.",
                    "Use localhost, or start the server with --allow-host NAME.",
                ));
            }
        }
        let elsewhere = || Err(foreign("Pages from elsewhere may not ask here.", "Ask from a page of a served host."));
        match text("origin") {
            None => {}
            Some(Ok(origin)) if self.knows(origin) => {}
            Some(_) => return elsewhere(),
        }
        // Cross-site loads of images and links have no `Origin`; browsers send this header instead.
        if text("sec-fetch-site").is_some_and(|site| site.is_ok_and(|site| site == "cross-site")) {
            return elsewhere();
        }
        let Some(tokens) = &self.tokens else {
            return Ok((peer.map_or(Client::Unknown, |peer| Client::Address(peer.ip())), Rights::Write));
        };
        let shown = text(header::AUTHORIZATION.as_str()).and_then(Result::ok).and_then(|shown| tokens.shown_by(shown));
        shown.map(|(number, rights)| (Client::Token(number), rights)).ok_or_else(Problem::no_token)
    }

    /// Returns true if the origin is a served host.
    fn knows(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(|host| self.hosts.contains(&bare(host)))
    }
}

fn foreign(detail: &str, recovery: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, FORBIDDEN, detail, recovery)
}

/// Returns a host name without port in lower case; an IPv6 address without brackets.
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

/// Middleware that checks access and stores the permissions in the request.
pub(super) async fn check(State(access): State<Arc<Access>>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<SocketAddr>().copied();
    match access.admit(request.headers(), peer) {
        Ok((client, rights)) => {
            request.extensions_mut().insert(client);
            request.extensions_mut().insert(rights);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    fn access(address: &str, token: Option<&str>, allowed: &[&str]) -> Access {
        Access::new(&HttpOptions {
            address: address.parse().unwrap(),
            tokens: token.map(|token| AccessTokens::parse(token).unwrap()),
            allowed_hosts: allowed.iter().map(|host| (*host).to_owned()).collect(),
            limits: Limits::default(),
            access_log: false,
        })
    }

    fn status(access: &Access, headers: &[(&'static str, &str)]) -> u16 {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        access.admit(&headers, None).map_or_else(|problem| problem.status.as_u16(), |_| 200)
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
    fn what_a_foreign_page_loads_without_saying_where_from_is_refused_too() {
        let access = access("127.0.0.1:7777", None, &[]);
        for (site, expected) in [("cross-site", 403), ("same-origin", 200), ("none", 200)] {
            assert_eq!(status(&access, &[("host", "localhost"), ("sec-fetch-site", site)]), expected, "{site}");
        }
    }

    #[test]
    fn a_token_allows_what_it_was_given_for() {
        let access = access("127.0.0.1:7777", Some("read 0123456789abcdef\nwrite fedcba9876543210"), &[]);
        let admitted = |token: &str| {
            let headers = [("host", "localhost".to_owned()), ("authorization", format!("Bearer {token}"))];
            let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
            access.admit(&headers, None).unwrap()
        };
        assert_eq!(admitted("0123456789abcdef"), (Client::Token(0), Rights::Read));
        assert_eq!(admitted("fedcba9876543210"), (Client::Token(1), Rights::Write));
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
