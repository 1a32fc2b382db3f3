//! The types of all functions and operators, and the first version of Kubernetes that has them.
//!
//! One line for each overload: the type that it is called on, a colon, its name with the types of
//! its arguments, and the type of its result. `A` and `B` stand for any type, and `*` for each type
//! whose values have an order.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use crate::types::Type;

#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) is_member: bool,
    /// The first one is the value that the function is called on.
    pub(crate) args: Vec<Type>,
    pub(crate) result: Type,
    /// The minor version: 28 is Kubernetes 1.28.
    pub(crate) since: u16,
}

/// The overloads of one name, for calls on a value (`is_member`) or for other calls.
pub(crate) fn of(name: &str, is_member: bool) -> &'static [Signature] {
    ALL[usize::from(is_member)].get(name).map_or(&[], Vec::as_slice)
}

/// The names of all functions and operators, and whether they are called on a value.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = (&'static str, bool)> {
    let of = |at: usize| ALL[at].keys().map(move |it| (*it, at == 1));
    of(0).chain(of(1))
}

/// Returns the names of all functions, each with the first minor version of Kubernetes that has it:
/// 28 is Kubernetes 1.28.
pub fn library() -> BTreeMap<&'static str, u16> {
    let mut library = BTreeMap::new();
    for (name, signatures) in ALL.iter().flatten().filter(|(name, _)| !name.contains('_')) {
        let since = signatures.iter().map(|it| it.since).min().unwrap_or(u16::MAX);
        let first = library.entry(*name).or_insert(since);
        *first = since.min(*first);
    }
    library
}

/// The maximum number of type parameters of a signature.
pub(crate) const N_PARAMS: usize = 2;

/// Types whose values have an order.
const ORDERED: [&str; 8] =
    ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];

/// The types that Kubernetes adds, by their names in the table below.
const SPECIAL: [(&str, &str); 6] = [
    ("quantity", "kubernetes.Quantity"),
    ("semver", "kubernetes.Semver"),
    ("url", "kubernetes.URL"),
    ("format", "kubernetes.NamedFormat"),
    ("ip", "net.IP"),
    ("cidr", "net.CIDR"),
];

