//! Creates a target from its settings: checks that they are compatible, and sets flags as the
//! command line would.

use std::path::{Path, PathBuf};

#[cfg(feature = "generators")]
use plumb::GeneratorOptions;
use plumb::MachineOptions;
use plumb::print::Format;
use plumb::world::Occupant;
use plumb_diagnostic::Diagnostic;
#[cfg(feature = "generators")]
use plumb_flags::script;
use plumb_flags::{NumberError, Spec, Takes, template};
use plumb_source::message::plain;
use plumb_source::{Message, Span, lexical, message};

#[cfg(feature = "generators")]
use crate::Generate;
use crate::fields::Written;
use crate::inherit::From;
use crate::key::{
    self, EMPTIED, GENERATE, Key, Kind, Meaning, OUTPUT_DIRECTORY, OUTPUT_FILES, VM_CHECK,
};
use crate::paths::{self, Base};
use crate::project::NamedPath;
use crate::read::{Entry, MachinesText, Setting, UNKNOWN_KEY, WRONG_VALUE};
use crate::{Output, Render, Target, Work};

/// Creates targets from their settings.
pub(crate) struct Builder<'a> {
    pub(crate) base: &'a Base,
    /// Whether the whole file could be read. Otherwise, a key may be missing only because it is
    /// misspelt, here or in a target that this one extends.
    pub(crate) is_whole: bool,
    pub(crate) findings: &'a mut Vec<Diagnostic>,
}

