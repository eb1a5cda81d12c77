//! Words that announce a change: now, since, no longer, moved, switched from X to Y.

use std::ops::Range;

use super::clause::{Clause, is_determiner, is_preposition};
use crate::pairs::date::PartialDateTime;
use crate::pairs::scan::{Break, ScannedWord};
use crate::pairs::token::{Token, TokenKind};

/// The announcements of one clause.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent marks of a clause")]
pub(crate) struct ClauseCues {
    pub(crate) now: bool,
    pub(crate) since: bool,
    pub(crate) no_longer: bool,
    pub(crate) correction: bool,
    pub(crate) again: bool,
    pub(crate) new: bool,
    pub(crate) also: bool,
    pub(crate) change: Option<(ChangeVerb, usize)>,
    pub(crate) former: Option<Range<usize>>,
}

impl ClauseCues {
    /// Returns true if the clause announces a change.
    pub(crate) fn announces(&self) -> bool {
        self.now || self.since || self.no_longer || self.correction || self.change.is_some() || self.former.is_some()
    }
}

/// What a verb of change does to its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeVerb {
    /// Moves to another place or date.
    Move,
    /// Moves to another team or employer.
    Transfer,
    /// Moves to another date.
    Reschedule,
    /// Takes another thing for the same purpose.
    Switch,
    /// Takes another amount.
    Amount,
    /// Takes another name.
    Rename,
    /// Takes a role from somebody.
    TakeOver,
    /// Leaves a place or an occupation.
    Leave,
}

/// The meaning of a token for the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mark {
    /// A part of what is stated.
    #[default]
    Plain,
    /// A word that announces a change.
    Cue,
    /// When the change happened.
    Time,
    /// Why it happened.
    Reason,
    /// What was before.
    Former,
    /// The negation of what was before: "no longer in Porto but in Braga".
    Contrast,
}

/// A word or phrase that announces a change or limits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cue {
    /// "Now", "currently", "instead".
    Now,
    /// "Since", "as of", "effective".
    Since,
    /// "No longer", "not any more", "stopped".
    NoLonger,
    /// "Actually", "correction", "I was wrong". It holds for the whole text.
    Correction,
    /// "Again", "back".
    Again,
    /// "The new ...".
    New,
    /// "Used to", "formerly", "the former".
    Past,
    /// "Also", "too", "as well".
    Also,
    /// A verb of change.
    Change(ChangeVerb),
}

/// The announcements of one text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cues {
    /// The cues, each with its token.
    pub(crate) found: Vec<(Cue, usize)>,
    /// The tokens that name what was before.
    pub(crate) formers: Vec<Range<usize>>,
    /// The date from which the text holds.
    pub(crate) effective: Option<PartialDateTime>,
    /// The meaning of each token.
    pub(crate) marks: Vec<Mark>,
    /// The first announcing words.
    pub(crate) words: String,
}

impl Cues {
    /// Returns true if the text has a cue.
    pub(crate) fn has(&self, cue: Cue) -> bool {
        self.found.iter().any(|(found, _)| *found == cue)
    }

    /// Returns true if the text announces a change.
    pub(crate) fn announces(&self) -> bool {
        !self.formers.is_empty() || self.found.iter().any(|(cue, _)| !matches!(cue, Cue::Past | Cue::Also | Cue::Again))
    }

    /// Returns the first verb of change with its token.
    pub(crate) fn change(&self) -> Option<(ChangeVerb, usize)> {
        self.found.iter().find_map(|(cue, at)| match cue {
            Cue::Change(change) => Some((*change, *at)),
            _ => None,
        })
    }

    /// Returns the cues of a part of the text. A correction holds for the whole text.
    pub(crate) fn within(&self, spans: &[Range<usize>]) -> ClauseCues {
        let inside = |at: &usize| spans.iter().any(|span| span.contains(at));
        let has = |cue: Cue| self.found.iter().any(|(found, at)| *found == cue && inside(at));
        ClauseCues {
            now: has(Cue::Now),
            since: has(Cue::Since),
            no_longer: has(Cue::NoLonger),
            correction: self.has(Cue::Correction),
            again: has(Cue::Again),
            new: has(Cue::New),
            also: has(Cue::Also),
            change: self.found.iter().find_map(|(cue, at)| match cue {
                Cue::Change(change) if inside(at) => Some((*change, *at)),
                _ => None,
            }),
            former: self.formers.iter().find(|former| inside(&former.start)).cloned(),
        }
    }

