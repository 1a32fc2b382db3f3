//! The renderings of tests. Tests with the same target and data values share one rendering.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use plumb::print::{self, Format};
use plumb::world::Cores;
use plumb::{DataValueFlag, DataValueKind, Options, SetValue, Sources, World};
use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_project::{
    Dependency, Project, Render, Renderer, Rendering, Target, Work, findings, style,
};
use plumb_source::message::plain;
use plumb_source::{Origin, SourceKind, Span, message};
use plumb_value::{Document, Node};

use crate::suite::{Setup, SuiteTarget};

/// A suite cannot be run, because it does not determine what to render.
///
/// A suite names a `target` of `plumb.yml` that renders templates, or contains flags, such as
/// `file`. Without either, the project must have exactly one target.
const NO_TARGET: Code = Code::new("test/no-target");

const NO_PROJECT_HELP: &str = "write a plumb.yml, or give the suite flags: `file: ../config`";

/// The renderings of a run.
pub(crate) struct Renders {
    renderer: Renderer,
    project: Option<Arc<Project>>,
    sources: Arc<Sources>,
    cores: Cores,
    done: Mutex<HashMap<Key, Slot>>,
    /// The mistakes of targets whose output is read, by the target that reads it.
    ahead: Mutex<HashMap<usize, Arc<OnceLock<Vec<Diagnostic>>>>>,
    dependencies: Mutex<BTreeSet<Dependency>>,
}

type Slot = Arc<OnceLock<Shared>>;

/// A rendering that tests share.
#[derive(Clone)]
struct Shared {
    rendering: Arc<Rendering>,
    /// The places of the data values that it was made with.
    places: Places,
}

/// The inputs of a rendering.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// The address of the target.
    target: usize,
    /// Files of data values.
    values: Vec<String>,
    /// Data values, as `KEY=JSON`.
    set: Vec<String>,
    /// The places of the data values, if findings point to them.
    places: Places,
}

/// The places of data values.
type Places = Vec<Option<Span>>;

/// A target that can be rendered.
#[derive(Clone, Copy)]
pub(crate) struct Renderable<'a> {
    target: &'a Target,
    render: &'a Render,
    /// Its number in the project.
    number: Option<usize>,
}

impl Renders {
    pub(crate) fn new(
        renderer: Renderer,
        project: Option<Arc<Project>>,
        sources: Arc<Sources>,
        cores: Cores,
    ) -> Self {
        let (done, ahead, dependencies) = Default::default();
        Self { renderer, project, sources, cores, done, ahead, dependencies }
    }

