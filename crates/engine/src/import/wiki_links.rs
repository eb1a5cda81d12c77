//! Links between the notes of a folder: `[[Note]]`, `[[folder/Note#Heading|shown]]`.

use std::collections::HashMap;

use elfmem_text::terms::composed;

/// A link to a note, perhaps to one of its headings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WikiLink<'a> {
    pub(super) name: &'a str,
    pub(super) heading: Option<&'a str>,
}

impl<'a> WikiLink<'a> {
    /// Reads what stands between the brackets. The innermost of several headings is the one that is meant.
    fn parse(inner: &'a str) -> Option<Self> {
        let target = inner.split('|').next().unwrap_or_default();
        let (name, places) = target.split_at(target.find(['#', '^']).unwrap_or(target.len()));
        let heading = places.rsplit('#').next().map(str::trim).filter(|heading| !heading.is_empty());
        let name = name.trim();
        let is_name = !name.is_empty() && !name.contains(['[', ']']);
        is_name.then_some(Self { name, heading: heading.filter(|heading| !heading.starts_with('^')) })
    }

    /// Returns true if the link leads to a text below these headings.
    pub(super) fn leads_below(&self, headings: &[String]) -> bool {
        self.heading.is_some_and(|heading| headings.iter().any(|one| normalised(one) == normalised(heading)))
    }
}

/// Returns the links of a text, in order and each once. Code is not searched.
pub(super) fn links(text: &str) -> Vec<WikiLink<'_>> {
    let mut found: Vec<WikiLink<'_>> = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // Every other part is between backticks.
        for part in line.split('`').step_by(2) {
            for link in part.split("[[").skip(1) {
                let Some((inner, _)) = link.split_once("]]") else { continue };
                found.extend(WikiLink::parse(inner).filter(|link| !found.contains(link)));
            }
        }
    }
    found
}

/// What a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkTarget {
    /// The first text of a note.
    Note(usize),
    /// Several notes have the name, and none of them is nearer.
    Several,
    /// No note has the name.
    Missing,
}

/// The notes of a folder, by the names that a link may use.
#[derive(Default)]
pub(super) struct NoteNames {
    /// By the ends of their paths: `Bees`, `garden/Bees`, with and without the ending.
    by_path: HashMap<String, Vec<NotePlace>>,
    /// The first texts by title and other names.
    by_title: HashMap<String, Vec<usize>>,
}

/// A note that the end of a path names.
struct NotePlace {
    /// The folder of the note.
    folder: String,
    /// How many folders the name leaves out.
    left_out: usize,
    first: usize,
}

impl NoteNames {
    /// Adds a note by its path, its title and its other names.
    pub(super) fn add(&mut self, path: &str, others: impl IntoIterator<Item = String>, first: usize) {
        let path = normalised(path);
        let folder = folder_of(&path).to_owned();
        let without_ending = path.rsplit_once('.').map_or(path.as_str(), |(name, _)| name);
        for whole in [path.as_str(), without_ending] {
            let ends = whole.match_indices('/').map(|(at, _)| &whole[at + 1..]);
            for (left_out, name) in std::iter::once(whole).chain(ends).enumerate() {
                let place = NotePlace { folder: folder.clone(), left_out, first };
                self.by_path.entry(name.to_owned()).or_default().push(place);
            }
        }
        for title in others.into_iter().map(|title| normalised(&title)).filter(|title| !title.is_empty()) {
            let notes = self.by_title.entry(title).or_default();
            if !notes.contains(&first) {
                notes.push(first);
            }
        }
    }

    /// Returns the note that a link in the note `from` leads to: the one with that path, in the folder of `from`, with the
    /// fewest folders before the name, or with that title, in this order.
    pub(super) fn find(&self, name: &str, from: &str) -> LinkTarget {
        let name = normalised(name);
        if let Some(places) = self.by_path.get(&name) {
            let from = normalised(from);
            let here = |place: &&NotePlace| place.folder == folder_of(&from);
            let is_path = |place: &&NotePlace| place.left_out == 0;
            let fewest = places.iter().map(|place| place.left_out).min();
            let nearest = |place: &&NotePlace| Some(place.left_out) == fewest;
            return only(places.iter().filter(is_path))
                .or_else(|| only(places.iter().filter(here)))
                .or_else(|| only(places.iter().filter(nearest)))
                .map_or(LinkTarget::Several, |place| LinkTarget::Note(place.first));
        }
        match self.by_title.get(&name).map(Vec::as_slice) {
            None => LinkTarget::Missing,
            Some([first]) => LinkTarget::Note(*first),
            Some(_) => LinkTarget::Several,
        }
    }
}

/// Returns the only item, if there is one and no second.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    items.next().filter(|_| items.next().is_none())
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn normalised(name: &str) -> String {
    composed(name.trim().replace('\\', "/").trim_start_matches("./")).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "See [[Bees]] and [[folder/Hive#Frames|the hive]], ![[photo.png]], `[[code]]`, [[Bees]] [[ ]] [[#Here]] [[open\n\
                    ```\n[[fenced]]\n```\n[[after^ref]] [[Bees#Food#Autumn]] [[Bees#^ref]]";
        let found: Vec<_> = links(text).into_iter().map(|link| (link.name, link.heading)).collect();
        let expected = [
            ("Bees", None),
            ("folder/Hive", Some("Frames")),
            ("photo.png", None),
            ("after", None),
            ("Bees", Some("Autumn")),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_note_is_found_by_path_end_of_path_and_title() {
        let mut names = NoteNames::default();
        names.add("home/garden/Bees.md", ["The hive".to_owned(), "Bees".to_owned()], 3);
        names.add("Cafe\u{301}.md", [], 4);
        assert_eq!(names.find("Café", "x.md"), LinkTarget::Note(4));
        for name in ["bees", "Garden/Bees", "home/garden/bees.md", "garden\\bees", "the hive", "./home/garden/Bees"] {
            assert_eq!(names.find(name, "x.md"), LinkTarget::Note(3), "{name}");
        }
        assert_eq!(names.find("nothing", "x.md"), LinkTarget::Missing);
    }

    #[test]
    fn of_several_notes_of_one_name_a_link_leads_to_the_nearest() {
        let mut names = NoteNames::default();
        names.add("a/Vet.md", [], 1);
        names.add("b/Vet.md", [], 2);
        let find = |names: &NoteNames, name: &str, from: &str| names.find(name, from);
        assert_eq!(find(&names, "Vet", "a/Bees.md"), LinkTarget::Note(1), "the one in the same folder");
        assert_eq!(find(&names, "b/Vet", "a/Bees.md"), LinkTarget::Note(2), "the one with that path");
        assert_eq!(find(&names, "Vet", "Bees.md"), LinkTarget::Several);
        names.add("Vet.md", [], 3);
        assert_eq!(find(&names, "Vet", "c/Bees.md"), LinkTarget::Note(3), "the one with that path");
        names.add("c/Doctor.md", ["Vet".to_owned()], 4);
        assert_eq!(find(&names, "Vet", "c/Bees.md"), LinkTarget::Note(3), "a file name goes before a title");
        names.add("d/Other.md", ["Twin".to_owned()], 5);
        names.add("e/Other.md", ["twin".to_owned()], 6);
        assert_eq!(find(&names, "Twin", "Bees.md"), LinkTarget::Several);
    }
}
