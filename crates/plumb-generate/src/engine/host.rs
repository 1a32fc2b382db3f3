//! The functions that the built-in modules in `js/` call. Scripts can only call them through those
//! modules. Still, these functions do not trust their caller.

use std::rc::Rc;
use std::sync::Arc;

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};
use rquickjs::convert::List;
use rquickjs::function::{Func, Opt};
use rquickjs::{Ctx, Exception, Function, IntoJs, Object, Result, TypedArray, Value};

use super::loader::declare_builtin;
use super::thrown::ScriptError;
use super::values::{
    ConversionError, Losses, Reader, input_to_js, misfit_words, parsed_to_js, to_js,
};
use crate::answer::Answer;
use crate::error::Error;
use crate::format::{self, Format, KeyOrder, StreamPart};
use crate::run::{Entry, Overwrite, Run, Taken};
use crate::schema::{self, InvalidValue};
use crate::validator;
use crate::{Dialect, Finding};

/// Installs `plumb:host`, the module from which all others import these functions.
pub(super) fn install(ctx: &Ctx<'_>, run: &Rc<Run>) -> Result<()> {
    let host = Object::new(ctx.clone())?;
    console(&host, run)?;
    files(&host, run)?;
    taken(&host, run)?;
    inputs(&host, run)?;
    values(&host, run)?;
    validation(&host, run)?;
    // The module removes this global before any other code runs.
    ctx.globals().set("plumb host", host)?;
    let (_, promise) = declare_builtin(ctx, "plumb:host")?.eval()?;
    promise.finish::<()>()
}

fn console<'js>(host: &Object<'js>, run: &Rc<Run>) -> Result<()> {
    let it = Rc::clone(run);
    let print =
        move |ctx: Ctx<'js>, text: String| ok_or_throw(&ctx, &it, it.print(text.as_bytes()));
    host.set("print", Func::from(print))?;
    let it = Rc::clone(run);
    host.set("log", Func::from(move |text: String| it.log(text.as_bytes())))?;
    let it = Rc::clone(run);
    let describe = move |thrown: Value<'_>| describe(&it, &thrown).shown().to_owned();
    host.set("describe", Func::from(describe))
}

fn describe(run: &Run, thrown: &Value<'_>) -> Message {
    ScriptError::from_value(run, thrown).in_one_line(run)
}

fn files<'js>(host: &Object<'js>, run: &Rc<Run>) -> Result<()> {
    let it = Rc::clone(run);
    let write =
        move |ctx: Ctx<'js>,
              value: Value<'js>,
              inspect: Function<'js>,
              path: String,
              List((format, indent, overwrite)): List<(u32, Option<u32>, u32)>| {
            ok_or_throw(&ctx, &it, write(&it, value, inspect, &path, (format, indent, overwrite)))
        };
    host.set("write", Func::from(write))?;
    let it = Rc::clone(run);
    let read =
        move |ctx: Ctx<'js>, path: String, encoding: u32, format: u32, module: Opt<Value<'js>>| {
            let read = known_format(format).map_err(ConversionError::from).and_then(|format| {
                let bytes = contents(&it, &path, format, module_name(&module).as_deref())?;
                decoded(&ctx, &path, &bytes, encoding, format)
            });
            ok_or_throw(&ctx, &it, read)
        };
    host.set("read", Func::from(read))?;
    let it = Rc::clone(run);
    let info = move |ctx: Ctx<'js>, path: String, module: Opt<Value<'js>>| {
        ok_or_throw(&ctx, &it, Entry::at(&it, &path, module_name(&module).as_deref())).map(listed)
    };
    host.set("info", Func::from(info))?;
    let it = Rc::clone(run);
    let list = move |ctx: Ctx<'js>, path: String, module: Opt<Value<'js>>| {
        let listing = Entry::list(&it, &path, module_name(&module).as_deref());
        let (directory, files) = ok_or_throw(&ctx, &it, listing)?;
        let files: Vec<_> = files.into_iter().map(listed).collect();
        Ok::<_, rquickjs::Error>(List((listed(directory), files)))
    };
    host.set("dir", Func::from(list))?;
    let join = |base: String, name: String| format::join_paths(&base, &name);
    host.set("join", Func::from(join))?;
    let nearest = |written: String, candidates: Vec<String>| {
        plumb_diagnostic::nearest(&written, candidates.iter().map(String::as_str))
            .map(str::to_owned)
    };
    host.set("nearest", Func::from(nearest))
}

/// A file in the form that the modules expect: name, path and whether it is a directory.
fn listed(entry: Entry) -> List<(String, String, bool)> {
    List((entry.name, entry.path, entry.is_directory))
}

