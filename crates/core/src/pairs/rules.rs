//! The decision. Cosine nominates, words decide.

use super::align::{Alignment, Slot, align};
use super::analysed::Analysed;
use super::lexicon::{Lexicon, Opposition, is_copula};
use super::number::Measure;
use super::polarity::{Claim, claim};
use super::roles::{Roles, roles};
use super::token::{Kind, Token};
use super::update::Strength;
use super::{ContradictionKind, PairThresholds, Verdict};

/// How far below the prefilter a cosine may lie when all words but the differing one are shared.
const TIGHT_ALLOWANCE: f64 = 0.25;
/// A difference with at least this score, announced as a change, is an update.
const UPDATE_SCORE: f64 = 0.55;
/// The same where the newer text only denies: more of it must be shared, or it may deny something else.
const TURNED_UPDATE_SCORE: f64 = 0.7;

/// Judges what the newer text is to the older one.
pub(super) fn decide(older: &Analysed, newer: &Analysed, cosine: f64, thresholds: PairThresholds) -> Verdict {
    let cosine = if cosine.is_finite() { cosine } else { 0.0 };
    if !older.has_words() || !newer.has_words() {
        return distinct("one of them has no words");
    }
    if older.question != newer.question {
        return distinct("one of them asks");
    }
    if older.spelling == newer.spelling {
        return Verdict::Duplicate { reason: "the same words".to_owned() };
    }
    let pair = Pair { older, newer, cosine, thresholds, alignment: align(older, newer) };
    pair.judge()
}

fn distinct(reason: impl Into<String>) -> Verdict {
    Verdict::Distinct { reason: reason.into() }
}

struct Pair<'a> {
    older: &'a Analysed,
    newer: &'a Analysed,
    cosine: f64,
    thresholds: PairThresholds,
    alignment: Alignment<'a>,
}

/// A reason why both cannot hold.
struct Conflict {
    kind: ContradictionKind,
    score: f64,
    reason: String,
}

