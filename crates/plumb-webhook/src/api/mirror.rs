//! A copy of the templates of the API server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::client::Client;
use super::page::{Event, Page};
use super::{ApiServer, TemplateKind};
use crate::error::ApiError;

/// The pauses between two requests, after an error, and before a request for a kind that the server
/// does not have.
const BETWEEN: Duration = Duration::from_millis(200);
const AFTER_ERROR: Duration = Duration::from_secs(5);
const WHILE_MISSING: Duration = Duration::from_mins(1);

/// Objects by kind and name, kept up to date by threads that end when this is dropped.
#[derive(Debug)]
pub(crate) struct Mirror {
    kinds: Mutex<Vec<Mirrored>>,
}

#[derive(Debug)]
struct Mirrored {
    kind: TemplateKind,
    /// The objects by `namespace/name`.
    objects: BTreeMap<String, Arc<[u8]>>,
    /// Why the objects may be out of date.
    error: Option<String>,
    /// The number of changes so far.
    n_changes: u64,
}

impl Mirror {
    /// Lists all templates, and starts to watch them.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or denies the request.
    pub(crate) fn start(server: &ApiServer) -> Result<Arc<Self>, ApiError> {
        let mirror = Arc::new(Self { kinds: Mutex::default() });
        let client = Client::new(server)?;
        let mut listed = Vec::new();
        for kind in TemplateKind::ALL {
            let page = client.list(kind)?;
            let new = Mirrored { kind, objects: BTreeMap::new(), error: None, n_changes: 0 };
            mirror.lock().push(new);
            listed.push((kind, mirror.take(kind, page)));
        }
        for (kind, version) in listed {
            let mirror = Arc::downgrade(&mirror);
            let server = server.clone();
            std::thread::Builder::new()
                .name("plumb-templates".to_owned())
                .spawn(move || follow(&mirror, &server, kind, version))
                .map_err(ApiError::Thread)?;
        }
        Ok(mirror)
    }

    /// A number that increases with each change.
    pub(crate) fn n_changes(&self) -> u64 {
        self.lock().iter().map(|it| it.n_changes).sum()
    }

    /// The kind, name and text of each object, in order.
    pub(crate) fn objects(&self) -> Vec<(TemplateKind, String, Arc<[u8]>)> {
        let kinds = self.lock();
        let objects = kinds.iter().flat_map(|kind| {
            kind.objects.iter().map(|(name, text)| (kind.kind, name.clone(), Arc::clone(text)))
        });
        objects.collect()
    }

    /// Why kinds may be out of date.
    pub(crate) fn errors(&self) -> Vec<(TemplateKind, String)> {
        let kinds = self.lock();
        kinds.iter().filter_map(|it| Some((it.kind, it.error.clone()?))).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Mirrored>> {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, kind: TemplateKind, change: impl FnOnce(&mut Mirrored)) {
        if let Some(mirrored) = self.lock().iter_mut().find(|it| it.kind == kind) {
            change(mirrored);
            mirrored.n_changes += 1;
        }
    }

    /// Replaces all objects of a kind. Returns the version to watch from, or `None` if the server
    /// does not have the kind.
    fn take(&self, kind: TemplateKind, page: Option<Page>) -> Option<String> {
        let (items, version) = page.map(|it| (it.items, it.version)).unzip();
        self.change(kind, |mirrored| {
            let items = items.unwrap_or_default().into_iter();
            mirrored.objects = items.map(|it| (it.name, it.text)).collect();
            mirrored.error = None;
        });
        version
    }

    /// Applies a change. Returns the version after it.
    fn apply(&self, kind: TemplateKind, event: Event) -> Option<String> {
        match event {
            Event::Set { item, version } => {
                self.change(kind, |it| drop(it.objects.insert(item.name, item.text)));
                Some(version)
            }
            Event::Removed { name, version } => {
                self.change(kind, |it| drop(it.objects.remove(&name)));
                Some(version)
            }
            Event::Bookmark { version } => Some(version),
            Event::Other => None,
        }
    }
}

/// Keeps a kind up to date until the mirror is dropped. `version` is the version to watch from;
/// `None` means that the server does not have the kind.
fn follow(
    mirror: &Weak<Mirror>,
    server: &ApiServer,
    kind: TemplateKind,
    mut version: Option<String>,
) {
    loop {
        let watched = match &mut version {
            Some(version) => watch(mirror, server, kind, version),
            None => {
                std::thread::sleep(WHILE_MISSING);
                Err(ApiError::Expired)
            }
        };
        std::thread::sleep(BETWEEN);
        let Some(mirror) = mirror.upgrade() else { return };
        let listed = match watched {
            Ok(()) => continue,
            Err(ApiError::Expired) => Client::new(server).and_then(|it| it.list(kind)),
            Err(error) => Err(error),
        };
        match listed {
            Ok(page) => version = mirror.take(kind, page),
            Err(error) => {
                mirror.change(kind, |it| it.error = Some(error.to_string()));
                drop(mirror);
                std::thread::sleep(AFTER_ERROR);
            }
        }
    }
}

/// Applies the changes that the server sends, until it ends the answer.
fn watch(
    mirror: &Weak<Mirror>,
    server: &ApiServer,
    kind: TemplateKind,
    version: &mut String,
) -> Result<(), ApiError> {
    let mut events = Client::new(server)?.watch(kind, version)?;
    let Some(current) = mirror.upgrade() else { return Ok(()) };
    if current.errors().iter().any(|(it, _)| *it == kind) {
        current.change(kind, |it| it.error = None);
    }
    drop(current);
    while let Some(event) = events.next()? {
        let Some(mirror) = mirror.upgrade() else { return Ok(()) };
        if let Some(now) = mirror.apply(kind, event) {
            *version = now;
        }
    }
    Ok(())
}
