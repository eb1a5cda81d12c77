//! Parses numbers: `10k`, `10,000`, `ten thousand`, `€4.5 million`, `at least 3 litres`, `3rd`.
//!
//! Numbers are compared as ranges in a base unit, so `half an hour` equals `30 minutes` and `at
//! least 5` agrees with `7`.

use crate::terms::number_words::{BELOW_TWENTY, TENS};
use std::sync::OnceLock;

use super::hashing::WordSet;
use super::scan::{Break, ScannedWord};
use super::units::unit;

/// The unit of a number. Numbers of different units are never compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberUnit {
    /// A count, or an unknown unit.
    Plain,
    /// A rank: third.
    Ordinal,
    /// A known unit or currency, by its base unit.
    Of(&'static str),
}

/// A number with its unit and range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    /// The value in base units.
    pub(crate) value: f64,
    /// The unit.
    pub(crate) measure: NumberUnit,
    /// The smallest possible value.
    pub(crate) low: f64,
    /// The largest possible value.
    pub(crate) high: f64,
    /// Whether the text gives a bound or an estimate.
    pub(crate) bounded: bool,
}

impl Number {
    /// Creates an exact number.
    pub(crate) fn exact(value: f64, measure: NumberUnit) -> Self {
        Self { value, measure, low: value, high: value, bounded: false }
    }

    /// Returns the normalised spelling.
    pub(crate) fn canon(&self) -> String {
        let measure = match self.measure {
            NumberUnit::Plain => "",
            NumberUnit::Ordinal => "th",
            NumberUnit::Of(unit) => unit,
        };
        // Six decimal places distinguish amounts and hide rounding errors of conversions.
        let rounded = (self.value * 1e6).round() / 1e6;
        format!("{rounded}{measure}")
    }

    /// Returns true if both numbers can be true of one quantity.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let dust = 1e-9 * self.value.abs().max(other.value.abs());
        self.low <= other.high + dust && other.low <= self.high + dust
    }
}

/// Returns false quickly for most words.
fn may_be_number(word: &str) -> bool {
    static WORDS: OnceLock<WordSet<&'static str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let named = BELOW_TWENTY.iter().chain(&TENS).chain(&ORDINALS).chain(&ROMAN).copied();
        named.chain(["half", "dozen", "a", "last", "eur", "usd", "gbp", "chf"]).collect()
    });
    word.starts_with(|c: char| !c.is_alphabetic()) || words.contains(word)
}

