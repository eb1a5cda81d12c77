//! Newtypes for numbers in `[0, 1]`, so that a confidence cannot be passed as a weight.

use serde::{Deserialize, Serialize};

/// A number is not finite or not in `[0, 1]`.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{name} must be a number between 0 and 1, got {value}")]
pub struct OutOfRange {
    /// The name of the quantity.
    pub name: &'static str,
    /// The value.
    pub value: f64,
}

macro_rules! unit_interval {
    ($(#[$doc:meta])* $name:ident, $label:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(f64);

        impl $name {
            /// Validates that `value` is finite and in `[0, 1]`.
            pub fn new(value: f64) -> Result<Self, OutOfRange> {
                if (0.0..=1.0).contains(&value) {
                    Ok(Self(value))
                } else {
                    Err(OutOfRange { name: $label, value })
                }
            }

            /// Clamps `value` to `[0, 1]`; NaN becomes 0.
            pub fn saturating(value: f64) -> Self {
                Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
            }

            /// Returns the number.
            pub fn get(self) -> f64 {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{:.2}", self.0)
            }
        }
    };
}

unit_interval!(
    /// Confidence in a block.
    Confidence,
    "confidence"
);
unit_interval!(
    /// Strength of the association between two blocks.
    EdgeWeight,
    "weight"
);
unit_interval!(
    /// How useful something was: 0 harmful, 1 perfect.
    Signal,
    "signal"
);

impl Default for Confidence {
    /// The confidence of a new block (seed 003).
    fn default() -> Self {
        Self(0.50)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_outside_the_unit_interval_are_rejected_by_name() {
        for bad in [-0.01, 1.01, f64::NAN, f64::INFINITY] {
            let error = Signal::new(bad).unwrap_err();
            assert_eq!(error.name, "signal");
        }
        assert_eq!(Signal::new(1.0).unwrap().get(), 1.0);
    }

    #[test]
    fn saturating_clamps_and_treats_nan_as_zero() {
        assert_eq!(EdgeWeight::saturating(1.7).get(), 1.0);
        assert_eq!(EdgeWeight::saturating(-2.0).get(), 0.0);
        assert_eq!(EdgeWeight::saturating(f64::NAN).get(), 0.0);
    }
}
