//! The documents of one side: from a rendering, from files on disk, or from the output of a
//! program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::world::{EntryKind, Occupant, World};
use plumb::{Content, Failure, Sources, print};
use plumb_source::{Origin, SourceKind, Span, Text};
use plumb_value::{Document, Node};
use plumb_yaml::ReadOptions;

use super::Placed;
use crate::{Output, Shown};

/// The documents of one side, and their sources.
#[derive(Debug, Default)]
pub struct Side {
    pub documents: Vec<Placed>,
    pub sources: Arc<Sources>,
}

impl Side {
    /// The output of a target.
    pub fn rendered(shown: &Shown, sources: Arc<Sources>) -> Self {
        let mut side = Self { documents: Vec::new(), sources };
        match shown {
            Shown::Documents(rendered) => {
                for file in &rendered.files {
                    match &file.content {
                        Content::Yaml(documents) => side.add(&file.path, documents.clone()),
                        Content::Text(it) => side.add_text(&file.path, it.text.clone(), None),
                    }
                }
            }
            Shown::Files(files) => {
                for (path, bytes) in files {
                    side.add_file(&path.to_string_lossy(), path, &bytes.as_slice().into());
                }
            }
            Shown::Text(_) => {}
        }
        side
    }

    /// The files on disk that correspond to the output of a target: everything in the directory if
    /// a build would empty it, and otherwise the files that the build would replace.
    pub fn on_disk(world: &dyn World, output: &Output, shown: &Shown) -> Self {
        let mut side = Self::default();
        let mut paths: Vec<PathBuf> = match shown {
            Shown::Documents(rendered) => {
                print::files(&rendered.files).into_iter().map(|it| it.0).collect()
            }
            Shown::Files(files) => files.iter().map(|it| it.0.clone()).collect(),
            Shown::Text(_) => Vec::new(),
        };
        if output.occupant == Occupant::Removed {
            add_files(world, &output.directory, Path::new(""), &mut paths);
            paths.sort();
            paths.dedup();
        }
        for path in paths {
            let place = output.directory.join(&path);
            if let Ok(bytes) = world.read(&place) {
                side.add_file(&path.to_string_lossy(), &place, &bytes);
            }
        }
        side
    }

    /// The documents that a program printed. Fails if they are not YAML.
    pub fn printed(program: &str, bytes: &Arc<[u8]>) -> Result<Self, Failure> {
        let mut side = Self::default();
        let file = side.sources.add_elsewhere("", program, SourceKind::File, Arc::clone(bytes));
        let documents = plumb_yaml::parse(file, bytes, &reading())?;
        side.add("", documents);
        Ok(side)
    }

    /// Adds the documents of a file, or its text if it is not YAML.
    fn add_file(&mut self, name: &str, path: &Path, bytes: &Arc<[u8]>) {
        let file = self.sources.add_file(name, path, SourceKind::File, Arc::clone(bytes));
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let is_yaml = ["yml", "yaml", "json"].contains(&extension);
        match plumb_yaml::parse(file, bytes, &reading()) {
            Ok(documents) if is_yaml => self.add(name, documents),
            _ => {
                let place = Span::new(file, 0, 0);
                self.add_text(name, Text::from_bytes(bytes), Some(place));
            }
        }
    }

    fn add(&mut self, file: &str, documents: Vec<Document>) {
        let printed = documents.into_iter().filter(|it| !it.node.is_empty_document());
        let placed = printed.map(|document| Placed { file: file.to_owned(), document });
        self.documents.extend(placed);
    }

    fn add_text(&mut self, file: &str, text: Text, place: Option<Span>) {
        let origin = place.map_or(Origin::Unknown, Origin::Written);
        let document = Document::new(Node::String(text), origin);
        self.documents.push(Placed { file: file.to_owned(), document });
    }
}

fn reading() -> ReadOptions {
    ReadOptions { comments: false, ..ReadOptions::default() }
}

/// Adds the paths of all files in a directory, below `root`.
fn add_files(world: &dyn World, root: &Path, below: &Path, paths: &mut Vec<PathBuf>) {
    for entry in world.list(&root.join(below)).unwrap_or_default() {
        let path = below.join(&entry.name);
        match entry.kind {
            EntryKind::Directory => add_files(world, root, &path, paths),
            EntryKind::File => paths.push(path),
            EntryKind::Symlink | EntryKind::Pipe | EntryKind::Other => {}
        }
    }
}
