//! `plumb init`: the files of a small project, or a project file for existing files.

mod propose;

use plumb_diagnostic::Code;

pub use propose::propose;

/// A file that `plumb init` would create already exists.
///
/// `plumb init` never replaces a file. If there is a `plumb.yml`, the directory is already a
/// project: build it with `plumb build`. Otherwise run `plumb init` in an empty directory: `plumb
/// init DIR`.
pub const EXISTS: Code = Code::new("project/exists");

/// The files of a small working project: their paths, and contents.
pub const STARTER: [(&str, &str); 7] = [
    ("plumb.yml", include_str!("starter/plumb.yml")),
    ("config/schema.yml", include_str!("starter/config/schema.yml")),
    ("config/web.yml", include_str!("starter/config/web.yml")),
    ("overlays/prod/resources.yml", include_str!("starter/overlays/prod/resources.yml")),
    ("values/staging.yml", include_str!("starter/values/staging.yml")),
    ("values/prod.yml", include_str!("starter/values/prod.yml")),
    ("tests/web_test.yml", include_str!("starter/tests/web_test.yml")),
];
