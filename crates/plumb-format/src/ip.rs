//! `ipv4` and `ipv6`: addresses in the syntax of RFC 2673 and RFC 4291, without zone or prefix.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::FormatError;

pub(crate) fn check_v4(text: &str) -> Result<(), FormatError> {
    text.parse::<Ipv4Addr>()
        .map(drop)
        .map_err(|_| "it is not four numbers from 0 to 255 with dots between them")
}

pub(crate) fn check_v6(text: &str) -> Result<(), FormatError> {
    text.parse::<Ipv6Addr>().map(drop).map_err(|_| "it is not an IPv6 address")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for text in ["127.0.0.1", "0.0.0.0", "255.255.255.255"] {
            assert_eq!(check_v4(text), Ok(()), "{text}");
        }
        for text in ["", "1.2.3", "256.0.0.1", "01.2.3.4", "1.2.3.4/8", " 1.2.3.4", "::1"] {
            assert!(check_v4(text).is_err(), "{text}");
        }
        for text in ["::", "::1", "2001:db8::8a2e:370:7334", "::ffff:10.0.0.1"] {
            assert_eq!(check_v6(text), Ok(()), "{text}");
        }
        for text in ["", "1.2.3.4", ":::", "12345::", "fe80::1%eth0", "[::1]", "::/0"] {
            assert!(check_v6(text).is_err(), "{text}");
        }
    }
}
