//! One input file: the source of its bytes, its name, and its purpose.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::message::plain;
use plumb_source::{
    FileId, SourceKind, Sources, Text, World, WorldError, WorldErrorKind, lexical, message,
};

/// A file exists, but cannot be read.
///
/// Change its permissions, or leave it out with `--file-mark 'PATH:exclude=true'`.
pub(crate) const UNREADABLE: Code = Code::new("input/unreadable");

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A file that takes part in a run.
#[derive(Debug)]
pub struct InputFile {
    content: Content,
    found_as: String,
    renamed: Option<String>,
    by_name: ByName,
    type_mark: Option<TypeMark>,
    output_mark: Option<bool>,
    skips_byte_order_mark: bool,
    source: OnceLock<Result<FileId, Failure>>,
    data: OnceLock<Result<Text, Failure>>,
}

/// The properties that the name of a file determines.
#[derive(Clone, Copy, Debug)]
struct ByName {
    file_type: FileType,
    /// Whether it is a `NAME.lib.EXTENSION`.
    is_library: bool,
}

#[derive(Debug)]
pub(crate) enum Content {
    Disk(PathBuf),
    Url(String),
    /// Standard input: its content, or the error of reading it.
    Stdin(Result<Arc<[u8]>, WorldError>),
    /// Passed by the caller.
    Given(Arc<[u8]>),
}

/// How the text of a file is interpreted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileType {
    /// YAML, possibly a template.
    Yaml,
    /// Text, possibly a template.
    Text,
    /// Functions that templates can load.
    Starlark,
    /// Never parsed. Templates can read its bytes.
    Data,
}

/// The type that a user declares for a file, independently of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeMark {
    YamlTemplate,
    YamlPlain,
    /// Data values, without an annotation.
    YamlDataValues,
    TextTemplate,
    TextPlain,
    Starlark,
    Data,
}

impl InputFile {
    pub(crate) fn new(content: Content, found_as: String) -> Self {
        let by_name = ByName::of(&found_as);
        Self {
            content,
            found_as,
            renamed: None,
            by_name,
            type_mark: None,
            output_mark: None,
            skips_byte_order_mark: false,
            source: OnceLock::new(),
            data: OnceLock::new(),
        }
    }

    /// The path by which the run refers to the file, relative to the root.
    pub fn path(&self) -> &str {
        self.renamed.as_deref().unwrap_or(&self.found_as)
    }

    /// The path of the file before it was renamed: file marks match this path.
    pub fn original_path(&self) -> &str {
        &self.found_as
    }

    /// The source of the file, as messages show it.
    pub(crate) fn place(&self) -> String {
        match &self.content {
            Content::Disk(path) => path.display().to_string(),
            Content::Url(url) => lexical::public_url(url),
            Content::Stdin(_) => "standard input".to_owned(),
            Content::Given(_) => self.found_as.clone(),
        }
    }

    pub(crate) fn rename(&mut self, path: String) {
        self.by_name = ByName::of(&path);
        self.renamed = Some(path);
    }

    /// Makes the reader skip a byte order mark at the beginning of the text. ytt treats it as part
    /// of the text.
    pub(crate) fn skip_byte_order_mark(&mut self) {
        self.skips_byte_order_mark = true;
    }

    /// The path on disk, or `None` if the file was not read from disk.
    pub fn disk_path(&self) -> Option<&Path> {
        match &self.content {
            Content::Disk(path) => Some(path),
            Content::Url(_) | Content::Stdin(_) | Content::Given(_) => None,
        }
    }

    pub(crate) fn mark_type(&mut self, mark: TypeMark) {
        self.type_mark = Some(mark);
    }

    pub(crate) fn mark_output(&mut self, is_for_output: bool) {
        self.output_mark = Some(is_for_output);
    }

