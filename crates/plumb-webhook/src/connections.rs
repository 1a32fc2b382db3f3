//! The open connections. If there are too many, some of them are closed.
//!
//! A new connection is accepted as long as another one is idle: the one that has been idle longest
//! is closed. So clients with many unused connections cannot block others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::Limits;
use crate::activity::Activity;

#[derive(Debug)]
pub(crate) struct Connections {
    inner: Mutex<Inner>,
    max: usize,
    max_of_client: usize,
}

#[derive(Debug, Default)]
struct Inner {
    open: HashMap<u64, (IpAddr, Arc<Activity>)>,
    of_client: HashMap<IpAddr, usize>,
    next: u64,
}

/// A connection's slot in the list. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    connections: Arc<Connections>,
    number: u64,
    pub client: IpAddr,
    pub activity: Arc<Activity>,
}

impl Connections {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            inner: Mutex::default(),
            max: limits.connections.max(1),
            max_of_client: limits.connections_of_client.max(1),
        })
    }

    /// Reserves a slot for a connection of this client. Also returns the number of connections that
    /// were closed for it. There is no slot if all connections have requests that must be answered.
    pub(crate) fn open(self: &Arc<Self>, client: IpAddr) -> (Option<ConnectionSlot>, usize) {
        let mut inner = self.inner();
        let mut n_closed = 0;
        if inner.of_client.get(&client).is_some_and(|it| *it >= self.max_of_client) {
            if !inner.close_oldest(|it| it == client) {
                return (None, n_closed);
            }
            n_closed += 1;
        }
        if inner.open.len() >= self.max {
            if !inner.close_oldest(|_| true) {
                return (None, n_closed);
            }
            n_closed += 1;
        }
        let activity = Activity::new();
        let number = inner.next;
        inner.next += 1;
        inner.open.insert(number, (client, Arc::clone(&activity)));
        *inner.of_client.entry(client).or_default() += 1;
        drop(inner);
        (Some(ConnectionSlot { connections: Arc::clone(self), number, client, activity }), n_closed)
    }

    /// Closes the connection that has been idle longest. Returns whether there was one.
    pub(crate) fn close_oldest(&self) -> bool {
        self.inner().close_oldest(|_| true)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.inner().open.is_empty()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Closes the oldest eligible connection. Connections without any answered request go first.
    fn close_oldest(&mut self, is_eligible: impl Fn(IpAddr) -> bool) -> bool {
        let eligible = self.open.iter().filter(|(_, (client, _))| is_eligible(*client));
        let idle =
            eligible.filter_map(|(number, (_, activity))| Some((activity.idle_since()?, *number)));
        let Some((_, number)) = idle.min() else { return false };
        if let Some(activity) = self.remove(number) {
            activity.close();
        }
        true
    }

    /// Removes a connection. Returns `None` if it was already removed.
    fn remove(&mut self, number: u64) -> Option<Arc<Activity>> {
        let (client, activity) = self.open.remove(&number)?;
        if let Some(count) = self.of_client.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.of_client.remove(&client);
            }
        }
        Some(activity)
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.connections.inner().remove(self.number);
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Version;
    use std::net::Ipv4Addr;

    use super::*;

    const ONE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
    const TWO: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

    fn connections(connections: usize, connections_of_client: usize) -> Arc<Connections> {
        Connections::new(&Limits { connections, connections_of_client, ..Limits::default() })
    }

    fn numbers(connections: &Connections) -> Vec<u64> {
        let mut numbers: Vec<u64> = connections.inner().open.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    #[test]
    fn the_oldest_idle_connection_makes_place() {
        let list = connections(3, 3);
        let places: Vec<ConnectionSlot> = (0..3).filter_map(|_| list.open(ONE).0).collect();
        // The first connection has a request that must be answered.
        let request = places[0].activity.begin(Version::HTTP_11);
        request.complete();
        let (fourth, n_closed) = list.open(TWO);
        assert_eq!((fourth.is_some(), n_closed), (true, 1));
        assert_eq!(numbers(&list), [0, 2, 3]);
        drop(places);
        assert_eq!(numbers(&list), [3]);
    }

    #[test]
    fn a_client_cannot_take_all_places() {
        let list = connections(10, 2);
        let _places: Vec<ConnectionSlot> = (0..2).filter_map(|_| list.open(ONE).0).collect();
        let _other = list.open(TWO);
        assert_eq!(list.open(ONE).1, 1);
        assert_eq!(numbers(&list), [1, 2]);
    }

    #[test]
    fn a_connection_that_had_answers_outlives_one_that_had_none() {
        let list = connections(2, 2);
        let first = list.open(ONE).0.expect("there is place");
        let request = first.activity.begin(Version::HTTP_11);
        request.complete();
        drop(request);
        let _second = list.open(ONE);
        let _third = list.open(TWO);
        assert_eq!(numbers(&list), [0, 2]);
    }

    #[test]
    fn requests_that_have_arrived_are_not_given_up() {
        let list = connections(1, 1);
        let first = list.open(ONE).0.expect("there is place");
        let request = first.activity.begin(Version::HTTP_11);
        request.complete();
        assert!(list.open(TWO).0.is_none());
        drop(request);
        assert!(list.open(TWO).0.is_some());
    }

    #[test]
    fn an_answer_that_nobody_takes_does_not_keep_a_connection() {
        let list = connections(1, 1);
        let first = list.open(ONE).0.expect("there is place");
        let request = first.activity.begin(Version::HTTP_2);
        request.complete();
        request.answered();
        assert!(list.open(TWO).0.is_some());
        assert_eq!(numbers(&list), Vec::<u64>::new(), "both are closed");
    }
}
