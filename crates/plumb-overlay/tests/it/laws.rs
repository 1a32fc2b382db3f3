//! What holds for all documents and overlays.
