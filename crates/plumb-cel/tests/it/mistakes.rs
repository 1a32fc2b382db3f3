//! Errors of expressions that cannot be used, or do not fit the value. Values are not shown.

use crate::{failed, refused};

fn check(error_message: &str, expected: &str) {
    assert_eq!(error_message, expected);
}

#[test]
fn what_cannot_be_read() {
    check(
        &refused(""),
        ": the expression is empty (write what must be true of `self`, such as `self.min <= self.max`)",
    );
    check(&refused("self.a <="), ": expected a value, found the end");
    check(
        &refused("self.a = 1"),
        "=: expected an operator or the end, found `=` (to compare, write `==`)",
    );
    check(
        &refused("self.a and self.b"),
        "and: expected an operator or the end, found `and` (`and` is `&&`)",
    );
    check(&refused("self.a & self.b"), "&: `&` has no meaning here (`and` is `&&`)");
    check(&refused("size(self"), ": expected `)`, found the end");
    check(&refused("'abc"), "'abc: a string is not closed: expected another '");
    check(
        &refused("'a\\d'"),
        "\\d: unknown escape sequence (in a regular expression, write each backslash twice, or use a raw string r\"…\")",
    );
    check(
        &refused("self.memory > 1Gi"),
        "1Gi: a number is followed by a letter (a quantity such as `1Gi` is `quantity(\"1Gi\")`)",
    );
    check(&refused("99999999999999999999"), "99999999999999999999: the number is too large");
    check(
        &refused("if self.a"),
        "if: `if` is a reserved word and cannot be a name (write a choice as `condition ? one : other`)",
    );
    check(
        &refused("self.in"),
        "in: `in` is a reserved word of CEL and cannot be the name of a field (write `__in__`, as Kubernetes does, or [\"in\"])",
    );
    check(
        &refused("Spec{a: 1}"),
        "Spec: objects of a named type cannot be created here (a map is `{\"key\": value}`)",
    );
    check(&refused("self.é"), "é: `é` has no meaning here");
    check(
        &refused("not self.a"),
        "self: expected an operator or the end, found `self` (`not` is `!`)",
    );
    check(
        &refused("self.a is 3"),
        "is: expected an operator or the end, found `is` (to compare, write `==`)",
    );
    check(
        &refused("self?.a"),
        ".: expected a value, found `.` (for a field that may be missing, write `self.?field`)",
    );
    check(
        &refused("self ~= 'a'"),
        "~: `~` has no meaning here (a regular expression is `text.matches(\"…\")`)",
    );
    check(&refused("a.b ? 1"), ": expected `:`, found the end");
}

#[test]
fn names_that_mean_nothing() {
    check(&refused("slef.a"), "slef: `slef` is not known (did you mean `self`?)");
    check(
        &refused("replicas > 1"),
        "replicas: `replicas` is not known (for a field of the value, write `self.replicas`)",
    );
    check(
        &refused("self == Production"),
        "Production: `Production` is not known (write a string in quotes)",
    );
    check(
        &refused("oldSelf.a == self.a"),
        "oldSelf: `oldSelf` is not available: there is no previous value here (only an API server can check rules about changes)",
    );
    check(
        &refused("self.startWith('a')"),
        "startWith: there is no function `startWith` (did you mean `startsWith`?)",
    );
    check(&refused("self.isIP()"), "isIP: there is no function `isIP` (write `isIP(value)`)");
    check(
        &refused("startsWith(self, 'a')"),
        "startsWith: there is no function `startsWith` (write `value.startsWith(…)`)",
    );
    check(&refused("self.any(x, x)"), "any: there is no function `any` (did you mean `exists`?)");
    check(
        &refused("self.all(x)"),
        "self.all(x): `all` does not take 1 argument (write `.all(item, expression)`)",
    );
    check(
        &refused("self.all(1, true)"),
        "1: expected a name for the item (write `.all(item, item > 0)`)",
    );
    check(
        &refused("has(self)"),
        "has(self): expected a field as the argument of `has` (write `has(self.field)`)",
    );
    check(&refused("size()"), "size: expected 1 argument for `size`, found 0");
    check(&refused("self.matches('(')"), "'(': `)` is missing in `(`");
    check(&refused("this.a == 1"), "this: `this` is not known (the value is `self`)");
    check(&refused("self.a == None"), "None: `None` is not known (did you mean `null`?)");
    check(
        &refused("[1].map(x, y)"),
        "y: `y` is not known (for a field of the value, write `self.y`)",
    );
}

#[test]
fn values_that_do_not_fit() {
    let value = "{num: 1, s: s3cret, list: [1], nothing: null}";
    check(
        &failed(value, "self.num"),
        "self.num: expected the expression to return true or false, found an int (compare the result with something)",
    );
    check(
        &failed(value, "self.z == 1"),
        "self.z: there is no key `z` (check first that it exists: `has(self.z) && …`)",
    );
    check(
        &failed(value, "self.lisst == []"),
        "self.lisst: there is no key `lisst` (did you mean `list`?)",
    );
    check(
        &failed(value, "self.list.contains(1)"),
        "self.list.contains(1): `contains` cannot be applied to a list and an int (write `item in list`)",
    );
    check(&failed(value, "self.s < 1"), "self.s < 1: `<` cannot be applied to a string and an int");
    check(&failed(value, "self.s.a == 1"), "self.s.a: expected a map before `.a`, found a string");
    check(
        &failed(value, "self.nothing.a == 1"),
        "self.nothing: the key `nothing` is null, which counts as missing (check first that it exists: `has(self.nothing) && …`)",
    );
    check(
        &failed(value, "self.num.startsWith('a')"),
        "self.num.startsWith('a'): `startsWith` cannot be applied to an int and a string",
    );
    check(
        &failed(value, "self.list[3] == 1"),
        "self.list[3]: the list has no item at this index (check its length first: `size(…) > 0 && …`)",
    );
    check(
        &failed(value, "self['z'] == 1"),
        "self['z']: the map has no such key (check first that it exists: `key in map && …`)",
    );
    check(
        &failed(value, "self.num && true"),
        "self.num: expected true or false, found an int (compare it with something)",
    );
    check(&failed(value, "1 / 0 == 1"), "1 / 0: division by zero");
    check(
        &failed(value, "9223372036854775807 + self.num > 0"),
        "9223372036854775807 + self.num: the result is too large for 64 bits",
    );
    check(
        &failed(value, "-(-9223372036854775808) > 0"),
        "-(-9223372036854775808): the result is too large for 64 bits",
    );
    check(&failed(value, "{'a': 1, 'a': 2}.size() == 1"), "'a': a key occurs twice");
    check(
        &failed(value, "timestamp('9999-12-31T23:59:59Z') + duration('1s') > timestamp(0)"),
        "timestamp('9999-12-31T23:59:59Z') + duration('1s'): the time is not within the years 1 to 9999",
    );
    check(&failed(value, "int(self.s) == 1"), "int(self.s): the string is not an integer");
    check(
        &failed(value, "sign(quantity(self.s)) == 1"),
        "quantity(self.s): the string is not a quantity, such as `500m` or `1.5Gi`",
    );
    check(
        &failed(value, "self.num.all(x, true)"),
        "self.num: expected a list or map, found an int",
    );
    check(
        &failed(value, "'%d'.format([self.s]) == ''"),
        "'%d'.format([self.s]): the format has a verb that cannot show a string",
    );
    check(
        &failed(value, "self.s.matches(self.s + '(')"),
        "self.s.matches(self.s + '('): the string is not a regular expression",
    );
}
