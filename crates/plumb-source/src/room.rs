//! Vectors that may become large.
//!
//! A vector that grows is moved: its bytes are copied, and the system must provide fresh pages for the copy, which takes more
//! time than the copy itself. Pages that are reserved but not written cost nothing. So a large vector reserves much at once.
//!
//! Some systems count reserved pages as used (`ulimit -v`, `vm.overcommit_memory=2`). There, much is reserved only if a
//! multiple of it is left, so that it is not missing elsewhere.

/// Vectors with fewer bytes grow as usual.
const SMALL: usize = 32 * 1024;

/// A large vector gets room for so many times its items.
const GROWTH: usize = 8;

/// The maximum number of bytes that are reserved at once.
const MAX_STEP: usize = 64 * 1024 * 1024;

/// So many times what is reserved at once must be available.
const SPARE: usize = 4;

/// Adds an item to a vector that may become large.
#[inline]
pub fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        make_room(items);
    }
    items.push(item);
}

/// Reserves room for more items, if the vector is large. WebAssembly has no pages that cost nothing: there, vectors grow
/// as usual.
#[cold]
fn make_room<T>(items: &mut Vec<T>) {
    let size = size_of_val(items.as_slice());
    if size >= SMALL && !cfg!(target_family = "wasm") {
        // Never less than `Vec` itself reserves, so that the number of moves stays logarithmic.
        let step = ((GROWTH - 1) * size).min(MAX_STEP).max(size);
        if is_available(step.saturating_mul(SPARE)) {
            // If it fails nevertheless, the vector grows as usual.
            _ = items.try_reserve_exact(step / size_of::<T>());
        }
    }
}

/// Returns whether so many bytes can be reserved now. They are not written, so this takes almost no time.
fn is_available(n_bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let is_available = probe.try_reserve_exact(n_bytes).is_ok();
    // Otherwise, the compiler may remove the allocation.
    std::hint::black_box(&probe);
    is_available
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_vector_is_moved_rarely() {
        let mut items = Vec::new();
        let mut n_moves = 0;
        for number in 0..1_000_000_u64 {
            let capacity = items.capacity();
            push(&mut items, number);
            n_moves += usize::from(items.capacity() != capacity);
        }
        assert!(items.iter().copied().eq(0..1_000_000));
        assert!(n_moves < 16, "{n_moves}");
    }
}
