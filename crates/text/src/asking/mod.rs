//! Prompts that ask nothing: "thanks", "go on", "weiter", "1".
//!
//! A prompt asks something if one of its words is about something. Numbers, words of one or two letters, stop words, and
//! words that only acknowledge, approve or say to go on are about nothing; all of them have to be so in one language, because
//! a word of nothing in one is a noun in another: "my son" asks about a son, though French writes "his" like that.
//!
//! ```
//! use elfmem_text::asking::asks_something;
//!
//! assert!(asks_something("deploy?"));
//! assert!(!asks_something("perfect, do it"));
//! assert!(!asks_something("ja, bitte weiter"));
//! ```

mod words;

use crate::language::Language;
use crate::terms::folded;

/// Longest word that is about nothing by its length, in letters that are written with spaces between words.
const TOO_SHORT: usize = 2;

/// Returns whether a prompt is about something: whether there is no language in which all of its words say nothing.
pub fn asks_something(prompt: &str) -> bool {
    let words: Vec<String> = prompt.split(|c: char| !c.is_alphanumeric() && !joins(c)).flat_map(words_of).collect();
    !Language::ALL.into_iter().any(|language| words.iter().all(|word| says_nothing(word, language)))
}

/// Whether a folded word says nothing in a language.
fn says_nothing(word: &str, language: Language) -> bool {
    language.is_stop_word(word)
        || words::is_reply(language, word)
        // "Okay", "please" and "super" are said in all of them.
        || words::is_reply(Language::English, word)
        || !word.chars().any(char::is_alphabetic)
        || is_too_short(word) && !Language::ALL.into_iter().any(|other| other.is_stop_word(word))
}

/// Whether a word is too short to be about something. One character of Chinese, Japanese or Korean may be a word.
fn is_too_short(word: &str) -> bool {
    word.chars().all(|c| c < '\u{2e80}') && word.chars().count() <= TOO_SHORT
}

/// The folded words of a run without spaces. An identifier such as `eu-west-1` or `next.js` is one word, and not about its
/// parts; "vas-y" and "wait...what" are two.
fn words_of(run: &str) -> Vec<String> {
    let run = run.trim_matches(joins);
    let has = |is: fn(char) -> bool| run.chars().any(is);
    let is_identifier =
        has(char::is_alphabetic) && !run.contains("..") && (has(char::is_numeric) || run.contains(['.', '_']));
    if is_identifier {
        vec![run.to_lowercase()]
    } else {
        run.split(joins).filter(|part| !part.is_empty()).map(folded).collect()
    }
}

/// Whether a character joins the parts of an identifier.
fn joins(c: char) -> bool {
    matches!(c, '-' | '_' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_ask_nothing_in_seven_languages() {
        for prompt in
            "|  |👍|...|?|1|2.|42|3.14|1, 2 and 3|y|n|k|ok|OK!|no|yes|yes please|thanks|Thank you!|thx|perfect|\
             Perfect, thanks!|great|do it|go on|go ahead|continue|please continue|keep going|next|next step|\
             sounds good|looks good to me|lgtm|ship it|make it so|try again|again|are you sure?|really?|why?|\
             what do you mean?|tell me more|nice work|that's right|of course|never mind|let's go|hello|hi there|\
             good morning|weiter|weiter so|mach weiter|ja|ja, bitte|ja genau|danke|vielen Dank|passt|super, danke|\
             gut gemacht|alles klar|in Ordnung|nochmal|warum?|einverstanden|guten Morgen|continue|vas-y|oui|\
             d'accord|merci beaucoup|parfait|c'est bon|très bien|encore|bonjour|sí|vale|gracias|muchas gracias|\
             perfecto|sigue|adelante|de acuerdo|muy bien|otra vez|hola|sì|va bene|grazie|grazie mille|perfetto|\
             avanti|continua|d'accordo|molto bene|ancora|sim|obrigado|muito obrigada|perfeito|continua|\
             continue por favor|está bem|de novo|ga door|ga verder|dank je|dank je wel|bedankt|prima|ja graag|\
             goed zo|nog een keer|verder"
                .split('|')
        {
            assert!(!asks_something(prompt), "{prompt}");
        }
    }

    #[test]
    fn a_word_about_something_asks() {
        for prompt in "deploy?|Tom's birthday?|my son?|tabs or spaces?|push it|merge|the port?|nuts|eu-west-1|next.js?|\
             staging port|ok, now deploy|thanks! and the region?|Geburtstag?|Tom?|und die Nüsse?|déploiement ?|\
             ¿el puerto?|la porta?|a senha?|de poort?|花生|誰|allergies?|v1.2.3|README"
            .split('|')
        {
            assert!(asks_something(prompt), "{prompt}");
        }
    }
}
