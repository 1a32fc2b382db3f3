//! The page of each code, as the manual has it. Written by `cargo xtask codes --update`.

/// The page that explains a code, in Markdown.
pub fn page(code: &str) -> Option<&'static str> {
    let at = PAGES.binary_search_by_key(&code, |(code, _)| code).ok()?;
    Some(PAGES[at].1)
}

const PAGES: &[(&str, &str)] = &[];
