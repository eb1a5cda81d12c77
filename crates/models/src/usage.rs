//! Token and call counters.

use std::ops::{Add, AddAssign};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

/// Tokens and calls. Calls are counted even if the server reports no tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input tokens of chat models.
    pub llm_input_tokens: u64,
    /// Output tokens of chat models.
    pub llm_output_tokens: u64,
    /// Input tokens of embedding models.
    pub embedding_tokens: u64,
    /// Successful calls to chat models.
    pub llm_calls: u64,
    /// Successful calls to embedding models.
    pub embedding_calls: u64,
}

impl Usage {
    /// Returns the usage since `earlier`.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            llm_input_tokens: self.llm_input_tokens.saturating_sub(earlier.llm_input_tokens),
            llm_output_tokens: self.llm_output_tokens.saturating_sub(earlier.llm_output_tokens),
            embedding_tokens: self.embedding_tokens.saturating_sub(earlier.embedding_tokens),
            llm_calls: self.llm_calls.saturating_sub(earlier.llm_calls),
            embedding_calls: self.embedding_calls.saturating_sub(earlier.embedding_calls),
        }
    }
}

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Self::default() {
            return f.write_str("nothing: no model server was called");
        }
        write!(
            f,
            "{} chat calls ({} tokens in, {} out), {} embedding calls ({} tokens)",
            self.llm_calls, self.llm_input_tokens, self.llm_output_tokens, self.embedding_calls, self.embedding_tokens,
        )
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            llm_input_tokens: self.llm_input_tokens.saturating_add(other.llm_input_tokens),
            llm_output_tokens: self.llm_output_tokens.saturating_add(other.llm_output_tokens),
            embedding_tokens: self.embedding_tokens.saturating_add(other.embedding_tokens),
            llm_calls: self.llm_calls.saturating_add(other.llm_calls),
            embedding_calls: self.embedding_calls.saturating_add(other.embedding_calls),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Usage {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}

/// A usage counter shared by several threads.
#[derive(Debug, Default)]
pub struct UsageMeter(Mutex<Usage>);

impl UsageMeter {
    /// Adds the usage of one call.
    pub fn add(&self, spent: Usage) {
        // Five integers are never half written, so a poisoned lock is still valid.
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += spent;
    }

    /// Returns the total so far.
    pub fn total(&self) -> Usage {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_adds_up_across_threads() {
        let meter = UsageMeter::default();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        meter.add(Usage { llm_calls: 1, llm_input_tokens: 7, ..Usage::default() });
                    }
                });
            }
        });
        assert_eq!(meter.total(), Usage { llm_calls: 400, llm_input_tokens: 2800, ..Usage::default() });
    }

    #[test]
    fn usage_since_is_the_difference() {
        let before = Usage { llm_calls: 3, llm_input_tokens: 70, ..Usage::default() };
        let after = before + Usage { llm_calls: 1, llm_input_tokens: 7, llm_output_tokens: 2, ..Usage::default() };
        let spent = after.since(before);
        assert_eq!(spent.to_string(), "1 chat calls (7 tokens in, 2 out), 0 embedding calls (0 tokens)");
        assert_eq!(before + spent, after);
        assert_eq!(Usage::default().to_string(), "nothing: no model server was called");
    }

    #[test]
    fn usage_counts_saturate() {
        let full = Usage { embedding_tokens: u64::MAX, ..Usage::default() };
        let sum: Usage =
            [full, Usage { embedding_tokens: 1, embedding_calls: 1, ..Usage::default() }].into_iter().sum();
        assert_eq!((sum.embedding_tokens, sum.embedding_calls), (u64::MAX, 1));
    }

    #[test]
    fn missing_usage_fields_default_to_zero() {
        let usage: Usage = serde_json::from_str(r#"{"llm_calls": 3}"#).unwrap();
        assert_eq!(usage, Usage { llm_calls: 3, ..Usage::default() });
    }
}
