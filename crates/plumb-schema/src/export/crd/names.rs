//! The names of a custom resource, and the rules of Kubernetes for them.

use std::fmt;

/// The names of a custom resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrdNames {
    /// A domain, such as `example.com`.
    pub group: String,
    /// The version of the API, such as `v1`.
    pub version: String,
    /// The singular in camel case, such as `Config`.
    pub kind: String,
    /// The plural in lower case, as in the paths of the API: `configs`.
    pub plural: String,
}

/// Why a name is not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameError {
    /// The group is not a domain in lower case.
    Group,
    /// The group belongs to Kubernetes.
    ReservedGroup,
    /// The version is not a word of lower-case letters and digits.
    Version,
    /// The kind is not a word of letters and digits.
    Kind,
    /// The plural is not a word of lower-case letters and digits.
    Plural,
}

impl CrdNames {
    /// Checks the names as an API server does. The defaults are `Config`, version `v1`, in the
    /// group `example.com`.
    pub fn new(
        group: Option<String>,
        version: Option<String>,
        kind: Option<String>,
        plural: Option<String>,
    ) -> Result<Self, NameError> {
        let kind = kind.unwrap_or_else(|| "Config".to_owned());
        let plural = plural.unwrap_or_else(|| plural_of(&kind));
        let group = group.unwrap_or_else(|| "example.com".to_owned());
        let version = version.unwrap_or_else(|| "v1".to_owned());
        let is_reserved = ["k8s.io", "kubernetes.io"]
            .iter()
            .any(|it| group == *it || group.ends_with(&format!(".{it}")));
        match () {
            () if !is_domain(&group) => Err(NameError::Group),
            () if is_reserved => Err(NameError::ReservedGroup),
            () if !is_label(&version) => Err(NameError::Version),
            () if !is_label(&kind.to_lowercase()) => Err(NameError::Kind),
            () if !is_label(&plural) => Err(NameError::Plural),
            () => Ok(Self { group, version, kind, plural }),
        }
    }
}

impl Default for CrdNames {
    fn default() -> Self {
        Self::new(None, None, None, None).expect("the default names are valid")
    }
}

impl NameError {
    /// Returns which of the names is not valid.
    pub fn name(self) -> &'static str {
        match self {
            Self::Group | Self::ReservedGroup => "group",
            Self::Version => "version",
            Self::Kind => "kind",
            Self::Plural => "plural",
        }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Group => {
                "a group is a domain in lower case with at least one dot, such as example.com"
            }
            Self::ReservedGroup => {
                "groups below k8s.io and kubernetes.io belong to Kubernetes: use your own domain"
            }
            Self::Version => {
                "a version is a word of lower-case letters and digits, such as v1alpha1"
            }
            Self::Kind => "a kind is a word of letters and digits, such as Database",
            Self::Plural => {
                "a plural is a word of lower-case letters and digits, such as databases"
            }
        })
    }
}

/// Returns the plural of a kind for the paths of the API.
fn plural_of(kind: &str) -> String {
    let word = kind.to_lowercase();
    let is_vowel = |it: char| "aeiou".contains(it);
    match word.strip_suffix('y') {
        Some(stem) if !stem.ends_with(is_vowel) => format!("{stem}ies"),
        _ if ["s", "x", "z", "ch", "sh"].iter().any(|it| word.ends_with(it)) => {
            format!("{word}es")
        }
        _ => format!("{word}s"),
    }
}

/// A label that begins with a letter (RFC 1035).
fn is_label(text: &str) -> bool {
    text.starts_with(|it: char| it.is_ascii_lowercase()) && is_part(text)
}

fn is_part(text: &str) -> bool {
    let is_inner = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    !text.is_empty()
        && text.len() <= 63
        && text.chars().all(is_inner)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

fn is_domain(text: &str) -> bool {
    text.len() <= 253 && text.contains('.') && text.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_follow_the_end_of_the_word() {
        let plurals = ["Config", "Policy", "Gateway", "Ingress", "Box", "Patch"].map(plural_of);
        assert_eq!(plurals, ["configs", "policies", "gateways", "ingresses", "boxes", "patches"]);
    }

    #[test]
    fn names_that_an_api_server_rejects_are_rejected() {
        let with = |group: &str, version: &str, kind: &str, plural: &str| {
            let given = [group, version, kind, plural].map(|it| Some(it.to_owned()));
            let [group, version, kind, plural] = given;
            CrdNames::new(group, version, kind, plural).err()
        };
        assert_eq!(with("example.com", "v1", "Config", "configs"), None);
        assert_eq!(with("example", "v1", "Config", "configs"), Some(NameError::Group));
        assert_eq!(with("a.K8s.io", "v1", "Config", "configs"), Some(NameError::Group));
        assert_eq!(with("a.k8s.io", "v1", "Config", "configs"), Some(NameError::ReservedGroup));
        assert_eq!(with("example.com", "1", "Config", "configs"), Some(NameError::Version));
        assert_eq!(with("example.com", "v1", "My Config", "configs"), Some(NameError::Kind));
        assert_eq!(with("example.com", "v1", "Config", "Configs"), Some(NameError::Plural));
    }
}