/// Installs functions for values that are serialized now and written later: scripts cannot change
/// them in between.
fn taken<'js>(host: &Object<'js>, run: &Rc<Run>) -> Result<()> {
    let it = Rc::clone(run);
    let take = move |ctx: Ctx<'js>,
                     value: Value<'js>,
                     inspect: Function<'js>,
                     path: String,
                     List((format, indent)): List<(u32, Option<u32>)>| {
        number_or_words(&ctx, &it, take(&it, value, inspect, &path, (format, indent)))
    };
    host.set("take", Func::from(take))?;
    let it = Rc::clone(run);
    let take_part = move |ctx: Ctx<'js>,
                          value: Value<'js>,
                          inspect: Function<'js>,
                          format: u32,
                          is_spliced: bool| {
        number_or_words(&ctx, &it, take_part(&it, value, inspect, format, is_spliced))
    };
    host.set("takePart", Func::from(take_part))?;
    let it = Rc::clone(run);
    let write_taken = move |ctx: Ctx<'js>, number: u32, path: String, overwrite: u32| {
        ok_or_throw(&ctx, &it, write_taken(&it, number, &path, overwrite))
    };
    host.set("writeTaken", Func::from(write_taken))?;
    let it = Rc::clone(run);
    let print_parts = move |ctx: Ctx<'js>, numbers: Vec<u32>, format: u32| {
        ok_or_throw(&ctx, &it, print_parts(&it, &numbers, format))
    };
    host.set("printParts", Func::from(print_parts))
}

/// Installs functions for the files of the command line. Other files are rejected, whatever path is
/// requested.
fn inputs<'js>(host: &Object<'js>, run: &Rc<Run>) -> Result<()> {
    let it = Rc::clone(run);
    let format = move |path: String| it.input_format(&path).number();
    host.set("inputFormat", Func::from(format))?;
    let it = Rc::clone(run);
    let input = move |ctx: Ctx<'js>, path: String| {
        let format = it.input_format(&path);
        it.say_read(&path, format);
        let is_stream = matches!(format, Format::YamlStream | Format::JsonStream);
        let input = it.input_named(&path).and_then(|()| it.input(&path, format));
        let values =
            input.map_err(ConversionError::Other).and_then(|it| input_to_js(&ctx, &it, is_stream));
        ok_or_throw(&ctx, &it, values)
    };
    host.set("input", Func::from(input))?;
    let it = Rc::clone(run);
    let write_input = move |ctx: Ctx<'js>, number: u32, path: String| {
        let content = it.input_named(&path).map(|()| content(&it, number));
        ok_or_throw(&ctx, &it, content.and_then(|content| it.write_input(&path, content)))
    };
    host.set("writeInput", Func::from(write_input))
}

fn values<'js>(host: &Object<'js>, run: &Rc<Run>) -> Result<()> {
    let it = Rc::clone(run);
    let parameters =
        move |ctx: Ctx<'js>| ok_or_throw(&ctx, &it, to_js(&ctx, &it.request.parameters.to_node()));
    host.set("parameters", Func::from(parameters))?;
    let it = Rc::clone(run);
    let parse = move |ctx: Ctx<'js>, text: String, format: u32| {
        let parsed = known_format(format).and_then(|format| format::parse(&text, format));
        let value = parsed.map_err(ConversionError::Other).and_then(|it| parsed_to_js(&ctx, it));
        ok_or_throw(&ctx, &it, value)
    };
    host.set("parse", Func::from(parse))?;
    let it = Rc::clone(run);
    let mistyped = move |ctx: Ctx<'js>, path: String, value: String, kind: String| {
        let (path, value) = (plain(path), secret(value));
        let message = match it.request.dialect {
            Dialect::Plumb => {
                let expected = match kind.as_str() {
                    "bool" => "true or false",
                    "float64" => "a number",
                    "Params" => "an object",
                    _ => "a string",
                };
                message!("expected the parameter `{path}` to be {expected}, found {value}")
            }
            Dialect::Jk => message!(
                "invalid type for param '{path}': cannot convert {value} to {}",
                plain(kind)
            ),
        };
        Err::<(), _>(Exception::throw_message(&ctx, &it.compose(&message)))
    };
    host.set("mistyped", Func::from(mistyped))?;
    let it = Rc::clone(run);
    let stringify = move |ctx: Ctx<'js>, value: Value<'js>, inspect: Function<'js>, format: u32| {
        ok_or_throw(&ctx, &it, stringify(&it, value, inspect, format))
    };
    host.set("stringify", Func::from(stringify))
}

