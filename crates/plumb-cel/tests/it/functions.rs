//! The functions, a test for each library.

use crate::{failed, hold};

#[test]
fn conversions() {
    hold(
        "null",
        &[
            "size('aé') == 2 && 'ab'.size() == 2 && size([1]) == 1 && size({}) == 0 && size(b'a') == 1",
            "int('12') == 12 && int(1.9) == 1 && int(-1.9) == -1 && int(2u) == 2 && uint(3) == 3u",
            "double('1.5') == 1.5 && double(2) == 2.0 && string(1) == '1' && string(1.5) == '1.5'",
            "string(true) == 'true' && bool('true') && string(b'ab') == 'ab' && bytes('a') == b'a'",
            "dyn(1) == 1 && dyn('a') != null",
        ],
    );
}

#[test]
fn strings() {
    hold(
        "null",
        &[
            "'hello'.contains('ell') && 'hello'.startsWith('he') && 'hello'.endsWith('lo')",
            "'tacocat'.charAt(3) == 'o' && 'abc'.charAt(3) == ''",
            "'hello mellow'.indexOf('ello') == 1 && 'hello mellow'.indexOf('ello', 2) == 7",
            "'hello mellow'.indexOf('jello') == -1 && 'hello'.indexOf('') == 0 && 'éa'.indexOf('a') == 1",
            "'hello mellow'.lastIndexOf('ello') == 7 && 'hello mellow'.lastIndexOf('ello', 6) == 1",
            "'hello'.lastIndexOf('') == 5",
            "['a', 'b'].join() == 'ab' && ['a', 'b'].join('-') == 'a-b' && [].join('-') == ''",
            "'TacoÉ'.lowerAscii() == 'tacoÉ' && 'Tacoé'.upperAscii() == 'TACOé'",
            "'hello hello'.replace('he', 'we') == 'wello wello'",
            "'hello hello'.replace('he', 'we', 1) == 'wello hello' && 'a'.replace('a', 'b', 0) == 'a'",
            "'a b c'.split(' ') == ['a', 'b', 'c'] && 'a b c'.split(' ', 2) == ['a', 'b c']",
            "'abc'.split('') == ['a', 'b', 'c'] && 'a b'.split(' ', 0) == [] && 'aéb'.split('', 2) == ['a', 'éb']",
            "'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco' && 'a'.substring(1) == ''",
            "' \\ttrim\\n '.trim() == 'trim'",
            "strings.quote('a\"b') == '\"a\\\\\"b\"'",
            "'%s is %d%%, %.2f, %b, %x, %X, %o'.format(['a', 5, 1.25, 5, 255, 'hi', 8]) == 'a is 5%, 1.25, 101, ff, 6869, 10'",
            "'%s %s %s'.format([[1, 'a'], {'k': true}, null]) == '[1, \"a\"] {\"k\":true} null'",
            "'%s'.format([{'b': 1, 'a': 2.5, 1: duration('1h')}]) == '{\"a\":2.500000, \"b\":1, 1:duration(\"3600s\")}'",
            "'%f %.1f'.format([1234567.5, -1234.56]) == '1,234,567.500000 -1,234.6'",
            "'%e %e'.format([1234.5, -0.00000314]) == '1.234500×10⁰³ -3.140000×10⁻⁰⁶'",
            "strings.quote('\\a\\b\\f\\v\\x01') == '\"\\\\a\\\\b\\\\f\\\\v\\x01\"'",
        ],
    );
}

#[test]
fn lists() {
    hold(
        "null",
        &[
            "[1, 2, 2, 3].isSorted() && ![2, 1].isSorted() && ['a', 'b'].isSorted() && [].isSorted()",
            "[1, 2, 3].sum() == 6 && [1.5, 0.5].sum() == 2.0 && [].sum() == 0",
            "[3, 1, 2].min() == 1 && [3, 1, 2].max() == 3 && ['b', 'a'].min() == 'a'",
            "[1, 2, 2].indexOf(2) == 1 && [1, 2, 2].lastIndexOf(2) == 2 && [1].indexOf(5) == -1",
            "[1, 2, 3, 4].slice(1, 3) == [2, 3] && [1].slice(1, 1) == []",
            "[1, [2, [3]]].flatten() == [1, 2, [3]] && [1, [2, [3]]].flatten(5) == [1, 2, 3]",
            "[1, 2, 1, 2.0].distinct() == [1, 2] && [3, 1, 2].sort() == [1, 2, 3]",
            "[1, 2].reverse() == [2, 1] && [].sort() == []",
            "lists.range(3) == [0, 1, 2] && lists.range(0) == [] && lists.range(-1) == []",
            "['bb', 'a', 'ccc'].sortBy(it, -size(it)) == ['ccc', 'bb', 'a'] && [].sortBy(it, it) == []",
            "sets.contains([1, 2, 3], [3, 1]) && !sets.contains([1], [2])",
            "sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [])",
        ],
    );
}