impl Builder<'_> {
    pub(crate) fn target(mut self, name: &Written, settings: &[(From, Entry)]) -> Option<Target> {
        let n_before = self.findings.len();
        let kind = self.kind(settings);
        if kind == Kind::Generate && cfg!(not(feature = "generators")) {
            return None;
        }
        let settings = self.of_kind(kind, settings);
        let mut env = Vec::new();
        for entry in &settings {
            if let Setting::Env(names) = &entry.setting {
                env = names.iter().map(|it| it.text.clone()).collect();
            }
        }
        let mut reads = Vec::new();
        for entry in &settings {
            self.collect_reads(entry, &mut reads);
        }
        let work = match kind {
            Kind::Render => Work::Render(Box::new(self.render(name, &settings, &env)?)),
            #[cfg(feature = "generators")]
            Kind::Generate => Work::Generate(Box::new(self.generate(name, &settings)?)),
            #[cfg(not(feature = "generators"))]
            Kind::Generate => return None,
            Kind::Machines => Work::Machines(self.machines(name, &settings)?),
        };
        let (name, place) = (name.text.clone(), name.place);
        let settings = text_of(&settings);
        let target = Target { name, place, work, env, reads, settings };
        (self.findings.len() == n_before).then_some(target)
    }

    fn kind(&mut self, settings: &[(From, Entry)]) -> Kind {
        let entry = |key: &str| settings.iter().find(|it| it.1.setting.key() == key);
        match (entry(GENERATE), entry(VM_CHECK)) {
            (Some(_), Some((_, second))) => {
                let message = "a target has either `generate` or `vm-check`, not both";
                self.findings.push(Diagnostic::error(UNKNOWN_KEY, message).at(second.place, ""));
                Kind::Generate
            }
            (Some(_), None) => Kind::Generate,
            (None, Some(_)) => Kind::Machines,
            (None, None) => Kind::Render,
        }
    }

    /// The settings that are valid for a target of this kind. Defaults for other kinds are left
    /// out; other invalid settings are mistakes.
    fn of_kind<'e>(&mut self, kind: Kind, settings: &'e [(From, Entry)]) -> Vec<&'e Entry> {
        let keys = key::keys(kind);
        let mut kept = Vec::new();
        for (from, entry) in settings {
            let is_flag = matches!(entry.setting, Setting::Flag(..) | Setting::Switch(..));
            let name = entry.setting.key();
            if !is_flag || keys.iter().any(|it| it.flag.long == name) {
                kept.push(entry);
            } else if *from == From::Target {
                let command = plain(kind.command());
                let message = message!("`{}` is not a flag of `{}`", plain(name), command);
                let finding = Diagnostic::error(UNKNOWN_KEY, message).at(entry.place, "");
                let meant = match (kind, name) {
                    (Kind::Generate, OUTPUT_FILES) => Some(OUTPUT_DIRECTORY),
                    (Kind::Render, OUTPUT_DIRECTORY) => Some(OUTPUT_FILES),
                    _ => None,
                };
                let help = meant.map(|it| message!("did you mean `{}`?", plain(it)));
                self.findings.push(help.into_iter().fold(finding, Diagnostic::help));
            }
        }
        kept
    }

    #[cfg(feature = "generators")]
    fn generate(&mut self, name: &Written, settings: &[&Entry]) -> Option<Generate> {
        let mut flags = script::Flags::default();
        let specs = script::generate();
        let mut written = None;
        for entry in settings {
            self.set(&mut flags, &specs, entry);
            if let Setting::Generate(script) = &entry.setting {
                written = Some(script);
            }
        }
        let place = |key: &str| place_of(settings, key);
        let mut options = GeneratorOptions::script(self.base.path(&written?.text));
        if flags.output_directory.as_os_str().is_empty() && self.is_whole {
            let message = message!("the target `{}` has no output directory", plain(&name.text));
            let finding = Diagnostic::error(WRONG_VALUE, message).at(name.place, "");
            self.findings.push(finding.help(message!("name one with `{}`", OUTPUT_DIRECTORY)));
            return None;
        }
        let directory = lexical::clean(&flags.output_directory);
        let output = Output { directory, occupant: Occupant::Kept, place: place(OUTPUT_DIRECTORY) };
        let completed = flags.time_limit().and_then(|time| {
            flags.complete(&mut options)?;
            Ok(time)
        });
        match completed {
            Ok(time_limit) => Some(Generate { options, output, time_limit }),
            Err(error) => {
                self.findings.push(bad_number(&error, place(error.flag)));
                None
            }
        }
    }

    fn machines(&mut self, name: &Written, settings: &[&Entry]) -> Option<MachineOptions> {
        let text = settings.iter().find_map(|it| match &it.setting {
            Setting::VmCheck(text) => Some(text),
            _ => None,
        })?;
        let MachinesText { templates, machines } = text;
        if templates.is_empty() && machines.is_empty() && self.is_whole {
            let message = message!("the target `{}` has no input", plain(&name.text));
            let finding = Diagnostic::error(WRONG_VALUE, message).at(name.place, "");
            self.findings.push(finding.help("name files with `machines` and `templates`"));
            return None;
        }
        let mut options = MachineOptions::new();
        options.templates = templates.iter().map(|it| self.base.path(&it.text)).collect();
        options.files = machines.iter().map(|it| self.base.path(&it.text)).collect();
        Some(options)
    }

    fn render(&mut self, name: &Written, settings: &[&Entry], env: &[String]) -> Option<Render> {
        let mut flags = template::Flags::default();
        for entry in settings {
            self.set(&mut flags, template::SPECS, entry);
        }
        let place = |key: &str| place_of(settings, key);
        if flags.files.is_empty() && self.is_whole {
            let message = message!("the target `{}` has no input", plain(&name.text));
            let finding = Diagnostic::error(WRONG_VALUE, message).at(name.place, "");
            self.findings.push(finding.help("name templates with `file`"));
        }
        self.check_variables(settings, env);
        let output = match (flags.emptied_directory.as_str(), flags.output_files.as_str()) {
            ("", "") => None,
            ("", directory) => Some((directory, Occupant::Kept, place(OUTPUT_FILES))),
            (directory, "") => Some((directory, Occupant::Removed, place(EMPTIED))),
            (_, _) => {
                let message = message!(
                    "a target has either `{}` or `{}`, not both",
                    plain(OUTPUT_FILES),
                    plain(EMPTIED)
                );
                let finding = Diagnostic::error(WRONG_VALUE, message).at(place(EMPTIED), "");
                self.findings.push(finding);
                None
            }
        };
        let output = output.map(|(directory, occupant, place)| Output {
            directory: lexical::clean(Path::new(directory)),
            occupant,
            place,
        });
        let format = self.format(&flags, output.is_some(), place("output"));
        let bad = |it: NumberError| bad_number(&it, place(it.flag));
        let (time_limit, max_file_size) = (flags.time_limit(), flags.max_file_size());
        let (time_limit, max_file_size) = match (time_limit, max_file_size) {
            (Ok(time), Ok(size)) => (time, size),
            (time, size) => {
                self.findings.extend([time.err(), size.err()].into_iter().flatten().map(bad));
                return None;
            }
        };
        match flags.options() {
            Ok(options) => Some(Render { options, output, format, time_limit, max_file_size }),
            Err(error) => {
                self.findings.push(bad(error));
                None
            }
        }
    }

    /// The format in which the target is printed. Files are always YAML.
    fn format(&mut self, flags: &template::Flags, is_written: bool, place: Option<Span>) -> Format {
        let mut format = Format::Yaml;
        for name in flags.outputs.iter().flatten().rev() {
            format = match name.as_str() {
                "yaml" => Format::Yaml,
                "json" => Format::Json,
                "pos" => Format::Positions,
                other => {
                    let message = message!("a target cannot be printed as {}", plain(other));
                    let finding = Diagnostic::error(WRONG_VALUE, message).at(place, "");
                    self.findings.push(finding.help("use `yaml`, `json` or `pos`"));
                    continue;
                }
            };
        }
        if is_written && format != Format::Yaml {
            let message = message!(
                "`output` has no effect with `{}`: files are written as YAML",
                plain(OUTPUT_FILES)
            );
            self.findings.push(Diagnostic::error(WRONG_VALUE, message).at(place, ""));
        }
        format
    }

    /// Rejects data values from variables that the target is not allowed to read.
    fn check_variables(&mut self, settings: &[&Entry], env: &[String]) {
        for entry in settings {
            let Setting::Flag(key, prefixes) = &entry.setting else { continue };
            if !key.flag.long.starts_with("data-values-env") {
                continue;
            }
            for prefix in prefixes {
                let start = format!("{}_", prefix.text);
                let may_match = |name: &String| match name.strip_suffix('*') {
                    Some(rest) => rest.starts_with(&start) || start.starts_with(rest),
                    None => name.starts_with(&start),
                };
                if env.iter().any(may_match) {
                    continue;
                }
                let message = message!("no variable in `env` begins with `{}`", plain(&start));
                let help = message!("allow the variables: `env: [{}*]`", plain(&start));
                let finding = Diagnostic::error(WRONG_VALUE, message).at(prefix.place, "");
                self.findings.push(finding.help(help));
            }
        }
    }

    /// Sets a flag as the command line would.
    fn set<T>(&mut self, flags: &mut T, specs: &[Spec<T>], entry: &Entry) {
        let spec = |key: &Key| {
            let spec = specs.iter().find(|it| it.long == key.flag.long);
            spec.expect("settings of other kinds were left out")
        };
        match &entry.setting {
            Setting::Switch(key, is_on) => {
                if let Takes::Nothing(place) = spec(key).takes {
                    *place(flags) = *is_on;
                }
            }
            Setting::Flag(key, values) => {
                let rebased = values.iter().filter_map(|it| self.rebased(*key, it));
                let rebased: Vec<String> = rebased.collect();
                match spec(key).takes {
                    Takes::Nothing(_) => {}
                    Takes::One(_, set) | Takes::Each(_, set) | Takes::OneOf(_, _, set) => {
                        for value in rebased {
                            set(flags, value);
                        }
                    }
                    Takes::Many(_, set) | Takes::ManyOf(_, _, set) => set(flags, rebased),
                }
            }
            Setting::Extends(_) | Setting::Generate(_) | Setting::VmCheck(_) | Setting::Env(_) => {}
        }
    }

    /// The value of a flag, with paths relative to the working directory. Returns `None`, with a
    /// finding, if it is not allowed.
    fn rebased(&mut self, key: Key, value: &Written) -> Option<String> {
        let text = value.text.as_str();
        if value.text.is_empty() {
            let message = message!("`{}` has an empty value", plain(key.flag.long));
            self.findings.push(Diagnostic::error(WRONG_VALUE, message).at(value.place, ""));
            return None;
        }
        let (before, path) = match key.meaning {
            Meaning::Other => return Some(value.text.clone()),
            Meaning::Module => return Some(self.base.module(text)),
            Meaning::Output => ("", text),
            Meaning::Input | Meaning::KeyedInput => match text.split_once('=') {
                Some((name, path)) => (&text[..=name.len()], path),
                None => ("", text),
            },
        };
        if path == "-" {
            let message = "a target cannot read standard input";
            let finding = Diagnostic::error(WRONG_VALUE, message).at(value.place, "");
            self.findings.push(finding.help("save the input to a file, and name that file"));
            return None;
        }
        Some(format!("{before}{}", self.base.path(path)))
    }

    /// Adds the paths that a setting makes the target read.
    fn collect_reads(&self, entry: &Entry, reads: &mut Vec<NamedPath>) {
        let values: Vec<&Written> = match &entry.setting {
            Setting::Flag(key, values)
                if matches!(key.meaning, Meaning::Input | Meaning::KeyedInput) =>
            {
                values.iter().collect()
            }
            Setting::Generate(script) => vec![script],
            Setting::VmCheck(text) => text.templates.iter().chain(&text.machines).collect(),
            Setting::Extends(_) | Setting::Env(_) | Setting::Flag(..) | Setting::Switch(..) => {
                return;
            }
        };
        for value in values {
            let path = value.text.split_once('=').map_or(value.text.as_str(), |(_, path)| path);
            if !paths::is_url(path) {
                let path = PathBuf::from(self.base.path(path));
                reads.push(NamedPath { path, place: value.place });
            }
        }
    }
}

