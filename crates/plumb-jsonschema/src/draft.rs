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
    pub const ALL: [Self; 5] = [Self::Four, Self::Six, Self::Seven, Self::Nineteen, Self::Twenty];

    /// The URI of its meta-schema, without a fragment.
    pub const fn uri(self) -> &'static str {
        match self {
            Self::Four => "http://json-schema.org/draft-04/schema",
            Self::Six => "http://json-schema.org/draft-06/schema",
            Self::Seven => "http://json-schema.org/draft-07/schema",
            Self::Nineteen => "https://json-schema.org/draft/2019-09/schema",
            Self::Twenty => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The draft whose meta-schema has this URI. `http` and `https` mean the same here.
    pub fn of_uri(uri: &str) -> Option<Self> {
        let rest = |it: &str| it.split_once("://").map(|(_, rest)| rest.to_owned());
        let wanted = rest(uri.trim_end_matches('#'))?;
        Self::ALL.into_iter().find(|it| rest(it.uri()).is_some_and(|it| it == wanted))
    }

    /// Whether other keywords count next to `$ref`.
    pub fn has_siblings_of_ref(self) -> bool {
        self >= Self::Nineteen
    }
}

impl Drafts {
    pub const NONE: Self = Self(0);
    pub const FOUR: Self = Self(1);
    pub const ONLY_2019: Self = Self(8);
    pub const ALL: Self = Self(31);
    pub const SINCE_SIX: Self = Self(30);
    pub const SINCE_SEVEN: Self = Self(28);
    pub const SINCE_2019: Self = Self(24);
    pub const SINCE_2020: Self = Self(16);
    pub const UNTIL_SEVEN: Self = Self(7);
    pub const UNTIL_2019: Self = Self(15);

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
        assert_eq!(Draft::of_uri("http://json-schema.org/draft-03/schema#"), None);
        assert!(Drafts::SINCE_SEVEN.has(Draft::Seven) && !Drafts::SINCE_SEVEN.has(Draft::Six));
    }
}
