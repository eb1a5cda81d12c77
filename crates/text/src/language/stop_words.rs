//! Stop words: words too common to distinguish texts. Question words are among them: "who can't eat
//! nuts?" is about eating and nuts.
//!
//! The words are in lower case and without accents, as the tokenizer folds them.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Language;

const ENGLISH: &str = "a about after again all also am an and any are aren as at be because been before being between \
    both but by can cannot could couldn d did didn do does doesn doing don during each few for from further had hadn \
    has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m \
    me more most my myself no nor not now of off on once only or other our ours ourselves out over own re s same shall \
    she should shouldn so some such t than that the their theirs them themselves then there these they this those \
    through to too under until up us ve very was wasn we were weren what when where which while who whom whose why will \
    with won would wouldn you your yours yourself yourselves";

const GERMAN: &str = "aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei \
    beim bin bis bist da dabei dafur damit danach dann daran das dass dasselbe davon dazu dein deine dem den denn der \
    des dessen deshalb die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines \
    einige er es etwas euch euer fur gegen gibt hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr \
    ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jene jetzt kann kein keine keinem keinen \
    keiner konnen konnte man mehr mein meine meinem meinen meiner mich mir mit muss mussen nach nicht nichts noch nun \
    nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte solche sondern \
    sonst uber um und uns unser unsere unserem unseren unserer unter viel vom von vor wann war waren warum was weil \
    welche welchem welchen welcher welches wem wen wenn wer werde werden wessen wie wieder will wir wird wo wofur \
    wohin womit wurde wurden zu zum zur zwischen";

const FRENCH: &str = "a ai aie ainsi alors apres as au aucun aucune aussi autre autres aux avant avec avez avoir avons \
    c ca car ce ceci cela celle celles celui ces cet cette ceux chaque chez combien comme comment d dans de deja depuis \
    des dont du elle elles en encore entre es est et etaient etait etant ete etre eu eux fait fois font il ils j je \
    jusqu l la le les leur leurs lors lui m ma mais me meme memes mes moi mon n ne ni nos notre nous on ont ou par \
    parce pas pendant peu peut plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans sauf se \
    selon sera serait ses si soit son sont sous sur t ta te tes toi ton tous tout toute toutes tres tu un une vers vos \
    votre vous y";

const SPANISH: &str = "a al algo alguna algunas alguno algunos ante antes aqui asi aun aunque bien cada como con contra \
    cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde dos el ella ellas ello ellos en entre era eran \
    es esa esas ese eso esos esta estaba estado estan estar estas este esto estos fue fueron ha habia hace hacia han \
    hasta hay la las le les lo los mas me mi mis mismo mucho muy nada ni no nos nosotros nuestra nuestras nuestro \
    nuestros o os otra otras otro otros para pero poco por porque que quien quienes se sea segun ser si sido sin sobre \
    solo son su sus tambien tampoco te tengo tiene tienen toda todas todo todos tu tus un una unas uno unos y ya yo";

const ITALIAN: &str = "a ad agli ai al alla alle allo anche ancora avere aveva c che chi ci cio co coi col come con \
    contro cosa cui d da dagli dai dal dall dalla dalle dallo degli dei del dell della delle dello di dove due e ed era \
    erano essere fa fra gia gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie miei mio molto \
    ne negli nei nel nell nella nelle nello no noi non nostra nostre nostri nostro o ogni per perche piu poco poi prima \
    qual quale quali quando quanta quante quanti quanto quasi quella quelle quelli quello questa queste questi questo \
    qui se sei senza si sia siamo siete sono sopra sotto sta stata state stati stato su sua sue sugli sui sul sulla \
    sulle suo suoi tra tu tua tue tuo tuoi tutta tutte tutti tutto un una uno va vi voi";

const PORTUGUESE: &str = "a ai ainda algo alguem algum alguma algumas alguns ante ao aos apos aquela aquelas aquele \
    aqueles aquilo as ate cada com como contra da das de dela delas dele deles depois desde dessa desse desta deste do \
    dos e ela elas ele eles em entre era eram essa essas esse esses esta estao estas estava este estes eu fazer foi \
    foram ha isso isto ja la lhe lhes lo mais mas me mesmo meu meus minha minhas muito muitos na nao nas nem no nos \
    nossa nossas nosso nossos num numa o onde os ou outra outras outro outros para pela pelas pelo pelos por porque \
    qual quais quando quanta quantas quanto quantos que quem sao se sem ser sera seu seus so sob sobre sua suas tambem \
    te tem temos tenho ter teu toda todas todo todos tu tua tudo um uma umas uns voce voces";

const DUTCH: &str = "aan af al alle alleen als altijd andere ben bij daar daarna dan dat de deze die dit doch doen door \
    dus een eens elk elke en enkele er geen geweest haar had hadden heb hebben heeft hem hen het hier hij hoe hoeveel \
    hun ik in is ja je jij jou jouw jullie kan kon kunnen maar me meer men met mij mijn moet moeten na naar niet niets \
    nog nu of om omdat onder ons onze ook op over reeds sinds te tegen toch toen tot u uit uw van vanaf veel voor waar \
    waarom wanneer want waren was wat we wel welk welke werd wie wij wil worden wordt zal ze zelf zich zij zijn \
    zo zonder zou";

/// The languages in which each stop word is one, as bits.
static LANGUAGES: LazyLock<HashMap<&'static str, u8>> = LazyLock::new(|| {
    let mut languages: HashMap<&str, u8> = HashMap::new();
    let lists = [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH];
    for (language, list) in Language::ALL.into_iter().zip(lists) {
        for word in list.split_whitespace() {
            *languages.entry(word).or_default() |= bit(language);
        }
    }
    languages
});

fn bit(language: Language) -> u8 {
    1 << language as u8
}

/// Returns true for an English stop word in lower case.
pub fn is_stop_word(word: &str) -> bool {
    Language::English.is_stop_word(word)
}

/// Returns the languages in which a folded word is a stop word.
pub(super) fn languages_of(word: &str) -> impl Iterator<Item = Language> + Clone + use<> {
    let bits = LANGUAGES.get(word).copied().unwrap_or(0);
    Language::ALL.into_iter().filter(move |language| bits & bit(*language) != 0)
}

impl Language {
    /// Returns true for a stop word of the language, in lower case and without accents.
    pub fn is_stop_word(self, word: &str) -> bool {
        LANGUAGES.get(word).is_some_and(|bits| bits & bit(self) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_belong_to_their_languages() {
        assert!(is_stop_word("the") && is_stop_word("what") && !is_stop_word("peanut"));
        assert!(Language::German.is_stop_word("fur") && !is_stop_word("fur"));
        assert_eq!(languages_of("die").collect::<Vec<_>>(), [Language::German, Language::Dutch]);
        assert_eq!(languages_of("boot").count(), 0);
    }

    #[test]
    fn lists_are_folded() {
        let folded = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(LANGUAGES.keys().all(|word| folded(word)));
    }
}
