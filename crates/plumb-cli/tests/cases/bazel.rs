//! The rules of `examples/recipes/bazel`, with a real Bazel in its sandbox. The test is skipped if
//! Bazel is not installed, or cannot fetch its own tools.

use std::fs;

use plumb_testkit::{Skip, Suite};

use crate::sandbox::{Ran, Sandbox};
use crate::tools::{copy_recipes, require};

/// Adds the tests of this file.
pub(crate) fn added_to(suite: Suite) -> Suite {
    suite.test("bazel::rules_build_and_test_a_project", rules_build_and_test_a_project)
}

/// A workspace with the rules and the project of the recipes.
fn workspace() -> Sandbox {
    let sandbox = Sandbox::new("bazel").with("workspace/WORKSPACE", "");
    copy_recipes(&sandbox, "workspace");
    // Bazel fetches this repository for coverage. Nothing here needs it.
    let stub =
        "filegroup(name = \"coverage_report_generator\", visibility = [\"//visibility:public\"])\n";
    let sandbox = sandbox.with("coverage/WORKSPACE", "").with("coverage/BUILD", stub);
    let plumb = env!("CARGO_BIN_EXE_plumb");
    let moved =
        sandbox.shell(&format!("cd workspace && mv bazel/* . && ln -s '{plumb}' plumb-bin"));
    assert_eq!(moved.code, Some(0), "{}", moved.stderr);
    sandbox
}

/// Runs Bazel. All files that it creates are in the sandbox of the test.
fn bazel(sandbox: &Sandbox, arguments: &str) -> Result<Ran, Skip> {
    let here = sandbox.path("").display().to_string();
    let ran = sandbox.shell(&format!(
        "cd workspace && bazel --batch --output_base='{here}/base' {arguments} \
         --noshow_progress --override_repository=remote_coverage_tools='{here}/coverage'"
    ));
    if ran.stderr.contains("failed to fetch") {
        return Err(Skip("bazel cannot fetch its own tools".to_owned()));
    }
    Ok(ran)
}

fn rules_build_and_test_a_project() -> Result<(), Skip> {
    require("bazel")?;
    let sandbox = workspace();
    let ran = bazel(&sandbox, "test //:all")?;
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let built = |target: &str| {
        let path = format!("workspace/bazel-bin/{target}/web.yml");
        sandbox.read(&path).expect("the target was built")
    };
    assert!(built("staging").contains("replicas: 1"), "{}", built("staging"));
    assert!(built("prod").contains("replicas: 3"), "{}", built("prod"));
    let log = sandbox.read("workspace/bazel-testlogs/tests/shard_1_of_2/test.log");
    assert!(log.is_some_and(|it| it.contains("1 passed")), "the test has run");

    // A target must declare the files that it reads.
    let rules = sandbox.read("workspace/BUILD.bazel").expect("it was copied");
    let rules = rules.replace("glob([\"config/**\", \"values/**\"])", "glob([\"config/**\"])");
    fs::write(sandbox.path("workspace/BUILD.bazel"), rules).expect("writable");
    let ran = bazel(&sandbox, "build //:prod")?;
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("values/prod.yml: no such file"), "{}", ran.stderr);
    Ok(())
}
