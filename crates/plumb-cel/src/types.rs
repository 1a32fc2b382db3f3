//! The types of expressions, and which of them fit each other.

use std::fmt;
use std::sync::Arc;

use crate::declared::{Declared, DeclaredKind};

#[derive(Clone, Debug)]
pub(crate) enum Type {
    /// Only known at run time.
    Dyn,
    Null,
    Bool,
    Int,
    UInt,
    Double,
    String,
    Bytes,
    Duration,
    Timestamp,
    List(Arc<Type>),
    Map(Arc<(Type, Type)>),
    Optional(Arc<Type>),
    /// The type of `string`, `int` and the like.
    OfTypes,
    /// A map with declared keys.
    Object(Arc<Declared>),
    /// A type that Kubernetes adds, such as `kubernetes.Quantity`.
    Special(&'static str),
    /// A type that is determined by the arguments of a call, or by the later use of an empty list.
    Param(usize),
}

impl Type {
    pub(crate) fn list(item: Type) -> Self {
        Self::List(Arc::new(item))
    }

    pub(crate) fn map(key: Type, value: Type) -> Self {
        Self::Map(Arc::new((key, value)))
    }

    pub(crate) fn optional(inner: Type) -> Self {
        Self::Optional(Arc::new(inner))
    }

    pub(crate) fn of(declared: &Arc<Declared>) -> Self {
        match &declared.kind {
            DeclaredKind::Dyn => Self::Dyn,
            DeclaredKind::Bool => Self::Bool,
            DeclaredKind::Int => Self::Int,
            DeclaredKind::Double => Self::Double,
            DeclaredKind::String => Self::String,
            DeclaredKind::Bytes => Self::Bytes,
            DeclaredKind::Duration => Self::Duration,
            DeclaredKind::Timestamp => Self::Timestamp,
            DeclaredKind::List(item) => Self::list(Self::of(item)),
            DeclaredKind::Map(value) => Self::map(Self::String, Self::of(value)),
            DeclaredKind::Object(_) => Self::Object(Arc::clone(declared)),
        }
    }

    /// The type within an optional, and whether there is one.
    pub(crate) fn unwrapped(&self) -> (&Self, bool) {
        match self {
            Self::Optional(inner) => (inner, true),
            other => (other, false),
        }
    }

    /// Whether all values of the type have a size of one.
    pub(crate) fn is_scalar(&self) -> bool {
        match self {
            Self::Bool
            | Self::Int
            | Self::UInt
            | Self::Double
            | Self::Duration
            | Self::Timestamp => true,
            Self::Optional(inner) => inner.is_scalar(),
            _ => false,
        }
    }

    /// Whether `null` can be compared with values of the type.
    fn is_nullable(&self) -> bool {
        matches!(
            self,
            Self::Null
                | Self::Optional(_)
                | Self::Object(_)
                | Self::Special(_)
                | Self::Duration
                | Self::Timestamp
        )
    }

    /// Whether two types are the same, without looking up what parameters stand for.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Object(left), Self::Object(right)) => Arc::ptr_eq(left, right),
            (Self::Special(left), Self::Special(right)) => left == right,
            (Self::Param(left), Self::Param(right)) => left == right,
            (Self::List(left), Self::List(right))
            | (Self::Optional(left), Self::Optional(right)) => left.is_same(right),
            (Self::Map(left), Self::Map(right)) => {
                left.0.is_same(&right.0) && left.1.is_same(&right.1)
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Whether a type is as general as another type that it fits, or more general.
    fn is_as_general(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Dyn | Self::Param(_), _) => true,
            (_, Self::Dyn | Self::Param(_)) => false,
            (Self::List(left), Self::List(right))
            | (Self::Optional(left), Self::Optional(right)) => left.is_as_general(right),
            (Self::Map(left), Self::Map(right)) => {
                left.0.is_as_general(&right.0) && left.1.is_as_general(&right.1)
            }
            (left, right) => left.is_same(right),
        }
    }

