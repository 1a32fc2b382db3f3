//! Plumb together with Git, Make and Ninja. A test is skipped if its program is not installed.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use plumb_testkit::{Skip, Suite};

use crate::sandbox::{Ran, Sandbox};

/// Adds the tests of this file.
pub(crate) fn added_to(suite: Suite) -> Suite {
    suite
        .test(
            "tools::a_revision_is_compared_without_touching_the_work_tree",
            a_revision_is_compared_without_touching_the_work_tree,
        )
        .test("tools::a_revision_that_cannot_be_rendered", a_revision_that_cannot_be_rendered)
        .test("tools::make_reads_a_depfile", make_reads_a_depfile)
        .test("tools::ninja_reads_a_depfile", ninja_reads_a_depfile)
        .test("tools::the_commands_of_the_github_matrix", || {
            the_commands_of_the_github_matrix();
            Ok(())
        })
        .test("tools::the_scripts_of_the_tekton_tasks", || {
            the_scripts_of_the_tekton_tasks();
            Ok(())
        })
}

pub(crate) fn require(program: &str) -> Result<(), Skip> {
    let mut command = Command::new(program);
    let version = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match version {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Skip(format!("{program} is not installed"))),
    }
}

/// Runs Git without the settings of the user.
fn git(sandbox: &Sandbox, arguments: &str) -> String {
    let identity = "-c user.name=a -c user.email=a@example.com -c init.defaultBranch=main";
    let environment = "GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null";
    let ran = sandbox.shell(&format!("{environment} git {identity} {arguments}"));
    assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.stderr);
    ran.stdout
}

const TEMPLATE: &str = "\
#@ load('@ytt:data', 'data')
kind: Deployment
metadata: {name: web}
replicas: #@ data.values.replicas
";

/// A repository with two commits: the second one changes settings and renames a directory.
fn repository(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name)
        .with("plumb.yml", "targets: {prod: {file: old, output-files: out}}\n")
        .with("old/schema.yml", "#@data/values-schema\n---\nreplicas: 1\n")
        .with("old/web.yml", TEMPLATE);
    git(&sandbox, "init -q .");
    git(&sandbox, "add .");
    git(&sandbox, "commit -q -m first");
    git(&sandbox, "mv old config");
    let sandbox = sandbox.with(
        "plumb.yml",
        "targets: {prod: {file: config, data-value-yaml: replicas=2, output-files: out}}\n",
    );
    git(&sandbox, "commit -q -a -m second");
    sandbox
}

