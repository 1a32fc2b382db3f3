//! The functions that our modules in `js/` call. Scripts have no way to them but through those
//! modules, and nothing here trusts its caller.

use std::rc::Rc;

use rquickjs::function::{Func, Opt};
use rquickjs::{Ctx, Exception, IntoJs, Module, Object, Result, TypedArray, Value};

use super::thrown::Thrown;
use crate::Dialect;
use crate::format::{self, Format};
use crate::judge;
use crate::schema;
use crate::session::{Overwrite, Session};

/// Puts `plumb:host` in place, the module that all others get these functions from.
pub(super) fn install(ctx: &Ctx<'_>, session: &Rc<Session>) -> Result<()> {
    const NAME: &str = "plumb host";
    let host = Object::new(ctx.clone())?;
    console(&host, session)?;
    files(&host, session)?;
    inputs(&host, session)?;
    values(&host, session)?;
    ctx.globals().set(NAME, host)?;
    // The global is gone before any other code runs.
    let code = format!(
        "const host = globalThis['{NAME}']; delete globalThis['{NAME}']; export default host;"
    );
    let (_, promise) = Module::declare(ctx.clone(), "plumb:host", code)?.eval()?;
    promise.finish::<()>()
}

fn console<'js>(host: &Object<'js>, session: &Rc<Session>) -> Result<()> {
    let it = Rc::clone(session);
    let print = move |ctx: Ctx<'js>, text: String| ok_or_throw(&ctx, it.print(text.as_bytes()));
    host.set("print", Func::from(print))?;
    let it = Rc::clone(session);
    host.set("log", Func::from(move |text: String| it.log(text.as_bytes())))?;
    let it = Rc::clone(session);
    host.set("describe", Func::from(move |thrown: Value<'_>| describe(&it, &thrown)))
}

fn describe(session: &Session, thrown: &Value<'_>) -> String {
    Thrown::from_value(session, thrown).in_one_line(session)
}

fn files<'js>(host: &Object<'js>, session: &Rc<Session>) -> Result<()> {
    let it = Rc::clone(session);
    let write = move |ctx: Ctx<'js>,
                      text: String,
                      path: String,
                      format: u32,
                      indent: Option<u32>,
                      overwrite: u32| {
        ok_or_throw(&ctx, write(&it, &text, &path, format, indent, overwrite))
    };
    host.set("write", Func::from(write))?;
    let it = Rc::clone(session);
    let read =
        move |ctx: Ctx<'js>, path: String, encoding: u32, format: u32, module: Opt<Value<'js>>| {
            read(&ctx, &it, &path, encoding, format, module_name(&module).as_deref())
        };
    host.set("read", Func::from(read))?;
    let it = Rc::clone(session);
    let info = move |ctx: Ctx<'js>, path: String, module: Opt<Value<'js>>| {
        ok_or_throw(&ctx, it.info(&path, module_name(&module).as_deref()))
    };
    host.set("info", Func::from(info))?;
    let it = Rc::clone(session);
    let list = move |ctx: Ctx<'js>, path: String, module: Opt<Value<'js>>| {
        ok_or_throw(&ctx, it.list(&path, module_name(&module).as_deref()))
    };
    host.set("dir", Func::from(list))?;
    let join = |base: String, name: String| format::join_paths(&base, &name);
    host.set("join", Func::from(join))
}

/// Files that were named on the command line: no others are given, whatever path is asked for.
fn inputs<'js>(host: &Object<'js>, session: &Rc<Session>) -> Result<()> {
    let it = Rc::clone(session);
    let format = move |path: String| it.input_format(&path).number();
    host.set("inputFormat", Func::from(format))?;
    let it = Rc::clone(session);
    let input = move |ctx: Ctx<'js>, path: String| {
        let format = it.input_format(&path);
        it.say_read(&path, format);
        ok_or_throw(&ctx, it.input_named(&path).and_then(|()| it.input(&path, format)))
    };
    host.set("input", Func::from(input))?;
    let it = Rc::clone(session);
    let write_input = move |ctx: Ctx<'js>, text: String, path: String, format: u32| {
        let content = it.input_named(&path).and_then(|()| known_format(format));
        let content = content.and_then(|format| format::print(&text, &path, format, None));
        ok_or_throw(&ctx, content.and_then(|content| it.write_input(&path, content)))
    };
    host.set("writeInput", Func::from(write_input))
}

