//! Counters in the text format of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use plumb_kubevirt::admission::Decision;

use crate::cluster::Reading;

#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub admitted: Counter,
    pub denied: Counter,
    pub invalid: Counter,
    /// Requests that are not reviews.
    pub malformed: Counter,
    /// Virtual machines that name an unknown template.
    pub unknown_templates: Counter,
    pub panics: Counter,
    pub timeouts: Counter,
    /// Reviews that were rejected because there were too many.
    pub overloads: Counter,
    /// Connections that were closed to make room for others, and connections that were rejected.
    pub closed_connections: Counter,
    pub refused_connections: Counter,
    pub reloads: Counter,
    pub failed_reloads: Counter,
    pub connections: Counter,
    pub failed_handshakes: Counter,
    /// Files that could not be read, and findings about templates, in the last reading.
    unreadable_files: Counter,
    template_findings: Counter,
}

#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn increase(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn set(&self, value: usize) {
        self.0.store(value as u64, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Metrics {
    pub(crate) fn decided(&self, decision: Decision) {
        match decision {
            Decision::Admitted => self.admitted.increase(),
            Decision::Denied => self.denied.increase(),
            Decision::Invalid => self.invalid.increase(),
        }
    }

    /// Stores the problems of the files that were read.
    pub(crate) fn read(&self, reading: &Reading) {
        self.unreadable_files.set(reading.unreadable.len());
        self.template_findings.set(reading.findings.len());
    }

    /// The text of all counters and the number of templates.
    pub(crate) fn text(&self, n_templates: usize) -> String {
        let mut text = String::new();
        let decisions =
            [("admitted", &self.admitted), ("denied", &self.denied), ("invalid", &self.invalid)];
        head(&mut text, "plumb_webhook_reviews_total", "counter", "Reviews by decision.");
        for (decision, counter) in decisions {
            let count = counter.get();
            let _ =
                writeln!(text, "plumb_webhook_reviews_total{{decision=\"{decision}\"}} {count}");
        }
        let counters = [
            ("malformed_requests_total", "Requests that are not reviews.", &self.malformed),
            (
                "unknown_templates_total",
                "Machines that name a template that is not known.",
                &self.unknown_templates,
            ),
            ("panics_total", "Requests that met a bug.", &self.panics),
            ("timeouts_total", "Requests that took too long.", &self.timeouts),
            ("overloads_total", "Reviews refused since there were too many.", &self.overloads),
            (
                "closed_connections_total",
                "Idle connections closed to make room for others.",
                &self.closed_connections,
            ),
            (
                "refused_connections_total",
                "Connections refused since all others were busy.",
                &self.refused_connections,
            ),
            ("reloads_total", "Changes of files that were read.", &self.reloads),
            ("failed_reloads_total", "Changes that could not be read.", &self.failed_reloads),
            ("connections_total", "Connections.", &self.connections),
            ("failed_handshakes_total", "Connections without TLS.", &self.failed_handshakes),
        ];
        for (name, help, counter) in counters {
            let name = format!("plumb_webhook_{name}");
            head(&mut text, &name, "counter", help);
            let _ = writeln!(text, "{name} {}", counter.get());
        }
        let gauges = [
            ("templates", "Templates that virtual machines may name.", n_templates as u64),
            (
                "unreadable_files",
                "Files, and kinds of the API server, that could not be read at last.",
                self.unreadable_files.get(),
            ),
            (
                "template_findings",
                "Faulty rules, and templates given twice, when they were last read.",
                self.template_findings.get(),
            ),
        ];
        for (name, help, value) in gauges {
            let name = format!("plumb_webhook_{name}");
            head(&mut text, &name, "gauge", help);
            let _ = writeln!(text, "{name} {value}");
        }
        // The name that dashboards and alerts for KubeVirt's own validator use.
        let rejected = "kubevirt_ssp_template_validator_rejected_total";
        head(&mut text, rejected, "counter", "Machines that were refused by rules.");
        let _ = writeln!(text, "{rejected} {}", self.denied.get());
        text
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}
