//! Which sentences of a conversation are worth remembering: statements, and short answers with their question.
//!
//! Questions, requests, greetings, thanks, praise and agreement are small talk. A sentence is a statement if enough words
//! are left in it when stop words and the words of small talk are taken away: one in a sentence about the speaker, three
//! otherwise, two with a number, a name or a constraint; a sentence that speaks to the other one needs three and a number or
//! a name. English and German are known; of other languages only the commonest words of small talk.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::constraints::states_constraint;
use crate::document::sentences;
use crate::language::{Language, is_stop_word};
use crate::terms::folded;
use crate::updates::fold_words;

/// Words that say that somebody listens, likes or greets, and nothing else.
const SMALL_TALK: &str = "hey hi hello hiya morning evening night goodnight bye goodbye cheers thanks thank thx welcome \
    sorry please congrats congratulations ok okay alright yes yeah yep yup nope sure right exactly absolutely definitely \
    totally indeed agreed agree true wow oh ah aha haha hahaha lol hmm huh ugh yay awesome amazing great good nice cool \
    lovely wonderful fantastic incredible super sweet perfect fine glad happy proud excited exciting fun funny \
    interesting inspiring impressive beautiful sounds sound looks look hear heard hearing know see guess mean think hope \
    wish feel feels feeling understand imagine believe bet kind sort lot lots really actually just quite pretty truly \
    always thing things stuff way bit news support appreciate care luck best take job work keep going go get got let \
    love loved like talk chat catch soon later today tomorrow tonight time day week weekend ever never one ones \
    everything anything something someone everyone nothing make makes made much many well back still even too also doubt \
    doubts understood done ready merci bonjour salut oui gracias hola vale claro grazie ciao prego obrigado obrigada olá \
    dank bedankt hoi";

/// The same of German, without accents.
const SMALL_TALK_GERMAN: &str = "hallo moin servus tschuss tschau danke dank vielen lieben bitte genau super schon schone schonen \
    schones toll prima klasse wunderbar perfekt gut guten gute gutes gerne gern naturlich klar sicher okay stimmt richtig \
    verstanden erledigt gemacht mach mache machen machs problem probleme sorge sorgen wissen weiss sehe sehen sieht mal \
    freu freue freut lieb nett froh glucklich glauben glaube denke hoffe finde meine morgen tag abend nacht wochenende \
    feierabend urlaub woche zeit spater gleich bald heute bescheid gruss grusse leid tut eben halt echt wirklich ganz \
    ziemlich sehr bisschen haha hm hmm ach oh aha jo jep bereit los geht gehts ging schnell komme kommst";

/// How a request, a thanks or a farewell begins.
const NOT_A_STATEMENT: [&str; 24] = [
    "please ",
    "can you ",
    "could you ",
    "would you ",
    "will you ",
    "let me know",
    "tell me",
    "show me",
    "help me",
    "keep me ",
    "keep us ",
    "take care",
    "good luck",
    "have a ",
    "have an ",
    "have fun",
    "thanks",
    "thank you",
    "no problem",
    "no worries",
    "talk to you",
    "see you",
    "catch you",
    "take a look",
];

/// Words before the subject of a sentence that say nothing.
const LEADING: [&str; 24] = [
    "and",
    "but",
    "so",
    "yeah",
    "yes",
    "well",
    "oh",
    "also",
    "actually",
    "no",
    "nope",
    "wow",
    "ok",
    "okay",
    "hi",
    "hey",
    "hello",
    "und",
    "aber",
    "ja",
    "nein",
    "ach",
    "hallo",
    "außerdem",
];
/// First words of a sentence about the speaker.
const FIRST_PERSON: [&str; 26] = [
    "i", "i'm", "i've", "i'd", "i'll", "my", "mine", "we", "we're", "we've", "we'll", "our", "ours", "ich", "mein",
    "meine", "meinem", "meinen", "meiner", "wir", "unser", "unsere", "unserem", "unseren", "unserer", "unseres",
];
/// Words that speak to the other one.
const SECOND_PERSON: [&str; 13] =
    ["you", "your", "yours", "you're", "you've", "you'll", "you'd", "du", "dich", "dir", "dein", "deine", "deinen"];
/// Phrases that speak to the other one and say nothing.
const FILLERS: [&str; 2] = ["you know", "you see"];
/// Most words of an answer that is not understood without its question.
const SHORT_ANSWER_WORDS: usize = 6;

static SMALL_TALK_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| SMALL_TALK.split_whitespace().collect());
static SMALL_TALK_WORDS_GERMAN: LazyLock<HashSet<&str>> =
    LazyLock::new(|| SMALL_TALK_GERMAN.split_whitespace().collect());

