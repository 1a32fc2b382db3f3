//! Data values in all places that name them: schemas, plain files, variables, flags.

use crate::{Fixture, shown};

const PROJECT: &str = "\
=== plumb.yml
targets:
  dev: {file: config, data-values-file: dev.yml}
=== dev.yml
app:
  \"name\": one
=== config/schema.yml
#@data/values-schema
---
app:
  name: web
  port: 80
";

const TEMPLATE: &str = "\
=== config/a.yml
#@ load(\"@ytt:data\", \"data\")
#@ app = data.values.app
a: #@ data.values.app.na$0me
b: #@ app.name
";

/// The places that change, or why nothing does.
fn renamed(files: &str, name: &str) -> Vec<String> {
    let mut fixture = Fixture::new(files);
    let (path, offset) = (fixture.path.clone(), fixture.offset);
    match fixture.analysis().rename(&path, offset, name) {
        Ok(edits) => {
            let place = |it: &plumb_ide::Edit| {
                let text = fixture.overlay.text(&it.path).expect("it was read");
                let line = text[..it.range.start as usize].split(|it| *it == b'\n').count();
                let old = &text[it.range.start as usize..it.range.end as usize];
                format!("{}:{line} {}", shown(&it.path), String::from_utf8_lossy(old))
            };
            edits.iter().map(place).collect()
        }
        Err(error) => vec![error.to_string()],
    }
}

#[test]
fn a_data_value_is_renamed_in_plain_files_quoted_keys_and_through_variables() {
    let expected = [
        "config/a.yml:3 name",
        "config/a.yml:4 name",
        "config/schema.yml:4 name",
        "dev.yml:2 name",
    ];
    assert_eq!(renamed(&format!("{PROJECT}{TEMPLATE}"), "title"), expected);
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let found = renamed(&format!("{PROJECT}{TEMPLATE}"), "port");
    assert_eq!(found, ["a data value `port` exists already"]);
}

#[test]
fn a_use_that_cannot_be_found_in_the_text_is_refused_with_its_place() {
    let computed = format!("{PROJECT}{TEMPLATE}c: #@ getattr(app, \"na\" + \"me\")\n");
    let found = renamed(&computed, "title").join("\n");
    let expected = "not every use of the name was found; renaming it would cause an error in line 5 of a.yml: ";
    assert!(found.starts_with(expected), "{found}");
    let flag = PROJECT.replace("dev.yml}", "dev.yml, data-value: app.name=x}");
    let found = renamed(&format!("{flag}{TEMPLATE}"), "title").join("\n");
    assert!(found.contains("renaming it would cause an error"), "{found}");
}

#[test]
fn a_variable_with_a_part_of_the_data_values_is_completed() {
    let completed = |text: &str| {
        let mut fixture = Fixture::new(&format!(
            "{PROJECT}=== config/a.yml\n#@ load(\"@ytt:data\", \"data\")\n{text}"
        ));
        let (path, offset) = (fixture.path.clone(), fixture.offset);
        let found = fixture.analysis().completions(&path, offset);
        found.into_iter().map(|it| it.label).collect::<Vec<_>>()
    };
    assert_eq!(completed("#@ app = data.values.app\nx: #@ app.$0\n"), ["name", "port"]);
    assert_eq!(
        completed("#@ all = data.values\n#@ app = all.app\nx: #@ app.$0\n"),
        ["name", "port"]
    );
    // With two values, or a call, the target is not known.
    assert!(completed("#@ app = data.values.app\n#@ app = 1\nx: #@ app.$0\n").is_empty());
    assert!(completed("#@ app = data.values.app()\nx: #@ app.$0\n").is_empty());
    assert!(completed("#@ a = b\n#@ b = a\nx: #@ a.$0\n").is_empty());
}
