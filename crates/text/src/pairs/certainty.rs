//! Scores the certainty of a conflict: what else differs, and whether both statements can be true.

use super::analysed_text::AnalysedText;
use super::comparison::StatementPair;
use super::lexicon::{Lexicon, is_copula};
use super::polarity::Polarity;
use super::subject::is_ordinal;
use super::token::{Token, TokenKind};

impl StatementPair<'_> {
    /// Returns the certainty of an antonym conflict. Lower if both words can be true at different
    /// times or of different things.
    pub(crate) fn antonym_certainty(&self, one: &Token, other: &Token) -> f64 {
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
        // An action can be reversed later: what was bought can be sold.
        if one.verb && other.verb && lexicon.is_converse(&one.key, &other.key) && !is_match(&one.key) {
            return UNSURE;
        }
        let many = |text: &AnalysedText| {
            text.tokens
                .iter()
                .any(|token| lexicon.has_many_objects(&token.key) || matches!(&*token.canon, "have" | "has" | "had"))
        };
        let attribute = |text: &AnalysedText, token: &Token| {
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

    /// Returns the uncertainty of a negation. It contradicts a statement only if the negated
    /// predicate is shared.
    pub(crate) fn predicate_uncertainty(&self, older: Polarity, newer: Polarity) -> f64 {
        let alignment = &self.alignment;
        let denying = usize::from(newer.negations > older.negations);
        let asserted = alignment.rest[1 - denying].iter().filter(|token| !token.light && !token.topic).count();
        let denied = alignment.rest[denying].iter().filter(|token| token.verb && !token.light).count();
        let negators = alignment.sides[denying].iter().filter(|token| token.kind == TokenKind::Negator);
        let sentences: Vec<usize> = negators.map(|token| token.sentence).collect();
        let near = |token: &Token| sentences.contains(&token.sentence);
        let predicate = alignment
            .shared
            .iter()
            .filter(|(at, place)| near(alignment.sides[denying][[*at, *place][denying]]))
            .any(|(at, place)| !alignment.sides[0][*at].topic || !alignment.sides[1][*place].topic);
        let mut uncertainty = 0.07 * asserted as f64;
        if asserted > 0 && denied > 0 {
            uncertainty += 0.15;
        }
        if !predicate && alignment.same_sentences == 0 {
            uncertainty += 0.3;
        }
        // "hard without a car" and "you need a car" agree.
        let conditional =
            alignment.sides[denying].iter().any(|token| matches!(&*token.canon, "without" | "unless" | "otherwise"));
        let demanding = |token: &&Token| {
            matches!(
                &*token.canon,
                "must" | "only" | "if" | "depends" | "necessary" | "essential" | "required" | "mandatory" | "unless"
            ) || token.key == "requir"
        };
        if conditional && alignment.sides[1 - denying].iter().any(demanding) {
            uncertainty += 0.3;
        }
        uncertainty
    }

    /// Returns the uncertainty caused by unmatched words: the statements may have different
    /// subjects.
    pub(crate) fn uncertainty(&self) -> f64 {
        let nobody = [0, 1].map(|side| {
            let none = |token: &Token| matches!(&*token.canon, "nobody" | "none" | "neither" | "no");
            self.alignment.sides[side].iter().any(|token| none(token) && token.topic)
        });
        // If one side is about nobody, the subject of the other side is not a different one.
        let free = |side: usize, token: &Token| nobody[1 - side] && token.topic;
        let heavy_in =
            |side: usize| self.alignment.rest[side].iter().filter(move |token| token.is_heavy() && !free(side, token));
        let heavy = [heavy_in(0).count(), heavy_in(1).count()];
        let narrowing = heavy_in(0).chain(heavy_in(1)).filter(|token| token.topic).count();
        let verbs = self.alignment.rest.iter().flatten().filter(|token| token.verb && !token.light).count();
        let replaced = heavy[0].min(heavy[1]);
        let added = heavy[0].max(heavy[1]) - replaced;
        let known = self.alignment.shared_content();
        let mut uncertainty =
            0.25 * replaced as f64 + 0.05 * added as f64 + 0.06 * narrowing as f64 + 0.03 * verbs as f64;
        let left = (heavy[0] + heavy[1]) as f64 + 0.5 * verbs as f64;
        if (2 * known) as f64 / ((2 * known) as f64 + left) < 0.5 {
            uncertainty += 0.2;
        }
        let solid = self.alignment.shared.iter().any(|(at, _)| self.alignment.sides[0][*at].is_heavy());
        if !solid && self.alignment.same_sentences == 0 {
            uncertainty += 0.1;
        }
        uncertainty
    }

    /// Returns true if the statement has a single date: a state of a thing, or a one-time event.
    pub(crate) fn happens_once(&self) -> bool {
        let lexicon = Lexicon::shared();
        let telling = |text: &AnalysedText| text.tokens.iter().any(|token| lexicon.has_one_date(&token.key));
        let ordinal = self.alignment.shared.iter().any(|(at, _)| is_ordinal(self.alignment.sides[0][*at]));
        let deed =
            |text: &AnalysedText| text.tokens.iter().any(|token| token.verb && lexicon.has_many_objects(&token.key));
        // "The tram ran in 1896" describes a single event of a thing; people act repeatedly.
        let thing = |text: &AnalysedText| {
            let definite =
                text.pieces.first().is_some_and(|piece| matches!(&*piece.lower, "the" | "it" | "our" | "my"));
            let repeats = text.tokens.iter().any(|token| {
                matches!(
                    &*token.key,
                    "fail" | "crash" | "leak" | "stop" | "break" | "trip" | "restart" | "deploy" | "arriv"
                )
            });
            definite && text.persons & !3 == 0 && !deed(text) && !repeats
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

    /// Returns true if the statement allows only one name.
    pub(crate) fn allows_one_name(&self) -> bool {
        if self.older.exclusive || self.newer.exclusive {
            return true;
        }
        let lexicon = Lexicon::shared();
        let any = |test: &dyn Fn(&Token) -> bool| {
            [self.older, self.newer].into_iter().any(|text| text.tokens.iter().any(test))
        };
        let told = any(&|token| lexicon.has_one_name(&token.key)) || any(&|token| token.canon == "by");
        let open = any(&|token| token.verb && lexicon.has_many_objects(&token.key));
        // "is a friend of": there may be several.
        let one_of_many = [self.older, self.newer].into_iter().any(|text| {
            text.pieces.windows(2).any(|pair| is_copula(&pair[0].lower) && matches!(&*pair[1].lower, "a" | "an"))
        });
        told || ((self.older.copular || self.newer.copular) && !one_of_many && !open)
    }
}

/// Returns true for winning and losing, which describe one match.
fn is_match(key: &str) -> bool {
    matches!(key, "win" | "lose" | "beat")
}
