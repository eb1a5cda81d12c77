//! The comparable form of a name.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Letters of other scripts that look like a Latin one.
const LOOK_ALIKES: [(&str, char); 22] = [
    ("аɑα", 'a'),
    ("Ьв", 'b'),
    ("сϲ", 'c'),
    ("ԁ", 'd'),
    ("еєё", 'e'),
    ("ɡ", 'g'),
    ("һн", 'h'),
    ("іїιı", 'i'),
    ("јϳ", 'j'),
    ("кκ", 'k'),
    ("ӏ", 'l'),
    ("м", 'm'),
    ("ո", 'n'),
    ("оοօσ", 'o'),
    ("рρ", 'p'),
    ("ԛ", 'q'),
    ("ѕ", 's'),
    ("тτ", 't'),
    ("υս", 'u'),
    ("ѵν", 'v'),
    ("хχ", 'x'),
    ("уγү", 'y'),
];

/// Returns the form in which names are compared when a name must not be evaded: lower case, without
/// white space and hidden characters, full-width and look-alike letters as plain ones.
///
/// Two names with the same skeleton look alike. It never grants trust.
pub fn skeleton(name: &str) -> String {
    name.chars().flat_map(char::to_lowercase).filter(|c| !c.is_whitespace() && !is_hidden(*c)).map(plain).collect()
}

fn plain(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    // The full-width forms are in the order of ASCII.
    if ('\u{ff01}'..='\u{ff5e}').contains(&character) {
        let ascii = char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character);
        return ascii.to_ascii_lowercase();
    }
    LOOK_ALIKES.iter().find(|(letters, _)| letters.contains(character)).map_or(character, |(_, plain)| *plain)
}

/// Returns true for characters that show nothing: control and format characters, combining marks of the
/// Latin script, and tags.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || character.general_category() == GeneralCategory::Format
        || matches!(character,
            '\u{300}'..='\u{36f}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
            | '\u{3164}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for name in [
            "tool",
            "Tool ",
            "ＴＯＯＬ",
            "t o o l",
            "tооl",
            "to\u{200b}ol",
            "\u{202e}tool",
            "tool\u{7}",
            "to\u{301}ol",
            "to\u{13430}ol\u{fdd0}",
        ] {
            assert_eq!(skeleton(name), "tool", "{name:?}");
        }
        assert_eq!(skeleton("Müller"), "müller");
    }

    proptest! {
        #[test]
        fn a_skeleton_is_its_own_skeleton(name in any::<String>()) {
            let once = skeleton(&name);
            prop_assert_eq!(skeleton(&once), once);
        }
    }
}
