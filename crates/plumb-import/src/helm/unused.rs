//! Marks the values that no template refers to.

use std::collections::HashSet;

use crate::item::{Item, Sample};

/// Adds a comment to the values that no template refers to, and returns their paths.
pub(crate) fn mark(root: &mut Item, used: &HashSet<Vec<&str>>) -> Vec<String> {
    let covered: HashSet<String> = used.iter().map(|it| key(it)).collect();
    let above = used.iter().flat_map(|it| (0..it.len()).map(|n| key(&it[..n])));
    let mut marker = Marker { covered, touched: above.collect(), unused: Vec::new() };
    marker.keys(root, &mut Vec::new());
    marker.unused
}

struct Marker {
    /// The paths of values that are referred to.
    covered: HashSet<String>,
    /// The paths of maps above them.
    touched: HashSet<String>,
    unused: Vec<String>,
}

impl Marker {
    fn keys(&mut self, item: &mut Item, path: &mut Vec<String>) {
        let Sample::Map(keys) = &mut item.sample else {
            return;
        };
        for (name, item) in keys.items_mut() {
            if !item.is_always_there() {
                continue;
            }
            path.push(name.to_owned());
            let here = key(path);
            if self.touched.contains(&here) {
                self.keys(item, path);
            } else if !self.covered.contains(&here) {
                item.notes.push("no template uses it yet".to_owned());
                self.unused.push(path.join("."));
            }
            path.pop();
        }
    }
}

/// A path as one text that is unique.
fn key(path: &[impl AsRef<str>]) -> String {
    path.iter().flat_map(|it| [it.as_ref(), "\n"]).collect()
}
