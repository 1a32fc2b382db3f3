//! `@ytt:version`: a library can require a minimum version.

use plumb_source::message;
use plumb_source::message::secret;
use plumb_starlark::{Args, Error, Result, Value};

use crate::arguments::one_text;
use crate::definition::{Member, ModuleDefinition};

/// The version of ytt that Plumb is compatible with. Scripts and templates check it before they use
/// a feature.
pub const YTT_VERSION: &str = "0.55.0";

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "version",
    summary: "the version of the program",
    members: &[Member::function(
        "version.require_at_least(version)",
        "Fails if the program is older.",
        |_, args| require_at_least(args),
    )],
};

fn require_at_least(args: &Args<'_>) -> Result<Value> {
    let wanted = one_text(args)?.to_str_lossy();
    let Ok(version) = semver::Version::parse(&wanted) else {
        return Err(Error::new(message!(
            "version string '{}' must be a valid semver",
            secret(wanted)
        )));
    };
    let ours = semver::Version::parse(YTT_VERSION).expect("our own version is one");
    if ours.cmp_precedence(&version).is_ge() {
        return Ok(Value::None);
    }
    Err(Error::new(message!(
        "ytt version '{YTT_VERSION}' does not meet the minimum required version '{}'",
        secret(wanted)
    )))
}