/// The libraries, with the minor version in which Kubernetes added them.
const LIBRARIES: &[(u16, &str)] = &[
    (
        23,
        "
        _?_:_(bool, A, A) A
        !_(bool) bool
        _==_(A, A) bool
        _!=_(A, A) bool
        _+_(bytes, bytes) bytes
        _+_(double, double) double
        _+_(duration, duration) duration
        _+_(duration, timestamp) timestamp
        _+_(timestamp, duration) timestamp
        _+_(int, int) int
        _+_(list<A>, list<A>) list<A>
        _+_(string, string) string
        _+_(uint, uint) uint
        _-_(double, double) double
        _-_(duration, duration) duration
        _-_(int, int) int
        _-_(timestamp, duration) timestamp
        _-_(timestamp, timestamp) duration
        _-_(uint, uint) uint
        _*_(double, double) double
        _*_(int, int) int
        _*_(uint, uint) uint
        _/_(double, double) double
        _/_(int, int) int
        _/_(uint, uint) uint
        _%_(int, int) int
        _%_(uint, uint) uint
        -_(double) double
        -_(int) int
        _<_(*, *) bool
        _<=_(*, *) bool
        _>_(*, *) bool
        _>=_(*, *) bool
        _[_](list<A>, int) A
        _[_](map<A, B>, A) B
        _in_(A, list<A>) bool
        _in_(A, map<A, B>) bool
        size(bytes) int
        size(list<A>) int
        size(map<A, B>) int
        size(string) int
        bytes : size() int
        list<A> : size() int
        map<A, B> : size() int
        string : size() int
        type(A) type
        dyn(A) dyn
        bool(bool) bool
        bool(string) bool
        bytes(bytes) bytes
        bytes(string) bytes
        double(double) double
        double(int) double
        double(string) double
        double(uint) double
        duration(duration) duration
        duration(int) duration
        duration(string) duration
        int(int) int
        int(double) int
        int(duration) int
        int(string) int
        int(timestamp) int
        int(uint) int
        string(string) string
        string(bool) string
        string(bytes) string
        string(double) string
        string(duration) string
        string(int) string
        string(timestamp) string
        string(uint) string
        timestamp(timestamp) timestamp
        timestamp(int) timestamp
        timestamp(string) timestamp
        uint(uint) uint
        uint(double) uint
        uint(int) uint
        uint(string) uint
        string : contains(string) bool
        string : endsWith(string) bool
        string : startsWith(string) bool
        matches(string, string) bool
        string : matches(string) bool
        timestamp : getFullYear() int
        timestamp : getFullYear(string) int
        timestamp : getMonth() int
        timestamp : getMonth(string) int
        timestamp : getDayOfYear() int
        timestamp : getDayOfYear(string) int
        timestamp : getDayOfMonth() int
        timestamp : getDayOfMonth(string) int
        timestamp : getDate() int
        timestamp : getDate(string) int
        timestamp : getDayOfWeek() int
        timestamp : getDayOfWeek(string) int
        timestamp : getHours() int
        timestamp : getHours(string) int
        duration : getHours() int
        timestamp : getMinutes() int
        timestamp : getMinutes(string) int
        duration : getMinutes() int
        timestamp : getSeconds() int
        timestamp : getSeconds(string) int
        duration : getSeconds() int
        timestamp : getMilliseconds() int
        timestamp : getMilliseconds(string) int
        duration : getMilliseconds() int
        string : charAt(int) string
        string : indexOf(string) int
        string : indexOf(string, int) int
        string : lastIndexOf(string) int
        string : lastIndexOf(string, int) int
        string : lowerAscii() string
        string : replace(string, string) string
        string : replace(string, string, int) string
        string : split(string) list<string>
        string : split(string, int) list<string>
        string : substring(int) string
        string : substring(int, int) string
        string : trim() string
        string : upperAscii() string
        list<string> : join() string
        list<string> : join(string) string
        list<*> : isSorted() bool
        list<int> : sum() int
        list<uint> : sum() uint
        list<double> : sum() double
        list<duration> : sum() duration
        list<*> : min() *
        list<*> : max() *
        list<A> : indexOf(A) int
        list<A> : lastIndexOf(A) int
        string : find(string) string
        string : findAll(string) list<string>
        string : findAll(string, int) list<string>
        url(string) url
        url : getScheme() string
        url : getHost() string
        url : getHostname() string
        url : getPort() string
        url : getEscapedPath() string
        url : getQuery() map<string, list<string>>
        isURL(string) bool
        ",
    ),
    (
        28,
        "
        _<_(int, double) bool
        _<_(int, uint) bool
        _<_(uint, double) bool
        _<_(uint, int) bool
        _<_(double, int) bool
        _<_(double, uint) bool
        _<=_(int, double) bool
        _<=_(int, uint) bool
        _<=_(uint, double) bool
        _<=_(uint, int) bool
        _<=_(double, int) bool
        _<=_(double, uint) bool
        _>_(int, double) bool
        _>_(int, uint) bool
        _>_(uint, double) bool
        _>_(uint, int) bool
        _>_(double, int) bool
        _>_(double, uint) bool
        _>=_(int, double) bool
        _>=_(int, uint) bool
        _>=_(uint, double) bool
        _>=_(uint, int) bool
        _>=_(double, int) bool
        _>=_(double, uint) bool
        quantity(string) quantity
        isQuantity(string) bool
        sign(quantity) int
        quantity : isGreaterThan(quantity) bool
        quantity : isLessThan(quantity) bool
        quantity : compareTo(quantity) int
        quantity : asApproximateFloat() double
        quantity : asInteger() int
        quantity : isInteger() bool
        quantity : add(quantity) quantity
        quantity : add(int) quantity
        quantity : sub(quantity) quantity
        quantity : sub(int) quantity
        optional.of(A) optional<A>
        optional.ofNonZeroValue(A) optional<A>
        optional.none() optional<A>
        optional<A> : value() A
        optional<A> : hasValue() bool
        optional<A> : or(optional<A>) optional<A>
        optional<A> : orValue(A) A
        _[?_](list<A>, int) optional<A>
        _[?_](optional<list<A>>, int) optional<A>
        _[?_](map<A, B>, A) optional<B>
        _[?_](optional<map<A, B>>, A) optional<B>
        _[_](optional<list<A>>, int) optional<A>
        _[_](optional<map<A, B>>, A) optional<B>
        ",
    ),
    (
        29,
        "
        string : format(list<dyn>) string
        strings.quote(string) string
        sets.contains(list<A>, list<A>) bool
        sets.equivalent(list<A>, list<A>) bool
        sets.intersects(list<A>, list<A>) bool
        ",
    ),
    (
        30,
        "
        ip(string) ip
        isIP(string) bool
        ip.isCanonical(string) bool
        string(ip) string
        ip : family() int
        ip : isUnspecified() bool
        ip : isLoopback() bool
        ip : isLinkLocalMulticast() bool
        ip : isLinkLocalUnicast() bool
        ip : isGlobalUnicast() bool
        cidr(string) cidr
        isCIDR(string) bool
        string(cidr) string
        cidr : containsIP(string) bool
        cidr : containsIP(ip) bool
        cidr : containsCIDR(string) bool
        cidr : containsCIDR(cidr) bool
        cidr : ip() ip
        cidr : prefixLength() int
        cidr : masked() cidr
        ",
    ),
    (
        31,
        "
        format.named(string) optional<format>
        format.dns1123Label() format
        format.dns1123Subdomain() format
        format.dns1035Label() format
        format.dns1123LabelPrefix() format
        format.dns1123SubdomainPrefix() format
        format.dns1035LabelPrefix() format
        format.qualifiedName() format
        format.labelValue() format
        format.uri() format
        format.uuid() format
        format.byte() format
        format.date() format
        format.datetime() format
        format : validate(string) optional<list<string>>
        ",
    ),
    (
        33,
        "
        list<A> : first() optional<A>
        list<A> : last() optional<A>
        optional.unwrap(list<optional<A>>) list<A>
        list<optional<A>> : unwrapOpt() list<A>
        semver(string) semver
        semver(string, bool) semver
        isSemver(string) bool
        isSemver(string, bool) bool
        semver : isGreaterThan(semver) bool
        semver : isLessThan(semver) bool
        semver : compareTo(semver) int
        semver : major() int
        semver : minor() int
        semver : patch() int
        ",
    ),
    (
        34,
        "
        lists.range(int) list<int>
        list<A> : slice(int, int) list<A>
        list<list<A>> : flatten() list<A>
        list<dyn> : flatten(int) list<dyn>
        list<A> : distinct() list<A>
        list<A> : reverse() list<A>
        list<*> : sort() list<*>
        ",
    ),
];

