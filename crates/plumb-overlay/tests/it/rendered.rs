//! The output at a terminal.

use plumb_diagnostic::pretty::{Colour, render_failure};
use plumb_overlay::{FileDocuments, apply_to_files};
use plumb_source::Sources;

use crate::expression::Names;
use crate::notation::documents;

#[test]
fn an_error_shows_the_overlay_and_what_it_matched() {
    let sources = Sources::new();
    let file = |name: &str, text: &str| FileDocuments {
        name: name.to_owned(),
        documents: documents(&sources, name, text, &Names::new()),
    };
    let base = file("base.yml", "kind: A\nname: x\n---\nkind: A\nname: y\n");
    let right = "#@overlay/match by=overlay.subset({\"kind\": \"A\"})\n---\nname: z\n";
    let files = vec![base, file("o.yml", right)];
    let failure = apply_to_files(files, &sources, &mut Vec::new()).expect_err("two matches");
    let expected = "\
error[overlay/match-count]: expected 1 match, found 2
 --> o.yml:2:1
  |
1 | #@overlay/match by=overlay.subset({\"kind\": \"A\"})
  | ------------------------------------------------ by this
2 | ---
  | ^^^
  |
 ::: base.yml:1:1
  |
1 | kind: ***
  | --------- matches this
2 | name: ***
3 | ---
  | --- matches this
  |
  = help: if you mean all of them, write expects=\"1+\" in @overlay/match
";
    assert_eq!(render_failure(&failure, &sources, Colour::Never), expected);
}