    /// The type of the file: set by a file mark, and otherwise determined by the name.
    pub fn file_type(&self) -> FileType {
        match self.type_mark {
            Some(TypeMark::YamlTemplate | TypeMark::YamlPlain | TypeMark::YamlDataValues) => {
                FileType::Yaml
            }
            Some(TypeMark::TextTemplate | TypeMark::TextPlain) => FileType::Text,
            Some(TypeMark::Starlark) => FileType::Starlark,
            Some(TypeMark::Data) => FileType::Data,
            None => self.by_name.file_type,
        }
    }

    /// Returns whether other files can load it: modules of code, and `NAME.lib.EXTENSION`.
    pub fn is_library(&self) -> bool {
        self.by_name.is_library || self.file_type() == FileType::Starlark
    }

    /// Returns whether template code in the file is run.
    pub fn is_template(&self) -> bool {
        match self.type_mark {
            Some(TypeMark::YamlTemplate | TypeMark::YamlDataValues | TypeMark::TextTemplate) => {
                true
            }
            Some(
                TypeMark::YamlPlain | TypeMark::TextPlain | TypeMark::Starlark | TypeMark::Data,
            ) => false,
            None => self.is_template_by_name(),
        }
    }

    /// Returns whether the result of the file is part of the output.
    pub fn is_for_output(&self) -> bool {
        if let Some(is_for_output) = self.output_mark {
            return is_for_output;
        }
        match self.type_mark {
            Some(TypeMark::YamlTemplate | TypeMark::TextTemplate) => true,
            Some(TypeMark::YamlDataValues) => false,
            Some(
                TypeMark::YamlPlain | TypeMark::TextPlain | TypeMark::Starlark | TypeMark::Data,
            )
            | None => self.is_template_by_name(),
        }
    }

    /// Returns whether all documents of the file are data values, annotated or not.
    pub(crate) fn is_data_values(&self) -> bool {
        self.type_mark == Some(TypeMark::YamlDataValues)
    }

    fn is_template_by_name(&self) -> bool {
        !self.is_library() && matches!(self.file_type(), FileType::Yaml | FileType::Text)
    }

    /// Reads the file on the first call, and adds it to the sources under its path. Fails if it
    /// cannot be read.
    pub fn source(&self, world: &dyn World, sources: &Sources) -> Result<FileId, Failure> {
        let read = || {
            let bytes = self.bytes(world).map_err(|error| self.unreadable(&error))?;
            let kind = match self.file_type() {
                FileType::Yaml | FileType::Data => SourceKind::File,
                FileType::Text => SourceKind::Text,
                FileType::Starlark => SourceKind::Module,
            };
            Ok(match &self.content {
                Content::Disk(path) => sources.add_file(self.path(), path, kind, bytes),
                Content::Url(url) => {
                    sources.add_elsewhere(self.path(), &lexical::public_url(url), kind, bytes)
                }
                Content::Stdin(_) => {
                    sources.add_elsewhere(self.path(), "(standard input)", kind, bytes)
                }
                Content::Given(_) => sources.add_named(self.path(), kind, bytes),
            })
        };
        self.source.get_or_init(read).clone()
    }

    /// Reads the text of a file that is only data, on the first call. It is not added to the sources,
    /// because no finding is about it. Returns `None` for files of other types.
    pub(crate) fn data(&self, world: &dyn World) -> Option<Result<Text, Failure>> {
        let read = || {
            let bytes = self.bytes(world).map_err(|error| self.unreadable(&error))?;
            Ok(Text::from_bytes(&bytes))
        };
        (self.file_type() == FileType::Data).then(|| self.data.get_or_init(read).clone())
    }

    /// The text of the file, if it has been read.
    pub fn known_source(&self) -> Option<FileId> {
        self.source.get()?.as_ref().ok().copied()
    }