/// Parses the number that starts at `at`. Returns the number of words it covers.
pub(crate) fn parse(pieces: &[ScannedWord], at: usize) -> Option<(Number, usize)> {
    if !may_be_number(&pieces.get(at)?.lower) {
        return None;
    }
    // "EUR 5", "\u{20ac} 5", "5 \u{20ac}"
    let money = |word: &str| match word {
        "eur" | "\u{20ac}" => Some("eur"),
        "usd" | "$" => Some("usd"),
        "gbp" | "\u{a3}" => Some("gbp"),
        "chf" => Some("chf"),
        _ => None,
    };
    if let Some(base) = money(&pieces[at].lower) {
        numeral(&pieces.get(at + 1)?.lower)?;
        let (mut number, taken) = parse(pieces, at + 1).filter(|(number, _)| number.measure == NumberUnit::Plain)?;
        number.measure = NumberUnit::Of(base);
        return Some((number, taken + 1));
    }
    let (mut value, mut measure, mut next, open_ended) = match numeral(&pieces[at].lower) {
        Some(numeral) => {
            let mut value = numeral.value;
            let mut next = at + 1;
            // "10 000"
            let group =
                |piece: &ScannedWord| piece.lower.len() == 3 && piece.lower.bytes().all(|byte| byte.is_ascii_digit());
            while value >= 1.0
                && value.fract() == 0.0
                && pieces[at].lower.len() <= 3
                && pieces[next - 1].after == Break::None
            {
                let Some(piece) = pieces.get(next).filter(|piece| group(piece)) else { break };
                value = value * 1e3 + piece.lower.parse::<f64>().unwrap_or(0.0);
                next += 1;
            }
            if let Some(scale) = pieces.get(next).and_then(|piece| scale(&piece.lower)).filter(|_| !numeral.ordinal) {
                value *= scale;
                next += 1;
            }
            let measure = if numeral.ordinal { NumberUnit::Ordinal } else { NumberUnit::Plain };
            let (value, measure) =
                numeral.unit.map_or((value, measure), |(base, size)| (value * size, NumberUnit::Of(base)));
            (value, measure, next, numeral.open_ended)
        }
        None => {
            if let Some(value) = roman(&pieces[at]) {
                return Some((Number::exact(value, NumberUnit::Plain), 1));
            }
            let (value, ordinal, next) = in_words(pieces, at)?;
            (value, if ordinal { NumberUnit::Ordinal } else { NumberUnit::Plain }, next, false)
        }
    };
    if measure == NumberUnit::Plain {
        // "half an hour" and "two-hour": skip the article or hyphen before the unit; "per cent" is
        // two words.
        let skip =
            usize::from(value < 1.0 && pieces.get(next).is_some_and(|piece| matches!(&*piece.lower, "a" | "an")));
        let word = pieces.get(next + skip).map(|piece| piece.lower.as_str());
        let area = matches!(word, Some("square" | "sq")).then(|| pieces.get(next + skip + 1)).flatten();
        if let Some((base @ "m", size)) = area.and_then(|piece| unit(&piece.lower)) {
            let _ = base;
            (value, measure, next) = (value * size * size, NumberUnit::Of("m2"), next + skip + 2);
        }
        let word = if measure == NumberUnit::Plain { word } else { None };
        let cent = word == Some("per") && pieces.get(next + skip + 1).is_some_and(|piece| piece.lower == "cent");
        if cent {
            (measure, next) = (NumberUnit::Of("%"), next + skip + 2);
        } else if let Some((base, size)) = word.and_then(unit) {
            (value, measure, next) = (value * size, NumberUnit::Of(base), next + skip + 1);
        }
    }
    let scale_named =
        matches!(pieces.get(next).map_or("", |piece| piece.lower.as_str()), "celsius" | "centigrade" | "c");
    if measure == NumberUnit::Of("degree") && scale_named {
        next += 1;
    }
    let mut number = Number::exact(value, measure);
    bound(&mut number, pieces, at, next, open_ended);
    Some((number, next - at))
}

