//! Literals, operators, macros and optional values.

use crate::hold;

#[test]
fn literals_and_operators() {
    hold(
        "null",
        &[
            "1 + 2 * 3 == 7 && (1 + 2) * 3 == 9",
            "7 / 2 == 3 && 7 % 2 == 1 && -7 / 2 == -3 && -7 % 2 == -1",
            "7.0 / 2.0 == 3.5 && 1 == 1.0 && 1u == 1 && 1 < 1.5 && 2u > 1",
            "0x10 == 16 && 1e3 == 1000.0 && .5 == 0.5 && -9223372036854775808 < 0",
            "18446744073709551615u > 9223372036854775807",
            "9007199254740993 > 9007199254740992.0",
            "'a' + \"b\" == 'ab' && 'a' < 'b' && \"\"\"a\nb\"\"\" == 'a\\nb'",
            r#"'\x41\u00e9\101\'' == "Aé\x41'" && r'\d' == '\\d'"#,
            "b'abc' + b'd' == bytes('abcd') && b'\\xff' != b'\\xfe'",
            "[1, 2] + [3] == [1, 2, 3] && 2 in [1, 2] && !(3 in [1, 2])",
            "{'a': 1, 'b': [2]}.b[0] == 2 && 'a' in {'a': 1} && {1: 2}[1] == 2",
            "{'a': 1, 'b': 2} == {'b': 2, 'a': 1} && {'a': 1} != {'a': 2}",
            "true ? true : false",
            "!false && !!true && !(1 > 2) && -(-1) == 1 && --1 == 1",
            "1 == 1 // the end\n && true",
            "null == null && null != 0 && 'a' != 1 && [1] != ['1']",
            "type(1) == int && type('a') == string && type(type(1)) == type && type(null) == null_type",
            "false || true && true",
        ],
    );
}

#[test]
fn the_value_is_self() {
    let value = "a: 1\nb: [1, 2]\nc:\n  d-e: x\n  f.g/h: why\n  i__j: z\n  namespace: ns\n1: one\ntrue: is\n18446744073709551615: big\n";
    hold(
        value,
        &[
            "self.a == 1 && self['a'] == 1 && self.b.size() == 2 && size(self) == 6",
            "self.c['d-e'] == 'x' && self.c.`d-e` == 'x' && self.c.d__dash__e == 'x'",
            "self.c.f__dot__g__slash__h == 'why' && self.c.i__underscores__j == 'z'",
            "self.c.__namespace__ == 'ns' && self.c.namespace == 'ns'",
            "has(self.a) && !has(self.z) && has(self.c.d__dash__e)",
            "self[1] == 'one' && self[1.0] == 'one' && self[true] == 'is'",
            "self[18446744073709551615u] == 'big'",
            "'a' in self && !('z' in self)",
        ],
    );
    hold("[{num: 1}, {num: 2}]", &["self.all(x, x.num > 0)", "self.map(x, x.num) == [1, 2]"]);
    hold("text", &["self == 'text'"]);
    hold(
        "{nothing: null, list: [null]}",
        &[
            "!has(self.nothing) && !self.?nothing.hasValue()",
            "'nothing' in self && self['nothing'] == null && self.list[0] == null",
        ],
    );
}

#[test]
fn macros_look_at_each_item() {
    hold(
        "{list: [1, 2, 3], map: {a: 1, b: 2}}",
        &[
            "self.list.all(x, x > 0) && !self.list.all(x, x > 1)",
            "self.list.exists(x, x == 2) && !self.list.exists(x, x == 4)",
            "self.list.exists_one(x, x > 2) && !self.list.exists_one(x, x > 1)",
            "self.list.map(x, x * 2) == [2, 4, 6] && self.list.map(x, x > 1, x * 2) == [4, 6]",
            "self.list.filter(x, x != 2) == [1, 3]",
            "self.map.all(k, self.map[k] > 0) && self.map.map(k, k) == ['a', 'b']",
            "self.list.all(i, x, x == i + 1) && self.map.exists(k, v, k == 'b' && v == 2)",
            "self.list.transformList(i, x, i * x) == [0, 2, 6]",
            "self.map.transformMap(k, v, v > 1, v * 2) == {'b': 4}",
            "self.map.transformMapEntry(k, v, v > 1, {v: k}) == {2: 'b'}",
            "[].all(x, x) && ![].exists(x, x)",
            "self.list.all(x, self.list.exists(y, y == x))",
            "self.list.map(x, x).map(x, [x].map(x, x + 1)) == [[2], [3], [4]]",
        ],
    );
}

#[test]
fn what_one_term_decides_is_decided() {
    hold(
        "{list: [1, x]}",
        &[
            "true || self.missing",
            "self.missing || true",
            "!(self.missing && false)",
            "self.list.exists(x, x > 0)",
            "!self.list.all(x, x > 1)",
        ],
    );
}

#[test]
fn values_can_be_optional() {
    hold(
        "{a: {b: 1}, list: [1]}",
        &[
            "self.?a.b == optional.of(1) && self.?z.b.c == optional.none()",
            "self.?z.orValue(3) == 3 && self.?a.?b.value() == 1 && !self.?z.hasValue()",
            "self.list[?0].orValue(0) == 1 && self.list[?7].orValue(0) == 0",
            "[?self.?z, ?self.a.?b, 2] == [1, 2] && [?optional.of(1)] == [1]",
            "{?'a': self.?z, 'b': 1} == {'b': 1}",
            "self.?a.optMap(x, x.b + 1).value() == 2 && self.?z.optMap(x, x).or(optional.of(1)).value() == 1",
            "self.?a.optFlatMap(x, x.?b) == optional.of(1)",
            "optional.ofNonZeroValue(0) == optional.none()",
            "optional.unwrap([self.?z, optional.of(1)]) == [1] && [self.?z].unwrapOpt() == []",
            "[1, 2].first() == optional.of(1) && [1, 2].last().value() == 2 && ![].last().hasValue()",
        ],
    );
}
