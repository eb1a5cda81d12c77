//! The one place that reads environment variables. Which there are and what they are for is in the table of `elfmem-config`.

use std::ffi::OsString;

use elfmem_models::Secret;

/// Every variable that may be a setting, and those that look like one; empty ones count as not set.
pub(crate) fn settings() -> Vec<(OsString, OsString)> {
    let ours = |name: &OsString| name.to_str().is_some_and(|name| name.starts_with("ELFMEM_"));
    std::env::vars_os().filter(|(name, value)| ours(name) && !value.is_empty()).collect()
}

/// What a variable whose name was typed holds; an empty one holds nothing.
pub(crate) fn text_of(variable: &str) -> Option<String> {
    std::env::var_os(variable)?.into_string().ok().filter(|text| !text.is_empty())
}

/// The program that shows long answers: the one of `PAGER`, or the default. None where `NO_PAGER` is set or `PAGER` is
/// empty or `cat`.
pub(crate) fn pager(default: &str) -> Option<String> {
    if std::env::var_os("NO_PAGER").is_some() {
        return None;
    }
    let pager = match std::env::var_os("PAGER") {
        Some(pager) => pager.into_string().ok()?,
        None => default.to_owned(),
    };
    Some(pager).filter(|pager| !pager.trim().is_empty() && pager.trim() != "cat")
}

/// The columns that lines may have by `COLUMNS`, if that is a positive number. It goes before the size of the terminal.
pub(crate) fn columns() -> Option<usize> {
    text_of("COLUMNS")?.trim().parse().ok().filter(|columns| *columns > 0)
}

/// The key of the memory, where a variable holds it; it is no setting, so that nothing shows it.
pub(crate) fn memory_key() -> Option<String> {
    text_of("ELFMEM_KEY")
}

/// The secret in the variable that a setting names.
pub(crate) fn secret(variable: &str) -> Option<Secret> {
    text_of(variable).map(|value| Secret::new(&value))
}