    fn bytes(&self, world: &dyn World) -> Result<Arc<[u8]>, WorldError> {
        let bytes = match &self.content {
            Content::Disk(path) => world.read(path)?,
            Content::Url(url) => world.fetch(url)?,
            Content::Stdin(bytes) => bytes.clone()?,
            Content::Given(bytes) => Arc::clone(bytes),
        };
        let bytes = match bytes.strip_prefix(BYTE_ORDER_MARK) {
            Some(text) if self.skips_byte_order_mark && self.file_type() != FileType::Data => {
                text.into()
            }
            _ => bytes,
        };
        match u32::try_from(bytes.len()) {
            Ok(_) => Ok(bytes),
            Err(_) => Err(WorldError::new("read", self.path(), WorldErrorKind::TooLarge)),
        }
    }

    fn unreadable(&self, error: &WorldError) -> Failure {
        let words = match &self.content {
            Content::Url(url) => error.words().replace(url, &lexical::public_url(url)),
            _ => error.words(),
        };
        let finding = Diagnostic::error(UNREADABLE, plain(words));
        let leave_out = || {
            message!("or leave it out with --file-mark '{}:exclude=true'", plain(&self.found_as))
        };
        let finding = match error.kind {
            WorldErrorKind::PermissionDenied => finding
                .help(message!("change its permissions so that you can read it, {}", leave_out())),
            WorldErrorKind::IsADirectory => {
                finding.help(message!("name the directory itself with -f, {}", leave_out()))
            }
            WorldErrorKind::AlreadyRead => {
                finding.help("save the input to a file, and name that file")
            }
            WorldErrorKind::NotFound
            | WorldErrorKind::NotADirectory
            | WorldErrorKind::TooLarge
            | WorldErrorKind::TooManyLinks
            | WorldErrorKind::Network { .. }
            | WorldErrorKind::Other(_) => finding,
        };
        finding.with_facts(error.clone()).into()
    }
}

impl ByName {
    fn of(path: &str) -> Self {
        let name = lexical::base_name(path);
        let has = |extension: &str| name.ends_with(extension);
        let file_type = match () {
            () if has(".yaml") || has(".yml") => FileType::Yaml,
            () if has(".star") => FileType::Starlark,
            () if has(".txt") => FileType::Text,
            () => FileType::Data,
        };
        let mut dotted = name.rsplit('.');
        let is_library = dotted.nth(1) == Some("lib") && dotted.next().is_some();
        Self { file_type, is_library }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> InputFile {
        InputFile::new(Content::Given(Arc::default()), path.to_owned())
    }

    #[test]
    fn the_name_says_the_type() {
        assert_eq!(file("a/b.yaml").file_type(), FileType::Yaml);
        assert_eq!(file(".yml").file_type(), FileType::Yaml);
        assert_eq!(file("UP.YML").file_type(), FileType::Data);
        assert_eq!(file("a.star").file_type(), FileType::Starlark);
        assert_eq!(file("a.yml/b").file_type(), FileType::Data);
    }

    #[test]
    fn a_library_has_a_name_before_lib() {
        assert!(file("d/x.lib.yml").is_library());
        assert!(file("x.lib.txt").is_library());
        assert!(file("x.star").is_library());
        assert!(!file("lib.yml").is_library());
        assert!(!file("x.lib/y.yml").is_library());
        assert!(file(".lib.yml").is_library());
    }

    #[test]
    fn a_renamed_file_is_what_its_new_name_says() {
        let mut renamed = file("a.yml");
        renamed.rename("b.txt".to_owned());
        assert_eq!(renamed.file_type(), FileType::Text);
        assert_eq!(renamed.original_path(), "a.yml");
    }

    #[test]
    fn a_plain_file_is_output_but_no_template() {
        let mut plain = file("notes.md");
        plain.mark_type(TypeMark::YamlPlain);
        assert!(plain.is_for_output() && !plain.is_template());
        let mut library = file("x.lib.yml");
        library.mark_type(TypeMark::YamlPlain);
        assert!(!library.is_for_output());
        library.mark_type(TypeMark::YamlTemplate);
        assert!(library.is_for_output());
    }
}
