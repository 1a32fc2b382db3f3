//! Runs without code: documents are printed as soon as they are read.
//!
//! If no file of a run has code, no template, overlay or rule can look at a document. Only the text of
//! the documents is kept then, which is usually much smaller than their trees. It is output when the
//! run is known to be valid.

use std::ops::ControlFlow;

use plumb_source::{Cores, FileId};
use plumb_value::Document;
use plumb_yaml::ReadOptions;
use plumb_yaml::print::{self, Flavour};

use crate::file::{FileType, InputFile};
use crate::last_keys;
use crate::printed::Printed;
use crate::run::{Parsed, Run};
use crate::tree::DirectoryId;

/// The least input that is printed ahead: documents of a few pieces are in memory in any case.
const MIN_BYTES: usize = 512 << 10;
/// How many times larger than the input a text may be. Aliases and deep nesting make it larger.
const MAX_GROWTH: usize = 2;
/// How much longer than that the text of a small file may be.
const SLACK: usize = 1 << 10;

impl Run {
    /// Reads and prints the files of a run, if there is much to read and no code: the documents will not
    /// all be in memory. Otherwise, or if there is a mistake in a file, files are read later, when they
    /// are needed.
    ///
    /// Must be called before any other stage, by a run that does not share files with others and keeps
    /// no comments.
    pub fn print_ahead(&self, flavour: Flavour, is_strict: bool) {
        let files = self.tree.visited(DirectoryId::ROOT);
        if let Some(printed) = self.all_printed(&files, flavour, is_strict) {
            for (at, printed) in printed {
                self.set_parsed(at, is_strict, Parsed::printed(printed));
            }
        }
    }

    /// Returns the text of each YAML file, or `None` if one of the files may have code or a mistake.
    fn all_printed(
        &self,
        files: &[usize],
        flavour: Flavour,
        is_strict: bool,
    ) -> Option<Vec<(usize, Printed)>> {
        let is_yaml = |at: &usize| self.file(*at).file_type() == FileType::Yaml;
        if !files.iter().all(|&at| is_only_printed(self.file(at))) {
            return None;
        }
        // Files are read in the same order as otherwise: templates first.
        let yaml = files.iter().copied().filter(is_yaml);
        let (templates, plain): (Vec<usize>, Vec<usize>) =
            yaml.partition(|&at| self.file(at).is_template());
        let mut sources = Vec::new();
        let mut n_bytes = 0;
        for at in templates.into_iter().chain(plain) {
            let file = self.source(at).ok()?;
            let source = self.sources.get(file);
            // Braces may be worth a warning, which needs the documents.
            let has_code = self.file(at).is_template() && source.contains(b"#@");
            if has_code || source.contains(b"{{") {
                return None;
            }
            n_bytes += source.bytes().len();
            sources.push((at, file));
        }
        if n_bytes < MIN_BYTES {
            return None;
        }
        let cores = self.world.cores();
        let (outer, inner) =
            if sources.len() > 1 { (cores, Cores::ONE) } else { (Cores::ONE, cores) };
        let print = |&(at, file): &(usize, FileId)| {
            Some((at, self.print_source(file, flavour, is_strict, inner)?))
        };
        outer.map(&sources, print).into_iter().collect()
    }

    fn print_source(
        &self,
        file: FileId,
        flavour: Flavour,
        is_strict: bool,
        cores: Cores,
    ) -> Option<Printed> {
        let source = self.sources.get(file);
        let options = ReadOptions {
            strict: is_strict,
            comments: false,
            limits: self.reading(),
            ..ReadOptions::default()
        };
        let print = |documents, size| self.print_documents(documents, size, flavour);
        let pieces = plumb_yaml::take_in_pieces(cores, file, source.bytes(), &options, print)?;
        let bound = pieces.iter().map(|it| it.1).sum();
        let pieces = pieces.into_iter().map(|it| it.0).filter(|it| !it.is_empty()).collect();
        Some(Printed { pieces, bound })
    }

    /// Returns the text of documents, and an upper bound of its length. Returns `None` if it is not worth
    /// keeping.
    fn print_documents(
        &self,
        mut documents: Vec<Document>,
        size: usize,
        flavour: Flavour,
    ) -> Option<(Vec<u8>, u64)> {
        last_keys::keep(&mut documents, &self.sources);
        documents.retain(|it| !it.node.is_empty_document());
        let nodes = documents.iter().map(|it| &it.node);
        let bound = print::bound(nodes, 2, self.runtime.budget().memory_left())?;
        let sources = match flavour {
            Flavour::Plumb => None,
            Flavour::Ytt => Some(&*self.sources),
        };
        let mut text = Vec::with_capacity(size);
        let printed = print::documents_in_pieces(&documents, sources, &mut |piece| {
            if text.len() + piece.len() > MAX_GROWTH * size + SLACK {
                return ControlFlow::Break(());
            }
            text.extend_from_slice(piece);
            ControlFlow::Continue(())
        });
        if printed.is_break() {
            return None;
        }
        Some((text, bound))
    }
}

/// Returns whether a file without code has no effect except that its documents are printed.
fn is_only_printed(input: &InputFile) -> bool {
    match input.file_type() {
        FileType::Yaml => input.is_for_output() && !input.is_library() && !input.is_data_values(),
        FileType::Data => !input.is_for_output(),
        FileType::Text | FileType::Starlark => false,
    }
}
