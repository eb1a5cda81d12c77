//! Access tokens and their permissions.

use std::fmt;

use subtle::ConstantTimeEq;

use crate::caller::Rights;

/// Minimum length of a token.
const SHORTEST: usize = 16;

/// An access token. Never printed.
#[derive(Clone)]
pub struct AccessToken(String);

/// A text is not a valid token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The text is too short.
    #[error("the token has {0} characters and needs at least {SHORTEST}")]
    Short(usize),
    /// The text contains characters that a header cannot carry.
    #[error("the token holds spaces or other characters that a header cannot carry")]
    Unprintable,
}

impl AccessToken {
    /// Validates a token and trims surrounding white space.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        if !text.chars().all(|c| c.is_ascii_graphic()) {
            return Err(TokenError::Unprintable);
        }
        if text.len() < SHORTEST {
            return Err(TokenError::Short(text.len()));
        }
        Ok(Self(text.to_owned()))
    }

    /// Compares in constant time.
    fn is(&self, shown: &str) -> bool {
        shown.as_bytes().ct_eq(self.0.as_bytes()).into()
    }
}

/// The accepted access tokens with their permissions.
#[derive(Debug, Clone)]
pub struct AccessTokens(Vec<(AccessToken, Rights)>);

/// A text is not a valid list of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokensError {
    /// The list is empty.
    #[error("there is no token in it")]
    Empty,
    /// A line is not a valid token.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The reason.
        problem: TokenError,
    },
    /// A token occurs twice.
    #[error("line {0}: the token stands there twice")]
    Twice(usize),
}

impl AccessTokens {
    /// Creates a list of one token with all permissions.
    pub fn one(token: AccessToken) -> Self {
        Self(vec![(token, Rights::Write)])
    }

    /// Parses a list: one token per line, after `read` or `write`; without either, the token has
    /// all permissions. Lines that start with `#` are comments.
    pub fn parse(text: &str) -> Result<Self, TokensError> {
        let mut tokens: Vec<(AccessToken, Rights)> = Vec::new();
        for (number, line) in text.lines().enumerate().map(|(number, line)| (number + 1, line.trim())) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (rights, token) = match line.split_once(char::is_whitespace) {
                Some(("read", token)) => (Rights::Read, token),
                Some(("write", token)) => (Rights::Write, token),
                _ => (Rights::Write, line),
            };
            let token = AccessToken::parse(token).map_err(|problem| TokensError::Line { line: number, problem })?;
            if tokens.iter().any(|(other, _)| other.is(&token.0)) {
                return Err(TokensError::Twice(number));
            }
            tokens.push((token, rights));
        }
        if tokens.is_empty() { Err(TokensError::Empty) } else { Ok(Self(tokens)) }
    }

    /// Returns the index and permissions of the token in an `Authorization` header. Always compares
    /// all tokens.
    pub(crate) fn shown_by(&self, authorization: &str) -> Option<(usize, Rights)> {
        let (_, shown) = authorization.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))?;
        let shown = shown.trim();
        let all = self.0.iter().enumerate();
        all.fold(None, |found, (number, (token, rights))| if token.is(shown) { Some((number, *rights)) } else { found })
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_token_matches() {
        let tokens = AccessTokens::parse(" 0123456789abcdef \n").unwrap();
        for right in ["Bearer 0123456789abcdef", "bearer 0123456789abcdef"] {
            assert_eq!(tokens.shown_by(right), Some((0, Rights::Write)));
        }
        for wrong in [
            "",
            "0123456789abcdef",
            "Bearer",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdeF",
            "Basic 0123456789abcdef",
        ] {
            assert_eq!(tokens.shown_by(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tokens_have_the_listed_permissions() {
        let list = "# who may ask\n\nwrite aaaaaaaaaaaaaaaa\nread\tbbbbbbbbbbbbbbbb\ncccccccccccccccc\n";
        let tokens = AccessTokens::parse(list).unwrap();
        let shown = |token: &str| tokens.shown_by(&format!("Bearer {token}"));
        assert_eq!(shown("aaaaaaaaaaaaaaaa"), Some((0, Rights::Write)));
        assert_eq!(shown("bbbbbbbbbbbbbbbb"), Some((1, Rights::Read)));
        assert_eq!(shown("cccccccccccccccc"), Some((2, Rights::Write)));
        assert_eq!(shown("read bbbbbbbbbbbbbbbb"), None);
    }

    #[test]
    fn invalid_token_lists_name_the_line() {
        let error = |text| AccessTokens::parse(text).unwrap_err();
        assert_eq!(error("# nobody\n"), TokensError::Empty);
        assert_eq!(error("\nread short"), TokensError::Line { line: 2, problem: TokenError::Short(5) });
        assert_eq!(error("own aaaaaaaaaaaaaaaa"), TokensError::Line { line: 1, problem: TokenError::Unprintable });
        assert_eq!(error("aaaaaaaaaaaaaaaa\nread aaaaaaaaaaaaaaaa"), TokensError::Twice(2));
    }

    #[test]
    fn short_and_unprintable_tokens_are_rejected() {
        assert_eq!(AccessToken::parse("short").unwrap_err(), TokenError::Short(5));
        assert_eq!(AccessToken::parse("two words of length").unwrap_err(), TokenError::Unprintable);
        assert_eq!(AccessToken::parse("").unwrap_err(), TokenError::Short(0));
    }

    #[test]
    fn a_token_is_never_printed() {
        assert!(!format!("{:?}", AccessTokens::parse("0123456789abcdef").unwrap()).contains("0123"));
    }
}
