//! The flags of commands as tables: names, values, help, and where each value goes.
//!
//! The command line parses arguments with them, and derives help, completions and man pages from
//! them. The keys of a target in `plumb.yml` are the long names of the same flags.

mod options;
#[cfg(feature = "generators")]
pub mod script;
mod spec;
pub mod template;

pub use spec::{Flag, Spec, Takes, Topic};

/// The value of a flag that is not a number, or not one that the flag accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberError {
    /// The long name of the flag.
    pub flag: &'static str,
    pub value: String,
    /// What was expected, such as `a whole number`.
    pub expected: &'static str,
}

/// Parses the number of a flag.
pub fn number<T: std::str::FromStr>(
    flag: &'static str,
    value: &str,
    expected: &'static str,
) -> Result<T, NumberError> {
    value.parse().map_err(|_| NumberError { flag, value: value.to_owned(), expected })
}

/// Parses a time in seconds, which may have a fraction. Returns `None` for no limit.
pub fn seconds(
    flag: &'static str,
    value: &str,
) -> Result<Option<std::time::Duration>, NumberError> {
    let expected = "a number of seconds";
    let seconds: f64 = number(flag, value, expected)?;
    match std::time::Duration::try_from_secs_f64(seconds) {
        Ok(time) => Ok(Some(time)),
        // Longer than any clock can measure: no limit.
        Err(_) if seconds > 0.0 => Ok(None),
        Err(_) => Err(NumberError { flag, value: value.to_owned(), expected }),
    }
}