    pub(crate) fn mark(&self, at: usize) -> Mark {
        self.marks.get(at).copied().unwrap_or_default()
    }

    /// Takes back what was found inside a subject: "the back door", "the heater installed in Porto". Words
    /// of the present ("the current price", "the new captain") stay cues there.
    pub(crate) fn keep_subjects_plain(&mut self, clauses: &[Clause], tokens: &[Token]) {
        let present = |at: usize| {
            matches!(
                &*tokens[at].canon,
                "no" | "longer"
                    | "nolonger"
                    | "anymore"
                    | "never"
                    | "since"
                    | "now"
                    | "currently"
                    | "current"
                    | "latest"
                    | "new"
                    | "actually"
                    | "sorry"
                    | "correction"
            )
        };
        for clause in clauses.iter().filter(|clause| clause.predicate.is_some() && !clause.continues) {
            // "With effect from May tokens expire", "These days the choir rehearses": a time in front is no subject.
            let leads = |(cue, at): &(Cue, usize)| *at == clause.subject.start && matches!(cue, Cue::Since | Cue::Now);
            if self.found.iter().any(leads) {
                continue;
            }
            for at in clause.subject.clone().filter(|at| !present(*at)) {
                if matches!(self.marks[at], Mark::Cue | Mark::Time | Mark::Reason) {
                    self.marks[at] = Mark::Plain;
                    self.found.retain(|(_, found)| *found != at);
                }
            }
        }
    }

    fn add(&mut self, cue: Cue, range: Range<usize>, tokens: &[Token]) {
        self.found.push((cue, range.start));
        self.set(range, Mark::Cue, tokens);
    }

    fn set(&mut self, range: Range<usize>, mark: Mark, tokens: &[Token]) {
        if self.words.is_empty() && mark == Mark::Cue {
            self.words = tokens[range.clone()].iter().map(|token| token.canon.as_str()).collect::<Vec<_>>().join(" ");
        }
        for slot in &mut self.marks[range] {
            *slot = mark;
        }
    }
}

/// Past and perfect forms of the verbs of change.
fn change(word: &str) -> Option<ChangeVerb> {
    Some(match word {
        "moved" | "moves" | "relocated" | "shifted" | "resettled" => ChangeVerb::Move,
        "transferred" => ChangeVerb::Transfer,
        "postponed" | "rescheduled" | "delayed" | "slipped" | "slips" | "deferred" | "adjourned" => {
            ChangeVerb::Reschedule
        }
        "switched" | "switches" | "migrated" | "changed" | "converted" | "upgraded" | "downgraded" | "swapped"
        | "ported" | "replaced" | "replaces" | "traded" | "updated" | "transitioned" | "adopted" => ChangeVerb::Switch,
        "raised" | "rises" | "increased" | "reduced" | "lowered" | "decreased" | "cut" | "dropped" | "rose"
        | "risen" | "fell" | "fallen" | "grew" | "grown" | "bumped" | "climbed" | "extended" | "shortened"
        | "jumped" | "sank" | "sunk" | "adjusted" | "doubled" | "halved" | "capped" | "shrunk" | "shrank" => {
            ChangeVerb::Amount
        }
        "renamed" | "rebranded" => ChangeVerb::Rename,
        "succeeded" | "succeeds" | "appointed" | "elected" | "promoted" | "became" | "installed" | "inherited" => {
            ChangeVerb::TakeOver
        }
        "left" | "quit" | "resigned" | "retired" => ChangeVerb::Leave,
        _ => return None,
    })
}

/// Verbs of change of two words.
fn phrasal_change(first: &str, second: &str) -> Option<ChangeVerb> {
    Some(match (first, second) {
        ("took" | "taken" | "takes", "over") => ChangeVerb::TakeOver,
        ("pushed" | "put" | "moved" | "brought" | "bring", "back" | "forward" | "off" | "up") => ChangeVerb::Reschedule,
        ("went" | "gone" | "came" | "goes", "up" | "down") => ChangeVerb::Amount,
        ("stepped", "down") | ("dropped", "out") => ChangeVerb::Leave,
        _ => return None,
    })
}

