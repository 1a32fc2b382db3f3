//! Laws of Plumb, tested with programs that others wrote: see `tests/`.