/// The settings as text, without their places.
fn text_of(settings: &[&Entry]) -> String {
    let mut text = String::new();
    let mut add = |key: &str, values: &[Written]| {
        text.push_str(key);
        for value in values {
            text.push('\0');
            text.push_str(&value.text);
        }
        text.push('\n');
    };
    for entry in settings {
        match &entry.setting {
            Setting::Extends(value) | Setting::Generate(value) => {
                add(entry.setting.key(), std::slice::from_ref(value));
            }
            Setting::VmCheck(MachinesText { templates, machines }) => {
                add(key::TEMPLATES, templates);
                add(key::MACHINES, machines);
            }
            Setting::Env(values) | Setting::Flag(_, values) => add(entry.setting.key(), values),
            Setting::Switch(key, is_on) => add(&format!("{}={is_on}", key.flag.long), &[]),
        }
    }
    text
}

/// The place of the key in the project file. Returns `None` if the key is missing.
fn place_of(settings: &[&Entry], key: &str) -> Option<Span> {
    settings.iter().find(|it| it.setting.key() == key).and_then(|it| it.place)
}

fn bad_number(error: &NumberError, place: Option<Span>) -> Diagnostic {
    let message: Message = message!("expected {} for `{}`", error.expected, plain(error.flag));
    Diagnostic::error(WRONG_VALUE, message).at(place, "")
}
