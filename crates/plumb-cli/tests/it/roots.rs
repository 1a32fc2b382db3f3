//! Every way to access files, with every trick to leave its root: nothing outside is read or
//! written, and the attempt is reported.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::sandbox::Sandbox;

/// Text that no run may show.
const SECRET: &str = "sesame";

/// A name that leads out of the directory in which it is used, or that may do so.
#[derive(Clone, Copy, Debug)]
struct Trick {
    name: &'static str,
    leads: Leads,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leads {
    /// To the secret, or to a place beside it.
    Out,
    /// Out of the directory, through a link in it.
    OutByLink,
    /// To no file: the name is only unusual.
    Astray,
}

const TRICKS: [Trick; 16] = [
    trick("../outside/secret.yml", Leads::Out),
    trick("a/../../outside/secret.yml", Leads::Out),
    trick("./.././outside/secret.yml", Leads::Out),
    trick("ABSOLUTE/outside/secret.yml", Leads::Out),
    trick("//outside/../ABSOLUTE/outside/secret.yml", Leads::Out),
    trick("link.yml", Leads::OutByLink),
    trick("chain.yml", Leads::OutByLink),
    trick("linked/secret.yml", Leads::OutByLink),
    trick("linked/../outside/secret.yml", Leads::OutByLink),
    trick("..\\outside\\secret.yml", Leads::Astray),
    trick("", Leads::Astray),
    trick(".", Leads::Astray),
    trick("..", Leads::Astray),
    trick("LONG.yml", Leads::Astray),
    trick("two\nlines.yml", Leads::Astray),
    trick("nul\0.yml", Leads::Astray),
];

const fn trick(name: &'static str, leads: Leads) -> Trick {
    Trick { name, leads }
}

/// A way to access a file.
#[derive(Clone, Copy, Debug)]
enum Access {
    File,
    FileAs,
    DataValues,
    DataRead,
    DataList,
    Load,
    Library,
    Mark,
    ScriptRead,
    ScriptList,
    ScriptImport,
    ScriptWrite,
    ScriptSchema,
    Templates,
}

const ACCESSES: [Access; 14] = [
    Access::File,
    Access::FileAs,
    Access::DataValues,
    Access::DataRead,
    Access::DataList,
    Access::Load,
    Access::Library,
    Access::Mark,
    Access::ScriptRead,
    Access::ScriptList,
    Access::ScriptImport,
    Access::ScriptWrite,
    Access::ScriptSchema,
    Access::Templates,
];

impl Access {
    /// Whether the name is an argument of the user. Users may name files anywhere, unless a link
    /// hides the target.
    fn is_of_the_user(self) -> bool {
        matches!(self, Self::File | Self::DataValues | Self::Templates)
    }

