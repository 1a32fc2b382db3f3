//! The request bodies in memory. If they are too large together, some of them are dropped.
//!
//! The first bytes of every body have a separate limit, which is sufficient for one request on each
//! connection: large bodies do not displace small ones. An HTTP/2 connection can carry many
//! requests, so this limit can be exceeded too. In both cases, the oldest incomplete body is
//! dropped to make room for others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The number of bytes of every body that count as its first bytes.
pub(crate) const SMALL: usize = 64 << 10;

/// The memory of a request without its body.
pub(crate) const REQUEST: usize = 16 << 10;

#[derive(Debug)]
pub(crate) struct Bodies {
    inner: Mutex<Inner>,
    max: Memory,
}

/// The memory of one request or of all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// The requests and the first bytes of their bodies.
    pub small: usize,
    /// The rest of the bodies.
    pub large: usize,
}

#[derive(Debug, Default)]
struct Inner {
    /// The sum of all bodies.
    used: Memory,
    /// Bodies by age.
    bodies: BTreeMap<u64, Body>,
    next: u64,
}

#[derive(Debug)]
struct Body {
    memory: Memory,
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

impl Memory {
    /// The memory of a request whose body has this length.
    fn of(length: usize) -> Self {
        Self { small: REQUEST + length.min(SMALL), large: length.saturating_sub(SMALL) }
    }
}

impl Bodies {
    pub(crate) fn new(max: Memory) -> Arc<Self> {
        Arc::new(Self { inner: Mutex::default(), max })
    }

    /// Reserves memory for a request. Other bodies may be dropped for it.
    pub(crate) fn begin(self: &Arc<Self>) -> Result<Share, BodyLimitError> {
        let gone = Arc::new(Notify::new());
        let mut inner = self.inner();
        let number = inner.next;
        inner.next += 1;
        let body = Body { memory: Memory::default(), has_arrived: false, gone: Arc::clone(&gone) };
        inner.bodies.insert(number, body);
        inner.grow(number, 0, self.max)?;
        drop(inner);
        Ok(Share { bodies: Arc::clone(self), number, gone })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Reserves memory for a body of this length. Other bodies, or this one, may be dropped for it.
    fn grow(&mut self, number: u64, length: usize, max: Memory) -> Result<(), BodyLimitError> {
        let body = self.bodies.get_mut(&number).ok_or(BodyLimitError)?;
        let needed = Memory::of(length);
        self.used.small = self.used.small - body.memory.small + needed.small;
        self.used.large = self.used.large - body.memory.large + needed.large;
        body.memory = needed;
        while self.used.small > max.small || self.used.large > max.large {
            let is_useful = |it: &Body| self.used.small > max.small || it.memory.large > 0;
            let oldest = self.bodies.iter().find(|(_, it)| !it.has_arrived && is_useful(it));
            let dropped = oldest.map_or(number, |(number, _)| *number);
            if let Some(body) = self.remove(dropped) {
                body.gone.notify_one();
            }
            if dropped == number {
                return Err(BodyLimitError);
            }
        }
        Ok(())
    }

    /// Removes a body. Returns `None` if it was already removed.
    fn remove(&mut self, number: u64) -> Option<Body> {
        let body = self.bodies.remove(&number)?;
        self.used.small -= body.memory.small;
        self.used.large -= body.memory.large;
        Some(body)
    }
}

impl Share {
    /// Reserves memory for a body of this length. Other bodies, or this one, may be dropped for it.
    pub(crate) fn grow(&self, length: usize) -> Result<(), BodyLimitError> {
        self.bodies.inner().grow(self.number, length, self.bodies.max)
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

    const MANY: usize = 1 << 30;

    fn begin<const N: usize>(bodies: &Arc<Bodies>) -> [Share; N] {
        std::array::from_fn(|_| bodies.begin().expect("there is room for the request"))
    }

    #[test]
    fn the_oldest_incomplete_body_makes_room() {
        let bodies = Bodies::new(Memory { small: MANY, large: 100 });
        let [first, second, third] = begin(&bodies);
        assert_eq!(first.grow(SMALL + 40), Ok(()));
        assert_eq!(first.arrived(), Ok(()));
        assert_eq!(second.grow(SMALL + 40), Ok(()));
        assert_eq!(third.grow(SMALL + 40), Ok(()));
        assert_eq!(second.grow(SMALL + 50), Err(BodyLimitError), "it was dropped");
        assert_eq!(third.grow(SMALL + 61), Err(BodyLimitError), "the first has arrived and stays");
        drop(first);
        assert_eq!(bodies.inner().used, Memory::default());
    }

    #[test]
    fn large_bodies_do_not_displace_small_ones() {
        let bodies = Bodies::new(Memory { small: 2 * (REQUEST + SMALL), large: 0 });
        let [first, second] = begin(&bodies);
        assert_eq!(first.grow(SMALL), Ok(()));
        assert_eq!(second.grow(SMALL + 1), Err(BodyLimitError));
        assert_eq!(first.arrived(), Ok(()));
    }

    #[test]
    fn small_bodies_are_limited_too() {
        let bodies = Bodies::new(Memory { small: 2 * (REQUEST + SMALL), large: MANY });
        let [first, second, third] = begin(&bodies);
        assert_eq!(first.grow(SMALL), Ok(()));
        assert_eq!(second.grow(SMALL), Ok(()));
        assert_eq!(first.arrived(), Err(BodyLimitError), "it was dropped");
        assert_eq!(second.arrived(), Ok(()));
        assert_eq!(third.grow(SMALL), Ok(()));
        assert_eq!(third.arrived(), Ok(()));
        assert!(bodies.begin().is_err(), "both bodies have arrived and stay");
        drop(third);
        assert!(bodies.begin().is_ok());
    }
}