/// By name: first those that are not called on a value, then those that are.
static ALL: LazyLock<[HashMap<&'static str, Vec<Signature>>; 2]> = LazyLock::new(|| {
    let mut all = [HashMap::new(), HashMap::new()];
    for (since, lines) in LIBRARIES {
        for line in lines.lines().map(str::trim).filter(|it| !it.is_empty()) {
            let stands_for_many = line.contains('*') && !line.starts_with("_*_");
            let n_types = if stands_for_many { ORDERED.len() } else { 1 };
            for ordered in &ORDERED[..n_types] {
                let (name, signature) = read(line, ordered, *since);
                let style: &mut HashMap<_, Vec<_>> = &mut all[usize::from(signature.is_member)];
                style.entry(name).or_default().push(signature);
            }
        }
    }
    all
});

/// Reads one line of the table.
fn read(line: &'static str, ordered: &str, since: u16) -> (&'static str, Signature) {
    let (target, call) = match line.split_once(" : ") {
        Some((target, call)) => (Some(target), call),
        None => (None, line),
    };
    let open = call.find('(').expect("a name, then arguments in parentheses");
    let close = call.rfind(')').expect("a name, then arguments in parentheses");
    let mut args: Vec<Type> = target.map(|it| ty(it, ordered)).into_iter().collect();
    args.extend(parts(&call[open + 1..close]).map(|it| ty(it, ordered)));
    let result = ty(call[close + 1..].trim(), ordered);
    let name = &call[..open];
    let is_member = target.is_some();
    (name, Signature { is_member, args, result, since })
}

/// Reads a type.
fn ty(text: &str, ordered: &str) -> Type {
    if let Some((outer, inner)) = text.strip_suffix('>').and_then(|it| it.split_once('<')) {
        let mut inner = parts(inner).map(|it| ty(it, ordered));
        let mut next = || inner.next().expect("a type in angle brackets");
        return match outer {
            "list" => Type::list(next()),
            "optional" => Type::optional(next()),
            _ => Type::map(next(), next()),
        };
    }
    match if text == "*" { ordered } else { text } {
        "A" => Type::Param(0),
        "B" => Type::Param(1),
        "dyn" => Type::Dyn,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::UInt,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "duration" => Type::Duration,
        "timestamp" => Type::Timestamp,
        "type" => Type::OfTypes,
        other => {
            let special = SPECIAL.iter().find(|(name, _)| *name == other);
            Type::Special(special.expect("the table has no other names").1)
        }
    }
}

/// The parts between commas that are not within angle brackets.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |it| {
        depth += i32::from(it == '<') - i32::from(it == '>');
        it == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|it| !it.is_empty())
}

impl Signature {
    /// The type of an argument or the result, with its parameters renumbered from `first`.
    pub(crate) fn renamed(ty: &Type, first: usize) -> Type {
        match ty {
            Type::Param(at) => Type::Param(first + at),
            Type::List(item) => Type::list(Self::renamed(item, first)),
            Type::Optional(inner) => Type::optional(Self::renamed(inner, first)),
            Type::Map(both) => {
                Type::map(Self::renamed(&both.0, first), Self::renamed(&both.1, first))
            }
            other => other.clone(),
        }
    }
}
