//! Laws of the language, for generated programs and values.

mod laws;