struct Numeral {
    value: f64,
    ordinal: bool,
    unit: Option<(&'static str, f64)>,
    open_ended: bool,
}

/// Parses a number in digits with its attached signs.
fn numeral(word: &str) -> Option<Numeral> {
    let (word, currency) = match word.chars().next()? {
        '$' => (&word[1..], Some("usd")),
        '\u{20ac}' => (word.strip_prefix('\u{20ac}')?, Some("eur")),
        '\u{a3}' => (word.strip_prefix('\u{a3}')?, Some("gbp")),
        '+' => (&word[1..], None),
        _ => (word, None),
    };
    if let Some((over, under)) = word.split_once('/') {
        let (over, under): (u8, u8) = (over.parse().ok()?, under.parse().ok()?);
        let value = f64::from(over) / f64::from(under);
        return (over < under && under <= 16).then_some(Numeral {
            value,
            ordinal: false,
            unit: None,
            open_ended: false,
        });
    }
    let digits = word.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.')).count();
    let (figure, ending) = word.split_at(digits);
    // "1,5" can only be a decimal; "1,500" is one thousand five hundred.
    let decimal_comma =
        figure.split_once(',').is_some_and(|(_, part)| (1..=2).contains(&part.len()) && !figure.contains('.'));
    let grouped = figure.split('.').next().unwrap_or_default();
    let mut groups = grouped.split(',');
    let well_grouped =
        groups.next().is_some_and(|first| !first.is_empty() && (first.len() <= 3 || !grouped.contains(',')))
            && groups.all(|group| group.len() == 3);
    if !(well_grouped || decimal_comma)
        || figure.matches('.').count() > 1
        || figure.split('.').nth(1).is_some_and(|part| part.contains(','))
    {
        return None;
    }
    let value: f64 = if decimal_comma { figure.replace(',', ".") } else { figure.replace(',', "") }.parse().ok()?;
    let (ending, open_ended) = ending.strip_suffix('+').map_or((ending, false), |ending| (ending, true));
    let ending = ending.trim_start_matches('-');
    let mut numeral = Numeral { value, ordinal: false, unit: currency.map(|base| (base, 1.0)), open_ended };
    match ending {
        "" => {}
        "st" | "nd" | "rd" | "th" => numeral.ordinal = true,
        "k" => numeral.value *= 1e3,
        "mn" | "mio" => numeral.value *= 1e6,
        "m" if currency.is_some() => numeral.value *= 1e6,
        "bn" => numeral.value *= 1e9,
        "\u{20ac}" => numeral.unit = Some(("eur", 1.0)),
        "$" => numeral.unit = Some(("usd", 1.0)),
        "\u{a3}" => numeral.unit = Some(("gbp", 1.0)),
        _ => numeral.unit = Some(unit(ending)?),
    }
    Some(numeral)
}

const ROMAN: [&str; 11] = ["ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];

/// Parses a Roman numeral after a name, from two on: a single letter is ambiguous.
fn roman(piece: &ScannedWord) -> Option<f64> {
    let at = ROMAN.iter().position(|name| *name == piece.lower && name.len() > 1)?;
    (piece.capital && !piece.opens).then_some(at as f64 + 2.0)
}

fn scale(word: &str) -> Option<f64> {
    Some(match word {
        "hundred" => 1e2,
        "thousand" => 1e3,
        "million" | "millions" | "mio" | "mn" => 1e6,
        "billion" | "billions" | "bn" => 1e9,
        "dozen" => 12.0,
        _ => return None,
    })
}

const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
];

fn small(word: &str) -> Option<f64> {
    let at = BELOW_TWENTY.iter().position(|name| *name == word).map(|at| at as f64);
    at.or_else(|| TENS.iter().position(|name| *name == word).map(|at| (at as f64 + 2.0) * 10.0))
}

/// Parses a number in words. Returns its value, whether it is an ordinal, and where it ends.
fn in_words(pieces: &[ScannedWord], at: usize) -> Option<(f64, bool, usize)> {
    let word = |at: usize| pieces.get(at).map(|piece| piece.lower.as_str());
    let first = word(at)?;
    let before = at.checked_sub(1).and_then(word).unwrap_or_default();
    if first == "last" && before == "the" {
        return Some((-1.0, true, at + 1));
    }
    if first == "second" && matches!(before, "per" | "a" | "each" | "every") {
        return None;
    }
    if let Some(place) = ORDINALS.iter().position(|name| *name == first) {
        return Some((place as f64 + 1.0, true, at + 1));
    }
    match first {
        "half" => return Some((0.5, false, at + 1)),
        "dozen" => return Some((12.0, false, at + 1)),
        "once" | "twice" | "thrice" => return None,
        "a" if word(at + 1).and_then(scale).is_some() => {
            return Some((word(at + 1).and_then(scale)?, false, at + 2));
        }
        _ => {}
    }
    let (mut total, mut part, mut next) = (0.0, small(first)?, at + 1);
    while let Some(following) = word(next) {
        if let Some(scale) = scale(following) {
            part *= scale;
            if scale >= 1e3 {
                total += part;
                part = 0.0;
            }
            next += 1;
        } else if following == "and" && (total > 0.0 || part >= 100.0) && word(next + 1).and_then(small).is_some() {
            next += 1;
        } else if let Some(more) = small(following).filter(|more| fits_behind(part, *more, total)) {
            part += more;
            next += 1;
        } else if let Some(place) =
            ORDINALS.iter().take(9).position(|name| *name == following).filter(|_| part >= 20.0 && part % 10.0 == 0.0)
        {
            return Some((total + part + place as f64 + 1.0, true, next + 1));
        } else {
            break;
        }
    }
    Some((total + part, false, next))
}

/// Returns true if a number word continues the previous one: "twenty five", "two hundred ten", but
/// not "two three".
fn fits_behind(part: f64, more: f64, total: f64) -> bool {
    let tens = part % 100.0;
    (part >= 20.0 && tens >= 20.0 && tens % 10.0 == 0.0 && more < 10.0)
        || (part >= 100.0 && tens == 0.0)
        || (part == 0.0 && total > 0.0)
}

/// Widens the range by the surrounding words: at least, up to, about.
fn bound(number: &mut Number, pieces: &[ScannedWord], at: usize, next: usize, open_ended: bool) {
    let back =
        |steps: usize| at.checked_sub(steps).and_then(|at| pieces.get(at)).map_or("", |piece| piece.lower.as_str());
    let ahead = |steps: usize| pieces.get(next + steps).map_or("", |piece| piece.lower.as_str());
    let negated = matches!(back(3), "no" | "not" | "never");
    let more =
        matches!(back(2), "more" | "greater" | "higher" | "larger" | "longer" | "later" | "older" | "above" | "better")
            && back(1) == "than";
    let less = matches!(back(2), "less" | "fewer" | "lower" | "smaller" | "shorter" | "younger" | "below" | "earlier")
        && back(1) == "than";
    let or = matches!(ahead(0), "or");
    let at_least = (back(2), back(1)) == ("at", "least")
        || matches!(back(1), "over" | "above" | "exceeds" | "minimum" | "exceeding")
        || back(2) == "minimum" && back(1) == "of"
        || (or && matches!(ahead(1), "more" | "higher" | "longer" | "above" | "older"))
        || open_ended
        || (more && !negated)
        || (less && negated);
    let at_most = (back(2), back(1)) == ("at", "most")
        || (back(2), back(1)) == ("up", "to")
        || matches!(back(1), "under" | "below" | "within" | "maximum")
        || back(2) == "maximum" && back(1) == "of"
        || (or && matches!(ahead(1), "less" | "fewer" | "lower" | "below" | "younger"))
        || (less && !negated)
        || (more && negated);
    let about = matches!(
        back(1),
        "about" | "around" | "roughly" | "approximately" | "nearly" | "almost" | "circa" | "ca" | "some"
    );
    number.bounded = at_least || at_most || about;
    let strict = number.value.abs() * 1e-6;
    if at_least {
        number.high = f64::INFINITY;
        if more && !negated {
            number.low += strict;
        }
    }
    if at_most {
        number.low = f64::NEG_INFINITY;
        if less && !negated {
            number.high -= strict;
        }
    }
    if about && !at_least && !at_most {
        let slack = number.value.abs() * 0.1;
        (number.low, number.high) = (number.value - slack, number.value + slack);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::scan::scan;

    fn first(text: &str) -> Number {
        let pieces = scan(text).pieces;
        (0..pieces.len()).find_map(|at| parse(&pieces, at)).unwrap().0
    }

    #[test]
    fn number_spellings_are_equal() {
        for (one, other) in [
            ("10k", "10,000"),
            ("ten thousand", "10000"),
            ("2.5 million", "2,500,000"),
            ("twenty-five", "25"),
            ("two hundred and ten", "210"),
            ("0.20%", "0.2 percent"),
            ("3rd", "third"),
            ("half an hour", "30 minutes"),
            ("a fortnight is 14 days", "2 weeks"),
            ("\u{20ac}25k", "25,000 euros"),
            ("1.5 kg", "1500 grams"),
            ("90-minute", "1.5 hours"),
            ("twenty-first", "21st"),
        ] {
            assert_eq!(first(one).canon(), first(other).canon(), "{one} / {other}");
        }
    }

    #[test]
    fn bounds_agree_with_numbers_in_range() {
        assert!(first("at least 5 days").agrees(&first("a week, or 7 days")));
        assert!(!first("at least 2 litres").agrees(&first("at most 1 litre")));
        assert!(first("about 100").agrees(&first("95")));
        assert!(!first("100").agrees(&first("95")));
        assert!(first("20,000 or more").agrees(&first("at least 20,000")));
        assert!(!first("more than 20").agrees(&first("no more than 20")));
    }

    #[test]
    fn identifiers_are_not_numbers() {
        let pieces = scan("7a 9f3c2ab 1.0.8 db-2").pieces;
        assert!((0..pieces.len()).all(|at| parse(&pieces, at).is_none()));
    }
}
