//! Function words, spelling and contractions.

use std::sync::OnceLock;

use super::super::hashing::{WordMap, WordSet};
/// Function words and titles.
const FUNCTION_WORDS: &str = "
    hey hi hello thanks thank bye cheers wow yeah yes yep ok okay oh sure congrats congratulations welcome well haha lol
    a about above across after against ago along although am among an and any are around as at back be because been
    before behind being below beside between beyond both but by can could despite did do does doing done down dr
    during either else even ever for from had has have having he her here hers him his how i if in inside into is it
    its itself just let may me might mine mr mrs ms must my myself of off on onto or other ought our ours out
    outside over own per prof professor shall she should since so such than that the their theirs them then there
    these they this those though through till to too toward towards under until up upon us via was we were what when
    where whether which while who whom whose why will with within would yet you your yours
";

/// Returns true for a function word in lower case.
pub(crate) fn is_function_word(word: &str) -> bool {
    static WORDS: OnceLock<WordSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| FUNCTION_WORDS.split_whitespace().collect()).contains(word)
}

/// Returns true for forms of "to be".
pub(crate) fn is_copula(word: &str) -> bool {
    matches!(word, "is" | "are" | "am" | "was" | "were" | "be" | "been" | "being")
}

/// Returns true for verbs that mark the start of a predicate.
pub(crate) fn is_auxiliary(word: &str) -> bool {
    matches!(word, "is" | "are" | "am" | "was" | "were" | "has" | "have" | "had" | "will" | "would" | "can" | "could")
        || matches!(word, "may" | "might" | "must" | "should" | "shall" | "do" | "does" | "did" | "ought")
}

/// Openings of a courtesy clause, which extends to the next break.
const COURTESIES: &[&str] = &[
    "thanks",
    "thank you",
    "many thanks",
    "sorry",
    "cheers",
    "kind regards",
    "regards",
    "let me know",
    "hope this",
    "hope that",
    "as you know",
    "as i said",
    "as we said",
    "as discussed",
    "as mentioned",
    "as agreed",
    "as noted",
];

/// Labels and interjections: a courtesy only if a break follows directly.
const LABELS: &[&str] = &[
    "for the record",
    "to confirm",
    "just to confirm",
    "to be clear",
    "by the way",
    "btw",
    "fyi",
    "for your information",
    "just so you know",
    "heads up",
    "quick note",
    "note to self",
    "just a reminder",
    "a reminder",
    "in short",
    "ok",
    "okay",
    "if i remember correctly",
    "well",
    "so",
    "hi",
    "hello",
    "hey",
    "yes",
    "yep",
    "sure",
    "actually",
    "basically",
    "note",
    "nb",
    "remember",
    "reminder",
    "todo",
    "tip",
    "fact",
    "info",
    "important",
    "remark",
    "hint",
    "memo",
    "ps",
    "please note",
];

/// Openings that introduce the statement directly.
const LEADS: &[&str] = &[
    "please note that",
    "please remember that",
    "please remember to",
    "note that",
    "remember that",
    "please",
    "pls",
    "plz",
    "keep in mind that",
    "be aware that",
    "it should be noted that",
];

/// Length of the longest courtesy, in words.
const LONGEST_COURTESY: usize = 6;

/// Returns how many words after a break are courtesy. Each word comes with whether a break follows
/// it; seven words are enough.
pub(crate) fn polite_words(words: &[(&str, bool)]) -> usize {
    let length = |phrase: &str| {
        let mut count = 0;
        let fits = phrase.split(' ').all(|wanted| {
            count += 1;
            words.get(count - 1).is_some_and(|(word, _)| *word == wanted)
        });
        if fits { count } else { 0 }
    };
    let longest = |phrases: &[&str]| phrases.iter().map(|phrase| length(phrase)).max().unwrap_or(0);
    if longest(COURTESIES) > 0 {
        let end = words.iter().take(LONGEST_COURTESY).position(|(_, break_after)| *break_after);
        return end.map_or(if words.len() <= LONGEST_COURTESY { words.len() } else { 0 }, |last| last + 1);
    }
    let labels = LABELS.iter().map(|phrase| length(phrase)).filter(|count| *count > 0 && words[count - 1].1).max();
    labels.unwrap_or_else(|| longest(LEADS))
}

