//! The state that the server uses: read from files, and read again when they change.

use std::collections::HashSet;
use std::fmt::Display;
use std::sync::Arc;

use plumb_kubevirt::admission::Cluster;
use tokio::sync::watch as signal;
use tokio_rustls::rustls::ServerConfig;

use crate::api::Mirror;
use crate::cluster::{self, Places, Reading, TemplatePlace};
use crate::error::ClusterError;
use crate::journal::Journal;
use crate::metrics::Metrics;
use crate::routes::Review;
use crate::watch::{self, Current, Look};
use crate::{Options, StartError, TemplateSource, TlsFiles, tls};

/// The greatest number of findings that are logged at a time.
const MAX_COMPLAINTS: usize = 20;

pub(crate) struct State {
    pub options: Options,
    places: Places,
    pub cluster: Arc<Current<Cluster>>,
    /// The problems in the files that are being used.
    served: Arc<Current<Vec<String>>>,
    /// The problems in the files when they were last read.
    pub problems: Arc<Current<Vec<String>>>,
    pub tls: Option<Current<Arc<ServerConfig>>>,
    pub metrics: Arc<Metrics>,
    pub journal: Arc<Journal>,
    pub review: Review,
    /// The state of the files when they were first read.
    first_look: [Look; 2],
}

impl State {
    pub(crate) fn read(options: Options, review: Review) -> Result<Self, StartError> {
        let templates = match &options.templates {
            TemplateSource::Directory(path) => TemplatePlace::Directory(path.clone()),
            TemplateSource::Api(server) => {
                let mirror = Mirror::start(server).map_err(ClusterError::Api);
                TemplatePlace::Api(mirror.map_err(StartError::Cluster)?)
            }
        };
        let places = Places { templates, machines: options.machines.clone() };
        let first_look = [places.look(), look_at(options.tls.as_ref())];
        let reading = cluster::read(&places).map_err(StartError::Cluster)?;
        let tls = options.tls.as_ref().map(tls::read).transpose();
        let tls = tls.map_err(StartError::Certificate)?.map(Current::new);
        let journal = Arc::new(Journal::new(Arc::clone(&options.log)));
        if reading.cluster.templates.is_empty() {
            journal.say(&format!("there are no templates in {}", options.templates));
        }
        // There is no earlier state to use. A virtual machine that names a template with malformed
        // rules is rejected, because their author wants them applied.
        let problems = reading.problems();
        problems.iter().take(MAX_COMPLAINTS).for_each(|it| journal.say(it));
        let metrics = Arc::new(Metrics::default());
        metrics.read(&reading);
        let cluster = Arc::new(Current::new(reading.cluster));
        let [served, problems] = [problems.clone(), problems].map(Current::new).map(Arc::new);
        Ok(Self {
            options,
            places,
            cluster,
            served,
            problems,
            tls,
            metrics,
            journal,
            review,
            first_look,
        })
    }

    /// Reads the cluster again if its files changed, unless they change again while they are read.
    fn refresh_cluster(&self, last: &mut Look) {
        let now = self.places.look();
        if now == *last {
            return;
        }
        let read = cluster::read(&self.places);
        if self.places.look() != now {
            return;
        }
        *last = now;
        let read = read.and_then(|reading| {
            let problems = reading.problems();
            self.metrics.read(&reading);
            self.problems.set(problems.clone());
            let reading = self.without_new_faults(reading)?;
            if reading.cluster.templates.is_empty() {
                self.journal.say(&format!("there are no templates in {}", self.options.templates));
            }
            self.served.set(problems);
            self.cluster.set(reading.cluster);
            Ok(())
        });
        self.reloaded("templates", read);
    }

    /// Rejects files that cannot be read and templates with malformed rules, unless the state in
    /// use has the same problems. So working rules stay in use, and a file that was malformed from
    /// the start does not prevent changes to others.
    ///
    /// Objects of the API server are always used: one malformed template must not delay the others.
    fn without_new_faults(&self, reading: Reading) -> Result<Reading, ClusterError> {
        let known: HashSet<String> = self.served.get().iter().cloned().collect();
        let mut new = reading.problems();
        new.retain(|it| !known.contains(it));
        match &self.places.templates {
            TemplatePlace::Directory(_) if !new.is_empty() => Err(ClusterError::NewFaults(new)),
            TemplatePlace::Directory(_) => Ok(reading),
            TemplatePlace::Api(_) => {
                new.iter().take(MAX_COMPLAINTS).for_each(|it| self.journal.say(it));
                Ok(reading)
            }
        }
    }

    fn refresh_tls(&self, last: &mut Look) {
        let (Some(files), Some(tls)) = (&self.options.tls, &self.tls) else { return };
        let now = look_at(Some(files));
        if now == *last {
            return;
        }
        let read = tls::read(files);
        if look_at(Some(files)) != now {
            return;
        }
        *last = now;
        self.reloaded("the certificate", read.map(|config| tls.set(config)));
    }

    fn reloaded<E: Display>(&self, what: &str, result: Result<(), E>) {
        match result {
            Ok(()) => {
                self.metrics.reloads.increase();
                self.journal.say(&format!("read {what} again"));
            }
            Err(error) => {
                self.metrics.failed_reloads.increase();
                self.journal.say(&format!("kept {what} as before: {error}"));
            }
        }
    }
}

fn look_at(files: Option<&TlsFiles>) -> Look {
    files.map_or(Look::default(), |files| watch::look(&[&files.certificate, &files.key]))
}

/// Checks files for changes regularly, until the server stops.
pub(crate) async fn refresh(state: Arc<State>, mut stopped: signal::Receiver<bool>) {
    let [mut cluster, mut tls] = state.first_look.clone();
    let every = state.options.limits.refresh;
    while tokio::time::timeout(every, stopped.changed()).await.is_err() {
        let here = Arc::clone(&state);
        let looked = tokio::task::spawn_blocking(move || {
            here.refresh_cluster(&mut cluster);
            here.refresh_tls(&mut tls);
            (cluster, tls)
        });
        (cluster, tls) = looked.await.unwrap_or_else(|_| {
            // There was a bug while reading. The current state is kept, and the next check reads
            // the files again.
            state.metrics.panics.increase();
            (Look::default(), Look::default())
        });
    }
}
