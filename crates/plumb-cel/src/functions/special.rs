//! Values of the types that Kubernetes adds.

use std::net::IpAddr;

use crate::functions::named_format::NamedFormat;
use crate::functions::quantity::Amount;
use crate::functions::url::Url;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Special {
    Quantity(Amount),
    Ip(IpAddr),
    Cidr(Cidr),
    Url(Url),
    Semver(semver::Version),
    Format(NamedFormat),
}

/// A network: an address and the number of bits of its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cidr {
    pub(crate) address: IpAddr,
    pub(crate) prefix: u8,
}

impl Special {
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Quantity(_) => "kubernetes.Quantity",
            Self::Ip(_) => "net.IP",
            Self::Cidr(_) => "net.CIDR",
            Self::Url(_) => "kubernetes.URL",
            Self::Semver(_) => "kubernetes.Semver",
            Self::Format(_) => "kubernetes.NamedFormat",
        }
    }

    pub(crate) fn described(&self) -> &'static str {
        match self {
            Self::Quantity(_) => "a quantity",
            Self::Ip(_) => "an IP address",
            Self::Cidr(_) => "a CIDR",
            Self::Url(_) => "a URL",
            Self::Semver(_) => "a semantic version",
            Self::Format(_) => "a format",
        }
    }
}
