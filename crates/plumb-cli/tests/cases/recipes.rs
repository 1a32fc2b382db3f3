//! The recipes for deployment programs: the tests run their files as those programs do.

use std::fs;
use std::path::{Path, PathBuf};

use plumb_testkit::Suite;

use crate::sandbox::Sandbox;
use crate::tools::copy_recipes;

/// Adds the tests of this file.
pub(crate) fn added_to(suite: Suite) -> Suite {
    let tests: [(&str, fn()); 6] = [
        ("recipes::pages_show_the_files_of_the_examples", pages_show_the_files_of_the_examples),
        ("recipes::argo_cd_runs_the_plugin", argo_cd_runs_the_plugin),
        ("recipes::flux_gets_an_artifact", flux_gets_an_artifact),
        ("recipes::fleet_gets_bundles", fleet_gets_bundles),
        ("recipes::helm_runs_the_post_renderer", helm_runs_the_post_renderer),
        ("recipes::controllers_call_ytt", controllers_call_ytt),
    ];
    tests.into_iter().fold(suite, |suite, (name, test)| {
        suite.test(name, move || {
            test();
            Ok(())
        })
    })
}

/// The recipes, with Plumb in the directory `bin` under both of its names.
fn recipes(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    copy_recipes(&sandbox, ".");
    let (plumb, ytt) = (env!("CARGO_BIN_EXE_plumb"), env!("CARGO_BIN_EXE_ytt"));
    let made =
        sandbox.shell(&format!("mkdir bin && ln -s '{plumb}' bin/plumb && ln -s '{ytt}' bin/ytt"));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    sandbox
}

