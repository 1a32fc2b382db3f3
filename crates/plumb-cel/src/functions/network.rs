//! IP addresses and networks.

use std::net::IpAddr;

use crate::functions::special::{Cidr, Special};
use crate::functions::{Context, Function, global, member};
use crate::operate::{OperationError, Outcome};
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    global("ip", 1..=1, |args, context| {
        address(args, context).map(|it| Value::special(Special::Ip(it)))
    }),
    global("isIP", 1..=1, |args, context| is(address(args, context).map(drop))),
    global("ip.isCanonical", 1..=1, is_canonical),
    global("cidr", 1..=1, |args, context| {
        network(&args[0], context).map(|it| Value::special(Special::Cidr(it)))
    }),
    global("isCIDR", 1..=1, |args, context| is(network(&args[0], context).map(drop))),
    member("family", 0..=0, |args, _| {
        Ok(Value::Int(if of_address(&args[0])?.is_ipv4() { 4 } else { 6 }))
    }),
    member("isUnspecified", 0..=0, |args, _| test(args, |it| it.is_unspecified())),
    member("isLoopback", 0..=0, |args, _| test(args, |it| it.is_loopback())),
    member("isLinkLocalMulticast", 0..=0, |args, _| test(args, is_link_local_multicast)),
    member("isLinkLocalUnicast", 0..=0, |args, _| test(args, is_link_local)),
    member("isGlobalUnicast", 0..=0, |args, _| test(args, is_global_unicast)),
    member("containsIP", 1..=1, contains_ip),
    member("containsCIDR", 1..=1, contains_cidr),
    member("ip", 0..=0, |args, _| Ok(Value::special(Special::Ip(of_network(&args[0])?.address)))),
    member("masked", 0..=0, |args, _| {
        Ok(Value::special(Special::Cidr(of_network(&args[0])?.masked())))
    }),
    member("prefixLength", 0..=0, |args, _| Ok(Value::Int(of_network(&args[0])?.prefix.into()))),
];

fn text<'v>(value: &'v Value<'_>, context: &mut Context<'_>) -> Result<&'v str, OperationError> {
    let Value::String(text) = value else {
        return Err(OperationError::Types);
    };
    context.budget.pay_for_bytes(text.len())?;
    Ok(text)
}

fn address(args: &[Value<'_>], context: &mut Context<'_>) -> Result<IpAddr, OperationError> {
    parse_address(text(&args[0], context)?)
        .ok_or_else(|| OperationError::other("the string is not an IP address"))
}

/// Parses an address. As in Kubernetes, zones and IPv4-mapped IPv6 addresses are not accepted.
fn parse_address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    let is_mapped = matches!(address, IpAddr::V6(it) if it.to_ipv4_mapped().is_some());
    (!is_mapped).then_some(address)
}

fn network(value: &Value<'_>, context: &mut Context<'_>) -> Result<Cidr, OperationError> {
    let text = text(value, context)?;
    parse_network(text).ok_or_else(|| {
        OperationError::other("the string is not a CIDR block, such as `10.0.0.0/8`")
    })
}

fn parse_network(text: &str) -> Option<Cidr> {
    plumb_format::Format::Cidr.check_text(text).ok()?;
    let (address, prefix) = text.split_once('/')?;
    Some(Cidr { address: parse_address(address)?, prefix: prefix.parse().ok()? })
}

fn is<'a>(result: Result<(), OperationError>) -> Outcome<'a> {
    match result {
        Err(error @ (OperationError::Types | OperationError::Limit)) => Err(error),
        result => Ok(Value::Bool(result.is_ok())),
    }
}

/// Whether the address is written in its canonical form.
fn is_canonical<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let address = address(args, context)?;
    Ok(Value::Bool(address.to_string() == text(&args[0], context)?))
}

fn of_address(value: &Value<'_>) -> Result<IpAddr, OperationError> {
    match value {
        Value::Special(special) => match **special {
            Special::Ip(address) => Ok(address),
            _ => Err(OperationError::Types),
        },
        _ => Err(OperationError::Types),
    }
}

fn of_network(value: &Value<'_>) -> Result<Cidr, OperationError> {
    match value {
        Value::Special(special) => match **special {
            Special::Cidr(cidr) => Ok(cidr),
            _ => Err(OperationError::Types),
        },
        _ => Err(OperationError::Types),
    }
}

fn test<'a>(args: &[Value<'a>], holds: fn(IpAddr) -> bool) -> Outcome<'a> {
    Ok(Value::Bool(holds(of_address(&args[0])?)))
}

fn is_link_local_multicast(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => matches!(it.octets(), [224, 0, 0, _]),
        IpAddr::V6(it) => it.segments()[0] & 0xff0f == 0xff02,
    }
}

fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => it.is_link_local(),
        IpAddr::V6(it) => it.is_unicast_link_local(),
    }
}

fn is_global_unicast(address: IpAddr) -> bool {
    let is_broadcast = matches!(address, IpAddr::V4(it) if it.is_broadcast());
    !(is_broadcast
        || address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || is_link_local(address))
}

fn contains_ip<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let network = of_network(&args[0])?;
    let other = match &args[1] {
        Value::String(_) => address(&args[1..], context)?,
        other => of_address(other)?,
    };
    Ok(Value::Bool(network.contains(other)))
}

fn contains_cidr<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let outer = of_network(&args[0])?;
    let inner = match &args[1] {
        Value::String(_) => network(&args[1], context)?,
        other => of_network(other)?,
    };
    let is_within = inner.prefix >= outer.prefix && outer.contains(inner.address);
    Ok(Value::Bool(is_within))
}

impl Cidr {
    /// The network with all host bits set to zero.
    fn masked(self) -> Self {
        let prefix = u32::from(self.prefix);
        let address = match self.address {
            IpAddr::V4(it) => {
                let mask = u32::MAX.checked_shl(32 - prefix).unwrap_or_default();
                IpAddr::V4((it.to_bits() & mask).into())
            }
            IpAddr::V6(it) => {
                let mask = u128::MAX.checked_shl(128 - prefix).unwrap_or_default();
                IpAddr::V6((it.to_bits() & mask).into())
            }
        };
        Self { address, ..self }
    }

    fn contains(self, address: IpAddr) -> bool {
        let is_same_family = self.address.is_ipv4() == address.is_ipv4();
        let other = Self { address, prefix: self.prefix };
        is_same_family && self.masked() == other.masked()
    }
}
