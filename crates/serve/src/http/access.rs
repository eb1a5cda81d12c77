//! Access control: host name, origin and access token.
//!
//! A web page can send requests to local servers. The `Host` and `Origin` headers reveal it, so
//! both are checked, with or without a token.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::host::{RequestHost, host_of, host_of_origin, target_of};
use super::problem::Problem;
use super::wrong_tokens::{self, WrongTokens};
use super::{AccessTokens, HttpOptions};
use crate::caller::{FORBIDDEN, Rights};

/// The access rules of a server.
#[derive(Debug)]
pub(super) struct Access {
    hosts: Vec<String>,
    tokens: Option<AccessTokens>,
    wrong_tokens: Option<WrongTokens>,
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

impl Client {
    fn at(peer: Option<SocketAddr>) -> Self {
        peer.map_or(Self::Unknown, |peer| Self::Address(network_of(peer.ip())))
    }
}

/// Returns the address that limits are counted for: of an IPv6 address only the first half, because clients choose the
/// second half themselves.
pub(super) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

impl Access {
    pub(super) fn new(http: &HttpOptions) -> Self {
        let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
        if !http.address.ip().is_unspecified() {
            hosts.push(http.address.ip().to_string());
        }
        hosts.extend(http.allowed_hosts.iter().filter_map(|host| host_of(host.trim())));
        let wrong_tokens = http.tokens.as_ref().and_then(|_| WrongTokens::new());
        Self { hosts, tokens: http.tokens.clone(), wrong_tokens }
    }

    /// Returns the client and its permissions, or the reason for rejection.
    fn admit(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        peer: Option<SocketAddr>,
        now: Instant,
    ) -> Result<(Client, Rights), Problem> {
        self.check_target(uri, headers)?;
        match only(headers, "host").and_then(host_of) {
            Some(host) if self.hosts.contains(&host) => {}
            _ => return Err(foreign_host()),
        }
        let elsewhere = || Err(foreign("Pages from elsewhere may not ask here.", "Ask from a page of a served host."));
        if headers.contains_key(header::ORIGIN) {
            match only(headers, "origin").and_then(host_of_origin) {
                Some(host) if self.hosts.contains(&host) => {}
                _ => return elsewhere(),
            }
        }
        // Cross-site loads of images and links have no `Origin`; browsers send this header instead.
        if headers.get_all("sec-fetch-site").iter().any(|site| site == "cross-site") {
            return elsewhere();
        }
        let address = Client::at(peer);
        let (Some(tokens), Some(wrong)) = (&self.tokens, &self.wrong_tokens) else {
            return Ok((address, Rights::Write));
        };
        if !headers.contains_key(header::AUTHORIZATION) {
            return Err(Problem::no_token());
        }
        let shown = only(headers, "authorization").and_then(|shown| tokens.shown_by(shown));
        let refused_for = match shown {
            Some((number, _)) => wrong.check(address, number, now),
            None => wrong.count(address, now),
        };
        match (refused_for, shown) {
            (Some(seconds), _) => Err(wrong_tokens::too_many(seconds)),
            (None, Some((number, rights))) => Ok((Client::Token(number), rights)),
            (None, None) => Err(Problem::no_token()),
        }
    }

    /// Rejects requests that name two hosts, or in their address one that is not served.
    fn check_target(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        if headers.get_all(header::HOST).iter().count() > 1 {
            return Err(Problem::bad_request("The request has several Host headers.", "Send one."));
        }
        match target_of(uri) {
            RequestHost::Path => Ok(()),
            RequestHost::Host(host) if self.hosts.contains(&host) => Ok(()),
            RequestHost::Host(_) | RequestHost::Invalid => Err(foreign_host()),
        }
    }
}

/// Returns the value of a header that occurs once.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn foreign(detail: &str, recovery: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, FORBIDDEN, detail, recovery)
}

fn foreign_host() -> Problem {
    foreign("This host name is not served here.", "Use localhost, or start the server with --allow-host NAME.")
}

/// Middleware that checks access and stores the permissions in the request.
pub(super) async fn check(State(access): State<Arc<Access>>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<SocketAddr>().copied();
    match access.admit(request.uri(), request.headers(), peer, Instant::now()) {
        Ok((client, rights)) => {
            request.extensions_mut().insert(client);
            request.extensions_mut().insert(rights);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}

/// Middleware for what everybody may ask: checks only whom the request is meant for.
pub(super) async fn check_target(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    match access.check_target(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
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
        status_at(access, "/api/v1", headers)
    }

    fn status_at(access: &Access, uri: &str, headers: &[(&'static str, &str)]) -> u16 {
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.append(*name, value.parse().unwrap());
        }
        let admitted = access.admit(&uri.parse().unwrap(), &all, None, Instant::now());
        admitted.map_or_else(|problem| problem.status.as_u16(), |_| 200)
    }

    #[test]
    fn a_request_that_names_two_hosts_is_refused() {
        let access = access("127.0.0.1:7777", None, &[]);
        assert_eq!(status(&access, &[("host", "localhost"), ("host", "localhost")]), 400);
        assert_eq!(status(&access, &[("host", "localhost"), ("host", "evil.example")]), 400);
        for (uri, expected) in [
            ("http://localhost:7777/api/v1", 200),
            ("http://evil.example/api/v1", 403),
            ("http://evil@localhost/api/v1", 403),
            ("https://localhost.evil.example/api/v1", 403),
        ] {
            assert_eq!(status_at(&access, uri, &[("host", "localhost")]), expected, "{uri}");
        }
        assert_eq!(status_at(&access, "http://localhost/api/v1", &[("host", "evil.example")]), 403);
        let two_origins = [("host", "localhost"), ("origin", "http://localhost"), ("origin", "http://evil.example")];
        assert_eq!(status(&access, &two_origins), 403);
    }

    #[test]
    fn addresses_are_counted_by_what_their_clients_cannot_choose() {
        let network = |text: &str| network_of(text.parse().unwrap()).to_string();
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    }

    #[test]
    fn wrong_tokens_are_limited_and_missing_ones_are_not_counted() {
        let access = access("127.0.0.1:7777", Some("0123456789abcdef"), &[]);
        let shown = |token: &str| status(&access, &[("host", "localhost"), ("authorization", token)]);
        assert!((0..30).all(|_| status(&access, &[("host", "localhost")]) == 401));
        assert!((0..20).all(|_| shown("Bearer wrong") == 401));
        assert_eq!((shown("Bearer wrong"), shown("Bearer 0123456789abcdef")), (429, 429));
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
            ("http://localhost:7777.evil", 403),
            ("http://localhost:7777/", 403),
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
            access.admit(&"/api/v1".parse().unwrap(), &headers, None, Instant::now()).unwrap()
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
