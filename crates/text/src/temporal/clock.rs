//! Parses times of day: `14:00`, `1:56 pm`, `2pm`, `14:00:05.5+02:00`.

use jiff::SignedDuration;
use jiff::civil::{Date, Time};
use jiff::tz::Offset;

use super::span::TimeSpan;

/// A time of day with the precision it was written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockTime {
    time: Time,
    /// The precision: one hour, one minute or one second.
    grain: SignedDuration,
    /// The UTC offset, if written.
    offset: Option<Offset>,
    /// Whether `am` or `pm` may follow.
    open: bool,
}

/// AM or PM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meridiem {
    Am,
    Pm,
}

const HOUR: SignedDuration = SignedDuration::from_hours(1);
const MINUTE: SignedDuration = SignedDuration::from_mins(1);
const SECOND: SignedDuration = SignedDuration::from_secs(1);

impl ClockTime {
    /// Creates a full hour on a twelve-hour clock.
    pub(super) fn of_hour(hour: u32, meridiem: Meridiem) -> Option<Self> {
        let hour = i8::try_from(hour).ok()?;
        Self { time: Time::new(hour, 0, 0, 0).ok()?, grain: HOUR, offset: None, open: true }.with_meridiem(meridiem)
    }

    /// Parses `noon` and `midnight`.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        let hour = match word {
            "noon" | "midday" => 12,
            "midnight" => 0,
            _ => return None,
        };
        Some(Self { time: Time::new(hour, 0, 0, 0).ok()?, grain: HOUR, offset: None, open: false })
    }

    /// Converts to the 24-hour clock. Returns `None` if the hour does not fit a twelve-hour clock.
    pub(super) fn with_meridiem(self, meridiem: Meridiem) -> Option<Self> {
        let hour = self.time.hour();
        if !self.open || !(1..=12).contains(&hour) {
            return None;
        }
        let hour = hour % 12 + if meridiem == Meridiem::Pm { 12 } else { 0 };
        Some(Self { time: self.time.with().hour(hour).build().ok()?, open: false, ..self })
    }

    /// Sets the UTC offset, unless one was written.
    pub(super) fn with_offset(self, offset: Offset) -> Self {
        Self { offset: Some(self.offset.unwrap_or(offset)), ..self }
    }

    /// Returns this time on `date` as a span of its precision.
    pub(super) fn on(self, date: Date) -> Option<TimeSpan> {
        let offset = self.offset.unwrap_or(Offset::UTC);
        TimeSpan::lasting(offset.to_timestamp(date.to_datetime(self.time)).ok()?, self.grain)
    }
}

/// Parses `am`, `p.m` and their variants.
pub(super) fn meridiem(word: &str) -> Option<Meridiem> {
    match word {
        "am" | "a.m" => Some(Meridiem::Am),
        "pm" | "p.m" => Some(Meridiem::Pm),
        _ => None,
    }
}

/// Parses a time of day written without spaces. A bare hour is accepted only after a date
/// (`hour_alone`).
pub(super) fn parse(text: &str, hour_alone: bool) -> Option<ClockTime> {
    let (hour, mut rest) = digits(text, 1..=2)?;
    let (mut minute, mut second, mut nanos, mut grain) = (0, 0, 0, HOUR);
    if let Some(after) = rest.strip_prefix(':') {
        (minute, rest) = digits(after, 2..=2)?;
        grain = MINUTE;
        if let Some(after) = rest.strip_prefix(':') {
            (second, rest) = digits(after, 2..=2)?;
            grain = SECOND;
            if let Some(after) = rest.strip_prefix(['.', ',']) {
                let (fraction, beyond) = digits(after, 1..=9)?;
                nanos = fraction * 10i32.pow(9 - u32::try_from(after.len() - beyond.len()).ok()?);
                rest = beyond;
            }
        }
    }
    let byte = |value: i32| i8::try_from(value).ok();
    let time = Time::new(byte(hour)?, byte(minute)?, byte(second)?, nanos).ok()?;
    let clock = ClockTime { time, grain, offset: None, open: true };
    if rest.is_empty() {
        return (hour_alone || grain != HOUR).then_some(clock);
    }
    if let Some(half) = meridiem(&rest.to_ascii_lowercase()) {
        return clock.with_meridiem(half);
    }
    Some(ClockTime { open: false, ..clock }.with_offset(offset(rest)?)).filter(|_| hour_alone || grain != HOUR)
}

/// Parses a UTC offset: `Z`, `+02:00`, `-0530`, `UTC+2`.
pub(super) fn offset(text: &str) -> Option<Offset> {
    let lower = text.to_ascii_lowercase();
    let named = lower.strip_prefix("utc").or_else(|| lower.strip_prefix("gmt"));
    if lower == "z" || named == Some("") {
        return Some(Offset::UTC);
    }
    let signed = named.unwrap_or(&lower);
    let (sign, rest) = match (signed.strip_prefix('+'), signed.strip_prefix(['-', '−'])) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (-1, rest),
        _ => return None,
    };
    let (hours, rest) = digits(rest, if named.is_some() { 1..=2 } else { 2..=2 })?;
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let minutes = if rest.is_empty() { 0 } else { digits(rest, 2..=2).filter(|(_, rest)| rest.is_empty())?.0 };
    let fits = hours <= 14 && minutes < 60;
    Offset::from_seconds(sign * (hours * 3_600 + minutes * 60)).ok().filter(|_| fits)
}

/// Splits the leading number off a text, if its number of digits is allowed.
pub(super) fn digits(text: &str, allowed: std::ops::RangeInclusive<usize>) -> Option<(i32, &str)> {
    let length = text.bytes().take(*allowed.end()).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(length)?;
    if allowed.contains(&length) { Some((number.parse().ok()?, rest)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_precision_follows_the_spelling() {
        let read = |text: &str| parse(text, false).map(|clock| (clock.time.to_string(), clock.grain.as_secs()));
        let is = |time: &str, grain: i64| Some((time.to_owned(), grain));
        assert_eq!(read("14:00"), is("14:00:00", 60));
        assert_eq!(read("1:56pm"), is("13:56:00", 60));
        assert_eq!(read("12AM"), is("00:00:00", 3600));
        assert_eq!(read("23:59:58.25Z"), is("23:59:58.25", 1));
        for wrong in ["14", "24:00", "14:60", "13pm", "14:00pm", "1:2", "14:00x", "14:00+99:00"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn common_offset_spellings_are_parsed() {
        for text in ["+02:00", "+0200", "+02", "UTC+2", "gmt+02:00"] {
            assert_eq!(offset(text), Offset::from_seconds(7200).ok(), "{text}");
        }
        assert_eq!(offset("z"), Some(Offset::UTC));
        assert_eq!(offset("+2"), None);
        assert_eq!(offset("est"), None);
    }
}