/// Returns the sentences of a message that are statements. `speakers` are the names of those who talk: to call somebody by
/// name says nothing.
pub fn statements_in(message: &str, speakers: &[&str]) -> Vec<String> {
    let speakers = folded_names(speakers);
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(sentences).filter(|sentence| SentenceWords::new(sentence, &speakers).is_statement()).collect()
}

/// Returns the last question of a message.
pub fn last_question(message: &str) -> Option<String> {
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(sentences).rfind(|sentence| is_question(sentence))
}

/// Returns the first sentence of a message if it is a short answer that says something: `Peanuts.`, `5 years already!`
pub fn short_answer(message: &str, speakers: &[&str]) -> Option<String> {
    let first = sentences(message.lines().map(str::trim).find(|line| !line.is_empty())?).into_iter().next()?;
    let words = SentenceWords::new(&first, &folded_names(speakers));
    let short = first.split_whitespace().count() <= SHORT_ANSWER_WORDS;
    let says_something = words.content > 0 || words.number;
    // "Here are some:" announces an answer.
    let announces = first.trim_end().ends_with([':', '…']) || first.trim_end().ends_with("...");
    (short && !announces && says_something && !words.asks_or_greets && !words.first_person).then_some(first)
}

fn folded_names(speakers: &[&str]) -> HashSet<String> {
    speakers.iter().flat_map(|name| name.split_whitespace()).map(str::to_lowercase).collect()
}

fn is_question(sentence: &str) -> bool {
    sentence.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | ')' | '!')).ends_with(['?', '？', '؟'])
}

/// Returns the language of a sentence. One that is too short to tell is German if more of its words are German function words
/// than English ones.
fn language_of(lower: &str) -> Option<Language> {
    Language::detect(lower).or_else(|| {
        let words = fold_words(lower);
        let count = |is_one: &dyn Fn(&str) -> bool| words.iter().filter(|word| is_one(word)).count();
        let german = count(&|word| Language::German.is_stop_word(word) || SMALL_TALK_WORDS_GERMAN.contains(word));
        let english = count(&|word| is_stop_word(word) || SMALL_TALK_WORDS.contains(word));
        (german > english).then_some(Language::German)
    })
}

/// What is counted of one sentence.
#[derive(Debug)]
struct SentenceWords {
    /// Different words that are neither stop words nor small talk.
    content: usize,
    /// Whether it has a number.
    number: bool,
    /// Whether it has a name after its first word.
    name: bool,
    /// Whether it is about the speaker.
    first_person: bool,
    /// Whether it speaks to the other one.
    second_person: bool,
    /// Whether it states a need, a rule, a limit or a deadline.
    constraint: bool,
    /// Whether it is a question, a request, a thanks or a farewell.
    asks_or_greets: bool,
}

impl SentenceWords {
    fn new(sentence: &str, speakers: &HashSet<String>) -> Self {
        let plain = sentence.replace('’', "'");
        let lower = FILLERS.iter().fold(plain.to_lowercase(), |text, filler| text.replace(filler, ""));
        let language = language_of(&lower);
        let is_edge = |c: char| !c.is_alphanumeric();
        let words: Vec<&str> = lower.split_whitespace().map(|word| word.trim_matches(is_edge)).collect();
        let content: HashSet<&str> = words
            .iter()
            .copied()
            .filter(|word| word.chars().filter(|c| c.is_alphanumeric()).count() > 1)
            .filter(|word| !is_function_word(word, language) && !speakers.contains(*word))
            .collect();
        let subject = words.iter().copied().find(|word| !word.is_empty() && !LEADING.contains(word));
        let is_name = |word: &str| {
            let word = word.trim_matches(is_edge);
            word.chars().next().is_some_and(char::is_uppercase)
                && !word.starts_with("I'")
                && word != "I"
                && !speakers.contains(&word.to_lowercase())
        };
        Self {
            content: content.len(),
            number: words.iter().any(|word| word.chars().any(|c| c.is_ascii_digit())),
            name: plain.split_whitespace().skip(1).any(is_name),
            first_person: subject.is_some_and(|word| FIRST_PERSON.contains(&word)),
            second_person: words.iter().any(|word| SECOND_PERSON.contains(word)),
            constraint: states_constraint(sentence),
            asks_or_greets: is_question(sentence)
                || NOT_A_STATEMENT.iter().any(|start| lower.trim_start_matches(is_edge).starts_with(start)),
        }
    }

    fn is_statement(&self) -> bool {
        let telling = self.number || self.name;
        let enough = match (self.first_person, self.second_person) {
            (true, false) => self.content >= 1,
            (true, true) => self.content >= 2 || self.content >= 1 && telling,
            (false, true) => self.content >= 3 && telling,
            (false, false) => self.content >= 3 || self.content >= 2 && (telling || self.constraint),
        };
        !self.asks_or_greets && enough
    }
}

