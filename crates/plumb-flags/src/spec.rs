//! The description of a flag: its names, its value and its help.

/// A flag of a command that collects its flags in a `T`.
pub struct Spec<T> {
    pub long: &'static str,
    pub short: Option<char>,
    pub takes: Takes<T>,
    pub topic: Topic,
    pub help: &'static str,
}

pub enum Takes<T> {
    /// A switch, which is on if it has no value.
    Nothing(fn(&mut T) -> &mut bool),
    /// A value, with the name that the help shows for it. If the flag is repeated, the last value
    /// is used.
    One(&'static str, fn(&mut T, String)),
    /// A value, with the name that the help shows for it. The flag can be repeated, and all values
    /// are used.
    Each(&'static str, fn(&mut T, String)),
    /// One of these values; the code that uses the flag rejects others.
    OneOf(&'static str, &'static [&'static str], fn(&mut T, String)),
    /// Values separated by commas, with the name that the help shows for them.
    Many(&'static str, fn(&mut T, Vec<String>)),
    /// Some of these values, separated by commas.
    ManyOf(&'static str, &'static [&'static str], fn(&mut T, Vec<String>)),
}

/// The heading under which the help lists a flag, in the order of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    Input,
    DataValues,
    Output,
    Inspection,
    Language,
    Other,
}

impl Topic {
    pub const ALL: [Self; 6] = [
        Self::Input,
        Self::DataValues,
        Self::Output,
        Self::Inspection,
        Self::Language,
        Self::Other,
    ];

    /// The heading of the section in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Input => "Input",
            Self::DataValues => "Data values",
            Self::Output => "Output",
            Self::Inspection => "Inspection",
            Self::Language => "Language",
            Self::Other => "Other",
        }
    }
}

/// What help and completions need to know about a flag.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    pub long: &'static str,
    pub short: Option<char>,
    /// The name of the value that it takes.
    pub value: Option<&'static str>,
    /// The possible values, if they are known.
    pub values: &'static [&'static str],
    pub topic: Topic,
    pub help: &'static str,
}

impl<T> Spec<T> {
    /// The flag without its effect.
    pub fn flag(&self) -> Flag {
        let Self { long, short, topic, help, .. } = *self;
        Flag { long, short, value: self.value(), values: self.values(), topic, help }
    }

    /// The name of the value that the flag takes.
    fn value(&self) -> Option<&'static str> {
        match self.takes {
            Takes::Nothing(_) => None,
            Takes::One(value, _)
            | Takes::Each(value, _)
            | Takes::OneOf(value, ..)
            | Takes::Many(value, _)
            | Takes::ManyOf(value, ..) => Some(value),
        }
    }

    fn values(&self) -> &'static [&'static str] {
        match self.takes {
            Takes::Nothing(_) | Takes::One(..) | Takes::Each(..) | Takes::Many(..) => &[],
            Takes::OneOf(_, values, _) | Takes::ManyOf(_, values, _) => values,
        }
    }
}

impl Flag {
    /// Both names of the flag, as in messages.
    pub fn names(&self) -> String {
        match self.short {
            Some(short) => format!("-{short}, --{}", self.long),
            None => format!("--{}", self.long),
        }
    }
}
