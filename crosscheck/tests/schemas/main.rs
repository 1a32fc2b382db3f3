//! The laws of exported schemas, tested with an independent validator for JSON Schema.

#[path = "../../../crates/plumb-schema/tests/suite/cel_rules.rs"]
mod cel_rules;
#[path = "../../../crates/plumb-schema/tests/suite/crd.rs"]
mod crd;
#[expect(dead_code, reason = "these tests use a part of it")]
#[path = "../../../crates/plumb-schema/tests/suite/declared.rs"]
mod declared;
#[path = "../../../crates/plumb-schema/tests/suite/generated.rs"]
mod generated;
#[path = "../../../crates/plumb-schema/tests/suite/law.rs"]
mod law;
#[path = "../../../crates/plumb-validation/tests/notation/mod.rs"]
mod notation;
#[path = "../../../crates/plumb-schema/tests/suite/structural.rs"]
mod structural;
#[expect(dead_code, reason = "these tests use a part of it")]
#[path = "../../../crates/plumb-schema/tests/suite/uncounted.rs"]
mod uncounted;
mod validator;

use declared::Declared;
use notation::read;
