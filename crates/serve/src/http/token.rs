//! The tokens that clients show, and what each allows.

use std::fmt;

use subtle::ConstantTimeEq;

use crate::caller::Rights;

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

    /// Whether a text is it. How long that takes tells nothing about how much of it was right.
    fn is(&self, shown: &str) -> bool {
        shown.as_bytes().ct_eq(self.0.as_bytes()).into()
    }
}

/// The tokens of a server, each with what it allows.
#[derive(Debug, Clone)]
pub struct Tokens(Vec<(Token, Rights)>);

/// Why a text cannot be a list of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokensError {
    /// There is nothing in it.
    #[error("there is no token in it")]
    Empty,
    /// A line is no token.
    #[error("line {line}: {problem}")]
    Line {
        /// Which line, from one.
        line: usize,
        /// Why.
        problem: TokenError,
    },
    /// Two lines hold the same token.
    #[error("line {0}: the token stands there twice")]
    Twice(usize),
}

impl Tokens {
    /// One token that allows everything.
    pub fn one(token: Token) -> Self {
        Self(vec![(token, Rights::Write)])
    }

    /// Takes a list: a token a line, with `read` or `write` before it; without either it allows everything. Lines that begin with
    /// `#` say nothing.
    pub fn parse(text: &str) -> Result<Self, TokensError> {
        let mut tokens: Vec<(Token, Rights)> = Vec::new();
        for (number, line) in text.lines().enumerate().map(|(number, line)| (number + 1, line.trim())) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (rights, token) = match line.split_once(char::is_whitespace) {
                Some(("read", token)) => (Rights::Read, token),
                Some(("write", token)) => (Rights::Write, token),
                _ => (Rights::Write, line),
            };
            let token = Token::parse(token).map_err(|problem| TokensError::Line { line: number, problem })?;
            if tokens.iter().any(|(other, _)| other.is(&token.0)) {
                return Err(TokensError::Twice(number));
            }
            tokens.push((token, rights));
        }
        if tokens.is_empty() { Err(TokensError::Empty) } else { Ok(Self(tokens)) }
    }

    /// The number of the token that an `Authorization` header shows, and what it allows. All are compared, whichever it is.
    pub(crate) fn shown_by(&self, authorization: &str) -> Option<(usize, Rights)> {
        let (_, shown) = authorization.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))?;
        let shown = shown.trim();
        let all = self.0.iter().enumerate();
        all.fold(None, |found, (number, (token, rights))| if token.is(shown) { Some((number, *rights)) } else { found })
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
        let tokens = Tokens::parse(" 0123456789abcdef \n").unwrap();
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
    fn each_token_of_a_list_allows_what_stands_before_it() {
        let list = "# who may ask\n\nwrite aaaaaaaaaaaaaaaa\nread\tbbbbbbbbbbbbbbbb\ncccccccccccccccc\n";
        let tokens = Tokens::parse(list).unwrap();
        let shown = |token: &str| tokens.shown_by(&format!("Bearer {token}"));
        assert_eq!(shown("aaaaaaaaaaaaaaaa"), Some((0, Rights::Write)));
        assert_eq!(shown("bbbbbbbbbbbbbbbb"), Some((1, Rights::Read)));
        assert_eq!(shown("cccccccccccccccc"), Some((2, Rights::Write)));
        assert_eq!(shown("read bbbbbbbbbbbbbbbb"), None);
    }

    #[test]
    fn a_list_that_is_none_says_where() {
        let error = |text| Tokens::parse(text).unwrap_err();
        assert_eq!(error("# nobody\n"), TokensError::Empty);
        assert_eq!(error("\nread short"), TokensError::Line { line: 2, problem: TokenError::Short(5) });
        assert_eq!(error("own aaaaaaaaaaaaaaaa"), TokensError::Line { line: 1, problem: TokenError::Unprintable });
        assert_eq!(error("aaaaaaaaaaaaaaaa\nread aaaaaaaaaaaaaaaa"), TokensError::Twice(2));
    }

    #[test]
    fn what_can_be_guessed_or_not_sent_is_no_token() {
        assert_eq!(Token::parse("short").unwrap_err(), TokenError::Short(5));
        assert_eq!(Token::parse("two words of length").unwrap_err(), TokenError::Unprintable);
        assert_eq!(Token::parse("").unwrap_err(), TokenError::Short(0));
    }

    #[test]
    fn a_token_is_never_printed() {
        assert!(!format!("{:?}", Tokens::parse("0123456789abcdef").unwrap()).contains("0123"));
    }
}
