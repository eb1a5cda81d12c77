//! The structure of a document: headings, code, lists and paragraphs.

/// A structural element of a document.
#[derive(Debug, PartialEq)]
pub(super) enum DocumentElement {
    Heading(String),
    Code(String),
    List(Vec<String>),
    Paragraph(String),
}

/// Parses the structure line by line.
pub(super) fn elements(text: &str) -> Vec<DocumentElement> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        if let Some(fence) = fence_of(trimmed) {
            let mut code = vec![line];
            for inner in lines.by_ref() {
                code.push(inner);
                if inner.trim() == fence {
                    break;
                }
            }
            found.push(DocumentElement::Code(code.join("\n")));
        } else if is_heading(trimmed) {
            found.push(DocumentElement::Heading(line.trim().to_owned()));
        } else if is_list_item(trimmed) {
            let mut items = vec![line.trim_end().to_owned()];
            while let Some(next) = lines.next_if(|next| continues_list(next)) {
                match items.last_mut() {
                    Some(item) if !is_list_item(next.trim_start()) => {
                        item.push('\n');
                        item.push_str(next.trim_end());
                    }
                    _ => items.push(next.trim_end().to_owned()),
                }
            }
            found.push(DocumentElement::List(items));
        } else {
            let mut paragraph = vec![line.trim()];
            while let Some(next) = lines.next_if(|next| continues_paragraph(next.trim_start())) {
                paragraph.push(next.trim());
            }
            found.push(DocumentElement::Paragraph(paragraph.join("\n")));
        }
    }
    found
}

fn fence_of(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence))
}

pub(super) fn is_heading(line: &str) -> bool {
    let level = line.bytes().take_while(|&byte| byte == b'#').count();
    (1..=6).contains(&level) && line[level..].starts_with(' ')
}

fn is_list_item(line: &str) -> bool {
    let after_bullet = line.strip_prefix(['-', '*', '+', '•']);
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['.', ')']);
    let numbered = line.starts_with(|c: char| c.is_ascii_digit());
    after_bullet.is_some_and(|rest| rest.starts_with(' '))
        || (numbered && after_number.is_some_and(|rest| rest.starts_with(' ')))
}

fn continues_list(line: &str) -> bool {
    let trimmed = line.trim_start();
    !trimmed.is_empty() && (is_list_item(trimmed) || line.starts_with([' ', '\t'])) && fence_of(trimmed).is_none()
}

fn continues_paragraph(line: &str) -> bool {
    !line.is_empty() && !is_heading(line) && !is_list_item(line) && fence_of(line).is_none()
}