/// Returns true for stop words and small talk, also with `'s`, `n't` and the like.
fn is_function_word(word: &str, language: Option<Language>) -> bool {
    if language == Some(Language::German) {
        let word = folded(word);
        if Language::German.is_stop_word(&word) || SMALL_TALK_WORDS_GERMAN.contains(word.as_str()) {
            return true;
        }
    }
    let is_one = |word: &str| is_stop_word(word) || SMALL_TALK_WORDS.contains(word);
    let stem = word.split('\'').next().unwrap_or(word);
    is_one(word) || (word.contains('\'') && (stem.is_empty() || is_one(stem) || is_one(stem.trim_end_matches('n'))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEAKERS: [&str; 2] = ["Maria", "Ravi Shah"];

    #[test]
    fn small_talk_is_no_statement() {
        for text in [
            "Hey Ravi! Good to see you! How have you been?",
            "Wow, that's cool, Maria!",
            "Thanks so much, that means a lot.",
            "I totally agree, Ravi.",
            "Sounds great! Talk to you soon!",
            "Haha, you're so right.",
            "I'm so happy for you!",
            "Can you send me the report by Friday?",
            "Could you please look at it.",
            "Let me know how it goes with the new job in Berlin.",
            "Have a great weekend in Lisbon!",
            "No doubts, Maria.",
            "Ok.",
            "👍",
            "Danke, genau!",
            "Yeah, it's tough.",
            "We got this!",
            "Understood, I will use it.",
            "Alles klar, danke dir.",
            "Danke, schönen Feierabend!",
            "Oh gut zu wissen!",
            "Kein Problem, ich freu mich!",
            "Ich auch :)",
            "Das ging ja schnell.",
            "Prima, dann bis gleich.",
            "Natürlich, gern!",
            "Hm, mal sehen.",
            "",
        ] {
            assert_eq!(statements_in(text, &SPEAKERS), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn statements_are_kept_without_what_stands_around_them() {
        for (text, kept) in [
            ("Hi Ravi! I moved to Berlin in March. How are you?", &["I moved to Berlin in March."][..]),
            ("I'm allergic to peanuts, by the way.", &["I'm allergic to peanuts, by the way."]),
            ("Yeah, I painted that lake last year! Thanks!", &["Yeah, I painted that lake last year!"]),
            ("The port is 5433 now.", &["The port is 5433 now."]),
            ("Deploys go out on Tuesdays.\nok?", &["Deploys go out on Tuesdays."]),
            ("I like tea.", &["I like tea."]),
            ("Your flight to Oslo leaves at 9:40 from gate 12.", &["Your flight to Oslo leaves at 9:40 from gate 12."]),
            ("Ich wohne seit Mai in Hamburg.", &["Ich wohne seit Mai in Hamburg."]),
            ("She is fine, but she can't eat after midnight.", &["She is fine, but she can't eat after midnight."]),
            ("Hi, I can't log in.", &["Hi, I can't log in."]),
            ("Der Termin ist am 12. Mai um 10 Uhr. Bis dann!", &["Der Termin ist am 12. Mai um 10 Uhr."]),
            ("Unser Kunde Hansen zahlt jetzt per Lastschrift.", &["Unser Kunde Hansen zahlt jetzt per Lastschrift."]),
            ("Ich vertrage keine Nüsse.", &["Ich vertrage keine Nüsse."]),
        ] {
            assert_eq!(statements_in(text, &SPEAKERS), kept, "{text}");
        }
    }

    #[test]
    fn a_short_answer_needs_its_question() {
        assert_eq!(
            last_question("Nice! What are you allergic to? Tell me.").as_deref(),
            Some("What are you allergic to?")
        );
        assert_eq!(last_question("Nothing to ask."), None);
        assert_eq!(short_answer("Peanuts.", &SPEAKERS).as_deref(), Some("Peanuts."));
        assert_eq!(short_answer("5 years already! Time flies.", &SPEAKERS).as_deref(), Some("5 years already!"));
        for nothing in ["Ja, bitte.", "Ja, mach das.", "ja klar", "Gut, danke!"] {
            assert_eq!(short_answer(nothing, &SPEAKERS), None, "{nothing}");
        }
        for nothing in ["Sure, here are doctors:", "Natürlich, hier sind Ärzte...", "Some doctors…"] {
            assert_eq!(short_answer(nothing, &SPEAKERS), None, "{nothing}");
        }
        for nothing in ["Yes!", "No, not really.", "Why?", "Great, Maria.", "I'm allergic to peanuts.", ""] {
            assert_eq!(short_answer(nothing, &SPEAKERS), None, "{nothing}");
        }
    }
}
