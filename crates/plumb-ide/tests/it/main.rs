//! What an editor shows: files with a cursor (`$0`), and the answers.

mod answers;
mod checks;
mod extras;
mod kubernetes;
mod recovery;
mod rename;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::Cancel;
use plumb::world::MemoryWorld;
use plumb_ide::{Analysis, Checked, Checker, Overlay};

/// The directory of all files.
const ROOT: &str = "/w/";

/// A path below the directory of all files.
fn shown(path: &Path) -> String {
    path.to_string_lossy().trim_start_matches(ROOT).to_owned()
}

/// Files, one of which has a cursor.
struct Fixture {
    overlay: Arc<Overlay>,
    checker: Checker,
    path: PathBuf,
    offset: u32,
    text: String,
}

impl Fixture {
    /// Files are separated by lines `=== PATH`. The one with `$0` is open in the editor.
    fn new(files: &str) -> Self {
        let mut world = MemoryWorld::new();
        let mut open = None;
        for file in files.split("=== ").skip(1) {
            let (path, text) = file.split_once('\n').expect("a path and a text");
            match text.find("$0") {
                Some(offset) => open = Some((path, offset, text.replacen("$0", "", 1))),
                None => world = world.file(&format!("{ROOT}{path}"), text),
            }
        }
        let (path, offset, text) = open.expect("a file with a cursor");
        let path = format!("{ROOT}{path}");
        let overlay = Arc::new(Overlay::new(Arc::new(world)));
        overlay.set(Path::new(&path), &text);
        let checker = Checker::new(Arc::clone(&overlay));
        let offset = u32::try_from(offset).expect("short");
        Self { overlay, checker, path: path.into(), offset, text }
    }

    fn check(&mut self) -> Checked {
        let path = self.path.clone();
        self.checker.check(&path, &Cancel::default()).expect("nobody cancels it")
    }

    fn analysis(&mut self) -> Analysis {
        let knowledge = self.check().knowledge;
        Analysis::new(Arc::clone(&self.overlay), knowledge)
    }

    /// Replaces the text of the open file.
    fn edit(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        let path = self.path.clone();
        self.overlay.set(&path, text);
        self.checker.change(&path);
    }

    /// The findings of all files: `PATH:LINE code message`.
    fn findings(&mut self) -> String {
        let checked = self.check();
        let mut lines = Vec::new();
        for (path, findings) in &checked.findings {
            let text = self.overlay.text(path).expect("it was read");
            for finding in findings {
                let before = &text[..finding.range.start as usize];
                let line = before.split(|it| *it == b'\n').count();
                let message = finding.message.lines().next().unwrap_or_default();
                lines.push(format!("{}:{line} {} {message}", shown(path), finding.code));
            }
        }
        lines.join("\n")
    }
}
