//! The phrases of constraints, a table a language: needs of people, rules, limits, deadlines.
//!
//! See [`crate::updates`] for how they are written.

mod dutch;
mod english;
mod french;
mod german;
mod italian;
mod portuguese;
mod spanish;

use crate::language::Language;

/// Returns the phrases of a language.
pub(super) fn phrases(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => english::PHRASES,
        Language::German => german::PHRASES,
        Language::French => french::PHRASES,
        Language::Spanish => spanish::PHRASES,
        Language::Italian => italian::PHRASES,
        Language::Portuguese => portuguese::PHRASES,
        Language::Dutch => dutch::PHRASES,
    }
}
