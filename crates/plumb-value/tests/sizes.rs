//! The sizes of nodes. docs/performance.md explains what the bytes are used for.

use plumb_value::{Array, ArrayItem, Map, MapItem, Node};

#[test]
fn nodes_are_as_small_as_they_were() {
    assert_eq!(size_of::<Node>(), 16);
    assert_eq!(size_of::<MapItem>(), 56);
    assert_eq!(size_of::<ArrayItem>(), 40);
    assert_eq!(size_of::<Map>(), 56);
    assert_eq!(size_of::<Array>(), 40);
}
