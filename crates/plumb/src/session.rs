//! The state that several runs share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use plumb_library::Parses;
use plumb_source::{FileId, Sources};
use plumb_template::Registry;
use plumb_value::Document;

use crate::coverage::{self, FileCoverage};

/// Files that several runs share. A file with the same path and content is parsed and compiled
/// once, by the run that reads it first.
///
/// A session keeps all texts that its runs have read, and everything that was compiled from them.
/// If files change while a program runs, create a new session from time to time.
///
/// The runs have the same [`Sources`], so spans of one run are valid in the others. They may run at
/// the same time.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::world::MemoryWorld;
/// use plumb::{Options, Session, World, render};
///
/// let world: Arc<dyn World> =
///     Arc::new(MemoryWorld::new().file("config/a.yml", "a: #@ 1 + 1\n"));
/// let session = Session::default();
/// let run = || render(&world, &Options::new().path("config").session(session.clone()));
/// assert!(Arc::ptr_eq(&run().sources, &run().sources));
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    sources: Arc<Sources>,
    parses: Arc<Parses>,
    registry: Arc<Registry>,
    schemas: Arc<Mutex<HashMap<FileId, Vec<Document>>>>,
}

impl Default for Session {
    fn default() -> Self {
        let sources = Arc::new(Sources::shared());
        let (parses, registry, schemas) = Default::default();
        Self { sources, parses, registry, schemas }
    }
}

impl Session {
    /// A session whose runs count which parts of templates are evaluated: see
    /// [`Session::coverage`].
    pub fn counting() -> Self {
        Self { registry: Arc::new(Registry::counting()), ..Self::default() }
    }

    /// The coverage of the runs so far, by file. Empty unless the session counts.
    pub fn coverage(&self) -> Vec<FileCoverage> {
        let coverage = self.registry.coverage();
        coverage.map(|it| coverage::files(it, &self.sources)).unwrap_or_default()
    }

    /// The texts that all runs have read.
    pub fn sources(&self) -> Arc<Sources> {
        Arc::clone(&self.sources)
    }

    pub(crate) fn parses(&self) -> Arc<Parses> {
        Arc::clone(&self.parses)
    }

    /// The instructions of all compiled templates.
    pub(crate) fn registry(&self) -> Arc<Registry> {
        Arc::clone(&self.registry)
    }

    /// The documents of a schema file. Calls `parse` if no run has read the file yet.
    pub(crate) fn schema_file<E>(
        &self,
        file: FileId,
        parse: impl FnOnce() -> Result<Vec<Document>, E>,
    ) -> Result<Vec<Document>, E> {
        let known = self.schemas.lock().unwrap_or_else(PoisonError::into_inner).get(&file).cloned();
        if let Some(documents) = known {
            return Ok(documents);
        }
        let documents = parse()?;
        let mut schemas = self.schemas.lock().unwrap_or_else(PoisonError::into_inner);
        schemas.insert(file, documents.clone());
        Ok(documents)
    }
}
