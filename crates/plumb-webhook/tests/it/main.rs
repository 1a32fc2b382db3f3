//! The webhook over real TLS on loopback.

#![expect(clippy::disallowed_methods, reason = "templates and certificates are files")]

mod api;
mod attacks;
mod client;
mod deploy;
mod fixture;
mod load;
mod reload;
mod requests;
