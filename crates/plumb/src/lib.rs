//! The façade: everything public that we promise to keep.
