//! The configuration of a function: its `functionConfig`.

use plumb_diagnostic::{Code, Diagnostic, Failure, nearest};
use plumb_library::{GivenFile, SilentDrops, SymlinkPolicy};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Sources, World, message};
use plumb_value::{Document, Map, MapItem, Node};
use plumb_yaml::print;

/// The configuration of a function is missing, or is not valid.
///
/// Its `spec` has `files` (names with their content), `paths` (files and directories), `dataValues`
/// and `kubeSchemas`. A `ConfigMap` works too: the keys of its `data` are the names of files.
pub const WRONG_CONFIG: Code = Code::new("krm/wrong-config");

const KEYS: [&str; 4] = ["files", "paths", "dataValues", "kubeSchemas"];

/// The file that contains the data values.
const DATA_VALUES: &str = "function-config/data-values.yml";

#[derive(Debug, Default)]
pub(super) struct Config {
    files: Vec<(String, String)>,
    paths: Vec<String>,
    data_values: Option<Node>,
    pub(super) kube_schemas: Vec<String>,
}

impl Config {
    /// Reads a configuration. If it is missing, the finding is at `origin`.
    pub(super) fn of(item: Option<&MapItem>, origin: Origin) -> Result<Self, Failure> {
        let Some((item, map)) = item.and_then(|it| Some((it, it.node.as_map()?))) else {
            let help = "functionConfig.spec has files, paths, dataValues and kubeSchemas";
            return Err(wrong("the list has no functionConfig", origin, help));
        };
        let is_config_map = map.get_str("kind").and_then(Node::as_str) == Some("ConfigMap");
        let key = if is_config_map { "data" } else { "spec" };
        let body = map.get(&key.into());
        let Some(Node::Map(body)) = body.map(|it| &it.node) else {
            let message = message!("functionConfig has no {key}");
            let help = message!("write below {key} what the function must do");
            return Err(wrong(message, body.map_or(item.origin, |it| it.origin), help));
        };
        let mut config = Self::default();
        if is_config_map {
            config.files = files(body)?;
            return Ok(config);
        }
        for item in body.items() {
            config.read(item)?;
        }
        Ok(config)
    }

    fn read(&mut self, item: &MapItem) -> Result<(), Failure> {
        let key = item.key.as_str().unwrap_or_default();
        match (key, &item.node) {
            (_, Node::Null) if KEYS.contains(&key) => {}
            ("files", Node::Map(map)) => self.files = files(map)?,
            ("files", _) => return Err(expected(item, "names of files with their content")),
            ("paths", node) => self.paths = texts(item, node)?,
            ("kubeSchemas", node) => self.kube_schemas = texts(item, node)?,
            ("dataValues", node @ Node::Map(_)) => self.data_values = Some(node.clone()),
            ("dataValues", _) => return Err(expected(item, "a map of data values")),
            _ => {
                let help = match nearest(key, KEYS.into_iter()) {
                    Some(meant) => message!("did you mean {}?", plain(meant)),
                    None => message!("there are {}", plain(KEYS.join(", "))),
                };
                let message = message!("functionConfig.spec has no key `{}`", plain(key));
                return Err(wrong(message, item.origin, help));
            }
        }
        Ok(())
    }

    /// All files that the configuration names, with their content.
    pub(super) fn files(
        &self,
        world: &dyn World,
        sources: &Sources,
    ) -> Result<Vec<GivenFile>, Failure> {
        let links = SymlinkPolicy::default();
        let named = plumb_library::collect(world, &self.paths, &links, SilentDrops::Refuse)?.files;
        let mut files = Vec::new();
        for input in named {
            let file = input.source(world, sources)?;
            let bytes = std::sync::Arc::clone(sources.get(file).bytes());
            files.push(GivenFile { path: input.path().to_owned(), bytes });
        }
        let inline = self.files.iter();
        files.extend(
            inline.map(|(path, text)| GivenFile {
                path: path.clone(),
                bytes: text.as_bytes().into(),
            }),
        );
        if let Some(values) = &self.data_values {
            let mut bytes = Vec::new();
            let document = Document::new(values.clone(), Origin::Unknown);
            print::documents([&document], &mut bytes);
            files.push(GivenFile { path: DATA_VALUES.to_owned(), bytes: bytes.into() });
        }
        Ok(files)
    }

    /// Returns the marks that set the types of the files.
    pub(super) fn marks(&self) -> Vec<String> {
        let values = self.data_values.as_ref();
        values.map(|_| format!("{DATA_VALUES}:type=yaml-data-values")).into_iter().collect()
    }
}

fn files(map: &Map) -> Result<Vec<(String, String)>, Failure> {
    let file = |item: &MapItem| match (item.key.as_str(), item.node.as_str()) {
        (Some(name), Some(text)) => Ok((name.to_owned(), text.to_owned())),
        _ => Err(expected(item, "the content of a file as text (write `|` after its name)")),
    };
    map.items().iter().map(file).collect()
}

fn texts(item: &MapItem, node: &Node) -> Result<Vec<String>, Failure> {
    let texts = match node {
        Node::Array(array) => {
            array.items.iter().map(|it| it.node.as_str().map(str::to_owned)).collect()
        }
        _ => None,
    };
    texts.ok_or_else(|| expected(item, "a list of paths"))
}

fn expected(item: &MapItem, what: &'static str) -> Failure {
    let key = item.key.as_str().unwrap_or("?");
    let message =
        message!("functionConfig: `{}` is {}", plain(key), item.node.kind().with_article());
    let finding = Diagnostic::error(WRONG_CONFIG, message);
    finding.at(item.origin, message!("expected {what}")).into()
}

fn wrong(message: impl Into<Message>, origin: Origin, help: impl Into<Message>) -> Failure {
    let finding = Diagnostic::error(WRONG_CONFIG, message).help(help);
    finding.at(origin, "").into()
}
