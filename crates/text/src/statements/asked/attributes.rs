//! Words that name one attribute: whoever is asked where somebody works may be told who employs them.

use crate::pairs::lexicon::Lexicon;
use crate::pairs::token::Token;
use crate::statements::cues::ChangeVerb;

/// An attribute with several names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    Home,
    Employer,
    Manager,
    Head,
    Site,
    Price,
    Size,
    Opening,
}

/// The names of each attribute. A verb is named by its plain form.
const NAMES: &[(Attribute, &str)] = &[
    (Attribute::Home, "live reside base dwell settle home"),
    (Attribute::Employer, "work employ employer employed job company"),
    (Attribute::Manager, "report manager boss supervisor supervise manage"),
    (Attribute::Head, "lead leader head chief led"),
    (Attribute::Site, "host hosted located location"),
    (Attribute::Price, "cost price charge bill fee pay"),
    (Attribute::Size, "member people headcount consist"),
    (Attribute::Opening, "open opening"),
];

/// Words of a question that say what sort of answer is expected: "which tool", "in which city".
const SORTS: &[&str] = &[
    "tool", "city", "town", "place", "day", "time", "hour", "person", "thing", "kind", "sort", "name", "program",
    "software", "country", "value", "date", "current", "exactly", "address", "number",
];

impl Attribute {
    /// Returns the attribute that a word names.
    pub(super) fn of(token: &Token) -> Option<Self> {
        let named =
            |names: &str| names.split(' ').any(|name| token.canon == name || token.key == Lexicon::shared().key(name));
        NAMES.iter().find(|(_, names)| named(names)).map(|(attribute, _)| *attribute)
    }

    /// Returns whether an event of this sort gives the attribute another value.
    pub(super) fn is_changed_by(self, change: ChangeVerb) -> bool {
        match change {
            ChangeVerb::Move => matches!(self, Self::Home | Self::Site),
            ChangeVerb::Transfer | ChangeVerb::Leave => self == Self::Employer,
            ChangeVerb::Amount => matches!(self, Self::Price | Self::Size),
            _ => false,
        }
    }
}

/// Returns whether a word of a question only says what sort of answer is expected.
pub(super) fn is_sort(token: &Token) -> bool {
    SORTS.contains(&&*token.canon)
}
