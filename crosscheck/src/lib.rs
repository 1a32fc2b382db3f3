//! Laws of Plumb, tested with independent programs: see `tests/`.
