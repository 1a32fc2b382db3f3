//! The second stage of a library: its data values, merged in layers onto the defaults of the
//! schema, and checked.

use plumb_diagnostic::{Failure, Failures, SilentDrops};
use plumb_schema::{Schema, Touched};
use plumb_validation::report::{self, Validated};
use plumb_validation::{ASSERT_VALIDATE, AnnotationError, MistypedPaths, Violation};
use plumb_value::Document;

use crate::activity::Activity;
use crate::blame::{Laid, Mistyped};
use crate::layer::{self, Layer, LayerKind};
use crate::library::{Library, Split};
use crate::purpose::Purpose;
use crate::{declared, plain};

/// Returns the data values: the defaults of the schema, all documents of the library, then
/// `overlays`. Without a schema (because it has a mistake), only the documents themselves are
/// checked. Returns `None` if there is a mistake in them, if one could not be read, or if not
/// all overlays are given.
pub(crate) fn values(
    library: &Library,
    schema: Option<&Schema>,
    overlays: Vec<Layer>,
    are_all_given: bool,
    failures: &mut Failures,
) -> Option<Split<Document>> {
    let declaring = declared::declaring(library, Purpose::Values, failures);
    let order = library.order(&declaring.files, &overlays);
    let mut found = Failures::default();
    // A file that could not be read may declare keys that others change.
    let schema = schema.filter(|_| declaring.is_complete);
    let values = merged_values(library, &declaring.files, schema, overlays, &mut found);
    let is_right = found.is_empty() && are_all_given;
    failures.add_within(found, || Activity::MergeValues(order));
    let (mut values, schema) = (values?, schema?);
    if !is_right {
        if are_all_given && values.own.mistyped.is_all {
            failures.keep(validate_rest(library, &values.own, schema));
        }
        return None;
    }
    library.run().runtime.warn(plumb_schema::deprecations(schema, &values.own.document));
    if !library.options().skips_validation {
        failures.keep(validate(library, &mut values.own, schema))?;
    }
    let Split { own: Laid { mut document, .. }, inner } = values;
    // The annotations apply to data values, not to the output of templates.
    plain::strip(&mut document);
    Some(Split { own: document, inner })
}

fn merged_values(
    library: &Library,
    files: &[usize],
    schema: Option<&Schema>,
    overlays: Vec<Layer>,
    failures: &mut Failures,
) -> Option<Split<Laid>> {
    let mut layers = declared::layers(library, files, Purpose::Values, failures);
    let is_whole = failures.is_empty();
    let schema = schema?;
    let mut mistyped = Mistyped { values: MistypedPaths::default(), is_all: is_whole };
    layers.extend(overlays);
    let (inner, own): (Vec<Layer>, Vec<Layer>) =
        layers.into_iter().partition(Layer::is_for_another_library);
    let mut values = schema.defaults();
    let is_declared = values.is_some();
    let mut laid = Vec::with_capacity(own.len());
    for mut layer in own {
        if layer.kind == LayerKind::Overlay {
            // It may change a value of a document that failed.
            if !is_whole {
                continue;
            }
            if library.is_strict() && is_declared {
                library.run().runtime.warn(plumb_schema::kept_rules(&layer.document));
            }
            drop_schema_annotations(library, &mut layer.document);
            plumb_schema::permit_new_keys(schema, &mut layer.document);
        }
        let mut merged = match values {
            None => layer.document.clone(),
            Some(left) => lay_over(library, left, schema, &layer, &mut mistyped, failures)?,
        };
        let conformed = library
            .run()
            .check(|work| plumb_schema::conform(schema, &mut merged, layer.touched(), work));
        let mismatches = failures.keep(conformed)?;
        if library.is_strict() {
            mistyped.add(&mismatches);
        }
        if !mismatches.is_empty() {
            failures.add(plumb_schema::failure(mismatches, &library.run().sources));
        }
        values = Some(merged);
        laid.push(layer);
    }
    let document = values.unwrap_or_else(layer::empty_values);
    Some(Split { own: Laid { document, layers: laid, mistyped }, inner })
}

