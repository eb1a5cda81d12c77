//! Words that people answer with and that are about nothing: acknowledgement, approval, thanks, greeting, going on, and
//! verbs that need an object to be about something ("do it", "show me").
//!
//! The words are in lower case and without accents, as the tokenizer folds them. Stop words of the language need no entry.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::language::Language;

const ENGLISH: &str = "absolutely ack afternoon agree agreed ahead alright amazing anyway approved awesome aye best \
    bravo brilliant bye carry cheers clear confirm confirmed continue cool correct course definitely does done else \
    enough evening exactly excellent explain fantastic fine first fix get give glad going good goodbye got gotcha \
    great guess happy hello help hey hmm idea indeed job keep know later leave let lets lgtm like look looks love \
    make maybe mean mind minute moment morning much nah need never next nice nope nothing okay okey ooh oops \
    perfect please pls possible proceed ready really repeat resume retry right say says see ship show sorry sound \
    sounds splendid start step steps still stop super sure take tell thank thanks thing things think thx true try \
    understand understood wait way well whatever wonderful work wow wrong yay yeah yep yes yet yup";

const GERMAN: &str = "abend abgemacht absolut ach bescheid bestatigt besten bitte brauche dank danke dankeschon \
    einfach einverstanden erklar erklare erledigt erstmal falsch fein fertig fortfahren geht gehts gemacht genau \
    genug gern gerne glaube gleich gut gute guten gutes hallo halt hast hilf hilfe jawohl jo klar klasse klingt \
    kurz lass los mach mache machen machs mal meinst moin moment morgen nachste nachster nachstes nee nein nochmal \
    nochmals okay ordnung passt perfekt prima recht richtig sag schade schau schritt schritte servus sicher siehe \
    sieht spater start starte stimmt stopp super tag toll top tschuss tue tun tust tut verstanden verstehe vielen \
    vielleicht wahrscheinlich warte weiss weiter weiteren weitermachen wiederhole wirklich wunderbar zeig zeige \
    zuruck";

const FRENCH: &str = "accord aide allez allons arrete attends beaucoup bien bon bonjour bonne bonsoir bravo \
    certainement clair compris continue continuer continuez correct dac desole dire dis entendu etape evidemment \
    exact exactement excellent explique faire fais faites faux formidable genial impeccable juste lance maintenant \
    marche merci merveilleux mince montre nickel non okay ouais oui parfait parfaitement passe plait poursuis \
    poursuivez pret prochain prochaine recommence refais reprends salut soir stp suite suivant suivante super svp \
    tard top valide vas vite voila voir vrai vraiment";

const SPANISH: &str = "acuerdo adelante adios ahora ayuda bravo buen buena buenas bueno buenos claro continua \
    continuar continue correcto dale dias dime entendido entiendo espera estupendo exactamente exacto excelente \
    explica favor fenomenal genial gracias gusta haz hazlo hecho hola igual intenta listo luego muchas muchisimas \
    muestra noches okay paso pasos perdon perfecta perfecto prueba puede puedes quiza quizas razon repite seguir \
    seguro siga sigue siguiente sirve suena super tal tardes vale vamos venga ver verdad vez vuelve";

const ITALIAN: &str = "accordo adesso aiuto allora altra altro andiamo aspetta attimo avanti basta bene benissimo \
    bravo buon buona buonasera buongiorno capito certamente certo chiaro ciao continua continuare continui corretto \
    dai dimmi eccellente ecco esattamente esatto fai fallo fare fatto favore fermo forse forza giorno giusto grande \
    grazie infatti magari meglio mille mostra niente okay ottimo passi passo perfetta perfetto piace piacere prego \
    procedi prossimo prova pure rifai ripeti riprova salve scusa sera sicuro spiega successivo super vabbe vai vedi \
    vediamo vero volta";

const PORTUGUESE: &str = "adeus adiante agora ajuda anda avanca avancar beleza bem boa boas bom bons certeza certo \
    claro confirmo continua continuar continue correcto correto desculpa dia diga entendi entendido espera \
    exatamente exato excelente explica faca favor faz feito fim fixe legal maravilha mostra noite novo obrigada \
    obrigado okay ola optimo otimo passo passos perfeita perfeito pode podes porreiro pronto prossegue prossiga \
    proxima proximo quase quer repete segue seguinte siga sim super talvez tarde tenta vale valeu vamos ver verdade \
    vez viva volta";

const DUTCH: &str = "absoluut afgesproken akkoord avond bedankt beetje begin begrepen begrijp best dag dank doe \
    doei doorgaan duidelijk eerst excellent fijn gaan gaat geweldig ging goed goede goeie graag hallo help hoi \
    inderdaad jawel jazeker jep juist keer klaar klinkt klopt laat leuk maak mee misschien moment mooi morgen \
    natuurlijk nee netjes nogmaals nou okay oke opnieuw perfect precies prima probeer snap snel sorry stap stappen \
    start stop straks super toe toon top tot uitstekend verder vertel volgende vooruit waarschijnlijk wacht weer \
    weet welkom zeg zeker zie zien ziet";

/// The words of each language, in the order of [`Language::ALL`].
static REPLIES: LazyLock<[HashSet<&'static str>; 7]> = LazyLock::new(|| {
    [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH].map(|list| list.split_whitespace().collect())
});

/// Returns whether a folded word of a language only replies.
pub(super) fn is_reply(language: Language, word: &str) -> bool {
    REPLIES[language as usize].contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_folded_and_tell_their_languages_apart() {
        let is_folded = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(REPLIES.iter().flatten().all(is_folded));
        assert!(is_reply(Language::German, "weiter") && !is_reply(Language::English, "weiter"));
    }
}
