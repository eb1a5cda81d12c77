//! Signs that change what a text says and are no part of a word: `-5`, `x < 5`, `[x]`, a tick or a cross, `1.10`.
//!
//! Two texts whose words are the same and whose signs differ are never duplicates.

/// The signs of a text in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Signs {
    /// Signs of numbers, comparisons, boxes and pictures.
    symbols: String,
    /// Numbers with a point as they are written: `1.10` is a later version than `1.1`.
    decimals: Vec<String>,
    /// Letters that change a word and that spelling variants leave out: `schon` and `schön`.
    letters: String,
}

impl Signs {
    pub(crate) fn of(text: &str) -> Self {
        let mut signs = Self::default();
        let characters: Vec<char> = text.chars().collect();
        for (at, character) in characters.iter().copied().enumerate() {
            let before = at.checked_sub(1).map(|at| characters[at]);
            let next = characters.get(at + 1).copied();
            match character {
                '-' | '\u{2212}' if is_sign_of_number(before, next) => signs.symbols.push('-'),
                // A plus is the sign that nobody writes.
                '<' | '>' | '=' | '\u{2260}' | '\u{2264}' | '\u{2265}' | '\u{b1}' => signs.symbols.push(character),
                'x' | 'X' | ' ' if before == Some('[') && next == Some(']') => {
                    signs.symbols.push(if character == ' ' { 'o' } else { 'x' });
                }
                '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}' => signs.symbols.push(character),
                'ä' | 'ö' | 'ü' | 'ß' | 'Ä' | 'Ö' | 'Ü' => signs.letters.extend(character.to_lowercase()),
                _ => {}
            }
        }
        signs.decimals = text
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .map(|figure| figure.trim_matches('.'))
            .filter(|figure| figure.contains('.'))
            .map(str::to_owned)
            .collect();
        signs
    }

    /// Returns whether two texts can say the same in other words.
    pub(crate) fn agree(&self, other: &Self) -> bool {
        let written_alike = self.decimals.len() != other.decimals.len() || self.decimals == other.decimals;
        self.symbols == other.symbols && written_alike
    }

    /// Returns whether two texts with the same words are the same text.
    pub(crate) fn are_same(&self, other: &Self) -> bool {
        self.agree(other) && self.letters == other.letters
    }
}

fn is_sign_of_number(before: Option<char>, next: Option<char>) -> bool {
    next.is_some_and(|next| next.is_ascii_digit())
        && before.is_none_or(|before| before.is_whitespace() || "(=:<>".contains(before))
}