/// Warns about annotations of schemas in data values, and removes them, so that they are not
/// reported again when the data values are merged.
fn drop_schema_annotations(library: &Library, values: &mut Document) {
    let ignored = if library.is_strict() { plumb_schema::outside_schema(values) } else { return };
    if !ignored.is_empty() {
        plumb_schema::without_schema(values);
        library.run().runtime.warn(ignored);
    }
}

#[expect(clippy::too_many_arguments, reason = "two of them are lists that it adds to")]
fn lay_over(
    library: &Library,
    left: Document,
    schema: &Schema,
    layer: &Layer,
    mistyped: &mut Mistyped,
    failures: &mut Failures,
) -> Option<Document> {
    let (document, sources) = (&layer.document, &library.run().sources);
    let mut found = Failures::default();
    if layer.is_plain() {
        let merged = plumb_overlay::merge_plain_document(left, document, sources, &mut found);
        mistyped.is_all &= found.is_empty();
        failures.keep(found.into_result());
        return Some(merged);
    }
    let mut permitting = None;
    if layer.kind == LayerKind::Overlay {
        permitting = plumb_schema::with_undeclared_keys_permitted(schema, document);
    }
    let Some(permitting) = permitting else {
        let merged = library.overlay(left, document, &mut found);
        mistyped.is_all &= found.is_empty();
        failures.keep(found.into_result());
        return merged;
    };
    // An undeclared key would be reported as an overlay item that matches nothing. To report it as
    // an undeclared key instead, it is merged here, and the type check finds it.
    let mut unmatched = Failures::default();
    let merged = library.overlay(left.clone(), document, &mut unmatched);
    let Err(unmatched) = unmatched.into_result() else {
        return merged;
    };
    let mut merged = library.overlay(left, &permitting, &mut found)?;
    mistyped.is_all &= found.is_empty();
    let conformed = library
        .run()
        .check(|work| plumb_schema::conform(schema, &mut merged, Touched::Everything, work));
    let mismatches = failures.keep(conformed)?;
    if library.is_strict() {
        mistyped.add(&mismatches);
    }
    if !mismatches.is_empty() {
        found.add(plumb_schema::failure(mismatches, sources));
    }
    failures.add(match found.into_result() {
        Err(found) => found.with_first(unmatched),
        Ok(()) => unmatched,
    });
    Some(merged)
}

fn validate(library: &Library, values: &mut Laid, schema: &Schema) -> Result<(), Failure> {
    let drops = library.run().runtime.silent_drops();
    let found = library.run().check(|work| {
        plumb_schema::validate(schema, &mut values.document, 0, drops.into(), work)
    })?;
    report_violations(library, values, found)
}

/// Runs the rules for valid data values if others do not have the declared types. ytt does not do
/// this.
fn validate_rest(library: &Library, values: &Laid, schema: &Schema) -> Result<(), Failure> {
    let is_left_out = library.run().runtime.silent_drops() == SilentDrops::Warn;
    if is_left_out || library.options().skips_validation {
        return Ok(());
    }
    let (document, known) = (&values.document, &values.mistyped.values);
    let found =
        library.run().check(|work| plumb_schema::validate_rest(schema, document, known, work))?;
    report_violations(library, values, found)
}

fn report_violations(
    library: &Library,
    values: &Laid,
    found: Result<Vec<Violation>, Vec<AnnotationError>>,
) -> Result<(), Failure> {
    let validated = Validated::DataValues;
    match found {
        Ok(violations) if violations.is_empty() => Ok(()),
        Ok(mut violations) => {
            // ytt reports the place of the first part.
            if library.run().runtime.silent_drops() == SilentDrops::Refuse {
                values.blame_last_givers(&mut violations);
            }
            Err(report::failure(validated, violations))
        }
        Err(problems) => {
            let sources = &library.run().sources;
            Err(report::malformed(validated, ASSERT_VALIDATE, &problems, sources))
        }
    }
}