/// Finds the announcements of a text.
pub(crate) fn cues(tokens: &[Token], pieces: &[ScannedWord]) -> Cues {
    let mut cues = Cues { marks: vec![Mark::Plain; tokens.len()], ..Cues::default() };
    let word = |at: usize| tokens.get(at).map_or("", |token| token.canon.as_str());
    let mut at = 0;
    while at < tokens.len() {
        let (this, next, after) = (word(at), word(at + 1), word(at + 2));
        let before = at.checked_sub(1).map_or("", word);
        let opens = tokens[at].opens;
        let next_is_date = tokens.get(at + 1).is_some_and(|token| matches!(token.kind, TokenKind::DateTime(_)));
        let next_is_number = tokens.get(at + 2).is_some_and(|token| matches!(token.kind, TokenKind::Number(_)));
        let taken = match (this, next) {
            ("now", "that" | "and") => 1,
            ("now" | "currently" | "nowadays" | "meanwhile" | "henceforth" | "newly" | "presently" | "lately", _) => {
                cues.add(Cue::Now, at..at + 1, tokens);
                1
            }
            ("current" | "latest", _) if before != "a" => {
                cues.add(Cue::Now, at..at + 1, tokens);
                1
            }
            ("these", "days") | ("at", "present") | ("by", "now") | ("for", "now") => {
                cues.add(Cue::Now, at..at + 2, tokens);
                2
            }
            ("from", "now") => {
                let end = if after == "on" { at + 3 } else { at + 2 };
                cues.add(Cue::Now, at..end, tokens);
                end - at
            }
            ("instead", "of") | ("rather", "than") => {
                let end = phrase(tokens, pieces, at + 2);
                cues.set(at..at + 2, Mark::Cue, tokens);
                cues.set(at + 2..end, Mark::Former, tokens);
                cues.formers.push(at + 2..end);
                end - at
            }
            ("in", "place") if after == "of" => {
                let end = phrase(tokens, pieces, at + 3);
                cues.set(at..at + 3, Mark::Cue, tokens);
                cues.set(at + 3..end, Mark::Former, tokens);
                cues.formers.push(at + 3..end);
                end - at
            }
            ("instead", _) => {
                cues.add(Cue::Now, at..at + 1, tokens);
                1
            }
            ("since", _) => {
                cues.add(Cue::Since, at..at + 1, tokens);
                cues.effective = cues.effective.or_else(|| date_near(tokens, at + 1));
                // "Seit März leitet Solveig": what follows a date is no part of it.
                let dates = tokens[at + 1..].iter().take_while(|token| matches!(token.kind, TokenKind::DateTime(_)));
                let end = match (opens, dates.count()) {
                    (true, _) => at + 1,
                    (false, 0) => sentence_end(tokens, pieces, at),
                    (false, dates) => at + 1 + dates,
                };
                cues.set(at + 1..end, Mark::Time, tokens);
                end - at
            }
            ("as", "of")
            | ("effective", "from")
            | ("with", "effect")
            | ("starting" | "beginning", "from" | "on" | "in" | "with") => {
                let skip = if this == "with" && after == "from" { 3 } else { 2 };
                cues.add(Cue::Since, at..(at + skip).min(tokens.len()), tokens);
                cues.effective = cues.effective.or_else(|| date_near(tokens, at + skip));
                let dated = tokens.get(at + skip).is_some_and(|token| matches!(token.kind, TokenKind::DateTime(_)));
                if dated {
                    cues.set(at + skip..at + skip + 1, Mark::Time, tokens);
                } else if matches!(word(at + skip), "today" | "tomorrow" | "now" | "this" | "next") {
                    let end =
                        (at + skip + 1 + usize::from(matches!(word(at + skip), "this" | "next"))).min(tokens.len());
                    cues.set(at + skip..end, Mark::Time, tokens);
                }
                skip
            }
            ("effective" | "starting" | "beginning", _) if opens && next_is_date => {
                cues.add(Cue::Since, at..at + 1, tokens);
                cues.effective = date_near(tokens, at + 1);
                1
            }
            ("from", _)
                if opens
                    && tokens.get(at + 1).is_some_and(|token| matches!(token.kind, TokenKind::DateTime(_)))
                    && after != "to"
                    && after != "until" =>
            {
                let end = if after == "on" { at + 3 } else { at + 2 };
                cues.add(Cue::Since, at..end.min(tokens.len()), tokens);
                cues.effective = date_near(tokens, at + 1);
                end.min(tokens.len()) - at
            }
            ("no", "longer") | ("any", "longer" | "more") => {
                cues.add(Cue::NoLonger, at..at + 2, tokens);
                2
            }
            ("nolonger" | "anymore", _) => {
                cues.add(Cue::NoLonger, at..at + 1, tokens);
                1
            }
            ("stopped" | "quit" | "ceased", _) if next.ends_with("ing") && next.len() > 4 => {
                cues.add(Cue::NoLonger, at..at + 1, tokens);
                1
            }
            ("gave" | "given", "up") => {
                cues.add(Cue::NoLonger, at..at + 2, tokens);
                2
            }
            (
                "actually" | "correction" | "corrected" | "misheard" | "misread" | "misremembered" | "mistaken"
                | "sorry" | "oops" | "typo" | "erratum",
                _,
            ) => {
                cues.add(Cue::Correction, at..at + 1, tokens);
                1
            }
            ("was" | "were", "wrong" | "mistaken") if matches!(before, "i" | "we") => {
                cues.add(Cue::Correction, at - 1..at + 2, tokens);
                2
            }
            ("update" | "edit", _) if opens && pieces[tokens[at].at].after == Break::Colon => {
                cues.add(Cue::Correction, at..at + 1, tokens);
                1
            }
            ("down" | "up", "to") if next_is_number => {
                cues.add(Cue::Change(ChangeVerb::Amount), at..at + 1, tokens);
                1
            }
            // "Put us off until Thursday", "pushed the call back to noon".
            ("put" | "pushed" | "moved" | "brought", _)
                if (at + 2..at + 5).any(|near| matches!(word(near), "off" | "back" | "forward"))
                    && tokens[at..].iter().any(|token| matches!(token.kind, TokenKind::DateTime(_))) =>
            {
                let particle = (at + 2..at + 5).find(|near| matches!(word(*near), "off" | "back" | "forward"));
                cues.add(Cue::Change(ChangeVerb::Reschedule), at..at + 1, tokens);
                if let Some(particle) = particle {
                    cues.set(particle..particle + 1, Mark::Cue, tokens);
                }
                1
            }
            ("scratch" | "forget", "that") | ("turns" | "turned", "out") | ("my", "mistake" | "bad") => {
                cues.add(Cue::Correction, at..at + 2, tokens);
                2
            }
            ("set" | "put", _) if after == "straight" || after == "right" => {
                cues.add(Cue::Correction, at..at + 3, tokens);
                3
            }
            ("in", "fact") | ("after", "all") => {
                cues.add(Cue::Correction, at..at + 2, tokens);
                2
            }
            // "Back in January" places a statement in the past.
            ("back", "in" | "then" | "when") => {
                cues.found.push((Cue::Past, at));
                1
            }
            ("back", _) if is_determiner(before) || opens || is_preposition(before) => 1,
            ("again" | "back", _) => {
                cues.add(Cue::Again, at..at + 1, tokens);
                1
            }
            ("new", _) if !next.is_empty() && (!tokens[at].capital || opens) && !tokens[at + 1].capital => {
                cues.add(Cue::New, at..at + 1, tokens);
                1
            }
            ("used", "to") if !matches!(before, "is" | "are" | "was" | "were" | "be" | "been") => {
                cues.found.push((Cue::Past, at));
                2
            }
            ("formerly" | "previously" | "former" | "previous" | "originally" | "once", _) => {
                cues.found.push((Cue::Past, at));
                1
            }
            ("until" | "till", "recently") | ("in", "the") if after == "past" => {
                cues.found.push((Cue::Past, at));
                2
            }
            ("also" | "too" | "additionally" | "besides", _) => {
                cues.found.push((Cue::Also, at));
                1
            }
            ("as", "well") => {
                cues.found.push((Cue::Also, at));
                2
            }
            ("because", _) => {
                let end = sentence_end(tokens, pieces, at);
                cues.set(at..end, Mark::Reason, tokens);
                end - at
            }
            ("after" | "following", _)
                if !opens && cues.change().is_some_and(|(_, verb)| tokens[verb].sentence == tokens[at].sentence) =>
            {
                let end = sentence_end(tokens, pieces, at);
                cues.set(at..end, Mark::Reason, tokens);
                end - at
            }
            ("due" | "thanks", "to") => {
                let end = sentence_end(tokens, pieces, at);
                cues.set(at..end, Mark::Reason, tokens);
                end - at
            }
            ("yesterday" | "today" | "tonight" | "recently" | "finally" | "just" | "already" | "hereby", _) => {
                cues.set(at..at + 1, Mark::Time, tokens);
                1
            }
            (
                "this" | "last" | "next",
                "morning" | "week" | "month" | "year" | "night" | "evening" | "afternoon" | "quarter" | "term",
            ) => {
                cues.set(at..at + 2, Mark::Time, tokens);
                2
            }
            _ => {
                let phrasal = phrasal_change(this, next);
                let found = phrasal.or_else(|| change(this).filter(|_| tokens[at].kind == TokenKind::Word));
                // "To be moved" and "will be moved" announce a plan, "the changed plan" a thing.
                let attributive = is_determiner(before) || is_preposition(before) && before != "since";
                match found.filter(|_| !attributive && !tokens[at].capital) {
                    Some(class) => {
                        let taken = 1 + usize::from(phrasal.is_some());
                        cues.add(Cue::Change(class), at..at + taken, tokens);
                        taken
                    }
                    None => 1,
                }
            }
        };
        at += taken.max(1);
    }
    for (cue, at) in cues.found.clone() {
        if let Cue::Change(class) = cue {
            mark_former(&mut cues, tokens, pieces, class, at);
        }
    }
    mark_contrast(&mut cues, tokens, pieces);
    if cues.formers.is_empty() {
        let contrast = tokens
            .iter()
            .position(|token| token.contrast && token.kind != TokenKind::Negator && token.kind != TokenKind::Function);
        if let Some(start) = contrast {
            let end = (start..tokens.len()).find(|at| !tokens[*at].contrast).unwrap_or(tokens.len());
            cues.set(start..end, Mark::Former, tokens);
            cues.formers.push(start..end);
        }
    }
    cues
}

