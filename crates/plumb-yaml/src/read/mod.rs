//! Text to documents.
