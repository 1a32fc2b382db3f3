//! Templates that are objects of the cluster: listed once, then watched.
//!
//! For each kind of template, a thread keeps the [`Mirror`] in sync with the API server. It lists
//! all objects, follows the changes that the server sends, and lists the objects again after an
//! error. Meanwhile, the known objects stay in use.

mod client;
mod mirror;
mod page;

use std::path::PathBuf;

pub(crate) use mirror::Mirror;

/// The API server that has the templates.
#[derive(Clone, Debug)]
pub struct ApiServer {
    /// Its address, such as `https://10.0.0.1:443`. The token is not sent to an address with plain
    /// HTTP, such as that of `kubectl proxy`.
    pub address: String,
    /// The file with the token of the service account. It is read again for each request, because
    /// Kubernetes replaces it.
    pub token: Option<PathBuf>,
    /// The certificates of the authority that signed the server's certificate, in PEM. If it is
    /// `None`, those of the system are used.
    pub authority: Option<PathBuf>,
}

/// A kind of template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemplateKind {
    /// A template of OpenShift.
    OpenShift,
    /// A template of KubeVirt.
    KubeVirt,
}

impl TemplateKind {
    pub(crate) const ALL: [Self; 2] = [Self::OpenShift, Self::KubeVirt];

    /// The value of `kind`, which the items of a list do not always have.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::OpenShift => "Template",
            Self::KubeVirt => "VirtualMachineTemplate",
        }
    }

    /// The path of all objects of this kind.
    fn path(self) -> &'static str {
        match self {
            Self::OpenShift => "/apis/template.openshift.io/v1/templates",
            Self::KubeVirt => "/apis/template.kubevirt.io/v1alpha1/virtualmachinetemplates",
        }
    }
}
