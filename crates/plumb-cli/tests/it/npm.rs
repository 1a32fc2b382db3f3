//! Libraries from the npm registry run unchanged. They are installed, which needs npm and the
//! network: the test is ignored unless it is requested.

use std::path::Path;
use std::process::{Command, Output};

const PACKAGES: [&str; 3] = ["lodash-es", "handlebars", "@jkcfg/kubernetes"];

#[test]
#[ignore = "needs npm and its registry"]
fn libraries_of_the_registry_run_unchanged() {
    let directory = std::env::temp_dir().join(format!("plumb-npm-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory can be made");
    let install = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--prefix", "."])
        .args(PACKAGES)
        .current_dir(&directory)
        .output();
    let installed = install.expect("npm is installed");
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    lodash(&directory);
    handlebars(&directory);
    kubernetes(&directory);
    validated(&directory);
    std::fs::remove_dir_all(&directory).expect("the directory is ours");
}

fn lodash(directory: &Path) {
    let code = "import _ from 'lodash-es';
        import { print } from '@jkcfg/std';
        print(_.chunk(_.sortBy([3, 1, 2]), 2), { indent: 0, format: 5 });";
    check(directory, code, "[1,2]\n[3]\n");
}

fn handlebars(directory: &Path) {
    let code = "import Handlebars from 'handlebars/lib/handlebars';
        import { print } from '@jkcfg/std';
        print(Handlebars.compile('{{#each names}}<{{this}}>{{/each}}')({ names: ['a', 'b'] }));";
    check(directory, code, "<a><b>\n");
}

fn kubernetes(directory: &Path) {
    let code = "import * as api from '@jkcfg/kubernetes/api';
        export default [{ path: 'a.yaml', value: new api.apps.v1.Deployment('web', { spec: { replicas: 2 } }) }];";
    let expected =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 2\n";
    std::fs::write(directory.join("k.js"), code).expect("a script can be written");
    let output = plumb(directory, &["generate", "--stdout", "k.js"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", errors(&output));
    let invalid = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: 3\n";
    std::fs::write(directory.join("invalid.yaml"), invalid).expect("an input can be written");
    let module = "@jkcfg/kubernetes/validate";
    let output = plumb(directory, &["validate", "-m", module, "invalid.yaml"]);
    assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
    assert!(errors(&output).contains("metadata.name"), "{}", errors(&output));
}

/// The example of specification 003.
fn validated(directory: &Path) {
    let code = "import * as param from '@jkcfg/std/param';
        import { long } from '@jkcfg/kubernetes/short';
        const validate = (value) => (
          value.metadata.name.startsWith('my-') ? 'ok' : 'name does not start with my-'
        );
        export default function generateConfig() {
          const app = param.String('name', 'my-app');
          const deployment = { name: `${app}-deploy`, containers: [{ name: 'main', image: 'hello' }] };
          const service = { name: `${app}-svc`, selector: { app } };
          return [
            { path: 'deployment.yaml', value: long({ deployment }), validate },
            { path: 'service.yaml', value: long({ service }), validate },
          ];
        }";
    std::fs::write(directory.join("config.js"), code).expect("a script can be written");
    let output = plumb(directory, &["generate", "-v", "./config.js", "-p", "name=foo"]);
    let expected =
        ["deployment.yaml", "service.yaml"].map(|it| format!("{it}: name does not start with my-"));
    let expected = expected.map(|it| format!("error[generate/invalid-value]: {it}\n")).concat();
    assert_eq!((errors(&output), output.status.code()), (expected, Some(1)));
    assert!(!directory.join("service.yaml").exists(), "nothing is written");
    let output = plumb(directory, &["generate", "-v", "./config.js", "-p", "name=my-foo"]);
    assert_eq!(errors(&output), "wrote deployment.yaml\nwrote service.yaml\n");
    let service = std::fs::read_to_string(directory.join("service.yaml"));
    let expected = "apiVersion: v1\nkind: Service\nmetadata:\n  name: my-foo-svc\n\
                    spec:\n  selector:\n    app: my-foo\n";
    assert_eq!(service.ok().as_deref(), Some(expected));
}

fn check(directory: &Path, code: &str, expected: &str) {
    std::fs::write(directory.join("s.js"), code).expect("a script can be written");
    let output = plumb(directory, &["run", "s.js"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{}", errors(&output));
}

fn plumb(directory: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_plumb");
    let output = Command::new(program).args(arguments).current_dir(directory).output();
    output.expect("the program starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