#[test]
fn regular_expressions() {
    hold(
        "{pattern: '^a+$'}",
        &[
            r"'abc123'.matches('[a-z]+[0-9]+') && matches('abc', 'b') && !'abc'.matches('^b')",
            r"'abc 123'.find('[0-9]+') == '123' && 'abc'.find('[0-9]') == ''",
            r"'123 abc 456'.findAll('[0-9]*') != [] && '1 2 3'.findAll(r'\d') == ['1', '2', '3']",
            r"'1 2 3'.findAll(r'\d', 2) == ['1', '2']",
            "'aaa'.matches(self.pattern)",
        ],
    );
}

#[test]
fn quantities() {
    hold(
        "null",
        &[
            "quantity('1.5Gi').isLessThan(quantity('2Gi')) && quantity('1k').isGreaterThan(quantity('999'))",
            "quantity('1000m') == quantity('1') && quantity('1').compareTo(quantity('2')) == -1",
            "isQuantity('1Gi') && !isQuantity('1GiB') && isQuantity('-5.5e3')",
            "quantity('50000000G').isInteger() && !quantity('1.5').isInteger()",
            "quantity('2Ki').asInteger() == 2048 && quantity('500m').asApproximateFloat() == 0.5",
            "sign(quantity('-1')) == -1 && sign(quantity('0')) == 0",
            "quantity('50k').add(quantity('20k')) == quantity('70k') && quantity('50k').sub(20) == quantity('49980')",
        ],
    );
}

#[test]
fn addresses_and_networks() {
    hold(
        "null",
        &[
            "isIP('127.0.0.1') && isIP('::1') && !isIP('1.2.3') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%a')",
            "ip('127.0.0.1').family() == 4 && ip('::1').family() == 6 && ip('::1').isLoopback()",
            "ip('0.0.0.0').isUnspecified() && ip('169.254.1.1').isLinkLocalUnicast() && ip('224.0.0.1').isLinkLocalMulticast()",
            "ip('8.8.8.8').isGlobalUnicast() && !ip('127.0.0.1').isGlobalUnicast()",
            "ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD')",
            "ip('::1') == ip('0:0::1') && string(ip('10.0.0.1')) == '10.0.0.1'",
            "isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0') && cidr('10.0.0.0/8').prefixLength() == 8",
            "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.0'))",
            "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))",
            "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.1.2.3/8').ip() == ip('10.1.2.3')",
            "cidr('0.0.0.0/0').containsIP('1.2.3.4') && cidr('::/0').containsIP('::1') && !cidr('::/0').containsIP('1.2.3.4')",
        ],
    );
}

#[test]
fn urls() {
    hold(
        "null",
        &[
            "isURL('https://example.com:80/a') && isURL('/path') && !isURL('a b') && !isURL('../x')",
            "url('https://user@example.com:80/a%20b?k=v1&k=v2&x=%41+b#f').getScheme() == 'https'",
            "url('https://user@example.com:80/a').getHost() == 'example.com:80'",
            "url('https://example.com:80/a').getHostname() == 'example.com' && url('https://[::1]:80/').getHostname() == '::1'",
            "url('https://example.com:80/a').getPort() == '80' && url('https://example.com/').getPort() == ''",
            "url('https://example.com/a%20b?q').getEscapedPath() == '/a%20b'",
            "url('https://e.com/?k=v1&k=v2&x=%41+b').getQuery() == {'k': ['v1', 'v2'], 'x': ['A b']}",
            "url('/path').getHost() == ''",
        ],
    );
}

#[test]
fn versions() {
    hold(
        "null",
        &[
            "isSemver('1.2.3') && !isSemver('v1.2') && isSemver('v01.2', true)",
            "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
            "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0').isGreaterThan(semver('1.0.0-rc.1'))",
            "semver('1.2.3').compareTo(semver('1.2.3+build')) == 0 && semver('v1.2', true) == semver('1.2.0')",
        ],
    );
}

