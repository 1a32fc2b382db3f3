//! The documentation of built-in names, which editors show. It is written next to the
//! implementation, in the same table.

/// The signature and the summary of a built-in function or value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doc {
    /// The name, and the parameters of a function: `json.decode(text)`, `math.pi`.
    pub signature: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
}

impl Doc {
    /// Creates the documentation of a function or value.
    pub const fn new(signature: &'static str, summary: &'static str) -> Self {
        Self { signature, summary }
    }

    /// Returns the name with the name of its module: `json.decode`.
    pub fn full_name(&self) -> &'static str {
        self.signature.split_once('(').map_or(self.signature, |(name, _)| name)
    }

    /// Returns the name without the name of its module: `decode`.
    pub fn name(&self) -> &'static str {
        let full_name = self.full_name();
        full_name.rsplit_once('.').map_or(full_name, |(_, name)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_signatures() {
        let names = |signature| {
            let doc = Doc::new(signature, "");
            (doc.full_name(), doc.name())
        };
        assert_eq!(names("math.log(x, base=math.e)"), ("math.log", "log"));
        assert_eq!(names("math.pi"), ("math.pi", "pi"));
        assert_eq!(names("len(x)"), ("len", "len"));
    }
}