fn values<'js>(host: &Object<'js>, session: &Rc<Session>) -> Result<()> {
    let it = Rc::clone(session);
    host.set("parameters", Func::from(move || it.request.parameters.to_json()))?;
    let parse = |ctx: Ctx<'js>, text: String, format: u32| {
        let format = known_format(format);
        ok_or_throw(&ctx, format.and_then(|it| format::parse(&text, it)))
    };
    host.set("parse", Func::from(parse))?;
    let stringify = |ctx: Ctx<'js>, text: String, format: u32| {
        let text = known_format(format).and_then(|it| format::stringify(&text, it));
        ok_or_throw(&ctx, text.map(|it| String::from_utf8_lossy(&it).into_owned()))
    };
    host.set("stringify", Func::from(stringify))?;
    let it = Rc::clone(session);
    let with_object = move |ctx: Ctx<'js>, value: String, schema: String| {
        ok_or_throw(&ctx, schema::validate_with_text(&it, &value, &schema))
    };
    host.set("validateWithObject", Func::from(with_object))?;
    let it = Rc::clone(session);
    let with_file = move |ctx: Ctx<'js>, value: String, path: String, module: Opt<Value<'js>>| {
        let module = module_name(&module);
        ok_or_throw(&ctx, schema::validate_with_file(&it, &value, &path, module.as_deref()))
    };
    host.set("validateWithFile", Func::from(with_file))?;
    host.set("checksAll", judge::checks_all(session))?;
    host.set("isPlumb", session.request.dialect == Dialect::Plumb)?;
    let it = Rc::clone(session);
    let check = move |ctx: Ctx<'js>, value: String| ok_or_throw(&ctx, judge::check(&it, &value));
    host.set("check", Func::from(check))?;
    let it = Rc::clone(session);
    let check_input = move |ctx: Ctx<'js>, path: String, index: u32| {
        ok_or_throw(&ctx, judge::check_input(&it, &path, index as usize))
    };
    host.set("checkInput", Func::from(check_input))
}

fn write(
    session: &Session,
    text: &str,
    path: &str,
    format: u32,
    indent: Option<u32>,
    overwrite: u32,
) -> std::result::Result<(), String> {
    let format = known_format(format)?;
    let indent = indent.map(|it| (it as usize).min(16));
    if path.is_empty() {
        return session.print(&format::print(text, path, format, indent)?);
    }
    let overwrite = match overwrite {
        0 => Overwrite::Skip,
        1 => Overwrite::Write,
        2 => Overwrite::Err,
        other => return Err(format!("write: unknown way to overwrite ({other})")),
    };
    session.write(path, overwrite, || format::print(text, path, format, indent))
}

/// Numbers of encodings, as scripts know them.
const BYTES: u32 = 0;
const STRING: u32 = 1;

fn read<'js>(
    ctx: &Ctx<'js>,
    session: &Session,
    path: &str,
    encoding: u32,
    format: u32,
    module: Option<&str>,
) -> Result<Value<'js>> {
    let format = ok_or_throw(ctx, known_format(format))?;
    session.say_read(path, format);
    let bytes = if path.is_empty() { session.read_stdin() } else { session.read(path, module) };
    let bytes = ok_or_throw(ctx, bytes)?;
    match encoding {
        BYTES => TypedArray::new_copy(ctx.clone(), &bytes).map(TypedArray::into_value),
        STRING => String::from_utf8_lossy(&bytes).into_js(ctx),
        _ => {
            let json = format::to_json(path, &bytes, format);
            let json = json.map_err(|reason| format!("{path}: {reason}"));
            ok_or_throw(ctx, json)?.into_js(ctx)
        }
    }
}

fn known_format(number: u32) -> std::result::Result<Format, String> {
    Format::from_number(number).ok_or_else(|| format!("unknown format ({number})"))
}

fn module_name(module: &Opt<Value<'_>>) -> Option<String> {
    let value = module.0.as_ref().filter(|it| !it.is_undefined() && !it.is_null())?;
    Some(value.as_string().and_then(|it| it.to_string().ok()).unwrap_or_default())
}

fn ok_or_throw<T>(ctx: &Ctx<'_>, result: std::result::Result<T, String>) -> Result<T> {
    result.map_err(|message| Exception::throw_message(ctx, &message))
}