fn validation<'js>(host: &Object<'js>, run: &Rc<Run>) -> Result<()> {
    let it = Rc::clone(run);
    let with_object =
        move |ctx: Ctx<'js>, value: Value<'js>, schema: Value<'js>, inspect: Function<'js>| {
            let schema = checked(&it, schema, inspect.clone());
            let found = schema.and_then(|schema| {
                let value = checked(&it, value, inspect)?;
                Ok(schema::validate_with_object(&it, &value, &schema)?)
            });
            ok_or_throw(&ctx, &it, found).map(said)
        };
    host.set("validateWithObject", Func::from(with_object))?;
    let it = Rc::clone(run);
    let with_file = move |ctx: Ctx<'js>,
                          value: Value<'js>,
                          inspect: Function<'js>,
                          path: String,
                          module: Opt<Value<'js>>| {
        let found = checked(&it, value, inspect).and_then(|value| {
            let module = module_name(&module);
            Ok(schema::validate_with_file(&it, &value, &path, module.as_deref())?)
        });
        ok_or_throw(&ctx, &it, found).map(said)
    };
    host.set("validateWithFile", Func::from(with_file))?;
    let it = Rc::clone(run);
    let failed = move |thrown: Value<'_>| {
        it.hold(vec![Finding::failed(describe(&it, &thrown))]).first().copied()
    };
    host.set("failed", Func::from(failed))?;
    host.set("checksAll", validator::checks_all(run))?;
    host.set("isPlumb", run.request.dialect == Dialect::Plumb)?;
    let it = Rc::clone(run);
    let check = move |ctx: Ctx<'js>, value: Value<'js>, inspect: Function<'js>| {
        let found = checked(&it, value, inspect);
        ok_or_throw(&ctx, &it, found.and_then(|node| Ok(validator::check(&it, node)?)))
    };
    host.set("check", Func::from(check))?;
    let it = Rc::clone(run);
    let check_input = move |ctx: Ctx<'js>, path: String, index: u32| {
        ok_or_throw(&ctx, &it, validator::check_input(&it, &path, index as usize))
    };
    host.set("checkInput", Func::from(check_input))?;
    let it = Rc::clone(run);
    let conclude = move |ctx: Ctx<'js>, answer: Value<'js>, inspect: Function<'js>| {
        let answer = checked(&it, answer, inspect).map(|it| Answer::from_node(&it));
        it.answer.replace(ok_or_throw(&ctx, &it, answer)?);
        Ok::<_, rquickjs::Error>(())
    };
    host.set("conclude", Func::from(conclude))
}

/// Findings in the form that the modules expect: message and path.
fn said(findings: Vec<InvalidValue>) -> Vec<List<(String, String)>> {
    let said = findings.into_iter().map(|it| {
        let field = it.field();
        List((it.message.shown().to_owned(), field))
    });
    said.collect()
}

/// A value to write. In jk's dialect, parts that cannot be expressed in JSON are dropped.
fn written<'js>(
    run: &Run,
    value: Value<'js>,
    inspect: Function<'js>,
    order: KeyOrder,
) -> std::result::Result<plumb_value::Node, ConversionError> {
    let losses = match run.request.dialect {
        Dialect::Plumb => Losses::Refused,
        Dialect::Jk => Losses::Accepted,
    };
    Reader::new(run, inspect, order, losses)?.read(value)
}

/// A value to validate, in the form that JSON has.
fn checked<'js>(
    run: &Run,
    value: Value<'js>,
    inspect: Function<'js>,
) -> std::result::Result<plumb_value::Node, ConversionError> {
    Reader::new(run, inspect, KeyOrder::Kept, Losses::Accepted)?.read(value)
}

fn write<'js>(
    run: &Run,
    value: Value<'js>,
    inspect: Function<'js>,
    path: &str,
    (format, indent, overwrite): (u32, Option<u32>, u32),
) -> std::result::Result<(), ConversionError> {
    let format = known_format(format)?;
    let node = written(run, value, inspect, KeyOrder::of(format, path))?;
    let content = || format::print(&node, path, format, indentation(indent));
    if path.is_empty() {
        return Ok(run.print(&content()?)?);
    }
    Ok(run.write(path, known_overwrite(overwrite)?, content)?)
}

fn take<'js>(
    run: &Run,
    value: Value<'js>,
    inspect: Function<'js>,
    path: &str,
    (format, indent): (u32, Option<u32>),
) -> std::result::Result<usize, ConversionError> {
    let format = known_format(format)?;
    let node = written(run, value, inspect, KeyOrder::of(format, path))?;
    let bytes = format::print(&node, path, format, indentation(indent))?;
    Ok(run.take(Taken::File(bytes))?)
}

