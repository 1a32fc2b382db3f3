//! A library that all inputs of a target use. It is parsed and compiled once for many inputs, so
//! that most of the time is spent on the inputs themselves.

use plumb::{GivenFile, Options, Session, World};
use plumb_source::MemoryWorld;
use std::sync::Arc;

use crate::options;

/// The number of inputs that share a session, which keeps the text of each of them.
const INPUTS: usize = 1000;

/// A compiled library, and the number of inputs that used it.
pub struct Prepared {
    library: GivenFile,
    session: Session,
    n_inputs: usize,
}

/// Returns options to evaluate a template that loads a library, whose name and text `library`
/// returns.
pub fn with(
    prepared: &mut Option<Prepared>,
    library: impl FnOnce() -> (&'static str, String),
    template: String,
) -> Options {
    if prepared.as_ref().is_none_or(|it| it.n_inputs == INPUTS) {
        *prepared = Some(Prepared::new(library()));
    }
    let prepared = prepared.as_mut().expect("it was set above");
    prepared.n_inputs += 1;
    prepared.options(template)
}

impl Prepared {
    fn new((path, text): (&str, String)) -> Self {
        let library = GivenFile { path: path.to_owned(), bytes: text.into_bytes().into() };
        let prepared = Self { library, session: Session::default(), n_inputs: 0 };
        let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
        let load = format!("#@ load(\"{path}\", \"run\")\n");
        let outcome = plumb::render(&world, &prepared.options(load));
        assert!(outcome.result.is_ok(), "the library can be loaded: {:?}", outcome.result.err());
        prepared
    }

    fn options(&self, template: String) -> Options {
        let template =
            GivenFile { path: "config.yml".to_owned(), bytes: template.into_bytes().into() };
        options(vec![self.library.clone(), template]).session(self.session.clone())
    }
}
