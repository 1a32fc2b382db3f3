//! The first stage of a library: the types of its data values, merged from all schema documents.

use plumb_diagnostic::{Failure, Failures, SilentDrops};
use plumb_schema::Schema;
use plumb_value::Document;

use crate::activity::Activity;
use crate::declared;
use crate::layer::Layer;
use crate::library::{Library, Split};
use crate::purpose::Purpose;

/// Returns the types of the data values: all schema documents of the library, then `overlays`.
/// Returns `None` if there is a mistake in them, or if one of them could not be read.
pub(crate) fn schema(
    library: &Library,
    overlays: Vec<Layer>,
    failures: &mut Failures,
) -> Option<Split<Schema>> {
    let declaring = declared::declaring(library, Purpose::Schema, failures);
    let order = library.order(&declaring.files, &overlays);
    let mut found = Failures::default();
    let schema = merged_schema(library, &declaring.files, overlays, &mut found);
    let is_right = found.is_empty() && declaring.is_complete;
    failures.add_within(found, || Activity::MergeSchemas(order));
    schema.filter(|_| is_right)
}

fn merged_schema(
    library: &Library,
    files: &[usize],
    overlays: Vec<Layer>,
    failures: &mut Failures,
) -> Option<Split<Schema>> {
    let mut layers = declared::layers(library, files, Purpose::Schema, failures);
    let is_alone = layers.len() == 1 && overlays.is_empty();
    for layer in &layers {
        let is_compiled_as_it_is = is_alone
            && !layer.is_for_another_library()
            && Schema::is_checked_by_compiling(&layer.document);
        if !is_compiled_as_it_is {
            let sources = &library.run().sources;
            let checked = library.run().check(|work| Schema::check(&layer.document, sources, work));
            failures.keep(checked.and_then(|it| it));
        }
    }
    if !failures.is_empty() {
        return None;
    }
    layers.extend(overlays);
    let (inner, own): (Vec<Layer>, Vec<Layer>) =
        layers.into_iter().partition(Layer::is_for_another_library);
    let mut merged: Option<Document> = None;
    for layer in own {
        merged = Some(match merged {
            None => layer.document,
            Some(left) => library.overlay(left, &layer.document, failures)?,
        });
    }
    if !failures.is_empty() {
        return None;
    }
    let own = match merged {
        Some(document) => {
            let sources = &library.run().sources;
            let compiled = library.run().check(|work| Schema::compile(&document, sources, work));
            let schema = failures.keep(compiled.and_then(|it| it))?;
            if library.is_strict() {
                library.run().runtime.warn(plumb_schema::nameless_keys(&document));
                library.run().runtime.warn(plumb_schema::within_any(&document));
                let alone = plumb_validation::conditions_alone(&document, &plumb_schema::RULES);
                library.run().runtime.warn(alone);
            }
            failures.keep(check_rules(library, &schema));
            schema
        }
        None => Schema::undeclared(),
    };
    Some(Split { own, inner })
}

/// Rejects rules that no value can satisfy, and examples that break a rule. In ytt, every value
/// fails such rules, and examples are not validated.
fn check_rules(library: &Library, schema: &Schema) -> Result<(), Failure> {
    if library.run().runtime.silent_drops() == SilentDrops::Warn {
        return Ok(());
    }
    let mut mistakes = schema.contradictions();
    if mistakes.is_empty() && !library.options().skips_validation {
        mistakes = library.run().check(|work| schema.invalid_examples(work))?;
    }
    let failures = mistakes.into_iter().map(Failure::from);
    failures.reduce(Failure::and).map_or(Ok(()), Err)
}
