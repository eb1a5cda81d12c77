//! `man`: the manual page, made from what can be typed.

use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use serde_json::json;

use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn man(folder: Option<&Path>) -> Result<Output, Failure> {
    let mut command = Arguments::command();
    command.build();
    let Some(folder) = folder else {
        let page = rendered(&command)?;
        return Ok(Output::new(page.clone(), &json!({"name": "elfmem", "page": page})));
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable_file(folder, &error))?;
    let mut written = Vec::new();
    write_pages(&command, folder, &mut written)?;
    let text = format!("Wrote {} pages to {}.", written.len(), folder.display());
    Ok(Output::new(text, &json!({"folder": folder, "pages": written})))
}

/// A page for the command and for each below it, named as `git` names them: `elfmem-frame-add.1`.
fn write_pages(command: &clap::Command, folder: &Path, written: &mut Vec<String>) -> Result<(), Failure> {
    let file = format!("{}.1", command.get_display_name().unwrap_or(command.get_name()));
    let path = folder.join(&file);
    std::fs::write(&path, rendered(command)?).map_err(|error| Failure::unwritable_file(&path, &error))?;
    written.push(file);
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        write_pages(below, folder, written)?;
    }
    Ok(())
}

fn rendered(command: &clap::Command) -> Result<String, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(|error| Failure::unwritable(&error))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
