//! `@ytt:math`: functions and constants of floating-point arithmetic.

use plumb_source::Text;
use plumb_starlark::{Args, Error, Result, Value};

use crate::arguments::{float, function, not_a_number, one, two};

pub(crate) fn members() -> Vec<(Text, Value)> {
    let mut members = vec![
        ("e".into(), Value::Float(std::f64::consts::E)),
        ("pi".into(), Value::Float(std::f64::consts::PI)),
        ("ceil".into(), function("ceil", |_, args| to_integer("ceil", args, f64::ceil))),
        ("floor".into(), function("floor", |_, args| to_integer("floor", args, f64::floor))),
        ("log".into(), function("log", |_, args| log(args))),
    ];
    members.extend(UNARY.map(|(name, act)| (name.into(), unary(name, act))));
    members.extend(BINARY.map(|(name, shown, act)| (name.into(), binary(shown, act))));
    members
}

type Unary = fn(f64) -> f64;
type Binary = fn(f64, f64) -> f64;

const UNARY: [(&str, Unary); 19] = [
    ("fabs", f64::abs),
    ("round", f64::round),
    ("exp", f64::exp),
    ("sqrt", f64::sqrt),
    ("acos", f64::acos),
    ("asin", f64::asin),
    ("atan", f64::atan),
    ("cos", f64::cos),
    ("sin", f64::sin),
    ("tan", f64::tan),
    ("degrees", |x| 360.0 * x / (2.0 * std::f64::consts::PI)),
    ("radians", |x| 2.0 * std::f64::consts::PI * x / 360.0),
    ("acosh", f64::acosh),
    ("asinh", f64::asinh),
    ("atanh", f64::atanh),
    ("cosh", f64::cosh),
    ("sinh", f64::sinh),
    ("tanh", f64::tanh),
    ("gamma", libm::tgamma),
];

/// The second name is the one that messages show; ytt uses the name of another function for `mod`.
const BINARY: [(&str, &str, Binary); 6] = [
    ("copysign", "copysign", f64::copysign),
    ("mod", "round", |x, y| x % y),
    ("pow", "pow", f64::powf),
    ("remainder", "remainder", libm::remainder),
    ("atan2", "atan2", f64::atan2),
    ("hypot", "hypot", f64::hypot),
];

fn unary(name: &'static str, act: Unary) -> Value {
    function(name, move |_, args| Ok(Value::Float(act(float(one(args)?)?))))
}

fn binary(name: &'static str, act: Binary) -> Value {
    function(name, move |_, args| {
        let (x, y) = two(args)?;
        Ok(Value::Float(act(float(x)?, float(y)?)))
    })
}

fn to_integer(name: &'static str, args: &Args<'_>, act: Unary) -> Result<Value> {
    let [Some(x)] = args.unpack::<1>(name, 1)? else {
        return Err(Error::new("missing argument"));
    };
    match x.value {
        Value::Int(_) | Value::BigInt(_) => Ok(x.value.clone()),
        Value::Float(it) => whole(act(*it)),
        other => Err(not_a_number(other)),
    }
}

fn whole(value: f64) -> Result<Value> {
    let big = num_traits::FromPrimitive::from_f64(value).map(|it: num_bigint::BigInt| it.into());
    big.ok_or_else(|| {
        Error::new(if value.is_nan() {
            "cannot convert float NaN to integer"
        } else {
            "cannot convert float infinity to integer"
        })
    })
}

fn log(args: &Args<'_>) -> Result<Value> {
    let [Some(x), base] = args.unpack::<2>("log", 1)? else {
        return Err(Error::new("missing argument"));
    };
    let base = base.map_or(Ok(std::f64::consts::E), |base| float(base.value))?;
    Ok(Value::Float(float(x.value)?.ln() / base.ln()))
}