    /// Arguments that use this way of access; the files that they need are put into `work`.
    fn arguments(self, work: &Path, name: &str) -> Vec<String> {
        let literal = format!("{name:?}").replace("\\0", "\\x00");
        let put = |path: &str, text: String| {
            let path = work.join(path);
            fs::create_dir_all(path.parent().expect("below work")).expect("writable");
            fs::write(path, text).expect("writable");
        };
        let template = |code: String| {
            put("in/a.yml", format!("#@ load(\"@ytt:data\", \"data\")\n{code}"));
            words("-f in --output-files out")
        };
        let script = |code: String| {
            put("app/config.js", format!("import * as std from '@jkcfg/std';\n{code}"));
            words("generate -o out app/config.js")
        };
        match self {
            Self::File => vec!["-f".to_owned(), name.to_owned()],
            Self::FileAs => {
                put("a.yml", "a: 1\n".to_owned());
                [&["-f".to_owned(), format!("{name}=a.yml")], &*words("--output-files out")]
                    .concat()
            }
            Self::DataValues => {
                put("a.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values\n".to_owned());
                [&*words("-f a.yml --data-values-file"), &[name.to_owned()]].concat()
            }
            Self::DataRead => template(format!("a: #@ data.read({literal})\n")),
            Self::DataList => {
                template(format!("a: #@ [data.read(f) for f in data.list({literal})]\n"))
            }
            Self::Load => template(format!("#@ load({literal}, \"f\")\na: #@ f()\n")),
            Self::Library => {
                put("in/_ytt_lib/lib/b.yml", "b: 1\n".to_owned());
                template(format!(
                    "#@ load(\"@ytt:library\", \"library\")\na: #@ library.get({literal}).eval()\n"
                ))
            }
            Self::Mark => {
                put("in/a.yml", "a: 1\n".to_owned());
                let mark = format!("a.yml:path={name}");
                [&*words("-f in --output-files out --file-mark"), &[mark]].concat()
            }
            Self::ScriptRead => script(format!(
                "export default std.read({literal}).then((value) => [{{ path: 'a', value }}]);"
            )),
            Self::ScriptList => script(format!(
                "import * as fs from '@jkcfg/std/fs';
                 const value = fs.dir({literal}).files.map(({{ path }}) => path);
                 export default [{{ path: 'a', value }}];"
            )),
            Self::ScriptImport => script(format!(
                "export default import({literal}).then((it) => [{{ path: 'a', value: it.default }}]);"
            )),
            Self::ScriptWrite => {
                script(format!("export default [{{ path: {literal}, value: 1 }}];"))
            }
            Self::ScriptSchema => script(format!(
                "import {{ validateWithFile }} from '@jkcfg/std/schema';
                 export default validateWithFile(1, {literal}).then(() => []);"
            )),
            Self::Templates => [&*words("vm check --template"), &[name.to_owned()]].concat(),
        }
    }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// A directory `work`, with links in all its directories to one beside it that has a secret.
fn prepare(sandbox: &Sandbox) -> PathBuf {
    for directory in ["work", "outside"] {
        let _ = fs::remove_dir_all(sandbox.path(directory));
    }
    let secret = format!("kind: {SECRET}\nsecret: {SECRET}\n");
    for directory in ["work/in", "work/out", "work/app", "outside"] {
        fs::create_dir_all(sandbox.path(directory)).expect("writable");
    }
    fs::write(sandbox.path("outside/secret.yml"), secret).expect("writable");
    let outside = sandbox.path("outside");
    for directory in ["work", "work/out", "work/app"] {
        let here = sandbox.path(directory);
        symlink(outside.join("secret.yml"), here.join("link.yml")).expect("links can be made");
        symlink("link.yml", here.join("chain.yml")).expect("links can be made");
        symlink(&outside, here.join("linked")).expect("links can be made");
    }
    sandbox.path("work")
}

fn run(sandbox: &Sandbox, work: &Path, arguments: &[String]) -> Output {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = sandbox.command("plumb", &arguments);
    command.current_dir(work).output().expect("the program is built")
}

/// Everything that a run wrote, except below the links to the outside.
fn written(sandbox: &Sandbox) -> String {
    let mut texts = Vec::new();
    for path in sandbox.list("work/out") {
        let is_linked = path.contains("/linked") || sandbox.path(&path).is_symlink();
        if !is_linked && sandbox.path(&path).is_file() {
            texts.extend(sandbox.read(&path));
        }
    }
    texts.join("\n")
}

#[test]
fn no_access_leads_out_of_its_root() {
    let sandbox = Sandbox::new("roots");
    let absolute = sandbox.path("").to_string_lossy().trim_end_matches('/').to_owned();
    for access in ACCESSES {
        for trick in TRICKS {
            let is_argument =
                access.is_of_the_user() || matches!(access, Access::FileAs | Access::Mark);
            if is_argument && trick.name.contains('\0') {
                continue;
            }
            let name = trick.name.replace("ABSOLUTE", &absolute);
            let name = name.replace("LONG", &"long".repeat(1_100));
            check(&sandbox, access, trick, &name);
        }
    }
}

fn check(sandbox: &Sandbox, access: Access, trick: Trick, name: &str) {
    let work = prepare(sandbox);
    let output = run(sandbox, &work, &access.arguments(&work, name));
    let reported = String::from_utf8_lossy(&output.stderr).replace(&"long".repeat(1_100), "LONG");
    let context = format!("{access:?} with {:?}: {reported}", trick.name);
    let code = output.status.code();
    assert!(matches!(code, Some(0..=2)), "{code:?}: {context}");
    let is_named_by_user =
        access.is_of_the_user() && (trick.leads == Leads::Out || trick.name.contains('/'));
    let is_allowed = is_named_by_user || matches!(access, Access::Templates);
    if !is_allowed {
        let shown = [String::from_utf8_lossy(&output.stdout).into_owned(), written(sandbox)];
        assert!(!shown.concat().contains(SECRET) && !reported.contains(SECRET), "{context}");
        if trick.leads == Leads::Out && !is_rooted(access, trick) {
            assert_eq!(code, Some(1), "{context}");
        }
        if code != Some(0) {
            assert!(reported.starts_with("error["), "{context}");
        }
    }
    let secret = sandbox.read("outside/secret.yml").expect("no one took it away");
    assert!(secret.ends_with("secret: sesame\n"), "{context}");
    assert_eq!(sandbox.list("outside"), ["outside/secret.yml"], "{context}");
    assert_eq!(sandbox.list(".").iter().filter(|it| !it.contains('/')).count(), 2, "{context}");
}

/// Whether an absolute name is relative to the root of this way of access, as in ytt.
fn is_rooted(access: Access, trick: Trick) -> bool {
    trick.name.contains("ABSOLUTE") && matches!(access, Access::FileAs | Access::Mark)
}

#[test]
fn links_are_followed_where_a_flag_allows_it() {
    let sandbox = Sandbox::new("roots-allowed");
    let work = prepare(&sandbox);
    for name in ["link.yml", "chain.yml"] {
        let allowed = format!("-f {name} --allow-symlink-destination ../outside");
        let output = run(&sandbox, &work, &words(&allowed));
        assert!(String::from_utf8_lossy(&output.stdout).contains(SECRET), "{name}");
        let other = format!("-f {name} --allow-symlink-destination in");
        let output = run(&sandbox, &work, &words(&other));
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("symlink"), "{name}");
    }
}

#[test]
fn templates_of_machines_are_those_of_their_directory() {
    let sandbox = Sandbox::new("roots-machines");
    let work = prepare(&sandbox);
    fs::write(work.join("app/small.yaml"), "kind: Template\n").expect("writable");
    symlink("small.yaml", work.join("app/same.yaml")).expect("links can be made");
    symlink("round.yaml", work.join("app/round.yaml")).expect("links can be made");
    symlink("gone.yaml", work.join("app/broken.yaml")).expect("links can be made");
    let output = run(&sandbox, &work, &words("vm check --template app"));
    let reported = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{reported}");
    assert!(reported.contains("app/link.yml: the link leads out of app"), "{reported}");
    assert!(reported.contains("app/chain.yml: the link leads out of app"), "{reported}");
    assert!(!reported.contains("same.yaml: the link"), "{reported}");
    for (link, fault) in [
        ("round.yaml", "too many levels of symbolic links"),
        ("broken.yaml", "no such file or directory"),
    ] {
        let line = reported.lines().find(|it| it.contains(&format!("app/{link}: the link cannot")));
        assert!(line.is_some_and(|it| it.ends_with(fault)), "{reported}");
    }
    assert!(!reported.contains(SECRET), "{reported}");
}

#[test]
fn tests_and_rules_load_only_files_of_their_root() {
    let sandbox = Sandbox::new("roots-code");
    for directory in ["work/tests", "work/deep", "outside"] {
        fs::create_dir_all(sandbox.path(directory)).expect("writable");
    }
    let put = |path: &str, text: &str| fs::write(sandbox.path(path), text).expect("writable");
    let module = format!("def f(*args):\n  print(\"{SECRET}\")\nend\n");
    put("outside/names.star", &module);
    put("work/tests/names.star", &module);
    put("work/plumb.yml", "targets: {a: {file: a.yml}}\n");
    put("work/a.yml", "a: 1\n");
    put("work/a.js", "export default [{ path: 'a.yaml', value: {} }];\n");
    symlink("names.star", sandbox.path("work/tests/inside.star")).expect("links can be made");
    symlink("../../outside/names.star", sandbox.path("work/tests/link.star"))
        .expect("links can be made");
    symlink("../../outside", sandbox.path("work/tests/linked")).expect("links can be made");
    let absolute = sandbox.path("outside/names.star");
    let absolute = absolute.to_str().expect("the paths of tests are UTF-8");

    let test = "plumb test".to_owned();
    let rule = "plumb generate --stdout --validate tests/a_test.star:test_f a.js".to_owned();
    // In `deep`, the directory of the project is `..`.
    for (command, directory) in [(&test, "work"), (&test, "work/deep"), (&rule, "work")] {
        let run = |name: &str| {
            let code = format!("load(\"{name}\", \"f\")\ndef test_f(*args):\n  f()\nend\n");
            put("work/tests/a_test.star", &code);
            let arguments: Vec<&str> = command.split(' ').skip(1).collect();
            let mut command = sandbox.command("plumb", &arguments);
            let output = command.current_dir(sandbox.path(directory)).output();
            let output = output.expect("the program is built");
            let shown = [output.stdout, output.stderr].concat();
            (output.status.code(), String::from_utf8_lossy(&shown).into_owned())
        };
        for name in ["names.star", "inside.star", "./linked/../names.star"] {
            let (code, shown) = run(name);
            assert_eq!(code, Some(0), "{command}, {name}: {shown}");
        }
        for name in ["../../outside/names.star", "link.star", "linked/names.star"] {
            let (code, shown) = run(name);
            assert!(code == Some(1) && !shown.contains(SECRET), "{command}, {name}: {shown}");
            assert!(shown.contains("of the directory") || shown.contains("below the directory"));
        }
        let (code, shown) = run(absolute);
        assert!(code == Some(1) && !shown.contains(SECRET), "{command}: {shown}");
    }
}