    pub(crate) fn more_general(self, other: Self) -> Self {
        if self.is_as_general(&other) { self } else { other }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dyn | Self::Param(_) => f.write_str("a value of any type"),
            Self::Null => f.write_str("null"),
            Self::Bool => f.write_str("a bool"),
            Self::Int => f.write_str("an int"),
            Self::UInt => f.write_str("a uint"),
            Self::Double => f.write_str("a double"),
            Self::String => f.write_str("a string"),
            Self::Bytes => f.write_str("bytes"),
            Self::Duration => f.write_str("a duration"),
            Self::Timestamp => f.write_str("a timestamp"),
            Self::List(_) => f.write_str("a list"),
            Self::Map(_) => f.write_str("a map"),
            Self::Optional(_) => f.write_str("an optional value"),
            Self::OfTypes => f.write_str("a type"),
            Self::Object(_) => f.write_str("a map with declared keys"),
            Self::Special("kubernetes.Quantity") => f.write_str("a quantity"),
            Self::Special("kubernetes.Semver") => f.write_str("a version"),
            Self::Special("kubernetes.URL") => f.write_str("a URL"),
            Self::Special("net.IP") => f.write_str("an IP address"),
            Self::Special("net.CIDR") => f.write_str("a CIDR"),
            Self::Special(_) => f.write_str("a format"),
        }
    }
}

/// What the parameters stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings(Vec<Option<Type>>);

/// Whether a parameter can stand for a type.
enum Bound {
    Fits,
    /// Another type was found for it before.
    Differs,
    /// It occurs within the type.
    Circular,
}

impl Bindings {
    pub(crate) fn new_param(&mut self) -> Type {
        self.0.push(None);
        Type::Param(self.0.len() - 1)
    }

    /// Reserves parameters. Returns the index of the first.
    pub(crate) fn reserve(&mut self, n_params: usize) -> usize {
        let first = self.0.len();
        self.0.resize(first + n_params, None);
        first
    }

    /// The type with everything that is known about its parameters.
    pub(crate) fn resolved(&self, ty: &Type) -> Type {
        match ty {
            Type::Param(at) => match &self.0[*at] {
                Some(bound) => self.resolved(bound),
                None => ty.clone(),
            },
            Type::List(item) => Type::list(self.resolved(item)),
            Type::Optional(inner) => Type::optional(self.resolved(inner)),
            Type::Map(both) => Type::map(self.resolved(&both.0), self.resolved(&both.1)),
            other => other.clone(),
        }
    }

    /// Binds parameters so that all pairs fit. If they cannot, nothing is bound.
    pub(crate) fn fit_all<'t>(
        &mut self,
        mut pairs: impl Iterator<Item = (&'t Type, &'t Type)>,
    ) -> bool {
        let before = self.0.clone();
        let fits = pairs.all(|(given, wanted)| self.fits(given, wanted));
        if !fits {
            self.0 = before;
        }
        fits
    }

    pub(crate) fn fit(&mut self, given: &Type, wanted: &Type) -> bool {
        self.fit_all(std::iter::once((given, wanted)))
    }

    fn fits(&mut self, given: &Type, wanted: &Type) -> bool {
        if let Type::Param(at) = wanted {
            match self.bind(*at, given) {
                Bound::Fits => return true,
                Bound::Differs => return false,
                Bound::Circular => {}
            }
        }
        if let Type::Param(at) = given {
            return matches!(self.bind(*at, wanted), Bound::Fits);
        }
        match (given, wanted) {
            (Type::Dyn, _) | (_, Type::Dyn) => true,
            (Type::Null, other) | (other, Type::Null) => other.is_nullable(),
            (Type::List(left), Type::List(right))
            | (Type::Optional(left), Type::Optional(right)) => self.fits(left, right),
            (Type::Map(left), Type::Map(right)) => {
                self.fits(&left.0, &right.0) && self.fits(&left.1, &right.1)
            }
            _ => given.is_same(wanted),
        }
    }

    fn bind(&mut self, at: usize, ty: &Type) -> Bound {
        if matches!(ty, Type::Param(other) if *other == at) {
            return Bound::Fits;
        }
        let Some(bound) = self.0[at].clone() else {
            if self.occurs(at, ty) {
                return Bound::Circular;
            }
            self.0[at] = Some(ty.clone());
            return Bound::Fits;
        };
        if !ty.is_same(&bound) {
            if !self.fits(ty, &bound) {
                return Bound::Differs;
            }
            let general = ty.clone().more_general(bound);
            if !self.occurs(at, &general) {
                self.0[at] = Some(general);
            }
        }
        Bound::Fits
    }

    fn occurs(&self, at: usize, ty: &Type) -> bool {
        match ty {
            Type::Param(other) => {
                *other == at || self.0[*other].as_ref().is_some_and(|it| self.occurs(at, it))
            }
            Type::List(inner) | Type::Optional(inner) => self.occurs(at, inner),
            Type::Map(both) => self.occurs(at, &both.0) || self.occurs(at, &both.1),
            _ => false,
        }
    }
}
