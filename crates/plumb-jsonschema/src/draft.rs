//! The drafts of JSON Schema.

/// A draft of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Draft {
    Four,
    Six,
    Seven,
    /// 2019-09.
    Nineteen,
    /// 2020-12.
    Twenty,
}

/// A set of drafts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drafts(u8);

impl Draft {
    /// All drafts, oldest first.
    pub const ALL: [Self; 5] = [Self::Four, Self::Six, Self::Seven, Self::Nineteen, Self::Twenty];

    /// The URI of the draft's meta-schema, without a fragment.
    pub const fn uri(self) -> &'static str {
        match self {
            Self::Four => "http://json-schema.org/draft-04/schema",
            Self::Six => "http://json-schema.org/draft-06/schema",
            Self::Seven => "http://json-schema.org/draft-07/schema",
            Self::Nineteen => "https://json-schema.org/draft/2019-09/schema",
            Self::Twenty => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Returns the draft whose meta-schema has this URI, or `None` if there is no such draft. The
    /// schemes `http` and `https` are equivalent here. `http://json-schema.org/schema` meant the
    /// latest draft while drafts had numbers. It is read as draft 7, the last numbered draft.
    pub fn of_uri(uri: &str) -> Option<Self> {
        let rest = |it: &str| it.split_once("://").map(|(_, rest)| rest.to_owned());
        let wanted = rest(uri.trim_end_matches('#'))?;
        if wanted == "json-schema.org/schema" {
            return Some(Self::Seven);
        }
        Self::ALL.into_iter().find(|it| rest(it.uri()).is_some_and(|it| it == wanted))
    }

    /// Returns whether keywords next to `$ref` are applied.
    pub fn has_siblings_of_ref(self) -> bool {
        self >= Self::Nineteen
    }
}

impl Drafts {
    /// No draft: keywords of `OpenAPI` and Kubernetes.
    pub const NONE: Self = Self(0);
    /// Draft 4 only.
    pub const FOUR: Self = Self(1);
    /// Draft 2019-09 only.
    pub const ONLY_2019: Self = Self(8);
    /// Every draft.
    pub const ALL: Self = Self(31);
    /// Draft 6 and later.
    pub const SINCE_SIX: Self = Self(30);
    /// Draft 7 and later.
    pub const SINCE_SEVEN: Self = Self(28);
    /// Draft 2019-09 and later.
    pub const SINCE_2019: Self = Self(24);
    /// Draft 2020-12.
    pub const SINCE_2020: Self = Self(16);
    /// Drafts 4, 6 and 7.
    pub const UNTIL_SEVEN: Self = Self(7);
    /// All drafts up to and including 2019-09.
    pub const UNTIL_2019: Self = Self(15);

    /// Returns whether the set contains the draft.
    pub const fn has(self, draft: Draft) -> bool {
        self.0 >> draft as u8 & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_known_by_their_uris() {
        for draft in Draft::ALL {
            assert_eq!(Draft::of_uri(draft.uri()), Some(draft));
        }
        assert_eq!(Draft::of_uri("https://json-schema.org/draft-07/schema#"), Some(Draft::Seven));
        assert_eq!(Draft::of_uri("http://json-schema.org/schema#"), Some(Draft::Seven));
        assert_eq!(Draft::of_uri("http://json-schema.org/draft-03/schema#"), None);
        assert!(Drafts::SINCE_SEVEN.has(Draft::Seven) && !Drafts::SINCE_SEVEN.has(Draft::Six));
    }
}
