//! Links between the notes of a folder: `[[Note]]`, `[[folder/Note#Heading|shown]]`.

use std::collections::HashMap;

use elfmem_text::terms::composed;

/// Returns the names that the links of a text lead to, in order and each once. Code is not searched.
pub(super) fn links(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
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
                let name = inner.split(['|', '#', '^']).next().unwrap_or_default().trim();
                if !name.is_empty() && !name.contains(['[', ']']) && !found.contains(&name) {
                    found.push(name);
                }
            }
        }
    }
    found
}

/// The first text of each note, by the names that a link may use.
#[derive(Default)]
pub(super) struct NoteNames(HashMap<String, Option<usize>>);

impl NoteNames {
    /// Adds a note by its path, its file name without the ending, its title and its other names.
    pub(super) fn add(&mut self, path: &str, others: impl IntoIterator<Item = String>, first: usize) {
        let path = path.replace('\\', "/");
        let without_ending = path.rsplit_once('.').map_or(path.as_str(), |(name, _)| name).to_owned();
        let stem = without_ending.rsplit('/').next().unwrap_or_default().to_owned();
        let mut names: Vec<String> = [path, without_ending, stem].into_iter().chain(others).map(normalised).collect();
        names.sort_unstable();
        names.dedup();
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            // A name of two notes leads to neither.
            self.0.entry(name).and_modify(|at| *at = None).or_insert(Some(first));
        }
    }

    /// Returns true if there is a note, or several, that a link names.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.0.contains_key(&normalised(name.to_owned()))
    }

    /// Returns the first text of the note that a link names; none for a note that is not there, or one of several.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.0.get(&normalised(name.to_owned())).copied().flatten()
    }
}

fn normalised(name: String) -> String {
    composed(name.trim().trim_start_matches("./")).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "See [[Bees]] and [[folder/Hive#Frames|the hive]], ![[photo.png]], `[[code]]`, [[Bees]] [[ ]] [[open\n\
                    ```\n[[fenced]]\n```\n[[after^ref]]";
        assert_eq!(links(text), ["Bees", "folder/Hive", "photo.png", "after"]);
    }

    #[test]
    fn a_note_is_found_by_path_file_name_and_title_and_two_of_one_name_are_not() {
        let mut names = NoteNames::default();
        names.add("garden/Bees.md", ["The hive".to_owned()], 3);
        names.add("Cafe\u{301}.md", [], 4);
        assert_eq!(names.find("Café"), Some(4));
        names.add("a/Twin.md", [], 5);
        names.add("b/Twin.md", [], 7);
        for name in ["bees", "Garden/Bees", "garden/bees.md", "the hive", "./garden/Bees"] {
            assert_eq!(names.find(name), Some(3), "{name}");
        }
        assert_eq!((names.find("Twin"), names.find("b/Twin"), names.find("nothing")), (None, Some(7), None));
    }
}
