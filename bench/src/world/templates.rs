//! The templates and words of the world, from the files in `bench/data/world`.

use std::collections::BTreeMap;

use elfmem_text::language::Language;

/// English templates and those of the six other languages.
const SENTENCES: [(Language, &str); 9] = [
    (Language::English, include_str!("../../data/world/people.txt")),
    (Language::English, include_str!("../../data/world/teams.txt")),
    (Language::English, include_str!("../../data/world/systems.txt")),
    (Language::German, include_str!("../../data/world/german.txt")),
    (Language::French, include_str!("../../data/world/french.txt")),
    (Language::Spanish, include_str!("../../data/world/spanish.txt")),
    (Language::Italian, include_str!("../../data/world/italian.txt")),
    (Language::Portuguese, include_str!("../../data/world/portuguese.txt")),
    (Language::Dutch, include_str!("../../data/world/dutch.txt")),
];

/// Days of each month; the world has no leap years.
const MONTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// The lines of a file by section.
#[derive(Debug, Default)]
struct TemplateFile(BTreeMap<&'static str, Vec<&'static str>>);

impl TemplateFile {
    /// Adds the sections of a file: `[name]` starts one, `#` a comment.
    fn add(&mut self, text: &'static str) {
        let mut name = "";
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some(section) => name = section,
                None => self.0.entry(name).or_default().push(line),
            }
        }
    }

    fn lines(&self, name: &str) -> &[&'static str] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// All templates and words.
#[derive(Debug)]
pub(super) struct Templates {
    sentences: BTreeMap<Language, TemplateFile>,
    words: TemplateFile,
    months: TemplateFile,
    small_talk: TemplateFile,
}

impl Templates {
    pub(super) fn read() -> Self {
        let mut sentences: BTreeMap<Language, TemplateFile> = BTreeMap::new();
        for (language, text) in SENTENCES {
            sentences.entry(language).or_default().add(text);
        }
        let of = |text: &'static str| {
            let mut sections = TemplateFile::default();
            sections.add(text);
            sections
        };
        Self {
            sentences,
            words: of(include_str!("../../data/world/words.txt")),
            months: of(include_str!("../../data/world/months.txt")),
            small_talk: of(include_str!("../../data/world/small-talk.txt")),
        }
    }

    /// Returns the number of templates, small talk included.
    pub(super) fn count(&self) -> usize {
        let sections = self.sentences.values().chain([&self.small_talk]);
        sections.flat_map(|sections| sections.0.values()).map(Vec::len).sum()
    }

    /// Returns the templates of an attribute for an act: "city", "change".
    pub(super) fn sentences(&self, language: Language, attribute: &str, act: &str) -> &[&'static str] {
        self.sentences.get(&language).map_or(&[], |sections| sections.lines(&format!("{attribute} {act}")))
    }

    /// Returns the pairs of attributes with templates that state both.
    pub(super) fn compounds(&self) -> Vec<(&'static str, &'static str)> {
        let english = self.sentences[&Language::English].0.keys();
        english.filter_map(|key| key.strip_suffix(" compound")?.split_once('+')).collect()
    }

    pub(super) fn small_talk(&self) -> &[&'static str] {
        self.small_talk.lines("small talk")
    }

    /// Returns a list of words: names, values, attributes.
    pub(super) fn words(&self, list: &str, of: &str) -> Vec<&'static str> {
        let lines = self.words.lines(&format!("{list} {of}"));
        lines.iter().flat_map(|line| line.split(';')).map(str::trim).collect()
    }

    /// Returns the name of a month, counted from 0.
    pub(super) fn month(&self, language: Language, month: usize) -> &'static str {
        let names = self.months.lines(&format!("months {}", name(language))).first().copied().unwrap_or_default();
        names.split(';').map(str::trim).nth(month % MONTHS.len()).unwrap_or_default()
    }

    /// Writes a date without its year.
    pub(super) fn date(&self, language: Language, day: u32) -> String {
        let (month, first) = month_of(day);
        let form = self.months.lines(&format!("date {}", name(language))).first().copied().unwrap_or("{d} {m}");
        form.replace("{d}", &(day - first + 1).to_string()).replace("{m}", self.month(language, month))
    }
}

/// Returns the name of a language in lower case.
pub(super) fn name(language: Language) -> String {
    format!("{language:?}").to_lowercase()
}

/// Returns the month of a day, counted from the first January, and the first day of that month.
pub(super) fn month_of(day: u32) -> (usize, u32) {
    let (mut month, mut first) = (0, 0);
    while day >= first + MONTHS[month % MONTHS.len()] {
        first += MONTHS[month % MONTHS.len()];
        month += 1;
    }
    (month, first)
}

/// Returns the first day of a month and the first day after it.
pub(super) fn days_of(month: usize) -> (u32, u32) {
    let first = (0..month).map(|month| MONTHS[month % MONTHS.len()]).sum();
    (first, first + MONTHS[month % MONTHS.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_enough_templates_and_all_values_are_listed() {
        let templates = Templates::read();
        assert!(templates.count() >= 300, "{}", templates.count());
        for kind in ["person", "team", "system", "place", "project"] {
            let (one, many) = (templates.words("attributes", kind), templates.words("many", kind));
            for attribute in one.iter().chain(&many) {
                assert!(templates.words("values", attribute).len() > 1, "values of {attribute}");
                assert!(!templates.sentences(Language::English, attribute, "state").is_empty(), "{attribute}");
            }
            for attribute in one {
                assert!(!templates.sentences(Language::English, attribute, "change").is_empty(), "{attribute}");
                assert!(!templates.sentences(Language::English, attribute, "ask").is_empty(), "{attribute}");
            }
        }
    }

    #[test]
    fn every_template_names_its_subject_and_its_value() {
        let templates = Templates::read();
        for (language, sections) in &templates.sentences {
            for (section, lines) in &sections.0 {
                for line in lines {
                    let act = section.rsplit(' ').next().unwrap_or_default();
                    let value = match act {
                        "ask" => "",
                        "ask-then" => "{M}",
                        "past" => "{O}",
                        _ => "{V}",
                    };
                    assert!(line.contains("{S}") && line.contains(value), "{language:?} {section}: {line}");
                }
            }
        }
    }

    #[test]
    fn days_have_months() {
        assert_eq!((month_of(0), month_of(31), month_of(364)), ((0, 0), (1, 31), (11, 334)));
        assert_eq!((month_of(365), days_of(12)), ((12, 365), (365, 396)));
        assert_eq!(Templates::read().date(Language::German, 33), "3. Februar");
    }
}