/// Marks what a verb of change names as former: "from X to Y", "replaced X with Y", "succeeded X".
fn mark_former(cues: &mut Cues, tokens: &[Token], pieces: &[ScannedWord], class: ChangeVerb, verb: usize) {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.canon.as_str());
    let joined = |at: &usize| matches!(word(*at), "and" | "but" | "so") && *at > verb + 1;
    let end = sentence_end(tokens, pieces, verb);
    let end = (verb..end).find(joined).unwrap_or(end);
    let start = tokens[..verb].iter().rposition(|token| token.sentence != tokens[verb].sentence).map_or(0, |at| at + 1);
    let passive = (start..verb).any(|at| matches!(word(at), "was" | "were" | "been" | "is" | "are" | "being" | "be"));
    // "from X to Y", before or behind the verb.
    if let Some(from) = (start..end).find(|at| word(*at) == "from" && cues.mark(*at) == Mark::Plain) {
        let to = (from..end).find(|at| matches!(word(*at), "to" | "into" | "onto"));
        let until = to.unwrap_or_else(|| phrase(tokens, pieces, from + 1));
        if to.is_some() || matches!(class, ChangeVerb::TakeOver | ChangeVerb::Leave) {
            cues.set(from..from + 1, Mark::Cue, tokens);
            cues.set(from + 1..until, Mark::Former, tokens);
            cues.formers.push(from + 1..until);
            return;
        }
    }
    let exchanges = matches!(word(verb), "replaced" | "replaces" | "swapped" | "traded" | "succeeded" | "succeeds");
    if exchanges && !passive {
        let behind = verb + 1;
        let until = (behind..end).find(|at| matches!(word(*at), "with" | "by" | "for" | "as")).unwrap_or(end);
        cues.set(behind..until, Mark::Former, tokens);
        cues.formers.push(behind..until);
    } else if exchanges && passive {
        let subject_end = (start..verb)
            .find(|at| matches!(word(*at), "was" | "were" | "has" | "have" | "is" | "are"))
            .unwrap_or(verb);
        cues.set(start..subject_end, Mark::Former, tokens);
        cues.formers.push(start..subject_end);
    } else if class == ChangeVerb::Leave {
        let until = (verb + 1..end)
            .find(|at| matches!(word(*at), "for" | "to" | "because" | "after" | "and" | "so" | "but"))
            .unwrap_or(end);
        if until > verb + 1 {
            cues.set(verb + 1..until, Mark::Former, tokens);
            cues.formers.push(verb + 1..until);
        }
    }
}