#[test]
fn named_formats() {
    hold(
        "null",
        &[
            "!format.dns1123Label().validate('my-name').hasValue() && format.dns1123Label().validate('My_name').hasValue()",
            "!format.dns1123Subdomain().validate('a.b-c').hasValue() && format.dns1035Label().validate('1a').hasValue()",
            "!format.dns1123LabelPrefix().validate('my-').hasValue() && format.dns1123Label().validate('my-').hasValue()",
            "!format.qualifiedName().validate('example.com/Name').hasValue() && format.labelValue().validate('-a').hasValue()",
            "!format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue() && format.uri().validate('x').hasValue()",
            "!format.byte().validate('aGk=').hasValue() && format.byte().validate('aGk').hasValue()",
            "!format.date().validate('2026-02-28').hasValue() && format.date().validate('2026-02-30').hasValue()",
            "!format.datetime().validate('2026-02-28T00:00:00Z').hasValue()",
            "format.named('dns1123Label').hasValue() && !format.named('other').hasValue()",
            "format.named('uuid').value().validate('x').value().size() == 1",
            "format.uuid().validate('x').value() == ['does not match the UUID format']",
            "!format.uuid().validate('123e4567e89b12d3a456426614174000').hasValue()",
            "format.byte().validate('').value() == ['invalid base64'] && format.date().validate('x').value() == ['invalid date']",
            "format.datetime().validate('2026-02-28 00:00:00').value() == ['invalid datetime']",
            "!format.uri().validate('/a').hasValue() && !format.uri().validate('mailto:a').hasValue()",
            "format.uri().validate('').value() == ['parse \"\": empty url']",
            "format.uri().validate('a').value() == ['parse \"a\": invalid URI for request']",
        ],
    );
}

/// What an API server of version 1.36 returns.
#[test]
fn numbers_and_positions_are_shown_as_in_kubernetes() {
    hold(
        "null",
        &[
            "string(999999.0) == '999999' && string(1000000.0) == '1e+06' && string(1234567.5) == '1.2345675e+06'",
            "string(0.0001) == '0.0001' && string(0.00001) == '1e-05' && string(-0.0) == '-0'",
            "string(1.0 / 0.0) == '+Inf' && string(-1.0 / 0.0) == '-Inf' && string(0.0 / 0.0) == 'NaN'",
            "'%s'.format([1234567.0]) == '1.234567e+06' && '%s'.format([[1.0 / 0.0]]) == '[\"+Inf\"]'",
            "'%f'.format([-1.0 / 0.0]) == '-∞' && '%.2f'.format([1.0 / 0.0]) == '∞' && '%e'.format([0.0 / 0.0]) == '   NaN'",
            "'abc'.indexOf('c', 4) == -1 && 'abc'.indexOf('', 4) == 4 && 'abc'.indexOf('c', 2) == 2",
            "'abc'.lastIndexOf('c', 3) == -1 && 'abc'.lastIndexOf('', 7) == 7 && 'abc'.lastIndexOf('c', 2) == 2",
        ],
    );
    assert_eq!(
        failed("null", "'%s'.format([quantity('1')]) == ''"),
        "'%s'.format([quantity('1')]): the format cannot show a quantity"
    );
    assert_eq!(
        failed("null", "double('1e400') > 0.0"),
        "double('1e400'): the string is not a number"
    );
}

