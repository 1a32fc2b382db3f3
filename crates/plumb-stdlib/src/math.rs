//! `@ytt:math`: functions and constants of floating-point arithmetic.

use plumb_starlark::{Args, Builtin, Doc, Error, Result, Value};

use crate::arguments::{float, function, not_a_number, one, two};
use crate::definition::{Member, ModuleDefinition};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "math",
    summary: "functions of numbers",
    members: &[
        Member::created("math.e", "Euler's number.", |_, ()| Value::Float(std::f64::consts::E)),
        Member::created(
            "math.pi",
            "The ratio of a circle's circumference to its diameter.",
            |_, ()| Value::Float(std::f64::consts::PI),
        ),
        Member::created("math.ceil(x)", "The smallest integer that is not less.", |doc, ()| {
            to_integer(doc, f64::ceil)
        }),
        Member::created("math.floor(x)", "The largest integer that is not more.", |doc, ()| {
            to_integer(doc, f64::floor)
        }),
        Member::created("math.log(x, base=math.e)", "The logarithm.", |doc, ()| {
            // Like ytt, its errors about types do not begin with its name.
            Value::Builtin(Builtin::new(doc.name(), |_, args| log(args)).into())
        }),
        Member::created("math.acos(x)", "The arc cosine.", |doc, ()| unary(doc, f64::acos)),
        Member::created("math.acosh(x)", "The inverse hyperbolic cosine.", |doc, ()| {
            unary(doc, f64::acosh)
        }),
        Member::created("math.asin(x)", "The arc sine.", |doc, ()| unary(doc, f64::asin)),
        Member::created("math.asinh(x)", "The inverse hyperbolic sine.", |doc, ()| {
            unary(doc, f64::asinh)
        }),
        Member::created("math.atan(x)", "The arc tangent.", |doc, ()| unary(doc, f64::atan)),
        Member::created(
            "math.atan2(y, x)",
            "The arc tangent of y/x, in the quadrant of the point.",
            |doc, ()| binary(doc.name(), f64::atan2),
        ),
        Member::created("math.atanh(x)", "The inverse hyperbolic tangent.", |doc, ()| {
            unary(doc, f64::atanh)
        }),
        Member::created(
            "math.copysign(x, y)",
            "A number with the size of x and the sign of y.",
            |doc, ()| binary(doc.name(), f64::copysign),
        ),
        Member::created("math.cos(x)", "The cosine.", |doc, ()| unary(doc, f64::cos)),
        Member::created("math.cosh(x)", "The hyperbolic cosine.", |doc, ()| unary(doc, f64::cosh)),
        Member::created("math.degrees(x)", "Converts radians to degrees.", |doc, ()| {
            unary(doc, to_degrees)
        }),
        Member::created("math.exp(x)", "The power of e.", |doc, ()| unary(doc, f64::exp)),
        Member::created("math.fabs(x)", "The absolute value.", |doc, ()| unary(doc, f64::abs)),
        Member::created("math.gamma(x)", "The gamma function.", |doc, ()| unary(doc, libm::tgamma)),
        Member::created("math.hypot(x, y)", "The length of the hypotenuse.", |doc, ()| {
            binary(doc.name(), f64::hypot)
        }),
        // ytt shows the name of another function.
        Member::created("math.mod(x, y)", "The remainder, with the sign of x.", |_, ()| {
            binary("round", |x, y| x % y)
        }),
        Member::created("math.pow(x, y)", "The power.", |doc, ()| binary(doc.name(), f64::powf)),
        Member::created("math.radians(x)", "Converts degrees to radians.", |doc, ()| {
            unary(doc, to_radians)
        }),
        Member::created("math.remainder(x, y)", "The remainder nearest to zero.", |doc, ()| {
            binary(doc.name(), libm::remainder)
        }),
        Member::created("math.round(x)", "The nearest integer.", |doc, ()| unary(doc, f64::round)),
        Member::created("math.sin(x)", "The sine.", |doc, ()| unary(doc, f64::sin)),
        Member::created("math.sinh(x)", "The hyperbolic sine.", |doc, ()| unary(doc, f64::sinh)),
        Member::created("math.sqrt(x)", "The square root.", |doc, ()| unary(doc, f64::sqrt)),
        Member::created("math.tan(x)", "The tangent.", |doc, ()| unary(doc, f64::tan)),
        Member::created("math.tanh(x)", "The hyperbolic tangent.", |doc, ()| unary(doc, f64::tanh)),
    ],
};

type Unary = fn(f64) -> f64;
type Binary = fn(f64, f64) -> f64;

fn unary(doc: &Doc, act: Unary) -> Value {
    function(doc.name(), move |_, args| Ok(Value::Float(act(float(one(args)?)?))))
}

fn binary(name: &'static str, act: Binary) -> Value {
    function(name, move |_, args| {
        let (x, y) = two(args)?;
        Ok(Value::Float(act(float(x)?, float(y)?)))
    })
}

fn to_degrees(x: f64) -> f64 {
    360.0 * x / (2.0 * std::f64::consts::PI)
}

fn to_radians(x: f64) -> f64 {
    2.0 * std::f64::consts::PI * x / 360.0
}

fn to_integer(doc: &Doc, act: Unary) -> Value {
    let name = doc.name();
    function(name, move |_, args| {
        let [Some(x)] = args.unpack::<1>(name, 1)? else {
            return Err(Error::new("missing argument"));
        };
        match x.value {
            Value::Int(_) | Value::BigInt(_) => Ok(x.value.clone()),
            Value::Float(it) => whole(act(*it)),
            other => Err(not_a_number(other)),
        }
    })
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
    let x = float(x.value)?;
    let base = base.map_or(Ok(std::f64::consts::E), |base| float(base.value))?;
    Ok(Value::Float(x.ln() / base.ln()))
}