/// Runs a script with the programs in `bin`, and returns what it prints.
fn output(sandbox: &Sandbox, script: &str) -> String {
    let ran = sandbox.shell(&format!("unset -f plumb; PATH=\"$PWD/bin:$PATH\"\n{script}"));
    assert_eq!(ran.code, Some(0), "{script}\n{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

/// A value in a YAML file of a recipe.
fn value(sandbox: &Sandbox, file: &str, pointer: &str) -> serde_json::Value {
    let printed =
        output(sandbox, &format!("plumb -f {file} --file-mark '*:type=yaml-plain' -o json"));
    let document: serde_json::Value = serde_json::from_str(&printed).expect("Plumb prints JSON");
    document.pointer(pointer).unwrap_or_else(|| panic!("{file}: {pointer}")).clone()
}

fn text(value: &serde_json::Value) -> &str {
    value.as_str().expect("a text")
}

fn pages_show_the_files_of_the_examples() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let examples = repository.join("examples/recipes");
    let entries = fs::read_dir(repository.join("docs/src/recipes")).expect("there are recipes");
    let pages: Vec<PathBuf> = entries.map(|it| it.expect("a readable entry").path()).collect();
    let mut n_files = 0;
    for page in &pages {
        let shown = fs::read_to_string(page).expect("a page");
        for block in shown.split("\n```").skip(1) {
            let Some((head, body)) = block.split_once('\n') else { continue };
            let Some((_, file)) = head.split_once(" file=") else { continue };
            if let Ok(example) = fs::read_to_string(examples.join(file)) {
                assert_eq!(format!("{body}\n"), example, "{}: {file}", page.display());
                n_files += 1;
            }
        }
    }
    assert!(n_files > 15, "{n_files}");
}

fn argo_cd_runs_the_plugin() {
    let sandbox = recipes("recipes-argocd");
    let file = text(&value(&sandbox, "argocd/plugin.yaml", "/spec/discover/fileName")).to_owned();
    assert!(sandbox.read(&file).is_some(), "the plugin finds the application");
    let command = value(&sandbox, "argocd/plugin.yaml", "/spec/generate/command");
    assert_eq!(command, serde_json::json!(["sh", "-c"]));
    let script = value(&sandbox, "argocd/plugin.yaml", "/spec/generate/args/0");
    let environment = value(&sandbox, "argocd/application.yaml", "/spec/source/plugin/env");
    let variables: Vec<String> = environment
        .as_array()
        .expect("variables")
        .iter()
        .map(|it| format!("export ARGOCD_ENV_{}={}", text(&it["name"]), text(&it["value"])))
        .collect();
    let printed = output(&sandbox, &format!("{}\n{}", variables.join("\n"), text(&script)));
    assert!(printed.contains("name: shop\n") && printed.contains("replicas: 3\n"), "{printed}");
    let default = output(&sandbox, text(&script));
    assert!(default.contains("name: web\n") && default.contains("replicas: 1\n"), "{default}");
}

fn flux_gets_an_artifact() {
    let flux = "#!/bin/sh\necho \"flux $*\"\n";
    let sandbox = recipes("recipes-flux").with("bin/flux", flux);
    let git = "#!/bin/sh\necho https://git.example.com/config.git\n";
    let sandbox = sandbox.with("bin/git", git);
    let url = "oci://registry.example.com/config/web";
    let script = format!("chmod +x bin/flux bin/git; flux/publish.sh prod {url} abc123");
    let printed = output(&sandbox, &script);
    let calls: Vec<&str> = printed.lines().filter(|it| it.starts_with("flux ")).collect();
    let source = "--source https://git.example.com/config.git --revision abc123";
    assert_eq!(
        calls,
        [
            format!("flux push artifact {url}:abc123 --path out/prod {source}").as_str(),
            &format!("flux tag artifact {url}:abc123 --tag prod"),
        ]
    );
    assert!(sandbox.read("out/prod/web.yml").is_some(), "it was built");
    // A mistake is found before anything is published.
    let sandbox = sandbox.with("values/prod.yml", "replicas: 40\n");
    let ran = sandbox.shell(&format!("PATH=\"$PWD/bin:$PATH\" flux/publish.sh prod {url} def456"));
    assert_eq!((ran.code, ran.stdout.contains("flux push")), (Some(1), false), "{}", ran.stdout);
}

fn fleet_gets_bundles() {
    let sandbox = recipes("recipes-fleet");
    output(&sandbox, "fleet/bundles.sh");
    let paths = value(&sandbox, "fleet/gitrepo.yaml", "/spec/paths");
    for path in paths.as_array().expect("paths") {
        let path = text(path);
        let stage = path.trim_start_matches("bundles/");
        let fleet = sandbox.read(&format!("{path}/fleet.yaml")).expect("a bundle");
        assert!(fleet.contains(&format!("defaultNamespace: web-{stage}\n")), "{fleet}");
        let web = sandbox.read(&format!("{path}/web.yml")).expect("the resources");
        assert!(web.contains("kind: Deployment\n"), "{web}");
    }
}

fn helm_runs_the_post_renderer() {
    let sandbox = recipes("recipes-helm");
    assert_eq!(text(&value(&sandbox, "helm-plugin/plugin.yaml", "/type")), "postrenderer/v1");
    let command =
        value(&sandbox, "helm-plugin/plugin.yaml", "/runtimeConfig/platformCommand/0/command");
    let given = "---\n# Source: web/templates/a.yaml\nkind: Service\nmetadata:\n  name: web\n";
    let sandbox = sandbox.with("given.yml", given);
    let script = format!(
        "HELM_PLUGIN_DIR=$PWD/helm-plugin\nexport PLUMB_OVERLAYS=helm-plugin/overlays\n{} < given.yml",
        text(&command)
    );
    let printed = output(&sandbox, &script);
    assert_eq!(printed, "kind: Service\nmetadata:\n  name: web\n  labels:\n    team: payments\n");
    let ran = sandbox.shell("helm-plugin/render.sh < given.yml");
    assert_ne!(ran.code, Some(0));
    assert!(ran.stderr.contains("name the directory with overlays"), "{}", ran.stderr);
}

/// kapp-controller and Cartographer start `ytt` with these arguments.
fn controllers_call_ytt() {
    let sandbox = recipes("recipes-ytt");
    let options = value(&sandbox, "kapp-controller/app.yaml", "/spec/template/0/ytt");
    let mut arguments = vec!["ytt".to_owned()];
    if options["ignoreUnknownComments"] == true {
        arguments.push("--ignore-unknown-comments".to_owned());
    }
    let each = |key: &str| options[key].as_array().expect("a list").clone();
    arguments.extend(each("paths").iter().map(|it| format!("-f {}", text(it))));
    arguments.extend(each("fileMarks").iter().map(|it| format!("--file-mark '{}'", text(it))));
    let values = each("valuesFrom");
    arguments.extend(values.iter().map(|it| format!("--data-values-file {}", text(&it["path"]))));
    let printed = output(&sandbox, &arguments.join(" "));
    assert!(printed.contains("replicas: 3\n"), "{printed}");
    let template = value(&sandbox, "cartographer/template.yaml", "/spec/ytt");
    let sandbox = sandbox.with("template.yml", text(&template));
    let context = "--data-value-yaml 'workload={\"metadata\":{\"name\":\"web\"}}' --data-value-yaml 'image=\"x:1\"'";
    let printed = output(&sandbox, &format!("ytt -f - {context} < template.yml"));
    assert!(printed.ends_with("  name: web\ndata:\n  image: x:1\n"), "{printed}");
}
