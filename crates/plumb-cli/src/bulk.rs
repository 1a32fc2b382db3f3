//! Files as one JSON text, for programs that call this one: `{"files":[{"name":…,"data":…}]}`.

use plumb::GivenFile;
use serde_json::Value;

/// Reads the argument of `--bulk-in`.
pub(crate) fn read(text: &str) -> Result<Vec<GivenFile>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => "unexpected end of JSON input".to_owned(),
        _ => error.to_string(),
    })?;
    let files = match value.get("files") {
        Some(Value::Array(files)) => files.as_slice(),
        None | Some(Value::Null) if value.is_object() => &[],
        _ => return Err("expected JSON like {\"files\":[{\"name\":…,\"data\":…}]}".to_owned()),
    };
    files.iter().map(read_file).collect()
}

fn read_file(file: &Value) -> Result<GivenFile, String> {
    let text = |key: &str| match &file[key] {
        Value::String(text) => Ok(text.as_str()),
        Value::Null => Ok(""),
        _ => Err(format!("expected \"{key}\" of a file to be a string")),
    };
    Ok(GivenFile { path: text("name")?.to_owned(), bytes: text("data")?.as_bytes().into() })
}