/// Reads "no longer lives in Porto but in Braga": what the negation denies is the former value, and what follows "but"
/// is the present one.
fn mark_contrast(cues: &mut Cues, tokens: &[Token], pieces: &[ScannedWord]) {
    let Some(at) = cues.found.iter().find(|(cue, _)| *cue == Cue::NoLonger).map(|(_, at)| *at) else { return };
    let in_sentence = |other: &usize| tokens[*other].sentence == tokens[at].sentence;
    let Some(but) = (at..tokens.len()).filter(in_sentence).find(|other| tokens[*other].canon == "but") else { return };
    let behind: Vec<&Token> = (but + 1..tokens.len()).filter(in_sentence).map(|at| &tokens[at]).collect();
    let acts = |token: &&Token| token.verb && token.kind == TokenKind::Word && !token.capital;
    let pronoun = |token: &&Token| super::clause::is_pronoun(&token.canon);
    let broken = (but + 1..tokens.len()).filter(in_sentence).any(|at| {
        tokens.get(at + 1).is_some_and(|next| next.sentence == tokens[at].sentence)
            && pieces[tokens[at].at].after >= Break::Comma
    });
    if behind.is_empty() || broken || behind.iter().any(acts) || behind.iter().any(pronoun) {
        return;
    }
    let verb = (0..but).filter(in_sentence).rfind(|at| tokens[*at].verb && tokens[*at].kind == TokenKind::Word);
    let cue_end = (at..but).find(|at| cues.marks[*at] != Mark::Cue).unwrap_or(but);
    let start = verb.map_or(cue_end, |verb| cue_end.max(verb + 1));
    if start >= but {
        return;
    }
    for other in (0..but).filter(in_sentence) {
        if tokens[other].kind == TokenKind::Negator || (at..cue_end).contains(&other) {
            cues.marks[other] = Mark::Contrast;
        }
    }
    cues.found.retain(|(cue, _)| *cue != Cue::NoLonger);
    cues.found.push((Cue::Now, at));
    cues.set(start..but, Mark::Former, tokens);
    cues.set(but..but + 1, Mark::Cue, tokens);
    cues.formers.push(start..but);
}

