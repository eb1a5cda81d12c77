//! Host names in headers and addresses, read strictly.

use std::net::Ipv6Addr;

use axum::http::Uri;

/// Returns the host of `HOST` or `HOST:PORT` in lower case, an IPv6 address without brackets.
///
/// Returns `None` for anything else: a text that only starts like a host, such as `localhost:80.evil.example`, is none.
pub(super) fn host_of(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    if let Ok(address) = text.parse::<Ipv6Addr>() {
        return Some(address.to_string());
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        let address: Ipv6Addr = address.parse().ok()?;
        return is_port(port).then(|| address.to_string());
    }
    let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
    let is_name =
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'));
    (is_name && is_port(port)).then(|| name.to_owned())
}

/// Returns true for nothing, or a colon and a port.
fn is_port(text: &str) -> bool {
    let Some(port) = text.strip_prefix(':') else { return text.is_empty() };
    port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok()
}

/// Returns the host of an origin: `http://HOST:PORT`, with nothing after it.
pub(super) fn host_of_origin(origin: &str) -> Option<String> {
    host_of(origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))?)
}

/// The host that a request line names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RequestHost {
    /// A path alone.
    Path,
    /// A whole address with this host.
    Host(String),
    /// An address that is no host.
    Invalid,
}

/// Returns the host that the address of a request names. Proxies are sent whole addresses; this is none.
pub(super) fn target_of(uri: &Uri) -> RequestHost {
    let Some(authority) = uri.authority() else { return RequestHost::Path };
    host_of(authority.as_str()).map_or(RequestHost::Invalid, RequestHost::Host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_with_and_without_port() {
        for (text, host) in [
            ("localhost", "localhost"),
            ("LOCALHOST:1", "localhost"),
            ("127.0.0.1:7777", "127.0.0.1"),
            ("[::1]:7777", "::1"),
            ("[::1]", "::1"),
            ("::1", "::1"),
            ("[0:0:0:0:0:0:0:1]", "::1"),
            ("memory_1.example-2:65535", "memory_1.example-2"),
        ] {
            assert_eq!(host_of(text).as_deref(), Some(host), "{text}");
        }
    }

    #[test]
    fn what_only_starts_like_a_host_is_none() {
        for text in [
            "",
            ":80",
            "localhost:80.evil.example",
            "localhost:80:80",
            "localhost:",
            "localhost:65536",
            "localhost:+80",
            "localhost:80 ",
            " localhost",
            "localhost/x",
            "localhost#",
            "localhost@evil.example",
            "evil@localhost",
            "localhost\\evil",
            "local\u{200b}host",
            "[::1].evil.example",
            "[::1]evil",
            "[::1]:80.evil",
            "[localhost]",
            "[::1",
            "localhost,evil.example",
        ] {
            assert_eq!(host_of(text), None, "{text:?}");
        }
    }

    #[test]
    fn origins_are_a_scheme_and_a_host() {
        assert_eq!(host_of_origin("http://localhost:3000").as_deref(), Some("localhost"));
        for text in
            ["http://localhost:7777.evil", "null", "file://", "http://localhost/", "ftp://localhost", "localhost"]
        {
            assert_eq!(host_of_origin(text), None, "{text}");
        }
    }

    #[test]
    fn the_address_of_a_request_may_name_a_host() {
        let target = |uri: &str| target_of(&uri.parse().unwrap());
        assert_eq!(target("/api/v1"), RequestHost::Path);
        assert_eq!(target("http://Evil.example:80/api/v1"), RequestHost::Host("evil.example".into()));
        assert_eq!(target("http://x@localhost/api/v1"), RequestHost::Invalid);
    }
}