/// Splits a contraction into the word before it and the word it adds.
pub(crate) fn contraction(word: &str) -> Option<(&str, &'static str)> {
    match word {
        "can't" | "cannot" | "cant" => return Some(("can", "not")),
        "won't" => return Some(("will", "not")),
        "wont" => return Some(("will", "not")),
        "shan't" => return Some(("shall", "not")),
        "ain't" => return Some(("is", "not")),
        "let's" => return Some(("let", "us")),
        "gonna" => return Some(("going", "to")),
        "wanna" => return Some(("want", "to")),
        "gotta" => return Some(("got", "to")),
        "kinda" => return Some(("kind", "of")),
        _ => {}
    }
    if let Some(before) = word.strip_suffix("nt").filter(|before| is_auxiliary(before) && *before != "ca") {
        return Some((before, "not"));
    }
    for (ending, stands_for) in [("n't", "not"), ("'ll", "will"), ("'ve", "have"), ("'re", "are"), ("'m", "am")] {
        if let Some(before) = word.strip_suffix(ending).filter(|before| !before.is_empty()) {
            return Some((before, stands_for));
        }
    }
    word.strip_suffix("'d").filter(|before| !before.is_empty()).map(|before| (before, "would"))
}

/// Abbreviations and alternative spellings of one word.
const SPELLINGS: &str = "
    acct/account ad/advertisement ads/advertisements advert/advertisement adverts/advertisements arg/argument
    args/arguments ave/avenue blvd/boulevard bldg/building ch/chapter cmd/command deps/dependencies demo/demonstration
    exam/examination exams/examinations fig/figure flu/influenza fn/function func/function fridge/refrigerator
    jr/junior js/javascript k8s/kubernetes lab/laboratory labs/laboratories lib/library libs/libraries mt/mount
    mtg/meeting mtgs/meetings param/parameter pic/picture pics/pictures plane/airplane planes/airplanes pkg/package
    postgres/postgresql py/python qty/quantity rd/road ref/reference sr/senior till/until tv/television
    uni/university usa/us var/variable vars/variables vol/volume ts/typescript perf/performance wk/week intl/international
    natl/national saint/st street/st plz/please streets/st etcetera/etc asst/assistant bf/boyfriend gf/girlfriend hubby/husband
    acknowledgement/acknowledgment ageing/aging amongst/among analogue/analog burnt/burned calibre/caliber
    disc/disk doughnut/donut draught/draft enquiry/inquiry enquiries/inquiries enrol/enroll fulfil/fulfill
    instalment/installment instalments/installments kerb/curb learnt/learned leant/leaned manoeuvre/maneuver
    meagre/meager omelette/omelet pretence/pretense sombre/somber spelt/spelled spoilt/spoiled speciality/specialty
    towards/toward afterwards/afterward backwards/backward forwards/forward tonnes/tons
    encyclopaedia/encyclopedia diarrhoea/diarrhea mins/minutes hrs/hours secs/seconds yrs/years pls/please thx/thanks
    admin/administrator aluminium/aluminum app/application approx/approximately apps/applications appt/appointment
    artefact/artifact async/asynchronous auth/authentication auto/automatically avg/average bday/birthday
    catalogue/catalog centre/center centres/centers cheque/check config/configuration configs/configurations
    cosy/cozy db/database defence/defense dept/department dev/development dialogue/dialog dir/directory doc/document
    docs/documentation env/environment fav/favorite fibre/fiber gov/government govt/government grey/gray
    incl/including info/information jewellery/jewelry judgement/judgment licence/license licences/licenses
    litre/liter litres/liters max/maximum metre/meter metres/meters mgmt/management mgr/manager mould/mold
    moustache/mustache msg/message msgs/messages offence/offense ok/okay params/parameters plough/plow
    practise/practice pref/preference prefs/preferences prod/production programme/program programmes/programs
    pwd/password pyjamas/pajamas repo/repository repos/repositories req/requirement reqs/requirements
    sceptical/skeptical spec/specification specs/specifications stats/statistics storey/story sync/synchronous
    tel/telephone temp/temperature theatre/theater theatres/theaters tyre/tire tyres/tires univ/university vs/versus
    whilst/while yoghurt/yogurt
";

/// British endings with their American form and the minimum word length: `our`, `rise` and `wise`
/// stay.
const ENDINGS: &[(&str, &str, usize)] = &[
    ("ising", "izing", 7),
    ("ised", "ized", 7),
    ("ises", "izes", 7),
    ("ise", "ize", 7),
    ("isation", "ization", 9),
    ("isations", "izations", 9),
    ("yse", "yze", 6),
    ("ysed", "yzed", 6),
    ("ysing", "yzing", 6),
    ("ours", "ors", 7),
    ("oured", "ored", 7),
    ("ouring", "oring", 8),
    ("ourite", "orite", 8),
    ("ourites", "orites", 8),
    ("ourable", "orable", 8),
    ("our", "or", 5),
    ("elled", "eled", 7),
    ("elling", "eling", 8),
    ("eller", "eler", 7),
    ("ellers", "elers", 8),
    ("ogue", "og", 7),
    ("aeology", "eology", 9),
    ("aedic", "edic", 8),
];