/// Returns the first date among the next few tokens.
fn date_near(tokens: &[Token], at: usize) -> Option<PartialDateTime> {
    tokens.iter().skip(at).take(3).find_map(|token| match token.kind {
        TokenKind::DateTime(when) => Some(when),
        _ => None,
    })
}

/// Returns the end of the phrase that starts at a token: a break, a preposition or a conjunction.
fn phrase(tokens: &[Token], pieces: &[ScannedWord], start: usize) -> usize {
    let limit = sentence_end(tokens, pieces, start);
    (start..limit)
        .find(|at| {
            let word = tokens[*at].canon.as_str();
            *at > start
                && (is_preposition(word)
                    || matches!(word, "and" | "but" | "now" | "these" | "this" | "currently" | "today" | "again"))
        })
        .unwrap_or(limit)
}

/// Returns the end of the sentence or of the part before the next comma.
fn sentence_end(tokens: &[Token], pieces: &[ScannedWord], start: usize) -> usize {
    for at in start..tokens.len() {
        let last = tokens.get(at + 1).map_or(pieces.len(), |next| next.at) - 1;
        if pieces[last].after >= Break::Comma {
            return at + 1;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::analysed_text::AnalysedText;

    fn of(text: &str) -> Cues {
        let words = AnalysedText::new(text);
        cues(&words.tokens, &words.pieces)
    }

    fn former(text: &str) -> String {
        let words = AnalysedText::new(text);
        let cues = cues(&words.tokens, &words.pieces);
        let range = cues.formers.first().cloned().unwrap_or(0..0);
        words.tokens[range].iter().map(|token| token.canon.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn announcements_are_found() {
        assert!(of("The fee is now 5 euros").has(Cue::Now));
        assert!(of("Since May the fee is 5 euros").has(Cue::Since));
        assert!(of("As of June the fee is 5 euros").has(Cue::Since));
        assert!(of("We no longer use Jenkins").has(Cue::NoLonger));
        assert!(of("Anna doesn't smoke any more").has(Cue::NoLonger));
        assert!(of("Correction: the fee is 5 euros").has(Cue::Correction));
        assert!(!of("The fee is 5 euros").announces());
        assert_eq!(of("The review was moved to Friday").change().map(|change| change.0), Some(ChangeVerb::Move));
        assert_eq!(
            of("The review was pushed back to Friday").change().map(|change| change.0),
            Some(ChangeVerb::Reschedule)
        );
    }

    #[test]
    fn the_former_value_is_marked() {
        assert_eq!(former("We moved from Slack to Zulip"), "slack");
        assert_eq!(former("We use Zulip instead of Slack"), "slack");
        assert_eq!(former("We replaced Slack with Zulip"), "slack");
        assert_eq!(former("Slack was replaced by Zulip"), "slack");
        assert_eq!(former("Kim took over the bookkeeping from Lee"), "lee");
        assert_eq!(former("Ada left Initech for Globex"), "initech");
    }
}
