//! The activity during which an overlay failed.

use plumb_source::Origin;
use plumb_value::Node;

/// The activity during which an overlay failed.
#[derive(Clone, Debug)]
pub enum Activity {
    /// The overlays of these files were being applied, in this order.
    Apply { files: Vec<String> },
    /// This item of an overlay was being merged.
    Merge(OverlayItem),
}

/// An item of an overlay.
#[derive(Clone, Debug)]
pub struct OverlayItem {
    pub kind: OverlayItemKind,
    /// Where it was written.
    pub origin: Origin,
}

/// The kind of an [`OverlayItem`].
#[derive(Clone, Debug)]
pub enum OverlayItemKind {
    Document,
    /// A map item, with its key.
    MapItem(Node),
    ArrayItem,
}
