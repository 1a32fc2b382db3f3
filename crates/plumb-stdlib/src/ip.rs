//! `@ytt:ip`: addresses and networks.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use plumb_source::message;
use plumb_source::message::secret;
use plumb_starlark::{Args, Error, Result, Value};

use crate::arguments::one_text;
use crate::definition::{Member, ModuleDefinition};
use crate::object::{method, object};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "ip",
    summary: "addresses and networks",
    members: &[
        Member::function(
            "ip.parse_addr(text)",
            "Reads an address. It has `is_ipv4()`, `is_ipv6()` and `string()`.",
            |_, args| parse_addr(args),
        ),
        Member::function(
            "ip.parse_cidr(text)",
            "Reads an address with the length of its network. Returns both.",
            |_, args| parse_cidr(args),
        ),
    ],
};

fn parse_addr(args: &Args<'_>) -> Result<Value> {
    let text = one_text(args)?.to_str_lossy();
    match parse(&text) {
        Some(address) => Ok(address_value(address)),
        None => Err(Error::new(message!("invalid IP address: {}", secret(&text)))),
    }
}

fn parse_cidr(args: &Args<'_>) -> Result<Value> {
    let text = one_text(args)?.to_str_lossy();
    let invalid = || Error::new(message!("invalid CIDR address: {}", secret(&text)));
    let (address, length) = text.split_once('/').ok_or_else(invalid)?;
    let address = parse(address).ok_or_else(invalid)?;
    let is_number = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    let length: u32 = length.parse().ok().filter(|_| is_number).ok_or_else(invalid)?;
    let is_written_as_v4 = !text.split('/').next().unwrap_or_default().contains(':');
    let bits = if is_written_as_v4 { 32 } else { 128 };
    if length > bits {
        return Err(invalid());
    }
    let network = Network::new(address, length, is_written_as_v4);
    Ok(Value::tuple([address_value(address), network_value(network)]))
}

/// The addresses that begin with the same bits.
#[derive(Clone, Copy)]
struct Network {
    first: IpAddr,
    /// The length of the common prefix in bits.
    length: u32,
}

/// The position of the IPv4 address in an IPv6 address that contains one, in bits.
const MAPPED_BITS: u32 = 96;

impl Network {
    fn new(address: IpAddr, length: u32, is_written_as_v4: bool) -> Self {
        let v6 = match address {
            IpAddr::V4(v4) if is_written_as_v4 => {
                let mask = u32::MAX.checked_shl(32 - length).unwrap_or(0);
                let first = Ipv4Addr::from_bits(v4.to_bits() & mask).into();
                return Self { first, length };
            }
            IpAddr::V4(v4) => v4.to_ipv6_mapped(),
            IpAddr::V6(v6) => v6,
        };
        let mask = u128::MAX.checked_shl(128 - length).unwrap_or(0);
        let first = Ipv6Addr::from_bits(v6.to_bits() & mask);
        match (first.to_ipv4_mapped(), length.checked_sub(MAPPED_BITS)) {
            (Some(first), Some(length)) => Self { first: first.into(), length },
            _ => Self { first: first.into(), length },
        }
    }
}

/// Parses an address. An IPv4 address inside an IPv6 address is converted to IPv4.
fn parse(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    Some(match address {
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or(address, IpAddr::V4),
        IpAddr::V4(_) => address,
    })
}

fn address_value(address: IpAddr) -> Value {
    let members = vec![
        ("is_ipv4".into(), method("ip.addr.is_ipv4", move || address.is_ipv4().into())),
        ("is_ipv6".into(), method("ip.addr.is_ipv6", move || address.is_ipv6().into())),
        ("string".into(), method("ip.addr.string", move || shown(address).into())),
    ];
    object("@ytt:ip.addr", members)
}

fn network_value(network: Network) -> Value {
    let Network { first, length } = network;
    let members = vec![
        ("addr".into(), method("ip.net.addr", move || address_value(first))),
        (
            "string".into(),
            method("ip.net.string", move || format!("{}/{length}", shown(first)).into()),
        ),
    ];
    object("@ytt:ip.net", members)
}

/// Formats an address in the usual way. The longest run of zeros in an IPv6 address is shortened,
/// but the last 32 bits are not shown as IPv4.
fn shown(address: IpAddr) -> String {
    let IpAddr::V6(v6) = address else {
        return address.to_string();
    };
    let groups = v6.segments();
    let (start, length) = longest_zeros(groups);
    let mut out = String::new();
    let mut at = 0;
    while at < groups.len() {
        if length >= 2 && at == start {
            out.push_str("::");
            at += length;
            continue;
        }
        if !out.is_empty() && !out.ends_with(':') {
            out.push(':');
        }
        let _ = write!(out, "{:x}", groups[at]);
        at += 1;
    }
    out
}

fn longest_zeros(groups: [u16; 8]) -> (usize, usize) {
    let mut best = (0, 0);
    let mut at = 0;
    while at < groups.len() {
        let length = groups[at..].iter().take_while(|&&group| group == 0).count();
        if length > best.1 {
            best = (at, length);
        }
        at += length.max(1);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_of_zeros_is_left_out() {
        let check = |text: &str, expected: &str| {
            assert_eq!(shown(parse(text).expect("an address")), expected);
        };
        check("2001:db8:0:0:1:0:0:0", "2001:db8:0:0:1::");
        check("::1", "::1");
        check("::", "::");
        check("1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0");
        check("::ffff:1.2.3.4", "1.2.3.4");
    }

    #[test]
    fn a_network_has_no_host_bits() {
        let check = |address: &str, length: u32, expected: &str| {
            let is_written_as_v4 = !address.contains(':');
            let network =
                Network::new(parse(address).expect("an address"), length, is_written_as_v4);
            assert_eq!(format!("{}/{}", shown(network.first), network.length), expected);
        };
        check("10.1.2.3", 8, "10.0.0.0/8");
        check("10.1.2.3", 0, "0.0.0.0/0");
        check("fe80::1", 64, "fe80::/64");
        check("::ffff:1.2.3.4", 120, "1.2.3.0/24");
        check("::ffff:1.2.3.4", 96, "0.0.0.0/0");
        check("::ffff:1.2.3.4", 95, "::fffe:0:0/95");
    }
}
