//! The listing of a folder of memory files.

use std::collections::BTreeMap;

use super::path::FilePath;

/// How many levels a listing shows.
const LEVELS: usize = 2;

/// Lists the files and folders below a folder, with their sizes, two levels deep. Hidden ones are left out.
pub(super) fn listing(folder: &FilePath, shown_as: &str, sizes: &BTreeMap<String, usize>) -> String {
    let mut entries: BTreeMap<Vec<&str>, (usize, bool)> = BTreeMap::new();
    let mut total = 0;
    for (path, size) in sizes {
        let Some(relative) = folder.relative(path) else { continue };
        total += size;
        let names: Vec<&str> = relative.split('/').collect();
        if names.iter().any(|name| name.starts_with('.') || *name == "node_modules") {
            continue;
        }
        for level in 1..=names.len().min(LEVELS) {
            let entry = entries.entry(names[..level].to_vec()).or_insert((0, false));
            entry.0 += size;
            entry.1 |= level < names.len();
        }
    }
    let mut lines = vec![
        format!(
            "Here're the files and directories up to 2 levels deep in {shown_as}, excluding hidden items and node_modules:"
        ),
        format!("{}\t{shown_as}", human_size(total)),
    ];
    lines.extend(entries.into_iter().map(|(names, (size, is_folder))| {
        format!("{}\t{shown_as}/{}{}", human_size(size), names.join("/"), if is_folder { "/" } else { "" })
    }));
    lines.join("\n")
}

/// Returns a size in words: `512B`, `1.5K`, `3M`.
fn human_size(bytes: usize) -> String {
    let (mut size, mut unit) = (bytes as f64, "B");
    for larger in ["K", "M", "G"] {
        if size < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = larger;
    }
    if size.fract() == 0.0 { format!("{size}{unit}") } else { format!("{size:.1}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_shows_two_levels_with_sizes_and_no_hidden_files() {
        let sizes = [
            ("/memories/a.md", 1536),
            ("/memories/deep/er/est.md", 10),
            ("/memories/deep/b.md", 1024),
            ("/memories/.hidden", 3),
            ("/memories/node_modules/x", 3),
        ];
        let sizes = sizes.into_iter().map(|(path, size)| (path.to_owned(), size)).collect();
        let root = FilePath::parse("/memories").unwrap();
        let text = listing(&root, "/memories", &sizes);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "2.5K\t/memories",
                "1.5K\t/memories/a.md",
                "1.0K\t/memories/deep/",
                "1K\t/memories/deep/b.md",
                "10B\t/memories/deep/er/"
            ]
        );
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [(0, "0B"), (1, "1B"), (1023, "1023B"), (1024, "1K"), (1536, "1.5K"), (3 << 20, "3M")] {
            assert_eq!(human_size(bytes), text);
        }
    }
}
