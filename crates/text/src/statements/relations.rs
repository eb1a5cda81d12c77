//! Which states a verb of change can end, and which attributes have one value at a time.

use super::cues::ChangeVerb;
use crate::pairs::lexicon::Lexicon;
use crate::pairs::token::Token;

/// Stems of verbs with one value at a time: who lives in Porto does not live in Braga. Verbs that
/// take many objects ("like", "know", "play") are not among them.
const ONE_VALUE: &[&str] = &[
    "live", "resid", "work", "meet", "cost", "report", "stay", "park", "sit", "studi", "sleep", "commut", "heat",
    "run", "deploy", "host", "store", "track", "keep", "train", "pay", "charg", "belong", "drive", "rent", "call",
    "name", "happen", "start", "end", "open", "close", "last", "weigh", "locat", "base", "schedul", "hold", "listen",
    "expir", "requir", "employ", "need", "rank", "earn", "manag", "lead", "date", "be", "stand", "lie", "remain",
    "use",
];

/// Stems of verbs of which a person has one object at a time. Who leads, hosts or needs something can do so
/// with a second thing as well.
const ONE_OBJECT: &[&str] = &["cost", "weigh", "earn", "drive", "rent", "pay", "rank", "last", "use", "be"];

/// Stems of verbs that say what happened or what somebody is inclined to: a later choice does not end
/// them.
const LASTING: &[&str] = &[
    "bear",
    "born",
    "birth",
    "write",
    "found",
    "invent",
    "die",
    "marri",
    "build",
    "make",
    "creat",
    "buy",
    "sell",
    "visit",
    "see",
    "like",
    "love",
    "hate",
    "know",
    "learn",
    "teach",
    "dislik",
    "recommend",
    "meet",
    "grow",
    "come",
    "remember",
    "help",
    "own",
    "maintain",
    "contribut",
    "develop",
    "invest",
    "translat",
    "review",
    "test",
    "sponsor",
    "dream",
    "miss",
];

/// Stems of verbs that name one attribute: who is based somewhere lives there.
const ONE_ATTRIBUTE: &[&[&str]] = &[
    &["resid", "base", "dwell"],
    &["work", "employ"],
    &["want", "prefer"],
    &["happen", "hold", "schedul"],
    &["store", "keep"],
];

/// Returns true if two verbs name the same attribute.
pub(super) fn name_one_attribute(one: &str, other: &str) -> bool {
    ONE_ATTRIBUTE.iter().any(|verbs| verbs.contains(&one) && verbs.contains(&other))
}

/// Stems of verbs that one can do in several places at a time.
const MANY_PLACES: &[&str] = &[
    "operat",
    "sell",
    "advertis",
    "publish",
    "appear",
    "list",
    "stream",
    "trade",
    "ship",
    "teach",
    "volunt",
    "volunteer",
    "perform",
    "invest",
    "support",
    "deliv",
    "deliver",
    "play",
    "sing",
    "write",
    "post",
    "speak",
    "shop",
    "eat",
    "swim",
    "help",
    "particip",
    "compet",
    "own",
    "grow",
    "exist",
    "occur",
    "succeed",
    "win",
    "believ",
    "trust",
    "reli",
    "react",
    "cover",
    "collect",
    "travel",
    "hike",
    "save",
    "share",
    "avail",
    "allow",
    "accept",
    "serv",
    "open",
    "close",
    "clos",
];

/// Stems of verbs whose goals add up.
const MANY_GOALS: &[&str] = &[
    "deliv",
    "deliver",
    "ship",
    "export",
    "fli",
    "fly",
    "sail",
    "extend",
    "appli",
    "apply",
    "sell",
    "lend",
    "rent",
    "connect",
    "go",
    "run",
    "travel",
    "lead",
    "open",
    "contribut",
    "give",
    "speak",
    "refer",
    "link",
    "react",
    "respond",
    "listen",
];

/// Returns true for verbs whose statement a later choice does not end.
pub(super) fn is_lasting(verb: Option<&Token>) -> bool {
    verb.is_some_and(|verb| LASTING.contains(&&*verb.key))
}

/// Returns true if an attribute with this verb has one value at a time behind this preposition; an
/// empty one stands for the object. Persons do many things at a time, but each in one place.
pub(super) fn has_one_value(verb: Option<&Token>, preposition: &str, person: bool) -> bool {
    let Some(verb) = verb else { return true };
    let key = &&*verb.key;
    match preposition {
        "" => {
            ONE_VALUE.contains(key)
                && (!person || ONE_OBJECT.contains(key))
                && (verb.key == "drive" || !Lexicon::shared().has_many_objects(&verb.key))
        }
        "in" | "at" | "near" | "behind" | "under" | "from" => ONE_VALUE.contains(key) || !MANY_PLACES.contains(key),
        "to" | "into" | "onto" => ONE_VALUE.contains(key) || !person && !MANY_GOALS.contains(key),
        _ => ONE_VALUE.contains(key),
    }
}

/// Returns true if a change of this class can end a state with this verb; none is a copula.
pub(super) fn can_end(change: ChangeVerb, verb: Option<&Token>) -> bool {
    let key = verb.map(|verb| verb.key.as_str());
    match change {
        ChangeVerb::Move => key.is_none_or(|key| {
            matches!(
                key,
                "live" | "resid" | "base" | "stay" | "locat" | "sit" | "park" | "store" | "keep" | "host" | "meet"
            ) || matches!(
                key,
                "happen" | "start" | "begin" | "run" | "schedul" | "open" | "hold" | "stand" | "lie" | "take"
            )
        }),
        ChangeVerb::Transfer => {
            key.is_some_and(|key| matches!(key, "work" | "employ" | "play" | "belong" | "serv" | "studi" | "stay"))
        }
        ChangeVerb::Reschedule => key.is_none_or(|key| {
            matches!(
                key,
                "happen" | "start" | "begin" | "run" | "schedul" | "open" | "hold" | "take" | "meet" | "come" | "arriv"
            ) || matches!(key, "leav" | "depart" | "end" | "finish" | "close" | "launch" | "due" | "visit")
        }),
        ChangeVerb::Switch => key.is_none_or(|key| !LASTING.contains(&key)),
        ChangeVerb::Amount => key.is_none_or(|key| !LASTING.contains(&key)),
        ChangeVerb::Rename => key.is_none_or(|key| matches!(key, "call" | "name" | "be")),
        ChangeVerb::TakeOver => false,
        ChangeVerb::Leave => {
            key.is_some_and(|key| matches!(key, "work" | "employ" | "belong" | "studi" | "serv" | "play"))
        }
    }
}
