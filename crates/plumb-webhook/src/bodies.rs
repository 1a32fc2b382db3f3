//! The request bodies in memory, and which of them is dropped if they are too large together.
//!
//! There is always room for a small body, because the number of connections is limited. Of the
//! larger ones, the oldest incomplete body is dropped to make room for others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The first bytes of every body, which are not counted.
pub(crate) const SMALL: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Bodies {
    inner: Mutex<Inner>,
    max: usize,
}

#[derive(Debug, Default)]
struct Inner {
    /// The number of all counted bytes.
    n_bytes: usize,
    /// Bodies by age, each with its number of counted bytes.
    bodies: BTreeMap<u64, Body>,
    next: u64,
}

#[derive(Debug)]
struct Body {
    n_bytes: usize,
    has_arrived: bool,
    gone: Arc<Notify>,
}

/// A body's share of the memory. Dropping it frees the memory.
#[derive(Debug)]
pub(crate) struct Share {
    bodies: Arc<Bodies>,
    number: u64,
    gone: Arc<Notify>,
}

/// There is no memory for the body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BodyLimitError;

impl Bodies {
    pub(crate) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { inner: Mutex::default(), max })
    }

    pub(crate) fn begin(self: &Arc<Self>) -> Share {
        let gone = Arc::new(Notify::new());
        let mut inner = self.inner();
        let number = inner.next;
        inner.next += 1;
        let body = Body { n_bytes: 0, has_arrived: false, gone: Arc::clone(&gone) };
        inner.bodies.insert(number, body);
        drop(inner);
        Share { bodies: Arc::clone(self), number, gone }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Returns `None` if the body was removed before.
    fn remove(&mut self, number: u64) -> Option<Body> {
        let body = self.bodies.remove(&number)?;
        self.n_bytes -= body.n_bytes;
        Some(body)
    }
}

impl Share {
    /// Makes room for a body of this length. Other bodies or this one may be dropped for it.
    pub(crate) fn grow(&self, length: usize) -> Result<(), BodyLimitError> {
        let mut inner = self.bodies.inner();
        let body = inner.bodies.get_mut(&self.number).ok_or(BodyLimitError)?;
        let n_bytes = length.saturating_sub(SMALL);
        let more = n_bytes.saturating_sub(body.n_bytes);
        body.n_bytes += more;
        inner.n_bytes += more;
        while inner.n_bytes > self.bodies.max {
            let oldest = inner.bodies.iter().find(|(_, it)| !it.has_arrived && it.n_bytes > 0);
            let Some(number) = oldest.map(|(number, _)| *number) else {
                return Err(BodyLimitError);
            };
            if let Some(body) = inner.remove(number) {
                body.gone.notify_one();
            }
            if number == self.number {
                return Err(BodyLimitError);
            }
        }
        Ok(())
    }

    /// Records that the body is complete: it is kept until this share is dropped.
    pub(crate) fn arrived(&self) -> Result<(), BodyLimitError> {
        let mut inner = self.bodies.inner();
        inner.bodies.get_mut(&self.number).ok_or(BodyLimitError)?.has_arrived = true;
        Ok(())
    }

    /// Returns once the body was dropped to make room for another.
    pub(crate) async fn gone(&self) {
        self.gone.notified().await;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.bodies.inner().remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_body_that_has_not_arrived_makes_place() {
        let bodies = Bodies::new(100);
        let [first, second, third] = [bodies.begin(), bodies.begin(), bodies.begin()];
        assert_eq!(first.grow(SMALL + 40), Ok(()));
        assert_eq!(first.arrived(), Ok(()));
        assert_eq!(second.grow(SMALL + 40), Ok(()));
        assert_eq!(third.grow(SMALL + 40), Ok(()));
        assert_eq!(second.grow(SMALL + 50), Err(BodyLimitError), "it had to go");
        assert_eq!(third.grow(SMALL + 61), Err(BodyLimitError), "the first has arrived and stays");
        drop(first);
        assert_eq!(bodies.inner().n_bytes, 0);
    }

    #[test]
    fn small_bodies_always_have_place() {
        let bodies = Bodies::new(0);
        let shares: Vec<Share> = (0..100).map(|_| bodies.begin()).collect();
        assert!(shares.iter().all(|it| it.grow(SMALL) == Ok(()) && it.arrived() == Ok(())));
        assert_eq!(shares[0].grow(SMALL + 1), Err(BodyLimitError));
    }
}
