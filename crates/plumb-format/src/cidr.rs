//! `cidr`: an IP address and a prefix length, such as `10.0.0.0/8`. Host bits may be set.

use std::net::IpAddr;

use crate::FormatError;

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    let (address, prefix) = text.split_once('/').ok_or("it has no prefix length after a slash")?;
    let address: IpAddr =
        address.parse().map_err(|_| "the part before the slash is not an IP address")?;
    let longest = if address.is_ipv4() { 32 } else { 128 };
    let is_number = prefix.bytes().all(|it| it.is_ascii_digit())
        && !prefix.is_empty()
        && (prefix == "0" || !prefix.starts_with('0'));
    if !is_number {
        return Err("its prefix length is not a number");
    }
    match prefix.parse::<u8>() {
        Ok(length) if length <= longest => Ok(()),
        _ => Err("its prefix length is greater than the length of the address"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks() {
        for text in ["10.0.0.0/8", "10.1.2.3/8", "0.0.0.0/0", "::/0", "2001:db8::/128"] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let wrong = [
            "",
            "10.0.0.0",
            "10.0.0.0/",
            "10.0.0.0/33",
            "10.0.0.0/08",
            "::/129",
            "/8",
            "10/8",
            "10.0.0.0/+8",
            "10.0.0.0/8/8",
            "10.0.0.0/300",
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
