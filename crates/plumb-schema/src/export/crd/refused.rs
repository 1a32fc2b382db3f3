//! Warnings about rules that an API server would reject. They are left out of the definition, so
//! that the server accepts it.

use plumb_diagnostic::Diagnostic;
use plumb_jsonschema::RefusedRule;
use plumb_source::message;
use plumb_source::message::plain;

use super::NOT_IN_CRD;

/// The warning about a rule that was left out.
pub(super) fn warning(refused: &RefusedRule) -> Diagnostic {
    let (why, help) = refused.reason();
    let path = refused.path.strip_prefix("spec").unwrap_or(&refused.path);
    let path = path.strip_prefix('.').unwrap_or(path);
    let (rule, why) = (plain(refused.rule.as_str()), plain(why));
    let message = match path {
        "" => message!("the rule `{rule}` is not checked by an API server: {why}"),
        path => {
            let path = plain(path);
            message!("the rule `{rule}` of `{path}` is not checked by an API server: {why}")
        }
    };
    let mut warning = Diagnostic::warning(NOT_IN_CRD, message);
    if let Some(span) = refused.origin.span() {
        warning = warning.label(span, "declared here");
    }
    help.into_iter().fold(warning, |warning, help| warning.help(plain(help)))
}