/// British beginnings of words with many endings.
const BEGINNINGS: &[(&str, &str)] = &[
    ("armour", "armor"),
    ("behaviour", "behavior"),
    ("colour", "color"),
    ("endeavour", "endeavor"),
    ("favour", "favor"),
    ("flavour", "flavor"),
    ("harbour", "harbor"),
    ("honour", "honor"),
    ("humour", "humor"),
    ("labour", "labor"),
    ("neighbour", "neighbor"),
    ("odour", "odor"),
    ("rumour", "rumor"),
    ("savour", "savor"),
    ("tumour", "tumor"),
    ("vapour", "vapor"),
    ("paed", "ped"),
    ("haem", "hem"),
    ("anaem", "anem"),
    ("anaesth", "anesth"),
    ("foet", "fet"),
    ("oesoph", "esoph"),
    ("manoeuvr", "maneuver"),
    ("fulfilm", "fulfillm"),
    ("sceptic", "skeptic"),
    ("aeroplane", "airplane"),
    ("skilful", "skillful"),
    ("wilful", "willful"),
    ("jewell", "jewel"),
    ("marvell", "marvel"),
    ("woollen", "woolen"),
    ("sulph", "sulf"),
];

/// Words that look British but have only one spelling.
const NOT_BRITISH: &str = "
    advertised advise advised advising arising bestseller bruises compelled compelling compromise concise contour
    contours cruises demise despise despised detour devised devour disguise dweller dwelling enterprise excelled
    excise exercise exercised exercises exercising expelled expertise flour four fours franchise glamour hour hours
    improvise improvised incise likewise merchandise noise otherwise paradise pour poured pouring praised praising
    precise premises promise promised promising propelled raised raises raising rebelled revise revised revising
    rising seller sellers selling smelling sour spelled spelling supervise supervised supervising surprise surprised
    surprising swelling televised teller telling tour toured touring tours treatise uprising
";

/// Returns the American, unabbreviated spelling of a word in lower case, if it differs.
pub(crate) fn canonical_spelling(word: &str) -> Option<String> {
    static SPELLED: OnceLock<WordMap<&'static str, &'static str>> = OnceLock::new();
    static EXCEPTIONS: OnceLock<WordSet<&'static str>> = OnceLock::new();
    let spelled =
        SPELLED.get_or_init(|| SPELLINGS.split_whitespace().filter_map(|pair| pair.split_once('/')).collect());
    if let Some(other) = spelled.get(word) {
        return Some((*other).to_owned());
    }
    let singular = word.strip_suffix('s').filter(|singular| singular.len() > 2);
    if let Some(other) =
        singular.and_then(|singular| spelled.get(singular)).filter(|other| !other.ends_with(['s', 'y']))
    {
        return Some(format!("{other}s"));
    }
    if let Some((from, to)) =
        BEGINNINGS.iter().find(|(from, _)| from.as_bytes().first() == word.as_bytes().first() && word.starts_with(from))
    {
        return Some(format!("{to}{}", &word[from.len()..]));
    }
    let last = word.as_bytes().last();
    let fits =
        |from: &str, shortest: usize| from.as_bytes().last() == last && word.len() >= shortest && word.ends_with(from);
    let (from, to, _) = ENDINGS.iter().find(|(from, _, shortest)| fits(from, *shortest))?;
    if EXCEPTIONS.get_or_init(|| NOT_BRITISH.split_whitespace().collect()).contains(word) {
        return None;
    }
    Some(format!("{}{to}", &word[..word.len() - from.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn british_and_american_spellings_are_equal() {
        assert_eq!(canonical_spelling("neighbour").as_deref(), Some("neighbor"));
        assert_eq!(canonical_spelling("travelled").as_deref(), Some("traveled"));
        assert_eq!(canonical_spelling("analyse").as_deref(), Some("analyze"));
        assert_eq!(canonical_spelling("cheques").as_deref(), Some("checks"));
        assert_eq!(canonical_spelling("artefacts").as_deref(), Some("artifacts"));
        assert_eq!(canonical_spelling("hour"), None);
        assert_eq!(canonical_spelling("exercise"), None);
        assert_eq!(canonical_spelling("wise"), None);
    }

    #[test]
    fn contractions_are_split() {
        assert_eq!(contraction("hasn't"), Some(("has", "not")));
        assert_eq!(contraction("won't"), Some(("will", "not")));
        assert_eq!(contraction("they'll"), Some(("they", "will")));
        assert_eq!(contraction("dog"), None);
    }
}
