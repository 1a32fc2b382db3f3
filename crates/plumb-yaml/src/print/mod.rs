//! Documents to text.
