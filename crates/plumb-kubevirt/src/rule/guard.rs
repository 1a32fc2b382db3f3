//! The fields that always exist.

use super::{Guard, RulePath};

/// The fields that have defaults according to the format, as paths from the virtual machine. A `*`
/// is every element of a list.
const DEFAULTED: [&str; 14] = [
    "spec.template.spec.domain.cpu.sockets",
    "spec.template.spec.domain.cpu.cores",
    "spec.template.spec.domain.cpu.threads",
    "spec.template.spec.domain.machine.type",
    "spec.template.spec.domain.devices.disks.*.serial",
    "spec.template.spec.domain.devices.disks.*.cache",
    "spec.template.spec.domain.devices.disks.*.io",
    "spec.template.spec.domain.devices.disks.*.tag",
    "spec.template.spec.domain.devices.interfaces.*.model",
    "spec.template.spec.domain.devices.interfaces.*.macAddress",
    "spec.template.spec.domain.devices.interfaces.*.pciAddress",
    "spec.template.spec.domain.devices.interfaces.*.tag",
    "spec.template.spec.domain.devices.interfaces.*.ports.*.protocol",
    "spec.template.spec.domain.devices.interfaces.*.ports.*.port",
];

impl Guard {
    pub(super) fn new(path: RulePath) -> Self {
        let names = path.template.plain_path();
        let is_defaulted = names.is_some_and(|names| {
            DEFAULTED.iter().any(|field| field.split('.').eq(names.iter().copied()))
        });
        if is_defaulted { Self::Defaulted } else { Self::Path(path) }
    }
}