/// What an API server of version 1.36 returns.
#[test]
fn messages_of_names_are_those_of_kubernetes() {
    let long = "a".repeat(64);
    let label = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    let subdomain = r"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    let name = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    let of_1035 = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    let value = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    for (format, text, messages) in [
        ("dns1123Label", "a.b", vec!["must not contain dots".to_owned()]),
        ("dns1123Label", &long, vec!["must be no more than 63 characters".to_owned()]),
        (
            "dns1123Label",
            &format!("A{long}"),
            vec!["must be no more than 63 characters".to_owned(), label.to_owned()],
        ),
        ("dns1123Label", "", vec![label.to_owned()]),
        ("dns1123Label", "a.B", vec![label.to_owned()]),
        ("dns1123LabelPrefix", "-", vec![label.to_owned()]),
        ("dns1123Subdomain", "a..b", vec![subdomain.to_owned()]),
        (
            "dns1123Subdomain",
            &long.repeat(4),
            vec!["must be no more than 253 characters".to_owned()],
        ),
        ("dns1035Label", "1a", vec![of_1035.to_owned()]),
        ("dns1035Label", "a.b", vec![of_1035.to_owned()]),
        (
            "qualifiedName",
            "",
            vec!["name part must be non-empty".to_owned(), format!("name part {name}")],
        ),
        ("qualifiedName", "/a", vec!["prefix part must be non-empty".to_owned()]),
        ("qualifiedName", "A/b", vec![format!("prefix part {subdomain}")]),
        (
            "qualifiedName",
            "a/b/c",
            vec![format!(
                "a valid label key {name} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )],
        ),
        (
            "qualifiedName",
            &format!("-{long}"),
            vec!["name part must be no more than 63 bytes".to_owned(), format!("name part {name}")],
        ),
        ("labelValue", "-", vec![value.to_owned()]),
        ("labelValue", &long, vec!["must be no more than 63 bytes".to_owned()]),
    ] {
        let messages: Vec<String> = messages.iter().map(|it| format!("\"{it}\"")).collect();
        let messages = messages.join(", ");
        hold("null", &[&format!("format.{format}().validate('{text}').value() == [{messages}]")]);
    }
}

#[test]
fn times() {
    hold(
        "null",
        &[
            "duration('1h30m') == duration('90m') && duration('1.5s') > duration('1s') && duration('-1s') < duration('0')",
            "duration('1h').getMinutes() == 60 && duration('1500ms').getSeconds() == 1 && duration('1500ms').getMilliseconds() == 1500",
            "timestamp('2026-01-31T12:30:15Z').getFullYear() == 2026 && timestamp('2026-01-31T12:30:15Z').getMonth() == 0",
            "timestamp('2026-01-31T12:30:15Z').getDate() == 31 && timestamp('2026-01-31T12:30:15Z').getDayOfMonth() == 30",
            "timestamp('2026-03-01T00:00:00Z').getDayOfYear() == 59 && timestamp('2026-01-31T00:00:00Z').getDayOfWeek() == 6",
            "timestamp('2026-01-31T12:30:15Z').getHours('Europe/Berlin') == 13",
            "timestamp('2026-07-31T12:30:15Z').getHours('Europe/Berlin') == 14",
            "timestamp('2026-01-31T23:30:15Z').getDate('+01:30') == 1 && timestamp('2026-01-31T00:30:15Z').getHours('-02:00') == 22",
            "timestamp('2026-01-31T12:30:15Z').getHours() == 12 && timestamp('2026-01-31T12:30:15.5Z').getMilliseconds() == 500",
            "timestamp('2026-01-31T12:00:00+01:00') == timestamp('2026-01-31T11:00:00Z')",
            "timestamp('2026-01-31T00:00:00Z') + duration('24h') == timestamp('2026-02-01T00:00:00Z')",
            "timestamp('2026-02-01T00:00:00Z') - timestamp('2026-01-31T00:00:00Z') == duration('24h')",
            "string(duration('90s')) == '90s' && string(timestamp('2026-01-31T12:00:00.25Z')) == '2026-01-31T12:00:00.25Z'",
            "string(timestamp('2020-06-01T10:00:00+02:00')) == '2020-06-01T10:00:00+02:00'",
            "string(timestamp('2020-06-01T10:00:00-00:00')) == '2020-06-01T10:00:00Z'",
            "string(timestamp('2020-06-01T23:30:00-03:30') + duration('1h')) == '2020-06-02T00:30:00-03:30'",
            "string(timestamp('2020-06-01T10:00:00-03:30') - duration('1h')) == '2020-06-01T09:00:00-03:30'",
            "'%s'.format([[timestamp('2020-06-01T10:00:00.5+02:00')]]) == '[timestamp(\"2020-06-01T10:00:00.5+02:00\")]'",
            "timestamp('2020-06-01T10:00:00+02:00').getHours() == 8 && timestamp('2020-06-01T23:00:00-02:00').getDate() == 2",
            "string(timestamp('2020-12-31T1:00:00,5Z')) == '2020-12-31T01:00:00.5Z'",
            "int(timestamp('1970-01-01T00:01:00Z')) == 60 && timestamp('1969-12-31T23:59:59Z') < timestamp(0)",
        ],
    );
}
