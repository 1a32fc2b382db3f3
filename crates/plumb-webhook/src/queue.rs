//! Schedules reviews: a few at a time, with the clients in turn.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Gives turns to clients. A client with many reviews delays its own reviews, not those of others.
/// If too many reviews wait, one review of the client with the most is rejected.
#[derive(Debug)]
pub(crate) struct Queue {
    inner: Mutex<Inner>,
    max_waiting: usize,
}

#[derive(Debug)]
struct Inner {
    n_free: usize,
    waiting: HashMap<IpAddr, VecDeque<oneshot::Sender<Turn>>>,
    /// The waiting clients, each once, in the order of their turns.
    clients: VecDeque<IpAddr>,
    n_waiting: usize,
}

/// A turn. When it is dropped, the next client gets a turn.
#[derive(Debug)]
pub(crate) struct Turn(Arc<Queue>);

/// Too many reviews are already waiting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct QueueFullError;

impl Queue {
    pub(crate) fn new(n_turns: usize, max_waiting: usize) -> Arc<Self> {
        let inner = Inner {
            n_free: n_turns,
            waiting: HashMap::new(),
            clients: VecDeque::new(),
            n_waiting: 0,
        };
        Arc::new(Self { inner: Mutex::new(inner), max_waiting })
    }

    pub(crate) async fn turn(self: &Arc<Self>, client: IpAddr) -> Result<Turn, QueueFullError> {
        let receiver = {
            let mut inner = self.inner();
            if inner.n_free > 0 {
                inner.n_free -= 1;
                return Ok(Turn(Arc::clone(self)));
            }
            if inner.n_waiting >= self.max_waiting {
                inner.forget_those_who_left();
                if inner.n_waiting >= self.max_waiting {
                    inner.make_room_for(client)?;
                }
            }
            let (sender, receiver) = oneshot::channel();
            inner.push(client, sender);
            receiver
        };
        // The sender is dropped if its receiver no longer waits, or to make room for another
        // review.
        receiver.await.map_err(|_| QueueFullError)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn push(&mut self, client: IpAddr, sender: oneshot::Sender<Turn>) {
        let waiting = self.waiting.entry(client).or_default();
        if waiting.is_empty() {
            self.clients.push_back(client);
        }
        waiting.push_back(sender);
        self.n_waiting += 1;
    }

    /// Removes and returns the next one to get a turn.
    fn pop(&mut self) -> Option<oneshot::Sender<Turn>> {
        let client = self.clients.pop_front()?;
        let waiting = self.waiting.get_mut(&client)?;
        let sender = waiting.pop_front();
        if waiting.is_empty() {
            self.waiting.remove(&client);
        } else {
            self.clients.push_back(client);
        }
        self.n_waiting -= 1;
        sender
    }

    /// Rejects the last review of the client with the most waiting reviews, unless this client
    /// would then have as many.
    fn make_room_for(&mut self, client: IpAddr) -> Result<(), QueueFullError> {
        let n_own = self.waiting.get(&client).map_or(0, VecDeque::len);
        let most = self.waiting.values_mut().max_by_key(|it| it.len()).ok_or(QueueFullError)?;
        if most.len() <= n_own + 1 {
            return Err(QueueFullError);
        }
        most.pop_back();
        self.n_waiting -= 1;
        Ok(())
    }

    fn forget_those_who_left(&mut self) {
        self.waiting.retain(|_, waiting| {
            waiting.retain(|it| !it.is_closed());
            !waiting.is_empty()
        });
        self.clients.retain(|client| self.waiting.contains_key(client));
        self.n_waiting = self.waiting.values().map(VecDeque::len).sum();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let next = {
            let mut inner = self.0.inner();
            let next = loop {
                match inner.pop() {
                    Some(next) if next.is_closed() => {}
                    next => break next,
                }
            };
            if next.is_none() {
                inner.n_free += 1;
            }
            next
        };
        if let Some(next) = next {
            // If the receiver stops waiting at this moment, it drops the turn, and the next client
            // gets it.
            let _ = next.send(Self(Arc::clone(&self.0)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::pin::{Pin, pin};
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn client(number: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(127, 0, 0, number))
    }

    type Waiting<'q> = Pin<Box<dyn Future<Output = Result<Turn, QueueFullError>> + 'q>>;

    fn poll(waiting: &mut Waiting<'_>) -> Option<Result<Turn, QueueFullError>> {
        match waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => Some(turn),
            Poll::Pending => None,
        }
    }

    /// Waits for a turn while none is available.
    fn wait(queue: &Arc<Queue>, number: u8) -> Waiting<'_> {
        let mut waiting: Waiting<'_> = Box::pin(queue.turn(client(number)));
        assert!(poll(&mut waiting).is_none());
        waiting
    }

    fn free_turn(queue: &Arc<Queue>) -> Turn {
        let turn = pin!(queue.turn(client(9)));
        match turn.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(turn) => turn.expect("a turn is free"),
            Poll::Pending => panic!("a turn is free"),
        }
    }

    #[test]
    fn clients_take_turns() {
        let queue = Queue::new(1, 10);
        let mut turn = free_turn(&queue);
        let mut waiting = [wait(&queue, 1), wait(&queue, 1), wait(&queue, 1), wait(&queue, 2)];
        for expected in [0, 3, 1, 2] {
            drop(turn);
            let mut ready = Vec::new();
            let mut next = None;
            for (at, it) in waiting.iter_mut().enumerate() {
                if let Some(given) = poll(it) {
                    ready.push(at);
                    next = Some(given.expect("nobody is refused"));
                    *it = Box::pin(std::future::pending());
                }
            }
            assert_eq!(ready, [expected]);
            turn = next.expect("one is ready");
        }
        drop(turn);
        free_turn(&queue);
    }

    #[test]
    fn those_who_left_are_passed_over() {
        let queue = Queue::new(1, 10);
        let turn = free_turn(&queue);
        let first = wait(&queue, 1);
        let mut second = wait(&queue, 1);
        drop(first);
        drop(turn);
        let turn = poll(&mut second).expect("it is its turn");
        drop(turn);
        free_turn(&queue);
    }

    #[test]
    fn a_client_with_many_reviews_makes_room_for_another() {
        let queue = Queue::new(1, 3);
        let _turn = free_turn(&queue);
        let mut many = [wait(&queue, 1), wait(&queue, 1), wait(&queue, 1)];
        let _other = wait(&queue, 2);
        assert!(matches!(poll(&mut many[2]), Some(Err(QueueFullError))));
        assert!(poll(&mut many[0]).is_none() && poll(&mut many[1]).is_none());
        let mut another: Waiting<'_> = Box::pin(queue.turn(client(2)));
        assert!(matches!(poll(&mut another), Some(Err(QueueFullError))), "it would have as many");
        let mut third: Waiting<'_> = Box::pin(queue.turn(client(3)));
        assert!(poll(&mut third).is_none());
        assert!(matches!(poll(&mut many[1]), Some(Err(QueueFullError))));
    }

    #[test]
    fn only_so_many_wait() {
        let queue = Queue::new(1, 2);
        let _turn = free_turn(&queue);
        let first = wait(&queue, 1);
        let _second = wait(&queue, 1);
        let mut third: Waiting<'_> = Box::pin(queue.turn(client(1)));
        assert!(matches!(poll(&mut third), Some(Err(QueueFullError))));
        drop(first);
        let _third = wait(&queue, 1);
    }
}