fn a_revision_is_compared_without_touching_the_work_tree() -> Result<(), Skip> {
    require("git")?;
    let sandbox = repository("tools-git");
    let ran = sandbox.plumb(&["diff", "--against", "HEAD"]);
    assert_eq!(ran.output(), "1 target compared: no differences\n");
    // The work tree has staged, unstaged and untracked changes.
    let sandbox = sandbox.with("config/new.yml", "kind: Service\nmetadata: {name: web}\n");
    git(&sandbox, "add config/new.yml");
    let web = TEMPLATE.replace("data.values.replicas", "data.values.replicas + 1");
    let sandbox = sandbox.with("config/web.yml", web).with("notes.txt", "mine\n");
    let state = || {
        let (status, index) =
            (git(&sandbox, "status --porcelain"), fs::read(sandbox.path(".git/index")));
        let times = sandbox.list(".").into_iter().filter(|it| !it.starts_with(".git"));
        let times: Vec<_> = times
            .map(|it| {
                let file = fs::metadata(sandbox.path(&it)).expect("it was listed");
                (it, file.modified().expect("there are times"))
            })
            .collect();
        (status, index.expect("there is an index"), times, git(&sandbox, "stash list"))
    };
    let before = state();
    let ran = sandbox.plumb(&["diff", "--show-values", "--against", "HEAD"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{}", ran.stdout);
    for expected in ["-replicas: 2", "+replicas: 3", "Service web @@ added"] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    // Each side is rendered from its own project file and its own directory.
    let ran = sandbox.plumb(&["diff", "--show-values", "--against", "HEAD~1"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("-replicas: 1") && ran.stdout.contains("old/web.yml:4"),
        "{}",
        ran.stdout
    );
    assert!(state() == before, "the work tree, the index or the stash has changed");
    assert!(sandbox.read("out/web.yml").is_none(), "nothing is built");
    // From a directory of the project, and from outside of it.
    let below = Sandbox::at(sandbox.path("config"));
    assert_eq!(below.plumb(&["diff", "--against", "HEAD"]).code, Some(1));
    Ok(())
}

fn a_revision_that_cannot_be_rendered() -> Result<(), Skip> {
    require("git")?;
    let sandbox = repository("tools-git-wrong");
    let refused = |arguments: &[&str]| sandbox.plumb(arguments).failure(2);
    let message = refused(&["diff", "--against", "nothing"]);
    assert!(message.contains("there is no revision `nothing`"), "{message}");
    let message = refused(&["diff", "--against", "--output=x"]);
    assert!(message.contains("revision"), "{message}");
    // A revision with a mistake, which the work tree no longer has.
    let sandbox = sandbox.with("config/web.yml", "a: #@ 1 // 0\n");
    git(&sandbox, "commit -q -a -m wrong");
    let sandbox = sandbox.with("config/web.yml", "a: 1\n");
    let ran = sandbox.plumb(&["diff", "--against", "HEAD"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    assert!(ran.stderr.contains("prod at HEAD"), "{}", ran.stderr);
    Ok(())
}

/// The files of `examples/recipes`, and a program `plumb` that writes the names of targets to
/// `log`.
fn recipes(name: &str) -> Sandbox {
    let plumb = env!("CARGO_BIN_EXE_plumb");
    let logged = format!("#!/bin/sh\necho \"$2\" >> log\nexec '{plumb}' \"$@\"\n");
    let sandbox = Sandbox::new(name).with("bin/plumb", logged);
    copy_recipes(&sandbox, ".");
    assert_eq!(sandbox.shell("chmod +x bin/plumb").code, Some(0));
    sandbox
}

/// Copies the files of `examples/recipes` to a directory, without their build output.
pub(crate) fn copy_recipes(sandbox: &Sandbox, directory: &str) {
    let recipes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/recipes");
    let copied = sandbox
        .shell(&format!("cp -R '{recipes}'/. {directory} && cd {directory} && rm -rf out stamps"));
    assert_eq!(copied.code, Some(0), "{}", copied.stderr);
}

/// Builds again and again. After each change, exactly the targets that it affects are built.
fn builds(sandbox: &Sandbox, tool: impl Fn() -> Ran) {
    let built = || {
        let _ = fs::remove_file(sandbox.path("log"));
        let ran = tool();
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        let log = sandbox.read("log").unwrap_or_default();
        let mut names: Vec<String> = log.lines().map(str::to_owned).collect();
        names.sort();
        names.join(" ")
    };
    // Some file systems keep times with a precision of hundredths of a second.
    let later = || thread::sleep(Duration::from_millis(50));
    let put = |path: &str, text: &str| {
        later();
        fs::write(sandbox.path(path), text).expect("it can be written");
    };
    assert_eq!(built(), "prod staging");
    let written =
        || fs::metadata(sandbox.path("out/prod/web.yml")).and_then(|it| it.modified()).ok();
    let first = written();
    assert!(first.is_some());
    assert_eq!(built(), "", "nothing has changed");
    put("values/prod.yml", "replicas: 3 # the same\n");
    assert_eq!(built(), "prod");
    assert_eq!(written(), first, "its content is the same");
    assert_eq!(built(), "", "the stamp is newer");
    put("values/prod.yml", "replicas: 4\n");
    assert_eq!(built(), "prod");
    assert_ne!(written(), first);
    put("config/web.yml", TEMPLATE);
    assert_eq!(built(), "prod staging");
    put("config/with space.yml", "new: 1\n");
    assert_eq!(built(), "prod staging", "a file was added to the directory");
    put("config/with space.yml", "new: 2\n");
    assert_eq!(built(), "prod staging");
    later();
    fs::remove_file(sandbox.path("config/with space.yml")).expect("it is there");
    assert_eq!(built(), "prod staging", "a file was removed from the directory");
    let project = sandbox.read("plumb.yml").expect("it is there");
    put("plumb.yml", &project.replace("out/staging", "out/test"));
    assert_eq!(built(), "prod staging");
    assert_eq!(built(), "");
    put("values/prod.yml", "replicas: 40\n");
    let ran = tool();
    assert_ne!(ran.code, Some(0), "the rule of the schema is broken");
    put("values/prod.yml", "replicas: 4\n");
    assert_eq!(built(), "prod");
}

fn make_reads_a_depfile() -> Result<(), Skip> {
    require("make")?;
    let sandbox = recipes("tools-make");
    builds(&sandbox, || sandbox.shell("PATH=\"$PWD/bin:$PATH\" make"));
    Ok(())
}

fn ninja_reads_a_depfile() -> Result<(), Skip> {
    require("ninja")?;
    let sandbox = recipes("tools-ninja");
    builds(&sandbox, || sandbox.shell("PATH=\"$PWD/bin:$PATH\" ninja"));
    Ok(())
}

/// The scripts in a YAML file: the values of a key, with the words of a shard replaced.
fn scripts(sandbox: &Sandbox, file: &str, key: &str) -> Vec<String> {
    fn collect(value: &serde_json::Value, key: &str, scripts: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(map) => {
                for (name, value) in map {
                    match value.as_str().filter(|_| name == key) {
                        Some(script) => scripts.push(script.to_owned()),
                        None => collect(value, key, scripts),
                    }
                }
            }
            serde_json::Value::Array(items) => {
                for item in items {
                    collect(item, key, scripts);
                }
            }
            _ => {}
        }
    }
    let printed =
        sandbox.shell(&format!("plumb -f {file} --file-mark '*:type=yaml-plain' -o json"));
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    let mut scripts = Vec::new();
    for document in serde_json::Deserializer::from_str(&printed.stdout).into_iter() {
        collect(&document.expect("Plumb prints JSON"), key, &mut scripts);
    }
    scripts
}

/// Runs the scripts of a recipe as the engine would: those with the number of a shard once for each
/// shard, and then the others. The merged report must contain a mistake exactly once.
fn shards(sandbox: &Sandbox, scripts: &[String], merged: [&str; 2]) {
    let run = || {
        let (of_shard, at_the_end): (Vec<&String>, Vec<&String>) =
            scripts.iter().partition(|it| it.contains("shard"));
        let mut n_failed = 0;
        for shard in ["1", "2", "3", "4"] {
            for script in &of_shard {
                let script = script
                    .replace("${{ matrix.shard }}", shard)
                    .replace("$(params.shard)", shard)
                    .replace("$(params.shards)", "4");
                assert!(!script.contains("$("), "{script}");
                n_failed += usize::from(sandbox.shell(&script).code != Some(0));
            }
        }
        for script in at_the_end {
            let ran = sandbox.shell(script);
            assert_eq!(ran.code, Some(0), "{script}: {}", ran.stderr);
        }
        n_failed
    };
    assert_eq!(run(), 0);
    let [check, test] = merged.map(|it| sandbox.read(it).expect("it was merged"));
    assert!(check.contains("\"results\": []"), "{check}");
    assert!(test.contains("tests=\"1\" failures=\"0\""), "{test}");
    fs::write(sandbox.path("values/staging.yml"), "replicas: 40\n").expect("writable");
    assert_eq!(run(), 1, "one shard has the target");
    let check = sandbox.read(merged[0]).expect("it was merged");
    assert_eq!(check.matches("\"ruleId\": \"validation/rule-broken\"").count(), 1, "{check}");
}

fn the_commands_of_the_github_matrix() {
    let sandbox = recipes("tools-github");
    let scripts = scripts(&sandbox, "github/plumb.yml", "run");
    shards(&sandbox, &scripts, ["check.sarif", "test.xml"]);
}

fn the_scripts_of_the_tekton_tasks() {
    let sandbox = recipes("tools-tekton");
    let scripts = scripts(&sandbox, "tekton/plumb.yml", "script");
    shards(&sandbox, &scripts, ["reports/check.sarif", "reports/test.xml"]);
}
