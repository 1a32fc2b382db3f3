//! Links the programs for a fixed address on Linux.
//!
//! The loader then has no addresses to fill in when a program starts: most of its work was that, and
//! the pages that it wrote to were a megabyte of memory. Plumb has no `unsafe` code of its own, and the
//! stack, the heap and shared libraries stay at random addresses.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script reads the environment and prints to Cargo"
)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|it| it == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
