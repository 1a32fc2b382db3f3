//! Schemas through the public interface: what authors and consumers get, with ytt's exact layout.

mod author;
mod cel_rules;
mod consumer;
mod crd;
mod declared;
mod dialect;
mod export;
mod generated;
mod law;
#[path = "../../../plumb-validation/tests/notation/mod.rs"]
mod notation;
mod structural;
mod uncounted;
mod validator;

use declared::{Declared, compile, declared, merged};
use notation::{read, show};
use plumb_source::Text;

fn path(keys: &[&str]) -> Vec<Text> {
    keys.iter().map(|&key| Text::from(key)).collect()
}
