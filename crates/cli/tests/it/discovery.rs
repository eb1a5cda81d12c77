//! Which file is the memory, and does status say so.

use crate::Sandbox;

fn found(sandbox: &Sandbox, arguments: &[&str], variable: Option<&str>) -> (String, String) {
    let mut command = sandbox.command(&[&["status", "--json"], arguments].concat());
    if let Some(value) = variable {
        command.env("ELFMEM_DB", value);
    }
    let answer: crate::Answer = command.output().unwrap().into();
    let database = answer.json()["database"].clone();
    (database["path"].as_str().unwrap().to_owned(), database["found_by"].as_str().unwrap().to_owned())
}

#[test]
fn the_flag_beats_the_environment_beats_the_project_beats_the_user() {
    let home = Sandbox::new();
    let data = home.file(".local/share/elfmem/memory.db").display().to_string();
    assert_eq!(found(&home, &[], None), (data, "user".into()));
    // The home folder itself is no project, so the project is made one below.
    let project = home.file("work");
    std::fs::create_dir_all(project.join("src")).unwrap();
    std::fs::create_dir_all(project.join(".elfmem")).unwrap();
    let status = |folder: &std::path::Path, variable: Option<&str>, arguments: &[&str]| {
        let mut command = home.command(&[&["status"], arguments].concat());
        command.current_dir(folder);
        if let Some(value) = variable {
            command.env("ELFMEM_DB", value);
        }
        crate::Answer::from(command.output().unwrap()).stdout
    };
    let in_project = status(&project.join("src"), None, &[]);
    assert!(in_project.contains("work/.elfmem/memory.db") && in_project.contains("the project's .elfmem folder"));
    let by_variable = status(&project, Some("other.db"), &[]);
    assert!(by_variable.contains("other.db") && by_variable.contains("given by ELFMEM_DB"), "{by_variable}");
    let by_flag = status(&project, Some("other.db"), &["--db", "third.db"]);
    assert!(by_flag.contains("third.db") && by_flag.contains("given by --db"), "{by_flag}");
    let empty_variable = status(&project, Some(""), &[]);
    assert!(empty_variable.contains("the project's .elfmem folder"));
}

#[test]
fn each_project_has_a_memory_of_its_own() {
    let home = Sandbox::new();
    for name in ["a", "b"] {
        std::fs::create_dir_all(home.file(name).join(".elfmem")).unwrap();
        let stored = home.command(&["remember", &format!("secret of {name}")]).current_dir(home.file(name)).output();
        assert!(stored.unwrap().status.success());
    }
    let asked = home.command(&["recall", "secret"]).current_dir(home.file("a")).output().unwrap();
    let answer = String::from_utf8(asked.stdout).unwrap();
    assert!(answer.contains("secret of a") && !answer.contains("secret of b"), "{answer}");
}