    /// The target of a suite. Fails if there is none, or if it does not render templates.
    pub(crate) fn subject<'a>(
        &'a self,
        subject: &'a SuiteTarget,
    ) -> Result<Renderable<'a>, Failure> {
        match subject {
            SuiteTarget::Inline(target) => match &target.work {
                Work::Render(render) => Ok(Renderable { target, render, number: None }),
                Work::Generate(_) | Work::Machines(_) => {
                    Err(Diagnostic::error(NO_TARGET, "a suite can only render templates").into())
                }
            },
            SuiteTarget::Named(name) => {
                self.named(&name.text).map_err(|failure| placed(failure, name.place))
            }
            SuiteTarget::Only(place) => self.only().map_err(|failure| placed(failure, *place)),
        }
    }

    /// The target with this name.
    pub(crate) fn named(&self, name: &str) -> Result<Renderable<'_>, Failure> {
        let Some(project) = &self.project else {
            let message =
                message!("there is no plumb.yml, so there is no target `{}`", plain(name));
            let finding = Diagnostic::error(NO_TARGET, message);
            return Err(finding.help(NO_PROJECT_HELP).into());
        };
        let number = project.target(name)?;
        let target = &project.targets[number];
        match &target.work {
            Work::Render(render) => Ok(Renderable { target, render, number: Some(number) }),
            Work::Generate(_) | Work::Machines(_) => {
                let message = message!("the target `{}` does not render templates", plain(name));
                Err(Diagnostic::error(NO_TARGET, message).into())
            }
        }
    }

    /// The only target of the project.
    pub(crate) fn only(&self) -> Result<Renderable<'_>, Failure> {
        let targets = self.project.as_ref().map(|it| it.targets.as_slice()).unwrap_or_default();
        let names: Vec<&str> = targets.iter().map(|it| it.name.as_str()).collect();
        match names.as_slice() {
            [] => {
                let finding = Diagnostic::error(
                    NO_TARGET,
                    "the suite does not name a target or files to render",
                );
                Err(finding.help(NO_PROJECT_HELP).into())
            }
            [only] => self.named(only),
            names => {
                let message = "the suite does not name one of the targets";
                let help = message!("add `target`: {}", plain(names.join(", ")));
                Err(Diagnostic::error(NO_TARGET, message).help(help).into())
            }
        }
    }

    /// Renders a target with data values, or returns the result of an earlier rendering. `Err`
    /// contains the mistakes of the targets whose output it reads.
    pub(crate) fn get(
        &self,
        subject: Renderable<'_>,
        setup: &Setup,
    ) -> Result<Arc<Rendering>, Vec<Diagnostic>> {
        self.prepare(subject)?;
        let shared = self.shared(subject, setup, Places::new());
        let places: Places = setup.set.iter().map(|it| it.origin.span()).collect();
        if shared.rendering.outcome.result.is_ok() || shared.places == places {
            return Ok(shared.rendering);
        }
        // Findings must point to the data values of this test, not to equal data values of another
        // test.
        Ok(self.shared(subject, setup, places).rendering)
    }

    fn shared(&self, subject: Renderable<'_>, setup: &Setup, places: Places) -> Shared {
        let text = |it: &SetValue| format!("{}={}", it.key, json(&it.value, &self.sources));
        let key = Key {
            target: std::ptr::from_ref(subject.target).addr(),
            values: setup.values.clone(),
            set: setup.set.iter().map(text).collect(),
            places,
        };
        let slot = {
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(done.entry(key).or_default())
        };
        let shared = slot.get_or_init(|| {
            let change = |options: Options| self.with_values(options, setup);
            let rendering = self.renderer.render(subject.render, &subject.target.env, change);
            let mut all = self.dependencies.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend(rendering.dependencies.iter().cloned());
            let places = setup.set.iter().map(|it| it.origin.span()).collect();
            Shared { rendering: Arc::new(rendering), places }
        });
        shared.clone()
    }

    /// Adds data values after those of the target.
    fn with_values(&self, mut options: Options, setup: &Setup) -> Options {
        let file =
            |it: &String| DataValueFlag { kind: DataValueKind::ValuesFile, argument: it.clone() };
        options.data_values.extend(setup.values.iter().map(file));
        for set in &setup.set {
            let mut set = set.clone();
            if set.origin == Origin::Unknown {
                set.origin = self.described(&set);
            }
            options.set.push(set);
        }
        options
    }

    /// Creates a place for findings about a data value that is not written in a file.
    fn described(&self, set: &SetValue) -> Origin {
        let text = format!("{}={}", set.key, json(&set.value, &self.sources));
        let title = format!("set {}", set.key);
        let end = u32::try_from(text.len()).expect("a source is at most 4 GiB");
        let bytes = text.into_bytes().into();
        let file = self.sources.add_elsewhere("", &title, SourceKind::Flag, bytes);
        Origin::Written(Span::new(file, 0, end))
    }

    /// The world of all renderings.
    pub(crate) fn world(&self) -> Arc<dyn World> {
        self.renderer.world()
    }

    /// Every path that was read, listed or looked for.
    pub(crate) fn dependencies(&self) -> Vec<Dependency> {
        let mut all = self.dependencies.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *all).into_iter().collect()
    }

    /// Runs the targets whose output is read.
    fn prepare(&self, subject: Renderable<'_>) -> Result<(), Vec<Diagnostic>> {
        let (Some(project), Some(number)) = (&self.project, subject.number) else { return Ok(()) };
        let slot = {
            let mut ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(ahead.entry(number).or_default())
        };
        let mistakes = slot.get_or_init(|| {
            let finished = self.renderer.prepare(project, &[number], self.cores);
            if finished.iter().all(|it| it.ending.is_done()) {
                return Vec::new();
            }
            findings(project, &finished, &self.sources)
        });
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes.clone()) }
    }
}

/// The findings at a place.
fn placed(failure: Failure, place: Option<Span>) -> Failure {
    let findings = failure.into_findings().into_iter().map(|it| it.at(place, ""));
    Failure::from(findings.collect::<Vec<_>>())
}

/// A value in one line.
fn json(node: &Node, sources: &Sources) -> String {
    let document = Document::new(node.clone(), Origin::Unknown);
    let printed = print::stream([&document], style(Format::Json), sources);
    let bytes = printed.map(|it| it.bytes).unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end().to_owned()
}