fn take_part<'js>(
    run: &Run,
    value: Value<'js>,
    inspect: Function<'js>,
    format: u32,
    is_spliced: bool,
) -> std::result::Result<usize, ConversionError> {
    let format = known_format(format)?;
    let node = written(run, value, inspect, KeyOrder::of(format, ""))?;
    Ok(run.take(Taken::Part(StreamPart::new(&node, format, is_spliced)?))?)
}

fn stringify<'js>(
    run: &Run,
    value: Value<'js>,
    inspect: Function<'js>,
    format: u32,
) -> std::result::Result<String, ConversionError> {
    let format = known_format(format)?;
    let node = written(run, value, inspect, KeyOrder::of(format, ""))?;
    Ok(String::from_utf8_lossy(&format::stringify(&node, format)?).into_owned())
}

fn write_taken(
    run: &Run,
    number: u32,
    path: &str,
    overwrite: u32,
) -> std::result::Result<(), Error> {
    if path.is_empty() {
        return run.print(&content(run, number));
    }
    run.write(path, known_overwrite(overwrite)?, || Ok(content(run, number)))
}

fn content(run: &Run, number: u32) -> Vec<u8> {
    match run.give_back(number as usize) {
        Some(Taken::File(bytes)) => bytes,
        Some(Taken::Part(_)) | None => Vec::new(),
    }
}

fn print_parts(run: &Run, numbers: &[u32], format: u32) -> std::result::Result<(), Error> {
    let format = known_format(format)?;
    let mut out = Vec::new();
    for number in numbers {
        if let Some(Taken::Part(part)) = run.give_back(*number as usize) {
            part.append_to(&mut out, format);
        }
    }
    run.print(&out)
}

/// Numbers of encodings that scripts use.
const BYTES: u32 = 0;
const STRING: u32 = 1;

/// The content of a file, or of standard input if there is no path.
fn contents(
    run: &Run,
    path: &str,
    format: Format,
    module: Option<&str>,
) -> std::result::Result<Arc<[u8]>, Error> {
    run.say_read(path, format);
    if path.is_empty() { run.read_stdin() } else { run.read(path, module) }
}

/// The content of a file as a value of a script.
fn decoded<'js>(
    ctx: &Ctx<'js>,
    path: &str,
    bytes: &[u8],
    encoding: u32,
    format: Format,
) -> std::result::Result<Value<'js>, ConversionError> {
    match encoding {
        BYTES => Ok(TypedArray::new_copy(ctx.clone(), bytes)?.into_value()),
        STRING => Ok(String::from_utf8_lossy(bytes).into_js(ctx)?),
        _ => {
            let parsed = format::parsed(path, bytes, format);
            let parsed = parsed.map_err(|error| error.in_file(path))?;
            parsed_to_js(ctx, parsed).map_err(|error| match error {
                ConversionError::Other(other) => other.in_file(path).into(),
                error => error,
            })
        }
    }
}

fn indentation(indent: Option<u32>) -> Option<usize> {
    indent.map(|it| (it as usize).min(16))
}

fn known_format(number: u32) -> std::result::Result<Format, Error> {
    Format::from_number(number).ok_or(Error::UnknownFormat(number))
}

fn known_overwrite(number: u32) -> std::result::Result<Overwrite, Error> {
    match number {
        0 => Ok(Overwrite::Skip),
        1 => Ok(Overwrite::Write),
        2 => Ok(Overwrite::Err),
        other => Err(Error::UnknownOverwrite(other)),
    }
}

fn module_name(module: &Opt<Value<'_>>) -> Option<String> {
    let value = module.0.as_ref().filter(|it| !it.is_undefined() && !it.is_null())?;
    Some(value.as_string().and_then(|it| it.to_string().ok()).unwrap_or_default())
}

/// The number of a stored value, or a message if it contains something that is not data.
fn number_or_words<'js>(
    ctx: &Ctx<'js>,
    run: &Run,
    taken: std::result::Result<usize, ConversionError>,
) -> Result<Value<'js>> {
    match taken {
        Ok(number) => number.into_js(ctx),
        Err(ConversionError::Misfit { found, steps }) => misfit_words(&found, &steps).into_js(ctx),
        Err(error) => Err(error.throw(ctx, run)),
    }
}

fn ok_or_throw<T, E: Into<ConversionError>>(
    ctx: &Ctx<'_>,
    run: &Run,
    result: std::result::Result<T, E>,
) -> Result<T> {
    result.map_err(|error| error.into().throw(ctx, run))
}
