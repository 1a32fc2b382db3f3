//! Selects the encoding of a file: the best one that the client accepts.

use axum::http::{HeaderMap, header};

/// How the bytes of a file are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
    /// Not encoded.
    Identity,
}

impl Encoding {
    /// The name in `Accept-Encoding` and `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    /// The smallest encoding that the headers of a request accept.
    pub(crate) fn accepted(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_ENCODING);
        let words: Vec<(&str, bool)> = values
            .iter()
            .filter_map(|it| it.to_str().ok())
            .flat_map(|it| it.split(','))
            .map(word)
            .collect();
        let accepts = |encoding: Self| {
            let find = |name: &str| words.iter().find(|it| it.0.eq_ignore_ascii_case(name));
            find(encoding.name()).or_else(|| find("*")).is_some_and(|it| it.1)
        };
        [Self::Brotli, Self::Gzip].into_iter().find(|it| accepts(*it)).unwrap_or(Self::Identity)
    }
}

/// The name of an encoding, and whether it is accepted: a weight of 0 rejects it.
fn word(text: &str) -> (&str, bool) {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let weight = parts.find_map(|it| it.strip_prefix("q=").or_else(|| it.strip_prefix("Q=")));
    (name, weight.is_none_or(|it| it.parse::<f32>().is_ok_and(|weight| weight > 0.0)))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn of(accepted: &'static str) -> Encoding {
        let value = HeaderValue::from_static(accepted);
        Encoding::accepted(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]))
    }

    #[test]
    fn the_smallest_accepted_encoding_is_chosen() {
        assert_eq!(Encoding::accepted(&HeaderMap::new()), Encoding::Identity);
        assert_eq!(of("gzip, deflate, br, zstd"), Encoding::Brotli);
        assert_eq!(of("gzip;q=1.0, BR; q=0.5"), Encoding::Brotli);
        assert_eq!(of("gzip"), Encoding::Gzip);
        assert_eq!(of("*"), Encoding::Brotli);
        assert_eq!(of("br;q=0, *;q=0.1"), Encoding::Gzip);
        assert_eq!(of("br;q=0, gzip;q=0.000"), Encoding::Identity);
        assert_eq!(of("br;q=much"), Encoding::Identity);
        assert_eq!(of("identity"), Encoding::Identity);
        assert_eq!(of(""), Encoding::Identity);
    }
}