impl Pair<'_> {
    fn judge(&self) -> Verdict {
        if self.older.question {
            return distinct("different questions");
        }
        if self.alignment.sides.iter().all(Vec::is_empty) {
            return Verdict::NearDuplicate { reason: "the same sentences in another order".to_owned() };
        }
        if self.alignment.sides.iter().any(Vec::is_empty) {
            return distinct("one says more than the other");
        }
        if self.older.persons != 0 && self.newer.persons != 0 && self.older.persons & self.newer.persons == 0 {
            return distinct("they speak of different persons");
        }
        if self.alignment.shared_content() == 0 {
            return distinct("no words in common");
        }
        let roles = roles(&self.alignment);
        if let Some(reason) = self.former_state() {
            return Verdict::Update { reason };
        }
        if let Some(reason) = self.other_subject() {
            return distinct(reason);
        }
        let [older, newer] = [0, 1].map(|side| claim(&self.alignment.sides[side], self.same_negators()));
        match self.conflict(roles, older, newer) {
            Some(conflict) => self.weigh(conflict),
            None => self.without_conflict(roles, older, newer),
        }
    }

    /// Whether both negate with the same words: then it is not negation that tells them apart, wherever a comma stands.
    fn same_negators(&self) -> bool {
        let negators = |side: usize| {
            let tokens = self.alignment.sides[side].iter().filter(|token| token.kind == Kind::Negator);
            let mut words: Vec<&str> = tokens.map(|token| token.canon.as_str()).collect();
            words.sort_unstable();
            words
        };
        negators(0) == negators(1)
    }

    /// A conflict is an update where the newer text says so, a contradiction where it is certain enough.
    fn weigh(&self, conflict: Conflict) -> Verdict {
        let Conflict { kind, score, reason } = conflict;
        let turned = matches!(kind, ContradictionKind::Negation | ContradictionKind::Antonym);
        if score >= if turned { TURNED_UPDATE_SCORE } else { UPDATE_SCORE }
            && self.announces_change(kind)
            && self.cosine >= self.floor()
        {
            return Verdict::Update { reason: format!("'{}': {reason}", self.newer.cues.words) };
        }
        let nominated =
            self.cosine >= self.thresholds.contradiction_prefilter || (self.is_tight() && self.cosine >= self.floor());
        if nominated && score >= self.thresholds.contradiction {
            return Verdict::Contradiction { kind, score, reason };
        }
        distinct(format!("not sure enough of a contradiction: {reason}"))
    }

    fn floor(&self) -> f64 {
        self.thresholds.contradiction_prefilter - TIGHT_ALLOWANCE
    }

    /// Whether nothing but the differing slot differs.
    fn is_tight(&self) -> bool {
        self.alignment.rest.iter().flatten().all(|token| !token.is_heavy())
    }

    fn announces_change(&self, kind: ContradictionKind) -> bool {
        let cues = &self.newer.cues;
        let stands_by_date = kind == ContradictionKind::Date && cues.words.starts_with("since");
        match cues.strength {
            Strength::None => false,
            _ if self.repeats_cue() => false,
            Strength::Dated | Strength::Ended => {
                matches!(kind, ContradictionKind::Negation | ContradictionKind::Antonym)
            }
            Strength::Timed => !stands_by_date,
            Strength::Stated => true,
        }
    }

    /// A sign of change that the older text has as well announces nothing, except "now", which is never the same.
    fn repeats_cue(&self) -> bool {
        let cues = [&self.older.cues, &self.newer.cues];
        cues[0].words == cues[1].words && !cues[0].words.starts_with("now") && !cues[0].words.starts_with("current")
    }

    /// The newer text names the state of the older one as left behind.
    fn former_state(&self) -> Option<String> {
        let (from, to) = self.newer.cues.former?;
        if self.newer.cues.strength < Strength::Timed || self.cosine < self.floor() {
            return None;
        }
        let former = |token: &&Token| token.at >= from && token.at < to && !matches!(token.kind, Kind::Function);
        let left: Vec<&Token> = self.newer.tokens.iter().filter(former).collect();
        let known = |token: &Token| {
            self.older.tokens.iter().any(|other| other.key == token.key && (other.is_content() || token.contrast))
        };
        let called = |token: &Token| matches!(token.kind, Kind::Name | Kind::Code | Kind::Number(_));
        let named = self.alignment.shared.iter().any(|(at, _)| {
            let token = self.alignment.sides[0][*at];
            called(token) && (token.topic || left.iter().any(|left| left.key == token.key))
        });
        let foreign = if named {
            0
        } else {
            self.alignment.rest[0].iter().filter(|token| token.topic && token.is_heavy()).count()
        };
        let same_person = self.older.persons != 0 && self.older.persons == self.newer.persons;
        let about = self.alignment.shared.len() >= 2
            || (self.alignment.shared.len() == 1 && (same_person || left.iter().any(|token| token.contrast)));
        (about && foreign == 0 && !left.is_empty() && left.iter().any(|token| known(token)))
            .then(|| format!("'{}' was left behind: '{}'", words_of(&left), self.newer.cues.words))
    }

    /// Whether the two speak of different things.
    fn other_subject(&self) -> Option<String> {
        let alignment = &self.alignment;
        let topics = [0, 1].map(|side| alignment.rest[side].iter().find(|token| token.topic && token.is_heavy()));
        if let [Some(one), Some(other)] = topics {
            return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
        }
        for ((one, other), _) in &alignment.opposites {
            if one.topic && other.topic && one.kind != Kind::Function && !one.verb {
                return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
            }
        }
        for (one, other) in alignment.names.iter().chain(&alignment.dates) {
            let exclusive = self.older.exclusive || self.newer.exclusive;
            if (one.topic && other.topic) || ((one.topic || other.topic) && !exclusive) {
                return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
            }
        }
        for (one, other) in &alignment.numbers {
            if (one.topic || other.topic) && (is_label(self.older, one) || is_label(self.newer, other)) {
                return Some(format!("different subjects: '{}' and '{}'", one.canon, other.canon));
            }
        }
        // "Omar" and "Omar's wife"
        for (side, text) in [self.older, self.newer].into_iter().enumerate() {
            let owned =
                alignment.rest[side].iter().find(|token| token.is_heavy() && token.topic && follows_owner(text, token));
            if let Some(owned) = owned {
                return Some(format!("a different subject: '{}'", owned.canon));
            }
        }
        None
    }

    fn conflict(&self, roles: Roles, older: Claim, newer: Claim) -> Option<Conflict> {
        let alignment = &self.alignment;
        let flips = alignment.opposites.len() + usize::from(roles == Roles::Exchanged);
        let share = if flips % 2 == 1 { newer.share.flipped() } else { newer.share };
        let turned = flips > 0 || older.negations != newer.negations || older.quantified || newer.quantified;
        let (kind, base, reason) = if turned && older.share.excludes(share) {
            let occasions = !alignment.numbers.is_empty() && !alignment.opposites.is_empty();
            if !alignment.names.is_empty() || !alignment.dates.is_empty() || occasions {
                return None;
            }
            let (kind, base, reason) = self.reversal(roles, older, newer);
            let doubt =
                if kind == ContradictionKind::Negation { self.doubt_about_predicate(older, newer) } else { 0.0 };
            (kind, base - doubt, reason)
        } else if flips > 0 {
            return None;
        } else if let Some((one, other)) = alignment.numbers.first() {
            if !alignment.dates.is_empty() || !alignment.names.is_empty() {
                return None;
            }
            let ordinals = alignment.numbers.iter().filter(|(one, _)| is_ordinal(one)).count();
            if ordinals > 0 && ordinals < alignment.numbers.len() {
                return None;
            }
            let bounded = matches!((one.kind, other.kind), (Kind::Number(one), Kind::Number(other)) if one.bounded || other.bounded);
            let kind = if bounded { ContradictionKind::Quantity } else { ContradictionKind::Number };
            (kind, 0.95, became(self, (one, other)))
        } else if let Some(slot) = alignment.dates.first() {
            if !alignment.names.is_empty() {
                return None;
            }
            (ContradictionKind::Date, if self.happens_once() { 0.95 } else { 0.65 }, became(self, *slot))
        } else if let Some(reason) = self.one_against_several() {
            (ContradictionKind::Quantity, 0.95, reason)
        } else {
            let slot = alignment.names.first()?;
            (ContradictionKind::Name, if self.holds_of_one() { 0.92 } else { 0.65 }, became(self, *slot))
        };
        let mut doubt = self.doubt();
        let acts = |side: usize| alignment.rest[side].iter().any(|token| token.verb && !token.light);
        if matches!(kind, ContradictionKind::Name | ContradictionKind::Date) && acts(0) && acts(1) {
            doubt += 0.15;
        }
        let score = (base - doubt).clamp(0.0, 1.0);
        Some(Conflict { kind, score, reason })
    }

    /// "exactly one role" and "several roles"
    fn one_against_several(&self) -> Option<String> {
        for side in [0, 1] {
            let single = |token: &&&Token| matches!(token.kind, Kind::Number(number) if number.high < 2.0 && number.measure == Measure::Plain);
            let several =
                |token: &&&Token| matches!(&*token.canon, "several" | "many" | "multiple" | "various" | "afew");
            let one = self.alignment.rest[side].iter().find(single);
            let many = self.alignment.sides[1 - side].iter().find(several);
            if let Some((one, many)) = one.zip(many) {
                return Some(format!("'{}' against '{}'", one.canon, many.canon));
            }
        }
        None
    }

    /// The claim is turned round: by a negation, an opposite, a quantity or an exchange of parties.
    fn reversal(&self, roles: Roles, older: Claim, newer: Claim) -> (ContradictionKind, f64, String) {
        let numbers = if self.alignment.numbers.is_empty() { 0.0 } else { 0.1 };
        if older.quantified || newer.quantified {
            let reason = format!("how much: {} against {}", self.polarity_words(0), self.polarity_words(1));
            return (ContradictionKind::Quantity, 0.95 - numbers, reason);
        }
        if let Some(((one, other), _)) = self.alignment.opposites.first() {
            let moved = |one: &Token, other: &Token| one.opens || other.opens || one.topic || other.topic;
            let fronted = self
                .alignment
                .opposites
                .iter()
                .any(|((one, other), _)| one.kind == Kind::Function && moved(one, other));
            let base = if fronted { 0.6 } else { self.certainty_of_opposites(one, other) };
            return (
                ContradictionKind::Antonym,
                base - numbers,
                format!("opposites: '{}' and '{}'", one.canon, other.canon),
            );
        }
        if roles == Roles::Exchanged {
            return (ContradictionKind::Name, 0.95 - numbers, "the parties changed places".to_owned());
        }
        let side = usize::from(newer.negations > older.negations);
        (ContradictionKind::Negation, 0.98 - numbers, format!("negated: {}", self.polarity_words(side)))
    }

    /// Opposites that may both be true of one thing at different times, or of two things of one owner, say less.
    fn certainty_of_opposites(&self, one: &Token, other: &Token) -> f64 {
        const UNSURE: f64 = 0.7;
        let lexicon = Lexicon::shared();
        if self.older.exclusive || self.newer.exclusive {
            return 0.95;
        }
        let timed = |token: &Token| {
            matches!(
                &*token.canon,
                "morning" | "evening" | "night" | "afternoon" | "day" | "weekday" | "weekend" | "weekdays" | "weekends"
            )
        };
        if timed(one) && timed(other) && !self.happens_once() {
            return UNSURE;
        }
        // Deeds can be followed by their reverse: what was bought is sold one day.
        if one.verb && other.verb && lexicon.is_converse(&one.key, &other.key) && !is_match(&one.key) {
            return UNSURE;
        }
        let many = |text: &Analysed| {
            text.tokens
                .iter()
                .any(|token| lexicon.has_many_objects(&token.key) || matches!(&*token.canon, "have" | "has" | "had"))
        };
        let attribute = |text: &Analysed, token: &Token| {
            let before = token.at.checked_sub(1).map_or("", |at| text.pieces[at].lower.as_str());
            let next = text.tokens.iter().find(|next| next.at > token.at);
            !token.verb
                && !matches!(before, "the" | "my" | "our" | "his" | "her" | "their")
                && next.is_some_and(|next| next.is_content() && !next.verb)
        };
        if !self.older.copular && many(self.older) && attribute(self.older, one) && attribute(self.newer, other) {
            return UNSURE;
        }
        0.95
    }

    /// A negation speaks against a statement only where it negates the same: the predicate must be shared.
    fn doubt_about_predicate(&self, older: Claim, newer: Claim) -> f64 {
        let alignment = &self.alignment;
        let denying = usize::from(newer.negations > older.negations);
        let asserted = alignment.rest[1 - denying].iter().filter(|token| !token.light && !token.topic).count();
        let denied = alignment.rest[denying].iter().filter(|token| token.verb && !token.light).count();
        let negators = alignment.sides[denying].iter().filter(|token| token.kind == Kind::Negator);
        let sentences: Vec<usize> = negators.map(|token| token.sentence).collect();
        let near = |token: &Token| sentences.contains(&token.sentence);
        let predicate = alignment
            .shared
            .iter()
            .filter(|(at, place)| near(alignment.sides[denying][[*at, *place][denying]]))
            .any(|(at, place)| !alignment.sides[0][*at].topic || !alignment.sides[1][*place].topic);
        let mut doubt = 0.07 * asserted as f64;
        if asserted > 0 && denied > 0 {
            doubt += 0.15;
        }
        if !predicate && alignment.same_sentences == 0 {
            doubt += 0.3;
        }
        // "hard without a car" and "you need a car" say the same.
        let conditional =
            alignment.sides[denying].iter().any(|token| matches!(&*token.canon, "without" | "unless" | "otherwise"));
        let demanding = |token: &&Token| {
            matches!(
                &*token.canon,
                "must" | "only" | "if" | "depends" | "necessary" | "essential" | "required" | "mandatory" | "unless"
            ) || token.key == "requir"
        };
        if conditional && alignment.sides[1 - denying].iter().any(demanding) {
            doubt += 0.3;
        }
        doubt
    }

    fn polarity_words(&self, side: usize) -> String {
        let tokens = self.alignment.sides[side].iter();
        let words: Vec<&Token> =
            tokens.filter(|token| matches!(token.kind, Kind::Negator | Kind::Quantifier(_))).copied().collect();
        if words.is_empty() { "nothing said".to_owned() } else { format!("'{}'", words_of(&words)) }
    }

    /// How much what is left over makes it doubtful that both speak of the same.
    fn doubt(&self) -> f64 {
        let nobody = [0, 1].map(|side| {
            let none = |token: &&Token| matches!(&*token.canon, "nobody" | "none" | "neither" | "no");
            self.alignment.sides[side].iter().any(|token| none(&token) && token.topic)
        });
        // Where one side speaks of nobody, whom the other speaks of is no other subject.
        let free = |side: usize, token: &Token| nobody[1 - side] && token.topic;
        let heavy_in =
            |side: usize| self.alignment.rest[side].iter().filter(move |token| token.is_heavy() && !free(side, token));
        let heavy = [heavy_in(0).count(), heavy_in(1).count()];
        let narrowing = heavy_in(0).chain(heavy_in(1)).filter(|token| token.topic).count();
        let verbs = self.alignment.rest.iter().flatten().filter(|token| token.verb && !token.light).count();
        let replaced = heavy[0].min(heavy[1]);
        let added = heavy[0].max(heavy[1]) - replaced;
        let known = self.alignment.shared_content();
        let mut doubt = 0.25 * replaced as f64 + 0.05 * added as f64 + 0.06 * narrowing as f64 + 0.03 * verbs as f64;
        let left = (heavy[0] + heavy[1]) as f64 + 0.5 * verbs as f64;
        if (2 * known) as f64 / ((2 * known) as f64 + left) < 0.5 {
            doubt += 0.2;
        }
        let solid = self.alignment.shared.iter().any(|(at, _)| self.alignment.sides[0][*at].is_heavy());
        if !solid && self.alignment.same_sentences == 0 {
            doubt += 0.1;
        }
        doubt
    }

    /// Whether what is told has one date: it is a state of a thing, or happens to it once.
    fn happens_once(&self) -> bool {
        let lexicon = Lexicon::shared();
        let telling = |text: &Analysed| text.tokens.iter().any(|token| lexicon.has_one_date(&token.key));
        let ordinal = self.alignment.shared.iter().any(|(at, _)| is_ordinal(self.alignment.sides[0][*at]));
        let deed = |text: &Analysed| text.tokens.iter().any(|token| token.verb && lexicon.has_many_objects(&token.key));
        // "The tram ran in 1896": what a thing does is told of it once; people do things often.
        let thing = |text: &Analysed| {
            let definite =
                text.pieces.first().is_some_and(|piece| matches!(&*piece.lower, "the" | "it" | "our" | "my"));
            definite && text.persons & !3 == 0 && !deed(text)
        };
        let states = self.older.copular && self.newer.copular;
        self.older.exclusive
            || self.newer.exclusive
            || states
            || ordinal
            || telling(self.older)
            || telling(self.newer)
            || (thing(self.older) && thing(self.newer))
    }

    /// Whether there is room for one name only.
    fn holds_of_one(&self) -> bool {
        if self.older.exclusive || self.newer.exclusive {
            return true;
        }
        let lexicon = Lexicon::shared();
        let any = |test: &dyn Fn(&Token) -> bool| {
            [self.older, self.newer].into_iter().any(|text| text.tokens.iter().any(test))
        };
        let told = any(&|token| lexicon.has_one_name(&token.key)) || any(&|token| token.canon == "by");
        let open = any(&|token| token.verb && lexicon.has_many_objects(&token.key));
        // "is a friend of": there may be more of the kind.
        let one_of_many = [self.older, self.newer].into_iter().any(|text| {
            text.pieces.windows(2).any(|pair| is_copula(&pair[0].lower) && matches!(&*pair[1].lower, "a" | "an"))
        });
        told || ((self.older.copular || self.newer.copular) && !one_of_many && !open)
    }

    fn without_conflict(&self, roles: Roles, older: Claim, newer: Claim) -> Verdict {
        let alignment = &self.alignment;
        if roles == Roles::Exchanged && !alignment.opposites.is_empty() {
            return distinct("they may say the same from two ends");
        }
        if let Some(reason) = self.ended_state() {
            return Verdict::Update { reason };
        }
        if let [((one, other), opposition)] = alignment.opposites[..] {
            let only = alignment.rest.iter().all(Vec::is_empty) && alignment.loose == 0 && self.same_function_words();
            let once = older.negations.abs_diff(newer.negations) == 1;
            if only && once && opposition == Opposition::Complementary && roles == Roles::Kept {
                return Verdict::NearDuplicate { reason: format!("'{}' negated is '{}'", one.canon, other.canon) };
            }
            return distinct(format!("'{}' and '{}' turn each other round", one.canon, other.canon));
        }
        if !alignment.is_same_content() {
            let left: Vec<&Token> = alignment.rest.iter().flatten().copied().collect();
            return distinct(if left.is_empty() {
                "different details".to_owned()
            } else {
                format!("only one says '{}'", words_of(&left))
            });
        }
        if older.share != newer.share || older.negations % 2 != newer.negations % 2 {
            return distinct("they claim different amounts");
        }
        if roles != Roles::Kept || !self.same_function_words() || older.negations != newer.negations {
            return distinct("the same words put together differently");
        }
        if self.cosine >= self.thresholds.exact {
            return Verdict::Duplicate { reason: "the same words but for their endings".to_owned() };
        }
        if self.cosine >= self.floor() {
            return Verdict::NearDuplicate { reason: "the same content in slightly other words".to_owned() };
        }
        distinct("the same content words, but not near in meaning")
    }

    /// The newer text says outright that something ended or changed, and it speaks of all that the older one is about.
    fn ended_state(&self) -> Option<String> {
        let cues = &self.newer.cues;
        if cues.strength < Strength::Ended || self.cosine < self.floor() || self.repeats_cue() {
            return None;
        }
        let gone = self.alignment.rest[0].iter().filter(|token| !token.light).count();
        if cues.strength < Strength::Stated && gone > 0 {
            return None;
        }
        let missing = self.alignment.rest[0].iter().filter(|token| token.topic && token.is_heavy()).count();
        let about = self.alignment.shared.iter().filter(|(at, _)| self.alignment.sides[0][*at].topic).count();
        let content = self.alignment.sides[0].iter().filter(|token| token.is_content() && !token.light).count();
        let enough = self.alignment.shared.len() >= 2 && self.alignment.shared.len() * 2 >= content;
        (missing == 0 && about > 0 && enough).then(|| format!("'{}'", cues.words))
    }

    /// Whether the words between the content words are the same, but for those that never decide.
    fn same_function_words(&self) -> bool {
        let words = |side: usize| {
            let mut words: Vec<&str> = self.alignment.sides[side]
                .iter()
                .filter(|token| token.kind == Kind::Function && !is_weightless(&token.canon))
                .map(|token| token.canon.as_str())
                .collect();
            words.sort_unstable();
            words.dedup();
            words
        };
        words(0) == words(1)
    }
}

