//! The page of each code, as the manual has it. The table is written by `cargo xtask codes --update`.

/// The page that explains a code, in Markdown.
pub fn page(code: &str) -> Option<&'static str> {
    let at = PAGES.binary_search_by_key(&code, |(code, _)| code).ok()?;
    Some(PAGES[at].1)
}

/// All codes in order, each with the first paragraph of its page.
pub fn summaries() -> impl Iterator<Item = (&'static str, String)> {
    PAGES.iter().map(|(code, page)| {
        let summary = page.split("\n\n").nth(1).unwrap_or_default();
        (*code, summary.replace('\n', " "))
    })
}

macro_rules! pages {
    ($($code:literal)*) => {
        &[$(($code, include_str!(concat!("../../../docs/src/findings/", $code, ".md")))),*]
    };
}

const PAGES: &[(&str, &str)] = pages! {
    "cli/misuse"
    "data-values/bad-annotation"
    "data-values/duplicate-key"
    "data-values/is-directory"
    "data-values/misplaced-annotation"
    "data-values/mixed-documents"
    "data-values/not-plain"
    "data-values/unused"
    "data-values/wrong-flag"
    "generate/exception"
    "generate/file"
    "generate/invalid-value"
    "generate/limit-reached"
    "generate/protocol"
    "generate/unresolved-import"
    "input/linked-directory"
    "input/no-output-type"
    "input/not-a-file"
    "input/not-found"
    "input/not-listed"
    "input/renamed-directory"
    "input/symlink-broken"
    "input/symlink-not-allowed"
    "input/two-names"
    "input/unmatched-mark"
    "input/unreadable"
    "input/wrong-mark"
    "kubevirt/ignored"
    "kubevirt/no-rules"
    "kubevirt/not-a-machine"
    "kubevirt/nothing-to-check"
    "kubevirt/rule-broken"
    "kubevirt/rule-faulty"
    "kubevirt/rules-unreadable"
    "kubevirt/unfilled-parameter"
    "kubevirt/unreadable"
    "output/not-emptied"
    "output/not-json"
    "output/not-written"
    "output/same-path"
    "output/text-not-shown"
    "overlay/assertion-failed"
    "overlay/bad-argument"
    "overlay/bad-operation"
    "overlay/duplicate-key"
    "overlay/function-failed"
    "overlay/match-count"
    "overlay/missing-key"
    "overlay/no-document"
    "overlay/no-match"
    "overlay/without-effect"
    "overlay/wrong-type"
    "rules/no-such-function"
    "schema/alternatives"
    "schema/array-shape"
    "schema/attach"
    "schema/bad-definition"
    "schema/default-contradiction"
    "schema/default-mismatch"
    "schema/deprecated-value"
    "schema/example-mismatch"
    "schema/malformed-annotation"
    "schema/null-sample"
    "schema/type-mismatch"
    "schema/unknown-key"
    "schema/within-any"
    "template/code-after-node-keyword"
    "template/evaluation"
    "template/failed"
    "template/limit"
    "template/load-cycle"
    "template/missing-space"
    "template/repeated-annotation"
    "template/syntax"
    "template/text-syntax"
    "template/two-values"
    "template/undefined"
    "template/unknown-annotation"
    "template/unknown-comment"
    "template/unread-argument"
    "validation/condition-failed"
    "validation/malformed-rule"
    "validation/rule-broken"
    "validation/rule-failed"
    "validation/rule-stopped"
    "webhook/not-served"
    "yaml/anchor"
    "yaml/encoding"
    "yaml/limit"
    "yaml/merge"
    "yaml/strict"
    "yaml/syntax"
    "yaml/tag"
};
