//! What the flags of the main command mean for a run.

use std::str::FromStr;
use std::time::Duration;

use plumb::{Dialect, Limits, Options, ReadLimits, SymlinkPolicy};

use crate::template::Flags;
use crate::{NumberError, number, seconds};

/// The maximum depth of calls from native functions back into templates: what fits on the stack of
/// a run.
const NATIVE_DEPTH: u32 = if cfg!(target_family = "wasm") { 50 } else { 5_000 };

const WHOLE: &str = "a whole number";

impl Flags {
    /// The options of a run over the files that `--file` names. They do not include the time limit
    /// and the size limit of files, which the caller must enforce: this crate can neither measure
    /// time nor read files.
    pub fn options(self) -> Result<Options, NumberError> {
        let (limits, reading) = (self.limits()?, self.reading()?);
        let symlinks = if self.allows_all_links {
            SymlinkPolicy::AllowAll
        } else {
            SymlinkPolicy::AllowInto(self.allowed_links)
        };
        let mut options = Options::new().limits(limits).paths(self.files);
        options.marks = self.marks;
        options.symlinks = symlinks;
        options.dialect = if self.is_strict { Dialect::Strict } else { Dialect::Full };
        options.ignores_unknown_comments = self.ignores_unknown_comments;
        options.overrides_map_keys = self.overrides_map_keys;
        options.keeps_comments = self.keeps_comments;
        options.data_values = self.data_values;
        options.skips_validation = self.skips_validation;
        options.skips_output_validation = self.skips_output_validation;
        options.kube_schemas = self.kube_schemas;
        options.kube_allow_unknown = self.kube_allow_unknown;
        options.reading = reading;
        Ok(options)
    }

    /// The time limit. Returns `None` for no limit, which is also the meaning of zero.
    pub fn time_limit(&self) -> Result<Option<Duration>, NumberError> {
        let Some(value) = &self.time_limit else { return Ok(None) };
        Ok(seconds("time-limit", value)?.filter(|it| !it.is_zero()))
    }

    /// The largest size of a file in bytes. Returns `None` if the flag was not given.
    pub fn max_file_size(&self) -> Result<Option<u64>, NumberError> {
        let mebibytes: Option<u64> = whole("file-size-limit", self.file_size_limit.as_ref())?;
        Ok(mebibytes.map(|it| it.saturating_mul(1 << 20)))
    }

    /// The limits for reading YAML documents.
    fn reading(&self) -> Result<ReadLimits, NumberError> {
        let limits = ReadLimits::default();
        let aliased_values = whole("alias-limit", self.alias_limit.as_ref())?;
        Ok(ReadLimits { aliased_values: aliased_values.unwrap_or(limits.aliased_values), ..limits })
    }

    /// The limits for the work of templates.
    fn limits(&self) -> Result<Limits, NumberError> {
        let mebibytes: Option<u64> = whole("memory-limit", self.memory_limit.as_ref())?;
        let regexp: Option<usize> = whole("regexp-limit", self.regexp_limit.as_ref())?;
        let limits = Limits::default();
        Ok(limits
            .steps(whole("step-limit", self.step_limit.as_ref())?.unwrap_or(limits.steps))
            .depth(whole("depth-limit", self.depth_limit.as_ref())?.unwrap_or(limits.depth))
            .memory(mebibytes.map_or(limits.memory, |it| it.saturating_mul(1 << 20)))
            .regexp(regexp.map_or(limits.regexp, |it| it.saturating_mul(1 << 20)))
            .native_depth(NATIVE_DEPTH))
    }
}

fn whole<T: FromStr>(flag: &'static str, given: Option<&String>) -> Result<Option<T>, NumberError> {
    given.map(|value| number(flag, value, WHOLE)).transpose()
}
