//! Removes markup, accents and compatibility forms of characters.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Normalises compatibility forms, quotes and dashes, and removes emphasis.
pub(crate) fn fold(text: &str) -> String {
    let plain = |c: char| match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '\u{b4}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2010}'..='\u{2013}' | '\u{2212}' => '-',
        '\u{2014}' | '\u{2026}' => ',',
        '\u{2044}' => '/',
        _ => c,
    };
    let text = without_tags(&text.replace("&amp;", "&").replace("~~", ""));
    let kept = |c: &char| !matches!(c, '*' | '`' | '"' | '\u{200b}'..='\u{200d}' | '\u{feff}' | '\u{ad}');
    if text.is_ascii() {
        return text.chars().filter(kept).collect();
    }
    text.chars().map(plain).nfkc().map(plain).filter(kept).collect()
}

/// Removes HTML tags such as `<b>`; keeps addresses in angle brackets.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        kept.push_str(&rest[..open]);
        let inside = &rest[open + 1..];
        let tag = inside.find('>').filter(|close| {
            let name = inside[..*close].trim_matches('/');
            (1..=10).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        match tag {
            Some(close) => rest = &inside[close + 1..],
            None => {
                kept.push('<');
                rest = inside;
            }
        }
    }
    kept.push_str(rest);
    kept
}

/// Strips the bullet, number, heading or quotation mark off a line.
pub(crate) fn without_marker(line: &str) -> &str {
    let mut line = line.trim();
    loop {
        let shorter = line.trim_start_matches(['>', '#']).trim_start();
        let marked = line.starts_with("> ") || (line.starts_with('#') && line.trim_start_matches('#').starts_with(' '));
        if !marked || shorter.is_empty() {
            break;
        }
        line = shorter;
    }
    for bullet in ["- ", "+ ", "\u{2022} "] {
        line = line.strip_prefix(bullet).unwrap_or(line).trim_start();
    }
    let line = line.strip_prefix("[ ] ").or_else(|| line.strip_prefix("[x] ")).unwrap_or(line);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line.get(digits..) {
        Some(rest) if (1..=2).contains(&digits) => {
            rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")).map_or(line, str::trim_start)
        }
        _ => line,
    }
}

/// Converts to lower case and removes accents from Latin letters.
pub(crate) fn unaccented(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let mut lower = word.to_lowercase();
    for (letter, plain) in [('\u{f8}', "o"), ('\u{142}', "l"), ('\u{df}', "ss"), ('\u{e6}', "ae"), ('\u{153}', "oe")] {
        if lower.contains(letter) {
            lower = lower.replace(letter, plain);
        }
    }
    let mut base = ' ';
    lower
        .nfd()
        .filter(|c| {
            let mark = is_combining_mark(*c);
            if !mark {
                base = *c;
            }
            !mark || base >= '\u{530}'
        })
        .collect()
}
