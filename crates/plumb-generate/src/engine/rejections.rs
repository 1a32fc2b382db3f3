//! Tracks rejected promises that are not handled.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;

use rquickjs::{Ctx, Persistent, Value};

/// Rejected promises that are not handled yet.
#[derive(Clone, Default)]
pub(super) struct Rejections(Rc<RefCell<Pending>>);

#[derive(Default)]
struct Pending {
    by_promise: HashMap<u64, Rejection>,
    n_seen: u64,
}

struct Rejection {
    /// Its position in the order of rejections.
    number: u64,
    /// Kept alive, so that no other promise gets the same address.
    _promise: Persistent<Value<'static>>,
    reason: Persistent<Value<'static>>,
}

impl Rejections {
    pub(super) fn tracker(&self) -> rquickjs::runtime::RejectionTracker {
        let pending = Rc::clone(&self.0);
        Box::new(move |ctx, promise, reason, is_handled| {
            let mut pending = pending.borrow_mut();
            let key = identity(&promise);
            if is_handled {
                pending.by_promise.remove(&key);
                return;
            }
            pending.n_seen += 1;
            let rejection = Rejection {
                number: pending.n_seen,
                _promise: Persistent::save(&ctx, promise),
                reason: Persistent::save(&ctx, reason),
            };
            pending.by_promise.insert(key, rejection);
        })
    }

    /// The reason of the first rejection that is still unhandled.
    pub(super) fn first<'js>(&self, ctx: &Ctx<'js>) -> Option<Value<'js>> {
        let pending = self.0.borrow();
        let first = pending.by_promise.values().min_by_key(|it| it.number)?;
        first.reason.clone().restore(ctx).ok()
    }

    pub(super) fn clear(&self) {
        self.0.borrow_mut().by_promise.clear();
    }
}

/// A number that identifies an object.
fn identity(object: &Value<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    object.hash(&mut hasher);
    hasher.finish()
}
