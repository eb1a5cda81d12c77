//! The token that clients show.

use std::fmt;

use subtle::ConstantTimeEq;

/// The shortest token: shorter ones can be guessed.
const SHORTEST: usize = 16;

/// A secret between the server and its clients. It is never printed.
#[derive(Clone)]
pub struct Token(String);

/// Why a text cannot be a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is too short.
    #[error("the token has {0} characters and needs at least {SHORTEST}")]
    Short(usize),
    /// It holds something that no header can carry.
    #[error("the token holds spaces or other characters that a header cannot carry")]
    Unprintable,
}

impl Token {
    /// Takes a text, without the white space around it.
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

    /// Whether an `Authorization` header shows it. How long that takes tells nothing about how much of it was right.
    pub(crate) fn is_shown_by(&self, authorization: &str) -> bool {
        let shown = authorization.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        shown.is_some_and(|(_, token)| token.trim().as_bytes().ct_eq(self.0.as_bytes()).into())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_shown_whole_or_not_at_all() {
        let token = Token::parse(" 0123456789abcdef \n").unwrap();
        assert!(token.is_shown_by("Bearer 0123456789abcdef"));
        assert!(token.is_shown_by("bearer 0123456789abcdef"));
        for wrong in [
            "",
            "0123456789abcdef",
            "Bearer",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdeF",
            "Basic 0123456789abcdef",
        ] {
            assert!(!token.is_shown_by(wrong), "{wrong}");
        }
    }

    #[test]
    fn what_can_be_guessed_or_not_sent_is_no_token() {
        assert_eq!(Token::parse("short").unwrap_err(), TokenError::Short(5));
        assert_eq!(Token::parse("two words of length").unwrap_err(), TokenError::Unprintable);
        assert_eq!(Token::parse("").unwrap_err(), TokenError::Short(0));
    }

    #[test]
    fn a_token_is_never_printed() {
        assert!(!format!("{:?}", Token::parse("0123456789abcdef").unwrap()).contains("0123"));
    }
}