fn is_weightless(word: &str) -> bool {
    is_copula(word) && word != "was" && word != "were"
        || matches!(
            word,
            "a" | "an" | "the" | "of" | "and" | "that" | "which" | "who" | "it" | "this" | "there" | "so" | "then"
        )
        || matches!(
            word,
            "has"
                | "have"
                | "had"
                | "do"
                | "does"
                | "did"
                | "to"
                | "just"
                | "even"
                | "its"
                | "as"
                | "mr"
                | "mrs"
                | "ms"
                | "dr"
                | "prof"
        )
}

fn is_ordinal(token: &Token) -> bool {
    matches!(token.kind, Kind::Number(number) if number.measure == Measure::Ordinal)
}

/// Whether a number tells which one is meant, not how many: an ordinal, or one behind its noun.
fn is_label(text: &Analysed, token: &Token) -> bool {
    let Kind::Number(number) = token.kind else { return true };
    if is_ordinal(token) {
        return true;
    }
    let next = text.tokens.iter().find(|next| next.at > token.at && next.topic == token.topic);
    number.measure == Measure::Plain
        && !next.is_some_and(|next| next.is_content() && matches!(next.kind, Kind::Word | Kind::Name) && !next.verb)
}

/// Whether the token is owned by a name or noun right before it.
fn follows_owner(text: &Analysed, token: &Token) -> bool {
    let before = text.tokens.iter().rev().find(|before| before.at < token.at && (before.is_content()));
    before.is_some_and(|before| before.possessor)
}

fn words_of(tokens: &[&Token]) -> String {
    tokens.iter().take(4).map(|token| token.canon.as_str()).collect::<Vec<_>>().join(" ")
}

/// The two words as they were written.
fn became(pair: &Pair<'_>, (one, other): Slot<'_>) -> String {
    let written = |text: &Analysed, token: &Token| {
        let next = text.tokens.iter().map(|next| next.at).find(|at| *at > token.at).unwrap_or(text.pieces.len());
        text.pieces[token.at..next].iter().map(|piece| piece.lower.as_str()).collect::<Vec<_>>().join(" ")
    };
    format!("'{}' became '{}'", written(pair.older, one), written(pair.newer, other))
}

/// Winning and losing are told of one match.
fn is_match(key: &str) -> bool {
    matches!(key, "win" | "lose" | "beat")
}
