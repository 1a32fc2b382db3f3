//! Wrong use of the command line.

use crate::sandbox::Sandbox;

#[test]
fn exit_codes_tell_misuse_from_findings() {
    let sandbox = Sandbox::new("misuse-codes").with("a.yml", "a: [\n");
    assert_eq!(sandbox.plumb(&["--bogus"]).code, Some(2));
    assert_eq!(sandbox.plumb(&["-f", "a.yml"]).code, Some(1));
    assert_eq!(sandbox.ytt(&["--bogus"]).failure(1), "ytt: Error: unknown flag: --bogus\n");
}

#[test]
fn the_remedy_is_named() {
    let sandbox = Sandbox::new("misuse-remedy");
    let flag = sandbox.plumb(&["--output-file", "out"]).failure(2);
    assert!(flag.contains("did you mean --output-files?"), "{flag}");
    let extra = sandbox.plumb(&["config.yml"]).failure(2);
    assert!(extra.contains("plumb -f config.yml"), "{extra}");
    let output = sandbox.plumb(&["-f", ".", "-o", "jsno"]).failure(2);
    assert!(output.contains("did you mean json?"), "{output}");
}

#[test]
fn the_name_can_be_chosen_by_flag() {
    let sandbox = Sandbox::new("misuse-compat");
    let as_ytt = sandbox.plumb(&["--bogus", "--compat=ytt"]).failure(1);
    assert_eq!(as_ytt, "ytt: Error: unknown flag: --bogus\n");
    assert_eq!(sandbox.ytt(&["--compat", "plumb", "--bogus"]).code, Some(2));
}
